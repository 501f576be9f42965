#include "analyze/measure/suspect_powers.h"

#include "analyze/measure/meter_internal.h"
#include "core/avx2.h"

#include <math.h>
#include <string.h>

/* --- the range of a block --- */

/* Four at a time and without a branch, since every power of every trace passes here. Made for each kind of machine, and
 * the same on all. */
static inline __attribute__((always_inline)) ws_power_range range_of(const double *value, size_t n)
{
    typedef double four __attribute__((vector_size(32)));
    typedef int64_t four_bits __attribute__((vector_size(32)));
    four least = {INFINITY, INFINITY, INFINITY, INFINITY}, most = -least;
    four_bits missing = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        four x;
        memcpy(&x, value + i, sizeof x);
        four_bits lower = x<least, higher = x> most;
        missing |= x != x;
        least = (four)(((four_bits)x & lower) | ((four_bits)least & ~lower));
        most = (four)(((four_bits)x & higher) | ((four_bits)most & ~higher));
    }
    ws_power_range range = {.lacks_some = missing[0] | missing[1] | missing[2] | missing[3],
                            .least = fmin(fmin(least[0], least[1]), fmin(least[2], least[3])),
                            .most = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]))};
    for (; i < n; i++) {
        range.lacks_some |= isnan(value[i]);
        range.least = value[i] < range.least ? value[i] : range.least;
        range.most = value[i] > range.most ? value[i] : range.most;
    }
    return range;
}

static ws_power_range range_portable(const double *value, size_t n)
{
    return range_of(value, n);
}

#if defined __x86_64__
WS_AVX2 static ws_power_range range_avx2(const double *value, size_t n)
{
    return range_of(value, n);
}
#else
#define range_avx2 range_portable
#endif

ws_power_range ws_power_range_of(const ws_block *b)
{
    return (ws_has_avx2() ? range_avx2 : range_portable)(b->value, b->n);
}

/* --- powers that stand still --- */

/* W. Below it a step of the readings may be larger than their noise. Ours. */
static const double still_low_w = 20;

void ws_standstill_init(ws_standstill *s, ws_standstill_steps steps)
{
    *s = (ws_standstill){.steps = steps, .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

/* What a reading shares with those of its run: the power itself, or the step that it lies in, a quarter or three
 * quarters into it where it has two decimals. Low powers, beside which a step is large, and powers beyond reason share
 * none. */
typedef struct shared {
    double power_w;
    int64_t step; /* NO_STEP: shared with no other */
} shared;

#define NO_STEP INT64_MIN

static inline __attribute__((always_inline)) int64_t step_of(ws_standstill_steps steps, double power_w)
{
    static const double most_w = 1e9, steps_a_watt = 1 / WS_STANDSTILL_STEP_W;
    const double shift = steps == WS_STILL_EVEN ? 0.25 : 0.75;
    bool has_step = power_w >= still_low_w && power_w < most_w;
    return has_step ? (int64_t)(power_w * steps_a_watt + shift) : NO_STEP;
}

static inline __attribute__((always_inline)) shared shared_of(ws_standstill_steps steps, double power_w)
{
    return (shared){power_w, steps == WS_STILL_EQUAL ? NO_STEP : step_of(steps, power_w)};
}

static inline __attribute__((always_inline)) bool shares(ws_standstill_steps steps, double power_w, const shared *with)
{
    if (steps == WS_STILL_EQUAL)
        return power_w == with->power_w;
    return with->step != NO_STEP && step_of(steps, power_w) == with->step;
}

static inline __attribute__((always_inline)) bool is_same(ws_standstill_steps steps, double a, double b)
{
    const shared of_b = shared_of(steps, b);
    return shares(steps, a, &of_b);
}

static ws_standstill_kind kind_of(double power_w)
{
    static const double lowest_w = 2;
    if (fabs(power_w) < still_low_w)
        return fabs(power_w) < lowest_w ? WS_STILL_BELOW_2_W : WS_STILL_BELOW_20_W;
    return power_w == floor(power_w) ? WS_STILL_WHOLE : WS_STILL_FINER;
}

/* Of equal ones a few may count. */
static inline __attribute__((always_inline)) size_t least_readings(ws_standstill_steps steps)
{
    return steps == WS_STILL_EQUAL ? WS_STANDSTILL_BRIEF_READINGS : WS_STANDSTILL_READINGS;
}

/* Of two longest ones as long the one with more readings, in any order. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more)
{
    sum->ns += more->ns;
    sum->energy_j += more->energy_j;
    if (more->longest_ns < sum->longest_ns ||
        (more->longest_ns == sum->longest_ns && more->longest_n <= sum->longest_n))
        return;
    sum->longest_ns = more->longest_ns;
    sum->longest_n = more->longest_n;
}

static void count(ws_standstill *s, const ws_standstill_run *run)
{
    int64_t from = run->from_ns > s->window_start_ns ? run->from_ns : s->window_start_ns, ns;
    int64_t to = run->to_ns < s->window_end_ns ? run->to_ns : s->window_end_ns;
    if (run->n < least_readings(s->steps) || __builtin_sub_overflow(to, from, &ns) || run->value == 0)
        return;
    bool is_long = run->n >= WS_STANDSTILL_READINGS && (double)ns >= WS_STANDSTILL_S * 1e9;
    bool is_brief = !is_long && s->steps == WS_STILL_EQUAL && (double)ns >= WS_STANDSTILL_BRIEF_S * 1e9 &&
                    kind_of(run->value) == WS_STILL_FINER;
    if (!is_long && !is_brief)
        return;
    const double parts = 1024; /* whole ones, whose sum is the same in any order */
    ws_standstill_sum one = {.ns = ns,
                             .longest_ns = ns,
                             .longest_n = run->n,
                             .energy_j = rint(run->value * ((double)ns / 1e9) * parts) / parts};
    ws_standstill_add(is_long ? &s->of[kind_of(run->value)] : &s->brief, &one);
    s->n_brief += is_brief;
}

static ws_standstill_run *open_run(ws_standstill *s)
{
    return s->last.n ? &s->last : &s->first;
}

/* A run behind all others: goes on with the open one, or ends it. */
static void add_run(ws_standstill *s, const ws_standstill_run *run)
{
    ws_standstill_run *open = open_run(s);
    if (!open->n) {
        *open = *run;
    } else if (is_same(s->steps, open->value, run->value)) {
        open->to_ns = run->to_ns;
        open->n += run->n;
    } else {
        if (open == &s->last)
            count(s, open);
        s->last = *run;
    }
}

static ws_standstill_run run_of(const ws_block *b, size_t from, size_t to)
{
    return (ws_standstill_run){b->value[from], b->t_ns[from], b->t_ns[to - 1], to - from};
}

/* The end of the run that begins at i. */
static inline __attribute__((always_inline)) size_t end_of_run(ws_standstill_steps steps, const ws_block *b, size_t i)
{
    const shared run = shared_of(steps, b->value[i]);
    size_t end = i + 1;
    while (end < b->n && shares(steps, b->value[end], &run))
        end++;
    return end;
}

/* Where the last run begins. */
static inline __attribute__((always_inline)) size_t start_of_last(ws_standstill_steps steps, const ws_block *b)
{
    size_t i = b->n - 1;
    const shared run = shared_of(steps, b->value[i]);
    bool may_last = steps == WS_STILL_EQUAL || run.step != NO_STEP;
    const double *v = b->value, last = run.power_w;
    while (may_last && i >= 4 && v[i - 1] == last && v[i - 2] == last && v[i - 3] == last && v[i - 4] == last)
        i -= 4;
    while (may_last && i > 0 && shares(steps, v[i - 1], &run))
        i--;
    return i;
}

/* The next run from i on that begins there or may count; shorter ones before it are passed over: of ten readings two
 * neighbours stand at every ninth place. */
static inline __attribute__((always_inline)) size_t next_run(ws_standstill_steps steps, const ws_block *b, size_t i,
                                                             size_t last)
{
    const size_t reach = least_readings(steps) - 1;
    while (i + reach < last && !is_same(steps, b->value[i + reach], b->value[i + reach - 1]))
        i += reach;
    if (i + reach >= last)
        return last;
    size_t start = i + reach - 1;
    while (start > i && is_same(steps, b->value[start - 1], b->value[start]))
        start--;
    return start;
}

/* Readings without a missing cell among them. Made for each kind of steps. */
static inline __attribute__((always_inline)) void push_readings_by(ws_standstill *s, const ws_block *b,
                                                                   ws_standstill_steps steps)
{
    static const ws_standstill_run between = {.value = NAN, .n = 1}; /* stands for short ones: it is like no other */
    size_t last = start_of_last(steps, b), i = 0;
    while (i < b->n) {
        size_t end = i < last ? end_of_run(steps, b, i) : b->n;
        ws_standstill_run run = run_of(b, i, end);
        add_run(s, &run);
        i = end < last ? next_run(steps, b, end, last) : end;
        if (i > end)
            add_run(s, &between);
    }
}

static bool moves(double a, double b)
{
    return fabs(a - b) > WS_STANDSTILL_STEP_W;
}

/* Readings with no long run among them, none of two at either end, and none that goes on from those before. */
static bool move_throughout(ws_standstill_steps steps, const double *value, size_t n, double before)
{
    const size_t reach = least_readings(steps) - 1;
    if (n < 2 || !moves(before, value[0]) || !moves(value[0], value[1]) || !moves(value[n - 2], value[n - 1]))
        return false;
    for (size_t i = reach; i < n; i += reach)
        if (!moves(value[i - 1], value[i]))
            return false;
    return true;
}

static void push_readings(ws_standstill *s, const ws_block *b)
{
    if (s->steps == WS_STILL_EQUAL)
        push_readings_by(s, b, WS_STILL_EQUAL);
    else
        push_readings_by(s, b, s->steps);
}

/* Readings of one run. */
static bool are_one_run(ws_standstill_steps steps, const ws_power_range *range)
{
    return range->least == range->most ? steps == WS_STILL_EQUAL || step_of(steps, range->most) != NO_STEP
                                       : steps != WS_STILL_EQUAL && is_same(steps, range->least, range->most);
}

/* None of which is missing: nearly all blocks are of one run, of low powers, or of powers that move. */
static void push_whole(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    bool is_inside = s->last.n && s->last.n < least_readings(s->steps);
    if (are_one_run(s->steps, range)) {
        const ws_standstill_run run = run_of(b, 0, b->n);
        add_run(s, &run);
    } else if (s->steps != WS_STILL_EQUAL && b->n > 1 && range->most < still_low_w) {
        /* each is a run of its own, which does not count */
        const ws_block begin = ws_block_part(b, 0, 1), end = ws_block_part(b, b->n - 1, b->n);
        push_readings(s, &begin);
        push_readings(s, &end);
    } else if (is_inside && move_throughout(s->steps, b->value, b->n, s->last.value)) {
        s->last = run_of(b, b->n - 1, b->n); /* as all that follows would leave it */
    } else {
        push_readings(s, b);
    }
}

static size_t next_missing(const ws_block *b, size_t i)
{
    while (i < b->n && !isnan(b->value[i]))
        i++;
    return i;
}

/* A missing cell says nothing: the readings on both sides of it follow each other. */
void ws_standstill_push(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    if (b->t_ns && b->n && !range->lacks_some)
        push_whole(s, b, range);
    for (size_t from = 0, to; range->lacks_some && b->t_ns && from < b->n; from = to + 1) {
        to = next_missing(b, from);
        ws_block readings = ws_block_part(b, from, to);
        if (readings.n)
            push_readings(s, &readings);
    }
}

void ws_standstill_merge(ws_standstill *into, const ws_standstill *next)
{
    if (!next->first.n)
        return;
    add_run(into, &next->first);
    if (!next->last.n)
        return;
    if (open_run(into) == &into->last)
        count(into, &into->last);
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        ws_standstill_add(&into->of[i], &next->of[i]);
    ws_standstill_add(&into->brief, &next->brief);
    into->n_brief += next->n_brief;
    into->last = next->last;
}

static ws_standstill all_runs(const ws_standstill *s)
{
    ws_standstill all = *s;
    count(&all, &s->first);
    count(&all, &s->last);
    return all;
}

void ws_standstill_read(const ws_standstill *s, ws_standstill_sum of[WS_STANDSTILL_KINDS])
{
    const ws_standstill all = all_runs(s);
    memcpy(of, all.of, sizeof all.of);
}

uint64_t ws_standstill_read_brief(const ws_standstill *s, ws_standstill_sum *brief)
{
    const ws_standstill all = all_runs(s);
    *brief = all.brief;
    return all.n_brief;
}

/* --- stretches of 0 W, or without use --- */

void ws_quiet_init(ws_quiet *q)
{
    *q = (ws_quiet){.window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

static void add_quiet(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->n < WS_QUIET_KEPT)
        q->kept[q->n++] = *stretch;
    else
        q->has_more = true;
}

/* Goes on with the last stretch, unless that was not kept. */
static void extend_quiet(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->has_more)
        return;
    q->kept[q->n - 1].to_ns = stretch->to_ns;
    q->kept[q->n - 1].n += stretch->n;
}

static void add_quiet_reading(ws_quiet *q, int64_t t_ns, bool is_quiet)
{
    if (t_ns < q->window_start_ns || t_ns > q->window_end_ns)
        return;
    ws_quiet_stretch one = {t_ns, t_ns, 1};
    if (is_quiet && q->last_is)
        extend_quiet(q, &one);
    else if (is_quiet)
        add_quiet(q, &one);
    q->first_is = q->has_any ? q->first_is : is_quiet;
    q->last_is = is_quiet;
    q->has_any = true;
}

static void push_quiet(ws_quiet *q, const ws_block *b, double below)
{
    for (size_t i = 0; b->t_ns && i < b->n; i++)
        if (!isnan(b->value[i]))
            add_quiet_reading(q, b->t_ns[i], fabs(b->value[i]) < below);
}

void ws_quiet_push_powers(ws_quiet *q, const ws_block *b, const ws_power_range *range)
{
    static const double least_w = 0x1p-1022; /* no other power is below it */
    bool is_whole = q->window_start_ns == INT64_MIN && q->window_end_ns == INT64_MAX;
    bool is_none = b->n && !range->lacks_some && range->least > 0;
    if (!is_whole || !is_none) {
        push_quiet(q, b, least_w);
        return;
    }
    q->has_any = true; /* the last of them says it all */
    q->last_is = false;
}

void ws_quiet_push_use(ws_quiet *q, const ws_block *b)
{
    push_quiet(q, b, WS_UNUSED_SHARE);
}

void ws_quiet_merge(ws_quiet *into, const ws_quiet *next)
{
    if (!next->has_any)
        return;
    size_t from = into->last_is && next->first_is;
    if (from)
        extend_quiet(into, &next->kept[0]);
    for (size_t i = from; i < next->n; i++)
        add_quiet(into, &next->kept[i]);
    into->has_more |= next->has_more;
    into->first_is = into->has_any ? into->first_is : next->first_is;
    into->last_is = next->last_is;
    into->has_any = true;
}

/* The first stretch without use that ends at or behind the time. */
static const ws_quiet_stretch *quiet_at(const ws_quiet *use, int64_t t_ns)
{
    for (size_t i = 0; i < use->n; i++)
        if (use->kept[i].to_ns >= t_ns)
            return &use->kept[i];
    return NULL;
}

double ws_quiet_share_in_use(const ws_quiet *powers, const ws_quiet *use, int64_t slack_ns)
{
    uint64_t known = 0, unused = 0;
    for (size_t i = 0; i < powers->n; i++) {
        const ws_quiet_stretch *off = &powers->kept[i];
        const ws_quiet_stretch *rest = quiet_at(use, ws_ns_minus(off->to_ns, slack_ns));
        if (!rest && use->has_more)
            break;
        known += off->n;
        unused += rest && rest->from_ns <= ws_ns_plus(off->from_ns, slack_ns) ? off->n : 0;
    }
    return known ? 1 - (double)unused / (double)known : 1;
}

/* --- numbers that stand for no reading --- */

/* A logger or a driver that could not read writes the largest number of its field:
 *
 *     2026/10/14 17:48:20.002, 0, 231.88 W
 *     2026/10/14 17:48:21.002, 0, 655.35 W      16 bits, all set, in hundredths
 *     2026/10/14 17:48:22.002, 0, 233.40 W
 *
 * Such numbers are the same to the last digit, one or two at a time, and lie apart from what the device draws. No real
 * log of the corpus has powers of its device that do all of this. The limits are ours. */

/* The others are at least so many times smaller; at most so many follow each other; at most one reading in so many. */
static const double apart = 1.25, at_a_time = 2, one_in = 5;

void ws_power_top_init(ws_power_top *top)
{
    *top = (ws_power_top){
        .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX, .most_w = -INFINITY, .next_w = -INFINITY};
}

/* All readings so far are below what comes. */
static void pass_below(ws_power_top *top)
{
    top->next_w = top->most_w;
    top->seen = (ws_seen){0};
    top->stretches = 0;
    top->first_is = top->last_is = false;
}

static void add_to_top(ws_power_top *top, double power_w, int64_t line)
{
    if (power_w > top->most_w) {
        pass_below(top);
        top->most_w = power_w;
    }
    bool is_most = power_w == top->most_w;
    if (is_most) {
        top->stretches += !top->last_is;
        ws_meter_see(&top->seen, line);
    } else {
        top->next_w = fmax(top->next_w, power_w);
    }
    top->first_is = top->has_any ? top->first_is : is_most;
    top->last_is = is_most;
    top->has_any = true;
}

/* Is the largest power none that stands for no reading, and does the block, whose largest is most_w, leave that so? */
static bool stays_ordinary(const ws_power_top *top, double most_w)
{
    return !ws_power_top_stands_apart(top) && most_w < apart * top->most_w;
}

void ws_power_top_push(ws_power_top *top, const ws_block *b, const ws_power_range *range)
{
    bool is_whole = top->window_start_ns == INT64_MIN && top->window_end_ns == INT64_MAX;
    if (stays_ordinary(top, range->most) && (is_whole || range->most <= top->most_w)) { /* nearly all blocks */
        top->next_w = range->most > top->most_w ? top->most_w : top->next_w;
        top->most_w = fmax(top->most_w, range->most);
        return;
    }
    if (is_whole && b->n && !range->lacks_some && range->most < top->most_w) {
        top->next_w = fmax(top->next_w, range->most);
        top->last_is = false;
        return;
    }
    if (is_whole && range->most > top->most_w) {
        pass_below(top);
        top->most_w = range->most;
    }
    for (size_t i = 0; i < b->n; i++) {
        bool is_inside = !b->t_ns || (b->t_ns[i] >= top->window_start_ns && b->t_ns[i] <= top->window_end_ns);
        if (is_inside && !isnan(b->value[i]))
            add_to_top(top, b->value[i], b->line ? b->line[i] : 0);
        if (is_whole && !ws_power_top_stands_apart(top)) /* nor will it by what follows in the block */
            return;
    }
}

void ws_power_top_merge(ws_power_top *into, const ws_power_top *next, int64_t lines)
{
    bool is_first = !into->has_any;
    if (!next->has_any)
        return;
    if (next->most_w > into->most_w) {
        pass_below(into);
        into->most_w = next->most_w;
    }
    bool is_same = next->most_w == into->most_w;
    into->next_w = fmax(into->next_w, is_same ? next->next_w : next->most_w);
    if (is_same) {
        into->stretches += next->stretches - (into->last_is && next->first_is);
        ws_seen_add(&into->seen, &next->seen, lines);
    }
    into->first_is = is_first ? next->first_is : into->first_is;
    into->last_is = is_same && next->last_is;
    into->has_any = true;
}

/* Of any number that comes again: so often at least, in readings of a tenth of a watt or finer. */
static const double comes_again = 3, fine_w = 0.15;

/* All bits of a field, or all digits: in W, in tenths and in hundredths. */
static const double of_fields[] = {127, 255, 999, 1023, 4095, 9999, 32767, 65535, 99999};

/* Is it one of so many parts of a watt that has at least so many digits? */
static bool is_of_field(double power_w, double least)
{
    static const double parts[] = {1, 10, 100, 1000};
    for (size_t i = 0; i < sizeof of_fields / sizeof *of_fields; i++)
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (of_fields[i] >= least && power_w == of_fields[i] / parts[k])
                return true;
    return false;
}

/* One of five digits says enough by itself; a whole number has to be that of a field. */
static bool is_sentinel(double power_w, double times, double step_w)
{
    enum { FIVE_DIGITS = 10000 };
    bool is_fine = step_w < fine_w;
    return (is_fine && is_of_field(power_w, FIVE_DIGITS)) ||
           (times >= comes_again && (is_fine || is_of_field(power_w, 0)));
}

bool ws_power_top_stands_apart(const ws_power_top *top)
{
    return !top->has_any || !(top->next_w > 0) || top->most_w >= apart * top->next_w;
}

double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w)
{
    double n = (double)top->seen.count;
    bool stand_alone = n > 0 && n <= at_a_time * (double)top->stretches && one_in * n <= samples && top->next_w > 0 &&
                       ws_power_top_stands_apart(top);
    if (!stand_alone || !is_sentinel(top->most_w, n, step_w))
        return 0;
    double others_w = (mean_w * samples - n * top->most_w) / (samples - n);
    return n * (top->most_w - others_w);
}
