/* Profiles taken while runs are read are those of a reading of their own: whole, in stretches, or not at all. */
#include "made_folder.h"

#include "analyze/drawn_run.h"
#include "analyze/ingest/ingest.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 6000, PIECE = 500 };
static int64_t t_ns[SAMPLES];
static double value[SAMPLES];

static void make_samples(void)
{
    for (int i = 0; i < SAMPLES; i++) {
        t_ns[i] = (int64_t)i * 100000000 + (int64_t)(i * 104729 % 997);
        value[i] = i % 611 == 5 ? NAN : 250 + i * 7919 % 401 * 0.01;
    }
}

/* What the samples are for; its stretches refuse to be joined where it says so. */
typedef struct receiver {
    size_t taken;
    bool refuses, has_no_stretch;
} receiver;

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)error;
    *id = channel->quantity == WS_UTIL ? 3 : -1;
    return WS_OK;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    receiver *r = state;
    (void)error;
    ck_assert_int_eq(id, 3);
    r->taken += block->n;
    return WS_OK;
}

static void *fork_receiver(void *state)
{
    const receiver *r = state;
    return r->has_no_stretch ? NULL : ws_alloc(sizeof(receiver));
}

static bool join_receiver(void *state, void *stretch, int64_t lines)
{
    receiver *r = state, *next = stretch;
    (void)lines;
    r->taken += r->refuses ? 0 : next->taken;
    next->taken = 0;
    return !r->refuses;
}

static bool wants_use(void *state, ws_quantity quantity)
{
    (void)state;
    return quantity == WS_UTIL;
}

static ws_sink sink_of(receiver *r)
{
    return (ws_sink){.state = r,
                     .channel = take_channel,
                     .block = take_block,
                     .wants = wants_use,
                     .fork = fork_receiver,
                     .join = join_receiver,
                     .drop = free};
}

static int announce(const ws_sink *sink, ws_quantity quantity)
{
    int id = -7;
    ws_channel channel = {.device = "gpu0", .domain = WS_GPU, .quantity = quantity, .time = WS_TIME_UTC};
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, NULL), WS_OK);
    return id;
}

static void push(const ws_sink *sink, void *state, int id, size_t from)
{
    ws_block block = {.n = PIECE, .t_ns = t_ns + from, .value = value + from};
    ck_assert_int_eq(sink->block(state, id, &block, NULL), WS_OK);
}

static void ck_same_profile(const ws_profile *a, const ws_profile *b)
{
    ck_assert_int_eq(a->shift, b->shift);
    ck_assert_uint_eq(a->used, b->used);
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_uint_eq(a->missing, b->missing);
    ck_assert_mem_eq(a->buckets, b->buckets, a->used * sizeof *a->buckets);
}

/* Every third piece by way of a stretch, which every other time the receiver refuses and gets again in order. */
START_TEST(stretches_come_to_what_one_reading_does)
{
    ws_profile whole = {0};
    ws_profiles profiles = {0};
    receiver r = {0};
    ws_profile_tap tap = {.to = sink_of(&r), .profiles = &profiles};
    ws_sink sink = ws_profile_tap_sink(&tap);
    make_samples();
    ws_profile_push(&whole, t_ns, value, SAMPLES);
    ck_assert(sink.wants(sink.state, WS_UTIL) && sink.wants(sink.state, WS_POWER) &&
              !sink.wants(sink.state, WS_TEMPERATURE));
    ws_profiles_begin(&profiles, "a.csv", "");
    int clock = announce(&sink, WS_CLOCK), use = announce(&sink, WS_UTIL), power = announce(&sink, WS_POWER);
    ck_assert_int_lt(clock, 0);
    void *stretch = sink.fork(sink.state);
    for (size_t from = 0; from < SAMPLES; from += PIECE) {
        bool is_ahead = from / PIECE % 3 == 1;
        r.refuses = from / PIECE % 2 == 1;
        push(&sink, is_ahead ? stretch : sink.state, use, from);
        push(&sink, is_ahead ? stretch : sink.state, power, from);
        if (is_ahead && !sink.join(sink.state, stretch, 0)) {
            ck_assert(r.refuses);
            push(&sink, sink.state, use, from);
            push(&sink, sink.state, power, from);
        }
    }
    sink.drop(stretch);
    ck_assert(!tap.is_broken);
    ck_assert_uint_eq(r.taken, SAMPLES);
    ck_assert_uint_eq(profiles.n, 1);
    ck_same_profile(&profiles.channels[0].profile, &whole);
    r.has_no_stretch = true;
    ck_assert_ptr_null(sink.fork(sink.state));
    ws_profile_tap_free(&tap);
    ws_profiles_free(&profiles);
    ws_profile_free(&whole);
}
END_TEST

/* The power between two readings of an energy needs both: stretches of one break the tap, and its samples go on. */
START_TEST(stretches_of_an_energy_break_it)
{
    ws_profiles profiles = {0};
    receiver r = {0};
    ws_profile_tap tap = {.to = sink_of(&r), .profiles = &profiles};
    ws_sink sink = ws_profile_tap_sink(&tap);
    make_samples();
    ws_profiles_begin(&profiles, "a.csv", "");
    int use = announce(&sink, WS_UTIL);
    announce(&sink, WS_ENERGY_COUNTER);
    void *stretch = sink.fork(sink.state);
    ck_assert(tap.is_broken);
    push(&sink, stretch, use, 0);
    ck_assert(sink.join(sink.state, stretch, 0));
    ck_assert_uint_eq(r.taken, PIECE);
    sink.drop(stretch);
    ws_profile_tap_free(&tap);
    ws_profiles_free(&profiles);
}
END_TEST

static const char *const files[] = {"1g-a.csv", "2g-a.csv", "2g-b.csv"};

static void make_runs(void)
{
    make_folder();
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char text[2048] = "timestamp,gpu,power_w\n";
        for (int i = 0; i < 30; i++)
            sprintf(text + strlen(text), "%d,0,%d\n", 1770796800 + i, 100 + i % 7 + (int)f);
        write_file(files[f], text);
    }
    write_file("campaign.json", "{\"schema\": \"wattscale.campaign/1\", \"paths\": [{\"match\": "
                                "\"{gpus}g-{job}.csv\"}]}");
}

static void remove_runs(void)
{
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        remove_file(files[f]);
    remove_file("campaign.json");
    rmdir(folder);
}

/* The first of those with the most GPUs, its profile as from a reading of its own. */
START_TEST(the_first_of_the_largest_is_taken)
{
    ws_drawn_run drawn = {0};
    ws_run_list list = {0};
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}, .drawn = &drawn, .list = &list, .threads = 2};
    ws_campaign campaign;
    ws_table runs;
    ws_error error = {0};
    ws_profile whole = {0};
    make_runs();
    ck_assert_msg(ws_ingest(folder, &options, &campaign, &runs, &error) == WS_OK, "%s", error.message);
    ck_assert(ws_drawn_run_is_whole(&drawn));
    ck_assert_ptr_nonnull(strstr(drawn.id, "2g-a"));
    for (int i = 0; i < 30; i++)
        ws_profile_add(&whole, (int64_t)(1770796800 + i) * 1000000000, 101 + i % 7);
    ck_assert_uint_eq(drawn.profiles.n, 1);
    ck_same_profile(&drawn.profiles.channels[0].profile, &whole);
    ws_profile_free(&whole);
    ws_drawn_run_free(&drawn);
    ws_run_list_free(&list);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    remove_runs();
}
END_TEST

/* A file that is read again has gone by twice, and one that was not read is missing. */
START_TEST(files_out_of_turn_are_not_whole)
{
    struct ws_run_file two[] = {{"a.csv", "", NULL}, {"b.csv", "", NULL}};
    ws_run_files run = {.id = "run", .files = two, .n_files = 2}, other = {.id = "other", .files = two, .n_files = 2};
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}};
    ws_campaign campaign = {0};
    receiver r = {0};
    ws_sink to = sink_of(&r);
    static const struct {
        size_t n, order[3];
        bool is_whole;
    } readings[] = {{2, {0, 1}, true}, {1, {0}, false}, {1, {1}, false}, {3, {0, 0, 1}, false}, {2, {1, 0}, false}};
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        ws_drawn_run drawn = {0};
        ws_drawn_run_choose(&drawn, &campaign, &run, 1, &options);
        for (size_t i = 0; i < readings[k].n; i++) {
            ck_assert_ptr_eq(ws_drawn_run_sink(&drawn, &other, 0, &to).state, &r);
            ck_assert_ptr_ne(ws_drawn_run_sink(&drawn, &run, readings[k].order[i], &to).state, &r);
            ws_drawn_run_end(&drawn, &run);
        }
        ck_assert_int_eq(ws_drawn_run_is_whole(&drawn), readings[k].is_whole);
        ws_drawn_run_free(&drawn);
    }
    ws_run_files several[] = {run, other};
    ws_drawn_run none = {0};
    ws_drawn_run_choose(&none, &campaign, several, 2, &options);
    ck_assert(!ws_drawn_run_is_whole(&none));
}
END_TEST

TEST_MAIN("drawn run", stretches_come_to_what_one_reading_does, stretches_of_an_energy_break_it,
          the_first_of_the_largest_is_taken, files_out_of_turn_are_not_whole)
