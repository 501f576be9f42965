/* How two device entries compare: names, times, readings. What follows from it is told in duplicates.h. */
#ifndef WS_ANALYZE_LIKENESS_H
#define WS_ANALYZE_LIKENESS_H

#include "analyze/measure/metered.h"

/* How similar the summaries of two channels are: samples, lowest and highest reading, spread, energy and time. */
typedef enum ws_likeness {
    WS_READINGS_DIFFER = 0,
    WS_READINGS_ALIKE,  /* the mean powers agree to 2 % */
    WS_READINGS_EXPORT, /* all figures agree except for digits lost in an export; at least 20 readings */
    WS_READINGS_EQUAL   /* all figures agree, or all that do not depend on the stamps, and the readings vary, so that it
                           is not by chance; at least 20 readings */
} ws_likeness;

/* What is compared of a summary: a list of many devices keeps no more. SI units, as there. */
typedef struct ws_readings {
    uint64_t samples;
    double energy_j, duration_s;
    double mean, min, max, sd;
    double plain_mean, plain_sd;
    double first_j; /* of a counter */
} ws_readings;

ws_readings ws_readings_of(const ws_channel_summary *summary);

ws_likeness ws_compare_kept_readings(const ws_readings *a, const ws_readings *b);
ws_likeness ws_compare_readings(const ws_channel_summary *a, const ws_channel_summary *b);
ws_likeness ws_compare_devices(const ws_device *a, const ws_device *b); /* by their energies; both have one */

enum { WS_READINGS_ENOUGH = 20 }; /* fewer prove nothing, even if all figures are equal */
extern const double ws_alike;     /* relative: two cards of one kind under the same load differ by less */

/* Copies of one log of powers, which may lack rows or digits: at the same times the readings are the same, or they
 * follow each other in the same order, whatever their stamps say (fingerprint.h). */
bool ws_devices_are_copies(const ws_device *a, const ws_device *b);

bool ws_device_has_uuid(const ws_device *device);
bool ws_devices_share_source(const ws_device *a, const ws_device *b);
bool ws_devices_share_node(const ws_device *a, const ws_device *b); /* domain, run and node are the same */
bool ws_devices_overlap(const ws_device *a, const ws_device *b);    /* in time; false without dates */
bool ws_names_differ_in_numbers(const char *a, const char *b);      /* "n1_gpu0.csv" and "n1_gpu1.csv" */

/* Could the means agree over the time that both share? What only one of them holds may explain a difference. */
bool ws_devices_may_be_alike(const ws_device *a, const ws_device *b);

/* Do the means differ by no more than the moments explain at which one device was read twice? Two cards of one kind
 * under the same load differ by more, as a rule. */
bool ws_devices_may_be_one(const ws_device *a, const ws_device *b);

/* Do two energy counters hold the same count? A counter that runs since the machine was started has one of its own: the
 * other file's first reading lies between this one's last reading and where twice its power would have taken it
 * by then. Another counter would be there by a chance of less than a thousandth, which the reading itself (or the
 * range of the counter) is the scale of. */
bool ws_devices_share_counter(const ws_device *a, const ws_device *b);

/* The chance that two counters of two machines look like one that was read by two loggers, by their first readings (as
 * above) and by their energies, which differ by what the first and the last readings lie apart at most; 1 where they
 * do not. */
double ws_counter_chance(const ws_device *a, const ws_device *b);

/* Two GPUs, for certain: their temperatures, read at the same time, differ by more than a sensor does from itself. */
bool ws_devices_differ_in_heat(const ws_device *a, const ws_device *b);

#endif
