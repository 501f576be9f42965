#include "analyze/scaling/pairs_by_setting.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "analyze/units.h"
#include "core/text.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

typedef struct pairing {
    const ws_table *runs;
    size_t columns[MOST_COLUMNS], n_columns; /* of the settings */
    size_t column;
    ws_work work;
} pairing;

const char *ws_mixed_settings(const ws_table *scale)
{
    return scale && scale->mixed_settings ? scale->mixed_settings : "";
}

static bool is_listed(const char *names, const char *name)
{
    ws_span rest = ws_span_of(names), one;
    while (ws_span_split(&rest, ',', &one))
        if (ws_span_eq(ws_span_trim(one), name))
            return true;
    return false;
}

/* A setting that the table of runs knows. What the runs were of, or called, and how long they went on, are none here.
 */
static bool is_known_setting(const char *name, ws_work work)
{
    ws_run_column known;
    if (strcmp(name, "series") == 0 || (work != WS_PER_RUN && strcmp(name, "epochs") == 0))
        return false;
    return ws_run_column_find(name, &known) && ws_run_column_about(known)->role == WS_ROLE_SETTING;
}

/* Those of the settings in which the rows of one side differ. */
static void find_columns(pairing *p, const char *mixed, const size_t *rows, const size_t *side, size_t n)
{
    for (size_t c = 0; c < p->runs->n_columns && p->n_columns < MOST_COLUMNS; c++) {
        const char *name = p->runs->columns[c].name;
        if ((is_listed(mixed, name) || is_known_setting(name, p->work)) && ws_units_differ(p->runs, rows, n, side, c))
            p->columns[p->n_columns++] = c;
    }
}

static const char *names_of(const pairing *p, ws_arena *arena)
{
    const char *names = "";
    for (size_t i = 0; i < p->n_columns; i++)
        names = ws_arena_printf(arena, "%s%s%s", names, *names ? ", " : "", p->runs->columns[p->columns[i]].name);
    return names;
}

static bool same_setting(const pairing *p, size_t a, size_t b)
{
    for (size_t i = 0; i < p->n_columns; i++)
        if (!ws_same_cell(p->runs, p->columns[i], a, b))
            return false;
    return true;
}

/* Over the runs of one setting; NaN where none has a value. */
static double mean_in(const pairing *p, const size_t *rows, size_t n, size_t setting)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double value = ws_work_value(p->runs, p->work, p->column, rows[i]);
        if (!same_setting(p, rows[i], setting) || !isfinite(value))
            continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static bool stands_before(const pairing *p, const size_t *rows, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (same_setting(p, rows[before], rows[i]))
            return true;
    return false;
}

const char *ws_settings_unlike(const ws_table *runs, const size_t *rows, size_t n, const size_t *unit,
                               const char *mixed, ws_work work, ws_arena *arena)
{
    pairing p = {.runs = runs, .work = work};
    for (size_t c = 0; c < runs->n_columns && p.n_columns < MOST_COLUMNS; c++) {
        const char *name = runs->columns[c].name;
        bool counts = is_known_setting(name, work) ? strcmp(name, "nodes") != 0
                                                   : runs->columns[c].kind == WS_TEXT && is_listed(mixed, name);
        if (counts && ws_units_differ(runs, rows, n, unit, c))
            p.columns[p.n_columns++] = c;
    }
    return names_of(&p, arena);
}

ws_setting_pairs ws_pair_by_setting(const ws_table *runs, const size_t *rows, size_t n, const size_t *against,
                                    size_t n_against, const char *mixed, size_t column, ws_work work, double level,
                                    ws_arena *arena)
{
    size_t n_all = n + n_against, *all = ws_arena_alloc(arena, (n_all + 1) * sizeof *all),
           *side = ws_arena_alloc(arena, (n_all + 1) * sizeof *side);
    double *logs = ws_arena_alloc(arena, (n + 1) * sizeof *logs);
    for (size_t i = 0; i < n_all; i++) {
        all[i] = i < n ? rows[i] : against[i - n];
        side[i] = i >= n;
    }
    pairing p = {.runs = runs, .column = column, .work = work};
    find_columns(&p, mixed, all, side, n_all);
    ws_setting_pairs pairs = {.columns = names_of(&p, arena), .ratio = NAN, .half = NAN};
    for (size_t i = 0; i < n; i++) {
        double ratio =
            stands_before(&p, rows, i) ? NAN : mean_in(&p, rows, n, rows[i]) / mean_in(&p, against, n_against, rows[i]);
        if (ratio > 0 && isfinite(ratio))
            logs[pairs.n++] = log(ratio);
    }
    ws_sample sample;
    ws_error none = {0};
    if (pairs.n && ws_sample_describe(logs, pairs.n, level, &sample, &none) == WS_OK) {
        pairs.ratio = exp(sample.mean);
        if (pairs.n > 1)
            pairs.half = (exp(sample.ci_hi) - exp(sample.ci_lo)) / 2;
    }
    return pairs;
}

void ws_setting_pairs_add(ws_setting_pairs *all, const ws_setting_pairs *more, ws_arena *arena)
{
    ws_span rest = ws_span_of(more->columns), one;
    all->columns = all->columns ? all->columns : "";
    all->n = more->n > all->n ? more->n : all->n;
    while (ws_span_split(&rest, ',', &one)) {
        const char *name = ws_arena_strndup(arena, ws_span_trim(one).p, ws_span_trim(one).n);
        if (!is_listed(all->columns, name))
            all->columns = ws_arena_printf(arena, "%s%s%s", all->columns, *all->columns ? ", " : "", name);
    }
}

const char *ws_setting_pairs_are(ws_arena *arena, const char *apart, const ws_setting_pairs *all, double level,
                                 bool has_bars)
{
    const char *bars = "";
    if (all->n == 1)
        return ws_arena_printf(arena, " Runs that differ in %s are compared setting by setting.", all->columns);
    if (has_bars)
        bars = ws_arena_printf(arena, "; bars: half of their %g %% intervals, by the spread over the settings",
                               100 * level);
    return ws_arena_printf(arena,
                           " Geometric means over up to %zu settings (%s) of the ratios between runs that differ in "
                           "the %s alone%s.",
                           all->n, all->columns, apart, bars);
}
