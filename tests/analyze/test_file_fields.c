/* What names a file rather than a run. */
#include "harness.h"

#include "analyze/ingest/ingest.h"

/* A node has its GPUs numbered by one or two digits; three are a kind of GPU, as 100 and 910. */
START_TEST(a_gpu_of_two_digits_is_one_of_its_node)
{
    static const struct {
        const char *name, *value;
        bool is_of_file;
    } cases[] = {{"node", "n1", true}, {"gpu", "7", true},    {"gpu", "15", true},    {"rank", "3", true},
                 {"part", "2", true},  {"gpu", "100", false}, {"gpu", "a100", false}, {"gpus", "8", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_field_is_of_file(&(ws_field){cases[i].name, cases[i].value}) == cases[i].is_of_file, "%s %s",
                      cases[i].name, cases[i].value);
}
END_TEST

TEST_MAIN("fields of files", a_gpu_of_two_digits_is_one_of_its_node)
