#include "analyze/ingest/file_roles.h"

#include "analyze/ingest/path_endings.h"

#include "analyze/folder_walk.h"
#include "analyze/ingest/run_names.h"
#include "analyze/source.h"
#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

typedef struct finder {
    const char *folder;
    const ws_file_list *list;
    ws_found_files *found;
    ws_scan_memory *memory; /* or NULL */
    ws_scan_fact *facts;    /* of each file of the list, in it */
    ws_notes *notes;
} finder;

size_t ws_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool ws_same_folder(const char *a, const char *b)
{
    return ws_folder_length(a) == ws_folder_length(b) && strncmp(a, b, ws_folder_length(a)) == 0;
}

bool ws_is_format(const ws_found_file *file, const char *name)
{
    return file->head.format && strcmp(file->head.format->name, name) == 0;
}

size_t ws_count_role(const ws_found_files *found, ws_file_role role)
{
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++)
        n += found->files[i].role == role;
    return n;
}

/* --- each file by itself --- */

typedef struct recognised {
    ws_found_file file;
    ws_status status;
    ws_error error;
} recognised;

/* A job may print much before the first line of MLPerf's log. */
static bool holds_mllog(ws_input *input)
{
    enum { MOST = 64 * 1024 * 1024 };
    ws_span bytes = {0};
    bool holds = false;
    for (size_t seen = 0; seen < MOST && !holds; seen += bytes.n) {
        if (ws_input_read(input, &bytes, NULL) != WS_OK || !bytes.n)
            break;
        holds = ws_span_contains(bytes, ":::MLLOG");
    }
    return holds;
}

static bool is_text_log(const char *path)
{
    return ws_span_has_suffix(ws_span_of(path), ".txt") || ws_span_has_suffix(ws_span_of(path), ".log") ||
           ws_span_has_suffix(ws_span_of(path), ".out");
}

/* What logs of one run have in common: MLPerf's log names the run's beginning and end to the millisecond. */
static uint64_t hash_of_run(const char *path)
{
    static const char *const names[] = {"start", "end", "submission_benchmark"};
    ws_source_options options = {.as = "mllog", .read = WS_READ_DEFAULTS};
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    ws_table record;
    bool is_known = ws_source_read_table(path, &options, &record, NULL) == WS_OK && record.n_rows == 1;
    for (size_t i = 0; i < sizeof names / sizeof *names && is_known; i++) {
        size_t column;
        char buffer[WS_DOUBLE_TEXT];
        bool has_cell = ws_table_find(&record, names[i], &column) && !ws_table_is_missing(&record, column, 0);
        is_known = has_cell || i == 2;
        for (const char *c = has_cell ? ws_table_cell_text(&record, column, 0, buffer) : ""; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    ws_table_free(&record);
    return is_known ? hash : 0;
}

static ws_file_role role_of(const ws_found_file *f)
{
    static const struct {
        const char *format;
        ws_file_role role;
    } known[] = {{"sacct", WS_FILE_SIDE},      {"job-log", WS_FILE_SIDE},  {"clustercockpit-meta", WS_FILE_SIDE},
                 {"torch-list", WS_FILE_SIDE}, {"settings", WS_FILE_SIDE}, {"mllog", WS_FILE_WINDOW},
                 {"codecarbon", WS_FILE_ROWS}};
    if (!f->head.format)
        return WS_FILE_NO_USE;
    if (!f->head.format->is_record)
        return WS_FILE_TRACE;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ws_is_format(f, known[i].format))
            return known[i].role;
    return f->head.is_run_table ? WS_FILE_TABLE : WS_FILE_NO_USE;
}

/* A job's output is known by its name, slurm-123.out; most of them say nothing of the job. */
static bool is_mute_job_log(const ws_found_file *f)
{
    ws_table record;
    ws_source_options options = {.as = "job-log", .read = WS_READ_DEFAULTS};
    if (!ws_is_format(f, "job-log"))
        return false;
    bool is_mute = ws_source_read_table(f->path, &options, &record, NULL) != WS_OK;
    ws_table_free(&record);
    return is_mute;
}

static void recognise_file(void *state, size_t file, void *out)
{
    const finder *d = state;
    recognised *l = out;
    ws_found_file *f = &l->file;
    ws_input *input = NULL;
    *f = (ws_found_file){.path = d->list->paths[file], .fact = d->facts ? &d->facts[file] : NULL};
    if (f->fact && ws_scan_recall(d->memory, f->path, f->fact)) {
        f->head = f->fact->head;
        f->role = role_of(f);
        return;
    }
    l->status = ws_input_open(&input, f->path, &l->error);
    if (l->status == WS_OK)
        l->status = ws_source_recognise_open(input, NULL, &f->head.format, NULL, &l->error);
    if (l->status == WS_OK) {
        ws_span head = ws_input_head(input);
        f->head.is_run_table = ws_span_has_prefix(head, "__run_id,");
        f->head.is_constant = ws_is_format(f, "mllog-power") && !ws_span_contains(head, "power_reading");
        f->head.is_total = ws_is_format(f, "total-power");
        if (!f->head.format && is_text_log(f->path) && holds_mllog(input))
            f->head.format = ws_format_by_name("mllog");
        f->head.format = ws_is_document(f->path) ? NULL : f->head.format;
        f->role = role_of(f);
    }
    ws_input_close(input);
    f->head.is_mute = is_mute_job_log(f);
    if (ws_is_format(f, "mllog"))
        f->head.run_hash = hash_of_run(f->path);
    if (f->fact && l->status == WS_OK)
        f->fact->head = f->head;
    else if (f->fact)
        f->fact->state = (ws_file_state){0}; /* the next one is told why */
}

static void take_file(void *state, size_t file, void *done)
{
    (void)file;
    finder *d = state;
    const recognised *l = done;
    const char *path = l->file.path;
    if (strcmp(strrchr(path, '/') + 1, "campaign.json") == 0)
        return;
    if (l->status != WS_OK)
        ws_note_failure(d->notes, WS_FINDING_UNREADABLE, path, &l->error);
    d->found->files[d->found->n++] = l->file;
}

/* --- beside each other --- */

static void ignore(finder *d, ws_found_file *f, const char *why)
{
    f->role = WS_FILE_IGNORED;
    ws_notes_add(d->notes, WS_FINDING_IGNORED, d->folder, why, 0, "%s; the first is %s", why, f->inside);
}

/* A word of its own in the path: "raw_result_3.txt", "result_raw_3.txt", "raw/result_3.txt". */
static bool is_raw(const char *path)
{
    bool raw = false;
    for (const char *c = strstr(path, "raw"); c && !raw; c = strstr(c + 1, "raw"))
        raw = (c == path || strchr("/_-.", c[-1])) && strchr("/_-.", c[3]);
    return raw;
}

static bool repeats_run(const ws_found_file *f, const ws_found_file *other)
{
    if (!f->head.run_hash || f->head.run_hash != other->head.run_hash || f == other)
        return false;
    return is_raw(f->inside) == is_raw(other->inside) ? f > other : is_raw(f->inside);
}

/* What repeats another file counts once. */
static void drop_copies(finder *d)
{
    for (size_t i = 0; i < d->found->n; i++) {
        ws_found_file *f = &d->found->files[i];
        const char *name = f->inside + ws_folder_length(f->inside);
        bool is_export = ws_is_format(f, "perun-csv") || ws_is_format(f, "perun-json");
        bool is_raw_copy = strncmp(name, "raw_", 4) == 0, is_copy = false, is_again = false, beside = false;
        bool may_repeat = is_export || is_raw_copy || f->head.run_hash;
        for (size_t k = 0; may_repeat && k < d->found->n; k++) {
            const ws_found_file *other = &d->found->files[k];
            if (other->role == WS_FILE_NO_USE || other->role == WS_FILE_IGNORED)
                continue;
            is_again |= repeats_run(f, other);
            if (!(is_export || is_raw_copy) || !ws_same_folder(f->inside, other->inside))
                continue;
            beside |= is_export && ws_is_format(other, "perun-hdf5");
            is_copy |= is_raw_copy && strcmp(name + 4, other->inside + ws_folder_length(other->inside)) == 0;
        }
        if (f->role == WS_FILE_TRACE && beside)
            ignore(d, f, "perun's export repeats its HDF5 file");
        else if (f->role != WS_FILE_NO_USE && is_copy)
            ignore(d, f, "the same file without raw_ is beside it");
        else if (is_again)
            ignore(d, f, "another log records the same run, with the same beginning and end");
        else if (f->head.is_constant)
            ignore(d, f, "an estimate of the switches is no reading, and in no sum");
    }
}

/* --- copies that people made --- */

typedef struct original {
    const char *name;
    ws_found_file *file;
} original;

static int by_original(const void *a, const void *b)
{
    const original *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    size_t n = strlen(x->file->inside), m = strlen(y->file->inside);
    order = order ? order : (n > m) - (n < m);
    return order ? order : (x->file > y->file) - (x->file < y->file);
}

static bool have_same_bytes(const char *a, const char *b)
{
    ws_input *inputs[2] = {NULL, NULL};
    ws_span bytes[2] = {{0}, {0}};
    bool same = ws_input_open(&inputs[0], a, NULL) == WS_OK && ws_input_open(&inputs[1], b, NULL) == WS_OK, more = true;
    while (same && more) {
        for (int i = 0; i < 2 && same; i++)
            if (!bytes[i].n)
                same = ws_input_read(inputs[i], &bytes[i], NULL) == WS_OK;
        size_t n = bytes[0].n < bytes[1].n ? bytes[0].n : bytes[1].n;
        more = n > 0;
        same = same && (n ? memcmp(bytes[0].p, bytes[1].p, n) == 0 : bytes[0].n == bytes[1].n);
        for (int i = 0; i < 2; i++)
            bytes[i] = (ws_span){bytes[i].p + n, bytes[i].n - n};
    }
    ws_input_close(inputs[0]);
    ws_input_close(inputs[1]);
    return same;
}

/* A file that is called like a copy of another one, or lies packed beside it, and has the same bytes. */
static void drop_copied_files(finder *d)
{
    ws_arena arena = {0};
    original *o = ws_alloc((2 * d->found->n + 1) * sizeof *o);
    size_t n = 0, folder = strlen(d->folder) + 1;
    for (size_t i = 0; i < d->found->n; i++) {
        ws_found_file *f = &d->found->files[i];
        size_t outer = ws_packed_outer(f->path), archive = outer > folder ? outer - folder : 0;
        if (f->role == WS_FILE_NO_USE)
            continue;
        o[n++] = (original){ws_path_original(&arena, f->inside, archive, true), f};
        if (archive)
            o[n++] = (original){ws_path_original(&arena, f->inside, archive, false), f};
    }
    qsort(o, n, sizeof *o, by_original);
    for (size_t i = 1, first = 0; i < n; i++) {
        first = strcmp(o[i].name, o[first].name) == 0 ? first : i;
        bool is_pair = first < i && o[i].file != o[first].file && o[i].file->role != WS_FILE_IGNORED;
        if (is_pair && have_same_bytes(o[first].file->path, o[i].file->path))
            ignore(d, o[i].file, "a copy, byte by byte, of a file beside it");
    }
    free(o);
    ws_arena_free(&arena);
}

/* Names in the order of their bytes. */
typedef struct sorted_names {
    const char **names;
    size_t n;
} sorted_names;

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The paths of the files of a role, or the folders that these lie in, "" or with a / behind them. */
static sorted_names names_of(ws_arena *arena, const finder *d, ws_file_role role, bool takes_folders)
{
    sorted_names s = {ws_arena_alloc(arena, (d->found->n + 1) * sizeof *s.names), 0};
    for (size_t i = 0; i < d->found->n; i++) {
        const char *path = d->found->files[i].inside;
        if (d->found->files[i].role == role)
            s.names[s.n++] = takes_folders ? ws_arena_strndup(arena, path, ws_folder_length(path)) : path;
    }
    qsort(s.names, s.n, sizeof *s.names, by_bytes);
    return s;
}

/* The first name that begins as the n bytes of the text; NULL: none does. */
static const char *first_with(const sorted_names *s, const char *text, size_t n)
{
    size_t first = 0, end = s->n;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (strncmp(s->names[middle], text, n) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first < s->n && strncmp(s->names[first], text, n) == 0 ? s->names[first] : NULL;
}

/* Is the folder of a log that of the file, or around it? */
static bool is_below_log(const sorted_names *folders, const char *path)
{
    size_t n = ws_folder_length(path);
    for (;;) {
        const char *folder = first_with(folders, path, n);
        if (folder && !folder[n])
            return true;
        if (!n)
            return false;
        for (n--; n && path[n - 1] != '/'; n--)
            ;
    }
}

/* Logs of runs cut what was measured in their folders; without a trace there, and where no trace lies elsewhere, they
 * are runs without power. */
static void part_logs(finder *d)
{
    ws_arena arena = {0};
    sorted_names folders = names_of(&arena, d, WS_FILE_WINDOW, true),
                 traces = names_of(&arena, d, WS_FILE_TRACE, false);
    bool all_below = true;
    for (size_t i = 0; i < traces.n && all_below; i++)
        all_below = is_below_log(&folders, traces.names[i]);
    for (size_t i = 0; i < d->found->n && all_below; i++) {
        ws_found_file *f = &d->found->files[i];
        if (f->role == WS_FILE_WINDOW && !first_with(&traces, f->inside, ws_folder_length(f->inside)))
            f->role = WS_FILE_ROWS;
    }
    ws_arena_free(&arena);
}

/* --- folders that hold tables of runs and nothing else --- */

static bool is_plain_table(const ws_found_file *f)
{
    return f->role == WS_FILE_NO_USE && (ws_is_format(f, "table-csv") || ws_is_format(f, "table-json"));
}

/* The names of its columns, in any order; 0: no table of runs. */
static uint64_t hash_of_columns(const ws_found_file *f)
{
    ws_table table;
    uint64_t sum = 0;
    ws_source_options options = {.as = f->head.format->name, .read = WS_READ_DEFAULTS};
    bool is_of_runs = ws_source_read_table(f->path, &options, &table, NULL) == WS_OK && table.n_rows &&
                      ws_run_names_any_quantity(&table);
    for (size_t i = 0; is_of_runs && i < table.n_columns; i++) {
        uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
        for (const char *c = table.columns[i].name; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        sum += hash;
    }
    ws_table_free(&table);
    return is_of_runs ? sum | 1 : 0;
}

/* Tables of one head are the runs, a row each. Where they differ in their columns one may sum up the others, and one
 * alone is named itself. */
static void take_tables(finder *d)
{
    uint64_t first = 0;
    size_t n = 0;
    bool alike = true;
    for (size_t i = 0; i < d->found->n && alike; i++) {
        const ws_found_file *f = &d->found->files[i];
        alike = f->role == WS_FILE_NO_USE || f->role == WS_FILE_IGNORED;
        uint64_t hash = alike && is_plain_table(f) ? hash_of_columns(f) : 0;
        alike &= !hash || !first || hash == first;
        first = hash ? hash : first;
        n += hash != 0;
    }
    for (size_t i = 0; i < d->found->n && alike && n > 1; i++) {
        ws_found_file *f = &d->found->files[i];
        if (is_plain_table(f) && hash_of_columns(f))
            f->role = WS_FILE_ROWS;
    }
}

/* Roles that follow from what else there is. */
static void settle_roles(finder *d)
{
    size_t traces = ws_count_role(d->found, WS_FILE_TRACE), logs = ws_count_role(d->found, WS_FILE_WINDOW);
    for (size_t i = 0; i < d->found->n; i++)
        traces -= d->found->files[i].role == WS_FILE_TRACE && d->found->files[i].head.is_total;
    for (size_t i = 0; i < d->found->n; i++) {
        ws_found_file *f = &d->found->files[i];
        if (f->role == WS_FILE_TRACE && f->head.is_total && (traces || logs))
            f->role = WS_FILE_SIDE, f->head.format = ws_format_by_name("job-log"); /* given, beside what it sums up */
        if (f->role == WS_FILE_TABLE && !traces)
            f->role = WS_FILE_ROWS;
        if (f->role == WS_FILE_ROWS && traces)
            f->role = WS_FILE_NO_USE; /* the same energy, measured once more */
    }
    if (logs)
        part_logs(d);
}

static void expect_facts(finder *d)
{
    d->facts = ws_scan_expect(d->memory, d->list->n);
    for (size_t i = 0; i < d->list->n; i++)
        d->facts[i].path = ws_arena_strdup(&d->memory->arena, d->list->paths[i] + strlen(d->folder) + 1);
}

void ws_find_roles(const char *folder, const ws_file_list *files, unsigned threads, ws_scan_memory *memory,
                   ws_arena *arena, ws_found_files *found, ws_notes *notes)
{
    finder d = {.folder = folder, .list = files, .found = found, .memory = memory, .notes = notes};
    if (memory)
        expect_facts(&d);
    *found = (ws_found_files){ws_arena_alloc(arena, (files->n + 1) * sizeof *found->files), 0};
    ws_parallel_run(&(ws_parallel_task){&d, sizeof(recognised), recognise_file, take_file, NULL}, files->n, threads);
    for (size_t i = 0; i < found->n; i++) {
        found->files[i].path = ws_arena_strdup(arena, found->files[i].path);
        found->files[i].inside = found->files[i].path + strlen(folder) + 1;
    }
    drop_copied_files(&d);
    drop_copies(&d);
    settle_roles(&d);
    take_tables(&d);
}
