/* The best cap, by curves in logs of time and energy, ln T(u; b) and ln E(u; c) of u = ln x. It is
 *
 *     the bottom of the energy      d ln E / du = 0,                       se(u) of -c1 / (2 c2), or
 *     where the bound begins        g(u) = ln T(u) - ln T(U) - ln(1 + s) = 0,   se(u) = sqrt(h' V h) / |g'(u)|,
 *
 * with U the highest u, h the derivatives of g by b, and V the covariance of b (delta method; Student's t with the
 * residual degrees of freedom of the one curve that decides; exp of the ends). Assumes what the curves assume, and that
 * it is plain which of the two decides: where both nearly do, the interval is too narrow. The safe place has
 * g(u) + t se(g) in the place of g(u), with se(g) = sqrt(h' V h) and the one-sided t. */
#include "fit/choice/optimum_place.h"

#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <string.h>

enum { STEPS = 400, COEFFICIENTS = 3 };

static const double NEAR = 1e-9; /* of the range of u: a bound of no slow-down holds the highest x and no other */

typedef struct log_curve {
    bool is_floor;
    double b[COEFFICIENTS];
} log_curve;

typedef struct search {
    log_curve time, energy;
    double lowest, highest, bound; /* ln x, ln x, ln T */
    double t;                      /* Student's t of the upper limit; 0: the curve itself keeps the bound */
    double variance[COEFFICIENTS][COEFFICIENTS];
} search;

static bool read_curve(const ws_fit *fit, log_curve *c)
{
    static const char *const names[2][COEFFICIENTS] = {{"c0", "c1", "c2"}, {"factor", "exponent", "floor"}};
    c->is_floor = fit->curve == WS_CURVE_FLOOR;
    for (size_t j = 0; j < COEFFICIENTS; j++) {
        const ws_estimate *e = ws_fit_estimate(fit, names[c->is_floor][j]);
        c->b[j] = e ? e->value : NAN;
    }
    return fit->status == WS_FIT_OK && !isnan(c->b[0]);
}

/* ln y at u, and its derivatives by the coefficients. */
static double height(const log_curve *c, double u, double *gradient)
{
    if (!c->is_floor) {
        gradient[0] = 1;
        gradient[1] = u;
        gradient[2] = u * u;
        return c->b[0] + u * (c->b[1] + u * c->b[2]);
    }
    double y = ws_form_floor.value(exp(u), c->b, gradient);
    for (size_t j = 0; j < COEFFICIENTS; j++)
        gradient[j] /= y;
    return log(y);
}

/* d ln y / du. */
static double slope(const log_curve *c, double u)
{
    if (!c->is_floor)
        return c->b[1] + 2 * u * c->b[2];
    double power = c->b[0] * exp(c->b[1] * u);
    return c->b[1] * power / (power + c->b[2]);
}

/* Standard error of g(u). */
static double se_of_slowdown(const search *s, double u)
{
    double h[COEFFICIENTS], top[COEFFICIENTS], variance = 0;
    height(&s->time, u, h);
    height(&s->time, s->highest, top);
    for (size_t j = 0; j < COEFFICIENTS; j++)
        h[j] -= top[j];
    for (size_t j = 0; j < COEFFICIENTS; j++)
        for (size_t k = 0; k < COEFFICIENTS; k++)
            variance += h[j] * s->variance[j][k] * h[k];
    return sqrt(fmax(0, variance));
}

static double over_bound(const search *s, double u)
{
    double unused[COEFFICIENTS];
    return height(&s->time, u, unused) - s->bound + (s->t > 0 ? s->t * se_of_slowdown(s, u) : 0);
}

static double energy_slope(const search *s, double u)
{
    return slope(&s->energy, u);
}

/* Halves [a, b] until the doubles between are used up; the signs at the ends differ. */
static double root(double (*of)(const search *, double), const search *s, double a, double b)
{
    bool sign = of(s, a) > 0;
    for (int i = 0; i < 60; i++) {
        double middle = a + (b - a) / 2;
        if ((of(s, middle) > 0) == sign)
            a = middle;
        else
            b = middle;
    }
    return a + (b - a) / 2;
}

static double step_at(const search *s, int i)
{
    return i == STEPS ? s->highest : s->lowest + (s->highest - s->lowest) * i / STEPS;
}

static int best_step(const search *s)
{
    double unused[COEFFICIENTS], least = height(&s->energy, s->highest, unused);
    int best = STEPS;
    for (int i = 0; i < STEPS; i++) {
        double u = step_at(s, i), energy = height(&s->energy, u, unused);
        if (over_bound(s, u) > 0 || !(energy < least))
            continue;
        least = energy;
        best = i;
    }
    return best;
}

/* From the best step to the place beside it: where the bound begins, unless the energy falls on from there. */
static double refine(const search *s, ws_place_limit *limit)
{
    int best = best_step(s);
    double a = step_at(s, best > 0 ? best - 1 : 0), b = step_at(s, best < STEPS ? best + 1 : STEPS);
    *limit = WS_PLACE_TIME;
    if (over_bound(s, a) > 0) {
        a = root(over_bound, s, a, step_at(s, best));
        if (energy_slope(s, a) >= 0)
            return a;
    }
    if (over_bound(s, b) > 0) {
        b = root(over_bound, s, step_at(s, best), b);
        if (energy_slope(s, b) <= 0)
            return b;
    }
    *limit = energy_slope(s, a) < 0 && energy_slope(s, b) > 0 ? WS_PLACE_ENERGY : WS_PLACE_END;
    return *limit == WS_PLACE_ENERGY ? root(energy_slope, s, a, b) : step_at(s, best);
}

static double height_at(const void *curve, double x, double *gradient)
{
    return height(curve, log(x), gradient);
}

static bool find_variance(search *s, const ws_fit *time, const double *x, size_t n)
{
    ws_ls_detail detail = {.leverage = NULL};
    if (!ws_ls_tangent(height_at, &s->time, COEFFICIENTS, x, n, &detail))
        return false;
    for (size_t j = 0; j < COEFFICIENTS; j++)
        for (size_t k = 0; k < COEFFICIENTS; k++)
            s->variance[j][k] = detail.unscaled[j][k] * time->sigma * time->sigma;
    return true;
}

/* Standard error of the u where the bound begins. */
static double se_of_bound(search *s, const ws_fit *time, const double *x, size_t n, double u)
{
    double se = find_variance(s, time, x, n) ? se_of_slowdown(s, u) / fabs(slope(&s->time, u)) : NAN;
    return isfinite(se) ? se : NAN;
}

static void set_place(const search *s, double u, double se, double t, ws_place *place)
{
    place->x = exp(u);
    if (isnan(se)) {
        place->limit = WS_PLACE_END;
        return;
    }
    place->se = place->x * se;
    place->lo = exp(fmax(u - t * se, s->lowest));
    place->hi = exp(fmin(u + t * se, s->highest));
}

static ws_status begin_search(const ws_fit *time, const ws_fit *energy, const double *x, size_t n, double slowdown,
                              search *s, ws_error *error)
{
    double unused[COEFFICIENTS];
    *s = (search){.lowest = INFINITY, .highest = -INFINITY};
    if (!read_curve(time, &s->time) || !read_curve(energy, &s->energy))
        return ws_fail(error, WS_USAGE, "a best place takes curves of time and energy that have standard errors");
    for (size_t i = 0; i < n; i++) {
        s->lowest = fmin(s->lowest, log(x[i]));
        s->highest = fmax(s->highest, log(x[i]));
    }
    s->bound = height(&s->time, s->highest, unused) + log1p(slowdown);
    return WS_OK;
}

ws_status ws_find_place(const ws_fit *time, const ws_fit *energy, const double *x, size_t n, double slowdown,
                        double level, ws_place *place, ws_error *error)
{
    search s;
    *place = (ws_place){NAN, NAN, NAN, NAN, WS_PLACE_END};
    ws_status status = begin_search(time, energy, x, n, slowdown, &s, error);
    if (status != WS_OK)
        return status;
    double u = refine(&s, &place->limit), se = NAN;
    const ws_fit *decides = place->limit == WS_PLACE_ENERGY ? energy : time;
    if (place->limit == WS_PLACE_ENERGY)
        se = ws_fit_estimate(energy, "mu")->se;
    else if (place->limit == WS_PLACE_TIME && u < s.highest - NEAR * (s.highest - s.lowest))
        se = se_of_bound(&s, time, x, n, u);
    set_place(&s, u, se, ws_student_quantile(level, decides->df), place);
    return WS_OK;
}

/* Down from the highest as long as the limit keeps the bound. */
static double lowest_kept(const search *s)
{
    for (int i = STEPS - 1; i >= 0; i--)
        if (over_bound(s, step_at(s, i)) > 0)
            return root(over_bound, s, step_at(s, i), step_at(s, i + 1));
    return s->lowest;
}

ws_status ws_find_safe_place(const ws_fit *time, const ws_fit *energy, const double *x, size_t n, double slowdown,
                             double risk, ws_place *place, double *lowest, ws_error *error)
{
    search s;
    *place = (ws_place){NAN, NAN, NAN, NAN, WS_PLACE_END};
    *lowest = NAN;
    ws_status status = begin_search(time, energy, x, n, slowdown, &s, error);
    if (status != WS_OK)
        return status;
    s.t = ws_student_quantile(1 - 2 * risk, time->df);
    double measured = s.lowest;
    if (!find_variance(&s, time, x, n) || slowdown <= 0)
        s.lowest = s.highest;
    else
        s.lowest = lowest_kept(&s);
    *lowest = place->x = exp(s.lowest);
    if (s.lowest >= s.highest - NEAR * (s.highest - measured))
        return WS_OK;
    int best = best_step(&s);
    bool at_start = best == 0 && s.lowest > measured;
    place->x = exp(refine(&s, &place->limit));
    if (at_start && place->limit != WS_PLACE_ENERGY)
        place->limit = WS_PLACE_TIME;
    return WS_OK;
}
