/* What stands out: speed-ups, scaling exponents, energy per GPUh, and the extremes among the configurations. */
#include "analyze/recipes/story_parts.h"

#include "fit/fit.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;

static const char *series_name(ws_story *s, const ws_series *series)
{
    enum { LONGEST = 60 }; /* a longer word finds no end of a line on paper */
    return ws_label_before(&s->arena, ws_utf8_shorten(&s->arena, series->label, LONGEST));
}

/* Times of runs that trained for different numbers of epochs are times of different work. */
static const char *unequal_epochs(ws_story *s, const ws_series *series, size_t best)
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
static void say_speedup(ws_story *s, const ws_series *series)
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

/* How many different x, which ascend. */
static size_t count_x(const ws_points *points)
{
    size_t count = points->n > 0;
    for (size_t i = 1; i < points->n; i++)
        count += points->x[i] > points->x[i - 1];
    return count;
}

/* "10 runs at 2 GPU counts", so that repeats do not pass for GPU counts. */
static const char *runs_at(ws_story *s, size_t n_runs, size_t gpu_counts)
{
    const char *runs = ws_arena_strdup(&s->arena, ws_say_count(n_runs, "run", "runs").text);
    if (!gpu_counts || gpu_counts == n_runs)
        return runs;
    return ws_arena_printf(&s->arena, "%s at %s", runs, ws_say_count(gpu_counts, "GPU count", "GPU counts").text);
}

static ws_status say_factor(ws_story *s, const ws_series *series, ws_error *error)
{
    double full;
    ws_row_list rows = ws_whole_nodes(&s->arena, s->runs, &series->runs, &full);
    ws_points p = ws_points_take(&s->arena, s->runs, &rows, "gpu_h", "energy_kwh", NULL);
    ws_points by_gpus = ws_points_take(&s->arena, s->runs, &rows, "gpus", "energy_kwh", NULL);
    ws_fit fit = {0};
    ws_status status = ws_fit_origin(p.x, p.y, p.n, LEVEL, &fit, NULL, error);
    const ws_estimate *slope = ws_fit_estimate(&fit, "slope");
    if (status != WS_OK || !slope || !isfinite(slope->ci_lo))
        return status;
    bool is_cut = rows.n < series->runs.n;
    ws_page_say(s->page, "%s%s kWh per GPUh (least squares through the origin; 95 %%: %s; %s%s%s).",
                series_name(s, series), ws_say_pair(slope->value, slope->se).text,
                ws_say_interval(slope->ci_lo, slope->ci_hi).text, runs_at(s, p.n, count_x(&by_gpus)),
                is_cut ? " on whole nodes of " : "",
                is_cut ? ws_arena_printf(&s->arena, "%s GPUs", ws_say_number(full).text) : "");
    return WS_OK;
}

static ws_status say_exponent(ws_story *s, const ws_series *series, ws_error *error)
{
    const char *column = ws_time_column(s->runs), *name = series_name(s, series);
    ws_points p = ws_points_take(&s->arena, s->runs, &series->runs, "gpus", column, NULL);
    const char *what = strcmp(column, "epoch_s") == 0 ? "the time per epoch" : "the run time";
    ws_fit fit = {0};
    ws_status status = ws_fit_powerlaw(p.x, p.y, p.n, LEVEL, &fit, NULL, error);
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    if (status != WS_OK || !exponent || !isfinite(exponent->ci_lo))
        return status;
    size_t gpu_counts = count_x(&p);
    ws_page_say(s->page, "%s%s goes as GPUs to the power of %s (95 %%: %s; %s, R² %s in logarithms).%s", name,
                *name ? what : ws_say_title(&s->arena, what), ws_say_pair(exponent->value, exponent->se).text,
                ws_say_interval(exponent->ci_lo, exponent->ci_hi).text, runs_at(s, p.n, gpu_counts),
                ws_say_r2(fit.r2).text,
                gpu_counts == 2 ? " Two GPU counts cannot show whether a power law holds." : "");
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
static const char *configuration_name(ws_story *s, size_t row)
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
        cell = ws_isolated(&s->arena, cell);
        bool is_gpus = strcmp(parts[i].column, "gpus") == 0;
        name = ws_arena_printf(&s->arena, "%s%s%s%s%s", name, *name ? ", " : "", parts[i].before, cell,
                               is_gpus ? strcmp(cell, "1") == 0 ? " GPU" : " GPUs" : parts[i].behind);
    }
    return name;
}

static void say_extremes(ws_story *s, const char *quantity, const char *most, const char *least, const char *unit)
{
    ws_spread_of spread = ws_spread_take(s->scale, quantity);
    if (spread.n > 1 && spread.lo < spread.hi)
        ws_page_say(s->page, "%s: %s%s (%s); %s: %s%s (%s).", most, ws_say_number(spread.hi).text, unit,
                    configuration_name(s, spread.at_hi), least, ws_say_number(spread.lo).text, unit,
                    configuration_name(s, spread.at_lo));
}

static void say_shares(ws_story *s)
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

static size_t sentences_of(const ws_story *s)
{
    return s->page->sections[s->page->n_sections - 1].sentences.n;
}

ws_status ws_story_highlights(ws_story *s, ws_error *error)
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
