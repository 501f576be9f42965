/* A figure as text: {"schema":"wattscale.figure/1", ...}, described in docs/figure.schema.json. What is written reads
 * back as the same figure, except for control characters in texts, which become blanks, and infinities, which become
 * null. */
#ifndef WS_REPORT_FIGURE_JSON_H
#define WS_REPORT_FIGURE_JSON_H

#include "report/figure/figure.h"

#include <stdio.h>

/* WS_IO: the stream takes no more. */
ws_status ws_figure_write_json(const ws_figure *figure, FILE *stream, ws_error *error);

/* `source` stands in messages. The figure must be freed in any case. WS_FORMAT: no JSON, or not of this schema, with
 * the place in it: "fig.json: panels[0].layers[2].y: ...". */
ws_status ws_figure_read_json(ws_figure *figure, const char *text, size_t n, const char *source, ws_error *error);

/* Names of the words in it, shared with other outputs. */
const char *ws_axis_scale_name(ws_axis_scale scale);
const char *ws_layer_kind_name(unsigned bit); /* of a single bit; NULL for none */

#endif
