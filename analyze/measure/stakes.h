/* What the findings of a device leave open of its energy: the joules that they may have added or left out. What powers
 * tell stands in power_stakes.h, what sources tell beside each other in sources.h. */
#ifndef WS_ANALYZE_STAKES_H
#define WS_ANALYZE_STAKES_H

#include "analyze/measure/metered.h"

/* Part of ws_measure_finish, after the devices have their energies: adds what the readings of each device tell, and
 * what its source's reader has noted so far. Notes sensors that stand still or go beyond their limit. Notes may be
 * NULL. */
void ws_measure_find_stakes(ws_measure *measure, ws_notes *notes);

/* In J, of a channel that gives its device the energy. What uncertainty.h bounds, and what is at stake: all that
 * readings add which no device has; what readings below zero may have been; energies of rows that were written
 * twice. */
double ws_odd_joules(const ws_metered_channel *channel);
double ws_negative_joules(const ws_metered_channel *channel);
double ws_repeated_joules(const ws_metered_channel *channel);

#endif
