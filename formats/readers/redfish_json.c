/* Power of a node as its BMC gives it over Redfish, logged as JSON, an object a poll:
 *
 *   {"timestamp": "2026-02-11T08:00:00Z", "host": "n1", "PowerControl": [{"MemberId": "0",
 *    "Name": "System Power Control", "PowerConsumedWatts": 344}]}
 *   {"@odata.type": "#EnvironmentMetrics.v1_3_1.EnvironmentMetrics", "PowerWatts": {"Reading": 374},
 *    "EnergykWh": {"Reading": 3638}}
 *
 * The resources are Chassis/ID/Power and .../EnvironmentMetrics of DMTF's schemas, whole or cut down by a logger,
 * which also adds the time and the host, around or beside them. They have no time of their own: a line with a date
 * stands above, or the period does. Reports of the telemetry service hold one reading a metric and time:
 *
 *   {"@odata.type": "#MetricReport.v1_5_0.MetricReport", "Id": "PowerMetrics", "MetricValues": [{"MetricId":
 *    "SystemInputPower", "Timestamp": "2026-02-11T08:00:00Z", "MetricValue": "344"}]}
 *
 * with the names of Dell's iDRAC, or the path of what they report in "MetricProperty", as OpenBMC has it. The first
 * control or resource of a node that names no part is the node; a further one may lie inside it. EnergykWh counts in
 * steps that may be whole kWh: the power counts. */
#include "formats/table/json_polls.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 4, ID = 120, MOST_SEEN = 1024 };

typedef struct redfish_seen {
    const char *node, *whole; /* the id that is the node; in the feed's arena */
} redfish_seen;

typedef struct redfish_reader {
    redfish_seen nodes[MOST_SEEN];
    size_t n;
} redfish_reader;

typedef struct redfish_poll {
    ws_json_polls *polls;
    const char *node;
} redfish_poll;

static const char *text_of(const json_t *object, const char *const *names)
{
    for (; *names; names++) {
        const char *text = json_string_value(json_object_get(object, *names));
        if (text && *text)
            return text;
    }
    return "";
}

/* What a name or path says that it is: "CPU Sub-system Power", "/redfish/v1/Chassis/HGX_GPU_3". */
static bool find_part(const char *name, ws_domain *domain, int64_t *number)
{
    static const struct {
        const char *word;
        ws_domain domain;
    } words[] = {{"gpu", WS_GPU},     {"accelerator", WS_GPU}, {"cpu", WS_CPU},     {"processor", WS_CPU},
                 {"memory", WS_DRAM}, {"dimm", WS_DRAM},       {"pdu", WS_WALL},    {"powerequipment", WS_WALL},
                 {"fan", WS_OTHER},   {"supply", WS_OTHER},    {"drive", WS_OTHER}, {"nvswitch", WS_OTHER}};
    char plain[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(plain, ws_span_of(name)), word;
    bool found = false;
    *number = -1;
    while (ws_span_split(&rest, '_', &word)) {
        ws_span letters = word;
        while (letters.n && letters.p[letters.n - 1] >= '0' && letters.p[letters.n - 1] <= '9')
            letters.n--;
        if (found && *number < 0 && !letters.n)
            ws_span_i64(word, number);
        if (letters.n > 1 && letters.p[letters.n - 1] == 's' && !ws_span_eq(letters, "processors"))
            letters.n--;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            bool is_word =
                ws_span_eq(letters, words[i].word) || (words[i].domain == WS_CPU && ws_span_eq(letters, "processors"));
            if (!is_word || (found && *domain != WS_CPU && *domain != WS_OTHER))
                continue;
            *domain = words[i].domain;
            found = true;
            ws_span_i64((ws_span){word.p + letters.n, word.n - letters.n}, number);
            break;
        }
    }
    return found;
}

/* Is it the node itself? The first control that is not one of its parts. */
static bool is_whole(redfish_reader *r, const redfish_poll *p, const char *id)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->nodes[i].node, p->node) == 0)
            return strcmp(r->nodes[i].whole, id) == 0;
    if (r->n < MOST_SEEN)
        r->nodes[r->n++] = (redfish_seen){ws_samples_name(&p->polls->samples, ws_span_of(p->node)),
                                          ws_samples_name(&p->polls->samples, ws_span_of(id))};
    return true;
}

static ws_samples_key key_of(const redfish_poll *p, const char *name, const char *id)
{
    redfish_reader *r = p->polls->state;
    ws_samples_key key = {
        .node = ws_span_of(p->node), .id = ws_span_of(id), .identity = *id ? "name" : "", .domain = WS_NODE};
    if (find_part(name, &key.domain, &key.number))
        return key;
    key.number = -1;
    if (!is_whole(r, p, id)) {
        key.domain = WS_OTHER;
        ws_notes_add(
            p->polls->samples.notes, WS_FINDING_NESTED_SENSOR, p->polls->samples.source, id, p->polls->items.item_line,
            "'%.80s' may lie inside what was read first, which is the node: shown under 'other' and added to nothing",
            id);
    }
    return key;
}

static ws_status redfish_json_push(const redfish_poll *p, ws_samples_key *key, ws_quantity quantity,
                                   const json_t *value, const char *unit, int preference, const char *column,
                                   ws_error *error)
{
    key->quantity = quantity;
    key->preference = preference;
    key->column = column;
    if (!json_is_number(value) && !json_is_string(value) && !(value && json_is_null(value)))
        return WS_OK;
    double number = json_is_null(value) ? NAN : ws_json_polls_number(p->polls, value, quantity, unit, column);
    return ws_json_polls_push(p->polls, key, number, error);
}

static ws_status take_control(const redfish_poll *p, const json_t *control, size_t place, ws_error *error)
{
    static const char *const names[] = {"Name", NULL}, *const members[] = {"MemberId", "@odata.id", NULL};
    const char *name = text_of(control, names), *member = text_of(control, members);
    const json_t *power = json_object_get(control, "PowerConsumedWatts");
    char id[ID];
    snprintf(id, sizeof id, "%.60s%s%.40s", name, *name && *member ? " " : "", member);
    if (!*id)
        snprintf(id, sizeof id, "PowerControl %zu", place);
    if (!power)
        return WS_OK;
    ws_samples_key key = key_of(p, name, id);
    return redfish_json_push(p, &key, WS_POWER, power, "W", 0, "PowerConsumedWatts", error);
}

static ws_status take_environment(const redfish_poll *p, const json_t *object, ws_error *error)
{
    static const char *const ids[] = {"@odata.id", "Chassis", NULL};
    const json_t *power = json_object_get(object, "PowerWatts");
    const char *id = text_of(object, ids), *from = json_string_value(json_object_get(power, "DataSourceUri"));
    ws_samples_key key = key_of(p, *id ? id : from ? from : "", id);
    ws_status status =
        redfish_json_push(p, &key, WS_POWER, json_object_get(power, "Reading"), "W", 0, "PowerWatts", error);
    if (status == WS_OK)
        status = redfish_json_push(p, &key, WS_ENERGY_COUNTER, ws_json_at(object, "EnergykWh.Reading"), "kWh",
                                   WS_DOUBTFUL, "EnergykWh", error);
    if (status == WS_OK)
        status = redfish_json_push(p, &key, WS_ENERGY_COUNTER, ws_json_at(object, "EnergyJoules.Reading"), "J", 0,
                                   "EnergyJoules", error);
    return status;
}

/* A number where there is no list: {"timestamp": ..., "PowerConsumedWatts": 344}. */
static ws_status take_resource(const redfish_poll *p, const json_t *object, ws_error *error)
{
    size_t i;
    json_t *control;
    ws_status status = WS_OK;
    json_array_foreach(json_object_get(object, "PowerControl"), i, control)
    {
        if (status == WS_OK)
            status = take_control(p, control, i, error);
    }
    if (status == WS_OK && json_object_get(object, "PowerConsumedWatts"))
        status = take_control(p, object, 0, error);
    if (status == WS_OK && json_is_object(json_object_get(object, "PowerWatts")))
        status = take_environment(p, object, error);
    return status;
}

/* Metrics in W by the names of Dell's iDRAC (PowerMetrics). What a node takes in goes before what it uses. */
static const struct metric {
    const char *name;
    ws_domain domain;
    int preference;
} metrics[] = {
    {"SystemInputPower", WS_NODE, 0},   {"SystemPowerConsumption", WS_NODE, 1}, {"TotalCPUPower", WS_CPU, 0},
    {"TotalMemoryPower", WS_DRAM, 0},   {"SystemOutputPower", WS_OTHER, 0},     {"TotalFanPower", WS_OTHER, 0},
    {"TotalStoragePower", WS_OTHER, 0}, {"TotalPciePower", WS_OTHER, 0},        {"TotalFPGAPower", WS_OTHER, 0},
};

static const struct metric *find_metric(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(name, metrics[i].name) == 0)
            return &metrics[i];
    return NULL;
}

/* A reading of a report: by its name, or by the resource that its path leads to. */
static ws_status take_metric(const redfish_poll *p, const json_t *metric, const json_t *stamp, ws_error *error)
{
    static const char *const ids[] = {"MetricId", NULL}, *const paths[] = {"MetricProperty", NULL};
    const char *id = text_of(metric, ids), *path = text_of(metric, paths);
    const struct metric *known = find_metric(id);
    bool is_power = strstr(path, "PowerConsumedWatts") || strstr(path, "PowerWatts/Reading");
    if (!known && !is_power)
        return WS_OK;
    const json_t *own = json_object_get(metric, "Timestamp");
    ws_json_polls_begin(p->polls, own ? own : stamp, false);
    ws_samples_key key = {.node = ws_span_of(p->node), .number = -1};
    if (known) {
        key.domain = known->domain;
        key.id = ws_span_of(known->domain == WS_NODE ? "" : id);
        key.identity = known->domain == WS_NODE ? "" : "name";
        key.number = known->domain == WS_OTHER ? -1 : 0;
    } else {
        key = key_of(p, path, path);
    }
    return redfish_json_push(p, &key, WS_POWER, json_object_get(metric, "MetricValue"), "W",
                             known ? known->preference : 0, known ? known->name : "MetricValue", error);
}

static ws_status take_report(const redfish_poll *p, const json_t *report, const json_t *stamp, ws_error *error)
{
    size_t i;
    json_t *metric;
    ws_status status = WS_OK;
    json_array_foreach(json_object_get(report, "MetricValues"), i, metric)
    {
        if (status == WS_OK)
            status = take_metric(p, metric, stamp, error);
    }
    return status;
}

static bool is_resource(const json_t *object)
{
    return json_is_array(json_object_get(object, "PowerControl")) || json_object_get(object, "PowerConsumedWatts") ||
           json_is_object(json_object_get(object, "PowerWatts"));
}

static ws_status take_inside(redfish_poll *p, const json_t *object, const json_t **stamp, int depth, ws_error *error)
{
    static const char *const hosts[] = {"host",     "hostname", "Hostname", "node", "Host",
                                        "HostName", "bmc",      "server",   NULL};
    const char *name, *host = text_of(object, hosts), *outer = p->node;
    json_t *value;
    ws_status status = WS_OK;
    const json_t *own = ws_json_stamp_of(object);
    *stamp = own ? own : *stamp;
    p->node = *host ? host : p->node;
    if (json_is_array(json_object_get(object, "MetricValues"))) {
        status = take_report(p, object, *stamp, error);
    } else if (is_resource(object)) {
        static const char *const ids[] = {"@odata.id", "Chassis", "Name", NULL};
        char what[ID];
        snprintf(what, sizeof what, "%.50s %.60s", p->node, text_of(object, ids));
        ws_json_polls_begin(p->polls, *stamp, ws_json_polls_comes_again(p->polls, what));
        status = take_resource(p, object, error);
    } else {
        json_object_foreach((json_t *)(uintptr_t)object, name, value)
        {
            if (status == WS_OK && depth < DEEPEST && json_is_object(value))
                status = take_inside(p, value, stamp, depth + 1, error);
        }
    }
    p->node = outer;
    return status;
}

static ws_status take_object(ws_json_polls *polls, const json_t *object, ws_error *error)
{
    redfish_poll p = {polls, ""};
    const json_t *stamp = NULL;
    return take_inside(&p, object, &stamp, 0, error);
}

static ws_status read_redfish_json(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                   ws_notes *notes, ws_error *error)
{
    redfish_reader reader = {.n = 0};
    return ws_json_polls_read(input, options, sink, notes, take_object, &reader,
                              "no PowerConsumedWatts and no PowerWatts of Redfish", error);
}

static int score_redfish_json(const char *path, ws_span head)
{
    (void)path;
    bool is_environment = ws_span_contains(head, "\"PowerWatts\"") && ws_span_contains(head, "\"Reading\"");
    bool is_report = ws_span_contains(head, "\"MetricValues\"");
    bool has_power = is_environment || ws_span_contains(head, "\"PowerConsumedWatts\":") ||
                     (is_report && (ws_span_contains(head, "/PowerConsumedWatts\"") ||
                                    ws_span_contains(head, "PowerWatts/Reading\"")));
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && is_report && !has_power; i++)
        has_power = metrics[i].domain != WS_OTHER && ws_span_contains(head, metrics[i].name);
    return has_power && ws_json_polls_begin_in(head) ? 95 : 0;
}

const ws_format ws_format_redfish_json = {
    .name = "redfish-json",
    .title = "power of nodes from Redfish (PowerControl, EnvironmentMetrics, MetricReport), an object a poll",
    .example = "{\"timestamp\": \"2026-02-11T08:00:00Z\", \"PowerControl\": [{\"Name\": \"System Power Control\", "
               "\"PowerConsumedWatts\": 344}]}",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_redfish_json,
    .holds = "{",
    .read = read_redfish_json,
};
