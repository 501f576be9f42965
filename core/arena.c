#define _DEFAULT_SOURCE /* mmap without a file, madvise */
#include "core/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Chunks grow from the first one: many arenas hold a few names, and untouched memory costs, too. Behind the first
 * half of a megabyte all are huge pages, which the system hands out at one touch, not at one for each 4 KiB. */
enum { FIRST_CHUNK = 1024, LARGE_CHUNK = 256 * 1024, HUGE_PAGE = 2 * 1024 * 1024 };
enum { ALIGNMENT = 16, LARGE_ITEM = 64, SMALL_ITEM = 8 };

typedef struct ws_arena_chunk {
    struct ws_arena_chunk *next;
    size_t used, size;
    bool is_huge;
    _Alignas(ALIGNMENT) char bytes[];
} chunk;

enum { HUGE_ROOM = HUGE_PAGE - sizeof(chunk) };

static void abort_on_memory(size_t wanted)
{
    fprintf(stderr, "wattscale: out of memory (%zu bytes more were needed)\n", wanted);
    abort();
}

static ws_memory_handler *memory_handler = abort_on_memory;

void ws_set_memory_handler(ws_memory_handler *handler)
{
    memory_handler = handler ? handler : abort_on_memory;
}

static void *checked(void *memory, size_t wanted)
{
    if (!memory) {
        memory_handler(wanted);
        abort(); /* a handler must not return */
    }
    return memory;
}

void *ws_alloc(size_t size)
{
    return checked(calloc(1, size ? size : 1), size);
}

void *ws_realloc(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return checked(NULL, SIZE_MAX);
    size_t bytes = count * size;
    return checked(realloc(old, bytes ? bytes : 1), bytes);
}

void *ws_grow(void *old, size_t *capacity, size_t want, size_t size)
{
    if (want <= *capacity && old)
        return old;
    size_t next = *capacity ? *capacity * 2 : size > LARGE_ITEM ? 2 : size > SMALL_ITEM ? 4 : 16;
    while (next < want)
        next *= 2;
    void *grown = ws_realloc(old, next, size);
    *capacity = next;
    return grown;
}

static chunk *new_huge_chunk(chunk *next)
{
    char *wide = mmap(NULL, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    checked(wide == MAP_FAILED ? NULL : wide, HUGE_PAGE);
    size_t before = (HUGE_PAGE - (uintptr_t)wide % HUGE_PAGE) % HUGE_PAGE; /* it begins where a huge page does */
    if (before)
        munmap(wide, before);
    munmap(wide + before + HUGE_PAGE, HUGE_PAGE - before);
    chunk *new = (chunk *)(wide + before);
    madvise(new, HUGE_PAGE, MADV_HUGEPAGE); /* a wish: without it all is as slow as before */
    *new = (chunk){.size = HUGE_ROOM, .is_huge = true, .next = next};
    return new;
}

/* With room for an item. */
static chunk *new_chunk(chunk *top, size_t item)
{
    size_t room = top ? top->size * 2 : FIRST_CHUNK;
    if (top && top->size >= LARGE_CHUNK && item <= HUGE_ROOM)
        return new_huge_chunk(top);
    room = item > room ? item : room;
    chunk *new = ws_realloc(NULL, sizeof *new + room, 1);
    *new = (chunk){.size = room, .next = top};
    return new;
}

void *ws_arena_alloc(ws_arena *arena, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    chunk *top = arena->chunks;
    if (!top || top->size - top->used < size)
        top = arena->chunks = new_chunk(top, size);
    void *memory = top->bytes + top->used;
    top->used += size;
    return memset(memory, 0, size);
}

char *ws_arena_strndup(ws_arena *arena, const char *text, size_t n)
{
    char *copy = ws_arena_alloc(arena, n + 1);
    if (n)
        memcpy(copy, text, n);
    return copy;
}

char *ws_arena_strdup(ws_arena *arena, const char *text)
{
    return ws_arena_strndup(arena, text, strlen(text));
}

char *ws_arena_printf(ws_arena *arena, const char *format, ...)
{
    char usual[128];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(usual, sizeof usual, format, args);
    va_end(args);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = ws_arena_alloc(arena, size);
    if (size <= sizeof usual)
        memcpy(text, length < 0 ? "" : usual, size);
    else
        vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

void ws_arena_join(ws_arena *into, ws_arena *from)
{
    chunk **last = &into->chunks;
    while (*last)
        last = &(*last)->next;
    *last = from->chunks;
    from->chunks = NULL;
}

void ws_arena_free(ws_arena *arena)
{
    for (chunk *c = arena->chunks; c;) {
        chunk *next = c->next;
        if (c->is_huge)
            munmap(c, HUGE_PAGE);
        else
            free(c);
        c = next;
    }
    arena->chunks = NULL;
}
