#include "formats/readers/perf_stat.h"

#include "core/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ws_perf_total {
    const char *event, *place;
    int64_t line, elapsed_ns, start_ns;
    double value;
    int block; /* of the file's blocks of totals, from 1 */
    bool has_elapsed;
} total;

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
    bool may_be = event.n && memchr(event.p, '-', event.n) && ws_span_contains(event, "energy-");
    size_t i = may_be ? 0 : sizeof events / sizeof *events - 1;
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
    if (field.n && !memchr(field.p, '.', field.n))
        field = ws_span_with_point(field, plain, sizeof plain);
    return field.n && memchr(field.p, '.', field.n) && ws_seconds_to_ns(field, ns);
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

static void note(ws_row_trace *t, ws_finding finding, const char *text)
{
    ws_notes_add(t->samples.notes, finding, t->samples.source, "", t->line, "%s", text);
}

bool ws_perf_started(ws_row_trace *t, ws_span line)
{
    static const char words[] = "# started on ";
    ws_perf *perf = t->state;
    ws_stamp stamp;
    if (!line.n || (*line.p != '#' && *line.p > ' '))
        return false;
    line = ws_span_trim(line);
    if (!ws_span_has_prefix(line, words))
        return false;
    ws_span date = {line.p + sizeof words - 1, line.n - (sizeof words - 1)};
    perf->stamp_ns = 0;
    if (!ws_stamp_parse(WS_STAMP_CTIME, date, t->options->zone, &stamp)) {
        ws_notes_add(t->samples.notes, WS_FINDING_BAD_TIME, t->samples.source, "", t->line,
                     "the start '%.*s' is no date", WS_SPAN_ARG(date));
    } else if (perf->series.n && perf->base == WS_TIME_RELATIVE) {
        note(t, WS_FINDING_LATE_START, "a date comes after samples without one and is not used");
    } else {
        perf->start_ns = stamp.ns;
        perf->base = stamp.base;
        if (stamp.base == WS_TIME_NAIVE)
            note(t, WS_FINDING_NAIVE_TIME, "stamps name no zone and are read as UTC");
    }
    return true;
}

static size_t find_place(ws_row_trace *t, ws_span place)
{
    ws_perf *perf = t->state;
    int64_t socket;
    if (place.n > 1 && *place.p == 'S' && ws_span_i64((ws_span){place.p + 1, place.n - 1}, &socket) && socket >= 0)
        return (size_t)socket;
    for (size_t i = 0; i < perf->n_places; i++)
        if (ws_span_eq(place, perf->places[i]))
            return i;
    perf->places = ws_grow(perf->places, &perf->place_capacity, perf->n_places + 1, sizeof *perf->places);
    perf->places[perf->n_places] = ws_arena_strndup(&t->samples.arena, place.p, place.n);
    return perf->n_places++;
}

static ws_samples_key key_of(ws_row_trace *t, ws_span event, ws_span place)
{
    size_t kind = find_event(event), number = place.n ? find_place(t, place) : 0;
    return (ws_samples_key){.id = place,
                            .identity = place.n ? "name" : "",
                            .number = -1,
                            .device = ws_arena_printf(&t->samples.arena, "%s%zu", events[kind].device, number),
                            .domain = events[kind].domain,
                            .quantity = WS_ENERGY_INTERVAL,
                            .column = ws_arena_strndup(&t->samples.arena, event.p, event.n),
                            .rule = WS_RULE_INTERVAL,
                            .has_intervals = true};
}

/* Two packages in one line run the counter for twice the interval. */
static void note_added_sockets(ws_row_trace *t, const ws_perf_count *count)
{
    const ws_perf *perf = t->state;
    if (count->place.n || count->run_ns <= 0 || perf->interval_ns <= 0)
        return;
    double packages = (double)count->run_ns / (double)perf->interval_ns;
    if (packages > 1.5)
        ws_notes_add(t->samples.notes, WS_FINDING_SOCKETS_ADDED, t->samples.source, "", t->line,
                     "the counter ran %.0f times as long as the interval: %.0f packages are added in one line "
                     "(perf stat --per-socket keeps them apart)",
                     packages, packages);
}

/* perf prints every event at the end of each interval, so its length comes from the stamp before, whatever its event.
 */
static void advance(ws_row_trace *t, const ws_perf_count *count)
{
    ws_perf *perf = t->state;
    if (count->t_ns == perf->stamp_ns)
        return;
    bool restarted = count->t_ns < perf->stamp_ns;
    if (restarted)
        note(t, WS_FINDING_TIME_STEPS_BACK,
             "the seconds step back: perf was started again and its intervals count from 0");
    perf->interval_ns = restarted ? count->t_ns : count->t_ns - perf->stamp_ns;
    perf->stamp_ns = count->t_ns;
}

/* Event and place, which are neighbours neither in the line nor in any order. */
static ws_span name_of(const ws_perf_count *count, char *buffer, size_t size)
{
    size_t n = count->event.n + 1 + count->place.n;
    if (!count->place.n || n > size)
        return count->event;
    memcpy(buffer, count->event.p, count->event.n);
    buffer[count->event.n] = ' ';
    memcpy(buffer + count->event.n + 1, count->place.p, count->place.n);
    return (ws_span){buffer, n};
}

static ws_status add_timed(ws_row_trace *t, const ws_perf_count *count, double joules, ws_error *error)
{
    char buffer[128];
    ws_perf *perf = t->state;
    ws_status status = WS_OK;
    ws_span name = name_of(count, buffer, sizeof buffer);
    advance(t, count);
    size_t at = ws_samples_turn(&perf->series, name);
    ws_samples_reading reading = {
        .t_ns = perf->start_ns + count->t_ns, .interval_ns = perf->interval_ns, .line = t->line, .value = joules};
    if (at == WS_NO_TURN) {
        note_added_sockets(t, count);
        ws_samples_key key = key_of(t, count->event, count->place);
        key.time = perf->base;
        at = perf->series.n;
        status = ws_samples_add_turn(&t->samples, &perf->series, name, &key, &reading, error);
    }
    return status == WS_OK ? ws_samples_add(&t->samples, perf->series.items[at].series, &reading, error) : status;
}

static void close_totals(ws_perf *perf)
{
    if (perf->open_totals)
        perf->block++;
    perf->open_totals = 0;
}

static void add_total(ws_row_trace *t, const ws_perf_count *count, double joules)
{
    ws_perf *perf = t->state;
    ws_arena *arena = &t->samples.arena;
    /* the same event again is the next call of perf, appended to the same file */
    for (size_t i = perf->n_totals - perf->open_totals; i < perf->n_totals; i++)
        if (ws_span_eq(count->event, perf->totals[i].event) && ws_span_eq(count->place, perf->totals[i].place))
            close_totals(perf);
    perf->totals = ws_grow(perf->totals, &perf->total_capacity, perf->n_totals + 1, sizeof *perf->totals);
    perf->totals[perf->n_totals++] = (total){
        .event = ws_arena_strndup(arena, count->event.p, count->event.n),
        .place = count->place.n ? ws_arena_strndup(arena, count->place.p, count->place.n) : "",
        .line = t->line,
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

static ws_status read_joules(ws_row_trace *t, const ws_perf_count *count, double *joules, ws_error *error)
{
    ws_notes *notes = t->samples.notes;
    const char *source = t->samples.source;
    ws_span text = count->value;
    size_t n = text.n ? ws_span_decimal(text, joules) : 0;
    if (n && n == text.n)
        return WS_OK;
    text = ws_span_trim(text);
    *joules = NAN;
    if (ws_span_double(text, joules) || read_grouped(text, joules))
        return WS_OK;
    if (read_comma(count, text, joules)) {
        ws_notes_add(notes, WS_FINDING_DECIMAL_COMMA, source, "", t->line,
                     "'%.*s' is read as a number with a decimal comma", WS_SPAN_ARG(text));
        return WS_OK;
    }
    if (ws_span_contains(text, ","))
        return ws_fail_at(error, WS_FORMAT, source, t->line,
                          "energy '%.*s' has a decimal comma: run perf again with LC_ALL=C (of its text form, \"sed -E "
                          "'s/([0-9])[ .]([0-9]{3})/\\1\\2/g; s/([0-9]),([0-9])/\\1.\\2/' FILE\" makes points of them)",
                          WS_SPAN_ARG(text));
    char *subject = ws_arena_strndup(&t->samples.arena, count->event.p, count->event.n);
    if (ws_span_has_prefix(text, "<"))
        ws_notes_add(notes, WS_FINDING_NOT_COUNTED, source, subject, t->line, "perf wrote '%.*s' for the energy",
                     WS_SPAN_ARG(text));
    else
        ws_notes_add(notes, WS_FINDING_UNREADABLE_CELL, source, subject, t->line, "energy '%.*s' is not a number",
                     WS_SPAN_ARG(text));
    return WS_OK;
}

static ws_status push_total(ws_row_trace *t, const total *given, ws_error *error)
{
    const ws_perf *perf = t->state;
    size_t series;
    ws_samples_key key = key_of(t, ws_span_of(given->event), ws_span_of(given->place));
    key.run =
        perf->totals[perf->n_totals - 1].block > 1 ? ws_arena_printf(&t->samples.arena, "%d", given->block) : NULL;
    key.rule = WS_RULE_GIVEN;
    key.time = given->has_elapsed ? perf->base : WS_TIME_NONE;
    key.has_intervals = given->has_elapsed;
    ws_samples_reading reading = {.t_ns = given->start_ns + given->elapsed_ns,
                                  .interval_ns = given->elapsed_ns,
                                  .line = given->line,
                                  .value = given->value};
    ws_status status = ws_samples_begin(&t->samples, &key, reading.interval_ns, reading.line, &series, error);
    return status == WS_OK ? ws_samples_add(&t->samples, series, &reading, error) : status;
}

static ws_status push_totals(ws_row_trace *t, ws_error *error)
{
    ws_perf *perf = t->state;
    ws_status status = WS_OK;
    for (size_t i = 0; i < perf->n_totals && status == WS_OK; i++)
        status = push_total(t, &perf->totals[i], error);
    perf->n_totals = perf->open_totals = 0;
    return status;
}

/* What stands above a value that stops reading counts. */
ws_status ws_perf_add(ws_row_trace *t, const ws_perf_count *count, ws_error *error)
{
    double joules;
    ws_status status = read_joules(t, count, &joules, error);
    if (status != WS_OK)
        push_totals(t, NULL);
    else if (count->is_timed)
        status = add_timed(t, count, joules, error);
    else
        add_total(t, count, joules);
    return status;
}

ws_status ws_perf_read(ws_perf *perf, void *state, ws_row_trace_taker *take, ws_input *input,
                       const ws_read_options *options, const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    ws_row_trace_kind kind = {.delimiter = WS_LINES,
                              .take = take,
                              .end = push_totals,
                              .notes_time = true,
                              .holds_rows_alone = true,
                              .what = "no energy events: measure with -e power/energy-pkg/"};
    perf->base = WS_TIME_RELATIVE;
    perf->block = 1;
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, state, error);
    free(perf->series.items);
    free(perf->totals);
    free(perf->places);
    return status;
}
