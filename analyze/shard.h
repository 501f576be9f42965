/* A campaign in parts that are read by themselves, as by the jobs of an array: whole runs, and those that share a file
 * in one part. Which run is of which part follows from the names and sizes of the files alone, so that every job comes
 * to the same answer. */
#ifndef WS_ANALYZE_SHARD_H
#define WS_ANALYZE_SHARD_H

#include "analyze/ingest/run_list.h"

/* Leaves the runs of part `shard` of `n_shards` (from 1), in their order. */
void ws_take_shard(ws_run_list *list, size_t shard, size_t n_shards);

#endif
