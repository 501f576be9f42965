/* `wattscale advise`: which configuration to take, among those measured and by a law through them. */
#include "analyze/commands/advise.h"
#include "analyze/commands/advise_laws.h"
#include "analyze/unusable_runs.h"

#include "analyze/same_rows.h"
#include "analyze/units.h"
#include "core/known_to.h"
#include "core/unit.h"
#include "fit/choice/pareto.h"
#include "fit/estimate.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"by", 0, "COLUMNS", "apart for each group; default: series, else models, devices and caps"},
    {"error", 0, "COLUMN", "a third thing to keep small, as error_top1"},
    {"deadline", 0, "TIME", "the fewest GPUs that are done in time: 36 (hours), 90min"},
    {"risk", 0, "SHARE", "chance to miss the deadline, or the slow-down; default 5%"},
    {"budget", 0, "ENERGY", "the most GPUs that stay within it: 2.5 (kWh), 800Wh"},
    {"law", 0, "LAW", "powerlaw (default), floor, amdahl or usl: time against GPUs"},
    {"per-node", 0, "N", "GPUs come in multiples of N; default 1"},
    {"beyond", 0, "FACTOR", "go no farther beyond what was measured; default 2"},
    {"cap", 0, "COLUMN", "a cap study: choose among values of this column, as power_cap_w"},
    {"slowdown", 0, "SHARE", "--cap: how much slower than the highest cap is allowed; default 3%"},
    {"time", 0, "COLUMN", "run time, in s unless the name says otherwise; default wall_s"},
    {"energy", 0, "COLUMN", "energy, in kWh unless the name says otherwise; default energy_kwh"},
    {"level", 0, "LEVEL", "of the intervals, 0.95 unless given"},
    {"epochs", 0, "N", "where runs are compared per epoch: advise on N; default: those of the fewest GPUs"},
    WS_OPTION_PER,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

static ws_choice_point *point_of(ws_choice_points *p, double choice)
{
    size_t at = 0;
    while (at < p->n && p->items[at].choice < choice)
        at++;
    if (at < p->n && p->items[at].choice == choice)
        return &p->items[at];
    memmove(p->items + at + 1, p->items + at, (p->n - at) * sizeof *p->items);
    p->items[at] = (ws_choice_point){.choice = choice, .front_probability = NAN, .front_error = NAN};
    p->n++;
    return &p->items[at];
}

/* A cap says little where runs of several numbers of GPUs share it. */
static void note_mixed_gpus(ws_advice *a, const ws_row_group *group)
{
    size_t gpus;
    if (!a->is_cap || strcmp(a->choice_name, "gpus") == 0 || !ws_table_find(a->data, "gpus", &gpus))
        return;
    for (size_t i = 1; i < group->n; i++) {
        double first = ws_table_number(a->data, gpus, group->rows[0]);
        double other = ws_table_number(a->data, gpus, group->rows[i]);
        if (isnan(first) || isnan(other) || first == other)
            continue;
        ws_notes_add(&a->out.notes, WS_FINDING_MIXED_GPUS, a->data->source, group->label, 0,
                     "runs of %g and of %g GPUs are averaged under one cap: name gpus in --by to keep them apart",
                     first, other);
        return;
    }
}

/* Of which the runs of one number of GPUs must have one value: a mean over two of them is nobody's, and no answer. */
static const char *const must_agree[] = {"lbs", "gbs", "nodes", "dataset_samples", "energy_scope"};

static const char *differing(const ws_table *t, const ws_row_group *group, const size_t *unit)
{
    size_t column;
    for (size_t c = 0; c < sizeof must_agree / sizeof *must_agree; c++)
        if (ws_table_find(t, must_agree[c], &column) && ws_units_differ(t, group->rows, group->n, unit, column))
            return must_agree[c];
    return NULL;
}

/* Runs of one choice that differ in a setting are averaged, unless it is one that has to agree: then there is no advice
 * for the group. */
static bool is_mixed(ws_advice *a, const ws_row_group *group)
{
    ws_same_rows index;
    size_t *unit = ws_alloc((group->n + 1) * sizeof *unit);
    ws_same_rows_init(&index, a->data, &a->choice, 1);
    for (size_t i = 0; i < group->n; i++)
        unit[i] = ws_same_rows_number(&index, group->rows[i]);
    ws_same_rows_free(&index);
    const char *differs = a->is_cap ? NULL : differing(a->data, group, unit);
    const char *mixed = differs ? "" : ws_units_mixed(a->data, group->rows, group->n, unit, &a->cli->arena);
    if (differs)
        a->why_none = ws_arena_printf(&a->cli->arena,
                                      "runs of one number of %s differ in %s, and a mean of them is no answer: --by %s "
                                      "gives one for each, --only %s=VALUE for one",
                                      a->choice_name, differs, differs, differs);
    if (differs)
        ws_notes_add(&a->out.notes, WS_FINDING_MIXED_SETTINGS, a->data->source, group->label, 0, "%s", a->why_none);
    if (*mixed)
        ws_notes_add(&a->out.notes, WS_FINDING_MIXED_SETTINGS, a->data->source, group->label, 0,
                     "runs of one %s are averaged and differ in %s: --by or --only keeps apart what is a setting",
                     a->choice_name, mixed);
    free(unit);
    return differs != NULL;
}

/* Means of the runs that have everything; the others are counted. */
static ws_choice_points advise_gather(ws_advice *a, const ws_row_group *group)
{
    ws_choice_points p = {.items = ws_alloc((group->n + 1) * sizeof *p.items),
                          .choice = ws_alloc(4 * (group->n + 1) * sizeof(double))};
    p.time_h = p.choice + group->n + 1;
    p.energy_kwh = p.time_h + group->n + 1;
    p.error = p.energy_kwh + group->n + 1;
    size_t without = 0;
    for (size_t i = 0; i < group->n; i++) {
        size_t row = group->rows[i];
        double choice = ws_table_number(a->data, a->choice, row);
        double time = ws_table_number(a->data, a->time, row) * a->to_hours;
        double energy = ws_table_number(a->data, a->energy, row) * a->to_kwh;
        double error = a->error_name ? ws_table_number(a->data, a->error, row) : 0;
        if (!(choice > 0) || !(time > 0) || !(energy > 0) || isnan(error)) {
            without++;
            continue;
        }
        ws_choice_point *point = point_of(&p, choice);
        double n = (double)++point->n_runs; /* running means: a sum may pass the range of a double */
        point->time_h += (time - point->time_h) / n;
        point->energy_kwh += (energy - point->energy_kwh) / n;
        point->error = a->error_name ? point->error + (error - point->error) / n : NAN;
        p.choice[p.n_runs] = choice;
        p.time_h[p.n_runs] = time;
        p.error[p.n_runs] = error;
        p.energy_kwh[p.n_runs++] = energy;
    }
    ws_data_note_again(a->cli, &a->out.notes, a->data, group);
    ws_notes_add_many(&a->out.notes, without, WS_FINDING_INCOMPLETE_ROW, a->data->source, group->label, 0,
                      "rows of '%s' without %s, time or energy above zero are left out", group->label, a->choice_name);
    return p;
}

/* --per-node N: what is not a multiple of it was measured and is no answer. */
static bool is_whole_nodes(const ws_advice *a, const ws_choice_point *p)
{
    return a->is_cap || fmod(p->choice, (double)a->per_node) == 0;
}

/* The point with the least energy^e time^t. In logs: the product itself may pass the range of a double. */
static const ws_choice_point *least(const ws_advice *a, const ws_choice_points *p, int energy, int time)
{
    const ws_choice_point *best = NULL;
    double lowest = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        double product = energy * log(p->items[i].energy_kwh) + time * log(p->items[i].time_h);
        if (!is_whole_nodes(a, &p->items[i]) || !(product < lowest))
            continue;
        lowest = product;
        best = &p->items[i];
    }
    return best;
}

/* --- how sure a place on the front is, given the spread of the repeats --- */

enum { DRAWS = 10000, LEAST_DRAWS = 100, SEED = 20250601 };

/* Each draw compares every pair: from 100 configurations on there are fewer. */
static size_t draws_for(size_t n)
{
    const double pairs = 1e8;
    double draws = pairs / ((double)n * (double)n);
    return draws > DRAWS ? DRAWS : draws < LEAST_DRAWS ? LEAST_DRAWS : (size_t)draws;
}

static size_t place_of(const ws_choice_points *p, double choice)
{
    size_t at = 0;
    while (p->items[at].choice != choice)
        at++;
    return at;
}

/* Relative to the mean of the first point; false where their squares come near the end of a double's range. */
static bool scale_runs(const ws_choice_points *p, const double *value, double one, double *scaled)
{
    const double most = 1e100;
    bool usable = true;
    for (size_t i = 0; i < p->n_runs; i++) {
        scaled[i] = one > 0 ? value[i] / one : value[i];
        usable = usable && fabs(scaled[i]) < most;
    }
    return usable;
}

/* front_probability of the points, from the spread of their repeats; not known where a point has one run. */
static ws_status find_front_probability(const ws_advice *a, ws_choice_points *p, ws_error *error)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].n_runs < 2 || a->without_draws)
            return WS_OK;
    size_t n = p->n_runs, k = a->error_name ? 3 : 2;
    double *scaled = ws_alloc((3 * n + 2 * p->n) * sizeof *scaled), *probability = scaled + 3 * n;
    size_t *row = ws_alloc(n * sizeof *row);
    bool usable = scale_runs(p, p->time_h, p->items[0].time_h, scaled) &&
                  scale_runs(p, p->energy_kwh, p->items[0].energy_kwh, scaled + n) &&
                  scale_runs(p, p->error, p->items[0].error, scaled + 2 * n);
    for (size_t i = 0; i < n; i++)
        row[i] = place_of(p, p->choice[i]);
    const double *const objective[] = {scaled, scaled + n, scaled + 2 * n};
    ws_status status = WS_OK;
    if (usable)
        status = ws_pareto_probability(objective, k, row, n, p->n, draws_for(p->n), SEED, probability,
                                       probability + p->n, error);
    for (size_t i = 0; i < p->n && usable && status == WS_OK; i++) {
        p->items[i].front_probability = probability[i];
        p->items[i].front_error = probability[p->n + i];
    }
    free(scaled);
    free(row);
    return status;
}

/* The points that can be answers, with their runs; `items` and the four columns of runs are the caller's. */
static ws_choice_points whole_nodes(const ws_advice *a, const ws_choice_points *p)
{
    ws_choice_points whole = {.items = ws_alloc((p->n + 1) * sizeof *whole.items)};
    double **const to[] = {&whole.choice, &whole.time_h, &whole.energy_kwh, &whole.error};
    const double *const from[] = {p->choice, p->time_h, p->energy_kwh, p->error};
    for (size_t i = 0; i < p->n; i++)
        if (is_whole_nodes(a, &p->items[i]))
            whole.items[whole.n++] = p->items[i];
    for (size_t c = 0; c < sizeof to / sizeof *to; c++)
        *to[c] = ws_alloc((p->n_runs + 1) * sizeof **to[c]);
    for (size_t r = 0; r < p->n_runs; r++) {
        const ws_choice_point of_run = {.choice = p->choice[r]};
        for (size_t c = 0; c < sizeof to / sizeof *to && is_whole_nodes(a, &of_run); c++)
            (*to[c])[whole.n_runs] = from[c][r];
        whole.n_runs += is_whole_nodes(a, &of_run);
    }
    return whole;
}

static ws_status find_front(const ws_advice *a, ws_choice_points *p, bool *on_front, size_t *knee, ws_error *error)
{
    double *column = ws_alloc((3 * p->n + 1) * sizeof *column);
    for (size_t i = 0; i < p->n; i++) {
        column[i] = p->items[i].time_h;
        column[p->n + i] = p->items[i].energy_kwh;
        column[2 * p->n + i] = p->items[i].error;
    }
    const double *const objective[] = {column, column + p->n, column + 2 * p->n};
    ws_status status = ws_pareto_front(objective, a->error_name ? 3 : 2, p->n, on_front, error);
    if (status == WS_OK)
        status = find_front_probability(a, p, error);
    *knee = status == WS_OK ? ws_pareto_knee(column, column + p->n, p->n, on_front) : SIZE_MAX;
    free(column);
    return status;
}

/* Of what can be an answer; beside it what was measured else. */
static ws_status add_front(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    ws_choice_points whole = whole_nodes(a, p);
    bool *on_front = ws_alloc((whole.n + 1) * sizeof *on_front);
    size_t knee = SIZE_MAX, next = 0;
    ws_status status = whole.n ? find_front(a, &whole, on_front, &knee, error) : WS_OK;
    for (size_t i = 0; i < p->n && status == WS_OK; i++) {
        bool is_whole = is_whole_nodes(a, &p->items[i]);
        ws_advice_add_measured(a, group, "configuration", is_whole ? &whole.items[next] : &p->items[i],
                               !is_whole        ? NULL
                               : on_front[next] ? "yes"
                                                : "no");
        next += is_whole;
    }
    if (knee != SIZE_MAX)
        ws_advice_add_measured(a, group, "knee of the front", &whole.items[knee], "yes");
    free(on_front);
    free(whole.items);
    free(whole.choice);
    free(whole.time_h);
    free(whole.energy_kwh);
    free(whole.error);
    return status;
}

/* The variance of the logarithms of energies within each configuration, NaN of a single run; `pooled` over all of them,
 * with its degrees of freedom, 0 without repeats. */
static double *energy_variances(const ws_choice_points *p, double *pooled, double *df)
{
    double *variance = ws_alloc((p->n + 1) * sizeof *variance), squares = 0;
    *df = 0;
    for (size_t i = 0; i < p->n; i++) {
        variance[i] = 0;
        *df += (double)p->items[i].n_runs - 1;
    }
    for (size_t r = 0, i = 0; r < p->n_runs; r++) {
        for (i = 0; p->items[i].choice != p->choice[r];)
            i++;
        double off = p->energy_kwh[r] / p->items[i].energy_kwh - 1;
        variance[i] += off * off;
        squares += off * off;
    }
    for (size_t i = 0; i < p->n; i++)
        variance[i] = p->items[i].n_runs > 1 ? variance[i] / ((double)p->items[i].n_runs - 1) : NAN;
    *pooled = *df > 0 ? squares / *df : 0;
    return variance;
}

/* By how much of its energy a configuration may need more than the least without that being measurable, one-sided at
 * 5 %: by the repeats of both, or by the pooled spread where one is a single run; where nothing was measured twice 1 %,
 * as runs differ by. */
static double margin_of(const ws_choice_point *c, double of_c, const ws_choice_point *best, double of_best,
                        double pooled, double df)
{
    static const double WITHOUT_REPEATS = 0.01, LEVEL = 0.9;
    const ws_sample a = {.n = c->n_runs, .se = sqrt(of_c / (double)c->n_runs)},
                    b = {.n = best->n_runs, .se = sqrt(of_best / (double)best->n_runs)};
    ws_ratio ratio;
    if (!(df > 0))
        return WITHOUT_REPEATS;
    ws_ratio_of_logs(&a, &b, LEVEL, &ratio);
    if (ratio.status == WS_FIT_OK)
        return log(ratio.ci_hi) + 1e-9;
    double se = sqrt(pooled * (1 / (double)c->n_runs + 1 / (double)best->n_runs));
    return ws_student_quantile(LEVEL, df) * se + 1e-9;
}

/* The span of the configurations that do not measurably need more energy than the least. Returns how many there are. */
static size_t span_of_least(const ws_advice *a, const ws_choice_points *p, const ws_choice_point *best, double *lo,
                            double *hi)
{
    double df, pooled, *variance = energy_variances(p, &pooled, &df);
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const ws_choice_point *c = &p->items[i];
        double margin = margin_of(c, variance[i], best, variance[best - p->items], pooled, df);
        if (!is_whole_nodes(a, c) || c->energy_kwh / best->energy_kwh - 1 > margin)
            continue;
        *lo = n++ ? *lo : c->choice;
        *hi = c->choice;
    }
    free(variance);
    return n;
}

static void add_least_energy(ws_advice *a, const char *group, const ws_choice_points *p, const ws_choice_point *best)
{
    double lo = NAN, hi = NAN;
    size_t whole = 0, alike = span_of_least(a, p, best, &lo, &hi);
    for (size_t i = 0; i < p->n; i++)
        whole += is_whole_nodes(a, &p->items[i]);
    ws_advice_row row = ws_advice_measured(best);
    row.question = "least energy";
    if (alike > 1 && alike == whole) {
        row.choice = row.time_h = row.energy_kwh = row.error = NAN;
        row.flag = "no configuration needs measurably less";
        row.n_runs = 0;
    } else if (alike > 1) {
        row.flag = "others in the range need no measurably more";
    }
    row.choice_lo = alike > 1 ? lo : NAN;
    row.choice_hi = alike > 1 ? hi : NAN;
    ws_advice_add(a, group, &row);
}

static void add_answers(ws_advice *a, const char *group, const ws_choice_points *p)
{
    static const struct {
        const char *question;
        int energy, time;
    } wishes[] = {
        {"least time", 0, 1}, {"least energy", 1, 0}, {"least energy x time", 1, 1}, {"least energy x time^2", 1, 2}};
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const ws_choice_point *best = least(a, p, wishes[i].energy, wishes[i].time);
        if (best && wishes[i].energy && !wishes[i].time)
            add_least_energy(a, group, p, best);
        else if (best)
            ws_advice_add_measured(a, group, wishes[i].question, best, NULL);
        else
            ws_advice_add_none(a, group, "measured", wishes[i].question);
    }
    const ws_choice_point *fewest = NULL, *most = NULL;
    for (size_t i = 0; i < p->n; i++) {
        if (!is_whole_nodes(a, &p->items[i]))
            continue;
        if (!fewest && p->items[i].time_h <= a->deadline_h)
            fewest = &p->items[i];
        if (p->items[i].energy_kwh <= a->budget_kwh)
            most = &p->items[i];
    }
    if (isfinite(a->deadline_h) && fewest)
        ws_advice_add_measured(a, group, "fewest in time", fewest, NULL);
    else if (isfinite(a->deadline_h))
        ws_advice_add_none(a, group, "measured", "fewest in time");
    if (isfinite(a->budget_kwh) && most)
        ws_advice_add_measured(a, group, "most within the energy", most, NULL);
    else if (isfinite(a->budget_kwh))
        ws_advice_add_none(a, group, "measured", "most within the energy");
}

static ws_status advise_group(ws_advice *a, const ws_row_group *group, ws_error *error)
{
    if (is_mixed(a, group))
        return WS_OK;
    ws_choice_points p = advise_gather(a, group);
    note_mixed_gpus(a, group);
    ws_status status = WS_OK;
    if (p.n) {
        status = add_front(a, group->label, &p, error);
        if (status == WS_OK)
            add_answers(a, group->label, &p);
        if (status == WS_OK)
            status = (a->is_cap ? ws_advise_caps : ws_advise_gpus)(a, group->label, &p, error);
    }
    free(p.items);
    free(p.choice);
    return status;
}

static int advise_groups(ws_advice *a, const ws_row_groups *groups)
{
    enum { MANY = 1000 }; /* each takes some 10 ms for its draws: 10 s */
    ws_error error = {0};
    ws_status status = WS_OK;
    a->without_draws = groups->n > MANY;
    if (a->without_draws)
        ws_advice_say(a, "all", "groups",
                      "%zu groups: of more than %d the ranges of answers and the probabilities of the front are left "
                      "out; --exclude leaves fewer",
                      groups->n, MANY);
    for (size_t i = 0; i < groups->n && status == WS_OK; i++)
        status = advise_group(a, &groups->items[i], &error);
    const char *columns[] = {a->choice_name, a->time_name, a->energy_name, a->error_name, NULL};
    if (status == WS_OK && !a->out.n_rows && a->why_none)
        status = ws_fail_at(&error, WS_DATA, a->data->source, 0, "%s", a->why_none);
    else if (status == WS_OK && !a->out.n_rows)
        status = ws_data_none_left(a->data, columns, &error);
    return status == WS_OK ? ws_cli_output(a->cli, &a->out) : ws_cli_fail(a->cli, &error);
}

/* "5%" or "0.05". */
static bool read_number(ws_cli *cli, const char *option, bool is_share, double least_value, double *value)
{
    const char *text = ws_cli_value(cli, option);
    ws_span rest;
    if (!text)
        return true;
    bool usable =
        ws_span_number(ws_span_of(text), value, &rest) && (rest.n == 0 || (is_share && ws_span_eq(rest, "%")));
    if (usable && rest.n)
        *value /= 100;
    if (usable && *value >= least_value && (!is_share || *value < 1))
        return true;
    return ws_cli_usage(cli, "--%s '%s' is no number that fits%s", option, text, is_share ? ": write 5% or 0.05" : ""),
           false;
}

/* A limit above zero in the unit `usual`, or in one of its kind that is written: "2", "2kWh", "500 Wh". */
static bool read_limit(ws_cli *cli, const char *option, const char *usual, double *value)
{
    const char *text = ws_cli_value(cli, option);
    const ws_unit *of_value = ws_unit_find(ws_span_of(usual));
    ws_span rest;
    if (!text)
        return true;
    bool usable = ws_span_number(ws_span_of(text), value, &rest) && *value > 0;
    const ws_unit *written = usable && rest.n ? ws_unit_find(ws_span_trim(rest)) : of_value;
    if (!usable || !written || written->dimension != of_value->dimension)
        return ws_cli_usage(cli, "--%s '%s' is no limit: write 2 or 2%s", option, text, usual), false;
    *value *= written->to_si / of_value->to_si;
    return true;
}

static const char *value_or(const ws_cli *cli, const char *option, const char *otherwise)
{
    const char *value = ws_cli_value(cli, option);
    return value ? value : otherwise;
}

static bool advise_read_arguments(ws_advice *a)
{
    ws_cli *cli = a->cli;
    double per_node = 1;
    const char *per;
    a->risk = 0.05;
    a->slowdown = 0.03;
    a->beyond = 2;
    a->deadline_h = a->budget_kwh = INFINITY;
    a->is_cap = ws_cli_has(cli, "cap");
    a->choice_name = value_or(cli, "cap", "gpus");
    a->time_name = value_or(cli, "time", "wall_s");
    a->energy_name = value_or(cli, "energy", "energy_kwh");
    a->error_name = ws_cli_value(cli, "error");
    a->law = ws_advice_law_find(ws_cli_value(cli, "law"));
    if (!a->law)
        return ws_cli_usage(cli, "--law must be powerlaw, floor, amdahl or usl, not '%s'", ws_cli_value(cli, "law")),
               false;
    bool usable =
        ws_data_per(cli, &per) && read_number(cli, "epochs", false, 1, &a->epochs) && ws_data_level(cli, &a->level) &&
        read_number(cli, "risk", true, 1e-6, &a->risk) && read_number(cli, "slowdown", true, 0, &a->slowdown) &&
        read_number(cli, "beyond", false, 1, &a->beyond) && read_limit(cli, "deadline", "h", &a->deadline_h) &&
        read_limit(cli, "budget", "kWh", &a->budget_kwh) && read_number(cli, "per-node", false, 1, &per_node);
    if (usable && (per_node != floor(per_node) || per_node > 1e6))
        return ws_cli_usage(cli, "--per-node '%s' is no whole number", ws_cli_value(cli, "per-node")), false;
    if (usable && a->risk >= 0.5)
        return ws_cli_usage(cli, "--risk '%s' is half or more: no deadline is kept so", ws_cli_value(cli, "risk")),
               false;
    a->per_node = (size_t)per_node;
    return usable;
}

/* From the unit in a column's name to the one that is printed; a name without a unit is in `otherwise`, in SI. */
static bool read_unit(ws_cli *cli, const char *column, ws_dimension dimension, double otherwise, double printed,
                      double *factor)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(column), &bare);
    *factor = (unit ? unit->to_si : otherwise) / printed;
    if (!unit || unit->dimension == dimension)
        return true;
    return ws_cli_usage(cli, "the column '%s' is in %s, which is no %s", column, unit->name,
                        dimension == WS_DIM_TIME ? "time" : "energy"),
           false;
}

static bool find_columns(ws_advice *a)
{
    const double hour = 3600, kwh = 3.6e6;
    return read_unit(a->cli, a->time_name, WS_DIM_TIME, 1, hour, &a->to_hours) &&
           read_unit(a->cli, a->energy_name, WS_DIM_ENERGY, kwh, kwh, &a->to_kwh) &&
           ws_data_column(a->cli, a->data, a->choice_name, &a->choice) &&
           ws_data_column(a->cli, a->data, a->time_name, &a->time) &&
           ws_data_column(a->cli, a->data, a->energy_name, &a->energy) &&
           (!a->error_name || ws_data_column(a->cli, a->data, a->error_name, &a->error));
}

/* The row of a group with the fewest GPUs. */
static size_t smallest_row(const ws_table *table, const ws_row_group *group)
{
    size_t gpus, least = group->rows[0];
    bool has_gpus = ws_table_find(table, "gpus", &gpus);
    for (size_t i = 1; i < group->n && has_gpus; i++)
        if (ws_table_number(table, gpus, group->rows[i]) < ws_table_number(table, gpus, least))
            least = group->rows[i];
    return least;
}

static bool any_per_epoch(const ws_row_groups *groups, const ws_work *works)
{
    for (size_t g = 0; g < groups->n; g++)
        if (works[g] == WS_PER_EPOCH)
            return true;
    return false;
}

/* Of each group the samples that the run on the fewest GPUs held, which may follow from a time before it is divided. */
static double *samples_of_smallest(const ws_table *data, const ws_row_groups *groups)
{
    double *samples = ws_alloc((groups->n + 1) * sizeof *samples);
    for (size_t g = 0; g < groups->n; g++)
        samples[g] =
            groups->items[g].n ? ws_work_in(data, WS_PER_SAMPLE, smallest_row(data, &groups->items[g])) : (double)NAN;
    return samples;
}

/* Where runs of unequal work are compared per epoch (or sample), advice is on one training: each time and energy is
 * multiplied back to --epochs, or to the work of the fewest GPUs. */
static void multiply_back(ws_advice *a, ws_table *data, const ws_row_groups *groups, const ws_work *works,
                          const double *samples)
{
    const size_t columns[] = {a->time, a->energy};
    for (size_t g = 0; g < groups->n; g++) {
        const ws_row_group *group = &groups->items[g];
        if (works[g] == WS_PER_RUN || !group->n)
            continue;
        double all = works[g] == WS_PER_SAMPLE ? samples[g] : ws_work_in(data, works[g], smallest_row(data, group));
        double work = works[g] == WS_PER_EPOCH && a->epochs > 0 ? a->epochs : all;
        for (size_t i = 0; i < group->n; i++)
            for (size_t c = 0; c < 2; c++)
                if (ws_grows_with_work(data->columns[columns[c]].name))
                    ws_table_set_number(data, columns[c], group->rows[i],
                                        ws_table_number(data, columns[c], group->rows[i]) * work);
        ws_notes_add(&a->out.notes, WS_FINDING_ADVICE, data->source, group->label, 0,
                     "times and energies are those of %.10g %s%s on any number of GPUs", work, ws_work_name(works[g]),
                     work == 1 ? "" : "s");
    }
}

static bool advise_varies(const ws_table *t, size_t column)
{
    for (size_t row = 1; row < t->n_rows; row++)
        if (!ws_same_cell(t, column, 0, row))
            return true;
    return false;
}

/* Unless --by says otherwise: by series, and in a table without them by what no advice is across: models, devices, and
 * caps that are not chosen among. NULL: all of it is one group. */
static const char *usual_groups(const ws_advice *a, const ws_table *data)
{
    static const char *const names[] = {"model", "device", "power_cap_w", "clock_cap_hz"};
    size_t column;
    const char *list = NULL;
    if (ws_table_find(data, "series", &column) && ws_table_has_values(data, column))
        return "series";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ws_table_find(data, names[i], &column) && column != a->choice && advise_varies(data, column))
            list = list ? ws_arena_printf(&a->cli->arena, "%s,%s", list, names[i]) : names[i];
    return list;
}

/* Once for all groups, of which a table may have a hundred thousand. */
static double energy_u_of_all(const ws_table *t)
{
    size_t *rows = ws_alloc((t->n_rows + 1) * sizeof *rows);
    for (size_t row = 0; row < t->n_rows; row++)
        rows[row] = row;
    double energy_u = ws_energy_u(t, rows, t->n_rows);
    free(rows);
    return energy_u;
}

static double find_gpus_of_node(const ws_table *t)
{
    size_t gpus, nodes;
    double most = NAN;
    if (!ws_table_find(t, "gpus", &gpus) || !ws_table_find(t, "nodes", &nodes))
        return NAN;
    for (size_t row = 0; row < t->n_rows; row++)
        most = fmax(most, ws_table_number(t, gpus, row) / ws_table_number(t, nodes, row));
    return most == floor(most) ? most : NAN;
}

static int run_advise(ws_cli *cli)
{
    ws_advice a = {.cli = cli};
    if (!advise_read_arguments(&a))
        return WS_EXIT_USAGE;
    ws_table data = {0};
    ws_row_groups groups = {0};
    const char *needed[] = {a.choice_name, a.time_name, a.energy_name, a.error_name, NULL};
    int status = ws_data_table(cli, cli->arguments[0], needed, &data);
    ws_work *works = NULL;
    double *samples = NULL;
    const char *by = ws_cli_value(cli, "by");
    a.data = &data;
    a.gpus_of_node = find_gpus_of_node(&data);
    ws_advice_table(&a.out, a.choice_name);
    a.out.synthetic = data.synthetic;
    if (status == WS_EXIT_OK &&
        (!find_columns(&a) || !ws_data_group(cli, &data, by ? by : usual_groups(&a, &data), &groups)))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK) {
        works = ws_alloc((groups.n + 1) * sizeof *works);
        samples = samples_of_smallest(&data, &groups);
        ws_data_equal_work(cli, &data, &groups, needed, 3, works);
    }
    ws_notes_append(&a.out.notes, &data.notes);
    ws_note_doubtful_runs(&data, &a.out.notes);
    if (status == WS_EXIT_OK && ws_cli_has(cli, "epochs") && !any_per_epoch(&groups, works))
        status = ws_cli_usage(cli, "--epochs is of runs that are compared per epoch, and these are compared whole "
                                   "(--per epoch compares epochs)");
    if (status == WS_EXIT_OK) {
        multiply_back(&a, &data, &groups, works, samples);
        a.energy_u = energy_u_of_all(&data);
        status = advise_groups(&a, &groups);
    }
    free(works);
    free(samples);
    ws_row_groups_free(&groups);
    ws_table_free(&a.out);
    ws_table_free(&data);
    return status;
}

const ws_command ws_command_advise = {
    .name = "advise",
    .arguments = "DATA",
    .summary = "how many GPUs, or which cap: time, energy and error weighed",
    .description =
        "Prints the measured configurations and which of them no other beats in everything (on_front; with repeats and "
        "--all-columns the probability of that), the knee of that front, and which are least in time, energy, energy x "
        "time and energy x time^2.\n\n"
        "Below these stand answers of a law through the runs, over whole nodes and up to --beyond times what was "
        "measured: the same least ones; with --deadline the fewest GPUs that miss it with a chance of at most --risk "
        "(by the upper prediction bound of the time); with --budget the most within the energy. choice_lo and "
        "choice_hi are the range of an answer over campaigns drawn from the law (0: perhaps none keeps the budget). "
        "Where the answer lies at an end of what was tried, the measured count beside that end stands for it, flagged, "
        "and the range goes on to what was tried. The energy is GPUs x power of a GPU x time; the power follows a "
        "power law of its own ('with power law' in basis), or is its mean where fewer than three counts were "
        "measured.\n\nA law is not used, and a note says why, where a parameter has a value that none can have (a time "
        "below zero), where the means bend away from it by more than 1 %, or where they miss it by more than 10 % and "
        "by more than repeats, if there are any, explain. Without a law of the power only the deadline has an "
        "answer.\n\nA measured configuration that does better than the law's answer takes its place ('(measured)' in "
        "basis). At a number that was measured, time and energy are those of the best configuration measured there. "
        "Runs that differ in their number of epochs alone are compared per epoch; the answers are for --epochs of "
        "them.\n\n--cap power_cap_w advises on a cap instead: the lowest cap, and the one of least energy, whose "
        "slow-down against the highest cap is at most --slowdown by its upper limit at 1 - --risk, among the caps "
        "measured and, from four caps on, by curves through them (in logs; not where these go another way than the "
        "caps). choice_lo and choice_hi are the interval of the place where the curves themselves decide; limited_by "
        "(--all-columns) says whether that is the energy, the slow-down or the end of the caps. "
        "Let --by keep one GPU count a group there.\n\n"
        "Of more than 1000 groups answers have no range and configurations no probability of the front.",
    .options = options,
    .example =
        "wattscale advise datasets/huber2025/scaled.csv --by series --deadline 10 --per-node 4 --exclude 'gpus<4'",
    .least = 1,
    .most = 1,
    .run = run_advise,
};
