/* Campaigns whose folders are called as people call theirs, each taken through scan, runs and scale without a word of
 * configuration: the totals of every run and of every configuration are right, or the program asks (status ask:...) and
 * prints none. What the files hold is known from truth.csv of the generator. */
#include "datasets/synth_run.h"

#include "formats/format.h"

extern const ws_format ws_format_table_csv;

static const uint64_t seeds[] = {1, 2}; /* one after the other in turn; `make soak` tries all of both and of others */

/* Layouts that are not understood yet, and what goes wrong. One that comes out right must leave the list. */
static const struct {
    const char *layout, *why;
} expected_to_fail[] = {
    {"", ""}, /* none */
};

static const char *why_expected(const char *layout)
{
    for (size_t i = 0; i < sizeof expected_to_fail / sizeof *expected_to_fail; i++)
        if (strcmp(expected_to_fail[i].layout, layout) == 0)
            return expected_to_fail[i].why;
    return NULL;
}

/* Columns of truth.csv, what the table of runs may call them, and the factor between the two. Words that a path does
 * not name (a model, a framework) may have any name: only that they keep runs apart is tested. */
static const struct {
    const char *truth, *column, *other;
    double factor;
} checked[] = {
    {"gpus", "gpus", NULL, 1},
    {"nodes", "nodes", NULL, 1},
    {"gbs", "gbs", "batch", 1},
    {"lbs", "lbs", NULL, 1},
    {"seed", "seed", NULL, 1},
    {"threads", "threads", NULL, 1},
    {"clock", "clock_cap_hz", NULL, 1e6},
    {"cap", "power_cap_w", NULL, 1},
    {"gpu_h", "gpu_h", NULL, 1},
    {"wall_s", "wall_s", NULL, 1},
};

typedef struct tables {
    ws_table truth, runs, scale;
    const double *energy_kwh; /* of the truth */
    bool all_asked;           /* no run has an energy yet */
    bool rank_copies;         /* ranks read the same GPUs at other times: it does not matter which of them counts */
    char *message;            /* of the first difference; NULL: none */
} tables;

static void differ(tables *t, const char *text)
{
    if (!t->message)
        t->message = ws_arena_strdup(&arena, text);
}

static bool load(ws_table *table, const char *path)
{
    ws_input *input;
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    ws_table_init(table, "table");
    bool is_read = ws_input_open(&input, path, &error) == WS_OK &&
                   ws_format_table_csv.read_table(input, &options, table, &error) == WS_OK;
    ws_input_close(input);
    return is_read;
}

static double value(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    return ws_table_find(table, name, &column) ? ws_table_number(table, column, row) : NAN;
}

static const char *words(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    char *buffer = ws_arena_alloc(&arena, WS_DOUBLE_TEXT);
    return ws_table_find(table, name, &column) ? ws_table_cell_text(table, column, row, buffer) : "";
}

static bool is_near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

/* What tells the runs of a campaign apart: the energy, or the time of a campaign of times. */
static const char *measure_of(const tables *t)
{
    return value(&t->truth, 0, "energy_kwh") > 0 ? "energy_kwh" : "wall_s";
}

static void check_fields(tables *t, size_t run, size_t row)
{
    for (size_t c = 0; c < sizeof checked / sizeof *checked; c++) {
        bool is_said = value(&t->truth, run, "unsaid") == 0 || strcmp(checked[c].truth, "gbs") != 0;
        double want = is_said ? value(&t->truth, run, checked[c].truth) * checked[c].factor : NAN;
        double got = value(&t->runs, row, checked[c].column);
        if (isnan(got) && checked[c].other)
            got = value(&t->runs, row, checked[c].other);
        if (!isnan(want) && (isnan(got) || !is_near(got, want, t->rank_copies ? 0.03 : 1e-6)))
            differ(t, ws_arena_printf(&arena, "%s of run %s is %.10g, not %.10g", checked[c].column,
                                      words(&t->runs, row, "run"), got, want));
    }
}

/* Every row of the runs is a run of the truth, and every run has a row or a question was asked. */
static void check_runs(tables *t)
{
    const char *measure = measure_of(t);
    bool *seen = ws_arena_alloc(&arena, t->truth.n_rows * sizeof *seen);
    size_t asked = 0, matched = 0;
    for (size_t row = 0; row < t->runs.n_rows; row++) {
        double got = value(&t->runs, row, measure);
        const char *status = words(&t->runs, row, "status");
        if (strncmp(status, "ask:", 4) == 0) {
            asked++;
            if (!isnan(value(&t->runs, row, "energy_kwh")))
                differ(t, ws_arena_printf(&arena, "%s prints an energy with %s", words(&t->runs, row, "run"), status));
            continue;
        }
        size_t run = 0;
        while (run < t->truth.n_rows &&
               (seen[run] || !is_near(got, value(&t->truth, run, measure), t->rank_copies ? 0.004 : 1e-6)))
            run++;
        if (run == t->truth.n_rows) {
            differ(t, ws_arena_printf(&arena, "%s: %s %.10g with status '%s' is that of no run",
                                      words(&t->runs, row, "run"), measure, got, status));
            continue;
        }
        seen[run] = true;
        matched++;
        check_fields(t, run, row);
    }
    t->all_asked = asked && asked == t->runs.n_rows;
    if (!asked && matched < t->truth.n_rows)
        differ(t, ws_arena_printf(&arena, "%zu runs of %zu were found", matched, (size_t)t->truth.n_rows));
}

/* The number of runs of the configuration of a run of the truth, and their mean. */
static size_t configuration(const tables *t, size_t run, const char *measure, double *mean)
{
    size_t n = 0;
    *mean = 0;
    for (size_t i = 0; i < t->truth.n_rows; i++) {
        if (strcmp(words(&t->truth, i, "configuration"), words(&t->truth, run, "configuration")) == 0) {
            *mean += value(&t->truth, i, measure);
            n++;
        }
    }
    *mean /= (double)n;
    return n;
}

/* Every row is a configuration of the truth; where paths do not say which runs are repeats, a run alone will do. */
static void check_scale(tables *t)
{
    const char *measure = measure_of(t);
    double total = 0, tolerance = t->rank_copies ? 0.004 : 1e-6;
    for (size_t row = 0; row < t->scale.n_rows; row++) {
        double n_got = value(&t->scale, row, "n_runs"), got = value(&t->scale, row, measure), mean = NAN;
        bool fits = isnan(got);
        for (size_t run = 0; run < t->truth.n_rows && !fits; run++) {
            size_t n = configuration(t, run, measure, &mean);
            bool alone = value(&t->truth, run, "unsaid") > 0 && n_got == 1;
            fits = n_got == (double)n && is_near(got, mean, tolerance);
            fits |= alone && is_near(got, value(&t->truth, run, measure), tolerance);
        }
        if (!fits)
            differ(t, ws_arena_printf(&arena, "scale: %.4g runs with the mean %.10g are no configuration", n_got, got));
        total += n_got;
    }
    if (total > (double)t->truth.n_rows)
        differ(t, "scale has more runs than there are");
}

static bool wattscale(const char *name, const char *command)
{
    const char *build = ws_arena_strndup(&arena, program, strlen(program) - strlen("/wattscale-synth"));
    const char *here = ws_arena_printf(&arena, "%s/made/%s", folder, name);
    return run_words(here, ws_arena_printf(&arena, "%s/wattscale", build), command, "messages") == 0;
}

static const char *path_of(const char *name, const char *file)
{
    return ws_arena_printf(&arena, "%s/made/%s/%s", folder, name, file);
}

/* LAYOUT=name tries one alone, LAYOUT_SEED=n all of that seed. */
static uint64_t seed_of(size_t i)
{
    const char *other = getenv("LAYOUT_SEED");
    return other ? (uint64_t)atoi(other) : seeds[i];
}

static size_t count_seeds(void)
{
    return getenv("LAYOUT_SEED") ? 1 : sizeof seeds / sizeof *seeds;
}

/* With a seed of its own each layout is also scaled before scan has described it; else the same runs will do. */
static bool is_long(void)
{
    return getenv("LAYOUT_SEED") != NULL;
}

/* What is wrong of a layout that was made, or NULL. */
static const char *try_layout(const char *name)
{
    tables t = {.rank_copies = strstr(name, "rank") != NULL};
    wattscale(name, "runs campaign --format csv -o at-once.csv");
    if (is_long())
        wattscale(name, "scale campaign --format csv -o scale-at-once.csv");
    if (!wattscale(name, "scan campaign -o campaign/campaign.json"))
        return "scan fails";
    if (!wattscale(name, "runs campaign --format csv -o runs.csv"))
        return "runs fails";
    if (!same_bytes(path_of(name, "at-once.csv"), path_of(name, "runs.csv")))
        return "runs says something else without what scan proposes";
    bool scales = wattscale(name, "scale campaign --format csv -o scale.csv");
    if (scales && is_long() && !same_bytes(path_of(name, "scale-at-once.csv"), path_of(name, "scale.csv")))
        return "scale says something else without what scan proposes";
    ck_assert(load(&t.truth, path_of(name, "truth.csv")));
    ck_assert(load(&t.runs, path_of(name, "runs.csv")));
    check_runs(&t);
    if (scales && load(&t.scale, path_of(name, "scale.csv"))) {
        check_scale(&t);
        ws_table_free(&t.scale);
    } else if (!t.all_asked) {
        differ(&t, "scale fails");
    }
    ws_table_free(&t.truth);
    ws_table_free(&t.runs);
    return t.message;
}

static char **list_layouts(size_t *n)
{
    synth("layout --list > list");
    FILE *file = fopen(ws_arena_printf(&arena, "%s/list", folder), "r");
    char line[400], **names = ws_arena_alloc(&arena, 500 * sizeof *names);
    ck_assert_ptr_nonnull(file);
    for (*n = 0; fgets(line, sizeof line, file) && *n < 500;)
        names[(*n)++] = ws_arena_strndup(&arena, line, strcspn(line, " "));
    fclose(file);
    return names;
}

/* Of all layouts or of one, below the folder `made`. */
static void make_layouts(const char *only, uint64_t seed)
{
    const char *what = only ? ws_arena_printf(&arena, "%s made/%s", only, only) : "all made";
    ck_assert_int_eq(synth(ws_arena_printf(&arena, "layout %s --seed %d", what, (int)seed)), 0);
}

START_TEST(layouts_give_right_totals_or_a_question)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    size_t n, wrong = 0;
    char **names = list_layouts(&n);
    const char *only = getenv("LAYOUT"), **messages = ws_arena_alloc(&arena, n * sizeof *messages);
    ck_assert(n >= 25);
    for (size_t s = 0; s < count_seeds(); s++) {
        make_layouts(only, seed_of(s));
        for (size_t i = 0; i < n; i++) {
            if (messages[i] || (only ? strcmp(only, names[i]) != 0 : i % count_seeds() != s))
                continue;
            messages[i] = try_layout(names[i]);
            if (messages[i] && !why_expected(names[i]))
                printf("layout %s, seed %d: %s\n", names[i], (int)seed_of(s), messages[i]);
        }
        run_words(folder, "rm", "-rf made", "messages");
    }
    for (size_t i = 0; i < n; i++) {
        bool is_expected = why_expected(names[i]), is_tried = !only || strcmp(only, names[i]) == 0;
        if (is_tried && !messages[i] && is_expected)
            printf("layout %s comes out right: it leaves the list of those that are expected to fail\n", names[i]);
        wrong += is_tried && !messages[i] == is_expected;
    }
    fflush(stdout); /* Check ends this process without it */
    ck_assert_msg(wrong == 0, "%zu layouts of %zu are not as expected", wrong, n);
}
END_TEST

FIXTURE_MAIN("layouts", set_up, tear_down, layouts_give_right_totals_or_a_question)
