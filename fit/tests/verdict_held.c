/* Runs of A and B whose settings are mixed in other shares differ by the mix. With s = 1 for a run of B and 0 for one
 * of A, the logarithms follow
 *
 *     ln y = level of its value + d s        change = exp(d) - 1
 *
 * by least squares: d = sum s' ln y / sum s'^2, s' the distance of s from its mean over the runs of the same value
 * (Frisch and Waugh 1933). Student's t has n - values - 1 degrees of freedom. Of pairs, those that agree in the value
 * are judged. */
#include "fit/tests/verdict.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

typedef struct held_run {
    size_t value;
    double side, y; /* distances from the means of the value, once they are known */
} held_run;

static int held_order(const void *a, const void *b)
{
    const held_run *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Returns how many values there are. */
static size_t subtract_means(held_run *runs, size_t n)
{
    size_t values = 0;
    qsort(runs, n, sizeof *runs, held_order);
    for (size_t first = 0, end; first < n; first = end, values++) {
        double side = 0, y = 0;
        for (end = first; end < n && runs[end].value == runs[first].value; end++) {
            side += runs[end].side;
            y += runs[end].y;
        }
        for (size_t i = first; i < end; i++) {
            runs[i].side -= side / (double)(end - first);
            runs[i].y -= y / (double)(end - first);
        }
    }
    return values;
}

static void solve_held(const ws_verdict_input *in, held_run *runs, ws_verdict *v)
{
    size_t n = in->n_a + in->n_b, values = subtract_means(runs, n);
    double df = (double)n - (double)values - 1, squares = 0, product = 0, rss = 0;
    for (size_t i = 0; i < n; i++) {
        squares += runs[i].side * runs[i].side;
        product += runs[i].side * runs[i].y;
    }
    if (!(squares > 1e-9))
        return; /* no value is on both sides */
    double d = product / squares;
    for (size_t i = 0; i < n; i++)
        rss += (runs[i].y - d * runs[i].side) * (runs[i].y - d * runs[i].side);
    v->change = expm1(d);
    v->kind = WS_UNDECIDED;
    ws_say(v->sentence, sizeof v->sentence, "%s %% without an interval", ws_words_number(100 * v->change).text);
    if (!(df > 0) || !(rss > 0))
        return;
    v->sentence[0] = '\0';
    double se = sqrt(rss / df / squares), reach = ws_student_quantile(in->level, df) * se;
    v->ci_lo = expm1(d - reach);
    v->ci_hi = expm1(d + reach);
    v->p_value = ws_student_two_sided(d / se, df);
    ws_verdict_decide(in, v);
}

static ws_status judge_same_pairs(const ws_verdict_input *in, const size_t *of_a, const size_t *of_b, ws_verdict *held,
                                  ws_error *error)
{
    double *a = ws_alloc((2 * in->n_a + 1) * sizeof *a), *b = a + in->n_a;
    ws_verdict_input same = *in;
    same.a = a;
    same.b = b;
    same.n_a = 0;
    for (size_t i = 0; i < in->n_a; i++)
        if (of_a[i] == of_b[i]) {
            a[same.n_a] = in->a[i];
            b[same.n_a++] = in->b[i];
        }
    same.n_b = same.n_a;
    ws_status status = WS_OK;
    if (same.n_a > 1 && same.n_a < in->n_a)
        status = ws_judge(&same, held, error);
    free(a);
    return status;
}

ws_status ws_judge_held(const ws_verdict_input *in, const size_t *of_a, const size_t *of_b, ws_verdict *held,
                        ws_error *error)
{
    *held = (ws_verdict){.kind = WS_UNUSABLE, .change = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    if (in->is_paired)
        return judge_same_pairs(in, of_a, of_b, held, error);
    size_t n = 0;
    held_run *runs = ws_alloc((in->n_a + in->n_b + 1) * sizeof *runs);
    bool is_positive = true;
    for (size_t i = 0; i < in->n_a + in->n_b; i++) {
        bool is_b = i >= in->n_a;
        double y = is_b ? in->b[i - in->n_a] : in->a[i];
        is_positive = is_positive && y > 0;
        runs[n++] = (held_run){is_b ? of_b[i - in->n_a] : of_a[i], is_b, log(y)};
    }
    if (is_positive)
        solve_held(in, runs, held);
    free(runs);
    return WS_OK;
}

bool ws_verdict_hangs_on(const ws_verdict *plain, const ws_verdict *held)
{
    bool is_decided = plain->kind == WS_NO_WORSE || plain->kind == WS_WORSE;
    return is_decided && held->kind != WS_UNUSABLE && held->kind != plain->kind &&
           (held->change < plain->ci_lo || held->change > plain->ci_hi);
}
