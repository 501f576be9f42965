#include "harness.h"

#include "core/table.h"

#include <math.h>
#include <string.h>

START_TEST(columns_may_follow_rows)
{
    ws_table t;
    ws_table_init(&t, "runs");
    size_t a = ws_table_add_column(&t, "a", WS_NUMBER);
    for (size_t i = 0; i < 40; i++)
        ws_table_set_number(&t, a, ws_table_add_row(&t), 0.5 * (double)i);
    size_t b = ws_table_add_column(&t, "b", WS_TEXT), c = ws_table_add_column(&t, "c", WS_INTEGER);
    for (size_t i = 0; i < 40; i++) {
        ck_assert(!ws_table_is_missing(&t, a, i));
        ck_assert(ws_table_is_missing(&t, b, i));
        ck_assert(ws_table_is_missing(&t, c, i));
        ck_assert(ws_table_number(&t, a, i) == 0.5 * (double)i);
    }
    ws_table_set_text(&t, b, 39, "last");
    ws_table_set_integer(&t, c, 39, -3);
    ck_assert_str_eq(t.columns[b].text[39], "last");
    ck_assert(ws_table_number(&t, c, 39) == -3);
    ws_table_free(&t);
}
END_TEST

START_TEST(cells_as_text)
{
    ws_table t;
    char buffer[WS_DOUBLE_TEXT];
    ws_table_init(&t, "runs");
    size_t number = ws_table_add_column(&t, "n", WS_NUMBER), integer = ws_table_add_column(&t, "i", WS_INTEGER),
           text = ws_table_add_column(&t, "t", WS_TEXT), row = ws_table_add_row(&t);
    ck_assert_str_eq(ws_table_cell_text(&t, number, row, buffer), "");
    ck_assert_str_eq(ws_table_cell_text(&t, integer, row, buffer), "");
    ck_assert_str_eq(ws_table_cell_text(&t, text, row, buffer), "");
    ck_assert(isnan(ws_table_number(&t, number, row)));
    ck_assert(isnan(ws_table_number(&t, integer, row)));
    ws_table_set_number(&t, number, row, 0.1);
    ws_table_set_integer(&t, integer, row, INT64_MAX);
    ws_table_set_span(&t, text, row, (ws_span){"a,b", 2});
    ck_assert_str_eq(ws_table_cell_text(&t, number, row, buffer), "0.1");
    ck_assert_str_eq(ws_table_cell_text(&t, integer, row, buffer), "9223372036854775807");
    ck_assert_str_eq(ws_table_cell_text(&t, text, row, buffer), "a,");
    ck_assert(isnan(ws_table_number(&t, text, row)));
    ws_table_set_span(&t, text, row, (ws_span){"", 0});
    ck_assert(ws_table_is_missing(&t, text, row));
    ws_table_set_number(&t, number, row, 0);
    ck_assert(!ws_table_is_missing(&t, number, row)); /* zero is a value */
    ws_table_free(&t);
}
END_TEST

START_TEST(texts_are_copied)
{
    ws_table t;
    char word[] = "gpu0";
    ws_table_init(&t, "runs");
    size_t column = ws_table_add_column(&t, word, WS_TEXT), row = ws_table_add_row(&t);
    ws_table_set_text(&t, column, row, word);
    memcpy(word, "xxxx", 4);
    ck_assert_str_eq(t.columns[column].text[row], "gpu0");
    ck_assert_str_eq(t.columns[column].name, "gpu0");
    ws_table_set_text(&t, column, row, NULL);
    ck_assert(ws_table_is_missing(&t, column, row));
    ws_table_free(&t);
}
END_TEST

START_TEST(columns_are_found_by_name)
{
    ws_table t;
    size_t at = 99;
    ws_table_init(&t, "runs");
    ck_assert(!ws_table_find(&t, "a", &at));
    ck_assert_uint_eq(at, 99);
    ws_table_add_column(&t, "a", WS_NUMBER);
    ws_table_add_column(&t, "b", WS_TEXT);
    ck_assert(ws_table_find(&t, "b", &at));
    ck_assert_uint_eq(at, 1);
    ck_assert_ptr_eq(ws_table_column(&t, "b"), &t.columns[1]);
    ck_assert_ptr_null(ws_table_column(&t, "B"));
    ws_table_free(&t);
}
END_TEST

START_TEST(filter_keeps_order_and_lines)
{
    ws_table t;
    char place[320];
    bool keep[1000];
    ws_table_init(&t, "runs");
    t.source = "runs.csv";
    size_t n = ws_table_add_column(&t, "n", WS_NUMBER), i = ws_table_add_column(&t, "i", WS_INTEGER),
           s = ws_table_add_column(&t, "s", WS_TEXT);
    for (size_t row = 0; row < 1000; row++) {
        char text[24];
        snprintf(text, sizeof text, "run%zu", row);
        ws_table_add_row_at(&t, (int64_t)row + 2);
        ws_table_set_number(&t, n, row, (double)row);
        ws_table_set_integer(&t, i, row, (int64_t)row);
        ws_table_set_text(&t, s, row, text);
        keep[row] = row % 3 == 1;
    }
    ws_table_filter(&t, keep);
    ck_assert_uint_eq(t.n_rows, 333); /* 1, 4, ..., 997 */
    for (size_t row = 0; row < t.n_rows; row++) {
        char want[24];
        snprintf(want, sizeof want, "run%zu", 3 * row + 1);
        ck_assert(ws_table_number(&t, n, row) == (double)(3 * row + 1));
        ck_assert(ws_table_number(&t, i, row) == (double)(3 * row + 1));
        ck_assert_str_eq(t.columns[s].text[row], want);
    }
    ck_assert_str_eq(ws_table_place(&t, 332, place), "runs.csv:999");
    ws_table_add_row_at(&t, 5000); /* and rows may follow */
    ck_assert(ws_table_is_missing(&t, n, 333));
    ck_assert(ws_table_is_missing(&t, s, 333));
    ck_assert_str_eq(ws_table_place(&t, 333, place), "runs.csv:5000");
    ws_table_free(&t);
}
END_TEST

START_TEST(marks_stay_with_their_rows)
{
    static const bool keep[] = {false, true, true, false};
    ws_table t, copy;
    ws_table_init(&t, "runs");
    size_t n = ws_table_add_column(&t, "n", WS_INTEGER);
    for (size_t row = 0; row < 3; row++)
        ws_table_set_integer(&t, n, ws_table_add_row(&t), (int64_t)row);
    ck_assert_str_eq(ws_table_mark_of(&t, 2), "");
    ws_table_mark_row(&t, 0, "a");
    ws_table_mark_row(&t, 2, "*");
    ws_table_mark_row(&t, 2, "b");
    ws_table_add_footnote(&t, "*", "a star");
    ws_table_add_row(&t);
    t.marked_column = "n";
    ws_table_copy_rows(&t, keep, &copy);
    ws_table_filter(&t, keep);
    ws_table *both[] = {&t, &copy};
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(both[i]->n_rows, 2);
        ck_assert_str_eq(ws_table_mark_of(both[i], 0), "");
        ck_assert_str_eq(ws_table_mark_of(both[i], 1), "*b");
        ck_assert_uint_eq(both[i]->n_footnotes, 1);
        ck_assert_str_eq(both[i]->footnotes[0].text, "a star");
        ck_assert_str_eq(both[i]->marked_column, "n");
        ck_assert_str_eq(ws_table_mark_of(both[i], ws_table_add_row(both[i])), "");
        ws_table_free(both[i]);
    }
}
END_TEST

START_TEST(places_of_computed_rows)
{
    ws_table t;
    char place[320], source[600];
    ws_table_init(&t, "scale");
    ws_table_add_row(&t);
    ck_assert_str_eq(ws_table_place(&t, 0, place), "row 1");
    ws_table_free(&t);
    ws_table_init(&t, "runs");
    memset(source, 'x', sizeof source - 1);
    source[sizeof source - 1] = '\0';
    t.source = source;
    ws_table_add_row_at(&t, INT64_MAX);
    ck_assert_uint_lt(strlen(ws_table_place(&t, 0, place)), 320);
    ws_table_free(&t);
}
END_TEST

START_TEST(many_rows)
{
    ws_table t;
    enum { ROWS = 100000 };
    ws_table_init(&t, "runs");
    size_t column = ws_table_add_column(&t, "v", WS_NUMBER);
    for (size_t i = 0; i < ROWS; i++)
        ws_table_set_number(&t, column, ws_table_add_row(&t), (double)i);
    ck_assert_uint_eq(t.n_rows, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        ck_assert(ws_table_number(&t, column, i) == (double)i);
    ws_table_free(&t);
}
END_TEST

START_TEST(a_column_is_dropped)
{
    ws_table t;
    ws_table_init(&t, "runs");
    for (const char *name = "abc"; *name; name++)
        ws_table_add_column(&t, (const char[]){*name, '\0'}, *name == 'b' ? WS_TEXT : WS_NUMBER);
    size_t row = ws_table_add_row(&t);
    ws_table_set_number(&t, 2, row, 7);
    ws_table_set_text(&t, 1, row, "x");
    ws_table_drop_column(&t, 1);
    ck_assert_uint_eq(t.n_columns, 2);
    ck_assert_ptr_null(ws_table_column(&t, "b"));
    ck_assert_double_eq(ws_table_number(&t, 1, row), 7);
    ws_table_drop_column(&t, 1);
    ck_assert_uint_eq(ws_table_add_column(&t, "d", WS_INTEGER), 1);
    ck_assert(ws_table_is_missing(&t, 1, row));
    ws_table_free(&t);
}
END_TEST

START_TEST(the_mark_of_synthetic_data_travels)
{
    ws_table t;
    ws_table_init(&t, "runs");
    ws_table_add_row(&t);
    ws_table_add_row(&t);
    ws_table_add_synthetic_mark(&t); /* measured data gets none */
    ck_assert_uint_eq(t.n_columns, 0);
    t.synthetic = true;
    ws_table_add_synthetic_mark(&t);
    ws_table_add_synthetic_mark(&t);
    ck_assert_uint_eq(t.n_columns, 1);
    ck_assert_str_eq(t.columns[0].text[1], "yes");
    t.synthetic = false;
    ws_table_take_synthetic_mark(&t);
    ck_assert(t.synthetic);
    ck_assert_uint_eq(t.n_columns, 0);
    ws_table_free(&t);
}
END_TEST

START_TEST(a_column_called_synthetic_may_be_something_else)
{
    ws_table t;
    ws_table_init(&t, "data sets");
    size_t column = ws_table_add_column(&t, "synthetic", WS_TEXT);
    ws_table_set_text(&t, column, ws_table_add_row(&t), "yes");
    ws_table_set_text(&t, column, ws_table_add_row(&t), "no");
    ws_table_take_synthetic_mark(&t);
    ck_assert(!t.synthetic);
    ck_assert_uint_eq(t.n_columns, 1);
    ws_table_free(&t);
}
END_TEST

START_TEST(free_leaves_an_empty_table)
{
    ws_table t;
    ws_table_init(&t, "runs");
    ws_table_add_column(&t, "v", WS_TEXT);
    ws_table_add_row(&t);
    ws_table_free(&t);
    ck_assert_uint_eq(t.n_rows, 0);
    ck_assert_uint_eq(t.n_columns, 0);
    ws_table_free(&t);
}
END_TEST

TEST_MAIN("table", marks_stay_with_their_rows, columns_may_follow_rows, cells_as_text, texts_are_copied,
          columns_are_found_by_name, filter_keeps_order_and_lines, places_of_computed_rows, many_rows,
          a_column_is_dropped, the_mark_of_synthetic_data_travels, a_column_called_synthetic_may_be_something_else,
          free_leaves_an_empty_table)
