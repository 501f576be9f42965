#include "formats/table/feed.h"

#include "formats/table/dictionary.h"
#include "formats/table/row_policy.h"
#include "formats/table/timecol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEVICES = 16 * 1024, MOST_CHANNELS = 256 * 1024, NOTE_TEXT = 80 };

typedef struct ws_feed_channel ws_feed_channel;

struct ws_feed_channel {
    size_t device, next; /* next: the channel that followed last time */
    ws_span node, id;
    ws_domain domain;
    ws_quantity quantity;
    const char *run, *column;
    uint64_t hash;
    ws_lane lane;
};

void ws_feed_init(ws_feed *feed, const char *source, const ws_sink *sink, ws_notes *notes)
{
    *feed = (ws_feed){.source = source, .sink = sink, .notes = notes};
    feed->devices.arena = &feed->arena;
    for (int q = 0; q < WS_QUANTITY_N; q++)
        feed->usual[q] = ws_usual_unit((ws_quantity)q);
}

static bool is_of(const ws_feed_channel *channel, const ws_feed_key *key)
{
    const char *run = key->run ? key->run : "";
    return channel->quantity == key->quantity && channel->domain == key->domain && ws_span_same(key->id, channel->id) &&
           ws_span_same(key->node, channel->node) && *channel->run == *run &&
           strcmp(channel->column, key->column) == 0 && strcmp(channel->run, run) == 0;
}

static uint64_t hash_text(uint64_t hash, ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.p[i]) * UINT64_C(0x100000001b3);
    return (hash ^ 0x100) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const ws_feed_key *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)key->quantity << 8 ^ (uint64_t)key->domain;
    hash = hash_text(hash, ws_span_of(key->run ? key->run : ""));
    hash = hash_text(hash, ws_span_of(key->column));
    return hash_text(hash_text(hash, key->node), key->id);
}

static size_t first_slot(const ws_feed *feed, uint64_t hash)
{
    return (size_t)(hash >> 20) & (feed->n_slots - 1);
}

static void put_in_slot(ws_feed *feed, size_t channel)
{
    size_t slot = first_slot(feed, feed->channels[channel].hash);
    while (feed->slots[slot])
        slot = (slot + 1) & (feed->n_slots - 1);
    feed->slots[slot] = channel + 1;
}

/* Half of the slots at least stay empty. */
static void take_slot(ws_feed *feed, size_t channel)
{
    if (2 * feed->n <= feed->n_slots) {
        put_in_slot(feed, channel);
        return;
    }
    feed->n_slots = feed->n_slots ? 2 * feed->n_slots : 64;
    free(feed->slots);
    feed->slots = ws_alloc(feed->n_slots * sizeof *feed->slots);
    for (size_t i = 0; i < feed->n; i++)
        put_in_slot(feed, i);
}

static ws_feed_channel *look_up(ws_feed *feed, const ws_feed_key *key)
{
    uint64_t hash = hash_of(key);
    for (size_t slot = first_slot(feed, hash); feed->slots[slot]; slot = (slot + 1) & (feed->n_slots - 1)) {
        ws_feed_channel *channel = &feed->channels[feed->slots[slot] - 1];
        if (channel->hash == hash && is_of(channel, key))
            return channel;
    }
    return NULL;
}

static ws_feed_channel *find(ws_feed *feed, const ws_feed_key *key)
{
    if (!feed->n)
        return NULL;
    ws_feed_channel *last = &feed->channels[feed->last], *found = &feed->channels[last->next];
    if (is_of(last, key))
        return last;
    if (!is_of(found, key))
        found = look_up(feed, key);
    if (found)
        feed->last = last->next = (size_t)(found - feed->channels);
    return found;
}

static ws_status feed_add(ws_feed *feed, const ws_feed_key *key, const ws_feed_reading *reading,
                          ws_feed_channel **added, ws_error *error)
{
    if (feed->devices.n == MOST_DEVICES)
        return ws_fail_at(error, WS_FORMAT, feed->source, reading->line,
                          "more than %d devices: '%.*s' does not look like one", MOST_DEVICES,
                          key->id.n > NOTE_TEXT ? NOTE_TEXT : (int)key->id.n, key->id.p);
    if (feed->n == MOST_CHANNELS)
        return ws_fail_at(error, WS_FORMAT, feed->source, reading->line,
                          "more than %d series of readings, each of a run and a device: read the file in parts",
                          MOST_CHANNELS);
    ws_note_naive_time(feed->notes, feed->source, reading->line, key->time, &feed->is_naive_noted);
    feed->channels = ws_grow(feed->channels, &feed->capacity, feed->n + 1, sizeof *feed->channels);
    ws_feed_channel *c = *added = &feed->channels[feed->n++];
    *c = (ws_feed_channel){
        .device = ws_trace_device_find(&feed->devices, key->domain, key->node, key->id, key->identity, key->number),
        .quantity = key->quantity,
        .run = ws_arena_strdup(&feed->arena, key->run ? key->run : ""),
        .column = ws_arena_strdup(&feed->arena, key->column)};
    ws_lane_init(&c->lane, feed->n - 1, feed->sink, 1, key->time != WS_TIME_NONE,
                 key->has_intervals || reading->interval_ns > 0);
    c->hash = hash_of(key);
    take_slot(feed, feed->n - 1);
    const ws_trace_device *d = &feed->devices.items[c->device];
    c->node = ws_span_of(d->node);
    c->id = ws_span_of(d->id);
    c->domain = d->domain;
    ws_channel channel = {.run = c->run,
                          .node = d->node,
                          .device = key->device ? key->device : d->name,
                          .device_id = d->id,
                          .identity = d->identity,
                          .column = c->column,
                          .domain = key->domain,
                          .quantity = key->quantity,
                          .rule = key->rule ? key->rule : ws_usual_rule(key->quantity),
                          .time = key->time,
                          .preference = key->preference,
                          .counter_from_zero = key->counter_from_zero,
                          .assumed = key->assumed};
    return feed->sink->channel(feed->sink->state, &channel, &c->lane.id[0], error);
}

ws_status ws_feed_push(ws_feed *feed, const ws_feed_key *key, const ws_feed_reading *reading, ws_error *error)
{
    ws_status status = WS_OK;
    ws_feed_channel *channel = find(feed, key);
    if (!channel && (ws_span_has_zero(key->node) || ws_span_has_zero(key->id))) {
        ws_notes_add(feed->notes, WS_FINDING_NO_DEVICE, feed->source, "", reading->line,
                     "a zero byte in the name of a device or node: the reading was left out");
        return WS_OK;
    }
    if (!channel)
        status = feed_add(feed, key, reading, &channel, error);
    return status == WS_OK
               ? ws_lane_add(&channel->lane, reading->t_ns, reading->interval_ns, reading->line, &reading->value, error)
               : status;
}

const char *ws_feed_name(ws_feed *feed, ws_span name)
{
    for (size_t i = 0; i < feed->n_names; i++)
        if (ws_span_eq(name, feed->names[i]))
            return feed->names[i];
    feed->names = ws_grow(feed->names, &feed->name_capacity, feed->n_names + 1, sizeof *feed->names);
    return feed->names[feed->n_names++] = ws_arena_strndup(&feed->arena, name.p, name.n);
}

bool ws_feed_has(ws_feed *feed, const ws_feed_key *key)
{
    return find(feed, key) != NULL;
}

void ws_feed_push_text(ws_feed *feed, const ws_feed_key *key, const char *of, ws_span text)
{
    const ws_feed_channel *channel = find(feed, key);
    if (!channel || !feed->sink->fact || ws_span_is_missing(text))
        return;
    const ws_trace_device *d = &feed->devices.items[channel->device];
    ws_fact fact = {.run = "",
                    .node = d->node,
                    .device = d->name,
                    .key = of,
                    .text = ws_arena_strndup(&feed->arena, text.p, text.n)};
    feed->sink->fact(feed->sink->state, &fact);
}

double ws_feed_number(ws_feed *feed, ws_span cell, ws_quantity quantity, const ws_unit *unit, const char *column,
                      int64_t line)
{
    double number;
    ws_span rest;
    const ws_unit *usual = feed->usual[quantity];
    if (ws_span_number(cell, &number, &rest)) {
        if (!rest.n)
            unit = unit ? unit : usual;
        else if (usual && ws_span_eq(rest, usual->name))
            unit = usual;
        else
            unit = ws_unit_find(rest);
        if (!rest.n || (unit && unit->dimension == ws_quantity_dimension(quantity)))
            return number * (unit ? unit->to_si : 1);
    } else if (ws_span_is_missing(cell)) {
        return NAN;
    }
    ws_note_unreadable_cell(feed->notes, feed->source, column, line, cell);
    return NAN;
}

ws_status ws_feed_flush(ws_feed *feed, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < feed->n && status == WS_OK; i++)
        status = ws_lane_flush(&feed->channels[i].lane, error);
    return status;
}

void ws_feed_free(ws_feed *feed)
{
    for (size_t i = 0; i < feed->n; i++)
        ws_lane_free(&feed->channels[i].lane);
    free(feed->channels);
    free(feed->slots);
    free(feed->names);
    ws_trace_devices_free(&feed->devices);
    ws_arena_free(&feed->arena);
    *feed = (ws_feed){0};
}
