/* How far energies may be off together: what their runs' readings do not cover is unknown to all alike, and no number
 * of runs makes it smaller. */
#ifndef WS_CORE_KNOWN_TO_H
#define WS_CORE_KNOWN_TO_H

#include "core/table.h"

/* A column in proportion to an energy: energies, powers, energies per hour or sample. Not their ratios and shares, in
 * which what is common cancels, nor what is known of them (energy_u_kwh, energy_lo_kwh). Of the columns of runs
 * tests/analyze/test_run_columns.c holds it to what analyze/ingest/run_columns.c says of each; the others are recipes'
 * own. */
bool ws_is_of_energy(const char *column);

/* Energies of which readings cover less than this share of their run: their rates are printed with what is known of
 * them. An excerpt of 60 s says little of hours, however steady it is; a run that lost its end says much. */
extern const double ws_little_coverage;

/* Sets table->energy_u, that of all rows of a table of runs whose readings cover less. */
void ws_table_set_energy_u(ws_table *runs);

/* Relative standard uncertainty of the energies of these rows that is common to them: the mean of what their rows state
 * (energy_u_kwh over energy_kwh), else table->energy_u. 0 where readings cover enough. */
double ws_energy_u(const ws_table *table, const size_t *rows, size_t n);

#endif
