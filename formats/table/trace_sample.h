/* Cells of a delimited trace as its plan reads them, and what its first rows show. The rules (column_rules.h) decide by
 * that: one pass over the rows collects statistics of each column; what depends on stamps or devices is computed where
 * a rule asks for it: steps of energies from row to row, and signs that several devices take turns. */
#ifndef WS_FORMATS_TRACE_SAMPLE_H
#define WS_FORMATS_TRACE_SAMPLE_H

#include "formats/table/rows.h"
#include "formats/table/trace_context.h"

bool ws_cell_is_date(ws_span cell); /* a calendar stamp, not a mere number */

const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n); /* "a, b, c" for messages */

/* The length of a row's interval. False where the cell holds none. */
bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns);

bool ws_is_of_thousands(ws_span cell); /* "1,000": three digits behind the comma, up to three and no 0 before */

bool ws_plan_uses(const ws_plan *plan, uint32_t column); /* does the plan read that column? */

/* May rows of one device be those of several nodes? A uuid is that of one device in the world. */
bool ws_plan_may_be_of_nodes(const ws_plan *plan, const ws_plan_context *context);

/* A number with a decimal comma as one with a point, and one with groups of thousands without them, in `buffer`; any
 * other cell as it is. "1,000" may be either, so that it is one only where the plan knows. */
enum { WS_POINT_CELL = 32 };
ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell);

/* The number in a cell without blanks at its ends; NaN if the cell says that there is none. False for anything else. */
bool ws_value_read(const ws_plan_value *value, ws_span cell, double *number);

/* What a row says of a value, in SI; NaN: no number. Sets *has_unit where the cell has a unit. */
double ws_plan_reading(const ws_plan *plan, const ws_plan_value *value, const ws_row *row, bool *has_unit);

/* The cells of a stamp as one; `buffer` holds WS_STAMP_CELLS bytes. */
ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer);

/* The numbers of a column, without zeros, which may be failed reads, and without AMD's "no reading". */
typedef struct ws_number_range {
    size_t n, with_unit; /* numbers; those with a unit behind them */
    double least, most;  /* in the unit of the cell; infinite without numbers */
    bool has_fraction;
} ws_number_range;

/* One column in the first rows. */
typedef struct ws_column_stats {
    size_t distinct;       /* different texts, missing ones left out; counted up to WS_DISTINCT_MOST */
    size_t not_parts;      /* of these, neither whole numbers nor names of a machine's parts */
    size_t not_hosts;      /* different texts, missing ones included, that cannot be host names */
    size_t bare;           /* cells that hold a number and nothing else */
    double least, most;    /* of those; infinite without any */
    size_t round;          /* "0, 1, 2, 3" or "2, 3" again and again: rows until it begins again; 0: no such column */
    size_t first_series;   /* the first row, from 1, whose cell holds several numbers: "49.68,57.02,55.76"; 0: none */
    ws_number_range range; /* of the cells as they stand, and with commas taken for decimal points: */
    ws_number_range range_of_commas;
    /* How the numbers are written: "1.5"; "1,5", whose comma must be decimal; "1,030", where it may part thousands;
     * "990". */
    bool has_point, has_decimal, has_group, has_whole;
    bool has_other_point;    /* a number with a point that is not of the next: "1.5" */
    size_t n_point_groups;   /* numbers as "1.030" */
    double most_point_group; /* of those, as decimals */
    double most_whole;       /* of the numbers without any sign */
} ws_column_stats;

enum { WS_DISTINCT_MOST = 1024 };

/* The data rows that a plan is settled over. */
typedef struct ws_trace_sample {
    const ws_row *const *rows; /* in the order of the file */
    const uint32_t *turn;      /* date lines before each row */
    size_t n;
    const ws_column_stats *columns;
    uint32_t n_columns;
} ws_trace_sample;

/* The sample of n rows, with the statistics of n_columns columns over them, which one pass collects; they live in the
 * arena. */
ws_trace_sample ws_trace_sample_of(ws_arena *arena, const ws_row *const *rows, const uint32_t *turn, size_t n,
                                   uint32_t n_columns);

/* The statistics of a column; those of an empty one for WS_NO_COLUMN. */
const ws_column_stats *ws_stats_of_column(const ws_trace_sample *sample, int32_t column);

/* The number of different ids in the column; 0 if all are missing. */
size_t ws_trace_sample_count(const ws_trace_sample *sample, int32_t column);

/* Does the column count devices in turn? The last round may be incomplete. */
bool ws_trace_sample_counts_in_turn(const ws_trace_sample *sample, uint32_t column);

/* The instants of the rows; NULL where some stamp cannot be read or there is no time. The caller frees. */
int64_t *ws_trace_sample_stamps(const ws_plan *plan, const ws_trace_sample *sample);

/* The owner of each row, counted from 0: its node and device, or its place where rows take turns; *n: how many there
 * are. The caller frees. */
uint32_t *ws_trace_sample_owners(const ws_plan *plan, const ws_trace_sample *sample, uint32_t *n);

/* What a column of energies did from row to row of each device, in J. Zeros are left out: they may be failed reads. */
typedef struct ws_column_steps {
    size_t n, devices, rises, falls;
    double risen_j, fallen_j, sum_j;                       /* sum: without the first row of each device */
    double largest_rise, smallest_fall, largest_beginning; /* beginning: a reading after a fall */
    double seconds, power_j;                               /* power_j: the energy of the power beside it */
    bool has_unit;                                         /* some cell has one */
} ws_column_steps;

/* `power`: the power of the same device, or NULL. */
ws_column_steps ws_column_steps_of(const ws_plan *plan, const ws_trace_sample *sample, const ws_plan_value *energy,
                                   const ws_plan_value *power);

/* --- signs that several devices take turns: readings that come back after a fixed number of rows, and rows that
 * cluster in time. identity_rules.c decides by them. --- */

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

/* Rows of polls that come closer to each other than polls do: how many a poll has, and the time from one poll to the
 * next; 0: they do not. is_fine: of ws_turns_stamps_are_fine. */
size_t ws_turns_rows_of_polls(const ws_turns *x, bool is_fine, int64_t *poll_ns);
ws_turn_signs ws_turns_read_signs(const ws_turns *x, bool is_fine);

/* --- cycles: do the differences from row to row recur, so that a load common to all devices does not hide their
 * different levels? --- */

enum { WS_CYCLE_MOST_ROWS = 16 }; /* the longest cycle to look for; as WS_MOST_GPUS_OF_A_NODE */

/* The shortest cycle of the readings, in rows; 0: they have none. NAN: missing. */
size_t ws_cycle_of_readings(const double *value, size_t n);

/* The same for the times between rows, in ns: for how far each is from the median. */
size_t ws_cycle_of_stamps(const int64_t *t, size_t n);

/* The unit of the stamps in ns: a power of ten, the largest that all are multiples of; or what all steps are multiples
 * of, where that is a part of a minute, hour or day, as logs count that are in those. */
double ws_unit_of_stamps(const int64_t *t, size_t n);

/* Are readings of neighbouring rows more alike than those of rows 2 to 16 apart, as those of one device are, whose
 * power takes time to change? In rows of several devices that draw as much as each other they are not. True, too, where
 * there are too few rows, and where a reading often stands twice: two sensors would not agree to the last digit. */
bool ws_neighbours_are_alike(const double *value, size_t n);

#endif
