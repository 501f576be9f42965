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

/* What would help over a failure, for those who go on by it; the message says it in words. */
typedef enum ws_remedy {
    WS_REMEDY_NONE,
    WS_REMEDY_ANSWER,   /* a question that --columns answers */
    WS_REMEDY_COLUMNS,  /* no column is known by its name: --columns, with the map that the error holds */
    WS_REMEDY_HEADLESS, /* numbers without names: the map of columns to type */
    WS_REMEDY_COMMAND   /* a command that makes a table of the file */
} ws_remedy;

typedef struct ws_error {
    ws_status status;
    ws_remedy remedy;
    uint16_t said,
        n_said; /* where in the message stands what is wrong, without the place, who says so, and what there is */
    char columns[320]; /* WS_REMEDY_COLUMNS: the map, "time=t,power=watts"; "": no name is like that of a power */
    char message[600];
} ws_error;

void ws_error_clear(ws_error *error);

/* Record a failure and return `status`, so that `return ws_fail(error, WS_DATA, "...")` reads well. */
ws_status ws_fail(ws_error *error, ws_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a place in front: "SOURCE:LINE: ", or "SOURCE: " where line is 0. */
ws_status ws_fail_at(ws_error *error, ws_status status, const char *source, int64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Data that a recipe cannot use, "SOURCE: frey/fig2 needs ...", "SOURCE: campaign/caps: no ...": its name and what
 * joins it to the rest (" ", ": ") are no part of what is wrong. */
ws_status ws_fail_recipe(ws_error *error, const char *source, const char *recipe, const char *joint, const char *format,
                         ...) __attribute__((format(printf, 5, 6)));

/* Adds "; there are: ..." to a failure that was just recorded, which is no part of what is wrong, and returns its
 * status. */
ws_status ws_fail_offer(ws_error *error, const char *there_are, ws_status status);

/* Says of a failure that was just recorded what would help, and returns its status; `columns` may be NULL. */
ws_status ws_fail_remedy(ws_error *error, ws_remedy remedy, const char *columns, ws_status status);

#endif
