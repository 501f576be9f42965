/* CSV of Intel PCM (pcm -csv), below two lines of header, the second of which names columns and the first groups of
 * them:
 *
 *   System,System,System,System Pack C-States,...,Proc Energy (Joules),Proc Energy (Joules),...
 *   Date,Time,EXEC,Proc Energy (Joules),DRAM Energy (Joules),SKT0,SKT1,SKT0,...
 *   2026-02-11,08:00:01.003,0.021,101.5,12.25,60.5,41,8.25,...
 *
 * Joules used since the row before; no row says how long the first one's are of. The energies of the system are the
 * sums of its sockets' and count where these are not there (-nsocket). Older versions write semicolons, and a
 * group's name over its first column alone. Power planes lie inside their package and are passed over. Lines as
 * print_csv_header of pcm.cpp writes them. */
#include "formats/table/preset.h"

static const ws_preset_value pcm_values[] = {
    {"Proc Energy (Joules)", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"DRAM Energy (Joules)", WS_DRAM, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"Proc Energy (Joules)/SKT#", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"DRAM Energy (Joules)/SKT#", WS_DRAM, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
};
static const ws_preset_sum pcm_sums[] = {
    {"Proc Energy (Joules)", "Proc Energy (Joules)/SKT#"},
    {"DRAM Energy (Joules)", "DRAM Energy (Joules)/SKT#"},
    {NULL, NULL},
};
static const ws_preset pcm_csv_preset = {.score = 97,
                                         .has_groups = true,
                                         .must = {"Date", "Time", "EXEC"},
                                         .time = {"Time"},
                                         .date = "Date",
                                         .sums = pcm_sums,
                                         .drops_sums = true,
                                         WS_PRESET_VALUES(pcm_values),
                                         .what = "no row of energies below the two header lines of PCM"};
WS_PRESET_FORMAT(pcm_csv, "pcm-csv", "CSV of Intel PCM with its two header lines: energies of packages and memory",
                 "System,System,System,System Pack C-States,Proc Energy (Joules),Proc Energy (Joules),\n"
                 "Date,Time,EXEC,Proc Energy (Joules),SKT0,SKT1,\n2026-02-11,08:00:01.003,0.021,101.5,60.5,41,",
                 3, WS_GIVES_ENERGY, WS_TRIED_HAND_MADE);
