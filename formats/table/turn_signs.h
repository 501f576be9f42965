/* Signs in the first rows of a table that several devices take turns in them: readings that come back after a fixed
 * number of rows, and rows that cluster in time. identity_rules.c decides by them. */
#ifndef WS_FORMATS_TURN_SIGNS_H
#define WS_FORMATS_TURN_SIGNS_H

#include "formats/table/trace_plan.h"

/* Rows that may belong to several devices, with their stamps. */
typedef struct ws_turns {
    const ws_plan *plan;
    ws_trace_sample sample;
    const int64_t *t;
    size_t n;
    bool steps_back;                                     /* the clock steps back, so the steps are uneven anyway */
    int64_t *scratch;                                    /* n of them */
    double *power, *memory, *temperature, *util, *clock; /* of each row, NaN: missing; NULL: no such column */
} ws_turns;

/* After how many rows each column comes back; 0: it does not, or not plainly. */
typedef struct ws_turn_signs {
    size_t memory, temperature, power; /* readings themselves, which differ from row to row */
    size_t power_steps, temperature_steps, util_steps, clock_steps; /* the steps between them: see below */
    size_t time, time_steps;                                        /* polls in time; lengths of the steps */
    int64_t poll_ns;                                                /* of `time` */
} ws_turn_signs;

/* Do the rows differ in any reading? Rows that do not are one device that was polled faster than it updates. */
bool ws_turns_rows_differ(const ws_plan *plan, const ws_row *a, const ws_row *b);

/* The median time over `lag` rows, and the share of such times that are about as long. Leaves the times in order in
 * x->scratch. */
int64_t ws_turns_usual_time(const ws_turns *x, size_t lag, double *share);

/* The fewest rows after which the readings come back, where those differ by at most `most` of what neighbours differ
 * by: so many devices take turns. 0: they do not. value: NULL for no such column. */
size_t ws_turns_rows_to_return(const ws_turns *x, const double *value, double most);

/* Do rows that follow another one within close_ns mostly say something else? */
bool ws_turns_are_fresh(const ws_turns *x, int64_t close_ns);

/* Polls of a single device are about equally far apart, except for stalls. */
bool ws_turns_are_uneven(const ws_turns *x);
bool ws_turns_repeat_stamps(const ws_turns *x); /* in many rows */

bool ws_turns_stamps_are_fine(const int64_t *t, size_t n); /* finer than a second; t: NULL without */

/* The column of that quantity that names no device; WS_NO_COLUMN. And its numbers, NULL where there is none; the caller
 * frees. */
int32_t ws_turns_column_of(const ws_plan *plan, ws_quantity quantity);
double *ws_turns_numbers_of(const ws_plan *plan, const ws_trace_sample *sample, ws_quantity quantity);

/* Leaves the longest stretch of rows between two large steps back. */
void ws_turns_leave_out_steps_back(ws_turns *x);

/* The cycle of the first readings; 0 without such a column. */
size_t ws_turns_steps_of(const ws_turns *x, const double *value);

/* is_fine: of ws_turns_stamps_are_fine. */
ws_turn_signs ws_turns_read_signs(const ws_turns *x, bool is_fine);

/* --- cycles: do the differences from row to row recur, so that a load common to all devices does not hide their
 * different levels? --- */

enum { WS_CYCLE_MOST_ROWS = 16 }; /* the longest cycle to look for; as WS_MOST_GPUS_OF_A_NODE */

/* The shortest cycle of the readings, in rows; 0: they have none. NAN: missing. */
size_t ws_cycle_of_readings(const double *value, size_t n);

/* The same for the times between rows, in ns: for how far each is from the median. */
size_t ws_cycle_of_stamps(const int64_t *t, size_t n);

/* Do readings in a cycle of k rows keep their places in it from beginning to end? Not where there are too few. */
bool ws_cycle_keeps_places(const double *value, size_t n, size_t k);

/* May the rows be of several loggers, as far as the steps between stamps tell, which then differ by their place in a
 * cycle of k rows? Two loggers are hardly ever half a period apart to a part of the scatter of their stamps, and the
 * polls of one know no places. Stamps that do not scatter say nothing: they may. */
bool ws_stamps_may_keep_places(const int64_t *t, size_t n, size_t k);

/* Are readings of neighbouring rows more alike than those of rows 2 to 16 apart, as those of one device are, whose
 * power takes time to change? In rows of several devices that draw as much as each other they are not. True, too, where
 * there are too few rows, and where a reading often stands twice: two sensors would not agree to the last digit. */
bool ws_neighbours_are_alike(const double *value, size_t n);

#endif
