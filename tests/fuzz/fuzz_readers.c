/* The fast path against libcsv: made delimited files and given ones, damaged, read in every way and in pieces of several
 * sizes; values, lines and notes must be the same. --rounds N makes N files of every form and N variants of each file
 * given; --seed N begins elsewhere. */
#include "formats/delimited_text.h"
#include "formats/same_rows.h"

#include <stdlib.h>

enum { ROOM = 64 * 1024 };

static char text[2 * ROOM];
static long inputs;

/* A reader may refuse the bytes, in the same words each way. */
static void compare(size_t n, const char *what, long round)
{
    const size_t pieces[] = {0, 1 + damage_next() % 200, 4096};
    char *exact = malloc(n ? n : 1); /* of the exact size, so that a sanitizer sees one byte too far */
    memcpy(exact, text, n);
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        if (strstr((*f)->name, "hdf5") || (*f)->score("t", (ws_span){exact, n}) <= 0)
            continue;
        char *difference = find_difference(*f, (ws_span){exact, n}, pieces, sizeof pieces / sizeof *pieces);
        if (difference) {
            fprintf(stderr, "%s, round %ld: %s\n", what, round, difference);
            exit(EXIT_FAILURE);
        }
    }
    inputs++;
    free(exact);
}

static void compare_made(uint64_t seed, long rounds)
{
    for (long i = 0; i < rounds; i++) {
        for (size_t form = 0; form < DELIMITED_FORMS; form++) {
            size_t n = put_case(text, ROOM, seed + (uint64_t)i * DELIMITED_FORMS + form, form, i % 2 != 0);
            compare(n, delimited_forms[form].row, i);
        }
    }
}

static void compare_file(const char *path, uint64_t seed, long rounds)
{
    FILE *stream = fopen(path, "rb");
    char *original = malloc(ROOM);
    size_t n = stream ? fread(original, 1, ROOM, stream) : 0;
    if (stream)
        fclose(stream);
    damage_state = seed;
    for (long i = 0; i <= rounds; i++) {
        memcpy(text, original, n);
        compare(i ? damage_bytes((uint8_t *)text, n, 2 * ROOM) : n, path, i);
    }
    free(original);
}

int main(int argc, char **argv)
{
    long rounds = 1;
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            compare_file(argv[i], seed, rounds);
    }
    compare_made(seed, rounds);
    printf("%ld inputs, the same by every reader\n", inputs);
    return EXIT_SUCCESS;
}
