/* From the files of a run to its rows. Threads read (read_run): a table of records, the windows of a long log, or whole
 * files; each file a second time if it holds time twice or overlaps with another one. The calling thread makes the rows
 * in order (take_run). */
#include "analyze/ingest/measure_run.h"

#include "formats/input/input.h"
#include "analyze/drawn_run.h"
#include "analyze/identity/identity.h"
#include "analyze/ingest/record_fields.h"
#include "analyze/ingest/run_row.h"
#include "analyze/ingest/shared_devices.h"
#include "analyze/ingest/tidy.h"
#include "analyze/ingest/windows.h"
#include "analyze/measure/cutter.h"
#include "analyze/measure/packer_internal.h"
#include "analyze/rank_request.h"
#include "analyze/run_recall.h"
#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A run while it is read. Any thread may fill it; the calling thread turns it into rows. */
typedef struct run_reader {
    ws_run_reading run;
    ws_table *records; /* of a run whose files are tables of records (the rule says so): one a file */
    ws_cut *cuts;      /* one for each window */
    ws_notes notes;
    const char **formats; /* of its files, once they were read; NULL for those that nothing was read of */
} run_reader;

/* Where the samples of a file go: into a measure, or through the cutter into those of the run's windows. */
typedef struct target {
    ws_measure *measure;
    ws_cutter *cutter;    /* NULL: into the measure */
    ws_log_reading *log;  /* of a file by itself that the measure may have to its middle, or NULL */
    ws_file_looks *looks; /* gets what the file was, or NULL */
} target;

/* A trace that is named by itself is read on from where its head was looked at, once. */
static bool is_read_again(const run_reader *r, size_t i)
{
    return r->formats[i] && ws_is_file(r->run.files->files[i].path);
}

/* A file that holds no time was read. */
static void ask_period(run_reader *r, target to)
{
    (to.cutter ? &r->cuts[0].measure : to.measure)->asks_period = true;
    ws_read_period(&r->run.options->source.read);
}

/* False: the file cannot be read, and a note says why. */
static bool read_file(run_reader *r, size_t i, target to, ws_identity *without, ws_notes *notes)
{
    const struct ws_run_file *file = &r->run.files->files[i];
    ws_sink whole = to.cutter ? ws_cutter_sink(to.cutter) : ws_measure_sink(to.measure);
    bool is_first = !without && !to.cutter && !(to.log && to.log->from);
    ws_drawn_run *drawn = is_first ? r->run.options->drawn : NULL;
    ws_sink sink = without ? ws_identity_sink(without, &whole) : ws_drawn_run_sink(drawn, r->run.files, i, &whole);
    ws_source_options source = ws_run_read_options(&r->run, file);
    ws_read_use use = {0};
    source.read.log = to.log;
    source.looks = to.looks;
    source.read.use = &use;
    if (is_read_again(r, i))
        source.open = NULL;
    const ws_format *format = NULL;
    ws_error error = {0};
    if (without) {
        source.progress = NULL; /* counted already */
        ws_identity_begin(without, file->path, file->node);
    }
    if (to.cutter)
        ws_cutter_begin(to.cutter, file->path, file->node);
    else if (to.log && to.log->from)
        ws_measure_begin_again(to.measure, file->path, file->node);
    else
        ws_measure_begin(to.measure, file->path, file->node);
    bool is_read = ws_source_read(file->path, &source, &sink, notes, &format, &error) == WS_OK;
    ws_drawn_run_end(drawn, r->run.files);
    if (use.period)
        ask_period(r, to);
    r->formats[i] = format ? format->name : NULL;
    if (!is_read)
        ws_note_failure(notes, WS_FINDING_UNREADABLE, file->path, &error);
    return is_read;
}

static void count_file(run_reader *r, bool is_read, bool is_damaged)
{
    r->run.read += is_read;
    r->run.failed += !is_read || is_damaged;
}

/* All files, one after the other. */
static void read_files(run_reader *r, target to, ws_identity *without)
{
    for (size_t i = 0; i < r->run.files->n_files; i++) {
        uint64_t damage = ws_count_damage(&r->notes);
        bool is_read = read_file(r, i, to, without, &r->notes);
        count_file(r, is_read, ws_count_damage(&r->notes) > damage);
    }
}

static void note_changing(const ws_recall *recall, ws_notes *notes)
{
    for (size_t i = 0; i < recall->n; i++)
        if (ws_read_unit_file_has_changed(&recall->unit, i))
            ws_notes_add_most(notes, 1, WS_FINDING_CHANGED_FILE, recall->paths[i], "", 0,
                              "the file changes while it is read: what was read may end in the middle of a change");
}

/* A file by itself into the measure of the recall. A log that has grown since the store had it is read on from there,
 * or whole where that cannot be. */
static bool read_into(run_reader *r, size_t i, ws_recall *recall)
{
    ws_file_looks looks;
    target to = {.measure = recall->measures[0],
                 .log = recall->log.reach || recall->log.from ? &recall->log : NULL,
                 .looks = recall->unit.before ? &looks : NULL};
    bool goes_on = recall->log.from, is_read = read_file(r, i, to, NULL, recall->notes);
    if (goes_on && (!is_read || recall->log.is_refused || !ws_measure_is_the_same(to.measure))) {
        ws_recall_begin_again(recall);
        is_read = read_file(r, i, to, NULL, recall->notes);
    }
    if (to.looks)
        ws_read_unit_take_looks(&recall->unit, to.looks);
    ws_measure_flush(to.measure);
    return is_read;
}

/* One that changes while it is read is read once more. */
static bool read_twice(run_reader *r, size_t i, ws_recall *recall)
{
    ws_recall_ask_log(recall);
    bool is_read = read_into(r, i, recall);
    if (!ws_recall_is_outdated(recall))
        return is_read;
    ws_read_unit_expect(&recall->unit);
    ws_recall_begin_again(recall);
    is_read = read_into(r, i, recall);
    if (ws_recall_is_outdated(recall))
        note_changing(recall, recall->notes);
    return is_read;
}

/* A file by itself, from the store or by reading it. */
static void read_alone(run_reader *r, size_t i)
{
    ws_measure measure, *list[] = {&measure};
    ws_notes notes = {0};
    ws_recall recall = {
        .run = &r->run, .files = &r->run.files->files[i], .n = 1, .measures = list, .n_measures = 1, .notes = &notes};
    ws_measure_init(&measure, &r->run.options->measure);
    bool is_recalled = ws_recall_ask(&recall, NULL, WS_RECALL_ALONE);
    bool is_read = is_recalled || read_twice(r, i, &recall);
    recall.damaged = is_recalled ? recall.damaged : ws_count_damage(&notes) > 0;
    if (is_read && !is_recalled && recall.unit.formats) {
        recall.unit.formats[0] = r->formats[i];
        ws_recall_keep(&recall);
    }
    count_file(r, is_read, recall.damaged);
    ws_notes_move(&r->notes, &notes);
    ws_measure_append(&r->run.measure, &measure);
    ws_recall_free(&recall);
}

static void read_whole(run_reader *r, ws_identity *without)
{
    ws_measure_init(&r->run.measure, &r->run.options->measure);
    if (without) {
        read_files(r, (target){.measure = &r->run.measure}, without);
        ws_measure_flush(&r->run.measure);
        return;
    }
    for (size_t i = 0; i < r->run.files->n_files; i++)
        read_alone(r, i);
}

/* Makes the measures of the windows. */
static ws_cutter *begin_cuts(run_reader *r)
{
    const ws_run_files *files = r->run.files;
    for (size_t i = 0; i < files->n_windows; i++) {
        const ws_run_window *w = &files->windows[i];
        r->cuts[i] = (ws_cut){
            .start_ns = w->start_ns, .end_ns = w->end_ns, .nodes = w->nodes, .n_nodes = w->n_nodes, .is_job = true};
    }
    return ws_cutter_new(r->cuts, files->n_windows, &r->run.options->measure);
}

static void read_cuts(run_reader *r, ws_identity *without)
{
    ws_cutter *cutter = begin_cuts(r);
    read_files(r, (target){.cutter = cutter}, without);
    ws_cutter_free(cutter);
    for (size_t i = 0; i < r->run.files->n_windows; i++)
        ws_measure_flush(&r->cuts[i].measure);
}

static void forget_reading(run_reader *r)
{
    ws_run_reading *run = &r->run;
    for (size_t i = 0; i < run->files->n_windows; i++)
        ws_measure_free(&r->cuts[i].measure);
    if (!run->files->n_windows)
        ws_measure_free(&run->measure);
    ws_notes_free(&r->notes);
    run->read = run->failed = 0;
}

/* The measures of the windows, or that of the whole run. The caller frees the list. */
static ws_measure **list_measures(run_reader *r, size_t *n)
{
    size_t n_windows = r->run.files->n_windows;
    *n = n_windows ? n_windows : 1;
    ws_measure **measures = ws_alloc(*n * sizeof *measures);
    for (size_t i = 0; i < *n; i++)
        measures[i] = n_windows ? &r->cuts[i].measure : &r->run.measure;
    return measures;
}

static void read_again(void *state, ws_identity *without)
{
    run_reader *r = state;
    forget_reading(r);
    if (r->run.files->n_windows)
        read_cuts(r, without);
    else
        read_whole(r, without);
}

/* Returns whether it read again. */
static bool read_each_once(run_reader *r)
{
    size_t n;
    ws_measure **measures = list_measures(r, &n);
    ws_identity *identity = ws_identity_new();
    bool again = ws_identity_read_once(identity, &(ws_rereading){r, read_again, measures, n}, &r->notes);
    ws_identity_free(identity);
    free(measures);
    return again;
}

/* The files of the run as one, for the store. */
static ws_recall recall_of(run_reader *r, ws_measure **measures, size_t n)
{
    return (ws_recall){.run = &r->run,
                       .files = r->run.files->files,
                       .n = r->run.files->n_files,
                       .measures = measures,
                       .n_measures = n,
                       .notes = &r->notes};
}

/* Files that change while they are read together are read once more, as a single one is. Returns whether anything of
 * them stands twice. */
static bool read_settled(run_reader *r, ws_recall *recall)
{
    bool again = read_each_once(r);
    if (!ws_recall_is_outdated(recall))
        return again;
    ws_read_unit_look(&recall->unit);
    read_again(r, NULL);
    again = read_each_once(r);
    if (ws_recall_is_outdated(recall))
        note_changing(recall, &r->notes);
    return again;
}

static void keep_together(run_reader *r, ws_recall *recall)
{
    bool has_all = r->run.read == r->run.files->n_files;
    recall->damaged = r->run.failed;
    if (has_all && recall->unit.formats && !ws_recall_is_outdated(recall)) {
        memcpy(recall->unit.formats, r->formats, r->run.files->n_files * sizeof *r->formats);
        ws_recall_keep(recall);
    }
}

static void take_recalled(run_reader *r, const ws_recall *recall)
{
    r->run.read = r->run.files->n_files;
    r->run.failed = (size_t)recall->damaged;
}

/* Files of which something stands twice are read again, all together; the store knows what that comes to. */
static void read_run_files(run_reader *r)
{
    read_whole(r, NULL);
    ws_measure *all = &r->run.measure, probe, *probed[] = {&probe};
    ws_notes notes = {0};
    bool is_piped = r->run.options->source.open && !ws_is_file(r->run.files->files[0].path);
    bool may_repeat = (ws_measure_steps_back(all) || r->run.files->n_files > 1) && !is_piped;
    ws_recall recall = recall_of(r, probed, 1);
    recall.notes = &notes;
    if (may_repeat && ws_recall_is_of_use(&r->run)) {
        ws_measure_init(&probe, &r->run.options->measure);
        if (ws_recall_ask(&recall, NULL, WS_RECALL_EACH_ONCE)) {
            forget_reading(r);
            *all = probe;
            ws_notes_append(&r->notes, &notes);
            take_recalled(r, &recall);
            may_repeat = false;
        } else
            ws_measure_free(&probe);
    }
    if (may_repeat && read_settled(r, &recall)) {
        probed[0] = all;
        recall.notes = &r->notes;
        keep_together(r, &recall);
    }
    ws_notes_free(&notes);
    ws_recall_free(&recall);
}

static void read_windows(run_reader *r)
{
    const ws_run_files *files = r->run.files;
    size_t n = files->n_windows;
    r->cuts = ws_alloc(n * sizeof *r->cuts);
    ws_cutter_free(begin_cuts(r));
    ws_measure **measures = list_measures(r, &n);
    ws_recall recall = recall_of(r, measures, n);
    if (ws_recall_ask(&recall, r->cuts, WS_RECALL_WINDOWS)) {
        take_recalled(r, &recall);
    } else {
        read_again(r, NULL);
        read_settled(r, &recall);
        keep_together(r, &recall);
    }
    free(measures);
    ws_recall_free(&recall);
    ws_note_shared_nodes(files, r->cuts, &r->notes);
}

static void measure_run_finish(ws_run_reading *run, ws_notes *notes)
{
    run->duplicates =
        ws_identity_settle(&run->measure, ws_run_described(run, "gpus"), ws_run_described(run, "nodes"), notes);
}

static void take_rows(ws_run_reading *run, ws_seen_devices *times, ws_table *runs)
{
    size_t row = runs->n_rows;
    ws_run_rows_add(run, runs);
    if (!run->window && runs->n_rows == row + 1)
        ws_seen_devices_add(times, &run->measure, row);
}

static void note_no_reading(const ws_run_reading *run, ws_notes *notes)
{
    char start[WS_STAMP_TEXT], end[WS_STAMP_TEXT];
    ws_stamp_text(start, run->window->start_ns);
    ws_stamp_text(end, run->window->end_ns);
    if (run->read)
        ws_notes_add(
            notes, WS_FINDING_WINDOW_WITHOUT_TRACE, run->files->id, "", 0,
            "no node of the run has a reading in its window, from %s to %s ('timezone' of the campaign is that of "
            "stamps without a zone)",
            start, end);
}

/* A row for each window with readings. Records of a whole cluster name many jobs that ran elsewhere or at another time:
 * windows without readings are noted, unless there is only one. */
static void take_windows(run_reader *r, ws_seen_devices *times, ws_table *runs)
{
    ws_run_reading *run = &r->run;
    size_t n = run->files->n_windows;
    for (size_t i = 0; i < n; i++) {
        run->window = &run->files->windows[i];
        run->measure = r->cuts[i].measure;
        bool has_samples = ws_measure_has_samples(&run->measure);
        if (!has_samples && n == 1)
            note_no_reading(run, &runs->notes);
        if (has_samples || n == 1) {
            measure_run_finish(run, &runs->notes);
            take_rows(run, times, runs);
        } else {
            ws_notes_add(&runs->notes, WS_FINDING_WINDOW_WITHOUT_TRACE, run->files->id, "", 0,
                         "records whose nodes have no reading in their window are left out, the first is %s",
                         ws_run_name(run, &runs->arena));
        }
        ws_measure_free(&run->measure);
    }
}

/* What reading all runs shares. */
typedef struct all_runs {
    const ws_campaign *campaign;
    const ws_run_files *files; /* one a run */
    const ws_ingest_options *options;
    ws_table *runs;
    ws_seen_devices *times; /* when which devices were read */
    ws_rank_round *round;   /* other processes read, too; NULL: none */
    ws_file_state **states; /* of the files of each run, before they were handed out */
} all_runs;

static bool is_of_records(const ws_run_files *files)
{
    const ws_path_rule *rule = files->n_files ? files->files[0].rule : NULL;
    const ws_format *format = rule && rule->as ? ws_format_by_name(rule->as) : NULL;
    return format && format->is_record;
}

/* A table of runs (emissions.csv, an MLPerf log): each of its rows is a run. */
static void read_record(run_reader *r, const struct ws_run_file *file, ws_table *rows)
{
    const ws_source_options source = ws_run_file_options(file, &r->run.options->source);
    ws_fields nothing = {0};
    ws_table raw;
    ws_error error = {0};
    ws_status status = ws_source_read_table(file->path, &source, &raw, &error);
    if (status == WS_OK) {
        ws_record_drop_steps(&raw);
        status = ws_tidy_columns(&raw, source.read.columns, &nothing, rows, &error);
    }
    if (status != WS_OK)
        ws_note_failure(&r->notes, WS_FINDING_UNREADABLE, file->path, &error);
    ws_table_free(&raw);
}

static void read_records(run_reader *r)
{
    r->records = ws_alloc((r->run.files->n_files + 1) * sizeof *r->records);
    for (size_t i = 0; i < r->run.files->n_files; i++)
        read_record(r, &r->run.files->files[i], &r->records[i]);
}

/* The files of a run from those who have read them to its measures. */
static void read_traces(run_reader *r)
{
    r->formats = ws_alloc((r->run.files->n_files + 1) * sizeof *r->formats);
    if (r->run.files->n_windows)
        read_windows(r);
    else
        read_run_files(r);
}

/* --- on several processes --- */

/* A run for one that does not know the campaign. */
typedef struct asked {
    ws_run_files files;
    ws_source_options *sources;
    ws_file_state *states;
    ws_measure_options measure;
    bool wants_digests;
} asked;

static void pack_file(ws_packer *p, asked *a, size_t i)
{
    struct ws_run_file *file = &a->files.files[i];
    ws_pack_word(p, &file->path);
    ws_pack_word(p, &file->node);
    ws_rank_pack_source(p, &a->sources[i]);
    ws_rank_pack_state(p, &a->states[i]);
}

static void pack_window(ws_packer *p, ws_run_window *w)
{
    ws_cut cut = {.start_ns = w->start_ns, .end_ns = w->end_ns, .nodes = w->nodes, .n_nodes = w->n_nodes};
    ws_rank_pack_cut(p, &cut);
    if (!p->writes)
        *w = (ws_run_window){
            .start_ns = cut.start_ns, .end_ns = cut.end_ns, .nodes = (const char **)cut.nodes, .n_nodes = cut.n_nodes};
}

static void pack_asked(ws_packer *p, asked *a)
{
    ws_pack_word(p, &a->files.id);
    ws_rank_pack_measure(p, &a->measure);
    ws_pack_bool(p, &a->wants_digests);
    ws_pack_count(p, &a->files.n_files);
    ws_pack_count(p, &a->files.n_windows);
    if (!p->writes) {
        a->files.files = ws_arena_alloc(p->arena, (a->files.n_files + 1) * sizeof *a->files.files);
        a->files.windows = ws_arena_alloc(p->arena, (a->files.n_windows + 1) * sizeof *a->files.windows);
        a->sources = ws_arena_alloc(p->arena, (a->files.n_files + 1) * sizeof *a->sources);
        a->states = ws_arena_alloc(p->arena, (a->files.n_files + 1) * sizeof *a->states);
    }
    for (size_t i = 0; i < a->files.n_files && !p->failed; i++)
        pack_file(p, a, i);
    for (size_t i = 0; i < a->files.n_windows && !p->failed; i++)
        pack_window(p, &a->files.windows[i]);
}

static bool all_known(run_reader *r)
{
    bool known = true;
    size_t n;
    if (r->run.files->n_windows) {
        r->cuts = ws_alloc(r->run.files->n_windows * sizeof *r->cuts);
        ws_cutter_free(begin_cuts(r));
        ws_measure **measures = list_measures(r, &n);
        ws_recall recall = recall_of(r, measures, n);
        known = ws_recall_is_known(&recall, r->cuts, WS_RECALL_WINDOWS);
        ws_recall_free(&recall);
        for (size_t i = 0; i < n; i++)
            ws_measure_free(measures[i]);
        free(measures);
        free(r->cuts);
        return known;
    }
    for (size_t i = 0; i < r->run.files->n_files && known; i++) {
        ws_recall recall = {.run = &r->run, .files = &r->run.files->files[i], .n = 1};
        known = ws_recall_is_known(&recall, NULL, WS_RECALL_ALONE);
        ws_recall_free(&recall);
    }
    return known;
}

/* What the store knows, and what is no trace, the leader takes itself. */
static bool describe_run(void *state, size_t item, ws_packed *request)
{
    const all_runs *all = state;
    run_reader r = {.run = {.campaign = all->campaign, .options = all->options, .files = &all->files[item]}};
    if (is_of_records(r.run.files) || (all->options->store && all_known(&r)))
        return false;
    ws_packer p = {.writes = true};
    asked a = {.files = *r.run.files,
               .states = all->states[item],
               .measure = all->options->measure,
               .wants_digests = all->options->source.inputs};
    a.sources = ws_alloc((a.files.n_files + 1) * sizeof *a.sources);
    for (size_t i = 0; i < a.files.n_files; i++)
        a.sources[i] = ws_run_read_options(&r.run, &a.files.files[i]);
    pack_asked(&p, &a);
    free(a.sources);
    free(p.texts);
    *request = (ws_packed){p.bytes, p.n};
    return true;
}

static uint64_t size_of_run(void *state, size_t item)
{
    const all_runs *all = state;
    uint64_t bytes = 0;
    for (size_t i = 0; i < all->files[item].n_files; i++)
        bytes += (uint64_t)all->states[item][i].size;
    return bytes;
}

static void look_at_files(all_runs *all, size_t n)
{
    all->states = ws_alloc(n * sizeof *all->states);
    for (size_t i = 0; i < n; i++) {
        all->states[i] = ws_alloc((all->files[i].n_files + 1) * sizeof **all->states);
        for (size_t f = 0; f < all->files[i].n_files; f++)
            all->states[i][f] = ws_file_state_of(all->files[i].files[f].path);
    }
}

static void free_asked_reader(run_reader *r)
{
    for (size_t i = 0; i < r->run.files->n_windows; i++)
        ws_measure_free(&r->cuts[i].measure);
    if (!r->run.files->n_windows)
        ws_measure_free(&r->run.measure);
    ws_notes_free(&r->notes);
    free(r->cuts);
    free(r->formats);
}

/* Reads the run and keeps its records alone. */
static void read_asked(asked *a, unsigned threads, ws_rank_answer *answer)
{
    ws_run_units kept = {0};
    ws_line_counts lines = {0};
    ws_ingest_options options = {.measure = a->measure};
    options.source.inputs = a->wants_digests ? ws_input_register_new() : NULL;
    for (size_t i = 0; i < a->files.n_files; i++) {
        a->sources[i].inputs = options.source.inputs;
        a->sources[i].read.rows.threads = threads;
        a->sources[i].read.rows.counts = &lines;
    }
    run_reader r = {.run = {.options = &options, .files = &a->files, .resolved = a->sources, .kept = &kept}};
    read_traces(&r);
    free_asked_reader(&r);
    ws_packer p = {.writes = true};
    ws_run_units_pack(&p, &kept);
    free(p.texts);
    *answer = (ws_rank_answer){.packed = {p.bytes, p.n}, .plain_lines = lines.plain, .other_lines = lines.other};
    ws_run_units_free(&kept);
    ws_input_register_free(options.source.inputs);
}

void ws_rank_read_run(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer)
{
    ws_arena arena = {0};
    ws_packer p = {.at = request, .end = request + n};
    asked a = {0};
    ws_begin_texts(&p, &arena);
    pack_asked(&p, &a);
    bool sees = !p.failed;
    for (size_t i = 0; i < a.files.n_files && sees; i++)
        sees = ws_rank_sees(a.files.files[i].path, &a.states[i], answer->refusal, sizeof answer->refusal);
    if (sees)
        read_asked(&a, threads, answer);
    free(p.texts);
    ws_arena_free(&arena);
}

/* Waits for the records of the run; without them the run is read here. */
static void take_answer(const all_runs *all, size_t item, run_reader *r, ws_run_units *given, ws_rank_answer *answer)
{
    if (!ws_ranks_await(all->round, item, answer))
        return;
    ws_packer p = {.at = answer->packed.bytes, .end = answer->packed.bytes + answer->packed.n};
    ws_begin_texts(&p, &given->arena);
    ws_run_units_pack(&p, given);
    given->before = all->states[item];
    if (!p.failed)
        r->run.given = given;
    ws_line_counts *lines = all->options->source.read.rows.counts;
    if (lines) {
        lines->plain += answer->plain_lines;
        lines->other += answer->other_lines;
    }
    free(p.texts);
    free(answer->packed.bytes);
}

static void read_run(void *state, size_t item, void *part)
{
    const all_runs *all = state;
    run_reader *r = part;
    ws_run_units given = {0};
    ws_rank_answer answer = {0};
    *r = (run_reader){.run = {.campaign = all->campaign, .options = all->options, .files = &all->files[item]}};
    if (all->round)
        take_answer(all, item, r, &given, &answer);
    if (is_of_records(r->run.files)) {
        read_records(r);
        return;
    }
    read_traces(r);
    r->run.given = NULL;
    ws_run_units_free(&given);
    ws_rank_note_refusal(&r->notes, &answer);
    if (!r->run.files->n_windows)
        measure_run_finish(&r->run, &r->notes);
}

static void take_run(void *state, size_t item, void *part)
{
    (void)item;
    const all_runs *all = state;
    run_reader *r = part;
    ws_notes_append(&all->runs->notes, &r->notes);
    if (is_of_records(r->run.files))
        ws_run_records_add(&r->run, r->records, all->runs);
    else if (r->run.files->n_windows)
        take_windows(r, all->times, all->runs);
    else
        take_rows(&r->run, all->times, all->runs);
}

static void drop_run(void *part)
{
    run_reader *r = part;
    ws_notes_free(&r->notes);
    for (size_t i = 0; r->records && i < r->run.files->n_files; i++)
        ws_table_free(&r->records[i]);
    free(r->records);
    ws_measure_free(&r->run.measure);
    free(r->cuts);
    free(r->formats);
}

void ws_measure_runs(const ws_campaign *campaign, const ws_run_files *files, size_t n, const ws_ingest_options *options,
                     ws_table *runs)
{
    ws_seen_devices times = {0};
    all_runs all = {.campaign = campaign, .files = files, .options = options, .runs = runs, .times = &times};
    ws_parallel_task task = {
        .state = &all, .part_size = sizeof(run_reader), .work = read_run, .take = take_run, .drop = drop_run};
    if (ws_ranks_n() > 1 && !options->source.open) {
        look_at_files(&all, n);
        all.round = ws_ranks_begin(&(ws_rank_task){.kind = WS_RANK_RUNS,
                                                   .work = ws_rank_read_run,
                                                   .state = &all,
                                                   .threads = options->threads,
                                                   .size = size_of_run,
                                                   .describe = describe_run},
                                   n);
    }
    if (options->drawn)
        ws_drawn_run_choose(options->drawn, campaign, files, n, options);
    ws_table_expect(runs, n);
    ws_parallel_run(&task, n, options->threads);
    ws_ranks_end(all.round);
    for (size_t i = 0; all.states && i < n; i++)
        free(all.states[i]);
    free(all.states);
    ws_note_shared_devices(&times, runs);
    if (options->seen)
        *options->seen = times;
    else
        ws_seen_devices_free(&times);
}
