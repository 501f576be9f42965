/* A trace being read: what stands under each header, and the devices whose rows these are. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_SECTION_H
#define WS_FORMATS_TRACE_SECTION_H

#include "formats/format.h"
#include "formats/table/lane.h"
#include "formats/table/line_layout.h"
#include "formats/table/row_policy.h"
#include "formats/table/trace_devices.h"
#include "formats/table/trace_plan.h"
#include "formats/table/trace_turns.h"

/* Rows of one device under one header. */
typedef struct ws_trace_source {
    ws_span node, id; /* as the cells spell them */
    char names[62];   /* both cells as they stood in a line last, up to the delimiter behind them */
    uint16_t names_n; /* 0: not seen yet, or too long */
    ws_domain domain; /* of its values that name none */
    int64_t last_ns;
    ws_lane lane;
} ws_trace_source;

/* What stands under one header. */
typedef struct ws_trace_section {
    ws_plan plan;
    bool is_unusable;                    /* its rows are passed over */
    const struct ws_trace_section *like; /* whose devices its own are, in their order; NULL: it names them itself */
    ws_trace_source *sources;
    size_t n, capacity, next; /* next: the source that is likely to come next */
    ws_poll poll;             /* where rows take turns */
    /* The values of the plan that some device wants, in the order in which they were first wanted. */
    uint32_t *used;
    size_t n_used;
} ws_trace_section;

typedef struct ws_trace {
    ws_plan_context context;
    const ws_read_options *options;
    const ws_sink *sink;
    char delimiter;
    ws_rows *rows;
    ws_trace_section **sections;
    size_t n_sections, section_capacity;
    ws_trace_section *current; /* NULL before the first header */
    ws_line_layouts shapes;    /* of the lines of the current section */
    ws_trace_devices devices;
    ws_stamp date_line; /* the stamp of a line of its own that holds for the rows after it */
    bool has_date_line, is_naive_noted;
    ws_row_policy policy;
} ws_trace;

/* A note with the offending text, which may be empty. */
void ws_trace_note(ws_trace *trace, ws_finding finding, int64_t line, const char *text, ws_span cell);

/* The source of a row; NULL with WS_OK when its device cannot be told, which is noted. */
ws_status ws_trace_find_source(ws_trace *trace, ws_trace_section *section, const ws_row *row, int64_t t_ns,
                               ws_trace_source **found, ws_error *error);

/* The source with these names, if it is there already: rows of several devices come in turns. */
ws_trace_source *ws_trace_known_source(ws_trace_section *section, ws_span node, ws_span id);
ws_trace_source *ws_trace_source_of(ws_trace_section *section, const ws_row *row); /* that the row's cells name */

/* Can plain rows of the current section be read in any order, as by threads? */
bool ws_trace_rows_stand_alone(const ws_trace *trace);

/* Text that begins with a line, and how much of it was taken. */
typedef struct ws_plain_lines {
    ws_span text;     /* in: all of it; out: what is left */
    int64_t first, n; /* number of the first line, and lines taken */
    ws_span last;     /* the last one taken, with its end */
} ws_plain_lines;

/* Takes lines as long as they are plain data of devices that are known. */
ws_status ws_trace_take_plain(ws_trace *trace, ws_plain_lines *lines, ws_error *error);

ws_status ws_trace_section_flush(ws_trace_section *section, ws_error *error);
ws_trace_section *ws_trace_section_add(ws_trace *trace);
void ws_trace_section_start(ws_trace_section *section); /* once its plan is there */
/* The last line of data read, to judge whether the very last one of the file is cut. */
void ws_trace_remember_last_line(ws_trace *trace, ws_span line);

/* Takes the rows that are there, up to the end of the file or of what was put. */
ws_status ws_trace_take_rows(ws_trace *trace, ws_error *error);

void ws_trace_section_free(ws_trace_section *section);

#endif
