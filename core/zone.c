#include "core/zone.h"

#include "core/arena.h"
#include "core/calendar.h"
#include "core/sha256.h"
#include "core/take.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 256 * 1024, MOST_ZONES = 64, LONGEST_NAME = 100, HEADER_SIZE = 44 };
enum { S_PER_DAY = 86400, S_PER_HOUR = 3600 };

/* A day of the year on which the clocks change: "M3.5.0" (month, week, day of the week), "J60" and "59" (day of the
 * year, from 1 without the leap day and from 0 with it), and the time of that day. */
typedef struct change_day {
    char kind; /* 'M', 'J' or '0' */
    int month, week, day;
    int32_t clock_s;
} change_day;

/* The rule for all years behind the last change that is listed: "CET-1CEST,M3.5.0,M10.5.0/3". */
typedef struct rule {
    bool exists, has_summer;
    int32_t winter_s, summer_s; /* seconds east */
    change_day begin, end;      /* of summer time, each in the local time before it */
} rule;

typedef struct named_zone {
    char name[LONGEST_NAME];
    char sha256[WS_SHA256_TEXT]; /* of its file */
    int64_t *change_s;           /* UTC, rising */
    int32_t *offset_s;           /* from that change on */
    size_t n;
    int32_t first_s; /* before the first change */
    rule rule;
} named_zone;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static named_zone *zones[MOST_ZONES];
static size_t n_zones;

/* The POSIX rule at the end of a file. Each function takes its piece off the front or says no. */

static bool zone_take(ws_span *s, char c)
{
    if (!s->n || *s->p != c)
        return false;
    s->p++, s->n--;
    return true;
}

static bool take_int(ws_span *s, int *value)
{
    size_t n = 0;
    for (*value = 0; n < s->n && n < 4 && s->p[n] >= '0' && s->p[n] <= '9'; n++)
        *value = *value * 10 + (s->p[n] - '0');
    s->p += n, s->n -= n;
    return n > 0;
}

/* "CET", "<+0330>" */
static bool take_name(ws_span *s)
{
    bool quoted = zone_take(s, '<');
    size_t n = 0;
    while (n < s->n && (quoted ? s->p[n] != '>' : (s->p[n] | 32) >= 'a' && (s->p[n] | 32) <= 'z'))
        n++;
    s->p += n, s->n -= n;
    return n >= 3 && (!quoted || zone_take(s, '>'));
}

/* [+-]h[:mm[:ss]] */
static bool take_time(ws_span *s, int32_t *seconds)
{
    int part[3] = {0};
    int sign = zone_take(s, '-') ? -1 : (zone_take(s, '+'), 1);
    bool ok = take_int(s, &part[0]);
    for (int i = 1; ok && i < 3 && zone_take(s, ':'); i++)
        ok = take_int(s, &part[i]);
    *seconds = sign * (part[0] * S_PER_HOUR + part[1] * 60 + part[2]);
    return ok;
}

static bool take_change(ws_span *s, change_day *c)
{
    *c = (change_day){.kind = '0', .clock_s = 2 * S_PER_HOUR};
    bool ok = zone_take(s, ',');
    if (ok && zone_take(s, 'M')) {
        c->kind = 'M';
        ok = take_int(s, &c->month) && zone_take(s, '.') && take_int(s, &c->week) && zone_take(s, '.') &&
             take_int(s, &c->day) && c->month >= 1 && c->month <= 12 && c->week >= 1 && c->week <= 5 && c->day <= 6;
    } else if (ok) {
        c->kind = zone_take(s, 'J') ? 'J' : '0';
        ok = take_int(s, &c->day);
    }
    return ok && (!zone_take(s, '/') || take_time(s, &c->clock_s));
}

static bool parse_rule(ws_span s, rule *r)
{
    *r = (rule){.exists = s.n > 0};
    if (!r->exists)
        return true;
    if (!take_name(&s) || !take_time(&s, &r->winter_s)) /* west is positive there */
        return false;
    r->winter_s = -r->winter_s;
    if (!s.n)
        return true;
    r->has_summer = true;
    r->summer_s = r->winter_s + S_PER_HOUR;
    if (!take_name(&s))
        return false;
    if (s.n && *s.p != ',') {
        if (!take_time(&s, &r->summer_s))
            return false;
        r->summer_s = -r->summer_s;
    }
    return take_change(&s, &r->begin) && take_change(&s, &r->end) && s.n == 0;
}

static int weekday_of(int64_t days)
{
    return (int)(((days + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Local seconds since the epoch. */
static int64_t change_in(const change_day *c, int64_t year)
{
    int64_t days = ws_days_from_civil(year, 1, 1);
    if (c->kind == 'M') {
        int64_t first = ws_days_from_civil(year, (unsigned)c->month, 1);
        int64_t next =
            c->month == 12 ? ws_days_from_civil(year + 1, 1, 1) : ws_days_from_civil(year, (unsigned)c->month + 1, 1);
        days = first + (c->day - weekday_of(first) + 7) % 7 + 7 * (c->week - 1);
        days -= days >= next ? 7 : 0; /* the fifth is the last */
    } else {
        bool counts_leap_day = c->kind == 'J' && is_leap(year) && c->day >= 60;
        days += c->day - (c->kind == 'J') + counts_leap_day;
    }
    return days * S_PER_DAY + c->clock_s;
}

static int32_t offset_by_rule(const rule *r, int64_t utc_s)
{
    int64_t local_s = utc_s + r->winter_s, year, month, day;
    if (!r->has_summer)
        return r->winter_s;
    ws_civil_from_days(local_s / S_PER_DAY - (local_s % S_PER_DAY < 0), &year, &month, &day);
    int64_t begin = change_in(&r->begin, year) - r->winter_s, end = change_in(&r->end, year) - r->summer_s;
    bool is_summer = begin < end ? utc_s >= begin && utc_s < end : utc_s >= begin || utc_s < end;
    return is_summer ? r->summer_s : r->winter_s;
}

/* A TZif file: a header and data in 32 bits, the same in 64 bits, and a line with the rule. */

static int64_t read_big(const unsigned char *p, size_t n)
{
    uint64_t v = (*p & 0x80) ? ~UINT64_C(0) : 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return (int64_t)v;
}

typedef struct counts {
    size_t utc, standard, leaps, changes, types, letters;
} counts;

static bool read_header(const unsigned char *p, size_t n, counts *c)
{
    if (n < HEADER_SIZE || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
        return false;
    size_t *const to[] = {&c->utc, &c->standard, &c->leaps, &c->changes, &c->types, &c->letters};
    for (size_t i = 0; i < 6; i++) {
        int64_t count = read_big(p + 20 + 4 * i, 4);
        if (count < 0 || count > LARGEST_FILE)
            return false;
        *to[i] = (size_t)count;
    }
    return c->types > 0;
}

static size_t size_of_data(const counts *c, size_t time_size)
{
    return c->changes * (time_size + 1) + c->types * 6 + c->letters + c->leaps * (time_size + 4) + c->standard + c->utc;
}

static bool read_changes(named_zone *zone, const unsigned char *data, const counts *c)
{
    const unsigned char *kinds = data + c->changes * 8, *types = kinds + c->changes;
    zone->n = c->changes;
    zone->change_s = ws_alloc(zone->n * sizeof *zone->change_s);
    zone->offset_s = ws_alloc(zone->n * sizeof *zone->offset_s);
    zone->first_s = (int32_t)read_big(types, 4);
    for (size_t i = 0; i < zone->n; i++) {
        zone->change_s[i] = read_big(data + i * 8, 8);
        if (kinds[i] >= c->types || (i && zone->change_s[i] <= zone->change_s[i - 1]))
            return false;
        zone->offset_s[i] = (int32_t)read_big(types + kinds[i] * 6, 4);
    }
    return true;
}

static bool read_file(named_zone *zone, const unsigned char *p, size_t n)
{
    counts c;
    if (!read_header(p, n, &c) || size_of_data(&c, 4) > n - HEADER_SIZE)
        return false;
    size_t skipped = HEADER_SIZE + size_of_data(&c, 4);
    p += skipped, n -= skipped;
    if (!read_header(p, n, &c) || size_of_data(&c, 8) > n - HEADER_SIZE || !read_changes(zone, p + HEADER_SIZE, &c))
        return false;
    skipped = HEADER_SIZE + size_of_data(&c, 8);
    ws_span footer = {(const char *)p + skipped, n - skipped};
    return zone_take(&footer, '\n') && footer.n && footer.p[footer.n - 1] == '\n' &&
           parse_rule((ws_span){footer.p, footer.n - 1}, &zone->rule);
}

static void free_zone(named_zone *zone)
{
    free(zone->change_s);
    free(zone->offset_s);
    free(zone);
}

static named_zone *zone_load(const char *name)
{
    char path[LONGEST_NAME + 300];
    const char *folder = getenv("TZDIR");
    snprintf(path, sizeof path, "%.250s/%s", folder && *folder ? folder : "/usr/share/zoneinfo", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    unsigned char *bytes = ws_alloc(LARGEST_FILE);
    size_t n = fread(bytes, 1, LARGEST_FILE, file);
    fclose(file);
    named_zone *zone = ws_alloc(sizeof *zone);
    ws_sha256 hash;
    strcpy(zone->name, name);
    ws_sha256_init(&hash);
    ws_sha256_add(&hash, bytes, n);
    ws_sha256_text(&hash, zone->sha256);
    bool ok = read_file(zone, bytes, n);
    free(bytes);
    if (ok)
        return zone;
    free_zone(zone);
    return NULL;
}

static bool is_name(ws_span text)
{
    bool ok = text.n > 0 && text.n < LONGEST_NAME && *text.p != '/' && !ws_span_contains(text, "..");
    for (size_t i = 0; i < text.n && ok; i++)
        ok = ((text.p[i] | 32) >= 'a' && (text.p[i] | 32) <= 'z') || (text.p[i] >= '0' && text.p[i] <= '9') ||
             strchr("/_+-", text.p[i]);
    return ok;
}

static bool find_named(const char *name, int32_t *zone)
{
    size_t i = 0;
    while (i < n_zones && strcmp(zones[i]->name, name) != 0)
        i++;
    if (i == n_zones && n_zones < MOST_ZONES && (zones[i] = zone_load(name)))
        n_zones++;
    *zone = WS_ZONE_NAMED + (int32_t)i;
    return i < n_zones;
}

static const struct {
    const char *name;
    int hours, minutes;
    bool is_ambiguous;
} abbreviations[] = {{"UTC", 0, 0, false},   {"GMT", 0, 0, false},    {"Z", 0, 0, false},     {"CET", 1, 0, false},
                     {"CEST", 2, 0, false},  {"EST", -5, 0, false},   {"EDT", -4, 0, false},  {"CST", -6, 0, true},
                     {"CDT", -5, 0, false},  {"MST", -7, 0, false},   {"MDT", -6, 0, false},  {"PST", -8, 0, false},
                     {"PDT", -7, 0, false},  {"BST", 1, 0, true},     {"JST", 9, 0, false},   {"KST", 9, 0, false},
                     {"EET", 2, 0, false},   {"EEST", 3, 0, false},   {"WET", 0, 0, false},   {"WEST", 1, 0, false},
                     {"IST", 5, 30, true},   {"MSK", 3, 0, false},    {"HST", -10, 0, false}, {"AKST", -9, 0, false},
                     {"AKDT", -8, 0, false}, {"SAST", 2, 0, false},   {"HKT", 8, 0, false},   {"AWST", 8, 0, false},
                     {"ACST", 9, 30, false}, {"ACDT", 10, 30, false}, {"AEST", 10, 0, false}, {"AEDT", 11, 0, false},
                     {"NZST", 12, 0, false}, {"NZDT", 13, 0, false}};
enum { ABBREVIATIONS = sizeof abbreviations / sizeof *abbreviations };

static size_t find_abbreviation(ws_span text)
{
    size_t i = 0;
    text = ws_span_trim(text);
    while (i < ABBREVIATIONS && !ws_span_eq_nocase(text, abbreviations[i].name))
        i++;
    return i;
}

bool ws_zone_is_ambiguous(ws_span word)
{
    size_t i = find_abbreviation(word);
    return i < ABBREVIATIONS && abbreviations[i].is_ambiguous;
}

bool ws_zone_parse(ws_span text, int32_t *offset_s)
{
    text = ws_span_trim(text);
    size_t known = find_abbreviation(text);
    if (known < ABBREVIATIONS) {
        *offset_s = abbreviations[known].hours * 3600 + abbreviations[known].minutes * 60;
        return true;
    }
    char sign;
    int64_t hours, minutes = 0;
    if (!take_one_of(&text, "+-", &sign) || !take_number(&text, 1, 2, &hours))
        return false;
    take_char(&text, ':');
    if (text.n && !take_number(&text, 2, 2, &minutes))
        return false;
    if (text.n || hours > 14 || minutes > 59)
        return false;
    int64_t offset = hours * 3600 + minutes * 60;
    *offset_s = (int32_t)(sign == '-' ? -offset : offset);
    return true;
}

bool ws_zone_find(ws_span text, int32_t *zone)
{
    char name[LONGEST_NAME];
    text = ws_span_trim(text);
    if (ws_zone_parse(text, zone))
        return true;
    if (!is_name(text))
        return false;
    snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(text));
    pthread_mutex_lock(&lock);
    bool found = find_named(name, zone);
    pthread_mutex_unlock(&lock);
    return found;
}

const char *ws_zone_name(int32_t zone)
{
    return ws_zone_is_named(zone) ? zones[zone - WS_ZONE_NAMED]->name : NULL;
}

const char *ws_zone_sha256(int32_t zone)
{
    return ws_zone_is_named(zone) ? zones[zone - WS_ZONE_NAMED]->sha256 : NULL;
}

int32_t ws_zone_offset_at(int32_t zone, int64_t utc_s)
{
    if (!ws_zone_is_named(zone))
        return zone;
    const named_zone *z = zones[zone - WS_ZONE_NAMED];
    if (z->rule.exists && (!z->n || utc_s >= z->change_s[z->n - 1]))
        return offset_by_rule(&z->rule, utc_s);
    size_t low = 0, high = z->n; /* changes up to utc_s */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->change_s[middle] <= utc_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? z->offset_s[low - 1] : z->first_s;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

int64_t ws_zone_to_utc(int32_t zone, int64_t local_ns, const int64_t *near_ns)
{
    const int64_t ns_per_s = 1000000000;
    int64_t local_s = local_ns / ns_per_s - (local_ns % ns_per_s < 0);
    /* clocks change at most once within two days */
    int64_t before = ws_zone_offset_at(zone, local_s - S_PER_DAY), after = ws_zone_offset_at(zone, local_s + S_PER_DAY);
    int64_t first = local_ns - before * ns_per_s, second = local_ns - after * ns_per_s;
    bool first_is = ws_zone_offset_at(zone, local_s - before) == before;
    bool second_is = ws_zone_offset_at(zone, local_s - after) == after;
    if (!first_is)
        return second_is ? second : first;
    bool nearer = second_is && near_ns && distance(second, *near_ns) <= distance(first, *near_ns);
    return nearer ? second : first;
}
