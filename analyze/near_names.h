/* What somebody may have meant by a name that is not there. */
#ifndef WS_ANALYZE_NEAR_NAMES_H
#define WS_ANALYZE_NEAR_NAMES_H

#include "core/arena.h"

#include <stdbool.h>

/* The nearest of n names, and those that are about as near: "campaign/energy or campaign/energy-vs-gpuh". n > 0. */
const char *ws_names_near(ws_arena *arena, const char *name, const char *const *names, size_t n);

/* May `name`, which is another, have been meant for `known`? One letter is wrong, too many, too few or has changed
 * places, or two of a long name; or one is the plural of the other. Those that differ in their ends alone are two names
 * (epoch_s and epoch_j). */
bool ws_name_is_slip(const char *name, const char *known);

#endif
