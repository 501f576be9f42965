#include "analyze/ingest/node_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 100000, NAME_SIZE = 256, MOST_DIGITS = 12 };

typedef struct expansion {
    ws_arena *arena;
    const char **names; /* NULL: only counted */
    size_t n;
    bool is_broken;
} expansion;

static void add_name(expansion *e, const char *name, size_t n)
{
    if (e->n == MOST_NODES || !n) {
        e->is_broken = true;
        return;
    }
    if (e->names)
        e->names[e->n] = ws_arena_strndup(e->arena, name, n);
    e->n++;
}

static void expand(expansion *e, char *name, size_t n, ws_span rest);

/* "001-004" or "007", each number with what follows the bracket. Leading zeros stay. */
static void expand_range(expansion *e, char *name, size_t n, ws_span range, ws_span rest)
{
    int64_t first, last;
    ws_span from = range, to = range;
    if (memchr(range.p, '-', range.n))
        ws_span_cut(range, "-", &from, &to);
    bool is_range = ws_span_i64(from, &first) && ws_span_i64(to, &last) && first >= 0 && first <= last;
    if (!is_range || from.n > MOST_DIGITS || n + MOST_DIGITS >= NAME_SIZE) {
        e->is_broken = true;
        return;
    }
    for (int64_t i = first; i <= last && !e->is_broken; i++) {
        int digits = snprintf(name + n, NAME_SIZE - n, "%0*" PRId64, (int)from.n, i);
        expand(e, name, n + (size_t)digits, rest);
    }
}

/* The name so far stands in name[0..n); `rest` is the remainder of one element of the list. */
static void expand(expansion *e, char *name, size_t n, ws_span rest)
{
    const char *open = rest.n ? memchr(rest.p, '[', rest.n) : NULL;
    size_t literal = open ? (size_t)(open - rest.p) : rest.n;
    if (n + literal >= NAME_SIZE) {
        e->is_broken = true;
        return;
    }
    memcpy(name + n, rest.p, literal);
    n += literal;
    if (!open) {
        add_name(e, name, n);
        return;
    }
    ws_span inside, after, range;
    if (!ws_span_cut((ws_span){open + 1, rest.n - literal - 1}, "]", &inside, &after)) {
        e->is_broken = true;
        return;
    }
    while (!e->is_broken && ws_span_split(&inside, ',', &range))
        expand_range(e, name, n, range, after);
}

/* Elements end at commas and semicolons outside of brackets. */
static void expand_list(expansion *e, ws_span text)
{
    char name[NAME_SIZE];
    size_t from = 0;
    bool inside = false;
    for (size_t i = 0; i <= text.n && !e->is_broken; i++) {
        if (i < text.n && (text.p[i] == '[' || text.p[i] == ']'))
            inside = text.p[i] == '[';
        if (i < text.n && (inside || (text.p[i] != ',' && text.p[i] != ';')))
            continue;
        expand(e, name, 0, ws_span_trim((ws_span){text.p + from, i - from}));
        from = i + 1;
    }
}

size_t ws_node_list(ws_arena *arena, ws_span text, const char ***names)
{
    expansion e = {.arena = arena};
    expand_list(&e, text);
    if (e.is_broken || !e.n)
        return 0;
    size_t n = e.n;
    e.names = *names = ws_arena_alloc(arena, n * sizeof **names);
    e.n = 0;
    expand_list(&e, text);
    return n;
}
