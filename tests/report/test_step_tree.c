/* Trees of steps: what they come to, when they do not add up, how they look at 80 columns; and formulas, also those
 * that are none. */
#include "harness.h"

#include "report/table/step_formula.h"
#include "report/table/step_tree.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double letters(const void *state, ws_span name)
{
    const double *values = state;
    return name.n == 1 && *name.p >= 'a' && *name.p <= 'd' ? values[*name.p - 'a'] : (double)NAN;
}

static double value_of(const char *formula)
{
    static const double values[] = {2, 3, 5, 0.1};
    return ws_formula_value(formula, letters, values);
}

START_TEST(formulas_by_hand)
{
    ck_assert_double_eq(value_of("a"), 2);
    ck_assert_double_eq(value_of("a + b * c"), 17);
    ck_assert_double_eq(value_of("(a + b) * c"), 25);
    ck_assert_double_eq(value_of("a - b - c"), -6);
    ck_assert_double_eq(value_of("c / a / a"), 1.25);
    ck_assert_double_eq(value_of("a*b/3600000"), 6 / 3.6e6);
    ck_assert_double_eq(value_of("sqrt(a * a + 5) * abs(b - c)"), 6);
    ck_assert_double_eq(value_of("exp(log(b) - log(b))"), 1);
    ck_assert_double_eq(value_of("d + d + d"), 0.1 + 0.1 + 0.1); /* 0.30000000000000004: in that order */
}
END_TEST

START_TEST(what_is_no_formula)
{
    static const char *const wrong[] = {"",   "a +",  "+ a",    "a b",  "(a",     "a)",  "a ++ b",
                                        "e",  "ab",   "sin(a)", "sqrt", "sqrt()", "1 2", "a $ b",
                                        "()", "a(b)", "a + (b", "/ a",  "sqrt(a", "-a",  "a * * b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(isnan(value_of(wrong[i])), "'%s' is %g", wrong[i], value_of(wrong[i]));
}
END_TEST

/* Any text ends, and without a fault: parentheses by the thousand, bytes at random. */
START_TEST(any_text_ends)
{
    static const char signs[] = "abcd0123456789.+-*/() sqrtlogexpe\xc3\xa4";
    char text[4096];
    uint64_t state = 1;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(isnan(value_of(text)));
    for (int round = 0; round < 20000; round++) {
        size_t n = (state >> 33) % 60;
        for (size_t i = 0; i <= n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            text[i] = signs[(state >> 33) % (sizeof signs - 1)];
        }
        text[n] = '\0';
        value_of(text);
        ws_span rest = ws_span_of(text), name;
        size_t names = 0;
        while (ws_formula_next_name(&rest, &name))
            names += name.n > 0;
        ck_assert_uint_le(names, n);
    }
}
END_TEST

static ws_step *leaf(ws_arena *arena, const char *name, double value)
{
    return ws_step_new(arena, WS_STEP_READ, name, value, "J");
}

static ws_step *over_three(ws_arena *arena, ws_step_kind kind, double value)
{
    ws_step *step = ws_step_new(arena, kind, "all", value, "J");
    ws_step_add_part(arena, step, leaf(arena, "a", 1));
    ws_step_add_part(arena, step, leaf(arena, "b", 2));
    ws_step_add_part(arena, step, leaf(arena, "c", 6));
    step->formula = "c / (a + b)";
    return step;
}

START_TEST(kinds_and_what_fails)
{
    static const struct {
        ws_step_kind kind;
        double value;
    } by_hand[] = {{WS_STEP_SUM, 9},  {WS_STEP_MEAN, 3},    {WS_STEP_LEAST, 1},
                   {WS_STEP_MOST, 6}, {WS_STEP_FORMULA, 2}, {WS_STEP_READ, 7}};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        ws_step *right = over_three(&arena, by_hand[i].kind, by_hand[i].value);
        ck_assert_double_eq(ws_step_result(right), by_hand[i].value);
        ck_assert_ptr_null(ws_step_that_fails(right));
        ws_step *wrong = over_three(&arena, by_hand[i].kind, nextafter(by_hand[i].value, 10));
        ck_assert(by_hand[i].kind == WS_STEP_READ || ws_step_that_fails(wrong) == wrong);
    }
    ck_assert_double_eq(ws_step_result(over_three(&arena, WS_STEP_RMSE, 0)), sqrt(14.0 / 3)); /* 4 + 1 + 9 */
    ck_assert_double_eq(ws_step_result(over_three(&arena, WS_STEP_SD, 0)), sqrt(7));
    ck_assert_double_eq(ws_step_result(over_three(&arena, WS_STEP_QUADRATURE, 0)), hypot(hypot(1, 2), 6));
    ws_step *above = ws_step_new(&arena, WS_STEP_ABOUT, "files", NAN, "");
    ws_step *wrong = over_three(&arena, WS_STEP_SUM, 8);
    ws_step_add_beside(&arena, above, wrong);
    ck_assert_ptr_eq(ws_step_that_fails(above), wrong);
    ws_arena_free(&arena);
}
END_TEST

/* Long sentences, formulas and names: no line is wider but for a word that is. Folded lists say how many are left. */
START_TEST(text_fits_the_screen)
{
    static const size_t depths[] = {0, 1, 3, 40};
    ws_arena arena = {0};
    ws_step *root = over_three(&arena, WS_STEP_SUM, 9), *at = root;
    for (int depth = 0; depth < 40; depth++) {
        ws_step *next = over_three(&arena, WS_STEP_MEAN, 3);
        ws_step_say(&arena, next,
                    "a sentence of many words that goes on and on, so that it needs more than a line, \x1b[1m"
                    "and has a byte that no terminal should see");
        for (int i = 0; i < 20; i++)
            ws_step_add_beside(&arena, next, leaf(&arena, "a name of a middle length", 1.2345678901234567e-5));
        ws_step_add_beside(&arena, at, next);
        at = next;
    }
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        char line[4096], *text = NULL;
        size_t size, folded = 0, lines = 0;
        FILE *stream = open_memstream(&text, &size);
        ws_step_write_text(stream, root, &(ws_step_options){depths[d], 8});
        fclose(stream);
        FILE *lines_of = fmemopen(text, size, "r");
        while (fgets(line, sizeof line, lines_of)) {
            size_t n = strcspn(line, "\n");
            ck_assert_msg(n <= 80 || strspn(line, " ") > 24, "%zu: %s", n, line);
            ck_assert_ptr_null(strchr(line, '\x1b'));
            folded += strstr(line, "more (--all") != NULL;
            lines++;
        }
        fclose(lines_of);
        free(text);
        ck_assert_uint_ge(lines, 1);
        ck_assert((folded > 0) == (depths[d] > 1));
    }
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("step_tree", formulas_by_hand, what_is_no_formula, any_text_ends, kinds_and_what_fails, text_fits_the_screen)
