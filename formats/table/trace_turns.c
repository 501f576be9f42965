/* Rows that no column tells apart, or not one alone: whether devices take turns in them; see trace_plan.h. */
#include "formats/table/trace_turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NS_PER_S INT64_C(1000000000)

/* Rows that repeat each other are one device that was polled faster than it updates, not several devices. */
static bool rows_differ(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    for (size_t v = 0; v < plan->n_values; v++) {
        int32_t column = (int32_t)plan->values[v].column;
        if (!ws_span_same(ws_row_cell(a, column), ws_row_cell(b, column)))
            return true;
    }
    return false;
}

enum { MOST_POSITIONS = 64 };

/* What makes rows of one file those of several devices, and what leaves it open. All are shares of rows or ratios,
 * tried on logs of nvidia-smi of 1, 2, 4 and 8 GPUs at 10 ms to 60 s, with rows 40 ms late, lost and repeated. */
static const double REGULAR = 0.25;   /* a time from poll to poll is usual within so much of its median */
static const double MOST_POLLS = 0.7; /* so many of them are usual */
static const double CLOSE = 0.5;      /* rows of a poll follow each other within so much of an even spacing */
static const double SAME_PLACE =
    0.15; /* a reading differs so much less from the one a poll before than from its neighbours */
static const double SAME_MEMORY = 0.1; /* the same of the memory in use, which hardly changes */
static const double UNEVEN = 0.2; /* so many steps under half or above twice the median are not one device's polling */
static const double SHARED = 0.4; /* so many rows have the stamp of the one above: two devices come to half; one that is
                                     polled at 1.5 Hz to a third */
static const double DESCRIBED_POLLS = 0.9; /* polls that have as many rows as the run is described with devices */
static const double MOST_REPEATS = 0.05;  /* more rows that are wholly the one before are idle devices and no repeats */
enum { LEAST_POLLS = 16, FEW_POLLS = 2 }; /* that numbers, and times, say enough */

typedef struct turns {
    const ws_plan *plan;
    const ws_trace_sample *sample;
    const int64_t *t;
    size_t n;
    int64_t *scratch;       /* n of them */
    double *power, *memory; /* of each row, NaN: missing; NULL: no such column */
} turns;

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The median time over `lag` rows, and the share of such times that are about as long. */
static int64_t usual_time(const turns *x, size_t lag, double *share)
{
    size_t n = x->n - lag, usual = 0;
    for (size_t i = 0; i < n; i++)
        x->scratch[i] = x->t[i + lag] - x->t[i];
    qsort(x->scratch, n, sizeof *x->scratch, compare_ns);
    int64_t median = x->scratch[n / 2];
    for (size_t i = 0; i < n; i++)
        usual += fabs((double)(x->scratch[i] - median)) <= REGULAR * (double)median;
    *share = (double)usual / (double)n;
    return median;
}

/* Mean difference of readings `lag` rows apart; NaN: there are none. */
static double mean_difference(const double *value, size_t n, size_t lag)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = lag; i < n; i++) {
        double d = fabs(value[i] - value[i - lag]);
        sum += isnan(d) ? 0 : d;
        pairs += isnan(d) ? 0 : 1;
    }
    return pairs ? sum / (double)pairs : NAN;
}

/* The fewest rows after which the readings come back although they differ from row to row: so many devices take turns.
 * 0: they do not. */
static size_t rows_to_return(const turns *x, const double *value, double most)
{
    double neighbours = value ? mean_difference(value, x->n, 1) : NAN;
    for (size_t lag = 2; neighbours > 0 && lag <= MOST_POSITIONS && lag * LEAST_POLLS <= x->n; lag++)
        if (mean_difference(value, x->n, lag) <= most * neighbours)
            return lag;
    return 0;
}

/* Rows that follow another one closely mostly say something else: a device that is polled faster than it updates
 * repeats itself. */
static bool are_fresh(const turns *x, int64_t close_ns)
{
    size_t fresh = 0, close = 0;
    for (size_t i = 1; i < x->n; i++) {
        if (x->t[i] - x->t[i - 1] > close_ns)
            continue;
        close++;
        fresh += rows_differ(x->plan, x->sample->rows[i - 1], x->sample->rows[i]);
    }
    return fresh * 2 > close;
}

/* How many rows are in most polls, where a step of half the usual time between polls parts them. */
static size_t usual_size(const turns *x, int64_t poll_ns, size_t *polls)
{
    size_t alike[MOST_POSITIONS + 1] = {0}, first = 0, best = 0;
    *polls = 0;
    for (size_t i = 1; i <= x->n; i++) {
        if (i < x->n && x->t[i] - x->t[i - 1] < poll_ns / 2)
            continue;
        ++*polls;
        if (i - first <= MOST_POSITIONS)
            alike[i - first]++;
        first = i;
    }
    for (size_t k = 1; k <= MOST_POSITIONS; k++)
        best = alike[k] > alike[best] ? k : best;
    return alike[best] * 2 > *polls ? best : 0;
}

/* Rows that cluster in time into polls of one size. The time from poll to poll is regular, and most rows follow the one
 * before them far more closely than rows of one device, evenly spaced, would. 0: they do not. */
static size_t rows_of_polls(const turns *x, int64_t *poll_ns)
{
    double share, step_share;
    int64_t step = x->n > FEW_POLLS ? usual_time(x, 1, &step_share) : 0;
    for (size_t lag = 2; step && lag <= MOST_POSITIONS && lag * FEW_POLLS <= x->n; lag++) {
        size_t polls, close = 0;
        *poll_ns = usual_time(x, lag, &share);
        if (share < MOST_POLLS || usual_size(x, *poll_ns, &polls) != lag || polls < FEW_POLLS)
            continue;
        for (size_t i = 1; i < x->n; i++)
            close += (double)(x->t[i] - x->t[i - 1]) * (double)lag < CLOSE * (double)*poll_ns;
        if ((double)close >= MOST_POLLS * (double)(x->n - polls))
            return lag;
    }
    return 0;
}

/* One device's polling has steps of about one length, but for stalls. */
static bool are_uneven(const turns *x)
{
    double share;
    int64_t median = usual_time(x, 1, &share);
    size_t odd = 0;
    for (size_t i = 1; i < x->n; i++) {
        int64_t step = x->t[i] - x->t[i - 1];
        odd += step < median / 2 || step > 2 * median;
    }
    return (double)odd >= UNEVEN * (double)x->n;
}

static int32_t column_of(const ws_plan *plan, ws_quantity quantity)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == quantity && !plan->values[v].meaning.device.n)
            return (int32_t)plan->values[v].column;
    return WS_NO_COLUMN;
}

/* The numbers of a column; NULL where there is none. The caller frees. */
static double *numbers_of(const ws_plan *plan, const ws_trace_sample *sample, ws_quantity quantity)
{
    int32_t column = column_of(plan, quantity);
    double *value = column >= 0 ? ws_alloc((sample->n + 1) * sizeof *value) : NULL;
    ws_span rest;
    for (size_t i = 0; value && i < sample->n; i++)
        if (!ws_span_number(ws_row_cell(sample->rows[i], column), &value[i], &rest))
            value[i] = NAN;
    return value;
}

static bool goes_back(const int64_t *t, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (t[i] < t[i - 1])
            return true;
    return false;
}

static bool is_wholly(const ws_row *a, const ws_row *b)
{
    bool is_same = a->n_cells == b->n_cells;
    for (uint32_t c = 0; is_same && c < a->n_cells; c++)
        is_same = ws_span_same(a->cells[c], b->cells[c]);
    return is_same;
}

static void take_turns(ws_plan *plan, const ws_trace_sample *sample, size_t devices, int64_t poll_ns)
{
    size_t repeats = 0;
    for (size_t i = 1; i < sample->n; i++)
        repeats += is_wholly(sample->rows[i - 1], sample->rows[i]);
    plan->positions = (uint32_t)devices;
    plan->poll_ns = poll_ns;
    plan->poll_mark = column_of(plan, WS_MEM_USED);
    plan->drops_repeats = (double)repeats <= MOST_REPEATS * (double)sample->n;
}

static void ask_devices(ws_plan *plan, const ws_plan_context *context, const char *why)
{
    char described[80] = "";
    plan->ask = "ask:devices";
    if (context->described_devices)
        snprintf(described, sizeof described, "; %u, as the run is described, do not fit the rows",
                 context->described_devices);
    ws_notes_add(
        context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line,
        "%s, and no column tells devices apart: say how many there are with --columns devices=N (devices=1 where "
        "there is one)%s",
        why, described);
}

/* As many rows in nearly every poll as the run is described with devices. Rows that lie at most `within_ns` apart are
 * of one poll; the first and the last may be cut. *lost_only: polls of another size lack rows and stand between whole
 * ones, so that none is cut in two. */
static bool fit_description(const ws_plan_context *context, const int64_t *t, size_t n, int64_t within_ns,
                            bool *lost_only)
{
    size_t first = 0, polls = 0, alike = 0, last = context->described_devices;
    *lost_only = true;
    for (size_t i = 1; i < n; i++) {
        if (t[i] - t[i - 1] <= within_ns)
            continue;
        size_t size = first ? i - first : context->described_devices;
        *lost_only &= size == context->described_devices || (size < context->described_devices && last > size);
        alike += first && size == context->described_devices;
        polls += first != 0;
        first = i, last = size;
    }
    return context->described_devices > 1 && polls >= FEW_POLLS && (double)alike >= DESCRIBED_POLLS * (double)polls;
}

/* The shortest time between polls that share their stamps. */
static int64_t step_of_stamps(const int64_t *t, size_t n)
{
    int64_t step = 0;
    for (size_t i = 1; i < n; i++)
        step = t[i] > t[i - 1] && (!step || t[i] - t[i - 1] < step) ? t[i] - t[i - 1] : step;
    return step;
}

/* The memory in use says it best: it differs between devices and hardly changes. Then times, where they are finer than
 * the rows of a poll; then powers that come back. What of this contradicts or is in between is asked. */
static void find_turns(ws_plan *plan, const ws_plan_context *context, const turns *x, bool is_fine)
{
    int64_t poll_ns = 0;
    double share;
    size_t by_memory = rows_to_return(x, x->memory, SAME_MEMORY), by_power = rows_to_return(x, x->power, SAME_PLACE);
    size_t by_time = is_fine ? rows_of_polls(x, &poll_ns) : 0;
    bool lost_only = true, may_fit = context->described_devices > 1 && context->described_devices * FEW_POLLS <= x->n;
    int64_t described_ns = may_fit ? usual_time(x, context->described_devices, &share) : 0;
    int64_t within_ns = is_fine ? described_ns / 2 : 0;
    bool fits = may_fit && are_fresh(x, within_ns) && fit_description(context, x->t, x->n, within_ns, &lost_only);
    if (by_time && !are_fresh(x, poll_ns / 2))
        by_time = 0;
    else if (by_memory)
        take_turns(plan, x->sample, by_memory, usual_time(x, by_memory, &share));
    else if (by_time)
        take_turns(plan, x->sample, by_time, poll_ns);
    else if (fits || (by_power && by_power == context->described_devices))
        take_turns(plan, x->sample, context->described_devices, is_fine || lost_only ? described_ns : 0);
    else if (by_power && context->described_devices == 1 && !(is_fine && are_uneven(x)))
        return;
    else if (by_power)
        ask_devices(plan, context, "powers come back in turn, as those of several devices would");
    else if (is_fine && are_fresh(x, usual_time(x, 1, &share)) && are_uneven(x))
        ask_devices(plan, context, "rows follow each other in uneven steps, as those of several devices would");
}

static void look_for_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                           const int64_t *t, bool is_fine)
{
    enum { ENOUGH = 4096 };
    turns x = {.plan = plan, .sample = sample, .t = t, .n = sample->n < ENOUGH ? sample->n : ENOUGH};
    if (x.n < 2 * FEW_POLLS || goes_back(t, x.n))
        return;
    x.scratch = ws_alloc(x.n * sizeof *x.scratch);
    x.power = numbers_of(plan, sample, WS_POWER);
    x.memory = numbers_of(plan, sample, WS_MEM_USED);
    find_turns(plan, context, &x, is_fine);
    free(x.scratch);
    free(x.power);
    free(x.memory);
}

/* Of two columns of parts the second names nothing. */
static bool is_unknown(const ws_plan *plan, uint32_t column)
{
    ws_role role = ws_meaning_of(ws_span_of(plan->header[column])).role;
    return (role == WS_ROLE_UNKNOWN || role == WS_ROLE_PART) && !ws_plan_uses(plan, column);
}

/* A few words that differ in all rows of each stamp, as those of RAPL's domains in "time,domain,watts". */
static bool speaks_in_turn(const ws_trace_sample *sample, const int64_t *t, int32_t column)
{
    double number;
    ws_span rest;
    size_t first = 0;
    for (size_t i = 0; i < sample->n; i++) {
        ws_span cell = ws_row_cell(sample->rows[i], column);
        first = i && t[i] != t[i - 1] ? i : first;
        if (ws_span_is_missing(cell) || ws_span_number(cell, &number, &rest) || i - first > MOST_POSITIONS)
            return false;
        for (size_t k = first; k < i; k++)
            if (ws_span_same(cell, ws_row_cell(sample->rows[k], column)))
                return false;
    }
    return ws_trace_sample_count(sample, column) * 2 <= sample->n;
}

/* One device of them would have the powers of all in turn, and their sum may hold one of them twice. */
static ws_status refuse_unknown_turns(const ws_plan *plan, const ws_plan_context *context,
                                      const ws_trace_sample *sample, const int64_t *t, ws_error *error)
{
    for (uint32_t c = 0; plan->header && plan->node < 0 && c < plan->n_columns; c++)
        if (is_unknown(plan, c) && (speaks_in_turn(sample, t, (int32_t)c) || ws_trace_sample_counts_in_turn(sample, c)))
            return ws_fail_at(error, WS_DATA, context->source, plan->line,
                              "rows of one time differ by their '%s', which names nothing that is known here: "
                              "--columns gpu=%s keeps them apart (with domain=other, if they are no GPUs), devices=1 "
                              "takes them for one",
                              plan->header[c], plan->header[c]);
    return WS_OK;
}

/* Nodes and names of GPUs tell rows apart, though not two GPUs of one model in one node. */
static bool same_group(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    return ws_span_same(ws_row_cell(a, plan->node), ws_row_cell(b, plan->node)) &&
           ws_span_same(ws_row_cell(a, plan->name), ws_row_cell(b, plan->name));
}

/* At most one more than positions are told. */
static size_t count_groups(const ws_plan *plan, const ws_trace_sample *sample)
{
    const ws_row *first[MOST_POSITIONS + 1];
    size_t n = 0;
    for (size_t i = 0; i < sample->n && n <= MOST_POSITIONS; i++) {
        size_t g = 0;
        while (g < n && !same_group(plan, first[g], sample->rows[i]))
            g++;
        if (g == n)
            first[n++] = sample->rows[i];
    }
    return n;
}

static bool repeats_stamp(const ws_plan *plan, const ws_trace_sample *sample, const int64_t *t, size_t i)
{
    for (size_t k = i; k > 0 && t[k - 1] == t[i] && i - k < MOST_POSITIONS; k--)
        if (same_group(plan, sample->rows[k - 1], sample->rows[i]))
            return true;
    return false;
}

static ws_status settle_shared_stamps(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                      const int64_t *t, ws_error *error)
{
    size_t repeats = 0, fresh = 0;
    for (size_t i = 1; i < sample->n; i++) {
        bool is_repeat = repeats_stamp(plan, sample, t, i);
        repeats += is_repeat;
        fresh += is_repeat && rows_differ(plan, sample->rows[i - 1], sample->rows[i]);
    }
    if (sample->n < 4 || (double)repeats < SHARED * (double)sample->n)
        return WS_OK;
    ws_status status = refuse_unknown_turns(plan, context, sample, t, error);
    bool lost_only;
    if (status == WS_OK && fresh * 2 > repeats && fit_description(context, t, sample->n, 0, &lost_only))
        take_turns(plan, sample, context->described_devices, lost_only ? step_of_stamps(t, sample->n) : 0);
    else if (status == WS_OK && fresh * 2 > repeats && t[sample->n - 1] > t[0]) /* without time there is no energy */
        ask_devices(plan, context, "rows share their stamps");
    else if (status == WS_OK)
        ws_notes_add(
            context->notes, WS_FINDING_SHARED_STAMPS, context->source, "", plan->line,
            "rows share their stamps and most say the same: read as one device (devices=N in the column map says "
            "otherwise)");
    return status;
}

static void note_parts(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int32_t column = plan->ids[WS_ROLE_PART];
    if (plan->identity != WS_ROLE_PART || plan->part_domain != WS_GPU || !plan->header || !sample->n ||
        ws_device_name_of(ws_row_cell(sample->rows[0], column)).is_known)
        return;
    ws_notes_add(context->notes, WS_FINDING_ASSUMED_DEVICE, context->source, "", plan->line,
                 "'%s' is taken for the GPU of each row: if its readings are those of whole nodes, they are added too "
                 "often",
                 plan->header[column]);
}

/* Of "socket,domain" neither column tells the rows apart alone. */
static ws_status refuse_two_parts(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error)
{
    uint32_t other = 0, n;
    while (plan->header && other < plan->n_columns &&
           (ws_meaning_of(ws_span_of(plan->header[other])).role != WS_ROLE_PART ||
            plan->ids[plan->identity] == (int32_t)other || ws_trace_sample_count(sample, (int32_t)other) < 2))
        other++;
    int64_t *t = plan->header && other < plan->n_columns ? ws_trace_sample_stamps(plan, sample) : NULL;
    if (!t)
        return WS_OK;
    uint32_t *source = ws_trace_sample_sources(plan, sample, &n);
    size_t *last = ws_alloc((n + 1) * sizeof *last), repeats = 0; /* counted from 1 */
    for (size_t i = 0; i < sample->n; i++) {
        repeats += last[source[i]] && t[last[source[i]] - 1] == t[i];
        last[source[i]] = i + 1;
    }
    free(last);
    free(source);
    free(t);
    return repeats * 2 < sample->n
               ? WS_OK
               : ws_fail_at(
                     error, WS_DATA, context->source, plan->line,
                     "rows of one time and one device differ by their '%s', too: one column must tell them apart "
                     "(--columns gpu=NAME)",
                     plan->header[other]);
}

static bool has_fine_stamps(const int64_t *t, size_t n)
{
    bool is_fine = false;
    for (size_t i = 0; t && i < n; i++)
        is_fine |= t[i] % NS_PER_S != 0;
    return is_fine;
}

/* The user says how many take turns. A sample that lost a row must not shift the ones after it: half a period of
 * silence begins a new one, where the stamps are fine enough to show it. */
static void settle_stated_turns(ws_plan *plan, const ws_trace_sample *sample, uint32_t devices)
{
    plan->positions = plan->identity == WS_ROLE_UNKNOWN || plan->identity == WS_ROLE_NAME ? devices : 0;
    int64_t *t = plan->positions ? ws_trace_sample_stamps(plan, sample) : NULL;
    int64_t span = t ? t[sample->n - 1] - t[0] : 0;
    if (span > 0 && sample->n > devices) {
        int64_t gap = (int64_t)((double)span * devices / (double)sample->n / 2);
        if (has_fine_stamps(t, sample->n) || gap > 2 * NS_PER_S)
            plan->poll_ns = 2 * gap;
    }
    free(t);
}

static uint32_t longest_turn(const ws_plan *plan, const ws_trace_sample *sample)
{
    uint32_t run = 0, longest = 0;
    for (size_t i = 0; plan->uses_date_lines && i < sample->n; i++) {
        run = i && sample->turn[i] == sample->turn[i - 1] ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Without a column that tells devices apart their place in the sample does, but only where the sample is plain to see:
 * stamps finer than a second in regular bursts, or a date line before each; and where it holds more rows than there are
 * names or nodes. */
static ws_status settle_positions(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error)
{
    ws_status status = WS_OK;
    if (plan->is_wide || (plan->identity != WS_ROLE_UNKNOWN && plan->identity != WS_ROLE_NAME))
        return WS_OK;
    size_t groups = count_groups(plan, sample);
    ws_plan_context of_turns = *context;
    if (groups > 1) /* whose polls may change in size */
        of_turns.notes = NULL, of_turns.described_devices = 0;
    plan->positions = longest_turn(plan, sample);
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    if (plan->positions < 2 && t)
        look_for_turns(plan, &of_turns, sample, t, has_fine_stamps(t, sample->n));
    if (groups > 1 && plan->positions <= groups)
        plan->positions = 0, plan->poll_ns = 0, plan->ask = NULL;
    if (t && plan->positions < 2 && !plan->ask)
        of_turns.notes = context->notes, status = settle_shared_stamps(plan, &of_turns, sample, t, error);
    free(t);
    return status;
}

ws_status ws_plan_settle_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error)
{
    ws_status status = refuse_two_parts(plan, context, sample, error);
    if (status != WS_OK)
        return status;
    note_parts(plan, context, sample);
    if (!context->map->devices)
        return settle_positions(plan, context, sample, error);
    settle_stated_turns(plan, sample, context->map->devices);
    return WS_OK;
}

/* Which place in its poll a row has. */

/* A row is in the next poll once three quarters of the usual time from poll to poll are over, and no poll begins in the
 * first quarter: in logs of nvidia-smi single queries were seen 40 ms late, in polls 200 ms apart and more. */
static bool is_of_next(const ws_poll *poll, int64_t since_ns)
{
    return poll->poll_ns && since_ns >= poll->poll_ns / 4 * 3;
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

static void begin(ws_poll *poll, int64_t t_ns, bool was_whole)
{
    int64_t since_ns = t_ns - poll->start_ns;
    if (was_whole && poll->poll_ns && since_ns > 0 && since_ns < 4 * poll->poll_ns)
        poll->poll_ns += (since_ns - poll->poll_ns) / 8;
    poll->start_ns = t_ns;
    poll->next = 0;
}

static void set_up(ws_poll *poll, const ws_plan *plan)
{
    if (plan->poll_mark < 0 || poll->marks)
        return;
    poll->marks = ws_alloc(plan->positions * sizeof *poll->marks);
    forget_marks(poll, plan);
}

ws_poll_event ws_poll_take(ws_poll *poll, const ws_plan *plan, const ws_row *row, int64_t t_ns, uint32_t *place)
{
    uint64_t hash = plan->drops_repeats ? hash_row(row) : 0;
    bool is_first = !poll->last_row && !poll->next;
    if (hash && hash == poll->last_row)
        return WS_POLL_REPEATED;
    poll->last_row = hash;
    set_up(poll, plan);
    if (is_first)
        poll->poll_ns = plan->poll_ns, poll->start_ns = t_ns;
    int64_t since_ns = t_ns - poll->start_ns;
    bool is_whole = poll->next >= plan->positions, is_short = false;
    if (is_whole && is_too_early(poll, since_ns) && ++poll->extra < plan->positions) {
        forget_marks(poll, plan); /* which may have led here */
        return WS_POLL_REPEATED;
    }
    if (poll->extra >= plan->positions) /* polled faster from here on */
        poll->poll_ns = 0;
    poll->extra = 0;
    if (is_whole || (poll->next && is_of_next(poll, since_ns))) {
        is_short = !is_whole;
        begin(poll, t_ns, is_whole);
    }
    double mark = poll->marks ? read_mark(plan, row) : NAN;
    *place = place_of_mark(poll, plan, poll->next, mark);
    is_short |= *place != poll->next;
    if (poll->marks)
        poll->marks[*place] = mark;
    poll->next = *place + 1;
    return is_short ? WS_POLL_SHORT : WS_POLL_ROW;
}

void ws_poll_restart(ws_poll *poll)
{
    poll->next = 0;
    poll->last_row = 0;
}

void ws_poll_free(ws_poll *poll)
{
    free(poll->marks);
    *poll = (ws_poll){0};
}
