/* Texts of a figure: scripts, widths, and shortening to the room there is.
 *
 * "^{2}" and "_{n}" set scripts at 0.7 of the size; an unclosed brace and every other byte stand for themselves. */
#ifndef WS_REPORT_FIGURE_TEXT_H
#define WS_REPORT_FIGURE_TEXT_H

#include "core/arena.h"
#include "core/text.h"

#include <stdbool.h>

/* Widths come from whoever draws, so that what was measured is what is drawn. */
typedef struct ws_text_measure {
    void *state;
    double (*width_mm)(void *state, ws_span text, double pt, bool bold); /* of plain UTF-8 */
    size_t (*missing)(void *state, ws_span text); /* characters that no font has; NULL: not known */
} ws_text_measure;

ws_text_measure ws_text_measure_fixed(void); /* every code point 0.6 em wide: for tests and for want of a font */

typedef struct ws_text_run {
    ws_span text;
    int script; /* 1: raised, -1: lowered */
} ws_text_run;

#define WS_SCRIPT_SIZE 0.7
#define WS_SCRIPT_UP 0.36 /* em of the whole text */
#define WS_SCRIPT_DOWN 0.18

/* The next run off the front of *rest; false at the end. */
bool ws_text_next_run(const char **rest, ws_text_run *run);

double ws_text_width(const ws_text_measure *measure, const char *text, double pt, bool bold);

size_t ws_text_missing(const ws_text_measure *measure, const char *text); /* characters that no font has */

/* What a text reaches above and below its base line, in mm. */
double ws_text_above(const char *text, double pt);
double ws_text_below(const char *text, double pt);

/* Copies. Control characters become blanks, what is no UTF-8 becomes U+FFFD; NULL stays NULL. */
const char *ws_text_clean(ws_arena *arena, const char *text);
/* The text itself when it is no wider than room_mm; else its beginning and "…"; "" when not even that fits. */
const char *ws_text_fit(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, bool bold,
                        double room_mm);

/* Lines no wider than room_mm, broken at blanks, and behind the letters of `behind` where that is given ("_-"); the
 * last of at most `most` lines is shortened. Returns their number. */
size_t ws_text_wrap_behind(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, double room_mm,
                           const char *behind, const char **lines, size_t most);
size_t ws_text_wrap(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, double room_mm,
                    const char **lines, size_t most);

#endif
