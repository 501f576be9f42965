/* Scrolling tables: a head of names that begins with '#' and comes again every screenful, often a line of units under it,
 * then rows of words. What the columns mean is the layout's part. Inside formats/ only. */
#ifndef WS_FORMATS_DMON_H
#define WS_FORMATS_DMON_H

#include "core/unit.h"
#include "formats/format.h"

typedef struct ws_dmon_column {
    ws_quantity quantity;
    int preference;
    const ws_unit *unit; /* where the line of units gives none; NULL: the usual one */
    bool unit_is_fixed;  /* the line of units is not to be believed */
    bool (*is_blank)(ws_quantity quantity, double written); /* numbers that stand for "no reading"; NULL: none do */
} ws_dmon_column;

typedef struct ws_dmon_layout {
    const char *entity;      /* the name of the column of devices: "gpu" */
    const char *entity_word; /* the word before each device's number, "GPU"; NULL: the number stands alone */
    const char *not_with;    /* a head with this name is another format's; may be NULL */
    bool (*column)(ws_span name, ws_dmon_column *column); /* false for one of no use here */
} ws_dmon_layout;

enum { WS_DMON_WORDS = 128 };

/* The words of a line, a '#' before them taken off; commas separate, too. Returns how many, at most WS_DMON_WORDS. */
size_t ws_dmon_words(ws_span line, ws_span words[WS_DMON_WORDS]);

/* Is the line a head with the layout's column of devices? */
bool ws_dmon_is_head(const ws_dmon_layout *layout, ws_span line);

int ws_dmon_score(const ws_dmon_layout *layout, ws_span head);

ws_status ws_dmon_read(const ws_dmon_layout *layout, ws_input *input, const ws_read_options *options,
                       const ws_sink *sink, ws_notes *notes, ws_error *error);

#endif
