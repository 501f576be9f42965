#include "harness.h"

#include "core/name_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 5000 };

typedef struct names {
    char text[NAMES][16];
    const char *wanted;
} names;

static bool is_wanted(const void *state, size_t place)
{
    const names *n = state;
    return strcmp(n->text[place], n->wanted) == 0;
}

static size_t find(const ws_name_index *index, names *n, uint64_t hash, const char *wanted)
{
    n->wanted = wanted;
    return ws_name_find(index, hash, is_wanted, n);
}

START_TEST(each_name_is_found_where_it_was_put)
{
    ws_name_index index = {0};
    names *n = calloc(1, sizeof *n);
    ck_assert_uint_eq(find(&index, n, 1, "a"), WS_NO_PLACE);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(n->text[i], sizeof n->text[i], "run%zu", i);
        ck_assert_uint_eq(find(&index, n, ws_name_hash(0, n->text[i]), n->text[i]), WS_NO_PLACE);
        ws_name_add(&index, ws_name_hash(0, n->text[i]), i);
    }
    for (size_t i = 0; i < NAMES; i++)
        ck_assert_uint_eq(find(&index, n, ws_name_hash(0, n->text[i]), n->text[i]), i);
    ws_name_index_free(&index);
    ck_assert_uint_eq(find(&index, n, ws_name_hash(0, "run1"), "run1"), WS_NO_PLACE);
    free(n);
}
END_TEST

/* Whatever the hash: names decide. */
START_TEST(names_with_one_hash_are_told_apart)
{
    ws_name_index index = {0};
    names *n = calloc(1, sizeof *n);
    for (size_t i = 0; i < 100; i++) {
        snprintf(n->text[i], sizeof n->text[i], "%zu", i);
        ws_name_add(&index, 7, i);
    }
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(find(&index, n, 7, n->text[i]), i);
    ck_assert_uint_eq(find(&index, n, 7, "100"), WS_NO_PLACE);
    ws_name_index_free(&index);
    free(n);
}
END_TEST

START_TEST(where_a_name_ends_counts)
{
    ck_assert(ws_name_hash(ws_name_hash(0, "ab"), "c") != ws_name_hash(ws_name_hash(0, "a"), "bc"));
    ck_assert(ws_name_hash(ws_name_hash(0, ""), "a") != ws_name_hash(ws_name_hash(0, "a"), ""));
    ck_assert(ws_name_hash_n(0, "lbs256/1", 6) == ws_name_hash(0, "lbs256"));
}
END_TEST

TEST_MAIN("name index", each_name_is_found_where_it_was_put, names_with_one_hash_are_told_apart,
          where_a_name_ends_counts)
