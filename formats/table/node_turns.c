/* Several nodes that write into one file number their GPUs alike: may the rows of one device be those of several? See
 * trace_plan.h. */
#include "formats/table/node_turns.h"

#include "formats/table/column_limits.h"

#include <math.h>
#include <stdlib.h>

static bool is_of_device(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    int32_t id = plan->ids[plan->identity];
    return ws_span_same(ws_row_cell(a, plan->node), ws_row_cell(b, plan->node)) &&
           ws_span_same(ws_row_cell(a, id), ws_row_cell(b, id));
}

/* The rows of the device: how many, their stamps and rows. */
static size_t rows_of_device(const ws_plan *plan, const ws_trace_sample *sample, const ws_row *device, const int64_t *t,
                             int64_t *own_t, const ws_row **own)
{
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++)
        if (is_of_device(plan, device, sample->rows[i]))
            own_t[n] = t[i], own[n++] = sample->rows[i];
    return n;
}

bool ws_plan_has_plain_steps(const ws_plan *plan, const ws_trace_sample *sample)
{
    int64_t *t = sample->n ? ws_trace_sample_stamps(plan, sample) : NULL;
    if (!t)
        return true;
    const ws_row **own = ws_alloc(sample->n * sizeof *own);
    ws_turns x = {.plan = plan, .t = t};
    x.n = rows_of_device(plan, sample, sample->rows[0], t, t, own); /* in place: no row moves back */
    x.scratch = ws_alloc((x.n + 1) * sizeof *x.scratch);
    bool is_plain = x.n < 3 || (!ws_turns_repeat_stamps(&x) && !ws_turns_are_uneven(&x));
    free(x.scratch);
    free(own);
    free(t);
    return is_plain;
}

/* The rows of one device. */
typedef struct own_rows {
    ws_turns x;
    int64_t *t;
    const ws_row **rows;
} own_rows;

static own_rows own_rows_of(const ws_plan *plan, const ws_trace_sample *sample, const ws_row *device, const int64_t *t)
{
    own_rows own = {.t = ws_alloc(sample->n * sizeof *own.t), .rows = ws_alloc(sample->n * sizeof *own.rows)};
    own.x = (ws_turns){.plan = plan, .sample = *sample, .t = own.t};
    own.x.sample.rows = own.rows;
    own.x.sample.n = own.x.n = rows_of_device(plan, sample, device, t, own.t, own.rows);
    own.x.scratch = ws_alloc((own.x.n + 1) * sizeof *own.x.scratch);
    own.x.power = ws_turns_numbers_of(plan, &own.x.sample, WS_POWER);
    return own;
}

static void own_rows_free(own_rows *own)
{
    free(own->x.power);
    free(own->x.scratch);
    free(own->rows);
    free(own->t);
}

/* Adds to level[j] how far each reading at the place j is from the mean of its round of k. */
static void add_levels(const double *value, size_t rounds, size_t k, double *level)
{
    for (size_t r = 0; r < rounds; r++) {
        const double *round = value + r * k;
        double mean = 0;
        for (size_t j = 0; j < k; j++)
            mean += round[j] / (double)k;
        for (size_t j = 0; j < k && !isnan(mean); j++)
            level[j] += round[j] - mean;
    }
}

bool ws_cycle_keeps_places(const double *value, size_t n, size_t k)
{
    double all[WS_CYCLE_MOST_ROWS] = {0}, together = 0, apart = 0;
    size_t rounds = k ? n / k : 0;
    if (k > WS_CYCLE_MOST_ROWS || rounds < WS_CYCLE_PARTS)
        return false;
    for (size_t part = 0; part < WS_CYCLE_PARTS; part++) {
        double level[WS_CYCLE_MOST_ROWS] = {0};
        size_t first = part * rounds / WS_CYCLE_PARTS, end = (part + 1) * rounds / WS_CYCLE_PARTS;
        add_levels(value + first * k, end - first, k, level);
        for (size_t j = 0; j < k; j++)
            all[j] += level[j], apart += level[j] * level[j];
    }
    for (size_t j = 0; j < k; j++)
        together += all[j] * all[j];
    return together > WS_CYCLE_KEPT * WS_CYCLE_PARTS * apart;
}

/* The mean step to each place in the cycle, none of them far from the usual one, and how well it is known. */
typedef struct step_place {
    double sum, square;
    size_t n;
} step_place;

static step_place steps_to(const int64_t *t, size_t n, size_t k, size_t place, double usual)
{
    step_place p = {0};
    for (size_t i = place ? place : k; i < n; i += k) {
        double step = (double)(t[i] - t[i - 1]) - usual;
        if (fabs(step) >= usual / 2)
            continue; /* a row is late or missing */
        p.sum += step;
        p.square += step * step;
        p.n++;
    }
    return p;
}

bool ws_stamps_may_keep_places(const int64_t *t, size_t n, size_t k)
{
    double least = INFINITY, most = -INFINITY, variance = 0,
           usual = n > 1 ? (double)(t[n - 1] - t[0]) / (double)(n - 1) : 0;
    for (size_t place = 0; place < k; place++) {
        step_place p = steps_to(t, n, k, place, usual);
        if (p.n < WS_CYCLE_PARTS)
            return false;
        double mean = p.sum / (double)p.n;
        least = fmin(least, mean);
        most = fmax(most, mean);
        variance = fmax(variance, (p.square / (double)p.n - mean * mean) / (double)p.n);
    }
    double rounding = WS_CYCLE_LEAST_STAMP_UNITS * ws_unit_of_stamps(t, n);
    if (variance * (double)(n / k) <= rounding * rounding)
        return true; /* the stamps do not scatter */
    return most - least > fmax(WS_CYCLE_STEP_ERRORS * sqrt(2 * variance), rounding);
}

/* Readings come back after a few rows, in the same places all the time as a periodic load seldom does, and so do stamps
 * where they are fine enough, though readings not to the last digit: what is written in turn to the digit is a pattern
 * and no measurement of two sensors. */
static bool readings_take_turns(const ws_turns *x, const double *value)
{
    size_t cycle = ws_turns_steps_of(x, value), same = 0;
    if (cycle && ws_turns_stamps_are_fine(x->t, x->n) && !ws_stamps_may_keep_places(x->t, x->n, cycle))
        return false;
    for (size_t i = cycle; cycle && i < x->n; i++)
        same += value[i] < value[i - cycle] || value[i] > value[i - cycle] ? 0 : 1;
    return cycle && same * 2 < x->n && ws_cycle_keeps_places(value, x->n, cycle);
}

/* Logarithms of the ratio of the powers of two devices, poll by poll; NAN: one of them is not above zero or missing.
 * NULL where most of their rows are not those of the same polls. */
static double *ratios_of(const own_rows *a, const own_rows *b)
{
    size_t n = a->x.n, k = 0, paired = 0;
    int64_t usual = n > 1 ? (a->t[n - 1] - a->t[0]) / (int64_t)(n - 1) : 0;
    double *ratio = ws_alloc((n + 1) * sizeof *ratio);
    for (size_t i = 0; i < n; i++) {
        while (k < b->x.n && 2 * (a->t[i] - b->t[k]) > usual)
            k++;
        bool is_paired = k < b->x.n && 2 * (b->t[k] - a->t[i]) <= usual;
        paired += is_paired;
        ratio[i] = is_paired && a->x.power[i] > 0 && b->x.power[k] > 0 ? log(a->x.power[i] / b->x.power[k]) : NAN;
    }
    if (paired * 2 >= n)
        return ratio;
    free(ratio);
    return NULL;
}

/* Rows at even steps. What all devices of a node do at once is their load; cards of several nodes differ, so that the
 * ratio of two devices comes back in turn. Of a single device its powers do. */
static bool even_rows_are_of_nodes(const own_rows *first, const own_rows *last)
{
    double share, *ratio = NULL;
    if (ws_turns_usual_time(&first->x, 1, &share) < WS_NODES_FASTEST_NS)
        return false;
    if (!is_of_device(first->x.plan, first->rows[0], last->rows[0]))
        ratio = ratios_of(first, last);
    bool is = ratio ? readings_take_turns(&first->x, ratio)
                    : readings_take_turns(&first->x, first->x.power) && readings_take_turns(&last->x, last->x.power);
    free(ratio);
    return is;
}

static bool has_even_steps(const ws_turns *x)
{
    return !ws_turns_repeat_stamps(x) && !ws_turns_are_uneven(x);
}

/* The rows share stamps or follow each other in uneven steps, and powers come back about as they were. */
static bool uneven_rows_are_of_nodes(const ws_turns *x, bool may_be_of_nodes)
{
    return !has_even_steps(x) && (ws_turns_rows_to_return(x, x->power, WS_TURNS_SAME_PLACE) ||
                                  (may_be_of_nodes && ws_turns_steps_of(x, x->power)));
}

/* Two nodes that write into one file number their GPUs alike: the rows of each number are those of both. */
static bool are_of_nodes(const own_rows *first, const own_rows *last, bool may_be_of_nodes)
{
    enum { LEAST = 2 * WS_TURNS_LEAST_POLLS };
    if (first->x.n < LEAST || last->x.n < LEAST || !first->x.power || !last->x.power)
        return false;
    if (has_even_steps(&first->x) && has_even_steps(&last->x))
        return may_be_of_nodes && even_rows_are_of_nodes(first, last);
    return uneven_rows_are_of_nodes(&first->x, may_be_of_nodes) && uneven_rows_are_of_nodes(&last->x, may_be_of_nodes);
}

/* Stamps of twenty that are nearly all. Ours. */
enum { NEARLY_OF_TWENTY = 19 };

/* Each stamp stands in as many rows of the device, two or more, and most of them have other powers: polls of several
 * nodes at the same second, or of one device that is polled faster than its stamps are written. Of stamps that are much
 * finer than polls a few say so. */
static bool shares_every_stamp(const own_rows *own)
{
    size_t of_size[WS_TURNS_MOST + 2] = {0}, stamps = 0, pairs = 0, fresh = 0, most = 1;
    size_t least = ws_turns_stamps_are_fine(own->t, own->x.n) ? WS_TURNS_FEW_POLLS : WS_TURNS_LEAST_POLLS;
    for (size_t i = 0, end; i < own->x.n; i = end) {
        for (end = i + 1; end < own->x.n && own->t[end] == own->t[i]; end++) {
            pairs++;
            fresh += own->x.power &&
                     (own->x.power[end] < own->x.power[end - 1] || own->x.power[end] > own->x.power[end - 1]);
        }
        of_size[end - i <= WS_TURNS_MOST ? end - i : WS_TURNS_MOST + 1]++, stamps++;
    }
    for (size_t k = 2; k <= WS_TURNS_MOST; k++)
        most = of_size[k] > of_size[most] ? k : most;
    return most > 1 && stamps >= least && 20 * of_size[most] >= NEARLY_OF_TWENTY * stamps && 2 * fresh > pairs;
}

/* The rows of the device come in polls of two and more that are far closer than polls are. */
static bool come_in_polls(const own_rows *own)
{
    double share;
    int64_t poll_ns;
    bool is_fine = ws_turns_stamps_are_fine(own->t, own->x.n);
    if (own->x.n < 2 * WS_TURNS_LEAST_POLLS || !is_fine || ws_turns_repeat_stamps(&own->x))
        return false;
    return ws_turns_rows_of_polls(&own->x, is_fine, &poll_ns) > 1 &&
           ws_turns_are_fresh(&own->x, ws_turns_usual_time(&own->x, 1, &share));
}

/* Words of a column that names the parts of a device, at most; and nearly all rows, in tenths. Ours. */
enum { FEW_WORDS = 16, NEARLY_OF_TEN = 9 };

/* Cells of the column come again after as many rows of the device as there are, two to FEW_WORDS of them. */
static bool cells_take_turns(const ws_turns *x, int32_t column)
{
    size_t cycle = ws_trace_sample_count(&x->sample, column), again = 0;
    if (cycle < 2 || cycle > FEW_WORDS || x->n < WS_TURNS_LEAST_POLLS * cycle)
        return false;
    for (size_t i = cycle; i < x->n; i++) {
        ws_span cell = ws_span_trim(ws_row_cell(x->sample.rows[i], column));
        bool is_again = ws_span_same(cell, ws_span_trim(ws_row_cell(x->sample.rows[i - cycle], column)));
        for (size_t k = 1; k < cycle && is_again; k++)
            is_again = !ws_span_same(cell, ws_span_trim(ws_row_cell(x->sample.rows[i - k], column)));
        again += is_again;
    }
    return again * 10 >= (x->n - cycle) * NEARLY_OF_TEN;
}

/* Rows of processes repeat their GPU's power. */
static bool repeats_powers(const own_rows *own)
{
    size_t same = 0;
    for (size_t i = 1; own->x.power && i < own->x.n; i++)
        same += !(own->x.power[i] < own->x.power[i - 1] || own->x.power[i] > own->x.power[i - 1]);
    return same * 2 >= own->x.n;
}

static bool has_cells_in_turn(const own_rows *own)
{
    bool has = false;
    if (!own->x.power || repeats_powers(own))
        return false;
    for (uint32_t c = 0; own->x.plan->header && c < own->x.plan->n_columns && !has; c++)
        has = !ws_plan_uses(own->x.plan, c) && cells_take_turns(&own->x, (int32_t)c);
    return has;
}

/* Why the rows of a device may be those of several, though its powers do not come back in turn; NULL: they do not look
 * so. */
static const char *doubt_rows(const own_rows *first, const own_rows *last)
{
    if (shares_every_stamp(first) && shares_every_stamp(last))
        return "several rows of one device have each stamp";
    if (has_cells_in_turn(first) && has_cells_in_turn(last))
        return "a column says in turn whose the rows of one device are";
    return come_in_polls(first) && come_in_polls(last) ? "rows of one device come in polls of several" : NULL;
}

/* The energy counter rises from row to row: counters of two devices that have long counted stand far apart, so that
 * rows in turn would fall at every second step. Those that began together, as at 0 with a job, do so after a while
 * only. A failed read and a reset fall once. Ours. */
static bool counts_on(const own_rows *own)
{
    enum { RISES_A_FALL = 20, STEPS_BEFORE = 1000 };
    double *counter = ws_turns_numbers_of(own->x.plan, &own->x.sample, WS_ENERGY_COUNTER);
    size_t rises = 0, falls = 0;
    double least = INFINITY, most = 0; /* of readings that did not fail */
    for (size_t i = 0; counter && i < own->x.n; i++) {
        least = counter[i] > 0 ? fmin(least, counter[i]) : least;
        most = fmax(most, counter[i]);
        rises += i && counter[i] > counter[i - 1], falls += i && counter[i] < counter[i - 1];
    }
    free(counter);
    return rises >= WS_TURNS_LEAST_POLLS && rises >= RISES_A_FALL * falls &&
           least >= STEPS_BEFORE * ((most - least) / (double)rises);
}

/* Nearly each change of the temperature is still there in the next row, which two cards would share only if both were
 * as warm as each other all the time and changed within one poll. */
static bool warms_as_one(const own_rows *own)
{
    double *celsius = ws_turns_numbers_of(own->x.plan, &own->x.sample, WS_TEMPERATURE);
    size_t changes = 0, kept = 0;
    for (size_t i = 1; celsius && i + 1 < own->x.n; i++) {
        bool is_change = celsius[i] < celsius[i - 1] || celsius[i] > celsius[i - 1];
        changes += is_change;
        kept += is_change && !(celsius[i + 1] < celsius[i] || celsius[i + 1] > celsius[i]);
    }
    free(celsius);
    return changes >= WS_TURNS_LEAST_POLLS && kept * 10 >= changes * NEARLY_OF_TEN;
}

/* What of a device proves that its rows are of one, whatever its powers look like; NULL: nothing does. Rows of a
 * device's parts, which a column names in turn or whose powers come back in turn, may all have the temperature of the
 * whole. */
static const char *proof_of_one(const own_rows *first, const own_rows *last, bool powers_take_turns)
{
    if (counts_on(first) && counts_on(last))
        return "energy counter rises";
    if (powers_take_turns || has_cells_in_turn(first) || has_cells_in_turn(last))
        return NULL;
    return warms_as_one(first) && warms_as_one(last) ? "temperature goes on" : NULL;
}

/* The last row that is not of the device of the first one; where there is none, that one. */
static const ws_row *last_of_another(const ws_plan *plan, const ws_trace_sample *sample)
{
    size_t i = sample->n - 1;
    while (i && is_of_device(plan, sample->rows[0], sample->rows[i]))
        i--;
    return sample->rows[i];
}

/* A column that is not read and says another thing in nearly each row of the first device, of few: "TileId" of
 * xpu-smi. "NAME": there is none. */
static const char *column_that_tells(const ws_plan *plan, const ws_trace_sample *sample)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++) {
        size_t distinct = ws_trace_sample_count(sample, (int32_t)c), pairs = 0, other = 0;
        const ws_row *before = NULL;
        if (ws_plan_uses(plan, c) || distinct < 2 || distinct > FEW_WORDS)
            continue;
        for (size_t i = 0; i < sample->n; i++) {
            const ws_row *row = sample->rows[i];
            if (!is_of_device(plan, sample->rows[0], row))
                continue;
            pairs += before != NULL;
            other += before && !ws_span_same(ws_span_trim(ws_row_cell(before, (int32_t)c)),
                                             ws_span_trim(ws_row_cell(row, (int32_t)c)));
            before = row;
        }
        if (pairs && other * 10 >= pairs * NEARLY_OF_TEN)
            return plan->header[c];
    }
    return "NAME";
}

/* Two devices: nodes take turns in the rows of all. */
void ws_plan_look_within_devices(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int64_t *t = sample->n ? ws_trace_sample_stamps(plan, sample) : NULL;
    if (!t)
        return;
    own_rows first = own_rows_of(plan, sample, sample->rows[0], t);
    own_rows last = own_rows_of(plan, sample, last_of_another(plan, sample), t);
    bool may_be = ws_plan_may_be_of_nodes(plan, context);
    const char *why = may_be ? doubt_rows(&first, &last) : NULL;
    const char *proof = NULL;
    bool powers_take_turns = are_of_nodes(&first, &last, may_be);
    if (!why && powers_take_turns)
        why = "powers of one device come back in turn";
    if (why && (proof = proof_of_one(&first, &last, powers_take_turns)))
        ws_notes_add(context->notes, WS_FINDING_PROVEN_DEVICE, context->source, "", plan->line,
                     "%s, and its %s through all of them: they are of one", why, proof);
    else if (why) {
        plan->ask = WS_ASK_DEVICES;
        ws_notes_add(context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line,
                     "%s, as those of several nodes would that number their "
                     "devices alike: write a file for each, or a column that says whose row it is (--columns node=%s); "
                     "--columns devices=1 takes them for one device",
                     why, column_that_tells(plan, sample));
    }
    own_rows_free(&first);
    own_rows_free(&last);
    free(t);
}

/* --- rows that hold all devices of a node --- */

/* Of the first or the last device that a column of powers names; NULL: there is none. */
static double *powers_of_column(const ws_plan *plan, const ws_trace_sample *sample, bool is_last)
{
    const ws_plan_value *found = NULL;
    for (size_t i = 0; i < plan->n_values; i++)
        if (plan->values[i].meaning.quantity == WS_POWER && plan->values[i].meaning.device.n && (is_last || !found))
            found = &plan->values[i];
    double *power = found ? ws_alloc((sample->n + 1) * sizeof *power) : NULL;
    bool has_unit = false;
    for (size_t i = 0; power && i < sample->n; i++)
        power[i] = ws_plan_reading(plan, found, sample->rows[i], &has_unit);
    return power;
}

/* Rows that share a stamp, where nearly all stamps have as many and most of their powers differ; 1: they do not. */
static size_t rows_of_a_stamp(const ws_turns *x)
{
    size_t most = 1, alike = 0, stamps = 0, pairs = 0, fresh = 0;
    for (size_t i = 0, end; i < x->n; i = end) {
        for (end = i + 1; end < x->n && x->t[end] == x->t[i]; end++)
            pairs++, fresh += x->power[end] < x->power[end - 1] || x->power[end] > x->power[end - 1];
        most = stamps < 2 ? end - i : most; /* the first stamp may be cut */
        alike += end - i == most, stamps++;
    }
    bool is_regular = stamps >= WS_TURNS_LEAST_POLLS && 20 * alike >= NEARLY_OF_TWENTY * stamps;
    return is_regular && 2 * fresh > pairs && most <= WS_TURNS_MOST ? most : 1;
}

/* What is k rows apart differs less than neighbours do: what all devices of a node do at once is their load, so that
 * the ratio of two of them (in logarithms) hardly knows that; in a log of one device what is further apart differs
 * more. */
static bool comes_back(const double *value, size_t n, size_t k)
{
    double next = 0, later = 0;
    size_t used = 0;
    for (size_t i = k; i < n; i++) {
        double a = fabs(value[i] - value[i - 1]), b = fabs(value[i] - value[i - k]);
        if (isfinite(a) && isfinite(b))
            next += a, later += b, used++;
    }
    return used >= WS_ROWS_LEAST_TO_RETURN && later <= WS_ROWS_RETURN * next;
}

static bool ratio_comes_back(const ws_turns *x, size_t k)
{
    double *last = powers_of_column(x->plan, &x->sample, true);
    bool is = false;
    for (size_t i = 0; last && i < x->n; i++)
        last[i] = log(last[i] / x->power[i]);
    is = last && comes_back(last, x->n, k);
    free(last);
    return is;
}

/* A column of words says in turn whose the k rows of a stamp are; numbers may count the rows. */
static const char *column_in_turn(const ws_turns *x, size_t k)
{
    const ws_plan *plan = x->plan;
    double number;
    ws_span rest;
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++) {
        bool is_other = (int32_t)c == plan->time || (int32_t)c == plan->date || (int32_t)c == plan->interval ||
                        ws_span_number(ws_row_cell(x->sample.rows[0], (int32_t)c), &number, &rest);
        for (size_t v = 0; v < plan->n_values; v++)
            is_other |= c == plan->values[v].column;
        if (!is_other && ws_trace_sample_count(&x->sample, (int32_t)c) == k && cells_take_turns(x, (int32_t)c))
            return plan->header[c];
    }
    return NULL;
}

static void ask_of_rows(ws_plan *plan, const ws_plan_context *context, const char *column, size_t k)
{
    for (size_t v = 0; v < plan->n_values; v++)
        plan->values[v].ask = WS_ASK_DEVICES;
    ws_notes_add(context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line,
                 "%s, as those of %zu nodes would that write into one file: write a file for each, or a column that "
                 "says whose row it is (--columns node=%s); --columns devices=1 takes the rows for those of one",
                 column ? "a column says in turn whose the rows of one stamp are" : "rows come back in turn", k,
                 column ? column : "NAME");
}

/* Of rows at even steps nothing tells those of nodes from those of one that is polled as often. */
void ws_plan_look_within_rows(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int64_t *t = plan->node < 0 && !context->node_is_given && sample->n ? ws_trace_sample_stamps(plan, sample) : NULL;
    double *power = t ? powers_of_column(plan, sample, false) : NULL;
    const ws_turns x = {.plan = plan, .sample = *sample, .t = t, .n = sample->n, .power = power};
    if (power) {
        size_t k = rows_of_a_stamp(&x);
        const char *column = k > 1 ? column_in_turn(&x, k) : NULL;
        if (k == 1 && ws_turns_stamps_are_fine(t, sample->n))
            k = ws_cycle_of_stamps(t, sample->n < WS_TURNS_STEPS ? sample->n : WS_TURNS_STEPS);
        if (column || (k > 1 && ratio_comes_back(&x, k)))
            ask_of_rows(plan, context, column, k);
    }
    free(power);
    free(t);
}
