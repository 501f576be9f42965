/* The series of a job in ClusterCockpit's job archive (data.json), beside a meta.json that says when it ran:
 *
 *   {"acc_power": {"accelerator": {"unit": {"base": "W"}, "timestep": 60,
 *     "series": [{"hostname": "n1", "id": "00000000:17:00.0", "statistics": {...}, "data": [251.2, null, 250.9]}]}},
 *    "cpu_power": {"socket": {..., "series": [{"hostname": "n1", "id": "0", "data": [...]}]}, "node": {...}}}
 *
 * A list of readings, one every timestep (s) since the start of the job; null is missing. A metric may be there for
 * several scopes: the finest is read, whose sums the others are. As in the schema job-data of ClusterCockpit's
 * specifications, and that of meta.json:
 *
 *   {"jobId": 1100001, "cluster": "demo", "partition": "gpu", "numNodes": 2, "numAcc": 8, ... "duration": 3600,
 *    "jobState": "completed", "resources": [{"hostname": "n1"}, {"hostname": "n2"}], "statistics": {...}} */
#include "formats/table/dictionary.h"
#include "formats/table/samples.h"
#include "formats/format.h"
#include "formats/table/json_file.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t LARGEST_TEXT = (size_t)256 << 20;

static const struct cockpit_metric {
    const char *name;
    ws_domain domain;
    ws_quantity quantity;
    const char *unit; /* where the file names none */
} metrics[] = {
    {"acc_power", WS_GPU, WS_POWER, "W"},        {"nv_power_usage", WS_GPU, WS_POWER, "W"},
    {"cpu_power", WS_CPU, WS_POWER, "W"},        {"mem_power", WS_DRAM, WS_POWER, "W"},
    {"core_power", WS_CPU_CORE, WS_POWER, "W"},  {"node_power", WS_NODE, WS_POWER, "W"},
    {"ipmi_power", WS_NODE, WS_POWER, "W"},      {"system_power", WS_NODE, WS_POWER, "W"},
    {"acc_utilization", WS_GPU, WS_UTIL, "%"},   {"acc_mem_util", WS_GPU, WS_MEM_UTIL, "%"},
    {"acc_mem_used", WS_GPU, WS_MEM_USED, "GB"},
};

/* The finest first. */
static const char *const scopes[] = {"accelerator", "hwthread", "core", "memoryDomain", "socket", "node"};

typedef struct cockpit_reader {
    ws_samples samples;
    bool has_node; /* a power of the whole node, of which there may be two */
} cockpit_reader;

/* {"base": "W", "prefix": "k"} or "W" */
static const ws_unit *unit_of(const json_t *object, const struct cockpit_metric *metric)
{
    const json_t *unit = json_object_get(object, "unit");
    const char *base = json_string_value(json_is_object(unit) ? json_object_get(unit, "base") : unit);
    const char *prefix = json_string_value(json_object_get(unit, "prefix"));
    char name[32];
    snprintf(name, sizeof name, "%.10s%.20s", prefix ? prefix : "", base ? base : "");
    const ws_unit *found = ws_unit_find(ws_span_of(name));
    bool fits = found && found->dimension == ws_quantity_dimension(metric->quantity);
    return fits ? found : ws_unit_find(ws_span_of(metric->unit));
}

static ws_status take_series(cockpit_reader *r, const struct cockpit_metric *metric, const json_t *series,
                             const ws_unit *unit, int64_t step_ns, ws_error *error)
{
    const char *host = json_string_value(json_object_get(series, "hostname"));
    const json_t *given = json_object_get(series, "id"), *data = json_object_get(series, "data");
    char buffer[WS_DOUBLE_TEXT] = "";
    const char *id = json_string_value(given);
    ws_status status = WS_OK;
    if (!id && json_is_integer(given)) {
        ws_integer_text(buffer, json_integer_value(given));
        id = buffer;
    }
    id = id ? id : "";
    ws_samples_key key = {.node = ws_span_of(host ? host : ""),
                          .id = ws_span_of(id),
                          .identity = !*id              ? ""
                                      : strchr(id, ':') ? "bus id"
                                                        : "index",
                          .number = -1,
                          .domain = metric->domain,
                          .quantity = metric->quantity,
                          .column = metric->name,
                          .time = WS_TIME_RELATIVE};
    ws_span_i64(key.id, &key.number);
    for (size_t i = 0; i < json_array_size(data) && status == WS_OK; i++) {
        const json_t *value = json_array_get(data, i);
        ws_samples_reading reading = {.value = NAN};
        if (__builtin_mul_overflow((int64_t)i, step_ns, &reading.t_ns))
            break;
        if (json_is_number(value))
            reading.value = json_number_value(value) * unit->to_si;
        status = ws_samples_push(&r->samples, &key, &reading, error);
    }
    return status;
}

static ws_status take_scope(cockpit_reader *r, const struct cockpit_metric *metric, const json_t *object,
                            ws_error *error)
{
    double step_s = json_number_value(json_object_get(object, "timestep"));
    const ws_unit *unit = unit_of(object, metric);
    size_t i;
    json_t *series;
    ws_status status = WS_OK;
    if (!(step_s > 0 && step_s < 1e6)) {
        ws_notes_add(r->samples.notes, WS_FINDING_BAD_DURATION, r->samples.source, metric->name, 0,
                     "'%s' has no timestep in seconds, and was left out", metric->name);
        return WS_OK;
    }
    json_array_foreach(json_object_get(object, "series"), i, series)
    {
        if (status == WS_OK)
            status = take_series(r, metric, series, unit, llround(step_s * 1e9), error);
    }
    return status;
}

static ws_status take_metric(cockpit_reader *r, const struct cockpit_metric *metric, const json_t *object,
                             ws_error *error)
{
    struct cockpit_metric shown = *metric;
    if (metric->domain == WS_NODE && metric->quantity == WS_POWER) {
        shown.domain = r->has_node ? WS_OTHER : WS_NODE;
        if (r->has_node)
            ws_notes_add(r->samples.notes, WS_FINDING_MEASURED_TWICE, r->samples.source, metric->name, 0,
                         "'%s' is of the whole node, too: shown under 'other' and added to nothing", metric->name);
        r->has_node = true;
    }
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++) {
        const json_t *scope = json_object_get(object, scopes[s]);
        if (!json_array_size(json_object_get(scope, "series")))
            continue;
        if (metric->domain == WS_GPU && metric->quantity == WS_POWER && strcmp(scopes[s], "accelerator") != 0)
            ws_notes_add(r->samples.notes, WS_FINDING_ASSUMED_DEVICE, r->samples.source, metric->name, 0,
                         "'%s' is the sum over the accelerators of a %s, however many there are: one device",
                         metric->name, scopes[s]);
        return take_scope(r, &shown, scope, error);
    }
    return WS_OK;
}

static ws_status read_clustercockpit(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                     ws_notes *notes, ws_error *error)
{
    (void)options;
    json_t *root;
    ws_status status = ws_json_read(input, LARGEST_TEXT, 0, &root, error);
    if (status != WS_OK)
        return status;
    cockpit_reader r = {.has_node = false};
    ws_samples_init(&r.samples, ws_input_path(input), sink, notes);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && status == WS_OK; i++) {
        const json_t *object = json_object_get(root, metrics[i].name);
        if (json_is_object(object))
            status = take_metric(&r, &metrics[i], object, error);
    }
    ws_status flushed = ws_samples_flush(&r.samples, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !r.samples.n)
        status = ws_fail_at(error, WS_DATA, r.samples.source, 0, "no series of a power or of an accelerator's load");
    ws_samples_free(&r.samples);
    json_decref(root);
    return status;
}

static int score_clustercockpit(const char *path, ws_span head)
{
    (void)path;
    bool has_scope = false;
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++) {
        char name[24];
        snprintf(name, sizeof name, "\"%s\"", scopes[s]);
        has_scope |= ws_span_contains(head, name);
    }
    return has_scope && ws_span_has_prefix(ws_span_trim(head), "{") && ws_span_contains(head, "\"timestep\"") &&
                   ws_span_contains(head, "\"series\"") && ws_span_contains(head, "\"hostname\"")
               ? 95
               : 0;
}

const ws_format ws_format_clustercockpit = {
    .name = "clustercockpit",
    .title = "series of a job in ClusterCockpit's archive (data.json)",
    .example =
        "{\"acc_power\": {\"accelerator\": {\"unit\": {\"base\": \"W\"}, \"timestep\": 60, \"series\": [{\"hostname\": "
        "\"n1\", \"id\": \"00000000:17:00.0\", \"data\": [251.2, null]}]}}}",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_clustercockpit,
    .holds = "{",
    .read = read_clustercockpit,
};

/* --- meta.json --- */

static void set_text(ws_table *table, const char *name, const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    if (text && *text)
        ws_table_set_text(table, ws_table_add_column(table, name, WS_TEXT), 0, text);
}

static void set_integer(ws_table *table, const char *name, const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    if (json_is_integer(value))
        ws_table_set_integer(table, ws_table_add_column(table, name, WS_INTEGER), 0, json_integer_value(value));
}

static void set_start(ws_table *table, const json_t *root)
{
    char text[WS_STAMP_TEXT];
    const json_t *start = json_object_get(root, "startTime");
    json_int_t seconds = json_integer_value(start);
    if (!json_is_integer(start) || seconds <= 0 || seconds > INT64_C(7000000000))
        return;
    ws_stamp_text(text, seconds * INT64_C(1000000000));
    ws_table_set_text(table, ws_table_add_column(table, "start", WS_TEXT), 0, text);
}

static ws_status read_meta(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    json_t *root;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_status status = ws_json_read(input, LARGEST_TEXT, 0, &root, error);
    if (status != WS_OK)
        return status;
    if (json_is_integer(json_object_get(root, "jobId"))) {
        char job[WS_DOUBLE_TEXT];
        ws_integer_text(job, json_integer_value(json_object_get(root, "jobId")));
        ws_table_add_row(table);
        ws_table_set_text(table, ws_table_add_column(table, "job", WS_TEXT), 0, job);
        set_text(table, "state", root, "jobState");
        set_text(table, "cluster", root, "cluster");
        set_text(table, "partition", root, "partition");
        set_integer(table, "nodes", root, "numNodes");
        set_integer(table, "gpus", root, "numAcc");
        set_integer(table, "job_wall_s", root, "duration");
        set_start(table, root);
    } else {
        status = ws_fail_at(error, WS_FORMAT, table->source, 0, "has no number jobId");
    }
    json_decref(root);
    return status;
}

static int score_clustercockpit_meta(const char *path, ws_span head)
{
    (void)path;
    return ws_span_has_prefix(ws_span_trim(head), "{") && ws_span_contains(head, "\"jobId\"") &&
                   ws_span_contains(head, "\"jobState\"") && ws_span_contains(head, "\"startTime\"") &&
                   ws_span_contains(head, "\"numNodes\"")
               ? 95
               : 0;
}

const ws_format ws_format_clustercockpit_meta = {
    .name = "clustercockpit-meta",
    .title = "a job in ClusterCockpit's archive (meta.json): nodes, accelerators, time, state",
    .example = "{\"jobId\": 1100001, \"cluster\": \"demo\", \"numNodes\": 2, \"numAcc\": 8, \"startTime\": 1770796800, "
               "\"duration\": 3600, \"jobState\": \"completed\"}",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_clustercockpit_meta,
    .holds = "{",
    .read_table = read_meta,
};
