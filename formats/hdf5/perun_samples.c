#include "formats/hdf5/perun_samples.h"

#include "core/arena.h"
#include "core/avx2.h"
#include "core/total.h"
#include "formats/input/reader_thread.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = WS_PERUN_WINDOW, BATCH = 64, WINDOWS = WS_READER_THREAD_WAITING + 1 };

typedef ws_perun_window window;

/* At the beginning of a page, as windows of others are: some processors wait where what is read lies as far behind the
 * beginning of a page as what was just written. */
struct ws_perun_samples {
    window own[WINDOWS];
    double seconds[WINDOW], stored[WINDOW]; /* as they are read */
    window *windows;
    size_t n_windows, next; /* the window to fill: the others may still wait to be taken */
    void *memory;           /* in which all this lies */
};

ws_perun_samples *ws_perun_samples_new(void)
{
    return ws_perun_samples_in(NULL, WINDOWS);
}

ws_perun_samples *ws_perun_samples_in(ws_perun_window *windows, size_t n_windows)
{
    enum { PAGE = 4096 };
    char *memory = ws_realloc(NULL, 1, sizeof(ws_perun_samples) + PAGE); /* large, and needs no zeros */
    ws_perun_samples *s = (void *)(memory + PAGE - (uintptr_t)memory % PAGE);
    s->windows = windows ? windows : s->own;
    s->n_windows = n_windows;
    s->next = 0;
    s->memory = memory;
    return s;
}

void ws_perun_samples_free(ws_perun_samples *samples)
{
    if (samples)
        free(samples->memory);
}

typedef struct scales {
    double seconds, to_si;
} scales;

/* Stamps end where int64 nanoseconds nearly do. */
static const double LATEST_S = 9e9;

/* llround for less than 2^63, without a call: what truncation leaves over is exact. */
static inline int64_t nearest(double x)
{
    int64_t whole = (int64_t)x;
    double rest = x - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Samples from i on, up to `end`; those with an impossible stamp are dropped. Returns how many the window holds then.
 */
static size_t settle_each(const ws_perun_samples *s, size_t i, size_t end, const scales *by, window *w, size_t kept)
{
    for (; i < end; i++) {
        double at = s->seconds[i] * by->seconds, value = s->stored[i];
        bool is_time = fabs(at) < LATEST_S;
        w->t_ns[kept] = is_time ? nearest(at * 1e9) : 0;
        w->value[kept] = isfinite(value) ? value * by->to_si : NAN;
        kept += is_time;
    }
    return kept;
}

typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));

static inline __attribute__((always_inline)) void load(four *x, const double *from)
{
    memcpy(x, from, sizeof *x);
}

/* The same of a batch of usual samples, four at a time and without a branch; false where one has no number, or a stamp
 * below zero or of more than a month. Made for each kind of machine, and the same on all. */
static inline __attribute__((always_inline)) bool settle_fours(const double *seconds, const double *stored,
                                                               const scales *by, int64_t *to_t_ns, double *to_value)
{
    static const double LATEST_NS = 0x1p51;
    const four to_whole = {WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE, WS_TO_WHOLE};
    const four_bits size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}; /* all but the sign */
    four_bits hits = {0};
    for (size_t i = 0; i < BATCH; i += 4) {
        four at, value;
        load(&at, seconds + i);
        load(&value, stored + i);
        at = at * by->seconds * 1e9;
        four shifted = at + to_whole, rest = at - (shifted - to_whole);
        four_bits t_ns = (four_bits)shifted - (four_bits)to_whole - (rest >= 0.5); /* halves go up, as with nearest */
        hits += (at >= 0) & (at <= LATEST_NS) & ((four)((four_bits)value & size) <= DBL_MAX); /* -1 where it is true */
        value *= by->to_si;
        memcpy(to_t_ns + i, &t_ns, sizeof t_ns);
        memcpy(to_value + i, &value, sizeof value);
    }
    return hits[0] + hits[1] + hits[2] + hits[3] == -BATCH;
}

static bool settle_portable(const double *seconds, const double *stored, const scales *by, int64_t *t_ns, double *value)
{
    return settle_fours(seconds, stored, by, t_ns, value);
}

#if defined __x86_64__
WS_AVX2 static bool settle_avx2(const double *seconds, const double *stored, const scales *by, int64_t *t_ns,
                                double *value)
{
    return settle_fours(seconds, stored, by, t_ns, value);
}
#else
#define settle_avx2 settle_portable
#endif

static bool settle_batch(const ws_perun_samples *s, size_t first, const scales *by, window *w, size_t kept)
{
    return (ws_has_avx2() ? settle_avx2 : settle_portable)(s->seconds + first, s->stored + first, by, w->t_ns + kept,
                                                           w->value + kept);
}

/* The first n samples read, to nanoseconds and SI. Returns how many stay. */
static size_t perun_samples_settle(const ws_perun_samples *s, size_t n, const scales *by, window *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i += BATCH) {
        if (n - i >= BATCH && settle_batch(s, i, by, w, kept))
            kept += BATCH;
        else
            kept = settle_each(s, i, n - i < BATCH ? n : i + BATCH, by, w, kept);
    }
    return kept;
}

static ws_status read_stored(ws_perun_samples *s, const ws_perun_tree *tree, const ws_perun_source *from,
                             uint64_t first, size_t n, ws_error *error)
{
    ws_status status = tree->read(tree->state, from->time, first, n, s->seconds, error);
    if (status != WS_OK)
        return status;
    size_t lead = first == 0 ? from->lead : 0;
    status = tree->read(tree->state, from->values, first + lead - from->lead, n - lead, s->stored + lead, error);
    if (lead)
        s->stored[0] = n > 1 ? s->stored[1] : NAN;
    return status;
}

ws_status ws_perun_push_samples(const ws_perun_tree *tree, const ws_perun_source *from, const ws_sink *sink, int id,
                                uint64_t *bad_times, ws_error *error)
{
    ws_perun_samples *s = tree->samples;
    const scales by = {from->time->magnitude, from->to_si};
    ws_status status = WS_OK;
    *bad_times = 0;
    for (uint64_t first = 0; status == WS_OK && first < from->n; first += WINDOW) {
        size_t n = from->n - first < WINDOW ? (size_t)(from->n - first) : WINDOW;
        status = read_stored(s, tree, from, first, n, error);
        if (status != WS_OK)
            return status;
        window *w = &s->windows[s->next];
        ws_block block = {.n = perun_samples_settle(s, n, &by, w), .t_ns = w->t_ns, .value = w->value};
        *bad_times += n - block.n;
        if (!block.n)
            continue;
        s->next = (s->next + 1) % s->n_windows;
        status = sink->block(sink->state, id, &block, error);
    }
    return status;
}

bool ws_perun_copy_samples(ws_perun_samples *samples, size_t n, const ws_perun_window *from, ws_block *block)
{
    static const int64_t LATEST_NS = (int64_t)9e18;
    window *w = &samples->windows[samples->next];
    memcpy(w->t_ns, from->t_ns, n * sizeof *w->t_ns);
    memcpy(w->value, from->value, n * sizeof *w->value);
    bool ok = n > 0;
    for (size_t i = 0; i < n; i++)
        ok &= w->t_ns[i] <= LATEST_NS && w->t_ns[i] >= -LATEST_NS;
    *block = (ws_block){.n = n, .t_ns = w->t_ns, .value = w->value};
    samples->next = (samples->next + 1) % samples->n_windows;
    return ok;
}
