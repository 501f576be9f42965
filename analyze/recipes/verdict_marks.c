#include "analyze/recipes/verdict_marks.h"
#include "analyze/scaling/scaling.h"

#include "analyze/same_rows.h"
#include "analyze/units.h"
#include "analyze/unusable_runs.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

static const char DOUBTFUL[] = "*", WITHOUT[] = "†", UNUSABLE[] = "‡";

static int64_t count_of(const ws_table *scale, const char *name, size_t row)
{
    size_t column;
    bool found = ws_table_find(scale, name, &column) && scale->columns[column].kind == WS_INTEGER;
    return found && !ws_table_is_missing(scale, column, row) ? scale->columns[column].integer[row] : 0;
}

bool ws_leaves_runs_out(const ws_table *scale)
{
    for (size_t row = 0; row < scale->n_rows; row++)
        if (count_of(scale, "n_unusable", row) > 0)
            return true;
    return false;
}

void ws_copy_counted_runs(const ws_table *runs, const ws_table *scale, ws_table *counted)
{
    bool *counts = ws_alloc((runs->n_rows + 1) * sizeof *counts), leaves_out = ws_leaves_runs_out(scale);
    for (size_t row = 0; row < runs->n_rows; row++)
        counts[row] = !leaves_out || !ws_run_is_unusable(runs, row);
    ws_table_copy_rows(runs, counts, counted);
    free(counts);
}

static const char *text_at(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    bool found = ws_table_find(table, name, &column) && table->columns[column].kind == WS_TEXT;
    return found && table->columns[column].text[row] ? table->columns[column].text[row] : "";
}

static bool is_run_of_any(const ws_table *runs, size_t run, const ws_table *scale, const ws_row_origin *origins,
                          size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (origins[i].configuration != SIZE_MAX && ws_is_run_of(runs, run, scale, origins[i].configuration))
            return true;
    return false;
}

/* --- what footnotes say --- */

enum { MOST_NAMES = 8 };

typedef struct name_list {
    const char *text;
    size_t n;
} name_list;

static void add_name(name_list *list, const char *name, ws_arena *arena)
{
    if (list->n++ < MOST_NAMES)
        list->text = ws_arena_printf(arena, "%s%s%s", list->text, list->n > 1 ? ", " : "", name);
}

static const char *names_of(const name_list *list, ws_arena *arena)
{
    return list->n > MOST_NAMES ? ws_arena_printf(arena, "%s and %zu more", list->text, list->n - MOST_NAMES)
                                : list->text;
}

static bool is_code_among(const char *codes, ws_span code)
{
    ws_span rest = ws_span_of(codes), one;
    while (ws_span_split(&rest, ',', &one))
        if (ws_span_trim(one).n == code.n && strncmp(ws_span_trim(one).p, code.p, code.n) == 0)
            return true;
    return false;
}

/* The codes of a run that are not in the list yet. */
static void add_codes(name_list *list, const char *codes, ws_arena *arena)
{
    ws_span rest = ws_span_of(codes), one;
    while (ws_span_split(&rest, ',', &one)) {
        one = ws_span_trim(one);
        if (one.n && !is_code_among(list->text, one))
            add_name(list, ws_arena_strndup(arena, one.p, one.n), arena);
    }
}

/* The run and, in brackets, what speaks against it. */
static const char *run_with_codes(const ws_table *runs, size_t row, ws_arena *arena)
{
    char place[320];
    const char *name = text_at(runs, "run", row);
    name_list codes = {"", 0};
    add_codes(&codes, text_at(runs, "energy_findings", row), arena);
    name = *name ? name : ws_table_place(runs, row, place);
    return codes.n ? ws_arena_printf(arena, "%s (%s)", name, names_of(&codes, arena)) : ws_arena_strdup(arena, name);
}

typedef struct verdict_words {
    name_list codes; /* of doubtful energies */
    name_list runs;  /* that cannot be used */
    size_t n_doubtful;
} verdict_words;

static bool is_questioned(const ws_table *runs, size_t row)
{
    return ws_row_verdict(runs, row) > WS_ENERGY_VERDICT_OK;
}

static void add_run(verdict_words *words, const ws_table *runs, size_t row, ws_arena *arena)
{
    if (ws_row_verdict(runs, row) == WS_ENERGY_VERDICT_DOUBTFUL) {
        words->n_doubtful++;
        add_codes(&words->codes, text_at(runs, "energy_findings", row), arena);
    }
    if (ws_run_is_unusable(runs, row))
        add_name(&words->runs, run_with_codes(runs, row, arena), arena);
}

/* --- rows --- */

static ws_energy_verdict verdict_of(const ws_table *runs, const ws_table *scale, const ws_row_origin *origin)
{
    return origin->run != SIZE_MAX             ? ws_row_verdict(runs, origin->run)
           : origin->configuration != SIZE_MAX ? ws_row_verdict(scale, origin->configuration)
                                               : WS_ENERGY_VERDICT_NONE;
}

static int64_t left_out_of(const ws_table *scale, const ws_row_origin *origin)
{
    return origin->configuration != SIZE_MAX ? count_of(scale, "n_unusable", origin->configuration) : 0;
}

/* For programs; people have the marks. */
static void add_verdict_column(const ws_table *runs, const ws_table *scale, const ws_row_origin *origins, ws_table *out)
{
    size_t column = ws_table_add_column(out, "energy_verdict", WS_TEXT);
    ws_table_set_detail(out, column);
    for (size_t row = 0; row < out->n_rows; row++) {
        ws_energy_verdict verdict = verdict_of(runs, scale, &origins[row]);
        if (verdict != WS_ENERGY_VERDICT_NONE)
            ws_table_set_text(out, column, row, ws_energy_verdict_name(verdict));
    }
}

static void add_count_column(const ws_table *scale, const char *name, const ws_row_origin *origins, ws_table *out)
{
    size_t column;
    if (ws_table_find(out, name, &column))
        return;
    column = ws_table_add_column(out, name, WS_INTEGER);
    for (size_t row = 0; row < out->n_rows; row++)
        if (origins[row].configuration != SIZE_MAX)
            ws_table_set_integer(out, column, row, count_of(scale, name, origins[row].configuration));
        else
            ws_table_set_detail(out, column); /* the runs stand beside the mean */
}

static void mark_keys(ws_table *out)
{
    static const char *const keys[] = {"run", "gpus"};
    size_t column;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !out->marked_column; i++)
        if (ws_table_find(out, keys[i], &column))
            out->marked_column = keys[i];
}

static void add_footnotes(const verdict_words *words, const size_t *n_marked, bool leaves_out, ws_arena *arena,
                          ws_table *out)
{
    const char *names = names_of(&words->runs, arena);
    if (n_marked[0])
        ws_table_add_footnote(
            out, DOUBTFUL,
            ws_arena_printf(arena, "doubtful energy%s%s", words->codes.n ? ": " : "", names_of(&words->codes, arena)));
    if (n_marked[1])
        ws_table_add_footnote(out, WITHOUT,
                              ws_arena_printf(arena, "without %zu run%s whose energy cannot be used: %s", words->runs.n,
                                              words->runs.n == 1 ? "" : "s", names));
    if (n_marked[2])
        ws_table_add_footnote(out, UNUSABLE,
                              ws_arena_printf(arena, "energy that cannot be used%s: %s",
                                              leaves_out ? ", in no mean and no fit" : "", names));
}

/* Of the runs that the table shows, by themselves or in a mean. */
static verdict_words words_of(const ws_table *runs, const ws_table *scale, const ws_row_origin *origins, size_t n,
                              ws_arena *arena)
{
    verdict_words words = {.codes = {"", 0}, .runs = {"", 0}};
    bool *shown = ws_arena_alloc(arena, (runs->n_rows + 1) * sizeof *shown);
    for (size_t i = 0; i < n; i++)
        if (origins[i].run != SIZE_MAX)
            shown[origins[i].run] = true;
    for (size_t run = 0; run < runs->n_rows; run++)
        if (is_questioned(runs, run) && (shown[run] || is_run_of_any(runs, run, scale, origins, n)))
            add_run(&words, runs, run, arena);
    return words;
}

void ws_tell_verdicts(const ws_table *runs, const ws_table *scale, const ws_row_origin *origins, ws_table *out)
{
    ws_arena arena = {0};
    size_t n_marked[3] = {0};
    for (size_t row = 0; row < out->n_rows; row++) {
        ws_energy_verdict verdict = verdict_of(runs, scale, &origins[row]);
        const struct {
            bool holds;
            const char *mark;
        } marks[] = {{verdict == WS_ENERGY_VERDICT_DOUBTFUL, DOUBTFUL},
                     {left_out_of(scale, &origins[row]) > 0, WITHOUT},
                     {verdict == WS_ENERGY_VERDICT_UNUSABLE, UNUSABLE}};
        for (size_t i = 0; i < 3; i++) {
            if (marks[i].holds)
                ws_table_mark_row(out, row, marks[i].mark);
            n_marked[i] += marks[i].holds;
        }
    }
    if (n_marked[1]) {
        add_count_column(scale, "n_runs", origins, out);
        add_count_column(scale, "n_unusable", origins, out);
    }
    if (n_marked[0] + n_marked[1] + n_marked[2] > 0) {
        verdict_words words = words_of(runs, scale, origins, out->n_rows, &arena);
        add_verdict_column(runs, scale, origins, out);
        mark_keys(out);
        add_footnotes(&words, n_marked, ws_leaves_runs_out(scale), &arena, out);
    }
    ws_arena_free(&arena);
}

void ws_tell_runs_left_out(const ws_table *runs, const ws_table *scale, bool rests_on_energy, ws_table *out)
{
    ws_arena arena = {0};
    verdict_words words = {.codes = {"", 0}, .runs = {"", 0}};
    size_t *same = ws_arena_alloc(&arena, (runs->n_rows + 1) * sizeof *same), n_runs = 0;
    ws_units_same_runs(runs, same, NULL); /* a run of several series is one */
    for (size_t run = 0; run < runs->n_rows; run++) {
        if (same[run] != run)
            continue;
        add_run(&words, runs, run, &arena);
        n_runs++;
    }
    if (words.n_doubtful && rests_on_energy)
        ws_table_add_footnote(out, "",
                              ws_arena_printf(&arena, "%zu of the %zu runs ha%s a doubtful energy%s%s",
                                              words.n_doubtful, n_runs, words.n_doubtful == 1 ? "s" : "ve",
                                              words.codes.n ? ": " : "", names_of(&words.codes, &arena)));
    if (words.runs.n && ws_leaves_runs_out(scale))
        ws_table_add_footnote(out, "",
                              ws_arena_printf(&arena, "without %zu run%s whose energy cannot be used: %s", words.runs.n,
                                              words.runs.n == 1 ? "" : "s", names_of(&words.runs, &arena)));
    ws_arena_free(&arena);
}
