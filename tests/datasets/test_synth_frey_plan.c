/* What the generator plans for "frey2022", before anything is written: the exponents of every series against the
 * tables. The generator is a program and no library: its parts are included as they are. */
#include "datasets/synth/frey_table.c"
#include "datasets/synth/kind_frey.c"
#include "datasets/synth/outfile.c"
#include "datasets/synth/plan.c"
#include "datasets/synth/planted.c"
#include "datasets/synth/rng.c"

#include "harness.h"

/* Least squares of ln(time per epoch) on ln(GPUs) over the runs of a series. */
typedef struct law {
    int n, max_gpus;
    double beta, se, r2;
} law;

static law law_of(const ws_synth_campaign *campaign, const char *series)
{
    law l = {0};
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < campaign->n_runs; i++) {
        const ws_synth_run *run = &campaign->runs[i];
        if (strcmp(run->series->name, series) != 0)
            continue;
        double u = log(run->gpus), v = log((double)run->wall_ns / run->epochs);
        l.n++, x += u, y += v, xx += u * u, xy += u * v, yy += v * v;
        l.max_gpus = run->gpus > l.max_gpus ? run->gpus : l.max_gpus;
    }
    ck_assert_int_gt(l.n, 2);
    xx -= x * x / l.n, xy -= x * y / l.n, yy -= y * y / l.n;
    l.beta = -xy / xx;
    l.r2 = xy * xy / (xx * yy);
    l.se = sqrt((yy - xy * xy / xx) / (l.n - 2) / xx);
    return l;
}

static bool prints_as(double value, int decimals, const char *printed)
{
    char digits[WS_DOUBLE_TEXT];
    ws_double_text_decimals(digits, value, decimals);
    return strcmp(digits, printed) == 0;
}

/* Tables 2 to 6, as printed; standard errors and ranges from Sec. 4.1 and 4.2. */
static const struct {
    const char *series, *beta, *r2, *se;
    int max_gpus;
} published[] = {
    {"table2-dimenet", "0.82", "0.99", "0.03", 416},
    {"table2-schnet", "0.42", "0.90", "0.05", 416},
    {"table2-bert", "0.87", "0.97", "0.03", 424},
    {"table2-resnet50", "0.52", "0.95", NULL, 0},
    {"table2-vgg16", "0.64", "0.98", NULL, 0},
    {"table2-inceptionv3", "0.44", "0.93", NULL, 0},
    {"table3-dimenet-135mhz", "0.97", "1.0", NULL, 256},
    {"table3-dimenet-735mhz", "0.90", "0.99", NULL, 256},
    {"table3-dimenet-1380mhz", "0.82", "0.99", NULL, 256},
    {"table4-dimenet-100w", "0.93", "0.99", NULL, 256},
    {"table4-dimenet-200w", "0.84", "0.99", NULL, 256},
    {"table4-dimenet-250w", "0.82", "0.99", NULL, 256},
    {"table5-bert-100w", "0.91", "0.99", NULL, 424},
    {"table5-bert-200w", "0.86", "0.99", NULL, 424},
    {"table5-bert-250w", "0.87", "0.99", NULL, 424},
    {"table6-resnet50-100w", "0.83", "1.0", NULL, 0},
    {"table6-resnet50-200w", "0.83", "0.99", NULL, 0},
    {"table6-resnet50-250w", "0.84", "0.99", NULL, 0},
};
enum { PUBLISHED = sizeof published / sizeof *published, ASSUMED = 2 }; /* clocks of ResNet50 have no table */

START_TEST(exponents_come_out_as_printed)
{
    ck_assert_uint_eq(ws_synth_frey_series_n, PUBLISHED + ASSUMED);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ws_synth_campaign campaign = {.kind = "frey2022", .seed = seed, .scale = 1};
        ws_synth_plan_frey(&campaign);
        for (size_t i = 0; i < PUBLISHED; i++) {
            law l = law_of(&campaign, published[i].series);
            ck_assert_msg(prints_as(l.beta, 2, published[i].beta), "%s: beta %g", published[i].series, l.beta);
            ck_assert_msg(prints_as(l.r2, (int)strlen(published[i].r2) - 2, published[i].r2), "%s: R2 %g",
                          published[i].series, l.r2);
            if (published[i].se)
                ck_assert_msg(prints_as(l.se, 2, published[i].se), "%s: SE %g", published[i].series, l.se);
            if (published[i].max_gpus)
                ck_assert_int_eq(l.max_gpus, published[i].max_gpus);
        }
        ws_arena_free(&campaign.arena);
    }
}
END_TEST

/* Every run is longer than its window, on an even number of GPUs. */
START_TEST(windows_fit_into_their_runs)
{
    ws_synth_campaign campaign = {.kind = "frey2022", .seed = 1, .scale = 1};
    ws_synth_plan_frey(&campaign);
    for (size_t i = 0; i < campaign.n_runs; i++) {
        ck_assert(campaign.runs[i].wall_ns > 120000000000);
        ck_assert_int_eq(campaign.runs[i].nodes * 2, campaign.runs[i].gpus);
    }
    ws_arena_free(&campaign.arena);
}
END_TEST

TEST_MAIN("synth frey plan", exponents_come_out_as_printed, windows_fit_into_their_runs)
