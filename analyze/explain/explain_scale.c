#include "analyze/explain/explain_scale.h"

#include <math.h>
#include <string.h>

typedef struct cell {
    const ws_explainer *x;
    const ws_table *scale;
    const ws_scale_members *members;
    const ws_scale_member *own, *reference; /* reference: NULL for none */
    const char *name;                       /* of the column */
    double value;
} cell;

static const char *run_name(const ws_explainer *x, size_t row)
{
    char place[320];
    const char *run = x->runs->columns[WS_COL_RUN].text[row];
    return run ? run : ws_arena_strdup(x->arena, ws_table_place(x->runs, row, place));
}

/* --- means and spreads over the runs of a configuration --- */

static ws_step *explain_of_run(const ws_explainer *x, size_t row, size_t column)
{
    ws_step *step = ws_explain_run(x, row, &column);
    step->name = run_name(x, row);
    return step;
}

static ws_step *explain_time_of_sample(const cell *c, size_t row)
{
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_FORMULA, run_name(c->x, row), NAN, "");
    step->formula = "1 / samples_per_s";
    ws_step *rate = explain_of_run(c->x, row, WS_COL_SAMPLES_PER_S);
    rate->name = "samples_per_s";
    ws_step_add_part(c->x->arena, step, rate);
    step->value = ws_step_result(step);
    return step;
}

/* The time or the energy of a run by the work that is compared (work.h): "energy_kwh / epochs", or a recorded epoch_s.
 */
static ws_step *explain_by_work(const cell *c, const ws_scale_member *of, size_t row, size_t column)
{
    static const ws_run_column by_settings[] = {WS_COL_EPOCHS, WS_COL_DATASET_SAMPLES},
                               by_rate[] = {WS_COL_SAMPLES_PER_S, WS_COL_WALL};
    const char *name = c->x->runs->columns[column].name;
    if (column == WS_COL_SAMPLES_PER_S)
        return explain_time_of_sample(c, row);
    if (of->work == WS_PER_RUN || !ws_grows_with_work(name))
        return explain_of_run(c->x, row, column);
    if (of->work == WS_PER_EPOCH && column == WS_COL_WALL && !ws_table_is_missing(c->x->runs, WS_COL_EPOCH_S, row))
        return explain_of_run(c->x, row, WS_COL_EPOCH_S);
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_FORMULA, run_name(c->x, row), NAN, "");
    bool is_by_rate = of->work == WS_PER_SAMPLE && isnan(ws_runs_get(c->x->runs, WS_COL_EPOCHS, row) *
                                                         ws_runs_get(c->x->runs, WS_COL_DATASET_SAMPLES, row));
    const ws_run_column *work = is_by_rate ? by_rate : by_settings;
    step->formula = ws_arena_printf(c->x->arena,
                                    of->work == WS_PER_EPOCH ? "%s / epochs"
                                    : is_by_rate             ? "%s / (samples_per_s * wall_s)"
                                                             : "%s / (epochs * dataset_samples)",
                                    name);
    ws_step *value = explain_of_run(c->x, row, column);
    value->name = name;
    ws_step_add_part(c->x->arena, step, value);
    for (size_t i = 0; i < (of->work == WS_PER_SAMPLE ? 2 : 1); i++) {
        if ((size_t)work[i] == column)
            continue;
        ws_step *part = explain_of_run(c->x, row, work[i]);
        part->name = ws_run_column_about(work[i])->name;
        ws_step_add_part(c->x->arena, step, part);
    }
    step->value = ws_step_result(step);
    return step;
}

/* Runs without the value are in no mean of it. */
static ws_step *over_runs(const cell *c, ws_step_kind kind, const char *name, const ws_scale_member *of, size_t column,
                          bool by_work)
{
    ws_step *step = ws_step_new(c->x->arena, kind, name, NAN, ws_explain_unit(c->x->runs->columns[column].name));
    for (size_t i = 0; i < of->n_rows; i++)
        if (!isnan(ws_table_number(c->x->runs, column, of->rows[i])))
            ws_step_add_part(c->x->arena, step,
                             by_work ? explain_by_work(c, of, of->rows[i], column)
                                     : explain_of_run(c->x, of->rows[i], column));
    step->value = ws_step_result(step);
    return step;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* NULL where the row was a mean already when it was read. */
static ws_step *explain_spread(const cell *c, ws_step_kind kind, size_t column)
{
    ws_step *step = over_runs(c, kind, c->name, c->own, column, false);
    return step->parts.n && same_bits(step->value, c->value) ? step : NULL;
}

/* --- ratios to the reference --- */

static size_t energy_or_time(const cell *c, char what)
{
    return what == 'e' ? (size_t)WS_COL_ENERGY : c->members->time_column;
}

/* " per epoch", or nothing. */
static const char *per_work(const ws_scale_member *of)
{
    return of->work == WS_PER_EPOCH ? " per epoch" : of->work == WS_PER_SAMPLE ? " per sample" : "";
}

static ws_step *named_mean(const cell *c, const char *name, ws_step_kind kind, const ws_scale_member *of, size_t column)
{
    ws_step *step = over_runs(c, kind, name, of, column, true);
    ws_step_say(c->x->arena, step, "%s%s of %s%s", c->x->runs->columns[column].name, per_work(of), of->name,
                of == c->reference && of != c->own ? ", the reference" : "");
    return step;
}

static ws_step *mean_of_logs(const cell *c, const char *name, const ws_scale_member *of, size_t column)
{
    ws_arena *arena = c->x->arena;
    ws_step *logs = ws_step_new(arena, WS_STEP_MEAN, name, NAN, "");
    const char *base = c->x->runs->columns[column].name;
    for (size_t i = 0; i < of->n_rows; i++) {
        double value = ws_table_number(c->x->runs, column, of->rows[i]);
        if (isnan(value))
            continue;
        ws_step *log_of = ws_step_new(arena, WS_STEP_FORMULA, run_name(c->x, of->rows[i]), NAN, "");
        log_of->formula = ws_arena_printf(arena, "log(%s)", base);
        ws_step *inner = explain_by_work(c, of, of->rows[i], column);
        inner->name = base;
        ws_step_add_part(arena, log_of, inner);
        log_of->value = ws_step_result(log_of);
        ws_step_add_part(arena, logs, log_of);
    }
    logs->value = ws_step_result(logs);
    ws_step_say(arena, logs, "logarithms of %s%s of %s", base, per_work(of), of->name);
    return logs;
}

static ws_step *counted(const cell *c, const char *name, double value, const char *says)
{
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_COUNTED, name, value, "");
    ws_step_say(c->x->arena, step, "%s", says);
    return step;
}

static double runs_with(const cell *c, const ws_scale_member *of, size_t column)
{
    size_t n = 0;
    for (size_t i = 0; i < of->n_rows; i++)
        n += isnan(ws_table_number(c->x->runs, column, of->rows[i])) ? 0 : 1;
    return (double)n;
}

/* Names of operands: t and e are mean time and energy, sd their spread, runs their number, ln the mean of their
 * logarithms, gpus the size; with _ref those of the reference. */
static ws_step *operand_named(const cell *c, const char *name, char what)
{
    bool is_ref = ws_span_has_suffix(ws_span_of(name), "_ref");
    const ws_scale_member *of = is_ref ? c->reference : c->own;
    size_t column = energy_or_time(c, what);
    if (strncmp(name, "sd", 2) == 0)
        return named_mean(c, name, WS_STEP_SD, of, column);
    if (strncmp(name, "runs", 4) == 0)
        return counted(c, name, runs_with(c, of, column), "runs in that mean");
    if (strncmp(name, "ln", 2) == 0)
        return mean_of_logs(c, name, of, column);
    if (strncmp(name, "gpus", 4) == 0)
        return counted(c, name, of->size, "how large the machine was");
    return named_mean(c, name, WS_STEP_MEAN, of, column);
}

typedef struct ratio_formula {
    const char *column;
    char what; /* 't': of times, 'e': of energies */
    const char *strong, *weak, *operands;
} ratio_formula;

/* As ratios.c has it. */
#define SPEEDUP_SE "abs(t_ref / t) * sqrt(sd_ref / t_ref * (sd_ref / t_ref) / runs_ref + sd / t * (sd / t) / runs)"
static const ratio_formula ratios[] = {
    {"speedup", 't', "t_ref / t", NULL, "t_ref t"},
    {"efficiency", 't', "t_ref / t * (gpus_ref / gpus)", "t_ref / t", "t_ref t gpus_ref gpus"},
    {"energy_ratio", 'e', "e / e_ref", NULL, "e e_ref"},
    {"speedup_se", 't', SPEEDUP_SE, NULL, "t_ref t sd_ref sd runs_ref runs"},
    {"efficiency_se", 't', SPEEDUP_SE " * (gpus_ref / gpus)", SPEEDUP_SE,
     "t_ref t sd_ref sd runs_ref runs gpus_ref gpus"},
    {"energy_ratio_se", 'e',
     "abs(e / e_ref) * sqrt(sd / e * (sd / e) / runs + sd_ref / e_ref * (sd_ref / e_ref) / runs_ref)", NULL,
     "e e_ref sd sd_ref runs runs_ref"},
    {"speedup_pooled", 't', "exp(ln_ref - ln)", NULL, "ln_ref ln"},
    {"efficiency_pooled", 't', "exp(ln_ref - ln) * (gpus_ref / gpus)", "exp(ln_ref - ln)", "ln_ref ln gpus_ref gpus"},
    {"energy_ratio_pooled", 'e', "exp(ln - ln_ref)", NULL, "ln ln_ref"},
    {"serial_fraction", 't', "(1 / (t_ref / t) - 1 / (gpus / gpus_ref)) / (1 - 1 / (gpus / gpus_ref))", NULL,
     "t_ref t gpus gpus_ref"},
};

static const ratio_formula *find_ratio(const char *column)
{
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (strcmp(ratios[i].column, column) == 0)
            return &ratios[i];
    return NULL;
}

static void say_reference(const cell *c, ws_step *step)
{
    ws_step_say(c->x->arena, step, "the reference is %s%s; %s scaling", c->reference->name,
                c->reference == c->own ? ", this configuration itself" : "", c->own->is_weak ? "weak" : "strong");
    ws_step_fact_text(c->x->arena, step, "reference", c->reference->name);
}

/* NULL where it does not give the value: of means that were read as such. */
static ws_step *explain_ratio(const cell *c, const ratio_formula *ratio)
{
    if (!c->reference)
        return NULL;
    ws_arena *arena = c->x->arena;
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, c->name, c->value, "");
    step->formula = c->own->is_weak && ratio->weak ? ratio->weak : ratio->strong;
    ws_span rest = ws_span_of(ratio->operands), word;
    while (ws_span_word(&rest, &word)) {
        const char *name = ws_arena_strndup(arena, word.p, word.n);
        ws_step_add_part(arena, step, operand_named(c, name, ratio->what));
    }
    say_reference(c, step);
    return same_bits(ws_step_result(step), c->value) ? step : NULL;
}

/* --- all together --- */

/* "energy_kwh" and 5 of "energy_kwh_rmse"; false where no column of the runs is called so. */
static bool find_base(const cell *c, const char *suffix, size_t *column)
{
    size_t n = strlen(c->name), k = strlen(suffix);
    return n > k && strcmp(c->name + n - k, suffix) == 0 &&
           ws_table_find(c->x->runs, ws_arena_strndup(c->x->arena, c->name, n - k), column);
}

static ws_step *explain_count(const cell *c)
{
    bool is_unusable = strcmp(c->name, "n_unusable") == 0;
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_COUNTED, c->name, c->value, "");
    ws_step_say(c->x->arena, step, is_unusable ? "runs whose energy cannot be used" : "runs of this configuration");
    return step;
}

static ws_step *explain_setting(const cell *c, size_t column)
{
    size_t row = c->own->n_rows ? c->own->rows[0] : c->own->left_out[0];
    ws_step *step = ws_explain_run(c->x, row, &column);
    ws_step *note = ws_step_new(c->x->arena, WS_STEP_ABOUT, "all runs agree", NAN, "");
    ws_step_say(c->x->arena, note, "shown is %s", run_name(c->x, row));
    ws_step_add_beside(c->x->arena, step, note);
    return step;
}

/* Of the mean energy: energy_u_kwh, energy_lo_kwh, energy_hi_kwh. */
static bool is_budget_of_mean(const cell *c)
{
    ws_run_column column;
    return ws_run_column_find(c->name, &column) &&
           (column == WS_COL_ENERGY_U || column == WS_COL_ENERGY_LO || column == WS_COL_ENERGY_HI);
}

/* The budgets of the runs stand beside it. */
static ws_step *explain_budget_of_mean(const cell *c, size_t column)
{
    ws_arena *arena = c->x->arena;
    ws_step *step = ws_step_new(arena, WS_STEP_ESTIMATE, c->name, c->value, ws_explain_unit(c->name));
    ws_step_say(arena, step,
                "of the mean energy, from the budgets of its runs: sampling falls with the root of their number, the "
                "gain of the sensors and bounds do not (docs/methods.md, \"Uncertainty\")");
    for (size_t i = 0; i < c->own->n_rows; i++)
        ws_step_add_beside(arena, step, explain_of_run(c->x, c->own->rows[i], column));
    return step;
}

static const char *about_interval(const cell *c)
{
    return strstr(c->name, "_own_")
               ? "an end of a 95 % interval, by the spreads of the repeats of this configuration and of its reference, "
                 "with Welch's degrees of freedom and a quantile of Student's t (docs/methods.md): not broken down here"
               : "an end of a 95 % interval, by the deviation pooled over the series and a quantile of Student's t "
                 "(docs/methods.md): not broken down here";
}

static ws_step *explain_as_read(const cell *c)
{
    bool is_error = ws_span_has_suffix(ws_span_of(c->name), "_se");
    bool is_end = ws_span_has_suffix(ws_span_of(c->name), "_lo") || ws_span_has_suffix(ws_span_of(c->name), "_hi");
    ws_step *step = ws_step_new(c->x->arena, isnan(c->value) ? WS_STEP_MISSING : WS_STEP_ESTIMATE, c->name, c->value,
                                ws_explain_unit(c->name));
    ws_step_say(c->x->arena, step, "%s",
                isnan(c->value) ? "empty: there is nothing to make it of, or no repeat to measure it by"
                : is_end        ? about_interval(c)
                : is_error      ? "a standard error by the deviation pooled over the series (docs/methods.md): not "
                                  "broken down here; that by the repeats of both is, X_se"
                                : "not broken down here: the table that was read has means already, or docs/methods.md "
                                  "says how it is made");
    return step;
}

static ws_step *explain_words(const cell *c, size_t row, size_t column)
{
    const char *text = c->scale->columns[column].text[row];
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_ABOUT, c->name, NAN, "");
    ws_step_fact_text(c->x->arena, step, "text", text);
    ws_step_say(c->x->arena, step, "%s", text ? text : "empty");
    return step;
}

static ws_step *explain_computed(const cell *c)
{
    static const struct {
        const char *suffix;
        ws_step_kind kind;
    } spreads[] = {{"_rmse", WS_STEP_RMSE}, {"_sd", WS_STEP_SD}};
    size_t column;
    const ratio_formula *ratio = find_ratio(c->name);
    for (size_t i = 0; !ratio && i < 2; i++)
        if (find_base(c, spreads[i].suffix, &column))
            return explain_spread(c, spreads[i].kind, column);
    if (ratio)
        return explain_ratio(c, ratio);
    return ws_table_find(c->x->runs, c->name, &column) ? explain_spread(c, WS_STEP_MEAN, column) : NULL;
}

/* Is X_rmse beside it? Then it is a mean. */
static bool is_mean(const cell *c)
{
    size_t column;
    return ws_table_find(c->scale, ws_arena_printf(c->x->arena, "%s_rmse", c->name), &column);
}

ws_step *ws_explain_scale(const ws_explainer *x, const ws_table *scale, const ws_scale_members *members, size_t row,
                          size_t column)
{
    const ws_scale_member *own = &members->items[row];
    cell c = {x,
              scale,
              members,
              own,
              own->reference == SIZE_MAX ? NULL : &members->items[own->reference],
              scale->columns[column].name,
              ws_table_number(scale, column, row)};
    size_t of_runs;
    bool is_of_runs = ws_table_find(x->runs, c.name, &of_runs);
    if (strcmp(c.name, "n_runs") == 0 || strcmp(c.name, "n_unusable") == 0)
        return explain_count(&c);
    if (is_of_runs && is_budget_of_mean(&c) && !isnan(c.value))
        return explain_budget_of_mean(&c, of_runs);
    if (is_of_runs && !is_mean(&c) && strcmp(c.name, "energy_verdict") != 0 && own->n_rows + own->n_left_out)
        return explain_setting(&c, of_runs);
    if (scale->columns[column].kind == WS_TEXT)
        return explain_words(&c, row, column);
    ws_step *step = isnan(c.value) ? NULL : explain_computed(&c);
    return step ? step : explain_as_read(&c);
}

static void add_runs(const ws_explainer *x, const char *title, const size_t *rows, size_t n, ws_step *step)
{
    ws_step *list = ws_step_new(x->arena, WS_STEP_ABOUT, ws_arena_printf(x->arena, "%s: %zu", title, n), NAN, "");
    for (size_t i = 0; i < n; i++) {
        ws_step *run = ws_step_new(x->arena, WS_STEP_ABOUT, run_name(x, rows[i]), NAN, "");
        const char *verdict = x->runs->columns[WS_COL_VERDICT].text[rows[i]];
        const char *findings = x->runs->columns[WS_COL_FINDINGS].text[rows[i]];
        if (verdict && strcmp(verdict, "ok") != 0)
            ws_step_say(x->arena, run, "%s: %s", verdict, findings ? findings : "");
        ws_explain_beside_run(x, rows[i], run);
        ws_step_add_beside(x->arena, list, run);
    }
    if (n)
        ws_step_add_beside(x->arena, step, list);
}

void ws_explain_beside_scale(const ws_explainer *x, const ws_scale_members *members, size_t row, ws_step *step)
{
    const ws_scale_member *own = &members->items[row];
    add_runs(x, "runs", own->rows, own->n_rows, step);
    add_runs(x, "runs left out, since their energy cannot be used", own->left_out, own->n_left_out, step);
}
