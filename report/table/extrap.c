/* Extra-P's text input for two parameters and two repeats:
 *
 *     PARAMETER gpus lbs
 *     POINTS (4 256) (8 256)
 *     REGION run
 *     METRIC wall_s
 *     DATA 101.5 99.25
 *     DATA 54 53.5
 *
 * One DATA line a point, in the order of POINTS. Its grammar has no exponents in numbers and splits lines at blanks, so
 * parameters must be single words. */
#include "report/table/extrap.h"

#include "core/text.h"
#include "report/table/table_forms.h"

#include <string.h>

enum { MOST_DECIMALS = 12 };

/* Without an exponent: what is below 1e-12 becomes 0. */
static void put_plain(FILE *stream, double value)
{
    char text[WS_DOUBLE_TEXT];
    ws_double_text(text, value);
    if (strchr(text, 'e') && value < 1e15 && value > -1e15)
        ws_double_text_decimals(text, value, MOST_DECIMALS);
    fputs(text, stream);
}

static const ws_extrap_cell *cell_at(const ws_extrap *d, size_t region, size_t metric, size_t point)
{
    return &d->cells[(region * d->n_metrics + metric) * d->n_points + point];
}

static ws_status check_complete(const ws_extrap *d, ws_error *error)
{
    for (size_t r = 0; r < d->n_regions; r++)
        for (size_t m = 0; m < d->n_metrics; m++)
            for (size_t p = 0; p < d->n_points; p++)
                if (!cell_at(d, r, m, p)->n)
                    return ws_fail(error, WS_DATA,
                                   "'%s' has no %s at point %zu of %zu, which Extra-P's text cannot leave out: write "
                                   "extrap-json",
                                   d->regions[r], d->metrics[m], p + 1, d->n_points);
    return WS_OK;
}

static void put_points(FILE *stream, const ws_extrap *d)
{
    fputs("PARAMETER", stream);
    for (size_t i = 0; i < d->n_parameters; i++)
        fprintf(stream, " %s", d->parameters[i]);
    fputs("\nPOINTS", stream);
    for (size_t p = 0; p < d->n_points; p++) {
        for (size_t i = 0; i < d->n_parameters; i++) {
            fputs(i ? " " : " (", stream);
            put_plain(stream, d->points[p * d->n_parameters + i]);
        }
        fputs(")", stream);
    }
    fputs("\n", stream);
}

ws_status ws_extrap_write_text(FILE *stream, const ws_extrap *d, ws_error *error)
{
    ws_status status = check_complete(d, error);
    if (status != WS_OK)
        return status;
    put_points(stream, d);
    for (size_t r = 0; r < d->n_regions; r++) {
        fprintf(stream, "\nREGION %s\n", d->regions[r]);
        for (size_t m = 0; m < d->n_metrics; m++) {
            fprintf(stream, "METRIC %s\n", d->metrics[m]);
            for (size_t p = 0; p < d->n_points; p++) {
                const ws_extrap_cell *cell = cell_at(d, r, m, p);
                fputs("DATA", stream);
                for (size_t i = 0; i < cell->n; i++) {
                    fputs(" ", stream);
                    put_plain(stream, cell->values[i]);
                }
                fputs("\n", stream);
            }
        }
    }
    return ferror(stream) ? ws_fail(error, WS_IO, "the output cannot be written") : WS_OK;
}

static void put_numbers(FILE *stream, const double *values, size_t n)
{
    char text[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < n; i++) {
        ws_double_text(text, values[i]);
        fprintf(stream, "%s%s", i ? "," : "", text);
    }
}

static void put_metric(FILE *stream, const ws_extrap *d, size_t region, size_t metric)
{
    bool any = false;
    for (size_t p = 0; p < d->n_points; p++) {
        const ws_extrap_cell *cell = cell_at(d, region, metric, p);
        if (!cell->n)
            continue;
        fputs(any ? ",\n  {\"point\":[" : "\n  {\"point\":[", stream);
        put_numbers(stream, d->points + p * d->n_parameters, d->n_parameters);
        fputs("],\"values\":[", stream);
        put_numbers(stream, cell->values, cell->n);
        fputs("]}", stream);
        any = true;
    }
}

ws_status ws_extrap_write_json(FILE *stream, const ws_extrap *d, ws_error *error)
{
    fputs("{\"parameters\":[", stream);
    for (size_t i = 0; i < d->n_parameters; i++) {
        fputs(i ? "," : "", stream);
        ws_json_put_text(stream, d->parameters[i]);
    }
    fputs("],\"measurements\":{", stream);
    for (size_t r = 0; r < d->n_regions; r++) {
        fputs(r ? ",\n" : "\n", stream);
        ws_json_put_text(stream, d->regions[r]);
        fputs(":{", stream);
        for (size_t m = 0; m < d->n_metrics; m++) {
            fputs(m ? ",\n " : "\n ", stream);
            ws_json_put_text(stream, d->metrics[m]);
            fputs(":[", stream);
            put_metric(stream, d, r, m);
            fputs("]", stream);
        }
        fputs("}", stream);
    }
    fputs("\n}}\n", stream);
    return ferror(stream) ? ws_fail(error, WS_IO, "the output cannot be written") : WS_OK;
}
