#include "analyze/explain/explain_files.h"

#include "analyze/ingest/run_files.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add_finding(ws_step *list, const ws_note *note, bool names_source, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_COUNTED, ws_arena_printf(arena, "[%s]", ws_finding_code(note->finding)),
                                (double)note->count, "");
    ws_step_say(arena, step, "%s%s%s%s%s", names_source ? note->source : "", names_source ? ": " : "", note->subject,
                *note->subject ? ": " : "", note->text);
    ws_step_fact_text(arena, step, "code", ws_finding_code(note->finding));
    ws_step_fact_text(arena, step, "takes", ws_takes_name(ws_finding_about(note->finding)->takes));
    ws_step_fact_text(arena, step, "source", note->source);
    ws_step_fact_text(arena, step, "subject", note->subject);
    if (note->line > 0)
        ws_step_fact_number(arena, step, "line", (double)note->line);
    ws_step_add_beside(arena, list, step);
}

static void add_findings_of_file(const ws_explainer *x, const char *path, ws_step *step)
{
    for (size_t i = 0; i < x->runs->notes.n; i++)
        if (strcmp(x->runs->notes.items[i].source, path) == 0)
            add_finding(step, &x->runs->notes.items[i], false, x->arena);
}

static void count_readings(const ws_run_history *run, const char *path, ws_step *step, ws_arena *arena)
{
    const ws_file_readings r = ws_run_file_readings(run, path);
    ws_step_fact_number(arena, step, "devices", (double)r.devices);
    ws_step_fact_number(arena, step, "samples", (double)r.samples);
    ws_step_fact_number(arena, step, "missing", (double)r.missing);
    ws_step_say(arena, step, "%s%s%zu %s with an energy, %" PRIu64 " readings, %s missing", step->says,
                *step->says ? "; " : "", r.devices, r.devices == 1 ? "device" : "devices", r.samples,
                r.missing ? ws_arena_printf(arena, "%" PRIu64, r.missing) : "none");
}

const char *ws_explain_file(const ws_explainer *x, const char *path, ws_step *step)
{
    enum { SHORT_HASH = 16 };
    const ws_registered_input *input = x->inputs ? ws_input_register_find(x->inputs, path) : NULL;
    const char *format = input && input->format ? input->format->name : "no known format";
    if (!input)
        return "";
    ws_step_fact_text(x->arena, step, "format", input->format ? format : NULL);
    bool is_archived;
    const ws_registered_input *digest = ws_run_file_digest(x->inputs, path, &is_archived);
    if (!digest)
        return ws_arena_printf(x->arena, "%s, of a pipe: without a hash", format);
    ws_step_fact_number(x->arena, step, "size", (double)digest->size);
    ws_step_fact_text(x->arena, step, "sha256", digest->sha256);
    return ws_arena_printf(x->arena, "%s, %s%" PRIu64 " bytes, SHA-256 %.*s...", format,
                           is_archived ? "in an archive of " : "", digest->size, SHORT_HASH, digest->sha256);
}

static ws_step *explain_file(const ws_explainer *x, const ws_run_history *run, const ws_history_file *file)
{
    ws_step *step = ws_step_new(x->arena, WS_STEP_ABOUT, file->path, NAN, "");
    ws_step_say(x->arena, step, "%s", ws_explain_file(x, file->path, step));
    count_readings(run, file->path, step, x->arena);
    ws_step_fact_text(x->arena, step, "path", file->path);
    ws_step_fact_text(x->arena, step, "node", file->node);
    ws_step_fact_text(x->arena, step, "path_rule", file->rule);
    if (file->rule)
        ws_step_say(x->arena, step, "%s; taken by the path rule '%s'", step->says, file->rule);
    add_findings_of_file(x, file->path, step);
    return step;
}

static void add_files(const ws_explainer *x, const ws_run_history *run, ws_step *step)
{
    ws_step *list =
        ws_step_new(x->arena, WS_STEP_ABOUT,
                    run->n_files == 1 ? "1 file" : ws_arena_printf(x->arena, "%zu files", run->n_files), NAN, "");
    for (size_t i = 0; i < run->n_files; i++)
        ws_step_add_beside(x->arena, list, explain_file(x, run, &run->files[i]));
    if (run->n_files)
        ws_step_add_beside(x->arena, step, list);
}

static void add_window(const ws_explainer *x, const ws_run_history *run, ws_step *step)
{
    char from[WS_STAMP_TEXT], to[WS_STAMP_TEXT];
    if (!run->has_window)
        return;
    ws_stamp_text(from, run->window_start_ns);
    ws_stamp_text(to, run->window_end_ns);
    ws_step *window = ws_step_new(x->arena, WS_STEP_ABOUT, "window", NAN, "");
    ws_step_say(x->arena, window, "%s to %s, row %zu of %s; %s", from, to, run->window_row,
                run->window_record ? run->window_record : "its record",
                run->window_nodes ? ws_arena_printf(x->arena, "of the %zu nodes that it names", run->window_nodes)
                                  : "of all nodes");
    ws_step_fact_text(x->arena, window, "from", from);
    ws_step_fact_text(x->arena, window, "to", to);
    ws_step_fact_text(x->arena, window, "record", run->window_record);
    ws_step_fact_number(x->arena, window, "row", (double)run->window_row);
    if (run->window_record)
        ws_step_say(x->arena, window, "%s; %s", window->says, ws_explain_file(x, run->window_record, window));
    ws_step_add_beside(x->arena, step, window);
}

/* Findings about the run as a whole: its name is their subject. */
static void add_findings_of_run(const ws_explainer *x, size_t row, ws_step *step)
{
    const char *name = x->runs->columns[WS_COL_RUN].text[row];
    for (size_t i = 0; name && i < x->runs->notes.n; i++)
        if (strcmp(x->runs->notes.items[i].subject, name) == 0)
            add_finding(step, &x->runs->notes.items[i], true, x->arena);
}

/* A number never stands without what speaks against it. */
static void add_verdict(const ws_explainer *x, size_t row, ws_step *step)
{
    const char *verdict = x->runs->columns[WS_COL_VERDICT].text[row];
    const char *findings = x->runs->columns[WS_COL_FINDINGS].text[row];
    double at_stake_kwh = ws_runs_get(x->runs, WS_COL_AT_STAKE, row);
    if (!verdict || strcmp(verdict, "ok") == 0)
        return;
    ws_step *list =
        ws_step_new(x->arena, WS_STEP_ABOUT, ws_arena_printf(x->arena, "energy_verdict: %s", verdict), NAN, "");
    ws_step_say(x->arena, list, "%s%s", findings ? findings : "a question is open",
                isnan(at_stake_kwh) ? "; nobody knows the joules at stake"
                                    : ws_arena_printf(x->arena, "; %.6g kWh at stake", at_stake_kwh));
    ws_step_fact_text(x->arena, list, "energy_verdict", verdict);
    ws_step_fact_text(x->arena, list, "energy_findings", findings);
    ws_step_fact_number(x->arena, list, "energy_at_stake_kwh", at_stake_kwh);
    ws_step_add_beside(x->arena, step, list);
}

void ws_explain_beside_run(const ws_explainer *x, size_t row, ws_step *step)
{
    const ws_run_history *run = ws_history_find(x->history, x->runs, row);
    add_verdict(x, row, step);
    if (run)
        add_window(x, run, step);
    if (run)
        add_files(x, run, step);
    add_findings_of_run(x, row, step);
}
