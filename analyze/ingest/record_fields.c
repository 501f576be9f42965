#include "analyze/ingest/record_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the columns of records are called among the runs, and the factor between them. */
static const struct {
    const char *theirs, *ours;
    double factor;
} renamed[] = {
    {"elapsed_s", "job_wall_s", 1},
    {"energy_j", "job_energy_kwh", 1 / 3.6e6},
    {"state", "job_state", 1},
    {"start", "job_start", 1},
    {"end", "job_end", 1},
    {"node_list", "job_nodes", 1},
    {"global_batch_size", "gbs", 1},
    {"train_samples", "dataset_samples", 1},
    {"submission_benchmark", "model", 1},
    {"num_train_epochs", "epochs", 1},
    {"train_batch_size", "lbs", 1},
};

void ws_record_field_of(const ws_table *record, size_t column, size_t row, ws_record_field *field)
{
    field->name = record->columns[column].name;
    field->value = ws_table_cell_text(record, column, row, field->buffer);
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        bool is_code = strcmp(field->name, "state") == 0 && record->columns[column].kind != WS_TEXT; /* slurm-log */
        if (strcmp(renamed[i].theirs, field->name) != 0 || is_code)
            continue;
        field->name = renamed[i].ours;
        double number = ws_table_number(record, column, row);
        if (renamed[i].factor != 1 && !isnan(number)) {
            ws_double_text(field->buffer, number * renamed[i].factor);
            field->value = field->buffer;
        }
        return;
    }
}

bool ws_record_is_step(const ws_table *record, size_t row)
{
    size_t step;
    return ws_table_find(record, "step", &step) && !ws_table_is_missing(record, step, row);
}

/* A batch step measures the same nodes as the steps that it starts, so that no sum of them is the job's energy. */
static void note_step_energy(ws_table *record, size_t job_row, size_t step_row)
{
    size_t energy;
    if (ws_table_find(record, "energy_j", &energy) && ws_table_is_missing(record, energy, job_row) &&
        !ws_table_is_missing(record, energy, step_row))
        ws_notes_add(&record->notes, WS_FINDING_STEP_ENERGY, record->source, "",
                     record->line ? record->line[step_row] : 0,
                     "a step has an energy and its job has none: that of the job stays missing, for steps may measure "
                     "the same nodes at the same time");
}

/* The steps of a job follow its allocation. */
void ws_record_drop_steps(ws_table *record)
{
    size_t job, step, job_row = 0;
    char buffer[WS_DOUBLE_TEXT], allocation[80] = "";
    if (!ws_table_find(record, "job", &job) || !ws_table_find(record, "step", &step))
        return;
    bool *keep = ws_alloc(record->n_rows * sizeof *keep);
    for (size_t row = 0; row < record->n_rows; row++) {
        const char *id = ws_table_cell_text(record, job, row, buffer);
        bool is_step = ws_record_is_step(record, row);
        keep[row] = !is_step || strcmp(id, allocation) != 0;
        if (!is_step) {
            snprintf(allocation, sizeof allocation, "%s", id);
            job_row = row;
        } else if (!keep[row]) {
            note_step_energy(record, job_row, row);
            ws_notes_add(&record->notes, WS_FINDING_JOB_STEP, record->source, "", record->line ? record->line[row] : 0,
                         "steps repeat the time and energy of their job and are no runs: left out");
        }
    }
    ws_table_filter(record, keep);
    free(keep);
}
