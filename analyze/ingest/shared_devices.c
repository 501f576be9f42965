#include "analyze/ingest/shared_devices.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/identity/same_data.h"

#include <string.h>

static void set_status(ws_table *runs, size_t row)
{
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    if (status && strcmp(status, "ok") == 0)
        ws_table_set_text(runs, WS_COL_STATUS, row, "shared-device");
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

void ws_note_shared_devices(ws_seen_devices *seen, ws_table *runs)
{
    ws_seen_devices_note_sensors(seen, &runs->notes);
    ws_seen_devices_pairs(seen, note_pair, runs);
    for (size_t i = 0; i < seen->n; i++)
        if (seen->items[i]->is_paired)
            set_status(runs, seen->items[i]->owner);
    ws_seen_devices_free(seen);
}
