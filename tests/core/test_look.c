#include "harness.h"

#include "core/look.h"

#include <stdio.h>
#include <string.h>

/* The text at the end of a line. */
static const char *end_of(const char *text)
{
    static char line[32];
    return line + snprintf(line, sizeof line, "1, 2, 3,%s", text);
}

static int64_t read_as(const char *model, size_t whole, size_t decimals, const char *text)
{
    uint64_t digits;
    ws_look look = ws_look_of(ws_span_of(model), whole, decimals);
    return ws_look_read(&look, end_of(text), &digits) ? (int64_t)digits : -1;
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

START_TEST(every_other_byte_is_refused)
{
    static const char model[] = "286.35 W";
    for (size_t at = 0; at < sizeof model - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char line[] = "1, 2, 3,286.35 W";
            uint64_t digits;
            ws_look look = ws_look_of(ws_span_of(model), 3, 2);
            bool is_digit = at < 3 || at == 4 || at == 5;
            bool fits = is_digit ? byte >= '0' && byte <= '9' : byte == model[at];
            line[8 + at] = (char)byte;
            ck_assert(ws_look_read(&look, line + 16, &digits) == fits);
        }
    }
}
END_TEST

START_TEST(nothing_is_learnt_at_first)
{
    uint64_t digits;
    static const char *const texts[] = {"1", "48 %", "00000000", "N/A"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert(!ws_look_read(&(ws_look){0}, end_of(texts[i]), &digits));
}
END_TEST

TEST_MAIN("look", digits_are_read, every_other_byte_is_refused, nothing_is_learnt_at_first)
