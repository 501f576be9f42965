/* The numbers of a campaign as LaTeX macros, so that a paper's sentences follow its data: \wsSpeedupGbsTwoFiveSix. */
#ifndef WS_ANALYZE_PROSE_NUMBERS_H
#define WS_ANALYZE_PROSE_NUMBERS_H

#include "core/table.h"

#include <stdio.h>

/* Writes a line a number: \newcommand{\wsNAME}{12.26}, behind it what it is and its unit as a remark; \wsNAMEErr is its
 * uncertainty where there is one, rounded to the same place. NAME is a quantity, the series where there are several,
 * and "Gpus" with the count, spelled digit by digit as TeX needs it: \wsEnergyGbsTwoFiveSixGpusOneSix. Without a count
 * it is that of the most GPUs. \wsFactor... is the headline kWh per GPUh with the ends of its 95 % interval,
 * \wsTotal... sums over the runs, each once. `scale` has the columns of `wattscale scale`, grouped as it does by
 * default. */
void ws_prose_numbers_write(FILE *stream, const ws_table *runs, const ws_table *scale);

#endif
