/* Tables of runs in which no column is a time of runs: the time between two stamps, and columns that speak of one. */
#ifndef WS_ANALYZE_RUN_TIMES_H
#define WS_ANALYZE_RUN_TIMES_H

#include "analyze/ingest/run_names.h"

/* Does neither a name nor the map, which may be NULL, say a time of runs? */
bool ws_no_time_of_runs(const ws_table *raw, const char *map);

/* Adds "wall_s" to a copy of the table that has two columns of dates, or of seconds since the epoch, by
 * the names of a beginning and an end, where every row that has both ends later than it begins (note "column-taken"). A
 * table that names traces or logs keeps their times. */
void ws_add_times_between(ws_arena *arena, ws_table *copy, ws_notes *notes);

/* Where nothing is the time of a run: tells of columns that speak of one. */
void ws_note_passed_times(ws_table *raw, ws_arena *arena, const ws_column_meaning *meanings, ws_notes *notes);

#endif
