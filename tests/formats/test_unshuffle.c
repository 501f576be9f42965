/* Shuffled numbers come out as they went in, whatever their size and count. */
#include "formats/hdf5/library/unshuffle.h"
#include "harness.h"

#include <string.h>

enum { MOST_NUMBERS = 100, LARGEST = 16 };

/* The filter as HDF5 describes it: byte b of number i goes to place b * n + i. */
static void shuffle(const unsigned char *from, unsigned char *to, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < size; b++)
            to[b * n + i] = from[i * size + b];
}

START_TEST(test_every_size_and_count)
{
    unsigned char numbers[MOST_NUMBERS * LARGEST], shuffled[MOST_NUMBERS * LARGEST], got[MOST_NUMBERS * LARGEST + 1];
    for (size_t i = 0; i < sizeof numbers; i++)
        numbers[i] = (unsigned char)(i * 151 + i / 256);
    for (size_t size = 1; size <= LARGEST; size++) {
        for (size_t n = 0; n <= MOST_NUMBERS; n++) {
            shuffle(numbers, shuffled, n, size);
            got[n * size] = 0x5a;
            ws_unshuffle(shuffled, got, n, size);
            ck_assert_msg(memcmp(got, numbers, n * size) == 0, "%zu numbers of %zu bytes", n, size);
            ck_assert_uint_eq(got[n * size], 0x5a);
        }
    }
}
END_TEST

TEST_MAIN("unshuffle", test_every_size_and_count)
