/* Fig. 5 of Huber et al. 2025: the power of one GPU in the first 300 s of four experiments, and the mean over the whole
 * run and all its GPUs. The experiments are those of one number of GPUs: two batch sizes on each of two devices. */
#include "analyze/recipes/held_batch.h"
#include "analyze/recipes/recipe.h"

#include "analyze/same_rows.h"
#include "core/power_sensors.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

static const char *const fourcastnet[] = {"fourcast", "afno", NULL}, *const resnet[] = {"resnet", NULL};

enum { A_DEVICE = 2 };

static double run_number(const ws_table *runs, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(runs, name, &column) ? ws_table_number(runs, column, row) : NAN;
}

static const char *run_device(const ws_table *runs, size_t row)
{
    size_t column;
    bool found = ws_table_find(runs, "device", &column) && runs->columns[column].kind == WS_TEXT;
    return found && runs->columns[column].text[row] ? runs->columns[column].text[row] : "";
}

/* By device, then by batch size. */
static int order_runs(const ws_table *runs, size_t a, size_t b)
{
    int order = ws_series_order(run_device(runs, a), run_device(runs, b));
    double lbs_a = run_number(runs, "lbs", a), lbs_b = run_number(runs, "lbs", b);
    return order ? order : (lbs_a > lbs_b) - (lbs_a < lbs_b);
}

/* How many runs are of the same phase, as pre-training or fine-tuning. */
static size_t count_of_phase(const ws_table *runs, const ws_row_list *rows, size_t row)
{
    size_t phase, n = 0;
    for (size_t i = 0; ws_table_find(runs, "phase", &phase) && i < rows->n; i++)
        n += ws_same_cell(runs, phase, rows->rows[i], row);
    return n;
}

/* The first runs on so many GPUs, each experiment once (of several phases that which most runs have), two a device,
 * four at most; returns how many. */
static size_t experiments(const ws_table *runs, const ws_row_list *rows, double gpus, size_t *chosen)
{
    size_t n = 0, of_device = 0, last = 0;
    bool has_last = false;
    while (n < WS_MOST_RUN_PROFILES) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < rows->n; i++) {
            size_t row = rows->rows[i];
            bool is_next = run_number(runs, "gpus", row) == gpus && run_number(runs, "energy_kwh", row) > 0 &&
                           (!has_last || order_runs(runs, row, last) > 0);
            int order = best == SIZE_MAX ? -1 : order_runs(runs, row, best);
            bool is_usual = is_next && !order && count_of_phase(runs, rows, row) > count_of_phase(runs, rows, best);
            if (is_next && (order < 0 || is_usual))
                best = row;
        }
        if (best == SIZE_MAX)
            break;
        of_device = has_last && strcmp(run_device(runs, best), run_device(runs, last)) == 0 ? of_device + 1 : 1;
        if (of_device <= A_DEVICE)
            chosen[n++] = best;
        last = best;
        has_last = true;
    }
    return n;
}

/* "A100: LBS 1, GBS 16": the number of GPUs is that of all, and stands in the caption. */
static const char *title_of_run(ws_arena *arena, const ws_table *runs, size_t row)
{
    char lbs[WS_DOUBLE_TEXT], gbs[WS_DOUBLE_TEXT];
    const char *device = run_device(runs, row);
    ws_double_text(lbs, run_number(runs, "lbs", row));
    ws_double_text(gbs, run_number(runs, "gbs", row));
    const char *batch =
        isfinite(run_number(runs, "lbs", row)) ? ws_arena_printf(arena, "LBS %s, GBS %s", lbs, gbs) : "";
    return ws_arena_printf(arena, "%s%s%s", device, *device && *batch ? ": " : "", batch);
}

/* "Runs of FourCastNet on 16 GPUs. " */
static const char *subject_of(ws_arena *arena, const ws_table *runs, size_t row)
{
    char gpus[WS_DOUBLE_TEXT];
    double n = run_number(runs, "gpus", row);
    size_t column;
    bool found = ws_table_find(runs, "model", &column) && runs->columns[column].kind == WS_TEXT;
    const char *model = found ? runs->columns[column].text[row] : NULL;
    ws_double_text(gpus, n);
    return ws_arena_printf(arena, "Runs%s%s on %s GPU%s. ", model ? " of " : "", model ? model : "", gpus,
                           n == 1 ? "" : "s");
}

/* Where sensors average over different times, their spreads are not like for like. */
static const char *sensors_differ(const ws_table *runs, const ws_run_profiles *out, ws_arena *arena)
{
    const char *text = "";
    double first = NAN;
    bool differ = false;
    for (size_t i = 0; i < out->n; i++) {
        const char *device = run_device(runs, out->rows[i]);
        if (i && strcmp(device, run_device(runs, out->rows[i - 1])) == 0)
            continue;
        const ws_sensor_key key = {.model = device, .device = "gpu0", .domain = WS_GPU};
        ws_sensor sensor = ws_sensor_of(NULL, &key);
        char window[WS_DOUBLE_TEXT];
        ws_double_text_digits(window, sensor.window_s, 2);
        if (!isfinite(sensor.window_s))
            return "";
        text = ws_arena_printf(arena, "%s%s%s over %s s", text, *text ? ", of " : "", device, window);
        differ |= i && sensor.window_s != first;
        first = sensor.window_s;
    }
    return differ ? ws_arena_printf(
                        arena, " Readings of %s: spreads and lowest powers of devices are not like for like.", text)
                  : "";
}

static ws_status choose_runs(const ws_table *runs, ws_run_profiles *out, ws_error *error)
{
    const ws_held_choice choice = {"huber/fig5", fourcastnet, resnet, 0, false};
    ws_row_list rows;
    size_t chosen[WS_MOST_RUN_PROFILES];
    double best_gpus = NAN;
    if (!ws_model_rows(runs, &choice, &rows, &out->arena, error))
        return WS_DATA;
    out->n = 0;
    for (size_t i = 0; i < rows.n; i++) {
        double gpus = run_number(runs, "gpus", rows.rows[i]);
        size_t n = experiments(runs, &rows, gpus, chosen);
        if (n < out->n || !n || (n == out->n && !(gpus < best_gpus)))
            continue;
        out->n = n;
        best_gpus = gpus;
        memcpy(out->rows, chosen, n * sizeof *chosen);
    }
    for (size_t i = 0; i < out->n; i++) {
        const char *device = run_device(runs, out->rows[i]);
        out->titles[i] = title_of_run(&out->arena, runs, out->rows[i]);
        out->labels[i] = *device ? ws_arena_printf(&out->arena, "Single GPU (%s)", device) : "Single GPU";
    }
    out->from_s = 0;
    out->to_s = 300;
    out->subject = out->n ? subject_of(&out->arena, runs, out->rows[0]) : NULL;
    out->remark = sensors_differ(runs, out, &out->arena);
    return out->n ? WS_OK : ws_fail_recipe(error, runs->source, "huber/fig5", ": ", "no run has GPUs and an energy");
}

static ws_status make_fig5(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    ws_status status = ws_make_profile_figure(input, "huber/fig5", figure, error);
    if (status == WS_OK)
        figure->caption = ws_arena_printf(&figure->arena, "%s%s%s", input->subject ? input->subject : "",
                                          figure->caption, input->remark ? input->remark : "");
    return status;
}

const ws_figure_recipe ws_figure_huber_fig5 = {
    .name = "huber/fig5",
    .summary = "power of one GPU in the first 300 s of four experiments, and the mean (Huber et al. 2025, Fig. 5)",
    .source = WS_FIGURE_OF_RUNS,
    .make = make_fig5,
    .choose = choose_runs};

/* --- huber/profile-table: what the profiles of these runs come to --- */

/* As the authors' script counts dips; idle A100 and H100 draw less than half of it. */
static const double THRESHOLD_W = 150;

static ws_status choose_for_table(const ws_table *runs, ws_chosen_runs *chosen, ws_error *error)
{
    ws_run_profiles profiles = {0};
    ws_status status = choose_runs(runs, &profiles, error);
    for (size_t i = 0; status == WS_OK && i < profiles.n && i < WS_MOST_CHOSEN; i++) {
        chosen->rows[chosen->n] = profiles.rows[i];
        ws_power_levels_init(&chosen->levels[chosen->n++], THRESHOLD_W);
    }
    chosen->remark = ws_arena_strdup(&chosen->arena, profiles.remark ? profiles.remark : "");
    ws_arena_free(&profiles.arena);
    return status;
}

static void copy_setting(const ws_table *runs, const char *name, size_t from, ws_table *out, size_t row)
{
    size_t column, at;
    if (!ws_table_find(runs, name, &column) || ws_table_is_missing(runs, column, from) ||
        !ws_table_find(out, name, &at))
        return;
    if (runs->columns[column].kind == WS_TEXT)
        ws_table_set_text(out, at, row, runs->columns[column].text[from]);
    else
        ws_table_set_number(out, at, row, ws_table_number(runs, column, from));
}

static ws_status make_profile_table(const ws_table *runs, const ws_chosen_runs *chosen, ws_table *out, ws_error *error)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
        bool is_detail;
    } columns[] = {{"device", WS_TEXT, false},     {"gpus", WS_NUMBER, false},
                   {"lbs", WS_NUMBER, false},      {"gbs", WS_NUMBER, false},
                   {"p05_w", WS_NUMBER, false},    {"p50_w", WS_NUMBER, false},
                   {"p95_w", WS_NUMBER, false},    {"fluctuation", WS_NUMBER, false},
                   {"gpu_dips", WS_NUMBER, false}, {"base_w", WS_NUMBER, false},
                   {"run", WS_TEXT, true},         {"threshold_w", WS_NUMBER, true},
                   {"readings", WS_NUMBER, true},  {"dips", WS_NUMBER, true}};
    size_t drawn = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        size_t column = ws_table_add_column(out, columns[i].name, columns[i].kind);
        if (columns[i].is_detail)
            ws_table_set_detail(out, column);
    }
    for (size_t i = 0; i < chosen->n; i++) {
        const ws_power_levels *l = &chosen->levels[i];
        static const char *const settings[] = {"device", "gpus", "lbs", "gbs", "run"};
        size_t row = ws_table_add_row(out);
        double p05 = ws_power_levels_quantile(l, 0.05, NAN), p50 = ws_power_levels_quantile(l, 0.5, NAN),
               p95 = ws_power_levels_quantile(l, 0.95, NAN);
        const struct {
            const char *name;
            double value;
        } values[] = {{"p05_w", p05},
                      {"p50_w", p50},
                      {"p95_w", p95},
                      {"fluctuation", (p95 - p05) / p50},
                      {"gpu_dips", (double)l->dips / run_number(runs, "gpus", chosen->rows[i])},
                      {"base_w", ws_power_levels_quantile(l, 0.5, l->threshold_w)},
                      {"threshold_w", l->threshold_w},
                      {"readings", (double)l->readings},
                      {"dips", (double)l->dips}};
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
            copy_setting(runs, settings[s], chosen->rows[i], out, row);
        for (size_t v = 0; v < sizeof values / sizeof *values && l->readings; v++) {
            size_t column;
            if (ws_table_find(out, values[v].name, &column) && isfinite(values[v].value))
                ws_table_set_number(out, column, row, values[v].value);
        }
        drawn += l->readings > 0;
    }
    if (*chosen->remark)
        ws_notes_add(&out->notes, WS_FINDING_SENSORS_DIFFER, "", "huber/profile-table", 0, "%s",
                     chosen->remark + (*chosen->remark == ' '));
    return drawn ? WS_OK
                 : ws_fail_recipe(error, runs->source, "huber/profile-table", ": ", "no power of a GPU in these runs");
}

const ws_table_recipe ws_table_huber_profile = {
    .name = "huber/profile-table",
    .summary =
        "four experiments: quantiles of the power, dips below 150 W a GPU, base line (Huber et al. 2025, Fig. 5)",
    .choose = choose_for_table,
    .make_of_traces = make_profile_table};
