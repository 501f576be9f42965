/* The metering sink: reduces every channel of its sources to a summary, groups the channels by device, and
 * chooses the channel that gives each device its energy.
 *
 *     ws_measure m;
 *     ws_measure_init(&m, &options);
 *     ws_source_read(path, ..., ws_measure_sink(&m), ...);      any number of sources
 *     ws_measure_finish(&m, &notes);
 *     for (i = 0; i < m.n_devices; i++) ... m.devices[i].energy ...
 */
#ifndef WS_ANALYZE_MEASURE_H
#define WS_ANALYZE_MEASURE_H

#include "analyze/measure/measure_groups.h"

void ws_measure_init(ws_measure *measure, const ws_measure_options *options);
void ws_measure_free(ws_measure *measure);

/* Names the source of the channels to come, and their node if the file names none ("": unknown). */
void ws_measure_begin(ws_measure *measure, const char *source, const char *node);

/* The source of a record that was unpacked is read on (formats/log_place.h): the channels that it has are announced
 * once more, in the same order. */
void ws_measure_begin_again(ws_measure *measure, const char *source, const char *node);
bool ws_measure_is_the_same(const ws_measure *measure); /* after the reading: were they? */

/* Does a record of the measure as it is now hold all that the readings to come depend on? */
bool ws_measure_may_go_on(const ws_measure *measure);

ws_sink ws_measure_sink(ws_measure *measure); /* valid as long as the measure stays where it is */

/* Appends `next`, which has measured other sources with the same options. Call it before ws_measure_finish of either.
 * Frees `next`. */
void ws_measure_append(ws_measure *into, ws_measure *next);

/* Frees what a channel points to, but for its texts. */
void ws_metered_free(ws_metered_channel *channel);

/* The readings of the following stretch of a channel. Leaves `next` as it is. */
void ws_metered_merge(ws_metered_channel *into, const ws_metered_channel *next, int64_t lines);

/* So many channels are about to be added. */
void ws_measure_expect(ws_measure *measure, size_t channels);

/* A channel as the sink adds it, of a record that is unpacked (pack.h). Its texts live in the measure's arena, `source`
 * too, and none is NULL. Good until the next channel is added. */
ws_metered_channel *ws_measure_restore(ws_measure *measure, const ws_channel *channel, const char *source,
                                       ws_rule rule);

/* Passes samples that still wait to be put in order (ws_order) on to their meters. */
void ws_measure_flush(ws_measure *measure);

/* Leaves each fingerprint what it has beside the other powers of its source: ws_measure_finish does it, and a record
 * has no more. */
void ws_measure_cut_fingerprints(ws_measure *measure);

/* Any reading or missing cell at all? Before or after ws_measure_finish. */
bool ws_measure_has_samples(const ws_measure *measure);

/* Do the stamps of any channel step back by a second or more? Before or after ws_measure_finish. */
bool ws_measure_steps_back(const ws_measure *measure);

bool ws_measure_asks(const ws_measure *measure); /* after ws_measure_finish: does some energy need the user's answer? */

/* Reads every meter, groups the devices, chooses the energies. Notes may be NULL. */
void ws_measure_finish(ws_measure *measure, ws_notes *notes);

/* Part of ws_measure_finish, after the devices were grouped. Compares the entries of one device in different runs of a
 * source, if their stamps have dates. If the longer entry holds at least half of the time of the shorter one, the
 * shorter one leaves the sums over runs (`again_in`), and `overlaps` is set on the longer one if the shorter one also
 * covers other time. If both stay although they share more time than whole-second stamps can explain, `overlaps` is set
 * on both. */
void ws_measure_find_overlaps(ws_measure *measure);

/* Sums over devices. Energies are NaN if no device has one. */
typedef struct ws_device_sum {
    size_t devices, without; /* devices with an energy, and without one */
    size_t rowless;          /* of those without, they have not even missing cells */
    uint64_t rows_without;   /* of the others without, together */
    uint64_t samples, missing;
    double energy_j;
    ws_budget budget;             /* of energy_j */
    double baseline_j;            /* of the devices in energy_j; NaN where one of them has none */
    double least_w, most_w;       /* sums of the devices' lowest and highest powers, as far as they are known */
    double power_w;               /* sum of the devices' mean powers */
    double duration_s, max_gap_s; /* the longest */
    double coverage;              /* the lowest */
    ws_energy_status status;      /* the gravest of the devices', WS_STATUS_OK if there are none */
    ws_question ask;              /* of some device, which has no energy until it is answered */
    ws_stake stake;
} ws_device_sum;

/* `ask`, no-energy, devices-missing, low-coverage (below 0.95), else the gravest status of the devices. */
ws_energy_status ws_device_sum_status(const ws_device_sum *sum);

/* A question is unusable; without one and without an energy there is no verdict. */
ws_energy_verdict ws_device_sum_verdict(const ws_device_sum *sum, const ws_verdict_rules *rules);

typedef struct ws_totals {
    ws_device_sum domain[WS_DOMAIN_N];
    /* GPU + CPU + DRAM if there is any of them, else node, else wall: totals never add overlapping domains. */
    ws_device_sum all;
    char scope[48]; /* the domains in `all`: "gpu+cpu+dram", "gpu", "node", "" */
    double wall_s;  /* longest span of any channel */
    double sure_s;  /* longest span less its long gaps */
} ws_totals;

/* If the filter names no run, the runs of a file are taken to follow each other: times are sums, over the runs, of the
 * longest device. Where their stamps show that runs overlap, a device counts once (ws_measure_find_overlaps). */
void ws_measure_totals(const ws_measure *measure, const ws_device_filter *filter, ws_totals *totals);
void ws_group_totals(const ws_measure *measure, const ws_measure_group *group, bool is_one_run, ws_totals *totals);

/* Tells each device beside GPUs or processors of the group that no total has, since nothing says what it is
 * ("epyc_power_w"): "uncounted-device". A large one makes the total doubtful. */
void ws_note_uncounted(const ws_measure *measure, const ws_measure_group *group, const ws_totals *totals,
                       ws_notes *notes);

/* Of a device in a run of wall_s: what was covered of that, where the device was seen for a part of it only. */
double ws_coverage_of_run(const ws_channel_summary *summary, double wall_s);

#endif
