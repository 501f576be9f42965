/* Run tables of power limits, as those of Zeus:
 *
 *   dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power
 *   cifar100,shufflenetv2,1024,adadelta,100,11.27,86.86
 *
 * W and s. The energy of an epoch is their product. */
#include "formats/table/table_csv.h"

#include <math.h>

static const char *const must[] = {"power_limit", "time_per_epoch", "average_power", NULL};

static ws_status read_zeus_sweep(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    size_t seconds, watts;
    ws_status status = ws_table_csv_read(input, options, table, error);
    if (status != WS_OK)
        return status;
    if (!ws_table_find(table, must[1], &seconds) || !ws_table_find(table, must[2], &watts))
        return ws_fail_at(error, WS_FORMAT, table->source, 1, "has no columns '%s' and '%s'", must[1], must[2]);
    size_t energy = ws_table_add_column(table, "epoch_energy_j", WS_NUMBER);
    for (size_t row = 0; row < table->n_rows; row++) {
        double joules = ws_table_number(table, seconds, row) * ws_table_number(table, watts, row);
        if (isfinite(joules))
            ws_table_set_number(table, energy, row, joules);
    }
    return WS_OK;
}

static int score_zeus_sweep(const char *path, ws_span head)
{
    (void)path;
    return ws_table_csv_has(head, must) ? 94 : 0;
}

const ws_format ws_format_zeus_sweep = {
    .name = "zeus-sweep",
    .title = "table of power limits with the time of an epoch and the mean power, as of Zeus",
    .example = "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_REAL,
    .score = score_zeus_sweep,
    .read_table = read_zeus_sweep,
};
