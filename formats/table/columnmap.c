#include "formats/table/columnmap.h"
#include "formats/table/board_rail.h"
#include "formats/table/rapl_zone.h"

#include <string.h>

/* Names that mean one thing, as ws_plain_name writes them, without the unit. */
typedef struct known_name {
    const char *name;
    ws_role role;
    ws_quantity quantity;
    ws_domain domain;
    int preference;
} known_name;

#define GPU(name, quantity, preference)                   \
    {                                                     \
        name, WS_ROLE_VALUE, quantity, WS_GPU, preference \
    }
#define OF(domain, name, quantity)               \
    {                                            \
        name, WS_ROLE_VALUE, quantity, domain, 0 \
    }
#define ROLE(name, role)                \
    {                                   \
        name, role, WS_POWER, WS_GPU, 0 \
    }

static const known_name known_names[] = {
    ROLE("timestamp", WS_ROLE_TIME),
    ROLE("time", WS_ROLE_TIME),
    ROLE("datetime", WS_ROLE_TIME),
    ROLE("date_time", WS_ROLE_TIME),
    ROLE("time_stamp", WS_ROLE_TIME),
    ROLE("stamp", WS_ROLE_TIME),
    ROLE("ts", WS_ROLE_TIME),
    ROLE("t", WS_ROLE_TIME),
    ROLE("epoch_time", WS_ROLE_TIME),
    ROLE("epochtime", WS_ROLE_TIME),
    ROLE("unix_time", WS_ROLE_TIME),
    ROLE("unixtime", WS_ROLE_TIME),
    ROLE("unix_timestamp", WS_ROLE_TIME),
    ROLE("timestampus", WS_ROLE_TIME),
    ROLE("timestamp_utc", WS_ROLE_TIME),
    ROLE("local_time", WS_ROLE_TIME),
    ROLE("elapsed", WS_ROLE_TIME),
    ROLE("elapsed_time", WS_ROLE_TIME),
    ROLE("seconds", WS_ROLE_TIME),
    ROLE("relative_time", WS_ROLE_TIME),
    ROLE("time_since_start", WS_ROLE_TIME),
    ROLE("date", WS_ROLE_DATE),
    ROLE("day", WS_ROLE_DATE),
    ROLE("time_of_day", WS_ROLE_DAYTIME),
    ROLE("daytime", WS_ROLE_DAYTIME),
    ROLE("interval", WS_ROLE_INTERVAL),
    ROLE("dt", WS_ROLE_INTERVAL),

    ROLE("uuid", WS_ROLE_UUID),
    ROLE("gpu_uuid", WS_ROLE_UUID),
    ROLE("pci_bus_id", WS_ROLE_BUS),
    ROLE("gpu_bus_id", WS_ROLE_BUS),
    ROLE("bus_id", WS_ROLE_BUS),
    ROLE("pci_bus", WS_ROLE_BUS),
    ROLE("gpu", WS_ROLE_GPU),
    ROLE("gpu_id", WS_ROLE_GPU),
    ROLE("gpuid", WS_ROLE_GPU),
    ROLE("gpu_index", WS_ROLE_GPU),
    ROLE("gpu_idx", WS_ROLE_GPU),
    ROLE("gpu_number", WS_ROLE_GPU),
    ROLE("gpu_num", WS_ROLE_GPU),
    ROLE("gpu_no", WS_ROLE_GPU),
    ROLE("minor_number", WS_ROLE_GPU),
    ROLE("device_number", WS_ROLE_GPU),
    ROLE("device_num", WS_ROLE_GPU),
    ROLE("dev_id", WS_ROLE_GPU),
    ROLE("device", WS_ROLE_GPU),
    ROLE("device_id", WS_ROLE_GPU),
    ROLE("device_index", WS_ROLE_GPU),
    ROLE("dev", WS_ROLE_GPU),
    ROLE("card", WS_ROLE_GPU),
    ROLE("accelerator", WS_ROLE_GPU),
    ROLE("index", WS_ROLE_INDEX),
    ROLE("idx", WS_ROLE_INDEX),
    ROLE("serial", WS_ROLE_SERIAL),
    ROLE("gpu_serial", WS_ROLE_SERIAL),
    ROLE("local_rank", WS_ROLE_INDEX),
    ROLE("rank", WS_ROLE_PART),
    ROLE("global_rank", WS_ROLE_PART),
    ROLE("domain", WS_ROLE_PART),
    ROLE("component", WS_ROLE_PART),
    ROLE("sensor", WS_ROLE_PART),
    {"socket", WS_ROLE_PART, WS_POWER, WS_CPU, 0},
    {"socket_id", WS_ROLE_PART, WS_POWER, WS_CPU, 0},
    {"package_id", WS_ROLE_PART, WS_POWER, WS_CPU, 0},
    ROLE("name", WS_ROLE_NAME),
    ROLE("gpu_name", WS_ROLE_NAME),
    ROLE("device_name", WS_ROLE_NAME),
    ROLE("product_name", WS_ROLE_NAME),
    ROLE("node", WS_ROLE_NODE),
    ROLE("host", WS_ROLE_NODE),
    ROLE("hostname", WS_ROLE_NODE),
    ROLE("host_name", WS_ROLE_NODE),
    ROLE("node_name", WS_ROLE_NODE),

    GPU("power_draw", WS_POWER, 0),
    GPU("power_draw_average", WS_POWER, 1),
    GPU("power_draw_instant", WS_POWER, 2),
    GPU("gpu_power", WS_POWER, 0),
    GPU("gpu_power_draw", WS_POWER, 0),
    GPU("board_power_draw", WS_POWER, 0),
    GPU("gpu_chip_power_draw", WS_POWER, 3), /* a part of the board's */
    GPU("gpu_power_usage", WS_POWER, 0),
    GPU("average_gpu_power", WS_POWER, 1),
    GPU("power_usage_instant", WS_POWER, 2),
    GPU("current_socket_graphics_package_power", WS_POWER, 0), /* rocm-smi, newer and older GPUs */
    GPU("average_graphics_package_power", WS_POWER, 1),
    OF(WS_OTHER, "power", WS_POWER),
    OF(WS_OTHER, "power_usage", WS_POWER),
    OF(WS_OTHER, "power_used", WS_POWER),
    OF(WS_OTHER, "power_consumption", WS_POWER),
    OF(WS_OTHER, "watts", WS_POWER),
    OF(WS_OTHER, "watt", WS_POWER),
    OF(WS_OTHER, "average_power", WS_POWER),
    OF(WS_OTHER, "power_average", WS_POWER),
    OF(WS_OTHER, "instant_power", WS_POWER),
    OF(WS_OTHER, "power_instant", WS_POWER),
    OF(WS_OTHER, "w", WS_POWER),
    OF(WS_OTHER, "current_power", WS_POWER),
    OF(WS_WALL, "actual_consumption", WS_POWER),
    OF(WS_WALL, "wall_power", WS_POWER),
    OF(WS_WALL, "plug_power", WS_POWER),
    OF(WS_NODE, "node_power", WS_POWER),
    OF(WS_NODE, "system_power", WS_POWER),
    OF(WS_NODE, "sys_power", WS_POWER),
    OF(WS_NODE, "server_power", WS_POWER),
    OF(WS_NODE, "power_reading", WS_POWER),
    OF(WS_CPU, "cpu_power", WS_POWER),
    OF(WS_CPU, "package_power", WS_POWER),
    OF(WS_CPU, "pkg_power", WS_POWER),
    OF(WS_CPU, "processor_power", WS_POWER),
    OF(WS_CPU, "rapl_power", WS_POWER),
    OF(WS_DRAM, "dram_power", WS_POWER),
    OF(WS_DRAM, "ram_power", WS_POWER),
    OF(WS_DRAM, "memory_power", WS_POWER), /* Cray's pm_counters */

    GPU("power_limit", WS_POWER_LIMIT, 0),
    GPU("enforced_power_limit", WS_POWER_LIMIT, 1),
    GPU("power_cap", WS_POWER_LIMIT, 0),
    GPU("gpu_power_limit", WS_POWER_LIMIT, 0),

    GPU("total_energy_consumption", WS_ENERGY_COUNTER, 0),
    GPU("energy_counter", WS_ENERGY_COUNTER, 1), /* rocm-smi's counts, in no unit, stand beside its microjoules */
    OF(WS_OTHER, "total_energy", WS_ENERGY_COUNTER),
    OF(WS_OTHER, "cumulative_energy", WS_ENERGY_COUNTER),
    OF(WS_OTHER, "energy_total", WS_ENERGY_COUNTER),
    OF(WS_OTHER, "accumulated_energy", WS_ENERGY_COUNTER),
    GPU("gpu_energy", WS_ENERGY_INTERVAL, 0),
    OF(WS_OTHER, "energy", WS_ENERGY_INTERVAL),
    OF(WS_OTHER, "energy_consumption", WS_ENERGY_INTERVAL),
    OF(WS_OTHER, "energy_consumed", WS_ENERGY_INTERVAL),
    OF(WS_OTHER, "interval_energy", WS_ENERGY_INTERVAL),
    OF(WS_CPU, "cpu_energy", WS_ENERGY_INTERVAL),
    OF(WS_CPU, "rapl_energy", WS_ENERGY_INTERVAL),
    OF(WS_DRAM, "ram_energy", WS_ENERGY_INTERVAL),
    OF(WS_DRAM, "dram_energy", WS_ENERGY_INTERVAL),
    OF(WS_DRAM, "memory_energy", WS_ENERGY_INTERVAL),
    OF(WS_NODE, "node_energy", WS_ENERGY_INTERVAL),

    GPU("utilization_gpu", WS_UTIL, 0),
    GPU("gfx_activity", WS_UTIL, 0),
    GPU("umc_activity", WS_MEM_UTIL, 0),
    GPU("gpu_utilization", WS_UTIL, 0),
    GPU("gpu_util", WS_UTIL, 0),
    GPU("utilization", WS_UTIL, 0),
    GPU("util", WS_UTIL, 0),
    GPU("gpu_load", WS_UTIL, 0),
    GPU("gpu_use", WS_UTIL, 0),
    GPU("sm_util", WS_UTIL, 0),
    GPU("gpu_usage", WS_UTIL, 0),
    GPU("utilization_memory", WS_MEM_UTIL, 0),
    GPU("mem_util", WS_MEM_UTIL, 0),
    GPU("memory_utilization", WS_MEM_UTIL, 0),
    GPU("gpu_mem_util", WS_MEM_UTIL, 0),
    GPU("memory_util", WS_MEM_UTIL, 0),
    GPU("gpu_memory_use", WS_MEM_UTIL, 0),
    GPU("memory_used", WS_MEM_USED, 0),
    GPU("mem_used", WS_MEM_USED, 0),
    GPU("gpu_memory_used", WS_MEM_USED, 0),
    GPU("gpu_mem_used", WS_MEM_USED, 0),
    GPU("used_memory", WS_MEM_USED, 0),
    GPU("vram_used", WS_MEM_USED, 0),
    GPU("vram_total_used_memory", WS_MEM_USED, 0),
    GPU("fb_used", WS_MEM_USED, 0),
    GPU("clocks_sm", WS_CLOCK, 0),
    GPU("clocks_current_sm", WS_CLOCK, 0),
    GPU("sm_clock", WS_CLOCK, 0),
    GPU("clock_sm", WS_CLOCK, 0),
    GPU("clocks_gr", WS_CLOCK, 1),
    GPU("clocks_graphics", WS_CLOCK, 1),
    GPU("clocks_current_graphics", WS_CLOCK, 1),
    GPU("graphics_clock", WS_CLOCK, 1),
    GPU("gpu_clock", WS_CLOCK, 1),
    GPU("temperature_gpu", WS_TEMPERATURE, 0),
    GPU("gpu_temperature", WS_TEMPERATURE, 0),
    GPU("gpu_temp", WS_TEMPERATURE, 0),
    GPU("temp_gpu", WS_TEMPERATURE, 0),
    GPU("temperature_sensor_edge", WS_TEMPERATURE, 0),
    GPU("temperature_sensor_junction", WS_TEMPERATURE, 1),
    GPU("temperature", WS_TEMPERATURE, 0),
    GPU("temp", WS_TEMPERATURE, 0),

    ROLE("module_power_draw", WS_ROLE_UNUSED), /* of the board that a GPU shares with others */
    ROLE("module_power_draw_average", WS_ROLE_UNUSED),
    ROLE("module_power_draw_instant", WS_ROLE_UNUSED),
    ROLE("module_power_limit", WS_ROLE_UNUSED),
    ROLE("module_enforced_power_limit", WS_ROLE_UNUSED),
    ROLE("module_power_default_limit", WS_ROLE_UNUSED),
    ROLE("module_power_min_limit", WS_ROLE_UNUSED),
    ROLE("module_power_max_limit", WS_ROLE_UNUSED),
    ROLE("pstate", WS_ROLE_UNUSED),
    ROLE("memory_total", WS_ROLE_UNUSED),
    ROLE("memory_free", WS_ROLE_UNUSED),
    ROLE("mem_total", WS_ROLE_UNUSED),
    ROLE("memory_max", WS_ROLE_UNUSED),
    ROLE("power_max", WS_ROLE_UNUSED),
    ROLE("power_max_limit", WS_ROLE_UNUSED),
    ROLE("power_min_limit", WS_ROLE_UNUSED),
    ROLE("power_default_limit", WS_ROLE_UNUSED),
    ROLE("fan", WS_ROLE_UNUSED),
    ROLE("fan_speed", WS_ROLE_UNUSED),
    ROLE("clocks_mem", WS_ROLE_UNUSED),
    ROLE("clocks_current_memory", WS_ROLE_UNUSED),
    ROLE("clocks_video", WS_ROLE_UNUSED),
    ROLE("clocks_current_video", WS_ROLE_UNUSED),
    ROLE("temperature_memory", WS_ROLE_UNUSED),
    ROLE("driver_version", WS_ROLE_UNUSED),
    ROLE("pcie_link_gen_current", WS_ROLE_UNUSED),
    ROLE("pcie_link_gen_gpucurrent", WS_ROLE_UNUSED),
    ROLE("pcie_link_width_current", WS_ROLE_UNUSED),
    ROLE("count", WS_ROLE_UNUSED),
    ROLE("compute_mode", WS_ROLE_UNUSED),
    ROLE("clocks_throttle_reasons_active", WS_ROLE_UNUSED),
    ROLE("clocks_event_reasons_active", WS_ROLE_UNUSED),
};

/* Words that say whose a column is, alone or before a number: "GPU0", "cpu_1_power", "n1_watts". */
static const struct {
    const char *word;
    ws_domain domain;
    bool needs_number;
} device_words[] = {
    {"gpu", WS_GPU, false},     {"card", WS_GPU, true},     {"device", WS_GPU, true},  {"cpu", WS_CPU, false},
    {"package", WS_CPU, false}, {"pkg", WS_CPU, false},     {"socket", WS_CPU, false}, {"dram", WS_DRAM, false},
    {"ram", WS_DRAM, false},    {"node", WS_NODE, false},   {"n", WS_NODE, true},      {"host", WS_NODE, false},
    {"server", WS_NODE, false}, {"system", WS_NODE, false}, {"wall", WS_WALL, false},  {"plug", WS_WALL, false},
    {"pdu", WS_WALL, false},    {"outlet", WS_WALL, false}, {"accel", WS_GPU, false},  {"accelerator", WS_GPU, false},
};

/* Words of columns that hold other columns, and of columns that are no reading although their unit is right. */
static const char *const total_words[] = {"total", "sum", "all", "combined"};
static const char *const no_reading_words[] = {"min",      "max",      "avg",       "mean", "average",
                                               "median",   "std",      "limit",     "cap",  "peak",
                                               "apparent", "reactive", "predicted", "tdp",  "idle"};

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
    static const char *const names[WS_DIM_N] = {
        [WS_DIM_NONE] = "",   [WS_DIM_POWER] = "W",   [WS_DIM_ENERGY] = "J",      [WS_DIM_TIME] = "s",
        [WS_DIM_RATIO] = "%", [WS_DIM_BYTES] = "MiB", [WS_DIM_FREQUENCY] = "MHz", [WS_DIM_TEMPERATURE] = "C"};
    return ws_unit_find(ws_span_of(names[ws_quantity_dimension(quantity)]));
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

static const known_name *find_known(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, name);
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
        if (plain.n && *plain.p == *known_names[i].name && ws_span_eq(plain, known_names[i].name))
            return &known_names[i];
    return NULL;
}

static bool unit_fits(const known_name *known, const ws_unit *unit)
{
    if (!unit)
        return true;
    if (known->role == WS_ROLE_VALUE)
        return unit->dimension == ws_quantity_dimension(known->quantity);
    return known->role == WS_ROLE_UNUSED ||
           ((known->role == WS_ROLE_TIME || known->role == WS_ROLE_INTERVAL) && unit->dimension == WS_DIM_TIME);
}

static ws_meaning meaning_of_known(const known_name *known, const ws_unit *unit)
{
    ws_meaning m = {.role = known->role,
                    .quantity = known->quantity,
                    .domain = known->domain,
                    .unit = unit,
                    .preference = known->preference,
                    .names_domain = known->domain != WS_OTHER,
                    .device_number = -1};
    if (!m.names_domain)
        m.domain = WS_GPU;
    m.names_energy = known->quantity == WS_ENERGY_COUNTER;
    return m;
}

static bool is_word_of(ws_span word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ws_span_eq(word, words[i]))
            return true;
    return false;
}

static size_t letters_before_digits(ws_span word)
{
    size_t n = word.n;
    while (n && word.p[n - 1] >= '0' && word.p[n - 1] <= '9')
        n--;
    return n;
}

static bool is_number(ws_span word)
{
    return word.n && letters_before_digits(word) == 0;
}

static bool is_letter(ws_span word)
{
    return word.n == 1 && *word.p >= 'a' && *word.p <= 'z';
}

/* A name taken to pieces: the words that name a device, and the rest as one plain name again. */
typedef struct pieces {
    char rest[WS_PLAIN_NAME];
    size_t rest_n;
    bool has_device, is_total, is_no_reading;
    ws_domain domain;
    ws_span letters, digits; /* of the device's word; digits may be a letter: "GPU A" */
    ws_span loose;           /* a number or letter apart from it: "gpu_power_0" */
    int64_t number;          /* -1: none; 0 for "a" */
} pieces;

static void set_number(pieces *p, ws_span digits)
{
    p->digits = digits;
    if (is_letter(digits))
        p->number = *digits.p - 'a';
    else if (is_number(digits) && digits.n < 10)
        ws_span_i64(digits, &p->number);
}

/* "cpu_package_0": of two words for one thing the one with the number counts. */
static bool may_be_device(const pieces *p, ws_domain domain, bool needs_number, ws_span digits)
{
    bool has_number = digits.n && digits.n < 10;
    if (p->has_device)
        return p->number < 0 && p->domain == domain && has_number;
    return has_number || !needs_number;
}

static bool take_device_word(pieces *p, ws_span word, ws_span following)
{
    size_t letters = letters_before_digits(word);
    ws_span digits = {word.p + letters, word.n - letters};
    if (!digits.n && (is_number(following) || is_letter(following)))
        digits = following;
    for (size_t i = 0; i < sizeof device_words / sizeof *device_words; i++) {
        if (!ws_span_eq((ws_span){word.p, letters}, device_words[i].word) ||
            !may_be_device(p, device_words[i].domain, device_words[i].needs_number, digits))
            continue;
        p->has_device = true;
        p->domain = device_words[i].domain;
        p->letters = (ws_span){word.p, letters};
        set_number(p, digits);
        return true;
    }
    return false;
}

static void keep_word(pieces *p, ws_span word)
{
    if (p->rest_n)
        p->rest[p->rest_n++] = '_';
    memcpy(p->rest + p->rest_n, word.p, word.n);
    p->rest_n += word.n;
}

/* `following` is empty behind the last word. */
static void take_word(pieces *p, ws_span word, ws_span following)
{
    bool is_last_letter = !following.n && is_letter(word) && p->has_device && p->number < 0;
    p->is_total |= is_word_of(word, total_words, sizeof total_words / sizeof *total_words);
    p->is_no_reading |= is_word_of(word, no_reading_words, sizeof no_reading_words / sizeof *no_reading_words);
    if (is_number(word) || is_last_letter)
        p->loose = word;
    else if (!take_device_word(p, word, following))
        keep_word(p, word);
}

static pieces take_to_pieces(ws_span plain)
{
    pieces p = {.number = -1, .domain = WS_OTHER};
    ws_span word, next = {"", 0}, rest = plain;
    bool more = plain.n && ws_span_split(&rest, '_', &word);
    while (more) {
        more = ws_span_split(&rest, '_', &next);
        bool is_device_number = p.digits.n && word.p == p.digits.p;
        if (!is_device_number)
            take_word(&p, word, more ? next : (ws_span){"", 0});
        word = next;
    }
    return p;
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Where `plain`, which is in lower case, stands in the name from `at` on. */
static bool stands_at(ws_span name, size_t at, ws_span plain)
{
    char lower[WS_PLAIN_NAME];
    return at + plain.n <= name.n && plain.n < sizeof lower &&
           ws_span_same(ws_plain_name(lower, (ws_span){name.p + at, plain.n}), plain);
}

/* The device's word and number as the name spells them: "GPU 0" of "GPU 0 Power", "0" of "gpu_power_0". */
static ws_span device_as_spelled(ws_span name, const pieces *p)
{
    for (size_t from = name.n; p->digits.p == p->loose.p && from-- > 0;)
        if (stands_at(name, from, p->loose) && (!from || !is_alnum(name.p[from - 1])))
            return (ws_span){name.p + from, p->loose.n};
    for (size_t from = 0; from + p->letters.n < name.n; from++) {
        size_t at = from + p->letters.n;
        if (!stands_at(name, from, p->letters))
            continue;
        while (at < name.n && !is_alnum(name.p[at]))
            at++;
        if (stands_at(name, at, p->digits))
            return (ws_span){name.p + from, at + p->digits.n - from};
    }
    return name;
}

/* "GPU0", "gpu0_util_pct", "n1_watts", "total_watts", "Rack 7 (W)": what is left without the device says the quantity,
 * and where nothing is left the unit does. */
static ws_meaning meaning_of_pieces(ws_span bare, const ws_unit *unit)
{
    ws_meaning m = {.role = WS_ROLE_UNKNOWN, .unit = unit, .device_number = -1};
    char buffer[WS_PLAIN_NAME];
    pieces p = take_to_pieces(ws_plain_name(buffer, bare));
    const known_name *known = find_known((ws_span){p.rest, p.rest_n});
    if (known && (known->role != WS_ROLE_VALUE || !unit_fits(known, unit) || !p.has_device))
        known = NULL;
    if (p.has_device && p.number < 0 && p.loose.n && (known || !p.rest_n))
        set_number(&p, p.loose);
    bool is_power = unit ? unit->dimension == WS_DIM_POWER : is_number(p.digits) && !p.rest_n;
    if (!known && (!is_power || (p.rest_n && p.has_device && !unit) || p.is_no_reading))
        return m;
    m = (ws_meaning){.role = WS_ROLE_VALUE,
                     .quantity = known ? known->quantity : WS_POWER,
                     .domain = p.domain,
                     .names_domain = true,
                     .unit = unit,
                     .preference = known ? known->preference : 0,
                     .is_total = p.is_total,
                     .is_bare = !known && !unit,
                     .device_number = p.number,
                     .names_energy = false};
    if (p.number >= 0 || !p.has_device)
        m.device = p.has_device ? device_as_spelled(bare, &p) : bare;
    return m;
}

ws_device_name ws_device_name_of(ws_span cell)
{
    char buffer[WS_PLAIN_NAME];
    pieces p = take_to_pieces(ws_plain_name(buffer, cell));
    ws_span rest = {p.rest, p.rest_n};
    bool is_total = p.number < 0 && is_word_of(rest, total_words, sizeof total_words / sizeof *total_words);
    bool is_known = p.has_device && !p.rest_n && !p.loose.n;
    ws_rapl_zone zone;
    if (!is_known && !is_total && ws_rapl_zone_find(cell, &zone) && !zone.is_unclear)
        return (ws_device_name){true, false, zone.domain, zone.package};
    return (ws_device_name){is_known, is_total, p.domain, p.number};
}

bool ws_names_total(ws_span header_cell)
{
    static const char *const powers[] = {"power", "watts", "draw"};
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, header_cell);
    bool is_total = false;
    while (rest.n && ws_span_split(&rest, '_', &word)) {
        bool is_total_word = is_word_of(word, total_words, sizeof total_words / sizeof *total_words);
        if (!is_total_word && !is_word_of(word, powers, sizeof powers / sizeof *powers))
            return false;
        is_total |= is_total_word;
    }
    return is_total;
}

bool ws_is_perfmon_head(ws_span header_cell)
{
    return ws_span_has_prefix(header_cell, "(PDH-");
}

/* Its power; a rail of no domain is a device of its own. */
static ws_meaning meaning_of_rail(ws_span name, const ws_unit *unit)
{
    ws_domain domain = ws_board_rail_domain(name);
    return (ws_meaning){.role = WS_ROLE_VALUE,
                        .quantity = WS_POWER,
                        .domain = domain,
                        .names_domain = true,
                        .unit = unit,
                        .device = domain == WS_OTHER ? name : (ws_span){"", 0},
                        .device_number = -1};
}

ws_meaning ws_meaning_of(ws_span header_cell)
{
    ws_span name = ws_span_trim(header_cell), bare;
    if (ws_is_perfmon_head(name))
        return (ws_meaning){.role = WS_ROLE_TIME, .device_number = -1};
    const ws_unit *unit = ws_unit_in_name(name, &bare);
    const known_name *known = find_known(bare);
    if (known && unit_fits(known, unit))
        return meaning_of_known(known, unit);
    known = find_known(name);
    if (known)
        return meaning_of_known(known, NULL);
    if (ws_is_board_rail(bare) && (!unit || unit->dimension == WS_DIM_POWER))
        return meaning_of_rail(bare, unit);
    ws_meaning m = meaning_of_pieces(bare, unit);
    ws_meaning whole = meaning_of_pieces(name, NULL);
    return m.role == WS_ROLE_UNKNOWN && whole.role != WS_ROLE_UNKNOWN ? whole : m; /* "gpu_power_b" is not in bytes */
}
