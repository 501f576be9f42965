/* memmem is not in C11. */
#define _GNU_SOURCE
#include "core/text.h"

#include "core/c_locale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

ws_span ws_span_of(const char *text)
{
    return (ws_span){text, text ? strlen(text) : 0};
}

/* One comparison rules out nearly all bytes. */
static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
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

bool ws_span_has_zero(ws_span span)
{
    return span.n && memchr(span.p, '\0', span.n);
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
    size_t n = 0;
    while (prefix[n] && n < span.n && span.p[n] == prefix[n])
        n++;
    return !prefix[n];
}

/* How many bytes the character at p has; 0 for a sequence that is none, however far it goes wrong. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    size_t length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    if (length > n || (length == 3 && ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f))) ||
        (length == 4 && ((*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

bool ws_span_is_utf8(ws_span text)
{
    for (size_t at = 0, length; at < text.n; at += length)
        if (!(length = utf8_length((const unsigned char *)text.p + at, text.n - at)))
            return false;
    return true;
}

ws_span ws_span_without_mark(ws_span text)
{
    return ws_span_has_prefix(text, "\xef\xbb\xbf") ? (ws_span){text.p + 3, text.n - 3} : text;
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

ws_span ws_span_with_point(ws_span span, char *buffer, size_t size)
{
    const char *comma = span.n && span.n <= size ? memchr(span.p, ',', span.n) : NULL;
    if (!comma)
        return span;
    memcpy(buffer, span.p, span.n);
    buffer[comma - span.p] = '.';
    return (ws_span){buffer, span.n};
}

/* The sign between two groups of thousands at the beginning of a span: ' and blanks of several widths, too. */
static size_t group_sign(ws_span span)
{
    static const char *const signs[] = {",", ".", " ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (ws_span_has_prefix(span, signs[i]))
            return strlen(signs[i]);
    return 0;
}

static size_t count_digits(const ws_span *span, size_t from)
{
    size_t n = 0;
    while (from + n < span->n && is_digit(span->p[from + n]))
        n++;
    return n;
}

ws_span ws_span_without_groups(ws_span span, char *buffer, size_t size, char *decimal)
{
    enum { GROUP = 3 };
    size_t begin = span.n && (*span.p == '-' || *span.p == '+'), first = count_digits(&span, begin);
    size_t at = begin + first, n = at, groups = 0;
    ws_span rest = {span.p + at, span.n - at};
    size_t sign = span.n <= size && first && first <= GROUP && span.p[begin] != '0' ? group_sign(rest) : 0;
    *decimal = 0;
    if (!sign)
        return span;
    memcpy(buffer, span.p, n);
    while (at + sign < span.n && memcmp(span.p + at, rest.p, sign) == 0 && count_digits(&span, at + sign) == GROUP) {
        memcpy(buffer + n, span.p + at + sign, GROUP);
        n += GROUP, at += sign + GROUP, groups++;
    }
    bool may_be_decimal = at < span.n && (span.p[at] == '.' || span.p[at] == ',') && span.p[at] != *rest.p;
    if (may_be_decimal && count_digits(&span, at + 1)) {
        *decimal = span.p[at];
        buffer[n++] = '.';
        for (size_t digits = count_digits(&span, ++at); digits; digits--)
            buffer[n++] = span.p[at++];
    }
    bool goes_on = at < span.n && (span.p[at] == '.' || span.p[at] == ',' || is_digit(span.p[at]));
    bool is_sure = *decimal || (*rest.p != ' ' && (groups > 1 || (*rest.p != ',' && *rest.p != '.')));
    if (!groups || goes_on || !is_sure)
        return span;
    memcpy(buffer + n, span.p + at, span.n - at);
    return (ws_span){buffer, n + span.n - at};
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
    const char *p = rest->p, *end = p + rest->n;
    while (p < end && is_blank(*p))
        p++;
    const char *first = p;
    while (p < end && !is_blank(*p))
        p++;
    *word = (ws_span){first, (size_t)(p - first)};
    *rest = (ws_span){p, (size_t)(end - p)};
    return p > first;
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

/* Whole numbers up to 2^53 and powers of ten up to 22 are exact in a double, so one rounding remains (Clinger 1990,
 * "How to read floating point numbers accurately"); the rest goes to strtod. Both are correctly rounded. */
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
    double v = ws_c_strtod(text, NULL);
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
    enum { ALWAYS_FITS = 18 };
    span = ws_span_trim(span);
    bool negative = span.n && *span.p == '-';
    if (span.n && (*span.p == '-' || *span.p == '+'))
        span.p++, span.n--;
    if (!span.n)
        return false;
    int64_t v = 0;
    size_t i = 0;
    for (unsigned digit; i < span.n && i < ALWAYS_FITS && (digit = (unsigned)span.p[i] - '0') <= 9; i++)
        v = v * 10 - (int64_t)digit;
    for (; i < span.n; i++) {
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

ws_span ws_plain_name(char *buffer, ws_span name)
{
    size_t n = 0;
    for (size_t i = 0; i < name.n && n + 1 < WS_PLAIN_NAME; i++) {
        char c = name.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            buffer[n++] = c;
        else if (n && buffer[n - 1] != '_')
            buffer[n++] = '_';
    }
    while (n && buffer[n - 1] == '_')
        n--;
    return (ws_span){buffer, n};
}

ws_span ws_plain_name_of_words(char *buffer, ws_span name)
{
    char spaced[2 * WS_PLAIN_NAME];
    size_t n = 0, words = 0;
    for (size_t i = 0; i < name.n && n + 2 < sizeof spaced; i++) {
        bool is_capital = i && name.p[i] >= 'A' && name.p[i] <= 'Z',
             behind_capital = is_capital && name.p[i - 1] >= 'A' && name.p[i - 1] <= 'Z';
        bool begins = (is_capital && name.p[i - 1] >= 'a' && name.p[i - 1] <= 'z') ||
                      (behind_capital && i + 1 < name.n && name.p[i + 1] >= 'a' && name.p[i + 1] <= 'z'); /* CPUPower */
        if (begins)
            spaced[n++] = ' ';
        spaced[n++] = name.p[i];
        words += begins;
    }
    return words ? ws_plain_name(buffer, (ws_span){spaced, n}) : (ws_span){buffer, 0};
}
