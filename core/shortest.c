/* 86.35 is the double m 2^e with e = -46. In units of 10^-k 2^e, with the k that leaves 17 digits before the point, it
 * is the integer m 10^k of less than 128 bits: its roundings to 15, 16 and 17 digits are exact, and so is whether one
 * of them lies nearer to this double than to its neighbours. */
#include "core/shortest.h"

#include "core/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { MOST_DIGITS = 17, MANTISSA_BITS = 52, EXPONENT_BIAS = 1075 };

typedef struct scaled {
    uint64_t mantissa;
    int shift;  /* the double is mantissa / 2^shift, with 0 < shift < 67 */
    int places; /* k */
    wide value; /* mantissa 10^k, in units of 10^-k / 2^shift */
    wide unit;  /* of the last bit of the mantissa, 10^k */
} scaled;

static uint64_t power_of_ten(int exponent)
{
    return (uint64_t)ws_exact_powers[exponent];
}

static void scale_to(scaled *s, int places)
{
    s->places = places;
    s->unit = (wide)power_of_ten(places / 2) * power_of_ten(places - places / 2);
    s->value = s->mantissa * s->unit;
}

static scaled scale(double magnitude)
{
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
    scaled s = {.mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS,
                .shift = -exponent};
    int decade = (int)floor((exponent + MANTISSA_BITS) * 0.30103); /* of the power of two below it: there or one less */
    scale_to(&s, MOST_DIGITS - 1 - decade);
    if (s.value >> s.shift >= power_of_ten(MOST_DIGITS))
        scale_to(&s, s.places - 1);
    return s;
}

/* In units of `step`, a half to even. */
static uint64_t rounded(const scaled *s, uint64_t step)
{
    uint64_t whole = (uint64_t)(s->value >> s->shift) / step;
    wide rest = s->value - ((wide)(whole * step) << s->shift), half = (wide)step << (s->shift - 1);
    return whole + (rest > half || (rest == half && whole % 2));
}

/* Half way to a neighbour belongs to the even mantissa. The neighbour below a power of two is half as far. */
static bool reads_back(const scaled *s, uint64_t decimal)
{
    wide text = (wide)decimal << s->shift;
    bool is_below = text < s->value;
    wide distance = is_below ? s->value - text : text - s->value;
    distance *= is_below && s->mantissa == UINT64_C(1) << MANTISSA_BITS ? 4 : 2;
    return distance < s->unit || (distance == s->unit && s->mantissa % 2 == 0);
}

static char *put(char *to, const char *from, int n)
{
    memcpy(to, from, (size_t)n);
    return to + n;
}

/* "12345" with 3 of its digits before the point as "123.45", with none as "0.12345". `before` is not below -3. */
static size_t place_point(char *buffer, const char *digits, int n, int before)
{
    char *to = before > 0 ? put(buffer, digits, before) : put(buffer, "0", 1);
    if (n > before) {
        *to++ = '.';
        to = put(to, "000", before < 0 ? -before : 0);
        to = before > 0 ? put(to, digits + before, n - before) : put(to, digits, n);
    }
    *to = '\0';
    return (size_t)(to - buffer);
}

static bool is_everyday(double value)
{
    double magnitude = fabs(value);
    return magnitude >= WS_EVERYDAY_LEAST && magnitude < WS_EVERYDAY_BOUND;
}

/* `decimals` of the digits stand behind the point. */
static size_t put_number(char *buffer, bool is_negative, const char *digits, int n, int decimals)
{
    if (is_negative)
        *buffer = '-';
    return is_negative + place_point(buffer + is_negative, digits, n, n - decimals);
}

size_t ws_shortest_everyday(char *buffer, double value)
{
    if (!is_everyday(value))
        return 0;
    scaled s = scale(fabs(value));
    uint64_t step = 100, decimal = rounded(&s, step);
    while (step > 1 && !reads_back(&s, decimal * step)) {
        step /= 10;
        decimal = rounded(&s, step);
    }
    char digits[WS_DOUBLE_TEXT];
    int n = (int)ws_integer_text(digits, (int64_t)(decimal * step)), decimals = s.places;
    for (; decimals > 0 && digits[n - 1] == '0'; n--)
        decimals--;
    return put_number(buffer, value < 0, digits, n, decimals);
}

/* The value times 10^decimals as m 10^decimals / 2^shift, an integer of less than 93 bits before it is divided. */
size_t ws_everyday_decimals(char *buffer, double value, int decimals)
{
    enum { MOST_DECIMALS = 12, MOST_SHIFT = 127 };
    const double bound = 1e18;
    double magnitude = fabs(value);
    if (decimals < 0 || decimals > MOST_DECIMALS || !(magnitude * ws_exact_powers[decimals] < bound))
        return 0;
    uint64_t bits, decimal = 0;
    memcpy(&bits, &magnitude, sizeof bits);
    int shift = EXPONENT_BIAS - (int)(bits >> MANTISSA_BITS);
    if (shift <= 0)
        return 0;
    if (shift <= MOST_SHIFT) { /* else it is far below half a unit of the last decimal */
        uint64_t mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS;
        wide all = (wide)mantissa * power_of_ten(decimals), half = (wide)1 << (shift - 1);
        decimal = (uint64_t)(all >> shift);
        wide rest = all - ((wide)decimal << shift);
        decimal += rest > half || (rest == half && decimal % 2);
    }
    char digits[MOST_DECIMALS + 1 + WS_DOUBLE_TEXT], *text = digits + MOST_DECIMALS + 1;
    int n = (int)ws_integer_text(text, (int64_t)decimal);
    for (; n <= decimals; n++)
        *--text = '0';
    return put_number(buffer, value < 0 && decimal, text, n, decimals);
}

size_t ws_everyday_digits(char *buffer, double value, int digits)
{
    if (!is_everyday(value))
        return 0;
    scaled s = scale(fabs(value));
    int dropped = MOST_DIGITS - digits < s.places ? MOST_DIGITS - digits : s.places;
    uint64_t decimal = rounded(&s, power_of_ten(dropped));
    if (dropped < s.places && decimal == power_of_ten(digits)) { /* 9.996 is 10.0, not 10.00 */
        decimal /= 10;
        dropped++;
    }
    char text[WS_DOUBLE_TEXT];
    int n = (int)ws_integer_text(text, (int64_t)decimal);
    return put_number(buffer, value < 0, text, n, s.places - dropped);
}
