/* InfluxDB's line protocol, as Telegraf's file output and scripts write it: a measurement, tags, fields and a time in
 * ns (or what the size of the number says).
 *
 *   nvidia_smi,host=n1,index=0,uuid=GPU-5f1c power_draw=251.2,utilization_gpu=97i 1770796800000000000
 *   gpu_power,gpu=0 value=251.2 1770796800000000000
 *
 * Tags and fields are columns of a table; points of one time and the same tags are one row. A field means what
 * MEASUREMENT_FIELD, the field, or, of the field "value" or "mean", the measurement means. Measurements without a power
 * or energy are passed over. Answers of InfluxDB 1 as CSV hold the same points:
 *
 *   name,tags,time,power_draw,utilization_gpu
 *   nvidia_smi,"host=n1,index=0",1770796800000000000,251.2,97
 *
 * The syntax is that of InfluxData's reference: a sign behind a backslash stands for itself, texts of
 * fields are in double quotes, whole numbers end in i or u. */
#include "formats/format.h"
#include "formats/table/dictionary.h"
#include "formats/table/made_table.h"
#include "formats/table/rows.h"
#include "formats/table/unread_lines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 200 };

/* Up to the first of `ends` that no backslash and no quotes hide; false: there is none. */
static bool cut_at(ws_span *rest, const char *ends, ws_span *part)
{
    bool is_quoted = false;
    for (size_t i = 0; i < rest->n; i++) {
        if (rest->p[i] == '\\' && i + 1 < rest->n)
            i++;
        else if (rest->p[i] == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && strchr(ends, rest->p[i])) {
            *part = (ws_span){rest->p, i};
            *rest = (ws_span){rest->p + i, rest->n - i};
            return true;
        }
    }
    return false;
}

static ws_span plain_text(ws_arena *arena, ws_span text)
{
    char *copy = ws_arena_strndup(arena, text.p, text.n);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        i += text.p[i] == '\\' && i + 1 < text.n;
        if (text.p[i] != '"')
            copy[n++] = text.p[i];
    }
    return (ws_span){copy, n};
}

typedef struct point {
    ws_span measurement, tags, fields, time;
} point;

static bool split_point(ws_span line, point *p)
{
    ws_span rest = ws_span_trim(line);
    if (!rest.n || *rest.p == '#' || !cut_at(&rest, ", ", &p->measurement) || !p->measurement.n)
        return false;
    p->tags = (ws_span){"", 0};
    if (*rest.p == ',') {
        rest.p++, rest.n--;
        if (!cut_at(&rest, " ", &p->tags))
            return false;
    }
    rest = ws_span_trim(rest);
    if (!cut_at(&rest, " ", &p->fields) || !p->fields.n)
        return false;
    p->time = ws_span_trim(rest);
    int64_t number;
    return ws_span_i64(p->time, &number) && memchr(p->fields.p, '=', p->fields.n);
}

/* The next of "a=1,b=2". */
static bool next_pair(ws_span *rest, ws_span *name, ws_span *value)
{
    ws_span pair;
    if (!rest->n)
        return false;
    if (!cut_at(rest, ",", &pair))
        pair = *rest, *rest = (ws_span){"", 0};
    else
        rest->p++, rest->n--;
    if (!cut_at(&pair, "=", name))
        return false;
    *value = (ws_span){pair.p + 1, pair.n - 1};
    return true;
}

static bool is_metered(ws_span name)
{
    ws_meaning m = ws_meaning_of(name);
    return m.role == WS_ROLE_VALUE && ws_is_metered(m.quantity);
}

/* "snmp_power_watts" says no more than "power_watts": the measurement is that of a plugin, and no part of a machine. */
static bool says_whose(const ws_meaning *m)
{
    return m->role == WS_ROLE_VALUE && m->names_domain && (m->domain != WS_OTHER || m->is_total);
}

static ws_span field_name(ws_arena *arena, ws_span measurement, ws_span field)
{
    ws_span joined = ws_span_of(ws_arena_printf(arena, "%.*s_%.*s", WS_SPAN_ARG(measurement), WS_SPAN_ARG(field)));
    ws_meaning whole = ws_meaning_of(joined), alone = ws_meaning_of(field);
    if (says_whose(&whole) || (whole.role == WS_ROLE_VALUE && whole.names_domain && alone.role != WS_ROLE_VALUE))
        return joined;
    static const char *const no_names[] = {"value", "gauge", "counter", "mean", "first", "last"};
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++)
        if (ws_span_eq(field, no_names[i]))
            return measurement;
    return field;
}

/* The tags of Telegraf's ipmi_sensor, "name=pwr_consumption,unit=watts", whose field is a bare "value": the reading is
 * called by its name and unit. */
static bool tag_of(const point *p, const char *wanted, ws_span *found)
{
    ws_span rest = p->tags, name, value;
    while (next_pair(&rest, &name, &value))
        if (ws_span_eq(name, wanted)) {
            *found = value;
            return true;
        }
    return false;
}

static bool names_unit_in_tags(ws_arena *arena, const point *p, ws_span *column, ws_span *node)
{
    ws_span name, unit, rest = p->fields, field, value;
    const ws_unit *known = tag_of(p, "unit", &unit) && tag_of(p, "name", &name) ? ws_unit_find(unit) : NULL;
    bool is_metered_unit = known && (known->dimension == WS_DIM_POWER || known->dimension == WS_DIM_ENERGY);
    if (!is_metered_unit || !next_pair(&rest, &field, &value) || !ws_span_eq(field, "value"))
        return false;
    *node = (ws_span){"", 0};
    if (!tag_of(p, "server", node))
        tag_of(p, "host", node);
    name = plain_text(arena, name);
    *column = ws_span_of(ws_arena_printf(arena, "%.*s [%s]", WS_SPAN_ARG(name), known->name));
    return true;
}

static ws_span value_text(ws_span value)
{
    double number;
    ws_span rest;
    if (value.n > 1 && strchr("iu", value.p[value.n - 1]) &&
        ws_span_number((ws_span){value.p, value.n - 1}, &number, &rest) && !rest.n)
        value.n--;
    return value;
}

static bool has_power(ws_arena *arena, const point *p)
{
    ws_span rest = p->fields, name, value;
    ws_span measurement = plain_text(arena, p->measurement);
    bool has = names_unit_in_tags(arena, p, &name, &value);
    while (next_pair(&rest, &name, &value))
        has |= is_metered(field_name(arena, measurement, plain_text(arena, name)));
    return has;
}

/* What the row has of these fields is what they say. Pairs of `fields`, or the one value where a column is given. */
static bool agrees(ws_made_table *table, size_t row, const point *p, ws_span column)
{
    ws_arena *arena = &table->arena;
    ws_span rest = p->fields, name, value, measurement = plain_text(arena, p->measurement);
    bool do_all = true;
    while (do_all && next_pair(&rest, &name, &value)) {
        ws_span said = plain_text(arena, value_text(value));
        ws_span there =
            ws_made_cell(table, row, column.n ? column : field_name(arena, measurement, plain_text(arena, name)));
        do_all = !there.p || ws_span_same(there, said);
        if (column.n)
            break;
    }
    return do_all;
}

/* The row of the time and these tags. Points that say another thing of the same time, as those of two nodes that are
 * tagged alike, are a row each. */
static size_t row_of(ws_made_table *table, const point *p, ws_span tags, ws_span column)
{
    enum { MOST = 64 };
    size_t row = 0;
    bool fits = false;
    for (int nth = 0; nth < MOST && !fits; nth++) {
        size_t before = table->n_rows;
        row = ws_made_row_of(table, ws_span_of(ws_arena_printf(&table->arena, "%.*s %.*s %d", WS_SPAN_ARG(p->time),
                                                               WS_SPAN_ARG(tags), nth)));
        fits = row == before || agrees(table, row, p, column);
    }
    return row;
}

static void add_point(ws_made_table *table, const point *p)
{
    ws_arena *arena = &table->arena;
    ws_span rest = p->tags, name, value, measurement = plain_text(arena, p->measurement);
    ws_span column, node;
    if (p->tags.n + p->time.n > MOST_TEXT * 4)
        return;
    if (names_unit_in_tags(arena, p, &column, &node)) {
        size_t poll = row_of(table, p, node, column);
        rest = p->fields;
        next_pair(&rest, &name, &value);
        ws_made_set(table, poll, ws_span_of("time"), p->time);
        ws_made_set(table, poll, ws_span_of("host"), plain_text(arena, node));
        ws_made_set(table, poll, column, plain_text(arena, value_text(value)));
        return;
    }
    size_t row = row_of(table, p, p->tags, (ws_span){"", 0});
    ws_made_set(table, row, ws_span_of("time"), p->time);
    while (next_pair(&rest, &name, &value))
        ws_made_set(table, row, plain_text(arena, name), plain_text(arena, value));
    rest = p->fields;
    while (next_pair(&rest, &name, &value))
        ws_made_set(table, row, field_name(arena, measurement, plain_text(arena, name)),
                    plain_text(arena, value_text(value)));
}

/* Lines that are points, and all lines but remarks. `unread`: NULL where nobody asks. */
static size_t add_points(ws_made_table *table, ws_span text, size_t *lines, ws_unread_lines *unread)
{
    ws_span line;
    size_t n = 0;
    for (int64_t number = 1; ws_span_split(&text, '\n', &line); number++) {
        point p;
        if (!ws_span_trim(line).n || *ws_span_trim(line).p == '#')
            continue;
        ++*lines;
        if (!split_point(line, &p)) {
            if (unread)
                ws_unread_text(unread, line, number);
            continue;
        }
        n++;
        if (unread)
            ws_unread_reading(unread);
        if (has_power(&table->arena, &p))
            add_point(table, &p);
    }
    return n;
}

/* --- answers as CSV --- */

/* Without tags where the answer has none. */
static const char csv_head[] = "name,tags,time,", csv_head_without_tags[] = "name,time,";

static bool is_csv(ws_span text)
{
    return ws_span_has_prefix(text, csv_head) || ws_span_has_prefix(text, csv_head_without_tags);
}

/* The next cell of a line; quotes may stand around it. */
static bool next_cell(ws_span *rest, ws_span *cell)
{
    if (!rest->p)
        return false;
    if (!cut_at(rest, ",", cell))
        *cell = *rest, *rest = (ws_span){NULL, 0};
    else
        rest->p++, rest->n--;
    *cell = ws_span_trim(*cell);
    if (cell->n > 1 && *cell->p == '"' && cell->p[cell->n - 1] == '"')
        cell->p++, cell->n -= 2;
    return true;
}

static size_t put_text(char *to, ws_span text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == ' ')
            to[n++] = '\\';
        to[n++] = text.p[i];
    }
    return n;
}

/* One row as a point; a backslash before each blank makes it longer, and the names stand in each. */
static size_t put_point(char *to, ws_span head, ws_span line)
{
    ws_span name, cell, measurement, tags = {"", 0}, time;
    size_t n = 0, fields = 0;
    bool has_tags = ws_span_has_prefix(head, csv_head);
    if (!next_cell(&line, &measurement) || (has_tags && !next_cell(&line, &tags)) || !next_cell(&line, &time))
        return 0;
    for (int i = 0; i < 2 + has_tags; i++)
        next_cell(&head, &name);
    n += put_text(to + n, measurement);
    if (tags.n) {
        to[n++] = ',';
        n += put_text(to + n, tags);
    }
    while (next_cell(&head, &name) && next_cell(&line, &cell)) {
        if (!cell.n)
            continue;
        to[n++] = fields++ ? ',' : ' ';
        n += put_text(to + n, name);
        to[n++] = '=';
        n += put_text(to + n, cell);
    }
    to[n++] = ' ';
    n += put_text(to + n, time);
    to[n++] = '\n';
    return fields ? n : 0;
}

/* The points of such a text in the form of lines. */
static ws_span points_of_csv(ws_arena *arena, ws_span text)
{
    ws_span rest = text, line, head = {"", 0};
    size_t longest = 0, n = 0, capacity = 0;
    char *all = NULL;
    while (ws_span_split(&rest, '\n', &line))
        longest = line.n > longest ? line.n : longest;
    for (rest = text; ws_span_split(&rest, '\n', &line);) {
        line = ws_span_trim(line);
        if (is_csv(line))
            head = line;
        all = ws_grow(all, &capacity, n + 4 * longest + 4, 1); /* name and cell, each with backslashes */
        if (!is_csv(line) && line.n)
            n += put_point(all + n, head, line);
    }
    const char *copy = ws_arena_strndup(arena, all ? all : "", n);
    free(all);
    return (ws_span){copy, n};
}

static int score_line_protocol(const char *path, ws_span head)
{
    enum { LOOKED_AT = 16 * 1024, TRACE = 35, POINTS = 92, LEAST_OF_TEN = 8 };
    size_t n = head.n < LOOKED_AT ? head.n : LOOKED_AT, lines = 0;
    point first;
    ws_span line = {"", 0}, rest = head;
    ws_made_table table = {0};
    while (ws_span_split(&rest, '\n', &line) && (!ws_span_trim(line).n || *ws_span_trim(line).p == '#'))
        ;
    if (!is_csv(head) && !split_point(line, &first))
        return 0;
    while (n < head.n && n && head.p[n - 1] != '\n')
        n--;
    ws_span text = {head.p, n};
    size_t points = add_points(&table, is_csv(head) ? points_of_csv(&table.arena, text) : text, &lines, NULL);
    int score = points * 10 >= lines * LEAST_OF_TEN ? ws_made_score(path, &table) : 0;
    ws_made_free(&table);
    return score >= TRACE ? POINTS : 0;
}

static ws_status read_line_protocol(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    ws_span bytes;
    ws_made_table table = {0};
    size_t lines = 0;
    ws_status status = ws_made_whole_lines(input, &bytes, notes, error);
    if (status != WS_OK)
        return status;
    ws_unread_lines unread = {0};
    size_t points = add_points(&table, is_csv(bytes) ? points_of_csv(&table.arena, bytes) : bytes, &lines, &unread);
    if (points < lines)
        ws_notes_add_many(notes, lines - points, WS_FINDING_SKIPPED_LINE, ws_input_path(input), "", 0,
                          "lines that are no points were left out");
    ws_unread_note(&unread, ws_unread_readings_a_line(&unread), notes, ws_input_path(input));
    status = ws_made_read(&table, input, options, sink, notes, error);
    ws_made_free(&table);
    return status;
}

const ws_format ws_format_line_protocol = {
    .name = "line-protocol",
    .title = "points of InfluxDB's line protocol, as Telegraf's file output writes them, or as CSV",
    .example = "nvidia_smi,host=n1,index=0 power_draw=251.2,utilization_gpu=97i 1770796800000000000\n"
               "nvidia_smi,host=n1,index=0 power_draw=250.8,utilization_gpu=98i 1770796801000000000",
    .tier = 2,
    .gives = WS_GIVES_ANY,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_line_protocol,
    .read = read_line_protocol,
};
