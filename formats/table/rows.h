/* Rows of a delimited file as spans of its cells, and which of them can be used.
 *
 * libcsv defines what a cell is: blanks around a cell are trimmed, quotes are resolved, empty lines give no row, and
 * CR, LF or CRLF ends a row. Plain lines, nearly all lines of real files, go through a faster scanner with the same
 * result (below). Tables drawn with blanks or bars are split line by line instead (WS_WORDS, WS_BARS), and lines that
 * are no table are rows of one cell (WS_LINES). */
#ifndef WS_FORMATS_ROWS_H
#define WS_FORMATS_ROWS_H

#include "core/finding.h"
#include "core/status.h"
#include "core/text.h"
#include "formats/input/input.h"
#include "formats/input/rows_options.h"

#include <stdbool.h>
#include <stdint.h>
#include "core/arena.h"
#include "core/note.h"

/* --- a row --- */

typedef struct ws_row {
    const ws_span *cells;
    uint32_t n_cells;
    bool is_in_text; /* all cells point into the text that was read; libcsv copied none */
    bool unfinished; /* the last row of a file that does not end with a line end */
    bool is_closed;  /* a row of words that ends with a blank, so that its last word is complete */
    int64_t line;    /* first line of the row, 1-based */
} ws_row;

/* The cell of a column, empty if there is none. */
static inline ws_span ws_row_cell(const ws_row *row, int32_t column)
{
    if (column < 0 || (uint32_t)column >= row->n_cells)
        return (ws_span){"", 0};
    return row->cells[column];
}

/* The whole of a row whose cells all point into its line, as words do. At least one cell. */
static inline ws_span ws_row_line(const ws_row *row)
{
    const ws_span *last = &row->cells[row->n_cells - 1];
    return (ws_span){row->cells->p, (size_t)(last->p + last->n - row->cells->p)};
}

/* Do the cells spell these names, one each? */
static inline bool ws_row_spells(const ws_row *row, const char *const *names, uint32_t n)
{
    bool same = row->n_cells == n;
    for (uint32_t c = 0; c < n && same; c++)
        same = ws_span_eq(row->cells[c], names[c]);
    return same;
}

/* Could at least so many cells be names, that is, do not begin with a digit? A quick test that rules out nearly all
 * rows of readings as headers. */
static inline bool ws_row_may_name(const ws_row *row, uint32_t at_least)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < at_least; c++)
        n += row->cells[c].n && (unsigned)*row->cells[c].p - '0' > 9;
    return n >= at_least;
}

/* Are there cells with content after the last column? Decimal commas cause such rows: none of their cells is
 * reliable. */
static inline bool ws_row_has_more(const ws_row *row, uint32_t n_columns)
{
    for (uint32_t c = n_columns; c < row->n_cells; c++)
        if (row->cells[c].n)
            return true;
    return false;
}

/* Does the number of cells make the row unusable? *why gets the reason. */
static inline bool ws_row_is_misfit(const ws_row *row, uint32_t n_columns, ws_finding *why)
{
    *why = row->unfinished            ? WS_FINDING_TRUNCATED_LINE
           : row->n_cells < n_columns ? WS_FINDING_SHORT_ROW
                                      : WS_FINDING_EXTRA_CELLS;
    return *why != WS_FINDING_EXTRA_CELLS || ws_row_has_more(row, n_columns);
}

/* --- the rows of a file --- */

typedef struct ws_rows ws_rows;

/* These stand in for the delimiter of tables without quoting, where a quote is an ordinary character: cells are words
 * between blanks and tabs; the same with commas as well; whatever is between bars, trimmed; or the whole line, as it
 * is. All cells of such a row point into its line. */
enum { WS_WORDS = 1, WS_WORDS_AND_COMMAS, WS_BARS, WS_LINES };

/* The caller keeps the input, which must outlive the rows. options: NULL for the defaults. */
ws_status ws_rows_open(ws_rows **rows, ws_input *input, char delimiter, const ws_rows_options *options,
                       ws_error *error);
void ws_rows_close(ws_rows *rows); /* NULL is fine */

/* The next block of rows; *n = 0 at the end. Good until the next call. WS_FORMAT: an unclosed quote, or a row too long
 * to be one; the rows before it are handed out first. */
ws_status ws_rows_next(ws_rows *rows, const ws_row **block, size_t *n, ws_error *error);

/* Hands each remaining row to `take`, up to the end or the first failure. */
typedef ws_status ws_row_taker(void *state, const ws_row *row, ws_error *error);
ws_status ws_rows_take(ws_rows *rows, ws_row_taker *take, void *state, ws_error *error);

/* For a caller that parses plain lines by itself (trace_rows.c). ws_rows_at_hand: the buffered bytes if a row begins
 * with them, else none. ws_rows_pass: the caller has consumed so many of them, whole lines only. ws_rows_limit: put at
 * most max_lines plain lines into a block from now on, so that the caller soon gets its turn again. */
ws_span ws_rows_at_hand(const ws_rows *rows);
void ws_rows_pass(ws_rows *rows, size_t bytes, int64_t lines);
void ws_rows_limit(ws_rows *rows, size_t max_lines);

/* For a caller that reads the input itself: after the first ws_rows_put, ws_rows_next gives the rows of these bytes
 * only, and *n = 0 once they are used up. The bytes must stay in place until then. */
void ws_rows_put(ws_rows *rows, ws_span bytes);
void ws_rows_put_end(ws_rows *rows);           /* no more bytes: the last row may lack its line end */
bool ws_rows_are_between(const ws_rows *rows); /* all bytes are used up, and they ended with a whole row */
int64_t ws_rows_line(const ws_rows *rows);     /* the line number of the next byte */

/* --- which rows can be used --- */

/* What to do with a row that does not fit its header, decided once for all readers of tables: a last line that may be
 * cut, a row that is too short or too long, a cell that cannot be read, a repeated header. */

/* When a last line without a line end counts. A row that was cut as its logger was killed may look complete: "90"
 * instead of "90098". */
typedef enum ws_last_line {
    WS_LAST_LINE_NEVER = 0,
    WS_LAST_LINE_ALIKE,  /* if its last cell looks like that of the row before: as many decimals, the same unit */
    WS_LAST_LINE_CLOSED, /* if a delimiter follows its last cell, as in the header or after every word */
    WS_LAST_LINE_KEPT    /* if it has all cells, since editors omit the line end too; a note doubts the last cell */
} ws_last_line;

typedef struct ws_row_policy {
    const char *source; /* must outlive the policy */
    ws_notes *notes;
    ws_last_line last_line;
    bool keeps_short; /* a short row counts with the cells that it has; otherwise it is left out */
    bool scrolls;     /* the tool repeats its header regularly: not worth a note */
    bool is_of_runs;  /* a table of runs: a row with too few or too many cells is noted as ragged */

    /* State of the functions below. */
    uint32_t n_columns; /* of the header; 0: none yet */
    const char **header;
    char last_cell[64]; /* of the row before */
    size_t last_cell_n;
} ws_row_policy;

typedef enum ws_header_kind { WS_HEADER_FIRST, WS_HEADER_AGAIN, WS_HEADER_CHANGED } ws_header_kind;

/* Takes a row as the header; its names are copied into the arena. A changed header is noted, and so is a repeated one
 * unless the policy scrolls. */
ws_header_kind ws_row_policy_header(ws_row_policy *policy, ws_arena *arena, const ws_row *row);

/* Does the row repeat the header? Adds a note unless the policy scrolls. */
bool ws_row_is_header_again(const ws_row_policy *policy, const ws_row *row);

/* Remembers the last cell of a row: WS_LAST_LINE_ALIKE compares the end of the file with it. */
void ws_row_policy_remember(ws_row_policy *policy, ws_span last_cell);

bool ws_row_policy_check(const ws_row_policy *policy, const ws_row *row); /* the slow path of ws_row_is_usable */

/* Can the cells of a data row be used? If not, a note says why. */
static inline bool ws_row_is_usable(const ws_row_policy *policy, const ws_row *row)
{
    return (row->n_cells == policy->n_columns && !row->unfinished) || ws_row_policy_check(policy, row);
}

/* Was the last row cut, as far as `last_line` of the policy can tell? Adds a note. For readers whose rows need not have
 * as many cells as the header. */
bool ws_row_is_cut(const ws_row_policy *policy, const ws_row *row);

/* For notes: the cells of the row with blanks between them, cut to WS_ROW_TEXT bytes. */
enum { WS_ROW_TEXT = 80 };
ws_span ws_row_text(const ws_row *row, char buffer[WS_ROW_TEXT]);

/* The notes of the rules above, for readers that make the decision themselves. */
void ws_row_note_header_again(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_doubt(const ws_row_policy *policy, const ws_row *row); /* the last cell of an unfinished row */
void ws_row_note_cut(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_short(const ws_row_policy *policy, const ws_row *row);   /* left out: it ends before its last column */
void ws_row_note_no_data(const ws_row_policy *policy, const ws_row *row); /* a cut line, or one that is not a row */

/* The last line of a file has no line end, and is cut and refused. Also for lines that are not rows. `subject` may be
 * "". */
void ws_note_cut_line(ws_notes *notes, const char *source, const char *subject, int64_t line);

/* A cell of `column` is not a number and counts as missing; a cell is not a time stamp. */
void ws_note_unreadable_cell(ws_notes *notes, const char *source, const char *column, int64_t line, ws_span cell);
void ws_note_bad_stamp(ws_notes *notes, const char *source, int64_t line, ws_span stamp);

/* --- plain lines --- */

/* One plain line of delimited text, cut into its cells, 64 bytes at a time, and short numbers read as one word.
 *
 * A line is plain if it has no quote, no carriage return except right before its end, and is not too long. Its cells
 * are the texts between delimiters without blanks at their ends, exactly as libcsv cuts them. Inline, so that the loops
 * over lines (rows.c, trace_rows.c) call no function for each line. */

/* A template of short texts that differ in their digits only: "86.35 W", the "01.021" of a stamp. It is learnt from one
 * of them; a text of the same length is then checked and read as one word instead of byte by byte. */
#define WS_EACH_BYTE UINT64_C(0x0101010101010101)

/* Of the eight bytes that end with the text, the first lowest. */
typedef struct ws_digit_template {
    uint64_t fixed;  /* '0' for digits, else the byte itself */
    uint64_t most;   /* by how much a byte may exceed `fixed`: 9 for digits, 255 before the text, else 0 */
    uint64_t before; /* the bytes of the digits before the point */
    uint64_t others; /* of those after it; of all digits without a point */
    uint64_t order;  /* the bytes that hold digits, moved to the end; bit 7: none */
    uint8_t shift;   /* what moves the last digit to the end */
} ws_digit_template;

/* Text of one to eight bytes: `whole` digits, and where `decimals` is not 0 any one byte and so many digits more, and
 * anything after that. One digit at least. */
ws_digit_template ws_digit_template_of(ws_span text, size_t whole, size_t decimals);

/* The digits, whole and decimals, of the text before `end`, as one number; false where it looks different. It is as
 * long as the one that was learnt, and eight bytes before `end` must be there. */
typedef bool ws_digit_template_reader(const ws_digit_template *look, const char *end, uint32_t *digits);

static inline bool ws_digit_template_read(const ws_digit_template *look, const char *end, uint32_t *digits)
{
    const uint64_t top = 0x80 * WS_EACH_BYTE;
    uint64_t d = ws_word_before(end) ^ look->fixed;
    uint64_t lift = ~look->most & ~top; /* takes a byte that is too large, and is none before the text, to bit 7 */
    if (((d + lift) | d) & ~look->most & top)
        return false;
    *digits = (uint32_t)ws_eight_digits(((d & look->before) << 8 | (d & look->others)) << look->shift);
    return true;
}

/* Functions of this kind are made once for each way to find masks, and must not call the one from the other. */
#define WS_INLINE static inline __attribute__((always_inline))

/* A line with more cells or more bytes is not plain. */
enum { WS_MOST_CELLS = 1024, WS_MOST_LINE_BYTES = 64 * 1024 };

enum { WS_WORD = 64 };

/* What is looked for, each sign 32 times: kept in memory, for a processor compares with that as fast as with a
 * register. */
typedef struct ws_marks {
    char delimiter[WS_WORD / 2], newline[WS_WORD / 2], quote[WS_WORD / 2], carriage_return[WS_WORD / 2];
} ws_marks;

static inline void ws_marks_init(ws_marks *marks, char delimiter)
{
    memset(marks->delimiter, delimiter, sizeof marks->delimiter);
    memset(marks->newline, '\n', sizeof marks->newline);
    memset(marks->quote, '"', sizeof marks->quote);
    memset(marks->carriage_return, '\r', sizeof marks->carriage_return);
}

/* Where 64 bytes hold what matters, bit i for byte i. */
typedef struct ws_masks {
    uint64_t delimiters, newlines, odd; /* odd: quotes and carriage returns */
} ws_masks;

typedef ws_masks ws_masks_of(const char *bytes, const ws_marks *marks);

/* Bit i where byte i of the word is `sign`: the zero bytes of their difference, found without a carry from byte to
 * byte. */
static inline uint64_t ws_equal_bytes(uint64_t word, char sign)
{
    const uint64_t low = 0x7f * WS_EACH_BYTE;
    uint64_t x = word ^ (unsigned char)sign * WS_EACH_BYTE;
    uint64_t zero = ~(((x & low) + low) | x | low) >> 7;
    return zero * UINT64_C(0x0102040810204080) >> 56;
}

static inline ws_masks ws_masks_portable(const char *bytes, const ws_marks *marks)
{
    ws_masks m = {0};
    for (int i = 0; i < WS_WORD / 8; i++) {
        uint64_t word;
        memcpy(&word, bytes + i * 8, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        m.delimiters |= ws_equal_bytes(word, *marks->delimiter) << i * 8;
        m.newlines |= ws_equal_bytes(word, '\n') << i * 8;
        m.odd |= (ws_equal_bytes(word, '"') | ws_equal_bytes(word, '\r')) << i * 8;
    }
    return m;
}

/* The cells of a line: cell i begins at begin[i], and a delimiter or the line's end stands at begin[i + 1] - 1. */
typedef struct ws_cut {
    size_t n;         /* cells */
    const char *next; /* the line after it */
    const char *begin[WS_MOST_CELLS + 1];
} ws_cut;

/* Note where cells begin behind the delimiters of `bits`, up to the one numbered `most`. */
WS_INLINE void ws_cut_note(ws_cut *cut, size_t n, size_t most, uint64_t bits, const char *at)
{
    for (; bits && n < most; bits &= bits - 1)
        cut->begin[++n] = at + __builtin_ctzll(bits) + 1;
}

WS_INLINE ws_masks ws_look_at(ws_masks_of *look, const char *bytes, const char *end, const ws_marks *marks)
{
    if (end - bytes >= WS_WORD)
        return look(bytes, marks);
    char tail[WS_WORD] = {0};
    memcpy(tail, bytes, (size_t)(end - bytes));
    return look(tail, marks);
}

/* Cuts the line that begins at `line`; of its cells the first `wanted`, at most WS_MOST_CELLS, get their places, and
 * the others are counted. False when it is not plain or does not end before `end`. */
WS_INLINE bool ws_cut_line(ws_cut *cut, const char *line, const char *end, const ws_marks *marks, size_t wanted,
                           ws_masks_of *look)
{
    size_t delimiters = 0;
    int odd = 0;
    cut->begin[0] = line;
    for (const char *at = line; at < end && at - line < WS_MOST_LINE_BYTES; at += WS_WORD) {
        ws_masks m = ws_look_at(look, at, end, marks);
        uint64_t inside = m.newlines ^ (m.newlines - 1); /* all of it where no line ends */
        uint64_t found = m.delimiters & inside;
        ws_cut_note(cut, delimiters, wanted, found, at);
        delimiters += (size_t)__builtin_popcountll(found);
        odd += __builtin_popcountll(m.odd & inside);
        if (!m.newlines)
            continue;
        const char *newline = at + __builtin_ctzll(m.newlines);
        cut->n = delimiters + 1;
        cut->next = newline + 1;
        if (delimiters >= WS_MOST_CELLS)
            return false;
        bool has_return = odd && newline[-1] == '\r';
        cut->begin[cut->n] = newline + 1 - has_return;
        return odd == has_return;
    }
    return false;
}

/* The cell without blanks at its ends. */
static inline ws_span ws_cut_cell(const ws_cut *cut, size_t i)
{
    const char *begin = cut->begin[i], *end = cut->begin[i + 1] - 1;
    if (begin < end) {
        begin += *begin == ' ';              /* the usual one */
        if (*begin <= ' ' || end[-1] <= ' ') /* nearly all bytes of cells are above the blank */
            return ws_span_trim((ws_span){begin, (size_t)(end - begin)});
    }
    return (ws_span){begin, (size_t)(end - begin)};
}

/* Plain lines as rows. */

typedef struct ws_scan ws_scan;

/* portable: without the instructions that only some processors have; the rows are the same. */
ws_scan *ws_scan_new(char delimiter, bool portable);
void ws_scan_free(ws_scan *scan); /* NULL is fine */

/* Cuts lines off the front of *text, which begins with a line, up to the first that is not plain or not complete, or
 * until there are `most` rows or no room, and moves *text and *line past them; blank lines give no row. The rows point
 * into the text and are good until the next call. */
size_t ws_scan_lines(ws_scan *scan, size_t most, ws_span *text, int64_t *line, const ws_row **rows);

#endif
