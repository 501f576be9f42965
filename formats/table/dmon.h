/* Scrolling tables: a head of names that begins with '#' and comes again every screenful, often a line of units under
 * it, then rows of words. What the columns mean is the layout's part. */
#ifndef WS_FORMATS_DMON_H
#define WS_FORMATS_DMON_H

#include "core/unit.h"
#include "formats/format.h"
#include "formats/table/rows.h"

typedef struct ws_dmon_column {
    ws_quantity quantity;
    int preference;
    const ws_unit *unit; /* where the line of units gives none; NULL: the usual one */
    bool unit_is_fixed;  /* the line of units is not to be believed */
    bool (*is_blank)(ws_quantity quantity, double written); /* numbers that stand for "no reading"; NULL: none do */
} ws_dmon_column;

typedef struct ws_dmon_layout {
    const char *entity;         /* the name of the column of devices: "gpu" */
    const char *entity_word;    /* the word before each device's number, "GPU"; NULL: the number stands alone */
    const char *with, *without; /* another name that a head has to have, or must not have; NULL: none */
    bool (*column)(ws_span name, ws_dmon_column *column); /* false for one of no use here; NULL: all are of use */
} ws_dmon_layout;

/* The names of a head with the layout's column of devices, the '#' before them taken off: how many, at most
 * WS_DMON_WORDS. 0: the row is no such head. */
enum { WS_DMON_WORDS = 128 };
size_t ws_dmon_head(const ws_dmon_layout *layout, const ws_row *row, ws_span names[WS_DMON_WORDS]);

int ws_dmon_score(const ws_dmon_layout *layout, ws_span head);

ws_status ws_dmon_read(const ws_dmon_layout *layout, ws_input *input, const ws_read_options *options,
                       const ws_sink *sink, ws_notes *notes, ws_error *error);

#endif
