#include "analyze/ingest/path_parts.h"

#include "analyze/ingest/path_endings.h"
#include "formats/campaign.h"

#include <string.h>

/* A folder of fields one behind the other, without a separator: 4g256b4w10e. */
static bool is_chain(const ws_path_segment *s)
{
    bool chain = s->n > 1 && !*s->parts[0].before;
    for (size_t i = 0; i < s->n && chain; i++)
        chain = s->parts[i].kind == WS_PART_FIELD && !s->parts[i].is_named && strlen(s->parts[i].before) <= 2 &&
                !strpbrk(s->parts[i].before, "_-, ");
    return chain;
}

/* "gpu" and "cpu" say what was measured. */
static bool is_kind(ws_span name)
{
    return strcspn(name.p, "0123456789") >= name.n && ws_name_is_part(name);
}

/* "node1" says where. */
static bool is_node(const ws_path_segment *s)
{
    return s->n == 1 && s->parts[0].of_file && !s->parts[0].is_weak && strcmp(s->parts[0].of_file, "node") == 0;
}

static bool is_above_chain(const ws_parted_path *parted)
{
    bool has_chain = false;
    for (size_t i = 1; i + 1 < parted->n; i++)
        has_chain |= is_chain(&parted->segments[i]);
    return has_chain && !is_chain(&parted->segments[0]);
}

static ws_span first_folder(const char *path)
{
    return (ws_span){path, strcspn(path, "/")};
}

bool ws_path_is_of_kind(const ws_parted_path *parted, const char *path)
{
    return parted->n > 1 && is_above_chain(parted) && is_kind(first_folder(path));
}

void ws_path_name_series(ws_arena *arena, ws_parted_path *parted, const char *path)
{
    ws_path_segment *s = &parted->segments[0];
    ws_span name = first_folder(path);
    s->parts = ws_arena_alloc(arena, sizeof *s->parts);
    *s->parts = (ws_part){
        .kind = WS_PART_FIELD, .before = "", .value = ws_arena_strndup(arena, name.p, name.n), .field = "series"};
    s->n = 1;
    s->after = "";
}

ws_parted_path ws_path_parts(ws_arena *arena, const char *path, const bool *splits)
{
    size_t n = 1;
    const char *whole = path;
    for (const char *c = path; *c; c++)
        n += *c == '/';
    ws_parted_path parted = {.segments = ws_arena_alloc(arena, n * sizeof(ws_path_segment)), .n = n};
    for (size_t i = 0; i < n; i++) {
        bool is_last = i + 1 == n;
        size_t length = strcspn(path, "/"), rotation = is_last ? ws_path_before_rotation(path) : 0;
        size_t stem = is_last ? ws_path_stem(path, rotation ? rotation : length) : length;
        parted.segments[i] =
            ws_read_segment(arena, path, length, stem, rotation, splits ? splits + (path - whole) : NULL);
        path += length + 1;
    }
    if (n > 1 && is_above_chain(&parted) && !is_node(&parted.segments[0]) && !is_kind(first_folder(whole)))
        ws_path_name_series(arena, &parted, whole);
    return parted;
}

static ws_path_segment segment_by(ws_arena *arena, const char *pattern, size_t n, const ws_fields *fields)
{
    ws_path_segment s = {.parts = ws_arena_alloc(arena, (n + 1) * sizeof *s.parts)};
    size_t done = 0;
    for (size_t at = 0; at < n; at++) {
        if (pattern[at] != '{')
            continue;
        size_t close = at + strcspn(pattern + at, "}");
        const char *name = ws_arena_strndup(arena, pattern + at + 1, close - at - 1),
                   *value = ws_fields_get(fields, name);
        s.parts[s.n++] = (ws_part){.kind = WS_PART_FIELD,
                                   .before = ws_arena_strndup(arena, pattern + done, at - done),
                                   .value = value ? value : "",
                                   .field = name};
        done = close + 1;
        at = close;
    }
    s.after = ws_arena_strndup(arena, pattern + done, n - done);
    return s;
}

bool ws_path_parts_by(ws_arena *arena, const char *pattern, const char *path, ws_parted_path *parted)
{
    ws_fields fields = {0};
    bool matches = ws_path_match(pattern, path, &fields, arena);
    size_t n = 1;
    for (const char *c = pattern; *c; c++)
        n += *c == '/';
    *parted = (ws_parted_path){.segments = ws_arena_alloc(arena, n * sizeof(ws_path_segment)), .n = n};
    for (size_t i = 0; i < n && matches; i++) {
        size_t length = strcspn(pattern, "/");
        parted->segments[i] = segment_by(arena, pattern, length, &fields);
        pattern += length + 1;
    }
    ws_fields_free(&fields);
    return matches;
}
