#include "analyze/identity/entries.h"

#include <stdlib.h>
#include <string.h>

/* How much of the shorter of two files may stand in the other one as well where both are one trace. */
static const double MOST_SHARED = 0.5, MOST_SHARED_OF_UUID = 0.9;

bool ws_names_uuid(const ws_channel *c)
{
    return strcmp(c->identity, "uuid") == 0;
}

int ws_compare_hardware(const ws_channel *a, const ws_channel *b)
{
    int order = (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : strcmp(a->run, b->run);
    order = order ? order : ws_names_uuid(a) - ws_names_uuid(b);
    order = order ? order : strcmp(a->device_id, b->device_id);
    if (order || ws_names_uuid(a))
        return order;
    order = strcmp(a->node, b->node);
    return order ? order : strcmp(a->device, b->device);
}

static bool can_go_on(const ws_metered_channel *c)
{
    bool has_date = c->channel.time == WS_TIME_UTC || c->channel.time == WS_TIME_NAIVE;
    return has_date && c->meter.rule != WS_RULE_GIVEN && !c->meter.counter_from_zero;
}

static int by_source(const void *left, const void *right)
{
    const ws_device_entry *a = left, *b = right;
    int order = ws_compare_hardware(a->names, b->names);
    order = order ? order : strcmp(a->source, b->source);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int by_start(const void *left, const void *right)
{
    const ws_device_entry *a = left, *b = right;
    int order = ws_compare_hardware(a->names, b->names);
    order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : strcmp(a->source, b->source);
}

static ws_device_entry entry_of(ws_metered_channel *c, size_t order)
{
    bool has_readings = c->meter.has_last;
    ws_device_entry e = {.names = &c->channel,
                         .source = c->source,
                         .start_ns = has_readings ? ws_meter_start_ns(&c->meter) : INT64_MAX,
                         .end_ns = has_readings ? c->meter.last_t : INT64_MIN,
                         .can_go_on = !has_readings || can_go_on(c),
                         .energies = ws_quantity_gives_energy(c->channel.quantity),
                         .order = order};
    e.channels = ws_grow(NULL, &e.capacity, 1, sizeof *e.channels);
    e.channels[e.n++] = c;
    return e;
}

static void add_channel(ws_device_entry *e, ws_device_entry *one)
{
    e->start_ns = one->start_ns < e->start_ns ? one->start_ns : e->start_ns;
    e->end_ns = one->end_ns > e->end_ns ? one->end_ns : e->end_ns;
    e->can_go_on &= one->can_go_on;
    e->energies += one->energies;
    e->channels = ws_grow(e->channels, &e->capacity, e->n + 1, sizeof *e->channels);
    e->channels[e->n++] = one->channels[0];
    free(one->channels);
}

ws_device_entries ws_list_entries(ws_measure *const *measures, size_t n)
{
    size_t n_channels = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        n_channels += measures[i]->n_channels;
    ws_device_entries list = {.items = ws_alloc((n_channels + 1) * sizeof *list.items)};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < measures[i]->n_channels; k++, list.n++)
            list.items[list.n] = entry_of(&measures[i]->channels[k], list.n);
    qsort(list.items, list.n, sizeof *list.items, by_source);
    for (size_t i = 0; i < list.n; i++) {
        ws_device_entry *next = &list.items[i], *last = kept ? &list.items[kept - 1] : NULL;
        bool is_known =
            last && ws_compare_hardware(last->names, next->names) == 0 && strcmp(last->source, next->source) == 0;
        if (is_known)
            add_channel(last, next);
        else
            list.items[kept++] = *next;
    }
    list.n = kept;
    qsort(list.items, list.n, sizeof *list.items, by_start);
    return list;
}

void ws_entries_free(ws_device_entries *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i].channels);
    free(list->items);
    *list = (ws_device_entries){0};
}

static double length_of(const ws_device_entry *e)
{
    return (double)e->end_ns - (double)e->start_ns;
}

ws_succession ws_succession_of(const ws_device_entry *before, const ws_device_entry *next)
{
    double shared = (double)before->end_ns - (double)next->start_ns;
    double shorter = length_of(before) < length_of(next) ? length_of(before) : length_of(next);
    double most = ws_names_uuid(next->names) ? MOST_SHARED_OF_UUID : MOST_SHARED;
    if (next->start_ns >= before->end_ns)
        return WS_FOLLOWS;
    bool overlaps = before->can_go_on && next->can_go_on && next->end_ns > before->end_ns && shared < most * shorter;
    return overlaps ? WS_OVERLAPS : WS_AT_ONE_TIME;
}
