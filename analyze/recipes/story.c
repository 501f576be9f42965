#include "analyze/recipes/story.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/recipes/story_parts.h"
#include "analyze/units.h"
#include "analyze/unusable_runs.h"
#include "core/budget.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_fact(ws_story *s, ws_wording value, const char *label)
{
    ws_page_add_fact(s->page, value.text, label);
}

/* How many runs a row stands for: more than one where the table holds means over repeats. */
static double runs_of_row(const ws_story *s, size_t row)
{
    size_t column;
    double n = 1;
    if (ws_table_find(s->runs, "n_runs", &column) && s->runs->columns[column].kind != WS_TEXT)
        n = ws_table_number(s->runs, column, row);
    return n > 1 ? n : 1;
}

/* More than the rows where a table holds means over repeats, fewer where a run stands in several series. */
static size_t runs_behind(const ws_story *s)
{
    double n = 0;
    for (size_t row = 0; row < s->runs->n_rows; row++)
        n += s->same[row] == row ? runs_of_row(s, row) : 0;
    return (size_t)n;
}

/* Of the runs, each once; a mean as often as it has runs. */
static ws_column_range spread_once(const ws_story *s, const char *name)
{
    ws_column_range spread = ws_spread_take(s->runs, name);
    size_t column;
    double n = 0;
    if (!spread.n || !ws_table_find(s->runs, name, &column))
        return spread;
    spread.sum = 0;
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        double value = ws_table_number(s->runs, column, row);
        if (s->same[row] != row || !isfinite(value))
            continue;
        spread.sum += value * runs_of_row(s, row);
        n += runs_of_row(s, row);
    }
    spread.n = (size_t)n;
    return spread;
}

/* Those that have runs: of some all runs may be left out. */
static size_t count_configurations(const ws_story *s)
{
    size_t column, n = 0;
    if (!ws_table_find(s->scale, "n_runs", &column))
        return s->scale->n_rows;
    for (size_t row = 0; row < s->scale->n_rows; row++)
        n += ws_table_number(s->scale, column, row) != 0;
    return n;
}

static void add_facts(ws_story *s)
{
    size_t n = count_configurations(s);
    size_t n_runs = runs_behind(s);
    ws_column_range gpus = ws_spread_take(s->runs, "gpus"), energy = spread_once(s, "energy_kwh");
    ws_column_range gpu_h = spread_once(s, "gpu_h");
    add_fact(s, ws_say_number((double)n_runs), n_runs == 1 ? "run" : "runs");
    add_fact(s, ws_say_number((double)n), n == 1 ? "configuration" : "configurations");
    if (gpus.n)
        add_fact(s, ws_say_range(gpus.lo, gpus.hi), "GPUs a run");
    const struct {
        ws_column_range of;
        ws_story_unit unit;
    } sums[] = {{gpu_h, ws_story_unit_of(s, "gpu_h", "GPUh")}, {energy, ws_story_energy_unit(s, energy.sum)}};
    for (size_t i = 0; i < 2; i++)
        if (sums[i].of.n)
            add_fact(s, ws_say_number(sums[i].unit.factor * sums[i].of.sum),
                     ws_arena_printf(&s->arena, "%s%sin all", sums[i].unit.name + (*sums[i].unit.name != 0),
                                     *sums[i].unit.name ? " " : ""));
}

/* "45 runs of ResNet50 on A100 with 1 to 16 GPUs make 15 configurations in the series gbs1024, gbs256, lbs256." */
static void say_runs(ws_story *s)
{
    const char *models = ws_say_texts(&s->arena, s->runs, "model", NULL),
               *devices = ws_say_texts(&s->arena, s->runs, "device", NULL);
    const char *series = ws_say_series(&s->arena, s->runs);
    ws_column_range gpus = ws_spread_take(s->runs, "gpus");
    const char *range = gpus.n ? ws_arena_printf(&s->arena, " with %s GPU%s", ws_say_range(gpus.lo, gpus.hi).text,
                                                 gpus.hi == 1 ? "" : "s")
                               : "";
    bool are_means = runs_behind(s) > s->n_runs;
    const char *rows = ws_arena_printf(
        &s->arena, "%s%s", ws_say_count(s->n_runs, are_means ? "mean" : "run", are_means ? "means" : "runs").text,
        are_means ? ws_arena_printf(&s->arena, " of %s", ws_say_count(runs_behind(s), "run", "runs").text) : "");
    ws_page_say(s->page, "%s%s%s%s%s%s make%s %s%s%s.", rows, *models ? " of " : "", models, *devices ? " on " : "",
                devices, range, s->n_runs == 1 ? "s" : "",
                ws_say_count(count_configurations(s), "configuration", "configurations").text,
                *series ? " in the series " : "", series);
    if (s->n_runs < s->runs->n_rows)
        ws_page_say(s->page, "%s in every sum: %zu rows are %zu %s.",
                    ws_say_count(s->runs->n_rows - s->n_runs,
                                 "row holds a run of another series again, which counts once",
                                 "rows hold runs of another series again, which count once")
                        .text,
                    s->runs->n_rows, s->n_runs, are_means ? "means" : "runs");
}

static void say_energy(ws_story *s)
{
    ws_column_range energy = spread_once(s, "energy_kwh"), gpu_h = spread_once(s, "gpu_h");
    ws_column_range wall = ws_spread_take(s->runs, "wall_s"), of_epoch = spread_once(s, "epoch_energy_j");
    const char *scope = ws_say_texts(&s->arena, s->runs, "energy_scope", NULL);
    ws_story_unit of_sum = ws_story_energy_unit(s, energy.sum), of_each = ws_story_energy_unit(s, energy.hi);
    ws_story_unit of_gpu_h = ws_story_unit_of(s, "gpu_h", "GPUh");
    ws_story_unit of_wall = ws_story_unit_of(s, "wall_s", "s");
    const char *each =
        energy.n > 1
            ? ws_arena_printf(&s->arena, " together, %s%s each",
                              ws_say_range(of_each.factor * energy.lo, of_each.factor * energy.hi).text, of_each.name)
            : "";
    if (energy.n)
        ws_page_say(s->page, "%s with an energy used %s%s%s%s%s.", ws_say_count(energy.n, "run", "runs").text,
                    ws_say_number(of_sum.factor * energy.sum).text, of_sum.name, each,
                    *scope ? "; the energy holds " : "", scope);
    else if (of_epoch.n)
        ws_page_say(s->page, "No run has an energy of its whole; %s that of an epoch.",
                    ws_say_count(of_epoch.n, "has", "have").text);
    else
        ws_page_say(s->page, "No run has an energy.");
    if (gpu_h.n)
        ws_page_say(s->page, "Together: %s%s.", ws_say_number(of_gpu_h.factor * gpu_h.sum).text, of_gpu_h.name);
    const char *from = ws_say_texts(&s->arena, s->runs, "wall_source", s->same);
    if (wall.n)
        ws_page_say(s->page, "A run lasted %s%s%s%s.",
                    ws_say_range(of_wall.factor * wall.lo, of_wall.factor * wall.hi).text, of_wall.name,
                    *from ? "; the time is from: " : "", from);
}

/* What stands for the time without readings. */
static const char *beyond_readings(ws_story *s, bool is_whole)
{
    const ws_note *window = ws_notes_find(&s->scale->notes, WS_FINDING_WINDOW);
    bool has_gaps = ws_notes_find(&s->scale->notes, WS_FINDING_LONG_GAP) != NULL;
    if (window)
        return ws_arena_printf(&s->arena, "; the energy is their mean power times the time of the run (%s)",
                               ws_say_count((size_t)window->count, "run", "runs").text);
    return !has_gaps ? "" : is_whole ? "; bridged gaps count as covered" : "; long gaps are counted below";
}

static void say_coverage(ws_story *s)
{
    ws_column_range coverage = ws_spread_take(s->runs, "coverage");
    const char *of = "of a run's time";
    if (!coverage.n)
        return;
    if (coverage.n < s->runs->n_rows)
        of = ws_arena_printf(&s->arena, "of the time in the %zu of %zu runs where that is known", coverage.n,
                             s->runs->n_rows);
    ws_page_say(s->page, "Readings cover %s %s%s.", ws_say_percent_range(coverage.lo, coverage.hi).text, of,
                beyond_readings(s, coverage.lo == 1));
}

static void tell_measured(ws_story *s, const char *sources)
{
    ws_page_add_section(s->page, "What was measured");
    ws_page_fold(s->page);
    say_runs(s);
    if (*sources)
        ws_page_say(s->page, "Files by format: %s.", sources);
    say_energy(s);
    say_coverage(s);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Spread over repeats relative to the mean, in the configurations that have one. */
static void say_relative_rmse(ws_story *s, const char *quantity, const char *name)
{
    size_t mean, rmse, n = 0, runs;
    if (!ws_table_find(s->scale, quantity, &mean) ||
        !ws_table_find(s->scale, ws_arena_printf(&s->arena, "%s_rmse", quantity), &rmse) ||
        !ws_table_find(s->scale, "n_runs", &runs))
        return;
    double *relative = ws_arena_alloc(&s->arena, (s->scale->n_rows + 1) * sizeof *relative);
    for (size_t row = 0; row < s->scale->n_rows; row++) {
        double value = ws_table_number(s->scale, rmse, row) / ws_table_number(s->scale, mean, row);
        if (isfinite(value) && ws_table_number(s->scale, runs, row) > 1)
            relative[n++] = value;
    }
    if (!n)
        return;
    qsort(relative, n, sizeof *relative, by_value);
    ws_page_say(s->page, "Over the repeats of a configuration the %s spreads by %s of its mean (root mean square, %s).",
                name, ws_say_percent_range(relative[0], relative[n - 1]).text,
                ws_say_count(n, "configuration", "configurations").text);
}

static void say_repeats(ws_story *s)
{
    ws_column_range n = ws_spread_take(s->scale, "n_runs");
    size_t column, single = 0;
    if (!n.n || !ws_table_find(s->scale, "n_runs", &column))
        return;
    n.lo = n.hi;
    for (size_t row = 0; row < s->scale->n_rows; row++) {
        double runs = ws_table_number(s->scale, column, row);
        single += runs == 1;
        n.lo = runs > 0 && runs < n.lo ? runs : n.lo;
    }
    ws_page_say(s->page, "%s %s run%s.", n.lo == n.hi ? "Every configuration has" : "The configurations have",
                ws_say_range(n.lo, n.hi).text, n.hi == 1 ? "" : "s");
    if (single)
        ws_page_say(s->page, "%s with a single run: nothing is known of their spread.",
                    ws_say_count(single, "configuration stands", "configurations stand").text);
}

static void take_share(ws_column_range *spread, double joules, double energy_j)
{
    double share = fabs(joules / energy_j);
    if (!(joules > 0) || !isfinite(share))
        return;
    spread->lo = spread->n && spread->lo < share ? spread->lo : share;
    spread->hi = spread->n && spread->hi > share ? spread->hi : share;
    spread->n++;
}

/* How well the energy of a run is known, and what of it differs from run to run. */
static void say_budgets(ws_story *s)
{
    ws_column_range all = {0}, sensor = {0}, sampling = {0}, bounds = {0};
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        double energy = ws_runs_get(s->runs, WS_COL_ENERGY, row), u = ws_runs_get(s->runs, WS_COL_ENERGY_U, row);
        double of_sensor = WS_COVER_95 * ws_runs_get(s->runs, WS_COL_SENSOR_U, row);
        double of_sampling = WS_COVER_95 * ws_runs_get(s->runs, WS_COL_SAMPLING_U, row);
        if (isnan(energy) || isnan(ws_runs_get(s->runs, WS_COL_ENERGY_LO, row)))
            continue;
        take_share(&all, WS_COVER_95 * u, energy);
        take_share(&sensor, of_sensor, energy);
        take_share(&sampling, of_sampling, energy);
        take_share(&bounds, WS_COVER_95 * u - hypot(of_sensor, isnan(of_sampling) ? 0 : of_sampling), energy);
    }
    if (!all.n)
        return;
    const char *by_sampling =
        sampling.n ? ws_arena_printf(&s->arena, ", %s by sampling", ws_say_percent_range(sampling.lo, sampling.hi).text)
                   : "";
    ws_page_say(
        s->page,
        "The energy of a run is known to %s (95 %%): %s by the gain of the sensors, which is common to the runs "
        "and cancels where they are compared%s%s.",
        ws_say_percent_range(all.lo, all.hi).text, ws_say_percent_range(sensor.lo, sensor.hi).text, by_sampling,
        bounds.n ? ws_arena_printf(&s->arena, ", up to %s by gaps, edges, clocks and counters",
                                   ws_say_percent(bounds.hi).text)
                 : "");
}

/* "2 of 30 runs have a doubtful energy (long-gap); they are in every number." */
static void say_verdicts(ws_story *s)
{
    size_t n_doubtful = 0, n_unusable = 0;
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (s->same[row] != row)
            continue;
        ws_energy_verdict verdict = ws_row_verdict(s->runs, row);
        n_doubtful += verdict == WS_ENERGY_VERDICT_DOUBTFUL;
        n_unusable += verdict == WS_ENERGY_VERDICT_UNUSABLE;
    }
    const char *findings = ws_say_texts(&s->arena, s->runs, "energy_findings", NULL);
    if (n_doubtful)
        ws_page_say(s->page, "The energy of %s doubtful and is in every number%s%s%s.",
                    ws_say_count(n_doubtful, "run is", "runs is").text, *findings ? " (" : "", findings,
                    *findings ? ")" : "");
    if (n_unusable)
        ws_page_say(s->page, "The energy of %s in every number, though it cannot be used.",
                    ws_say_count(n_unusable, "run is", "runs is").text);
}

static void say_findings(ws_story *s)
{
    static const struct {
        ws_finding finding;
        const char *one, *many;
    } kinds[] = {
        {WS_FINDING_LONG_GAP, "device has a gap in its readings", "devices have gaps in their readings"},
        {WS_FINDING_IMPLAUSIBLE_POWER, "finding of a power that cannot be", "findings of a power that cannot be"},
        {WS_FINDING_IMPLAUSIBLE_ENERGY, "finding of an energy that cannot be", "findings of an energy that cannot be"},
        {WS_FINDING_STUCK_SENSOR, "sensor stands still", "sensors stand still"},
        {WS_FINDING_ZERO_POWER, "device has readings of zero power", "devices have readings of zero power"},
        {WS_FINDING_IMPOSSIBLE_POWER, "device has readings that no device can have",
         "devices have readings that no device can have"},
        {WS_FINDING_CLOCK_STEP_BACK, "clock steps back", "clocks step back"},
        {WS_FINDING_NO_READINGS, "device has no readings", "devices have no readings"},
        {WS_FINDING_GPU_COUNT, "run has another number of GPUs than it says",
         "runs have another number of GPUs than they say"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = 0;
        for (size_t i = 0; i < s->scale->notes.n; i++)
            n += s->scale->notes.items[i].finding == kinds[k].finding;
        if (n)
            ws_page_say(s->page, "%s (see [%s] among the findings).", ws_say_count(n, kinds[k].one, kinds[k].many).text,
                        ws_finding_code(kinds[k].finding));
    }
}

static void tell_sure(ws_story *s)
{
    ws_page_add_section(s->page, "How sure it is");
    ws_page_fold(s->page);
    say_repeats(s);
    say_relative_rmse(s, "energy_kwh", "energy");
    say_relative_rmse(s, "wall_s", "time");
    say_budgets(s);
    const char *status = ws_say_texts(&s->arena, s->runs, "status", s->same);
    if (*status)
        ws_page_say(s->page, "Status of the runs: %s.", status);
    const char *states = ws_say_texts(&s->arena, s->runs, "job_state", s->same);
    if (*states)
        ws_page_say(s->page, "States of their jobs: %s.", states);
    say_verdicts(s);
    say_findings(s);
}

/* Findings that took something away from the numbers, or were asked to. */
static bool takes_away(ws_finding finding)
{
    return ws_finding_about(finding)->takes != WS_TAKES_NOTHING || finding == WS_FINDING_EXCLUSION_WITHOUT_EFFECT;
}

static void say_left_out(ws_story *s, size_t first, bool each)
{
    const ws_notes *notes = &s->scale->notes;
    const ws_note *note = &notes->items[first];
    size_t places = 0;
    for (size_t i = first; i < notes->n; i++)
        places += notes->items[i].finding == note->finding;
    const char *place = *note->subject ? note->subject : note->source;
    ws_page_say(s->page, "%s%s [%s]%s.", ws_label_before(&s->arena, place), note->text, ws_finding_code(note->finding),
                places > 1 && !each ? ws_arena_printf(&s->arena, ", the first of %zu places", places) : "");
}

/* "run 1, run 2": of the runs without a number in this column. */
static const char *names_without(ws_story *s, size_t column, size_t *n_missing)
{
    enum { MOST = 8, LONGEST = 60 };
    const ws_column *run = ws_table_column(s->runs, "run");
    const char *names = "";
    *n_missing = 0;
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (isfinite(ws_table_number(s->runs, column, row)) || ++*n_missing > MOST)
            continue;
        const char *name = run && run->text[row] ? ws_utf8_shorten(&s->arena, run->text[row], LONGEST)
                                                 : ws_arena_printf(&s->arena, "row %zu", row + 1);
        names = ws_arena_printf(&s->arena, "%s%s%s", names, *names ? ", " : "", ws_isolated(&s->arena, name));
    }
    return *n_missing > MOST ? ws_arena_printf(&s->arena, "%s and %zu more", names, *n_missing - MOST) : names;
}

/* Runs that stand among the others and yet not in every number. */
static size_t say_incomplete_runs(ws_story *s)
{
    static const char *const numbers[][2] = {
        {"energy_kwh", "an energy"}, {"wall_s", "a duration"}, {"gpus", "a number of GPUs"}};
    size_t said = 0, column, n;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!ws_table_find(s->runs, numbers[i][0], &column))
            continue;
        const char *names = names_without(s, column, &n), *what = strchr(numbers[i][1], ' ') + 1;
        said += n > 0;
        if (n && n == s->runs->n_rows)
            ws_page_say(s->page, "No run has %s.", numbers[i][1]);
        else if (n)
            ws_page_say(s->page, "%zu of %zu runs %s no %s and stand%s in no sum or mean of it: %s.", n,
                        s->runs->n_rows, n == 1 ? "has" : "have", what, n == 1 ? "s" : "", names);
    }
    return said;
}

static void tell_left_out(ws_story *s)
{
    const ws_notes *notes = &s->scale->notes;
    ws_page_add_section(s->page, "What was left out");
    ws_page_fold(s->page);
    size_t said = say_incomplete_runs(s);
    for (size_t i = 0; i < notes->n; i++) {
        bool each = notes->items[i].finding == WS_FINDING_EXCLUDED;
        if (!takes_away(notes->items[i].finding) ||
            (!each && ws_notes_find(notes, notes->items[i].finding) != &notes->items[i]))
            continue;
        say_left_out(s, i, each);
        said++;
    }
    if (!said)
        ws_page_say(s->page, "Nothing: every run, file and reading that was found is in the numbers.");
}

ws_status ws_story_tell(const ws_table *runs, const ws_table *scale, const char *sources, ws_page *page,
                        ws_error *error)
{
    ws_story s = {.runs = runs, .scale = scale, .page = page};
    ws_series_init(&s.series, runs, scale);
    s.same = ws_arena_alloc(&s.arena, (runs->n_rows + 1) * sizeof *s.same);
    ws_units_same_runs(runs, s.same, NULL);
    for (size_t row = 0; row < runs->n_rows; row++)
        s.n_runs += s.same[row] == row;
    add_facts(&s);
    ws_status status = ws_story_short(&s, error);
    tell_measured(&s, sources);
    tell_sure(&s);
    if (status == WS_OK)
        status = ws_story_highlights(&s, error);
    tell_left_out(&s);
    ws_series_free(&s.series);
    ws_arena_free(&s.arena);
    return status;
}
