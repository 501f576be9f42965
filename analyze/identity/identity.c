#include "analyze/identity/identity.h"

#include "analyze/identity/copies.h"
#include "analyze/identity/joins.h"
#include "analyze/identity/rank_logs.h"
#include "analyze/identity/seams.h"

#include <stdlib.h>
#include <string.h>

struct ws_identity {
    ws_copies *copies; /* NULL: there are none */
    ws_seams *seams;
    ws_sink behind_copies; /* what the sink of the copies passes on to */
};

ws_identity *ws_identity_new(void)
{
    return ws_alloc(sizeof(ws_identity));
}

void ws_identity_free(ws_identity *identity)
{
    if (!identity)
        return;
    ws_copies_free(identity->copies);
    ws_seams_free(identity->seams);
    free(identity);
}

void ws_identity_begin(ws_identity *identity, const char *source, const char *node)
{
    if (identity->copies)
        ws_copies_begin(identity->copies, source);
    if (identity->seams)
        ws_seams_begin(identity->seams, source, node);
}

ws_sink ws_identity_sink(ws_identity *identity, const ws_sink *inner)
{
    identity->behind_copies = identity->seams ? ws_seams_sink(identity->seams, inner) : *inner;
    return identity->copies ? ws_copies_sink(identity->copies, &identity->behind_copies) : identity->behind_copies;
}

static bool steps_back(const ws_rereading *again)
{
    size_t i = 0;
    while (i < again->n && !ws_measure_steps_back(again->measures[i]))
        i++;
    return i < again->n;
}

/* Reads without what may be copies; where the readings do not prove all of them, once more with those that are not. */
static bool leave_copies_out(ws_identity *identity, const ws_rereading *again)
{
    ws_copies *copies = ws_copies_new();
    size_t n = steps_back(again) ? ws_copies_find(copies, again->measures, again->n) : 0, proven = 0;
    if (n) {
        identity->copies = copies;
        again->read(again->state, identity);
        proven = ws_copies_keep_proven(copies);
        identity->copies = proven ? copies : NULL;
        if (proven < n)
            again->read(again->state, identity);
    }
    if (!proven)
        ws_copies_free(copies);
    return n > 0;
}

static bool has_several_sources(const ws_rereading *again)
{
    const char *first = NULL;
    for (size_t i = 0; i < again->n; i++)
        for (size_t k = 0; k < again->measures[i]->n_channels; k++) {
            const char *source = again->measures[i]->channels[k].source;
            first = first ? first : source;
            if (strcmp(source, first) != 0)
                return true;
        }
    return false;
}

static bool cut_overlaps(ws_identity *identity, const ws_rereading *again)
{
    ws_seams *seams = ws_seams_new();
    if (!has_several_sources(again) || !ws_seams_find(seams, again->measures, again->n)) {
        ws_seams_free(seams);
        return false;
    }
    identity->seams = seams;
    again->read(again->state, identity);
    return true;
}

bool ws_identity_read_once(ws_identity *identity, const ws_rereading *again, ws_notes *notes)
{
    bool copied = leave_copies_out(identity, again), cut = cut_overlaps(identity, again);
    if (identity->seams)
        ws_seams_note(identity->seams, notes);
    if (identity->copies)
        ws_copies_note(identity->copies, notes);
    return copied || cut;
}

ws_duplicates ws_identity_settle(ws_measure *measure, double gpus, double nodes, ws_notes *notes)
{
    ws_measure_join_parts(measure, notes);
    ws_measure_finish(measure, notes);
    return ws_measure_find_duplicates(measure, gpus, nodes, notes);
}
