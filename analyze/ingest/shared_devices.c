#include "analyze/ingest/shared_devices.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/identity/merged.h"
#include "analyze/identity/same_data.h"
#include "analyze/same_rows.h"
#include "analyze/units.h"
#include "core/stamp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_status(ws_table *runs, size_t row)
{
    ws_energy_status status;
    if (ws_energy_status_named(runs->columns[WS_COL_STATUS].text[row], &status) && status == WS_STATUS_OK)
        ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_SHARED_DEVICE));
    if (ws_energy_verdict_named(runs->columns[WS_COL_VERDICT].text[row]) != WS_ENERGY_VERDICT_NONE)
        ws_runs_raise_verdict(runs, row, WS_FINDING_SHARED_DEVICE, WS_ENERGY_VERDICT_DOUBTFUL);
}

static void note_uuid(ws_table *runs, const ws_seen_device *a, size_t n, const ws_seen_device *b)
{
    ws_notes_add_many(&runs->notes, n, WS_FINDING_SHARED_DEVICE, runs->columns[WS_COL_RUN].text[b->owner], a->uuid, 0,
                      "%s read the same device at the same time, and each run has all of its energy: did both use it?",
                      runs->columns[WS_COL_RUN].text[a->owner]);
}

/* At the later run; where they are several, that is `row`. */
static void note_one_node(ws_table *runs, size_t other, size_t n, size_t row)
{
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    ws_notes_add_many(&runs->notes, n, WS_FINDING_SHARED_DEVICE, names[row > other ? row : other], "", 0,
                      "%s has the same readings of the same devices at the same time, by more than chance, and each "
                      "run has all of their energy: did both use them?",
                      names[row > other ? other : row]);
}

static void note_pair(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    if (b->uuid)
        note_uuid(state, *a, n, b);
    else
        note_one_node(state, (*a)->owner, n, b->owner);
}

static void note_merged(void *state, size_t owner, size_t first, size_t last, size_t n)
{
    ws_table *runs = state;
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    set_status(runs, owner);
    ws_notes_add(&runs->notes, WS_FINDING_SHARED_DEVICE, names[owner], "", 0,
                 "holds the readings of %zu other runs, %s to %s, one after the other, and no others: a merged copy of "
                 "them, whose energy a sum of the runs holds twice ('exclude' leaves it out)",
                 n, names[first], names[last]);
}

/* One run that stands in two series: rows of the same job that agree in all else. NULL: no row names a job. */
static size_t *find_same_jobs(const ws_table *runs)
{
    size_t job;
    if (!ws_table_find(runs, "job", &job))
        return NULL;
    size_t *same = ws_alloc((runs->n_rows + 1) * sizeof *same);
    ws_units_same_runs(runs, same, NULL);
    for (size_t row = 0; row < runs->n_rows; row++)
        same[row] = ws_table_is_missing(runs, job, row) ? row : same[row];
    return same;
}

/* --- tables of records that were merged from those of single runs --- */

/* "emissions.csv" of the rows "emissions.csv#1", "emissions.csv#2"; a run by itself otherwise. */
static size_t length_of_file(const char *run)
{
    const char *mark = strrchr(run, '#');
    return mark ? (size_t)(mark - run) : strlen(run);
}

static bool is_of_file(const ws_table *runs, size_t first, size_t row)
{
    const char *a = runs->columns[WS_COL_RUN].text[first], *b = runs->columns[WS_COL_RUN].text[row];
    return length_of_file(a) == length_of_file(b) && strncmp(a, b, length_of_file(a)) == 0;
}

/* Of rows that say the same time and energies: from how many files, and the fewest rows of one of these. */
typedef struct same_record {
    size_t last_file, n_files, fewest, first;
} same_record;

/* Does a row stand in a shorter file, too? */
static bool stands_elsewhere(const ws_table *runs, const same_record *record, size_t row, size_t n_rows)
{
    return record->n_files > 1 && record->fewest < n_rows && !ws_table_is_missing(runs, WS_COL_ENERGY, row) &&
           !ws_table_is_missing(runs, WS_COL_WALL, row);
}

/* The rows of a file, that stand behind each other: do half of them stand elsewhere, and are these no equal ones? */
static bool is_merged(const ws_table *runs, const same_record *records, const size_t *number, size_t from, size_t end)
{
    size_t n = 0, first = from;
    bool differ = false;
    for (size_t row = from; row < end; row++)
        if (stands_elsewhere(runs, &records[number[row]], row, end - from)) {
            first = n++ ? first : row;
            differ |= number[row] != number[first];
        }
    return differ && 2 * n >= end - from;
}

static void note_merged_tables(ws_table *runs)
{
    const size_t columns[] = {WS_COL_WALL, WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU};
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    ws_same_rows same;
    size_t *number = ws_alloc((runs->n_rows + 1) * sizeof *number), end;
    same_record *records = ws_alloc((runs->n_rows + 1) * sizeof *records);
    ws_same_rows_init(&same, runs, columns, sizeof columns / sizeof *columns);
    for (size_t from = 0; from < runs->n_rows; from = end) {
        for (end = from + 1; end < runs->n_rows && is_of_file(runs, from, end);)
            end++;
        for (size_t row = from; row < end; row++) {
            same_record *r = &records[number[row] = ws_same_rows_number(&same, row)];
            r->first = r->n_files && r->fewest <= end - from ? r->first : row;
            r->fewest = r->n_files && r->fewest <= end - from ? r->fewest : end - from;
            r->n_files += !r->n_files || r->last_file != from;
            r->last_file = from;
        }
    }
    for (size_t from = 0; from < runs->n_rows; from = end) {
        for (end = from + 1; end < runs->n_rows && is_of_file(runs, from, end);)
            end++;
        if (!is_merged(runs, records, number, from, end))
            continue;
        for (size_t row = from; row < end; row++) {
            const same_record *record = &records[number[row]];
            if (!stands_elsewhere(runs, record, row, end - from))
                continue;
            ws_runs_raise_verdict(runs, row, WS_FINDING_SHARED_DEVICE, WS_ENERGY_VERDICT_DOUBTFUL);
            ws_notes_add(&runs->notes, WS_FINDING_SHARED_DEVICE, names[row], "", 0,
                         "has the time and energies of %s, as most records of its file have those of other runs: "
                         "a merged table of them ('exclude' leaves it out)",
                         names[record->first]);
        }
    }
    ws_same_rows_free(&same);
    free(records);
    free(number);
}

/* --- trackers of one machine that write a file each --- */

/* A row of CodeCarbon's, of all of its machine. Rows of one file are told by its reader. */
typedef struct tracked_run {
    size_t row;
    double start_s, end_s;
} tracked_run;

/* Such a row ends at its stamp. */
static bool find_tracked(const ws_table *runs, size_t stamp, size_t row, tracked_run *run)
{
    size_t mode;
    bool is_of_process = ws_table_find(runs, "tracking_mode", &mode) && runs->columns[mode].kind == WS_TEXT &&
                         runs->columns[mode].text[row] && strcmp(runs->columns[mode].text[row], "machine") != 0;
    double wall_s = ws_runs_get(runs, WS_COL_WALL, row);
    ws_span text = ws_span_of(runs->columns[stamp].text[row] ? runs->columns[stamp].text[row] : "");
    ws_stamp at;
    if (is_of_process || !(wall_s > 0) || !ws_stamp_parse(ws_stamp_guess(text), text, WS_ZONE_NONE, &at))
        return false;
    *run = (tracked_run){row, (double)at.ns / 1e9 - wall_s, (double)at.ns / 1e9};
    return true;
}

static int by_begin(const void *left, const void *right)
{
    const tracked_run *a = left, *b = right;
    int order = (a->start_s > b->start_s) - (a->start_s < b->start_s);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Runs that follow each other may share a moment. */
static bool are_of_one_time(const tracked_run *a, const tracked_run *b)
{
    static const double most = 0.05;
    double shared_s = fmin(a->end_s, b->end_s) - fmax(a->start_s, b->start_s);
    return shared_s > most * fmin(a->end_s - a->start_s, b->end_s - b->start_s);
}

/* Trackers of one machine read the same sensors. Ours. */
static bool is_about_the_power(const ws_table *runs, size_t a, size_t b)
{
    static const double most = 0.05;
    double x = ws_runs_get(runs, WS_COL_ENERGY, a) / ws_runs_get(runs, WS_COL_WALL, a);
    double y = ws_runs_get(runs, WS_COL_ENERGY, b) / ws_runs_get(runs, WS_COL_WALL, b);
    return fabs(x - y) <= most * fmax(x, y);
}

static bool are_of_one_machine(const ws_table *runs, size_t a, size_t b)
{
    static const char *const names[] = {"project_name", "experiment_id", "cpu_model",
                                        "cpu_count",    "gpu_model",     "gpus",
                                        "os",           "region",        "ram_total_size"};
    bool are = !is_of_file(runs, a, b) && is_about_the_power(runs, a, b);
    for (size_t i = 0, column; i < sizeof names / sizeof *names && are; i++)
        are = !ws_table_find(runs, names[i], &column) || ws_same_cell(runs, column, a, b);
    return are;
}

/* A record mostly says nothing of its status. */
static void set_status_of_record(ws_table *runs, size_t row)
{
    if (ws_table_is_missing(runs, WS_COL_STATUS, row))
        ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_SHARED_DEVICE));
    else
        set_status(runs, row);
}

static void note_tracked(ws_table *runs, size_t first, size_t other)
{
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    set_status_of_record(runs, first);
    set_status_of_record(runs, other);
    ws_notes_add(&runs->notes, WS_FINDING_SHARED_DEVICE, names[other], "", 0,
                 "a run of the same project on the same hardware as %s at the same time: each has all of its machine, "
                 "so if it is one (ranks of a job), their sum, or their mean a configuration, is not the job's",
                 names[first]);
}

static void note_tracked_machines(ws_table *runs)
{
    enum { MOST_BESIDE = 1024 }; /* that a run is compared with */
    size_t stamp, emissions, project, n = 0;
    if (!ws_table_find(runs, "timestamp", &stamp) || runs->columns[stamp].kind != WS_TEXT ||
        !ws_table_find(runs, "emissions", &emissions) || !ws_table_find(runs, "project_name", &project))
        return;
    tracked_run *list = ws_alloc((runs->n_rows + 1) * sizeof *list);
    bool *is_told = ws_alloc(runs->n_rows + 1);
    for (size_t row = 0; row < runs->n_rows; row++)
        n += find_tracked(runs, stamp, row, &list[n]);
    if (n)
        qsort(list, n, sizeof *list, by_begin);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && k <= i + MOST_BESIDE && list[k].start_s < list[i].end_s; k++)
            if (!(is_told[i] && is_told[k]) && are_of_one_time(&list[i], &list[k]) &&
                are_of_one_machine(runs, list[i].row, list[k].row)) {
                is_told[i] = is_told[k] = true;
                note_tracked(runs, list[i].row, list[k].row);
            }
    free(is_told);
    free(list);
}

void ws_note_shared_devices(ws_seen_devices *seen, ws_table *runs)
{
    size_t *same = seen->n ? find_same_jobs(runs) : NULL, kept = 0;
    note_merged_tables(runs);
    note_tracked_machines(runs);
    ws_seen_devices_note_sensors(seen, &runs->notes);
    for (size_t i = 0; same && i < seen->n; i++)
        if (same[seen->items[i]->owner] == seen->items[i]->owner)
            seen->items[kept++] = seen->items[i];
    seen->n = same ? kept : seen->n;
    bool *is_shared = ws_alloc(runs->n_rows + 1);
    ws_seen_devices_merged(seen, note_merged, runs);
    ws_seen_devices_pairs(seen, note_pair, runs);
    for (size_t i = 0; i < seen->n; i++)
        is_shared[seen->items[i]->owner] |= seen->items[i]->is_paired;
    for (size_t row = 0; row < runs->n_rows; row++)
        if (is_shared[same ? same[row] : row])
            set_status(runs, row);
    free(is_shared);
    free(same);
}
