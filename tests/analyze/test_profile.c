/* Profiles against sums over the readings themselves. */
#include "harness.h"

#include "analyze/measure/profile.h"

#include <math.h>
#include <string.h>

static const int64_t SECOND = 1000000000;

/* Whole watts up to 2^53 in sum: double sums of them are exact, whatever their order. */
static double power_at(int i)
{
    return (double)(i * 7919 % 401);
}

static void ck_bucket_is(const ws_profile *p, size_t bucket, const int64_t *t, int n)
{
    uint64_t count = 0;
    double sum = 0, min = INFINITY, max = -INFINITY;
    int64_t from = ws_profile_start_ns(p, bucket), first = INT64_MAX, last = INT64_MIN;
    for (int i = 0; i < n; i++) {
        if (t[i] < from || t[i] - from >= (int64_t)1 << p->shift)
            continue;
        count++;
        sum += power_at(i);
        min = fmin(min, power_at(i));
        max = fmax(max, power_at(i));
        first = t[i] < first ? t[i] : first;
        last = t[i] > last ? t[i] : last;
    }
    ck_assert_uint_eq(p->buckets[bucket].n, count);
    ck_assert(ws_sum_value(&p->buckets[bucket].sum) == sum);
    ck_assert(!count || (p->buckets[bucket].min == min && p->buckets[bucket].max == max));
    ck_assert(!count || (p->buckets[bucket].first_ns == first && p->buckets[bucket].last_ns == last));
}

enum { N = 5000 };
static int64_t times[N];

/* Half a millisecond to 20 s apart, from before the origin on. */
static void make_times(void)
{
    int64_t t = -40 * SECOND - 3;
    for (int i = 0; i < N; i++) {
        times[i] = t;
        t += 500000 + (int64_t)(i * 104729 % 997) * 20000003;
    }
}

static void fill(ws_profile *p, int from, int to)
{
    for (int i = from; i < to; i++)
        ws_profile_add(p, times[i], power_at(i));
}

static void ck_same(const ws_profile *a, const ws_profile *b)
{
    ck_assert_int_eq(a->shift, b->shift);
    ck_assert_int_eq(a->first, b->first);
    ck_assert_uint_eq(a->used, b->used);
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_mem_eq(a->buckets, b->buckets, a->used * sizeof *a->buckets);
}

START_TEST(buckets_hold_what_lies_in_them)
{
    ws_profile p = {0};
    make_times();
    fill(&p, 0, N);
    ck_assert_uint_eq(p.samples, N);
    ck_assert_uint_le(p.used, WS_PROFILE_BUCKETS);
    for (size_t i = 0; i < p.used; i++)
        ck_bucket_is(&p, i, times, N);
    ck_assert(p.buckets[0].n && p.buckets[p.used - 1].n);
    ws_profile_free(&p);
}
END_TEST

/* No coarser than it has to be: buckets of half the width would have been too many. */
START_TEST(width_is_the_least_that_fits)
{
    ws_profile p = {0};
    make_times();
    fill(&p, 0, N);
    double half = ldexp(1, p.shift - 1);
    double needed = floor((double)times[N - 1] / half) - floor((double)times[0] / half) + 1;
    ck_assert(needed > WS_PROFILE_BUCKETS);
    ws_profile_free(&p);
}
END_TEST

START_TEST(order_and_cuts_do_not_matter)
{
    ws_profile whole = {0}, backward = {0}, first = {0}, second = {0}, empty = {0};
    make_times();
    fill(&whole, 0, N);
    for (int i = N; i-- > 0;)
        ws_profile_add(&backward, times[i], power_at(i));
    ck_same(&whole, &backward);
    fill(&first, 0, 17);
    fill(&second, 17, N);
    ws_profile_merge(&second, &first);
    ck_same(&whole, &second);
    ws_profile_merge(&second, &empty);
    ck_same(&whole, &second);
    ws_profile_merge(&empty, &whole);
    ck_same(&whole, &empty);
    ws_profile_free(&whole);
    ws_profile_free(&backward);
    ws_profile_free(&first);
    ws_profile_free(&second);
    ws_profile_free(&empty);
    ws_profile_free(&empty);
}
END_TEST

/* Readings that share units and readings that do not, missing ones, a clock that steps back. */
START_TEST(many_at_once_are_as_one_by_one)
{
    static const double odd[] = {0.1, 1e30, NAN, 1e-30, INFINITY, 0, -312.5, 5e-324};
    ws_profile one = {0}, many = {0};
    static double power[N];
    make_times();
    for (int i = 0; i < N; i++) {
        times[i] = i % 1000 == 999 ? times[i / 2] : times[i] / 50;
        power[i] = i % 37 == 0 ? odd[i / 37 % 8] : 250 + i % 401 * 0.01;
    }
    for (int i = 0; i < N; i++)
        ws_profile_add(&one, times[i], power[i]);
    for (int i = 0, n = 1; i < N; i += n, n = n * 7 % 211)
        ws_profile_push(&many, times + i, power + i, (size_t)(n < N - i ? n : N - i));
    ck_assert_uint_eq(one.missing, many.missing);
    ck_same(&one, &many);
    ws_profile_free(&one);
    ws_profile_free(&many);
}
END_TEST

/* A reading each nanosecond 0..2047 just fits; the next one doubles the width, which pairs what was there. */
START_TEST(doubling_pairs_neighbours)
{
    ws_profile p = {0};
    for (int i = 0; i < WS_PROFILE_BUCKETS; i++)
        ws_profile_add(&p, i, i);
    ck_assert_int_eq(p.shift, 0);
    ck_assert_uint_eq(p.used, WS_PROFILE_BUCKETS);
    ws_profile_add(&p, WS_PROFILE_BUCKETS, 5);
    ck_assert_int_eq(p.shift, 1);
    ck_assert_uint_eq(p.used, WS_PROFILE_BUCKETS / 2 + 1);
    for (size_t i = 0; i < WS_PROFILE_BUCKETS / 2; i++) {
        ck_assert_uint_eq(p.buckets[i].n, 2);
        ck_assert(p.buckets[i].min == 2 * (double)i && p.buckets[i].max == 2 * (double)i + 1);
        ck_assert(ws_sum_value(&p.buckets[i].sum) == 4 * (double)i + 1);
    }
    ck_assert(ws_sum_value(&p.buckets[WS_PROFILE_BUCKETS / 2].sum) == 5);
    ws_profile_free(&p);
}
END_TEST

START_TEST(the_ends_of_time)
{
    ws_profile p = {0};
    ws_profile_add(&p, INT64_MAX, 3);
    ws_profile_add(&p, INT64_MIN, 1);
    ws_profile_add(&p, -1, 2);
    ws_profile_add(&p, 0, 2.5);
    ck_assert_uint_eq(p.samples, 4);
    ck_assert(p.buckets[0].max == 1 && p.buckets[p.used - 1].min == 3);
    ck_assert(p.buckets[p.used / 2 - 1].max == 2 && p.buckets[p.used / 2].min == 2.5);
    ws_profile_free(&p);
}
END_TEST

START_TEST(missing_is_not_zero)
{
    ws_profile p = {0};
    ws_profile_add(&p, 0, NAN);
    ck_assert_uint_eq(p.missing, 1);
    ck_assert_uint_eq(p.used, 0);
    ws_profile_add(&p, 5, -1);
    ws_profile_add(&p, 6, INFINITY);
    ck_assert_uint_eq(p.used, 1);
    ck_assert(p.buckets[0].max == -1);
    ck_assert_uint_eq(p.missing, 2);
    ws_profile_free(&p);
}
END_TEST

static int add_channel(const ws_sink *sink, const char *device, ws_quantity quantity, int preference)
{
    int id = -7;
    ws_channel channel = {
        .device = device, .domain = WS_GPU, .quantity = quantity, .time = WS_TIME_RELATIVE, .preference = preference};
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, NULL), WS_OK);
    return id;
}

static void push(const ws_sink *sink, int id, size_t n, const int64_t *t, const double *value, const int64_t *interval)
{
    ws_block block = {.n = n, .t_ns = t, .value = value, .interval_ns = interval};
    ck_assert_int_eq(sink->block(sink->state, id, &block, NULL), WS_OK);
}

/* Mean of the only reading of the bucket that holds t; NaN where there is none. */
static double at(const ws_profile *p, int64_t t)
{
    for (size_t i = 0; i < p->used; i++)
        if (ws_profile_start_ns(p, i) <= t && t - ws_profile_start_ns(p, i) < (int64_t)1 << p->shift)
            return p->buckets[i].n == 1 ? ws_sum_value(&p->buckets[i].sum) : NAN;
    return NAN;
}

START_TEST(power_from_energies)
{
    ws_profiles profiles = {0};
    ws_sink sink = ws_profiles_sink(&profiles);
    ws_profiles_begin(&profiles, "file", "node1");
    const int64_t t[] = {0, SECOND, 2 * SECOND, 4 * SECOND, 5 * SECOND, 6 * SECOND};
    const double counter[] = {1000, 1100, NAN, 1400, 50, 250}, interval[] = {10, 20, 30, 80, NAN, 60};
    const int64_t lengths[] = {SECOND, SECOND / 2, SECOND, 2 * SECOND, SECOND, SECOND};
    int by_counter = add_channel(&sink, "gpu0", WS_ENERGY_COUNTER, 0),
        by_step = add_channel(&sink, "gpu1", WS_ENERGY_INTERVAL, 0),
        by_length = add_channel(&sink, "gpu2", WS_ENERGY_INTERVAL, 0);
    ck_assert_int_lt(add_channel(&sink, "gpu0", WS_UTIL, 0), 0);
    push(&sink, by_counter, 3, t, counter, NULL);
    push(&sink, by_counter, 3, t + 3, counter + 3, NULL);
    push(&sink, by_step, 6, t, interval, NULL);
    push(&sink, by_length, 6, t, interval, lengths);
    const ws_profile *c = &profiles.channels[by_counter].profile, *s = &profiles.channels[by_step].profile,
                     *l = &profiles.channels[by_length].profile;
    ck_assert(isnan(at(c, 0)) && at(c, t[1]) == 100 && at(c, t[3]) == 100 && isnan(at(c, t[4])) && at(c, t[5]) == 200);
    ck_assert_uint_eq(c->samples, 3);
    ck_assert(isnan(at(s, 0)) && at(s, t[1]) == 20 && at(s, t[3]) == 40 && at(s, t[5]) == 30);
    ck_assert(at(l, 0) == 10 && at(l, t[1]) == 40 && at(l, t[3]) == 40 && at(l, t[5]) == 60);
    ck_assert_str_eq(profiles.channels[by_length].channel.node, "node1");
    ws_profiles_free(&profiles);
}
END_TEST

/* Of traces whose domain is known, the others take no memory. */
START_TEST(one_domain_alone)
{
    ws_profiles profiles = {.has_domain = true, .domain = WS_CPU};
    ws_sink sink = ws_profiles_sink(&profiles);
    ws_profiles_begin(&profiles, "file", "");
    ck_assert_int_lt(add_channel(&sink, "gpu0", WS_POWER, 0), 0);
    ck_assert_uint_eq(profiles.n, 0);
    ck_assert_int_eq(ws_profiles_domain(&profiles), WS_DOMAIN_N);
    profiles.domain = WS_GPU;
    ck_assert_int_eq(add_channel(&sink, "gpu0", WS_POWER, 0), 0);
    ws_profiles_free(&profiles);
    ck_assert(!profiles.has_domain);
}
END_TEST

/* One channel a device: power before energy, the first choice before the second, and one with readings before an empty
 * one. */
START_TEST(each_device_once)
{
    ws_profiles profiles = {0};
    const ws_profiled *chosen[6];
    ws_sink sink = ws_profiles_sink(&profiles);
    ws_profiles_begin(&profiles, "file", "");
    const int64_t t[] = {0, SECOND};
    const double watts[] = {1, 2}, none[] = {NAN, NAN};
    push(&sink, add_channel(&sink, "gpu0", WS_ENERGY_COUNTER, 0), 2, t, watts, NULL);
    push(&sink, add_channel(&sink, "gpu0", WS_POWER, 2), 2, t, watts, NULL);
    int best = add_channel(&sink, "gpu0", WS_POWER, 1);
    push(&sink, best, 2, t, watts, NULL);
    push(&sink, add_channel(&sink, "gpu1", WS_POWER, 0), 2, t, none, NULL);
    int second = add_channel(&sink, "gpu1", WS_POWER, 1);
    push(&sink, second, 2, t, watts, NULL);
    push(&sink, add_channel(&sink, "gpu2", WS_POWER, 0), 2, t, none, NULL);
    ck_assert_uint_eq(ws_profiles_choose(&profiles, WS_GPU, chosen), 2);
    ck_assert_ptr_eq(chosen[0], &profiles.channels[best]);
    ck_assert_ptr_eq(chosen[1], &profiles.channels[second]);
    ck_assert_uint_eq(ws_profiles_choose(&profiles, WS_CPU, chosen), 0);
    ws_profiles_free(&profiles);
}
END_TEST

TEST_MAIN("profile", buckets_hold_what_lies_in_them, width_is_the_least_that_fits, order_and_cuts_do_not_matter,
          many_at_once_are_as_one_by_one, doubling_pairs_neighbours, the_ends_of_time, missing_is_not_zero,
          power_from_energies, one_domain_alone, each_device_once)
