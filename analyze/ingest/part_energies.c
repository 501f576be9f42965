#include "analyze/ingest/part_energies.h"

#include "core/device_limits.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

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
    *to_j = unit && !ws_doubtful_energy_unit(name) ? unit->to_si : NAN;
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
        for (size_t row = 0; ws_run_column_meaning(raw, i).column == WS_COL_GPUS && row < raw->n_rows; row++) {
            number = ws_table_cell_number(raw, i, row);
            if (!isnan(number) && number != (double)n)
                return false;
        }
    return true;
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

/* Is a column their sum, to a hundredth, wherever it and all parts have cells? One that is empty may be. */
static bool is_sum(const ws_table *raw, size_t column, double to_j, const double *sum_j)
{
    bool is_proven = false, is_empty = true;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double joules = ws_table_cell_number(raw, column, row) * to_j;
        bool has_both = !isnan(joules) && !isnan(sum_j[row]);
        if (has_both && fabs(joules - sum_j[row]) > 0.01 * joules)
            return false;
        is_proven |= has_both;
        is_empty &= isnan(joules);
    }
    return is_proven || is_empty;
}

/* As many as there are columns: none. */
static size_t find_sum(const ws_table *raw, ws_run_column column, const double *sum_j)
{
    size_t i = 0;
    for (; i < raw->n_columns; i++) {
        const ws_column_meaning m = ws_run_column_meaning(raw, i);
        if (m.column == column && !m.is_bare && is_sum(raw, i, m.factor * ws_run_column_about(column)->to_si, sum_j))
            break;
    }
    return i;
}

/* Where its cells are empty and the parts have all of theirs. */
static void fill_sum(ws_table *runs, ws_table *raw, size_t column, const parts_of_kind *kind, const double *sum_j,
                     const char *first)
{
    ws_column *sum = &raw->columns[column];
    double *numbers = ws_arena_alloc(&runs->arena, (raw->n_rows + 1) * sizeof *numbers),
           to_j = ws_run_column_meaning(raw, column).factor * ws_run_column_about(kind->column)->to_si;
    size_t filled = 0;
    for (size_t row = 0; row < raw->n_rows; row++) {
        numbers[row] = ws_table_cell_number(raw, column, row);
        if (isnan(numbers[row]) && !isnan(sum_j[row])) {
            numbers[row] = sum_j[row] / to_j;
            filled++;
        }
    }
    if (!filled)
        return;
    *sum = (ws_column){.name = sum->name, .kind = WS_NUMBER, .number = numbers, .capacity = raw->n_rows};
    ws_notes_add_many(&runs->notes, filled, WS_FINDING_COLUMN_TAKEN, raw->source, sum->name, 0,
                      "'%s' is empty where its parts are not ('%s' is the first of them): it is their sum there",
                      sum->name, first);
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
    if (ws_has_run_column(raw, WS_COL_GPUS) || ws_fields_get(defaults, "gpus"))
        return;
    double *gpus = ws_arena_alloc(&runs->arena, (raw->n_rows + 1) * sizeof *gpus);
    for (size_t row = 0; row < raw->n_rows; row++)
        gpus[row] = (double)n;
    raw->columns[raw->n_columns++] =
        (ws_column){.name = "gpus", .kind = WS_NUMBER, .number = gpus, .capacity = raw->n_rows};
    ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, raw->source, "gpus", 0,
                 "gpus is %zu, as many as have an energy", n);
}

void ws_sum_part_energies(ws_table *runs, ws_table *copy, const ws_fields *defaults, bool *is_summed)
{
    for (size_t k = 0; k < KINDS_OF_PARTS && !copy->units_are_known; k++) {
        const parts_of_kind *kind = &kinds_of_parts[k];
        const char *first;
        size_t n = count_parts(copy, kind->domain);
        if (!n || (kind->domain == WS_GPU && !fits_gpus(copy, defaults, n)))
            continue;
        double *sum = sum_parts(&runs->arena, copy, kind->domain, &first);
        bool has_column = ws_has_run_column(copy, kind->column);
        size_t of_sum = has_column ? find_sum(copy, kind->column, sum) : copy->n_columns;
        if (has_column && of_sum == copy->n_columns)
            continue;
        mark_parts(copy, kind->domain, is_summed);
        is_summed[copy->n_columns] = !has_column;
        if (has_column)
            fill_sum(runs, copy, of_sum, kind, sum, first);
        else
            add_sum_of_parts(runs, copy, kind, n, sum, first);
        if (kind->domain == WS_GPU)
            add_number_of_gpus(runs, copy, defaults, n);
    }
}

/* --- energies that are none of a run's --- */

/* "avg_gpu_energy_j": of each GPU. A mean without such a word may be over repeats. */
static bool is_mean_of_part(const char *name)
{
    static const char *const means[] = {"avg", "mean", "average"};
    static const char *const parts[] = {"gpu", "device", "accelerator", "node", "rank", "worker", "epoch", "step"};
    return ws_name_has_word(ws_span_of(name), means, sizeof means / sizeof *means) &&
           ws_name_has_word(ws_span_of(name), parts, sizeof parts / sizeof *parts);
}

static bool is_one_of(ws_span word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && words[i]; i++)
        if (ws_span_eq(word, words[i]))
            return true;
    return false;
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
    return is_of_each && ws_name_has_word(ws_span_of(name), gpus, sizeof gpus / sizeof *gpus);
}

void ws_note_passed_energy(const ws_table *raw, size_t column, ws_notes *notes)
{
    ws_span bare;
    const char *name = raw->columns[column].name;
    size_t own;
    bool is_of_job = ws_own_quantity_find(name) || (strcmp(name, "job_energy_kwh") == 0 &&
                                                    ws_table_find(raw, "energy_kwh", &own)); /* as `runs` prints */
    bool says_it = ws_says_energy(name) || says_energy_of_part(name);
    if (raw->units_are_known || !says_it || !has_energy(raw, column) || is_inside_or_around(name) || is_of_job)
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
static void ask_for_passed_parts(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings, ws_notes *notes)
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

/* "node_energy_kj" beside runs on several nodes: of one of them or of all? Where a run would draw more than any node
 * does, it is that of all. */
static void ask_for_energy_of_nodes(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings,
                                    ws_notes *notes)
{
    bool any = false, is_of_all = raw->units_are_known;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double energy_j = ws_run_value_si(raw, meanings, WS_COL_ENERGY, row),
               wall_s = ws_run_value_si(raw, meanings, WS_COL_WALL, row);
        any |= ws_run_value_si(raw, meanings, WS_COL_NODES, row) > 1;
        is_of_all |= energy_j / wall_s > ws_limits_of_domain[WS_NODE].odd_w;
    }
    for (size_t i = 0; any && !is_of_all && i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name;
        const ws_meaning m = energy_in_trace(name);
        if (meanings[i].column != WS_COL_ENERGY || is_said[i] || !ws_is_value(&m) || m.domain != WS_NODE)
            continue;
        meanings[i] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1, .is_asked = true};
        ws_notes_add(
            notes, WS_FINDING_ASK_UNIT, raw->source, "", 0,
            "'%s' may be the energy of one node or of all nodes of the run: --columns 'energy_per_node_kwh=%s' "
            "or 'energy_kwh=%s' says which",
            name, name, name);
    }
}

void ws_ask_for_part_energies(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings, ws_notes *notes)
{
    ask_for_passed_parts(raw, is_said, meanings, notes);
    ask_for_energy_of_nodes(raw, is_said, meanings, notes);
}
