#include "core/text.h"

size_t ws_integer_text(char *buffer, int64_t value)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    char digits[WS_DOUBLE_TEXT], *first = digits + sizeof digits;
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    for (; magnitude >= 10; magnitude /= 100)
        memcpy(first -= 2, pairs + magnitude % 100 * 2, 2);
    if (magnitude || first == digits + sizeof digits)
        *--first = (char)('0' + magnitude);
    if (value < 0)
        *--first = '-';
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(buffer, first, length);
    buffer[length] = '\0';
    return length;
}
