#include "formats/table/turn_signs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "formats/table/column_limits.h"

#define NS_PER_S INT64_C(1000000000)

/* Rows that repeat each other are one device that was polled faster than it updates, not several devices. */
bool ws_turns_rows_differ(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    for (size_t v = 0; v < plan->n_values; v++) {
        int32_t column = (int32_t)plan->values[v].column;
        if (!ws_span_same(ws_row_cell(a, column), ws_row_cell(b, column)))
            return true;
    }
    return false;
}

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The median time over `lag` rows, and the share of such times that are about as long. */
int64_t ws_turns_usual_time(const ws_turns *x, size_t lag, double *share)
{
    size_t n = x->n - lag, usual = 0;
    for (size_t i = 0; i < n; i++)
        x->scratch[i] = x->t[i + lag] - x->t[i];
    qsort(x->scratch, n, sizeof *x->scratch, compare_ns);
    int64_t median = x->scratch[n / 2];
    for (size_t i = 0; i < n; i++)
        usual += fabs((double)(x->scratch[i] - median)) <= WS_TURNS_USUAL * (double)median;
    *share = (double)usual / (double)n;
    return median;
}

/* Mean difference of readings `lag` rows apart; NaN: there are none. */
static double mean_difference(const double *value, size_t n, size_t lag)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = lag; i < n; i++) {
        double d = fabs(value[i] - value[i - lag]);
        sum += isnan(d) ? 0 : d;
        pairs += isnan(d) ? 0 : 1;
    }
    return pairs ? sum / (double)pairs : NAN;
}

/* The fewest rows after which the readings come back although they differ from row to row: so many devices take turns.
 * 0: they do not. */
size_t ws_turns_rows_to_return(const ws_turns *x, const double *value, double most)
{
    double neighbours = value ? mean_difference(value, x->n, 1) : NAN;
    for (size_t lag = 2; neighbours > 0 && lag <= WS_TURNS_MOST && lag * WS_TURNS_LEAST_POLLS <= x->n; lag++)
        if (mean_difference(value, x->n, lag) <= most * neighbours)
            return lag;
    return 0;
}

/* Rows that follow another one closely mostly say something else: a device that is polled faster than it updates
 * repeats itself. */
bool ws_turns_are_fresh(const ws_turns *x, int64_t close_ns)
{
    size_t fresh = 0, close = 0;
    for (size_t i = 1; i < x->n; i++) {
        if (x->t[i] - x->t[i - 1] > close_ns)
            continue;
        close++;
        fresh += ws_turns_rows_differ(x->plan, x->sample.rows[i - 1], x->sample.rows[i]);
    }
    return fresh * 2 > close;
}

/* How many rows are in most polls, where a step of half the usual time between polls parts them. */
static size_t usual_size(const ws_turns *x, int64_t poll_ns, size_t *polls)
{
    size_t alike[WS_TURNS_MOST + 1] = {0}, first = 0, best = 0;
    *polls = 0;
    for (size_t i = 1; i <= x->n; i++) {
        if (i < x->n && x->t[i] - x->t[i - 1] < poll_ns / 2)
            continue;
        ++*polls;
        if (i - first <= WS_TURNS_MOST)
            alike[i - first]++;
        first = i;
    }
    for (size_t k = 1; k <= WS_TURNS_MOST; k++)
        best = alike[k] > alike[best] ? k : best;
    return alike[best] * 2 > *polls ? best : 0;
}

bool ws_turns_repeat_stamps(const ws_turns *x)
{
    size_t repeats = 0;
    for (size_t i = 1; i < x->n; i++)
        repeats += x->t[i] == x->t[i - 1];
    return (double)repeats >= WS_TURNS_SHARED * (double)x->n;
}

/* Rows of one time with one power are of one device, as a row for each of its processes. */
static bool share_powers(const ws_turns *x)
{
    size_t pairs = 0, same = 0;
    for (size_t i = 1; x->power && i < x->n; i++) {
        pairs += x->t[i] == x->t[i - 1];
        same += x->t[i] == x->t[i - 1] && !(x->power[i] < x->power[i - 1] || x->power[i] > x->power[i - 1]);
    }
    return same * 2 > pairs;
}

/* Polls so far apart that rounding is not what makes stamps of their rows equal. */
static bool outlast_rounding(const ws_turns *x, int64_t poll_ns)
{
    int64_t unit = NS_PER_S;
    for (size_t i = 0; i < x->n; i++)
        while (unit > 1 && x->t[i] % unit)
            unit /= 10;
    return poll_ns >= WS_TURNS_STAMP_UNITS * unit;
}

/* Rows that cluster in time into polls of one size. The time from poll to poll is regular, and most rows follow the one
 * before them far more closely than rows of one device, evenly spaced, would. 0: they do not. */
static size_t rows_of_polls(const ws_turns *x, bool is_fine, int64_t *poll_ns)
{
    double share;
    bool shares_stamps = ws_turns_repeat_stamps(x);
    if (x->n <= WS_TURNS_FEW_POLLS || (!is_fine && !shares_stamps) || (shares_stamps && share_powers(x)))
        return 0;
    for (size_t lag = 2; lag <= WS_TURNS_MOST && lag * WS_TURNS_FEW_POLLS <= x->n; lag++) {
        size_t polls, close = 0;
        *poll_ns = ws_turns_usual_time(x, lag, &share);
        if (share < WS_TURNS_USUAL_SHARE || usual_size(x, *poll_ns, &polls) != lag || polls < WS_TURNS_FEW_POLLS)
            continue;
        if (shares_stamps && !outlast_rounding(x, *poll_ns))
            return 0;
        for (size_t i = 1; i < x->n; i++)
            close += (double)(x->t[i] - x->t[i - 1]) * (double)lag < WS_TURNS_CLOSE * (double)*poll_ns;
        if ((double)close >= WS_TURNS_USUAL_SHARE * (double)(x->n - polls))
            return lag;
    }
    return 0;
}

/* Polls of a single device are about equally far apart, except for stalls. */
bool ws_turns_are_uneven(const ws_turns *x)
{
    double share;
    int64_t median = ws_turns_usual_time(x, 1, &share);
    size_t odd = 0;
    for (size_t i = 1; i < x->n; i++) {
        int64_t step = x->t[i] - x->t[i - 1];
        odd += step < median / 2 || step > 2 * median;
    }
    return (double)odd >= WS_TURNS_UNEVEN * (double)x->n;
}

int32_t ws_turns_column_of(const ws_plan *plan, ws_quantity quantity)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == quantity && !plan->values[v].meaning.device.n)
            return (int32_t)plan->values[v].column;
    return WS_NO_COLUMN;
}

/* The numbers of a column; NULL where there is none. The caller frees. */
double *ws_turns_numbers_of(const ws_plan *plan, const ws_trace_sample *sample, ws_quantity quantity)
{
    int32_t column = ws_turns_column_of(plan, quantity);
    double *value = column >= 0 ? ws_alloc((sample->n + 1) * sizeof *value) : NULL;
    ws_span rest;
    for (size_t i = 0; value && i < sample->n; i++)
        if (!ws_span_number(ws_row_cell(sample->rows[i], column), &value[i], &rest))
            value[i] = NAN;
        else if (ws_unit_find(rest)) /* cells may differ in it */
            value[i] *= ws_unit_find(rest)->to_si;
    return value;
}

/* The rows between two large steps back, the longest such stretch: a log that was begun again, or is sorted by device,
 * steps back by more than a few rows. Clocks that are set and polls that overlap step back by less. */
void ws_turns_leave_out_steps_back(ws_turns *x)
{
    double share;
    enum { FEW_ROWS = 16 };
    int64_t most = FEW_ROWS * ws_turns_usual_time(x, 1, &share);
    size_t first = 0, best = 0, best_n = 0;
    for (size_t i = 1; i <= x->n; i++) {
        if (i < x->n && x->t[i] - x->t[i - 1] >= (most > 0 ? -most : 0))
            continue;
        if (i - first > best_n)
            best = first, best_n = i - first;
        first = i;
    }
    x->steps_back = best_n < x->n;
    for (size_t i = 1; i < x->n; i++)
        x->steps_back |= x->t[i] < x->t[i - 1];
    x->t += best, x->n = best_n;
    x->sample.rows += best, x->sample.turn += best, x->sample.n = best_n;
}

/* --- cycles ---
 *
 * Devices that take turns in the rows of a table: a, b, c, a, b, c ... Each has a level of its own, so the differences
 * d[i] = x[i] - x[i-1] come back every k rows, while a load that all share is smooth and hardly shows in them. In one
 * device's log the differences do not come back, or only with a periodic load, whose shape over the cycle is smooth.
 *
 *   A(L)  autocorrelation of the differences at a lag of L rows; outliers are clipped first
 *   f(j)  A folded: the mean of A(m k + j) over m = 1, 2, ... 16. Noise of single readings is in A(0) and A(1) only
 *   g(j)  f(j) less the mean of f: a trend makes all of f alike
 *   g(0)  the share of the differences' variance that has a cycle of k rows: 0 for one device and for noise
 *   V(L)  mean square difference of levels L places apart, over g(0): L g(0) + 2 sum (L - j) g(j), j = 1 ... L - 1
 *   g(0) / mean of V: 1 for levels in no order, 2 (k = 2) for two of them; small for a smooth or square wave
 *
 * Sums over lags bear rows that are missing: only the pairs across the hole are off. */

enum { MOST = WS_CYCLE_MOST_ROWS, ROUNDS = 16, LAGS = MOST * (ROUNDS + 1) };

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Clips the steps to twice the median of those that are not zero, since a change of load is not a level; then subtracts
 * their mean. */
static void clip_and_center(double *step, size_t n)
{
    double *size = ws_alloc((n + 1) * sizeof *size);
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (step[i] != 0)
            size[used++] = fabs(step[i]);
    qsort(size, used, sizeof *size, by_size);
    double most = used ? 2 * size[used / 2] : 0;
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        step[i] = fmin(fmax(step[i], -most), most);
        mean += step[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        step[i] -= mean;
    free(size);
}

static void correlate(const double *step, size_t n, double *a, size_t lags)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += step[i] * step[i];
    for (size_t lag = 0; lag < lags; lag++) {
        double sum = 0;
        for (size_t i = lag; lag < n && i < n; i++)
            sum += step[i] * step[i - lag];
        a[lag] = all > 0 && lag < n ? sum / all * (double)n / (double)(n - lag) : 0;
    }
}

/* g(0), and how rough the levels of the cycle are. */
static double fold(const double *a, size_t lags, size_t k, double *roughness)
{
    double g[MOST] = {0}, mean = 0, square = 0;
    size_t rounds = lags / k - 1 < ROUNDS ? lags / k - 1 : ROUNDS;
    for (size_t j = 0; j < k; j++) {
        for (size_t m = 1; m <= rounds; m++)
            g[j] += a[m * k + j] / (double)rounds;
        mean += g[j] / (double)k;
    }
    for (size_t j = 0; j < k; j++)
        g[j] -= mean;
    for (size_t lag = 1; lag < k; lag++) {
        double v = (double)lag * g[0];
        for (size_t j = 1; j < lag; j++)
            v += 2 * (double)(lag - j) * g[j];
        square += v / (double)(k - 1);
    }
    *roughness = square > 0 ? g[0] / square : 0;
    return g[0];
}

/* The shortest cycle that is about as strong as the strongest. */
static size_t find_cycle(double *step, size_t n)
{
    double a[LAGS], strength[MOST + 1] = {0}, best = 0;
    size_t lags = n / 2 < LAGS ? n / 2 : LAGS;
    clip_and_center(step, n);
    correlate(step, n, a, lags);
    for (size_t k = 2; k <= MOST && k * WS_CYCLE_LEAST_ROUNDS <= n; k++) {
        double roughness, g = fold(a, lags, k, &roughness);
        strength[k] = roughness >= WS_CYCLE_ROUGH ? g : 0;
        best = strength[k] > best ? strength[k] : best;
    }
    if (best < WS_CYCLE_LEAST || best < WS_CYCLE_NOISE / sqrt((double)n))
        return 0;
    double enough = 0.95 * best - 3 / sqrt((double)(n * ROUNDS));
    for (size_t k = 2; k <= MOST; k++)
        if (strength[k] > 0 && strength[k] >= enough)
            return k;
    return 0;
}

size_t ws_cycle_of_readings(const double *value, size_t n)
{
    double *step = ws_alloc((n + 1) * sizeof *step), last = NAN;
    for (size_t i = 0; i < n; i++) {
        step[i] = isnan(value[i]) || isnan(last) ? 0 : value[i] - last;
        last = isnan(value[i]) ? last : value[i];
    }
    size_t k = n ? find_cycle(step + 1, n - 1) : 0;
    free(step);
    return k;
}

/* Adds to level[j] how far each reading at the place j is from the mean of its round of k. */
static void add_levels(const double *value, size_t rounds, size_t k, double *level)
{
    for (size_t r = 0; r < rounds; r++) {
        const double *round = value + r * k;
        double mean = 0;
        for (size_t j = 0; j < k; j++)
            mean += round[j] / (double)k;
        for (size_t j = 0; j < k && !isnan(mean); j++)
            level[j] += round[j] - mean;
    }
}

bool ws_cycle_keeps_places(const double *value, size_t n, size_t k)
{
    double all[MOST] = {0}, together = 0, apart = 0;
    size_t rounds = k ? n / k : 0;
    if (k > MOST || rounds < WS_CYCLE_PARTS)
        return false;
    for (size_t part = 0; part < WS_CYCLE_PARTS; part++) {
        double level[MOST] = {0};
        size_t first = part * rounds / WS_CYCLE_PARTS, end = (part + 1) * rounds / WS_CYCLE_PARTS;
        add_levels(value + first * k, end - first, k, level);
        for (size_t j = 0; j < k; j++)
            all[j] += level[j], apart += level[j] * level[j];
    }
    for (size_t j = 0; j < k; j++)
        together += all[j] * all[j];
    return together > WS_CYCLE_KEPT * WS_CYCLE_PARTS * apart;
}

/* The unit of the stamps: 10^k ns, the largest that all are multiples of; or what all steps are multiples of, where
 * that is a part of a minute, hour or day, as logs count that are in those. */
static double unit_of(const int64_t *t, size_t n)
{
    int64_t unit = NS_PER_S, common = 0;
    for (size_t i = 1; i < n; i++) {
        int64_t rest = t[i] - t[i - 1];
        while (rest) {
            int64_t next = common % rest;
            common = rest < 0 ? -rest : rest;
            rest = next;
        }
    }
    for (size_t i = 0; i < n; i++)
        while (unit > 1 && t[i] % unit)
            unit /= 10;
    return (double)(common % 3 == 0 && common > unit ? common : unit);
}

size_t ws_cycle_of_stamps(const int64_t *t, size_t n)
{
    if (n < 2 * WS_CYCLE_LEAST_ROUNDS)
        return 0;
    double *step = ws_alloc(n * sizeof *step), *sorted = ws_alloc(n * sizeof *sorted);
    for (size_t i = 1; i < n; i++)
        step[i - 1] = sorted[i - 1] = (double)(t[i] - t[i - 1]);
    qsort(sorted, n - 1, sizeof *sorted, by_size);
    double rounding = WS_CYCLE_LEAST_STAMP_UNITS * unit_of(t, n);
    for (size_t i = 0; i + 1 < n; i++) {
        step[i] = fabs(step[i] - sorted[(n - 1) / 2]);
        step[i] = step[i] < rounding ? 0 : step[i];
    }
    size_t k = find_cycle(step, n - 1);
    free(sorted);
    free(step);
    return k;
}

/* The mean step to each place in the cycle, none of them far from the usual one, and how well it is known. */
typedef struct step_place {
    double sum, square;
    size_t n;
} step_place;

static step_place steps_to(const int64_t *t, size_t n, size_t k, size_t place, double usual)
{
    step_place p = {0};
    for (size_t i = place ? place : k; i < n; i += k) {
        double step = (double)(t[i] - t[i - 1]) - usual;
        if (fabs(step) >= usual / 2)
            continue; /* a row is late or missing */
        p.sum += step;
        p.square += step * step;
        p.n++;
    }
    return p;
}

bool ws_stamps_may_keep_places(const int64_t *t, size_t n, size_t k)
{
    double least = INFINITY, most = -INFINITY, variance = 0,
           usual = n > 1 ? (double)(t[n - 1] - t[0]) / (double)(n - 1) : 0;
    for (size_t place = 0; place < k; place++) {
        step_place p = steps_to(t, n, k, place, usual);
        if (p.n < WS_CYCLE_PARTS)
            return false;
        double mean = p.sum / (double)p.n;
        least = fmin(least, mean);
        most = fmax(most, mean);
        variance = fmax(variance, (p.square / (double)p.n - mean * mean) / (double)p.n);
    }
    double rounding = WS_CYCLE_LEAST_STAMP_UNITS * unit_of(t, n);
    if (variance * (double)(n / k) <= rounding * rounding)
        return true; /* the stamps do not scatter */
    return most - least > fmax(WS_CYCLE_STEP_ERRORS * sqrt(2 * variance), rounding);
}

/* --- all signs --- */

/* A GPU's temperature does not jump from row to row, that of one behind another does. */
static bool has_jumps(const ws_turns *x)
{
    return x->temperature && mean_difference(x->temperature, x->n, 1) >= WS_CYCLE_LEAST_JUMP_C;
}

size_t ws_turns_steps_of(const ws_turns *x, const double *value)
{
    return value ? ws_cycle_of_readings(value, x->n < WS_TURNS_STEPS ? x->n : WS_TURNS_STEPS) : 0;
}

/* Where rows are missing readings come back in most rows only, and best after as many rows as there are devices. */
static size_t rows_to_return_or_miss(const ws_turns *x, const double *value, double most)
{
    size_t k = ws_turns_rows_to_return(x, value, most), best = 0;
    if (!value || (k && k <= WS_MOST_GPUS_OF_A_NODE))
        return k;
    double least = WS_TURNS_MISSED_PLACE * mean_difference(value, x->n, 1);
    for (size_t lag = 2; lag <= WS_MOST_GPUS_OF_A_NODE && lag * WS_TURNS_LEAST_POLLS <= x->n; lag++) {
        double d = mean_difference(value, x->n, lag);
        if (d < least)
            best = lag, least = d;
    }
    return best ? best : k;
}

ws_turn_signs ws_turns_read_signs(const ws_turns *x, bool is_fine)
{
    ws_turn_signs s = {.memory = rows_to_return_or_miss(x, x->memory, WS_TURNS_SAME_MEMORY),
                       .power = ws_turns_rows_to_return(x, x->power, WS_TURNS_SAME_PLACE)};
    s.temperature = has_jumps(x) ? rows_to_return_or_miss(x, x->temperature, WS_TURNS_SAME_PLACE) : 0;
    s.temperature_steps = has_jumps(x) ? ws_turns_steps_of(x, x->temperature) : 0;
    s.power_steps = ws_turns_steps_of(x, x->power);
    s.util_steps = ws_turns_steps_of(x, x->util);
    s.clock_steps = ws_turns_steps_of(x, x->clock);
    s.time = rows_of_polls(x, is_fine, &s.poll_ns);
    s.time_steps = is_fine ? ws_cycle_of_stamps(x->t, x->n < WS_TURNS_STEPS ? x->n : WS_TURNS_STEPS) : 0;
    return s;
}

/* The mean of |x[i] - x[i-lag]|, none of them counted as more than `most`. */
static double clipped_difference(const double *value, size_t n, size_t lag, double most)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = lag; i < n; i++) {
        double d = fabs(value[i] - value[i - lag]);
        sum += isnan(d) ? 0 : fmin(d, most);
        pairs += isnan(d) ? 0 : 1;
    }
    return pairs ? sum / (double)pairs : NAN;
}

/* So far apart are most neighbours; a change of the load is more. */
static double usual_difference(const double *value, size_t n)
{
    double *size = ws_alloc((n + 1) * sizeof *size), usual;
    size_t used = 0;
    for (size_t i = 1; i < n; i++)
        if (value[i] < value[i - 1] || value[i] > value[i - 1])
            size[used++] = fabs(value[i] - value[i - 1]);
    qsort(size, used, sizeof *size, by_size);
    usual = used ? size[used / 2] : 0;
    free(size);
    return usual;
}

static bool repeats_itself(const double *value, size_t n)
{
    size_t same = 0;
    for (size_t i = 1; i < n; i++)
        same += value[i] == value[i - 1] ? 1 : 0;
    return (double)same >= WS_NEIGHBOURS_SAME * (double)n;
}

bool ws_neighbours_are_alike(const double *value, size_t n)
{
    if (n < WS_NEIGHBOURS_LEAST_ROWS || repeats_itself(value, n))
        return true;
    double most = WS_NEIGHBOURS_CLIPPED * usual_difference(value, n), nearest = INFINITY;
    double neighbours = clipped_difference(value, n, 1, most);
    for (size_t lag = 2; lag <= MOST && lag < n; lag++)
        nearest = fmin(nearest, clipped_difference(value, n, lag, most));
    return !(neighbours > 0) || nearest >= WS_NEIGHBOURS_NEARER * neighbours;
}

bool ws_turns_stamps_are_fine(const int64_t *t, size_t n)
{
    bool is_fine = false;
    for (size_t i = 0; t && i < n; i++)
        is_fine |= t[i] % NS_PER_S != 0;
    return is_fine;
}
