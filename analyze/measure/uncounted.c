#include "analyze/measure/uncounted.h"

#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

/* Share of the total from which a column of no known kind may be one of its processors or nodes: fans and network cards
 * of a node stay below. What is nearer to the energy of a domain or to the total is their sum. Ours. */
static const double large = 0.1, near = 0.02;

static bool is_total(const ws_device *d)
{
    static const char *const words[] = {"total", "sum"};
    return ws_name_has_word(ws_span_of(d->device), words, sizeof words / sizeof *words) ||
           ws_meaning_of(ws_span_of(d->energy->channel.column)).is_total;
}

/* "core", "psys": inside of a processor's package, or around it. */
static bool is_plane(const ws_device *d)
{
    ws_rapl_zone zone;
    return ws_rapl_zone_find(ws_span_of(d->device), &zone) && zone.domain != WS_OTHER;
}

/* A part that no total has may be one of those that it has, as a rail of a card, or lie beside them. A total that its
 * logger has computed holds others, and no sum lacks it. */
static bool is_uncounted(const ws_device *d, const ws_totals *t)
{
    bool has_parts = t->domain[WS_GPU].energy_j > 0 || t->domain[WS_CPU].energy_j > 0;
    return has_parts && !isnan(t->all.energy_j) && d->domain == WS_OTHER && !d->is_alternative && d->energy &&
           d->energy->summary.energy_j > 0 && !is_total(d) && !is_plane(d);
}

/* Known formats know their rails; who writes a table gives its columns names of their own. */
static bool is_column(const ws_device *d)
{
    return strcmp(d->identity, "column") == 0;
}

/* What holds the others, lies inside of one of them, or is none that a total has. */
static bool is_known_part(const ws_device *d)
{
    static const char *const words[] = {
        "chassis", "rack",    "enclosure", "blade",   "board",    "motherboard", "mainboard", "ipmi", "bmc",
        "dcmi",    "hsc",     "psu",       "supply",  "input",    "inlet",       "output",    "ac",   "dc",
        "meter",   "battery", "charger",   "adapter", "ups",      "atx",         "soc",       "ppt",  "hbm",
        "vram",    "vrm",     "igpu",      "ccd",     "iod",      "die",         "vdd",       "rail", "controller",
        "pcie",    "eps",     "fan",       "fans",    "pump",     "cooling",     "cooler",    "nic",  "network",
        "ib",      "hca",     "switch",    "nvlink",  "nvswitch", "ssd",         "nvme",      "disk", "hdd",
        "storage", "display", "lcd",       "usb",     "rest",     "other",       "misc"};
    char name[64]; /* "fan1" is a "fan" */
    size_t n = 0;
    for (; d->device[n] && n + 1 < sizeof name; n++)
        name[n] = d->device[n] >= '0' && d->device[n] <= '9' ? '_' : d->device[n];
    return ws_name_has_word((ws_span){name, n}, words, sizeof words / sizeof *words);
}

static bool is_near(double energy_j, double sum_j)
{
    return fabs(energy_j - sum_j) <= near * sum_j;
}

static bool is_large(const ws_device *d, const ws_totals *t)
{
    double energy_j = d->energy->summary.energy_j;
    return is_column(d) && !is_known_part(d) && energy_j >= large * t->all.energy_j &&
           !is_near(energy_j, t->all.energy_j) && !is_near(energy_j, t->domain[WS_GPU].energy_j) &&
           !is_near(energy_j, t->domain[WS_CPU].energy_j);
}

void ws_note_uncounted(const ws_measure *m, const ws_measure_group *g, const ws_totals *t, ws_notes *notes)
{
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (is_uncounted(d, t))
            ws_notes_add(notes, WS_FINDING_UNCOUNTED_DEVICE, d->source, d->device, 0,
                         "'%s' is no GPU, processor or memory by its name and in no total%s", d->device,
                         is_column(d) ? ": rename its column (gpu2_w, cpu_w, memory_w) if it is one" : "");
    }
}

/* It may be a part of what the total has, so that nobody knows the joules. */
void ws_stake_uncounted(const ws_measure *m, const ws_measure_group *g, ws_totals *t)
{
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (is_uncounted(d, t) && is_large(d, t))
            ws_stake_add(&t->all.stake, &m->options.verdict, WS_FINDING_UNCOUNTED_DEVICE, NAN);
    }
}
