/* dcgmi dmon -e 155,156,203 -d 1000:
 *
 *   #Entity   POWER   TOTEC       GPUTL
 *   ID        W       mJ
 *   GPU 0     251.2   1839203311  97
 *
 * No time: the period is -d in ms. The second line of the head may hold units, or ID alone. TOTEC counts mJ since the
 * driver was loaded. Entities other than whole GPUs (MIG instances, switches) are left out. */
#include "formats/readers/dcgm_field.h"
#include "formats/table/preset.h"

static const ws_preset_value entity_values[] = {
    {"", WS_GPU, WS_POWER, WS_RULE_NONE, NULL, 0},
};

static bool about_entity(ws_arena *arena, const char *name, const ws_span *cells, ws_preset_reading *reading)
{
    bool is_known = ws_dcgm_about(arena, name, cells, reading);
    reading->unit_is_fixed = reading->quantity == WS_MEM_USED;
    return is_known;
}

static const ws_preset dcgmi_dmon_preset = {.delimiter = WS_WORDS_AND_COMMAS,
                                            .scrolls = true,
                                            .hash_head = true,
                                            .loose_names = true,
                                            .must = {"entity"},
                                            .first_word = "GPU",
                                            .id = {"entity"},
                                            .id_is_index = true,
                                            .about = about_entity,
                                            .last_line = WS_LAST_LINE_CLOSED,
                                            .what = "no row of a GPU's readings under a head with 'Entity'",
                                            WS_PRESET_VALUES(entity_values)};
WS_PRESET_FORMAT(dcgmi_dmon, "dcgmi-dmon", "dcgmi dmon of NVIDIA DCGM",
                 "#Entity   POWER   TOTEC       GPUTL\nID        W       mJ\nGPU 0     251.2   1839203311  97", 2,
                 WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
                     WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
                 WS_TRIED_HAND_MADE);
