/* What a reader pushes on a thread of its own arrives as if it had pushed it itself. */
#include "formats/input/reader_thread.h"
#include "harness.h"
#include "recorder.h"

enum { BLOCKS = 200, MOST_ROWS = 50 };

typedef struct made_rows {
    int64_t t_ns[MOST_ROWS], interval_ns[MOST_ROWS], line[MOST_ROWS];
    double value[MOST_ROWS];
} made_rows;

/* Two channels whose blocks take turns, with facts in between; `fails_at` is the block before which the file ends
 * badly. Rows are overwritten as soon as they may be. */
typedef struct made_reader {
    size_t fails_at, pushed;
    made_rows rows[WS_READER_THREAD_WAITING + 1];
} made_reader;

static ws_status push_block(made_reader *r, const ws_sink *sink, int id, size_t at, ws_error *error)
{
    made_rows *rows = &r->rows[at % (WS_READER_THREAD_WAITING + 1)];
    size_t n = at * 7 % MOST_ROWS;
    for (size_t i = 0; i < n; i++) {
        rows->t_ns[i] = (int64_t)(at * 1000 + i);
        rows->interval_ns[i] = (int64_t)i;
        rows->line[i] = (int64_t)at;
        rows->value[i] = (double)at + 0.5 * (double)i;
    }
    bool plain = id % 2;
    ws_block block = {.n = n,
                      .t_ns = plain ? NULL : rows->t_ns,
                      .value = rows->value,
                      .interval_ns = plain ? NULL : rows->interval_ns,
                      .line = plain ? rows->line : NULL};
    return sink->block(sink->state, id, &block, error);
}

static ws_status read_made(void *state, const ws_sink *sink, ws_error *error)
{
    made_reader *r = state;
    int id[2];
    for (int c = 0; c < 2; c++) {
        ws_channel channel = {.device = c ? "gpu1" : "gpu0", .quantity = WS_POWER};
        ws_status status = sink->channel(sink->state, &channel, &id[c], error);
        if (status != WS_OK)
            return status;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        if (i == r->fails_at)
            return ws_fail(error, WS_FORMAT, "made.hdf5: ends too early");
        ws_status status = push_block(r, sink, id[i % 2], i, error);
        if (status != WS_OK)
            return status;
        r->pushed++;
        if (i % 50 == 0 && sink->fact)
            sink->fact(sink->state, &(ws_fact){.run = "", .node = "", .device = "", .key = "at", .number = (double)i});
    }
    return WS_OK;
}

static void check_same_channel(const recorded *a, const recorded *b)
{
    ck_assert_uint_eq(a->n, b->n);
    ck_assert_str_eq(a->channel.device, b->channel.device);
    for (size_t i = 0; i < a->n; i++)
        ck_assert(a->t_ns[i] == b->t_ns[i] && a->interval_ns[i] == b->interval_ns[i] && a->line[i] == b->line[i] &&
                  a->value[i] == b->value[i]);
    ck_assert(a->has_time == b->has_time && a->has_line == b->has_line && a->has_interval == b->has_interval);
}

/* The whole, and up to a failure of the reader. */
START_TEST(test_same_as_without)
{
    static const size_t ends[] = {BLOCKS, 0, 1, 77};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        recorder one = {0}, two = {0};
        ws_sink sink_one = recorder_sink(&one), sink_two = recorder_sink(&two);
        made_reader r = {.fails_at = ends[e]}, s = r;
        ws_status status = read_made(&r, &sink_one, &one.error);
        ck_assert_int_eq(ws_reader_thread(read_made, &s, &sink_two, &two.error), status);
        ck_assert_str_eq(one.error.message, two.error.message);
        ck_assert_uint_eq(two.n, 2);
        for (size_t c = 0; c < 2; c++)
            check_same_channel(&one.channels[c], &two.channels[c]);
        ck_assert_uint_eq(one.n_facts, two.n_facts);
        for (size_t f = 0; f < one.n_facts; f++)
            ck_assert(one.facts[f].number == two.facts[f].number);
        recorder_free(&one);
        recorder_free(&two);
    }
}
END_TEST

static ws_status refuse_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)id, (void)block;
    size_t *n = state;
    return ++*n == 3 ? ws_fail(error, WS_DATA, "no more") : WS_OK;
}

static ws_status take_any_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)channel, (void)error;
    *id = 0;
    return WS_OK;
}

static bool wants_nothing(void *state, ws_quantity quantity)
{
    (void)state, (void)quantity;
    return false;
}

static ws_status ask(void *state, const ws_sink *sink, ws_error *error)
{
    (void)error;
    bool *wanted = state;
    *wanted = sink->wants && sink->wants(sink->state, WS_POWER);
    return sink->fact ? WS_USAGE : WS_OK;
}

START_TEST(test_a_refused_block_ends_the_reading)
{
    size_t blocks = 0;
    made_reader r = {.fails_at = BLOCKS};
    ws_error error = {0};
    ws_sink sink = {.state = &blocks, .channel = take_any_channel, .block = refuse_block};
    ck_assert_int_eq(ws_reader_thread(read_made, &r, &sink, &error), WS_DATA);
    ck_assert_str_eq(error.message, "no more");
    ck_assert_uint_eq(blocks, 3);
    ck_assert_uint_lt(r.pushed, BLOCKS);
}
END_TEST

START_TEST(test_what_the_sink_leaves_out)
{
    bool wanted = true;
    ws_error error = {0};
    ws_sink sink = {.channel = take_any_channel, .block = refuse_block, .wants = wants_nothing};
    ck_assert_int_eq(ws_reader_thread(ask, &wanted, &sink, &error), WS_OK);
    ck_assert(!wanted);
}
END_TEST

TEST_MAIN("reader_thread", test_same_as_without, test_a_refused_block_ends_the_reading, test_what_the_sink_leaves_out)
