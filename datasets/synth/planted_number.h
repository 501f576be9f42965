/* A planted number with where it comes from. */
#ifndef WS_SYNTH_PLANTED_NUMBER_H
#define WS_SYNTH_PLANTED_NUMBER_H

#include "datasets/synth/outfile.h"

/* Its origin is "published", "derived" from published ones, or "assumed"; the place may be empty. */
typedef struct ws_synth_mark {
    const char *origin, *place;
} ws_synth_mark;

/* One member of an array of planted numbers. */
void ws_synth_truth_planted(ws_synth_text *text, const char *quantity, double value, const ws_synth_mark *mark,
                            bool first);

#endif
