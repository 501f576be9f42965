/* Arithmetic with two doubles for one number, some 31 digits, which long double does not promise everywhere (it is a
 * double on some machines and under valgrind). Error-free sum and product: Knuth 1969; Dekker 1971; Hida, Li and Bailey
 * 2001, Algorithms for quad-double precision. Internal to fit/. */
#ifndef WS_FIT_TWOFOLD_H
#define WS_FIT_TWOFOLD_H

#include <math.h>

typedef struct ws_twofold {
    double high, low; /* the number is their sum; low is at most half a last digit of high */
} ws_twofold;

static inline ws_twofold ws_two(double value)
{
    return (ws_twofold){value, 0};
}

static inline double ws_two_round(ws_twofold a)
{
    return a.high + a.low;
}

static inline ws_twofold ws_two_quick(double large, double small)
{
    double sum = large + small;
    return (ws_twofold){sum, small - (sum - large)};
}

static inline ws_twofold ws_two_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a;
    return (ws_twofold){sum, (a - (sum - of_b)) + (b - of_b)};
}

static inline ws_twofold ws_two_add(ws_twofold a, ws_twofold b)
{
    ws_twofold high = ws_two_sum(a.high, b.high), low = ws_two_sum(a.low, b.low);
    high = ws_two_quick(high.high, high.low + low.high);
    return ws_two_quick(high.high, high.low + low.low);
}

static inline ws_twofold ws_two_times(ws_twofold a, ws_twofold b)
{
    double product = a.high * b.high;
    return ws_two_quick(product, fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high));
}

static inline ws_twofold ws_two_minus(ws_twofold a, ws_twofold b)
{
    return ws_two_add(a, (ws_twofold){-b.high, -b.low});
}

static inline ws_twofold ws_two_over(ws_twofold a, ws_twofold b)
{
    double first = a.high / b.high;
    ws_twofold rest = ws_two_minus(a, ws_two_times(ws_two(first), b));
    double second = rest.high / b.high;
    rest = ws_two_minus(rest, ws_two_times(ws_two(second), b));
    return ws_two_add(ws_two_quick(first, second), ws_two(rest.high / b.high));
}

#endif
