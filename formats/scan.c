#include "formats/scan.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

/* A line with more cells or more bytes is not plain. */
enum { MOST_CELLS = 1024, MOST_BYTES = 64 * 1024 };

/* Small enough to stay in the cache until the reader has looked at them. */
enum { BLOCK_ROWS = 256, BLOCK_CELLS = 4 * MOST_CELLS, WORD = 64 };

struct ws_scan {
    char delimiter;
    bool portable;
    uint32_t *wanted; /* ascending */
    size_t n_wanted;
    uint32_t n_cells; /* of a plain line; 0: any number */
    size_t most_edges;
    size_t begin[MOST_CELLS + 2]; /* of each cell of the line being cut, and behind the last one */
    size_t n_rows, most_rows, n_cells_used;
    ws_row rows[BLOCK_ROWS];
    ws_span cells[BLOCK_CELLS];
    ws_row full;
    ws_span full_cells[MOST_CELLS];
};

ws_scan *ws_scan_new(char delimiter, bool portable)
{
    ws_scan *s = ws_alloc(sizeof *s);
    s->delimiter = delimiter;
    s->portable = portable;
#if defined __x86_64__
    s->portable |=
        !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt");
#else
    s->portable = true;
#endif
    ws_scan_want(s, NULL, 0, 0);
    return s;
}

void ws_scan_free(ws_scan *scan)
{
    if (!scan)
        return;
    free(scan->wanted);
    free(scan);
}

static int compare_columns(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void ws_scan_want(ws_scan *scan, const uint32_t *columns, size_t n, uint32_t n_cells)
{
    free(scan->wanted);
    scan->wanted = ws_alloc((n + 1) * sizeof *scan->wanted);
    scan->n_wanted = 0;
    scan->n_cells = n ? n_cells : 0;
    if (n) {
        memcpy(scan->wanted, columns, n * sizeof *columns);
        qsort(scan->wanted, n, sizeof *columns, compare_columns);
    }
    for (size_t i = 0; i < n && scan->wanted[i] < n_cells; i++)
        if (!scan->n_wanted || scan->wanted[scan->n_wanted - 1] != scan->wanted[i])
            scan->wanted[scan->n_wanted++] = scan->wanted[i];
    bool has_room = n_cells <= MOST_CELLS;
    scan->most_rows = !scan->n_cells ? BLOCK_ROWS : has_room ? BLOCK_CELLS / n_cells : 0;
    if (scan->most_rows > BLOCK_ROWS)
        scan->most_rows = BLOCK_ROWS;
    scan->most_edges = n ? (size_t)scan->wanted[scan->n_wanted ? scan->n_wanted - 1 : 0] + 1 : MOST_CELLS;
}

/* Where 64 bytes hold what matters, bit i for byte i. */
typedef struct masks {
    uint64_t delimiters, newlines, quotes, returns;
} masks;

typedef masks masks_of(const char *bytes, char delimiter);

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* Bit i where byte i of the word is `sign`: the zero bytes of their difference, found without a carry from byte to byte. */
static inline uint64_t equal_bytes(uint64_t word, char sign)
{
    const uint64_t low = 0x7f * EACH_BYTE;
    uint64_t x = word ^ (unsigned char)sign * EACH_BYTE;
    uint64_t zero = ~(((x & low) + low) | x | low) >> 7;
    return zero * UINT64_C(0x0102040810204080) >> 56;
}

static inline masks masks_portable(const char *bytes, char delimiter)
{
    masks m = {0};
    for (int i = 0; i < WORD / 8; i++) {
        uint64_t word;
        memcpy(&word, bytes + i * 8, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        m.delimiters |= equal_bytes(word, delimiter) << i * 8;
        m.newlines |= equal_bytes(word, '\n') << i * 8;
        m.quotes |= equal_bytes(word, '"') << i * 8;
        m.returns |= equal_bytes(word, '\r') << i * 8;
    }
    return m;
}

#if defined __x86_64__
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

AVX2 static inline uint64_t equal_to(__m256i low, __m256i high, char sign)
{
    __m256i all = _mm256_set1_epi8(sign);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all)) << 32;
}

AVX2 static inline masks masks_avx2(const char *bytes, char delimiter)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + WORD / 2));
    return (masks){equal_to(low, high, delimiter), equal_to(low, high, '\n'), equal_to(low, high, '"'),
                   equal_to(low, high, '\r')};
}
#endif

/* Nearly all bytes of cells are above the blank, so one comparison settles them. */
static inline bool is_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t');
}

static inline ws_span trimmed(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return (ws_span){begin, (size_t)(end - begin)};
}

/* Note where cells begin behind the delimiters of `bits`; beyond `most` they are only counted. */
static inline __attribute__((always_inline)) size_t note_edges(size_t *begin, size_t n, size_t most, uint64_t bits,
                                                               size_t at)
{
    while (bits && n < most) {
        begin[++n] = at + (size_t)__builtin_ctzll(bits) + 1;
        bits &= bits - 1;
    }
    return n + (size_t)__builtin_popcountll(bits);
}

static bool cut_all(ws_scan *s, const char *text, size_t n, ws_span *cells)
{
    if (n >= MOST_CELLS || s->n_cells_used + n + 1 > BLOCK_CELLS)
        return false;
    for (size_t c = 0; c <= n; c++)
        cells[c] = trimmed(text + s->begin[c], text + s->begin[c + 1] - 1);
    return true;
}

static inline __attribute__((always_inline)) bool cut_wanted(const ws_scan *s, const char *text, size_t n,
                                                             ws_span *cells)
{
    if (n + 1 != s->n_cells)
        return false;
    for (size_t i = 0; i < s->n_wanted; i++) {
        uint32_t c = s->wanted[i];
        cells[c] = trimmed(text + s->begin[c], text + s->begin[c + 1] - 1);
    }
    return true;
}

/* False when the line is not plain or finds no room. `n` delimiters were found in it. */
static inline __attribute__((always_inline)) bool take_line(ws_scan *s, const char *text, size_t end, size_t n,
                                                            int64_t line)
{
    size_t start = s->begin[0];
    if (end > start && text[end - 1] == '\r')
        end--;
    if (n == 0 && trimmed(text + start, text + end).n == 0)
        return true;
    if (s->n_rows == s->most_rows || end - start > MOST_BYTES)
        return false;
    ws_span *cells = s->cells + s->n_cells_used;
    s->begin[n < MOST_CELLS ? n + 1 : MOST_CELLS] = end + 1;
    if (!(s->n_cells ? cut_wanted(s, text, n, cells) : cut_all(s, text, n, cells)))
        return false;
    s->n_cells_used += n + 1;
    s->rows[s->n_rows++] = (ws_row){.cells = cells,
                                    .n_cells = (uint32_t)n + 1,
                                    .full = !s->n_cells,
                                    .line = line,
                                    .plain = {text + start, end - start}};
    return true;
}

/* Carriage returns that no newline follows, and quotes: a line with one is not plain. */
static inline uint64_t odd_bytes(const masks *m, ws_span text, size_t at)
{
    if (!m->returns)
        return m->quotes;
    bool newline_follows = text.n - at > WORD && text.p[at + WORD] == '\n';
    return m->quotes | (m->returns & ~(m->newlines >> 1 | (uint64_t)newline_follows << 63));
}

static inline __attribute__((always_inline)) masks look_at(masks_of *look, ws_span text, size_t at, char delimiter)
{
    char tail[WORD] = {0};
    if (text.n - at >= WORD)
        return look(text.p + at, delimiter);
    memcpy(tail, text.p + at, text.n - at);
    return look(tail, delimiter);
}

/* The work of ws_scan_lines, made for each way to find masks. Returns how many bytes were taken. */
static inline __attribute__((always_inline)) size_t cut_lines(ws_scan *s, ws_span text, int64_t *line, masks_of *look)
{
    size_t n = 0;
    s->begin[0] = 0;
    for (size_t at = 0; at < text.n && at <= s->begin[0] + MOST_BYTES; at += WORD) {
        masks m = look_at(look, text, at, s->delimiter);
        uint64_t odd = odd_bytes(&m, text, at);
        uint64_t newlines = odd ? m.newlines & (odd ^ (odd - 1)) : m.newlines;
        for (; newlines; newlines &= newlines - 1) {
            uint64_t line_bits = newlines ^ (newlines - 1);
            size_t end = at + (size_t)__builtin_ctzll(newlines);
            n = note_edges(s->begin, n, s->most_edges, m.delimiters & line_bits, at);
            if (!take_line(s, text.p, end, n, *line))
                return s->begin[0];
            m.delimiters &= ~line_bits;
            s->begin[0] = end + 1;
            n = 0;
            ++*line;
        }
        if (odd)
            return s->begin[0];
        n = note_edges(s->begin, n, s->most_edges, m.delimiters, at);
    }
    return s->begin[0];
}

static size_t cut_portable(ws_scan *s, ws_span text, int64_t *line)
{
    return cut_lines(s, text, line, masks_portable);
}

#if defined __x86_64__
AVX2 static size_t cut_avx2(ws_scan *s, ws_span text, int64_t *line)
{
    return cut_lines(s, text, line, masks_avx2);
}
#else
#define cut_avx2 cut_portable
#endif

size_t ws_scan_lines(ws_scan *scan, ws_span *text, int64_t *line, const ws_row **rows)
{
    scan->n_rows = scan->n_cells_used = 0;
    size_t n = (scan->portable ? cut_portable : cut_avx2)(scan, *text, line);
    text->p += n, text->n -= n;
    *rows = scan->rows;
    return scan->n_rows;
}

const ws_row *ws_scan_full(ws_scan *scan, const ws_row *row)
{
    ws_span rest = row->plain, cell;
    uint32_t n = 0;
    if (row->full)
        return row;
    while (ws_span_split(&rest, scan->delimiter, &cell))
        scan->full_cells[n++] = trimmed(cell.p, cell.p + cell.n);
    scan->full = *row;
    scan->full.cells = scan->full_cells;
    scan->full.full = true;
    return &scan->full;
}
