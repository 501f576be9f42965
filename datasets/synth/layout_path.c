/* The path of a layout with the values of a run in its {places}. */
#include "datasets/synth/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t S = 1000000000;

const char *ws_layout_value(const ws_layout_job *job, const ws_layout_run *run, const char *axis)
{
    for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
        if (strcmp(job->axes[a].name, axis) == 0)
            return run->values[a];
    return NULL;
}

static const char *place(ws_layout_job *job, const char *name, const ws_layout_file *file)
{
    enum { WORDS = 4 };
    static const char *const words[WORDS] = {"left", "right", "upper", "lower"};
    const ws_layout_run *run = file->run;
    const char *of_axis = ws_layout_value(job, run, name);
    ws_synth_text stamp = {0};
    ws_synth_print_time(&stamp, run->start_ns + (file->part > 1 ? (run->seconds / 2 + 1) * S : 0), '-', '_');
    const char *t = ws_arena_strndup(&job->arena, stamp.p, stamp.n); /* 2025-11-21_12:30:00 */
    ws_synth_text_free(&stamp);
    const struct {
        const char *name, *value;
    } places[] = {
        {"job", run->job},
        {"array", job->runs[0].job},
        {"uid", run->uid},
        {"n", ws_arena_printf(&job->arena, "%" PRIu64, run->number)},
        {"n1", ws_arena_printf(&job->arena, "%" PRIu64, run->number + 1)},
        {"date", ws_arena_printf(&job->arena, "%.4s%.2s%.2s", t, t + 5, t + 8)},
        {"time", ws_arena_printf(&job->arena, "%.2s%.2s%.2s", t + 11, t + 14, t + 17)},
        {"day", ws_arena_printf(&job->arena, "%.10s", t)},
        {"day_first", ws_arena_printf(&job->arena, "%.2s.%.2s.%.4s", t + 8, t + 5, t)},
        {"clock_time", ws_arena_printf(&job->arena, "%.2s-%.2s-%.2s", t + 11, t + 14, t + 17)},
        {"node", ws_arena_printf(&job->arena, "hkn%02d%02d", 3 + (int)(run->number % 5), 7 + file->node)},
        {"node_word", words[file->node % WORDS]},
        {"node_role", file->node ? ws_arena_printf(&job->arena, "worker-%d", file->node - 1) : "master-0"},
        {"node1", ws_arena_printf(&job->arena, "%d", file->node + 1)},
        {"rank", ws_arena_printf(&job->arena, "%d", file->rank)},
        {"gpu_id", ws_arena_printf(&job->arena, "GPU-%08x-0c1d-4e2f",
                                   (unsigned)(run->number * WS_LAYOUT_GPUS + (uint64_t)file->rank + 1) * 2654435761u)},
        {"rotation", file->part > 1 ? "" : ".1"},
        {"part", ws_arena_printf(&job->arena, "%d", file->part)},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places && !of_axis; i++)
        if (strcmp(places[i].name, name) == 0)
            return places[i].value;
    return of_axis ? of_axis : "?";
}

const char *ws_layout_fill(ws_layout_job *job, const char *path, const ws_layout_file *file)
{
    ws_synth_text text = {0};
    while (*path) {
        size_t n = strcspn(path, "{");
        ws_synth_put(&text, path, n);
        path += n;
        if (*path != '{')
            break;
        n = strcspn(path, "}");
        ws_synth_print(&text, "%s", place(job, ws_arena_strndup(&job->arena, path + 1, n - 1), file));
        path += n + 1;
    }
    const char *filled = ws_arena_strndup(&job->arena, text.p, text.n);
    ws_synth_text_free(&text);
    return filled;
}
