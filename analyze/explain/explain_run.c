/* A cell of the table of runs was measured, or it was said by somebody, or it follows from others by a formula. Which
 * of them, the stages of its history tell (run_history.h): the first stage with a value is where it came from. */
#include "analyze/explain/explain_run.h"

#include "analyze/explain/explain_budget.h"

#include "analyze/ingest/run_columns.h"
#include "report/table/step_formula.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What is being explained, from the root down: a value cannot follow from itself. */
typedef struct chain {
    const ws_explainer *x;
    size_t row;
    const ws_run_history *history; /* or NULL */
    bool on_the_way[WS_RUN_COLUMN_N];
} chain;

static ws_step *explain(chain *c, size_t column);

static double value_at(const chain *c, size_t column)
{
    return ws_table_number(c->x->runs, column, c->row);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* --- said by somebody --- */

static const ws_history_word *who_said(const chain *c, const char *name)
{
    for (size_t i = c->history ? c->history->n_words : 0; i-- > 0;)
        if (strcmp(c->history->words[i].name, name) == 0)
            return &c->history->words[i];
    return NULL;
}

static void say_table(const chain *c, size_t column, ws_step *step)
{
    const ws_table *runs = c->x->runs;
    const char *name = runs->columns[column].alias ? runs->columns[column].alias : runs->columns[column].name;
    if (c->history && c->history->line > 0)
        ws_step_say(c->x->arena, step, "line %" PRId64 " of %s, '%s'", c->history->line, runs->source, name);
    else
        ws_step_say(c->x->arena, step, "as %s has it, '%s'", *runs->source ? runs->source : "the table", name);
}

static ws_step *explain_stated(chain *c, size_t column)
{
    const char *name = c->x->runs->columns[column].name;
    const ws_history_word *word = who_said(c, name);
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_STATED, name, value_at(c, column), ws_explain_unit(name));
    const char *file = word ? ws_explain_file(c->x, word->by, step) : "";
    if (*file)
        ws_step_fact_text(c->x->arena, step, "file", word->by);
    if (word)
        ws_step_say(c->x->arena, step, "'%s' by %s%s%s%s", word->value, word->by, *file ? " (" : "", file,
                    *file ? ")" : "");
    else if (!c->history || !c->history->is_traced)
        say_table(c, column, step);
    else
        ws_step_say(c->x->arena, step, "as the files or the description of the run say");
    return step;
}

/* --- measured --- */

static const ws_run_column energies[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM};

static bool is_energy(size_t column)
{
    for (size_t i = 0; i < sizeof energies / sizeof *energies; i++)
        if (energies[i] == column)
            return true;
    return false;
}

static ws_step *joules_of(const chain *c, size_t column)
{
    return column == WS_COL_ENERGY
               ? ws_explain_energy(c->history, c->x->arena)
               : ws_explain_domain(c->history, (ws_domain)(column - WS_COL_ENERGY_GPU), c->x->arena);
}

/* The step itself where it holds, else NULL. */
static ws_step *if_it_holds(ws_step *step)
{
    return step && same_bits(ws_step_result(step), step->value) ? step : NULL;
}

static ws_step *explain_measured_energy(chain *c, size_t column, double value)
{
    ws_arena *arena = c->x->arena;
    ws_step *joules = joules_of(c, column);
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, c->x->runs->columns[column].name, value, "kWh");
    if (!joules)
        return NULL;
    step->formula = ws_arena_printf(arena, "%s / 3600000", joules->name);
    ws_step_add_part(arena, step, joules);
    return if_it_holds(step);
}

static ws_step *explain_wall(const chain *c, double value)
{
    const ws_run_history *h = c->history;
    ws_arena *arena = c->x->arena;
    char from[WS_STAMP_TEXT], to[WS_STAMP_TEXT];
    ws_step *step = ws_step_new(arena, WS_STEP_READ, "wall_s", value, "s");
    if (h->has_window) {
        ws_stamp_text(from, h->window_start_ns);
        ws_stamp_text(to, h->window_end_ns);
        ws_step_say(arena, step, "the window, from %s to %s", from, to);
        return step;
    }
    if (!h->wall_source || !same_bits(value, h->wall_s))
        return NULL;
    ws_step_say(arena, step, "first to last reading of %s in %s, the longest of the run", h->wall_channel,
                h->wall_source);
    ws_step_fact_text(arena, step, "file", h->wall_source);
    return step;
}

static ws_step *explain_count(const chain *c, size_t column, double value)
{
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_COUNTED, c->x->runs->columns[column].name, value, "");
    ws_step_say(c->x->arena, step, column == WS_COL_GPUS ? "different GPUs in the traces" : "nodes in the traces");
    return step;
}

/* NULL where the traces do not say it. */
static ws_step *explain_measured(chain *c, size_t column, double value)
{
    if (!c->history || !c->history->is_traced)
        return NULL;
    if (is_energy(column))
        return explain_measured_energy(c, column, value);
    if (column == WS_COL_WALL)
        return who_said(c, "wall_s") && !c->history->has_window ? NULL : explain_wall(c, value);
    if (column == WS_COL_GPUS || column == WS_COL_NODES)
        return who_said(c, c->x->runs->columns[column].name) ? NULL : explain_count(c, column, value);
    ws_step *budget = ws_explain_budget(c->history, (ws_run_column)column, value, c->x->arena);
    if (budget)
        return budget;
    return if_it_holds(ws_explain_mean_of_devices(c->history, (ws_run_column)column, value, c->x->arena));
}

/* --- formulas --- */

/* Columns of a table's own that count (run_columns.c), under the name that a formula has for them. */
static bool find_operand(const chain *c, ws_span name, size_t *column)
{
    static const struct {
        const char *name, *synonyms[6];
    } own[] = {
        {"accumulation",
         {"grad_accum", "gradient_accumulation_steps", "grad_accum_steps", "gradient_accumulation", "accumulation"}},
        {"gpus_per_node", {"gpus_per_node", "n_gpus_per_node", "num_gpus_per_node"}}};
    char text[64];
    snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(name));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        for (size_t s = 0; ws_span_eq(name, own[i].name) && own[i].synonyms[s]; s++)
            if (ws_table_find(c->x->runs, own[i].synonyms[s], column))
                return true;
    return ws_table_find(c->x->runs, text, column);
}

static double look_up(const void *state, ws_span name)
{
    const chain *c = state;
    size_t column;
    return find_operand(c, name, &column) ? value_at(c, column) : (double)NAN;
}

static bool is_on_the_way(const chain *c, const char *formula)
{
    ws_span rest = ws_span_of(formula), name;
    while (ws_formula_next_name(&rest, &name)) {
        size_t column;
        if (find_operand(c, name, &column) && column < WS_RUN_COLUMN_N && c->on_the_way[column])
            return true;
    }
    return false;
}

static void add_operands(chain *c, const char *formula, ws_step *step)
{
    ws_span rest = ws_span_of(formula), name;
    while (ws_formula_next_name(&rest, &name)) {
        size_t column;
        bool is_there = false;
        for (size_t i = 0; i < step->parts.n; i++)
            is_there |= ws_span_eq(name, step->parts.items[i]->name);
        if (is_there || !find_operand(c, name, &column))
            continue;
        ws_step *operand = explain(c, column);
        operand->name = ws_arena_strndup(c->x->arena, name.p, name.n);
        ws_step_add_part(c->x->arena, step, operand);
    }
}

/* The first formula of the column that gives its value; NULL where none does. */
static ws_step *explain_formula(chain *c, size_t column, double value)
{
    const char *name = c->x->runs->columns[column].name;
    for (size_t i = 0; i < ws_run_formulas_n; i++) {
        const ws_run_formula *f = &ws_run_formulas[i];
        if (f->column != column || is_on_the_way(c, f->formula) ||
            !same_bits(ws_formula_value(f->formula, look_up, c), value))
            continue;
        ws_step *step = ws_step_new(c->x->arena, WS_STEP_FORMULA, name, value, ws_explain_unit(name));
        step->formula = f->formula;
        add_operands(c, f->formula, step);
        return step;
    }
    return NULL;
}

/* --- excerpts --- */

/* The mean power of the excerpt for the whole time of the job (Frey et al. 2022). */
static ws_step *explain_excerpt(chain *c, size_t column, double value)
{
    ws_arena *arena = c->x->arena;
    const double *before = c->history->stage[WS_STAGE_JOINED];
    const char *name = c->x->runs->columns[column].name, *unit = ws_explain_unit(name);
    bool is_coverage = column == WS_COL_COVERAGE;
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name, value, unit);
    ws_step *traced = explain_measured(c, column, before[column]);
    if (!traced)
        traced = ws_step_new(arena, WS_STEP_READ, name, before[column], unit);
    traced->name = "of_the_excerpt";
    ws_step *excerpt = explain_wall(c, before[WS_COL_WALL]);
    if (!excerpt)
        return NULL;
    excerpt->name = "excerpt_s";
    step->formula =
        is_coverage ? "of_the_excerpt * (excerpt_s / job_wall_s)" : "of_the_excerpt * (job_wall_s / excerpt_s)";
    ws_step_say(arena, step, "the traces are an excerpt of the run%s",
                is_coverage ? "" : ": its mean power holds for the time of the job");
    ws_step_add_part(arena, step, traced);
    ws_step_add_part(arena, step, explain(c, WS_COL_JOB_WALL));
    ws_step_add_part(arena, step, excerpt);
    return if_it_holds(step);
}

static ws_step *explain_job_time(chain *c)
{
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_FORMULA, "wall_s", value_at(c, WS_COL_WALL), "s");
    step->formula = "job_wall_s";
    ws_step_say(c->x->arena, step, "the traces are an excerpt of the run: its time is that of the job");
    ws_step_add_part(c->x->arena, step, explain(c, WS_COL_JOB_WALL));
    return if_it_holds(step);
}

/* --- all together --- */

static ws_step *explain_missing(const chain *c, size_t column)
{
    const char *name = c->x->runs->columns[column].name;
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_MISSING, name, NAN, "");
    for (size_t i = 0; i < ws_run_formulas_n; i++) {
        if (ws_run_formulas[i].column != column)
            continue;
        ws_step_say(c->x->arena, step, "empty: it would be %s, of which something is missing",
                    ws_run_formulas[i].formula);
        return step;
    }
    ws_step_say(c->x->arena, step, "empty: nothing says it of this run, and nothing measured it");
    return step;
}

static ws_step *explain_text(const chain *c, size_t column)
{
    const char *name = c->x->runs->columns[column].name, *text = c->x->runs->columns[column].text[c->row];
    const ws_history_word *word = who_said(c, name);
    if (!text)
        return explain_missing(c, column);
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_ABOUT, name, NAN, "");
    ws_step_fact_text(c->x->arena, step, "text", text);
    if (word)
        ws_step_say(c->x->arena, step, "%s: said by %s", text, word->by);
    else
        ws_step_say(c->x->arena, step, "%s: no number, and no formula; the findings beside it may say why", text);
    return step;
}

static ws_step *without_formula(const chain *c, size_t column)
{
    const char *name = c->x->runs->columns[column].name;
    ws_step *step = ws_step_new(c->x->arena, WS_STEP_ESTIMATE, name, value_at(c, column), ws_explain_unit(name));
    ws_step_say(c->x->arena, step,
                column == WS_COL_ENERGY_U ? "not broken down here: docs/methods.md has its parts and how they are added"
                : column == WS_COL_AT_STAKE
                    ? "the joules that the findings in energy_findings put at stake (docs/findings.md), not broken "
                      "down further than to devices"
                    : "not broken down here: docs/methods.md says how it is made");
    ws_step *stakes = column == WS_COL_AT_STAKE && c->history ? ws_explain_stakes(c->history, c->x->arena) : NULL;
    if (stakes)
        ws_step_add_beside(c->x->arena, step, stakes);
    return step;
}

static ws_step *explain_number(chain *c, size_t column)
{
    double value = value_at(c, column);
    const double *measured = c->history ? c->history->stage[WS_STAGE_MEASURED] : NULL;
    const double *joined = c->history ? c->history->stage[WS_STAGE_JOINED] : NULL;
    const double *whole = c->history ? c->history->stage[WS_STAGE_WHOLE] : NULL;
    if (isnan(value))
        return explain_missing(c, column);
    if (column >= WS_RUN_COLUMN_N)
        return explain_stated(c, column);
    ws_step *step = NULL;
    if (whole && isnan(whole[column]))
        step = explain_formula(c, column, value);
    else if (whole && !same_bits(whole[column], joined[column]))
        step = column == WS_COL_WALL ? explain_job_time(c) : explain_excerpt(c, column, value);
    else if (whole && !isnan(measured[column]))
        step = explain_measured(c, column, value);
    if (step)
        return step;
    bool is_said = who_said(c, c->x->runs->columns[column].name) || !c->history || !c->history->is_traced;
    return is_said ? explain_stated(c, column) : without_formula(c, column);
}

static ws_step *explain(chain *c, size_t column)
{
    if (c->x->runs->columns[column].kind == WS_TEXT)
        return explain_text(c, column);
    if (column < WS_RUN_COLUMN_N)
        c->on_the_way[column] = true;
    ws_step *step = explain_number(c, column);
    if (column < WS_RUN_COLUMN_N)
        c->on_the_way[column] = false;
    return step;
}

static ws_step *explain_joules(const chain *c)
{
    ws_step *joules = c->history && c->history->is_traced ? ws_explain_energy(c->history, c->x->arena) : NULL;
    if (joules &&
        !same_bits(c->history->stage[WS_STAGE_WHOLE][WS_COL_WALL], c->history->stage[WS_STAGE_JOINED][WS_COL_WALL]))
        ws_step_say(c->x->arena, joules,
                    "of the excerpt that was traced: energy_kwh is its mean power for the whole run");
    if (joules)
        return joules;
    joules = ws_step_new(c->x->arena, WS_STEP_MISSING, WS_EXPLAIN_JOULES, NAN, "J");
    ws_step_say(c->x->arena, joules,
                "nothing was metered for this run, so it has no energy in J of its own: energy_kwh is what is said of "
                "it");
    return joules;
}

ws_step *ws_explain_run(const ws_explainer *x, size_t row, const size_t *column)
{
    chain c = {.x = x, .row = row, .history = ws_history_find(x->history, x->runs, row)};
    return column ? explain(&c, *column) : explain_joules(&c);
}
