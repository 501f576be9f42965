/* Sentences on caps: under which power cap (else clock) the runs of a model take the least energy, what that is against
 * the highest one, and for how much time. Runs of one setting are compared with each other (pairs_by_setting.h); where
 * there is one setting, by their repeats. */
#include "analyze/recipes/axis_names.h"
#include "analyze/recipes/story_parts.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "analyze/scaling/pairs_by_setting.h"
#include "fit/tests/mean_and_spread.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;
enum { MOST_NAMED = 2, MOST_CAPS = 32, MOST_KEYS = 5 };

typedef struct cap_story {
    ws_story *s;
    size_t cap, held;    /* columns of the runs: what is compared, and the other kind of cap */
    size_t energy, time; /* columns; SIZE_MAX: no times */
    size_t keys[MOST_KEYS], n_keys;
    ws_work work;
    ws_setting_columns settings;
} cap_story;

/* Something under one cap over that under another; lo and hi are NaN where the interval is not known. */
typedef struct cap_ratio {
    double value, lo, hi;
    size_t n_settings;   /* 0: from repeats of one setting */
    const char *columns; /* in which they differ */
} cap_ratio;

/* The runs of a model, and what is found of them. */
typedef struct cap_group {
    ws_row_list runs;
    double caps[MOST_CAPS]; /* rising, of runs with an energy */
    size_t n_caps, least, next;
    cap_ratio energy, time, more; /* under the cap of least energy against the highest; the next one against it */
} cap_group;

static bool has_values(const ws_table *runs, const char *name, size_t *column)
{
    return ws_table_find(runs, name, column) && ws_table_has_values(runs, *column);
}

static bool has_two_values(const ws_table *runs, size_t column)
{
    double first = NAN;
    for (size_t row = 0; row < runs->n_rows; row++) {
        double value = ws_table_number(runs, column, row);
        first = isnan(first) ? value : first;
        if (isfinite(value) && value != first)
            return true;
    }
    return false;
}

/* Without a model the series that were run under several caps take its place: false where none was and there are more
 * series than caps, so that nothing says which of them belong together. */
static bool series_tell(const ws_table *runs, size_t cap, bool *are_keys)
{
    size_t n_series = 0, n_caps = 0;
    *are_keys = false;
    for (size_t a = 0; a < runs->n_rows; a++) {
        bool is_new_series = true, is_new_cap = true;
        for (size_t b = 0; b < a; b++) {
            bool same_series = ws_same_cell(runs, WS_COL_SERIES, a, b), same_cap = ws_same_cell(runs, cap, a, b);
            is_new_series &= !same_series;
            is_new_cap &= !same_cap;
            *are_keys |= same_series && !same_cap;
        }
        n_series += is_new_series;
        n_caps += is_new_cap;
    }
    return *are_keys || n_series <= n_caps;
}

static bool find_columns(cap_story *c)
{
    const ws_table *runs = c->s->runs;
    size_t phase;
    bool is_by_series = false;
    bool is_power = has_two_values(runs, WS_COL_POWER_CAP);
    c->cap = is_power ? WS_COL_POWER_CAP : WS_COL_CLOCK_CAP;
    c->held = is_power ? WS_COL_CLOCK_CAP : WS_COL_POWER_CAP;
    if (!has_two_values(runs, c->cap))
        return false;
    if (!has_values(runs, "energy_kwh", &c->energy) && !has_values(runs, "epoch_energy_j", &c->energy))
        return false;
    if (!has_values(runs, "wall_s", &c->time) && !has_values(runs, "epoch_s", &c->time))
        c->time = SIZE_MAX;
    if (!ws_table_has_values(runs, WS_COL_MODEL) && !series_tell(runs, c->cap, &is_by_series))
        return false;
    const size_t keys[] = {WS_COL_MODEL, WS_COL_DEVICE, c->held};
    memcpy(c->keys, keys, sizeof keys);
    c->n_keys = 3;
    if (ws_table_find(runs, "phase", &phase))
        c->keys[c->n_keys++] = phase;
    if (is_by_series)
        c->keys[c->n_keys++] = WS_COL_SERIES;
    c->work = ws_figure_work(c->s->scale);
    c->settings = ws_setting_columns_of(runs, &c->s->arena);
    return true;
}

static double energy_of(const cap_story *c, size_t run)
{
    return ws_work_value(c->s->runs, c->work, c->energy, run);
}

static void add_cap(cap_group *g, double cap)
{
    size_t at = 0;
    while (at < g->n_caps && g->caps[at] < cap)
        at++;
    if (g->n_caps == MOST_CAPS || (at < g->n_caps && g->caps[at] == cap))
        return;
    memmove(g->caps + at + 1, g->caps + at, (g->n_caps - at) * sizeof *g->caps);
    g->caps[at] = cap;
    g->n_caps++;
}

static cap_group *find_groups(cap_story *c, size_t *n)
{
    const ws_table *runs = c->s->runs;
    cap_group *groups = ws_arena_alloc(&c->s->arena, (runs->n_rows + 1) * sizeof *groups);
    ws_same_rows index;
    ws_same_rows_init(&index, runs, c->keys, c->n_keys);
    *n = 0;
    for (size_t row = 0; row < runs->n_rows; row++) {
        double cap = ws_table_number(runs, c->cap, row), energy = energy_of(c, row);
        if (c->s->same[row] != row || !isfinite(cap) || !(energy > 0) || !isfinite(energy))
            continue;
        size_t number = ws_same_rows_number(&index, row);
        for (; *n <= number; ++*n)
            groups[*n] = (cap_group){0};
        cap_group *g = &groups[number];
        if (!g->runs.rows)
            g->runs.rows = ws_arena_alloc(&c->s->arena, (runs->n_rows + 1) * sizeof *g->runs.rows);
        g->runs.rows[g->runs.n++] = row;
        add_cap(g, cap);
    }
    ws_same_rows_free(&index);
    return groups;
}

static ws_row_list runs_under(const cap_story *c, const cap_group *g, double cap)
{
    ws_row_list list = {ws_arena_alloc(&c->s->arena, (g->runs.n + 1) * sizeof(size_t)), 0, 0};
    for (size_t i = 0; i < g->runs.n; i++)
        if (ws_table_number(c->s->runs, c->cap, g->runs.rows[i]) == cap)
            list.rows[list.n++] = g->runs.rows[i];
    return list;
}

/* The logarithms of a column in some runs. */
static bool describe(const cap_story *c, const ws_row_list *rows, size_t column, ws_sample *sample)
{
    double *ln = ws_arena_alloc(&c->s->arena, (rows->n + 1) * sizeof *ln);
    size_t n = 0;
    ws_error none = {0};
    for (size_t i = 0; i < rows->n; i++) {
        double value = ws_work_value(c->s->runs, c->work, column, rows->rows[i]);
        if (value > 0 && isfinite(value))
            ln[n++] = log(value);
    }
    return n && ws_sample_describe(ln, n, LEVEL, sample, &none) == WS_OK;
}

/* The deviation of the logarithms about those of their cap, over all caps of a group. */
static double pooled_deviation(const cap_story *c, const cap_group *g, size_t column, double *df)
{
    double squares = 0;
    *df = 0;
    for (size_t i = 0; i < g->n_caps; i++) {
        ws_row_list rows = runs_under(c, g, g->caps[i]);
        ws_sample sample;
        if (!describe(c, &rows, column, &sample) || sample.n < 2)
            continue;
        squares += (double)(sample.n - 1) * sample.sd * sample.sd;
        *df += (double)(sample.n - 1);
    }
    return *df > 0 ? sqrt(squares / *df) : NAN;
}

static cap_ratio ratio_by_repeats(const cap_story *c, const cap_group *g, const ws_row_list *a, const ws_row_list *b,
                                  size_t column)
{
    cap_ratio ratio = {NAN, NAN, NAN, 0, ""};
    ws_sample ln_a, ln_b;
    ws_ratio of = {.value = NAN, .ci_lo = NAN, .ci_hi = NAN};
    double df, sd;
    if (!describe(c, a, column, &ln_a) || !describe(c, b, column, &ln_b))
        return ratio;
    ratio.value = exp(ln_a.mean - ln_b.mean);
    if (ln_a.n > 1 && ln_b.n > 1) {
        ws_ratio_of_logs(&ln_a, &ln_b, LEVEL, &of);
    } else {
        sd = pooled_deviation(c, g, column, &df);
        if (df > 0)
            ws_ratio_pooled(&ln_a, &ln_b, sd, df, LEVEL, &of);
    }
    ratio.lo = of.ci_lo;
    ratio.hi = of.ci_hi;
    return ratio;
}

static cap_ratio ratio_of_caps(const cap_story *c, const cap_group *g, double cap, double against, size_t column)
{
    ws_row_list a = runs_under(c, g, cap), b = runs_under(c, g, against);
    ws_setting_pairs pairs =
        ws_pair_by_setting(c->s->runs, a.rows, a.n, b.rows, b.n, &c->settings, column, c->work, LEVEL, &c->s->arena);
    if (*pairs.columns)
        return (cap_ratio){pairs.ratio, pairs.lo, pairs.hi, pairs.n, pairs.columns};
    return ratio_by_repeats(c, g, &a, &b, column);
}

/* false where no cap can be compared with the highest one. */
static bool find_least(const cap_story *c, cap_group *g)
{
    double highest = g->n_caps ? g->caps[g->n_caps - 1] : NAN, least = INFINITY, next = INFINITY;
    if (g->n_caps < 2)
        return false;
    for (size_t i = 0; i < g->n_caps; i++) {
        bool is_reference = i + 1 == g->n_caps;
        double value = is_reference ? 1 : ratio_of_caps(c, g, g->caps[i], highest, c->energy).value;
        if (value < least) {
            next = least;
            g->next = g->least;
            least = value;
            g->least = i;
        } else if (value < next) {
            next = value;
            g->next = i;
        }
    }
    if (!isfinite(next))
        return false;
    g->energy = ratio_of_caps(c, g, g->caps[g->least], highest, c->energy);
    g->more = ratio_of_caps(c, g, g->caps[g->next], g->caps[g->least], c->energy);
    g->time = c->time == SIZE_MAX ? (cap_ratio){NAN, NAN, NAN, 0, ""}
                                  : ratio_of_caps(c, g, g->caps[g->least], highest, c->time);
    return isfinite(g->energy.value) && isfinite(g->more.value);
}

/* Those to be told first in front: with an interval, from the most settings, from the most runs, with the least energy.
 */
static int by_rank(const void *a, const void *b)
{
    const cap_group *x = a, *y = b;
    bool is_known = isfinite(x->more.lo), is_other_known = isfinite(y->more.lo);
    if (is_known != is_other_known)
        return is_other_known - is_known;
    if (x->energy.n_settings != y->energy.n_settings)
        return x->energy.n_settings < y->energy.n_settings ? 1 : -1;
    if (x->runs.n != y->runs.n)
        return x->runs.n < y->runs.n ? 1 : -1;
    if (x->energy.value < y->energy.value || x->energy.value > y->energy.value)
        return x->energy.value < y->energy.value ? -1 : 1;
    return x->runs.rows[0] < y->runs.rows[0] ? -1 : 1;
}

static const char *cap_words(const cap_story *c, double cap)
{
    bool is_clock = c->cap == WS_COL_CLOCK_CAP;
    return ws_arena_printf(&c->s->arena, "%s %s", ws_say_number(is_clock ? cap / 1e6 : cap).text,
                           is_clock ? "MHz" : "W");
}

/* "DimeNet, V100": by the keys in which the groups differ; "" of one. */
static const char *name_of(const cap_story *c, const cap_group *groups, size_t n, const cap_group *g)
{
    const ws_table *runs = c->s->runs;
    const char *name = "";
    char buffer[WS_DOUBLE_TEXT];
    for (size_t k = 0; k < c->n_keys; k++) {
        size_t row = g->runs.rows[0], key = c->keys[k];
        bool differs = false;
        for (size_t i = 0; i < n; i++)
            differs |= !ws_same_cell(runs, key, groups[i].runs.rows[0], row);
        if (!differs || ws_table_is_missing(runs, key, row))
            continue;
        const char *text = ws_series_spelled(runs->looks, &c->s->arena, runs->columns[key].name,
                                             ws_table_cell_text(runs, key, row, buffer));
        name = ws_arena_printf(&c->s->arena, "%s%s%s", name, *name ? ", " : "", ws_isolated(&c->s->arena, text));
    }
    return name;
}

/* Exact data leave it no width. */
static const char *interval(const cap_story *c, const cap_ratio *r)
{
    return r->hi - r->lo > 1e-9 * fabs(r->value)
               ? ws_arena_printf(&c->s->arena, " (%s)", ws_say_interval(r->lo, r->hi).text)
               : "";
}

static const char *number(const cap_story *c, const cap_ratio *r)
{
    bool is_known = isfinite(r->lo) && isfinite(r->hi) && r->hi > r->lo;
    ws_wording said = is_known ? ws_say_within(r->value, r->lo, r->hi) : ws_say_digits(r->value, 3);
    return ws_arena_strdup(&c->s->arena, said.text);
}

/* "dataset, batch size": the columns in words. */
static const char *columns_in_words(const cap_story *c, const char *columns)
{
    const char *list = "";
    ws_span rest = ws_span_of(columns), one;
    while (ws_span_split(&rest, ',', &one)) {
        ws_span name = ws_span_trim(one);
        if (ws_span_eq(name, "gbs") && strncmp(columns, "gpus", 4) == 0) /* it goes with them */
            continue;
        const char *label =
                       ws_axis_label(c->s->runs->looks, &c->s->arena, ws_arena_strndup(&c->s->arena, name.p, name.n)),
                   *unit = strstr(label, " / ");
        char *words = ws_arena_strndup(&c->s->arena, label, unit ? (size_t)(unit - label) : strlen(label));
        ws_begin_small(words);
        list = ws_arena_printf(&c->s->arena, "%s%s%s", list, *list ? ", " : "", words);
    }
    return list;
}

static const char *next_words(const cap_story *c, const cap_group *g)
{
    const cap_ratio in_percent = {100 * (g->more.value - 1), 100 * (g->more.lo - 1), 100 * (g->more.hi - 1), 0, ""};
    ws_arena *arena = &c->s->arena;
    const char *known = !isfinite(in_percent.lo) ? ", from single runs without a test"
                                                 : ws_arena_printf(arena, " (95 %%: %s %%)%s",
                                                                   ws_say_interval(in_percent.lo, in_percent.hi).text,
                                                                   in_percent.lo <= 0 ? ", not measurably more" : "");
    return ws_arena_printf(arena, "under %s, the next, it is %s %% more%s", cap_words(c, g->caps[g->next]),
                           number(c, &in_percent), known);
}

/* "DimeNet: least energy under a power cap of 100 W, 0.64 times that under 250 W (0.61 to 0.67) for 1.52 times the time
 * (1.4 to 1.6); under 200 W, the next, it is 34 % more (95 %: 26 to 42 %); over 8 settings (number of GPUs)." */
static void say_least(const cap_story *c, const cap_group *groups, size_t n, const cap_group *g)
{
    ws_arena *arena = &c->s->arena;
    const char *kind = c->cap == WS_COL_CLOCK_CAP ? "clock cap" : "power cap", *name = name_of(c, groups, n, g);
    bool is_of_epoch = c->work == WS_PER_EPOCH || strncmp(c->s->runs->columns[c->energy].name, "epoch_", 6) == 0;
    bool is_highest = g->least + 1 == g->n_caps;
    const char *highest = cap_words(c, g->caps[g->n_caps - 1]);
    const char *time = isfinite(g->time.value) ? ws_arena_printf(arena, " for %s times the time%s", number(c, &g->time),
                                                                 interval(c, &g->time))
                                               : "";
    const char *against = is_highest ? ws_arena_printf(arena, "under the highest %s, %s", kind, highest)
                                     : ws_arena_printf(arena, "under a %s of %s, %s times that under %s%s%s", kind,
                                                       cap_words(c, g->caps[g->least]), number(c, &g->energy), highest,
                                                       interval(c, &g->energy), time);
    size_t n_settings = is_highest ? g->more.n_settings : g->energy.n_settings;
    const char *columns = is_highest ? g->more.columns : g->energy.columns;
    const char *over = n_settings > 1 ? ws_arena_printf(arena, "; geometric means over %zu settings (%s)", n_settings,
                                                        columns_in_words(c, columns))
                                      : "";
    ws_page_say(c->s->page, "%s%s energy%s %s; %s%s.", ws_label_before(arena, name), *name ? "least" : "Least",
                is_of_epoch ? " per epoch" : "", against, next_words(c, g), over);
}

/* "0.78 (0.71 to 0.85; resnet50)" */
static const char *end_words(const cap_story *c, const cap_group *groups, size_t n, const cap_group *g)
{
    const cap_ratio *r = &g->energy;
    bool is_known = isfinite(r->lo) && isfinite(r->hi) && r->hi > r->lo;
    return ws_arena_printf(&c->s->arena, "%s (%s%s%s)", number(c, r),
                           is_known ? ws_say_interval(r->lo, r->hi).text : "", is_known ? "; " : "",
                           name_of(c, groups, n, g));
}

static void say_others(const cap_story *c, const cap_group *groups, size_t n)
{
    const cap_group *lo = &groups[MOST_NAMED], *hi = lo;
    for (size_t i = MOST_NAMED; i < n; i++) {
        lo = groups[i].energy.value < lo->energy.value ? &groups[i] : lo;
        hi = groups[i].energy.value > hi->energy.value ? &groups[i] : hi;
    }
    if (n == MOST_NAMED + 1)
        ws_page_say(c->s->page, "%s: least energy under a cap of %s, %s times that under the highest%s.",
                    name_of(c, groups, n, lo), cap_words(c, lo->caps[lo->least]), number(c, &lo->energy),
                    interval(c, &lo->energy));
    else if (n > MOST_NAMED)
        ws_page_say(c->s->page, "In %zu others the least energy is %s to %s times that under the highest cap.",
                    n - MOST_NAMED, end_words(c, groups, n, lo), end_words(c, groups, n, hi));
}

void ws_story_caps(ws_story *s)
{
    cap_story c = {.s = s};
    size_t n_all, n = 0;
    if (!find_columns(&c))
        return;
    cap_group *groups = find_groups(&c, &n_all);
    for (size_t i = 0; i < n_all; i++)
        if (find_least(&c, &groups[i]))
            groups[n++] = groups[i];
    qsort(groups, n, sizeof *groups, by_rank);
    for (size_t i = 0; i < n && i < MOST_NAMED; i++)
        say_least(&c, groups, n, &groups[i]);
    say_others(&c, groups, n);
}
