/* perun's HDF5 files made in memory, and what the reader says of them. */
#ifndef WS_TESTS_MADE_PERUN_H
#define WS_TESTS_MADE_PERUN_H

#include "core/arena.h"
#include "harness.h"
#include "recorder.h"

#include <hdf5.h>

extern const ws_format ws_format_perun_hdf5;

enum { IMAGE_LIMIT = 8 * 1024 * 1024 };

/* A file in the making */

static inline hid_t new_file(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, false);
    hid_t file = H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    ck_assert(file >= 0);
    H5Pclose(access);
    return file;
}

static inline void set_number(hid_t place, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR),
          attribute = H5Acreate2(place, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static inline void set_text(hid_t place, const char *name, const char *value)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &value);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void set_integers(hid_t place, const char *name, const int64_t *value, hsize_t n)
{
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute = H5Acreate2(place, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static inline hid_t new_group(hid_t parent, const char *name)
{
    hid_t create = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(create, 1);
    hid_t group = H5Gcreate2(parent, name, create, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert(group >= 0);
    H5Pclose(create);
    return group;
}

/* A node of perun's tree below `parent`, itself below "nodes" unless parent is the file. */
static inline hid_t new_node(hid_t parent, const char *name, int type)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", type == 1 ? "" : "nodes/", name);
    hid_t node = new_group(parent, path);
    set_number(node, "type", type);
    H5Gclose(new_group(node, "metrics"));
    if (!H5Lexists(node, "nodes", H5P_DEFAULT))
        H5Gclose(new_group(node, "nodes"));
    return node;
}

/* Laid out as `create` says; value: NULL where nothing is written. */
static inline void new_vector_as(hid_t create, hid_t sensor, const char *name, const double *value, hsize_t n,
                                 const char *unit, double magnitude)
{
    char path[64];
    snprintf(path, sizeof path, "raw_data/%s", name);
    if (!H5Lexists(sensor, "raw_data", H5P_DEFAULT))
        H5Gclose(new_group(sensor, "raw_data"));
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t set = H5Dcreate2(sensor, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    ck_assert(set >= 0);
    if (n && value)
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    set_text(set, "unit", unit);
    set_number(set, "mag", magnitude);
    H5Dclose(set);
    H5Sclose(space);
}

static inline void new_vector(hid_t sensor, const char *name, const double *value, hsize_t n, const char *unit,
                              double magnitude)
{
    new_vector_as(H5P_DEFAULT, sensor, name, value, n, unit, magnitude);
}

/* app "perun", multi-run "7", run "0", host "n1"; returns the group `group` of that host. */
static inline hid_t new_device_group(hid_t file, const char *group)
{
    hid_t app = new_node(file, "perun", 1), multi_run = new_node(app, "7", 2), run = new_node(multi_run, "0", 3);
    hid_t host = new_node(run, "n1", 4), devices = new_node(host, group, 5);
    H5Gclose(host);
    H5Gclose(run);
    H5Gclose(multi_run);
    H5Gclose(app);
    return devices;
}

static inline void new_sensor(hid_t devices, const char *name, const double *time, hsize_t n, const double *value,
                              hsize_t n_values, const char *unit, double magnitude)
{
    hid_t sensor = new_node(devices, name, 6);
    new_vector(sensor, "timesteps", time, n, "s", 1);
    new_vector(sensor, "values", value, n_values, unit, magnitude);
    H5Gclose(sensor);
}

/* The bytes of what was made; closes it. */
static inline char *image_of(hid_t file, size_t *n)
{
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t size = H5Fget_file_image(file, NULL, 0);
    ck_assert(size > 0 && size < IMAGE_LIMIT);
    *n = (size_t)size;
    char *image = ws_alloc(*n);
    H5Fget_file_image(file, image, *n);
    H5Fclose(file);
    return image;
}

static inline ws_status read_image(recorder *r, const char *image, size_t n)
{
    return recorder_read_input(r, &ws_format_perun_hdf5, ws_input_from_memory("made.hdf5", image, n), NULL);
}

static inline ws_status read_made(recorder *r, hid_t file)
{
    size_t n;
    char *image = image_of(file, &n);
    ws_status status = read_image(r, image, n);
    free(image);
    return status;
}

static inline const ws_fact *find_fact(const recorder *r, const char *run, const char *device, const char *key)
{
    for (size_t i = 0; i < r->n_facts; i++)
        if (strcmp(r->facts[i].key, key) == 0 && (!run || strcmp(r->facts[i].run, run) == 0) &&
            strcmp(r->facts[i].device, device) == 0)
            return &r->facts[i];
    return NULL;
}

static const double stamps[] = {0, 1, 2.5, 3}, watts[] = {100, 200, 0, 400};

#endif
