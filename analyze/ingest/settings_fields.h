/* What a file of settings says of its run: keys as they stand there, and the fields of the run that they are. */
#ifndef WS_ANALYZE_SETTINGS_FIELDS_H
#define WS_ANALYZE_SETTINGS_FIELDS_H

#include "core/arena.h"
#include "core/table.h"
#include "formats/campaign.h"

/* The field of a key, in the arena: a known word has its field (trainer.max_epochs: epochs, batch_size: batch), another
 * key its last word in lower case. False for keys that are no field of a run: paths, what begins with _, counts whose
 * meaning is open (GPUs of one node beside a number of nodes, the last epoch), and in a file of results all that names
 * a setting. */
bool ws_setting_field(const ws_table *settings, size_t column, ws_arena *arena, ws_field *field);

/* Is it one of the known words, or what was said on a command line? Other keys may be anything. */
bool ws_setting_is_known(const ws_table *settings, size_t column);

#endif
