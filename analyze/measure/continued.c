#include "analyze/measure/continued.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

static bool is_uuid(const ws_channel *c)
{
    return strcmp(c->identity, "uuid") == 0;
}

/* An order of devices; 0 if both channels are of the same hardware in the same run. */
static int compare_devices(const ws_channel *a, const ws_channel *b)
{
    int order = (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : strcmp(a->run, b->run);
    order = order ? order : is_uuid(a) - is_uuid(b);
    order = order ? order : strcmp(a->device_id, b->device_id);
    if (order || is_uuid(a))
        return order;
    order = strcmp(a->node, b->node);
    return order ? order : strcmp(a->device, b->device);
}

/* Can it be part of a longer trace? */
static bool can_go_on(const ws_metered_channel *c)
{
    bool has_date = c->channel.time == WS_TIME_UTC || c->channel.time == WS_TIME_NAIVE;
    return has_date && c->meter.rule != WS_RULE_GIVEN && !c->meter.counter_from_zero;
}

/* --- files that overlap --- */

/* A device in one source. The seams' arena owns the texts. */
typedef struct series {
    ws_channel channel; /* one of its channels, which names it */
    const char *source;
    int64_t start, end;
    bool can_be_cut;
    bool has_seam;
    int64_t seam; /* readings up to it count in an earlier file */
} series;

typedef struct cut_channel {
    int id;              /* of the inner sink */
    const series *of;    /* NULL: all of it counts */
    bool adds_intervals; /* interval energies: the one that spans the seam counts in part */
    bool has_left_out;
    int64_t left_out; /* stamp of the last reading that does not count */
} cut_channel;

struct ws_seams {
    series *all;
    size_t n, capacity;
    cut_channel *channels;
    size_t n_channels, channel_capacity;
    const char *source, *node;
    const ws_sink *inner;
    ws_arena arena;
};

ws_seams *ws_seams_new(void)
{
    ws_seams *s = ws_alloc(sizeof *s);
    *s = (ws_seams){.source = "", .node = ""};
    return s;
}

void ws_seams_free(ws_seams *s)
{
    if (!s)
        return;
    free(s->all);
    free(s->channels);
    ws_arena_free(&s->arena);
    free(s);
}

static int by_source(const void *left, const void *right)
{
    const series *a = left, *b = right;
    int order = compare_devices(&a->channel, &b->channel);
    return order ? order : strcmp(a->source, b->source);
}

static int by_start(const void *left, const void *right)
{
    const series *a = left, *b = right;
    int order = compare_devices(&a->channel, &b->channel);
    order = order ? order : (a->start > b->start) - (a->start < b->start);
    return order ? order : strcmp(a->source, b->source);
}

static void list_channels(ws_seams *s, ws_measure *m)
{
    ws_measure_flush(m);
    s->all = ws_grow(s->all, &s->capacity, s->n + m->n_channels, sizeof *s->all);
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        if (c->meter.has_last)
            s->all[s->n++] = (series){.channel = c->channel,
                                      .source = c->source,
                                      .start = ws_meter_start_ns(&c->meter),
                                      .end = c->meter.last_t,
                                      .can_be_cut = can_go_on(c)};
    }
}

/* Channels of one device in one source become one series. */
static void merge_channels(ws_seams *s)
{
    size_t kept = 0;
    qsort(s->all, s->n, sizeof *s->all, by_source);
    for (size_t i = 0; i < s->n; i++) {
        const series *next = &s->all[i];
        series *last = kept ? &s->all[kept - 1] : NULL;
        if (!last || by_source(last, next) != 0) {
            s->all[kept++] = *next;
            continue;
        }
        last->start = next->start < last->start ? next->start : last->start;
        last->end = next->end > last->end ? next->end : last->end;
        last->can_be_cut &= next->can_be_cut;
    }
    s->n = kept;
}

static double length_of(const series *s)
{
    return (double)s->end - (double)s->start;
}

/* Does `next`, which starts later, continue `before` with some overlap? */
static bool follows(const series *before, const series *next)
{
    static const double most = 0.5, most_of_one_device = 0.9;
    double shared = (double)before->end - (double)next->start;
    double shorter = length_of(before) < length_of(next) ? length_of(before) : length_of(next);
    return before->can_be_cut && next->can_be_cut && shared > 0 && next->end > before->end &&
           shared < (is_uuid(&next->channel) ? most_of_one_device : most) * shorter;
}

static size_t set_seams(ws_seams *s)
{
    size_t found = 0;
    series before = {0}; /* the device so far, with everything that continues it */
    qsort(s->all, s->n, sizeof *s->all, by_start);
    for (size_t i = 0; i < s->n; i++) {
        series *next = &s->all[i];
        if (i == 0 || compare_devices(&before.channel, &next->channel) != 0) {
            before = *next;
            continue;
        }
        bool goes_on = next->start >= before.end;
        next->has_seam = follows(&before, next);
        next->seam = before.end;
        found += next->has_seam;
        if (goes_on || next->has_seam)
            before.end = next->end;
        else if (length_of(next) > length_of(&before))
            before = *next;
    }
    return found;
}

static void keep_texts(ws_seams *s, series *of)
{
    ws_channel *c = &of->channel;
    of->source = ws_arena_strdup(&s->arena, of->source);
    c->run = ws_arena_strdup(&s->arena, c->run);
    c->node = ws_arena_strdup(&s->arena, c->node);
    c->device = ws_arena_strdup(&s->arena, c->device);
    c->device_id = ws_arena_strdup(&s->arena, c->device_id);
    c->identity = is_uuid(c) ? "uuid" : "";
}

size_t ws_seams_find(ws_seams *s, ws_measure *const *measures, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        list_channels(s, measures[i]);
    merge_channels(s);
    if (!set_seams(s))
        return s->n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].has_seam)
            s->all[kept++] = s->all[i];
    s->n = kept;
    for (size_t i = 0; i < s->n; i++)
        keep_texts(s, &s->all[i]);
    qsort(s->all, s->n, sizeof *s->all, by_source);
    return s->n;
}

void ws_seams_note(const ws_seams *s, ws_notes *notes)
{
    for (size_t i = 0; i < s->n; i++) {
        const series *of = &s->all[i];
        ws_notes_add(
            notes, WS_FINDING_OVERLAP_CUT, of->source, of->channel.device, 0,
            "it begins %.6g s before an earlier file of the run ends with the device: the earlier one counts up to "
            "its end, this one from there",
            ((double)of->seam - (double)of->start) / 1e9);
    }
}

void ws_seams_begin(ws_seams *s, const char *source, const char *node)
{
    s->source = source;
    s->node = node;
    s->n_channels = 0;
}

static const char *text_or_none(const char *text)
{
    return text ? text : "";
}

static const series *find_seam(const ws_seams *s, const ws_channel *c)
{
    series key = {.channel = *c, .source = s->source};
    key.channel.run = text_or_none(c->run);
    key.channel.node = c->node && *c->node ? c->node : s->node;
    key.channel.device = text_or_none(c->device);
    key.channel.device_id = text_or_none(c->device_id);
    key.channel.identity = text_or_none(c->identity);
    return s->n ? bsearch(&key, s->all, s->n, sizeof *s->all, by_source) : NULL;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    ws_seams *s = state;
    cut_channel new = {.of = find_seam(s, channel), .adds_intervals = channel->quantity == WS_ENERGY_INTERVAL};
    ws_status status = s->inner->channel(s->inner->state, channel, &new.id, error);
    *id = -1;
    if (status != WS_OK || new.id < 0)
        return status;
    s->channels = ws_grow(s->channels, &s->channel_capacity, s->n_channels + 1, sizeof *s->channels);
    *id = (int)s->n_channels;
    s->channels[s->n_channels++] = new;
    return WS_OK;
}

/* The share of an interval energy after the seam. */
static ws_status push_part(const ws_seams *s, cut_channel *c, const ws_block *b, size_t i, ws_error *error)
{
    double value = b->value[i], behind = (double)b->t_ns[i] - (double)c->of->seam;
    double whole = b->interval_ns ? (double)b->interval_ns[i] : (double)b->t_ns[i] - (double)c->left_out;
    int64_t rest = b->t_ns[i] - c->of->seam;
    ws_block one = ws_block_part(b, i, i + 1);
    value *= behind < whole ? behind / whole : 1;
    one.value = &value;
    one.interval_ns = behind < whole ? &rest : one.interval_ns;
    c->has_left_out = false;
    return s->inner->block(s->inner->state, c->id, &one, error);
}

static ws_status push_behind(const ws_seams *s, cut_channel *c, const ws_block *b, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0, end; i < b->n && status == WS_OK; i = end) {
        end = i + 1;
        if (b->t_ns[i] <= c->of->seam) {
            c->has_left_out = true;
            c->left_out = b->t_ns[i];
            continue;
        }
        if (c->adds_intervals && c->has_left_out) {
            status = push_part(s, c, b, i, error);
            continue;
        }
        while (end < b->n && b->t_ns[end] > c->of->seam)
            end++;
        ws_block part = ws_block_part(b, i, end);
        status = s->inner->block(s->inner->state, c->id, &part, error);
    }
    return status;
}

static ws_status take_block(void *state, int id, const ws_block *b, ws_error *error)
{
    ws_seams *s = state;
    cut_channel *c = &s->channels[id];
    if (c->of && b->t_ns)
        return push_behind(s, c, b, error);
    return s->inner->block(s->inner->state, c->id, b, error);
}

static void take_fact(void *state, const ws_fact *fact)
{
    const ws_seams *s = state;
    if (s->inner->fact)
        s->inner->fact(s->inner->state, fact);
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_seams *s = state;
    return !s->inner->wants || s->inner->wants(s->inner->state, quantity);
}

ws_sink ws_seams_sink(ws_seams *s, const ws_sink *inner)
{
    s->inner = inner;
    return (ws_sink){.state = s,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = inner->every_fact,
                     .wants = wants};
}

/* --- files that follow each other --- */

/* The channels of one device in one source. */
typedef struct part {
    const ws_metered_channel *first; /* represents the device */
    int64_t start, end;              /* of the readings, including those of the parts joined to it */
    size_t energies;                 /* channels of power or energy */
    bool can_join;
} part;

typedef struct joiner {
    ws_measure *m;
    part *parts;
    size_t *part_of; /* of each channel */
    bool *gone;      /* channels that were merged into another */
    size_t n;
    part **by_start;
} joiner;

static bool in_part(const part *p, const ws_metered_channel *c)
{
    const ws_metered_channel *f = p->first;
    return f->channel.domain == c->channel.domain && strcmp(f->channel.device, c->channel.device) == 0 &&
           strcmp(f->source, c->source) == 0 && strcmp(f->channel.node, c->channel.node) == 0 &&
           strcmp(f->channel.run, c->channel.run) == 0;
}

/* Channels of one device come together, so the search starts at the end. */
static size_t find_part(joiner *j, const ws_metered_channel *c)
{
    for (size_t i = j->n; i-- > 0;)
        if (in_part(&j->parts[i], c))
            return i;
    j->parts[j->n] = (part){.first = c, .start = INT64_MAX, .end = INT64_MIN, .can_join = true};
    return j->n++;
}

static void add_to_part(part *p, const ws_metered_channel *c)
{
    const ws_meter *meter = &c->meter;
    p->energies += ws_quantity_gives_energy(c->channel.quantity);
    p->can_join &= can_go_on(c);
    if (meter->has_last && meter->first_t < p->start)
        p->start = meter->first_t;
    if (meter->has_last && meter->last_t > p->end)
        p->end = meter->last_t;
}

/* Not "#3": a log that was rotated while its logger ran on has no header. */
static bool has_name(const ws_channel *c)
{
    return *c->column != '#';
}

/* The channel of `in` with the same column; if one of the two has no column name, the only one of the same quantity. */
static size_t find_like(const joiner *j, const part *in, const ws_channel *wanted)
{
    size_t only = j->m->n_channels, others = 0;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        const ws_channel *c = &j->m->channels[i].channel;
        if (&j->parts[j->part_of[i]] != in || j->gone[i] || c->quantity != wanted->quantity || c->rule != wanted->rule)
            continue;
        if (strcmp(c->column, wanted->column) == 0)
            return i;
        only = has_name(c) != has_name(wanted) ? i : only;
        others++;
    }
    return others == 1 ? only : j->m->n_channels;
}

/* Do both parts have the same columns of power and energy? If not, the device would take its energy from one of them
 * only. */
static bool same_energies(const joiner *j, const part *a, const part *b)
{
    if (a->energies != b->energies || !a->energies)
        return false;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        const ws_metered_channel *c = &j->m->channels[i];
        if (&j->parts[j->part_of[i]] == b && ws_quantity_gives_energy(c->channel.quantity) &&
            find_like(j, a, &c->channel) == j->m->n_channels)
            return false;
    }
    return true;
}

/* Of the parts of the device that end before `p` begins, the one that ends last. */
static part *find_before(const joiner *j, const part *p, size_t n)
{
    part *best = NULL;
    for (size_t i = 0; i < n; i++) {
        part *head = j->by_start[i];
        if (head && head->can_join && head->end <= p->start && (!best || head->end > best->end) &&
            compare_devices(&head->first->channel, &p->first->channel) == 0 &&
            strcmp(head->first->source, p->first->source) != 0 && same_energies(j, head, p))
            best = head;
    }
    return best;
}

static void append(joiner *j, part *head, part *p)
{
    head->end = p->end;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        ws_metered_channel *c = &j->m->channels[i];
        if (&j->parts[j->part_of[i]] != p)
            continue;
        size_t like = find_like(j, head, &c->channel);
        if (like < j->m->n_channels) {
            ws_metered_merge(&j->m->channels[like], c, 0);
            j->gone[i] = true;
        } else {
            j->part_of[i] = (size_t)(head - j->parts);
            c->source = head->first->source;
        }
    }
}

static int by_first_reading(const void *a, const void *b)
{
    const part *x = *(part *const *)a, *y = *(part *const *)b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x > y) - (x < y);
}

static void join_all(joiner *j, ws_notes *notes)
{
    qsort(j->by_start, j->n, sizeof(part *), by_first_reading);
    for (size_t i = 0; i < j->n; i++) {
        part *p = j->by_start[i];
        part *head = p->can_join ? find_before(j, p, i) : NULL;
        if (!head)
            continue;
        ws_notes_add(notes, WS_FINDING_CONTINUED, p->first->source, p->first->channel.device, 0,
                     "the device goes on from an earlier file of the run: read as one trace");
        append(j, head, p);
        j->by_start[i] = NULL;
    }
}

static void drop_gone(joiner *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        if (j->gone[i]) {
            ws_meter_free(&j->m->channels[i].meter);
            ws_order_free(j->m->channels[i].order);
            ws_limits_free(&j->m->channels[i].limits);
        } else {
            j->m->channels[kept++] = j->m->channels[i];
        }
    }
    j->m->n_channels = kept;
}

static bool has_one_source(const ws_measure *m)
{
    for (size_t i = 1; i < m->n_channels; i++)
        if (strcmp(m->channels[i].source, m->channels[0].source) != 0)
            return false;
    return true;
}

void ws_measure_join_parts(ws_measure *m, ws_notes *notes)
{
    if (has_one_source(m))
        return;
    ws_measure_flush(m);
    size_t n = m->n_channels;
    joiner j = {.m = m,
                .parts = ws_alloc(n * sizeof *j.parts),
                .part_of = ws_alloc(n * sizeof *j.part_of),
                .gone = ws_alloc(n * sizeof *j.gone),
                .by_start = ws_alloc(n * sizeof *j.by_start)};
    for (size_t i = 0; i < n; i++) {
        j.part_of[i] = find_part(&j, &m->channels[i]);
        add_to_part(&j.parts[j.part_of[i]], &m->channels[i]);
    }
    for (size_t i = 0; i < j.n; i++)
        j.by_start[i] = &j.parts[i];
    join_all(&j, notes);
    drop_gone(&j);
    free(j.parts);
    free(j.part_of);
    free(j.gone);
    free(j.by_start);
}
