#include "formats/table/plain_line.h"

#include "core/arena.h"

#include <stdlib.h>

enum { BYTES = 8 };

static uint64_t in_byte(size_t i, uint64_t value)
{
    return value << 8 * i;
}

ws_digit_template ws_digit_template_of(ws_span text, size_t whole, size_t decimals)
{
    size_t first = BYTES - text.n, point = first + whole, n = whole + decimals;
    size_t end = point + (decimals ? 1 + decimals : 0); /* of the digits */
    ws_digit_template look = {.shift = (uint8_t)(8 * (BYTES - end))};
    for (size_t i = 0; i < BYTES; i++) {
        bool is_text = i >= first, is_whole = is_text && i < point;
        bool is_digit = is_whole || (i > point && i < end);
        look.fixed |= in_byte(i, is_digit ? '0' : is_text ? (unsigned char)text.p[i - first] : 0);
        look.most |= in_byte(i, is_digit ? 9 : is_text ? 0 : 255);
        look.before |= in_byte(i, is_whole && decimals ? 255 : 0);
        look.others |= in_byte(i, is_digit && !(is_whole && decimals) ? 255 : 0);
        size_t from_end = BYTES - i, from = end - from_end - (from_end > decimals && decimals);
        look.order |= in_byte(i, from_end <= n ? from : 0x80);
    }
    return look;
}

/* Small enough to stay in the cache until the reader has looked at them. */
enum { BLOCK_ROWS = 256, BLOCK_CELLS = 4 * WS_MOST_CELLS };

struct ws_scan {
    bool portable;
    ws_marks marks;
    ws_row rows[BLOCK_ROWS];
    ws_span cells[BLOCK_CELLS];
    ws_cut cut;
};

ws_scan *ws_scan_new(char delimiter, bool portable)
{
    ws_scan *s = ws_realloc(NULL, 1, sizeof *s); /* large, and rows and cells need no zeros */
    ws_marks_init(&s->marks, delimiter);
    s->portable = portable || !ws_has_avx2();
    return s;
}

void ws_scan_free(ws_scan *scan)
{
    free(scan);
}

/* The work of ws_scan_lines, made for each way to find masks. Returns the number of rows. */
WS_INLINE size_t cut_lines(ws_scan *s, size_t most, ws_span *text, int64_t *line, ws_masks_of *look)
{
    const char *at = text->p, *end = text->p + text->n;
    size_t n = 0, n_cells = 0;
    while (n < most && ws_cut_line(&s->cut, at, end, &s->marks, WS_MOST_CELLS, look)) {
        bool is_blank = s->cut.n == 1 && ws_cut_cell(&s->cut, 0).n == 0;
        if (!is_blank && n_cells + s->cut.n > BLOCK_CELLS)
            break;
        if (!is_blank) {
            ws_span *cells = s->cells + n_cells;
            for (size_t i = 0; i < s->cut.n; i++)
                cells[i] = ws_cut_cell(&s->cut, i);
            s->rows[n++] = (ws_row){.cells = cells, .n_cells = (uint32_t)s->cut.n, .line = *line, .is_in_text = true};
            n_cells += s->cut.n;
        }
        at = s->cut.next;
        ++*line;
    }
    *text = (ws_span){at, (size_t)(end - at)};
    return n;
}

static size_t cut_portable(ws_scan *s, size_t most, ws_span *text, int64_t *line)
{
    return cut_lines(s, most, text, line, ws_masks_portable);
}

#if defined __x86_64__
WS_AVX2 static size_t cut_avx2(ws_scan *s, size_t most, ws_span *text, int64_t *line)
{
    return cut_lines(s, most, text, line, ws_masks_avx2);
}
#else
#define cut_avx2 cut_portable
#endif

size_t ws_scan_lines(ws_scan *scan, size_t most, ws_span *text, int64_t *line, const ws_row **rows)
{
    *rows = scan->rows;
    if (!text->n) /* NULL before the first piece, to which not even nothing may be added */
        return 0;
    most = most < BLOCK_ROWS ? most : BLOCK_ROWS;
    return (scan->portable ? cut_portable : cut_avx2)(scan, most, text, line);
}
