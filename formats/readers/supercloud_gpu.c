/* GPU series of the MIT SuperCloud data set, a file a job and node:
 *
 *   timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,memory_free_MiB,memory_used_MiB,power_draw_W
 *   1770796800.1,0,97,40,2100,30400,250.1
 *
 * Read by the engine of delimited traces; the order of the columns varies. */
#include "formats/table/table_csv.h"
#include "formats/table/trace_csv.h"

static int score_supercloud_gpu(const char *path, ws_span head)
{
    static const char *const must[] = {"timestamp", "gpu_index", "utilization_gpu_pct", "power_draw_W", NULL};
    (void)path;
    return ws_table_csv_has(head, must) ? 95 : 0;
}

const ws_format ws_format_supercloud_gpu = {
    .name = "supercloud-gpu",
    .title = "GPU series of the MIT SuperCloud data set",
    .example = "timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,memory_free_MiB,memory_used_MiB,"
               "power_draw_W\n1770796800.1,0,97,40,2100,30400,250.1",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_TEMP,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_supercloud_gpu,
    .goes_on = true,
    .tells_nodes = true,
    .read = ws_trace_csv_read,
};
