#include "formats/table/dictionary.h"

#include <inttypes.h>
#include <string.h>

#define NAME(text) .name = text
#define ROLE(text, of_row) .name = text, .role = of_row, .domain = WS_GPU
#define PART(whose, text) .name = text, .role = WS_ROLE_PART, .domain = whose
#define OF(whose, text, what) .name = text, .role = WS_ROLE_VALUE, .quantity = what, .domain = whose
#define GPU(text, what, rank) \
    .name = text, .role = WS_ROLE_VALUE, .quantity = what, .domain = WS_GPU, .preference = rank
#define RUN(column) .run = column

static const ws_known_name names[] = {
    {ROLE("timestamp", WS_ROLE_TIME)},
    {ROLE("time", WS_ROLE_TIME), RUN("wall_s"), .flags = WS_NAME_MAY_BE_STAMP},
    {ROLE("datetime", WS_ROLE_TIME)},
    {ROLE("date_time", WS_ROLE_TIME)},
    {ROLE("time_stamp", WS_ROLE_TIME)},
    {ROLE("stamp", WS_ROLE_TIME)},
    {ROLE("ts", WS_ROLE_TIME)},
    {ROLE("t", WS_ROLE_TIME)},
    {ROLE("epoch_time", WS_ROLE_TIME), RUN("epoch_s")},
    {ROLE("epochtime", WS_ROLE_TIME)},
    {ROLE("unix_time", WS_ROLE_TIME)},
    {ROLE("unixtime", WS_ROLE_TIME)},
    {ROLE("unix_timestamp", WS_ROLE_TIME)},
    {ROLE("timestampus", WS_ROLE_TIME)},
    {ROLE("timestamp_utc", WS_ROLE_TIME)},
    {ROLE("local_time", WS_ROLE_TIME)},
    {ROLE("elapsed", WS_ROLE_TIME), RUN("wall_s")},
    {ROLE("elapsed_time", WS_ROLE_TIME)},
    {ROLE("seconds", WS_ROLE_TIME)},
    {ROLE("relative_time", WS_ROLE_TIME)},
    {ROLE("time_since_start", WS_ROLE_TIME)},
    {ROLE("date", WS_ROLE_DATE)},
    {ROLE("day", WS_ROLE_DATE)},
    {ROLE("time_of_day", WS_ROLE_DAYTIME)},
    {ROLE("daytime", WS_ROLE_DAYTIME)},
    {ROLE("interval", WS_ROLE_INTERVAL)},
    {ROLE("dt", WS_ROLE_INTERVAL)},

    {ROLE("uuid", WS_ROLE_UUID)},
    {ROLE("gpu_uuid", WS_ROLE_UUID)},
    {ROLE("pci_bus_id", WS_ROLE_BUS)},
    {ROLE("gpu_bus_id", WS_ROLE_BUS)},
    {ROLE("bus_id", WS_ROLE_BUS)},
    {ROLE("pci_bus", WS_ROLE_BUS)},
    {ROLE("gpu", WS_ROLE_GPU)},
    {ROLE("gpu_id", WS_ROLE_GPU)},
    {ROLE("gpuid", WS_ROLE_GPU)},
    {ROLE("gpu_index", WS_ROLE_GPU)},
    {ROLE("gpu_idx", WS_ROLE_GPU)},
    {ROLE("gpu_number", WS_ROLE_GPU)},
    {ROLE("gpu_num", WS_ROLE_GPU)},
    {ROLE("gpu_no", WS_ROLE_GPU)},
    {ROLE("minor_number", WS_ROLE_GPU)},
    {ROLE("device_number", WS_ROLE_GPU)},
    {ROLE("device_num", WS_ROLE_GPU)},
    {ROLE("dev_id", WS_ROLE_GPU)},
    {ROLE("device", WS_ROLE_GPU)},
    {ROLE("device_id", WS_ROLE_GPU)},
    {ROLE("device_index", WS_ROLE_GPU)},
    {ROLE("dev", WS_ROLE_GPU)},
    {ROLE("card", WS_ROLE_GPU)},
    {ROLE("accelerator", WS_ROLE_GPU), RUN("device")},
    {ROLE("index", WS_ROLE_INDEX)},
    {ROLE("idx", WS_ROLE_INDEX)},
    {ROLE("serial", WS_ROLE_SERIAL)},
    {ROLE("gpu_serial", WS_ROLE_SERIAL)},
    {ROLE("local_rank", WS_ROLE_INDEX)},
    {ROLE("rank", WS_ROLE_PART)},
    {ROLE("global_rank", WS_ROLE_PART)},
    {ROLE("domain", WS_ROLE_PART), .zone = WS_ZONE_NAME},
    {ROLE("component", WS_ROLE_PART)},
    {ROLE("sensor", WS_ROLE_PART)},
    {PART(WS_CPU, "socket"), .zone = WS_ZONE_SOCKET},
    {PART(WS_CPU, "socket_id"), .zone = WS_ZONE_SOCKET},
    {PART(WS_CPU, "package_id"), .zone = WS_ZONE_SOCKET},
    {ROLE("name", WS_ROLE_NAME), .zone = WS_ZONE_NAME},
    {ROLE("gpu_name", WS_ROLE_NAME)},
    {ROLE("device_name", WS_ROLE_NAME)},
    {ROLE("product_name", WS_ROLE_NAME)},
    {ROLE("node", WS_ROLE_NODE)},
    {ROLE("host", WS_ROLE_NODE)},
    {ROLE("hostname", WS_ROLE_NODE)},
    {ROLE("host_name", WS_ROLE_NODE)},
    {ROLE("node_name", WS_ROLE_NODE)},

    {GPU("power_draw", WS_POWER, 0)},
    {GPU("power_draw_average", WS_POWER, 1)},
    {GPU("power_draw_instant", WS_POWER, 2)},
    {GPU("gpu_power", WS_POWER, 0), RUN("gpu_power_w")},
    {GPU("gpu_power_draw", WS_POWER, 0)},
    {GPU("board_power_draw", WS_POWER, 0)},
    {GPU("gpu_chip_power_draw", WS_POWER, 3)}, /* a part of the board's */
    {GPU("gpu_power_usage", WS_POWER, 0)},
    {GPU("average_gpu_power", WS_POWER, 1)},
    {GPU("power_usage_instant", WS_POWER, 2)},
    {GPU("current_socket_graphics_package_power", WS_POWER, 0)}, /* rocm-smi, newer and older GPUs */
    {GPU("average_graphics_package_power", WS_POWER, 1)},
    {OF(WS_OTHER, "power", WS_POWER)},
    {OF(WS_OTHER, "power_usage", WS_POWER)},
    {OF(WS_OTHER, "power_used", WS_POWER)},
    {OF(WS_OTHER, "power_consumption", WS_POWER)},
    {OF(WS_OTHER, "watts", WS_POWER)},
    {OF(WS_OTHER, "watt", WS_POWER)},
    {OF(WS_OTHER, "average_power", WS_POWER), RUN("gpu_power_w")},
    {OF(WS_OTHER, "power_average", WS_POWER)},
    {OF(WS_OTHER, "instant_power", WS_POWER)},
    {OF(WS_OTHER, "power_instant", WS_POWER)},
    {OF(WS_OTHER, "w", WS_POWER)},
    {OF(WS_OTHER, "current_power", WS_POWER)},
    {OF(WS_WALL, "actual_consumption", WS_POWER)},
    {OF(WS_WALL, "wall_power", WS_POWER)},
    {OF(WS_WALL, "plug_power", WS_POWER)},
    {OF(WS_NODE, "node_power", WS_POWER)},
    {OF(WS_NODE, "system_power", WS_POWER)},
    {OF(WS_NODE, "sys_power", WS_POWER)},
    {OF(WS_NODE, "server_power", WS_POWER)},
    {OF(WS_NODE, "power_reading", WS_POWER)},
    {OF(WS_CPU, "cpu_power", WS_POWER)},
    {OF(WS_CPU, "package_power", WS_POWER)},
    {OF(WS_CPU, "pkg_power", WS_POWER)},
    {OF(WS_CPU, "processor_power", WS_POWER)},
    {OF(WS_CPU, "rapl_power", WS_POWER)},
    {OF(WS_DRAM, "dram_power", WS_POWER)},
    {OF(WS_DRAM, "ram_power", WS_POWER)},
    {OF(WS_DRAM, "memory_power", WS_POWER)}, /* Cray's pm_counters */

    {GPU("power_limit", WS_POWER_LIMIT, 0), RUN("power_cap_w")},
    {GPU("enforced_power_limit", WS_POWER_LIMIT, 1)},
    {GPU("power_cap", WS_POWER_LIMIT, 0), RUN("power_cap_w")},
    {GPU("gpu_power_limit", WS_POWER_LIMIT, 0)},

    {GPU("total_energy_consumption", WS_ENERGY_COUNTER, 0)},
    {GPU("energy_counter", WS_ENERGY_COUNTER, 1)}, /* rocm-smi's counts, in no unit, stand beside its microjoules */
    {OF(WS_OTHER, "total_energy", WS_ENERGY_COUNTER), RUN("energy_kwh")},
    {OF(WS_OTHER, "cumulative_energy", WS_ENERGY_COUNTER)},
    {OF(WS_OTHER, "energy_total", WS_ENERGY_COUNTER)},
    {OF(WS_OTHER, "accumulated_energy", WS_ENERGY_COUNTER)},
    {GPU("gpu_energy", WS_ENERGY_INTERVAL, 0), RUN("energy_gpu_kwh")},
    {OF(WS_OTHER, "energy", WS_ENERGY_INTERVAL), RUN("energy_kwh")},
    {OF(WS_OTHER, "energy_consumption", WS_ENERGY_INTERVAL)},
    {OF(WS_OTHER, "energy_consumed", WS_ENERGY_INTERVAL), RUN("energy_kwh")},
    {OF(WS_OTHER, "interval_energy", WS_ENERGY_INTERVAL)},
    {OF(WS_CPU, "cpu_energy", WS_ENERGY_INTERVAL), RUN("energy_cpu_kwh")},
    {OF(WS_CPU, "rapl_energy", WS_ENERGY_INTERVAL)},
    {OF(WS_DRAM, "ram_energy", WS_ENERGY_INTERVAL), RUN("energy_dram_kwh")},
    {OF(WS_DRAM, "dram_energy", WS_ENERGY_INTERVAL), RUN("energy_dram_kwh")},
    {OF(WS_DRAM, "memory_energy", WS_ENERGY_INTERVAL)},
    {OF(WS_NODE, "node_energy", WS_ENERGY_INTERVAL), RUN("energy_kwh")},

    {GPU("utilization_gpu", WS_UTIL, 0)},
    {GPU("gfx_activity", WS_UTIL, 0)},
    {GPU("umc_activity", WS_MEM_UTIL, 0)},
    {GPU("gpu_utilization", WS_UTIL, 0)},
    {GPU("gpu_util", WS_UTIL, 0)},
    {GPU("utilization", WS_UTIL, 0)},
    {GPU("util", WS_UTIL, 0)},
    {GPU("gpu_load", WS_UTIL, 0)},
    {GPU("gpu_use", WS_UTIL, 0)},
    {GPU("sm_util", WS_UTIL, 0)},
    {GPU("gpu_usage", WS_UTIL, 0)},
    {GPU("utilization_memory", WS_MEM_UTIL, 0)},
    {GPU("mem_util", WS_MEM_UTIL, 0)},
    {GPU("memory_utilization", WS_MEM_UTIL, 0)},
    {GPU("gpu_mem_util", WS_MEM_UTIL, 0)},
    {GPU("memory_util", WS_MEM_UTIL, 0)},
    {GPU("gpu_memory_use", WS_MEM_UTIL, 0)},
    {GPU("memory_used", WS_MEM_USED, 0)},
    {GPU("mem_used", WS_MEM_USED, 0)},
    {GPU("gpu_memory_used", WS_MEM_USED, 0)},
    {GPU("gpu_mem_used", WS_MEM_USED, 0)},
    {GPU("used_memory", WS_MEM_USED, 0)},
    {GPU("vram_used", WS_MEM_USED, 0)},
    {GPU("vram_total_used_memory", WS_MEM_USED, 0)},
    {GPU("fb_used", WS_MEM_USED, 0)},
    {GPU("clocks_sm", WS_CLOCK, 0)},
    {GPU("clocks_current_sm", WS_CLOCK, 0)},
    {GPU("sm_clock", WS_CLOCK, 0)},
    {GPU("clock_sm", WS_CLOCK, 0)},
    {GPU("clocks_gr", WS_CLOCK, 1)},
    {GPU("clocks_graphics", WS_CLOCK, 1)},
    {GPU("clocks_current_graphics", WS_CLOCK, 1)},
    {GPU("graphics_clock", WS_CLOCK, 1)},
    {GPU("gpu_clock", WS_CLOCK, 1)},
    {GPU("temperature_gpu", WS_TEMPERATURE, 0)},
    {GPU("gpu_temperature", WS_TEMPERATURE, 0)},
    {GPU("gpu_temp", WS_TEMPERATURE, 0)},
    {GPU("temp_gpu", WS_TEMPERATURE, 0)},
    {GPU("temperature_sensor_edge", WS_TEMPERATURE, 0)},
    {GPU("temperature_sensor_junction", WS_TEMPERATURE, 1)},
    {GPU("temperature", WS_TEMPERATURE, 0)},
    {GPU("temp", WS_TEMPERATURE, 0)},

    {ROLE("module_power_draw", WS_ROLE_UNUSED)}, /* of the board that a GPU shares with others */
    {ROLE("module_power_draw_average", WS_ROLE_UNUSED)},
    {ROLE("module_power_draw_instant", WS_ROLE_UNUSED)},
    {ROLE("module_power_limit", WS_ROLE_UNUSED)},
    {ROLE("module_enforced_power_limit", WS_ROLE_UNUSED)},
    {ROLE("module_power_default_limit", WS_ROLE_UNUSED)},
    {ROLE("module_power_min_limit", WS_ROLE_UNUSED)},
    {ROLE("module_power_max_limit", WS_ROLE_UNUSED)},
    {ROLE("pstate", WS_ROLE_UNUSED)},
    {ROLE("gfx_voltage", WS_ROLE_UNUSED)}, /* of amd-smi metric --csv, beside its power */
    {ROLE("soc_voltage", WS_ROLE_UNUSED)},
    {ROLE("mem_voltage", WS_ROLE_UNUSED)},
    {ROLE("throttle_status", WS_ROLE_UNUSED)},
    {ROLE("power_management", WS_ROLE_UNUSED)},
    {ROLE("mm_activity", WS_ROLE_UNUSED)},
    {ROLE("vcn_activity", WS_ROLE_UNUSED)},
    {ROLE("jpeg_activity", WS_ROLE_UNUSED)},
    {ROLE("memory_total", WS_ROLE_UNUSED)},
    {ROLE("memory_free", WS_ROLE_UNUSED)},
    {ROLE("mem_total", WS_ROLE_UNUSED)},
    {ROLE("memory_max", WS_ROLE_UNUSED)},
    {ROLE("power_max", WS_ROLE_UNUSED)},
    {ROLE("power_max_limit", WS_ROLE_UNUSED)},
    {ROLE("power_min_limit", WS_ROLE_UNUSED)},
    {ROLE("power_default_limit", WS_ROLE_UNUSED)},
    {ROLE("fan", WS_ROLE_UNUSED)},
    {ROLE("fan_speed", WS_ROLE_UNUSED)},
    {ROLE("clocks_mem", WS_ROLE_UNUSED)},
    {ROLE("clocks_current_memory", WS_ROLE_UNUSED)},
    {ROLE("clocks_video", WS_ROLE_UNUSED)},
    {ROLE("clocks_current_video", WS_ROLE_UNUSED)},
    {ROLE("temperature_memory", WS_ROLE_UNUSED)},
    {ROLE("driver_version", WS_ROLE_UNUSED)},
    {ROLE("pcie_link_gen_current", WS_ROLE_UNUSED)},
    {ROLE("pcie_link_gen_gpucurrent", WS_ROLE_UNUSED)},
    {ROLE("pcie_link_width_current", WS_ROLE_UNUSED)},
    {ROLE("count", WS_ROLE_UNUSED)},
    {ROLE("compute_mode", WS_ROLE_UNUSED)},
    {ROLE("clocks_throttle_reasons_active", WS_ROLE_UNUSED)},
    {ROLE("clocks_event_reasons_active", WS_ROLE_UNUSED)},

    /* Of tables of runs, and of no trace. */
    {NAME("run"), .flags = WS_NAME_OF_RUNS},
    {NAME("run_id"), RUN("run")},
    {NAME("job_id"), RUN("run"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("job"), RUN("run")},
    {NAME("jobid"), RUN("run"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("slurmid"), RUN("run")},
    {NAME("run_file"), RUN("run")},
    {NAME("series"), .flags = WS_NAME_OF_RUNS},
    {NAME("repeat"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("model"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("submission_benchmark"), RUN("model")},
    {NAME("network"), RUN("model"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("benchmark"), RUN("model")},
    {NAME("gpus"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("n_gpus"), RUN("gpus"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("num_gpus"), RUN("gpus"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("world_size"), RUN("gpus"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("ntasks"), RUN("gpus")},
    {NAME("accelerators"), RUN("gpus")},
    {NAME("gpu_count"), RUN("gpus")},
    {NAME("nodes"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("n_nodes"), RUN("nodes")},
    {NAME("num_nodes"), RUN("nodes")},
    {NAME("lbs"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("local_batch_size"), RUN("lbs"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("per_device_train_batch_size"), RUN("lbs")},
    {NAME("gbs"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("global_batch_size"), RUN("gbs"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("epochs"), .flags = WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE},
    {NAME("num_epochs"), RUN("epochs")},
    {NAME("num_train_epochs"), RUN("epochs")},
    {NAME("dataset_samples"), .flags = WS_NAME_OF_RUNS},
    {NAME("n_samples"), RUN("dataset_samples")},
    {NAME("samples"), RUN("dataset_samples")},
    {NAME("train_samples"), RUN("dataset_samples")},
    {NAME("workload"), .flags = WS_NAME_OF_RUNS},
    {NAME("clock_cap"), RUN("clock_cap_hz")},
    {NAME("wall_s"), .flags = WS_NAME_OF_RUNS},
    {NAME("runtime"), RUN("wall_s")},
    {NAME("run_time"), RUN("wall_s")},
    {NAME("wall_time"), RUN("wall_s")},
    {NAME("walltime"), RUN("wall_s")},
    {NAME("wall"), RUN("wall_s")},
    {NAME("train_runtime"), RUN("wall_s"), .flags = WS_NAME_HAS_UNIT},
    {NAME("duration"), RUN("wall_s")},
    {NAME("time_per_epoch"), RUN("epoch_s")},
    {NAME("gpu_h"), .flags = WS_NAME_OF_RUNS},
    {NAME("gpu_hours"), RUN("gpu_h"), .flags = WS_NAME_HAS_UNIT},
    {NAME("gpuh"), RUN("gpu_h"), .flags = WS_NAME_HAS_UNIT},
    {NAME("energy_kwh"), .flags = WS_NAME_OF_RUNS},
    {NAME("energy_gpu"), RUN("energy_gpu_kwh")},
    {NAME("energy_cpu"), RUN("energy_cpu_kwh")},
    {NAME("energy_dram"), RUN("energy_dram_kwh")},
    {NAME("avg_power"), RUN("gpu_power_w")},
    {NAME("mean_power"), RUN("gpu_power_w")},
    {NAME("state"), RUN("status")},

    {NAME("n_runs"), .flags = WS_NAME_OF_RUNS},
    {NAME("runtime_h"), .flags = WS_NAME_OF_RUNS},
    {NAME("batch_size"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("config"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("dataset"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("accuracy"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("seed"), .flags = WS_NAME_OF_NO_TRACE},
    {NAME("rapl_domain"), .zone = WS_ZONE_NAME},
    {NAME("domain_name"), .zone = WS_ZONE_NAME},
    {NAME("zone"), .zone = WS_ZONE_PATH},
    {NAME("path"), .zone = WS_ZONE_PATH},
    {NAME("zone_id"), .zone = WS_ZONE_PATH},
    {NAME("zone_path"), .zone = WS_ZONE_PATH},
    {NAME("package"), .zone = WS_ZONE_SOCKET},
};

#define DEVICE(whose) .is_device = true, .device = whose
#define NUMBERED(whose) .is_device = true, .needs_number = true, .device = whose
#define ZONE(how, what) .trust = how, .zone = what

/* Zones of RAPL: package first in a name, whatever else stands beside it lies inside. */
static const ws_known_word words[] = {
    {"gpu", DEVICE(WS_GPU), ZONE(WS_ZONE_MAYBE, WS_CPU_GFX)},
    {"accel", DEVICE(WS_GPU)},
    {"accelerator", DEVICE(WS_GPU)},
    {"card", NUMBERED(WS_GPU)},
    {"device", NUMBERED(WS_GPU)},
    {"cpu", DEVICE(WS_CPU), ZONE(WS_ZONE_MAYBE, WS_CPU)},
    {"package", DEVICE(WS_CPU), ZONE(WS_ZONE_SURE, WS_CPU)},
    {"pkg", DEVICE(WS_CPU), ZONE(WS_ZONE_SURE, WS_CPU)},
    {"socket", DEVICE(WS_CPU), ZONE(WS_ZONE_MAYBE, WS_CPU)},
    {"dram", DEVICE(WS_DRAM), ZONE(WS_ZONE_SURE, WS_DRAM)},
    {"ram", DEVICE(WS_DRAM), ZONE(WS_ZONE_MAYBE, WS_DRAM)},
    {"core", ZONE(WS_ZONE_BESIDE, WS_CPU_CORE)},
    {"cores", ZONE(WS_ZONE_BESIDE, WS_CPU_CORE)},
    {"pp0", ZONE(WS_ZONE_BESIDE, WS_CPU_CORE)},
    {"uncore", ZONE(WS_ZONE_BESIDE, WS_CPU_GFX)},
    {"pp1", ZONE(WS_ZONE_BESIDE, WS_CPU_GFX)},
    {"gfx", ZONE(WS_ZONE_MAYBE, WS_CPU_GFX)},
    {"psys", ZONE(WS_ZONE_SURE, WS_PSYS)},
    {"platform", ZONE(WS_ZONE_MAYBE, WS_PSYS)},
    {"node", DEVICE(WS_NODE)},
    {"n", NUMBERED(WS_NODE)},
    {"host", DEVICE(WS_NODE)},
    {"server", DEVICE(WS_NODE)},
    {"system", DEVICE(WS_NODE)},
    {"wall", DEVICE(WS_WALL)},
    {"plug", DEVICE(WS_WALL)},
    {"pdu", DEVICE(WS_WALL)},
    {"outlet", DEVICE(WS_WALL)},

    {"total", .is_total = true},
    {"sum", .is_total = true},
    {"all", .is_total = true},
    {"combined", .is_total = true},

    {"min", .is_no_reading = true},
    {"max", .is_no_reading = true},
    {"avg", .is_no_reading = true},
    {"mean", .is_no_reading = true},
    {"average", .is_no_reading = true},
    {"median", .is_no_reading = true},
    {"std", .is_no_reading = true},
    {"limit", .is_no_reading = true},
    {"cap", .is_no_reading = true},
    {"peak", .is_no_reading = true},
    {"apparent", .is_no_reading = true},
    {"reactive", .is_no_reading = true},
    {"predicted", .is_no_reading = true},
    {"tdp", .is_no_reading = true},
    {"idle", .is_no_reading = true},
};

const ws_known_name *ws_dictionary_find(ws_span plain)
{
    for (size_t i = 0; plain.n && i < sizeof names / sizeof *names; i++)
        if (*plain.p == *names[i].name && ws_span_eq(plain, names[i].name))
            return &names[i];
    return NULL;
}

const ws_known_name *ws_dictionary_find_spelled(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    return ws_dictionary_find(ws_plain_name(buffer, name));
}

const ws_known_name *ws_dictionary(size_t *n)
{
    *n = sizeof names / sizeof *names;
    return names;
}

bool ws_name_has(ws_span spelled, unsigned flag)
{
    const ws_known_name *known = ws_dictionary_find_spelled(spelled);
    return known && known->flags & flag;
}

const ws_known_word *ws_known_word_find(ws_span word)
{
    for (size_t i = 0; word.n && i < sizeof words / sizeof *words; i++)
        if (*word.p == *words[i].word && ws_span_eq(word, words[i].word))
            return &words[i];
    return NULL;
}

/* Of NVIDIA's Jetson documentation of tegrastats, by board; real logs: Orin NX (VDD_IN, VDD_CPU_GPU_CV, VDD_SOC). */
static const struct {
    const char *rail;
    ws_domain domain;
} rails[] = {
    {"VDD_IN", WS_NODE},      {"POM_5V_IN", WS_NODE},  {"VDD_GPU_SOC", WS_GPU}, {"VDD_GPU", WS_GPU},
    {"VDD_SYS_GPU", WS_GPU},  {"POM_5V_GPU", WS_GPU},  {"GPU", WS_GPU},         {"VDD_CPU_CV", WS_CPU},
    {"VDD_CPU", WS_CPU},      {"VDD_SYS_CPU", WS_CPU}, {"POM_5V_CPU", WS_CPU},  {"CPU", WS_CPU},
    {"VDD_SYS_DDR", WS_DRAM}, {"VDDRQ", WS_DRAM},
};

ws_domain ws_board_rail_domain(ws_span rail)
{
    for (size_t i = 0; i < sizeof rails / sizeof *rails; i++)
        if (ws_span_eq_nocase(rail, rails[i].rail))
            return rails[i].domain;
    return WS_OTHER;
}

bool ws_is_board_rail(ws_span name)
{
    static const char *const beginnings[] = {"VDD_", "VIN_", "POM_5V_", "VDDRQ"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t n = strlen(beginnings[i]);
        if (name.n >= n && ws_span_eq_nocase((ws_span){name.p, n}, beginnings[i]))
            return true;
    }
    return false;
}

ws_dimension ws_quantity_dimension(ws_quantity quantity)
{
    static const ws_dimension dimensions[WS_QUANTITY_N] = {
        [WS_POWER] = WS_DIM_POWER,     [WS_ENERGY_COUNTER] = WS_DIM_ENERGY,   [WS_ENERGY_INTERVAL] = WS_DIM_ENERGY,
        [WS_UTIL] = WS_DIM_RATIO,      [WS_MEM_UTIL] = WS_DIM_RATIO,          [WS_MEM_USED] = WS_DIM_BYTES,
        [WS_CLOCK] = WS_DIM_FREQUENCY, [WS_TEMPERATURE] = WS_DIM_TEMPERATURE, [WS_POWER_LIMIT] = WS_DIM_POWER,
        [WS_OTHER_VALUE] = WS_DIM_NONE};
    return dimensions[quantity];
}

const ws_unit *ws_usual_unit(ws_quantity quantity)
{
    static const char *const units[WS_DIM_N] = {
        [WS_DIM_NONE] = "",   [WS_DIM_POWER] = "W",   [WS_DIM_ENERGY] = "J",      [WS_DIM_TIME] = "s",
        [WS_DIM_RATIO] = "%", [WS_DIM_BYTES] = "MiB", [WS_DIM_FREQUENCY] = "MHz", [WS_DIM_TEMPERATURE] = "C"};
    return ws_unit_find(ws_span_of(units[ws_quantity_dimension(quantity)]));
}

bool ws_is_energy(ws_quantity quantity)
{
    return ws_quantity_dimension(quantity) == WS_DIM_ENERGY;
}

bool ws_is_metered(ws_quantity quantity)
{
    return quantity == WS_POWER || ws_is_energy(quantity);
}

ws_rule ws_usual_rule(ws_quantity quantity)
{
    return quantity == WS_POWER             ? WS_RULE_TRAPEZOID
           : quantity == WS_ENERGY_COUNTER  ? WS_RULE_COUNTER
           : quantity == WS_ENERGY_INTERVAL ? WS_RULE_INTERVAL
                                            : WS_RULE_NONE;
}

/* --- names of RAPL zones --- */

static const char copy_prefix[] = "intel_rapl_mmio_";

static bool find_word(ws_span word, ws_domain *domain)
{
    const ws_known_word *known = ws_known_word_find(word);
    bool is_zone = known && known->trust != WS_ZONE_NEVER;
    if (is_zone)
        *domain = known->zone;
    return is_zone;
}

ws_zone_trust ws_rapl_trust(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    const ws_known_word *known = ws_known_word_find(ws_plain_name(buffer, name));
    return known ? known->trust : WS_ZONE_NEVER;
}

static ws_span without_digits(ws_span word)
{
    while (word.n && word.p[word.n - 1] >= '0' && word.p[word.n - 1] <= '9')
        word.n--;
    return word;
}

/* intel-rapl:0 is a package; the zones inside and the copy in intel-rapl-mmio have a name only in a file of their own.
 */
static bool find_path(ws_span plain, ws_rapl_zone *zone)
{
    bool is_copy = ws_span_has_prefix(plain, copy_prefix);
    const char *prefix = is_copy ? copy_prefix : "intel_rapl_";
    if (!ws_span_has_prefix(plain, prefix))
        return false;
    ws_span rest = {plain.p + ws_span_of(prefix).n, plain.n - ws_span_of(prefix).n}, package, inside;
    int64_t number;
    if (!ws_span_split(&rest, '_', &package) || !ws_span_i64(package, &zone->package) || zone->package > 1023)
        return false;
    bool is_inside = ws_span_split(&rest, '_', &inside) && ws_span_i64(inside, &number);
    zone->is_unclear = is_copy || is_inside;
    zone->domain = zone->is_unclear ? WS_OTHER : WS_CPU;
    return true;
}

bool ws_rapl_zone_find(ws_span name, ws_rapl_zone *zone)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, name), rest = plain, word;
    bool found = false;
    *zone = (ws_rapl_zone){.domain = WS_CPU};
    if (find_path(plain, zone))
        return true;
    while (ws_span_split(&rest, '_', &word)) {
        ws_span letters = without_digits(word);
        ws_domain domain;
        bool is_zone = find_word(word, &domain) || find_word(letters, &domain);
        int64_t number;
        bool has_number = ws_span_i64((ws_span){word.p + letters.n, word.n - letters.n}, &number) && number < 1024;
        bool is_socket = has_number && (is_zone || !letters.n || ws_span_eq(letters, "n") || ws_span_eq(letters, "s"));
        if (is_socket && !ws_span_has_prefix(word, "pp"))
            zone->package = number;
        if (is_zone && (!found || zone->domain == WS_CPU))
            zone->domain = domain;
        found |= is_zone;
    }
    return found;
}

bool ws_rapl_zone_at(ws_span path, ws_span socket, ws_span name, ws_rapl_zone *zone)
{
    enum { LONGEST = 30 };
    char text[3 * (LONGEST + 1)], plain[WS_PLAIN_NAME];
    ws_rapl_zone place = {.package = 0};
    ws_span of_path = ws_plain_name(plain, path);
    bool is_path = find_path(of_path, &place), is_copy = is_path && ws_span_has_prefix(of_path, copy_prefix);
    if (is_path && (!name.n || is_copy)) {
        *zone = place;
        return true;
    }
    const ws_span parts[] = {socket, is_path ? (ws_span){"", 0} : path, name};
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t take = parts[i].n < LONGEST ? parts[i].n : LONGEST;
        memcpy(text + n, parts[i].p, take);
        n += take;
        text[n++] = '/';
    }
    bool found = ws_rapl_zone_find((ws_span){text, n}, zone);
    if (is_path)
        zone->package = place.package;
    return found;
}

const char *ws_rapl_device(ws_arena *arena, const ws_rapl_zone *zone)
{
    bool is_inside = zone->domain == WS_CPU_CORE || zone->domain == WS_CPU_GFX;
    if (zone->domain == WS_PSYS || zone->domain == WS_OTHER)
        return ws_domain_name(zone->domain);
    return ws_arena_printf(arena, "%s%" PRId64, ws_domain_name(is_inside ? WS_CPU : zone->domain), zone->package);
}

ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error)
{
    enum { MOST = 16 * 1024 };
    return n <= MOST ? WS_OK
                     : ws_fail_at(error, WS_FORMAT, source, line, "more than %d zones: '%s' does not look like one",
                                  MOST, id);
}
