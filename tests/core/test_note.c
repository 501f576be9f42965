#include "harness.h"

#include "core/note.h"
#include "core/status.h"

#include <string.h>

START_TEST(one_kind_is_counted_once)
{
    ws_notes notes = {0};
    for (int line = 3; line < 10; line++)
        ws_notes_add(&notes, WS_FINDING_MISSING_CELL, "a.csv", "gpu0", line, "line %d", line);
    ws_notes_add(&notes, WS_FINDING_MISSING_CELL, "a.csv", "gpu1", 4, "another device");
    ws_notes_add(&notes, WS_FINDING_MISSING_CELL, "b.csv", "gpu0", 5, "another file");
    ws_notes_add(&notes, WS_FINDING_GAP, "a.csv", "gpu0", 6, "another kind");
    ck_assert_uint_eq(notes.n, 4);
    ck_assert_uint_eq(notes.items[0].count, 7);
    ck_assert_int_eq(notes.items[0].line, 3);
    ck_assert_str_eq(notes.items[0].text, "line 3");
    ck_assert_str_eq(notes.items[1].subject, "gpu1");
    ck_assert_str_eq(notes.items[2].source, "b.csv");
    ck_assert_str_eq(ws_finding_code(notes.items[3].finding), "gap");
    ws_notes_free(&notes);
}
END_TEST

START_TEST(notes_of_several_sources_are_gathered)
{
    ws_notes notes = {0};
    ws_notes_add(&notes, WS_FINDING_GAP, "a.csv", "", 1, "a gap");
    ws_notes_add_many(&notes, 2, WS_FINDING_NAIVE_TIME, "a.csv", "", 2, "read as UTC");
    ws_notes_add(&notes, WS_FINDING_NAIVE_TIME, "b.csv", "", 2, "read as CET");
    ws_notes_add(&notes, WS_FINDING_GAP, "b.csv", "", 1, "a gap");
    ws_notes_add_many(&notes, 3, WS_FINDING_NAIVE_TIME, "b.csv", "x", 2, "read as UTC");
    ws_notes_add_many(&notes, 4, WS_FINDING_NAIVE_TIME, "c.csv", "", 2, "read as UTC");
    ws_notes_gather(&notes, WS_FINDING_NAIVE_TIME);
    ck_assert_uint_eq(notes.n, 4);
    ck_assert_str_eq(notes.items[1].source, "a.csv");
    ck_assert_uint_eq(notes.items[1].count, 9);
    ck_assert_str_eq(notes.items[1].text, "read as UTC, here and in 2 other sources");
    ck_assert_str_eq(notes.items[2].text, "read as CET");
    ck_assert_str_eq(notes.items[3].source, "b.csv");
    ws_notes_add(&notes, WS_FINDING_GAP, "b.csv", "", 7, "again"); /* it is still found */
    ck_assert_uint_eq(notes.n, 4);
    ck_assert_uint_eq(notes.items[3].count, 2);
    ws_notes_free(&notes);
}
END_TEST

/* A reader takes what was chosen from its fields, not from the words: a subset that is called "not x", or a text in
 * other words, is none. */
START_TEST(a_choice_is_kept_in_fields)
{
    ws_notes notes = {0}, copy = {0};
    ws_notes_add(&notes, WS_FINDING_EXCLUDED, "t.csv", "not so", 0, "4 of 9 rows are left out (broken)");
    ws_notes_add_choice(&notes, "t.csv", "model=bert", 56, 476, "--only");
    ws_notes_append(&copy, &notes);
    ck_assert_uint_eq(copy.n, 2);
    ck_assert_ptr_null(copy.items[0].chosen);
    ck_assert_str_eq(copy.items[1].chosen, "model=bert");
    ck_assert(copy.items[1].n_chosen == 56 && copy.items[1].n_all == 476);
    ck_assert_str_eq(copy.items[1].subject, "not model=bert");
    ck_assert_str_eq(copy.items[1].text, "420 of 476 rows are left out (--only)");
    ws_notes_free(&notes);
    ws_notes_free(&copy);
}
END_TEST

START_TEST(no_findings_leave_no_note)
{
    ws_notes notes = {0};
    ws_notes_add_many(&notes, 0, WS_FINDING_GAP, "a.csv", "", 0, "none");
    ck_assert_uint_eq(notes.n, 0);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_GAP));
    ws_notes_add_many(&notes, 5, WS_FINDING_GAP, NULL, NULL, 0, "five");
    ck_assert_uint_eq(ws_notes_find(&notes, WS_FINDING_GAP)->count, 5);
    ck_assert_str_eq(notes.items[0].source, "");
    ck_assert_str_eq(notes.items[0].subject, "");
    ws_notes_add(NULL, WS_FINDING_GAP, "", "", 0, "nobody listens");
    ws_notes_free(&notes);
    ws_notes_free(&notes);
    ck_assert_uint_eq(notes.n, 0);
}
END_TEST

START_TEST(a_note_stays_one_line)
{
    ws_notes notes = {0};
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ws_notes_add(&notes, WS_FINDING_UNREADABLE_CELL, "a.csv", "", 1, "cell '%s'", "a\nb\t\x1b[31m\x7f");
    ck_assert_str_eq(notes.items[0].text, "cell 'a b  [31m '");
    ws_notes_add(&notes, WS_FINDING_LONG_GAP, "a.csv", "", 1, "%s", longer);
    ck_assert_uint_lt(strlen(notes.items[1].text), 600);
    ws_notes_free(&notes);
}
END_TEST

START_TEST(many_notes_are_told_apart)
{
    enum { N = 1000 };
    ws_notes notes = {0};
    char subject[16];
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < N; i++) {
            snprintf(subject, sizeof subject, "gpu%d", i);
            ws_notes_add(&notes, i % 2 ? WS_FINDING_GAP : WS_FINDING_COUNTER_WRAP, "a.csv", subject, i + 1, "%s",
                         subject);
        }
    ws_notes_add(&notes, WS_FINDING_GAP, "a", ".csvgpu1", 0, "the same letters, cut elsewhere");
    ck_assert_uint_eq(notes.n, N + 1);
    for (int i = 0; i < N; i++) {
        ck_assert_uint_eq(notes.items[i].count, 3);
        ck_assert_int_eq(notes.items[i].line, i + 1);
    }
    ws_notes_free(&notes);
}
END_TEST

START_TEST(lists_are_joined)
{
    ws_notes a = {0}, b = {0};
    ws_notes_add_many(&a, 2, WS_FINDING_GAP, "a.csv", "gpu0", 3, "first %%");
    ws_notes_add_many(&b, 5, WS_FINDING_GAP, "a.csv", "gpu0", 9, "later");
    ws_notes_add_many(&b, 1, WS_FINDING_COUNTER_WRAP, "a.csv", "cpu0", 0, "100%% sure");
    ws_notes_append(&a, &b);
    ws_notes_free(&b);
    ck_assert_uint_eq(a.n, 2);
    ck_assert_uint_eq(a.items[0].count, 7);
    ck_assert_int_eq(a.items[0].line, 3);
    ck_assert_str_eq(a.items[1].text, "100% sure");
    ws_notes_free(&a);
}
END_TEST

/* A list that is copied whole is one of its own: what is counted later is found in it, and the one before is freed. */
START_TEST(a_copy_is_a_list)
{
    enum { N = 100 };
    ws_notes from = {0}, copy = {0};
    char subject[20];
    for (int i = 0; i < N; i++) {
        snprintf(subject, sizeof subject, "gpu%d", i);
        ws_notes_add(&from, i % 3 ? WS_FINDING_GAP : WS_FINDING_COUNTER_WRAP, i < N / 2 ? "a.csv" : "b.csv", subject,
                     i + 1, "text %d", i / 2);
    }
    ws_notes_append(&copy, &from);
    ck_assert_ptr_ne(copy.items[0].source, from.items[0].source);
    ws_notes_append(&copy, &from);
    ws_notes_free(&from);
    ck_assert_uint_eq(copy.n, N);
    for (int i = 0; i < N; i++) {
        char text[20];
        snprintf(subject, sizeof subject, "gpu%d", i);
        snprintf(text, sizeof text, "text %d", i / 2);
        ck_assert_str_eq(copy.items[i].source, i < N / 2 ? "a.csv" : "b.csv");
        ck_assert_str_eq(copy.items[i].subject, subject);
        ck_assert_str_eq(copy.items[i].text, text);
        ck_assert_int_eq(copy.items[i].line, i + 1);
        ck_assert_uint_eq(copy.items[i].count, 2);
        ck_assert_ptr_null(copy.items[i].chosen);
    }
    ws_notes_add(&copy, WS_FINDING_GAP, "c.csv", "gpu0", 0, "new");
    ck_assert_uint_eq(copy.n, N + 1);
    ws_notes_free(&copy);
    ws_notes_append(&copy, &from); /* nothing of nothing */
    ck_assert_uint_eq(copy.n, 0);
    ws_notes_add(&copy, WS_FINDING_GAP, "c.csv", "gpu0", 0, "first");
    ck_assert_uint_eq(copy.n, 1);
    ws_notes_free(&copy);
}
END_TEST

START_TEST(the_first_failure_stays)
{
    ws_error error = {0};
    ck_assert_int_eq(ws_fail_at(&error, WS_FORMAT, "gpu0.csv", 418, "power '%s' is not a number", "3OO W"), WS_FORMAT);
    ck_assert_int_eq(ws_fail(&error, WS_IO, "later"), WS_IO);
    ck_assert_int_eq(error.status, WS_FORMAT);
    ck_assert_str_eq(error.message, "gpu0.csv:418: power '3OO W' is not a number");
    ws_error_clear(&error);
    ck_assert_int_eq(ws_fail_at(&error, WS_IO, "a.csv", 0, "is %s", "gone\n"), WS_IO);
    ck_assert_str_eq(error.message, "a.csv: is gone ");
    ck_assert_int_eq(ws_fail(NULL, WS_DATA, "nobody listens"), WS_DATA);
}
END_TEST

START_TEST(long_failures_are_cut)
{
    ws_error error = {0};
    char longer[2000];
    memset(longer, 'y', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ws_fail_at(&error, WS_IO, longer, 7, "%s", longer);
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 1);
    ck_assert_ptr_nonnull(strstr(error.message, ":7: y"));
}
END_TEST

/* What is wrong is told from who says so and what there is by where they stand, not by their words. */
START_TEST(what_a_recipe_lacks_is_kept_in_fields)
{
    ws_error error = {0};
    ws_notes notes = {0}, copy = {0};
    ck_assert_int_eq(ws_fail_recipe(&error, "has no .csv", "frey/fig2", " ", "needs '%s'", "a; there are: b"), WS_DATA);
    ck_assert_int_eq(ws_fail_offer(&error, " gpus lbs", WS_DATA), WS_DATA);
    ck_assert_str_eq(error.message, "has no .csv: frey/fig2 needs 'a; there are: b'; there are: gpus lbs");
    ws_notes_add_lacking(&notes, "frey/fig2", &error);
    ws_notes_append(&copy, &notes);
    ck_assert_str_eq(copy.items[0].text,
                     "is left out: has no .csv: frey/fig2 needs 'a; there are: b'; there are: gpus lbs");
    ck_assert_str_eq(copy.items[0].lacking, "needs 'a; there are: b'");
    ws_error_clear(&error);
    ws_fail_at(&error, WS_DATA, "runs.csv", 0, "no row is left to draw");
    ws_notes_add_lacking(&copy, "frey/fig3", &error);
    ck_assert_str_eq(copy.items[1].lacking, "no row is left to draw");
    ws_error_clear(&error);
    ws_fail_recipe(&error, "", "", "has ", "no runs to tabulate");
    ck_assert_str_eq(error.message, ": has no runs to tabulate");
    ws_notes_add_lacking(&copy, "huber/table-all", &error);
    ck_assert_str_eq(copy.items[2].lacking, "no runs to tabulate");
    ws_notes_free(&notes);
    ws_notes_free(&copy);
}
END_TEST

TEST_MAIN("note", one_kind_is_counted_once, a_choice_is_kept_in_fields, notes_of_several_sources_are_gathered,
          no_findings_leave_no_note, a_note_stays_one_line, many_notes_are_told_apart, lists_are_joined,
          a_copy_is_a_list, the_first_failure_stays, what_a_recipe_lacks_is_kept_in_fields, long_failures_are_cut)
