/* Logs of ranks: several ranks of a job may each have logged all GPUs of their node, or its processors beside a GPU of
 * their own, and name no node. Logs that overlap in time and hold devices of the same names are compared as a whole.
 *
 * GPUs. Logs are from one node if their GPUs have `gpus` different names, and from several if there are `gpus` GPUs
 * altogether. Otherwise the readings of the GPUs that they share decide. One node: all readings are equal; or the mean
 * powers of the GPUs are twenty times closer between the logs than within one, none differs by more than sampling
 * explains (two nodes that work in the same pipeline do), and GPUs as different as those of one log would agree as well
 * by a chance of at most a millionth (the product over the GPUs of |difference| / (sqrt(pi) spread) of mean and
 * standard deviation, each factor at least 0.01), and cards of one kind under one load, whose means spread by 2 %, by
 * one of at most 1e-4: GPUs of one number may do the same work in every node. Several nodes: some mean power differs by
 * more than 2 %, by more than three standard errors, and by more than the time that only one of the two logs holds can
 * explain. Of logs with one GPU each: two GPUs, if the names of the files number GPUs ("gpu0.csv", "gpu1.csv"), or if
 * their temperatures differ by more than a degree. In between nothing is proven: WS_DUPLICATES_ASK. Logs that name
 * different nodes but would be from one by their readings stay in the sums, in doubt unless `gpus` fits.
 *
 * Processors and memory. They count once with the GPUs beside them. What is left, of files that name no node, is of one
 * node if all readings are equal, if their energy counters hold the same count, or if the run has one node; of several
 * if a mean power differs as above, if the GPUs beside them are, or if the run has as many nodes as there are files. In
 * between it is asked for, too.
 *
 * One log of powers and one of energies, whose readings differ, are two nodes or two sources of one that disagree: both
 * stay in the sums, in doubt, unless the run says how many nodes or GPUs it has. */
#ifndef WS_ANALYZE_RANK_LOGS_H
#define WS_ANALYZE_RANK_LOGS_H

#include "analyze/identity/duplicates.h"

/* Compares the sources of a run, logs of ranks first, then pair by pair (duplicates.h); after ws_measure_finish.
 * `gpus`, `nodes`: as the run is described; NaN if it is not. Of the entries that count once, the one with the most
 * readings stays, and the others become alternatives. */
ws_duplicates ws_measure_find_duplicates(ws_measure *measure, double gpus, double nodes, ws_notes *notes);

#endif
