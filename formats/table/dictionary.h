/* The one dictionary of names: what a column's name says of a column of a trace, and for which column of a table of
 * runs it stands; and what words in names of devices and of RAPL's zones say. Who reads headers asks here, and a name
 * that people use and that is missing is added here. */
#ifndef WS_FORMATS_DICTIONARY_H
#define WS_FORMATS_DICTIONARY_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/text.h"
#include "core/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_role {
    WS_ROLE_UNKNOWN = 0,
    WS_ROLE_UNUSED, /* a known name of no use here: "pstate", "memory.total" */
    WS_ROLE_TIME,
    WS_ROLE_DATE,
    WS_ROLE_DAYTIME,
    WS_ROLE_INTERVAL,
    WS_ROLE_UUID, /* identities, the strongest first */
    WS_ROLE_BUS,
    WS_ROLE_GPU, /* a number that is named after the device: "gpu", "gpu_id" */
    WS_ROLE_INDEX,
    WS_ROLE_SERIAL, /* of a board, which may hold two GPUs */
    WS_ROLE_PART,   /* of a machine: "socket", "rank", "domain" */
    WS_ROLE_NAME,
    WS_ROLE_NODE,
    WS_ROLE_VALUE,
    WS_ROLE_N
} ws_role;

/* Does it say whose a row is, on its node? */
static inline bool ws_is_identity(ws_role role)
{
    return role >= WS_ROLE_UUID && role <= WS_ROLE_NAME;
}

/* Of polls of powercap's counters, a row a zone: which part of the zone's name the column holds. */
typedef enum ws_zone_part { WS_ZONE_NO_PART = 0, WS_ZONE_SOCKET, WS_ZONE_PATH, WS_ZONE_NAME } ws_zone_part;

enum {
    WS_NAME_OF_RUNS = 1,     /* two of these in a head make a table one of runs */
    WS_NAME_OF_NO_TRACE = 2, /* one of these makes a table with a time no trace */
    WS_NAME_MAY_BE_STAMP = 4,
    WS_NAME_HAS_UNIT = 8 /* without one written it is in the unit of `run` */
};

typedef struct ws_known_name {
    const char *name; /* as ws_plain_name writes it, without the unit */
    /* Of a column of a trace. WS_ROLE_UNKNOWN: it says nothing there. */
    ws_role role;
    ws_quantity quantity;
    ws_domain domain; /* of a value; WS_OTHER: it names none. Of a part: of what it is a part */
    int preference;   /* of several columns with one quantity the lowest is taken */
    /* Of a column of a table of runs: the standard column (docs/design.md) that it stands for; NULL: none. Standard
     * names stand for themselves. */
    const char *run;
    ws_zone_part zone;
    unsigned flags;
} ws_known_name;

/* By a name as ws_plain_name writes it; NULL: unknown. */
const ws_known_name *ws_dictionary_find(ws_span plain);

/* The same, by a name as it is spelled. */
const ws_known_name *ws_dictionary_find_spelled(ws_span name);

/* All of them, for tests and documents. */
const ws_known_name *ws_dictionary(size_t *n);

/* Does the name have that flag? */
bool ws_name_has(ws_span spelled, unsigned flag);

/* How sure a word names a zone of RAPL. */
typedef enum ws_zone_trust {
    WS_ZONE_NEVER = 0,
    WS_ZONE_MAYBE,  /* in a name that is looked at as one of a zone: "cpu", "gpu" are other things as well */
    WS_ZONE_BESIDE, /* also without a unit, beside one that is sure */
    WS_ZONE_SURE    /* no other thing is called so */
} ws_zone_trust;

/* A word in a name: "gpu" of "GPU0 power", "package" of "package-0-dram". */
typedef struct ws_known_word {
    const char *word;
    bool is_device, needs_number; /* it says whose a column is: alone, or before a number only ("n1_watts") */
    ws_domain device;
    ws_zone_trust trust; /* it is a zone of RAPL */
    ws_domain zone;
    bool is_total;      /* columns of that name hold others */
    bool is_no_reading; /* columns of that name are not readings although their unit fits */
} ws_known_word;

const ws_known_word *ws_known_word_find(ws_span word); /* in lower case */

/* Rails of small boards, as NVIDIA's Jetson boards and others call them: "VDD_IN" feeds the board, "VDD_GPU_SOC" its
 * GPU. WS_OTHER for what is not known and for what mixes domains ("VDD_CPU_GPU_CV"). Case does not count. */
ws_domain ws_board_rail_domain(ws_span rail);
bool ws_is_board_rail(ws_span name); /* does it look like one: "VDD_...", "VIN_...", "POM_5V_..." ? */

const ws_unit *ws_usual_unit(ws_quantity quantity); /* where no unit is written; NULL: none */
ws_dimension ws_quantity_dimension(ws_quantity quantity);
bool ws_is_energy(ws_quantity quantity);
bool ws_is_metered(ws_quantity quantity);    /* gives an energy: a power, or an energy itself */
ws_rule ws_usual_rule(ws_quantity quantity); /* of point readings */

/* --- names of RAPL zones, as powercap and the loggers over it spell them --- */

typedef struct ws_rapl_zone {
    ws_domain domain;
    int64_t package;
    bool is_unclear; /* a number path that does not say what lies there: "intel-rapl:0:1" */
} ws_rapl_zone;

/* "package-0", "intel-rapl:0", "dram-1", "package-0-dram", "psys", "N1/ram". False for anything else. */
bool ws_rapl_zone_find(ws_span name, ws_rapl_zone *zone);

/* The same where path, socket and name stand apart, any of them empty: "intel-rapl:1:0", "", "dram" and "", "1", "dram"
 * are dram1. */
bool ws_rapl_zone_at(ws_span path, ws_span socket, ws_span name, ws_rapl_zone *zone);

/* How sure a whole name is that of a zone: "package" is, and "cpu" is other things as well. */
ws_zone_trust ws_rapl_trust(ws_span name);

/* "cpu0", "dram1", "psys", "other". */
const char *ws_rapl_device(ws_arena *arena, const ws_rapl_zone *zone);

/* WS_FORMAT where n zones, `id` the last of them, are more than any log has. */
ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error);

#endif
