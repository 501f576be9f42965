/* The trees of `wattscale explain --json`, added up again by arithmetic of this file's own: sums from first to last,
 * means, spreads, and formulas by two stacks. Every root is held against the cell that `runs` or `scale` prints, bit
 * for bit. Each formula of the table is held against what ws_runs_complete does. */
#include "find_program.h"
#include "harness.h"

#include "analyze/ingest/run_columns.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* --- arithmetic of our own --- */

typedef double look_up(const void *state, const char *name);

typedef struct stacks {
    double values[64];
    char signs[64][8];
    size_t n_values, n_signs;
} stacks;

static int binds(const char *sign)
{
    return strchr("*/", *sign) ? 2 : strchr("+-", *sign) ? 1 : 0;
}

static double pop(stacks *s)
{
    ck_assert_uint_gt(s->n_values, 0);
    return s->values[--s->n_values];
}

static void push(stacks *s, double value)
{
    ck_assert_uint_lt(s->n_values, 64);
    s->values[s->n_values++] = value;
}

static void apply(stacks *s)
{
    const char *sign = s->signs[--s->n_signs];
    double right = pop(s);
    if (strcmp(sign, "sqrt") == 0)
        push(s, sqrt(right));
    else if (strcmp(sign, "abs") == 0)
        push(s, fabs(right));
    else if (strcmp(sign, "exp") == 0)
        push(s, exp(right));
    else if (strcmp(sign, "log") == 0)
        push(s, log(right));
    else {
        double left = pop(s);
        push(s, *sign == '+' ? left + right : *sign == '-' ? left - right : *sign == '*' ? left * right : left / right);
    }
}

static void push_sign(stacks *s, const char *sign)
{
    ck_assert_uint_lt(s->n_signs, 64);
    snprintf(s->signs[s->n_signs++], sizeof *s->signs, "%s", sign);
}

static void close_parenthesis(stacks *s)
{
    while (s->n_signs && strcmp(s->signs[s->n_signs - 1], "(") != 0)
        apply(s);
    ck_assert_uint_gt(s->n_signs, 0);
    s->n_signs--;
    if (s->n_signs && strchr("sael", s->signs[s->n_signs - 1][0])) /* a function stands before it */
        apply(s);
}

static const char *take_word(const char *at, stacks *s, look_up *of, const void *state)
{
    char name[64];
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    ck_assert_uint_lt(n, sizeof name);
    memcpy(name, at, n);
    name[n] = '\0';
    if (at[n] == '(')
        push_sign(s, name);
    else
        push(s, of(state, name));
    return at + n;
}

static double calculate(const char *formula, look_up *of, const void *state)
{
    stacks s = {.n_values = 0};
    for (const char *at = formula; *at;) {
        char sign[2] = {*at, '\0'};
        if (*at >= '0' && *at <= '9') {
            char *end;
            push(&s, strtod(at, &end));
            at = end;
        } else if (*at >= 'a' && *at <= 'z') {
            at = take_word(at, &s, of, state);
        } else {
            while (strchr("+-*/", *at) && s.n_signs && binds(s.signs[s.n_signs - 1]) >= binds(sign) &&
                   s.signs[s.n_signs - 1][0] != '(')
                apply(&s);
            if (*at == ')')
                close_parenthesis(&s);
            else if (*at != ' ')
                push_sign(&s, sign);
            at++;
        }
    }
    while (s.n_signs)
        apply(&s);
    ck_assert_uint_eq(s.n_values, 1);
    return s.values[0];
}

/* --- trees --- */

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double part_named(const void *state, const char *name)
{
    const json_t *parts = state;
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (strcmp(text_of(json_array_get(parts, i), "name"), name) == 0)
            return number_of(json_array_get(parts, i), "value");
    ck_abort_msg("a formula names '%s', which is no part", name);
}

static double sum_of(const json_t *parts)
{
    double sum = 0;
    for (size_t i = 0; i < json_array_size(parts); i++)
        sum = sum + number_of(json_array_get(parts, i), "value");
    return sum;
}

static double squares_of(const json_t *parts, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        double off = number_of(json_array_get(parts, i), "value") - mean;
        sum = sum + off * off;
    }
    return sum;
}

static double quadrature_of(const json_t *parts)
{
    double root = number_of(json_array_get(parts, 0), "value");
    for (size_t i = 1; i < json_array_size(parts); i++)
        root = hypot(root, number_of(json_array_get(parts, i), "value"));
    return root;
}

static double extreme(const json_t *parts, double side)
{
    double found = -side * INFINITY;
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (side * number_of(json_array_get(parts, i), "value") > side * found)
            found = number_of(json_array_get(parts, i), "value");
    return found;
}

static double made_of_parts(const json_t *step)
{
    const char *kind = text_of(step, "kind");
    const json_t *parts = json_object_get(step, "parts");
    double n = (double)json_array_size(parts);
    if (strcmp(kind, "sum") == 0)
        return sum_of(parts);
    if (strcmp(kind, "mean") == 0)
        return sum_of(parts) / n;
    if (strcmp(kind, "rmse") == 0)
        return sqrt(squares_of(parts, sum_of(parts) / n) / n);
    if (strcmp(kind, "sd") == 0)
        return sqrt(squares_of(parts, sum_of(parts) / n) / (n - 1));
    if (strcmp(kind, "quadrature") == 0)
        return quadrature_of(parts);
    if (strcmp(kind, "least") == 0)
        return extreme(parts, -1);
    if (strcmp(kind, "most") == 0)
        return extreme(parts, 1);
    if (strcmp(kind, "formula") == 0)
        return calculate(text_of(step, "formula"), part_named, parts);
    ck_assert_msg(strcmp(kind, "read") == 0 || strcmp(kind, "counted") == 0 || strcmp(kind, "stated") == 0 ||
                      strcmp(kind, "estimate") == 0 || strcmp(kind, "missing") == 0 || strcmp(kind, "about") == 0,
                  "the kind '%s' is new", kind);
    ck_assert_uint_eq(json_array_size(parts), 0);
    return number_of(step, "value");
}

static bool same_bits(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

typedef struct tally {
    size_t steps, devices, files; /* devices: steps of readings with a file */
} tally;

static void check_step(const json_t *step, tally *t)
{
    double want = made_of_parts(step), have = number_of(step, "value");
    const json_t *parts = json_object_get(step, "parts"), *beside = json_object_get(step, "beside");
    const json_t *facts = json_object_get(step, "facts");
    ck_assert_msg(same_bits(want, have), "%s: %.17g is printed, its parts give %.17g", text_of(step, "name"), have,
                  want);
    t->steps++;
    t->devices += strcmp(text_of(step, "kind"), "read") == 0 && *text_of(facts, "file");
    t->files += strlen(text_of(facts, "sha256")) == 64;
    for (size_t i = 0; i < json_array_size(parts); i++)
        check_step(json_array_get(parts, i), t);
    for (size_t i = 0; i < json_array_size(beside); i++)
        check_step(json_array_get(beside, i), t);
}

/* --- the program --- */

static json_t *ask(const char *arguments, const char *data)
{
    char program[4096], command[9000];
    json_error_t error;
    ck_assert(find_program(program, sizeof program));
    snprintf(command, sizeof command, "'%s' %s '%s' -q --format json", program, arguments, data);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *answer = json_loadf(pipe, 0, &error);
    int status = pclose(pipe);
    ck_assert_msg(answer && status == 0, "%s: status %d, line %d: %s", command, status, error.line, error.text);
    return answer;
}

/* What the program prints of a table, asked once for all of its columns; until the next call. */
static json_t *table_of(const char *table, const char *data)
{
    static json_t *rows;
    static char known[4200];
    char wanted[4200];
    snprintf(wanted, sizeof wanted, "%s %s", table, data);
    if (!rows || strcmp(known, wanted) != 0) {
        json_decref(rows);
        rows = ask(table, data);
        memcpy(known, wanted, sizeof known);
    }
    return rows;
}

/* Explains a column in every row of a table, and holds each against the table. `whole`: no number may be an estimate
 * that nothing is said about. Returns how many numbers there were. */
static size_t check_column(const char *table, const char *column, const char *data, bool whole, tally *t)
{
    char arguments[300];
    json_t *rows = table_of(table, data);
    snprintf(arguments, sizeof arguments, "explain %s --of %s --each", column, table);
    json_t *trees = ask(arguments, data);
    const json_t *cells = json_object_get(trees, "cells"), *list = json_object_get(rows, "rows");
    size_t numbers = 0;
    ck_assert_uint_eq(json_array_size(cells), json_array_size(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *step = json_object_get(json_array_get(cells, i), "step"), *row = json_array_get(list, i);
        double printed = number_of(row, column), root = number_of(step, "value");
        ck_assert_msg(strcmp(table, "scale") == 0 ||
                          strcmp(text_of(json_array_get(cells, i), "row"), text_of(row, "run")) == 0,
                      "%zu: %s", i, text_of(row, "run"));
        ck_assert_msg(same_bits(printed, root), "%s of %s: %.17g is printed, %.17g explained", column,
                      text_of(row, "run"), printed, root);
        ck_assert_msg(!whole || isnan(root) || strcmp(text_of(step, "kind"), "estimate") != 0, "%s of %s: %s", column,
                      text_of(row, "run"), text_of(step, "says"));
        check_step(step, t);
        numbers += isnan(root) ? 0 : 1;
    }
    json_decref(trees);
    return numbers;
}

/* A copy of the demo with its store (where there is SQLite), for all cases: the program answers three times as fast,
 * with the same bytes. */
static char copied[2048];

static void shell(const char *form, const char *a, const char *b)
{
    char command[12600];
    snprintf(command, sizeof command, form, a, b);
    ck_assert_msg(system(command) == 0, "%s", command);
}

static void copy_demo(void)
{
    const char *datasets = getenv("DATASETS"), *tmp = getenv("TMPDIR");
    char program[4096];
    snprintf(copied, sizeof copied, "%s/wattscale-explain-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(copied));
    ck_assert(find_program(program, sizeof program));
    shell("cp -r '%s/demo' '%s'", datasets ? datasets : "datasets", copied);
    shell("'%s' ingest -q '%s/demo' >/dev/null 2>&1 || true", program, copied);
}

static void remove_demo(void)
{
    shell("rm -rf '%s'%s", copied, "");
}

static const char *demo(char *path, size_t size)
{
    snprintf(path, size, "%s/demo", copied);
    return path;
}

START_TEST(every_run_of_the_demo)
{
    static const struct {
        const char *name;
        size_t n; /* runs that have it: one logger in three tells no utilisation */
    } columns[] = {{"energy_kwh", 45},     {"energy_gpu_kwh", 45},
                   {"energy_cpu_kwh", 45}, {"energy_dram_kwh", 45},
                   {"kwh_per_gpuh", 45},   {"wall_s", 45},
                   {"gpu_h", 45},          {"gpu_power_w", 45},
                   {"cpu_power_w", 45},    {"util_mean", 30},
                   {"util_cv", 30},        {"coverage", 45},
                   {"edp_kwh_h", 45},      {"ed2p_kwh_h2", 45},
                   {"gpu_share", 45},      {"samples_per_gpuh", 45},
                   {"wh_per_sample", 45},  {"energy_u_kwh", 45},
                   {"energy_lo_kwh", 45},  {"energy_hi_kwh", 45},
                   {"sampling_u_kwh", 45}, {"sensor_u_kwh", 45},
                   {"edges_lo_kwh", 45},   {"edges_hi_kwh", 45},
                   {"gpus", 45},           {"lbs", 45},
                   {"error_top1", 45},     {"job_wall_s", 45}};
    char path[4096];
    tally t = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ck_assert_uint_eq(check_column("runs", columns[i].name, demo(path, sizeof path), true, &t), columns[i].n);
    ck_assert_uint_gt(t.devices, 45 * 3); /* at least a GPU, a processor and a memory each */
    ck_assert_uint_gt(t.files, 45 * sizeof columns / sizeof *columns - 1); /* a file each, in each of them */
}
END_TEST

START_TEST(every_configuration_of_the_demo)
{
    static const char *const columns[] = {
        "energy_kwh",          "energy_kwh_rmse",   "kwh_per_gpuh",  "wall_s_rmse",  "speedup",
        "speedup_se",          "efficiency",        "efficiency_se", "energy_ratio", "energy_ratio_se",
        "speedup_pooled",      "efficiency_pooled", "n_runs",        "gpus",         "serial_fraction",
        "energy_ratio_pooled", "error_top1"};
    char path[4096];
    tally t = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ck_assert_msg(check_column("scale", columns[i], demo(path, sizeof path), true, &t) >= 12, "%s", columns[i]);
    check_column("scale", "speedup_pooled_lo", demo(path, sizeof path), false, &t);
    check_column("scale", "speedup_lo", demo(path, sizeof path), false, &t);
    check_column("scale", "speedup_pooled_se", demo(path, sizeof path), false, &t);
    check_column("scale", "speedup_own_lo", demo(path, sizeof path), false, &t);
    check_column("scale", "energy_u_kwh", demo(path, sizeof path), false,
                 &t); /* not that of a run, which has one, too */
    check_column("scale", "energy_lo_kwh", demo(path, sizeof path), false, &t);
    check_column("scale", "energy_hi_kwh", demo(path, sizeof path), false, &t);
}
END_TEST

/* Windows of one continuous log, duplicates under two names, and gaps: the 64 nodes of one run, and the three runs. */
START_TEST(windows_of_mlperf)
{
    static const char *const parts[] = {"llama2_70b_lora_1x", "llama2_70b_lora_8x", "llama2_70b_lora_64x", ""};
    static const char *const columns[] = {"energy_kwh", "wall_s", "coverage", "energy_u_kwh", "energy_lo_kwh"};
    const char *corpus = getenv("CORPUS");
    char path[4096];
    tally t = {0};
    if (!corpus) {
        printf("SKIP windows_of_mlperf: CORPUS is not set\n");
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            snprintf(path, sizeof path, "%s/fixtures/mlperf-training-power/%s", corpus, parts[i]);
            ck_assert_uint_eq(check_column("runs", columns[c], path, true, &t), *parts[i] ? 1 : 3);
        }
    ck_assert_uint_ge(t.devices, 2 * (1 + 8 + 64)); /* once for each of them, and once for all */
}
END_TEST

/* Campaigns of the command line's cases: windows with node lists, ranks that count once or are asked for, archives,
 * stamps that step back, presets. What is missing is explained as missing. */
START_TEST(campaigns_of_other_cases)
{
    static const char *const folders[] = {"archives/in/runs",        "campaign-presets/in/logs",
                                          "campaign-period/in/logs", "energy-back-steps/in/camp",
                                          "ranks/in/doubt",          "ranks/in/gpus",
                                          "ranks/in/nodes",          "ranks/in/ranks",
                                          "side-columns/in",         "windows-nodes/in/logs",
                                          "windows/in/bench"};
    static const char *const columns[] = {"energy_kwh", "kwh_per_gpuh", "wall_s",      "gpus",
                                          "nodes",      "coverage",     "gpu_power_w", "energy_gpu_kwh"};
    const char *datasets = getenv("DATASETS");
    char path[4096];
    tally t = {0};
    size_t numbers = 0;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            snprintf(path, sizeof path, "%s/../tests/cli/%s", datasets ? datasets : "datasets", folders[f]);
            numbers += check_column("runs", columns[c], path, true, &t);
        }
    ck_assert_uint_gt(numbers, 100);
}
END_TEST

/* Every estimate of a fit, in its place; and of the origin's three ratios the closed form beside it. */
START_TEST(every_estimate_of_fits)
{
    static const struct {
        const char *model, *options;
        size_t least; /* estimates and tests */
    } fits[] = {{"origin", "--x gpu_h --y energy_kwh --by series", 15},
                {"powerlaw", "--x gpus --y wall_s --by series", 9},
                {"line", "--x gpu_h --y energy_kwh --unit run", 2},
                {"mean", "--y kwh_per_gpuh --by series,gpus", 15}};
    char path[4096], fit[300], explain[400];
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++) {
        size_t by_hand = 0;
        tally t = {0};
        snprintf(fit, sizeof fit, "fit %s %s", fits[f].model, fits[f].options);
        snprintf(explain, sizeof explain, "explain value --of fit --each --model %s %s", fits[f].model,
                 fits[f].options);
        json_t *rows = ask(fit, demo(path, sizeof path)), *trees = ask(explain, path);
        const json_t *cells = json_object_get(trees, "cells"), *list = json_object_get(rows, "rows");
        ck_assert_uint_eq(json_array_size(cells), json_array_size(list));
        ck_assert_uint_ge(json_array_size(list), fits[f].least);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *step = json_object_get(json_array_get(cells, i), "step");
            const json_t *beside = json_array_get(json_object_get(step, "beside"), 0);
            double printed = number_of(json_array_get(list, i), "value");
            ck_assert(same_bits(printed, number_of(step, "value")));
            check_step(step, &t);
            if (strcmp(text_of(beside, "name"), "by hand") != 0)
                continue;
            ck_assert_double_le(fabs(number_of(beside, "value") / printed - 1), 1e-14);
            by_hand++;
        }
        ck_assert_uint_eq(by_hand, f == 0 ? 9 : f == 3 ? 15 : 0);
        ck_assert_uint_gt(t.devices, 45);
        json_decref(trees);
        json_decref(rows);
    }
}
END_TEST

/* --- the table of formulas --- */

static uint64_t state = 88172645463325252;

static double random_number(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return 1 + (double)(state >> 11) / 9007199254740992.0 * 999;
}

typedef struct a_row {
    const ws_table *runs;
    size_t row;
} a_row;

static double cell_named(const void *of, const char *name)
{
    const a_row *r = of;
    size_t column;
    return ws_table_find(r->runs, name, &column) ? ws_table_number(r->runs, column, r->row) : (double)NAN;
}

static bool has_formula_for(const ws_table *runs, size_t row, ws_run_column column)
{
    const a_row at = {runs, row};
    for (size_t i = 0; i < ws_run_formulas_n; i++)
        if (ws_run_formulas[i].column == column &&
            same_bits(calculate(ws_run_formulas[i].formula, cell_named, &at), ws_runs_get(runs, column, row)))
            return true;
    return false;
}

/* Columns that arithmetic may fill. */
static const ws_run_column settable[] = {WS_COL_GPUS,       WS_COL_NODES,           WS_COL_LBS,      WS_COL_GBS,
                                         WS_COL_EPOCHS,     WS_COL_DATASET_SAMPLES, WS_COL_UPDATES,  WS_COL_WALL,
                                         WS_COL_EPOCH_S,    WS_COL_GPU_H,           WS_COL_ENERGY,   WS_COL_ENERGY_GPU,
                                         WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM,     WS_COL_GPU_POWER};

START_TEST(formulas_are_what_completes_a_run)
{
    enum { ROWS = 4000 };
    ws_table runs;
    bool *given = ws_alloc(ROWS * WS_RUN_COLUMN_N * sizeof *given);
    size_t filled[WS_RUN_COLUMN_N] = {0};
    ws_runs_init(&runs);
    size_t per_node = ws_table_add_column(&runs, "gpus_per_node", WS_NUMBER);
    size_t accumulation = ws_table_add_column(&runs, "accumulation", WS_NUMBER);
    for (size_t row = 0; row < ROWS; row++) {
        ws_table_add_row(&runs);
        for (size_t i = 0; i < sizeof settable / sizeof *settable; i++)
            if (random_number() < 500) {
                ws_runs_set(&runs, settable[i], row, random_number());
                given[row * WS_RUN_COLUMN_N + settable[i]] = true;
            }
        if (random_number() < 500)
            ws_table_set_number(&runs, per_node, row, random_number());
        if (random_number() < 500)
            ws_table_set_number(&runs, accumulation, row, random_number());
    }
    ws_runs_complete(&runs, NULL);
    for (size_t row = 0; row < ROWS; row++)
        for (int c = 0; c < WS_RUN_COLUMN_N; c++) {
            if (ws_run_column_about((ws_run_column)c)->kind != WS_NUMBER || given[row * WS_RUN_COLUMN_N + (size_t)c] ||
                isnan(ws_runs_get(&runs, (ws_run_column)c, row)))
                continue;
            ck_assert_msg(has_formula_for(&runs, row, (ws_run_column)c), "row %zu: %s = %.17g", row,
                          ws_run_column_about((ws_run_column)c)->name, ws_runs_get(&runs, (ws_run_column)c, row));
            filled[c]++;
        }
    for (size_t i = 0; i < ws_run_formulas_n; i++)
        ck_assert_msg(filled[ws_run_formulas[i].column] > 10, "%s was never filled",
                      ws_run_column_about(ws_run_formulas[i].column)->name);
    free(given);
    ws_table_free(&runs);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {every_run_of_the_demo,    every_configuration_of_the_demo,
                                  campaigns_of_other_cases, every_estimate_of_fits,
                                  windows_of_mlperf,        formulas_are_what_completes_a_run};
    return run_fixture("explain", cases, sizeof cases / sizeof *cases, tcase_add_unchecked_fixture, copy_demo,
                       remove_demo);
}
