/* Job records of Slurm, from `sacct --parsable2` or `-p` with their head:
 *
 *   JobID|JobName|State|Elapsed|Start|End|NNodes|AllocTRES|ConsumedEnergyRaw|NodeList
 *   3171624|train|COMPLETED|04:23:00|2025-05-14T09:21:59|2025-05-14T13:44:59|16|billing=4,gres/gpu=64,node=16|...
 *   3171624.batch|batch|COMPLETED|04:23:00|...
 *
 * Cells are not quoted, and a comment or command line may hold the separator itself. The energy is that of whole nodes:
 * on shared nodes it is not the job's own. */
#include "formats/format.h"
#include "formats/input/lines.h"

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
} columns[C_N] = {
    {"job", WS_TEXT},
    {"step", WS_TEXT},
    {"name", WS_TEXT},
    {"state", WS_TEXT},
    {"elapsed_s", WS_NUMBER},
    {"start", WS_TEXT},
    {"end", WS_TEXT},
    {"nodes", WS_INTEGER},
    {"gpus", WS_INTEGER},
    {"energy_j", WS_NUMBER},
    {"node_list", WS_TEXT},
    {"cpus", WS_INTEGER},
    {"timelimit_s", WS_NUMBER},
    {"cpu_time_s", WS_NUMBER},
    {"submit", WS_TEXT},
    {"max_rss_b", WS_NUMBER},
    {"requested_memory", WS_TEXT},
};

enum { NOT_THERE = -1 };

typedef struct sacct {
    ws_lines lines;
    ws_table *table;
    char *head; /* the head line, to know it when it comes again */
    size_t n;   /* fields of the head */
    bool bar_at_end;
    int place[FIELD_N]; /* field of the row, NOT_THERE where the head has none */
    ws_span *cells;
    size_t n_cells, cell_capacity;
} sacct;

static ws_span without_end_bar(ws_span line, bool bar_at_end)
{
    if (bar_at_end && ws_span_has_suffix(line, "|"))
        line.n--;
    return line;
}

static bool is_head(ws_span line)
{
    ws_span name;
    size_t known = 0;
    if (!ws_span_contains(line, "|"))
        return false;
    while (ws_span_split(&line, '|', &name))
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            known += ws_span_eq(name, heads[i].name);
    return known >= 2;
}

static void sacct_take_head(sacct *s, ws_span line)
{
    s->head = ws_arena_strndup(&s->table->arena, line.p, line.n);
    s->bar_at_end = ws_span_has_suffix(line, "|");
    line = without_end_bar(line, s->bar_at_end);
    for (size_t f = 0; f < FIELD_N; f++)
        s->place[f] = NOT_THERE;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        ws_span rest = line, name;
        s->n = 0;
        for (; ws_span_split(&rest, '|', &name); s->n++)
            if (ws_span_eq(name, heads[i].name) && s->place[heads[i].field] == NOT_THERE)
                s->place[heads[i].field] = (int)s->n;
    }
}

/* A row with more bars than the head has them in its free text: what stands behind that counts from the end. */
static ws_span cell(const sacct *s, field f)
{
    int place = s->place[f];
    if (place == NOT_THERE)
        return (ws_span){"", 0};
    bool behind = s->place[FREE_TEXT] != NOT_THERE && place > s->place[FREE_TEXT];
    return s->cells[(size_t)place + (behind ? s->n_cells - s->n : 0)];
}

static void note(sacct *s, ws_finding finding, const char *text, ws_span found)
{
    const char *quote = found.n ? "'" : "";
    ws_notes_add(&s->table->notes, finding, s->table->source, "", s->lines.number, "%s %s%.*s%s%s", text, quote,
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
        note(s, WS_FINDING_JOB_IS_RUNNING, "time and energy of the job still grow in state", state);
}

static void set_elapsed(sacct *s, size_t row)
{
    ws_span raw = cell(s, ELAPSED_RAW), text = cell(s, ELAPSED);
    int64_t ns;
    if (ws_duration_parse(raw, &ns) || ws_duration_parse(text, &ns))
        ws_table_set_number(s->table, C_ELAPSED, row, (double)ns / 1e9);
    else if (raw.n || text.n)
        note(s, WS_FINDING_BAD_DURATION, "the elapsed time is no duration:", raw.n ? raw : text);
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

/* What asks for resources and what was used of them. "UNLIMITED" and "Partition_Limit" are no limit of the job's own. */
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
        note(s, WS_FINDING_NO_ENERGY, "no energy was recorded:", text);
    else if (!parse_multiple(text, 1000, &joules) || joules < 0)
        note(s, WS_FINDING_BAD_ENERGY, "the energy is not a number:", text);
    else if (joules == 0)
        note(s, WS_FINDING_ZERO_ENERGY, "the node reported no energy, which is missing and not zero:", text);
    else if (is_sentinel(joules))
        note(s, WS_FINDING_ENERGY_SENTINEL, "the energy is Slurm's sign for a failed reading:", text);
    else
        ws_table_set_number(s->table, C_ENERGY, row, joules);
}

static void sacct_take_row(sacct *s)
{
    size_t row = ws_table_add_row_at(s->table, s->lines.number);
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

/* Of a last line without line end the last field may be half of one; -p ends it by a bar. */
static bool is_cut(const sacct *s, ws_span line)
{
    return s->lines.unfinished && !(s->bar_at_end && ws_span_has_suffix(line, "|"));
}

static void sacct_take_line(sacct *s, ws_span line)
{
    ws_span rest = without_end_bar(line, s->bar_at_end);
    s->n_cells = 0;
    for (ws_span piece; ws_span_split(&rest, '|', &piece);) {
        s->cells = ws_grow(s->cells, &s->cell_capacity, s->n_cells + 1, sizeof *s->cells);
        s->cells[s->n_cells++] = ws_span_trim(piece);
    }
    bool is_whole = s->n_cells == s->n || (s->n_cells > s->n && s->place[FREE_TEXT] != NOT_THERE);
    if (is_cut(s, line) || (s->lines.unfinished && !is_whole))
        note(s, WS_FINDING_TRUNCATED_LINE, "the last line may be cut and was left out:", line);
    else if (is_whole)
        sacct_take_row(s);
    else
        ws_notes_add(&s->table->notes, WS_FINDING_BAD_LINE, s->table->source, "", s->lines.number,
                     "%zu fields where the head has %zu: the line was left out", s->n_cells, s->n);
}

static ws_status read_lines(sacct *s, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&s->lines, &line, error)) == WS_OK && line.p) {
        if (!ws_span_trim(line).n || (s->head && ws_span_eq(line, s->head)))
            continue;
        if (is_head(line))
            sacct_take_head(s, line);
        else if (s->head)
            sacct_take_line(s, line);
        else
            note(s, WS_FINDING_SKIPPED_LINE, "the line stands before the head and was passed over:", line);
    }
    if (status == WS_OK && !s->head)
        return ws_fail_at(error, WS_FORMAT, s->table->source, 0,
                          "no line is a head such as JobID|State|Elapsed: run sacct without -n");
    return status;
}

static ws_status read_sacct(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    sacct s = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    for (size_t i = 0; i < C_N; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
    ws_lines_init(&s.lines, input);
    ws_status status = read_lines(&s, error);
    ws_lines_free(&s.lines);
    free(s.cells);
    return status;
}

static int score_sacct(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    bool is_behind = false, may_be_behind = ws_span_contains(head, "JobID");
    while (ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        if (!line.n)
            continue;
        if (is_head(line))
            return is_behind ? WS_SCORE_BEHIND : 92;
        if (!may_be_behind)
            return 0;
        is_behind = true;
    }
    return 0;
}

const ws_format ws_format_sacct = {
    .name = "sacct",
    .title = "job records of Slurm: sacct --parsable2",
    .example = "JobID|JobName|State|Elapsed|Start|End|NNodes|AllocTRES|ConsumedEnergyRaw|NodeList",
    .is_record = true,
    .tier = 1,
    .tried = WS_TRIED_REAL,
    .score = score_sacct,
    .read_table = read_sacct,
};
