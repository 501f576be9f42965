#include "datasets/synth/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t S = 1000000000;

/* What other seeds put in the place of the values of the table. */
static const struct {
    const char *axis;
    const char *values[12];
} pools[] = {
    {"model",
     {"resnet50", "vit-b16", "bert_large", "unet3d", "gpt2", "llama7b", "ConvNeXt", "swin-t", "dlrm", "ssd300"}},
    {"gpus", {"1", "2", "4", "8", "16"}},
    {"gbs", {"32", "64", "128", "256", "512", "1024", "2048"}},
    {"lbs", {"16", "32", "64", "128", "256"}},
    {"clock", {"705", "825", "945", "1065", "1185", "1305", "1410"}},
    {"cap", {"100", "150", "200", "250", "300", "350"}},
};

static size_t count(const char *const *values, size_t most)
{
    size_t n = 0;
    while (n < most && values[n])
        n++;
    return n;
}

/* As many values of the pool as the table has, or one more, in the order of the pool. */
static void draw_axis(ws_layout_axis *axis, ws_synth_rng *rng)
{
    size_t p = 0, n = count(axis->values, WS_LAYOUT_VALUES);
    while (p < sizeof pools / sizeof *pools && strcmp(pools[p].axis, axis->name) != 0)
        p++;
    if (p == sizeof pools / sizeof *pools || n < 2)
        return;
    size_t all = count(pools[p].values, 12);
    n = n + (n + 1 < WS_LAYOUT_VALUES && n < all) * (ws_synth_rng_next(rng) % 2);
    for (size_t i = 0, left = n; i < all && left; i++)
        if (ws_synth_rng_next(rng) % (all - i) < left)
            axis->values[n - left--] = pools[p].values[i];
}

static bool is_repeat(const char *axis)
{
    return strcmp(axis, "repeat") == 0 || strcmp(axis, "seed") == 0;
}

/* Power falls and the run gets shorter with more GPUs; both differ from run to run. */
static void draw_run(ws_layout_job *job, ws_layout_run *run, size_t number, int64_t *clock_ns)
{
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, job->seed, 77000 + number);
    const char *gpus = ws_layout_value(job, run, "gpus");
    const char *nodes = ws_layout_value(job, run, "nodes");
    run->number = number;
    run->gpus = gpus ? atoi(gpus) : job->layout->gpus;
    run->nodes = nodes ? atoi(nodes)
                 : job->layout->gpus_per_node
                     ? (run->gpus + job->layout->gpus_per_node - 1) / job->layout->gpus_per_node
                     : 1;
    if (nodes && !gpus)
        run->gpus = run->nodes * job->layout->gpus;
    run->gpus_per_node = run->nodes ? (run->gpus + run->nodes - 1) / run->nodes : 0;
    run->seconds = 40 + (int)(ws_synth_rng_next(&rng) % 50);
    if (job->layout->flags & WS_LAYOUT_DAYS) /* the second half begins with a day */
        *clock_ns += 86400 * S - *clock_ns % (86400 * S) - (run->seconds / 2 + 1) * S;
    run->start_ns = *clock_ns;
    if (job->layout->flags & WS_LAYOUT_PARALLEL)
        run->seconds = 60;
    else
        *clock_ns += (run->seconds + (job->layout->flags & WS_LAYOUT_DAYS ? 86400 : 300) +
                      (int64_t)(ws_synth_rng_next(&rng) % 4000)) *
                     S;
    for (int g = 0; g < WS_LAYOUT_GPUS; g++)
        run->gpu_w[g] = 160 + (double)(ws_synth_rng_next(&rng) % 15000) / 100 - 3 * run->gpus;
    run->job = ws_arena_printf(&job->arena, "%" PRIu64, 3512000 + 17 * number + job->seed % 10);
    char uid[9] = "";
    for (int i = 0; i < 8; i++)
        uid[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[(ws_synth_rng_next(&rng) >> 8) % 36];
    uid[0] = "bcdfghjk"[ws_synth_rng_next(&rng) % 8];
    run->uid = ws_arena_strdup(&job->arena, uid);
}

/* Every combination of the values, the last axis the fastest. */
static void plan_runs(ws_layout_job *job)
{
    size_t n_axes = 0, sizes[WS_LAYOUT_AXES];
    job->n_runs = 1;
    for (; n_axes < WS_LAYOUT_AXES && job->axes[n_axes].name; n_axes++)
        job->n_runs *= sizes[n_axes] = count(job->axes[n_axes].values, WS_LAYOUT_VALUES);
    job->runs = ws_arena_alloc(&job->arena, job->n_runs * sizeof *job->runs);
    int64_t clock_ns = (INT64_C(1763728200) + (int64_t)(job->seed - 1) * 864000) * S; /* 2025-11-21 12:30 */
    for (size_t i = 0; i < job->n_runs; i++) {
        for (size_t a = n_axes, rest = i; a-- > 0; rest /= sizes[a])
            job->runs[i].values[a] = job->axes[a].values[rest % sizes[a]];
        draw_run(job, &job->runs[i], i, &clock_ns);
    }
}

static const char *configuration(ws_layout_job *job, const ws_layout_run *run)
{
    const char *text = "";
    for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
        if (!is_repeat(job->axes[a].name))
            text = ws_arena_printf(&job->arena, "%s%s%s", text, *text ? "|" : "", run->values[a]);
    return text;
}

/* A row a run: its configuration, the values of its axes, and what its files hold. */
static ws_status write_truth(ws_layout_job *job, ws_error *error)
{
    ws_synth_text text = {0};
    bool has_gpus = job->runs[0].gpus > 0;
    ws_synth_print(&text, "configuration,unsaid");
    for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
        if (strcmp(job->axes[a].name, "gpus") != 0)
            ws_synth_print(&text, ",%s", job->axes[a].name);
    ws_synth_print(&text, "%s,wall_s%s,energy_kwh\n", has_gpus ? ",gpus" : "", has_gpus ? ",gpu_h" : "");
    for (size_t i = 0; i < job->n_runs; i++) {
        const ws_layout_run *run = &job->runs[i];
        ws_synth_print(&text, "%s,%d", configuration(job, run), (job->layout->flags & WS_LAYOUT_UNSAID) != 0);
        for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
            if (strcmp(job->axes[a].name, "gpus") != 0)
                ws_synth_print(&text, ",%s", run->values[a]);
        if (has_gpus)
            ws_synth_print(&text, ",%d", run->gpus);
        ws_synth_print(&text, ",%d", run->seconds);
        if (has_gpus)
            ws_synth_print(&text, ",%.12g", run->gpus * run->seconds / 3600.0);
        ws_synth_print(&text, ",%.12g\n", run->energy_j / 3.6e6);
    }
    ws_status status = ws_synth_save(job->dir, "truth.csv", &text, false, error);
    ws_synth_text_free(&text);
    return status;
}

static ws_status write_all(ws_layout_job *job, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < job->n_runs && status == WS_OK; i++) {
        status = ws_layout_write_run(job, &job->runs[i], error);
        if (status == WS_OK && job->layout->beside)
            status = job->layout->beside(job, &job->runs[i], error);
    }
    if (status == WS_OK && job->layout->above)
        status = job->layout->above(job, error);
    return status == WS_OK ? write_truth(job, error) : status;
}

ws_status ws_layout_write(const char *name, const char *dir, uint64_t seed, ws_error *error)
{
    size_t i = 0;
    while (i < ws_layout_count && strcmp(ws_layouts[i].name, name) != 0)
        i++;
    if (i == ws_layout_count)
        return ws_fail(error, WS_USAGE, "there is no layout '%s', see wattscale-synth layout --list", name);
    ws_layout_axis axes[WS_LAYOUT_AXES];
    memcpy(axes, ws_layouts[i].axes, sizeof axes);
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, seed, 76000);
    for (size_t a = 0; a < WS_LAYOUT_AXES && axes[a].name && seed != 1; a++)
        draw_axis(&axes[a], &rng);
    ws_layout_job job = {.dir = dir, .layout = &ws_layouts[i], .axes = axes, .seed = seed};
    plan_runs(&job);
    ws_status status = write_all(&job, error);
    ws_arena_free(&job.arena);
    return status;
}

ws_status ws_layout_write_all(const char *dir, uint64_t seed, ws_error *error)
{
    ws_status status = WS_OK;
    ws_arena arena = {0};
    for (size_t i = 0; i < ws_layout_count && status == WS_OK; i++) {
        const char *name = ws_layouts[i].name;
        status = ws_layout_write(name, ws_arena_printf(&arena, "%s/%s", dir, name), seed, error);
    }
    ws_arena_free(&arena);
    return status;
}

void ws_layout_list(FILE *out)
{
    for (size_t i = 0; i < ws_layout_count; i++)
        fprintf(out, "%-20s %-70s %s\n", ws_layouts[i].name, ws_layouts[i].path, ws_layouts[i].seen);
}
