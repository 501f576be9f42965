/* Where a stretch of a counter that was metered ahead of its turn meets what comes before it.
 *
 * The filters before the meter judge a reading by those before: the stretch does not know them. It holds its first
 * readings, as they came, until three have risen one after another and the next one rises, too: by then the filters
 * know all they need, whatever stood before, unless that was odd. From there on it meters. When its turn comes, the
 * readings held are pushed in order, and where the filters then stand as the stretch took them to, its meter is merged;
 * else the reader has to push the stretch again. A counter that does not rise is held as a whole. */
#ifndef WS_ANALYZE_COUNTER_SEAM_H
#define WS_ANALYZE_COUNTER_SEAM_H

#include "analyze/measure/counter_glitch.h"
#include "analyze/measure/suspect_powers.h"

typedef struct ws_counter_seam {
    bool is_closed; /* readings are no longer held */
    size_t n, capacity;
    bool has_interval, has_line;
    int64_t *t_ns, *interval_ns, *line; /* of the readings held */
    double *value;
    ws_counter_glitch glitch; /* the filters behind them, as the stretch takes it */
    ws_limits limits;         /* without a copy of a block */
} ws_counter_seam;

void ws_seam_free(ws_counter_seam *seam);
void ws_seam_clear(ws_counter_seam *seam); /* back to empty; keeps its room */

/* Holds readings of a block, and returns how many: all, or those before the reading from which on the stretch may
 * meter. `glitch` (NULL: none are looked for) and `limits` are those of the stretch, and then as if those held had
 * passed. */
size_t ws_seam_hold(ws_counter_seam *seam, ws_counter_glitch *glitch, ws_limits *limits, const ws_block *block);

/* The readings held; good until the seam is changed. */
ws_block ws_seam_held(const ws_counter_seam *seam);

/* Will the filters stand as the stretch took them to, once the readings held have passed? Leaves them unchanged. */
bool ws_seam_fits(const ws_counter_seam *seam, const ws_counter_glitch *glitch, const ws_limits *limits);

/* To the lines of the readings held. */
void ws_seam_add_lines(ws_counter_seam *seam, int64_t lines);

#endif
