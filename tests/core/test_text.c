#include "harness.h"

#include "core/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t random_state;

/* splitmix64: the same numbers in every run. */
static uint64_t next_random(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void ck_reads_as(const char *text, double want)
{
    double got = -1;
    ck_assert_msg(ws_span_double(ws_span_of(text), &got), "'%s' is refused", text);
    ck_assert_msg(same_bits(got, want), "'%s' is read as %.17g, not %.17g", text, got, want);
}

START_TEST(numbers_are_read)
{
    ck_reads_as("0", 0);
    ck_reads_as("-0", -0.0);
    ck_reads_as("+1.5", 1.5);
    ck_reads_as(".5", 0.5);
    ck_reads_as("5.", 5);
    ck_reads_as(" \t12\r\n", 12);
    ck_reads_as("1e3", 1000);
    ck_reads_as("1E+3", 1000);
    ck_reads_as("2.5e-1", 0.25);
    ck_reads_as("000000000000000000000000001", 1);
    ck_reads_as("0.000000000000000000000000000000", 0);
    ck_reads_as("0e999999999", 0);
    ck_reads_as("100000000000000000000e-20", 1);
}
END_TEST

START_TEST(other_forms_are_refused)
{
    static const char *const forms[] = {"",     " ",     ".",      "-",        "+",
                                        "e5",   "1e",    "1e+",    "--1",      "+-1",
                                        "1 2",  "1,5",   "1_000",  "0x10",     "inf",
                                        "-inf", "nan",   "NaN",    "1.2.3",    "1e5.",
                                        "12 W", "1e400", "-1e309", "infinity", "1e99999999999",
                                        "1\v"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double value = 7;
        ck_assert_msg(!ws_span_double(ws_span_of(forms[i]), &value), "'%s' is taken", forms[i]);
        ck_assert(value == 7);
    }
    double value = 7;
    ck_assert(!ws_span_double((ws_span){"1\0", 2}, &value));
    ck_assert(!ws_span_double((ws_span){NULL, 0}, &value));
    ck_assert(value == 7);
}
END_TEST

START_TEST(a_span_ends_where_it_ends)
{
    double value;
    ck_assert(ws_span_double((ws_span){"12345", 3}, &value));
    ck_assert(value == 123);
    ck_assert(ws_span_double((ws_span){"1e55", 3}, &value));
    ck_assert(value == 1e5);
}
END_TEST

/* 2^53 + 1 lies halfway between two doubles: the even one is taken, and any digit behind it tips the scale. */
START_TEST(ties_go_to_even)
{
    ck_reads_as("9007199254740993", 9007199254740992.0);
    ck_reads_as("9007199254740993.0", 9007199254740992.0);
    ck_reads_as("9007199254740993.00000000000000000000000000000000000001", 9007199254740994.0);
    ck_reads_as("9007199254740992.99999999999999999999999999999999999999", 9007199254740992.0);
    ck_reads_as("9007199254740995", 9007199254740996.0);
    ck_reads_as("-9007199254740993e0", -9007199254740992.0);
    ck_reads_as("900719925474099300000e-5", 9007199254740992.0);
}
END_TEST

START_TEST(ends_of_the_range)
{
    ck_reads_as("1.7976931348623157e308", DBL_MAX);
    ck_reads_as("1.7976931348623158e308", DBL_MAX);
    ck_reads_as("2.2250738585072014e-308", DBL_MIN);
    ck_reads_as("4.9406564584124654e-324", 0x1p-1074);
    ck_reads_as("1e-400", 0);
    double value = 7;
    ck_assert(!ws_span_double(ws_span_of("1.8e308"), &value));
    ck_assert(value == 7);
}
END_TEST

static void random_decimal(char *text)
{
    size_t n = 0, digits = 1 + next_random() % 25;
    size_t point = next_random() % (digits + 1);
    if (next_random() % 4 == 0)
        text[n++] = '-';
    for (size_t i = 0; i < digits; i++) {
        if (i == point)
            text[n++] = '.';
        text[n++] = (char)('0' + next_random() % 10);
    }
    text[n] = '\0';
    if (next_random() % 2)
        sprintf(text + n, "e%d", (int)(next_random() % 80) - 40);
}

START_TEST(decimals_agree_with_strtod)
{
    char text[64];
    random_state = 1;
    for (int i = 0; i < 6000; i++) {
        random_decimal(text);
        ck_reads_as(text, strtod(text, NULL));
    }
}
END_TEST

/* Odd integers between 2^53 and 2^54 lie halfway; written with exponents and with a digit far behind. */
START_TEST(halfway_cases_agree_with_strtod)
{
    char text[96];
    random_state = 2;
    for (int i = 0; i < 3000; i++) {
        unsigned long long halfway = UINT64_C(1) << 53 | next_random() >> 11 | 1;
        int shift = (int)(next_random() % 5);
        static const char *const tails[] = {"", "0", "0000000000000000000000001", "5", "e3"};
        sprintf(text, "%llu.%s", halfway, tails[shift]);
        ck_reads_as(text, strtod(text, NULL));
        sprintf(text, "%lluE-%d", halfway, shift * 6);
        ck_reads_as(text, strtod(text, NULL));
    }
}
END_TEST

START_TEST(integers)
{
    int64_t value = 7;
    ck_assert(ws_span_i64(ws_span_of(" -9223372036854775808 "), &value));
    ck_assert(value == INT64_MIN);
    ck_assert(ws_span_i64(ws_span_of("+9223372036854775807"), &value));
    ck_assert(value == INT64_MAX);
    ck_assert(ws_span_i64(ws_span_of("-0"), &value));
    ck_assert(value == 0);
    static const char *const forms[] = {
        "9223372036854775808", "-9223372036854775809", "", "-", "+", "1.0", "1e3", "1 2", "0x1"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        ck_assert_msg(!ws_span_i64(ws_span_of(forms[i]), &value), "'%s' is taken", forms[i]);
    ck_assert(value == 0);
}
END_TEST

START_TEST(number_with_rest)
{
    double value;
    ws_span rest;
    ck_assert(ws_span_number(ws_span_of(" 33.09 W "), &value, &rest));
    ck_assert(value == 33.09);
    ck_assert(ws_span_eq(rest, "W"));
    ck_assert(ws_span_number(ws_span_of("5e"), &value, &rest));
    ck_assert(value == 5);
    ck_assert(ws_span_eq(rest, "e"));
    ck_assert(ws_span_number(ws_span_of("99%"), &value, &rest));
    ck_assert(ws_span_eq(rest, "%"));
    ck_assert(!ws_span_number(ws_span_of("W 5"), &value, &rest));
}
END_TEST

static void ck_prints_as(double value, const char *want)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t length = ws_double_text(buffer, value);
    ck_assert_str_eq(buffer, want);
    ck_assert_uint_eq(length, strlen(want));
}

START_TEST(shortest_decimals)
{
    ck_prints_as(0.1, "0.1");
    ck_prints_as(1e-7, "1e-07");
    ck_prints_as(12800, "12800");
    ck_prints_as(-0.0, "0");
    ck_prints_as(NAN, "");
    ck_prints_as(1.0 / 3, "0.3333333333333333");
    ck_prints_as(0.1 + 0.2, "0.30000000000000004");
    ck_prints_as(DBL_MAX, "1.7976931348623157e+308");
    ck_prints_as(0x1p-1074, "5e-324");
}
END_TEST

/* Any double reads back, and no text with fewer digits would. */
START_TEST(texts_read_back_and_are_shortest)
{
    char buffer[WS_DOUBLE_TEXT], shorter[64];
    random_state = 3;
    for (int i = 0; i < 4000; i++) {
        uint64_t bits = next_random();
        double value, back;
        if (i % 8 == 0)
            bits &= UINT64_C(0x800fffffffffffff); /* subnormal */
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        ws_double_text(buffer, value);
        ck_assert(ws_span_double(ws_span_of(buffer), &back));
        ck_assert_msg(same_bits(back, value), "%s reads back as another number", buffer);
        int digits = 0;
        for (const char *c = buffer; *c && *c != 'e'; c++)
            digits += (digits || *c != '0') && *c >= '0' && *c <= '9';
        if (digits < 2)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        ck_assert_msg(strtod(shorter, NULL) != value, "%s could be %s", buffer, shorter);
    }
}
END_TEST

START_TEST(texts_of_integers)
{
    static const int64_t values[] = {0, 7, -7, 10, 1234567890, -99, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    char buffer[WS_DOUBLE_TEXT], want[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        size_t length = ws_integer_text(buffer, values[i]);
        snprintf(want, sizeof want, "%" PRId64, values[i]);
        ck_assert_str_eq(buffer, want);
        ck_assert_uint_eq(length, strlen(want));
    }
}
END_TEST

static void ck_digits(double value, int digits, const char *want)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t length = ws_double_text_digits(buffer, value, digits);
    ck_assert_str_eq(buffer, want);
    ck_assert_uint_eq(length, strlen(want));
}

START_TEST(significant_digits)
{
    ck_digits(52.1, 4, "52.10");
    ck_digits(9.996, 3, "10.0"); /* the rounding carries into a new digit */
    ck_digits(0.00123456, 3, "0.00123");
    ck_digits(-1234.5678, 6, "-1234.57");
    ck_digits(0, 5, "0");
    ck_digits(-0.0, 5, "0");
    ck_digits(NAN, 5, "");
    ck_digits(1e-5, 3, "0.0000100");
    ck_digits(3.5, 0, "4"); /* a half goes to the even neighbour */
    ck_digits(2.5, 1, "2");
    ck_digits(1.5e20, 3, "1.5e+20");
}
END_TEST

START_TEST(fixed_decimals)
{
    static const struct {
        double value;
        int decimals;
        const char *want;
    } cases[] = {{52.125, 2, "52.12"}, {52.375, 2, "52.38"}, {-0.004, 2, "0.00"}, {-0.006, 2, "-0.01"},
                 {12345, -2, "12300"}, {12355, -1, "12360"}, {-44, -2, "0"},      {0, 3, "0.000"},
                 {NAN, 2, ""},         {0.5, 0, "0"},        {1.5, 0, "2"}};
    char buffer[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = ws_double_text_decimals(buffer, cases[i].value, cases[i].decimals);
        ck_assert_str_eq(buffer, cases[i].want);
        ck_assert_uint_eq(length, strlen(cases[i].want));
    }
}
END_TEST

START_TEST(signs_are_counted_outside_quotes)
{
    ck_assert_uint_eq(ws_span_count_unquoted(ws_span_of("a,b,,c"), ','), 3);
    ck_assert_uint_eq(ws_span_count_unquoted(ws_span_of(",a,\"b,c\",d,"), ','), 4);
    ck_assert_uint_eq(ws_span_count_unquoted(ws_span_of("\"never closed, so"), ','), 0);
    ck_assert_uint_eq(ws_span_count_unquoted(ws_span_of(""), ','), 0);
    ck_assert_uint_eq(ws_span_count_unquoted((ws_span){NULL, 0}, ','), 0);
}
END_TEST

START_TEST(missing_words)
{
    static const char *const missing[] = {
        "",     "  ",     "-",   "--",   "N/A",  "[N/A]", "[Not Supported]", "[Unknown Error]",
        "ERR!", "nan",    "NaN", "null", "None", "NA",    " n/a \r",         "[GPU requires reset]",
        "[]",   "UNKNOWN"};
    static const char *const present[] = {"0", "-1", "N", "[0]", "n/a W", "nano", "[N/A", "0.0 W", "off"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        ck_assert_msg(ws_span_is_missing(ws_span_of(missing[i])), "'%s' counts as a reading", missing[i]);
    for (size_t i = 0; i < sizeof present / sizeof *present; i++)
        ck_assert_msg(!ws_span_is_missing(ws_span_of(present[i])), "'%s' counts as missing", present[i]);
}
END_TEST

START_TEST(words_stand_between_blanks)
{
    ws_span rest = ws_span_of("  one\ttwo\r\n three "), word;
    static const char *const want[] = {"one", "two", "three"};
    for (size_t i = 0; i < 3; i++) {
        ck_assert(ws_span_word(&rest, &word));
        ck_assert(ws_span_eq(word, want[i]));
    }
    ck_assert(!ws_span_word(&rest, &word));
    rest = (ws_span){NULL, 0};
    ck_assert(!ws_span_word(&rest, &word));
}
END_TEST

START_TEST(split_gives_every_piece)
{
    ws_span rest = ws_span_of("a,,b,"), piece;
    static const char *const want[] = {"a", "", "b", ""};
    for (size_t i = 0; i < 4; i++) {
        ck_assert(ws_span_split(&rest, ',', &piece));
        ck_assert(ws_span_eq(piece, want[i]));
    }
    ck_assert(!ws_span_split(&rest, ',', &piece));
    rest = ws_span_of("");
    ck_assert(ws_span_split(&rest, ',', &piece)); /* an empty text is one empty piece */
    ck_assert_uint_eq(piece.n, 0);
    ck_assert(!ws_span_split(&rest, ',', &piece));
}
END_TEST

START_TEST(cut_at_the_first_needle)
{
    ws_span before, after;
    ck_assert(ws_span_cut(ws_span_of("CANCELLED by 1000 by 2"), " by ", &before, &after));
    ck_assert(ws_span_eq(before, "CANCELLED"));
    ck_assert(ws_span_eq(after, "1000 by 2"));
    ck_assert(ws_span_cut(ws_span_of("=x"), "=", &before, &after));
    ck_assert_uint_eq(before.n, 0);
    ck_assert(ws_span_cut(ws_span_of("x="), "=", &before, &after));
    ck_assert_uint_eq(after.n, 0);
    ck_assert(!ws_span_cut(ws_span_of("x"), "=", &before, &after));
    ck_assert(!ws_span_cut(ws_span_of(""), "=", &before, &after));
}
END_TEST

START_TEST(a_comma_becomes_a_point)
{
    char buffer[6];
    ck_assert(ws_span_eq(ws_span_with_point(ws_span_of("1,5"), buffer, sizeof buffer), "1.5"));
    ck_assert(ws_span_eq(ws_span_with_point(ws_span_of("1,5,2"), buffer, sizeof buffer), "1.5,2"));
    ck_assert(ws_span_eq(ws_span_with_point(ws_span_of("12345,"), buffer, sizeof buffer), "12345."));
    ck_assert(ws_span_eq(ws_span_with_point(ws_span_of("12345,6"), buffer, sizeof buffer), "12345,6"));
    ck_assert(ws_span_eq(ws_span_with_point(ws_span_of("15"), buffer, sizeof buffer), "15"));
    ck_assert_uint_eq(ws_span_with_point(ws_span_of(""), buffer, sizeof buffer).n, 0);
}
END_TEST

START_TEST(groups_of_thousands_are_left_out)
{
    static const struct {
        const char *text, *plain;
        char decimal;
    } cases[] = {
        {"1,234.5", "1234.5", '.'},
        {"1.234,5", "1234.5", ','},
        {"-12 034,25 W", "-12034.25 W", ','},
        {"1'234", "1234", 0},
        {"1,234,567", "1234567", 0},
        {"1.234.567,8", "1234567.8", ','},
        {"1\xE2\x80\xAF"
         "234",
         "1234", 0},
        {"1\xC2\xA0"
         "234 W",
         "1234 W", 0},
        {"999,999.125", "999999.125", '.'},
    };
    static const char *const others[] = {"1,234",       "1.234",    "1 234",  "0,234.5",   "1234,567.5",
                                         "12,34.5",     "1,2345.5", "1,234.", "1,234.5,6", "1,234,56",
                                         "1,234 567.5", "",         "-",      "W"};
    char buffer[16], decimal;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_span plain = ws_span_without_groups(ws_span_of(cases[i].text), buffer, sizeof buffer, &decimal);
        ck_assert_msg(ws_span_eq(plain, cases[i].plain), "%s: %.*s", cases[i].text, WS_SPAN_ARG(plain));
        ck_assert_int_eq(decimal, cases[i].decimal);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ws_span span = ws_span_of(others[i]);
        ck_assert_msg(ws_span_without_groups(span, buffer, sizeof buffer, &decimal).p == span.p, "%s", others[i]);
    }
    ws_span longer = ws_span_of("1,234,567,890.12345");
    ck_assert_ptr_eq(ws_span_without_groups(longer, buffer, sizeof buffer, &decimal).p, longer.p);
}
END_TEST

START_TEST(comparisons)
{
    ws_span power = ws_span_of("Power.Draw [W]");
    ck_assert(ws_span_has_prefix(power, "Power"));
    ck_assert(!ws_span_has_prefix(power, "power"));
    ck_assert(ws_span_has_suffix(power, "[W]"));
    ck_assert(!ws_span_has_suffix(ws_span_of("W]"), "[W]"));
    ck_assert(ws_span_contains(power, "Draw"));
    ck_assert(!ws_span_contains(ws_span_of(""), "x"));
    ck_assert(ws_span_eq_nocase(power, "power.draw [w]"));
    ck_assert(!ws_span_eq_nocase(power, "power.draw [w"));
    ck_assert(ws_span_eq(ws_span_of(NULL), ""));
    ck_assert(!ws_span_eq((ws_span){"a\0b", 3}, "a"));
    ck_assert(!ws_span_eq_nocase((ws_span){"a\0b", 3}, "A"));
    ck_assert(ws_span_holds(ws_span_of("power.draw"), (ws_span){"drawn", 4}));
    ck_assert(!ws_span_holds((ws_span){NULL, 0}, (ws_span){"", 0}));
    ck_assert(ws_span_eq(ws_span_trim(ws_span_of(" \t\r\n")), ""));
    ck_assert(ws_eq_nocase("kWh", "KWH"));
}
END_TEST

TEST_MAIN("text", numbers_are_read, other_forms_are_refused, a_span_ends_where_it_ends, ties_go_to_even,
          ends_of_the_range, decimals_agree_with_strtod, halfway_cases_agree_with_strtod, integers, number_with_rest,
          shortest_decimals, texts_of_integers, texts_read_back_and_are_shortest, significant_digits, fixed_decimals,
          signs_are_counted_outside_quotes, missing_words, words_stand_between_blanks, split_gives_every_piece,
          cut_at_the_first_needle, a_comma_becomes_a_point, groups_of_thousands_are_left_out, comparisons)
