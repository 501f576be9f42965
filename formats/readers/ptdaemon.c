/* spl.txt of SPEC's PTDaemon, which MLPerf's power runs keep:
 *
 *   Time,02-11-2026 08:00:00.749,Watts,16.79,Volts,120.64,Amps,0.332,PF,0.4193,Mark,2026-02-11_05-06-05_testing
 *
 * Names and values take turns, up to the mark (under Windows with decimal commas: "Watts,16,79,Volts,120,64"); an
 * analyser of several channels adds ",Ch1,Watts,8.1,...,Ch2,Watts,8.7,...", whose sum is the power in front. The stamp
 * is the local time of the machine at the meter, day or month first as that machine likes it; a mark that MLPerf's
 * director named begins with the same date, the year in front, and tells which. A power is the mean of
 * the interval that ends at its stamp and began with the line before, whatever its mark, or, where the meter failed
 * there, with the last reading of the mark. Mark tells ranging from testing: each is a run of its own, "notset" is
 * none, and a mark that comes again goes on without the time between. */
#include "formats/table/row_trace.h"

#include "core/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct spl_state {
    bool has_line;
    int64_t last_ns; /* of the line before */
    int64_t from_ns; /* where the interval of the next reading of its mark begins */
    char *mark;      /* of the line before */
    size_t n, capacity;
} spl_state;

typedef struct spl_line {
    ws_span time, watts, mark;
    bool is_whole;                /* has the mark, which comes last */
    bool has_channels, has_point; /* has_point: of decimals */
} spl_line;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Up to the next name: a value may hold a comma. */
static bool take_value(ws_span *rest, ws_span *value)
{
    size_t n = 0;
    if (!rest->n)
        return false;
    while (n < rest->n && !(rest->p[n] == ',' && (n + 1 == rest->n || is_letter(rest->p[n + 1]))))
        n++;
    *value = ws_span_trim((ws_span){rest->p, n});
    n += n < rest->n;
    *rest = (ws_span){rest->p + n, rest->n - n};
    return true;
}

static bool parse(ws_span line, spl_line *l)
{
    ws_span name, value, rest = ws_span_trim(line);
    *l = (spl_line){.time = {"", 0}, .watts = {"", 0}, .mark = {"", 0}};
    while (!l->is_whole && ws_span_split(&rest, ',', &name) && take_value(&rest, &value)) {
        name = ws_span_trim(name);
        if (ws_span_eq_nocase(name, "Time"))
            l->time = value;
        else if (ws_span_eq_nocase(name, "Mark"))
            l->mark = value, l->is_whole = true;
        else
            l->has_point |= ws_span_contains(value, ".");
        if (ws_span_eq_nocase(name, "Watts"))
            l->watts = value;
    }
    l->has_channels = l->is_whole && ws_span_has_prefix(rest, "Ch1,");
    return l->time.n > 0;
}

/* "2026-02-11" in front of "2026-02-11_05-06-05_testing", the day that is "02-11-2026" with the month first and another
 * one with the day first. */
static bool mark_says_month_first(const spl_line *l)
{
    enum { DATE = 10 };
    static const char digits[] = "dddd-dd-dd";
    for (size_t i = 0; i < DATE; i++)
        if (l->mark.n <= DATE || l->time.n <= DATE ||
            (digits[i] == 'd' ? l->mark.p[i] < '0' || l->mark.p[i] > '9' : l->mark.p[i] != digits[i]))
            return false;
    const char *year = l->mark.p, *month = year + 5, *day = year + 8, *stamp = l->time.p;
    return memcmp(stamp, month, 2) == 0 && memcmp(stamp + 3, day, 2) == 0 && memcmp(stamp + 6, year, 4) == 0 &&
           memcmp(month, day, 2) != 0;
}

/* Day or month first is settled over all of the head, by its marks (fixtures/mlperf-ptdaemon/orin_spl.txt of the
 * corpus has them) where no stamp says it. */
static void ptdaemon_settle(ws_row_trace *t)
{
    ws_span head = ws_input_head(t->input), line;
    ws_stamp stamp;
    spl_line l;
    bool marks_say_month = false, is_day_first = false;
    while (ws_span_split(&head, '\n', &line))
        if (parse(line, &l)) {
            ws_timecol_settle(&t->stamps, l.time);
            marks_say_month |= mark_says_month_first(&l);
            is_day_first |= ws_stamp_parse(WS_STAMP_DMY, l.time, WS_ZONE_NONE, &stamp) &&
                            !ws_stamp_parse(WS_STAMP_MDY, l.time, WS_ZONE_NONE, &stamp);
        }
    if (t->stamps.form == WS_STAMP_DMY && !t->stamps.form_is_given && (marks_say_month || is_day_first)) {
        t->stamps.form = is_day_first ? WS_STAMP_DMY : WS_STAMP_MDY;
        t->stamps.form_is_given = true;
    }
}

/* "16,79" as "16.79" in `buffer`, where no number of the line has a point. */
static ws_span without_comma(ws_row_trace *t, const spl_line *l, char *buffer, size_t size)
{
    ws_span whole, part;
    if (l->has_point || l->watts.n >= size || !ws_span_cut(l->watts, ",", &whole, &part) || ws_span_contains(part, ","))
        return l->watts;
    snprintf(buffer, size, "%.*s.%.*s", WS_SPAN_ARG(whole), WS_SPAN_ARG(part));
    ws_notes_add(t->samples.notes, WS_FINDING_DECIMAL_COMMA, t->samples.source, "Watts", t->line,
                 "'%.*s' is read as a number with a decimal comma", WS_SPAN_ARG(l->watts));
    return (ws_span){buffer, l->watts.n};
}

static double read_watts(ws_row_trace *t, const spl_line *l)
{
    char buffer[64];
    ws_span cell = without_comma(t, l, buffer, sizeof buffer);
    double power_w = ws_samples_number(&t->samples, cell, WS_POWER, NULL, "Watts", t->line);
    if (power_w != -1)
        return power_w;
    ws_row_trace_note(t, WS_FINDING_FAILED_READING, "the meter gave no reading:", cell);
    return NAN;
}

/* How long the interval was that ends with this line; 0 where the file begins, and where its stamp steps back. */
static int64_t take_interval(spl_state *s, ws_span mark, int64_t t_ns, bool is_reading)
{
    int64_t interval_ns;
    bool goes_on = s->has_line && ws_span_same(mark, (ws_span){s->mark, s->n});
    if (!s->has_line)
        s->from_ns = t_ns;
    else if (!goes_on)
        s->from_ns = s->last_ns;
    if (!goes_on) {
        s->mark = ws_grow(s->mark, &s->capacity, mark.n + 1, 1);
        memcpy(s->mark, mark.p, mark.n);
        s->n = mark.n;
    }
    if (t_ns <= s->from_ns || __builtin_sub_overflow(t_ns, s->from_ns, &interval_ns))
        interval_ns = 0;
    if (is_reading)
        s->from_ns = t_ns;
    s->last_ns = t_ns;
    s->has_line = true;
    return interval_ns;
}

/* Of a last line without line end the mark is whole where something stands behind it or the line before has the same.
 */
static bool is_cut(const ws_row_trace *t, const spl_line *l)
{
    const spl_state *s = t->state;
    bool goes_on = s->has_line && ws_span_same(l->mark, (ws_span){s->mark, s->n});
    return t->row->unfinished && !(l->is_whole && (l->has_channels || goes_on));
}

static ws_status ptdaemon_push(ws_row_trace *t, const spl_line *l, int64_t t_ns, ws_error *error)
{
    char run[200];
    snprintf(run, sizeof run, "%.*s", WS_SPAN_ARG(l->mark));
    ws_samples_key key = {.run = ws_span_eq_nocase(l->mark, "notset") ? NULL : run,
                          .id = ws_span_of(""),
                          .identity = "",
                          .number = -1,
                          .domain = WS_WALL,
                          .quantity = WS_POWER,
                          .column = "Watts",
                          .rule = WS_RULE_RECTANGLE,
                          .has_intervals = true,
                          .time = t->stamps.base};
    ws_samples_reading reading = {.t_ns = t_ns, .value = read_watts(t, l), .line = t->line};
    reading.interval_ns = take_interval(t->state, l->mark, t_ns, !isnan(reading.value));
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status ptdaemon_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    spl_line l;
    int64_t t_ns;
    if (t->stamps.form == WS_STAMP_NONE)
        ptdaemon_settle(t);
    bool is_first = t->stamps.base == WS_TIME_NONE;
    if (!parse(line, &l) || is_cut(t, &l)) {
        if (!ws_row_trace_is_cut(t))
            ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "no whole line:", line);
        return WS_OK;
    }
    if (!ws_timecol_read(&t->stamps, l.time, &t_ns)) {
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", l.time);
        return WS_OK;
    }
    if (is_first && ws_timecol_is_ambiguous(&t->stamps, l.time))
        ws_row_trace_note(t, WS_FINDING_DAY_FIRST,
                          "day or month first is not told by the stamps, so day first is taken:", l.time);
    if (l.has_channels)
        ws_notes_add(t->samples.notes, WS_FINDING_CHANNEL_SUM, t->samples.source, "", t->line,
                     "the power is the analyser's sum of its channels, which are not shown");
    return ptdaemon_push(t, &l, t_ns, error);
}

static ws_status read_ptdaemon(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    spl_state state = {.has_line = false};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = ptdaemon_take_line,
                                           .what = "no line 'Time,...,Watts,...'"};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
    free(state.mark);
    return status;
}

static int score_ptdaemon(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    bool is_behind = false;
    if (!ws_span_contains(head, ",Watts,"))
        return 0;
    while (ws_span_split(&head, '\n', &line)) {
        bool has_stamp = line.n > 5 && ws_span_has_prefix(line, "Time,") && line.p[5] >= '0' && line.p[5] <= '9';
        if (has_stamp && ws_span_contains(line, ",Watts,")) /* "Time,Watts,Volts" is the header of a table */
            return is_behind ? WS_SCORE_BEHIND : 96;
        is_behind |= ws_span_trim(line).n > 0;
    }
    return 0;
}

const ws_format ws_format_ptdaemon = {
    .name = "ptdaemon",
    .title = "spl.txt of SPEC's PTDaemon: power at the wall",
    .example =
        "Time,02-11-2026 08:00:00.749,Watts,16.79,Volts,120.64,Amps,0.332,PF,0.4193,Mark,2026-02-11_05-06-05_testing",
    .tier = 2,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_REAL,
    .score = score_ptdaemon,
    .read = read_ptdaemon,
};
