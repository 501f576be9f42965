/* What figures of campaigns share: series of configurations, each with its label and its colour in every figure; points
 * out of columns; panels against the number of GPUs; captions. */
#ifndef WS_ANALYZE_FIGURE_SERIES_H
#define WS_ANALYZE_FIGURE_SERIES_H

#include "analyze/recipes/axis_names.h"
#include "analyze/recipes/figure_recipe.h"
#include "analyze/recipes/series_looks.h"
#include "analyze/scaling/work.h"
#include "fit/fit.h"

#define WS_ONLY_SERIES "Measured" /* beside the ideal, where nothing else is drawn */

typedef struct ws_row_list {
    size_t *rows, n, capacity;
} ws_row_list;

typedef struct ws_series {
    const char *label; /* "LBS 256", "A100, 250 W": what tells it from the others; "" where it is the only one */
    ws_row_list configurations, runs;
    size_t rank; /* of ws_held_series: the place before looks reordered them, which decides what is a reference */
    size_t like; /* of ws_held_series: the rank of the first one with this batch size, which another data set may tell
                    from it; its own where it is the first, or where there is but one data set */
} ws_series;

typedef struct ws_series_list {
    const ws_table *runs, *scale;
    const char *against; /* the column of the horizontal axis: "gpus", unless ws_series_to_draw_against found another */
    ws_series *items;    /* in natural order of their labels: gbs256 before gbs1024 */
    size_t n, capacity;
    size_t n_not_drawn; /* beyond ws_series_to_draw's limit */
    size_t n_short;     /* configurations in no series, as what they would be in has two numbers of GPUs only */
    ws_arena arena;
} ws_series_list;

/* Configurations that agree in what they are grouped by, sizes of the machine apart, make a series; where two of them
 * have the same GPUs, the batch sizes tell series apart too. */
void ws_series_init(ws_series_list *list, const ws_table *runs, const ws_table *scale);
void ws_series_free(ws_series_list *list);

/* In the order of their first configurations instead of their labels, but for what looks ask for. */
void ws_series_by_rows(ws_series_list *list);

/* The series of a figure: no more than can be told apart (WS_STYLES); ws_series_left_out says how many there would be.
 */
void ws_series_to_draw(ws_series_list *list, const ws_table *runs, const ws_table *scale);

/* The same for panels against `against`: the numbers of GPUs or, where all configurations have one, the setting of
 * numbers in which most of them differ, as a batch size or a cap, which then tells no series apart. */
void ws_series_to_draw_against(ws_series_list *list, const ws_table *runs, const ws_table *scale);

/* By which columns facets of them are easiest to follow: "model", or "model,dataset" where one model has more series
 * than there are colours; NULL where they are few, or all of one model, or of a model each. */
const char *ws_series_facets_by_model(const ws_series_list *list);

/* "the number of GPUs", "the local batch size", for a caption. */
const char *ws_series_against_words(const ws_series_list *list, ws_arena *arena);

/* Points with a finite x and y, by rising x. `error` is NaN where the table has none. Arrays live in `arena`. */
typedef struct ws_points {
    size_t n, n_runs; /* n_runs: behind them, where they are means of configurations */
    double *x, *y, *error, *x_error;
    bool *is_doubtful; /* x or y rests on an energy of which the row says that it is not ok */
    bool has_error, has_x_error;
} ws_points;
ws_points ws_points_take(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x, const char *y,
                         const char *error);

/* The same with an error of x, of that work (work.h), and in the order of the column `along`: lines join points as the
 * GPUs grow, also where x does not. `x_error` and `along` may be NULL. */
ws_points ws_points_take_along(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                               const char *y, const char *error, const char *x_error, const char *along, ws_work work);

/* Points as markers of a series, with their error bars where there are any; those that are doubtful are open, and
 * ws_figure_recipe_make puts a line below the figure that says so. `label` may be NULL. */
void ws_points_draw(ws_figure *figure, ws_panel *panel, const char *label, unsigned kind, int style,
                    const ws_points *points);

/* What a law is fitted to: the means of configurations (units.h), geometric ones in logs, as `wattscale fit` takes
 * them. The runs themselves where one has no logarithm, which the law refuses. */
ws_points ws_points_of_configurations(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                                      const char *y, bool in_logs);
ws_points ws_points_of_work(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                            const char *y, bool in_logs, ws_work work); /* of so much work */

/* The one work that times and energies of a figure are of: what ws_scale compares its configurations by; of an epoch
 * where some are compared so and all say their epochs. */
ws_work ws_figure_work(const ws_table *scale);
/* The same of a figure that may be a facet: all facets are of one work wherever that of the whole can be. */
ws_work ws_figure_work_of(const ws_figure_input *input);

/* The column of the runs that power laws of time are fitted to: wall_s, or epoch_s by ws_figure_work and where nothing
 * else is known. */
const char *ws_time_column(const ws_table *runs, const ws_table *scale);
const char *ws_figure_time_column(const ws_figure_input *input); /* by ws_figure_work_of */

/* The rows of runs on whole nodes. On a part of one the energy of all of it is on few GPUs, so that such runs stay out
 * of fits of kWh per GPUh. *full is the GPUs of a node; NaN where the runs do not say, and then every row stays. */
ws_row_list ws_whole_nodes(ws_arena *arena, const ws_table *runs, const ws_row_list *rows, double *full);

/* The headline factor of a series: the ratios kWh / GPUh of its configurations on whole nodes, and their lines
 * (fit/linear/origin.h), whose row "mean-of-ratios" is the factor. Arrays live in `arena`. */
typedef struct ws_series_ratios {
    ws_row_list rows;   /* the runs that count */
    double gpus_a_node; /* NaN where the runs do not say */
    ws_points points;
    ws_fit fit;
    bool is_single;          /* one factor holds: else `words` are those of the configurations */
    bool is_bent;            /* none does, since a line needs an intercept; else as configurations differ */
    const char *why, *words; /* "a line needs an intercept (p 0.025)"; "0.895, 0.727 and 0.636", "0.266 to 0.292" */
} ws_series_ratios;
ws_status ws_series_factor(ws_arena *arena, const ws_table *runs, const ws_row_list *rows, double level,
                           ws_series_ratios *ratios, ws_error *error);

/* The words of their ratios times a factor: "0.895, 0.727 and 0.636" of three, "0.266 to 0.292" of more. In the arena.
 */
const char *ws_ratios_are(ws_arena *arena, const ws_points *points, double factor);

/* WS_DATA where all rows have one number of GPUs: nothing scales, and nothing can be drawn against it. */
ws_status ws_series_need_gpu_counts(const ws_table *table, ws_error *error);

/* Of the axis of `against`. Log2 where most of the numbers of GPUs are powers of two (2 to 256, and all 424 of a
 * machine), else log10; of another setting linear unless the values span more than a decade. */
ws_axis_scale ws_series_gpu_scale(const ws_series_list *list);

/* A panel of one quantity, and a layer for each series that has it. */
typedef struct ws_series_panel {
    const char *x, *x_label;
    const char *y, *y_label;
    const char *error;           /* column; NULL: y with "_rmse" */
    const char *x_error, *along; /* columns or NULL, as ws_points_take_along; with `along`, x may be logarithmic, too */
    unsigned kind;               /* 0: lines with markers and, where they are known, error bars */
    double factor, x_factor;     /* of y and its error, and of x; 0 is 1 */
    ws_work work;                /* x, y and the error of y are those of it */
    bool in_thousands; /* large values in 10^{3} or 10^{6}, on y and on any x but the GPUs; the labels follow */
} ws_series_panel;

/* Adds nothing and returns NULL where no configuration has x and y. The y axis is logarithmic where the values span
 * more than a decade. Letters follow from the order of the panels. */
ws_panel *ws_series_add_panel(const ws_series_list *list, ws_figure *figure, const ws_series_panel *what);

/* Takes away panels whose every point is, within 2 %, one number times that of a panel before, as the passes of a
 * constant local batch size are of its samples, and the GPUs' energy where nothing else was measured. Returns the
 * sentences of a caption about them, "" for none. */
const char *ws_figure_drop_proportional(ws_figure *figure);

/* Size, grid and legend for the panels that there are: one of 88 x 70 mm, two side by side, else two or three columns.
 */
void ws_figure_arrange(ws_figure *figure, const ws_series_list *list);

/* For the energies of a figure: mWh to GWh by the largest total. */
typedef struct ws_energy_unit {
    const char *name;
    double most_kwh, per_kwh;
} ws_energy_unit;
const ws_energy_unit *ws_energy_unit_of(const ws_table *scale, ws_work work);

/* " Bars: ..." and "; bands: ..." for a caption; "" where none is drawn. */
const char *ws_bars_are(const ws_figure *figure);
const char *ws_bands_are(ws_figure *figure, double level);

/* " The sensors' gain, ..." for a caption of energies whose uncertainty is known; "" for others. */
const char *ws_energies_are_known(const ws_table *scale, ws_arena *arena);

/* What the speed-ups of these series refer to, as the configurations say: "the fewest GPUs of each series", "4 GPUs of
 * each series", "1 GPU of LBS 256". */
const char *ws_series_reference_words(const ws_series_list *list, ws_arena *arena);

/* "n = 3 to 5 runs a point. Left out: gpus<4 (4 of 18 rows)." */
const char *ws_series_counts(const ws_series_list *list, ws_arena *arena);
const char *ws_series_left_out(const ws_series_list *list, ws_arena *arena); /* and series that are not drawn */
/* Rules that left runs out, and how many runs have no energy that can be used; "" where nothing was left out. */
const char *ws_left_out(const ws_notes *notes, ws_arena *arena);

/* A fitted curve through the points: a line over their range (from 0 with `from_zero`) and its band, under the style of
 * the series. Nothing is added where there is no fit. Returns the fit's outcome in *fit. */
typedef struct ws_drawn_curve {
    const char *model; /* "line", "origin", "powerlaw" */
    double level;
    bool has_band, from_zero;
    int style;
    const char *label; /* of the series, so that they share a key in the legend; "" for none */
    bool is_wanted;    /* the user asked for the band: one of a single degree of freedom is drawn, too */
} ws_drawn_curve;
ws_status ws_curve_add(ws_figure *figure, ws_panel *panel, const ws_drawn_curve *curve, const ws_points *points,
                       ws_fit *fit, ws_error *error);

/* Is there such a model, and is it fitted to logarithms? */
bool ws_curve_model_exists(const char *model);
bool ws_curve_is_in_logs(const char *model);

/* "0.2654 ± 0.0007" with the minus sign of print; the value alone where the fit gives its standard error no
 * meaning. */
const char *ws_value_text(ws_arena *arena, const ws_fit *fit, double value, double error);

/* Of more series than have room for a line each, what such lines say goes into the legend instead. For a complete
 * panel. */
void ws_panel_notes_to_legend(ws_panel *panel, size_t n_series);

/* A line of text in the colour of a series, the `row`-th from the top, or from the bottom, at the right edge. */
void ws_panel_note(ws_figure *figure, ws_panel *panel, size_t row, bool at_bottom, int style, const char *text);

#endif
