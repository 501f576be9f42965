#include "analyze/scaling/ratios.h"

#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <string.h>

enum {
    SCALING,
    SPEEDUP,
    REFERENCE = SPEEDUP + 6, /* three ratios, each with its standard error */
    PER,
    LIMITS, /* of speed-up, efficiency and energy ratio */
    INTERVAL_BY = LIMITS + 6,
    POOLED,            /* of each the ratio, its standard error and limits */
    OWN = POOLED + 12, /* limits */
    SERIAL = OWN + 6
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
                                    "speedup_lo",
                                    "speedup_hi",
                                    "efficiency_lo",
                                    "efficiency_hi",
                                    "energy_ratio_lo",
                                    "energy_ratio_hi",
                                    "interval_by",
                                    "speedup_pooled",
                                    "speedup_pooled_se",
                                    "speedup_pooled_lo",
                                    "speedup_pooled_hi",
                                    "efficiency_pooled",
                                    "efficiency_pooled_se",
                                    "efficiency_pooled_lo",
                                    "efficiency_pooled_hi",
                                    "energy_ratio_pooled",
                                    "energy_ratio_pooled_se",
                                    "energy_ratio_pooled_lo",
                                    "energy_ratio_pooled_hi",
                                    "speedup_own_lo",
                                    "speedup_own_hi",
                                    "efficiency_own_lo",
                                    "efficiency_own_hi",
                                    "energy_ratio_own_lo",
                                    "energy_ratio_own_hi",
                                    "serial_fraction",
                                    "serial_fraction_lo",
                                    "serial_fraction_hi"};
enum { N_NAMES = sizeof names / sizeof *names };
static const double LEVEL = 0.95;
/* Of the F test whether two configurations spread more than the others of their series: it only warns. */
static const double UNLIKELY = 0.01;
/* In cells of interval_by, before the word for energies. */
#define OF_ENERGY ", energy "

size_t ws_ratio_columns(ws_table *t)
{
    size_t first = t->n_columns;
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t column = ws_table_add_column(
            t, names[i], i == SCALING || i == REFERENCE || i == PER || i == INTERVAL_BY ? WS_TEXT : WS_NUMBER);
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

bool ws_is_energy_ratio_column(const char *name)
{
    static const struct {
        size_t first, columns; /* of each of the three ratios, of which that of the energies is the last */
    } blocks[] = {{SPEEDUP, 2}, {LIMITS, 2}, {POOLED, 4}, {OWN, 2}};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (size_t i = 0; i < blocks[b].columns; i++)
            if (strcmp(name, names[blocks[b].first + 2 * blocks[b].columns + i]) == 0)
                return true;
    return false;
}

/* a / b and its standard error by the repeats of both; no error where one has none. */
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

static ws_sample sample_of(const ws_spread *ln)
{
    return (ws_sample){.n = ln->n, .mean = ln->mean, .sd = ln->sd, .se = ln->sd / sqrt((double)ln->n)};
}

/* Of one quantity, times or energies: the interval that is shown, by the spread of the whole series, and that by the
 * repeats of the two configurations alone. */
typedef struct intervals {
    ws_ratio pooled, own;
    double se;      /* relative, of the pooled one */
    bool is_odd;    /* people are told what it goes by */
    const char *by; /* or why there is none */
} intervals;

/* Do the runs of the two spread more about their means than the other runs of the series? */
static bool spread_more(const ws_sample *a, const ws_sample *b, const ws_pooled *pooled)
{
    const ws_sample *const sides[] = {a, b};
    double squares = 0, df = 0;
    for (size_t i = 0; i < 2; i++)
        if (sides[i]->n > 1) {
            df += (double)sides[i]->n - 1;
            squares += sides[i]->sd * sides[i]->sd * ((double)sides[i]->n - 1);
        }
    double rest_df = pooled->df - df, rest = pooled->sd * pooled->sd * pooled->df - squares;
    if (!(df > 0 && rest_df >= 1 && rest > 0))
        return false;
    return ws_f_upper(squares / df / (rest / rest_df), df, rest_df) < UNLIKELY;
}

/* Always by the pooled spread, and never chosen by how the spreads look: where those of the two are larger, a word says
 * so, and the columns _own have the interval of their repeats. */
static intervals intervals_of(const ws_spread *ln_a, const ws_spread *ln_b, const ws_pooled *pooled)
{
    const ws_sample a = sample_of(ln_a), b = sample_of(ln_b);
    intervals i;
    ws_ratio_pooled(&a, &b, pooled->sd, pooled->df, LEVEL, &i.pooled);
    ws_ratio_of_logs(&a, &b, LEVEL, &i.own);
    i.se = isfinite(i.pooled.ci_lo) ? pooled->sd * sqrt(1 / (double)a.n + 1 / (double)b.n) : NAN;
    bool has_interval = isfinite(i.pooled.ci_lo), is_once = a.n == 1 || b.n == 1;
    bool is_wider = has_interval && spread_more(&a, &b, pooled);
    i.is_odd = has_interval && (is_once || is_wider);
    i.by = a.n == 0 || b.n == 0                 ? NULL
           : i.pooled.status == WS_FIT_CONSTANT ? "none: repeats without spread"
           : !has_interval                      ? "none: nothing to pool"
           : is_wider                           ? "pooled, own spread larger"
           : is_once                            ? "pooled, run once"
                                                : "pooled";
    return i;
}

static void set_limits(ws_table *t, size_t row, size_t column, const ws_ratio *r, double factor)
{
    ws_table_set_number(t, column, row, r->ci_lo * factor);
    ws_table_set_number(t, column + 1, row, r->ci_hi * factor);
}

/* `se`: of the ratio of arithmetic means. */
static void set_pooled(ws_table *t, size_t row, size_t column, const ws_ratio *r, double se, double factor)
{
    ws_table_set_number(t, column, row, r->value * factor);
    if (isfinite(se))
        ws_table_set_number(t, column + 1, row, se);
    set_limits(t, row, column + 2, r, factor);
}

/* People see it where it is not the same throughout. */
static void set_interval_by(ws_table *t, size_t row, size_t column, const intervals *time, const intervals *energy)
{
    const intervals *first = time->by ? time : energy;
    if (!first->by)
        return;
    bool differ = time->by && energy->by && strcmp(time->by, energy->by) != 0;
    ws_table_set_text(t, column, row,
                      differ ? ws_arena_printf(&t->arena, "%s" OF_ENERGY "%s", time->by, energy->by) : first->by);
    t->columns[column].detail &= !time->is_odd && !energy->is_odd;
}

/* Karp and Flatt's serial fraction of one speed-up over the reference, GPUs counted in units of its; its ends are those
 * of the interval of the speed-up, which a higher serial fraction lowers. */
static void set_serial_fraction(ws_table *t, size_t row, size_t column, double n, double speedup, const ws_ratio *shown)
{
    const double speedups[] = {speedup, shown->ci_hi, shown->ci_lo};
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
    intervals time = intervals_of(&reference->ln[WS_OF_TIME], &c->ln[WS_OF_TIME], &pooled[WS_OF_TIME]);
    intervals joules = intervals_of(&c->ln[WS_OF_ENERGY], &reference->ln[WS_OF_ENERGY], &pooled[WS_OF_ENERGY]);
    const struct {
        double value, se, factor;
        const intervals *of;
    } each[] = {{speedup, se, 1, &time}, {speedup, se, factor, &time}, {energy, energy_se, 1, &joules}};
    for (size_t i = 0; i < 3; i++) {
        double value = each[i].value * each[i].factor;
        set_ratio(t, row, first + SPEEDUP + 2 * i, value, each[i].se * each[i].factor, self);
        if (self)
            continue;
        set_limits(t, row, first + LIMITS + 2 * i, &each[i].of->pooled, each[i].factor);
        set_pooled(t, row, first + POOLED + 4 * i, &each[i].of->pooled, fabs(value) * each[i].of->se, each[i].factor);
        set_limits(t, row, first + OWN + 2 * i, &each[i].of->own, each[i].factor);
    }
    if (self)
        return;
    set_interval_by(t, row, first + INTERVAL_BY, &time, &joules);
    if (!c->is_weak)
        set_serial_fraction(t, row, first + SERIAL, c->gpus / reference->gpus, speedup, &time.pooled);
}

void ws_set_ratio_words(ws_table *t, size_t first, size_t row, const ws_scaled *c, const char *reference)
{
    ws_table_set_text(t, first + SCALING, row, c->is_weak ? "weak" : "strong");
    ws_table_set_text(t, first + PER, row, ws_work_name(c->work));
    t->columns[first + PER].detail &= c->work == WS_PER_RUN;
    if (reference)
        ws_table_set_text(t, first + REFERENCE, row, reference);
}
