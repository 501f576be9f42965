/* Which row of what is known of power sensors fits a device. The rows themselves are facts of arXiv 2312.02741. */
#include "harness.h"

#include "core/power_sensors.h"

#include <math.h>
#include <string.h>

static ws_sensor found(const char *model, const char *driver, const char *column)
{
    return ws_sensor_of(NULL, &(ws_sensor_key){model, driver, "gpu0", column, WS_GPU});
}

START_TEST(the_driver_is_part_of_the_key)
{
    static const struct {
        const char *model, *driver, *column;
        double window_s; /* NaN: nothing is known */
    } cases[] = {
        {"NVIDIA GeForce RTX 4090", "525.89.02", "power.draw [W]", 1},
        {"NVIDIA GeForce RTX 4090", "530.30.02", "power.draw [W]", 0.11},
        {"NVIDIA GeForce RTX 4090", "535.54.03", "power.draw [W]", 1},
        {"NVIDIA GeForce RTX 4090", "535.54.03", "power.draw.instant [W]", 0.11},
        {"NVIDIA GeForce RTX 4090", "535.54.03", "power.draw.average [W]", 1},
        {"NVIDIA GeForce RTX 4090", "570.12", "power.draw [W]", NAN}, /* nobody measured that one */
        {"NVIDIA GeForce RTX 4090", NULL, "power.draw [W]", 1},       /* the longest */
        {"NVIDIA GeForce RTX 4090 Laptop GPU", "535.54.03", "power.draw [W]", NAN},
        {"NVIDIA A100-SXM4-40GB", "525.85.12", "power.draw [W]", 0.025},
        {"NVIDIA A100 80GB PCIe", "530.30.02", "power.draw [W]", 0.025},
        {"NVIDIA A10", "525.85.12", "power.draw [W]", 1},
        {"NVIDIA A10G", "525.85.12", "power.draw [W]", NAN},
        {"nvidia h100 pcie", "535.54", "average_power_draw", 1},
        {"NVIDIA H100 PCIe", "535.54", "power.draw.instant [W]", 0.025},
        {"Tesla V100-SXM2-16GB", "525.116.04", "power.draw [W]", 0.011},
        {"GeForce GTX TITAN X", "535.54", "power.draw [W]", NAN},
        {"NVIDIA TITAN X (Pascal)", "535.54", "power.draw [W]", 0.012},
        {NULL, NULL, "power.draw [W]", NAN},
        {"", "", "power.draw [W]", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double window_s = found(cases[i].model, cases[i].driver, cases[i].column).window_s, want = cases[i].window_s;
        ck_assert_msg(isnan(want) ? isnan(window_s) : window_s == want, "case %zu: %g, not %g", i, window_s, want);
    }
}
END_TEST

START_TEST(a_reading_lags_by_half_a_window_and_a_period)
{
    ws_sensor nothing = found(NULL, NULL, NULL), a100 = found("A100", "525.1", "power.draw");
    ck_assert_double_eq(ws_sensor_lag_s(&nothing), 0.6);
    ck_close(ws_sensor_lag_s(&a100), 0.0125 + 0.101, 1e-12, 0);
    a100.period_s = NAN;
    ck_close(ws_sensor_lag_s(&a100), 0.0125 + 0.1, 1e-12, 0);
}
END_TEST

/* A table of one row, of the columns that are not NULL or NaN. */
static ws_status add(ws_sensors *own, const char *device, const char *field, double window_s, double gain_u)
{
    ws_table table;
    ws_error error = {0};
    ws_table_init(&table, "table");
    ws_table_add_row(&table);
    if (device)
        ws_table_set_text(&table, ws_table_add_column(&table, "device", WS_TEXT), 0, device);
    if (field)
        ws_table_set_text(&table, ws_table_add_column(&table, "field", WS_TEXT), 0, field);
    ws_table_set_number(&table, ws_table_add_column(&table, "window_s", WS_NUMBER), 0, window_s);
    ws_table_set_number(&table, ws_table_add_column(&table, "gain_u", WS_NUMBER), 0, gain_u);
    ws_status status = ws_sensors_add(own, &table, &error);
    ck_assert(status == WS_OK || strstr(error.message, "row 1 of the sensors") != NULL);
    ws_table_free(&table);
    return status;
}

START_TEST(a_users_rows_come_first)
{
    ws_sensors own = {0};
    ws_sensor_key a100 = {"NVIDIA A100-SXM4-40GB", "525.1", "gpu0", "power.draw", WS_GPU};
    ws_sensor_key wall = {NULL, NULL, "wall", "W", WS_WALL};
    ck_assert_int_eq(add(&own, "A100", NULL, NAN, 0.02), WS_OK);
    ck_assert_int_eq(add(&own, "wall", "draw", 2, 0.005), WS_OK);
    ws_sensor of_gpu = ws_sensor_of(&own, &a100), of_wall = ws_sensor_of(&own, &wall);
    ck_assert_double_eq(of_gpu.gain_u, 0.02);
    ck_assert_double_eq(of_gpu.window_s, 0.025); /* what they do not say the program's rows do */
    ck_assert_double_eq(of_wall.gain_u, 0.005);
    ck_assert_double_eq(of_wall.window_s, 2);
    ck_assert_double_nan(found("NVIDIA A100-SXM4-40GB", "525.1", "power.draw").gain_u);
    ws_sensors_free(&own);
}
END_TEST

START_TEST(rows_that_say_nothing_sensible_are_refused)
{
    ws_sensors own = {0};
    ck_assert_int_ne(add(&own, NULL, NULL, 1, 0.1), WS_OK);
    ck_assert_int_ne(add(&own, "A100", "peak", 1, 0.1), WS_OK);
    ck_assert_int_ne(add(&own, "A100", NULL, -1, 0.1), WS_OK);
    ck_assert_int_ne(add(&own, "A100", NULL, 3601, 0.1), WS_OK);
    ck_assert_int_ne(add(&own, "A100", NULL, 1, 5), WS_OK); /* per cent */
    ck_assert_int_eq(add(&own, "A100", NULL, 3600, 1), WS_OK);
    ck_assert_uint_eq(own.n, 1);
    ws_sensors_free(&own);
}
END_TEST

/* What cannot be read must not leave the default in place unseen: a misspelt column, a driver as NVIDIA writes it. */
START_TEST(columns_that_cannot_be_read_are_refused)
{
    static const struct {
        const char *column, *cell, *says;
    } cases[] = {{"gain", "0.01", "'gain' is no column of sensors"},
                 {"gain_u", "1 %", "gain_u of the sensors holds what is no number"},
                 {"driver_from", "525.60.13", "driver_from of the sensors holds what is no number"},
                 {"source", "a lab's meter", NULL},
                 {"gain_u", NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_sensors own = {0};
        ws_table table;
        ws_error error = {0};
        ws_table_init(&table, "table");
        ws_table_add_row(&table);
        ws_table_set_text(&table, ws_table_add_column(&table, "device", WS_TEXT), 0, "A100");
        size_t column = ws_table_add_column(&table, cases[i].column, WS_TEXT);
        if (cases[i].cell)
            ws_table_set_text(&table, column, 0, cases[i].cell);
        ws_status status = ws_sensors_add(&own, &table, &error);
        ck_assert_int_eq(status == WS_OK, cases[i].says == NULL);
        ck_assert(!cases[i].says || strstr(error.message, cases[i].says) != NULL);
        ws_table_free(&table);
        ws_sensors_free(&own);
    }
}
END_TEST

static const ws_sensor *row_of(const char *device, const char *reading)
{
    size_t n;
    const ws_sensor *known = ws_sensors_known(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(known[i].device, device) == 0 && (!reading || strcmp(known[i].reading, reading) == 0))
            return &known[i];
    return NULL;
}

/* What is no mean over a window, and what is stated of other readings, is told with its source and changes no energy.
 */
START_TEST(facts_that_no_reading_goes_by)
{
    static const struct {
        const char *device, *reading, *kind;
        double period_s;
    } facts[] = {{"GTX TITAN X", NULL, "exponential", 0.101},
                 {"Quadro K620", NULL, "exponential", 0.098},
                 {"Tesla K80", NULL, "exponential", 0.101},
                 {"Tesla K40m", NULL, "exponential", 0.015},
                 {"Fermi", NULL, "estimation", NAN},
                 {"NVIDIA from Volta on", "NVML total energy", "counter", 0.1},
                 {"GH200, Grace", "module grace cpu sysio", NULL, NAN},
                 {"AMD to MI200, Navi", "average_socket_power", "filtered mean", NAN},
                 {"AMD from MI300 on", "current_socket_power", NULL, NAN},
                 {"AMD EPYC from Zen 2 on", "RAPL package", "counter", 0.001},
                 {"Intel from Haswell-EP on", "RAPL package", "counter", 0.001},
                 {"Intel from Haswell-EP on", "RAPL DRAM", "counter", 0.001},
                 {"Intel Haswell clients", "RAPL DRAM", "counter", 0.001},
                 {"Intel Sandy, Ivy Bridge", "RAPL package", "counter", 0.001},
                 {"HDEEM", "blade", NULL, 0.001},
                 {"HDEEM", "CPU, DRAM regulators", NULL, 0.01},
                 {"HPE Cray", "pm_counters", "point", 0.1}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const ws_sensor *row = row_of(facts[i].device, facts[i].reading);
        ck_assert_msg(row != NULL, "%s", facts[i].device);
        ck_assert(isnan(facts[i].period_s) ? isnan(row->period_s) : row->period_s == facts[i].period_s);
        ck_assert_str_eq(row->window_kind ? row->window_kind : "", facts[i].kind ? facts[i].kind : "");
        ck_assert_double_nan(row->window_s);
        ck_assert(row->source && *row->source);
        ws_sensor sensor = ws_sensor_of(NULL, &(ws_sensor_key){facts[i].device, NULL, "gpu0", "power", WS_GPU});
        ck_assert_double_nan(sensor.window_s);
        ck_assert_double_nan(sensor.gain_u);
        ck_assert_double_eq(ws_sensor_lag_s(&sensor), WS_SENSOR_USUAL_LAG_S);
    }
}
END_TEST

START_TEST(every_row_has_a_source)
{
    size_t n;
    const ws_sensor *known = ws_sensors_known(&n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_msg(known[i].source && strchr(known[i].source, ' '), "%s", known[i].device);
        ck_assert_msg((known[i].fields == 0) == (known[i].reading != NULL), "%s", known[i].device);
    }
}
END_TEST

/* Whole words of a name, as vendors' data sheets have their cards. */
START_TEST(board_powers)
{
    static const struct {
        const char *model;
        double power_w;
    } cases[] = {{"NVIDIA A100-SXM4-40GB", 500}, {"NVIDIA H100 80GB HBM3", 700}, {"Tesla T4", 70}, {"NVIDIA A10", 150},
                 {"NVIDIA L40S", 350},           {"AMD Instinct MI250X", 560}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq(ws_board_power_w(cases[i].model), cases[i].power_w);
    ck_assert(isnan(ws_board_power_w("NVIDIA A10G")));
    ck_assert(isnan(ws_board_power_w("NVIDIA GeForce RTX 3090")));
    ck_assert(isnan(ws_board_power_w(NULL)));
}
END_TEST

TEST_MAIN("power sensors", facts_that_no_reading_goes_by, every_row_has_a_source,
          columns_that_cannot_be_read_are_refused, the_driver_is_part_of_the_key,
          a_reading_lags_by_half_a_window_and_a_period, a_users_rows_come_first,
          rows_that_say_nothing_sensible_are_refused, board_powers)
