#include "formats/table/digit_template.h"

enum { BYTES = 8 };

static uint64_t in_byte(size_t i, uint64_t value)
{
    return value << 8 * i;
}

ws_digit_template ws_digit_template_of(ws_span text, size_t whole, size_t decimals)
{
    size_t first = BYTES - text.n, point = first + whole, n = whole + decimals;
    size_t end = point + (decimals ? 1 + decimals : 0); /* of the digits */
    ws_digit_template look = {.shift = (uint8_t)(8 * (BYTES - end))};
    for (size_t i = 0; i < BYTES; i++) {
        bool is_text = i >= first, is_whole = is_text && i < point;
        bool is_digit = is_whole || (i > point && i < end);
        look.fixed |= in_byte(i, is_digit ? '0' : is_text ? (unsigned char)text.p[i - first] : 0);
        look.most |= in_byte(i, is_digit ? 9 : is_text ? 0 : 255);
        look.before |= in_byte(i, is_whole && decimals ? 255 : 0);
        look.others |= in_byte(i, is_digit && !(is_whole && decimals) ? 255 : 0);
        size_t from_end = BYTES - i, from = end - from_end - (from_end > decimals && decimals);
        look.order |= in_byte(i, from_end <= n ? from : 0x80);
    }
    return look;
}
