#include "formats/table/number_template.h"

static ws_sixteen in_byte(size_t i, unsigned value)
{
    return (ws_sixteen)value << 8 * i;
}

ws_number_template ws_number_template_of(const char *line, const ws_number_cell *cell)
{
    size_t from = cell->end > WS_NUMBER_BYTES ? cell->end - WS_NUMBER_BYTES : 0, n = cell->whole + cell->decimals;
    size_t point = cell->digits + cell->whole - from, end = point + (cell->decimals ? 1 + cell->decimals : 0);
    ws_number_template number = {.from = (uint16_t)from, .shift = (uint8_t)(8 * (WS_NUMBER_BYTES - end))};
    for (size_t i = 0; i < WS_NUMBER_BYTES; i++) {
        bool is_text = from + i >= cell->begin && from + i < cell->end;
        bool is_whole = from + i >= cell->digits && i < point, is_digit = is_whole || (i > point && i < end);
        number.fixed |= in_byte(i, is_digit ? '0' : is_text ? (unsigned char)line[from + i] : 0);
        number.most |= in_byte(i, is_digit ? 9 : is_text ? 0 : 255);
        number.before |= in_byte(i, is_whole && cell->decimals ? 255 : 0);
        number.others |= in_byte(i, is_digit && !(is_whole && cell->decimals) ? 255 : 0);
        size_t from_end = WS_NUMBER_BYTES - i, source = end - from_end - (cell->decimals && from_end > cell->decimals);
        number.order |= in_byte(i, from_end <= n ? (unsigned)source : 0x80);
    }
    return number;
}

ws_number_template ws_number_template_none(void)
{
    return (ws_number_template){.fixed = '\n', .most = ~(ws_sixteen)255};
}
