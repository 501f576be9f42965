#include "tests/report/written.h"

#include <csv.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* Columns of every kind, a pair with the unit behind, a pair with the unit in front, a column without any value. */
static void make_runs(ws_table *table)
{
    static const struct {
        const char *run;
        int64_t gpus;
        double wall_s, speedup, speedup_se, energy_kwh, energy_u_kwh;
    } rows[] = {{"a64", 64, 1203.421875, 3.9216, 0.0123, 52.1234, 0.94},
                {"a128", 128, 601.5, 7.50049, 0.196, NAN, NAN},
                {NULL, WS_NO_INTEGER, NAN, 8, NAN, 1234.5, 321}};
    ws_table_init(table, "runs");
    ws_table_add_column(table, "run", WS_TEXT);
    ws_table_add_column(table, "gpus", WS_INTEGER);
    ws_table_add_column(table, "wall_s", WS_NUMBER);
    ws_table_add_column(table, "speedup", WS_NUMBER);
    ws_table_add_column(table, "speedup_se", WS_NUMBER);
    ws_table_add_column(table, "gpu_power_w", WS_NUMBER);
    ws_table_add_column(table, "energy_kwh", WS_NUMBER);
    ws_table_add_column(table, "energy_u_kwh", WS_NUMBER);
    for (size_t i = 0; i < 3; i++) {
        ws_table_add_row(table);
        ws_table_set_text(table, 0, i, rows[i].run);
        ws_table_set_integer(table, 1, i, rows[i].gpus);
        ws_table_set_number(table, 2, i, rows[i].wall_s);
        ws_table_set_number(table, 3, i, rows[i].speedup);
        ws_table_set_number(table, 4, i, rows[i].speedup_se);
        ws_table_set_number(table, 6, i, rows[i].energy_kwh);
        ws_table_set_number(table, 7, i, rows[i].energy_u_kwh);
    }
}

START_TEST(text_has_units_and_digits_by_uncertainty)
{
    ws_table table;
    make_runs(&table);
    check_bytes(&table, WS_FORM_TEXT,
                "run   gpus  wall [s]   speedup ± se  energy ± u [kWh]\n"
                "----  ----  --------  -------------  ----------------\n"
                "a64     64   1203.42  3.922 ± 0.012      52.12 ± 0.94\n"
                "a128   128     601.5    7.50 ± 0.20                 -\n"
                "-        -         -              8        1230 ± 320\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(csv_keeps_every_digit)
{
    ws_table table;
    make_runs(&table);
    check_bytes(&table, WS_FORM_CSV,
                "run,gpus,wall_s,speedup,speedup_se,gpu_power_w,energy_kwh,energy_u_kwh\n"
                "a64,64,1203.421875,3.9216,0.0123,,52.1234,0.94\n"
                "a128,128,601.5,7.50049,0.196,,,\n"
                ",,,8,,,1234.5,321\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(json_has_schema_rows_and_notes)
{
    ws_table table;
    make_runs(&table);
    ws_notes_add_many(&table.notes, 2, WS_FINDING_COUNTER_WRAP, "gpu0.csv", "gpu0", 418, "the counter wrapped");
    ws_notes_add(&table.notes, WS_FINDING_NAIVE_TIME, NULL, NULL, 0, "times are read as UTC");
    check_bytes(&table, WS_FORM_JSON,
                "{\"schema\":\"wattscale.runs/1\",\"rows\":[\n"
                "{\"run\":\"a64\",\"gpus\":64,\"wall_s\":1203.421875,\"speedup\":3.9216,\"speedup_se\":0.0123,"
                "\"gpu_power_w\":null,\"energy_kwh\":52.1234,\"energy_u_kwh\":0.94},\n"
                "{\"run\":\"a128\",\"gpus\":128,\"wall_s\":601.5,\"speedup\":7.50049,\"speedup_se\":0.196,"
                "\"gpu_power_w\":null,\"energy_kwh\":null,\"energy_u_kwh\":null},\n"
                "{\"run\":null,\"gpus\":null,\"wall_s\":null,\"speedup\":8,\"speedup_se\":null,"
                "\"gpu_power_w\":null,\"energy_kwh\":1234.5,\"energy_u_kwh\":321}\n"
                "],\"notes\":[\n"
                "{\"code\":\"counter-wrap\",\"source\":\"gpu0.csv\",\"subject\":\"gpu0\",\"line\":418,\"count\":2,"
                "\"text\":\"the counter wrapped\"},\n"
                "{\"code\":\"naive-time\",\"source\":null,\"subject\":null,\"line\":null,\"count\":1,"
                "\"text\":\"times are read as UTC\"}\n"
                "]}\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(jsonl_has_rows_alone)
{
    ws_table table;
    ws_table_init(&table, "energy");
    ws_table_add_column(&table, "device", WS_TEXT);
    ws_table_add_column(&table, "energy_j", WS_NUMBER);
    ws_table_add_row(&table);
    ws_table_add_row(&table);
    ws_table_set_text(&table, 0, 0, "gpu0");
    ws_table_set_number(&table, 1, 1, 0.1);
    ws_notes_add(&table.notes, WS_FINDING_GAP, "a.csv", "", 3, "a gap");
    check_bytes(&table, WS_FORM_JSONL,
                "{\"device\":\"gpu0\",\"energy_j\":null}\n"
                "{\"device\":null,\"energy_j\":0.1}\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(markdown_as_text)
{
    ws_table table;
    make_runs(&table);
    check_bytes(&table, WS_FORM_MARKDOWN,
                "| run | gpus | wall [s] | speedup ± se | energy ± u [kWh] |\n"
                "| :--- | ---: | ---: | ---: | ---: |\n"
                "| a64 | 64 | 1203.42 | 3.922 ± 0.012 | 52.12 ± 0.94 |\n"
                "| a128 | 128 | 601.5 | 7.50 ± 0.20 | - |\n"
                "| - | - | - | 8 | 1230 ± 320 |\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(latex_is_a_booktabs_tabular)
{
    ws_table table;
    make_runs(&table);
    ws_table_set_number(&table, 2, 0, -1.5e-7);
    ws_table_set_number(&table, 2, 1, 2e18);
    check_bytes(&table, WS_FORM_LATEX,
                "\\begin{tabular}{lrrrr}\n"
                "\\toprule\n"
                "run & gpus & wall [s] & speedup $\\pm$ se & energy $\\pm$ u [kWh] \\\\\n"
                "\\midrule\n"
                "a64 & 64 & $-$1.5$\\times10^{-7}$ & 3.922 $\\pm$ 0.012 & 52.12 $\\pm$ 0.94 \\\\\n"
                "a128 & 128 & 2$\\times10^{18}$ & 7.50 $\\pm$ 0.20 & -- \\\\\n"
                "-- & -- & -- & 8 & 1230 $\\pm$ 320 \\\\\n"
                "\\bottomrule\n"
                "\\end{tabular}\n");
    ws_table_free(&table);
}
END_TEST

/* The runs, with a name that makes the table so many letters wide: 49 are its other columns and the gaps. */
static char *latex_of_width(size_t letters)
{
    ws_table table;
    char name[64] = "";
    memset(name, 'x', letters - 49);
    make_runs(&table);
    ws_table_set_text(&table, 0, 0, name);
    ws_write_options options = {0};
    char *got = written(&table, WS_FORM_LATEX, &options);
    ws_table_free(&table);
    return got;
}

START_TEST(titles_of_latex_wider_than_a_page_stand_in_lines)
{
    char *fits = latex_of_width(96), *wide = latex_of_width(97);
    ck_assert_ptr_nonnull(strstr(fits, "run & gpus & wall [s] & speedup $\\pm$ se & energy $\\pm$ u [kWh] \\\\\n"));
    ck_assert_ptr_nonnull(strstr(wide, "run & gpus & wall [s] & speedup $\\pm$ se & "
                                       "\\begin{tabular}[b]{@{}r@{}}energy $\\pm$ u\\\\ {}[kWh]\\end{tabular} \\\\\n"));
    free(fits);
    free(wide);
}
END_TEST

START_TEST(every_column_on_demand)
{
    ws_table table;
    make_runs(&table);
    ws_write_options options = {.all_columns = true};
    char *got = written(&table, WS_FORM_MARKDOWN, &options);
    ck_assert_ptr_nonnull(strstr(got, "| speedup ± se | gpu power [W] | energy ± u [kWh] |\n"));
    ck_assert_ptr_nonnull(strstr(got, "| a64 | 64 | 1203.42 | 3.922 ± 0.012 | - | 52.12 ± 0.94 |\n"));
    free(got);
    ws_table_free(&table);
}
END_TEST

/* Estimates of two groups: what is the same in all rows of a group stands above them, what is said of a row below. */
static void make_estimates(ws_table *table)
{
    static const struct {
        const char *group, *parameter, *meaning, *status;
        double r2, value, stderr_, lo, hi, weight;
    } rows[] = {{"a", "slope", "y per x", "ok", 0.99999963, 0.92246, 0.00024, 0.92139, 0.92353, 0.5},
                {"a", "peak", NULL, "undefined", NAN, NAN, NAN, NAN, NAN, 1e-9},
                {"a", "limit", NULL, "undefined", NAN, NAN, NAN, NAN, 7.25, NAN},
                {"b", "slope", "y per x", "ok", 0.5, 301.92, 0, 301.92, 301.92, NAN},
                {"b", "peak", NULL, "ok", NAN, 9, NAN, 4, 64, NAN}};
    static const struct {
        const char *name;
        ws_column_kind kind;
        ws_column_place place;
    } columns[] = {{"group", WS_TEXT, WS_HEADING},      {"parameter", WS_TEXT, WS_AS_COLUMN},
                   {"value", WS_NUMBER, WS_AS_COLUMN},  {"stderr", WS_NUMBER, WS_AS_COLUMN},
                   {"ci_lo", WS_NUMBER, WS_AS_COLUMN},  {"ci_hi", WS_NUMBER, WS_AS_COLUMN},
                   {"weight", WS_NUMBER, WS_AS_COLUMN}, {"r2", WS_NUMBER, WS_HEADING},
                   {"meaning", WS_TEXT, WS_MEANING},    {"status", WS_TEXT, WS_REMARK}};
    ws_table_init(table, "fit");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_set_place(table, ws_table_add_column(table, columns[i].name, columns[i].kind), columns[i].place);
    table->ci_level = 0.9;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ws_table_add_row(table);
        ws_table_set_text(table, 0, i, rows[i].group);
        ws_table_set_text(table, 1, i, rows[i].parameter);
        const double numbers[] = {rows[i].value, rows[i].stderr_, rows[i].lo, rows[i].hi, rows[i].weight, rows[i].r2};
        for (size_t j = 0; j < 6; j++)
            ws_table_set_number(table, 2 + j, i, numbers[j]);
        if (rows[i].meaning)
            ws_table_set_text(table, 8, i, rows[i].meaning);
        ws_table_set_text(table, 9, i, rows[i].status);
    }
}

START_TEST(text_has_headings_remarks_and_meanings)
{
    ws_table table;
    make_estimates(&table);
    check_bytes(&table, WS_FORM_TEXT,
                "  parameter     value ± stderr       90 % interval    weight\n"
                "  ---------  -----------------  ------------------  --------\n"
                "a (R2 0.99999963)\n"
                "  slope      0.92246 ± 0.00024  0.92139 to 0.92353    0.5000\n"
                "  peak                       -                   -  < 0.0001\n"
                "  limit                      -          up to 7.25         -\n"
                "  peak, limit: undefined\n"
                "b (R2 0.500)\n"
                "  slope             301.92 ± 0    301.92 to 301.92         -\n"
                "  peak                       9             4 to 64         -\n"
                "\n"
                "  slope: y per x\n");
    check_bytes(&table, WS_FORM_MARKDOWN,
                "| group | parameter | value ± stderr | 90 % interval | weight | R2 | meaning | status |\n"
                "| :--- | :--- | ---: | ---: | ---: | ---: | :--- | :--- |\n"
                "| a | slope | 0.92246 ± 0.00024 | 0.92139 to 0.92353 | 0.5000 | 0.99999963 | y per x | ok |\n"
                "| a | peak | - | - | \\< 0.0001 | - | - | undefined |\n"
                "| a | limit | - | up to 7.25 | - | - | - | undefined |\n"
                "| b | slope | 301.92 ± 0 | 301.92 to 301.92 | - | 0.500 | y per x | ok |\n"
                "| b | peak | 9 | 4 to 64 | - | - | - | ok |\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(colour_marks_the_head_of_text_alone)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "n", WS_INTEGER);
    ws_write_options options = {.colour = true};
    char *text = written(&table, WS_FORM_TEXT, &options), *csv = written(&table, WS_FORM_CSV, &options);
    ck_assert_str_eq(text, "\x1b[1mn\x1b[0m\n-\n");
    ck_assert_str_eq(csv, "n\n");
    free(text);
    free(csv);
    ws_table_free(&table);
}
END_TEST

START_TEST(an_empty_table_is_its_head)
{
    ws_table table;
    ws_table_init(&table, "scale");
    ws_table_add_column(&table, "run", WS_TEXT);
    ws_table_add_column(&table, "wall_s", WS_NUMBER);
    ws_table_add_column(&table, "wall_s_rmse", WS_NUMBER);
    check_bytes(&table, WS_FORM_TEXT, "run  wall ± rmse [s]\n---  ---------------\n");
    check_bytes(&table, WS_FORM_CSV, "run,wall_s,wall_s_rmse\n");
    check_bytes(&table, WS_FORM_JSON, "{\"schema\":\"wattscale.scale/1\",\"rows\":[],\"notes\":[]}\n");
    check_bytes(&table, WS_FORM_JSONL, "");
    check_bytes(&table, WS_FORM_MARKDOWN, "| run | wall ± rmse [s] |\n| :--- | ---: |\n");
    check_bytes(&table, WS_FORM_LATEX,
                "\\begin{tabular}{lr}\n\\toprule\nrun & wall $\\pm$ rmse [s] \\\\\n\\midrule\n\\bottomrule\n"
                "\\end{tabular}\n");
    ws_table_free(&table);
}
END_TEST

START_TEST(a_table_without_columns_is_nothing)
{
    ws_table table;
    ws_table_init(&table, "none");
    ws_table_add_row(&table);
    check_bytes(&table, WS_FORM_TEXT, "");
    check_bytes(&table, WS_FORM_CSV, "");
    check_bytes(&table, WS_FORM_MARKDOWN, "");
    check_bytes(&table, WS_FORM_LATEX, "");
    check_bytes(&table, WS_FORM_JSON, "{\"schema\":\"wattscale.none/1\",\"rows\":[\n{}\n],\"notes\":[]}\n");
    ws_table_free(&table);
}
END_TEST

static void check_cell(const char *cell, ws_table_form form, const char *want)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "a", WS_TEXT);
    ws_table_add_column(&table, "b", WS_INTEGER);
    ws_table_add_row(&table);
    ws_table_set_text(&table, 0, 0, cell);
    ws_table_set_integer(&table, 1, 0, 7);
    ws_table_add_row(&table); /* so that a missing cell leaves the column a value */
    ws_table_set_text(&table, 0, 1, "x");
    char *got = written(&table, form, NULL);
    ck_assert_msg(strstr(got, want) != NULL, "no '%s' in\n%s", want, got);
    free(got);
    ws_table_free(&table);
}

START_TEST(hostile_text_stays_in_its_cell)
{
    static const struct {
        const char *cell, *text, *csv, *json, *markdown, *latex;
    } cases[] = {
        {"say \"hi\", you", "\nsay \"hi\", you  7\n", "\n\"say \"\"hi\"\", you\",7\n",
         "{\"a\":\"say \\\"hi\\\", you\",", "\n| say \"hi\", you | 7 |\n",
         "\nsay \\char34{}hi\\char34{}, you & 7 \\\\\n"},
        {"two\r\nlines\t.", "\ntwo  lines .  7\n", "\n\"two\r\nlines\t.\",7\n", "{\"a\":\"two\\r\\nlines\\t.\",",
         "\n| two  lines . | 7 |\n", "\ntwo  lines . & 7 \\\\\n"},
        {"a|b\\|c", "\na|b\\|c  7\n", "\na|b\\|c,7\n", "{\"a\":\"a|b\\\\|c\",", "\n| a\\|b\\\\\\|c | 7 |\n",
         "\na\\textbar{}b\\textbackslash{}\\textbar{}c & 7 \\\\\n"},
        {"\x1b[31mred\x7f\x01", "\n [31mred    7\n", "\n\x1b[31mred\x7f\x01,7\n",
         "{\"a\":\"\\u001b[31mred\\u007f\\u0001\",", "\n|  [31mred   | 7 |\n", "\n [31mred   & 7 \\\\\n"},
        {"50% & $5 #1 {x}_y^z~", "\n50% & $5 #1 {x}_y^z~  7\n", "\n50% & $5 #1 {x}_y^z~,7\n",
         "{\"a\":\"50% & $5 #1 {x}_y^z~\",", "\n| 50% \\& \\$5 #1 {x}\\_y^z\\~ | 7 |\n",
         "\n50\\% \\& \\$5 \\#1 \\{x\\}\\_y\\textasciicircum{}z\\textasciitilde{} & 7 \\\\\n"},
        {"[x](http://y) <b>*`", "\n[x](http://y) <b>*`  7\n", "\n[x](http://y) <b>*`,7\n",
         "{\"a\":\"[x](http://y) <b>*`\",", "\n| [x\\](http://y) \\<b>\\*\\` | 7 |\n",
         "\n{}[x](http://y) \\textless{}b\\textgreater{}*{`} & 7 \\\\\n"},
        {"*--all", "\n*--all  7\n", "\n*--all,7\n", "{\"a\":\"*--all\",", "\n| \\*--all | 7 |\n",
         "\n{}*-{}-all & 7 \\\\\n"},
        {" blank ", "\n blank   7\n", "\n\" blank \",7\n", "{\"a\":\" blank \",", "\n|  blank  | 7 |\n",
         "\n blank  & 7 \\\\\n"},
        {"", "\n   7\n", "\n\"\",7\n", "{\"a\":\"\",", "\n|  | 7 |\n", "\n & 7 \\\\\n"},
        {NULL, "\n-  7\n", "\n,7\n", "{\"a\":null,", "\n| - | 7 |\n", "\n-- & 7 \\\\\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_cell(cases[i].cell, WS_FORM_TEXT, cases[i].text);
        check_cell(cases[i].cell, WS_FORM_CSV, cases[i].csv);
        check_cell(cases[i].cell, WS_FORM_JSON, cases[i].json);
        check_cell(cases[i].cell, WS_FORM_MARKDOWN, cases[i].markdown);
        check_cell(cases[i].cell, WS_FORM_LATEX, cases[i].latex);
    }
}
END_TEST

#define REPLACED "\xef\xbf\xbd"

/* Overlong, surrogate, beyond U+10FFFF, lone continuation, cut at the end: one U+FFFD for each longest valid prefix, as
 * section 3.9 of the Unicode Standard recommends. */
START_TEST(invalid_utf8_is_replaced)
{
    static const struct {
        const char *bytes, *json;
    } cases[] = {
        {"\xc0\xaf", REPLACED REPLACED},
        {"\xed\xa0\x80", REPLACED REPLACED REPLACED},
        {"\xf4\x90\x80\x80", REPLACED REPLACED REPLACED REPLACED},
        {"a\x80z", "a" REPLACED "z"},
        {"\xe2\x82", REPLACED},
        {"\xf0\x9f\x98", REPLACED},
        {"\xe2\x82\"", REPLACED "\\\""},
        {"\xff\xfe", REPLACED REPLACED},
        {"K\xc3\xb6ln \xe2\x82\xac \xf0\x9f\x98\x80", "K\xc3\xb6ln \xe2\x82\xac \xf0\x9f\x98\x80"},
    };
    char want[80];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(want, sizeof want, "{\"a\":\"%s\",", cases[i].json);
        check_cell(cases[i].bytes, WS_FORM_JSON, want);
    }
    check_cell("a\x80z", WS_FORM_TEXT, "\na" REPLACED "z  7\n");
    check_cell("a\x80z", WS_FORM_LATEX, "\na?z & 7 \\\\\n");
    check_cell("a\x80z", WS_FORM_CSV, "\na\x80z,7\n");
    check_cell("a\xc2\x9bz", WS_FORM_TEXT, "\na z  7\n"); /* U+009B begins a terminal's commands */
}
END_TEST

START_TEST(a_lone_missing_cell_is_still_a_csv_row)
{
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "x", WS_NUMBER);
    ws_table_add_row(&table);
    check_bytes(&table, WS_FORM_CSV, "x\n\"\"\n");
    ws_table_free(&table);
}
END_TEST

/* Read back by an independent parser: every double, integer and text is what it was. */
START_TEST(json_reads_back)
{
    static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5, 1e22, 123456789012345680.0};
    size_t n = sizeof values / sizeof *values;
    ws_table table;
    ws_table_init(&table, "back");
    ws_table_add_column(&table, "a \"key\"\n", WS_NUMBER);
    ws_table_add_column(&table, "i", WS_INTEGER);
    ws_table_add_column(&table, "t", WS_TEXT);
    ws_table_add_column(&table, "inf", WS_NUMBER);
    for (size_t i = 0; i < n; i++) {
        ws_table_add_row(&table);
        ws_table_set_number(&table, 0, i, values[i]);
        ws_table_set_integer(&table, 1, i, INT64_MAX - (int64_t)i);
        ws_table_set_text(&table, 2, i, "\x01\x1f\"\\/\xc3\xa9");
        ws_table_set_number(&table, 3, i, i % 2 ? INFINITY : -INFINITY);
    }
    char *text = written(&table, WS_FORM_JSON, NULL);
    json_t *root = json_loads(text, 0, NULL);
    ck_assert_msg(root != NULL, "not JSON:\n%s", text);
    json_t *rows = json_object_get(root, "rows");
    ck_assert_uint_eq(json_array_size(rows), n);
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array_get(rows, i);
        ck_assert_double_eq(json_number_value(json_object_get(row, "a \"key\"\n")), values[i]);
        ck_assert_int_eq(json_integer_value(json_object_get(row, "i")), INT64_MAX - (int64_t)i);
        ck_assert_str_eq(json_string_value(json_object_get(row, "t")), "\x01\x1f\"\\/\xc3\xa9");
        ck_assert(json_is_null(json_object_get(row, "inf")));
    }
    json_decref(root);
    free(text);
    ws_table_free(&table);
}
END_TEST

typedef struct cells {
    const char *const *want;
    size_t n, seen;
} cells;

static void compare_cell(void *text, size_t n, void *state)
{
    cells *c = state;
    ck_assert_uint_lt(c->seen, c->n);
    const char *want = c->want[c->seen++];
    ck_assert_msg(n == strlen(want) && memcmp(text, want, n) == 0, "cell is '%.*s', not '%s'", (int)n, (char *)text,
                  want);
}

/* Read back by libcsv, which trims what no quotes protect. */
START_TEST(csv_reads_back)
{
    static const char *const texts[] = {"a, \"b\"", " blank\t", "\"", "x\r\n\ny", "", "#1;2", "1,5", "\t"};
    cells expected = {texts, sizeof texts / sizeof *texts, 0};
    ws_table table;
    ws_table_init(&table, "back");
    for (size_t i = 0; i < expected.n; i++)
        ws_table_add_column(&table, texts[i], WS_TEXT);
    char *text = written(&table, WS_FORM_CSV, NULL);
    struct csv_parser parser;
    ck_assert_int_eq(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
    ck_assert_uint_eq(csv_parse(&parser, text, strlen(text), compare_cell, NULL, &expected), strlen(text));
    ck_assert_int_eq(csv_fini(&parser, compare_cell, NULL, &expected), 0);
    ck_assert_uint_eq(expected.seen, expected.n);
    csv_free(&parser);
    free(text);
    ws_table_free(&table);
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip_because("there is no /dev/full");
    ws_table table;
    make_runs(&table);
    ws_error error = {0};
    ck_assert_int_eq(ws_table_write(full, &table, WS_FORM_CSV, NULL, &error), WS_IO);
    ck_assert_str_eq(error.message, "table 'runs' cannot be written: No space left on device");
    fclose(full);
    ws_table_free(&table);
}
END_TEST

START_TEST(form_names)
{
    static const char *const names[] = {"text", "csv", "json", "jsonl", "md", "tex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ws_table_form form = WS_FORM_TEXT;
        ck_assert(ws_table_form_find(names[i], &form));
        ck_assert_uint_eq(form, i);
    }
    ws_table_form form;
    ck_assert(!ws_table_form_find("xml", &form));
    ck_assert(!ws_table_form_find("", &form));
}
END_TEST

START_TEST(notes_for_people)
{
    ws_notes notes = {0};
    ws_notes_add_many(&notes, 2, WS_FINDING_TRUNCATED_LINE, "gpu0.csv", "", 418, "the last line was cut and left out");
    ws_notes_add(&notes, WS_FINDING_COUNTER_WRAP, "bad\nname\x1b.csv", "gpu0", 0, "the counter wrapped");
    ws_notes_add(&notes, WS_FINDING_LONG_GAP, "", "gpu1", 12, "a gap of 90 s");
    ws_notes_add(&notes, WS_FINDING_NAIVE_TIME, NULL, NULL, 0, "times are read as UTC");
    char *text = NULL;
    size_t n;
    FILE *stream = open_memstream(&text, &n);
    ws_notes_write(stream, &notes);
    fclose(stream);
    ck_assert_str_eq(text, "gpu0.csv:418: [truncated-line] the last line was cut and left out (2 times)\n"
                           "bad name .csv: gpu0: [counter-wrap] the counter wrapped\n"
                           "gpu1: [long-gap] a gap of 90 s\n"
                           "[naive-time] times are read as UTC\n");
    free(text);
    ws_notes_free(&notes);
}
END_TEST

/* One row that a screen of 80 does not hold: its columns below each other, texts folded behind their titles, those too
 * that would stand above or below. One that it holds stays as it is. */
START_TEST(one_row_wider_than_a_screen_stands_upright)
{
    static const char *const names[] = {"path", "device", "a_kwh", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "status"};
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        ws_table table;
        ws_table_init(&table, "t");
        for (size_t i = 0; i < 5; i++)
            ws_table_add_column(&table, names[i], i == 2 || i == 3 ? WS_NUMBER : WS_TEXT);
        ws_table_set_place(&table, 1, WS_HEADING);
        ws_table_set_place(&table, 4, WS_REMARK);
        table.screen_keys = 1;
        ws_table_add_row(&table);
        ws_table_set_text(&table, 0, 0,
                          is_wide ? "campaign/lbs256/1g256b4w100e256sf/9100001/perun/perun.hdf5" : "a/perun.hdf5");
        ws_table_set_text(&table, 1, 0, "A100");
        ws_table_set_number(&table, 2, 0, 2.5);
        ws_table_set_number(&table, 3, 0, 7);
        ws_table_set_text(&table, 4, 0, "cut");
        char *got = written(&table, WS_FORM_TEXT, NULL);
        static const char *const want[] = {
            "  path          a [kWh]  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
            "  ------------  -------  ------------------------------\n"
            "A100\n"
            "  a/perun.hdf5      2.5                               7\n"
            "  a/perun.hdf5: cut\n",
            "path                            campaign/lbs256/1g256b4w100e256sf/9100001/perun/\n"
            "                                  perun.hdf5\n"
            "device                          A100\n"
            "a [kWh]                         2.5\n"
            "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb  7\n"
            "status                          cut\n"};
        ck_assert_str_eq(got, want[is_wide]);
        free(got);
        ws_table_free(&table);
    }
}
END_TEST

/* Three columns of 30 under a key of 4: 6 + 2 * 32 - 2 fit a screen of 80, three do not. What rows agree in stands
 * above them only where the table is wider than the screen, and remarks below the last part. */
START_TEST(wide_tables_stand_in_parts)
{
    static const char *const names[] = {"gpus",
                                        "device",
                                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
                                        "cccccccccccccccccccccccccccccc",
                                        "status"};
    for (size_t columns = 4; columns <= 6; columns++) {
        ws_table table;
        ws_table_init(&table, "t");
        for (size_t i = 0; i < columns; i++)
            ws_table_add_column(&table, names[i], i == 1 || i == 5 ? WS_TEXT : WS_NUMBER);
        ws_table_set_place(&table, 1, WS_NAMED_HEADING);
        if (columns == 6)
            ws_table_set_place(&table, 5, WS_REMARK);
        table.screen_keys = 1;
        table.heads_if_wide = true;
        for (size_t r = 0; r < 2; r++) {
            ws_table_add_row(&table);
            for (size_t i = 0; i < columns; i++)
                if (i == 1 || i == 5)
                    ws_table_set_text(&table, i, r, i == 1 ? "A100" : r ? "cut" : "ok");
                else
                    ws_table_set_number(&table, i, r, (double)(r + 1));
        }
        char *got = written(&table, WS_FORM_TEXT, NULL);
        static const char *const want[] = {
            "gpus  device  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
            "----  ------  ------------------------------  ------------------------------\n"
            "   1  A100                                 1                               1\n"
            "   2  A100                                 2                               2\n",
            "  gpus  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
            "  ----  ------------------------------  ------------------------------\n"
            "device A100\n"
            "     1                               1                               1\n"
            "     2                               2                               2\n"
            "\n"
            "  gpus  cccccccccccccccccccccccccccccc\n"
            "  ----  ------------------------------\n"
            "device A100\n"
            "     1                               1\n"
            "     2                               2\n",
            "  2: cut\n"};
        if (columns == 6)
            ck_assert_str_eq(got + strlen(got) - strlen(want[2]), want[2]);
        else
            ck_assert_str_eq(got, want[columns - 4]);
        free(got);
        ws_table_free(&table);
    }
}
END_TEST

/* Texts go on in their column, the widest first, down to 24 columns; a part takes what fits with so many. */
START_TEST(long_texts_go_on_in_their_columns)
{
    static const char words[] = "one two three four five six seven eight nine ten eleven twelve thirteen",
                      letters[] = "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f";
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "name", WS_TEXT);
    ws_table_add_column(&table, "words", WS_TEXT);
    ws_table_add_column(&table, "n", WS_INTEGER);
    table.folds_texts = true;
    for (size_t r = 0; r < 2; r++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, 0, r, r ? "second" : "a-name-of-32-columns-which-stays");
        ws_table_set_text(&table, 1, r, r ? "short" : words);
        ws_table_set_integer(&table, 2, r, 7);
    }
    char *got = written(&table, WS_FORM_TEXT, NULL);
    ck_assert_str_eq(got, "name                              words                                        n\n"
                          "--------------------------------  -------------------------------------------  -\n"
                          "a-name-of-32-columns-which-stays  one two three four five six seven eight      7\n"
                          "                                  nine ten eleven twelve thirteen\n"
                          "second                            short                                        7\n");
    free(got);
    table.screen_keys = 1;
    ws_table_add_column(&table, "letters", WS_TEXT);
    ws_table_set_text(&table, 3, 1, letters);
    got = written(&table, WS_FORM_TEXT, NULL);
    ck_assert_ptr_nonnull(strstr(got, "\n\nname                              letters\n"));
    ck_assert_ptr_nonnull(strstr(got,
                                 "\nsecond                            a b c d e f g h i j k l m n o p q r s t u v w\n"
                                 "                                  x y z a b c d e f\n"));
    free(got);
    ws_table_free(&table);
}
END_TEST

/* A key of 60 columns leaves no room beside it: it stands above its row, and what is longer than a screen is folded
 * behind a mark. A text that does not fit beside the keys that stay is told below, behind its title. Nothing is lost,
 * and a narrow table is as ever. */
START_TEST(long_keys_stand_above_their_rows)
{
    static const char run[] = "traces/llama2_70b_lora__result_5740-240517044141819407406_10",
                      longer[] = "/campaigns/of/the/big/machine/traces/llama2_70b_lora__result_5740-240517044141819407",
                      why[] = "a reason of many words that goes on and on and on until no line of a screen holds all "
                              "of it";
    ws_table table;
    ws_table_init(&table, "t");
    ws_table_add_column(&table, "run", WS_TEXT);
    ws_table_add_column(&table, "gpus", WS_INTEGER);
    ws_table_add_column(&table, "wall_s", WS_NUMBER);
    ws_table_add_column(&table, "why", WS_TEXT);
    table.screen_keys = 2;
    for (size_t r = 0; r < 3; r++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, 0, r, r == 2 ? longer : run);
        ws_table_set_integer(&table, 1, r, (int64_t)r + 1);
        ws_table_set_number(&table, 2, r, 100.5);
    }
    ws_table_set_text(&table, 3, 1, why);
    char *got = written(&table, WS_FORM_TEXT, NULL);
    ck_assert_str_eq(got, "  gpus  wall [s]\n"
                          "  ----  --------\n"
                          "traces/llama2_70b_lora__result_5740-240517044141819407406_10\n"
                          "     1     100.5\n"
                          "     2     100.5\n"
                          "/campaigns/of/the/big/machine/traces/llama2_70b_lora__result_5740-\n"
                          "    240517044141819407\n"
                          "     3     100.5\n"
                          "  traces/llama2_70b_lora__result_5740-240517044141819407406_10: why a reason of\n"
                          "    many words that goes on and on and on until no line of a screen holds all of\n"
                          "    it\n");
    free(got);
    ws_table_set_text(&table, 0, 0, "a");
    ws_table_set_text(&table, 0, 1, "a");
    ws_table_set_text(&table, 0, 2, "b");
    ws_table_set_text(&table, 3, 1, "none");
    got = written(&table, WS_FORM_TEXT, NULL);
    ck_assert_str_eq(got, "run  gpus  wall [s]  why\n"
                          "---  ----  --------  ----\n"
                          "a       1     100.5  -\n"
                          "a       2     100.5  none\n"
                          "b       3     100.5  -\n");
    free(got);
    ws_table_free(&table);
}
END_TEST

/* People read a mark at the row and a footnote; programs have columns, and no mark spoils a cell of theirs. */
START_TEST(marks_of_rows_have_footnotes)
{
    ws_table table;
    ws_table_init(&table, "table");
    ws_table_add_column(&table, "series", WS_TEXT);
    ws_table_add_column(&table, "gpus", WS_INTEGER);
    ws_table_add_column(&table, "wall_s", WS_NUMBER);
    for (size_t row = 0; row < 3; row++) {
        ws_table_add_row(&table);
        ws_table_set_text(&table, 0, row, row ? "a" : "b_c");
        ws_table_set_integer(&table, 1, row, (int64_t)(8 * row + 1));
        ws_table_set_number(&table, 2, row, 10);
    }
    table.marked_column = "gpus";
    ws_table_mark_row(&table, 0, "*");
    ws_table_mark_row(&table, 2, "*");
    ws_table_mark_row(&table, 2, "†");
    ws_table_add_footnote(&table, "*", "doubtful_1");
    ws_table_add_footnote(&table, "", "of the whole table");
    check_bytes(&table, WS_FORM_TEXT,
                "series  gpus  wall [s]\n"
                "------  ----  --------\n"
                "b_c      1*         10\n"
                "a        9          10\n"
                "a       17*†        10\n"
                "\n"
                "  * doubtful_1\n"
                "  of the whole table\n");
    check_bytes(&table, WS_FORM_MARKDOWN,
                "| series | gpus | wall [s] |\n"
                "| :--- | ---: | ---: |\n"
                "| b\\_c | 1\\* | 10 |\n"
                "| a | 9 | 10 |\n"
                "| a | 17\\*† | 10 |\n"
                "\n"
                "\\* doubtful\\_1\n"
                "\n"
                "of the whole table\n");
    check_bytes(&table, WS_FORM_LATEX,
                "\\begin{tabular}{lrr}\n"
                "\\toprule\n"
                "series & gpus & wall [s] \\\\\n"
                "\\midrule\n"
                "b\\_c & 1\\rlap{\\textsuperscript{{}*}} & 10 \\\\\n"
                "a & 9 & 10 \\\\\n"
                "a & 17\\rlap{\\textsuperscript{{}*$\\dagger$}} & 10 \\\\\n"
                "\\bottomrule\n"
                "\\end{tabular}\n"
                "\\par\\smallskip\\noindent"
                "\\parbox{\\linewidth}{\\footnotesize\\raggedright \\textsuperscript{{}*}doubtful\\_1}\n"
                "\\par\\smallskip\\noindent"
                "\\parbox{\\linewidth}{\\footnotesize\\raggedright of the whole table}\n");
    check_bytes(&table, WS_FORM_CSV, "series,gpus,wall_s\nb_c,1,10\na,9,10\na,17,10\n");
    table.marked_column = NULL; /* the first that is shown */
    table.n_footnotes = 0;
    check_bytes(&table, WS_FORM_TEXT,
                "series  gpus  wall [s]\n"
                "------  ----  --------\n"
                "b_c*       1        10\n"
                "a          9        10\n"
                "a*†       17        10\n");
    ws_table_free(&table);
}
END_TEST

TEST_MAIN("table_write", marks_of_rows_have_footnotes, long_texts_go_on_in_their_columns,
          long_keys_stand_above_their_rows, one_row_wider_than_a_screen_stands_upright, wide_tables_stand_in_parts,
          text_has_units_and_digits_by_uncertainty, csv_keeps_every_digit, json_has_schema_rows_and_notes,
          jsonl_has_rows_alone, markdown_as_text, latex_is_a_booktabs_tabular,
          titles_of_latex_wider_than_a_page_stand_in_lines, text_has_headings_remarks_and_meanings,
          every_column_on_demand, colour_marks_the_head_of_text_alone, an_empty_table_is_its_head,
          a_table_without_columns_is_nothing, hostile_text_stays_in_its_cell, invalid_utf8_is_replaced,
          a_lone_missing_cell_is_still_a_csv_row, json_reads_back, csv_reads_back, a_full_disk_is_an_error, form_names,
          notes_for_people)
