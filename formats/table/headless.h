/* Tables whose columns cannot be told, so that the user has to name them: the column map to type. First, rows of
 * numbers without a header and without units. */
#ifndef WS_FORMATS_HEADLESS_H
#define WS_FORMATS_HEADLESS_H

#include "formats/table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* What such rows are refused with, before the map to type. */
#define WS_HEADLESS "no header and no units, so that no column can be told"

typedef struct ws_headless_map {
    char columns[160]; /* "time=#1,gpu=#2,power=#3,header=no" */
    int power, other;  /* columns from 1 on; other: a number that may be the power of another GPU, or 0 */
    int others;        /* such numbers */
    bool has_time;     /* a stamp in a column or on lines of its own; else --period has to state it */
    bool is_counter;   /* whole numbers that only rise */
    char each[160];    /* ",power=#3,power=#4": where all others look like powers of other GPUs; else "" */
} ws_headless_map;

/* The column map to type for such rows, as the look of their cells suggests: where the stamp stands, which column
 * counts devices in turn, the first number that is neither. False where the rows are no table of numbers. */
bool ws_headless_columns(const ws_row *rows, size_t n, ws_headless_map *map);

/* Are these rows of pyJoules' CSV without its header? */
bool ws_are_rows_of_pyjoules(const ws_row *rows, size_t n);

/* The same for a table drawn with blanks, below a header of words: "time=Time,power=Watts,delimiter=space". */
bool ws_columns_of_words(const ws_row *rows, size_t n, char *columns, size_t size);

/* The same for a header that names a time and no quantity that is known: "time=#2,gpu=#1,power=#3" of
 * "Series;Time;Value", "time=#1,power=#2,power=#3,devices=2" of series that are named by labels alone, as Grafana saves
 * them, or of columns that may be powers by their names. False for other headers. */
enum { WS_COLUMNS_BY_NAME = 320 };
#define WS_UNNAMED_POWER "power=NAME" /* what to type where no name is like that of a power */
bool ws_columns_by_name(const ws_row *header, int32_t time, char *columns, size_t size);

/* Columns that may be powers by their names. */
size_t ws_count_possible_powers(const ws_row *header);
void ws_list_possible_powers(const ws_row *header, char *names, size_t size); /* cut at `size` */
bool ws_may_be_power_or_energy(ws_span name);

#endif
