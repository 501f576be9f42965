#include "harness.h"

#include "formats/table/columnmap.h"

#include <string.h>

static const struct {
    const char *cell;
    ws_role role;
    ws_quantity quantity;
    ws_domain domain;
    const char *unit, *device; /* "" for none */
    int64_t number;
} names[] = {
    {"timestamp", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"Timestamp (ns)", WS_ROLE_TIME, 0, 0, "ns", "", -1},
    {"elapsed_sec", WS_ROLE_TIME, 0, 0, "s", "", -1},
    {"TimeStampUs", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"timestamp_unix", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"Recorded At", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"datetime_utc", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"Date", WS_ROLE_DATE, 0, 0, "", "", -1},
    {"Time Bucket (America/New_York)", WS_ROLE_TIME, 0, 0, "", "", -1},
    {"Time Bucket (minutes)", WS_ROLE_TIME, 0, 0, "min", "", -1},
    {"Power:package-0,0", WS_ROLE_VALUE, WS_POWER, WS_CPU, "", "package-0", 0},
    {"Panel-Mains_A (kWatts)", WS_ROLE_VALUE, WS_POWER, WS_OTHER, "kW", "Panel-Mains_A", -1},
    {"pci.bus_id", WS_ROLE_BUS, 0, 0, "", "", -1},
    {"GPUId", WS_ROLE_GPU, 0, 0, "", "", -1},
    {"index", WS_ROLE_INDEX, 0, 0, "", "", -1},
    {"name", WS_ROLE_NAME, 0, 0, "", "", -1},
    {"power.draw [W]", WS_ROLE_VALUE, WS_POWER, WS_GPU, "W", "", -1},
    {"power_draw_W", WS_ROLE_VALUE, WS_POWER, WS_GPU, "W", "", -1},
    {"Power (mW)", WS_ROLE_VALUE, WS_POWER, WS_GPU, "mW", "", -1},
    {"power.limit [W]", WS_ROLE_VALUE, WS_POWER_LIMIT, WS_GPU, "W", "", -1},
    {"Power Max", WS_ROLE_UNUSED, 0, 0, "", "", -1},
    {"utilization_gpu_pct", WS_ROLE_VALUE, WS_UTIL, WS_GPU, "%", "", -1},
    {"utilization.memory [%]", WS_ROLE_VALUE, WS_MEM_UTIL, WS_GPU, "%", "", -1},
    {"memory_used_MiB", WS_ROLE_VALUE, WS_MEM_USED, WS_GPU, "MiB", "", -1},
    {"clocks.current.sm [MHz]", WS_ROLE_VALUE, WS_CLOCK, WS_GPU, "MHz", "", -1},
    {"temp_c", WS_ROLE_VALUE, WS_TEMPERATURE, WS_GPU, "C", "", -1},
    {"total_energy_consumption [mJ]", WS_ROLE_VALUE, WS_ENERGY_COUNTER, WS_GPU, "mJ", "", -1},
    {"gpu_energy_kwh", WS_ROLE_VALUE, WS_ENERGY_INTERVAL, WS_GPU, "kWh", "", -1},
    {"Actual Consumption/W", WS_ROLE_VALUE, WS_POWER, WS_WALL, "W", "", -1},
    {"Apparent Consumption/W", WS_ROLE_UNKNOWN, 0, 0, "W", "", -1},
    {"Voltage/V", WS_ROLE_UNKNOWN, 0, 0, "", "", -1},
    {"cpu_power_w", WS_ROLE_VALUE, WS_POWER, WS_CPU, "W", "", -1},
    {"GPU0", WS_ROLE_VALUE, WS_POWER, WS_GPU, "", "GPU0", 0},
    {"gpu1_power_w", WS_ROLE_VALUE, WS_POWER, WS_GPU, "W", "gpu1", 1},
    {"gpu_2_util_pct", WS_ROLE_VALUE, WS_UTIL, WS_GPU, "%", "gpu_2", 2},
    {"GPU 3 Power [W]", WS_ROLE_VALUE, WS_POWER, WS_GPU, "W", "GPU 3", 3},
    {"cpu1_energy_j", WS_ROLE_VALUE, WS_ENERGY_INTERVAL, WS_CPU, "J", "cpu1", 1},
    {"n2_watts", WS_ROLE_VALUE, WS_POWER, WS_NODE, "W", "n2", 2},
    {"gpu_power_1", WS_ROLE_VALUE, WS_POWER, WS_GPU, "", "1", 1}, /* the number behind the quantity */
    {"GPU Power 1 [mW]", WS_ROLE_VALUE, WS_POWER, WS_GPU, "mW", "1", 1},
    {"gpu_util_12", WS_ROLE_VALUE, WS_UTIL, WS_GPU, "", "12", 12},
    {"dram_power_0", WS_ROLE_VALUE, WS_POWER, WS_DRAM, "", "0", 0},
    {"node_power_1", WS_ROLE_VALUE, WS_POWER, WS_NODE, "", "1", 1},
    {"cpu_energy_1_j", WS_ROLE_VALUE, WS_ENERGY_INTERVAL, WS_CPU, "J", "1", 1},
    {"cpu_package_1_power", WS_ROLE_VALUE, WS_POWER, WS_CPU, "", "package_1", 1},
    {"cpu_package_power", WS_ROLE_VALUE, WS_POWER, WS_CPU, "", "", -1},
    {"GPU B (W)", WS_ROLE_VALUE, WS_POWER, WS_GPU, "W", "GPU B", 1}, /* letters count as numbers do */
    {"wall_b_w", WS_ROLE_VALUE, WS_POWER, WS_WALL, "W", "wall_b", 1},
    {"server-a [W]", WS_ROLE_VALUE, WS_POWER, WS_NODE, "W", "server-a", 0},
    {"gpu_power_b", WS_ROLE_VALUE, WS_POWER, WS_GPU, "", "b", 1},
    {"GPU (A)", WS_ROLE_UNKNOWN, 0, 0, "", "", -1}, /* a current */
    {"Rack 7 (W)", WS_ROLE_VALUE, WS_POWER, WS_OTHER, "W", "Rack 7", -1},
    {"power_min", WS_ROLE_UNKNOWN, 0, 0, "min", "", -1}, /* not a power in minutes */
    {"epochs", WS_ROLE_UNKNOWN, 0, 0, "", "", -1},
    {"", WS_ROLE_UNKNOWN, 0, 0, "", "", -1},
};

START_TEST(meanings)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ws_meaning m = ws_meaning_of(ws_span_of(names[i].cell));
        ck_assert_msg(m.role == names[i].role, "%s: role %d", names[i].cell, (int)m.role);
        ck_assert_msg(strcmp(m.unit ? m.unit->name : "", names[i].unit) == 0, "%s: unit %s", names[i].cell,
                      m.unit ? m.unit->name : "none");
        if (m.role != WS_ROLE_VALUE)
            continue;
        ck_assert_msg(m.quantity == names[i].quantity, "%s: %s", names[i].cell, ws_quantity_name(m.quantity));
        ck_assert_msg(m.domain == names[i].domain, "%s: %s", names[i].cell, ws_domain_name(m.domain));
        ck_assert_msg(ws_span_eq(m.device, names[i].device), "%s: device '%.*s'", names[i].cell, WS_SPAN_ARG(m.device));
        ck_assert_msg(m.device_number == names[i].number, "%s: number %d", names[i].cell, (int)m.device_number);
    }
}
END_TEST

START_TEST(order_of_power_columns)
{
    ck_assert_int_eq(ws_meaning_of(ws_span_of("power.draw [W]")).preference, 0);
    ck_assert_int_eq(ws_meaning_of(ws_span_of("power.draw.average [W]")).preference, 1);
    ck_assert_int_eq(ws_meaning_of(ws_span_of("power.draw.instant [W]")).preference, 2);
    ck_assert(ws_meaning_of(ws_span_of("total_watts")).is_total);
    ck_assert(!ws_meaning_of(ws_span_of("n1_watts")).is_total);
}
END_TEST

START_TEST(long_names_are_harmless)
{
    char name[5000];
    memset(name, 'x', sizeof name);
    ck_assert_int_eq(ws_meaning_of((ws_span){name, sizeof name}).role, WS_ROLE_UNKNOWN);
    memset(name, '_', sizeof name);
    ck_assert_int_eq(ws_meaning_of((ws_span){name, sizeof name}).role, WS_ROLE_UNKNOWN);
    memcpy(name, "gpu", 3);
    memset(name + 3, '9', sizeof name - 3);
    ck_assert_int_eq(ws_meaning_of((ws_span){name, sizeof name}).device_number, -1);
}
END_TEST

START_TEST(map_of_the_user)
{
    ws_map map;
    ws_error error = {0};
    ck_assert_int_eq(
        ws_map_parse(&map, "time=Timestamp, power=#2,unit=mW,gpu=dev,header=no,delimiter=;,domain=node", &error),
        WS_OK);
    ck_assert_uint_eq(map.n, 3);
    ck_assert_str_eq(map.columns[0].column, "Timestamp");
    ck_assert_int_eq(map.columns[0].meaning.role, WS_ROLE_TIME);
    ck_assert_str_eq(map.columns[1].column, "#2");
    ck_assert_int_eq(map.columns[1].meaning.quantity, WS_POWER);
    ck_assert_int_eq(map.columns[2].meaning.role, WS_ROLE_GPU);
    ck_assert_str_eq(map.unit->name, "mW");
    ck_assert(map.gives_header && !map.has_header);
    ck_assert_int_eq(map.delimiter, ';');
    ck_assert(map.gives_domain && map.domain == WS_NODE);
    ws_map_free(&map);
    ck_assert_int_eq(ws_map_parse(&map, "delimiter=,,header=yes", &error), WS_OK);
    ck_assert_int_eq(map.delimiter, ',');
    ck_assert(map.has_header);
    ws_map_free(&map);
    ck_assert_int_eq(ws_map_parse(&map, NULL, &error), WS_OK);
    ck_assert_uint_eq(map.n, 0);
    ws_map_free(&map);
}
END_TEST

START_TEST(wrong_maps)
{
    static const struct {
        const char *text, *word;
    } wrong[] = {{"watts=#2", "'watts'"},    {"power", "'power'"},      {"unit=km", "'km'"},
                 {"header=maybe", "maybe"},  {"domain=gpus", "'gpus'"}, {"delimiter=abc", "'abc'"},
                 {"devices=0", "devices=0"}, {"power=", "'power'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ws_map map;
        ws_error error = {0};
        ck_assert_int_eq(ws_map_parse(&map, wrong[i].text, &error), WS_USAGE);
        ck_assert_msg(strstr(error.message, wrong[i].word) != NULL, "%s: %s", wrong[i].text, error.message);
    }
}
END_TEST

START_TEST(columns_by_name_and_place)
{
    const ws_span header[] = {ws_span_of("time"), ws_span_of("Power [W]"), ws_span_of("power")};
    uint32_t column;
    ck_assert(ws_map_find("Power [W]", header, 3, &column) && column == 1);
    ck_assert(ws_map_find("power", header, 3, &column) && column == 2);
    ck_assert(ws_map_find("TIME", header, 3, &column) && column == 0);
    ck_assert(ws_map_find("#3", header, 3, &column) && column == 2);
    ck_assert(ws_map_find("Power", header, 2, &column) && column == 1);
    ck_assert(!ws_map_find("#4", header, 3, &column));
    ck_assert(!ws_map_find("#0", header, 3, &column));
    ck_assert(!ws_map_find("watts", header, 3, &column));
    ck_assert(!ws_map_find("time", NULL, 3, &column));
}
END_TEST

TEST_MAIN("column map", meanings, order_of_power_columns, long_names_are_harmless, map_of_the_user, wrong_maps,
          columns_by_name_and_place)
