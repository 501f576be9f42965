/* What one path says by itself, and what names a file rather than a run. */
#include "harness.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/propose_pattern.h"

#include <string.h>

/* Five digits are a job; four may be a size or a year. */
START_TEST(a_folder_of_digits_is_a_job)
{
    static const struct {
        const char *path, *pattern;
    } cases[] = {{"lbs256/12345/gpu.csv", "{series}/{job}/gpu.csv"},
                 {"lbs256/1234/gpu.csv", "{series}/1234/gpu.csv"},
                 {"lbs256/4g256b/gpu_node12.csv", "{series}/{gpus}g{lbs}b/gpu_{node}.csv"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char pattern[WS_PATTERN_SIZE];
        ws_propose_pattern(cases[i].path, true, pattern);
        ck_assert_str_eq(pattern, cases[i].pattern);
    }
}
END_TEST

/* A node has its GPUs numbered by one or two digits; three are a kind of GPU, as 100 and 910. */
START_TEST(a_gpu_of_two_digits_is_one_of_its_node)
{
    static const struct {
        const char *name, *value;
        bool is_of_file;
    } cases[] = {{"node", "n1", true},  {"gpu", "7", true},     {"gpu", "15", true},
                 {"gpu", "100", false}, {"gpu", "a100", false}, {"gpus", "8", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_field_is_of_file(&(ws_field){cases[i].name, cases[i].value}) == cases[i].is_of_file, "%s %s",
                      cases[i].name, cases[i].value);
}
END_TEST

TEST_MAIN("propose", a_folder_of_digits_is_a_job, a_gpu_of_two_digits_is_one_of_its_node)
