#include "analyze/ingest/scan_file.h"

#include <string.h>

static const char *write_pattern(ws_arena *arena, const ws_scan_file *file, bool is_one_run)
{
    const char *pattern = "";
    for (size_t depth = 0; depth < file->parts.n; depth++) {
        const ws_path_segment *s = &file->parts.segments[depth];
        pattern = ws_arena_printf(arena, "%s%s", pattern, depth ? "/" : "");
        for (size_t i = 0; i < s->n; i++) {
            const char *name = file->names[depth][i];
            if (is_one_run && depth == file->open_depth && i == file->open_part)
                name = file->one_run;
            pattern = ws_arena_printf(arena, name ? "%s%s{%s}" : "%s%s%s", pattern, s->parts[i].before,
                                      name ? name : s->parts[i].value);
        }
        pattern = ws_arena_printf(arena, "%s%s", pattern, s->after);
    }
    return pattern;
}

const char *ws_path_pattern(ws_arena *arena, const ws_scan_file *file)
{
    return write_pattern(arena, file, false);
}

const char *ws_path_pattern_of_one_run(ws_arena *arena, const ws_scan_file *file)
{
    return write_pattern(arena, file, file->one_run != NULL);
}

const char *ws_path_value(const ws_scan_file *file, const char *field)
{
    for (size_t depth = 0; depth < file->parts.n; depth++)
        for (size_t i = 0; i < file->parts.segments[depth].n; i++)
            if (file->names[depth][i] && strcmp(file->names[depth][i], field) == 0)
                return file->parts.segments[depth].parts[i].value;
    return NULL;
}
