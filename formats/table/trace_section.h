/* A trace being read: the sections, one under each header, and the devices of their rows. */
#ifndef WS_FORMATS_TRACE_SECTION_H
#define WS_FORMATS_TRACE_SECTION_H

#include "formats/format.h"
#include "formats/table/trace_devices.h"
#include "formats/table/row_policy.h"
#include "formats/table/trace_plan.h"
#include "formats/table/poll_places.h"

/* One device under one header: the owner of its rows. */
typedef struct ws_row_owner {
    ws_span node, id;          /* as the cells spell them */
    char names[62];            /* the text of both cells in the last line, up to the delimiter after them */
    uint16_t names_n;          /* 0: not seen yet, or too long */
    ws_domain domain;          /* of the values whose columns name none */
    int64_t first_ns, last_ns; /* stamps of its rows; first_ns: where stops_at_repeats */
    ws_lane lane;
} ws_row_owner;

/* The rows under one header. */
typedef struct ws_trace_section {
    ws_plan plan;
    bool is_unusable;                    /* its rows are skipped */
    bool stops_at_repeats;               /* a row with the stamp of its owner's row before is no plain one */
    const struct ws_trace_section *like; /* an earlier section with the same devices in the same order, or NULL */
    ws_row_owner *owners;
    size_t n, capacity, next; /* next: the owner that probably comes next */
    ws_poll poll;             /* if rows take turns */
    ws_span *place_ids;       /* of the rows at each place then; empty: no row was there yet */
    /* The values of the plan that the sink wants for some device, in the order of first use. */
    uint32_t *used;
    size_t n_used;
} ws_trace_section;

typedef struct ws_trace {
    ws_plan_context context;
    const ws_read_options *options;
    const ws_sink *sink;
    ws_sink own_sink;      /* that `sink` is, where the trace goes on from an earlier reading */
    ws_notes *later_notes; /* that are noted then, and nothing before */
    ws_input *input;
    bool has_reached; /* the end of its whole lines */
    char delimiter;
    ws_rows *rows;
    ws_trace_section **sections;
    size_t n_sections, section_capacity;
    ws_trace_section *current;       /* NULL before the first header */
    struct ws_line_layouts *layouts; /* of the lines of the current section (trace_rows.h); NULL before */
    ws_trace_devices devices;
    ws_stamp date_line; /* the last stamp on a line of its own; it applies to the rows below */
    bool has_date_line, is_naive_noted;
    ws_row_policy policy;
    /* Takes the rows that are not plain, for a reader with rules of its own; NULL: those of trace_csv.c. It sets
     * `current` once plain lines may be read, and back to NULL where they no longer may. */
    ws_row_taker *take_row;
    void *taker;
    /* Of such a reader that can go on from an earlier reading, if its rows are those of one header, and all that it
     * knows of them is in `current`: tells it where to note from now on. NULL: it cannot. */
    void (*set_notes)(void *taker, ws_notes *notes);
} ws_trace;

/* All rows of an input that ws_rows_open has opened in `rows`: plain lines of the current section by the fast path, on
 * several threads where the file is large, the others one by one (trace_csv.c). Pushes what lanes hold in the end. */
ws_status ws_trace_read_rows(ws_trace *trace, ws_input *input, ws_error *error);

/* Does it go on from an earlier reading? Then context.notes are NULL at first, and later_notes are set. Whoever asked
 * for it is told where it could not. */
bool ws_trace_goes_on(const ws_read_options *options);

/* Closes its rows, too. */
void ws_trace_free(ws_trace *trace);

/* Adds a note that quotes the cell, if it is not empty. */
void ws_trace_note(ws_trace *trace, ws_finding finding, int64_t line, const char *text, ws_span cell);

/* The owner of a row, made if it is new. *found = NULL with WS_OK: the device cannot be identified, which
 * a note says. */
ws_status ws_row_owner_find(ws_trace *trace, ws_trace_section *section, const ws_row *row, int64_t t_ns,
                            ws_row_owner **found, ws_error *error);

/* The existing owner with these names, or that the row's cells name; NULL if there is none (yet). */
ws_row_owner *ws_row_owner_known(ws_trace_section *section, ws_span node, ws_span id);
ws_row_owner *ws_row_owner_of(ws_trace_section *section, const ws_row *row);

ws_status ws_trace_section_flush(ws_trace_section *section, ws_error *error); /* pushes what the lanes hold */
ws_trace_section *ws_trace_section_add(ws_trace *trace);
void ws_trace_section_start(ws_trace_section *section); /* after its plan has been made */

void ws_trace_section_free(ws_trace_section *section);

#endif
