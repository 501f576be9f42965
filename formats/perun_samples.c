#include "formats/perun_samples.h"

#include "formats/ahead.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Small enough to stay in the cache until it is metered; a series of several windows is worth a thread. */
enum { WINDOW = 16000, LONG = 4 * WINDOW };

typedef struct window {
    size_t taken, kept; /* samples of the file, and those whose stamp is a time */
    int64_t t_ns[WINDOW];
    double value[WINDOW];
} window;

static_assert(sizeof(window) <= WS_AHEAD_SIZE, "a window is a buffer of the thread that reads ahead");

struct ws_perun_samples {
    const ws_perun_tree *tree;
    const ws_perun_source *from;
    uint64_t next; /* sample of the source */
    double *seconds;
    window *own; /* where no thread reads ahead */
};

ws_perun_samples *ws_perun_samples_new(const ws_perun_tree *tree)
{
    ws_perun_samples *s = ws_alloc(sizeof *s);
    *s = (ws_perun_samples){.tree = tree};
    s->seconds = ws_realloc(NULL, WINDOW, sizeof *s->seconds);
    s->own = ws_realloc(NULL, 1, sizeof *s->own);
    return s;
}

void ws_perun_samples_free(ws_perun_samples *samples)
{
    free(samples->seconds);
    free(samples->own);
    free(samples);
}

/* llround for less than 2^63, without a call: what truncation leaves over is exact. */
static inline int64_t nearest(double x)
{
    int64_t whole = (int64_t)x;
    double rest = x - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Stamps to nanoseconds and readings to SI; samples with an impossible stamp are dropped. */
static void settle(window *w, const double *seconds, double seconds_each, double to_si)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->taken; i++) {
        double at = seconds[i] * seconds_each, value = w->value[i];
        bool is_time = fabs(at) < 9e9;
        w->t_ns[kept] = is_time ? nearest(at * 1e9) : 0;
        w->value[kept] = isfinite(value) ? value * to_si : NAN;
        kept += is_time;
    }
    w->kept = kept;
}

static ws_status read_stored(ws_perun_samples *s, window *w, ws_error *error)
{
    const ws_perun_tree *tree = s->tree;
    const ws_perun_source *from = s->from;
    ws_status status = tree->read(tree->state, from->time, s->next, w->taken, s->seconds, error);
    if (status != WS_OK)
        return status;
    size_t lead = s->next == 0 ? from->lead : 0;
    status =
        tree->read(tree->state, from->values, s->next + lead - from->lead, w->taken - lead, w->value + lead, error);
    if (lead)
        w->value[0] = w->taken > 1 ? w->value[1] : NAN;
    return status;
}

static ws_status fill(void *state, char *buffer, size_t size, size_t *n, ws_error *error)
{
    ws_perun_samples *s = state;
    window *w = (window *)(void *)buffer;
    uint64_t left = s->from->n - s->next;
    w->taken = left < WINDOW ? (size_t)left : WINDOW;
    *n = w->taken ? size : 0;
    if (!w->taken)
        return WS_OK;
    ws_status status = read_stored(s, w, error);
    if (status == WS_OK)
        settle(w, s->seconds, s->from->time->magnitude, s->from->to_si);
    s->next += w->taken;
    return status;
}

/* NULL at the end. */
static ws_status next_window(ws_perun_samples *s, ws_ahead *ahead, const window **w, ws_error *error)
{
    ws_span bytes = {(const char *)s->own, 0};
    ws_status status =
        ahead ? ws_ahead_next(ahead, &bytes, error) : fill(s, (char *)s->own, sizeof *s->own, &bytes.n, error);
    *w = bytes.n ? (const window *)(const void *)bytes.p : NULL;
    return status;
}

ws_status ws_perun_push_samples(ws_perun_samples *s, const ws_perun_source *from, const ws_sink *sink, int id,
                                uint64_t *bad_times, ws_error *error)
{
    s->from = from;
    s->next = 0;
    *bad_times = 0;
    ws_ahead *ahead = s->tree->reads_ahead && from->n > LONG ? ws_ahead_start(fill, s) : NULL;
    const window *w;
    ws_status status;
    while ((status = next_window(s, ahead, &w, error)) == WS_OK && w) {
        ws_block block = {.n = w->kept, .t_ns = w->t_ns, .value = w->value};
        *bad_times += w->taken - w->kept;
        status = block.n ? sink->block(sink->state, id, &block, error) : WS_OK;
        if (status != WS_OK)
            break;
    }
    ws_ahead_stop(ahead);
    return status;
}
