#include "report/table/table_print.h"
#include "tests/report/written.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static void check_number(double value, double uncertainty, const char *want)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "x", WS_NUMBER);
    ws_table_add_column(&table, "x_se", WS_NUMBER);
    ws_table_add_row(&table);
    ws_table_set_number(&table, 0, 0, value);
    ws_table_set_number(&table, 1, 0, uncertainty);
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    char line[80];
    snprintf(line, sizeof line, "\n| %s |\n", want);
    ck_assert_msg(strstr(got, line) != NULL, "no '%s' in\n%s", want, got);
    free(got);
    ws_table_free(&table);
}

START_TEST(printed_digits)
{
    check_number(0, NAN, "0");
    check_number(-0.0, NAN, "0");
    check_number(100, NAN, "100");
    check_number(0.1 + 0.2, NAN, "0.3");
    check_number(3.14159265, NAN, "3.14159");
    check_number(1234567.8, NAN, "1234568");
    check_number(99999.96, NAN, "100000");
    check_number(-0.000123456789, NAN, "-0.000123457");
    check_number(1e-7, NAN, "1e-07");
    check_number(2.5e20, NAN, "2.5e+20");
    check_number(1.7976931348623157e308, NAN, "1.79769e+308");
    check_number(INFINITY, 1, "1"); /* the value counts as missing, so its column is left out */
}
END_TEST

/* Two digits of the uncertainty, the value to the same place. */
START_TEST(printed_pairs)
{
    check_number(52.1234, 0.94, "52.12 ± 0.94");
    check_number(52.1234, 0.996, "52.1 ± 1.0");
    check_number(52.1234, 0.0996, "52.12 ± 0.10");
    check_number(52.1234, 0.194, "52.12 ± 0.19");
    check_number(52.1234, 0.196, "52.12 ± 0.20");
    check_number(12345.6, 321, "12350 ± 320");
    check_number(12345.6, 123, "12350 ± 120");
    check_number(12345.6, 1.04, "12345.6 ± 1.0");
    check_number(0.12345, 0.0123, "0.123 ± 0.012");
    check_number(-0.001, 0.3, "0.00 ± 0.30");
    check_number(-5.256, 0.3, "-5.26 ± 0.30");
    check_number(0, 0.3, "0.00 ± 0.30");
    check_number(0.2, 30, "0 ± 30");
    check_number(0.0338889, 0.0034, "0.0339 ± 0.0034");
    check_number(123456, 3210, "123500 ± 3200");
    check_number(52.1234, 0, "52.1234 ± 0");
    check_number(52.1234, INFINITY, "52.1234");
    check_number(1.23e-12, 3.4e-14, "1.23e-12 ± 3.4e-14");
    check_number(-2.36505e-13, 1.2e-13, "-2.4e-13 ± 1.2e-13"); /* no more digits than its error leaves */
    check_number(1e300, 1e299, "1e+300 ± 1e+299");
}
END_TEST

/* Two digits of the standard error where these are 10 to 35, rmse / sqrt(n - 1) and sd / sqrt(n): 3.5 and 3.6. */
START_TEST(means_have_the_digits_of_their_standard_error)
{
    ws_table table;
    ws_table_init(&table, "t");
    static const char *const names[] = {"wall_s", "wall_s_rmse", "gpu_h", "gpu_h_sd"};
    const double rows[2][4] = {{105.21, 7, 105.21, 7}, {105.21, 7.2, 105.21, 7.2}};
    const int runs[2] = {5, 5};
    for (size_t i = 0; i < 4; i++)
        ws_table_add_column(&table, names[i], WS_NUMBER);
    size_t n = ws_table_add_column(&table, "n_runs", WS_INTEGER);
    for (size_t r = 0; r < 2; r++) {
        ws_table_add_row(&table);
        for (size_t i = 0; i < 4; i++)
            ws_table_set_number(&table, i, r, rows[r][i]);
        ws_table_set_integer(&table, n, r, runs[r]);
    }
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_ptr_nonnull(strstr(got, "| 105.2 ± 7.0 | 105.2 ± 7.0 |")); /* 7 / sqrt(4) = 3.5, 7 / sqrt(5) = 3.1 */
    ck_assert_ptr_nonnull(strstr(got, "| 105 ± 7 | 105.2 ± 7.2 |"));     /* 3.6 and 3.2 */
    free(got);
    ws_table_free(&table);
}
END_TEST

/* What the mean's own error deserves; intervals; p in one notation; ends that would look like the value. */
START_TEST(printed_digits_of_statistics)
{
    ws_table table;
    ws_table_init(&table, "t");
    static const char *const names[] = {"wall_s",  "wall_s_rmse", "speedup", "speedup_se", "speedup_lo", "speedup_hi",
                                        "p_value", "p_holm",      "value",   "ci_lo",      "ci_hi"};
    const double rows[4][11] = {
        {743.3, 206, 3.6, 0.1, 3.5712, 3.6411, 0.0345678, 0.5, 1000000.4, 1000000.1, 1000000.7},
        {743.3, 206, 1, NAN, NAN, NAN, 0, 0.00012345, 1, 0.5, 1},
        {743.3, 206, 1.67, 0.9, 0.203, 13.72, 1, 0.5, 1, 0.5, 1},
        {0.90000000132, 1.1e-10, 1.50000000123, 1e-12, 1.50000000122, 1.50000000124, 1e-316, 0.5, 1, 0.5, 1}};
    for (size_t i = 0; i < 11; i++)
        ws_table_add_column(&table, names[i], WS_NUMBER);
    size_t n = ws_table_add_column(&table, "n_runs", WS_INTEGER);
    for (size_t r = 0; r < 4; r++) {
        ws_table_add_row(&table);
        for (size_t i = 0; i < 11; i++)
            ws_table_set_number(&table, i, r, rows[r][i]);
        ws_table_set_integer(&table, n, r, r ? 1 : 40);
    }
    ws_table_set_detail(&table, 4);
    ws_table_set_detail(&table, 5);
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_ptr_nonnull(strstr(got, "| wall ± rmse [s] | speedup (95 %) | p value | p holm |"));
    ck_assert_ptr_nonnull(strstr(got, "| 743 ± 206 | 3.600 (3.571 to 3.641) | 3.46e-2 | 0.500 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 740 ± 210 | 1 | \\< 1e-300 | 0.000123 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 1.7 (0.2 to 13.7) | 1.00 | 0.500 |"));
    ck_assert_ptr_nonnull(
        strstr(got, "| 0.90000000132 ± 1.1e-10 | 1.500000001230 (1.500000001220 to 1.500000001240) | "));
    ck_assert_ptr_nonnull(strstr(got, "to 1.500000001240) | \\< 1e-300 | 0.500 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 1000000.40 | 1000000.10 to 1000000.70 |"));
    free(got);
    ws_table_free(&table);
}
END_TEST

/* To the place of the ends beside it: six digits of 0.99999979 would be 1, which does not lie between its ends. */
START_TEST(values_lie_between_their_ends)
{
    ws_table table;
    ws_table_init(&table, "t");
    size_t value = ws_table_add_column(&table, "value", WS_NUMBER),
           lo = ws_table_add_column(&table, "ci_lo", WS_NUMBER), hi = ws_table_add_column(&table, "ci_hi", WS_NUMBER);
    const double rows[4][3] = {{0.99999979, 0.99999961, 0.99999989},
                               {0.998875, 0.99786, 0.99941},
                               {0.0285609, NAN, NAN},
                               {7.999999999999998, 2, 7.999999999999999}};
    for (size_t r = 0; r < 4; r++) {
        ws_table_add_row(&table);
        ws_table_set_number(&table, value, r, rows[r][0]);
        ws_table_set_number(&table, lo, r, rows[r][1]);
        ws_table_set_number(&table, hi, r, rows[r][2]);
    }
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_ptr_nonnull(strstr(got, "| 0.999999790 | 0.999999610 to 0.999999890 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 0.99887 | 0.99786 to 0.99941 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 0.0285609 |"));
    ck_assert_ptr_nonnull(strstr(got, "| 8.0 | 2.0 to 8.0 |"));
    free(got);
    ws_table_free(&table);
}
END_TEST

/* Statistics of tests have four digits, criteria two decimals, R2 three digits but for nines, a lone end three, and no
 * change is 0. */
START_TEST(statistics_have_few_digits)
{
    ws_table table;
    ws_table_init(&table, "t");
    size_t name = ws_table_add_column(&table, "parameter", WS_TEXT),
           value = ws_table_add_column(&table, "value", WS_NUMBER),
           lo = ws_table_add_column(&table, "ci_lo", WS_NUMBER), hi = ws_table_add_column(&table, "ci_hi", WS_NUMBER),
           r2 = ws_table_add_column(&table, "r2", WS_NUMBER), aicc = ws_table_add_column(&table, "aicc", WS_NUMBER);
    static const struct {
        const char *name;
        double value, lo, hi, r2, aicc;
    } rows[] = {{"test: lack of fit", 10.61463, NAN, NAN, 0.762668, 95.8984},
                {"repeat-spread", 0.005574988, NAN, NAN, 0.999961, 0},
                {"smearing", 1.00015321, NAN, NAN, 1, -0.004},
                {"change", 0.0215734, -0.016, 0.06, 0, 100},
                {"limit", 1.8, 0.356399, NAN, 0.5, 100},
                {"change", 0, -0.014, 0.0142, 0.5, 100}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, name, r, rows[r].name);
        ws_table_set_number(&table, value, r, rows[r].value);
        ws_table_set_number(&table, lo, r, rows[r].lo);
        ws_table_set_number(&table, hi, r, rows[r].hi);
        ws_table_set_number(&table, r2, r, rows[r].r2);
        ws_table_set_number(&table, aicc, r, rows[r].aicc);
    }
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_msg(strstr(got, "10.61 |") && strstr(got, "| 0.763 | 95.90 |"), "%s", got);
    ck_assert_msg(strstr(got, "| 0.005575 |") && strstr(got, "| 0.999961 | 0.00 |"), "%s", got);
    ck_assert_msg(strstr(got, "| 1.00015 |") && strstr(got, "| 1 | 0.00 |"), "%s", got);
    ck_assert_msg(strstr(got, "| 0.022 | -0.016 to 0.060 | 0 |"), "%s", got);
    ck_assert_msg(strstr(got, "| 1.8 | from 0.356 |") && strstr(got, "| 0 | -0.0140 to 0.0142 |"), "%s", got);
    free(got);
    ws_table_free(&table);
}
END_TEST

static void check_head(const char *const *names, const char *want)
{
    ws_table table;
    ws_table_init(&table, "t");
    for (; *names; names++)
        ws_table_add_column(&table, *names, strchr(*names, '!') ? WS_TEXT : WS_NUMBER);
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    got[strcspn(got, "\n")] = '\0';
    ck_assert_str_eq(got, want);
    free(got);
    ws_table_free(&table);
}

static void check_grouped(const char *number, const char *want)
{
    char grouped[WS_CELL_TEXT];
    ws_group_digits(grouped, number);
    ck_assert_str_eq(grouped, want);
}

START_TEST(long_numbers_in_print_have_thin_spaces)
{
    check_grouped("9999", "9999");
    check_grouped("26489", "26 489");
    check_grouped("-123456.123456", "-123 456.123456");
    check_grouped("0.123456", "0.123456");
    check_grouped("1234567 ± 12345", "1 234 567 ± 12 345");
    check_grouped("12340 to 45670", "12 340 to 45 670");
    check_grouped("", "");
}
END_TEST

START_TEST(names_that_are_numbers_have_none)
{
    char *got;
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "job", WS_INTEGER);
    ws_table_add_column(&table, "wall_s", WS_NUMBER);
    ws_table_add_row(&table);
    ws_table_set_integer(&table, 0, 0, 9100101);
    ws_table_set_number(&table, 1, 0, 607500);
    got = written(&table, WS_FORM_LATEX, NULL);
    ck_assert_ptr_nonnull(strstr(got, "9100101 & 607\\,500 "));
    free(got);
    got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_ptr_nonnull(strstr(got, "| 9100101 | 607500 |"));
    free(got);
    ws_table_free(&table);
}
END_TEST

START_TEST(ratios_have_four_digits)
{
    static const char *const names[] = {"energy_ratio", "speedup", "kwh_per_gpuh", "energy_kwh"};
    static const char want[] = "| 0.764 | 0.764 | 0.764 | 0.764037 |";
    ws_table table;
    ws_table_init(&table, "t");
    for (size_t i = 0; i < 4; i++)
        ws_table_add_column(&table, names[i], WS_NUMBER);
    ws_table_add_row(&table);
    for (size_t i = 0; i < 4; i++)
        ws_table_set_number(&table, i, 0, 0.764037);
    char *got = written(&table, WS_FORM_MARKDOWN, NULL);
    ck_assert_msg(strstr(got, want) != NULL, "no '%s' in\n%s", want, got);
    free(got);
    got = written(&table, WS_FORM_CSV, NULL);
    ck_assert_ptr_nonnull(strstr(got, "0.764037,0.764037,0.764037,0.764037"));
    free(got);
    ws_table_free(&table);
}
END_TEST

START_TEST(titles)
{
    check_head((const char *[]){"kwh_per_gpuh", "gpu_h", "wh_per_sample_seen", "edp_kwh_h", NULL},
               "| kWh per GPUh | GPUh | Wh per sample seen | EDP [kWh h] |");
    check_head((const char *[]){"mem_used_mean_b", "clock_mean_hz", "temp_mean_c", "samples_per_s", NULL},
               "| mem used mean [B] | clock mean [Hz] | temp mean [°C] | samples per s |");
    check_head((const char *[]){"loss_min", "option_w!", "_w", "_", "Power [W]", NULL},
               "| loss min | option w! | w |  | Power [W] |");
}
END_TEST

START_TEST(companions_of_all_spellings)
{
    check_head((const char *[]){"value", "stderr", "ci_lo", NULL}, "| value ± stderr | ci lo |");
    check_head((const char *[]){"gpu_h", "gpu_h_rmse", "x", "x_sd", "y", "y_u", NULL},
               "| GPUh ± rmse | x ± sd | y ± u |");
    check_head((const char *[]){"x_se", "x", NULL}, "| x ± se |");
    check_head((const char *[]){"a_se_se", "a_se", "a", NULL}, "| a se se | a ± se |");
    check_head((const char *[]){"x", "x_se!", NULL}, "| x | x se! |");
    check_head((const char *[]){"x", "x_se", "x_rmse", NULL}, "| x ± se | x rmse |");
}
END_TEST

/* A value that never meets its uncertainty in a row is not merged: both stay visible. */
START_TEST(companion_without_common_rows_stays_apart)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "x", WS_NUMBER);
    ws_table_add_column(&table, "x_se", WS_NUMBER);
    ws_table_add_row(&table);
    ws_table_add_row(&table);
    ws_table_set_number(&table, 0, 0, 1.25);
    ws_table_set_number(&table, 1, 1, 0.5);
    check_bytes(&table, WS_FORM_TEXT, "   x  x se\n----  ----\n1.25     -\n   -   0.5\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(width_counts_what_a_terminal_shows)
{
    static const char *const names[] = {"Köln", "e\xcc\x81t\xc3\xa9", "東京", "node1"};
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "node", WS_TEXT);
    ws_table_add_column(&table, "n", WS_INTEGER);
    for (size_t i = 0; i < 4; i++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, 0, i, names[i]);
        ws_table_set_integer(&table, 1, i, (int64_t)i);
    }
    check_bytes(&table, WS_FORM_TEXT,
                "node   n\n"
                "-----  -\n"
                "Köln   0\n"
                "e\xcc\x81t\xc3\xa9    1\n"
                "東京   2\n"
                "node1  3\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(no_line_ends_in_blanks)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "n", WS_INTEGER);
    ws_table_add_column(&table, "status", WS_TEXT);
    ws_table_add_column(&table, "remark", WS_TEXT);
    static const char *const remarks[] = {"long remark", "", "x"};
    for (size_t i = 0; i < 3; i++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, 1, i, i == 1 ? "" : "ok");
        ws_table_set_text(&table, 2, i, remarks[i]);
        ws_table_set_integer(&table, 0, i, 1);
    }
    check_bytes(&table, WS_FORM_TEXT,
                "n  status  remark\n"
                "-  ------  -----------\n"
                "1  ok      long remark\n"
                "1\n"
                "1  ok      x\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(the_locale_changes_nothing)
{
    static const char *const comma_locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; !set && i < 3; i++)
        set = setlocale(LC_ALL, comma_locales[i]);
    if (!set)
        skip_because("no locale with a decimal comma is installed");
    check_number(52.1234, 0.0123, "52.123 ± 0.012");
    check_number(3.14159265, NAN, "3.14159");
    setlocale(LC_ALL, "C");
}
END_TEST

/* Of excerpts: four digits, also where rounding carries, and what their energies are not known to. */
START_TEST(excerpts_have_few_digits)
{
    static const double ratios[] = {0.99998, 0.99994, 1.00004, 0.09999819};
    static const char *const printed_ratios[] = {"1.000", "0.9999", "1.000", "0.1000"};
    ws_table table;
    ws_table_init(&table, "t");
    size_t ratio = ws_table_add_column(&table, "energy_ratio", WS_NUMBER),
           rate = ws_table_add_column(&table, "kwh_per_gpuh", WS_NUMBER);
    table.has_few_digits = true;
    table.energy_u = 0.1;
    for (size_t row = 0; row < 4; row++) {
        ws_table_add_row(&table);
        ws_table_set_number(&table, ratio, row, ratios[row]);
        ws_table_set_number(&table, rate, row, 0.235048);
    }
    ws_printed printed;
    char buffer[WS_CELL_TEXT];
    const ws_write_options options = {.all_columns = false};
    ws_printed_init(&printed, &table, &options);
    ck_assert_str_eq(printed.columns[1].title, "kWh per GPUh ± u");
    for (size_t row = 0; row < 4; row++) {
        ck_assert_str_eq(ws_printed_cell(&table, &printed.columns[0], row, buffer), printed_ratios[row]);
        ck_assert_str_eq(ws_printed_cell(&table, &printed.columns[1], row, buffer), "0.235 ± 0.024");
    }
    ws_printed_free(&printed);
    ws_table_free(&table);
}
END_TEST

TEST_MAIN("table_print", excerpts_have_few_digits, values_lie_between_their_ends, statistics_have_few_digits,
          printed_digits, printed_pairs, printed_digits_of_statistics, means_have_the_digits_of_their_standard_error,
          titles, companions_of_all_spellings, companion_without_common_rows_stays_apart,
          width_counts_what_a_terminal_shows, no_line_ends_in_blanks, the_locale_changes_nothing,
          long_numbers_in_print_have_thin_spaces, names_that_are_numbers_have_none, ratios_have_four_digits)
