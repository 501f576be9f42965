/* What the findings of a device leave open of its energy: the joules that they may have added or left out. */
#ifndef WS_ANALYZE_STAKES_H
#define WS_ANALYZE_STAKES_H

#include "analyze/measure/metered.h"

/* Part of ws_measure_finish, after the devices have their energies: adds what the readings of each device tell, and
 * what its source's reader has noted so far. Notes sensors that stand still or go beyond their limit. Notes may be
 * NULL. */
void ws_measure_find_stakes(ws_measure *measure, ws_notes *notes);

/* A finding about the energy of a device, which counts in its verdict. */
void ws_device_stake(ws_device *device, const ws_measure *measure, ws_finding finding, double joules);

/* Another entry of the device, of another quantity, that is left out of the sums: doubtful where the two disagree. */
void ws_stake_disagreement(const ws_measure *measure, ws_device *device, const ws_device *left_out, ws_notes *notes);

/* Of powers of a device: time in which they stand still as no device does, and time of reads that failed and are stored
 * as 0 W. What uncertainty.h bounds, and what is at stake. */
ws_standstill_sum ws_untrusted_standstill(const ws_measure *measure, const ws_device *device,
                                          const ws_metered_channel *powers);
double ws_brief_standstills_j(const ws_metered_channel *powers); /* short ones: by which they may be off */
double ws_failed_zeros_s(const ws_device *device, const ws_metered_channel *powers);

/* The same of the low powers that stand alone among others (ws_lows). */
double ws_failed_lows_s(const ws_device *device, const ws_metered_channel *powers);

/* Does one power stand in all readings of a device that is not idle? */
bool ws_is_stuck_throughout(const ws_measure *measure, const ws_device *device, const ws_metered_channel *powers);

/* What powers that may be kilowatts lack if they are: joules, 0 where they cannot be. And a GPU, with its energy, that
 * computes and never draws what one does that is on; 0 W throughout is the second die of a card, whose power the first
 * one shows. */
double ws_kilowatts_missing_j(const ws_measure *measure, const ws_device *device, const ws_metered_channel *powers);
bool ws_is_too_low(const ws_measure *measure, const ws_device *device);

/* What numbers that stand for no reading add. */
double ws_sentinel_joules(const ws_device *device, const ws_metered_channel *powers);

/* All that readings add which no device has; what readings below zero may have been. */
double ws_odd_joules(const ws_metered_channel *channel);
double ws_negative_joules(const ws_metered_channel *channel);

/* Energies of rows that were written twice. */
double ws_repeated_joules(const ws_metered_channel *channel);

/* What a file states of a domain of a run as a whole, beside its sensors: perun's own totals. The texts are the
 * fact's. */
typedef struct ws_stored_total {
    const char *source, *run, *key;
    ws_domain domain;
    double energy_j;
} ws_stored_total;

/* The time in s that the file states for the run; NaN where it does not. */
double ws_stored_time(const ws_measure *measure, const ws_stored_total *stored);

/* False: the fact is none. */
bool ws_stored_total_of(const ws_kept_fact *fact, ws_stored_total *stored);
bool ws_is_stored_run(const ws_stored_total *stored, const ws_device *device);

/* Each reading is the power at a point or over a short time, and nothing is known of the power between. */
static inline bool ws_is_sampled(const ws_metered_channel *c)
{
    ws_rule rule = c->meter.rule;
    return c->channel.quantity == WS_POWER &&
           (rule == WS_RULE_TRAPEZOID || rule == WS_RULE_PERUN || rule == WS_RULE_MEAN_TIMES_TIME);
}

/* Has the window of a sampled power no reading or one? */
static inline bool ws_is_window_unread(const ws_metered_channel *c)
{
    return c->meter.options.has_window && c->summary.samples < 2 && ws_is_sampled(c) && c->summary.duration_s > 0;
}

#endif
