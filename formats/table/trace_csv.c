#include "formats/table/trace_csv.h"

#include "core/arena.h"
#include "formats/table/trace_head.h"
#include "formats/table/trace_rows.h"
#include "formats/table/trace_section.h"
#include "core/parallel.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- one large plain file on several threads --- */

/* The file is divided into parts of whole lines. Threads read parts in advance as long as their rows are plain data
 * of known devices, and push the samples to a stretch of the sink (see ws_sink) or, if the sink has no stretches, keep
 * them. The calling thread takes the parts in order and joins the stretches to the sink or pushes the samples. From the
 * first line of a part that is anything else, it reads the rest of the part by itself, as it would without threads.
 * Whatever a thread read with an outdated snapshot of the section is discarded and read again, so that the result does
 * not depend on the threads. */

/* A part fits into the second-level cache. To begin it and to join the meters of eight devices costs an eighth of
 * reading it, of a large one half as much. Few lines that begin in a part end more than OVERLAP_BYTES behind it. */
enum { PART_BYTES = 256 * 1024, LARGE_PART_BYTES = 2 * PART_BYTES, LARGE_FILE_BYTES = 16 * 1024 * 1024 };
enum { OVERLAP_BYTES = 8 * 1024, LEAST_PARTS = 8, PARTS_A_THREAD = 2, MOST_DEVICES = 64 };

/* A copy of the current section (its plan and devices). It never changes, so that threads may share it. */
typedef struct snapshot {
    struct snapshot *before;
    const ws_trace_section *of;
    ws_trace_section copy;
} snapshot;

/* The buffers and the reader of one part. They are reused from part to part: fresh memory would cost more than the
 * reading itself. */
typedef struct workspace {
    struct workspace *next;
    char *bytes;
    size_t bytes_capacity;
    void *stretch; /* of the trace's sink; NULL: the samples go to `kept` */
    char *kept;
    size_t kept_n, kept_capacity;
    const snapshot *snapshot; /* that the section is a copy of, or NULL */
    ws_trace_section section;
    ws_sink sink;   /* the stretch, or `kept` */
    ws_trace trace; /* that reads lines of this section into `sink` */
} workspace;

typedef struct parallel_read {
    ws_trace *trace;
    ws_input *input;
    int fd;
    size_t from; /* where the first part begins */
    size_t part_bytes;
    pthread_mutex_t lock;
    workspace *free_workspaces; /* those not in use */
    pthread_mutex_t sink_lock;  /* held by who uses the trace's sink */
    snapshot *all;              /* the newest first */
    _Atomic(const snapshot *) now;
    ws_status status;
    ws_error *error;
} parallel_read;

/* Precedes the samples of one channel in `kept`; the arrays t_ns, line and value follow. */
typedef struct kept_block {
    int id;
    size_t n;
} kept_block;

typedef struct part {
    workspace *workspace;
    ws_span lines; /* whole ones, except for the last of the file */
    ws_plain_lines taken;
    size_t end;               /* of its range, in the file */
    int failure;              /* errno */
    const snapshot *snapshot; /* that the lines were taken by */
} part;

/* The same plan and devices, with separate lanes that push to `sink`. */
static void copy_section(ws_trace_section *copy, const ws_trace_section *s, const ws_sink *sink)
{
    *copy = *s;
    copy->plan.values = ws_alloc((s->plan.n_values + 1) * sizeof *s->plan.values);
    memcpy(copy->plan.values, s->plan.values, s->plan.n_values * sizeof *s->plan.values);
    ws_trace_section_start(copy);
    memcpy(copy->used, s->used, s->n_used * sizeof *s->used);
    copy->owners = ws_alloc((s->n + 1) * sizeof *copy->owners);
    for (size_t i = 0; i < s->n; i++) {
        const ws_lane *lane = &s->owners[i].lane;
        copy->owners[i] = s->owners[i];
        ws_lane_init(&copy->owners[i].lane, i, sink, lane->n_channels, true, false);
        memcpy(copy->owners[i].lane.id, lane->id, lane->n_channels * sizeof *lane->id);
        memcpy(copy->owners[i].lane.from, lane->from, lane->n_channels * sizeof *lane->from);
    }
}

static void free_copy(ws_trace_section *copy)
{
    for (size_t i = 0; i < copy->n; i++)
        ws_lane_free(&copy->owners[i].lane);
    free(copy->owners);
    free(copy->plan.values);
    free(copy->used);
    *copy = (ws_trace_section){.n = 0};
}

static ws_status keep_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    workspace *w = state;
    size_t bytes = block->n * sizeof(int64_t);
    kept_block head = {id, block->n};
    w->kept = ws_grow(w->kept, &w->kept_capacity, w->kept_n + sizeof head + 3 * bytes, 1);
    char *at = w->kept + w->kept_n;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, block->t_ns, bytes);
    memcpy(at + sizeof head + bytes, block->line, bytes);
    memcpy(at + sizeof head + 2 * bytes, block->value, bytes);
    w->kept_n += sizeof head + 3 * bytes;
    return WS_OK;
}

static void *fork_stretch(parallel_read *a)
{
    const ws_sink *sink = a->trace->sink;
    if (!sink->fork)
        return NULL;
    pthread_mutex_lock(&a->sink_lock);
    void *stretch = sink->fork(sink->state);
    pthread_mutex_unlock(&a->sink_lock);
    return stretch;
}

/* Everything that depends on a snapshot. The buffers stay. */
static void clear_workspace(const parallel_read *a, workspace *w)
{
    free_copy(&w->section);
    ws_trace_plain_free(&w->trace);
    if (w->stretch)
        a->trace->sink->drop(w->stretch);
    w->stretch = NULL;
    w->snapshot = NULL;
}

/* Makes the workspace ready for lines of the wanted snapshot. */
static void prepare_workspace(parallel_read *a, workspace *w, const snapshot *wanted)
{
    const ws_trace *t = a->trace;
    if (w->snapshot != wanted) {
        clear_workspace(a, w);
        w->stretch = fork_stretch(a);
        w->sink = w->stretch ? (ws_sink){.state = w->stretch, .block = t->sink->block}
                             : (ws_sink){.state = w, .block = keep_block};
        copy_section(&w->section, &wanted->copy, &w->sink);
        w->trace =
            (ws_trace){.options = t->options, .sink = &w->sink, .delimiter = t->delimiter, .current = &w->section};
        w->snapshot = wanted;
    }
    for (size_t i = 0; i < w->section.n; i++)
        w->section.owners[i].lane.count = 0;
}

static workspace *get_workspace(parallel_read *a)
{
    pthread_mutex_lock(&a->lock);
    workspace *w = a->free_workspaces;
    if (w)
        a->free_workspaces = w->next;
    pthread_mutex_unlock(&a->lock);
    if (!w)
        w = ws_alloc(sizeof *w);
    w->kept_n = 0;
    return w;
}

static void put_workspace_back(parallel_read *a, workspace *w)
{
    pthread_mutex_lock(&a->lock);
    w->next = a->free_workspaces;
    a->free_workspaces = w;
    pthread_mutex_unlock(&a->lock);
}

static void drop_workspaces(parallel_read *a)
{
    while (a->free_workspaces) {
        workspace *first = a->free_workspaces;
        a->free_workspaces = first->next;
        clear_workspace(a, first);
        free(first->bytes);
        free(first->kept);
        free(first);
    }
}

static bool read_bytes(int fd, char *bytes, size_t n, size_t from, size_t *got)
{
    *got = 0;
    while (*got < n) {
        ssize_t more = pread(fd, bytes + *got, n - *got, (off_t)(from + *got));
        if (more < 0 && errno != EINTR)
            return false;
        if (more == 0)
            break;
        *got += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static const char *behind_newline(const char *from, const char *end)
{
    const char *newline = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    return newline ? newline + 1 : NULL;
}

/* Reads the lines that begin in the part's range of bytes. The byte before the range tells whether a line begins
 * there. */
static bool read_lines(const parallel_read *a, size_t index, part *p)
{
    size_t before = index > 0, want = a->part_bytes + OVERLAP_BYTES + before, got;
    size_t from = a->from + index * a->part_bytes - before;
    for (;; want *= 2) {
        p->workspace->bytes = ws_grow(p->workspace->bytes, &p->workspace->bytes_capacity, want + WS_ROOM_BYTES, 1);
        char *bytes = ws_place_in(p->workspace->bytes, from);
        if (!read_bytes(a->fd, bytes, want, from, &got))
            return false;
        const char *first = from ? bytes : ws_span_without_mark((ws_span){bytes, got}).p;
        p->end = from + (got < before + a->part_bytes ? got : before + a->part_bytes);
        const char *end = bytes + got, *range_end = bytes + before + a->part_bytes;
        const char *begin = before ? behind_newline(bytes, end < range_end ? end : range_end - 1) : first;
        if (!begin)
            return true;
        const char *last = behind_newline(range_end - 1, end);
        if (last || got < want) {
            p->lines = (ws_span){begin, (size_t)((last ? last : end) - begin)};
            return true;
        }
    }
}

/* On any thread: reads the bytes of a part and, if there is a snapshot, parses its plain lines. */
static void read_part(void *state, size_t index, void *out)
{
    parallel_read *a = state;
    part *p = out;
    p->workspace = get_workspace(a);
    if (!read_lines(a, index, p)) {
        p->failure = errno;
        return;
    }
    p->taken = (ws_plain_lines){.text = p->lines, .first = 1};
    p->snapshot = p->lines.n ? atomic_load(&a->now) : NULL;
    if (!p->snapshot)
        return;
    prepare_workspace(a, p->workspace, p->snapshot);
    ws_trace_take_plain(&p->workspace->trace, &p->taken, NULL);
    ws_trace_section_flush(&p->workspace->section, NULL);
}

/* Publishes the snapshot for the parts to come; none if the rows depend on each other. */
static void renew_snapshot(parallel_read *a)
{
    const ws_trace_section *s = a->trace->current;
    const snapshot *now = atomic_load(&a->now);
    bool may_share = ws_trace_rows_stand_alone(a->trace) && s->n <= MOST_DEVICES;
    if (now && may_share && now->of == s && now->copy.n == s->n && now->copy.n_used == s->n_used)
        return;
    atomic_store(&a->now, NULL);
    if (!may_share)
        return;
    snapshot *made = ws_alloc(sizeof *made);
    made->before = a->all;
    made->of = s;
    copy_section(&made->copy, s, NULL);
    a->all = made;
    atomic_store(&a->now, made);
}

static void free_snapshots(parallel_read *a)
{
    while (a->all) {
        snapshot *first = a->all;
        a->all = first->before;
        free_copy(&first->copy);
        free(first);
    }
}

static ws_status push_kept(ws_trace *t, const part *p, int64_t lines, ws_error *error)
{
    ws_status status = WS_OK;
    for (char *at = p->workspace->kept, *end = at + p->workspace->kept_n; at < end && status == WS_OK;) {
        kept_block head;
        memcpy(&head, at, sizeof head);
        int64_t *t_ns = (int64_t *)(void *)(at + sizeof head), *line = t_ns + head.n;
        for (size_t i = 0; i < head.n; i++)
            line[i] += lines;
        ws_block block = {.n = head.n, .t_ns = t_ns, .line = line, .value = (const double *)(line + head.n)};
        status = t->sink->block(t->sink->state, head.id, &block, error);
        at += sizeof head + 3 * head.n * sizeof(int64_t);
    }
    return status;
}

/* Line numbers in a part count from its first line, which the rows have reached. False: the sink could not take them,
 * or no longer; *status says which. */
static bool push_samples(ws_trace *t, const part *p, ws_status *status, ws_error *error)
{
    int64_t lines = ws_rows_line(t->rows) - 1;
    if (p->workspace->stretch)
        return t->sink->join(t->sink->state, p->workspace->stretch, lines);
    *status = push_kept(t, p, lines, error);
    return *status == WS_OK;
}

/* Does a row of the part repeat the stamp of the row before the part? */
static bool begins_with_repeat(const ws_trace_section *s, const ws_trace_section *read)
{
    bool repeats = false;
    for (size_t i = 0; s->stops_at_repeats && i < s->n; i++)
        repeats |=
            s->owners[i].lane.count && read->owners[i].lane.count && read->owners[i].first_ns == s->owners[i].last_ns;
    return repeats;
}

/* False: the part has to be read again, or *status is not WS_OK. */
static bool push_part(ws_trace *t, part *p, ws_status *status, ws_error *error)
{
    const ws_trace_section *read = &p->workspace->section;
    *status = ws_trace_section_flush(t->current, error);
    if (*status != WS_OK || begins_with_repeat(t->current, read) || !push_samples(t, p, status, error))
        return false;
    for (size_t i = 0; i < t->current->n; i++) {
        ws_row_owner *owner = &t->current->owners[i];
        const ws_row_owner *from = &read->owners[i];
        if (!from->lane.count)
            continue;
        owner->last_ns = from->last_ns;
        owner->lane.count += from->lane.count;
        ws_lane_repeat_last(&owner->lane, &from->lane);
    }
    if (p->taken.n) {
        ws_trace_remember_last_line(t, p->taken.last);
        ws_trace_has_reading(t);
    }
    ws_rows_pass(t->rows, 0, p->taken.n);
    return true;
}

static void discard(const parallel_read *a, part *p)
{
    p->taken.text = p->lines;
    if (p->snapshot)
        clear_workspace(a, p->workspace);
}

static ws_status take_part(parallel_read *a, part *p)
{
    ws_trace *t = a->trace;
    ws_status status = WS_OK;
    if (p->failure)
        return ws_fail_at(a->error, WS_IO, t->context.source, 0, "cannot be read: %s", strerror(p->failure));
    bool is_of_now = p->snapshot && p->snapshot == atomic_load(&a->now) && ws_rows_are_between(t->rows);
    if (!is_of_now || !push_part(t, p, &status, a->error))
        discard(a, p);
    if (status != WS_OK || !p->taken.text.n)
        return status;
    ws_rows_put(t->rows, p->taken.text);
    status = ws_trace_take_rows(t, a->error);
    renew_snapshot(a);
    return status;
}

static void finish_part(void *state, size_t index, void *out)
{
    (void)index;
    parallel_read *a = state;
    part *p = out;
    pthread_mutex_lock(&a->sink_lock);
    if (a->status == WS_OK)
        a->status = take_part(a, p);
    pthread_mutex_unlock(&a->sink_lock);
    ws_input_passed(a->input, p->end);
    put_workspace_back(a, p->workspace);
}

/* Of a plain file; else 0. */
static size_t plain_size(const ws_trace *t)
{
    struct stat about;
    int fd = ws_input_plain_fd(t->input);
    return fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0 ? (size_t)about.st_size : 0;
}

/* To begin and to join a part costs as much whatever its size; but the first one of a file is read while the other
 * threads wait. */
static size_t part_bytes(const ws_trace *t, size_t size)
{
    if (t->options->rows.part)
        return t->options->rows.part;
    return size < LARGE_FILE_BYTES ? PART_BYTES : LARGE_PART_BYTES;
}

static size_t count_parts(size_t size, size_t from, size_t bytes)
{
    return size > from ? (size - from - 1) / bytes + 1 : 0;
}

static bool may_read_in_parallel(const ws_trace *t)
{
    const ws_rows_options *options = &t->options->rows;
    const size_t size = plain_size(t);
    return options->threads > 1 && options->reader != WS_READER_CSV &&
           count_parts(size, 0, part_bytes(t, size)) >= LEAST_PARTS;
}

static void read_later_part(void *state, size_t index, void *out)
{
    read_part(state, index + 1, out);
}

static ws_status read_in_parts(ws_trace *t, size_t from, ws_error *error)
{
    const size_t size = plain_size(t), bytes = part_bytes(t, size), n = count_parts(size, from, bytes);
    parallel_read a = {.trace = t,
                       .input = t->input,
                       .fd = ws_input_plain_fd(t->input),
                       .from = from,
                       .part_bytes = bytes,
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .sink_lock = PTHREAD_MUTEX_INITIALIZER,
                       .error = error};
    ws_parallel_task task = {&a, sizeof(part), read_later_part, finish_part, NULL};
    part first = {0};
    ws_rows_put(t->rows, (ws_span){NULL, 0});
    if (n) {
        read_part(&a, 0, &first);
        finish_part(&a, 0, &first);
        ws_parallel_run_few(&task, n - 1, t->options->rows.threads, PARTS_A_THREAD);
    }
    if (a.status == WS_OK) {
        ws_rows_put_end(t->rows);
        a.status = ws_trace_take_rows(t, error);
    }
    free_snapshots(&a);
    drop_workspaces(&a);
    pthread_mutex_destroy(&a.sink_lock);
    pthread_mutex_destroy(&a.lock);
    return a.status;
}

/* --- a log that has grown --- */

/* What a reader knows at the end of an earlier reading, it learns once more from the head of the log, which has the
 * header and a row of each device, and from the last rows before the place, which have the last stamp of each device.
 * Their samples and notes were taken then, and go nowhere. */

static ws_status drop_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)state, (void)id, (void)block, (void)error;
    return WS_OK;
}

static void drop_fact(void *state, const ws_fact *fact)
{
    (void)state, (void)fact;
}

bool ws_trace_goes_on(const ws_read_options *options)
{
    return options->log && options->log->from;
}

static bool replay(ws_trace *t, ws_span lines)
{
    ws_rows_put(t->rows, lines);
    ws_status status = ws_trace_take_rows(t, NULL);
    if (status == WS_OK && t->current)
        status = ws_trace_section_flush(t->current, NULL);
    return status == WS_OK && ws_rows_are_between(t->rows) && ws_trace_may_go_on(t);
}

static bool replay_head(ws_trace *t)
{
    ws_span head = ws_input_head(t->input);
    while (head.n && head.p[head.n - 1] != '\n')
        head.n--;
    return head.n && replay(t, head);
}

/* The last rows before the place. Each device has to be among them. */
static bool replay_tail(ws_trace *t, const ws_log_place *place)
{
    size_t got = 0, from = place->offset - WS_HEAD_SIZE;
    ws_trace_section *s = t->current;
    char *room = ws_alloc(WS_HEAD_SIZE + WS_ROOM_BYTES), *bytes = ws_place_in(room, from);
    bool is_read = read_bytes(ws_input_plain_fd(t->input), bytes, WS_HEAD_SIZE, from, &got) && got == WS_HEAD_SIZE;
    const char *first = is_read ? behind_newline(bytes, bytes + got) : NULL;
    for (size_t i = 0; i < s->n; i++)
        s->owners[i].last_ns = INT64_MIN;
    bool done = first && replay(t, (ws_span){first, (size_t)(bytes + got - first)}) && s->n == place->devices;
    for (size_t i = 0; i < s->n; i++)
        done &= s->owners[i].last_ns != INT64_MIN;
    free(room);
    return done;
}

/* Brings the trace to where an earlier reading ended. */
static bool go_to(ws_trace *t, const ws_log_place *place)
{
    const ws_sink *sink = t->sink;
    t->own_sink = *sink;
    t->own_sink.block = drop_block;
    t->own_sink.fact = sink->fact ? drop_fact : NULL;
    t->sink = &t->own_sink;
    bool done =
        ws_input_plain_fd(t->input) >= 0 && place->offset >= WS_HEAD_SIZE && replay_head(t) && replay_tail(t, place);
    if (done)
        t->own_sink = *sink;
    t->context.notes = t->policy.notes = t->later_notes;
    if (t->set_notes)
        t->set_notes(t->taker, t->later_notes);
    ws_rows_pass(t->rows, 0, place->line - ws_rows_line(t->rows));
    return done;
}

/* --- the whole file, with or without threads --- */

static ws_status flush_sections(ws_trace *t, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < t->n_sections; i++) {
        ws_status flushed = ws_trace_section_flush(t->sections[i], error);
        status = status == WS_OK ? flushed : status;
    }
    return status;
}

ws_status ws_trace_read_rows(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_status status;
    ws_log_reading *log = t->options->log;
    t->input = input;
    if (ws_trace_goes_on(t->options)) {
        log->is_refused = !go_to(t, log->from);
        status = log->is_refused ? WS_OK : read_in_parts(t, log->from->offset, error);
    } else
        status = may_read_in_parallel(t) ? read_in_parts(t, 0, error) : ws_trace_take_rows(t, error);
    if (status == WS_OK && !(log && log->is_refused))
        ws_trace_reach_place(t, NULL);
    ws_status flushed = flush_sections(t, status == WS_OK ? error : NULL);
    return status == WS_OK ? flushed : status;
}

static ws_status prepare(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_trace_section *s = ws_trace_section_add(t);
    ws_status status =
        ws_plan_of_head(&s->plan, &t->context, ws_input_head(input), t->delimiter, &t->options->rows, error);
    if (status != WS_OK)
        return status;
    ws_trace_section_start(s);
    if (!s->plan.header)
        t->current = s;
    return ws_rows_open(&t->rows, input, t->delimiter, &t->options->rows, error);
}

void ws_trace_free(ws_trace *t)
{
    for (size_t i = 0; i < t->n_sections; i++)
        ws_trace_section_free(t->sections[i]);
    free(t->sections);
    ws_trace_plain_free(t);
    ws_trace_devices_free(&t->devices);
    ws_rows_close(t->rows);
}

/* A machine that went down while a log was written leaves room without rows: zeros, in place of as many rows as fit. */
static void note_zeros_at_end(const ws_trace *t, ws_span head)
{
    size_t lines = 0;
    for (size_t i = 0; i < head.n; i++)
        lines += head.p[i] == '\n';
    if (lines)
        ws_notes_add_many(t->context.notes, (uint64_t)(t->zeros_at_end * lines / head.n), WS_FINDING_UNREAD_LINES,
                          t->context.source, "", ws_rows_line(t->rows),
                          "the file ends in %zu bytes of zero, as where a machine went down: room for so many rows",
                          t->zeros_at_end);
}

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error)
{
    ws_map map = {0};
    ws_arena arena = {0};
    ws_status status = options->columns ? ws_map_parse(&map, options->columns, error) : WS_OK;
    if (status != WS_OK)
        return status;
    ws_trace t = {.options = options, .sink = sink, .later_notes = notes, .devices.arena = &arena};
    t.delimiter = map.delimiter ? map.delimiter : ws_delimiter_guess(ws_input_head(input));
    t.context = (ws_plan_context){.source = ws_input_path(input),
                                  .map = &map,
                                  .delimiter = t.delimiter,
                                  .zone = options->zone,
                                  .notes = ws_trace_goes_on(options) ? NULL : notes,
                                  .arena = &arena,
                                  .described_devices = options->described_devices,
                                  .node_is_given = options->node_is_given,
                                  .rule_order = options->rule_order};
    t.policy = (ws_row_policy){
        .source = t.context.source, .notes = t.context.notes, .last_line = WS_LAST_LINE_ALIKE, .keeps_short = true};
    status = prepare(&t, input, error);
    if (status == WS_OK)
        status = ws_trace_read_rows(&t, input, error);
    bool is_read = status == WS_OK && !(options->log && options->log->is_refused);
    if (is_read && (t.unread.start.n || t.unread.current.n))
        ws_unread_note(&t.unread, 1, t.context.notes, t.context.source);
    if (is_read && t.zeros_at_end)
        note_zeros_at_end(&t, ws_input_head(input));
    ws_trace_free(&t);
    if (options->columns)
        ws_map_free(&map);
    ws_arena_free(&arena);
    return status;
}
