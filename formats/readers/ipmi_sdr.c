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
 * The stamp may also stand alone, as date(1) writes it above the table, in seconds since 1970, too, or in front of each
 * row, up to a bar or comma:
 *
 *   2026-02-11 08:00:01 | Sys Power        | 310 Watts         | ok
 *
 * Every sensor in Watts is a series. A sensor of the whole system holds the power supplies: where the file has one, the
 * supplies are shown and added to nothing; where it has none, they are the node together.
 *
 * No description of preset.h: there is no header, stamps stand in lines of their own, and what a sensor is depends on
 * the other sensors of the file. */
#include "formats/table/row_trace.h"
#include "formats/table/trace_head.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SUPPLIES = 32 };

typedef struct ipmi_state {
    int64_t t_ns;
    ws_time_base base;
    bool is_stamped, has_system, is_supply_noted;
    ws_head_rows head;
    struct {
        char name[64];
        ws_domain domain;
    } supplies[MOST_SUPPLIES];
    size_t n_supplies;
} ipmi_state;

/* Words in a sensor's name, the strongest first: what may be drawn at most is not what is drawn, and "Sys Fan Pwr" is a
 * part of "Sys Power". */
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

enum { SDR = 3, ELIST = 5, SENSOR = 10 }; /* columns of the three forms */

/* A row without the stamp in front of it. */
typedef struct cells_of_row {
    ws_span cells[SENSOR];
    size_t n;
} cells_of_row;

/* The stamp in front: the text after the label, or a date up to a bar, a comma or the end. The rest is a row or
 * nothing. */
static bool cut_stamp(const ws_row *row, cells_of_row *rest, ws_span *stamp)
{
    static const char label[] = "Timestamp:";
    ws_span first = row->cells[0], behind = {"", 0};
    bool has_label = ws_span_has_prefix(first, label);
    bool is_stamp =
        has_label || ws_cell_is_date(first) || (row->n_cells == 1 && ws_stamp_guess(first) == WS_STAMP_EPOCH);
    *stamp = has_label ? ws_span_trim((ws_span){first.p + sizeof label - 1, first.n - sizeof label + 1}) : first;
    const char *comma = !is_stamp && first.n ? memchr(first.p, ',', first.n) : NULL;
    if (comma) {
        *stamp = ws_span_trim((ws_span){first.p, (size_t)(comma - first.p)});
        behind = ws_span_trim((ws_span){comma + 1, first.n - (size_t)(comma + 1 - first.p)});
        is_stamp = ws_cell_is_date(*stamp);
    }
    rest->n = 0;
    if (!is_stamp || behind.n)
        rest->cells[rest->n++] = is_stamp ? behind : first;
    for (uint32_t c = 1; c < row->n_cells && rest->n < SENSOR; c++)
        rest->cells[rest->n++] = row->cells[c];
    return is_stamp;
}

static bool parse_row(const cells_of_row *from, ipmi_row *row)
{
    const ws_span *cells = from->cells, no_unit = {"", 0};
    size_t n = from->n;
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

/* The n-th row of sensors with a power inside the head; false where there is none. */
static bool power_in_head(const ws_head_rows *head, size_t n, ipmi_row *row)
{
    cells_of_row cells;
    ws_span stamp;
    cut_stamp(&head->row[n], &cells, &stamp);
    return parse_row(&cells, row) && row->reading == POWER_READING;
}

/* Is there a sensor of the whole system with a reading? */
static bool find_system(const ws_head_rows *head)
{
    ipmi_row row;
    for (size_t i = 0; i < head->n; i++)
        if (power_in_head(head, i, &row) && domain_of(row.name) == WS_NODE)
            return true;
    return false;
}

/* Does another sensor of the same supply go before this one: that of its input, else the first? */
static bool is_second_of_supply(const ws_head_rows *head, ws_span name)
{
    ipmi_row row;
    bool is_before = true;
    for (size_t i = 0; i < head->n; i++) {
        if (!power_in_head(head, i, &row) || !is_supply(row.name))
            continue;
        is_before &= !ws_span_same(row.name, name);
        if (ws_span_same(row.name, name) || !ws_span_same(supply_of(row.name), supply_of(name)))
            continue;
        if (says_input(row.name) != says_input(name) ? says_input(row.name) : is_before)
            return true;
    }
    return false;
}

/* A sensor keeps the domain that its name had first. */
static ws_domain settle_domain(ipmi_state *s, ws_span name)
{
    if (!is_supply(name))
        return domain_of(name);
    for (size_t i = 0; i < s->n_supplies; i++)
        if (ws_span_eq(name, s->supplies[i].name))
            return s->supplies[i].domain;
    ws_domain domain = s->has_system || is_second_of_supply(&s->head, name) ? WS_OTHER : WS_NODE;
    if (s->n_supplies < MOST_SUPPLIES && name.n < sizeof s->supplies->name) {
        memcpy(s->supplies[s->n_supplies].name, name.p, name.n);
        s->supplies[s->n_supplies++].domain = domain;
    }
    return domain;
}

static void note_supply(ws_row_trace *t, ws_span name)
{
    ipmi_state *s = t->state;
    if (is_supply(name) && s->has_system && !s->is_supply_noted) {
        ws_row_trace_note(t, WS_FINDING_NESTED_SENSOR,
                          "a sensor of the whole system holds this supply, which is not added:", name);
        s->is_supply_noted = true;
    }
}

/* The words of ipmitool for no reading; any other text gets a note. */
static bool is_no_reading(ws_span text)
{
    static const char *const words[] = {"no reading", "not readable", "disabled"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(text, words[i]))
            return true;
    return ws_span_is_missing(text);
}

/* A sensor without a reading counts as missing once it had one, whatever stands in its place. */
static ws_status ipmi_sdr_take_row(ws_row_trace *t, const ipmi_row *row, ws_error *error)
{
    ipmi_state *s = t->state;
    char column[64];
    snprintf(column, sizeof column, "%.*s", WS_SPAN_ARG(row->name));
    ws_samples_key key = {.id = row->name,
                          .identity = "sensor",
                          .number = -1,
                          .domain = settle_domain(s, row->name),
                          .quantity = WS_POWER,
                          .column = column,
                          .time = s->base};
    bool is_power = row->reading == POWER_READING;
    if (row->reading == OTHER_READING || (!is_power && !ws_samples_has(&t->samples, &key)))
        return WS_OK;
    if (is_power)
        note_supply(t, row->name);
    else if (!is_no_reading(row->text))
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no number of watts, counted as missing:", row->text);
    ws_samples_reading reading = {.t_ns = s->t_ns, .value = is_power ? row->power_w : NAN, .line = t->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static void take_stamp(ws_row_trace *t, const ws_row *line, ws_span text)
{
    ipmi_state *s = t->state;
    ws_timecol_settle(&t->stamps, text);
    s->is_stamped = ws_timecol_read(&t->stamps, text, &s->t_ns);
    s->base = t->stamps.base;
    if (!s->is_stamped)
        ws_note_bad_stamp(t->samples.notes, t->samples.source, line->line, text);
}

static ws_status ipmi_sdr_take(ws_row_trace *t, const ws_row *line, ws_error *error)
{
    const ipmi_state *s = t->state;
    cells_of_row cells;
    ws_span stamp;
    ipmi_row row;
    if (cut_stamp(line, &cells, &stamp))
        take_stamp(t, line, stamp);
    if (!cells.n)
        return WS_OK;
    if (!parse_row(&cells, &row)) {
        ws_row_note_no_data(&t->policy, line);
        return WS_OK;
    }
    return s->is_stamped && !ws_row_is_cut(&t->policy, line) ? ipmi_sdr_take_row(t, &row, error) : WS_OK;
}

static ws_status read_ipmi_sdr(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_BARS,
                                           .holds_rows_alone = true,
                                           .take = ipmi_sdr_take,
                                           .what = "no sensor in Watts below a stamp"};
    ipmi_state state = {0};
    ws_status status = ws_head_rows_open(&state.head, "", ws_input_head(input), WS_BARS, WS_HEAD_ROWS, NULL, error);
    state.has_system = find_system(&state.head);
    if (status == WS_OK)
        status = ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
    ws_head_rows_close(&state.head);
    return status;
}

static int score_ipmi_sdr(const char *path, ws_span bytes)
{
    (void)path;
    enum { LEAST = 3 };
    ws_head_rows head;
    cells_of_row cells;
    ws_span stamp;
    ipmi_row row;
    bool has_stamp = false;
    size_t rows = 0;
    if (!bytes.n || !memchr(bytes.p, '|', bytes.n) ||
        ws_head_rows_open(&head, "", bytes, WS_BARS, WS_HEAD_ROWS, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && rows < LEAST; i++) {
        has_stamp |= cut_stamp(&head.row[i], &cells, &stamp);
        rows += has_stamp && parse_row(&cells, &row) && has_state(&row);
    }
    ws_head_rows_close(&head);
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
