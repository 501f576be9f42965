/* Units of energies and times that the names of a table of runs do not hold: written in cells, proven by what devices
 * draw, or asked for. */
#ifndef WS_ANALYZE_BARE_UNITS_H
#define WS_ANALYZE_BARE_UNITS_H

#include "analyze/ingest/run_columns.h"
#include "formats/campaign.h"

/* Which standard column a raw one is. */
typedef struct ws_column_meaning {
    ws_run_column column; /* WS_RUN_COLUMN_N: none */
    double factor;        /* to the unit of the standard column */
    bool is_bare;         /* an energy or a time without a unit in its name, or with one that may be two: */
    const char *spelled;  /* "mj" or "mwh" in lower case: mJ or MJ, mWh or MWh. NULL: no unit */
    bool may_be_stamp;    /* a bare "time": a duration only where an energy beside it says so */
    bool is_summed;       /* an energy of a numbered part, or the sum of all of one kind */
    bool is_asked;        /* its unit has to be said: `column` is none until then */
    bool is_set_aside;    /* told already why it is none of a run's */
} ws_column_meaning;

/* Settles the unit of every bare energy and time (one unit for all energies of the table, one for its times): the pair
 * that alone means watts that a device may draw over a whole run, in every row (note "assumed-unit"). Where several do
 * or none, the columns are asked for (note "ask-unit"), and true is returned. A bare time without energies and powers
 * beside it is taken in s, which the note says. `defaults` may say the number of GPUs. meanings[i] is of raw's column
 * i. */
bool ws_settle_bare_units(const ws_table *raw, const ws_fields *defaults, ws_column_meaning *meanings, ws_notes *notes);

/* Does the name of a column speak of an energy, and of no ratio or spread of energies? */
bool ws_says_energy(const char *name);

/* A copy of the table whose columns may be replaced, with room for some more; all else is shared with `raw`, and is not
 * to be freed. */
enum { WS_MORE_COLUMNS = 5 };
ws_table ws_table_with_own_columns(ws_arena *arena, const ws_table *raw);

/* A column of text of such a copy becomes one of numbers where each of its cells is a number with a unit of one
 * dimension, an energy, a time or a power: in the unit of its name, or else of its first cell, which is then written
 * behind its name, "duration [s]". So is one of hours, minutes and seconds ("1:05:12"), but under a name that may be
 * that of a time of day. Any other column stays what it is. New numbers and names live in the arena. */
void ws_cells_take_unit(ws_arena *arena, ws_table *copy, size_t column);

/* The same of a column that the user calls a time: hours, minutes and seconds are a duration under any name. */
void ws_cells_take_duration(ws_arena *arena, ws_table *copy, size_t column);

/* Adds "wall_s" to such a copy that has two columns of dates, or of seconds since the epoch, by the names of a
 * beginning and an end, where every row that has both ends later than it begins (note "column-taken"). A table that
 * names traces or logs keeps their times. */
void ws_add_times_between(ws_arena *arena, ws_table *copy, ws_notes *notes);

#endif
