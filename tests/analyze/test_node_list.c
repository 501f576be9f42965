#include "harness.h"

#include "analyze/ingest/node_list.h"

#include <string.h>

static const struct {
    const char *text, *names; /* joined by blanks; "" where the list cannot be read */
} lists[] = {
    {"n001", "n001"},
    {"n[001-004,007]", "n001 n002 n003 n004 n007"},
    {"n[9-11]", "n9 n10 n11"},
    {"a1,n[2,4],b", "a1 n2 n4 b"},
    {"rack[1-2]n[01-02]", "rack1n01 rack1n02 rack2n01 rack2n02"},
    {"gpu-[3]-ib, login", "gpu-3-ib login"},
    {"", ""},
    {"n[1-", ""},
    {"n[4-2]", ""},
    {"n[a-b]", ""},
    {"n[1-2", ""},
    {"n[]", ""},
    {"a,,b", ""},
    {"n[1-999999999]", ""},
    {"n[1-1000]m[1-1000]", ""},
};

START_TEST(lists_of_hosts)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ws_arena arena = {0};
        const char **names;
        char joined[200] = "";
        size_t n = ws_node_list(&arena, ws_span_of(lists[i].text), &names);
        for (size_t k = 0; k < n; k++) {
            strcat(joined, k ? " " : "");
            strcat(joined, names[k]);
        }
        ck_assert_msg(strcmp(joined, lists[i].names) == 0, "'%s' gives '%s'", lists[i].text, joined);
        ws_arena_free(&arena);
    }
}
END_TEST

START_TEST(lists_as_long_as_machines)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {{"n[1-100000]", 100000},
                 {"n[1-100001]", 0},
                 {"n[000000000001-000000000002]", 2},
                 {"n[0000000000001-0000000000002]", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_arena arena = {0};
        const char **names;
        size_t n = ws_node_list(&arena, ws_span_of(cases[i].text), &names);
        ck_assert_msg(n == cases[i].n, "'%s' gives %zu names", cases[i].text, n);
        ws_arena_free(&arena);
    }
}
END_TEST

TEST_MAIN("node_list", lists_of_hosts, lists_as_long_as_machines)
