/* Peak memory does not grow with the length of a trace. */
/* wait4 is older than POSIX. */
#define _DEFAULT_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GPUS = 8, MOST_ARGUMENTS = 8, SHORT_MB = 8, LONG_MB = 40, MOST_KIB = 1024, TRIES = 20 };

/* Every 20,000th line is quoted and every 30,000th has a cell without reading, so that no line is too odd to be met
 * twice. */
static void write_trace(FILE *file, long bytes)
{
    uint64_t state = 1;
    fprintf(file, "timestamp, index, power.draw [W], utilization.gpu [%%], memory.used [MiB]\n");
    for (int64_t row = 0; ftell(file) < bytes; row++) {
        int64_t tick = row / GPUS, s = tick / 10;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        unsigned draw = (unsigned)(state >> 40);
        fprintf(file, row % 20000 ? "" : "\"");
        fprintf(file, "2026/03/%02d %02d:%02d:%02d.%d%02u", (int)(1 + s / 86400), (int)(s / 3600 % 24),
                (int)(s / 60 % 60), (int)(s % 60), (int)(tick % 10), draw % 40);
        fprintf(file, row % 20000 ? "" : "\"");
        fprintf(file, row % 30000 ? ", %d, %u.%02u W, %u %%, %u MiB\n" : ", %d, [N/A], 1 %%, 1 MiB\n",
                (int)(row % GPUS), 60 + draw % 300, draw % 97, draw % 101, 20000 + draw % 7);
    }
}

/* Peak resident memory in KiB of the program on a trace of that length. */
static long peak_of(long bytes, const char *const *options)
{
    char path[] = "/tmp/wattscale-memory-XXXXXX";
    const char *arguments[MOST_ARGUMENTS] = {getenv("BIN"), "energy", path, "-q"};
    struct rusage usage;
    int status, fd = mkstemp(path), n = 4;
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    ck_assert_ptr_nonnull(file);
    write_trace(file, bytes);
    fclose(file);
    while (*options)
        arguments[n++] = *options++;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        execv(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    ck_assert_int_eq(wait4(child, &status, 0, &usage), child);
    unlink(path);
    ck_assert_msg(status == 0, "the program ended with %d", status);
    return usage.ru_maxrss;
}

/* How many buffers are in use at once depends on which threads got a core, in the short trace above all. So the highest
 * peak of the short trace is held against the lowest of the long one, over as many tries as it takes: memory that grows
 * with length grows in all. */
static void ck_flat(const char *const *options)
{
    if (!getenv("BIN"))
        skip_because("BIN is not set");
#ifdef __SANITIZE_ADDRESS__
    skip_because("the sanitizer keeps freed memory");
#endif
    long some = 0, ten_times = LONG_MAX;
    for (int i = 0; i < TRIES && ten_times - some > MOST_KIB; i++) {
        long peak = peak_of(SHORT_MB * 1000000L, options), long_peak = peak_of(LONG_MB * 1000000L, options);
        some = peak > some ? peak : some;
        ten_times = long_peak < ten_times ? long_peak : ten_times;
    }
    ck_assert_msg(ten_times - some <= MOST_KIB, "%ld KiB for %d MB, %ld KiB for %d MB", some, SHORT_MB, ten_times,
                  LONG_MB);
}

START_TEST(all_columns)
{
    ck_flat((const char *const[]){NULL});
}
END_TEST

START_TEST(two_quantities)
{
    ck_flat((const char *const[]){"--quantity", "power,util", NULL});
}
END_TEST

START_TEST(every_line_through_libcsv)
{
    ck_flat((const char *const[]){"--reader", "csv", NULL});
}
END_TEST

TEST_MAIN("memory", all_columns, two_quantities, every_line_through_libcsv)
