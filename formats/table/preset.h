/* One reader for traces whose columns have fixed names: a format is a description of them, and at most one hook. The
 * engine of trace_csv.h guesses what unknown columns mean; this one is for tools whose columns are known, with rules of
 * their own (means of intervals, intervals in a column, rows of several jobs). */
#ifndef WS_FORMATS_PRESET_H
#define WS_FORMATS_PRESET_H

#include "formats/format.h"
#include "formats/table/rows.h"
#include "formats/table/samples.h"

typedef struct ws_preset_value {
    const char *name; /* of the column; '#' stands for the number of the device: "GPU#_POWER_W" */
    ws_domain domain;
    ws_quantity quantity;
    ws_rule rule;     /* WS_RULE_NONE: the usual one of the quantity */
    const char *unit; /* NULL: the usual one; one that stands in the name or in a row of units wins over either, but not
                         in a table with hash_head over a unit here */
    int preference;
} ws_preset_value;

/* Where a header has columns called like `parts`, the column `sum` is their sum. */
typedef struct ws_preset_sum {
    const char *sum, *parts;
} ws_preset_sum;

/* What one reading is: as the description has it, and then as the hook of its preset makes it. */
typedef struct ws_preset_reading {
    ws_domain domain;
    ws_quantity quantity;
    ws_rule rule;
    int preference;
    const ws_unit *unit;       /* of a cell without one; NULL: the usual one of the quantity */
    bool unit_is_fixed;        /* no unit in the name or in a row of units counts */
    const char *column;        /* as spelled */
    const char *device;        /* the device's name; NULL: by domain and number */
    int64_t number;            /* of the device, -1: none */
    const char *id, *identity; /* of the device; NULL: by the row's cells or the number in the column's name */
    bool (*is_blank)(ws_quantity quantity, double written); /* numbers that stand for "no reading", of ten digits
                                                                  at least; NULL: none do */
} ws_preset_reading;

/* Changes *reading, made for a column of values, to what `kind` says: the cells of the row's `kind` columns, joined by
 * '/', or, in a table without such columns, the name of a column that is none of the description's. `cells` are those
 * of the row in the order of the description, empty where the table has no such column. False: of no use here. `kind`
 * and texts from the arena live as long as the reader, `cells` as long as the call. */
typedef bool ws_preset_about(ws_arena *arena, const char *kind, const ws_span *cells, ws_preset_reading *reading);

enum { WS_PRESET_NAMES = 4, WS_PRESET_KINDS = 8 };

/* NULL texts: the format has no such column. */
typedef struct ws_preset {
    char delimiter;   /* or WS_WORDS; 0: whichever the head has */
    int score;        /* 0: 95 */
    bool scrolls;     /* the header comes again every screenful */
    bool hash_head;   /* a table of words whose header begins with '#', as does a row of units below it, if not with
                         "ID" or "Idx"; rows that do not fit the header are no rows of data */
    bool loose_names; /* names count in any case, behind a '#', and with a unit in them, which holds; "a|b" are two */
    bool has_groups; /* the row above the header names groups of columns, each over all of its columns or over the first
                        alone: a value may be called GROUP/NAME */
    const char *must[WS_PRESET_NAMES];   /* a row with all of these names is a header */
    const char *enough[WS_PRESET_NAMES]; /* and so is one with any of these */
    const char *without;                 /* none with this name is */
    const char *first_word;              /* in each row before what the header names; other rows are no rows of data */
    const char *time[WS_PRESET_NAMES];   /* the first that is there; a file without has rows by the user's period */
    const char *date;                    /* of a stamp in two columns */
    bool time_is_start;                  /* the row's interval begins at its stamp */
    const char *interval;                /* seconds that a row covers */
    bool opens_at_zero; /* no interval is written: a row covers the time since the row before, the first since time 0 */
    const char *loop;   /* tells a table whose rows are loops of a program and do not say how long they lasted */
    const char *run[WS_PRESET_NAMES], *node, *id[WS_PRESET_NAMES]; /* several are joined: "7.0", "-1/0" */
    bool id_is_index;                  /* of a GPU: the number is the device's, and a row without belongs to none */
    bool polls_whole_seconds;          /* no row of a device follows another one within a second */
    bool node_is_file;                 /* the node is called like the file */
    const char *summary;               /* a column that is "-" in the rows to take; others repeat parts of them */
    const char *kind[WS_PRESET_KINDS]; /* columns whose cells say what a row's readings are; then `about` has to know
                                          some row; none: `about` is asked what columns are, and values[0] is what they
                                          have in common */
    bool names_are_enough;             /* no other table has the names of `must`: no row has to be known */
    ws_preset_about *about;
    const char *unknown; /* the note on a row that it does not know: "is no RAPL domain"; NULL: none */
    const ws_preset_value *values;
    size_t n_values;
    const ws_preset_sum *sums; /* shown under `other`; ends in a NULL sum; NULL: there are none */
    bool drops_sums;           /* they are not shown at all */
    const char *remark_node;   /* a remark above the header, "# node_name:": the node of the rows */
    const char *remark_start;  /* such a remark that says when time 0 was */
    const char *given_time;    /* lines "NAME = VALUE" below the rows: the time that given totals cover, s */
    ws_last_line last_line;    /* when a last line without a line end counts */
    const char *what;          /* for the message about a file without: "no row with ..."; NULL: the usual one */
} ws_preset;

int ws_preset_score(const ws_preset *preset, ws_span head); /* its score or 0 */
ws_status ws_preset_read(const ws_preset *preset, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                         ws_notes *notes, ws_error *error);

/* A registry entry over the description NAME_preset. */
#define WS_PRESET_FORMAT(id, shown, about, sample, level, quantities, on)                                             \
    static int id##_score(const char *path, ws_span head)                                                             \
    {                                                                                                                 \
        (void)path;                                                                                                   \
        return ws_preset_score(&id##_preset, head);                                                                   \
    }                                                                                                                 \
    static ws_status id##_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes, \
                               ws_error *error)                                                                       \
    {                                                                                                                 \
        return ws_preset_read(&id##_preset, input, options, sink, notes, error);                                      \
    }                                                                                                                 \
    const ws_format ws_format_##id = {.name = shown,                                                                  \
                                      .title = about,                                                                 \
                                      .example = sample,                                                              \
                                      .tier = level,                                                                  \
                                      .gives = quantities,                                                            \
                                      .tried = on,                                                                    \
                                      .score = id##_score,                                                            \
                                      .goes_on = true,                                                                \
                                      .read = id##_read}

#define WS_PRESET_VALUES(list) .values = (list), .n_values = sizeof(list) / sizeof *(list)

#endif
