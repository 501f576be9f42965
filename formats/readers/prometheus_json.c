/* Series of exporters that measure power (prometheus_metric.h) as Prometheus gives them for a range
 * (/api/v1/query_range):
 *
 *   {"status": "success", "data": {"resultType": "matrix", "result": [
 *    {"metric": {"__name__": "DCGM_FI_DEV_POWER_USAGE",
 *    "gpu": "0", "UUID": "GPU-5f1c", "Hostname": "n1"}, "values": [[1770796800.337, "251.2"], ...]}]}}
 *
 * Stamps are whole milliseconds, so that a double of seconds holds them; values are strings. A GPU whose other
 * labels change (a pod that comes and goes, an exporter with another address) becomes several series, which are
 * joined stamp by stamp; where two have a reading the one that began first counts. A UUID is one GPU, whatever node
 * its series name. Kepler's older releases cut the energy of a node in two series, of mode "dynamic" and "idle",
 * which are added up. */
#include "formats/readers/dcgm_field.h"
#include "formats/readers/prometheus_answer.h"
#include "formats/readers/prometheus_metric.h"
#include "formats/table/samples.h"
#include "formats/format.h"
#include "formats/table/json_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t LARGEST_TEXT = (size_t)256 << 20;

typedef struct prom_series {
    const json_t *values; /* of [time, text] */
    ws_prom_about about;
    const char *column;
    int64_t first_ns;
    size_t place; /* in the file */
} prom_series;

/* Where a reading stands: the channel's how-manieth series, and its pair there. */
typedef struct prom_reading {
    int64_t t_ns;
    size_t series, pair;
} prom_reading;

typedef struct prom_reader {
    ws_samples samples;
    prom_series *series;
    size_t n, capacity;
    prom_reading *readings; /* of one channel */
    size_t n_readings, reading_capacity;
} prom_reader;

static const char *text_of_label(const void *labels, const char *name)
{
    const char *text = json_string_value(json_object_get(labels, name));
    return text ? text : "";
}

/* Prometheus counts milliseconds. */
static bool read_time(const json_t *pair, int64_t *t_ns)
{
    const json_t *seconds = json_array_get(pair, 0);
    double s = json_number_value(seconds);
    if (!json_is_number(seconds) || !(s >= 0 && s < 7e9))
        return false;
    *t_ns = llround(s * 1e3) * 1000000;
    return true;
}

/* A range has "values"; the answer for one moment has a "value". */
static const json_t *values_of(const json_t *item)
{
    const json_t *values = json_object_get(item, "values");
    return values ? values : json_object_get(item, "value");
}

static bool is_moment(const json_t *values)
{
    return json_is_number(json_array_get(values, 0));
}

static const json_t *pair_of(const json_t *values, size_t i)
{
    return is_moment(values) ? values : json_array_get(values, i);
}

static size_t count_of(const json_t *values)
{
    return is_moment(values) ? 1 : json_array_size(values);
}

static void collect(prom_reader *r, const json_t *item)
{
    const json_t *labels = json_object_get(item, "metric"), *values = values_of(item);
    const char *name = text_of_label(labels, "__name__");
    ws_prom_about about;
    if (!*name)
        ws_notes_add(
            r->samples.notes, WS_FINDING_UNNAMED_SERIES, r->samples.source, "", 0,
            "a series without __name__ was left out: ask Prometheus for the metric itself, not for a sum or rate");
    if (!*name || !json_is_array(values) || !ws_prom_find(&r->samples.arena, name, text_of_label, labels, &about))
        return;
    r->series = ws_grow(r->series, &r->capacity, r->n + 1, sizeof *r->series);
    prom_series *s = &r->series[r->n];
    *s = (prom_series){.values = values, .about = about, .column = name, .place = r->n};
    if (!read_time(pair_of(values, 0), &s->first_ns))
        s->first_ns = INT64_MIN;
    r->n++;
}

static int compare_starts(const prom_series *a, const prom_series *b)
{
    int order = (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int compare_devices(const void *left, const void *right)
{
    const prom_series *a = left, *b = right;
    int order = strcmp(a->about.identity, b->about.identity);
    order = order ? order : strcmp(a->about.id, b->about.id);
    return order ? order : compare_starts(a, b);
}

static bool is_same_uuid(const prom_series *a, const prom_series *b)
{
    return strcmp(a->about.identity, "uuid") == 0 && strcmp(b->about.identity, "uuid") == 0 &&
           strcmp(a->about.id, b->about.id) == 0;
}

/* Exporters that are started again stand under another instance, and in pods under another host. */
static void settle_nodes(prom_reader *r)
{
    qsort(r->series, r->n, sizeof *r->series, compare_devices);
    for (size_t i = 1; i < r->n; i++) {
        prom_series *s = &r->series[i];
        const prom_series *before = s - 1;
        if (!is_same_uuid(before, s) || strcmp(before->about.node, s->about.node) == 0)
            continue;
        ws_notes_add(r->samples.notes, WS_FINDING_SEVERAL_NODES, r->samples.source, s->column, 0,
                     "'%s' has series under '%s' and '%s': a UUID is one GPU, so they are joined under the first",
                     s->about.id, before->about.node, s->about.node);
        s->about.node = before->about.node;
    }
}

static int compare_channels(const prom_series *a, const prom_series *b)
{
    int order = strcmp(a->about.node, b->about.node);
    order = order ? order : strcmp(a->about.id, b->about.id);
    return order ? order : strcmp(a->column, b->column);
}

static int compare_series(const void *left, const void *right)
{
    const prom_series *a = left, *b = right;
    int order = compare_channels(a, b);
    order = order ? order : strcmp(a->about.part, b->about.part);
    return order ? order : compare_starts(a, b);
}

static int compare_readings(const void *left, const void *right)
{
    const prom_reading *a = left, *b = right;
    if (a->t_ns != b->t_ns)
        return a->t_ns < b->t_ns ? -1 : 1;
    if (a->series != b->series)
        return a->series < b->series ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

/* `all`: the series of the channel. */
static double read_value(prom_reader *r, const prom_series *all, const prom_reading *at)
{
    const prom_series *s = &all[at->series];
    const json_t *pair = pair_of(s->values, at->pair);
    double written;
    ws_span text = ws_span_of(json_string_value(json_array_get(pair, 1)));
    if (s->about.family == WS_PROM_DCGM && ws_span_double(text, &written) &&
        ws_dcgm_is_blank(s->about.quantity, written))
        return NAN;
    return ws_samples_number(&r->samples, text, s->about.quantity, s->about.unit, s->column, 0);
}

/* The readings of a channel's n series, in the order of their stamps. */
static void prometheus_json_gather(prom_reader *r, const prom_series *s, size_t n)
{
    uint64_t bad = 0;
    r->n_readings = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0, pairs = count_of(s[i].values); k < pairs; k++) {
            prom_reading reading = {.series = i, .pair = k};
            if (!read_time(pair_of(s[i].values, k), &reading.t_ns)) {
                bad++;
                continue;
            }
            r->readings = ws_grow(r->readings, &r->reading_capacity, r->n_readings + 1, sizeof *r->readings);
            r->readings[r->n_readings++] = reading;
        }
    }
    if (r->n_readings)
        qsort(r->readings, r->n_readings, sizeof *r->readings, compare_readings);
    ws_notes_add_many(r->samples.notes, bad, WS_FINDING_BAD_STAMP, r->samples.source, s->column, 0,
                      "a reading without time in seconds since the epoch was left out");
}

static bool is_of_other_part(const prom_series *all, const prom_reading *a, const prom_reading *b)
{
    return strcmp(all[a->series].about.part, all[b->series].about.part) != 0;
}

static size_t count_parts(const prom_series *s, size_t n)
{
    size_t parts = 1;
    for (size_t i = 1; i < n; i++)
        parts += strcmp(s[i].about.part, s[i - 1].about.part) != 0;
    return parts;
}

/* Readings of one name at one time behind the first: those of the instances of a GPU are that of the card, and others
 * are of another device, which nothing tells apart. */
typedef struct repeated_readings {
    uint64_t n, n_other;
} repeated_readings;

/* The readings from..to-1 at one time as one: the first of each part, and all parts added up. */
static double read_moment(prom_reader *r, const prom_series *s, size_t parts, size_t from, size_t to,
                          repeated_readings *repeated)
{
    double sum = 0;
    size_t read = 0;
    for (size_t i = from, end; i < to; i = end) {
        double value = NAN;
        for (end = i; end < to && !is_of_other_part(s, &r->readings[i], &r->readings[end]); end++) {
            double now = read_value(r, s, &r->readings[end]);
            bool is_first = isnan(value);
            if (!is_first)
                repeated->n++;
            if (fabs(now - value) > 0)
                repeated->n_other++;
            value = is_first ? now : value;
        }
        sum += value;
        read++;
    }
    return read == parts ? sum : NAN;
}

static ws_status push_channel(prom_reader *r, const prom_series *s, size_t n, ws_error *error)
{
    ws_status status = WS_OK;
    repeated_readings repeated = {0};
    size_t parts = count_parts(s, n);
    ws_samples_key key = ws_prom_key(&r->samples, &s->about, s->column, WS_TIME_UTC);
    prometheus_json_gather(r, s, n);
    for (size_t i = 0, end; i < r->n_readings && status == WS_OK; i = end) {
        ws_samples_reading reading = {.t_ns = r->readings[i].t_ns};
        for (end = i; end < r->n_readings && r->readings[end].t_ns == reading.t_ns;)
            end++;
        reading.value = read_moment(r, s, parts, i, end, &repeated);
        status = ws_samples_push(&r->samples, &key, &reading, error);
    }
    if (s->about.quantity == WS_POWER)
        ws_samples_push_text(&r->samples, &key, "gpu.name", ws_span_of(s->about.model));
    if (ws_quantity_gives_energy(s->about.quantity) && 2 * repeated.n_other > repeated.n)
        ws_notes_add_many(r->samples.notes, repeated.n_other, WS_FINDING_SHARED_STAMPS, r->samples.source, s->column, 0,
                          "readings of '%s' at one time differ, and no label tells their devices apart: the first of "
                          "each time counts, and the energy lacks the others",
                          s->column);
    ws_notes_add_many(r->samples.notes, repeated.n, WS_FINDING_DUPLICATE_SERIES, r->samples.source, s->column, 0,
                      "'%s' has two series at the same time, as for the instances of a GPU: the first counts",
                      s->about.id);
    return status;
}

/* Two exporters may measure the same devices under other names. */
static void settle_families(prom_reader *r)
{
    ws_prom_sources sources = {.n = 0};
    for (size_t i = 0; i < r->n; i++)
        ws_prom_sources_add(&sources, &r->series[i].about);
    for (size_t i = 0; i < r->n; i++)
        ws_prom_leave_out(&sources, &r->series[i].about, r->series[i].column, &r->samples.arena, r->samples.source,
                          r->samples.notes);
    ws_prom_sources_free(&sources);
}

static ws_status push_all(prom_reader *r, ws_error *error)
{
    ws_status status = WS_OK;
    if (!r->n)
        return ws_fail_at(
            error, WS_DATA, r->samples.source, 0,
            "no series of an exporter that is known here (DCGM_FI_DEV_POWER_USAGE, node_rapl_package_joules_total, "
            "kepler_node_cpu_joules_total, scaph_socket_power_microwatts and others)");
    settle_families(r);
    settle_nodes(r);
    qsort(r->series, r->n, sizeof *r->series, compare_series);
    for (size_t i = 0, end; i < r->n && status == WS_OK; i = end) {
        for (end = i + 1; end < r->n && compare_channels(&r->series[i], &r->series[end]) == 0;)
            end++;
        status = push_channel(r, &r->series[i], end - i, error);
    }
    return status == WS_OK ? ws_samples_flush(&r->samples, error) : status;
}

static ws_status read_answer(prom_reader *r, const json_t *root, ws_error *error)
{
    const json_t *result = json_object_get(json_object_get(root, "data"), "result");
    const char *failure = json_string_value(json_object_get(root, "error"));
    if (!json_is_array(result))
        return ws_fail_at(error, WS_DATA, r->samples.source, 0,
                          failure ? "holds an error of Prometheus: %.200s" : "has no list data.result of Prometheus%s",
                          failure ? failure : "");
    for (size_t i = 0; i < json_array_size(result); i++)
        collect(r, json_array_get(result, i));
    return push_all(r, error);
}

ws_status ws_prom_read_answer(ws_input *input, const json_t *root, const ws_sink *sink, ws_notes *notes,
                              ws_error *error)
{
    prom_reader r = {.series = NULL};
    ws_samples_init(&r.samples, ws_input_path(input), sink, notes);
    ws_status status = read_answer(&r, root, error);
    free(r.series);
    free(r.readings);
    ws_samples_free(&r.samples);
    return status;
}

static ws_status read_prometheus(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    (void)options;
    json_t *root;
    ws_status status = ws_json_read(input, LARGEST_TEXT, 0, &root, error);
    if (status == WS_OK) {
        status = ws_prom_read_answer(input, root, sink, notes, error);
        json_decref(root);
    }
    return status;
}

/* Has the head a series with a name that is known here? */
static bool has_known_name(ws_span head)
{
    ws_span before, name;
    while (ws_span_cut(head, "\"__name__\"", &before, &head)) {
        ws_span rest = head;
        if (ws_span_split(&rest, '"', &before) && ws_span_split(&rest, '"', &name) && ws_prom_is_known(name))
            return true;
    }
    return false;
}

static int score_prometheus_json(const char *path, ws_span head)
{
    (void)path;
    head = ws_span_trim(head);
    return head.n && *head.p == '{' && ws_span_contains(head, "\"resultType\"") &&
                   ws_span_contains(head, "\"metric\"") && has_known_name(head)
               ? 96
               : 0;
}

const ws_format ws_format_prometheus_json = {
    .name = "prometheus-json",
    .title = "series of DCGM, RAPL, Kepler, Scaphandre and other exporters, as Prometheus answers a range query",
    .example =
        "{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": [{\"metric\": {\"__name__\":",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_prometheus_json,
    .read = read_prometheus,
};
