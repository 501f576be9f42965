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
    const char *begin[MOST_CELLS + 2]; /* of each cell of the line being cut, and behind the last one */
    const ws_row *row_end; /* where no more rows are cut */
    ws_row *next_row;
    ws_span *next_cell;
    ws_row rows[BLOCK_ROWS];
    ws_span cells[BLOCK_CELLS];
    ws_row full;
    ws_span full_cells[MOST_CELLS];
};

ws_scan *ws_scan_new(char delimiter, bool portable)
{
    ws_scan *s = ws_realloc(NULL, 1, sizeof *s); /* large, and rows and cells need no zeros */
    s->wanted = NULL;
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
    size_t most_rows = !scan->n_cells ? BLOCK_ROWS : has_room ? BLOCK_CELLS / n_cells : 0;
    scan->row_end = scan->rows + (most_rows < BLOCK_ROWS ? most_rows : BLOCK_ROWS);
    scan->most_edges = n ? (size_t)scan->wanted[scan->n_wanted ? scan->n_wanted - 1 : 0] + 1 : MOST_CELLS;
}

/* Where 64 bytes hold what matters, bit i for byte i. */
typedef struct masks {
    uint64_t delimiters, newlines, odd; /* odd: quotes and carriage returns */
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
        m.odd |= (equal_bytes(word, '"') | equal_bytes(word, '\r')) << i * 8;
    }
    return m;
}

#if defined __x86_64__
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

AVX2 static inline __m256i equal_to(__m256i bytes, char sign)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(sign));
}

AVX2 static inline uint64_t bits_of(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline masks masks_avx2(const char *bytes, char delimiter)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + WORD / 2));
    __m256i odd_low = _mm256_or_si256(equal_to(low, '"'), equal_to(low, '\r'));
    __m256i odd_high = _mm256_or_si256(equal_to(high, '"'), equal_to(high, '\r'));
    masks m = {bits_of(equal_to(low, delimiter), equal_to(high, delimiter)),
               bits_of(equal_to(low, '\n'), equal_to(high, '\n')), 0};
    __m256i odd = _mm256_or_si256(odd_low, odd_high);
    if (!_mm256_testz_si256(odd, odd))
        m.odd = bits_of(odd_low, odd_high);
    return m;
}
#endif

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static __attribute__((noinline)) ws_span without_blanks(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return (ws_span){begin, (size_t)(end - begin)};
}

/* A byte can be read at `end` too: that of the delimiter or of the line's end. */
static inline ws_span trimmed(const char *begin, const char *end)
{
    if (begin < end) {
        begin += *begin == ' ';              /* the usual one */
        if (*begin <= ' ' || end[-1] <= ' ') /* nearly all bytes of cells are above the blank */
            return without_blanks(begin, end);
    }
    return (ws_span){begin, (size_t)(end - begin)};
}

/* Note where cells begin behind the delimiters of `bits`; beyond `most` they are only counted. */
static inline __attribute__((always_inline)) size_t note_edges(const char **begin, size_t n, size_t most, uint64_t bits,
                                                               const char *at)
{
    size_t last = n + (size_t)__builtin_popcountll(bits);
    const char **next = begin + n + 1, **stop = begin + 1 + (last < most ? last : most);
    for (; next < stop; bits &= bits - 1)
        *next++ = at + __builtin_ctzll(bits) + 1;
    return last;
}

static bool cut_all(const ws_scan *s, size_t n, ws_span *cells)
{
    if (n >= MOST_CELLS || cells + n + 1 > s->cells + BLOCK_CELLS)
        return false;
    for (size_t c = 0; c <= n; c++)
        cells[c] = trimmed(s->begin[c], s->begin[c + 1] - 1);
    return true;
}

static inline __attribute__((always_inline)) bool cut_wanted(const ws_scan *s, size_t n, ws_span *cells)
{
    const uint32_t *wanted = s->wanted, *end = wanted + s->n_wanted;
    if (n + 1 != s->n_cells)
        return false;
    for (; wanted < end; wanted++) {
        const char *const *edge = s->begin + *wanted;
        cells[*wanted] = trimmed(edge[0], edge[1] - 1);
    }
    return true;
}

/* False when the line is not plain or finds no room; nothing is added for a blank one. `n` delimiters were found in it. */
static inline __attribute__((always_inline)) bool take_line(ws_scan *s, const char *end, size_t n, int64_t line)
{
    const char *start = s->begin[0];
    end -= end > start && end[-1] == '\r';
    if (n == 0 && trimmed(start, end).n == 0)
        return true;
    ws_row *row = s->next_row;
    ws_span *cells = s->next_cell;
    if (row == s->row_end || (size_t)(end - start) > MOST_BYTES)
        return false;
    s->begin[n < MOST_CELLS ? n + 1 : MOST_CELLS] = end + 1;
    bool all = s->n_cells == 0;
    if (!(all ? cut_all(s, n, cells) : cut_wanted(s, n, cells)))
        return false;
    *row = (ws_row){
        .cells = cells, .n_cells = (uint32_t)n + 1, .full = all, .line = line, .plain = {start, (size_t)(end - start)}};
    s->next_row = row + 1;
    s->next_cell = cells + n + 1;
    return true;
}

/* Quotes, and carriage returns that no newline follows: a line with one is not plain. */
static inline uint64_t odd_bytes(const masks *m, ws_span text, size_t at)
{
    uint64_t odd = m->odd;
    for (uint64_t rest = odd; rest; rest &= rest - 1) {
        size_t i = at + (size_t)__builtin_ctzll(rest);
        if (i + 1 < text.n && text.p[i] == '\r' && text.p[i + 1] == '\n')
            odd &= ~(rest & -rest);
    }
    return odd;
}

static inline __attribute__((always_inline)) masks look_at(masks_of *look, ws_span text, size_t at, char delimiter)
{
    if (text.n - at >= WORD)
        return look(text.p + at, delimiter);
    char tail[WORD] = {0};
    memcpy(tail, text.p + at, text.n - at);
    return look(tail, delimiter);
}

/* The work of ws_scan_lines, made for each way to find masks. Returns where it stopped. */
static inline __attribute__((always_inline)) const char *cut_lines(ws_scan *s, ws_span text, int64_t *line,
                                                                   masks_of *look)
{
    size_t n = 0;
    int64_t now = *line;
    s->begin[0] = text.p;
    for (size_t at = 0; at < text.n && text.p + at <= s->begin[0] + MOST_BYTES; at += WORD) {
        masks m = look_at(look, text, at, s->delimiter);
        uint64_t odd = odd_bytes(&m, text, at);
        uint64_t newlines = odd ? m.newlines & (odd ^ (odd - 1)) : m.newlines;
        for (; newlines; newlines &= newlines - 1) {
            uint64_t line_bits = newlines ^ (newlines - 1);
            const char *end = text.p + at + __builtin_ctzll(newlines);
            n = note_edges(s->begin, n, s->most_edges, m.delimiters & line_bits, text.p + at);
            if (!take_line(s, end, n, now))
                break;
            m.delimiters &= ~line_bits;
            s->begin[0] = end + 1;
            n = 0;
            now++;
        }
        if (newlines || odd)
            break;
        n = note_edges(s->begin, n, s->most_edges, m.delimiters, text.p + at);
    }
    *line = now;
    return s->begin[0];
}

static const char *cut_portable(ws_scan *s, ws_span text, int64_t *line)
{
    return cut_lines(s, text, line, masks_portable);
}

#if defined __x86_64__
AVX2 static const char *cut_avx2(ws_scan *s, ws_span text, int64_t *line)
{
    return cut_lines(s, text, line, masks_avx2);
}
#else
#define cut_avx2 cut_portable
#endif

size_t ws_scan_lines(ws_scan *scan, ws_span *text, int64_t *line, const ws_row **rows)
{
    scan->next_row = scan->rows;
    scan->next_cell = scan->cells;
    *rows = scan->rows;
    if (!text->n) /* NULL before the first piece, to which not even nothing may be added */
        return 0;
    const char *rest = (scan->portable ? cut_portable : cut_avx2)(scan, *text, line);
    *text = (ws_span){rest, (size_t)(text->p + text->n - rest)};
    return (size_t)(scan->next_row - scan->rows);
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
