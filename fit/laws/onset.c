/* The large-batch onset: a plateau and a rise that starts at B,  y = p + s max(log2 x - log2 B, 0),  s >= 0.
 *
 * For a given B it is a line through h = max(log2 x - log2 B, 0), so only B is searched, on a grid and by golden
 * section about its best place. Interval of B: all B with rss(B) <= rss (1 + F(1, n - 3) / (n - 3)); beyond the last x
 * but one every B fits alike, so the end may be the last x itself. Standard errors of p and s hold B's own uncertainty.
 *
 * Test of a rise at all: B does not exist without one (Davies 1987), so the law of F under a plateau alone is drawn:
 * p = (1 + draws with an F as large) / (1 + draws), fixed seed (Dufour 2006). Assumes independent normal errors of one
 * size; repeats with one seed do not carry the spread of training. */
#include "fit/laws/onset.h"

#include "core/arena.h"
#include "fit/drawn_law.h"
#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"
#include "fit/random.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = WS_DRAWN_LAW_DRAWS, GRID = 200, ROUNDS = 60, LEAST_X = 4 };
static const double LEAST_REST = 1e-24; /* of the squares about the mean: less is rounding */
static const char *const names[] = {"plateau", "rise-per-doubling", "onset"};

typedef struct hinge {
    size_t n;
    double *lx, *y;     /* log2 x, ascending */
    double first, last; /* of lx */
    long double mean_y, yy;
} hinge;

typedef struct bend {
    double b, plateau, rise, rss;
} bend;

static bend bend_at(const hinge *h, double b)
{
    long double n = (long double)h->n, mean_h = 0, hh = 0, hy = 0;
    for (size_t i = 0; i < h->n; i++)
        mean_h += h->lx[i] > b ? (h->lx[i] - b) / n : 0;
    for (size_t i = 0; i < h->n; i++) {
        long double dh = (h->lx[i] > b ? h->lx[i] - b : 0) - mean_h, dy = h->y[i] - h->mean_y;
        hh += dh * dh;
        hy += dh * dy;
    }
    long double rise = hh > 0 && hy > 0 ? hy / hh : 0;
    return (bend){b, (double)(h->mean_y - rise * mean_h), (double)rise, (double)fmaxl(0, h->yy - rise * hy)};
}

static bend best_bend(const hinge *h)
{
    double step = (h->last - h->first) / GRID;
    bend best = bend_at(h, h->first);
    for (int k = 1; k < GRID; k++) {
        bend at = bend_at(h, h->first + k * step);
        best = at.rss < best.rss ? at : best;
    }
    double lo = fmax(h->first, best.b - step), hi = fmin(h->last, best.b + step);
    const double golden = (sqrt(5) - 1) / 2;
    for (int round = 0; round < ROUNDS; round++) {
        bend left = bend_at(h, hi - golden * (hi - lo)), right = bend_at(h, lo + golden * (hi - lo));
        if (left.rss <= right.rss)
            hi = right.b;
        else
            lo = left.b;
        best = left.rss < best.rss ? left : best;
        best = right.rss < best.rss ? right : best;
    }
    return best;
}

/* The hinges of a grid of B, each centred and of length 1: n values a row. */
static double *unit_hinges(const hinge *h)
{
    double *unit = ws_realloc(NULL, GRID * h->n, sizeof *unit);
    for (size_t k = 0; k < GRID; k++) {
        double b = h->first + (h->last - h->first) * (double)k / GRID, mean = 0, squares = 0;
        for (size_t i = 0; i < h->n; i++)
            mean += fmax(h->lx[i] - b, 0) / (double)h->n;
        for (size_t i = 0; i < h->n; i++) {
            unit[k * h->n + i] = fmax(h->lx[i] - b, 0) - mean;
            squares += unit[k * h->n + i] * unit[k * h->n + i];
        }
        for (size_t i = 0; i < h->n; i++)
            unit[k * h->n + i] /= sqrt(squares);
    }
    return unit;
}

/* F of the best rise on the grid. */
static double f_of_rise(const hinge *h, const double *unit)
{
    double mean = 0, squares = 0, most = 0;
    for (size_t i = 0; i < h->n; i++)
        mean += h->y[i] / (double)h->n;
    for (size_t i = 0; i < h->n; i++)
        squares += (h->y[i] - mean) * (h->y[i] - mean);
    for (size_t k = 0; k < GRID; k++) {
        double along = 0;
        for (size_t i = 0; i < h->n; i++)
            along += unit[k * h->n + i] * (h->y[i] - mean);
        most = along > 0 ? fmax(most, along * along) : most;
    }
    return most / 2 / ((squares - most) / (double)(h->n - 3));
}

typedef struct drawn_hinge {
    hinge *h; /* its y is overwritten */
    const double *unit;
} drawn_hinge;

static void draw_plateaus(void *state, double *f)
{
    const drawn_hinge *d = state;
    ws_random random = {1};
    for (int draw = 0; draw < DRAWS; draw++) {
        for (size_t i = 0; i < d->h->n; i++)
            d->h->y[i] = ws_random_normal(&random);
        f[draw] = f_of_rise(d->h, d->unit);
    }
}

static void test_rise(hinge *h, ws_test *test)
{
    double *unit = unit_hinges(h), found = f_of_rise(h, unit);
    drawn_hinge drawn = {h, unit};
    size_t as_large = ws_drawn_at_least(ws_drawn_law(draw_plateaus, &drawn, h->lx, h->n), found);
    free(unit);
    if (ws_test_set(test, found, (1 + (double)as_large) / (1 + DRAWS)))
        ws_say(test->sentence, sizeof test->sentence, "%s (F %s, p %s%s from %d draws)",
               test->p_value < 0.05 ? "y leaves its plateau" : "no rise: a plateau does as well",
               ws_words_digits(found, 3).text, as_large ? "" : "at most ", ws_words_number(test->p_value).text, DRAWS);
}

/* The farthest B on that side whose rss is within the limit, to a grid step and then by halving. */
static double profile_end(const hinge *h, double from, double end, double limit)
{
    double inside = from, outside = end;
    for (int k = 1; k <= GRID; k++) {
        double at = from + (end - from) * k / GRID;
        if (bend_at(h, at).rss > limit) {
            outside = at;
            break;
        }
        inside = at;
    }
    for (int round = 0; round < ROUNDS && inside != outside; round++) {
        double middle = (inside + outside) / 2;
        *(bend_at(h, middle).rss <= limit ? &inside : &outside) = middle;
    }
    return inside;
}

static void set_errors(const hinge *h, const bend *at, ws_fit *fit, double level)
{
    double *work = ws_realloc(NULL, 3 * h->n, sizeof *work);
    for (size_t i = 0; i < h->n; i++) {
        work[i] = fmax(h->lx[i] - at->b, 0);
        work[h->n + i] = h->lx[i] > at->b ? -at->rise : 0;
        work[2 * h->n + i] = h->y[i];
    }
    const double *const column[] = {NULL, work, work + h->n};
    const ws_ls_input in = {.column = column, .name = names, .p = 3, .y = work + 2 * h->n, .n = h->n, .level = level};
    ws_ls_detail detail = {.leverage = NULL};
    ws_fit linear;
    ws_fit_begin(&linear, "onset", "centred", h->n);
    bool solved = ws_ls_fit_detail(&in, &linear, NULL, &detail, NULL) == WS_OK && ws_ls_has_values(&linear);
    for (size_t j = 0; solved && j < 2; j++) {
        fit->estimate[j].se = fit->sigma * sqrt(detail.unscaled[j][j]);
        ws_estimate_infer(&fit->estimate[j], fit->df, level);
    }
    free(work);
}

static void set_fit(const hinge *h, const bend *at, ws_fit *fit, double level)
{
    double total = bend_at(h, h->last).rss;
    fit->status = WS_FIT_OK;
    fit->df = (double)h->n - 3;
    fit->n_x = ws_count_distinct(h->lx, h->n);
    fit->rss = at->rss;
    fit->sigma = sqrt(at->rss / fit->df);
    fit->r2 = 1 - at->rss / total;
    ws_ls_set_likelihood(fit, at->rss, 3);
    const double values[] = {at->plateau, at->rise, exp2(at->b)};
    for (size_t j = 0; j < 3; j++)
        ws_fit_add(fit, names[j], values[j], NAN);
    set_errors(h, at, fit, level);
    double limit = at->rss * (1 + ws_f_quantile(level, 1, fit->df) / fit->df);
    fit->estimate[2].ci_lo = exp2(profile_end(h, at->b, h->first, limit));
    fit->estimate[2].ci_hi = exp2(profile_end(h, at->b, h->last, limit));
}

static void say_onset(const hinge *h, const ws_test *test, ws_fit *fit, double level)
{
    const ws_estimate *p = &fit->estimate[0], *s = &fit->estimate[1], *b = &fit->estimate[2];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (test && test->p_value >= 0.05)
        ws_say(text, size, "no onset is shown (%s), since a plateau does as well; if there is one, ",
               ws_words_p(test->p_value).text);
    ws_say(text, size, "y stays at %s up to x = %s (%s: %s to %s), then rises by %s a doubling",
           ws_words_with_error(p->value, p->se).text, ws_words_to_error(b->value, b->value / 10).text,
           ws_words_level(level).text, ws_words_to_error(b->ci_lo, b->ci_lo / 10).text,
           ws_words_to_error(b->ci_hi, b->ci_hi / 10).text, ws_words_with_error(s->value, s->se).text);
    ws_fit_say_points(fit, "x");
    ws_say(text, size, ", R2 %s", ws_words_r2(fit->r2).text);
    if (b->ci_lo <= exp2(h->first) * (1 + 1e-9))
        ws_say(text, size, "; the rise may start at the smallest x");
}

static void leave_undefined(ws_fit *fit, ws_fit_status status, const char *why, double *residual)
{
    fit->status = status;
    if (!fit->sentence[0])
        ws_say(fit->sentence, sizeof fit->sentence, "%s", why);
    for (size_t j = 0; j < 3; j++)
        ws_fit_add(fit, names[j], NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
}

static hinge onset_gather(const ws_law_input *in)
{
    hinge h = {.n = in->n, .lx = ws_realloc(NULL, 2 * in->n, sizeof(double))};
    h.y = h.lx + in->n;
    for (size_t i = 0; i < in->n; i++) {
        h.lx[i] = log2(in->x[i]);
        h.y[i] = in->y[i];
    }
    gsl_sort2(h.lx, 1, h.y, 1, h.n);
    h.first = h.lx[0];
    h.last = h.lx[h.n - 1];
    for (size_t i = 0; i < h.n; i++)
        h.mean_y += h.y[i] / (long double)h.n;
    for (size_t i = 0; i < h.n; i++)
        h.yy += (h.y[i] - h.mean_y) * (h.y[i] - h.mean_y);
    return h;
}

static void search(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test)
{
    hinge h = onset_gather(in);
    bend best = best_bend(&h);
    if (!(best.rise > 0)) {
        leave_undefined(fit, WS_FIT_NOT_IDENTIFIED, "y does not rise with x: there is no onset", residual);
    } else if (best.b <= h.first + (h.last - h.first) * 1e-9) {
        leave_undefined(fit, WS_FIT_NOT_IDENTIFIED, "y rises from the smallest x on: no plateau is seen; add smaller x",
                        residual);
    } else if (!(best.rss > LEAST_REST * bend_at(&h, h.last).rss)) {
        leave_undefined(fit, WS_FIT_PERFECT,
                        "the points lie on a plateau and a rise exactly: there is no error to "
                        "give the onset an interval",
                        residual);
        const double values[] = {best.plateau, best.rise, exp2(best.b)};
        for (size_t j = 0; j < 3; j++)
            fit->estimate[j].value = values[j];
    } else {
        set_fit(&h, &best, fit, in->level);
    }
    for (size_t i = 0; residual && fit->status == WS_FIT_OK && i < in->n; i++)
        residual[i] = in->y[i] - best.plateau - best.rise * fmax(log2(in->x[i]) - best.b, 0);
    if (test && best.rss > LEAST_REST * bend_at(&h, h.last).rss)
        test_rise(&h, test);
    if (fit->status == WS_FIT_OK)
        say_onset(&h, test, fit, in->level);
    free(h.lx);
}

ws_status ws_fit_onset(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test, ws_error *error)
{
    ws_fit_begin(fit, "onset", "centred", in->n);
    if (test)
        ws_test_begin(test, "rise against none");
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK)
        return status;
    if (ws_fit_refuse_logs(in->x, NULL, "an onset", fit))
        leave_undefined(fit, fit->status, "", residual);
    else if (ws_count_distinct(in->x, in->n) < LEAST_X)
        leave_undefined(fit, WS_FIT_TOO_FEW, "fewer than 4 values of x: a plateau and a rise need two each", residual);
    else if (ws_fit_is_constant(in->y, in->n))
        leave_undefined(fit, WS_FIT_CONSTANT, "y does not vary: there is no onset", residual);
    else
        search(in, fit, residual, test);
    if (test && !test->sentence[0]) {
        test->status = fit->status;
        ws_say(test->sentence, sizeof test->sentence, "no test of a rise: %s", fit->sentence);
    }
    return WS_OK;
}
