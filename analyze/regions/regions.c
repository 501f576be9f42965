#include "analyze/regions/regions.h"

#include <stdlib.h>
#include <string.h>

void ws_regions_free(ws_regions *r)
{
    for (size_t i = 0; i < r->n_visits; i++)
        free(r->visits[i].stretches);
    free(r->visits);
    free(r->names);
    ws_arena_free(&r->arena);
    *r = (ws_regions){0};
}

static size_t find_name(ws_regions *r, const char *name)
{
    for (size_t i = 0; i < r->n_names; i++)
        if (strcmp(r->names[i], name) == 0)
            return i;
    r->names = ws_grow(r->names, &r->name_capacity, r->n_names + 1, sizeof *r->names);
    r->names[r->n_names] = ws_arena_strdup(&r->arena, name);
    return r->n_names++;
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

ws_region_visit *ws_regions_visit(ws_regions *r, const char *name, const char *run, const char *node)
{
    size_t region = find_name(r, name);
    for (size_t i = r->n_visits; i-- > 0;) {
        ws_region_visit *v = &r->visits[i];
        if (v->region == region && is_same(v->run, run) && is_same(v->node, node))
            return v;
    }
    r->visits = ws_grow(r->visits, &r->visit_capacity, r->n_visits + 1, sizeof *r->visits);
    r->visits[r->n_visits] = (ws_region_visit){.region = region,
                                               .run = run ? ws_arena_strdup(&r->arena, run) : NULL,
                                               .node = node ? ws_arena_strdup(&r->arena, node) : NULL};
    return &r->visits[r->n_visits++];
}

void ws_region_add(ws_region_visit *v, int64_t start_ns, int64_t end_ns)
{
    if (start_ns >= end_ns)
        return;
    v->stretches = ws_grow(v->stretches, &v->capacity, v->n + 1, sizeof *v->stretches);
    v->stretches[v->n++] = (ws_region_stretch){start_ns, end_ns};
}

static int by_start(const void *left, const void *right)
{
    const ws_region_stretch *a = left, *b = right;
    return a->start_ns != b->start_ns ? (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns)
                                      : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

void ws_region_unite(ws_region_visit *v)
{
    size_t n = 0;
    if (v->n)
        qsort(v->stretches, v->n, sizeof *v->stretches, by_start);
    for (size_t i = 0; i < v->n; i++) {
        ws_region_stretch *last = n ? &v->stretches[n - 1] : NULL, *s = &v->stretches[i];
        if (last && s->start_ns < last->end_ns)
            last->end_ns = s->end_ns > last->end_ns ? s->end_ns : last->end_ns;
        else
            v->stretches[n++] = *s;
    }
    v->n = n;
}

/* --- marker files --- */

typedef struct marker_reader {
    const ws_table *table;
    size_t time, label;
    int32_t zone;
    ws_stamp_form form;
    ws_time_base base;
    int64_t last_ns;
} marker_reader;

static int64_t line_of(const ws_table *t, size_t row)
{
    return t->line ? t->line[row] : (int64_t)row + 1;
}

static ws_status find_columns(marker_reader *m, ws_error *error)
{
    const ws_table *t = m->table;
    if (!ws_table_find(t, "time", &m->time) || !ws_table_find(t, "label", &m->label))
        return ws_fail_at(error, WS_DATA, t->source, 1,
                          "a file of markers has the columns time and label, and this one lacks one of them: name them "
                          "so in its first line");
    if (!t->n_rows)
        return ws_fail_at(error, WS_DATA, t->source, 1, "the file has no markers: write a row for each, as 12.5,train");
    return WS_OK;
}

/* One form fits all rows: days and months tell themselves apart in later ones. */
static ws_status settle_form(marker_reader *m, ws_error *error)
{
    const ws_table *t = m->table;
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < t->n_rows; row++) {
        const char *text = ws_table_cell_text(t, m->time, row, buffer);
        m->form = ws_stamp_settle(m->form, ws_span_of(text));
        if (m->form == WS_STAMP_NONE || m->form == WS_STAMP_CLOCK)
            return ws_fail_at(error, WS_DATA, t->source, line_of(t, row),
                              "the time '%s' is neither a date nor seconds since the trace's start, as in the rows "
                              "above: write all times in one of these ways",
                              text);
    }
    return WS_OK;
}

static ws_status read_time(marker_reader *m, size_t row, int64_t *ns, ws_error *error)
{
    char buffer[WS_DOUBLE_TEXT];
    const char *text = ws_table_cell_text(m->table, m->time, row, buffer);
    ws_stamp stamp;
    if (!ws_stamp_parse(m->form, ws_span_of(text), m->zone, &stamp))
        return ws_fail_at(error, WS_DATA, m->table->source, line_of(m->table, row),
                          "the time '%s' is no time like those of the other rows: write all times in one way", text);
    if (row && stamp.ns < m->last_ns)
        return ws_fail_at(error, WS_DATA, m->table->source, line_of(m->table, row),
                          "the time '%s' is before that of the row above: sort the rows by time", text);
    m->base = row && m->base == WS_TIME_NAIVE ? m->base : stamp.base;
    m->last_ns = *ns = stamp.ns;
    return WS_OK;
}

static const char *label_of(const marker_reader *m, size_t row, char *buffer)
{
    const char *label = ws_table_cell_text(m->table, m->label, row, buffer);
    return strcmp(label, "end") == 0 ? "" : label;
}

static ws_status read_rows(marker_reader *m, ws_regions *r, ws_error *error)
{
    char buffer[WS_DOUBLE_TEXT];
    const char *label = "";
    int64_t from_ns = 0, ns = 0;
    for (size_t row = 0; row < m->table->n_rows; row++) {
        if (read_time(m, row, &ns, error) != WS_OK)
            return WS_DATA;
        if (*label)
            ws_region_add(ws_regions_visit(r, label, NULL, NULL), from_ns, ns);
        label = ws_arena_strdup(&r->arena, label_of(m, row, buffer));
        from_ns = ns;
        if (*label)
            ws_regions_visit(r, label, NULL, NULL)->entries++;
    }
    if (*label)
        ws_region_add(ws_regions_visit(r, label, NULL, NULL), from_ns, WS_REGION_OPEN);
    return WS_OK;
}

ws_status ws_regions_of_markers(ws_regions *r, const ws_table *markers, int32_t zone, ws_notes *notes, ws_error *error)
{
    marker_reader m = {.table = markers, .zone = zone};
    if (find_columns(&m, error) != WS_OK || settle_form(&m, error) != WS_OK || read_rows(&m, r, error) != WS_OK)
        return WS_DATA;
    r->is_relative = m.base == WS_TIME_RELATIVE;
    if (!r->n_visits)
        return ws_fail_at(error, WS_DATA, markers->source, line_of(markers, 0),
                          "no row begins a region: give its label in the column label");
    if (m.base == WS_TIME_NAIVE)
        ws_notes_add(notes, WS_FINDING_NAIVE_TIME, markers->source, "", 0,
                     "the times of the markers name no zone and are read as UTC; --tz says which one it is");
    for (size_t i = 0; i < r->n_visits; i++) {
        ws_region_visit *v = &r->visits[i];
        if (v->n && v->stretches[v->n - 1].end_ns == WS_REGION_OPEN)
            ws_notes_add(notes, WS_FINDING_REGION_UNFINISHED, markers->source, r->names[v->region], 0,
                         "no row ends the last region: it goes on to the end of the trace (a last row without a label "
                         "ends it)");
        ws_region_unite(v);
    }
    return WS_OK;
}
