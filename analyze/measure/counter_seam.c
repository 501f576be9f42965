#include "analyze/measure/counter_seam.h"
#include "analyze/measure/meter_internal.h"

#include "core/arena.h"

#include <stdlib.h>

enum { RISING = 3 };

void ws_seam_free(ws_counter_seam *s)
{
    free(s->t_ns);
    free(s->interval_ns);
    free(s->line);
    free(s->value);
    *s = (ws_counter_seam){0};
}

void ws_seam_clear(ws_counter_seam *s)
{
    s->is_closed = false;
    s->n = 0;
}

static void limits_take(void *state, const ws_block *block)
{
    ws_limits_check(state, block, NULL);
}

static void filter(ws_counter_glitch *glitch, ws_limits *limits, const ws_block *block)
{
    if (glitch)
        ws_glitch_push(glitch, block, limits_take, limits);
    else
        ws_limits_check(limits, block, NULL);
}

static void hold(ws_counter_seam *s, const ws_block *b, size_t i)
{
    if (s->n == s->capacity) {
        size_t capacity = s->capacity;
        s->t_ns = ws_grow(s->t_ns, &capacity, s->n + 1, sizeof *s->t_ns);
        s->interval_ns = ws_realloc(s->interval_ns, capacity, sizeof *s->interval_ns);
        s->line = ws_realloc(s->line, capacity, sizeof *s->line);
        s->value = ws_realloc(s->value, capacity, sizeof *s->value);
        s->capacity = capacity;
    }
    s->has_interval = b->interval_ns != NULL;
    s->has_line = b->line != NULL;
    s->t_ns[s->n] = b->t_ns[i];
    s->interval_ns[s->n] = b->interval_ns ? b->interval_ns[i] : 0;
    s->line[s->n] = b->line ? b->line[i] : 0;
    s->value[s->n++] = b->value[i];
}

/* The last readings held rise, surely by more than a counter that creeps, and so does this one: by no jump, and by no
 * power that no device has. */
static bool may_close(const ws_counter_seam *s, const ws_counter_glitch *glitch, const ws_limits *limits,
                      const ws_block *next)
{
    if (s->n < RISING || (glitch && glitch->n) || !ws_is_reading(*next->value))
        return false;
    double last = *next->value;
    int64_t last_t = *next->t_ns;
    for (size_t i = s->n; i-- > s->n - RISING;) {
        double still_j = 2 * ws_creep_w(limits->domain) * (double)ws_ns_minus(last_t, s->t_ns[i]) / WS_NS_PER_S;
        if (!(s->value[i] > 0 && s->value[i] < last && s->t_ns[i] < last_t && last - s->value[i] > still_j))
            return false;
        last = s->value[i];
        last_t = s->t_ns[i];
    }
    size_t end = s->n - 1;
    double seconds = (double)ws_ns_minus(*next->t_ns, s->t_ns[end]) / WS_NS_PER_S;
    ws_counter_glitch copy = glitch ? *glitch : (ws_counter_glitch){0};
    ws_limits unlimited = {.rare_w = INFINITY};
    if (glitch)
        filter(&copy, &unlimited, next);
    return !copy.n && !((*next->value - s->value[end]) / seconds > limits->rare_w);
}

static void close_seam(ws_counter_seam *s, ws_counter_glitch *glitch, ws_limits *limits)
{
    ws_limits behind = *limits;
    ws_limits_clear(limits);
    limits->has_last = behind.has_last;
    limits->last_t = behind.last_t;
    limits->last_value = behind.last_value;
    s->limits = *limits;
    s->limits.values = NULL;
    s->limits.capacity = 0;
    if (glitch) {
        glitch->seen = (ws_seen){0};
        s->glitch = *glitch;
    }
    s->is_closed = true;
}

size_t ws_seam_hold(ws_counter_seam *s, ws_counter_glitch *glitch, ws_limits *limits, const ws_block *block)
{
    for (size_t i = 0; i < block->n; i++) {
        ws_block one = ws_block_part(block, i, i + 1);
        if (may_close(s, glitch, limits, &one)) {
            close_seam(s, glitch, limits);
            return i;
        }
        hold(s, block, i);
        filter(glitch, limits, &one);
    }
    return block->n;
}

ws_block ws_seam_held(const ws_counter_seam *s)
{
    return (ws_block){.n = s->n,
                      .t_ns = s->t_ns,
                      .value = s->value,
                      .interval_ns = s->has_interval ? s->interval_ns : NULL,
                      .line = s->has_line ? s->line : NULL};
}

static bool same_glitch(const ws_counter_glitch *a, const ws_counter_glitch *b)
{
    return a->n == b->n && a->has_last == b->has_last && a->last_value == b->last_value && a->last_t == b->last_t &&
           a->moved_ns == b->moved_ns && a->pace_w == b->pace_w;
}

static bool same_limits(const ws_limits *a, const ws_limits *b)
{
    return a->has_last == b->has_last && a->last_t == b->last_t && a->last_value == b->last_value;
}

bool ws_seam_fits(const ws_counter_seam *s, const ws_counter_glitch *glitch, const ws_limits *limits)
{
    if (!s->is_closed)
        return true;
    ws_counter_glitch then = glitch ? *glitch : (ws_counter_glitch){0};
    ws_limits limits_then = *limits;
    limits_then.values = NULL;
    limits_then.capacity = 0;
    ws_block held = ws_seam_held(s);
    filter(glitch ? &then : NULL, &limits_then, &held);
    bool fits = (!glitch || same_glitch(&then, &s->glitch)) && same_limits(&limits_then, &s->limits);
    free(limits_then.values);
    return fits;
}

void ws_seam_add_lines(ws_counter_seam *s, int64_t lines)
{
    for (size_t i = 0; i < s->n; i++)
        s->line[i] = ws_line_behind(s->line[i], lines);
}
