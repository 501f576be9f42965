/* A campaign divided into parts that separate jobs read, as those of a job array. Runs stay whole, and runs that share
 * a file stay in one part. The names and sizes of the files alone decide which run belongs to which part, so that every
 * job comes to the same answer. */
#ifndef WS_ANALYZE_SHARD_H
#define WS_ANALYZE_SHARD_H

#include "analyze/ingest/run_list.h"

/* Keeps only the runs of part `shard` of `n_shards` (from 1), in their order. */
void ws_take_shard(ws_run_list *list, size_t shard, size_t n_shards);

#endif
