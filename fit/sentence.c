#include "fit/estimate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ws_say(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length < size - used)
        return;
    /* Full: drop the bytes of a character whose end did not fit. */
    size_t end = size - 1, start = end;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0) {
        unsigned char lead = (unsigned char)text[start - 1];
        size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (start - 1 + need > end)
            text[start - 1] = '\0';
    }
}

ws_words ws_words_number(double value)
{
    ws_words words = {""};
    if (isnan(value)) {
        snprintf(words.text, sizeof words.text, "undefined");
        return words;
    }
    size_t length = ws_double_text_digits(words.text, value, 6);
    if (!strchr(words.text, '.') || strchr(words.text, 'e'))
        return words;
    while (words.text[length - 1] == '0')
        length--;
    words.text[words.text[length - 1] == '.' ? length - 1 : length] = '\0';
    return words;
}

ws_words ws_words_digits(double value, int digits)
{
    ws_words words = {""};
    ws_double_text_digits(words.text, value, digits);
    return words;
}

static int exponent_of(double value)
{
    return (int)floor(log10(fabs(value)));
}

/* Errors of 100 and more leave tens, hundreds... */
static double round_to_error(double value, double se)
{
    int exponent = exponent_of(1.005 * se) - 1;
    double unit = pow(10, exponent);
    return exponent > 0 && exponent < 15 ? round(value / unit) * unit : value;
}

ws_words ws_words_to_error(double value, double se)
{
    if (!isfinite(value) || !isfinite(se) || !(se > 0) || value == 0)
        return ws_words_number(value);
    int digits = 2 + exponent_of(value) - exponent_of(1.005 * se); /* an error of 0.0009996 is written 0.0010 */
    ws_words words = {""};
    ws_double_text_digits(words.text, round_to_error(value, se), digits < 2 ? 2 : digits > 15 ? 15 : digits);
    return words;
}

ws_words ws_words_with_error(double value, double se)
{
    ws_words words = ws_words_to_error(value, se);
    if (isnan(value) || isnan(se))
        return words;
    char error[WS_DOUBLE_TEXT];
    ws_double_text_digits(error, isfinite(se) && se > 0 ? round_to_error(se, se) : se, 2);
    const char *point = strchr(words.text, '.');
    size_t places = point ? strlen(point + 1) : 0; /* "0.0004999 ± 0.0000091": up to nine of them, as tables have it */
    if (places && places <= 9 && !strchr(words.text, 'e') && strchr(error, 'e'))
        snprintf(error, sizeof error, "%.*f", (int)places, se);
    ws_say(words.text, sizeof words.text, " ± %s", error);
    return words;
}

ws_words ws_words_r2(double r2)
{
    if (!(r2 < 1) || r2 < -1)
        return ws_words_number(r2);
    int digits = -exponent_of(1 - r2);
    ws_words words = {""};
    ws_double_text_digits(words.text, r2, digits < 3 ? 3 : digits > 15 ? 15 : digits);
    return words;
}

ws_words ws_words_p(double p)
{
    ws_words words = {"p < 0.001"};
    if (p < 0.001)
        return words;
    char number[WS_DOUBLE_TEXT];
    ws_double_text_digits(number, p, 2);
    snprintf(words.text, sizeof words.text, "p %s", isnan(p) ? "undefined" : number);
    return words;
}

ws_words ws_words_values(size_t n, const char *of)
{
    ws_words words = {""};
    ws_say(words.text, sizeof words.text, "%zu value%s of %s", n, n == 1 ? "" : "s", of);
    return words;
}

ws_words ws_words_level(double level)
{
    ws_words words = ws_words_number(100 * level);
    ws_say(words.text, sizeof words.text, " %%");
    return words;
}

ws_words ws_words_level_of(double level, double df)
{
    static const double FEW = 2.5; /* Student's t of 95 % is 3.6 there, twice that of the normal law below 2.2 */
    ws_words words = ws_words_level(level);
    if (df > 0 && df < FEW)
        ws_say(words.text, sizeof words.text, ", t(%s)", ws_words_number(round(10 * df) / 10).text);
    return words;
}
