/* Speed-up, efficiency and energy ratio of one configuration over another: the columns of them in the table of
 * ws_scale. */
#ifndef WS_ANALYZE_RATIOS_H
#define WS_ANALYZE_RATIOS_H

#include "analyze/scaling/spread.h"
#include "analyze/scaling/work.h"

#include <stdbool.h>

enum { WS_OF_TIME, WS_OF_ENERGY, WS_OF_N };

typedef struct ws_scaled {
    double gpus;
    bool is_weak;                          /* weak scaling: equal work a GPU */
    ws_work work;                          /* that times and energies are of */
    ws_spread value[WS_OF_N], ln[WS_OF_N]; /* ln: of the natural logarithms */
} ws_scaled;

/* The deviation of logarithms pooled over many configurations, with its degrees of freedom; NaN and 0 for none. */
typedef struct ws_pooled {
    double sd, df;
} ws_pooled;

size_t ws_ratio_columns(ws_table *table); /* adds them; returns the first */
bool ws_is_ratio_column(const char *name);
bool ws_is_energy_ratio_column(const char *name);

/* c == reference: ratios of 1 without error. */
void ws_set_ratios(ws_table *table, size_t first, size_t row, const ws_scaled *c, const ws_scaled *reference,
                   const ws_pooled pooled[WS_OF_N]);
/* The reference may be NULL. People see the column `per` where it is not that of whole runs. */
void ws_set_ratio_words(ws_table *table, size_t first, size_t row, const ws_scaled *c, const char *reference);

#endif
