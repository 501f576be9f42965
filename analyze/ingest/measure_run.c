/* From the files of a run to its rows. Threads read (read_run): a table of records, the windows of a long log, or whole
 * files; each file a second time if it holds time twice or overlaps with another one. The calling thread makes the rows
 * in order (take_run). */
#include "analyze/ingest/measure_run.h"

#include "analyze/ingest/record_fields.h"
#include "analyze/run_recall.h"
#include "analyze/ingest/run_row.h"
#include "analyze/ingest/shared_devices.h"
#include "analyze/ingest/tidy.h"
#include "analyze/ingest/window_nodes.h"
#include "analyze/measure/copies.h"
#include "analyze/measure/cutter.h"
#include "analyze/measure/continued.h"
#include "analyze/measure/rank_logs.h"
#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A run while it is read. Any thread may fill it; the calling thread turns it into rows. */
typedef struct run_reader {
    ws_run_reading run;
    ws_table rows; /* of a run whose file is a table of records (the rule says so) */
    ws_cut *cuts;  /* one for each window */
    ws_notes notes;
    const char **formats; /* of its files, once they were read; NULL for those that nothing was read of */
} run_reader;

/* What a second reading leaves out; NULL: nothing. */
typedef struct left_out {
    ws_copies *copies;
    ws_seams *seams;
} left_out;

/* Where the samples of a file go: into a measure, or through the cutter into those of the run's windows. */
typedef struct target {
    ws_measure *measure;
    ws_cutter *cutter; /* NULL: into the measure */
} target;

/* False: the file cannot be read, and a note says why. */
static bool read_file(run_reader *r, size_t i, target to, left_out without, ws_notes *notes)
{
    const struct ws_run_file *file = &r->run.files->files[i];
    ws_sink whole = to.cutter ? ws_cutter_sink(to.cutter) : ws_measure_sink(to.measure);
    ws_sink rest = without.seams ? ws_seams_sink(without.seams, &whole) : whole;
    ws_sink sink = without.copies ? ws_copies_sink(without.copies, &rest) : rest;
    ws_source_options source = ws_run_read_options(&r->run, file);
    const ws_format *format = NULL;
    ws_error error = {0};
    if (without.seams || without.copies)
        source.progress = NULL; /* counted already */
    if (without.seams)
        ws_seams_begin(without.seams, file->path, file->node);
    if (without.copies)
        ws_copies_begin(without.copies, file->path);
    if (to.cutter)
        ws_cutter_begin(to.cutter, file->path, file->node);
    else
        ws_measure_begin(to.measure, file->path, file->node);
    bool is_read = ws_source_read(file->path, &source, &sink, notes, &format, &error) == WS_OK;
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
static void read_files(run_reader *r, target to, left_out without)
{
    for (size_t i = 0; i < r->run.files->n_files; i++) {
        uint64_t damage = ws_count_damage(&r->notes);
        bool is_read = read_file(r, i, to, without, &r->notes);
        count_file(r, is_read, ws_count_damage(&r->notes) > damage);
    }
}

/* A file by itself, from the store or by reading it. One that changes meanwhile is read once more. */
static void read_alone(run_reader *r, size_t i)
{
    ws_measure measure, *list[] = {&measure};
    ws_notes notes = {0};
    ws_recall recall = {
        .run = &r->run, .files = &r->run.files->files[i], .n = 1, .measures = list, .n_measures = 1, .notes = &notes};
    ws_measure_init(&measure, &r->run.options->measure);
    bool is_read = ws_recall_ask(&recall, NULL, "alone"), is_recalled = is_read;
    for (int times = 0; !is_recalled && times < 2; times++) {
        is_read = read_file(r, i, (target){.measure = &measure}, (left_out){0}, &notes);
        ws_measure_flush(&measure);
        if (!ws_recall_is_outdated(&recall))
            break;
        if (times)
            ws_notes_add(&notes, WS_FINDING_CHANGED_FILE, recall.files->path, "", 0,
                         "the file changes while it is read: what was read may end in the middle of a change");
        if (times)
            break;
        ws_read_unit_look(&recall.unit);
        ws_measure_free(&measure);
        ws_measure_init(&measure, &r->run.options->measure);
        ws_notes_free(&notes);
    }
    recall.damaged = is_recalled ? recall.damaged : ws_count_damage(&notes) > 0;
    if (is_read && !is_recalled && recall.unit.formats) {
        recall.unit.formats[0] = r->formats[i];
        ws_recall_keep(&recall);
    }
    count_file(r, is_read, recall.damaged);
    ws_notes_append(&r->notes, &notes);
    ws_measure_append(&r->run.measure, &measure);
    ws_notes_free(&notes);
    ws_recall_free(&recall);
}

static void read_whole(run_reader *r, left_out without)
{
    ws_measure_init(&r->run.measure, &r->run.options->measure);
    if (without.seams || without.copies) {
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
        r->cuts[i] = (ws_cut){.start_ns = w->start_ns, .end_ns = w->end_ns, .nodes = w->nodes, .n_nodes = w->n_nodes};
    }
    return ws_cutter_new(r->cuts, files->n_windows, &r->run.options->measure);
}

static void read_cuts(run_reader *r, left_out without)
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

typedef void read_once(run_reader *r, left_out without);

static void read_again(run_reader *r, read_once *read, left_out without)
{
    forget_reading(r);
    read(r, without);
}

static bool steps_back(ws_measure *const *measures, size_t n)
{
    size_t i = 0;
    while (i < n && !ws_measure_steps_back(measures[i]))
        i++;
    return i < n;
}

/* Reads again if a file may hold copies of its own readings, and leaves those out. */
static void read_copies_once(run_reader *r, read_once *read, left_out *without, ws_measure *const *measures, size_t n)
{
    ws_copies *copies = ws_copies_new();
    size_t n_twice = ws_copies_find(copies, measures, n), n_proven = 0;
    if (n_twice) {
        read_again(r, read, (left_out){.copies = copies});
        n_proven = ws_copies_keep_proven(copies);
        without->copies = n_proven ? copies : NULL;
        if (n_proven < n_twice)
            read_again(r, read, *without);
    }
    if (!n_proven)
        ws_copies_free(copies);
}

/* Reads again if a file may hold copies of its own readings, and if files of a device overlap in part, so that each
 * reading counts once. Returns whether it read again. */
static bool read_each_once(run_reader *r, read_once *read)
{
    left_out without = {0};
    ws_seams *seams = ws_seams_new();
    size_t n;
    ws_measure **measures = list_measures(r, &n);
    bool again = steps_back(measures, n);
    if (again)
        read_copies_once(r, read, &without, measures, n);
    if (r->run.files->n_files > 1 && ws_seams_find(seams, measures, n)) {
        again = true;
        without.seams = seams;
        read_again(r, read, without);
        ws_seams_note(seams, &r->notes);
    }
    if (without.copies) {
        ws_copies_note(without.copies, &r->notes);
        ws_copies_free(without.copies);
    }
    free(measures);
    ws_seams_free(seams);
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
    read_whole(r, (left_out){0});
    ws_measure *all = &r->run.measure, probe, *probed[] = {&probe};
    ws_notes notes = {0};
    bool may_repeat = ws_measure_steps_back(all) || r->run.files->n_files > 1;
    ws_recall recall = recall_of(r, probed, 1);
    recall.notes = &notes;
    if (may_repeat && r->run.options->store) {
        ws_measure_init(&probe, &r->run.options->measure);
        if (ws_recall_ask(&recall, NULL, "each once")) {
            forget_reading(r);
            *all = probe;
            ws_notes_append(&r->notes, &notes);
            take_recalled(r, &recall);
            may_repeat = false;
        } else
            ws_measure_free(&probe);
    }
    if (may_repeat && read_each_once(r, read_whole)) {
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
    if (ws_recall_ask(&recall, r->cuts, "windows")) {
        take_recalled(r, &recall);
    } else {
        read_again(r, read_cuts, (left_out){0});
        read_each_once(r, read_cuts);
        keep_together(r, &recall);
    }
    free(measures);
    ws_recall_free(&recall);
    ws_note_shared_nodes(files, r->cuts, &r->notes);
}

static void measure_run_finish(ws_run_reading *run, ws_notes *notes)
{
    ws_measure_join_parts(&run->measure, notes);
    ws_measure_finish(&run->measure, notes);
    run->duplicates =
        ws_measure_find_duplicates(&run->measure, ws_run_described(run, "gpus"), ws_run_described(run, "nodes"), notes);
}

static void take_rows(ws_run_reading *run, ws_seen_devices *times, ws_table *runs)
{
    size_t row = runs->n_rows;
    ws_run_rows_add(run, runs);
    if (!run->window && runs->n_rows == row + 1)
        ws_seen_devices_add(times, &run->measure, row);
    ws_measure_free(&run->measure);
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
            continue;
        }
        ws_notes_add(&runs->notes, WS_FINDING_WINDOW_WITHOUT_TRACE, run->files->id, "", 0,
                     "records whose nodes have no reading in their window are left out, the first is %s",
                     ws_run_name(run, &runs->arena));
        ws_measure_free(&run->measure);
    }
    free(r->cuts);
}

/* What reading all runs shares. */
typedef struct all_runs {
    const ws_campaign *campaign;
    const ws_run_files *files; /* one a run */
    const ws_ingest_options *options;
    ws_table *runs;
    ws_seen_devices *times; /* when which devices were read */
} all_runs;

static bool is_of_records(const ws_run_files *files)
{
    const ws_path_rule *rule = files->n_files ? files->files[0].rule : NULL;
    const ws_format *format = rule && rule->as ? ws_format_by_name(rule->as) : NULL;
    return format && format->is_record;
}

/* A table of runs (emissions.csv, an MLPerf log): each of its rows is a run. */
static void read_records(run_reader *r)
{
    const struct ws_run_file *file = r->run.files->files;
    const ws_source_options source = ws_run_file_options(file, &r->run.options->source);
    ws_fields nothing = {0};
    ws_table raw;
    ws_error error = {0};
    ws_status status = ws_source_read_table(file->path, &source, &raw, &error);
    if (status == WS_OK) {
        ws_record_drop_steps(&raw);
        status = ws_tidy_columns(&raw, source.read.columns, &nothing, &r->rows, &error);
    }
    if (status != WS_OK)
        ws_note_failure(&r->notes, WS_FINDING_UNREADABLE, file->path, &error);
    ws_table_free(&raw);
}

static void read_run(void *state, size_t item, void *part)
{
    const all_runs *all = state;
    run_reader *r = part;
    *r = (run_reader){.run = {.campaign = all->campaign, .options = all->options, .files = &all->files[item]}};
    r->formats = ws_alloc((r->run.files->n_files + 1) * sizeof *r->formats);
    if (is_of_records(r->run.files)) {
        read_records(r);
        return;
    }
    if (r->run.files->n_windows) {
        read_windows(r);
        return;
    }
    read_run_files(r);
    measure_run_finish(&r->run, &r->notes);
}

static void take_run(void *state, size_t item, void *part)
{
    (void)item;
    const all_runs *all = state;
    run_reader *r = part;
    ws_notes_append(&all->runs->notes, &r->notes);
    ws_notes_free(&r->notes);
    free(r->formats);
    if (is_of_records(r->run.files)) {
        ws_run_rows_copy(&r->run, &r->rows, all->runs);
        ws_table_free(&r->rows);
    } else if (r->run.files->n_windows)
        take_windows(r, all->times, all->runs);
    else
        take_rows(&r->run, all->times, all->runs);
}

void ws_measure_runs(const ws_campaign *campaign, const ws_run_files *files, size_t n, const ws_ingest_options *options,
                     ws_table *runs)
{
    ws_seen_devices times = {0};
    all_runs all = {.campaign = campaign, .files = files, .options = options, .runs = runs, .times = &times};
    ws_parallel_task task = {.state = &all, .part_size = sizeof(run_reader), .work = read_run, .take = take_run};
    ws_parallel_run(&task, n, options->threads);
    ws_note_shared_devices(&times, runs);
}
