/* One channel reduced to numbers while it streams by: energy, mean, spread, gaps.
 *
 * Memory does not grow with the length of the trace. Every sum is exact (core/total.h). docs/methods.md derives the
 * formulas; the rules are those of docs/design.md. */
#ifndef WS_ANALYZE_METER_H
#define WS_ANALYZE_METER_H

#include "core/note.h"
#include "core/sample.h"
#include "core/total.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_gap_policy {
    WS_GAPS_BRIDGE = 0, /* integrate across, whatever the length */
    WS_GAPS_EXCLUDE,    /* long gaps hold no energy and no time; coverage says so */
    WS_GAPS_REFUSE      /* a long gap leaves the channel without energy */
} ws_gap_policy;

typedef enum ws_edge_policy {
    WS_EDGES_INSIDE = 0, /* nothing is extrapolated beyond the first and the last reading */
    WS_EDGES_HOLD,       /* the end readings hold out to the ends of the window */
    WS_EDGES_TRIM        /* also leave out a first interval energy whose interval has no known start */
} ws_edge_policy;

typedef struct ws_meter_options {
    ws_gap_policy gaps;
    ws_edge_policy edges;
    bool has_window;
    bool window_is_relative; /* seconds since the trace's start, for traces that know no date; else instants */
    int64_t window_start_ns, window_end_ns; /* start < end */
    bool continues;                         /* the trace begins in another meter, which this one is merged into */
} ws_meter_options;

/* Intervals between samples, counted by length in quarter octaves: enough to tell the usual interval from a gap. */
typedef struct ws_interval_bucket {
    int quarter_octave;
    uint64_t count;
    int64_t total_ns;
    ws_total integral; /* sum of (v0 + v1) dt, twice the energy in W ns; in WS_PARTS */
    ws_total squares;  /* sum of (v0^2 + v1^2) dt; in WS_SQUARE_PARTS */
} ws_interval_bucket;

enum { WS_OCTAVES = 63 }; /* of positive int64 */

/* How often something was seen, and the line of the first time (0 where lines mean nothing). */
typedef struct ws_seen {
    uint64_t count;
    int64_t line;
} ws_seen;

typedef enum ws_fall_time {
    WS_FALL_LATER = 0, /* over an interval */
    WS_FALL_AT_ONCE,   /* at a repeated stamp, or at one that goes back by too little for the fall */
    WS_FALL_BACK       /* reading and stamp go back together */
} ws_fall_time;

/* What decides about a fall; alike falls are judged together. */
typedef struct ws_decrease_kind {
    ws_fall_time time;
    int octave; /* of the whole step in ns; 0 where it fell at once */
    int wrap_quarter_octave; /* of the power in mW that a wrap would mean, within a second where it fell at once; -1: it can be none */
    int step_quarter_octave; /* likewise for what a counter that began again has collected; -1: it fell by too much to have slipped */
    int length_quarter_octave; /* of the interval inside the window, -1 for none; of the whole step where the stamp goes back */
} ws_decrease_kind;

/* Falls of a counter, whose meaning shows in the whole log only, in its mean power and its usual interval.
 * Until they are judged, those that are no step back count in `steps` as of a counter that began again, and their time counts in
 * the buckets without energy; those whose stamp goes back count nowhere. */
typedef struct ws_decrease_bucket {
    ws_decrease_kind kind;
    ws_seen seen;
    int64_t total_ns;                      /* also outside; below zero where the stamp goes back */
    int64_t back_ns;                       /* the same inside, of steps back */
    ws_total before, after;                /* -v0, what a slip adds to v1; v1; in WS_PARTS. Of steps back: v1 - v0; 0 */
    ws_total as_wrap, as_reset, as_signed; /* integrals as in ws_interval_bucket */
} ws_decrease_bucket;

/* A stretch of rising stamps. */
typedef struct ws_rising {
    int64_t start_ns, end_ns;
} ws_rising;

enum { WS_RISING_KEPT = 4096 }; /* stretches, the first of a channel */

/* A reading with its place. */
typedef struct ws_meter_sample {
    int64_t t_ns, line;
    double value;
    bool has_interval;
    int64_t interval_ns; /* that ends at t_ns */
} ws_meter_sample;

typedef struct ws_meter {
    ws_rule rule;
    ws_time_base time;
    double counter_range_j;
    bool counter_from_zero;
    ws_meter_options options;

    uint64_t samples, missing; /* missing: refused cells and failed reads inside the window */
    double min, max;
    ws_total total;   /* of the values: sample mean, or interval energies; in WS_PARTS */
    ws_total squares; /* of the values squared; in WS_SQUARE_PARTS */
    ws_total steps;   /* of a counter; in WS_PARTS */
    bool has_last;
    int64_t first_t, last_t;
    double last_value;
    double first_value;
    ws_meter_sample first;       /* that a row states */
    bool first_interval_unknown; /* the first interval energy has no known start */
    int64_t longest_ns;
    ws_interval_bucket *buckets;
    size_t n_buckets, bucket_capacity;
    ws_decrease_bucket *falls;
    size_t n_falls, fall_capacity;
    double most_w[WS_OCTAVES]; /* of a counter: the largest power of a rise, by the octave of its length in ns */

    bool window_misfits; /* the window counts from another origin than the trace: it was not used */
    ws_seen refused, back_steps, duplicates, zero_reads, wraps, resets, slips, negatives, zeros;

    /* Stretches of rising stamps, cut where a stamp goes back by a second or more; the last one begins at rising_start and is not
     * in the list. */
    ws_rising *rising;
    size_t n_rising, rising_capacity;
    int64_t rising_start;

    /* Of a counter that continues: the zeros in front of its first other reading, which are readings or failed reads
     * depending on what the meter before ends with. NULL without any. */
    struct ws_meter *head;
    ws_seen head_zeros;
} ws_meter;

/* `rule` says how to integrate: WS_RULE_COUNTER, _INTERVAL, _GIVEN, _TRAPEZOID, _RECTANGLE, _MEAN_TIMES_TIME, _PERUN
 * (trapezoid; the mean is the plain one of the readings, as perun takes it), or _NONE for readings that are no energy
 * (their mean and spread are taken with the trapezoid). */
void ws_meter_init(ws_meter *meter, const ws_channel *channel, ws_rule rule, const ws_meter_options *options);
void ws_meter_free(ws_meter *meter);
void ws_meter_clear(ws_meter *meter); /* forgets what one with the option `continues` saw */
void ws_meter_push(ws_meter *meter, const ws_block *block);

/* Add what `next` saw, which is the stretch of the same channel behind that of `into`, made with the option `continues`: the
 * same numbers to the last bit as if one meter had seen both. Its lines count from the end of `into`'s: `lines` is added. A
 * counter that starts from zero must not be cut within its first interval. */
void ws_meter_merge(ws_meter *into, const ws_meter *next, int64_t lines);

/* What a channel comes to. NaN where the readings do not say. */
typedef struct ws_channel_summary {
    uint64_t samples, missing;
    bool has_start; /* start_ns is an instant of the calendar */
    int64_t start_ns;
    double duration_s; /* that the energy covers */
    double span_s; /* of the window, or from the first to the last reading: with excluded gaps longer than duration_s */
    double max_gap_s, coverage;
    double energy_j, energy_lo_j, energy_hi_j; /* lo and hi: what long gaps leave open */
    double mean; /* energy / duration for powers and energies (without a first energy whose interval is not known),
                            else the time-weighted mean */
    double plain_mean,
        plain_sd;             /* of the readings, each counting alike (sd with n - 1); NaN for counters and energies */
    double min, max, sd;      /* of the readings (sd time-weighted); NaN for counters and energies */
    uint64_t long_gaps, gaps; /* gaps: too short for long ones */
    double long_gap_s, gap_s; /* their totals */
    ws_seen wraps, resets, slips; /* of a counter */
    const char
        *status; /* static: "ok", "long-gap", "one-sample", "no-time", "no-samples", "no-energy", "counter-reset",
                           "gap-refused", "out-of-order" */
} ws_channel_summary;

/* The meter stays as it is and may go on. */
void ws_meter_read(const ws_meter *meter, ws_channel_summary *reading);

/* What the readings show that a user should know, under the source and device named. */
void ws_meter_notes(const ws_meter *meter, const ws_channel_summary *reading, const char *source, const char *subject,
                    ws_notes *notes);

#endif
