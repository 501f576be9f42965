/* Many usual readings at once: in batches where they are small integers in some unit, else in a bulk.
 *
 * Nearly all are small: powers and utilisations are decimals, and what is stored as a float, in MiB or in MHz is a
 * whole multiple of some power of two. One multiplication a term sums them exactly, four terms at a time where the
 * machine can. The first sample that is something else ends a batch, and is taken by itself. */
#include "analyze/measure/meter_internal.h"
#include "core/avx2.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Readings are whole units of up to so many bits: the squares of a batch fit into 64. */
enum { BATCH = 64, BATCH_UNIT_BITS = 29 };

/* So many are worth to be summed at once: a multiple of four. */
enum { LEAST_AT_ONCE = 16 };

/* Does the rule weight readings with time, and is there a previous one? */
static bool is_usual(const ws_meter *m, const ws_block *block)
{
    bool is_rate = m->rule == WS_RULE_TRAPEZOID || m->rule == WS_RULE_NONE || m->rule == WS_RULE_PERUN ||
                   m->rule == WS_RULE_MEAN_TIMES_TIME;
    return is_rate && m->has_last && block->t_ns && m->time != WS_TIME_NONE && ws_meter_is_inside(m, m->last_t);
}

static void see_missing(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see_refused(m, block->t_ns[i], block->line ? block->line[i] : 0);
    m->missing += ws_meter_is_inside(m, block->t_ns[i]);
}

static void see_not_positive(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see(block->value[i] < 0 ? &m->negatives : &m->zeros, block->line ? block->line[i] : 0);
}

/* The intervals of one quarter octave, as in a ws_interval_bucket. */
typedef struct interval_sums {
    uint64_t count;
    int64_t total_ns;
    __int128 integral, squares;
} interval_sums;

typedef struct batch_sums {
    size_t n;
    int64_t least, most, total;
    uint64_t squares;
    int64_t shortest_ns, longest_ns;
    interval_sums shorter, longer; /* longer: of the quarter octave of the longest */
} batch_sums;

#if defined __x86_64__

typedef uint64_t quad __attribute__((vector_size(32)));
typedef int64_t signed_quad __attribute__((vector_size(32)));

/* The sums of four intervals, or of many. Products have up to 64 bits and are summed in two halves: the low 32 bits and
 * the rest. */
typedef struct terms {
    quad integral[2], squares[2];
} terms;

enum { FOURS = BATCH / 4 };
static const quad LOW = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
static const quad EVERY = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

/* Added to the sum of two readings, so that it is not below zero. */
static const uint64_t RAISE = UINT64_C(2) << BATCH_UNIT_BITS;

WS_AVX2 static inline quad load(const void *from)
{
    quad words;
    memcpy(&words, from, sizeof words);
    return words;
}

/* Of the low 32 bits. */
WS_AVX2 static inline quad times(quad a, quad b)
{
    return (quad)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

WS_AVX2 static inline quad square_of(quad units)
{
    return (quad)_mm256_mul_epi32((__m256i)units, (__m256i)units);
}

WS_AVX2 static inline terms terms_of(quad before, quad units, quad step)
{
    quad integral = times(before + units + RAISE, step);
    quad both = square_of(before) + square_of(units), squares = times(both, step);
    return (terms){.integral = {integral & LOW, integral >> 32},
                   .squares = {squares & LOW, (squares >> 32) + times(both >> 32, step)}};
}

WS_AVX2 static inline void add_where(terms *sum, const terms *term, quad where)
{
    for (int half = 0; half < 2; half++) {
        sum->integral[half] += term->integral[half] & where;
        sum->squares[half] += term->squares[half] & where;
    }
}

WS_AVX2 static inline uint64_t total_of(quad x)
{
    return x[0] + x[1] + x[2] + x[3];
}

/* Of four at once. */
WS_AVX2 static inline void find_totals(uint64_t total[4], quad a, quad b, quad c, quad d)
{
    enum { LOWER = 0x20, UPPER = 0x31 };
    __m256i ab = (__m256i)((quad)_mm256_unpacklo_epi64((__m256i)a, (__m256i)b) +
                           (quad)_mm256_unpackhi_epi64((__m256i)a, (__m256i)b));
    __m256i cd = (__m256i)((quad)_mm256_unpacklo_epi64((__m256i)c, (__m256i)d) +
                           (quad)_mm256_unpackhi_epi64((__m256i)c, (__m256i)d));
    quad all = (quad)_mm256_permute2x128_si256(ab, cd, LOWER) + (quad)_mm256_permute2x128_si256(ab, cd, UPPER);
    memcpy(total, &all, sizeof all);
}

/* The upper halves of integrals have so few bits that their sum fits. */
WS_AVX2 static inline interval_sums sums_of(const terms *t, uint64_t count, uint64_t ns)
{
    uint64_t of[4], high = total_of(t->squares[1] >> 32);
    find_totals(of, t->integral[0], t->integral[1], t->squares[0], t->squares[1] & LOW);
    __int128 integral = ((__int128)of[1] << 32) + of[0] - (__int128)RAISE * ns;
    return (interval_sums){count, (int64_t)ns, integral, ((__int128)high << 64) + ((__int128)of[3] << 32) + of[2]};
}

static interval_sums rest_of(const interval_sums *all, const interval_sums *part)
{
    return (interval_sums){all->count - part->count, all->total_ns - part->total_ns, all->integral - part->integral,
                           all->squares - part->squares};
}

/* False if an interval is zero, negative or too long. */
WS_AVX2 static inline bool find_steps(batch_sums *sums, quad *step, int64_t before_ns, const int64_t *t_ns)
{
    const quad first = load(t_ns), before = {(uint64_t)before_ns, first[0], first[1], first[2]};
    quad any = step[0] = first - before, shortest = any, longest = any;
    for (size_t i = 1; i < sums->n / 4; i++) {
        const quad next = step[i] = load(t_ns + 4 * i) - load(t_ns + 4 * i - 1);
        any |= next;
        shortest = (quad)_mm256_min_epu32((__m256i)shortest, (__m256i)next);
        longest = (quad)_mm256_max_epu32((__m256i)longest, (__m256i)next);
    }
    uint64_t least = shortest[0], most = longest[0];
    for (int i = 1; i < 4; i++) {
        least = shortest[i] < least ? shortest[i] : least;
        most = longest[i] > most ? longest[i] : most;
    }
    sums->shortest_ns = (int64_t)least;
    sums->longest_ns = (int64_t)most;
    return least > 0 && (any[0] | any[1] | any[2] | any[3]) <= UINT32_MAX;
}

/* Four readings, or many. */
typedef struct readings {
    quad total, squares, least, most;
} readings;

WS_AVX2 static inline void add_readings(readings *sum, quad units)
{
    sum->total += units;
    sum->squares += square_of(units);
    sum->least = (quad)_mm256_min_epi32((__m256i)sum->least, (__m256i)units);
    sum->most = (quad)_mm256_max_epi32((__m256i)sum->most, (__m256i)units);
}

WS_AVX2 static inline void find_range(batch_sums *sums, quad least, quad most)
{
    sums->least = (int32_t)least[0], sums->most = (int32_t)most[0];
    for (int i = 1; i < 4; i++) {
        sums->least = (int32_t)least[i] < sums->least ? (int32_t)least[i] : sums->least;
        sums->most = (int32_t)most[i] > sums->most ? (int32_t)most[i] : sums->most;
    }
}

/* Where the quarter octave of an interval begins. */
static int64_t quarter_octave_from(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns), below = octave >= 2 ? octave - 2 : 0;
    return ns >> below << below;
}

WS_AVX2 static bool sum_batch(batch_sums *sums, const int64_t *units, int64_t before_ns, const int64_t *t_ns)
{
    quad step[FOURS];
    if (!find_steps(sums, step, before_ns, t_ns) ||
        ws_quarter_octave(sums->longest_ns) - ws_quarter_octave(sums->shortest_ns) > 1)
        return false;
    const quad first = load(units + 1);
    readings read = {.least = first, .most = first};
    terms all = {0}, longer = {0};
    quad longer_n = {0}, longer_ns = {0};
    int64_t from = quarter_octave_from(sums->longest_ns);
    for (size_t i = 0; i < sums->n / 4; i++) {
        const quad now = load(units + 4 * i + 1);
        terms term = terms_of(load(units + 4 * i), now, step[i]);
        quad is_longer = (quad)((signed_quad)step[i] > from - 1);
        longer_n -= is_longer; /* -1 where it is true */
        longer_ns += step[i] & is_longer;
        add_where(&all, &term, EVERY);
        add_where(&longer, &term, is_longer);
        add_readings(&read, now);
    }
    uint64_t of[4];
    find_totals(of, read.total, read.squares, longer_n, longer_ns);
    find_range(sums, read.least, read.most);
    sums->total = (int64_t)of[0];
    sums->squares = of[1];
    interval_sums whole = sums_of(&all, sums->n, (uint64_t)t_ns[sums->n - 1] - (uint64_t)before_ns);
    sums->longer = sums_of(&longer, of[2], of[3]);
    sums->shorter = rest_of(&whole, &sums->longer);
    return true;
}

/* Sums sums->n readings with their stamps; the reading before them is at the front of `units`. False, with the sums in
 * any state, if an interval is zero, negative or longer than four seconds, if they fall into more than one quarter
 * octave and the one below it, and on machines without AVX2. */
static bool sum_whole_batch(batch_sums *sums, const int64_t *units, int64_t before_ns, const int64_t *t_ns)
{
    return ws_has_avx2() && sum_batch(sums, units, before_ns, t_ns);
}

#else

static bool sum_whole_batch(batch_sums *sums, const int64_t *units, int64_t before_ns, const int64_t *t_ns)
{
    (void)sums, (void)units, (void)before_ns, (void)t_ns;
    return false;
}

#endif

static const double MOST_UNITS = (1 << BATCH_UNIT_BITS) - 1;

/* In which readings are counted: 1 / per. */
typedef struct unit {
    double per, beside; /* as of ws_is_whole */
    int64_t parts;      /* of a decimal unit: how many WS_PARTS it is; else 0, */
    int places;         /* and per is 2^places */
} unit;

/* Rows of a block whose readings are whole units or missing. */
typedef struct batch {
    size_t n;
    int64_t units[BATCH + 1], t_ns[BATCH + 1]; /* the reading before them is at the front of the units */
    unsigned char row[BATCH + 1];              /* where each of the n begins, and where the last ends */
} batch;

typedef struct tally {
    int quarter_octave;
    interval_sums sums;
} tally;

/* Two octaves around the usual interval: its leading bits find the tally. */
enum { PLACES = 16, LEAST_PLACE = 4, TALLIES = 8 };

/* The sums of the batches. */
typedef struct stretch {
    int64_t last, last_t; /* the reading before */
    int64_t least, most, longest_ns;
    uint64_t n;
    __int128 total, squares;
    int n_tallies, shift;
    tally *at[PLACES]; /* the tally of intervals with these leading bits; NULL: not looked up yet */
    tally *tallies;
} stretch;

/* So that the interval is away from the ends of the table. */
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

static void add_to(tally *t, const interval_sums *sums)
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

/* n readings, a multiple of four; the one before them is at the front of `units`. False where intervals are not as in a
 * steady trace. */
static bool integrate_at_once(stretch *s, const int64_t *units, const int64_t *t_ns, size_t n)
{
    batch_sums sums = {.n = n};
    if (!sum_whole_batch(&sums, units, s->last_t, t_ns))
        return false;
    tally *shorter = tally_of(s, (uint64_t)sums.shortest_ns), *longer = tally_of(s, (uint64_t)sums.longest_ns);
    if (!shorter || !longer)
        return false;
    add_to(shorter, &sums.shorter);
    add_to(longer, &sums.longer);
    s->last = units[n];
    s->last_t = t_ns[n - 1];
    s->least = least_of(s->least, sums.least);
    s->most = most_of(s->most, sums.most);
    s->longest_ns = most_of(s->longest_ns, sums.longest_ns);
    s->n += n;
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

static bool fits(const unit *u, double value)
{
    double units;
    return ws_is_whole(value, u->per, u->beside, MOST_UNITS, &units);
}

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));

/* ws_is_whole of n readings, a multiple of four, four at a time and without a branch. Made for each kind of machine,
 * and the same on all.
 */
static inline __attribute__((always_inline)) bool are_whole(const double *value, size_t n, const unit *u,
                                                            int64_t *units)
{
    const four zero = {WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE};
    const four_bits size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}; /* all but the sign */
    four_bits hits = {0};
    for (size_t i = 0; i < n; i += 4) {
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
    return hits[0] + hits[1] + hits[2] + hits[3] == -(int64_t)n;
}

static bool are_whole_portable(const double *value, size_t n, const unit *u, int64_t *units)
{
    return are_whole(value, n, u, units);
}

#if defined __x86_64__
WS_AVX2 static bool are_whole_avx2(const double *value, size_t n, const unit *u, int64_t *units)
{
    return are_whole(value, n, u, units);
}
#else
#define are_whole_avx2 are_whole_portable
#endif

static bool all_are_whole(const double *value, size_t n, const unit *u, int64_t *units)
{
    return (ws_has_avx2() ? are_whole_avx2 : are_whole_portable)(value, n, u, units);
}

/* Up to a reading that is neither whole nor missing. */
static void gather(batch *b, const unit *u, const double *value, const int64_t *t_ns, size_t n)
{
    size_t i = 0;
    double shifted;
    for (b->n = 0; i < n && i < BATCH; i++) {
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
    b.units[0] = s->last;
    b.n = n >= BATCH ? BATCH : n >= LEAST_AT_ONCE ? n / 4 * 4 : 0;
    if (b.n && fits(u, value[b.n - 1]) && all_are_whole(value, b.n, u, b.units + 1)) {
        if (integrate_at_once(s, b.units, t_ns, b.n))
            return b.n;
        memcpy(b.t_ns + 1, t_ns, b.n * sizeof *t_ns);
        return integrate_each(s, &b);
    }
    gather(&b, u, value, t_ns, n);
    return b.row[integrate_each(s, &b)];
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
            see_missing(m, block, i);
        else if (block->value[i] <= 0)
            see_not_positive(m, block, i);
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

/* The unit in which the last reading and the next are whole: the finest decimal or the finest binary one that leaves
 * room for the largest reading. Thousandths are the coarsest decimal: hundredths would leave room for readings that no
 * longer count as decimals (WS_MOST_PARTS). A binary unit takes no decimal for a binary number: with so few bits, none
 * comes as near to a millionth as counts as one without being it. */
static bool find_unit(const ws_meter *m, double next, unit *u)
{
    static const unit decimals[] = {
        {1e6, WS_BESIDE, 1, 0}, {1e5, WS_BESIDE, 10, 0}, {1e4, WS_BESIDE, 100, 0}, {1e3, WS_BESIDE, 1000, 0}};
    double largest = -m->min > m->max ? -m->min : m->max;
    largest = fabs(next) > largest ? fabs(next) : largest; /* not where it is missing */
    size_t i = 0;
    while (i + 1 < sizeof decimals / sizeof *decimals && !(largest * decimals[i].per <= MOST_UNITS))
        i++;
    *u = decimals[i];
    if (fits(u, m->last_value) && fits(u, next))
        return true;
    int places = ws_sum_places(largest) - WS_UNIT_BITS + BATCH_UNIT_BITS;
    *u = (unit){ldexp(1, places), 0, 0, places};
    return fits(u, m->last_value) && fits(u, next);
}

static size_t take_batches(ws_meter *m, const ws_block *block, size_t first)
{
    unit u;
    double last;
    if (!is_usual(m, block) || !m->samples || !find_unit(m, block->value[first], &u))
        return 0;
    tally tallies[TALLIES];
    stretch s = {.last_t = m->last_t, .least = INT64_MAX, .most = INT64_MIN, .tallies = tallies};
    ws_is_whole(m->last_value, u.per, u.beside, MOST_UNITS, &last);
    s.last = ws_low_bits(last);
    size_t stop = end_inside(m, block, first), i = first, taken;
    do {
        taken = take_batch(&s, &u, block->value + i, block->t_ns + i, stop - i);
        i += taken;
    } while (taken && i < stop);
    if (s.n)
        end(&s, &u, m);
    if (s.least <= 0 || s.n < i - first)
        see_odd_rows(m, block, first, i);
    return i - first;
}

/* --- readings that need more bits ---
 *
 * A sample is usual if it is a reading of a rate (power, utilisation, ...), has a later stamp than the one before, is
 * inside the window, and is a multiple of 2^-places by less than 2^61. Such readings are added as integers: two
 * multiplications instead of a dozen steps on 256 bits, and the same sums to the last bit. The first sample that is not
 * usual ends the bulk. */

/* These bounds keep the 128-bit sums of a bulk from overflowing: 2 * 2^122 * 2^40 * 2^20 in two halves of 64 bits. */
enum { LEAST_PLACES = 2, MOST_SAMPLES = 1 << 20, OCTAVES_AT_ONCE = 4 };
static const uint64_t LONGEST_STEP_NS = UINT64_C(1) << 40;

typedef __int128 wide;
typedef unsigned __int128 uwide;

/* A number of 192 bits in two overlapping halves: low + high * 2^64. */
typedef struct halves {
    uwide low, high;
} halves;

/* The intervals of one quarter octave, as in a ws_interval_bucket. */
typedef struct octave_sums {
    uint64_t from_ns, width_ns, count, total_ns;
    wide integral;
    halves squares;
} octave_sums;

typedef struct bulk {
    int places; /* readings count in units of 2^-places */
    double scale;
    int64_t last; /* the reading before, in these units */
    uwide last_square;
    wide total;
    halves squares;
    octave_sums octaves[OCTAVES_AT_ONCE], *current;
    size_t n_octaves;
} bulk;

static uwide square(int64_t units)
{
    return (uwide)((wide)units * units);
}

static inline void add_times(halves *sum, uwide term, uint64_t factor)
{
    sum->low += (uwide)(uint64_t)term * factor;
    sum->high += (uwide)(uint64_t)(term >> 64) * factor;
}

/* Never true of a float: its 24 bits are too few to come close to a decimal of millionths that they cannot hold. */
static inline bool is_decimal_only(double value)
{
    return (double)(float)value != value && ws_is_decimal_only(value);
}

static bool begin_bulk(bulk *b, const ws_meter *m)
{
    *b = (bulk){.places = ws_sum_places(m->min <= m->max ? fmax(fabs(m->min), fabs(m->max)) : 0)};
    b->scale = ldexp(1, b->places);
    if (b->places < LEAST_PLACES || is_decimal_only(m->last_value) || !ws_sum_units(m->last_value, b->scale, &b->last))
        return false; /* too few places are left for readings close to the largest that is accepted */
    b->last_square = square(b->last);
    b->current = b->octaves; /* no interval is in it yet */
    return true;
}

static inline bool holds(const octave_sums *o, uint64_t step)
{
    return step - o->from_ns < o->width_ns;
}

static bool find_octave(bulk *b, uint64_t step)
{
    for (size_t i = 0; i < b->n_octaves; i++) {
        b->current = &b->octaves[i];
        if (holds(b->current, step))
            return true;
    }
    if (b->n_octaves == OCTAVES_AT_ONCE || step > LONGEST_STEP_NS)
        return false;
    int octave = 63 - __builtin_clzll(step);
    b->current = &b->octaves[b->n_octaves++];
    b->current->width_ns = octave >= 2 ? UINT64_C(1) << (octave - 2) : 1;
    b->current->from_ns = step / b->current->width_ns * b->current->width_ns;
    return true;
}

static inline void add_to_octave(octave_sums *o, int64_t both, uwide squared, uint64_t step)
{
    o->count++;
    o->total_ns += step;
    o->integral += (wide)both * (int64_t)step;
    add_times(&o->squares, squared, step);
}

static void add_halves(ws_sum *sum, const halves *h, int places)
{
    ws_sum_add_units(sum, (wide)h->low, places);
    ws_sum_add_units(sum, (wide)h->high, places - 64);
}

static void end_bulk(const bulk *b, ws_meter *m)
{
    ws_sum_add_units(&m->total.other, b->total, b->places);
    add_halves(&m->squares.other, &b->squares, 2 * b->places);
    for (size_t i = 0; i < b->n_octaves; i++) {
        const octave_sums *o = &b->octaves[i];
        ws_interval_bucket *bucket = ws_meter_bucket(m, ws_quarter_octave((int64_t)o->from_ns));
        bucket->count += o->count;
        bucket->total_ns = ws_ns_plus(bucket->total_ns, (int64_t)o->total_ns);
        ws_sum_add_units(&bucket->integral.other, o->integral, b->places);
        add_halves(&bucket->squares.other, &o->squares, 2 * b->places);
    }
}

/* What a bulk adds up beside its octaves: kept in registers. */
typedef struct bulk_stretch {
    uint64_t n, missing, longest_ns;
    int64_t least, most, last_t; /* least, most: in units */
} bulk_stretch;

static void end_stretch(const bulk *b, ws_meter *m, const bulk_stretch *s)
{
    if (!s->n)
        return;
    double least = (double)s->least / b->scale, most = (double)s->most / b->scale;
    m->samples += s->n;
    m->min = least < m->min ? least : m->min;
    m->max = most > m->max ? most : m->max;
    m->last_t = s->last_t;
    m->last_value = (double)b->last / b->scale;
    m->longest_ns = (int64_t)s->longest_ns > m->longest_ns ? (int64_t)s->longest_ns : m->longest_ns;
}

/* Is the stamp later than the last one, and is there an octave for the interval? */
static bool opens_octave(bulk *b, int64_t t, int64_t last_t)
{
    return t > last_t && find_octave(b, (uint64_t)t - (uint64_t)last_t);
}

static size_t add_bulk(bulk *b, ws_meter *m, const ws_block *block, size_t first)
{
    size_t i = first, stop = block->n - first > MOST_SAMPLES ? first + MOST_SAMPLES : block->n;
    int64_t end_ns = m->options.has_window ? m->options.window_end_ns : INT64_MAX, last = b->last, units;
    bulk_stretch s = {.least = INT64_MAX, .most = INT64_MIN, .last_t = m->last_t};
    uwide last_square = b->last_square;
    wide total = 0;
    halves squares = {0};
    for (; i < stop; i++) {
        int64_t t = block->t_ns[i];
        uint64_t step = (uint64_t)t - (uint64_t)s.last_t;
        if (!ws_sum_units(block->value[i], b->scale, &units) || is_decimal_only(block->value[i])) {
            if (!isnan(block->value[i]))
                break;
            see_missing(m, block, i);
            s.missing++;
            continue;
        }
        /* no octave holds a step backwards */
        if (t > end_ns || (!holds(b->current, step) && !opens_octave(b, t, s.last_t)))
            break;
        uwide squared = square(units);
        add_to_octave(b->current, last + units, last_square + squared, step);
        total += units;
        squares.low += (uint64_t)squared;
        squares.high += (uint64_t)(squared >> 64);
        if (units <= 0)
            see_not_positive(m, block, i);
        s.least = units < s.least ? units : s.least;
        s.most = units > s.most ? units : s.most;
        s.longest_ns = step > s.longest_ns ? step : s.longest_ns;
        s.last_t = t;
        last = units;
        last_square = squared;
    }
    b->last = last;
    b->total = total;
    b->squares = squares;
    s.n = i - first - s.missing;
    end_stretch(b, m, &s);
    return i - first;
}

static size_t take_bulk(ws_meter *m, const ws_block *block, size_t first)
{
    bulk b;
    if (!is_usual(m, block) || !begin_bulk(&b, m))
        return 0;
    size_t taken = add_bulk(&b, m, block, first);
    end_bulk(&b, m);
    return taken;
}

/* Takes many usual samples from `first` on; none if the first is not usual itself. */
static size_t push_many(ws_meter *m, const ws_block *block, size_t first)
{
    enum { WORTH_A_BULK = 4 };
    if (block->n - first < WORTH_A_BULK)
        return 0;
    if (m->rule == WS_RULE_COUNTER)
        return ws_meter_push_rises(m, block, first);
    if (ws_rule_looks_back(m->rule))
        return ws_meter_push_intervals(m, block, first);
    size_t taken = take_batches(m, block, first);
    return taken ? taken : take_bulk(m, block, first);
}

static void push_pace(ws_meter *m, const ws_block *block)
{
    if (!m->options.has_window) {
        ws_pace_push(&m->pace, block);
        return;
    }
    for (size_t i = 0; block->t_ns && i < block->n; i++) {
        const ws_block row = ws_block_part(block, i, i + 1);
        if (ws_meter_is_inside(m, block->t_ns[i]))
            ws_pace_push(&m->pace, &row);
    }
}

void ws_meter_push(ws_meter *m, const ws_block *block)
{
    if (m->rule != WS_RULE_COUNTER && m->rule != WS_RULE_NONE && m->time != WS_TIME_NONE)
        push_pace(m, block);
    for (size_t i = 0, taken; i < block->n; i += taken) {
        taken = push_many(m, block, i);
        if (!taken) {
            ws_meter_push_one(m, block, i);
            taken = 1;
        }
    }
}
