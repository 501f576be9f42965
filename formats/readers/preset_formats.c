/* The formats that preset.h reads: a description and a registry entry each.
 *
 * Intel Power Gadget: time of day (seconds and milliseconds separated by a colon), then since the start; the power of a
 * row is the mean of the interval that ends there, the counters begin with the log. Totals stand below the rows:
 *   System Time,RDTSC,Elapsed Time (sec),Processor Power_0(Watt),Cumulative Processor Energy_0(Joules), ...
 *   08:00:00:120, 2757838693488233,    0.120,  35.401,   4.124, ...
 *   Cumulative Processor Energy_0 (Joules) = 1378.284241
 *
 * Zeus measurement windows, on a monotonic clock that knows no date:
 *   start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy
 *   13586410.2849,epoch,8.2260,1067.5129,1072.4329
 *
 * pyJoules' CSVHandler: what was used since the stamp, in uJ, of GPUs in mJ:
 *   timestamp;tag;duration;package_0;dram_0;nvidia_gpu_0
 *   1770796800.5;foo;1.0;45948774.0;5096033.0;92781
 *
 * EAR's eacct -c: a row a node and step, mean powers over TIME_SEC:
 *   JOBID;STEPID;APPID;...;JOB_END_TIME;...;NODENAME;...;TIME_SEC;...;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W;...
 *
 * The CPU series of the MIT SuperCloud data set, from Slurm's profiling (a job is step -1, its batch script -4):
 *   Step,Node,Series,ElapsedTime,EpochTime,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize,Pages,ReadMB,WriteMB
 *   -1,node1,0,10,1770796810,3403,0.0,0.0,832,7776,0,0.0018,0.0022
 *
 * The energy series of Slurm's profiling, as sh5util extracts it, older and newer. Every step samples the power of the
 * whole node, so that two steps of a job hold the same energy:
 *   Job,Step,Node,Series,Date_Time,Elapsed_Time,Power,CPU_Frequency
 *   Step,Node,Series,ElapsedTime,EpochTime,Power,CPUFrequency
 *
 * System metrics of Weights & Biases, exported: means over the interval that ends at the stamp.
 *   _timestamp,_runtime,system.gpu.0.powerWatts,system.gpu.0.gpu,system.gpu.0.memory
 *   1770796815.2,15.2,312.4,97.1,61.0
 *
 * GEOPM's trace, a row a sample, below remarks about the run; newer and older names. A signal that was asked for by
 * domain stands beside its sum, CPU_ENERGY-package-0 beside CPU_ENERGY:
 *   TIME|EPOCH_COUNT|REGION_HASH|REGION_HINT|REGION_PROGRESS|CPU_ENERGY|DRAM_ENERGY|CPU_POWER|DRAM_POWER|...
 *   0.204296343|-1|0x00000000725e8066|0x0000000100000000|0|242598.262512207|31537.68629558909|nan|nan|...
 *
 * turbostat: a head and a table an interval, below a preamble; the row of dashes sums up the whole system, and the rows
 * of cores repeat parts of it:
 *   Core  CPU  Avg_MHz  Busy%  PkgTmp  PkgWatt  CorWatt  GFXWatt  RAMWatt
 *   -     -    51       4.33   50      3.46     0.99     0.82     1.13
 *   0     0    60       4.50   50      3.46     0.99     0.82     1.13 */
#include "formats/table/preset.h"

static const ws_preset_value gadget_values[] = {
    {"Processor Power_#(Watt)", WS_CPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"Cumulative Processor Energy_#(Joules)", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"Cumulative Processor Energy_#(mWh)", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "mWh", 1},
    {"IA Power_#(Watt)", WS_CPU_CORE, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"Cumulative IA Energy_#(Joules)", WS_CPU_CORE, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"Cumulative IA Energy_#(mWh)", WS_CPU_CORE, WS_ENERGY_COUNTER, WS_RULE_NONE, "mWh", 1},
    {"GT Power_#(Watt)", WS_CPU_GFX, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"Cumulative GT Energy_#(Joules)", WS_CPU_GFX, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"Cumulative GT Energy_#(mWh)", WS_CPU_GFX, WS_ENERGY_COUNTER, WS_RULE_NONE, "mWh", 1},
    {"DRAM Power_#(Watt)", WS_DRAM, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"Cumulative DRAM Energy_#(Joules)", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"Cumulative DRAM Energy_#(mWh)", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "mWh", 1},
    {"CPU Frequency_#(MHz)", WS_CPU, WS_CLOCK, WS_RULE_NONE, "MHz", 0},
    {"Package Temperature_#(C)", WS_CPU, WS_TEMPERATURE, WS_RULE_NONE, "C", 0},
};
static const ws_preset power_gadget_preset = {.delimiter = ',',
                                              .must = {"System Time", "Elapsed Time (sec)", "Processor Power_#(Watt)"},
                                              .time = {"Elapsed Time (sec)"},
                                              .opens_at_zero = true,
                                              .given_time = "Total Elapsed Time (sec)",
                                              WS_PRESET_VALUES(gadget_values)};
WS_PRESET_FORMAT(power_gadget, "power-gadget", "log of Intel Power Gadget",
                 "System Time,RDTSC,Elapsed Time (sec),Processor Power_0(Watt),Cumulative Processor Energy_0(Joules)\n"
                 "08:00:00:120, 2757838693488233,    0.120,  35.401,   4.124",
                 3, WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_ENERGY | WS_GIVES_CLOCK | WS_GIVES_TEMP,
                 WS_TRIED_REAL);

static const ws_preset_value zeus_values[] = {
    {"gpu#_energy", WS_GPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"cpu#_energy", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"dram#_energy", WS_DRAM, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
};
static const ws_preset zeus_windows_preset = {.delimiter = ',',
                                              .must = {"start_time", "window_name", "elapsed_time"},
                                              .time = {"start_time"},
                                              .time_is_start = true,
                                              .interval = "elapsed_time",
                                              WS_PRESET_VALUES(zeus_values)};
WS_PRESET_FORMAT(zeus_windows, "zeus-windows", "energies of Zeus measurement windows",
                 "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n"
                 "13586410.2849,epoch,8.2260,1067.5129,1072.4329",
                 2, WS_GIVES_ENERGY, WS_TRIED_REAL);

static const ws_preset_value pyjoules_values[] = {
    {"package_#", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "uJ", 0},
    {"dram_#", WS_DRAM, WS_ENERGY_INTERVAL, WS_RULE_NONE, "uJ", 0},
    {"core_#", WS_CPU_CORE, WS_ENERGY_INTERVAL, WS_RULE_NONE, "uJ", 0},
    {"uncore_#", WS_CPU_GFX, WS_ENERGY_INTERVAL, WS_RULE_NONE, "uJ", 0},
    {"nvidia_gpu_#", WS_GPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "mJ", 0},
};
static const ws_preset pyjoules_preset = {.delimiter = ';',
                                          .must = {"timestamp", "tag", "duration"},
                                          .time = {"timestamp"},
                                          .time_is_start = true,
                                          .interval = "duration",
                                          WS_PRESET_VALUES(pyjoules_values)};
WS_PRESET_FORMAT(pyjoules, "pyjoules", "energies of pyJoules' measured functions",
                 "timestamp;tag;duration;package_0;dram_0;nvidia_gpu_0\n"
                 "1770796800.5;train;1.0;45948774.0;5096033.0;92781",
                 3, WS_GIVES_ENERGY, WS_TRIED_HAND_MADE);

static const ws_preset_value ear_values[] = {
    {"DC_NODE_POWER_W", WS_NODE, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"PCK_POWER_W", WS_CPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"DRAM_POWER_W", WS_DRAM, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"GPU#_POWER_W", WS_GPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"GPU#_FREQ_KHZ", WS_GPU, WS_CLOCK, WS_RULE_NONE, "kHz", 0},
    {"GPU#_UTIL_PERC", WS_GPU, WS_UTIL, WS_RULE_NONE, "%", 0},
    {"GPU#_MEM_UTIL_PERC", WS_GPU, WS_MEM_UTIL, WS_RULE_NONE, "%", 0},
    {"AVG_CPUFREQ_KHZ", WS_CPU, WS_CLOCK, WS_RULE_NONE, "kHz", 0},
};
static const ws_preset ear_eacct_preset = {.delimiter = ';',
                                           .must = {"JOBID", "NODENAME", "DC_NODE_POWER_W"},
                                           .time = {"JOB_END_TIME"},
                                           .interval = "TIME_SEC",
                                           .loop = "ITER_TIME_SEC",
                                           .run = {"JOBID", "STEPID", "APPID"},
                                           .node = "NODENAME",
                                           WS_PRESET_VALUES(ear_values)};
WS_PRESET_FORMAT(ear_eacct, "ear-eacct", "eacct -c of EAR: mean powers of each job, step and node",
                 "JOBID;STEPID;APPID;JOBNAME;JOB_END_TIME;NODENAME;TIME_SEC;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W\n"
                 "4100001;0;0;train;1770800400;node1;3600.0;410.2;22.5;180.1",
                 3, WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_CLOCK, WS_TRIED_HAND_MADE);

static const ws_preset_value supercloud_cpu_values[] = {
    {"CPUUtilization", WS_CPU, WS_UTIL, WS_RULE_NONE, "%", 0},
    {"RSS", WS_CPU, WS_MEM_USED, WS_RULE_NONE, "KiB", 0},
    {"CPUFrequency", WS_CPU, WS_CLOCK, WS_RULE_NONE, "MHz", 0},
};
static const ws_preset slurm_series_preset = {.delimiter = ',',
                                              .must = {"Series", "EpochTime", "CPUUtilization"},
                                              .time = {"EpochTime"},
                                              .node = "Node",
                                              .id = {"Step", "Series"},
                                              WS_PRESET_VALUES(supercloud_cpu_values)};
WS_PRESET_FORMAT(slurm_series, "slurm-series",
                 "task series of Slurm's profiling, as in the CPU files of MIT SuperCloud",
                 "Step,Node,Series,ElapsedTime,EpochTime,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize,Pages,ReadMB,"
                 "WriteMB\n-1,node1,0,10,1770796810,3403,0.0,0.0,832,7776,0,0.0018,0.0022",
                 3, WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK, WS_TRIED_REAL);

static const ws_preset_value slurm_energy_values[] = {
    {"Power", WS_NODE, WS_POWER, WS_RULE_NONE, "W", 0},
};
static const ws_preset slurm_energy_preset = {.delimiter = ',',
                                              .must = {"Step", "Series", "Power"},
                                              .time = {"EpochTime", "Date_Time"},
                                              .node = "Node",
                                              .run = {"Job", "Step"},
                                              WS_PRESET_VALUES(slurm_energy_values)};
WS_PRESET_FORMAT(slurm_energy, "slurm-energy", "energy series of Slurm's profiling, extracted by sh5util",
                 "Step,Node,Series,ElapsedTime,EpochTime,Power,CPUFrequency\n-1,node1,Energy,10,1770796810,412,2400000",
                 3, WS_GIVES_POWER, WS_TRIED_HAND_MADE);

static const ws_preset_value wandb_values[] = {
    {"system.gpu.#.powerWatts", WS_GPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"system.gpu.#.gpu", WS_GPU, WS_UTIL, WS_RULE_NONE, "%", 0},
    {"system.gpu.#.memory", WS_GPU, WS_MEM_UTIL, WS_RULE_NONE, "%", 0},
    {"system.gpu.#.memoryAllocatedBytes", WS_GPU, WS_MEM_USED, WS_RULE_NONE, "B", 0},
    {"system.gpu.#.temp", WS_GPU, WS_TEMPERATURE, WS_RULE_NONE, "C", 0},
    {"system.gpu.#.smClock", WS_GPU, WS_CLOCK, WS_RULE_NONE, "MHz", 0},
    {"system.cpu", WS_CPU, WS_UTIL, WS_RULE_NONE, "%", 0},
};
static const ws_preset wandb_system_preset = {.delimiter = ',',
                                              .must = {"_timestamp", "system.gpu.#.powerWatts"},
                                              .time = {"_timestamp"},
                                              WS_PRESET_VALUES(wandb_values)};
WS_PRESET_FORMAT(wandb_system, "wandb-system", "system metrics exported from Weights & Biases",
                 "_timestamp,_runtime,system.gpu.0.powerWatts,system.gpu.0.gpu\n1770796815.2,15.2,312.4,97.1", 2,
                 WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK |
                     WS_GIVES_TEMP,
                 WS_TRIED_HAND_MADE);

static const ws_preset_value geopm_values[] = {
    {"CPU_ENERGY", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"CPU_ENERGY-package-#", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"ENERGY_PACKAGE", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"ENERGY_PACKAGE-package-#", WS_CPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"DRAM_ENERGY", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"DRAM_ENERGY-memory-#", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"ENERGY_DRAM", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"ENERGY_DRAM-board_memory-#", WS_DRAM, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"GPU_ENERGY", WS_GPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"GPU_ENERGY-gpu-#", WS_GPU, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"BOARD_ENERGY", WS_NODE, WS_ENERGY_COUNTER, WS_RULE_NONE, "J", 0},
    {"CPU_POWER", WS_CPU, WS_POWER, WS_RULE_NONE, "W", 0},
    {"POWER_PACKAGE", WS_CPU, WS_POWER, WS_RULE_NONE, "W", 0},
    {"DRAM_POWER", WS_DRAM, WS_POWER, WS_RULE_NONE, "W", 0},
    {"POWER_DRAM", WS_DRAM, WS_POWER, WS_RULE_NONE, "W", 0},
    {"GPU_POWER", WS_GPU, WS_POWER, WS_RULE_NONE, "W", 0},
    {"GPU_POWER-gpu-#", WS_GPU, WS_POWER, WS_RULE_NONE, "W", 0},
    {"BOARD_POWER", WS_NODE, WS_POWER, WS_RULE_NONE, "W", 0},
    {"GPU_UTILIZATION-gpu-#", WS_GPU, WS_UTIL, WS_RULE_NONE, NULL, 0},
};
static const ws_preset_sum geopm_sums[] = {
    {"CPU_ENERGY", "CPU_ENERGY-package-#"},
    {"ENERGY_PACKAGE", "ENERGY_PACKAGE-package-#"},
    {"DRAM_ENERGY", "DRAM_ENERGY-memory-#"},
    {"ENERGY_DRAM", "ENERGY_DRAM-board_memory-#"},
    {"GPU_ENERGY", "GPU_ENERGY-gpu-#"},
    {"CPU_POWER", "CPU_ENERGY-package-#"},
    {"POWER_PACKAGE", "ENERGY_PACKAGE-package-#"},
    {"DRAM_POWER", "DRAM_ENERGY-memory-#"},
    {"POWER_DRAM", "ENERGY_DRAM-board_memory-#"},
    {"GPU_POWER", "GPU_POWER-gpu-#"},
    {NULL, NULL},
};
static const ws_preset geopm_trace_preset = {.delimiter = '|',
                                             .must = {"TIME", "EPOCH_COUNT", "REGION_HASH"},
                                             .time = {"TIME"},
                                             .sums = geopm_sums,
                                             .remark_node = "# node_name:",
                                             .remark_start = "# start_time:",
                                             WS_PRESET_VALUES(geopm_values)};
WS_PRESET_FORMAT(geopm_trace, "geopm-trace", "trace of GEOPM: counters of packages, memory, GPUs and boards",
                 "TIME|EPOCH_COUNT|REGION_HASH|REGION_HINT|CPU_ENERGY|DRAM_ENERGY|CPU_POWER|DRAM_POWER\n"
                 "0.204|-1|0x00000000725e8066|0x0000000100000000|242598.25|31537.5|nan|nan",
                 3, WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL, WS_TRIED_HAND_MADE);

static const ws_preset_value turbostat_values[] = {
    {"PkgWatt", WS_CPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"CorWatt", WS_CPU_CORE, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"GFXWatt", WS_CPU_GFX, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"RAMWatt", WS_DRAM, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"SysWatt", WS_PSYS, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
    {"Pkg_J", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"Cor_J", WS_CPU_CORE, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"GFX_J", WS_CPU_GFX, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"RAM_J", WS_DRAM, WS_ENERGY_INTERVAL, WS_RULE_NONE, "J", 0},
    {"Busy%", WS_CPU, WS_UTIL, WS_RULE_NONE, "%", 0},
    {"Bzy_MHz", WS_CPU, WS_CLOCK, WS_RULE_NONE, "MHz", 0},
    {"PkgTmp", WS_CPU, WS_TEMPERATURE, WS_RULE_NONE, "C", 0},
};
static const ws_preset turbostat_preset = {.delimiter = WS_WORDS,
                                           .scrolls = true,
                                           .must = {"Avg_MHz", "Busy%"},
                                           .enough = {"PkgWatt", "Pkg_J", "RAMWatt"}, /* --show leaves any out */
                                           .time = {"Time_Of_Day_Seconds"},
                                           .id = {"CPU"},
                                           .summary = "CPU",
                                           .what = "no row of dashes, which sums up the whole system, below a header",
                                           WS_PRESET_VALUES(turbostat_values)};
WS_PRESET_FORMAT(turbostat, "turbostat", "turbostat: power of packages, cores, graphics and memory",
                 "Core\tCPU\tAvg_MHz\tBusy%\tPkgWatt\tCorWatt\tRAMWatt\n-\t-\t51\t4.33\t3.46\t0.99\t1.13", 3,
                 WS_GIVES_POWER | WS_GIVES_ENERGY | WS_GIVES_UTIL | WS_GIVES_CLOCK | WS_GIVES_TEMP, WS_TRIED_REAL);
