#include "random_trace.h"

static const ws_rule rules[] = {WS_RULE_TRAPEZOID, WS_RULE_NONE,     WS_RULE_PERUN,   WS_RULE_MEAN_TIMES_TIME,
                                WS_RULE_COUNTER,   WS_RULE_COUNTER,  WS_RULE_COUNTER, WS_RULE_INTERVAL,
                                WS_RULE_GIVEN,     WS_RULE_RECTANGLE};

static ws_meter_options draw_options(const trace *x)
{
    ws_meter_options options = {.has_window = draw(3) == 0};
    options.window_start_ns = x->t_ns[draw(x->n)];
    options.window_end_ns = options.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
    return options;
}

/* The reading before `at` (step -1) or from there on (step 1); NaN for none. Zeros may be failed reads. */
static double reading_beside(const trace *x, size_t at, int step, bool zeros_too)
{
    for (size_t i = step > 0 ? at : at - 1; i < x->n; i += (size_t)step)
        if (fabs(x->value[i]) <= 1e18 && (zeros_too || x->value[i] != 0))
            return x->value[i];
    return NAN;
}

/* Does the step behind the cut creep, or may it? By the next reading, or by the next that is not 0. */
static bool creeps(const trace *x, size_t at, bool zeros_too)
{
    size_t before = at - 1, behind = at;
    while (before > 0 && !(fabs(x->value[before]) <= 1e18 && (zeros_too || x->value[before] != 0)))
        before--;
    while (behind + 1 < x->n && !(fabs(x->value[behind]) <= 1e18 && (zeros_too || x->value[behind] != 0)))
        behind++;
    double rise_j = x->value[behind] - x->value[before];
    return rise_j > 0 && rise_j < 0.02 * ((double)x->t_ns[behind] - (double)x->t_ns[before]) / 1e9;
}

/* No cut where a counter stands still: its next step shows what it has collected since it last moved. */
static size_t next_move(const trace *x, size_t at)
{
    while (at > 0 && at < x->n &&
           (creeps(x, at, true) || creeps(x, at, false) ||
            reading_beside(x, at, -1, true) == reading_beside(x, at, 1, true) ||
            reading_beside(x, at, -1, false) == reading_beside(x, at, 1, false)))
        at++;
    return at;
}

/* Up to 8 cuts in ascending order, the first 0 and the last n; parts may be empty. */
static size_t draw_cuts(const trace *x, ws_rule rule, size_t cuts[10])
{
    size_t n = 1 + draw(8);
    cuts[0] = 0;
    for (size_t i = 1; i <= n; i++)
        cuts[i] = draw(x->n + 1);
    cuts[++n] = x->n;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 1 && cuts[k] < cuts[k - 1]; k--) {
            size_t swap = cuts[k];
            cuts[k] = cuts[k - 1], cuts[k - 1] = swap;
        }
    for (size_t i = 1; i < n && rule == WS_RULE_COUNTER; i++)
        cuts[i] = next_move(x, cuts[i]);
    return n;
}

/* The parts from..to-1, joined two and two in a random order of joining: merging is associative. */
static ws_meter join(const trace *x, const size_t *cuts, size_t from, size_t to, ws_rule rule,
                     ws_meter_options *options)
{
    options->continues = from > 0;
    if (to - from == 1)
        return push_part(x, cuts[from], cuts[to], rule, options, 1 + draw(300));
    size_t middle = from + 1 + draw(to - from - 1);
    ws_meter left = join(x, cuts, from, middle, rule, options), right = join(x, cuts, middle, to, rule, options);
    ws_meter_merge(&left, &right, (int64_t)(cuts[middle] - cuts[from]));
    ws_meter_free(&right);
    return left;
}

START_TEST(any_cut_gives_the_bits_of_the_whole)
{
    static trace x;
    state = 4711;
    for (int i = 0; i < 10 * TRACES; i++) {
        make(&x);
        ws_rule rule = rules[draw(sizeof rules / sizeof *rules)];
        size_t cuts[10], n = draw_cuts(&x, rule, cuts);
        ws_meter_options options = draw_options(&x);
        ws_meter whole = push(&x, rule, &options, x.n), joined = join(&x, cuts, 0, n, rule, &options);
        ck_same(&whole, &joined);
        ws_meter_free(&whole);
        ws_meter_free(&joined);
    }
}
END_TEST

/* 100 W at 0 and 1 s, 300 W at 3 and 4 s: 100 + 400 + 300 J, of which the second part knows 300 J. */
START_TEST(the_interval_between_the_parts_counts)
{
    static const trace x = {.n = 4, .t_ns = {0, 1000000000, 3000000000, 4000000000}, .value = {100, 100, 300, 300}};
    ws_meter_options options = {.has_window = false};
    ws_meter first = push_part(&x, 0, 2, WS_RULE_TRAPEZOID, &options, 4);
    options.continues = true;
    ws_meter second = push_part(&x, 2, 4, WS_RULE_TRAPEZOID, &options, 4);
    ws_channel_summary summary;
    ws_meter_read(&second, &summary);
    ck_assert(summary.energy_j == 300);
    ws_meter_merge(&first, &second, 2);
    ws_meter_read(&first, &summary);
    ck_assert(summary.energy_j == 800);
    ck_assert(summary.duration_s == 4);
    ws_meter_free(&first);
    ws_meter_free(&second);
}
END_TEST

/* A counter at 500 J, two reads of zero in the next part, then 520 J: failed reads behind 500 J, readings of their own
 * where nothing stands before them. */
START_TEST(zeros_of_a_counter_wait_for_what_stands_before)
{
    static const trace x = {.n = 4, .t_ns = {0, 1000000000, 2000000000, 3000000000}, .value = {500, 0, 0, 520}};
    ws_meter_options options = {.has_window = false};
    ws_meter first = push_part(&x, 0, 1, WS_RULE_COUNTER, &options, 4);
    options.continues = true;
    ws_meter second = push_part(&x, 1, 4, WS_RULE_COUNTER, &options, 4);
    ws_channel_summary summary;
    ws_meter_read(&second, &summary);
    ck_assert(summary.energy_j == 520 && summary.samples == 3);
    ws_meter_merge(&first, &second, 0);
    ws_meter_read(&first, &summary);
    ck_assert(summary.energy_j == 20 && summary.samples == 2 && summary.missing == 2);
    ws_meter_free(&first);
    ws_meter_free(&second);
}
END_TEST

TEST_MAIN("meter merge", any_cut_gives_the_bits_of_the_whole, the_interval_between_the_parts_counts,
          zeros_of_a_counter_wait_for_what_stands_before)
