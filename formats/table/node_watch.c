#include "formats/table/node_watch.h"

#include "formats/table/column_limits.h"
#include "formats/table/node_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- do readings take turns? --- */

/* Nodes that write into one log; more write a file each. Ours. */
enum { MOST_NODES = 8 };

/* Mean difference of readings `lag` apart. */
static double difference(const double *value, size_t n, size_t lag)
{
    double sum = 0;
    for (size_t i = lag; i < n; i++)
        sum += fabs(value[i] - value[i - lag]);
    return sum / (double)(n - lag);
}

/* A load whose period is nearly some readings comes back, too, and drifts through the places in its cycle: what one
 * place gains another one loses, so that the mean of a round stays, while those of several devices go up and down each
 * by itself or all together. */
static bool rounds_stay(const double *value, size_t n, size_t k)
{
    enum { MOST = MOST_NODES };
    double sum[MOST + 1] = {0}, square[MOST + 1] = {0}, rounds = (double)(n / k), places = 0;
    for (size_t r = 0; r < n / k; r++) {
        double mean = 0;
        for (size_t j = 0; j < k; j++) {
            double x = value[r * k + j] - value[j];
            sum[j] += x, square[j] += x * x;
            mean += x / (double)k;
        }
        sum[k] += mean, square[k] += mean * mean;
    }
    for (size_t j = 0; j < k; j++)
        places += (square[j] - sum[j] * sum[j] / rounds) / (double)k;
    return (square[k] - sum[k] * sum[k] / rounds) * (double)k < WS_ROUNDS_STAY * places;
}

/* After k readings, by far more than after any number that is no multiple of k, as of 5 in a load whose period is 2.4
 * readings. */
static bool come_back_after(const double *value, size_t n, size_t k, double share)
{
    enum { LAGS = 32 };
    if (n < WS_ROWS_LEAST_TO_RETURN)
        return false;
    double most = share * difference(value, n, 1), own = difference(value, n, k);
    for (size_t lag = 2; lag < LAGS && own <= most; lag++)
        most = lag % k ? fmin(most, share * difference(value, n, lag)) : most;
    return most > 0 && own <= most && !rounds_stay(value, n, k);
}

/* After two readings or more, up to `most`. */
static bool come_back(const double *value, size_t n, size_t most)
{
    bool do_so = false;
    for (size_t k = 2; k <= most && k <= MOST_NODES && !do_so; k++)
        do_so = come_back_after(value, n, k, WS_ROWS_RETURN);
    return do_so;
}

/* The place of the first reading of each round in the order of size: does it know nothing of those before, and of more
 * than two is it any one as often? A load whose period is nearly that of a round moves it on at even steps, or holds
 * it.
 */
static bool are_by_chance(const double *place, size_t n, size_t k)
{
    enum { LAGS = 8 };
    double mean = 0, all = 0, middle = (double)(k - 1) / 2;
    for (size_t i = 0; i < n; i++)
        mean += place[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        all += (place[i] - mean) * (place[i] - mean);
    bool is = all > 0 && (k == 2 || fabs(mean - middle) <= WS_TURNS_BY_CHANCE * middle);
    for (size_t lag = 1; lag <= LAGS && is; lag++) {
        double sum = 0;
        for (size_t i = lag; i < n; i++)
            sum += (place[i] - mean) * (place[i - lag] - mean);
        is = fabs(sum) <= WS_TURNS_BY_CHANCE * all;
    }
    return is;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Puts the rounds of k readings that share a stamp in order of size. Returns how many there are. */
static size_t sort_rounds(const int64_t *t, const double *value, size_t n, size_t k, double *sorted, double *place)
{
    size_t rounds = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && t[end] == t[i]; end++)
            continue;
        for (size_t at = i; (end - i) % k == 0 && at < end; at += k, rounds++) {
            place[rounds] = 0;
            for (size_t j = 1; j < k; j++)
                place[rounds] += value[at + j] < value[at];
            memcpy(sorted + rounds * k, value + at, k * sizeof *sorted);
            qsort(sorted + rounds * k, k, sizeof *sorted, by_size);
        }
    }
    return rounds;
}

/* Nodes that are polled at the same moment write in any order: of k readings that share a stamp now the one and now the
 * other is the largest one, and in order of size they come back. */
static bool come_back_in_any_order(const int64_t *t, const double *value, size_t n)
{
    double *sorted = ws_alloc((n + 1) * sizeof *sorted), *place = ws_alloc((n + 1) * sizeof *place);
    bool is = false;
    for (size_t k = 2; k <= MOST_NODES && !is; k++) {
        size_t rounds = sort_rounds(t, value, n, k, sorted, place);
        is = 2 * k * rounds >= n && rounds >= 2 * WS_TURNS_LEAST_POLLS && are_by_chance(place, rounds, k) &&
             come_back_after(sorted, rounds * k, k, k == 2 ? WS_SORTED_RETURN : WS_SORTED_RETURN_OF_MORE);
    }
    free(sorted);
    free(place);
    return is;
}

/* A device that is asked twice within one refresh of its sensor repeats itself. */
static bool are_fresh(const double *value, size_t n)
{
    size_t fresh = 0;
    for (size_t i = 1; i < n; i++)
        fresh += value[i] < value[i - 1] || value[i] > value[i - 1];
    return 5 * fresh >= 3 * n;
}

static bool is_about(int64_t step, int64_t other, double ratio)
{
    return (double)step * ratio >= (double)other && (double)other * ratio >= (double)step;
}

/* Nearly each step is as long as the one before the last and another than the last: 3 and 997 ms, or 300 and 700, as of
 * two loggers that know nothing of each other. One waits as long each time. */
static bool steps_take_turns(const int64_t *t, size_t n)
{
    size_t turns = 0;
    for (size_t i = 3; i < n; i++) {
        int64_t step = t[i] - t[i - 1], last = t[i - 1] - t[i - 2];
        turns += step > 0 && last > 0 && !is_about(step, last, WS_STEPS_DIFFER) &&
                 is_about(t[i] - t[i - 2], t[i - 1] - t[i - 3], WS_STEPS_ALIKE);
    }
    return (double)turns >= WS_STEPS_TURN * (double)n;
}

/* Stamps are shared, so that a device may have as many readings to each as are polled in a second. */
static bool sharing_rows_are_of_several(const int64_t *t, const double *value, size_t n)
{
    size_t stamps = 1;
    for (size_t i = 1; i < n; i++)
        stamps += t[i] != t[i - 1];
    return come_back(value, n, (n + stamps - 1) / stamps) || come_back_in_any_order(t, value, n);
}

bool ws_readings_are_of_several(const int64_t *t, const double *value, size_t n)
{
    if (n < 2 * WS_TURNS_LEAST_POLLS || !are_fresh(value, n))
        return false;
    ws_turns x = {.t = t, .n = n, .scratch = ws_alloc(n * sizeof *x.scratch)};
    bool shares = ws_turns_repeat_stamps(&x), is_uneven = ws_turns_are_uneven(&x);
    free(x.scratch);
    if (shares)
        return sharing_rows_are_of_several(t, value, n);
    if (ws_turns_stamps_are_fine(t, n) && steps_take_turns(t, n))
        return true;
    size_t cycle = is_uneven ? 0 : ws_cycle_of_stamps(t, n);
    return is_uneven ? come_back(value, n, MOST_NODES)
                     : cycle > 1 && cycle <= MOST_NODES && come_back_after(value, n, cycle, WS_ROWS_RETURN);
}

/* What all devices of a node do at once is their load, which the ratio of two of them hardly knows. */
static bool ratio_is_of_several(const ws_watched_power *a, const ws_watched_power *b)
{
    double *ratio = ws_alloc(sizeof b->value);
    bool is = a->n == b->n;
    for (size_t i = 0; i < a->n && is; i++) {
        is = a->value[i] > 0 && b->value[i] > 0;
        ratio[i] = is ? log(a->value[i] / b->value[i]) : 0;
    }
    is = is && ws_readings_are_of_several(a->t, ratio, a->n);
    free(ratio);
    return is;
}

bool ws_node_watch_sees_several(const ws_node_watch *watch)
{
    bool sees = false;
    for (size_t i = 0; i < watch->n && !sees; i++) {
        const ws_watched_power *p = watch->powers[i];
        sees = ws_readings_are_of_several(p->t, p->value, p->n) || (i && ratio_is_of_several(watch->powers[0], p));
    }
    return sees;
}

/* --- the sink --- */

static void keep(ws_watched_power *p, const ws_block *block)
{
    for (size_t i = 0; i < block->n && p->n < WS_WATCHED_READINGS; i++) {
        if (!isfinite(block->value[i]))
            continue;
        p->t[p->n] = block->t_ns[i];
        p->value[p->n++] = block->value[i];
    }
}

static void watch_block(const ws_node_watch *w, int id, const ws_block *block)
{
    for (size_t i = 0; i < w->n && block->t_ns; i++)
        if (w->powers[i]->id == id)
            keep(w->powers[i], block);
}

static void watch_power(ws_node_watch *w, int id)
{
    ws_watched_power *power = ws_realloc(NULL, 1, sizeof *power); /* most of it is not touched in a short log */
    power->id = id;
    power->n = 0;
    w->powers[w->n++] = power;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    ws_node_watch *w = state;
    ws_status status = w->sink->channel(w->inner, channel, id, error);
    bool is_power = channel->quantity == WS_POWER && channel->time != WS_TIME_NONE;
    if (status == WS_OK && *id >= 0 && is_power && w->n < WS_WATCHED_POWERS)
        watch_power(w, *id);
    return status;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    const ws_node_watch *w = state;
    watch_block(w, id, block);
    return w->sink->block(w->inner, id, block, error);
}

static void take_fact(void *state, const ws_fact *fact)
{
    const ws_node_watch *w = state;
    w->sink->fact(w->inner, fact);
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_node_watch *w = state;
    return w->sink->wants(w->inner, quantity);
}

/* A stretch is a watch of its own. */
static void *fork_stretch(void *state)
{
    const ws_node_watch *w = state;
    void *inner = w->sink->fork(w->inner);
    if (!inner)
        return NULL;
    ws_node_watch *stretch = ws_alloc(sizeof *stretch);
    *stretch = (ws_node_watch){.sink = w->sink, .inner = inner};
    for (size_t i = 0; i < w->n; i++)
        watch_power(stretch, w->powers[i]->id);
    return stretch;
}

static bool join_stretch(void *state, void *stretch, int64_t lines)
{
    ws_node_watch *w = state, *next = stretch;
    bool is_taken = w->sink->join(w->inner, next->inner, lines);
    for (size_t i = 0; i < next->n; i++) {
        ws_watched_power *p = next->powers[i];
        ws_block block = {.n = p->n, .t_ns = p->t, .value = p->value};
        if (is_taken)
            watch_block(w, p->id, &block);
        p->n = 0;
    }
    return is_taken;
}

static void drop_stretch(void *state)
{
    ws_node_watch *stretch = state;
    stretch->sink->drop(stretch->inner);
    ws_node_watch_free(stretch);
    free(stretch);
}

void ws_node_watch_init(ws_node_watch *watch, const ws_sink *sink)
{
    *watch = (ws_node_watch){.sink = sink,
                             .inner = sink->state,
                             .own = {.state = watch,
                                     .channel = take_channel,
                                     .block = take_block,
                                     .fact = sink->fact ? take_fact : NULL,
                                     .every_fact = sink->every_fact,
                                     .wants = sink->wants ? wants : NULL,
                                     .fork = sink->fork ? fork_stretch : NULL,
                                     .join = sink->join ? join_stretch : NULL,
                                     .drop = sink->drop ? drop_stretch : NULL}};
}

void ws_node_watch_free(ws_node_watch *watch)
{
    for (size_t i = 0; i < watch->n; i++)
        free(watch->powers[i]);
    watch->n = 0;
}
