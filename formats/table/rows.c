#include "formats/table/rows.h"
#include "formats/table/rows_internal.h"

#include "core/arena.h"
#include "formats/input/lines.h"

#include <csv.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- plain lines --- */

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
enum { SCAN_ROWS = 256, SCAN_CELLS = 4 * WS_MOST_CELLS };

struct ws_scan {
    bool portable;
    ws_marks marks;
    ws_row rows[SCAN_ROWS];
    ws_span cells[SCAN_CELLS];
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
        if (!is_blank && n_cells + s->cut.n > SCAN_CELLS)
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
    most = most < SCAN_ROWS ? most : SCAN_ROWS;
    return (scan->portable ? cut_portable : cut_avx2)(scan, most, text, line);
}

/* --- rows --- */

/* libcsv's cell buffer grows in steps of CELL_STEP_BYTES: its default of 128 would copy a very long cell too often. */
enum { BLOCK_ROWS = 1024, BLOCK_BYTES = 256 * 1024, CELL_STEP_BYTES = 64 * 1024 };

/* Room for a million columns; a longer row has lost its line ends. */
enum { MOST_ROW_BYTES = 16 * 1024 * 1024 };

/* Cells of several lines are rare and short; an unclosed quote swallows the rest of the file. */
enum { MOST_CELL_LINES = 100 };

/* libcsv keeps its state in a public member but names the value "between rows" in its own source only. */
enum { ROW_NOT_BEGUN = 0, CELL_BEGUN = 2 };

typedef void word_splitter(ws_rows *r, ws_span line);

typedef struct cell_place {
    size_t at, n;
} cell_place;

struct ws_rows {
    ws_input *input;
    ws_rows_options options;
    /* WS_WORDS, WS_WORDS_AND_COMMAS, WS_BARS or WS_LINES; 0: libcsv and the scanner. If set, a block is some lines of
     * `lines`, and of the members below only cells and rows are used. */
    char kind;
    word_splitter *split; /* of words */
    ws_lines lines;
    ws_scan *scan; /* NULL: libcsv reads all lines */
    struct csv_parser parser;
    ws_span read;   /* bytes of the input that are not yet in `rest` */
    ws_span rest;   /* the unread bytes of the current piece */
    bool is_put;    /* the bytes come from ws_rows_put */
    bool is_at_end; /* ws_rows_put_end was called */
    uint64_t plain_lines;
    size_t max_plain; /* plain lines in a block */
    int64_t line;     /* of the next byte */
    bool at_line_start, ended;
    int64_t row_line;   /* first line of the row being read, 0 between rows */
    size_t row_bytes;   /* read of it so far */
    int64_t quote_line; /* where the cell began that runs over the line end, 0 if there is none */
    bool cell_in_line;  /* some cell ended in the line being read */

    /* libcsv's block. Cells are offsets until it is complete, because `text` moves as it grows. */
    char *text;
    size_t text_n, text_capacity;
    cell_place *places;
    ws_span *cells;
    size_t n_cells, place_capacity, cell_capacity;
    size_t row_first_cell;
    ws_row *rows;
    size_t n_rows, row_capacity;
};

static void take_cell(void *bytes, size_t n, void *state)
{
    ws_rows *r = state;
    r->cell_in_line = true;
    r->text = ws_grow(r->text, &r->text_capacity, r->text_n + n, 1);
    if (n)
        memcpy(r->text + r->text_n, bytes, n);
    r->places = ws_grow(r->places, &r->place_capacity, r->n_cells + 1, sizeof *r->places);
    r->places[r->n_cells++] = (cell_place){r->text_n, n};
    r->text_n += n;
}

static void rows_take_row(int terminator, void *state)
{
    ws_rows *r = state;
    r->rows = ws_grow(r->rows, &r->row_capacity, r->n_rows + 1, sizeof *r->rows);
    r->rows[r->n_rows++] = (ws_row){.n_cells = (uint32_t)(r->n_cells - r->row_first_cell),
                                    .unfinished = terminator == -1,
                                    .line = r->row_line ? r->row_line : r->line};
    r->row_first_cell = r->n_cells;
    r->row_line = 0;
}

/* --- lines of words or bars --- */

static inline void add_cell(ws_rows *r, ws_span cell)
{
    if (r->n_cells == r->cell_capacity)
        r->cells = ws_grow(r->cells, &r->cell_capacity, r->n_cells + 1, sizeof *r->cells);
    r->cells[r->n_cells++] = cell;
}

/* Where 64 bytes hold what stands between words, bit i for byte i. `comma`: ',', or a blank where it is part of a
 * word. */
typedef uint64_t gaps_of(const char *bytes, char comma);

static inline uint64_t gaps_portable(const char *bytes, char comma)
{
    uint64_t gaps = 0;
    for (int i = 0; i < WS_WORD / 8; i++) {
        uint64_t word = ws_load_8(bytes + i * 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        gaps |= (ws_equal_bytes(word, ' ') | ws_equal_bytes(word, '\t') | ws_equal_bytes(word, '\r') |
                 ws_equal_bytes(word, '\n') | ws_equal_bytes(word, comma))
                << i * 8;
    }
    return gaps;
}

#if defined __x86_64__
WS_AVX2 static inline uint64_t gaps_avx2(const char *bytes, char comma)
{
    uint64_t gaps = 0;
    for (int i = 0; i < WS_WORD; i += WS_WORD / 2) {
        __m256i text = ws_half_word(bytes + i);
        __m256i found = _mm256_cmpeq_epi8(text, _mm256_set1_epi8(' '));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(text, _mm256_set1_epi8('\t')));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(text, _mm256_set1_epi8('\r')));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(text, _mm256_set1_epi8('\n')));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(text, _mm256_set1_epi8(comma)));
        gaps |= (uint64_t)(uint32_t)_mm256_movemask_epi8(found) << i;
    }
    return gaps;
}
#endif

/* The words of a line, 64 bytes at a time: one begins or ends wherever a bit differs from the one before it. */
WS_INLINE void split_words(ws_rows *r, ws_span line, gaps_of *look)
{
    char comma = r->kind == WS_WORDS_AND_COMMAS ? ',' : ' ', tail[WS_WORD];
    const char *first = NULL; /* of the word that is open */
    uint64_t before = 1;      /* a gap, as it stands before the line */
    for (size_t at = 0; at < line.n; at += WS_WORD) {
        const char *bytes = line.p + at;
        if (line.n - at < WS_WORD) {
            memset(tail, ' ', sizeof tail);
            memcpy(tail, bytes, line.n - at);
            bytes = tail;
        }
        uint64_t gaps = look(bytes, comma);
        for (uint64_t edges = gaps ^ (gaps << 1 | before); edges; edges &= edges - 1) {
            const char *edge = line.p + at + __builtin_ctzll(edges);
            if (first)
                add_cell(r, (ws_span){first, (size_t)(edge - first)});
            first = first ? NULL : edge;
        }
        before = gaps >> (WS_WORD - 1);
    }
    if (first)
        add_cell(r, (ws_span){first, (size_t)(line.p + line.n - first)});
}

static void split_words_portable(ws_rows *r, ws_span line)
{
    split_words(r, line, gaps_portable);
}

#if defined __x86_64__
WS_AVX2 static void split_words_avx2(ws_rows *r, ws_span line)
{
    split_words(r, line, gaps_avx2);
}
#else
#define split_words_avx2 split_words_portable
#endif

/* --- opening --- */

enum { LINES_A_BLOCK = 64, CELLS_A_BLOCK = 4096 };

static ws_rows *open_lines(ws_input *input, char kind, bool portable)
{
    ws_rows *r = ws_alloc(sizeof *r);
    r->kind = kind;
    r->split = portable || !ws_has_avx2() ? split_words_portable : split_words_avx2;
    r->rows = ws_grow(NULL, &r->row_capacity, LINES_A_BLOCK, sizeof *r->rows);
    ws_lines_init(&r->lines, input);
    return r;
}

ws_status ws_rows_open(ws_rows **rows, ws_input *input, char delimiter, const ws_rows_options *options, ws_error *error)
{
    if (delimiter >= WS_WORDS && delimiter <= WS_LINES) {
        *rows = open_lines(input, delimiter, options && options->reader == WS_READER_PORTABLE);
        return WS_OK;
    }
    ws_rows *r = ws_alloc(sizeof *r);
    if (csv_init(&r->parser, 0) != 0) {
        free(r);
        *rows = NULL;
        return ws_fail_at(error, WS_IO, ws_input_path(input), 0, "the CSV parser could not be set up");
    }
    csv_set_delim(&r->parser, (unsigned char)delimiter);
    csv_set_blk_size(&r->parser, CELL_STEP_BYTES);
    r->input = input;
    r->options = options ? *options : (ws_rows_options){0};
    if (r->options.reader != WS_READER_CSV)
        r->scan = ws_scan_new(delimiter, r->options.reader == WS_READER_PORTABLE);
    r->max_plain = SIZE_MAX;
    r->line = 1;
    r->at_line_start = true;
    *rows = r;
    return WS_OK;
}

void ws_rows_close(ws_rows *rows)
{
    if (!rows)
        return;
    if (rows->options.counts) {
        rows->options.counts->plain += rows->plain_lines;
        rows->options.counts->other += (uint64_t)(rows->line - 1) - rows->plain_lines;
    }
    if (rows->kind)
        ws_lines_free(&rows->lines);
    else
        csv_free(&rows->parser);
    ws_scan_free(rows->scan);
    free(rows->text);
    free(rows->places);
    free(rows->cells);
    free(rows->rows);
    free(rows);
}

static ws_status feed(ws_rows *r, const char *bytes, size_t n, ws_error *error)
{
    if (csv_parse(&r->parser, bytes, n, take_cell, rows_take_row, r) == n)
        return WS_OK;
    return ws_fail_at(error, WS_FORMAT, ws_input_path(r->input), r->line, "%s", csv_strerror(csv_error(&r->parser)));
}

/* Feeds libcsv one line (or a piece of a very long one), so that each row knows the line on which it began. */
static ws_status feed_line(ws_rows *r, ws_error *error)
{
    if (r->row_line == 0 && r->at_line_start)
        r->row_line = r->line;
    size_t n = r->rest.n < BLOCK_BYTES ? r->rest.n : BLOCK_BYTES;
    const char *newline = memchr(r->rest.p, '\n', n);
    n = newline ? (size_t)(newline - r->rest.p) + 1 : n;
    size_t rows_before = r->n_rows;
    ws_status status = feed(r, r->rest.p, n, error);
    r->rest.p += n, r->rest.n -= n;
    r->row_bytes = r->n_rows == rows_before ? r->row_bytes + n : 0;
    r->at_line_start = newline != NULL;
    if (newline) {
        if (r->parser.pstate == ROW_NOT_BEGUN)
            r->quote_line = 0, r->row_bytes = 0;
        else if (!r->quote_line || r->cell_in_line)
            r->quote_line = r->line;
        r->cell_in_line = false;
        r->line++;
        /* a blank line gives no row: the next row begins on the next line */
        if (r->n_rows == rows_before && r->n_cells == r->row_first_cell && r->row_line == r->line - 1)
            r->row_line = r->parser.pstate == ROW_NOT_BEGUN ? 0 : r->row_line;
    }
    return status;
}

static ws_status refuse_quote(const ws_rows *r, ws_error *error)
{
    return ws_fail_at(error, WS_FORMAT, ws_input_path(r->input), r->quote_line,
                      "a quote that opens here is never closed: %" PRId64
                      " lines on, the cell still goes on; remove the "
                      "quote",
                      r->line - r->quote_line - 1);
}

/* At the end: has the cell that is still open taken whole lines? One in the last line, which may be cut, takes none. */
static bool has_taken_lines(const ws_rows *r)
{
    return r->quote_line && r->parser.quoted && r->parser.pstate == CELL_BEGUN && r->line - r->quote_line > 1;
}

static ws_status refuse_endless_row(const ws_rows *r, ws_error *error)
{
    if (r->quote_line && r->line - r->quote_line > MOST_CELL_LINES)
        return refuse_quote(r, error);
    if (r->row_bytes <= MOST_ROW_BYTES)
        return WS_OK;
    return ws_fail_at(error, WS_FORMAT, ws_input_path(r->input), r->row_line ? r->row_line : r->line,
                      "a row of more than %d MiB: line ends are missing, or this is no delimited text",
                      MOST_ROW_BYTES / (1024 * 1024));
}

static void place_cells(ws_rows *r)
{
    r->cells = ws_grow(r->cells, &r->cell_capacity, r->n_cells + 1, sizeof *r->cells);
    for (size_t i = 0; i < r->n_cells; i++)
        r->cells[i] = (ws_span){r->text + r->places[i].at, r->places[i].n};
    size_t first = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        r->rows[i].cells = r->cells + first;
        first += r->rows[i].n_cells;
    }
}

/* If the last block ended inside a row, the cells of that row move to the front. */
static void start_block(ws_rows *r)
{
    size_t kept = r->n_cells - r->row_first_cell;
    size_t from = kept ? r->places[r->row_first_cell].at : r->text_n;
    if (kept) {
        memmove(r->text, r->text + from, r->text_n - from);
        memmove(r->places, r->places + r->row_first_cell, kept * sizeof *r->places);
        for (size_t i = 0; i < kept; i++)
            r->places[i].at -= from;
    }
    r->text_n -= from;
    r->n_cells = kept;
    r->row_first_cell = 0;
    r->n_rows = 0;
}

void ws_rows_put(ws_rows *rows, ws_span bytes)
{
    rows->is_put = true;
    rows->read = bytes;
}

void ws_rows_put_end(ws_rows *rows)
{
    rows->is_put = rows->is_at_end = true;
}

bool ws_rows_are_between(const ws_rows *rows)
{
    return rows->at_line_start && rows->parser.pstate == ROW_NOT_BEGUN && rows->read.n + rows->rest.n == 0;
}

int64_t ws_rows_line(const ws_rows *rows)
{
    return rows->line;
}

/* The scanner may only start between two rows of libcsv. Its rows form a block of their own. */
static bool may_scan(const ws_rows *r)
{
    return r->scan && r->at_line_start && r->parser.pstate == ROW_NOT_BEGUN;
}

ws_span ws_rows_at_hand(const ws_rows *rows)
{
    return may_scan(rows) ? rows->rest : (ws_span){"", 0};
}

void ws_rows_limit(ws_rows *rows, size_t max_lines)
{
    rows->max_plain = max_lines;
}

void ws_rows_pass(ws_rows *rows, size_t bytes, int64_t lines)
{
    rows->rest.p += bytes, rows->rest.n -= bytes;
    rows->line += lines;
    rows->plain_lines += (uint64_t)lines;
}

static ws_status read_piece(ws_rows *r, ws_error *error)
{
    ws_status status = WS_OK;
    if (r->read.n == 0 && !r->is_put)
        status = ws_input_read(r->input, &r->read, error);
    size_t n = r->options.piece && r->options.piece < r->read.n ? r->options.piece : r->read.n;
    r->rest = (ws_span){r->read.p, n};
    r->read.p += n, r->read.n -= n;
    if (status == WS_OK && n == 0 && has_taken_lines(r))
        return refuse_quote(r, error);
    if (status == WS_OK && n == 0) {
        csv_fini(&r->parser, take_cell, rows_take_row, r);
        r->ended = true;
    }
    return status;
}

static size_t scan_lines(ws_rows *r, const ws_row **block)
{
    int64_t first = r->line;
    size_t n = ws_scan_lines(r->scan, r->max_plain, &r->rest, &r->line, block);
    r->plain_lines += (uint64_t)(r->line - first);
    return n;
}

/* The cells of a line, behind those of the lines before; none of a blank one. */
static void split_line(ws_rows *r, ws_span line)
{
    ws_span cell;
    if (r->kind == WS_WORDS || r->kind == WS_WORDS_AND_COMMAS)
        r->split(r, line);
    else if (!ws_span_trim(line).n)
        return;
    else if (r->kind == WS_LINES)
        add_cell(r, line);
    else
        while (ws_span_split(&line, '|', &cell))
            add_cell(r, ws_span_trim(cell));
}

static void add_line(ws_rows *r, ws_span line)
{
    size_t first = r->n_cells;
    split_line(r, line);
    if (r->n_cells == first)
        return;
    bool is_word = line.n && (r->kind == WS_WORDS || r->kind == WS_WORDS_AND_COMMAS);
    r->rows[r->n_rows++] = (ws_row){.n_cells = (uint32_t)(r->n_cells - first),
                                    .line = r->lines.number,
                                    .unfinished = r->lines.unfinished,
                                    .is_closed = is_word && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t')};
}

/* The next line that is not blank, and those behind it that are there already. */
static ws_status next_lines(ws_rows *r, const ws_row **block, size_t *n, ws_error *error)
{
    ws_span line = {NULL, 0};
    ws_status status;
    r->n_cells = r->n_rows = 0;
    while (!r->n_rows && (status = ws_lines_next(&r->lines, &line, error)) == WS_OK && line.p)
        add_line(r, line);
    while (r->n_rows && r->n_rows < LINES_A_BLOCK && r->n_cells < CELLS_A_BLOCK && ws_lines_at_hand(&r->lines, &line))
        add_line(r, line);
    for (size_t i = 0, first = 0; i < r->n_rows; first += r->rows[i++].n_cells)
        r->rows[i].cells = r->cells + first;
    *block = r->rows;
    *n = r->n_rows;
    return status;
}

ws_status ws_rows_next(ws_rows *rows, const ws_row **block, size_t *n, ws_error *error)
{
    ws_rows *r = rows;
    ws_status status = WS_OK;
    if (r->kind)
        return next_lines(r, block, n, error);
    start_block(r);
    /* an empty block means the end, so that it takes at least one row, however long that is */
    while (status == WS_OK && !r->ended && r->n_rows < BLOCK_ROWS && (r->n_rows == 0 || r->text_n < BLOCK_BYTES)) {
        bool can_scan = may_scan(r);
        if (can_scan && r->n_rows)
            break;
        if (can_scan && (*n = scan_lines(r, block)) > 0)
            return WS_OK;
        status = refuse_endless_row(r, error);
        if (r->is_put && !r->is_at_end && r->read.n + r->rest.n == 0)
            break;
        if (status == WS_OK)
            status = r->rest.n ? feed_line(r, error) : read_piece(r, error);
    }
    place_cells(r);
    *block = r->rows;
    *n = r->n_rows;
    /* Rows before the damage are handed out first; the next call finds the damage again. */
    if (status != WS_OK && *n) {
        if (error)
            ws_error_clear(error);
        return WS_OK;
    }
    return status;
}

ws_status ws_rows_take(ws_rows *rows, ws_row_taker *take, void *state, ws_error *error)
{
    const ws_row *block;
    size_t n = 1;
    ws_status status = WS_OK;
    while (status == WS_OK && n) {
        status = ws_rows_next(rows, &block, &n, error);
        for (size_t i = 0; status == WS_OK && i < n; i++)
            status = take(state, &block[i], error);
    }
    return status;
}

enum { NOTE_TEXT = 80 };

static int shown(ws_span text)
{
    return text.n > NOTE_TEXT ? NOTE_TEXT : (int)text.n;
}

/* --- which rows can be used: headers --- */

void ws_row_note_header_again(const ws_row_policy *policy, const ws_row *row)
{
    if (!policy->scrolls)
        ws_notes_add(policy->notes, WS_FINDING_REPEATED_HEADER, policy->source, "", row->line,
                     "the header is repeated inside the file");
}

bool ws_row_is_header_again(const ws_row_policy *policy, const ws_row *row)
{
    if (!policy->header || !ws_row_spells(row, policy->header, policy->n_columns))
        return false;
    ws_row_note_header_again(policy, row);
    return true;
}

ws_header_kind ws_row_policy_header(ws_row_policy *policy, ws_arena *arena, const ws_row *row)
{
    bool is_first = !policy->header;
    if (ws_row_is_header_again(policy, row))
        return WS_HEADER_AGAIN;
    policy->n_columns = row->n_cells;
    policy->header = ws_arena_alloc(arena, row->n_cells * sizeof *policy->header);
    for (uint32_t c = 0; c < row->n_cells; c++)
        policy->header[c] = ws_arena_strndup(arena, row->cells[c].p, row->cells[c].n);
    if (is_first)
        return WS_HEADER_FIRST;
    ws_notes_add(policy->notes, WS_FINDING_CHANGED_HEADER, policy->source, "", row->line,
                 "the columns change inside the file");
    return WS_HEADER_CHANGED;
}

/* --- which rows can be used: the end of the file --- */

void ws_row_policy_remember(ws_row_policy *policy, ws_span last_cell)
{
    policy->last_cell_n = last_cell.n < sizeof policy->last_cell ? last_cell.n : 0;
    memcpy(policy->last_cell, last_cell.p, policy->last_cell_n);
}

static void split_number(ws_span cell, size_t *decimals, ws_span *rest)
{
    double value;
    *decimals = 0;
    if (!ws_span_number(cell, &value, rest)) {
        *rest = cell;
        return;
    }
    size_t end = (size_t)(rest->p - cell.p);
    const char *point = memchr(cell.p, '.', end);
    while (point && point + 1 + *decimals < cell.p + end && point[1 + *decimals] >= '0' && point[1 + *decimals] <= '9')
        ++*decimals;
}

/* A cell with a line end inside may be an unclosed quote that swallowed the rest of the file. */
static bool has_line_end(const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (row->cells[c].n && memchr(row->cells[c].p, '\n', row->cells[c].n))
            return true;
    return false;
}

static bool is_closed(const ws_row_policy *policy, const ws_row *row)
{
    bool has_end_sign = policy->n_columns && !*policy->header[policy->n_columns - 1];
    return row->is_closed || (has_end_sign && !row->cells[row->n_cells - 1].n);
}

/* WS_LAST_LINE_ALIKE: loggers write the last cell of every row with the same unit and as many decimals. If it has
 * neither, a shorter cell than before is not trusted. */
static bool looks_cut(const ws_row_policy *policy, const ws_row *row)
{
    ws_span cell = ws_row_cell(row, (int32_t)policy->n_columns - 1);
    ws_span before = {policy->last_cell, policy->last_cell_n}, rest, rest_before;
    size_t decimals, decimals_before;
    if (policy->last_line == WS_LAST_LINE_KEPT)
        return row->n_cells < policy->n_columns;
    if (policy->last_line == WS_LAST_LINE_NEVER || has_line_end(row))
        return true;
    if (policy->last_line == WS_LAST_LINE_CLOSED)
        return row->n_cells < policy->n_columns || !is_closed(policy, row);
    if (row->n_cells < policy->n_columns || !before.n)
        return row->n_cells < policy->n_columns;
    split_number(cell, &decimals, &rest);
    split_number(before, &decimals_before, &rest_before);
    if (decimals != decimals_before || rest.n < rest_before.n)
        return true;
    return !decimals && !rest.n && cell.n < before.n;
}

/* --- which rows can be used: too short, too long, unreadable --- */

ws_span ws_row_text(const ws_row *row, char buffer[WS_ROW_TEXT])
{
    size_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < WS_ROW_TEXT; c++) {
        ws_span cell = row->cells[c];
        if (c)
            buffer[n++] = ' ';
        size_t room = WS_ROW_TEXT - n, taken = cell.n < room ? cell.n : room;
        if (taken)
            memcpy(buffer + n, cell.p, taken);
        n += taken;
    }
    return (ws_span){buffer, n};
}

static void add_note(const ws_row_policy *policy, ws_finding finding, const ws_row *row, const char *text)
{
    ws_notes_add(policy->notes, finding, policy->source, "", row->line, "%s", text);
}

void ws_note_cut_line(ws_notes *notes, const char *source, const char *subject, int64_t line)
{
    ws_notes_add(notes, WS_FINDING_TRUNCATED_LINE, source, subject, line, "the last line is cut and was refused");
}

void ws_row_note_cut(const ws_row_policy *policy, const ws_row *row)
{
    ws_note_cut_line(policy->notes, policy->source, "", row->line);
}

static void note_ragged(const ws_row_policy *policy, const ws_row *row)
{
    ws_notes_add(policy->notes, WS_FINDING_RAGGED_ROW, policy->source, "", row->line,
                 "the row has %u cells and the head %u: it was left out", (unsigned)row->n_cells,
                 (unsigned)policy->n_columns);
}

void ws_row_note_short(const ws_row_policy *policy, const ws_row *row)
{
    add_note(policy, WS_FINDING_SHORT_ROW, row, "a row ends before its last column and was left out");
}

/* Cells after the last column come from decimal commas, which move the other cells of the row to wrong columns. */
static bool fits(const ws_row_policy *policy, const ws_row *row)
{
    bool is_short = row->n_cells < policy->n_columns;
    if (!is_short && !ws_row_has_more(row, policy->n_columns))
        return true;
    if (policy->is_of_runs)
        note_ragged(policy, row);
    else if (!is_short)
        add_note(policy, WS_FINDING_EXTRA_CELLS, row, "a row has more cells than columns and was refused");
    else if (policy->keeps_short)
        add_note(policy, WS_FINDING_UNFILLED_ROW, row, "a row ends before its last column: the rest counts as missing");
    else
        ws_row_note_short(policy, row);
    return is_short && policy->keeps_short;
}

void ws_row_note_doubt(const ws_row_policy *policy, const ws_row *row)
{
    ws_span cell = row->cells[row->n_cells - 1];
    if (row->unfinished && cell.n)
        ws_notes_add(policy->notes, WS_FINDING_TRUNCATED_LINE, policy->source, policy->header[policy->n_columns - 1],
                     row->line, "the last line has no line end: its last cell may be cut: '%.*s'", shown(cell), cell.p);
}

bool ws_row_is_cut(const ws_row_policy *policy, const ws_row *row)
{
    bool is_cut = row->unfinished && looks_cut(policy, row);
    if (is_cut)
        ws_row_note_cut(policy, row);
    return is_cut;
}

bool ws_row_policy_check(const ws_row_policy *policy, const ws_row *row)
{
    if (ws_row_is_cut(policy, row))
        return false;
    bool is_usable = fits(policy, row);
    if (is_usable && policy->last_line == WS_LAST_LINE_KEPT)
        ws_row_note_doubt(policy, row);
    return is_usable;
}

void ws_row_note_no_data(const ws_row_policy *policy, const ws_row *row)
{
    char buffer[WS_ROW_TEXT];
    ws_span text = ws_row_text(row, buffer);
    if (row->unfinished)
        ws_row_note_cut(policy, row);
    else
        ws_notes_add(policy->notes, WS_FINDING_SKIPPED_LINE, policy->source, "", row->line, "no row of data: '%.*s'",
                     WS_SPAN_ARG(text));
}

/* "1,030" and "1.2k", ">999", "OL" and "####": a reading, which is lost because of its size or of how it is written. */
static bool is_unread_number(ws_span cell)
{
    static const char *const too_large[] = {"OL", "OVL", "OVER", "+OVER", "OVERFLOW", "OVERLOAD", "OVERRANGE"};
    bool is_filled = cell.n > 1 && (*cell.p == '#' || *cell.p == '*');
    for (size_t i = 0; i < cell.n && is_filled; i++)
        is_filled = cell.p[i] == *cell.p;
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; i++)
        is_filled |= ws_span_eq_nocase(cell, too_large[i]);
    while (cell.n > 1 && (*cell.p == '<' || *cell.p == '>' || *cell.p == '+' || *cell.p == '-' || *cell.p == ' '))
        cell.p++, cell.n--;
    bool is_nan_of_windows = ws_span_has_prefix(cell, "1.#"); /* 1.#QNAN, 1.#INF */
    return is_filled || (cell.n && *cell.p >= '0' && *cell.p <= '9' && !is_nan_of_windows);
}

void ws_note_unreadable_cell(ws_notes *notes, const char *source, const char *column, int64_t line, ws_span cell)
{
    cell = ws_span_trim(cell);
    if (*column && is_unread_number(cell)) {
        ws_notes_add(notes, WS_FINDING_UNREAD_NUMBER, source, column, line,
                     "'%.*s' may be read in more than one way, or in none, for '%s': counted as missing (write numbers "
                     "without groups of thousands, and units as W or kW)",
                     shown(cell), cell.p, column);
        return;
    }
    ws_notes_add(notes, WS_FINDING_UNREADABLE_CELL, source, column, line,
                 *column ? "'%.*s' is no number for '%s': counted as missing"
                         : "'%.*s' is no number: counted as missing",
                 shown(cell), cell.p, column);
}

void ws_note_bad_stamp(ws_notes *notes, const char *source, int64_t line, ws_span stamp)
{
    ws_notes_add(notes, WS_FINDING_BAD_STAMP, source, "", line, "no stamp: '%.*s'", shown(stamp), stamp.p);
}
