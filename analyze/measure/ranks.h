/* Ranks that each logged all GPUs of their node into a file of their own, where no file names its node. */
#ifndef WS_ANALYZE_RANKS_H
#define WS_ANALYZE_RANKS_H

#include "analyze/measure/measure.h"

/* After ws_measure_finish. Logs of a run that name no node, hold GPUs of the same names (and no uuid) and overlap in time are of one
 * node, and all but one become alternatives (note "measured-twice"), where the run is described with the GPUs of one log (`gpus`; NaN
 * where it is not), and otherwise where their readings say so: they are equal, or each GPU's mean powers are fifty times closer than
 * those of the log's GPUs are to each other. They are of different nodes where together they hold `gpus` GPUs, or where a mean power
 * differs by more than 2 %. Anything between stays in the sums: true, and a note ("maybe-measured-twice"). */
bool ws_measure_count_ranks_once(ws_measure *measure, double gpus, ws_notes *notes);

/* Equal in every figure but for a shift in time, as readings that vary are not by chance. */
bool ws_same_readings(const ws_device *a, const ws_device *b);

/* The same but for digits that were cut when one was written from the other, as perun's CSV is from its HDF5. */
bool ws_is_export(const ws_device *a, const ws_device *b);

/* Both were read at some time. */
bool ws_devices_overlap(const ws_device *a, const ws_device *b);

/* One of two entries of a device goes out of the sums, that with fewer samples. */
void ws_count_device_once(ws_device *a, ws_device *b, ws_notes *notes);

/* Are the mean powers within 2 % of each other? */
bool ws_alike_powers(const ws_device *a, const ws_device *b);

#endif
