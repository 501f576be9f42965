/* The nonlinear data sets of NIST's Statistical Reference Datasets, from both published starts. */
#include "fit/laws/nonlinear.h"
#include "tests/fit/curves.h"
#include "tests/fit/reference.h"

enum { MOST = WS_FIT_MAX_ESTIMATES };

static const struct {
    const char *set;
    ws_curve *curve;
} sets[] = {
    {"Bennett5", bennett5},
    {"BoxBOD", saturation},
    {"Chwirut1", chwirut},
    {"Chwirut2", chwirut},
    {"DanWood", power_law},
    {"ENSO", enso},
    {"Eckerle4", eckerle4},
    {"Gauss1", gauss},
    {"Gauss2", gauss},
    {"Gauss3", gauss},
    {"Hahn1", cubic_over_cubic},
    {"Kirby2", quadratic_over_quadratic},
    {"Lanczos1", lanczos},
    {"Lanczos2", lanczos},
    {"Lanczos3", lanczos},
    {"MGH09", mgh09},
    {"MGH10", mgh10},
    {"MGH17", mgh17},
    {"Misra1a", saturation},
    {"Misra1b", misra1b},
    {"Misra1c", misra1c},
    {"Misra1d", misra1d},
    {"Nelson", nelson},
    {"Rat42", rat42},
    {"Rat43", rat43},
    {"Roszman1", roszman},
    {"Thurber", cubic_over_cubic},
};

typedef struct certified {
    size_t p;
    double b[MOST], se[MOST], start[2][MOST], rss;
} certified;

static certified read_certified(const char *set)
{
    certified c = {0};
    char line[200];
    FILE *file = fopen("tests/data/nist/nonlinear/certified.csv", "r");
    ck_assert(file != NULL);
    while (fgets(line, sizeof line, file)) {
        ws_span rest = ws_span_of(line), cell[6];
        for (size_t k = 0; k < 6; k++)
            ck_assert(ws_span_split(&rest, ',', &cell[k]) || k == 5);
        if (!ws_span_eq(cell[0], set))
            continue;
        if (ws_span_eq(cell[1], "rss")) {
            ck_assert(ws_span_double(cell[2], &c.rss));
            continue;
        }
        ck_assert(ws_span_double(cell[2], &c.b[c.p]) && ws_span_double(cell[3], &c.se[c.p]));
        ck_assert(ws_span_double(cell[4], &c.start[0][c.p]) && ws_span_double(cell[5], &c.start[1][c.p]));
        c.p++;
    }
    fclose(file);
    ck_assert(c.p > 0 && c.rss > 0);
    return c;
}

static double digits_of(double found, double want)
{
    double off = fabs(found - want) / fabs(want);
    return off > 1e-15 ? -log10(off) : 15;
}

static double worst_digits(const ws_fit *fit, const double *want, bool of_se)
{
    double worst = 15;
    for (size_t j = 0; j < fit->n_estimates; j++)
        worst = fmin(worst, digits_of(of_se ? fit->estimate[j].se : fit->estimate[j].value, want[j]));
    return worst;
}

static void fit_set(size_t s, int start, const certified *want, ws_fit *fit)
{
    static reference data;
    static double y[REFERENCE_ROWS];
    static const char *const names[MOST] = {"b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"};
    char path[100];
    snprintf(path, sizeof path, "tests/data/nist/nonlinear/%s.csv", sets[s].set);
    reference_read_csv(&data, path);
    const nist_data columns = {data.column[1], data.column[2]};
    for (size_t i = 0; i < data.n; i++)
        y[i] = sets[s].curve == nelson ? log(data.column[0][i]) : data.column[0][i];
    const ws_nls_input in = {.curve = sets[s].curve,
                             .state = &columns,
                             .name = names,
                             .p = want->p,
                             .y = y,
                             .n = data.n,
                             .level = 0.95,
                             .start = want->start[start],
                             .n_starts = 1,
                             .without_loocv = true};
    ck_assert_int_eq(ws_nls_fit(&in, sets[s].set, fit, NULL, NULL, NULL), WS_OK);
}

/* NIST prints 11 digits, so 10 is what agreement can show. Lanczos1 has residuals of 1e-13 beside data of 13 digits:
 * its standard errors are rounding. */
START_TEST(both_starts)
{
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        const certified want = read_certified(sets[s].set);
        bool without_errors = strcmp(sets[s].set, "Lanczos1") == 0;
        for (int start = 0; start < 2; start++) {
            ws_fit fit;
            fit_set(s, start, &want, &fit);
            ck_assert_msg(fit.status == WS_FIT_OK, "%s, start %d: %s", sets[s].set, start + 1, fit.sentence);
            double b = worst_digits(&fit, want.b, false), se = worst_digits(&fit, want.se, true);
            ck_assert_msg(b >= 10, "%s, start %d: estimates have %.1f digits", sets[s].set, start + 1, b);
            ck_assert_msg(se >= 10 || without_errors, "%s, start %d: standard errors have %.1f digits", sets[s].set,
                          start + 1, se);
        }
    }
}
END_TEST

/* The tests above rest on these derivatives, so they are held against differences. */
START_TEST(derivatives)
{
    static const double x[] = {2.5}, x2[] = {1.5};
    const nist_data at = {x, x2};
    double b[MOST] = {1.3, 0.4, 1.7, 0.6, 1.1, 0.9, 2.3, 0.7, 1.9}, gradient[MOST], unused[MOST];
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        size_t p = read_certified(sets[s].set).p;
        sets[s].curve(&at, 0, b, gradient);
        for (size_t j = 0; j < p; j++) {
            double here = b[j], step = 1e-5;
            b[j] = here + step;
            double above = sets[s].curve(&at, 0, b, unused);
            b[j] = here - step;
            double below = sets[s].curve(&at, 0, b, unused);
            b[j] = here;
            ck_close(gradient[j], (above - below) / (2 * step), 1e-7, 1e-8);
        }
    }
}
END_TEST

static double only_the_product(const void *state, size_t i, const double *b, double *gradient)
{
    const double *x = state;
    gradient[0] = b[1] * x[i];
    gradient[1] = b[0] * x[i];
    return b[0] * b[1] * x[i];
}

static double ever_nearer(const void *state, size_t i, const double *b, double *gradient)
{
    const double *x = state;
    gradient[0] = b[0] * x[i] > 700 ? 0 : x[i] * exp(-b[0] * x[i]);
    return -expm1(-b[0] * x[i]);
}

/* A singular Jacobian, and a minimum at infinity: no numbers, and the reason. */
START_TEST(no_success_without_an_answer)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {2.1, 3.9, 6.2, 7.8, 10.1},
                        above[] = {1.01, 1.02, 1.01, 1.03, 1.01};
    static const char *const names[] = {"a", "b"};
    static const double start[] = {1, 1};
    ws_nls_input in = {.curve = only_the_product,
                       .state = x,
                       .name = names,
                       .p = 2,
                       .y = y,
                       .n = 5,
                       .level = 0.95,
                       .start = start,
                       .n_starts = 1};
    ws_fit fit;
    ck_assert_int_eq(ws_nls_fit(&in, "product", &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_NOT_IDENTIFIED);
    ck_assert(isnan(fit.estimate[0].value) && isnan(fit.estimate[1].se));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "do not tell the 2 parameters apart"));
    in.curve = ever_nearer;
    in.p = 1;
    in.y = above;
    ck_assert_int_eq(ws_nls_fit(&in, "endless", &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_msg(fit.status == WS_FIT_NOT_IDENTIFIED || fit.status == WS_FIT_NOT_CONVERGED, "%s", fit.sentence);
    ck_assert(isnan(fit.estimate[0].value) && fit.sentence[0]);
}
END_TEST

TEST_MAIN("fit NIST nonlinear", both_starts, derivatives, no_success_without_an_answer)
