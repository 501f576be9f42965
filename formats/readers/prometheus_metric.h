/* Metrics of exporters that Prometheus scrapes, and whose readings they are: the DCGM exporter, node_exporter (RAPL,
 * hwmon), Kepler, Scaphandre, Omnistat, CEEMS, and the exporters over nvidia-smi and IPMI. */
#ifndef WS_FORMATS_PROMETHEUS_METRIC_H
#define WS_FORMATS_PROMETHEUS_METRIC_H

#include "core/arena.h"
#include "core/note.h"
#include "core/sample.h"
#include "core/text.h"
#include "core/unit.h"
#include "formats/table/samples.h"

/* Who measures. Of several that hold one domain the first counts, since a sum of them would hold each device as
 * often. */
typedef enum ws_prom_family {
    WS_PROM_DCGM,
    WS_PROM_NVIDIA_SMI,
    WS_PROM_ROCM,
    WS_PROM_RAPL,
    WS_PROM_IPMI,
    WS_PROM_HWMON,
    WS_PROM_VENDOR,
    WS_PROM_SCAPHANDRE,
    WS_PROM_KEPLER,
    WS_PROM_FAMILY_N
} ws_prom_family;

/* The text of a label, "" where there is none. */
typedef const char *ws_prom_label(const void *labels, const char *name);

/* Texts are those of the labels, static, or in the arena. */
typedef struct ws_prom_about {
    ws_prom_family family;
    ws_domain domain;
    ws_quantity quantity;
    const ws_unit *unit; /* NULL: the usual one */
    int preference;
    const char *id, *identity, *node, *model;
    const char *part; /* of what is to be added up, "dynamic" and "idle" of Kepler; "": it is whole */
    int64_t number;   /* -1: none */
} ws_prom_about;

bool ws_prom_is_known(ws_span name); /* one of the metrics that are read */

/* False for a metric that is not read, or whose labels say that it is no device's ("mmio" copies of RAPL zones). */
bool ws_prom_find(ws_arena *arena, const char *name, ws_prom_label *label, const void *labels, ws_prom_about *about);

/* Where a reading of that metric, in a column of that name, goes. */
ws_samples_key ws_prom_key(ws_samples *samples, const ws_prom_about *about, const char *column, ws_time_base time);

/* Two exporters may measure the same devices under other names: the energies of one count. */
typedef struct ws_prom_source {
    ws_domain domain;
    ws_prom_family family;
    const char *node;
} ws_prom_source;

typedef struct ws_prom_sources {
    ws_prom_source *items;
    size_t n, capacity;
} ws_prom_sources;

void ws_prom_sources_add(ws_prom_sources *sources,
                         const ws_prom_about *about); /* what gives no energy is passed over */
void ws_prom_sources_free(ws_prom_sources *sources);

/* Puts into the domain `other`, with a note, what a family that comes before measures on the same node, or, where
 * the two families name no node alike, on any. */
void ws_prom_leave_out(const ws_prom_sources *sources, ws_prom_about *about, const char *column, ws_arena *arena,
                       const char *source, ws_notes *notes);

#endif
