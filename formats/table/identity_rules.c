/* Rules over readings: whose rows they are. Which column tells devices apart, and how many take turns where none does,
 * by signs that trace_sample.h reads. See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/node_turns.h"
#include "formats/table/trace_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NS_PER_S INT64_C(1000000000)

/* Without a header: a word before the stamp, as `echo -n "$(hostname),"` writes it. */
static bool is_node(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    return column == 0 && !plan->header && plan->node < 0 && plan->time == 1 && ws_has_rows(t) &&
           !ws_plan_uses(plan, 0) && !ws_stats_of(t, 0)->not_hosts;
}

static void take_node(ws_columns *t, uint32_t column)
{
    t->plan->node = (int32_t)column;
    ws_rule_note(t, "", "no header: column #%u holds words before the stamp and is taken for the node", column + 1);
}

/* "timestamp,gpu0,gpu1,node": numbers with decimals are the host's power or load. */
static bool holds_readings_of_host(const ws_columns *t, uint32_t column)
{
    if ((int32_t)column != t->plan->node || !t->plan->header || t->context->map->n || !ws_has_rows(t))
        return false;
    enum { FEWEST = 3 };
    const ws_column_stats *s = ws_stats_of(t, column);
    return s->bare == t->sample->n && s->range.has_fraction && s->distinct >= FEWEST;
}

static void drop_readings_of_host(ws_columns *t, uint32_t column)
{
    t->plan->node = WS_NO_COLUMN;
    ws_rule_note(t, ws_header_of(t, (int32_t)column),
                 "'%s' holds no names of hosts but numbers that change, which may be powers or loads, and is not read "
                 "(--columns power=#%u, and so on for each power, reads it)",
                 ws_header_of(t, (int32_t)column), column + 1);
}

/* No header, no id, and the user has not said how many devices take turns. */
static bool may_have_index(const ws_columns *t)
{
    const ws_plan *plan = t->plan;
    bool has_identity = false;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_INDEX; role++)
        has_identity |= plan->ids[role] >= 0;
    return !plan->header && !plan->is_wide && !t->context->map->devices && !has_identity;
}

static bool may_be_index(const ws_columns *t, uint32_t column)
{
    return ws_stats_of(t, column)->round && !ws_plan_uses(t->plan, column);
}

static bool is_index(const ws_columns *t, uint32_t column)
{
    for (uint32_t c = 0; c < column; c++)
        if (may_be_index(t, c))
            return false;
    return may_be_index(t, column);
}

static void take_index(ws_columns *t, uint32_t column)
{
    t->plan->ids[WS_ROLE_INDEX] = (int32_t)column;
    ws_rule_note(t, "", "no header: column #%u counts devices in turn and is taken for their index", column + 1);
}

/* The column of parts beside that of the sockets; WS_NO_COLUMN if there is none. */
static int32_t find_part_column(const ws_plan *plan)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if ((int32_t)c != plan->socket && ws_meaning_of(ws_span_of(plan->header[c])).role == WS_ROLE_PART)
            return (int32_t)c;
    return WS_NO_COLUMN;
}

static bool are_zones(const ws_plan *plan, const ws_trace_sample *sample, int32_t words)
{
    for (size_t i = 0; i < sample->n; i++) {
        ws_rapl_zone zone;
        ws_span word = ws_row_cell(sample->rows[i], words), socket = ws_row_cell(sample->rows[i], plan->socket);
        if (!ws_span_is_missing(word) && (!ws_rapl_zone_at((ws_span){"", 0}, socket, word, &zone) || zone.is_unclear))
            return false;
    }
    return true;
}

/* "socket,domain" */
static bool names_zones(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    return plan->socket >= 0 && plan->node < 0 && plan->ids[WS_ROLE_PART] >= 0 &&
           (int32_t)column == find_part_column(plan) && ws_stats_of(t, column)->distinct >= t->least_zones &&
           are_zones(plan, t->sample, (int32_t)column);
}

static void take_zones(ws_columns *t, uint32_t column)
{
    t->zones = t->plan->ids[WS_ROLE_PART] = (int32_t)column;
}

/* Some cells are neither numbers nor names of a machine's parts. */
static bool names_no_parts(const ws_columns *t, uint32_t column)
{
    return (int32_t)column == t->plan->ids[WS_ROLE_PART] && ws_stats_of(t, column)->not_parts;
}

static void drop_parts(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->ids[WS_ROLE_PART] = WS_NO_COLUMN;
}

/* An "index" with a new value in every row, if the rows last more than a second. */
static bool counts_rows(const ws_columns *t, uint32_t column)
{
    size_t n = t->sample->n, distinct = ws_stats_of(t, column)->distinct;
    if ((int32_t)column != t->plan->ids[WS_ROLE_INDEX] || distinct < 3 || distinct < n)
        return false;
    return t->t_ns ? t->t_ns[n - 1] - t->t_ns[0] > NS_PER_S : n > 16;
}

static void drop_row_counter(ws_columns *t, uint32_t column)
{
    t->plan->ids[WS_ROLE_INDEX] = WS_NO_COLUMN;
    ws_rule_note(t, "", "the column '%s' counts rows and is no device number", ws_header_of(t, (int32_t)column));
}

static bool has_stamps_of_their_own(const ws_columns *t)
{
    for (size_t i = 1; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] <= t->t_ns[i - 1])
            return false;
    return t->t_ns && t->sample->n >= 3;
}

/* "TOTAL,CPU,GPU" of a board's rails in mW, loads with decimals: a new number in most rows, or more than any index and
 * less than a serial number. Numbers without a gap are those of one poll. */
static bool changes_like_readings(const ws_column_stats *s, size_t rows)
{
    bool is_new = s->distinct * 2 > rows &&
                  (s->range.has_fraction || (s->most > 100 && s->most - s->least + 1 > (double)s->distinct));
    return rows >= WS_READINGS_LEAST_ROWS && (is_new || (s->most > WS_LARGEST_INDEX && s->most < WS_LEAST_SERIAL));
}

/* "gpu,cpu,power" with loads in %: numbers up to 100 that cannot be indices, in rows that all have different stamps. */
static bool holds_loads(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of(t, column);
    bool may_be_loads = s->most <= 100 && s->most >= WS_MOST_GPUS_OF_A_NODE && (double)s->distinct <= s->most;
    return (int32_t)column == t->plan->ids[WS_ROLE_GPU] && s->bare == t->sample->n && s->least >= 0 &&
           s->distinct >= 2 && ((may_be_loads && !s->round) || changes_like_readings(s, t->sample->n));
}

static void drop_loads(ws_columns *t, uint32_t column)
{
    const char *name = ws_header_of(t, (int32_t)column);
    bool may_be_loads = ws_stats_of(t, column)->most <= 100;
    t->plan->ids[WS_ROLE_GPU] = WS_NO_COLUMN;
    ws_rule_note(t, "", "the column '%s' holds %s and no device numbers (--columns %s=%s reads them)", name,
                 may_be_loads ? "loads" : "readings", may_be_loads ? "util" : "power", name);
}

/* The strongest of the roles for which the plan has this column; WS_ROLE_UNKNOWN: none. */
static ws_role id_role(const ws_columns *t, uint32_t column)
{
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        if (t->plan->ids[role] == (int32_t)column)
            return (ws_role)role;
    return WS_ROLE_UNKNOWN;
}

/* A column named "index" that is 0 in every row must not hide the column that names the device. Among equals the
 * strongest wins: uuid, bus id, number, name. */
static bool tells_most_apart(const ws_columns *t, uint32_t column)
{
    ws_role own = id_role(t, column);
    size_t distinct = ws_stats_of(t, column)->distinct;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++) {
        size_t other = ws_trace_sample_count(t->sample, t->plan->ids[role]);
        if (other > distinct || (other == distinct && role < (int)own))
            return false;
    }
    return own != WS_ROLE_UNKNOWN && distinct;
}

static void take_identity(ws_columns *t, uint32_t column)
{
    t->plan->identity = id_role(t, column);
    t->plan->n_ids = ws_stats_of(t, column)->distinct;
}

static bool has_identity(const ws_columns *t)
{
    return t->plan->identity != WS_ROLE_UNKNOWN;
}

static bool numbers_devices(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    int32_t gpu = plan->ids[WS_ROLE_GPU], index = plan->ids[WS_ROLE_INDEX];
    bool gpu_does = gpu >= 0 && ws_trace_sample_count(t->sample, gpu) == plan->n_ids;
    bool index_does = index >= 0 && ws_trace_sample_count(t->sample, index) == plan->n_ids;
    return gpu_does ? (int32_t)column == gpu : index_does && (int32_t)column == index;
}

static void take_number(ws_columns *t, uint32_t column)
{
    t->plan->number = (int32_t)column;
}

static bool zones_tell_apart(const ws_columns *t)
{
    return t->zones >= 0 && t->plan->identity == WS_ROLE_PART;
}

static void take_sockets(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->has_sockets = true;
    t->plan->node = t->plan->socket;
}

/* --- devices that take turns --- */

static bool is_wholly(const ws_row *a, const ws_row *b)
{
    bool is_same = a->n_cells == b->n_cells;
    for (uint32_t c = 0; is_same && c < a->n_cells; c++)
        is_same = ws_span_same(a->cells[c], b->cells[c]);
    return is_same;
}

/* The time between rows that are spread over the whole time from poll to poll; 0: polls have a pause, which parts them,
 * or steps are too uneven to show a row that is missing. *has_pause: the former. */
static int64_t even_step(const ws_turns *x, size_t devices, int64_t poll_ns, bool *has_pause)
{
    double even;
    size_t polls = x->n / devices;
    int64_t step = ws_turns_usual_time(x, 1, &even); /* leaves the steps in order */
    int64_t pause = polls && x->n > devices ? x->scratch[x->n - 1 - (polls + 1) / 2] : poll_ns;
    *has_pause = (double)pause / 2 >= (1 - WS_TURNS_LATE) * (double)poll_ns;
    return even >= WS_TURNS_EVEN_STEPS && (double)step * (double)devices >= WS_TURNS_EVEN_STEPS * (double)poll_ns ? step
                                                                                                                  : 0;
}

static void time_polls(ws_plan *plan, const ws_turns *x, size_t devices, int64_t poll_ns)
{
    bool has_pause = false;
    int64_t step = poll_ns > 0 ? even_step(x, devices, poll_ns, &has_pause) : 0;
    plan->poll_ns = has_pause ? poll_ns : 0;
    plan->poll_step_ns = has_pause ? 0 : step;
}

static void set_turns(ws_plan *plan, const ws_turns *x, size_t devices, int64_t poll_ns)
{
    size_t repeats = 0;
    for (size_t i = 1; i < x->sample.n; i++)
        repeats += is_wholly(x->sample.rows[i - 1], x->sample.rows[i]);
    plan->positions = (uint32_t)devices;
    plan->poll_mark = ws_turns_column_of(plan, WS_MEM_USED);
    plan->drops_repeats = (double)repeats <= WS_TURNS_REPEATS * (double)x->sample.n;
    time_polls(plan, x, devices, poll_ns);
}

static void ask_devices(ws_plan *plan, const ws_plan_context *context, const char *why)
{
    char described[80] = "";
    plan->ask = WS_ASK_DEVICES;
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
    return context->described_devices > 1 && polls >= WS_TURNS_FEW_POLLS &&
           (double)alike >= WS_TURNS_DESCRIBED * (double)polls;
}

/* The shortest time between polls that share their stamps. */
static int64_t step_of_stamps(const int64_t *t, size_t n)
{
    int64_t step = 0;
    for (size_t i = 1; i < n; i++)
        step = t[i] > t[i - 1] && (!step || t[i] - t[i - 1] < step) ? t[i] - t[i - 1] : step;
    return step;
}

static size_t common_multiple(size_t a, size_t b)
{
    size_t x = a, y = b;
    while (y) {
        size_t rest = x % y;
        x = y, y = rest;
    }
    return x ? a / x * b : 0;
}

/* How many devices the columns prove: memory differs between devices and hardly changes, a temperature is slow, and
 * where both come back it is after a multiple of both. 0: nothing is proven. */
static size_t proven_devices(const ws_turn_signs *s)
{
    if (s->memory && s->temperature)
        return common_multiple(s->memory, s->temperature);
    if (s->memory || s->temperature)
        return s->memory ? s->memory : s->temperature;
    return s->temperature_steps == s->power_steps ? s->power_steps : 0;
}

/* Some column comes back after rows that so many devices would not explain. What comes back after more rows than a node
 * has GPUs, and after whole polls, is a load that all of them share. */
static bool contradict(const ws_turn_signs *s, size_t devices)
{
    const size_t all[] = {s->power, s->power_steps, s->temperature_steps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool is_load = all[i] > WS_MOST_GPUS_OF_A_NODE && all[i] % devices == 0;
        if (all[i] && devices % all[i] && !is_load)
            return true;
    }
    return false;
}

/* nvidia-smi's powers that follow each other faster than any GPU measures them, and hardly ever repeat. */
static bool outpace_sensors(const ws_turns *x)
{
    double share;
    size_t same = 0;
    int64_t step = ws_turns_usual_time(x, 1, &share);
    int32_t column = ws_turns_column_of(x->plan, WS_POWER);
    ws_span name = x->plan->header && column >= 0 ? ws_span_of(x->plan->header[column]) : (ws_span){0};
    if (x->n < WS_SENSOR_LEAST_ROWS || !x->power || !ws_span_contains(name, "power.draw"))
        return false;
    for (size_t i = 1; i < x->n; i++)
        same += !(x->power[i] != x->power[i - 1]);
    double expected = 1 - (double)step / WS_SENSOR_FASTEST_NS;
    return expected > 0 && (double)same < expected / 2 * (double)x->n;
}

/* Most of the time passes in gaps between bursts of rows, as with polls of more devices than a node has. */
static bool come_in_bursts(const ws_turns *x)
{
    double share, pauses_ns = 0;
    size_t pauses = 0;
    int64_t step = ws_turns_usual_time(x, 1, &share);
    for (size_t i = 1; i < x->n; i++) {
        int64_t gap = x->t[i] - x->t[i - 1];
        pauses += gap > WS_BURST_GAP * step;
        pauses_ns += gap > WS_BURST_GAP * step ? (double)gap : 0;
    }
    double span_ns = (double)x->t[x->n - 1] - (double)x->t[0];
    return pauses >= WS_BURST_LEAST && pauses * 2 <= x->n && pauses_ns >= WS_BURST_PAUSES * span_ns;
}

/* Powers of GPUs, and nothing beside them, that nothing shows to be of one: neighbours differ as much as rows further
 * apart. */
static void assume_one(ws_plan *plan, const ws_plan_context *context, const ws_turns *x)
{
    int32_t column = ws_turns_column_of(plan, WS_POWER);
    for (size_t v = 0; v < plan->n_values; v++)
        if ((int32_t)plan->values[v].column == column && plan->values[v].meaning.domain != WS_GPU)
            return;
    if (!x->power || x->memory || x->temperature || x->util || x->clock || ws_neighbours_are_alike(x->power, x->n))
        return;
    plan->assumed = WS_STATUS_ASSUMED_DEVICE;
    ws_notes_add(context->notes, WS_FINDING_ASSUMED_DEVICE, context->source, "", plan->line,
                 "rows that follow each other differ as much as rows further apart, so that nothing shows how many "
                 "devices take turns: they are read as one device (--columns devices=1 confirms it, devices=N says "
                 "otherwise)");
}

/* A reading of the domain that all of them are of, where none names its device; NULL: there are several. */
static const ws_meaning *only_domain(const ws_plan *plan)
{
    const ws_meaning *first = NULL;
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_meaning *m = &plan->values[v].meaning;
        if (!ws_is_metered(m->quantity))
            continue;
        if (m->device.n || (first && m->domain != first->domain))
            return NULL;
        first = m;
    }
    return first;
}

/* Readings of meters or processors at even steps: a load may come back in turn. Rows of a loop over them share their
 * stamps or follow each other closely. */
static bool are_even_rows_without_gpus(const ws_turns *x, const ws_turn_signs *s)
{
    bool has_gpus = false, has_others = false;
    for (size_t v = 0; v < x->plan->n_values; v++) {
        const ws_meaning *m = &x->plan->values[v].meaning;
        has_gpus |= ws_is_metered(m->quantity) && m->domain == WS_GPU;
        has_others |= ws_is_metered(m->quantity) && m->domain != WS_GPU;
    }
    return has_others && !has_gpus && !s->time && !s->time_steps && !ws_turns_repeat_stamps(x) &&
           !ws_turns_are_uneven(x);
}

/* Why the number of devices is open, though no column proves it; NULL: rows look like those of one device. */
static const char *doubt(const ws_turns *x, const ws_turn_signs *s, bool is_fine)
{
    double share;
    if (are_even_rows_without_gpus(x, s))
        return NULL;
    if (s->power || s->power_steps)
        return "powers come back in turn, as those of several devices would";
    if (s->memory || s->temperature || s->temperature_steps || s->util_steps || s->clock_steps)
        return "readings come back in turn, as those of several devices would";
    if (!is_fine || !ws_turns_are_fresh(x, ws_turns_usual_time(x, 1, &share)))
        return NULL;
    if (come_in_bursts(x))
        return "rows come in bursts, as those of several devices would";
    if (!x->steps_back && ws_turns_are_uneven(x))
        return "rows follow each other in uneven steps, as those of several devices would";
    if (s->time_steps)
        return "the steps between rows come back in turn, as those between several devices would";
    return outpace_sensors(x) ? "powers change faster than any GPU measures them, as those of several devices would"
                              : NULL;
}

/* The described number of devices decides if it fits: each poll has as many rows, or the readings recur after as many.
 */
static bool take_description(ws_plan *plan, const ws_plan_context *context, const ws_turns *x, const ws_turn_signs *s,
                             bool is_fine)
{
    double share;
    bool lost_only = true;
    uint32_t n = context->described_devices;
    if (n < 2 || n * WS_TURNS_FEW_POLLS > x->n)
        return false;
    int64_t described_ns = ws_turns_usual_time(x, n, &share), within_ns = is_fine ? described_ns / 2 : 0;
    bool fits = ws_turns_are_fresh(x, within_ns) && fit_description(context, x->t, x->n, within_ns, &lost_only);
    if (!fits && s->memory != n && s->power != n && s->power_steps != n && s->time_steps != n)
        return false;
    set_turns(plan, x, n, is_fine || lost_only ? described_ns : 0);
    return true;
}

/* Columns prove it best; then times, where they are finer than the rows of a poll; then what the run is described with.
 * What of this contradicts, and what only points to several devices, is asked. */
static void find_turns(ws_plan *plan, const ws_plan_context *context, const ws_turns *x, bool is_fine)
{
    double share;
    ws_turn_signs s = ws_turns_read_signs(x, is_fine);
    size_t devices = proven_devices(&s);
    if (s.time && !ws_turns_are_fresh(x, s.poll_ns / 2))
        return;
    if (s.time && devices && s.time % devices == 0)
        devices = s.time;
    if (!devices && s.time && !contradict(&s, s.time))
        devices = s.time;
    bool is_many = devices > WS_MOST_GPUS_OF_A_NODE && devices != s.time;
    if (devices && !is_many && !contradict(&s, devices)) {
        set_turns(plan, x, devices, devices == s.time ? s.poll_ns : ws_turns_usual_time(x, devices, &share));
        return;
    }
    const char *why = doubt(x, &s, is_fine);
    if (take_description(plan, context, x, &s, is_fine))
        return;
    if (!why && !context->described_devices)
        assume_one(plan, context, x);
    if (!why)
        return;
    bool says_one = context->described_devices == 1 && !(is_fine && (ws_turns_are_uneven(x) || s.time_steps));
    if (!says_one || devices)
        ask_devices(plan, context, why);
}

static void look_for_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                           const int64_t *t, bool is_fine)
{
    enum { ENOUGH = 4096 };
    ws_turns x = {.plan = plan, .sample = *sample, .t = t, .n = sample->n < ENOUGH ? sample->n : ENOUGH};
    if (x.n < 2 * WS_TURNS_FEW_POLLS)
        return;
    x.scratch = ws_alloc(x.n * sizeof *x.scratch);
    x.sample.n = x.n;
    ws_turns_leave_out_steps_back(&x);
    x.power = ws_turns_numbers_of(plan, &x.sample, WS_POWER);
    x.memory = ws_turns_numbers_of(plan, &x.sample, WS_MEM_USED);
    x.temperature = ws_turns_numbers_of(plan, &x.sample, WS_TEMPERATURE);
    x.util = ws_turns_numbers_of(plan, &x.sample, WS_UTIL);
    x.clock = ws_turns_numbers_of(plan, &x.sample, WS_CLOCK);
    if (x.n >= 2 * WS_TURNS_FEW_POLLS)
        find_turns(plan, context, &x, is_fine);
    free(x.scratch);
    free(x.power);
    free(x.memory);
    free(x.temperature);
    free(x.util);
    free(x.clock);
}

/* Is the column of unknown meaning, or the second of two columns of parts? */
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
        if (ws_span_is_missing(cell) || ws_span_number(cell, &number, &rest) || i - first > WS_TURNS_MOST)
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
            return ws_fail_remedy(
                error, WS_REMEDY_ANSWER, NULL,
                ws_fail_at(
                    error, WS_DATA, context->source, plan->line,
                    "rows of one time differ by their '%s', which names nothing that is known here: "
                    "--columns gpu=%s,domain=other shows each and adds none, as one may hold others; gpu=%s alone "
                    "adds them as devices, devices=1 takes them for one",
                    plan->header[c], plan->header[c], plan->header[c]));
    return WS_OK;
}

/* Do the words of a column come again after each poll, and name parts of a machine that differ in kind, or a total?
 * "CPU Package", "CPU Cores", "GPU Power" of Open Hardware Monitor and LibreHardwareMonitor, in rows of a few ms apart
 * (a public power_log.csv with Sensor_Name and Watts). */
static bool names_parts_in_turn(const ws_plan *plan, const ws_trace_sample *sample, int32_t column)
{
    ws_domain first = WS_OTHER;
    size_t again = 0, n = sample->n, polls = plan->positions;
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        ws_span cell = ws_row_cell(sample->rows[i], column);
        ws_device_name name = ws_device_name_of(cell);
        differ |= name.is_total || (name.domain != WS_OTHER && first != WS_OTHER && name.domain != first);
        first = name.domain != WS_OTHER ? name.domain : first;
        again += i >= polls && ws_span_same(cell, ws_row_cell(sample->rows[i - polls], column));
    }
    return differ && (double)again >= WS_TURNS_AGAIN * (double)(n - polls) &&
           ws_trace_sample_count(sample, column) <= polls;
}

/* Their places would make a GPU of each, and a sum that holds some of them twice. */
static ws_status refuse_parts_in_turn(const ws_plan *plan, const ws_plan_context *context,
                                      const ws_trace_sample *sample, ws_error *error)
{
    for (uint32_t c = 0; plan->header && plan->positions > 1 && sample->n > plan->positions && c < plan->n_columns; c++)
        if (is_unknown(plan, c) && names_parts_in_turn(plan, sample, (int32_t)c))
            return ws_fail_at(error, WS_DATA, context->source, plan->line,
                              "rows of one poll are those of different parts, as their '%s' says: --columns gpu=%s "
                              "takes each for the part that it names",
                              plan->header[c], plan->header[c]);
    return WS_OK;
}

/* Nodes and names of GPUs tell rows apart, though not two GPUs of one model in one node. */
static bool same_group(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    return ws_span_same(ws_row_cell(a, plan->node), ws_row_cell(b, plan->node)) &&
           ws_span_same(ws_row_cell(a, plan->name), ws_row_cell(b, plan->name));
}

/* Stops at one more than WS_TURNS_MOST. */
static size_t count_groups(const ws_plan *plan, const ws_trace_sample *sample)
{
    const ws_row *first[WS_TURNS_MOST + 1];
    size_t n = 0;
    for (size_t i = 0; i < sample->n && n <= WS_TURNS_MOST; i++) {
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
    for (size_t k = i; k > 0 && t[k - 1] == t[i] && i - k < WS_TURNS_MOST; k--)
        if (same_group(plan, sample->rows[k - 1], sample->rows[i]))
            return true;
    return false;
}

/* Many rows have the stamp of one above; *fresh: so many of them say something else. */
static size_t count_repeated_stamps(const ws_plan *plan, const ws_trace_sample *sample, const int64_t *t, size_t *fresh)
{
    size_t repeats = 0;
    *fresh = 0;
    for (size_t i = 1; i < sample->n; i++) {
        bool is_repeat = repeats_stamp(plan, sample, t, i);
        repeats += is_repeat;
        *fresh += is_repeat && ws_turns_rows_differ(plan, sample->rows[i - 1], sample->rows[i]);
    }
    return sample->n >= 4 && (double)repeats >= WS_TURNS_SHARED * (double)sample->n ? repeats : 0;
}

static ws_status settle_shared_stamps(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                      const int64_t *t, ws_error *error)
{
    size_t fresh, repeats = count_repeated_stamps(plan, sample, t, &fresh);
    bool lost_only;
    if (!repeats)
        return WS_OK;
    ws_status status = refuse_unknown_turns(plan, context, sample, t, error);
    if (status == WS_OK && fresh * 2 > repeats && fit_description(context, t, sample->n, 0, &lost_only)) {
        ws_turns x = {.plan = plan, .sample = *sample, .t = t, .n = sample->n};
        x.scratch = ws_alloc(sample->n * sizeof *x.scratch);
        set_turns(plan, &x, context->described_devices, lost_only ? step_of_stamps(t, sample->n) : 0);
        free(x.scratch);
    } else if (status == WS_OK && fresh * 2 > repeats && t[sample->n - 1] > t[0]) /* without time there is no energy */
        ask_devices(plan, context, "rows share their stamps");
    else if (status == WS_OK)
        ws_notes_add(
            context->notes, WS_FINDING_SHARED_STAMPS, context->source, "", plan->line,
            "rows share their stamps and most say the same: read as one device (devices=N in the column map says "
            "otherwise)");
    return status;
}

/* Readings that no device has by their name, and none of a GPU: those of a rank's node or socket. */
static bool are_of_others(const ws_plan *plan)
{
    bool has_others = false;
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_meaning *m = &plan->values[v].meaning;
        if (ws_is_metered(m->quantity) && m->domain == WS_GPU)
            return false;
        has_others |= ws_is_metered(m->quantity) && !m->device.n;
    }
    return has_others;
}

/* Most rows have another power than the one above them, which is of another part. */
static bool parts_differ(const ws_plan *plan, const ws_trace_sample *sample)
{
    double *power = ws_turns_numbers_of(plan, sample, WS_POWER);
    size_t pairs = 0, differ = 0;
    for (size_t i = 1; power && i < sample->n; i++) {
        bool is_pair = !ws_span_same(ws_row_cell(sample->rows[i], plan->ids[plan->identity]),
                                     ws_row_cell(sample->rows[i - 1], plan->ids[plan->identity]));
        pairs += is_pair;
        differ += is_pair && (power[i] < power[i - 1] || power[i] > power[i - 1]);
    }
    free(power);
    return 2 * differ > pairs;
}

/* The readings of "timestamp,rank,node_power_w" may be of a node each, or of one that all ranks read. */
static void ask_of_parts(ws_plan *plan, const ws_plan_context *context, const char *column)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_metered(plan->values[v].meaning.quantity) && !plan->values[v].meaning.device.n)
            plan->values[v].ask = WS_ASK_DEVICES;
    ws_notes_add(context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line,
                 "readings of each '%s' may be of a node each or of one that all of them read: --columns node=%s takes "
                 "them for nodes, devices=1 the first alone",
                 column, column);
}

static void note_parts(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int32_t column = plan->ids[WS_ROLE_PART];
    if (plan->identity != WS_ROLE_PART || plan->part_domain != WS_GPU || !plan->header || !sample->n ||
        ws_device_name_of(ws_row_cell(sample->rows[0], column)).is_known)
        return;
    if (plan->node < 0 && plan->n_ids > 1 && context->map->devices != 1 && are_of_others(plan) &&
        parts_differ(plan, sample)) {
        ask_of_parts(plan, context, plan->header[column]);
        return;
    }
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
    uint32_t *owner = ws_trace_sample_owners(plan, sample, &n);
    size_t *last = ws_alloc((n + 1) * sizeof *last), repeats = 0; /* counted from 1 */
    for (size_t i = 0; i < sample->n; i++) {
        repeats += last[owner[i]] && t[last[owner[i]] - 1] == t[i];
        last[owner[i]] = i + 1;
    }
    free(last);
    free(owner);
    free(t);
    if (repeats * 2 < sample->n)
        return WS_OK;
    return ws_fail_remedy(
        error, WS_REMEDY_ANSWER, NULL,
        ws_fail_at(error, WS_DATA, context->source, plan->line,
                   "rows of one time and one device differ by their '%s', too: one column must tell them apart "
                   "(--columns gpu=NAME)",
                   plan->header[other]));
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
        ws_turns x = {.plan = plan, .t = t, .n = sample->n, .scratch = ws_alloc(sample->n * sizeof *x.scratch)};
        if (ws_turns_stamps_are_fine(t, sample->n) || gap > 2 * NS_PER_S)
            time_polls(plan, &x, devices, 2 * gap);
        free(x.scratch);
    }
    free(t);
}

/* The rows below each line that holds a date: how many polls have so many, and how many in how few. */
typedef struct date_polls {
    size_t alike[WS_TURNS_MOST + 2]; /* by size; the last one counts all that are larger */
    size_t n, extra;                 /* polls; those that hold more rows than most do */
    bool has_repeats;                /* a poll of the usual size has a row that is wholly the one above it */
} date_polls;

static uint32_t usual_poll(const date_polls *p)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k <= WS_TURNS_MOST + 1; k++)
        best = p->alike[k] && p->alike[k] >= p->alike[best] ? k : best;
    return best;
}

static size_t end_of_poll(const ws_trace_sample *sample, size_t first)
{
    size_t i = first;
    while (i < sample->n && sample->turn[i] == sample->turn[first])
        i++;
    return i;
}

static bool repeats_a_row(const ws_trace_sample *sample, size_t first, size_t end)
{
    bool has = false;
    for (size_t i = first + 1; i < end; i++)
        has |= is_wholly(sample->rows[i - 1], sample->rows[i]);
    return has;
}

/* The last poll may go on behind the sample, so it counts where it is the only one. */
static date_polls count_date_polls(const ws_trace_sample *sample)
{
    date_polls p = {0};
    for (size_t i = 0, end; i < sample->n; i = end) {
        end = end_of_poll(sample, i);
        if (p.n && end == sample->n)
            break;
        size_t size = end - i <= WS_TURNS_MOST ? end - i : WS_TURNS_MOST + 1;
        p.alike[size]++, p.n++;
    }
    uint32_t usual = usual_poll(&p);
    for (size_t i = 0, end; i < sample->n; i = end) {
        end = end_of_poll(sample, i);
        p.extra += end - i > usual;
        p.has_repeats |= end - i == usual && repeats_a_row(sample, i, end);
    }
    return p;
}

/* A date stands above each poll: as many devices as most polls have rows. One with fewer lacks some, and one with more
 * repeats some; where that are many the size of a poll says little. */
static void settle_date_polls(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    date_polls p = count_date_polls(sample);
    uint32_t usual = usual_poll(&p);
    plan->positions = usual;
    plan->drops_repeats = usual > 1 && p.extra && !p.has_repeats;
    plan->poll_mark = usual > 1 ? ws_turns_column_of(plan, WS_MEM_USED) : WS_NO_COLUMN;
    bool fits = context->described_devices == usual;
    bool is_plain = p.alike[usual] * 2 > p.n && (double)p.extra <= WS_TURNS_MORE * (double)p.n;
    if (!is_plain && !fits)
        ask_devices(plan, context, "the dates have different numbers of rows below them");
}

/* "gpu0", "3": a device by its number or by what it is. */
static bool is_plainly_a_device(ws_span id)
{
    int64_t number;
    ws_device_name name = ws_device_name_of(id);
    return (ws_span_i64(id, &number) && number >= 0) || name.number >= 0 || name.is_known;
}

typedef struct sum_row {
    ws_span id;
    size_t polls;
    double least_w, most_w;
} sum_row;

/* Is one row of this poll, and only one, of something that is no plain device, and the sum of the others? */
static bool take_poll(const ws_plan *plan, const ws_trace_sample *sample, const double *power, size_t first, size_t end,
                      sum_row *s)
{
    double others = 0, own = NAN;
    for (size_t i = first; i < end; i++) {
        ws_span id = ws_span_trim(ws_row_cell(sample->rows[i], plan->ids[plan->identity]));
        bool is_device = is_plainly_a_device(id);
        if ((!is_device && (!isnan(own) || (s->id.n && !ws_span_same(s->id, id)))) || isnan(power[i]))
            return false;
        if (is_device)
            others += power[i];
        else
            own = power[i], s->id = id;
    }
    s->polls++;
    s->least_w = fmin(s->least_w, own), s->most_w = fmax(s->most_w, own);
    return end - first > 2 && fabs(own - others) <= WS_SUM_ROW * others;
}

/* "rig" beside "gpu0" and "gpu1": whatever it is called, it holds the others. */
static void find_sum_row(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    double *power = t ? ws_turns_numbers_of(plan, sample, WS_POWER) : NULL;
    sum_row s = {.least_w = INFINITY, .most_w = -INFINITY};
    bool is_sum = power && plan->n_ids > 2 && sample->n;
    for (size_t i = 0, end; is_sum && i < sample->n; i = end) {
        end = i + 1;
        while (end < sample->n && t[end] == t[i] &&
               ws_span_same(ws_row_cell(sample->rows[end], plan->node), ws_row_cell(sample->rows[i], plan->node)))
            end++;
        bool may_be_cut = end == sample->n && i;
        is_sum = may_be_cut || take_poll(plan, sample, power, i, end, &s);
    }
    if (is_sum && s.polls >= WS_SUM_LEAST_POLLS && s.most_w - s.least_w > 10 * WS_SUM_ROW * s.most_w)
        plan->sum_id = ws_span_of(ws_arena_printf(context->arena, "%.*s", WS_SPAN_ARG(s.id)));
    free(power);
    free(t);
}

/* Without a column that tells devices apart their place in the sample does, but only where the sample is plain to see:
 * stamps finer than a second in regular bursts, or a date line before each; and where it holds more rows than there are
 * names or nodes. */
static ws_status settle_positions(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error)
{
    ws_status status = WS_OK;
    bool is_told = plan->identity != WS_ROLE_UNKNOWN && plan->identity != WS_ROLE_NAME;
    if (is_told && !plan->is_wide) {
        find_sum_row(plan, context, sample);
        ws_plan_look_within_devices(plan, context, sample);
    }
    if (plan->is_wide)
        ws_plan_look_within_rows(plan, context, sample);
    if (is_told || plan->is_wide)
        return WS_OK;
    size_t groups = count_groups(plan, sample);
    ws_plan_context of_turns = *context;
    if (groups > 1) /* whose polls may change in size */
        of_turns.notes = NULL, of_turns.described_devices = 0;
    if (plan->uses_date_lines)
        settle_date_polls(plan, &of_turns, sample);
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    size_t fresh;
    if (t && count_repeated_stamps(plan, sample, t, &fresh))
        status = refuse_unknown_turns(plan, context, sample, t, error);
    if (status == WS_OK && plan->positions < 2 && t)
        look_for_turns(plan, &of_turns, sample, t, ws_turns_stamps_are_fine(t, sample->n));
    if (status == WS_OK)
        status = refuse_parts_in_turn(plan, context, sample, error);
    if (groups > 1 && plan->positions <= groups)
        plan->positions = 0, plan->poll_ns = 0, plan->ask = WS_ASK_NOTHING, plan->assumed = WS_STATUS_OK;
    if (status == WS_OK && t && plan->positions < 2 && !plan->ask)
        of_turns.notes = context->notes, status = settle_shared_stamps(plan, &of_turns, sample, t, error);
    free(t);
    return status;
}

/* Beside a column that tells devices apart --columns devices=N can say that each is one (N: as many as it tells, or 1).
 * Another number answers no question about their rows. */
static bool states_other_devices(const ws_plan *plan, uint32_t devices)
{
    return plan->identity != WS_ROLE_UNKNOWN && plan->identity != WS_ROLE_NAME && !plan->is_wide && devices > 1 &&
           devices != plan->n_ids;
}

/* "timestamp,node_power_w": rows that take turns are those of nodes. Those of "timestamp,cpu_power_w,dram_power_w" are
 * of several devices each, which no number of them parts. */
static void find_rows_domain(ws_plan *plan, const ws_plan_context *context)
{
    bool is_told = plan->is_wide || plan->identity != WS_ROLE_UNKNOWN || !(plan->ask || plan->positions > 1);
    const ws_meaning *only = is_told ? NULL : only_domain(plan);
    plan->has_rows_domain = only && only->domain != WS_GPU && only->domain != WS_OTHER;
    plan->rows_domain = plan->has_rows_domain ? only->domain : WS_GPU;
    bool has_own = plan->has_rows_domain || context->map->gives_domain;
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_meaning *m = &plan->values[v].meaning;
        has_own |= ws_is_metered(m->quantity) && !m->device.n && m->domain == WS_GPU;
    }
    if (is_told || has_own)
        return;
    if (plan->positions > 1)
        ws_notes_add(context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line,
                     "rows that take turns hold powers of several kinds: write a file for each node, or a column that "
                     "says whose row it is (--columns node=NAME)");
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_metered(plan->values[v].meaning.quantity) && !plan->values[v].meaning.device.n)
            plan->values[v].ask = WS_ASK_DEVICES;
}

static ws_status settle_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                              ws_error *error)
{
    ws_status status = refuse_two_parts(plan, context, sample, error);
    if (status != WS_OK)
        return status;
    note_parts(plan, context, sample);
    if (!context->map->devices || plan->columns_are_devices)
        status = settle_positions(plan, context, sample, error);
    else if (states_other_devices(plan, context->map->devices))
        ws_plan_look_within_devices(plan, context, sample);
    else
        settle_stated_turns(plan, sample, context->map->devices);
    find_rows_domain(plan, context);
    if (plan->asks_of_columns)
        ws_notes_add(context->notes, WS_FINDING_ASK_DEVICES, context->source, "", plan->line, "%s",
                     plan->asks_of_columns);
    return status;
}

static void take_turns(ws_columns *t, uint32_t column)
{
    (void)column;
    ws_plan_context own = *t->context;
    own.notes = &t->notes[WS_FACT_TURNS];
    t->status = settle_turns(t->plan, &own, t->sample, t->error);
}

/* --- the rules --- */

#define BEFORE_TURNS                                                                                          \
    (WS_FACT(NODE) | WS_FACT(INDEX) | WS_FACT(ZONES) | WS_FACT(NO_ID) | WS_FACT(IDENTITY) | WS_FACT(NUMBER) | \
     WS_FACT(SOCKET))

static const ws_column_rule rules_of_identity[] = {
    {"host-before-stamp", WS_FACT_NODE, 1, 0, NULL, is_node, take_node, WS_FINDING_ASSUMED_NODE,
     "echo -n \"$(hostname),\" before nvidia-smi --format=csv,noheader"},
    {"readings-of-a-host", WS_FACT_NODE, 2, 0, NULL, holds_readings_of_host, drop_readings_of_host,
     WS_FINDING_UNKNOWN_COLUMN, "no guess: no node has so many hosts; each row was a host of its own"},
    {"numbers-in-turn", WS_FACT_INDEX, 1, WS_FACT(NODE), may_have_index, is_index, take_index,
     WS_FINDING_ASSUMED_DEVICE, "nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv,noheader"},
    {"socket-and-zone", WS_FACT_ZONES, 1, WS_FACT(NODE), NULL, names_zones, take_zones, 0,
     "'#timestamp,interval,socket,domain,energy,power': the files of rapl-interval-csv; all words are zones of RAPL"},
    {"no-parts", WS_FACT_NO_ID, 3, WS_FACT(ZONES), NULL, names_no_parts, drop_parts, 0,
     "no guess: words that are not known tell no devices apart"},
    {"row-counter", WS_FACT_NO_ID, 2, WS_FACT(INDEX), ws_has_rows, counts_rows, drop_row_counter,
     WS_FINDING_ROW_COUNTER, "no guess: no node has a new device in every row; the index of pandas' to_csv"},
    {"load-column", WS_FACT_NO_ID, 1, WS_FACT(INDEX), has_stamps_of_their_own, holds_loads, drop_loads,
     WS_FINDING_LOAD_COLUMN, "no guess: it is left out, as more numbers than GPUs fit into a node are no indices"},
    {"tells-most-apart", WS_FACT_IDENTITY, 1, WS_FACT(NO_ID) | WS_FACT(ZONES), NULL, tells_most_apart, take_identity, 0,
     "an index that is 0 for eight GPUs beside their uuids: gpu80gb_x8_tz_mislabelled.csv of gpu-wrapper-csv"},
    {"numbers-of-devices", WS_FACT_NUMBER, 1, WS_FACT(IDENTITY), has_identity, numbers_devices, take_number, 0,
     "'timestamp, index, name, pci.bus_id': rtx2070_repeated_header.csv of nvidia-smi-csv"},
    {"zones-tell-apart", WS_FACT_SOCKET, 1, WS_FACT(IDENTITY), zones_tell_apart, NULL, take_sockets, 0,
     "as socket-and-zone, where no other column tells more devices apart"},
    {"turns", WS_FACT_TURNS, 1, BEFORE_TURNS, NULL, NULL, take_turns, 0,
     "the logs beside each limit of column_limits.h; what they do not decide is asked for"},
};
const ws_rule_table ws_identity_rules = {rules_of_identity, sizeof rules_of_identity / sizeof *rules_of_identity};
