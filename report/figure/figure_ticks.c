#include "report/figure/figure_ticks.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"
#define THIN_SPACE "\xe2\x80\x89"
#define TIMES "\xc3\x97"
#define PAD 0.05               /* of the data's span, on either side */
#define SMALLEST 1e-290        /* below that a step has no power of ten */
#define NARROWEST 1e-9         /* of the larger limit: below that, labels have more digits than anybody reads */
#define ROUNDING 1e-9          /* of a step */
#define LONGER 0.12            /* share by which an axis may grow so that its ends are labelled */
#define LONGER_DECADES 0.15    /* the same of a logarithmic axis, whose labels lie farther apart */
#define EXTENSION 2.0          /* what that share counts against one label more or less */
#define CLEAR 0.02             /* of the data's span: what a marker reaches beyond its point */
#define WIDE_DECADE_MM 17      /* 2 and 5 are labelled too */
#define DECADE_OF_MINORS_MM 11 /* 2 to 9: half a millimetre from 9 to 10 */
#define DECADE_OF_HALVES_MM 5  /* 2 and 5 alone: MINOR_MM apart */
#define MINOR_MM 1.5           /* from one small tick of a linear axis to the next, at least */
#define TICK_MM 0.7            /* where powers are nearer than that, only labelled ones have a tick */

static void add_tick(ws_ticks *ticks, double position, const char *label, bool minor)
{
    if (position < ticks->lo - ROUNDING * (ticks->hi - ticks->lo) ||
        position > ticks->hi + ROUNDING * (ticks->hi - ticks->lo))
        return;
    ticks->items = ws_grow(ticks->items, &ticks->capacity, ticks->n + 1, sizeof *ticks->items);
    ticks->items[ticks->n++] = (ws_tick){position, label, minor};
}

/* From five digits on, groups of three stand apart (ISO 80000-1, 7.3.1). */
static const char *grouped(ws_arena *arena, const char *number)
{
    size_t digits = strspn(number, "0123456789");
    if (digits < 5)
        return number;
    const char *text = ws_arena_printf(arena, "%.*s", (int)((digits - 1) % 3 + 1), number);
    for (size_t at = (digits - 1) % 3 + 1; at < digits; at += 3)
        text = ws_arena_printf(arena, "%s" THIN_SPACE "%.3s", text, number + at);
    return ws_arena_printf(arena, "%s%s", text, number + digits);
}

static const char *with_minus(ws_arena *arena, const char *number)
{
    bool is_negative = *number == '-';
    return ws_arena_printf(arena, "%s%s", is_negative ? MINUS : "", grouped(arena, number + is_negative));
}

static const char *power_label(ws_arena *arena, int base, int exponent)
{
    return ws_arena_printf(arena, exponent < 0 ? "%d^{" MINUS "%d}" : "%d^{%d}", base, abs(exponent));
}

static int compare_ticks(const void *a, const void *b)
{
    double x = ((const ws_tick *)a)->position, y = ((const ws_tick *)b)->position;
    return (x > y) - (x < y);
}

static size_t count_labels(const ws_ticks *ticks)
{
    size_t n = 0;
    for (size_t i = 0; i < ticks->n; i++)
        n += ticks->items[i].label != NULL;
    return n;
}

/* -- linear: the step is leading * 10^exponent with leading 1, 2 or 5 -- */

typedef struct step {
    int leading, exponent, minors;
    double lo, hi; /* the axis, rounded outward to minor ticks where it may be */
    double score;  /* smaller is better */
} step;

static double multiple(double k, int leading, int exponent)
{
    double value = k * leading;
    return exponent < 0 ? value / pow(10, -exponent) : value * pow(10, exponent);
}

static double first_multiple(double lo, const step *s)
{
    return ceil(lo / multiple(1, s->leading, s->exponent) - ROUNDING);
}

static double last_multiple(double hi, const step *s)
{
    return floor(hi / multiple(1, s->leading, s->exponent) + ROUNDING);
}

/* The count of labels nearest to the wanted one; fewer than four, or labels that touch, only if nothing else is left.
 */
static step try_step(step s, const ws_tick_room *room)
{
    double width = multiple(1, s.leading, s.exponent), count = last_multiple(s.hi, &s) - first_multiple(s.lo, &s) + 1;
    s.score += fabs(count - room->length_mm / room->wanted_mm);
    if (count < 4)
        s.score += 100 * (4 - count);
    if (count > 1 && width / (s.hi - s.lo) * room->length_mm < room->least_mm)
        s.score += 1000 * count;
    return s;
}

/* A step of 2 is divided into quarters, one of 1 or 5 into fifths. */
static int minors_of(int leading)
{
    return leading == 2 ? 4 : 5;
}

/* Which ends of the axis go on to the next labelled tick, instead of the next minor one. */
static step with_ends(int leading, int exponent, double lo, double hi, bool extend_lo, bool extend_hi)
{
    step s = {leading, exponent, minors_of(leading), lo, hi, 0};
    double minor = multiple(1, leading, exponent) / s.minors;
    double first = floor(lo / minor + ROUNDING), last = ceil(hi / minor - ROUNDING);
    double below = extend_lo ? fmod(fmod(first, s.minors) + s.minors, s.minors) : 0;
    double above = extend_hi ? fmod(s.minors - fmod(last, s.minors), s.minors) : 0;
    s.lo = multiple(first - below, leading, exponent) / s.minors;
    s.hi = multiple(last + above, leading, exponent) / s.minors;
    double longer = (below + above) * minor / (hi - lo);
    s.score = longer > LONGER ? INFINITY : EXTENSION * longer;
    return s;
}

static void keep_better(step *best, step s, const ws_tick_room *room)
{
    s = try_step(s, room);
    if (s.score < best->score)
        *best = s;
}

static step best_step(bool is_fixed, double lo, double hi, const ws_tick_room *room)
{
    static const int leadings[] = {1, 2, 5};
    int top = (int)floor(log10(hi - lo));
    step best = {.score = INFINITY};
    for (int exponent = top + 1; exponent >= top - 2; exponent--) {
        for (size_t i = 3; i-- > 0;) {
            if (is_fixed)
                keep_better(&best, (step){leadings[i], exponent, minors_of(leadings[i]), lo, hi, 0}, room);
            for (int ends = 0; ends < 4 && !is_fixed; ends++)
                keep_better(&best, with_ends(leadings[i], exponent, lo, hi, ends & 1, ends & 2), room);
        }
    }
    return best;
}

/* Numbers of a million and more, or below a thousandth, are written with a power of ten, the same for all. */
static int common_exponent(double lo, double hi)
{
    double largest = fmax(fabs(lo), fabs(hi));
    return largest >= 1e6 * (1 - ROUNDING) || largest < 1e-3 ? (int)floor(log10(largest) + ROUNDING) : 0;
}

static const char *linear_label(ws_arena *arena, const step *s, double k, int exponent)
{
    char number[WS_DOUBLE_TEXT];
    if (k == 0 && exponent)
        return "0";
    int decimals = exponent > s->exponent ? exponent - s->exponent : 0;
    ws_double_text_decimals(number, multiple(k, s->leading, s->exponent - exponent), decimals > 12 ? 12 : decimals);
    const char *plain = with_minus(arena, number);
    return exponent ? ws_arena_printf(arena, "%s" TIMES "%s", plain, power_label(arena, 10, exponent)) : plain;
}

static void make_room_for_one_value(double *lo, double *hi)
{
    double least = fmax(fabs(*lo), fabs(*hi)) * NARROWEST;
    if (*hi - *lo > least)
        return;
    double half = *hi != 0 ? fabs(*hi) * 0.1 : 0.5;
    *lo -= half, *hi += half;
}

static double in_reach(double value)
{
    return fabs(value) < SMALLEST ? 0 : fmin(fmax(value, -WS_LARGEST_ON_AXIS), WS_LARGEST_ON_AXIS);
}

static void linear_range(const ws_axis *axis, double *lo, double *hi)
{
    *lo = in_reach(*lo), *hi = in_reach(*hi);
    double data_lo = *lo, data_hi = *hi;
    if (axis->from_zero)
        *lo = fmin(*lo, 0), *hi = fmax(*hi, 0);
    make_room_for_one_value(lo, hi);
    if (axis->has_range)
        return;
    double pad = PAD * (*hi - *lo);
    *lo = data_lo >= 0 && (axis->from_zero || *lo < pad) ? 0 : *lo - pad;
    *hi = data_hi <= 0 && (axis->from_zero || *hi > -pad) ? 0 : *hi + pad;
    if (*lo >= *hi)
        *hi = *lo + 1;
}

/* Small ticks a step: fifths of 1 and 5, quarters of 2; where these crowd, halves of 1 and 2, else none. */
static int minors_with_room(const step *s, double step_mm)
{
    if (step_mm / s->minors >= MINOR_MM)
        return s->minors;
    return s->leading != 5 && step_mm / 2 >= MINOR_MM ? 2 : 1;
}

static void linear_ticks(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis, double lo, double hi,
                         const ws_tick_room *room)
{
    linear_range(axis, &lo, &hi);
    step s = best_step(axis->has_range, lo, hi, room);
    ticks->lo = s.lo, ticks->hi = s.hi;
    int exponent = common_exponent(s.lo, s.hi);
    int minors = minors_with_room(&s, multiple(1, s.leading, s.exponent) / (s.hi - s.lo) * room->length_mm);
    for (double k = first_multiple(s.lo, &s) - 1; k <= last_multiple(s.hi, &s); k++) {
        add_tick(ticks, multiple(k, s.leading, s.exponent), linear_label(arena, &s, k, exponent), false);
        for (int m = 1; m < minors; m++)
            add_tick(ticks, multiple(k * minors + m, s.leading, s.exponent) / minors, NULL, true);
    }
}

/* -- base 2 -- */

static const char *binary_label(ws_arena *arena, int exponent, bool as_power)
{
    char number[WS_DOUBLE_TEXT];
    if (as_power)
        return power_label(arena, 2, exponent);
    ws_double_text(number, ldexp(1, exponent));
    return with_minus(arena, number);
}

static void binary_ticks(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis, double lo, double hi,
                         const ws_tick_room *room)
{
    double pad = axis->has_range ? 0 : log2(1.25);
    ticks->lo = lo - pad, ticks->hi = hi + pad;
    if (!axis->has_range && floor(ticks->hi) - ceil(ticks->lo) < 1) {
        ticks->lo = fmin(ticks->lo, floor(lo) - (floor(lo) == ceil(hi)) - 0.1);
        ticks->hi = fmax(ticks->hi, ceil(hi) + 0.1);
    }
    if (ticks->hi - ticks->lo < ROUNDING)
        ticks->hi = ticks->lo + 1;
    double step_mm = room->length_mm / (ticks->hi - ticks->lo);
    bool as_power = ceil(ticks->lo) < -3 || floor(ticks->hi) > 20;
    int stride = (int)fmin(2048, fmax(1, ceil(room->least_mm / step_mm)));
    double first = ceil(ticks->lo - ROUNDING); /* has a label: it is where the data begin */
    for (double k = first; k <= ticks->hi + ROUNDING; k++) {
        bool is_labelled = fmod(k - first, stride) == 0;
        if (is_labelled || step_mm >= TICK_MM)
            add_tick(ticks, k, is_labelled ? binary_label(arena, (int)k, as_power) : NULL, !is_labelled);
    }
}

/* -- base 10 -- */

static const char *decimal_label(ws_arena *arena, int leading, int exponent, bool as_power)
{
    char number[WS_DOUBLE_TEXT];
    if (as_power)
        return power_label(arena, 10, exponent);
    ws_double_text_decimals(number, multiple(1, leading, exponent), exponent < 0 ? -exponent : 0);
    return with_minus(arena, number);
}

/* Within two decades or so numbers stay digits up to a million: 20 000, 50 000, 100 000 rather than one power of ten.
 */
static bool are_digits(const ws_ticks *ticks, double most)
{
    return ceil(ticks->lo) >= -2 && floor(ticks->hi) <= most;
}

/* What is labelled beside the powers of ten, and the part of a decade between the two nearest of them. */
typedef struct tick_digits {
    bool is_labelled[10];
    double nearest;
} tick_digits;
static const tick_digits two_and_five = {{[2] = true, [5] = true}, 0.3}, three = {{[3] = true}, 0.47},
                         two_three_five = {{[2] = true, [3] = true, [5] = true}, 0.17};

/* Those digits are labelled in a decade longer than that, if they have room. */
static void decade_ticks(ws_ticks *ticks, ws_arena *arena, const ws_tick_room *room, double most_digits, double wide_mm,
                         const tick_digits *digits)
{
    double decade_mm = room->length_mm / (ticks->hi - ticks->lo);
    bool as_power = !are_digits(ticks, most_digits);
    bool has_more = !as_power && decade_mm > wide_mm && decade_mm * digits->nearest >= room->least_mm;
    ticks->n = 0;
    int stride = (int)fmin(1000, fmax(1, ceil(room->least_mm / decade_mm)));
    for (double k = floor(ticks->lo); k <= ticks->hi; k++) {
        bool is_labelled = fmod(k, stride) == 0;
        if (is_labelled || decade_mm >= TICK_MM)
            add_tick(ticks, k, is_labelled ? decimal_label(arena, 1, (int)k, as_power) : NULL, !is_labelled);
        for (int m = 2; m < 10 && decade_mm >= DECADE_OF_HALVES_MM; m++) {
            bool is_major = has_more && digits->is_labelled[m];
            if (!is_major && decade_mm < DECADE_OF_MINORS_MM && m != 2 && m != 5)
                continue;
            add_tick(ticks, k + log10(m), is_major ? decimal_label(arena, m, (int)k, as_power) : NULL, !is_major);
        }
    }
}

static double nearest_labels_mm(const ws_ticks *ticks, double length_mm)
{
    double last = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < ticks->n; i++) {
        if (!ticks->items[i].label)
            continue;
        least = fmin(least, ticks->items[i].position - last);
        last = ticks->items[i].position;
    }
    return least / (ticks->hi - ticks->lo) * length_mm;
}

/* Less than a decade or so: the steps of a linear axis, at their logarithms. These are nearest at the upper end, so
 * that wider steps are taken until labels there have room, too. */
static void narrow_ticks(ws_ticks *ticks, ws_arena *arena, const ws_tick_room *room)
{
    const ws_axis axis = {.has_range = true};
    const double widest = 8;
    ws_tick_room wider = *room;
    for (double times = 1; times < widest; times *= 1.1) {
        ws_ticks linear = {0};
        wider.least_mm = room->least_mm * times;
        linear_ticks(&linear, arena, &axis, pow(10, ticks->lo), pow(10, ticks->hi), &wider);
        ticks->n = 0;
        for (size_t i = 0; i < linear.n; i++)
            if (linear.items[i].position > 0)
                add_tick(ticks, log10(linear.items[i].position), linear.items[i].label, linear.items[i].minor);
        ws_ticks_free(&linear);
        if (nearest_labels_mm(ticks, room->length_mm) >= room->least_mm)
            return;
    }
}

enum { FEW = 3 };

/* From 9 to 38: 10 and 20 alone do not say how values lie between them; 10, 20 and 30 do. What labels most stays. */
static void divide_few(ws_ticks *ticks, ws_arena *arena, const ws_tick_room *room, double most)
{
    const double linear_span = 1.1;
    size_t n_before = count_labels(ticks), n_digits = 0, n_linear = 0;
    decade_ticks(ticks, arena, room, most, 0, &two_three_five);
    n_digits = count_labels(ticks);
    if (n_digits < FEW && ticks->hi - ticks->lo < linear_span) {
        narrow_ticks(ticks, arena, room);
        n_linear = count_labels(ticks);
    }
    if (n_linear > n_before && n_linear > n_digits)
        return;
    decade_ticks(ticks, arena, room, most, 0, n_digits > n_before ? &two_three_five : &two_and_five);
    if (count_labels(ticks) < 2)
        decade_ticks(ticks, arena, room, most, 0, &three);
    if (count_labels(ticks) < 2)
        narrow_ticks(ticks, arena, room);
}

static void ticks_of_range(ws_ticks *ticks, ws_arena *arena, const ws_tick_room *room)
{
    const double few_decades = 3.2, two_decades = 2.1;
    double most = are_digits(ticks, 6) ? 6 : 4, span = ticks->hi - ticks->lo;
    if (span < log10(4)) {
        narrow_ticks(ticks, arena, room);
        return;
    }
    decade_ticks(ticks, arena, room, 4, WIDE_DECADE_MM, &two_and_five);
    if (count_labels(ticks) < FEW && most > 4 && span < 2)
        decade_ticks(ticks, arena, room, most, WIDE_DECADE_MM, &two_and_five);
    if ((count_labels(ticks) < FEW && span < 2) || (count_labels(ticks) <= FEW + 1 && span < few_decades))
        decade_ticks(ticks, arena, room, span < 2 ? most : 4, 0, &two_and_five);
    if (count_labels(ticks) < FEW && span < two_decades)
        divide_few(ticks, arena, room, span < 2 ? most : 4);
}

/* The next 1, 2 or 5 beyond the data, farther than a marker reaches; `direction` is 1 upwards, -1 downwards. */
static double next_label(double end, double span, double direction)
{
    static const double digits[] = {1, 2, 5, 10};
    double from = end + direction * CLEAR * span, decade = floor(from), best = INFINITY * direction;
    for (size_t i = 0; i < 4; i++) {
        double at = decade + log10(digits[i]);
        if ((at - from) * direction >= 0 && (best - at) * direction > 0)
            best = at;
    }
    return best;
}

/* The axis goes on to it, if it then has a label there, and no fewer than before. */
static void extend_to(ws_ticks *ticks, ws_arena *arena, const ws_tick_room *room, double *end, double label)
{
    double before = *end;
    size_t n_before = count_labels(ticks);
    *end = label;
    ticks_of_range(ticks, arena, room);
    for (size_t i = 0; i < ticks->n && count_labels(ticks) >= n_before; i++)
        if (ticks->items[i].label && fabs(ticks->items[i].position - label) < ROUNDING)
            return;
    *end = before;
    ticks_of_range(ticks, arena, room);
}

static void decimal_ticks(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis, double lo, double hi,
                          const ws_tick_room *room)
{
    double span = hi - lo, pad = axis->has_range ? 0 : fmax(PAD * span, log10(1.1));
    ticks->lo = lo - pad, ticks->hi = hi + pad;
    if (ticks->hi - ticks->lo < ROUNDING)
        ticks->hi = ticks->lo + 1;
    ticks_of_range(ticks, arena, room);
    if (axis->has_range || !(span > 0))
        return;
    double above = next_label(hi, span, 1), below = next_label(lo, span, -1);
    if (above - hi <= LONGER_DECADES * span)
        extend_to(ticks, arena, room, &ticks->hi, above);
    if (lo - below <= LONGER_DECADES * span)
        extend_to(ticks, arena, room, &ticks->lo, below);
}

static void category_ticks(ws_ticks *ticks, const ws_axis *axis, double hi, const ws_tick_room *room)
{
    size_t n = axis->n_categories;
    if (hi >= (double)n && hi < 1e6)
        n = (size_t)hi + 1;
    ticks->lo = -0.5, ticks->hi = n ? (double)n - 0.5 : 0.5;
    size_t stride = (size_t)fmax(1, ceil(room->least_mm * (double)n / room->length_mm));
    for (size_t i = 0; i < axis->n_categories; i += stride)
        add_tick(ticks, (double)i, axis->categories[i] ? axis->categories[i] : "", false);
}

/* "0.5", "12 800", "3×10^{7}". */
static const char *given_label(ws_arena *arena, double value)
{
    char number[WS_DOUBLE_TEXT];
    int exponent = common_exponent(value, value);
    if (value == 0 || exponent == 0) {
        ws_double_text(number, value);
        return with_minus(arena, number);
    }
    ws_double_text_digits(number, value / pow(10, exponent), 12);
    size_t n = strlen(number);
    while (strchr(number, '.') && (number[n - 1] == '0' || number[n - 1] == '.'))
        number[--n] = '\0';
    const char *power = power_label(arena, 10, exponent);
    return strcmp(number, "1") == 0 ? power : ws_arena_printf(arena, "%s" TIMES "%s", with_minus(arena, number), power);
}

/* In place of those that were made; the small ones between the decades stay, as they divide nothing else. */
static void take_given(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis)
{
    size_t n = 0;
    for (size_t i = 0; i < ticks->n && axis->scale == WS_AXIS_LOG10; i++)
        if (ticks->items[i].minor)
            ticks->items[n++] = ticks->items[i];
    ticks->n = n;
    for (size_t i = 0; i < axis->n_tick_values; i++) {
        double position = ws_axis_position(axis, axis->tick_values[i]);
        if (!isnan(position))
            add_tick(ticks, position, given_label(arena, axis->tick_values[i]), false);
    }
    if (n)
        qsort(ticks->items, ticks->n, sizeof *ticks->items, compare_ticks);
}

void ws_ticks_make(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis, double lo, double hi,
                   const ws_tick_room *room)
{
    *ticks = (ws_ticks){0};
    double wanted_lo = ws_axis_position(axis, fmin(axis->lo, axis->hi));
    double wanted_hi = ws_axis_position(axis, fmax(axis->lo, axis->hi));
    if (axis->has_range && wanted_lo <= wanted_hi)
        lo = wanted_lo, hi = wanted_hi;
    for (size_t i = 0; i < axis->n_tick_values && !axis->has_range; i++) {
        double position = ws_axis_position(axis, axis->tick_values[i]);
        lo = fmin(lo, position), hi = fmax(hi, position);
    }
    if (!(lo <= hi))
        lo = 0, hi = 1;
    switch (axis->scale) {
    case WS_AXIS_LINEAR:
        linear_ticks(ticks, arena, axis, lo, hi, room);
        break;
    case WS_AXIS_LOG2:
        binary_ticks(ticks, arena, axis, lo, hi, room);
        break;
    case WS_AXIS_LOG10:
        decimal_ticks(ticks, arena, axis, lo, hi, room);
        break;
    case WS_AXIS_CATEGORY:
        category_ticks(ticks, axis, hi, room);
        return;
    }
    if (axis->n_tick_values)
        take_given(ticks, arena, axis);
}

void ws_ticks_free(ws_ticks *ticks)
{
    free(ticks->items);
    *ticks = (ws_ticks){0};
}
