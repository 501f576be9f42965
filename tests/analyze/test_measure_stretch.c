/* Stretches of a measure's channels, taken ahead of their turn, come to what one measure sees that takes all in order.
 */
#include "counter_trace.h"

#include "analyze/measure/measure.h"

enum { STRETCHES = 3, CUT_CHANNELS = 4 };

static const ws_channel channels[CUT_CHANNELS] = {
    {.device = "gpu0", .column = "P", .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID, .time = WS_TIME_UTC},
    {.device = "gpu0", .column = "A", .quantity = WS_POWER, .rule = WS_RULE_RECTANGLE, .time = WS_TIME_UTC},
    {.device = "gpu0", .column = "U", .quantity = WS_UTIL, .rule = WS_RULE_NONE, .time = WS_TIME_UTC},
    {.device = "wall",
     .column = "E",
     .domain = WS_WALL,
     .quantity = WS_ENERGY_INTERVAL,
     .rule = WS_RULE_INTERVAL,
     .time = WS_TIME_UTC}};

static ws_sink begin(ws_measure *m, const ws_measure_options *options, size_t n)
{
    ws_measure_init(m, options);
    ws_measure_begin(m, "a.csv", "");
    ws_sink sink = ws_measure_sink(m);
    for (size_t c = 0; c < n; c++) {
        int id = -1;
        ck_assert_int_eq(sink.channel(sink.state, &channels[c], &id, NULL), WS_OK);
        ck_assert_int_eq(id, (int)c);
    }
    return sink;
}

/* Samples from..to-1 to every channel, in blocks of `piece`; their lines count from the one behind `lines`. */
static void push_to(const ws_sink *sink, void *stretch, const trace *x, size_t from, size_t to, size_t piece,
                    int64_t lines)
{
    static int64_t line[SAMPLES];
    for (size_t i = from; i < to; i++)
        line[i] = x->line[i] - lines;
    for (size_t i = from; i < to; i += piece) {
        ws_block block = {.n = to - i < piece ? to - i : piece,
                          .t_ns = x->t_ns + i,
                          .value = x->value + i,
                          .interval_ns = x->has_interval ? x->interval_ns + i : NULL,
                          .line = line + i};
        for (int c = 0; c < CUT_CHANNELS; c++)
            ck_assert_int_eq(sink->block(stretch, c, &block, NULL), WS_OK);
    }
}

static void ck_same_watches(const ws_power_watch *a, const ws_power_watch *b)
{
    const ws_fingerprint x = ws_fingerprint_of(&a->fingerprint), y = ws_fingerprint_of(&b->fingerprint);
    const ws_sampling_sums s = ws_sampling_sum(&a->sampling, 0), t = ws_sampling_sum(&b->sampling, 0);
    ck_assert_int_eq(ws_fingerprints_order(&x, &y), 0);
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++) {
        ws_standstill_sum of_a[WS_STANDSTILL_KINDS], of_b[WS_STANDSTILL_KINDS];
        ws_standstill_read(&a->still[i], of_a);
        ws_standstill_read(&b->still[i], of_b);
        for (int kind = 0; kind < WS_STANDSTILL_KINDS; kind++)
            ck_assert(of_a[kind].ns == of_b[kind].ns && of_a[kind].energy_j == of_b[kind].energy_j);
    }
    ck_assert(s.intervals == t.intervals && s.squares == t.squares && s.products == t.products);
    ck_assert(s.chained == t.chained && s.held_rows == t.held_rows && s.step_w == t.step_w);
    bool is_apart = ws_power_top_stands_apart(&a->top); /* else how often the largest came is in no result */
    ck_assert(a->top.most_w == b->top.most_w && ws_power_top_stands_apart(&b->top) == is_apart);
    ck_assert(!is_apart || (a->top.seen.line == b->top.seen.line && a->top.seen.count == b->top.seen.count));
}

static void ck_same_measures(const ws_measure *a, const ws_measure *b)
{
    ck_assert_uint_eq(a->n_channels, b->n_channels);
    for (size_t c = 0; c < a->n_channels; c++) {
        const ws_limits *x = &a->channels[c].limits, *y = &b->channels[c].limits;
        ck_same(&a->channels[c].meter, &b->channels[c].meter);
        ck_assert(a->channels[c].unused.ns == b->channels[c].unused.ns);
        ck_assert(a->channels[c].quiet.n == b->channels[c].quiet.n);
        ck_assert(!a->channels[c].watch == !b->channels[c].watch);
        if (a->channels[c].watch)
            ck_same_watches(a->channels[c].watch, b->channels[c].watch);
        ck_assert_uint_eq(x->odd.seen.count, y->odd.seen.count);
        ck_assert_int_eq(x->odd.seen.line, y->odd.seen.line);
        ck_assert_uint_eq(x->impossible.count, y->impossible.count);
        ck_assert_int_eq(x->impossible.line, y->impossible.line);
        ck_assert(x->odd.most_w == y->odd.most_w);
        ck_assert_uint_eq(x->lows.seen.count, y->lows.seen.count);
        ck_assert_int_eq(x->lows.seen.line, y->lows.seen.line);
        ck_assert_uint_eq(x->lows.stretches, y->lows.stretches);
        ck_assert(x->lows.most_w == y->lows.most_w && x->lows.next_w == y->lows.next_w);
        ck_assert(x->lows.first_is == y->lows.first_is && x->lows.last_is == y->lows.last_is);
    }
}

/* A few stretches are pushed to before the first of them is joined, and again once they are; between them the sink
 * itself takes samples. */
static void push_cut(const ws_sink *sink, const trace *x)
{
    void *stretches[STRETCHES];
    size_t cuts[STRETCHES + 1] = {0};
    for (size_t i = 0; i < STRETCHES; i++)
        ck_assert_ptr_nonnull(stretches[i] = sink->fork(sink->state));
    while (cuts[0] < x->n) {
        for (size_t i = 0; i < STRETCHES; i++) {
            cuts[i + 1] = cuts[i] + draw(x->n - cuts[i] + 1) / (1 + draw(4));
            push_to(sink, stretches[i], x, cuts[i], cuts[i + 1], 1 + draw(200), (int64_t)cuts[i]);
        }
        for (size_t i = 0; i < STRETCHES; i++)
            ck_assert(sink->join(sink->state, stretches[i], (int64_t)cuts[i]));
        cuts[0] = cuts[STRETCHES] + draw(x->n - cuts[STRETCHES] + 1) / (1 + draw(4));
        push_to(sink, sink->state, x, cuts[STRETCHES], cuts[0], 1 + draw(200), 0);
    }
    for (size_t i = 0; i < STRETCHES; i++)
        sink->drop(stretches[i]);
}

static const ws_channel counters[] = {{.device = "cpu0",
                                       .column = "package-0",
                                       .domain = WS_CPU,
                                       .quantity = WS_ENERGY_COUNTER,
                                       .rule = WS_RULE_COUNTER,
                                       .time = WS_TIME_UTC,
                                       .counter_range_j = RANGE_J},
                                      {.device = "wall",
                                       .column = "J",
                                       .domain = WS_WALL,
                                       .quantity = WS_ENERGY_COUNTER,
                                       .rule = WS_RULE_COUNTER,
                                       .time = WS_TIME_UTC}};

static ws_sink begin_counter(ws_measure *m, const ws_measure_options *options, const ws_channel *counter)
{
    int id = -1;
    ws_sink sink = begin(m, options, 0);
    ck_assert_int_eq(sink.channel(sink.state, counter, &id, NULL), WS_OK);
    return sink;
}

static void push_counter(const ws_sink *sink, void *to, const trace *x, size_t from, size_t end, size_t piece,
                         int64_t lines)
{
    int64_t line[SAMPLES];
    for (size_t i = from; i < end; i++)
        line[i] = x->line[i] - lines;
    for (size_t i = from; i < end; i += piece) {
        ws_block block = {end - i < piece ? end - i : piece, x->t_ns + i, x->value + i, NULL, line + i};
        ck_assert_int_eq(sink->block(to, 0, &block, NULL), WS_OK);
    }
}

/* Returns how many stretches were joined; the others are pushed again. */
static size_t push_counter_cut(const ws_sink *sink, const trace *x, const size_t *cuts, size_t n)
{
    size_t joined = 0;
    void *stretches[STRETCHES];
    for (size_t i = 0; i < STRETCHES; i++)
        ck_assert_ptr_nonnull(stretches[i] = sink->fork(sink->state));
    for (size_t k = 0; k < n; k += STRETCHES) {
        for (size_t i = k; i < n && i < k + STRETCHES; i++)
            push_counter(sink, stretches[i - k], x, cuts[i], cuts[i + 1], 1 + draw(100), (int64_t)cuts[i]);
        for (size_t i = k; i < n && i < k + STRETCHES; i++) {
            bool is_joined = sink->join(sink->state, stretches[i - k], (int64_t)cuts[i]);
            joined += is_joined;
            if (!is_joined)
                push_counter(sink, sink->state, x, cuts[i], cuts[i + 1], 1 + draw(100), 0);
        }
    }
    for (size_t i = 0; i < STRETCHES; i++)
        sink->drop(stretches[i]);
    return joined;
}

static void ck_same_counters(ws_measure *whole, ws_measure *cut)
{
    ws_measure_flush(whole);
    ws_measure_flush(cut);
    ck_same_measures(whole, cut);
    const ws_seen *a = &whole->channels[0].glitch.seen, *b = &cut->channels[0].glitch.seen;
    ck_assert(a->count == b->count && a->line == b->line);
}

/* With wraps, resets, zeros, missing cells, glitches and standstills anywhere, at the seams too. Nearly all stretches
 * are joined and not pushed again: where none of that happens all are. */
START_TEST(counters_meet_at_the_seams)
{
    static trace x;
    size_t stretches = 0, joined = 0;
    state = 1818;
    for (int i = 0; i < 12 * TRACES; i++) {
        ws_measure whole, cut;
        size_t cuts[9] = {0}, n = 1 + draw(8);
        make_counter(&x);
        ws_measure_options options = {.meter.has_window = draw(3) == 0, .without_glitches = draw(8) == 0};
        options.meter.window_start_ns = x.t_ns[draw(x.n)];
        options.meter.window_end_ns = options.meter.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
        for (size_t k = 1; k < n; k++)
            cuts[k] = cuts[k - 1] + draw(x.n - cuts[k - 1] + 1) / (1 + draw(4));
        cuts[n] = x.n;
        const ws_channel *counter = &counters[draw(2)];
        ws_sink sink = begin_counter(&whole, &options, counter), cut_sink = begin_counter(&cut, &options, counter);
        push_counter(&sink, sink.state, &x, 0, x.n, x.n, 0);
        joined += push_counter_cut(&cut_sink, &x, cuts, n);
        stretches += n;
        ck_same_counters(&whole, &cut);
        ws_measure_free(&whole);
        ws_measure_free(&cut);
    }
    ck_assert_msg(joined * 20 > stretches * 19 && joined < stretches, "%zu of %zu", joined, stretches);
}
END_TEST

/* 100 W with one reading that jumps away, at every place beside a seam. */
START_TEST(a_glitch_at_a_seam)
{
    static trace x;
    for (size_t at = 20; at < 60; at++) {
        ws_measure whole, cut;
        x = (trace){.n = 100};
        for (size_t i = 0; i < x.n; i++) {
            x.t_ns[i] = (int64_t)i * 1000000000;
            x.line[i] = (int64_t)i + 2;
            x.value[i] = 5000 + 100 * (double)i + (i == at ? 20000 : 0);
        }
        ws_measure_options options = {0};
        ws_sink sink = begin_counter(&whole, &options, &counters[1]);
        ws_sink cut_sink = begin_counter(&cut, &options, &counters[1]);
        push_counter(&sink, sink.state, &x, 0, x.n, x.n, 0);
        push_counter_cut(&cut_sink, &x, (const size_t[]){0, 40, 80, 100}, 3);
        ck_assert_uint_eq(cut.channels[0].glitch.seen.count, 1);
        ck_assert_int_eq(cut.channels[0].glitch.seen.line, (int64_t)at + 2);
        ck_same_counters(&whole, &cut);
        ws_measure_free(&whole);
        ws_measure_free(&cut);
    }
}
END_TEST

START_TEST(any_cut_gives_the_bits_of_the_whole)
{
    static trace x;
    state = 91;
    for (int i = 0; i < 4 * TRACES; i++) {
        ws_measure whole, cut;
        make(&x);
        ws_measure_options options = {.meter.has_window = draw(3) == 0};
        options.meter.window_start_ns = x.t_ns[draw(x.n)];
        options.meter.window_end_ns = options.meter.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
        ws_sink sink = begin(&whole, &options, CUT_CHANNELS), cut_sink = begin(&cut, &options, CUT_CHANNELS);
        push_to(&sink, sink.state, &x, 0, x.n, x.n, 0);
        push_cut(&cut_sink, &x);
        ck_same_measures(&whole, &cut);
        ws_measure_free(&whole);
        ws_measure_free(&cut);
    }
}
END_TEST

/* 100 W at 0 s, then 2^32 - 1 mW read as W, 3 kW and 300 W in a stretch whose first line is the 11th. */
START_TEST(what_limits_see_is_in_the_file_s_lines)
{
    static const trace x = {.n = 4,
                            .t_ns = {0, 1000000000, 2000000000, 3000000000},
                            .line = {2, 1, 2, 3},
                            .value = {100, 4294967295.0, 3000, 300}};
    ws_measure m;
    ws_sink sink = begin(&m, &(ws_measure_options){.all_channels = true}, CUT_CHANNELS);
    void *stretch = sink.fork(sink.state);
    push_to(&sink, sink.state, &x, 0, 1, 1, 0);
    push_to(&sink, stretch, &x, 1, 4, 3, 0);
    sink.join(sink.state, stretch, 10);
    sink.join(sink.state, stretch, 99); /* it is empty now */
    sink.drop(stretch);
    const ws_metered_channel *power = &m.channels[0];
    ck_assert(power->limits.impossible.count == 1 && power->limits.impossible.line == 11);
    ck_assert(power->limits.odd.seen.count == 1 && power->limits.odd.seen.line == 12);
    ck_assert(power->meter.refused.count == 1 && power->meter.refused.line == 11);
    ws_measure_finish(&m, NULL);
    ck_assert(power->summary.samples == 3 && power->summary.energy_j == 3100 + 1650);
    ws_measure_free(&m);
}
END_TEST

/* Channels announced behind a fork are no business of the stretch. */
START_TEST(later_channels_are_left_alone)
{
    static const trace x = {.n = 1, .t_ns = {7}, .line = {2}, .value = {100}};
    ws_measure m;
    ws_sink sink = begin(&m, &(ws_measure_options){.all_channels = true}, 1);
    void *stretch = sink.fork(sink.state);
    ws_block block = {1, x.t_ns, x.value, NULL, x.line};
    ck_assert_int_eq(sink.block(stretch, 0, &block, NULL), WS_OK);
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, &channels[2], &id, NULL), WS_OK);
    sink.join(sink.state, stretch, 0);
    sink.drop(stretch);
    ck_assert_uint_eq(m.channels[0].meter.samples, 1);
    ck_assert_uint_eq(m.channels[1].meter.samples, 0);
    ws_measure_free(&m);
}
END_TEST

static bool may_fork_of(ws_back_steps policy, ws_quantity quantity, ws_domain domain, ws_time_base time)
{
    ws_measure m;
    ws_sink sink = begin(&m, &(ws_measure_options){.back_steps = policy}, 1);
    ws_channel channel = {.device = "d",
                          .column = "c",
                          .quantity = quantity,
                          .domain = domain,
                          .time = time,
                          .rule = quantity == WS_ENERGY_COUNTER ? WS_RULE_COUNTER : WS_RULE_INTERVAL};
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    void *stretch = sink.fork(sink.state);
    if (stretch)
        sink.drop(stretch);
    ws_measure_free(&m);
    return stretch != NULL;
}

static bool may_fork(ws_back_steps policy, ws_quantity quantity, ws_domain domain)
{
    return may_fork_of(policy, quantity, domain, WS_TIME_UTC);
}

/* An order, a counter without stamps, and limits for the energy since the reading before need all that went before. */
START_TEST(what_cannot_be_cut)
{
    ck_assert(may_fork(WS_BACK_KEEP, WS_UTIL, WS_GPU));
    ck_assert(!may_fork(WS_BACK_DROP, WS_UTIL, WS_GPU));
    ck_assert(!may_fork(WS_BACK_SORT, WS_UTIL, WS_GPU));
    ck_assert(may_fork(WS_BACK_KEEP, WS_ENERGY_INTERVAL, WS_WALL));
    ck_assert(may_fork(WS_BACK_KEEP, WS_ENERGY_COUNTER, WS_WALL));
    ck_assert(may_fork(WS_BACK_KEEP, WS_ENERGY_COUNTER, WS_GPU));
    ck_assert(!may_fork(WS_BACK_SORT, WS_ENERGY_COUNTER, WS_GPU));
    ck_assert(!may_fork_of(WS_BACK_KEEP, WS_ENERGY_COUNTER, WS_GPU, WS_TIME_NONE));
    ck_assert(!may_fork(WS_BACK_KEEP, WS_ENERGY_INTERVAL, WS_CPU));
}
END_TEST

TEST_MAIN("measure stretch", counters_meet_at_the_seams, a_glitch_at_a_seam, any_cut_gives_the_bits_of_the_whole,
          what_limits_see_is_in_the_file_s_lines, later_channels_are_left_alone, what_cannot_be_cut)
