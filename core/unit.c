#include "core/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ws_unit units[] = {
    {"W", WS_DIM_POWER, 1},         {"mW", WS_DIM_POWER, 1e-3},
    {"uW", WS_DIM_POWER, 1e-6},     {"kW", WS_DIM_POWER, 1e3},
    {"MW", WS_DIM_POWER, 1e6},      {"J", WS_DIM_ENERGY, 1},
    {"mJ", WS_DIM_ENERGY, 1e-3},    {"uJ", WS_DIM_ENERGY, 1e-6},
    {"kJ", WS_DIM_ENERGY, 1e3},     {"MJ", WS_DIM_ENERGY, 1e6},
    {"GJ", WS_DIM_ENERGY, 1e9},     {"Wh", WS_DIM_ENERGY, 3600},
    {"mWh", WS_DIM_ENERGY, 3.6},    {"kWh", WS_DIM_ENERGY, 3.6e6},
    {"MWh", WS_DIM_ENERGY, 3.6e9},  {"GWh", WS_DIM_ENERGY, 3.6e12},
    {"s", WS_DIM_TIME, 1},          {"ms", WS_DIM_TIME, 1e-3},
    {"us", WS_DIM_TIME, 1e-6},      {"ns", WS_DIM_TIME, 1e-9},
    {"min", WS_DIM_TIME, 60},       {"h", WS_DIM_TIME, 3600},
    {"days", WS_DIM_TIME, 86400},   {"%", WS_DIM_RATIO, 0.01},
    {"B", WS_DIM_BYTES, 1},         {"KiB", WS_DIM_BYTES, 1024},
    {"MiB", WS_DIM_BYTES, 1048576}, {"GiB", WS_DIM_BYTES, 1073741824},
    {"kB", WS_DIM_BYTES, 1e3},      {"MB", WS_DIM_BYTES, 1e6},
    {"GB", WS_DIM_BYTES, 1e9},      {"Hz", WS_DIM_FREQUENCY, 1},
    {"kHz", WS_DIM_FREQUENCY, 1e3}, {"MHz", WS_DIM_FREQUENCY, 1e6},
    {"GHz", WS_DIM_FREQUENCY, 1e9}, {"C", WS_DIM_TEMPERATURE, 1},
};

/* Other spellings; any case. Those of one or two letters that would clash with another unit are not here. */
static const struct {
    const char *spelling, *name;
} spellings[] = {
    {"watt", "W"},
    {"watts", "W"},
    {"mwatt", "mW"},
    {"mwatts", "mW"}, /* EnergiBridge: "GPU0_POWER (mWatts)" */
    {"milliwatt", "mW"},
    {"milliwatts", "mW"},
    {"microwatts", "uW"},
    {"kwatt", "kW"},
    {"kwatts", "kW"},
    {"kilowatt", "kW"},
    {"kilowatts", "kW"},
    {"joule", "J"},
    {"joules", "J"},
    {"millijoules", "mJ"},
    {"microjoules", "uJ"},
    {"kilojoules", "kJ"},
    {"kilojoule", "kJ"},
    {"megajoules", "MJ"},
    {"gigajoules", "GJ"},
    {"wh", "Wh"},
    {"kwh", "kWh"},
    {"gwh", "GWh"},
    {"kwhs", "kWh"}, /* Emporia: "Mains_A (kWhs)" */
    {"sec", "s"},
    {"secs", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"msec", "ms"},
    {"milliseconds", "ms"},
    {"usec", "us"},
    {"microseconds", "us"},
    {"nanoseconds", "ns"},
    {"minute", "min"},
    {"minutes", "min"},
    {"hour", "h"},
    {"hours", "h"},
    {"hr", "h"},
    {"hrs", "h"},
    {"mins", "min"},
    {"percent", "%"},
    {"pct", "%"},
    {"bytes", "B"},
    {"mib", "MiB"},
    {"gib", "GiB"},
    {"kib", "KiB"},
    {"hz", "Hz"},
    {"mhz", "MHz"},
    {"ghz", "GHz"},
    {"khz", "kHz"},
    {"degC", "C"},
    {"celsius", "C"},
    {"\xc2\xb0"
     "C",
     "C"},
    {"\xb0"
     "C",
     "C"}, /* in Latin-1, as HWiNFO and GPU-Z write it */
    {"\xc2\xb5"
     "W",
     "uW"},
    {"\xc2\xb5"
     "J",
     "uJ"},
    {"\xce\xbc"
     "W",
     "uW"},
    {"\xce\xbc"
     "J",
     "uJ"},
    {"watthours", "Wh"},
    {"watt-hours", "Wh"},
    {"kilowatthours", "kWh"},
    {"kwhr", "kWh"},
    {"kwhrs", "kWh"},
    {"kw h", "kWh"},
    {"kw\xc2\xb7"
     "h",
     "kWh"},
    {"kws", "kJ"},
};

static const ws_unit *find_exact(ws_span word)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ws_span_eq(word, units[i].name))
            return &units[i];
    return NULL;
}

/* Most texts behind a number are none: "-02-11 08:00:00". */
static bool may_be_unit(ws_span word)
{
    unsigned char first = word.n ? (unsigned char)*word.p : '0';
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '%' || first >= 0x80;
}

const ws_unit *ws_unit_find(ws_span word)
{
    word = ws_span_trim(word);
    if (!may_be_unit(word))
        return NULL;
    const ws_unit *unit = find_exact(word);
    for (size_t i = 0; !unit && i < sizeof spellings / sizeof *spellings; i++)
        if (ws_span_eq_nocase(word, spellings[i].spelling))
            unit = find_exact(ws_span_of(spellings[i].name));
    return unit;
}

/* "name [unit]" and "name (unit)" */
static const ws_unit *unit_in_brackets(ws_span name, char open, char close, ws_span *bare)
{
    if (name.n < 3 || name.p[name.n - 1] != close)
        return NULL;
    for (size_t i = name.n - 1; i-- > 0;) {
        if (name.p[i] != open)
            continue;
        const ws_unit *unit = ws_unit_find((ws_span){name.p + i + 1, name.n - i - 2});
        if (unit)
            *bare = ws_span_trim((ws_span){name.p, i});
        return unit;
    }
    return NULL;
}

enum { IN = 4 };

/* "Energy in J", "energy_in_J" */
static bool is_in(ws_span name, size_t cut)
{
    return cut > IN && (ws_span_eq((ws_span){name.p + cut - IN, IN}, " in ") ||
                        ws_span_eq((ws_span){name.p + cut - IN, IN}, "_in_"));
}

/* "energy_watt_hours", "Energy kilowatt hours": not in hours. */
static const ws_unit *two_words(ws_span name, size_t cut, ws_span *bare)
{
    static const struct {
        const char *first, *unit;
    } words[] = {{"kilowatt", "kWh"}, {"megawatt", "MWh"}, {"gigawatt", "GWh"}, {"milliwatt", "mWh"}, {"watt", "Wh"}};
    ws_span last = {name.p + cut, name.n - cut};
    const ws_unit *hours = cut ? ws_unit_find(last) : NULL;
    if (!hours || !ws_span_eq(ws_span_of(hours->name), "h"))
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].first);
        if (cut > n + 1 && ws_span_eq_nocase((ws_span){name.p + cut - 1 - n, n}, words[i].first)) {
            *bare = ws_span_trim((ws_span){name.p, cut - n - 2});
            return find_exact(ws_span_of(words[i].unit));
        }
    }
    return NULL;
}

/* Suffixes after '_', '/', ', ' and ' in ' that are a unit in a column name. Lower case names cannot tell MW from mW:
 * the small one is what tools mean. "_c", "_b", "_h", "_j" and "_w" are taken, since our own columns end so. */
static const ws_unit *unit_in_suffix(ws_span name, ws_span *bare)
{
    static const struct {
        const char *suffix, *unit;
    } lower[] = {{"w", "W"},   {"mw", "mW"}, {"uw", "uW"}, {"kw", "kW"},   {"j", "J"},     {"mj", "mJ"},
                 {"uj", "uJ"}, {"kj", "kJ"}, {"gj", "GJ"}, {"mwh", "mWh"}, {"mib", "MiB"}, {"gib", "GiB"},
                 {"mb", "MB"}, {"gb", "GB"}, {"b", "B"},   {"c", "C"},     {"watts", "W"}, {"pct", "%"}};
    size_t cut = name.n;
    while (cut > 0 && !strchr("_/ ", name.p[cut - 1]))
        cut--;
    const ws_unit *two = two_words(name, cut, bare);
    if (two)
        return two;
    bool is_behind_comma = cut > 2 && name.p[cut - 1] == ' ' && name.p[cut - 2] == ','; /* "Runtime, s" */
    bool is_behind_slash = cut > 3 && name.p[cut - 1] == ' ' && name.p[cut - 2] == '/' && name.p[cut - 3] == ' ';
    if (cut < 2 || (name.p[cut - 1] == ' ' && !is_in(name, cut) && !is_behind_comma && !is_behind_slash))
        return NULL;
    ws_span word = {name.p + cut, name.n - cut};
    const ws_unit *unit = ws_unit_find(word);
    for (size_t i = 0; !unit && i < sizeof lower / sizeof *lower; i++)
        if (ws_span_eq_nocase(word, lower[i].suffix))
            unit = find_exact(ws_span_of(lower[i].unit));
    if (unit)
        *bare = ws_span_trim(
            (ws_span){name.p, is_in(name, cut) ? cut - IN : cut - 1 - is_behind_comma - 2 * is_behind_slash});
    return unit;
}

const ws_unit *ws_unit_in_name(ws_span name, ws_span *bare)
{
    name = ws_span_trim(name);
    *bare = name;
    const ws_unit *unit = unit_in_brackets(name, '[', ']', bare);
    if (!unit)
        unit = unit_in_brackets(name, '(', ')', bare);
    if (!unit)
        unit = unit_in_suffix(name, bare);
    return unit;
}

ws_joules_text ws_joules(double energy_j)
{
    static const struct {
        double j;
        const char *name;
    } large[] = {{1e9, "GJ"}, {1e6, "MJ"}, {1, "J"}};
    static const double rounds_up = 1 - 0.5e-6; /* of six digits: 999999.5 J is a MJ */
    size_t i = 0;
    while (large[i].j > 1 && !(fabs(energy_j) >= large[i].j * rounds_up))
        i++;
    ws_joules_text joules;
    snprintf(joules.text, sizeof joules.text, "%.6g %s", energy_j / large[i].j, large[i].name);
    return joules;
}
