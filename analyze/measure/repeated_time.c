#include "analyze/measure/repeated_time.h"

#include "analyze/measure/meter_internal.h"
#include "core/calendar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the time from which on no total is printed. A clock that a time server sets back by half a minute stays
 * below it in a log of at least ten minutes. */
static const double TWICE_ASKED = 0.05;

/* At the end of summer time local time steps back by an hour, give or take an interval of the logger. */
static const double AUTUMN_S = 3600, AUTUMN_SLACK_S = 60;

static int by_start(const void *left, const void *right)
{
    const ws_rising *a = left, *b = right;
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static double since_s(int64_t earlier, int64_t later)
{
    return ((double)later - (double)earlier) / WS_NS_PER_S;
}

/* The mean of the intervals in the quarter octave of the median. */
static double usual_interval_s(const ws_meter *m)
{
    int usual = ws_meter_median_bucket(m);
    for (size_t i = 0; i < m->n_buckets; i++)
        if (m->buckets[i].quarter_octave == usual)
            return (double)m->buckets[i].total_ns / (double)m->buckets[i].count / WS_NS_PER_S;
    return 0;
}

static const size_t NOT_AUTUMN = SIZE_MAX;

/* Summer time ends on a Sunday of autumn at a full hour of the night: 3:00 becomes 2:00 in the European Union (4:00 in
 * its east, 2:00 in its west), 2:00 becomes 1:00 in North America, 3:00 becomes 2:00 in Australia and New Zealand
 * (first Sunday of April), and Saturday's 24:00 becomes 23:00 in Chile and Greenland. `day` counts from 1970-01-01, a
 * Thursday. */
static bool is_autumn_night(int64_t day, int64_t hour)
{
    int64_t year, month, of_month, week_day = ((day + 4) % 7 + 7) % 7; /* 0: Sunday */
    ws_civil_from_days(day, &year, &month, &of_month);
    bool is_night = (week_day == 0 && hour <= 3) || (week_day == 6 && hour == 23);
    bool is_north = month == 10 || (month == 11 && of_month <= 7);
    return is_night && (is_north || (month == 4 && of_month <= 8));
}

/* The last reading before the step lies at most an interval before a full hour, the first one behind the step at most
 * an interval after the hour before it, in a night in which clocks are set back. */
static bool is_clock_change(int64_t last_ns, int64_t next_ns, double interval_s)
{
    const int64_t hour_ns = llround(AUTUMN_S * WS_NS_PER_S), hour = next_ns / hour_ns;
    double late_s = since_s(hour * hour_ns, next_ns), early_s = since_s(last_ns, (hour + 1) * hour_ns);
    double most_s = interval_s + AUTUMN_SLACK_S;
    return next_ns > 0 && is_autumn_night(hour / 24, hour % 24) && late_s <= most_s && early_s <= most_s &&
           early_s >= -AUTUMN_SLACK_S;
}

/* The stretch after which summer time ended, for a clock without a zone; NOT_AUTUMN if there is none, or if several
 * qualify. Outside the window the ends are not known. Two loggers whose clocks are an hour apart step back on any day.
 */
static size_t find_autumn(const ws_meter *m)
{
    size_t found = NOT_AUTUMN;
    double interval_s = usual_interval_s(m);
    for (size_t i = 0; i < m->n_rising && m->time == WS_TIME_NAIVE; i++) {
        int64_t last = m->rising[i].end_ns, next = i + 1 < m->n_rising ? m->rising[i + 1].start_ns : m->rising_start;
        if (fabs(since_s(next, last) + interval_s - AUTUMN_S) > AUTUMN_SLACK_S)
            continue;
        if (found != NOT_AUTUMN || !is_clock_change(last, next, interval_s) || !ws_meter_is_inside(m, last) ||
            !ws_meter_is_inside(m, next))
            return NOT_AUTUMN;
        found = i;
    }
    return m->n_rising < WS_RISING_KEPT ? found : NOT_AUTUMN;
}

/* All stretches of the meter inside its window, including the current one, ordered by their starts. Those after the
 * stretch `autumn` are moved by an hour. The caller frees the list. */
static ws_rising *list_stretches(const ws_meter *m, size_t autumn, size_t *n)
{
    const int64_t hour_ns = llround(AUTUMN_S * WS_NS_PER_S);
    const ws_meter_options *o = &m->options;
    ws_rising *all = ws_alloc((m->n_rising + 1) * sizeof *all);
    if (m->n_rising)
        memcpy(all, m->rising, m->n_rising * sizeof *all);
    all[m->n_rising] = (ws_rising){m->rising_start, m->last_t};
    *n = 0;
    for (size_t i = 0; i <= m->n_rising; i++) {
        ws_rising s = all[i];
        if (o->has_window && s.start_ns < o->window_start_ns)
            s.start_ns = o->window_start_ns;
        if (o->has_window && s.end_ns > o->window_end_ns)
            s.end_ns = o->window_end_ns;
        if (s.start_ns >= s.end_ns)
            continue;
        int64_t later_ns = i > autumn ? hour_ns : 0;
        all[(*n)++] = (ws_rising){ws_ns_plus(s.start_ns, later_ns), ws_ns_plus(s.end_ns, later_ns)};
    }
    qsort(all, *n, sizeof *all, by_start);
    return all;
}

/* The time that is held twice in s and its ends (`where`); *all_s: the time of all stretches. */
static double twice_s(const ws_meter *m, size_t autumn, ws_rising *where, double *all_s)
{
    size_t n;
    ws_rising *stretches = list_stretches(m, autumn, &n);
    double twice = 0, all = 0;
    int64_t latest = INT64_MIN;
    *where = (ws_rising){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        const ws_rising *s = &stretches[i];
        int64_t shared_end = s->end_ns < latest ? s->end_ns : latest;
        all += since_s(s->start_ns, s->end_ns);
        if (shared_end > s->start_ns) {
            twice += since_s(s->start_ns, shared_end);
            where->start_ns = s->start_ns < where->start_ns ? s->start_ns : where->start_ns;
            where->end_ns = shared_end > where->end_ns ? shared_end : where->end_ns;
        }
        latest = s->end_ns > latest ? s->end_ns : latest;
    }
    free(stretches);
    *all_s = all;
    return twice;
}

/* Summer time begins on a Sunday of spring between 0:00 and 4:00: the last of March in Europe (in Greenland on Saturday
 * at 22:00), the second of March in North America, the first of October in Australia, the last of September in New
 * Zealand, the first of September in Chile. */
static bool is_spring_day(int64_t day)
{
    int64_t year, month, of_month, week_day = ((day + 4) % 7 + 7) % 7;
    ws_civil_from_days(day, &year, &month, &of_month);
    bool is_north = month == 3 && (of_month >= 25 || (of_month >= 8 && of_month <= 14));
    bool is_south = (month == 10 && of_month <= 7) || (month == 9 && (of_month >= 24 || of_month <= 8));
    return week_day == 0 && (is_north || is_south);
}

bool ws_may_be_spring(const ws_meter *m, double gap_s)
{
    enum { NIGHT_H = 4, MOST_DAYS = 400 };
    const int64_t hour_ns = llround(AUTUMN_S * WS_NS_PER_S), day_ns = 24 * hour_ns;
    bool is_hour = fabs(gap_s - usual_interval_s(m) - AUTUMN_S) <= AUTUMN_SLACK_S;
    if (!is_hour || m->time != WS_TIME_NAIVE || m->rule == WS_RULE_COUNTER || m->first_t <= 0)
        return false;
    int64_t first = m->first_t / day_ns, last = m->last_t / day_ns;
    for (int64_t day = first; day <= last && day - first < MOST_DAYS; day++)
        if (is_spring_day(day) && m->first_t < day * day_ns + NIGHT_H * hour_ns && m->last_t > day * day_ns)
            return true;
    return false;
}

bool ws_holds_time_twice(const ws_meter *m, ws_rising *where)
{
    double all_s;
    return m->n_rising && twice_s(m, NOT_AUTUMN, where, &all_s) > 0;
}

bool ws_asks_back_steps(const ws_metered_channel *c)
{
    ws_rising where;
    double all_s;
    if (!c->meter.n_rising || c->meter.rule == WS_RULE_COUNTER || !ws_quantity_gives_energy(c->channel.quantity))
        return false;
    return twice_s(&c->meter, find_autumn(&c->meter), &where, &all_s) > TWICE_ASKED * all_s;
}

void ws_note_asked_back_steps(const ws_metered_channel *c, const char *subject, ws_notes *notes)
{
    ws_rising where;
    double all_s, again_s = twice_s(&c->meter, find_autumn(&c->meter), &where, &all_s);
    ws_notes_add(
        notes, WS_FINDING_ASK_BACK_STEPS, c->source, subject, c->meter.back_steps.line,
        "%.6g s of its %.6g s stand in the file twice, with other readings: --back-steps says what they are (keep: "
        "time that went on, as where a clock was set; sort: rows that changed places, within 64 readings; drop: "
        "nothing that counts); where each stretch is of another device, none of them is right: write a file for each",
        again_s, all_s);
}
