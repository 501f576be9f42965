/* Doubles as decimals, without printf: with the fewest digits that read back as the same double, and with so many.
 * Others call ws_double_text and ws_double_text_digits. */
#ifndef WS_CORE_SHORTEST_H
#define WS_CORE_SHORTEST_H

#include <stddef.h>

/* For magnitudes from 1e-4 up to but not 1e15, where neither a power of ten nor an integer of 128 bits is a matter of
 * rounding. */
#define WS_EVERYDAY_LEAST 1e-4
#define WS_EVERYDAY_BOUND 1e15

/* Writes "86.35", "-12800", "0.00012", as printf's %g would with so many digits, and returns the length; 0 for other
 * magnitudes, zero and NaN included. The buffer must hold 32 bytes. */
size_t ws_shortest_everyday(char *buffer, double value);

/* Writes "86.3500", "0.000120000" with 1 to 15 significant digits, and of the whole part all, as printf rounds; returns
 * the length, 0 for other magnitudes. The same buffer. */
size_t ws_everyday_digits(char *buffer, double value, int digits);

/* Writes "86.35", "-0.0120" with 0 to 12 digits behind the point, as printf's %f rounds, but no sign before zeros.
 * Returns the length; 0 from 1e18 / 10^decimals and from 2^52 on, and for NaN. The same buffer. */
size_t ws_everyday_decimals(char *buffer, double value, int decimals);

#endif
