/* Energies of `perf stat -x`, with and without -I:
 *
 *   # started on Sun Aug 24 12:00:00 2026
 *        1.001048308,19.63,Joules,power/energy-pkg/,2002406532,100.00,,
 *        1.001048308,S0,1,19.63,Joules,power/energy-pkg/,1001406532,100.00,,
 *   475.42,Joules,power/energy-pkg/,20005659301,100.00,,
 *
 * or, of `perf stat -j`, the same by name:
 *
 *   {"interval" : 1.001048308, "counter-value" : "19.63", "unit" : "Joules", "event" : "power/energy-pkg/", ...}
 *
 * [seconds since the start,] [place, [processors,]] energy, unit, event, run time of the counter, percent. With -I the
 * energy is of the interval that ends at the seconds; without, it is a total. The separator is what follows the
 * unit: cells are not quoted. Where it is no comma, "19,63" of a locale is a number. */
#include "formats/readers/perf_stat.h"

#include <string.h>

enum { MOST_FIELDS = 16 };

/* Fields of the line up to the event and its run time: those behind them do not matter. */
typedef struct fields {
    size_t n, event; /* 0: no energy in this line */
    ws_span field[MOST_FIELDS];
} fields;

/* The sign behind "Joules" or "<not counted>"; 0 when the line has neither, or is of the text form. */
static char find_separator(ws_span line)
{
    ws_span before, after;
    bool found = ws_span_cut(line, "Joules", &before, &after) ||
                 (ws_span_cut(line, "<not ", &before, &after) && ws_span_cut(after, ">", &before, &after));
    return found && after.n && *after.p != ' ' && *after.p != '\t' ? *after.p : '\0';
}

static ws_span field_of(const char *from, const char *to)
{
    ws_span field = {from, (size_t)(to - from)};
    return field.n && (*from <= ' ' || to[-1] <= ' ') ? ws_span_trim(field) : field;
}

static bool is_unit(ws_span field)
{
    return field.n == sizeof "Joules" - 1 && ws_same_bytes(field.p, "Joules", field.n);
}

/* "mJoules", which nothing says how to read. An event that was not counted may have no unit. */
static bool is_other_unit(ws_span field)
{
    return field.n > sizeof "Joules" - 1 && ws_span_has_suffix(field, "Joules");
}

static fields split(ws_span line, char separator)
{
    fields f;
    const char *end = line.p + line.n, *from = line.p;
    f.n = f.event = 0;
    for (; from <= end && f.n < MOST_FIELDS && (!f.event || f.n < f.event + 2); f.n++) {
        const char *p = from;
        while (p < end && *p != separator)
            p++;
        f.field[f.n] = field_of(from, p);
        bool may_be_event = !f.event && f.n >= 2 && !is_unit(f.field[f.n]);
        if (may_be_event && (is_unit(f.field[f.n - 1]) || ws_perf_is_energy(f.field[f.n])))
            f.event = f.n;
        from = p + 1;
    }
    return f;
}

/* The text or number behind a key of a line of JSON, in which perf quotes nothing. Empty when it is not there. */
static ws_span value_of(ws_span line, const char *key)
{
    ws_span before, value, rest;
    if (!ws_span_cut(line, key, &before, &rest) || !ws_span_cut(rest, ":", &before, &rest))
        return (ws_span){"", 0};
    rest = ws_span_trim(rest);
    bool is_text = ws_span_has_prefix(rest, "\"");
    if (is_text)
        rest = (ws_span){rest.p + 1, rest.n - 1};
    size_t n = 0;
    while (n < rest.n && !strchr(is_text ? "\"" : ",} ", rest.p[n]))
        n++;
    value = (ws_span){rest.p, n};
    return n < rest.n ? value : (ws_span){"", 0};
}

static bool read_json(ws_span line, ws_perf_count *count)
{
    static const char *const places[] = {"\"node\"", "\"socket\"", "\"die\"", "\"core\"", "\"cpu\""};
    *count = (ws_perf_count){.event = value_of(line, "\"event\""), .value = value_of(line, "\"counter-value\"")};
    for (size_t i = 0; i < sizeof places / sizeof *places && !count->place.n; i++)
        count->place = value_of(line, places[i]);
    count->is_timed = ws_seconds_to_ns(value_of(line, "\"interval\""), &count->t_ns);
    if (!ws_span_i64(value_of(line, "\"event-runtime\""), &count->run_ns))
        count->run_ns = 0;
    return ws_span_has_suffix(ws_span_trim(line), "}") && count->value.n && ws_perf_is_energy(count->event) &&
           !is_other_unit(value_of(line, "\"unit\""));
}

typedef struct perf_csv {
    ws_perf perf;
    char separator; /* of the line before; 0: none yet */
} perf_csv;

/* The unit stands right before the separator of the line before. */
static bool is_as_before(const fields *f, char separator)
{
    ws_span unit = f->event ? f->field[f->event - 1] : (ws_span){"", 0};
    return f->event >= 2 && is_unit(unit) && unit.p[unit.n] == separator;
}

static fields split_line(ws_span line, char *separator)
{
    fields f;
    f.n = f.event = 0;
    if (*separator)
        f = split(line, *separator);
    if (is_as_before(&f, *separator))
        return f;
    char found = find_separator(line);
    f.n = f.event = 0;
    if (!found)
        return f;
    *separator = found;
    return split(line, found);
}

/* 0 for none. */
static int64_t run_time(ws_span field)
{
    enum { ALWAYS_FITS = 18 };
    uint64_t plain = 0;
    int64_t ns = 0;
    const char *end = field.p + field.n;
    if (field.n && field.n <= ALWAYS_FITS && ws_skip_digits(field.p, end, &plain) == end)
        return (int64_t)plain;
    return ws_span_i64(field, &ns) ? ns : 0;
}

static bool read_line(ws_span line, char *separator, ws_perf_count *count)
{
    if (ws_span_has_prefix(line, "{"))
        return read_json(line, count);
    fields f = split_line(line, separator);
    if (f.event < 2 || is_other_unit(f.field[f.event - 1]))
        return false;
    *count =
        (ws_perf_count){.event = f.field[f.event], .value = f.field[f.event - 2], .may_have_comma = *separator != ','};
    /* "19,63" between commas makes two fields of one value: hand it on whole, to be refused */
    size_t lead = f.event - 2, taken = ws_perf_take_lead(f.field, lead, count);
    if (taken < lead) {
        const char *end = count->value.p + count->value.n;
        count->value = (ws_span){f.field[taken].p, (size_t)(end - f.field[taken].p)};
    }
    if (f.event + 1 < f.n)
        count->run_ns = run_time(f.field[f.event + 1]);
    /* a row that is cut inside its event has no run time behind it */
    return f.event + 1 < f.n;
}

static int score_perf_stat_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    ws_perf_count count;
    char separator = '\0';
    while (ws_span_split(&head, '\n', &line))
        if (read_line(line, &separator, &count))
            return 95;
    return 0;
}

/* A line of blanks, digits and up to nine decimals, "     1.0010": cut inside of the time. What the program that was
 * measured prints has no blanks in front. */
static bool is_cut_in_time(ws_span line)
{
    enum { DECIMALS = 9 };
    ws_span text = ws_span_trim(line);
    const char *end = text.p + text.n, *point = memchr(text.p, '.', text.n), *at = text.p;
    while (at < end && ((*at >= '0' && *at <= '9') || at == point))
        at++;
    return text.n && at == end && point != text.p && text.p > line.p && (!point || end - point <= 1 + DECIMALS);
}

/* Begins with what -I prints in front of a row, "     1.001048308", and ends before the event. */
static bool is_cut_interval(ws_span line, char separator)
{
    enum { DECIMALS = 9, BEFORE_EVENT = 3 };
    fields f = split(ws_span_trim(line), separator ? separator : ',');
    if (is_cut_in_time(line))
        return true;
    const char *point = f.n && f.n <= BEFORE_EVENT ? memchr(f.field[0].p, '.', f.field[0].n) : NULL;
    double seconds;
    return point && f.field[0].p + f.field[0].n == point + 1 + DECIMALS && ws_span_double(f.field[0], &seconds);
}

static ws_status perf_stat_csv_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    perf_csv *r = t->state;
    ws_span line = row->cells[0];
    ws_perf_count count;
    if (ws_perf_started(t, line))
        return WS_OK;
    if (read_line(line, &r->separator, &count))
        return ws_perf_add(t, &count, error);
    bool is_of_perf = ws_span_contains(line, "Joules") || is_cut_interval(line, r->separator);
    if (!ws_row_trace_is_cut(t) && is_of_perf)
        ws_notes_add(t->samples.notes, WS_FINDING_BAD_LINE, t->samples.source, "", t->line,
                     "'%.*s' is not a line of perf stat -x and was left out", WS_SPAN_ARG(line));
    return WS_OK;
}

static ws_status read_perf_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    perf_csv reader = {.separator = '\0'};
    return ws_perf_read(&reader.perf, &reader, perf_stat_csv_take, input, options, sink, notes, error);
}

const ws_format ws_format_perf_stat_csv = {
    .name = "perf-stat-csv",
    .title = "energy events of perf stat -x, with or without -I",
    .example = "     1.001048308,19.63,Joules,power/energy-pkg/,2002406532,100.00,,",
    .tier = 1,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_perf_stat_csv,
    .holds = "energy-",
    .read = read_perf_csv,
};
