/* Four letters, three numbers of eight bytes, least first, the SHA-256 over these numbers and over the first and the
 * last LOOKED_AT bytes of the log before the place, and the record. */
#define _POSIX_C_SOURCE 200809L /* pread */
#include "analyze/log_record.h"

#include "core/arena.h"
#include "core/sha256.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS = 24, SUM = 64, HEAD = 4 + NUMBERS + SUM, LOOKED_AT = 64 * 1024 };
static const unsigned char magic[4] = {'W', 'S', 'G', 1};

static void put_number(unsigned char *at, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t number_at(const unsigned char *at)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)at[i] << (8 * i);
    return number;
}

static bool add_piece(ws_sha256 *hash, int fd, uint64_t from, char *piece)
{
    size_t n = 0;
    ssize_t more = 1;
    while (n < LOOKED_AT && more > 0) {
        more = pread(fd, piece + n, LOOKED_AT - n, (off_t)(from + n));
        n += more > 0 ? (size_t)more : 0;
    }
    ws_sha256_add(hash, piece, n);
    return n == LOOKED_AT;
}

/* Of the log up to the place; false: it is shorter, or cannot be read. */
static bool sum_up(const char *path, const ws_log_place *place, const unsigned char numbers[NUMBERS],
                   char sum[WS_SHA256_TEXT])
{
    ws_sha256 hash;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *piece = ws_alloc(LOOKED_AT);
    ws_sha256_init(&hash);
    ws_sha256_add(&hash, numbers, NUMBERS);
    bool is_read = fd >= 0 && place->offset >= LOOKED_AT && place->offset <= INT64_MAX &&
                   add_piece(&hash, fd, 0, piece) && add_piece(&hash, fd, place->offset - LOOKED_AT, piece);
    ws_sha256_text(&hash, sum);
    if (fd >= 0)
        close(fd);
    free(piece);
    return is_read;
}

bool ws_log_record_pack(const char *path, const ws_log_place *place, const ws_packed *record, ws_packed *packed)
{
    char sum[WS_SHA256_TEXT];
    *packed = (ws_packed){ws_alloc(HEAD + record->n), HEAD + record->n};
    unsigned char *numbers = packed->bytes + sizeof magic;
    memcpy(packed->bytes, magic, sizeof magic);
    put_number(numbers, place->offset);
    put_number(numbers + 8, (uint64_t)place->line);
    put_number(numbers + 16, place->devices);
    bool is_read = sum_up(path, place, numbers, sum);
    memcpy(numbers + NUMBERS, sum, SUM);
    memcpy(packed->bytes + HEAD, record->bytes, record->n);
    if (!is_read)
        free(packed->bytes), *packed = (ws_packed){0};
    return is_read;
}

bool ws_log_record_unpack(const char *path, const ws_packed *packed, ws_log_place *place, ws_packed *record)
{
    char sum[WS_SHA256_TEXT];
    const unsigned char *numbers = packed->bytes + sizeof magic;
    if (packed->n < HEAD || memcmp(packed->bytes, magic, sizeof magic) != 0)
        return false;
    *place = (ws_log_place){number_at(numbers), (int64_t)number_at(numbers + 8), number_at(numbers + 16)};
    *record = (ws_packed){packed->bytes + HEAD, packed->n - HEAD};
    return sum_up(path, place, numbers, sum) && memcmp(sum, numbers + NUMBERS, SUM) == 0;
}
