/* Rows whose stamp stands in front of one device alone, and stamps that their own comma parts, are refused with the
 * command that makes a table of them; tables that look a little like them are read. */
#include "harness.h"

#include "formats/table/trace_head.h"

#include <stdio.h>
#include <string.h>

/* NULL: neither is found. */
static const char *found_in(const char *text)
{
    static char what[WS_LOOP_LINES];
    ws_head_rows head;
    ws_error error = {0};
    char delimiter = ws_delimiter_guess(ws_span_of(text));
    ck_assert_int_eq(ws_head_rows_open(&head, "t.csv", ws_span_of(text), delimiter, 100, NULL, &error), WS_OK);
    bool found = ws_loop_lines_find(head.row, head.n, delimiter, what);
    ws_head_rows_close(&head);
    return found ? what : NULL;
}

static const struct {
    const char *text, *want; /* "": nothing */
} cases[] = {
    /* date, nvidia-smi of two and three GPUs, of power and of load beside it */
    {"2026-02-11 08:00:00, 251.2 W\n249.0 W\n2026-02-11 08:00:01, 251.0 W\n248.0 W\n", "first of 2 readings"},
    {"2026-02-11 08:00:00, 251.2, 97\n249.0, 96\n[N/A], 96\n2026-02-11 08:00:01, 251.0, 97\n248.0, 96\n9.1, 0\n",
     "NF<3{$0=t\",\"$0}"},
    /* two bare rows beside three with a stamp, and two beside four; fewer rows than show it */
    {"2026-02-11 08:00:00, 1 W\n2 W\n2026-02-11 08:00:01, 1 W\n2 W\n2026-02-11 08:00:02, 1 W\n", "first of 2"},
    {"2026-02-11 08:00:00, 1 W\n2 W\n2026-02-11 08:00:01, 1 W\n2 W\n2026-02-11 08:00:02, 1 W\n"
     "2026-02-11 08:00:03, 1 W\n",
     ""},
    {"2026-02-11 08:00:00, 1 W\n2 W\n2026-02-11 08:00:01, 1 W\n", ""},
    /* a stamp of its own above the rows, words between rows, rows of other widths */
    {"2026-02-11 08:00:00\n0, 251.2 W\n1, 249.0 W\n2026-02-11 08:00:01\n0, 251.0 W\n1, 248.0 W\n", ""},
    {"2026-02-11 08:00:00, 251.2 W\nsleeping 1\n2026-02-11 08:00:01, 251.0 W\nsleeping 1\n", ""},
    {"2026-02-11 08:00:00, 251.2\n249, 30\n31\n2026-02-11 08:00:01, 251.2\n249, 30\n31\n", ""},
    /* a decimal comma in the last number, of all but one reading; two digits that stand behind milliseconds */
    {"Timestamp,Power (W)\n2026-02-11 08:00:00,134,3\n2026-02-11 08:00:05,129,1\n2026-02-11 08:00:10,133,0\n",
     "s/,([0-9]+)"},
    {"Timestamp,Power (W)\n2026-02-11 08:00:00,-129,3\n2026-02-11 08:00:05,34,12\n2026-02-11 08:00:10,33,0\n",
     "s/,([0-9]+)"},
    {"Timestamp,Power (W)\n2026-02-11 08:00:00,134,3\n2026-02-11 08:00:05,129\n2026-02-11 08:00:10,133,0\n",
     "s/,([0-9]+)"},
    {"time,load\n2026-02-11 08:00:00,134,97\n2026-02-11 08:00:05,129,96\n2026-02-11 08:00:10,133,96\n",
     "s/(:[0-9]{2})"},
    /* Python's logging and date -Ins; with a header, a leading zero, six digits, a zone */
    {"time,power_w\n2026-02-11 08:00:00,120,251.2\n2026-02-11 08:00:01,120,251.2\n", "[0-9]{3}"},
    {"2026-02-11 08:00:00,020,251.2 W\n2026-02-11 08:00:01,120,251.2 W\n", "[0-9]{3}"},
    {"2026-02-11 08:00:00,120001,251.2 W\n2026-02-11 08:00:01,120002,251.2 W\n", "[0-9]{6}"},
    {"2026-02-11T08:00:00,120001345+01:00,251.2 W\n2026-02-11T08:00:01,120001345+01:00,251.2 W\n", "[0-9]{9}"},
    /* readings of three digits */
    {"time,power_w\n2026-02-11 08:00:00,120\n2026-02-11 08:00:01,121\n", ""},
    {"2026-02-11 08:00:00,120,97\n2026-02-11 08:00:01,121,97\n", ""},
    {"2026-02-11 08:00:00,120,97\n2026-02-11 08:00:01,1210,97\n", ""},
    /* between semicolons nothing is parted */
    {"time;power_w\n2026-02-11 08:00:00,120;251.2\n2026-02-11 08:00:01,120;251.2\n", ""},
};

START_TEST(what_is_found)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = found_in(cases[i].text);
        ck_assert_msg(!got == !*cases[i].want && (!got || strstr(got, cases[i].want)), "case %d: %s", (int)i,
                      got ? got : "nothing");
    }
}
END_TEST

/* Rows of one second: `n` of them, whose third digits rise but for the last where it falls. */
static const char *rows_of_a_second(int n, bool falls)
{
    static char text[2000];
    size_t at = 0;
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026-02-11 08:00:00,%d,97\n",
                               falls && i == n - 1 ? 110 : 120 + 10 * i);
    return text;
}

START_TEST(milliseconds_rise_within_a_second)
{
    ck_assert_ptr_nonnull(found_in(rows_of_a_second(9, false)));
    ck_assert_ptr_null(found_in(rows_of_a_second(8, false)));
    ck_assert_ptr_null(found_in(rows_of_a_second(12, true)));
}
END_TEST

TEST_MAIN("loop lines", what_is_found, milliseconds_rise_within_a_second)
