/* Rows that say the same are found, whatever their number and kind. */
#include "harness.h"

#include "analyze/same_rows.h"
#include "analyze/units.h"

#include <math.h>
#include <stdio.h>

START_TEST(first_of_its_kind)
{
    enum { ROWS = 5000, KINDS = 300 };
    ws_table table;
    ws_same_rows index;
    char text[20];
    ws_table_init(&table, "runs");
    size_t columns[] = {ws_table_add_column(&table, "name", WS_TEXT), ws_table_add_column(&table, "n", WS_INTEGER)};
    for (size_t row = 0; row < ROWS; row++) {
        snprintf(text, sizeof text, "kind%d", (int)(row % KINDS % 15));
        ws_table_add_row(&table);
        ws_table_set_text(&table, columns[0], row, text);
        ws_table_set_integer(&table, columns[1], row, (int64_t)(row % KINDS / 15));
    }
    ws_same_rows_init(&index, &table, columns, 2);
    for (size_t row = 0; row < ROWS; row++)
        ck_assert_uint_eq(ws_same_rows_first(&index, row), row % KINDS);
    ck_assert_uint_eq(ws_same_rows_first(&index, ROWS - 1), (ROWS - 1) % KINDS);
    ws_same_rows_free(&index);
    ws_table_free(&table);
}
END_TEST

START_TEST(missing_and_signed_zero)
{
    static const double values[] = {1, NAN, 0, -0.0, -NAN, 1};
    static const size_t firsts[] = {0, 1, 2, 2, 1, 0};
    ws_table table;
    ws_same_rows index;
    ws_table_init(&table, "runs");
    size_t number = ws_table_add_column(&table, "x", WS_NUMBER), text = ws_table_add_column(&table, "t", WS_TEXT);
    for (size_t row = 0; row < 6; row++) {
        ws_table_add_row(&table);
        ws_table_set_number(&table, number, row, values[row]);
        if (row == 3)
            ws_table_set_text(&table, text, row, "");
    }
    ws_same_rows_init(&index, &table, (const size_t[]){number, text}, 2);
    for (size_t row = 0; row < 6; row++)
        ck_assert_uint_eq(ws_same_rows_first(&index, row), firsts[row]);
    ws_same_rows_free(&index);
    ws_same_rows_init(&index, &table, NULL, 0); /* no column: all rows are of one kind */
    ck_assert_uint_eq(ws_same_rows_first(&index, 4), 4);
    ck_assert_uint_eq(ws_same_rows_first(&index, 2), 4);
    ws_same_rows_free(&index);
    ws_table_free(&table);
}
END_TEST

/* Runs that agree in all they measured and have names of their own: their number, not its square, is the work. */
START_TEST(names_tell_runs_apart)
{
    enum { ROWS = 400000 };
    ws_table table;
    char text[40];
    size_t *same = ws_realloc(NULL, ROWS, sizeof *same);
    ws_table_init(&table, "runs");
    size_t run = ws_table_add_column(&table, "run", WS_TEXT), series = ws_table_add_column(&table, "series", WS_TEXT),
           wall = ws_table_add_column(&table, "wall_s", WS_NUMBER);
    for (size_t row = 0; row < ROWS; row++) { /* the second half stands in another folder and series */
        bool again = row >= ROWS / 2;
        ws_table_add_row(&table);
        snprintf(text, sizeof text, "%s/run%zu", again ? "b/c" : "a", row - (again ? ROWS / 2 : 0));
        ws_table_set_text(&table, run, row, text);
        ws_table_set_text(&table, series, row, again ? "b" : "a");
        ws_table_set_number(&table, wall, row, 12.5);
    }
    ws_units_same_runs(&table, same, NULL);
    for (size_t row = 0; row < ROWS; row++)
        ck_assert_uint_eq(same[row], row % (ROWS / 2));
    free(same);
    ws_table_free(&table);
}
END_TEST

static size_t kept_of(const double *wall_s, size_t n, size_t times, double shift)
{
    ws_table table;
    size_t kept = 0, *same = ws_realloc(NULL, n * times, sizeof *same);
    bool *alike = ws_alloc(n * times);
    ws_table_init(&table, "runs");
    size_t gpus = ws_table_add_column(&table, "gpus", WS_NUMBER),
           wall = ws_table_add_column(&table, "wall_s", WS_NUMBER);
    for (size_t row = 0; row < n * times; row++) {
        ws_table_add_row(&table);
        ws_table_set_number(&table, gpus, row, 4);
        ws_table_set_number(&table, wall, row, wall_s[row % n] + shift);
    }
    ws_units_same_runs(&table, same, alike);
    for (size_t row = 0; row < n * times; row++) {
        kept += same[row] == row;
        ck_assert(!alike[row] || same[row] == row);
    }
    free(alike);
    free(same);
    ws_table_free(&table);
    return kept;
}

/* Rows without names: what agrees by rounding is a run of its own, what was pasted is not. Both sides of the limit by
 * hand: of two equal values in steps of d, 1 % spread, 1 * 1 * d / (2 sqrt(pi) 0.01 x) are expected by chance. That is
 * 0.05 at x = 564 d: 563 d below 1 % it is 0.0501, at 565 d 0.0499. */
START_TEST(few_digits_agree_by_chance)
{
    enum { MANY = 5000 };
    static double many[MANY];
    static const double coarse[] = {5, 6, 5}, fine[] = {5.0312, 6.1177, 5.0312}, whole[] = {50, 51, 52},
                        tenths[] = {10.1, 10.3, 10.1, 9.9, 10.2, 10.4, 9.8, 10.1, 10.0, 9.7, 10.3, 10.5};
    ck_assert_uint_eq(kept_of(coarse, 3, 1, 0), 3);
    ck_assert_uint_eq(kept_of(fine, 3, 1, 0), 2);
    ck_assert_uint_eq(kept_of(&(double){563}, 1, 2, 0), 2);
    ck_assert_uint_eq(kept_of(&(double){565}, 1, 2, 0), 1);
    ck_assert_uint_eq(kept_of(&(double){5.63}, 1, 2, 0), 2);
    ck_assert_uint_eq(kept_of(&(double){5.65}, 1, 2, 0), 1);
    ck_assert_uint_eq(kept_of(&(double){360 * 56.3}, 1, 2, 0), 2); /* hours of one decimal */
    ck_assert_uint_eq(kept_of(tenths, 12, 1, 0), 12);              /* ties stay */
    ck_assert_uint_eq(kept_of(tenths, 12, 2, 0), 12);              /* and the file counts once */
    ck_assert_uint_eq(kept_of(tenths, 12, 3, 0), 12);
    uint64_t drawn = 15;
    for (size_t i = 0; i < MANY; i++) {
        drawn = drawn * 6364136223846793005U + 1442695040888963407U;
        many[i] = round(1000 + (double)(drawn >> 33) * 0x1p-31 * 50) / 10;
    }
    ck_assert_uint_eq(kept_of(many, MANY, 2, 0), MANY); /* hundreds of ties of each value */
    ck_assert_uint_eq(kept_of(whole, 3, 2, 0), 6);      /* 3 near, p = 1 / (2 sqrt(pi) 0.894): 3 p^3 = 0.095 */
    ck_assert_uint_eq(kept_of(whole, 3, 2, 0.00017), 3);
}
END_TEST

/* A file that was pasted and sorted: every value twice or three times. Six values of two decimals that spread by 0.2447
 * agree by chance with p = 0.01 / (2 sqrt(pi) 0.2447) = 0.0115, in pairs with 11!! p^6 = 2e-8. Three values of one
 * decimal, twice each, with 15 p^3, p = 0.1 / (2 sqrt(pi) 0.0894) = 0.315, 0.47: six runs. Where repeats agree
 * throughout nothing tells how much they vary. */
START_TEST(sorted_files_count_once)
{
    static const double twice[] = {10.02, 10.02, 10.11, 10.11, 10.13, 10.13, 10.35, 10.35, 10.41, 10.41, 10.62, 10.62},
                        thrice[] = {10.02, 10.11, 10.13, 10.35, 10.35, 10.02, 10.11, 10.13, 10.13, 10.02, 10.11, 10.35},
                        tie[] = {10.02, 10.02, 10.02, 10.02, 10.13, 10.13, 10.35, 10.35, 10.41, 10.41, 10.62, 10.62},
                        coarse[] = {10, 10, 10.1, 10.1, 10.2, 10.2},
                        stable[] = {302, 302, 302, 160, 160, 160, 84, 84, 84, 45, 45, 45};
    ck_assert_uint_eq(kept_of(twice, 12, 1, 0), 6);
    ck_assert_uint_eq(kept_of(thrice, 12, 1, 0), 4);
    ck_assert_uint_eq(kept_of(tie, 12, 1, 0), 6); /* two runs of 10.02 in the file that was pasted */
    ck_assert_uint_eq(kept_of(coarse, 6, 1, 0), 6);
    ck_assert_uint_eq(kept_of(stable, 12, 1, 0), 12);
}
END_TEST

TEST_MAIN("same rows", sorted_files_count_once, first_of_its_kind, missing_and_signed_zero, names_tell_runs_apart,
          few_digits_agree_by_chance)
