/* Bytes made by a thread ahead of the one that uses them: while one buffer is looked at, the other is filled. */
#ifndef WS_FORMATS_PREFETCH_H
#define WS_FORMATS_PREFETCH_H

#include "core/status.h"
#include "core/text.h"

#include <stddef.h>

/* The next bytes into `buffer`, on the thread; *n = 0 at the end. It is not called again after the end or a failure. */
typedef ws_status ws_prefetch_fill(void *state, char *buffer, size_t size, size_t *n, ws_error *error);

typedef struct ws_prefetch ws_prefetch;

ws_prefetch *ws_prefetch_start(ws_prefetch_fill *fill, void *state); /* NULL where no thread can be had */

/* As ws_input_read: n = 0 at the end, also when it is asked again; a failure comes after all bytes before it, and again
 * with every further call. The bytes are good until the next call. */
ws_status ws_prefetch_next(ws_prefetch *ahead, ws_span *bytes, ws_error *error);

/* Waits for a `fill` that is under way, which must end by itself. NULL is fine. */
void ws_prefetch_stop(ws_prefetch *ahead);

#endif
