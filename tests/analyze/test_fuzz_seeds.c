/* The seeds of the fuzz target: each is taken for the format that its name begins with, and damaged copies of it end
 * with a status and, where they fail, a message. */
#include "harness.h"

#define WS_LIBFUZZER
#include "fuzz/damage.h"
#include "fuzz/fuzz_formats.c"

#include <dirent.h>

enum { LIMIT = 64 * 1024, ROUNDS = 40 };

static char folder[500];

static size_t read_seed(const char *name, uint8_t *bytes)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    ck_assert_msg(stream != NULL, "%s", path);
    size_t n = fread(bytes, 1, LIMIT, stream);
    fclose(stream);
    return n;
}

/* The format with the longest name that the seed's name begins with. */
static const ws_format *format_of(const char *name)
{
    const ws_format *best = NULL;
    for (const ws_format *const *f = ws_formats(); *f; f++)
        if (strncmp(name, (*f)->name, strlen((*f)->name)) == 0 && (!best || strlen((*f)->name) > strlen(best->name)))
            best = *f;
    return best;
}

static void check_seed(const char *name)
{
    static uint8_t bytes[LIMIT], damaged[2 * LIMIT];
    size_t n = read_seed(name, bytes);
    ws_input *input = ws_input_from_memory(name, bytes, n);
    const ws_format *want = format_of(name), *got = ws_format_recognise(input, NULL);
    ck_assert_msg(want != NULL, "no format is called like the seed %s", name);
    ck_assert_msg(got == want, "%s is taken for %s", name, got ? got->name : "nothing");
    ws_input_close(input);
    LLVMFuzzerTestOneInput(bytes, n);
    for (int i = 0; i < ROUNDS; i++) {
        memcpy(damaged, bytes, n);
        LLVMFuzzerTestOneInput(damaged, damage_bytes(damaged, n, sizeof damaged));
    }
}

START_TEST(seeds_and_damaged_seeds)
{
    const char *datasets = getenv("DATASETS");
    size_t n = 0;
    if (!datasets)
        skip_because("DATASETS is not set");
    snprintf(folder, sizeof folder, "%s/../tests/fuzz/seeds", datasets);
    DIR *seeds = opendir(folder);
    ck_assert_msg(seeds != NULL, "%s", folder);
    for (struct dirent *entry; (entry = readdir(seeds)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        check_seed(entry->d_name);
        n++;
    }
    closedir(seeds);
    printf("read %zu seeds and %zu damaged copies\n", n, n * ROUNDS);
    ck_assert_uint_ge(n, 11);
}
END_TEST

TEST_MAIN("fuzz seeds", seeds_and_damaged_seeds)
