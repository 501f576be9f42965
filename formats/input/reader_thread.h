/* A reader on a thread of its own, its samples taken by the calling one: the next are read while the last are metered.
 */
#ifndef WS_FORMATS_READER_THREAD_H
#define WS_FORMATS_READER_THREAD_H

#include "core/sample.h"

/* So many blocks may wait, so that neither thread does while the other is at something longer. */
enum { WS_READER_THREAD_WAITING = 4 };

/* Reads it all into `sink`. The arrays of a block stay as they are until ws_reader_thread has returned or
 * WS_READER_THREAD_WAITING more blocks were pushed and accepted. */
typedef ws_status ws_reader_thread_read(void *state, const ws_sink *sink, ws_error *error);

/* `read` with a sink that behaves as `sink` does, and what it returned; where no thread can be had, on the calling one.
 * Of `sink`, one function at a time is called, channels and facts in the reader's order, the blocks of each channel
 * too. A block that the sink refuses ends the reading at one of the next blocks. */
ws_status ws_reader_thread(ws_reader_thread_read *read, void *state, const ws_sink *sink, ws_error *error);

#endif
