/* perun's HDF5 file read without the library, which takes longer to load than most such files to read.
 *
 * h5py spells each object in one of few ways, and those are known here (hdf5_header.h, hdf5_group.h). A file is rehearsed first: it
 * is walked through while nobody takes what it holds. Where anything that is asked for on the way is spelled otherwise, or damaged,
 * the file as a whole is left to the library, which reads or refuses it. So all that is said of odd files is said by
 * perun_hdf5.c. */
#include "formats/perun_hdf5.h"

#include "core/arena.h"
#include "formats/hdf5_group.h"
#include "formats/hdf5_heap.h"
#include "formats/hdf5_superblock.h"
#include "formats/perun_sensor.h"
#include "formats/perun_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group whose links are known. */
typedef struct kept_group {
    uint64_t address, used; /* used: when */
    ws_hdf5_group group;
} kept_group;

enum { MOST_KEPT = 16, PIECE = 8192 };

static const uint64_t NOWHERE = UINT64_MAX;

/* The places of the tree are addresses. */
typedef struct plain_file {
    const ws_perun_hdf5_file *of;
    bool is_odd; /* something was met that is not known here; nothing is found from then on */
    ws_hdf5_texts texts;
    uint64_t root, header_at; /* the header that was read last */
    ws_hdf5_header header;
    ws_hdf5_blocks blocks;
    kept_group kept[MOST_KEPT];
    uint64_t now; /* counts the uses of groups */
    double stored[PIECE];
} plain_file;

/* Objects */

/* NULL where the file is odd, and with it the object. Good until the next one is asked for. */
static const ws_hdf5_header *header_of(plain_file *f, uint64_t address)
{
    if (!f->is_odd && address != f->header_at) {
        f->is_odd = !ws_hdf5_header_read(&f->blocks, address, &f->header);
        f->header_at = f->is_odd ? NOWHERE : address;
    }
    return f->is_odd ? NULL : &f->header;
}

/* NULL where it is odd: the file is, too, unless the object is of the kind that is wanted. */
static const ws_hdf5_header *header_of_kind(plain_file *f, uint64_t address, bool is_group)
{
    const ws_hdf5_header *h = header_of(f, address);
    f->is_odd |= !h || h->is_group != is_group;
    return f->is_odd ? NULL : h;
}

static kept_group *find_kept(plain_file *f, uint64_t address)
{
    kept_group *oldest = f->kept;
    for (kept_group *k = f->kept; k < f->kept + MOST_KEPT; k++) {
        if (k->address == address)
            return k;
        if (k->used < oldest->used)
            oldest = k;
    }
    oldest->address = NOWHERE;
    return oldest;
}

/* What lies in a group; NULL where it is odd. Good until MOST_KEPT others were asked for. */
static const ws_hdf5_group *links_of(plain_file *f, uint64_t address)
{
    if (f->is_odd)
        return NULL;
    kept_group *k = find_kept(f, address);
    k->used = ++f->now;
    if (k->address == address)
        return &k->group;
    const ws_hdf5_header *h = header_of_kind(f, address, true);
    f->is_odd |= !h || !ws_hdf5_group_read(&f->blocks, h->tree, h->heap, &k->group);
    if (f->is_odd)
        return NULL;
    k->address = address;
    return &k->group;
}

static bool find(plain_file *f, uint64_t group, const char *name, uint64_t *address)
{
    const ws_hdf5_group *g = links_of(f, group);
    const ws_hdf5_link *link = g ? ws_hdf5_group_find(g, name) : NULL;
    *address = link ? link->address : NOWHERE;
    return link != NULL;
}

static const ws_hdf5_attribute *find_attribute(plain_file *f, uint64_t address, const char *name)
{
    const ws_hdf5_header *h = header_of(f, address);
    return h ? ws_hdf5_header_attribute(h, name) : NULL;
}

static const char *numbers_as_text(const ws_hdf5_attribute *a, ws_arena *arena)
{
    double *value = ws_alloc((size_t)a->n * sizeof *value);
    a->type->convert(a->value, value, (size_t)a->n);
    const char *text = ws_hdf5_numbers_text(value, (size_t)a->n, arena);
    free(value);
    return text;
}

static const char *read_text(plain_file *f, uint64_t address, const char *name, ws_arena *arena)
{
    const ws_hdf5_attribute *a = find_attribute(f, address, name);
    if (a && a->kind == WS_HDF5_NUMBER)
        return numbers_as_text(a, arena);
    return a && a->kind == WS_HDF5_TEXT && a->n == 1 ? ws_hdf5_referred_text(&f->texts, a->value, arena) : NULL;
}

static bool read_number(plain_file *f, uint64_t address, const char *name, double *value)
{
    const ws_hdf5_attribute *a = find_attribute(f, address, name);
    bool is_number = a && a->kind == WS_HDF5_NUMBER && a->n == 1;
    if (is_number)
        a->type->convert(a->value, value, 1);
    return is_number;
}

static void read_unit(plain_file *f, uint64_t address, char unit[8])
{
    ws_arena arena = {0};
    const char *text = read_text(f, address, "unit", &arena);
    strcpy(unit, text && strlen(text) < 8 ? text : "");
    ws_arena_free(&arena);
}

/* The tree */

static bool find_part(plain_file *f, ws_perun_ref place, ws_perun_part part, uint64_t *group)
{
    static const char *const names[] = {"nodes", "nodes", "regions", "raw_data"};
    return find(f, (uint64_t)place.id, names[part], group) && links_of(f, *group);
}

static bool tree_open(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child)
{
    plain_file *f = state;
    uint64_t group, address;
    bool ok = find_part(f, parent, part, &group) && find(f, group, name, &address) && header_of_kind(f, address, true);
    child->id = ok ? (int64_t)address : -1;
    return ok;
}

static void tree_close(void *state, ws_perun_ref place)
{
    (void)state, (void)place;
}

static void add_name(ws_perun_names *names, size_t *capacity, const char *name, ws_arena *arena)
{
    if (names->n == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 16;
        const char **grown = ws_arena_alloc(arena, *capacity * sizeof *grown);
        if (names->n)
            memcpy(grown, names->items, names->n * sizeof *grown);
        names->items = grown;
    }
    names->items[names->n++] = ws_arena_strdup(arena, name);
}

/* Has it perun's attribute? What has none is a data set, or a part of a name with a slash. */
static bool is_node(plain_file *f, uint64_t address)
{
    bool is = header_of_kind(f, address, true) && find_attribute(f, address, "type");
    f->is_odd |= !is;
    return is;
}

static void list(plain_file *f, uint64_t group, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    const ws_hdf5_group *g = links_of(f, group);
    bool nodes = part == WS_PERUN_NODES || part == WS_PERUN_SENSORS;
    size_t capacity = 0;
    for (size_t i = 0; g && i < g->n; i++) {
        const ws_hdf5_link *link = &g->links[i];
        bool is_known = part == WS_PERUN_SENSORS && ws_perun_is_known(link->name);
        if (!nodes || is_known || is_node(f, link->address))
            add_name(names, &capacity, link->name, arena);
    }
}

static void tree_names(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    uint64_t group;
    if (find_part(state, place, part, &group))
        list(state, group, part, arena, names);
}

static bool tree_is_sensor(void *state, ws_perun_ref place)
{
    uint64_t group;
    return find_part(state, place, WS_PERUN_RAW_DATA, &group);
}

static const char *tree_text(void *state, ws_perun_ref place, const char *key, ws_arena *arena)
{
    return read_text(state, (uint64_t)place.id, key, arena);
}

/* Up to 0.6.2 the metrics of a region lie in the region itself, and N_RUNS still does. */
static bool find_metric(plain_file *f, uint64_t place, const char *name, uint64_t *metric)
{
    uint64_t metrics;
    bool is_there =
        (find(f, place, "metrics", &metrics) && find(f, metrics, name, metric)) || find(f, place, name, metric);
    return is_there && header_of_kind(f, *metric, true);
}

static bool tree_metric(void *state, ws_perun_ref place, const char *name, ws_perun_metric *metric)
{
    plain_file *f = state;
    uint64_t at;
    if (!find_metric(f, (uint64_t)place.id, name, &at))
        return false;
    double magnitude = 1;
    bool ok = read_number(f, at, "value", &metric->value) || read_number(f, at, "mean", &metric->value);
    read_number(f, at, "mag", &magnitude);
    metric->value *= ok ? magnitude : 1;
    read_unit(f, at, metric->unit);
    return ok;
}

static bool find_vector(plain_file *f, ws_perun_ref place, const char *name, uint64_t *address)
{
    uint64_t group;
    return find_part(f, place, WS_PERUN_RAW_DATA, &group) && find(f, group, name, address) &&
           header_of_kind(f, *address, false);
}

static bool tree_unit(void *state, ws_perun_ref place, const char *name, char unit[8])
{
    uint64_t address;
    bool is_there = find_vector(state, place, name, &address);
    if (is_there)
        read_unit(state, address, unit);
    return is_there;
}

static double tree_valid_max(void *state, ws_perun_ref place, const char *name)
{
    double largest;
    uint64_t address;
    bool is_there = find_vector(state, place, name, &address) && read_number(state, address, "valid_max", &largest);
    return is_there ? largest : NAN;
}

/* Numbers of a vector. */
typedef struct numbers {
    const ws_hdf5_number_type *type;
    uint64_t at;
} numbers;

static bool tree_series(void *state, ws_perun_ref place, const char *name, ws_perun_series *series)
{
    uint64_t address;
    *series = (ws_perun_series){.magnitude = 1};
    if (!find_vector(state, place, name, &address))
        return false;
    const ws_hdf5_header *h = header_of(state, address);
    numbers *v = ws_alloc(sizeof *v);
    *v = (numbers){h->type, h->at};
    series->n = h->n;
    series->ref.reader = v;
    read_number(state, address, "mag", &series->magnitude);
    return true;
}

static void tree_close_series(void *state, ws_perun_series *series)
{
    (void)state;
    free(series->ref.reader);
}

static ws_status tree_read(void *state, const ws_perun_series *series, uint64_t first, size_t count, double *value,
                           ws_error *error)
{
    plain_file *f = state;
    const numbers *v = series->ref.reader;
    bool is_double = v->type->is_float && v->type->size == sizeof(double);
    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < PIECE ? count - done : PIECE;
        uint64_t at = v->at + (first + done) * v->type->size;
        void *stored = is_double ? value + done : f->stored;
        if (!ws_hdf5_copy(&f->of->bytes, at, stored, n * v->type->size))
            return ws_fail_at(error, WS_FORMAT, f->of->path, 0,
                              "raw data cannot be read: the file is damaged; copy it again from where it was written");
        if (!is_double)
            v->type->convert(stored, value + done, n);
    }
    return WS_OK;
}

/* The file */

static bool open_file(plain_file *f, const ws_perun_hdf5_file *file)
{
    memset(f, 0, offsetof(plain_file, header));
    f->of = file;
    f->texts.bytes = &file->bytes;
    f->now = 0;
    for (size_t i = 0; i < MOST_KEPT; i++)
        f->kept[i] = (kept_group){.address = NOWHERE};
    bool is_plain =
        ws_hdf5_blocks_init(&f->blocks, &file->bytes) && ws_hdf5_superblock_read(&f->blocks, &f->root, &f->header);
    f->header_at = is_plain ? f->root : NOWHERE;
    return is_plain;
}

static void close_file(plain_file *f)
{
    for (size_t i = 0; i < MOST_KEPT; i++)
        ws_hdf5_group_free(&f->kept[i].group);
    ws_hdf5_texts_free(&f->texts);
    free(f);
}

static ws_status read_trees(plain_file *f, const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    const ws_perun_tree tree = {.state = f,
                                .samples = f->of->samples,
                                .source = f->of->path,
                                .bytes = f->blocks.end,
                                .open = tree_open,
                                .close = tree_close,
                                .names = tree_names,
                                .is_sensor = tree_is_sensor,
                                .text = tree_text,
                                .metric = tree_metric,
                                .unit = tree_unit,
                                .valid_max = tree_valid_max,
                                .series = tree_series,
                                .close_series = tree_close_series,
                                .read = tree_read};
    ws_arena arena = {0};
    ws_perun_names roots = {0};
    list(f, f->root, WS_PERUN_NODES, &arena, &roots);
    f->is_odd |= !roots.n;
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < roots.n; i++) {
        uint64_t address;
        if (find(f, f->root, roots.items[i], &address))
            status = ws_perun_walk(&tree, (ws_perun_ref){.id = (int64_t)address}, roots.items[i], sink, notes, error);
    }
    ws_arena_free(&arena);
    return status;
}

/* The rehearsal */

static ws_status want_no_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)channel, (void)error;
    *id = -1;
    return WS_OK;
}

static void hear_no_fact(void *state, const ws_fact *fact)
{
    (void)state, (void)fact;
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_sink *sink = state;
    return sink->wants(sink->state, quantity);
}

/* Is all that this sink asks for known here? */
static bool is_plain(plain_file *f, ws_sink *sink)
{
    const ws_sink nobody = {.state = sink,
                            .channel = want_no_channel,
                            .fact = sink->fact ? hear_no_fact : NULL,
                            .every_fact = sink->every_fact,
                            .wants = sink->wants ? wants : NULL};
    ws_notes notes = {0};
    ws_error error;
    read_trees(f, &nobody, &notes, &error);
    ws_notes_free(&notes);
    return !f->is_odd;
}

bool ws_perun_hdf5_read_plain(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_status *status, ws_error *error)
{
    ws_sink asked = *sink;
    plain_file *f = ws_realloc(NULL, 1, sizeof *f); /* large, and needs no zeros */
    bool done = open_file(f, file) && is_plain(f, &asked);
    if (done)
        *status = read_trees(f, sink, file->notes, error);
    if (done && *status == WS_OK && f->is_odd)
        *status = ws_fail_at(error, WS_FORMAT, file->path, 0, "was written to while it was read; read it again");
    close_file(f);
    return done;
}
