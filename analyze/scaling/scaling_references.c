/* What each configuration is compared with: series, the work that is compared, references by size or by a setting. */
#include "analyze/scaling/scaling_internal.h"

#include "analyze/ingest/name_words.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "analyze/scaling/spread.h"
#include "analyze/setting_columns.h"
#include "analyze/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ws_scaler_time_column(const ws_table *runs)
{
    static const ws_run_column times[] = {WS_COL_WALL, WS_COL_EPOCH_S, WS_COL_SAMPLES_PER_S};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (ws_table_has_values(runs, times[i]))
            return times[i];
    return WS_COL_WALL;
}

/* The size of the machine and what follows from it do not make a series; everything else that groups does. So does the
 * factor that a data set was divided by, unless the samples that it leaves are known: without them nothing says whether
 * work grew with the machine. */
static bool is_size(const ws_scaler *s, size_t column)
{
    if (strcmp(s->runs->columns[column].name, "factor") == 0)
        return ws_table_has_values(s->runs, WS_COL_DATASET_SAMPLES);
    return column == s->size || column == WS_COL_GPUS || column == WS_COL_NODES || column == WS_COL_LBS ||
           column == WS_COL_GBS || column == WS_COL_DATASET_SAMPLES || column == WS_COL_EPOCHS;
}

bool ws_scaler_is_beyond_series(const ws_scaler *s)
{
    return s->setting != SIZE_MAX || (s->options->reference && strcmp(s->options->reference, "all") == 0);
}

enum { ALWAYS = 4 };

/* What groups but sizes; beyond series not their names, but model, device and caps whether they group or not: no time
 * of one is a reference of another. Room for n_group + ALWAYS. */
static size_t telling_columns(const ws_scaler *s, bool in_series, size_t *columns)
{
    static const size_t always[ALWAYS] = {WS_COL_MODEL, WS_COL_DEVICE, WS_COL_POWER_CAP, WS_COL_CLOCK_CAP};
    size_t n = 0;
    for (size_t g = 0; g < s->n_group; g++)
        if (!is_size(s, s->group[g]) && (in_series || s->group[g] != WS_COL_SERIES))
            columns[n++] = s->group[g];
    for (size_t i = 0; i < ALWAYS && !in_series; i++) {
        size_t k = 0;
        while (k < n && columns[k] != always[i])
            k++;
        columns[n] = always[i];
        n += k == n;
    }
    return n;
}

/* number[i]: the first configuration that agrees with i in all of these. */
static void find_alike(const ws_scaler *s, bool in_series, size_t *number)
{
    ws_same_rows index;
    size_t *columns = ws_alloc((s->n_group + ALWAYS) * sizeof *columns), n = telling_columns(s, in_series, columns);
    size_t *of_row = ws_alloc((s->runs->n_rows + 1) * sizeof *of_row);
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

/* Says by what configurations have a reference each. */
static void note_apart(ws_scaler *s)
{
    size_t *columns = ws_alloc((s->n_group + ALWAYS) * sizeof *columns), n = telling_columns(s, false, columns);
    const char *list = "", *one = NULL;
    for (size_t c = 0; c < n; c++) {
        const char *name = s->runs->columns[columns[c]].name;
        bool differs = false;
        for (size_t i = 1; i < s->n; i++)
            differs |= !ws_same_cell(s->runs, columns[c], s->configurations[0].first, s->configurations[i].first);
        one = differs && !one ? name : one;
        if (differs)
            list = ws_arena_printf(&s->scale->arena, "%s%s%s", list, *list ? ", " : "", name);
    }
    free(columns);
    if (one)
        ws_notes_add(&s->scale->notes, WS_FINDING_REFERENCES_APART, s->runs->source, "", 0,
                     "configurations that differ in %s have a reference each (--reference %s=VALUE compares these)",
                     list, one);
}

/* A series is known by the first of its configurations, and so are those that are compared with each other. */
static void find_series(ws_scaler *s)
{
    size_t *number = ws_alloc((s->n + 1) * sizeof *number);
    find_alike(s, true, number);
    for (size_t i = 0; i < s->n; i++)
        s->configurations[i].series = s->configurations[i].compared = number[i];
    if (ws_scaler_is_beyond_series(s))
        find_alike(s, false, number);
    for (size_t i = 0; i < s->n && ws_scaler_is_beyond_series(s); i++)
        s->configurations[i].compared = s->setting != SIZE_MAX ? 0 : number[i];
    free(number);
    if (ws_scaler_is_beyond_series(s) && s->setting == SIZE_MAX)
        note_apart(s);
}

/* "lbs256 A100 ": what makes the series of a configuration, and a blank behind it. With `is_shown` as people call it.
 */
static const char *series_name(const ws_scaler *s, const ws_configuration *c, bool is_shown)
{
    const char *name = "";
    char buffer[WS_DOUBLE_TEXT];
    for (size_t g = 0; g < s->n_group; g++) {
        if (is_size(s, s->group[g]) || ws_table_is_missing(s->runs, s->group[g], c->first))
            continue;
        const char *text = ws_table_cell_text(s->runs, s->group[g], c->first, buffer);
        const ws_look *look = ws_look_of_value(s->runs->looks, s->runs->columns[s->group[g]].name, text);
        name = ws_arena_printf(&s->scale->arena, "%s%s ", name, is_shown && look && look->name ? look->name : text);
    }
    return name;
}

static const char *configuration_name(const ws_scaler *s, const ws_configuration *c, bool whole, bool is_shown)
{
    char text[WS_DOUBLE_TEXT];
    ws_double_text(text, c->scaled.gpus);
    return ws_arena_printf(&s->scale->arena, "%s%s=%s", whole ? series_name(s, c, is_shown) : "",
                           s->runs->columns[s->size].name, text);
}

const char *ws_configuration_name(const ws_scaler *s, const ws_configuration *c, bool whole)
{
    return configuration_name(s, c, whole, false);
}

void ws_scaler_show_references(ws_scaler *s)
{
    const ws_looks *of_runs = s->runs->looks;
    ws_arena *arena = &s->scale->arena;
    size_t n = of_runs ? of_runs->n : 0;
    if (!n || !ws_scaler_is_beyond_series(s))
        return;
    ws_looks *looks = ws_arena_alloc(arena, sizeof *looks);
    *looks = (ws_looks){ws_arena_alloc(arena, (n + s->n + 1) * sizeof *looks->items), n, n + s->n};
    memcpy(looks->items, of_runs->items, n * sizeof *looks->items);
    for (size_t i = 0; i < s->n; i++) {
        if (s->configurations[i].reference == SIZE_MAX)
            continue;
        const ws_configuration *ref = &s->configurations[s->configurations[i].reference];
        const char *name = configuration_name(s, ref, true, false), *shown = configuration_name(s, ref, true, true);
        if (strcmp(name, shown) != 0 && !ws_look_of_value(looks, "reference", name))
            looks->items[looks->n++] = (ws_look){.column = "reference",
                                                 .value = name,
                                                 .name = shown,
                                                 .factor = 1,
                                                 .order = NAN,
                                                 .colour = -1,
                                                 .marker = -1};
    }
    s->scale->looks = looks;
}

/* What the configurations of a series have in common, and those that are compared with each other. */
typedef struct series {
    bool is_weak;     /* of a series */
    size_t reference; /* of those compared; SIZE_MAX: none has that many GPUs */
    ws_work work;     /* likewise */
} series;

/* Has a run of it the time that others are held against? Where no run of the campaign has one, energies are. */
static bool has_time(const ws_scaler *s, const ws_configuration *c)
{
    size_t time = ws_scaler_time_column(s->runs);
    bool has = !ws_table_has_values(s->runs, time);
    for (size_t r = 0; r < c->n_rows && !has; r++)
        has = !ws_table_is_missing(s->runs, time, c->rows[r]);
    return has;
}

static void take_into(series *of, const ws_scaler *s, size_t index, double wanted_gpus)
{
    const ws_configuration *c = &s->configurations[index];
    double gpus = c->scaled.gpus;
    if (c->n_rows && !isnan(gpus) && (!isnan(wanted_gpus) || has_time(s, c)) &&
        (isnan(wanted_gpus) || gpus == wanted_gpus) &&
        (of->reference == SIZE_MAX || gpus < s->configurations[of->reference].scaled.gpus))
        of->reference = index;
}

/* Adds the rows of a configuration that count to those that are compared, which have room for all. */
static void compare_rows(const ws_configuration *c, size_t number, size_t *rows, size_t *unit, size_t *n)
{
    for (size_t r = 0; r < c->n_rows; r++) {
        unit[*n] = number;
        rows[(*n)++] = c->rows[r];
    }
}

/* Which work these rows are compared by; runs that say nothing but their time an epoch, or their samples a second, have
 * no other. */
static ws_work choose_work(ws_scaler *s, const ws_compared *compared, const char *name)
{
    const char *why;
    ws_work work = ws_work_of(compared, &why);
    if (s->options->per && ws_work_named(s->options->per, &work))
        return work;
    size_t time = ws_scaler_time_column(s->runs);
    if (time != WS_COL_WALL && !ws_table_has_values(s->runs, WS_COL_ENERGY))
        return time == WS_COL_EPOCH_S ? WS_PER_EPOCH : WS_PER_SAMPLE;
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
static size_t rows_of_chain(const ws_scaler *s, const size_t *next, size_t first, size_t *rows, size_t *unit)
{
    size_t n = 0, number = 0;
    for (size_t i = first; i != SIZE_MAX; i = next[i])
        compare_rows(&s->configurations[i], number++, rows, unit, &n);
    return n;
}

/* Which series scale weakly, and by which work those that are compared with each other are. */
static void choose_works(ws_scaler *s, series *each)
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
        each[i].work = choose_work(
            s, &compared, ws_scaler_is_beyond_series(s) ? "all" : series_name(s, &s->configurations[i], false));
    }
    free(of);
    free(rows);
}

/* The column that only names runs and keeps every configuration apart from all others, though their numbers of GPUs
 * differ; NULL: none. */
static const char *find_lonely(const ws_scaler *s)
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

/* The smallest configuration would be the reference if its runs counted: said once for each that takes its place. */
static void note_moved_references(const ws_scaler *s, const series *each)
{
    for (size_t i = 0; i < s->n; i++) {
        const ws_configuration *lost = &s->configurations[i];
        size_t reference = each[lost->compared].reference;
        bool is_left_out = !lost->n_rows && lost->n_left_out, is_untimed = lost->n_rows && !has_time(s, lost);
        if ((!is_left_out && !is_untimed) || reference == SIZE_MAX ||
            !(lost->scaled.gpus < s->configurations[reference].scaled.gpus))
            continue;
        ws_notes_add(&s->scale->notes, is_untimed ? WS_FINDING_NO_REFERENCE : WS_FINDING_UNUSABLE_RUN, s->runs->source,
                     "", 0, "all runs of %s=%.6g %s, and speed-up and efficiency are relative to %s=%.6g",
                     s->runs->columns[s->size].name, lost->scaled.gpus, is_untimed ? "have no time" : "are left out",
                     s->runs->columns[s->size].name, s->configurations[reference].scaled.gpus);
    }
}

static void choose_references(ws_scaler *s, double wanted_gpus)
{
    series *each = ws_alloc((s->n + 1) * sizeof *each);
    for (size_t i = 0; i < s->n; i++)
        each[i] = (series){.reference = SIZE_MAX};
    for (size_t i = 0; i < s->n; i++)
        take_into(&each[s->configurations[i].compared], s, i, wanted_gpus);
    choose_works(s, each);
    s->lonely = ws_scaler_is_beyond_series(s) || !isnan(wanted_gpus) ? NULL : find_lonely(s);
    for (size_t i = 0; i < s->n; i++) {
        ws_configuration *c = &s->configurations[i];
        c->scaled.is_weak = each[c->series].is_weak;
        c->scaled.work = each[c->compared].work;
        c->reference = s->lonely ? SIZE_MAX : each[c->compared].reference;
    }
    if (isnan(wanted_gpus) && !s->lonely)
        note_moved_references(s, each);
    free(each);
}

void ws_add_squares(const ws_spread *spread, double *squares, double *df)
{
    double own = spread->n < 2 ? 0 : (double)(spread->n - 1);
    *squares += own > 0 ? spread->sd * spread->sd * own : 0;
    *df += own;
}

/* Of the runs of all references of a configuration, each run once. */
static void take_references(ws_scaler *s, ws_configuration *c, const ws_spread_source from[WS_OF_N])
{
    size_t n = 0, room = 1;
    for (size_t i = 0; i < c->n_references; i++)
        room += s->configurations[c->references[i]].n_rows;
    size_t *rows = ws_alloc(room * sizeof *rows);
    for (size_t i = 0; i < c->n_references; i++) {
        const ws_configuration *one = &s->configurations[c->references[i]];
        memcpy(rows + n, one->rows, one->n_rows * sizeof *rows);
        n += one->n_rows;
    }
    n = ws_units_once(s->same, rows, n);
    c->against = ws_arena_alloc(&s->scale->arena, sizeof *c->against);
    *c->against = s->configurations[c->reference].scaled;
    for (size_t of = 0; of < WS_OF_N; of++) {
        c->against->value[of] = ws_spread_of(&from[of], rows, n);
        c->against->ln[of] = ws_log_spread_of(&from[of], rows, n);
    }
    free(rows);
}

/* Means and spreads of the times and energies of the work that is compared. */
static void take_values(ws_scaler *s)
{
    ws_work *work = ws_alloc((s->runs->n_rows + 1) * sizeof *work);
    for (size_t row = 0; row < s->runs->n_rows; row++)
        work[row] = WS_PER_RUN;
    for (size_t i = 0; i < s->n; i++)
        for (size_t r = 0; r < s->configurations[i].n_rows; r++)
            work[s->configurations[i].rows[r]] = s->configurations[i].scaled.work;
    ws_table values;
    ws_work_table(s->runs, work, ws_scaler_time_column(s->runs), &values);
    const ws_spread_source from[WS_OF_N] = {
        [WS_OF_TIME] = ws_spread_source_of(&values, 0), [WS_OF_ENERGY] = ws_spread_source_of(&values, 1)};
    for (size_t i = 0; i < s->n; i++) {
        ws_configuration *c = &s->configurations[i];
        for (size_t of = 0; of < WS_OF_N; of++) {
            c->scaled.value[of] = ws_spread_of(&from[of], c->rows, c->n_rows);
            c->scaled.ln[of] = ws_log_spread_of(&from[of], c->rows, c->n_rows);
            ws_configuration *head = &s->configurations[c->series];
            ws_add_squares(&c->scaled.ln[of], &head->squares[of], &head->df[of]);
        }
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->configurations[i].n_references > 1)
            take_references(s, &s->configurations[i], from);
    ws_table_free(&values);
    free(work);
}

/* Are a and b one configuration but for the setting that the reference names, and for what the series is called? */
static bool differ_in_setting_alone(const ws_scaler *s, size_t a, size_t b)
{
    for (size_t g = 0; g < s->n_group; g++)
        if (s->group[g] != s->setting && s->group[g] != WS_COL_SERIES &&
            !ws_same_cell(s->runs, s->group[g], s->configurations[a].first, s->configurations[b].first))
            return false;
    return true;
}

static bool has_setting(const ws_scaler *s, size_t index, const char *value)
{
    char buffer[WS_DOUBLE_TEXT];
    double wanted, number = ws_table_number(s->runs, s->setting, s->configurations[index].first);
    const char *text = ws_table_cell_text(s->runs, s->setting, s->configurations[index].first, buffer);
    return strcmp(text, value) == 0 || (ws_span_double(ws_span_of(value), &wanted) && number == wanted);
}

/* Does a column say nothing beyond the setting that the reference names: is there one value of it for each of that
 * (the partition of a device)? */
static bool follows_from_setting(const ws_scaler *s, size_t column)
{
    size_t n = s->runs->n_rows, *rows = ws_alloc(2 * (n + 1) * sizeof *rows), *unit = rows + n + 1;
    ws_same_rows index;
    ws_same_rows_init(&index, s->runs, &s->setting, 1);
    for (size_t row = 0; row < n; row++) {
        rows[row] = row;
        unit[row] = ws_same_rows_number(&index, row);
    }
    ws_same_rows_free(&index);
    bool follows = !ws_units_differ(s->runs, rows, n, unit, column);
    free(rows);
    return follows;
}

/* What configurations have to agree in to be one reference: settings, but the one that the reference names and what
 * follows from it: of a series whatever it is called for. */
static ws_setting_columns settings_that_tell(const ws_scaler *s)
{
    ws_setting_columns all = ws_setting_columns_of(s->runs, &s->scale->arena), tell = {all.columns, 0};
    for (size_t i = 0; i < all.n; i++) {
        ws_run_column known;
        size_t c = all.columns[i];
        bool is_told = ws_run_column_find(s->runs->columns[c].name, &known) && s->setting != WS_COL_SERIES;
        if (c != s->setting && (is_told || !follows_from_setting(s, c)))
            tell.columns[tell.n++] = c;
    }
    return tell;
}

/* How much work there is, and on how many nodes, what is compared by epoch or by device may differ in. */
static bool is_of_work(size_t column)
{
    return column == WS_COL_EPOCHS || column == WS_COL_DATASET_SAMPLES || column == WS_COL_NODES;
}

/* Do the first runs of two configurations agree in these, or in all but their work? */
static bool say_the_same(const ws_scaler *s, const ws_setting_columns *tell, bool but_work, size_t a, size_t b)
{
    for (size_t i = 0; i < tell->n; i++)
        if (!(but_work && is_of_work(tell->columns[i])) &&
            !ws_same_cell(s->runs, tell->columns[i], s->configurations[a].first, s->configurations[b].first))
            return false;
    return true;
}

/* Keeps of these configurations those that say the same as this one; where there are none, those that do so but for
 * their work. */
static size_t keep_alike(const ws_scaler *s, const ws_setting_columns *tell, size_t index, size_t *found, size_t n)
{
    size_t kept = 0;
    for (int but_work = 0; but_work < 2 && !kept; but_work++)
        for (size_t i = 0; i < n; i++)
            if (say_the_same(s, tell, but_work, index, found[i]))
                found[kept++] = found[i];
    return kept;
}

/* The configurations that have the value and differ in nothing else: of several that of the same series, else those
 * that agree in what does not group, too (epochs, samples), which then are one reference. */
static size_t counterpart(const ws_scaler *s, const ws_setting_columns *tell, size_t index, const char *value)
{
    ws_configuration *c = &s->configurations[index];
    size_t *found = ws_arena_alloc(&s->scale->arena, (s->n + 1) * sizeof *found), n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!s->configurations[i].n_rows || !has_setting(s, i, value) || !differ_in_setting_alone(s, index, i))
            continue;
        if (ws_same_cell(s->runs, WS_COL_SERIES, c->first, s->configurations[i].first) &&
            say_the_same(s, tell, true, index, i))
            return i;
        found[n++] = i;
    }
    n = keep_alike(s, tell, index, found, n);
    for (size_t i = 1; i < n; i++) {
        if (say_the_same(s, tell, false, found[0], found[i]))
            continue;
        ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, "", 0,
                     "configurations have several references (%s), which differ from each other in more than that",
                     s->options->reference);
        return SIZE_MAX;
    }
    c->references = found;
    c->n_references = n;
    return n ? found[0] : SIZE_MAX;
}

/* No configuration is what `reference` asks for: names those that there are, as far as a line has room. */
static ws_status fail_without_reference(const ws_scaler *s, size_t column, ws_error *error)
{
    char values[200] = "", text[WS_DOUBLE_TEXT], word[sizeof values];
    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->configurations[i].first;
        if (ws_table_is_missing(s->runs, column, row))
            continue;
        snprintf(word, sizeof word, " %s,", ws_table_cell_text(s->runs, column, row, text));
        if (!strstr(values, word) && strlen(values) + strlen(word) < sizeof values)
            strcat(values, word);
    }
    if (*values)
        values[strlen(values) - 1] = '\0';
    return ws_fail(error, WS_USAGE, "no configuration has the reference '%s'; %s is one of:%s", s->options->reference,
                   s->runs->columns[column].name, values);
}

static ws_status refer_to_setting(ws_scaler *s, const char *value, ws_error *error)
{
    bool any = false;
    ws_setting_columns tell = settings_that_tell(s);
    for (size_t i = 0; i < s->n; i++) {
        s->configurations[i].reference = counterpart(s, &tell, i, value);
        any |= s->configurations[i].reference != SIZE_MAX;
    }
    return any ? WS_OK : fail_without_reference(s, s->setting, error);
}

/* "power_cap_w=250" by a column that groups: returns the value, and s->setting is the column. */
static const char *find_setting(ws_scaler *s, const char *how)
{
    const char *equals = how ? strchr(how, '=') : NULL;
    char name[128];
    s->setting = SIZE_MAX;
    if (!equals || equals == how || !equals[1] || (size_t)(equals - how) >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(equals - how), how);
    size_t column;
    if (!ws_table_find(s->runs, name, &column) || !ws_scaler_groups_by(s, column))
        return NULL;
    s->setting = column;
    return equals + 1;
}

/* Is there a configuration of that size, or none that has one? */
static ws_status check_size(const ws_scaler *s, double wanted, ws_error *error)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        double size = s->configurations[i].scaled.gpus;
        any |= !isnan(size);
        if (size == wanted)
            return WS_OK;
    }
    return any ? fail_without_reference(s, s->size, error) : WS_OK;
}

ws_status ws_scaler_find_references(ws_scaler *s, ws_error *error)
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
            "the reference must be series, all, %s=N or SETTING=VALUE, as power_cap_w=250, not '%s' (--reference, "
            "or 'reference' of the campaign; a setting is a column of the runs)",
            size, how);
    find_series(s);
    for (size_t i = 0; i < s->n; i++)
        s->configurations[i].scaled.gpus = ws_table_number(s->runs, s->size, s->configurations[i].first);
    choose_references(s, wanted);
    ws_status status = value                                      ? refer_to_setting(s, value, error)
                       : named && !s->options->may_lack_reference ? check_size(s, wanted, error)
                                                                  : WS_OK;
    take_values(s);
    return status;
}
