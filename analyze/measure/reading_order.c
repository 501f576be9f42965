#include "analyze/measure/reading_order.h"

#include "analyze/measure/meter_internal.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

enum { HELD = 256 }; /* when full, all but WS_SORT_REACH of them are passed on */

struct ws_order {
    ws_back_steps policy;
    ws_seen moved;    /* left out, or put elsewhere */
    uint64_t missing; /* left out inside the window */
    bool has_latest;
    int64_t latest; /* stamp of the readings kept */

    /* Of WS_BACK_SORT: readings that wait, which all have an interval and a line, or none has. */
    size_t n;
    bool has_interval, has_line;
    int64_t t_ns[HELD], interval_ns[HELD], line[HELD];
    double value[HELD];
};

bool ws_back_steps_find(const char *name, ws_back_steps *policy)
{
    static const struct {
        const char *name;
        ws_back_steps policy;
    } known[] = {{"keep", WS_BACK_KEEP}, {"drop", WS_BACK_DROP}, {"sort", WS_BACK_SORT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *policy = known[i].policy;
            return true;
        }
    }
    return false;
}

ws_order *ws_order_new(ws_back_steps policy)
{
    ws_order *order = ws_alloc(sizeof *order);
    order->policy = policy;
    return order;
}

void ws_order_free(ws_order *order)
{
    free(order);
}

static void push_stretch(ws_meter *meter, const ws_block *b, size_t from, size_t to)
{
    ws_block part = ws_block_part(b, from, to);
    if (part.n)
        ws_meter_push(meter, &part);
}

/* A missing cell is counted by the meter, and its stamp says nothing about the readings after it. */
static void drop(ws_order *o, const ws_block *b, ws_meter *meter)
{
    size_t from = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (isnan(b->value[i]))
            continue;
        if (!o->has_latest || b->t_ns[i] >= o->latest) {
            o->latest = b->t_ns[i];
            o->has_latest = true;
            continue;
        }
        ws_meter_see(&o->moved, b->line ? b->line[i] : 0);
        o->missing += ws_meter_is_inside(meter, b->t_ns[i]);
        push_stretch(meter, b, from, i);
        from = i + 1;
    }
    push_stretch(meter, b, from, b->n);
}

static void let_go(ws_order *o, ws_meter *meter, size_t keep)
{
    size_t n = o->n - keep;
    ws_block held = {.n = n,
                     .t_ns = o->t_ns,
                     .value = o->value,
                     .interval_ns = o->has_interval ? o->interval_ns : NULL,
                     .line = o->has_line ? o->line : NULL};
    push_stretch(meter, &held, 0, n);
    memmove(o->t_ns, o->t_ns + n, keep * sizeof *o->t_ns);
    memmove(o->value, o->value + n, keep * sizeof *o->value);
    memmove(o->interval_ns, o->interval_ns + n, keep * sizeof *o->interval_ns);
    memmove(o->line, o->line + n, keep * sizeof *o->line);
    o->n = keep;
}

/* After every held reading that is not later; at the end if that place is out of reach. */
static size_t place_of(const ws_order *o, int64_t t_ns)
{
    size_t reach = o->n < WS_SORT_REACH ? o->n : WS_SORT_REACH, i = o->n;
    while (i > o->n - reach && o->t_ns[i - 1] > t_ns)
        i--;
    bool is_out_of_reach = i > 0 && o->t_ns[i - 1] > t_ns;
    return is_out_of_reach ? o->n : i;
}

static void insert(ws_order *o, const ws_block *b, size_t from)
{
    size_t at = place_of(o, b->t_ns[from]), behind = o->n - at;
    memmove(o->t_ns + at + 1, o->t_ns + at, behind * sizeof *o->t_ns);
    memmove(o->value + at + 1, o->value + at, behind * sizeof *o->value);
    memmove(o->interval_ns + at + 1, o->interval_ns + at, behind * sizeof *o->interval_ns);
    memmove(o->line + at + 1, o->line + at, behind * sizeof *o->line);
    o->t_ns[at] = b->t_ns[from];
    o->value[at] = b->value[from];
    o->interval_ns[at] = b->interval_ns ? b->interval_ns[from] : 0;
    o->line[at] = b->line ? b->line[from] : 0;
    o->n++;
    if (behind)
        ws_meter_see(&o->moved, o->line[at]);
}

static void sort(ws_order *o, const ws_block *b, ws_meter *meter)
{
    bool like_held = o->has_interval == (b->interval_ns != NULL) && o->has_line == (b->line != NULL);
    if (!like_held)
        let_go(o, meter, 0);
    o->has_interval = b->interval_ns != NULL;
    o->has_line = b->line != NULL;
    for (size_t i = 0; i < b->n; i++) {
        if (o->n == HELD)
            let_go(o, meter, WS_SORT_REACH + 1); /* one more than the reach, to see whether a place is beyond it */
        insert(o, b, i);
    }
}

void ws_order_push(ws_order *o, const ws_block *b, ws_meter *meter)
{
    if (!b->t_ns)
        ws_meter_push(meter, b);
    else if (o->policy == WS_BACK_DROP)
        drop(o, b, meter);
    else
        sort(o, b, meter);
}

void ws_order_flush(ws_order *o, ws_meter *meter)
{
    let_go(o, meter, 0);
}

void ws_order_merge(ws_order *into, const ws_order *next, int64_t lines)
{
    if (!into || !next)
        return;
    ws_seen_add(&into->moved, &next->moved, lines);
    into->missing += next->missing;
}

void ws_order_counts(const ws_order *o, ws_seen *moved, uint64_t *missing)
{
    *moved = o->moved;
    *missing = o->missing;
}

void ws_order_set_counts(ws_order *o, const ws_seen *moved, uint64_t missing)
{
    o->moved = *moved;
    o->missing = missing;
}

uint64_t ws_order_missing(const ws_order *o)
{
    return o->missing;
}

void ws_order_notes(const ws_order *o, const char *source, const char *subject, ws_notes *notes)
{
    bool drops = o->policy == WS_BACK_DROP;
    ws_notes_add_many(notes, o->moved.count, drops ? WS_FINDING_BACK_STEP_DROPPED : WS_FINDING_BACK_STEP_SORTED, source,
                      subject, o->moved.line, "%s",
                      drops ? "a reading whose time stamp is earlier than one before it is left out"
                            : "a reading whose time stamp is earlier than those before it was put in its place");
}
