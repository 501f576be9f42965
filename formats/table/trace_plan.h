/* How the rows under one header are read: which column is the time, which says whose row it is, which hold values. A
 * plan is made from the header (or, without one, from the look of the cells), then settled over some first rows: form
 * of the stamps, the column that tells devices apart, units that the numbers contradict. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_PLAN_H
#define WS_FORMATS_TRACE_PLAN_H

#include "core/note.h"
#include "formats/table/columnmap.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"
#include "formats/table/trace_sample.h"

typedef struct ws_plan_value {
    uint32_t column;
    const char *name; /* as spelled, "#5" without header */
    ws_meaning meaning;
    double to_si;       /* of a cell without unit */
    bool unit_is_given; /* by the user: the numbers are not questioned */
    bool is_counter;
    /* What stood behind the number in the last cell that had a unit: " W". */
    char cell_unit[8];
    size_t cell_unit_n;
    double cell_to_si;
} ws_plan_value;

enum { WS_NO_COLUMN = -1 };

/* What a comma in a number means, where another sign stands between the cells. */
typedef enum ws_commas { WS_COMMAS_UNKNOWN, WS_COMMAS_DECIMAL, WS_COMMAS_NO_DECIMAL } ws_commas;

/* No single GPU draws more, and none that is on draws less. */
#define WS_GPU_MOST_W 2000.0
#define WS_GPU_LEAST_W 0.1

typedef struct ws_plan {
    const char **header; /* NULL: the file has none */
    uint32_t n_columns;
    int64_t line;                             /* of the header, or of the first row */
    int32_t time, date, interval, node, name; /* columns, or WS_NO_COLUMN */
    int32_t socket;                           /* column of the CPU that a row is about, or WS_NO_COLUMN */
    bool has_sockets;                         /* it tells rows apart together with the parts: `node` is this column */
    int32_t ids[WS_ROLE_N];                   /* column of each identity role, or WS_NO_COLUMN */
    ws_role identity;                         /* the one that tells devices apart; WS_ROLE_UNKNOWN: none does */
    ws_domain part_domain;                    /* of a part that does not say what it is: a socket is a cpu */
    size_t n_ids;                             /* different ones in the first rows */
    int32_t number;                           /* column of a device number beside the identity, or WS_NO_COLUMN */
    uint32_t positions;                       /* > 1: rows take turns between so many devices */
    int64_t poll_ns;       /* usual time from the first row of a turn to that of the next; 0: only the count tells turns apart */
    int32_t poll_mark;     /* column of the memory in use, which tells their devices apart, or WS_NO_COLUMN */
    bool drops_repeats;    /* a row that is wholly the one before stands twice, stamp and all */
    const char *ask;       /* what has to be said before there is an energy, as in ws_channel; NULL: nothing */
    bool uses_date_lines;  /* the stamp stands on a line of its own before the rows */
    bool is_wide;          /* value columns name their devices */
    bool is_about_gpus;    /* some name says so */
    bool is_marked;        /* and so does a column that only GPUs have: memory in use, clocks, a limit, an address */
    bool is_settled;
    bool is_certain; /* more rows would not have changed it */
    ws_commas commas;
    double interval_to_s;
    ws_timecol stamps;
    ws_plan_value *values;
    size_t n_values;
} ws_plan;

/* What all plans of a file share. */
typedef struct ws_plan_context {
    const char *source;
    const ws_map *map;
    char delimiter;
    int32_t zone;
    ws_notes *notes;
    ws_arena *arena; /* plans and their texts live here */
} ws_plan_context;

bool ws_row_is_header(const ws_row *row, const ws_map *map);
bool ws_cell_is_date(ws_span cell);                                           /* a calendar stamp, not a mere number */
const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n); /* "a, b, c" for messages */

/* WS_USAGE: the map names a column that is not there. WS_FORMAT, WS_DATA: nothing in it that can be used. */
ws_status ws_plan_from_header(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_error *error);
ws_status ws_plan_from_cells(ws_plan *plan, const ws_plan_context *context, const ws_row *first, ws_error *error);

bool ws_plan_uses(const ws_plan *plan, uint32_t column); /* is it of any use? */

/* What the rows say of the plan: the form of the stamps, then whose rows these are, then what the numbers mean. WS_FORMAT, WS_DATA:
 * they cannot be told apart or are no readings. */
ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error);

/* Parts of it, in their order; each needs those before.
 * trace_turns.c: how many devices take turns where no column tells their rows apart. Rows that would be mixed up are refused, or read
 * as one device with a note (codes "shared-stamps", "maybe-several-devices"). */
ws_status ws_plan_settle_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error);
/* trace_interval.c: passes a column of intervals over that is not what the stamps say (note "interval-misfit"). */
void ws_plan_settle_interval(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);
/* trace_energy.c: whether columns that are only called "energy" are running totals (note "assumed-energy"), and the unit of energies
 * that name none. */
void ws_plan_settle_energies(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* Would more rows lead to the same plan? Asked of a settled plan and of the rows that it was settled over. */
bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* A later header of the same file: what was settled before for columns of the same name holds on, and `first`, a row
 * under the new header, says the rest. It stays unsettled while that row has no stamp. */
void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first);

/* The length of a row's interval. False where the cell holds none. */
bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns);

bool ws_is_of_thousands(ws_span cell); /* "1,000": three digits behind the comma, up to three and no 0 before */

/* A number with a decimal comma as one with a point, in `buffer`; any other cell as it is. "1,000" may be either, so that it is one
 * only where the plan knows. */
enum { WS_POINT_CELL = 32 };
ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell);

/* The cells of a stamp as one; `buffer` holds WS_STAMP_CELLS bytes. */
ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer);

#endif
