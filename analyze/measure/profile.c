#include "analyze/measure/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_profile_free(ws_profile *profile)
{
    free(profile->buckets);
    *profile = (ws_profile){0};
}

void ws_profile_clear(ws_profile *p, int shift)
{
    if (p->used)
        memset(p->buckets, 0, p->used * sizeof *p->buckets);
    *p = (ws_profile){.shift = shift, .buckets = p->buckets};
}

static void merge_bucket(ws_profile_bucket *to, const ws_profile_bucket *from)
{
    if (!from->n)
        return;
    to->min = !to->n || from->min < to->min ? from->min : to->min;
    to->max = !to->n || from->max > to->max ? from->max : to->max;
    to->first_ns = !to->n || from->first_ns < to->first_ns ? from->first_ns : to->first_ns;
    to->last_ns = !to->n || from->last_ns > to->last_ns ? from->last_ns : to->last_ns;
    to->n += from->n;
    ws_sum_merge(&to->sum, &from->sum);
}

/* floor(t / 2^shift), also for times before the origin. */
static int64_t bucket_number(int64_t t_ns, int shift)
{
    return t_ns >= 0 ? t_ns >> shift : -1 - ((-1 - t_ns) >> shift);
}

/* Buckets twice as wide: in place from the front, since a pair never lands behind its own members. */
static void double_width(ws_profile *p)
{
    int64_t first = bucket_number(p->first, 1);
    size_t used = 0;
    for (size_t i = 0; i < p->used; i++) {
        size_t to = (size_t)(bucket_number(p->first + (int64_t)i, 1) - first);
        ws_profile_bucket from = p->buckets[i];
        p->buckets[i] = (ws_profile_bucket){0};
        merge_bucket(&p->buckets[to], &from);
        used = to + 1;
    }
    p->first = first;
    p->used = used;
    p->shift++;
}

void ws_profile_widen(ws_profile *p, int shift)
{
    while (p->shift < shift && p->buckets)
        double_width(p);
    p->shift = p->shift < shift ? shift : p->shift;
}

/* Make room in front for a reading that is earlier than all others. */
static void move_back(ws_profile *p, size_t by)
{
    memmove(p->buckets + by, p->buckets, p->used * sizeof *p->buckets);
    memset(p->buckets, 0, by * sizeof *p->buckets);
    p->first -= (int64_t)by;
    p->used += by;
}

static ws_profile_bucket *bucket_at(ws_profile *p, int64_t t_ns)
{
    if (!p->buckets)
        p->buckets = ws_alloc(WS_PROFILE_BUCKETS * sizeof *p->buckets);
    if (!p->used) {
        p->first = bucket_number(t_ns, p->shift);
        p->used = 1;
    }
    for (;; double_width(p)) {
        int64_t number = bucket_number(t_ns, p->shift), last = p->first + (int64_t)(p->used - 1);
        /* Unsigned differences: two times may lie further apart than an int64 counts. */
        uint64_t span = number < p->first ? (uint64_t)last - (uint64_t)number : (uint64_t)number - (uint64_t)p->first;
        if (span >= WS_PROFILE_BUCKETS)
            continue;
        if (number < p->first)
            move_back(p, (size_t)(p->first - number));
        else if (number > last)
            p->used = (size_t)span + 1;
        return &p->buckets[number - p->first];
    }
}

void ws_profile_add(ws_profile *p, int64_t t_ns, double power_w)
{
    if (!isfinite(power_w)) {
        p->missing++;
        return;
    }
    ws_profile_bucket *b = bucket_at(p, t_ns);
    b->min = !b->n || power_w < b->min ? power_w : b->min;
    b->max = !b->n || power_w > b->max ? power_w : b->max;
    b->first_ns = !b->n || t_ns < b->first_ns ? t_ns : b->first_ns;
    b->last_ns = !b->n || t_ns > b->last_ns ? t_ns : b->last_ns;
    b->n++;
    ws_sum_add(&b->sum, power_w);
    p->samples++;
}

/* Readings from the first on that lie in its bucket and have units in common: their sum is one of integers. Returns how
 * many. */
static size_t add_stretch(ws_profile *p, const int64_t *t_ns, const double *power_w, size_t n)
{
    ws_profile_bucket *bucket = bucket_at(p, t_ns[0]);
    ws_profile_bucket new = {
        .min = power_w[0], .max = power_w[0], .first_ns = t_ns[0], .last_ns = t_ns[0], .sum = {{0}}};
    uint64_t start = (uint64_t)ws_profile_start_ns(p, (size_t)(bucket - p->buckets)), width = UINT64_C(1) << p->shift;
    int places = ws_sum_places(bucket->n ? fmax(fabs(bucket->min), fabs(bucket->max)) : power_w[0]);
    double scale = ldexp(1, places);
    __int128 total = 0;
    int64_t units;
    for (; new.n < n && (uint64_t)t_ns[new.n] - start < width &&ws_sum_units(power_w[new.n], scale, &units); new.n++) {
        double power = power_w[new.n];
        int64_t t = t_ns[new.n];
        total += units;
        new.min = power < new.min ? power : new.min;
        new.max = power > new.max ? power : new.max;
        new.first_ns = t < new.first_ns ? t : new.first_ns;
        new.last_ns = t > new.last_ns ? t : new.last_ns;
    }
    ws_sum_add_units(&new.sum, total, places);
    merge_bucket(bucket, &new);
    p->samples += new.n;
    return (size_t) new.n;
}

void ws_profile_push(ws_profile *p, const int64_t *t_ns, const double *power_w, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t taken = isfinite(power_w[i]) ? add_stretch(p, t_ns + i, power_w + i, n - i) : 0;
        if (!taken)
            ws_profile_add(p, t_ns[i], power_w[i]);
        i += taken ? taken : 1;
    }
}

void ws_profile_merge(ws_profile *p, const ws_profile *other)
{
    ws_profile_widen(p, other->shift);
    for (size_t i = 0; i < other->used; i++)
        if (other->buckets[i].n)
            merge_bucket(bucket_at(p, ws_profile_start_ns(other, i)), &other->buckets[i]);
    p->samples += other->samples;
    p->missing += other->missing;
}

void ws_profiles_begin(ws_profiles *profiles, const char *source, const char *node)
{
    profiles->source = ws_arena_strdup(&profiles->arena, source);
    profiles->node = ws_arena_strdup(&profiles->arena, node);
}

static const char *keep(ws_arena *arena, const char *text)
{
    return text ? ws_arena_strdup(arena, text) : "";
}

static bool wants(void *state, ws_quantity quantity)
{
    (void)state;
    return ws_quantity_gives_energy(quantity);
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    ws_profiles *p = state;
    *id = -1;
    if (!wants(p, channel->quantity) || channel->time == WS_TIME_NONE ||
        (p->has_domain && channel->domain != p->domain))
        return WS_OK;
    p->channels = ws_grow(p->channels, &p->capacity, p->n + 1, sizeof *p->channels);
    ws_profiled *new = &p->channels[p->n];
    *new = (ws_profiled){.channel = *channel, .source = p->source};
    new->channel.run = keep(&p->arena, channel->run);
    new->channel.node = channel->node && * channel->node ? keep(&p->arena, channel->node) : p->node;
    new->channel.device = keep(&p->arena, channel->device);
    new->channel.device_id = new->channel.identity = "";
    new->channel.column = keep(&p->arena, channel->column);
    *id = (int)p->n++;
    return WS_OK;
}

/* W from what an energy channel says at its i-th reading; NaN where it says nothing: at the first, after a clock that
 * stood still or stepped back, and where a counter fell. */
static double power_between(ws_profiled *c, const ws_block *block, size_t i)
{
    double value = block->value[i], power = NAN;
    int64_t length = block->interval_ns ? block->interval_ns[i] : c->has_last ? block->t_ns[i] - c->last_t : 0;
    if (c->channel.quantity == WS_ENERGY_INTERVAL && length > 0)
        power = value / ((double)length * 1e-9);
    else if (c->channel.quantity == WS_ENERGY_COUNTER && c->has_last && length > 0 && value >= c->last_value)
        power = (value - c->last_value) / ((double)length * 1e-9);
    c->has_last = true;
    c->last_t = block->t_ns[i];
    c->last_value = value;
    return power;
}

static bool is_within(const ws_profiles *p, int id, int64_t t_ns)
{
    if (!p->has_window)
        return true;
    return (size_t)id < p->n_starts && t_ns >= p->starts_ns[id] + p->from_ns && t_ns <= p->starts_ns[id] + p->to_ns;
}

static int64_t last_of(const ws_profile *p)
{
    return p->buckets[p->used - 1].last_ns;
}

/* Of one run: the same kind of time, at some time both. */
static bool run_together(const ws_profiled *a, const ws_profiled *b)
{
    return a->channel.time == b->channel.time && strcmp(a->channel.run, b->channel.run) == 0 &&
           a->profile.buckets[0].first_ns <= last_of(&b->profile) &&
           b->profile.buckets[0].first_ns <= last_of(&a->profile);
}

bool ws_profiles_take_window(ws_profiles *window, const ws_profiles *whole, ws_domain domain, int64_t from_ns,
                             int64_t to_ns)
{
    const int64_t latest = INT64_MAX / 4; /* years from 1970 in which nothing overflows */
    bool found = false;
    window->has_window = true;
    window->from_ns = from_ns;
    window->to_ns = to_ns;
    window->n_starts = whole->n;
    window->starts_ns = ws_arena_alloc(&window->arena, (whole->n + 1) * sizeof *window->starts_ns);
    for (size_t i = 0; i < whole->n; i++) {
        const ws_profiled *c = &whole->channels[i];
        int64_t *start = &window->starts_ns[i];
        *start = 0;
        if (c->channel.domain != domain || !c->profile.samples)
            continue;
        *start = c->profile.buckets[0].first_ns;
        for (size_t k = 0; k < whole->n; k++) {
            const ws_profiled *other = &whole->channels[k];
            if (other->channel.domain == domain && other->profile.samples && run_together(c, other))
                *start = other->profile.buckets[0].first_ns < *start ? other->profile.buckets[0].first_ns : *start;
        }
        if (*start > latest || *start < -latest || to_ns > latest)
            return false;
        found = true;
    }
    return found;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    const ws_profiles *p = state;
    ws_profiled *c = &p->channels[id];
    if (!block->t_ns)
        return WS_OK;
    if (c->channel.quantity == WS_POWER && !p->has_window) {
        ws_profile_push(&c->profile, block->t_ns, block->value, block->n);
        return WS_OK;
    }
    for (size_t i = 0; i < block->n; i++)
        if (isfinite(block->value[i])) {
            double power = c->channel.quantity == WS_POWER ? block->value[i] : power_between(c, block, i);
            if (is_within(p, id, block->t_ns[i]))
                ws_profile_add(&c->profile, block->t_ns[i], power);
        }
    return WS_OK;
}

ws_sink ws_profiles_sink(ws_profiles *profiles)
{
    return (ws_sink){.state = profiles, .channel = take_channel, .block = take_block, .wants = wants};
}

ws_domain ws_profiles_domain(const ws_profiles *profiles)
{
    ws_domain first = WS_DOMAIN_N;
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->channels[i].profile.samples && profiles->channels[i].channel.domain < first)
            first = profiles->channels[i].channel.domain;
    return first;
}

void ws_profiles_free(ws_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++)
        ws_profile_free(&profiles->channels[i].profile);
    free(profiles->channels);
    ws_arena_free(&profiles->arena);
    *profiles = (ws_profiles){0};
}

static bool same_device(const ws_profiled *a, const ws_profiled *b)
{
    return a->channel.domain == b->channel.domain && strcmp(a->channel.device, b->channel.device) == 0 &&
           strcmp(a->channel.node, b->channel.node) == 0 && strcmp(a->channel.run, b->channel.run) == 0 &&
           strcmp(a->source, b->source) == 0;
}

static int rank(const ws_profiled *c)
{
    enum { PER_QUANTITY = 100 };
    int quantity = c->channel.quantity == WS_POWER ? 0 : c->channel.quantity == WS_ENERGY_INTERVAL ? 1 : 2;
    return quantity * PER_QUANTITY + c->channel.preference;
}

size_t ws_profiles_choose(const ws_profiles *profiles, ws_domain domain, const ws_profiled **chosen)
{
    size_t n = 0;
    for (size_t i = 0; i < profiles->n; i++) {
        const ws_profiled *c = &profiles->channels[i];
        if (c->channel.domain != domain || !c->profile.samples)
            continue;
        size_t at = 0;
        while (at < n && !same_device(chosen[at], c))
            at++;
        if (at == n)
            chosen[n++] = c;
        else if (rank(c) < rank(chosen[at]))
            chosen[at] = c;
    }
    return n;
}
