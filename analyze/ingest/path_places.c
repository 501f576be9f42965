#include "analyze/ingest/path_places.h"

#include "analyze/ingest/path_endings.h"

#include <ctype.h>
#include <stddef.h>
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

static void part_path(ws_path_finder *d, ws_scan_file *f, const bool *splits)
{
    if (!f->is_by_pattern)
        f->parts = ws_path_parts(d->arena, f->path, splits);
    f->names = ws_arena_alloc(d->arena, f->parts.n * sizeof *f->names);
    for (size_t depth = 0; depth < f->parts.n; depth++) {
        f->names[depth] = ws_arena_alloc(d->arena, (f->parts.segments[depth].n + 1) * sizeof **f->names);
        for (size_t i = 0; i < f->parts.segments[depth].n && f->is_by_pattern; i++)
            f->names[depth][i] = f->parts.segments[depth].parts[i].field;
    }
}

void ws_read_parts(ws_path_finder *d, ws_scan_file *f, const char *pattern)
{
    pattern = pattern && f->is_side ? pattern_beside(d, pattern, f->path) : pattern;
    f->is_by_pattern = pattern && ws_path_parts_by(d->arena, pattern, f->path, &f->parts);
    part_path(d, f, NULL);
}

bool ws_follow_each_other(const ws_scan_file *a, const ws_scan_file *b)
{
    return a->span.is_dated && b->span.is_dated &&
           (a->span.end_ns <= b->span.start_ns || b->span.end_ns <= a->span.start_ns);
}

/* --- dashes that part numbers from names --- */

/* The 2 of "model_a-2", the 1 of "1-bert_4gpu". */
typedef struct dashed_number {
    const char *key; /* the path without it */
    ws_scan_file *file;
    size_t dash, depth;
    int number;
    bool counts;
} dashed_number;

typedef struct dashed_numbers {
    dashed_number *items;
    size_t n, capacity;
} dashed_numbers;

enum { DASHED_DIGITS = 3 };

static void add_dashed_number(ws_path_finder *d, dashed_numbers *found, ws_scan_file *f, size_t dash, size_t depth,
                              size_t from, size_t digits)
{
    found->items = ws_grow(found->items, &found->capacity, found->n + 1, sizeof *found->items);
    found->items[found->n++] =
        (dashed_number){.key = ws_arena_printf(d->arena, "%.*s#%s", (int)from, f->path, f->path + from + digits),
                        .file = f,
                        .dash = dash,
                        .depth = depth,
                        .number = atoi(f->path + from)};
}

/* In names that other signs part; elsewhere every dash does. */
static void find_dashed_numbers(ws_path_finder *d, dashed_numbers *found, ws_scan_file *f)
{
    static const char digits[] = "0123456789";
    size_t depth = 0, begin = 0;
    for (size_t at = 0; f->path[at]; at++) {
        const char *p = f->path + at;
        if (*p == '/')
            depth++, begin = at + 1;
        size_t other = begin + strcspn(f->path + begin, "_ ,/"), behind = strspn(p + 1, digits), front = 0;
        if (*p != '-' || at == begin || !f->path[other] || f->path[other] == '/')
            continue;
        while (front < at - begin && strchr(digits, p[-1 - (ptrdiff_t)front]))
            front++;
        bool is_first = front && (front == at - begin || strchr("_ ,", p[-1 - (ptrdiff_t)front]));
        bool is_decimal = p[1 + behind] == '.' && isdigit((unsigned char)p[2 + behind]);
        if (behind && behind <= DASHED_DIGITS && !isalnum((unsigned char)p[1 + behind]) && !is_decimal)
            add_dashed_number(d, found, f, at, depth, at + 1, behind);
        else if (is_first && front <= DASHED_DIGITS && isalpha((unsigned char)p[1]))
            add_dashed_number(d, found, f, at, depth, at - front, front);
    }
}

static int by_dashed_key(const void *a, const void *b)
{
    const dashed_number *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    order = order ? order : (x->number > y->number) - (x->number < y->number);
    return order ? order : strcmp(x->file->path, y->file->path);
}

/* Repeats take about as long as each other; with twice the layers a run takes twice the time. */
static bool are_as_long(const dashed_number *g, size_t n)
{
    int64_t shortest = INT64_MAX, longest = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t length = g[i].file->span.end_ns - g[i].file->span.start_ns;
        shortest = g[i].file->span.is_dated && length < shortest ? length : shortest;
        longest = g[i].file->span.is_dated && length > longest ? length : longest;
    }
    return !longest || longest < shortest + shortest / 2;
}

/* 0, 1, 2 or 1, 2, 3, of files of different times: those of one time may be the nodes of a run. */
static bool are_counting(ws_path_finder *d, const dashed_number *g, size_t n)
{
    size_t distinct = 1;
    for (size_t i = 1; i < n; i++)
        distinct += g[i].number != g[i - 1].number;
    if (distinct < 2 || (size_t)g[n - 1].number + (g[0].number == 0) != distinct)
        return false;
    ws_scan_file **files = ws_alloc(n * sizeof *files);
    for (size_t i = 0; i < n; i++)
        files[i] = g[i].file;
    d->read(d->state, files, n);
    free(files);
    bool apart = are_as_long(g, n);
    for (size_t i = 1; i < n && apart; i++)
        apart = g[i].number == g[i - 1].number || !g[i].file->span.is_dated ||
                ws_follow_each_other(g[i].file, g[i - 1].file);
    return apart;
}

/* Where half of the names of a depth count, a name whose repeats are not all there does, too. */
static void count_with_others(dashed_numbers *found, size_t depth)
{
    size_t files = 0, counting = 0;
    int highest = 0;
    for (size_t i = 0; i < found->n; i++) {
        const dashed_number *x = &found->items[i];
        files += x->depth == depth;
        counting += x->depth == depth && x->counts;
        highest = x->depth == depth && x->counts && x->number > highest ? x->number : highest;
    }
    for (size_t i = 0; i < found->n && counting * 2 >= files; i++) {
        dashed_number *x = &found->items[i];
        bool is_last = !strchr(x->file->path + x->dash + 1, '-');
        if (x->depth == depth && is_last && x->number <= highest)
            x->counts = true;
    }
}

static int by_dashed_file(const void *a, const void *b)
{
    const dashed_number *x = a, *y = b;
    return strcmp(x->file->path, y->file->path);
}

static void split_at_dashes(ws_path_finder *d, dashed_numbers *found)
{
    qsort(found->items, found->n, sizeof *found->items, by_dashed_file);
    for (size_t from = 0, end; from < found->n; from = end) {
        ws_scan_file *f = found->items[from].file;
        bool *splits = ws_alloc(strlen(f->path) + 1), any = false;
        for (end = from; end < found->n && found->items[end].file == f; end++) {
            splits[found->items[end].dash] |= found->items[end].counts;
            any |= found->items[end].counts;
        }
        if (any)
            part_path(d, f, splits);
        free(splits);
    }
}

void ws_split_counted_names(ws_path_finder *d)
{
    dashed_numbers found = {0};
    size_t deepest = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!d->files[i].is_by_pattern && !d->files[i].is_side)
            find_dashed_numbers(d, &found, &d->files[i]);
    if (!found.n)
        return;
    qsort(found.items, found.n, sizeof *found.items, by_dashed_key);
    for (size_t from = 0, end; from < found.n; from = end) {
        for (end = from + 1; end < found.n && strcmp(found.items[end].key, found.items[from].key) == 0;)
            end++;
        bool counts = are_counting(d, found.items + from, end - from);
        for (size_t i = from; i < end; i++)
            found.items[i].counts = counts;
        deepest = found.items[from].depth > deepest ? found.items[from].depth : deepest;
    }
    for (size_t depth = 0; depth <= deepest; depth++)
        count_with_others(&found, depth);
    split_at_dashes(d, &found);
    free(found.items);
}

/* --- shapes --- */

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

ws_path_place ws_place_of(const ws_path_shape *s, size_t part)
{
    ws_path_place p = {s, part, ws_alloc(s->n * sizeof *p.values), 0};
    for (size_t i = 0; i < s->n; i++)
        p.values[i] = ws_part_of(s->files[i], s->depth, part)->value;
    qsort(p.values, s->n, sizeof *p.values, by_text);
    for (size_t i = 0; i < s->n; i++)
        if (!p.n || strcmp(p.values[p.n - 1], p.values[i]) != 0)
            p.values[p.n++] = p.values[i];
    return p;
}

void ws_place_set(const ws_path_place *p, const char *name)
{
    for (size_t i = 0; i < p->of->n; i++)
        p->of->files[i]->names[p->of->depth][p->part] = name;
}

bool ws_place_all(const ws_path_place *p, bool (*test)(ws_span text))
{
    bool all = true;
    for (size_t i = 0; i < p->n && all; i++)
        all = test(ws_span_of(p->values[i]));
    return all;
}

bool ws_place_has(const ws_path_place *p, const char *value)
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

ws_place_file *ws_group_place(ws_path_finder *d, const ws_path_place *p, ws_passed passes)
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
