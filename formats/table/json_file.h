/* A file that is one JSON value. */
#ifndef WS_FORMATS_JSON_FILE_H
#define WS_FORMATS_JSON_FILE_H

#include "formats/input/input.h"

struct json_t;

/* The value of the whole file, at most `limit` bytes, read with jansson's flags; the caller gives it back with
 * json_decref. NaN and Infinity, which Python writes and JSON has not, are null. WS_FORMAT names the line of what is
 * wrong. */
ws_status ws_json_read(ws_input *input, size_t limit, size_t flags, struct json_t **root, ws_error *error);

/* `bytes` with null in the place of NaN and Infinity. Where that takes a copy, *copy is it,
 * for the caller to free; else it is NULL. Lines stay where they are. */
ws_span ws_json_without_nan(ws_span bytes, char **copy);

#endif
