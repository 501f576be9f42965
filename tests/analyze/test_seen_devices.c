/* Pairs of logs and devices that were read at the same time (analyze/identity/seen_devices.h): many copies are paired
 * as each two of them are. */
#include "harness.h"

#include "analyze/identity/seen_devices.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OWNERS = 40, MOST_GPUS = 5, MOST_PAIRS = 10000 };

static uint64_t seed;

static unsigned choose(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

/* What an owner holds: `kind` says all of it. */
static void add_owner(ws_seen_devices *seen, size_t owner, unsigned kind)
{
    size_t gpus = kind % 3 ? 4 : MOST_GPUS;
    bool has_uuids = kind % 4 == 0;
    for (size_t i = 0; i < gpus; i++) {
        seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
        ws_seen_device *d = ws_arena_alloc(&seen->arena, sizeof *d);
        double w = 100 + 20.0 * (double)i + kind % 2 * 1e-3;
        *d = (ws_seen_device){.source = ws_arena_printf(&seen->arena, "s%zu", owner),
                              .node = "",
                              .device = ws_arena_printf(&seen->arena, "gpu%zu", i),
                              .uuid = has_uuids ? ws_arena_printf(&seen->arena, "GPU-%zu", i) : NULL,
                              .domain = WS_GPU,
                              .has_date = true,
                              .start_ns = (int64_t)(kind / 2 % 3) * 10,
                              .end_ns = 100 + (int64_t)(kind / 6 % 2) * 40,
                              .readings = {.samples = 100,
                                           .energy_j = w,
                                           .duration_s = 100,
                                           .mean = w,
                                           .min = w - 10,
                                           .max = w + 10,
                                           .sd = 3 + (kind % 5 == 0),
                                           .plain_mean = w,
                                           .plain_sd = 3},
                              .owner = owner,
                              .order = seen->n};
        seen->items[seen->n++] = d;
    }
}

typedef struct owner_pair {
    size_t a, b; /* owners, as handed over */
    char uuid[8];
} owner_pair;

typedef struct pair_list {
    owner_pair pairs[MOST_PAIRS];
    size_t n, calls;
} pair_list;

static void take(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    pair_list *list = state;
    list->calls++;
    ck_assert_uint_gt(n, 0);
    for (size_t i = 0; i < n; i++) {
        owner_pair *pair = &list->pairs[list->n++];
        *pair = (owner_pair){.a = a[i]->owner, .b = b->owner};
        strcpy(pair->uuid, b->uuid ? b->uuid : "");
        ck_assert(a[i]->is_paired && b->is_paired && a[i]->owner != b->owner);
        ck_assert(n == 1 || a[i]->owner < b->owner);
        ck_assert(!i || a[i]->owner > a[i - 1]->owner);
    }
}

static int by_owners(const void *left, const void *right)
{
    const owner_pair *x = left, *y = right;
    int order = strcmp(x->uuid, y->uuid);
    order = order ? order : (x->a > y->a) - (x->a < y->a);
    return order ? order : (x->b > y->b) - (x->b < y->b);
}

/* Each two owners by themselves. */
static void pair_one_by_one(const unsigned *kinds, size_t n, pair_list *list)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            ws_seen_devices two = {0};
            add_owner(&two, i, kinds[i]);
            add_owner(&two, k, kinds[k]);
            ws_seen_devices_pairs(&two, take, list);
            ws_seen_devices_free(&two);
        }
}

static size_t count_paired(const ws_seen_devices *seen, size_t owner)
{
    size_t n = 0;
    for (size_t i = 0; i < seen->n; i++)
        n += seen->items[i]->owner == owner && seen->items[i]->is_paired;
    return n;
}

static size_t count_of(const pair_list *list, size_t owner)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->pairs[i].a == owner || list->pairs[i].b == owner;
    return n;
}

START_TEST(copies_are_paired_as_each_two_of_them)
{
    enum { ROUNDS = 300, KINDS = 24 };
    static pair_list together, apart;
    size_t found = 0, calls = 0;
    for (seed = 1; seed <= ROUNDS; seed++) {
        uint64_t round = seed;
        unsigned kinds[MOST_OWNERS], first = choose(KINDS), n_kinds = 1 + choose(6);
        size_t n = 2 + choose(MOST_OWNERS - 2);
        ws_seen_devices seen = {0};
        together = apart = (pair_list){.n = 0};
        for (size_t i = 0; i < n; i++)
            add_owner(&seen, i, kinds[i] = first + choose(n_kinds));
        ws_seen_devices_pairs(&seen, take, &together);
        pair_one_by_one(kinds, n, &apart);
        qsort(together.pairs, together.n, sizeof *together.pairs, by_owners);
        qsort(apart.pairs, apart.n, sizeof *apart.pairs, by_owners);
        ck_assert_uint_eq(together.n, apart.n);
        for (size_t i = 0; i < apart.n; i++)
            ck_assert(by_owners(&together.pairs[i], &apart.pairs[i]) == 0);
        for (size_t i = 0; i < n; i++)
            ck_assert_int_eq(count_paired(&seen, i) > 0, count_of(&apart, i) > 0);
        found += together.n, calls += together.calls;
        ws_seen_devices_free(&seen);
        seed = round;
    }
    ck_assert_uint_gt(found, 10000);
    ck_assert_uint_lt(calls * 2, found);
}
END_TEST

/* The first of them is the one that began first, and the pairs come by it. */
static void check_order(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    const ws_seen_device **last = state;
    (void)n;
    ck_assert_int_le((*a)->start_ns, b->start_ns);
    if (*last)
        ck_assert((*last)->start_ns < (*a)->start_ns ||
                  ((*last)->start_ns == (*a)->start_ns && (*last)->owner <= (*a)->owner));
    *last = *a;
}

START_TEST(pairs_come_by_their_beginning)
{
    static const unsigned kinds[] = {5, 1, 5, 3, 1, 3, 5, 1};
    const ws_seen_device *last = NULL;
    ws_seen_devices seen = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        add_owner(&seen, i, kinds[i]);
    ws_seen_devices_pairs(&seen, check_order, &last);
    ck_assert_ptr_nonnull(last);
    ws_seen_devices_free(&seen);
}
END_TEST

typedef struct pair_counts {
    size_t pairs, calls;
} pair_counts;

static void count_pairs(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    pair_counts *counts = state;
    (void)a, (void)b;
    counts->pairs += n;
    counts->calls++;
}

/* As many calls as there are copies. */
START_TEST(many_copies)
{
    enum { COPIES = 20000, GPUS = 4 };
    static const unsigned kinds[] = {1, 4}; /* without uuids, and with */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t devices = k ? GPUS : 1;
        pair_counts counts = {0, 0};
        ws_seen_devices seen = {0};
        for (size_t i = 0; i < COPIES; i++)
            add_owner(&seen, i, kinds[k]);
        ws_seen_devices_pairs(&seen, count_pairs, &counts);
        ck_assert_uint_eq(counts.pairs, devices * COPIES / 2 * (COPIES - 1));
        ck_assert_uint_eq(counts.calls, devices * (COPIES - 1));
        ws_seen_devices_free(&seen);
    }
}
END_TEST

/* Four GPUs with other powers, logged by two for 100 and 200 ns: half of the longer time is shared, or a little less.
 * The means of both agree by no chance, and their readings differ. */
START_TEST(logs_share_half_of_the_longer_time)
{
    for (int64_t later = 0; later <= 1; later++) {
        ws_seen_devices seen = {0};
        pair_counts counts = {0, 0};
        add_owner(&seen, 0, 1);
        add_owner(&seen, 1, 1);
        for (size_t i = 4; i < 8; i++) {
            seen.items[i]->start_ns = later;
            seen.items[i]->end_ns = 200;
            seen.items[i]->readings.samples = 200;
        }
        ws_seen_devices_pairs(&seen, count_pairs, &counts);
        ck_assert_uint_eq(counts.pairs, later ? 0 : 1);
        ws_seen_devices_free(&seen);
    }
}
END_TEST

/* Readings of 10 W more each, by stamps that rise; `off_w`: of another log. */
static ws_fingerprint readings_of(ws_fingerprint_sample *room, uint32_t n, float off_w)
{
    for (uint32_t i = 0; i < n; i++)
        room[i] = (ws_fingerprint_sample){.rank = (100 + i) & WS_FINGERPRINT_MOST_RANK,
                                          .before = WS_FINGERPRINT_DIFFERS,
                                          .value_w = 100 + 10 * (float)i + off_w};
    return (ws_fingerprint){.sample = room, .n_samples = n};
}

/* Of logs that agree in their mean alone. */
static void add_gpu(ws_seen_devices *seen, size_t owner, const char *device, double length_s, ws_fingerprint readings)
{
    seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
    ws_seen_device *d = ws_arena_alloc(&seen->arena, sizeof *d);
    *d = (ws_seen_device){.source = owner ? "b.csv" : "a.csv",
                          .node = "",
                          .device = device,
                          .domain = WS_GPU,
                          .has_date = true,
                          .start_ns = (int64_t)owner * 1000000000,
                          .end_ns = (int64_t)(((double)owner + length_s) * 1e9),
                          .readings = {.samples = 100 + owner,
                                       .energy_j = 200 * length_s,
                                       .duration_s = length_s,
                                       .mean = 200,
                                       .min = 100 + (double)owner,
                                       .max = 300 + (double)owner,
                                       .sd = 30 + (double)owner,
                                       .plain_mean = 201 + (double)owner,
                                       .plain_sd = 31 + (double)owner},
                          .fingerprint = readings,
                          .owner = owner,
                          .order = seen->n};
    seen->items[seen->n++] = d;
}

static void count_pair(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    (void)a, (void)b;
    *(size_t *)state += n;
}

/* Eight readings are the same by one chance in 10^8; with equal means over the same time, to a hundredth, by one in
 * 10^10. */
START_TEST(means_over_one_time_tell_beside_few_readings)
{
    for (int longer = 0; longer <= 1; longer++) {
        ws_fingerprint_sample room[8];
        ws_seen_devices seen = {0};
        size_t pairs = 0;
        add_gpu(&seen, 0, "gpu0", 1000, readings_of(room, 8, 0));
        add_gpu(&seen, 1, "gpu0", longer ? 991 : 989, readings_of(room, 8, 0));
        ws_seen_devices_pairs(&seen, count_pair, &pairs);
        ck_assert_uint_eq(pairs, (size_t)longer);
        ws_seen_devices_free(&seen);
    }
}
END_TEST

/* Forty readings of the second GPU are the same, and three or four of the first one not: of 44 readings that is less
 * than a tenth, but no reading of the first GPU is that of the other log. */
START_TEST(a_gpu_without_one_equal_reading_is_another)
{
    for (uint32_t others = 3; others <= 4; others++) {
        ws_fingerprint_sample room[2][4], same[40];
        ws_seen_devices seen = {0};
        size_t pairs = 0;
        for (size_t owner = 0; owner < 2; owner++) {
            add_gpu(&seen, owner, "gpu0", 1000, readings_of(room[owner], others, 5 * (float)owner));
            add_gpu(&seen, owner, "gpu1", 1000, readings_of(same, 40, 0));
        }
        ws_seen_devices_pairs(&seen, count_pair, &pairs);
        ck_assert_uint_eq(pairs, others == 3);
        ws_seen_devices_free(&seen);
    }
}
END_TEST

TEST_MAIN("seen devices", means_over_one_time_tell_beside_few_readings, a_gpu_without_one_equal_reading_is_another,
          copies_are_paired_as_each_two_of_them, pairs_come_by_their_beginning, many_copies,
          logs_share_half_of_the_longer_time)
