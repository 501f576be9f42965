/* Is a column "interval" the length of each row's interval? See trace_plan.h. */
#include "formats/trace_plan.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>

static bool map_names_interval(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->columns[i].meaning.role == WS_ROLE_INTERVAL)
            return true;
    return false;
}

/* Mean of the intervals that rows state, and of the steps between rows of a source, s; NaN where the rows do not say. */
static void mean_intervals(const ws_plan *plan, const ws_sample *sample, double *stated_s, double *step_s)
{
    uint32_t n;
    int64_t ns, *t = ws_sample_stamps(plan, sample);
    size_t readable = 0;
    free(ws_sample_sources(plan, sample, &n));
    *stated_s = 0;
    for (size_t i = 0; i < sample->n; i++) {
        bool is_read = ws_plan_read_interval(plan, ws_row_cell(sample->rows[i], plan->interval), &ns);
        *stated_s += is_read ? (double)ns / 1e9 : 0;
        readable += is_read;
    }
    *stated_s /= (double)readable;
    double rows = (double)sample->n / n - 1;
    *step_s = t && rows > 0 ? ((double)t[sample->n - 1] - (double)t[0]) / 1e9 / rows : NAN;
    free(t);
}

/* A column "interval" may be a setting, or in a unit that its name leaves out. */
void ws_plan_settle_interval(ws_plan *plan, const ws_plan_context *context, const ws_sample *sample)
{
    double stated_s, step_s;
    const double far = 1.5;
    if (plan->interval < 0 || map_names_interval(context->map))
        return;
    mean_intervals(plan, sample, &stated_s, &step_s);
    if (!(step_s > 0) || (stated_s < step_s * far && stated_s > step_s / far))
        return;
    ws_notes_add(
        context->notes, "interval-misfit", context->source, "", plan->line,
        "'%s' says %.4g s a row and the stamps %.4g s: it is passed over (interval= in the column map takes it)",
        plan->header ? plan->header[plan->interval] : "", stated_s, step_s);
    plan->interval = WS_NO_COLUMN;
}
