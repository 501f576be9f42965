/* Energies by region beside integrals that the test does itself; with what lies in no region they are the whole. */
#include "harness.h"
#include "xorshift.h"

#include "analyze/regions/region_energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 300, PLACES = 4, NAMES = 3, STRETCHES = 40 };

static const struct {
    const char *run, *node;
} places[PLACES] = {{"7/0", "n1"}, {"7/0", "n2.cluster"}, {"7/1", "n1"}, {"7/1", "n2.cluster"}};

typedef struct log {
    ws_time_base base;
    int64_t t_ns[PLACES][SAMPLES];
    double power[PLACES][SAMPLES];
    size_t readings; /* how often it was read */
} log_;

static void make_log(log_ *l, ws_time_base base)
{
    *l = (log_){.base = base};
    for (size_t p = 0; p < PLACES; p++) {
        int64_t t = (base == WS_TIME_RELATIVE ? 0 : INT64_C(1700000000000000000)) + (int64_t)draw(3000) * 1000000;
        for (size_t i = 0; i < SAMPLES; i++) {
            l->t_ns[p][i] = t;
            l->power[p][i] = 20 + draw(3000) / 10.0;
            t += (int64_t)(1 + draw(20)) * 100000000;
        }
    }
}

static void push(const log_ *l, const ws_sink *sink)
{
    ws_error error = {0};
    for (size_t p = 0; p < PLACES; p++) {
        ws_channel channel = {.run = places[p].run,
                              .node = places[p].node,
                              .device = "gpu0",
                              .column = "power",
                              .domain = WS_GPU,
                              .quantity = WS_POWER,
                              .rule = WS_RULE_TRAPEZOID,
                              .time = l->base};
        int id;
        ck_assert_int_eq(sink->channel(sink->state, &channel, &id, &error), WS_OK);
        for (size_t from = 0, n; id >= 0 && from < SAMPLES; from += n) {
            n = 1 + draw(50);
            n = n < SAMPLES - from ? n : SAMPLES - from;
            ws_block block = {.n = n, .t_ns = l->t_ns[p] + from, .value = l->power[p] + from};
            ck_assert_int_eq(sink->block(sink->state, id, &block, &error), WS_OK);
        }
    }
}

static void read_again(void *of, ws_cutter *cutter)
{
    log_ *l = of;
    l->readings++;
    ws_cutter_begin(cutter, "a.csv", "");
    ws_sink sink = ws_cutter_sink(cutter);
    push(l, &sink);
}

/* Of the straight lines between readings, from a to b. */
static double integral(const log_ *l, size_t p, int64_t a, int64_t b)
{
    double sum = 0;
    for (size_t i = 1; i < SAMPLES; i++) {
        int64_t t0 = l->t_ns[p][i - 1], t1 = l->t_ns[p][i], from = a > t0 ? a : t0, to = b < t1 ? b : t1;
        if (from >= to)
            continue;
        double v0 = l->power[p][i - 1], slope = (l->power[p][i] - v0) / (double)(t1 - t0);
        sum += (v0 + slope * ((double)(from - t0) + (double)(to - t0)) / 2) * (double)(to - from) / 1e9;
    }
    return sum;
}

static const ws_device *device_at(const ws_measure *m, size_t p)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (strcmp(m->devices[i].run, places[p].run) == 0 && strcmp(m->devices[i].node, places[p].node) == 0)
            return &m->devices[i];
    return NULL;
}

static double energy_at(const ws_measure *m, size_t p)
{
    const ws_device *d = device_at(m, p);
    return d && !isnan(d->energy->summary.energy_j) ? d->energy->summary.energy_j : 0;
}

typedef struct check {
    double energy_j[NAMES][PLACES];
    bool is_there[NAMES][PLACES];
} check;

/* Stretches follow each other, with time between some of them; each belongs to a region, and to one place or to all. */
static void make_regions(const log_ *l, ws_regions *r, check *c)
{
    static const char *const names[NAMES] = {"load", "train.rank.2", "eval"};
    int64_t t = l->t_ns[0][0] - 2000000000;
    *r = (ws_regions){.is_relative = l->base == WS_TIME_RELATIVE};
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < NAMES; i++)
        ws_regions_visit(r, names[i], places[i].run, places[i].node);
    for (size_t i = 0; i < STRETCHES; i++) {
        int64_t end = t + 1 + (int64_t)draw(12000) * 1000000;
        size_t name = draw(NAMES), only = draw(PLACES + 1);
        for (size_t p = 0; p < PLACES; p++)
            if (only == p || only == PLACES) {
                ws_region_add(ws_regions_visit(r, names[name], places[p].run, places[p].node), t, end);
                c->energy_j[name][p] += integral(l, p, t, end);
                c->is_there[name][p] = true;
            }
        t = end + (draw(2) ? (int64_t)draw(4000) * 1000000 : 0);
    }
}

static void check_log(ws_time_base base)
{
    static log_ l;
    static check c;
    ws_measure_options options = {0};
    ws_measure whole;
    ws_regions regions;
    ws_notes notes = {0};
    make_log(&l, base);
    make_regions(&l, &regions, &c);
    ws_measure_init(&whole, &options);
    ws_measure_begin(&whole, "a.csv", "");
    ws_sink sink = ws_measure_sink(&whole);
    push(&l, &sink);
    ws_measure_finish(&whole, NULL);
    ws_region_source source = {&l, read_again};
    ws_measure *parts = ws_region_measures(&whole, &regions, &source, &notes);
    ck_assert_uint_eq(l.readings, 1);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_REGIONS_OVERLAP));
    for (size_t p = 0; p < PLACES; p++) {
        double sum = energy_at(&parts[NAMES], p);
        for (size_t i = 0; i < NAMES; i++) {
            ck_assert(!c.is_there[i][p] || device_at(&parts[i], p));
            ck_close(energy_at(&parts[i], p), c.energy_j[i][p], 1e-11, 1e-9);
            sum += energy_at(&parts[i], p);
        }
        ck_close(sum, energy_at(&whole, p), 1e-12, 0);
        ck_close(sum, integral(&l, p, INT64_MIN, INT64_MAX), 1e-11, 0);
    }
    ws_region_measures_free(parts, &regions);
    ws_regions_free(&regions);
    ws_measure_free(&whole);
    ws_notes_free(&notes);
}

START_TEST(regions_and_the_rest_are_the_whole)
{
    state = 20260211;
    for (int round = 0; round < 40; round++)
        check_log(round % 2 ? WS_TIME_RELATIVE : WS_TIME_UTC);
}
END_TEST

/* Passes of several ranks that overlap are one stretch; those that touch stay two. */
START_TEST(a_host_is_there_once)
{
    ws_regions r = {0};
    ws_region_visit *v = ws_regions_visit(&r, "train", "7/0", "n1");
    static const int64_t passes[][2] = {{20, 30}, {5, 9}, {0, 10}, {10, 12}, {25, 40}, {3, 3}, {26, 28}};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        ws_region_add(v, passes[i][0], passes[i][1]);
    ws_region_unite(v);
    static const int64_t united[][2] = {{0, 10}, {10, 12}, {20, 40}};
    ck_assert_uint_eq(v->n, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(v->stretches[i].start_ns, united[i][0]);
        ck_assert_int_eq(v->stretches[i].end_ns, united[i][1]);
    }
    ws_regions_free(&r);
}
END_TEST

TEST_MAIN("regions", regions_and_the_rest_are_the_whole, a_host_is_there_once)
