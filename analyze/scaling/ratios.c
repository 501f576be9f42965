#include "analyze/scaling/ratios.h"

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
    LIMITS, /* of speed-up, efficiency and energy ratio */
    INTERVAL_BY = LIMITS + 6,
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
                                    "speedup_lo",
                                    "speedup_hi",
                                    "efficiency_lo",
                                    "efficiency_hi",
                                    "energy_ratio_lo",
                                    "energy_ratio_hi",
                                    "interval_by",
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
static const double LEVEL = 0.95;
/* In cells of interval_by: the first means all of a series, the second goes before that of energies. */
static const char BY_SERIES[] = "series";
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

static ws_sample sample_of(const ws_spread *ln)
{
    return (ws_sample){.n = ln->n, .mean = ln->mean, .sd = ln->sd, .se = ln->sd / sqrt((double)ln->n)};
}

/* Of one quantity, times or energies: the interval by the spread of the whole series, and that which is shown. */
typedef struct intervals {
    ws_ratio pooled, shown;
    bool is_pooled; /* the shown one is */
    bool is_once;   /* a side was run once, while others were repeated: none is shown */
    const char *by; /* what the shown one goes by, or why there is none; NULL where nothing was repeated */
} intervals;

/* By the runs of both sides, where both have repeats, since the spreads of a series may differ ten times; by the spread
 * of the series where the runs of both agree to their last digit. A side with a single run has no interval: how much it
 * varies is not known from others, which may vary a tenth as much (the pooled columns assume that they do not). Never
 * chosen by how the spreads look. */
static intervals intervals_of(const ws_spread *ln_a, const ws_spread *ln_b, const ws_pooled *pooled)
{
    const ws_sample a = sample_of(ln_a), b = sample_of(ln_b);
    intervals i;
    ws_ratio_pooled(&a, &b, pooled->sd, pooled->df, LEVEL, &i.pooled);
    ws_ratio_of_logs(&a, &b, LEVEL, &i.shown);
    i.is_once = (a.n == 1 || b.n == 1) && isfinite(i.pooled.ci_lo);
    i.is_pooled = i.shown.status == WS_FIT_CONSTANT && isfinite(i.pooled.ci_lo);
    i.by = i.is_once                  ? "none: run once"
           : i.is_pooled              ? BY_SERIES
           : !isfinite(i.shown.ci_lo) ? NULL
           : a.n == 2 || b.n == 2     ? "two repeats"
                                      : "repeats";
    if (i.is_pooled)
        i.shown = i.pooled;
    return i;
}

static void set_limits(ws_table *t, size_t row, size_t column, const ws_ratio *r, double factor)
{
    ws_table_set_number(t, column, row, r->ci_lo * factor);
    ws_table_set_number(t, column + 1, row, r->ci_hi * factor);
}

static void set_pooled(ws_table *t, size_t row, size_t column, const ws_ratio *r, double factor)
{
    ws_table_set_number(t, column, row, r->value * factor);
    set_limits(t, row, column + 1, r, factor);
}

bool ws_interval_is_pooled(const char *interval_by, bool of_energy)
{
    const char *energy = strstr(interval_by, OF_ENERGY);
    const char *own = energy && of_energy ? energy + strlen(OF_ENERGY) : interval_by;
    return strncmp(own, BY_SERIES, strlen(BY_SERIES)) == 0;
}

/* People see it where an interval is not by the repeats of its own row. */
static void set_interval_by(ws_table *t, size_t row, size_t column, const intervals *time, const intervals *energy)
{
    const intervals *first = time->by ? time : energy;
    if (!first->by)
        return;
    bool differ = time->by && energy->by && strcmp(time->by, energy->by) != 0;
    ws_table_set_text(t, column, row,
                      differ ? ws_arena_printf(&t->arena, "%s" OF_ENERGY "%s", time->by, energy->by) : first->by);
    t->columns[column].detail &= !time->is_pooled && !energy->is_pooled && !time->is_once && !energy->is_once;
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
    set_ratio(t, row, first + SPEEDUP, speedup, se, self);
    set_ratio(t, row, first + EFFICIENCY, speedup * factor, se * factor, self);
    set_ratio(t, row, first + ENERGY_RATIO, energy, energy_se, self);
    if (self)
        return;
    intervals time = intervals_of(&reference->ln[WS_OF_TIME], &c->ln[WS_OF_TIME], &pooled[WS_OF_TIME]);
    intervals joules = intervals_of(&c->ln[WS_OF_ENERGY], &reference->ln[WS_OF_ENERGY], &pooled[WS_OF_ENERGY]);
    const struct {
        const intervals *of;
        double factor;
    } each[] = {{&time, 1}, {&time, factor}, {&joules, 1}};
    for (size_t i = 0; i < 3; i++) {
        set_limits(t, row, first + LIMITS + 2 * i, &each[i].of->shown, each[i].factor);
        set_pooled(t, row, first + POOLED + 3 * i, &each[i].of->pooled, each[i].factor);
    }
    set_interval_by(t, row, first + INTERVAL_BY, &time, &joules);
    if (!c->is_weak)
        set_serial_fraction(t, row, first + SERIAL, c->gpus / reference->gpus, speedup, &time.shown);
}

void ws_set_ratio_words(ws_table *t, size_t first, size_t row, const ws_scaled *c, const char *reference)
{
    ws_table_set_text(t, first + SCALING, row, c->is_weak ? "weak" : "strong");
    ws_table_set_text(t, first + PER, row, ws_work_name(c->work));
    t->columns[first + PER].detail &= c->work == WS_PER_RUN;
    if (reference)
        ws_table_set_text(t, first + REFERENCE, row, reference);
}
