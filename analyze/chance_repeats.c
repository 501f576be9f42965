/* How probable is it that two runs of one configuration agree in what was measured? Values that were rounded to steps d
 * and spread by s agree with p = d / (2 sqrt(pi) s), the chance that two normal values fall into one step. The least p
 * of a row's columns counts, as what follows from another column agrees with it. Both are read off the values: near
 * ones (neighbours within 5 %, as repeats are, and no other configuration is) have s, and the largest step of which all
 * are multiples, whatever their unit; of one or two values it is no more than their last digit in a usual unit.
 *
 * Rows that follow each other and repeat rows that follow each other agree by chance with the product of their p, and
 * any of the rows before that are near them could have been the first of those, and any row the first of these. So many
 * are expected by chance:
 *
 *     E = (n - 2 k + 1) m p_1 ... p_k      n rows with a measurement, k of the block, m earlier ones near its first
 *
 * Below 0.05 they were pasted. Ours: a file of one decimal keeps its ties, and counts once where it stands twice.
 *
 * A file that was pasted and then sorted has no blocks, but every row as often, or g times as often, as any other: g is
 * the common divisor of how often rows stand there. The rows of one group of near ones, c of them, fall by chance into
 * sets of g that agree with
 *
 *     c! / (g!^(c / g) (c / g)!) p^(c - c / g)
 *
 * and all groups with the product of these, below 0.05 of which one row of each g counts. Groups of one value, repeats
 * that agree throughout, do not tell how much runs vary, and count for nothing there. */
#include "analyze/chance_repeats.h"

#include "analyze/ingest/run_columns.h"
#include "core/arena.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 0.05;         /* of the value: a wider gap parts configurations */
static const double MOST_SPREAD = 0.02;  /* of the value: more is the spread of configurations */
static const double USUAL_SPREAD = 0.01; /* where only one value is known */
static const double BY_CHANCE = 0.05;    /* as many blocks are expected */
static const double NOT_MEASURED = 2;    /* in the place of a chance */

typedef struct cell {
    double value;
    size_t row;
} cell;

static int compare_cells(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->row > y->row) - (x->row < y->row);
}

/* What was measured of a run, not what follows from it; what nobody knows may have been measured. */
static bool is_evidence(const ws_table *table, size_t column)
{
    static const ws_run_column measured[] = {WS_COL_WALL, WS_COL_ENERGY, WS_COL_GPU_POWER, WS_COL_CPU_POWER,
                                             WS_COL_UTIL_MEAN};
    ws_run_column known;
    if (table->columns[column].kind == WS_TEXT)
        return false;
    if (!ws_run_column_find(table->columns[column].name, &known))
        return true;
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (measured[i] == known)
            return true;
    return false;
}

/* The largest number of which both are multiples; 0 where they have more digits than rounding leaves. */
static double common_step(double a, double b)
{
    const double least = 1e-9 * fmax(a, b);
    while (b > least) {
        double rest = fmod(a, b);
        if (b - rest < least) /* a multiple but for the last bits */
            rest = 0;
        a = b;
        b = rest;
    }
    return a > 1e3 * least ? a : 0;
}

/* The place of the last decimal digit of a number: 0.001 of 2.125, 10 of 140; 0 where it has more than twelve. */
static double last_digit(double value)
{
    for (int k = -6; k <= 12; k++) {
        double scaled = fabs(value) * pow(10, k);
        if (scaled >= 0.5 && fabs(scaled - round(scaled)) < 1e-9 * scaled)
            return pow(10, -k);
    }
    return 0;
}

/* The last digit of the finest value, in the unit that leaves the fewest digits: files state hours, the table seconds.
 */
static double finest_digit(const cell *cells, size_t n)
{
    static const double units[] = {1, 60, 3600, 3.6e6};
    double step = 0;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        double finest = INFINITY;
        for (size_t i = 0; i < n; i++)
            if (cells[i].value != 0)
                finest = fmin(finest, last_digit(cells[i].value / units[u]) * units[u]);
        step = isfinite(finest) ? fmax(step, finest) : step;
    }
    return step;
}

static double step_of(const cell *cells, size_t n)
{
    enum { FEW = 2 }; /* different values: multiples of more than their own step by chance */
    double step = 0;
    size_t n_values = 0;
    for (size_t i = 0; i < n; i++) {
        if (cells[i].value == 0 || (i && cells[i].value == cells[i - 1].value))
            continue;
        step = n_values++ ? common_step(fmax(step, fabs(cells[i].value)), fmin(step, fabs(cells[i].value)))
                          : fabs(cells[i].value);
        if (!(step > 0))
            return 0;
    }
    return n_values <= FEW ? fmin(step, finest_digit(cells, n)) : step;
}

/* p of cells that are near each other; `step` is that of the whole column, where they are all one value. */
static double chance_of(const cell *cells, size_t n, double step)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += cells[i].value / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (cells[i].value - mean) * (cells[i].value - mean);
    bool differ = cells[n - 1].value > cells[0].value;
    double spread =
        differ ? fmin(sqrt(squares / ((double)n - 1)), MOST_SPREAD * fabs(mean)) : USUAL_SPREAD * fabs(mean);
    double d = differ ? step_of(cells, n) : step;
    return spread > 0 ? fmin(1, d / (2 * sqrt(acos(-1)) * spread)) : 1;
}

/* What is known of each row: p by the column where it is the least; the same of groups whose values differ, with the
 * first row of that group; the smallest number of earlier rows near it. */
typedef struct row_chances {
    double *least, *of_group;
    size_t *group, *near;
} row_chances;

static void look_at_column(const ws_table *table, size_t column, row_chances *rows)
{
    cell *cells = ws_alloc((table->n_rows + 1) * sizeof *cells);
    size_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        double value = ws_table_number(table, column, row);
        if (isfinite(value))
            cells[n++] = (cell){value, row};
    }
    qsort(cells, n, sizeof *cells, compare_cells);
    double step = step_of(cells, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && cells[end].value - cells[end - 1].value <= NEAR * fabs(cells[end].value);)
            end++;
        double p = chance_of(cells + i, end - i, step);
        for (size_t k = i; k < end; k++) {
            size_t row = cells[k].row, others = end - i - 1 < row ? end - i - 1 : row;
            if (cells[end - 1].value > cells[i].value && p < rows->of_group[row]) {
                rows->of_group[row] = p;
                rows->group[row] = cells[i].row;
            }
            rows->least[row] = fmin(rows->least[row], p);
            rows->near[row] = others < rows->near[row] ? others : rows->near[row];
        }
    }
    free(cells);
}

typedef struct repeats {
    const size_t *kind, *before; /* the row before of the same kind + 1; 0: none */
    const bool *named;
    const double *chance;
    size_t n, n_measured;
} repeats;

/* How many rows from `row` on repeat those from `first` on; no further than it takes to see that they may. */
static size_t block_of(const repeats *r, size_t row, size_t first, size_t near, double *expected)
{
    enum { ENOUGH = 64 };
    size_t k = 0;
    double product = (double)near;
    while ((k < ENOUGH || product * (double)r->n_measured < BY_CHANCE) && row + k < r->n && first + k < row &&
           r->kind[row + k] == r->kind[first + k] && !r->named[row + k]) {
        product *= r->chance[row + k];
        k++;
    }
    *expected = fmax(1, (double)r->n_measured - 2 * (double)k + 1) * product;
    return k;
}

/* How often every row stands there, as a multiple: 2 of a file that was pasted once. 0 without rows that were measured.
 */
static size_t times_pasted(const size_t *count, const size_t *kind, const bool *measured, size_t n)
{
    size_t times = 0;
    for (size_t row = 0; row < n; row++)
        for (size_t a = measured[row] ? count[kind[row]] : 0; a;) {
            size_t rest = times % a;
            times = a;
            a = rest;
        }
    return times;
}

/* ln of the chance that all rows agree in sets of `times`. in_group: room for n. */
static double chance_of_sets(const row_chances *rows, const bool *measured, size_t n, size_t times, size_t *in_group)
{
    double ln = 0, g = (double)times;
    for (size_t row = 0; row < n; row++)
        in_group[row] = 0;
    for (size_t row = 0; row < n; row++)
        if (measured[row] && rows->of_group[row] < NOT_MEASURED) {
            in_group[rows->group[row]]++;
            ln += (1 - 1 / g) * log(rows->of_group[row]);
        }
    for (size_t row = 0; row < n; row++) {
        double c = (double)in_group[row];
        if (c > 0)
            ln += lgamma(c + 1) - c / g * lgamma(g + 1) - lgamma(c / g + 1);
    }
    return ln;
}

/* Of a file that was pasted and sorted: true, and of each row of a kind but one in `times` by_chance is false. */
static bool find_sets(const repeats *r, const row_chances *rows, const bool *measured, bool *by_chance)
{
    size_t *count = ws_alloc((2 * r->n + 1) * sizeof *count), *in_group = count + r->n;
    for (size_t row = 0; row < r->n; row++)
        count[row] = 0;
    for (size_t row = 0; row < r->n; row++)
        count[r->kind[row]] += measured[row];
    size_t times = times_pasted(count, r->kind, measured, r->n);
    bool is_pasted = times > 1 && chance_of_sets(rows, measured, r->n, times, in_group) < log(BY_CHANCE);
    for (size_t row = 0; is_pasted && row < r->n; row++)
        in_group[row] = 0; /* of a kind, the rows that stand before */
    for (size_t row = 0; is_pasted && row < r->n; row++) {
        size_t before = in_group[r->kind[row]]++;
        by_chance[row] = !r->named[row] && before > 0 && before < count[r->kind[row]] / times;
    }
    free(count);
    return is_pasted;
}

static void find_blocks(const repeats *r, const size_t *near, bool *by_chance)
{
    enum { LOOKED_AT = 4 }; /* last rows of the kind, and the first: ties may stand between in a file that was pasted */
    for (size_t row = 0, pasted = 0; row < r->n; row++) {
        by_chance[row] = false;
        if (r->named[row] || !r->before[row] || row < pasted)
            continue;
        by_chance[row] = true;
        size_t at = r->before[row];
        for (size_t i = 0; i <= LOOKED_AT && at && by_chance[row]; i++, at = r->before[at - 1]) {
            double expected;
            size_t first = i < LOOKED_AT ? at - 1 : r->kind[row];
            size_t k = block_of(r, row, first, near[row], &expected);
            if (expected >= BY_CHANCE)
                continue;
            by_chance[row] = false;
            pasted = row + k;
        }
    }
}

void ws_chance_repeats(const ws_table *table, const size_t *kind, const bool *named, bool *by_chance)
{
    size_t n_measured = 0, n = table->n_rows, *near = ws_alloc((3 * n + 1) * sizeof *near), *before = near + n,
           n_kinds = 0;
    double *chance = ws_realloc(NULL, 2 * n + 1, sizeof *chance);
    bool *measured = ws_realloc(NULL, n + 1, sizeof *measured);
    row_chances rows = {chance, chance + n, near + 2 * n, near};
    for (size_t row = 0; row < n; row++) {
        rows.least[row] = rows.of_group[row] = NOT_MEASURED;
        rows.near[row] = rows.group[row] = row;
        n_kinds = kind[row] + 1 > n_kinds ? kind[row] + 1 : n_kinds;
    }
    for (size_t c = 0; c < table->n_columns; c++)
        if (is_evidence(table, c))
            look_at_column(table, c, &rows);
    size_t *last = ws_alloc((n_kinds + 1) * sizeof *last);
    for (size_t row = 0; row < n; row++) {
        measured[row] = !named[row] && chance[row] < NOT_MEASURED;
        n_measured += measured[row];
        chance[row] = fmin(chance[row], 1);
        before[row] = last[kind[row]];
        last[kind[row]] = row + 1;
    }
    const repeats r = {kind, before, named, chance, n, n_measured};
    if (!find_sets(&r, &rows, measured, by_chance))
        find_blocks(&r, near, by_chance);
    free(last);
    free(chance);
    free(near);
    free(measured);
}
