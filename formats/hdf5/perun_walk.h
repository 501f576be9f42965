/* The walk through perun's tree that pushes its samples (perun_samples.h) and facts (perun_facts.h) into a sink. */
#ifndef WS_FORMATS_PERUN_WALK_H
#define WS_FORMATS_PERUN_WALK_H

#include "formats/hdf5/perun_tree.h"

/* Push everything below `root`. WS_DATA where there is no sensor at all. */
ws_status ws_perun_walk(const ws_perun_tree *tree, ws_perun_ref root, const char *root_name, const ws_sink *sink,
                        ws_notes *notes, ws_error *error);

#endif
