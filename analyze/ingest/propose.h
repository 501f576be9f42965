/* A campaign description guessed from a folder: every file is recognised by content, what the paths say becomes fields
 * (path_parts.h, path_fields.h), and these become rules. */
#ifndef WS_ANALYZE_PROPOSE_H
#define WS_ANALYZE_PROPOSE_H

#include "analyze/ingest/path_fields.h"
#include "formats/campaign.h"
#include "core/note.h"
#include "core/status.h"

struct ws_file_list;

typedef struct ws_propose_options {
    unsigned threads;
    ws_fields set;                    /* what the user says of every run: goes into `defaults` */
    const char *pattern;              /* the user's own rule, tried before all others; or NULL */
    const struct ws_file_list *files; /* below the folder; NULL: they are not listed yet */
    struct ws_scan_memory *memory;    /* of what the files were found to be, for this time and the next; or NULL */
} ws_propose_options;

/* What was understood of the files that are runs. */
typedef struct ws_proposal {
    ws_scan_file *files; /* traces, and tables whose rows are runs, in the order of their paths */
    size_t n;
    const char **useless; /* files that are neither, relative to the folder */
    size_t n_useless;
    ws_arena arena;
} ws_proposal;

/* `campaign` and `proposal` are filled from empty and freed by the caller, also after a failure; the proposal's texts
 * lie in its arena. WS_DATA: nothing below the folder is a run. WS_USAGE: the pattern is none, or takes no file. */
ws_status ws_propose_campaign(const char *folder, const ws_propose_options *options, ws_campaign *campaign,
                              ws_proposal *proposal, ws_notes *notes, ws_error *error);
void ws_proposal_free(ws_proposal *proposal);

#endif
