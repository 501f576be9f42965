#include "analyze/ingest/path_places.h"

#include "analyze/ingest/path_endings.h"

#include <stdlib.h>
#include <string.h>

const ws_part *ws_part_of(const ws_scan_file *f, size_t depth, size_t part)
{
    return &f->parts.segments[depth].parts[part];
}

/* Names with and without "raw" have one shape. */
static const char *key_of(ws_path_finder *d, const ws_scan_file *f, size_t depth)
{
    const ws_path_segment *s = &f->parts.segments[depth];
    const char *key = depth + 1 < f->parts.n ? "/" : ws_arena_printf(d->arena, "%s:", f->format);
    for (size_t i = 0; i < s->n; i++)
        key = ws_arena_printf(d->arena, "%s%s<%d%s>", key, ws_path_without_raw(d->arena, s->parts[i].before),
                              (int)s->parts[i].kind, s->parts[i].field ? s->parts[i].field : "");
    return ws_arena_printf(d->arena, "%s%s", key, s->after);
}

static ws_path_shape *find_shape(ws_path_finder *d, const ws_path_shape *parent, const ws_scan_file *f, size_t depth)
{
    const char *key = key_of(d, f, depth);
    for (size_t i = 0; i < d->n_shapes; i++)
        if (d->shapes[i]->parent == parent && strcmp(d->shapes[i]->key, key) == 0)
            return d->shapes[i];
    d->shapes = ws_grow(d->shapes, &d->capacity, d->n_shapes + 1, sizeof *d->shapes);
    ws_path_shape *s = ws_alloc(sizeof *s);
    *s = (ws_path_shape){
        .parent = parent, .key = key, .depth = depth, .is_side = f->is_literal && depth + 1 == f->parts.n};
    return d->shapes[d->n_shapes++] = s;
}

/* A file beside a run lies in a folder that the user's pattern reads, too. */
static const char *pattern_beside(ws_path_finder *d, const char *pattern, const char *path)
{
    const char *slash = strrchr(pattern, '/'), *name = path;
    for (const char *c = pattern; *c; c++)
        if (*c == '/' && strchr(name, '/'))
            name = strchr(name, '/') + 1;
    return slash ? ws_arena_printf(d->arena, "%.*s/%s", (int)(slash - pattern), pattern, name) : pattern;
}

void ws_read_parts(ws_path_finder *d, ws_scan_file *f, const char *pattern)
{
    pattern = pattern && f->is_side ? pattern_beside(d, pattern, f->path) : pattern;
    f->is_by_pattern = pattern && ws_path_parts_by(d->arena, pattern, f->path, &f->parts);
    if (!f->is_by_pattern)
        f->parts = ws_path_parts(d->arena, f->path);
    f->names = ws_arena_alloc(d->arena, f->parts.n * sizeof *f->names);
    for (size_t depth = 0; depth < f->parts.n; depth++) {
        f->names[depth] = ws_arena_alloc(d->arena, (f->parts.segments[depth].n + 1) * sizeof **f->names);
        for (size_t i = 0; i < f->parts.segments[depth].n && f->is_by_pattern; i++)
            f->names[depth][i] = f->parts.segments[depth].parts[i].field;
    }
}

void ws_build_shapes(ws_path_finder *d)
{
    for (size_t i = 0; i < d->n; i++) {
        ws_scan_file *f = &d->files[i];
        ws_path_shape *s = NULL;
        for (size_t depth = 0; depth < f->parts.n && !f->is_by_pattern; depth++) {
            s = find_shape(d, s, f, depth);
            s->files = ws_grow(s->files, &s->capacity, s->n + 1, sizeof *s->files);
            s->files[s->n++] = f;
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

ws_place ws_place_of(const ws_path_shape *s, size_t part)
{
    ws_place p = {s, part, ws_alloc(s->n * sizeof *p.values), 0};
    for (size_t i = 0; i < s->n; i++)
        p.values[i] = ws_part_of(s->files[i], s->depth, part)->value;
    qsort(p.values, s->n, sizeof *p.values, by_text);
    for (size_t i = 0; i < s->n; i++)
        if (!p.n || strcmp(p.values[p.n - 1], p.values[i]) != 0)
            p.values[p.n++] = p.values[i];
    return p;
}

void ws_place_set(const ws_place *p, const char *name)
{
    for (size_t i = 0; i < p->of->n; i++)
        p->of->files[i]->names[p->of->depth][p->part] = name;
}

bool ws_place_all(const ws_place *p, bool (*test)(ws_span text))
{
    bool all = true;
    for (size_t i = 0; i < p->n && all; i++)
        all = test(ws_span_of(p->values[i]));
    return all;
}

bool ws_place_has(const ws_place *p, const char *value)
{
    bool found = false;
    for (size_t i = 0; i < p->n; i++)
        found |= strcmp(p->values[i], value) == 0;
    return found;
}

static int by_key(const void *a, const void *b)
{
    const ws_place_file *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : strcmp(x->file->path, y->file->path);
}

static bool leaves_out(const ws_scan_file *f, size_t depth, size_t part, ws_passed passes)
{
    const char *name = f->names[depth][part];
    bool is_date = ws_part_of(f, depth, part)->kind == WS_PART_DATE, is_part = name && strcmp(name, "part") == 0;
    if (passes == WS_PASS_DATES)
        return is_date || is_part;
    const ws_part *own = ws_part_of(f, depth, part);
    if (!name && own->kind == WS_PART_FIELD) /* below, where no place has its name yet: rank2 */
        name = own->field;
    if ((name && ws_name_use(name) == WS_USE_FILE) || (passes == WS_PASS_ALL_BUT_SETTINGS && is_date))
        return true;
    return passes == WS_PASS_ALL_BUT_SETTINGS && name && ws_name_use(name) != WS_USE_SETTING;
}

ws_place_file *ws_group_place(ws_path_finder *d, const ws_place *p, ws_passed passes)
{
    ws_place_file *g = ws_alloc(p->of->n * sizeof *g);
    for (size_t i = 0; i < p->of->n; i++) {
        const ws_scan_file *f = p->of->files[i];
        const char *key = "";
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t part = 0; part < f->parts.segments[depth].n; part++)
                if ((depth != p->of->depth || part != p->part) && !leaves_out(f, depth, part, passes))
                    key = ws_arena_printf(d->arena, "%s%s%s|", key, ws_part_of(f, depth, part)->before,
                                          ws_part_of(f, depth, part)->value);
        g[i] = (ws_place_file){
            ws_arena_printf(d->arena, "%s%s%s", key, f->parts.segments[f->parts.n - 1].after, f->format),
            p->of->files[i]};
    }
    qsort(g, p->of->n, sizeof *g, by_key);
    return g;
}

size_t ws_group_end(const ws_place_file *g, size_t from, size_t n)
{
    size_t end = from + 1;
    while (end < n && strcmp(g[end].key, g[from].key) == 0)
        end++;
    return end;
}
