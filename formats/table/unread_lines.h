/* Lines without a reading where a log begins and ends.
 *
 * Between readings the time of such lines is bridged. Beyond them a logger may have gone on without readings, for as
 * many polls as there are lines alike:
 *
 *     20260211   08:00:59      0    251     61
 *     Unable to determine the device handle for GPU 0000:17:00.0: GPU is lost
 *     Unable to determine the device handle for GPU 0000:17:00.0: GPU is lost
 *     ...
 *
 * Lines are alike, of one kind, where they differ in digits alone. What is said once or twice, as in a banner or a
 * summary, is no poll. Where a poll has several lines, those of kinds that stand between readings, too, are polls of as
 * many lines, and of others each is one. */
#ifndef WS_FORMATS_UNREAD_LINES_H
#define WS_FORMATS_UNREAD_LINES_H

#include "core/note.h"
#include "formats/table/rows.h"

enum { WS_LINE_KINDS = 64 };

typedef struct ws_line_kind {
    uint64_t hash, count;
    int64_t line; /* of the first one */
} ws_line_kind;

/* Lines behind each other without a reading. */
typedef struct ws_line_stretch {
    uint64_t n;
    size_t n_kinds; /* what is beyond WS_LINE_KINDS is not kept */
    ws_line_kind kind[WS_LINE_KINDS];
} ws_line_stretch;

typedef struct ws_unread_lines {
    bool has_reading;
    uint64_t n_read, n_between;     /* lines with a reading, and those without between them, */
    uint64_t n_places;              /* in so many places, */
    uint64_t least_between;         /* where there are so many at least; 0: none */
    ws_line_stretch between;        /* the first of them */
    ws_line_stretch start, current; /* before the first reading; since the last one */
} ws_unread_lines;

/* Once the kinds of the lines between readings are known, as many as are usual there are not looked at. */
enum { WS_LINES_LOOKED_AT = 1000 };
static inline bool ws_unread_is_usual(const ws_unread_lines *lines)
{
    return lines->n_between >= WS_LINES_LOOKED_AT && lines->current.n * lines->n_places < lines->n_between;
}

void ws_unread_line(ws_unread_lines *lines, const ws_row *row); /* gave no reading */
void ws_unread_forget(ws_unread_lines *lines);                  /* what stands above a header is no row */
void ws_unread_end_stretch(ws_unread_lines *lines);

/* A line gave a reading. */
static inline void ws_unread_reading(ws_unread_lines *lines)
{
    lines->n_read++;
    if (!lines->has_reading || lines->current.n)
        ws_unread_end_stretch(lines);
}

static inline void ws_unread_text(ws_unread_lines *lines, ws_span text, int64_t line)
{
    if (ws_unread_is_usual(lines))
        lines->current.n++;
    else
        ws_unread_line(lines, &(ws_row){.cells = &text, .n_cells = 1, .line = line});
}

/* May there be lines alike at an end? */
bool ws_unread_has_any(const ws_unread_lines *lines);

/* How many readings there are for each line, of a reader that tells of every line. */
double ws_unread_readings_a_line(const ws_unread_lines *lines);

/* Notes them, as the readings that they would be. */
void ws_unread_note(const ws_unread_lines *lines, double readings_a_line, ws_notes *notes, const char *source);

#endif
