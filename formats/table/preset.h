/* One reader for traces whose columns have fixed names: a format is a description of them. The engine of trace_csv.h
 * guesses what unknown columns mean; this one is for tools whose columns are known, with rules of their own (means of
 * intervals, intervals in a column, rows of several jobs). Inside formats/ only. */
#ifndef WS_FORMATS_PRESET_H
#define WS_FORMATS_PRESET_H

#include "formats/table/feed.h"
#include "formats/format.h"
#include "formats/table/rows.h"

typedef struct ws_preset_value {
    const char *name; /* of the column; '#' stands for the number of the device: "GPU#_POWER_W" */
    ws_domain domain;
    ws_quantity quantity;
    ws_rule rule; /* WS_RULE_NONE: the usual one of the quantity */
    const char *unit;
    int preference;
} ws_preset_value;

enum { WS_PRESET_NAMES = 3 };

/* NULL texts: the format has no such column. */
typedef struct ws_preset {
    char delimiter;                      /* or WS_WORDS */
    bool scrolls;                        /* the header comes again every screenful */
    const char *must[WS_PRESET_NAMES];   /* a row with all of these names is a header */
    const char *enough[WS_PRESET_NAMES]; /* and so is one with any of these */
    const char *time[WS_PRESET_NAMES];   /* the first that is there; a file without has rows by the user's period */
    bool time_is_start;                  /* the row's interval begins at its stamp */
    const char *interval;                /* seconds that a row covers */
    bool opens_at_zero; /* no interval is written: a row covers the time since the row before, the first since time 0 */
    const char *loop;   /* tells a table whose rows are loops of a program and do not say how long they lasted */
    const char *run[WS_PRESET_NAMES], *node, *id[WS_PRESET_NAMES]; /* several are joined: "7.0", "-1/0" */
    const char *summary; /* a column that is "-" in the rows to take; others repeat parts of them */
    const ws_preset_value *values;
    size_t n_values;
    const char *given_time; /* lines "NAME = VALUE" below the rows: the time that given totals cover, s */
} ws_preset;

int ws_preset_score(const ws_preset *preset, ws_span head); /* 95 or 0 */
ws_status ws_preset_read(const ws_preset *preset, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                         ws_notes *notes, ws_error *error);

#endif
