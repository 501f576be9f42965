/* Rows that no column tells apart, or not one alone: whether devices take turns in them; see trace_plan.h. */
#include "formats/table/trace_plan.h"

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

/* Rows between two silences, as a split of the sample at every step above `inside`. */
typedef struct bursts {
    int64_t inside, between;   /* the longest step in a burst, the shortest silence */
    size_t n, usual, alike;    /* the commonest size and how many bursts have it */
    size_t inner, inner_fresh; /* steps inside bursts, those of them to other readings */
} bursts;

enum { MOST_POSITIONS = 64 };

static bursts split_at(const ws_plan *plan, const ws_trace_sample *sample, const int64_t *t, int64_t inside,
                       int64_t between)
{
    bursts b = {.inside = inside, .between = between};
    size_t alike[MOST_POSITIONS + 1] = {0}, first = 0;
    for (size_t i = 1; i <= sample->n; i++) {
        if (i < sample->n && t[i] - t[i - 1] <= inside) {
            b.inner++;
            b.inner_fresh += rows_differ(plan, sample->rows[i - 1], sample->rows[i]);
            continue;
        }
        b.n++;
        if (i - first <= MOST_POSITIONS)
            alike[i - first]++;
        first = i;
    }
    for (size_t k = 1; k <= MOST_POSITIONS; k++)
        if (alike[k] > b.alike)
            b.usual = k, b.alike = alike[k];
    return b;
}

/* At least three bursts of one size, three quarters of all: a logger loses a row now and then, and the sample may begin
 * or end inside a burst. */
static bool are_regular(const bursts *b)
{
    return b->usual > 1 && b->alike >= 3 && b->alike * 4 >= b->n * 3 && b->inner_fresh * 2 > b->inner;
}

/* Most rows follow another one closely, far closer than the next silence: more than one device's polling would do. */
static bool look_like_several(const bursts *b, const int64_t *t, size_t n)
{
    enum { FEW = 4, FAR = 10 };
    int64_t silent = 0;
    for (size_t i = 1; i < n; i++)
        silent += t[i] - t[i - 1] > b->inside ? t[i] - t[i - 1] : 0;
    return b->n >= FEW && n >= 2 * b->n && n <= MOST_POSITIONS * b->n && b->between > FAR * b->inside &&
           silent > (t[n - 1] - t[0]) / 2 && b->usual > 1 && b->inner_fresh * 2 > b->inner;
}

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The steps in order of length; NULL where time goes back. The caller frees. */
static int64_t *sort_steps(const int64_t *t, size_t n)
{
    int64_t *step = ws_alloc((n + 1) * sizeof *step);
    for (size_t i = 1; i < n; i++) {
        step[i - 1] = t[i] - t[i - 1];
        if (step[i - 1] < 0) {
            free(step);
            return NULL;
        }
    }
    if (n > 1)
        qsort(step, n - 1, sizeof *step, compare_ns);
    return step;
}

/* Rows of several devices come in bursts: steps inside them are under a quarter of those between them. Where the steps
 * leave several such gaps the longest silences that give regular bursts count. */
static void find_bursts(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, const int64_t *t)
{
    int64_t *step = sort_steps(t, sample->n);
    bool may_be_several = false;
    for (size_t i = step && sample->n > 2 ? sample->n - 2 : 0; i > 0 && plan->positions < 2; i--) {
        if (step[i] / 4 <= step[i - 1])
            continue;
        bursts b = split_at(plan, sample, t, step[i - 1], step[i]);
        may_be_several |= look_like_several(&b, t, sample->n);
        if (are_regular(&b)) {
            plan->positions = (uint32_t)b.usual;
            plan->sample_gap_ns = b.inside + (b.between - b.inside) / 2;
        }
    }
    if (may_be_several && plan->positions < 2)
        ws_notes_add(context->notes, "maybe-several-devices", context->source, "", plan->line,
                     "rows come in bursts of changing size, as several devices would write them, and no column names a "
                     "device: read as one device (if they are several say --columns devices=N)");
    free(step);
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

static ws_status settle_shared_stamps(const ws_plan *plan, const ws_plan_context *context,
                                      const ws_trace_sample *sample, const int64_t *t, ws_error *error)
{
    size_t repeats = 0;
    for (size_t i = 1; i < sample->n; i++)
        repeats += repeats_stamp(plan, sample, t, i);
    if (sample->n < 4 || repeats * 2 < sample->n)
        return WS_OK;
    ws_notes_add(context->notes, "shared-stamps", context->source, "", plan->line,
                 "rows share their stamps and no column tells their devices apart: read as one device%s (devices=N in "
                 "the column map says otherwise)",
                 count_groups(plan, sample) > 1 ? " of each name or node" : "");
    return refuse_unknown_turns(plan, context, sample, t, error);
}

static void note_parts(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int32_t column = plan->ids[WS_ROLE_PART];
    if (plan->identity != WS_ROLE_PART || plan->part_domain != WS_GPU || !plan->header || !sample->n ||
        ws_device_name_of(ws_row_cell(sample->rows[0], column)).is_known)
        return;
    ws_notes_add(context->notes, "assumed-device", context->source, "", plan->line,
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
            plan->sample_gap_ns = gap;
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
 * stamps finer than a second in regular bursts, or a date line before each; and where it holds more rows than there are names or
 * nodes. */
static ws_status settle_positions(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error)
{
    ws_status status = WS_OK;
    if (plan->is_wide || (plan->identity != WS_ROLE_UNKNOWN && plan->identity != WS_ROLE_NAME))
        return WS_OK;
    size_t groups = count_groups(plan, sample);
    ws_plan_context of_bursts = *context;
    if (groups > 1) /* whose bursts may change in size */
        of_bursts.notes = NULL;
    plan->positions = longest_turn(plan, sample);
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    if (plan->positions < 2 && has_fine_stamps(t, sample->n))
        find_bursts(plan, &of_bursts, sample, t);
    if (groups > 1 && plan->positions <= groups)
        plan->positions = 0, plan->sample_gap_ns = 0;
    if (t && plan->positions < 2)
        status = settle_shared_stamps(plan, context, sample, t, error);
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
