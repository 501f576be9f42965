/* The test program of a room, or of one file: build/release/tests/fit/all test_ols runs the suite of
 * tests/fit/test_ols.c, without a name all of them. The Makefile names the suites, SUITE(test_a) SUITE(test_b) ...,
 * and calls the main of each file by its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For tests that draw: fontconfig, Pango and libltdl, which PLplot loads its drivers with, keep a few kB to the end,
 * which the leak checker would take for ours. Without the checker this is never called. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\nleak:libpango\nleak:libglib\nleak:lt__malloc\n";
}

#define SUITE(name) int name##_main(void);
SUITES
#undef SUITE

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name) {#name, name##_main},
    SUITES};

int main(int n_arguments, char **arguments)
{
    const char *wanted = n_arguments > 1 ? arguments[1] : NULL;
    int status = EXIT_SUCCESS, n_run = 0;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        if (wanted && strcmp(wanted, suites[i].name) != 0)
            continue;
        n_run++;
        if (suites[i].run() != EXIT_SUCCESS)
            status = EXIT_FAILURE;
    }
    if (n_run > 0)
        return status;
    fprintf(stderr, "%s: there is no suite %s\n", arguments[0], wanted);
    return EXIT_FAILURE;
}
