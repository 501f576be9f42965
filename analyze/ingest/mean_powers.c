/* Tools log the mean power of a run under one name and mean two things by it:
 *
 *   run,gpus,wall_s,energy_j,avg_power
 *   a,4,1000,1.2e6,300                    of each GPU: 4 x 300 W x 1000 s are the energy
 *   b,4,1000,1.2e6,1200                   of all of them
 *
 * Energy over time says which; without it the energy of the run would be a guess, off by the number of its GPUs. */
#include "analyze/ingest/mean_powers.h"

#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ratio of a power to energy over time that is no contradiction: the energy may hold processors and memory, a quarter
 * of the whole in nodes of four GPUs. Two GPUs are a factor 2 apart. Ours. */
#define AGREE 1.35

typedef struct proof {
    size_t rows, of_gpu, of_run, single; /* rows with a power; those that show either; those of one GPU */
} proof;

static double said_gpus(const ws_fields *defaults)
{
    double value;
    const char *text = ws_fields_get(defaults, "gpus");
    return text && ws_span_double(ws_span_of(text), &value) ? value : NAN;
}

/* The SI value of a standard column in a row; NaN: there is none. */
static double si_of(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column, size_t row)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column == column)
            return ws_table_cell_number(raw, i, row) * meanings[i].factor * ws_run_column_about(column)->to_si;
    return NAN;
}

static bool agrees(double a, double b)
{
    return a > 0 && b > 0 && a < b * AGREE && b < a * AGREE;
}

static void look_at_row(const ws_table *raw, const ws_column_meaning *meanings, double power_w, double gpus, size_t row,
                        proof *p)
{
    double energy_j = si_of(raw, meanings, WS_COL_ENERGY_GPU, row), wall_s = si_of(raw, meanings, WS_COL_WALL, row);
    if (isnan(energy_j))
        energy_j = si_of(raw, meanings, WS_COL_ENERGY, row);
    p->rows++;
    p->single += gpus == 1;
    p->of_gpu += agrees(power_w * gpus, energy_j / wall_s);
    p->of_run += gpus > 1 && agrees(power_w, energy_j / wall_s);
}

static proof prove(const ws_table *raw, const ws_fields *defaults, const ws_column_meaning *meanings, size_t column)
{
    proof p = {0};
    const double said = said_gpus(defaults);
    for (size_t row = 0; row < raw->n_rows; row++) {
        double power_w = ws_table_cell_number(raw, column, row) * meanings[column].factor;
        double gpus = si_of(raw, meanings, WS_COL_GPUS, row);
        if (power_w > 0)
            look_at_row(raw, meanings, power_w, isnan(gpus) ? said : gpus, row, &p);
    }
    return p;
}

/* "gpu_power_w", "power_per_gpu_w", also with another unit: these names say whose it is. */
static bool is_standard(const char *name)
{
    ws_span bare;
    ws_unit_in_name(ws_span_of(name), &bare);
    const char *standard = ws_run_column_about(WS_COL_GPU_POWER)->name;
    char plain[WS_PLAIN_NAME];
    ws_span words = ws_plain_name(plain, bare);
    return strcmp(name, standard) == 0 || ws_span_eq_nocase(bare, standard) || ws_span_has_suffix(words, "_per_gpu") ||
           ws_span_has_suffix(words, "_per_device");
}

static bool has(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column == column)
            return true;
    return false;
}

/* A power without an owner is no standard column, since it may as well be a cap or a mean over an epoch: where a time
 * and no energy stands beside it, the energy that it means is missed. */
static void note_passed_power(const ws_table *raw, const ws_fields *defaults, const ws_column_meaning *meanings,
                              ws_notes *notes)
{
    bool has_gpus = has(raw, meanings, WS_COL_GPUS) || !isnan(said_gpus(defaults));
    bool has_energy = has(raw, meanings, WS_COL_ENERGY) || has(raw, meanings, WS_COL_ENERGY_GPU) ||
                      has(raw, meanings, WS_COL_ENERGY_CPU) || has(raw, meanings, WS_COL_ENERGY_PER_NODE);
    if (has_energy || !has(raw, meanings, WS_COL_WALL) || has(raw, meanings, WS_COL_GPU_POWER))
        return;
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name;
        ws_span bare;
        const ws_meaning m = ws_meaning_of(ws_span_of(name));
        const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
        bool is_of_more = m.names_domain && (m.domain == WS_NODE || m.domain == WS_WALL);
        bool is_total = ws_names_total(bare) && unit && unit->dimension == WS_DIM_POWER;
        bool is_power = ws_is_value(&m) && m.quantity == WS_POWER && m.device_number < 0 &&
                        (!m.names_domain || m.domain == WS_GPU || is_of_more);
        if (meanings[i].column != WS_RUN_COLUMN_N || meanings[i].is_asked || ws_own_quantity_find(name) ||
            !(is_power || is_total))
            continue;
        if (is_of_more || is_total)
            ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                         "nothing says whether '%s' is the mean power of the whole run, and no energy comes of it: "
                         "--columns 'run_power_w=%s' says so",
                         name, name);
        else
            ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                         "nothing says whether '%s' is the mean power of a GPU, and no energy comes of it: --columns "
                         "'gpu_power_w=%s'%s says so, 'run_power_w=%s' that it is that of the whole run",
                         name, name, has_gpus ? "" : " --set gpus=N", name);
    }
}

void ws_settle_mean_powers(const ws_table *raw, const ws_fields *defaults, const bool *is_said,
                           ws_column_meaning *meanings, ws_notes *notes)
{
    note_passed_power(raw, defaults, meanings, notes);
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name, *standard = ws_run_column_about(WS_COL_GPU_POWER)->name;
        if (meanings[i].column != WS_COL_GPU_POWER || is_said[i] || raw->units_are_known || is_standard(name))
            continue;
        proof p = prove(raw, defaults, meanings, i);
        bool is_of_gpu = p.of_gpu && !p.of_run && p.of_gpu * 2 > p.rows;
        if (!p.rows || p.single == p.rows || is_of_gpu)
            continue;
        meanings[i] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1};
        bool is_of_run = p.of_run && !p.of_gpu && p.of_run * 2 > p.rows;
        ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                     is_of_run
                         ? "'%s' is the power of a whole run, as energy over time is, and not taken for %s"
                         : "nothing proves whether '%s' is the power of a GPU or of a whole run, and it is not "
                           "taken: --columns '%s=%s'%s says that it is a GPU's, 'run_power_w=%s' that it is the run's",
                     name, standard, name,
                     has(raw, meanings, WS_COL_GPUS) || !isnan(said_gpus(defaults)) ? "" : " --set gpus=N", name);
    }
}
