#include "formats/readers/perf_stat.h"

#include "core/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

/* The samples of one event at one place since the last push. */
typedef struct series {
    const char *event, *place;
    int id; /* of the sink, negative: not wanted */
    size_t n;
    int64_t t_ns[BLOCK], interval_ns[BLOCK], line[BLOCK];
    double value[BLOCK];
} series;

typedef struct total {
    const char *event, *place;
    int64_t line, elapsed_ns, start_ns;
    double value;
    int block; /* of the file's blocks of totals, from 1 */
    bool has_elapsed;
} total;

struct ws_perf {
    const char *source;
    int32_t zone;
    const ws_sink *sink;
    ws_notes *notes;
    ws_arena arena;
    int64_t start_ns; /* of perf, since the epoch, or 0 */
    ws_time_base base;
    int64_t stamp_ns;    /* of the last interval, since perf started */
    int64_t interval_ns; /* its length */
    series **series;
    size_t n_series, series_capacity, last; /* last: the series found last */
    total *totals;
    size_t n_totals, total_capacity, open_totals; /* the last `open_totals` still wait for their elapsed time */
    int block;
    const char **places; /* in the order of their appearance */
    size_t n_places, place_capacity;
};

/* energy-cores and energy-gpu lie inside energy-pkg; energy-psys holds it. */
static const struct {
    const char *part;
    ws_domain domain;
    const char *device;
} events[] = {
    {"energy-pkg", WS_CPU, "cpu"},     {"energy-ram", WS_DRAM, "dram"},  {"energy-core", WS_CPU_CORE, "cpu"},
    {"energy-gpu", WS_CPU_GFX, "cpu"}, {"energy-psys", WS_PSYS, "psys"}, {"", WS_OTHER, "other"},
};

static size_t find_event(ws_span event)
{
    size_t i = ws_span_contains(event, "energy-") ? 0 : sizeof events / sizeof *events - 1;
    while (*events[i].part && !ws_span_contains(event, events[i].part))
        i++;
    return i;
}

bool ws_perf_is_energy(ws_span event)
{
    return *events[find_event(event)].part != '\0';
}

static bool is_digits(ws_span span)
{
    for (size_t i = 0; i < span.n; i++)
        if (span.p[i] < '0' || span.p[i] > '9')
            return false;
    return span.n > 0;
}

/* perf writes the point of the seconds itself, in any locale; what went through a spreadsheet may have a comma. No
 * place and no number of processors has either. */
static bool read_seconds(ws_span field, int64_t *ns)
{
    char plain[40];
    if (!ws_span_contains(field, "."))
        field = ws_span_with_point(field, plain, sizeof plain);
    return ws_span_contains(field, ".") && ws_seconds_to_ns(field, ns);
}

size_t ws_perf_take_lead(const ws_span *fields, size_t n, ws_perf_count *count)
{
    size_t at = 0;
    if (at < n && read_seconds(fields[at], &count->t_ns)) {
        count->is_timed = true;
        at++;
    }
    if (at < n && fields[at].n && !is_digits(fields[at])) {
        count->place = fields[at++];
        /* -A writes no number of processors after "CPU18" */
        if (at < n && is_digits(fields[at]) && !ws_span_has_prefix(count->place, "CPU"))
            at++;
    }
    return at;
}

ws_perf *ws_perf_new(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes)
{
    ws_perf *perf = ws_alloc(sizeof *perf);
    perf->source = ws_input_path(input);
    perf->zone = options->zone;
    perf->sink = sink;
    perf->notes = notes;
    perf->base = WS_TIME_RELATIVE;
    perf->block = 1;
    return perf;
}

void ws_perf_free(ws_perf *perf)
{
    for (size_t i = 0; i < perf->n_series; i++)
        free(perf->series[i]);
    free(perf->series);
    free(perf->totals);
    free(perf->places);
    ws_arena_free(&perf->arena);
    free(perf);
}

bool ws_perf_started(ws_perf *perf, ws_span line, int64_t number)
{
    static const char words[] = "# started on ";
    ws_stamp stamp;
    line = ws_span_trim(line);
    if (!ws_span_has_prefix(line, words))
        return false;
    ws_span date = {line.p + sizeof words - 1, line.n - (sizeof words - 1)};
    perf->stamp_ns = 0;
    if (!ws_stamp_parse(WS_STAMP_CTIME, date, perf->zone, &stamp)) {
        ws_notes_add(perf->notes, WS_FINDING_BAD_TIME, perf->source, "", number, "the start '%.*s' is no date",
                     WS_SPAN_ARG(date));
    } else if (perf->n_series && perf->base == WS_TIME_RELATIVE) {
        ws_notes_add(perf->notes, WS_FINDING_LATE_START, perf->source, "", number,
                     "a date comes after samples without one and is not used");
    } else {
        perf->start_ns = stamp.ns;
        perf->base = stamp.base;
        if (stamp.base == WS_TIME_NAIVE)
            ws_notes_add(perf->notes, WS_FINDING_NAIVE_TIME, perf->source, "", number,
                         "stamps name no zone and are read as UTC");
    }
    return true;
}

static size_t find_place(ws_perf *perf, ws_span place)
{
    int64_t socket;
    if (place.n > 1 && *place.p == 'S' && ws_span_i64((ws_span){place.p + 1, place.n - 1}, &socket) && socket >= 0)
        return (size_t)socket;
    for (size_t i = 0; i < perf->n_places; i++)
        if (ws_span_eq(place, perf->places[i]))
            return i;
    perf->places = ws_grow(perf->places, &perf->place_capacity, perf->n_places + 1, sizeof *perf->places);
    perf->places[perf->n_places] = ws_arena_strndup(&perf->arena, place.p, place.n);
    return perf->n_places++;
}

static ws_status perf_stat_announce(ws_perf *perf, const char *run, const char *event, const char *place,
                                    ws_channel *channel, int *id, ws_error *error)
{
    size_t kind = find_event(ws_span_of(event));
    size_t number = *place ? find_place(perf, ws_span_of(place)) : 0;
    channel->run = run;
    channel->device = ws_arena_printf(&perf->arena, "%s%zu", events[kind].device, number);
    channel->device_id = place;
    channel->identity = *place ? "name" : "";
    channel->column = event;
    channel->domain = events[kind].domain;
    channel->quantity = WS_ENERGY_INTERVAL;
    return perf->sink->channel(perf->sink->state, channel, id, error);
}

/* Two packages in one line run the counter for twice the interval. */
static void note_added_sockets(ws_perf *perf, const ws_perf_count *count)
{
    if (count->place.n || count->run_ns <= 0 || perf->interval_ns <= 0)
        return;
    double packages = (double)count->run_ns / (double)perf->interval_ns;
    if (packages > 1.5)
        ws_notes_add(perf->notes, WS_FINDING_SOCKETS_ADDED, perf->source, "", count->line,
                     "the counter ran %.0f times as long as the interval: %.0f packages are added in one line "
                     "(perf stat --per-socket keeps them apart)",
                     packages, packages);
}

static ws_status find_series(ws_perf *perf, const ws_perf_count *count, series **found, ws_error *error)
{
    for (size_t i = 1; i <= perf->n_series; i++) { /* they take turns */
        size_t at = perf->last + i < perf->n_series ? perf->last + i : perf->last + i - perf->n_series;
        *found = perf->series[at];
        if (ws_span_eq(count->event, (*found)->event) && ws_span_eq(count->place, (*found)->place)) {
            perf->last = at;
            return WS_OK;
        }
    }
    series *s = ws_alloc(sizeof *s);
    s->event = ws_arena_strndup(&perf->arena, count->event.p, count->event.n);
    s->place = count->place.n ? ws_arena_strndup(&perf->arena, count->place.p, count->place.n) : "";
    perf->series = ws_grow(perf->series, &perf->series_capacity, perf->n_series + 1, sizeof *perf->series);
    perf->series[perf->n_series++] = *found = s;
    note_added_sockets(perf, count);
    ws_channel channel = {.rule = WS_RULE_INTERVAL, .time = perf->base};
    return perf_stat_announce(perf, "", s->event, s->place, &channel, &s->id, error);
}

static ws_status perf_stat_push(ws_perf *perf, series *s, ws_error *error)
{
    ws_block block = {.n = s->n, .t_ns = s->t_ns, .value = s->value, .interval_ns = s->interval_ns, .line = s->line};
    s->n = 0;
    return block.n ? perf->sink->block(perf->sink->state, s->id, &block, error) : WS_OK;
}

/* perf prints every event at the end of each interval, so its length comes from the stamp before, whatever its event.
 */
static void advance(ws_perf *perf, const ws_perf_count *count)
{
    if (count->t_ns == perf->stamp_ns)
        return;
    bool restarted = count->t_ns < perf->stamp_ns;
    if (restarted)
        ws_notes_add(perf->notes, WS_FINDING_TIME_STEPS_BACK, perf->source, "", count->line,
                     "the seconds step back: perf was started again and its intervals count from 0");
    perf->interval_ns = restarted ? count->t_ns : count->t_ns - perf->stamp_ns;
    perf->stamp_ns = count->t_ns;
}

static ws_status add_timed(ws_perf *perf, const ws_perf_count *count, double joules, ws_error *error)
{
    series *s;
    advance(perf, count);
    ws_status status = find_series(perf, count, &s, error);
    if (status != WS_OK || s->id < 0)
        return status;
    s->t_ns[s->n] = perf->start_ns + count->t_ns;
    s->interval_ns[s->n] = perf->interval_ns;
    s->line[s->n] = count->line;
    s->value[s->n] = joules;
    return ++s->n == BLOCK ? perf_stat_push(perf, s, error) : WS_OK;
}

static void close_totals(ws_perf *perf)
{
    if (perf->open_totals)
        perf->block++;
    perf->open_totals = 0;
}

static void add_total(ws_perf *perf, const ws_perf_count *count, double joules)
{
    /* the same event again is the next call of perf, appended to the same file */
    for (size_t i = perf->n_totals - perf->open_totals; i < perf->n_totals; i++)
        if (ws_span_eq(count->event, perf->totals[i].event) && ws_span_eq(count->place, perf->totals[i].place))
            close_totals(perf);
    perf->totals = ws_grow(perf->totals, &perf->total_capacity, perf->n_totals + 1, sizeof *perf->totals);
    perf->totals[perf->n_totals++] = (total){
        .event = ws_arena_strndup(&perf->arena, count->event.p, count->event.n),
        .place = count->place.n ? ws_arena_strndup(&perf->arena, count->place.p, count->place.n) : "",
        .line = count->line,
        .start_ns = perf->start_ns,
        .value = joules,
        .block = perf->block,
    };
    perf->open_totals++;
}

void ws_perf_elapsed(ws_perf *perf, int64_t elapsed_ns)
{
    for (size_t i = perf->n_totals - perf->open_totals; i < perf->n_totals; i++) {
        perf->totals[i].elapsed_ns = elapsed_ns;
        perf->totals[i].has_elapsed = true;
    }
    close_totals(perf);
}

/* "1,879.05": commas between groups of three, and a point, which tells them from decimal commas. */
static bool read_grouped(ws_span text, double *value)
{
    char plain[64];
    size_t n = 0, group = 0;
    const char *point = text.n ? memchr(text.p, '.', text.n) : NULL;
    if (!point || text.n >= sizeof plain)
        return false;
    for (const char *c = text.p; c < text.p + text.n; c++) {
        if (*c == ',' && (c > point || (point - c) % 4 != 0 || !n))
            return false;
        group = *c == ',' ? 0 : group + 1;
        if (*c != ',')
            plain[n++] = *c;
        if (c < point && group > 3 && memchr(text.p, ',', text.n))
            return false;
    }
    return ws_span_double((ws_span){plain, n}, value);
}

/* "50,25". */
static bool read_comma(const ws_perf_count *count, ws_span text, double *value)
{
    ws_span whole, part;
    int64_t digits;
    char plain[64];
    return count->may_have_comma && ws_span_cut(text, ",", &whole, &part) && ws_span_i64(part, &digits) &&
           ws_span_double(ws_span_with_point(text, plain, sizeof plain), value);
}

static ws_status read_joules(ws_perf *perf, const ws_perf_count *count, double *joules, ws_error *error)
{
    ws_span text = ws_span_trim(count->value);
    *joules = NAN;
    if (ws_span_double(text, joules) || read_grouped(text, joules))
        return WS_OK;
    if (read_comma(count, text, joules)) {
        ws_notes_add(perf->notes, WS_FINDING_DECIMAL_COMMA, perf->source, "", count->line,
                     "'%.*s' is read as a number with a decimal comma", WS_SPAN_ARG(text));
        return WS_OK;
    }
    if (ws_span_contains(text, ","))
        return ws_fail_at(error, WS_FORMAT, perf->source, count->line,
                          "energy '%.*s' has a decimal comma: run perf again with LC_ALL=C", WS_SPAN_ARG(text));
    char *subject = ws_arena_strndup(&perf->arena, count->event.p, count->event.n);
    if (ws_span_has_prefix(text, "<"))
        ws_notes_add(perf->notes, WS_FINDING_NOT_COUNTED, perf->source, subject, count->line,
                     "perf wrote '%.*s' for the energy", WS_SPAN_ARG(text));
    else
        ws_notes_add(perf->notes, WS_FINDING_UNREADABLE_CELL, perf->source, subject, count->line,
                     "energy '%.*s' is not a number", WS_SPAN_ARG(text));
    return WS_OK;
}

ws_status ws_perf_add(ws_perf *perf, const ws_perf_count *count, ws_error *error)
{
    double joules;
    ws_status status = read_joules(perf, count, &joules, error);
    if (status != WS_OK)
        return status;
    if (count->is_timed)
        return add_timed(perf, count, joules, error);
    add_total(perf, count, joules);
    return WS_OK;
}

static ws_status push_total(ws_perf *perf, const total *t, ws_error *error)
{
    int id;
    const char *run = perf->totals[perf->n_totals - 1].block > 1 ? ws_arena_printf(&perf->arena, "%d", t->block) : "";
    ws_channel channel = {.rule = WS_RULE_GIVEN, .time = t->has_elapsed ? perf->base : WS_TIME_NONE};
    ws_status status = perf_stat_announce(perf, run, t->event, t->place, &channel, &id, error);
    if (status != WS_OK || id < 0)
        return status;
    int64_t t_ns = t->start_ns + t->elapsed_ns;
    ws_block block = {.n = 1, .value = &t->value, .line = &t->line};
    if (t->has_elapsed)
        block.t_ns = &t_ns, block.interval_ns = &t->elapsed_ns;
    return perf->sink->block(perf->sink->state, id, &block, error);
}

ws_status ws_perf_finish(ws_perf *perf, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < perf->n_series && status == WS_OK; i++)
        status = perf->series[i]->id < 0 ? WS_OK : perf_stat_push(perf, perf->series[i], error);
    for (size_t i = 0; i < perf->n_totals && status == WS_OK; i++)
        status = push_total(perf, &perf->totals[i], error);
    if (status == WS_OK && perf->n_series + perf->n_totals == 0)
        return ws_fail_at(error, WS_DATA, perf->source, 0, "no energy events: measure with -e power/energy-pkg/");
    return status;
}
