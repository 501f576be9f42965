/* From a path to samples: recognise the format by content and read it. */
#ifndef WS_ANALYZE_SOURCE_H
#define WS_ANALYZE_SOURCE_H

#include "analyze/input_register.h"
#include "analyze/progress.h"
#include "analyze/store/file_state.h"
#include "core/note.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/table.h"
#include "formats/format.h"

#include <stdbool.h>

typedef struct ws_source_options {
    const char *as; /* a format's name, or NULL to recognise */
    ws_read_options read;
    ws_progress *progress;     /* counts what is read, or NULL */
    ws_input_register *inputs; /* takes what is read, or NULL */
    ws_file_looks *looks;      /* gets what the file was, or NULL */
    ws_input *open; /* read this and leave it open, instead of opening the path: a pipe can be opened once; or NULL */
} ws_source_options;

/* What the content of `path` says it is. *format is NULL for content that no reader knows. A doubt is a note. */
ws_status ws_source_recognise(const char *path, const char *as, const ws_format **format, ws_notes *notes,
                              ws_error *error);

/* The same for an open input, such as a pipe, which can be read only once. */
ws_status ws_source_recognise_open(const ws_input *input, const char *as, const ws_format **format, ws_notes *notes,
                                   ws_error *error);

/* The format that the options state: a column map says that a file is a trace, whatever its head looks like, as CSV or,
 * where it begins so, as JSON or line protocol. NULL: none. */
const char *ws_source_format(const ws_source_options *options, const ws_input *input);

/* What notes, errors and tables call the file: "-" is "standard input". */
const char *ws_source_name(const char *path);

/* Read a trace file into a sink. *format (may be NULL) gets what it was taken for. WS_FORMAT: no trace reader knows the
 * content; the message names the path, what it looks like and the remedy. */
ws_status ws_source_read(const char *path, const ws_source_options *options, const ws_sink *sink, ws_notes *notes,
                         const ws_format **format, ws_error *error);

/* Read a table of records (CSV, JSON, sacct, job log, ...); the table is initialised here and the caller frees it, also
 * after a failure. */
ws_status ws_source_read_table(const char *path, const ws_source_options *options, ws_table *table, ws_error *error);

/* How many objects of damaged files could not be read, according to their reader's notes. */
uint64_t ws_count_damage(const ws_notes *notes);

/* Turns a failure that does not stop the work into a note. The place moves from the text into the note's own fields. */
void ws_note_failure(ws_notes *notes, ws_finding finding, const char *path, const ws_error *error);

/* Does the path lie in the folder of a campaign whose description says "synthetic": true? */
bool ws_is_in_synthetic_campaign(const char *path);

/* Of a file that no reader takes: WS_FORMAT with the line that makes a CSV of it, where there is one; else WS_OK. */
ws_status ws_source_tell(const ws_input *input, ws_error *error);

#endif
