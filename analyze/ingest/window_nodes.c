#include "analyze/ingest/window_nodes.h"

#include <stdlib.h>
#include <string.h>

static bool has_samples(const ws_metered_channel *c)
{
    return c->meter.samples > 0;
}

static bool is_measured(const ws_measure *m, const char *node)
{
    for (size_t i = 0; i < m->n_channels; i++)
        if (has_samples(&m->channels[i]) &&
            (!*m->channels[i].channel.node || ws_same_host(m->channels[i].channel.node, node)))
            return true;
    return false;
}

size_t ws_window_missing_nodes(const ws_run_window *window, const ws_measure *measure, const char **first)
{
    size_t n = 0;
    for (size_t i = 0; i < window->n_nodes; i++)
        if (!is_measured(measure, window->nodes[i]) && !n++)
            *first = window->nodes[i];
    return n;
}

/* The node of a reading that both hold, "" for one without a name; NULL without any. */
static const char *shared_node(const ws_cut *a, const ws_cut *b)
{
    for (size_t i = 0; i < a->measure.n_channels; i++) {
        const ws_metered_channel *c = &a->measure.channels[i];
        if (has_samples(c) && ws_cut_wants(b, c->channel.node))
            return c->channel.node;
    }
    return NULL;
}

static void note_pair(const ws_run_files *files, const ws_cut *cuts, const ws_cut *a, const ws_cut *b, ws_notes *notes)
{
    const char *node = shared_node(a, b);
    if (node)
        ws_notes_add(
            notes, WS_FINDING_SHARED_NODE, files->id, "", 0,
            "records read the same node%s%s at the same time, and each gets all of its energy: a sum over these runs "
            "counts it twice (the first are records %zu and %zu)",
            *node ? " " : "", node, files->windows[a - cuts].row, files->windows[b - cuts].row);
}

void ws_note_shared_nodes(const ws_run_files *files, ws_cut *cuts, ws_notes *notes)
{
    ws_cut **read = ws_cuts_by_start(cuts, files->n_windows);
    size_t n = 0;
    for (size_t i = 0; i < files->n_windows; i++)
        if (ws_measure_has_samples(&read[i]->measure))
            read[n++] = read[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && read[j]->start_ns < read[i]->end_ns; j++)
            note_pair(files, cuts, read[i], read[j], notes);
    free(read);
}
