#include "formats/perun_samples.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>

/* Small enough to stay in the cache until it is metered. */
enum { WINDOW = 16384 };

struct ws_perun_samples {
    const ws_perun_tree *tree;
    double seconds[WINDOW], value[WINDOW];
    int64_t t_ns[WINDOW];
};

ws_perun_samples *ws_perun_samples_new(const ws_perun_tree *tree)
{
    ws_perun_samples *s = ws_realloc(NULL, 1, sizeof *s); /* large, and needs no zeros */
    s->tree = tree;
    return s;
}

void ws_perun_samples_free(ws_perun_samples *samples)
{
    free(samples);
}

/* llround for less than 2^63, without a call: what truncation leaves over is exact. */
static inline int64_t nearest(double x)
{
    int64_t whole = (int64_t)x;
    double rest = x - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Stamps to nanoseconds and readings to SI; samples with an impossible stamp are dropped. Returns how many stay. */
static size_t settle(ws_perun_samples *s, size_t n, double seconds_each, double to_si)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double at = s->seconds[i] * seconds_each, value = s->value[i];
        bool is_time = fabs(at) < 9e9;
        s->t_ns[kept] = is_time ? nearest(at * 1e9) : 0;
        s->value[kept] = isfinite(value) ? value * to_si : NAN;
        kept += is_time;
    }
    return kept;
}

static ws_status read_window(ws_perun_samples *s, const ws_perun_source *from, uint64_t first, size_t n,
                             ws_error *error)
{
    const ws_perun_tree *tree = s->tree;
    ws_status status = tree->read(tree->state, from->time, first, n, s->seconds, error);
    if (status != WS_OK)
        return status;
    size_t lead = first == 0 ? from->lead : 0;
    status = tree->read(tree->state, from->values, first + lead - from->lead, n - lead, s->value + lead, error);
    if (lead)
        s->value[0] = n > 1 ? s->value[1] : NAN;
    return status;
}

ws_status ws_perun_push_samples(ws_perun_samples *s, const ws_perun_source *from, const ws_sink *sink, int id,
                                uint64_t *bad_times, ws_error *error)
{
    ws_status status = WS_OK;
    *bad_times = 0;
    for (uint64_t first = 0; status == WS_OK && first < from->n; first += WINDOW) {
        size_t n = from->n - first < WINDOW ? (size_t)(from->n - first) : WINDOW;
        status = read_window(s, from, first, n, error);
        if (status != WS_OK)
            return status;
        ws_block block = {.n = settle(s, n, from->time->magnitude, from->to_si), .t_ns = s->t_ns, .value = s->value};
        *bad_times += n - block.n;
        status = block.n ? sink->block(sink->state, id, &block, error) : WS_OK;
    }
    return status;
}
