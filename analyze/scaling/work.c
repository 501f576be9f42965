#include "analyze/scaling/work.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "core/arena.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"run", "epoch", "sample"};

const char *ws_work_name(ws_work work)
{
    return names[work];
}

bool ws_work_named(const char *name, ws_work *work)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *work = (ws_work)i;
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* NaN where there is no such column. */
static double number_named(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(table, name, &column) ? ws_table_number(table, column, row) : NAN;
}

/* As settings say, and not as rates were measured. */
static double samples_said(const ws_table *table, size_t row)
{
    double all = number_named(table, "epochs", row) * number_named(table, "dataset_samples", row);
    return all > 0 ? all : NAN;
}

static double samples_by_rate(const ws_table *table, size_t row)
{
    double all = number_named(table, "samples_per_s", row) * number_named(table, "wall_s", row);
    return all > 0 ? all : NAN;
}

double ws_work_in(const ws_table *table, ws_work work, size_t row)
{
    if (work == WS_PER_SAMPLE) {
        double said = samples_said(table, row);
        return isnan(said) ? samples_by_rate(table, row) : said;
    }
    double all = work == WS_PER_RUN ? 1 : number_named(table, "epochs", row);
    return all > 0 ? all : NAN;
}

/* "wall_s", "runtime_h", "energy_gpu_kwh"; rates and what is already of an epoch say so in their names. */
bool ws_grows_with_work(const char *column)
{
    static const char *const counts[] = {"gpu_h", "updates", "workload"};
    static const char *const times[] = {"wall", "job_wall", "runtime", "run_time", "time", "duration", "elapsed"};
    ws_span bare;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(column, counts[i]) == 0)
            return true;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(column), &bare);
    if (!unit || (strstr(column, "per_") && !strstr(column, "per_node")))
        return false;
    for (size_t i = 0; i < sizeof times / sizeof *times && unit->dimension == WS_DIM_TIME; i++)
        if (ws_span_eq(bare, times[i]))
            return true;
    return unit->dimension == WS_DIM_ENERGY && strncmp(column, "energy", 6) == 0;
}

double ws_work_value(const ws_table *table, ws_work work, size_t column, size_t row)
{
    double value = ws_table_number(table, column, row);
    const char *name = table->columns[column].name;
    if (work == WS_PER_RUN || !ws_grows_with_work(name))
        return value;
    double recorded = strcmp(name, "wall_s") == 0 ? number_named(table, "epoch_s", row) : NAN;
    if (work == WS_PER_EPOCH && !isnan(recorded))
        return recorded;
    return value / ws_work_in(table, work, row);
}

bool ws_work_is_weak(const ws_table *table, const size_t *rows, size_t n, size_t size)
{
    double least = INFINITY, most = 0, smallest = INFINITY, largest = 0;
    for (size_t i = 0; i < n; i++) {
        double gpus = ws_table_number(table, size, rows[i]);
        double samples = samples_said(table, rows[i]) / gpus;
        if (isnan(samples))
            return false;
        least = fmin(least, samples);
        most = fmax(most, samples);
        smallest = fmin(smallest, gpus);
        largest = fmax(largest, gpus);
    }
    return smallest < largest && most / least - 1 < 0.01;
}

/* A setting over all rows: how many rows have it, and does it take more than one value? */
typedef struct setting {
    size_t known;
    bool varies;
} setting;

static setting setting_of(const ws_compared *c, const char *name)
{
    setting s = {0};
    double first = NAN;
    for (size_t i = 0; i < c->n; i++) {
        double value = number_named(c->table, name, c->rows[i]);
        if (isnan(value))
            continue;
        first = s.known++ ? first : value;
        s.varies |= value < first || value > first;
    }
    return s;
}

/* Did two runs of one configuration take different numbers of epochs? Then the number is a result. */
static bool epochs_are_a_result(const ws_compared *c)
{
    size_t *first = ws_alloc((c->n + 1) * sizeof *first); /* place + 1 of a configuration's first row */
    bool differ = false;
    memset(first, 0, (c->n + 1) * sizeof *first);
    for (size_t i = 0; i < c->n; i++) {
        size_t at = first[c->unit[i]];
        if (!at)
            first[c->unit[i]] = i + 1;
        else
            differ |=
                number_named(c->table, "epochs", c->rows[at - 1]) < number_named(c->table, "epochs", c->rows[i]) ||
                number_named(c->table, "epochs", c->rows[at - 1]) > number_named(c->table, "epochs", c->rows[i]);
    }
    free(first);
    return differ;
}

/* Epochs of one model are as long as those of another only by chance. */
static bool are_of_several_models(const ws_compared *c)
{
    size_t model;
    if (!ws_table_find(c->table, "model", &model))
        return false;
    for (size_t i = 1; i < c->n; i++)
        if (!ws_same_cell(c->table, model, c->rows[0], c->rows[i]))
            return true;
    return false;
}

bool ws_is_target(const char *column)
{
    char plain[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(plain, ws_span_of(column)), word;
    bool is = false;
    while (ws_span_split(&rest, '_', &word))
        is |= ws_span_has_prefix(word, "target");
    return is;
}

/* Filled in every row: the runs ended where they reached it. */
static bool have_target(const ws_compared *c)
{
    for (size_t column = 0; column < c->table->n_columns; column++) {
        size_t known = 0;
        if (!ws_is_target(c->table->columns[column].name))
            continue;
        for (size_t i = 0; i < c->n; i++)
            known += !ws_table_is_missing(c->table, column, c->rows[i]);
        if (known == c->n)
            return true;
    }
    return false;
}

static bool see_equal_samples(const ws_compared *c)
{
    double first = c->n ? samples_said(c->table, c->rows[0]) : NAN;
    for (size_t i = 0; i < c->n; i++)
        if (!(fabs(samples_said(c->table, c->rows[i]) / first - 1) < 1e-9))
            return false;
    return c->n > 0;
}

/* Ours: rates leave out a warm-up, and are a few per cent off the samples over the time. */
static const double equal_by_rate = 1.05;

/* Of runs that say their samples a second and not their epochs: benchmarks of a fixed time hold different numbers of
 * samples. Where repeats of a configuration do, the number may be a result. */
static ws_work work_by_rate(const ws_compared *c, const char **why)
{
    double *of_unit = ws_alloc((c->n + 1) * sizeof *of_unit), least = INFINITY, most = 0;
    bool all_say = true, repeats_differ = false;
    for (size_t i = 0; i < c->n; i++)
        of_unit[c->unit[i]] = NAN;
    for (size_t i = 0; i < c->n; i++) {
        double samples = samples_by_rate(c->table, c->rows[i]), *first = &of_unit[c->unit[i]];
        all_say &= !isnan(samples);
        least = fmin(least, samples);
        most = fmax(most, samples);
        *first = isnan(*first) ? samples : *first;
        repeats_differ |= fmax(samples / *first, *first / samples) > equal_by_rate;
    }
    free(of_unit);
    if (!all_say || !(most / least > equal_by_rate))
        return WS_PER_RUN;
    if (!repeats_differ)
        return WS_PER_SAMPLE;
    *why = "repeats of a configuration hold different numbers, as runs to a target do";
    return WS_PER_RUN;
}

ws_work ws_work_of(const ws_compared *c, const char **why)
{
    setting epochs = setting_of(c, "epochs"), samples = setting_of(c, "dataset_samples");
    *why = NULL;
    if (!epochs.known && !c->is_weak && !have_target(c))
        return work_by_rate(c, why);
    if (c->is_weak || !epochs.varies || have_target(c) || see_equal_samples(c))
        return WS_PER_RUN;
    if (epochs.known < c->n)
        *why = "not every run says how many epochs it took";
    else if (samples.varies || (samples.known && samples.known < c->n))
        *why = "they differ in the samples of an epoch, too";
    else if (are_of_several_models(c))
        *why = "they are of several models, whose epochs are not alike";
    else if (epochs_are_a_result(c))
        *why = "repeats of a configuration took different numbers, as runs to a target do";
    return *why ? WS_PER_RUN : WS_PER_EPOCH;
}

void ws_work_note(const ws_compared *c, ws_work work, const char *why, const char *name, ws_notes *notes)
{
    const char *subject = *name ? name : "all";
    if (why)
        ws_notes_add(notes, WS_FINDING_UNEQUAL_WORK, c->table->source, subject, 0,
                     "these runs differ in %s and are compared as they are, since %s (--per epoch or sample compares "
                     "equal work)",
                     !setting_of(c, "epochs").known && setting_of(c, "samples_per_s").known
                         ? "samples (samples_per_s x wall_s)"
                         : "epochs",
                     why);
    else if (work == WS_PER_SAMPLE)
        ws_notes_add(notes, WS_FINDING_PER_SAMPLE, c->table->source, subject, 0,
                     "these runs hold different numbers of samples (samples_per_s x wall_s), and are compared by time "
                     "and energy of a sample (--per run takes them whole, as where they trained to a target)");
    else if (work == WS_PER_EPOCH)
        ws_notes_add(notes, WS_FINDING_PER_EPOCH, c->table->source, subject, 0,
                     "these runs differ in their number of epochs alone, and are compared by time and energy of an "
                     "epoch (--per run takes them whole, as where they trained to a target)");
}

/* Of a rate the time of a sample, which is no value of another work. */
static double time_of(const ws_table *runs, ws_work work, size_t time, size_t row)
{
    if (time != WS_COL_SAMPLES_PER_S)
        return ws_work_value(runs, work, time, row);
    return work == WS_PER_SAMPLE ? 1 / ws_table_number(runs, time, row) : NAN;
}

static double spread_of(const ws_table *runs, ws_work work, const char *name, size_t row)
{
    char beside[40];
    double rate = strcmp(name, "samples_per_s") == 0 ? number_named(runs, name, row) : NAN;
    if (!isnan(rate))
        return number_named(runs, "samples_per_s_rmse", row) / (rate * rate);
    snprintf(beside, sizeof beside, "%s_rmse", name);
    double recorded = strcmp(name, "wall_s") == 0 ? number_named(runs, "epoch_s_rmse", row) : NAN;
    return work == WS_PER_EPOCH && !isnan(recorded) ? recorded
                                                    : number_named(runs, beside, row) / ws_work_in(runs, work, row);
}

static bool has_any_spread(const ws_table *runs)
{
    static const char *const spreads[] = {"n_runs", "wall_s_rmse", "epoch_s_rmse", "samples_per_s_rmse",
                                          "energy_kwh_rmse"};
    size_t column;
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        if (ws_table_find(runs, spreads[i], &column))
            return true;
    return false;
}

void ws_work_table(const ws_table *runs, const ws_work *of_row, size_t time, ws_table *table)
{
    enum { WALL, ENERGY, N_RUNS, WALL_RMSE, ENERGY_RMSE, N };
    static const char *const columns[N] = {[WALL] = "wall_s",
                                           [ENERGY] = "energy_kwh",
                                           [N_RUNS] = "n_runs",
                                           [WALL_RMSE] = "wall_s_rmse",
                                           [ENERGY_RMSE] = "energy_kwh_rmse"};
    ws_table_init(table, "work");
    for (size_t c = 0; c < N; c++)
        ws_table_add_column(table, columns[c], WS_NUMBER);
    bool has_spreads = has_any_spread(runs);
    for (size_t row = 0; row < runs->n_rows; row++) {
        ws_table_add_row(table);
        double values[N] = {[WALL] = time_of(runs, of_row[row], time, row),
                            [ENERGY] = ws_work_value(runs, of_row[row], WS_COL_ENERGY, row),
                            [N_RUNS] = NAN,
                            [WALL_RMSE] = NAN,
                            [ENERGY_RMSE] = NAN};
        if (has_spreads) { /* means, of which there are few */
            values[N_RUNS] = number_named(runs, "n_runs", row);
            values[WALL_RMSE] = spread_of(runs, of_row[row], runs->columns[time].name, row);
            values[ENERGY_RMSE] = spread_of(runs, of_row[row], "energy_kwh", row);
        }
        for (size_t c = 0; c < N; c++)
            ws_table_set_number(table, c, row, values[c]);
    }
}
