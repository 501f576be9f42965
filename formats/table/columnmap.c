#include "formats/table/columnmap.h"

#include "formats/table/rows.h"

#include <stdlib.h>
#include <string.h>

#define VALUE(which)                                                                          \
    {                                                                                         \
        .role = WS_ROLE_VALUE, .quantity = (which), .device_number = -1, .names_energy = true \
    }
#define ROLE(which)                          \
    {                                        \
        .role = (which), .device_number = -1 \
    }

static const struct {
    const char *key;
    ws_meaning meaning;
} column_keys[] = {
    {"time", ROLE(WS_ROLE_TIME)},
    {"date", ROLE(WS_ROLE_DATE)},
    {"daytime", ROLE(WS_ROLE_DAYTIME)},
    {"interval", ROLE(WS_ROLE_INTERVAL)},
    {"gpu", ROLE(WS_ROLE_GPU)},
    {"uuid", ROLE(WS_ROLE_UUID)},
    {"bus", ROLE(WS_ROLE_BUS)},
    {"name", ROLE(WS_ROLE_NAME)},
    {"node", ROLE(WS_ROLE_NODE)},
    {"power", VALUE(WS_POWER)},
    {"counter", VALUE(WS_ENERGY_COUNTER)},
    {"energy", VALUE(WS_ENERGY_INTERVAL)},
    {"util", VALUE(WS_UTIL)},
    {"memutil", VALUE(WS_MEM_UTIL)},
    {"memused", VALUE(WS_MEM_USED)},
    {"smclock", VALUE(WS_CLOCK)},
    {"temp", VALUE(WS_TEMPERATURE)},
    {"limit", VALUE(WS_POWER_LIMIT)},
};

static ws_status set_unit(ws_map *map, ws_span value, ws_error *error)
{
    const ws_unit *unit = ws_unit_find(value);
    if (!unit ||
        (unit->dimension != WS_DIM_POWER && unit->dimension != WS_DIM_ENERGY && unit->dimension != WS_DIM_TIME))
        return ws_fail(error, WS_USAGE,
                       "column map: '%.*s' is no unit of power (W, mW, uW, kW, MW), energy (J, mJ, uJ, kJ, MJ, GJ, "
                       "mWh, Wh, kWh, MWh, GWh) or time (ns, us, ms, s, min, h)",
                       WS_SPAN_ARG(value));
    if (unit->dimension == WS_DIM_POWER)
        map->unit = unit;
    else if (unit->dimension == WS_DIM_TIME)
        map->time_unit = unit;
    else
        map->energy_unit = unit;
    return WS_OK;
}

static ws_status set_domain(ws_map *map, ws_span value, ws_error *error)
{
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        if (ws_span_eq(value, ws_domain_name((ws_domain)d))) {
            map->domain = (ws_domain)d;
            map->gives_domain = true;
            return WS_OK;
        }
    }
    return ws_fail(error, WS_USAGE, "column map: no domain '%.*s' (gpu, cpu, dram, node, wall, other)",
                   WS_SPAN_ARG(value));
}

static ws_status set_header(ws_map *map, ws_span value, ws_error *error)
{
    map->gives_header = true;
    map->has_header = ws_span_eq(value, "yes");
    if (map->has_header || ws_span_eq(value, "no"))
        return WS_OK;
    return ws_fail(error, WS_USAGE, "column map: header=%.*s, not yes or no", WS_SPAN_ARG(value));
}

static ws_status set_delimiter(ws_map *map, ws_span value, ws_error *error)
{
    static const struct {
        const char *name;
        char sign;
    } names[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", WS_WORDS}, {"pipe", '|'}, {"\\t", '\t'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ws_span_eq(value, names[i].name))
            map->delimiter = names[i].sign;
    if (value.n == 1 && *value.p != '"')
        map->delimiter = *value.p;
    if (map->delimiter)
        return WS_OK;
    return ws_fail(error, WS_USAGE, "column map: no delimiter '%.*s' (comma, semicolon, tab, space, pipe or one sign)",
                   WS_SPAN_ARG(value));
}

static ws_status set_devices(ws_map *map, ws_span value, ws_error *error)
{
    int64_t n;
    if (!ws_span_i64(value, &n) || n < 1 || n > 1024)
        return ws_fail(error, WS_USAGE, "column map: devices=%.*s, not a number from 1 to 1024", WS_SPAN_ARG(value));
    map->devices = (uint32_t)n;
    return WS_OK;
}

static ws_status set_dates(ws_map *map, ws_span value, ws_error *error)
{
    map->dates = ws_span_eq(value, "day-first")     ? WS_STAMP_DMY
                 : ws_span_eq(value, "month-first") ? WS_STAMP_MDY
                                                    : WS_STAMP_NONE;
    if (map->dates != WS_STAMP_NONE)
        return WS_OK;
    return ws_fail(error, WS_USAGE, "column map: dates=%.*s, neither day-first nor month-first", WS_SPAN_ARG(value));
}

static const struct {
    const char *key;
    ws_status (*set)(ws_map *map, ws_span value, ws_error *error);
} setting_keys[] = {
    {"unit", set_unit},           {"domain", set_domain},   {"header", set_header},
    {"delimiter", set_delimiter}, {"devices", set_devices}, {"dates", set_dates},
};

static ws_status add_column(ws_map *map, ws_span key, ws_span value, ws_error *error)
{
    for (size_t i = 0; i < sizeof column_keys / sizeof *column_keys; i++) {
        if (!ws_span_eq(key, column_keys[i].key))
            continue;
        map->columns = ws_grow(map->columns, &map->capacity, map->n + 1, sizeof *map->columns);
        map->columns[map->n++] = (ws_map_column){.key = column_keys[i].key,
                                                 .column = ws_arena_strndup(&map->arena, value.p, value.n),
                                                 .meaning = column_keys[i].meaning};
        return WS_OK;
    }
    return ws_fail(
        error, WS_USAGE,
        "column map: no key '%.*s' (time, date, daytime, interval, gpu, uuid, bus, name, node, power, counter, energy, "
        "util, memutil, memused, smclock, temp, limit, unit, domain, header, delimiter, devices, dates)",
        WS_SPAN_ARG(key));
}

static ws_status add_entry(ws_map *map, ws_span key, ws_span value, ws_error *error)
{
    if (!value.n)
        return ws_fail(error, WS_USAGE, "column map: '%.*s' needs a value, as in power=#2", WS_SPAN_ARG(key));
    for (size_t i = 0; i < sizeof setting_keys / sizeof *setting_keys; i++)
        if (ws_span_eq(key, setting_keys[i].key))
            return setting_keys[i].set(map, value, error);
    return add_column(map, key, value, error);
}

ws_status ws_map_parse(ws_map *map, const char *text, ws_error *error)
{
    memset(map, 0, sizeof *map);
    ws_span rest = ws_span_of(text), entry, key;
    ws_status status = WS_OK;
    while (status == WS_OK && ws_span_split(&rest, ',', &entry)) {
        ws_span value = entry;
        ws_span_split(&value, '=', &key);
        /* "delimiter=," splits at its own value */
        if (ws_span_eq(ws_span_trim(entry), "delimiter=") && rest.p) {
            ws_span_split(&rest, ',', &entry);
            value = ws_span_of(",");
        }
        status = add_entry(map, ws_span_trim(key), value.p ? ws_span_trim(value) : (ws_span){"", 0}, error);
    }
    if (status != WS_OK)
        ws_map_free(map);
    return status;
}

void ws_map_free(ws_map *map)
{
    ws_arena_free(&map->arena);
    free(map->columns);
    memset(map, 0, sizeof *map);
}

bool ws_map_find(const char *spelled, const ws_span *header, uint32_t n_columns, uint32_t *column)
{
    int64_t place;
    if (*spelled == '#' && ws_span_i64(ws_span_of(spelled + 1), &place)) {
        *column = (uint32_t)(place - 1);
        return place >= 1 && place <= (int64_t)n_columns;
    }
    enum { EXACT, ANY_CASE, WITHOUT_UNIT, WAYS };
    for (int way = EXACT; header && way < WAYS; way++) {
        for (uint32_t c = 0; c < n_columns; c++) {
            ws_span name = ws_span_trim(header[c]);
            if (way == WITHOUT_UNIT)
                ws_unit_in_name(name, &name);
            if (way == EXACT ? ws_span_eq(name, spelled) : ws_span_eq_nocase(name, spelled)) {
                *column = c;
                return true;
            }
        }
    }
    return false;
}
