/* Each row of a delimited trace, from the first to the last. Nearly all are plain lines of data, read straight from the
 * text: the layout is that of an earlier line, the stamp differs from the last one in its seconds only, and the device
 * is the one expected next. The others are cut into cells and taken one by one. */
#include "formats/table/trace_rows.h"

#include "core/arena.h"
#include "formats/table/date_lines.h"
#include "formats/table/trace_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- templates of numbers --- */

static ws_sixteen at_byte(size_t i, unsigned value)
{
    return (ws_sixteen)value << 8 * i;
}

ws_number_template ws_number_template_of(const char *line, const ws_number_cell *cell)
{
    size_t from = cell->end > WS_NUMBER_BYTES ? cell->end - WS_NUMBER_BYTES : 0, n = cell->whole + cell->decimals;
    size_t point = cell->digits + cell->whole - from, end = point + (cell->decimals ? 1 + cell->decimals : 0);
    ws_number_template number = {.from = (uint16_t)from, .shift = (uint8_t)(8 * (WS_NUMBER_BYTES - end))};
    for (size_t i = 0; i < WS_NUMBER_BYTES; i++) {
        bool is_text = from + i >= cell->begin && from + i < cell->end;
        bool is_whole = from + i >= cell->digits && i < point, is_digit = is_whole || (i > point && i < end);
        number.fixed |= at_byte(i, is_digit ? '0' : is_text ? (unsigned char)line[from + i] : 0);
        number.most |= at_byte(i, is_digit ? 9 : is_text ? 0 : 255);
        number.before |= at_byte(i, is_whole && cell->decimals ? 255 : 0);
        number.others |= at_byte(i, is_digit && !(is_whole && cell->decimals) ? 255 : 0);
        size_t from_end = WS_NUMBER_BYTES - i, source = end - from_end - (cell->decimals && from_end > cell->decimals);
        number.order |= at_byte(i, from_end <= n ? (unsigned)source : 0x80);
    }
    return number;
}

ws_number_template ws_number_template_none(void)
{
    return (ws_number_template){.fixed = '\n', .most = ~(ws_sixteen)255};
}

/* --- layouts --- */

/* Layouts of the lines of a trace: where the delimiters are, and how the number in each value cell is written. Most
 * lines have the layout of a recent one, as "86.35 W, 48 %" and "91.02 W, 52 %" do. Such a line is not searched:
 * sixteen bytes at a known place are checked and read as one word. */

/* Longer lines get no layout. In a file with more layouts than slots, none is worth keeping. */
enum { LAYOUT_WORDS = 8, LAYOUT_SLOTS = 1024 };

/* A cell between its delimiters, counted from the start of the line. */
typedef struct place {
    uint16_t begin, end; /* {0, 0}: no such column, or an empty cell */
} place;

/* A number, maybe with a point, a blank before it, a unit and blanks after it. Any other cell has a template that fits
 * no line. */
typedef struct value_cell {
    place at;
    ws_number_template number;
    double divisor, to_si; /* SI value = digits / divisor * to_si */
} value_cell;

typedef struct line_layout {
    uint16_t words;              /* of 64 bytes each */
    uint16_t returns;            /* 1 where a carriage return ends it */
    uint64_t ends[LAYOUT_WORDS]; /* where its cells end: delimiters, and the newline */
    place stamp, date, interval, id, node;
    value_cell seconds;      /* of the interval, where its template is known */
    int64_t second_ns;       /* what its last digit stands for; 0: not known */
    uint16_t names, names_n; /* the place of id and node, with the delimiter after them; UINT16_MAX: not side by side */
    value_cell values[];     /* of the plan; unwanted ones are not set */
} line_layout;

/* The layouts learnt so far, of the lines of one plan. */
typedef struct ws_line_layouts line_layouts;
struct ws_line_layouts {
    ws_marks marks;
    const ws_plan *plan;
    int32_t id_column;
    const uint32_t *used; /* the values of the plan that are wanted */
    size_t n_used;
    size_t n, most, stride;
    char *items;
    line_layout *slots[LAYOUT_SLOTS]; /* by hash; NULL: free */
};

typedef struct line_with_layout {
    const char *next;          /* the line after it */
    const line_layout *layout; /* NULL: not known */
} line_with_layout;

WS_INLINE uint64_t hash_words(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

WS_INLINE bool same_words(const uint64_t *a, const uint64_t *b, size_t n)
{
    uint64_t differences = 0;
    for (size_t i = 0; i < n; i++)
        differences |= a[i] ^ b[i];
    return differences == 0;
}

WS_INLINE const line_layout *find_layout(const line_layouts *layouts, const uint64_t *ends, size_t words, int returns,
                                         uint64_t hash)
{
    for (size_t slot = hash >> 54;; slot = (slot + 1) % LAYOUT_SLOTS) {
        const line_layout *layout = layouts->slots[slot];
        if (!layout || (layout->words == words && layout->returns == returns && same_words(layout->ends, ends, words)))
            return layout;
    }
}

/* The line that begins at `begin`, with its layout if that is known. False if it has no end before `end` or is too
 * long. */
WS_INLINE bool line_at(line_with_layout *line, const line_layouts *layouts, const char *begin, const char *end,
                       ws_masks_of *look)
{
    uint64_t ends[LAYOUT_WORDS], hash = 0;
    int odd = 0;
    const char *at = begin;
    for (size_t w = 0; w < LAYOUT_WORDS && at < end; w++, at += WS_WORD) {
        ws_masks m = ws_look_at(look, at, end, &layouts->marks);
        uint64_t inside = m.newlines ^ (m.newlines - 1); /* all of it where no line ends */
        ends[w] = (m.delimiters | m.newlines) & inside;
        hash = hash_words(hash, ends[w]);
        odd += __builtin_popcountll(m.odd & inside);
        if (!m.newlines)
            continue;
        const char *newline = at + __builtin_ctzll(m.newlines);
        bool is_plain = !odd || (odd == 1 && newline[-1] == '\r');
        line->next = newline + 1;
        line->layout = is_plain ? find_layout(layouts, ends, w + 1, odd, hash) : NULL;
        return true;
    }
    return false;
}

enum { LEAST_BLANK_DIGITS = 10 }; /* of numbers that stand for no reading (ws_plan_value.is_blank) */

enum { MOST_LAYOUTS = LAYOUT_SLOTS / 8, LEAST_LAYOUTS = 8, MOST_BYTES = 256 * 1024 };

/* Forgets what was learnt before. */
static void start_layouts(line_layouts *layouts, char delimiter, const ws_plan *plan, const uint32_t *used,
                          size_t n_used)
{
    free(layouts->items);
    *layouts = (line_layouts){0};
    size_t stride = sizeof(line_layout) + plan->n_values * sizeof(value_cell), most = MOST_LAYOUTS;
    while (most > LEAST_LAYOUTS && most * stride > MOST_BYTES)
        most /= 2;
    layouts->plan = plan;
    layouts->id_column = plan->is_wide ? WS_NO_COLUMN : plan->ids[plan->identity];
    layouts->used = used;
    layouts->n_used = n_used;
    layouts->stride = stride;
    layouts->most = most;
    layouts->items = ws_realloc(NULL, most, stride);
    ws_marks_init(&layouts->marks, delimiter);
}

void ws_trace_plain_free(ws_trace *t)
{
    if (t->layouts)
        free(t->layouts->items);
    free(t->layouts);
    t->layouts = NULL;
}

static void set_scale(value_cell *cell, const ws_plan_value *value, size_t decimals, bool has_unit)
{
    cell->divisor = value->per_si > 0 && !has_unit ? value->per_si : ws_exact_powers[decimals];
    cell->to_si = has_unit ? value->cell_to_si : value->per_si > 0 ? 1 : value->to_si;
}

/* Gives the cell a template if it can be read at once; false if not. */
static bool learn_number(value_cell *cell, const ws_plan_value *value, const char *line)
{
    size_t begin = cell->at.begin, end = cell->at.end, digits = begin + (begin < end && line[begin] == ' ');
    ws_span text = {line + digits, end - digits};
    ws_span trimmed = ws_span_trim(text), unit = {value->cell_unit, value->cell_unit_n};
    size_t whole = ws_span_digits(text), decimals = 0, n = whole;
    if (n < text.n && text.p[n] == '.') {
        decimals = ws_span_digits((ws_span){text.p + n + 1, text.n - n - 1});
        n += 1 + decimals;
    }
    bool is_word = end - begin <= WS_NUMBER_BYTES && whole + decimals > 0 && whole + decimals <= WS_NUMBER_DIGITS;
    bool is_whole_number = !decimals && n == text.n, may_scale = !(value->per_si > 0) || is_whole_number;
    may_scale &= !value->is_blank || whole < LEAST_BLANK_DIGITS;
    bool is_known = n == trimmed.n || ws_span_same((ws_span){text.p + n, trimmed.n - n}, unit);
    if (!may_scale || !is_word || !is_known) {
        cell->number = ws_number_template_none();
        return false;
    }
    ws_number_cell at = {begin, digits, end, whole, decimals};
    cell->number = ws_number_template_of(line, &at);
    set_scale(cell, value, decimals, n < trimmed.n);
    return true;
}

/* The interval as a whole number of nanoseconds. */
static void learn_interval(line_layout *layout, const ws_plan *plan, const char *line)
{
    static const ws_plan_value seconds = {.to_si = 1};
    enum { MOST_BYTES_OF_INTERVAL = 9 }; /* whose nanoseconds fit */
    bool may_know = plan->interval >= 0 && plan->interval_to_s >= 1 &&
                    layout->interval.end - layout->interval.begin <= MOST_BYTES_OF_INTERVAL;
    layout->seconds = (value_cell){.at = layout->interval};
    layout->second_ns =
        may_know && learn_number(&layout->seconds, &seconds, line) ? 1000000000 / (int64_t)layout->seconds.divisor : 0;
}

/* Of a column and so many behind it. */
static place place_of_columns(const ws_cut *cut, int32_t column, int32_t more)
{
    if (column < 0)
        return (place){0};
    const char *line = cut->begin[0], *begin = cut->begin[column], *end = cut->begin[column + more + 1] - 1;
    return (place){(uint16_t)(begin - line), (uint16_t)(end - line)};
}

static place place_of(const ws_cut *cut, int32_t column)
{
    return place_of_columns(cut, column, 0);
}

/* Only for names that lie side by side. */
static void learn_names(line_layout *layout, int32_t id, const ws_plan *plan)
{
    const place *first = &layout->id, *last = &layout->node;
    layout->names = layout->names_n = 0;
    if (id < 0 && plan->node < 0)
        return;
    if (id < 0 || (plan->node >= 0 && plan->node < id))
        first = &layout->node, last = &layout->id;
    if (id < 0 || plan->node < 0)
        last = first;
    bool are_side_by_side = last == first || first->end + 1 == last->begin;
    layout->names = first->begin;
    layout->names_n = are_side_by_side ? (uint16_t)(last->end + 1 - first->begin) : UINT16_MAX;
}

static void learn(line_layout *layout, const line_layouts *layouts, const ws_cut *cut)
{
    const ws_plan *plan = layouts->plan;
    layout->returns = cut->begin[cut->n] != cut->next;
    layout->stamp = place_of(cut, plan->time);
    layout->date = place_of(cut, plan->date);
    layout->interval = place_of(cut, plan->interval);
    learn_interval(layout, plan, cut->begin[0]);
    layout->id = place_of_columns(cut, layouts->id_column, plan->id_more);
    layout->node = place_of_columns(cut, plan->node, plan->node_more);
    learn_names(layout, layouts->id_column, plan);
    for (size_t u = 0; u < layouts->n_used; u++) {
        const ws_plan_value *value = &plan->values[layouts->used[u]];
        value_cell *cell = &layout->values[layouts->used[u]];
        cell->at = place_of(cut, (int32_t)value->column);
        learn_number(cell, value, cut->begin[0]);
    }
}

static line_layout *add_shape(line_layouts *layouts, uint64_t hash)
{
    if (layouts->n == layouts->most) {
        layouts->n = 0;
        memset(layouts->slots, 0, sizeof layouts->slots);
    }
    size_t slot = hash >> 54;
    while (layouts->slots[slot])
        slot = (slot + 1) % LAYOUT_SLOTS;
    return layouts->slots[slot] = (line_layout *)(void *)(layouts->items + layouts->n++ * layouts->stride);
}

/* The layout of a plain line with as many cells as the plan has columns; NULL for any other line. If there are too many
 * layouts the others are forgotten, so the pointer is valid until the next one is learnt. */
static const line_layout *learn_layout(line_layouts *layouts, const char *line, const char *end)
{
    ws_cut cut;
    uint64_t ends[LAYOUT_WORDS] = {0}, hash = 0;
    if (!ws_cut_line(&cut, line, end, &layouts->marks, WS_MOST_CELLS, ws_masks_portable) ||
        cut.n != layouts->plan->n_columns || cut.next - line > LAYOUT_WORDS * WS_WORD)
        return NULL;
    size_t words = (size_t)(cut.next - 1 - line) / WS_WORD + 1;
    for (size_t i = 1; i <= cut.n; i++) {
        size_t at = (size_t)((i < cut.n ? cut.begin[i] : cut.next) - 1 - line);
        ends[at / WS_WORD] |= UINT64_C(1) << at % WS_WORD;
    }
    for (size_t w = 0; w < words; w++)
        hash = hash_words(hash, ends[w]);
    line_layout *layout = add_shape(layouts, hash);
    layout->words = (uint16_t)words;
    memcpy(layout->ends, ends, sizeof ends);
    learn(layout, layouts, &cut);
    return layout;
}

/* --- plain lines --- */

/* The cell without a single blank before it, as nearly all cells are written. Any other spelling fails the checks that
 * follow. */
WS_INLINE ws_span usual_cell(const char *line, const place *at)
{
    const char *begin = line + at->begin;
    begin += *begin == ' ';
    return (ws_span){begin, (size_t)(line + at->end - begin)};
}

static ws_span cell_of(const char *line, const place *at)
{
    return ws_span_trim((ws_span){line + at->begin, (size_t)(at->end - at->begin)});
}

static __attribute__((noinline)) bool read_anew(const ws_plan *plan, uint32_t v, const place *at, const char *line,
                                                double *number)
{
    return ws_value_read(&plan->values[v], cell_of(line, at), number);
}

WS_INLINE bool read_by_layout(const ws_plan *plan, uint32_t v, const line_layout *layout, const char *line,
                              ws_number_reader *read, double *number)
{
    uint64_t digits;
    const value_cell *cell = &layout->values[v];
    if (!read(&cell->number, line, &digits))
        return read_anew(plan, v, &cell->at, line, number);
    *number = (double)(int64_t)digits / cell->divisor * cell->to_si;
    return true;
}

WS_INLINE bool read_values(const ws_trace_section *s, const line_layout *layout, const char *line,
                           ws_number_reader *read, ws_lane *lane)
{
    double *number = ws_lane_place(lane, 0);
    const uint32_t *from = lane->from, *end = from + lane->n_channels;
    for (size_t step = lane->most_rows; from < end; from++, number += step)
        if (!read_by_layout(&s->plan, *from, layout, line, read, number))
            return false;
    return true;
}

/* Does the cell hold this name, after a blank or none? Without such a column the name is empty. A name that keeps
 * blanks at its ends came out of quotes, and no plain cell holds it. */
WS_INLINE bool has_name(const char *line, const place *at, ws_span name)
{
    const char *begin = line + at->begin;
    size_t n = (size_t)at->end - at->begin;
    if (name.n && (name.p[0] <= ' ' || name.p[name.n - 1] <= ' '))
        return false;
    if (n != name.n && (n != name.n + 1 || *begin++ != ' '))
        return false;
    return ws_same_bytes(begin, name.p, name.n);
}

WS_INLINE void expect_next(ws_trace_section *s)
{
    s->next = s->next + 1 < s->n ? s->next + 1 : 0;
}

/* NULL for a new owner. */
static __attribute__((noinline)) ws_row_owner *named_owner(ws_trace_section *s, const line_layout *layout,
                                                           const char *line)
{
    ws_row_owner *named = &s->owners[s->next];
    if (has_name(line, &layout->id, named->id) && has_name(line, &layout->node, named->node))
        expect_next(s);
    else
        named = ws_row_owner_known(s, cell_of(line, &layout->node), cell_of(line, &layout->id));
    if (named && layout->names_n <= sizeof named->names) {
        memcpy(named->names, line + layout->names, layout->names_n);
        named->names_n = layout->names_n;
    }
    return named;
}

/* The owner that is likely to come next, if the line spells its cells as the last time; else the one that they name.
 * NULL for a new owner. */
WS_INLINE ws_row_owner *find_owner(ws_trace_section *s, const line_layout *layout, const char *line)
{
    ws_row_owner *expected = &s->owners[s->next];
    if (layout->names_n != expected->names_n || !ws_same_bytes(line + layout->names, expected->names, layout->names_n))
        return named_owner(s, layout, line);
    expect_next(s);
    return expected;
}

static __attribute__((noinline)) bool read_other_stamp(ws_plan *plan, const line_layout *layout, const char *line,
                                                       int64_t *t_ns)
{
    char buffer[WS_STAMP_CELLS];
    ws_span stamp = cell_of(line, &layout->stamp);
    if (plan->date >= 0)
        stamp = ws_timecol_join(buffer, cell_of(line, &layout->date), stamp);
    else
        stamp = ws_timecol_point(&plan->stamps, buffer, stamp);
    return ws_timecol_read(&plan->stamps, stamp, t_ns);
}

/* is_whole: the stamp is in one cell and does not depend on the one before. */
WS_INLINE bool stamp_of_line(ws_plan *plan, bool is_whole, const line_layout *layout, const char *line,
                             ws_digit_template_reader *read, int64_t *t_ns)
{
    return (is_whole && ws_stamp_from_cache(&plan->stamps.cache, usual_cell(line, &layout->stamp), read, t_ns)) ||
           read_other_stamp(plan, layout, line, t_ns);
}

WS_INLINE bool read_interval(const ws_plan *plan, const line_layout *layout, const char *line, ws_number_reader *read,
                             int64_t *ns)
{
    uint64_t digits;
    if (layout->second_ns && read(&layout->seconds.number, line, &digits)) {
        *ns = (int64_t)digits * layout->second_ns;
        return true;
    }
    return ws_plan_read_interval(plan, cell_of(line, &layout->interval), ns) && *ns >= 0;
}

/* What the lines of a section may need beside a stamp in front, a device and numbers. */
typedef struct needs {
    bool comments, /* lines may be comments; not if the stamp comes first */
        long_stamps, intervals, new_stamps;
} needs;

static needs needs_of(const ws_trace_section *s)
{
    const ws_plan *plan = &s->plan;
    return (needs){plan->time != 0, plan->date >= 0 || ws_timecol_is_serial(&plan->stamps), plan->interval >= 0,
                   s->stops_at_repeats};
}

/* Where repeated stamps matter: false for one. */
WS_INLINE bool is_new_stamp(ws_row_owner *owner, int64_t t_ns)
{
    if (!owner->lane.count)
        owner->first_ns = t_ns;
    return !owner->lane.count || t_ns != owner->last_ns;
}

/* The work of ws_trace_take_plain, made for each way to find masks and to read digits. */
WS_INLINE ws_status take_lines(ws_trace *t, ws_plain_lines *lines, needs need, ws_error *error, ws_masks_of *look,
                               ws_digit_template_reader *read_seconds, ws_number_reader *read)
{
    line_with_layout line;
    ws_trace_section *s = t->current;
    line_layouts *layouts = t->layouts;
    const char *at = lines->text.p, *end = at + lines->text.n, *last = at;
    int64_t number = lines->first, t_ns, interval_ns = t->options->period_ns;
    ws_status status = WS_OK;
    while (status == WS_OK && end - at >= WS_NUMBER_BYTES && line_at(&line, layouts, at, end, look)) {
        const line_layout *layout = line.layout ? line.layout : learn_layout(layouts, at, end);
        if (!layout || (need.comments && (*at <= ' ' || *at == '#')) ||
            !stamp_of_line(&s->plan, !need.long_stamps, layout, at, read_seconds, &t_ns))
            break;
        ws_row_owner *from = find_owner(s, layout, at);
        if (!from || !read_values(s, layout, at, read, &from->lane))
            break;
        if (need.new_stamps && !is_new_stamp(from, t_ns))
            break;
        if (need.intervals && !read_interval(&s->plan, layout, at, read, &interval_ns))
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
                                      ws_digit_template_reader *read_seconds, ws_number_reader *read)
{
    needs none = {0}, need = needs_of(t->current);
    bool is_simple = !need.comments && !need.long_stamps && !need.intervals && !need.new_stamps;
    return is_simple ? take_lines(t, lines, none, error, look, read_seconds, read)
                     : take_lines(t, lines, need, error, look, read_seconds, read);
}

static ws_status take_portable(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    return take_lines_of_all(t, lines, error, ws_masks_portable, ws_digit_template_read, ws_number_read);
}

#if defined __x86_64__
WS_AVX2 static ws_status take_avx2(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    return take_lines_of_all(t, lines, error, ws_masks_avx2, ws_digit_template_read_avx2, ws_number_read_avx2);
}
#else
#define take_avx2 take_portable
#endif

/* Counts that are no seconds since the epoch are read anew each time. */
static bool is_stamp_known(const ws_timecol *stamps)
{
    bool is_count = stamps->form == WS_STAMP_EPOCH || stamps->form == WS_STAMP_ELAPSED;
    return stamps->form == stamps->cache.form || (is_count && !stamps->cache.before_n && !stamps->cache.usual_n);
}

/* May rows of the current section be read without cutting them? Those that take turns need all of their cells. */
static bool takes_all_rows(const ws_trace *t)
{
    const ws_trace_section *s = t->current;
    return t->delimiter != ' ' && t->delimiter != WS_WORDS && s && s->plan.is_settled && s->n && s->plan.time >= 0 &&
           is_stamp_known(&s->plan.stamps) && (s->plan.is_wide || s->plan.positions <= 1);
}

bool ws_trace_rows_are_known(const ws_trace *t)
{
    return takes_all_rows(t) && t->current->plan.positions <= 1 && !ws_timecol_is_serial(&t->current->plan.stamps);
}

bool ws_trace_rows_stand_alone(const ws_trace *t)
{
    return ws_trace_rows_are_known(t) && t->current->plan.interval < 0;
}

ws_status ws_trace_take_plain(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    if (!lines->text.n || t->options->rows.reader == WS_READER_CSV || !takes_all_rows(t))
        return WS_OK;
    const ws_trace_section *s = t->current;
    t->layouts = t->layouts ? t->layouts : ws_alloc(sizeof *t->layouts);
    if (t->layouts->plan != &s->plan || t->layouts->n_used != s->n_used)
        start_layouts(t->layouts, t->delimiter, &s->plan, s->used, s->n_used);
    bool is_portable = t->options->rows.reader == WS_READER_PORTABLE || !ws_has_avx2();
    return (is_portable ? take_portable : take_avx2)(t, lines, error);
}

/* --- every other row: data, another header, or something odd --- */

enum { MOST_SECTIONS = 64, MOST_AT_ONCE = 1024 };

static const ws_span no_cell = {"", 0};

static bool number_with_unit(ws_plan_value *value, ws_span cell, double *number)
{
    double x;
    ws_span rest;
    size_t length = ws_span_decimal(cell, &x);
    if (!ws_span_number(cell, &x, &rest))
        return false;
    if (!rest.n) {
        *number = x * value->to_si;
        return true;
    }
    const ws_unit *unit = ws_unit_find(rest);
    if (!unit || unit->dimension != ws_quantity_dimension(value->meaning.quantity))
        return false;
    ws_span behind = {cell.p + length, cell.n - length};
    if (length && behind.n <= sizeof value->cell_unit) {
        memcpy(value->cell_unit, behind.p, behind.n);
        value->cell_unit_n = behind.n;
        value->cell_to_si = unit->to_si;
    }
    *number = x * unit->to_si;
    return true;
}

/* A cell that is not a plain number: missing, several lines, a decimal comma, another unit, or unreadable. */
static double odd_number(ws_trace *t, const ws_plan *plan, ws_plan_value *value, ws_span cell, int64_t line)
{
    double number;
    char buffer[WS_POINT_CELL];
    const char *newline = cell.n ? memchr(cell.p, '\n', cell.n) : NULL;
    if (newline) {
        ws_notes_add(t->context.notes, WS_FINDING_MULTI_LINE_CELL, t->context.source, value->name, line,
                     "a cell of '%s' holds several lines: the first is taken", value->name);
        cell = ws_span_trim((ws_span){cell.p, (size_t)(newline - cell.p)});
    }
    if (ws_span_is_missing(cell))
        return NAN;
    ws_span with_point = ws_plan_point(plan, buffer, cell);
    if (number_with_unit(value, with_point, &number)) {
        if (with_point.p == buffer)
            ws_notes_add(t->context.notes, WS_FINDING_DECIMAL_COMMA, t->context.source, value->name, line,
                         with_point.n < cell.n ? "'%.*s' is read as a number with groups of thousands"
                                               : "'%.*s' is read as a number with a decimal comma",
                         WS_SPAN_ARG(cell));
        return number;
    }
    ws_note_unreadable_cell(t->context.notes, t->context.source, value->name, line, cell);
    return NAN;
}

static double read_number(ws_trace *t, const ws_plan *plan, ws_plan_value *value, const ws_row *row)
{
    double number;
    ws_span cell = ws_row_cell(row, (int32_t)value->column);
    return ws_value_read(value, cell, &number) ? number : odd_number(t, plan, value, cell, row->line);
}

/* The stamp of a data row. False if it is not a data row; the caller finds out what else it is. */
static bool read_time(ws_trace *t, ws_trace_section *s, const ws_row *row, int64_t *t_ns)
{
    char buffer[WS_STAMP_CELLS];
    if (s->plan.time >= 0)
        return ws_timecol_read(&s->plan.stamps, ws_plan_stamp(&s->plan, row, buffer), t_ns);
    *t_ns = t->date_line.ns;
    if (s->plan.uses_date_lines && !t->has_date_line)
        return false;
    bool all_missing = row->n_cells == s->plan.n_columns;
    for (size_t v = 0; v < s->plan.n_values; v++) {
        double number;
        ws_span rest, cell = ws_row_cell(row, (int32_t)s->plan.values[v].column);
        if (ws_span_number(cell, &number, &rest))
            return true;
        all_missing &= ws_span_is_missing(cell);
    }
    return all_missing;
}

static int64_t row_interval(ws_trace *t, const ws_plan *plan, const ws_row *row)
{
    int64_t ns = 0;
    if (plan->interval < 0)
        return t->options->period_ns;
    ws_span cell = ws_row_cell(row, plan->interval);
    if (!ws_plan_read_interval(plan, cell, &ns))
        ws_trace_note(t, WS_FINDING_UNREADABLE_CELL, row->line, "no length of an interval:", cell);
    return ns;
}

static ws_status take_data(ws_trace *t, ws_trace_section *s, const ws_row *row, int64_t t_ns, ws_error *error)
{
    ws_row_owner *from;
    ws_trace_has_reading(t);
    t->policy.n_columns = s->plan.n_columns;
    bool is_refused_row = !ws_row_is_usable(&t->policy, row);
    /* a stamp that was cut may still parse, as an earlier one */
    if (is_refused_row && s->plan.time >= 0 && (uint32_t)s->plan.time + 1 >= row->n_cells)
        return WS_OK;
    /* a device name that was cut must not become a new device */
    if (is_refused_row && s->plan.positions <= 1 && !ws_row_owner_of(s, row))
        return WS_OK;
    ws_status status = ws_row_owner_find(t, s, row, t_ns, &from, error);
    if (status != WS_OK || !from)
        return status;
    for (size_t c = 0; c < from->lane.n_channels; c++)
        *ws_lane_place(&from->lane, c) =
            is_refused_row ? NAN : read_number(t, &s->plan, &s->plan.values[from->lane.from[c]], row);
    if (s->plan.time < 0 && !s->plan.uses_date_lines)
        t_ns = from->lane.count * t->options->period_ns;
    from->last_ns = t_ns;
    return ws_lane_close_row(&from->lane, t_ns, row_interval(t, &s->plan, row), row->line, error);
}

/* A data row with an unreadable stamp: its values count as missing. */
static ws_status take_stampless(ws_trace *t, ws_trace_section *s, const ws_row *row, ws_error *error)
{
    char buffer[WS_STAMP_CELLS];
    if (s->plan.stamps.contradicts) {
        ws_span stamp = ws_plan_stamp(&s->plan, row, buffer);
        return ws_fail_at(error, WS_FORMAT, t->context.source, row->line, "'%.*s' " WS_MONTH_FIRST_REMEDY,
                          WS_SPAN_ARG(stamp));
    }
    if (row->unfinished) {
        ws_row_note_cut(&t->policy, row);
        return WS_OK;
    }
    bool has_time = s->plan.time >= 0;
    ws_trace_note(
        t, has_time ? WS_FINDING_BAD_STAMP : WS_FINDING_SKIPPED_LINE, row->line,
        has_time ? "no stamp:" : "no row of data:", has_time ? ws_plan_stamp(&s->plan, row, buffer) : row->cells[0]);
    bool is_whole = has_time && row->n_cells == s->plan.n_columns;
    ws_row_owner *from = is_whole ? ws_row_owner_of(s, row) : NULL;
    if (!from || !from->lane.count)
        return WS_OK;
    for (size_t c = 0; c < from->lane.n_channels; c++)
        *ws_lane_place(&from->lane, c) = NAN;
    return ws_lane_close_row(&from->lane, from->last_ns, row_interval(t, &s->plan, row), row->line, error);
}

static bool is_header_of(const ws_plan *plan, const ws_row *row)
{
    return plan->header && ws_row_spells(row, plan->header, plan->n_columns);
}

static ws_status switch_section(ws_trace *t, const ws_row *header, ws_error *error)
{
    ws_error failure = {0};
    ws_status status = t->current ? ws_trace_section_flush(t->current, error) : WS_OK;
    if (status != WS_OK)
        return status;
    for (size_t i = 0; i < t->n_sections; i++) {
        if (is_header_of(&t->sections[i]->plan, header)) {
            t->current = t->sections[i];
            return WS_OK;
        }
    }
    if (t->n_sections == MOST_SECTIONS)
        return ws_fail_at(error, WS_FORMAT, t->context.source, header->line,
                          "more than %d different headers: this is not one trace", MOST_SECTIONS);
    ws_trace_section *s = ws_trace_section_add(t);
    s->is_unusable = ws_plan_from_header(&s->plan, &t->context, header, &failure) != WS_OK;
    ws_trace_section_start(s);
    t->devices.section++;
    ws_trace_note(t, s->is_unusable ? WS_FINDING_UNUSABLE_HEADER : WS_FINDING_CHANGED_HEADER, header->line,
                  s->is_unusable ? failure.message : "the columns change inside the file", no_cell);
    t->current = s;
    return WS_OK;
}

/* If the rows no longer name their devices, they are taken to be those of the first section, in the same order. */
static void take_over_devices(ws_trace *t, ws_trace_section *s, const ws_row *row)
{
    const ws_trace_section *first = t->sections[0];
    const ws_plan *before = &first->plan;
    bool are_told = before->identity != WS_ROLE_UNKNOWN && before->identity != WS_ROLE_NAME;
    bool tells = s->plan.identity != WS_ROLE_UNKNOWN && s->plan.identity != WS_ROLE_NAME;
    if (!first->n || !are_told || tells || before->is_wide || s->plan.is_wide || before->node >= 0 || s->plan.node >= 0)
        return;
    s->like = first;
    s->plan.positions = (uint32_t)first->n;
    ws_trace_note(t, WS_FINDING_ASSUMED_DEVICE, row->line,
                  "no column tells devices apart any more: rows take turns between those before", no_cell);
}

static ws_status take_first_after_header(ws_trace *t, ws_trace_section *s, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    if (!s->is_unusable)
        ws_plan_settle_after(&s->plan, &t->context, &t->sections[0]->plan, row);
    if (s->plan.is_settled)
        take_over_devices(t, s, row);
    if (s->plan.is_settled && read_time(t, s, row, &t_ns))
        return take_data(t, s, row, t_ns, error);
    ws_row_note_no_data(&t->policy, row);
    return WS_OK;
}

/* A time of day that falls back by more than half a day has passed midnight. */
static void pass_midnight_of_lines(const ws_trace *t, ws_stamp *stamp)
{
    static const int64_t DAY_NS = INT64_C(86400) * 1000000000;
    if (!t->has_date_line)
        return;
    stamp->ns += t->date_line.ns - t->date_line.ns % DAY_NS;
    if (stamp->ns < t->date_line.ns - DAY_NS / 2)
        stamp->ns += DAY_NS;
}

static bool take_date_line(ws_trace *t, const ws_row *row)
{
    char buffer[WS_DATE_LINE];
    ws_span text;
    ws_stamp stamp;
    bool may_be_row = row->n_cells > 1 && t->sections[0]->plan.time >= 0;
    if (may_be_row || !ws_row_is_date_line(row, t->sections[0]->plan.takes_bare_stamps, buffer, &text) ||
        !ws_stamp_parse(ws_stamp_guess(text), text, t->context.zone, &stamp))
        return false;
    if (ws_stamp_guess(text) == WS_STAMP_CLOCK)
        pass_midnight_of_lines(t, &stamp);
    t->date_line = stamp;
    t->has_date_line = true;
    if (t->current)
        ws_poll_restart(&t->current->poll);
    return true;
}

/* Digits and what stands between them in a stamp, in a line without a cell behind it: a row that was cut there, as on a
 * full disk. A number of fewer digits may be what a program printed. */
static bool is_cut_in_stamp(const ws_trace_section *s, const ws_row *row)
{
    enum { LEAST = 4 };
    ws_span cell = ws_span_trim(row->cells[0]);
    bool may_be = row->n_cells == 1 && s->plan.time == 0 && s->plan.n_columns > 1 && !row->unfinished &&
                  cell.n >= LEAST && cell.p[0] >= '0' && cell.p[0] <= '9';
    for (size_t i = 0; i < cell.n && may_be; i++)
        may_be = strchr("0123456789-/:.T ", cell.p[i]) != NULL;
    return may_be;
}

/* Everything except a plain row of data: headers, comments, date lines, unreadable rows. */
static ws_status take_odd(ws_trace *t, const ws_row *raw, ws_error *error)
{
    ws_row row = ws_clean_row(t->context.arena, raw, t->context.map);
    if (!row.n_cells)
        return WS_OK;
    if (t->current && is_header_of(&t->current->plan, &row)) {
        if (row.line != t->current->plan.line)
            ws_row_note_header_again(&t->policy, &row);
        return WS_OK;
    }
    bool is_known = t->n_sections && is_header_of(&t->sections[0]->plan, &row);
    if (is_known || (!ws_row_is_remark(&row) && ws_row_is_header(&row, t->context.map)))
        return switch_section(t, &row, error);
    if (ws_row_is_comment(&row) || take_date_line(t, &row))
        return WS_OK;
    ws_trace_section *s = t->current;
    if (s && !s->plan.is_settled)
        return take_first_after_header(t, s, &row, error);
    if (s && row.n_cells > 1)
        return take_stampless(t, s, &row, error);
    if (s && is_cut_in_stamp(s, &row))
        ws_row_note_short(&t->policy, &row);
    else
        ws_row_note_no_data(&t->policy, &row);
    return WS_OK;
}

static size_t count_zeros(const ws_row *row)
{
    size_t n = 0;
    for (uint32_t c = 0; c < row->n_cells; c++)
        for (size_t i = 0; i < row->cells[c].n; i++)
            n += !row->cells[c].p[i];
    return n;
}

static ws_status trace_csv_take_row(ws_trace *t, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    t->zeros_at_end = row->unfinished ? count_zeros(row) : 0;
    ws_trace_section *s = t->current;
    bool may_be_comment = row->n_cells && row->cells[0].n && *row->cells[0].p == '#';
    if (s && s->plan.uses_date_lines &&
        take_date_line(t, row)) /* before all else, since its year would pass for a reading */
        return WS_OK;
    if (s && s->plan.is_settled && !may_be_comment && read_time(t, s, row, &t_ns))
        return take_data(t, s, row, t_ns, error);
    if (s)
        ws_unread_line(&t->unread, row);
    return take_odd(t, row, error);
}

void ws_trace_remember_last_line(ws_trace *t, ws_span line)
{
    ws_span cell = no_cell;
    while (ws_span_split(&line, t->delimiter, &cell))
        ;
    ws_row_policy_remember(&t->policy, ws_span_trim(cell));
}

/* --- the place up to which all lines are whole --- */

bool ws_trace_may_go_on(const ws_trace *t)
{
    bool is_first = t->take_row ? t->set_notes && t->current
                                : t->n_sections == 1 && t->current == t->sections[0] && !t->current->is_unusable;
    return is_first && ws_trace_rows_are_known(t);
}

/* Where the last whole line of a file of so many bytes ends; 0: a cut one of more than LONGEST_CUT follows, or one that
 * begins with whole rows, which end with a carriage return. */
static uint64_t end_of_lines(int fd, off_t size)
{
    enum { LONGEST_CUT = 8 * 1024 };
    char bytes[LONGEST_CUT];
    ssize_t n = size < LONGEST_CUT ? 0 : pread(fd, bytes, LONGEST_CUT, size - LONGEST_CUT);
    while (n > 0 && bytes[n - 1] != '\n') {
        if (bytes[n - 1] == '\r')
            return 0;
        n--;
    }
    return n > 0 ? (uint64_t)(size - LONGEST_CUT + n) : 0;
}

/* In a row of several lines, none but the last one is cut. */
static bool is_one_line(const ws_trace *t, const ws_row *cut)
{
    return cut->line == ws_rows_line(t->rows);
}

void ws_trace_reach_place(ws_trace *t, const ws_row *cut)
{
    const ws_log_reading *log = t->options->log;
    if (!log || !log->reach || t->has_reached || !ws_trace_may_go_on(t) || ws_unread_has_any(&t->unread))
        return;
    t->has_reached = true;
    int fd = ws_input_plain_fd(t->input);
    struct stat about;
    if (fd < 0 || !ws_input_opened_as(t->input, &about) || (uint64_t)about.st_size < log->least ||
        fstat(fd, &about) != 0)
        return;
    ws_log_place reached = {end_of_lines(fd, about.st_size), ws_rows_line(t->rows), t->current->n};
    bool ends_there = reached.offset == (uint64_t)about.st_size;
    bool is_known = cut ? !ends_there && is_one_line(t, cut) : ends_there && ws_rows_are_between(t->rows);
    if (is_known && reached.offset >= WS_HEAD_SIZE && ws_trace_section_flush(t->current, NULL) == WS_OK)
        log->reach(log->state, &reached);
}

/* --- all of them --- */

static ws_status trace_csv_take_block(ws_trace *t, const ws_row *row, size_t n, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        if (row[i].unfinished)
            ws_trace_reach_place(t, &row[i]);
        status = t->take_row ? t->take_row(t->taker, &row[i], error) : trace_csv_take_row(t, &row[i], error);
        ws_row_policy_remember(&t->policy,
                               t->current ? ws_row_cell(&row[i], (int32_t)t->current->plan.n_columns - 1) : no_cell);
    }
    return status;
}

static ws_status take_buffered_lines(ws_trace *t, int64_t *n, ws_error *error)
{
    ws_plain_lines lines = {.text = ws_rows_at_hand(t->rows), .first = ws_rows_line(t->rows)};
    size_t bytes = lines.text.n;
    ws_status status = ws_trace_take_plain(t, &lines, error);
    if (lines.n) {
        ws_trace_has_reading(t);
        ws_trace_remember_last_line(t, lines.last);
        ws_rows_pass(t->rows, bytes - lines.text.n, lines.n);
    }
    *n = lines.n;
    return status;
}

ws_status ws_trace_take_rows(ws_trace *t, ws_error *error)
{
    const ws_row *row;
    size_t n, most = 1; /* lines to take as rows before trying the fast path again; doubled as long as that fails */
    int64_t n_plain;
    for (;;) {
        ws_status status = take_buffered_lines(t, &n_plain, error);
        most = n_plain ? 1 : most < MOST_AT_ONCE ? 2 * most : most;
        ws_rows_limit(t->rows, most);
        if (status == WS_OK)
            status = ws_rows_next(t->rows, &row, &n, error);
        if (status == WS_OK && n)
            status = trace_csv_take_block(t, row, n, error);
        if (status != WS_OK || !n)
            return status;
    }
}
