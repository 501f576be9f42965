#include "core/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks grow from the first to the largest: many arenas hold a few names, and untouched memory costs, too. */
enum { FIRST_CHUNK = 1024, LARGEST_CHUNK = 256 * 1024, ALIGNMENT = 16, LARGE_ITEM = 64, SMALL_ITEM = 8 };

typedef struct ws_arena_chunk {
    struct ws_arena_chunk *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
} chunk;

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

void *ws_arena_alloc(ws_arena *arena, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    chunk *top = arena->chunks;
    if (!top || top->size - top->used < size) {
        size_t room = !top ? FIRST_CHUNK : top->size < LARGEST_CHUNK ? top->size * 2 : LARGEST_CHUNK;
        room = size > room ? size : room;
        top = ws_realloc(NULL, sizeof *top + room, 1);
        *top = (chunk){.size = room, .next = arena->chunks};
        arena->chunks = top;
    }
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
        free(c);
        c = next;
    }
    arena->chunks = NULL;
}
