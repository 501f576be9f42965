#include "formats/table/board_rails.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

static const ws_number_range *readings_of(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of_column(t->sample, (int32_t)column);
    return t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
}

static bool is_open_rail(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    if (!value || value->meaning.quantity != WS_POWER || value->meaning.unit || value->unit_is_given)
        return false;
    const ws_number_range *range = readings_of(t, column);
    return ws_is_board_rail(ws_span_trim(ws_span_of(value->name))) && range->n && !range->with_unit;
}

/* All rails together. */
typedef struct rails {
    uint32_t n, largest;          /* `largest`: the column of the largest reading */
    bool has_input, has_fraction; /* a rail that feeds the board; readings that are no whole numbers */
    double most;                  /* the largest reading */
} rails;

static rails rails_of(const ws_columns *t)
{
    rails r = {.n = 0};
    for (uint32_t c = 0; c < t->n; c++) {
        if (!is_open_rail(t, c))
            continue;
        const ws_number_range *range = readings_of(t, c);
        r.n++;
        r.has_input |= t->value[c]->meaning.domain == WS_NODE;
        r.has_fraction |= range->has_fraction;
        if (range->most > r.most) {
            r.most = range->most;
            r.largest = c;
        }
    }
    return r;
}

/* At least half of the rail's readings other than 0, as the file writes them: a single one may be a failed one. */
static bool is_usually_above(const ws_columns *t, uint32_t column, double bound)
{
    size_t n = 0, above = 0;
    for (size_t i = 0; i < t->sample->n; i++) {
        char buffer[WS_POINT_CELL];
        double number;
        ws_span cell = ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[i], (int32_t)column));
        if (!ws_span_double(ws_span_trim(cell), &number) || number == 0)
            continue;
        n++;
        above += number > bound;
    }
    return n && 2 * above >= n;
}

/* None is far above what any board takes in W. In mW the input is never so little, nor are two rails beside each other
 * whose sensor gives whole numbers; nor is any below the sensor's step. */
static bool must_be_watts(const ws_columns *t, const rails *r)
{
    return r->has_input || (r->n > 1 && r->has_fraction) || !is_usually_above(t, r->largest, WS_RAIL_STEP_MW);
}

ws_rail_unit ws_board_rail_unit(const ws_columns *t, uint32_t column)
{
    if (!is_open_rail(t, column))
        return WS_RAIL_STATED;
    rails r = rails_of(t);
    if (is_usually_above(t, r.largest, WS_BOARD_IN_MW))
        return WS_RAIL_MW;
    return r.most <= WS_BOARD_MOST_W && must_be_watts(t, &r) ? WS_RAIL_W : WS_RAIL_OPEN;
}
