#ifndef WS_REPORT_TIE_WORDS_H
#define WS_REPORT_TIE_WORDS_H

#include "core/arena.h"

/* The text with U+00A0 for the blanks between numbers and their units, signs and what stands before a number ("p 0.08",
 * "LBS 256"). In the arena. */
const char *ws_tie_words(ws_arena *arena, const char *text);

#endif
