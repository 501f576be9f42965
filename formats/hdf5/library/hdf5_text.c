#include "formats/hdf5/library/hdf5_text.h"

#include "formats/hdf5/library/hdf5_native.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_ELEMENTS = 1000000 };

/* Hands the reference over as it is stored, in place of HDF5's own conversion to a pointer. */
static herr_t keep_reference(hid_t from, hid_t to, H5T_cdata_t *about, size_t n, size_t stride,
                             size_t background_stride, void *values, void *background, hid_t transfer)
{
    (void)n, (void)stride, (void)background_stride, (void)values, (void)background, (void)transfer;
    if (about->command != H5T_CONV_INIT)
        return 0;
    about->need_bkg = H5T_BKG_NO;
    return H5Tget_size(from) == WS_HDF5_REFERENCE_SIZE && H5Tget_size(to) == WS_HDF5_REFERENCE_SIZE ? 0 : -1;
}

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
}

static hid_t reference_type(void)
{
    hid_t type = H5Tcreate(H5T_OPAQUE, WS_HDF5_REFERENCE_SIZE);
    H5Tset_tag(type, "reference to a text");
    return type;
}

static hid_t reference = H5I_INVALID_HID; /* the type, once the conversion to it is known */

static void register_once(void)
{
    hid_t from = text_type(), to = reference_type();
    if (H5Tregister(H5T_PERS_SOFT, "wattscale text", from, to, keep_reference) >= 0)
        reference = to;
    H5Tclose(from);
}

bool ws_hdf5_text_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return reference >= 0;
}

static const char *read_variable_text(ws_hdf5_texts *texts, hid_t attribute, ws_arena *arena)
{
    unsigned char stored[WS_HDF5_REFERENCE_SIZE];
    return H5Aread(attribute, reference, stored) >= 0 ? ws_hdf5_referred_text(texts, stored, arena) : NULL;
}

static const char *read_fixed_text(hid_t attribute, hid_t type, ws_arena *arena)
{
    size_t size = H5Tget_size(type);
    if (!size || size > MOST_ELEMENTS)
        return NULL;
    char *text = ws_alloc(size + 1);
    const char *result = H5Aread(attribute, type, text) >= 0 ? ws_arena_strdup(arena, text) : NULL;
    free(text);
    return result;
}

/* How many elements of the size the attribute has; 0 for one that is too large to be metadata. */
static size_t count_elements(hid_t attribute, size_t size)
{
    hsize_t n = size ? H5Aget_storage_size(attribute) / size : 0;
    return n <= MOST_ELEMENTS ? (size_t)n : 0;
}

static const char *read_numbers(hid_t attribute, size_t n, ws_arena *arena)
{
    double *value = ws_alloc(n * sizeof *value);
    bool ok = H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0;
    const char *text = ok ? ws_hdf5_numbers_text(value, n, arena) : NULL;
    free(value);
    return text;
}

static hid_t open_attribute(hid_t place, const char *object, const char *name)
{
    return H5Aopen_by_name(place, object, name, H5P_DEFAULT, H5P_DEFAULT);
}

static const char *read_text(ws_hdf5_texts *texts, hid_t attribute, hid_t type, ws_arena *arena)
{
    H5T_class_t class = H5Tget_class(type);
    bool is_variable = class == H5T_STRING && H5Tis_variable_str(type) > 0;
    size_t n = count_elements(attribute, is_variable ? WS_HDF5_REFERENCE_SIZE : H5Tget_size(type));
    if (class == H5T_STRING && n == 1)
        return is_variable ? read_variable_text(texts, attribute, arena) : read_fixed_text(attribute, type, arena);
    return ws_hdf5_is_number(type) && n ? read_numbers(attribute, n, arena) : NULL;
}

const char *ws_hdf5_text(ws_hdf5_texts *texts, hid_t place, const char *object, const char *name, ws_arena *arena)
{
    hid_t attribute = open_attribute(place, object, name);
    if (attribute < 0)
        return NULL;
    hid_t type = H5Aget_type(attribute);
    const char *text = type < 0 ? NULL : read_text(texts, attribute, type, arena);
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

bool ws_hdf5_number(hid_t place, const char *object, const char *name, double *value)
{
    hid_t attribute = open_attribute(place, object, name);
    if (attribute < 0)
        return false;
    hid_t type = H5Aget_type(attribute);
    bool ok = type >= 0 && ws_hdf5_is_number(type) && count_elements(attribute, H5Tget_size(type)) == 1 &&
              H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0;
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(attribute);
    return ok;
}
