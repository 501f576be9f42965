/* Paths of a folder as patterns with {fields}. */
#ifndef WS_ANALYZE_PROPOSE_PATTERN_H
#define WS_ANALYZE_PROPOSE_PATTERN_H

#include "core/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_PATTERN_SIZE = 1024 };

/* What one path says by itself: {series}, {gpus} and other settings, {job}, {node}, {repeat}. `pattern` has WS_PATTERN_SIZE bytes. */
void ws_propose_pattern(const char *path, bool is_trace, char *pattern);

/* What only all paths say: folders that differ between traces, where the patterns agree up to there, become {config}, or {repeat} after
 * their number, in the patterns of side files (behind the first `n_traces`), too. Folders for a device, tool or node of one run stay
 * as they are. New patterns lie in the arena; some may be equal then. */
void ws_propose_folders(ws_arena *arena, const char **patterns, size_t n_traces, size_t n);

#endif
