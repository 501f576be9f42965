/* What the curves of laws.h share. Internal to fit/. */
#ifndef WS_FIT_LAW_H
#define WS_FIT_LAW_H

#include "fit/laws/laws.h"

enum { WS_LAW_STARTS = 12 };

typedef struct ws_law_form {
    const char *model;
    const char *const *name;
    size_t p;
    size_t least; /* different x that it needs, at least p */
    double (*value)(double x, const double *b, double *gradient);
    double (*value_at_log)(double ln_x, const double *b, double *gradient); /* the same of ln x, or NULL: a power of x
                                                                               spares a logarithm */
    /* The same in parameters that stay finite where b goes to infinity (ws_nls_input): of x, or where there is
     * value_at_log of ln x - middle, their mean; or NULL. */
    double (*even_value)(double x, const double *even, double *gradient);
    void (*even_parameters)(double middle, const double *b, double *even);
    void (*from_even)(double middle, const double *even, double *b);
    /* Rows of p values into start, at most WS_LAW_STARTS; returns how many. n >= 1. */
    size_t (*starts)(const double *x, const double *y, size_t n, double *start);
} ws_law_form;

extern const ws_law_form ws_form_line, ws_form_origin, ws_form_powerlaw_direct, ws_form_floor, ws_form_amdahl,
    ws_form_usl;

/* Check, search, estimates of the form's parameters. */
ws_status ws_law_fit(const ws_law_form *form, const ws_law_input *in, ws_fit *fit, double *residual,
                     ws_nls_detail *detail, ws_error *error);

/* An estimate computed from the others: value, and standard error by the delta method, sqrt(g'Vg). */
ws_estimate *ws_law_add(ws_fit *fit, const char *name, double value, const double *gradient, size_t p,
                        const ws_nls_detail *detail, double level);

bool ws_law_has_values(const ws_fit *fit);

/* Are there fewer different x than `least`? Then status and sentence are set. `least` is one more than the coefficients
 * of a bent curve: at as many x it would go through the mean of each, whatever they are, and nothing could speak
 * against it. */
bool ws_law_refuse_few(const double *x, size_t least, ws_fit *fit);

/* Append "name value ± error, ..." for the first `count` estimates, how good the fit is, and which of them have no
 * interval. */
void ws_law_say(ws_fit *fit, size_t count, const char *scale);

/* Least squares of y on one or two columns, for starts; false where that has no answer. */
bool ws_law_start(const double *const *column, size_t p, const double *y, size_t n, double *b);

/* Start values of y = b0 x^b1 by logs of y - floor, where every y > floor. */
bool ws_law_start_power(const double *x, const double *y, size_t n, double floor, double *b);

#endif
