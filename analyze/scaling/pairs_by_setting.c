#include "analyze/scaling/pairs_by_setting.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "analyze/units.h"
#include "core/text.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <string.h>

typedef struct pairing {
    const ws_table *runs;
    ws_setting_columns differ;
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

const char *ws_mixed_settings_shown(const ws_table *runs, const ws_table *scale, ws_arena *arena)
{
    ws_setting_columns settings = ws_setting_columns_of(runs, arena);
    ws_span rest = ws_span_of(ws_mixed_settings(scale)), one;
    const char *names = ws_setting_names(runs, &settings, arena), *list = "";
    while (ws_span_split(&rest, ',', &one)) {
        const char *name = ws_arena_strndup(arena, ws_span_trim(one).p, ws_span_trim(one).n);
        if (is_listed(names, name))
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", name);
    }
    return list;
}

/* Caps are what is compared, and a column that nobody knows and that has one value for each of them may follow from
 * them ("capped"). */
static bool counts_between_sides(const ws_table *runs, size_t column, ws_arena *arena)
{
    static const size_t caps[] = {WS_COL_POWER_CAP, WS_COL_CLOCK_CAP};
    ws_run_column known;
    if (ws_run_column_find(runs->columns[column].name, &known))
        return known != caps[0] && known != caps[1];
    size_t *rows = ws_arena_alloc(arena, 2 * (runs->n_rows + 1) * sizeof *rows), *unit = rows + runs->n_rows + 1;
    ws_same_rows index;
    ws_same_rows_init(&index, runs, caps, 2);
    for (size_t row = 0; row < runs->n_rows; row++) {
        rows[row] = row;
        unit[row] = ws_same_rows_number(&index, row);
    }
    ws_same_rows_free(&index);
    return ws_units_differ(runs, rows, runs->n_rows, unit, column);
}

static void find_columns(pairing *p, const ws_setting_columns *settings, const size_t *rows, const size_t *side,
                         size_t n, ws_arena *arena)
{
    size_t *one = ws_arena_alloc(arena, (n + 1) * sizeof *one);
    memset(one, 0, (n + 1) * sizeof *one);
    ws_setting_columns within = ws_settings_that_differ(p->runs, settings, rows, n, side, p->work != WS_PER_RUN, arena);
    ws_setting_columns all = ws_settings_that_differ(p->runs, settings, rows, n, one, p->work != WS_PER_RUN, arena);
    p->differ = (ws_setting_columns){all.columns, 0};
    for (size_t i = 0, k = 0; i < all.n; i++) {
        bool is_within = k < within.n && within.columns[k] == all.columns[i];
        k += is_within;
        if (is_within || counts_between_sides(p->runs, all.columns[i], arena))
            p->differ.columns[p->differ.n++] = all.columns[i];
    }
}

static bool same_setting(const pairing *p, size_t a, size_t b)
{
    for (size_t i = 0; i < p->differ.n; i++)
        if (!ws_same_cell(p->runs, p->differ.columns[i], a, b))
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

ws_setting_pairs ws_pair_by_setting(const ws_table *runs, const size_t *rows, size_t n, const size_t *against,
                                    size_t n_against, const ws_setting_columns *settings, size_t column, ws_work work,
                                    double level, ws_arena *arena)
{
    size_t n_all = n + n_against, *all = ws_arena_alloc(arena, (n_all + 1) * sizeof *all),
           *side = ws_arena_alloc(arena, (n_all + 1) * sizeof *side);
    double *logs = ws_arena_alloc(arena, (n + 1) * sizeof *logs);
    for (size_t i = 0; i < n_all; i++) {
        all[i] = i < n ? rows[i] : against[i - n];
        side[i] = i >= n;
    }
    pairing p = {.runs = runs, .column = column, .work = work};
    find_columns(&p, settings, all, side, n_all, arena);
    ws_setting_pairs pairs = {
        .columns = ws_setting_names(runs, &p.differ, arena), .ratio = NAN, .half = NAN, .lo = NAN, .hi = NAN};
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
        if (pairs.n > 1) {
            pairs.lo = exp(sample.ci_lo);
            pairs.hi = exp(sample.ci_hi);
            pairs.half = (pairs.hi - pairs.lo) / 2;
        }
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
