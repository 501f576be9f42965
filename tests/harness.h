/* A suite a file: cases with Check, and one line for the runner at the end. */
#ifndef WS_TESTS_HARNESS_H
#define WS_TESTS_HARNESS_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void); /* the suite's, which the Makefile calls by the file: tests/suites.c runs it */

/* Check writes the place of each assertion that holds to a file, so that it can name the last one before a crash. In
 * loops over many values that takes longer than the rest of the test, and a debugger says the same. */
#define _mark_point(file, line) ((void)0)

/* Test programs lie two folders below the child that reads HDF5 (formats/hdf5/perun_child.h). */
static inline void name_hdf5_child(void)
{
    char path[4096] = "";
    char *slash = readlink("/proc/self/exe", path, sizeof path - 64) > 0 ? strrchr(path, '/') : NULL;
    if (slash) {
        strcpy(slash, "/../../wattscale-hdf5");
        setenv("WATTSCALE_HDF5", path, 0);
    }
}

/* add_fixture: before and after each case (tcase_add_checked_fixture), or once for all (tcase_add_unchecked_fixture).
 */
static inline int run_fixture(const char *name, const TTest *const *cases, size_t n,
                              void (*add_fixture)(TCase *, SFun, SFun), SFun set_up, SFun tear_down)
{
    name_hdf5_child();
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 0);
    add_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(tcase, cases[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int run_cases(const char *name, const TTest *const *cases, size_t n, SFun set_up, SFun tear_down)
{
    return run_fixture(name, cases, n, tcase_add_checked_fixture, set_up, tear_down);
}

/* TEST_MAIN(name, case_function, case_function, ...) ends a test file. */
#define TEST_MAIN(suite_name, ...) FIXTURE_MAIN(suite_name, NULL, NULL, __VA_ARGS__)

/* The same with a function before and one after each case. */
#define FIXTURE_MAIN(suite_name, set_up, tear_down, ...)                                                     \
    int main(void)                                                                                           \
    {                                                                                                        \
        const TTest *const all_cases_[] = {__VA_ARGS__};                                                     \
        return run_cases(suite_name, all_cases_, sizeof all_cases_ / sizeof *all_cases_, set_up, tear_down); \
    }

/* |got - want| <= rel * |want| + abs, and both printed where it fails. */
#define ck_close(got, want, rel, abs_tol)                                                                         \
    do {                                                                                                          \
        double got_ = (got), want_ = (want), size_ = want_ < 0 ? -want_ : want_;                                  \
        double off_ = got_ > want_ ? got_ - want_ : want_ - got_;                                                 \
        ck_assert_msg(off_ <= (rel)*size_ + (abs_tol), "%s is %.17g, not %.17g (off by %.3g)", #got, got_, want_, \
                      off_);                                                                                      \
    } while (0)

/* A test that cannot run says why; the runner counts it as skipped. */
#define skip_because(...)    \
    do {                     \
        printf("SKIP ");     \
        printf(__VA_ARGS__); \
        printf("\n");        \
        return;              \
    } while (0)

#endif
