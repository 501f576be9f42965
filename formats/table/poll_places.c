#include "formats/table/poll_places.h"

#include <math.h>
#include <stdlib.h>

#include "core/arena.h"
#include "formats/table/column_limits.h"

/* A row is in the next poll once three quarters of the usual time from poll to poll are over, and no poll begins in the
 * first quarter: in logs of nvidia-smi single queries were seen 40 ms late, in polls 200 ms apart and more. */
static bool is_of_next(const ws_poll *poll, int64_t since_ns)
{
    return poll->poll_ns && (double)since_ns >= WS_TURNS_LATE * (double)poll->poll_ns;
}

static bool is_too_early(const ws_poll *poll, int64_t since_ns)
{
    return poll->poll_ns && since_ns >= 0 && since_ns < poll->poll_ns / 4;
}

static uint64_t hash_row(const ws_row *row)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (uint32_t c = 0; c < row->n_cells; c++) {
        for (size_t i = 0; i < row->cells[c].n; i++)
            hash = (hash ^ (unsigned char)row->cells[c].p[i]) * UINT64_C(1099511628211);
        hash = (hash ^ 0xff) * UINT64_C(1099511628211);
    }
    return hash | 1;
}

static double read_mark(const ws_plan *plan, const ws_row *row)
{
    double value;
    ws_span rest;
    return ws_span_number(ws_row_cell(row, plan->poll_mark), &value, &rest) ? value : NAN;
}

static void forget_marks(ws_poll *poll, const ws_plan *plan)
{
    for (uint32_t p = 0; poll->marks && p < plan->positions; p++)
        poll->marks[p] = NAN;
}

/* The place of a GPU with so much memory in use, where the one whose turn it is had another and has none now. */
static uint32_t place_of_mark(const ws_poll *poll, const ws_plan *plan, uint32_t turn, double mark)
{
    if (!poll->marks || isnan(mark) || isnan(poll->marks[turn]) || poll->marks[turn] == mark)
        return turn;
    for (uint32_t p = turn + 1; p < plan->positions; p++)
        if (poll->marks[p] == mark)
            return p;
    return turn;
}

/* All places are known by their memory in use, and no two have the same. */
static bool marks_tell(const ws_poll *poll, const ws_plan *plan)
{
    for (uint32_t p = 0; poll->marks && p < plan->positions; p++) {
        if (isnan(poll->marks[p]))
            return false;
        for (uint32_t q = 0; q < p; q++)
            if (poll->marks[p] == poll->marks[q])
                return false;
    }
    return poll->marks != NULL;
}

/* Was the poll that ended with so many rows short? */
static bool end_poll(ws_poll *poll, const ws_plan *plan, uint32_t rows)
{
    bool is_short = rows && rows < plan->positions;
    poll->unsure = is_short && !marks_tell(poll, plan) ? rows : 0;
    return is_short;
}

static void begin_poll(ws_poll *poll, int64_t t_ns, bool was_whole)
{
    int64_t since_ns = t_ns - poll->start_ns;
    if (was_whole && poll->poll_ns && since_ns > 0 && since_ns < 4 * poll->poll_ns)
        poll->poll_ns += (since_ns - poll->poll_ns) / 8;
    poll->start_ns = t_ns;
    poll->next = 0;
}

static void make_marks(ws_poll *poll, const ws_plan *plan)
{
    if (plan->poll_mark < 0 || poll->marks)
        return;
    poll->marks = ws_alloc(plan->positions * sizeof *poll->marks);
    forget_marks(poll, plan);
}

/* Rows that are spread over the whole time have no pause that parts the polls: steps tell how many are missing, and the
 * memory in use where it says otherwise. */
static ws_poll_event take_spread_row(ws_poll *poll, const ws_plan *plan, double mark, int64_t t_ns, uint32_t *place)
{
    uint32_t n = plan->positions, turn = poll->next % n;
    double steps = poll->is_running ? round((double)(t_ns - poll->start_ns) / (double)plan->poll_step_ns) : 1;
    uint32_t late = steps > 1 && steps <= n ? (uint32_t)steps - 1 : 0;
    *place = (turn + late) % n;
    bool is_other = poll->marks && !isnan(mark) && !isnan(poll->marks[*place]) && poll->marks[*place] != mark;
    for (uint32_t i = 0; is_other && i < n; i++)
        if (poll->marks[(turn + i) % n] == mark) {
            *place = (turn + i) % n;
            is_other = false;
        }
    if (poll->marks)
        poll->marks[*place] = mark;
    poll->start_ns = t_ns;
    poll->is_running = true;
    poll->next = *place + 1;
    return *place == turn ? WS_POLL_ROW : WS_POLL_SHORT;
}

ws_poll_event ws_poll_take(ws_poll *poll, const ws_plan *plan, const ws_row *row, int64_t t_ns, uint32_t *place)
{
    uint64_t hash = plan->drops_repeats ? hash_row(row) : 0;
    bool is_first = !poll->last_row && !poll->next;
    if (hash && hash == poll->last_row)
        return WS_POLL_REPEATED;
    poll->last_row = hash;
    make_marks(poll, plan);
    double mark = poll->marks ? read_mark(plan, row) : NAN;
    if (plan->poll_step_ns)
        return take_spread_row(poll, plan, mark, t_ns, place);
    if (is_first)
        poll->poll_ns = plan->poll_ns, poll->start_ns = t_ns;
    int64_t since_ns = t_ns - poll->start_ns;
    bool is_whole = poll->next >= plan->positions, is_short = end_poll(poll, plan, poll->before);
    poll->before = 0;
    if (is_whole && plan->uses_date_lines)
        return WS_POLL_REPEATED; /* the next poll begins below the next date */
    if (is_whole && is_too_early(poll, since_ns) && ++poll->extra < plan->positions) {
        forget_marks(poll, plan); /* which may have led here */
        return WS_POLL_REPEATED;
    }
    if (poll->extra >= plan->positions) /* polled faster from here on */
        poll->poll_ns = 0;
    poll->extra = 0;
    if (is_whole || (poll->next && is_of_next(poll, since_ns))) {
        is_short = end_poll(poll, plan, poll->next);
        begin_poll(poll, t_ns, is_whole);
    }
    *place = place_of_mark(poll, plan, poll->next, mark);
    is_short |= *place != poll->next;
    if (poll->marks)
        poll->marks[*place] = mark;
    poll->next = *place + 1;
    return is_short ? WS_POLL_SHORT : WS_POLL_ROW;
}

void ws_poll_restart(ws_poll *poll)
{
    poll->before = poll->next;
    poll->next = 0;
    poll->last_row = 0;
    poll->is_running = false;
}

void ws_poll_free(ws_poll *poll)
{
    free(poll->marks);
    *poll = (ws_poll){0};
}
