#include "formats/hdf5/library/hdf5_native.h"

static bool has_fields_inside(hid_t stored, size_t bits)
{
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    if (H5Tget_fields(stored, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0)
        return false;
    return sign < bits && exponent < bits && exponent_bits <= bits - exponent && mantissa < bits &&
           mantissa_bits <= bits - mantissa;
}

bool ws_hdf5_is_number(hid_t stored)
{
    enum { MOST_BYTES = 8, BITS = 8 };
    H5T_class_t class = H5Tget_class(stored);
    if (class != H5T_INTEGER && class != H5T_FLOAT)
        return false;
    size_t bits = BITS * H5Tget_size(stored), used = H5Tget_precision(stored);
    int offset = H5Tget_offset(stored);
    return bits && bits <= BITS * MOST_BYTES && used && used <= bits && offset >= 0 && (size_t)offset <= bits - used &&
           (class == H5T_INTEGER || has_fields_inside(stored, bits));
}

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
