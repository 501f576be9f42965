#include "analyze/measure/counter_glitch.h"
#include "analyze/measure/meter_internal.h"

#include <math.h>
#include <string.h>

/* W. A step that means less is no jump: one of a slow meter or a slip, which counter_steps.c judges. No package and no
 * card draws more. */
static const double jump_w = 1e3;

/* The jumps there and back are so many times steeper than the counter is between the readings around them. Rows that
 * changed places jump by about twice its pace. Ours. */
static const double times_pace = 4;

/* A rise so many times steeper than the one before it may be such a jump: nodes of more than 1 kW do not wait. */
static const double steeper = 2;

typedef struct output {
    ws_block_taker *take;
    void *state;
} output;

static double watts(double joules, int64_t ns)
{
    return ns > 0 ? joules / ((double)ns / WS_NS_PER_S) : NAN;
}

/* 0 where the stamp went back while the counter stood. */
static double pace_of(double rise_j, int64_t ns)
{
    return fmax(0, watts(rise_j, ns));
}

static void hand_on(const output *out, const ws_block *block)
{
    if (block->n)
        out->take(out->state, block);
}

/* Zeros are failed reads or none at all. */
static bool is_reading(double value)
{
    return !isnan(value) && value != 0;
}

static void go_on_from(ws_counter_glitch *g, int64_t t_ns, double value)
{
    if (!is_reading(value))
        return;
    bool has_moved = !g->has_last || value != g->last_value;
    if (g->has_last && value > g->last_value)
        g->pace_w = pace_of(value - g->last_value, ws_ns_minus(t_ns, g->moved_ns));
    if (has_moved)
        g->moved_ns = t_ns;
    g->has_last = true;
    g->last_value = value;
    g->last_t = t_ns;
}

/* Up or down by more than a device can draw since the counter last moved. */
static bool jumps_away(const ws_counter_glitch *g, int64_t t_ns, double value)
{
    if (!g->has_last || t_ns <= g->last_t)
        return false;
    double power_w = watts(value - g->last_value, ws_ns_minus(t_ns, g->moved_ns));
    return power_w < -jump_w || power_w > fmax(jump_w, steeper * g->pace_w);
}

static size_t last_waiting(const ws_counter_glitch *g)
{
    size_t i = g->n - 1;
    while (!is_reading(g->value[i]))
        i--;
    return i;
}

/* Does this reading go on from the last good one, as if those that wait had not been? Where both steps are steeper than
 * the whole, they go in opposite directions. */
static bool comes_back(const ws_counter_glitch *g, int64_t t_ns, double value)
{
    size_t last = last_waiting(g);
    double there_w = watts(g->value[0] - g->last_value, ws_ns_minus(g->t_ns[0], g->moved_ns));
    double back_w = watts(value - g->value[last], ws_ns_minus(t_ns, g->t_ns[last]));
    double pace_w = watts(value - g->last_value, ws_ns_minus(t_ns, g->moved_ns));
    double least_w = fmin(fabs(there_w), fabs(back_w));
    return pace_w >= 0 && least_w > jump_w && least_w >= times_pace * pace_w;
}

static void let_wait(ws_counter_glitch *g, const ws_block *b, size_t i)
{
    g->t_ns[g->n] = b->t_ns[i];
    g->value[g->n] = b->value[i];
    g->interval_ns[g->n] = b->interval_ns ? b->interval_ns[i] : 0;
    g->line[g->n] = b->line ? b->line[i] : 0;
    g->has_interval = b->interval_ns != NULL;
    g->has_line = b->line != NULL;
    g->n++;
}

static ws_block waiting_block(const ws_counter_glitch *g)
{
    return (ws_block){.n = g->n,
                      .t_ns = g->t_ns,
                      .value = g->value,
                      .interval_ns = g->has_interval ? g->interval_ns : NULL,
                      .line = g->has_line ? g->line : NULL};
}

static void drop_waiting(ws_counter_glitch *g, const output *out)
{
    for (size_t i = 0; i < g->n; i++) {
        if (!is_reading(g->value[i]))
            continue;
        ws_meter_see(&g->seen, g->line[i]);
        g->value[i] = NAN;
    }
    ws_block held = waiting_block(g);
    hand_on(out, &held);
    g->n = 0;
}

static void take_all(ws_counter_glitch *g, const ws_block *b, const output *out);

/* The first of those that wait is no glitch; the others may be one beside it. */
static void let_first_go(ws_counter_glitch *g, const output *out)
{
    ws_counter_glitch held = *g;
    ws_block all = waiting_block(&held), first = ws_block_part(&all, 0, 1), others = ws_block_part(&all, 1, all.n);
    g->n = 0;
    hand_on(out, &first);
    go_on_from(g, first.t_ns[0], first.value[0]);
    take_all(g, &others, out);
}

static bool jumps(const ws_counter_glitch *g, const ws_block *b, size_t i)
{
    return is_reading(b->value[i]) && jumps_away(g, b->t_ns[i], b->value[i]);
}

/* Reading i waits where it jumps away or others wait for it. */
static bool must_wait(ws_counter_glitch *g, const ws_block *b, size_t i, const output *out)
{
    while (g->n) {
        bool goes_on = b->t_ns[i] > g->t_ns[g->n - 1];
        if (goes_on && is_reading(b->value[i]) && comes_back(g, b->t_ns[i], b->value[i]))
            drop_waiting(g, out);
        else if (goes_on && g->n < WS_GLITCH_READINGS)
            break;
        else
            let_first_go(g, out);
    }
    return g->n || jumps(g, b, i);
}

static void take_all(ws_counter_glitch *g, const ws_block *b, const output *out)
{
    size_t from = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!g->n && !jumps(g, b, i)) {
            go_on_from(g, b->t_ns[i], b->value[i]);
            continue;
        }
        ws_block before = ws_block_part(b, from, i);
        hand_on(out, &before);
        from = i;
        if (must_wait(g, b, i, out))
            let_wait(g, b, i), from = i + 1;
        else
            go_on_from(g, b->t_ns[i], b->value[i]);
    }
    ws_block rest = ws_block_part(b, from, b->n);
    hand_on(out, &rest);
}

/* The readings of a block that rise slowly go on from the first, which went on already. */
static void go_on_through(ws_counter_glitch *g, const ws_block *b)
{
    size_t last = b->n - 1, rise = last, since;
    g->last_t = b->t_ns[last];
    while (rise > 0 && b->value[rise] == b->value[rise - 1])
        rise--;
    if (rise == 0)
        return;
    for (since = rise - 1; since > 0 && b->value[since] == b->value[since - 1];)
        since--;
    int64_t moved_ns = since > 0 ? b->t_ns[since] : g->moved_ns;
    g->pace_w = pace_of(b->value[rise] - b->value[rise - 1], ws_ns_minus(b->t_ns[rise], moved_ns));
    g->moved_ns = b->t_ns[rise];
    g->last_value = b->value[last];
}

static void take_piece(ws_counter_glitch *g, const ws_block *block, const output *out)
{
    if (g->n || !ws_block_rises_slowly(block, jump_w) || jumps(g, block, 0)) {
        take_all(g, block, out);
        return;
    }
    go_on_from(g, block->t_ns[0], block->value[0]);
    go_on_through(g, block);
    hand_on(out, block);
}

void ws_glitch_push(ws_counter_glitch *g, const ws_block *block, ws_block_taker *take, void *state)
{
    enum { PIECE = 256 }; /* in which one wrap costs little */
    output out = {take, state};
    if (!block->t_ns)
        hand_on(&out, block);
    for (size_t from = 0; block->t_ns && from < block->n; from += PIECE) {
        ws_block piece = ws_block_part(block, from, block->n - from < PIECE ? block->n : from + PIECE);
        take_piece(g, &piece, &out);
    }
}

void ws_glitch_flush(ws_counter_glitch *g, ws_block_taker *take, void *state)
{
    output out = {take, state};
    while (g->n)
        let_first_go(g, &out);
}
