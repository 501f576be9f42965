#include "formats/hdf5_native.h"

hid_t ws_hdf5_native_type(const ws_hdf5_number_type *type)
{
    if (type->is_float)
        return type->size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    if (type->size == 4)
        return type->is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    return type->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
}

const ws_hdf5_number_type *ws_hdf5_number_type_of(hid_t stored)
{
    H5T_class_t class = H5Tget_class(stored);
    if (class != H5T_INTEGER && class != H5T_FLOAT)
        return NULL;
    bool is_float = class == H5T_FLOAT, is_signed = is_float || H5Tget_sign(stored) == H5T_SGN_2;
    const ws_hdf5_number_type *type = ws_hdf5_number_type_find(is_float, H5Tget_size(stored), is_signed);
    return type && H5Tequal(stored, ws_hdf5_native_type(type)) > 0 ? type : NULL;
}
