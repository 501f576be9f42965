#include "analyze/measure/copies.h"

#include "analyze/measure/meter_internal.h"
#include "core/calendar.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the time from which on no total is printed. A clock that a time server sets back by half a minute stays
 * below it in a log of at least ten minutes. */
static const double TWICE_ASKED = 0.05;

/* The share of copies among readings of repeated time. Not all: where two pastes meet, there may be a row that the
 * first one lacks. */
static const double COPIED = 0.99;

/* So many copied readings must differ from the one before: constant readings prove nothing. */
enum { ENOUGH_CHANGES = 20 };

/* So many readings of a source are remembered, in up to 24 bytes each. */
static const size_t MOST_REMEMBERED = (size_t)1 << 24;

/* At the end of summer time local time steps back by an hour, give or take an interval of the logger. */
static const double AUTUMN_S = 3600, AUTUMN_SLACK_S = 60;

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

static int by_start(const void *left, const void *right)
{
    const ws_rising *a = left, *b = right;
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static double since_s(int64_t earlier, int64_t later)
{
    return ((double)later - (double)earlier) / WS_NS_PER_S;
}

/* The mean of the intervals in the quarter octave of the median. */
static double usual_interval_s(const ws_meter *m)
{
    int usual = ws_meter_median_bucket(m);
    for (size_t i = 0; i < m->n_buckets; i++)
        if (m->buckets[i].quarter_octave == usual)
            return (double)m->buckets[i].total_ns / (double)m->buckets[i].count / WS_NS_PER_S;
    return 0;
}

static const size_t NOT_AUTUMN = SIZE_MAX;

/* Summer time ends on a Sunday of autumn at a full hour of the night: 3:00 becomes 2:00 in the European Union (4:00 in
 * its east, 2:00 in its west), 2:00 becomes 1:00 in North America, 3:00 becomes 2:00 in Australia and New Zealand
 * (first Sunday of April), and Saturday's 24:00 becomes 23:00 in Chile and Greenland. `day` counts from 1970-01-01, a
 * Thursday. */
static bool is_autumn_night(int64_t day, int64_t hour)
{
    int64_t year, month, of_month, week_day = ((day + 4) % 7 + 7) % 7; /* 0: Sunday */
    ws_civil_from_days(day, &year, &month, &of_month);
    bool is_night = (week_day == 0 && hour <= 3) || (week_day == 6 && hour == 23);
    bool is_north = month == 10 || (month == 11 && of_month <= 7);
    return is_night && (is_north || (month == 4 && of_month <= 8));
}

/* The last reading before the step lies at most an interval before a full hour, the first one behind the step at most
 * an interval after the hour before it, in a night in which clocks are set back. */
static bool is_clock_change(int64_t last_ns, int64_t next_ns, double interval_s)
{
    const int64_t hour_ns = llround(AUTUMN_S * WS_NS_PER_S), hour = next_ns / hour_ns;
    double late_s = since_s(hour * hour_ns, next_ns), early_s = since_s(last_ns, (hour + 1) * hour_ns);
    double most_s = interval_s + AUTUMN_SLACK_S;
    return next_ns > 0 && is_autumn_night(hour / 24, hour % 24) && late_s <= most_s && early_s <= most_s &&
           early_s >= -AUTUMN_SLACK_S;
}

/* The stretch after which summer time ended, for a clock without a zone; NOT_AUTUMN if there is none, or if several
 * qualify. Outside the window the ends are not known. Two loggers whose clocks are an hour apart step back on any day.
 */
static size_t find_autumn(const ws_meter *m)
{
    size_t found = NOT_AUTUMN;
    double interval_s = usual_interval_s(m);
    for (size_t i = 0; i < m->n_rising && m->time == WS_TIME_NAIVE; i++) {
        int64_t last = m->rising[i].end_ns, next = i + 1 < m->n_rising ? m->rising[i + 1].start_ns : m->rising_start;
        if (fabs(since_s(next, last) + interval_s - AUTUMN_S) > AUTUMN_SLACK_S)
            continue;
        if (found != NOT_AUTUMN || !is_clock_change(last, next, interval_s) || !ws_meter_is_inside(m, last) ||
            !ws_meter_is_inside(m, next))
            return NOT_AUTUMN;
        found = i;
    }
    return m->n_rising < WS_RISING_KEPT ? found : NOT_AUTUMN;
}

/* All stretches of the meter inside its window, including the current one, ordered by their starts. Those after the
 * stretch `autumn` are moved by an hour. The caller frees the list. */
static ws_rising *list_stretches(const ws_meter *m, size_t autumn, size_t *n)
{
    const int64_t hour_ns = llround(AUTUMN_S * WS_NS_PER_S);
    const ws_meter_options *o = &m->options;
    ws_rising *all = ws_alloc((m->n_rising + 1) * sizeof *all);
    if (m->n_rising)
        memcpy(all, m->rising, m->n_rising * sizeof *all);
    all[m->n_rising] = (ws_rising){m->rising_start, m->last_t};
    *n = 0;
    for (size_t i = 0; i <= m->n_rising; i++) {
        ws_rising s = all[i];
        if (o->has_window && s.start_ns < o->window_start_ns)
            s.start_ns = o->window_start_ns;
        if (o->has_window && s.end_ns > o->window_end_ns)
            s.end_ns = o->window_end_ns;
        if (s.start_ns >= s.end_ns)
            continue;
        int64_t later_ns = i > autumn ? hour_ns : 0;
        all[(*n)++] = (ws_rising){ws_ns_plus(s.start_ns, later_ns), ws_ns_plus(s.end_ns, later_ns)};
    }
    qsort(all, *n, sizeof *all, by_start);
    return all;
}

/* The time that is held twice in s and its ends (`where`); *all_s: the time of all stretches. */
static double twice_s(const ws_meter *m, size_t autumn, ws_rising *where, double *all_s)
{
    size_t n;
    ws_rising *stretches = list_stretches(m, autumn, &n);
    double twice = 0, all = 0;
    int64_t latest = INT64_MIN;
    *where = (ws_rising){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        const ws_rising *s = &stretches[i];
        int64_t shared_end = s->end_ns < latest ? s->end_ns : latest;
        all += since_s(s->start_ns, s->end_ns);
        if (shared_end > s->start_ns) {
            twice += since_s(s->start_ns, shared_end);
            where->start_ns = s->start_ns < where->start_ns ? s->start_ns : where->start_ns;
            where->end_ns = shared_end > where->end_ns ? shared_end : where->end_ns;
        }
        latest = s->end_ns > latest ? s->end_ns : latest;
    }
    free(stretches);
    *all_s = all;
    return twice;
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
            double all_s;
            if (meter->n_rising && twice_s(meter, NOT_AUTUMN, &where, &all_s) > 0)
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
    if (c->inner->fact)
        c->inner->fact(c->inner->state, fact);
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_copies *c = state;
    return !c->inner->wants || c->inner->wants(c->inner->state, quantity);
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

bool ws_asks_back_steps(const ws_metered_channel *c)
{
    ws_rising where;
    double all_s;
    if (!c->meter.n_rising || c->meter.rule == WS_RULE_COUNTER || !ws_quantity_gives_energy(c->channel.quantity))
        return false;
    return twice_s(&c->meter, find_autumn(&c->meter), &where, &all_s) > TWICE_ASKED * all_s;
}

void ws_note_asked_back_steps(const ws_metered_channel *c, const char *subject, ws_notes *notes)
{
    ws_rising where;
    double all_s, again_s = twice_s(&c->meter, find_autumn(&c->meter), &where, &all_s);
    ws_notes_add(
        notes, WS_FINDING_ASK_BACK_STEPS, c->source, subject, c->meter.back_steps.line,
        "%.6g s of its %.6g s stand in the file twice, with other readings: --back-steps says what they are (keep: "
        "time that went on, as where a clock was set; sort: rows that changed places, within 64 readings; drop: "
        "nothing that counts)",
        again_s, all_s);
}
