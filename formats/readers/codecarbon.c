/* emissions.csv of CodeCarbon, a row a run:
 *
 *   timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,...,energy_consumed,country_name,...
 *   2026-02-11T08:10:00,demo,5f1c,600.0,1.2e-05,2.0e-08,42.5,...,0.000404,Norway,...
 *
 * Seconds, kg of CO2 equivalent, W and kWh; the stamp is the local time of the end. A run that is flushed writes a row
 * each time, with what has come together since its start: the last one counts. A row of the same id that began when the
 * one before had ended, or that began later and is shorter, is another run. A file of tasks has a column task_name in
 * front and a row a task, each with its own time and energy under the id of the run. A newer version that appends to an
 * older file writes a column more (experiment_id, behind run_id) than the head has, and an older one a column less.
 * gpu_power is that of all GPUs together, which a table of runs would take for the mean of one: it gets another name.
 */
#include "formats/table/infer.h"
#include "formats/table/rows.h"
#include "formats/table/table_csv.h"

#include "core/arena.h"
#include "core/stamp.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const must[] = {"timestamp", "duration", "emissions", "energy_consumed", NULL};
static const char inserted[] = "experiment_id", inserted_behind[] = "run_id";

typedef struct codecarbon {
    ws_table *table, texts; /* texts: every cell as written */
    ws_row_policy policy;
    size_t n;          /* columns of the head */
    int moved;         /* first column behind the one that may be missing */
    bool has_inserted; /* the head has experiment_id */
} codecarbon;

static ws_span name_of(ws_span cell)
{
    return ws_span_eq(cell, "gpu_power") ? ws_span_of("gpu_power_total") : cell;
}

static void codecarbon_take_head(codecarbon *c, const ws_row *row)
{
    size_t place;
    for (uint32_t i = 0; i < row->n_cells; i++)
        ws_table_add_column(&c->texts, ws_infer_free_name(&c->texts, name_of(row->cells[i])), WS_TEXT);
    ws_row_policy_header(&c->policy, &c->texts.arena, row);
    c->n = c->texts.n_columns;
    c->has_inserted = ws_table_find(&c->texts, inserted, &place);
    c->moved = ws_table_find(&c->texts, inserted_behind, &place) ? (int)place + 1 : -1;
}

/* Do the numbers stand where the head has them, when the row's columns from `moved` on are shifted by so many? */
static bool fits(const codecarbon *c, const ws_row *row, int shift)
{
    static const char *const numbers[] = {"duration", "emissions", "cpu_power", "energy_consumed"};
    size_t place, seen = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value;
        if (!ws_table_find(&c->texts, numbers[i], &place))
            continue;
        size_t at = (int)place >= c->moved ? (size_t)((int)place + shift) : place;
        if (at >= row->n_cells || (row->cells[at].n && !ws_span_double(row->cells[at], &value)))
            return false;
        seen += row->cells[at].n > 0;
    }
    return seen > 0;
}

static void codecarbon_note(codecarbon *c, ws_finding finding, int64_t line, const char *text)
{
    ws_notes_add(&c->table->notes, finding, c->table->source, "", line, "%s", text);
}

/* By how much the row's columns are shifted against the head; INT_MIN for a row that cannot be placed. */
static bool find_shift(codecarbon *c, const ws_row *row, int *shift)
{
    int more = (int)row->n_cells - (int)c->n;
    bool may_be_newer = more == 1 && !c->has_inserted, may_be_older = more == -1 && c->has_inserted;
    *shift = 0;
    if (c->moved >= 0 && (may_be_newer || may_be_older) && fits(c, row, more)) {
        *shift = more;
        codecarbon_note(c, WS_FINDING_SHIFTED_ROW, row->line,
                        "the row is of another version than the head: its columns were put in place");
    } else if (more > 0 && fits(c, row, 0)) {
        codecarbon_note(c, WS_FINDING_EXTRA_CELLS, row->line,
                        "the row has more cells than the head: those behind it were left out");
    } else {
        return ws_row_is_usable(&c->policy, row);
    }
    ws_row_note_doubt(&c->policy, row);
    return true;
}

static void codecarbon_take_data(codecarbon *c, const ws_row *row)
{
    int shift;
    if (row->n_cells <= 1 || !find_shift(c, row, &shift))
        return;
    size_t at = ws_table_add_row_at(&c->texts, row->line);
    for (size_t i = 0; i < c->n; i++) {
        bool is_new = shift < 0 && ws_span_eq(ws_span_of(inserted), c->texts.columns[i].name);
        size_t from = (int)i >= c->moved ? (size_t)((int)i + shift) : i;
        if (!is_new && from < row->n_cells)
            ws_table_set_span(&c->texts, i, at, row->cells[from]);
    }
}

static bool has_must(const ws_row *row)
{
    for (const char *const *name = must; *name; name++) {
        uint32_t i = 0;
        while (i < row->n_cells && !ws_span_eq(ws_span_trim(row->cells[i]), *name))
            i++;
        if (i == row->n_cells)
            return false;
    }
    return true;
}

static ws_status codecarbon_take_row(void *state, const ws_row *row, ws_error *error)
{
    (void)error;
    codecarbon *c = state;
    if (row->n_cells == 1 && !row->cells[0].n)
        return WS_OK;
    if (c->n && !ws_row_is_header_again(&c->policy, row))
        codecarbon_take_data(c, row);
    else if (c->n)
        return WS_OK;
    else if (has_must(row))
        codecarbon_take_head(c, row);
    else
        codecarbon_note(c, WS_FINDING_SKIPPED_LINE, row->line,
                        "the line stands before the column names and was passed over");
    return WS_OK;
}

/* --- one row a run --- */

typedef struct columns {
    size_t id, task, energy, duration, stamp;
    bool has_id, has_task;
} columns;

static const char *text_of(const ws_table *texts, size_t column, size_t row)
{
    const char *text = texts->columns[column].text[row];
    return text ? text : "";
}

static bool codecarbon_has_energy(const ws_table *texts, const columns *at, size_t row)
{
    double value;
    return ws_span_double(ws_span_of(text_of(texts, at->energy, row)), &value);
}

/* When the run of a row ended, which is its stamp, and when it began. */
static bool span_of(const ws_table *texts, const columns *at, size_t row, int64_t *start_ns, int64_t *end_ns)
{
    ws_stamp stamp;
    int64_t duration_ns;
    ws_span text = ws_span_of(text_of(texts, at->stamp, row));
    if (!ws_stamp_parse(ws_stamp_guess(text), text, WS_ZONE_NONE, &stamp) ||
        !ws_seconds_to_ns(ws_span_of(text_of(texts, at->duration, row)), &duration_ns))
        return false;
    *end_ns = stamp.ns;
    return !__builtin_sub_overflow(stamp.ns, duration_ns, start_ns);
}

/* Later by more than stamps of whole seconds leave open. */
static bool is_after(int64_t later, int64_t earlier)
{
    const int64_t second_ns = 1000000000;
    int64_t step;
    return !__builtin_sub_overflow(later, earlier, &step) && step > second_ns;
}

/* Of two rows of one id. */
static bool is_run_of_its_own(const ws_table *texts, const columns *at, size_t before, size_t row)
{
    int64_t start, end, start_before, end_before;
    return span_of(texts, at, before, &start_before, &end_before) && span_of(texts, at, row, &start, &end) &&
           (is_after(start, end_before) ||
            (is_after(start, start_before) && is_after(end_before - start_before, end - start)));
}

/* May the row be a later state of another one? */
static bool may_grow(const ws_table *texts, const columns *at, size_t row)
{
    return *text_of(texts, at->id, row) && !(at->has_task && *text_of(texts, at->task, row));
}

typedef struct keyed_row {
    const char *id;
    size_t row;
} keyed_row;

static int by_id(const void *a, const void *b)
{
    const keyed_row *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Of the rows of one run the last that has an energy is kept. */
static void keep_last(codecarbon *c, const columns *at, bool *keep)
{
    ws_table *texts = &c->texts;
    keyed_row *rows = ws_alloc((texts->n_rows + 1) * sizeof *rows);
    size_t n = 0;
    for (size_t row = 0; row < texts->n_rows; row++)
        if (may_grow(texts, at, row))
            rows[n++] = (keyed_row){text_of(texts, at->id, row), row};
    qsort(rows, n, sizeof *rows, by_id);
    for (size_t i = 0, last = 0; i < n; i++) {
        bool is_same = i && strcmp(rows[i].id, rows[i - 1].id) == 0;
        if (is_same && is_run_of_its_own(texts, at, rows[i - 1].row, rows[i].row)) {
            codecarbon_note(
                c, WS_FINDING_RUN_ID_AGAIN, texts->line[rows[i].row],
                "a row of the same run_id cannot hold the one before, as its beginning says: it counts as another run");
            is_same = false;
        }
        if (is_same && !codecarbon_has_energy(texts, at, rows[i].row) &&
            codecarbon_has_energy(texts, at, rows[last].row)) {
            keep[rows[i].row] = false;
            continue;
        }
        if (is_same)
            keep[rows[last].row] = false;
        last = i;
    }
    free(rows);
    for (size_t row = 0; row < texts->n_rows; row++)
        if (!keep[row])
            codecarbon_note(c, WS_FINDING_CUMULATIVE_ROW, texts->line[row],
                            "a run wrote several rows, each with all that came before: only the last one is kept");
}

/* Rows without an id that began in the same second look like one run, which the file does not say. */
static void doubt_rows_without_id(codecarbon *c, const columns *at, bool *doubted)
{
    const int64_t second_ns = 1000000000;
    int64_t before = 0, start, end;
    bool has_before = false;
    for (size_t row = 0; row < c->texts.n_rows; row++) {
        bool has_id = at->has_id && *text_of(&c->texts, at->id, row);
        bool has_start = !has_id && span_of(&c->texts, at, row, &start, &end);
        if (has_start && has_before && llabs(start - before) <= second_ns) {
            doubted[row - 1] = doubted[row] = true;
            codecarbon_note(
                c, WS_FINDING_MAYBE_ONE_RUN, c->texts.line[row],
                "a row without run_id began together with the one before: they may be one run that grows, whose last "
                "row holds all, or runs beside each other on one machine; both are kept, and their energies are in "
                "doubt");
        }
        has_before = has_start;
        before = has_start ? start : 0;
    }
}

static void note_odd_rows(codecarbon *c, const columns *at, bool *doubted)
{
    for (size_t row = 0; row < c->texts.n_rows; row++)
        if (!codecarbon_has_energy(&c->texts, at, row))
            codecarbon_note(c, WS_FINDING_NO_ENERGY, c->texts.line[row],
                            "a row has no energy, which is missing and not zero");
    doubt_rows_without_id(c, at, doubted);
}

/* --- rows of several processes on one machine --- */

/* A row whose tracker measured the machine, all of it. */
typedef struct machine_row {
    size_t row;
    int64_t start_ns, end_ns;
} machine_row;

static const char *const hardware[] = {"project_name",   "experiment_id", "cpu_model", "cpu_count",
                                       "gpu_model",      "gpu_count",     "os",        "region",
                                       "ram_total_size", "tracking_mode"};
enum { N_HARDWARE = sizeof hardware / sizeof *hardware, MOST_BESIDE = 1024 /* rows, that a row is compared with */ };

static bool is_of_machine(const ws_table *texts, size_t row)
{
    size_t mode;
    const char *text = ws_table_find(texts, "tracking_mode", &mode) ? text_of(texts, mode, row) : "";
    return !*text || strcmp(text, "machine") == 0;
}

static bool share_hardware(const ws_table *texts, size_t a, size_t b)
{
    size_t column;
    for (size_t i = 0; i < N_HARDWARE; i++)
        if (ws_table_find(texts, hardware[i], &column) &&
            strcmp(text_of(texts, column, a), text_of(texts, column, b)) != 0)
            return false;
    return true;
}

/* Runs that follow each other may share a moment. */
static bool share_time(const machine_row *a, const machine_row *b)
{
    static const double SHARED_SHARE = 0.05;
    double end = fmin((double)a->end_ns, (double)b->end_ns), start = fmax((double)a->start_ns, (double)b->start_ns);
    double shorter = fmin((double)a->end_ns - (double)a->start_ns, (double)b->end_ns - (double)b->start_ns);
    return end - start > SHARED_SHARE * shorter;
}

static int codecarbon_by_start(const void *left, const void *right)
{
    const machine_row *a = left, *b = right;
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static void doubt_machine(codecarbon *c, const machine_row *first, const machine_row *other, bool *doubted)
{
    doubted[first->row] = doubted[other->row] = true;
    ws_notes_add(&c->table->notes, WS_FINDING_SHARED_DEVICE, c->table->source, "", c->texts.line[other->row],
                 "a run of the same project on the same hardware as that of line %" PRId64
                 " at the same time: each row holds all of its machine, so if it is one (ranks of a job), their sum "
                 "counts it as often as there are rows",
                 c->texts.line[first->row]);
}

/* Of rows with an id, which are runs; the others are told of above. Processes of one job write a row each into one
 * file; jobs of a cluster that share a folder do, too. */
static void doubt_machines(codecarbon *c, const columns *at, const bool *keep, bool *doubted)
{
    machine_row *rows = ws_alloc((c->texts.n_rows + 1) * sizeof *rows);
    size_t n = 0;
    for (size_t row = 0; row < c->texts.n_rows; row++) {
        machine_row *r = &rows[n];
        r->row = row;
        n += keep[row] && may_grow(&c->texts, at, row) && is_of_machine(&c->texts, row) &&
             span_of(&c->texts, at, row, &r->start_ns, &r->end_ns);
    }
    qsort(rows, n, sizeof *rows, codecarbon_by_start);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && k <= i + MOST_BESIDE && rows[k].start_ns < rows[i].end_ns; k++)
            if (!(doubted[rows[i].row] && doubted[rows[k].row]) && share_time(&rows[i], &rows[k]) &&
                share_hardware(&c->texts, rows[i].row, rows[k].row))
                doubt_machine(c, &rows[i], &rows[k], doubted);
    free(rows);
}

static void set_status(codecarbon *c, const bool *doubted)
{
    bool any = false;
    for (size_t row = 0; row < c->texts.n_rows; row++)
        any |= doubted[row];
    if (!any)
        return;
    size_t column = ws_table_add_column(&c->texts, ws_infer_free_name(&c->texts, ws_span_of("status")), WS_TEXT);
    for (size_t row = 0; row < c->texts.n_rows; row++)
        if (doubted[row])
            ws_table_set_text(&c->texts, column, row, "shared-device");
}

static void settle_rows(codecarbon *c, bool *keep)
{
    columns at = {0};
    ws_table_find(&c->texts, "energy_consumed", &at.energy);
    ws_table_find(&c->texts, "duration", &at.duration);
    ws_table_find(&c->texts, "timestamp", &at.stamp);
    at.has_id = ws_table_find(&c->texts, inserted_behind, &at.id);
    at.has_task = ws_table_find(&c->texts, "task_name", &at.task);
    if (at.has_id)
        keep_last(c, &at, keep);
    bool *doubted = ws_alloc(c->texts.n_rows + 1);
    note_odd_rows(c, &at, doubted);
    if (at.has_id)
        doubt_machines(c, &at, keep, doubted);
    set_status(c, doubted);
    free(doubted);
}

static ws_status read_codecarbon(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    codecarbon c = {.table = table};
    ws_rows *rows;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_span from = ws_table_csv_find(ws_input_head(input), must);
    if (!from.n)
        return ws_fail_at(error, WS_FORMAT, table->source, 0,
                          "no line has the columns timestamp, duration, emissions and energy_consumed");
    char delimiter = ws_table_csv_delimiter(from); /* Excel makes semicolons of commas */
    ws_status status = ws_rows_open(&rows, input, delimiter, NULL, error);
    if (status != WS_OK)
        return status;
    ws_table_init(&c.texts, "texts");
    c.policy = ws_table_row_policy(table);
    status = ws_rows_take(rows, codecarbon_take_row, &c, error);
    ws_table_csv_read_commas(&c.texts, delimiter, table);
    bool *keep = ws_alloc(c.texts.n_rows + 1);
    memset(keep, true, c.texts.n_rows);
    if (status == WS_OK)
        settle_rows(&c, keep);
    ws_infer_columns(&c.texts, table);
    ws_table_filter(table, keep);
    free(keep);
    ws_table_free(&c.texts);
    ws_rows_close(rows);
    return status;
}

static int score_codecarbon(const char *path, ws_span head)
{
    (void)path;
    if (ws_table_csv_has(head, must))
        return 94;
    return ws_table_csv_find(head, must).n ? WS_SCORE_BEHIND : 0;
}

const ws_format ws_format_codecarbon = {
    .name = "codecarbon",
    .title = "emissions.csv of CodeCarbon: energy of runs",
    .example =
        "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,"
        "gpu_energy,ram_energy,energy_consumed",
    .is_record = true,
    .tier = 2,
    .tried = WS_TRIED_REAL,
    .is_quoted = true,
    .score = score_codecarbon,
    .read_table = read_codecarbon,
};
