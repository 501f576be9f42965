/* Powers among MLflow's system metrics: hand-made, the number of the GPU from the file's name. */
#include "reader_case.h"

extern const ws_format ws_format_mlflow_metric;

static const char name[] = "mlruns/0/5f1c/metrics/system/gpu_3_power_usage_watts";

START_TEST(the_name_says_which_gpu)
{
    static const char text[] = "1770796800000 250 0\n1770796810000 nan 1\n\n1770796820000 251.5 2\n177079683";
    ck_assert_int_eq(read_case(&ws_format_mlflow_metric, name, text, 0), WS_OK);
    has("gpu3", "power_usage_watts", "250 - 251.5");
    ck_assert_int_eq(channel("gpu3", NULL)->t_ns[1] - T0, 10 * S);
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(other_metrics_are_none)
{
    static const struct {
        const char *name, *text;
        bool is;
    } cases[] = {{name, "1770796800000 250 0\n", true},
                 {"gpu_0_power_usage_watts", "1770796800000 250.5 0\n", true},
                 {"gpu_0_power_usage_percentage", "1770796800000 50 0\n", false},
                 {"gpu_power_usage_watts", "1770796800000 50 0\n", false},
                 {name, "1770796800 250 0\n", false}, /* s */
                 {name, "1770796800000 250 0.5\n", false},
                 {name, "1770796800000,250,0\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg((ws_format_mlflow_metric.score(cases[i].name, ws_span_of(cases[i].text)) > 0) == cases[i].is,
                      "%s: %s", cases[i].name, cases[i].text);
}
END_TEST

TEST_MAIN("mlflow", the_name_says_which_gpu, other_metrics_are_none)
