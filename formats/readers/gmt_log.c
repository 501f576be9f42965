/* RAPL logs of the Green Metrics Tool:
 *
 *   1759592247529773 397277 Package_0
 *   1759592247629050 378051 Package_0
 *
 * Microseconds since the epoch, microjoules of the interval that ends there, domain. The length of the first interval
 * is not known: its energy counts, and the span begins at the first stamp. */
#include "core/arena.h"
#include "formats/format.h"
#include "formats/table/lane.h"
#include "formats/input/lines.h"
#include "formats/table/rapl_zone.h"

#include <math.h>
#include <stdlib.h>

typedef struct domain_rows {
    const char *name;
    ws_lane lane;
} domain_rows;

typedef struct reader {
    const char *source;
    const ws_sink *sink;
    domain_rows *domains;
    size_t n, capacity, last; /* last: the domain found last */
    ws_arena arena;
} reader;

typedef struct gmt_reading {
    int64_t t_ns;
    double energy_uj; /* NaN: missing */
    bool is_odd;      /* for it is no number */
    ws_span name, energy;
} gmt_reading;

/* The year 2191, far from where nanoseconds end. */
static const int64_t LAST_US = INT64_C(7000000000000000);

static bool parse_line(ws_span line, gmt_reading *r)
{
    ws_span rest = ws_span_trim(line), stamp, more;
    int64_t stamp_us;
    if (!ws_span_word(&rest, &stamp) || !ws_span_word(&rest, &r->energy) || !ws_span_word(&rest, &r->name) ||
        ws_span_word(&rest, &more))
        return false;
    if (!ws_span_i64(stamp, &stamp_us) || stamp.n < 15 || stamp.n > 16 || stamp_us < 0 || stamp_us > LAST_US)
        return false;
    bool is_number = ws_span_double(r->energy, &r->energy_uj);
    r->energy_uj = is_number ? r->energy_uj : NAN;
    r->is_odd = !is_number && !ws_span_is_missing(r->energy);
    r->t_ns = stamp_us * 1000;
    return true;
}

/* Domains take turns, so that the one behind the last is likely to come next. NULL: not seen before. */
static domain_rows *find_domain(reader *r, ws_span name)
{
    for (size_t i = 1; i <= r->n; i++) {
        size_t at = r->last + i < r->n ? r->last + i : r->last + i - r->n;
        if (ws_span_eq(name, r->domains[at].name))
            return &r->domains[r->last = at];
    }
    return NULL;
}

static ws_status add_domain(reader *r, ws_span name, const ws_rapl_zone *zone, domain_rows **found, ws_error *error)
{
    r->domains = ws_grow(r->domains, &r->capacity, r->n + 1, sizeof *r->domains);
    domain_rows *added = *found = &r->domains[r->n++];
    added->name = ws_arena_strndup(&r->arena, name.p, name.n);
    ws_lane_init(&added->lane, r->n - 1, r->sink, 1, true, false);
    ws_channel channel = {.device = ws_rapl_device(&r->arena, zone),
                          .device_id = added->name,
                          .identity = "name",
                          .column = "#2",
                          .domain = zone->domain,
                          .quantity = WS_ENERGY_INTERVAL,
                          .rule = WS_RULE_INTERVAL,
                          .time = WS_TIME_UTC};
    return r->sink->channel(r->sink->state, &channel, &added->lane.id[0], error);
}

static ws_status gmt_log_take_line(reader *r, const ws_lines *lines, ws_span line, ws_notes *notes, ws_error *error)
{
    gmt_reading reading;
    ws_rapl_zone zone;
    bool is_reading = parse_line(line, &reading);
    domain_rows *domain = is_reading ? find_domain(r, reading.name) : NULL;
    /* a last line without its end is whole when its last word is */
    if (!is_reading || (!domain && (lines->unfinished || !ws_rapl_zone_find(reading.name, &zone)))) {
        ws_notes_add(notes, lines->unfinished ? WS_FINDING_TRUNCATED_LINE : WS_FINDING_SKIPPED_LINE, r->source, "",
                     lines->number, "'%.*s' is not stamp, energy and domain: left out", line.n > 80 ? 80 : (int)line.n,
                     line.p);
        return WS_OK;
    }
    if (reading.is_odd)
        ws_notes_add(notes, WS_FINDING_UNREADABLE_CELL, r->source, "", lines->number,
                     "'%.*s' is no number of microjoules: counted as missing",
                     reading.energy.n > 80 ? 80 : (int)reading.energy.n, reading.energy.p);
    ws_status status = domain ? WS_OK : add_domain(r, reading.name, &zone, &domain, error);
    double energy_j = reading.energy_uj / 1e6;
    return status == WS_OK ? ws_lane_add(&domain->lane, reading.t_ns, 0, lines->number, &energy_j, error) : status;
}

static ws_status gmt_log_take_lines(reader *r, ws_lines *lines, ws_notes *notes, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(lines, &line, error)) == WS_OK && line.p)
        if (ws_span_trim(line).n && (status = gmt_log_take_line(r, lines, line, notes, error)) != WS_OK)
            break;
    return status;
}

static ws_status read_gmt(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                          ws_error *error)
{
    (void)options;
    ws_lines lines;
    reader r = {.source = ws_input_path(input), .sink = sink};
    ws_lines_init(&lines, input);
    ws_status status = gmt_log_take_lines(&r, &lines, notes, error);
    for (size_t i = 0; i < r.n; i++) {
        ws_status flushed = ws_lane_flush(&r.domains[i].lane, error);
        status = status == WS_OK ? flushed : status;
        ws_lane_free(&r.domains[i].lane);
    }
    if (status == WS_OK && !r.n)
        status = ws_fail_at(error, WS_DATA, r.source, 0, "no line of stamp, energy and domain");
    ws_lines_free(&lines);
    free(r.domains);
    ws_arena_free(&r.arena);
    return status;
}

static int score_gmt_log(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 3 };
    ws_span line;
    gmt_reading reading;
    ws_rapl_zone zone;
    int good = 0, in_turn = 0;
    for (int i = 0; (i < LINES || !good) && ws_span_split(&head, '\n', &line); i++) {
        bool is_good = parse_line(line, &reading) && ws_rapl_zone_find(reading.name, &zone);
        in_turn = is_good ? in_turn + 1 : 0;
        if (i < LINES)
            good += is_good;
        else if (in_turn == LINES)
            return WS_SCORE_BEHIND;
    }
    return good ? 70 + 7 * good : 0;
}

const ws_format ws_format_gmt_log = {
    .name = "gmt-log",
    .title = "RAPL log of the Green Metrics Tool: microseconds, microjoules, domain",
    .example = "1759592247529773 397277 Package_0",
    .tier = 1,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_gmt_log,
    .read = read_gmt,
};
