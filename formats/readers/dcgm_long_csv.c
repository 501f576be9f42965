/* What clients of DCGM's API log: a row a reading, several fields mixed, each at its own time:
 *
 *   GPUId,TimeStampUs,Field,Values
 *   0,1770796800120331,power_usage_instant,251.20
 *   0,1770796800120474,gpu_utilization,97
 *
 * Power in W, energy in mJ since the driver was loaded. */
#include "formats/readers/dcgm_field.h"
#include "formats/table/preset.h"

static const ws_preset_value dcgm_values[] = {
    {"value|values", WS_GPU, WS_POWER, WS_RULE_NONE, NULL, 0},
};

static const ws_preset dcgm_long_csv_preset = {
    .delimiter = ',',
    .score = 93,
    .loose_names = true,
    .must = {"gpuid|gpu_id|gpu|entity_id", "timestampus|timestamp_us|timestamp|time",
             "field|field_name|field_id|fieldid", "value|values"},
    .time = {"timestampus|timestamp_us|timestamp|time"},
    .node = "hostname|host|node",
    .id = {"gpuid|gpu_id|gpu|entity_id"},
    .id_is_index = true,
    .kind = {"field|field_name|field_id|fieldid"},
    .about = ws_dcgm_about,
    WS_PRESET_VALUES(dcgm_values),
    .what = "no row with a field of DCGM that is known here, below a header with GPU, time, field and value"};
WS_PRESET_FORMAT(dcgm_long_csv, "dcgm-csv", "log of an NVIDIA DCGM client, a row a reading: GPU, time, field, value",
                 "GPUId,TimeStampUs,Field,Values\n0,1770796800120331,power_usage_instant,251.20", 2,
                 WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
                     WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
                 WS_TRIED_REAL);
