/* Stretches of rising stamps in one file that overlap: a log that was appended to itself, two loggers that write into
 * one file, a clock that was set back. The end of summer time of a clock without a zone is told apart. Where readings
 * do not prove that such time stands there twice (identity/copies.h) it may be someone else's: if more than a twentieth
 * of the time is held twice, no total is printed unless --back-steps says what to do. */
#ifndef WS_ANALYZE_REPEATED_TIME_H
#define WS_ANALYZE_REPEATED_TIME_H

#include "analyze/measure/metered.h"

/* Does the file hold some time twice, the end of summer time included? *where: from its first start to its last end. */
bool ws_holds_time_twice(const ws_meter *meter, ws_rising *where);

/* Powers of a clock without a zone: may a gap of so many seconds be the hour that its nights lack when summer time
 * begins, and so no time at all? */
bool ws_may_be_spring(const ws_meter *meter, double gap_s);

/* Is too much of the channel's time held twice to print an energy? Its meter must have been read. Never for a counter:
 * its readings fall where the stamps step back, and so subtract what they repeat. */
bool ws_asks_back_steps(const ws_metered_channel *channel);
void ws_note_asked_back_steps(const ws_metered_channel *channel, const char *subject, ws_notes *notes);

#endif
