/* The data of a measure: metered channels and their devices. */
#ifndef WS_ANALYZE_METERED_H
#define WS_ANALYZE_METERED_H

#include "analyze/measure/counter_glitch.h"
#include "analyze/measure/counter_seam.h"
#include "analyze/measure/fingerprint.h"
#include "analyze/measure/meter.h"
#include "analyze/measure/power_steps.h"
#include "analyze/measure/power_times.h"
#include "analyze/measure/reading_order.h"
#include "analyze/measure/suspect_powers.h"
#include "core/power_sensors.h"
#include "core/arena.h"
#include "core/budget.h"
#include "core/stake.h"

typedef struct ws_measure_options {
    ws_rule rule;        /* WS_RULE_NONE: counter before interval energies before power */
    const char *column;  /* take the energy from this column, or NULL */
    unsigned quantities; /* the wanted ones as bits 1 << WS_POWER and so on; 0: all */
    bool all_channels;   /* make a device entry for every channel that can give energy, not only for the chosen one */
    bool every_fact;     /* as in ws_sink */
    ws_back_steps back_steps;
    bool without_glitches; /* set by cutter.c, which has left them out of counters before it cuts */
    ws_meter_options meter;
    const ws_sensors *sensors; /* what the user knows of them; NULL: nothing */
    ws_verdict_rules verdict;
} ws_measure_options;

/* What watches the readings of a power, and some of it those of a counter, beside the meter. */
typedef struct ws_power_watch {
    /* Of powers that stay equal, and that go to and fro between two neighbours, by even and by odd steps. */
    ws_standstill still[WS_STANDSTILL_STEPS];
    ws_power_times times; /* and of the steps of counters in the window of a job; see cutter.h */
    ws_power_top top;
    ws_sampling sampling;
    ws_fingerprint_taker fingerprint; /* and of counters */
} ws_power_watch;

typedef struct ws_metered_channel {
    ws_channel channel; /* texts in the measure's arena */
    const char *source;
    /* Samples go through limits, then order, to the meter; those of counters through glitch first. */
    ws_counter_glitch glitch;
    ws_limits limits;
    ws_counter_seam *seam; /* of a counter in a stretch that is read ahead of its turn; else NULL */
    ws_power_watch *watch; /* of what may give the energy; else NULL: most channels do not, and it is large */
    ws_unused_time unused; /* of utilisations */
    ws_quiet quiet;        /* of powers and of utilisations */
    ws_order *order;       /* NULL for the order of the file */
    ws_meter meter;
    /* After ws_measure_finish: */
    ws_channel_summary summary;
    ws_budget budget;     /* of summary.energy_j */
    double short_s;       /* by which others of its file outlast it, if edges hold it; else 0 */
    double unread_s;      /* of rows at its ends that could not be read, */
    ws_finding unread;    /* and why */
    double window_s;      /* over which its sensor takes means, of powers; NaN: not known */
    double board_w;       /* the board power of cards of its name; NaN: not known */
    bool asks_back_steps; /* no energy unless --back-steps is given */
    size_t device;        /* index in the measure's devices */
} ws_metered_channel;

/* A device of one source and run: channels with one run, node, domain and name (measure.c). Whether two of them are the
 * same device is decided in identity/identity.h; for runs of one file that share a device's time in measure_totals.c
 * (ws_measure_find_overlaps). */
typedef struct ws_device {
    const char *source, *run, *node, *device, *device_id, *identity;
    ws_domain domain;
    bool is_metered;      /* has a channel of power or energy, even if the rule cannot use it */
    bool is_alternative;  /* shown but in no sum: a further channel of a device, or a device that counts elsewhere */
    const char *again_in; /* a run of the file that holds the device at the same time: in no sum over runs; or NULL */
    bool overlaps;        /* sums over runs are too small or too large; see ws_measure_find_overlaps */
    ws_stake stake;       /* what findings leave open of its energy */
    double baseline_w;    /* see baseline.h; NaN: none */
    double fed_j;         /* of a meter of a node or at the wall: of what it feeds (fed_devices.h); 0: not known */
    bool feeds_others;    /* some of that is on all the time */
    bool lacks_rest;      /* another file has the device for a longer time but is in no sum; see duplicates.h */
    /* The chosen channel of each kind, or NULL. Good until ws_measure_free. */
    const ws_metered_channel *energy;
    const ws_metered_channel *util, *mem_util, *mem_used, *clock, *temperature;
    const ws_metered_channel *longest; /* the channel with the most rows: represents a device without energy */
    const size_t *channels;            /* all of them, places in the measure in its order */
    size_t n_channels;
} ws_device;

/* A fact of a reader, with its source. */
typedef struct ws_kept_fact {
    const char *source, *run, *node, *device, *key, *text;
    double number;
} ws_kept_fact;

typedef struct ws_measure {
    ws_measure_options options;
    const char *source, *node; /* of the channels pushed now; set by ws_measure_begin */
    bool has_baselines;        /* some were asked for; see baseline.h */
    bool is_incomplete;        /* set by the caller if some part of a source could not be read */
    bool asks_period;          /* set by the caller if a source holds no time: a given period was of use */
    bool is_another;           /* channels of a source that is read on are not those of before */
    size_t n_again, n_before;  /* of the channels there were before, and how many of them came again */
    ws_metered_channel *channels;
    size_t n_channels, channel_capacity;
    ws_device *devices; /* in order of first appearance */
    size_t n_devices, device_capacity;
    size_t *places; /* of the devices' channels */
    ws_kept_fact *facts;
    size_t n_facts, fact_capacity;
    ws_arena arena;
} ws_measure;

/* Selects devices that are no alternatives, and channels; NULL matches any. */
typedef struct ws_device_filter {
    const char *source, *run, *node;
} ws_device_filter;

#endif
