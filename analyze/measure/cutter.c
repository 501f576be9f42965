#include "analyze/measure/cutter.h"

#include "analyze/measure/meter_internal.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* The last reading before a block, for windows that begin between the two. */
typedef struct held_sample {
    int64_t t_ns, interval_ns, line;
    double value;
    bool has_interval, has_line;
} held_sample;

/* A channel of one source: its handle in each window, -1 where the window does not want it. */
typedef struct cut_channel {
    int *ids;
    bool *fed; /* windows that got a sample already */
    bool is_counter;
    ws_counter_glitch glitch;
    uint64_t told; /* glitches that the windows know of */
    bool has_held;
    held_sample held;
    size_t first_open; /* windows before it are over */
    bool went_back;    /* then no window is over */
    bool is_watched;   /* its powers tell when a device works: */
    size_t first_near; /* windows before it are far behind */
    ws_quantity quantity;
    bool has_counted; /* the last reading of a counter that moved */
    int64_t counted_ns;
    double counted_j;
} cut_channel;

struct ws_cutter {
    ws_cut *cuts;
    ws_cut **sorted; /* by start */
    size_t n;
    const char *node;
    bool has_jobs;
    double *powers; /* of a block of energies */
    size_t power_capacity;
    cut_channel *channels;
    size_t n_channels, channel_capacity;
    ws_arena arena;
};

/* A block on its way to the windows. */
typedef struct pushed {
    ws_cutter *cutter;
    cut_channel *channel;
    ws_error *error;
    ws_status status;
} pushed;

static void cut_block(void *state, const ws_block *b);

static int by_start(const void *a, const void *b)
{
    const ws_cut *x = *(ws_cut *const *)a, *y = *(ws_cut *const *)b;
    return x->start_ns != y->start_ns ? (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns) : (x > y) - (x < y);
}

ws_cut **ws_cuts_by_start(ws_cut *cuts, size_t n)
{
    ws_cut **sorted = ws_alloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &cuts[i];
    qsort(sorted, n, sizeof *sorted, by_start);
    return sorted;
}

ws_cutter *ws_cutter_new(ws_cut *cuts, size_t n, const ws_measure_options *options)
{
    ws_cutter *c = ws_alloc(sizeof *c);
    *c = (ws_cutter){.cuts = cuts, .sorted = ws_cuts_by_start(cuts, n), .n = n, .node = ""};
    for (size_t i = 0; i < n; i++) {
        ws_measure_options own = *options;
        own.without_glitches = true;
        own.meter.has_window = true;
        own.meter.window_is_relative = cuts[i].is_relative;
        own.meter.window_start_ns = cuts[i].start_ns;
        own.meter.window_end_ns = cuts[i].end_ns;
        ws_measure_init(&cuts[i].measure, &own);
        c->has_jobs |= cuts[i].is_job;
    }
    return c;
}

static void forget_channels(ws_cutter *c)
{
    for (size_t i = 0; i < c->n_channels; i++) {
        pushed last = {c, &c->channels[i], NULL, WS_OK};
        ws_glitch_flush(&c->channels[i].glitch, cut_block, &last);
        free(c->channels[i].ids);
        free(c->channels[i].fed);
    }
    c->n_channels = 0;
}

void ws_cutter_free(ws_cutter *c)
{
    if (!c)
        return;
    forget_channels(c);
    free(c->channels);
    free(c->powers);
    free(c->sorted);
    ws_arena_free(&c->arena);
    free(c);
}

void ws_cutter_begin(ws_cutter *c, const char *source, const char *node)
{
    forget_channels(c);
    c->node = ws_arena_strdup(&c->arena, node);
    for (size_t i = 0; i < c->n; i++)
        ws_measure_begin(&c->cuts[i].measure, source, node);
}

bool ws_same_host(const char *a, const char *b)
{
    size_t n_a = strcspn(a, "."), n_b = strcspn(b, ".");
    bool short_a = !a[n_a], short_b = !b[n_b];
    return short_a || short_b ? n_a == n_b && strncmp(a, b, n_a) == 0 : strcmp(a, b) == 0;
}

bool ws_cut_wants(const ws_cut *cut, const char *node)
{
    for (size_t i = 0; i < cut->n_nodes; i++)
        if (ws_same_host(cut->nodes[i], node))
            return true;
    return !cut->n_nodes || !*node;
}

static bool is_of_run(const ws_cut *cut, const ws_channel *channel)
{
    return !cut->run || strcmp(cut->run, channel->run ? channel->run : "") == 0;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    ws_cutter *c = state;
    c->channels = ws_grow(c->channels, &c->channel_capacity, c->n_channels + 1, sizeof *c->channels);
    cut_channel *new = &c->channels[c->n_channels];
    *new = (cut_channel){.ids = ws_alloc((c->n + 1) * sizeof *new->ids),
                         .fed = ws_alloc((c->n + 1) * sizeof *new->fed),
                         .is_counter = channel->quantity == WS_ENERGY_COUNTER,
                         .is_watched = c->has_jobs && ws_quantity_gives_energy(channel->quantity) &&
                                       (channel->domain == WS_GPU || channel->domain == WS_CPU),
                         .quantity = channel->quantity};
    *id = (int)c->n_channels++;
    const char *node = channel->node && *channel->node ? channel->node : c->node;
    bool any = false;
    ws_status status = WS_OK;
    for (size_t i = 0; i < c->n && status == WS_OK; i++) {
        new->ids[i] = -1;
        ws_sink sink = ws_measure_sink(&c->sorted[i]->measure);
        if (ws_cut_wants(c->sorted[i], node) && is_of_run(c->sorted[i], channel))
            status = sink.channel(sink.state, channel, &new->ids[i], error);
        any |= new->ids[i] >= 0;
    }
    if (!any)
        *id = -1;
    return status;
}

static held_sample sample_at(const ws_block *b, size_t i)
{
    return (held_sample){.t_ns = b->t_ns[i],
                         .value = b->value[i],
                         .interval_ns = b->interval_ns ? b->interval_ns[i] : 0,
                         .line = b->line ? b->line[i] : 0,
                         .has_interval = b->interval_ns != NULL,
                         .has_line = b->line != NULL};
}

static ws_block block_of(const held_sample *s)
{
    return (ws_block){.n = 1,
                      .t_ns = &s->t_ns,
                      .value = &s->value,
                      .interval_ns = s->has_interval ? &s->interval_ns : NULL,
                      .line = s->has_line ? &s->line : NULL};
}

static ws_status cutter_push(ws_cut *cut, int id, const ws_block *block, ws_error *error)
{
    ws_sink sink = ws_measure_sink(&cut->measure);
    return block->n ? sink.block(sink.state, id, block, error) : WS_OK;
}

/* The first index whose time is at or beyond t (past: beyond it). */
static size_t first_from(const ws_block *b, int64_t t, bool past)
{
    size_t low = 0, high = b->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (past ? b->t_ns[middle] > t : b->t_ns[middle] >= t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A reading that a meter takes: neither a missing cell nor the zero of a counter that could not be read. */
static bool is_usable(const cut_channel *channel, const ws_block *b, size_t i)
{
    bool failed = channel->is_counter && b->value[i] == 0 && channel->has_held && channel->held.value > 0;
    for (size_t j = 0; j < i && channel->is_counter && b->value[i] == 0 && !failed; j++)
        failed = b->value[j] > 0;
    return ws_is_reading(b->value[i]) && !failed;
}

/* The last reading before the window, in the block or held from an earlier one. */
static ws_status feed_before(ws_cutter *c, const cut_channel *channel, size_t window, const ws_block *b, size_t from,
                             ws_error *error)
{
    size_t i = from;
    while (i > 0 && !is_usable(channel, b, i - 1))
        i--;
    held_sample before = i > 0 ? sample_at(b, i - 1) : channel->held;
    ws_block one = block_of(&before);
    return i > 0 || channel->has_held ? cutter_push(c->sorted[window], channel->ids[window], &one, error) : WS_OK;
}

/* What of the block belongs to the window: its samples and a reading on either side. */
static ws_status feed(ws_cutter *c, cut_channel *channel, size_t window, const ws_block *b, ws_error *error)
{
    ws_cut *cut = c->sorted[window];
    ws_status status = WS_OK;
    size_t from = 0, to = b->n;
    if (!channel->went_back) {
        from = first_from(b, cut->start_ns, false);
        to = first_from(b, cut->end_ns, true);
        while (to < b->n && !is_usable(channel, b, to))
            to++;
        to += to < b->n;
    }
    if (from == b->n)
        return WS_OK; /* the window begins after this block */
    if (!channel->fed[window])
        status = feed_before(c, channel, window, b, from, error);
    channel->fed[window] = true;
    ws_block part = ws_block_part(b, from, to);
    return status == WS_OK ? cutter_push(cut, channel->ids[window], &part, error) : status;
}

static bool is_sorted(const cut_channel *channel, const ws_block *b)
{
    bool sorted = !channel->has_held || channel->held.t_ns <= b->t_ns[0];
    for (size_t i = 1; i < b->n && sorted; i++)
        sorted = b->t_ns[i - 1] <= b->t_ns[i];
    return sorted;
}

static ws_status push_all(ws_cutter *c, const cut_channel *channel, const ws_block *b, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < c->n && status == WS_OK; i++)
        if (channel->ids[i] >= 0)
            status = cutter_push(c->sorted[i], channel->ids[i], b, error);
    return status;
}

static void hold_last(cut_channel *channel, const ws_block *b)
{
    size_t i = b->n;
    while (i > 0 && !is_usable(channel, b, i - 1))
        i--;
    if (i > 0)
        channel->held = sample_at(b, i - 1);
    channel->has_held |= i > 0;
}

/* To the windows that a glitch touches; `b` holds its readings. */
static void tell_glitches(ws_cutter *c, cut_channel *channel, const ws_block *b)
{
    ws_seen seen = {channel->glitch.seen.count - channel->told, b->line ? b->line[0] : 0};
    channel->told = channel->glitch.seen.count;
    for (size_t i = 0; i < c->n && seen.count; i++) {
        const ws_cut *cut = c->sorted[i];
        if (channel->ids[i] >= 0 && b->t_ns[0] <= cut->end_ns && b->t_ns[b->n - 1] >= cut->start_ns)
            ws_seen_add(&c->sorted[i]->measure.channels[channel->ids[i]].glitch.seen, &seen, 0);
    }
}

/* Where a counter does not move, nothing is known until it does. */
static double power_of_step(cut_channel *channel, int64_t t_ns, double value_j)
{
    bool falls = channel->has_counted && value_j < channel->counted_j;
    if (isnan(value_j) || (channel->has_counted && value_j == channel->counted_j))
        return NAN;
    double time_s = (double)ws_ns_minus(t_ns, channel->counted_ns) / WS_NS_PER_S;
    double power_w = channel->has_counted && !falls && time_s > 0 ? (value_j - channel->counted_j) / time_s : NAN;
    channel->has_counted = true;
    channel->counted_ns = t_ns;
    channel->counted_j = value_j;
    return power_w;
}

/* The readings as powers, good until the next call. */
static ws_block powers_of(ws_cutter *c, cut_channel *channel, const ws_block *b)
{
    ws_block powers = {.n = b->n, .t_ns = b->t_ns, .value = b->value};
    if (channel->quantity == WS_POWER)
        return powers;
    c->powers = ws_grow(c->powers, &c->power_capacity, b->n, sizeof *c->powers);
    for (size_t i = 0; i < b->n; i++)
        c->powers[i] = channel->is_counter ? power_of_step(channel, b->t_ns[i], b->value[i])
                       : b->interval_ns && b->interval_ns[i] > 0
                           ? b->value[i] / ((double)b->interval_ns[i] / WS_NS_PER_S)
                           : NAN;
    powers.value = c->powers;
    return powers;
}

/* Powers in the windows of jobs and around them. */
static void watch(ws_cutter *c, cut_channel *channel, const ws_block *b)
{
    static const int64_t around_ns = (int64_t)(WS_AROUND_S * 1e9);
    if (!channel->is_watched)
        return;
    ws_block powers = powers_of(c, channel, b);
    int64_t last = b->t_ns[b->n - 1];
    for (size_t i = channel->went_back ? 0 : channel->first_near; i < c->n; i++) {
        ws_cut *cut = c->sorted[i];
        int64_t from_ns = ws_ns_minus(cut->start_ns, around_ns), to_ns = ws_ns_plus(cut->end_ns, around_ns);
        if (!channel->went_back && from_ns > last)
            break;
        bool is_over = !channel->went_back && channel->has_held && channel->held.t_ns > to_ns;
        channel->first_near += is_over && i == channel->first_near;
        if (channel->ids[i] < 0 || is_over)
            continue;
        ws_block part = channel->went_back
                            ? powers
                            : ws_block_part(&powers, first_from(b, from_ns, false), first_from(b, to_ns, true));
        ws_power_times_push(&cut->measure.channels[channel->ids[i]].watch->times, &part);
    }
}

static ws_status cut_rows(ws_cutter *c, cut_channel *channel, const ws_block *b, ws_error *error)
{
    ws_status status = WS_OK;
    if (!b->n || !b->t_ns)
        return push_all(c, channel, b, error);
    tell_glitches(c, channel, b);
    channel->went_back |= !is_sorted(channel, b);
    watch(c, channel, b);
    int64_t last = b->t_ns[b->n - 1];
    for (size_t i = channel->went_back ? 0 : channel->first_open; i < c->n && status == WS_OK; i++) {
        if (!channel->went_back && c->sorted[i]->start_ns > last)
            break;
        bool is_over = !channel->went_back && channel->has_held && channel->held.t_ns > c->sorted[i]->end_ns;
        if (channel->ids[i] >= 0 && !is_over)
            status = feed(c, channel, i, b, error);
        channel->first_open += is_over && i == channel->first_open;
    }
    hold_last(channel, b);
    return status;
}

static void cut_block(void *state, const ws_block *b)
{
    pushed *p = state;
    if (p->status == WS_OK)
        p->status = cut_rows(p->cutter, p->channel, b, p->error);
}

static ws_status take_block(void *state, int id, const ws_block *b, ws_error *error)
{
    ws_cutter *c = state;
    pushed block = {c, &c->channels[id], error, WS_OK};
    if (block.channel->is_counter)
        ws_glitch_push(&block.channel->glitch, b, cut_block, &block);
    else
        cut_block(&block, b);
    return block.status;
}

static void take_fact(void *state, const ws_fact *fact)
{
    ws_cutter *c = state;
    for (size_t i = 0; i < c->n; i++) {
        ws_sink sink = ws_measure_sink(&c->cuts[i].measure);
        sink.fact(sink.state, fact);
    }
}

ws_sink ws_cutter_sink(ws_cutter *cutter)
{
    return (ws_sink){.state = cutter,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = cutter->n && cutter->cuts[0].measure.options.every_fact};
}
