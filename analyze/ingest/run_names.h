/* What the columns of a table of runs are: by their names, by units in their cells ("12.5 kJ", "1:05:12"), and by what
 * the user's map says ("wall_s=time_per_epoch"). */
#ifndef WS_ANALYZE_RUN_NAMES_H
#define WS_ANALYZE_RUN_NAMES_H

#include "analyze/ingest/run_columns.h"
#include "core/arena.h"
#include "core/status.h"
#include "core/text.h"

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

extern const ws_column_meaning ws_no_run_column;

bool ws_meanings_have(const ws_column_meaning *meanings, size_t n, ws_run_column column); /* has one of them? */

/* The standard column that a column of that name is, WS_RUN_COLUMN_N for none; *factor to its unit, which is NaN where
 * the name says none. */
ws_run_column ws_run_name_column(const char *name, double *factor);

/* Does any column go by a name of a time, an energy, a power or another quantity of runs? */
bool ws_run_names_any_quantity(const ws_table *raw);

/* By its name. Where the format of the file states its units, no column is bare; texts are no time under a name that
 * may be a stamp's. */
ws_column_meaning ws_run_column_meaning(const ws_table *raw, size_t column);
bool ws_has_run_column(const ws_table *raw, ws_run_column column); /* does any name say so? */

/* Columns in which the rows of one run differ: each is a part of it, as "part" names it, or its totals so far, of which
 * the last row has all, as "last" does. NULL: the map does not say so. */
typedef struct ws_told_rows {
    const char *part, *last;
} ws_told_rows;

/* Reads a map into meanings[i] of raw's columns, which are a copy that it may change; the others stay as they
 * are. *rows: what it says of the rows. WS_USAGE: it names a column that is not there, or twice. */
ws_status ws_run_map_read(ws_arena *arena, ws_table *raw, const char *map, ws_column_meaning *meanings,
                          ws_told_rows *rows, ws_error *error);

/* Does the map, which may be NULL, name a column for any energy (time, ...) of runs? */
bool ws_run_map_gives(const char *map, ws_dimension dimension);

/* Gives the columns that have no meaning yet that of their name. Of two with one meaning the first has it, and one that
 * is called as the standard column before all others. */
void ws_run_names_settle(const ws_table *raw, ws_column_meaning *meanings);

/* The SI value of a standard column in a row; NaN: there is none. */
double ws_run_value_si(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column, size_t row);

/* --- what else a name says --- */

bool ws_says_energy(const char *name); /* of an energy, and of no ratio or spread of energies */
bool ws_says_rate(const char *name);   /* "tokens_per_sec", "eval_samples_per_second" */

/* "mj" or "mwh": names in lower case cannot tell mJ from MJ. NULL: the name does. */
const char *ws_doubtful_energy_unit(const char *name);

/* --- what its cells say --- */

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

#endif
