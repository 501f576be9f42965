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
#include "formats/perun_hdf5.h"

#include "formats/hdf5_driver.h"
#include "formats/hdf5_library.h"
#include "formats/hdf5_series.h"
#include "formats/hdf5_text.h"
#include "formats/perun_hdf5_names.h"
#include "formats/perun_samples.h"
#include "formats/perun_walk.h"

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
    ws_hdf5_bytes bytes;
    uint64_t end;          /* of the file, where headers may be read without the library; else 0 */
    ws_hdf5_header header; /* the last one that was */
    ws_hdf5_buffers buffers;
    ws_hdf5_texts texts;
    kept_group kept[MOST_KEPT];
    size_t n_kept;
} opened;

/* A file held in memory: compressed or from a pipe. */
static const size_t LARGEST_IMAGE = (size_t)4 << 30;

/* Only what lies in the file itself: a soft or external link could lead anywhere. */
static bool find_own(hid_t place, const char *name, haddr_t *address)
{
    H5L_info_t info;
    bool is_own = H5Lget_info(place, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
    *address = is_own ? info.u.address : HADDR_UNDEF;
    return is_own;
}

static bool has_own(hid_t place, const char *name)
{
    haddr_t address;
    return find_own(place, name, &address);
}

static hid_t open_own_group(hid_t place, const char *name)
{
    return has_own(place, name) ? H5Gopen2(place, name, H5P_DEFAULT) : H5I_INVALID_HID;
}

static const char *const part_names[] = {"nodes", "nodes", "regions", "raw_data"};

/* The group that holds that part of a place, NULL where there is none: it stays open until the place is closed. */
static kept_group *open_part(opened *o, hid_t place, ws_perun_part part)
{
    for (size_t i = 0; i < o->n_kept; i++)
        if (o->kept[i].place == place && o->kept[i].part == part)
            return &o->kept[i];
    hid_t group = open_own_group(place, part_names[part]);
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

static bool has_part(hid_t place, ws_perun_part part)
{
    return has_own(place, part_names[part]);
}

static void keep_unit(const char *text, char unit[8])
{
    unit[0] = '\0';
    if (text && strlen(text) < 8)
        strcpy(unit, text);
}

/* The tree */

static bool tree_open(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child)
{
    const kept_group *in = open_part(state, parent.id, part);
    child->id = in ? H5Gopen2(in->group, name, H5P_DEFAULT) : H5I_INVALID_HID;
    return child->id >= 0;
}

static void tree_close(void *state, ws_perun_ref place)
{
    close_place(state, place.id);
}

static void tree_names(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    const kept_group *in = open_part(state, place.id, part);
    if (in)
        ws_perun_list_group(in->group, part, arena, names);
    else
        names->is_damaged = has_part(place.id, part);
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

static bool tree_metric(void *state, ws_perun_ref place, const char *name, ws_perun_metric *metric)
{
    opened *o = state;
    /* Up to 0.6.2 the metrics of a region lie in the region itself, and N_RUNS still does. */
    hid_t metrics = open_own_group(place.id, "metrics");
    hid_t group = metrics >= 0 ? open_own_group(metrics, name) : H5I_INVALID_HID;
    if (metrics >= 0)
        H5Gclose(metrics);
    if (group < 0)
        group = open_own_group(place.id, name);
    if (group < 0)
        return false;
    double magnitude = 1;
    bool ok = ws_hdf5_number(group, ".", "value", &metric->value) || ws_hdf5_number(group, ".", "mean", &metric->value);
    ws_hdf5_number(group, ".", "mag", &magnitude);
    metric->value *= ok ? magnitude : 1;
    ws_arena arena = {0};
    keep_unit(ws_hdf5_text(&o->texts, group, ".", "unit", &arena), metric->unit);
    ws_arena_free(&arena);
    H5Gclose(group);
    return ok;
}

/* A vector by its name, in the group that holds it. */
typedef struct vector {
    hid_t group;
    const char *name;
    const ws_hdf5_header *header; /* good until the next vector is looked for; NULL: only the library can read it */
} vector;

static bool find_vector(opened *o, hid_t place, const char *name, vector *v)
{
    const kept_group *raw_data = open_part(o, place, WS_PERUN_RAW_DATA);
    haddr_t address;
    if (!raw_data || !find_own(raw_data->group, name, &address))
        return false;
    bool is_plain = ws_hdf5_header_read(&o->bytes, o->end, address, &o->header);
    *v = (vector){raw_data->group, name, is_plain ? &o->header : NULL};
    return true;
}

static const char *read_text(opened *o, const vector *v, const char *key, ws_arena *arena)
{
    const ws_hdf5_attribute *a = v->header ? ws_hdf5_header_attribute(v->header, key) : NULL;
    if (!v->header || (a && a->type))
        return ws_hdf5_text(&o->texts, v->group, v->name, key, arena);
    return a ? ws_hdf5_referred_text(&o->texts, a->value, arena) : NULL;
}

static bool read_number(const vector *v, const char *key, double *value)
{
    if (!v->header)
        return ws_hdf5_number(v->group, v->name, key, value);
    const ws_hdf5_attribute *a = ws_hdf5_header_attribute(v->header, key);
    bool is_number = a && a->type;
    if (is_number)
        a->type->convert(a->value, value, 1);
    return is_number;
}

static bool tree_unit(void *state, ws_perun_ref place, const char *name, char unit[8])
{
    vector v;
    if (!find_vector(state, place.id, name, &v))
        return false;
    ws_arena arena = {0};
    keep_unit(read_text(state, &v, "unit", &arena), unit);
    ws_arena_free(&arena);
    return true;
}

static double tree_valid_max(void *state, ws_perun_ref place, const char *name)
{
    double largest;
    vector v;
    return find_vector(state, place.id, name, &v) && read_number(&v, "valid_max", &largest) ? largest : NAN;
}

static ws_hdf5_series *open_series(opened *o, const vector *v, uint64_t *n)
{
    if (v->header) {
        *n = v->header->n;
        return ws_hdf5_series_open_plain(v->header, &o->bytes, &o->buffers);
    }
    hid_t dataset = H5Dopen2(v->group, v->name, H5P_DEFAULT);
    return dataset >= 0 ? ws_hdf5_series_open(dataset, &o->bytes, &o->buffers, n) : NULL;
}

static bool tree_series(void *state, ws_perun_ref place, const char *name, ws_perun_series *series)
{
    vector v;
    *series = (ws_perun_series){.magnitude = 1};
    if (!find_vector(state, place.id, name, &v))
        return false;
    series->ref.reader = open_series(state, &v, &series->n);
    if (series->ref.reader)
        read_number(&v, "mag", &series->magnitude);
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
        return ws_fail_at(error, WS_FORMAT, o->path, 0,
                          "raw data are packed in a way that the HDF5 library at hand does not know; unpack them: "
                          "h5repack -f NONE IN OUT, where the file was written");
    return ws_fail_at(error, WS_FORMAT, o->path, 0,
                      "raw data cannot be read: the file is damaged; copy it again from where it was written");
}

static void tree_leave(void *state)
{
    (void)state;
    ws_hdf5_leave();
}

static void tree_enter(void *state)
{
    (void)state;
    ws_hdf5_enter();
}

/* The file */

static ws_status take_image(opened *o, ws_input *input, ws_error *error)
{
    ws_span *bytes = &o->bytes.memory;
    ws_status status = ws_input_read_all(input, LARGEST_IMAGE, bytes, error);
    if (status == WS_OK && !bytes->n)
        return ws_fail_at(error, WS_FORMAT, o->path, 0, "is empty; copy it again from where it was written");
    return status;
}

static ws_status open_file(opened *o, ws_input *input, ws_error *error)
{
    ws_status status = o->bytes.fd < 0 ? take_image(o, input, error) : WS_OK;
    if (status != WS_OK)
        return status;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (ws_hdf5_set_driver(access, &o->bytes) && ws_hdf5_text_init())
        o->file = H5Fopen(o->path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return o->file >= 0
               ? WS_OK
               : ws_fail_at(error, WS_FORMAT, o->path, 0,
                            "HDF5 cannot open it: the file is cut or damaged; copy it again, or read perun's CSV or "
                            "JSON export");
}

/* Addresses count from the beginning of the file, and are as long as HDF5 usually makes them. */
static bool has_usual_addresses(hid_t file)
{
    hid_t create = H5Fget_create_plist(file);
    hsize_t user_block = 1;
    size_t address_size = 0, length_size = 0;
    bool ok = create >= 0 && H5Pget_userblock(create, &user_block) >= 0 && user_block == 0 &&
              H5Pget_sizes(create, &address_size, &length_size) >= 0 && address_size == 8 && length_size == 8;
    if (create >= 0)
        H5Pclose(create);
    return ok;
}

static ws_status read_trees(opened *o, ws_perun_samples *samples, const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    hsize_t bytes = 0;
    H5Fget_filesize(o->file, &bytes);
    o->end = has_usual_addresses(o->file) ? bytes : 0;
    const ws_perun_tree tree = {.state = o,
                                .samples = samples,
                                .source = o->path,
                                .bytes = bytes,
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
                                .read = tree_read,
                                .leave = tree_leave,
                                .enter = tree_enter};
    ws_arena arena = {0};
    ws_perun_names roots = {0};
    hid_t top = H5Gopen2(o->file, "/", H5P_DEFAULT);
    if (top >= 0)
        ws_perun_list_group(top, WS_PERUN_NODES, &arena, &roots);
    ws_status status = WS_OK;
    if (!roots.n)
        status =
            ws_fail_at(error, WS_FORMAT, o->path, 0,
                       "is HDF5, but no group in it has the attribute 'type' that perun writes; export it to CSV to "
                       "read it by columns");
    for (size_t i = 0; status == WS_OK && i < roots.n; i++) {
        ws_perun_ref root = {.id = H5Gopen2(top, roots.items[i], H5P_DEFAULT)};
        if (root.id < 0) {
            ws_notes_add(notes, "damaged-object", o->path, roots.items[i], 0,
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

ws_status ws_perun_hdf5_read(ws_input *input, ws_perun_samples *samples, const ws_sink *sink, ws_notes *notes,
                             ws_error *error)
{
    ws_hdf5_manner before;
    ws_hdf5_enter_first(&before);
    opened o = {.path = ws_input_path(input), .file = H5I_INVALID_HID, .bytes = {.fd = ws_input_plain_fd(input)}};
    o.texts.bytes = &o.bytes;
    ws_status status = open_file(&o, input, error);
    if (status == WS_OK)
        status = read_trees(&o, samples, sink, notes, error);
    if (o.file >= 0)
        H5Fclose(o.file);
    ws_hdf5_buffers_free(&o.buffers);
    ws_hdf5_texts_free(&o.texts);
    ws_hdf5_leave_last(&before);
    return status;
}
