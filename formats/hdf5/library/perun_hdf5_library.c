/* perun's HDF5 file, as h5dump -n shows it (0.8.10):
 *
 *   group    /perun                                                               type=1, named after the application
 *   group    /perun/nodes/3172377                                                 one call of `perun monitor`
 *   group    /perun/nodes/3172377/nodes/0                                         one round
 *   group    /perun/nodes/3172377/nodes/0/regions/train_model/raw_data/0          events of rank 0
 *   group    /perun/nodes/3172377/nodes/0/nodes/node0001/nodes/gpu/nodes/CUDA:0_POWER
 *   dataset  .../CUDA:0_POWER/raw_data/timesteps                                  float32, s
 *   dataset  .../CUDA:0_POWER/raw_data/values                                     unit=W mag=0.001
 *   dataset  .../cpu_0_package-0/raw_data/alt_values                              unit=J mag=1e-06, the counter
 *
 * Every version since 0.3.3 is read by what is there, never by the version it states. */
#include "formats/hdf5/library/perun_hdf5_library.h"

#include "formats/hdf5/library/hdf5_driver.h"
#include "formats/hdf5/hdf5_group.h"
#include "formats/hdf5/hdf5_header.h"
#include "formats/hdf5/library/hdf5_series.h"
#include "formats/hdf5/library/hdf5_text.h"
#include "formats/hdf5/library/perun_hdf5_names.h"
#include "formats/hdf5/perun_samples.h"
#include "formats/hdf5/perun_walk.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group of a place's children, kept open until the place is closed. */
typedef struct kept_group {
    hid_t place, group;
    ws_perun_part part;
} kept_group;

/* Open places lie below each other, and each has few parts that are looked into. */
enum { MOST_KEPT = 16 };

typedef struct opened {
    const char *path; /* for messages */
    hid_t file;
    ws_hdf5_blocks *blocks; /* NULL where groups may be spelled otherwise than hdf5_group.h has them */
    ws_hdf5_group group;    /* the one that was looked at last */
    const ws_hdf5_bytes *bytes;
    ws_hdf5_buffers buffers;
    ws_hdf5_texts texts;
    kept_group kept[MOST_KEPT];
    size_t n_kept;
} opened;

/* Only what lies in the file itself: a soft or external link could lead anywhere. */
static bool has_own(hid_t place, const char *name)
{
    H5L_info_t info;
    return H5Lget_info(place, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

/* Is every link on the way a hard one? `path` is cut and put together again. */
static bool are_own(hid_t place, char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool is_own = has_own(place, path);
        *slash = '/';
        if (!is_own)
            return false;
    }
    return has_own(place, path);
}

/* Sensors of one host may share their time steps by a soft link, which is followed where it leads straight to them. */
static bool has_own_vector(hid_t group, const char *name)
{
    enum { LONGEST = 1024 };
    char path[LONGEST + 1] = "";
    H5L_info_t info;
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0)
        return false;
    if (info.type == H5L_TYPE_HARD)
        return true;
    return info.type == H5L_TYPE_SOFT && info.u.val_size <= LONGEST &&
           H5Lget_val(group, name, path, LONGEST, H5P_DEFAULT) >= 0 && *path && are_own(group, path);
}

static hid_t open_own_group(hid_t place, const char *name)
{
    return has_own(place, name) ? H5Gopen2(place, name, H5P_DEFAULT) : H5I_INVALID_HID;
}

/* The group that holds that part of a place, NULL where there is none: it stays open until the place is closed. */
static kept_group *open_part(opened *o, hid_t place, ws_perun_part part)
{
    for (size_t i = 0; i < o->n_kept; i++)
        if (o->kept[i].place == place && o->kept[i].part == part)
            return &o->kept[i];
    hid_t group = open_own_group(place, ws_perun_part_name(part));
    if (group < 0)
        return NULL;
    if (o->n_kept == MOST_KEPT)
        H5Gclose(o->kept[--o->n_kept].group);
    o->kept[o->n_kept] = (kept_group){.place = place, .group = group, .part = part};
    return &o->kept[o->n_kept++];
}

static void close_place(opened *o, hid_t place)
{
    size_t n = 0;
    for (size_t i = 0; i < o->n_kept; i++) {
        if (o->kept[i].place == place)
            H5Gclose(o->kept[i].group);
        else
            o->kept[n++] = o->kept[i];
    }
    o->n_kept = n;
    H5Gclose(place);
}

static bool is_linked(hid_t place, ws_perun_part part)
{
    return has_own(place, ws_perun_part_name(part));
}

/* May it hold more than the library lists? It takes a count or a name that is damaged for what it says. Groups of a
 * newer kind have checksums, which it holds against them. */
static bool is_damaged(opened *o, hid_t group)
{
    H5O_info_t info;
    uint64_t tree, heap;
    if (!o->blocks)
        return false;
    return H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0 ||
           (ws_hdf5_header_find_names(o->blocks, info.addr, &tree, &heap) &&
            !ws_hdf5_group_read(o->blocks, tree, heap, &o->group));
}

/* The tree */

static bool tree_open(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child)
{
    const kept_group *in = part == WS_PERUN_ITSELF ? NULL : open_part(state, parent.id, part);
    hid_t group = part == WS_PERUN_ITSELF ? parent.id : in ? in->group : H5I_INVALID_HID;
    child->id = group < 0 ? group : open_own_group(group, name);
    return child->id >= 0;
}

static void tree_close(void *state, ws_perun_ref place)
{
    close_place(state, place.id);
}

static void tree_names(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    if (part == WS_PERUN_ITSELF) {
        ws_perun_list_group(place.id, part, arena, names);
        names->is_damaged |= is_damaged(state, place.id);
        return;
    }
    const kept_group *in = open_part(state, place.id, part);
    if (in)
        ws_perun_list_group(in->group, part, arena, names);
    else
        names->is_damaged = ws_perun_is_always_there(part) || is_linked(place.id, part);
    names->is_damaged |= is_damaged(state, in ? in->group : place.id);
}

static bool tree_is_sensor(void *state, ws_perun_ref place)
{
    return open_part(state, place.id, WS_PERUN_RAW_DATA) != NULL;
}

static const char *tree_text(void *state, ws_perun_ref place, const char *key, ws_arena *arena)
{
    opened *o = state;
    return ws_hdf5_text(&o->texts, place.id, ".", key, arena);
}

static bool tree_number(void *state, ws_perun_ref place, const char *key, double *value)
{
    (void)state;
    return ws_hdf5_number(place.id, ".", key, value);
}

/* The group that holds a vector of that name; H5I_INVALID_HID where there is none. */
static hid_t find_vector(opened *o, hid_t place, const char *name)
{
    const kept_group *raw_data = open_part(o, place, WS_PERUN_RAW_DATA);
    return raw_data && has_own_vector(raw_data->group, name) ? raw_data->group : H5I_INVALID_HID;
}

static bool tree_unit(void *state, ws_perun_ref place, const char *name, char unit[8])
{
    opened *o = state;
    hid_t group = find_vector(o, place.id, name);
    if (group < 0)
        return false;
    ws_arena arena = {0};
    if (!ws_perun_keep_unit(ws_hdf5_text(&o->texts, group, name, "unit", &arena), unit))
        strcpy(unit, WS_PERUN_LOST_UNIT);
    ws_arena_free(&arena);
    return true;
}

static double tree_valid_max(void *state, ws_perun_ref place, const char *name)
{
    double largest;
    hid_t group = find_vector(state, place.id, name);
    return group >= 0 && ws_hdf5_number(group, name, "valid_max", &largest) ? largest : NAN;
}

static bool tree_series(void *state, ws_perun_ref place, const char *name, ws_perun_series *series)
{
    opened *o = state;
    hid_t group = find_vector(o, place.id, name), dataset = group < 0 ? group : H5Dopen2(group, name, H5P_DEFAULT);
    *series = (ws_perun_series){.magnitude = NAN};
    if (dataset < 0)
        return false;
    series->ref.reader = ws_hdf5_series_open(dataset, o->bytes, &o->buffers, &series->n);
    if (series->ref.reader)
        ws_hdf5_number(group, name, "mag", &series->magnitude);
    return series->ref.reader != NULL;
}

static void tree_close_series(void *state, ws_perun_series *series)
{
    (void)state;
    ws_hdf5_series_close(series->ref.reader);
}

static ws_status tree_read(void *state, const ws_perun_series *series, uint64_t first, size_t count, double *value,
                           ws_error *error)
{
    const opened *o = state;
    if (ws_hdf5_series_read(series->ref.reader, first, count, value))
        return WS_OK;
    if (ws_hdf5_series_lacks_filter(series->ref.reader))
        return ws_fail_at(
            error, WS_FORMAT, o->path, 0,
            "raw data are packed in a way that the HDF5 library at hand does not know; where the file was "
            "written unpack them: h5repack -f NONE IN OUT, or copy them by h5py if it packed them (lzf)");
    return ws_fail_at(error, WS_FORMAT, o->path, 0,
                      "raw data cannot be read: the file is damaged; copy it again from where it was written");
}

/* The file */

/* Of a file whose groups have the usual sizes. */
static ws_hdf5_blocks *look_into_groups(const opened *o)
{
    size_t address = 0, length = 0;
    unsigned half_of_node = 0, half_of_leaf = 0;
    hid_t create = H5Fget_create_plist(o->file);
    bool ok = create >= 0 && H5Pget_sizes(create, &address, &length) >= 0 &&
              H5Pget_sym_k(create, &half_of_node, &half_of_leaf) >= 0;
    if (create >= 0)
        H5Pclose(create);
    if (!ok || address != 8 || length != 8 || half_of_node != 16 || half_of_leaf != 4)
        return NULL;
    ws_hdf5_blocks *blocks = ws_realloc(NULL, 1, sizeof *blocks); /* large, and needs no zeros */
    if (ws_hdf5_blocks_init(blocks, o->bytes))
        return blocks;
    free(blocks);
    return NULL;
}

static ws_status open_file(opened *o, ws_error *error)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (ws_hdf5_set_driver(access, o->bytes) && ws_hdf5_text_init())
        o->file = H5Fopen(o->path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (o->file >= 0)
        o->blocks = look_into_groups(o);
    return o->file >= 0
               ? WS_OK
               : ws_fail_at(error, WS_FORMAT, o->path, 0,
                            "HDF5 cannot open it: the file is cut or damaged; copy it again, or read perun's CSV or "
                            "JSON export");
}

static ws_status read_trees(opened *o, ws_perun_samples *samples, const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    hsize_t bytes = 0;
    H5Fget_filesize(o->file, &bytes);
    const ws_perun_tree tree = {.state = o,
                                .samples = samples,
                                .source = o->path,
                                .bytes = bytes,
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
    hid_t top = H5Gopen2(o->file, "/", H5P_DEFAULT);
    if (top >= 0)
        ws_perun_list_group(top, WS_PERUN_NODES, &arena, &roots);
    ws_status status = WS_OK;
    if (top < 0 || roots.is_damaged || is_damaged(o, top))
        ws_notes_add(notes, WS_FINDING_DAMAGED_OBJECT, o->path, "", 0,
                     "the list of what the file holds cannot be read in full: the file is damaged; copy it again from "
                     "where it was written");
    if (!roots.n)
        status =
            ws_fail_at(error, WS_FORMAT, o->path, 0,
                       "is HDF5, but no group in it has the attribute 'type' that perun writes; export it to CSV to "
                       "read it by columns");
    for (size_t i = 0; status == WS_OK && i < roots.n; i++) {
        ws_perun_ref root = {.id = H5Gopen2(top, roots.items[i], H5P_DEFAULT)};
        if (root.id < 0) {
            ws_notes_add(notes, WS_FINDING_DAMAGED_OBJECT, o->path, roots.items[i], 0,
                         "'%s' cannot be read and is left out: the file is damaged; copy it again from where it was "
                         "written",
                         roots.items[i]);
            continue;
        }
        status = ws_perun_walk(&tree, root, roots.items[i], sink, notes, error);
        close_place(o, root.id);
    }
    if (top >= 0)
        H5Gclose(top);
    ws_arena_free(&arena);
    return status;
}

ws_status ws_perun_hdf5_read(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error)
{
    /* It prints its own account of each failure unless told otherwise. */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    opened o = {.path = file->path, .file = H5I_INVALID_HID, .bytes = &file->bytes, .texts.bytes = &file->bytes};
    ws_status status = open_file(&o, error);
    if (status == WS_OK)
        status = read_trees(&o, file->samples, sink, file->notes, error);
    if (o.file >= 0)
        H5Fclose(o.file);
    free(o.blocks);
    ws_hdf5_group_free(&o.group);
    ws_hdf5_buffers_free(&o.buffers);
    ws_hdf5_texts_free(&o.texts);
    return status;
}
