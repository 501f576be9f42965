/* perun's HDF5 file read without the library, which takes longer to load than most such files to read.
 *
 * A file is rehearsed first: it is walked through while nobody takes what it holds. Where anything that is asked for on
 * the way is odd (hdf5_plain.h), the file as a whole is left to the library, which reads or refuses it. So all that is
 * said of odd files is said by perun_hdf5.c. */
#include "formats/hdf5/perun_hdf5.h"

#include "core/arena.h"
#include "formats/hdf5/hdf5_plain.h"
#include "formats/hdf5/perun_sensor.h"
#include "formats/hdf5/perun_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 8192 };

/* The places of the tree are addresses of objects. */
typedef struct plain_file {
    const ws_perun_hdf5_file *of;
    ws_hdf5_plain *objects;
    double stored[PIECE];
} plain_file;

static void read_unit(plain_file *f, uint64_t address, char unit[8])
{
    ws_arena arena = {0};
    if (!ws_perun_keep_unit(ws_hdf5_plain_text(f->objects, address, "unit", &arena), unit))
        strcpy(unit, WS_PERUN_LOST_UNIT);
    ws_arena_free(&arena);
}

/* The tree */

static bool find_part(plain_file *f, ws_perun_ref place, ws_perun_part part, uint64_t *group)
{
    *group = (uint64_t)place.id;
    return (part == WS_PERUN_ITSELF || ws_hdf5_plain_find(f->objects, *group, ws_perun_part_name(part), group)) &&
           ws_hdf5_plain_group(f->objects, *group);
}

static bool tree_open(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child)
{
    plain_file *f = state;
    uint64_t group, address;
    bool ok = find_part(f, parent, part, &group) && ws_hdf5_plain_find(f->objects, group, name, &address) &&
              ws_hdf5_plain_header(f->objects, address, true);
    child->id = ok ? (int64_t)address : -1;
    return ok;
}

static void tree_close(void *state, ws_perun_ref place)
{
    (void)state, (void)place;
}

/* Has it perun's attribute? What has none is a data set, or a part of a name with a slash. */
static bool is_node(plain_file *f, uint64_t address)
{
    bool is = ws_hdf5_plain_header(f->objects, address, true) && ws_hdf5_plain_has(f->objects, address, "type");
    f->objects->is_odd |= !is;
    return is;
}

static void list(plain_file *f, uint64_t group, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    const ws_hdf5_group *g = ws_hdf5_plain_group(f->objects, group);
    bool nodes = part == WS_PERUN_NODES || part == WS_PERUN_SENSORS;
    for (size_t i = 0; g && i < g->n; i++) {
        const ws_hdf5_link *link = &g->links[i];
        bool is_known = part == WS_PERUN_SENSORS && ws_perun_is_known(link->name);
        if (!nodes || is_known || is_node(f, link->address))
            ws_perun_add_name(names, arena, link->name);
    }
}

static void tree_names(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    uint64_t group;
    if (find_part(state, place, part, &group))
        list(state, group, part, arena, names);
    else
        names->is_damaged = ws_perun_is_always_there(part);
}

static bool tree_is_sensor(void *state, ws_perun_ref place)
{
    uint64_t group;
    return find_part(state, place, WS_PERUN_RAW_DATA, &group);
}

static const char *tree_text(void *state, ws_perun_ref place, const char *key, ws_arena *arena)
{
    plain_file *f = state;
    return ws_hdf5_plain_text(f->objects, (uint64_t)place.id, key, arena);
}

static bool tree_number(void *state, ws_perun_ref place, const char *key, double *value)
{
    plain_file *f = state;
    return ws_hdf5_plain_number(f->objects, (uint64_t)place.id, key, value);
}

static bool find_vector(plain_file *f, ws_perun_ref place, const char *name, uint64_t *address)
{
    uint64_t group;
    return find_part(f, place, WS_PERUN_RAW_DATA, &group) && ws_hdf5_plain_find(f->objects, group, name, address) &&
           ws_hdf5_plain_header(f->objects, *address, false);
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
    plain_file *f = state;
    double largest;
    uint64_t address;
    bool is_there =
        find_vector(f, place, name, &address) && ws_hdf5_plain_number(f->objects, address, "valid_max", &largest);
    return is_there ? largest : NAN;
}

/* Numbers of a vector. */
typedef struct numbers {
    const ws_hdf5_number_type *type;
    uint64_t at;
} numbers;

static bool tree_series(void *state, ws_perun_ref place, const char *name, ws_perun_series *series)
{
    plain_file *f = state;
    uint64_t address;
    *series = (ws_perun_series){.magnitude = NAN};
    if (!find_vector(f, place, name, &address))
        return false;
    const ws_hdf5_header *h = ws_hdf5_plain_header(f->objects, address, false);
    numbers *v = ws_alloc(sizeof *v);
    *v = (numbers){h->type, h->at};
    series->n = h->n;
    series->ref.reader = v;
    ws_hdf5_plain_number(f->objects, address, "mag", &series->magnitude);
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

static ws_status read_trees(plain_file *f, const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    const ws_perun_tree tree = {.state = f,
                                .samples = f->of->samples,
                                .source = f->of->path,
                                .bytes = f->objects->blocks.end,
                                .open = tree_open,
                                .close = tree_close,
                                .names = tree_names,
                                .is_sensor = tree_is_sensor,
                                .text = tree_text,
                                .number = tree_number,
                                .unit = tree_unit,
                                .valid_max = tree_valid_max,
                                .series = tree_series,
                                .close_series = tree_close_series,
                                .read = tree_read};
    ws_arena arena = {0};
    ws_perun_names roots = {0};
    list(f, f->objects->root, WS_PERUN_NODES, &arena, &roots);
    f->objects->is_odd |= !roots.n;
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < roots.n; i++) {
        uint64_t address;
        if (ws_hdf5_plain_find(f->objects, f->objects->root, roots.items[i], &address))
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

static bool perun_hdf5_plain_wants(void *state, ws_quantity quantity)
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
                            .wants = sink->wants ? perun_hdf5_plain_wants : NULL};
    ws_notes notes = {0};
    ws_error error = {0};
    read_trees(f, &nobody, &notes, &error);
    ws_notes_free(&notes);
    return !f->objects->is_odd;
}

bool ws_perun_hdf5_read_plain(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_status *status, ws_error *error)
{
    ws_sink asked = *sink;
    plain_file *f = ws_realloc(NULL, 1, sizeof *f); /* large, and needs no zeros */
    f->of = file;
    f->objects = ws_hdf5_plain_open(&file->bytes);
    bool done = is_plain(f, &asked);
    if (done)
        *status = read_trees(f, sink, file->notes, error);
    if (done && *status == WS_OK && f->objects->is_odd)
        *status = ws_fail_at(error, WS_FORMAT, file->path, 0, "was written to while it was read; read it again");
    ws_hdf5_plain_close(f->objects);
    free(f);
    return done;
}
