/* How far the reading of many files is, counted by any thread. */
#ifndef WS_ANALYZE_PROGRESS_H
#define WS_ANALYZE_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_progress {
    atomic_uint_least64_t bytes, files; /* read; files that are done */
    uint64_t all_bytes, all_files;      /* 0: not known */
} ws_progress;

/* "412 MB of 1.5 GB, 37 of 2000 files, 1.2 GB/s, 1 s left", as far as it is known after that time. */
enum { WS_PROGRESS_TEXT = 120 };
void ws_progress_text(const ws_progress *progress, double elapsed_s, char text[WS_PROGRESS_TEXT]);

#endif
