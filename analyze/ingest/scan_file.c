#include "analyze/ingest/scan_file.h"

#include "analyze/ingest/record_fields.h"
#include "analyze/ingest/settings_fields.h"
#include "analyze/measure/packer_internal.h"
#include "analyze/rank_request.h"
#include "analyze/source.h"
#include "core/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Braces of a name stand for themselves in no pattern: {*} takes each. */
const char *ws_pattern_literal(ws_arena *arena, const char *text)
{
    const char *pattern = "";
    while (*text) {
        size_t n = strcspn(text, "{}");
        pattern = ws_arena_printf(arena, "%s%.*s%s", pattern, (int)n, text, text[n] ? "{*}" : "");
        text += n + (text[n] != '\0');
    }
    return pattern;
}

static const char *write_pattern(ws_arena *arena, const ws_scan_file *file, bool is_one_run)
{
    const char *pattern = "";
    for (size_t depth = 0; depth < file->parts.n; depth++) {
        const ws_path_segment *s = &file->parts.segments[depth];
        pattern = ws_arena_printf(arena, "%s%s", pattern, depth ? "/" : "");
        for (size_t i = 0; i < s->n; i++) {
            const char *name = file->names[depth][i];
            if (is_one_run && depth == file->open_depth && i == file->open_part)
                name = file->one_run;
            pattern = ws_arena_printf(arena, name ? "%s%s{%s}" : "%s%s%s", pattern,
                                      ws_pattern_literal(arena, s->parts[i].before),
                                      name ? name : ws_pattern_literal(arena, s->parts[i].value));
        }
        pattern = ws_arena_printf(arena, "%s%s", pattern, ws_pattern_literal(arena, s->after));
    }
    return pattern;
}

const char *ws_path_pattern(ws_arena *arena, const ws_scan_file *file)
{
    return write_pattern(arena, file, false);
}

ws_scan_answers ws_answers_of(ws_arena *arena, const ws_scan_file *file)
{
    if (file->answers.is_of_names)
        return file->answers;
    const char *one = write_pattern(arena, file, true);
    bool is_node = strcmp(file->one_run, "node") == 0;
    return (ws_scan_answers){is_node ? one : NULL, is_node ? NULL : one, ws_path_pattern(arena, file), false};
}

const char *ws_path_value(const ws_scan_file *file, const char *field)
{
    for (size_t depth = 0; depth < file->parts.n; depth++)
        for (size_t i = 0; i < file->parts.segments[depth].n; i++)
            if (file->names[depth][i] && strcmp(file->names[depth][i], field) == 0)
                return file->parts.segments[depth].parts[i].value;
    return NULL;
}

const char *ws_scan_value(const ws_scan_file *file, const char *field)
{
    const char *value = ws_path_value(file, field);
    if (!value && file->rule_field && strcmp(file->rule_field, field) == 0)
        value = file->rule_value;
    for (size_t i = 0; i < file->n_beside && !value; i++)
        if (strcmp(file->beside[i].field, field) == 0)
            value = file->beside[i].value;
    return value;
}

/* --- what files of settings say --- */

/* FNV-1a; the sum over devices does not depend on their order. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static bool belongs(const ws_scan_file *settings, const ws_scan_file *file)
{
    bool any = false;
    for (size_t depth = 0; depth < settings->parts.n; depth++)
        for (size_t i = 0; i < settings->parts.segments[depth].n; i++) {
            const char *name = settings->names[depth][i], *value = name ? ws_path_value(file, name) : NULL;
            if (!value || *name == '*')
                continue;
            if (strcmp(value, settings->parts.segments[depth].parts[i].value) != 0)
                return false;
            any = true;
        }
    return any;
}

const char *ws_scan_run_key(ws_arena *arena, const ws_scan_file *f)
{
    const char *key = "";
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            if (f->names[depth][i] && ws_name_use(f->names[depth][i]) != WS_USE_FILE)
                key = ws_arena_printf(arena, "%s%s=%s|", key, f->names[depth][i],
                                      f->parts.segments[depth].parts[i].value);
    if (f->rule_field)
        key = ws_arena_printf(arena, "%s%s=%s|", key, f->rule_field, f->rule_value);
    return key;
}

bool ws_scan_has_fields(const ws_scan_file *f)
{
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            if (f->names[depth][i])
                return true;
    return false;
}

void ws_scan_add_setting(ws_arena *arena, ws_scan_file *file, const ws_scan_setting *setting)
{
    if (ws_scan_value(file, setting->field))
        return;
    if (file->n_beside == file->beside_capacity) {
        ws_scan_setting *more = ws_arena_alloc(arena, (2 * file->n_beside + 8) * sizeof *more);
        for (size_t i = 0; i < file->n_beside; i++)
            more[i] = file->beside[i];
        file->beside = more, file->beside_capacity = 2 * file->n_beside + 8;
    }
    file->beside[file->n_beside++] = *setting;
}

void ws_read_settings(const char *folder, ws_arena *arena, const ws_scan_file *settings, ws_scan_file *files, size_t n,
                      bool is_one_run)
{
    const char *slash = strrchr(settings->path, '/'), *path = ws_arena_printf(arena, "%s/%s", folder, settings->path);
    ws_source_options options = {.as = "settings", .read = WS_READ_DEFAULTS};
    ws_table table;
    if (ws_source_read_table(path, &options, &table, NULL) == WS_OK) {
        for (size_t c = 0; c < table.n_columns; c++) {
            ws_field field;
            if (!ws_setting_field(&table, c, arena, &field))
                continue;
            ws_scan_setting setting = {ws_arena_strdup(arena, field.name), field.value,
                                       slash ? slash + 1 : settings->path, ws_setting_is_known(&table, c)};
            for (size_t i = 0; i < n; i++)
                if (belongs(settings, &files[i]) || (is_one_run && !ws_scan_has_fields(settings)))
                    ws_scan_add_setting(arena, &files[i], &setting);
        }
    }
    ws_table_free(&table);
}

void ws_hash_settings(const char *folder, ws_arena *arena, const ws_scan_file *settings, ws_scan_file *files, size_t n)
{
    static const char hydra[] = ".hydra/";
    ws_source_options options = {.as = "settings", .read = WS_READ_DEFAULTS};
    const char *slash = strrchr(settings->path, '/');
    ws_span own = {settings->path, slash ? (size_t)(slash - settings->path) + 1 : 0};
    uint64_t hash = 0;
    ws_table table;
    own.n -= ws_span_has_suffix(own, hydra) ? strlen(hydra) : 0;
    if (ws_source_read_table(ws_arena_printf(arena, "%s/%s", folder, settings->path), &options, &table, NULL) == WS_OK)
        for (size_t c = 0; c < table.n_columns; c++) {
            ws_field field;
            if (ws_setting_field(&table, c, arena, &field) && ws_setting_is_known(&table, c))
                hash += hash_of(ws_arena_printf(arena, "%s=%s", field.name, field.value));
        }
    for (size_t i = 0; i < n && hash; i++)
        if (strncmp(files[i].path, own.p, own.n) == 0)
            files[i].settings_hash += hash;
    ws_table_free(&table);
}

void ws_read_job_names(const char *folder, ws_arena *arena, const ws_scan_file *records, ws_scan_file *files, size_t n)
{
    const char *slash = strrchr(records->path, '/');
    ws_source_options options = {.as = "sacct", .read = WS_READ_DEFAULTS};
    ws_table table;
    size_t job, name;
    bool is_read =
        ws_source_read_table(ws_arena_printf(arena, "%s/%s", folder, records->path), &options, &table, NULL) == WS_OK;
    bool has_names = is_read && ws_table_find(&table, "job", &job) && ws_table_find(&table, "name", &name);
    for (size_t row = 0; has_names && row < table.n_rows; row++) {
        char id[WS_DOUBLE_TEXT], text[WS_DOUBLE_TEXT];
        if (ws_record_is_step(&table, row) || ws_table_is_missing(&table, name, row))
            continue;
        const char *of = ws_table_cell_text(&table, job, row, id);
        ws_scan_setting setting = {"name", ws_arena_strdup(arena, ws_table_cell_text(&table, name, row, text)),
                                   slash ? slash + 1 : records->path, false};
        for (size_t i = 0; i < n; i++) {
            const char *own = ws_path_value(&files[i], "job");
            if (own && strcmp(own, of) == 0)
                ws_scan_add_setting(arena, &files[i], &setting);
        }
    }
    ws_table_free(&table);
}

/* --- what its readings say --- */

typedef struct span_reader {
    ws_scan_file *file;
    int id;
    size_t n_dated;                /* readings of the first channel with dates */
    int64_t first_ns;              /* the first date */
    double earliest_ns, latest_ns; /* of readings without dates */
    bool has_dates;                /* there is one */
    bool has_nodes, has_weak_ids;  /* several nodes; a GPU without a uuid */
    struct {
        char node[64], device[24];
    } gpus[64];
} span_reader;

static void take_identity(span_reader *r, const ws_channel *c)
{
    ws_scan_file *f = r->file;
    const char *node = c->node ? c->node : "", *digits = c->device ? c->device + strcspn(c->device, "0123456789") : "";
    int64_t number;
    r->has_weak_ids |= !c->identity || strcmp(c->identity, "uuid") != 0 || !c->device_id;
    f->span.device_hash = r->has_weak_ids ? 0 : f->span.device_hash + hash_of(c->device_id);
    f->span.only_gpu = f->span.gpus == 1 && ws_span_i64(ws_span_of(digits), &number) ? number : -1;
    r->has_nodes |= f->span.gpus > 1 && strcmp(f->span.node, node) != 0;
    snprintf(f->span.node, sizeof f->span.node, "%s", r->has_nodes ? "" : node);
}

enum { NO_DATES, DATES, FIRST_DATES }; /* ids of channels */

static ws_status scan_file_take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    enum { MOST = 64 };
    (void)error;
    span_reader *r = state;
    bool is_dated = channel->time == WS_TIME_UTC || channel->time == WS_TIME_NAIVE;
    *id = !is_dated ? NO_DATES : r->has_dates ? DATES : FIRST_DATES;
    r->has_dates |= is_dated;
    if (channel->domain != WS_GPU || !ws_quantity_gives_energy(channel->quantity))
        return WS_OK;
    size_t i = 0;
    for (; i < r->file->span.gpus && i < MOST; i++)
        if (strncmp(r->gpus[i].node, channel->node ? channel->node : "", 63) == 0 &&
            strncmp(r->gpus[i].device, channel->device ? channel->device : "", 23) == 0)
            return WS_OK;
    if (i < MOST) {
        snprintf(r->gpus[i].node, sizeof r->gpus[i].node, "%s", channel->node ? channel->node : "");
        snprintf(r->gpus[i].device, sizeof r->gpus[i].device, "%s", channel->device ? channel->device : "");
    }
    r->file->span.gpus++;
    take_identity(r, channel);
    return WS_OK;
}

static void take_dates(span_reader *r, const ws_block *block)
{
    ws_scan_file *f = r->file;
    int64_t first_ns = f->span.is_dated ? r->first_ns : INT64_MAX,
            start_ns = f->span.is_dated ? f->span.start_ns : INT64_MAX,
            end_ns = f->span.is_dated ? f->span.end_ns : INT64_MIN;
    for (size_t i = 0; i < block->n; i++) {
        int64_t from_ns = block->t_ns[i]; /* where the interval begins that the reading is of */
        first_ns = from_ns < first_ns ? from_ns : first_ns;
        end_ns = from_ns > end_ns ? from_ns : end_ns;
        if (block->interval_ns && __builtin_sub_overflow(from_ns, block->interval_ns[i], &from_ns))
            from_ns = block->t_ns[i];
        start_ns = from_ns < start_ns ? from_ns : start_ns;
    }
    r->first_ns = first_ns;
    f->span.start_ns = start_ns;
    f->span.end_ns = end_ns;
    f->span.is_dated = true;
}

static ws_status scan_file_take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    span_reader *r = state;
    for (size_t i = 0; id == NO_DATES && block->t_ns && i < block->n; i++) {
        r->earliest_ns = fmin(r->earliest_ns, (double)block->t_ns[i]);
        r->latest_ns = fmax(r->latest_ns, (double)block->t_ns[i]);
    }
    r->n_dated += id == FIRST_DATES && block->t_ns ? block->n : 0;
    if (id != NO_DATES && block->t_ns && block->n)
        take_dates(r, block);
    return WS_OK;
}

static void read_readings(ws_scan_file *f, const char *path)
{
    span_reader *r = ws_alloc(sizeof *r);
    *r = (span_reader){.file = f, .earliest_ns = INFINITY, .latest_ns = -INFINITY};
    ws_sink sink = {.state = r, .channel = scan_file_take_channel, .block = scan_file_take_block};
    ws_source_options source = {.read = WS_READ_DEFAULTS};
    ws_error error = {0};
    ws_notes notes = {0};
    ws_source_read(path, &source, &sink, &notes, NULL, &error);
    f->span.period_ns = r->n_dated > 1 ? (double)(f->span.end_ns - r->first_ns) / (double)(r->n_dated - 1) : 0;
    f->span.undated_ns = fmax(r->latest_ns - r->earliest_ns, 0);
    ws_notes_free(&notes);
    free(r);
}

/* --- on several processes --- */

static void pack_asked(ws_packer *p, const char **path, ws_file_state *before)
{
    ws_pack_word(p, path);
    ws_rank_pack_state(p, before);
}

void ws_rank_read_scan_file(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer)
{
    (void)threads;
    ws_arena arena = {0};
    ws_packer asked = {.at = request, .end = request + n}, p = {.writes = true};
    const char *path;
    ws_file_state before = {0};
    ws_begin_texts(&asked, &arena);
    pack_asked(&asked, &path, &before);
    if (!asked.failed && ws_rank_sees(path, &before, answer->refusal, sizeof answer->refusal)) {
        ws_scan_file file = {0};
        read_readings(&file, path);
        ws_file_span_pack(&p, &file.span);
        answer->packed = (ws_packed){p.bytes, p.n};
    }
    free(asked.texts);
    free(p.texts);
    ws_arena_free(&arena);
}

typedef struct span_job {
    const char *folder;
    ws_scan_file **files;
    ws_file_state *states; /* before they were handed out */
    ws_rank_round *round;  /* other processes read, too; NULL: none */
} span_job;

static const char *path_of(const span_job *job, size_t item, ws_arena *arena)
{
    return ws_arena_printf(arena, "%s/%s", job->folder, job->files[item]->path);
}

static bool describe_span(void *state, size_t item, ws_packed *request)
{
    const span_job *job = state;
    ws_arena arena = {0};
    ws_packer p = {.writes = true};
    const char *path = path_of(job, item, &arena);
    pack_asked(&p, &path, &job->states[item]);
    free(p.texts);
    ws_arena_free(&arena);
    *request = (ws_packed){p.bytes, p.n};
    return true;
}

static uint64_t size_of_span(void *state, size_t item)
{
    return (uint64_t)((const span_job *)state)->states[item].size;
}

static void begin_round(span_job *job, size_t n, unsigned threads)
{
    if (ws_ranks_n() < 2)
        return;
    ws_arena arena = {0};
    job->states = ws_alloc((n + 1) * sizeof *job->states);
    for (size_t i = 0; i < n; i++)
        job->states[i] = ws_file_state_of(path_of(job, i, &arena));
    ws_arena_free(&arena);
    job->round = ws_ranks_begin(&(ws_rank_task){.kind = WS_RANK_SPANS,
                                                .work = ws_rank_read_scan_file,
                                                .state = job,
                                                .threads = threads,
                                                .size = size_of_span,
                                                .describe = describe_span},
                                n);
}

/* False: the file is to be read here. That a rank could not is told when the runs are read. */
static bool take_answer(const span_job *job, size_t item)
{
    ws_rank_answer answer = {0};
    if (!job->round || !ws_ranks_await(job->round, item, &answer))
        return false;
    ws_arena arena = {0};
    ws_packer p = {.at = answer.packed.bytes, .end = answer.packed.bytes + answer.packed.n};
    ws_file_span read = {0};
    ws_begin_texts(&p, &arena);
    ws_file_span_pack(&p, &read);
    if (!p.failed)
        job->files[item]->span = read;
    free(p.texts);
    free(answer.packed.bytes);
    ws_arena_free(&arena);
    return !p.failed;
}

/* --- each of them --- */

static void read_span(void *state, size_t item, void *part)
{
    (void)part;
    const span_job *job = state;
    ws_arena arena = {0};
    if (!take_answer(job, item))
        read_readings(job->files[item], path_of(job, item, &arena));
    ws_arena_free(&arena);
}

static void take_span(void *state, size_t item, void *part)
{
    (void)part;
    ws_scan_file *file = ((const span_job *)state)->files[item];
    file->span.is_read = true;
    if (file->fact)
        file->fact->span = file->span;
}

void ws_read_scan_files(const char *folder, unsigned threads, ws_scan_file **files, size_t n)
{
    span_job job = {.folder = folder, .files = ws_alloc((n + 1) * sizeof *files)};
    size_t unread = 0;
    for (size_t i = 0; i < n; i++) {
        if (files[i]->fact && files[i]->fact->span.is_read)
            files[i]->span = files[i]->fact->span;
        if (!files[i]->span.is_read && !files[i]->is_side)
            job.files[unread++] = files[i];
    }
    begin_round(&job, unread, threads);
    ws_parallel_run(&(ws_parallel_task){&job, 1, read_span, take_span, NULL}, unread, threads);
    ws_ranks_end(job.round);
    free(job.states);
    free(job.files);
}
