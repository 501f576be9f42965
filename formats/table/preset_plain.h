/* The section of a preset that the fast path of plain lines reads (ws_row_trace.plain): its owners are the sources of
 * the rows. Internal to the engine of preset.h. */
#ifndef WS_FORMATS_PRESET_PLAIN_H
#define WS_FORMATS_PRESET_PLAIN_H

#include "formats/table/preset_header.h"
#include "formats/table/trace_section.h"

typedef struct ws_preset_plain {
    ws_trace_section section;
    size_t value_capacity;
    bool is_used; /* rows of the header at hand go to the section's lanes; else to series of their own */
} ws_preset_plain;

/* May lines of such a table be plain, where the header allows it? */
bool ws_preset_may_be_plain(const ws_preset *preset, char delimiter);

/* Below a header of so many columns. The lanes of the owners before have been flushed. */
void ws_preset_plain_begin(ws_preset_plain *plain, const ws_preset *preset, const ws_preset_header *header,
                           uint32_t n_columns);

/* A new owner, whose naming cells these are, with a channel of the sink for each column of values. The cells, which lie
 * in one text with the table's delimiter between them, and `about`, a reading a column, live as long as the owner.
 * Returns its place. */
size_t ws_preset_plain_add(ws_preset_plain *plain, const ws_preset_header *header, const ws_span *cells,
                           const ws_preset_reading *about, const int *ids, const ws_sink *sink, bool has_intervals);

void ws_preset_plain_free(ws_preset_plain *plain);

#endif
