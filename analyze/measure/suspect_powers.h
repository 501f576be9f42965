/* Readings that may not be what the device draws: powers that no device has, powers of 0 W, which a device that is not
 * in use explains, and numbers that stand for no reading. */
#ifndef WS_ANALYZE_SUSPECT_POWERS_H
#define WS_ANALYZE_SUSPECT_POWERS_H

#include "analyze/measure/meter.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of each block of powers and of utilisations, found once: it settles nearly all blocks. */
typedef struct ws_value_range {
    bool lacks_some;    /* some readings are NaN: then the others are unsaid */
    double least, most; /* INFINITY and -INFINITY of an empty block */
} ws_value_range;

ws_value_range ws_value_range_of(const ws_block *block);

/* --- readings that no device can have --- */

/* Powers above zero and below WS_LOW_W, which a device in use does not draw: do they stand alone among others? */
#define WS_LOW_W 3.0
typedef struct ws_lows {
    ws_seen seen;           /* their count and first place */
    uint64_t stretches;     /* of low powers that follow each other */
    double most_w;          /* the largest of them, */
    double next_w;          /* and the least of the others; INFINITY for none */
    bool has_any;           /* a power above zero, low or not: */
    bool first_is, last_is; /* is the first of them low, and the last? */
} ws_lows;

/* Readings above a limit: their count and first place, the largest power, and the sum of their powers in W, or of what
 * they add to the energy in J; in WS_PARTS. */
typedef struct ws_high {
    ws_seen seen;
    double most_w;
    ws_total sum;
} ws_high;

/* Readings that no device can have: odd ones are counted, impossible ones become missing. */
typedef struct ws_limits {
    double rare_w, odd_w, impossible_w; /* powers above them */
    ws_quantity quantity;
    ws_domain domain;
    bool has_last;
    int64_t last_t; /* of the last possible reading; of a counter: since when it stands at that */
    double last_value;
    ws_high odd, rare; /* rare: of those that are not odd; empty once they are settled */
    ws_seen impossible;
    int64_t window_start_ns, window_end_ns; /* outside of it no power is tiny */
    double least_w;                         /* of the powers above zero, where there are limits; INFINITY for none */
    ws_seen tiny;                     /* powers that may be kW (ws_most_of_kilowatts): their count and first place, */
    double tiny_least_w, tiny_most_w; /* the least (INFINITY for none), the largest, and their sum in WS_PARTS */
    ws_total tiny_sum;
    double watts_least_w; /* the least of the others; INFINITY for none */
    ws_lows lows;
    double *values; /* a copy of a block that holds impossible ones */
    size_t capacity;
} ws_limits;

/* Powers and energies of domains without limits pass, and so does everything else. */
/* W. Below it a power may be kW: nodes of many cards draw several, large cards 1.4. */
double ws_most_of_kilowatts(ws_domain domain);

void ws_limits_init(ws_limits *limits, const ws_channel *channel);
void ws_limits_free(ws_limits *limits);

/* Is each reading checked by itself? Then the channel may be cut anywhere. */
bool ws_limits_stand_alone(const ws_limits *limits);

/* `block`, or a copy in which impossible readings are NaN; good until the next call. *range is that of the block, and
 * then that of the result; NULL where the readings are no powers. */
ws_block ws_limits_check(ws_limits *limits, const ws_block *block, ws_value_range *range);

/* Forgets all readings. */
void ws_limits_clear(ws_limits *limits);
void ws_limits_merge(ws_limits *into, const ws_limits *next, int64_t lines); /* as ws_meter_merge */
/* Once all readings are known: those that are rare are odd where they stand out. The energy in J, the time in s and the
 * number of readings are the channel's. */
void ws_limits_settle(ws_limits *limits, double energy_j, double duration_s, uint64_t samples);
void ws_limits_notes(const ws_limits *limits, const char *source, const char *subject, ws_notes *notes);

/* --- stretches in which a device draws 0 W, or is not in use --- */

/* Together they tell a device that is off from reads that failed and were stored as 0 W. A utilisation below this is
 * that of a device that is not in use. */
#define WS_UNUSED_SHARE 0.05

typedef struct ws_quiet_stretch {
    int64_t from_ns, to_ns; /* first and last reading */
    uint64_t n;
} ws_quiet_stretch;

/* The first ones of a channel, so that memory does not grow with the trace. */
enum { WS_QUIET_KEPT = 64 };

typedef struct ws_quiet {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    bool has_any, first_is, last_is;        /* are the first and the last reading quiet? */
    bool has_more;                          /* further stretches are not kept */
    size_t n;
    ws_quiet_stretch kept[WS_QUIET_KEPT];
} ws_quiet;

#define WS_QUIET_EMPTY                                           \
    {                                                            \
        .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX \
    }
void ws_quiet_init(ws_quiet *quiet);

/* Powers are quiet at 0 W, utilisations below WS_UNUSED_SHARE. A missing cell says nothing. */
void ws_quiet_push_powers(ws_quiet *quiet, const ws_block *powers, const ws_value_range *range);
void ws_quiet_push_use(ws_quiet *quiet, const ws_block *utilisations, const ws_value_range *range);
void ws_quiet_merge(ws_quiet *into, const ws_quiet *next); /* the following stretch of the channel */

/* The share of the readings of 0 W at which the device is in use, as far as both channels know: 1 where nothing tells.
 * A reading may lie slack_ns outside of the time without use. */
double ws_quiet_share_in_use(const ws_quiet *powers, const ws_quiet *use, int64_t slack_ns);

/* The time in which a device is not in use: steps between two readings of its utilisation below WS_UNUSED_SHARE. */
typedef struct ws_unused_time {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    int64_t first_ns, last_ns;              /* the first and the last reading, */
    double first, last;                     /* NaN where there is none */
    int64_t ns;
} ws_unused_time;

#define WS_UNUSED_EMPTY                                                                     \
    {                                                                                       \
        .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX, .first = NAN, .last = NAN \
    }
void ws_unused_init(ws_unused_time *unused);
void ws_unused_push(ws_unused_time *unused, const ws_block *utilisations, const ws_value_range *range);
void ws_unused_merge(ws_unused_time *into, const ws_unused_time *next); /* the following stretch of the channel */

/* --- numbers that stand for no reading --- */

/* The largest power of a channel, how often it comes to the last digit, and how far all others lie below it: a number
 * as 655.35 W, of 16 bits that are all set, comes again and stands alone. */
typedef struct ws_power_top {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    bool has_any, first_is, last_is;        /* are the first and the last reading the largest? */
    double most_w, next_w;                  /* the largest, and the largest of those below; -INFINITY: none */
    ws_seen seen;                           /* readings of most_w, */
    uint64_t stretches;                     /* and stretches of such that follow each other */
} ws_power_top;

#define WS_POWER_TOP_EMPTY                                                                                 \
    {                                                                                                      \
        .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX, .most_w = -INFINITY, .next_w = -INFINITY \
    }
void ws_power_top_init(ws_power_top *top);
void ws_power_top_push(ws_power_top *top, const ws_block *powers, const ws_value_range *range);
/* The following stretch of the channel; `lines` as in ws_meter_merge. */
void ws_power_top_merge(ws_power_top *into, const ws_power_top *next, int64_t lines);

/* Without it no reading that follows makes its largest power such a number, and next_w tells no more than most_w. */
bool ws_power_top_stands_apart(const ws_power_top *top);

/* What such numbers add to the sum of all readings, in W, beside the mean of the others; 0 where there are none. Of
 * readings with this mean that are multiples of step_w. */
double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w);

#endif
