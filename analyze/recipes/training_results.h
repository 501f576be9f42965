/* Which columns of a campaign say how good a model became. */
#ifndef WS_ANALYZE_TRAINING_RESULTS_H
#define WS_ANALYZE_TRAINING_RESULTS_H

#include "core/table.h"

/* Numbers whose names have a word of errors, losses, accuracies and scores in them ("my_loss", "val_acc", "rmse"), or
 * begin as those of a validation do; neither the spread of one nor a target. */
bool ws_is_training_result(const ws_table *table, size_t column);

/* Is more of it better, as of accuracies, scores and speed-ups? */
bool ws_is_better_larger(const char *name);

#endif
