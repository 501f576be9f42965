/* A device whose readings stop before those of its neighbours in the same file: one that fell off, or a column that died. */
#ifndef WS_ANALYZE_ENDS_H
#define WS_ANALYZE_ENDS_H

#include "analyze/measure/metered.h"

/* Of a measure whose devices are grouped. A device whose energy leaves out, at either end, more than three of its usual
 * intervals and a hundredth of the time that powers and energies of its run and source cover gets the status "short-trace",
 * unless it has a graver one, and the note of the same name. Notes may be NULL. */
void ws_measure_judge_ends(ws_measure *measure, ws_notes *notes);

#endif
