/* The section "In short": at most a dozen sentences, each from a statistic that docs/methods.md names. Of many series
 * the largest strong-scaling ones are told by name; the others share a sentence. */
#include "analyze/recipes/axis_names.h"
#include "analyze/recipes/story_parts.h"
#include "analyze/recipes/training_results.h"

#include "analyze/unusable_runs.h"
#include "fit/choice/choice.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/onset.h"
#include "fit/tests/mean_and_spread.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;
enum {
    MOST_NAMED = 2,
    MOST_MODELS = 3,
    MOST_SENTENCES = 12,
    LAST_SENTENCES = 3 /* behind the laws: the onset, the correlations, how sure it is */
};

static double cell(const ws_table *table, const char *column, size_t row)
{
    size_t c;
    return ws_table_find(table, column, &c) ? ws_table_number(table, c, row) : NAN;
}

static const char *word(const ws_table *table, const char *column, size_t row)
{
    const ws_column *c = ws_table_column(table, column);
    return c && c->text && c->text[row] ? c->text[row] : "";
}

static const char *gpus_of(ws_story *s, size_t row)
{
    double gpus = cell(s->scale, "gpus", row);
    return ws_arena_printf(&s->arena, "%s GPU%s", ws_say_number(gpus).text, gpus == 1 ? "" : "s");
}

/* " (1.33 to 1.39)", "" where the interval is not known. */
static const char *interval(ws_story *s, double lo, double hi)
{
    return isfinite(lo) && isfinite(hi) ? ws_arena_printf(&s->arena, " (%s)", ws_say_interval(lo, hi).text) : "";
}

/* With the digits of its interval, three where that is not known. */
static const char *within(ws_story *s, double value, double lo, double hi)
{
    bool is_known = isfinite(lo) && isfinite(hi) && hi > lo;
    return ws_arena_strdup(&s->arena, is_known ? ws_say_within(value, lo, hi).text : ws_say_digits(value, 3).text);
}

/* Its configuration with the most GPUs that has a speed-up, or of energies alone their ratio; SIZE_MAX where that is
 * its reference, or there is none. */
static size_t largest_of(const ws_table *scale, const ws_series *series)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < series->configurations.n; i++) {
        size_t row = series->configurations.rows[i];
        bool is_compared = isfinite(cell(scale, "speedup", row)) || isfinite(cell(scale, "energy_ratio", row));
        if (is_compared && (best == SIZE_MAX || cell(scale, "gpus", row) > cell(scale, "gpus", best)))
            best = row;
    }
    return series->configurations.n < 2 ? SIZE_MAX : best;
}

static bool is_weak(const ws_table *scale, size_t row)
{
    return strcmp(word(scale, "scaling", row), "weak") == 0;
}

/* Series with a speed-up, those to be told first in front: strong scaling, the most GPUs, the most configurations,
 * the most repeats. */
typedef struct lead {
    const ws_series *series;
    size_t largest;
    bool is_weak;
    double gpus;
} lead;

static int by_rank(const void *a, const void *b)
{
    const lead *x = a, *y = b;
    if (x->is_weak != y->is_weak)
        return x->is_weak - y->is_weak;
    if (x->gpus < y->gpus || x->gpus > y->gpus)
        return x->gpus < y->gpus ? 1 : -1;
    if (x->series->configurations.n != y->series->configurations.n)
        return x->series->configurations.n < y->series->configurations.n ? 1 : -1;
    if (x->series->runs.n != y->series->runs.n)
        return x->series->runs.n < y->series->runs.n ? 1 : -1;
    return ws_series_order(x->series->label, y->series->label);
}

static lead *rank_series(ws_story *s, size_t *n)
{
    lead *leads = ws_arena_alloc(&s->arena, (s->series.n + 1) * sizeof *leads);
    *n = 0;
    for (size_t i = 0; i < s->series.n; i++) {
        size_t row = largest_of(s->scale, &s->series.items[i]);
        if (row != SIZE_MAX)
            leads[(*n)++] = (lead){&s->series.items[i], row, is_weak(s->scale, row), cell(s->scale, "gpus", row)};
    }
    qsort(leads, *n, sizeof *leads, by_rank);
    return leads;
}

/* "LBS 256: 256 GPUs take 1.36 times the energy (1.34 to 1.38) for 196 times the speed (195 to 198) of one GPU." */
static void say_largest(ws_story *s, const lead *l)
{
    const ws_table *t = s->scale;
    size_t row = l->largest;
    double speedup = cell(t, "speedup", row), lo = cell(t, "speedup_lo", row), hi = cell(t, "speedup_hi", row);
    double ratio = cell(t, "energy_ratio", row), least = cell(t, "energy_ratio_lo", row),
           most = cell(t, "energy_ratio_hi", row);
    const char *reference = ws_story_reference(s, row), *name = ws_series_before(s, l->series);
    const char *energy = isfinite(ratio) ? ws_arena_printf(&s->arena, "%s times the energy%s",
                                                           within(s, ratio, least, most), interval(s, least, most))
                                         : "";
    if (!isfinite(speedup))
        ws_page_say(s->page, "%s%s take %s of %s.", name, gpus_of(s, row), energy, reference);
    else if (l->is_weak)
        ws_page_say(s->page, "%s%s take %s times the time%s%s%s of %s, for work that grows with them.", name,
                    gpus_of(s, row), within(s, 1 / speedup, 1 / hi, 1 / lo), interval(s, 1 / hi, 1 / lo),
                    *energy ? " and " : "", energy, reference);
    else
        ws_page_say(s->page, "%s%s %s%s%s%s times the speed%s of %s.", name, gpus_of(s, row),
                    *energy ? "take " : "have ", energy, *energy ? " for " : "", within(s, speedup, lo, hi),
                    interval(s, lo, hi), reference);
}

/* A number of a series and its interval. */
typedef struct known_value {
    double value, lo, hi;
    const ws_series *of;
} known_value;

/* The least and the greatest of a number that series have, and whose they are. */
typedef struct ends_of_range {
    known_value lo, hi;
} ends_of_range;

static const ends_of_range NO_RANGE = {{.value = INFINITY}, {.value = -INFINITY}};

static void include_in(ends_of_range *ends, const known_value *value)
{
    if (value->value < ends->lo.value)
        ends->lo = *value;
    if (value->value > ends->hi.value)
        ends->hi = *value;
}

/* "0.2666 kWh (0.2644 to 0.2688; LBS 256)": an interval that is not known, or that exact data leave no width, is left
 * out. */
static const char *known_words(ws_story *s, const known_value *v, double factor, const char *unit, bool is_named)
{
    const char *number = ws_arena_strdup(&s->arena, ws_say_digits(factor * v->value, 3).text), *known = "", *name = "";
    if (isfinite(v->lo) && isfinite(v->hi) && v->hi - v->lo > 1e-9 * fabs(v->value)) {
        known = ws_arena_strdup(&s->arena, ws_say_interval(factor * v->lo, factor * v->hi).text);
        number = within(s, factor * v->value, factor * v->lo, factor * v->hi);
    }
    if (is_named)
        name = ws_series_name(s, v->of);
    if (!*known && !*name)
        return ws_arena_printf(&s->arena, "%s%s", number, unit);
    return ws_arena_printf(&s->arena, "%s%s (%s%s%s)", number, unit, known, *known && *name ? "; " : "", name);
}

/* "0.2666 kWh (0.2644 to 0.2688; LBS 256) to 0.307 kWh (GBS 256)"; one number where both print the same. */
static const char *range_with_names(ws_story *s, const ends_of_range *ends, double factor, const char *unit)
{
    ws_wording lo = ws_say_digits(factor * ends->lo.value, 3), hi = ws_say_digits(factor * ends->hi.value, 3);
    if (strcmp(lo.text, hi.text) == 0)
        return known_words(s, &ends->lo, factor, unit, false);
    return ws_arena_printf(&s->arena, "%s to %s", known_words(s, &ends->lo, factor, unit, true),
                           known_words(s, &ends->hi, factor, unit, true));
}

static void say_other_series(ws_story *s, const lead *leads, size_t n)
{
    ends_of_range ends = NO_RANGE;
    for (size_t i = MOST_NAMED; i < n; i++) {
        size_t row = leads[i].largest;
        const known_value efficiency = {cell(s->scale, "efficiency", row), cell(s->scale, "efficiency_lo", row),
                                        cell(s->scale, "efficiency_hi", row), leads[i].series};
        include_in(&ends, &efficiency);
    }
    if (!(ends.lo.value <= ends.hi.value))
        return;
    if (n == MOST_NAMED + 1)
        ws_page_say(s->page, "%s: the efficiency at the most GPUs is %s.", leads[MOST_NAMED].series->label,
                    known_words(s, &ends.lo, 1, "", false));
    else
        ws_page_say(s->page, "In %s the efficiency at the most GPUs is %s.",
                    ws_say_count(n - MOST_NAMED, "", "other series").text, range_with_names(s, &ends, 1, ""));
}

/* What the configurations of a series are compared by, as their speed-ups are. */
static ws_work work_of(ws_story *s, size_t row)
{
    ws_work work;
    return ws_work_named(word(s->scale, "per", row), &work) ? work : WS_PER_RUN;
}

/* Of the run, or of one epoch or sample of it. */
static double energy_of(const ws_table *table, ws_work work, size_t row)
{
    size_t column;
    return ws_table_find(table, "energy_kwh", &column) ? ws_work_value(table, work, column, row) : NAN;
}

/* The energies of the runs of a configuration: those of its series with its number of GPUs. */
static ws_status describe_energies(ws_story *s, const ws_series *series, size_t row, ws_sample *sample)
{
    double *value = ws_arena_alloc(&s->arena, (series->runs.n + 1) * sizeof *value), gpus = cell(s->scale, "gpus", row);
    size_t n = 0;
    ws_error none = {0};
    for (size_t i = 0; i < series->runs.n; i++) {
        double energy = energy_of(s->runs, work_of(s, row), series->runs.rows[i]);
        double count = cell(s->runs, "gpus", series->runs.rows[i]);
        if (isfinite(energy) && !(count < gpus) && !(count > gpus))
            value[n++] = energy;
    }
    return ws_sample_describe(value, n, LEVEL, sample, &none);
}

/* The deviation of ln energy of the runs about their configurations, over a series; its degrees of freedom are 0 where
 * nothing was repeated. */
static double pooled_deviation(ws_story *s, const ws_series *series, ws_work work, double *df)
{
    double squares = 0;
    *df = 0;
    for (size_t i = 0; i < series->configurations.n; i++) {
        double gpus = cell(s->scale, "gpus", series->configurations.rows[i]), sum = 0, n = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < series->runs.n; k++) {
                size_t run = series->runs.rows[k];
                double ln = cell(s->runs, "gpus", run) == gpus ? log(energy_of(s->runs, work, run)) : NAN;
                if (!isfinite(ln))
                    continue;
                sum += pass ? 0 : ln;
                n += pass ? 0 : 1;
                squares += pass ? (ln - sum / n) * (ln - sum / n) : 0;
            }
        *df += n > 1 ? n - 1 : 0;
    }
    return *df > 0 ? sqrt(squares / *df) : NAN;
}

/* "95 %: 0.1 to 0.7 %" by what runs of the series differ; where none was repeated nothing can be said. */
static const char *pooled_words(ws_story *s, const ws_series *series, size_t least, size_t next, double more)
{
    double df, sd = pooled_deviation(s, series, work_of(s, least), &df);
    double n_least = cell(s->scale, "n_runs", least), n_next = cell(s->scale, "n_runs", next);
    if (!(df > 0) || !(n_least > 0) || !(n_next > 0))
        return ", from single runs without a test";
    double half = ws_student_quantile(LEVEL, df) * sd * sqrt(1 / n_least + 1 / n_next);
    return ws_arena_printf(&s->arena, " (95 %%: %s)",
                           ws_say_percent_range(expm1(log1p(more) - half), expm1(log1p(more) + half)).text);
}

/* Welch's test against the configuration with the next least energy, which takes `more`; where its repeats are too few,
 * the interval by what runs of the series differ. */
static const char *welch_words(ws_story *s, const ws_series *series, size_t least, size_t next, double more)
{
    static const double LEVEL_OF_P = 0.05;
    ws_sample a, b;
    ws_test test = {.p_value = NAN};
    if (describe_energies(s, series, least, &a) == WS_OK && describe_energies(s, series, next, &b) == WS_OK)
        ws_welch(&a, &b, &test);
    if (isfinite(test.p_value))
        return ws_arena_printf(&s->arena, ", %s%s", test.p_value > LEVEL_OF_P ? "which is not measurably more, " : "",
                               ws_words_p(test.p_value).text);
    return pooled_words(s, series, least, next, more);
}

/* "Least energy of LBS 256: 4 GPUs, 24.8 kWh; the next, 2 GPUs, takes 0.4 % more (Welch's test, p 0.21)." */
static void say_least_energy(ws_story *s, const lead *l)
{
    size_t least = SIZE_MAX, next = SIZE_MAX;
    bool is_first = true, is_last = true;
    ws_work work = work_of(s, l->largest);
    for (size_t i = 0; i < l->series->configurations.n; i++) {
        size_t row = l->series->configurations.rows[i];
        double energy = energy_of(s->scale, work, row);
        if (!isfinite(energy))
            continue;
        if (least == SIZE_MAX || energy < energy_of(s->scale, work, least)) {
            next = least;
            least = row;
        } else if (next == SIZE_MAX || energy < energy_of(s->scale, work, next)) {
            next = row;
        }
    }
    if (l->is_weak || next == SIZE_MAX)
        return;
    for (size_t i = 0; i < l->series->configurations.n; i++) {
        size_t row = l->series->configurations.rows[i];
        is_first = is_first && !(cell(s->scale, "gpus", row) < cell(s->scale, "gpus", least));
        is_last = is_last && !(cell(s->scale, "gpus", row) > cell(s->scale, "gpus", least));
    }
    double more = energy_of(s->scale, work, next) / energy_of(s->scale, work, least) - 1;
    ws_story_unit unit = ws_story_energy_unit(s, energy_of(s->scale, work, least));
    ws_page_say(s->page, "%s%s energy%s%s with %s, %s%s%s; the next, %s, takes %s more%s.",
                ws_series_before(s, l->series), *l->series->label ? "least" : "Least",
                work == WS_PER_RUN ? "" : " per ", work == WS_PER_RUN ? "" : ws_work_name(work), gpus_of(s, least),
                ws_say_number(unit.factor * energy_of(s->scale, work, least)).text, unit.name,
                is_first  ? ", the fewest that were tried"
                : is_last ? ", the most that were tried"
                          : "",
                gpus_of(s, next), ws_say_percent(more).text, welch_words(s, l->series, least, next, more));
}

/* Series without one factor: how many, why, and the least and the most of their ratios. */
typedef struct without_factor {
    size_t n, n_differ;
    const char *why, *words; /* of the last one: "a line needs an intercept (p 0.025)"; its ratios */
    double least, most;
} without_factor;

static void add_without_factor(ws_story *s, const ws_series_ratios *r, double unit, without_factor *w)
{
    double least, most;
    ws_ratio_range(r->points.x, r->points.y, r->points.n, &least, &most);
    w->least = w->n ? fmin(w->least, least) : least;
    w->most = w->n ? fmax(w->most, most) : most;
    w->n_differ += !r->is_bent;
    w->why = r->why;
    w->words = ws_ratios_are(&s->arena, &r->points, unit);
    w->n++;
}

/* "a line needs an intercept (p 0.025)" of one; of several each reason once. */
static const char *reasons_of(ws_story *s, const without_factor *w)
{
    if (w->n == 1)
        return w->why;
    return ws_arena_printf(&s->arena, "%s%s%s (p < 0.05)", w->n > w->n_differ ? "a line needs an intercept" : "",
                           w->n_differ && w->n > w->n_differ ? " or " : "",
                           w->n_differ ? "configurations differ by more than their repeats" : "");
}

/* Over all series: the factors of those that have one, and how many have none. */
static ws_status say_factors(ws_story *s, ws_error *error)
{
    size_t n = 0;
    ends_of_range ends = NO_RANGE;
    without_factor without = {0};
    const ws_look *look = ws_look_of_column(s->scale->looks, "kwh_per_gpuh");
    ws_story_unit unit = ws_story_unit_of(s, "kwh_per_gpuh", "kWh");
    ws_series_ratios r;
    for (size_t i = 0; i < s->series.n; i++) {
        ws_status status = ws_series_factor(&s->arena, s->runs, &s->series.items[i].runs, LEVEL, &r, error);
        const ws_estimate *ratio = ws_fit_estimate(&r.fit, "mean-of-ratios");
        if (status != WS_OK)
            return status;
        if (!ratio || !isfinite(ratio->value))
            continue;
        if (!r.is_single) {
            add_without_factor(s, &r, unit.factor, &without);
            continue;
        }
        n++;
        const known_value factor = {ratio->value, ratio->ci_lo, ratio->ci_hi, &s->series.items[i]};
        include_in(&ends, &factor);
    }
    const char *name = look && look->name ? look->name : "Energy per GPUh";
    const char *range = without.n == 1 ? without.words
                        : without.n
                            ? ws_arena_printf(&s->arena, "%s to %s", ws_say_digits(unit.factor * without.least, 3).text,
                                              ws_say_digits(unit.factor * without.most, 3).text)
                            : "";
    if (n)
        ws_page_say(s->page, "%s: %s (mean of ratios%s)%s.", name,
                    n == 1 ? known_words(s, &ends.lo, unit.factor, unit.name, without.n > 0)
                           : range_with_names(s, &ends, unit.factor, unit.name),
                    n > 1 ? ws_arena_printf(&s->arena, " of %zu series", n) : "",
                    without.n
                        ? ws_arena_printf(&s->arena, "; in %s no single factor holds, %s%s, since %s",
                                          without.n == 1 ? "another" : ws_say_count(without.n, "other", "others").text,
                                          range, unit.name, reasons_of(s, &without))
                        : "");
    else if (without.n)
        ws_page_say(s->page, "%s: no single factor%s: %s%s, since %s.", name,
                    without.n > 1 ? ws_arena_printf(&s->arena, " in any of %zu series", without.n) : "", range,
                    unit.name, reasons_of(s, &without));
    return WS_OK;
}

/* The law of time that AICc prefers, and how far it is ahead. */
static ws_status say_law(ws_story *s, const lead *l, ws_error *error)
{
    enum { LEAST = 5, N_LAWS = 3 };
    static const char *const spelled[N_LAWS] = {"a power law", "a power law with a floor", "Amdahl's law"};
    const char *column = ws_time_column(s->runs, s->scale);
    ws_points p = ws_points_of_configurations(&s->arena, s->runs, &l->series->runs, "gpus", column, true);
    ws_law_input in = {.x = p.x, .y = p.y, .n = p.n, .level = LEVEL, .in_logs = true, .without_loocv = true};
    ws_fit fits[N_LAWS];
    const ws_fit *pointers[N_LAWS] = {&fits[0], &fits[1], &fits[2]};
    ws_choice choice;
    if (l->is_weak || p.n < LEAST)
        return WS_OK;
    ws_status status = ws_fit_powerlaw(p.x, p.y, p.n, LEVEL, &fits[0], NULL, error);
    if (status == WS_OK)
        status = ws_fit_floor(&in, &fits[1], NULL, error);
    if (status == WS_OK)
        status = ws_fit_amdahl(&in, &fits[2], NULL, error);
    if (status == WS_OK)
        status = ws_choose(pointers, N_LAWS, p.y, p.n, &choice, error);
    if (status != WS_OK || choice.best == SIZE_MAX || choice.n_compared < 2)
        return status;
    size_t second = SIZE_MAX;
    for (size_t i = 0; i < N_LAWS; i++)
        if (i != choice.best && choice.candidate[i].is_compared &&
            (second == SIZE_MAX || choice.candidate[i].delta < choice.candidate[second].delta))
            second = i;
    const char *what = strcmp(column, "epoch_s") == 0 ? "the time per epoch" : "the run time";
    ws_page_say(s->page, "%s%s is told best by %s; %s is behind by %s in AICc%s.", ws_series_before(s, l->series),
                *l->series->label ? what : ws_say_title(&s->arena, what), spelled[choice.best], spelled[second],
                ws_say_digits(choice.candidate[second].delta, 2).text,
                choice.candidate[second].delta < 2 ? ", too little to tell them apart" : "");
    return WS_OK;
}

/* The first column of results that is to be kept small, as error_top1, rmse_z500 or my_loss. */
static const char *error_column(const ws_story *s)
{
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (ws_is_training_result(s->runs, c) && !ws_is_better_larger(s->runs->columns[c].name))
            return s->runs->columns[c].name;
    return NULL;
}

/* From which number of GPUs on the error rises, in the first series where it does. */
static ws_status say_onset(ws_story *s, const lead *leads, size_t n, ws_error *error)
{
    const char *column = error_column(s);
    for (size_t i = 0; column && i < n; i++) {
        ws_points p = ws_points_of_configurations(&s->arena, s->runs, &leads[i].series->runs, "gpus", column, false);
        ws_law_input in = {.x = p.x, .y = p.y, .n = p.n, .level = LEVEL};
        ws_fit fit;
        ws_test test;
        ws_status status = ws_fit_onset(&in, &fit, NULL, &test, error);
        if (status != WS_OK)
            return status;
        const ws_estimate *onset = ws_fit_estimate(&fit, "onset"), *rise = ws_fit_estimate(&fit, "rise-per-doubling");
        if (fit.status != WS_FIT_OK || !onset || !rise || !(test.p_value < 1 - LEVEL))
            continue;
        const ws_story_unit unit =
            ws_story_unit_of(s, column, ws_is_error_in_percent(s->runs, column) ? "percentage points" : "");
        ws_page_say(s->page, "%s%s rises from %s GPUs on%s, by %s%s a doubling (%s).",
                    ws_series_before(s, leads[i].series), ws_axis_label(s->scale->looks, &s->arena, column),
                    ws_say_digits(onset->value, 2).text, interval(s, onset->ci_lo, onset->ci_hi),
                    ws_say_pair(unit.factor * rise->value, unit.factor * rise->se).text, unit.name,
                    ws_words_p(test.p_value).text);
        return WS_OK;
    }
    return WS_OK;
}

/* Over the configurations of a model (NULL: of all), each run once; "" where there is no correlation to tell. */
static const char *correlation_words(ws_story *s, const char *model, ws_error *error)
{
    ws_row_list rows = {.rows = ws_arena_alloc(&s->arena, (s->runs->n_rows + 1) * sizeof *rows.rows)};
    ws_correlation r;
    for (size_t row = 0; row < s->runs->n_rows; row++)
        if (s->same[row] == row && (!model || strcmp(word(s->runs, "model", row), model) == 0))
            rows.rows[rows.n++] = row;
    ws_points p = ws_points_of_configurations(&s->arena, s->runs, &rows, "samples_per_gpuh", "gpu_power_w", false);
    if (ws_pearson(p.x, p.y, p.n, LEVEL, &r, error) != WS_OK || r.status != WS_FIT_OK || !isfinite(r.ci_lo))
        return "";
    const char *named = model ? ws_series_spelled(s->runs->looks, &s->arena, "model", model) : NULL;
    return ws_arena_printf(&s->arena, "%s%sr %s%s, n %zu", named ? ws_isolated(&s->arena, named) : "", named ? " " : "",
                           ws_say_digits(r.r, 2).text, interval(s, r.ci_lo, r.ci_hi), p.n);
}

/* Power against throughput, a correlation a model: models draw different powers at the same number of samples. */
static void say_correlations(ws_story *s, ws_error *error)
{
    size_t n_models = 0;
    const ws_look *power = ws_look_of_column(s->scale->looks, "gpu_power_w");
    const char *models[MOST_MODELS], *text = "";
    for (size_t row = 0; row < s->runs->n_rows && n_models < MOST_MODELS; row++) {
        const char *model = word(s->runs, "model", row);
        bool is_new = *model != 0;
        for (size_t k = 0; is_new && k < n_models; k++)
            is_new = strcmp(models[k], model) != 0;
        if (is_new)
            models[n_models++] = model;
    }
    for (size_t k = 0; k < (n_models ? n_models : 1); k++) {
        const char *of = correlation_words(s, n_models > 1 ? models[k] : NULL, error);
        text = *of ? ws_arena_printf(&s->arena, "%s%s%s", text, *text ? "; " : "", of) : text;
    }
    if (*text)
        ws_page_say(s->page, "%s against samples per GPUh: %s.", power && power->name ? power->name : "GPU power",
                    text);
}

/* Rows whose energy cannot be used, and that stand in no table any more. */
static size_t count_left_out(const ws_notes *notes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += notes->items[i].finding == WS_FINDING_UNUSABLE_RUN ? notes->items[i].count : 0;
    return (size_t)n;
}

/* "1 of 9 energies is doubtful, 1 unusable", with those that were left out for it; "" where nobody judged any. Energies
 * of a table have no verdict but where something is wrong with them. */
static const char *say_energy_verdicts(ws_story *s)
{
    size_t n_unusable = count_left_out(&s->scale->notes), n = n_unusable, n_judged = 0, n_doubtful = 0, energy;
    bool has_energies = ws_table_find(s->runs, "energy_kwh", &energy);
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (s->same[row] != row) /* a run of several series is one energy */
            continue;
        ws_energy_verdict verdict = ws_row_verdict(s->runs, row);
        bool is_judged = verdict != WS_ENERGY_VERDICT_NONE;
        n += is_judged || (has_energies && isfinite(ws_table_number(s->runs, energy, row)));
        n_judged += is_judged;
        n_doubtful += verdict == WS_ENERGY_VERDICT_DOUBTFUL;
        n_unusable += verdict == WS_ENERGY_VERDICT_UNUSABLE;
    }
    if (n_doubtful + n_unusable == 0 && n_judged < n)
        return n_judged ? ws_arena_printf(&s->arena, "%zu of %zu energies have the verdict ok", n_judged, n) : "";
    if (n_doubtful + n_unusable == 0)
        return n ? "every energy in the numbers has the verdict ok" : "";
    size_t first = n_doubtful ? n_doubtful : n_unusable;
    const char *text = ws_arena_printf(&s->arena, "%zu of %zu energies %s %s", first, n, first == 1 ? "is" : "are",
                                       n_doubtful ? "doubtful" : "unusable");
    return n_doubtful && n_unusable ? ws_arena_printf(&s->arena, "%s, %zu unusable", text, n_unusable) : text;
}

/* How much of the runs was read, and which energies can be trusted. */
static void say_quality(ws_story *s)
{
    ws_column_range coverage = ws_spread_take(s->runs, "coverage");
    const char *left_out = ws_left_out(&s->scale->notes, &s->arena), *verdicts = say_energy_verdicts(s);
    const ws_note *window = ws_notes_find(&s->scale->notes, WS_FINDING_WINDOW);
    const char *beyond =
        !window
            ? ""
            : ws_arena_printf(&s->arena, ", the energy of %s being their mean power times its time",
                              window->count < s->runs->n_rows ? ws_say_count((size_t)window->count, "run", "runs").text
                                                              : "each");
    if (coverage.n)
        ws_page_say(s->page, "Readings cover %s%s of the time of each run%s%s%s.%s",
                    coverage.lo < coverage.hi ? "at least " : "", ws_say_percent(coverage.lo).text, beyond,
                    *verdicts ? "; " : "", verdicts, left_out);
    else if (*verdicts || *left_out)
        ws_page_say(s->page, "%s%s%s", ws_say_title(&s->arena, verdicts), *verdicts ? "." : "",
                    *verdicts ? left_out : left_out + strspn(left_out, " "));
}

static size_t sentences_of(const ws_story *s)
{
    return s->page->sections[s->page->n_sections - 1].sentences.n;
}

ws_status ws_story_short(ws_story *s, ws_error *error)
{
    size_t n;
    lead *leads = rank_series(s, &n);
    size_t named = n < MOST_NAMED ? n : MOST_NAMED;
    ws_page_add_section(s->page, "In short");
    for (size_t i = 0; i < named; i++)
        say_largest(s, &leads[i]);
    say_other_series(s, leads, n);
    for (size_t i = 0; i < named; i++)
        say_least_energy(s, &leads[i]);
    ws_status status = say_factors(s, error);
    ws_story_caps(s);
    size_t said = sentences_of(s),
           laws = said + LAST_SENTENCES < MOST_SENTENCES ? MOST_SENTENCES - said - LAST_SENTENCES : 0;
    for (size_t i = 0; status == WS_OK && i < named && i < laws; i++)
        status = say_law(s, &leads[i], error);
    if (status == WS_OK)
        status = say_onset(s, leads, n, error);
    if (status == WS_OK)
        say_correlations(s, error);
    say_quality(s);
    return status;
}
