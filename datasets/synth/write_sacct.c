/* sacct --parsable2: '|' between the fields, no quoting; the steps of a job repeat its times.
 *
 *     JobID|JobName|Partition|State|ExitCode|Start|End|Elapsed|ElapsedRaw|NNodes|NodeList|AllocTRES|ConsumedEnergyRaw
 *     9000007|lbs256|accelerated|COMPLETED|0:0|2025-05-14T09:21:59|2025-05-14T09:24:21|00:02:22|142|1|node1|...|70213
 *     9000007.batch|batch||COMPLETED|0:0|2025-05-14T09:21:59|2025-05-14T09:24:21|00:02:22|142|1|node1|...|70213
 */
#include "datasets/synth/write_sacct.h"

#include <inttypes.h>

static void print_head(ws_synth_text *text)
{
    ws_synth_print(text,
                   "JobID|JobName|Partition|State|ExitCode|Start|End|Elapsed|ElapsedRaw|NNodes|NodeList|AllocTRES|"
                   "ConsumedEnergyRaw\n");
}

static void print_line(ws_synth_text *text, const ws_synth_job *job, const char *step, const char *name,
                       const char *partition)
{
    const ws_synth_run *run = job->run;
    int64_t elapsed_s = ws_synth_job_elapsed_s(run);
    const char *nodes = run->nodes == 1 ? "node1" : ws_arena_printf(job->arena, "node[1-%d]", run->nodes);
    ws_synth_print(text, "%" PRId64 "%s|%s|%s|%s|", run->job, step, name, partition,
                   run->failed ? "NODE_FAIL|1:0" : "COMPLETED|0:0");
    ws_synth_print_time(text, run->job_start_ns, '-', 'T');
    ws_synth_print(text, "|");
    ws_synth_print_time(text, run->job_start_ns + elapsed_s * 1000000000, '-', 'T');
    ws_synth_print(text, "|");
    ws_synth_print_duration(text, elapsed_s);
    ws_synth_print(text, "|%" PRId64 "|%d|%s|cpu=%d,gres/gpu:a100=%d,gres/gpu=%d,node=%d|", elapsed_s, run->nodes,
                   nodes, 152 * run->nodes, run->gpus, run->gpus, run->nodes);
    if (!run->failed) /* the accounting lost what the failed node used */
        ws_synth_print(text, "%" PRId64, (int64_t)ws_synth_job_energy_j(run, job->trace));
    ws_synth_print(text, "\n");
}

void ws_synth_sacct_add_run(ws_synth_text *text, const ws_synth_job *job)
{
    if (!text->n)
        print_head(text);
    print_line(text, job, "", job->run->series->name, "accelerated");
    print_line(text, job, ".batch", "batch", "");
    print_line(text, job, ".extern", "extern", "");
}
