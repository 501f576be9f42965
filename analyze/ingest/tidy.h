/* From any table of runs to the standard columns. */
#ifndef WS_ANALYZE_TIDY_H
#define WS_ANALYZE_TIDY_H

#include "analyze/ingest/run_columns.h"
#include "formats/campaign.h"
#include "core/status.h"
#include "core/table.h"

/* `runs` is initialised here with the standard columns, filled from `raw` and completed; columns of raw that have no
 * standard meaning follow under their own names. A column is found by its standard name, by `map`
 * ("wall_s=time_per_epoch,gpus=accelerators"), or by a synonym (docs/formats.md lists them) with its unit, which may
 * stand in its cells; what was taken for what is a note. `defaults` fill
 * fields that no column gives. WS_USAGE: the map names a column that is not there. */
ws_status ws_tidy(const ws_table *raw, const char *map, const ws_fields *defaults, ws_table *runs, ws_error *error);

/* The same, and nothing is completed. */
ws_status ws_tidy_columns(const ws_table *raw, const char *map, const ws_fields *defaults, ws_table *runs,
                          ws_error *error);

/* A column that is text because of a few odd cells becomes numbers, with a note for each such cell; one without any
 * number stays text. */
void ws_tidy_numbers(ws_table *table, size_t column);

#endif
