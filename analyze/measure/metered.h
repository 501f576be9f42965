/* What was metered: channels, and the devices that they belong to. */
#ifndef WS_ANALYZE_METERED_H
#define WS_ANALYZE_METERED_H

#include "analyze/measure/limits.h"
#include "analyze/measure/meter.h"
#include "analyze/measure/order.h"
#include "core/arena.h"

typedef struct ws_measure_options {
    ws_rule rule;        /* WS_RULE_NONE: counter before interval energies before power */
    const char *column;  /* take this column for the energy, or NULL */
    unsigned quantities; /* bit 1 << WS_POWER and so on: channels of other quantities are not wanted; 0: all are */
    bool all_channels;   /* keep a device entry for every channel that holds energy, not for the chosen one alone */
    bool every_fact;     /* facts about nodes and devices, and results that the logging tool stored */
    ws_back_steps back_steps;
    ws_meter_options meter;
} ws_measure_options;

typedef struct ws_measured {
    ws_channel channel; /* texts in the measure's arena */
    const char *source;
    ws_limits limits; /* in front of the order */
    ws_order *order;  /* in front of the meter; NULL for the order of the file */
    ws_meter meter;
    ws_channel_summary reading; /* after finish */
    bool asks_back_steps;       /* its energy waits for --back-steps; after finish */
    size_t device;              /* its place among those of the measure; after finish */
} ws_measured;

typedef struct ws_device {
    const char *source, *run, *node, *device, *device_id, *identity;
    ws_domain domain;
    bool is_metered;      /* has a channel of power or energy, whether or not the rule can use it */
    bool is_alternative;  /* a further energy channel of a device that has an entry already: shown, and in no sum */
    const char *again_in; /* another run of the file, which holds the device at the same time: in no sum over runs;
                             NULL: none */
    bool overlaps;        /* such a sum is too small or too large for that; see ws_measure_find_overlaps */
    bool lacks_rest;      /* another file has the device for a longer time and is in no sum; see duplicates.h */
    /* The channels of the device that matter, NULL where it has none. Good until ws_measure_free. */
    const ws_measured *energy;
    const ws_measured *util, *mem_util, *mem_used, *clock, *temperature;
    const ws_measured *longest; /* the channel with the longest span: stands for the device where there is no energy */
} ws_device;

/* A fact of a reader, with its source. */
typedef struct ws_kept_fact {
    const char *source, *run, *node, *device, *key, *text;
    double number;
} ws_kept_fact;

typedef struct ws_measure {
    ws_measure_options options;
    const char *source, *node; /* of what is pushed now; set by ws_measure_begin */
    bool is_incomplete;        /* set by whoever reads: a part of a source could not be read */
    ws_measured *channels;
    size_t n_channels, channel_capacity;
    ws_device *devices; /* in order of first appearance */
    size_t n_devices, device_capacity;
    ws_kept_fact *facts;
    size_t n_facts, fact_capacity;
    ws_arena arena;
} ws_measure;

/* Which devices: NULL stands for any. */
typedef struct ws_device_filter {
    const char *source, *run, *node;
} ws_device_filter;

bool ws_device_passes(const ws_device *device, const ws_device_filter *filter); /* an alternative passes none */
bool ws_measured_passes(const ws_measured *channel, const ws_device_filter *filter);

#endif
