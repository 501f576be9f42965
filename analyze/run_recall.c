#include "analyze/run_recall.h"

#include "analyze/store/unit_key.h"

#include <stdlib.h>
#include <string.h>

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

ws_source_options ws_run_read_options(const ws_run_reading *run, const struct ws_run_file *file)
{
    ws_source_options source = ws_run_file_options(file, &run->options->source);
    source.read.described_devices = described_gpus_of_node(run);
    source.read.node_is_given = *file->node;
    return source;
}

static void find_key(ws_recall *r, const ws_cut *cuts, const char *kind)
{
    ws_unit_key key;
    ws_unit_key_begin(&key, &r->run->options->measure);
    ws_unit_key_add_word(&key, kind);
    for (size_t i = 0; i < r->n; i++) {
        ws_source_options source = ws_run_read_options(r->run, &r->files[i]);
        ws_unit_key_add_file(&key, &source, r->files[i].node);
    }
    for (size_t i = 0; cuts && i < r->n_measures; i++)
        ws_unit_key_add_window(&key, &cuts[i]);
    ws_unit_key_end(&key, r->unit.key);
}

static ws_record record_of(const ws_recall *r)
{
    return (ws_record){.paths = r->paths,
                       .n_paths = r->n,
                       .measures = r->measures,
                       .n_measures = r->n_measures,
                       .notes = r->notes,
                       .damaged = r->damaged};
}

/* The register of inputs wants the digest of each file: known, or computed now and told to the store. */
static void register_file(const ws_recall *r, const char *path)
{
    const ws_ingest_options *o = r->run->options;
    const char *format, *sha256;
    uint64_t size;
    if (!o->source.inputs || !ws_store_about(o->store, path, &format, &size, &sha256))
        return;
    const ws_format *known = ws_format_by_name(format);
    bool is_packed = ws_packed_outer(path) > 0;
    if (*sha256 || is_packed) {
        ws_input_register_add_known(o->source.inputs, path, known, size, is_packed ? "" : sha256);
        return;
    }
    ws_input *input = NULL;
    if (ws_input_open(&input, path, NULL) != WS_OK)
        return;
    char digest[WS_SHA256_TEXT];
    ws_input_register_add(o->source.inputs, path, known, input);
    if (ws_input_register_digest(o->source.inputs, path, digest))
        ws_store_learn(o->store, path, digest);
    ws_input_close(input);
}

static void count_recalled(const ws_recall *r)
{
    for (size_t i = 0; i < r->n; i++)
        register_file(r, r->paths[i]);
    if (r->run->options->source.progress)
        atomic_fetch_add(&r->run->options->source.progress->files, r->n);
}

static void forget_half(ws_recall *r)
{
    for (size_t i = 0; i < r->n_measures; i++) {
        ws_measure_options options = r->measures[i]->options;
        ws_measure_free(r->measures[i]);
        ws_measure_init(r->measures[i], &options);
    }
}

bool ws_recall_ask(ws_recall *r, const ws_cut *cuts, const char *kind)
{
    ws_store *store = r->run->options->store;
    ws_packed packed;
    if (!store)
        return false;
    r->paths = ws_alloc((r->n + 1) * sizeof *r->paths);
    for (size_t i = 0; i < r->n; i++)
        r->paths[i] = r->files[i].path;
    r->unit = (ws_read_unit){.paths = r->paths, .n = r->n};
    find_key(r, cuts, kind);
    if (!ws_store_recall(store, &r->unit, &packed))
        return false;
    ws_record record = record_of(r);
    bool is_sound = ws_record_unpack(&record, packed.bytes, packed.n);
    free(packed.bytes);
    r->damaged = record.damaged;
    if (is_sound)
        count_recalled(r);
    else
        forget_half(r);
    return is_sound;
}

bool ws_recall_is_outdated(const ws_recall *r)
{
    return ws_store_keeps(r->run->options->store) && ws_read_unit_has_changed(&r->unit);
}

void ws_recall_keep(ws_recall *r)
{
    ws_packed packed;
    ws_record record = record_of(r);
    if (!ws_store_keeps(r->run->options->store) || !ws_record_pack(&record, &packed))
        return;
    ws_store_keep(r->run->options->store, &r->unit, &packed);
    free(packed.bytes);
}

void ws_recall_free(ws_recall *r)
{
    ws_read_unit_free(&r->unit);
    free(r->paths);
    r->paths = NULL;
}
