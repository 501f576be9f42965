/* The usual samples of a channel of decimals, as nearly all are: whole thousandths, many at once.
 *
 * Their sums are integers that lie in the meter and its buckets, so that a run of them needs no beginning and no end. The
 * first sample that is something else ends it. */
#include "analyze/measure/meter_steps.h"

#include <math.h>
#include <string.h>

/* Two octaves around the usual interval: its leading bits find the bucket. */
enum { PLACES = 16, LEAST_PLACE = 4 };

/* Their squares fit into 64 bits. */
enum { MOST_AT_ONCE = 64 };

/* Rows of a block whose readings are whole thousandths or missing. */
typedef struct batch {
    size_t n;
    double thousandths[MOST_AT_ONCE]; /* for ws_low_bits */
    int64_t t_ns[MOST_AT_ONCE];
    unsigned char row[MOST_AT_ONCE + 1]; /* where each reading stands, and where the last ends */
} batch;

typedef struct ladder {
    int shift;
    ws_interval_bucket *rungs[PLACES]; /* of intervals with these leading bits; NULL: not looked up yet */
} ladder;

/* So that the interval stands away from the ends of the ladder. */
static void move(ladder *l, uint64_t step)
{
    int octave = 63 - __builtin_clzll(step - step / 4);
    *l = (ladder){.shift = octave >= 2 ? octave - 2 : 0};
}

static __attribute__((noinline)) ws_interval_bucket *look_up(ladder *l, ws_meter *m, uint64_t step)
{
    if (step - 1 >= (uint64_t)WS_MOST_FACTOR)
        return NULL; /* a step back or none is one, too */
    if (step >> l->shift >= PLACES || (l->shift && step >> l->shift < LEAST_PLACE))
        move(l, step);
    size_t before = m->n_buckets;
    ws_interval_bucket *bucket = ws_meter_bucket(m, ws_quarter_octave((int64_t)step));
    if (m->n_buckets > before) /* the others have moved */
        memset(l->rungs, 0, sizeof l->rungs);
    return l->rungs[step >> l->shift] = bucket;
}

static inline ws_interval_bucket *bucket_of(ladder *l, ws_meter *m, uint64_t step)
{
    uint64_t place = step >> l->shift;
    return place < PLACES && l->rungs[place] ? l->rungs[place] : look_up(l, m, step);
}

/* Where the stamps leave the window. */
static size_t end_inside(const ws_meter *m, const ws_block *block, size_t i)
{
    if (!m->options.has_window)
        return block->n;
    while (i < block->n && block->t_ns[i] <= m->options.window_end_ns)
        i++;
    return i;
}

typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_bits __attribute__((vector_size(16)));

static inline pair size_of(pair x)
{
    return (pair)((pair_bits)x & INT64_MAX);
}

/* ws_is_thousandths of a full batch, two at a time and without a branch. */
static bool all_are_thousandths(const double *value, double *shifted)
{
    pair_bits misses = {2 * (MOST_AT_ONCE / 2), 2 * (MOST_AT_ONCE / 2)};
    for (int i = 0; i < MOST_AT_ONCE; i += 2) {
        pair x, y;
        memcpy(&x, value + i, sizeof x);
        y = x * WS_PARTS + WS_TO_WHOLE;
        memcpy(shifted + i, &y, sizeof y);
        y -= WS_TO_WHOLE;
        pair_bits is_near = size_of(y / WS_PARTS - x) <= size_of(y) * WS_BESIDE; /* -1 where it is true */
        pair_bits is_small = size_of(y) <= WS_MOST_THOUSANDTHS;
        misses += is_near + is_small;
    }
    return misses[0] == 0 && misses[1] == 0;
}

static void gather_all(batch *b, const int64_t *t_ns)
{
    b->n = MOST_AT_ONCE;
    memcpy(b->t_ns, t_ns, sizeof b->t_ns);
}

/* Up to a reading that is something else. */
static void gather_some(batch *b, const double *value, const int64_t *t_ns, size_t n)
{
    size_t i = 0;
    for (b->n = 0; i < n && i < MOST_AT_ONCE; i++) {
        b->row[b->n] = (unsigned char)i;
        b->t_ns[b->n] = t_ns[i];
        if (ws_is_thousandths(value[i], &b->thousandths[b->n]))
            b->n++;
        else if (!isnan(value[i]))
            break;
    }
    b->row[b->n] = (unsigned char)i;
}

/* Those whose intervals have a bucket: how many. */
static size_t integrate(ws_meter *m, const batch *b, int64_t last)
{
    ladder steps = {.shift = 0};
    int64_t last_t = m->last_t, total = 0, least = INT64_MAX, most = INT64_MIN;
    uint64_t last_square = (uint64_t)(last * last), squares = 0;
    size_t i = 0;
    for (; i < b->n; i++) {
        int64_t units = ws_low_bits(b->thousandths[i]);
        uint64_t step = (uint64_t)b->t_ns[i] - (uint64_t)last_t;
        ws_interval_bucket *bucket = bucket_of(&steps, m, step);
        if (!bucket)
            break;
        uint64_t square = (uint64_t)(units * units);
        bucket->count++;
        bucket->total_ns += (int64_t)step;
        bucket->integral.parts += (__int128)(last + units) * (int64_t)step;
        bucket->squares.parts += (__int128)((unsigned __int128)(last_square + square) * step);
        total += units;
        squares += square;
        least = units < least ? units : least;
        most = units > most ? units : most;
        if ((int64_t)step > m->longest_ns)
            m->longest_ns = (int64_t)step;
        last_t = b->t_ns[i];
        last = units;
        last_square = square;
    }
    if (!i)
        return 0;
    m->samples += i;
    m->total.parts += total;
    m->squares.parts += squares;
    m->min = fmin(m->min, (double)least / WS_PARTS);
    m->max = fmax(m->max, (double)most / WS_PARTS);
    m->last_value = (double)last / WS_PARTS;
    m->last_t = last_t;
    return i;
}

static void see_odd_rows(ws_meter *m, const ws_block *block, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (isnan(block->value[i]))
            ws_meter_see_missing(m, block, i);
        else if (block->value[i] <= 0)
            ws_meter_see_not_positive(m, block, i);
    }
}

size_t ws_meter_decimals(ws_meter *m, const ws_block *block, size_t first)
{
    const double *value = block->value + first;
    int64_t last, next;
    if (!ws_meter_is_usual(m, block) || !ws_thousandths(m->last_value, &last) || !ws_thousandths(*value, &next))
        return 0;
    batch b;
    size_t n = end_inside(m, block, first) - first;
    bool is_full = n >= MOST_AT_ONCE && all_are_thousandths(value, b.thousandths);
    if (is_full)
        gather_all(&b, block->t_ns + first);
    else
        gather_some(&b, value, block->t_ns + first, n);
    size_t taken = integrate(m, &b, last), rows = is_full ? taken : b.row[taken];
    if (m->min <= 0 || !is_full)
        see_odd_rows(m, block, first, first + rows);
    return rows;
}
