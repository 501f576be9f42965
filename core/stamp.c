#include "core/stamp.h"

#include "core/calendar.h"
#include "core/take.h"
#include "core/zone.h"

#include <math.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define S_PER_DAY INT64_C(86400)
#define LONGEST_S INT64_C(4600000000) /* 145 years: twice that still fits into nanoseconds */

/* Digits after a decimal point as nanoseconds; the tenth digit rounds, later ones only have to be digits. */
static bool take_fraction(ws_span *s, int64_t *ns)
{
    enum { DIGITS = 9 };
    static const uint32_t unit_ns[DIGITS + 1] = {0, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    const char *end = s->p + s->n;
    uint64_t v = 0, beyond = 0;
    const char *p = ws_skip_digits(s->p, s->n > DIGITS ? s->p + DIGITS : end, &v);
    size_t n = (size_t)(p - s->p);
    bool up = n == DIGITS && p < end && *p >= '5' && *p <= '9';
    if (n == DIGITS)
        p = ws_skip_digits(p, end, &beyond);
    s->n = (size_t)(end - p);
    s->p = p;
    *ns = (int64_t)(v * unit_ns[n]) + up;
    return n > 0;
}

static bool date_to_s(int64_t year, int64_t month, int64_t day, int64_t *seconds)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year < 1700 || year > 2200 || month < 1 || month > 12 || day < 1 || day > lengths[month - 1] ||
        (month == 2 && day == 29 && !leap))
        return false;
    *seconds = ws_days_from_civil(year, (unsigned)month, (unsigned)day) * S_PER_DAY;
    return true;
}

/* H:M[:S[.f]], with ':' before the milliseconds as Intel Power Gadget writes them. "05:30.0" is no H:M.f: spreadsheets
 * show minutes and seconds so, without the hour. A leap second reads as the next, 24:00 as the next midnight. */
static bool take_clock(ws_span *s, int64_t *ns)
{
    int64_t hour, minute, second = 0, fraction = 0;
    if (!take_number(s, 1, 2, &hour) || !take_char(s, ':') || !take_number(s, 2, 2, &minute))
        return false;
    bool has_seconds = take_char(s, ':');
    if (has_seconds && !take_number(s, 2, 2, &second))
        return false;
    char point;
    if (take_one_of(s, ".,:", &point) && (!has_seconds || !take_fraction(s, &fraction)))
        return false;
    *ns = ((hour * 60 + minute) * 60 + second) * NS_PER_S + fraction;
    return minute <= 59 && second <= 60 && (hour <= 23 || *ns == S_PER_DAY * NS_PER_S);
}

static bool take_word(ws_span *s, ws_span *word)
{
    skip_blanks(s);
    size_t n = 0;
    while (n < s->n && s->p[n] != ' ')
        n++;
    *word = (ws_span){s->p, n};
    s->p += n, s->n -= n;
    return n > 0;
}

/* "AM" or "PM" of a clock of twelve hours. */
static bool shift_half_day(ws_span word, int64_t *clock_ns)
{
    bool afternoon = ws_span_eq_nocase(word, "PM");
    int64_t half_day = 12 * 3600 * NS_PER_S;
    bool twelve = *clock_ns >= half_day;
    if (!afternoon && !ws_span_eq_nocase(word, "AM"))
        return false;
    *clock_ns += afternoon && !twelve ? half_day : 0;
    *clock_ns -= !afternoon && twelve ? half_day : 0;
    return true;
}

/* Blanks as JavaScript and Windows write them before AM and PM, too: U+202F and U+00A0. */
static void skip_wide_blanks(ws_span *s)
{
    static const char *const blanks[] = {" ", "\xe2\x80\xaf", "\xc2\xa0"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        if (!ws_span_has_prefix(*s, blanks[i]))
            continue;
        s->p += strlen(blanks[i]), s->n -= strlen(blanks[i]);
        i = (size_t)-1;
    }
}

/* The time of day behind a date, with AM or PM or without; what is left is a zone. */
static bool take_time_of_day(ws_span *s, int64_t *clock_ns)
{
    if (!take_clock(s, clock_ns))
        return false;
    ws_span rest = *s;
    skip_wide_blanks(&rest);
    if (rest.n >= 2 && shift_half_day((ws_span){rest.p, 2}, clock_ns))
        *s = (ws_span){rest.p + 2, rest.n - 2};
    return true;
}

static bool stamp_finish(int64_t day_s, int64_t clock_ns, ws_span zone, int32_t given_zone, ws_stamp *stamp)
{
    int32_t offset = 0;
    zone = ws_span_trim(zone);
    if (given_zone != WS_ZONE_NONE && ws_zone_is_ambiguous(zone))
        zone.n = 0;
    stamp->base = zone.n || given_zone != WS_ZONE_NONE ? WS_TIME_UTC : WS_TIME_NAIVE;
    if (zone.n && !ws_zone_parse(zone, &offset))
        return false;
    stamp->ns = (day_s - offset) * NS_PER_S + clock_ns;
    if (!zone.n && given_zone != WS_ZONE_NONE)
        stamp->ns = ws_zone_to_utc(given_zone, stamp->ns, NULL);
    return true;
}

/* 20260314T092701.5Z, 20260314 092701, 20260314092701; the time may have its colons. Eight digits alone are a number.
 */
static bool parse_compact(ws_span s, int32_t zone, ws_stamp *stamp)
{
    int64_t year, month, day, day_s, hour, minute, second, clock, fraction = 0;
    char blank;
    if (!take_number(&s, 4, 4, &year) || !take_number(&s, 2, 2, &month) || !take_number(&s, 2, 2, &day) ||
        !date_to_s(year, month, day, &day_s))
        return false;
    if (take_one_of(&s, "T_ ", &blank)) {
        skip_blanks(&s);
        ws_span rest = s;
        if (take_time_of_day(&rest, &clock))
            return stamp_finish(day_s, clock, rest, zone, stamp);
    }
    if (!take_number(&s, 2, 2, &hour) || !take_number(&s, 2, 2, &minute) || !take_number(&s, 2, 2, &second) ||
        (take_one_of(&s, ".,", &blank) && !take_fraction(&s, &fraction)) || hour > 23 || minute > 59 || second > 60)
        return false;
    clock = ((hour * 60 + minute) * 60 + second) * NS_PER_S + fraction;
    return stamp_finish(day_s, clock, s, zone, stamp);
}

static bool parse_ymd(ws_span s, int32_t zone, ws_stamp *stamp)
{
    int64_t year, month, day, day_s, clock = 0;
    char separator, blank;
    ws_span whole = s;
    if (!take_number(&s, 4, 4, &year))
        return false;
    if (s.n && *s.p >= '0' && *s.p <= '9')
        return parse_compact(whole, zone, stamp);
    if (!take_one_of(&s, "-/_", &separator) || !take_number(&s, 1, 2, &month) || !take_char(&s, separator) ||
        !take_number(&s, 1, 2, &day) || !date_to_s(year, month, day, &day_s))
        return false;
    if (s.n && (!take_one_of(&s, "T _", &blank) || (skip_blanks(&s), !take_time_of_day(&s, &clock))))
        return false;
    return stamp_finish(day_s, clock, s, zone, stamp);
}

static bool parse_short_date(ws_span s, bool month_first, int32_t zone, ws_stamp *stamp)
{
    int64_t first, second, year, day_s, clock = 0;
    char separator;
    if (!take_number(&s, 1, 2, &first) || !take_one_of(&s, "-/.", &separator) || !take_number(&s, 1, 2, &second) ||
        !take_char(&s, separator) || !take_number(&s, 4, 4, &year))
        return false;
    int64_t month = month_first ? first : second, day = month_first ? second : first;
    if (!date_to_s(year, month, day, &day_s))
        return false;
    take_char(&s, ','); /* "3/14/2026, 9:27:01 AM" */
    if (s.n && (!take_char(&s, ' ') || (skip_blanks(&s), !take_time_of_day(&s, &clock))))
        return false;
    return stamp_finish(day_s, clock, s, zone, stamp);
}

/* "Nov", "Sept" or "November"; 0: none. */
static int month_of(ws_span word)
{
    static const char *const names[] = {"January", "February", "March",     "April",   "May",      "June",
                                        "July",    "August",   "September", "October", "November", "December"};
    enum { LEAST = 3, MOST = 9 };
    char beginning[MOST + 1] = {0};
    for (int m = 0; m < 12; m++) {
        memcpy(beginning, names[m], strlen(names[m]) + 1);
        if (word.n >= LEAST && word.n <= strlen(names[m])) {
            beginning[word.n] = '\0';
            if (ws_span_eq_nocase(word, beginning))
                return m + 1;
        }
    }
    return 0;
}

/* "Wed", "Wed," or "Wednesday": three letters at least. */
static bool take_weekday(ws_span *s)
{
    size_t n = 0;
    while (n < s->n && ((s->p[n] >= 'A' && s->p[n] <= 'Z') || (s->p[n] >= 'a' && s->p[n] <= 'z')))
        n++;
    s->p += n, s->n -= n;
    bool has_end = take_char(s, ',') || (s->n && *s->p == ' ');
    skip_blanks(s);
    return n >= 3 && has_end;
}

/* "Jan  5 ", and the year behind the time; "05 Jan 2022 "; "Jan 05 2022 ". */
static bool take_day_and_month(ws_span *s, int64_t *day, int *month, int64_t *year)
{
    ws_span word;
    bool is_day_first = take_number(s, 1, 2, day);
    if (!take_word(s, &word) || !(*month = month_of(word)))
        return false;
    skip_blanks(s);
    bool is_whole = is_day_first ? take_number(s, 4, 4, year) : take_number(s, 1, 2, day);
    if (!is_whole || !take_char(s, ' '))
        return false;
    skip_blanks(s);
    ws_span rest = *s;
    int64_t behind;
    if (!is_day_first && take_number(&rest, 4, 4, &behind) && take_char(&rest, ' '))
        *s = rest, *year = behind;
    skip_blanks(s);
    return true;
}

/* Wed Jan  5 15:09:50 2022, as ctime(3); of date(1) by its locale Wed Feb 26 01:50:18 PM EST 2025 and
 * Wed 26 Feb 2025 01:50:18 PM EST; Wed, 26 Feb 2025 13:50:18 -0500, as date -R; Wed Feb 26 2025 13:50:18 GMT-0500
 * (EST), as JavaScript prints a Date. */
static bool parse_ctime(ws_span s, int32_t zone, ws_stamp *stamp)
{
    ws_span word, zone_word = {"", 0};
    int64_t day = 0, clock, year = 0, number, day_s;
    int month;
    if (!take_weekday(&s) || !take_day_and_month(&s, &day, &month, &year) || !take_clock(&s, &clock))
        return false;
    while (take_word(&s, &word) && *word.p != '(') { /* "(CET)" of JavaScript, behind "GMT+0100" */
        if (shift_half_day(word, &clock))
            continue;
        if (ws_span_has_prefix(word, "GMT+") || ws_span_has_prefix(word, "GMT-"))
            word = (ws_span){word.p + 3, word.n - 3};
        if (*word.p != '+' && *word.p != '-' && ws_span_i64(word, &number)) {
            year = number;
        } else {
            zone_word = word;
        }
    }
    return date_to_s(year, month, day, &day_s) && stamp_finish(day_s, clock, zone_word, zone, stamp);
}

/* Decimal digits with one optional point, as whole part and nanosecond part. */
static bool split_decimal(ws_span s, bool *negative, int64_t *whole, int64_t *fraction)
{
    s = ws_span_trim(s);
    *negative = take_char(&s, '-');
    *fraction = 0;
    enum { ALWAYS_FITS = 19 }; /* in 64 bits without a sign */
    uint64_t units = 0;
    const char *behind = ws_skip_digits(s.p, s.p + s.n, &units);
    size_t digits = (size_t)(behind - s.p);
    if (digits > ALWAYS_FITS || units > INT64_MAX)
        return false;
    *whole = (int64_t)units;
    s.p += digits, s.n -= digits;
    bool has_fraction = s.n && take_char(&s, '.') && take_fraction(&s, fraction);
    return s.n == 0 && (digits || has_fraction);
}

bool ws_seconds_to_ns(ws_span text, int64_t *ns)
{
    bool negative;
    int64_t whole, fraction;
    double value;
    text = ws_span_trim(text);
    if (!text.n || !(text.p[0] == '-' || text.p[0] == '.' || (text.p[0] >= '0' && text.p[0] <= '9')))
        return false;
    if (!split_decimal(text, &negative, &whole, &fraction)) {
        /* exponents, as in 1e-3: rare, and short enough for a double */
        if (!ws_span_double(text, &value) || !(fabs(value) <= (double)LONGEST_S))
            return false;
        *ns = (int64_t)(value * 1e9 + (value < 0 ? -0.5 : 0.5));
        return true;
    }
    if (whole > LONGEST_S)
        return false;
    *ns = whole * NS_PER_S + fraction;
    *ns = negative ? -*ns : *ns;
    return true;
}

static bool parse_epoch(ws_span s, ws_stamp *stamp)
{
    bool negative;
    int64_t whole, fraction;
    if (!split_decimal(s, &negative, &whole, &fraction) || negative)
        return false;
    int64_t ns_per_tick = NS_PER_S;
    /* 1e8 s is 1973 and 7e9 s is 2191: the magnitude tells s, ms, us and ns apart. */
    for (int64_t limit = INT64_C(7000000000); whole > limit; limit *= 1000, ns_per_tick /= 1000)
        if (ns_per_tick == 1)
            return false;
    stamp->base = WS_TIME_UTC;
    stamp->ns = whole * ns_per_tick + fraction / (NS_PER_S / ns_per_tick);
    return true;
}

bool ws_stamp_parse(ws_stamp_form form, ws_span text, int32_t zone, ws_stamp *stamp)
{
    text = ws_span_trim(text);
    stamp->base = WS_TIME_RELATIVE;
    switch (form) {
    case WS_STAMP_YMD:
        return parse_ymd(text, zone, stamp);
    case WS_STAMP_DMY:
        return parse_short_date(text, false, zone, stamp);
    case WS_STAMP_MDY:
        return parse_short_date(text, true, zone, stamp);
    case WS_STAMP_CTIME:
        return parse_ctime(text, zone, stamp);
    case WS_STAMP_EPOCH:
        return parse_epoch(text, stamp);
    case WS_STAMP_ELAPSED:
        return ws_seconds_to_ns(text, &stamp->ns);
    case WS_STAMP_CLOCK:
        return take_time_of_day(&text, &stamp->ns) && text.n == 0;
    case WS_STAMP_NONE:
        break;
    }
    return false;
}

ws_stamp_form ws_stamp_guess(ws_span text)
{
    static const ws_stamp_form order[] = {WS_STAMP_YMD, WS_STAMP_DMY, WS_STAMP_MDY, WS_STAMP_CTIME, WS_STAMP_CLOCK};
    ws_stamp stamp;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (ws_stamp_parse(order[i], text, WS_ZONE_NONE, &stamp))
            return order[i];
    int64_t ns;
    double value;
    if (ws_span_double(text, &value) && value < 1e8)
        return ws_seconds_to_ns(text, &ns) ? WS_STAMP_ELAPSED : WS_STAMP_NONE;
    return ws_stamp_parse(WS_STAMP_EPOCH, text, WS_ZONE_NONE, &stamp) ? WS_STAMP_EPOCH : WS_STAMP_NONE;
}

ws_stamp_form ws_stamp_settle(ws_stamp_form so_far, ws_span text)
{
    ws_stamp stamp;
    if (so_far == WS_STAMP_NONE)
        return ws_stamp_guess(text);
    if (ws_stamp_parse(so_far, text, WS_ZONE_NONE, &stamp))
        return so_far;
    if (so_far == WS_STAMP_DMY && ws_stamp_parse(WS_STAMP_MDY, text, WS_ZONE_NONE, &stamp))
        return WS_STAMP_MDY;
    return WS_STAMP_NONE;
}

static char *put_digits(char *to, int64_t value, int n)
{
    for (int i = n; i-- > 0; value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + n;
}

/* `last` stands behind it. */
static char *put_piece(char *to, int64_t value, int n, char last)
{
    to = put_digits(to, value, n);
    *to++ = last;
    return to;
}

size_t ws_stamp_text(char *buffer, int64_t ns)
{
    int64_t day_ns = S_PER_DAY * NS_PER_S;
    int64_t days = ns / day_ns - (ns % day_ns < 0);
    int64_t rest = ns % day_ns + (ns % day_ns < 0 ? day_ns : 0);
    int64_t year, month, day;
    ws_civil_from_days(days, &year, &month, &day);
    int64_t seconds = rest / NS_PER_S, fraction = rest % NS_PER_S;
    char *to = put_piece(buffer, year, 4, '-'); /* 64 bits of nanoseconds end in 2262 */
    to = put_piece(to, month, 2, '-');
    to = put_piece(to, day, 2, 'T');
    to = put_piece(to, seconds / 3600, 2, ':');
    to = put_piece(to, seconds / 60 % 60, 2, ':');
    to = put_digits(to, seconds % 60, 2);
    if (fraction) {
        *to++ = '.';
        to = put_digits(to, fraction, 9);
        while (to[-1] == '0')
            to--;
    }
    *to++ = 'Z';
    *to = '\0';
    return (size_t)(to - buffer);
}

bool ws_duration_parse(ws_span text, int64_t *ns)
{
    text = ws_span_trim(text);
    if (!text.n)
        return false;
    if (!memchr(text.p, ':', text.n))
        return ws_seconds_to_ns(text, ns);
    int64_t days = 0, part[3] = {0}, fraction = 0;
    int parts = 0;
    ws_span rest = text, number, behind;
    if (ws_span_cut(text, " day", &number, &behind)) {
        ws_span plural, clock;
        if (!ws_span_i64(number, &days) || days < 0 || days > 999999 || !ws_span_cut(behind, ", ", &plural, &clock) ||
            !(ws_span_eq(plural, "") || ws_span_eq(plural, "s")))
            return false;
        rest = clock;
    } else if (memchr(text.p, '-', text.n) && (!take_number(&rest, 1, 6, &days) || !take_char(&rest, '-'))) {
        return false;
    }
    do {
        if (parts == 3 || !take_number(&rest, 1, 6, &part[parts++]))
            return false;
    } while (take_char(&rest, ':'));
    if (take_char(&rest, '.') && !take_fraction(&rest, &fraction))
        return false;
    if (rest.n || parts < 2)
        return false;
    int64_t hours = parts == 3 ? part[0] : 0, minutes = part[parts - 2], seconds = part[parts - 1];
    int64_t whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    *ns = whole <= LONGEST_S ? whole * NS_PER_S + fraction : 0;
    return whole <= LONGEST_S;
}
