/* JSON export of Scaphandre, an array of reports:
 *
 *   [{"host": {"consumption": 45000000.0, "timestamp": 1770796800.25}, "consumers": [...],
 *     "sockets": [{"id": 0, "consumption": 40000000.0, "timestamp": 1770796800.25,
 *                  "domains": [{"name": "dram", "consumption": 3000000.0, "timestamp": 1770796800.25}]}]}]
 *
 * Microwatts, epoch seconds. The host holds the sockets, and core and uncore lie inside a socket; the powers of
 * processes are shares of the host's and are passed over. What an earlier report had and a later one lacks is missing
 * there. */
#include "formats/table/samples.h"
#include "formats/format.h"
#include "formats/table/json_items.h"
#include "formats/table/dictionary.h"

#include "core/arena.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Something that was read, and the report that had it last. */
typedef struct scaphandre_source {
    char id[96];
    ws_domain domain;
    int64_t number, report;
} scaphandre_source;

typedef struct scaphandre {
    ws_samples samples;
    int64_t report; /* 1-based, in place of a line */
    bool has_stamp; /* some reading of the report has */
    int64_t t_ns;
    scaphandre_source *sources;
    size_t n, capacity;
} scaphandre;

static bool read_stamp(const json_t *object, int64_t *ns)
{
    double stamp_s = json_number_value(json_object_get(object, "timestamp")), whole = floor(stamp_s);
    if (!(stamp_s > 0 && stamp_s < 7e9))
        return false;
    *ns = (int64_t)whole * 1000000000 + llround((stamp_s - whole) * 1e9);
    return true;
}

static ws_status push_reading(scaphandre *s, ws_domain domain, const char *id, int64_t number, double power_w,
                              ws_error *error)
{
    ws_samples_reading reading = {.t_ns = s->t_ns, .value = power_w, .line = s->report};
    ws_samples_key key = {.id = ws_span_of(id),
                          .identity = "name",
                          .number = number,
                          .domain = domain,
                          .quantity = WS_POWER,
                          .column = "consumption",
                          .time = WS_TIME_UTC};
    return ws_samples_push(&s->samples, &key, &reading, error);
}

static void see(scaphandre *s, ws_domain domain, const char *id, int64_t number)
{
    size_t i = 0;
    while (i < s->n && (s->sources[i].domain != domain || strcmp(s->sources[i].id, id) != 0))
        i++;
    if (i == s->n) {
        s->sources = ws_grow(s->sources, &s->capacity, ++s->n, sizeof *s->sources);
        s->sources[i] = (scaphandre_source){.domain = domain, .number = number};
        snprintf(s->sources[i].id, sizeof s->sources[i].id, "%s", id);
    }
    s->sources[i].report = s->report;
}

static ws_status scaphandre_json_push(scaphandre *s, const json_t *object, ws_domain domain, const char *id,
                                      int64_t number, ws_error *error)
{
    const json_t *power = json_object_get(object, "consumption");
    if (!power)
        return WS_OK;
    if (!read_stamp(object, &s->t_ns)) {
        ws_notes_add(s->samples.notes, WS_FINDING_BAD_STAMP, s->samples.source, id, 0,
                     "report %d has a reading without a stamp", (int)s->report);
        return WS_OK;
    }
    s->has_stamp = true;
    see(s, domain, id, number);
    return push_reading(s, domain, id, number, json_is_number(power) ? json_number_value(power) / 1e6 : NAN, error);
}

/* At the time of the report's other readings. */
static ws_status push_missing(scaphandre *s, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < s->n && s->has_stamp && status == WS_OK; i++) {
        const scaphandre_source *source = &s->sources[i];
        if (source->report != s->report)
            status = push_reading(s, source->domain, source->id, source->number, NAN, error);
    }
    return status;
}

static ws_status take_domains(scaphandre *s, const json_t *socket, int64_t number, ws_error *error)
{
    size_t i;
    json_t *domain;
    ws_status status = WS_OK;
    json_array_foreach(json_object_get(socket, "domains"), i, domain)
    {
        const char *name = json_string_value(json_object_get(domain, "name"));
        ws_rapl_zone zone;
        char id[96];
        if (!name || !ws_rapl_zone_find(ws_span_of(name), &zone))
            continue;
        snprintf(id, sizeof id, "socket %d %.60s", (int)number, name);
        status = scaphandre_json_push(s, domain, zone.domain, id, number, error);
        if (status != WS_OK)
            break;
    }
    return status;
}

static ws_status take_report(scaphandre *s, const json_t *report, ws_error *error)
{
    size_t i;
    json_t *socket;
    ws_status status = scaphandre_json_push(s, json_object_get(report, "host"), WS_PSYS, "host", 0, error);
    json_array_foreach(json_object_get(report, "sockets"), i, socket)
    {
        const json_t *given = json_object_get(socket, "id");
        int64_t number = json_is_integer(given) ? (int64_t)json_integer_value(given) : (int64_t)i;
        char id[48];
        snprintf(id, sizeof id, "socket %d", (int)number);
        if (status == WS_OK)
            status = scaphandre_json_push(s, socket, WS_CPU, id, number, error);
        if (status == WS_OK)
            status = take_domains(s, socket, number, error);
    }
    return status;
}

static ws_status take_reports(scaphandre *s, ws_json_items *items, ws_error *error)
{
    json_t *report;
    ws_status status;
    while ((status = ws_json_items_next(items, &report, error)) == WS_OK && report) {
        s->report++;
        s->has_stamp = false;
        status = take_report(s, report, error);
        json_decref(report);
        if (status == WS_OK)
            status = push_missing(s, error);
        if (status != WS_OK)
            return status;
    }
    if (status != WS_OK || !items->is_cut)
        return status;
    if (!s->report)
        return ws_fail_at(error, WS_FORMAT, s->samples.source, items->item_line, "is cut inside its first report");
    ws_notes_add(s->samples.notes, WS_FINDING_TRUNCATED_DOCUMENT, s->samples.source, "", items->item_line,
                 "the file is cut: the %d reports before are read", (int)s->report);
    return WS_OK;
}

static ws_status read_scaphandre(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    (void)options;
    scaphandre s = {.report = 0};
    ws_json_items items;
    ws_json_items_init(&items, input);
    ws_samples_init(&s.samples, ws_input_path(input), sink, notes);
    ws_status status = take_reports(&s, &items, error), flushed = ws_samples_flush(&s.samples, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !s.samples.n)
        status = ws_fail_at(error, WS_DATA, s.samples.source, 0, "no report with a host or sockets");
    ws_samples_free(&s.samples);
    free(s.sources);
    ws_json_items_free(&items);
    return status;
}

static int score_scaphandre_json(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, "\"host\"") && ws_span_contains(head, "\"consumption\"") &&
                   ws_span_contains(head, "\"timestamp\"")
               ? 94
               : 0;
}

const ws_format ws_format_scaphandre_json = {
    .name = "scaphandre-json",
    .title = "JSON export of Scaphandre: power of host and sockets",
    .example = "[{\"host\": {\"consumption\": 45000000.0, \"timestamp\": 1770796800.25}, \"consumers\": [], "
               "\"sockets\": [...]}]",
    .tier = 3,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_scaphandre_json,
    .holds = "{",
    .read = read_scaphandre,
};
