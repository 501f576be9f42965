/* When two entries are one device: how close their figures are, how much of their time they share. From both sides. */
#include "harness.h"

#include "analyze/identity/duplicates.h"
#include "analyze/measure/measure.h"

#include <math.h>
#include <string.h>

/* A device read once a second from `from_s` to `to_s`, with the energy of its trace. */
typedef struct entry {
    ws_metered_channel measured;
    ws_device device;
} entry;

static void make(entry *e, const char *source, const char *run, double from_s, double to_s)
{
    *e = (entry){.device = {.source = source, .run = run, .node = "n", .device = "gpu0", .domain = WS_GPU}};
    e->measured.meter.first_t = llround(from_s * 1e9);
    e->measured.meter.last_t = llround(to_s * 1e9);
    e->measured.summary = (ws_channel_summary){.has_start = true,
                                               .status = WS_STATUS_OK,
                                               .samples = (uint64_t)(to_s - from_s) + 1,
                                               .duration_s = to_s - from_s,
                                               .max_gap_s = 1,
                                               .min = 90,
                                               .max = 110,
                                               .sd = 5,
                                               .mean = 100,
                                               .plain_mean = 100,
                                               .plain_sd = 5,
                                               .energy_j = 100 * (to_s - from_s)};
    e->device.energy = &e->measured;
}

/* Equal to 1e-9 where it may be a coincidence of names, to 1e-6 where one file is the other one's export. */
START_TEST(the_same_readings)
{
    static const struct {
        double off;
        ws_likeness likeness;
    } cases[] = {{0, WS_READINGS_EQUAL},
                 {5e-10, WS_READINGS_EQUAL},
                 {2e-9, WS_READINGS_EXPORT},
                 {5e-7, WS_READINGS_EXPORT},
                 {2e-6, WS_READINGS_ALIKE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        entry a, b;
        make(&a, "a", "", 0, 40);
        make(&b, "b", "", 0, 40);
        b.measured.summary.energy_j *= 1 + cases[i].off;
        b.measured.summary.plain_mean *= 1 + cases[i].off;
        ck_assert_msg(ws_compare_readings(&a.measured.summary, &b.measured.summary) == cases[i].likeness, "%g",
                      cases[i].off);
    }
}
END_TEST

/* The rows of a poll may have stamps of their own, which change the energy and not the readings. */
START_TEST(the_same_readings_at_other_times)
{
    entry a, b;
    make(&a, "a", "", 0, 40);
    make(&b, "b", "", 0, 40);
    b.measured.summary.energy_j *= 1.0005;
    ck_assert_int_eq(ws_compare_readings(&a.measured.summary, &b.measured.summary), WS_READINGS_EQUAL);
    b.measured.summary.plain_mean = nextafter(100, 101);
    ck_assert_int_eq(ws_compare_readings(&a.measured.summary, &b.measured.summary), WS_READINGS_ALIKE);
}
END_TEST

START_TEST(fewer_than_twenty_readings_prove_nothing)
{
    for (uint64_t samples = 19; samples <= 20; samples++) {
        entry a, b;
        make(&a, "a", "", 0, 40);
        make(&b, "b", "", 0, 40);
        a.measured.summary.samples = b.measured.summary.samples = samples;
        ck_assert_int_eq(ws_compare_readings(&a.measured.summary, &b.measured.summary),
                         samples == 20 ? WS_READINGS_EQUAL : WS_READINGS_ALIKE);
    }
}
END_TEST

START_TEST(powers_within_two_percent_are_alike)
{
    entry a, b;
    make(&a, "a", "", 0, 40);
    make(&b, "b", "", 0, 40);
    b.measured.summary.energy_j *= 1.02;
    b.measured.summary.mean = b.measured.summary.plain_mean = 102;
    ck_assert_int_eq(ws_compare_readings(&a.measured.summary, &b.measured.summary), WS_READINGS_ALIKE);
    b.measured.summary.mean = 102.1;
    ck_assert_int_eq(ws_compare_readings(&a.measured.summary, &b.measured.summary), WS_READINGS_DIFFER);
}
END_TEST

/* More than a hundredth of the other, and more than two of its own longest steps. */
START_TEST(what_is_left_out_reaches_beyond)
{
    static const struct {
        double longer_s, beyond_s, gap_s;
        bool lacks;
    } cases[] = {{1000, 9, 1, false}, {1000, 11, 1, true}, {100, 7, 4, false}, {100, 9, 4, true}};
    ws_measure none = {.n_devices = 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        entry more, less;
        ws_notes notes = {0};
        make(&more, "a", "", 0, cases[i].longer_s);
        make(&less, "b", "", cases[i].longer_s / 2, cases[i].longer_s + cases[i].beyond_s);
        less.measured.summary.max_gap_s = cases[i].gap_s;
        ws_count_device_once(&none, &more.device, &less.device, &notes);
        ck_assert(less.device.is_alternative && !more.device.is_alternative);
        ck_assert_int_eq(more.device.lacks_rest, cases[i].lacks);
        ck_assert_int_eq(ws_notes_find(&notes, WS_FINDING_FILES_OVERLAP) != NULL, cases[i].lacks);
        ws_notes_free(&notes);
    }
}
END_TEST

/* Two runs of one file, 100 s each: half of the shorter in common and it counts once; more than two seconds, and it is
 * told. */
START_TEST(runs_that_share_a_device)
{
    static const struct {
        double shared_s;
        bool is_again, overlaps;
    } cases[] = {{1.5, false, false}, {2.5, false, true}, {49, false, true}, {50, true, true}, {98.5, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        entry a, b;
        ws_device devices[2];
        make(&a, "s", "first", 0, 100);
        make(&b, "s", "second", 100 - cases[i].shared_s, 200 - cases[i].shared_s);
        devices[0] = a.device, devices[1] = b.device;
        ws_measure m = {.devices = devices, .n_devices = 2};
        ws_measure_find_overlaps(&m);
        ck_assert_msg((devices[0].again_in || devices[1].again_in) == cases[i].is_again, "%g s", cases[i].shared_s);
        ck_assert_msg((devices[0].overlaps || devices[1].overlaps) == cases[i].overlaps, "%g s", cases[i].shared_s);
    }
}
END_TEST

TEST_MAIN("overlaps", the_same_readings, the_same_readings_at_other_times, fewer_than_twenty_readings_prove_nothing,
          powers_within_two_percent_are_alike, what_is_left_out_reaches_beyond, runs_that_share_a_device)
