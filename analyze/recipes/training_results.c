#include "analyze/recipes/training_results.h"

#include "analyze/scaling/work.h"
#include "core/text.h"

#include <string.h>

/* Is a part of "my_val-Loss" one of these words, in any case? */
static bool has_word(const char *name, const char *const *words)
{
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "_-. ");
        for (const char *const *w = words; *w; w++)
            if (ws_span_eq_nocase((ws_span){at, n}, *w))
                return true;
        at += n + strspn(at + n, "_-. ");
    }
    return false;
}

static bool begins_with_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strncmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

/* "wall_s_rmse" beside "wall_s"; a column "my_rmse" of its own is a result. */
static bool is_spread(const ws_table *table, const char *name)
{
    static const char *const ends[] = {"_rmse", "_sd", "_se"};
    char stem[160];
    size_t n = strlen(name), column;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (n <= end || n - end >= sizeof stem || strcmp(name + n - end, ends[i]) != 0)
            continue;
        memcpy(stem, name, n - end);
        stem[n - end] = '\0';
        if (ws_table_find(table, stem, &column))
            return true;
    }
    return false;
}

bool ws_is_training_result(const ws_table *table, size_t column)
{
    static const char *const words[] = {"error",      "err",   "rmse", "mse", "mae", "loss", "accuracy", "acc",
                                        "perplexity", "score", "bleu", "auc", "f1",  "iou",  "miou",     NULL},
                             *const begins[] = {"error", "loss",  "accuracy", "top1", "top5", "val_",
                                                "test_", "score", "mae",      "bleu", NULL};
    const ws_column *c = &table->columns[column];
    return c->kind == WS_NUMBER && !ws_is_target(c->name) && !is_spread(table, c->name) &&
           (has_word(c->name, words) || begins_with_one_of(c->name, begins));
}

bool ws_is_better_larger(const char *name)
{
    static const char *const gains[] = {"accuracy", "acc",  "score",   "bleu",       "auc", "f1",
                                        "iou",      "miou", "speedup", "efficiency", NULL},
                             *const losses[] = {"error", "err", "loss", "rmse", "mse", "mae", NULL};
    return has_word(name, gains) && !has_word(name, losses);
}
