/* A log that grows is read on from where an earlier reading of it ended, if its reader can do so (ws_format.goes_on)
 * and the log is the same up to there, which whoever asks for it has to know. */
#ifndef WS_FORMATS_LOG_PLACE_H
#define WS_FORMATS_LOG_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* Behind the last whole line of a log. */
typedef struct ws_log_place {
    uint64_t offset;  /* of the next byte; at least WS_HEAD_SIZE */
    int64_t line;     /* its line */
    uint64_t devices; /* in the rows before it: a reader that finds another number in the head cannot go on */
} ws_log_place;

typedef struct ws_log_reading {
    const ws_log_place *from; /* go on there; NULL: read from the beginning */
    /* The reader cannot: nothing was pushed, and the sink may have been asked for channels. */
    bool is_refused;
    /* Called at most once, when everything up to the place has been pushed and nothing behind it. A reader that could
     * not go on from the end of this log does not call it. NULL: nobody asks. */
    void (*reach)(void *state, const ws_log_place *place);
    void *state;
    uint64_t least; /* bytes of a log for which it is called */
} ws_log_reading;

#endif
