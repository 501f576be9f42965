#include "analyze/ratios.h"

#include "fit/laws/laws.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <string.h>

enum {
    SCALING,
    SPEEDUP,
    EFFICIENCY = SPEEDUP + 2,
    ENERGY_RATIO = EFFICIENCY + 2,
    REFERENCE = ENERGY_RATIO + 2,
    PER,
    POOLED,
    SERIAL = POOLED + 9
};
static const char *const names[] = {"scaling",
                                    "speedup",
                                    "speedup_se",
                                    "efficiency",
                                    "efficiency_se",
                                    "energy_ratio",
                                    "energy_ratio_se",
                                    "reference",
                                    "per",
                                    "speedup_pooled",
                                    "speedup_pooled_lo",
                                    "speedup_pooled_hi",
                                    "efficiency_pooled",
                                    "efficiency_pooled_lo",
                                    "efficiency_pooled_hi",
                                    "energy_ratio_pooled",
                                    "energy_ratio_pooled_lo",
                                    "energy_ratio_pooled_hi",
                                    "serial_fraction",
                                    "serial_fraction_lo",
                                    "serial_fraction_hi"};
enum { N_NAMES = sizeof names / sizeof *names };
static const double POOLED_LEVEL = 0.95;

size_t ws_ratio_columns(ws_table *t)
{
    size_t first = t->n_columns;
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t column =
            ws_table_add_column(t, names[i], i == SCALING || i == REFERENCE || i == PER ? WS_TEXT : WS_NUMBER);
        if (i >= PER)
            ws_table_set_detail(t, column);
    }
    return first;
}

bool ws_is_ratio_column(const char *name)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* a / b and its standard error; no error without repeats on both sides. */
static void ratio(const ws_spread *a, const ws_spread *b, double *value, double *se)
{
    *value = a->mean / b->mean;
    double va = a->sd / a->mean, vb = b->sd / b->mean;
    *se = fabs(*value) * sqrt(va * va / (double)a->n + vb * vb / (double)b->n);
}

static void set_ratio(ws_table *t, size_t row, size_t column, double value, double se, bool is_reference)
{
    if (isfinite(value))
        ws_table_set_number(t, column, row, value);
    if (isfinite(se) && !is_reference)
        ws_table_set_number(t, column + 1, row, se);
}

static ws_ratio pooled_ratio(const ws_spread *ln_a, const ws_spread *ln_b, const ws_pooled *pooled)
{
    const ws_sample a = {.n = ln_a->n, .mean = ln_a->mean}, b = {.n = ln_b->n, .mean = ln_b->mean};
    ws_ratio result;
    ws_ratio_pooled(&a, &b, pooled->sd, pooled->df, POOLED_LEVEL, &result);
    return result;
}

static void set_pooled(ws_table *t, size_t row, size_t column, const ws_ratio *r, double factor)
{
    const double values[] = {r->value * factor, r->ci_lo * factor, r->ci_hi * factor};
    for (size_t i = 0; i < 3; i++)
        ws_table_set_number(t, column + i, row, values[i]);
}

/* Karp and Flatt's serial fraction of one speed-up over the reference, GPUs counted in units of its; its ends are those
 * of the pooled interval of the speed-up, which a higher serial fraction lowers. */
static void set_serial_fraction(ws_table *t, size_t row, size_t column, double n, double speedup,
                                const ws_ratio *pooled)
{
    const double speedups[] = {speedup, pooled->ci_hi, pooled->ci_lo};
    for (size_t i = 0; i < 3; i++) {
        double fraction = ws_karp_flatt(n, speedups[i]);
        if (isfinite(fraction))
            ws_table_set_number(t, column + i, row, fraction);
    }
}

void ws_set_ratios(ws_table *t, size_t first, size_t row, const ws_scaled *c, const ws_scaled *reference,
                   const ws_pooled pooled[WS_OF_N])
{
    double speedup, se, energy, energy_se, factor = c->is_weak ? 1 : reference->gpus / c->gpus;
    bool self = c == reference;
    ratio(&reference->value[WS_OF_TIME], &c->value[WS_OF_TIME], &speedup, &se);
    ratio(&c->value[WS_OF_ENERGY], &reference->value[WS_OF_ENERGY], &energy, &energy_se);
    set_ratio(t, row, first + SPEEDUP, speedup, se, self);
    set_ratio(t, row, first + EFFICIENCY, speedup * factor, se * factor, self);
    set_ratio(t, row, first + ENERGY_RATIO, energy, energy_se, self);
    if (self)
        return;
    ws_ratio time = pooled_ratio(&reference->ln[WS_OF_TIME], &c->ln[WS_OF_TIME], &pooled[WS_OF_TIME]);
    ws_ratio joules = pooled_ratio(&c->ln[WS_OF_ENERGY], &reference->ln[WS_OF_ENERGY], &pooled[WS_OF_ENERGY]);
    if (!c->is_weak)
        set_serial_fraction(t, row, first + SERIAL, c->gpus / reference->gpus, speedup, &time);
    set_pooled(t, row, first + POOLED, &time, 1);
    set_pooled(t, row, first + POOLED + 3, &time, factor);
    set_pooled(t, row, first + POOLED + 6, &joules, 1);
}

void ws_set_ratio_words(ws_table *t, size_t first, size_t row, const ws_scaled *c, const char *reference)
{
    ws_table_set_text(t, first + SCALING, row, c->is_weak ? "weak" : "strong");
    ws_table_set_text(t, first + PER, row, ws_work_name(c->work));
    t->columns[first + PER].detail &= c->work == WS_PER_RUN;
    if (reference)
        ws_table_set_text(t, first + REFERENCE, row, reference);
}
