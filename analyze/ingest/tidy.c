#include "analyze/ingest/tidy.h"

#include "analyze/ingest/bare_units.h"
#include "analyze/ingest/mean_powers.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/summary_rows.h"
#include "analyze/run_status.h"
#include "analyze/same_rows.h"
#include "core/device_limits.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ws_column_meaning meaning;

/* s: a year, which no run takes; more is a stamp. Ours. */
#define LONGEST_S 31557600.0

static const meaning no_meaning = {.column = WS_RUN_COLUMN_N, .factor = 1};

/* A name as it is looked up: without case and signs. */
typedef struct plain_name {
    char text[WS_PLAIN_NAME];
} plain_name;

static plain_name plain_of(ws_span name)
{
    plain_name plain;
    ws_run_column column;
    size_t n = ws_plain_name_of_words(plain.text, name).n; /* "TotalEnergy", "numGpus" */
    plain.text[n] = '\0';
    if (!n || !(ws_dictionary_find((ws_span){plain.text, n}) || ws_run_column_find(plain.text, &column)))
        plain.text[ws_plain_name(plain.text, name).n] = '\0';
    return plain;
}

static ws_run_column column_called(const char *name)
{
    ws_run_column column;
    if (ws_run_column_find(name, &column))
        return column;
    const ws_known_name *known = ws_dictionary_find(ws_span_of(name));
    return known && known->run && ws_run_column_find(known->run, &column) ? column : WS_RUN_COLUMN_N;
}

static meaning with_unit(ws_run_column column, const ws_unit *unit)
{
    const ws_run_column_info *info = ws_run_column_about(column);
    if (!unit || info->dimension == WS_DIM_NONE)
        return (meaning){.column = column, .factor = 1};
    return unit->dimension == info->dimension ? (meaning){.column = column, .factor = unit->to_si / info->to_si}
                                              : no_meaning;
}

/* Does its name leave the unit open? Hours of GPUs and the run time of Hugging Face's Trainer, which is in s, do not.
 */
static bool is_bare(ws_run_column column, const ws_known_name *known)
{
    ws_dimension dimension = ws_run_column_about(column)->dimension;
    return (dimension == WS_DIM_ENERGY || dimension == WS_DIM_TIME) && !(known->flags & WS_NAME_HAS_UNIT);
}

static meaning of_synonym(ws_run_column column, const char *name)
{
    const ws_known_name *known = ws_dictionary_find(ws_span_of(name));
    if (known && (known->flags & WS_NAME_RUN_NEEDS_UNIT))
        return no_meaning;
    if (strcmp(ws_run_column_about(column)->name, name) == 0 || !known) /* a standard name in other case */
        return (meaning){.column = column, .factor = 1};
    return (meaning){.column = column,
                     .factor = 1,
                     .is_bare = is_bare(column, known),
                     .may_be_stamp = (known->flags & WS_NAME_MAY_BE_STAMP) != 0};
}

/* Names in lower case cannot tell mJ from MJ. NULL: the name does. */
static const char *doubtful_unit(const char *raw_name)
{
    static const char *const endings[] = {"_mj", "_mwh"};
    size_t n = strlen(raw_name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (n > strlen(endings[i]) && strcmp(raw_name + n - strlen(endings[i]), endings[i]) == 0)
            return endings[i] + 1;
    return NULL;
}

static meaning with_written_unit(ws_run_column column, const ws_unit *unit, const char *raw_name)
{
    meaning m = with_unit(column, unit);
    m.spelled = m.column != WS_RUN_COLUMN_N && unit->dimension == WS_DIM_ENERGY ? doubtful_unit(raw_name) : NULL;
    m.is_bare = m.spelled != NULL;
    return m;
}

/* "codecarbon__energy_consumed": columns that ExperimentRunner copies from CodeCarbon's table, in its units. */
static const char *without_prefix(const char *name, bool *is_prefixed)
{
    static const char prefix[] = "codecarbon__";
    *is_prefixed = strncmp(name, prefix, sizeof prefix - 1) == 0;
    return *is_prefixed ? name + sizeof prefix - 1 : name;
}

/* "Joules", "kWh", "watt_hours", "seconds": a name that is nothing but a unit of energies or times, and no letter that
 * may be another thing. */
static meaning of_unit_alone(const char *name)
{
    enum { SHORTEST_TIME = 5 }; /* "hours" */
    char behind[WS_PLAIN_NAME];
    ws_span rest;
    static const char total[] = "total_"; /* "total_kwh" */
    size_t skip = strncmp(name, total, strlen(total)) == 0 ? strlen(total) : 0;
    snprintf(behind, sizeof behind, "x_%.80s", name + skip);
    const ws_unit *unit = strlen(name) > 2 ? ws_unit_in_name(ws_span_of(behind), &rest) : NULL;
    if (!unit || rest.n != 1 || ws_span_eq_nocase(ws_span_of(name), "mWh"))
        return no_meaning;
    return unit->dimension == WS_DIM_ENERGY                                  ? with_unit(WS_COL_ENERGY, unit)
           : unit->dimension == WS_DIM_TIME && strlen(name) >= SHORTEST_TIME ? with_unit(WS_COL_WALL, unit)
                                                                             : no_meaning;
}

static bool is_count(ws_run_column column)
{
    const ws_run_column_info *info = ws_run_column_about(column);
    return info->role == WS_ROLE_SETTING && info->dimension == WS_DIM_NONE;
}

/* "Images/sec", "throughput (samples per second)", "img/s/GPU": samples a second, of all GPUs or of each. */
static meaning of_rate(const char *raw_name)
{
    static const char *const seconds[] = {"_per_seconds", "_per_second", "_per_sec", "_per_s"};
    static const char *const each[] = {"_per_gpu", "_per_device"};
    char spoken[2 * WS_PLAIN_NAME];
    size_t n = 0;
    for (const char *c = raw_name; *c && n + 6 < sizeof spoken; c++)
        n += (size_t)snprintf(spoken + n, sizeof spoken - n, *c == '/' ? " per " : "%c", *c);
    plain_name plain;
    ws_span name = ws_plain_name(plain.text, (ws_span){spoken, n});
    bool is_of_each = false;
    for (size_t i = 0; i < 2 && !is_of_each; i++)
        if ((is_of_each = ws_span_has_suffix(name, each[i])))
            name.n -= strlen(each[i]);
    for (size_t i = 0; i < 4; i++)
        if (ws_span_has_suffix(name, seconds[i])) {
            snprintf(plain.text + name.n - strlen(seconds[i]), sizeof "_per_s", "_per_s");
            ws_run_column column = column_called(plain.text);
            return column != WS_COL_SAMPLES_PER_S ? no_meaning
                   : is_of_each                   ? (meaning){.column = WS_COL_SAMPLES_PER_GPUH, .factor = 3600}
                                                  : (meaning){.column = column, .factor = 1};
        }
    return no_meaning;
}

/* "Elapsed (hh:mm:ss) [s]" without the form of its cells. */
static const char *without_form(const char *name, char room[WS_PLAIN_NAME])
{
    static const char *const forms[] = {"hh:mm:ss", "h:mm:ss", "dd-hh:mm:ss", "d-hh:mm:ss", "hms"};
    const char *open = strpbrk(name, "(["), *close = open ? strpbrk(open, ")]") : NULL;
    for (size_t i = 0; close && i < sizeof forms / sizeof *forms; i++)
        if (ws_span_eq_nocase((ws_span){open + 1, (size_t)(close - open - 1)}, forms[i])) {
            snprintf(room, WS_PLAIN_NAME, "%.*s%s", (int)(open - name), name, close + 1);
            return room;
        }
    return name;
}

static meaning meaning_of(const char *whole_name)
{
    ws_run_column column;
    bool is_of_codecarbon;
    char room[WS_PLAIN_NAME];
    const char *raw_name = without_form(without_prefix(whole_name, &is_of_codecarbon), room);
    if (ws_run_column_find(raw_name, &column))
        return (meaning){.column = column, .factor = 1};
    meaning rate = of_rate(raw_name);
    if (rate.column != WS_RUN_COLUMN_N)
        return rate;
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
    plain_name name = plain_of(bare);
    column = column_called(name.text);
    if (column != WS_RUN_COLUMN_N && unit && !is_count(column)) /* "samples_s" counts nothing */
        return with_written_unit(column, unit, raw_name);
    name = plain_of(ws_span_of(raw_name));
    column = column_called(name.text);
    meaning m = column == WS_RUN_COLUMN_N ? of_unit_alone(raw_name) : of_synonym(column, name.text);
    m.is_bare &= !is_of_codecarbon;
    return m;
}

/* "config.gpus", "result.energy_kwh": objects that hold what a run was told and what it gave. Others ("data.time",
 * "eval.runtime") are of a part of it. NULL: no such name. */
static const char *inside_object(const char *name)
{
    static const char *const objects[] = {"config",  "configs", "cfg",      "args",   "params",      "parameters",
                                          "hparams", "setting", "settings", "result", "results",     "metrics",
                                          "summary", "run",     "output",   "job",    "measurement", "measurements"};
    const char *dot = strrchr(name, '.');
    char plain[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(plain, dot ? (ws_span){name, (size_t)(dot - name)} : ws_span_of("")), word;
    while (dot && ws_span_split(&rest, '_', &word)) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
            is_known |= ws_span_eq(word, objects[i]);
        if (!is_known)
            return NULL;
    }
    return dot ? dot + 1 : NULL;
}

static bool is_taken(const meaning *meanings, size_t n, ws_run_column column)
{
    for (size_t i = 0; i < n; i++)
        if (meanings[i].column == column)
            return true;
    return false;
}

/* "duration [s]", which may have its unit from its cells, is also called "duration". */
static bool is_name_before_unit(const char *whole, const char *name)
{
    size_t n = strlen(name);
    return strncmp(whole, name, n) == 0 && strncmp(whole + n, " [", 2) == 0 && whole[strlen(whole) - 1] == ']';
}

/* "energy [J]" is also the column "energy", whose unit the user states. */
static bool find_named(const ws_table *raw, const char *name, size_t *at)
{
    char bare_name[160];
    ws_span bare;
    if (ws_table_find(raw, name, at))
        return true;
    for (size_t i = 0; i < raw->n_columns; i++)
        if (is_name_before_unit(raw->columns[i].name, name)) {
            *at = i;
            return true;
        }
    if (!ws_unit_in_name(ws_span_of(name), &bare) || !strchr("])", name[strlen(name) - 1]))
        return false;
    snprintf(bare_name, sizeof bare_name, "%.*s", WS_SPAN_ARG(bare));
    return ws_table_find(raw, bare_name, at);
}

/* Keys of a map that are no columns of runs: "part=rank" names what the rows of a run differ in, and
 * "gpus_per_node=gpus" gives a column the name that says what it counts, as "run_power_w=power [kW]" does in its unit.
 */
static bool is_own_key(const char *key)
{
    return strcmp(key, "part") == 0 || strcmp(key, "gpus_per_node") == 0 || ws_own_quantity_find(key);
}

static ws_status take_own_key(ws_arena *arena, ws_table *raw, const char *key, const char *raw_name, size_t at,
                              const char **part, ws_error *error)
{
    ws_span bare;
    ws_column *c = &raw->columns[at];
    const ws_own_quantity *own = ws_own_quantity_find(key);
    if (strcmp(key, "part") == 0) {
        *part = c->name;
        return WS_OK;
    }
    if (own) {
        ws_cells_take_unit(arena, raw, at);
        const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
        unit = unit ? unit : ws_unit_in_name(ws_span_of(c->name), &bare);
        if (unit && unit->dimension != own->dimension)
            return ws_fail(error, WS_USAGE, "--columns: the unit of '%s' does not fit %s", raw_name, key);
        double *numbers = ws_arena_alloc(arena, (raw->n_rows + 1) * sizeof *numbers);
        for (size_t row = 0; row < raw->n_rows; row++)
            numbers[row] = ws_table_cell_number(raw, at, row) * (unit ? unit->to_si / own->to_si : 1);
        *c = (ws_column){.kind = WS_NUMBER, .number = numbers, .capacity = raw->n_rows};
    }
    c->name = own ? own->name : "gpus_per_node";
    return WS_OK;
}

/* A name with commas in it, which part the entries of a map: "wall_s=Runtime, s,gpus=GPUs". */
static ws_span name_with_commas(const ws_table *raw, ws_span *rest, ws_span name)
{
    size_t at;
    char text[160];
    ws_span longer = name, more = *rest, next;
    for (;;) {
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(ws_span_trim(longer)));
        if (find_named(raw, text, &at)) {
            *rest = more;
            return longer;
        }
        if (!ws_span_split(&more, ',', &next) || ws_span_contains(next, "="))
            return name;
        longer.n = (size_t)(next.p + next.n - longer.p);
    }
}

/* meanings[i] for the columns of raw; a map entry beats a name, the first of two columns with one meaning wins. */
static ws_status read_map(ws_arena *arena, ws_table *raw, const char *map, meaning *meanings, const char **part,
                          ws_error *error)
{
    ws_span rest = ws_span_of(map), piece;
    while (ws_span_split(&rest, ',', &piece)) {
        ws_span value = piece, key;
        ws_span_split(&value, '=', &key);
        if (value.p)
            value = name_with_commas(raw, &rest, value);
        char name[160], raw_name[160];
        snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(ws_span_trim(key)));
        snprintf(raw_name, sizeof raw_name, "%.*s", value.p ? (int)ws_span_trim(value).n : 0,
                 value.p ? ws_span_trim(value).p : "");
        ws_run_column column;
        size_t at;
        bool is_column = ws_run_column_find(name, &column);
        if (!is_column && !is_own_key(name))
            return ws_fail(error, WS_USAGE,
                           "--columns: '%s' is not a column of runs, such as gpus, wall_s or energy_kwh", name);
        if (!find_named(raw, raw_name, &at))
            return ws_fail(error, WS_USAGE, "--columns: %s has no column '%s' to take %s from", raw->source, raw_name,
                           name);
        if (!is_column) {
            ws_status status = take_own_key(arena, raw, name, raw_name, at, part, error);
            if (status != WS_OK)
                return status;
            continue;
        }
        if (is_taken(meanings, raw->n_columns, column))
            return ws_fail(error, WS_USAGE, "--columns: two columns are named for %s", name);
        ws_span bare;
        const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
        if (ws_run_column_about(column)->dimension == WS_DIM_TIME)
            ws_cells_take_duration(arena, raw, at);
        else if (ws_run_column_about(column)->kind == WS_NUMBER)
            ws_cells_take_unit(arena, raw, at);
        if (!unit)
            unit = ws_unit_in_name(ws_span_of(raw->columns[at].name), &bare);
        meanings[at] = with_unit(column, unit);
        if (column == WS_COL_SAMPLES_PER_GPUH && of_rate(raw->columns[at].name).column == WS_COL_SAMPLES_PER_S)
            meanings[at].factor = 3600; /* of each GPU, says the user */
        if (meanings[at].column == WS_RUN_COLUMN_N)
            return ws_fail(error, WS_USAGE, "--columns: the unit of '%s' does not fit %s", raw_name, name);
    }
    return WS_OK;
}

/* If the format of a file states its units, no column is bare. Stamps are not numbers. */
static meaning meaning_under(const ws_table *raw, size_t column, const char *name)
{
    meaning m = meaning_of(name);
    if (m.may_be_stamp && (raw->units_are_known || raw->columns[column].kind == WS_TEXT))
        return no_meaning;
    m.is_bare &= !raw->units_are_known;
    return m;
}

static meaning meaning_in(const ws_table *raw, size_t column)
{
    return meaning_under(raw, column, raw->columns[column].name);
}

/* Inner objects of JSON name what no column of its own does, where one of them alone does. */
static void settle_inner(const ws_table *raw, meaning *meanings, const bool *taken)
{
    size_t n[WS_RUN_COLUMN_N + 1] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < raw->n_columns; i++) {
            const char *inner = inside_object(raw->columns[i].name);
            meaning m = inner && meanings[i].column == WS_RUN_COLUMN_N ? meaning_under(raw, i, inner) : no_meaning;
            if (m.column == WS_RUN_COLUMN_N || taken[m.column])
                continue;
            n[m.column] += pass == 0;
            if (pass == 1 && n[m.column] == 1)
                meanings[i] = m;
        }
}

static void tidy_settle(const ws_table *raw, meaning *meanings)
{
    bool taken[WS_RUN_COLUMN_N] = {false};
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column != WS_RUN_COLUMN_N)
            taken[meanings[i].column] = true;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < raw->n_columns; i++) {
            ws_run_column exact;
            bool is_exact = ws_run_column_find(raw->columns[i].name, &exact);
            meaning m = meaning_in(raw, i);
            if (meanings[i].column != WS_RUN_COLUMN_N || m.column == WS_RUN_COLUMN_N || taken[m.column] ||
                is_exact != (pass == 0))
                continue;
            meanings[i] = m;
            taken[m.column] = true;
        }
    }
    settle_inner(raw, meanings, taken);
}

static void copy_text(const ws_table *raw, size_t from, ws_table *runs, size_t to)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < raw->n_rows; row++)
        if (!ws_table_is_missing(raw, from, row))
            ws_table_set_text(runs, to, row, ws_table_cell_text(raw, from, row, buffer));
}

/* The note stands at the line where there is one; a row of a computed table is named in the text. */
static void note_not_a_number(const ws_table *raw, size_t column, size_t row, ws_notes *notes)
{
    char place[320];
    const ws_column *c = &raw->columns[column];
    bool placed = raw->line != NULL;
    ws_notes_add(notes, WS_FINDING_NOT_A_NUMBER, raw->source, c->name, placed ? raw->line[row] : 0,
                 "%s%s'%.40s' in the column '%s' is not a number and is left out",
                 placed ? "" : ws_table_place(raw, row, place), placed ? "" : ": ", c->text[row], c->name);
}

void ws_tidy_numbers(ws_table *table, size_t column)
{
    ws_column *c = &table->columns[column];
    size_t found = 0;
    if (c->kind != WS_TEXT)
        return;
    double *numbers = ws_alloc((c->capacity + 1) * sizeof *numbers);
    for (size_t row = 0; row < table->n_rows; row++) {
        numbers[row] = ws_table_cell_number(table, column, row);
        found += isnan(numbers[row]) ? 0 : 1;
    }
    if (!found) {
        free(numbers);
        return;
    }
    for (size_t row = 0; row < table->n_rows; row++)
        if (isnan(numbers[row]) && !ws_table_is_missing(table, column, row))
            note_not_a_number(table, column, row, &table->notes);
    free(c->text);
    c->text = NULL;
    c->number = numbers;
    c->kind = WS_NUMBER;
}

static void copy_numbers(const ws_table *raw, size_t from, double factor, ws_table *runs, size_t to)
{
    for (size_t row = 0; row < raw->n_rows; row++) {
        double value = ws_table_cell_number(raw, from, row);
        if (!isnan(value))
            ws_table_set_number(runs, to, row, value * factor);
        else if (!ws_table_is_missing(raw, from, row))
            note_not_a_number(raw, from, row, &runs->notes);
    }
}

/* Of a table's own columns, results are for people at once; the rest (stamps, counts, settings) is detail. */
static bool is_result(const char *name)
{
    static const char *const words[] = {"error", "acc", "loss", "rmse", "top1", "top5", "score", "perplexity", "auc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static bool has_energy(const ws_table *raw, size_t column)
{
    for (size_t row = 0; row < raw->n_rows; row++)
        if (ws_table_cell_number(raw, column, row) > 0)
            return true;
    return false;
}

/* What a column of energies of a trace would be: `role` says whether it is one. */
static ws_meaning energy_in_trace(const char *name)
{
    ws_meaning m = ws_meaning_of(ws_span_of(name));
    if (m.role != WS_ROLE_VALUE || !ws_is_energy(m.quantity) || !m.names_domain)
        m.role = WS_ROLE_UNKNOWN;
    return m;
}

/* Cores and graphics lie inside the package, and the platform around it: no total lacks them. "PP0_ENERGY (J)" */
static bool is_inside_or_around(const char *name)
{
    ws_rapl_zone zone;
    ws_span rest = ws_span_of(name), first;
    const ws_meaning m = energy_in_trace(name);
    ws_domain domain = ws_is_value(&m) ? m.domain : WS_OTHER;
    if (!ws_is_value(&m) && ws_span_split(&rest, '_', &first) && ws_rapl_zone_find(first, &zone))
        domain = zone.domain;
    return domain == WS_CPU_CORE || domain == WS_CPU_GFX || domain == WS_PSYS;
}

/* --- energies of numbered parts --- */

/* GPUs, processors or memories of a run with an energy each: "gpu0_energy_j,gpu1_energy_j". */
typedef struct parts_of_kind {
    ws_domain domain;
    ws_run_column column;
    const char *name; /* of their sum */
} parts_of_kind;

static const parts_of_kind kinds_of_parts[] = {{WS_GPU, WS_COL_ENERGY_GPU, "gpu_energy [J]"},
                                               {WS_CPU, WS_COL_ENERGY_CPU, "cpu_energy [J]"},
                                               {WS_DRAM, WS_COL_ENERGY_DRAM, "dram_energy [J]"}};
enum { KINDS_OF_PARTS = sizeof kinds_of_parts / sizeof *kinds_of_parts };

/* One below zero counts: it leaves its run without a sum. */
static bool has_other_than_zero(const ws_table *raw, size_t column)
{
    for (size_t row = 0; row < raw->n_rows; row++)
        if (fabs(ws_table_cell_number(raw, column, row)) > 0)
            return true;
    return false;
}

/* The number of such a part; -1: the column is none. *to_j is NaN where its unit is not sure. */
static int64_t number_of_part(const ws_table *raw, size_t column, ws_domain domain, double *to_j)
{
    ws_span bare;
    const char *name = raw->columns[column].name;
    const ws_meaning m = energy_in_trace(name);
    const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
    bool is_part = ws_is_value(&m) && m.domain == domain && !m.is_total && raw->columns[column].kind != WS_TEXT &&
                   has_other_than_zero(raw, column);
    *to_j = unit && !doubtful_unit(name) ? unit->to_si : NAN;
    return is_part ? m.device_number : -1;
}

/* How many there are, if they count up from 0 or 1 and none stands there twice; 0: the sum would lack some. */
static size_t count_parts(const ws_table *raw, ws_domain domain)
{
    enum { MOST = 64 };
    bool is_there[MOST + 1] = {false};
    size_t n = 0;
    double to_j;
    for (size_t i = 0; i < raw->n_columns; i++) {
        int64_t number = number_of_part(raw, i, domain, &to_j);
        if (number < 0)
            continue;
        if (number >= MOST || is_there[number] || isnan(to_j))
            return 0;
        is_there[number] = true;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_there[i + !is_there[0]])
            return 0;
    return n > 1 || is_there[0] ? n : 0;
}

/* Each run holds as many GPUs, as far as the table says how many. */
static bool fits_gpus(const ws_table *raw, const ws_fields *defaults, size_t n)
{
    const char *said = ws_fields_get(defaults, "gpus");
    double number;
    if (said && ws_span_double(ws_span_of(said), &number) && number != (double)n)
        return false;
    for (size_t i = 0; i < raw->n_columns; i++)
        for (size_t row = 0; meaning_in(raw, i).column == WS_COL_GPUS && row < raw->n_rows; row++) {
            number = ws_table_cell_number(raw, i, row);
            if (!isnan(number) && number != (double)n)
                return false;
        }
    return true;
}

static bool has_column_of(const ws_table *raw, ws_run_column column)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meaning_in(raw, i).column == column)
            return true;
    return false;
}

/* In J; a run that lacks one of them has no sum. `first` is the name of the first. */
static double *sum_parts(ws_arena *arena, const ws_table *raw, ws_domain domain, const char **first)
{
    double *sum = ws_arena_alloc(arena, (raw->n_rows + 1) * sizeof *sum), to_j;
    *first = NULL;
    for (size_t row = 0; row < raw->n_rows; row++)
        sum[row] = 0;
    for (size_t i = 0; i < raw->n_columns; i++) {
        if (number_of_part(raw, i, domain, &to_j) < 0)
            continue;
        for (size_t row = 0; row < raw->n_rows; row++) {
            double energy = ws_table_cell_number(raw, i, row);
            sum[row] = energy >= 0 ? sum[row] + energy * to_j : NAN; /* NaN stays */
        }
        *first = *first ? *first : raw->columns[i].name;
    }
    return sum;
}

static void mark_parts(const ws_table *raw, ws_domain domain, bool *is_summed)
{
    double to_j;
    for (size_t i = 0; i < raw->n_columns; i++)
        is_summed[i] |= number_of_part(raw, i, domain, &to_j) >= 0;
}

/* Does the table have their sum, to a hundredth? */
static bool has_sum(const ws_table *raw, ws_run_column column, const double *sum_j)
{
    for (size_t i = 0; i < raw->n_columns; i++) {
        const meaning m = meaning_in(raw, i);
        if (m.column != column || m.is_bare)
            continue;
        bool is_sum = true;
        for (size_t row = 0; row < raw->n_rows && is_sum; row++) {
            double joules = ws_table_cell_number(raw, i, row) * m.factor * ws_run_column_about(column)->to_si;
            is_sum = isnan(joules) || fabs(joules - sum_j[row]) <= 0.01 * joules;
        }
        if (is_sum)
            return true;
    }
    return false;
}

static void add_sum_of_parts(ws_table *runs, ws_table *raw, const parts_of_kind *kind, size_t n, double *sum,
                             const char *first)
{
    raw->columns[raw->n_columns++] =
        (ws_column){.name = kind->name, .kind = WS_NUMBER, .number = sum, .capacity = raw->n_rows};
    ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, raw->source, ws_run_column_about(kind->column)->name, 0,
                 "%s is the sum of %zu columns, of which '%s' is the first", ws_run_column_about(kind->column)->name, n,
                 first);
}

/* As many GPUs as have an energy, in a table that says nothing of their number. */
static void add_number_of_gpus(ws_table *runs, ws_table *raw, const ws_fields *defaults, size_t n)
{
    if (has_column_of(raw, WS_COL_GPUS) || ws_fields_get(defaults, "gpus"))
        return;
    double *gpus = ws_arena_alloc(&runs->arena, (raw->n_rows + 1) * sizeof *gpus);
    for (size_t row = 0; row < raw->n_rows; row++)
        gpus[row] = (double)n;
    raw->columns[raw->n_columns++] =
        (ws_column){.name = "gpus", .kind = WS_NUMBER, .number = gpus, .capacity = raw->n_rows};
    ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, raw->source, "gpus", 0,
                 "gpus is %zu, as many as have an energy", n);
}

/* Adds their sums to a copy of the table that has room for them. is_summed: of its columns, that of a part in a sum,
 * and the sum that is added. */
static void add_sums_of_parts(ws_table *runs, ws_table *copy, const ws_fields *defaults, bool *is_summed)
{
    for (size_t k = 0; k < KINDS_OF_PARTS && !copy->units_are_known; k++) {
        const parts_of_kind *kind = &kinds_of_parts[k];
        const char *first;
        size_t n = count_parts(copy, kind->domain);
        if (!n || (kind->domain == WS_GPU && !fits_gpus(copy, defaults, n)))
            continue;
        double *sum = sum_parts(&runs->arena, copy, kind->domain, &first);
        bool has_column = has_column_of(copy, kind->column);
        if (has_column && !has_sum(copy, kind->column, sum))
            continue;
        mark_parts(copy, kind->domain, is_summed);
        is_summed[copy->n_columns] = !has_column;
        if (!has_column)
            add_sum_of_parts(runs, copy, kind, n, sum, first);
        if (kind->domain == WS_GPU)
            add_number_of_gpus(runs, copy, defaults, n);
    }
}

static bool is_one_of(ws_span word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && words[i]; i++)
        if (ws_span_eq(word, words[i]))
            return true;
    return false;
}

static bool has_word(const char *name, const char *const *words, size_t n)
{
    char buffer[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(buffer, ws_span_of(name)), word;
    while (ws_span_split(&rest, '_', &word))
        if (is_one_of(word, words, n))
            return true;
    return false;
}

/* "avg_gpu_energy_j": of each GPU. A mean without such a word may be over repeats. */
static bool is_mean_of_part(const char *name)
{
    static const char *const means[] = {"avg", "mean", "average"};
    static const char *const parts[] = {"gpu", "device", "accelerator", "node", "rank", "worker", "epoch", "step"};
    return has_word(name, means, sizeof means / sizeof *means) && has_word(name, parts, sizeof parts / sizeof *parts);
}

/* What a column with an energy in its name is, where no map of its own makes a run's energy of it; NULL: it may be one.
 */
static const char *no_energy_of_run(const char *name)
{
    static const struct {
        const char *words[7], *is;
    } kinds[] = {{{"before", "after", "start", "end", "begin", "initial", "final"},
                  "a reading of a counter, and a run has the difference of two"},
                 {{"static", "dynamic", "idle", "baseline", "net", "wasted", "saved"},
                  "a part of what a run draws, or a difference"},
                 {{"std", "sd", "stdev", "stddev", "var", "min", "max"}, "no mean and no sum"},
                 {{"per"}, "that of a part of each run, and a run has it so many times"}};
    char buffer[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(buffer, ws_span_of(name)), word;
    while (ws_span_split(&rest, '_', &word))
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (is_one_of(word, kinds[k].words, sizeof kinds->words / sizeof *kinds->words))
                return kinds[k].is;
    return is_mean_of_part(name) ? "a mean over parts of each run, and a run has it as often as there are" : NULL;
}

/* "energy_per_gpu_j": an energy by its name, though not that of a run. */
static bool says_energy_of_part(const char *name)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, ws_span_of(name));
    return ws_span_contains(plain, "energy_per_") && ws_unit_in_name(ws_span_of(name), &(ws_span){0});
}

/* "energy_per_gpu_j", "avg_gpu_energy_j": of each GPU, and no ratio to something else. */
static bool is_part_by_name(const char *name)
{
    static const char *const gpus[] = {"gpu", "device", "accelerator"};
    bool is_of_each = says_energy_of_part(name) || (is_mean_of_part(name) && ws_says_energy(name));
    return is_of_each && has_word(name, gpus, sizeof gpus / sizeof *gpus);
}

/* Numbers, or hours, minutes and seconds: no date. */
static bool holds_durations(ws_table *raw, ws_arena *arena, size_t column)
{
    ws_table copy = ws_table_with_own_columns(arena, raw);
    if (copy.columns[column].kind == WS_TEXT)
        ws_cells_take_duration(arena, &copy, column);
    for (size_t row = 0; row < raw->n_rows; row++)
        if (ws_table_cell_number(&copy, column, row) > 0 && ws_table_cell_number(&copy, column, row) < LONGEST_S)
            return true;
    return false;
}

/* "tokens_per_sec", "eval_samples_per_second" */
static bool is_rate(const char *name)
{
    static const char *const seconds[] = {"_per_seconds", "_per_second", "_per_sec", "_per_s"};
    char plain[WS_PLAIN_NAME];
    ws_span words = ws_plain_name(plain, ws_span_of(name));
    bool is = false;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        is |= ws_span_has_suffix(words, seconds[i]);
    return is;
}

static bool says_time(const char *name)
{
    static const char *const words[] = {"time",   "duration", "elapsed",   "runtime", "walltime", "wall",
                                        "second", "seconds",  "secs",      "minutes", "mins",     "hours",
                                        "hrs",    "laufzeit", "wallclock", "dauer"};
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
    bool is_in_brackets = strpbrk(name, "[(") != NULL;
    bool has_unit = unit && unit->dimension == WS_DIM_TIME && (bare.n > 1 || is_in_brackets) && !strchr(name, '/');
    return !ws_says_energy(name) && !is_rate(name) && (has_unit || has_word(name, words, sizeof words / sizeof *words));
}

/* Where nothing is the time of a run: columns that speak of one. */
static void note_passed_times(ws_table *raw, ws_arena *arena, const meaning *meanings, ws_notes *notes)
{
    static const char *const no_time[] = {"start", "end", "begin",  "per",       "step",  "steps",
                                          "iter",  "it",  "submit", "timelimit", "limit", "stamp"};
    bool is_timed = raw->units_are_known;
    for (size_t i = 0; i < raw->n_columns; i++) {
        ws_run_column column = meanings[i].column;
        is_timed |= column == WS_COL_WALL || column == WS_COL_JOB_WALL || column == WS_COL_EPOCH_S ||
                    column == WS_COL_GPU_H || column == WS_COL_SAMPLES_PER_S || meanings[i].is_asked;
    }
    for (size_t i = 0; i < raw->n_columns && !is_timed; i++) {
        const char *name = raw->columns[i].name;
        ws_span bare;
        if (meanings[i].column != WS_RUN_COLUMN_N || !says_time(name) || !holds_durations(raw, arena, i))
            continue;
        const char *unit = ws_unit_in_name(ws_span_of(name), &bare) || raw->columns[i].kind == WS_TEXT ? "" : " [UNIT]";
        if (has_word(name, no_time, sizeof no_time / sizeof *no_time))
            ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                         "'%s' is not read as the time of a run: by its name it is that of a part of each (a column "
                         "of your own, which --columns wall_s=NAME names)",
                         name);
        else
            ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                         "'%s' seems to be a time and is not read as that of a run: --columns 'wall_s=%s%s' says that "
                         "it is",
                         name, name, unit);
    }
}

static void note_passed_energy(const ws_table *raw, size_t column, ws_notes *notes)
{
    ws_span bare;
    const char *name = raw->columns[column].name;
    size_t own;
    bool is_of_job = ws_own_quantity_find(name) || (strcmp(name, "job_energy_kwh") == 0 &&
                                                    ws_table_find(raw, "energy_kwh", &own)); /* as `runs` prints */
    if (!has_energy(raw, column) || is_inside_or_around(name) || is_of_job)
        return;
    const char *is = no_energy_of_run(name);
    if (is_part_by_name(name)) {
        ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                     "'%s' is not read as an energy of runs: by its name it is that of each GPU (--columns "
                     "'energy_per_gpu_kwh=%s' says so)",
                     name, name);
        return;
    }
    if (is) {
        ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                     "'%s' is not read as an energy of runs: by its name it is %s (a column of your own, which "
                     "--columns energy_kwh=NAME names)",
                     name, is);
        return;
    }
    ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                 "'%s' seems to be an energy and is not read as one: --columns 'energy_kwh=%s%s' (or "
                 "energy_gpu_kwh, energy_cpu_kwh, energy_dram_kwh) says what it is",
                 name, name, ws_unit_in_name(ws_span_of(name), &bare) ? "" : " [UNIT]");
}

/* Parts that no name of a standard column fits ("gpu0_energy_j" beside "cpu_energy_j"): the sum of the others would
 * lack them. Whoever names the energies in a map, or gives a total, has said what counts. */
static void ask_for_passed_parts(const ws_table *raw, const bool *is_said, meaning *meanings, ws_notes *notes)
{
    bool has_part = false, is_settled = raw->units_are_known;
    for (size_t i = 0; i < raw->n_columns; i++) {
        ws_run_column column = meanings[i].column;
        bool is_part = column == WS_COL_ENERGY_GPU || column == WS_COL_ENERGY_CPU || column == WS_COL_ENERGY_DRAM;
        has_part |= is_part;
        is_settled |= column == WS_COL_ENERGY || (is_part && is_said[i]);
    }
    for (size_t i = 0; has_part && !is_settled && i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name;
        const ws_meaning m = energy_in_trace(name);
        if (meanings[i].column != WS_RUN_COLUMN_N || meanings[i].is_asked || meanings[i].is_summed ||
            ws_own_quantity_find(name) || !has_energy(raw, i) ||
            (!is_part_by_name(name) &&
             (!ws_is_value(&m) || m.is_total || is_inside_or_around(name) || !ws_says_energy(name))))
            continue;
        meanings[i].is_asked = true;
        if (is_part_by_name(name))
            ws_notes_add(notes, WS_FINDING_ASK_UNIT, raw->source, "", 0,
                         "'%s' is the energy of each GPU by its name, and the sum of the others lacks it: --columns "
                         "'energy_per_gpu_kwh=%s' says so",
                         name, name);
        else
            ws_notes_add(
                notes, WS_FINDING_ASK_UNIT, raw->source, "", 0,
                "'%s' is an energy of a part of which the run has another one or none, and the sum of the others "
                "lacks it: a column with their sum, or --columns that name the energies which count, as in "
                "'energy_kwh=%s', says it",
                name, name);
    }
}

static double si_of(const ws_table *raw, const meaning *meanings, ws_run_column column, size_t row)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column == column)
            return ws_table_cell_number(raw, i, row) * meanings[i].factor * ws_run_column_about(column)->to_si;
    return NAN;
}

/* "node_energy_kj" beside runs on several nodes: of one of them or of all? Where a run would draw more than any node
 * does, it is that of all. */
static void ask_for_energy_of_nodes(const ws_table *raw, const bool *is_said, meaning *meanings, ws_notes *notes)
{
    bool any = false, is_of_all = raw->units_are_known;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double energy_j = si_of(raw, meanings, WS_COL_ENERGY, row), wall_s = si_of(raw, meanings, WS_COL_WALL, row);
        any |= si_of(raw, meanings, WS_COL_NODES, row) > 1;
        is_of_all |= energy_j / wall_s > ws_limits_of_domain[WS_NODE].odd_w;
    }
    for (size_t i = 0; any && !is_of_all && i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name;
        const ws_meaning m = energy_in_trace(name);
        if (meanings[i].column != WS_COL_ENERGY || is_said[i] || !ws_is_value(&m) || m.domain != WS_NODE)
            continue;
        meanings[i] = (meaning){.column = WS_RUN_COLUMN_N, .factor = 1, .is_asked = true};
        ws_notes_add(
            notes, WS_FINDING_ASK_UNIT, raw->source, "", 0,
            "'%s' may be the energy of one node or of all nodes of the run: --columns 'energy_per_node_kwh=%s' "
            "or 'energy_kwh=%s' says which",
            name, name, name);
    }
}

static void copy_own_column(const ws_table *raw, size_t from, ws_table *runs)
{
    const ws_column *c = &raw->columns[from];
    ws_run_column standard;
    if (ws_run_column_find(c->name, &standard)) {
        ws_notes_add(&runs->notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, c->name, 0,
                     "the column '%s' is set aside, since another one is taken for it", c->name);
        return;
    }
    size_t to = ws_table_add_column(runs, c->name, c->kind == WS_TEXT ? WS_TEXT : WS_NUMBER);
    if (!is_result(c->name))
        ws_table_set_detail(runs, to);
    if (c->kind == WS_TEXT)
        copy_text(raw, from, runs, to);
    else
        copy_numbers(raw, from, 1, runs, to);
}

static void copy_column(const ws_table *raw, size_t from, const meaning *m, ws_table *runs)
{
    ws_run_column standard;
    if (m->is_set_aside && ws_run_column_find(raw->columns[from].name, &standard))
        return;
    if (m->column == WS_RUN_COLUMN_N) {
        const char *name = raw->columns[from].name;
        if (!m->is_asked && !m->is_summed && !raw->units_are_known &&
            (ws_says_energy(name) || says_energy_of_part(name)))
            note_passed_energy(raw, from, &runs->notes);
        copy_own_column(raw, from, runs);
        return;
    }
    const ws_run_column_info *info = ws_run_column_about(m->column);
    if (strcmp(info->name, raw->columns[from].name) != 0 && !m->is_summed)
        ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, raw->source, info->name, 0,
                     "%s is taken from the column '%s'%s", info->name, raw->columns[from].name,
                     m->factor == 1 ? "" : ", its unit converted");
    if (m->factor == 1)
        ws_table_set_alias(runs, m->column, raw->columns[from].name);
    if (info->kind == WS_TEXT)
        copy_text(raw, from, runs, m->column);
    else
        copy_numbers(raw, from, m->factor, runs, m->column);
}

/* A run whose `factor` is f has one in f samples of the data set, as in folders ("4sf"; docs/campaign.md): whole ones.
 */
static double share_of_samples(const ws_table *runs, size_t row, double samples, size_t *n)
{
    size_t column;
    double factor = ws_table_find(runs, "factor", &column) ? ws_table_number(runs, column, row) : NAN;
    if (!(factor >= 1) || !(floor(factor) >= factor))
        return samples;
    ++*n;
    return floor(samples / factor);
}

static ws_status set_defaults(const ws_fields *defaults, ws_table *runs, ws_error *error)
{
    for (size_t i = 0; i < defaults->n; i++) {
        const char *name = defaults->items[i].name, *value = defaults->items[i].value;
        size_t column;
        double number = NAN;
        size_t n_shares = 0;
        bool is_number = ws_span_double(ws_span_of(value), &number);
        if (!ws_table_find(runs, name, &column))
            column = ws_table_add_column(runs, name, is_number ? WS_NUMBER : WS_TEXT);
        if (runs->columns[column].kind != WS_TEXT && !is_number)
            return ws_fail(error, WS_USAGE, "'%s' is a number, '%s' is none", name, value);
        for (size_t row = 0; row < runs->n_rows; row++) {
            if (!ws_table_is_missing(runs, column, row))
                continue;
            if (runs->columns[column].kind == WS_TEXT)
                ws_table_set_text(runs, column, row, value);
            else
                ws_table_set_number(runs, column, row,
                                    column == WS_COL_DATASET_SAMPLES ? share_of_samples(runs, row, number, &n_shares)
                                                                     : number);
        }
        if (n_shares)
            ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, runs->source, name, 0,
                         "dataset_samples is %s / factor in %zu rows", value, n_shares);
    }
    return WS_OK;
}

static void copy_rows(const ws_table *raw, ws_table *runs)
{
    runs->source = ws_arena_strdup(&runs->arena, raw->source);
    for (size_t row = 0; row < raw->n_rows; row++) {
        if (raw->line)
            ws_table_add_row_at(runs, raw->line[row]);
        else
            ws_table_add_row(runs);
    }
}

/* Exports of a scheduler one behind the other hold a job twice. Rows without a name may well be alike. */
static void note_repeated(const ws_table *raw, ws_table *runs)
{
    size_t *columns = ws_alloc((raw->n_columns + 1) * sizeof *columns);
    ws_same_rows index;
    for (size_t i = 0; i < raw->n_columns; i++)
        columns[i] = i;
    ws_same_rows_init(&index, raw, columns, raw->n_columns);
    for (size_t row = 0; row < raw->n_rows; row++)
        if (ws_same_rows_first(&index, row) != row && runs->columns[WS_COL_RUN].text[row])
            ws_notes_add(&runs->notes, WS_FINDING_REPEATED_ROW, raw->source, "", raw->line ? raw->line[row] : 0,
                         "a row that says the same as an earlier one in every cell: run %s stands there twice",
                         runs->columns[WS_COL_RUN].text[row]);
    ws_same_rows_free(&index);
    free(columns);
}

/* What a run lost to a question stands in its status. */
static void mark_asked(const ws_table *raw, const meaning *meanings, ws_table *runs)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        for (size_t row = 0; meanings[i].is_asked && row < raw->n_rows; row++) {
            const char *now = runs->columns[WS_COL_STATUS].text[row];
            if (!ws_table_is_missing(raw, i, row) && (!now || ws_status_is_good(now)))
                ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_ASK_UNIT));
        }
}

ws_run_column ws_tidy_column_of(const char *name, double *factor)
{
    meaning m = meaning_of(name);
    *factor = m.is_bare ? NAN : m.factor;
    return m.column;
}

bool ws_tidy_knows(const ws_table *raw)
{
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name, *inner = inside_object(name);
        ws_run_column column = meaning_of(name).column;
        column = column == WS_RUN_COLUMN_N && inner ? meaning_of(inner).column : column;
        if (column != WS_RUN_COLUMN_N && ws_run_column_about(column)->role == WS_ROLE_QUANTITY)
            return true;
    }
    return false;
}

/* --- tables that this program prints, where a table of runs is needed --- */

enum { MOST_NAMES = 6 };

/* Names that stand together in these tables alone (docs/design.md, "Column names") and are filled in every row of them.
 */
static const struct {
    const char *command, *names[MOST_NAMES];
} heads[] = {
    {"energy", {"source", "domain", "samples", "missing", "energy_j", "coverage"}},
    {"energy --budget", {"source", "domain", "component", "u_j", "energy_lo_j"}},
    {"runs --budget", {"run", "component", "energy_kwh", "u_kwh", "energy_lo_kwh"}},
    {"runs --files", {"role", "path", "format", "samples"}},
    {"check", {"path", "at_stake_j", "share_at_stake"}},
    {"check --sources", {"path", "domain", "source", "column", "ratio"}},
    {"inspect", {"path", "format", "kind", "findings"}},
    {"inspect", {"path", "domain", "quantity", "samples", "missing"}},
    {"fit", {"model", "parameter", "value", "n"}},
    {"correlate", {"method", "y", "x", "parameter"}},
    {"compare", {"metric", "a_n", "b_n", "verdict"}},
    {"advise", {"basis", "question", "edp_kwh_h"}},
};

/* The command that prints such tables; NULL: this is none of them, or one of runs. */
static const char *own_table_of(const ws_table *table)
{
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        bool has_all = true;
        size_t column;
        for (size_t i = 0; i < MOST_NAMES && heads[h].names[i] && has_all; i++)
            has_all = ws_table_find(table, heads[h].names[i], &column);
        if (has_all)
            return heads[h].command;
    }
    return NULL;
}

static void take_units_of_cells(ws_arena *arena, ws_table *raw)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meaning_of(raw->columns[i].name).column != WS_RUN_COLUMN_N || ws_says_energy(raw->columns[i].name))
            ws_cells_take_unit(arena, raw, i);
}

static bool says_no_time(const ws_table *raw, const char *map)
{
    return !raw->units_are_known && !has_column_of(raw, WS_COL_WALL) && !has_column_of(raw, WS_COL_JOB_WALL) &&
           !has_column_of(raw, WS_COL_EPOCH_S) && !has_column_of(raw, WS_COL_GPU_H) &&
           !(map && (strstr(map, "wall_s") || strstr(map, "epoch_s") || strstr(map, "gpu_h")));
}

ws_status ws_tidy_columns(const ws_table *as_read, const char *map, const ws_fields *defaults, ws_table *runs,
                          ws_error *error)
{
    ws_runs_init(runs);
    const char *command = own_table_of(as_read);
    if (command)
        return ws_fail_at(
            error, WS_FORMAT, as_read->source, 0,
            "is a table that 'wattscale %s' wrote, and no table of runs: name what it was made of instead", command);
    ws_table copy = ws_table_with_own_columns(&runs->arena, as_read), *raw = &copy;
    take_units_of_cells(&runs->arena, raw);
    copy_rows(raw, runs);
    ws_notes_append(&runs->notes, &raw->notes);
    runs->synthetic = raw->synthetic;
    bool *is_summed = ws_alloc((raw->n_columns + WS_MORE_COLUMNS) * sizeof *is_summed);
    if (says_no_time(raw, map))
        ws_add_times_between(&runs->arena, raw, &runs->notes);
    if (!map || !strstr(map, "energy"))
        add_sums_of_parts(runs, raw, defaults, is_summed);
    meaning *meanings = ws_alloc(raw->n_columns * sizeof *meanings);
    for (size_t i = 0; i < raw->n_columns; i++)
        meanings[i] = no_meaning;
    const char *part = NULL;
    ws_status status = map ? read_map(&runs->arena, raw, map, meanings, &part, error) : WS_OK;
    const bool gpus_are_said = is_taken(meanings, raw->n_columns, WS_COL_GPUS);
    bool *is_said = ws_alloc((raw->n_columns + 1) * sizeof *is_said);
    for (size_t i = 0; i < raw->n_columns; i++)
        is_said[i] = meanings[i].column != WS_RUN_COLUMN_N;
    tidy_settle(raw, meanings);
    for (size_t i = 0; i < raw->n_columns; i++)
        meanings[i].is_summed = is_summed[i];
    free(is_summed);
    if (status == WS_OK) {
        ws_set_aside_gpus_of_nodes(raw, is_said, meanings, &runs->notes);
        ws_settle_bare_units(raw, defaults, meanings, &runs->notes);
        ws_settle_mean_powers(raw, defaults, is_said, meanings, &runs->notes);
        ask_for_passed_parts(raw, is_said, meanings, &runs->notes);
        ask_for_energy_of_nodes(raw, is_said, meanings, &runs->notes);
        note_passed_times(raw, &runs->arena, meanings, &runs->notes);
    }
    free(is_said);
    for (size_t i = 0; status == WS_OK && i < raw->n_columns; i++)
        copy_column(raw, i, &meanings[i], runs);
    note_repeated(raw, runs);
    if (status == WS_OK)
        mark_asked(raw, meanings, runs);
    if (status == WS_OK)
        ws_drop_summary_rows(runs);
    if (status == WS_OK)
        ws_drop_totals_of_runs(runs);
    if (status == WS_OK)
        ws_settle_parts(runs, defaults, part, gpus_are_said);
    if (status == WS_OK)
        status = set_defaults(defaults, runs, error);
    free(meanings);
    return status;
}

ws_status ws_tidy(const ws_table *raw, const char *map, const ws_fields *defaults, ws_table *runs, ws_error *error)
{
    ws_status status = ws_tidy_columns(raw, map, defaults, runs, error);
    if (status == WS_OK)
        ws_runs_complete(runs, NULL);
    return status;
}
