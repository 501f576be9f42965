/* Pieces of text and the numbers in them, independent of the locale. */
#ifndef WS_CORE_TEXT_H
#define WS_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A run of bytes inside somebody else's buffer: not terminated, good as long as that buffer. */
typedef struct ws_span {
    const char *p;
    size_t n;
} ws_span;

/* For printf: ws_span s; printf("%.*s", WS_SPAN_ARG(s)) */
#define WS_SPAN_ARG(s) (int)(s).n, (s).p

static inline uint64_t ws_load_8(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static inline uint32_t ws_load_4(const char *p)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/* The eight bytes before `end` as one word, the first lowest. */
static inline uint64_t ws_word_before(const char *end)
{
    uint64_t word = ws_load_8(end - sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* memcmp for the few bytes of cells, without a call: whole words, the last of which may overlap the one before. */
static inline bool ws_same_bytes(const char *a, const char *b, size_t n)
{
    if (n >= 8) {
        uint64_t differences = (ws_load_8(a) ^ ws_load_8(b)) | (ws_load_8(a + n - 8) ^ ws_load_8(b + n - 8));
        for (size_t i = 8; i + 8 < n; i += 8)
            differences |= ws_load_8(a + i) ^ ws_load_8(b + i);
        return differences == 0;
    }
    if (n >= 4)
        return ws_load_4(a) == ws_load_4(b) && ws_load_4(a + n - 4) == ws_load_4(b + n - 4);
    return n == 0 || (a[0] == b[0] && (n == 1 || (a[1] == b[1] && (n == 2 || a[2] == b[2]))));
}

static inline bool ws_span_same(ws_span a, ws_span b)
{
    return a.n == b.n && ws_same_bytes(a.p, b.p, a.n);
}

ws_span ws_span_of(const char *text);
ws_span ws_span_trim(ws_span span);         /* blanks, tabs, CR and LF off both ends */
ws_span ws_span_without_mark(ws_span text); /* a UTF-8 byte order mark off the front */
bool ws_span_is_utf8(ws_span text);
bool ws_span_has_zero(ws_span span); /* a zero byte, of which a crash leaves stretches in a file */
bool ws_span_eq(ws_span span, const char *text);
bool ws_span_eq_nocase(ws_span span, const char *text); /* ASCII */
bool ws_span_has_prefix(ws_span span, const char *prefix);
bool ws_span_has_suffix(ws_span span, const char *suffix);
bool ws_span_contains(ws_span span, const char *needle);
bool ws_span_holds(ws_span span, ws_span needle);       /* the same; an empty needle is anywhere but in nothing */
size_t ws_span_count_unquoted(ws_span span, char sign); /* how often it stands outside of double quotes */
bool ws_eq_nocase(const char *a, const char *b);

/* The text before and after the first `needle`. False if there is none. */
bool ws_span_cut(ws_span span, const char *needle, ws_span *before, ws_span *after);

/* Cut the next piece ending at `separator` off the front of *rest. False when nothing is left. */
bool ws_span_split(ws_span *rest, char separator, ws_span *piece);

/* Cut the next word off the front of *rest: the text between blanks, tabs and line ends. False if there is none.
 */
bool ws_span_word(ws_span *rest, ws_span *word);

/* "1,234.5", "1.234,5", "1 234,5" and "1'234" as 1234.5 or 1234, in `buffer`: groups of thousands, which nothing else
 * can be ("1,234" and "1.234" may be decimals, and are no such). *decimal: the sign before its decimals, 0 without any.
 * Any other span, or one that is longer than the buffer, as it is. */
ws_span ws_span_without_groups(ws_span span, char *buffer, size_t size, char *decimal);

/* "1,5" as "1.5", in `buffer`; a span without a comma, or longer than that, as it is. */
ws_span ws_span_with_point(ws_span span, char *buffer, size_t size);

/* The whole span, outer blanks allowed, as a finite decimal number: [+-]digits[.digits][e[+-]digits]. Correctly
 * rounded. No hexadecimal, no "inf", no "nan", no thousands separator; false leaves *value alone. */
bool ws_span_double(ws_span span, double *value);
bool ws_span_i64(ws_span span, int64_t *value);

/* A number at the front and what follows it, trimmed: "33.09 W" gives 33.09 and "W". */
bool ws_span_number(ws_span span, double *value, ws_span *rest);

/* Such a number at the very front, with sign, exponent and any number of digits; returns its length, 0 where there is
 * none. */
size_t ws_span_odd_decimal(ws_span span, double *value);

/* Powers of ten that a double holds exactly. */
enum { WS_EXACT_POWERS = 23 };
extern const double ws_exact_powers[WS_EXACT_POWERS];

/* How many digits it begins with. */
static inline size_t ws_span_digits(ws_span span)
{
    size_t n = 0;
    while (n < span.n && (unsigned)span.p[n] - '0' <= 9)
        n++;
    return n;
}

static inline const char *ws_skip_digits(const char *p, const char *end, uint64_t *value)
{
    for (unsigned digit; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
        *value = *value * 10 + digit;
    return p;
}

/* The same. "86.35", as nearly all numbers of traces are written, is read in one pass, here so that loops over cells
 * need no call. */
static inline size_t ws_span_decimal(ws_span span, double *value)
{
    enum { ALWAYS_EXACT = 15 };
    const char *end = span.p + span.n;
    uint64_t mantissa = 0;
    const char *p = ws_skip_digits(span.p, end, &mantissa);
    size_t digits = (size_t)(p - span.p), decimals = 0;
    if (p < end && *p == '.') {
        const char *first = p + 1;
        p = ws_skip_digits(first, end, &mantissa);
        decimals = (size_t)(p - first);
        digits += decimals;
    }
    if (digits - 1 >= ALWAYS_EXACT || (p < end && (*p | 0x20) == 'e'))
        return ws_span_odd_decimal(span, value);
    *value = (double)(int64_t)mantissa / ws_exact_powers[decimals];
    return (size_t)(p - span.p);
}

/* The number that eight bytes of 0 to 9 stand for, the lowest first. */
static inline uint64_t ws_eight_digits(uint64_t digits)
{
    digits = (digits * (10 * 256 + 1) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits * (100 * 65536 + 1) >> 16) & UINT64_C(0x0000ffff0000ffff);
    return digits * ((UINT64_C(10000) << 32) + 1) >> 32;
}

/* Cells that tools write where they have no reading: empty, N/A, [N/A], [Not Supported], [Unknown Error], ERR!, -,
 * nan, null, None ... in any case. */
bool ws_span_is_missing(ws_span span);

/* The shortest decimal that reads back as the same double ("0.1", "1e-07", "12800"); "" for NaN. Returns its length.
 * The buffer must hold WS_DOUBLE_TEXT bytes. */
enum { WS_DOUBLE_TEXT = 32 };
size_t ws_double_text(char *buffer, double value);

/* Decimal digits, with a minus sign below zero; returns their number. The buffer must hold WS_DOUBLE_TEXT bytes. */
size_t ws_integer_text(char *buffer, int64_t value);

/* `digits` significant digits, without exponent between 1e-5 and 1e15, trailing zeros kept ("52.10"). */
size_t ws_double_text_digits(char *buffer, double value, int digits);

/* `decimals` places after the point; a negative count rounds to tens, hundreds, ... Finite values below 1e15 and up to
 * 12 places; never "-0". */
size_t ws_double_text_decimals(char *buffer, double value, int decimals);

/* Lower case letters and digits, everything else one '_' between them. The buffer holds WS_PLAIN_NAME bytes; longer
 * names are cut. */
enum { WS_PLAIN_NAME = 96 };
ws_span ws_plain_name(char *buffer, ws_span name);

/* "TotalEnergy" as "total_energy", "CPUPower" as "cpu_power": a capital behind a small letter, or between a capital and
 * a small letter, begins a word; empty where none does. */
ws_span ws_plain_name_of_words(char *buffer, ws_span name);

#endif
