/* HDF5's filter "shuffle" undone. */
#ifndef WS_FORMATS_UNSHUFFLE_H
#define WS_FORMATS_UNSHUFFLE_H

#include <stddef.h>

/* `from` holds the first byte of each of n numbers, then the second of each, and so on; `size` bytes a number. The two
 * do not overlap. */
void ws_unshuffle(const unsigned char *from, unsigned char *to, size_t n, size_t size);

#endif
