/* Records of schedulers and of training programs as fields of a run. */
#ifndef WS_ANALYZE_RECORD_FIELDS_H
#define WS_ANALYZE_RECORD_FIELDS_H

#include "core/table.h"

typedef struct ws_record_field {
    const char *name, *value;
    char buffer[WS_DOUBLE_TEXT];
} ws_record_field;

/* The cell under the name that it has among the runs ("elapsed_s" is "job_wall_s", "energy_j" is "job_energy_kwh" in
 * kWh). An empty value is missing. */
void ws_record_field_of(const ws_table *record, size_t column, size_t row, ws_record_field *field);

/* Steps of a job repeat its time and energy: only the allocation's own row counts. */
bool ws_record_is_step(const ws_table *record, size_t row);

/* Leaves the steps out of a table of jobs. Those whose allocation is not in the table stay: they are all there is. */
void ws_record_drop_steps(ws_table *record);

#endif
