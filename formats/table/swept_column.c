#include "formats/table/swept_column.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ws_is_run_length(const char *name, double *to_s)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
    const ws_known_name *known = ws_dictionary_find_spelled(unit ? bare : ws_span_of(name));
    *to_s = unit ? unit->to_si : 1;
    return (!unit || unit->dimension == WS_DIM_TIME) && known && known->run && strcmp(known->run, "wall_s") == 0;
}

/* --- names --- */

typedef enum setting {
    NO_SETTING,
    A_SETTING,
    MAY_COUNT, /* rows, too: "batch" 0, 1, 2 of a training */
    MAY_READ   /* a reading of a logger as well: "clock_mhz" */
} setting;

static const struct {
    const char *word;
    setting is;
} words[] = {
    {"layers", A_SETTING},    {"depth", A_SETTING},      {"tile", A_SETTING},     {"mesh", A_SETTING},
    {"particles", A_SETTING}, {"atoms", A_SETTING},      {"elements", A_SETTING}, {"bodies", A_SETTING},
    {"nnz", A_SETTING},       {"width", A_SETTING},      {"height", A_SETTING},   {"clients", MAY_READ},
    {"users", MAY_READ},      {"streams", MAY_READ},     {"qps", MAY_READ},       {"size", A_SETTING},
    {"sizes", A_SETTING},     {"matrix", A_SETTING},     {"dim", A_SETTING},      {"dims", A_SETTING},
    {"nx", A_SETTING},        {"ny", A_SETTING},         {"nz", A_SETTING},       {"resolution", A_SETTING},
    {"seqlen", A_SETTING},    {"cap", A_SETTING},        {"limit", A_SETTING},    {"dvfs", A_SETTING},
    {"threads", MAY_READ},    {"workers", MAY_READ},     {"cores", MAY_READ},     {"procs", MAY_READ},
    {"ranks", MAY_READ},      {"concurrency", MAY_READ}, {"batch", MAY_COUNT},    {"bs", MAY_COUNT},
    {"n", MAY_COUNT},         {"freq", MAY_READ},        {"frequency", MAY_READ}, {"mhz", MAY_READ},
    {"ghz", MAY_READ},        {"clock", MAY_READ},       {"clk", MAY_READ},
};

/* Sizes and limits that are read: "heap_size", "battery_cap". */
static const char *const read_words[] = {"mem",  "memory",  "heap", "queue", "cache", "file", "log",
                                         "vm",   "rss",     "swap", "used",  "free",  "temp", "disk",
                                         "pool", "battery", "step", "iter",  "epoch"};

static setting setting_of(const char *name)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, ws_span_of(name));
    setting is = NO_SETTING;
    for (size_t from = 0, to; from < plain.n; from = to + 1) {
        for (to = from; to < plain.n && plain.p[to] != '_';)
            to++;
        ws_span word = {plain.p + from, to - from};
        for (size_t i = 0; i < sizeof read_words / sizeof *read_words; i++)
            if (ws_span_eq_nocase(word, read_words[i]))
                return NO_SETTING;
        for (size_t i = 0; i < sizeof words / sizeof *words && is != A_SETTING; i++)
            if (ws_span_eq_nocase(word, words[i].word))
                is = words[i].is;
    }
    return is;
}

/* --- rows --- */

/* The rows of one device, of a column that may have been set. */
typedef struct sweep {
    double value[WS_SWEEP_MOST_VALUES];
    size_t n, rows, least_block, most_block, block;
    double log_odds; /* of a trace against runs, by times that rise where nothing was set anew */
    int64_t first, before, least_step, most_step;
    bool returns;
} sweep;

static void end_block(sweep *s)
{
    s->least_block = s->least_block && s->least_block < s->block ? s->least_block : s->block;
    s->most_block = s->most_block > s->block ? s->most_block : s->block;
    s->block = 0;
}

static void begin_block(sweep *s, double value)
{
    for (size_t i = 0; i < s->n; i++)
        s->returns |= s->value[i] == value;
    if (s->n == WS_SWEEP_MOST_VALUES)
        s->returns = true;
    else
        s->value[s->n++] = value;
}

static void add_row(sweep *s, double value, int64_t t)
{
    bool is_new = !s->n || value != s->value[s->n - 1];
    if (s->rows) {
        int64_t step = t - s->before;
        s->least_step = s->rows == 1 || step < s->least_step ? step : s->least_step;
        s->most_step = s->rows == 1 || step > s->most_step ? step : s->most_step;
        if (!is_new)
            s->log_odds += step >= 0 ? log(2 * WS_SWEEP_RISES) : log(2 * (1 - WS_SWEEP_RISES));
    } else {
        s->first = t;
    }
    if (is_new && s->rows)
        end_block(s);
    if (is_new)
        begin_block(s, value);
    s->block++;
    s->before = t;
    s->rows++;
}

/* 0, 1, 2; 100, 200, 300 in a row each: as rows or steps of a loop are counted. */
static bool may_be_count(const sweep *s)
{
    double step = s->n > 1 ? s->value[1] - s->value[0] : 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->value[i] - s->value[i - 1] != step)
            return false;
    return step > 0 && (s->value[0] == 0 || s->value[0] == 1 || (s->value[0] == step && s->most_block == 1));
}

/* No run takes no time; and what begins at nothing and goes on by even steps is a clock. */
static bool is_from_start(const sweep *s)
{
    bool is_even = s->least_step > 0 && (double)s->least_step >= WS_SWEEP_EVEN * (double)s->most_step;
    return s->first <= 0 || (is_even && (double)s->first < WS_SWEEP_BEGINS * (double)s->least_step);
}

static bool is_sweep(const sweep *s, setting is)
{
    return s->n > 1 && !s->returns && !is_from_start(s) && s->log_odds < WS_SWEEP_PROVEN &&
           !(is == MAY_COUNT && may_be_count(s)) && !(is == MAY_READ && s->least_block != s->most_block);
}

/* Do the rows of each device go through the values of the column, once or in blocks? */
static bool is_swept(const ws_trace_sample *sample, uint32_t column, setting is, const int64_t *t,
                     const uint32_t *owner, uint32_t n_owners)
{
    sweep *s = ws_alloc(sizeof *s);
    bool all = true, any = false;
    for (uint32_t o = 0; o < n_owners && all; o++) {
        *s = (sweep){0};
        for (size_t i = 0; i < sample->n && all; i++) {
            double value;
            ws_span rest;
            if (owner[i] != o)
                continue;
            all = ws_span_number(ws_span_trim(ws_row_cell(sample->rows[i], (int32_t)column)), &value, &rest);
            if (all)
                add_row(s, value, t[i]);
        }
        end_block(s);
        all = all && (s->rows < 2 || is_sweep(s, is));
        any |= all && s->rows > 1;
    }
    free(s);
    return all && any;
}

/* --- the question --- */

static bool is_metered_column(const ws_plan *plan, uint32_t column)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].column == column && ws_is_metered(plan->values[v].meaning.quantity))
            return true;
    return false;
}

static bool tells_owner(const ws_plan *plan, uint32_t column)
{
    bool tells = (int32_t)column == plan->time || (int32_t)column == plan->date || (int32_t)column == plan->interval ||
                 (int32_t)column == plan->node || (int32_t)column == plan->socket;
    for (size_t role = 0; role < WS_ROLE_N; role++)
        tells |= plan->ids[role] == (int32_t)column;
    return tells;
}

static bool names_time(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (strcmp(map->columns[i].key, "time") == 0)
            return true;
    return false;
}

static bool may_be_length(const ws_plan *plan)
{
    double to_s;
    const char *name = plan->header[plan->time];
    const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(name));
    bool may_be_stamp = known && known->flags & WS_NAME_MAY_BE_STAMP;
    return ws_is_run_length(name, &to_s) &&
           (plan->stamps.form == WS_STAMP_ELAPSED || (plan->stamps.form == WS_STAMP_CLOCK && !may_be_stamp));
}

static int32_t swept_column(const ws_plan *plan, const ws_trace_sample *sample, const int64_t *t)
{
    uint32_t n;
    uint32_t *owner = ws_trace_sample_owners(plan, sample, &n);
    int32_t found = WS_NO_COLUMN;
    for (uint32_t c = 0; c < plan->n_columns && found < 0 && n <= WS_SWEEP_MOST_VALUES; c++) {
        setting is = is_metered_column(plan, c) || tells_owner(plan, c) ? NO_SETTING : setting_of(plan->header[c]);
        if (is == NO_SETTING || (is == MAY_READ && (int32_t)c > plan->time)) /* loggers write the time first */
            continue;
        if (is_swept(sample, c, is, t, owner, n))
            found = (int32_t)c;
    }
    free(owner);
    return found;
}

/* "time_s"; "#2" where the name would have to be quoted. */
static const char *typed(const ws_plan *plan, const ws_plan_context *context, uint32_t column)
{
    const char *name = plan->header[column];
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return ws_arena_printf(context->arena, "#%u", column + 1);
    return *name ? name : ws_arena_printf(context->arena, "#%u", column + 1);
}

static const ws_plan_value *ask_of_metered(ws_plan *plan)
{
    const ws_plan_value *first = NULL;
    for (size_t v = 0; v < plan->n_values; v++) {
        if (!ws_is_metered(plan->values[v].meaning.quantity))
            continue;
        plan->values[v].ask = WS_ASK_ROWS; /* what the rows are comes before what is in them */
        first = first ? first : &plan->values[v];
    }
    return first;
}

void ws_plan_ask_of_sweep(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    bool may_be = plan->header && plan->time >= 0 && sample->n > 1 && !names_time(context->map) && may_be_length(plan);
    int64_t *t = may_be ? ws_trace_sample_stamps(plan, sample) : NULL;
    int32_t column = t ? swept_column(plan, sample, t) : WS_NO_COLUMN;
    free(t);
    const ws_plan_value *first = column >= 0 ? ask_of_metered(plan) : NULL;
    if (!first)
        return;
    const char *time = plan->header[plan->time];
    ws_notes_add(
        context->notes, WS_FINDING_ASK_ROWS, context->source, "", plan->line,
        "'%s' goes through its values as in a table of runs, and '%s' may be how long each row took or when it "
        "was read: --columns '%s=%s,%s=%s' says that the rows are readings of one run, --as table-csv to "
        "'wattscale runs' that each is a run",
        plan->header[column], time, "time", typed(plan, context, (uint32_t)plan->time),
        first->meaning.quantity == WS_POWER            ? "power"
        : first->meaning.quantity == WS_ENERGY_COUNTER ? "counter"
                                                       : "energy",
        typed(plan, context, first->column));
}
