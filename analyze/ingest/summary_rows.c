/* Spreadsheets end in a row that is no run:
 *
 *   run,gpus,wall_s,energy_kwh
 *   a,4,4200,1.4
 *   b,4,2100,0.7
 *   TOTAL,,6300,2.1
 *
 * Its name alone proves nothing ("all" and "mean" may be workloads): its numbers do. */
#include "analyze/ingest/summary_rows.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/ingest/run_columns.h"

/* Of a sum or mean that was printed with few digits. Ours. */
#define ROUNDED 0.02

/* Of a sum that no word calls so, of times and of energies, which proves itself by its digits: no run takes to so much
 * exactly what three others take together. Ours. */
#define EXACT 1e-4
enum { LEAST_ROWS = 3 };

typedef enum summary { NO_SUMMARY, SUM, MEAN, SPREAD } summary;

static summary kind_of(const ws_table *runs, size_t row)
{
    static const struct {
        const char *name;
        summary kind;
    } words[] = {{"total", SUM},     {"sum", SUM},    {"totals", SUM}, {"mean", MEAN},    {"average", MEAN},
                 {"avg", MEAN},      {"std", SPREAD}, {"sd", SPREAD},  {"stdev", SPREAD}, {"stddev", SPREAD},
                 {"median", SPREAD}, {"min", SPREAD}, {"max", SPREAD}};
    const char *name = runs->columns[WS_COL_RUN].text[row];
    for (size_t i = 0; name && i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(ws_span_of(name), words[i].name))
            return words[i].kind;
    return NO_SUMMARY;
}

/* How many sums, or means, of the first n rows the row holds; 0 where some time or energy that it has is none. */
static size_t count_sums(const ws_table *runs, size_t row, size_t n, summary kind, double rounded)
{
    static const ws_run_column columns[] = {WS_COL_WALL, WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU};
    size_t proofs = 0;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        double sum = 0, value = ws_runs_get(runs, columns[c], row);
        size_t values = 0;
        for (size_t i = 0; i < n; i++) {
            double one = ws_runs_get(runs, columns[c], i);
            sum += isnan(one) ? 0 : one;
            values += isnan(one) ? 0 : 1;
        }
        double want = kind == MEAN ? sum / (double)values : sum;
        if (isnan(value) || !values)
            continue;
        if (fabs(value - want) > rounded * fabs(want))
            return 0;
        proofs += want > 0;
    }
    return proofs;
}

static bool sums_up(const ws_table *runs, size_t row, size_t n, summary kind)
{
    return count_sums(runs, row, n, kind, ROUNDED) > 0;
}

/* "_runnext" below the sections of a public profile of a program. */
static bool is_nameless_sum(const ws_table *runs, size_t row)
{
    bool has_time = ws_runs_get(runs, WS_COL_WALL, row) > 0, has_energy = ws_runs_get(runs, WS_COL_ENERGY, row) > 0;
    return row >= LEAST_ROWS && has_time && has_energy && count_sums(runs, row, row, SUM, EXACT) >= 2;
}

static void drop_nameless_sum(ws_table *runs)
{
    size_t last = runs->n_rows - 1;
    bool *keep = ws_alloc(runs->n_rows * sizeof *keep);
    for (size_t row = 0; row < runs->n_rows; row++)
        keep[row] = row != last;
    ws_notes_add(&runs->notes, WS_FINDING_TOTAL_ROW, runs->source, "", runs->line ? runs->line[last] : 0,
                 "the time and the energies of the last row are the sums of those above it: it is no run");
    ws_table_filter(runs, keep);
    free(keep);
}

void ws_drop_summary_rows(ws_table *runs)
{
    size_t n = runs->n_rows;
    bool is_proven = false;
    while (n > 0 && kind_of(runs, n - 1) != NO_SUMMARY)
        n--;
    for (size_t row = n; n >= 2 && row < runs->n_rows; row++) {
        summary kind = kind_of(runs, row);
        is_proven |= kind != SPREAD && sums_up(runs, row, n, kind);
    }
    if (n && n == runs->n_rows && is_nameless_sum(runs, n - 1))
        drop_nameless_sum(runs);
    if (!is_proven)
        return;
    bool *keep = ws_alloc(runs->n_rows * sizeof *keep);
    for (size_t row = 0; row < runs->n_rows; row++) {
        summary kind = row < n ? NO_SUMMARY : kind_of(runs, row);
        keep[row] = kind == NO_SUMMARY || (kind != SPREAD && !sums_up(runs, row, n, kind));
        if (!keep[row])
            ws_notes_add(&runs->notes, WS_FINDING_TOTAL_ROW, runs->source, runs->columns[WS_COL_RUN].text[row],
                         runs->line ? runs->line[row] : 0, "the row '%s' sums up those above it and is no run",
                         runs->columns[WS_COL_RUN].text[row]);
    }
    ws_table_filter(runs, keep);
    free(keep);
}
