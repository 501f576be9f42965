#include "analyze/commands/cli.h"
#include "analyze/commands/path_list.h"
#include "analyze/commands/progress_line.h"

#include "analyze/measure/measure.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    WS_OPTIONS_READ,
    WS_OPTION_THREADS,
    {"channels", 0, NULL, "a row for every channel: device, quantity, column, rule, sampling, range"},
    {"facts", 0, NULL, "what the files say beside the samples: names, settings, stored totals, regions"},
    {"summary", 0, NULL, "a row for every format instead of one for every file"},
    {"strict", 0, NULL, "a file of a folder that is in no known format makes the exit status 3"},
    {NULL, 0, NULL, NULL},
};

typedef enum view { FILES, CHANNELS, FACTS } view;

typedef struct inspector {
    ws_cli *cli;
    ws_source_options source;
    ws_path_list paths;
    view view;
    ws_table table;
    size_t folders;
    bool usage; /* an option does not fit the files */
} inspector;

typedef struct column_spec {
    const char *name;
    ws_column_kind kind;
} column_spec;

enum {
    F_PATH,
    F_FORMAT,
    F_KIND,
    F_RUNS,
    F_NODES,
    F_DEVICES,
    F_CHANNELS,
    F_QUANTITIES,
    F_ROWS,
    F_MISSING,
    F_START,
    F_DURATION,
    F_PERIOD,
    F_MAX_GAP,
    F_FINDINGS,
    F_STATUS,
    F_N
};
static const column_spec file_columns[F_N] = {[F_PATH] = {"path", WS_TEXT},
                                              [F_FORMAT] = {"format", WS_TEXT},
                                              [F_KIND] = {"kind", WS_TEXT},
                                              [F_RUNS] = {"runs", WS_INTEGER},
                                              [F_NODES] = {"nodes", WS_INTEGER},
                                              [F_DEVICES] = {"devices", WS_INTEGER},
                                              [F_CHANNELS] = {"channels", WS_INTEGER},
                                              [F_QUANTITIES] = {"quantities", WS_TEXT},
                                              [F_ROWS] = {"samples", WS_INTEGER},
                                              [F_MISSING] = {"missing", WS_INTEGER},
                                              [F_START] = {"start", WS_TEXT},
                                              [F_DURATION] = {"duration_s", WS_NUMBER},
                                              [F_PERIOD] = {"period_s", WS_NUMBER},
                                              [F_MAX_GAP] = {"max_gap_s", WS_NUMBER},
                                              [F_FINDINGS] = {"findings", WS_INTEGER},
                                              [F_STATUS] = {"status", WS_TEXT}};

enum {
    C_PATH,
    C_RUN,
    C_NODE,
    C_DEVICE,
    C_DEVICE_ID,
    C_IDENTITY,
    C_DOMAIN,
    C_QUANTITY,
    C_COLUMN,
    C_RULE,
    C_SAMPLES,
    C_MISSING,
    C_START,
    C_DURATION,
    C_PERIOD,
    C_MAX_GAP,
    C_MIN,
    C_MEAN,
    C_MAX,
    C_N
};
static const column_spec channel_columns[C_N] = {[C_PATH] = {"path", WS_TEXT},
                                                 [C_RUN] = {"run", WS_TEXT},
                                                 [C_NODE] = {"node", WS_TEXT},
                                                 [C_DEVICE] = {"device", WS_TEXT},
                                                 [C_DEVICE_ID] = {"device_id", WS_TEXT},
                                                 [C_IDENTITY] = {"identity", WS_TEXT},
                                                 [C_DOMAIN] = {"domain", WS_TEXT},
                                                 [C_QUANTITY] = {"quantity", WS_TEXT},
                                                 [C_COLUMN] = {"column", WS_TEXT},
                                                 [C_RULE] = {"rule", WS_TEXT},
                                                 [C_SAMPLES] = {"samples", WS_INTEGER},
                                                 [C_MISSING] = {"missing", WS_INTEGER},
                                                 [C_START] = {"start", WS_TEXT},
                                                 [C_DURATION] = {"duration_s", WS_NUMBER},
                                                 [C_PERIOD] = {"period_s", WS_NUMBER},
                                                 [C_MAX_GAP] = {"max_gap_s", WS_NUMBER},
                                                 [C_MIN] = {"min", WS_NUMBER},
                                                 [C_MEAN] = {"mean", WS_NUMBER},
                                                 [C_MAX] = {"max", WS_NUMBER}};

enum { A_PATH, A_RUN, A_NODE, A_DEVICE, A_KEY, A_TEXT, A_NUMBER, A_N };
static const column_spec fact_columns[A_N] = {
    [A_PATH] = {"path", WS_TEXT},      [A_RUN] = {"run", WS_TEXT}, [A_NODE] = {"node", WS_TEXT},
    [A_DEVICE] = {"device", WS_TEXT},  [A_KEY] = {"key", WS_TEXT}, [A_TEXT] = {"text", WS_TEXT},
    [A_NUMBER] = {"number", WS_NUMBER}};

/* On a screen paths stand above their rows, of channels with the device. */
static void lay_out_for_screen(ws_table *table, view of)
{
    static const size_t heads[] = {[FILES] = 1, [CHANNELS] = C_QUANTITY, [FACTS] = A_KEY};
    for (size_t c = 0; c < heads[of]; c++)
        ws_table_set_place(table, c, WS_HEADING);
    table->heads_if_wide = true;
    table->screen_keys = 1; /* format, quantity or key */
    table->folds_texts = true;
}

static void init_table(inspector *in)
{
    static const struct {
        const char *name;
        const column_spec *columns;
        size_t n;
    } views[] = {[FILES] = {"inspect", file_columns, F_N},
                 [CHANNELS] = {"channels", channel_columns, C_N},
                 [FACTS] = {"facts", fact_columns, A_N}};
    ws_table_init(&in->table, views[in->view].name);
    for (size_t i = 0; i < views[in->view].n; i++)
        ws_table_add_column(&in->table, views[in->view].columns[i].name, views[in->view].columns[i].kind);
    lay_out_for_screen(&in->table, in->view);
}

static void set_text(ws_table *t, size_t column, size_t row, const char *text)
{
    if (text && *text)
        ws_table_set_text(t, column, row, text);
}

static void set_start(ws_table *t, size_t column, size_t row, const ws_channel_summary *r)
{
    char stamp[WS_STAMP_TEXT];
    if (!r->has_start)
        return;
    ws_stamp_text(stamp, r->start_ns);
    ws_table_set_text(t, column, row, stamp);
}

static double period_of(const ws_channel_summary *r)
{
    return r->samples > 1 && r->duration_s > 0 ? r->duration_s / (double)(r->samples - 1) : NAN;
}

/* How many different values the texts have that `of` picks from the channels. */
typedef const char *channel_text(const ws_metered_channel *c);

static const char *run_of(const ws_metered_channel *c)
{
    return c->channel.run;
}

static const char *node_of(const ws_metered_channel *c)
{
    return c->channel.node;
}

static size_t count_different(const ws_measure *m, channel_text *of)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_channels; i++) {
        bool seen = !*of(&m->channels[i]);
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(of(&m->channels[i]), of(&m->channels[j])) == 0;
        n += !seen;
    }
    return n;
}

/* Channels of one device share run, node and device. */
static size_t count_devices(const ws_measure *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_channel *c = &m->channels[i].channel;
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) {
            const ws_channel *other = &m->channels[j].channel;
            seen = strcmp(c->run, other->run) == 0 && strcmp(c->node, other->node) == 0 &&
                   strcmp(c->device, other->device) == 0;
        }
        n += !seen;
    }
    return n;
}

static void list_quantities(const ws_measure *m, char *text, size_t size)
{
    bool present[WS_QUANTITY_N] = {false};
    text[0] = '\0';
    for (size_t i = 0; i < m->n_channels; i++)
        present[m->channels[i].channel.quantity] = true;
    for (int q = 0; q < WS_QUANTITY_N; q++)
        if (present[q])
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? " " : "",
                     ws_quantity_name((ws_quantity)q));
}

static const ws_metered_channel *longest_of(const ws_measure *m)
{
    const ws_metered_channel *longest = NULL;
    for (size_t i = 0; i < m->n_channels; i++)
        if (!longest || m->channels[i].summary.samples > longest->summary.samples)
            longest = &m->channels[i];
    return longest;
}

/* A file that names no run or node says nothing about how many there are. */
static void set_count(ws_table *t, size_t column, size_t row, size_t n)
{
    if (n)
        ws_table_set_integer(t, column, row, (int64_t)n);
}

static void add_trace(inspector *in, size_t row, const ws_measure *m, const ws_notes *notes)
{
    ws_table *t = &in->table;
    char quantities[200];
    uint64_t missing = 0;
    ws_table_set_integer(t, F_FINDINGS, row, (int64_t)notes->n);
    const ws_metered_channel *longest = longest_of(m);
    if (!longest)
        return;
    list_quantities(m, quantities, sizeof quantities);
    for (size_t i = 0; i < m->n_channels; i++)
        missing += m->channels[i].summary.missing;
    set_count(t, F_RUNS, row, count_different(m, run_of));
    set_count(t, F_NODES, row, count_different(m, node_of));
    ws_table_set_integer(t, F_DEVICES, row, (int64_t)count_devices(m));
    ws_table_set_integer(t, F_CHANNELS, row, (int64_t)m->n_channels);
    set_text(t, F_QUANTITIES, row, quantities);
    ws_table_set_integer(t, F_MISSING, row, (int64_t)missing);
    ws_table_set_integer(t, F_ROWS, row, (int64_t)longest->summary.samples);
    set_start(t, F_START, row, &longest->summary);
    ws_table_set_number(t, F_DURATION, row, longest->summary.duration_s);
    ws_table_set_number(t, F_PERIOD, row, period_of(&longest->summary));
    ws_table_set_number(t, F_MAX_GAP, row, longest->summary.max_gap_s);
}

static void add_channels(inspector *in, const char *path, const ws_measure *m)
{
    ws_table *t = &in->table;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        const ws_channel_summary *r = &c->summary;
        size_t row = ws_table_add_row(t);
        const char *texts[] = {path,
                               c->channel.run,
                               c->channel.node,
                               c->channel.device,
                               c->channel.device_id,
                               c->channel.identity,
                               ws_domain_name(c->channel.domain),
                               ws_quantity_name(c->channel.quantity),
                               c->channel.column,
                               ws_rule_name(c->channel.rule)};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            set_text(t, k, row, texts[k]);
        ws_table_set_integer(t, C_SAMPLES, row, (int64_t)r->samples);
        ws_table_set_integer(t, C_MISSING, row, (int64_t)r->missing);
        set_start(t, C_START, row, r);
        const double numbers[] = {r->duration_s, period_of(r), r->max_gap_s, r->min, r->mean, r->max};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            ws_table_set_number(t, C_DURATION + k, row, numbers[k]);
    }
}

static void add_facts(inspector *in, const char *path, const ws_measure *m)
{
    for (size_t i = 0; i < m->n_facts; i++) {
        const ws_kept_fact *f = &m->facts[i];
        size_t row = ws_table_add_row(&in->table);
        const char *texts[] = {path, f->run, f->node, f->device, f->key, f->text};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            set_text(&in->table, k, row, texts[k]);
        if (!f->text)
            ws_table_set_number(&in->table, A_NUMBER, row, f->number);
    }
}

/* A row that says what the file is; the caller adds what it holds. */
static size_t add_file(inspector *in, const char *path, const ws_format *format, const char *status)
{
    size_t row = ws_table_add_row(&in->table);
    set_text(&in->table, F_PATH, row, path);
    set_text(&in->table, F_FORMAT, row, format ? format->name : "unknown");
    set_text(&in->table, F_KIND, row, !format ? NULL : format->is_record ? "records" : "trace");
    set_text(&in->table, F_STATUS, row, status);
    return row;
}

/* A damaged file keeps its row, with what was read of it. */
static void fail(inspector *in, const char *path, bool named, const ws_error *error, ws_notes *notes)
{
    in->cli->unread->named += named;
    in->cli->unread->found += !named;
    in->usage |= named && error->status == WS_USAGE;
    ws_note_failure(notes, WS_FINDING_CANNOT_BE_READ, path, error);
}

typedef enum kind { UNREADABLE, UNKNOWN, RECORD, TRACE } kind;

/* The summary of one file. */
typedef struct part {
    kind kind;
    const ws_format *format;
    ws_status status;
    ws_error error;
    ws_notes notes;     /* of a trace */
    ws_measure measure; /* the same */
    ws_table record;
} part;

static void read_trace(const inspector *in, const char *path, const ws_source_options *source, part *p)
{
    ws_measure_options every_channel = {.all_channels = true, .every_fact = in->view == FACTS};
    ws_measure_init(&p->measure, &every_channel);
    ws_measure_begin(&p->measure, ws_source_name(path), "");
    ws_sink sink = ws_measure_sink(&p->measure);
    p->status = ws_source_read(path, source, &sink, &p->notes, &p->format, &p->error);
    ws_measure_finish(&p->measure, &p->notes);
}

/* Opened once, for a pipe can be. */
static void read_path(void *state, size_t index, void *out)
{
    const inspector *in = state;
    part *p = out;
    const char *path = in->paths.paths[index].path;
    ws_source_options source = in->source;
    ws_sink none = {0};
    p->status = ws_input_open(&source.open, path, &p->error);
    if (p->status == WS_OK) {
        ws_input_count(source.open, &in->source.progress->bytes);
        p->status = ws_source_recognise_open(source.open, ws_source_format(&in->source, source.open), &p->format,
                                             &p->notes, &p->error);
    }
    p->kind = p->status != WS_OK ? UNREADABLE : !p->format ? UNKNOWN : p->format->is_record ? RECORD : TRACE;
    if (p->kind == UNKNOWN) /* no reader takes it: reading it all the same says why */
        ws_source_read(path, &source, &none, NULL, NULL, &p->error);
    else if (p->kind == RECORD)
        p->status = ws_source_read_table(path, &source, &p->record, &p->error);
    else if (p->kind == TRACE) {
        source.as = p->format->name;
        read_trace(in, path, &source, p);
    }
    ws_input_close(source.open);
}

static void take_trace(inspector *in, const ws_path *of, part *p)
{
    bool is_whole = p->status == WS_OK && !ws_count_damage(&p->notes);
    if (p->status != WS_OK)
        fail(in, of->path, of->named, &p->error, &p->notes);
    else
        *(of->named ? &in->cli->unread->named : &in->cli->unread->found) += !is_whole;
    if (in->view == FILES)
        add_trace(in, add_file(in, of->path, p->format, is_whole ? "ok" : "damaged"), &p->measure, &p->notes);
    else if (in->view == CHANNELS)
        add_channels(in, of->path, &p->measure);
    else
        add_facts(in, of->path, &p->measure);
    ws_notes_append(&in->table.notes, &p->notes);
}

static void take_record(inspector *in, const ws_path *of, part *p)
{
    if (in->view == FILES) {
        size_t row = add_file(in, of->path, p->format, p->status == WS_OK ? "ok" : "damaged");
        ws_table_set_integer(&in->table, F_ROWS, row, (int64_t)p->record.n_rows);
        ws_table_set_integer(&in->table, F_CHANNELS, row, (int64_t)p->record.n_columns);
        ws_table_set_integer(&in->table, F_FINDINGS, row, (int64_t)p->record.notes.n);
    }
    if (p->status != WS_OK)
        fail(in, of->path, of->named, &p->error, &in->table.notes);
    ws_notes_append(&in->table.notes, &p->record.notes);
}

static void take_unknown(inspector *in, const ws_path *of, part *p)
{
    if (of->named && p->kind == UNREADABLE) {
        ws_cli_fail(in->cli, &p->error);
        in->cli->unread->named++;
        return;
    }
    if (in->view == FILES)
        add_file(in, of->path, NULL, p->kind == UNREADABLE ? "unreadable" : "unknown format");
    fail(in, of->path, of->named, &p->error, &in->table.notes);
}

static void take_path(void *state, size_t index, void *done)
{
    inspector *in = state;
    part *p = done;
    const ws_path *of = &in->paths.paths[index];
    if (p->kind == TRACE)
        take_trace(in, of, p);
    else if (p->kind == RECORD)
        take_record(in, of, p);
    else
        take_unknown(in, of, p);
}

static void drop_path(void *done)
{
    part *p = done;
    ws_measure_free(&p->measure);
    ws_table_free(&p->record);
    ws_notes_free(&p->notes);
}

static void inspect_all(inspector *in, unsigned threads)
{
    ws_progress progress = {0};
    ws_progress_line line;
    ws_path_list_fill(&in->paths, in->cli, &in->table.notes);
    in->source.progress = &progress;
    ws_progress_line_start(&line, in->cli, &in->paths, &progress);
    ws_parallel_run(&(ws_parallel_task){in, sizeof(part), read_path, take_path, drop_path}, in->paths.n, threads);
    ws_progress_line_stop(&line);
    for (size_t i = 0; i < in->cli->n_arguments; i++) {
        ws_error error = {0};
        bool is_folder = in->paths.is_folder[i];
        in->folders += is_folder;
        if (!is_folder || in->paths.folders[i].n)
            continue;
        ws_fail_at(&error, WS_DATA, in->cli->arguments[i], 0, "holds no files");
        ws_cli_fail(in->cli, &error);
        in->cli->unread->named++;
    }
    ws_path_list_free(&in->paths);
}

/* --- counted by format --- */

enum { S_FORMAT, S_KIND, S_FILES, S_DAMAGED, S_SAMPLES, S_FINDINGS, S_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} summary_columns[S_N] = {[S_FORMAT] = {"format", WS_TEXT},      [S_KIND] = {"kind", WS_TEXT},
                          [S_FILES] = {"files", WS_INTEGER},     [S_DAMAGED] = {"not_ok", WS_INTEGER},
                          [S_SAMPLES] = {"samples", WS_INTEGER}, [S_FINDINGS] = {"findings", WS_INTEGER}};

typedef struct format_count {
    const char *format, *kind;
    int64_t files, not_ok, samples, findings;
} format_count;

static const char *text_of(const ws_table *files, const char *name, size_t row)
{
    const ws_column *column = ws_table_column(files, name);
    return column && column->text[row] ? column->text[row] : "";
}

static int64_t number_of(const ws_table *files, const char *name, size_t row)
{
    const ws_column *column = ws_table_column(files, name);
    return column && column->integer[row] != WS_NO_INTEGER ? column->integer[row] : 0;
}

static int more_files(const void *a, const void *b)
{
    const format_count *x = a, *y = b;
    return x->files != y->files ? (x->files < y->files) - (x->files > y->files) : strcmp(x->format, y->format);
}

/* The counts, the most frequent first; the caller frees them. */
static format_count *count_formats(const ws_table *files, size_t *n)
{
    format_count *counts = ws_alloc((files->n_rows + 1) * sizeof *counts);
    *n = 0;
    for (size_t row = 0; row < files->n_rows; row++) {
        const char *format = text_of(files, "format", row);
        size_t i = 0;
        while (i < *n && strcmp(counts[i].format, format) != 0)
            i++;
        if (i == *n)
            counts[(*n)++] = (format_count){.format = format, .kind = text_of(files, "kind", row)};
        counts[i].files++;
        counts[i].not_ok += strcmp(text_of(files, "status", row), "ok") != 0;
        counts[i].samples += number_of(files, "samples", row);
        counts[i].findings += number_of(files, "findings", row);
    }
    qsort(counts, *n, sizeof *counts, more_files);
    return counts;
}

/* A row a format, the most frequent first: files, those whose status is not "ok", samples, findings. */
static void fill_summary(const ws_table *files, ws_table *summary)
{
    size_t n;
    format_count *counts = count_formats(files, &n);
    ws_table_init(summary, "inspect-summary");
    for (size_t c = 0; c < S_N; c++)
        ws_table_add_column(summary, summary_columns[c].name, summary_columns[c].kind);
    for (size_t i = 0; i < n; i++) {
        size_t row = ws_table_add_row(summary);
        ws_table_set_text(summary, S_FORMAT, row, counts[i].format);
        if (*counts[i].kind)
            ws_table_set_text(summary, S_KIND, row, counts[i].kind);
        const int64_t numbers[] = {counts[i].files, counts[i].not_ok, counts[i].samples, counts[i].findings};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            ws_table_set_integer(summary, S_FILES + k, row, numbers[k]);
    }
    free(counts);
}

/* The same in words: "2000 files: 1980 nvidia-smi-csv, 20 unknown". */
static void note_summary(const ws_table *files, ws_notes *notes)
{
    char text[1000] = "";
    size_t n;
    format_count *counts = count_formats(files, &n);
    for (size_t i = 0; i < n && strlen(text) < sizeof text - 80; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld %s", i ? ", " : "",
                 (long long)counts[i].files, counts[i].format);
    ws_notes_add(notes, WS_FINDING_FILES, "", "", 0, "%zu files: %s", files->n_rows, text);
    free(counts);
}

/* --- the command --- */

/* In the place of the table of files, or beside it as a note. */
static void inspect_summarise(inspector *in)
{
    ws_table summary;
    if (in->view != FILES)
        return;
    if (!ws_cli_has(in->cli, "summary")) {
        if (in->folders && in->table.n_rows > 1)
            note_summary(&in->table, &in->table.notes);
        return;
    }
    fill_summary(&in->table, &summary);
    ws_notes_append(&summary.notes, &in->table.notes);
    summary.synthetic = in->table.synthetic;
    ws_table_free(&in->table);
    in->table = summary;
}

static int run_inspect(ws_cli *cli)
{
    inspector in = {.cli = cli};
    unsigned threads;
    if (!ws_cli_source_options(cli, &in.source) || !ws_cli_threads(cli, &threads))
        return WS_EXIT_USAGE;
    in.view = ws_cli_has(cli, "facts") ? FACTS : ws_cli_has(cli, "channels") ? CHANNELS : FILES;
    init_table(&in);
    inspect_all(&in, threads);
    for (size_t i = 0; i < cli->n_arguments; i++)
        in.table.synthetic |= ws_is_in_synthetic_campaign(cli->arguments[i]);
    inspect_summarise(&in);
    int status = WS_EXIT_DATA;
    if (in.table.n_rows || !cli->unread->named)
        status = ws_cli_output(cli, &in.table);
    else
        ws_cli_notes(cli, &in.table.notes);
    ws_table_free(&in.table);
    return in.usage ? WS_EXIT_USAGE : status;
}

const ws_command ws_command_inspect = {
    .name = "inspect",
    .arguments = "PATH...",
    .summary = "what files are, what they hold and what is wrong with them",
    .description =
        "One row a file: its format, found by content; how many runs, nodes, devices and channels it holds and which "
        "quantities; samples of the longest channel, missing cells of all of them, start, span and mean sampling "
        "period; the longest gap; and how many kinds of findings there are. The findings themselves go to standard "
        "error (-v: all). --summary counts files by format.\n\n"
        "--channels lists every channel with its range, --facts what the files say beside the samples: device names, "
        "perun's stored energies, its PUE and power overhead, regions.",
    .options = options,
    .example = "wattscale inspect datasets/demo/gbs256/1g256b4w10e",
    .least = 1,
    .most = -1,
    .run = run_inspect,
};
