/* From the files of a run to its rows. Threads read (read_run): a table of records, the windows of a long log, or whole
 * files; each file a second time if it holds time twice or overlaps with another one. The calling thread makes the rows
 * in order (take_run). */
#include "analyze/ingest/measure_run.h"

#include "analyze/ingest/record_fields.h"
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
} run_reader;

/* What a second reading leaves out; NULL: nothing. */
typedef struct left_out {
    ws_copies *copies;
    ws_seams *seams;
} left_out;

static size_t count_named_nodes(const ws_run_files *files)
{
    size_t n = 0;
    for (size_t i = 0; i < files->n_files; i++) {
        bool is_new = *files->files[i].node != '\0';
        for (size_t k = 0; k < i && is_new; k++)
            is_new = strcmp(files->files[k].node, files->files[i].node) != 0;
        n += is_new;
    }
    return n ? n : 1;
}

/* The GPUs that each of its nodes has, as the run is described; 0: nothing says it. */
static uint32_t described_gpus_of_node(const ws_run_reading *run)
{
    enum { MOST = 1024 };
    double gpus = ws_run_described(run, "gpus") / (double)count_named_nodes(run->files);
    return gpus >= 1 && gpus <= MOST && gpus == (double)(uint32_t)gpus ? (uint32_t)gpus : 0;
}

/* Reads all files into the run's own measure, or through the cutter into those of its windows. */
static void read_files(run_reader *r, ws_cutter *cutter, left_out without)
{
    ws_run_reading *run = &r->run;
    ws_sink whole = cutter ? ws_cutter_sink(cutter) : ws_measure_sink(&run->measure);
    ws_sink rest = without.seams ? ws_seams_sink(without.seams, &whole) : whole;
    ws_sink sink = without.copies ? ws_copies_sink(without.copies, &rest) : rest;
    for (size_t i = 0; i < run->files->n_files; i++) {
        const struct ws_run_file *file = &run->files->files[i];
        ws_source_options source = ws_run_file_options(file, &run->options->source);
        ws_error error = {0};
        source.read.described_devices = described_gpus_of_node(run);
        source.read.node_is_given = *file->node;
        if (without.seams || without.copies)
            source.progress = NULL; /* counted already */
        if (without.seams)
            ws_seams_begin(without.seams, file->path, file->node);
        if (without.copies)
            ws_copies_begin(without.copies, file->path);
        if (cutter)
            ws_cutter_begin(cutter, file->path, file->node);
        else
            ws_measure_begin(&run->measure, file->path, file->node);
        uint64_t damage = ws_count_damage(&r->notes);
        if (ws_source_read(file->path, &source, &sink, &r->notes, NULL, &error) == WS_OK) {
            run->read++;
            run->failed += ws_count_damage(&r->notes) > damage;
            continue;
        }
        run->failed++;
        ws_note_failure(&r->notes, WS_FINDING_UNREADABLE, file->path, &error);
    }
}

static void read_whole(run_reader *r, left_out without)
{
    ws_measure_init(&r->run.measure, &r->run.options->measure);
    read_files(r, NULL, without);
}

static void read_cuts(run_reader *r, left_out without)
{
    const ws_run_files *files = r->run.files;
    size_t n = files->n_windows;
    for (size_t i = 0; i < n; i++) {
        const ws_run_window *w = &files->windows[i];
        r->cuts[i] = (ws_cut){.start_ns = w->start_ns, .end_ns = w->end_ns, .nodes = w->nodes, .n_nodes = w->n_nodes};
    }
    ws_cutter *cutter = ws_cutter_new(r->cuts, n, &r->run.options->measure);
    read_files(r, cutter, without);
    ws_cutter_free(cutter);
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
 * reading counts once. */
static void read_each_once(run_reader *r, read_once *read)
{
    left_out without = {0};
    ws_seams *seams = ws_seams_new();
    read(r, without);
    size_t n;
    ws_measure **measures = list_measures(r, &n);
    if (steps_back(measures, n))
        read_copies_once(r, read, &without, measures, n);
    if (r->run.files->n_files > 1 && ws_seams_find(seams, measures, n)) {
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
}

static void read_windows(run_reader *r)
{
    const ws_run_files *files = r->run.files;
    size_t n = files->n_windows;
    r->cuts = ws_alloc(n * sizeof *r->cuts);
    read_each_once(r, read_cuts);
    for (size_t i = 0; i < n; i++)
        ws_measure_flush(&r->cuts[i].measure);
    ws_note_shared_nodes(files, r->cuts, &r->notes);
}

static void measure_run_finish(ws_run_reading *run, ws_notes *notes)
{
    ws_measure_join_parts(&run->measure, notes);
    ws_measure_finish(&run->measure, notes);
    run->duplicates =
        ws_measure_find_duplicates(&run->measure, ws_run_described(run, "gpus"), ws_run_described(run, "nodes"), notes);
}

static void take_rows(ws_run_reading *run, ws_device_times *times, ws_table *runs)
{
    size_t row = runs->n_rows;
    ws_run_rows_add(run, runs);
    if (!run->window && runs->n_rows == row + 1)
        ws_device_times_add(times, &run->measure, runs, row);
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
static void take_windows(run_reader *r, ws_device_times *times, ws_table *runs)
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
    ws_device_times *times; /* when which devices were read */
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
    if (is_of_records(r->run.files)) {
        read_records(r);
        return;
    }
    if (r->run.files->n_windows) {
        read_windows(r);
        return;
    }
    read_each_once(r, read_whole);
    measure_run_finish(&r->run, &r->notes);
}

static void take_run(void *state, size_t item, void *part)
{
    (void)item;
    const all_runs *all = state;
    run_reader *r = part;
    ws_notes_append(&all->runs->notes, &r->notes);
    ws_notes_free(&r->notes);
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
    ws_device_times times = {0};
    all_runs all = {.campaign = campaign, .files = files, .options = options, .runs = runs, .times = &times};
    ws_parallel_task task = {.state = &all, .part_size = sizeof(run_reader), .work = read_run, .take = take_run};
    ws_parallel_run(&task, n, options->threads);
    ws_device_times_note(&times, runs);
}
