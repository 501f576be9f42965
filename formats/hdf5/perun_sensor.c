/* perun's names of sensors, by version and backend:
 *
 *   gpu/CUDA:0_POWER  CUDA:0_MEM  CUDA:0_CLOCK_SM  CUDA:0_CLOCKSM (0.7.0)  CUDA:0 (power, up to 0.3.3)
 *   gpu/ROCM:<uuid>_POWER (0.8.10)  ROCM:0_POWER (0.8.0)  AMD Instinct MI250_1_POWER (before)
 *   cpu/cpu_0_package-0  CPU_USAGE  CPU_USAGE_3 (0.9.1)  CPU_FREQ_3
 *   ram/ram_0_dram  RAM_USAGE      net/NET_READ_BYTES      disk/DISK_WRITE_BYTES
 *
 * The unit decides between power and energy counter, never the version. */
#include "formats/hdf5/perun_sensor.h"

#include "core/device_limits.h"
#include "core/text.h"
#include "core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_perun_gpus_reset(ws_perun_gpus *gpus)
{
    gpus->n = 0;
}

void ws_perun_gpus_free(ws_perun_gpus *gpus)
{
    free(gpus->stems);
    *gpus = (ws_perun_gpus){0};
}

/* What a GPU's sensor measures where its unit is neither of power nor of energy; longer endings first. */
typedef struct gpu_ending {
    const char *text;
    ws_quantity quantity;
} gpu_ending;

static const gpu_ending gpu_endings[] = {
    {"_CLOCK_GRAPHICS", WS_OTHER_VALUE},
    {"_CLOCKGRAPHICS", WS_OTHER_VALUE},
    {"_CLOCK_MEM", WS_OTHER_VALUE},
    {"_CLOCKMEM", WS_OTHER_VALUE},
    {"_CLOCK_SM", WS_CLOCK},
    {"_CLOCKSM", WS_CLOCK},
    {"_POWER", WS_OTHER_VALUE},
    {"_MEM", WS_MEM_USED},
};

/* Sensors of a host. `device` gets the number that follows the name where `numbered`: those count energy or measure
 * power. */
typedef struct host_sensor {
    const char *group, *name;
    bool numbered; /* "cpu_" 1 "_package-1" */
    const char *rest, *device;
    ws_domain domain;
    ws_quantity quantity;
} host_sensor;

static const host_sensor host_sensors[] = {
    {"cpu", "cpu_", true, "_package-", "cpu", WS_CPU, WS_OTHER_VALUE},
    {"ram", "ram_", true, "_dram", "dram", WS_DRAM, WS_OTHER_VALUE},
    {"cpu", "CPU_USAGE", false, "", "cpu", WS_CPU, WS_UTIL},
    {"cpu", "CPU_FREQ", false, "", "cpu", WS_CPU, WS_CLOCK},
    {"ram", "RAM_USAGE", false, "", "dram", WS_DRAM, WS_MEM_USED},
    {"net", "NET_", false, "", "node", WS_OTHER, WS_OTHER_VALUE},
    {"disk", "DISK_", false, "", "node", WS_OTHER, WS_OTHER_VALUE},
};

/* A quantity of a name holds only with a unit that fits it: RAM_USAGE was a percentage before 0.6.0. */
static ws_quantity settle_quantity(ws_quantity by_name, ws_dimension dimension)
{
    static const ws_dimension fitting[WS_QUANTITY_N] = {
        [WS_MEM_USED] = WS_DIM_BYTES, [WS_CLOCK] = WS_DIM_FREQUENCY, [WS_UTIL] = WS_DIM_RATIO};
    if (dimension == WS_DIM_POWER)
        return WS_POWER;
    if (dimension == WS_DIM_ENERGY)
        return WS_ENERGY_COUNTER;
    return fitting[by_name] == dimension ? by_name : WS_OTHER_VALUE;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text)
{
    size_t n = 0;
    while (is_digit(text[n]))
        n++;
    return n;
}

/* "CUDA:12" is number 12, "AMD Instinct MI250_1" number 1; a uuid has none, though it may end in digits. */
static const char *gpu_number(const char *stem)
{
    const char *colon = strrchr(stem, ':'), *line = strrchr(stem, '_');
    const char *number = colon ? colon + 1 : line ? line + 1 : stem;
    size_t n = count_digits(number);
    return number != stem && n && n < 6 && number[n] == '\0' ? number : NULL;
}

static size_t gpu_position(ws_perun_gpus *gpus, const char *stem)
{
    for (size_t i = 0; i < gpus->n; i++)
        if (strcmp(gpus->stems[i], stem) == 0)
            return i;
    gpus->stems = ws_grow(gpus->stems, &gpus->capacity, gpus->n + 1, sizeof *gpus->stems);
    gpus->stems[gpus->n] = stem;
    return gpus->n++;
}

static const gpu_ending *find_gpu_ending(ws_span sensor)
{
    for (size_t i = 0; i < sizeof gpu_endings / sizeof *gpu_endings; i++)
        if (ws_span_has_suffix(sensor, gpu_endings[i].text))
            return &gpu_endings[i];
    return NULL;
}

static ws_quantity describe_gpu(ws_perun_gpus *gpus, ws_arena *arena, const char *sensor, ws_channel *channel)
{
    ws_span name = ws_span_of(sensor);
    const gpu_ending *ending = find_gpu_ending(name);
    if (ending)
        name.n -= strlen(ending->text);
    const char *stem = ws_arena_strndup(arena, name.p, name.n);
    const char *number = gpu_number(stem);
    channel->device_id = stem;
    channel->domain = WS_GPU;
    if (number) {
        channel->device = ws_arena_printf(arena, "gpu%s", number);
        channel->identity = ws_span_has_prefix(name, "CUDA:") || ws_span_has_prefix(name, "ROCM:") ? "index" : "name";
    } else {
        channel->device = ws_arena_printf(arena, "gpu%zu", gpu_position(gpus, stem));
        channel->identity = strchr(stem, ':') ? "uuid" : "name";
    }
    return ending ? ending->quantity : WS_OTHER_VALUE;
}

/* *number: what follows the name, "" where the sensor has no number. */
static const host_sensor *find_host_sensor(const char *group, const char *sensor, ws_span *number)
{
    for (size_t i = 0; i < sizeof host_sensors / sizeof *host_sensors; i++) {
        const host_sensor *known = &host_sensors[i];
        size_t name_n = strlen(known->name);
        if (strcmp(group, known->group) != 0 || strncmp(sensor, known->name, name_n) != 0)
            continue;
        const char *rest = sensor + name_n;
        size_t digits = known->numbered ? count_digits(rest) : 0;
        *number = (ws_span){rest, digits};
        if (!known->numbered || (digits && ws_span_has_prefix(ws_span_of(rest + digits), known->rest)))
            return known;
    }
    return NULL;
}

static ws_quantity describe_host_sensor(ws_arena *arena, const char *group, const char *sensor, ws_channel *channel)
{
    ws_span number;
    const host_sensor *known = find_host_sensor(group, sensor, &number);
    /* Nobody knows what it contains: alone in its device and outside every total. */
    channel->device = channel->device_id;
    channel->domain = WS_OTHER;
    if (!known)
        return WS_OTHER_VALUE;
    channel->device = ws_arena_printf(arena, "%s%.*s", known->device, (int)number.n, number.p);
    channel->domain = known->domain;
    return known->quantity;
}

bool ws_perun_is_never_power(const char *group, const char *sensor, ws_quantity *quantity)
{
    ws_span number;
    const gpu_ending *ending = strcmp(group, "gpu") == 0 ? find_gpu_ending(ws_span_of(sensor)) : NULL;
    const host_sensor *known = find_host_sensor(group, sensor, &number);
    *quantity = ending ? ending->quantity : known ? known->quantity : WS_OTHER_VALUE;
    return ending ? strcmp(ending->text, "_POWER") != 0 : known && !known->numbered;
}

bool ws_perun_group_domain(const char *group, const char **device, ws_domain *domain)
{
    static const struct {
        const char *group, *device;
        ws_domain domain;
    } groups[] = {{"gpu", "gpu", WS_GPU}, {"cpu", "cpu", WS_CPU}, {"ram", "dram", WS_DRAM}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp(group, groups[i].group) == 0)
            return *device = groups[i].device, *domain = groups[i].domain, true;
    return false;
}

bool ws_perun_is_known(const char *sensor)
{
    ws_span number;
    if (find_gpu_ending(ws_span_of(sensor)))
        return true;
    for (size_t i = 0; i < sizeof host_sensors / sizeof *host_sensors; i++)
        if (find_host_sensor(host_sensors[i].group, sensor, &number))
            return true;
    return false;
}

double ws_perun_describe(ws_perun_gpus *gpus, ws_arena *arena, const char *group, const char *sensor, const char *unit,
                         ws_channel *channel)
{
    const ws_unit *known = ws_unit_find(ws_span_of(unit));
    channel->column = ws_arena_strdup(arena, sensor);
    channel->device_id = channel->column;
    channel->identity = "sensor";
    channel->time = WS_TIME_RELATIVE;
    ws_quantity by_name = strcmp(group, "gpu") == 0 ? describe_gpu(gpus, arena, sensor, channel)
                                                    : describe_host_sensor(arena, group, sensor, channel);
    channel->quantity = settle_quantity(by_name, known ? known->dimension : WS_DIM_NONE);
    channel->rule = channel->quantity == WS_POWER            ? WS_RULE_TRAPEZOID
                    : channel->quantity == WS_ENERGY_COUNTER ? WS_RULE_COUNTER
                                                             : WS_RULE_NONE;
    return known ? known->to_si : 1;
}

const char *ws_perun_usual_unit(const char *group, const char *sensor)
{
    if (strcmp(group, "gpu") == 0)
        return ws_span_has_suffix(ws_span_of(sensor), "_POWER") || !strchr(sensor, '_') ? "W" : "";
    for (size_t i = 0; i < sizeof host_sensors / sizeof *host_sensors; i++)
        if (host_sensors[i].numbered && strcmp(group, host_sensors[i].group) == 0 &&
            strncmp(sensor, host_sensors[i].name, strlen(host_sensors[i].name)) == 0)
            return "W";
    return "";
}

void ws_perun_note_sensor(ws_notes *notes, const char *source, const ws_channel *channel)
{
    if (strncmp(channel->column, "CPU_USAGE_", strlen("CPU_USAGE_")) == 0)
        ws_notes_add(
            notes, WS_FINDING_CPU_USAGE_UNUSABLE, source, "", 0,
            "perun fills one arbitrary CPU_USAGE_<n> and leaves the others near 0: they say nothing about the use "
            "of the processors");
    /* psys is the whole board: known, and in no total because it contains what others measure. */
    bool is_unknown = channel->domain == WS_OTHER && ws_quantity_gives_energy(channel->quantity) &&
                      !ws_span_has_suffix(ws_span_of(channel->column), "_psys");
    if (is_unknown)
        ws_notes_add(notes, WS_FINDING_UNKNOWN_ZONE, source, channel->column, 0,
                     "'%s' is not a known name of a sensor: its energy is kept out of totals", channel->column);
}

/* Mean power of the steps up, and whether the counter ever falls; zeros are failed reads and are stepped over. */
static double rising_power(const int64_t *t_ns, const double *value, size_t n, double *highest, size_t *falls)
{
    double energy = 0, seconds = 0, last = 0;
    int64_t last_t = 0;
    bool has_last = false;
    *highest = 0;
    *falls = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] > 0))
            continue;
        bool rises = has_last && value[i] >= last;
        energy += rises ? value[i] - last : 0;
        seconds += rises ? (double)(t_ns[i] - last_t) * 1e-9 : 0;
        *falls += has_last && !rises;
        *highest = value[i] > *highest ? value[i] : *highest;
        last = value[i], last_t = t_ns[i], has_last = true;
    }
    return seconds > 0 ? energy / seconds : 0;
}

/* The largest ratio, in either direction, between the power that a fall means under this range and the usual power. */
static double worst_misfit(const int64_t *t_ns, const double *value, size_t n, double range, double usual_w)
{
    double worst = 1, last = 0;
    int64_t last_t = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] > 0))
            continue;
        if (value[i] < last && t_ns[i] > last_t) {
            double ratio = (value[i] - last + range) / ((double)(t_ns[i] - last_t) * 1e-9) / usual_w;
            worst = fmax(worst, ratio > 0 ? fmax(ratio, 1 / ratio) : INFINITY);
        }
        last = value[i], last_t = t_ns[i];
    }
    return worst;
}

double ws_perun_assume_range(const int64_t *t_ns, const double *value, size_t n)
{
    /* The power in the interval of a wrap is near that of the others; ten times it is another range. */
    double highest, best = 0, best_misfit = 10;
    size_t falls;
    double usual_w = rising_power(t_ns, value, n, &highest, &falls);
    if (!falls || usual_w <= 0)
        return 0;
    for (size_t i = 0; i < WS_RAPL_RANGES; i++) {
        if (ws_rapl_ranges[i] < highest)
            continue;
        double misfit = worst_misfit(t_ns, value, n, ws_rapl_ranges[i], usual_w);
        if (misfit < best_misfit) {
            best = ws_rapl_ranges[i];
            best_misfit = misfit;
        }
    }
    return best;
}
