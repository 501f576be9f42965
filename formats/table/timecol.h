/* A column of stamps: the first cells settle its form, then every cell is read in that form. */
#ifndef WS_FORMATS_TIMECOL_H
#define WS_FORMATS_TIMECOL_H

#include "core/note.h"
#include "core/stamp.h"
#include "core/unit.h"
#include "formats/table/rows.h"

#include <stdbool.h>
#include <stdint.h>

/* {0} is empty. */
typedef struct ws_stamp_cache {
    ws_stamp_form form;
    char before[40], after[16], point; /* of "2026/03/14 09:27:01.021+01:00" "2026/03/14 09:27:", "+01:00" and '.' */
    size_t before_n, after_n;          /* before_n = 0: nothing is kept */
    unsigned most_seconds;
    ws_stamp minute; /* at second 0 */
    size_t usual_n;  /* of the whole stamp, whose seconds have up to eight bytes and a known look; else 0 */
    bool is_count;   /* those eight are the end of a number: then `minute` is that with zeros in their place */
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

/* False if the text around the seconds has changed, or they are not plain. */
static inline __attribute__((always_inline)) bool ws_stamp_from_cache(const ws_stamp_cache *cache, ws_span text,
                                                                      ws_digit_template_reader *read, int64_t *ns)
{
    int64_t seconds_ns;
    const char *end = text.p + text.n - cache->after_n;
    bool is_usual = text.n && text.n == cache->usual_n;
    if (!is_usual && (!cache->before_n || cache->is_count || text.n < cache->before_n + cache->after_n))
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

/* --- the column --- */

typedef struct ws_timecol {
    ws_stamp_form form;
    bool form_is_given;  /* by the user or by the file: no stamp changes it */
    bool is_guessed;     /* day first is assumed: no stamp decides it */
    bool contradicts;    /* the last stamp read shows that the guess was wrong */
    bool may_have_comma; /* as the decimal comma of plain numbers: the delimiter is another character */
    int32_t zone;        /* core/zone.h */
    const ws_unit *unit; /* of plain numbers, where the column's name has one; NULL: seconds */
    ws_time_base base;   /* of the first stamp read */
    int64_t passed_ns;   /* midnights passed by a column that holds the time of day alone */
    int64_t last_ns;
    bool has_ambiguous_zone; /* the first stamp read has such an abbreviation (core/zone.h) */
    int64_t month_first_ns;  /* the last stamp by the other guess */
    ws_stamp_cache cache;
} ws_timecol;

/* The two cells of "04-03-2021" and "13:32:39" as one stamp in `buffer`; `time` alone where there is no date. */
enum { WS_STAMP_CELLS = 96 };
ws_span ws_timecol_join(char *buffer, ws_span date, ws_span time);

/* "1770796800,25" of a column that may have such as "1770796800.25", in `buffer`; any other stamp as it is. */
ws_span ws_timecol_point(const ws_timecol *column, char *buffer, ws_span stamp);

/* One more cell of the first rows. False if it is not a stamp in the form of those before. */
bool ws_timecol_settle(ws_timecol *column, ws_span stamp);

/* True when day and month of this stamp could be the other way round. */
bool ws_timecol_is_ambiguous(const ws_timecol *column, ws_span stamp);

/* False if it is not a stamp, or `contradicts`: day first was assumed, but this stamp can only be month first, or day
 * first puts it weeks away from the one before and month first on the same or the next day. */
bool ws_timecol_read(ws_timecol *column, ws_span stamp, int64_t *ns);

/* Does every stamp depend on the one before: a time of day alone, a repeated hour, a guess that may be wrong? */
bool ws_timecol_is_serial(const ws_timecol *column);

/* Adds a note on a file's first stamp without a zone, and sets *is_noted. */
void ws_note_naive_time(ws_notes *notes, const char *source, int64_t line, ws_time_base base, bool *is_noted);

/* Adds one note on a column whose zone was guessed from its abbreviation. */
void ws_note_ambiguous_zone(ws_notes *notes, const char *source, int64_t line, ws_timecol *column);

/* Why reading stops at a stamp that contradicts. */
#define WS_MONTH_FIRST_REMEDY                                                                                         \
    "speaks for the month being first, and the stamps before it were read day first: --columns dates=month-first or " \
    "dates=day-first says which"

#endif
