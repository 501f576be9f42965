#include "analyze/commands/energy_ranks.h"

#include "analyze/commands/ranks_load.h"
#include "analyze/measure/packer_internal.h"
#include "formats/input/input.h"

#include <stdlib.h>

/* A file that another one is to read. */
static void pack_asked(ws_packer *p, ws_energy_job *j, const char **path, ws_file_state *before)
{
    ws_pack_word(p, path);
    ws_rank_pack_state(p, before);
    ws_rank_pack_measure(p, &j->measure);
    ws_rank_pack_source(p, &j->source);
}

static bool describe_file(void *state, size_t item, ws_packed *request)
{
    ws_energy_job one = {.measure = ((const ws_energy_job *)state)->measure,
                         .source = ((const ws_energy_job *)state)->source};
    const char *path = ((const ws_energy_job *)state)->paths.paths[item].path;
    ws_file_state before = ((const ws_energy_job *)state)->states[item];
    ws_packer p = {.writes = true};
    if (ws_is_pipe(path))
        return false;
    pack_asked(&p, &one, &path, &before);
    free(p.texts);
    *request = (ws_packed){p.bytes, p.n};
    return true;
}

static uint64_t size_of_file(void *state, size_t item)
{
    return (uint64_t)((const ws_energy_job *)state)->states[item].size;
}

/* What came of it, as it travels: the record, and how the reading ended. */
static void pack_result(ws_packer *p, ws_packed *record, ws_energy_part *of)
{
    const char *message = of->error.message;
    ws_rank_pack_bytes(p, record);
    WS_PACK_ENUM(p, &of->status, WS_DATA + 1);
    ws_pack_word(p, &message);
    if (p->writes)
        return;
    of->error.status = of->status;
    snprintf(of->error.message, sizeof of->error.message, "%s", message);
}

static ws_record record_of(const char *const *path, ws_measure **measure, ws_notes *notes)
{
    return (ws_record){.paths = path, .n_paths = 1, .measures = measure, .n_measures = 1, .notes = notes};
}

void ws_rank_read_trace(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer)
{
    ws_arena arena = {0};
    ws_packer asked = {.at = request, .end = request + n}, p = {.writes = true};
    ws_energy_job j = {.source = {.read = WS_READ_DEFAULTS}};
    ws_energy_part of = {0};
    const char *path;
    ws_file_state before = {0};
    ws_packed record = {0};
    ws_line_counts lines = {0};
    ws_begin_texts(&asked, &arena);
    pack_asked(&asked, &j, &path, &before);
    if (!asked.failed && ws_rank_sees(path, &before, answer->refusal, sizeof answer->refusal)) {
        ws_measure *measure = &of.measure;
        j.source.read.rows.threads = threads;
        j.source.read.rows.counts = &lines;
        ws_energy_read(&j, path, &of);
        ws_measure_flush(measure);
        ws_record whole = record_of(&path, &measure, &of.notes);
        if (of.status != WS_IO && ws_record_pack(&whole, &record)) {
            pack_result(&p, &record, &of);
            *answer =
                (ws_rank_answer){.packed = {p.bytes, p.n}, .plain_lines = lines.plain, .other_lines = lines.other};
        }
        ws_identity_free(of.identity);
        ws_measure_free(measure);
        ws_notes_free(&of.notes);
    }
    free(record.bytes);
    free(p.texts);
    free(asked.texts);
    ws_arena_free(&arena);
}

bool ws_energy_take_answer(const ws_energy_job *j, size_t item, ws_energy_part *of, ws_rank_answer *answer)
{
    const char *path = j->paths.paths[item].path;
    ws_packed record = {0};
    ws_arena arena = {0};
    if (!ws_ranks_await(j->round, item, answer))
        return false;
    ws_packer p = {.at = answer->packed.bytes, .end = answer->packed.bytes + answer->packed.n};
    ws_begin_texts(&p, &arena);
    pack_result(&p, &record, of);
    ws_measure_init(&of->measure, &j->measure);
    ws_measure_begin(&of->measure, ws_source_name(path), "");
    ws_measure *measure = &of->measure;
    ws_record whole = record_of(&path, &measure, &of->notes);
    bool is_sound = !p.failed && ws_record_unpack(&whole, record.bytes, record.n);
    if (is_sound) {
        atomic_fetch_add(&j->source.progress->files, 1);
        atomic_fetch_add(&j->source.progress->bytes, (uint64_t)j->states[item].size);
        if (j->source.read.rows.counts) {
            j->source.read.rows.counts->plain += answer->plain_lines;
            j->source.read.rows.counts->other += answer->other_lines;
        }
    } else {
        ws_measure_free(&of->measure);
        *of = (ws_energy_part){0};
    }
    free(record.bytes);
    free(p.texts);
    free(answer->packed.bytes);
    ws_arena_free(&arena);
    return is_sound;
}

void ws_energy_begin_round(ws_energy_job *j, unsigned threads)
{
    if (!j->cli->leads || j->region_file || j->baseline.is_measured)
        return;
    j->states = ws_alloc((j->paths.n + 1) * sizeof *j->states);
    for (size_t i = 0; i < j->paths.n; i++)
        j->states[i] = ws_file_state_of(j->paths.paths[i].path);
    j->round = ws_ranks_begin(&(ws_rank_task){.kind = WS_RANK_ENERGY,
                                              .work = ws_rank_read_trace,
                                              .state = j,
                                              .threads = threads,
                                              .size = size_of_file,
                                              .describe = describe_file},
                              j->paths.n);
}
