#include "harness.h"

#include "formats/rows.h"

#include <string.h>

/* Every row as "line[!]:cell|cell" and a newline, so that a case is one comparison. */
static void dump(const char *text, size_t n, char *out, size_t size)
{
    ws_error error = {0};
    ws_input *input = ws_input_from_memory("t.csv", text, n);
    ws_rows *rows;
    const ws_row *block;
    size_t count, at = 0;
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', &error), WS_OK);
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
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', &error), WS_OK);
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

TEST_MAIN("rows", rows_and_lines, many_blocks_keep_every_row)
