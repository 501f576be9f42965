#include "datasets/synth/hdf5_out.h"

/* Ranks of the trees behind old-style groups. The defaults (16, 4) reserve 900 bytes for a group of two links, and a
 * perun file has a thousand groups. */
enum { TREE_RANK = 2, LEAF_RANK = 2 };

static void hdf5_out_check(ws_synth_hdf5 *out, herr_t result)
{
    out->failed |= result < 0;
}

ws_status ws_synth_hdf5_create(ws_synth_hdf5 *out, const char *path, ws_error *error)
{
    *out = (ws_synth_hdf5){0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* failures are reported by close, not by the library */
    out->text_type = H5Tcopy(H5T_C_S1);
    hdf5_out_check(out, H5Tset_size(out->text_type, H5T_VARIABLE));
    hdf5_out_check(out, H5Tset_cset(out->text_type, H5T_CSET_UTF8));
    out->scalar = H5Screate(H5S_SCALAR);
    hid_t settings = H5Pcreate(H5P_FILE_CREATE);
    hdf5_out_check(out, H5Pset_sym_k(settings, TREE_RANK, LEAF_RANK));
    out->file = H5Fcreate(path, H5F_ACC_TRUNC, settings, H5P_DEFAULT);
    H5Pclose(settings);
    if (out->file < 0) {
        H5Tclose(out->text_type);
        H5Sclose(out->scalar);
        return ws_fail_at(error, WS_IO, path, 0, "cannot make this HDF5 file");
    }
    return WS_OK;
}

ws_status ws_synth_hdf5_close(ws_synth_hdf5 *out, const char *path, ws_error *error)
{
    hdf5_out_check(out, H5Tclose(out->text_type));
    hdf5_out_check(out, H5Sclose(out->scalar));
    hdf5_out_check(out, H5Fclose(out->file));
    return out->failed ? ws_fail_at(error, WS_IO, path, 0, "cannot write this HDF5 file") : WS_OK;
}

hid_t ws_synth_hdf5_group(ws_synth_hdf5 *out, hid_t parent, const char *name)
{
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    out->failed |= group < 0;
    return group;
}

void ws_synth_hdf5_end_group(ws_synth_hdf5 *out, hid_t group)
{
    hdf5_out_check(out, H5Gclose(group));
}

void ws_synth_hdf5_empty_group(ws_synth_hdf5 *out, hid_t parent, const char *name)
{
    ws_synth_hdf5_end_group(out, ws_synth_hdf5_group(out, parent, name));
}

static void write_attribute(ws_synth_hdf5 *out, hid_t object, const char *name, hid_t type, hid_t memory_type,
                            hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    hdf5_out_check(out, H5Awrite(attribute, memory_type, value));
    hdf5_out_check(out, H5Aclose(attribute));
}

void ws_synth_hdf5_text(ws_synth_hdf5 *out, hid_t object, const char *name, const char *value)
{
    write_attribute(out, object, name, out->text_type, out->text_type, out->scalar, &value);
}

void ws_synth_hdf5_integer(ws_synth_hdf5 *out, hid_t object, const char *name, int64_t value)
{
    write_attribute(out, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, out->scalar, &value);
}

void ws_synth_hdf5_double(ws_synth_hdf5 *out, hid_t object, const char *name, double value)
{
    ws_synth_hdf5_scalar(out, object, name, H5T_IEEE_F64LE, value);
}

void ws_synth_hdf5_scalar(ws_synth_hdf5 *out, hid_t object, const char *name, hid_t type, double value)
{
    write_attribute(out, object, name, type, H5T_NATIVE_DOUBLE, out->scalar, &value);
}

void ws_synth_hdf5_integers(ws_synth_hdf5 *out, hid_t object, const char *name, const int64_t *values, size_t n)
{
    hid_t space = H5Screate_simple(1, &(hsize_t){n}, NULL);
    write_attribute(out, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
    hdf5_out_check(out, H5Sclose(space));
}

hid_t ws_synth_hdf5_dataset(ws_synth_hdf5 *out, hid_t parent, const char *name, hid_t type, hid_t memory_type,
                            const void *values, size_t n)
{
    hid_t space = H5Screate_simple(1, &(hsize_t){n}, NULL);
    hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
    hdf5_out_check(out, H5Pset_obj_track_times(settings, false));
    hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
    hdf5_out_check(out, H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    hdf5_out_check(out, H5Pclose(settings));
    hdf5_out_check(out, H5Sclose(space));
    return dataset;
}

void ws_synth_hdf5_end_dataset(ws_synth_hdf5 *out, hid_t dataset)
{
    hdf5_out_check(out, H5Dclose(dataset));
}
