#include "harness.h"

#include "formats/table/rows_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text at the end of a line. */
static const char *end_of(const char *text)
{
    static char line[32];
    return line + snprintf(line, sizeof line, "1, 2, 3,%s", text);
}

/* By every way to read: they must agree. */
static bool look_reads(const ws_digit_template *look, const char *end, uint32_t *digits)
{
    bool is_read = ws_digit_template_read(look, end, digits);
#if defined __x86_64__
    uint32_t others = 0;
    if (ws_has_avx2())
        ck_assert(ws_digit_template_read_avx2(look, end, &others) == is_read && (!is_read || others == *digits));
#endif
    return is_read;
}

static int64_t read_as(const char *model, size_t whole, size_t decimals, const char *text)
{
    uint32_t digits;
    ws_digit_template look = ws_digit_template_of(ws_span_of(model), whole, decimals);
    return look_reads(&look, end_of(text), &digits) ? (int64_t)digits : -1;
}

START_TEST(digits_are_read)
{
    ck_assert(read_as("1", 1, 0, "7") == 7);
    ck_assert(read_as("48 %", 2, 0, "09 %") == 9);
    ck_assert(read_as("286.35 W", 3, 2, "999.01 W") == 99901);
    ck_assert(read_as("12345678", 8, 0, "98765432") == 98765432);
    ck_assert(read_as(".5", 0, 1, ".8") == 8);
    ck_assert(read_as("86.", 2, 0, "12.") == 12);
    ck_assert(read_as("01.021", 2, 3, "59.999") == 59999);
    ck_assert(read_as("01,02x+z", 2, 2, "07,08x+z") == 708);
}
END_TEST

/* Digits in every place, behind bytes that do not matter. */
START_TEST(every_length_is_read)
{
    for (size_t whole = 0; whole <= 8; whole++) {
        for (size_t decimals = 0; decimals <= 8; decimals++) {
            char text[24], digits[24];
            size_t n = whole + decimals;
            if (!n || n + (decimals > 0) > 8)
                continue;
            snprintf(digits, sizeof digits, "%.*s", (int)n, "73915824");
            snprintf(text, sizeof text, "%.*s%s%s", (int)whole, digits, decimals ? "." : "", digits + whole);
            for (size_t behind = 0; strlen(text) <= 8; behind++) {
                ck_assert_int_eq(read_as(text, whole, decimals, text), strtoll(digits, NULL, 10));
                strcat(text, behind ? "%" : " ");
            }
        }
    }
}
END_TEST

START_TEST(every_other_byte_is_refused)
{
    static const char model[] = "286.35 W";
    for (size_t at = 0; at < sizeof model - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char line[] = "1, 2, 3,286.35 W";
            uint32_t digits;
            ws_digit_template look = ws_digit_template_of(ws_span_of(model), 3, 2);
            bool is_digit = at < 3 || at == 4 || at == 5;
            bool fits = is_digit ? byte >= '0' && byte <= '9' : byte == model[at];
            line[8 + at] = (char)byte;
            ck_assert(look_reads(&look, line + 16, &digits) == fits);
        }
    }
}
END_TEST

TEST_MAIN("look", digits_are_read, every_length_is_read, every_other_byte_is_refused)
