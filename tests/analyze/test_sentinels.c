/* Numbers in the place of a power that stand for no reading: 400 readings a second apart, of 150 to 250 W. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/stakes.h"

#include <math.h>

#define S INT64_C(1000000000)
enum { READINGS = 400 };

static ws_measure measure;
static ws_notes notes;

/* Stands instead of `n` readings, `run` of them at a time. */
typedef struct planted {
    double value_w;
    int n, run;
    double step_w;   /* of all readings */
    double varies_w; /* of the sentinels: 0, all are the same */
} planted;

static double load_w(int i, double step_w)
{
    return rint((200 + 49.9 * sin(i * 0.7)) / step_w) * step_w;
}

static void fill(const planted *p, double *watts)
{
    int every = p->n ? READINGS * p->run / p->n : READINGS;
    for (int i = 0, left = p->n; i < READINGS; i++) {
        bool is_here = i % every >= 1 && i % every <= p->run && left > 0;
        watts[i] = is_here ? p->value_w + p->varies_w * (left - 1) : load_w(i, p->step_w);
        left -= is_here;
    }
}

static void measure_log(const planted *p, int cut)
{
    double watts[READINGS];
    int64_t t_ns[READINGS], line[READINGS];
    ws_channel channel = {.device = "gpu0",
                          .identity = "index",
                          .column = "p",
                          .domain = WS_GPU,
                          .quantity = WS_POWER,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_UTC};
    int id = -1;
    fill(p, watts);
    ws_notes_free(&notes);
    ws_measure_free(&measure);
    ws_measure_init(&measure, &(ws_measure_options){0});
    ws_measure_begin(&measure, "a.csv", "");
    ws_sink sink = ws_measure_sink(&measure);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    for (int i = 0; i < READINGS; i++) {
        t_ns[i] = i * S;
        line[i] = i + 2;
    }
    for (int i = 0; i < READINGS; i += cut) {
        size_t n = (size_t)(i + cut < READINGS ? cut : READINGS - i);
        ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){n, t_ns + i, watts + i, NULL, line + i}, NULL), WS_OK);
    }
    ws_measure_finish(&measure, &notes);
}

START_TEST(what_stands_for_no_reading)
{
    static const struct {
        planted p;
        bool is_one;
    } cases[] = {
        {{655.35, 16, 1, 0.01, 0}, true},    {{999.99, 16, 1, 0.01, 0}, true},
        {{655.35, 1, 1, 0.01, 0}, true},     {{655.35, 16, 1, 1, 0}, true},   /* in a log of whole watts */
        {{655.36, 2, 1, 0.01, 0}, false},    {{655.36, 3, 1, 0.01, 0}, true}, /* no number of a field */
        {{655.36, 16, 1, 0.01, 0.5}, false},                                  /* a load that comes again */
        {{655.35, 16, 2, 0.01, 0}, true},    {{655.35, 18, 3, 0.01, 0}, false},
        {{655.35, 80, 1, 0.01, 0}, true},    {{655.35, 84, 1, 0.01, 0}, false},
        {{327.67, 16, 1, 0.01, 0}, true},    {{311.11, 16, 1, 0.01, 0}, false}, /* 1.24 times the others */
        {{312.50, 16, 1, 0.01, 0}, true},    {{999, 16, 1, 1, 0}, true},
        {{999, 2, 1, 1, 0}, false},          {{998, 16, 1, 1, 0}, false}, /* cards draw whole watts again and again */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const planted *p = &cases[c].p;
        measure_log(p, READINGS);
        const ws_device *d = &measure.devices[0];
        double added_j = ws_sentinel_joules(d, d->energy), wanted_j = p->n * (p->value_w - 200);
        ck_assert_msg((added_j > 0) == cases[c].is_one, "case %zu: %g", c, added_j);
        if (cases[c].is_one)
            ck_assert_msg(fabs(added_j / wanted_j - 1) < 0.06, "case %zu: %g of %g", c, added_j, wanted_j);
        ck_assert_int_eq(ws_notes_find(&notes, WS_FINDING_IMPLAUSIBLE_POWER) != NULL, cases[c].is_one);
    }
}
END_TEST

START_TEST(they_reach_the_verdict_and_the_interval)
{
    static const struct {
        int n;
        ws_energy_verdict wanted;
    } cases[] = {{16, WS_ENERGY_VERDICT_DOUBTFUL}, {1, WS_ENERGY_VERDICT_OK}, {60, WS_ENERGY_VERDICT_UNUSABLE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        measure_log(&(planted){655.35, cases[c].n, 1, 0.01, 0}, READINGS);
        const ws_device *d = &measure.devices[0];
        const ws_channel_summary *r = &d->energy->summary;
        ck_assert(ws_energy_verdict_of(&d->stake, r->energy_j, &measure.options.verdict) == cases[c].wanted);
        ck_assert_double_lt(r->energy_lo_j, r->energy_j - cases[c].n * 450);
    }
}
END_TEST

static ws_power_top top_of(const double *watts, size_t from, size_t to)
{
    int64_t t_ns[8], line[8];
    for (size_t i = from; i < to; i++) {
        t_ns[i - from] = (int64_t)i * S;
        line[i - from] = (int64_t)(i - from) + 1;
    }
    ws_power_top top;
    ws_power_top_init(&top);
    const ws_block b = {to - from, t_ns, watts + from, NULL, line};
    const ws_value_range range = ws_value_range_of(&b);
    ws_power_top_push(&top, &b, &range);
    return top;
}

/* All traces of eight readings of three values, some missing, in three pieces wherever they are cut. */
START_TEST(any_cut_gives_the_same)
{
    static const double values[] = {NAN, 1, 2, 3};
    for (unsigned k = 0; k < 4096; k++) {
        double watts[6];
        for (int i = 0; i < 6; i++)
            watts[i] = values[k >> (2 * i) & 3];
        ws_power_top whole = top_of(watts, 0, 6);
        for (size_t a = 0; a <= 6; a++)
            for (size_t b = a; b <= 6; b++) {
                ws_power_top first = top_of(watts, 0, a), second = top_of(watts, a, b), third = top_of(watts, b, 6);
                ws_power_top_merge(&first, &second, (int64_t)a);
                ws_power_top_merge(&first, &third, (int64_t)b);
                ck_assert(first.most_w == whole.most_w && first.next_w == whole.next_w &&
                          first.seen.count == whole.seen.count && first.seen.line == whole.seen.line &&
                          first.stretches == whole.stretches && first.has_any == whole.has_any &&
                          first.first_is == whole.first_is && first.last_is == whole.last_is);
            }
    }
}
END_TEST

/* So many readings of the largest power, in so many stretches, among 1000 of up to 100 W; others are 50 W on average.
 */
static bool is_sentinel(double most_w, unsigned n, unsigned stretches, double step_w)
{
    ws_power_top top = {.has_any = true, .most_w = most_w, .next_w = 100, .seen = {.count = n}, .stretches = stretches};
    double mean_w = (50 * (1000.0 - n) + n * most_w) / 1000, sum_w = ws_sentinel_sum_w(&top, 1000, mean_w, step_w);
    ck_assert(sum_w == 0 || fabs(sum_w - n * (most_w - 50)) < 1e-6);
    return sum_w > 0;
}

START_TEST(each_limit_from_both_sides)
{
    ck_assert(is_sentinel(311.1, 4, 2, 0.1) && !is_sentinel(311.1, 5, 2, 0.1)); /* two at a time */
    ck_assert(is_sentinel(311.1, 3, 3, 0.1) && !is_sentinel(311.1, 2, 2, 0.1)); /* comes again */
    ck_assert(is_sentinel(311.1, 4, 4, 0.149) && !is_sentinel(311.1, 4, 4, 0.151));
    ck_assert(is_sentinel(327.67, 1, 1, 0.01) && !is_sentinel(999.9, 1, 1, 0.1)); /* five digits say it once */
    ck_assert(is_sentinel(125, 200, 200, 0.1) && !is_sentinel(125, 201, 201, 0.1));
    ck_assert(!is_sentinel(124.9, 200, 200, 0.1));
}
END_TEST

TEST_MAIN("sentinels", what_stands_for_no_reading, they_reach_the_verdict_and_the_interval, any_cut_gives_the_same,
          each_limit_from_both_sides)
