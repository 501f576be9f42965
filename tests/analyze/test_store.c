/* A store by its functions: records come out as they went in, in whatever order and from however many threads they are
 * asked for, and what others forge or leave beside it does no harm. */
#define _GNU_SOURCE /* mkdtemp */
#include "harness.h"

#include "analyze/store/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 150, LARGE = 200000 }; /* bytes: more than waits for other threads */

static char folder[64], store_path[80], paths[FILES][80];

/* Every 20th is large. */
static size_t size_of(size_t i)
{
    return i % 20 == 7 ? LARGE + i : 1000 + 13 * i;
}

static unsigned char byte_of(size_t i, size_t k)
{
    return (unsigned char)(i * 31 + k * 7 + k / 251);
}

static ws_read_unit unit_of(const char *const *path)
{
    ws_read_unit unit = {.paths = path, .n = 1};
    snprintf(unit.key, sizeof unit.key, "a key");
    ws_read_unit_look(&unit);
    return unit;
}

static void keep(ws_store *store, size_t i)
{
    const char *path = paths[i];
    ws_read_unit unit = unit_of(&path);
    ws_packed record = {malloc(size_of(i)), size_of(i)};
    for (size_t k = 0; k < record.n; k++)
        record.bytes[k] = byte_of(i, k);
    ws_store_keep(store, &unit, &record);
    free(record.bytes);
    ws_read_unit_free(&unit);
}

static void make_store(void)
{
    ws_store *store;
    ws_store_counts counts;
    ws_error error;
    if (!ws_store_is_built_in())
        return;
    snprintf(folder, sizeof folder, "/tmp/wattscale-order-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(store_path, sizeof store_path, "%s/a.wattscale", folder);
    for (size_t i = 0; i < FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/f%zu", folder, i);
        FILE *f = fopen(paths[i], "w");
        fprintf(f, "file %zu\n", i);
        fclose(f);
    }
    ck_assert_int_eq(ws_store_begin(&store, store_path, folder, &error), WS_OK);
    for (size_t i = 0; i < FILES; i++)
        keep(store, i);
    ck_assert_int_eq(ws_store_finish(store, false, &counts, &error), WS_OK);
    ck_assert_uint_eq(counts.inputs, FILES);
    ws_store_close(store);
}

static bool comes_as_it_was(ws_store *store, size_t i)
{
    const char *path = paths[i];
    ws_read_unit unit = unit_of(&path);
    ws_packed record;
    bool is = ws_store_recall(store, &unit, &record) && record.n == size_of(i);
    for (size_t k = 0; is && k < record.n; k++)
        is = record.bytes[k] == byte_of(i, k);
    free(record.bytes);
    ws_read_unit_free(&unit);
    return is;
}

#define needs_store()            \
    if (!ws_store_is_built_in()) \
    skip_because("built without SQLite")

static ws_store *opened(void)
{
    ws_store *store;
    ws_error error;
    ck_assert_int_eq(ws_store_open(&store, store_path, folder, &error), WS_OK);
    return store;
}

/* Steps that are prime to FILES: 1 and -1 among them, and such as pass over more and fewer than wait. */
START_TEST(in_any_order)
{
    needs_store();
    static const size_t steps[] = {1, 2 * FILES - 1, 7, 29, 31, 37, 61, 101};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        ws_store *store = opened();
        for (size_t n = 0, i = 3; n < FILES; n++, i = (i + steps[s]) % FILES)
            ck_assert_msg(comes_as_it_was(store, i), "file %zu by steps of %zu", i, steps[s]);
        ws_store_close(store);
    }
}
END_TEST

START_TEST(again_and_again)
{
    needs_store();
    ws_store *store = opened();
    for (size_t i = 0; i < FILES; i++)
        ck_assert(comes_as_it_was(store, i) && comes_as_it_was(store, i) && comes_as_it_was(store, i / 2));
    ws_store_close(store);
}
END_TEST

static ws_store *shared;
static atomic_size_t next, n_right;

static void *ask(void *state)
{
    (void)state;
    for (size_t i = next++; i < FILES; i = next++)
        n_right += comes_as_it_was(shared, i);
    return NULL;
}

START_TEST(from_many_threads)
{
    needs_store();
    enum { THREADS = 12, TIMES = 5 };
    for (int t = 0; t < TIMES; t++) {
        pthread_t ids[THREADS];
        shared = opened();
        next = n_right = 0;
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_create(&ids[i], NULL, ask, NULL), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(ids[i], NULL);
        ck_assert_uint_eq(n_right, FILES);
        ws_store_close(shared);
    }
}
END_TEST

/* What another program begins to write while this one reads. */
START_TEST(what_is_unfinished_beside_it)
{
    needs_store();
    char beside[96];
    snprintf(beside, sizeof beside, "%s-journal", store_path);
    for (int has_begun = 0; has_begun < 2; has_begun++) {
        ws_store *store;
        ws_store_counts counts;
        ws_error error = {0};
        ck_assert_int_eq(ws_store_begin(&store, store_path, folder, &error), WS_OK);
        keep(store, 0);
        FILE *f = fopen(beside, "w");
        fputs(has_begun ? "a page" : "", f);
        fclose(f);
        ck_assert_int_eq(ws_store_finish(store, false, &counts, &error), has_begun ? WS_IO : WS_OK);
        ck_assert(!has_begun || strstr(error.message, "another program writes into the store"));
        remove(beside);
        ws_store_close(store);
    }
    ws_store *store = opened();
    ck_assert(comes_as_it_was(store, FILES - 1));
    ws_store_close(store);
}
END_TEST

/* --- pages that lead to the same ones over and over --- */

enum { WAYS = 400, DEPTH = 6, HEAD = 100 /* bytes before page 1 */ };

static unsigned char *bytes;
static size_t n_bytes, page_size;

static void put(unsigned char *at, size_t n, size_t value)
{
    for (size_t i = 0; i < n; i++)
        at[i] = (unsigned char)(value >> 8 * (n - 1 - i));
}

static unsigned char *page(size_t number)
{
    return bytes + (number - 1) * page_size;
}

static size_t add_page(void)
{
    bytes = realloc(bytes, n_bytes + page_size);
    memset(bytes + n_bytes, 0, page_size);
    n_bytes += page_size;
    return n_bytes / page_size;
}

/* A page of a table that has the other one below it WAYS times. */
static void lead_to(unsigned char *at, size_t head, size_t below)
{
    enum { CELL = 5, START = 12 };
    memset(at + head, 0, page_size - head);
    at[head] = 5;
    put(at + head + 3, 2, WAYS);
    put(at + head + 5, 2, page_size - CELL * WAYS);
    put(at + head + 8, 4, below);
    for (size_t i = 0; i < WAYS; i++) {
        size_t cell = page_size - CELL * (i + 1);
        put(at + cell, 4, below);
        at[cell + 4] = 1;
        put(at + head + START + 2 * i, 2, cell);
    }
}

/* The table with this root is its first leaf, again and again. */
static void make_endless(size_t root)
{
    size_t leaf = root, head = root == 1 ? HEAD : 0;
    while (page(leaf)[0] == 5) {
        const unsigned char *at = page(leaf), *cell = at + at[12] * 256 + at[13];
        leaf = (size_t)cell[2] * 256 + cell[3];
    }
    if (leaf == root) {
        leaf = add_page();
        memcpy(page(leaf), page(root) + head, 8);
        size_t n = (size_t)page(root)[head + 3] * 256 + page(root)[head + 4];
        memcpy(page(leaf) + 8, page(root) + head + 8, 2 * n);
        size_t start = head + 8 + 2 * n;
        memcpy(page(leaf) + start, page(root) + start, page_size - start);
    }
    for (int i = 0; i < DEPTH; i++) {
        size_t above = add_page();
        lead_to(page(above), 0, leaf);
        leaf = above;
    }
    lead_to(page(root), head, leaf);
    put(bytes + 28, 4, n_bytes / page_size);
}

static const char *forged_store(size_t root)
{
    static char path[96];
    FILE *f = fopen(store_path, "rb");
    fseek(f, 0, SEEK_END);
    n_bytes = (size_t)ftell(f);
    rewind(f);
    bytes = realloc(bytes, n_bytes);
    ck_assert_uint_eq(fread(bytes, 1, n_bytes, f), n_bytes);
    fclose(f);
    page_size = (size_t)bytes[16] * 256 + bytes[17];
    make_endless(root);
    snprintf(path, sizeof path, "%s.forged", store_path);
    f = fopen(path, "wb");
    fwrite(bytes, 1, n_bytes, f);
    fclose(f);
    free(bytes);
    bytes = NULL;
    return path;
}

START_TEST(without_end)
{
    needs_store();
    enum { SCHEMA = 1, INPUTS = 2, RECORDS = 4 }; /* roots, as a store has them */
    ws_store *store;
    ws_error error = {0}, schema_error = {0};
    ck_assert_int_eq(ws_store_open(&store, forged_store(SCHEMA), folder, &schema_error), WS_FORMAT);
    ck_assert_int_eq(ws_store_open(&store, forged_store(INPUTS), folder, &error), WS_FORMAT);
    ck_assert_msg(strstr(error.message, "is damaged"), "%s", error.message);
    const char *path = forged_store(RECORDS);
    ck_assert_int_eq(ws_store_open(&store, path, folder, &error), WS_OK);
    size_t n = 0;
    for (size_t i = 0; i < FILES; i++)
        n += comes_as_it_was(store, i);
    ck_assert_uint_lt(n, FILES);
    ws_store_close(store);
    remove(path);
}
END_TEST

static void remove_all(void)
{
    for (size_t i = 0; i < FILES; i++)
        remove(paths[i]);
    remove(store_path);
    remove(folder);
}

FIXTURE_MAIN("store", make_store, remove_all, in_any_order, again_and_again, from_many_threads,
             what_is_unfinished_beside_it, without_end)
