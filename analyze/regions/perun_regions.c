/* perun's regions as it recorded them: start and end of each pass of each rank. */
#include "analyze/regions/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "perun.region.", rank_part[] = ".rank.";

/* "perun.region.train.rank.3": the name may hold points. */
static bool split_key(const char *key, ws_span *name, ws_span *rank)
{
    if (strncmp(key, prefix, sizeof prefix - 1) != 0)
        return false;
    key += sizeof prefix - 1;
    const char *last = NULL;
    for (const char *at = strstr(key, rank_part); at; at = strstr(at + 1, rank_part))
        last = at;
    if (!last)
        return false;
    *name = (ws_span){key, (size_t)(last - key)};
    *rank = ws_span_of(last + sizeof rank_part - 1);
    return true;
}

/* Is the number in "[0, 1, 2, 3]" or "[0 1]"? */
static bool lists(const char *list, ws_span rank)
{
    while (*list) {
        size_t n = strspn(list, "0123456789");
        if (n && n == rank.n && strncmp(list, rank.p, n) == 0)
            return true;
        list += n ? n : 1;
    }
    return false;
}

/* The host of a rank; NULL where nothing says it. A run of one host has all of its ranks. */
static const char *host_of(const ws_measure *m, const char *run, ws_span rank)
{
    const char *only = NULL;
    bool several = false;
    for (size_t i = 0; i < m->n_facts; i++) {
        const ws_kept_fact *f = &m->facts[i];
        if (strcmp(f->key, "perun.ranks") == 0 && strcmp(f->run, run) == 0 && f->text && lists(f->text, rank))
            return f->node;
    }
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (strcmp(d->run, run) != 0)
            continue;
        several |= only && strcmp(only, d->node) != 0;
        only = d->node;
    }
    return several ? NULL : only;
}

/* "4.2:57.9 60.25:61 70:" */
static void add_passes(ws_region_visit *v, const char *text)
{
    ws_span rest = ws_span_of(text), pass, start;
    uint64_t entries = 0;
    while (ws_span_split(&rest, ' ', &pass)) {
        int64_t start_ns, end_ns;
        if (!ws_span_split(&pass, ':', &start) || !ws_seconds_to_ns(start, &start_ns) ||
            !ws_seconds_to_ns(pass, &end_ns))
            continue;
        entries++;
        ws_region_add(v, start_ns, end_ns);
    }
    v->entries = entries > v->entries ? entries : v->entries;
}

static void add_rank(ws_regions *r, const ws_measure *m, const ws_kept_fact *f, ws_notes *notes)
{
    ws_span name, rank;
    if (!f->text || !split_key(f->key, &name, &rank))
        return;
    const char *host = host_of(m, f->run, rank);
    if (host)
        add_passes(ws_regions_visit(r, ws_arena_strndup(&r->arena, name.p, name.n), f->run, host), f->text);
    else
        ws_notes_add(notes, WS_FINDING_REGION_WITHOUT_HOST, f->source, f->run, 0,
                     "the file does not say on which host rank %.*s ran: its time in '%.*s' counts on none",
                     WS_SPAN_ARG(rank), WS_SPAN_ARG(name));
}

void ws_regions_of_perun(ws_regions *r, const ws_measure *m, ws_notes *notes)
{
    r->is_relative = true;
    for (size_t i = 0; i < m->n_facts; i++)
        add_rank(r, m, &m->facts[i], notes);
    for (size_t i = 0; i < r->n_visits; i++)
        ws_region_unite(&r->visits[i]);
    if (!r->n_visits)
        ws_notes_add(notes, WS_FINDING_NO_REGION, m->source, "", 0,
                     "the file holds no regions of perun; --regions FILE takes those of a file of markers");
}
