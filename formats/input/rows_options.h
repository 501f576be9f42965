/* How delimited files are read. The result is the same whatever these options say. */
#ifndef WS_FORMATS_ROWS_OPTIONS_H
#define WS_FORMATS_ROWS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef enum ws_reader {
    WS_READER_FAST = 0, /* plain lines by the scanner, the others by libcsv */
    WS_READER_PORTABLE, /* the same, without the instructions that only some processors have */
    WS_READER_CSV       /* all lines by libcsv */
} ws_reader;

/* How many lines went which way. Threads may share it. */
typedef struct ws_line_counts {
    _Atomic uint64_t plain, other;
} ws_line_counts;

typedef struct ws_rows_options {
    ws_reader reader;
    size_t piece;           /* look at so many bytes at a time; 0: at all that was read */
    unsigned threads;       /* for one large file; 0 and 1: the calling one alone */
    size_t part;            /* bytes of such a file that a thread takes at a time; 0: the usual */
    ws_line_counts *counts; /* gets the lines of rows that are closed, or NULL */
} ws_rows_options;

#endif
