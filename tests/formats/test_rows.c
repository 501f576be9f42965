#include "harness.h"

#include "formats/table/rows.h"

#include <string.h>

/* Every row as "line[!]:cell|cell" and a newline, so that a case is one comparison. */
static void dump_with(char delimiter, const char *text, size_t n, char *out, size_t size)
{
    ws_error error = {0};
    ws_input *input = ws_input_from_memory("t.csv", text, n);
    ws_rows *rows;
    const ws_row *block;
    size_t count, at = 0;
    ck_assert_int_eq(ws_rows_open(&rows, input, delimiter, NULL, &error), WS_OK);
    do {
        ck_assert_int_eq(ws_rows_next(rows, &block, &count, &error), WS_OK);
        for (size_t i = 0; i < count; i++) {
            at += (size_t)snprintf(out + at, size - at, "%d%s:", (int)block[i].line, block[i].unfinished ? "!" : "");
            for (uint32_t c = 0; c < block[i].n_cells; c++)
                at += (size_t)snprintf(out + at, size - at, "%s%.*s", c ? "|" : "", WS_SPAN_ARG(block[i].cells[c]));
            at += (size_t)snprintf(out + at, size - at, "\n");
        }
    } while (count);
    ws_rows_close(rows);
    ws_input_close(input);
}

static void dump(const char *text, size_t n, char *out, size_t size)
{
    dump_with(',', text, n, out, size);
}

static const struct {
    const char *text, *want;
} cases[] = {
    {"a, b\n1,2\n", "1:a|b\n2:1|2\n"},
    {"a,b\r\n1,2\r\n", "1:a|b\n2:1|2\n"},
    {"a,b\n1,", "1:a|b\n2!:1|\n"},
    {"\n\na,b\n\n1,2\n", "3:a|b\n5:1|2\n"},
    {"a,\"x\ny\",c\n4,5,6\n", "1:a|x\ny|c\n3:4|5|6\n"},
    {"a\n\n\"b\nc\"\n\nd\n", "1:a\n3:b\nc\n6:d\n"},
    {"a,,b\n", "1:a||b\n"},
    {"", ""},
    {"\"say \"\"hi\"\"\"\n", "1:say \"hi\"\n"},
};

START_TEST(rows_and_lines)
{
    char got[512];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        got[0] = '\0';
        dump(cases[i].text, strlen(cases[i].text), got, sizeof got);
        ck_assert_str_eq(got, cases[i].want);
    }
}
END_TEST

static const struct {
    const char *text, *want;
    char kind;
} line_cases[] = {
    {"Core CPU\tBusy%\n-  -  51\n", "1:Core|CPU|Busy%\n2:-|-|51\n", WS_WORDS},
    {" a  b \r\n1\t2\r\n", "1:a|b\n2:1|2\n", WS_WORDS},
    {"\n \t \na b\n\n1 2", "3:a|b\n5!:1|2\n", WS_WORDS},
    {"\"a b\"\n1,2;3\n", "1:\"a|b\"\n2:1,2;3\n", WS_WORDS}, /* a quote or a delimiter is a sign like others */
    {"a b\r1 2\r", "1:a|b\n2:1|2\n", WS_WORDS},
    {"20260211, 08:00:00,, 1 \n", "1:20260211|08:00:00|1\n", WS_WORDS_AND_COMMAS},
    {", ,\na\n", "2:a\n", WS_WORDS_AND_COMMAS},
    {"JobID|Name|\n1| \"x |\n\n2|", "1:JobID|Name|\n2:1|\"x|\n4!:2|\n", WS_BARS},
    {" a, b \r\n\n\"c\n", "1: a, b \n3:\"c\n", WS_LINES},
    {"", "", WS_WORDS},
    {" \n", "", WS_WORDS},
};

START_TEST(cells_without_quotes)
{
    char got[512];
    for (size_t i = 0; i < sizeof line_cases / sizeof *line_cases; i++) {
        got[0] = '\0';
        dump_with(line_cases[i].kind, line_cases[i].text, strlen(line_cases[i].text), got, sizeof got);
        ck_assert_str_eq(got, line_cases[i].want);
    }
}
END_TEST

START_TEST(many_blocks_keep_every_row)
{
    enum { ROWS = 20000 };
    char *text = malloc(ROWS * 40);
    size_t n = 0;
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(text + n, "%d,\"cell\n%d\",x\n", i, i * 7);
    ws_error error = {0};
    ws_input *input = ws_input_from_memory("t.csv", text, n);
    ws_rows *rows;
    const ws_row *block;
    size_t count, seen = 0;
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', NULL, &error), WS_OK);
    do {
        ck_assert_int_eq(ws_rows_next(rows, &block, &count, &error), WS_OK);
        for (size_t i = 0; i < count; i++, seen++) {
            int64_t value;
            ck_assert_uint_eq(block[i].n_cells, 3);
            ck_assert(ws_span_i64(block[i].cells[0], &value));
            ck_assert_int_eq(value, (int64_t)seen);
            ck_assert_int_eq(block[i].line, (int64_t)seen * 2 + 1);
        }
    } while (count);
    ck_assert_uint_eq(seen, ROWS);
    ws_rows_close(rows);
    ws_input_close(input);
    free(text);
}
END_TEST

/* "head", a row of two cells of `long_n` bytes together, and "tail". */
static ws_input *with_long_row(size_t long_n, char **text)
{
    size_t n = strlen("head\n") + long_n + strlen("\ntail\n");
    *text = malloc(n + 1);
    memcpy(*text, "head\n", 5);
    memset(*text + 5, 'x', long_n);
    (*text)[5 + long_n / 2] = ',';
    memcpy(*text + 5 + long_n, "\ntail\n", 7);
    return ws_input_from_memory("t.csv", *text, n);
}

START_TEST(a_long_row_is_no_end_of_file)
{
    char *text;
    ws_rows *rows;
    const ws_row *block;
    size_t count, seen = 0, long_n = 3 * 1024 * 1024;
    ws_input *input = with_long_row(long_n, &text);
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', NULL, NULL), WS_OK);
    do {
        ck_assert_int_eq(ws_rows_next(rows, &block, &count, NULL), WS_OK);
        for (size_t i = 0; i < count; i++, seen++) {
            ck_assert_int_eq(block[i].line, (int64_t)seen + 1);
            ck_assert_uint_eq(block[i].n_cells, seen == 1 ? 2 : 1);
            if (seen == 1)
                ck_assert_uint_eq(block[i].cells[0].n + 1 + block[i].cells[1].n, long_n);
        }
    } while (count);
    ck_assert_uint_eq(seen, 3);
    ws_rows_close(rows);
    ws_input_close(input);
    free(text);
}
END_TEST

/* Read to the failure; rows before it arrive, and it stays when asked again. */
static size_t rows_before_failure(ws_input *input, ws_error *error)
{
    ws_rows *rows;
    const ws_row *block;
    size_t count, seen = 0;
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', NULL, error), WS_OK);
    ws_status status;
    while ((status = ws_rows_next(rows, &block, &count, error)) == WS_OK && count)
        seen += count;
    ck_assert_int_eq(status, WS_FORMAT);
    ck_assert_int_eq(ws_rows_next(rows, &block, &count, NULL), WS_FORMAT);
    ws_rows_close(rows);
    ws_input_close(input);
    return seen;
}

START_TEST(a_row_without_end_is_refused)
{
    char *text;
    ws_error error = {0};
    ck_assert_uint_eq(rows_before_failure(with_long_row(17 * 1024 * 1024, &text), &error), 1);
    ck_assert_msg(strncmp(error.message, "t.csv:2: a row of more than 16 MiB", 34) == 0, "%s", error.message);
    free(text);
}
END_TEST

START_TEST(a_quote_that_is_never_closed_is_refused_where_it_opens)
{
    static char text[20000];
    static const int last[] = {1000, 520, 502, 501}; /* also where the text ends before the cell is too long */
    for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
        size_t n = 0;
        for (int i = 1; i <= last[k]; i++) /* a row of two lines, and one that opens a quote in its second cell */
            n += (size_t)sprintf(text + n, i == 300 ? "\"%d\n\",7\n" : i == 500 ? "1,\"%d\n" : "1,%d\n", i);
        ws_error error = {0};
        ck_assert_uint_eq(rows_before_failure(ws_input_from_memory("t.csv", text, n), &error), 499);
        ck_assert_msg(strncmp(error.message, "t.csv:501: a quote that opens here is never closed", 50) == 0, "%s",
                      error.message);
    }
}
END_TEST

/* In the last line it may be cut, and a cell that is closed there is whole. */
START_TEST(a_cell_of_several_lines_may_end_the_text)
{
    static const char *const texts[] = {"1,2\n3,\"4\n", "1,2\n3,\"4", "1,2\n\"3\n4\n5\",6", "1,2\n3,\"4\n5\n6\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char got[200];
        dump(texts[i], strlen(texts[i]), got, sizeof got);
        ck_assert_msg(strncmp(got, "1:1|2\n2", 7) == 0, "%s", got);
    }
}
END_TEST

START_TEST(a_long_cell_of_a_hundred_lines_is_read)
{
    static char text[4000], got[4000];
    size_t n = (size_t)sprintf(text, "a,\"");
    for (int i = 0; i < 100; i++)
        n += (size_t)sprintf(text + n, "x\n");
    n += (size_t)sprintf(text + n, "\"\nb,c\n");
    dump(text, n, got, sizeof got);
    ck_assert_str_eq(strstr(got, "102:"), "102:b|c\n");
}
END_TEST

/* The cells of a line as blanks and commas cut it, a byte at a time. */
static size_t words_by_hand(const char *line, size_t n, bool commas_count, char *out)
{
    size_t at = 0;
    bool is_open = false;
    for (size_t i = 0; i < n; i++) {
        bool is_gap = strchr(" \t", line[i]) || (commas_count && line[i] == ',');
        if (!is_gap && !is_open && at)
            out[at++] = '|';
        if (!is_gap)
            out[at++] = line[i];
        is_open = !is_gap;
    }
    out[at] = '\0';
    return at;
}

/* Lines that end before, at and behind the blocks of 64 bytes in which words are found, with and without the
 * instructions that only some processors have. */
START_TEST(words_of_lines_of_any_length)
{
    static const char signs[] = "a7.- \t,  ";
    char line[400], want[800], got[800];
    uint64_t random = 88172645463325252u;
    for (size_t n = 1; n < 330; n++) {
        for (size_t i = 0; i < n; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            line[i] = signs[random % (sizeof signs - 1)];
        }
        line[n] = '\n';
        for (int kind = WS_WORDS; kind <= WS_WORDS_AND_COMMAS; kind++) {
            size_t n_want = words_by_hand(line, n, kind == WS_WORDS_AND_COMMAS, want);
            for (int reader = 0; reader < 2; reader++) {
                ws_rows_options options = {.reader = reader ? WS_READER_PORTABLE : WS_READER_FAST};
                ws_input *input = ws_input_from_memory("t", line, n + 1);
                ws_rows *rows;
                const ws_row *row;
                size_t count, at = 0;
                ck_assert_int_eq(ws_rows_open(&rows, input, (char)kind, &options, NULL), WS_OK);
                ck_assert_int_eq(ws_rows_next(rows, &row, &count, NULL), WS_OK);
                ck_assert_uint_eq(count, n_want > 0);
                for (uint32_t c = 0; count && c < row->n_cells; c++)
                    at +=
                        (size_t)snprintf(got + at, sizeof got - at, "%s%.*s", c ? "|" : "", WS_SPAN_ARG(row->cells[c]));
                got[at] = '\0';
                ck_assert_str_eq(got, want);
                ws_rows_close(rows);
                ws_input_close(input);
            }
        }
    }
}
END_TEST

TEST_MAIN("rows", rows_and_lines, cells_without_quotes, many_blocks_keep_every_row, a_long_row_is_no_end_of_file,
          a_row_without_end_is_refused, a_quote_that_is_never_closed_is_refused_where_it_opens,
          a_cell_of_several_lines_may_end_the_text, a_long_cell_of_a_hundred_lines_is_read,
          words_of_lines_of_any_length)
