/* A trace being read: what stands under each header, and the devices whose rows these are. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_SECTION_H
#define WS_FORMATS_TRACE_SECTION_H

#include "formats/format.h"
#include "formats/lane.h"
#include "formats/trace_devices.h"
#include "formats/trace_plan.h"

/* Rows of one device under one header. */
typedef struct ws_trace_source {
    ws_span node, id; /* as the cells spell them */
    int64_t last_ns;
    ws_lane lane;
} ws_trace_source;

/* What stands under one header. */
typedef struct ws_trace_section {
    ws_plan plan;
    bool is_unusable; /* its rows are passed over */
    ws_trace_source *sources;
    size_t n, capacity, next; /* next: the source that is likely to come next */
    uint32_t position;        /* of the next row in its sample, where rows take turns */
    int64_t last_ns;
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
    /* What the block of rows was cut for: the first so many used values of a section. */
    const ws_trace_section *cut_for;
    size_t cut_values;
    ws_trace_devices devices;
    ws_stamp date_line; /* the stamp of a line of its own that holds for the rows after it */
    bool has_date_line, is_naive_noted;
    char last_cell[64]; /* of the row before, for judging whether the last one is cut */
    size_t last_cell_n;
} ws_trace;

/* A note with the offending text, which may be empty. */
void ws_trace_note(ws_trace *trace, const char *code, int64_t line, const char *text, ws_span cell);

/* The source that is likely to come next, where the row is its: rows of several devices come in turns. */
static inline ws_trace_source *ws_trace_expected_source(ws_trace_section *s, const ws_row *row)
{
    const ws_plan *plan = &s->plan;
    if (s->next >= s->n || plan->positions > 1)
        return NULL;
    ws_trace_source *expected = &s->sources[s->next];
    if (!plan->is_wide && !ws_span_same(ws_row_cell(row, plan->ids[plan->identity]), expected->id))
        return NULL;
    if (!ws_span_same(ws_row_cell(row, plan->node), expected->node))
        return NULL;
    s->next = s->next + 1 < s->n ? s->next + 1 : 0;
    return expected;
}

/* The source of a row; NULL with WS_OK when its device cannot be told, which is noted. */
ws_status ws_trace_find_source(ws_trace *trace, ws_trace_section *section, const ws_row *row, int64_t t_ns,
                               ws_trace_source **found, ws_error *error);

/* The source that the row's own cells name, if it is there already. */
ws_trace_source *ws_trace_known_source(ws_trace_section *section, const ws_row *row);

/* The columns of `n_values` values and those that are looked at in every row; `columns` has room for WS_TRACE_ROLES
 * more than the values. all: the values of the plan, else those in use. Returns their number. */
enum { WS_TRACE_ROLES = 6 };
size_t ws_trace_columns(const ws_trace_section *section, size_t n_values, bool all, uint32_t *columns);

/* May rows of the current section be plain data at all? */
bool ws_trace_is_usual(const ws_trace *trace);

/* Takes rows of a block as long as they are plain data of the device whose turn it is; *taken gets their number. */
ws_status ws_trace_take_plain(ws_trace *trace, const ws_row *rows, size_t n, size_t *taken, ws_error *error);

ws_status ws_trace_section_flush(ws_trace_section *section, ws_error *error);
ws_trace_section *ws_trace_section_add(ws_trace *trace);
void ws_trace_section_start(ws_trace_section *section); /* once its plan is there */
/* Of the last row read, to judge whether the very last one is cut. */
void ws_trace_remember_last_cell(ws_trace *trace, ws_span cell);

/* Takes the rows that are there, up to the end of the file or of what was put. */
ws_status ws_trace_take_rows(ws_trace *trace, ws_error *error);

void ws_trace_section_free(ws_trace_section *section);

#endif
