/* The one dictionary of names: what a column's name says of a column of a trace, and for which column of a table of
 * runs it stands; and what words in names of devices and of RAPL's zones say. Who reads headers asks here; its entries
 * stand in known_names.c. */
#ifndef WS_FORMATS_DICTIONARY_H
#define WS_FORMATS_DICTIONARY_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/text.h"
#include "core/unit.h"
#include "formats/table/known_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does it say whose a row is, on its node? */
static inline bool ws_is_identity(ws_role role)
{
    return role >= WS_ROLE_UUID && role <= WS_ROLE_NAME;
}

/* By a name as ws_plain_name writes it; NULL: unknown. */
const ws_known_name *ws_dictionary_find(ws_span plain);

/* The same, by a name as it is spelled. */
const ws_known_name *ws_dictionary_find_spelled(ws_span name);

/* All of them, for tests and documents. */
const ws_known_name *ws_dictionary(size_t *n);

/* Does the name have that flag? */
bool ws_name_has(ws_span spelled, unsigned flag);

const ws_known_word *ws_known_word_find(ws_span word); /* in lower case */

/* Rails of small boards, as NVIDIA's Jetson boards and others call them: "VDD_IN" feeds the board, "VDD_GPU_SOC" its
 * GPU. WS_OTHER for what is not known and for what mixes domains ("VDD_CPU_GPU_CV"). Case does not count. */
ws_domain ws_board_rail_domain(ws_span rail);
/* "power_in", the input of a board beside its "power_gpu"; "GPU", "SOC", "power_gpu", which are rails beside others. */
bool ws_is_board_input(ws_span name);
bool ws_is_bare_rail(ws_span name);
bool ws_is_board_rail(ws_span name); /* the power of one: "VDD_...", "VIN_...", "POM_...", "Power VDD_..." ? */

/* "bus_voltage", "Volt"; "current", "Amp" */
bool ws_names_volts(ws_span name);
bool ws_names_amperes(ws_span name);

/* Is one of the words of this name, which signs and blanks part, among these? */
bool ws_name_has_word(ws_span name, const char *const *words, size_t n);

/* A power of hwmon or of a power supply, as the kernel calls it: in uW. */
bool ws_is_kernel_power(ws_span name);

const ws_unit *ws_usual_unit(ws_quantity quantity); /* where no unit is written; NULL: none */
ws_dimension ws_quantity_dimension(ws_quantity quantity);
bool ws_is_energy(ws_quantity quantity);
bool ws_is_metered(ws_quantity quantity);    /* gives an energy: a power, or an energy itself */
ws_rule ws_usual_rule(ws_quantity quantity); /* of point readings */

/* --- names of RAPL zones, as powercap and the loggers over it spell them --- */

typedef struct ws_rapl_zone {
    ws_domain domain;
    int64_t package, die; /* die: counted from 1; 0 where the name states none */
    bool is_unclear;      /* a number path that does not say what lies there: "intel-rapl:0:1" */
} ws_rapl_zone;

/* "package-0", "intel-rapl:0", "dram-1", "package-0-dram", "package-1-die-0", "psys", "N1/ram". False for anything
 * else. */
bool ws_rapl_zone_find(ws_span name, ws_rapl_zone *zone);

/* The same where path, socket and name stand apart, any of them empty: "intel-rapl:1:0", "", "dram" and "", "1", "dram"
 * are dram1. */
bool ws_rapl_zone_at(ws_span path, ws_span socket, ws_span name, ws_rapl_zone *zone);

/* How sure a whole name is that of a zone: "package" is, and "cpu" is other things as well. */
ws_zone_trust ws_rapl_trust(ws_span name);

/* "cpu0", "cpu1-die0", "dram1", "psys", "other". */
const char *ws_rapl_device(ws_arena *arena, const ws_rapl_zone *zone);

/* WS_FORMAT where n zones, `id` the last of them, are more than any log has. */
ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error);

/* --- what the name of a column says --- */

typedef struct ws_meaning {
    ws_role role;
    /* of WS_ROLE_VALUE: */
    ws_quantity quantity;
    ws_domain domain;
    bool names_domain; /* the name says whose it is; otherwise gpu is an assumption */
    bool names_energy; /* the name says whether an energy is a counter */
    bool is_total;     /* holds other columns: "total_watts" */
    bool is_of_all;    /* names nobody beside columns of single devices: taken for one of them all */
    bool is_of_board;  /* the total of a board's rails: some watts, or as many milliwatts */
    bool is_bare;      /* names a device and nothing else, "GPU0": a power is an assumption */
    int preference;
    const ws_unit *unit;   /* written in the name; NULL: none */
    ws_span device;        /* of a column of one device: "GPU0", "n1"; n = 0: the device of the row */
    int64_t device_number; /* the number in it, -1: none */
    ws_span node;          /* "n1" of "n1 GPU 0 power"; n = 0: the node of the row */
} ws_meaning;

static inline bool ws_is_value(const ws_meaning *meaning)
{
    return meaning->role == WS_ROLE_VALUE;
}

ws_meaning ws_meaning_of(ws_span header_cell);

/* "dram", "0", "power_3": the device of a column that the user's map lists as one of several readings of one quantity.
 * WS_ROLE_UNKNOWN if the name states none. New texts live in the arena. */
ws_meaning ws_meaning_of_device(ws_arena *arena, ws_span header_cell);

/* What a cell that names a device says beyond being an id: "cpu", "package-1", "GPU 3"; "total" holds other devices,
 * "mean" sums them up. */
typedef struct ws_device_name {
    bool is_known, is_total;
    ws_domain domain; /* of a known one */
    int64_t number;   /* -1: none */
} ws_device_name;
ws_device_name ws_device_name_of(ws_span cell);

/* "total", "sum", "total_power": a total of powers, and nothing else. */
bool ws_names_total(ws_span header_cell);

/* "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)", over the stamps of a log of Windows' performance counters. */
bool ws_is_perfmon_head(ws_span header_cell);

#endif
