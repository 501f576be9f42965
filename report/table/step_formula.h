/* Arithmetic as people write it: "energy_kwh * 1000 / (epochs * dataset_samples)".
 *
 * Numbers, names (letters, digits, '_'), + - * / with the usual precedence and from left to right, parentheses, and
 * sqrt(), abs(), exp(), log(). Every operation rounds to a double, as C has it. */
#ifndef WS_REPORT_STEP_FORMULA_H
#define WS_REPORT_STEP_FORMULA_H

#include "core/text.h"

/* The value of a name; NaN for one that is not known. */
typedef double ws_formula_lookup(const void *state, ws_span name);

/* NaN for what is no formula and where a name has no value. */
double ws_formula_value(const char *formula, ws_formula_lookup *lookup, const void *state);

/* Puts the next name of a formula into *name and moves *rest behind it; functions are no names. False at the end. */
bool ws_formula_next_name(ws_span *rest, ws_span *name);

#endif
