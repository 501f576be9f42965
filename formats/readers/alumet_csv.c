/* CSV of Alumet, a row a measurement:
 *
 *   metric;timestamp;value;resource_kind;resource_id;consumer_kind;consumer_id;domain;__late_attributes
 *   rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;55.25;cpu_package;0;local_machine;;package;
 *   nvml_energy_consumption_mJ;2026-02-11T08:00:01.000734289Z;251200;gpu;00000000:17:00.0;local_machine;;;
 *
 * Energies are those since the measurement before. The unit may stand in the metric's name; else it is that of the
 * plugin's documentation. Attributes are columns of their own or, where they came late, "name=value" in the last
 * one. Totals over the machine (local_machine, package_total) repeat their parts, and rows of processes and
 * containers are shares: both are passed over. */
#include "formats/table/dictionary.h"
#include "formats/table/preset.h"

#include <string.h>

/* Names as the plugins' documentation has them; `unit` where the name has none. */
static const struct alumet_metric {
    const char *name;
    ws_quantity quantity;
    const char *unit;
    int preference;
} metrics[] = {
    {"rapl_consumed_energy", WS_ENERGY_INTERVAL, "J", 0},
    {"nvml_energy_consumption", WS_ENERGY_INTERVAL, "mJ", 0},
    {"nvml_instant_power", WS_POWER, "mW", 0},
    {"nvml_gpu_utilization", WS_UTIL, "%", 0},
    {"amd_gpu_energy_consumption", WS_ENERGY_INTERVAL, "mJ", 0},
    {"amd_gpu_power_consumption", WS_POWER, "W", 0},
    {"grace_energy_consumption", WS_ENERGY_INTERVAL, "mJ", 0},
    {"grace_instant_power", WS_POWER, "uW", 0},
};

static const struct alumet_metric *find_metric(ws_span name, const ws_unit **unit)
{
    ws_span bare;
    *unit = ws_unit_in_name(name, &bare);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        if (!ws_span_eq(bare, metrics[i].name) && !ws_span_eq(name, metrics[i].name))
            continue;
        *unit = *unit ? *unit : ws_unit_find(ws_span_of(metrics[i].unit));
        return &metrics[i];
    }
    return NULL;
}

enum { METRIC, KIND, ID, CONSUMER, DOMAIN, SENSOR, LATE };

/* An attribute that is a column, or came late: "domain=package". */
static ws_span attribute(const ws_span *cells, int column, const char *called)
{
    ws_span cell = cells[column], late = cells[LATE], pair, name, text;
    while (!cell.n && ws_span_split(&late, ',', &pair))
        if (ws_span_cut(pair, "=", &name, &text) && ws_span_eq(ws_span_trim(name), called))
            cell = ws_span_trim(text);
    return cell;
}

/* Whose reading it is. False for totals and for rows without a device. */
static bool find_device(ws_arena *arena, const ws_span *cells, ws_preset_reading *reading)
{
    ws_span metric = cells[METRIC], name = attribute(cells, DOMAIN, "domain"),
            sensor = attribute(cells, SENSOR, "sensor");
    ws_rapl_zone zone = {.package = -1};
    bool is_machine = ws_span_eq(cells[KIND], "local_machine");
    ws_span_i64(cells[ID], &reading->number);
    reading->identity = "name";
    if (ws_span_has_prefix(metric, "nvml_") || ws_span_has_prefix(metric, "amd_gpu_")) {
        reading->domain = WS_GPU;
        reading->id = ws_arena_strndup(arena, cells[ID].p, cells[ID].n);
        reading->identity = strchr(reading->id, ':') ? "bus id" : "index";
        return !is_machine && *reading->id;
    }
    if (ws_span_has_prefix(metric, "grace_")) {
        reading->domain = ws_span_eq(sensor, "grace") ? WS_CPU : ws_span_eq(sensor, "cpu") ? WS_CPU_CORE : WS_OTHER;
        reading->identity = "sensor";
        name = sensor;
    } else {
        name = name.n ? name : cells[KIND];
        is_machine &= !ws_span_eq(name, "platform");
        if (ws_span_has_suffix(name, "_total") || !ws_rapl_zone_find(name, &zone))
            return false;
        reading->domain = zone.domain;
    }
    reading->id = ws_arena_printf(arena, "%.*s %.*s", WS_SPAN_ARG(name), WS_SPAN_ARG(cells[ID]));
    return !is_machine && name.n;
}

static bool about_metric(ws_arena *arena, const char *kind, const ws_span *cells, ws_preset_reading *reading)
{
    (void)kind;
    const struct alumet_metric *metric = find_metric(cells[METRIC], &reading->unit);
    bool is_share = cells[CONSUMER].n && !ws_span_eq(cells[CONSUMER], "local_machine");
    if (!metric || is_share)
        return false;
    reading->quantity = metric->quantity;
    reading->preference = metric->preference;
    reading->column = ws_arena_strndup(arena, cells[METRIC].p, cells[METRIC].n);
    return find_device(arena, cells, reading);
}

static const ws_preset_value alumet_values[] = {{"value", WS_OTHER, WS_POWER, WS_RULE_NONE, NULL, 0}};
static const ws_preset alumet_csv_preset = {
    .delimiter = ';',
    .score = 97,
    .must = {"metric", "timestamp", "value", "resource_kind"},
    .names_are_enough = true,
    .time = {"timestamp"},
    .kind = {[METRIC] = "metric",
             [KIND] = "resource_kind",
             [ID] = "resource_id",
             [CONSUMER] = "consumer_kind",
             [DOMAIN] = "domain",
             [SENSOR] = "sensor",
             [LATE] = "__late_attributes"},
    .about = about_metric,
    WS_PRESET_VALUES(alumet_values),
    .what = "no energy or power of a device (rapl_consumed_energy, nvml_energy_consumption and others)"};
WS_PRESET_FORMAT(alumet_csv, "alumet-csv", "measurements of Alumet: RAPL, NVML, AMD GPUs, Grace",
                 "metric;timestamp;value;resource_kind;resource_id;consumer_kind;consumer_id;domain;__late_attributes\n"
                 "rapl_consumed_energy_J;2026-02-11T08:00:01Z;55.25;cpu_package;0;local_machine;;package;",
                 3, WS_GIVES_POWER | WS_GIVES_ENERGY | WS_GIVES_UTIL, WS_TRIED_HAND_MADE);
