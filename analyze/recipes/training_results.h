/* Which columns of a campaign say how good a model became. */
#ifndef WS_ANALYZE_TRAINING_RESULTS_H
#define WS_ANALYZE_TRAINING_RESULTS_H

#include "core/table.h"

/* Numbers whose names begin as those of errors, losses, accuracies and scores do; the spread of one is none. */
bool ws_is_training_result(const ws_column *column);

/* Does a name begin with one of these (NULL-ended)? */
bool ws_begins_with_one_of(const char *name, const char *const *words);

#endif
