/* How many lines and rows decide: those that are alike behind the last reading, those that tell the delimiter, and
 * those by which a clock may step back. */
#include "harness.h"

#include "formats/table/trace_head.h"
#include "formats/table/trace_sample.h"
#include "formats/table/unread_lines.h"

#include <stdio.h>
#include <string.h>

static void see_line(ws_unread_lines *u, const char *text)
{
    ws_span cell = {text, strlen(text)};
    const ws_row row = {.cells = &cell, .n_cells = 1, .line = 7};
    ws_unread_line(u, &row);
}

/* Six lines of one kind and four of another. Where a poll has at least three readings for each of its lines without
 * one, all of them are polls of their own; below that they are lines of the same polls. */
START_TEST(lines_of_two_kinds)
{
    static const struct {
        double readings_a_line;
        uint64_t polls;
    } cases[] = {{0.74, 6}, {0.76, 7}};
    for (int c = 0; c < 2; c++) {
        ws_unread_lines u = {0};
        ws_notes notes = {0};
        ws_unread_reading(&u);
        for (int i = 0; i < 6; i++)
            see_line(&u, "Unable to determine the device handle");
        for (int i = 0; i < 4; i++)
            see_line(&u, "GPU is lost");
        ws_unread_note(&u, cases[c].readings_a_line, &notes, "a.log");
        const ws_note *note = ws_notes_find(&notes, WS_FINDING_UNREAD_LINES);
        ck_assert_ptr_nonnull(note);
        ck_assert_uint_eq(note->count, cases[c].polls);
        ws_notes_free(&notes);
    }
}
END_TEST

/* Twice is said in a banner, three times is none. */
START_TEST(lines_that_are_said_twice)
{
    for (int n = 2; n <= 3; n++) {
        ws_unread_lines u = {0};
        ws_notes notes = {0};
        ws_unread_reading(&u);
        for (int i = 0; i < n; i++)
            see_line(&u, "Unable to determine the device handle");
        ws_unread_note(&u, 0.5, &notes, "a.log");
        ck_assert((ws_notes_find(&notes, WS_FINDING_UNREAD_LINES) != NULL) == (n == 3));
        ws_notes_free(&notes);
    }
}
END_TEST

/* Half of the first 32 lines have the delimiter equally often. */
START_TEST(lines_that_tell_the_delimiter)
{
    for (int with = 15; with <= 16; with++) {
        char text[1000];
        size_t n = 0;
        for (int i = 0; i < 60; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, i < with ? "a,b;c,1\n" : "a,b,2\n");
        ck_assert_int_eq(ws_delimiter_guess((ws_span){text, n}), with == 16 ? ';' : ',');
    }
}
END_TEST

/* 50 rows a second apart, then a step back of 16 rows or more, and 30 rows. */
START_TEST(steps_back_of_a_clock)
{
    for (int back = 16; back <= 17; back++) {
        int64_t t_ns[80], scratch[80];
        for (int i = 0; i < 80; i++)
            t_ns[i] = (i < 50 ? i : i - 1 - back) * INT64_C(1000000000);
        ws_turns x = {.t = t_ns, .n = 80, .scratch = scratch};
        ws_turns_leave_out_steps_back(&x);
        ck_assert(x.steps_back);
        ck_assert_uint_eq(x.n, back == 16 ? 80 : 50);
    }
}
END_TEST

TEST_MAIN("row bounds", lines_of_two_kinds, lines_that_are_said_twice, lines_that_tell_the_delimiter,
          steps_back_of_a_clock)
