#include "analyze/run_recall.h"

#include "analyze/log_record.h"
#include "analyze/rank_request.h"
#include "analyze/measure/packer_internal.h"
#include "analyze/store/unit_key.h"
#include "core/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct node_search {
    const struct ws_run_file *files;
    const char *node;
} node_search;

static bool is_of_node(const void *state, size_t file)
{
    const node_search *s = state;
    return strcmp(s->files[file].node, s->node) == 0;
}

static size_t count_named_nodes(const ws_run_files *files)
{
    ws_name_index nodes = {0};
    for (size_t i = 0; i < files->n_files; i++) {
        node_search s = {files->files, files->files[i].node};
        uint64_t hash = ws_name_hash(0, s.node);
        if (*s.node && ws_name_find(&nodes, hash, is_of_node, &s) == WS_NO_PLACE)
            ws_name_add(&nodes, hash, i);
    }
    size_t n = nodes.n;
    ws_name_index_free(&nodes);
    return n ? n : 1;
}

/* The GPUs that each of its nodes has, as the run is described; 0: nothing says it. */
static uint32_t described_gpus_of_node(const ws_run_reading *run)
{
    double gpus = ws_run_described(run, "gpus");
    gpus /= isnan(gpus) ? 1 : (double)count_named_nodes(run->files);
    return gpus >= 1 && gpus <= UINT32_MAX && gpus == (double)(uint32_t)gpus ? (uint32_t)gpus : 0;
}

ws_source_options ws_run_read_options(const ws_run_reading *run, const struct ws_run_file *file)
{
    if (run->resolved)
        return run->resolved[file - run->files->files];
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
static void register_file(const ws_recall *r, const char *path, const char *format, uint64_t size, const char *sha256)
{
    const ws_ingest_options *o = r->run->options;
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

/* Files that are read again together were counted one by one. */
static void count_recalled(const ws_recall *r)
{
    const ws_ingest_options *o = r->run->options;
    const char *sha256;
    uint64_t size;
    for (size_t i = 0; i < r->n && o->source.inputs; i++)
        if (ws_store_about(o->store, r->paths[i], &size, &sha256))
            register_file(r, r->paths[i], r->unit.formats[i] ? r->unit.formats[i] : "", size, sha256);
    if (o->source.progress && strcmp(r->kind, WS_RECALL_EACH_ONCE) != 0)
        atomic_fetch_add(&o->source.progress->files, r->n);
}

static void count_given(const ws_recall *r, const ws_run_unit *unit)
{
    const ws_ingest_options *o = r->run->options;
    for (size_t i = 0; i < r->n && o->source.inputs; i++)
        register_file(r, r->paths[i], unit->formats[i] ? unit->formats[i] : "",
                      (uint64_t)r->run->given->before[unit->first + i].size, unit->sha256[i] ? unit->sha256[i] : "");
    if (!o->source.progress || strcmp(r->kind, WS_RECALL_EACH_ONCE) == 0)
        return;
    atomic_fetch_add(&o->source.progress->files, r->n);
    for (size_t i = 0; i < r->n; i++)
        atomic_fetch_add(&o->source.progress->bytes, (uint64_t)r->run->given->before[unit->first + i].size);
}

static void forget_half(ws_recall *r)
{
    for (size_t i = 0; i < r->n_measures; i++) {
        ws_measure_options options = r->measures[i]->options;
        ws_measure_free(r->measures[i]);
        ws_measure_init(r->measures[i], &options);
    }
}

static void recall_begin(ws_recall *r, const char *kind)
{
    r->kind = kind;
    r->paths = ws_alloc((r->n + 1) * sizeof *r->paths);
    for (size_t i = 0; i < r->n; i++)
        r->paths[i] = r->files[i].path;
    r->unit = (ws_read_unit){.paths = r->paths,
                             .n = r->n,
                             .is_opened_once = strcmp(kind, WS_RECALL_ALONE) == 0,
                             .is_again = strcmp(kind, WS_RECALL_EACH_ONCE) == 0};
}

static bool recall_unpack(ws_recall *r, const ws_packed *packed)
{
    ws_record record = record_of(r);
    bool is_sound = ws_record_unpack(&record, packed->bytes, packed->n);
    r->damaged = record.damaged;
    if (!is_sound)
        forget_half(r);
    for (size_t i = 0; i < r->n_measures; i++)
        if (r->measures[i]->asks_period)
            ws_read_period(&r->run->options->source.read);
    return is_sound;
}

static size_t first_file(const ws_recall *r)
{
    return (size_t)(r->files - r->run->files->files);
}

/* What another process has read, which goes into the store as if this one had. */
static bool take_given(ws_recall *r)
{
    const ws_run_units *given = r->run->given;
    const ws_run_unit *unit = NULL;
    for (size_t i = 0; given && i < given->n && !unit; i++)
        if (given->units[i].first == first_file(r) && given->units[i].n == r->n &&
            strcmp(given->units[i].kind, r->kind) == 0)
            unit = &given->units[i];
    if (!unit || !recall_unpack(r, &unit->record))
        return false;
    count_given(r, unit);
    if (!ws_store_keeps(r->run->options->store))
        return true;
    ws_read_unit_expect(&r->unit);
    memcpy(r->unit.before, given->before + unit->first, r->n * sizeof *r->unit.before);
    memcpy(r->unit.formats, unit->formats, r->n * sizeof *r->unit.formats);
    r->unit.log = unit->log;
    ws_store_keep(r->run->options->store, &r->unit, &unit->record);
    r->unit.log = (ws_packed){0};
    return true;
}

/* Everything up to the last whole line is read. */
static void reach_place(void *state, const ws_log_place *place)
{
    ws_recall *r = state;
    ws_packed packed;
    ws_record record = record_of(r);
    free(r->unit.log.bytes);
    r->unit.log = (ws_packed){0};
    if (place->offset < WS_LOG_LEAST_BYTES || ws_count_damage(r->notes) || !ws_measure_may_go_on(r->measures[0]) ||
        !ws_record_pack(&record, &packed))
        return;
    ws_log_record_pack(r->paths[0], place, &packed, &r->unit.log);
    free(packed.bytes);
}

bool ws_recall_ask_log(ws_recall *r)
{
    ws_packed log, packed;
    if (!ws_store_recall_log(r->run->options->store, &r->unit, &log))
        return false;
    bool is_known = ws_log_record_unpack(r->paths[0], &log, &r->from, &packed) && recall_unpack(r, &packed);
    free(log.bytes);
    r->log.from = is_known ? &r->from : NULL;
    r->unit.went_on = is_known;
    return is_known;
}

void ws_recall_begin_again(ws_recall *r)
{
    ws_packed log = r->unit.log;
    free(log.bytes);
    r->unit.log = (ws_packed){0};
    forget_half(r);
    ws_notes_free(r->notes);
    r->log.from = NULL;
    r->log.is_refused = r->unit.went_on = false;
}

/* A log that another process has read whole, with the other files of its run, is read on where none has. */
static bool knows_beginning(const ws_recall *r)
{
    ws_packed log = {0};
    bool knows = r->run->given && ws_store_recall_log(r->run->options->store, &r->unit, &log);
    free(log.bytes);
    return knows;
}

bool ws_recall_ask(ws_recall *r, const ws_cut *cuts, const char *kind)
{
    ws_store *store = r->run->options->store;
    ws_packed packed;
    if (!ws_recall_is_of_use(r->run))
        return false;
    recall_begin(r, kind);
    if ((ws_store_keeps(store) || r->run->kept) && r->n == 1 && !cuts)
        r->log = (ws_log_reading){.reach = reach_place, .state = r, .least = WS_LOG_LEAST_BYTES};
    if (store)
        find_key(r, cuts, kind);
    bool is_known = ws_store_recall(store, &r->unit, &packed);
    if (!is_known && !knows_beginning(r) && take_given(r))
        return true;
    if (!store && r->run->kept)
        (r->unit.is_opened_once ? ws_read_unit_expect : ws_read_unit_look)(&r->unit);
    if (!is_known)
        return false;
    bool is_sound = recall_unpack(r, &packed);
    free(packed.bytes);
    if (is_sound)
        count_recalled(r);
    return is_sound;
}

bool ws_recall_is_known(ws_recall *r, const ws_cut *cuts, const char *kind)
{
    if (!r->run->options->store)
        return false;
    recall_begin(r, kind);
    find_key(r, cuts, kind);
    ws_packed log = {0};
    bool is_known = ws_store_has(r->run->options->store, &r->unit) ||
                    ws_store_recall_log(r->run->options->store, &r->unit, &log); /* which costs little */
    free(log.bytes);
    return is_known;
}

bool ws_recall_is_of_use(const ws_run_reading *run)
{
    return run->options->store || run->given || run->kept;
}

bool ws_recall_is_outdated(ws_recall *r)
{
    if (!ws_store_keeps(r->run->options->store) && !r->run->kept)
        return false;
    bool changed = ws_read_unit_has_changed(&r->unit);
    r->unit.was_same = !changed;
    return changed;
}

/* For the process that asked. The formats' names are static. */
static void keep_unit(ws_recall *r, const ws_packed *packed)
{
    ws_run_units *kept = r->run->kept;
    kept->units = ws_grow(kept->units, &kept->capacity, kept->n + 1, sizeof *kept->units);
    ws_run_unit *unit = &kept->units[kept->n++];
    *unit = (ws_run_unit){.first = first_file(r), .n = r->n, .kind = r->kind, .record = *packed, .log = r->unit.log};
    r->unit.log = (ws_packed){0};
    unit->formats = ws_arena_alloc(&kept->arena, (r->n + 1) * sizeof *unit->formats);
    memcpy(unit->formats, r->unit.formats, r->n * sizeof *unit->formats);
    unit->sha256 = ws_arena_alloc(&kept->arena, (r->n + 1) * sizeof *unit->sha256);
    for (size_t i = 0; i < r->n; i++) {
        ws_input_register *inputs = r->run->options->source.inputs;
        char digest[WS_SHA256_TEXT];
        bool has = inputs && ws_input_register_digest(inputs, r->paths[i], digest);
        unit->sha256[i] = has ? ws_arena_strdup(&kept->arena, digest) : NULL;
    }
}

void ws_recall_keep(ws_recall *r)
{
    ws_packed packed;
    ws_record record = record_of(r);
    if ((!ws_store_keeps(r->run->options->store) && !r->run->kept) || !ws_record_pack(&record, &packed))
        return;
    if (r->run->kept) {
        keep_unit(r, &packed);
        return;
    }
    ws_store_keep(r->run->options->store, &r->unit, &packed);
    free(packed.bytes);
}

void ws_recall_free(ws_recall *r)
{
    ws_read_unit_free(&r->unit);
    free(r->unit.log.bytes);
    r->unit.log = (ws_packed){0};
    free(r->paths);
    r->paths = NULL;
}

/* --- from one process to another --- */

static void pack_unit(ws_packer *p, ws_run_unit *unit)
{
    ws_pack_size(p, &unit->first);
    ws_pack_count(p, &unit->n);
    ws_pack_word(p, &unit->kind);
    if (!p->writes) {
        unit->formats = ws_arena_alloc(p->arena, (unit->n + 1) * sizeof *unit->formats);
        unit->sha256 = ws_arena_alloc(p->arena, (unit->n + 1) * sizeof *unit->sha256);
    }
    for (size_t i = 0; i < unit->n && !p->failed; i++) {
        ws_pack_text(p, &unit->formats[i]);
        ws_pack_text(p, &unit->sha256[i]);
        const ws_format *known = unit->formats[i] ? ws_format_by_name(unit->formats[i]) : NULL;
        unit->formats[i] = known ? known->name : NULL;
    }
    ws_rank_pack_bytes(p, &unit->record);
    ws_rank_pack_bytes(p, &unit->log);
}

void ws_run_units_pack(ws_packer *p, ws_run_units *units)
{
    ws_pack_count(p, &units->n);
    if (!p->writes)
        units->units = ws_alloc((units->n + 1) * sizeof *units->units);
    for (size_t i = 0; i < units->n && !p->failed; i++)
        pack_unit(p, &units->units[i]);
}

void ws_run_units_free(ws_run_units *units)
{
    for (size_t i = 0; i < units->n; i++) {
        free(units->units[i].record.bytes);
        free(units->units[i].log.bytes);
    }
    free(units->units);
    ws_arena_free(&units->arena);
    *units = (ws_run_units){0};
}
