#include "analyze/identity/seams.h"

#include "analyze/identity/entries.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* A device in a file whose readings up to `seam` count in an earlier one. The seams' arena owns the texts. */
typedef struct cut_series {
    ws_channel channel; /* names the device */
    const char *source;
    int64_t start, seam;
} cut_series;

typedef struct cut_channel {
    int id;               /* of the inner sink */
    const cut_series *of; /* NULL: all of it counts */
    bool adds_intervals;  /* interval energies: the one that spans the seam counts in part */
    bool has_left_out;
    int64_t left_out; /* stamp of the last reading that does not count */
} cut_channel;

struct ws_seams {
    cut_series *all;
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
    const cut_series *a = left, *b = right;
    int order = ws_compare_hardware(&a->channel, &b->channel);
    return order ? order : strcmp(a->source, b->source);
}

static void add_seam(ws_seams *s, const ws_device_entry *e, int64_t seam)
{
    const ws_channel *names = e->names;
    s->all = ws_grow(s->all, &s->capacity, s->n + 1, sizeof *s->all);
    s->all[s->n++] = (cut_series){.channel = {.domain = names->domain,
                                              .run = ws_arena_strdup(&s->arena, names->run),
                                              .node = ws_arena_strdup(&s->arena, names->node),
                                              .device = ws_arena_strdup(&s->arena, names->device),
                                              .device_id = ws_arena_strdup(&s->arena, names->device_id),
                                              .identity = ws_names_uuid(names) ? "uuid" : ""},
                                  .source = ws_arena_strdup(&s->arena, e->source),
                                  .start = e->start_ns,
                                  .seam = seam};
}

size_t ws_seams_find(ws_seams *s, ws_measure *const *measures, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ws_measure_flush(measures[i]);
    ws_device_entries list = ws_list_entries(measures, n);
    ws_device_entry before = {0}; /* the device so far, with everything that continues it */
    for (size_t i = 0; i < list.n; i++) {
        const ws_device_entry *next = &list.items[i];
        if (next->start_ns > next->end_ns)
            continue; /* without readings */
        if (!before.names || ws_compare_hardware(before.names, next->names) != 0) {
            before = *next;
            continue;
        }
        ws_succession found = ws_succession_of(&before, next);
        if (found == WS_OVERLAPS)
            add_seam(s, next, before.end_ns);
        if (found != WS_AT_ONE_TIME)
            before.end_ns = next->end_ns;
        else if ((double)next->end_ns - (double)next->start_ns > (double)before.end_ns - (double)before.start_ns)
            before = *next;
    }
    ws_entries_free(&list);
    if (s->n)
        qsort(s->all, s->n, sizeof *s->all, by_source);
    return s->n;
}

void ws_seams_note(const ws_seams *s, ws_notes *notes)
{
    for (size_t i = 0; i < s->n; i++) {
        const cut_series *of = &s->all[i];
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

static const cut_series *find_seam(const ws_seams *s, const ws_channel *c)
{
    cut_series key = {.channel = *c, .source = s->source};
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
    ws_sink_pass_fact(s->inner, fact);
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_seams *s = state;
    return ws_sink_wants(s->inner, quantity);
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
