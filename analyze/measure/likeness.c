/* Names, times and readings of two device entries. */
#include "analyze/measure/likeness.h"

#include "analyze/measure/uncertainty.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Relative tolerances: for interpolation at the ends of a window; for the digits that perun's CSV lacks of its HDF5;
 * for two cards of one kind under the same load. */
static const double SAME_DATA = 1e-9, SAME_EXPORT = 1e-6;
const double ws_alike = 0.02;

/* W. Ours. */
static const double COARSE_W = 2;

/* Two means of one device, each over readings of its own, differ by chance: by less than so many standard errors of
 * their difference. */
static const double ERRORS = 3;

/* The same of the uncertainty that the steps of the power leave, which a few of a thousand exceed three times; and the
 * least that means differ by, relative: of stamps and rounding. */
static const double SAMPLING_ERRORS = 3, SAMPLING_FLOOR = 1e-4;

/* The largest chance that a counter of another machine has the reading of this one. */
static const double COUNTER_CHANCE = 1e-3;

/* nvidia-smi states whole degrees: the same sensor, read at the same times, gives the same mean to a part of one. */
static const double HEAT_K = 1;

static bool same_number(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fabs(a) || (isnan(a) && isnan(b));
}

static bool same_figures(const ws_readings *x, const ws_readings *y, double tolerance)
{
    return x->samples >= WS_READINGS_ENOUGH && x->samples == y->samples && same_number(x->min, y->min, tolerance) &&
           same_number(x->max, y->max, tolerance) && same_number(x->sd, y->sd, tolerance) &&
           same_number(x->energy_j, y->energy_j, tolerance) && same_number(x->duration_s, y->duration_s, tolerance);
}

/* The readings alone: the rows of a poll have stamps of their own, which do not keep their distance. */
static bool same_values(const ws_readings *x, const ws_readings *y)
{
    return x->samples >= WS_READINGS_ENOUGH && x->samples == y->samples && x->min == y->min && x->max == y->max &&
           x->plain_mean == y->plain_mean && x->plain_sd == y->plain_sd;
}

/* Idle cards in whole watts leave their usual reading by a watt, a few times an hour and perhaps at the same time. */
static bool varies(const ws_readings *x)
{
    double range_w = x->max - x->min;
    bool is_coarse = range_w <= COARSE_W && x->min == floor(x->min) && x->max == floor(x->max);
    return range_w > 0 && (!is_coarse || x->sd * x->sd * (double)x->samples >= WS_READINGS_ENOUGH);
}

ws_readings ws_readings_of(const ws_channel_summary *s)
{
    return (ws_readings){.samples = s->samples,
                         .energy_j = s->energy_j,
                         .duration_s = s->duration_s,
                         .mean = s->mean,
                         .min = s->min,
                         .max = s->max,
                         .sd = s->sd,
                         .plain_mean = s->plain_mean,
                         .plain_sd = s->plain_sd,
                         .first_j = s->first_j};
}

ws_likeness ws_compare_kept_readings(const ws_readings *x, const ws_readings *y)
{
    bool counts = isnan(x->min) && x->energy_j > 0; /* a counter has no lowest reading */
    bool tells = varies(x) || counts, same_count = !counts || same_number(x->first_j, y->first_j, SAME_DATA);
    if ((tells && same_count && same_figures(x, y, SAME_DATA)) || (varies(x) && same_values(x, y)))
        return WS_READINGS_EQUAL;
    if (tells && same_figures(x, y, SAME_EXPORT))
        return WS_READINGS_EXPORT;
    bool alike = fabs(x->mean - y->mean) <= ws_alike * fmax(fabs(x->mean), fabs(y->mean));
    return alike ? WS_READINGS_ALIKE : WS_READINGS_DIFFER;
}

ws_likeness ws_compare_readings(const ws_channel_summary *a, const ws_channel_summary *b)
{
    const ws_readings x = ws_readings_of(a), y = ws_readings_of(b);
    return ws_compare_kept_readings(&x, &y);
}

ws_likeness ws_compare_devices(const ws_device *a, const ws_device *b)
{
    return ws_compare_readings(&a->energy->summary, &b->energy->summary);
}

/* That the means of two cards of one kind under one load, over the same time, are as close: they spread by ws_alike. Of
 * whole watts they tell as much as several readings. */
static double chance_of_means(const ws_channel_summary *a, const ws_channel_summary *b)
{
    static const double same_time = 0.01, least = 0.01;
    bool is_one_time = fabs(a->duration_s - b->duration_s) <= same_time * a->duration_s;
    double chance = fabs(a->mean - b->mean) / (sqrt(acos(-1)) * ws_alike * fabs(a->mean));
    return is_one_time && chance < 1 ? fmax(chance, least) : 1;
}

bool ws_devices_are_copies(const ws_device *a, const ws_device *b)
{
    const ws_metered_channel *x = a->energy, *y = b->energy;
    bool are_powers = x->channel.quantity == WS_POWER, are_counters = x->channel.quantity == WS_ENERGY_COUNTER;
    if (a->domain != b->domain || x->channel.quantity != y->channel.quantity || (!are_powers && !are_counters))
        return false;
    const ws_fingerprint f = ws_fingerprint_of(&x->watch->fingerprint), g = ws_fingerprint_of(&y->watch->fingerprint);
    double by_chance = are_powers ? chance_of_means(&x->summary, &y->summary) : 1;
    return ws_fingerprints_share_readings(&f, &g, by_chance) || ws_fingerprints_are_one(&f, &g);
}

bool ws_device_has_uuid(const ws_device *d)
{
    return strcmp(d->identity, "uuid") == 0;
}

bool ws_devices_share_source(const ws_device *a, const ws_device *b)
{
    return a->source == b->source || strcmp(a->source, b->source) == 0;
}

static bool has_time(const ws_device *d)
{
    return d->energy->summary.has_start && d->energy->summary.duration_s > 0;
}

bool ws_devices_overlap(const ws_device *a, const ws_device *b)
{
    const ws_meter *x = &a->energy->meter, *y = &b->energy->meter;
    int64_t start = x->first_t > y->first_t ? x->first_t : y->first_t;
    int64_t end = x->last_t < y->last_t ? x->last_t : y->last_t;
    return has_time(a) && has_time(b) && start < end;
}

bool ws_devices_share_node(const ws_device *a, const ws_device *b)
{
    return a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0;
}

/* "n1_gpu0.csv" and "n1_gpu1.csv". */
bool ws_names_differ_in_numbers(const char *a, const char *b)
{
    bool differ = strcmp(a, b) != 0;
    while (*a && *b) {
        size_t x = strspn(a, "0123456789"), y = strspn(b, "0123456789");
        if (!x != !y || (!x && *a != *b))
            return false;
        a += x ? x : 1;
        b += y ? y : 1;
    }
    return differ && !*a && !*b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How much the mean of `d` may differ from its mean over the time that both entries share. */
static double slack_of(const ws_metered_channel *d, const ws_metered_channel *other)
{
    const ws_meter *x = &d->meter, *y = &other->meter;
    double shared = -(double)later(-x->last_t, -y->last_t) - (double)later(x->first_t, y->first_t);
    double alone = 1 - shared / ((double)x->last_t - (double)x->first_t);
    double slack = alone * (d->summary.max - d->summary.min);
    return isnan(slack) ? 0 : slack; /* a counter has no highest reading */
}

/* How much the means may differ because they are of other readings. */
static double noise_of(const ws_metered_channel *a, const ws_metered_channel *b)
{
    const ws_channel_summary *x = &a->summary, *y = &b->summary;
    double noise = ERRORS * sqrt(x->sd * x->sd / (double)x->samples + y->sd * y->sd / (double)y->samples);
    return isnan(noise) ? 0 : noise;
}

/* Do the means differ by more than `least` and by more than other readings and other times explain? */
static bool means_differ(const ws_metered_channel *a, const ws_metered_channel *b, double least)
{
    return fabs(a->summary.mean - b->summary.mean) > least + slack_of(a, b) + slack_of(b, a) + noise_of(a, b);
}

/* The standard uncertainty of the mean by which moments were read. */
static double sampling_of(const ws_metered_channel *d)
{
    const ws_channel_summary *s = &d->summary;
    return d->watch->sampling.intervals
               ? ws_sampling_u_j(&d->watch->sampling, s->long_ns, &(ws_sampled_power){.sd_w = s->sd}) / s->duration_s
               : 0;
}

bool ws_devices_may_be_one(const ws_device *a, const ws_device *b)
{
    const ws_metered_channel *x = a->energy, *y = b->energy;
    double most = fmax(fabs(x->summary.mean), fabs(y->summary.mean));
    double room = SAMPLING_ERRORS * hypot(sampling_of(x), sampling_of(y)) + SAMPLING_FLOOR * most;
    return fabs(x->summary.mean - y->summary.mean) <= room + slack_of(x, y) + slack_of(y, x);
}

bool ws_devices_may_be_alike(const ws_device *a, const ws_device *b)
{
    double most = fmax(fabs(a->energy->summary.mean), fabs(b->energy->summary.mean));
    return !means_differ(a->energy, b->energy, ws_alike * most);
}

bool ws_devices_differ_in_heat(const ws_device *a, const ws_device *b)
{
    const ws_metered_channel *x = a->temperature, *y = b->temperature;
    return x && y && x->summary.samples >= WS_READINGS_ENOUGH && y->summary.samples >= WS_READINGS_ENOUGH &&
           means_differ(x, y, HEAT_K);
}

static bool are_counters_at_one_time(const ws_device *a, const ws_device *b)
{
    bool are_counters =
        a->energy->channel.quantity == WS_ENERGY_COUNTER && b->energy->channel.quantity == WS_ENERGY_COUNTER;
    return are_counters && ws_devices_overlap(a, b) && !a->energy->meter.counter_from_zero &&
           !b->energy->meter.counter_from_zero;
}

/* What a counter of that power comes to in so many ns, and half of its steps come to twice as much. */
static double most_rise_j(const ws_device *a, const ws_device *b, double ns)
{
    return fabs(ns) / 1e9 * 2 * fmax(a->energy->summary.mean, b->energy->summary.mean);
}

/* The share of its readings that a counter of another machine may have as well; 1 where the first ones are not one
 * count. */
static double chance_of_first(const ws_device *a, const ws_device *b)
{
    const ws_meter *x = &a->energy->meter, *y = &b->energy->meter;
    const ws_meter *early = x->first_t <= y->first_t ? x : y, *late = early == x ? y : x;
    double digits_j = SAME_DATA * early->first_value, rise_j = late->first_value - early->first_value;
    double room_j = most_rise_j(a, b, (double)late->first_t - (double)early->first_t) + digits_j;
    double range_j = fmax(early->first_value, early->counter_range_j);
    return rise_j >= -digits_j && rise_j <= room_j && room_j < range_j ? room_j / range_j : 1;
}

bool ws_devices_share_counter(const ws_device *a, const ws_device *b)
{
    return are_counters_at_one_time(a, b) && chance_of_first(a, b) <= COUNTER_CHANCE;
}

/* Two machines with one load differ by some per cent: ws_alike of the energy. */
double ws_counter_chance(const ws_device *a, const ws_device *b)
{
    const ws_metered_channel *x = a->energy, *y = b->energy;
    if (!are_counters_at_one_time(a, b))
        return 1;
    double apart_ns = fabs((double)x->meter.first_t - (double)y->meter.first_t) +
                      fabs((double)x->meter.last_t - (double)y->meter.last_t);
    double most_j = fmax(x->summary.energy_j, y->summary.energy_j);
    double room_j = most_rise_j(a, b, apart_ns) + SAME_DATA * fmax(most_j, fabs(x->meter.first_value));
    double first = chance_of_first(a, b);
    if (first >= 1 || !(most_j > 0) || fabs(x->summary.energy_j - y->summary.energy_j) > room_j)
        return 1;
    return first * fmin(1, room_j / (ws_alike * most_j));
}
