#include "formats/table/dictionary.h"

#include <inttypes.h>
#include <string.h>

const ws_known_name *ws_dictionary_find(ws_span plain)
{
    for (size_t i = 0; plain.n && i < ws_known_names_n; i++)
        if (*plain.p == *ws_known_names[i].name && ws_span_eq(plain, ws_known_names[i].name))
            return &ws_known_names[i];
    return NULL;
}

const ws_known_name *ws_dictionary_find_spelled(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    const ws_known_name *known = ws_dictionary_find(ws_plain_name(buffer, name));
    return known ? known : ws_dictionary_find(ws_plain_name_of_words(buffer, name));
}

const ws_known_name *ws_dictionary(size_t *n)
{
    *n = ws_known_names_n;
    return ws_known_names;
}

bool ws_name_has(ws_span spelled, unsigned flag)
{
    const ws_known_name *known = ws_dictionary_find_spelled(spelled);
    return known && known->flags & flag;
}

const ws_known_word *ws_known_word_find(ws_span word)
{
    bool is_word = word.n && *word.p >= 'a' && *word.p <= 'z';
    for (size_t i = 0; is_word && i < ws_known_words_n; i++)
        if (*word.p == *ws_known_words[i].word && ws_span_eq(word, ws_known_words[i].word))
            return &ws_known_words[i];
    return NULL;
}

/* "Power VDD_IN" as jtop has it, "VDD_IN_power": the rail alone. */
static ws_span rail_in(ws_span name)
{
    static const char word[] = "power", front[] = "rail_"; /* of jtop's JSON: "rail_VDD_IN_power" */
    enum { N = sizeof word - 1, FRONT = sizeof front - 1 };
    if (ws_span_has_prefix(name, front))
        name = (ws_span){name.p + FRONT, name.n - FRONT};
    if (name.n > N + 1 && ws_span_eq_nocase((ws_span){name.p, N}, word) && strchr(" _", name.p[N]))
        return (ws_span){name.p + N + 1, name.n - N - 1};
    if (name.n > N + 1 && ws_span_eq_nocase((ws_span){name.p + name.n - N, N}, word) &&
        strchr(" _", name.p[name.n - N - 1]))
        return (ws_span){name.p, name.n - N - 1};
    return name;
}

ws_domain ws_board_rail_domain(ws_span name)
{
    ws_span rail = rail_in(name);
    for (size_t i = 0; i < ws_known_rails_n; i++)
        if (ws_span_eq_nocase(rail, ws_known_rails[i].rail))
            return ws_known_rails[i].domain;
    return WS_OTHER;
}

bool ws_name_has_word(ws_span name, const char *const *words, size_t n)
{
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, name);
    while (rest.n && ws_span_split(&rest, '_', &word))
        for (size_t i = 0; i < n; i++)
            if (ws_span_eq(word, words[i]))
                return true;
    return false;
}

bool ws_names_volts(ws_span name)
{
    static const char *const words[] = {"volt", "volts", "voltage", "vbus", "vin"};
    return ws_name_has_word(name, words, sizeof words / sizeof *words);
}

bool ws_names_amperes(ws_span name)
{
    static const char *const words[] = {"amp", "amps", "ampere", "amperes", "current"};
    return ws_name_has_word(name, words, sizeof words / sizeof *words);
}

/* "VDD_IN_voltage", "VDD_IN curr" */
static bool is_of_volts_or_amperes(ws_span name)
{
    static const char *const words[] = {"voltage", "volt", "volts", "current", "curr", "amp", "amps"};
    return ws_name_has_word(name, words, sizeof words / sizeof *words);
}

bool ws_is_board_rail(ws_span name)
{
    static const char *const beginnings[] = {"VDD_", "VDDQ_", "VDDRQ", "VIN_", "POM_"};
    ws_span rail = rail_in(name);
    if (ws_span_eq(name, "Power TOT")) /* jtop's, of all that the board draws */
        return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t n = strlen(beginnings[i]);
        if (rail.n >= n && ws_span_eq_nocase((ws_span){rail.p, n}, beginnings[i]))
            return !is_of_volts_or_amperes(rail);
    }
    return false;
}

bool ws_is_board_input(ws_span name)
{
    return ws_span_eq_nocase(name, "power_in") || ws_span_eq_nocase(name, "in_power");
}

/* Xavier's tegrastats: "GPU 0/0 CPU 232/232 SOC 1238/1238 CV 0/0 VDDRQ 155/155 SYS5V 1846/1846". */
bool ws_is_bare_rail(ws_span name)
{
    static const char *const rails[] = {"GPU", "CPU", "SOC", "CV", "SYS5V"};
    ws_span rail = rail_in(name);
    for (size_t i = 0; i < sizeof rails / sizeof *rails; i++)
        if (ws_span_eq_nocase(rail, rails[i]))
            return true;
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
    bool found = false, is_die = false;
    *zone = (ws_rapl_zone){.domain = WS_CPU};
    if (find_path(plain, zone))
        return true;
    while (ws_span_split(&rest, '_', &word)) {
        ws_span letters = without_digits(word);
        ws_domain domain;
        bool is_zone = find_word(word, &domain) || find_word(letters, &domain);
        int64_t number;
        bool has_number = ws_span_i64((ws_span){word.p + letters.n, word.n - letters.n}, &number) && number < 1024;
        if (is_die && has_number && !letters.n) {
            zone->die = number + 1;
            is_die = false;
            continue;
        }
        is_die = ws_span_eq(word, "die");
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
    const char *name = ws_domain_name(is_inside ? WS_CPU : zone->domain);
    return !zone->die ? ws_arena_printf(arena, "%s%" PRId64, name, zone->package)
                      : ws_arena_printf(arena, "%s%" PRId64 "-die%" PRId64, name, zone->package, zone->die - 1);
}

ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error)
{
    enum { MOST = 16 * 1024 };
    return n <= MOST ? WS_OK
                     : ws_fail_at(error, WS_FORMAT, source, line, "more than %d zones: '%s' does not look like one",
                                  MOST, id);
}

/* --- what the name of a column says --- */

/* Of a trace. */
static const ws_known_name *find_known(ws_span name)
{
    const ws_known_name *known = ws_dictionary_find_spelled(name);
    return known && known->role != WS_ROLE_UNKNOWN ? known : NULL;
}

static bool unit_fits(const ws_known_name *known, const ws_unit *unit)
{
    if (!unit)
        return !(known->flags & WS_NAME_NEEDS_UNIT);
    if (known->role == WS_ROLE_VALUE)
        return unit->dimension == ws_quantity_dimension(known->quantity);
    return known->role == WS_ROLE_UNUSED || known->role == WS_ROLE_DRIVER ||
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
    ws_span letters, digits;   /* of the device's word; digits may be a letter: "GPU A" */
    ws_span loose;             /* a number or letter apart from it: "gpu_power_0" */
    int64_t number;            /* -1: none; 0 for "a" */
    ws_span node, node_digits; /* of a numbered node beside the device: "n1 GPU 0 power" */
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

/* "n1 GPU 0 power", "gpu0_node2_power": a numbered node beside a device of it is where that is. */
static bool takes_node_apart(pieces *p, const ws_known_word *known, ws_span letters, ws_span digits)
{
    bool has_number = digits.n && digits.n < 10 && is_number(digits);
    if (!p->has_device || p->node.n || p->number < 0 || !has_number)
        return false;
    if (known->device == WS_NODE && p->domain != WS_NODE) {
        p->node = letters;
        p->node_digits = digits;
        return true;
    }
    bool is_inside = known->device == WS_GPU || known->device == WS_CPU || known->device == WS_DRAM;
    if (p->domain != WS_NODE || !is_inside)
        return false;
    p->node = p->letters;
    p->node_digits = p->digits;
    p->has_device = false;
    p->number = -1;
    return false; /* the device itself is taken as any other */
}

/* "system/gpu_0_power": of all that a node without a number holds, the device is meant. */
static bool is_inside_of_node(const pieces *p, const ws_known_word *known, ws_span digits)
{
    bool has_number = digits.n && digits.n < 10 && is_number(digits);
    return p->has_device && p->domain == WS_NODE && p->number < 0 && !p->digits.n && has_number &&
           (known->device == WS_GPU || known->device == WS_CPU || known->device == WS_DRAM);
}

/* "package_dram_power", "package-0-dram": the memory of that package; "cpu_dram_power" may as well be both together. */
static bool is_memory_of_package(const pieces *p, const ws_known_word *known)
{
    return p->has_device && p->domain == WS_CPU && known->device == WS_DRAM && !ws_span_eq(p->letters, "cpu");
}

static bool take_device_word(pieces *p, ws_span word, ws_span following)
{
    size_t letters = letters_before_digits(word);
    ws_span digits = {word.p + letters, word.n - letters};
    if (!digits.n && (is_number(following) || is_letter(following)))
        digits = following;
    const ws_known_word *known = ws_known_word_find((ws_span){word.p, letters});
    if (!known || !known->is_device)
        return false;
    if (known->device == WS_NODE && ws_span_eq(following, "agent")) /* a part of the package: "System Agent Power" */
        return false;
    if (is_memory_of_package(p, known) && !digits.n) {
        p->domain = WS_DRAM;
        return true;
    }
    if (takes_node_apart(p, known, (ws_span){word.p, letters}, digits))
        return true;
    if (is_inside_of_node(p, known, digits))
        p->has_device = false;
    if (!may_be_device(p, known->device, known->needs_number, digits))
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

/* "GPU 8-pin #1 Input Power", "GPU PCIe +12V Input Power", "GPU FBVDD Input Power" (HWiNFO), "8-Pin #1 Power" (GPU-Z):
 * what a plug or a rail of a card carries, and no ninth GPU. */
static bool names_part_of_card(ws_span plain)
{
    static const char *const words[] = {"pin", "slot", "12v", "3v3", "nvvdd", "fbvdd", "mvddc", "hvpwr"};
    return ws_name_has_word(plain, words, sizeof words / sizeof *words);
}

static pieces take_to_pieces(ws_span plain)
{
    pieces p = {.number = -1, .domain = WS_OTHER};
    ws_span word, next = {"", 0}, rest = plain;
    if (names_part_of_card(plain)) {
        keep_word(&p, plain);
        return p;
    }
    bool more = plain.n && ws_span_split(&rest, '_', &word);
    while (more) {
        more = ws_span_split(&rest, '_', &next);
        bool is_taken = (p.digits.n && word.p == p.digits.p) || (p.node.n && word.p == p.node_digits.p);
        if (!is_taken)
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
static ws_span as_spelled(ws_span name, ws_span letters, ws_span digits)
{
    for (size_t from = 0; from + letters.n < name.n; from++) {
        size_t at = from + letters.n;
        if (!stands_at(name, from, letters))
            continue;
        while (at < name.n && !is_alnum(name.p[at]))
            at++;
        if (stands_at(name, at, digits))
            return (ws_span){name.p + from, at + digits.n - from};
    }
    return name;
}

static ws_span device_as_spelled(ws_span name, const pieces *p)
{
    for (size_t from = name.n; p->digits.p == p->loose.p && from-- > 0;)
        if (stands_at(name, from, p->loose) && (!from || !is_alnum(name.p[from - 1])))
            return (ws_span){name.p + from, p->loose.n};
    return as_spelled(name, p->letters, p->digits);
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
    /* "gpu0_total_energy_consumption": of one device a total counter holds the time before, and no other column */
    bool is_over_time = known && known->quantity == WS_ENERGY_COUNTER && p.number >= 0;
    m = (ws_meaning){.role = WS_ROLE_VALUE,
                     .quantity = known ? known->quantity : WS_POWER,
                     .domain = p.domain,
                     .names_domain = true,
                     .unit = unit,
                     .preference = known ? known->preference : 0,
                     .is_total = p.is_total && !is_over_time,
                     .is_bare = !known && !unit,
                     .device_number = p.number,
                     .names_energy = false};
    if (p.number >= 0 || !p.has_device)
        m.device = p.has_device ? device_as_spelled(bare, &p) : bare;
    if (p.node.n)
        m.node = as_spelled(bare, p.node, p.node_digits);
    return m;
}

static bool has_letter(ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((text.p[i] >= 'a' && text.p[i] <= 'z') || (text.p[i] >= 'A' && text.p[i] <= 'Z'))
            return true;
    return false;
}

/* "package-0-dram", "N1/ram", not "GPU-5e717b42-0c1d", whose first word is a zone, too. */
static bool all_words_are_zones(ws_span plain)
{
    ws_span word;
    ws_domain domain;
    while (ws_span_split(&plain, '_', &word)) {
        ws_span letters = without_digits(word);
        bool is_path = ws_span_eq(word, "intel") || ws_span_eq(word, "rapl") || ws_span_eq(word, "mmio");
        bool is_socket = !letters.n || ws_span_eq(letters, "n") || ws_span_eq(letters, "s") || ws_span_eq(word, "die");
        if (!is_path && !is_socket && !find_word(word, &domain) && !find_word(letters, &domain))
            return false;
    }
    return true;
}

ws_device_name ws_device_name_of(ws_span cell)
{
    char buffer[WS_PLAIN_NAME];
    if (!has_letter(cell)) /* a stamp, "48 %" */
        return (ws_device_name){.domain = WS_OTHER, .number = -1};
    ws_span plain = ws_plain_name(buffer, cell);
    pieces p = take_to_pieces(plain);
    ws_span rest = {p.rest, p.rest_n};
    const ws_known_word *known = ws_known_word_find(rest);
    bool is_whole = rest.n == plain.n; /* "0 min" is a reading */
    bool is_total = p.number < 0 && known && (known->is_total || (known->is_summary && is_whole));
    bool is_known = p.has_device && (!p.rest_n || ws_span_eq(rest, "power")) && !p.loose.n;
    bool is_memory = p.has_device && p.domain == WS_CPU && ws_span_eq(rest, "memory");
    if (is_memory) /* "CPU Memory" of LibreHardwareMonitor */
        return (ws_device_name){true, false, WS_DRAM, p.number};
    ws_rapl_zone zone;
    if (!is_known && !is_total && all_words_are_zones(plain) && ws_rapl_zone_find(cell, &zone) && !zone.is_unclear)
        return (ws_device_name){true, false, zone.domain, zone.package};
    return (ws_device_name){is_known, is_total, p.domain, p.number};
}

/* "power1_average", "hwmon3_power1_input", "BAT0_power_now": files of the kernel, in uW (its pages on hwmon and power
 * supplies). The first channel is that of the chip; others may hold it. */
static bool cut_kernel_power(ws_span plain, ws_span *before)
{
    static const char *const ends[] = {"power1_average", "power1_input", "power_now"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]), at = plain.n - n;
        if (plain.n < n || !ws_span_eq((ws_span){plain.p + at, n}, ends[i]) || (at && plain.p[at - 1] != '_'))
            continue;
        *before = (ws_span){plain.p, at ? at - 1 : 0};
        return true;
    }
    return false;
}

bool ws_is_kernel_power(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    ws_span before;
    return cut_kernel_power(ws_plain_name(buffer, name), &before);
}

static ws_meaning meaning_of_kernel_power(ws_span name, const ws_unit *unit)
{
    static const char *const cards[] = {"amdgpu", "nouveau", "i915", "xe", "gpu"};
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, name), before = {"", 0};
    bool is_battery = ws_span_has_suffix(plain, "now");
    pieces p = {.number = -1};
    if (cut_kernel_power(plain, &before))
        p = take_to_pieces(before);
    if (p.has_device && p.number >= 0) /* "card1_power1_average" */
        return (ws_meaning){.role = WS_ROLE_VALUE,
                            .quantity = WS_POWER,
                            .domain = p.domain,
                            .names_domain = true,
                            .unit = unit,
                            .device_number = p.number,
                            .device = device_as_spelled(name, &p)};
    return (ws_meaning){.role = WS_ROLE_VALUE,
                        .quantity = WS_POWER,
                        .domain = is_battery ? WS_NODE : WS_GPU,
                        .names_domain = is_battery || ws_name_has_word(name, cards, sizeof cards / sizeof *cards),
                        .unit = unit,
                        .device_number = -1};
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

/* "Time Bucket (America/New_York)" */
static ws_span without_zone(ws_span name)
{
    size_t at = 0;
    while (at < name.n && name.p[at] != '(')
        at++;
    ws_span zone = {name.p + at, name.n - at};
    bool is_zone = zone.n > 2 && zone.p[zone.n - 1] == ')' && memchr(zone.p, '/', zone.n);
    return is_zone ? ws_span_trim((ws_span){name.p, at}) : (ws_span){"", 0};
}

/* "GPU Temperature [F]": a unit that is not known, and no GPU F. */
static ws_span without_letter_in_brackets(ws_span name)
{
    size_t at = name.n;
    if (!name.n || !strchr("])", name.p[name.n - 1]))
        return name;
    while (at && !strchr("[(", name.p[at - 1]))
        at--;
    size_t letters = 0;
    for (size_t i = at; i < name.n; i++)
        letters += is_alnum(name.p[i]);
    return at && letters == 1 ? ws_span_trim((ws_span){name.p, at - 1}) : name;
}

/* "GPU%", "GPU Power (%)" */
static bool names_percent(ws_span name)
{
    while (name.n && strchr("])", name.p[name.n - 1]))
        name.n--;
    name = ws_span_trim(name);
    return name.n && name.p[name.n - 1] == '%';
}

/* Of a share only what is one: a power in % of its limit is no power, and a load no number of a GPU. */
static ws_meaning meaning_of_percent(ws_span bare, const ws_unit *unit)
{
    const ws_known_name *known = find_known(bare);
    if (known && known->role == WS_ROLE_GPU)
        return meaning_of_known(find_known(ws_span_of("gpu_util")), unit);
    if (known && (known->role == WS_ROLE_UNUSED ||
                  (known->role == WS_ROLE_VALUE && ws_quantity_dimension(known->quantity) == WS_DIM_RATIO)))
        return meaning_of_known(known, unit);
    ws_meaning m = meaning_of_pieces(bare, unit);
    bool is_share = m.role == WS_ROLE_VALUE && ws_quantity_dimension(m.quantity) == WS_DIM_RATIO;
    return is_share ? m : (ws_meaning){.role = WS_ROLE_UNKNOWN, .unit = unit, .device_number = -1};
}

/* "mem_w", "Memory [W]", "dimm_j": in such a unit it is no use of memory, but its power or energy; else NULL. */
static const ws_known_name *known_of_memory(ws_span bare, const ws_unit *unit)
{
    static const char *const memories[] = {"mem", "memory", "dimm", "dimms"};
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, bare);
    bool is_power = unit && unit->dimension == WS_DIM_POWER, is_energy = unit && unit->dimension == WS_DIM_ENERGY;
    for (size_t i = 0; i < sizeof memories / sizeof *memories && (is_power || is_energy); i++)
        if (ws_span_eq(plain, memories[i]))
            return find_known(ws_span_of(is_power ? "mem_power" : "mem_energy"));
    return NULL;
}

ws_meaning ws_meaning_of(ws_span header_cell)
{
    ws_span name = ws_span_trim(header_cell), bare;
    if (ws_is_perfmon_head(name))
        return (ws_meaning){.role = WS_ROLE_TIME, .device_number = -1};
    const ws_unit *unit = ws_unit_in_name(name, &bare);
    if (names_percent(name))
        return meaning_of_percent(bare, unit);
    const ws_known_name *known = find_known(bare);
    if (known && unit_fits(known, unit))
        return meaning_of_known(known, unit);
    known = find_known(name);
    if (known && unit_fits(known, NULL))
        return meaning_of_known(known, NULL);
    known = known_of_memory(bare, unit);
    if (known)
        return meaning_of_known(known, unit);
    if (ws_is_board_rail(bare) && (!unit || unit->dimension == WS_DIM_POWER))
        return meaning_of_rail(bare, unit);
    if (ws_is_kernel_power(bare) && (!unit || unit->dimension == WS_DIM_POWER))
        return meaning_of_kernel_power(bare, unit ? unit : ws_unit_find(ws_span_of("uW")));
    known = find_known(without_zone(name));
    if (known && known->role == WS_ROLE_TIME)
        return meaning_of_known(known, NULL);
    ws_meaning m = meaning_of_pieces(bare, unit);
    ws_meaning whole = meaning_of_pieces(without_letter_in_brackets(name), NULL);
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
