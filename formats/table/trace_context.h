/* How to read the rows under one header, as data: the plan that all parts of the delimited reader share. */
#ifndef WS_FORMATS_TRACE_CONTEXT_H
#define WS_FORMATS_TRACE_CONTEXT_H

#include "core/device_limits.h"
#include "core/note.h"
#include "formats/table/columnmap.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"

typedef struct ws_plan_value {
    uint32_t column;
    const char *name; /* as spelled, "#5" without header */
    ws_meaning meaning;
    double to_si;       /* of a cell without unit */
    double per_si;      /* instead of it, where so many make one of SI: 1e6 of uJ, which to_si rounds; 0: to_si holds */
    bool unit_is_given; /* by the user: the numbers are not checked against it */
    ws_question ask;    /* of this column alone, as in ws_channel */
    bool is_counter;
    bool (*is_blank)(ws_quantity quantity, double written); /* as in ws_preset_reading */
    /* The text after the number in the last cell with a unit: " W". */
    char cell_unit[8];
    size_t cell_unit_n;
    double cell_to_si;
} ws_plan_value;

enum { WS_NO_COLUMN = -1 };

/* What a comma in a number means, if the delimiter is another character. */
typedef enum ws_commas { WS_COMMAS_UNKNOWN, WS_COMMAS_ARE_DECIMAL, WS_COMMAS_ARE_NOT } ws_commas;

typedef struct ws_plan {
    const char **header; /* NULL: the file has none */
    uint32_t n_columns;
    int64_t line;                                     /* of the header, or of the first row */
    int32_t time, date, interval, node, name, driver; /* columns, or WS_NO_COLUMN */
    int32_t socket;                                   /* column of the CPU package, or WS_NO_COLUMN */
    bool has_sockets;           /* package and part together name the device; then node == socket */
    int32_t ids[WS_ROLE_N];     /* column of each identity role, or WS_NO_COLUMN */
    ws_role identity;           /* the role that tells devices apart; WS_ROLE_UNKNOWN: none does */
    int32_t node_more, id_more; /* so many columns behind node, and behind that of the identity, belong to the name */
    ws_domain part_domain;      /* domain of a WS_ROLE_PART whose cell names none: a socket is a cpu */
    size_t n_ids;               /* different devices in the first rows */
    ws_span sum_id;     /* of the device whose readings proved to be the sum of all others, in the arena; empty: none */
    int32_t number;     /* column of a device number beside the identity, or WS_NO_COLUMN */
    uint32_t positions; /* > 1: no column names the devices; rows take turns between so many */
    int64_t poll_ns;    /* usual time from one turn to the next; 0: turns are told apart by counting rows only */
    int64_t poll_step_ns; /* time between rows that are spread over the whole turn without a pause; 0: not so */
    int32_t poll_mark;    /* column of the memory in use, which tells devices that take turns apart, or WS_NO_COLUMN */
    bool drops_repeats;   /* a row that equals the one before, stamp included, is a repeat and is left out */
    ws_question ask;      /* as in ws_channel, */
    ws_energy_status assumed; /* and this */
    bool has_rows_domain;   /* nothing but readings of one domain, which is no GPU's, is in the rows that take turns: */
    ws_domain rows_domain;  /* that domain */
    bool uses_date_lines;   /* the stamp is on a line of its own above the rows */
    bool takes_bare_stamps; /* ... and may be a number or a time of day alone */
    bool is_wide;           /* the value columns name their devices */
    const char
        *asks_of_columns; /* why several powers are of one device or of several each; NULL: they are not asked for */
    bool columns_are_devices; /* the user says that each such column is of a device of its own */
    bool is_about_gpus;       /* some column name says so */
    bool is_marked;           /* some column exists for GPUs only: memory in use, clocks, a limit, an address */
    bool is_settled;          /* ws_plan_settle has run */
    bool is_certain;          /* more rows would not change the plan */
    ws_commas commas;
    double interval_to_s;
    ws_timecol stamps;
    ws_plan_value *values;
    size_t n_values;
} ws_plan;

/* What all plans of one file share. */
typedef struct ws_plan_context {
    const char *source;
    const ws_map *map;
    char delimiter;
    int32_t zone;
    ws_notes *notes;
    ws_arena *arena;            /* plans and their texts live here */
    uint32_t described_devices; /* of ws_read_options, as the next two */
    bool node_is_given;
    uint32_t rule_order;
} ws_plan_context;

#endif
