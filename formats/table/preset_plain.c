#include "formats/table/preset_plain.h"

#include <stdlib.h>
#include <string.h>

/* Rows that depend on rows before them, or are no data by rules of their own, are taken one by one. */
bool ws_preset_may_lend(const ws_preset *p, char delimiter)
{
    bool is_text = delimiter > WS_LINES && delimiter != ' ';
    bool stands_alone = !p->time_is_start && !p->opens_at_zero && !p->summary && !p->remark_node && !p->remark_start &&
                        !p->given_time && p->last_line == WS_LAST_LINE_NEVER;
    return is_text && stands_alone && !p->hash_head && !p->first_word;
}

static void free_owners(ws_preset_plain *plain)
{
    for (size_t i = 0; i < plain->section.n; i++)
        ws_lane_free(&plain->section.owners[i].lane);
    plain->section.n = plain->section.next = 0;
}

void ws_preset_plain_begin(ws_preset_plain *plain, const ws_preset *preset, const ws_preset_header *h,
                           uint32_t n_columns)
{
    ws_trace_section *s = &plain->section;
    free_owners(plain);
    bool is_in_seconds = !h->interval_unit || h->interval_unit->to_si == 1;
    plain->lends = h->time != WS_NOT_THERE && h->date == WS_NOT_THERE && h->n_naming <= 2 && is_in_seconds &&
                   h->n_columns > 0 && !preset->loop;
    s->n_used = 0;
    ws_plan_value *values = s->plan.values;
    s->plan = (ws_plan){.n_columns = n_columns,
                        .time = h->time,
                        .date = WS_NO_COLUMN,
                        .interval = h->interval,
                        .node = h->n_naming == 2 ? h->naming[1] : WS_NO_COLUMN,
                        .ids = {[WS_ROLE_PART] = h->n_naming ? h->naming[0] : WS_NO_COLUMN},
                        .identity = WS_ROLE_PART,
                        .is_wide = !h->n_naming,
                        .is_settled = true,
                        .interval_to_s = 1,
                        .values = values};
}

/* The value of the plan that the reading is; the readings of a column may have several units. */
static uint32_t value_of(ws_preset_plain *plain, const ws_preset_column *column, const ws_preset_reading *about)
{
    ws_trace_section *s = &plain->section;
    ws_plan *plan = &s->plan;
    const ws_unit *unit = about->unit ? about->unit : ws_usual_unit(about->quantity);
    double to_si = unit ? unit->to_si : 1;
    for (uint32_t v = 0; v < plan->n_values; v++) {
        const ws_plan_value *known = &plan->values[v];
        if (known->column == column->at && known->to_si == to_si && known->meaning.quantity == about->quantity &&
            known->is_blank == about->is_blank)
            return v;
    }
    plan->values = ws_grow(plan->values, &plain->value_capacity, plan->n_values + 1, sizeof *plan->values);
    plan->values[plan->n_values] = (ws_plan_value){.column = (uint32_t)column->at,
                                                   .meaning.quantity = about->quantity,
                                                   .to_si = to_si,
                                                   .is_blank = about->is_blank};
    s->used = ws_realloc(s->used, plan->n_values + 1, sizeof *s->used);
    s->used[s->n_used++] = (uint32_t)plan->n_values;
    return (uint32_t)plan->n_values++;
}

size_t ws_preset_plain_add(ws_preset_plain *plain, const ws_preset_header *h, const ws_span *cells,
                           const ws_preset_reading *about, const int *ids, const ws_sink *sink, bool has_intervals)
{
    ws_trace_section *s = &plain->section;
    s->owners = ws_grow(s->owners, &s->capacity, s->n + 1, sizeof *s->owners);
    ws_row_owner *owner = &s->owners[s->n];
    *owner = (ws_row_owner){.id = h->n_naming ? cells[0] : (ws_span){"", 0},
                            .node = h->n_naming == 2 ? cells[1] : (ws_span){"", 0}};
    ws_lane_init(&owner->lane, s->n, sink, h->n_columns, true, has_intervals);
    memcpy(owner->lane.id, ids, h->n_columns * sizeof *ids);
    for (size_t c = 0; c < h->n_columns; c++)
        owner->lane.from[c] = value_of(plain, &h->columns[c], about ? &about[c] : &h->columns[c].reading);
    return s->n++;
}

void ws_preset_plain_free(ws_preset_plain *plain)
{
    free_owners(plain);
    free(plain->section.owners);
    free(plain->section.used);
    free(plain->section.plan.values);
}
