/* The curves of NIST's nonlinear data sets with their derivatives. state is an array of columns: x, or x1 and x2. */
#ifndef WS_TESTS_FIT_CURVES_H
#define WS_TESTS_FIT_CURVES_H

#include <math.h>
#include <stddef.h>

typedef struct nist_data {
    const double *x, *x2;
} nist_data;

#define X (((const nist_data *)state)->x[i])
#define CURVE(name) static inline double name(const void *state, size_t i, const double *b, double *g)

CURVE(bennett5) /* b1 (b2 + x)^(-1/b3) */
{
    double base = b[1] + X, power = pow(base, -1 / b[2]);
    g[0] = power;
    g[1] = -b[0] / b[2] * power / base;
    g[2] = b[0] * power * log(base) / (b[2] * b[2]);
    return b[0] * power;
}

CURVE(saturation) /* b1 (1 - exp(-b2 x)) */
{
    double e = exp(-b[1] * X);
    g[0] = -expm1(-b[1] * X);
    g[1] = b[0] * X * e;
    return b[0] * g[0];
}

CURVE(chwirut) /* exp(-b1 x) / (b2 + b3 x) */
{
    double below = b[1] + b[2] * X, value = exp(-b[0] * X) / below;
    g[0] = -X * value;
    g[1] = -value / below;
    g[2] = -value * X / below;
    return value;
}

CURVE(power_law) /* b1 x^b2 */
{
    double power = pow(X, b[1]);
    g[0] = power;
    g[1] = b[0] * power * log(X);
    return b[0] * power;
}

static inline double wave(double x, double period, double cosine, double sine, double *g_cosine, double *g_sine,
                          double *g_period)
{
    double angle = 2 * acos(-1) * x / period;
    *g_cosine = cos(angle);
    *g_sine = sin(angle);
    if (g_period)
        *g_period = angle / period * (cosine * *g_sine - sine * *g_cosine);
    return cosine * *g_cosine + sine * *g_sine;
}

CURVE(enso) /* b1 + waves of 12, b4 and b7 months */
{
    g[0] = 1;
    double year = wave(X, 12, b[1], b[2], &g[1], &g[2], NULL);
    return b[0] + year + wave(X, b[3], b[4], b[5], &g[4], &g[5], &g[3]) +
           wave(X, b[6], b[7], b[8], &g[7], &g[8], &g[6]);
}

CURVE(eckerle4) /* b1/b2 exp(-((x - b3)/b2)^2 / 2) */
{
    double z = (X - b[2]) / b[1], e = exp(-z * z / 2);
    g[0] = e / b[1];
    g[1] = b[0] * e / (b[1] * b[1]) * (z * z - 1);
    g[2] = b[0] * e / (b[1] * b[1]) * z;
    return b[0] * g[0];
}

static inline double bell(double x, const double *b, double *g) /* b1 exp(-((x - b2)/b3)^2) */
{
    double z = (x - b[1]) / b[2], e = exp(-z * z);
    g[0] = e;
    g[1] = b[0] * e * 2 * z / b[2];
    g[2] = b[0] * e * 2 * z * z / b[2];
    return b[0] * e;
}

CURVE(gauss) /* b1 exp(-b2 x) + two bells */
{
    double e = exp(-b[1] * X);
    g[0] = e;
    g[1] = -b[0] * X * e;
    return b[0] * e + bell(X, b + 2, g + 2) + bell(X, b + 5, g + 5);
}

/* A polynomial of degree m over 1 + b[m+1] x + ... + b[2m] x^m. */
static inline double rational(double x, int m, const double *b, double *g)
{
    double above = 0, below = 1, power = 1;
    for (int k = 0; k <= m; k++, power *= x) {
        above += b[k] * power;
        below += k ? b[m + k] * power : 0;
    }
    power = 1;
    for (int k = 0; k <= m; k++, power *= x) {
        g[k] = power / below;
        if (k)
            g[m + k] = -above / below * power / below;
    }
    return above / below;
}

CURVE(cubic_over_cubic)
{
    return rational(X, 3, b, g);
}

CURVE(quadratic_over_quadratic)
{
    return rational(X, 2, b, g);
}

CURVE(lanczos) /* three terms b1 exp(-b2 x) */
{
    double sum = 0;
    for (size_t k = 0; k < 6; k += 2) {
        g[k] = exp(-b[k + 1] * X);
        g[k + 1] = -b[k] * X * g[k];
        sum += b[k] * g[k];
    }
    return sum;
}

CURVE(mgh09) /* b1 (x^2 + x b2) / (x^2 + x b3 + b4) */
{
    double above = X * X + X * b[1], below = X * X + X * b[2] + b[3];
    g[0] = above / below;
    g[1] = b[0] * X / below;
    g[2] = -b[0] * above * X / (below * below);
    g[3] = -b[0] * above / (below * below);
    return b[0] * g[0];
}

CURVE(mgh10) /* b1 exp(b2 / (x + b3)) */
{
    double below = X + b[2], e = exp(b[1] / below);
    g[0] = e;
    g[1] = b[0] * e / below;
    g[2] = -b[0] * e * b[1] / (below * below);
    return b[0] * e;
}

CURVE(mgh17) /* b1 + b2 exp(-x b4) + b3 exp(-x b5) */
{
    double first = exp(-X * b[3]), second = exp(-X * b[4]);
    g[0] = 1;
    g[1] = first;
    g[2] = second;
    g[3] = -b[1] * X * first;
    g[4] = -b[2] * X * second;
    return b[0] + b[1] * first + b[2] * second;
}

CURVE(misra1b) /* b1 (1 - (1 + b2 x/2)^-2) */
{
    double base = 1 + b[1] * X / 2;
    g[0] = 1 - 1 / (base * base);
    g[1] = b[0] * X / (base * base * base);
    return b[0] * g[0];
}

CURVE(misra1c) /* b1 (1 - (1 + 2 b2 x)^-1/2) */
{
    double base = 1 + 2 * b[1] * X;
    g[0] = 1 - 1 / sqrt(base);
    g[1] = b[0] * X / (base * sqrt(base));
    return b[0] * g[0];
}

CURVE(misra1d) /* b1 b2 x / (1 + b2 x) */
{
    double base = 1 + b[1] * X;
    g[0] = b[1] * X / base;
    g[1] = b[0] * X / (base * base);
    return b[0] * g[0];
}

CURVE(nelson) /* ln y = b1 - b2 x1 exp(-b3 x2) */
{
    double x2 = ((const nist_data *)state)->x2[i], e = exp(-b[2] * x2);
    g[0] = 1;
    g[1] = -X * e;
    g[2] = b[1] * X * e * x2;
    return b[0] - b[1] * X * e;
}

CURVE(rat42) /* b1 / (1 + exp(b2 - b3 x)) */
{
    double e = exp(b[1] - b[2] * X), below = 1 + e;
    g[0] = 1 / below;
    g[1] = -b[0] * e / (below * below);
    g[2] = b[0] * e * X / (below * below);
    return b[0] / below;
}

CURVE(rat43) /* b1 / (1 + exp(b2 - b3 x))^(1/b4) */
{
    double e = exp(b[1] - b[2] * X), base = 1 + e, power = pow(base, -1 / b[3]);
    g[0] = power;
    g[1] = -b[0] / b[3] * power / base * e;
    g[2] = b[0] / b[3] * power / base * e * X;
    g[3] = b[0] * power * log(base) / (b[3] * b[3]);
    return b[0] * power;
}

CURVE(roszman) /* b1 - b2 x - atan(b3 / (x - b4)) / pi */
{
    double off = X - b[3], square = off * off + b[2] * b[2], pi = acos(-1);
    g[0] = 1;
    g[1] = -X;
    g[2] = -off / square / pi;
    g[3] = -b[2] / square / pi;
    return b[0] - b[1] * X - atan(b[2] / off) / pi;
}

#undef CURVE
#undef X

#endif
