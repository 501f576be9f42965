#include "analyze/unusable_runs.h"

#include <stdlib.h>

static const char *text_at(const ws_table *t, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(t, name, &column) && t->columns[column].kind == WS_TEXT ? t->columns[column].text[row] : NULL;
}

ws_energy_verdict ws_row_verdict(const ws_table *t, size_t row)
{
    return ws_energy_verdict_named(text_at(t, "energy_verdict", row));
}

bool ws_run_is_unusable(const ws_table *t, size_t row)
{
    size_t energy;
    return ws_row_verdict(t, row) == WS_ENERGY_VERDICT_UNUSABLE &&
           !(ws_table_find(t, "energy_kwh", &energy) && ws_table_is_missing(t, energy, row));
}

void ws_note_unusable_run(const ws_table *t, size_t row, ws_notes *notes)
{
    char place[320];
    const char *name = text_at(t, "run", row), *why = text_at(t, "energy_findings", row);
    ws_notes_add(notes, WS_FINDING_UNUSABLE_RUN, t->source, name ? name : ws_table_place(t, row, place), 0,
                 "is left out of means and fits, since its energy cannot be used%s%s (--keep-unusable keeps it)",
                 why ? ": " : "", why ? why : "");
}

void ws_note_doubtful_runs(const ws_table *t, ws_notes *notes)
{
    size_t n = 0;
    for (size_t row = 0; row < t->n_rows; row++)
        n += ws_row_verdict(t, row) == WS_ENERGY_VERDICT_DOUBTFUL;
    if (n)
        ws_notes_add(notes, WS_FINDING_DOUBTFUL_ENERGY, t->source, "", 0,
                     "%zu of the %zu runs ha%s a doubtful energy (--exclude energy_verdict=doubtful leaves them out)",
                     n, t->n_rows, n == 1 ? "s" : "ve");
}

void ws_drop_unusable_runs(ws_table *t)
{
    bool *keep = ws_alloc(t->n_rows * sizeof *keep + 1);
    for (size_t row = 0; row < t->n_rows; row++) {
        keep[row] = !ws_run_is_unusable(t, row);
        if (!keep[row])
            ws_note_unusable_run(t, row, &t->notes);
    }
    ws_table_filter(t, keep);
    free(keep);
}
