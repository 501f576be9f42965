/* What stands out: speed-ups, scaling exponents, energy per GPUh, and the extremes among the configurations. */
#include "analyze/recipes/story_parts.h"
#include "analyze/same_rows.h"

#include "core/text.h"
#include "fit/estimate.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;
enum {
    MOST_SERIES = 6,  /* with sentences of their own */
    LONGEST_NAME = 60 /* a longer word finds no end of a line on paper */
};

const char *ws_series_before(ws_story *s, const ws_series *series)
{
    return ws_label_before(&s->arena, ws_utf8_shorten(&s->arena, series->label, LONGEST_NAME));
}

const char *ws_series_name(ws_story *s, const ws_series *series)
{
    return ws_isolated(&s->arena, ws_utf8_shorten(&s->arena, series->label, LONGEST_NAME));
}

/* "gpus=4" or "nodes=4", and what stands before it where it is of another series. */
const char *ws_story_reference(ws_story *s, size_t row)
{
    const ws_column *column = ws_table_column(s->scale, "reference");
    const char *name = column && column->text && column->text[row] ? column->text[row] : "";
    const ws_look *look = ws_look_of_value(s->scale->looks, "reference", name);
    name = look && look->name ? look->name : name;
    const char *last = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name, *number = strchr(last, '=');
    double n;
    if (!*name)
        return "its fewest GPUs";
    if (!number || number[-1] != 's' || !ws_span_double(ws_span_of(number + 1), &n))
        return ws_arena_printf(&s->arena, "the reference (%s)", name);
    ws_span unit = {last, (size_t)(number - last) - 1};
    const char *what = ws_span_eq(unit, "gpu") ? "GPU" : ws_arena_strndup(&s->arena, unit.p, unit.n);
    const char *count = n == 1 ? ws_arena_printf(&s->arena, "one %s", what)
                               : ws_arena_printf(&s->arena, "%s %ss", ws_say_number(n).text, what);
    return last == name ? count : ws_arena_printf(&s->arena, "%s of %.*s", count, (int)(last - name) - 1, name);
}

/* Times of runs that trained for different numbers of epochs are times of different work, unless those of an epoch are
 * compared. */
static const char *unequal_epochs(ws_story *s, const ws_series *series, size_t best)
{
    size_t epochs, wall, speedup, per;
    const char *work = ws_table_find(s->scale, "per", &per) ? s->scale->columns[per].text[best] : NULL;
    if (work && strcmp(work, "run") != 0)
        return ws_arena_printf(&s->arena, " Compared is the time of one %s.", work);
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
        !ws_table_find(t, "efficiency", &efficiency) || !ws_table_find(t, "speedup_pooled_se", &speedup_se) ||
        !ws_table_find(t, "efficiency_pooled_se", &efficiency_se))
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
    const ws_column *kind = ws_table_column(t, "scaling");
    const char *scaling = kind && kind->text[best] ? kind->text[best] : "",
               *count = ws_table_cell_text(t, gpus, best, buffer);
    const char *reached =
        ws_say_pair(ws_table_number(t, efficiency, best), ws_table_number(t, efficiency_se, best)).text;
    double ratio = ws_table_number(t, speedup, best);
    if (strcmp(scaling, "weak") == 0)
        ws_page_say(
            s->page,
            "%s%s GPUs take %s times the time of %s, for work that grows with them: a speed-up and an efficiency of "
            "%s (weak scaling).%s",
            ws_series_before(s, series), count,
            ws_say_pair(1 / ratio, ws_table_number(t, speedup_se, best) / (ratio * ratio)).text,
            ws_story_reference(s, best), reached, unequal_epochs(s, series, best));
    else
        ws_page_say(s->page, "%s%s GPUs are %s times as fast as %s, an efficiency of %s%s%s%s.%s",
                    ws_series_before(s, series), count, ws_say_pair(ratio, ws_table_number(t, speedup_se, best)).text,
                    ws_story_reference(s, best), reached, *scaling ? " (" : "", scaling, *scaling ? " scaling)" : "",
                    unequal_epochs(s, series, best));
}

/* "10 runs at 5 configurations", so that repeats do not pass for points of their own. */
static const char *runs_of(ws_story *s, const ws_points *p)
{
    if (p->n_runs == p->n)
        return ws_arena_strdup(&s->arena, ws_say_count(p->n, "configuration", "configurations").text);
    return ws_arena_printf(&s->arena, "%s, means of %zu runs",
                           ws_say_count(p->n, "configuration", "configurations").text, p->n_runs);
}

static ws_status say_factor(ws_story *s, const ws_series *series, ws_error *error)
{
    double least, most;
    ws_series_ratios r;
    ws_status status = ws_series_factor(&s->arena, s->runs, &series->runs, LEVEL, &r, error);
    const ws_estimate *ratio = ws_fit_estimate(&r.fit, "mean-of-ratios");
    if (status != WS_OK || !ratio || !isfinite(ratio->value))
        return status;
    bool is_cut = r.rows.n<series->runs.n, are_runs = r.points.n> series->configurations.n;
    const char *of = ws_arena_printf(
        &s->arena, "%s%s%s", are_runs ? ws_say_count(r.points.n, "run", "runs").text : runs_of(s, &r.points),
        is_cut ? " on whole nodes of " : "",
        is_cut ? ws_arena_printf(&s->arena, "%s GPUs", ws_say_number(r.gpus_a_node).text) : "");
    ws_ratio_range(r.points.x, r.points.y, r.points.n, &least, &most);
    ws_story_unit unit = ws_story_unit_of(s, "kwh_per_gpuh", "kWh");
    double f = unit.factor;
    const char *single =
        ws_arena_printf(&s->arena, "%s to %s", ws_say_digits(f * least, 3).text, ws_say_digits(f * most, 3).text);
    const char *name = ws_series_before(s, series);
    if (!r.is_single)
        ws_page_say(s->page, "%sNo single factor: %s%s per GPUh, since %s; %s.", name,
                    ws_ratios_are(&s->arena, &r.points, f), unit.name, r.why, of);
    else if (r.fit.status == WS_FIT_OK && isfinite(ratio->ci_lo))
        ws_page_say(s->page, "%s%s%s per GPUh (mean of ratios; 95 %%: %s; single ratios %s; %s).", name,
                    ws_say_pair(f * ratio->value, f * ratio->se).text, unit.name,
                    ws_say_interval(f * ratio->ci_lo, f * ratio->ci_hi).text, single, of);
    else
        ws_page_say(s->page, "%s%s%s per GPUh (%s).", name, ws_say_number(f * ratio->value).text, unit.name, of);
    return WS_OK;
}

static ws_status say_exponent(ws_story *s, const ws_series *series, ws_error *error)
{
    const char *column = ws_time_column(s->runs, s->scale), *name = ws_series_before(s, series);
    ws_points p = ws_points_of_configurations(&s->arena, s->runs, &series->runs, "gpus", column, true);
    const char *what = strcmp(column, "epoch_s") == 0 ? "the time per epoch" : "the run time";
    ws_fit fit = {0};
    ws_status status = ws_fit_powerlaw_unequal(p.x, p.y, p.n, LEVEL, &fit, NULL, error);
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    if (status != WS_OK || !exponent || !isfinite(exponent->value))
        return status;
    const char *interval =
        fit.status == WS_FIT_OK && isfinite(exponent->ci_lo)
            ? ws_arena_printf(&s->arena, "95 %%: %s; ", ws_say_interval(exponent->ci_lo, exponent->ci_hi).text)
            : "";
    const char *quality = p.n > 2 ? ws_arena_printf(&s->arena, ", R² %s in logarithms", ws_say_r2(fit.r2).text) : "";
    ws_page_say(
        s->page, "%s%s goes as GPUs to the power of %s (%s%s%s).%s", name, *name ? what : ws_say_title(&s->arena, what),
        ws_say_pair(exponent->value, fit.status == WS_FIT_OK ? exponent->se : NAN).text, interval, runs_of(s, &p),
        quality, p.n == 2 ? " Two configurations cannot show whether a power law holds, and give it no interval." : "");
    return WS_OK;
}

static bool report_highlights_varies_in(const ws_table *table, const char *name)
{
    size_t column;
    return ws_table_find(table, name, &column) && ws_column_varies(table, column);
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
                 {"power_cap_w", "", " W"},
                 {"clock_cap_hz", "", ""}};
    char buffer[WS_DOUBLE_TEXT];
    const char *name = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t column;
        if (!ws_table_find(s->scale, parts[i].column, &column) || ws_table_is_missing(s->scale, column, row) ||
            !ws_column_varies(s->scale, column))
            continue;
        const char *cell = ws_table_cell_text(s->scale, column, row, buffer);
        const ws_look *look = ws_look_of_value(s->scale->looks, parts[i].column, cell);
        bool is_named = look && look->name, is_gpus = strcmp(parts[i].column, "gpus") == 0 && !is_named;
        const char *behind = is_gpus ? strcmp(cell, "1") == 0 ? " GPU" : " GPUs" : parts[i].behind;
        const char *spelled = ws_series_spelled(s->scale->looks, &s->arena, parts[i].column, cell);
        if (ws_label_has_part(name, spelled))
            continue; /* the name of the series says it */
        if (strcmp(parts[i].column, "series") == 0 || strcmp(parts[i].column, "clock_cap_hz") == 0)
            cell = spelled;
        cell = ws_isolated(&s->arena, is_named ? look->name : cell);
        name = ws_arena_printf(&s->arena, "%s%s%s%s%s", name, *name ? ", " : "", is_named ? "" : parts[i].before, cell,
                               is_named ? "" : behind);
    }
    return name;
}

/* unit: NULL for energies, which have theirs by their size. */
static void say_extremes(ws_story *s, const char *quantity, const char *most, const char *least, const char *unit)
{
    ws_column_range spread = ws_spread_take(s->scale, quantity);
    ws_story_unit of = unit ? ws_story_unit_of(s, quantity, unit) : ws_story_energy_unit(s, spread.hi);
    if (spread.n > 1 && spread.lo < spread.hi)
        ws_page_say(s->page, "%s: %s%s (%s); %s: %s%s (%s).", most, ws_say_number(of.factor * spread.hi).text, of.name,
                    configuration_name(s, spread.at_hi), least, ws_say_number(of.factor * spread.lo).text, of.name,
                    configuration_name(s, spread.at_lo));
}

static void say_shares(ws_story *s)
{
    static const char *const shares[][2] = {{"gpu_share", "GPUs"}, {"cpu_share", "CPUs"}, {"dram_share", "DRAM"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        ws_column_range share = ws_spread_take(s->scale, shares[i][0]);
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
    ws_page_fold(s->page);
    size_t n = s->series.n < MOST_SERIES ? s->series.n : MOST_SERIES;
    for (size_t i = 0; i < n; i++)
        say_speedup(s, &s->series.items[i]);
    size_t before = sentences_of(s);
    for (size_t i = 0; status == WS_OK && i < n; i++)
        status = say_exponent(s, &s->series.items[i], error);
    if (sentences_of(s) > before)
        ws_page_say(s->page, "An exponent of −1 is ideal strong scaling, 0 ideal weak scaling.");
    for (size_t i = 0; status == WS_OK && i < n; i++)
        status = say_factor(s, &s->series.items[i], error);
    say_extremes(s, "kwh_per_gpuh", "Most energy per GPUh", "least", "kWh");
    if (n < s->series.n && sentences_of(s))
        ws_page_say(s->page, "The other %s in the tables.",
                    s->series.n - n == 1 ? "series stands"
                                         : ws_arena_printf(&s->arena, "%zu series stand", s->series.n - n));
    if (!report_highlights_varies_in(s->scale, "model")) /* a sample of one model is not that of another */
        say_extremes(s, "wh_per_sample_seen", "Most energy per sample seen", "least", "Wh");
    say_shares(s);
    if (!sentences_of(s)) /* energies alone */
        say_extremes(s, "energy_kwh", "Most energy", "least", NULL);
    if (!sentences_of(s))
        ws_page_say(
            s->page,
            "There are too few numbers of GPUs, times or energies of whole runs for speed-ups, laws and factors.");
    return status;
}
