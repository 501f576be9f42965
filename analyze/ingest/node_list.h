/* Host lists as schedulers write them: "n[001-004,007],login1", "rack[1-2]n[01-16]". */
#ifndef WS_ANALYZE_NODE_LIST_H
#define WS_ANALYZE_NODE_LIST_H

#include "core/arena.h"
#include "core/text.h"

/* The hosts of the list, in its order; array and names live in the arena. 0 for an empty or broken list (brackets that
 * do not pair, ranges that run backwards) and for more than 100,000 hosts. */
size_t ws_node_list(ws_arena *arena, ws_span text, const char ***names);

#endif
