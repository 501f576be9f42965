/* qsort_r */
#define _GNU_SOURCE
#include "analyze/scaling.h"

#include "analyze/ingest/name_words.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_energy.h"
#include "analyze/ratios.h"
#include "analyze/run_status.h"
#include "analyze/same_rows.h"
#include "analyze/spread.h"
#include "analyze/units.h"
#include "analyze/unusable_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct configuration {
    size_t first; /* row of the runs that stands for it */
    size_t *rows, n_rows, capacity;
    size_t *left_out, n_left_out, left_out_capacity; /* rows that cannot be used */
    ws_scaled scaled;
    size_t series;                        /* the first configuration of the same series, which keeps the sums of all: */
    double squares[WS_OF_N], df[WS_OF_N]; /* of the logarithms about the means of their configurations */
    size_t compared;                      /* the first of those that are compared by one work; mostly of the series */
    size_t reference;                     /* configuration index; SIZE_MAX for none */
} configuration;

static const char JOB_STATE[] = "job_state";

typedef struct scaler {
    const ws_table *runs;
    const ws_scaling_options *options;
    size_t *group, n_group; /* columns of the runs */
    size_t size;            /* the one that says how large the machine was: GPUs, else nodes, cores, ... */
    size_t setting;         /* the column of a reference COLUMN=VALUE; SIZE_MAX for another reference */
    configuration *configurations;
    size_t n, capacity;
    ws_table *scale;
    size_t *same;       /* units.h */
    const char *lonely; /* the column that keeps all configurations apart (find_lonely); NULL: none */
} scaler;

static bool has_values(const ws_table *t, size_t column)
{
    for (size_t row = 0; row < t->n_rows; row++)
        if (!ws_table_is_missing(t, column, row))
            return true;
    return false;
}

/* An energy of the GPUs alone and one of GPUs, CPUs and memory are no repeats of each other; a run without energy may
 * be of either. */
static void keep_scopes_apart(scaler *s)
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
    s->group[s->n_group++] = WS_COL_ENERGY_SCOPE;
    ws_notes_add(
        &s->scale->notes, WS_FINDING_SCOPES_APART, s->runs->source, "", 0,
        "the energies hold different domains (column energy_scope): runs of different scope are not averaged together");
}

static bool is_grouping(const scaler *s, size_t column)
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

static ws_status choose_group(scaler *s, ws_error *error)
{
    static const ws_run_column usual[] = {WS_COL_SERIES, WS_COL_MODEL, WS_COL_MODEL_CLASS, WS_COL_DEVICE,   WS_COL_GPUS,
                                          WS_COL_LBS,    WS_COL_GBS,   WS_COL_POWER_CAP,   WS_COL_CLOCK_CAP};
    size_t n = s->options->n_group;
    s->group = ws_alloc(((n ? n : sizeof usual / sizeof *usual) + 2) * sizeof *s->group); /* and size and scope */
    s->size = size_column(s->runs);
    for (size_t i = 0; i < n; i++) {
        if (!ws_table_find(s->runs, s->options->group[i], &s->group[i]))
            return ws_fail(error, WS_USAGE,
                           "there is no column '%s' to group the runs by (--group, or 'group' of the campaign)",
                           s->options->group[i]);
        s->n_group++;
    }
    for (size_t i = 0; !n && i < sizeof usual / sizeof *usual; i++)
        if (has_values(s->runs, usual[i]))
            s->group[s->n_group++] = usual[i];
    if (!n && s->size != WS_COL_GPUS)
        s->group[s->n_group++] = s->size;
    if (!is_grouping(s, s->size))
        s->size = WS_COL_GPUS;
    keep_scopes_apart(s);
    return WS_OK;
}

static void add_configuration(scaler *s, size_t row)
{
    s->configurations = ws_grow(s->configurations, &s->capacity, s->n + 1, sizeof *s->configurations);
    s->configurations[s->n++] = (configuration){.first = row, .reference = SIZE_MAX};
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
static size_t naming_columns(const scaler *s, size_t *columns)
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
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    return status && strcmp(status, "ask:nodes") == 0;
}

static bool is_left_out(const scaler *s, size_t row)
{
    return !s->options->keeps_unusable && ws_run_is_unusable(s->runs, row);
}

/* Runs that failed or lack a part stay in the means unless they are excluded; nobody should have to guess that. */
static void note_state(const scaler *s, size_t column, size_t row)
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
static void note_status(const scaler *s)
{
    size_t job_state;
    bool has_job = ws_table_find(s->runs, JOB_STATE, &job_state) && s->runs->columns[job_state].kind == WS_TEXT;
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (is_left_out(s, row))
            continue;
        note_state(s, WS_COL_STATUS, row);
        if (has_job)
            note_state(s, job_state, row);
    }
}

static bool is_among(const scaler *s, const size_t *rows, size_t n, size_t row)
{
    for (size_t i = 0; i < n; i++)
        if (s->same[rows[i]] == s->same[row])
            return true;
    return false;
}

/* Does it say the same in every cell as a row that is in already? A file that was pasted behind itself. */
static bool stands_again(const scaler *s, const configuration *c, size_t row)
{
    return is_among(s, c->rows, c->n_rows, row) || is_among(s, c->left_out, c->n_left_out, row);
}

static void scaling_add_row(size_t **rows, size_t *n, size_t *capacity, size_t row)
{
    *rows = ws_grow(*rows, capacity, *n + 1, sizeof **rows);
    (*rows)[(*n)++] = row;
}

/* number[row]: the configuration that the row is the first of. */
static ws_status collect_rows(scaler *s, ws_same_rows *groups, ws_same_rows *names, size_t *number, ws_error *error)
{
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        if (is_uncounted(s->runs, row))
            continue;
        size_t first = ws_same_rows_first(groups, row);
        if (first != row && stands_again(s, &s->configurations[number[first]], row)) {
            ws_notes_add(&s->scale->notes, WS_FINDING_SAME_RUN, s->runs->source, "",
                         s->runs->line ? s->runs->line[row] : 0,
                         "rows repeat another one of their configuration in every digit, and count once");
            continue;
        }
        bool has_name = !ws_table_is_missing(s->runs, WS_COL_RUN, row);
        size_t repeated = has_name && !is_left_out(s, row) ? ws_same_rows_first(names, row) : row;
        if (repeated != row)
            return refuse_repeated_run(s->runs, row, repeated, error);
        if (first == row) {
            number[row] = s->n;
            add_configuration(s, row);
        }
        configuration *c = &s->configurations[number[first]];
        if (is_left_out(s, row)) {
            scaling_add_row(&c->left_out, &c->n_left_out, &c->left_out_capacity, row);
            ws_note_unusable_run(s->runs, row, &s->scale->notes);
        } else
            scaling_add_row(&c->rows, &c->n_rows, &c->capacity, row);
    }
    return WS_OK;
}

static ws_status collect(scaler *s, ws_error *error)
{
    ws_same_rows groups, names;
    size_t *number = ws_alloc(s->runs->n_rows * sizeof *number);
    size_t *naming = ws_alloc((s->n_group + 2) * sizeof *naming);
    note_status(s);
    ws_same_rows_init(&groups, s->runs, s->group, s->n_group);
    ws_same_rows_init(&names, s->runs, naming, naming_columns(s, naming));
    ws_status status = collect_rows(s, &groups, &names, number, error);
    ws_same_rows_free(&groups);
    ws_same_rows_free(&names);
    free(naming);
    free(number);
    return status;
}

/* What speed-ups compare, by its work (work.h); a table that knows epochs only compares those. */
static size_t time_column(const ws_table *runs)
{
    return !has_values(runs, WS_COL_WALL) && has_values(runs, WS_COL_EPOCH_S) ? WS_COL_EPOCH_S : WS_COL_WALL;
}

/* The size of the machine and what follows from it do not make a series; everything else that groups does. */
static bool is_size(const scaler *s, size_t column)
{
    return column == s->size || column == WS_COL_GPUS || column == WS_COL_NODES || column == WS_COL_LBS ||
           column == WS_COL_GBS || column == WS_COL_DATASET_SAMPLES || column == WS_COL_EPOCHS;
}

/* Is there one reference for configurations of several series? */
static bool is_beyond_series(const scaler *s)
{
    return s->setting != SIZE_MAX || (s->options->reference && strcmp(s->options->reference, "all") == 0);
}

/* number[i]: the first configuration that agrees with i in all that groups but sizes, and but the name of the series
 * where that does not count. */
static void find_alike(const scaler *s, bool in_series, size_t *number)
{
    ws_same_rows index;
    size_t n = 0, *columns = ws_alloc((s->n_group + 1) * sizeof *columns);
    size_t *of_row = ws_alloc((s->runs->n_rows + 1) * sizeof *of_row);
    for (size_t g = 0; g < s->n_group; g++)
        if (!is_size(s, s->group[g]) && (in_series || s->group[g] != WS_COL_SERIES))
            columns[n++] = s->group[g];
    ws_same_rows_init(&index, s->runs, columns, n);
    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->configurations[i].first, first = ws_same_rows_first(&index, row);
        if (first == row)
            of_row[row] = i;
        number[i] = of_row[first];
    }
    ws_same_rows_free(&index);
    free(of_row);
    free(columns);
}

/* Runs of another model or on another device are no reference of "all": they are told by what groups. */
static void note_apart(scaler *s)
{
    const char *list = "", *one = NULL;
    for (size_t g = 0; g < s->n_group; g++) {
        size_t column = s->group[g];
        bool differs = false;
        for (size_t i = 1; i < s->n && !is_size(s, column) && column != WS_COL_SERIES; i++)
            differs |= !ws_same_cell(s->runs, column, s->configurations[0].first, s->configurations[i].first);
        one = differs && !one ? s->runs->columns[column].name : one;
        if (differs)
            list = ws_arena_printf(&s->scale->arena, "%s%s%s", list, *list ? ", " : "", s->runs->columns[column].name);
    }
    if (one)
        ws_notes_add(&s->scale->notes, WS_FINDING_REFERENCES_APART, s->runs->source, "", 0,
                     "configurations that differ in %s have a reference each (--reference %s=VALUE compares these)",
                     list, one);
}

/* A series is known by the first of its configurations, and so are those that are compared with each other. */
static void find_series(scaler *s)
{
    size_t *number = ws_alloc((s->n + 1) * sizeof *number);
    find_alike(s, true, number);
    for (size_t i = 0; i < s->n; i++)
        s->configurations[i].series = s->configurations[i].compared = number[i];
    if (is_beyond_series(s))
        find_alike(s, false, number);
    for (size_t i = 0; i < s->n && is_beyond_series(s); i++)
        s->configurations[i].compared = s->setting != SIZE_MAX ? 0 : number[i];
    free(number);
    if (is_beyond_series(s) && s->setting == SIZE_MAX)
        note_apart(s);
}

/* "lbs256 A100 ": what makes the series of a configuration, and a blank behind it. */
static const char *series_name(const scaler *s, const configuration *c)
{
    const char *name = "";
    char text[WS_DOUBLE_TEXT];
    for (size_t g = 0; g < s->n_group; g++)
        if (!is_size(s, s->group[g]) && !ws_table_is_missing(s->runs, s->group[g], c->first))
            name = ws_arena_printf(&s->scale->arena, "%s%s ", name,
                                   ws_table_cell_text(s->runs, s->group[g], c->first, text));
    return name;
}

/* "gpus=4", and with `whole` the series in front: "lbs256 A100 gpus=4". */
static const char *name_of(const scaler *s, const configuration *c, bool whole)
{
    char text[WS_DOUBLE_TEXT];
    ws_double_text(text, c->scaled.gpus);
    return ws_arena_printf(&s->scale->arena, "%s%s=%s", whole ? series_name(s, c) : "", s->runs->columns[s->size].name,
                           text);
}

/* What the configurations of a series have in common, and those that are compared with each other. */
typedef struct series {
    bool is_weak;     /* of a series */
    size_t reference; /* of those compared; SIZE_MAX: none has that many GPUs */
    ws_work work;     /* likewise */
} series;

static void take_into(series *of, const scaler *s, size_t index, double wanted_gpus)
{
    const configuration *c = &s->configurations[index];
    double gpus = c->scaled.gpus;
    if (c->n_rows && !isnan(gpus) && (isnan(wanted_gpus) || gpus == wanted_gpus) &&
        (of->reference == SIZE_MAX || gpus < s->configurations[of->reference].scaled.gpus))
        of->reference = index;
}

/* Adds the rows of a configuration that count to those that are compared, which have room for all. */
static void compare_rows(const configuration *c, size_t number, size_t *rows, size_t *unit, size_t *n)
{
    for (size_t r = 0; r < c->n_rows; r++) {
        unit[*n] = number;
        rows[(*n)++] = c->rows[r];
    }
}

/* Which work these rows are compared by; runs that say nothing but their time an epoch have no other. */
static ws_work choose_work(scaler *s, const ws_compared *compared, const char *name)
{
    const char *why;
    ws_work work = ws_work_of(compared, &why);
    if (s->options->per && ws_work_named(s->options->per, &work))
        return work;
    if (time_column(s->runs) == WS_COL_EPOCH_S && !has_values(s->runs, WS_COL_ENERGY))
        return WS_PER_EPOCH;
    ws_work_note(compared, work, why, name, &s->scale->notes);
    return work;
}

/* next[i]: the following configuration with the same of[]; SIZE_MAX behind the last. of[i] is the first of them. */
static void chain(const size_t *of, size_t n, size_t *next)
{
    size_t *last = ws_alloc((n + 1) * sizeof *last);
    for (size_t i = 0; i < n; i++) {
        next[i] = SIZE_MAX;
        if (of[i] != i)
            next[last[of[i]]] = i;
        last[of[i]] = i;
    }
    free(last);
}

/* The rows of a chain of configurations from `first` on; returns their number. */
static size_t rows_of_chain(const scaler *s, const size_t *next, size_t first, size_t *rows, size_t *unit)
{
    size_t n = 0, number = 0;
    for (size_t i = first; i != SIZE_MAX; i = next[i])
        compare_rows(&s->configurations[i], number++, rows, unit, &n);
    return n;
}

/* Which series scale weakly, and by which work those that are compared with each other are. */
static void choose_works(scaler *s, series *each)
{
    const char *kind = s->options->kind;
    size_t room = s->runs->n_rows + 1, *rows = ws_alloc(2 * room * sizeof *rows), *unit = rows + room;
    size_t *of = ws_alloc(2 * (s->n + 1) * sizeof *of), *next = of + s->n + 1;
    for (size_t i = 0; i < s->n; i++)
        of[i] = s->configurations[i].series;
    chain(of, s->n, next);
    for (size_t i = 0; i < s->n; i++) {
        if (of[i] != i)
            continue;
        size_t n = rows_of_chain(s, next, i, rows, unit);
        each[i].is_weak = kind ? strcmp(kind, "weak") == 0 : ws_work_is_weak(s->runs, rows, n, s->size);
    }
    for (size_t i = 0; i < s->n; i++)
        of[i] = s->configurations[i].compared;
    chain(of, s->n, next);
    for (size_t i = 0; i < s->n; i++) {
        if (of[i] != i)
            continue;
        size_t n = rows_of_chain(s, next, i, rows, unit);
        ws_compared compared = {s->runs, rows, unit, n, true};
        for (size_t j = i; j != SIZE_MAX; j = next[j])
            compared.is_weak &= each[s->configurations[j].series].is_weak;
        each[i].work = choose_work(s, &compared, is_beyond_series(s) ? "all" : series_name(s, &s->configurations[i]));
    }
    free(of);
    free(rows);
}

/* The column that only names runs and keeps every configuration apart from all others, though their numbers of GPUs
 * differ; NULL: none. */
static const char *find_lonely(const scaler *s)
{
    const char *name = NULL;
    bool differ = false;
    for (size_t g = 0; g < s->n_group && !name; g++)
        if (ws_name_use(s->runs->columns[s->group[g]].name) == WS_USE_IDENTITY)
            name = s->runs->columns[s->group[g]].name;
    for (size_t i = 0; i < s->n && name; i++) {
        differ |= s->configurations[i].scaled.gpus != s->configurations[0].scaled.gpus;
        name = s->configurations[i].series == i ? name : NULL;
    }
    return differ ? name : NULL;
}

static void choose_references(scaler *s, double wanted_gpus)
{
    series *each = ws_alloc((s->n + 1) * sizeof *each);
    for (size_t i = 0; i < s->n; i++)
        each[i] = (series){.reference = SIZE_MAX};
    for (size_t i = 0; i < s->n; i++)
        take_into(&each[s->configurations[i].compared], s, i, wanted_gpus);
    choose_works(s, each);
    s->lonely = is_beyond_series(s) || !isnan(wanted_gpus) ? NULL : find_lonely(s);
    for (size_t i = 0; i < s->n; i++) {
        configuration *c = &s->configurations[i];
        c->scaled.is_weak = each[c->series].is_weak;
        c->scaled.work = each[c->compared].work;
        c->reference = s->lonely ? SIZE_MAX : each[c->compared].reference;
    }
    free(each);
}

static void add_squares(configuration *head, const ws_spread *ln, size_t of)
{
    double df = ln->n < 2 ? 0 : (double)(ln->n - 1);
    head->squares[of] += df > 0 ? ln->sd * ln->sd * df : 0;
    head->df[of] += df;
}

/* Means and spreads of the times and energies of the work that is compared. */
static void take_values(scaler *s)
{
    ws_work *work = ws_alloc((s->runs->n_rows + 1) * sizeof *work);
    for (size_t row = 0; row < s->runs->n_rows; row++)
        work[row] = WS_PER_RUN;
    for (size_t i = 0; i < s->n; i++)
        for (size_t r = 0; r < s->configurations[i].n_rows; r++)
            work[s->configurations[i].rows[r]] = s->configurations[i].scaled.work;
    ws_table values;
    ws_work_table(s->runs, work, time_column(s->runs), &values);
    const ws_spread_source from[WS_OF_N] = {ws_spread_source_of(&values, 0), ws_spread_source_of(&values, 1)};
    for (size_t i = 0; i < s->n; i++) {
        configuration *c = &s->configurations[i];
        for (size_t of = 0; of < WS_OF_N; of++) {
            c->scaled.value[of] = ws_spread_of(&from[of], c->rows, c->n_rows);
            c->scaled.ln[of] = ws_log_spread_of(&from[of], c->rows, c->n_rows);
            add_squares(&s->configurations[c->series], &c->scaled.ln[of], of);
        }
    }
    ws_table_free(&values);
    free(work);
}

/* Are a and b one configuration but for the setting that the reference names, and for what the series is called? */
static bool differ_in_setting_alone(const scaler *s, size_t a, size_t b)
{
    for (size_t g = 0; g < s->n_group; g++)
        if (s->group[g] != s->setting && s->group[g] != WS_COL_SERIES &&
            !ws_same_cell(s->runs, s->group[g], s->configurations[a].first, s->configurations[b].first))
            return false;
    return true;
}

static bool has_setting(const scaler *s, size_t index, const char *value)
{
    char buffer[WS_DOUBLE_TEXT];
    double wanted, number = ws_table_number(s->runs, s->setting, s->configurations[index].first);
    const char *text = ws_table_cell_text(s->runs, s->setting, s->configurations[index].first, buffer);
    return strcmp(text, value) == 0 || (ws_span_double(ws_span_of(value), &wanted) && number == wanted);
}

/* The configuration that has the value and differs in nothing else: of several that of the same series. */
static size_t counterpart(const scaler *s, size_t index, const char *value)
{
    size_t found = SIZE_MAX, of_series = SIZE_MAX, n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!s->configurations[i].n_rows || !has_setting(s, i, value) || !differ_in_setting_alone(s, index, i))
            continue;
        n++;
        found = i;
        if (ws_same_cell(s->runs, WS_COL_SERIES, s->configurations[index].first, s->configurations[i].first))
            of_series = i;
    }
    if (n > 1 && of_series == SIZE_MAX)
        ws_notes_add(
            &s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, "", 0,
            "configurations have several references (%s): their series differ in something that no column says",
            s->options->reference);
    return of_series != SIZE_MAX ? of_series : n == 1 ? found : SIZE_MAX;
}

static ws_status refer_to_setting(scaler *s, const char *value, ws_error *error)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        s->configurations[i].reference = counterpart(s, i, value);
        any |= s->configurations[i].reference != SIZE_MAX;
    }
    return any ? WS_OK : ws_fail(error, WS_USAGE, "no configuration has the reference '%s'", s->options->reference);
}

/* "power_cap_w=250" by a column that groups: returns the value, and s->setting is the column. */
static const char *find_setting(scaler *s, const char *how)
{
    const char *equals = how ? strchr(how, '=') : NULL;
    char name[128];
    s->setting = SIZE_MAX;
    if (!equals || equals == how || !equals[1] || (size_t)(equals - how) >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(equals - how), how);
    size_t column;
    if (!ws_table_find(s->runs, name, &column) || !is_grouping(s, column))
        return NULL;
    s->setting = column;
    return equals + 1;
}

static ws_status find_references(scaler *s, ws_error *error)
{
    double wanted = NAN;
    const char *how = s->options->reference;
    const char *size = s->runs->columns[s->size].name;
    size_t n = strlen(size);
    bool named = how && strncmp(how, size, n) == 0 && how[n] == '=';
    bool known = !how || strcmp(how, "series") == 0 || strcmp(how, "all") == 0;
    const char *value = find_setting(s, named || known ? NULL : how);
    if ((named && !ws_span_double(ws_span_of(how + n + 1), &wanted)) || (!named && !known && !value))
        return ws_fail(
            error, WS_USAGE,
            "the reference '%s' is none of series, all, %s=N and SETTING=VALUE, as power_cap_w=250 (--reference, "
            "or 'reference' of the campaign; a setting is what the runs are grouped by)",
            how, size);
    find_series(s);
    for (size_t i = 0; i < s->n; i++)
        s->configurations[i].scaled.gpus = ws_table_number(s->runs, s->size, s->configurations[i].first);
    choose_references(s, wanted);
    ws_status status = value ? refer_to_setting(s, value, error) : WS_OK;
    take_values(s);
    return status;
}

/* Over the series of both. */
static ws_pooled pool(const scaler *s, size_t series_a, size_t series_b, size_t of)
{
    const configuration *a = &s->configurations[series_a], *b = &s->configurations[series_b];
    double squares = a->squares[of] + (a == b ? 0 : b->squares[of]);
    double df = a->df[of] + (a == b ? 0 : b->df[of]);
    return (ws_pooled){df > 0 ? sqrt(squares / df) : NAN, df};
}

/* A run that stands in two series is one run: a configuration of these is its own reference, too. */
static bool has_same_runs(const scaler *s, const configuration *a, const configuration *b)
{
    if (a->n_rows != b->n_rows)
        return false;
    for (size_t i = 0; i < a->n_rows; i++) {
        bool found = false;
        for (size_t j = 0; j < b->n_rows && !found; j++)
            found = s->same[a->rows[i]] == s->same[b->rows[j]];
        if (!found)
            return false;
    }
    return true;
}

static void set_ratios(scaler *s, size_t index, size_t first)
{
    const configuration *c = &s->configurations[index];
    if (c->reference == SIZE_MAX) {
        if (!isnan(c->scaled.gpus))
            ws_set_ratio_words(s->scale, first, index, &c->scaled, NULL);
        if (s->lonely)
            ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, s->lonely, 0,
                         "only '%s' tells the runs apart, so that nothing says which belong together: no speed-up "
                         "(--group %s takes runs of as many for repeats)",
                         s->lonely, s->runs->columns[s->size].name);
        else
            ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, "", 0,
                         "configurations have no reference (%s), so no speed-up",
                         s->options->reference ? s->options->reference : "no GPU count");
        return;
    }
    const configuration *ref = &s->configurations[c->reference];
    if (c != ref && has_same_runs(s, c, ref))
        c = ref;
    const ws_pooled pooled[WS_OF_N] = {pool(s, c->series, ref->series, WS_OF_TIME),
                                       pool(s, c->series, ref->series, WS_OF_ENERGY)};
    ws_set_ratios(s->scale, first, index, &c->scaled, &ref->scaled, pooled);
    ws_set_ratio_words(s->scale, first, index, &c->scaled, name_of(s, ref, is_beyond_series(s)));
}

/* A line that fits a screen: time (per epoch where no wall time is known), GPUh, energy and their ratio. Mean powers
 * show where there is no energy. */
static bool is_detail(const scaler *s, size_t column)
{
    bool has_energy = has_values(s->runs, WS_COL_ENERGY);
    if (column == time_column(s->runs))
        return false;
    if (column == WS_COL_GPU_POWER || column == WS_COL_CPU_POWER || column == WS_COL_UTIL_MEAN)
        return has_energy;
    return s->runs->columns[column].detail || column == WS_COL_COVERAGE;
}

static void add_quantity(scaler *s, size_t column)
{
    char name[160];
    const char *base = s->runs->columns[column].name;
    size_t mean = ws_table_add_column(s->scale, base, WS_NUMBER);
    snprintf(name, sizeof name, "%s_rmse", base);
    size_t rmse = ws_table_add_column(s->scale, name, WS_NUMBER);
    snprintf(name, sizeof name, "%s_sd", base);
    size_t sd = s->options->sd ? ws_table_add_column(s->scale, name, WS_NUMBER) : 0;
    s->scale->columns[mean].detail = s->scale->columns[rmse].detail = is_detail(s, column);
    const ws_spread_source from = ws_spread_source_of(s->runs, column);
    for (size_t i = 0; i < s->n; i++) {
        const configuration *c = &s->configurations[i];
        ws_spread value = ws_spread_of(&from, c->rows, c->n_rows);
        ws_table_set_number(s->scale, mean, i, value.mean);
        ws_table_set_number(s->scale, rmse, i, value.n > 1 ? value.rmse : NAN);
        if (sd)
            ws_table_set_number(s->scale, sd, i, value.sd);
    }
}

static bool is_constant(const scaler *s, size_t column)
{
    size_t rmse;
    char beside[160];
    snprintf(beside, sizeof beside, "%s_rmse", s->runs->columns[column].name);
    if (ws_table_find(s->runs, beside, &rmse)) /* a mean: it varied before it came here */
        return false;
    for (size_t i = 0; i < s->n; i++)
        for (size_t r = 0; r < s->configurations[i].n_rows; r++)
            if (!ws_same_cell(s->runs, column, s->configurations[i].first, s->configurations[i].rows[r]))
                return false;
    return true;
}

/* What comes out of here under that name is not copied from what went in. */
static bool is_own_result(const scaler *s, size_t column)
{
    static const char *const suffixes[] = {"_rmse", "_sd"};
    const char *name = s->runs->columns[column].name;
    if (strcmp(name, "n_runs") == 0 || strcmp(name, "n_unusable") == 0 || ws_is_ratio_column(name))
        return true;
    for (size_t i = 0; i < 2; i++) {
        char base[160];
        size_t n = strlen(name), suffix = strlen(suffixes[i]), at;
        snprintf(base, sizeof base, "%.*s", n > suffix ? (int)(n - suffix) : 0, name);
        if (n > suffix && strcmp(name + n - suffix, suffixes[i]) == 0 && ws_table_find(s->runs, base, &at))
            return true;
    }
    return false;
}

/* A setting that is the same in all runs of every configuration is worth a column; of the runs' own columns, those that
 * never vary within a configuration are settings. */
static bool is_common_setting(const scaler *s, size_t column)
{
    if (is_grouping(s, column) || is_own_result(s, column) || !has_values(s->runs, column) || !is_constant(s, column))
        return false;
    return column >= WS_RUN_COLUMN_N || ws_run_column_about((ws_run_column)column)->role == WS_ROLE_SETTING;
}

/* Standard settings and labels have no mean; of the runs' own columns, numbers that vary do. */
static bool is_quantity(const scaler *s, size_t column)
{
    if (is_grouping(s, column) || is_own_result(s, column) || s->runs->columns[column].kind == WS_TEXT)
        return false;
    if (column < WS_RUN_COLUMN_N)
        return ws_run_column_about((ws_run_column)column)->role == WS_ROLE_QUANTITY;
    return !is_constant(s, column);
}

/* What tells repeats apart and results are no settings. */
static bool is_of_repeat(const char *name)
{
    static const char *const words[] = {"seed",  "repeat", "rep",  "trial", "round", "fold", "acc",       "loss",
                                        "error", "rmse",   "top1", "top5",  "score", "auc",  "perplexity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

/* What comes again may be a setting; a name, a date or a result of each run is none. */
static bool may_be_setting(const scaler *s, size_t column)
{
    const ws_column *c = &s->runs->columns[column];
    size_t kinds = 0;
    ws_same_rows index;
    if (column < WS_RUN_COLUMN_N || is_grouping(s, column) || strcmp(c->name, JOB_STATE) == 0 ||
        is_of_repeat(c->name) || (c->kind != WS_TEXT && is_own_result(s, column)))
        return false;
    ws_same_rows_init(&index, s->runs, &column, 1);
    for (size_t row = 0; row < s->runs->n_rows; row++)
        kinds += ws_same_rows_first(&index, row) == row;
    ws_same_rows_free(&index);
    return kinds * 2 <= s->runs->n_rows;
}

/* Means over different settings are nobody's. */
static void note_mixed(const scaler *s)
{
    const char *list = "";
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (may_be_setting(s, c) && !is_constant(s, c))
            list = ws_arena_printf(&s->scale->arena, "%s%s%s", list, *list ? ", " : "", s->runs->columns[c].name);
    if (*list)
        ws_notes_add(&s->scale->notes, WS_FINDING_MIXED_SETTINGS, s->runs->source, "", 0,
                     "runs that are averaged differ in %s (--group keeps apart what is a setting)", list);
}

/* A mean of fewer runs than stand beside it. */
static void note_without_energy(const scaler *s, const ws_spread_source *energy, const configuration *c)
{
    size_t with = ws_spread_of(energy, c->rows, c->n_rows).n;
    for (size_t i = 0; with && i < c->n_rows; i++)
        if (ws_table_is_missing(s->runs, WS_COL_ENERGY, c->rows[i]))
            ws_notes_add(&s->scale->notes, WS_FINDING_WITHOUT_ENERGY, s->runs->source, "",
                         s->runs->line ? s->runs->line[c->rows[i]] : 0,
                         "a run without energy counts in n_runs, and the mean energy is that of the others");
}

static size_t add_setting(scaler *s, size_t from)
{
    const ws_column *c = &s->runs->columns[from];
    size_t to = ws_table_add_column(s->scale, c->name, c->kind);
    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->configurations[i].first;
        if (c->kind == WS_TEXT)
            ws_table_set_text(s->scale, to, i, c->text[row]);
        else if (c->kind == WS_INTEGER)
            ws_table_set_integer(s->scale, to, i, c->integer[row]);
        else
            ws_table_set_number(s->scale, to, i, c->number[row]);
    }
    return to;
}

/* Texts by bytes, numbers by size, missing ones last. */
static int compare_cells(const ws_table *t, size_t column, size_t a, size_t b)
{
    const ws_column *c = &t->columns[column];
    if (c->kind == WS_TEXT)
        return strcmp(c->text[a] ? c->text[a] : "", c->text[b] ? c->text[b] : "");
    double x = ws_table_number(t, column, a), y = ws_table_number(t, column, b);
    return isnan(x) || isnan(y) ? (isnan(x) ? 1 : 0) - (isnan(y) ? 1 : 0) : (x > y) - (x < y);
}

static int compare_configurations(const void *a, const void *b, void *state)
{
    const scaler *s = state;
    const configuration *x = a, *y = b;
    for (size_t g = 0; g < s->n_group; g++) {
        int order = compare_cells(s->runs, s->group[g], x->first, y->first);
        if (order)
            return order;
    }
    return (x->first > y->first) - (x->first < y->first);
}

static ws_energy_verdict verdict_of(const scaler *s, const configuration *c)
{
    ws_energy_verdict gravest = WS_ENERGY_VERDICT_NONE;
    for (size_t i = 0; i < c->n_rows; i++) {
        ws_energy_verdict own = ws_energy_verdict_named(s->runs->columns[WS_COL_VERDICT].text[c->rows[i]]);
        bool has_energy = !ws_table_is_missing(s->runs, WS_COL_ENERGY, c->rows[i]);
        gravest = has_energy && own > gravest ? own : gravest;
    }
    return gravest;
}

/* People see the columns where a run is left out, and where a verdict is not ok. */
static void add_verdicts(scaler *s)
{
    ws_table *t = s->scale;
    size_t count = ws_table_add_column(t, "n_unusable", WS_INTEGER);
    size_t verdict = ws_table_add_column(t, "energy_verdict", WS_TEXT);
    t->columns[count].detail = t->columns[verdict].detail = true;
    for (size_t i = 0; i < s->n; i++) {
        ws_energy_verdict gravest = verdict_of(s, &s->configurations[i]);
        ws_table_set_integer(t, count, i, (int64_t)s->configurations[i].n_left_out);
        if (gravest != WS_ENERGY_VERDICT_NONE)
            ws_table_set_text(t, verdict, i, ws_energy_verdict_name(gravest));
        t->columns[count].detail &= !s->configurations[i].n_left_out;
        t->columns[verdict].detail &= gravest <= WS_ENERGY_VERDICT_OK;
    }
}

/* What is not known of the mean energy, beside its spread. */
static void add_budgets(scaler *s)
{
    ws_runs_add_mean_budget(s->scale);
    for (size_t i = 0; i < s->n; i++)
        ws_runs_set_mean_budget(s->runs, s->configurations[i].rows, s->configurations[i].n_rows, s->scale, i);
}

static void fill_table(scaler *s)
{
    ws_table *t = s->scale;
    const ws_spread_source energy = ws_spread_source_of(s->runs, WS_COL_ENERGY);
    note_mixed(s);
    for (size_t i = 0; i < s->n; i++) {
        ws_table_add_row(t);
        note_without_energy(s, &energy, &s->configurations[i]);
    }
    for (size_t g = 0; g < s->n_group; g++)
        add_setting(s, s->group[g]);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_common_setting(s, c))
            ws_table_set_detail(t, add_setting(s, c));
    size_t count = ws_table_add_column(t, "n_runs", WS_INTEGER);
    const ws_spread_source runs = ws_spread_source_of(s->runs, s->size);
    for (size_t i = 0; i < s->n; i++)
        ws_table_set_integer(t, count, i,
                             (int64_t)ws_runs_behind(&runs, s->configurations[i].rows, s->configurations[i].n_rows));
    add_verdicts(s);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_quantity(s, c))
            add_quantity(s, c);
    if (has_values(s->runs, WS_COL_ENERGY_LO))
        add_budgets(s);
    size_t first = ws_ratio_columns(t);
    for (size_t i = 0; i < s->n; i++)
        set_ratios(s, i, first);
}

void ws_scale_members_free(ws_scale_members *members)
{
    for (size_t i = 0; i < members->n; i++)
        free(members->items[i].rows), free(members->items[i].left_out);
    free(members->items);
    *members = (ws_scale_members){0};
}

/* The lists of rows change hands. */
static void give_members(scaler *s, ws_scale_members *to)
{
    *to = (ws_scale_members){.n = s->n, .time_column = time_column(s->runs)};
    to->items = ws_alloc(s->n * sizeof *to->items + 1);
    for (size_t i = 0; i < s->n; i++) {
        configuration *c = &s->configurations[i];
        to->items[i] = (ws_scale_member){c->rows,        c->n_rows,         c->left_out,
                                         c->n_left_out,  c->reference,      name_of(s, c, true),
                                         c->scaled.gpus, c->scaled.is_weak, c->scaled.work};
        c->rows = c->left_out = NULL;
    }
}

ws_status ws_scale(const ws_table *runs, const ws_scaling_options *options, ws_table *scale, ws_error *error)
{
    scaler s = {.runs = runs, .options = options, .scale = scale};
    ws_table_init(scale, "scale");
    ws_notes_append(&scale->notes, &runs->notes);
    scale->synthetic = runs->synthetic;
    scale->looks = runs->looks;
    scale->has_few_digits = runs->has_few_digits;
    scale->source = ws_arena_strdup(&scale->arena, runs->source);
    s.same = ws_alloc((runs->n_rows + 1) * sizeof *s.same);
    ws_units_same_runs(runs, s.same);
    ws_status status = choose_group(&s, error);
    if (status == WS_OK)
        status = collect(&s, error);
    if (status == WS_OK && !s.n && runs->n_rows)
        status = ws_fail_at(error, WS_DATA, runs->source, 0,
                            "nothing says yet of how many runs the files are (status 'ask:nodes' of 'wattscale runs')");
    if (status == WS_OK && s.n)
        qsort_r(s.configurations, s.n, sizeof *s.configurations, compare_configurations, &s);
    if (status == WS_OK)
        status = find_references(&s, error);
    if (status == WS_OK)
        fill_table(&s);
    if (status == WS_OK && options->members)
        give_members(&s, options->members);
    for (size_t i = 0; i < s.n; i++)
        free(s.configurations[i].rows), free(s.configurations[i].left_out);
    free(s.configurations);
    free(s.same);
    free(s.group);
    return status;
}
