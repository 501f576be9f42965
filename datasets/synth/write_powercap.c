/* A poll of /sys/class/powercap/intel-rapl as users log it: the counters in uJ, and where they wrap.
 *
 *     # max_energy_range_uj package-0=262143328850 package-1=262143328850 dram-0=65712999613 dram-1=65712999613
 *     timestamp,package-0,package-1,dram-0,dram-1
 *     2025-05-14T09:21:59.483,18213550112,20013331204,913321117,888120012
 */
#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

#include <inttypes.h>

enum { COLUMNS = 2 * WS_SYNTH_SOCKETS };

static const struct {
    const char *name;
    ws_domain domain;
    int index;
} columns[COLUMNS] = {
    {"package-0", WS_CPU, 0}, {"package-1", WS_CPU, 1}, {"dram-0", WS_DRAM, 0}, {"dram-1", WS_DRAM, 1}};

static void print_head(ws_synth_text *text, const ws_synth_device *const *devices)
{
    ws_synth_print(text, "# max_energy_range_uj");
    for (size_t c = 0; c < COLUMNS; c++)
        ws_synth_print(text, " %s=%" PRIu64, columns[c].name, devices[c]->range_uj);
    ws_synth_print(text, "\ntimestamp");
    for (size_t c = 0; c < COLUMNS; c++)
        ws_synth_print(text, ",%s", columns[c].name);
    ws_synth_print(text, "\n");
}

static ws_status write_node(const ws_synth_job *job, int node, ws_error *error)
{
    const ws_synth_device *devices[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        devices[c] = ws_synth_trace_find(job->trace, node, columns[c].domain, columns[c].index);
    ws_synth_text text = {0};
    print_head(&text, devices);
    size_t rows = job->run->failed ? devices[0]->n * 2 / 5 : devices[0]->n;
    for (size_t i = 0; i < rows; i++) {
        int64_t now_ns = job->run->job_start_ns + job->run->setup_ns + devices[0]->t_ns[i];
        ws_synth_print_time(&text, now_ns, '-', 'T');
        ws_synth_print(&text, ".%03d", (int)(now_ns / 1000000 % 1000));
        for (size_t c = 0; c < COLUMNS; c++)
            ws_synth_print(&text, ",%" PRIu64, devices[c]->reading[i]);
        ws_synth_print(&text, "\n");
    }
    const char *name = ws_arena_printf(job->arena, "%s/rapl_%s.csv", job->path, ws_synth_node_name(job->arena, node));
    ws_status status = ws_synth_save(job->dir, name, &text, false, error);
    ws_synth_text_free(&text);
    return status;
}

ws_status ws_synth_write_powercap(const ws_synth_job *job, ws_error *error)
{
    ws_status status = WS_OK;
    for (int node = 0; node < job->run->nodes && status == WS_OK; node++)
        status = write_node(job, node, error);
    return status;
}
