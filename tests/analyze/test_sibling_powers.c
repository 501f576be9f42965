/* One GPU of several whose powers are a tenth of the others', or ten times, from a row on. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/sibling_powers.h"

#include <math.h>

#define S INT64_C(1000000000)
enum { READINGS = 200 };

static ws_measure measure;

/* Of the first GPU: its powers from the row on, and its use at all times and in one row. */
typedef struct planted {
    int gpus, from;
    double factor, use, least_use;
} planted;

static void push_channel(ws_sink *sink, const char *device, ws_quantity quantity, const double *values)
{
    int64_t t_ns[READINGS];
    int id = -1;
    ws_channel channel = {.device = device,
                          .identity = "index",
                          .column = quantity == WS_POWER ? "p" : "u",
                          .domain = WS_GPU,
                          .quantity = quantity,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_UTC};
    for (int i = 0; i < READINGS; i++)
        t_ns[i] = i * S;
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, NULL), WS_OK);
    ck_assert_int_eq(sink->block(sink->state, id, &(ws_block){.n = READINGS, .t_ns = t_ns, .value = values}, NULL),
                     WS_OK);
}

/* Powers of 120 to 280 W, by GPU a watt apart. */
static double excess_of(const planted *p)
{
    static const char *const names[] = {"gpu0", "gpu1", "gpu2", "gpu3"};
    ws_measure_free(&measure);
    ws_measure_init(&measure, &(ws_measure_options){0});
    ws_measure_begin(&measure, "a.csv", "");
    ws_sink sink = ws_measure_sink(&measure);
    for (int g = 0; g < p->gpus; g++) {
        double watts[READINGS], use[READINGS];
        for (int i = 0; i < READINGS; i++) {
            watts[i] = 200 + g + 80 * sin(i * 0.7) * (g || i < p->from ? 1 : p->factor);
            watts[i] = g || i < p->from ? watts[i] : 200 * p->factor + 80 * sin(i * 0.7) * p->factor;
            use[i] = g ? 0.97 : i == 7 ? p->least_use : p->use;
        }
        push_channel(&sink, names[g], WS_POWER, watts);
        push_channel(&sink, names[g], WS_UTIL, use);
    }
    ws_measure_finish(&measure, NULL);
    for (size_t i = 1; i < measure.n_devices; i++)
        ck_assert_double_eq(ws_sibling_excess_j(&measure, &measure.devices[i]), 0);
    return ws_sibling_excess_j(&measure, &measure.devices[0]);
}

START_TEST(another_scale_is_told)
{
    static const struct {
        const char *what;
        planted p;
        double excess_j; /* about */
    } cases[] = {{"a tenth from the middle on", {4, 100, 0.1, 0.97, 0.97}, -0.9 * 200 * 100},
                 {"ten times", {4, 100, 10, 0.97, 0.97}, 9 * 200 * 100},
                 {"beside two others", {3, 100, 0.1, 0.97, 0.97}, -0.9 * 200 * 100},
                 {"beside one", {2, 100, 0.1, 0.97, 0.97}, 0},
                 {"a sixth may be a load", {4, 100, 1 / 6.0, 0.97, 0.97}, 0},
                 {"an eighth is none", {4, 100, 1 / 8.0, 0.97, 0.97}, -7 / 8.0 * 200 * 100},
                 {"six times", {4, 100, 6, 0.97, 0.97}, 0},
                 {"a few rows", {4, 190, 0.1, 0.97, 0.97}, 0},
                 {"an eighth of the rows", {4, 175, 0.1, 0.97, 0.97}, -0.9 * 200 * 25},
                 {"a device that is idle once", {4, 100, 0.1, 0.97, 0.4}, 0},
                 {"half in use", {4, 100, 0.1, 0.97, 0.6}, -0.9 * 200 * 100},
                 {"less in use than the others", {4, 100, 0.1, 0.9, 0.9}, 0},
                 {"nearly as much", {4, 100, 0.1, 0.94, 0.94}, -0.9 * 200 * 100},
                 {"the others' powers", {4, 200, 1, 0.97, 0.97}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double excess_j = excess_of(&cases[i].p);
        ck_assert_msg(fabs(excess_j - cases[i].excess_j) <= 0.05 * fabs(cases[i].excess_j) + 400 * (excess_j != 0),
                      "%s: %.0f J", cases[i].what, excess_j);
    }
    ws_measure_free(&measure);
}
END_TEST

/* What reads that failed lack is at stake once. */
START_TEST(zeros_are_no_other_scale)
{
    excess_of(&(planted){4, 100, 0, 0.97, 0.97});
    const ws_device *d = &measure.devices[0];
    ck_assert(ws_finding_set_has(&d->stake.findings, WS_FINDING_ZERO_POWER));
    ck_assert(!ws_finding_set_has(&d->stake.findings, WS_FINDING_IMPLAUSIBLE_POWER));
    ck_assert_double_eq_tol(d->stake.joules, 200 * 100, 400);
    excess_of(&(planted){4, 100, 0.1, 0.97, 0.97});
    d = &measure.devices[0];
    ck_assert(ws_finding_set_has(&d->stake.findings, WS_FINDING_IMPLAUSIBLE_POWER));
    ck_assert_double_eq_tol(d->stake.joules, 0.9 * 200 * 100, 400);
    ws_measure_free(&measure);
}
END_TEST

TEST_MAIN("sibling powers", another_scale_is_told, zeros_are_no_other_scale)
