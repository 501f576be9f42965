/* dcgmi dmon -e 155,156,203 -d 1000:
 *
 *   #Entity   POWER   TOTEC       GPUTL
 *   ID        W       mJ
 *   GPU 0     251.2   1839203311  97
 *
 * No time: the period is -d in ms. The second line of the head may hold units, or ID alone. TOTEC counts mJ since the
 * driver was loaded. Entities other than whole GPUs (MIG instances, switches) are left out. */
#include "formats/readers/dcgm_field.h"
#include "formats/table/dmon.h"

static bool column_of(ws_span name, ws_dmon_column *column)
{
    const ws_dcgm_field *field = ws_dcgm_field_find(name);
    if (field)
        *column = (ws_dmon_column){.quantity = field->quantity,
                                   .preference = field->preference,
                                   .unit = ws_dcgm_unit(field),
                                   .unit_is_fixed = field->quantity == WS_MEM_USED,
                                   .is_blank = ws_dcgm_is_blank};
    return field != NULL;
}

static const ws_dmon_layout layout = {.entity = "Entity", .entity_word = "GPU", .column = column_of};

static int score_dcgmi_dmon(const char *path, ws_span head)
{
    (void)path;
    return ws_dmon_score(&layout, head);
}

static ws_status read_dmon(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    return ws_dmon_read(&layout, input, options, sink, notes, error);
}

const ws_format ws_format_dcgmi_dmon = {
    .name = "dcgmi-dmon",
    .title = "dcgmi dmon of NVIDIA DCGM",
    .example = "#Entity   POWER   TOTEC       GPUTL\nID        W       mJ\nGPU 0     251.2   1839203311  97",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_dcgmi_dmon,
    .read = read_dmon,
};
