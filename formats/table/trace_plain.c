/* The fast path for nearly all lines of data, read straight from the text: the layout is that of an earlier line, the
 * stamp differs from the last one in its seconds only, and the device is the one expected next. */
#include "formats/table/trace_plain.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- templates of numbers --- */

static ws_sixteen in_byte(size_t i, unsigned value)
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
        number.fixed |= in_byte(i, is_digit ? '0' : is_text ? (unsigned char)line[from + i] : 0);
        number.most |= in_byte(i, is_digit ? 9 : is_text ? 0 : 255);
        number.before |= in_byte(i, is_whole && cell->decimals ? 255 : 0);
        number.others |= in_byte(i, is_digit && !(is_whole && cell->decimals) ? 255 : 0);
        size_t from_end = WS_NUMBER_BYTES - i, source = end - from_end - (cell->decimals && from_end > cell->decimals);
        number.order |= in_byte(i, from_end <= n ? (unsigned)source : 0x80);
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

static size_t count_digits(ws_span text)
{
    size_t n = 0;
    while (n < text.n && (unsigned)text.p[n] - '0' <= 9)
        n++;
    return n;
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
    size_t whole = count_digits(text), decimals = 0, n = whole;
    if (n < text.n && text.p[n] == '.') {
        decimals = count_digits((ws_span){text.p + n + 1, text.n - n - 1});
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

/* --- lines --- */

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

WS_INLINE bool read_number(const ws_plan *plan, uint32_t v, const line_layout *layout, const char *line,
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
        if (!read_number(&s->plan, *from, layout, line, read, number))
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
WS_INLINE bool read_stamp(ws_plan *plan, bool is_whole, const line_layout *layout, const char *line,
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
            !read_stamp(&s->plan, !need.long_stamps, layout, at, read_seconds, &t_ns))
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
static bool is_usual(const ws_trace *t)
{
    const ws_trace_section *s = t->current;
    return t->delimiter != ' ' && t->delimiter != WS_WORDS && s && s->plan.is_settled && s->n && s->plan.time >= 0 &&
           is_stamp_known(&s->plan.stamps) && (s->plan.is_wide || s->plan.positions <= 1);
}

bool ws_trace_rows_are_known(const ws_trace *t)
{
    return is_usual(t) && t->current->plan.positions <= 1 && !ws_timecol_is_serial(&t->current->plan.stamps);
}

bool ws_trace_rows_stand_alone(const ws_trace *t)
{
    return ws_trace_rows_are_known(t) && t->current->plan.interval < 0;
}

ws_status ws_trace_take_plain(ws_trace *t, ws_plain_lines *lines, ws_error *error)
{
    if (!lines->text.n || t->options->rows.reader == WS_READER_CSV || !is_usual(t))
        return WS_OK;
    const ws_trace_section *s = t->current;
    t->layouts = t->layouts ? t->layouts : ws_alloc(sizeof *t->layouts);
    if (t->layouts->plan != &s->plan || t->layouts->n_used != s->n_used)
        start_layouts(t->layouts, t->delimiter, &s->plan, s->used, s->n_used);
    bool is_portable = t->options->rows.reader == WS_READER_PORTABLE || !ws_has_avx2();
    return (is_portable ? take_portable : take_avx2)(t, lines, error);
}
