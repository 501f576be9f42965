/* The fast path against libcsv: made delimited files and given ones, damaged, read in every way: in pieces of several
 * sizes, by one thread and by several in small parts, for all quantities and for some. Values, lines and notes must be
 * the same.
 * --rounds N makes N files of every form and N variants of each file given; --seed N begins elsewhere. */
#include "formats/changing_text.h"
#include "formats/delimited_text.h"
#include "formats/whole_reading.h"

#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 512 * 1024, LARGEST_FILE = 64 * 1024 };

static char text[ROOM];
static char path[] = "/tmp/wattscale-readers-XXXXXX";
static long inputs, readings;

static bool write_file(size_t n)
{
    FILE *stream = fopen(path, "wb");
    bool done = stream && fwrite(text, 1, n, stream) == n;
    return stream && fclose(stream) == 0 && done;
}

static void compare_format(const ws_format *format, ws_span bytes, const char *what, uint64_t seed)
{
    static const unsigned wanted[] = {~0u, WS_GIVES_POWER | WS_GIVES_UTIL, WS_GIVES_POWER, WS_GIVES_MEM_USED};
    unsigned unwanted = ~wanted[choose(4)];
    const size_t pieces[] = {0, 1 + choose(300), 4096};
    const size_t parts[] = {1 + bytes.n / (16 + choose(100)), 64 + choose(2000)};
    char *difference = find_difference(format, bytes, unwanted, pieces, 3);
    if (!difference)
        difference = find_thread_difference(format, path, unwanted, parts, 2);
    readings++;
    if (!difference)
        return;
    fprintf(stderr, "%s, seed %llu, quantities left out %x: %s\n", what, (unsigned long long)seed, unwanted,
            difference);
    if (write_file(bytes.n))
        fprintf(stderr, "the file is %s\n", path);
    exit(EXIT_FAILURE);
}

/* Every reader that would take the bytes, for its own or not. A reader may refuse them, in the same words each way. */
static void compare(size_t n, const char *what, uint64_t seed)
{
    char *exact = malloc(n ? n : 1); /* of the exact size, so that a sanitizer sees one byte too far */
    memcpy(exact, text, n);
    if (!write_file(n)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    ws_span head = {exact, n < WS_HEAD_SIZE ? n : WS_HEAD_SIZE};
    for (const ws_format *const *f = ws_formats(); *f; f++)
        if (!strstr((*f)->name, "hdf5") && (*f)->score("t", head) > 0)
            compare_format(*f, (ws_span){exact, n}, what, seed);
    inputs++;
    free(exact);
}

static void compare_made(uint64_t seed, long rounds)
{
    static const int rows[] = {20, 200, 1500};
    for (long i = 0; i < rounds; i++) {
        for (size_t form = 0; form < DELIMITED_FORMS; form++, seed++)
            compare(put_case(text, LARGEST_FILE, seed, form, i % 2 != 0), delimited_forms[form].row, seed);
        for (size_t form = 0; form < CHANGING_FORMS; form++, seed++)
            compare(put_changing(text, ROOM, seed, form, rows[seed % 3]), changing_forms[form].row, seed);
    }
}

static void compare_file(const char *name, uint64_t seed, long rounds)
{
    FILE *stream = fopen(name, "rb");
    char *original = malloc(LARGEST_FILE);
    size_t n = stream ? fread(original, 1, LARGEST_FILE, stream) : 0;
    if (stream)
        fclose(stream);
    for (long i = 0; i <= rounds; i++) {
        damage_state = seed + (uint64_t)i;
        memcpy(text, original, n);
        compare(i ? damage_bytes((uint8_t *)text, n, ROOM) : n, name, seed + (uint64_t)i);
    }
    free(original);
}

int main(int argc, char **argv)
{
    long rounds = 1;
    uint64_t seed = 1;
    int fd = mkstemp(path);
    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            compare_file(argv[i], seed, rounds);
    }
    compare_made(seed, rounds);
    unlink(path);
    printf("%ld inputs, %ld readings, the same by every reader\n", inputs, readings);
    return EXIT_SUCCESS;
}
