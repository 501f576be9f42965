#include "analyze/measure/quiet_stretches.h"

#include "analyze/measure/meter_internal.h"

#include <math.h>

void ws_quiet_init(ws_quiet *q)
{
    *q = (ws_quiet){.window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

static void add_stretch(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->n < WS_QUIET_KEPT)
        q->kept[q->n++] = *stretch;
    else
        q->has_more = true;
}

/* Goes on with the last stretch, unless that was not kept. */
static void extend(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->has_more)
        return;
    q->kept[q->n - 1].to_ns = stretch->to_ns;
    q->kept[q->n - 1].n += stretch->n;
}

static void add_reading(ws_quiet *q, int64_t t_ns, bool is_quiet)
{
    if (t_ns < q->window_start_ns || t_ns > q->window_end_ns)
        return;
    ws_quiet_stretch one = {t_ns, t_ns, 1};
    if (is_quiet && q->last_is)
        extend(q, &one);
    else if (is_quiet)
        add_stretch(q, &one);
    q->first_is = q->has_any ? q->first_is : is_quiet;
    q->last_is = is_quiet;
    q->has_any = true;
}

static void push(ws_quiet *q, const ws_block *b, double below)
{
    for (size_t i = 0; b->t_ns && i < b->n; i++)
        if (!isnan(b->value[i]))
            add_reading(q, b->t_ns[i], fabs(b->value[i]) < below);
}

void ws_quiet_push_powers(ws_quiet *q, const ws_block *b, const ws_power_range *range)
{
    static const double least_w = 0x1p-1022; /* no other power is below it */
    bool is_whole = q->window_start_ns == INT64_MIN && q->window_end_ns == INT64_MAX;
    bool is_none = b->n && !range->lacks_some && range->least > 0;
    if (!is_whole || !is_none) {
        push(q, b, least_w);
        return;
    }
    q->has_any = true; /* the last of them says it all */
    q->last_is = false;
}

void ws_quiet_push_use(ws_quiet *q, const ws_block *b)
{
    push(q, b, WS_UNUSED_SHARE);
}

void ws_quiet_merge(ws_quiet *into, const ws_quiet *next)
{
    if (!next->has_any)
        return;
    size_t from = into->last_is && next->first_is;
    if (from)
        extend(into, &next->kept[0]);
    for (size_t i = from; i < next->n; i++)
        add_stretch(into, &next->kept[i]);
    into->has_more |= next->has_more;
    into->first_is = into->has_any ? into->first_is : next->first_is;
    into->last_is = next->last_is;
    into->has_any = true;
}

/* The first stretch without use that ends at or behind the time. */
static const ws_quiet_stretch *stretch_at(const ws_quiet *use, int64_t t_ns)
{
    for (size_t i = 0; i < use->n; i++)
        if (use->kept[i].to_ns >= t_ns)
            return &use->kept[i];
    return NULL;
}

double ws_quiet_share_in_use(const ws_quiet *powers, const ws_quiet *use, int64_t slack_ns)
{
    uint64_t known = 0, unused = 0;
    for (size_t i = 0; i < powers->n; i++) {
        const ws_quiet_stretch *off = &powers->kept[i];
        const ws_quiet_stretch *rest = stretch_at(use, ws_ns_minus(off->to_ns, slack_ns));
        if (!rest && use->has_more)
            break;
        known += off->n;
        unused += rest && rest->from_ns <= ws_ns_plus(off->from_ns, slack_ns) ? off->n : 0;
    }
    return known ? 1 - (double)unused / (double)known : 1;
}
