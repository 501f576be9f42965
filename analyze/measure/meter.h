/* Reduces the stream of one channel to numbers: energy, mean, spread, gaps.
 *
 * Memory does not grow with the length of the trace. Every sum is exact (core/total.h). docs/methods.md derives the
 * formulas; the rules are those of docs/design.md. */
#ifndef WS_ANALYZE_METER_H
#define WS_ANALYZE_METER_H

#include "core/device_limits.h"
#include "core/note.h"
#include "core/sample.h"
#include "core/total.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_gap_policy {
    WS_GAPS_BRIDGE = 0, /* integrate across, whatever the length */
    WS_GAPS_EXCLUDE,    /* long gaps add neither energy nor time; the coverage shows them */
    WS_GAPS_REFUSE      /* a long gap leaves the channel without energy */
} ws_gap_policy;

typedef enum ws_edge_policy {
    WS_EDGES_INSIDE = 0, /* nothing is extrapolated beyond the first and the last reading */
    WS_EDGES_HOLD,       /* the first and last reading extend to the ends of the window */
    WS_EDGES_TRIM        /* as INSIDE, without a first interval energy whose interval has no known start */
} ws_edge_policy;

typedef struct ws_meter_options {
    ws_gap_policy gaps;
    ws_edge_policy edges;
    bool has_window;
    bool window_is_relative; /* counts from the trace's start, for traces without dates; else from the epoch */
    int64_t window_start_ns, window_end_ns; /* start < end */
    bool continues;                         /* the trace begins in another meter, to be merged with this one */
} ws_meter_options;

/* Intervals between samples, counted by length in quarter octaves: enough to tell the usual interval from a gap. */
typedef struct ws_interval_bucket {
    int quarter_octave;
    uint64_t count;
    int64_t total_ns;
    /* Sum of (v0 + v1) dt, twice the energy in W ns; in WS_PARTS. Of a counter the exact sum of its rises, except for
     * the intervals that a window cuts and for falls. */
    ws_total integral;
    ws_total squares; /* sum of (v0^2 + v1^2) dt; in WS_SQUARE_PARTS; 0 for counters and energies */
} ws_interval_bucket;

enum { WS_OCTAVES = 63 }; /* of positive int64 */

/* How often something occurred, and the line of its first occurrence (0 if lines are not known). */
typedef struct ws_seen {
    uint64_t count;
    int64_t line;
} ws_seen;

typedef enum ws_fall_time {
    WS_FALL_LATER = 0, /* over an interval */
    WS_FALL_AT_ONCE,   /* at a repeated stamp, or at a stamp that steps back too little to explain the fall */
    WS_FALL_BACK       /* reading and stamp step back together; with a range, over the wrap at it */
} ws_fall_time;

/* The properties that decide what a fall was. Falls of one kind are counted and decided together. Powers are in quarter
 * octaves of mW; a fall at once is taken to have lasted a second. */
typedef struct ws_decrease_kind {
    ws_fall_time time;
    int octave;                /* of the time since the counter moved in ns; 0 for a fall at once */
    double range_j;            /* at which it may have wrapped; 0: it cannot be a wrap */
    int wrap_quarter_octave;   /* of the power that a wrap would mean; -1: it cannot be a wrap */
    bool may_slip;             /* it fell by little beside its reading */
    int step_quarter_octave;   /* of the power of a counter that was reset; -1: no slip, and not beyond any device */
    int length_quarter_octave; /* of the interval inside the window, -1: none; for WS_FALL_BACK of the whole step */
} ws_decrease_kind;

/* The falls of a counter of one kind. Only the whole log, by its mean power and its usual interval, can tell wraps,
 * resets and slips apart. Until then a fall counts in `steps` as a reset, and its time in the buckets without energy; a
 * WS_FALL_BACK counts nowhere. */
typedef struct ws_decrease_bucket {
    ws_decrease_kind kind;
    ws_seen seen;
    int64_t total_ns; /* since the counter moved, inside and outside the window; negative for WS_FALL_BACK */
    int64_t back_ns;  /* for WS_FALL_BACK: the part inside the window */
    ws_total before, after, undone; /* sums of -v0, v1 and -v1, in WS_PARTS; for WS_FALL_BACK: of v1 - v0, and 0 */
    ws_total as_wrap, as_reset, as_signed; /* the integral under each explanation, as in ws_interval_bucket */
} ws_decrease_bucket;

/* A stretch of a trace in which stamps never step back by a second or more. */
typedef struct ws_rising {
    int64_t start_ns, end_ns;
} ws_rising;

enum { WS_RISING_KEPT = 4096 }; /* only so many stretches of a channel are remembered */

/* A reading with its stamp and line. */
typedef struct ws_meter_sample {
    int64_t t_ns, line;
    double value;
    bool has_interval;
    int64_t interval_ns; /* that ends at t_ns */
} ws_meter_sample;

/* Stretches in which a counter stood still, by their mean power when the step that ended them is spread over them: one
 * whose step holds its energy lost nothing. */
typedef struct ws_still_bucket {
    int power_quarter_octave; /* of mW */
    int64_t longest_ns;
    uint64_t readings; /* of the longest */
    int64_t all_ns;    /* of all of them, */
    uint64_t all_readings;
} ws_still_bucket;

/* --- how far apart a log reads --- */

/* The paces of a log: stretches of readings that are about equally far apart. A logger that reads each second under
 * load and each 10 s at rest has two, and its steps of 10 s are neither gaps nor have they lost rows:
 *
 *     steps of 1 s, 1 s, 1 s, 10 s, 10 s, 10 s, 10 s, 1 s, 1 s ...
 *
 * A step that is long because rows are lost is mostly followed by a usual one. */

/* Steps of which each is about as long as the one before. */
typedef struct ws_pace_run {
    int64_t from_ns, to_ns;
    int64_t first_ns, last_ns; /* length of its first and its last step */
    uint64_t n;                /* steps; 0: there is no run */
} ws_pace_run;

/* Runs of several steps, by the quarter octave of their first one. */
typedef struct ws_pace_bucket {
    int quarter_octave;
    int64_t ns;
} ws_pace_bucket;

typedef struct ws_pace {
    bool has_any;
    int64_t first_t, last_t;
    ws_pace_run first, last; /* the first run, and the one that goes on where that is another */
    ws_pace_bucket *buckets; /* of the runs between */
    size_t n_buckets, capacity;
} ws_pace;

void ws_pace_free(ws_pace *pace); /* leaves an empty one */
void ws_pace_push(ws_pace *pace, const ws_block *block);
void ws_pace_merge(ws_pace *into, const ws_pace *next); /* the following stretch of the channel */

/* The time in runs of steps of about this length. */
int64_t ws_pace_ns(const ws_pace *pace, int quarter_octave);

/* --- the meter --- */

typedef struct ws_meter {
    ws_rule rule;
    ws_time_base time;
    ws_domain domain;
    double counter_range_j;
    bool counter_from_zero, are_windows;
    ws_meter_options options;

    uint64_t samples, missing; /* inside the window; missing: unreadable cells and failed reads */
    double min, max;
    ws_total total;   /* of the values: sample mean, or interval energies; in WS_PARTS; 0 for counters */
    ws_total squares; /* of the values squared; in WS_SQUARE_PARTS; 0 for counters */
    ws_total steps;   /* of a counter; in WS_PARTS */
    bool has_last;
    int64_t first_t, last_t;
    double last_value;
    double first_value;
    ws_meter_sample first;       /* the first that a row states; see counter_from_zero */
    bool first_interval_unknown; /* the first interval energy has no known start */
    int64_t longest_ns;
    ws_interval_bucket *buckets;
    size_t n_buckets, bucket_capacity;
    ws_decrease_bucket *falls;
    size_t n_falls, fall_capacity;
    uint64_t wide_wraps;       /* in steps that can hold a whole round; set when falls are decided, as the next: */
    double assumed_range_j;    /* at which a counter wrapped without a stated range */
    double unlike_wraps_j;     /* what wraps add to resets whose power is far above that of all other steps */
    int64_t reset_ns;          /* steps in which a counter began again */
    double most_w[WS_OCTAVES]; /* of a counter: the largest power of a rise, for each octave of its length in ns */

    int usual_quarter_octave; /* see ws_meter_set_usual; 0: that of its own intervals */
    double usual_s;           /* the same; 0: it was not cut from a log */
    bool window_misfits;      /* the window and the trace count time from different origins: it was not used */
    int64_t refused_from_ns, refused_until_ns; /* the earliest and the latest refused one; INT64_MAX, INT64_MIN: none */
    ws_seen refused, back_steps, duplicates, zero_reads, wraps, resets, slips, negatives, zeros;
    ws_seen again;    /* powers and energies of intervals that repeat the one before them, stamp and value; */
    ws_total again_j; /* what such energies hold, whole joules aside; in WS_PARTS */

    struct {
        uint64_t n; /* energies of intervals that follow one of 0 J; */
        ws_total j; /* their sum, in WS_PARTS, */
        double least_j, most_j;
    } behind_zero;

    ws_pace pace; /* of powers and energies of intervals */

    /* The finished stretches; the current one began at rising_start. */
    ws_rising *rising;
    size_t n_rising, rising_capacity;
    int64_t rising_start;

    /* Of a counter: stretches in which it stood still. */
    struct {
        bool has_moved;
        double least_rise_j; /* 0: it never rose */
        int64_t from_ns;     /* the stretch that goes on: since when, */
        uint64_t n;          /* and how many readings did not move in it */
        int64_t lead_ns;     /* the first stretch, up to its last reading; what precedes it is not known yet */
        uint64_t lead_n;
        int64_t lead_move_ns; /* the step that ended it */
        double lead_move_j;
        ws_still_bucket *ended; /* long ones beside these */
        size_t n_ended, ended_capacity;
        int64_t ended_ns;         /* of all of them, with the steps that ended them, */
        ws_total ended_j;         /* and what those held */
        struct {                  /* the same of short ones of several readings: */
            uint64_t n;           /* how many, */
            int64_t still_ns, ns; /* up to their last reading, and with the steps that ended them, */
            ws_total j;           /* what those held, */
            double most_rise_j;   /* and the largest */
        } brief;
        double hidden[WS_RAPL_RANGES]; /* whole rounds of each usual range, or of the stated one, that fit into the
                                          times without a move, beside those of the last interval of each */
    } still;

    /* The leading zeros of a counter. They are readings or failed reads, depending on what precedes them in a
     * meter that this one continues, and on the step from zero to the first reading. NULL if there are none. */
    struct ws_meter *head;
    bool is_head;
    ws_seen head_zeros;
} ws_meter;

/* `rule` says how to integrate: WS_RULE_COUNTER, _INTERVAL, _GIVEN, _TRAPEZOID, _RECTANGLE, _MEAN_TIMES_TIME, _PERUN
 * (trapezoid, but with the plain mean of the readings, as in perun), or _NONE for quantities without energy (the
 * trapezoid gives their mean and spread). */
void ws_meter_init(ws_meter *meter, const ws_channel *channel, ws_rule rule, const ws_meter_options *options);
void ws_meter_free(ws_meter *meter);
void ws_meter_clear(ws_meter *meter); /* back to empty; for meters with the option `continues` only */
void ws_meter_push(ws_meter *meter, const ws_block *block);

/* For a meter of a short window, which does not know what is usual in the log that it was cut from: intervals are long
 * where they are long beside those of the whole, whose mean interval without long gaps is usual_s, and its paces those
 * of the whole. */
void ws_meter_set_usual(ws_meter *meter, const ws_meter *whole, double usual_s);

/* Appends `next`, which must have been made with the option `continues` and has seen the next stretch of the same
 * channel. The result is the same to the last bit as that of one meter for both. `lines` is added to the line numbers
 * of `next`. A counter that starts from zero must not be split within its first interval, and none where it stands
 * still. */
void ws_meter_merge(ws_meter *into, const ws_meter *next, int64_t lines);

/* The results of a channel. NaN for what the readings do not determine. */
typedef struct ws_channel_summary {
    uint64_t samples, missing;
    bool has_start; /* start_ns is an instant of the calendar */
    int64_t start_ns;
    double duration_s; /* covered by the energy */
    double span_s;     /* the window, or first to last reading; longer than duration_s if gaps are excluded */
    double max_gap_s, coverage;
    double energy_j;
    double bound_lo_j, bound_hi_j; /* of the energy, by its own readings: in long gaps and where a counter was stuck */
    double energy_lo_j, energy_hi_j; /* the 95 % interval; set by ws_measure_find_budgets (uncertainty.h) */
    /* Energy / duration for powers and energies (without a first energy of unknown interval); for other quantities the
     * time-weighted mean. */
    double mean;
    double plain_mean, plain_sd; /* of the readings, equally weighted (sd with n - 1); NaN for counters and energies */
    double min, max, sd;         /* of the readings (sd time-weighted); NaN for counters and energies */
    uint64_t long_gaps, gaps;    /* gaps: those too short to be long gaps */
    double long_gap_s, gap_s;    /* their totals */
    double long_gap_j;           /* what bridges the long ones, where the energy holds it */
    int64_t long_ns;             /* from here on a gap is long; 0 where there are no intervals */
    double usual_s;              /* the mean interval but for long gaps; 0 where there are none */
    double median_s; /* the mean of the intervals from about 0.8 to 1.25 times the median one; 0 where there are none */
    double late_j; /* what the energy has in rare intervals of twice the usual one up to a long gap, beyond that one */
    double before_s, behind_s; /* what the readings leave out at the ends of a window; 0 without one */
    double least_w, most_w;    /* powers: of readings, or of the steps of a counter (least: 0); NaN for others */
    ws_seen wraps, resets, slips, zero_reads; /* of a counter */
    double first_j;                           /* of a counter: its first reading; NaN for others */
    double still_s;          /* of a counter: the longest time for which it did not rise and should have; 0 for none */
    uint64_t still_n;        /* readings of that time */
    uint64_t hidden_rounds;  /* of a counter: that may be lost between its readings */
    double stall_s, stall_j; /* of a counter: short times again and again for which it did not rise, with the steps that
                                ended them, and what these lack beside the others; 0 for none */
    double step_most_w;      /* of a counter: the largest power of its steps; 0 for none */
    double wrap_range_j;     /* of a counter without a stated range that wrapped; 0 for none, */
    double unlike_wraps_j;   /* of a counter: what wraps that may be resets add to what these would */
    double wider_range_j;    /* and what the next usual range, which may be its own as well, would add at its wraps */
    /* What the findings leave open of the energy, in J, to the side where that is more: the power in long gaps, hidden
     * rounds, the time for which a counter stood still (INFINITY: it never rose), and steps in which it began again, by
     * the largest power of its other steps. 0 for none. */
    double gap_j, hidden_j, still_j, reset_j;
    /* Of readings that describe intervals: time that none of them describes, and what it holds at the mean power of the
     * others; 0 for none (meter_read.c). */
    double lost_s, lost_j;
    uint64_t lost_steps; /* that hold such time; 0 where only the whole shows it */
    ws_energy_status status;
} ws_channel_summary;

extern const ws_channel_summary ws_summary_of_nothing;

/* When its readings begin, the leading zeros of a counter included. */
int64_t ws_meter_start_ns(const ws_meter *meter);

/* Leaves the meter unchanged: more samples may follow. */
void ws_meter_read(const ws_meter *meter, ws_channel_summary *summary);

/* A counter did not rise because its device was off, as other readings of it prove: nothing is missing. */
void ws_summary_was_off(const ws_meter *meter, ws_channel_summary *summary);

/* Of powers: are there many readings over a long time, which are all the same? */
bool ws_meter_is_stuck(const ws_meter *meter, const ws_channel_summary *summary);

/* Adds notes on whatever a user should know about the readings. `subject` names the device. */
void ws_meter_notes(const ws_meter *meter, const ws_channel_summary *summary, const char *source, const char *subject,
                    ws_notes *notes);

#endif
