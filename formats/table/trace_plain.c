/* Lines of data as nearly all are, read straight from the text: they have the shape of one before, the stamp differs
 * from the last one in its seconds, and the device is the one whose turn it is. */
#include "formats/table/line_layout.h"
#include "formats/table/trace_section.h"

/* A cell as nearly all are written: a blank in front of it or none. Others do not look like what is expected of them.
 */
WS_INLINE ws_span usual_cell(const char *line, const ws_place *at)
{
    const char *begin = line + at->begin;
    begin += *begin == ' ';
    return (ws_span){begin, (size_t)(line + at->end - begin)};
}

static ws_span cell_of(const char *line, const ws_place *at)
{
    return ws_span_trim((ws_span){line + at->begin, (size_t)(at->end - at->begin)});
}

static __attribute__((noinline)) bool read_anew(const ws_plan *plan, uint32_t v, const ws_place *at, const char *line,
                                                double *number)
{
    return ws_value_read(&plan->values[v], cell_of(line, at), number);
}

WS_INLINE bool read_number(const ws_plan *plan, uint32_t v, const ws_line_layout *shape, const char *line,
                           ws_digit_template_reader *read, double *number)
{
    uint32_t digits;
    const ws_value_cell *cell = &shape->values[v];
    if (line[cell->at.blank] != cell->at.is || !read(&cell->look, line + cell->at.end, &digits))
        return read_anew(plan, v, &cell->at, line, number);
    *number = (int32_t)digits / cell->divisor * cell->to_si;
    return true;
}

WS_INLINE bool read_values(const ws_trace_section *s, const ws_line_layout *shape, const char *line,
                           ws_digit_template_reader *read, ws_lane *lane)
{
    double *number = ws_lane_place(lane, 0);
    for (size_t c = 0; c < lane->n_channels; c++, number += lane->most_rows)
        if (!read_number(&s->plan, lane->from[c], shape, line, read, number))
            return false;
    return true;
}

/* Does the cell hold that name, a blank in front of it or none? Where there is no cell, the name is empty. */
WS_INLINE bool has_name(const char *line, const ws_place *at, ws_span name)
{
    const char *begin = line + at->begin;
    size_t n = (size_t)at->end - at->begin;
    if (n != name.n && (n != name.n + 1 || *begin++ != ' '))
        return false;
    return ws_same_bytes(begin, name.p, name.n);
}

WS_INLINE void expect_next(ws_trace_section *s)
{
    s->next = s->next + 1 < s->n ? s->next + 1 : 0;
}

/* NULL for a new one. */
static __attribute__((noinline)) ws_trace_source *named_source(ws_trace_section *s, const ws_line_layout *shape,
                                                               const char *line)
{
    ws_trace_source *named = &s->sources[s->next];
    if (has_name(line, &shape->id, named->id) && has_name(line, &shape->node, named->node))
        expect_next(s);
    else
        named = ws_trace_known_source(s, cell_of(line, &shape->node), cell_of(line, &shape->id));
    if (named && shape->names_n <= sizeof named->names) {
        memcpy(named->names, line + shape->names, shape->names_n);
        named->names_n = shape->names_n;
    }
    return named;
}

/* The source that is likely to come next where its cells stand as last time, else the one that they name; NULL for a
 * new one. */
WS_INLINE ws_trace_source *find_source(ws_trace_section *s, const ws_line_layout *shape, const char *line)
{
    ws_trace_source *expected = &s->sources[s->next];
    if (shape->names_n != expected->names_n || !ws_same_bytes(line + shape->names, expected->names, shape->names_n))
        return named_source(s, shape, line);
    expect_next(s);
    return expected;
}

static __attribute__((noinline)) bool read_other_stamp(ws_plan *plan, const ws_line_layout *shape, const char *line,
                                                       int64_t *t_ns)
{
    char buffer[WS_STAMP_CELLS];
    ws_span stamp = cell_of(line, &shape->stamp);
    if (plan->date >= 0)
        stamp = ws_timecol_join(buffer, cell_of(line, &shape->date), stamp);
    else
        stamp = ws_timecol_point(&plan->stamps, buffer, stamp);
    return ws_timecol_read(&plan->stamps, stamp, t_ns);
}

/* is_whole: in one cell, and it does not depend on the one before. */
WS_INLINE bool read_stamp(ws_plan *plan, bool is_whole, const ws_line_layout *shape, const char *line,
                          ws_digit_template_reader *read, int64_t *t_ns)
{
    return (is_whole && ws_stamp_from_cache(&plan->stamps.cache, usual_cell(line, &shape->stamp), read, t_ns)) ||
           read_other_stamp(plan, shape, line, t_ns);
}

/* What the lines of a section may need beside a stamp in front, a device and numbers. */
typedef struct needs {
    bool comments, /* what begins with a stamp is none */
        long_stamps, intervals;
} needs;

static needs needs_of(const ws_plan *plan)
{
    return (needs){plan->time != 0, plan->date >= 0 || ws_timecol_is_serial(&plan->stamps), plan->interval >= 0};
}

/* The work of ws_trace_take_plain, made for each way to find masks and to read digits. */
WS_INLINE ws_status take_lines(ws_trace *t, ws_plain_lines *lines, needs need, ws_error *error, ws_masks_of *look,
                               ws_digit_template_reader *read)
{
    ws_line_with_layout line;
    ws_trace_section *s = t->current;
    const char *at = lines->text.p, *end = at + lines->text.n, *last = at;
    int64_t number = lines->first, t_ns, interval_ns = t->options->period_ns;
    ws_status status = WS_OK;
    while (status == WS_OK && ws_line_with_layout_at(&line, &t->shapes, at, end, look)) {
        const ws_line_layout *shape = line.shape ? line.shape : ws_line_layouts_learn(&t->shapes, at, end);
        if (!shape || (need.comments && (*at <= ' ' || *at == '#')) ||
            !read_stamp(&s->plan, !need.long_stamps, shape, at, read, &t_ns))
            break;
        ws_trace_source *from = find_source(s, shape, at);
        if (!from || !read_values(s, shape, at, read, &from->lane))
            break;
        if (need.intervals && !ws_plan_read_interval(&s->plan, cell_of(at, &shape->interval), &interval_ns))
            break;
        from->last_ns = t_ns;
        status = ws_lane_close_row(&from->lane, t_ns, interval_ns, number, error);
        number++;
        last = at;
        at = line.next;
    }
    lines->n = number - lines->first;
    lines->last = (ws_span){last, (size_t)(at - last)};
    lines->text = (ws_span){at, (size_t)(end - at)};
    return status;
}

/* Most need nothing: made once more for them, without the questions. */
WS_INLINE ws_status take_lines_of_all(ws_trace *t, ws_plain_lines *lines, ws_error *error, ws_masks_of *look,
                                      ws_digit_template_reader *read)
{
    needs none = {0}, need = needs_of(&t->current->plan);
    bool is_simple = !need.comments && !need.long_stamps && !need.intervals;
    return is_simple ? take_lines(t, lines, none, error, look, read) : take_lines(t, lines, need, error, look, read);
}

static ws_status take_portable(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    return take_lines_of_all(t, lines, error, ws_masks_portable, ws_digit_template_read);
}

#if defined __x86_64__
WS_AVX2 static ws_status take_avx2(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    return take_lines_of_all(t, lines, error, ws_masks_avx2, ws_digit_template_read_avx2);
}
#else
#define take_avx2 take_portable
#endif

/* May rows of the current section be read without cutting them? Those that take turns need all of their cells. */
static bool is_usual(const ws_trace *t)
{
    const ws_trace_section *s = t->current;
    return t->delimiter != ' ' && s && s->plan.is_settled && s->n && s->plan.time >= 0 &&
           s->plan.stamps.form == s->plan.stamps.cache.form && (s->plan.is_wide || s->plan.positions <= 1);
}

bool ws_trace_rows_stand_alone(const ws_trace *t)
{
    return is_usual(t) && t->current->plan.interval < 0 && t->current->plan.positions <= 1 &&
           !ws_timecol_is_serial(&t->current->plan.stamps);
}

ws_status ws_trace_take_plain(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    if (!lines->text.n || t->options->rows.reader == WS_READER_CSV || !is_usual(t))
        return WS_OK;
    const ws_trace_section *s = t->current;
    if (t->shapes.plan != &s->plan || t->shapes.n_used != s->n_used)
        ws_line_layouts_start(&t->shapes, t->delimiter, &s->plan, s->used, s->n_used);
    bool is_portable = t->options->rows.reader == WS_READER_PORTABLE || !ws_has_avx2();
    return (is_portable ? take_portable : take_avx2)(t, lines, error);
}
