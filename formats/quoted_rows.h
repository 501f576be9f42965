/* Text that people wrote and that shows some rows of a log: notes, mails, descriptions. */
#ifndef WS_FORMATS_QUOTED_ROWS_H
#define WS_FORMATS_QUOTED_ROWS_H

#include "formats/format.h"

/* Is that what the first bytes of a file are, which `format` would read? A log may hold sentences, too, which a job, a
 * driver or a shell wrote in front of its rows and between them; quoted_rows.c says what such a log does not have.
 * Tables with free columns and records that stand in the output of programs are never taken for such a text, and of
 * files that are called as programs call what they write (.csv, .log, .out) sentences say nothing. */
bool ws_quotes_rows(const ws_format *format, const char *path, ws_span head);

#endif
