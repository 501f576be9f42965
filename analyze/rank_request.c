#include "analyze/rank_request.h"

#include "analyze/measure/packer_internal.h"
#include "core/zone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void pack_window(ws_packer *p, ws_meter_options *m)
{
    WS_PACK_ENUM(p, &m->gaps, 16);
    WS_PACK_ENUM(p, &m->edges, 16);
    ws_pack_bool(p, &m->has_window);
    ws_pack_bool(p, &m->window_is_relative);
    ws_pack_i64(p, &m->window_start_ns);
    ws_pack_i64(p, &m->window_end_ns);
}

void ws_rank_pack_measure(ws_packer *p, ws_measure_options *o)
{
    uint64_t quantities = o->quantities;
    WS_PACK_ENUM(p, &o->rule, 64);
    ws_pack_u64(p, &quantities);
    o->quantities = (unsigned)quantities;
    ws_pack_bool(p, &o->every_fact);
    WS_PACK_ENUM(p, &o->back_steps, 16);
    ws_pack_bool(p, &o->without_glitches);
    pack_window(p, &o->meter);
}

/* A named zone is a number of each process's own. */
static void pack_zone(ws_packer *p, int32_t *zone)
{
    const char *name = p->writes ? ws_zone_name(*zone) : NULL;
    int64_t offset = *zone;
    ws_pack_text(p, &name);
    ws_pack_i64(p, &offset);
    if (p->writes || p->failed)
        return;
    *zone = (int32_t)offset;
    p->failed |= name && !ws_zone_find(ws_span_of(name), zone);
}

void ws_rank_pack_source(ws_packer *p, ws_source_options *o)
{
    uint64_t numbers[] = {o->read.described_devices, o->read.rule_order, o->read.rows.piece, o->read.rows.part};
    ws_pack_text(p, &o->as);
    ws_pack_text(p, &o->read.columns);
    ws_pack_i64(p, &o->read.period_ns);
    pack_zone(p, &o->read.zone);
    ws_pack_bool(p, &o->read.node_is_given);
    WS_PACK_ENUM(p, &o->read.rows.reader, 16);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ws_pack_u64(p, &numbers[i]);
    if (p->writes)
        return;
    o->read.described_devices = (uint32_t)numbers[0];
    o->read.rule_order = (uint32_t)numbers[1];
    o->read.rows.piece = (size_t)numbers[2];
    o->read.rows.part = (size_t)numbers[3];
}

void ws_rank_pack_state(ws_packer *p, ws_file_state *state)
{
    ws_pack_bool(p, &state->is_there);
    ws_pack_i64(p, &state->size);
    ws_pack_i64(p, &state->mtime_ns);
}

void ws_rank_pack_cut(ws_packer *p, ws_cut *cut)
{
    ws_pack_i64(p, &cut->start_ns);
    ws_pack_i64(p, &cut->end_ns);
    ws_pack_bool(p, &cut->is_relative);
    ws_pack_text(p, &cut->run);
    ws_pack_count(p, &cut->n_nodes);
    const char **nodes = p->writes ? NULL : ws_arena_alloc(p->arena, (cut->n_nodes + 1) * sizeof *nodes);
    for (size_t i = 0; i < cut->n_nodes && !p->failed; i++) {
        const char *node = p->writes ? cut->nodes[i] : NULL;
        ws_pack_word(p, &node);
        if (nodes)
            nodes[i] = node;
    }
    if (nodes)
        cut->nodes = nodes;
}

void ws_rank_pack_bytes(ws_packer *p, ws_packed *bytes)
{
    ws_pack_count(p, &bytes->n);
    if (p->writes) {
        if (bytes->n)
            ws_put_bytes(p, bytes->bytes, bytes->n);
        return;
    }
    bytes->bytes = ws_alloc(bytes->n + 1);
    if (!p->failed) {
        memcpy(bytes->bytes, p->at, bytes->n);
        p->at += bytes->n;
    }
}

bool ws_rank_sees(const char *path, const ws_file_state *state, char *why, size_t size)
{
    errno = 0;
    ws_file_state now = ws_file_state_of(path);
    if (!state->is_there && !now.is_there)
        return true; /* nobody can read it: the leader says so */
    if (!now.is_there || (!now.is_packed && access(path, R_OK) != 0))
        snprintf(why, size, "cannot read '%s', which the first rank reads%s%s", path, errno ? ": " : "",
                 errno ? strerror(errno) : "");
    else if (now.size != state->size || now.mtime_ns != state->mtime_ns)
        snprintf(why, size, "sees another file than the first rank as '%s'", path);
    else
        return true;
    return false;
}

void ws_rank_note_refusal(ws_notes *notes, const ws_rank_answer *answer)
{
    const char *colon = strchr(answer->refusal, ':');
    if (!colon)
        return;
    char host[WS_RANK_HOST];
    snprintf(host, sizeof host, "%.*s", (int)(colon - answer->refusal), answer->refusal);
    ws_notes_add(notes, WS_FINDING_RANKS_DIFFER, "", host, 0, "%s: it was read by the first rank", answer->refusal);
}
