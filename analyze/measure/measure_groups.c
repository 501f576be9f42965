#include "analyze/measure/measure_groups.h"

#include "core/name_index.h"

#include <stdlib.h>
#include <string.h>

/* The names that count; the others are "". */
typedef struct group_key {
    const char *source, *run, *node;
} group_key;

static group_key key_of(unsigned by, const char *source, const char *run, const char *node)
{
    return (group_key){by & WS_GROUP_SOURCE ? source : "", by & WS_GROUP_RUN ? run : "",
                       by & WS_GROUP_NODE ? node : ""};
}

typedef struct group_search {
    group_key wanted, *keys; /* of each group */
} group_search;

static bool is_group(const void *state, size_t place)
{
    const group_search *s = state;
    const group_key *key = &s->keys[place];
    return strcmp(key->source, s->wanted.source) == 0 && strcmp(key->run, s->wanted.run) == 0 &&
           strcmp(key->node, s->wanted.node) == 0;
}

static uint64_t hash_of(const group_key *key)
{
    return ws_name_hash(ws_name_hash(ws_name_hash(0, key->source), key->run), key->node);
}

/* Mostly the group of the one before. */
static size_t find_group(const ws_name_index *index, const group_search *s, size_t before)
{
    if (before != WS_NO_PLACE && is_group(s, before))
        return before;
    return ws_name_find(index, hash_of(&s->wanted), is_group, s);
}

/* Which group each device and each channel is in; counts them. */
static size_t assign(const ws_measure *m, unsigned by, size_t *of_device, size_t *of_channel)
{
    ws_name_index index = {0};
    group_search s = {.keys = ws_alloc((m->n_devices + 1) * sizeof *s.keys)};
    size_t n = 0, before = WS_NO_PLACE;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        s.wanted = key_of(by, d->source, d->run, d->node);
        of_device[i] = before = find_group(&index, &s, before);
        if (before != WS_NO_PLACE)
            continue;
        s.keys[n] = s.wanted;
        ws_name_add(&index, hash_of(&s.wanted), n);
        of_device[i] = before = n++;
    }
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        s.wanted = key_of(by, c->source, c->channel.run, c->channel.node);
        of_channel[i] = before = find_group(&index, &s, before);
    }
    ws_name_index_free(&index);
    free(s.keys);
    return n;
}

void ws_measure_groups_init(ws_measure_groups *groups, const ws_measure *m, unsigned by)
{
    size_t n_all = m->n_devices + m->n_channels, *of = ws_alloc((n_all + 1) * sizeof *of);
    size_t *of_channel = of + m->n_devices;
    *groups = (ws_measure_groups){.n = assign(m, by, of, of_channel)};
    groups->items = ws_alloc((groups->n + 1) * sizeof *groups->items);
    groups->places = ws_alloc((n_all + 1) * sizeof *groups->places);
    for (size_t i = 0; i < m->n_devices; i++)
        groups->items[of[i]].n_devices++;
    for (size_t i = 0; i < m->n_channels; i++)
        if (of_channel[i] != WS_NO_PLACE)
            groups->items[of_channel[i]].n_channels++;
    size_t *next = groups->places;
    for (size_t g = 0; g < groups->n; g++) {
        ws_measure_group *group = &groups->items[g];
        group->devices = next;
        group->channels = next + group->n_devices;
        next += group->n_devices + group->n_channels;
        group->n_devices = group->n_channels = 0;
    }
    for (size_t i = 0; i < m->n_devices; i++)
        groups->items[of[i]].devices[groups->items[of[i]].n_devices++] = i;
    for (size_t i = 0; i < m->n_channels; i++)
        if (of_channel[i] != WS_NO_PLACE)
            groups->items[of_channel[i]].channels[groups->items[of_channel[i]].n_channels++] = i;
    free(of);
}

void ws_measure_groups_free(ws_measure_groups *groups)
{
    free(groups->items);
    free(groups->places);
    *groups = (ws_measure_groups){0};
}

static bool is(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

static bool device_passes(const ws_device *d, const ws_device_filter *f)
{
    return !d->is_alternative && is(f->source, d->source) && is(f->run, d->run) && is(f->node, d->node);
}

static bool channel_passes(const ws_metered_channel *c, const ws_device_filter *f)
{
    return is(f->source, c->source) && is(f->run, c->channel.run) && is(f->node, c->channel.node);
}

ws_measure_group ws_measure_select(const ws_measure *m, const ws_device_filter *filter, size_t **places)
{
    *places = ws_alloc((m->n_devices + m->n_channels + 1) * sizeof **places);
    ws_measure_group group = {.devices = *places};
    for (size_t i = 0; i < m->n_devices; i++)
        if (device_passes(&m->devices[i], filter))
            group.devices[group.n_devices++] = i;
    group.channels = *places + group.n_devices;
    for (size_t i = 0; i < m->n_channels; i++)
        if (channel_passes(&m->channels[i], filter))
            group.channels[group.n_channels++] = i;
    return group;
}
