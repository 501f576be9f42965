#include "analyze/measure/power_times.h"

#include "analyze/measure/meter_internal.h"

#include <string.h>

void ws_power_times_init(ws_power_times *p, int64_t window_start_ns, int64_t window_end_ns)
{
    *p = (ws_power_times){.is_watched = true, .window_start_ns = window_start_ns, .window_end_ns = window_end_ns};
    for (int i = 0; i < WS_POWER_SIZES; i++) {
        p->of[i].first_ns = INT64_MAX;
        p->of[i].last_ns = INT64_MIN;
    }
}

/* Exponent and first binary place of a double: [1, 1.5), [1.5, 2), [2, 3), ... */
static int size_of(double power_w)
{
    enum { PLACES_BEHIND = 51, OF_ONE = 2046 };
    int64_t bits;
    if (!(power_w >= 1))
        return 0;
    memcpy(&bits, &power_w, sizeof bits);
    int64_t size = (bits >> PLACES_BEHIND) - OF_ONE;
    return size < WS_POWER_SIZES ? (int)size : WS_POWER_SIZES - 1;
}

static void add_power(ws_power_times *p, int64_t t_ns, double power_w)
{
    static const int64_t around_ns = (int64_t)(WS_AROUND_S * 1e9);
    ws_power_size *size = &p->of[size_of(power_w)];
    if (t_ns < p->window_start_ns) {
        size->before += t_ns >= ws_ns_minus(p->window_start_ns, around_ns);
    } else if (t_ns > p->window_end_ns) {
        size->behind += t_ns <= ws_ns_plus(p->window_end_ns, around_ns);
    } else {
        size->inside++;
        size->first_ns = t_ns < size->first_ns ? t_ns : size->first_ns;
        size->last_ns = t_ns > size->last_ns ? t_ns : size->last_ns;
    }
}

void ws_power_times_push(ws_power_times *p, const ws_block *b)
{
    for (size_t i = 0; p->is_watched && b->t_ns && i < b->n; i++)
        if (!isnan(b->value[i]))
            add_power(p, b->t_ns[i], b->value[i]);
}

void ws_power_times_merge(ws_power_times *into, const ws_power_times *next)
{
    for (int i = 0; i < WS_POWER_SIZES; i++) {
        ws_power_size *a = &into->of[i];
        const ws_power_size *b = &next->of[i];
        a->inside += b->inside;
        a->before += b->before;
        a->behind += b->behind;
        a->first_ns = b->first_ns < a->first_ns ? b->first_ns : a->first_ns;
        a->last_ns = b->last_ns > a->last_ns ? b->last_ns : a->last_ns;
    }
}

typedef enum place { BEFORE, INSIDE, BEHIND } place;

static uint64_t count_at(const ws_power_size *size, place where)
{
    return where == BEFORE ? size->before : where == INSIDE ? size->inside : size->behind;
}

static uint64_t count_from(const ws_power_times *p, int least_size, place where)
{
    uint64_t n = 0;
    for (int i = least_size; i < WS_POWER_SIZES; i++)
        n += count_at(&p->of[i], where);
    return n;
}

/* The size that `above` of the readings there have or exceed; -1 without readings. */
static int size_exceeded(const ws_power_times *p, place where, double above)
{
    double n = (double)count_from(p, 0, where);
    int size = WS_POWER_SIZES - 1;
    while (size >= 0 && !(n > 0 && (double)count_from(p, size, where) >= above * n))
        size--;
    return size;
}

static int lower_size(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The lower one of what is usual before and behind the window: at one of the two the device is idle, unless its jobs
 * follow each other. Where a log begins or ends within its window, idle powers stand inside alone. */
static int idle_size(const ws_power_times *p)
{
    static const double nearly_all = 0.98; /* but for single low readings */
    int before = size_exceeded(p, BEFORE, 0.5), behind = size_exceeded(p, BEHIND, 0.5);
    int around = lower_size(before, behind), inside = size_exceeded(p, INSIDE, nearly_all);
    return around < 0 || (before >= 0 && behind >= 0) ? around : lower_size(around, inside);
}

/* What it draws for a tenth of the window at least, or mostly beside it: work that is moved by nearly a whole window
 * lies there. */
static int work_size(const ws_power_times *p, int inside)
{
    int before = size_exceeded(p, BEFORE, 0.5), behind = size_exceeded(p, BEHIND, 0.5);
    int around = before > behind ? before : behind;
    return inside > around ? inside : around;
}

/* The job before may end so late in the window of a job that does not use the device. Ours. */
static const double too_short_s = 8;

/* Idle and at work a device draws powers that are two half octaves apart at least; it works from the middle on. Single
 * readings of anything make no difference. */
bool ws_power_times_of_work(const ws_power_times *p, ws_power_work *work)
{
    enum { APART = 2 };
    static const double most_share = 0.1;
    int idle = idle_size(p), inside = size_exceeded(p, INSIDE, most_share), most = work_size(p, inside),
        middle = idle + (most - idle + 1) / 2;
    *work = (ws_power_work){.most_size = inside, .from_ns = INT64_MAX, .to_ns = INT64_MIN};
    if (inside < 0)
        return false;
    work->least_size = middle > idle + APART ? middle : idle + APART;
    work->is_seen = idle >= 0 && most >= idle + APART;
    if (!work->is_seen)
        return true;
    for (int i = work->least_size; i < WS_POWER_SIZES; i++) {
        work->from_ns = p->of[i].first_ns < work->from_ns ? p->of[i].first_ns : work->from_ns;
        work->to_ns = p->of[i].last_ns > work->to_ns ? p->of[i].last_ns : work->to_ns;
    }
    bool is_short = ws_ns_minus(work->to_ns, work->from_ns) < (int64_t)(too_short_s * 1e9);
    if (inside < work->least_size && (work->to_ns < work->from_ns || is_short)) {
        work->is_seen = false;
        return true;
    }
    work->before = count_from(p, work->least_size, BEFORE);
    work->behind = count_from(p, work->least_size, BEHIND);
    return true;
}
