#include "analyze/measure/limits.h"
#include "analyze/measure/meter_internal.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ours. Odd: more than any device of the kind draws, so that a unit or a sensor is in doubt; impossible: a number that
 * stands for no reading, as 2^32 - 1 mW or what an unsigned difference below zero comes to. At the wall and elsewhere
 * anything may be metered. */
static const struct {
    double odd_w, impossible_w;
    const char *what;
} known[WS_DOMAIN_N] = {
    [WS_GPU] = {2e3, 1e6, "GPU"},
    [WS_CPU] = {1e4, 1e6, "processor"},
    [WS_DRAM] = {1e4, 1e6, "node's memory"},
    [WS_NODE] = {1e5, 1e7, "node"},
    [WS_CPU_CORE] = {1e4, 1e6, "processor"},
    [WS_CPU_GFX] = {1e4, 1e6, "processor's graphics"},
    [WS_PSYS] = {1e5, 1e7, "node"},
};

void ws_limits_init(ws_limits *limits, const ws_channel *channel)
{
    *limits = (ws_limits){.quantity = channel->quantity, .domain = channel->domain};
    bool has_limits = ws_quantity_gives_energy(channel->quantity) && known[channel->domain].what;
    limits->odd_w = has_limits ? known[channel->domain].odd_w : INFINITY;
    limits->impossible_w = has_limits ? known[channel->domain].impossible_w : INFINITY;
}

void ws_limits_free(ws_limits *limits)
{
    free(limits->values);
    *limits = (ws_limits){.quantity = WS_POWER};
}

bool ws_limits_stand_alone(const ws_limits *l)
{
    return l->quantity == WS_POWER || l->odd_w == INFINITY;
}

void ws_limits_clear(ws_limits *l)
{
    *l = (ws_limits){.odd_w = l->odd_w,
                     .impossible_w = l->impossible_w,
                     .quantity = l->quantity,
                     .domain = l->domain,
                     .values = l->values,
                     .capacity = l->capacity};
}

/* The power that reading i means; NaN where nothing says. */
static double power_of(const ws_limits *l, const ws_block *b, size_t i)
{
    if (l->quantity == WS_POWER)
        return b->value[i];
    int64_t since_ns = l->has_last && b->t_ns ? ws_ns_minus(b->t_ns[i], l->last_t) : 0;
    bool is_counter = l->quantity == WS_ENERGY_COUNTER;
    int64_t length_ns = !is_counter && b->interval_ns ? b->interval_ns[i] : since_ns;
    double energy_j = is_counter ? b->value[i] - l->last_value : b->value[i];
    return length_ns > 0 && (l->has_last || !is_counter) ? energy_j / ((double)length_ns / WS_NS_PER_S) : NAN;
}

/* Two at a time and without a branch: every power of every trace comes by. */
static bool is_any_above(const double *value, size_t n, double bound)
{
    typedef double pair __attribute__((vector_size(16)));
    typedef int64_t pair_bits __attribute__((vector_size(16)));
    pair_bits above = {0};
    for (size_t i = 0; i + 2 <= n; i += 2) {
        pair x;
        memcpy(&x, value + i, sizeof x);
        above |= x > bound;
    }
    return above[0] || above[1] || (n % 2 && value[n - 1] > bound);
}

static bool may_be_odd(const ws_limits *l, const ws_block *b)
{
    return l->quantity != WS_POWER || is_any_above(b->value, b->n, l->odd_w);
}

static void remember(ws_limits *l, const ws_block *b, size_t i)
{
    if (isnan(b->value[i]) || !b->t_ns)
        return;
    l->has_last = true;
    l->last_t = b->t_ns[i];
    l->last_value = b->value[i];
}

/* In a copy, made for the first of a block. */
static void leave_out(ws_limits *l, const ws_block *block, ws_block *checked, size_t i)
{
    if (checked->value == block->value) {
        l->values = ws_grow(l->values, &l->capacity, block->n, sizeof *l->values);
        memcpy(l->values, block->value, block->n * sizeof *l->values);
        checked->value = l->values;
    }
    l->values[i] = NAN;
}

ws_block ws_limits_check(ws_limits *l, const ws_block *block)
{
    ws_block checked = *block;
    if (l->odd_w == INFINITY || !may_be_odd(l, block))
        return checked;
    for (size_t i = 0; i < block->n; i++) {
        double power_w = power_of(l, block, i);
        int64_t line = block->line ? block->line[i] : 0;
        if (power_w > l->impossible_w) {
            leave_out(l, block, &checked, i);
            ws_meter_see(&l->impossible, line);
            continue;
        }
        if (power_w > l->odd_w) {
            ws_meter_see(&l->odd, line);
            l->largest_w = power_w > l->largest_w ? power_w : l->largest_w;
        }
        remember(l, block, i);
    }
    return checked;
}

void ws_limits_merge(ws_limits *into, const ws_limits *next, int64_t lines)
{
    ws_seen_add(&into->odd, &next->odd, lines);
    ws_seen_add(&into->impossible, &next->impossible, lines);
    into->largest_w = next->largest_w > into->largest_w ? next->largest_w : into->largest_w;
}

void ws_limits_notes(const ws_limits *l, const char *source, const char *subject, ws_notes *notes)
{
    bool is_power = l->quantity == WS_POWER;
    ws_notes_add_many(notes, l->odd.count, is_power ? WS_FINDING_IMPLAUSIBLE_POWER : WS_FINDING_IMPLAUSIBLE_ENERGY,
                      source, subject, l->odd.line,
                      is_power
                          ? "up to %.6g W for a %s, kept as data: check the unit (mW written as W?) or the sensor"
                          : "an energy that means up to %.6g W for a %s, kept as data: check the unit or the sensor",
                      l->largest_w, known[l->domain].what);
    ws_notes_add_many(notes, l->impossible.count, WS_FINDING_IMPOSSIBLE_POWER, source, subject, l->impossible.line,
                      "a reading above %g W, which no %s draws, is left out as missing: a number that stands for no "
                      "reading, or another unit or domain (--columns unit=, domain=)",
                      l->impossible_w, known[l->domain].what);
}
