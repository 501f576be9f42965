/* Synthetic campaigns, made by wattscale-synth and read by the program, beside the truth about them: truth.json holds
 * the exact time and energy of what each run's files hold, and the models behind them. The generator shares core/ alone
 * with the program. */
#ifndef WS_TESTS_PLANTED_H
#define WS_TESTS_PLANTED_H

#include "harness.h"
#include "json_members.h"

#include "analyze/ingest/ingest.h"
#include "analyze/scaling/scaling.h"
#include "report/figure/figure.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CAMPAIGNS = 3, RUNS = 45, REPEATS = 3, SERIES = 3, PER_SERIES = 15 };
static const int seeds[CAMPAIGNS] = {21, 22, 23};
static const double J_PER_KWH = 3.6e6;

/* truth.json is exact for the files; between it and a sum of three domains in kWh lie a few roundings. */
static const double EXACT = 1e-12;

typedef struct planted {
    json_t *truth;
    double dataset_samples; /* of campaign.json */
    ws_campaign campaign;
    ws_table runs, scale;
} planted;

/* Made once for all cases, before they fork, by the function that a test file gives. */
static ws_arena arena;
static const char *build, *folder;
static bool is_built;
static planted campaigns[CAMPAIGNS];
static void (*plant_all)(void);

static inline int shell(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline json_t *load(const char *campaign, const char *file)
{
    json_error_t why;
    json_t *json = json_load_file(ws_arena_printf(&arena, "%s/%s/%s", folder, campaign, file), 0, &why);
    ck_assert_msg(json != NULL, "%s:%d: %s", file, why.line, why.text);
    return json;
}

static inline void plant(planted *p, const char *kind, const char *name, const char *arguments)
{
    ws_error error = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    const char *command =
        ws_arena_printf(&arena, "cd '%s' && '%s/wattscale-synth' %s %s %s", folder, build, kind, name, arguments);
    ck_assert_msg(shell(command) == 0, "%s", command);
    p->truth = load(name, "truth.json");
    json_t *description = load(name, "campaign.json");
    p->dataset_samples =
        json_number_value(json_object_get(json_object_get(description, "defaults"), "dataset_samples"));
    json_decref(description);
    ws_status status =
        ws_ingest(ws_arena_printf(&arena, "%s/%s", folder, name), &options, &p->campaign, &p->runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    /* Scaled down, campaigns have a reading in minutes, between which a counter may hide whole rounds. */
    ws_scaling_options scaling = {.group = p->campaign.group,
                                  .n_group = p->campaign.n_group,
                                  .reference = p->campaign.reference,
                                  .keeps_unusable = true};
    ck_assert_msg(ws_scale(&p->runs, &scaling, &p->scale, &error) == WS_OK, "%s", error.message);
}

static inline void set_up(void)
{
    char path[4000];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    ck_assert(n > 0);
    path[n] = '\0';
    char *below = strstr(path, "/tests/analyze/"); /* BUILD/tests/analyze/test_planted -> BUILD */
    ck_assert_ptr_nonnull(below);
    *below = '\0';
    build = ws_arena_strdup(&arena, path);
    is_built = access(ws_arena_printf(&arena, "%s/wattscale-synth", build), X_OK) == 0;
    const char *tmp = getenv("TMPDIR");
    char *made = ws_arena_printf(&arena, "%s/wattscale-planted-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made));
    folder = made;
    if (is_built)
        plant_all();
}

static inline void plant_small(void)
{
    for (int i = 0; i < CAMPAIGNS; i++)
        plant(&campaigns[i], "small", ws_arena_printf(&arena, "c%d", i),
              ws_arena_printf(&arena, "--seed %d", seeds[i]));
}

static inline void free_planted(planted *p)
{
    json_decref(p->truth);
    ws_table_free(&p->scale);
    ws_table_free(&p->runs);
    ws_campaign_free(&p->campaign);
}

static inline void tear_down(void)
{
    for (int i = 0; is_built && i < CAMPAIGNS; i++)
        free_planted(&campaigns[i]);
    shell(ws_arena_printf(&arena, "rm -rf '%s'", folder));
    ws_arena_free(&arena);
}

static inline double cell(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->name, name);
    return ws_table_number(table, column, row);
}

static inline const char *word(const ws_table *table, size_t row, const char *name)
{
    const ws_column *column = ws_table_column(table, name);
    ck_assert_msg(column && column->kind == WS_TEXT, "%s has no texts %s", table->name, name);
    return column->text[row] ? column->text[row] : "";
}

/* The end of a test file: the campaigns are there before the first case and go after the last, failed or not. */
static inline int run_planted(const char *name, const TTest *const *cases, size_t n, void (*plants)(void))
{
    plant_all = plants;
    return run_fixture(name, cases, n, tcase_add_unchecked_fixture, set_up, tear_down);
}

/* Other names, and the rows where these names put them: as if the folders had been called so. */
static inline void rename_series(ws_table *table)
{
    size_t series, n = table->n_rows, *order = ws_alloc((n + 1) * sizeof *order);
    ws_table renamed;
    ck_assert(ws_table_find(table, "series", &series));
    for (size_t row = 0; row < n; row++) {
        const char *name = table->columns[series].text[row];
        char other[64];
        unsigned hash = 1;
        for (const char *c = name; *c; c++)
            hash = hash * 31 + (unsigned char)*c;
        snprintf(other, sizeof other, "%08x study", hash);
        ws_table_set_text(table, series, row, other);
        size_t at = row;
        for (; at && strcmp(table->columns[series].text[order[at - 1]], other) > 0; at--)
            order[at] = order[at - 1];
        order[at] = row;
    }
    ws_table_copy_ordered(table, order, n, &renamed);
    ws_table_free(table);
    *table = renamed;
    free(order);
}

/* Every cell but the names of series; sums in another order differ in their last digits. */
static inline void ck_same_table(const ws_table *a, const ws_table *b)
{
    char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
    ck_assert_uint_eq(a->n_rows, b->n_rows);
    ck_assert_uint_eq(a->n_columns, b->n_columns);
    for (size_t c = 0; c < a->n_columns; c++)
        for (size_t row = 0; row < a->n_rows && strcmp(a->columns[c].name, "series") != 0; row++) {
            double first = ws_table_number(a, c, row), second = ws_table_number(b, c, row);
            if (isfinite(first) && isfinite(second))
                ck_close(second, first, 1e-12, 0);
            else
                ck_assert_msg(strcmp(ws_table_cell_text(a, c, row, x), ws_table_cell_text(b, c, row, y)) == 0,
                              "%s %zu: %s, renamed %s", a->columns[c].name, row, x, y);
        }
}

static inline void ck_same_figure(const ws_figure *a, const ws_figure *b)
{
    ck_assert_uint_eq(a->n_panels, b->n_panels);
    for (size_t p = 0; p < a->n_panels; p++) {
        ck_assert_uint_eq(a->panels[p].n_layers, b->panels[p].n_layers);
        for (size_t l = 0; l < a->panels[p].n_layers; l++) {
            const ws_layer *x = &a->panels[p].layers[l], *y = &b->panels[p].layers[l];
            ck_assert(x->n == y->n && x->style == y->style);
            if (x->label || y->label)
                ck_assert_str_eq(x->label, y->label);
            for (size_t i = 0; i < x->n; i++)
                ck_assert(x->x[i] == y->x[i] && x->y[i] == y->y[i]);
        }
    }
}

#endif
