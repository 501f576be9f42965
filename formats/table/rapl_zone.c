#include "formats/table/rapl_zone.h"

#include <inttypes.h>
#include <string.h>

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
    bool found = false;
    *zone = (ws_rapl_zone){.domain = WS_CPU};
    if (find_path(plain, zone))
        return true;
    while (ws_span_split(&rest, '_', &word)) {
        ws_span letters = without_digits(word);
        ws_domain domain;
        bool is_zone = find_word(word, &domain) || find_word(letters, &domain);
        int64_t number;
        bool has_number = ws_span_i64((ws_span){word.p + letters.n, word.n - letters.n}, &number) && number < 1024;
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
    return ws_arena_printf(arena, "%s%" PRId64, ws_domain_name(is_inside ? WS_CPU : zone->domain), zone->package);
}

ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error)
{
    enum { MOST = 16 * 1024 };
    return n <= MOST ? WS_OK
                     : ws_fail_at(error, WS_FORMAT, source, line, "more than %d zones: '%s' does not look like one",
                                  MOST, id);
}
