/* What a sink of samples comes to: channels with their watches and meters, and after the last sample their summaries,
 * the device of each, the energy that counts of a device's channels, and what their readings beside each other cast
 * doubt on. */
#include "analyze/measure/measure.h"

#include "analyze/measure/meter_internal.h"
#include "analyze/measure/repeated_time.h"
#include "analyze/measure/slices.h"
#include "analyze/measure/sum_devices.h"
#include "analyze/measure/stakes.h"
#include "analyze/measure/fed_devices.h"
#include "analyze/measure/uncertainty.h"
#include "core/device_limits.h"
#include "core/name_index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ws_measure_init(ws_measure *measure, const ws_measure_options *options)
{
    *measure = (ws_measure){.options = *options, .source = "", .node = ""};
}

void ws_metered_free(ws_metered_channel *c)
{
    ws_meter_release(&c->meter);
    if (c->order)
        ws_order_free(c->order);
    ws_limits_free(&c->limits);
    if (c->seam)
        ws_seam_free(c->seam);
    free(c->seam);
    free(c->watch);
}

void ws_measure_free(ws_measure *measure)
{
    for (size_t i = 0; i < measure->n_channels; i++)
        ws_metered_free(&measure->channels[i]);
    free(measure->channels);
    free(measure->devices);
    free(measure->places);
    free(measure->facts);
    ws_arena_free(&measure->arena);
    *measure = (ws_measure){0};
}

void ws_measure_begin(ws_measure *measure, const char *source, const char *node)
{
    measure->source = ws_arena_strdup(&measure->arena, source);
    measure->node = ws_arena_strdup(&measure->arena, node);
}

void ws_measure_begin_again(ws_measure *measure, const char *source, const char *node)
{
    ws_measure_begin(measure, source, node);
    measure->n_before = measure->n_channels;
    measure->n_again = 0;
    measure->is_another = false;
}

bool ws_measure_is_the_same(const ws_measure *measure)
{
    return !measure->is_another && measure->n_again == measure->n_before;
}

/* What --back-steps compares and what waits for later readings are in no record. */
bool ws_measure_may_go_on(const ws_measure *measure)
{
    bool may = true;
    for (size_t i = 0; i < measure->n_channels; i++)
        may &= !measure->channels[i].order && !measure->channels[i].glitch.n;
    return may;
}

/* --- the sink: channels, blocks and facts, from one thread or in stretches from several --- */

/* Shares the text of the previous channel if it is the same, as it mostly is. */
static const char *copy_text(ws_arena *arena, const char *text, const char *before)
{
    if (!text || !*text)
        return "";
    return strcmp(text, before) == 0 ? before : ws_arena_strdup(arena, text);
}

static ws_channel copy_channel(ws_measure *m, const ws_channel *from)
{
    static const ws_channel none = {.run = "", .node = "", .device = "", .device_id = "", .identity = "", .column = ""};
    const ws_channel *before = m->n_channels ? &m->channels[m->n_channels - 1].channel : &none;
    ws_channel copy = *from;
    copy.run = copy_text(&m->arena, from->run, before->run);
    copy.node = copy_text(&m->arena, from->node, before->node);
    copy.device = copy_text(&m->arena, from->device, before->device);
    copy.device_id = copy_text(&m->arena, from->device_id, before->device_id);
    copy.identity = copy_text(&m->arena, from->identity, before->identity);
    copy.column = copy_text(&m->arena, from->column, before->column);
    return copy;
}

/* What has read nothing yet. */
static const ws_metered_channel unread = {.unused = WS_UNUSED_EMPTY, .quiet = WS_QUIET_EMPTY};
static const ws_power_watch unread_watch = {.still = {WS_STANDSTILL_EMPTY(WS_STILL_EQUAL),
                                                      WS_STANDSTILL_EMPTY(WS_STILL_EVEN),
                                                      WS_STANDSTILL_EMPTY(WS_STILL_ODD)},
                                            .top = WS_POWER_TOP_EMPTY,
                                            .sampling = WS_SAMPLING_EMPTY};

static void set_windows_of_watch(ws_power_watch *w, int64_t start_ns, int64_t end_ns)
{
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++) {
        w->still[i].window_start_ns = start_ns;
        w->still[i].window_end_ns = end_ns;
    }
    ws_power_times_init(&w->times, start_ns, end_ns);
    w->top.window_start_ns = w->sampling.window_start_ns = w->fingerprint.window_start_ns = start_ns;
    w->top.window_end_ns = w->sampling.window_end_ns = w->fingerprint.window_end_ns = end_ns;
    w->fingerprint.has_window = true;
}

static void set_windows(ws_metered_channel *c, const ws_meter_options *options)
{
    if (!options->has_window)
        return;
    c->limits.window_start_ns = c->unused.window_start_ns = c->quiet.window_start_ns = options->window_start_ns;
    c->limits.window_end_ns = c->unused.window_end_ns = c->quiet.window_end_ns = options->window_end_ns;
    if (c->watch)
        set_windows_of_watch(c->watch, options->window_start_ns, options->window_end_ns);
}

static ws_power_watch *new_watch(ws_quantity of)
{
    if (!ws_quantity_gives_energy(of))
        return NULL;
    ws_power_watch *new = ws_realloc(NULL, 1, sizeof *new);
    *new = unread_watch;
    return new;
}

/* Of a stretch of a channel that comes behind all that `whole` has seen. */
static void init_watch_of_stretch(ws_metered_channel *c, const ws_metered_channel *whole,
                                  const ws_meter_options *options)
{
    c->unused = unread.unused;
    c->quiet = unread.quiet;
    if (c->watch)
        *c->watch = unread_watch;
    set_windows(c, options);
    if (c->watch)
        ws_fingerprint_begin_stretch(&c->watch->fingerprint, &whole->watch->fingerprint);
}

static void merge_watch(ws_power_watch *into, const ws_power_watch *next, int64_t lines)
{
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++)
        ws_standstill_merge(&into->still[i], &next->still[i]);
    if (next->times.is_watched)
        ws_power_times_merge(&into->times, &next->times);
    ws_power_top_merge(&into->top, &next->top, lines);
    ws_sampling_merge(&into->sampling, &next->sampling);
    ws_fingerprint_merge(&into->fingerprint, &next->fingerprint);
}

void ws_metered_merge(ws_metered_channel *into, const ws_metered_channel *next, int64_t lines)
{
    ws_seen left_out = into->glitch.seen;
    ws_seen_add(&left_out, &next->glitch.seen, lines);
    into->glitch = next->glitch;
    into->glitch.seen = left_out;
    for (size_t i = 0; i < into->glitch.n; i++)
        into->glitch.line[i] = ws_line_behind(into->glitch.line[i], lines);
    ws_meter_merge(&into->meter, &next->meter, lines);
    ws_order_merge(into->order, next->order, lines);
    ws_limits_merge(&into->limits, &next->limits, lines);
    ws_unused_merge(&into->unused, &next->unused);
    ws_quiet_merge(&into->quiet, &next->quiet);
    if (into->watch && next->watch)
        merge_watch(into->watch, next->watch, lines);
}

/* A channel is large to move, and what is never touched costs nothing: the first eight come at once. */
static void make_room(ws_measure *m, size_t channels)
{
    enum { FIRST = 8 };
    size_t n = m->n_channels + channels;
    if (channels)
        m->channels = ws_grow(m->channels, &m->channel_capacity, n > FIRST ? n : FIRST, sizeof *m->channels);
}

ws_metered_channel *ws_measure_restore(ws_measure *m, const ws_channel *channel, const char *source, ws_rule rule)
{
    make_room(m, 1);
    ws_metered_channel *new = &m->channels[m->n_channels];
    *new = unread;
    new->channel = *channel;
    new->source = source;
    new->watch = new_watch(channel->quantity);
    ws_meter_init(&new->meter, channel, rule, &m->options.meter);
    if (m->options.back_steps == WS_BACK_DROP || m->options.back_steps == WS_BACK_SORT)
        new->order = ws_order_new(m->options.back_steps);
    ws_limits_init(&new->limits, channel);
    set_windows(new, &m->options.meter);
    m->n_channels++;
    return new;
}

/* Copies all texts except `source`, which must be in the arena of the measure. The result is good until the next
 * channel is added. */
static ws_metered_channel *measure_add_channel(ws_measure *m, const ws_channel *channel, const char *source,
                                               ws_rule rule)
{
    const ws_channel copy = copy_channel(m, channel);
    return ws_measure_restore(m, &copy, source, rule);
}

void ws_measure_expect(ws_measure *m, size_t channels)
{
    enum { MOST = 1024 }; /* a channel is large, and their number somebody else's word */
    make_room(m, channels < MOST ? channels : MOST);
}

static const char *keep(ws_arena *arena, const char *text)
{
    return text ? ws_arena_strdup(arena, text) : "";
}

static void measure_add_fact(ws_measure *m, const ws_fact *fact, const char *source)
{
    m->facts = ws_grow(m->facts, &m->fact_capacity, m->n_facts + 1, sizeof *m->facts);
    m->facts[m->n_facts++] = (ws_kept_fact){.source = source,
                                            .run = keep(&m->arena, fact->run),
                                            .node = keep(&m->arena, fact->node),
                                            .device = keep(&m->arena, fact->device),
                                            .key = keep(&m->arena, fact->key),
                                            .text = fact->text ? ws_arena_strdup(&m->arena, fact->text) : NULL,
                                            .number = fact->number};
}

/* The rule for a channel: its own, unless the user asked for another one that fits its quantity. */
static ws_rule rule_of(const ws_channel *channel, ws_rule asked)
{
    bool power_rule = asked == WS_RULE_TRAPEZOID || asked == WS_RULE_RECTANGLE || asked == WS_RULE_MEAN_TIMES_TIME;
    if (channel->quantity == WS_POWER && power_rule)
        return asked;
    if (channel->quantity == WS_POWER && asked == WS_RULE_PERUN && channel->rule == WS_RULE_TRAPEZOID)
        return WS_RULE_PERUN;
    return ws_quantity_gives_energy(channel->quantity) ? channel->rule : WS_RULE_NONE;
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_measure *m = state;
    return !m->options.quantities || (m->options.quantities >> quantity & 1);
}

static bool same_texts(const ws_channel *a, const ws_channel *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->column, b->column) == 0 && strcmp(a->node, b->node) == 0 &&
           strcmp(a->run, b->run) == 0 && strcmp(a->device_id, b->device_id) == 0 &&
           strcmp(a->identity, b->identity) == 0;
}

static bool is_same(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return a->channel.domain == b->channel.domain && a->channel.quantity == b->channel.quantity &&
           a->channel.rule == b->channel.rule && same_texts(&a->channel, &b->channel) &&
           strcmp(a->source, b->source) == 0;
}

/* A channel that there was before, if this is it. */
static int find_again(ws_measure *m, const ws_channel *channel)
{
    ws_metered_channel wanted = {.channel = *channel, .source = m->source};
    const char **const texts[] = {&wanted.channel.run,       &wanted.channel.node,     &wanted.channel.device,
                                  &wanted.channel.device_id, &wanted.channel.identity, &wanted.channel.column};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = *texts[i] ? *texts[i] : "";
    if (!*wanted.channel.node)
        wanted.channel.node = m->node;
    m->is_another |= !is_same(&m->channels[m->n_again], &wanted);
    return (int)m->n_again++;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    ws_measure *m = state;
    *id = -1;
    if (!wants(m, channel->quantity))
        return WS_OK;
    if (m->n_again < m->n_before) {
        *id = find_again(m, channel);
        return WS_OK;
    }
    *id = (int)m->n_channels;
    ws_metered_channel *new = measure_add_channel(m, channel, m->source, rule_of(channel, m->options.rule));
    if (!*new->channel.node)
        new->channel.node = m->node;
    return WS_OK;
}

static void meter_block(void *state, const ws_block *block)
{
    ws_metered_channel *c = state;
    bool is_power = c->channel.quantity == WS_POWER, is_use = c->channel.quantity == WS_UTIL;
    ws_value_range range = is_power || is_use ? ws_value_range_of(block) : (ws_value_range){0};
    ws_block checked = ws_limits_check(&c->limits, block, is_power ? &range : NULL);
    if (is_power) {
        ws_standstills_push(c->watch->still, &checked, &range);
        ws_sampling_push(&c->watch->sampling, &checked);
        ws_fingerprint_push(&c->watch->fingerprint, &checked, &range);
        ws_quiet_push_powers(&c->quiet, &checked, &range);
        ws_power_top_push(&c->watch->top, &checked, &range);
    }
    if (c->channel.quantity == WS_ENERGY_COUNTER)
        ws_fingerprint_push_counter(&c->watch->fingerprint, &checked);
    if (is_use) {
        ws_unused_push(&c->unused, &checked, &range);
        ws_quiet_push_use(&c->quiet, &checked, &range);
    }
    if (c->order)
        ws_order_push(c->order, &checked, &c->meter);
    else
        ws_meter_push(&c->meter, &checked);
}

static ws_counter_glitch *glitch_of(const ws_measure *m, ws_metered_channel *c)
{
    return m->options.without_glitches ? NULL : &c->glitch;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    ws_measure *m = state;
    ws_metered_channel *c = &m->channels[id];
    ws_block rest = *block;
    if (c->seam && !c->seam->is_closed && block->t_ns)
        rest = ws_block_part(block, ws_seam_hold(c->seam, glitch_of(m, c), &c->limits, block), block->n);
    if (c->channel.quantity == WS_ENERGY_COUNTER && !m->options.without_glitches)
        ws_glitch_push(&c->glitch, &rest, meter_block, c);
    else if (rest.n)
        meter_block(c, &rest);
    return WS_OK;
}

/* A stretch is a measure with the same channels in the same order, whose meters continue those of the whole. */

/* A channel can be split if nothing but a seam depends on readings before the stretch. */
static bool may_be_cut(const ws_metered_channel *c)
{
    bool is_counter = c->channel.quantity == WS_ENERGY_COUNTER && c->channel.time != WS_TIME_NONE;
    return !c->order && (is_counter || ws_limits_stand_alone(&c->limits));
}

static void *fork_stretch(void *state)
{
    const ws_measure *m = state;
    for (size_t i = 0; i < m->n_channels; i++)
        if (!may_be_cut(&m->channels[i]))
            return NULL;
    ws_measure *stretch = ws_alloc(sizeof *stretch);
    ws_measure_init(stretch, &m->options);
    stretch->options.meter.continues = true;
    stretch->n_channels = m->n_channels;
    stretch->channels = ws_alloc(m->n_channels * sizeof *stretch->channels);
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *of = &m->channels[i];
        stretch->channels[i].channel.quantity = of->channel.quantity;
        stretch->channels[i].watch = new_watch(of->channel.quantity);
        ws_meter_init(&stretch->channels[i].meter, &of->channel, of->meter.rule, &stretch->options.meter);
        ws_limits_init(&stretch->channels[i].limits, &of->channel);
        init_watch_of_stretch(&stretch->channels[i], of, &m->options.meter);
        if (of->channel.quantity == WS_ENERGY_COUNTER)
            stretch->channels[i].seam = ws_alloc(sizeof *stretch->channels[i].seam);
    }
    return stretch;
}

/* What was held comes first, by the way of all readings. */
static void join_channel(ws_measure *m, size_t i, ws_metered_channel *from, int64_t lines)
{
    if (from->seam) {
        ws_seam_add_lines(from->seam, lines);
        ws_block held = ws_seam_held(from->seam);
        take_block(m, (int)i, &held, NULL);
    }
    if (!from->seam || from->seam->is_closed)
        ws_metered_merge(&m->channels[i], from, lines);
}

static bool join_stretch(void *state, void *stretch, int64_t lines)
{
    ws_measure *m = state, *next = stretch;
    bool fits = true;
    for (size_t i = 0; i < next->n_channels && fits; i++) {
        const ws_counter_seam *seam = next->channels[i].seam;
        fits = !seam || ws_seam_fits(seam, glitch_of(m, &m->channels[i]), &m->channels[i].limits);
    }
    for (size_t i = 0; i < next->n_channels; i++) {
        ws_metered_channel *from = &next->channels[i];
        if (fits)
            join_channel(m, i, from, lines);
        ws_meter_clear(&from->meter);
        ws_limits_clear(&from->limits);
        from->glitch = (ws_counter_glitch){0};
        if (from->seam)
            ws_seam_clear(from->seam);
        init_watch_of_stretch(from, &m->channels[i], &m->options.meter);
    }
    return fits;
}

static void drop_stretch(void *stretch)
{
    ws_measure_free(stretch);
    free(stretch);
}

static void take_fact(void *state, const ws_fact *fact)
{
    ws_measure *m = state;
    measure_add_fact(m, fact, m->source);
}

ws_sink ws_measure_sink(ws_measure *measure)
{
    return (ws_sink){.state = measure,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = measure->options.every_fact,
                     .wants = wants,
                     .fork = fork_stretch,
                     .join = join_stretch,
                     .drop = drop_stretch};
}

/* --- measures of other sources --- */

/* The first that is appended needs no copy. */
static void take_all(ws_measure *into, ws_measure *next)
{
    into->channels = next->channels;
    into->n_channels = next->n_channels;
    into->channel_capacity = next->channel_capacity;
    next->channels = NULL;
    next->n_channels = next->channel_capacity = 0;
}

void ws_measure_append(ws_measure *into, ws_measure *next)
{
    if (!into->channels)
        take_all(into, next);
    size_t n = into->n_channels + next->n_channels, n_facts = into->n_facts + next->n_facts;
    if (n)
        into->channels = ws_grow(into->channels, &into->channel_capacity, n, sizeof *into->channels);
    into->facts = ws_grow(into->facts, &into->fact_capacity, n_facts, sizeof *into->facts);
    if (next->n_channels)
        memcpy(into->channels + into->n_channels, next->channels, next->n_channels * sizeof *next->channels);
    if (next->n_facts)
        memcpy(into->facts + into->n_facts, next->facts, next->n_facts * sizeof *next->facts);
    into->n_channels = n;
    into->n_facts = n_facts;
    into->is_incomplete |= next->is_incomplete;
    into->asks_period |= next->asks_period;
    ws_arena_join(&into->arena, &next->arena);
    next->n_channels = 0; /* their meters are in the other now */
    ws_measure_free(next);
}

/* --- before the numbers --- */

void ws_measure_flush(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        if (c->glitch.n)
            ws_glitch_flush(&c->glitch, meter_block, c);
        if (c->order)
            ws_order_flush(c->order, &c->meter);
    }
}

static bool has_fingerprint(const ws_metered_channel *c)
{
    return c->channel.quantity == WS_POWER || c->channel.quantity == WS_ENERGY_COUNTER;
}

/* The first power or counter of a source, and how many it has. */
typedef struct source_prints {
    size_t first, n;
} source_prints;

typedef struct source_search {
    const ws_measure *m;
    const source_prints *sources;
    const char *source;
} source_search;

static bool is_of_source(const void *state, size_t place)
{
    const source_search *s = state;
    return strcmp(s->m->channels[s->sources[place].first].source, s->source) == 0;
}

void ws_measure_cut_fingerprints(ws_measure *m)
{
    ws_name_index known = {0};
    source_prints *sources = ws_alloc((m->n_channels + 1) * sizeof *sources);
    size_t *source_of = ws_alloc((m->n_channels + 1) * sizeof *source_of), n = 0;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        uint64_t hash = ws_name_hash(0, c->source);
        if (!has_fingerprint(c))
            continue;
        source_of[i] = ws_name_find(&known, hash, is_of_source, &(source_search){m, sources, c->source});
        if (source_of[i] == WS_NO_PLACE) {
            sources[n] = (source_prints){.first = i};
            ws_name_add(&known, hash, source_of[i] = n++);
        }
        sources[source_of[i]].n++;
    }
    for (size_t i = 0; i < m->n_channels; i++)
        if (has_fingerprint(&m->channels[i]))
            ws_fingerprint_cut(&m->channels[i].watch->fingerprint, sources[source_of[i]].n);
    ws_name_index_free(&known);
    free(source_of);
    free(sources);
}

bool ws_measure_has_samples(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++)
        if (m->channels[i].meter.samples || m->channels[i].meter.missing || m->channels[i].meter.head_zeros.count)
            return true;
    return false;
}

bool ws_measure_steps_back(const ws_measure *m)
{
    size_t i = 0;
    while (i < m->n_channels && !m->channels[i].meter.n_rising)
        i++;
    return i < m->n_channels;
}

bool ws_measure_asks(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].energy && m->devices[i].energy->channel.ask)
            return true;
    return false;
}

/* --- the devices and their energies --- */

/* Which channel gives a device its energy? Among those with readings, the lowest rank, then the lowest preference, then
 * the first channel. A negative rank: the channel cannot give energy, or not by the rule that was asked for. */
static int rank_by_rule(ws_rule asked, const ws_channel *c)
{
    bool power = c->quantity == WS_POWER, counter = c->quantity == WS_ENERGY_COUNTER;
    switch (asked) {
    case WS_RULE_COUNTER:
        return counter ? 0 : -1;
    case WS_RULE_INTERVAL:
        return c->rule == WS_RULE_INTERVAL || c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_GIVEN:
        return c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_TRAPEZOID:
    case WS_RULE_RECTANGLE:
    case WS_RULE_MEAN_TIMES_TIME:
        return power ? 0 : -1;
    case WS_RULE_PERUN:
        return power && c->rule == WS_RULE_TRAPEZOID ? 0 : counter ? 1 : 2;
    default:
        return counter ? 0 : power ? 3 : c->rule == WS_RULE_INTERVAL ? 1 : 2;
    }
}

static int energy_rank(const ws_measure_options *o, const ws_metered_channel *c)
{
    enum { AFTER_ALL_OTHERS = 100 };
    if (!ws_quantity_gives_energy(c->channel.quantity) || (o->column && strcmp(o->column, c->channel.column) != 0))
        return -1;
    int rank = rank_by_rule(o->rule, &c->channel);
    return rank >= 0 && c->channel.preference >= WS_DOUBTFUL ? rank + AFTER_ALL_OTHERS : rank;
}

/* Some drivers write [N/A] into one power column and watts into the next. */
static bool has_readings(const ws_metered_channel *c)
{
    return c->summary.samples > 1 || !isnan(c->summary.energy_j);
}

/* Of two channels that can give the energy. */
static bool is_preferred(const ws_measure_options *o, const ws_metered_channel *a, const ws_metered_channel *b)
{
    int rank_a = energy_rank(o, a), rank_b = energy_rank(o, b);
    return rank_a != rank_b ? rank_a < rank_b : a->channel.preference < b->channel.preference;
}

/* A running total that stands still while the power beside it has joules: a meter that counts in hundredths of a kWh,
 * in a log of minutes. */
static bool is_too_coarse(const ws_measure_options *o, const ws_metered_channel *c, const ws_metered_channel *beside)
{
    return o->rule == WS_RULE_NONE && c->channel.quantity == WS_ENERGY_COUNTER && c->summary.energy_j == 0 &&
           c->summary.status == WS_STATUS_OK && beside->channel.quantity == WS_POWER && beside->summary.energy_j > 0;
}

static bool beats(const ws_measure_options *o, const ws_metered_channel *a, const ws_metered_channel *b)
{
    bool a_can = energy_rank(o, a) >= 0, b_can = b && energy_rank(o, b) >= 0;
    if (!a_can || !b_can)
        return a_can;
    if (has_readings(a) != has_readings(b))
        return has_readings(a);
    if (is_too_coarse(o, a, b) || is_too_coarse(o, b, a))
        return is_too_coarse(o, b, a);
    return is_preferred(o, a, b);
}

/* The channel whose device is looked for. */
typedef struct device_search {
    const ws_measure *m;
    const ws_metered_channel *of;
} device_search;

static bool is_device_of(const void *state, size_t place)
{
    const device_search *s = state;
    const ws_device *d = &s->m->devices[place];
    const ws_channel *ch = &s->of->channel;
    return d->domain == ch->domain && strcmp(d->device, ch->device) == 0 && strcmp(d->node, ch->node) == 0 &&
           strcmp(d->run, ch->run) == 0 && strcmp(d->source, s->of->source) == 0;
}

static size_t find_device(ws_measure *m, const ws_metered_channel *c, ws_name_index *known)
{
    const ws_channel *ch = &c->channel;
    const device_search search = {m, c};
    if (m->n_devices && is_device_of(&search, m->n_devices - 1)) /* channels of a device mostly follow each other */
        return m->n_devices - 1;
    const char *const names[] = {ch->device, ch->node, ch->run, c->source};
    uint64_t hash = (uint64_t)ch->domain + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hash = ws_name_hash(hash, names[i]);
    size_t place = ws_name_find(known, hash, is_device_of, &search);
    if (place != WS_NO_PLACE)
        return place;
    ws_name_add(known, hash, m->n_devices);
    m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
    m->devices[m->n_devices] = (ws_device){.baseline_w = NAN,
                                           .source = c->source,
                                           .run = ch->run,
                                           .node = ch->node,
                                           .device = ch->device,
                                           .device_id = ch->device_id,
                                           .identity = ch->identity,
                                           .domain = ch->domain};
    return m->n_devices++;
}

static void take_if_better(const ws_metered_channel **slot, const ws_metered_channel *c)
{
    bool has_any = c->summary.samples > 0, slot_has_any = *slot && (*slot)->summary.samples > 0;
    if (!*slot || has_any > slot_has_any ||
        (has_any == slot_has_any && c->channel.preference < (*slot)->channel.preference))
        *slot = c;
}

static bool has_more_rows(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return a->summary.samples + a->summary.missing > b->summary.samples + b->summary.missing;
}

static void add_to_device(const ws_measure_options *o, ws_device *d, const ws_metered_channel *c)
{
    d->is_metered |= ws_quantity_gives_energy(c->channel.quantity);
    if (beats(o, c, d->energy))
        d->energy = c;
    if (!d->longest || has_more_rows(c, d->longest))
        d->longest = c;
    switch (c->channel.quantity) {
    case WS_UTIL:
        take_if_better(&d->util, c);
        break;
    case WS_MEM_UTIL:
        take_if_better(&d->mem_util, c);
        break;
    case WS_MEM_USED:
        take_if_better(&d->mem_used, c);
        break;
    case WS_CLOCK:
        take_if_better(&d->clock, c);
        break;
    case WS_TEMPERATURE:
        take_if_better(&d->temperature, c);
        break;
    default:
        break;
    }
}

/* Of each device. */
static void list_channels(ws_measure *m)
{
    size_t *next = ws_alloc((m->n_channels + 1) * sizeof *next);
    free(m->places);
    m->places = next;
    for (size_t i = 0; i < m->n_channels; i++)
        m->devices[m->channels[i].device].n_channels++;
    for (size_t i = 0; i < m->n_devices; i++) {
        m->devices[i].channels = next;
        next += m->devices[i].n_channels;
        m->devices[i].n_channels = 0;
    }
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_device *d = &m->devices[m->channels[i].device];
        m->places[(size_t)(d->channels - m->places) + d->n_channels++] = i;
    }
}

/* Its power was 0 W in as many readings as the counter stood still for, and means the same energy, as of a plug whose
 * load is switched off. A counter that is stuck falls behind its device's power, but for one that was derived of it, as
 * perun does under the counter's name; the limit is ours. */
static bool was_off(const ws_metered_channel *counter, const ws_metered_channel *power)
{
    static const double same_energy = 0.02;
    const ws_channel_summary *r = &counter->summary, *of_power = &power->summary;
    bool is_derived = strcmp(power->channel.column, counter->channel.column) == 0;
    return power->channel.quantity == WS_POWER && !power->channel.ask && !is_derived &&
           power->meter.zeros.count >= r->still_n &&
           fabs(of_power->energy_j - r->energy_j) <= same_energy * r->energy_j;
}

static bool has_meter(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].domain == WS_NODE || m->devices[i].domain == WS_WALL)
            return true;
    return false;
}

static void find_switched_off(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        const ws_device *d = &m->devices[c->device];
        for (size_t k = 0; c->summary.still_s > 0 && k < d->n_channels; k++)
            if (was_off(c, &m->channels[d->channels[k]]))
                ws_summary_was_off(&c->meter, &c->summary);
    }
}

/* With all_channels, every other energy channel of a device gets an entry at the end of the list. */
static void add_alternatives(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        if (energy_rank(&m->options, c) < 0)
            continue;
        ws_device other = m->devices[c->device];
        if (other.energy == c)
            continue;
        other.energy = c;
        other.is_alternative = true;
        m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
        m->devices[m->n_devices++] = other;
    }
}

static const char *label_of(const ws_metered_channel *c, char *buffer, size_t size)
{
    if (!*c->channel.run && !*c->channel.node)
        return c->channel.device;
    snprintf(buffer, size, "%s%s%s%s%s", c->channel.run, *c->channel.run ? " " : "", c->channel.node,
             *c->channel.node ? " " : "", c->channel.device);
    return buffer;
}

static bool is_stood_in_for(const ws_measure_options *o, const ws_device *d, const ws_metered_channel *c)
{
    return d->energy && d->energy != c && !c->summary.samples && c->summary.missing && has_readings(d->energy) &&
           energy_rank(o, c) >= 0 && is_preferred(o, c, d->energy);
}

static void note_channel(const ws_measure *m, const ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    char buffer[400];
    const char *label = label_of(c, buffer, sizeof buffer);
    bool shown = m->options.all_channels || d->energy == c || (!d->energy && d->longest == c);
    if (shown)
        ws_meter_notes(&c->meter, &c->summary, c->source, label, notes);
    if (shown)
        ws_limits_notes(&c->limits, c->source, label, notes);
    if (shown)
        ws_notes_add_many(notes, c->glitch.seen.count, WS_FINDING_COUNTER_GLITCH, c->source, label, c->glitch.seen.line,
                          "the counter jumps away and comes back within %d readings: they are left out as missing",
                          WS_GLITCH_READINGS);
    if (shown && c->order)
        ws_order_notes(c->order, c->source, label, notes);
    if (shown && c->asks_back_steps)
        ws_note_asked_back_steps(c, label, notes);
    if (is_stood_in_for(&m->options, d, c))
        ws_notes_add(notes, WS_FINDING_DEAD_COLUMN, c->source, label, 0,
                     "'%s' has no reading in any row: '%s' stands in for it", c->channel.column,
                     d->energy->channel.column);
    if (d->energy && d->energy != c && is_too_coarse(&m->options, c, d->energy))
        ws_notes_add(notes, WS_FINDING_DEAD_COLUMN, c->source, label, 0,
                     "'%s' never rises, so that it counts too coarsely or not at all: '%s' stands in for it",
                     c->channel.column, d->energy->channel.column);
    if (d->energy != c || c->channel.time != WS_TIME_NONE)
        return;
    if (c->channel.rule == WS_RULE_GIVEN)
        ws_notes_add(notes, WS_FINDING_TOTAL_WITHOUT_TIME, c->source, c->channel.device, 0,
                     "the file holds a total and not the time that it took, so there is no mean power");
    else
        ws_notes_add_most(
            notes, 1, WS_FINDING_NO_TIME, c->source, "", 0,
            "the file holds no time, so there is no energy (--period SECONDS states the sampling period)");
}

static void read_meter(ws_metered_channel *c, ws_back_steps policy)
{
    ws_meter_read(&c->meter, &c->summary);
    const ws_channel_summary *r = &c->summary;
    if (c->channel.quantity == WS_POWER) /* each reading as long as any other */
        ws_limits_settle(&c->limits, r->plain_mean * (double)r->samples, (double)r->samples, r->samples);
    else
        ws_limits_settle(&c->limits, r->energy_j, r->duration_s, r->samples);
    c->summary.missing += c->order ? ws_order_missing(c->order) : 0;
    c->asks_back_steps = c->meter.n_rising && !c->channel.ask && policy != WS_BACK_KEEP && ws_asks_back_steps(c);
    if (c->asks_back_steps)
        c->channel.ask = WS_ASK_BACK_STEPS;
    if (c->channel.ask && ws_quantity_gives_energy(c->channel.quantity)) {
        c->summary.energy_j = c->summary.energy_lo_j = c->summary.energy_hi_j = c->summary.mean = NAN;
        c->summary.status = ws_question_status(c->channel.ask);
    }
    if (c->channel.assumed && !c->channel.ask && c->summary.status == WS_STATUS_OK)
        c->summary.status = c->channel.assumed;
}

/* --- devices that end before their neighbours --- */

/* A device is too short if its readings leave out more than both of these at either end of the time that its run
 * covers. */
static const double usual_intervals = 3, share_of_file = 0.01;

typedef struct stretch {
    int64_t start_ns, end_ns;
} stretch;

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9;
}

static stretch both(stretch a, stretch b)
{
    return (stretch){a.start_ns < b.start_ns ? a.start_ns : b.start_ns, a.end_ns > b.end_ns ? a.end_ns : b.end_ns};
}

static bool has_stretch(const ws_metered_channel *c)
{
    return ws_quantity_gives_energy(c->channel.quantity) && c->meter.has_last && c->channel.time != WS_TIME_NONE &&
           c->meter.rule != WS_RULE_GIVEN;
}

/* A clock that steps back may end earlier than it began. */
static stretch stretch_of(const ws_metered_channel *c)
{
    int64_t start_ns = ws_meter_start_ns(&c->meter);
    stretch first = {start_ns, start_ns}, last = {c->meter.last_t, c->meter.last_t};
    return both(first, last);
}

static bool is_beside(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->channel.run, b->channel.run) == 0;
}

/* The time covered by the channels of one source and run, which are adjacent and begin with `from`. *next gets the
 * first channel of the following run. */
static stretch cover(const ws_measure *m, size_t from, size_t *next)
{
    stretch all = {INT64_MAX, INT64_MIN};
    size_t i = from;
    for (; i < m->n_channels && is_beside(&m->channels[from], &m->channels[i]); i++) {
        if (has_stretch(&m->channels[i]))
            all = both(all, stretch_of(&m->channels[i]));
    }
    *next = i;
    return all;
}

static void judge_channel(ws_measure *m, ws_metered_channel *c, stretch all, ws_notes *notes)
{
    stretch own = stretch_of(c);
    double before = seconds(all.start_ns, own.start_ns), behind = seconds(own.end_ns, all.end_ns);
    double covered = seconds(own.start_ns, own.end_ns), whole = seconds(all.start_ns, all.end_ns);
    double usual = covered / (double)(c->summary.samples - 1);
    if (!(fmax(before, behind) > fmax(usual_intervals * usual, share_of_file * whole)))
        return;
    if (notes)
        ws_notes_add(
            notes, WS_FINDING_SHORT_TRACE, c->source, c->channel.device, 0,
            "its readings cover %.6g s of the %.6g s that the file covers (%.6g s are missing at the start, %.6g s at "
            "the end), and so does its energy",
            covered, whole, before, behind);
    if (ws_energy_status_gives_way(c->summary.status))
        c->summary.status = WS_STATUS_SHORT_TRACE;
    if (m->options.meter.has_window) /* what it lacks of the window is counted */
        return;
    ws_stake_add(&m->devices[c->device].stake, &m->options.verdict, WS_FINDING_SHORT_TRACE,
                 (before + behind) * fabs(c->summary.mean));
    ws_measure_bound_rest(c, before + behind);
}

/* A device whose readings end before those of its neighbours in the same file, because it failed or its column did,
 * gets the status "short-trace", unless it has a more serious one, and the note of that name. */
static void judge_ends(ws_measure *m, ws_notes *notes)
{
    size_t next;
    for (size_t from = 0; from < m->n_channels; from = next) {
        stretch all = cover(m, from, &next);
        for (size_t i = from; i < next; i++) {
            ws_metered_channel *c = &m->channels[i];
            if (m->devices[c->device].energy == c && has_stretch(c) && !isnan(c->summary.energy_j) &&
                c->summary.samples > 1)
                judge_channel(m, c, all, notes);
        }
    }
}

/* --- powers that cannot be right --- */

/* More than this part of a device's energy has to lie in powers that no device draws before its status says so: a
 * single spike in a long log is noted alone. */
static const double implausible_share = 0.01;

/* Also where powers below zero outweigh the others. */
static bool has_wrong_powers(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    if (ws_kilowatts_missing_j(m, d, c) > implausible_share * c->summary.energy_j)
        return true;
    double odd_s = c->summary.duration_s / (double)c->summary.samples * (double)c->limits.odd.seen.count;
    return c->summary.energy_j < 0 ||
           (c->limits.odd.seen.count && c->limits.odd.most_w * odd_s > implausible_share * c->summary.energy_j);
}

static void judge_powers(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        const ws_device *d = &m->devices[c->device];
        if (d->energy != c || c->channel.quantity != WS_POWER || isnan(c->summary.energy_j))
            continue;
        if ((has_wrong_powers(m, d, c) || ws_is_too_low(m, d)) && ws_energy_status_gives_way(c->summary.status))
            c->summary.status = WS_STATUS_IMPLAUSIBLE_POWER;
    }
}

void ws_measure_finish(ws_measure *m, ws_notes *notes)
{
    ws_name_index known = {0};
    ws_measure_flush(m);
    ws_measure_cut_fingerprints(m);
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        read_meter(c, m->options.back_steps);
        c->device = find_device(m, c, &known);
        add_to_device(&m->options, &m->devices[c->device], c);
    }
    ws_name_index_free(&known);
    list_channels(m);
    find_switched_off(m);
    if (has_meter(m))
        ws_measure_find_fed(m);
    ws_measure_find_unread(m, notes);
    ws_measure_find_budgets(m);
    ws_measure_find_stakes(m, notes);
    for (size_t i = 0; notes && i < m->n_channels; i++)
        note_channel(m, &m->devices[m->channels[i].device], &m->channels[i], notes);
    judge_ends(m, notes);
    judge_powers(m);
    if (m->n_devices > 1) {
        ws_measure_find_duplicates_inside(m, notes);
        ws_measure_find_sum_devices(m, notes);
        ws_measure_find_overlaps(m);
    }
    if (m->options.all_channels)
        add_alternatives(m);
}
