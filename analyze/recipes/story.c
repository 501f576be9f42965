#include "analyze/recipes/story.h"

#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/story_words.h"
#include "core/text.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;

typedef struct story {
    const ws_table *runs, *scale;
    ws_series_list series;
    ws_page *page;
    ws_arena arena;
} story;

static void add_fact(story *s, ws_said value, const char *label)
{
    ws_page_add_fact(s->page, value.text, label);
}

/* More than the rows where a table holds means over repeats. */
static size_t runs_behind(const story *s)
{
    ws_spread_of n = ws_spread_take(s->scale, "n_runs");
    return n.sum > (double)s->runs->n_rows ? (size_t)n.sum : s->runs->n_rows;
}

static void add_facts(story *s)
{
    size_t n_runs = runs_behind(s);
    ws_spread_of gpus = ws_spread_take(s->runs, "gpus"), energy = ws_spread_take(s->runs, "energy_kwh");
    ws_spread_of gpu_h = ws_spread_take(s->runs, "gpu_h");
    add_fact(s, ws_say_number((double)n_runs), n_runs == 1 ? "run" : "runs");
    add_fact(s, ws_say_number((double)s->scale->n_rows), s->scale->n_rows == 1 ? "configuration" : "configurations");
    if (gpus.n)
        add_fact(s, ws_say_range(gpus.lo, gpus.hi), "GPUs a run");
    if (gpu_h.n)
        add_fact(s, ws_say_number(gpu_h.sum), "GPUh in all");
    if (energy.n)
        add_fact(s, ws_say_number(energy.sum), "kWh in all");
}

/* "45 runs of ResNet50 on A100 with 1 to 16 GPUs make 15 configurations in the series gbs1024, gbs256, lbs256." */
static void say_runs(story *s)
{
    const char *models = ws_say_texts(&s->arena, s->runs, "model", false),
               *devices = ws_say_texts(&s->arena, s->runs, "device", false);
    const char *series = ws_say_series(&s->arena, s->runs);
    ws_spread_of gpus = ws_spread_take(s->runs, "gpus");
    const char *range = gpus.n ? ws_arena_printf(&s->arena, " with %s GPU%s", ws_say_range(gpus.lo, gpus.hi).text,
                                                 gpus.hi == 1 ? "" : "s")
                               : "";
    ws_page_say(s->page, "%s%s%s%s%s%s make%s %s%s%s.", ws_say_count(s->runs->n_rows, "run", "runs").text,
                *models ? " of " : "", models, *devices ? " on " : "", devices, range, s->runs->n_rows == 1 ? "s" : "",
                ws_say_count(s->scale->n_rows, "configuration", "configurations").text,
                *series ? " in the series " : "", series);
    if (runs_behind(s) > s->runs->n_rows)
        ws_page_say(s->page, "These runs are means: %s stand behind them.",
                    ws_say_count(runs_behind(s), "run", "runs").text);
}

static void say_energy(story *s)
{
    ws_spread_of energy = ws_spread_take(s->runs, "energy_kwh"), gpu_h = ws_spread_take(s->runs, "gpu_h");
    ws_spread_of wall = ws_spread_take(s->runs, "wall_s");
    const char *scope = ws_say_texts(&s->arena, s->runs, "energy_scope", false);
    const char *each =
        energy.n > 1 ? ws_arena_printf(&s->arena, " together, %s kWh each", ws_say_range(energy.lo, energy.hi).text)
                     : "";
    if (energy.n)
        ws_page_say(s->page, "%s with an energy used %s kWh%s%s%s.", ws_say_count(energy.n, "run", "runs").text,
                    ws_say_number(energy.sum).text, each, *scope ? "; the energy holds " : "", scope);
    else
        ws_page_say(s->page, "No run has an energy.");
    if (gpu_h.n)
        ws_page_say(s->page, "Together: %s GPUh.", ws_say_number(gpu_h.sum).text);
    const char *from = ws_say_texts(&s->arena, s->runs, "wall_source", true);
    if (wall.n)
        ws_page_say(s->page, "A run lasted %s s%s%s.", ws_say_range(wall.lo, wall.hi).text,
                    *from ? "; the time is from: " : "", from);
}

/* What stands for the time without readings. */
static const char *beyond_readings(story *s, bool is_whole)
{
    const ws_note *window = ws_notes_find(&s->scale->notes, "window");
    bool has_gaps = ws_notes_find(&s->scale->notes, "long-gap") != NULL;
    if (window)
        return ws_arena_printf(&s->arena, "; the energy is their mean power times the time of the run (%s)",
                               ws_say_count((size_t)window->count, "run", "runs").text);
    return !has_gaps ? "" : is_whole ? "; bridged gaps count as covered" : "; long gaps are counted below";
}

static void say_coverage(story *s)
{
    ws_spread_of coverage = ws_spread_take(s->runs, "coverage");
    const char *of = "of a run's time";
    if (!coverage.n)
        return;
    if (coverage.n < s->runs->n_rows)
        of = ws_arena_printf(&s->arena, "of the time in the %zu of %zu runs where that is known", coverage.n,
                             s->runs->n_rows);
    ws_page_say(s->page, "Readings cover %s %s%s.", ws_say_percent_range(coverage.lo, coverage.hi).text, of,
                beyond_readings(s, coverage.lo == 1));
}

static void tell_measured(story *s, const char *sources)
{
    ws_page_add_section(s->page, "What was measured");
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
static void say_relative_rmse(story *s, const char *quantity, const char *name)
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

static void say_repeats(story *s)
{
    ws_spread_of n = ws_spread_take(s->scale, "n_runs");
    size_t column, single = 0;
    if (!n.n || !ws_table_find(s->scale, "n_runs", &column))
        return;
    for (size_t row = 0; row < s->scale->n_rows; row++)
        single += ws_table_number(s->scale, column, row) == 1;
    ws_page_say(s->page, "%s %s run%s.", n.lo == n.hi ? "Every configuration has" : "The configurations have",
                ws_say_range(n.lo, n.hi).text, n.hi == 1 ? "" : "s");
    if (single)
        ws_page_say(s->page, "%s with a single run: nothing is known of their spread.",
                    ws_say_count(single, "configuration stands", "configurations stand").text);
}

static void say_findings(story *s)
{
    static const struct {
        const char *code, *one, *many;
    } kinds[] = {
        {"long-gap", "device has a gap in its readings", "devices have gaps in their readings"},
        {"implausible-power", "finding of a power that cannot be", "findings of a power that cannot be"},
        {"implausible-energy", "finding of an energy that cannot be", "findings of an energy that cannot be"},
        {"stuck-sensor", "sensor stands still", "sensors stand still"},
        {"zero-power", "device has readings of zero power", "devices have readings of zero power"},
        {"time-steps-back", "clock steps back", "clocks step back"},
        {"no-readings", "device has no readings", "devices have no readings"},
        {"gpu-count", "run has another number of GPUs than it says", "runs have another number of GPUs than they say"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = 0;
        for (size_t i = 0; i < s->scale->notes.n; i++)
            n += strcmp(s->scale->notes.items[i].code, kinds[k].code) == 0;
        if (n)
            ws_page_say(s->page, "%s (see [%s] among the findings).", ws_say_count(n, kinds[k].one, kinds[k].many).text,
                        kinds[k].code);
    }
}

static void tell_sure(story *s)
{
    ws_page_add_section(s->page, "How sure it is");
    say_repeats(s);
    say_relative_rmse(s, "energy_kwh", "energy");
    say_relative_rmse(s, "wall_s", "time");
    const char *status = ws_say_texts(&s->arena, s->runs, "status", true);
    if (*status)
        ws_page_say(s->page, "Status of the runs: %s.", status);
    say_findings(s);
}

static const char *series_name(story *s, const ws_series *series)
{
    enum { LONGEST = 60 }; /* a longer word finds no end of a line on paper */
    return ws_label_before(&s->arena, ws_utf8_shorten(&s->arena, series->label, LONGEST));
}

/* Times of runs that trained for different numbers of epochs are times of different work. */
static const char *unequal_epochs(story *s, const ws_series *series, size_t best)
{
    size_t epochs, wall, speedup;
    if (!ws_table_find(s->scale, "epochs", &epochs) || !ws_table_find(s->scale, "wall_s", &wall) ||
        !ws_table_find(s->scale, "speedup", &speedup) || isnan(ws_table_number(s->scale, wall, best)))
        return "";
    for (size_t i = 0; i < series->configurations.n; i++) {
        size_t row = series->configurations.rows[i];
        double of_reference = ws_table_number(s->scale, epochs, row), of_best = ws_table_number(s->scale, epochs, best);
        bool differ = of_reference < of_best || of_reference > of_best;
        if (ws_table_number(s->scale, speedup, row) == 1 && differ)
            return ws_arena_printf(&s->arena,
                                   " These runs differ in epochs (%s against %s): the times are those of unequal work.",
                                   ws_say_number(of_best).text, ws_say_number(of_reference).text);
    }
    return "";
}

/* The configuration of a series with the most GPUs against its reference. */
static void say_speedup(story *s, const ws_series *series)
{
    size_t gpus, speedup, efficiency, speedup_se, efficiency_se;
    const ws_table *t = s->scale;
    if (!ws_table_find(t, "gpus", &gpus) || !ws_table_find(t, "speedup", &speedup) ||
        !ws_table_find(t, "efficiency", &efficiency) || !ws_table_find(t, "speedup_se", &speedup_se) ||
        !ws_table_find(t, "efficiency_se", &efficiency_se))
        return;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < series->configurations.n; i++) {
        size_t row = series->configurations.rows[i];
        if (isfinite(ws_table_number(t, speedup, row)) &&
            (best == SIZE_MAX || ws_table_number(t, gpus, row) > ws_table_number(t, gpus, best)))
            best = row;
    }
    if (best == SIZE_MAX || series->configurations.n < 2)
        return;
    char buffer[WS_DOUBLE_TEXT];
    const ws_column *reference = ws_table_column(t, "reference"), *kind = ws_table_column(t, "scaling");
    ws_page_say(s->page, "%s%s GPUs are %s times as fast as the reference (%s), an efficiency of %s%s%s%s.%s",
                series_name(s, series), ws_table_cell_text(t, gpus, best, buffer),
                ws_say_pair(ws_table_number(t, speedup, best), ws_table_number(t, speedup_se, best)).text,
                reference && reference->text[best] ? reference->text[best] : "its fewest GPUs",
                ws_say_pair(ws_table_number(t, efficiency, best), ws_table_number(t, efficiency_se, best)).text,
                kind && kind->text[best] ? " (" : "", kind && kind->text[best] ? kind->text[best] : "",
                kind && kind->text[best] ? " scaling)" : "", unequal_epochs(s, series, best));
}

static ws_status say_factor(story *s, const ws_series *series, ws_error *error)
{
    double full;
    ws_row_list rows = ws_whole_nodes(&s->arena, s->runs, &series->runs, &full);
    ws_points p = ws_points_take(&s->arena, s->runs, &rows, "gpu_h", "energy_kwh", NULL);
    ws_fit fit = {0};
    ws_status status = ws_fit_origin(p.x, p.y, p.n, LEVEL, &fit, NULL, error);
    const ws_estimate *slope = ws_fit_estimate(&fit, "slope");
    if (status != WS_OK || !slope || !isfinite(slope->ci_lo))
        return status;
    bool is_cut = rows.n < series->runs.n;
    ws_page_say(s->page, "%s%s kWh per GPUh (least squares through the origin; 95 %%: %s; %s%s%s).",
                series_name(s, series), ws_say_pair(slope->value, slope->se).text,
                ws_say_interval(slope->ci_lo, slope->ci_hi).text, ws_say_count(p.n, "run", "runs").text,
                is_cut ? " on whole nodes of " : "",
                is_cut ? ws_arena_printf(&s->arena, "%s GPUs", ws_say_number(full).text) : "");
    return WS_OK;
}

static ws_status say_exponent(story *s, const ws_series *series, ws_error *error)
{
    const char *column = ws_time_column(s->runs), *name = series_name(s, series);
    ws_points p = ws_points_take(&s->arena, s->runs, &series->runs, "gpus", column, NULL);
    const char *what = strcmp(column, "epoch_s") == 0 ? "the time per epoch" : "the run time";
    ws_fit fit = {0};
    ws_status status = ws_fit_powerlaw(p.x, p.y, p.n, LEVEL, &fit, NULL, error);
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    if (status != WS_OK || !exponent || !isfinite(exponent->ci_lo))
        return status;
    ws_page_say(s->page, "%s%s goes as GPUs to the power of %s (95 %%: %s; %s, R² %s in logarithms).", name,
                *name ? what : ws_say_title(&s->arena, what), ws_say_pair(exponent->value, exponent->se).text,
                ws_say_interval(exponent->ci_lo, exponent->ci_hi).text, ws_say_count(p.n, "run", "runs").text,
                ws_say_r2(fit.r2).text);
    return WS_OK;
}

static bool varies(const ws_table *table, size_t column)
{
    char first[WS_DOUBLE_TEXT], other[WS_DOUBLE_TEXT];
    for (size_t row = 1; row < table->n_rows; row++)
        if (strcmp(ws_table_cell_text(table, column, 0, first), ws_table_cell_text(table, column, row, other)) != 0)
            return true;
    return false;
}

/* "GBS 256, 16 GPUs": by what tells it from the others. */
static const char *configuration_name(story *s, size_t row)
{
    static const struct {
        const char *column, *before, *behind;
    } parts[] = {{"series", "", ""},
                 {"model", "", ""},
                 {"device", "", ""},
                 {"gpus", "", ""},
                 {"lbs", "local batch size ", ""},
                 {"power_cap_w", "", " W"}};
    char buffer[WS_DOUBLE_TEXT];
    const char *name = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t column;
        if (!ws_table_find(s->scale, parts[i].column, &column) || ws_table_is_missing(s->scale, column, row) ||
            !varies(s->scale, column))
            continue;
        const char *cell = ws_table_cell_text(s->scale, column, row, buffer);
        if (strcmp(parts[i].column, "series") == 0)
            cell = ws_series_spelled(&s->arena, "series", cell);
        bool is_gpus = strcmp(parts[i].column, "gpus") == 0;
        name = ws_arena_printf(&s->arena, "%s%s%s%s%s", name, *name ? ", " : "", parts[i].before, cell,
                               is_gpus ? strcmp(cell, "1") == 0 ? " GPU" : " GPUs" : parts[i].behind);
    }
    return name;
}

static void say_extremes(story *s, const char *quantity, const char *most, const char *least, const char *unit)
{
    ws_spread_of spread = ws_spread_take(s->scale, quantity);
    if (spread.n > 1 && spread.lo < spread.hi)
        ws_page_say(s->page, "%s: %s%s (%s); %s: %s%s (%s).", most, ws_say_number(spread.hi).text, unit,
                    configuration_name(s, spread.at_hi), least, ws_say_number(spread.lo).text, unit,
                    configuration_name(s, spread.at_lo));
}

static void say_shares(story *s)
{
    static const char *const shares[][2] = {{"gpu_share", "GPUs"}, {"cpu_share", "CPUs"}, {"dram_share", "DRAM"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        ws_spread_of share = ws_spread_take(s->scale, shares[i][0]);
        if (share.n)
            text = ws_arena_printf(&s->arena, "%s%s %s %s", text, *text ? "," : "", shares[i][1],
                                   ws_say_percent_range(share.lo, share.hi).text);
    }
    if (*text)
        ws_page_say(s->page, "Shares of the energy:%s.", text);
}

static size_t sentences_of(const story *s)
{
    return s->page->sections[s->page->n_sections - 1].sentences.n;
}

static ws_status tell_outstanding(story *s, ws_error *error)
{
    ws_status status = WS_OK;
    ws_page_add_section(s->page, "What stands out");
    for (size_t i = 0; i < s->series.n; i++)
        say_speedup(s, &s->series.items[i]);
    size_t before = sentences_of(s);
    for (size_t i = 0; status == WS_OK && i < s->series.n; i++)
        status = say_exponent(s, &s->series.items[i], error);
    if (sentences_of(s) > before)
        ws_page_say(s->page, "An exponent of −1 is ideal strong scaling, 0 ideal weak scaling.");
    for (size_t i = 0; status == WS_OK && i < s->series.n; i++)
        status = say_factor(s, &s->series.items[i], error);
    say_extremes(s, "kwh_per_gpuh", "Most energy per GPUh", "least", " kWh");
    say_extremes(s, "wh_per_sample_seen", "Most energy per sample seen", "least", " Wh");
    say_shares(s);
    if (!sentences_of(s))
        ws_page_say(s->page, "The campaign has too few numbers of GPUs, times or energies to compare.");
    return status;
}

/* Findings that took something away from the numbers. */
static bool takes_away(const char *code)
{
    static const char *const codes[] = {"excluded",       "exclusion-without-effect",
                                        "failed-run",     "unreadable",
                                        "unmatched-file", "incomplete-row",
                                        "not-counted",    "no-readings",
                                        "bad-line",       "ragged-row",
                                        "truncated-line", "unreadable-cell",
                                        "bad-time",       "impossible-value",
                                        "no-energy",      "column-set-aside"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return false;
}

static void say_left_out(story *s, size_t first, bool each)
{
    const ws_notes *notes = &s->scale->notes;
    const ws_note *note = &notes->items[first];
    size_t places = 0;
    for (size_t i = first; i < notes->n; i++)
        places += strcmp(notes->items[i].code, note->code) == 0;
    const char *place = *note->subject ? note->subject : note->source;
    ws_page_say(s->page, "%s%s%s [%s]%s.", place, *place ? ": " : "", note->text, note->code,
                places > 1 && !each ? ws_arena_printf(&s->arena, ", the first of %zu places", places) : "");
}

static void tell_left_out(story *s)
{
    const ws_notes *notes = &s->scale->notes;
    size_t said = 0;
    ws_page_add_section(s->page, "What was left out");
    for (size_t i = 0; i < notes->n; i++) {
        bool each = strcmp(notes->items[i].code, "excluded") == 0;
        if (!takes_away(notes->items[i].code) ||
            (!each && ws_notes_find(notes, notes->items[i].code) != &notes->items[i]))
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
    story s = {.runs = runs, .scale = scale, .page = page};
    ws_series_init(&s.series, runs, scale);
    add_facts(&s);
    tell_measured(&s, sources);
    tell_sure(&s);
    ws_status status = tell_outstanding(&s, error);
    tell_left_out(&s);
    ws_series_free(&s.series);
    ws_arena_free(&s.arena);
    return status;
}
