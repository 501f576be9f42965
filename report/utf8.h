/* UTF-8 text of unknown origin on its way to a file or a terminal. */
#ifndef WS_REPORT_UTF8_H
#define WS_REPORT_UTF8_H

#include "core/arena.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { WS_NOT_UTF8 = 0xfffd }; /* U+FFFD, the replacement character */

/* The code point at *at, which moves behind it; WS_NOT_UTF8 for a byte sequence that is none. Must not be called at the
 * terminating zero. */
uint32_t ws_utf8_next(const char **at);

/* Columns that the text takes on a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji. Control
 * characters count 1, since ws_utf8_put writes a blank for them. */
size_t ws_utf8_width(const char *text);

/* The text itself when it has no more than `most` code points; else its beginning and "…", as many together. */
const char *ws_utf8_shorten(ws_arena *arena, const char *text, size_t most);

/* The text itself; one from right to left between U+2068 and U+2069, or it would turn "1.93 ± 0.06" behind it
 * round. */
const char *ws_isolated(ws_arena *arena, const char *text);

/* "label: ", isolated, to stand before numbers; "" without a label. */
const char *ws_label_before(ws_arena *arena, const char *label);

/* What a code point is written as, NULL for itself; `rest` is the text behind it. */
typedef const char *ws_escape(uint32_t point, const char *rest);

/* Write the text on one line: control characters become blanks (none reaches a terminal), bytes that are no UTF-8
 * become U+FFFD, and `escape`, where given, is asked about the rest. */
void ws_utf8_put(FILE *stream, const char *text, ws_escape *escape);

#endif
