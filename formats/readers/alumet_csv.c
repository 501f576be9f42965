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
#include "formats/table/row_trace.h"

#include <stdio.h>
#include <string.h>

enum { METRIC, TIME, VALUE, KIND, ID, CONSUMER, DOMAIN, SENSOR, LATE, FIELDS };
static const char *const fields[FIELDS] = {"metric",        "timestamp", "value",  "resource_kind",    "resource_id",
                                           "consumer_kind", "domain",    "sensor", "__late_attributes"};

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

typedef struct alumet_reader {
    int32_t column[FIELDS]; /* -1: none */
    bool has_header;
} alumet_reader;

static ws_span cell_of(const alumet_reader *r, const ws_row *row, int field)
{
    return ws_row_cell(row, r->column[field]);
}

/* An attribute that is a column, or came late: "domain=package". */
static ws_span attribute(const alumet_reader *r, const ws_row *row, int field)
{
    ws_span cell = cell_of(r, row, field), late = cell_of(r, row, LATE), pair, name, text;
    while (!cell.n && ws_span_split(&late, ',', &pair))
        if (ws_span_cut(pair, "=", &name, &text) && ws_span_eq(ws_span_trim(name), fields[field]))
            cell = ws_span_trim(text);
    return cell;
}

static bool alumet_take_header(ws_row_trace *t, alumet_reader *r, const ws_row *row)
{
    if (!row->n_cells || !ws_span_eq(row->cells[0], fields[METRIC]))
        return false;
    for (int f = 0; f < FIELDS; f++) {
        r->column[f] = -1;
        for (uint32_t c = 0; c < row->n_cells; c++)
            if (ws_span_eq(row->cells[c], fields[f]))
                r->column[f] = (int32_t)c;
    }
    ws_row_policy_header(&t->policy, &t->samples.arena, row);
    return r->has_header = r->column[TIME] >= 0 && r->column[VALUE] >= 0 && r->column[KIND] >= 0;
}

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

/* Whose reading it is. False for totals and for rows without a device. */
static bool find_device(const alumet_reader *r, const ws_row *row, ws_samples_key *key, char *id, size_t size)
{
    ws_span metric = cell_of(r, row, METRIC), kind = cell_of(r, row, KIND), number = cell_of(r, row, ID);
    ws_span domain = attribute(r, row, DOMAIN), sensor = attribute(r, row, SENSOR);
    ws_rapl_zone zone = {.package = -1};
    bool is_machine = ws_span_eq(kind, "local_machine");
    snprintf(id, size, "%.*s", number.n < 60 ? (int)number.n : 60, number.p);
    key->number = -1;
    ws_span_i64(number, &key->number);
    if (ws_span_has_prefix(metric, "nvml_") || ws_span_has_prefix(metric, "amd_gpu_")) {
        key->domain = WS_GPU;
        key->identity = strchr(id, ':') ? "bus id" : "index";
        return !is_machine && *id;
    }
    if (ws_span_has_prefix(metric, "grace_")) {
        key->domain = ws_span_eq(sensor, "grace") ? WS_CPU : ws_span_eq(sensor, "cpu") ? WS_CPU_CORE : WS_OTHER;
        key->identity = "sensor";
        snprintf(id, size, "%.*s %.*s", sensor.n < 40 ? (int)sensor.n : 40, sensor.p,
                 number.n < 40 ? (int)number.n : 40, number.p);
        return !is_machine && sensor.n;
    }
    ws_span name = domain.n ? domain : kind;
    bool is_platform = ws_span_eq(name, "platform");
    if (ws_span_has_suffix(name, "_total") || (is_machine && !is_platform) || !ws_rapl_zone_find(name, &zone))
        return false;
    key->domain = zone.domain;
    key->identity = "name";
    snprintf(id, size, "%.*s %.*s", name.n < 40 ? (int)name.n : 40, name.p, number.n < 40 ? (int)number.n : 40,
             number.p);
    return true;
}

static ws_status alumet_push(ws_row_trace *t, const alumet_reader *r, const ws_row *row, int64_t t_ns, ws_error *error)
{
    const ws_unit *unit;
    char id[104];
    ws_span name = cell_of(r, row, METRIC), consumer = cell_of(r, row, CONSUMER);
    const struct alumet_metric *metric = find_metric(name, &unit);
    ws_samples_key key = {.time = t->stamps.base};
    bool is_share = consumer.n && !ws_span_eq(consumer, "local_machine");
    if (!metric || is_share || !find_device(r, row, &key, id, sizeof id))
        return WS_OK;
    key.id = ws_span_of(id);
    key.quantity = metric->quantity;
    key.preference = metric->preference;
    key.column = ws_samples_name(&t->samples, name);
    double value =
        ws_samples_number(&t->samples, cell_of(r, row, VALUE), metric->quantity, unit, key.column, row->line);
    ws_samples_reading reading = {.t_ns = t_ns, .value = value, .line = row->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status alumet_take_row(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    alumet_reader *r = t->state;
    int64_t t_ns;
    if (alumet_take_header(t, r, row) || !r->has_header || !ws_row_is_usable(&t->policy, row))
        return WS_OK;
    ws_span stamp = cell_of(r, row, TIME);
    ws_timecol_settle(&t->stamps, stamp);
    if (ws_timecol_read(&t->stamps, stamp, &t_ns))
        return alumet_push(t, r, row, t_ns, error);
    ws_note_bad_stamp(t->samples.notes, t->samples.source, row->line, stamp);
    return WS_OK;
}

static ws_status read_alumet_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    static const ws_row_trace_kind kind = {
        .delimiter = ';',
        .take = alumet_take_row,
        .what = "no energy or power of a device (rapl_consumed_energy, nvml_energy_consumption and others)"};
    alumet_reader reader = {.has_header = false};
    return ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
}

static int score_alumet_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    while (ws_span_split(&head, '\n', &line))
        if (ws_span_has_prefix(line, "metric;timestamp;value;resource_kind;"))
            return 97;
    return 0;
}

const ws_format ws_format_alumet_csv = {
    .name = "alumet-csv",
    .title = "measurements of Alumet: RAPL, NVML, AMD GPUs, Grace",
    .example = "metric;timestamp;value;resource_kind;resource_id;consumer_kind;consumer_id;domain;__late_attributes\n"
               "rapl_consumed_energy_J;2026-02-11T08:00:01Z;55.25;cpu_package;0;local_machine;;package;",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_ENERGY | WS_GIVES_UTIL,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_alumet_csv,
    .read = read_alumet_csv,
};
