/* What somebody may have meant by a name that is not there. */
#ifndef WS_ANALYZE_NEAR_NAMES_H
#define WS_ANALYZE_NEAR_NAMES_H

#include "core/arena.h"

/* The nearest of n names, and those that are about as near: "campaign/energy or campaign/energy-vs-gpuh". n > 0. */
const char *ws_names_near(ws_arena *arena, const char *name, const char *const *names, size_t n);

#endif
