/* What a launcher or `ts` put in front of every line of a log, which hides what the log is. */
#ifndef WS_FORMATS_LAUNCHER_PREFIX_H
#define WS_FORMATS_LAUNCHER_PREFIX_H

#include "formats/format.h"

typedef struct ws_launcher_prefix {
    ws_span text;            /* of the first such line: "0: ", "Feb 11 08:00:00 "; good until the input is closed */
    size_t words;            /* of a stamp; 0: a rank */
    const ws_format *format; /* of the lines without it; NULL: rows of readings that no header names */
} ws_launcher_prefix;

/* Do most lines of the head begin like this, with a known format after it, or a rank with rows that begin with a
 * stamp? */
bool ws_launcher_prefix_find(const ws_input *input, ws_launcher_prefix *prefix);

#endif
