/* The registry of formats: the name of each one, how it is recognised, how it is read.
 *
 * A trace format pushes samples into a sink; a record format (a table of runs, a scheduler log) fills a table. A new
 * format is one file that defines a ws_format, and one line in format.c. */
#ifndef WS_FORMATS_FORMAT_H
#define WS_FORMATS_FORMAT_H

#include "core/note.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/table.h"
#include "formats/input/input.h"
#include "formats/log_place.h"
#include "formats/input/rows_options.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What readers had a use for, of what a user told; several may say so at once. */
typedef struct ws_read_use {
    atomic_bool period;
} ws_read_use;

/* What a user may tell a reader about a file. Texts are borrowed for the length of the read. */
typedef struct ws_read_options {
    const char *columns; /* column map "time=Timestamp,power=#2,unit=mW,gpu=dev" (see columnmap.h), or NULL */
    int64_t period_ns;   /* sampling period of a file without time; 0 = not given (ws_read_period asks for it) */
    int32_t zone;        /* for naive stamps; WS_ZONE_NONE = read as UTC and say so */
    /* From the description of the run: the number of devices that may take turns in rows that no column tells apart. It
     * counts only if the rows confirm it. 0: not described. */
    uint32_t described_devices;
    bool node_is_given; /* by the description: all rows are of that node */
    uint32_t
        rule_order; /* a shuffle of the rules of table/column_rules.h, for tests; 0: in the order of their tables */
    ws_rows_options rows; /* of delimited files */
    ws_log_reading *log;  /* of a log that grows, or NULL */
    ws_read_use *use;     /* gets what was of use, or NULL */
} ws_read_options;
#define WS_READ_DEFAULTS     \
    {                        \
        .zone = WS_ZONE_NONE \
    }

/* The sampling period, for a file that holds no time: it was of use. */
static inline int64_t ws_read_period(const ws_read_options *options)
{
    if (options->use)
        atomic_store_explicit(&options->use->period, true, memory_order_relaxed);
    return options->period_ns;
}

/* Quantities that files of a format can hold, as bits. */
enum {
    WS_GIVES_POWER = 1 << WS_POWER,
    WS_GIVES_COUNTER = 1 << WS_ENERGY_COUNTER,
    WS_GIVES_ENERGY = 1 << WS_ENERGY_INTERVAL,
    WS_GIVES_UTIL = 1 << WS_UTIL,
    WS_GIVES_MEM_UTIL = 1 << WS_MEM_UTIL,
    WS_GIVES_MEM_USED = 1 << WS_MEM_USED,
    WS_GIVES_CLOCK = 1 << WS_CLOCK,
    WS_GIVES_TEMP = 1 << WS_TEMPERATURE,
    WS_GIVES_LIMIT = 1 << WS_POWER_LIMIT,
    /* of a trace whose columns may be anything */
    WS_GIVES_ANY = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_ENERGY | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL |
                   WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT
};

/* The score if the format only begins after other lines, such as a job's own output: a format that begins on the first
 * line is more certain. */
enum { WS_SCORE_BEHIND = 65 };

/* What a reader was tested on: real logs, or only files written from the format's documentation. */
typedef enum ws_tried { WS_TRIED_NOT = 0, WS_TRIED_HAND_MADE, WS_TRIED_REAL } ws_tried;

typedef struct ws_format {
    const char *name;    /* "nvidia-smi-csv": for --as, `wattscale formats` and campaign.json */
    const char *title;   /* one line for people */
    const char *example; /* the first line or two of such a file, for `wattscale formats -v` and docs */
    bool is_record;      /* fills a table instead of a sink */
    bool is_any_table;   /* a record format with free column names, so that only the names can state units */
    int tier;            /* 1: nearly every campaign has such files, 2: many do, 3: some do */
    unsigned gives;      /* WS_GIVES_ bits; 0 for records */
    bool goes_on;        /* a log that has grown can be read on from where it ended (log_place.h) */
    bool tells_nodes;    /* asks whose rows are that may be those of several nodes; else node_watch.h looks at them */
    ws_tried tried;

    /* How certain the first bytes make this format: 0 not at all, 100 certain. Must not read beyond the head. */
    int (*score)(const char *path, ws_span head);
    int highest_score; /* that `score` can return (0 means 100): it is not called once another format has done better */
    const char
        *report;       /* what it prints behind the output of the program that it measures begins so; NULL: elsewhere */
    bool is_quoted;    /* a record format whose rows people quote in texts, too (quoted_rows.h) */
    const char *holds; /* text that the head of every such file holds, found faster than `score` says no; NULL: none */

    /* Trace formats. A broken line becomes a note; WS_FORMAT only if the rest of the file cannot be read either.
     * Samples pushed before a failure stay pushed. */
    ws_status (*read)(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                      ws_error *error);

    /* Record formats: rows are appended to a freshly initialised table, notes go to table->notes. */
    ws_status (*read_table)(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error);
} ws_format;

/* All formats, NULL-terminated, in the order of the documentation. */
const ws_format *const *ws_formats(void);
const ws_format *ws_format_by_name(const char *name); /* NULL if there is none */

/* The best-scoring format for the input's head; NULL if none scores above zero. *runner_up (may be NULL) gets the next
 * best if it comes within 10 points, else NULL. */
const ws_format *ws_format_recognise(const ws_input *input, const ws_format **runner_up);
bool ws_format_is_tar(ws_span head); /* a tar archive is no format; its members may be */

#endif
