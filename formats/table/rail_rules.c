/* The unit of the rails of small boards (ws_is_board_rail) in a table that states none. NVIDIA's tegrastats prints mW,
 * and so do those who cut it into a CSV ("Tegrastats Utility" in the Jetson Linux developer guide: "VDD_IN
 * 5542mW/5500mW"; boards before it left the unit out). Others convert to W first. One logger writes all rails alike, so
 * the largest of them decides for all. See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

typedef enum rail_unit {
    STATED, /* no rail, or its name, its cells or the user state the unit; or there is no reading but zeros */
    WATTS,
    MILLIWATTS,
    OPEN /* either may be */
} rail_unit;

static const ws_number_range *readings_of(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of_column(t->sample, (int32_t)column);
    return t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
}

static ws_span name_in(const ws_columns *t, uint32_t column)
{
    return ws_span_trim(ws_span_of(t->value[column] ? t->value[column]->name : ""));
}

/* "GPU" is a rail of a board beside VDDRQ, "power_gpu" beside "power_in". */
static bool has_rails(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_board_rail(name_in(t, c)) || ws_is_board_input(name_in(t, c)))
            return true;
    return false;
}

static bool is_open_rail(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    if (!value || value->meaning.quantity != WS_POWER || value->meaning.unit || value->unit_is_given)
        return false;
    const ws_number_range *range = readings_of(t, column);
    ws_span name = name_in(t, column);
    bool is_rail = ws_is_board_rail(name) || ws_is_board_input(name) || (ws_is_bare_rail(name) && has_rails(t));
    return is_rail && range->n && !range->with_unit;
}

/* All rails together. */
typedef struct rails {
    uint32_t n, largest;          /* `largest`: the column of the largest reading */
    bool has_input, has_fraction; /* a rail that feeds the board; readings that are no whole numbers */
    bool is_board;                /* a name that only boards have: "power_in" may be that of a server */
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
        r.is_board |= ws_is_board_rail(name_in(t, c));
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

/* The unit that the rails of the table are proven to be in, for a column of it. */
static rail_unit unit_of_rail(const ws_columns *t, uint32_t column)
{
    if (!is_open_rail(t, column))
        return STATED;
    rails r = rails_of(t);
    if (is_usually_above(t, r.largest, WS_BOARD_IN_MW))
        return r.is_board ? MILLIWATTS : OPEN;
    return r.most <= WS_BOARD_MOST_W && must_be_watts(t, &r) ? WATTS : OPEN;
}

static bool are_rails_in_milliwatts(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == MILLIWATTS;
}

static void take_milliwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *rail = t->value[column];
    rail->to_si = 1e-3;
    ws_rule_note(t, rail->name,
                 "'%s' names no unit and is read as mW, as no board takes so many W (--columns unit=W keeps W)",
                 rail->name);
}

static bool are_rails_in_watts(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == WATTS;
}

static void keep_watts(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
}

static bool are_open_rails(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == OPEN;
}

static void ask_rail(ws_columns *t, uint32_t column)
{
    ws_plan_value *rail = t->value[column];
    rail->ask = "ask:unit";
    ws_rule_note(t, rail->name,
                 "'%s' names no unit, and the rails of the table may be in W or in mW, as tegrastats has them: "
                 "--columns unit=mW or unit=W says which",
                 rail->name);
}

/* --- the rules --- */

static const ws_column_rule rules_of_rails[] = {
    {"rails-in-milliwatts", WS_FACT_UNIT, 9, WS_FACT(COMMAS), NULL, are_rails_in_milliwatts, take_milliwatts,
     WS_FINDING_IMPLAUSIBLE_UNIT,
     "'VDD_IN,VDD_CPU_GPU_CV,VDD_SOC' over 5542,1594,1431: tegrastats prints mW (Jetson Linux developer guide)"},
    {"rails-in-watts", WS_FACT_UNIT, 8, WS_FACT(COMMAS), NULL, are_rails_in_watts, keep_watts, 0,
     "proven: no board takes so few mW"},
    {"rails-in-either", WS_FACT_UNIT, 7, WS_FACT(COMMAS), NULL, are_open_rails, ask_rail, WS_FINDING_ASK_UNIT,
     "no guess: it is asked for"},
};
const ws_rule_table ws_rail_rules = {rules_of_rails, sizeof rules_of_rails / sizeof *rules_of_rails};
