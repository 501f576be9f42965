/* Series of metrics, as Prometheus answers a query or a table of it holds them. */
#ifndef WS_FORMATS_PROMETHEUS_ANSWER_H
#define WS_FORMATS_PROMETHEUS_ANSWER_H

#include "core/note.h"
#include "formats/input/input.h"
#include "core/sample.h"

struct json_t;

/* Passes on the series of an answer of Prometheus, a root with data.result. */
ws_status ws_prom_read_answer(ws_input *input, const struct json_t *root, const ws_sink *sink, ws_notes *notes,
                              ws_error *error);

#endif
