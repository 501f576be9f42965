/* Tables of `ipmitool sdr` with a stamp before each:
 *
 *   Timestamp: 2026-02-11 08:00:01 UTC
 *   Ambient Temp     | 25 degrees C      | ok
 *   Sys Power        | 310 Watts         | ok
 *   PS1 Input Power  | no reading        | ns
 *
 * or of `ipmitool sdr elist` and of `ipmitool sensor`, which have more columns:
 *
 *   Sys Power        | 77h | ok  |  7.1 | 310 Watts
 *   Sys Power        | 310.000    | Watts      | ok    | na        | na        | na        | 1456.000  | 1570.000  | na
 *
 * The stamp may also stand alone, as date(1) writes it above the table, or in front of each row, up to a bar or comma:
 *
 *   2026-02-11 08:00:01 | Sys Power        | 310 Watts         | ok
 *
 * Every sensor in Watts is a series. A sensor of the whole system holds the power supplies: where the file has one, the
 * supplies are shown and added to nothing; where it has none, they are the node together. */
#include "formats/table/line_trace.h"
#include "formats/table/trace_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SUPPLIES = 32 };

typedef struct ipmi_state {
    int64_t t_ns;
    ws_time_base base;
    bool is_stamped, has_system, is_looked_at, is_supply_noted;
    struct {
        char name[64];
        ws_domain domain;
    } supplies[MOST_SUPPLIES];
    size_t n_supplies;
} ipmi_state;

/* Words in a sensor's name, the strongest first: what may be drawn at most is not what is drawn, and "Sys Fan Pwr" is a part of
 * "Sys Power". */
static const struct {
    const char *word;
    ws_domain domain;
} sensors[] = {
    {"max", WS_OTHER},        {"peak", WS_OTHER}, {"limit", WS_OTHER}, {"fan", WS_OTHER},  {"disk", WS_OTHER},
    {"hdd", WS_OTHER},        {"pcie", WS_OTHER}, {"sys", WS_NODE},    {"total", WS_NODE}, {"pwr consumption", WS_NODE},
    {"power meter", WS_NODE}, {"node", WS_NODE},  {"cpu", WS_CPU},     {"mem", WS_DRAM},   {"dimm", WS_DRAM},
    {"gpu", WS_GPU},
};

static bool has_word(ws_span name, const char *word)
{
    char lower[64];
    size_t n = name.n < sizeof lower ? name.n : sizeof lower;
    for (size_t i = 0; i < n; i++)
        lower[i] = name.p[i] >= 'A' && name.p[i] <= 'Z' ? (char)(name.p[i] - 'A' + 'a') : name.p[i];
    return ws_span_contains((ws_span){lower, n}, word);
}

static ws_domain domain_of(ws_span name)
{
    for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++)
        if (has_word(name, sensors[i].word))
            return sensors[i].domain;
    return WS_OTHER;
}

/* "PS1 Input Power", "PSU2_PIN": what a supply draws; what it gives out is less and inside. */
static bool is_supply(ws_span name)
{
    return has_word(name, "ps") && !has_word(name, "out") && domain_of(name) == WS_OTHER;
}

/* "PS1" of "PS1 Input Power", "PSU 2" of "PSU 2 Power": up to the first number. */
static ws_span supply_of(ws_span name)
{
    size_t n = 0;
    while (n < name.n && (name.p[n] < '0' || name.p[n] > '9'))
        n++;
    while (n < name.n && name.p[n] >= '0' && name.p[n] <= '9')
        n++;
    return (ws_span){name.p, n};
}

static bool says_input(ws_span name)
{
    return has_word(name, "input") || has_word(name, "pin") || has_word(name, "power in") || has_word(name, "_in");
}

/* What a row says: a power, something else, or nothing that can be read. */
typedef enum ipmi_reading { OTHER_READING, POWER_READING, NO_READING } ipmi_reading;

typedef struct ipmi_row {
    ws_span name, text, state;
    ipmi_reading reading;
    double power_w;
} ipmi_row;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The unit stands behind the number or, of `ipmitool sensor`, in a cell of its own. */
static void read_reading(ipmi_row *row, ws_span unit)
{
    ws_span rest;
    bool is_number = ws_span_number(row->text, &row->power_w, &rest);
    bool is_whole = is_number && (!rest.n || is_letter(*rest.p));
    unit = is_number && rest.n ? rest : unit;
    row->reading = !is_whole ? NO_READING : ws_span_eq_nocase(unit, "Watts") ? POWER_READING : OTHER_READING;
}

static bool parse_row(ws_span line, ipmi_row *row)
{
    enum { SDR = 3, ELIST = 5, SENSOR = 10 };
    ws_span cells[SENSOR], no_unit = {"", 0};
    size_t n = 0;
    for (; n < SENSOR && ws_span_split(&line, '|', &cells[n]); n++)
        cells[n] = ws_span_trim(cells[n]);
    if (n < SDR || !cells[0].n)
        return false;
    *row = (ipmi_row){.name = cells[0],
                      .text = n == ELIST ? cells[ELIST - 1] : cells[1],
                      .state = n == SENSOR ? cells[SDR] : cells[SDR - 1]};
    read_reading(row, n == SENSOR ? cells[2] : no_unit);
    return true;
}

/* The words of ipmitool for the state of a sensor: well, not there, beyond a limit. */
static bool has_state(const ipmi_row *row)
{
    static const char *const words[] = {"ok", "ns", "na", "nc", "cr", "nr", "lnc", "lcr", "lnr", "unc", "ucr", "unr"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq(row->state, words[i]))
            return true;
    return false;
}

/* A stamp off the front of the line: what stands behind the label, or a date up to a bar, a comma or the end. The rest is a row
 * or nothing. */
static bool cut_stamp(ws_span *line, ws_span *stamp)
{
    static const char label[] = "Timestamp:";
    bool has_label = ws_span_has_prefix(*line, label);
    size_t from = has_label ? sizeof label - 1 : 0, to = line->n;
    if (!has_label && !ws_cell_is_date(*line))
        for (to = 0; to < line->n && line->p[to] != '|' && line->p[to] != ',';)
            to++;
    *stamp = ws_span_trim((ws_span){line->p + from, to - from});
    if (!has_label && !ws_cell_is_date(*stamp))
        return false;
    to += to < line->n;
    *line = (ws_span){line->p + to, line->n - to};
    return true;
}

/* Is there a sensor of the whole system with a reading? */
static bool find_system(ws_span head)
{
    ws_span line, stamp;
    ipmi_row row;
    while (ws_span_split(&head, '\n', &line)) {
        cut_stamp(&line, &stamp);
        if (parse_row(line, &row) && row.reading == POWER_READING && domain_of(row.name) == WS_NODE)
            return true;
    }
    return false;
}

/* Does another sensor of the same supply go before this one: that of its input, else the first? */
static bool is_second_of_supply(ws_span head, ws_span name)
{
    ws_span line, stamp;
    ipmi_row row;
    bool is_before = true;
    while (ws_span_split(&head, '\n', &line)) {
        cut_stamp(&line, &stamp);
        if (!parse_row(line, &row) || row.reading != POWER_READING || !is_supply(row.name))
            continue;
        is_before &= !ws_span_same(row.name, name);
        if (ws_span_same(row.name, name) || !ws_span_same(supply_of(row.name), supply_of(name)))
            continue;
        if (says_input(row.name) != says_input(name) ? says_input(row.name) : is_before)
            return true;
    }
    return false;
}

/* Of a sensor whose name was seen before, as it was settled then. */
static ws_domain settle_domain(ipmi_state *s, ws_span head, ws_span name)
{
    if (!is_supply(name))
        return domain_of(name);
    for (size_t i = 0; i < s->n_supplies; i++)
        if (ws_span_eq(name, s->supplies[i].name))
            return s->supplies[i].domain;
    ws_domain domain = s->has_system || is_second_of_supply(head, name) ? WS_OTHER : WS_NODE;
    if (s->n_supplies < MOST_SUPPLIES && name.n < sizeof s->supplies->name) {
        memcpy(s->supplies[s->n_supplies].name, name.p, name.n);
        s->supplies[s->n_supplies++].domain = domain;
    }
    return domain;
}

static void note_supply(ws_line_trace *t, ws_span name)
{
    ipmi_state *s = t->state;
    if (is_supply(name) && s->has_system && !s->is_supply_noted) {
        ws_line_trace_note(t, WS_FINDING_NESTED_SENSOR,
                           "a sensor of the whole system holds this supply, which is not added:", name);
        s->is_supply_noted = true;
    }
}

/* The words of ipmitool for no reading; another text is told. */
static bool is_no_reading(ws_span text)
{
    static const char *const words[] = {"no reading", "not readable", "disabled"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(text, words[i]))
            return true;
    return ws_span_is_missing(text);
}

/* A sensor without a reading counts as missing once it had one, whatever stands in its place. */
static ws_status ipmi_sdr_take_row(ws_line_trace *t, const ipmi_row *row, ws_error *error)
{
    ipmi_state *s = t->state;
    char column[64];
    snprintf(column, sizeof column, "%.*s", WS_SPAN_ARG(row->name));
    ws_feed_key key = {.id = row->name,
                       .identity = "sensor",
                       .number = -1,
                       .domain = settle_domain(s, ws_input_head(t->lines.input), row->name),
                       .quantity = WS_POWER,
                       .column = column,
                       .time = s->base};
    bool is_power = row->reading == POWER_READING;
    if (row->reading == OTHER_READING || (!is_power && !ws_feed_has(&t->feed, &key)))
        return WS_OK;
    if (is_power)
        note_supply(t, row->name);
    else if (!is_no_reading(row->text))
        ws_line_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no number of watts, counted as missing:", row->text);
    return ws_line_trace_push(t, &key, s->t_ns, is_power ? row->power_w : NAN, error);
}

static void take_stamp(ws_line_trace *t, ws_span text)
{
    ipmi_state *s = t->state;
    ws_timecol_settle(&t->stamps, text);
    s->is_stamped = ws_timecol_read(&t->stamps, text, &s->t_ns);
    s->base = t->stamps.base;
    if (!s->is_stamped)
        ws_line_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", text);
}

static ws_status ipmi_sdr_take_line(ws_line_trace *t, ws_span line, ws_error *error)
{
    ipmi_state *s = t->state;
    ws_span stamp;
    ipmi_row row;
    if (!s->is_looked_at)
        s->has_system = find_system(ws_input_head(t->lines.input));
    s->is_looked_at = true;
    if (cut_stamp(&line, &stamp))
        take_stamp(t, stamp);
    if (!line.n)
        return WS_OK;
    if (!parse_row(line, &row)) {
        ws_line_trace_note(t, t->lines.unfinished ? WS_FINDING_TRUNCATED_LINE : WS_FINDING_SKIPPED_LINE,
                           "no row of sensors:", line);
        return WS_OK;
    }
    return s->is_stamped && !t->lines.unfinished ? ipmi_sdr_take_row(t, &row, error) : WS_OK;
}

static ws_status read_ipmi_sdr(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    ipmi_state state = {0};
    return ws_line_trace_read(input, options, sink, notes, WS_STAMP_NONE, ipmi_sdr_take_line, &state,
                              "no sensor in Watts below a stamp", error);
}

static int score_ipmi_sdr(const char *path, ws_span head)
{
    (void)path;
    enum { LEAST = 3 };
    ws_span line, stamp;
    ipmi_row row;
    bool has_stamp = false;
    size_t rows = 0;
    while (ws_span_split(&head, '\n', &line) && rows < LEAST) {
        has_stamp |= cut_stamp(&line, &stamp);
        rows += has_stamp && parse_row(line, &row) && has_state(&row);
    }
    return rows >= LEAST ? 93 : 0;
}

const ws_format ws_format_ipmi_sdr = {
    .name = "ipmi-sdr",
    .title = "tables of ipmitool sdr, each below its stamp",
    .example = "Timestamp: 2026-02-11 08:00:01 UTC\nSys Power        | 310 Watts         | ok",
    .tier = 3,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_REAL,
    .score = score_ipmi_sdr,
    .read = read_ipmi_sdr,
};
