/* When a device works in the window of its job, by its powers inside and around it. */
#include "harness.h"

#include "analyze/measure/power_times.h"

#include <math.h>
#include <string.h>

#define S INT64_C(1000000000)
enum { LENGTH_S = 1000 };

static double power_w[LENGTH_S];
static int64_t t_ns[LENGTH_S];

/* A reading a second from -200 s on; the window is 0 to 600 s, and the work goes from `from_s` to `to_s`. */
static void work(int64_t from_s, int64_t to_s, double idle_w, double busy_w)
{
    for (int i = 0; i < LENGTH_S; i++) {
        t_ns[i] = (i - 200) * S;
        power_w[i] = (t_ns[i] >= from_s * S && t_ns[i] <= to_s * S ? busy_w : idle_w) + i % 7 / 100.0;
    }
}

static ws_power_times times_of(size_t block)
{
    ws_power_times times;
    ws_power_times_init(&times, 0, 600 * S);
    for (size_t i = 0; i < LENGTH_S; i += block) {
        ws_power_times part;
        ws_power_times_init(&part, 0, 600 * S);
        size_t n = block < LENGTH_S - i ? block : LENGTH_S - i;
        ws_power_times_push(&part, &(ws_block){n, t_ns + i, power_w + i, NULL, NULL});
        ws_power_times_merge(&times, &part);
    }
    return times;
}

static void ck_work(bool is_seen, int64_t from_s, int64_t to_s, uint64_t before, uint64_t behind)
{
    ws_power_work w, again;
    ws_power_times times = times_of(LENGTH_S), cut = times_of(17);
    ck_assert(ws_power_times_of_work(&times, &w) && ws_power_times_of_work(&cut, &again));
    ck_assert(memcmp(&times, &cut, sizeof times) == 0);
    ck_assert(w.is_seen == is_seen);
    if (!is_seen)
        return;
    ck_assert_int_eq(w.from_ns, from_s * S);
    ck_assert_int_eq(w.to_ns, to_s * S);
    ck_assert_uint_eq(w.before, before);
    ck_assert_uint_eq(w.behind, behind);
}

/* On time, 120 s late, 120 s early: of the 120 s beyond the window 60 are watched. */
START_TEST(work_goes_on_beyond_the_window)
{
    work(0, 600, 50, 300);
    ck_work(true, 0, 600, 0, 0);
    work(120, 720, 50, 300);
    ck_work(true, 120, 600, 0, 60);
    work(-120, 480, 50, 300);
    ck_work(true, 0, 480, 60, 0);
    work(5, 598, 90, 190); /* processors idle at half of their power */
    ck_work(true, 5, 598, 0, 0);
    work(120, 720, 50, 100); /* two half octaves: 48, 64, 96 W */
    ck_work(true, 120, 600, 0, 60);
    work(120, 720, 50, 90);
    ck_work(false, 0, 0, 0, 0);
}
END_TEST

/* Reads that failed and cells that are missing. */
START_TEST(single_readings_make_no_difference)
{
    work(120, 720, 50, 300);
    power_w[500] = 0;
    power_w[600] = 20;
    power_w[190] = 0;
    power_w[750] = NAN;
    ck_work(true, 120, 600, 0, 60);
}
END_TEST

/* Idle all the time, or at work all the time, around the window, too; no reading at all. */
START_TEST(a_device_that_draws_the_same_is_not_seen_to_work)
{
    ws_power_work w;
    ws_power_times none = {0};
    work(0, 0, 50, 50);
    ck_work(false, 0, 0, 0, 0);
    work(-500, 5000, 50, 300);
    ck_work(false, 0, 0, 0, 0);
    ck_assert(!ws_power_times_of_work(&none, &w));
    ws_power_times_init(&none, 0, 600 * S);
    ck_assert(!ws_power_times_of_work(&none, &w));
}
END_TEST

/* A log that begins with its window, or ends with it, is idle inside alone; work that is moved by nearly the whole
 * window lies beside it. */
START_TEST(work_of_a_log_that_is_cut_and_of_a_short_job)
{
    work(120, 900, 50, 300);
    for (int i = 0; i < 200; i++)
        power_w[i] = NAN;
    ck_work(true, 120, 600, 0, 60);
    work(-500, 480, 50, 300);
    for (int i = 801; i < LENGTH_S; i++)
        power_w[i] = NAN;
    ck_work(true, 0, 480, 60, 0);
    work(-500, 8, 50, 300);
    ck_work(true, 0, 8, 60, 0);
    work(-500, 7, 50, 300);
    ck_work(false, 0, 0, 0, 0);
    work(-500, -1, 50, 300);
    ck_work(false, 0, 0, 0, 0);
    work(0, 600, 50, 300); /* two in a hundred are single low ones */
    for (int i = 0; i < LENGTH_S; i++)
        power_w[i] = i < 200 ? NAN : i > 800 || i % 55 ? 300 : 20;
    ck_work(false, 0, 0, 0, 0);
}
END_TEST

/* 58 and 63 of 601 readings: what it draws for a tenth of its window is 50 or 300 W, in half octaves from 1 W on. */
START_TEST(a_tenth_of_the_window_is_what_it_draws)
{
    static const struct {
        int64_t to_s;
        double most_w;
    } cases[] = {{57, 50}, {62, 300}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_power_work w;
        work(0, cases[c].to_s, 50, 300);
        ws_power_times times = times_of(LENGTH_S);
        ck_assert(ws_power_times_of_work(&times, &w));
        ck_assert_int_eq(w.most_size, (int)(2 * log2(cases[c].most_w)));
    }
}
END_TEST

/* A log that begins with its window and whose job goes on behind it: idle for 3 % of the window, and for 1 %. */
START_TEST(idle_for_more_than_two_in_a_hundred)
{
    for (int idle_s = 18; idle_s >= 6; idle_s -= 12) {
        work(idle_s, 5000, 50, 300);
        for (int i = 0; i < 200; i++)
            power_w[i] = NAN;
        ck_work(idle_s == 18, idle_s, 600, 0, 60);
    }
}
END_TEST

TEST_MAIN("power times", a_tenth_of_the_window_is_what_it_draws, idle_for_more_than_two_in_a_hundred,
          work_of_a_log_that_is_cut_and_of_a_short_job, work_goes_on_beyond_the_window,
          single_readings_make_no_difference, a_device_that_draws_the_same_is_not_seen_to_work)
