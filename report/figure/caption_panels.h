/* The letters of panels in a caption, where only some of the panels are drawn, or all in other places.
 *
 * A caption names panels in two ways: behind what they show, as "(A)" or "(A; the paper has it in kW)", and before a
 * sentence that is about them, as "A, B: " or, of a part of a composed figure, "A, B (huber/fig2): ". */
#ifndef WS_REPORT_CAPTION_PANELS_H
#define WS_REPORT_CAPTION_PANELS_H

#include "core/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* `is`: the letter of each panel now, "" where it needs none, NULL where it is not drawn: what the caption says of that
 * panel is left out. A caption that names no panel stays as it is. */
typedef struct ws_panel_letters {
    const char *const *was, *const *is;
    size_t n;
} ws_panel_letters;

const char *ws_caption_of_panels(ws_arena *arena, const char *caption, const ws_panel_letters *letters);

/* Does it begin with "A, B (huber/fig2): "? */
bool ws_caption_is_of_parts(const char *caption, const ws_panel_letters *letters);

#endif
