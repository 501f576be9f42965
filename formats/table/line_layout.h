/* Shapes of the lines of a trace: where the delimiters stand, and how the number in each cell of value is written. Most
 * lines have the shape of one not long before, as "86.35 W, 48 %" and "91.02 W, 52 %" have; then nothing is searched
 * for in them, and eight bytes at a known place are checked and read as one word. */
#ifndef WS_FORMATS_LINE_LAYOUT_H
#define WS_FORMATS_LINE_LAYOUT_H

#include "formats/table/plain_line.h"
#include "formats/table/trace_plan.h"

/* Longer lines have no shape. A file with more shapes than that has none worth to keep. */
enum { WS_LINE_LAYOUT_WORDS = 8, WS_LINE_LAYOUT_SLOTS = 1024 };

/* A cell between its delimiters, counted from the start of the line. Of a blank before its text it is known that it
 * stands there; without one that is asked of the byte behind the cell, which is a delimiter or a line's end. */
typedef struct ws_place {
    uint16_t begin, end; /* {0, 0}: there is no such column, or its cell is empty */
    uint16_t blank;      /* the byte that is to be looked at */
    char is;             /* what stands there */
} ws_place;

/* A number with a point, a unit and blanks behind it, eight bytes in all at most. A cell that holds anything else has
 * no look, and `at` asks for a newline as the first byte of its line, where none is. */
typedef struct ws_value_cell {
    ws_place at;
    ws_digit_template look;
    double divisor, to_si; /* SI value = digits / divisor * to_si */
} ws_value_cell;

typedef struct ws_line_layout {
    uint16_t words;                      /* of 64 bytes each */
    uint16_t returns;                    /* 1 where a carriage return ends it */
    uint64_t ends[WS_LINE_LAYOUT_WORDS]; /* where its cells end: delimiters, and the newline */
    ws_place stamp, date, interval, id, node;
    uint16_t names, names_n; /* where id and node stand, with the delimiter behind them; UINT16_MAX: not side by side */
    ws_value_cell values[];  /* of the plan; those that nobody wants are not set */
} ws_line_layout;

/* The shapes of the lines of one plan. */
typedef struct ws_line_layouts {
    ws_marks marks;
    const ws_plan *plan;
    int32_t id_column;
    const uint32_t *used; /* the values of the plan that are wanted */
    size_t n_used;
    size_t n, most, stride;
    char *items;
    ws_line_layout *slots[WS_LINE_LAYOUT_SLOTS]; /* by hash; NULL: free */
} ws_line_layouts;

/* The plan and `used` stay the caller's. Forgets what was learnt before. */
void ws_line_layouts_start(ws_line_layouts *shapes, char delimiter, const ws_plan *plan, const uint32_t *used,
                           size_t n_used);
void ws_line_layouts_free(ws_line_layouts *shapes); /* {0} is fine */

/* The shape of a plain line with as many cells as the plan has columns; NULL where it is no such line. Where there are
 * too many, the others are forgotten: it is good until the next one is learnt. */
const ws_line_layout *ws_line_layouts_learn(ws_line_layouts *shapes, const char *line, const char *end);

/* A number in a cell without blanks at its ends, or one that says that there is none: NaN. False where it is neither.
 */
bool ws_value_read(const ws_plan_value *value, ws_span cell, double *number);

typedef struct ws_line_with_layout {
    const char *next;            /* behind its end */
    const ws_line_layout *shape; /* NULL: not known */
} ws_line_with_layout;

WS_INLINE uint64_t ws_line_layout_hash(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

WS_INLINE bool ws_same_words(const uint64_t *a, const uint64_t *b, size_t n)
{
    uint64_t differences = 0;
    for (size_t i = 0; i < n; i++)
        differences |= a[i] ^ b[i];
    return differences == 0;
}

WS_INLINE const ws_line_layout *ws_line_layouts_find(const ws_line_layouts *shapes, const uint64_t *ends, size_t words,
                                                     int returns, uint64_t hash)
{
    for (size_t slot = hash >> 54;; slot = (slot + 1) % WS_LINE_LAYOUT_SLOTS) {
        const ws_line_layout *shape = shapes->slots[slot];
        if (!shape || (shape->words == words && shape->returns == returns && ws_same_words(shape->ends, ends, words)))
            return shape;
    }
}

/* The line that begins at `begin`, with its shape if that is known. False where it has no end before `end` or is too
 * long. */
WS_INLINE bool ws_line_with_layout_at(ws_line_with_layout *line, const ws_line_layouts *shapes, const char *begin,
                                      const char *end, ws_masks_of *look)
{
    uint64_t ends[WS_LINE_LAYOUT_WORDS], hash = 0;
    int odd = 0;
    const char *at = begin;
    for (size_t w = 0; w < WS_LINE_LAYOUT_WORDS && at < end; w++, at += WS_WORD) {
        ws_masks m = ws_look_at(look, at, end, &shapes->marks);
        uint64_t inside = m.newlines ^ (m.newlines - 1); /* all of it where no line ends */
        ends[w] = (m.delimiters | m.newlines) & inside;
        hash = ws_line_layout_hash(hash, ends[w]);
        odd += __builtin_popcountll(m.odd & inside);
        if (!m.newlines)
            continue;
        const char *newline = at + __builtin_ctzll(m.newlines);
        bool is_plain = !odd || (odd == 1 && newline[-1] == '\r');
        line->next = newline + 1;
        line->shape = is_plain ? ws_line_layouts_find(shapes, ends, w + 1, odd, hash) : NULL;
        return true;
    }
    return false;
}

#endif
