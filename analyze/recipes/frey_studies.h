/* Which runs stand in a figure or a table of Frey et al. 2022, told by their columns and never by names of series: each
 * model without a cap, the same under several power caps, or under several clocks. */
#ifndef WS_ANALYZE_FREY_STUDIES_H
#define WS_ANALYZE_FREY_STUDIES_H

#include "analyze/recipes/figure_series.h"
#include "analyze/setting_columns.h"

typedef enum ws_model_kind { WS_ANY_MODEL = 0, WS_GEOMETRIC, WS_LANGUAGE, WS_VISION } ws_model_kind;

/* The runs of one model on one device under one power cap and one clock. */
typedef struct ws_level {
    const char *model, *model_class;
    double power_cap_w, clock_cap_hz; /* NaN: not stated */
    const char *part;                 /* the setting that tells it from others of that model and cap, or NULL */
    ws_row_list rows;                 /* of the runs, which they must not outlive */
} ws_level;

/* Models in the order of their first runs; the levels of one stand together, the highest first. In the arena. */
typedef struct ws_levels {
    ws_level *items;
    size_t n;
} ws_levels;

typedef enum ws_study {
    WS_STUDY_UNCAPPED, /* the highest stated cap, and of its clocks the highest: one level a model. Of several series
                          under these settings the one with the most numbers of GPUs */
    WS_STUDY_CAPS,     /* two power caps at least at one clock: that with the most caps */
    WS_STUDY_CLOCKS    /* two clocks at least at one power cap */
} ws_study;

/* Levels of a study of caps or clocks are compared at the numbers of GPUs that all of them have: series that go beyond
 * stand aside where others have just these. The class counts where the runs say it (model_class, or words for it). */
ws_levels ws_study_levels(ws_arena *arena, const ws_table *runs, ws_study study, ws_model_kind kind);

/* The numbers of GPUs that every level has, ascending, in the arena. Returns how many. */
size_t ws_levels_common_gpus(ws_arena *arena, const ws_table *runs, const ws_levels *levels, double **gpus);

/* Means over the runs of a level with the same GPUs; `error` is their root mean square deviation where there are
 * several. Times and energies ("wall_s", "energy_kwh") are those of an epoch where all of its runs say their epochs. In
 * logs: geometric means. */
ws_points ws_level_points(ws_arena *arena, const ws_table *runs, const ws_level *level, const char *column,
                          bool in_logs);
bool ws_levels_have_epochs(const ws_table *runs, const ws_levels *levels);

/* A mean over runs of several batch sizes or data sets is nobody's: of levels whose runs on as many GPUs differ in a
 * setting (setting_columns.h) each series becomes a level of its own, and where series do not tell settings apart each
 * value of those settings. WS_DATA: these are more than a figure shows; the message names the settings. */
ws_status ws_levels_split(const ws_table *runs, const char *recipe, ws_levels *levels, ws_arena *arena,
                          ws_error *error);

/* The same of any rows, in parts with the names that `part` of a level has; one part without a name where they agree.
 * The series is `by_series` only where it is to tell settings apart. */
typedef struct ws_setting_part {
    const char *name;
    ws_row_list rows;
} ws_setting_part;
size_t ws_setting_parts(const ws_table *runs, const ws_setting_columns *settings, const ws_row_list *rows,
                        bool by_series, bool by_epoch, ws_setting_part **parts, ws_arena *arena);

/* "DimeNet", "DimeNet, LBS 64". In the arena. */
const char *ws_level_name(ws_arena *arena, const ws_level *level);

/* "250 W", "1380 MHz" or "". */
const char *ws_level_cap_name(ws_arena *arena, const ws_level *level);
const char *ws_level_clock_name(ws_arena *arena, const ws_level *level);

#endif
