/* The sink that meters: every channel of a source reduced to a reading, grouped by device, and the energy of each
 * device chosen among its channels.
 *
 *     ws_measure m;
 *     ws_measure_init(&m, &options);
 *     ws_source_read(path, ..., ws_measure_sink(&m), ...);      any number of sources
 *     ws_measure_finish(&m, &notes);
 *     for (i = 0; i < m.n_devices; i++) ... m.devices[i].energy ...
 */
#ifndef WS_ANALYZE_MEASURE_H
#define WS_ANALYZE_MEASURE_H

#include "analyze/measure/metered.h"

void ws_measure_init(ws_measure *measure, const ws_measure_options *options);
void ws_measure_free(ws_measure *measure);

/* Name the source of what follows, and the node it stands for where the file names none ("" for none). */
void ws_measure_begin(ws_measure *measure, const char *source, const char *node);
ws_sink ws_measure_sink(ws_measure *measure); /* valid as long as the measure stays where it is */

/* Add what `next` measured, which stands behind what `into` measured in the same sources, and was made with the meter
 * option `continues`; before ws_measure_finish of either. Channels find each other by all that names them. `lines` as
 * in ws_meter_merge. `next` is left empty, to be freed. */
void ws_measure_join(ws_measure *into, ws_measure *next, int64_t lines);

/* What waits for its place in the order of the stamps goes to its meter; what follows does for itself. */
void ws_measure_flush(ws_measure *measure);

/* Any reading or missing cell at all? Before or after ws_measure_finish. */
bool ws_measure_has_samples(const ws_measure *measure);

bool ws_measure_asks(const ws_measure *measure); /* after ws_measure_finish: waits some energy for the user's word? */

/* Read every meter, group the devices, choose the energies. Notes may be NULL. */
void ws_measure_finish(ws_measure *measure, ws_notes *notes);

/* Of a measure whose devices are grouped, the entries of one device in different runs of a source whose stamps are
 * instants. Of two that hold the same time the shorter one is left out of sums over runs (`again_in`) where the other
 * holds at least half of it; `overlaps` is set on that one where what is left out reaches beyond, and on both where
 * they stay although they share more than stamps of whole seconds leave open. Part of ws_measure_finish. */
void ws_measure_find_overlaps(ws_measure *measure);

/* The last fact with that key about (run, node, device); NULL where there is none. */
const ws_kept_fact *ws_measure_fact(const ws_measure *measure, const char *run, const char *node, const char *device,
                                    const char *key);

/* Sums over devices. Energies are NaN where no device has one. */
typedef struct ws_device_sum {
    size_t devices, without; /* devices with an energy, and without one */
    uint64_t samples, missing;
    double energy_j, energy_lo_j, energy_hi_j;
    double power_w;               /* sum of the devices' mean powers */
    double duration_s, max_gap_s; /* the longest */
    double coverage;              /* the lowest */
    const char *status;           /* the gravest of the devices', "ok" where there are none */
    const char *ask;              /* "ask:devices" where a device has no energy until the user says so; NULL: none */
} ws_device_sum;

/* What is asked, "no-energy", "devices-missing", "low-coverage" (below 0.95), else the gravest status of its devices.
 */
const char *ws_device_sum_status(const ws_device_sum *sum);

typedef struct ws_totals {
    ws_device_sum domain[WS_DOMAIN_N];
    ws_device_sum all; /* of the domains that may be added: GPU + CPU + DRAM where any of them is there, else node, else
                          wall. A total never adds domains that hold each other. */
    char scope[48];    /* what `all` holds: "gpu+cpu+dram", "gpu", "node", "" */
    double wall_s;     /* longest span of any channel */
} ws_totals;

/* Where the filter names no run the runs of a file follow each other, and times are the sums over runs of each one's
 * longest, unless their stamps say that they share the time: then a device counts once (ws_measure_find_overlaps). */
void ws_measure_totals(const ws_measure *measure, const ws_device_filter *filter, ws_totals *totals);

#endif
