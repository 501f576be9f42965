/* A reader on a thread of its own, its samples taken by the calling one: the next are read while the last are metered. Inside
 * formats/ only. */
#ifndef WS_FORMATS_HANDOVER_H
#define WS_FORMATS_HANDOVER_H

#include "core/sample.h"

/* Reads it all into `sink`. */
typedef ws_status ws_handover_read(void *state, const ws_sink *sink, ws_error *error);

/* `read` with a sink that behaves as `sink` does, and what it returned; where no thread can be had, on the calling one. Of `sink`,
 * one function at a time is called, channels and facts in the reader's order, the blocks of each channel too. A block that the sink
 * refuses ends the reading at one of the next blocks. */
ws_status ws_handover(ws_handover_read *read, void *state, const ws_sink *sink, ws_error *error);

#endif
