#include "core/look.h"

ws_look ws_look_of(ws_span text, size_t whole, size_t decimals)
{
    ws_look look = {.whole = whole < 8 ? (UINT64_C(1) << 8 * whole) - 1 : UINT64_MAX,
                    .drop = (uint8_t)(64 - 8 * text.n),
                    .shift = (uint8_t)(64 - 8 * (whole + decimals))};
    for (size_t i = 0; i < sizeof look.fixed; i++) {
        bool is_digit = i < whole || (decimals && i > whole && i <= whole + decimals);
        uint64_t fixed = is_digit ? '0' : i < text.n ? (unsigned char)text.p[i] : 0;
        look.fixed |= fixed << 8 * i;
        look.lift |= (uint64_t)(is_digit ? 0x76 ^ 0x80 : 0x7f ^ 0x80) << 8 * i;
    }
    return look;
}
