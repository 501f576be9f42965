#include "formats/table/timecol.h"

#include "core/zone.h"
#include "formats/table/column_limits.h"

#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_S)

ws_span ws_timecol_join(char *buffer, ws_span date, ws_span time)
{
    if (!date.n || date.n + time.n + 1 > WS_STAMP_CELLS)
        return time;
    memcpy(buffer, date.p, date.n);
    buffer[date.n] = ' ';
    if (time.n)
        memcpy(buffer + date.n + 1, time.p, time.n);
    return ws_span_trim((ws_span){buffer, date.n + 1 + time.n});
}

ws_span ws_timecol_point(const ws_timecol *column, char *buffer, ws_span stamp)
{
    ws_span whole, part;
    int64_t number;
    bool is_number = column->may_have_comma && ws_span_cut(stamp, ",", &whole, &part) && ws_span_i64(whole, &number) &&
                     ws_span_i64(part, &number);
    return is_number ? ws_span_with_point(stamp, buffer, WS_STAMP_CELLS) : stamp;
}

static bool has_other_unit(const ws_timecol *column)
{
    return column->unit && column->unit->to_si != 1;
}

/* A plain number under a name like "elapsed_ms". What would lie after 1973 counts from the epoch: core/stamp.h tells
 * the unit of those by magnitude. */
static bool scaled_number(const ws_timecol *column, ws_span text, int64_t *ns)
{
    double value;
    int64_t whole, ns_per_tick = (int64_t)(column->unit->to_si * 1e9 + 0.5);
    if (!ws_span_double(text, &value) || value * column->unit->to_si >= 1e8 || value < 0)
        return false;
    if (ws_span_i64(text, &whole))
        *ns = whole * ns_per_tick;
    else
        *ns = (int64_t)(value * (double)ns_per_tick + 0.5);
    return true;
}

/* "75:30" of a column that the user says to be in s: minutes and seconds, which the hours of a day do not bound. */
static bool minutes_and_seconds(const ws_timecol *column, ws_span text, int64_t *ns)
{
    ws_span whole, rest = text;
    int64_t minutes, seconds;
    if (!column->unit || column->unit->to_si != 1 || !ws_span_cut(rest, ":", &whole, &rest) ||
        !ws_span_i64(whole, &minutes) || rest.n != 2 || !ws_span_i64(rest, &seconds))
        return false;
    *ns = (minutes * 60 + seconds) * NS_PER_S;
    return minutes >= 0 && minutes < 1000000 && seconds >= 0 && seconds < 60;
}

bool ws_timecol_settle(ws_timecol *column, ws_span stamp)
{
    int64_t ns;
    ws_stamp other;
    if (minutes_and_seconds(column, ws_span_trim(stamp), &ns)) {
        column->form = WS_STAMP_ELAPSED;
        return true;
    }
    /* what differs from a stamp that was read in its seconds alone has its form */
    if (column->cache.form == column->form && ws_stamp_from_cache(&column->cache, stamp, ws_digit_template_read, &ns))
        return true;
    if (column->form_is_given)
        return ws_stamp_parse(column->form, stamp, WS_ZONE_NONE, &other);
    bool is_scaled = has_other_unit(column) && scaled_number(column, stamp, &ns);
    ws_stamp_form form = is_scaled ? WS_STAMP_ELAPSED : ws_stamp_settle(column->form, stamp);
    if (form != WS_STAMP_NONE)
        column->form = form;
    return form != WS_STAMP_NONE;
}

bool ws_timecol_is_ambiguous(const ws_timecol *column, ws_span stamp)
{
    ws_stamp other;
    return column->form == WS_STAMP_DMY && !column->form_is_given &&
           ws_stamp_parse(WS_STAMP_MDY, stamp, WS_ZONE_NONE, &other);
}

/* A time of day that falls back by more than half a day has passed midnight. */
static void pass_midnight(ws_timecol *column, int64_t *ns)
{
    *ns += column->passed_ns;
    if (*ns < column->last_ns - NS_PER_DAY / 2) {
        *ns += NS_PER_DAY;
        column->passed_ns += NS_PER_DAY;
    }
}

static bool has_ambiguous_zone(ws_span stamp)
{
    ws_span word;
    while (ws_span_word(&stamp, &word))
        if (ws_zone_is_ambiguous(word))
            return true;
    return false;
}

/* A naive stamp of a zone that repeats an hour is the one nearer to the stamp before. */
static bool read_local(ws_timecol *column, ws_span stamp, ws_stamp *read)
{
    if (column->has_ambiguous_zone)
        return ws_stamp_parse(column->form, stamp, column->zone, read);
    if (!ws_stamp_parse_next(&column->cache, column->form, stamp, WS_ZONE_NONE, read))
        return false;
    if (read->base != WS_TIME_NAIVE)
        return true;
    read->ns = ws_zone_to_utc(column->zone, read->ns, column->base == WS_TIME_NONE ? NULL : &column->last_ns);
    read->base = WS_TIME_UTC;
    return true;
}

static int64_t distance(int64_t a, int64_t b)
{
    int64_t difference;
    bool over = __builtin_sub_overflow(a > b ? a : b, a > b ? b : a, &difference);
    return over ? INT64_MAX : difference;
}

/* Read day first (NULL: there is no such day), or weeks away from the stamp before, which it is close to with the month
 * first. */
static bool is_month_first(ws_timecol *column, ws_span stamp, const ws_stamp *day_first)
{
    const int64_t weeks = WS_STAMP_WEEKS_OFF * NS_PER_DAY, days = WS_STAMP_DAYS_NEAR * NS_PER_DAY;
    int64_t before = column->month_first_ns;
    ws_stamp other;
    if (!ws_stamp_parse(WS_STAMP_MDY, stamp, column->zone, &other))
        return false;
    column->month_first_ns = other.ns;
    return !day_first || (column->base != WS_TIME_NONE && distance(day_first->ns, column->last_ns) >= weeks &&
                          distance(other.ns, before) < days);
}

static bool read_stamp(ws_timecol *column, ws_span stamp, ws_stamp *read)
{
    if (column->form == WS_STAMP_ELAPSED && has_other_unit(column)) {
        read->base = WS_TIME_RELATIVE;
        return scaled_number(column, ws_span_trim(stamp), &read->ns);
    }
    bool is_read = ws_zone_is_named(column->zone)
                       ? read_local(column, stamp, read)
                       : ws_stamp_parse_next(&column->cache, column->form, stamp, column->zone, read);
    if (!is_read && column->form == WS_STAMP_ELAPSED) {
        read->base = WS_TIME_RELATIVE;
        return minutes_and_seconds(column, ws_span_trim(stamp), &read->ns);
    }
    column->contradicts = column->is_guessed && is_month_first(column, stamp, is_read ? read : NULL);
    return is_read && !column->contradicts;
}

bool ws_timecol_read(ws_timecol *column, ws_span stamp, int64_t *ns)
{
    ws_stamp read;
    if (column->base == WS_TIME_NONE)
        column->has_ambiguous_zone = has_ambiguous_zone(stamp);
    if (!read_stamp(column, stamp, &read))
        return false;
    if (column->form == WS_STAMP_CLOCK)
        pass_midnight(column, &read.ns);
    if (column->base == WS_TIME_NONE)
        column->base = read.base;
    *ns = column->last_ns = read.ns;
    return true;
}

bool ws_timecol_is_serial(const ws_timecol *column)
{
    return column->form == WS_STAMP_CLOCK || ws_zone_is_named(column->zone) || column->is_guessed;
}

void ws_note_naive_time(ws_notes *notes, const char *source, int64_t line, ws_time_base base, bool *is_noted)
{
    if (base != WS_TIME_NAIVE || *is_noted)
        return;
    *is_noted = true;
    ws_notes_add(notes, WS_FINDING_NAIVE_TIME, source, "", line, "stamps name no zone and are read as UTC");
}

void ws_note_ambiguous_zone(ws_notes *notes, const char *source, int64_t line, ws_timecol *column)
{
    if (column->has_ambiguous_zone && column->zone == WS_ZONE_NONE && column->base == WS_TIME_UTC)
        ws_notes_add(
            notes, WS_FINDING_AMBIGUOUS_ZONE, source, "", line,
            "the abbreviation of the stamps' zone is that of several: CST is read as -06:00, BST as +01:00, IST as "
            "+05:30 (--tz says which zone it is)");
    column->has_ambiguous_zone &= column->zone != WS_ZONE_NONE;
}

/* --- stamps that differ from one before in their seconds --- */

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
    if (form == WS_STAMP_EPOCH || form == WS_STAMP_ELAPSED) {
        enum { MOST_DIGITS = 10 };
        uint64_t whole = 0;
        const char *end = text.p + text.n;
        n = (size_t)(ws_skip_digits(text.p, text.n > MOST_DIGITS ? text.p + MOST_DIGITS + 1 : end, &whole) - text.p);
        return n > 2 && n <= MOST_DIGITS && whole < UINT64_C(4000000000) ? n - 2 : 0;
    }
    const char *colon = memchr(text.p, ':', text.n);
    if (!colon)
        return 0;
    n = (size_t)(colon - text.p);
    bool is_hour_24 = n >= 2 && colon[-2] == '2' && colon[-1] == '4';
    return n + 5 < text.n && colon[3] == ':' && !is_hour_24 ? n + 4 : 0;
}

/* Eight bytes are read at once that end with the seconds. */
static void keep_template(ws_stamp_cache *cache, ws_span text, size_t at, size_t end)
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

/* The end of a count in any unit, of a length that stamps of some seconds share: whole digits, or some behind a point.
 * What all numbers with this beginning are, the first and the last of them tell. */
static void keep_count(ws_stamp_cache *cache, ws_stamp_form form, ws_span text, const ws_stamp *stamp)
{
    enum { WORD = 8 };
    char first[sizeof cache->before], last[sizeof cache->before];
    ws_stamp least, most;
    size_t before = text.n - WORD, point = text.n, digits = 0;
    uint32_t number = 0;
    if (text.n < WORD || text.n > sizeof first)
        return;
    memcpy(first, text.p, text.n);
    memcpy(last, text.p, text.n);
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '.' && i > before && point == text.n)
            point = i;
        else if (!is_digit(text.p[i]))
            return;
        if (i < before || i == point)
            continue;
        number = number * 10 + (uint32_t)(text.p[i] - '0');
        digits++;
        first[i] = '0';
        last[i] = '9';
    }
    uint32_t all = digits == WORD ? 99999999 : 9999999;
    if (point + 1 == text.n || !ws_stamp_parse(form, (ws_span){first, text.n}, WS_ZONE_NONE, &least) ||
        !ws_stamp_parse(form, (ws_span){last, text.n}, WS_ZONE_NONE, &most))
        return;
    int64_t digit_ns = (most.ns - least.ns) / all;
    if (least.ns + digit_ns * all != most.ns || least.ns + digit_ns * number != stamp->ns)
        return;
    *cache = (ws_stamp_cache){.form = form,
                              .before_n = before,
                              .minute = {.ns = least.ns, .base = stamp->base},
                              .usual_n = text.n,
                              .is_count = true,
                              .most_digits = all,
                              .digit_ns = digit_ns};
    memcpy(cache->before, text.p, before);
    size_t whole = point == text.n ? WORD : point - before;
    cache->seconds =
        ws_digit_template_of((ws_span){text.p + before, WORD}, whole, point == text.n ? 0 : WORD - 1 - whole);
}

static void timecol_keep(ws_stamp_cache *cache, ws_stamp_form form, ws_span text, const ws_stamp *stamp)
{
    bool is_count = form == WS_STAMP_EPOCH || form == WS_STAMP_ELAPSED;
    size_t at = find_seconds(form, text), end = at + 2;
    cache->before_n = cache->usual_n = 0;
    cache->is_count = false;
    bool is_whole = end == text.n; /* rows may lie minutes apart */
    if (is_count && (!at || is_whole))
        keep_count(cache, form, text, stamp);
    if (cache->usual_n || !at || at > sizeof cache->before || end > text.n)
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
    keep_template(cache, text, at, end);
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
        timecol_keep(cache, form, text, stamp);
    return is_stamp;
}
