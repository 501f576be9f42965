/* A folder that appears whole or not at all: it is filled beside its place, under NAME.PID.part, and renamed at the
 * end. */
#ifndef WS_ANALYZE_REPORT_FOLDER_H
#define WS_ANALYZE_REPORT_FOLDER_H

#include "analyze/commands/cli.h"

typedef struct ws_report_folder {
    const char *target, *part; /* part is NULL while nothing has been made */
    ws_arena arena;
} ws_report_folder;

/* Make NAME.PID.part with its subfolders. WS_IO: the place cannot be written; the target exists and `force` is not
 * set; or it is set and the target holds something that no report holds, and which replacing it would destroy. */
ws_status ws_report_folder_begin(ws_report_folder *folder, const char *target, bool force, ws_error *error);

/* One file: `name` is its path within the folder. The message of a failure names it under the target. */
ws_status ws_report_folder_write(const ws_report_folder *folder, const char *name, ws_file_writer *write,
                                 const void *what, ws_error *error);

/* Put it into its place, instead of what was there. */
ws_status ws_report_folder_finish(ws_report_folder *folder, ws_error *error);

/* Always: what was not finished is removed. */
void ws_report_folder_free(ws_report_folder *folder);

#endif
