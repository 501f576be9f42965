#include "analyze/regions/regions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Loggers write a row where a phase begins and one where it ends: 'train start', 'train stop' (or 'begin_train',
 * 'train: END', ...). Where both are there in this order, the name between them is the region, which may hold others.
 */
typedef enum marker_kind { MARKER_PLAIN, MARKER_START, MARKER_STOP } marker_kind;

typedef struct marker {
    marker_kind kind;
    ws_span name;
} marker;

static const struct {
    const char *word;
    marker_kind kind;
} marker_words[] = {{"start", MARKER_START},  {"started", MARKER_START}, {"begin", MARKER_START}, {"stop", MARKER_STOP},
                    {"stopped", MARKER_STOP}, {"end", MARKER_STOP},      {"ended", MARKER_STOP}};

static bool parts_words(char c)
{
    return c && strchr(" _-:./", c);
}

static marker_kind kind_of_word(ws_span word)
{
    for (size_t i = 0; i < sizeof marker_words / sizeof *marker_words; i++)
        if (strlen(marker_words[i].word) == word.n && strncasecmp(marker_words[i].word, word.p, word.n) == 0)
            return marker_words[i].kind;
    return MARKER_PLAIN;
}

/* By the last word of the label, or the first. */
static marker marker_of(const char *label)
{
    size_t n = strlen(label), last = n, first = 0, end, from;
    while (last > 0 && !parts_words(label[last - 1]))
        last--;
    while (first < n && !parts_words(label[first]))
        first++;
    for (end = last; end > 0 && parts_words(label[end - 1]);)
        end--;
    for (from = first; from < n && parts_words(label[from]);)
        from++;
    marker_kind behind = kind_of_word((ws_span){label + last, n - last}),
                before = kind_of_word((ws_span){label, first});
    if (behind != MARKER_PLAIN && end > 0)
        return (marker){behind, {label, end}};
    if (before != MARKER_PLAIN && from < n)
        return (marker){before, {label + from, n - from}};
    return (marker){MARKER_PLAIN, {label, n}};
}

/* A name that rows start and stop. */
typedef struct marked_phase {
    ws_span name;
    bool has_stop; /* behind a start */
    bool is_open;
    int64_t from_ns;
} marked_phase;

typedef struct marker_reader {
    const ws_table *table;
    size_t time, label;
    int32_t zone;
    ws_stamp_form form;
    ws_time_base base;
    int64_t last_ns;
    marked_phase *phases;
    size_t n_phases, capacity;
    uint64_t lone_stops;
} marker_reader;

static marked_phase *phase_of(marker_reader *m, ws_span name)
{
    for (size_t i = 0; i < m->n_phases; i++)
        if (m->phases[i].name.n == name.n && memcmp(m->phases[i].name.p, name.p, name.n) == 0)
            return &m->phases[i];
    return NULL;
}

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

static void find_phases(marker_reader *m, ws_regions *r)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < m->table->n_rows; row++) {
        const marker seen = marker_of(label_of(m, row, buffer));
        marked_phase *phase = seen.kind == MARKER_PLAIN ? NULL : phase_of(m, seen.name);
        if (seen.kind == MARKER_START && !phase) {
            const char *name = ws_arena_printf(&r->arena, "%.*s", (int)seen.name.n, seen.name.p);
            m->phases = ws_grow(m->phases, &m->capacity, m->n_phases + 1, sizeof *m->phases);
            m->phases[m->n_phases++] = (marked_phase){.name = ws_span_of(name)};
        } else if (seen.kind == MARKER_STOP && phase) {
            phase->has_stop = true;
        }
    }
}

static void enter(ws_regions *r, const char *name)
{
    ws_regions_visit(r, name, NULL, NULL)->entries++;
}

static void leave(ws_regions *r, const char *name, int64_t from_ns, int64_t to_ns)
{
    ws_region_add(ws_regions_visit(r, name, NULL, NULL), from_ns, to_ns);
}

/* A phase that is started again goes on. */
static void mark(marker_reader *m, ws_regions *r, marked_phase *phase, marker_kind kind, int64_t ns)
{
    bool starts = kind == MARKER_START;
    m->lone_stops += !starts && !phase->is_open;
    if (phase->is_open)
        leave(r, phase->name.p, phase->from_ns, ns);
    if (starts)
        enter(r, phase->name.p);
    phase->is_open = starts;
    phase->from_ns = ns;
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
            leave(r, label, from_ns, ns);
        label = ws_arena_strdup(&r->arena, label_of(m, row, buffer));
        from_ns = ns;
        const marker seen = marker_of(label);
        marked_phase *phase = seen.kind == MARKER_PLAIN ? NULL : phase_of(m, seen.name);
        if (phase && phase->has_stop) {
            mark(m, r, phase, seen.kind, ns);
            label = "";
        }
        if (*label)
            enter(r, label);
    }
    if (*label)
        leave(r, label, from_ns, WS_REGION_OPEN);
    for (size_t i = 0; i < m->n_phases; i++)
        if (m->phases[i].is_open)
            leave(r, m->phases[i].name.p, m->phases[i].from_ns, WS_REGION_OPEN);
    return WS_OK;
}

ws_status ws_regions_of_markers(ws_regions *r, const ws_table *markers, int32_t zone, ws_notes *notes, ws_error *error)
{
    marker_reader m = {.table = markers, .zone = zone};
    ws_status status = find_columns(&m, error);
    if (status == WS_OK)
        status = settle_form(&m, error);
    if (status == WS_OK) {
        find_phases(&m, r);
        status = read_rows(&m, r, error);
        free(m.phases);
    }
    if (status != WS_OK)
        return status;
    r->is_relative = m.base == WS_TIME_RELATIVE;
    if (!r->n_visits)
        return ws_fail_at(error, WS_DATA, markers->source, line_of(markers, 0),
                          "no row begins a region: give its label in the column label");
    if (m.lone_stops)
        ws_notes_add_many(notes, m.lone_stops, WS_FINDING_REGION_UNFINISHED, markers->source, "", 0,
                          "a row ends a region that none before it starts: it is left out");
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
