/* Outcome of a call and the one line that explains a failure.
 *
 * Every function that can fail returns a ws_status and takes a ws_error as its last argument. The caller owns the
 * ws_error; NULL is allowed and drops the text. The first failure stays: later ones do not overwrite it.
 * A message is one line, lower case, no full stop, place first: "gpu0.csv:418: power '3OO W' is not a number".
 * Running out of memory is not a status: the allocation functions of arena.h end in the memory handler. */
#ifndef WS_CORE_STATUS_H
#define WS_CORE_STATUS_H

#include <stdint.h>

typedef enum ws_status {
    WS_OK = 0,
    WS_USAGE,  /* the caller asked for something that does not exist or does not fit together */
    WS_IO,     /* a path is missing, unreadable or cannot be written */
    WS_FORMAT, /* the content is not what its format promises */
    WS_DATA    /* readable, but holds nothing that can be used, or the answer is undefined */
} ws_status;

typedef struct ws_error {
    ws_status status;
    char message[600];
} ws_error;

void ws_error_clear(ws_error *error);

/* Record a failure and return `status`, so that `return ws_fail(error, WS_DATA, "...")` reads well. */
ws_status ws_fail(ws_error *error, ws_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a place in front: "SOURCE:LINE: ", or "SOURCE: " where line is 0. */
ws_status ws_fail_at(ws_error *error, ws_status status, const char *source, int64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
