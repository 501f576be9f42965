/* A logger or a driver that could not read writes the largest number of its field:
 *
 *     2026/10/14 17:48:20.002, 0, 231.88 W
 *     2026/10/14 17:48:21.002, 0, 655.35 W      16 bits, all set, in hundredths
 *     2026/10/14 17:48:22.002, 0, 233.40 W
 *
 * Such numbers are the same to the last digit, one or two at a time, and lie apart from what the device draws. No real
 * log of the corpus has powers of its device that do all of this. The limits are ours. */
#include "analyze/measure/sentinels.h"

#include "analyze/measure/meter_internal.h"

#include <math.h>

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

static void add_reading(ws_power_top *top, double power_w, int64_t line)
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

void ws_power_top_push(ws_power_top *top, const ws_block *b, const ws_power_range *range)
{
    bool is_whole = top->window_start_ns == INT64_MIN && top->window_end_ns == INT64_MAX;
    if (is_whole && b->n && !range->lacks_some && range->most < top->most_w) { /* nearly all blocks */
        top->next_w = fmax(top->next_w, range->most);
        top->last_is = false;
        return;
    }
    for (size_t i = 0; i < b->n; i++) {
        bool is_inside = !b->t_ns || (b->t_ns[i] >= top->window_start_ns && b->t_ns[i] <= top->window_end_ns);
        if (is_inside && !isnan(b->value[i]))
            add_reading(top, b->value[i], b->line ? b->line[i] : 0);
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

/* The others are at least so many times smaller; at most so many follow each other; at most one reading in so many. */
static const double apart = 1.25, at_a_time = 2, one_in = 5;

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

double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w)
{
    double n = (double)top->seen.count;
    bool stand_alone = n > 0 && n <= at_a_time * (double)top->stretches && one_in * n <= samples && top->next_w > 0 &&
                       top->most_w >= apart * top->next_w;
    if (!stand_alone || !is_sentinel(top->most_w, n, step_w))
        return 0;
    double others_w = (mean_w * samples - n * top->most_w) / (samples - n);
    return n * (top->most_w - others_w);
}
