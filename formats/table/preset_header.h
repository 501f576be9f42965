/* The header of a preset's table: which row it is, and what its columns are. Internal to the engine of preset.h. */
#ifndef WS_FORMATS_PRESET_HEADER_H
#define WS_FORMATS_PRESET_HEADER_H

#include "formats/table/held_windows.h"
#include "formats/table/preset.h"
#include "formats/table/row_trace.h"

enum { WS_NOT_THERE = -1 };

/* A column of values, found in the header. */
typedef struct ws_preset_column {
    const ws_preset_value *value;
    ws_preset_reading reading;
    size_t at;
    char digits[WS_DOUBLE_TEXT]; /* the number of the device as text, "" for none */
    double before, total; /* of a counter that begins with its log: what the logs above came to, and with this one */
} ws_preset_column;

/* The columns that say whose a row's readings are and what they are; as many of `place` are there. */
enum { WS_PRESET_MOST_NAMING = 2 * WS_PRESET_NAMES + WS_PRESET_KINDS + 1 };

typedef struct ws_preset_header {
    int time, date, interval, node, summary, run[WS_PRESET_NAMES], id[WS_PRESET_NAMES], kind[WS_PRESET_KINDS];
    int naming[WS_PRESET_MOST_NAMING]; /* node, run, id and kind, each column once, in the table's order */
    size_t n_naming;
    const ws_unit *interval_unit;
    ws_preset_column *columns; /* of values */
    size_t n_columns, column_capacity;
    const char **groups; /* of the columns, in the arena */
    uint32_t n_groups;
} ws_preset_header;

/* Whether it is worth the while to cut the head into rows. */
bool ws_preset_may_have_header(const ws_preset *preset, ws_span head);

/* May not be called with a row without cells. */
bool ws_preset_is_header(const ws_preset *preset, const ws_row *row);

/* The row above the header that names groups of columns. */
void ws_preset_header_take_groups(ws_preset_header *header, const ws_row *row, ws_arena *arena);

/* Replaces what the header before said; its counters go on where the new one has them, too. */
void ws_preset_header_take(ws_preset_header *header, const ws_preset *preset, const ws_row *row, ws_arena *arena);

/* A row of units below the header: a unit a column, or fewer where some have none, which then cannot be told apart. */
void ws_preset_header_take_units(ws_preset_header *header, const ws_row *row, uint32_t n_names);

void ws_preset_header_free(ws_preset_header *header);

/* Does `name` follow the pattern of a value's name? *number: what stands for '#', or -1. */
bool ws_preset_matches(const char *pattern, ws_span name, int64_t *number);

/* The place of a column, WS_NOT_THERE for none and for a NULL name. */
int ws_preset_place(const ws_preset *preset, const ws_row *row, const char *name);

ws_preset_column ws_preset_column_of(const ws_preset_value *value, const char *name, size_t at, int64_t number);

#endif
