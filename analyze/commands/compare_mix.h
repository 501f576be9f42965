/* Settings that both sides of a comparison have and that may stand in other shares on either: columns of a few values
 * of which some are on both sides. Equal runs in another mix of them are no change. */
#ifndef WS_ANALYZE_COMPARE_MIX_H
#define WS_ANALYZE_COMPARE_MIX_H

#include "core/table.h"

typedef struct ws_mix_column {
    const char *name;
    bool is_known;             /* a column that runs have, whose role this program knows */
    const size_t *of_a, *of_b; /* the number of its value in each row; equal values have equal numbers */
} ws_mix_column;

/* left_out[c]: not the column c of `a`. Quantities, names of runs and series are none. All lives in the arena. Returns
 * how many there are. */
size_t ws_mix_columns(const ws_table *a, const ws_table *b, const bool *left_out, ws_arena *arena,
                      ws_mix_column **columns);

#endif
