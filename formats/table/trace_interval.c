/* Is a column "interval" the length of each row's interval? See trace_plan.h. */
#include "formats/table/trace_plan.h"

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

/* Mean of the intervals that rows state, s; NaN where none does. */
static double mean_stated(const ws_plan *plan, const ws_trace_sample *sample)
{
    double sum_s = 0;
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        int64_t ns;
        if (ws_plan_read_interval(plan, ws_row_cell(sample->rows[i], plan->interval), &ns)) {
            sum_s += (double)ns / 1e9;
            n++;
        }
    }
    return n ? sum_s / (double)n : NAN;
}

/* Mean of the steps between rows of a source, s; NaN where the rows do not say. */
static double mean_step(const ws_plan *plan, const ws_trace_sample *sample)
{
    uint32_t sources;
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    free(ws_trace_sample_sources(plan, sample, &sources));
    double steps = (double)sample->n / sources - 1;
    double step_s = t && steps > 0 ? ((double)t[sample->n - 1] - (double)t[0]) / 1e9 / steps : NAN;
    free(t);
    return step_s;
}

/* A column "interval" may be a setting, or in a unit that its name leaves out. */
void ws_plan_settle_interval(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    const double far = 1.5;
    if (plan->interval < 0 || map_names_interval(context->map))
        return;
    double stated_s = mean_stated(plan, sample), step_s = mean_step(plan, sample);
    if (!(step_s > 0) || (stated_s < step_s * far && stated_s > step_s / far))
        return;
    const char *name = plan->header ? plan->header[plan->interval] : "";
    if (isnan(stated_s))
        ws_notes_add(context->notes, WS_FINDING_INTERVAL_MISFIT, context->source, "", plan->line,
                     "'%s' holds no length of an interval: it is passed over", name);
    else
        ws_notes_add(
            context->notes, WS_FINDING_INTERVAL_MISFIT, context->source, "", plan->line,
            "'%s' says %.4g s a row and the stamps %.4g s: it is passed over (interval= in the column map takes it)",
            name, stated_s, step_s);
    plan->interval = WS_NO_COLUMN;
}
