#include "analyze/ingest/shared_devices.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/identity/merged.h"
#include "analyze/identity/same_data.h"
#include "analyze/units.h"

#include <stdlib.h>
#include <string.h>

static void set_status(ws_table *runs, size_t row)
{
    ws_energy_status status;
    if (ws_energy_status_named(runs->columns[WS_COL_STATUS].text[row], &status) && status == WS_STATUS_OK)
        ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_SHARED_DEVICE));
    if (ws_energy_verdict_named(runs->columns[WS_COL_VERDICT].text[row]) != WS_ENERGY_VERDICT_NONE)
        ws_runs_raise_verdict(runs, row, WS_FINDING_SHARED_DEVICE, WS_ENERGY_VERDICT_DOUBTFUL);
}

static void note_uuid(ws_table *runs, const ws_seen_device *a, size_t n, const ws_seen_device *b)
{
    ws_notes_add_many(&runs->notes, n, WS_FINDING_SHARED_DEVICE, runs->columns[WS_COL_RUN].text[b->owner], a->uuid, 0,
                      "%s read the same device at the same time, and each run has all of its energy: did both use it?",
                      runs->columns[WS_COL_RUN].text[a->owner]);
}

/* At the later run; where they are several, that is `row`. */
static void note_one_node(ws_table *runs, size_t other, size_t n, size_t row)
{
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    ws_notes_add_many(&runs->notes, n, WS_FINDING_SHARED_DEVICE, names[row > other ? row : other], "", 0,
                      "%s has the same readings of the same devices at the same time, by more than chance, and each "
                      "run has all of their energy: did both use them?",
                      names[row > other ? other : row]);
}

static void note_pair(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    if (b->uuid)
        note_uuid(state, *a, n, b);
    else
        note_one_node(state, (*a)->owner, n, b->owner);
}

static void note_merged(void *state, size_t owner, size_t first, size_t last, size_t n)
{
    ws_table *runs = state;
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    set_status(runs, owner);
    ws_notes_add(&runs->notes, WS_FINDING_SHARED_DEVICE, names[owner], "", 0,
                 "holds the readings of %zu other runs, %s to %s, one after the other, and no others: a merged copy of "
                 "them, whose energy a sum of the runs holds twice ('exclude' leaves it out)",
                 n, names[first], names[last]);
}

/* One run that stands in two series: rows of the same job that agree in all else. NULL: no row names a job. */
static size_t *find_same_jobs(const ws_table *runs)
{
    size_t job;
    if (!ws_table_find(runs, "job", &job))
        return NULL;
    size_t *same = ws_alloc((runs->n_rows + 1) * sizeof *same);
    ws_units_same_runs(runs, same);
    for (size_t row = 0; row < runs->n_rows; row++)
        same[row] = ws_table_is_missing(runs, job, row) ? row : same[row];
    return same;
}

void ws_note_shared_devices(ws_seen_devices *seen, ws_table *runs)
{
    size_t *same = seen->n ? find_same_jobs(runs) : NULL, kept = 0;
    ws_seen_devices_note_sensors(seen, &runs->notes);
    for (size_t i = 0; same && i < seen->n; i++)
        if (same[seen->items[i]->owner] == seen->items[i]->owner)
            seen->items[kept++] = seen->items[i];
    seen->n = same ? kept : seen->n;
    bool *is_shared = ws_alloc(runs->n_rows + 1);
    ws_seen_devices_pairs(seen, note_pair, runs);
    for (size_t i = 0; i < seen->n; i++)
        is_shared[seen->items[i]->owner] |= seen->items[i]->is_paired;
    for (size_t row = 0; row < runs->n_rows; row++)
        if (is_shared[same ? same[row] : row])
            set_status(runs, row);
    ws_seen_devices_merged(seen, note_merged, runs);
    free(is_shared);
    free(same);
    ws_seen_devices_free(seen);
}
