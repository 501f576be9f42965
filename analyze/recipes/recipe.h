/* Table recipes: what a paper prints, made from runs and configurations. A recipe is one entry of a table in recipe.c,
 * or one file with a function where selecting columns is not enough. */
#ifndef WS_ANALYZE_RECIPE_H
#define WS_ANALYZE_RECIPE_H

#include "analyze/measure/power_levels.h"
#include "analyze/recipes/recipe_options.h"
#include "core/status.h"
#include "core/table.h"

/* A column of the outcome: taken from `from`, times `factor`, under the name `name`. WS_RESULTS as `from` stands for
 * the results of training that the campaign has (training_results.h), each with its spread; WS_SETTINGS for the
 * settings that it takes to tell the configurations apart beside those that stand before it; WS_INSTEAD for the time
 * of an epoch and the power of a GPU of a campaign that has no times and energies of runs. */
#define WS_RESULTS "(results)"
#define WS_SETTINGS "(settings)"
#define WS_INSTEAD "(instead)"
typedef struct ws_recipe_column {
    const char *from, *name;
    double factor; /* 0: as it stands, texts too */
} ws_recipe_column;

/* Runs whose traces a table is about, and how high their powers were once they were read. */
enum { WS_MOST_CHOSEN = 4 };
typedef struct ws_chosen_runs {
    size_t n, rows[WS_MOST_CHOSEN];
    ws_power_levels levels[WS_MOST_CHOSEN];
    const char *remark; /* in the arena, or "" */
    ws_arena arena;
} ws_chosen_runs;

typedef struct ws_table_recipe {
    const char *name;     /* "huber/table1" */
    const char *compares; /* a report of any campaign leaves it out where this column has one value; or NULL */
    const char *summary;  /* one line: what it shows, and where it is printed */
    unsigned takes;       /* of recipe_options.h */
    bool of_runs;         /* rows are runs, those too that are left out of means; else configurations */
    const ws_recipe_column *columns; /* ended by a NULL `from`; those that the campaign does not have stay empty */
    bool (*keeps)(const ws_table *from, size_t row); /* of rows with columns; NULL, or true for none: all of them */
    /* Of the traces of some runs, which it chooses. */
    ws_status (*choose)(const ws_table *runs, ws_chosen_runs *chosen, ws_error *error);
    ws_status (*make_of_traces)(const ws_table *runs, const ws_chosen_runs *chosen, ws_table *out, ws_error *error);
    bool rests_on_energy; /* what it works out does: a footnote says how many runs have a doubtful one */
    bool tells_verdicts;  /* `make` gets all runs and says the verdicts of its rows (verdict_marks.h); else it gets the
                             runs that count in the configurations */
    /* Instead of columns: make the table; `out` is initialised by the caller. */
    ws_status (*make)(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error);
} ws_table_recipe;

const ws_table_recipe *const *ws_table_recipes(void); /* of any campaign, NULL-terminated; paper.h finds all */

/* `out` is initialised here. `runs` are all, those too that the configurations leave out because of their energy: a
 * table of runs shows them, others name them in a footnote. WS_DATA: the campaign has nothing for this table (the
 * message says what is missing). */
ws_status ws_table_recipe_make(const ws_table_recipe *recipe, const ws_table *runs, const ws_table *scale,
                               ws_table *out, ws_error *error);

/* The same of a recipe with `choose`, whose runs were read. */
ws_status ws_table_recipe_make_of_traces(const ws_table_recipe *recipe, const ws_table *runs,
                                         const ws_chosen_runs *chosen, ws_table *out, ws_error *error);

extern const ws_table_recipe ws_table_huber_profile, ws_table_huber_table1, ws_table_huber_efficiency,
    ws_table_huber_small, ws_table_huber_all, ws_table_huber_device_ratio, ws_table_huber_power_model,
    ws_table_frey_exponents, ws_table_frey_energy, ws_table_frey_table1, ws_table_frey_table2, ws_table_frey_table3,
    ws_table_frey_table4, ws_table_frey_table5, ws_table_frey_table6;

#endif
