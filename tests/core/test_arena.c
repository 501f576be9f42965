#include "harness.h"

#include "core/arena.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

START_TEST(memory_is_aligned_zeroed_and_apart)
{
    ws_arena arena = {0};
    enum { PIECES = 5000 };
    static unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = i % 97;
        pieces[i] = ws_arena_alloc(&arena, size);
        ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
        for (size_t b = 0; b < size; b++)
            ck_assert_uint_eq(pieces[i][b], 0);
        memset(pieces[i], (int)(i % 251), size);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t b = 0; b < i % 97; b++)
            ck_assert_uint_eq(pieces[i][b], i % 251);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(big_pieces_get_their_own_room)
{
    ws_arena arena = {0};
    char *small = ws_arena_strdup(&arena, "small");
    char *big = ws_arena_alloc(&arena, 10 * 1024 * 1024);
    char *after = ws_arena_strdup(&arena, "after");
    memset(big, 'x', 10 * 1024 * 1024);
    ck_assert_str_eq(small, "small");
    ck_assert_str_eq(after, "after");
    ck_assert_uint_eq((uintptr_t)big % 16, 0);
    ws_arena_free(&arena);
}
END_TEST

/* Among them pieces as large as a huge page, and a little less. */
START_TEST(megabytes_of_pieces_are_zeroed_and_apart)
{
    enum { PIECES = 9000, MEGABYTE = 1024 * 1024, LARGE = PIECES / 3 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    ws_arena arena = {0};
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = i % LARGE == LARGE - 1 ? 2 * MEGABYTE - 16 * (i / LARGE) : i % 997;
        pieces[i] = ws_arena_alloc(&arena, sizes[i]);
        ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
        for (size_t b = 0; b < sizes[i]; b++)
            if (pieces[i][b])
                ck_abort_msg("byte %zu of piece %zu is not zero", b, i);
        memset(pieces[i], (int)(i % 251 + 1), sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t b = 0; b < sizes[i]; b++)
            if (pieces[i][b] != i % 251 + 1)
                ck_abort_msg("byte %zu of piece %zu was overwritten", b, i);
    ws_arena_free(&arena);
    ws_arena_alloc(&arena, 2 * MEGABYTE - 32); /* alone, and in no huge page */
    ws_arena_free(&arena);
}
END_TEST

START_TEST(texts)
{
    ws_arena arena = {0};
    ck_assert_str_eq(ws_arena_strndup(&arena, "power.draw [W]", 5), "power");
    ck_assert_str_eq(ws_arena_strndup(&arena, NULL, 0), "");
    ck_assert_str_eq(ws_arena_printf(&arena, "%s/%d", "run", 7), "run/7");
    char *longer = ws_arena_printf(&arena, "%070000d", 1);
    ck_assert_uint_eq(strlen(longer), 70000);
    ck_assert_int_eq(longer[69999], '1');
    ws_arena_free(&arena);
    ws_arena_free(&arena);
    ck_assert_str_eq(ws_arena_strdup(&arena, "again"), "again");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(arrays_grow_and_keep_their_content)
{
    size_t capacity = 0;
    int *array = NULL;
    for (int i = 0; i < 10000; i++) {
        array = ws_grow(array, &capacity, (size_t)i + 1, sizeof *array);
        ck_assert_uint_ge(capacity, (size_t)i + 1);
        array[i] = i;
    }
    for (int i = 0; i < 10000; i++)
        ck_assert_int_eq(array[i], i);
    ck_assert_ptr_eq(ws_grow(array, &capacity, 10, sizeof *array), array);
    free(array);
}
END_TEST

static jmp_buf escape;
static size_t asked_for;

static void escape_from_memory(size_t wanted)
{
    asked_for = wanted;
    longjmp(escape, 1);
}

START_TEST(a_product_that_overflows_is_out_of_memory)
{
    ws_set_memory_handler(escape_from_memory);
    if (setjmp(escape) == 0) {
        ws_realloc(NULL, SIZE_MAX / 2, 4);
        ck_abort_msg("an impossible array was handed out");
    }
    ws_set_memory_handler(NULL);
    ck_assert_uint_eq(asked_for, SIZE_MAX);
}
END_TEST

TEST_MAIN("arena", memory_is_aligned_zeroed_and_apart, big_pieces_get_their_own_room,
          megabytes_of_pieces_are_zeroed_and_apart, texts, arrays_grow_and_keep_their_content,
          a_product_that_overflows_is_out_of_memory)
