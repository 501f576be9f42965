/* The end of a job log, as the epilogue of a Slurm cluster appends it:
 *
 *     Job Wall-clock time: 00:12:34
 *     Starttime: Wed May 14 09:21:59 2025
 *     Energy Consumed: 444420 Joule / 123.45 Watthours
 */
#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

#include <inttypes.h>
#include <math.h>

/* Watts of a node beside its GPUs, sockets and memory: fans, network, disks, losses of the supply. */
static const double rest_of_node_w = 110;

/* Leaving the program and the prologue of the scheduler. */
enum { TEARDOWN_S = 6 };

int64_t ws_synth_job_elapsed_s(const ws_synth_run *run)
{
    return (run->setup_ns + run->wall_ns) / 1000000000 + TEARDOWN_S;
}

double ws_synth_job_energy_j(const ws_synth_run *run, const ws_synth_trace *trace)
{
    double devices_j = ws_synth_trace_energy_j(trace, WS_GPU) + ws_synth_trace_energy_j(trace, WS_CPU) +
                       ws_synth_trace_energy_j(trace, WS_DRAM);
    return round(devices_j + rest_of_node_w * run->nodes * (double)ws_synth_job_elapsed_s(run));
}

/* "Wed May 14 09:21:59 2025" */
static void print_ctime(ws_synth_text *text, int64_t ns)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"}; /* 1970-01-01 was a Thursday */
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char stamp[WS_STAMP_TEXT]; /* 2025-05-14T09:21:59Z */
    ws_stamp_text(stamp, ns);
    int month = (stamp[5] - '0') * 10 + stamp[6] - '0';
    ws_synth_print(text, "%s %s %.2s %.8s %.4s", days[ns / 86400000000000 % 7], months[month - 1], stamp + 8,
                   stamp + 11, stamp);
}

ws_status ws_synth_write_job_log(const ws_synth_job *job, ws_error *error)
{
    const ws_synth_run *run = job->run;
    int64_t elapsed_s = ws_synth_job_elapsed_s(run);
    uint64_t joules = (uint64_t)ws_synth_job_energy_j(run, job->trace);
    uint64_t centi_wh = (joules + 18) / 36;
    ws_synth_text text = {0};
    ws_synth_print(&text, "epoch %d of %d done", run->epochs, run->epochs);
    if (run->top1_percent > 0) {
        ws_synth_print(&text, ", top-1 accuracy ");
        ws_synth_print_double(&text, run->top1_percent);
        ws_synth_print(&text, " %%");
    }
    ws_synth_print(&text, "\n\n============================= JOB FEEDBACK =============================\n\n");
    ws_synth_print(&text, "Job ID: %" PRId64 "\nState: COMPLETED (exit code 0)\nNodes: %d\nCores per node: %d\n",
                   run->job, run->nodes, run->series->hardware->threads);
    ws_synth_print(&text, "Job Wall-clock time: ");
    ws_synth_print_duration(&text, elapsed_s);
    ws_synth_print(&text, "\nStarttime: ");
    print_ctime(&text, run->job_start_ns);
    ws_synth_print(&text, "\nEndtime: ");
    print_ctime(&text, run->job_start_ns + elapsed_s * 1000000000);
    ws_synth_print(&text, "\nEnergy Consumed: %" PRIu64 " Joule / %" PRIu64 ".%02" PRIu64 " Watthours\n", joules,
                   centi_wh / 100, centi_wh % 100);
    ws_synth_print(&text, "Average node power draw: %" PRIu64 " Watt\n", joules / (uint64_t)(elapsed_s * run->nodes));
    const char *name = ws_arena_printf(job->arena, "%s/slurm_%" PRId64, job->path, run->job);
    ws_status status = ws_synth_save(job->dir, name, &text, false, error);
    ws_synth_text_free(&text);
    return status;
}
