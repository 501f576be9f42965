#include "harness.h"

#include "formats/table/rows.h"

#include <string.h>

/* What comes of one row, cells between commas, below a header of three columns: "use" or "refuse" and the finding. */
static const struct {
    const char *cells;
    bool unfinished, keeps_short;
    ws_last_line last_line;
    const char *last_cell, *want;
} cases[] = {
    {"a,b,1.5", false, false, WS_LAST_LINE_NEVER, "", "use"},
    {"a,b", false, false, WS_LAST_LINE_NEVER, "", "refuse short-row"},
    {"a,b", false, true, WS_LAST_LINE_NEVER, "", "use unfilled-row"},
    {"a,b,1,", false, false, WS_LAST_LINE_NEVER, "", "use"},
    {"a,b,1,,", false, true, WS_LAST_LINE_NEVER, "", "use"},
    {"a,b,1,5", false, true, WS_LAST_LINE_NEVER, "", "refuse extra-cells"},
    {"a,b,1.5", true, true, WS_LAST_LINE_NEVER, "1.5", "refuse truncated-line"},
    {"a,b,1,", true, false, WS_LAST_LINE_NEVER, "1", "refuse truncated-line"},
    /* as the row before: decimals and unit, or else as many digits */
    {"a,b,1.5", true, false, WS_LAST_LINE_ALIKE, "2.5", "use"},
    {"a,b,12.5", true, false, WS_LAST_LINE_ALIKE, "2.5", "use"},
    {"a,b,1.", true, false, WS_LAST_LINE_ALIKE, "2.5", "refuse truncated-line"},
    {"a,b,1.5", true, false, WS_LAST_LINE_ALIKE, "2.55", "refuse truncated-line"},
    {"a,b,90", true, false, WS_LAST_LINE_ALIKE, "90098", "refuse truncated-line"},
    {"a,b,90099", true, false, WS_LAST_LINE_ALIKE, "90098", "use"},
    {"a,b,90 W", true, false, WS_LAST_LINE_ALIKE, "90 W", "use"},
    {"a,b,90 M", true, false, WS_LAST_LINE_ALIKE, "90 MHz", "refuse truncated-line"},
    {"a,b,9 W", true, false, WS_LAST_LINE_ALIKE, "90 W", "use"},
    {"a,b,90", true, false, WS_LAST_LINE_ALIKE, "", "use"},
    {"a,b", true, true, WS_LAST_LINE_ALIKE, "90", "refuse truncated-line"},
    {"a,b,1\n2", true, false, WS_LAST_LINE_ALIKE, "1", "refuse truncated-line"},
};

static ws_row row_of(const char *text, ws_span *cells, bool unfinished)
{
    ws_row row = {.cells = cells, .line = 7, .unfinished = unfinished};
    ws_span rest = ws_span_of(text);
    while (ws_span_split(&rest, ',', &cells[row.n_cells]))
        row.n_cells++;
    return row;
}

static ws_row_policy below_header(ws_notes *notes, ws_arena *arena)
{
    ws_span cells[8];
    ws_row_policy policy = {.source = "t.csv", .notes = notes};
    ws_row header = row_of("x,y,z", cells, false);
    ck_assert_int_eq(ws_row_policy_header(&policy, arena, &header), WS_HEADER_FIRST);
    return policy;
}

START_TEST(what_comes_of_a_row)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_notes notes = {0};
        ws_arena arena = {0};
        ws_span cells[8];
        char got[64];
        ws_row_policy policy = below_header(&notes, &arena);
        ws_row row = row_of(cases[i].cells, cells, cases[i].unfinished);
        policy.keeps_short = cases[i].keeps_short;
        policy.last_line = cases[i].last_line;
        ws_row_policy_remember(&policy, ws_span_of(cases[i].last_cell));
        bool usable = ws_row_is_usable(&policy, &row);
        snprintf(got, sizeof got, "%s%s%s", usable ? "use" : "refuse", notes.n ? " " : "",
                 notes.n ? ws_finding_code(notes.items[0].finding) : "");
        ck_assert_msg(strcmp(got, cases[i].want) == 0, "'%s': %s, not %s", cases[i].cells, got, cases[i].want);
        ws_notes_free(&notes);
        ws_arena_free(&arena);
    }
}
END_TEST

START_TEST(a_header_comes_again_or_changes)
{
    ws_notes notes = {0};
    ws_arena arena = {0};
    ws_span cells[8];
    ws_row_policy policy = below_header(&notes, &arena);
    ws_row again = row_of("x,y,z", cells, false);
    ck_assert_int_eq(ws_row_policy_header(&policy, &arena, &again), WS_HEADER_AGAIN);
    ck_assert_uint_eq(notes.n, 1);
    ck_assert_str_eq(ws_finding_code(notes.items[0].finding), "repeated-header");
    policy.scrolls = true;
    ck_assert_int_eq(ws_row_policy_header(&policy, &arena, &again), WS_HEADER_AGAIN);
    ck_assert_uint_eq(notes.n, 1);
    ck_assert_uint_eq(notes.items[0].count, 1);
    ws_row other = row_of("x,y", cells, false);
    ck_assert_int_eq(ws_row_policy_header(&policy, &arena, &other), WS_HEADER_CHANGED);
    ck_assert_uint_eq(policy.n_columns, 2);
    ck_assert_uint_eq(notes.n, 2);
    ck_assert_int_eq(ws_row_policy_header(&policy, &arena, &other), WS_HEADER_AGAIN);
    ws_notes_free(&notes);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(a_row_as_text)
{
    char buffer[WS_ROW_TEXT], many[200];
    ws_span cells[8];
    ws_row row = row_of("a,,b c", cells, false);
    ws_span text = ws_row_text(&row, buffer);
    ck_assert(ws_span_eq(text, "a  b c"));
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    many[WS_ROW_TEXT - 1] = ',';
    row = row_of(many, cells, false);
    ck_assert_uint_eq(ws_row_text(&row, buffer).n, WS_ROW_TEXT);
}
END_TEST

TEST_MAIN("row policy", what_comes_of_a_row, a_header_comes_again_or_changes, a_row_as_text)
