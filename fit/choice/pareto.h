/* Which configurations are worth choosing when time, energy and error all count? */
#ifndef WS_FIT_PARETO_H
#define WS_FIT_PARETO_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_PARETO_MAX = 8 }; /* objectives */

/* Every objective is to be small; objective[j] has n finite values. on_front[i] tells whether no row is as good as row
 * i in all objectives and better in one. Equal rows are both kept. WS_DATA names the row of a missing value. */
ws_status ws_pareto_front(const double *const *objective, size_t k, size_t n, bool *on_front, ws_error *error);

/* The volume between the front and a reference point that is worse in every objective; rows beyond it count nothing. */
ws_status ws_pareto_volume(const double *const *objective, size_t k, size_t n, const double *reference, double *volume,
                           ws_error *error);

/* The row with the smallest objective[which] among those with objective[j] <= bound[j] for all j (INFINITY: no bound);
 * of equal ones the first. SIZE_MAX where no row keeps the bounds. */
size_t ws_pareto_least(const double *const *objective, size_t k, size_t n, size_t which, const double *bound);

/* How sure is the front? objective[j][i] of n repeats, of which the i-th belongs to row[i] < n_rows. The probability of
 * each row to be on the front when the rows' means are redrawn from normal laws about them, with the covariance of the
 * repeats over their number: the objectives of a row may depend on each other, rows do not. error_of gets the Monte
 * Carlo standard error of that many draws. WS_DATA: a row has fewer than two repeats, so that its spread is not known.
 */
ws_status ws_pareto_probability(const double *const *objective, size_t k, const size_t *row, size_t n, size_t n_rows,
                                size_t draws, uint64_t seed, double *probability, double *error_of, ws_error *error);

/* The row of the front that lies farthest below the straight line between its ends, both objectives scaled to the
 * front's range: where a little more of one stops buying much of the other. SIZE_MAX where fewer than 3 different rows
 * are on the front, or none lies below the line. Satopaa et al. 2011, "Finding a kneedle in a haystack". */
size_t ws_pareto_knee(const double *x, const double *y, size_t n, const bool *on_front);

#endif
