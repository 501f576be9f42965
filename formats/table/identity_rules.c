/* Rules over readings: whose rows they are. Which column tells devices apart, and how many take turns where none does.
 * See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/trace_plan.h"

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

/* "gpu,cpu,power" with loads in %: numbers up to 100 that cannot be indices, in rows that all have different stamps. */
static bool holds_loads(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of(t, column);
    return (int32_t)column == t->plan->ids[WS_ROLE_GPU] && s->bare == t->sample->n && s->least >= 0 && s->most <= 100 &&
           s->most >= WS_MOST_GPUS_OF_A_NODE && s->distinct >= 2 && (double)s->distinct <= s->most && !s->round;
}

static void drop_loads(ws_columns *t, uint32_t column)
{
    const char *name = ws_header_of(t, (int32_t)column);
    t->plan->ids[WS_ROLE_GPU] = WS_NO_COLUMN;
    ws_rule_note(t, "", "the column '%s' holds loads and no device numbers (--columns util=%s reads them)", name, name);
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

static void settle_turns(ws_columns *t, uint32_t column)
{
    (void)column;
    ws_plan_context own = *t->context;
    own.notes = &t->notes[WS_FACT_TURNS];
    t->status = ws_plan_settle_turns(t->plan, &own, t->sample, t->error);
}

/* --- the rules --- */

#define BEFORE_TURNS                                                                                          \
    (WS_FACT(NODE) | WS_FACT(INDEX) | WS_FACT(ZONES) | WS_FACT(NO_ID) | WS_FACT(IDENTITY) | WS_FACT(NUMBER) | \
     WS_FACT(SOCKET))

static const ws_column_rule rules_of_identity[] = {
    {"host-before-stamp", WS_FACT_NODE, 1, 0, NULL, is_node, take_node, WS_FINDING_ASSUMED_NODE,
     "echo -n \"$(hostname),\" before nvidia-smi --format=csv,noheader"},
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
    {"turns", WS_FACT_TURNS, 1, BEFORE_TURNS, NULL, NULL, settle_turns, 0, "trace_turns.c"},
};
const ws_rule_table ws_identity_rules = {rules_of_identity, sizeof rules_of_identity / sizeof *rules_of_identity};
