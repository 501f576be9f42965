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
    ws_units_same_runs(&table, same);
    for (size_t row = 0; row < ROWS; row++)
        ck_assert_uint_eq(same[row], row % (ROWS / 2));
    free(same);
    ws_table_free(&table);
}
END_TEST

TEST_MAIN("same rows", first_of_its_kind, missing_and_signed_zero, names_tell_runs_apart)
