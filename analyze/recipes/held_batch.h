/* Series by what they hold constant while the GPUs grow: the local or the global batch size, the data set or the
 * samples of a GPU. Found in the columns of the configurations (gpus, lbs, gbs, dataset_samples and settings such as
 * device), whatever the series are called, so that a paper's figure comes out of a campaign with other names or none.
 */
#ifndef WS_ANALYZE_HELD_BATCH_H
#define WS_ANALYZE_HELD_BATCH_H

#include "analyze/recipes/figure_series.h"

enum { WS_DATA_WHOLE = 1, WS_DATA_SCALED = 2 }; /* the data set is the same, or grows with the GPUs */

typedef struct ws_held_choice {
    const char *figure;              /* its name, for messages */
    const char *const *models;       /* parts of names, letter case aside, NULL-ended: {"resnet"} */
    const char *const *other_models; /* of the paper's other figures: these are not taken in the models' place */
    unsigned data;                   /* WS_DATA_... */
    bool needs_name;                 /* configurations without a model's name are not taken */
} ws_held_choice;

/* The series of a model: configurations that agree in their settings and in the batch size that they hold, over at
 * least three numbers of GPUs (two where no series of any kind has three). A group all of whose configurations stand in
 * longer ones is no series of its own. Local batch sizes come first, then global ones by size; those with a data set
 * that grows behind the others. A configuration may stand in several series, and one that the table holds twice stands
 * once. Where no configuration has one of the models, the campaign's only model is taken. list->items[i].configurations
 * go by rising GPUs. The caller frees the list, always. WS_DATA: there is no such series (the message says why). */
ws_status ws_held_series(ws_series_list *list, const ws_table *runs, const ws_table *scale,
                         const ws_held_choice *choice, ws_error *error);

/* Are these the configurations of that value of "series", all of them and no others? Means that are equal stand for
 * one configuration. */
bool ws_is_series(const ws_table *scale, const char *series, const ws_row_list *configurations);

/* The rows of configurations that have one of the models, or the only model there is. False after a message. */
bool ws_model_rows(const ws_table *table, const ws_held_choice *choice, ws_row_list *rows, ws_arena *arena,
                   ws_error *error);

#endif
