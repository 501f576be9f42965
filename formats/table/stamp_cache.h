/* Stamps of one column, one after the other: as long as the text around the seconds stays, only they are read. */
#ifndef WS_CORE_STAMP_CACHE_H
#define WS_CORE_STAMP_CACHE_H

#include "formats/table/plain_line.h"
#include "core/stamp.h"

/* {0} is empty. */
typedef struct ws_stamp_cache {
    ws_stamp_form form;
    char before[40], after[16], point; /* of "2026/03/14 09:27:01.021+01:00" "2026/03/14 09:27:", "+01:00" and '.' */
    size_t before_n, after_n;          /* before_n = 0: nothing is kept */
    unsigned most_seconds;
    ws_stamp minute; /* at second 0 */
    size_t usual_n;  /* of the whole stamp, whose seconds have up to eight bytes and a known look; else 0 */
    ws_digit_template seconds;
    uint32_t most_digits; /* of these seconds */
    int64_t digit_ns;     /* what their last digit stands for */
} ws_stamp_cache;

/* The same result as ws_stamp_parse. The form may change between calls, the zone must not. */
bool ws_stamp_parse_next(ws_stamp_cache *cache, ws_stamp_form form, ws_span text, int32_t zone, ws_stamp *stamp);

/* The two digits of the seconds, up to nine of their fraction, and nothing else up to `end`. */
static inline bool ws_stamp_seconds(const char *p, const char *end, char point, unsigned most, int64_t *ns)
{
    static const uint32_t unit_ns[] = {0, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    if (end - p < 2)
        return false;
    unsigned tens = (unsigned)p[0] - '0', ones = (unsigned)p[1] - '0', digit;
    if (tens > 9 || ones > 9 || tens * 10 + ones > most)
        return false;
    *ns = (tens * 10 + ones) * INT64_C(1000000000);
    p += 2;
    if (p == end)
        return true;
    ptrdiff_t digits = end - p - 1;
    if (*p != point || digits < 1 || digits > 9)
        return false;
    uint64_t fraction = 0;
    while (++p < end && (digit = (unsigned)*p - '0') <= 9)
        fraction = fraction * 10 + digit;
    *ns += (int64_t)(fraction * unit_ns[digits]);
    return p == end;
}

/* False where the text around the seconds is another one, or they are not plain. */
static inline __attribute__((always_inline)) bool ws_stamp_from_cache(const ws_stamp_cache *cache, ws_span text,
                                                                      ws_digit_template_reader *read, int64_t *ns)
{
    int64_t seconds_ns;
    const char *end = text.p + text.n - cache->after_n;
    bool is_usual = text.n && text.n == cache->usual_n;
    if (!is_usual && (!cache->before_n || text.n < cache->before_n + cache->after_n))
        return false;
    if (!ws_same_bytes(text.p, cache->before, cache->before_n) ||
        (cache->after_n && !ws_same_bytes(end, cache->after, cache->after_n)))
        return false;
    if (is_usual) {
        uint32_t digits;
        if (!read(&cache->seconds, end, &digits) || digits > cache->most_digits)
            return false;
        seconds_ns = (int64_t)digits * cache->digit_ns;
    } else if (!ws_stamp_seconds(text.p + cache->before_n, end, cache->point, cache->most_seconds, &seconds_ns)) {
        return false;
    }
    *ns = cache->minute.ns + seconds_ns;
    return true;
}

#endif
