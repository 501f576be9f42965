/* newlocale and strtod_l are not in C11. */
#define _GNU_SOURCE
#include "core/text.h"

#include "core/shortest.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double c_strtod(const char *text, char **end)
{
    pthread_once(&c_locale_once, make_c_locale);
    return strtod_l(text, end, c_locale);
}

/* printf takes its decimal point from the thread's locale. */
static int c_print(char *buffer, const char *format, int digits, double value)
{
    pthread_once(&c_locale_once, make_c_locale);
    locale_t before = uselocale(c_locale);
    int length = snprintf(buffer, WS_DOUBLE_TEXT, format, digits, value);
    uselocale(before);
    return length;
}

ws_span ws_span_of(const char *text)
{
    return (ws_span){text, text ? strlen(text) : 0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

ws_span ws_span_trim(ws_span span)
{
    while (span.n && is_blank(*span.p))
        span.p++, span.n--;
    while (span.n && is_blank(span.p[span.n - 1]))
        span.n--;
    return span;
}

/* Looked up in lists of names, where nearly all differ in their first letter. */
bool ws_span_eq(ws_span span, const char *text)
{
    for (size_t i = 0; i < span.n; i++)
        if (span.p[i] != text[i] || !text[i])
            return false;
    return !text[span.n];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ws_span_eq_nocase(ws_span span, const char *text)
{
    for (size_t i = 0; i < span.n; i++)
        if (lower(span.p[i]) != lower(text[i]) || !text[i])
            return false;
    return !text[span.n];
}

bool ws_span_has_prefix(ws_span span, const char *prefix)
{
    size_t n = strlen(prefix);
    return span.n >= n && (n == 0 || memcmp(span.p, prefix, n) == 0);
}

bool ws_span_has_suffix(ws_span span, const char *suffix)
{
    size_t n = strlen(suffix);
    return span.n >= n && (n == 0 || memcmp(span.p + span.n - n, suffix, n) == 0);
}

bool ws_span_holds(ws_span span, ws_span needle)
{
    return span.n && memmem(span.p, span.n, needle.p, needle.n) != NULL;
}

bool ws_span_contains(ws_span span, const char *needle)
{
    return ws_span_holds(span, ws_span_of(needle));
}

static size_t count_sign(ws_span span, char sign)
{
    size_t n = 0;
    const char *at = span.p, *end = span.p + span.n;
    while (at < end && (at = memchr(at, sign, (size_t)(end - at)))) {
        n++;
        at++;
    }
    return n;
}

size_t ws_span_count_unquoted(ws_span span, char sign)
{
    size_t n = 0;
    bool quoted = false;
    if (!span.n || !memchr(span.p, '"', span.n))
        return count_sign(span, sign);
    for (size_t i = 0; i < span.n; i++) {
        quoted ^= span.p[i] == '"';
        n += !quoted && span.p[i] == sign;
    }
    return n;
}

bool ws_span_cut(ws_span span, const char *needle, ws_span *before, ws_span *after)
{
    size_t n = strlen(needle);
    const char *at = span.n ? memmem(span.p, span.n, needle, n) : NULL;
    if (!at)
        return false;
    *before = (ws_span){span.p, (size_t)(at - span.p)};
    *after = (ws_span){at + n, span.n - before->n - n};
    return true;
}

bool ws_eq_nocase(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

bool ws_span_split(ws_span *rest, char separator, ws_span *piece)
{
    if (!rest->p)
        return false;
    const char *cut = rest->n ? memchr(rest->p, separator, rest->n) : NULL;
    if (!cut) {
        *piece = *rest;
        *rest = (ws_span){NULL, 0};
        return true;
    }
    *piece = (ws_span){rest->p, (size_t)(cut - rest->p)};
    rest->n -= piece->n + 1;
    rest->p = cut + 1;
    return true;
}

bool ws_span_word(ws_span *rest, ws_span *word)
{
    while (rest->n && is_blank(*rest->p))
        *rest = (ws_span){rest->p + 1, rest->n - 1};
    size_t n = 0;
    while (n < rest->n && !is_blank(rest->p[n]))
        n++;
    *word = (ws_span){rest->p, n};
    *rest = (ws_span){n ? rest->p + n : rest->p, rest->n - n};
    return n > 0;
}

const double ws_exact_powers[WS_EXACT_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct decimal {
    uint64_t mantissa;
    int digits, exponent; /* digits counted from the first non-zero one */
    size_t length;        /* bytes of the span that belong to the number, 0 if there is none */
    bool negative;
} decimal;

static void take_digits(ws_span s, size_t *at, decimal *d, int exponent_step, int *seen)
{
    for (; *at < s.n && is_digit(s.p[*at]); ++*at, ++*seen) {
        if (d->digits < 19) {
            d->mantissa = d->mantissa * 10 + (uint64_t)(s.p[*at] - '0');
            d->digits += d->mantissa != 0;
            d->exponent += exponent_step;
        } else {
            d->digits++;
            d->exponent += exponent_step + 1;
        }
    }
}

static decimal scan_decimal(ws_span s)
{
    decimal d = {0};
    size_t at = 0;
    int seen = 0;
    if (at < s.n && (s.p[at] == '-' || s.p[at] == '+'))
        d.negative = s.p[at++] == '-';
    take_digits(s, &at, &d, 0, &seen);
    if (at < s.n && s.p[at] == '.') {
        at++;
        take_digits(s, &at, &d, -1, &seen);
    }
    if (!seen)
        return d;
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        size_t e = at + 1;
        bool negative = e < s.n && s.p[e] == '-';
        e += e < s.n && (s.p[e] == '-' || s.p[e] == '+');
        int power = 0;
        size_t first = e;
        for (; e < s.n && is_digit(s.p[e]); e++)
            power = power < 100000 ? power * 10 + (s.p[e] - '0') : power;
        if (e > first) {
            d.exponent += negative ? -power : power;
            at = e;
        }
    }
    d.length = at;
    return d;
}

/* Whole numbers up to 2^53 and powers of ten up to 22 are exact in a double, so one rounding remains (Clinger 1990, "How to
 * read floating point numbers accurately"); the rest goes to strtod. Both are correctly rounded. */
static const uint64_t exact_integers = UINT64_C(1) << 53;

static bool decimal_value(ws_span s, const decimal *d, double *value)
{
    if (d->digits <= 19 && d->mantissa <= exact_integers && d->exponent >= -22 && d->exponent <= 22) {
        double v = (double)d->mantissa;
        v = d->exponent < 0 ? v / ws_exact_powers[-d->exponent] : v * ws_exact_powers[d->exponent];
        *value = d->negative ? -v : v;
        return true;
    }
    char small[128];
    char *text = d->length < sizeof small ? small : malloc(d->length + 1);
    if (!text)
        return false;
    memcpy(text, s.p, d->length);
    text[d->length] = '\0';
    double v = c_strtod(text, NULL);
    if (text != small)
        free(text);
    if (!isfinite(v))
        return false;
    *value = v;
    return true;
}

size_t ws_span_odd_decimal(ws_span span, double *value)
{
    decimal d = scan_decimal(span);
    return d.length && decimal_value(span, &d, value) ? d.length : 0;
}

bool ws_span_number(ws_span span, double *value, ws_span *rest)
{
    span = ws_span_trim(span);
    double v;
    size_t n = span.n ? ws_span_decimal(span, &v) : 0;
    if (!n)
        return false;
    *value = v;
    *rest = ws_span_trim((ws_span){span.p + n, span.n - n});
    return true;
}

bool ws_span_double(ws_span span, double *value)
{
    double v;
    ws_span rest;
    if (!ws_span_number(span, &v, &rest) || rest.n)
        return false;
    *value = v;
    return true;
}

bool ws_span_i64(ws_span span, int64_t *value)
{
    span = ws_span_trim(span);
    bool negative = span.n && *span.p == '-';
    if (span.n && (*span.p == '-' || *span.p == '+'))
        span.p++, span.n--;
    if (!span.n)
        return false;
    int64_t v = 0;
    for (size_t i = 0; i < span.n; i++) {
        if (!is_digit(span.p[i]) || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_sub_overflow(v, (int64_t)(span.p[i] - '0'), &v))
            return false;
    }
    if (!negative && v == INT64_MIN)
        return false;
    *value = negative ? v : -v;
    return true;
}

bool ws_span_is_missing(ws_span span)
{
    static const char *const words[] = {"",
                                        "-",
                                        "--",
                                        "n/a",
                                        "na",
                                        "nan",
                                        "null",
                                        "none",
                                        "not supported",
                                        "unknown error",
                                        "unknown",
                                        "gpu requires reset",
                                        "err!",
                                        "insufficient permissions",
                                        "gpu is lost",
                                        "unsupported"};
    span = ws_span_trim(span);
    if (span.n >= 2 && span.p[0] == '[' && span.p[span.n - 1] == ']')
        span = (ws_span){span.p + 1, span.n - 2};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(span, words[i]))
            return true;
    return false;
}

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
        length = c_print(buffer, "%.*g", digits, value);
        if (c_strtod(buffer, NULL) == value)
            break;
    }
    return (size_t)length;
}

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
    double magnitude = fabs(value);
    if (!isfinite(value) || magnitude >= 1e15 || magnitude < 1e-5)
        return (size_t)c_print(buffer, "%.*g", digits, value);
    /* Rounding may carry into a new digit (9.996 -> 10.0), so the exponent is read off the rounded text. */
    char rounded[WS_DOUBLE_TEXT];
    c_print(rounded, "%.*e", digits - 1, value);
    int exponent = atoi(strchr(rounded, 'e') + 1);
    int decimals = digits - 1 - exponent;
    if (exponent >= 0 && decimals > 0)
        return place_point(buffer, rounded, exponent);
    return (size_t)c_print(buffer, "%.*f", decimals > 0 ? decimals : 0, value);
}

size_t ws_double_text_decimals(char *buffer, double value, int decimals)
{
    if (!isfinite(value) || fabs(value) >= 1e15 || decimals > 12)
        return ws_double_text(buffer, value);
    if (decimals < 0) {
        double step = ws_exact_powers[decimals < -15 ? 15 : -decimals];
        value = rint(value / step) * step;
    }
    int length = c_print(buffer, "%.*f", decimals > 0 ? decimals : 0, value);
    if (buffer[0] == '-' && !strpbrk(buffer, "123456789"))
        memmove(buffer, buffer + 1, (size_t)length--);
    return (size_t)length;
}
