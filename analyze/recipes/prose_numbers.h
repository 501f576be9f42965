/* The numbers of a campaign as LaTeX macros, so that a paper's sentences follow its data: \wsSpeedupGbsTwoFiveSix. */
#ifndef WS_ANALYZE_PROSE_NUMBERS_H
#define WS_ANALYZE_PROSE_NUMBERS_H

#include "core/table.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a line a number: \newcommand{\wsNAME}{12.26}, behind it what it is and its unit as a remark; \wsNAMEErr is its
 * uncertainty where there is one, rounded to the same place. NAME is a quantity, the series where there are several,
 * and "Gpus" with the count, spelled digit by digit as TeX needs it: \wsEnergyGbsTwoFiveSixGpusOneSix. Without a count
 * it is that of the most GPUs. \wsFactor... is the headline kWh per GPUh with the ends of its 95 % interval,
 * \wsTotal... sums over the runs, each once. `scale` has the columns of `wattscale scale`, grouped as it does by
 * default. Names begin with `prefix` where it is not "ws", so that a document can take the numbers of two reports. */
void ws_prose_numbers_write(FILE *stream, const char *prefix, const ws_table *runs, const ws_table *scale);

/* Can names of macros begin so? Letters alone, 40 at most, and not "end", which LaTeX keeps for itself. */
bool ws_is_macro_prefix(const char *text);

#endif
