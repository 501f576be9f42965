/* Which runs are repeats of one another: the columns that group them, and the rows of each configuration. */
#include "analyze/scaling/scaling_internal.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/run_status.h"
#include "analyze/same_rows.h"
#include "analyze/unusable_runs.h"
#include "core/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts before numbers, as in the usual grouping: configurations are sorted in this order, so that a text that tables
 * print above their rows is the same for as many rows as possible. */
static void add_to_group(ws_scaler *s, size_t column)
{
    size_t at = s->n_group++;
    bool is_text = s->runs->columns[column].kind == WS_TEXT;
    for (; is_text && at && s->runs->columns[s->group[at - 1]].kind != WS_TEXT; at--)
        s->group[at] = s->group[at - 1];
    s->group[at] = column;
}

/* An energy of the GPUs alone and one of GPUs, CPUs and memory are no repeats of each other; a run without energy may
 * be of either. */
static void keep_scopes_apart(ws_scaler *s)
{
    size_t first = SIZE_MAX;
    bool differ = false;
    for (size_t row = 0; row < s->runs->n_rows && !differ; row++) {
        if (ws_table_is_missing(s->runs, WS_COL_ENERGY, row))
            continue;
        first = first == SIZE_MAX ? row : first;
        differ = !ws_same_cell(s->runs, WS_COL_ENERGY_SCOPE, first, row);
    }
    for (size_t i = 0; i < s->n_group; i++)
        differ &= s->group[i] != WS_COL_ENERGY_SCOPE;
    if (!differ)
        return;
    add_to_group(s, WS_COL_ENERGY_SCOPE);
    ws_notes_add(
        &s->scale->notes, WS_FINDING_SCOPES_APART, s->runs->source, "", 0,
        "the energies hold different domains (column energy_scope): runs of different scope are not averaged together");
}

bool ws_scaler_groups_by(const ws_scaler *s, size_t column)
{
    for (size_t i = 0; i < s->n_group; i++)
        if (s->group[i] == column)
            return true;
    return false;
}

/* Sizes of machines, the first of which that varies takes the place of gpus where that is absent or the same in all
 * runs. */
static const char *const sizes[] = {"gpus", "nodes", "chips", "ranks", "tasks", "cores", "threads"};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static bool scaling_varies(const ws_table *t, size_t column)
{
    size_t first = 0;
    while (first < t->n_rows && ws_table_is_missing(t, column, first))
        first++;
    for (size_t row = first + 1; row < t->n_rows; row++)
        if (!ws_table_is_missing(t, column, row) && !ws_same_cell(t, column, first, row))
            return true;
    return false;
}

static size_t size_column(const ws_table *runs)
{
    for (size_t i = 0; i < N_SIZES; i++) {
        static const char *const before[] = {"", "n_", "num_"};
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            char name[32];
            size_t column;
            snprintf(name, sizeof name, "%s%s", before[b], sizes[i]);
            if (ws_table_find(runs, name, &column) && runs->columns[column].kind != WS_TEXT &&
                scaling_varies(runs, column))
                return column;
        }
    }
    return WS_COL_GPUS;
}

/* A reference "power_cap_w=250" by a column that does not group compares its values, so it groups. */
static void add_setting_of_reference(ws_scaler *s)
{
    const char *how = s->options->reference, *equals = how ? strchr(how, '=') : NULL;
    char name[128];
    size_t column;
    if (!equals || !equals[1] || (size_t)(equals - how) >= sizeof name)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(equals - how), how);
    if (ws_table_find(s->runs, name, &column) && !ws_scaler_groups_by(s, column))
        add_to_group(s, column);
}

ws_status ws_scaler_choose_group(ws_scaler *s, ws_error *error)
{
    static const ws_run_column usual[] = {WS_COL_SERIES, WS_COL_MODEL, WS_COL_MODEL_CLASS, WS_COL_DEVICE,   WS_COL_GPUS,
                                          WS_COL_LBS,    WS_COL_GBS,   WS_COL_POWER_CAP,   WS_COL_CLOCK_CAP};
    size_t n = s->options->n_group;
    s->group = ws_alloc(((n ? n : sizeof usual / sizeof *usual) + 3) * sizeof *s->group); /* and size, setting, scope */
    s->size = size_column(s->runs);
    for (size_t i = 0; i < n; i++) {
        if (!ws_table_find(s->runs, s->options->group[i], &s->group[i]))
            return ws_fail(error, WS_USAGE,
                           "there is no column '%s' to group the runs by (--group, or 'group' of the campaign)",
                           s->options->group[i]);
        s->n_group++;
    }
    for (size_t i = 0; !n && i < sizeof usual / sizeof *usual; i++)
        if (ws_table_has_values(s->runs, usual[i]))
            s->group[s->n_group++] = usual[i];
    if (!n && s->size != WS_COL_GPUS)
        s->group[s->n_group++] = s->size;
    if (!ws_scaler_groups_by(s, s->size))
        s->size = WS_COL_GPUS;
    add_setting_of_reference(s);
    keep_scopes_apart(s);
    return WS_OK;
}

static void add_configuration(ws_scaler *s, size_t row)
{
    s->configurations = ws_grow(s->configurations, &s->capacity, s->n + 1, sizeof *s->configurations);
    s->configurations[s->n++] = (ws_configuration){.first = row, .reference = SIZE_MAX};
}

static bool has_same_result(const ws_table *runs, size_t a, size_t b)
{
    return ws_same_cell(runs, WS_COL_WALL, a, b) && ws_same_cell(runs, WS_COL_ENERGY, a, b);
}

/* A run that stands twice would make the spread too small: it is refused by its name. */
static ws_status refuse_repeated_run(const ws_table *runs, size_t row, size_t repeated, ws_error *error)
{
    char place[320], other[320];
    const char *remedy = has_same_result(runs, repeated, row)
                             ? "its spread would be too small (leave one out, or group by another column)"
                             : "with another result (if they are two runs, group by another column or name them apart)";
    return ws_fail(error, WS_DATA, "%s: the run '%s' stands twice in one configuration, also at %s: %s",
                   ws_table_place(runs, row, place), runs->columns[WS_COL_RUN].text[row],
                   ws_table_place(runs, repeated, other), remedy);
}

/* What tells a run from the others: its configuration and its name. Returns how many columns. */
static size_t naming_columns(const ws_scaler *s, size_t *columns)
{
    size_t n = s->n_group, job;
    memcpy(columns, s->group, n * sizeof *columns);
    columns[n++] = WS_COL_RUN;
    if (ws_table_find(s->runs, "job", &job))
        columns[n++] = job;
    return n;
}

/* Said when the table was read. */
static bool is_told(const ws_table *runs, const char *status)
{
    for (size_t i = 0; i < runs->notes.n; i++)
        if (runs->notes.items[i].finding == WS_FINDING_UNFINISHED_RUN &&
            ws_eq_nocase(runs->notes.items[i].subject, status))
            return true;
    return false;
}

/* Of files that may be of one run or of several nobody knows the number of runs. */
static bool is_uncounted(const ws_table *runs, size_t row)
{
    return ws_question_of(runs->columns[WS_COL_STATUS].text[row]) == WS_ASK_NODES;
}

static bool is_left_out(const ws_scaler *s, size_t row)
{
    return !s->options->keeps_unusable && ws_run_is_unusable(s->runs, row);
}

/* Runs that failed or lack a part stay in the means unless they are excluded; nobody should have to guess that. */
static void note_state(const ws_scaler *s, size_t column, size_t row)
{
    const char *state = s->runs->columns[column].text[row], *name = s->runs->columns[column].name;
    if (is_uncounted(s->runs, row))
        ws_notes_add(&s->scale->notes, WS_FINDING_RUN_STATUS, s->runs->source, state, 0,
                     "rows with the status 'ask:nodes' are left out: nothing says yet of how many runs they are");
    else if (state && !ws_status_is_good(state) && !is_told(s->runs, state))
        ws_notes_add(
            &s->scale->notes, WS_FINDING_RUN_STATUS, s->runs->source, state, s->runs->line ? s->runs->line[row] : 0,
            "runs with the %s '%s' count in the means (--exclude '%s=%s' leaves them out)", name, state, name, state);
}

/* What the traces lack, and what became of the job. */
static void note_status(const ws_scaler *s)
{
    size_t job_state;
    bool has_job = ws_table_find(s->runs, WS_JOB_STATE, &job_state) && s->runs->columns[job_state].kind == WS_TEXT;
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (is_left_out(s, row))
            continue;
        note_state(s, WS_COL_STATUS, row);
        if (has_job)
            note_state(s, job_state, row);
    }
}

/* Rows of one run that are in already, in whichever configuration: at[run] is the last of them, before[row] the one
 * before a row; both + 1, 0 for none. */
typedef struct taken_rows {
    size_t *at, *before, *number; /* and the configuration of a row */
} taken_rows;

/* Does it say the same in every cell as a row of the configuration that is in already? A file that was pasted behind
 * itself. */
static bool stands_again(const taken_rows *taken, size_t run, size_t configuration)
{
    for (size_t at = taken->at[run]; at; at = taken->before[at - 1])
        if (taken->number[at - 1] == configuration)
            return true;
    return false;
}

static void take_row(taken_rows *taken, size_t run, size_t row)
{
    taken->before[row] = taken->at[run];
    taken->at[run] = row + 1;
}

static void scaling_add_row(size_t **rows, size_t *n, size_t *capacity, size_t row)
{
    *rows = ws_grow(*rows, capacity, *n + 1, sizeof **rows);
    (*rows)[(*n)++] = row;
}

static ws_status collect_rows(ws_scaler *s, ws_same_rows *groups, ws_same_rows *names, taken_rows *taken,
                              ws_error *error)
{
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (is_uncounted(s->runs, row))
            continue;
        size_t first = ws_same_rows_first(groups, row), run = s->same[row];
        if (first != row && stands_again(taken, run, taken->number[first])) {
            ws_notes_add(&s->scale->notes, WS_FINDING_SAME_RUN, s->runs->source, "",
                         s->runs->line ? s->runs->line[row] : 0,
                         "rows repeat another one of their configuration in every digit, and count once");
            continue;
        }
        bool has_name = !ws_table_is_missing(s->runs, WS_COL_RUN, row);
        size_t repeated = has_name && !is_left_out(s, row) ? ws_same_rows_first(names, row) : row;
        if (repeated != row)
            return refuse_repeated_run(s->runs, row, repeated, error);
        taken->number[row] = first == row ? s->n : taken->number[first];
        if (first == row)
            add_configuration(s, row);
        take_row(taken, run, row);
        ws_configuration *c = &s->configurations[taken->number[row]];
        if (is_left_out(s, row)) {
            scaling_add_row(&c->left_out, &c->n_left_out, &c->left_out_capacity, row);
            ws_note_unusable_run(s->runs, row, &s->scale->notes);
        } else
            scaling_add_row(&c->rows, &c->n_rows, &c->capacity, row);
    }
    return WS_OK;
}

ws_status ws_scaler_collect(ws_scaler *s, ws_error *error)
{
    ws_same_rows groups, names;
    size_t n = s->runs->n_rows, *of_rows = ws_alloc((3 * n + 1) * sizeof *of_rows);
    taken_rows taken = {of_rows, of_rows + n, of_rows + 2 * n};
    size_t *naming = ws_alloc((s->n_group + 2) * sizeof *naming);
    note_status(s);
    ws_same_rows_init(&groups, s->runs, s->group, s->n_group);
    ws_same_rows_init(&names, s->runs, naming, naming_columns(s, naming));
    ws_status status = collect_rows(s, &groups, &names, &taken, error);
    ws_same_rows_free(&groups);
    ws_same_rows_free(&names);
    free(naming);
    free(of_rows);
    return status;
}
