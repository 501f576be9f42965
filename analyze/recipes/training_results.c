#include "analyze/recipes/training_results.h"

#include <string.h>

bool ws_begins_with_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strncmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

bool ws_is_training_result(const ws_column *column)
{
    static const char *const words[] = {"error", "rmse_", "loss",       "accuracy", "acc_", "top1", "top5",
                                        "val_",  "test_", "perplexity", "score",    "mae",  "bleu", NULL};
    const char *suffix = strrchr(column->name, '_');
    bool is_spread = suffix && (strcmp(suffix, "_rmse") == 0 || strcmp(suffix, "_sd") == 0);
    return column->kind == WS_NUMBER && !is_spread && ws_begins_with_one_of(column->name, words);
}
