/* Numbers as text (core/text.h). */
#include "core/c_locale.h"
#include "core/shortest.h"
#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

size_t ws_double_text(char *buffer, double value)
{
    if (isnan(value)) {
        buffer[0] = '\0';
        return 0;
    }
    size_t everyday = ws_shortest_everyday(buffer, value);
    if (everyday)
        return everyday;
    if (value == 0)
        value = 0; /* no minus zero */
    int length = 0;
    /* Any decimal of 15 digits survives in a normal double; subnormals hold fewer. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        length = ws_c_print(buffer, WS_DOUBLE_TEXT, "%.*g", digits, value);
        if (ws_c_strtod(buffer, NULL) == value)
            break;
    }
    return (size_t)length;
}

/* "-8.63500e+01" as "-86.3500": the same digits, so that nothing has to be printed twice. */
static size_t place_point(char *buffer, const char *rounded, int exponent)
{
    size_t n = 0, sign = *rounded == '-', point = sign + 1 + (size_t)exponent;
    for (const char *p = rounded; *p != 'e'; p++) {
        if (*p == '.')
            continue;
        if (n == point)
            buffer[n++] = '.';
        buffer[n++] = *p;
    }
    buffer[n] = '\0';
    return n;
}

size_t ws_double_text_digits(char *buffer, double value, int digits)
{
    if (isnan(value)) {
        buffer[0] = '\0';
        return 0;
    }
    if (value == 0)
        return (size_t)snprintf(buffer, WS_DOUBLE_TEXT, "0");
    if (digits < 1)
        digits = 1;
    size_t everyday = digits <= 15 ? ws_everyday_digits(buffer, value, digits) : 0;
    if (everyday)
        return everyday;
    double magnitude = fabs(value);
    if (!isfinite(value) || magnitude >= 1e15 || magnitude < 1e-5)
        return (size_t)ws_c_print(buffer, WS_DOUBLE_TEXT, "%.*g", digits, value);
    /* Rounding may carry into a new digit (9.996 -> 10.0), so the exponent is read off the rounded text. */
    char rounded[WS_DOUBLE_TEXT];
    ws_c_print(rounded, sizeof rounded, "%.*e", digits - 1, value);
    int exponent = atoi(strchr(rounded, 'e') + 1);
    int decimals = digits - 1 - exponent;
    if (exponent >= 0 && decimals > 0)
        return place_point(buffer, rounded, exponent);
    return (size_t)ws_c_print(buffer, WS_DOUBLE_TEXT, "%.*f", decimals > 0 ? decimals : 0, value);
}

size_t ws_double_text_decimals(char *buffer, double value, int decimals)
{
    if (!isfinite(value) || fabs(value) >= 1e15 || decimals > 12)
        return ws_double_text(buffer, value);
    if (decimals < 0) {
        double step = ws_exact_powers[decimals < -15 ? 15 : -decimals];
        value = rint(value / step) * step;
    }
    size_t everyday = ws_everyday_decimals(buffer, value, decimals > 0 ? decimals : 0);
    if (everyday)
        return everyday;
    int length = ws_c_print(buffer, WS_DOUBLE_TEXT, "%.*f", decimals > 0 ? decimals : 0, value);
    if (buffer[0] == '-' && !strpbrk(buffer, "123456789"))
        memmove(buffer, buffer + 1, (size_t)length--);
    return (size_t)length;
}
