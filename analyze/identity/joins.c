#include "analyze/identity/joins.h"

#include "analyze/identity/entries.h"

#include <stdlib.h>
#include <string.h>

typedef struct joiner {
    ws_measure *m;
    ws_device_entries entries;
    bool *gone; /* channels that were merged into another one */
} joiner;

static bool is_gone(const joiner *j, const ws_metered_channel *c)
{
    return j->gone[c - j->m->channels];
}

/* Not "#3": a log that was rotated while its logger ran on has no header. */
static bool has_name(const ws_channel *c)
{
    return *c->column != '#';
}

/* The channel of `in` with the same column; if one of the two has no column name, the only one of the same quantity;
 * else NULL. */
static ws_metered_channel *find_like(const joiner *j, const ws_device_entry *in, const ws_channel *wanted)
{
    ws_metered_channel *only = NULL;
    size_t others = 0;
    for (size_t i = 0; i < in->n; i++) {
        const ws_channel *c = &in->channels[i]->channel;
        if (is_gone(j, in->channels[i]) || c->quantity != wanted->quantity || c->rule != wanted->rule)
            continue;
        if (strcmp(c->column, wanted->column) == 0)
            return in->channels[i];
        only = has_name(c) != has_name(wanted) ? in->channels[i] : only;
        others++;
    }
    return others == 1 ? only : NULL;
}

/* Do both have the same columns of power and energy? If not, the device would take its energy from one of them only. */
static bool same_energies(const joiner *j, const ws_device_entry *a, const ws_device_entry *b)
{
    if (a->energies != b->energies || !a->energies)
        return false;
    for (size_t i = 0; i < b->n; i++) {
        const ws_channel *c = &b->channels[i]->channel;
        if (ws_quantity_gives_energy(c->quantity) && !find_like(j, a, c))
            return false;
    }
    return true;
}

/* Of the entries of the device that end before this one begins, the one that ends last. Those that went on in another
 * one are told by `joined`. */
static ws_device_entry *find_before(const joiner *j, const bool *joined, size_t at)
{
    const ws_device_entry *e = &j->entries.items[at];
    ws_device_entry *best = NULL;
    for (size_t i = at; i-- > 0 && ws_compare_hardware(j->entries.items[i].names, e->names) == 0;) {
        ws_device_entry *head = &j->entries.items[i];
        if (!joined[i] && head->can_go_on && ws_succession_of(head, e) == WS_FOLLOWS &&
            (!best || head->end_ns >= best->end_ns) && same_energies(j, head, e))
            best = head;
    }
    return best;
}

static void append(joiner *j, ws_device_entry *head, const ws_device_entry *e)
{
    head->end_ns = e->end_ns;
    for (size_t i = 0; i < e->n; i++) {
        ws_metered_channel *c = e->channels[i], *like = find_like(j, head, &c->channel);
        if (like) {
            ws_metered_merge(like, c, 0);
            j->gone[c - j->m->channels] = true;
        } else {
            c->source = head->source;
            head->channels = ws_grow(head->channels, &head->capacity, head->n + 1, sizeof *head->channels);
            head->channels[head->n++] = c;
        }
    }
}

static void join_all(joiner *j, ws_notes *notes)
{
    bool *joined = ws_alloc(j->entries.n + 1);
    for (size_t i = 0; i < j->entries.n; i++) {
        ws_device_entry *e = &j->entries.items[i], *head = e->can_go_on ? find_before(j, joined, i) : NULL;
        if (!head)
            continue;
        ws_notes_add(notes, WS_FINDING_CONTINUED, e->source, e->names->device, 0,
                     "the device goes on from an earlier file of the run: read as one trace");
        append(j, head, e);
        joined[i] = true;
    }
    free(joined);
}

static void drop_gone(joiner *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->m->n_channels; i++) {
        if (j->gone[i])
            ws_metered_free(&j->m->channels[i]);
        else
            j->m->channels[kept++] = j->m->channels[i];
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
    joiner j = {.m = m, .entries = ws_list_entries(&m, 1), .gone = ws_alloc(m->n_channels + 1)};
    join_all(&j, notes);
    ws_entries_free(&j.entries);
    drop_gone(&j);
    free(j.gone);
}
