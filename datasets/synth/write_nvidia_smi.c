/* nvidia-smi --query-gpu=timestamp,index,uuid,power.draw,utilization.gpu,memory.used --format=csv
 *
 *     timestamp, index, uuid, power.draw [W], utilization.gpu [%], memory.used [MiB]
 *     2025/05/14 09:21:59.483, 0, GPU-5f1c0000-0000-4000-8000-000000000100, 251.34 W, 97 %, 31250 MiB
 *
 * One file a node; the GPUs of a sample follow each other, a few milliseconds apart. */
#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

#include <inttypes.h>

static void print_row(ws_synth_text *text, const ws_synth_job *job, const ws_synth_device *gpu, size_t i)
{
    int64_t now_ns = job->run->job_start_ns + job->run->setup_ns + gpu->t_ns[i];
    uint64_t mw = gpu->reading[i];
    double full_mw = 1000 * job->run->series->gpu_w * job->run->power_factor;
    int util = (int)(97 * (double)mw / full_mw);
    ws_synth_print_time(text, now_ns, '/', ' ');
    ws_synth_print(text, ".%03d, %d, %s, %" PRIu64 ".%02" PRIu64 " W, %d %%, %d MiB\n", (int)(now_ns / 1000000 % 1000),
                   gpu->index, ws_synth_gpu_uuid(job->arena, gpu->node, gpu->index), mw / 1000, mw % 1000 / 10,
                   util > 100 ? 100 : util, 2600 + 112 * job->run->lbs);
}

/* A node that fails loses what was not flushed: the file ends inside a row, two fifths into the run. */
static void cut_inside_row(ws_synth_text *text)
{
    size_t at = text->n * 2 / 5;
    while (at < text->n && text->p[at] != '\n')
        at++;
    if (at + 30 < text->n)
        text->n = at + 30;
}

static ws_status write_node(const ws_synth_job *job, int node, ws_error *error)
{
    bool gzip = job->run->series->layout == WS_SYNTH_CSV_GZ;
    ws_synth_text text = {0};
    ws_synth_print(&text, "timestamp, index, uuid, power.draw [W], utilization.gpu [%%], memory.used [MiB]\n");
    const ws_synth_device *first = ws_synth_trace_find(job->trace, node, WS_GPU, 0);
    for (size_t i = 0; i < first->n; i++) {
        const ws_synth_device *gpu;
        for (int index = 0; (gpu = ws_synth_trace_find(job->trace, node, WS_GPU, index)); index++)
            print_row(&text, job, gpu, i);
    }
    if (job->run->failed)
        cut_inside_row(&text);
    const char *name = ws_arena_printf(job->arena, "%s/gpu_%s.csv%s", job->path, ws_synth_node_name(job->arena, node),
                                       gzip ? ".gz" : "");
    ws_status status = ws_synth_save(job->dir, name, &text, gzip, error);
    ws_synth_text_free(&text);
    return status;
}

ws_status ws_synth_write_nvidia_smi(const ws_synth_job *job, ws_error *error)
{
    ws_status status = WS_OK;
    for (int node = 0; node < job->run->nodes && status == WS_OK; node++)
        status = write_node(job, node, error);
    return status;
}
