#include "formats/table/columnmap.h"
#include "formats/table/dictionary.h"

#include <stdlib.h>
#include <string.h>

/* Of a trace. */
static const ws_known_name *find_known(ws_span name)
{
    const ws_known_name *known = ws_dictionary_find_spelled(name);
    return known && known->role != WS_ROLE_UNKNOWN ? known : NULL;
}

static bool unit_fits(const ws_known_name *known, const ws_unit *unit)
{
    if (!unit)
        return true;
    if (known->role == WS_ROLE_VALUE)
        return unit->dimension == ws_quantity_dimension(known->quantity);
    return known->role == WS_ROLE_UNUSED ||
           ((known->role == WS_ROLE_TIME || known->role == WS_ROLE_INTERVAL) && unit->dimension == WS_DIM_TIME);
}

static ws_meaning meaning_of_known(const ws_known_name *known, const ws_unit *unit)
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
    const ws_known_word *known = ws_known_word_find((ws_span){word.p, letters});
    if (!known || !known->is_device || !may_be_device(p, known->device, known->needs_number, digits))
        return false;
    p->has_device = true;
    p->domain = known->device;
    p->letters = (ws_span){word.p, letters};
    set_number(p, digits);
    return true;
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
    const ws_known_word *known = ws_known_word_find(word);
    p->is_total |= known && known->is_total;
    p->is_no_reading |= known && known->is_no_reading;
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
    const ws_known_name *known = find_known((ws_span){p.rest, p.rest_n});
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
    const ws_known_word *known = ws_known_word_find(rest);
    bool is_total = p.number < 0 && known && known->is_total;
    bool is_known = p.has_device && !p.rest_n && !p.loose.n;
    ws_rapl_zone zone;
    if (!is_known && !is_total && ws_rapl_zone_find(cell, &zone) && !zone.is_unclear)
        return (ws_device_name){true, false, zone.domain, zone.package};
    return (ws_device_name){is_known, is_total, p.domain, p.number};
}

bool ws_names_total(ws_span header_cell)
{
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, header_cell);
    bool is_total = false;
    while (rest.n && ws_span_split(&rest, '_', &word)) {
        const ws_known_word *known = ws_known_word_find(word);
        bool is_power = ws_span_eq(word, "power") || ws_span_eq(word, "watts") || ws_span_eq(word, "draw");
        if (!is_power && !(known && known->is_total))
            return false;
        is_total |= !is_power;
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
    const ws_known_name *known = find_known(bare);
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

ws_meaning ws_meaning_of_device(ws_arena *arena, ws_span name)
{
    ws_rapl_zone zone;
    if (ws_rapl_trust(name) >= WS_ZONE_BESIDE && ws_rapl_zone_find(name, &zone))
        return (ws_meaning){.role = WS_ROLE_VALUE,
                            .domain = zone.domain,
                            .names_domain = true,
                            .device = name,
                            .device_number = zone.package};
    if (name.n && name.p[name.n - 1] >= '0' && name.p[name.n - 1] <= '9')
        return ws_meaning_of(ws_span_of(ws_arena_printf(arena, "gpu %.*s", WS_SPAN_ARG(name))));
    return (ws_meaning){.role = WS_ROLE_UNKNOWN};
}

/* --- what the user says --- */

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
    if (!unit || (unit->dimension != WS_DIM_POWER && unit->dimension != WS_DIM_ENERGY))
        return ws_fail(error, WS_USAGE,
                       "column map: '%.*s' is no unit of power (W, mW, uW, kW, MW) or energy (J, mJ, uJ, kJ, MJ, GJ, "
                       "mWh, Wh, kWh, MWh)",
                       WS_SPAN_ARG(value));
    if (unit->dimension == WS_DIM_POWER)
        map->unit = unit;
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
    } names[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}, {"pipe", '|'}, {"\\t", '\t'}};
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
