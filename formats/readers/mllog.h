/* One line of MLPerf's log:   :::MLLOG {"namespace": "", "time_ms": 1770796800220, "event_type": "POINT_IN_TIME",
 * "key": "power_reading", "value": 2795, "metadata": ""}
 * It may stand behind the prefix that a launcher writes (" 0: "). */
#ifndef WS_FORMATS_MLLOG_H
#define WS_FORMATS_MLLOG_H

#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_mllog {
    struct json_t *json; /* of the whole object */
    int64_t time_ms;
    const char *key;
    const struct json_t *value, *metadata; /* NULL where there is none */
} ws_mllog;

/* Does the line hold the mark? */
bool ws_mllog_is_line(ws_span line);

/* False for a line without the mark, or whose object is cut or has no time and key. */
bool ws_mllog_parse(ws_span line, ws_mllog *event);
void ws_mllog_free(ws_mllog *event);

/* The value as a number, also where it is written as text; false for null, "null" and words. */
bool ws_mllog_number(const ws_mllog *event, double *number);

/* An event that says only when, what and how much. */
typedef struct ws_mllog_reading {
    int64_t time_ms;
    ws_span key; /* in the line */
    double value;
} ws_mllog_reading;

/* The reading that ws_mllog_parse and ws_mllog_number find, at a fraction of the price. False where the line is not
 * plain, so that they must decide: plain is one flat object of texts without escapes and of numbers without sign and
 * exponent. */
bool ws_mllog_plain(ws_span line, ws_mllog_reading *reading);

#endif
