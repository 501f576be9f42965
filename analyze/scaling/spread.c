#include "analyze/scaling/spread.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static size_t column_beside(const ws_table *runs, const char *name, const char *suffix)
{
    char beside[160];
    size_t column;
    snprintf(beside, sizeof beside, "%s%s", name, suffix);
    return ws_table_find(runs, beside, &column) ? column : SIZE_MAX;
}

ws_spread_source ws_spread_source_of(const ws_table *runs, size_t column)
{
    return (ws_spread_source){runs, column, column_beside(runs, "n_runs", ""),
                              column_beside(runs, runs->columns[column].name, "_rmse")};
}

static double number_at(const ws_spread_source *from, size_t column, size_t row)
{
    return column == SIZE_MAX ? NAN : ws_table_number(from->runs, column, row);
}

/* A row that is a mean already, as this program and papers print them, says of how many runs and with which spread. */
size_t ws_runs_behind(const ws_spread_source *from, const size_t *rows, size_t n_rows)
{
    double n = n_rows == 1 ? number_at(from, from->n_runs, rows[0]) : NAN;
    return n >= 1 && n < 1e9 ? (size_t)n : n_rows;
}

static bool given_spread(const ws_spread_source *from, const size_t *rows, size_t n_rows, ws_spread *s)
{
    size_t n = ws_runs_behind(from, rows, n_rows), row = n_rows ? rows[0] : 0;
    double rmse = n > n_rows ? number_at(from, from->rmse, row) : NAN;
    if (isnan(rmse))
        return false;
    *s = (ws_spread){n, ws_table_number(from->runs, from->column, row), rmse, rmse * sqrt((double)n / (double)(n - 1))};
    return !isnan(s->mean);
}

static double as_it_is(double value)
{
    return value;
}

/* What rounding leaves of equal values, as of the ratios 1 / 1000 and 1.01 / 1010, is no spread. */
static double without_rounding(double deviation, double mean)
{
    return fabs(deviation) <= 4 * DBL_EPSILON * fabs(mean) ? 0 : deviation;
}

/* Two passes: the mean first, then the squares about it. */
static ws_spread measure(const ws_table *runs, const size_t *rows, size_t n_rows, size_t column, double (*of)(double))
{
    ws_spread s = {0, 0, 0, 0};
    double squares = 0;
    for (size_t i = 0; i < n_rows; i++) {
        double v = of(ws_table_number(runs, column, rows[i]));
        s.n += isnan(v) ? 0 : 1;
        s.mean += isnan(v) ? 0 : v;
    }
    s.mean = s.n ? s.mean / (double)s.n : NAN;
    for (size_t i = 0; i < n_rows; i++) {
        double v = of(ws_table_number(runs, column, rows[i]));
        double off = isnan(v) ? 0 : without_rounding(v - s.mean, s.mean);
        squares += off * off;
    }
    s.rmse = s.n ? sqrt(squares / (double)s.n) : NAN;
    s.sd = s.n > 1 ? sqrt(squares / (double)(s.n - 1)) : NAN;
    return s;
}

ws_spread ws_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows)
{
    ws_spread s;
    return given_spread(from, rows, n_rows, &s) ? s : measure(from->runs, rows, n_rows, from->column, as_it_is);
}

ws_spread ws_log_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows)
{
    static const ws_spread none = {0, NAN, NAN, NAN};
    ws_spread s;
    if (given_spread(from, rows, n_rows, &s))
        return s.mean > 0 ? (ws_spread){s.n, log(s.mean), s.rmse / s.mean, s.sd / s.mean} : none;
    for (size_t i = 0; i < n_rows; i++)
        if (ws_table_number(from->runs, from->column, rows[i]) <= 0)
            return none;
    return measure(from->runs, rows, n_rows, from->column, log);
}
