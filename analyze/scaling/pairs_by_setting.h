/* A quantity of some runs against that of others where each were run in several settings (data sets, batch sizes): the
 * ratio of runs that agree in all of them, so that no mean over unlike settings is compared with another. */
#ifndef WS_ANALYZE_PAIRS_BY_SETTING_H
#define WS_ANALYZE_PAIRS_BY_SETTING_H

#include "analyze/scaling/work.h"
#include "analyze/setting_columns.h"
#include "core/arena.h"
#include "core/table.h"

/* "dataset, seed": in what the runs behind configurations differ; "" where in nothing. As long as the table. */
const char *ws_mixed_settings(const ws_table *scale);

/* Those of them that setting_columns.h calls settings: others are left to the note on them. In the arena. */
const char *ws_mixed_settings_shown(const ws_table *runs, const ws_table *scale, ws_arena *arena);

typedef struct ws_setting_pairs {
    const char *columns; /* in which the settings differ, with commas between them; "" where there is one setting */
    size_t n;            /* settings that both were run in: 0 where they have none in common */
    double ratio;        /* the geometric mean over them of the ratio of their means; NaN where n is 0 */
    double half;         /* half of its interval at `level`, by the spread over the settings; NaN below two */
    double lo, hi;       /* its ends */
} ws_setting_pairs;

/* Of the runs `rows` over the runs `against`, whose values of the column are those of `work`. Settings that differ
 * between the runs of a side tell pairs, and those that are known, but the caps, where they differ at all. Text is in
 * the arena. */
ws_setting_pairs ws_pair_by_setting(const ws_table *runs, const size_t *rows, size_t n, const size_t *against,
                                    size_t n_against, const ws_setting_columns *settings, size_t column, ws_work work,
                                    double level, ws_arena *arena);

/* Of several such pairs, for a caption: the columns of all, and the most settings that one has. */
void ws_setting_pairs_add(ws_setting_pairs *all, const ws_setting_pairs *more, ws_arena *arena);

/* What points are that are means over settings, between whose runs `apart` alone differs ("cap"). */
const char *ws_setting_pairs_are(ws_arena *arena, const char *apart, const ws_setting_pairs *all, double level,
                                 bool has_bars);

#endif
