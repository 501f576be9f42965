/* Energies of intervals, one row for each package and domain:
 *
 *   #timestamp,interval,socket,domain,energy,power
 *   0.005167,0.005222,N0,package,0.1126,21.5642
 *   0.005270,0.005316,N0,ram,0.0096,1.8083
 *
 * Seconds since the start, length of the interval in s, J and W of the interval. Lines with # are remarks. The interval
 * is written, so that the energies are summed and the powers hold for the interval before their row. */
#include "formats/table/preset.h"
#include "formats/table/dictionary.h"

static const ws_preset_value rapl_interval_values[] = {
    {"energy", WS_CPU, WS_ENERGY_INTERVAL, WS_RULE_INTERVAL, "J", 0},
    {"power", WS_CPU, WS_POWER, WS_RULE_RECTANGLE, "W", 0},
};

/* "N0/package" */
static bool about_zone(ws_arena *arena, const char *kind, const ws_span *cells, ws_preset_reading *reading)
{
    (void)cells;
    ws_rapl_zone zone;
    if (!ws_rapl_zone_find(ws_span_of(kind), &zone))
        return false;
    reading->domain = zone.domain;
    reading->device = ws_rapl_device(arena, &zone);
    return true;
}

static const ws_preset rapl_interval_csv_preset = {.score = 92,
                                                   .loose_names = true,
                                                   .must = {"timestamp|time", "interval", "domain", "energy"},
                                                   .time = {"timestamp|time"},
                                                   .interval = "interval",
                                                   .id = {"socket", "domain"},
                                                   .kind = {"socket", "domain"},
                                                   .about = about_zone,
                                                   .unknown = "is no RAPL domain",
                                                   WS_PRESET_VALUES(rapl_interval_values),
                                                   .what = "no rows of RAPL intervals below a header with timestamp, "
                                                           "interval, domain and energy"};
WS_PRESET_FORMAT(rapl_interval_csv, "rapl-interval-csv", "RAPL energies of intervals, one row a package and domain",
                 "#timestamp,interval,socket,domain,energy,power\n0.005167,0.005222,N0,package,0.1126,21.5642", 3,
                 WS_GIVES_POWER | WS_GIVES_ENERGY, WS_TRIED_REAL);
