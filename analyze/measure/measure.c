/* The sink of samples: channels with their watches and meters, and what each sample passes on its way to its meter.
 * What they come to after the last one is in measure_devices.c. */
#include "analyze/measure/measure.h"

#include "analyze/measure/meter_internal.h"
#include "core/name_index.h"

#include <stdlib.h>
#include <string.h>

void ws_measure_init(ws_measure *measure, const ws_measure_options *options)
{
    *measure = (ws_measure){.options = *options, .source = "", .node = ""};
}

void ws_measure_free(ws_measure *measure)
{
    for (size_t i = 0; i < measure->n_channels; i++) {
        ws_meter_release(&measure->channels[i].meter);
        if (measure->channels[i].order)
            ws_order_free(measure->channels[i].order);
        ws_limits_free(&measure->channels[i].limits);
        if (measure->channels[i].seam)
            ws_seam_free(measure->channels[i].seam);
        free(measure->channels[i].seam);
    }
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

/* A channel is large: what watches beside its meter begins with one copy of this. */
static const ws_metered_channel unread = {.still = {WS_STANDSTILL_EMPTY(WS_STILL_EQUAL),
                                                    WS_STANDSTILL_EMPTY(WS_STILL_EVEN),
                                                    WS_STANDSTILL_EMPTY(WS_STILL_ODD)},
                                          .unused = WS_UNUSED_EMPTY,
                                          .top = WS_POWER_TOP_EMPTY,
                                          .quiet = WS_QUIET_EMPTY,
                                          .sampling = WS_SAMPLING_EMPTY};

static void set_windows(ws_metered_channel *c, const ws_meter_options *options)
{
    if (!options->has_window)
        return;
    c->limits.window_start_ns = options->window_start_ns;
    c->unused.window_start_ns = c->sampling.window_start_ns = options->window_start_ns;
    c->limits.window_end_ns = options->window_end_ns;
    c->unused.window_end_ns = c->sampling.window_end_ns = options->window_end_ns;
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++) {
        c->still[i].window_start_ns = options->window_start_ns;
        c->still[i].window_end_ns = options->window_end_ns;
    }
    ws_power_times_init(&c->times, options->window_start_ns, options->window_end_ns);
    c->quiet.window_start_ns = c->top.window_start_ns = options->window_start_ns;
    c->quiet.window_end_ns = c->top.window_end_ns = options->window_end_ns;
    c->fingerprint.has_window = true;
    c->fingerprint.window_start_ns = options->window_start_ns;
    c->fingerprint.window_end_ns = options->window_end_ns;
}

/* Of a stretch of a channel that comes behind all that `whole` has seen. */
static void init_watch_of_stretch(ws_metered_channel *c, const ws_metered_channel *whole,
                                  const ws_meter_options *options)
{
    memcpy(c->still, unread.still, sizeof c->still);
    c->unused = unread.unused;
    c->top = unread.top;
    c->quiet = unread.quiet;
    c->sampling = unread.sampling;
    c->fingerprint = unread.fingerprint;
    set_windows(c, options);
    ws_fingerprint_begin_stretch(&c->fingerprint, &whole->fingerprint);
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
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++)
        ws_standstill_merge(&into->still[i], &next->still[i]);
    if (next->times.is_watched)
        ws_power_times_merge(&into->times, &next->times);
    ws_unused_merge(&into->unused, &next->unused);
    ws_quiet_merge(&into->quiet, &next->quiet);
    ws_power_top_merge(&into->top, &next->top, lines);
    ws_sampling_merge(&into->sampling, &next->sampling);
    ws_fingerprint_merge(&into->fingerprint, &next->fingerprint);
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
    enum { MOST = 64 }; /* a channel is large, and their number somebody else's word */
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
        ws_standstills_push(c->still, &checked, &range);
        ws_sampling_push(&c->sampling, &checked);
        ws_fingerprint_push(&c->fingerprint, &checked, &range);
        ws_quiet_push_powers(&c->quiet, &checked, &range);
        ws_power_top_push(&c->top, &checked, &range);
    }
    if (c->channel.quantity == WS_ENERGY_COUNTER)
        ws_fingerprint_push_counter(&c->fingerprint, &checked);
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
            ws_fingerprint_cut(&m->channels[i].fingerprint, sources[source_of[i]].n);
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
