/* Do the readings of a table recur after a fixed number of rows, as they do if several devices take turns? Works on the
 * differences from row to row, so that a load common to all devices does not hide their different levels. */
#ifndef WS_FORMATS_CYCLE_H
#define WS_FORMATS_CYCLE_H

#include <stddef.h>
#include <stdint.h>

enum { WS_CYCLE_MOST_ROWS = 16 }; /* the longest cycle to look for; as WS_MOST_GPUS_OF_A_NODE */

/* The shortest cycle of the readings, in rows; 0: they have none. NAN: missing. */
size_t ws_cycle_of_readings(const double *value, size_t n);

/* The same for the times between rows, in ns: for how far each is from the median. */
size_t ws_cycle_of_stamps(const int64_t *t, size_t n);

#endif
