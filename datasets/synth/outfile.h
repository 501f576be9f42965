/* Files of a campaign: a text is built in memory and then saved whole, plain or gzip-ed. */
#ifndef WS_SYNTH_OUTFILE_H
#define WS_SYNTH_OUTFILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_synth_text {
    char *p;
    size_t n, capacity;
} ws_synth_text; /* {0} is an empty one */

void ws_synth_print(ws_synth_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ws_synth_print_double(ws_synth_text *text, double value); /* shortest decimal that reads back the same */
void ws_synth_put(ws_synth_text *text, const void *bytes, size_t n);
void ws_synth_put_little(ws_synth_text *text, uint64_t value, size_t bytes); /* little-endian */
void ws_synth_text_free(ws_synth_text *text);

/* Wall-clock texts without zone: "2025-05-14T09:21:59" and, by another separator, "2025/05/14 09:21:59". */
void ws_synth_print_time(ws_synth_text *text, int64_t ns, char date_separator, char time_separator);
void ws_synth_print_duration(ws_synth_text *text, int64_t seconds); /* "00:12:34" */

/* Save under "DIR/NAME"; folders in between are made, an existing file is replaced. The gzip header holds no time. */
ws_status ws_synth_save(const char *dir, const char *name, const ws_synth_text *text, bool gzip, ws_error *error);

/* Copies "DIR/FROM" to "DIR/NAME". */
ws_status ws_synth_copy(const char *dir, const char *from, const char *name, ws_error *error);

/* Make the folders above "DIR/NAME", for a library that opens the file itself. */
ws_status ws_synth_make_folders(const char *path, ws_error *error);

#endif
