/* `ipmitool dcmi power reading`, called again and again, whole or cut down to a line:
 *
 *   Instantaneous power reading:                  2310 Watts
 *   Average power reading over sample period:     2290 Watts
 *   IPMI timestamp:                           Wed Feb 11 08:00:00 2026
 *
 *   Instantaneous power reading: 2310 Watts  IPMI timestamp: Wed Feb 11 08:00:00 2026
 *
 * ipmitool since 1.8.19 writes the stamp by the locale, with the sampling period behind it:
 *
 *   IPMI timestamp:                           02/11/2026 08:00:00 AM CET    Sampling period:  00000005 Seconds.
 *
 * There the month is first, except with a German locale's dots; two digits of a year (locale C) are those of this
 * century. A whole block ends in the state of the measurement; a reading of one that is switched off, often 0, is
 * missing:
 *
 *   Power reading state is:                   deactivated
 *
 * A loop around it may write its own stamp in front of each reading, up to a bar or comma, or in a line of its own
 * above it, which counts where the file has none of the BMC:
 *
 *   2026-02-11 08:00:00 | Instantaneous power reading:                  2310 Watts
 *
 * A collector of several nodes may put the name of each in front, "n7: Instantaneous power reading: 2310 Watts  ...".
 *
 * The power of the node by the clock of its BMC, which often runs in UTC and sometimes runs wrong. Minimum, maximum and
 * average are of the BMC's own period and are passed over. */
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char reading_label[] = "Instantaneous power reading:", stamp_label[] = "IPMI timestamp:",
                  state_label[] = "Power reading state is:";

typedef struct dcmi_state {
    bool is_looked_at, has_stamps, has_states; /* in the file, */
    bool has_loop_stamps;                      /* and those of the loop around it */
    bool wants_stamp, is_held;                 /* the reading: until its stamp, and until its state */
    bool is_stamped;                           /* by the loop, at loop_ns, */
    bool is_stamped_in_front;                  /* in front of the last reading, so that it is of no other */
    double power_w;
    int64_t t_ns, loop_ns, n;
    ws_time_base base;
    ws_span node; /* of the reading */
} dcmi_state;

static ws_status let_go(ws_row_trace *t, ws_error *error)
{
    dcmi_state *s = t->state;
    ws_samples_key key = {.node = s->node,
                          .id = ws_span_of(""),
                          .identity = "",
                          .number = -1,
                          .domain = WS_NODE,
                          .quantity = WS_POWER,
                          .column = "Instantaneous power reading",
                          .time = s->base};
    bool is_held = s->is_held;
    s->is_held = false;
    return is_held ? ws_row_trace_push(t, &key, s->t_ns, s->power_w, error) : WS_OK;
}

/* The reading has its time. */
static ws_status hold(ws_row_trace *t, int64_t t_ns, ws_time_base base, ws_error *error)
{
    dcmi_state *s = t->state;
    s->t_ns = t_ns;
    s->base = base;
    s->wants_stamp = false;
    s->is_held = true;
    return s->has_states ? WS_OK : let_go(t, error);
}

/* What stands before a reading, "2026-02-11 08:00:00 | n7: Instantaneous ...", or in a line without one. */
typedef struct dcmi_front {
    ws_span stamp, node; /* empty: none */
} dcmi_front;

static dcmi_front front_of(ws_span before)
{
    ws_span next, word = {"", 0}, text = ws_span_trim(before), rest = text;
    dcmi_front front = {{"", 0}, {"", 0}};
    while (ws_span_word(&rest, &next))
        word = next;
    bool is_name = word.n > 1 && memchr(word.p, ':', word.n) == word.p + word.n - 1;
    text.n -= is_name ? word.n : 0;
    while (text.n && strchr("|,; \t", text.p[text.n - 1]))
        text.n--;
    if (ws_cell_is_date(text) || ws_stamp_guess(text) == WS_STAMP_EPOCH)
        front.stamp = text;
    if (is_name && (!text.n || front.stamp.n))
        front.node = (ws_span){word.p, word.n - 1};
    return front;
}

static void take_loop_stamp(ws_row_trace *t, ws_span text)
{
    dcmi_state *s = t->state;
    if (!text.n)
        return;
    ws_timecol_settle(&t->stamps, text);
    s->is_stamped = ws_timecol_read(&t->stamps, text, &s->loop_ns);
    if (!s->is_stamped)
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", text);
}

/* Others have their stamps in front, and this one has none: that of another is not its own. */
static void note_stampless(ws_row_trace *t, ws_span before)
{
    dcmi_state *s = t->state;
    s->is_stamped = false;
    ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp in front of a reading, as others have:", before);
}

static ws_status take_reading(ws_row_trace *t, ws_span before, ws_span text, ws_error *error)
{
    dcmi_state *s = t->state;
    double number;
    ws_time_base base;
    ws_span rest, unit;
    ws_status status = let_go(t, error); /* of a block that was cut down to some of its lines */
    bool is_watts = ws_span_number(text, &number, &rest) && ws_span_word(&rest, &unit) && ws_span_eq(unit, "Watts");
    if (!is_watts)
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no number of watts:", text);
    if (s->wants_stamp)
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "the reading before this one has no stamp:", text);
    s->power_w = is_watts ? number : NAN;
    s->node = ws_span_of(ws_samples_name(&t->samples, front_of(before).node));
    s->wants_stamp = s->has_stamps;
    if (status != WS_OK || s->has_stamps)
        return status;
    if (s->has_loop_stamps) {
        bool has_own = front_of(before).stamp.n > 0;
        if (!has_own && s->is_stamped_in_front)
            note_stampless(t, before);
        s->is_stamped_in_front |= has_own;
        take_loop_stamp(t, front_of(before).stamp);
        return s->is_stamped ? hold(t, s->loop_ns, t->stamps.base, error) : WS_OK;
    }
    int64_t t_ns = ws_period_time(t->options, s->n++, &base);
    return hold(t, t_ns, base, error);
}

static ws_status take_state(ws_row_trace *t, ws_span text, ws_error *error)
{
    dcmi_state *s = t->state;
    if (ws_span_contains(text, "deactivated")) {
        ws_row_trace_note(t, WS_FINDING_READING_DEACTIVATED,
                          "the BMC measures no power, and the reading is missing: the state is", ws_span_trim(text));
        s->power_w = NAN;
    }
    return let_go(t, error);
}

/* "02/11/26 08:00:00 UTC" with its century. */
static ws_span with_century(char *buffer, size_t size, ws_span text)
{
    bool is_short = text.n > 8 && text.p[2] == '/' && text.p[5] == '/' && text.p[8] == ' ';
    if (!is_short || text.n + 3 > size)
        return text;
    int n = snprintf(buffer, size, "%.6s20%.*s", text.p, (int)text.n - 6, text.p + 6);
    return (ws_span){buffer, (size_t)n};
}

static ws_status take_stamp(ws_row_trace *t, ws_span text, ws_error *error)
{
    int64_t t_ns;
    char buffer[80];
    ws_span stamp, period;
    if (ws_span_cut(text, "Sampling period:", &stamp, &period))
        text = stamp;
    text = with_century(buffer, sizeof buffer, ws_span_trim(text));
    bool has_slashes = text.n > 2 && text.p[2] == '/';
    if (has_slashes && t->stamps.form == WS_STAMP_NONE) {
        t->stamps.form = WS_STAMP_MDY;
        t->stamps.form_is_given = true;
    }
    ws_timecol_settle(&t->stamps, text);
    if (ws_timecol_read(&t->stamps, text, &t_ns))
        return hold(t, t_ns, t->stamps.base, error);
    ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", text);
    ((dcmi_state *)t->state)->wants_stamp = false;
    return WS_OK;
}

/* Lines of several nodes in turns: which reading the line belongs to cannot be told. */
static bool is_of_other_node(ws_row_trace *t, ws_span before, ws_span line)
{
    const dcmi_state *s = t->state;
    ws_span node = front_of(before).node;
    if (!node.n || ws_span_same(node, s->node))
        return false;
    ws_row_trace_note(t, WS_FINDING_MIXED_LINES, "stands below a reading of another node, and is passed over:", line);
    return true;
}

static void look(ws_row_trace *t)
{
    dcmi_state *s = t->state;
    ws_span head = ws_input_head(t->input);
    s->is_looked_at = true;
    s->has_stamps = ws_span_contains(head, stamp_label);
    s->has_states = ws_span_contains(head, state_label);
    while (!s->has_stamps && !s->has_loop_stamps && head.n) {
        const char *end = memchr(head.p, '\n', head.n);
        ws_span line = {head.p, end ? (size_t)(end - head.p) : head.n}, before, after;
        head = (ws_span){line.p + line.n + (end != NULL), head.n - line.n - (end != NULL)};
        before = ws_span_cut(line, reading_label, &before, &after) ? before : line;
        s->has_loop_stamps = front_of(before).stamp.n > 0;
    }
}

static ws_status ipmi_dcmi_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    dcmi_state *s = t->state;
    ws_span before, after;
    ws_status status = WS_OK;
    if (!s->is_looked_at)
        look(t);
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    if (ws_span_cut(line, reading_label, &before, &after))
        status = take_reading(t, before, after, error);
    else if (s->has_loop_stamps)
        take_loop_stamp(t, front_of(line).stamp);
    if (status == WS_OK && s->wants_stamp && ws_span_cut(line, stamp_label, &before, &after))
        status = is_of_other_node(t, before, line) ? WS_OK : take_stamp(t, after, error);
    if (status == WS_OK && ws_span_cut(line, state_label, &before, &after) && !is_of_other_node(t, before, line))
        status = take_state(t, after, error);
    return status;
}

static ws_status read_ipmi_dcmi(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                ws_error *error)
{
    dcmi_state state = {0};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = ipmi_dcmi_take_line,
                                           .end = let_go,
                                           .what = "no 'Instantaneous power reading:'"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
}

static int score_ipmi_dcmi(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, reading_label) ? 92 : 0;
}

const ws_format ws_format_ipmi_dcmi = {
    .name = "ipmi-dcmi",
    .title = "ipmitool dcmi power reading, called again and again",
    .example = "Instantaneous power reading: 2310 Watts  IPMI timestamp: Wed Feb 11 08:00:00 2026",
    .tier = 2,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_ipmi_dcmi,
    .read = read_ipmi_dcmi,
};
