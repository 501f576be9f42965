/* Whether the readings of a table come back after a fixed number of rows, as those of several devices do that take
 * turns in it. Works on high-pass filtered readings, so that load which all devices share does not hide the levels of
 * each. */
#ifndef WS_FORMATS_CYCLE_H
#define WS_FORMATS_CYCLE_H

#include <stddef.h>
#include <stdint.h>

enum { WS_CYCLE_MOST_ROWS = 16 }; /* longest cycle that is looked for; WS_MOST_GPUS_OF_A_NODE */

/* The shortest cycle of the readings, in rows; 0: they have none. NAN: missing. */
size_t ws_cycle_of_readings(const double *value, size_t n);

/* The same of the times between rows, in ns: how far each is from the usual one. */
size_t ws_cycle_of_stamps(const int64_t *t, size_t n);

#endif
