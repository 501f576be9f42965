/* nvidia-smi --query-gpu=... --format=csv --loop-ms=100 on every node of a run, for a part of its time:
 *
 *     timestamp, index, uuid, power.draw [W], power.limit [W], ..., memory.used [MiB], clocks.sm [MHz]
 *     2021/09/06 10:00:00.000, 0, GPU-5f1c0000-0000-..., 203.11 W, 250.00 W, ..., 21404 MiB, 1380 MHz
 */
#include "core/exactsum.h"
#include "datasets/synth/rng.h"
#include "datasets/synth/window.h"

#include <inttypes.h>
#include <math.h>

enum { GPUS_PER_NODE = 2, STREAM_WINDOW = 7, LATE_MS = 4 };

static const int64_t ms_ns = 1000000, period_ns = 100000000;

/* One GPU while its rows are written. Sums hold twice the value times nanoseconds, so that they stay whole. */
typedef struct gpu {
    const char *uuid;
    int64_t before_ns, centi_w, util, mem_util; /* the latest reading */
    int64_t energy, sum[2], squares[2];         /* of SM and memory utilisation in % */
} gpu;

static int64_t whole_percent(double value)
{
    return value < 0 ? 0 : value > 100 ? 100 : llround(value);
}

static void take_reading(gpu *g, const ws_synth_window *window, ws_synth_rng *rng)
{
    double util = window->util + window->util_sd * ws_synth_rng_normal(rng);
    g->util = whole_percent(util);
    g->mem_util = whole_percent(window->mem_util * (1 + 0.08 * ws_synth_rng_normal(rng)));
    /* A GPU that waits draws less. A cap holds the level so far below it that readings seldom reach it: a power that
     * stood at the cap would look like a sensor that stands still. */
    double share = 0.5 + 0.5 * (double)g->util / window->util;
    double level_w = fmin(window->power_w * share, WS_SYNTH_UNDER_CAP * window->power_cap_w);
    double power_w = level_w * (1 + 0.01 * ws_synth_rng_normal(rng));
    g->centi_w = llround(100 * fmin(power_w, window->power_cap_w));
}

static void add_step(gpu *g, const gpu *before, int64_t now_ns)
{
    int64_t dt_ms = (now_ns - before->before_ns) / ms_ns;
    g->energy += (g->centi_w + before->centi_w) * dt_ms;
    g->sum[0] += (g->util + before->util) * dt_ms;
    g->sum[1] += (g->mem_util + before->mem_util) * dt_ms;
    g->squares[0] += (g->util * g->util + before->util * before->util) * dt_ms;
    g->squares[1] += (g->mem_util * g->mem_util + before->mem_util * before->mem_util) * dt_ms;
}

static void print_row(ws_synth_text *text, const ws_synth_job *job, const ws_synth_window *window, const gpu *g,
                      int index, int64_t t_ns)
{
    int64_t now_ns = job->run->job_start_ns + job->run->setup_ns + window->start_ns + t_ns;
    ws_synth_print_time(text, now_ns, '/', ' ');
    ws_synth_print(text, ".%03d, %d, %s, %" PRId64 ".%02d W, %d.00 W, %" PRId64 " %%, %" PRId64 " %%, %d MiB, %d MHz\n",
                   (int)(now_ns / ms_ns % 1000), index, g->uuid, g->centi_w / 100, (int)(g->centi_w % 100),
                   window->power_cap_w, g->util, g->mem_util, window->memory_mib, window->clock_mhz);
}

/* GPU 1 is asked a millisecond after GPU 0, always; first and last sample lie on the ends of the window. */
static void print_samples(ws_synth_text *text, const ws_synth_job *job, const ws_synth_window *window, gpu *gpus,
                          ws_synth_rng *rng)
{
    int64_t last = window->length_ns / period_ns;
    for (int64_t i = 0; i <= last; i++) {
        int64_t late_ms = i > 0 && i < last ? (int64_t)ws_synth_rng_uniform(rng, 0, LATE_MS) : 0;
        for (int index = 0; index < GPUS_PER_NODE; index++) {
            gpu before = gpus[index];
            int64_t t_ns = i * period_ns + (late_ms + index) * ms_ns;
            take_reading(&gpus[index], window, rng);
            if (i > 0)
                add_step(&gpus[index], &before, t_ns);
            gpus[index].before_ns = t_ns;
            print_row(text, job, window, &gpus[index], index, t_ns);
        }
    }
}

static void mean_and_cv(const gpu *g, int which, int64_t length_ms, double *mean, double *cv)
{
    long double twice = 2 * (long double)length_ms, m = (long double)g->sum[which] / twice;
    long double variance = (long double)g->squares[which] / twice - m * m;
    *mean = (double)m / 100;
    *cv = m > 0 && variance > 0 ? (double)(sqrtl(variance) / m) : 0;
}

static void add_truth(ws_synth_window_truth *truth, const gpu *g, const ws_synth_window *window, int n_gpus)
{
    double mean, cv;
    truth->energy_j += (double)g->energy / 2e5; /* twice 1/100 W times ms */
    mean_and_cv(g, 0, window->length_ns / ms_ns, &mean, &cv);
    truth->util_mean += mean / n_gpus;
    truth->util_cv += cv / n_gpus;
    mean_and_cv(g, 1, window->length_ns / ms_ns, &mean, &cv);
    truth->mem_util_mean += mean / n_gpus;
    truth->mem_util_cv += cv / n_gpus;
}

ws_status ws_synth_write_window(const ws_synth_job *job, const ws_synth_window *window, ws_synth_window_truth *truth,
                                ws_error *error)
{
    ws_status status = WS_OK;
    *truth = (ws_synth_window_truth){0};
    for (int node = 0; node < job->run->nodes && status == WS_OK; node++) {
        gpu gpus[GPUS_PER_NODE] = {{.uuid = ws_synth_gpu_uuid(job->arena, node, 0)},
                                   {.uuid = ws_synth_gpu_uuid(job->arena, node, 1)}};
        ws_synth_rng rng;
        ws_synth_rng_init(&rng, job->campaign->seed ^ ((uint64_t)job->run->job << 20), STREAM_WINDOW + (uint64_t)node);
        ws_synth_text text = {0};
        ws_synth_print(&text, "timestamp, index, uuid, power.draw [W], power.limit [W], utilization.gpu [%%], "
                              "utilization.memory [%%], memory.used [MiB], clocks.sm [MHz]\n");
        print_samples(&text, job, window, gpus, &rng);
        const char *name =
            ws_arena_printf(job->arena, "%s/gpu_%s.csv", job->path, ws_synth_node_name(job->arena, node));
        status = ws_synth_save(job->dir, name, &text, false, error);
        ws_synth_text_free(&text);
        for (int index = 0; index < GPUS_PER_NODE; index++)
            add_truth(truth, &gpus[index], window, job->run->gpus);
    }
    return status;
}
