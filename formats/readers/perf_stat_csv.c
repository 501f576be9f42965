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
#include "formats/input/lines.h"
#include "formats/readers/perf_stat.h"
#include "formats/table/row_policy.h"

#include <string.h>

enum { MOST_FIELDS = 16 };

/* Fields of the line up to the event and its run time: those behind them do not matter. */
typedef struct fields {
    ws_span field[MOST_FIELDS];
    size_t n, event; /* 0: no energy in this line */
} fields;

/* The sign behind "Joules" or "<not counted>"; 0 when the line has neither, or is of the text form. */
static char find_separator(ws_span line)
{
    ws_span before, after;
    bool found = ws_span_cut(line, "Joules", &before, &after) ||
                 (ws_span_cut(line, "<not ", &before, &after) && ws_span_cut(after, ">", &before, &after));
    return found && after.n && *after.p != ' ' && *after.p != '\t' ? *after.p : '\0';
}

static fields split(ws_span line, char separator)
{
    fields f = {0};
    ws_span piece;
    while (f.n < MOST_FIELDS && ws_span_split(&line, separator, &piece)) {
        f.field[f.n] = ws_span_trim(piece);
        bool is_joules = f.n && ws_span_eq(f.field[f.n - 1], "Joules");
        if (!f.event && f.n >= 2 && (is_joules || ws_perf_is_energy(f.field[f.n])))
            f.event = f.n;
        f.n++;
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

static bool read_json(ws_span line, int64_t number, ws_perf_count *count)
{
    static const char *const places[] = {"\"node\"", "\"socket\"", "\"die\"", "\"core\"", "\"cpu\""};
    *count = (ws_perf_count){
        .line = number, .event = value_of(line, "\"event\""), .value = value_of(line, "\"counter-value\"")};
    for (size_t i = 0; i < sizeof places / sizeof *places && !count->place.n; i++)
        count->place = value_of(line, places[i]);
    count->is_timed = ws_seconds_to_ns(value_of(line, "\"interval\""), &count->t_ns);
    if (!ws_span_i64(value_of(line, "\"event-runtime\""), &count->run_ns))
        count->run_ns = 0;
    return ws_span_has_suffix(ws_span_trim(line), "}") && count->value.n && ws_perf_is_energy(count->event);
}

static bool read_line(ws_span line, int64_t number, ws_perf_count *count)
{
    if (ws_span_has_prefix(line, "{"))
        return read_json(line, number, count);
    char separator = find_separator(line);
    if (!separator)
        return false;
    fields f = split(line, separator);
    if (f.event < 2)
        return false;
    *count = (ws_perf_count){
        .line = number, .event = f.field[f.event], .value = f.field[f.event - 2], .may_have_comma = separator != ','};
    /* "19,63" between commas makes two fields of one value: hand it on whole, to be refused */
    size_t lead = f.event - 2, taken = ws_perf_take_lead(f.field, lead, count);
    if (taken < lead) {
        const char *end = count->value.p + count->value.n;
        count->value = (ws_span){f.field[taken].p, (size_t)(end - f.field[taken].p)};
    }
    if (f.event + 1 < f.n && !ws_span_i64(f.field[f.event + 1], &count->run_ns))
        count->run_ns = 0;
    /* a row that is cut inside its event has no run time behind it */
    return f.event + 1 < f.n;
}

static int score_perf_stat_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    ws_perf_count count;
    while (ws_span_split(&head, '\n', &line))
        if (read_line(line, 0, &count))
            return 95;
    return 0;
}

static ws_status read_lines(ws_lines *lines, ws_perf *perf, ws_notes *notes, ws_error *error)
{
    ws_span line;
    ws_perf_count count;
    ws_status status;
    while ((status = ws_lines_next(lines, &line, error)) == WS_OK && line.p) {
        if (ws_perf_started(perf, line, lines->number))
            continue;
        if (read_line(line, lines->number, &count))
            status = ws_perf_add(perf, &count, error);
        else if (lines->unfinished && ws_span_trim(line).n)
            ws_note_cut_line(notes, ws_input_path(lines->input), "", lines->number);
        else if (ws_span_contains(line, "Joules"))
            ws_notes_add(notes, WS_FINDING_BAD_LINE, ws_input_path(lines->input), "", lines->number,
                         "'%.*s' is not a line of perf stat -x and was left out", WS_SPAN_ARG(line));
        if (status != WS_OK)
            break;
    }
    return status;
}

static ws_status read_perf_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    ws_lines lines;
    ws_lines_init(&lines, input);
    ws_perf *perf = ws_perf_new(input, options, sink, notes);
    ws_status status = read_lines(&lines, perf, notes, error);
    ws_status finished = ws_perf_finish(perf, error);
    ws_perf_free(perf);
    ws_lines_free(&lines);
    return status != WS_OK ? status : finished;
}

const ws_format ws_format_perf_stat_csv = {
    .name = "perf-stat-csv",
    .title = "energy events of perf stat -x, with or without -I",
    .example = "     1.001048308,19.63,Joules,power/energy-pkg/,2002406532,100.00,,",
    .tier = 1,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_perf_stat_csv,
    .read = read_perf_csv,
};
