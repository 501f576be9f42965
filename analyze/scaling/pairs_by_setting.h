/* A quantity of some runs against that of others where each were run in several settings (data sets, batch sizes): the
 * ratio of runs that agree in all of them, so that no mean over unlike settings is compared with another. */
#ifndef WS_ANALYZE_PAIRS_BY_SETTING_H
#define WS_ANALYZE_PAIRS_BY_SETTING_H

#include "analyze/scaling/work.h"
#include "core/arena.h"
#include "core/table.h"

/* "dataset, seed": in what the runs behind configurations differ; "" where in nothing. As long as the table. */
const char *ws_mixed_settings(const ws_table *scale);

typedef struct ws_setting_pairs {
    const char *columns; /* in which the settings differ, with commas between them; "" where there is one setting */
    size_t n;            /* settings that both were run in */
    double ratio;        /* the geometric mean over them of the ratio of their means; NaN where n is 0 */
    double half;         /* half of its interval at `level`, by the spread over the settings; NaN below two */
} ws_setting_pairs;

/* Of the runs `rows` over the runs `against`, whose values of the column are those of `work`. Settings are the columns
 * of the runs that are known for such and those named in `mixed`, with commas between them. Text is in the arena. */
ws_setting_pairs ws_pair_by_setting(const ws_table *runs, const size_t *rows, size_t n, const size_t *against,
                                    size_t n_against, const char *mixed, size_t column, ws_work work, double level,
                                    ws_arena *arena);

/* The settings in which rows of one unit differ, with commas between them; "" where a mean over each unit is one over
 * runs of one setting. Numbers of a column that is not known may be outcomes, and do not count. In the arena. */
const char *ws_settings_unlike(const ws_table *runs, const size_t *rows, size_t n, const size_t *unit,
                               const char *mixed, ws_work work, ws_arena *arena);

/* Of several such pairs, for a caption: the columns of all, and the most settings that one has. */
void ws_setting_pairs_add(ws_setting_pairs *all, const ws_setting_pairs *more, ws_arena *arena);

/* What points are that are means over settings, between whose runs `apart` alone differs ("cap"). */
const char *ws_setting_pairs_are(ws_arena *arena, const char *apart, const ws_setting_pairs *all, double level,
                                 bool has_bars);

#endif
