#include "analyze/identity/copies.h"

#include "analyze/measure/meter_internal.h"
#include "analyze/measure/repeated_time.h"

#include <stdlib.h>
#include <string.h>

/* The share of copies among readings of repeated time. Not all: where two pastes meet, there may be a row that the
 * first one lacks. */
static const double COPIED = 0.99;

/* So many copied readings must differ from the one before: constant readings prove nothing. */
enum { ENOUGH_CHANGES = 20 };

/* So many readings of a source are remembered, in up to 24 bytes each. */
static const size_t MOST_REMEMBERED = (size_t)1 << 24;

/* A source that holds time twice, and that time. */
typedef struct doubled {
    const char *source;
    int64_t start, end;
    bool has_window; /* the repeated time may extend beyond start and end */
} doubled;

typedef struct copied_channel {
    int id; /* of the inner sink */
    bool gives_energy;
    bool has_last, is_later_stretch, was_copy;
    int64_t last, latest;
    double last_value;
    uint64_t *seen; /* open addressing; 0: free */
    size_t n_seen, room;
} copied_channel;

/* The counts of a source in the second reading. */
typedef struct tally {
    uint64_t late;    /* readings of powers and energies in repeated time */
    uint64_t copies;  /* those of them that are copies */
    uint64_t changes; /* copies that differ from the reading before */
    ws_seen dropped;  /* copies of any quantity */
    bool is_too_long; /* not all readings were remembered */
} tally;

struct ws_copies {
    doubled *sources;
    size_t n_sources, source_capacity;
    tally *tallies; /* one a source */
    copied_channel *channels;
    size_t n_channels, channel_capacity;
    size_t remembered;
    size_t current; /* the source being read; n_sources if it holds no time twice */
    const ws_sink *inner;
    ws_arena arena;
};

ws_copies *ws_copies_new(void)
{
    return ws_alloc(sizeof(ws_copies));
}

static void forget_channels(ws_copies *c)
{
    for (size_t i = 0; i < c->n_channels; i++)
        free(c->channels[i].seen);
    c->n_channels = c->remembered = 0;
}

void ws_copies_free(ws_copies *c)
{
    if (!c)
        return;
    forget_channels(c);
    free(c->channels);
    free(c->sources);
    free(c->tallies);
    ws_arena_free(&c->arena);
    free(c);
}

static void add_source(ws_copies *c, const char *source, const ws_rising *where, bool has_window)
{
    for (size_t i = 0; i < c->n_sources; i++) {
        doubled *d = &c->sources[i];
        if (strcmp(d->source, source) != 0)
            continue;
        d->start = where->start_ns < d->start ? where->start_ns : d->start;
        d->end = where->end_ns > d->end ? where->end_ns : d->end;
        d->has_window |= has_window;
        return;
    }
    c->sources = ws_grow(c->sources, &c->source_capacity, c->n_sources + 1, sizeof *c->sources);
    c->sources[c->n_sources++] =
        (doubled){ws_arena_strdup(&c->arena, source), where->start_ns, where->end_ns, has_window};
}

size_t ws_copies_find(ws_copies *c, ws_measure *const *measures, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const ws_measure *m = measures[i];
        for (size_t k = 0; k < m->n_channels && m->options.back_steps == WS_BACK_UNSAID; k++) {
            const ws_meter *meter = &m->channels[k].meter;
            ws_rising where;
            if (ws_holds_time_twice(meter, &where))
                add_source(c, m->channels[k].source, &where, meter->options.has_window);
        }
    }
    c->tallies = c->n_sources ? ws_alloc(c->n_sources * sizeof *c->tallies) : NULL;
    return c->n_sources;
}

void ws_copies_begin(ws_copies *c, const char *source)
{
    forget_channels(c);
    c->current = 0;
    while (c->current < c->n_sources && strcmp(c->sources[c->current].source, source) != 0)
        c->current++;
    if (c->current < c->n_sources)
        c->tallies[c->current] = (tally){0};
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

/* A hash of the reading, never 0. The chance that two different ones among 2^24 readings share a mark is 1e-5. */
static uint64_t mark_of(int64_t t, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mark = mix(mix((uint64_t)t) ^ bits);
    return mark ? mark : 1;
}

/* The slot of the mark, or the free slot where it belongs. */
static size_t place_of(const copied_channel *c, uint64_t mark)
{
    size_t i = mark & (c->room - 1);
    while (c->seen[i] && c->seen[i] != mark)
        i = (i + 1) & (c->room - 1);
    return i;
}

static void widen(copied_channel *c)
{
    enum { LEAST = 1024 };
    copied_channel old = *c;
    c->room = old.room ? 2 * old.room : LEAST;
    c->seen = ws_alloc(c->room * sizeof *c->seen);
    for (size_t i = 0; i < old.room; i++)
        if (old.seen[i])
            c->seen[place_of(c, old.seen[i])] = old.seen[i];
    free(old.seen);
}

/* Has the mark been seen before? Remembers it. */
static bool was_seen(ws_copies *all, copied_channel *c, uint64_t mark)
{
    if (4 * (c->n_seen + 1) > 3 * c->room)
        widen(c);
    size_t i = place_of(c, mark);
    if (c->seen[i])
        return true;
    if (all->remembered < MOST_REMEMBERED) {
        c->seen[i] = mark;
        c->n_seen++;
        all->remembered++;
    } else {
        all->tallies[all->current].is_too_long = true;
    }
    return false;
}

static bool is_copy(ws_copies *all, copied_channel *c, const ws_block *b, size_t i)
{
    const doubled *d = &all->sources[all->current];
    tally *to = &all->tallies[all->current];
    int64_t t = b->t_ns[i];
    double value = b->value[i];
    if (isnan(value)) /* a cell that could not be read belongs to the readings beside it */
        return c->is_later_stretch && c->was_copy && t <= c->latest;
    if (c->has_last && ws_ns_minus(t, c->last) <= -WS_LONGEST_SET_BACK_NS)
        c->is_later_stretch = true;
    bool is_late = c->is_later_stretch && t <= c->latest, is_inside = t >= d->start && t <= d->end;
    bool is_known = (is_inside || d->has_window) && was_seen(all, c, mark_of(t, value));
    bool changes = c->has_last && value != c->last_value;
    c->was_copy = is_late && is_known; /* outside of a window, too: what stayed there would be joined across it */
    if (c->gives_energy && is_inside) {
        to->late += is_late;
        to->copies += c->was_copy;
        to->changes += c->was_copy && changes;
    }
    if (c->was_copy)
        ws_meter_see(&to->dropped, b->line ? b->line[i] : 0);
    c->last = t;
    c->latest = c->has_last && c->latest > t ? c->latest : t;
    c->last_value = value;
    c->has_last = true;
    return c->was_copy;
}

static ws_status push_others(ws_copies *all, copied_channel *c, const ws_block *b, ws_error *error)
{
    ws_status status = WS_OK;
    size_t from = 0;
    for (size_t i = 0; i <= b->n && status == WS_OK; i++) {
        if (i < b->n && !is_copy(all, c, b, i))
            continue;
        ws_block part = ws_block_part(b, from, i);
        if (part.n)
            status = all->inner->block(all->inner->state, c->id, &part, error);
        from = i + 1;
    }
    return status;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    ws_copies *c = state;
    copied_channel new = {.gives_energy = ws_quantity_gives_energy(channel->quantity)};
    ws_status status = c->inner->channel(c->inner->state, channel, &new.id, error);
    *id = -1;
    if (status != WS_OK || new.id < 0)
        return status;
    c->channels = ws_grow(c->channels, &c->channel_capacity, c->n_channels + 1, sizeof *c->channels);
    *id = (int)c->n_channels;
    c->channels[c->n_channels++] = new;
    return WS_OK;
}

static ws_status take_block(void *state, int id, const ws_block *b, ws_error *error)
{
    ws_copies *c = state;
    if (b->t_ns && c->current < c->n_sources)
        return push_others(c, &c->channels[id], b, error);
    return c->inner->block(c->inner->state, c->channels[id].id, b, error);
}

static void take_fact(void *state, const ws_fact *fact)
{
    const ws_copies *c = state;
    ws_sink_pass_fact(c->inner, fact);
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_copies *c = state;
    return ws_sink_wants(c->inner, quantity);
}

ws_sink ws_copies_sink(ws_copies *c, const ws_sink *inner)
{
    c->inner = inner;
    return (ws_sink){.state = c,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = inner->every_fact,
                     .wants = wants};
}

static bool is_proven(const tally *t)
{
    return !t->is_too_long && t->changes >= ENOUGH_CHANGES && (double)t->copies >= COPIED * (double)t->late;
}

size_t ws_copies_keep_proven(ws_copies *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n_sources; i++) {
        if (!is_proven(&c->tallies[i]))
            continue;
        c->sources[kept] = c->sources[i];
        c->tallies[kept++] = c->tallies[i];
    }
    return c->n_sources = kept;
}

void ws_copies_note(const ws_copies *c, ws_notes *notes)
{
    for (size_t i = 0; i < c->n_sources; i++)
        ws_notes_add_many(notes, c->tallies[i].dropped.count, WS_FINDING_REPEATED_READING, c->sources[i].source, "",
                          c->tallies[i].dropped.line,
                          "the reading stands in the file already, with the same stamp and value: it counts once");
}
