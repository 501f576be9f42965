/* The device column of a trace whose header does not name it, told by how its numbers take turns; see trace_plan.h. */
#include "formats/trace_plan.h"

enum { LARGEST_INDEX = 1023, LEAST_ROUNDS = 2 };

static bool read_index(const ws_sample *sample, size_t i, uint32_t column, int64_t *index)
{
    return ws_span_i64(ws_row_cell(sample->rows[i], (int32_t)column), index) && *index >= 0 && *index <= LARGEST_INDEX;
}

bool ws_sample_counts_in_turn(const ws_sample *sample, uint32_t column)
{
    int64_t before, first, again, index;
    size_t round = 1;
    if (sample->n < 2 || !read_index(sample, 0, column, &first))
        return false;
    for (before = first; round < sample->n; before = index, round++)
        if (!read_index(sample, round, column, &index) || index <= before)
            break;
    if (round < 2 || sample->n < LEAST_ROUNDS * round)
        return false;
    for (size_t i = round; i < sample->n; i++)
        if (!read_index(sample, i, column, &index) || !read_index(sample, i - round, column, &again) || index != again)
            return false;
    return true;
}

static bool has_identity(const ws_plan *plan)
{
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_INDEX; role++)
        if (plan->ids[role] >= 0)
            return true;
    return false;
}

static bool is_taken(const ws_plan *plan, uint32_t column)
{
    bool taken = plan->time == (int32_t)column || plan->date == (int32_t)column || plan->interval == (int32_t)column ||
                 plan->node == (int32_t)column || plan->name == (int32_t)column;
    for (size_t v = 0; v < plan->n_values; v++)
        taken |= plan->values[v].column == column;
    return taken;
}

void ws_plan_find_index(ws_plan *plan, const ws_plan_context *context, const ws_sample *sample)
{
    if (plan->header || plan->is_wide || context->map->devices || has_identity(plan))
        return;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        if (is_taken(plan, c) || !ws_sample_counts_in_turn(sample, c))
            continue;
        plan->ids[WS_ROLE_INDEX] = (int32_t)c;
        ws_notes_add(context->notes, "assumed-device", context->source, "", plan->line,
                     "no header: column #%u counts devices in turn and is taken for their index", c + 1);
        return;
    }
}
