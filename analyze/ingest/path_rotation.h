/* Files that follow each other in time: a log that was rotated, of one run, or runs of their own. */
#ifndef WS_ANALYZE_PATH_ROTATION_H
#define WS_ANALYZE_PATH_ROTATION_H

#include "analyze/ingest/scan_file.h"

typedef enum ws_rotation {
    WS_ROTATION_NONE = 0, /* runs of their own */
    WS_ROTATION_OPEN,     /* the readings go on without a break, and nothing says why the log was cut */
    WS_ROTATION_PROVEN
} ws_rotation;

/* The second goes on where the first ends, and was begun at a full hour. Both are dated. */
bool ws_goes_on_at_hour(const ws_scan_file *a, const ws_scan_file *b);

/* Are these files pieces of one rotated log? Their readings are known, and their names differ in a number or a date
 * only. Sorts them by time. Proven: each goes on where the one before ends, and was cut at a full hour or
 * (`is_named`) has the name that programs which rotate logs give. */
ws_rotation ws_find_rotation(ws_scan_file **files, size_t n, bool is_named);

#endif
