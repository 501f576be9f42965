/* Memory: checked allocation, and an arena for names and small records that live together.
 *
 * ws_alloc and friends never return NULL: when memory runs out they call the memory handler, which by default prints
 * one line and aborts. A program that embeds the library may install a handler that exits or jumps; it must not return.
 */
#ifndef WS_CORE_ARENA_H
#define WS_CORE_ARENA_H

#include <stddef.h>

typedef void ws_memory_handler(size_t wanted);
void ws_set_memory_handler(ws_memory_handler *handler);

void *ws_alloc(size_t size);                            /* zeroed; release with free() */
void *ws_realloc(void *old, size_t count, size_t size); /* grown part is not zeroed; count * size is overflow-checked */

/* Grow an array of `size`-byte elements so that it can take `want` of them; *capacity doubles. */
void *ws_grow(void *old, size_t *capacity, size_t want, size_t size);

typedef struct ws_arena {
    struct ws_arena_chunk *chunks;
} ws_arena;

/* {0} is a valid empty arena. What it hands out is good until ws_arena_free. */
void *ws_arena_alloc(ws_arena *arena, size_t size); /* zeroed, 16-byte aligned */
char *ws_arena_strdup(ws_arena *arena, const char *text);
char *ws_arena_strndup(ws_arena *arena, const char *text, size_t n);
char *ws_arena_printf(ws_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ws_arena_join(ws_arena *into, ws_arena *from); /* takes over what `from` has handed out; leaves it empty */
void ws_arena_free(ws_arena *arena);                /* leaves a valid empty arena */

#endif
