#include "analyze/measure/parts.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* The channels of one device in one source. */
typedef struct part {
    const ws_measured *first; /* stands for the device */
    int64_t start, end;       /* of the readings, those of the parts joined to it included */
    size_t energies;          /* channels of power or energy */
    bool can_join;
} part;

typedef struct joiner {
    ws_measure *m;
    part *parts;
    size_t *part_of; /* of each channel */
    bool *gone;      /* channels that went into another */
    size_t n;
    part **by_start;
} joiner;

static bool has_date(const ws_measured *c)
{
    return c->channel.time == WS_TIME_UTC || c->channel.time == WS_TIME_NAIVE;
}

static bool in_part(const part *p, const ws_measured *c)
{
    const ws_measured *f = p->first;
    return f->channel.domain == c->channel.domain && strcmp(f->channel.device, c->channel.device) == 0 &&
           strcmp(f->source, c->source) == 0 && strcmp(f->channel.node, c->channel.node) == 0 &&
           strcmp(f->channel.run, c->channel.run) == 0;
}

/* Channels of one device come together, so the search starts at the end. */
static size_t find_part(joiner *j, const ws_measured *c)
{
    for (size_t i = j->n; i-- > 0;)
        if (in_part(&j->parts[i], c))
            return i;
    j->parts[j->n] = (part){.first = c, .start = INT64_MAX, .end = INT64_MIN, .can_join = true};
    return j->n++;
}

static void add_to_part(part *p, const ws_measured *c)
{
    const ws_meter *meter = &c->meter;
    p->energies += ws_quantity_gives_energy(c->channel.quantity);
    p->can_join &= has_date(c) && meter->rule != WS_RULE_GIVEN && !meter->counter_from_zero;
    if (meter->has_last && meter->first_t < p->start)
        p->start = meter->first_t;
    if (meter->has_last && meter->last_t > p->end)
        p->end = meter->last_t;
}

static bool same_device(const ws_channel *a, const ws_channel *b)
{
    bool uuids = strcmp(a->identity, "uuid") == 0 && strcmp(b->identity, "uuid") == 0;
    if (a->domain != b->domain || strcmp(a->run, b->run) != 0)
        return false;
    if (uuids)
        return strcmp(a->device_id, b->device_id) == 0;
    return strcmp(a->node, b->node) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->device_id, b->device_id) == 0;
}

static size_t find_like(const joiner *j, const part *in, const ws_channel *wanted)
{
    for (size_t i = 0; i < j->m->n_channels; i++) {
        const ws_channel *c = &j->m->channels[i].channel;
        if (&j->parts[j->part_of[i]] == in && !j->gone[i] && c->quantity == wanted->quantity &&
            c->rule == wanted->rule && strcmp(c->column, wanted->column) == 0)
            return i;
    }
    return j->m->n_channels;
}

/* A device with two columns of power would take its energy from one of them alone. */
static bool same_energies(const joiner *j, const part *a, const part *b)
{
    if (a->energies != b->energies || !a->energies)
        return false;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        const ws_measured *c = &j->m->channels[i];
        if (&j->parts[j->part_of[i]] == b && ws_quantity_gives_energy(c->channel.quantity) &&
            find_like(j, a, &c->channel) == j->m->n_channels)
            return false;
    }
    return true;
}

/* The stretch that ends last of those that end before `p` begins. */
static part *find_before(const joiner *j, const part *p, size_t n)
{
    part *best = NULL;
    for (size_t i = 0; i < n; i++) {
        part *head = j->by_start[i];
        if (head && head->can_join && head->end <= p->start && (!best || head->end > best->end) &&
            same_device(&head->first->channel, &p->first->channel) &&
            strcmp(head->first->source, p->first->source) != 0 && same_energies(j, head, p))
            best = head;
    }
    return best;
}

static void append(joiner *j, part *head, part *p)
{
    head->end = p->end;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        ws_measured *c = &j->m->channels[i];
        if (&j->parts[j->part_of[i]] != p)
            continue;
        size_t like = find_like(j, head, &c->channel);
        if (like < j->m->n_channels) {
            ws_meter_merge(&j->m->channels[like].meter, &c->meter, 0);
            ws_order_merge(j->m->channels[like].order, c->order, 0);
            ws_limits_merge(&j->m->channels[like].limits, &c->limits, 0);
            j->gone[i] = true;
        } else {
            j->part_of[i] = (size_t)(head - j->parts);
            c->source = head->first->source;
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const part *x = *(part *const *)a, *y = *(part *const *)b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x > y) - (x < y);
}

static void join_all(joiner *j, ws_notes *notes)
{
    qsort(j->by_start, j->n, sizeof(part *), by_start);
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
