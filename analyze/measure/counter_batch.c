/* Many readings of a counter at once.
 *
 * Rises telescope: of readings that only rise, inside the window and at rising stamps, the sums need the last one less
 * the first. What remains for each is its interval and its rise, both whole numbers, counted by the length of the
 * interval; the least rise; and the largest power, for which nearly all need a comparison and no division. Whatever
 * else comes - a zero, a fall, a reading again, a missing cell, a repeated stamp, an edge of the window - ends the
 * batch and is taken by itself (meter.c). Any way of cutting readings into batches gives the same bits. */
#include "analyze/measure/meter_internal.h"
#include "core/avx2.h"

#include <math.h>
#include <string.h>

enum { BATCH = 64, FOURS = BATCH / 4, TALLIES = 8 };

/* Readings as whole units of millionths or, above that, of thousandths of a joule: as ws_counter_millionths. */
static const double MOST_UNITS = 0x1p50;
static const double LONGEST_NS = 0x1p40;

/* A comparison of products in double decides as the powers themselves do, beyond this margin. */
static const double SURELY_LESS = 1 - 0x1p-40;

/* The intervals of one quarter octave. */
typedef struct rise_tally {
    int quarter_octave;
    double from_ns, width_ns;
    double enough; /* units a ns: a rise beyond it may be the largest power of an interval of this octave */
    uint64_t count;
    int64_t total_ns, units;
} rise_tally;

typedef struct rises {
    ws_meter *meter;
    double per;    /* units of 1/per J */
    int64_t scale; /* millionths in a unit */
    double last;   /* in units */
    int64_t last_t;
    double last_value;        /* as it was read */
    double least, longest_ns; /* of the rises, in units, and of the intervals */
    uint64_t n;
    int n_tallies;
    double creep; /* units a ns; what rises by less may stand still */
    rise_tally tallies[TALLIES], *current;
} rises;

typedef struct rise_steps {
    double units[BATCH + 1]; /* readings, the one before at the front */
    double rise[BATCH], ns[BATCH];
    double least, shortest_ns, longest_ns;
} rise_steps;

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));

#define EACH(x)            \
    {                      \
        (x), (x), (x), (x) \
    }
#define INLINED static inline __attribute__((always_inline))

/* Below 0 where they step back. */
INLINED double ns_between(int64_t from, int64_t to)
{
    return to > from ? (double)((uint64_t)to - (uint64_t)from) : -1;
}

INLINED void load_four(four *x, const double *from)
{
    memcpy(x, from, sizeof *x);
}

/* behind - before. Exact between 0 and 2^52; below 0 or not a number for what steps back. */
#define STEPS(before, behind) ((four)((behind) - (before) + (four_bits)(four)EACH(0x1p52)) - (four)EACH(0x1p52))

INLINED void keep_least(four *least, const four *x)
{
    four_bits is_less = *x < *least;
    *least = (four)(((four_bits)*x & is_less) | ((four_bits)*least & ~is_less));
}

INLINED double least_in(const four *x)
{
    double least = (*x)[0];
    for (int i = 1; i < 4; i++)
        least = (*x)[i] < least ? (*x)[i] : least;
    return least;
}

/* Each with the one before it: to load what was just stored would take long. */
#define BEFORE(last, now) __builtin_shufflevector(last, now, 3, 4, 5, 6)

/* Of BATCH readings; the one before them is in s->units[0], and its stamp is last_t. False where one is not usual. */
INLINED bool find_steps(rise_steps *s, const double *value, const int64_t *t_ns, int64_t last_t, double per)
{
    const four to_whole = EACH(WS_TO_WHOLE), zero = EACH(0), longest = EACH(LONGEST_NS), most = EACH(MOST_UNITS);
    const four_bits size = EACH(INT64_MAX); /* all but the sign */
    four_bits hits = EACH(0);
    four least = EACH(INFINITY), shortest = least,
         longer = least; /* longer: of the negative, so that the least counts */
    four last = EACH(s->units[0]);
    four_bits last_stamps = EACH(last_t);
    for (int i = 0; i < BATCH; i += 4) {
        four x, ns;
        four_bits stamps;
        load_four(&x, value + i);
        four whole = x * per + to_whole - to_whole, back = whole / per, off = back - x;
        memcpy(s->units + i + 1, &whole, sizeof whole);
        memcpy(&stamps, t_ns + i, sizeof stamps);
        ns = STEPS(BEFORE(last_stamps, stamps), stamps);
        four rise = whole - BEFORE(last, whole), below = -ns;
        last = whole;
        last_stamps = stamps;
        memcpy(s->rise + i, &rise, sizeof rise);
        memcpy(s->ns + i, &ns, sizeof ns);
        four_bits is_whole = ((four)((four_bits)off & size) <= back * WS_BESIDE) & (whole <= most);
        hits += is_whole & (rise > zero) & (ns > zero) & (ns <= longest); /* -1 where all are true */
        keep_least(&least, &rise);
        keep_least(&shortest, &ns);
        keep_least(&longer, &below);
    }
    s->least = least_in(&least);
    s->shortest_ns = least_in(&shortest);
    s->longest_ns = -least_in(&longer);
    return hits[0] + hits[1] + hits[2] + hits[3] == -BATCH && t_ns[BATCH - 1] > last_t;
}

/* The intervals of `from_ns` and more. */
INLINED void sum_longer(const rise_steps *s, double from_ns, double *count, double *ns, double *units)
{
    const four from = EACH(from_ns), one = EACH(1);
    four counts = EACH(0), steps = counts, sums = counts;
    for (int i = 0; i < BATCH; i += 4) {
        four step, rise;
        load_four(&step, s->ns + i);
        load_four(&rise, s->rise + i);
        four_bits is_longer = step >= from;
        counts += (four)((four_bits)one & is_longer);
        steps += (four)((four_bits)step & is_longer);
        sums += (four)((four_bits)rise & is_longer);
    }
    *count = counts[0] + counts[1] + counts[2] + counts[3];
    *ns = steps[0] + steps[1] + steps[2] + steps[3];
    *units = sums[0] + sums[1] + sums[2] + sums[3];
}

INLINED bool any_beyond(const rise_steps *s, double units_a_ns)
{
    const four enough = EACH(units_a_ns);
    four_bits above = EACH(0);
    for (int i = 0; i < BATCH; i += 4) {
        four step, rise;
        load_four(&step, s->ns + i);
        load_four(&rise, s->rise + i);
        above |= rise > step * enough;
    }
    return above[0] | above[1] | above[2] | above[3];
}

INLINED bool rise_slowly(const double *value, const int64_t *t_ns, size_t n, double joules_a_ns)
{
    const four zero = EACH(0), slow = EACH(joules_a_ns), longest = EACH(LONGEST_NS);
    four_bits hits = EACH(0);
    size_t i = 0;
    for (; i + 5 <= n; i += 4) {
        four before, behind;
        four_bits from, to;
        load_four(&before, value + i);
        load_four(&behind, value + i + 1);
        memcpy(&from, t_ns + i, sizeof from);
        memcpy(&to, t_ns + i + 1, sizeof to);
        four rise = behind - before, ns = STEPS(from, to);
        hits += (rise >= zero) & (ns > zero) & (ns <= longest) & (rise <= ns * slow); /* -1 where all are true */
    }
    bool all = hits[0] + hits[1] + hits[2] + hits[3] + (int64_t)i == 0;
    for (; i + 1 < n; i++) {
        double rise = value[i + 1] - value[i], ns = ns_between(t_ns[i], t_ns[i + 1]);
        all &= rise >= 0 && ns > 0 && ns <= LONGEST_NS && rise <= ns * joules_a_ns;
    }
    return all;
}

/* Made for each kind of machine, and the same on all. */
typedef struct kernels {
    bool (*find_steps)(rise_steps *, const double *, const int64_t *, int64_t, double);
    void (*sum_longer)(const rise_steps *, double, double *, double *, double *);
    bool (*any_beyond)(const rise_steps *, double);
    bool (*rise_slowly)(const double *, const int64_t *, size_t, double);
} kernels;

#define KERNELS(target, kind)                                                                                        \
    target static bool find_steps_##kind(rise_steps *s, const double *value, const int64_t *t_ns, int64_t last_t,    \
                                         double per)                                                                 \
    {                                                                                                                \
        return find_steps(s, value, t_ns, last_t, per);                                                              \
    }                                                                                                                \
    target static void sum_longer_##kind(const rise_steps *s, double from, double *count, double *ns, double *units) \
    {                                                                                                                \
        sum_longer(s, from, count, ns, units);                                                                       \
    }                                                                                                                \
    target static bool any_beyond_##kind(const rise_steps *s, double enough)                                         \
    {                                                                                                                \
        return any_beyond(s, enough);                                                                                \
    }                                                                                                                \
    target static bool rise_slowly_##kind(const double *value, const int64_t *t_ns, size_t n, double slow)           \
    {                                                                                                                \
        return rise_slowly(value, t_ns, n, slow);                                                                    \
    }                                                                                                                \
    static const kernels kind = {find_steps_##kind, sum_longer_##kind, any_beyond_##kind, rise_slowly_##kind};

KERNELS(, portable)
#if defined __x86_64__
KERNELS(WS_AVX2, avx2)
#else
#define avx2 portable
#endif

static const kernels *kernels_here(void)
{
    return ws_has_avx2() ? &avx2 : &portable;
}

bool ws_block_rises_slowly(const ws_block *b, double most_w)
{
    double joules_a_ns = most_w / WS_NS_PER_S * SURELY_LESS;
    bool may_rise = b->n && b->t_ns && b->value[0] > 0 && b->t_ns[b->n - 1] >= b->t_ns[0];
    return may_rise && kernels_here()->rise_slowly(b->value, b->t_ns, b->n, joules_a_ns);
}

/* --- tallies --- */

static void set_enough(const rises *r, rise_tally *t)
{
    t->enough = r->meter->most_w[t->quarter_octave / 4] * r->per / WS_NS_PER_S * SURELY_LESS;
}

/* NULL: there is no room for another. Good until the stretch ends. */
static rise_tally *rise_tally_of(rises *r, double ns)
{
    rise_tally *t = r->current;
    if (t && ns >= t->from_ns && ns < t->from_ns + t->width_ns)
        return t;
    int quarter_octave = ws_quarter_octave((int64_t)ns);
    for (int i = 0; i < r->n_tallies; i++)
        if (r->tallies[i].quarter_octave == quarter_octave)
            return r->current = &r->tallies[i];
    if (r->n_tallies == TALLIES)
        return NULL;
    int octave = quarter_octave / 4;
    double width_ns = ldexp(1, octave >= 2 ? octave - 2 : 0);
    t = &r->tallies[r->n_tallies++];
    *t = (rise_tally){
        .quarter_octave = quarter_octave, .from_ns = floor(ns / width_ns) * width_ns, .width_ns = width_ns};
    set_enough(r, t);
    return r->current = t;
}

static void see_power(rises *r, rise_tally *t, double units, double ns)
{
    if (!(units > t->enough * ns))
        return;
    ws_meter_see_rise(r->meter, (double)((int64_t)units * r->scale) / WS_PARTS, (int64_t)ns);
    for (int i = 0; i < r->n_tallies; i++)
        set_enough(r, &r->tallies[i]);
}

static void add_to_rises(rise_tally *t, uint64_t count, int64_t ns, int64_t units)
{
    t->count += count;
    t->total_ns += ns;
    t->units += units;
}

/* --- readings --- */

/* A rise that is none, or nearly: such readings are taken one by one (ws_creep_w). */
static bool may_creep(const rises *r, double units, double ns)
{
    return units < r->creep * ns;
}

/* BATCH readings; false where they are not usual, or their intervals not of a steady poll. */
static bool take_whole_batch(rises *r, const kernels *k, const double *value, const int64_t *t_ns)
{
    rise_steps s;
    s.units[0] = r->last;
    if (!k->find_steps(&s, value, t_ns, r->last_t, r->per) || may_creep(r, s.least, s.longest_ns) ||
        ws_quarter_octave((int64_t)s.longest_ns) - ws_quarter_octave((int64_t)s.shortest_ns) > 1)
        return false;
    rise_tally *shorter = rise_tally_of(r, s.shortest_ns), *longer = rise_tally_of(r, s.longest_ns);
    if (!shorter || !longer)
        return false;
    double count = BATCH, ns = (double)(t_ns[BATCH - 1] - r->last_t), units = s.units[BATCH] - s.units[0];
    double longer_count = 0, longer_ns = 0, longer_units = 0;
    if (shorter != longer)
        k->sum_longer(&s, longer->from_ns, &longer_count, &longer_ns, &longer_units);
    if (k->any_beyond(&s, fmin(shorter->enough, longer->enough)))
        for (int i = 0; i < BATCH; i++)
            see_power(r, s.ns[i] < longer->from_ns ? shorter : longer, s.rise[i], s.ns[i]);
    add_to_rises(shorter, (uint64_t)(count - longer_count), (int64_t)(ns - longer_ns), (int64_t)(units - longer_units));
    add_to_rises(longer, (uint64_t)longer_count, (int64_t)longer_ns, (int64_t)longer_units);
    r->least = fmin(r->least, s.least);
    r->longest_ns = fmax(r->longest_ns, s.longest_ns);
    r->last = s.units[BATCH];
    r->last_t = t_ns[BATCH - 1];
    r->last_value = value[BATCH - 1];
    r->n += BATCH;
    return true;
}

/* Up to the first reading that is not usual. */
static size_t take_each(rises *r, const double *value, const int64_t *t_ns, size_t n)
{
    size_t i = 0;
    for (; i < n; i++) {
        double shifted, units, ns = ns_between(r->last_t, t_ns[i]);
        if (!ws_is_whole(value[i], r->per, WS_BESIDE, MOST_UNITS, &shifted))
            break;
        units = shifted - WS_TO_WHOLE;
        if (!(units > r->last) || ns < 0 || ns > LONGEST_NS)
            break;
        rise_tally *t = rise_tally_of(r, ns);
        if (!t)
            break;
        double rise = units - r->last;
        if (may_creep(r, rise, ns))
            break;
        add_to_rises(t, 1, (int64_t)ns, (int64_t)rise);
        see_power(r, t, rise, ns);
        r->least = fmin(r->least, rise);
        r->longest_ns = fmax(r->longest_ns, ns);
        r->last = units;
        r->last_t = t_ns[i];
        r->last_value = value[i];
    }
    r->n += i;
    return i;
}

/* Is the next reading of a running counter expected to be one more rise? */
static bool may_begin(const ws_meter *m, const ws_block *block, size_t first)
{
    return m->has_last && m->samples && m->still.has_moved && m->still.n == 0 && m->last_value > 0 && block->t_ns &&
           m->time != WS_TIME_NONE && ws_meter_is_inside(m, m->last_t) && block->t_ns[first] > m->last_t &&
           block->value[first] > m->last_value;
}

/* The unit of the last reading; false where it has none. The tallies are set as they are needed. */
static bool begin_rises(rises *r, ws_meter *m)
{
    enum { THOUSANDTHS = 1000 };
    bool is_large = m->last_value * WS_PARTS > MOST_UNITS;
    double shifted, per = is_large ? THOUSANDTHS : WS_PARTS;
    r->meter = m;
    r->per = per;
    r->scale = is_large ? WS_PARTS / THOUSANDTHS : 1;
    r->last_t = m->last_t;
    r->last_value = m->last_value;
    r->least = INFINITY;
    r->creep = ws_creep_w(m->domain) * per / WS_NS_PER_S * (2 - SURELY_LESS);
    r->longest_ns = 0;
    r->n = 0;
    r->n_tallies = 0;
    r->current = NULL;
    if (!ws_is_whole(m->last_value, per, WS_BESIDE, MOST_UNITS, &shifted))
        return false;
    r->last = shifted - WS_TO_WHOLE;
    return true;
}

static void end_rises(const rises *r)
{
    ws_meter *m = r->meter;
    double last = ws_as_stated(r->last_value), least_j = (double)((int64_t)r->least * r->scale) / WS_PARTS;
    for (int i = 0; i < r->n_tallies; i++) {
        const rise_tally *t = &r->tallies[i];
        ws_interval_bucket *bucket = ws_meter_bucket(m, t->quarter_octave);
        bucket->count += t->count;
        bucket->total_ns = ws_ns_plus(bucket->total_ns, t->total_ns);
        ws_total_add_parts(&bucket->integral, (__int128)t->units * r->scale, WS_INTEGRAL_PER_J);
    }
    ws_total_add_counter(&m->steps, last, 1);
    ws_total_add_counter(&m->steps, m->last_value, -1);
    m->samples += r->n;
    m->max = last > m->max ? last : m->max;
    m->longest_ns = (int64_t)r->longest_ns > m->longest_ns ? (int64_t)r->longest_ns : m->longest_ns;
    if (!(m->still.least_rise_j > 0 && m->still.least_rise_j <= least_j))
        m->still.least_rise_j = least_j;
    m->still.from_ns = m->last_t = r->last_t;
    m->last_value = last;
}

/* Where the stamps leave the window. */
static size_t inside_until(const ws_meter *m, const ws_block *block, size_t i)
{
    if (!m->options.has_window)
        return block->n;
    while (i < block->n && block->t_ns[i] <= m->options.window_end_ns)
        i++;
    return i;
}

size_t ws_meter_push_rises(ws_meter *m, const ws_block *block, size_t first)
{
    rises r;
    if (!may_begin(m, block, first) || !begin_rises(&r, m))
        return 0;
    const kernels *k = kernels_here();
    size_t stop = inside_until(m, block, first), i = first, taken;
    do {
        size_t n = stop - i < BATCH ? stop - i : BATCH;
        bool is_whole = n == BATCH && take_whole_batch(&r, k, block->value + i, block->t_ns + i);
        taken = is_whole ? BATCH : take_each(&r, block->value + i, block->t_ns + i, n);
        i += taken;
    } while (taken == BATCH && i < stop);
    if (r.n)
        end_rises(&r);
    return r.n;
}
