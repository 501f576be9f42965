/* Time that a file holds twice: a log that was pasted behind itself, or two loggers that write into one file.
 *
 * Each stretch of rising stamps is a part of a trace; where two of them hold the same time, their readings say what the
 * second one is. Equal readings at equal stamps are copies and count once. Without that proof the time may be another's
 * (a second logger, a clock that was set), and no total is printed from TWICE_ASKED of the time on, unless --back-steps
 * says what to do with it.
 *
 * What a meter has seen cannot be taken from it again, so such files are read a second time:
 *     if (ws_copies_find(copies, measures, n))
 *         ... read again into new measures through ws_copies_sink; ws_copies_keep_proven(copies) says whether
 *             these are right ... */
#ifndef WS_ANALYZE_COPIES_H
#define WS_ANALYZE_COPIES_H

#include "analyze/measure/metered.h"

typedef struct ws_copies ws_copies;

ws_copies *ws_copies_new(void);
void ws_copies_free(ws_copies *copies); /* NULL too */

/* In the measures of what was read, before ws_measure_finish: how many sources hold time twice. None where --back-steps
 * was said. */
size_t ws_copies_find(ws_copies *copies, ws_measure *const *measures, size_t n);

/* What goes on to `inner`, which must outlive the sink, is without readings that stand in an earlier stretch of the
 * same channel, with the same stamp and value. The order of the blocks has to be that of the file (no fork). */
void ws_copies_begin(ws_copies *copies, const char *source); /* see ws_measure_begin */
ws_sink ws_copies_sink(ws_copies *copies, const ws_sink *inner);

/* After the second reading: of how many sources nearly all readings of powers and energies whose time had been read
 * already were copies, and enough of them vary. The others are forgotten: where there are any, what was read through
 * the sink is not right for them, and a third reading through it is. */
size_t ws_copies_keep_proven(ws_copies *copies);
void ws_copies_note(const ws_copies *copies, ws_notes *notes);

/* Is the energy of a channel open, since too much of its time is held twice? Its meter has been read. Not of a counter,
 * whose readings fall with the stamps and take back what they repeat. */
bool ws_asks_back_steps(const ws_measured *channel);
void ws_note_asked_back_steps(const ws_measured *channel, const char *subject, ws_notes *notes);

#endif
