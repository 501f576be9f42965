/* The entries of the dictionary (dictionary.h): a name that people use and that is missing is added here. */
#ifndef WS_FORMATS_KNOWN_NAMES_H
#define WS_FORMATS_KNOWN_NAMES_H

#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>

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
    WS_ROLE_DRIVER, /* the version of the driver: what its sensor shows depends on it */
    WS_ROLE_VALUE,
    WS_ROLE_N
} ws_role;

/* Of polls of powercap's counters, a row a zone: which part of the zone's name the column holds. */
typedef enum ws_zone_part { WS_ZONE_NO_PART = 0, WS_ZONE_SOCKET, WS_ZONE_PATH, WS_ZONE_NAME } ws_zone_part;

enum {
    WS_NAME_OF_RUNS = 1,     /* two of these in a head make a table one of runs */
    WS_NAME_OF_NO_TRACE = 2, /* one of these makes a table with a time no trace */
    WS_NAME_MAY_BE_STAMP = 4,
    WS_NAME_HAS_UNIT = 8,       /* without one written it is in the unit of `run` */
    WS_NAME_NEEDS_UNIT = 16,    /* says nothing without one written: loggers leave it out, and not all mean W */
    WS_NAME_RUN_NEEDS_UNIT = 32 /* `run` only with a unit of it: a "consumption" may be a power */
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
    bool is_summary;    /* and rows of it sum up those of others */
    bool is_no_reading; /* columns of that name are not readings although their unit fits */
} ws_known_word;

/* A rail of a small board; see ws_board_rail_domain. */
typedef struct ws_known_rail {
    const char *rail;
    ws_domain domain;
} ws_known_rail;

extern const ws_known_name ws_known_names[];
extern const ws_known_word ws_known_words[];
extern const ws_known_rail ws_known_rails[];
extern const size_t ws_known_names_n, ws_known_words_n, ws_known_rails_n;

#endif
