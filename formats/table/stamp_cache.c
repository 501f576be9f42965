#include "formats/table/stamp_cache.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where the seconds begin, 0 where they cannot be told: behind the second colon of a clock, or the last two digits of a
 * count of seconds that is as far from every limit as all that share its other digits. The hour 24 is left out: it goes
 * on to the next day, and only at its first instant. */
static size_t find_seconds(ws_stamp_form form, ws_span text)
{
    size_t n = 0;
    int64_t whole;
    if (form == WS_STAMP_EPOCH || form == WS_STAMP_ELAPSED) {
        while (n < text.n && is_digit(text.p[n]))
            n++;
        bool is_usual = ws_span_i64((ws_span){text.p, n}, &whole) && whole < INT64_C(4000000000);
        return n > 2 && is_usual ? n - 2 : 0;
    }
    const char *colon = memchr(text.p, ':', text.n);
    if (!colon)
        return 0;
    n = (size_t)(colon - text.p);
    bool is_hour_24 = n >= 2 && colon[-2] == '2' && colon[-1] == '4';
    return n + 5 < text.n && colon[3] == ':' && !is_hour_24 ? n + 4 : 0;
}

/* Eight bytes are read at once that end with the seconds. */
static void keep_look(ws_stamp_cache *cache, ws_span text, size_t at, size_t end)
{
    size_t n = end - at, decimals = n > 2 ? n - 3 : 0;
    cache->usual_n = n <= 8 && end >= 8 ? text.n : 0;
    if (!cache->usual_n)
        return;
    cache->seconds = ws_digit_template_of((ws_span){text.p + at, n}, 2, decimals);
    cache->digit_ns = 1000000000;
    cache->most_digits = cache->most_seconds + 1;
    for (size_t i = 0; i < decimals; i++) {
        cache->digit_ns /= 10;
        cache->most_digits *= 10;
    }
    cache->most_digits--;
}

static void keep(ws_stamp_cache *cache, ws_stamp_form form, ws_span text, const ws_stamp *stamp)
{
    bool is_count = form == WS_STAMP_EPOCH || form == WS_STAMP_ELAPSED;
    size_t at = find_seconds(form, text), end = at + 2;
    cache->before_n = cache->usual_n = 0;
    if (!at || at > sizeof cache->before || end > text.n)
        return;
    cache->point = '\0';
    if (end + 1 < text.n && strchr(is_count ? "." : ".,:", text.p[end]) && is_digit(text.p[end + 1])) {
        cache->point = text.p[end++];
        while (end < text.n && is_digit(text.p[end]))
            end++;
    }
    /* a leap second may make another hour or day of it */
    cache->most_seconds = is_count ? 99 : 59;
    cache->after_n = text.n - end;
    int64_t seconds_ns;
    if (cache->after_n > (is_count ? 0 : sizeof cache->after) ||
        !ws_stamp_seconds(text.p + at, text.p + end, cache->point, cache->most_seconds, &seconds_ns))
        return;
    memcpy(cache->before, text.p, at);
    memcpy(cache->after, text.p + end, cache->after_n);
    cache->form = form;
    cache->minute = (ws_stamp){.ns = stamp->ns - seconds_ns, .base = stamp->base};
    cache->before_n = at;
    keep_look(cache, text, at, end);
}

bool ws_stamp_parse_next(ws_stamp_cache *cache, ws_stamp_form form, ws_span text, int32_t zone, ws_stamp *stamp)
{
    if (cache->form == form && ws_stamp_from_cache(cache, text, ws_digit_template_read, &stamp->ns)) {
        stamp->base = cache->minute.base;
        return true;
    }
    text = ws_span_trim(text);
    bool is_stamp = ws_stamp_parse(form, text, zone, stamp);
    if (is_stamp)
        keep(cache, form, text, stamp);
    return is_stamp;
}
