/* What somebody may have meant by a name that is not there. */
#ifndef WS_ANALYZE_NEAR_NAMES_H
#define WS_ANALYZE_NEAR_NAMES_H

#include "core/arena.h"

#include <stdbool.h>

/* The nearest of n names, and those that are about as near: "campaign/energy or campaign/energy-vs-gpuh". n > 0. */
const char *ws_names_near(ws_arena *arena, const char *name, const char *const *names, size_t n);

/* May `name` be a misspelling of `known`? One letter is wrong, too many, missing or has changed places with the next,
 * or two letters of a long name; or one is the plural of the other. Names that differ in their last letter alone are
 * two names (epoch_s and epoch_j). */
bool ws_name_is_slip(const char *name, const char *known);

#endif
