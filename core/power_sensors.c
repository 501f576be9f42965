#include "core/power_sensors.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cards beside an external meter, and cards elsewhere: tables of GPU_Power_Benchmark, which name the drivers. Published
 * by Yang, Adamek and Armour. Cards that charge like a capacitor (Kepler, early Maxwell) have no window. The gain of
 * single cards is in no gain_u: it differs from card to card by percents. */
#define PAPER "arXiv 2312.02741"
#define LOCAL PAPER ", Overall_Results.xlsx 'Local GPUs'"
#define REMOTE PAPER ", Overall_Results.xlsx 'Remote GPUs'"
#define NVML "NVML doc nvmlDeviceGetPowerUsage"
#define RECORDED "recorded beside the card's energy counter, SXM, tests/data/h100"
#define HDEEM "EU power-monitoring course (power-monitoring-e38d4d.pages.code.europa.eu)"

#define NOT_READ "1 ms, as others cite it"
#define A5000 "steady -6.1 to -4.3 %"
#define RTX4090_MEAN "gain 1.045, offset -22.6 W; steady -4.3 to -4.0 %"
#define RTX4090_NOW "gain 1.044, offset -22 W; steady -4.3 to -4.1 %"

enum { DRAW = WS_FIELD_DRAW, MEAN = WS_FIELD_AVERAGE, NOW = WS_FIELD_INSTANT };

static const ws_sensor known[] = {
    /* device, fields, drivers, period, window, share, gain, source */
    {"H100", DRAW | MEAN, 525, 535, 0.1, 1, 1, NAN, REMOTE ", " NVML, .accuracy = "nvidia-smi's help: +/-5 W"},
    {"H100", DRAW | MEAN, 580, 580, 0.1, 1, 1, NAN, RECORDED, .accuracy = NULL},
    {"H100", NOW, 525, 535, 0.1, 0.025, 0.25, NAN, REMOTE, .accuracy = NULL},
    {"A100", DRAW | NOW, 525, 535, 0.101, 0.025, 0.25, NAN, LOCAL " and 'Remote GPUs'",
     .accuracy = "PCIe 40 GB: gain 0.954, offset -1.2 W; steady -5.5 %, energy -5.8 %"},
    {"A6000", DRAW, 515, 515, 0.1, 1, 1, NAN, REMOTE, .accuracy = NULL},
    {"A10", DRAW, 525, 525, 0.1, 1, 1, NAN, REMOTE, .accuracy = NULL},
    {"RTX 3090", DRAW | MEAN, 525, 525, 0.1, 1, 1, NAN, LOCAL,
     .accuracy = "gain 0.944, offset +3 to +4.6 W; steady -4.7 to -4.0 %"},
    {"RTX 3090", DRAW, 530, 530, 0.1, 0.1, 1, NAN, LOCAL, .accuracy = "steady -3.8 %, energy -4.5 %"},
    {"RTX 3090", DRAW | MEAN, 535, 535, 0.1, 1, 1, NAN, LOCAL,
     .accuracy = "gain 0.944, offset +3 to +4.6 W; steady -4.7 to -0.1 %, by card"},
    {"RTX 3090", NOW, 535, 535, 0.1, 0.1, 1, NAN, LOCAL, .accuracy = "gain 0.948; steady -4.7 %, energy -5.5 %"},
    {"RTX 3070 Ti", NOW, 535, 535, 0.1, 0.1, 1, NAN, LOCAL,
     .accuracy = "gain 1.001, offset -4.2 W; steady -2.3 %, energy -3.6 %"},
    {"RTX A5000", DRAW, 525, 525, 0.1, 1, 1, NAN, LOCAL, .accuracy = A5000},
    {"RTX A5000", DRAW, 530, 530, 0.1, 0.1, 1, NAN, LOCAL, .accuracy = A5000},
    {"RTX A5000", DRAW, 535, 535, 0.1, 1, 1, NAN, LOCAL, .accuracy = A5000},
    {"RTX A5000", NOW, 535, 535, 0.1, 0.1, 1, NAN, LOCAL, .accuracy = A5000},
    {"RTX 4090", DRAW | MEAN, 520, 525, 0.1, 1, 1, NAN, LOCAL, .accuracy = RTX4090_MEAN},
    {"RTX 4090", DRAW, 530, 530, 0.1, 0.11, 1, NAN, LOCAL, .accuracy = RTX4090_NOW},
    {"RTX 4090", DRAW | MEAN, 535, 535, 0.1, 1, 1, NAN, LOCAL, .accuracy = RTX4090_MEAN},
    {"RTX 4090", NOW, 535, 535, 0.1, 0.11, 1, NAN, LOCAL, .accuracy = RTX4090_NOW},
    {"V100", DRAW, 525, 525, 0.02, 0.011, 0.5, NAN, REMOTE, .accuracy = NULL},
    {"P100", DRAW, 525, 535, 0.021, 0.011, 0.5, NAN, LOCAL " and 'Remote GPUs'",
     .accuracy = "gain 0.993, offset +0.9 W; steady +0.4 to +0.7 %"},
    {"GTX 1080 Ti", DRAW, 525, 535, 0.02, 0.01, 0.5, NAN, LOCAL, .accuracy = "steady -0.4 to -0.3 %"},
    {"GTX 1080", DRAW, 525, 535, 0.02, 0.011, 0.5, NAN, LOCAL,
     .accuracy = "gain 1.063, offset -5 W; steady +0.5 to +1.0 %"},
    {"TITAN X (Pascal)", DRAW, 535, 535, 0.02, 0.012, 0.55, NAN, LOCAL,
     .accuracy = "gain 1.025, offset -2.6 W; steady +0.7 %"},
    {"RTX 2080 Ti", DRAW, 525, 535, 0.101, 0.102, 1, NAN, LOCAL,
     .accuracy = "gain 0.966, offset -5.7 W; steady -6.4 to -6.1 %, energy -8 %"},
    {"RTX 2060 SUPER", DRAW, 525, 535, 0.101, 0.107, 1, NAN, LOCAL,
     .accuracy = "steady +10.4 to +11.4 %, energy +13 %"},
    {"TITAN RTX", DRAW, 525, 525, 0.101, 0.102, 1, NAN, REMOTE, .accuracy = NULL},
    {"Quadro RTX 8000", DRAW, 525, 525, 0.1, 0.021, 0.2, NAN, REMOTE, .accuracy = NULL},
    {"GTX 1650 Ti", DRAW, 525, 525, 0.102, 0.1, 1, NAN, REMOTE, .accuracy = NULL},
    {"Tesla M40", DRAW, 525, 535, 0.031, 0.014, 0.45, NAN, LOCAL,
     .accuracy = "gain 0.972, offset +1.3 W; steady -1.7 to -1.5 %"},
    {"GTX TITAN X", DRAW, 525, 535, 0.101, NAN, NAN, NAN, LOCAL, .window_kind = "exponential",
     .accuracy = "steady +1.9 to +2.0 %"},
    {"Quadro K620", DRAW, 525, 535, 0.098, NAN, NAN, NAN, LOCAL, .window_kind = "exponential",
     .accuracy = "gain 1.15, offset -9.4 W; steady -41 %"},
    {"Tesla K80", DRAW, 535, 535, 0.101, NAN, NAN, NAN, LOCAL " (its matrix: before 530)", .window_kind = "exponential",
     .accuracy = "gain 0.964, offset -6.3 W; steady -8.9 %"},
    {"Tesla K40m", DRAW, 535, 535, 0.015, NAN, NAN, NAN,
     LOCAL " (its matrix: before 530), doi 10.1145/2588768.2576783 (K20)", .window_kind = "exponential",
     .accuracy = "gain 1.024; steady +3.4 %"},
    {"Fermi", DRAW, NAN, 529, NAN, NAN, NAN, NAN, PAPER ", Overall_Results.xlsx 'Result Matrix', " NVML,
     .window_kind = "estimation", .accuracy = "NVML: +/-5 % of the current draw"},

    /* What is stated of readings in general, and of others than power.draw: facts to read, no key of any log. */
    {"NVIDIA from Ampere on", 0, NAN, NAN, NAN, 1, NAN, NAN, "nvidia-smi --help-query-gpu, " NVML " (but GA100)",
     .reading = "power.draw", .accuracy = "documented +/-5 W; measured a gain error of -9 to +11 % (K620: -41 %)"},
    {"NVIDIA from Ampere on", 0, 530, NAN, NAN, 1, NAN, NAN, "nvml.h, NVML_FI_DEV_POWER_AVERAGE (but GA100)",
     .reading = "NVML power average"},
    {"NVIDIA", 0, 530, NAN, NAN, NAN, NAN, NAN, "nvml.h, NVML_FI_DEV_POWER_INSTANT (as .instant)",
     .reading = "NVML power instant"},
    {"NVIDIA from Volta on", 0, NAN, NAN, 0.1, NAN, NAN, NAN,
     "NVML doc nvmlDeviceGetTotalEnergyConsumption, PETSc's manual (20 to 100 ms), Zeus (100 ms)",
     .reading = "NVML total energy", .window_kind = "counter"},
    {"GH200, Grace", 0, NAN, NAN, NAN, NAN, NAN, NAN, "user book of Alumet, plugin grace-hopper (hwmon)",
     .reading = "module grace cpu sysio"},
    {"AMD to MI200, Navi", 0, NAN, NAN, NAN, NAN, NAN, NAN,
     "AMD SMI doc amdsmi_power_info_t (ROCm 6 to 7), arXiv 2604.06056", .reading = "average_socket_power",
     .window_kind = "filtered mean"},
    {"AMD from MI300 on", 0, NAN, NAN, NAN, NAN, NAN, NAN,
     "AMD SMI doc amdsmi_power_info_t (ROCm 6 to 7), arXiv 2604.06056", .reading = "current_socket_power"},
    {"AMD EPYC from Zen 2 on", 0, NAN, NAN, 0.001, NAN, 1, NAN, "kernel doc hwmon/amd_energy, arXiv 2108.00808",
     .reading = "RAPL package", .window_kind = "counter", .accuracy = "a model of the power; no DRAM domain"},
    {"Intel from Haswell-EP on", 0, NAN, NAN, 0.001, NAN, 1, NAN, "doi 10.1109/IPDPSW.2015.70; period about " NOT_READ,
     .reading = "RAPL package", .window_kind = "counter", .accuracy = "measured at the regulator, not modelled"},
    {"Intel from Haswell-EP on", 0, NAN, NAN, 0.001, NAN, 1, NAN,
     "doi 10.1145/2989081.2989088, Intel SDM MSR 619H; period about " NOT_READ, .reading = "RAPL DRAM",
     .window_kind = "counter", .accuracy = "measured (mode 1); mostly a constant offset, larger when idle"},
    {"Intel Haswell clients", 0, NAN, NAN, 0.001, NAN, 1, NAN,
     "web.eece.maine.edu/~vweaver/projects/rapl; period about " NOT_READ, .reading = "RAPL DRAM",
     .window_kind = "counter",
     .accuracy = "a model of the power, with an offset by system; the integrated GPU is not counted"},
    {"Intel Sandy, Ivy Bridge", 0, NAN, NAN, 0.001, NAN, 1, NAN,
     "slides of V. Weaver, Khan et al. 2018 (RAPL in Action); period about " NOT_READ, .reading = "RAPL package",
     .window_kind = "counter", .accuracy = "a model of the power"},
    {"HDEEM", 0, NAN, NAN, 0.001, NAN, 1, NAN, HDEEM, .reading = "blade", .accuracy = "+/-2 %"},
    {"HDEEM", 0, NAN, NAN, 0.01, NAN, 1, NAN, HDEEM, .reading = "CPU, DRAM regulators", .accuracy = "+/-2 %"},
    {"HPE Cray", 0, NAN, NAN, 0.1, NAN, NAN, NAN, "cray-hpe docs-csm, arXiv 2604.06056", .reading = "pm_counters",
     .window_kind = "point", .accuracy = "read in front of the regulators, so more than on the chip"},
};

static const ws_sensor nothing = {NULL, WS_FIELD_ANY, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, NULL, NULL};

const ws_sensor *ws_sensors_known(size_t *n)
{
    *n = sizeof known / sizeof *known;
    return known;
}

void ws_sensors_free(ws_sensors *s)
{
    free(s->items);
    ws_arena_free(&s->arena);
    *s = (ws_sensors){0};
}

/* --- a user's rows --- */

static double number_at(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    bool is_there = ws_table_find(table, name, &column) && table->columns[column].kind != WS_TEXT;
    return is_there ? ws_table_number(table, column, row) : NAN;
}

static const char *text_at(const ws_table *table, const char *name, size_t row, ws_arena *arena)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t column;
    if (!ws_table_find(table, name, &column) || ws_table_is_missing(table, column, row))
        return NULL;
    return ws_arena_strdup(arena, ws_table_cell_text(table, column, row, buffer));
}

/* Of the program's own rows: what it prints it reads. */
static bool is_other_reading(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].reading && strcmp(known[i].reading, name) == 0)
            return true;
    return false;
}

static unsigned fields_named(const char *name)
{
    return !name                          ? WS_FIELD_ANY
           : strcmp(name, "draw") == 0    ? DRAW
           : strcmp(name, "average") == 0 ? MEAN
           : strcmp(name, "instant") == 0 ? NOW
                                          : 0;
}

static bool is_in(double value, double from, double to)
{
    return isnan(value) || (value >= from && value <= to);
}

static bool holds_text(const ws_table *table, size_t column)
{
    size_t row = 0;
    while (row < table->n_rows && ws_table_is_missing(table, column, row))
        row++;
    return table->columns[column].kind == WS_TEXT && row < table->n_rows;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* A misspelt column, or a number that is none, would leave a default in place, unseen. */
static ws_status check_columns(const ws_table *table, ws_error *error)
{
    static const char *const texts[] = {"device", "field", "source", "window_kind", "accuracy", NULL};
    static const char *const numbers[] = {"driver_from", "driver_to", "period_s", "window_s", "share", "gain_u", NULL};
    for (size_t c = 0; c < table->n_columns; c++) {
        const char *name = table->columns[c].name;
        bool is_number = is_one_of(name, numbers);
        if (!is_number && !is_one_of(name, texts))
            return ws_fail_at(error, WS_DATA, table->source, 0,
                              "'%s' is no column of sensors: device, field, driver_from, driver_to, period_s, "
                              "window_s, share, gain_u, source, window_kind, accuracy",
                              name);
        if (is_number && holds_text(table, c))
            return ws_fail_at(error, WS_DATA, table->source, 0, "%s of the sensors holds what is no number", name);
    }
    return WS_OK;
}

ws_status ws_sensors_add(ws_sensors *s, const ws_table *table, ws_error *error)
{
    const double longest_s = 3600;
    ws_status status = check_columns(table, error);
    if (status != WS_OK)
        return status;
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *field = text_at(table, "field", row, &s->arena);
        ws_sensor new = {.device = text_at(table, "device", row, &s->arena),
                         .fields = fields_named(field),
                         .driver_from = number_at(table, "driver_from", row),
                         .driver_to = number_at(table, "driver_to", row),
                         .period_s = number_at(table, "period_s", row),
                         .window_s = number_at(table, "window_s", row),
                         .share = number_at(table, "share", row),
                         .gain_u = number_at(table, "gain_u", row),
                         .source = text_at(table, "source", row, &s->arena),
                         .window_kind = text_at(table, "window_kind", row, &s->arena),
                         .accuracy = text_at(table, "accuracy", row, &s->arena)};
        bool is_other = field && is_other_reading(field);
        new.reading = is_other ? field : NULL;
        const char *wrong = !new.device                          ? "it names no device"
                            : !new.fields && !is_other           ? "field is draw, average or instant"
                            : new.driver_from > new.driver_to    ? "driver_from is above driver_to"
                            : !is_in(new.period_s, 0, longest_s) ? "period_s is not from 0 to 3600"
                            : !is_in(new.window_s, 0, longest_s) ? "window_s is not from 0 to 3600"
                            : !is_in(new.share, 0, 1)            ? "share is not from 0 to 1"
                            : !is_in(new.gain_u, 0, 1)           ? "gain_u is a part of the energy, from 0 to 1"
                                                                 : NULL;
        if (wrong)
            return ws_fail_at(error, WS_DATA, table->source, 0, "row %zu of the sensors: %s", row + 1, wrong);
        s->items = ws_grow(s->items, &s->capacity, s->n + 1, sizeof *s->items);
        s->items[s->n++] = new;
    }
    return WS_OK;
}

/* --- which row fits --- */

static bool is_part_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whole words, as "A10" in "NVIDIA A10" and not in "NVIDIA A100-SXM4-40GB". */
static bool has_words(const char *name, const char *words)
{
    size_t n = strlen(words);
    for (const char *at = name; at && *at && n; at++)
        if (ws_span_eq_nocase((ws_span){at, strnlen(at, n)}, words) && (at == name || !is_part_of_word(at[-1])) &&
            !is_part_of_word(at[n]))
            return true;
    return false;
}

/* "RTX 4090" is no "RTX 4090 Laptop GPU", whose sensor nobody measured. */
static bool is_model(const char *model, const char *words)
{
    return model && has_words(model, words) && (has_words(words, "laptop") || !has_words(model, "laptop"));
}

double ws_board_power_w(const char *model)
{
    static const struct {
        const char *words;
        double power_w;
    } boards[] = {{"V100", 450}, {"T4", 70},    {"A100", 500},  {"A800", 500},  {"A40", 300},    {"A30", 165},
                  {"A10", 150},  {"A2", 60},    {"L4", 72},     {"L40", 300},   {"L40S", 350},   {"H100", 700},
                  {"H800", 700}, {"H200", 700}, {"MI100", 300}, {"MI210", 300}, {"MI250X", 560}, {"MI300X", 750}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (is_model(model, boards[i].words))
            return boards[i].power_w;
    return NAN;
}

static unsigned field_of(const char *column)
{
    return !column                                              ? DRAW
           : strstr(column, "instant")                          ? NOW
           : strstr(column, "average") || strstr(column, "avg") ? MEAN
                                                                : DRAW;
}

static double major_of(const char *driver)
{
    double major;
    return driver && ws_span_double((ws_span){driver, strcspn(driver, ".")}, &major) ? major : NAN;
}

static bool fits(const ws_sensor *row, const ws_sensor_key *key)
{
    return (row->fields & field_of(key->column)) &&
           (is_model(key->model, row->device) || strcmp(row->device, ws_domain_name(key->domain)) == 0 ||
            (key->device && strcmp(row->device, key->device) == 0));
}

static bool has_driver(const ws_sensor *row, double driver)
{
    return !(driver < row->driver_from) && !(driver > row->driver_to);
}

static const ws_sensor *find(const ws_sensor *rows, size_t n, const ws_sensor_key *key)
{
    double driver = major_of(key->driver);
    const ws_sensor *best = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!fits(&rows[i], key) || !has_driver(&rows[i], driver))
            continue;
        if (!isnan(driver))
            return &rows[i];
        if (!best || rows[i].window_s > best->window_s)
            best = &rows[i];
    }
    return best;
}

ws_sensor ws_sensor_of(const ws_sensors *own, const ws_sensor_key *key)
{
    const ws_sensor *of_user = own ? find(own->items, own->n, key) : NULL;
    const ws_sensor *of_program = find(known, sizeof known / sizeof *known, key);
    if (of_user && own->are_of_use)
        atomic_store_explicit(own->are_of_use, true, memory_order_relaxed);
    ws_sensor sensor = of_user ? *of_user : of_program ? *of_program : nothing;
    if (of_user && of_program && isnan(sensor.window_s))
        sensor.window_s = of_program->window_s, sensor.period_s = of_program->period_s;
    return sensor;
}

double ws_sensor_lag_s(const ws_sensor *s)
{
    return isnan(s->window_s) ? WS_SENSOR_USUAL_LAG_S : s->window_s / 2 + (isnan(s->period_s) ? 0.1 : s->period_s);
}
