/* nvidia-smi dmon, with any -s and -o:
 *
 *   #Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb   bar1
 *   #YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz     MB     MB
 *    20260211   08:00:00      0    251     61      -     97     40   1593   1410  71210      5
 *
 * The head comes again every screenful. Without -o D or T there is no time: the period (-d, 1 s unless given) is not in
 * the file. Power is in whole watts. */
#include "formats/table/preset.h"

/* fb is written as MB and counted in 2^20 bytes, like everything that nvidia-smi prints; temp is of older drivers */
static const ws_preset_value dmon_values[] = {
    {"pwr", WS_GPU, WS_POWER, WS_RULE_NONE, NULL, 0},    {"sm", WS_GPU, WS_UTIL, WS_RULE_NONE, NULL, 0},
    {"mem", WS_GPU, WS_MEM_UTIL, WS_RULE_NONE, NULL, 0}, {"fb", WS_GPU, WS_MEM_USED, WS_RULE_NONE, "MiB", 0},
    {"pclk", WS_GPU, WS_CLOCK, WS_RULE_NONE, NULL, 0},   {"gtemp|temp", WS_GPU, WS_TEMPERATURE, WS_RULE_NONE, NULL, 0},
};
static const ws_preset nvidia_smi_dmon_preset = {.delimiter = WS_WORDS_AND_COMMAS,
                                                 .scrolls = true,
                                                 .hash_head = true,
                                                 .loose_names = true,
                                                 .must = {"gpu"},
                                                 .without = "pid",
                                                 .date = "date",
                                                 .time = {"time"},
                                                 .id = {"gpu"},
                                                 .id_is_index = true,
                                                 .polls_whole_seconds = true,
                                                 .last_line = WS_LAST_LINE_CLOSED,
                                                 .what = "no row of a GPU's readings under a head with 'gpu'",
                                                 WS_PRESET_VALUES(dmon_values)};
WS_PRESET_FORMAT(nvidia_smi_dmon, "nvidia-smi-dmon", "nvidia-smi dmon, with and without date and time",
                 "# gpu    pwr  gtemp     sm    mem   pclk\n# Idx      W      C      %      %    MHz\n"
                 "    0    251     61     97     40   1410",
                 2,
                 WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK |
                     WS_GIVES_TEMP,
                 WS_TRIED_REAL);
