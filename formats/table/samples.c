#include "formats/table/samples.h"

#include "formats/table/dictionary.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEVICES = 16 * 1024, MOST_SERIES = 256 * 1024, NOTE_TEXT = 80 };

void ws_samples_init(ws_samples *samples, const char *source, const ws_sink *sink, ws_notes *notes)
{
    *samples = (ws_samples){.source = source, .sink = sink, .notes = notes};
    samples->devices.arena = &samples->arena;
    for (int q = 0; q < WS_QUANTITY_N; q++)
        samples->usual[q] = ws_usual_unit((ws_quantity)q);
}

/* --- which series a reading belongs to --- */

static bool is_of(const ws_samples_series *series, const ws_samples_key *key)
{
    const char *run = key->run ? key->run : "";
    return series->quantity == key->quantity && series->domain == key->domain && ws_span_same(key->id, series->id) &&
           ws_span_same(key->node, series->node) && *series->run == *run &&
           (series->column == key->column || strcmp(series->column, key->column) == 0) && strcmp(series->run, run) == 0;
}

static uint64_t hash_text(uint64_t hash, ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.p[i]) * UINT64_C(0x100000001b3);
    return (hash ^ 0x100) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const ws_samples_key *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)key->quantity << 8 ^ (uint64_t)key->domain;
    hash = hash_text(hash, ws_span_of(key->run ? key->run : ""));
    hash = hash_text(hash, ws_span_of(key->column));
    return hash_text(hash_text(hash, key->node), key->id);
}

static size_t first_slot(const ws_samples *samples, uint64_t hash)
{
    return (size_t)(hash >> 20) & (samples->n_slots - 1);
}

static void put_in_slot(ws_samples *samples, size_t series)
{
    size_t slot = first_slot(samples, samples->series[series].hash);
    while (samples->slots[slot])
        slot = (slot + 1) & (samples->n_slots - 1);
    samples->slots[slot] = series + 1;
}

/* Half of the slots at least stay empty. */
static void take_slot(ws_samples *samples, size_t series)
{
    if (2 * samples->n <= samples->n_slots) {
        put_in_slot(samples, series);
        return;
    }
    samples->n_slots = samples->n_slots ? 2 * samples->n_slots : 64;
    free(samples->slots);
    samples->slots = ws_alloc(samples->n_slots * sizeof *samples->slots);
    for (size_t i = 0; i < samples->n; i++)
        put_in_slot(samples, i);
}

static ws_samples_series *look_up(ws_samples *samples, const ws_samples_key *key)
{
    uint64_t hash = hash_of(key);
    for (size_t slot = first_slot(samples, hash); samples->slots[slot]; slot = (slot + 1) & (samples->n_slots - 1)) {
        ws_samples_series *series = &samples->series[samples->slots[slot] - 1];
        if (series->hash == hash && is_of(series, key))
            return series;
    }
    return NULL;
}

/* A device of which a reader says the index alone is told by that: *own, with the text in `id`, else the key itself. */
static const ws_samples_key *with_index(const ws_samples_key *key, ws_samples_key *own, char id[WS_DOUBLE_TEXT])
{
    if (key->id.n || key->number < 0 || !key->identity || strcmp(key->identity, "index") != 0)
        return key;
    *own = *key;
    own->id = (ws_span){id, ws_integer_text(id, key->number)};
    return own;
}

static ws_samples_series *find(ws_samples *samples, const ws_samples_key *key)
{
    if (!samples->n)
        return NULL;
    ws_samples_series *last = &samples->series[samples->last], *found = &samples->series[last->next];
    if (is_of(last, key))
        return last;
    if (!is_of(found, key))
        found = look_up(samples, key);
    if (found)
        samples->last = last->next = (size_t)(found - samples->series);
    return found;
}

static ws_status refuse_too_many(const ws_samples *samples, const ws_samples_key *key, int64_t line, ws_error *error)
{
    if (samples->devices.n == MOST_DEVICES)
        return ws_fail_at(error, WS_FORMAT, samples->source, line,
                          "more than %d devices: '%.*s' does not look like one", MOST_DEVICES,
                          key->id.n > NOTE_TEXT ? NOTE_TEXT : (int)key->id.n, key->id.p);
    if (samples->n == MOST_SERIES)
        return ws_fail_at(error, WS_FORMAT, samples->source, line,
                          "more than %d series of readings, each of a run and a device: read the file in parts",
                          MOST_SERIES);
    return WS_OK;
}

static ws_status begin_series(ws_samples *samples, const ws_samples_key *key, bool has_intervals, int64_t line,
                              ws_error *error)
{
    ws_status status = refuse_too_many(samples, key, line, error);
    if (status != WS_OK)
        return status;
    ws_note_naive_time(samples->notes, samples->source, line, key->time, &samples->is_naive_noted);
    samples->series = ws_grow(samples->series, &samples->capacity, samples->n + 1, sizeof *samples->series);
    ws_samples_series *s = &samples->series[samples->n++];
    const char *identity = key->identity ? key->identity : "";
    size_t device = ws_trace_device_find(&samples->devices, key->domain, key->node, key->id, identity, key->number);
    const ws_trace_device *d = &samples->devices.items[device];
    *s = (ws_samples_series){.device = device,
                             .node = ws_span_of(d->node),
                             .id = ws_span_of(d->id),
                             .domain = d->domain,
                             .quantity = key->quantity,
                             .hash = hash_of(key),
                             .run = ws_arena_strdup(&samples->arena, key->run ? key->run : ""),
                             .column = ws_arena_strdup(&samples->arena, key->column)};
    ws_lane_init(&s->lane, samples->n - 1, samples->sink, 1, key->time != WS_TIME_NONE, has_intervals);
    take_slot(samples, samples->n - 1);
    ws_channel channel = {.run = s->run,
                          .node = d->node,
                          .device = key->device ? key->device : d->name,
                          .device_id = d->id,
                          .identity = d->identity,
                          .column = s->column,
                          .domain = key->domain,
                          .quantity = key->quantity,
                          .rule = key->rule ? key->rule : ws_usual_rule(key->quantity),
                          .time = key->time,
                          .preference = key->preference,
                          .counter_from_zero = key->counter_from_zero,
                          .are_windows = key->are_windows,
                          .assumed = key->assumed};
    return samples->sink->channel(samples->sink->state, &channel, &s->lane.id[0], error);
}

bool ws_samples_has(ws_samples *samples, const ws_samples_key *key)
{
    ws_samples_key own;
    char id[WS_DOUBLE_TEXT];
    return find(samples, with_index(key, &own, id)) != NULL;
}

ws_status ws_samples_begin(ws_samples *samples, const ws_samples_key *key, int64_t interval_ns, int64_t line,
                           size_t *series, ws_error *error)
{
    ws_samples_key own;
    char id[WS_DOUBLE_TEXT];
    key = with_index(key, &own, id);
    const ws_samples_series *found = find(samples, key);
    *series = found ? (size_t)(found - samples->series) : WS_NO_SERIES;
    if (found)
        return WS_OK;
    if (ws_span_has_zero(key->node) || ws_span_has_zero(key->id)) {
        ws_notes_add(samples->notes, WS_FINDING_NO_DEVICE, samples->source, "", line,
                     "a zero byte in the name of a device or node: the reading was left out");
        return WS_OK;
    }
    ws_status status = begin_series(samples, key, key->has_intervals || interval_ns > 0, line, error);
    *series = status == WS_OK ? samples->n - 1 : WS_NO_SERIES;
    return status;
}

ws_status ws_samples_push(ws_samples *samples, const ws_samples_key *key, const ws_samples_reading *reading,
                          ws_error *error)
{
    size_t series;
    ws_status status = ws_samples_begin(samples, key, reading->interval_ns, reading->line, &series, error);
    return status == WS_OK ? ws_samples_add(samples, series, reading, error) : status;
}

ws_status ws_samples_add_turn(ws_samples *samples, ws_samples_turns *turns, ws_span name, const ws_samples_key *key,
                              const ws_samples_reading *reading, ws_error *error)
{
    turns->items = ws_grow(turns->items, &turns->capacity, turns->n + 1, sizeof *turns->items);
    struct ws_samples_turn *added = &turns->items[turns->n++];
    *added = (struct ws_samples_turn){.name = {ws_arena_strndup(&samples->arena, name.p, name.n), name.n}};
    return ws_samples_begin(samples, key, reading->interval_ns, reading->line, &added->series, error);
}

/* --- texts and numbers --- */

const char *ws_samples_name(ws_samples *samples, ws_span name)
{
    for (size_t i = 0; i < samples->n_names; i++)
        if (ws_span_eq(name, samples->names[i]))
            return samples->names[i];
    samples->names = ws_grow(samples->names, &samples->name_capacity, samples->n_names + 1, sizeof *samples->names);
    return samples->names[samples->n_names++] = ws_arena_strndup(&samples->arena, name.p, name.n);
}

void ws_samples_push_text(ws_samples *samples, const ws_samples_key *key, const char *of, ws_span text)
{
    ws_samples_key own;
    char id[WS_DOUBLE_TEXT];
    const ws_samples_series *series = find(samples, with_index(key, &own, id));
    if (!series || !samples->sink->fact || ws_span_is_missing(text))
        return;
    const ws_trace_device *d = &samples->devices.items[series->device];
    ws_fact fact = {.run = "",
                    .node = d->node,
                    .device = d->name,
                    .key = of,
                    .text = ws_arena_strndup(&samples->arena, text.p, text.n)};
    samples->sink->fact(samples->sink->state, &fact);
}

double ws_samples_odd_number(ws_samples *samples, ws_span cell, ws_quantity quantity, const ws_unit *unit,
                             const char *column, int64_t line)
{
    double number;
    ws_span rest;
    const ws_unit *usual = samples->usual[quantity];
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
    ws_note_unreadable_cell(samples->notes, samples->source, column, line, cell);
    return NAN;
}

ws_status ws_samples_flush(ws_samples *samples, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < samples->n && status == WS_OK; i++)
        status = ws_lane_flush(&samples->series[i].lane, error);
    return status;
}

void ws_samples_free(ws_samples *samples)
{
    for (size_t i = 0; i < samples->n; i++)
        ws_lane_free(&samples->series[i].lane);
    free(samples->series);
    free(samples->slots);
    free(samples->names);
    ws_trace_devices_free(&samples->devices);
    ws_arena_free(&samples->arena);
    *samples = (ws_samples){0};
}
