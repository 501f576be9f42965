#include "analyze/ingest/windows.h"

#include "analyze/ingest/node_list.h"
#include "analyze/ingest/record_fields.h"
#include "analyze/measure/cutter.h"
#include "core/arena.h"
#include "core/zone.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct window_reader {
    const ws_campaign *campaign;
    const ws_window_rule *rule;
    int32_t zone;
    ws_run_list *list;
    ws_notes *notes;
    const ws_table *record;
    size_t nodes; /* the record's column of node lists; n_columns without one */
} window_reader;

static void note_no_column(const window_reader *r, const char *name)
{
    ws_notes_add(r->notes, WS_FINDING_NO_WINDOW, r->record->source, name, 0,
                 "the records have no column '%s' for 'windows'", name);
}

/* The record's column that the rule names, or the usual one. */
static bool find_column(const window_reader *r, const char *named, const char *usual, size_t *column)
{
    bool is_there = ws_table_find(r->record, named ? named : usual, column);
    if (!is_there)
        note_no_column(r, named ? named : usual);
    return is_there;
}

/* Numbers under a plural count the nodes. */
static bool holds_names(const ws_column *column)
{
    size_t n = strlen(column->name);
    return column->kind == WS_TEXT || (n && column->name[n - 1] != 's');
}

static size_t find_nodes(const ws_table *record, const char *named)
{
    static const char *const usual[] = {"node_list", "nodelist", "host_list", "hostlist", "nodes",
                                        "hosts",     "node",     "host",      "hostname", "hostnames"};
    size_t column;
    if (named)
        return ws_table_find(record, named, &column) ? column : record->n_columns;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        for (column = 0; column < record->n_columns; column++)
            if (holds_names(&record->columns[column]) && ws_eq_nocase(record->columns[column].name, usual[i]))
                return column;
    return record->n_columns;
}

/* Of the hour that autumn repeats the time nearer to *near_ns; NULL: the first. */
static bool read_stamp(const window_reader *r, size_t column, size_t row, const int64_t *near_ns, int64_t *ns)
{
    char buffer[WS_DOUBLE_TEXT];
    ws_stamp stamp;
    bool is_named = ws_zone_is_named(r->zone);
    ws_span text = ws_span_of(ws_table_cell_text(r->record, column, row, buffer));
    if (!ws_stamp_parse(ws_stamp_guess(text), text, is_named ? WS_ZONE_NONE : r->zone, &stamp) ||
        stamp.base == WS_TIME_RELATIVE || stamp.base == WS_TIME_NONE)
        return false;
    if (stamp.base == WS_TIME_NAIVE && is_named)
        stamp.ns = ws_zone_to_utc(r->zone, stamp.ns, near_ns);
    else if (stamp.base == WS_TIME_NAIVE)
        ws_notes_add(
            r->notes, WS_FINDING_NAIVE_TIME, r->record->source, r->record->columns[column].name, 0,
            "the stamps of the windows name no zone and are read as UTC ('timezone' of the campaign says which)");
    *ns = stamp.ns;
    return true;
}

static bool read_length(const window_reader *r, size_t row, int64_t *ns)
{
    static const char *const usual[] = {"elapsed_s", "wall_s", "duration_s"};
    size_t column;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        double length_s = ws_table_find(r->record, usual[i], &column) ? ws_table_number(r->record, column, row) : NAN;
        if (length_s >= 0 && length_s < 1e9) {
            *ns = llround(length_s * 1e9);
            return true;
        }
    }
    return false;
}

/* Both may lie an hour later. */
static void note_repeated_hour(const window_reader *r, size_t start, size_t end, size_t row, const ws_run_window *w)
{
    const int64_t day_ns = 86400 * INT64_C(1000000000);
    int64_t later_start, later_end, near_start = w->start_ns + day_ns, near_end = w->end_ns + day_ns;
    char place[320];
    if (read_stamp(r, start, row, &near_start, &later_start) && read_stamp(r, end, row, &near_end, &later_end) &&
        later_start != w->start_ns && later_end != w->end_ns)
        ws_notes_add(
            r->notes, WS_FINDING_REPEATED_HOUR, r->record->source, r->rule->match,
            r->record->line ? r->record->line[row] : 0,
            "a record begins and ends inside the hour that autumn repeats and does not say in which one: it is "
            "read in the first, as %s",
            ws_table_place(r->record, row, place));
}

/* If one of the two is in the hour that autumn repeats, the length of the record decides which; without a length, the
 * end must be after the start. */
static bool read_times(const window_reader *r, size_t start, size_t end, size_t row, ws_run_window *w)
{
    const int64_t hour_ns = 3600 * INT64_C(1000000000);
    int64_t length_ns = 0, near_ns;
    if (!read_stamp(r, start, row, NULL, &w->start_ns) || !read_stamp(r, end, row, NULL, &w->end_ns))
        return false;
    if (!ws_zone_is_named(r->zone))
        return true;
    bool has_length = read_length(r, row, &length_ns);
    if (has_length || w->end_ns <= w->start_ns) {
        near_ns = has_length ? w->start_ns + length_ns : w->end_ns + hour_ns;
        read_stamp(r, end, row, &near_ns, &w->end_ns);
    }
    if (has_length) {
        near_ns = w->end_ns - length_ns;
        read_stamp(r, start, row, &near_ns, &w->start_ns);
    }
    note_repeated_hour(r, start, end, row, w);
    return true;
}

static bool read_nodes(const window_reader *r, size_t row, ws_run_window *window)
{
    char buffer[WS_DOUBLE_TEXT];
    bool has_column = r->nodes < r->record->n_columns;
    window->n_nodes = 0;
    if (!has_column && r->rule->nodes)
        note_no_column(r, r->rule->nodes);
    if (!has_column || ws_table_is_missing(r->record, r->nodes, row))
        return true;
    ws_span text = ws_span_of(ws_table_cell_text(r->record, r->nodes, row, buffer));
    window->n_nodes = ws_node_list(&r->list->arena, text, &window->nodes);
    return window->n_nodes > 0;
}

static void take_fields(const window_reader *r, size_t row, ws_run_window *window)
{
    for (size_t c = 0; c < r->record->n_columns; c++) {
        ws_record_field field;
        if (c == r->nodes && strcmp(r->record->columns[c].name, "node_list") != 0)
            continue; /* a list of names, whatever it is called: "nodes" is a count */
        ws_record_field_of(r->record, c, row, &field);
        if (*field.value && strcmp(field.name, "step") != 0)
            ws_fields_set(&window->fields, &r->list->arena, field.name, field.value);
    }
}

/* False where the row says no window. */
static bool read_window(const window_reader *r, size_t row, ws_run_window *window)
{
    size_t start, end;
    char place[320];
    if (!find_column(r, r->rule->start, "start", &start) || !find_column(r, r->rule->end, "end", &end))
        return false;
    *window = (ws_run_window){.row = row + 1, .record = ws_arena_strdup(&r->list->arena, r->record->source)};
    if (read_times(r, start, end, row, window) && window->start_ns < window->end_ns && read_nodes(r, row, window)) {
        take_fields(r, row, window);
        return true;
    }
    ws_notes_add(r->notes, WS_FINDING_NO_WINDOW, r->record->source, r->rule->match,
                 r->record->line ? r->record->line[row] : 0,
                 "a record has no beginning before its end, or a node list that cannot be read: it cuts no run, the "
                 "first is %s",
                 ws_table_place(r->record, row, place));
    return false;
}

static void add_window(ws_run_files *run, const ws_run_window *window)
{
    run->windows = ws_grow(run->windows, &run->window_capacity, run->n_windows + 1, sizeof *run->windows);
    ws_run_window *new = &run->windows[run->n_windows++];
    *new = *window;
    new->fields = (ws_fields){0};
}

/* Shares the run every field that both know? */
static bool belongs(const ws_run_files *run, const ws_fields *captured)
{
    for (size_t i = 0; i < captured->n; i++) {
        const char *ours = ws_fields_get(&run->fields, captured->items[i].name);
        if (ours && strcmp(ours, captured->items[i].value) != 0)
            return false;
    }
    return true;
}

/* To the runs that it is of. */
static void give_window(const window_reader *r, const ws_fields *captured, const ws_run_window *window)
{
    bool has_run = false;
    for (size_t i = 0; i < r->list->n; i++) {
        ws_run_files *run = &r->list->runs[i];
        if (!belongs(run, captured))
            continue;
        has_run = true;
        add_window(run, window);
        ws_fields *fields = &run->windows[run->n_windows - 1].fields;
        for (size_t f = 0; f < window->fields.n; f++)
            ws_fields_set(fields, &r->list->arena, window->fields.items[f].name, window->fields.items[f].value);
    }
    if (!has_run && r->list->n)
        ws_notes_add(r->notes, WS_FINDING_WINDOW_WITHOUT_TRACE, r->record->source, r->rule->match,
                     r->record->line ? r->record->line[window->row - 1] : 0,
                     "a record is left out: the path of no trace has its %s",
                     ws_fields_text(captured, &r->list->arena));
}

static void read_record(window_reader *r, const char *path, const ws_fields *captured)
{
    ws_table record;
    ws_error error = {0};
    ws_source_options options = {.as = r->rule->as, .read = WS_READ_DEFAULTS, .inputs = r->list->inputs};
    r->record = &record;
    if (ws_source_read_table(path, &options, &record, &error) != WS_OK)
        ws_note_failure(r->notes, WS_FINDING_UNREADABLE, path, &error);
    r->nodes = find_nodes(&record, r->rule->nodes);
    for (size_t row = 0; row < record.n_rows; row++) {
        ws_run_window window;
        if (ws_record_is_step(&record, row) || !read_window(r, row, &window))
            continue;
        give_window(r, captured, &window);
        ws_fields_free(&window.fields);
    }
    ws_notes_append(r->notes, &record.notes);
    ws_table_free(&record);
}

static int by_time(const void *a, const void *b)
{
    const ws_run_window *x = *(ws_run_window *const *)a, *y = *(ws_run_window *const *)b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x > y) - (x < y);
}

static bool same_nodes(const ws_run_window *a, const ws_run_window *b)
{
    bool same = a->n_nodes == b->n_nodes;
    for (size_t i = 0; same && i < a->n_nodes; i++)
        same = strcmp(a->nodes[i], b->nodes[i]) == 0;
    return same;
}

/* In all but their nodes. */
static bool same_record(const ws_run_window *a, const ws_run_window *b)
{
    bool same = a->start_ns == b->start_ns && a->end_ns == b->end_ns && a->fields.n == b->fields.n;
    for (size_t i = 0; same && i < a->fields.n; i++)
        same = strcmp(a->fields.items[i].name, "job_nodes") == 0 || ws_fields_hold(&b->fields, &a->fields.items[i]);
    return same;
}

static bool has_name(const ws_run_window *w)
{
    return ws_fields_get(&w->fields, "job") || ws_fields_get(&w->fields, "run");
}

static bool has_node(const ws_run_window *w, const char *node)
{
    for (size_t i = 0; i < w->n_nodes; i++)
        if (strcmp(w->nodes[i], node) == 0)
            return true;
    return false;
}

/* A table may have a row for each node of a job. */
static void add_nodes(ws_run_window *to, const ws_run_window *from, ws_arena *arena)
{
    const char **nodes = ws_arena_alloc(arena, (to->n_nodes + from->n_nodes) * sizeof *nodes);
    const char *list = ws_fields_get(&to->fields, "job_nodes"), *more = ws_fields_get(&from->fields, "job_nodes");
    for (size_t i = 0; i < to->n_nodes; i++)
        nodes[i] = to->nodes[i];
    to->nodes = nodes;
    for (size_t i = 0; i < from->n_nodes; i++)
        if (!has_node(to, from->nodes[i]))
            nodes[to->n_nodes++] = from->nodes[i];
    if (list && more)
        ws_fields_set(&to->fields, arena, "job_nodes", ws_arena_printf(arena, "%s,%s", list, more));
}

/* Goes the later record into the earlier one? */
static bool join_records(ws_run_window *a, const ws_run_window *b, ws_arena *arena, const char *source,
                         const ws_run_files *run, ws_notes *notes)
{
    if (!same_record(a, b))
        return false;
    if (same_nodes(a, b)) {
        ws_notes_add(
            notes, WS_FINDING_REPEATED_RECORD, source, run->id, 0,
            "a record that says the same as an earlier one in every column is left out, the first is record %zu",
            b->row);
        return true;
    }
    if (!has_name(a) || !a->n_nodes || !b->n_nodes)
        return false;
    ws_notes_add(notes, WS_FINDING_JOINED_RECORD, source, run->id, 0,
                 "records that differ in their nodes alone are one run of all of them, the first is record %zu",
                 b->row);
    add_nodes(a, b, arena);
    return true;
}

static void keep_windows(ws_run_files *run, const bool *again)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->n_windows; i++)
        if (again[i])
            ws_fields_free(&run->windows[i].fields);
        else
            run->windows[kept++] = run->windows[i];
    run->n_windows = kept;
}

/* Two exports of one scheduler, one behind the other, hold the same job twice; a table of nodes holds parts of it. */
static void join_repeated(ws_run_files *run, ws_arena *arena, const char *source, ws_notes *notes)
{
    size_t n = run->n_windows;
    ws_run_window **sorted = ws_alloc((n + 1) * sizeof *sorted);
    bool *again = ws_alloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = &run->windows[i];
        again[i] = false;
    }
    qsort(sorted, n, sizeof *sorted, by_time);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j-- > 0 && sorted[j]->start_ns == sorted[i]->start_ns && !again[sorted[i] - run->windows];)
            again[sorted[i] - run->windows] =
                !again[sorted[j] - run->windows] && join_records(sorted[j], sorted[i], arena, source, run, notes);
    keep_windows(run, again);
    free(sorted);
    free(again);
}

static void note_runs_without(const ws_campaign *campaign, const ws_run_list *list, ws_notes *notes)
{
    for (size_t i = 0; campaign->n_windows && i < list->n; i++)
        if (!list->runs[i].n_windows)
            ws_notes_add(notes, WS_FINDING_NO_WINDOW, campaign->source, list->runs[i].id, 0,
                         "no record gives this run a window: its traces are taken whole");
}

/* 'ignore' names the file itself. */
static bool is_ignored(const ws_campaign *campaign, const char *path)
{
    bool ignored = false;
    for (size_t i = 0; i < campaign->n_ignore && !ignored; i++)
        ignored = strcmp(campaign->ignore[i], path) == 0;
    return ignored;
}

void ws_find_windows(const ws_campaign *campaign, int32_t zone, ws_run_list *list, ws_notes *notes)
{
    for (size_t i = 0; i < campaign->n_windows; i++) {
        window_reader r = {
            .campaign = campaign, .rule = &campaign->windows[i], .zone = zone, .list = list, .notes = notes};
        size_t found = 0;
        for (size_t f = 0; f < list->all.n; f++) {
            ws_fields captured = {0};
            const char *path = list->all.paths[f];
            if (!is_ignored(campaign, ws_campaign_path(campaign, path)) &&
                ws_path_match(r.rule->match, ws_campaign_path(campaign, path), &captured, &list->arena)) {
                read_record(&r, path, &captured);
                found++;
            }
            ws_fields_free(&captured);
        }
        if (!found)
            ws_notes_add(notes, WS_FINDING_RULE_WITHOUT_FILE, campaign->source, r.rule->match, 0,
                         "no file matches the window rule '%s'", r.rule->match);
    }
    for (size_t i = 0; i < list->n; i++)
        join_repeated(&list->runs[i], &list->arena, campaign->source, notes);
    note_runs_without(campaign, list, notes);
}

/* --- logs of nodes beside the jobs that ran there --- */

enum { WS_ZONE_QUARTERS = 56 }; /* zones lie up to 14 h from UTC */

/* Where the word stands in the path by itself: not a letter or digit of another one. NULL: nowhere. */
static const char *find_word(const char *path, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(path, word); at; at = strstr(at + 1, word))
        if ((at == path || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
            return at;
    return NULL;
}

static bool names_job(const ws_run_window *w, const char *path)
{
    const char *job = ws_fields_get(&w->fields, "job");
    return job && find_word(path, job);
}

static bool lies_inside(const ws_run_window *w, const ws_scan_file *f, int64_t shift_ns)
{
    return f->span.is_dated && w->start_ns + shift_ns >= f->span.start_ns && w->end_ns + shift_ns <= f->span.end_ns;
}

/* The first node of the records that the path names, a host's domain aside; NULL: none, or a job of them, too. */
static const char *node_in_path(ws_arena *arena, const ws_run_files *jobs, const char *path)
{
    const char *found = NULL;
    for (size_t i = 0; i < jobs->n_windows; i++) {
        const ws_run_window *w = &jobs->windows[i];
        if (names_job(w, path))
            return NULL;
        for (size_t k = 0; k < w->n_nodes && !found; k++) {
            const char *host = ws_arena_strndup(arena, w->nodes[k], strcspn(w->nodes[k], "."));
            found = find_word(path, host) ? host : NULL;
        }
    }
    return found;
}

static size_t jobs_inside(const ws_run_files *jobs, const ws_scan_file *f, const char *node, int64_t shift_ns)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n_windows; i++) {
        bool is_there = false;
        for (size_t k = 0; k < jobs->windows[i].n_nodes && !is_there; k++)
            is_there = ws_same_host(jobs->windows[i].nodes[k], node);
        n += is_there && lies_inside(&jobs->windows[i], f, shift_ns);
    }
    return n;
}

/* Does every log hold a job of its node whole, and one of them two, with the jobs so much later? */
static bool hold_jobs(const ws_run_files *jobs, const ws_scan_file *traces, const char *const *nodes, size_t n,
                      int64_t shift_ns)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t inside = jobs_inside(jobs, &traces[i], nodes[i], shift_ns);
        if (!inside)
            return false;
        most = inside > most ? inside : most;
    }
    return most > 1;
}

/* Records in the time of the place beside logs in UTC are by a zone of whole quarters of an hour off; the jobs have no
 * trace then until --tz says it. */
static bool hold_jobs_of_a_zone(const ws_run_files *jobs, const ws_scan_file *traces, const char *const *nodes,
                                size_t n)
{
    const int64_t quarter_ns = INT64_C(900000000000);
    bool hold = hold_jobs(jobs, traces, nodes, n, 0);
    for (int64_t quarters = 1; quarters <= WS_ZONE_QUARTERS && !hold; quarters++)
        hold = hold_jobs(jobs, traces, nodes, n, quarters * quarter_ns) ||
               hold_jobs(jobs, traces, nodes, n, -quarters * quarter_ns);
    return hold;
}

static const char *pattern_of_logs(ws_arena *arena, const char *folder, const ws_run_files *jobs, ws_scan_file *traces,
                                   size_t n)
{
    const char *pattern = NULL;
    const char **nodes = ws_arena_alloc(arena, (n + 1) * sizeof *nodes);
    ws_scan_file **files = ws_arena_alloc(arena, (n + 1) * sizeof *files);
    for (size_t i = 0; i < n; i++) {
        const char *path = traces[i].path;
        if (!(nodes[i] = node_in_path(arena, jobs, path)))
            return NULL;
        const char *at = find_word(path, nodes[i]);
        const char *own = ws_arena_printf(arena, "%s{node}%s",
                                          ws_pattern_literal(arena, ws_arena_strndup(arena, path, (size_t)(at - path))),
                                          ws_pattern_literal(arena, at + strlen(nodes[i])));
        if (pattern && strcmp(pattern, own) != 0)
            return NULL;
        pattern = own;
        files[i] = &traces[i];
    }
    ws_read_scan_files(folder, 1, files, n);
    return hold_jobs_of_a_zone(jobs, traces, nodes, n) ? pattern : NULL;
}

const char *ws_node_log_pattern(ws_arena *arena, const char *folder, const char *records, ws_scan_file *traces,
                                size_t n)
{
    ws_notes notes = {0};
    const char *path = ws_arena_printf(arena, "%s/%s", folder, records);
    ws_window_rule rule = {.match = ws_pattern_literal(arena, records), .as = "sacct"};
    const ws_campaign campaign = {.folder = folder, .source = folder, .windows = &rule, .n_windows = 1};
    ws_run_list list = {0};
    list.runs = ws_alloc(sizeof *list.runs);
    list.n = list.capacity = 1;
    list.runs[0] = (ws_run_files){.id = ""};
    char *paths[] = {(char *)(uintptr_t)path};
    list.all = (ws_file_list){.paths = paths, .n = 1};
    ws_find_windows(&campaign, WS_ZONE_NONE, &list, &notes);
    const char *pattern = n && list.runs[0].n_windows ? pattern_of_logs(arena, folder, &list.runs[0], traces, n) : NULL;
    list.all = (ws_file_list){0};
    ws_run_list_free(&list);
    ws_notes_free(&notes);
    return pattern;
}

/* --- the nodes of windows beside those that the logs hold --- */

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
