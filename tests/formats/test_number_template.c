#include "harness.h"

#include "formats/table/trace_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* By every way to read: they must agree. */
static bool is_read(const ws_number_template *number, const char *line, uint64_t *digits)
{
    bool read = ws_number_read(number, line, digits);
#if defined __x86_64__
    uint64_t others = 0;
    if (ws_has_avx2())
        ck_assert(ws_number_read_avx2(number, line, &others) == read && (!read || others == *digits));
#endif
    return read;
}

/* A cell at `begin` of a line, between delimiters and other text. */
static void put_cell(char line[LINE], size_t begin, const char *text)
{
    memset(line, '7', LINE);
    if (begin)
        line[begin - 1] = ',';
    memcpy(line + begin, text, strlen(text));
    line[begin + strlen(text)] = ',';
}

static ws_number_cell cell_of(size_t begin, const char *text)
{
    ws_number_cell cell = {.begin = begin, .digits = begin + strspn(text, " "), .end = begin + strlen(text)};
    const char *number = text + strspn(text, " ");
    cell.whole = strspn(number, "0123456789");
    if (number[cell.whole] == '.')
        cell.decimals = strspn(number + cell.whole + 1, "0123456789");
    return cell;
}

static int64_t read_as(size_t begin, const char *model, const char *text)
{
    char learnt[LINE], line[LINE];
    uint64_t digits;
    ws_number_cell cell = cell_of(begin, model);
    put_cell(learnt, begin, model);
    put_cell(line, begin, text);
    ws_number_template number = ws_number_template_of(learnt, &cell);
    return is_read(&number, line, &digits) ? (int64_t)digits : -1;
}

/* At the beginning of a line, where the sixteen bytes reach beyond the cell, and behind it. */
START_TEST(numbers_are_read_anywhere)
{
    for (size_t begin = 0; begin < 40; begin++) {
        ck_assert_int_eq(read_as(begin, "1", "7"), 7);
        ck_assert_int_eq(read_as(begin, " 48 %", " 09 %"), 9);
        ck_assert_int_eq(read_as(begin, " 286.35 W", " 999.01 W"), 99901);
        ck_assert_int_eq(read_as(begin, ".5", ".8"), 8);
        ck_assert_int_eq(read_as(begin, "86.", "12."), 12);
        ck_assert_int_eq(read_as(begin, "262143328850", "109876543210"), INT64_C(109876543210));
        ck_assert_int_eq(read_as(begin, "12345678.1234567", "98765432.7654321"), INT64_C(987654327654321));
        ck_assert_int_eq(read_as(begin, " 20000 MiB", "120000 MiB"), -1);
        ck_assert_int_eq(read_as(begin, " 286.35 W", " 1999.0 W"), -1);
    }
}
END_TEST

/* Digits and a point in every place, behind other bytes. */
START_TEST(every_length_is_read)
{
    static const char digits[] = "739158240617592";
    for (size_t whole = 0; whole <= WS_NUMBER_DIGITS; whole++) {
        for (size_t decimals = 0; decimals + whole <= WS_NUMBER_DIGITS; decimals++) {
            char text[2 * LINE], joined[WS_NUMBER_DIGITS + 1];
            if (!(whole + decimals))
                continue;
            snprintf(joined, sizeof joined, "%.*s", (int)(whole + decimals), digits);
            snprintf(text, sizeof text, "%.*s%s%s", (int)whole, joined, decimals ? "." : "", joined + whole);
            for (; strlen(text) <= WS_NUMBER_BYTES; strcat(text, strchr(text, ' ') ? "%" : " "))
                for (size_t begin = 0; begin < 20; begin += 3)
                    ck_assert_int_eq(read_as(begin, text, text), strtoll(joined, NULL, 10));
        }
    }
}
END_TEST

START_TEST(every_other_byte_is_refused)
{
    static const char model[] = " 1286.35 W";
    for (size_t begin = 0; begin < 30; begin += 7) {
        for (size_t at = 0; at < sizeof model - 1; at++) {
            for (int byte = 0; byte < 256; byte++) {
                char line[LINE];
                uint64_t digits;
                ws_number_cell cell = cell_of(begin, model);
                put_cell(line, begin, model);
                ws_number_template number = ws_number_template_of(line, &cell);
                bool is_digit = (at >= 1 && at <= 4) || at == 6 || at == 7;
                bool fits = is_digit ? byte >= '0' && byte <= '9' : byte == model[at];
                line[begin + at] = (char)byte;
                ck_assert(is_read(&number, line, &digits) == fits);
            }
        }
    }
}
END_TEST

START_TEST(none_fits_no_line)
{
    char line[LINE];
    uint64_t digits;
    ws_number_template none = ws_number_template_none();
    put_cell(line, 0, "12.5");
    ck_assert(!is_read(&none, line, &digits));
    memset(line, 0, sizeof line);
    ck_assert(!is_read(&none, line, &digits));
}
END_TEST

TEST_MAIN("number template", numbers_are_read_anywhere, every_length_is_read, every_other_byte_is_refused,
          none_fits_no_line)
