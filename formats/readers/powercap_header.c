#include "formats/readers/powercap_header.h"

#include "formats/table/dictionary.h"

#include <string.h>

const char ws_powercap_range_words[] = "max_energy_range";

static ws_span without_hash(ws_span cell)
{
    return ws_span_has_prefix(cell, "#") ? ws_span_trim((ws_span){cell.p + 1, cell.n - 1}) : cell;
}

static bool is_range_column(ws_span cell)
{
    char buffer[WS_PLAIN_NAME];
    return ws_span_contains(ws_plain_name(buffer, cell), ws_powercap_range_words);
}

/* "package-0_energy_uj" without its unit and the word energy; *to_j is 1e-6 where the name has no unit of energy. */
static ws_span zone_name(ws_span cell, double *to_j)
{
    static const char word[] = "energy";
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    bool is_energy = unit && unit->dimension == WS_DIM_ENERGY;
    *to_j = is_energy ? unit->to_si : 1e-6;
    if (unit && !is_energy)
        bare = ws_span_trim(cell);
    if (ws_span_has_suffix(bare, word))
        bare.n -= sizeof word - 1;
    while (bare.n && strchr("_/ :-", bare.p[bare.n - 1]))
        bare.n--;
    return bare;
}

bool ws_powercap_zone_find(ws_span cell, ws_powercap_zone *zone)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    bool is_other = unit && unit->dimension != WS_DIM_ENERGY && unit->dimension != WS_DIM_BYTES;
    zone->id = zone_name(cell, &zone->to_j);
    return !is_other && ws_rapl_zone_find(zone->id, &zone->about) && !is_range_column(cell);
}

/* WS_POWERCAP_IDS: none of them. */
static int id_of_header(ws_span cell)
{
    static const int ids[] = {[WS_ZONE_NO_PART] = WS_POWERCAP_IDS,
                              [WS_ZONE_SOCKET] = WS_POWERCAP_SOCKET,
                              [WS_ZONE_PATH] = WS_POWERCAP_PATH,
                              [WS_ZONE_NAME] = WS_POWERCAP_NAME};
    const ws_known_name *known = ws_dictionary_find_spelled(cell);
    if (!known)
        return WS_POWERCAP_IDS;
    return known->role == WS_ROLE_NODE ? WS_POWERCAP_NODE : ids[known->zone];
}

static bool is_long_energy(ws_span cell)
{
    return ws_span_eq_nocase(cell, "energy_uj") || ws_span_eq_nocase(cell, "energy (uJ)") ||
           ws_span_eq_nocase(cell, "energy [uJ]");
}

/* A name that can only be a zone's: it has the unit, the path, or is "package-0" and the like. "cpu_energy" is not, as
 * other tools have columns of that name that are no counters. */
static bool is_surely_zone(ws_span cell)
{
    char buffer[WS_PLAIN_NAME];
    ws_span bare, plain = ws_plain_name(buffer, cell);
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    if ((unit && unit->dimension == WS_DIM_ENERGY && unit->to_si == 1e-6) || ws_span_has_prefix(plain, "intel_rapl_"))
        return true;
    while (plain.n && ((plain.p[plain.n - 1] >= '0' && plain.p[plain.n - 1] <= '9') || plain.p[plain.n - 1] == '_'))
        plain.n--;
    bool is_die = ws_span_has_prefix(plain, "package") && ws_span_has_suffix(plain, "_die"); /* "package-1-die-0" */
    return is_die || ws_rapl_trust(plain) == WS_ZONE_SURE;
}

static void look_at_cell(ws_powercap_header *header, ws_span cell, int32_t column, bool *is_sure)
{
    int id = id_of_header(cell);
    ws_powercap_zone zone;
    if (id < WS_POWERCAP_IDS && header->ids[id] < 0)
        header->ids[id] = column;
    if (is_long_energy(cell))
        header->energy = column;
    else if (ws_powercap_zone_find(cell, &zone))
        *is_sure |= is_surely_zone(cell);
    else if (is_range_column(cell))
        header->range = column;
}

bool ws_powercap_header_find(const ws_span *cells, uint32_t n, ws_powercap_header *header)
{
    bool is_sure = false;
    *header = (ws_powercap_header){.time = -1, .ids = {-1, -1, -1, -1}, .energy = -1, .range = -1};
    for (uint32_t c = 0; c < n; c++)
        look_at_cell(header, without_hash(cells[c]), (int32_t)c, &is_sure);
    header->is_long = header->energy >= 0 && (header->ids[WS_POWERCAP_NAME] >= 0 || header->ids[WS_POWERCAP_PATH] >= 0);
    if (header->is_long)
        zone_name(cells[header->energy], &header->to_j);
    for (int i = WS_POWERCAP_SOCKET; i < WS_POWERCAP_IDS && !header->is_long; i++)
        header->ids[i] = -1;
    for (uint32_t c = 0; (header->is_long || is_sure) && c < n && header->time < 0; c++) {
        ws_meaning m = ws_meaning_of(without_hash(cells[c]));
        if (m.role != WS_ROLE_TIME && m.role != WS_ROLE_DATE)
            continue;
        header->time = (int32_t)c;
        header->time_unit = m.unit;
    }
    return header->time >= 0;
}

int32_t ws_powercap_range_column(const ws_span *cells, uint32_t n, ws_span id)
{
    char plain_zone[WS_PLAIN_NAME], plain_cell[WS_PLAIN_NAME];
    ws_span name = ws_plain_name(plain_zone, id);
    for (uint32_t c = 0; c < n; c++) {
        ws_span cell = ws_plain_name(plain_cell, cells[c]);
        if (ws_span_contains(cell, ws_powercap_range_words) && cell.n > name.n && memcmp(cell.p, name.p, name.n) == 0 &&
            ws_span_has_prefix((ws_span){cell.p + name.n + 1, cell.n - name.n - 1}, ws_powercap_range_words))
            return (int32_t)c;
    }
    return -1;
}
