#include "analyze/ingest/field_names.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/near_names.h"

#include <string.h>

/* Where the fields of a run come from. */
enum { SOURCES = 3 };
typedef const ws_fields *field_sources[SOURCES];

/* Names that mean something without being columns. */
bool ws_field_is_known(const char *name)
{
    static const char *const known[] = {"node",   "gpu",  "factor",        "subset_factor", "workers", "job",
                                        "config", "seed", "clock_cap_mhz", "dataset",       "phase",   "peak_share"};
    ws_run_column column;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return ws_run_column_find(name, &column);
}

static bool is_given(field_sources sources, const char *name)
{
    for (size_t i = 0; i < SOURCES; i++)
        if (ws_fields_get(sources[i], name))
            return true;
    return false;
}

static const char *meant_by(field_sources sources, const char *name)
{
    if (ws_field_is_known(name))
        return NULL;
    for (int c = 0; c < WS_RUN_COLUMN_N; c++) {
        const char *column = ws_run_column_about((ws_run_column)c)->name;
        if (ws_name_is_slip(name, column) && !is_given(sources, column))
            return column;
    }
    return NULL;
}

static void note_fields(const ws_campaign *campaign, const ws_fields *fields, field_sources sources, ws_notes *notes)
{
    for (size_t i = 0; i < fields->n; i++) {
        const char *name = fields->items[i].name, *meant = meant_by(sources, name);
        if (meant)
            ws_notes_add(notes, WS_FINDING_MAYBE_MISSPELT, campaign->source, name, 0,
                         "the field becomes a column of its own, did you mean %s?", meant);
    }
}

void ws_note_misspelt_fields(const ws_campaign *campaign, const ws_run_list *list, const ws_fields *set,
                             ws_notes *notes)
{
    for (size_t i = 0; i < list->n; i++) {
        field_sources sources = {&list->runs[i].fields, &campaign->defaults, set};
        note_fields(campaign, sources[0], sources, notes);
        for (size_t shared = 1; shared < SOURCES && i == 0; shared++)
            note_fields(campaign, sources[shared], sources, notes);
    }
}
