/* The spread of the runs of two series about the means of their configurations. A run that stands in both counts once:
 * of the series with fewer runs the configurations that hold a run of the other one are left out. */
#include "analyze/scaling/scaling_internal.h"

#include <math.h>
#include <stdlib.h>

void ws_scaler_index_runs(ws_scaler *s)
{
    size_t n = s->runs->n_rows, *last = ws_alloc((n + 1) * sizeof *last),
           *before = ws_alloc((s->n + 1) * sizeof *before);
    s->again = ws_alloc(2 * (n + 1) * sizeof *s->again);
    s->holder = s->again + n + 1;
    for (size_t row = 0; row < n; row++)
        s->holder[row] = s->again[row] = last[row] = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        ws_configuration *c = &s->configurations[i], *head = &s->configurations[c->series];
        c->next = SIZE_MAX;
        if (head != c)
            s->configurations[before[c->series]].next = i;
        before[c->series] = i;
        head->n_series_rows += c->n_rows;
        for (size_t r = 0; r < c->n_rows; r++)
            s->holder[c->rows[r]] = i;
    }
    for (size_t row = n; row-- > 0;) { /* from the last one on, so that the first of a run has the chain of all */
        size_t run = s->same[row];
        if (s->holder[row] == SIZE_MAX)
            continue;
        s->again[row] = last[run];
        s->has_shared |= last[run] != SIZE_MAX;
        last[run] = row;
    }
    for (size_t row = 0; row < n; row++) /* and every row of it a ring */
        if (s->holder[row] != SIZE_MAX && s->again[row] == SIZE_MAX)
            s->again[row] = last[s->same[row]];
    free(last);
    free(before);
}

static bool has_run_of(const ws_scaler *s, const ws_configuration *c, size_t series)
{
    if (!s->has_shared)
        return false;
    for (size_t r = 0; r < c->n_rows; r++)
        for (size_t row = s->again[c->rows[r]]; row != c->rows[r]; row = s->again[row])
            if (s->configurations[s->holder[row]].series == series)
                return true;
    return false;
}

static void pool_two(const ws_scaler *s, size_t a, size_t b, ws_pooled *pooled)
{
    size_t large = s->configurations[a].n_series_rows < s->configurations[b].n_series_rows ? b : a;
    const ws_configuration *all = &s->configurations[large];
    double squares[WS_OF_N] = {[WS_OF_TIME] = all->squares[WS_OF_TIME], [WS_OF_ENERGY] = all->squares[WS_OF_ENERGY]},
           df[WS_OF_N] = {[WS_OF_TIME] = all->df[WS_OF_TIME], [WS_OF_ENERGY] = all->df[WS_OF_ENERGY]};
    for (size_t i = a == b ? SIZE_MAX : a + b - large; i != SIZE_MAX; i = s->configurations[i].next)
        for (size_t of = 0; of < WS_OF_N && !has_run_of(s, &s->configurations[i], large); of++)
            ws_add_squares(&s->configurations[i].scaled.ln[of], &squares[of], &df[of]);
    for (size_t of = 0; of < WS_OF_N; of++)
        pooled[of] = (ws_pooled){df[of] > 0 ? sqrt(squares[of] / df[of]) : NAN, df[of]};
}

const ws_pooled *ws_scaler_pool(ws_scaler *s, size_t a, size_t b)
{
    if (!s->is_pooled || s->pooled_a != a || s->pooled_b != b)
        pool_two(s, a, b, s->pooled);
    s->is_pooled = true;
    s->pooled_a = a;
    s->pooled_b = b;
    return s->pooled;
}
