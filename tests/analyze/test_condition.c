#include "harness.h"

#include "analyze/condition.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5 };

static void make_table(ws_table *t)
{
    static const char *const series[ROWS] = {"a", "b", "a=b", NULL, "07"};
    const double gpus[ROWS] = {1, 4, 16, NAN, 0.5};
    ws_table_init(t, "runs");
    size_t number = ws_table_add_column(t, "gpus", WS_NUMBER), text = ws_table_add_column(t, "series", WS_TEXT),
           count = ws_table_add_column(t, "samples", WS_INTEGER);
    for (size_t i = 0; i < ROWS; i++) {
        ws_table_add_row(t);
        ws_table_set_number(t, number, i, gpus[i]);
        ws_table_set_text(t, text, i, series[i]);
        ws_table_set_integer(t, count, i, i == 3 ? WS_NO_INTEGER : (int64_t)i);
    }
}

/* `want`: one letter a row, y or n. */
static void ck_holds(const char *condition, const char *want)
{
    ws_table t;
    ws_error error = {0};
    bool holds[ROWS];
    make_table(&t);
    ck_assert_msg(ws_condition_test(&t, condition, holds, &error) == WS_OK, "%s", error.message);
    for (size_t i = 0; i < ROWS; i++)
        ck_assert_msg(holds[i] == (want[i] == 'y'), "'%s' in row %zu", condition, i);
    ws_table_free(&t);
}

START_TEST(numbers_are_compared)
{
    ck_holds("gpus<4", "ynnny");
    ck_holds("gpus<=4", "yynny");
    ck_holds("gpus > 4", "nnynn");
    ck_holds("gpus>=4.0", "nyynn");
    ck_holds("gpus=4", "nynnn");
    ck_holds(" gpus == 4e0 ", "nynnn");
    ck_holds("gpus!=4", "ynyny"); /* a missing cell fulfils nothing */
    ck_holds("samples>=2", "nnyny");
}
END_TEST

START_TEST(texts_are_equal_or_not)
{
    ck_holds("series=a", "ynnnn");
    ck_holds("series!=a", "nyyny");
    ck_holds("series=a=b", "nnynn");
    ck_holds("series=7", "nnnny"); /* as numbers, where both are */
    ck_holds("series=A", "nnnnn");
    ck_holds("gpus=four", "nnnnn");
}
END_TEST

START_TEST(odd_conditions_are_refused)
{
    static const char *const conditions[] = {"",       "gpus",       "<4",       "gpus<",     "gpus!4",
                                             "=",      "colour=red", "series<b", "gpus<many", "series>3",
                                             "GPUS=4", "gpus<=",     "gpus= "};
    ws_table t;
    bool holds[ROWS] = {true, true, true, true, true};
    make_table(&t);
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        ws_error error = {0};
        ck_assert_msg(ws_condition_test(&t, conditions[i], holds, &error) == WS_USAGE, "'%s' is taken", conditions[i]);
        ck_assert_msg(*error.message && strstr(error.message, conditions[i]), "'%s' is not in '%s'", conditions[i],
                      error.message);
    }
    ws_table_free(&t);
}
END_TEST

START_TEST(columns_that_are_there_are_listed)
{
    ws_table t;
    ws_error error = {0};
    bool holds[ROWS];
    make_table(&t);
    ck_assert_int_eq(ws_condition_test(&t, "colour=red", holds, &error), WS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "gpus series samples"));
    ws_table_free(&t);
}
END_TEST

START_TEST(excluded_rows_leave_a_note)
{
    ws_table t;
    ws_error error = {0};
    make_table(&t);
    ck_assert_int_eq(ws_condition_exclude(&t, "gpus<4", "too few", &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 3);
    ck_assert_double_eq(ws_table_number(&t, 0, 0), 4);
    const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_EXCLUDED);
    ck_assert_ptr_nonnull(note);
    ck_assert_str_eq(note->subject, "gpus<4");
    ck_assert_ptr_nonnull(strstr(note->text, "2 of 5"));
    ck_assert_ptr_nonnull(strstr(note->text, "too few"));
    ck_assert_int_eq(ws_condition_exclude(&t, "gpus>100", "typing error", &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 3);
    ck_assert_ptr_nonnull(ws_notes_find(&t.notes, WS_FINDING_EXCLUSION_WITHOUT_EFFECT));
    ck_assert_int_eq(ws_condition_exclude(&t, "nothing", "", &error), WS_USAGE);
    ck_assert_uint_eq(t.n_rows, 3);
    ws_table_free(&t);
}
END_TEST

START_TEST(an_empty_table_has_nothing_to_exclude)
{
    ws_table t;
    ws_error error = {0};
    ws_table_init(&t, "runs");
    ws_table_add_column(&t, "gpus", WS_NUMBER);
    ck_assert_int_eq(ws_condition_exclude(&t, "gpus<4", "", &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 0);
    ws_table_free(&t);
}
END_TEST

/* A value of a list that no row has is told; one that stands in the middle of another is listed all the same. */
START_TEST(values_that_no_row_has_are_told)
{
    ws_table t;
    ws_error error = {0};
    ws_table_init(&t, "runs");
    size_t gpus = ws_table_add_column(&t, "gpus", WS_NUMBER), series = ws_table_add_column(&t, "series", WS_TEXT);
    static const double counts[] = {256, 2, 25, 256};
    static const char *const names[] = {"a", "b", "a|b", "c"};
    for (size_t i = 0; i < 4; i++) {
        size_t row = ws_table_add_row(&t);
        ws_table_set_number(&t, gpus, row, counts[i]);
        ws_table_set_text(&t, series, row, names[i]);
    }
    ck_assert_int_eq(ws_condition_must_fit(&t, "gpus=3", &error), WS_USAGE);
    ck_assert_str_eq(error.message, "no row fulfils 'gpus=3'; 'gpus' is one of: 256 2 25");
    ws_error_clear(&error);
    ck_assert_int_eq(ws_condition_keep(&t, "series=a|b", "--only", &error), WS_OK); /* all are there */
    ck_assert_uint_eq(t.n_rows, 3);
    ck_assert_ptr_null(ws_notes_find(&t.notes, WS_FINDING_EXCLUSION_WITHOUT_EFFECT));
    ck_assert_int_eq(ws_condition_exclude(&t, "gpus=2|slip|7", "--exclude", &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 2);
    const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_EXCLUSION_WITHOUT_EFFECT);
    ck_assert_ptr_nonnull(note);
    ck_assert_str_eq(note->subject, "gpus: slip");
    ck_assert_str_eq(note->text, "no row has this value of 'gpus=2|slip|7' (--exclude)");
    ck_assert_str_eq(note[1].subject, "gpus: 7");
    ws_table_free(&t);
}
END_TEST

/* Lengths by hand: of "series=a" 8 signs. */
START_TEST(commas_part_conditions)
{
    ws_table t;
    ws_table_init(&t, "runs");
    size_t series = ws_table_add_column(&t, "series", WS_TEXT);
    ws_table_set_text(&t, series, ws_table_add_row(&t), "a");
    ws_table_set_text(&t, series, ws_table_add_row(&t), "x,lr=1");
    ck_assert_uint_eq(ws_condition_length(&t, "series=a,gpus=4"), 8);
    ck_assert_uint_eq(ws_condition_length(&t, "series!=b, gpus>4,x=1"), 9);
    ck_assert_uint_eq(ws_condition_length(&t, "series=a,b"), 10); /* no comparison follows */
    ck_assert_uint_eq(ws_condition_length(&t, "series=a,b,lr=2"), 10);
    ck_assert_uint_eq(ws_condition_length(&t, "series=x,lr=1"), 13); /* a row has it */
    ck_assert_uint_eq(ws_condition_length(&t, "series=a|x,lr=1"), 15);
    ck_assert_uint_eq(ws_condition_length(&t, "series=x,lr=2"), 8);
    ck_assert_uint_eq(ws_condition_length(&t, "colour=x,lr=1"), 8);
    ck_assert_uint_eq(ws_condition_length(&t, "series"), 6);
    /* Of several values one that is there says nothing of what stands behind the comma. */
    ck_assert_uint_eq(ws_condition_length(&t, "series=a|b,gpus=4"), 10);
    ck_assert_uint_eq(ws_condition_length(&t, "series=b,gpus=a|4"), 8);
    ck_assert_uint_eq(ws_condition_length(&t, "series=a,gpus=4|*"), 8);
    /* What follows a value with a comma is a condition of its own. */
    ck_assert_uint_eq(ws_condition_length(&t, "series=x,lr=1,gpus=4"), 13);
    ck_assert_uint_eq(ws_condition_length(&t, "series=a|x,lr=1,gpus=4|8"), 15);
    ck_assert_uint_eq(ws_condition_length(&t, "series=a, gpus=4"), 8);
    ws_table_free(&t);
}
END_TEST

TEST_MAIN("condition", commas_part_conditions, numbers_are_compared, texts_are_equal_or_not, odd_conditions_are_refused,
          columns_that_are_there_are_listed, excluded_rows_leave_a_note, an_empty_table_has_nothing_to_exclude,
          values_that_no_row_has_are_told)
