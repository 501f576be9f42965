/* The usual samples of a channel, in batches: readings that are small integers in some unit.
 *
 * Nearly all are: powers and utilisations are decimals, and what is stored as a float, in MiB or in MHz is a whole multiple of
 * some power of two. One multiplication a term sums them exactly. The first sample that is something else ends it. */
#include "analyze/measure/batch_sums.h"
#include "analyze/measure/meter_internal.h"

#include "core/avx2.h"

#include <math.h>
#include <string.h>

static const double MOST_UNITS = (1 << WS_BATCH_UNIT_BITS) - 1;

/* In which readings are counted: 1 / per. */
typedef struct unit {
    double per, beside; /* as of ws_is_whole */
    int64_t parts;      /* of a decimal unit: how many WS_PARTS it is; else 0, */
    int places;         /* and per is 2^places */
} unit;

/* Rows of a block whose readings are whole units or missing. */
typedef struct batch {
    size_t n;
    int64_t units[WS_BATCH + 1], t_ns[WS_BATCH + 1]; /* the reading before stands in front */
    unsigned char row[WS_BATCH + 1];                 /* where each of the n stands, and where the last ends */
} batch;

typedef struct tally {
    int quarter_octave;
    ws_interval_sums sums;
} tally;

/* Two octaves around the usual interval: its leading bits find the tally. */
enum { PLACES = 16, LEAST_PLACE = 4, TALLIES = 8 };

/* What the batches come to. */
typedef struct stretch {
    int64_t last, last_t; /* the reading before */
    int64_t least, most, longest_ns;
    uint64_t n;
    __int128 total, squares;
    int n_tallies, shift;
    tally *at[PLACES]; /* the tally of intervals with these leading bits; NULL: not looked up yet */
    tally *tallies;
} stretch;

/* So that the interval stands away from the ends of the table. */
static void move_table(stretch *s, uint64_t step)
{
    int octave = 63 - __builtin_clzll(step - step / 4);
    s->shift = octave >= 2 ? octave - 2 : 0;
    if (s->n_tallies)
        memset(s->at, 0, sizeof s->at);
}

static __attribute__((noinline)) tally *look_up(stretch *s, uint64_t step)
{
    if (step - 1 >= (uint64_t)WS_MOST_FACTOR)
        return NULL; /* a step back or none is one, too */
    if (step >> s->shift >= PLACES || (s->shift && step >> s->shift < LEAST_PLACE))
        move_table(s, step);
    int i = 0, quarter_octave = ws_quarter_octave((int64_t)step);
    while (i < s->n_tallies && s->tallies[i].quarter_octave != quarter_octave)
        i++;
    if (i == TALLIES)
        return NULL;
    if (i == s->n_tallies)
        s->tallies[s->n_tallies++] = (tally){.quarter_octave = quarter_octave};
    return s->at[step >> s->shift] = &s->tallies[i];
}

static inline tally *tally_of(stretch *s, uint64_t step)
{
    uint64_t place = step >> s->shift;
    return place < PLACES && s->at[place] ? s->at[place] : look_up(s, step);
}

static void add_to(tally *t, const ws_interval_sums *sums)
{
    t->sums.count += sums->count;
    t->sums.total_ns += sums->total_ns;
    t->sums.integral += sums->integral;
    t->sums.squares += sums->squares;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* False where intervals are not as in a steady trace. */
static bool integrate_at_once(stretch *s, const batch *b)
{
    ws_batch_sums sums;
    if (b->n < WS_BATCH || !ws_sum_batch(&sums, b->units, b->t_ns))
        return false;
    tally *shorter = tally_of(s, (uint64_t)sums.shortest_ns), *longer = tally_of(s, (uint64_t)sums.longest_ns);
    if (!shorter || !longer)
        return false;
    add_to(shorter, &sums.shorter);
    add_to(longer, &sums.longer);
    s->last = b->units[WS_BATCH];
    s->last_t = b->t_ns[WS_BATCH];
    s->least = least_of(s->least, sums.least);
    s->most = most_of(s->most, sums.most);
    s->longest_ns = most_of(s->longest_ns, sums.longest_ns);
    s->n += WS_BATCH;
    s->total += sums.total;
    s->squares += sums.squares;
    return true;
}

/* How many readings were taken: all, or those in front of an interval that has no tally. */
static size_t integrate_each(stretch *s, const batch *b)
{
    int64_t last = s->last, last_t = s->last_t, total = 0;
    uint64_t last_square = (uint64_t)(last * last), squares = 0;
    size_t i = 0;
    for (; i < b->n; i++) {
        int64_t units = b->units[i + 1];
        uint64_t step = (uint64_t)b->t_ns[i + 1] - (uint64_t)last_t;
        tally *of = tally_of(s, step);
        if (!of)
            break;
        uint64_t square = (uint64_t)(units * units);
        of->sums.count++;
        of->sums.total_ns += (int64_t)step;
        of->sums.integral += (__int128)(last + units) * (int64_t)step;
        of->sums.squares += (__int128)((unsigned __int128)(last_square + square) * step);
        total += units;
        squares += square;
        s->least = least_of(s->least, units);
        s->most = most_of(s->most, units);
        s->longest_ns = most_of(s->longest_ns, (int64_t)step);
        last_t = b->t_ns[i + 1];
        last = units;
        last_square = square;
    }
    s->last = last;
    s->last_t = last_t;
    s->n += i;
    s->total += total;
    s->squares += squares;
    return i;
}

static size_t integrate(stretch *s, const batch *b)
{
    return integrate_at_once(s, b) ? b->n : integrate_each(s, b);
}

static bool fits(const unit *u, double value)
{
    double units;
    return ws_is_whole(value, u->per, u->beside, MOST_UNITS, &units);
}

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));

/* ws_is_whole of a full batch, four at a time and without a branch. Made for each kind of machine, and the same on all. */
static inline __attribute__((always_inline)) bool are_whole(const double *value, const unit *u, int64_t *units)
{
    const four zero = {WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE};
    const four_bits size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}; /* all but the sign */
    four_bits hits = {0};
    for (int i = 0; i < WS_BATCH; i += 4) {
        four x, y;
        memcpy(&x, value + i, sizeof x);
        y = x * u->per + zero;
        four_bits whole = (four_bits)y - (four_bits)zero;
        memcpy(units + i, &whole, sizeof whole);
        y -= zero;
        four back = y / u->per, off = back - x;
        four_bits is_near = (four)((four_bits)off & size) <= (four)((four_bits)back & size) * u->beside;
        four_bits is_small = (four)((four_bits)y & size) <= MOST_UNITS;
        hits += is_near & is_small; /* -1 where it is true */
    }
    return hits[0] + hits[1] + hits[2] + hits[3] == -WS_BATCH;
}

static bool are_whole_portable(const double *value, const unit *u, int64_t *units)
{
    return are_whole(value, u, units);
}

#if defined __x86_64__
WS_AVX2 static bool are_whole_avx2(const double *value, const unit *u, int64_t *units)
{
    return are_whole(value, u, units);
}
#else
#define are_whole_avx2 are_whole_portable
#endif

static bool all_are_whole(const double *value, const unit *u, int64_t *units)
{
    return (ws_has_avx2() ? are_whole_avx2 : are_whole_portable)(value, u, units);
}

/* Up to a reading that is neither whole nor missing. */
static void gather(batch *b, const unit *u, const double *value, const int64_t *t_ns, size_t n)
{
    size_t i = 0;
    double shifted;
    for (b->n = 0; i < n && i < WS_BATCH; i++) {
        b->row[b->n] = (unsigned char)i;
        if (ws_is_whole(value[i], u->per, u->beside, MOST_UNITS, &shifted)) {
            b->n++;
            b->units[b->n] = ws_low_bits(shifted);
            b->t_ns[b->n] = t_ns[i];
        } else if (!isnan(value[i])) {
            break;
        }
    }
    b->row[b->n] = (unsigned char)i;
}

/* How many rows were taken, those that miss included. */
static size_t take_batch(stretch *s, const unit *u, const double *value, const int64_t *t_ns, size_t n)
{
    batch b;
    b.n = WS_BATCH;
    b.units[0] = s->last;
    b.t_ns[0] = s->last_t;
    if (n >= WS_BATCH && fits(u, value[WS_BATCH - 1]) && all_are_whole(value, u, b.units + 1)) {
        memcpy(b.t_ns + 1, t_ns, WS_BATCH * sizeof *t_ns);
        return integrate(s, &b);
    }
    gather(&b, u, value, t_ns, n);
    return b.row[integrate(s, &b)];
}

static void add_units(ws_total *total, __int128 units, const unit *u)
{
    if (u->parts)
        ws_total_add_parts(total, units, u->parts);
    else
        ws_sum_add_units(&total->other, units, u->places);
}

static void end(const stretch *s, const unit *u, ws_meter *m)
{
    unit squared = {.parts = u->parts * u->parts, .places = 2 * u->places};
    for (int i = 0; i < s->n_tallies; i++) {
        const tally *from = &s->tallies[i];
        ws_interval_bucket *bucket = ws_meter_bucket(m, from->quarter_octave);
        bucket->count += from->sums.count;
        bucket->total_ns = ws_ns_plus(bucket->total_ns, from->sums.total_ns);
        add_units(&bucket->integral, from->sums.integral, u);
        add_units(&bucket->squares, from->sums.squares, &squared);
    }
    add_units(&m->total, s->total, u);
    add_units(&m->squares, s->squares, &squared);
    double least = (double)s->least / u->per, most = (double)s->most / u->per;
    m->samples += s->n;
    m->min = least < m->min ? least : m->min;
    m->max = most > m->max ? most : m->max;
    m->longest_ns = s->longest_ns > m->longest_ns ? s->longest_ns : m->longest_ns;
    m->last_value = (double)s->last / u->per;
    m->last_t = s->last_t;
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

/* Where the stamps leave the window. */
static size_t end_inside(const ws_meter *m, const ws_block *block, size_t i)
{
    if (!m->options.has_window)
        return block->n;
    while (i < block->n && block->t_ns[i] <= m->options.window_end_ns)
        i++;
    return i;
}

/* The unit in which the last reading and the next are whole: the finest decimal or the finest binary one that leaves room for the largest
 * reading. Thousandths are the coarsest decimal: hundredths would leave room for readings that no longer count as decimals
 * (WS_MOST_PARTS). A binary unit takes no decimal for a binary number: with so few bits, none comes as near to a millionth as counts as
 * one without being it. */
static bool find_unit(const ws_meter *m, double next, unit *u)
{
    static const unit decimals[] = {
        {1e6, WS_BESIDE, 1, 0}, {1e5, WS_BESIDE, 10, 0}, {1e4, WS_BESIDE, 100, 0}, {1e3, WS_BESIDE, 1000, 0}};
    double largest = fmax(fmax(fabs(m->min), fabs(m->max)), fabs(next));
    size_t i = 0;
    while (i + 1 < sizeof decimals / sizeof *decimals && !(largest * decimals[i].per <= MOST_UNITS))
        i++;
    *u = decimals[i];
    if (fits(u, m->last_value) && fits(u, next))
        return true;
    int places = ws_sum_places(largest) - WS_UNIT_BITS + WS_BATCH_UNIT_BITS;
    *u = (unit){ldexp(1, places), 0, 0, places};
    return fits(u, m->last_value) && fits(u, next);
}

size_t ws_meter_batches(ws_meter *m, const ws_block *block, size_t first)
{
    unit u;
    double last;
    if (!ws_meter_is_usual(m, block) || !m->samples || !find_unit(m, block->value[first], &u))
        return 0;
    tally tallies[TALLIES];
    stretch s = {.last_t = m->last_t, .least = INT64_MAX, .most = INT64_MIN, .tallies = tallies};
    ws_is_whole(m->last_value, u.per, u.beside, MOST_UNITS, &last);
    s.last = ws_low_bits(last);
    size_t stop = end_inside(m, block, first), i = first, taken;
    do {
        taken = take_batch(&s, &u, block->value + i, block->t_ns + i, stop - i);
        i += taken;
    } while (taken == WS_BATCH && i < stop);
    if (s.n)
        end(&s, &u, m);
    if (m->min <= 0 || s.n < i - first)
        see_odd_rows(m, block, first, i);
    return i - first;
}
