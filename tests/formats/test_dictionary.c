#include "harness.h"

#include "formats/table/dictionary.h"

#include <string.h>

/* Names as ws_plain_name writes them, each once, with something to say. */
START_TEST(names_are_plain_and_stand_once)
{
    size_t n;
    char plain[WS_PLAIN_NAME];
    const ws_known_name *names = ws_dictionary(&n);
    for (size_t i = 0; i < n; i++) {
        const char *name = names[i].name;
        ck_assert_msg(ws_span_eq(ws_plain_name(plain, ws_span_of(name)), name), "%s", name);
        ck_assert_msg(ws_dictionary_find(ws_span_of(name)) == &names[i], "%s stands twice", name);
        ck_assert_msg(names[i].role || names[i].run || names[i].zone || names[i].flags, "%s says nothing", name);
        ck_assert_msg(!names[i].run || strcmp(names[i].run, name) != 0, "%s stands for itself", name);
    }
}
END_TEST

/* One name, what it says in a trace and in a table of runs. */
static const struct {
    const char *spelled;
    ws_role role;
    const char *run;
} cases[] = {
    {"Time", WS_ROLE_TIME, "wall_s"},
    {"energy", WS_ROLE_VALUE, "energy_kwh"},
    {"GPU Power", WS_ROLE_VALUE, "gpu_power_w"},
    {"power.limit", WS_ROLE_VALUE, "power_cap_w"},
    {"epoch time", WS_ROLE_TIME, "epoch_s"},
    {"uuid", WS_ROLE_UUID, ""},
    {"Num-GPUs", WS_ROLE_UNKNOWN, "gpus"},
    {"accelerator", WS_ROLE_GPU, "device"},
};

START_TEST(one_name_for_traces_and_runs)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(cases[i].spelled));
        ck_assert_msg(known && known->role == cases[i].role, "%s", cases[i].spelled);
        ck_assert_str_eq(known->run ? known->run : "", cases[i].run);
    }
    ck_assert_ptr_null(ws_dictionary_find_spelled(ws_span_of("colour")));
    ck_assert_ptr_null(ws_dictionary_find_spelled(ws_span_of("")));
}
END_TEST

/* "gpu" is the GPU of a column's name and the graphics of a processor among the zones of RAPL. */
START_TEST(words_of_devices_and_zones)
{
    const ws_known_word *gpu = ws_known_word_find(ws_span_of("gpu")), *pkg = ws_known_word_find(ws_span_of("pkg"));
    ck_assert(gpu && gpu->is_device && gpu->device == WS_GPU && gpu->zone == WS_CPU_GFX);
    ck_assert_int_eq(gpu->trust, WS_ZONE_MAYBE);
    ck_assert(pkg && pkg->device == WS_CPU && pkg->zone == WS_CPU);
    ck_assert_int_eq(pkg->trust, WS_ZONE_SURE);
    ck_assert(ws_known_word_find(ws_span_of("total"))->is_total);
    ck_assert(ws_known_word_find(ws_span_of("tdp"))->is_no_reading);
    ck_assert(ws_known_word_find(ws_span_of("n"))->needs_number);
    ck_assert_ptr_null(ws_known_word_find(ws_span_of("colour")));
}
END_TEST

START_TEST(marks_of_tables_of_runs)
{
    ck_assert(ws_name_has(ws_span_of("\"gpus\""), WS_NAME_OF_RUNS));
    ck_assert(ws_name_has(ws_span_of("Batch Size"), WS_NAME_OF_NO_TRACE));
    ck_assert(!ws_name_has(ws_span_of("gpu"), WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE));
    ck_assert(!ws_name_has(ws_span_of("timestamp"), WS_NAME_OF_RUNS | WS_NAME_OF_NO_TRACE));
}
END_TEST

/* A degree sign in Latin-1, a unit that is not known, the pins of a plug: no number of a GPU. */
START_TEST(what_is_no_number_of_a_gpu)
{
    static const struct {
        const char *name;
        ws_domain domain;
        int64_t number;
    } names[] = {{"GPU Temperature [\xb0\x43]", WS_GPU, -1},
                 {"GPU2 Temperature [\xb0\x43]", WS_GPU, 2},
                 {"GPU Power (B)", WS_GPU, -1},
                 {"GPU B Power (W)", WS_GPU, 1},
                 {"nvml_power_watts", WS_GPU, -1},
                 {"GPU 8-pin #1 Input Power [W]", WS_OTHER, -1},
                 {"GPU 16-pin HVPWR Power [W]", WS_OTHER, -1},
                 {"8-Pin #2 Power [W]", WS_OTHER, -1},
                 {"GPU PCIe +12V Input Power [W]", WS_OTHER, -1},
                 {"GPU Core (NVVDD) Input Power [W]", WS_OTHER, -1},
                 {"System Agent Power [W]", WS_OTHER, -1},
                 {"System Power [W]", WS_NODE, -1},
                 {"NVIDIA H100 PCIe power_w", WS_GPU, -1},
                 {"powerstat_package_current_dram_power_consumption_watts", WS_DRAM, -1},
                 {"package_0_dram_power_w", WS_DRAM, 0},
                 {"cpu_dram_power_w", WS_CPU, -1},
                 {"power1_average", WS_GPU, -1},
                 {"BAT0_power_now", WS_NODE, -1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ws_meaning m = ws_meaning_of(ws_span_of(names[i].name));
        ck_assert_msg(m.device_number == names[i].number, "%s: number %d", names[i].name, (int)m.device_number);
        ck_assert_msg(m.role == WS_ROLE_UNKNOWN || m.domain == names[i].domain, "%s", names[i].name);
    }
}
END_TEST

/* The power of memory by its unit; without one it is a use of memory, or nothing. */
START_TEST(powers_of_memory)
{
    static const char *const powers[] = {"mem_w", "Memory [W]", "dimm_watts", "mem_mw", "mem_power"};
    static const char *const others[] = {"mem", "memory", "mem (%)", "memory [MiB]", "gpu0_mem_w"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        ws_meaning m = ws_meaning_of(ws_span_of(powers[i]));
        ck_assert_msg(m.domain == WS_DRAM && m.quantity == WS_POWER, "%s", powers[i]);
    }
    ck_assert_int_eq(ws_meaning_of(ws_span_of("mem_j")).domain, WS_DRAM);
    ck_assert_int_eq(ws_meaning_of(ws_span_of("mem_j")).quantity, WS_ENERGY_INTERVAL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(ws_meaning_of(ws_span_of(others[i])).domain != WS_DRAM, "%s", others[i]);
}
END_TEST

TEST_MAIN("dictionary", powers_of_memory, what_is_no_number_of_a_gpu, names_are_plain_and_stand_once,
          one_name_for_traces_and_runs, words_of_devices_and_zones, marks_of_tables_of_runs)
