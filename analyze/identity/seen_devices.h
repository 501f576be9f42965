/* Which devices were read when, over many measures: what two of them (files of `energy`, runs of a campaign) both hold
 * counts twice for whoever adds them. A uuid proves it. Without uuids two logs of one time are from one node, if all
 * readings are equal (or all of the one that ends first, or nearly all that both have at the same times), or if the
 * GPUs of the same names agree far better than those of one log do with each other (see rank_logs.h), or if those of
 * one log are the means of every few readings of the other's. */
#ifndef WS_ANALYZE_SEEN_DEVICES_H
#define WS_ANALYZE_SEEN_DEVICES_H

#include "analyze/measure/likeness.h"

typedef struct ws_seen_device {
    const char *source, *node, *device; /* in the arena of the list, as the next */
    const char *uuid;                   /* NULL: it has none */
    ws_domain domain;
    bool has_date;
    int64_t start_ns, end_ns;
    ws_readings readings;
    ws_fingerprint fingerprint;
    double window_s; /* as of ws_metered_channel */
    size_t owner;    /* the measure that holds it, as the caller counts them */
    size_t order;    /* of being added */
    bool is_merged;  /* ws_seen_devices_merged: its owner was made of others */
    bool is_paired;  /* ws_seen_devices_pairs: it is in a pair, or its log is and it is the first of that */
} ws_seen_device;

typedef struct ws_seen_devices {
    ws_seen_device **items;   /* in the arena, too: a long list does not move */
    size_t n, capacity, last; /* last: where those of the measure that was added last begin */
    ws_arena arena;
} ws_seen_devices;

/* Keeps the figures of every device in the measure's sum that has an energy. */
void ws_seen_devices_add(ws_seen_devices *seen, const ws_measure *measure, size_t owner);

void ws_seen_devices_free(ws_seen_devices *seen);

/* Moves those of this source, whose owners are others there; `from` is empty then. */
void ws_seen_devices_move(ws_seen_devices *into, ws_seen_devices *from, const char *source);

/* Owners that read one device at the same time, for more than a twentieth of the shorter of both: calls `pair` for each
 * uuid, and once for each two logs without uuids. `b` is a device of the one that began later, and the n of `a` are
 * those of others that it is paired with; of more than one, as of copies of a file, all have the same figures and lower
 * owners than `b`. Changes the order of the list. */
typedef void ws_seen_pair(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b);
void ws_seen_devices_pairs(ws_seen_devices *seen, ws_seen_pair *pair, void *state);

#endif
