#include "formats/table/preset_plain.h"

#include <stdlib.h>
#include <string.h>

static const ws_span no_name = {"", 0};

/* Rows that depend on rows before them, or are no data by rules of their own, are taken one by one. */
bool ws_preset_may_be_plain(const ws_preset *p, char delimiter)
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

/* The columns that name a row's source, where they lie in two places at most: neighbours are read as one name. */
static bool take_naming(ws_plan *plan, const ws_preset_header *h)
{
    int32_t *first[] = {&plan->ids[WS_ROLE_PART], &plan->node}, *more[] = {&plan->id_more, &plan->node_more};
    size_t n = 0;
    for (size_t i = 0; i < h->n_naming; i++) {
        if (i && h->naming[i] == h->naming[i - 1] + 1) {
            ++*more[n - 1];
        } else if (n == 2) {
            return false;
        } else {
            *first[n++] = h->naming[i];
        }
    }
    return true;
}

void ws_preset_plain_begin(ws_preset_plain *plain, const ws_preset *preset, const ws_preset_header *h,
                           uint32_t n_columns)
{
    ws_trace_section *s = &plain->section;
    free_owners(plain);
    bool is_in_seconds = !h->interval_unit || h->interval_unit->to_si == 1;
    s->n_used = 0;
    ws_plan_value *values = s->plan.values;
    s->plan = (ws_plan){.n_columns = n_columns,
                        .time = h->time,
                        .date = WS_NO_COLUMN,
                        .interval = h->interval,
                        .node = WS_NO_COLUMN,
                        .ids = {[WS_ROLE_PART] = WS_NO_COLUMN},
                        .identity = WS_ROLE_PART,
                        .is_wide = !h->n_naming,
                        .is_settled = true,
                        .interval_to_s = 1,
                        .values = values};
    plain->is_used = take_naming(&s->plan, h) && h->time != WS_NOT_THERE && h->date == WS_NOT_THERE && is_in_seconds &&
                     h->n_columns > 0 && (!preset->loop || h->interval != WS_NOT_THERE);
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

/* The cells lie in one text, with delimiters between them. */
static ws_span name_of(const ws_span *cells, size_t n)
{
    return (ws_span){cells->p, (size_t)(cells[n - 1].p + cells[n - 1].n - cells->p)};
}

size_t ws_preset_plain_add(ws_preset_plain *plain, const ws_preset_header *h, const ws_span *cells,
                           const ws_preset_reading *about, const int *ids, const ws_sink *sink, bool has_intervals)
{
    ws_trace_section *s = &plain->section;
    s->owners = ws_grow(s->owners, &s->capacity, s->n + 1, sizeof *s->owners);
    ws_row_owner *owner = &s->owners[s->n];
    size_t n_id = (size_t)s->plan.id_more + 1;
    *owner = (ws_row_owner){.id = h->n_naming ? name_of(cells, n_id) : no_name,
                            .node = h->n_naming > n_id ? name_of(cells + n_id, h->n_naming - n_id) : no_name};
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
