/* `wattscale compare A B`: is B worse? For scripts: the exit status is the answer. */
#include "analyze/commands/compare_parts.h"
#include "analyze/unusable_runs.h"

#include "core/known_to.h"
#include "formats/input/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const ws_option options[] = {
    {"metric", 0, "COLUMN", "what is compared; default energy_kwh"},
    {"by", 0, "COLUMNS", "apart for each group that agrees in these; default: GPUs and other settings of both sides"},
    {"ignore", 0, "COLUMNS", "settings that may stand in other shares in A than in B"},
    {"pair", 0, "COLUMN", "runs of A and B with the same value there belong together; default: none do"},
    {"method", 0, "HOW",
     "means (default), ratios (default of pairs: geometric means) or rank (Mann-Whitney, Wilcoxon)"},
    {"min-effect", 0, "SHARE", "a change up to this counts as no worse: 2% (default) or 0.02"},
    {"more-is-better", 0, NULL, "for throughput: a fall is what is worse"},
    {"level", 0, "LEVEL", "of the two-sided interval, 0.95 unless given"},
    {"adjust", 0, "HOW", "for several groups: holm (one chance of error for all of them) or none (default)"},
    {"bootstrap", 0, NULL, "interval by the bootstrap (BCa) instead of Student's t"},
    {"resamples", 0, "N", "of the bootstrap; default 2000"},
    {"seed", 0, "S", "of the bootstrap; default 1"},
    {"benchmark", 0, "FILE", "also write B's means as JSON for github-action-benchmark"},
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

enum {
    GROUP,
    METRIC,
    METHOD,
    N_A,
    MEAN_A,
    SD_A,
    N_B,
    MEAN_B,
    SD_B,
    CHANGE,
    CI_LO,
    CI_HI,
    LEVEL,
    P_VALUE,
    MIN_EFFECT,
    VERDICT,
    REPEATS
};

static void init_table(ws_table *t)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {
        [GROUP] = {"group", WS_TEXT},
        [METRIC] = {"metric", WS_TEXT},
        [METHOD] = {"method", WS_TEXT},
        [N_A] = {"a_n", WS_INTEGER},
        [MEAN_A] = {"a_mean", WS_NUMBER},
        [SD_A] = {"a_mean_sd", WS_NUMBER},
        [N_B] = {"b_n", WS_INTEGER},
        [MEAN_B] = {"b_mean", WS_NUMBER},
        [SD_B] = {"b_mean_sd", WS_NUMBER},
        [CHANGE] = {"change", WS_NUMBER},
        [CI_LO] = {"ci_lo", WS_NUMBER},
        [CI_HI] = {"ci_hi", WS_NUMBER},
        [LEVEL] = {"level", WS_NUMBER},
        [P_VALUE] = {"p_value", WS_NUMBER},
        [MIN_EFFECT] = {"min_effect", WS_NUMBER},
        [VERDICT] = {"verdict", WS_TEXT},
        [REPEATS] = {"repeats_needed", WS_INTEGER},
    };
    ws_table_init(t, "compare");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(t, columns[i].name, columns[i].kind);
    ws_table_set_place(t, METRIC, WS_NAMED_HEADING);
    t->screen_keys = 1;
    t->heads_if_wide = true;
    ws_table_set_detail(t, LEVEL);
    ws_table_set_detail(t, MIN_EFFECT); /* the same in every row, and in the sentence */
}

static size_t take_values(const ws_compare_side *s, const ws_row_group *group, double *values, size_t *rows)
{
    size_t n = 0;
    for (size_t i = 0; group && i < group->n; i++) {
        double value = ws_table_number(&s->table, s->metric, group->rows[i]);
        if (isnan(value))
            continue;
        rows[n] = group->rows[i];
        values[n++] = value;
    }
    return n;
}

/* The row of the one key that reads `text`; SIZE_MAX where there is none, or more than one. */
static size_t partner(const ws_compare_key *keys, size_t n, const char *text)
{
    size_t at = ws_compare_find_key(keys, n, text);
    bool alone = at < n && (at + 1 == n || strcmp(keys[at + 1].text, text) != 0);
    return alone ? keys[at].place : SIZE_MAX;
}

/* What the two runs of a pair have to agree in besides: runs of 4 GPUs are no partners of runs of 1. */
static const char *const pair_settings[] = {"model", "gpus", "nodes"};

static const char *pair_key(ws_comparison *c, const ws_compare_side *s, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    const char *text = ws_arena_printf(&c->cli->arena, "%s", ws_table_cell_text(&s->table, s->pair, row, buffer));
    for (size_t i = 0; i < sizeof pair_settings / sizeof *pair_settings; i++) {
        size_t column, other;
        const ws_compare_side *b = s == &c->a ? &c->b : &c->a;
        if (ws_table_find(&s->table, pair_settings[i], &column) && ws_table_find(&b->table, pair_settings[i], &other))
            text =
                ws_arena_printf(&c->cli->arena, "%s\x1f%s", text, ws_table_cell_text(&s->table, column, row, buffer));
    }
    return text;
}

/* The keys of a group's rows, sorted; in the arena. */
static ws_compare_key *sort_pairs(ws_comparison *c, const ws_compare_side *s, const ws_row_group *group)
{
    size_t n = group ? group->n : 0;
    ws_compare_key *keys = ws_arena_alloc(&c->cli->arena, (n + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        keys[i] = (ws_compare_key){pair_key(c, s, group->rows[i]), group->rows[i]};
    qsort(keys, n, sizeof *keys, ws_compare_keys);
    return keys;
}

static size_t take_pairs(ws_comparison *c, const char *label, double *a, double *b, size_t *row_a, size_t *row_b)
{
    const ws_row_group *ga = ws_compare_group_of(&c->a, label), *gb = ws_compare_group_of(&c->b, label);
    size_t n = 0, alone = 0, n_a = ga ? ga->n : 0, n_b = gb ? gb->n : 0;
    const ws_compare_key *of_a = sort_pairs(c, &c->a, ga), *of_b = sort_pairs(c, &c->b, gb);
    for (size_t i = 0; i < n_a; i++) {
        const char *text = pair_key(c, &c->a, ga->rows[i]);
        size_t other = partner(of_b, n_b, text), self = partner(of_a, n_a, text);
        double va = ws_table_number(&c->a.table, c->a.metric, ga->rows[i]);
        double vb = other == SIZE_MAX ? NAN : ws_table_number(&c->b.table, c->b.metric, other);
        if (self == SIZE_MAX || isnan(va) || isnan(vb)) {
            alone++;
            continue;
        }
        row_a[n] = ga->rows[i];
        row_b[n] = other;
        a[n] = va;
        b[n++] = vb;
    }
    ws_notes_add_many(
        &c->out.notes, alone, WS_FINDING_NO_PARTNER, c->a.table.source, label, 0,
        "runs of A have no single partner in B with the same %s, model and number of GPUs and are left out", c->pair);
    return n;
}

/* Welch's. */
static bool is_usual_method(const ws_verdict_input *how)
{
    return how->method == WS_BY_MEANS && !how->is_paired && !how->draws;
}

static const char *method_name(const ws_verdict_input *how)
{
    if (how->method == WS_BY_RANKS)
        return how->is_paired ? "Wilcoxon" : "Mann-Whitney";
    if (how->method == WS_BY_RATIOS)
        return how->is_paired ? "ratios of pairs" : "geometric means";
    if (how->draws)
        return how->is_paired ? "bootstrap of pairs" : "bootstrap";
    return how->is_paired ? "pairs" : "Welch";
}

static void compare_add_row(ws_comparison *c, size_t g)
{
    ws_table *t = &c->out;
    const ws_verdict *v = &c->verdict[g];
    size_t row = ws_table_add_row(t);
    ws_table_set_text(t, GROUP, row, c->label[g]);
    ws_table_set_text(t, METRIC, row, c->metric);
    ws_table_set_text(t, METHOD, row, method_name(&c->how));
    ws_table_set_integer(t, N_A, row, (int64_t)v->a.n);
    ws_table_set_integer(t, N_B, row, (int64_t)v->b.n);
    const struct {
        size_t column;
        double value;
    } cells[] = {{MEAN_A, v->a.mean},   {SD_A, v->a.sd},
                 {MEAN_B, v->b.mean},   {SD_B, v->b.sd},
                 {CHANGE, v->change},   {CI_LO, v->ci_lo},
                 {CI_HI, v->ci_hi},     {LEVEL, isnan(v->ci_lo) ? NAN : c->in[g].level},
                 {P_VALUE, v->p_value}, {MIN_EFFECT, c->how.min_effect}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ws_table_set_number(t, cells[i].column, row, cells[i].value);
    t->ci_level = row == 0 || t->ci_level == c->in[g].level ? c->in[g].level : 0; /* as far as it is one */
    ws_table_set_text(t, VERDICT, row, ws_verdict_name(v->kind));
    if (v->repeats)
        ws_table_set_integer(t, REPEATS, row, (int64_t)v->repeats);
    ws_notes_add(&t->notes, WS_FINDING_VERDICT, "", c->label[g], 0, "%s %s", c->metric, v->sentence);
}

static void take_group(ws_comparison *c, const char *label)
{
    const ws_row_group *ga = ws_compare_group_of(&c->a, label), *gb = ws_compare_group_of(&c->b, label);
    size_t n_a = ga ? ga->n : 0, n_b = gb ? gb->n : 0;
    if (ga)
        ws_data_note_again(c->cli, &c->out.notes, &c->a.table, ga);
    if (gb)
        ws_data_note_again(c->cli, &c->out.notes, &c->b.table, gb);
    double *a = ws_arena_alloc(&c->cli->arena, (2 * n_a + n_b + 1) * sizeof *a), *b = a + n_a;
    size_t *rows = ws_arena_alloc(&c->cli->arena, (2 * n_a + n_b + 1) * sizeof *rows);
    ws_verdict_input *in = &c->in[c->n_groups];
    *in = c->how;
    in->a = a;
    in->b = b;
    if (in->is_paired) {
        in->n_a = in->n_b = take_pairs(c, label, a, b, rows, rows + n_a);
    } else {
        in->n_a = take_values(&c->a, ga, a, rows);
        in->n_b = take_values(&c->b, gb, b, rows + n_a);
    }
    c->row_a[c->n_groups] = rows;
    c->row_b[c->n_groups] = rows + n_a;
    c->label[c->n_groups++] = label;
}

/* The groups of A, then those that only B has. */
static void take_groups(ws_comparison *c)
{
    size_t most = c->a.groups.n + c->b.groups.n + 1;
    c->label = ws_arena_alloc(&c->cli->arena, most * sizeof *c->label);
    c->in = ws_arena_alloc(&c->cli->arena, most * sizeof *c->in);
    c->row_a = ws_arena_alloc(&c->cli->arena, most * sizeof *c->row_a);
    c->row_b = ws_arena_alloc(&c->cli->arena, most * sizeof *c->row_b);
    c->verdict = ws_arena_alloc(&c->cli->arena, most * sizeof *c->verdict);
    c->entries = ws_arena_alloc(&c->cli->arena, most * sizeof *c->entries);
    for (size_t i = 0; i < c->a.groups.n; i++)
        take_group(c, c->a.groups.items[i].label);
    for (size_t i = 0; i < c->b.groups.n; i++)
        if (!ws_compare_group_of(&c->a, c->b.groups.items[i].label))
            take_group(c, c->b.groups.items[i].label);
}

static ws_status compare_judge(ws_comparison *c, ws_error *error)
{
    ws_status status = WS_OK;
    size_t n_judged = 0;
    char chance[WS_DOUBLE_TEXT];
    if (c->by_holm)
        status = ws_judge_family(c->in, c->n_groups, c->how.level, c->verdict, &n_judged, error);
    for (size_t g = 0; g < c->n_groups && !c->by_holm && status == WS_OK; g++)
        status = ws_judge(&c->in[g], &c->verdict[g], error);
    ws_double_text_digits(chance, 100 * (1 - c->how.level), 3);
    if (n_judged > 1 && status == WS_OK)
        ws_notes_add(
            &c->out.notes, WS_FINDING_ADJUSTED, "", "", 0,
            "%zu groups were judged together (Holm): the chance of a wrong verdict is %s %% for all of them, and "
            "each interval has the level that leaves it",
            n_judged, chance);
    return status;
}

static const char *with_column(ws_comparison *c, const char *list, const char *name)
{
    return list && *list ? ws_arena_printf(&c->cli->arena, "%s,%s", list, name) : name;
}

/* The verdict is another one between runs that agree in this column: it is not given. */
static void ask_about(ws_comparison *c, size_t g, const char *column, const ws_verdict *held)
{
    ws_verdict *v = &c->verdict[g];
    const char *text = ws_arena_printf(
        &c->cli->arena,
        "%s; but A and B hold the values of %s in other shares, and between runs that agree in it the change is "
        "%s. So this is undecided: --by %s compares like with like, --ignore %s takes the shares as they are",
        v->sentence, column, held->sentence, with_column(c, c->by, column),
        with_column(c, ws_cli_value(c->cli, "ignore"), column));
    snprintf(v->sentence, sizeof v->sentence, "%s", text);
    v->kind = WS_UNDECIDED;
    v->repeats = 0;
}

/* Of a column that is none throughout, the group has other values in A than in B. */
static void note_apart(ws_comparison *c, size_t g, const char *column)
{
    const ws_verdict *v = &c->verdict[g];
    if (v->a.min > 0 && v->b.min > 0)
        ws_notes_add(&c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->label[g], 0,
                     "no run of B has a value of %s that A has here: what that changes is in the answer", column);
}

/* Does the verdict of a group hang on a setting that A and B have in other shares? */
static ws_status hold_settings(ws_comparison *c, size_t g, ws_error *error)
{
    const ws_verdict_input *in = &c->in[g];
    size_t *of_a = ws_alloc((in->n_a + in->n_b + 1) * sizeof *of_a), *of_b = of_a + in->n_a;
    ws_status status = WS_OK;
    for (size_t m = 0; m < c->n_mix && status == WS_OK; m++) {
        ws_verdict held;
        for (size_t i = 0; i < in->n_a; i++)
            of_a[i] = c->mix[m].of_a[c->row_a[g][i]];
        for (size_t i = 0; i < in->n_b; i++)
            of_b[i] = c->mix[m].of_b[c->row_b[g][i]];
        status = ws_judge_held(in, of_a, of_b, &held, error);
        if (status == WS_OK && ws_verdict_hangs_on(&c->verdict[g], &held))
            ask_about(c, g, c->mix[m].name, &held);
        else if (status == WS_OK && isnan(held.change) && !in->is_paired && !c->mix[m].is_known)
            note_apart(c, g, c->mix[m].name);
    }
    free(of_a);
    return status;
}

static void add_entry(ws_comparison *c, size_t g)
{
    const ws_sample *b = &c->verdict[g].b;
    if (b->n)
        c->entries[c->n_entries++] =
            (ws_benchmark){.name = ws_arena_printf(&c->cli->arena, "%s %s", c->label[g], c->metric),
                           .unit = c->metric,
                           .value = b->mean,
                           .spread = b->sd,
                           .n = b->n,
                           .remark = c->verdict[g].sentence};
}

/* Over two groups or more that have means above zero on both sides: the geometric means, and the change of these, as
 * benchstat prints them. They have neither interval nor verdict: groups are no sample of anything. */
static void add_geometric_mean(ws_comparison *c)
{
    double a = 0, b = 0, change = 0, n = 0;
    for (size_t g = 0; g < c->n_groups; g++) {
        const ws_verdict *v = &c->verdict[g];
        if (!(v->a.mean > 0) || !(v->b.mean > 0) || isnan(v->change))
            continue;
        a += log(v->a.mean);
        b += log(v->b.mean);
        change += log1p(v->change);
        n++;
    }
    if (n < 2)
        return;
    size_t row = ws_table_add_row(&c->out);
    ws_table_set_text(&c->out, GROUP, row, "geomean");
    ws_table_set_text(&c->out, METRIC, row, c->metric);
    ws_table_set_text(&c->out, METHOD, row, "over the groups");
    ws_table_set_number(&c->out, MEAN_A, row, exp(a / n));
    ws_table_set_number(&c->out, MEAN_B, row, exp(b / n));
    ws_table_set_number(&c->out, CHANGE, row, expm1(change / n));
    if (n < (double)c->n_groups)
        ws_notes_add(&c->out.notes, WS_FINDING_NO_PARTNER, "", "geomean", 0,
                     "the geometric mean is over %.0f of %zu groups", n, c->n_groups);
}

static ws_status compare_groups(ws_comparison *c, ws_error *error)
{
    take_groups(c);
    if (is_usual_method(&c->how)) /* need not be named */
        ws_table_set_detail(&c->out, METHOD);
    ws_status status = compare_judge(c, error);
    for (size_t g = 0; g < c->n_groups && status == WS_OK; g++)
        status = hold_settings(c, g, error);
    for (size_t g = 0; g < c->n_groups && status == WS_OK; g++) {
        compare_add_row(c, g);
        add_entry(c, g);
        c->count[c->verdict[g].kind]++;
    }
    if (status == WS_OK)
        add_geometric_mean(c);
    return status;
}

typedef struct benchmark_file {
    const ws_benchmark *entries;
    size_t n;
} benchmark_file;

static ws_status write_benchmark(FILE *stream, const void *what, ws_error *error)
{
    const benchmark_file *file = what;
    return ws_benchmark_write(stream, file->entries, file->n, error);
}

static int answer(const ws_comparison *c)
{
    if (c->count[WS_WORSE])
        return WS_EXIT_NO;
    if (c->count[WS_UNUSABLE] || !c->out.n_rows)
        return WS_EXIT_DATA;
    return c->count[WS_UNDECIDED] ? WS_EXIT_UNDECIDED : WS_EXIT_OK;
}

/* The columns named by `list` are no settings to be held. */
static bool leave_out(ws_comparison *c, const char *list, bool *left_out)
{
    const char **names;
    size_t n = list ? ws_data_list(c->cli, list, &names) : 0, column;
    for (size_t i = 0; i < n; i++) {
        if (!ws_data_column(c->cli, &c->a.table, names[i], &column))
            return false;
        left_out[column] = true;
    }
    return true;
}

static int find_mix(ws_comparison *c)
{
    const char *const lists[] = {c->metric, c->pair, c->by, ws_cli_value(c->cli, "ignore")};
    bool *left_out = ws_arena_alloc(&c->cli->arena, (c->a.table.n_columns + 1) * sizeof *left_out);
    memset(left_out, 0, (c->a.table.n_columns + 1) * sizeof *left_out);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!leave_out(c, lists[i], left_out))
            return WS_EXIT_USAGE;
    c->n_mix = ws_mix_columns(&c->a.table, &c->b.table, left_out, &c->cli->arena, &c->mix);
    return WS_EXIT_OK;
}

static int compare_finish(ws_comparison *c)
{
    ws_error error = {0};
    const char *path = ws_cli_value(c->cli, "benchmark");
    ws_status status = compare_groups(c, &error);
    const benchmark_file file = {c->entries, c->n_entries};
    if (status == WS_OK && path)
        status = ws_cli_write_file(c->cli, path, write_benchmark, &file, &error);
    if (status != WS_OK)
        return ws_cli_fail(c->cli, &error);
    int written = ws_cli_output(c->cli, &c->out);
    return written == WS_EXIT_OK ? answer(c) : written;
}

static int read_side(ws_comparison *c, const char *path, ws_compare_side *s)
{
    const char *needed[] = {c->metric, c->pair, NULL};
    int status = ws_data_table(c->cli, path, needed, &s->table);
    if (status != WS_EXIT_OK)
        return status;
    ws_notes_append(&c->out.notes, &s->table.notes);
    if (ws_is_of_energy(c->metric))
        ws_note_doubtful_runs(&s->table, &c->out.notes);
    c->out.synthetic = c->out.synthetic || s->table.synthetic;
    if (!ws_data_column(c->cli, &s->table, c->metric, &s->metric) ||
        (c->pair && !ws_data_column(c->cli, &s->table, c->pair, &s->pair)))
        return WS_EXIT_USAGE;
    return WS_EXIT_OK;
}

/* "2%" or "0.02". */
static bool read_share(ws_cli *cli, const char *option, double *share)
{
    const char *text = ws_cli_value(cli, option);
    ws_span rest;
    if (!text)
        return true;
    bool usable =
        ws_span_number(ws_span_of(text), share, &rest) && (rest.n == 0 || ws_span_eq(rest, "%")) && *share >= 0;
    if (!usable)
        return ws_cli_usage(cli, "--%s '%s' is no share: write 2%% or 0.02", option, text), false;
    if (!rest.n && *share >= 1)
        return ws_cli_usage(cli, "--%s %s would be %s times 100 %%: write %s%% or %.4g", option, text, text, text,
                            *share / 100),
               false;
    if (rest.n)
        *share /= 100;
    return true;
}

static bool read_count(ws_cli *cli, const char *option, int64_t least, int64_t *count)
{
    const char *text = ws_cli_value(cli, option);
    if (!text || (ws_span_i64(ws_span_of(text), count) && *count >= least))
        return true;
    return ws_cli_usage(cli, "--%s '%s' is no whole number of %d or more", option, text, (int)least), false;
}

static bool read_adjust(ws_comparison *c)
{
    const char *how = ws_cli_value(c->cli, "adjust");
    c->by_holm = how && strcmp(how, "holm") == 0;
    if (!how || c->by_holm || strcmp(how, "none") == 0)
        return true;
    return ws_cli_usage(c->cli, "--adjust must be holm or none, not '%s'", how), false;
}

/* Of pairs the ratios unless the bootstrap, which is of means, is asked for. */
static bool read_method(ws_comparison *c, bool bootstrap)
{
    static const char *const names[] = {"means", "ratios", "rank"};
    const char *text = ws_cli_value(c->cli, "method");
    c->how.method = c->pair && !bootstrap ? WS_BY_RATIOS : WS_BY_MEANS;
    size_t at = 0;
    while (text && at < 3 && strcmp(text, names[at]) != 0)
        at++;
    if (text && at == 3)
        return ws_cli_usage(c->cli, "--method must be means, ratios or rank, not '%s'", text), false;
    if (text)
        c->how.method = (ws_verdict_method)at;
    if (bootstrap && c->how.method != WS_BY_MEANS)
        return ws_cli_usage(c->cli, "--bootstrap is of means: leave out --method %s", text), false;
    return true;
}

static bool compare_read_arguments(ws_comparison *c)
{
    int64_t draws = 2000, seed = 1;
    ws_cli *cli = c->cli;
    c->metric = ws_cli_value(cli, "metric") ? ws_cli_value(cli, "metric") : "energy_kwh";
    c->pair = ws_cli_value(cli, "pair");
    c->how.min_effect = 0.02;
    c->how.is_paired = c->pair != NULL;
    c->how.more_is_better = ws_cli_has(cli, "more-is-better");
    if (!read_method(c, ws_cli_has(cli, "bootstrap")) || !read_adjust(c) || !ws_data_level(cli, &c->how.level) ||
        !read_share(cli, "min-effect", &c->how.min_effect) || !read_count(cli, "resamples", 100, &draws) ||
        !read_count(cli, "seed", 0, &seed))
        return false;
    c->how.draws = ws_cli_has(cli, "bootstrap") ? (size_t)draws : 0;
    c->how.seed = (uint64_t)seed;
    return true;
}

static bool is_one_place(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return !ws_is_pipe(a) && !ws_is_pipe(b) && stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static int refuse_same(const ws_cli *cli, const char *why)
{
    return ws_cli_usage(cli, "A and B are the same: '%s' and '%s'%s", cli->arguments[0], cli->arguments[1], why);
}

static int run_compare(ws_cli *cli)
{
    ws_comparison c = {.cli = cli};
    if (!compare_read_arguments(&c))
        return WS_EXIT_USAGE;
    if (is_one_place(cli->arguments[0], cli->arguments[1]))
        return refuse_same(cli, "");
    init_table(&c.out);
    int status = read_side(&c, cli->arguments[0], &c.a);
    if (status == WS_EXIT_OK)
        status = read_side(&c, cli->arguments[1], &c.b);
    if (status == WS_EXIT_OK && ws_compare_is_same(&c.a.table, &c.b.table, c.metric))
        status = refuse_same(cli, " hold the same runs, digit for digit");
    if (status == WS_EXIT_OK)
        status = ws_compare_group(&c);
    if (status == WS_EXIT_OK)
        status = find_mix(&c);
    if (status == WS_EXIT_OK)
        status = compare_finish(&c);
    ws_compare_side *const sides[] = {&c.a, &c.b};
    for (size_t i = 0; i < 2; i++) {
        ws_row_groups_free(&sides[i]->groups);
        free(sides[i]->by_label);
        ws_table_free(&sides[i]->table);
    }
    ws_table_free(&c.out);
    return status;
}

const ws_command ws_command_compare = {
    .name = "compare",
    .arguments = "A B",
    .summary = "is B worse than A? in words and as an exit status",
    .description =
        "A and B are campaigns or tables of runs, with repeats. For each group: the change of the mean of --metric "
        "from A to B with an interval (Welch and Fieller; of pairs the geometric mean of their ratios; --method says "
        "otherwise), held against the smallest effect that matters. --method rank assumes no law of the errors: the "
        "shift of the logarithms by Hodges and Lehmann, with the test of Mann and Whitney or of Wilcoxon, exact for "
        "up to 50 runs; it takes 4 runs a side (or 3 and 5, or 2 and 8), or 6 pairs, for 95 %. Of several groups a "
        "last row, geomean, has the geometric means.\n\n"
        "Exit status: 0 no worse (the interval ends below --min-effect), 1 worse (it begins above), 4 undecided (it "
        "holds it; repeats_needed says how many runs a side would probably decide), 3 unusable. Where A "
        "and B have a setting in other shares, and runs that agree in it give another verdict than all together, that "
        "is undecided, too: --by or --ignore says what is meant. Of several groups the gravest counts: "
        "worse, unusable, undecided, no "
        "worse. Each group has its own interval and its own chance of "
        "error, which add up over many groups; --adjust holm keeps the chance of any wrong verdict at 1 - --level.",
    .options = options,
    .example =
        "wattscale compare datasets/demo/gbs256 datasets/demo/gbs1024 --by gpus --metric energy_kwh --min-effect 5%",
    .least = 2,
    .most = 2,
    .run = run_compare,
};
