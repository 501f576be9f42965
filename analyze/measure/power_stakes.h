/* What the powers of a device put at stake of its energy: that they stand still, are reads that failed, numbers of a
 * logger or in another unit, go beyond the device's limit, or are not what the GPUs beside it draw. suspect_powers.h
 * judges single readings by what no device draws; here it is all readings of a device beside each other. */
#ifndef WS_ANALYZE_POWER_STAKES_H
#define WS_ANALYZE_POWER_STAKES_H

#include "analyze/measure/metered.h"

/* What says something of a device: of fewer readings nothing follows. */
enum { WS_LEAST_READINGS = 32 };

/* Is it in use? False where no utilisation says so. */
bool ws_is_busy(const ws_device *device);

/* Devices of one run of a source: they are adjacent in the measure. */
bool ws_are_beside(const ws_device *a, const ws_device *b);

/* The time that a reading stands for, in s, on average; 0 where nothing says it. */
double ws_usual_s(const ws_metered_channel *channel);

/* Of how many watts a power is a multiple, as it is written: 1, 0.1, 0.01 or 0.001. The same of all readings of a
 * channel, as far as some of them and their sum tell. */
double ws_step_w(double power_w);
double ws_readings_step_w(const ws_metered_channel *channel);

/* Are its readings powers, whatever its quantity is called: is its energy the integral of what was read? */
bool ws_gives_powers(const ws_metered_channel *channel);

/* The largest power limit that a channel of the device states, in W; NaN: none does. */
double ws_power_limit_w(const ws_measure *measure, const ws_device *device);

/* A finding about the energy of a device, which counts in its verdict with so many joules; NaN: a doubt that nothing
 * bounds, INFINITY: the energy cannot be used. */
void ws_device_stake(ws_device *device, const ws_measure *measure, ws_finding finding, double joules);

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

/* --- powers that stand still: a sensor that is stuck, or a logger that repeats itself --- */

/* Does one power stand in all readings of a device that is not idle? */
bool ws_is_stuck_throughout(const ws_measure *measure, const ws_device *device, const ws_metered_channel *powers);

/* The time in which they stand still, and their joules then; without brief ones, ... */
ws_standstill_sum ws_untrusted_standstill(const ws_measure *measure, const ws_device *device,
                                          const ws_metered_channel *powers);

/* ... by which the energy may be off so much, in J. */
double ws_brief_standstills_j(const ws_metered_channel *powers);

/* Notes either, and puts at stake what the device may have drawn meanwhile. */
void ws_stake_standstill(ws_measure *measure, ws_device *device, const ws_metered_channel *powers, ws_notes *notes);
void ws_stake_brief_standstills(ws_measure *measure, ws_device *device, const ws_metered_channel *powers,
                                ws_notes *notes);

/* --- powers that no device of the kind draws --- */

/* Reads that failed and are stored as 0 W: their time, and the joules that they lack. */
double ws_failed_zeros_s(const ws_device *device, const ws_metered_channel *powers);
double ws_failed_zeros_j(const ws_device *device, const ws_metered_channel *powers);

/* The time of low powers that stand alone among others (ws_lows). */
double ws_failed_lows_s(const ws_device *device, const ws_metered_channel *powers);

/* What numbers that stand for no reading add, in J. */
double ws_sentinel_joules(const ws_device *device, const ws_metered_channel *powers);

/* What powers that may be kilowatts lack if they are: joules, 0 where they cannot be. And a GPU, with its energy, that
 * computes and never draws what one does that is on; 0 W throughout is the second die of a card, whose power the first
 * one shows. */
double ws_kilowatts_missing_j(const ws_measure *measure, const ws_device *device, const ws_metered_channel *powers);
bool ws_is_too_low(const ws_measure *measure, const ws_device *device);

/* GPUs of one log that are in use all the time, and equally: what the device would draw less or more, in J, if it drew
 * what the others do on average; 0 where nothing speaks against its powers. Below zero: it would draw more. The devices
 * of a file are adjacent. */
double ws_sibling_excess_j(const ws_measure *measure, const ws_device *device);

/* Each of these notes what it finds and puts it at stake: single readings, units and limits; ... */
void ws_stake_wrong_powers(ws_measure *measure, ws_device *device, const ws_metered_channel *powers, ws_notes *notes);

/* ... siblings, where no other finding has the same joules so far; ... */
void ws_stake_scale(ws_measure *measure, ws_device *device, const ws_metered_channel *powers, ws_notes *notes);

/* ... and a counter whose steps are powers that no device of its kind draws. */
void ws_stake_low_counter(ws_measure *measure, ws_device *device, ws_notes *notes);

#endif
