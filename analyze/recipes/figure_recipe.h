/* Figure recipes: what a paper draws, made from runs and configurations, from any table, or from traces. A recipe is a
 * function in a file figure_NAME.c and a line of the table in figure_recipe.c. */
#ifndef WS_ANALYZE_FIGURE_RECIPE_H
#define WS_ANALYZE_FIGURE_RECIPE_H

#include "analyze/measure/profile.h"
#include "analyze/recipes/recipe_options.h"
#include "analyze/scaling/work.h"
#include "core/status.h"
#include "core/table.h"
#include "report/figure/figure.h"

typedef enum ws_figure_source {
    WS_FIGURE_OF_CAMPAIGN = 0, /* runs and their configurations */
    WS_FIGURE_OF_TABLE,        /* any table that has the columns --x and --y name */
    WS_FIGURE_OF_TRACES,
    WS_FIGURE_OF_RUNS /* the traces of some runs of a campaign, which the recipe chooses */
} ws_figure_source;

/* The runs that a recipe chooses, and their traces once they were read: all of each, and its window. */
enum { WS_MOST_RUN_PROFILES = 4 };
typedef struct ws_run_profiles {
    size_t n, rows[WS_MOST_RUN_PROFILES]; /* of the table of runs */
    const char *titles[WS_MOST_RUN_PROFILES], *labels[WS_MOST_RUN_PROFILES];
    const char *subject, *remark; /* the first and the last sentence of the caption, or NULL */
    double from_s, to_s;
    ws_profiles whole[WS_MOST_RUN_PROFILES], windows[WS_MOST_RUN_PROFILES];
    ws_arena arena;
} ws_run_profiles;

/* What a recipe is made from. Only what its source stands for is set. */
typedef struct ws_figure_input {
    const ws_table *runs;  /* of a campaign, or the table of a free plot */
    const ws_table *scale; /* the configurations, as ws_scale makes them */
    bool synthetic;
    bool is_facet;                /* the whole figure says in what settings its means' runs differ */
    const ws_table *facets_scale; /* of a facet: the configurations of all, which choose units; NULL: its own */
    ws_work facets_work;          /* of a facet: what all of them together are drawn by (ws_figure_work) */
    const char *reference;        /* of speed-ups: "series", "all" or "gpus=N"; NULL: as the recipe has it */
    double level;                 /* of bands and intervals, 0.95 */
    /* Of a free plot: columns ("by" may be NULL), axes in logarithms, and the model to fit, or NULL. */
    const char *x, *y, *by;
    ws_axis_scale x_scale, y_scale;
    const char *fit; /* "line", "origin", "powerlaw" */
    bool has_band, has_lines;
    ws_work work; /* that x and y are of already, where they grow with it */
    /* Of a profile: a panel for each of `n_profiles` (0 stands for 1) and its title, or NULL. */
    const ws_profiles *profiles;
    size_t n_profiles;
    bool is_overlay;                                 /* all of them in one panel, each named by its title */
    const char *const *titles, *const *whole_titles; /* whole: for the caption; NULL: the same */
    const char *const *labels;                       /* of the traces, one a panel, or NULL: the device's name */
    const ws_profiles *windows; /* the same traces within from_s to to_s of each run's start, or NULL: all is drawn */
    double from_s, to_s;
    const char *subject, *remark; /* of ws_run_profiles */
    const char *device;           /* the one that is drawn, by its name; NULL: the first */
    ws_domain domain;
} ws_figure_input;

typedef struct ws_figure_recipe {
    const char *name;    /* "campaign/speedup" */
    const char *summary; /* one line */
    const char *title;   /* of a figure that has fewer quantities than the summary names, "%s against GPUs"; or NULL */
    size_t n_quantities; /* that the summary names */
    const char *model;   /* with which both begin, or NULL: a figure of another one begins with that */
    ws_figure_source source;
    unsigned takes; /* of recipe_options.h */
    bool by_series; /* draws every series that a campaign has: facets where they are too many */
    const char *(*facets)(const ws_figure_input *); /* instead: the column that facets are best made by, or NULL */
    const char *means;   /* "Lines: power laws of means", where the points are runs; NULL: the points are means */
    bool refers_to_caps; /* --reference names a cap, or changes nothing */
    bool pairs_settings; /* compares settings one by one (pairs_by_setting.h): its points are no means over unlike runs
                          */
    const char *const *needs; /* columns of the configurations without which there is nothing to draw, NULL-ended */
    ws_status (*make)(const ws_figure_input *input, ws_figure *figure, ws_error *error);
    ws_status (*choose)(const ws_table *runs, ws_run_profiles *out, ws_error *error); /* of WS_FIGURE_OF_RUNS */
} ws_figure_recipe;

const ws_figure_recipe *const *ws_figure_recipes(void); /* of any data, NULL-terminated; paper.h finds all */

/* In the footnote. */
void ws_figure_say_mixed(ws_figure *figure, const ws_figure_recipe *recipe, const ws_looks *looks,
                         const char *settings);

/* `figure` is initialised here; the caller frees it, also after a failure. WS_DATA: there is nothing to draw (the
 * message says which column is missing, and which there are). */
ws_status ws_figure_recipe_make(const ws_figure_recipe *recipe, const ws_figure_input *input, ws_figure *figure,
                                ws_error *error);

extern const ws_figure_recipe ws_figure_campaign_speedup, ws_figure_campaign_energy, ws_figure_campaign_energy_vs_gpuh,
    ws_figure_campaign_per_gpuh, ws_figure_campaign_time_loglog, ws_figure_campaign_power_throughput,
    ws_figure_campaign_ratios, ws_figure_campaign_caps, ws_figure_campaign_pareto, ws_figure_campaign_quality,
    ws_figure_jigsaw_scaling, ws_figure_trace_profile, ws_figure_xy;
extern const ws_figure_recipe ws_figure_huber_fig2, ws_figure_huber_fig3, ws_figure_huber_fig4, ws_figure_huber_fig6,
    ws_figure_huber_fig5, ws_figure_huber_fig7;

/* Panels of profiles under another name: figure_profile.c. */
ws_status ws_make_profile_figure(const ws_figure_input *in, const char *name, ws_figure *figure, ws_error *error);

/* frey_figures.c */
extern const ws_figure_recipe ws_figure_frey_fig2, ws_figure_frey_fig3, ws_figure_frey_fig4, ws_figure_frey_fig5,
    ws_figure_frey_fig6, ws_figure_frey_fig8, ws_figure_frey_fig9, ws_figure_frey_fig10, ws_figure_frey_fig11,
    ws_figure_frey_fig12, ws_figure_frey_fig13, ws_figure_frey_fig14, ws_figure_frey_fig15, ws_figure_frey_fig16,
    ws_figure_frey_fig17;

#endif
