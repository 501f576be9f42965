#include "formats/table/lane.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

void ws_lane_init(ws_lane *lane, size_t index, const ws_sink *sink, size_t n_channels, bool has_time, bool has_interval)
{
    size_t rows = index < WS_LANES_FEW ? WS_LANE_ROWS : WS_LANE_ROWS_OF_MANY;
    *lane = (ws_lane){.sink = sink, .n_channels = n_channels, .most_rows = rows, .has_time = has_time};
    lane->id = ws_alloc(n_channels * sizeof *lane->id);
    lane->from = ws_alloc(n_channels * sizeof *lane->from);
    for (size_t c = 0; c < n_channels; c++)
        lane->from[c] = (uint32_t)c;
    lane->t_ns = ws_realloc(NULL, rows, sizeof *lane->t_ns);
    lane->interval_ns = has_interval ? ws_realloc(NULL, rows, sizeof *lane->interval_ns) : NULL;
    lane->line = ws_realloc(NULL, rows, sizeof *lane->line);
    lane->value = ws_realloc(NULL, n_channels * rows, sizeof *lane->value);
}

ws_status ws_lane_flush(ws_lane *lane, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t c = 0; c < lane->n_channels && status == WS_OK && lane->n_rows; c++) {
        ws_block block = {.n = lane->n_rows,
                          .t_ns = lane->has_time ? lane->t_ns : NULL,
                          .value = lane->value + c * lane->most_rows,
                          .interval_ns = lane->interval_ns,
                          .line = lane->line};
        if (lane->id[c] >= 0)
            status = lane->sink->block(lane->sink->state, lane->id[c], &block, error);
    }
    lane->n_rows = 0;
    return status;
}

void ws_lane_free(ws_lane *lane)
{
    free(lane->id);
    free(lane->from);
    free(lane->t_ns);
    free(lane->interval_ns);
    free(lane->line);
    free(lane->value);
    memset(lane, 0, sizeof *lane);
}
