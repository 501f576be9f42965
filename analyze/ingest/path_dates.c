#include "analyze/ingest/path_dates.h"

#include <ctype.h>
#include <string.h>

static bool is_digit(ws_span text, size_t at)
{
    return at < text.n && isdigit((unsigned char)text.p[at]);
}

static size_t digits_at(ws_span text, size_t at)
{
    size_t n = 0;
    while (is_digit(text, at + n))
        n++;
    return n;
}

static int number_at(ws_span text, size_t at, size_t n)
{
    int value = 0;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (text.p[at + i] - '0');
    return value;
}

static bool is_between(int value, int low, int high)
{
    return value >= low && value <= high;
}

/* "-18", "18": two digits from low to high, behind the separator where there is one; its length or 0. */
static size_t two_digits(ws_span text, size_t at, const char *separators, int low, int high)
{
    size_t skip = at < text.n && *separators && strchr(separators, text.p[at]) ? 1 : 0;
    if (*separators && !skip)
        return 0;
    bool fits = is_digit(text, at + skip) && is_digit(text, at + skip + 1) &&
                is_between(number_at(text, at + skip, 2), low, high);
    return fits ? skip + 2 : 0;
}

static size_t clock_at(ws_span text, size_t at)
{
    static const char *const separators[] = {"-", ":", "_", ".", ""};
    for (size_t s = 0; s < sizeof separators / sizeof *separators; s++) {
        size_t h = two_digits(text, at, "", 0, 23);
        size_t m = h ? two_digits(text, at + h, separators[s], 0, 59) : 0;
        size_t sec = m ? two_digits(text, at + h + m, separators[s], 0, 60) : 0;
        if (m && !is_digit(text, at + h + m + sec) && (sec || *separators[s] != '-'))
            return h + m + sec;
    }
    return 0;
}

/* ".082046" behind seconds: milli-, micro- or nanoseconds. */
static size_t fraction_at(ws_span text, size_t at)
{
    size_t digits = at < text.n && text.p[at] == '.' ? digits_at(text, at + 1) : 0;
    return digits == 3 || digits == 6 || digits == 9 ? 1 + digits : 0;
}

static size_t time_behind(ws_span text, size_t at)
{
    size_t skip = at < text.n && strchr("T_-t .", text.p[at]) ? 1 : 0, time = clock_at(text, at + skip);
    return time ? skip + time + fraction_at(text, at + skip + time) : 0;
}

/* "18.04.2026", "04-18-2026": a day and a month, in the one order or the other, then the year. */
static size_t year_last(ws_span text, size_t at)
{
    const char *separator = at + 2 < text.n && text.p[at + 2] == '.' ? "." : "-_";
    size_t first = two_digits(text, at, "", 1, 31), second = first ? two_digits(text, at + 2, separator, 1, 31) : 0;
    bool fits = second && at + 10 <= text.n && text.p[at + 5] == text.p[at + 2] && digits_at(text, at + 6) == 4 &&
                is_between(number_at(text, at + 6, 4), 1990, 2099) &&
                (number_at(text, at, 2) <= 12 || number_at(text, at + 3, 2) <= 12);
    return fits ? 10 + time_behind(text, at + 10) : 0;
}

/* "20260418", "2026-04-18", "18.04.2026", with a time behind it; 1990 to 2099. 12-30-00 alone is a time. Seconds since
 * the epoch from 2001 on are dates, too. */
size_t ws_date_in_path(ws_span text, size_t at)
{
    size_t digits = digits_at(text, at);
    if ((at && isdigit((unsigned char)text.p[at - 1])) || !digits)
        return 0;
    if ((digits == 10 && is_between(number_at(text, at, 2), 10, 20)) ||
        (digits == 13 && is_between(number_at(text, at, 2), 10, 20)))
        return digits;
    size_t year = digits == 4 || digits == 8 || digits == 12 || digits == 14 ? 4 : 0;
    const char *separator = digits != 4 ? "" : at + 4 < text.n && text.p[at + 4] == '_' ? "_" : "-.";
    size_t month =
        year && is_between(number_at(text, at, 4), 1990, 2099) ? two_digits(text, at + 4, separator, 1, 12) : 0;
    size_t day = month ? two_digits(text, at + 4 + month, separator, 1, 31) : 0;
    if (!day) {
        size_t time = digits == 2 ? clock_at(text, at) : 0, whole = digits == 2 ? year_last(text, at) : 0;
        if (whole)
            return whole;
        return time == 8 && (text.p[at + 2] == '-' || text.p[at + 2] == ':') ? time : 0;
    }
    size_t n = 4 + month + day, time = time_behind(text, at + n);
    return !time && is_digit(text, at + n) ? 0 : n + time;
}
