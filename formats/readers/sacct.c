/* Job records of Slurm, from `sacct --parsable2` or `-p` with their head:
 *
 *   JobID|JobName|State|Elapsed|Start|End|NNodes|AllocTRES|ConsumedEnergyRaw|NodeList
 *   3171624|train|COMPLETED|04:23:00|2025-05-14T09:21:59|2025-05-14T13:44:59|16|billing=4,gres/gpu=64,node=16|...
 *   3171624.batch|batch|COMPLETED|04:23:00|...
 *
 * Cells are not quoted, and a comment or command line may hold the separator itself. The energy is that of whole nodes:
 * on shared nodes it is not the job's own. */
#include "formats/format.h"
#include "formats/table/rows.h"
#include "formats/table/trace_head.h"

#include "core/arena.h"

#include <stdlib.h>

/* What the reader looks for in the head. */
typedef enum field {
    JOB_ID = 0,
    JOB_NAME,
    STATE,
    ELAPSED,
    ELAPSED_RAW,
    START,
    END,
    N_NODES,
    ALLOC_NODES,
    ALLOC_TRES,
    ENERGY,
    ENERGY_RAW,
    NODE_LIST,
    ALLOC_CPUS,
    TIME_LIMIT,
    TOTAL_CPU,
    SUBMIT,
    MAX_RSS,
    REQ_MEM,
    FREE_TEXT, /* where a surplus bar most likely stands */
    FIELD_N
} field;

static const struct {
    const char *name;
    field field;
} heads[] = {
    {"JobID", JOB_ID},
    {"JobName", JOB_NAME},
    {"State", STATE},
    {"Elapsed", ELAPSED},
    {"ElapsedRaw", ELAPSED_RAW},
    {"Start", START},
    {"End", END},
    {"NNodes", N_NODES},
    {"AllocNodes", ALLOC_NODES},
    {"AllocTRES", ALLOC_TRES},
    {"ConsumedEnergy", ENERGY},
    {"ConsumedEnergyRaw", ENERGY_RAW},
    {"NodeList", NODE_LIST},
    {"AllocCPUS", ALLOC_CPUS},
    {"Timelimit", TIME_LIMIT},
    {"TotalCPU", TOTAL_CPU},
    {"Submit", SUBMIT},
    {"MaxRSS", MAX_RSS},
    {"ReqMem", REQ_MEM},
    {"SubmitLine", FREE_TEXT},
    {"Comment", FREE_TEXT},
    {"AdminComment", FREE_TEXT},
    {"SystemComment", FREE_TEXT},
    {"WorkDir", FREE_TEXT},
};

/* Columns of the table, in its order. */
enum {
    C_JOB,
    C_STEP,
    C_NAME,
    C_STATE,
    C_ELAPSED,
    C_START,
    C_END,
    C_NODES,
    C_GPUS,
    C_ENERGY,
    C_NODE_LIST,
    C_CPUS,
    C_LIMIT,
    C_CPU_TIME,
    C_SUBMIT,
    C_RSS,
    C_MEMORY,
    C_N
};
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[C_N] = {[C_JOB] = {"job", WS_TEXT},
                  [C_STEP] = {"step", WS_TEXT},
                  [C_NAME] = {"name", WS_TEXT},
                  [C_STATE] = {"state", WS_TEXT},
                  [C_ELAPSED] = {"elapsed_s", WS_NUMBER},
                  [C_START] = {"start", WS_TEXT},
                  [C_END] = {"end", WS_TEXT},
                  [C_NODES] = {"nodes", WS_INTEGER},
                  [C_GPUS] = {"gpus", WS_INTEGER},
                  [C_ENERGY] = {"energy_j", WS_NUMBER},
                  [C_NODE_LIST] = {"node_list", WS_TEXT},
                  [C_CPUS] = {"cpus", WS_INTEGER},
                  [C_LIMIT] = {"timelimit_s", WS_NUMBER},
                  [C_CPU_TIME] = {"cpu_time_s", WS_NUMBER},
                  [C_SUBMIT] = {"submit", WS_TEXT},
                  [C_RSS] = {"max_rss_b", WS_NUMBER},
                  [C_MEMORY] = {"requested_memory", WS_TEXT}};

enum { NOT_THERE = -1 };

typedef struct sacct {
    ws_table *table;
    ws_row_policy policy;
    const ws_row *row;  /* that is being taken */
    int place[FIELD_N]; /* field of the row, NOT_THERE where the head has none */
} sacct;

static bool is_head(const ws_row *row)
{
    size_t known = 0;
    for (uint32_t c = 0; c < row->n_cells && row->n_cells > 1; c++)
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            known += ws_span_eq(row->cells[c], heads[i].name);
    return known >= 2;
}

static void sacct_take_head(sacct *s, const ws_row *row)
{
    ws_row_policy_header(&s->policy, &s->table->arena, row);
    for (size_t f = 0; f < FIELD_N; f++)
        s->place[f] = NOT_THERE;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (uint32_t c = 0; c < row->n_cells; c++)
            if (ws_span_eq(row->cells[c], heads[i].name) && s->place[heads[i].field] == NOT_THERE)
                s->place[heads[i].field] = (int)c;
}

/* A row with more bars than the head has them in its free text: the columns after that count from the end. */
static ws_span cell(const sacct *s, field f)
{
    int place = s->place[f];
    if (place == NOT_THERE)
        return (ws_span){"", 0};
    bool behind = s->place[FREE_TEXT] != NOT_THERE && place > s->place[FREE_TEXT];
    return s->row->cells[(uint32_t)place + (behind ? s->row->n_cells - s->policy.n_columns : 0)];
}

static void sacct_note(sacct *s, ws_finding finding, const char *text, ws_span found)
{
    const char *quote = found.n ? "'" : "";
    ws_notes_add(&s->table->notes, finding, s->table->source, "", s->row->line, "%s %s%.*s%s%s", text, quote,
                 WS_SPAN_ARG(found), quote, found.n ? "" : "the field is empty");
}

static void set_text(sacct *s, size_t row, size_t column, ws_span value)
{
    if (!ws_span_is_missing(value))
        ws_table_set_span(s->table, column, row, value);
}

static void set_job(sacct *s, size_t row, ws_span id)
{
    ws_span job, step;
    if (!ws_span_cut(id, ".", &job, &step)) {
        job = id;
        step = (ws_span){"", 0};
    }
    set_text(s, row, C_JOB, job);
    set_text(s, row, C_STEP, step);
}

/* "CANCELLED by 10069" names a user, which is nobody's business here. */
static void set_state(sacct *s, size_t row, ws_span state)
{
    ws_span before, after;
    if (ws_span_cut(state, " by ", &before, &after))
        state = before;
    set_text(s, row, C_STATE, state);
    if (ws_span_eq(state, "RUNNING"))
        sacct_note(s, WS_FINDING_JOB_IS_RUNNING, "time and energy of the job still grow in state", state);
}

static void set_elapsed(sacct *s, size_t row)
{
    ws_span raw = cell(s, ELAPSED_RAW), text = cell(s, ELAPSED);
    int64_t ns;
    if (ws_duration_parse(raw, &ns) || ws_duration_parse(text, &ns))
        ws_table_set_number(s->table, C_ELAPSED, row, (double)ns / 1e9);
    else if (raw.n || text.n)
        sacct_note(s, WS_FINDING_BAD_DURATION, "the elapsed time is no duration:", raw.n ? raw : text);
}

/* "billing=8,gres/gpu=8,gres/gpu:a100=8": the untyped count holds the typed ones, which are added where it is not. */
static bool find_gpus(ws_span tres, int64_t *gpus)
{
    ws_span item, name, number;
    int64_t value, typed = 0;
    bool found = false;
    while (ws_span_split(&tres, ',', &item)) {
        if (!ws_span_cut(item, "=", &name, &number) || !ws_span_i64(number, &value) || value < 0)
            continue;
        if (ws_span_eq(name, "gres/gpu")) {
            *gpus = value;
            return true;
        }
        if (ws_span_has_prefix(name, "gres/gpu:") && value < 1000000) {
            typed += value;
            found = true;
        }
    }
    *gpus = typed;
    return found;
}

static void set_counts(sacct *s, size_t row)
{
    int64_t value;
    if ((ws_span_i64(cell(s, N_NODES), &value) || ws_span_i64(cell(s, ALLOC_NODES), &value)) && value > 0)
        ws_table_set_integer(s->table, C_NODES, row, value);
    if (find_gpus(cell(s, ALLOC_TRES), &value))
        ws_table_set_integer(s->table, C_GPUS, row, value);
}

/* "4.58M": decimal multiples of joules, binary ones of bytes. */
static bool parse_multiple(ws_span text, double base, double *result)
{
    static const char *const suffixes[] = {"", "K", "M", "G", "T", "P", "E"};
    double factor = 1;
    ws_span suffix;
    if (!ws_span_number(text, result, &suffix))
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++, factor *= base) {
        if (ws_span_eq(suffix, suffixes[i])) {
            *result *= factor;
            return true;
        }
    }
    return false;
}

/* What asks for resources and what was used of them. "UNLIMITED" and "Partition_Limit" are no limit of the job's own.
 */
static void set_use(sacct *s, size_t row)
{
    int64_t value, ns;
    double bytes;
    if (ws_span_i64(cell(s, ALLOC_CPUS), &value) && value >= 0)
        ws_table_set_integer(s->table, C_CPUS, row, value);
    if (ws_duration_parse(cell(s, TIME_LIMIT), &ns))
        ws_table_set_number(s->table, C_LIMIT, row, (double)ns / 1e9);
    if (ws_duration_parse(cell(s, TOTAL_CPU), &ns))
        ws_table_set_number(s->table, C_CPU_TIME, row, (double)ns / 1e9);
    if (parse_multiple(cell(s, MAX_RSS), 1024, &bytes) && bytes >= 0)
        ws_table_set_number(s->table, C_RSS, row, bytes);
    set_text(s, row, C_SUBMIT, cell(s, SUBMIT));
    set_text(s, row, C_MEMORY, cell(s, REQ_MEM));
}

/* NO_VAL and NO_VAL64 of Slurm, and differences of counters that wrapped at 2^64. */
static bool is_sentinel(double joules)
{
    return joules == 4294967294.0 || joules > 1e15;
}

static void set_energy(sacct *s, size_t row)
{
    ws_span raw = cell(s, ENERGY_RAW);
    ws_span text = ws_span_trim(raw).n ? raw : cell(s, ENERGY);
    double joules;
    if (s->place[ENERGY] == NOT_THERE && s->place[ENERGY_RAW] == NOT_THERE)
        return;
    if (ws_span_is_missing(text))
        sacct_note(s, WS_FINDING_NO_ENERGY, "no energy was recorded:", text);
    else if (!parse_multiple(text, 1000, &joules) || joules < 0)
        sacct_note(s, WS_FINDING_BAD_ENERGY, "the energy is not a number:", text);
    else if (joules == 0)
        sacct_note(s, WS_FINDING_ZERO_ENERGY, "the node reported no energy, which is missing and not zero:", text);
    else if (is_sentinel(joules))
        sacct_note(s, WS_FINDING_ENERGY_SENTINEL, "the energy is Slurm's sign for a failed reading:", text);
    else
        ws_table_set_number(s->table, C_ENERGY, row, joules);
}

static void sacct_take_job(sacct *s)
{
    size_t row = ws_table_add_row_at(s->table, s->row->line);
    set_job(s, row, cell(s, JOB_ID));
    set_text(s, row, C_NAME, cell(s, JOB_NAME));
    set_state(s, row, cell(s, STATE));
    set_elapsed(s, row);
    set_text(s, row, C_START, cell(s, START));
    set_text(s, row, C_END, cell(s, END));
    set_counts(s, row);
    set_energy(s, row);
    set_text(s, row, C_NODE_LIST, cell(s, NODE_LIST));
    set_use(s, row);
}

/* Bars inside of a free text make more fields than the head has; -p ends a line by a bar, which says that it is whole.
 */
static bool is_whole(const sacct *s)
{
    bool has_free_text = s->place[FREE_TEXT] != NOT_THERE;
    bool has_more = has_free_text && s->row->n_cells > s->policy.n_columns;
    return has_more ? !ws_row_is_cut(&s->policy, s->row) : ws_row_is_usable(&s->policy, s->row);
}

static ws_status sacct_take_row(void *state, const ws_row *row, ws_error *error)
{
    (void)error;
    sacct *s = state;
    char text[WS_ROW_TEXT];
    s->row = row;
    if (is_head(row))
        sacct_take_head(s, row);
    else if (!s->policy.header)
        sacct_note(s, WS_FINDING_SKIPPED_LINE,
                   "the line stands before the head and was passed over:", ws_row_text(row, text));
    else if (is_whole(s))
        sacct_take_job(s);
    return WS_OK;
}

static ws_status read_sacct(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    ws_rows *rows;
    sacct s = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    s.policy = (ws_row_policy){
        .source = table->source, .notes = &table->notes, .last_line = WS_LAST_LINE_CLOSED, .is_of_runs = true};
    for (size_t i = 0; i < C_N; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
    ws_status status = ws_rows_open(&rows, input, WS_BARS, &options->rows, error);
    if (status == WS_OK)
        status = ws_rows_take(rows, sacct_take_row, &s, error);
    ws_rows_close(rows);
    if (status == WS_OK && !s.policy.header)
        return ws_fail_at(error, WS_FORMAT, table->source, 0,
                          "no line is a head such as JobID|State|Elapsed: run sacct without -n");
    return status;
}

static int score_sacct(const char *path, ws_span bytes)
{
    (void)path;
    ws_head_rows head;
    int score = 0;
    size_t most = ws_span_contains(bytes, "JobID") ? WS_HEAD_ROWS : 1;
    if (ws_head_rows_open(&head, "", bytes, WS_BARS, most, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && !score; i++)
        if (is_head(&head.row[i]))
            score = i ? WS_SCORE_BEHIND : 92;
    ws_head_rows_close(&head);
    return score;
}

const ws_format ws_format_sacct = {
    .name = "sacct",
    .title = "job records of Slurm: sacct --parsable2",
    .example = "JobID|JobName|State|Elapsed|Start|End|NNodes|AllocTRES|ConsumedEnergyRaw|NodeList",
    .is_record = true,
    .tier = 1,
    .tried = WS_TRIED_REAL,
    .is_quoted = true,
    .score = score_sacct,
    .read_table = read_sacct,
};
