/* Side files: what a scheduler, a job's epilogue or the training program wrote beside the traces. */
#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_history.h"
#include "analyze/ingest/run_row.h"
#include "analyze/ingest/record_fields.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_tables.h"
#include "analyze/ingest/settings_fields.h"
#include "analyze/ingest/run_names.h"
#include "analyze/run_status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct joiner {
    const ws_campaign *campaign;
    const ws_run_list *list;
    ws_table *runs;
    ws_arena *arena;
    ws_history *history; /* or NULL */
    const ws_verdict_rules *rules;
    const char *path; /* of the side file that is read */
} joiner;

/* A value fills a run's cell only where nothing more direct has. */
static void fill_cell(joiner *j, size_t row, const char *name, const char *value)
{
    size_t column;
    name = ws_end_field(name, value);
    if (!*value || (ws_table_find(j->runs, name, &column) && !ws_table_is_missing(j->runs, column, row)))
        return;
    ws_runs_set_field(j->runs, row, name, value);
    ws_history_take_word(j->history, row, name, value, j->path);
}

/* What a file of settings says; what was counted holds against it. */
static void fill_from_settings(joiner *j, size_t run, const ws_table *settings)
{
    size_t known = j->runs->n_columns;
    for (size_t c = 0; c < settings->n_columns; c++) {
        ws_field field;
        double said, counted = ws_runs_get(j->runs, WS_COL_GPUS, run);
        if (!ws_setting_field(settings, c, j->arena, &field))
            continue;
        bool is_gpus = strcmp(field.name, "gpus") == 0 && ws_span_double(ws_span_of(field.value), &said);
        if (is_gpus && !isnan(counted) && said != counted)
            ws_notes_add(&j->runs->notes, WS_FINDING_GPU_COUNT, settings->source, settings->columns[c].name, 0,
                         "the settings say %.6g GPUs, the run has %.6g: these hold", said, counted);
        fill_cell(j, run, field.name, field.value);
    }
    for (; known < j->runs->n_columns; known++)
        ws_table_set_detail(j->runs, known);
}

/* A job that was given more than the traces hold: the rest may have run without a logger. */
static void check_count(joiner *j, size_t run, const ws_record_field *field)
{
    static const struct {
        const char *what;
        ws_run_column column;
        ws_finding finding;
    } counts[] = {{"GPUs", WS_COL_GPUS, WS_FINDING_GPU_COUNT}, {"nodes", WS_COL_NODES, WS_FINDING_NODE_COUNT}};
    double factor;
    ws_run_column meant = ws_run_name_column(field->name, &factor); /* "n_gpus" */
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double said, counted = ws_runs_get(j->runs, counts[i].column, run);
        if (meant != counts[i].column || !ws_span_double(ws_span_of(field->value), &said) || !(said > counted) ||
            !(ws_runs_get(j->runs, WS_COL_ENERGY, run) > 0))
            continue;
        ws_notes_add(&j->runs->notes, counts[i].finding, j->path, j->runs->columns[WS_COL_RUN].text[run], 0,
                     "the job was given %.6g %s, the traces of its run hold %.6g: the energy is that of these", said,
                     counts[i].what, counted);
        ws_stake stake = {0};
        ws_stake_add(&stake, j->rules, counts[i].finding, (said - counted) / counted); /* of an energy of 1 */
        ws_energy_verdict verdict = ws_energy_verdict_of(&stake, 1, j->rules);
        if (verdict != WS_ENERGY_VERDICT_OK)
            ws_runs_raise_verdict(j->runs, run, counts[i].finding, verdict);
    }
}

/* The unit of a run time without one that comes next to what the traces span: they lie 60 and more apart. NaN: none is
 * near. */
static double nearest_seconds(double written, double span_s)
{
    static const double units[] = {1e-3, 1, 60, 3600};
    const double near = 7;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (written * units[i] < span_s * near && span_s < written * units[i] * near)
            return written * units[i];
    return NAN;
}

/* A table's time of a run that is longer than its traces is held against their span as that of a job's record is. */
static void take_wall(joiner *j, size_t run, const ws_record_field *field)
{
    char text[WS_DOUBLE_TEXT];
    double factor, written, span_s = ws_runs_get(j->runs, WS_COL_WALL, run);
    const char *source = j->runs->columns[WS_COL_WALL_SOURCE].text[run];
    bool is_spanned = source && strcmp(source, "trace span") == 0 && span_s > 0;
    if (!is_spanned || ws_run_name_column(field->name, &factor) != WS_COL_WALL ||
        !ws_span_double(ws_span_of(field->value), &written) || !(written > 0))
        return;
    double wall_s = isnan(factor) ? nearest_seconds(written, span_s) : written * factor;
    ws_double_text(text, wall_s);
    if (wall_s > span_s) /* the start of a program is usually traced, too */
        fill_cell(j, run, "job_wall_s", text);
}

static void fill_from_record(joiner *j, size_t run, const ws_table *record, size_t row, const char *join)
{
    size_t known = j->runs->n_columns;
    for (size_t c = 0; c < record->n_columns; c++) {
        const char *theirs = record->columns[c].name;
        ws_record_field field;
        if (strcmp(theirs, "job") == 0 || strcmp(theirs, "step") == 0 || (join && strcmp(theirs, join) == 0))
            continue;
        ws_record_field_of(record, c, row, &field);
        check_count(j, run, &field);
        take_wall(j, run, &field);
        fill_cell(j, run, field.name, field.value);
    }
    for (; known < j->runs->n_columns; known++)
        ws_table_set_detail(j->runs, known);
}

static bool cells_agree(const ws_table *a, size_t column_a, size_t row_a, const ws_table *b, size_t column_b,
                        size_t row_b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    return !ws_table_is_missing(a, column_a, row_a) &&
           ws_cell_names(ws_table_cell_text(b, column_b, row_b, text_b),
                         ws_span_of(ws_table_cell_text(a, column_a, row_a, text_a)));
}

static void join_by_column(joiner *j, const ws_side_rule *rule, const char *path, const ws_table *record)
{
    size_t theirs, ours, joined = 0;
    if (!ws_table_find(record, rule->join, &theirs) || !ws_table_find(j->runs, rule->join, &ours)) {
        ws_notes_add(&j->runs->notes, WS_FINDING_NO_JOIN, path, rule->join, 0,
                     "the side file cannot be joined: '%s' is not a column of %s", rule->join,
                     ws_table_find(record, rule->join, &theirs) ? "the runs" : "the file");
        return;
    }
    for (size_t run = 0; run < j->runs->n_rows; run++) {
        for (size_t row = 0; row < record->n_rows; row++) {
            if (ws_record_is_step(record, row) || !cells_agree(j->runs, ours, run, record, theirs, row))
                continue;
            fill_from_record(j, run, record, row, rule->join);
            joined++;
            break;
        }
    }
    if (!joined && !j->list->is_part)
        ws_notes_add(&j->runs->notes, WS_FINDING_NO_JOIN, path, rule->join, 0,
                     "no row of the side file belongs to a run by '%s'", rule->join);
}

/* "001" of a path is 1 in the table of runs. */
static bool is_same_number(const char *cell, const char *captured)
{
    int64_t a, b;
    return ws_span_i64(ws_span_of(cell), &a) && ws_span_i64(ws_span_of(captured), &b) && a == b;
}

/* Does the run share every captured field that is a column of the runs? A file of which nothing is captured is of the
 * only run that there is. */
static bool belongs(const joiner *j, size_t run, const ws_fields *fields)
{
    char buffer[WS_DOUBLE_TEXT];
    bool any = !fields->n && j->runs->n_rows == 1;
    for (size_t i = 0; i < fields->n; i++) {
        size_t column;
        if (!ws_table_find(j->runs, fields->items[i].name, &column))
            continue;
        any = true;
        const char *cell = ws_table_cell_text(j->runs, column, run, buffer);
        if (strcmp(cell, fields->items[i].value) != 0 && !is_same_number(cell, fields->items[i].value))
            return false;
    }
    return any;
}

typedef struct summary {
    double last, least, most, sum;
    size_t n;
} summary;

/* Missing cells are passed over: training programs leave a cell empty where they did not look. */
static summary side_files_summarise(const ws_table *record, const char *name)
{
    size_t column;
    summary l = {NAN, NAN, NAN, 0, 0};
    if (!ws_table_find(record, name, &column))
        return l;
    for (size_t row = 0; row < record->n_rows; row++) {
        double value = ws_table_number(record, column, row);
        if (isnan(value))
            continue;
        l.last = value;
        l.least = l.n && l.least < value ? l.least : value;
        l.most = l.n && l.most > value ? l.most : value;
        l.sum += value;
        l.n++;
    }
    return l;
}

static double reduce(const ws_table *record, const ws_side_rule *rule)
{
    summary l = side_files_summarise(record, rule->column ? rule->column : "value");
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"last", l.last},           {"min", l.least},       {"max", l.most},           {"mean", l.sum / (double)l.n},
        {"100-last", 100 - l.last}, {"1-last", 1 - l.last}, {"100-max", 100 - l.most}, {"1-max", 1 - l.most}};
    for (size_t i = 0; i < sizeof known / sizeof *known && l.n; i++)
        if (strcmp(rule->value ? rule->value : "last", known[i].name) == 0)
            return known[i].value;
    return NAN;
}

/* Does the run have the values that the file's path says, one at least? */
static bool is_of_run(const ws_run_list *list, const ws_run_files *run, const ws_fields *said)
{
    bool any = !said->n && list->n == 1;
    for (size_t i = 0; i < said->n; i++) {
        const char *value = ws_fields_get(&run->fields, said->items[i].name);
        if (value && strcmp(value, said->items[i].value) != 0 && !is_same_number(value, said->items[i].value))
            return false;
        any |= value != NULL;
    }
    return any;
}

static void note_no_run(joiner *j, const ws_side_rule *rule, const char *path, const ws_fields *said)
{
    for (size_t i = 0; i < j->list->n; i++)
        if (is_of_run(j->list, &j->list->runs[i], said)) /* its traces could not be read, say */
            return;
    ws_notes_add(&j->runs->notes, WS_FINDING_NO_JOIN, j->campaign->source, rule->match, 0,
                 said->n ? "side files of no run are left out, the first of %s"
                         : "a side file that names none of several runs is left out: %s",
                 said->n ? ws_fields_text(said, j->arena) : ws_campaign_path(j->campaign, path));
}

static void join_by_path(joiner *j, const ws_side_rule *rule, const char *path, const ws_fields *fields,
                         const ws_table *record)
{
    char number[WS_DOUBLE_TEXT];
    bool has_run = false;
    for (size_t run = 0; run < j->runs->n_rows; run++) {
        if (!belongs(j, run, fields))
            continue;
        has_run = true;
        if (rule->as && strcmp(rule->as, "settings") == 0) {
            fill_from_settings(j, run, record);
            continue;
        }
        if (!rule->field) {
            fill_from_record(j, run, record, 0, NULL);
            continue;
        }
        double value = reduce(record, rule);
        ws_double_text(number, value);
        if (isnan(value))
            ws_notes_add(&j->runs->notes, WS_FINDING_NO_VALUE, path, rule->field, 0,
                         "the side file gives no '%s' of '%s' for %s", rule->value ? rule->value : "last",
                         rule->column ? rule->column : "value", rule->field);
        else
            fill_cell(j, run, rule->field, number);
    }
    if (!has_run && !j->list->is_part)
        note_no_run(j, rule, path, fields);
}

/* False: a job's output that says nothing of the job, as most do. */
static bool read_side_file(joiner *j, const ws_side_rule *rule, const char *path, const ws_fields *fields)
{
    ws_table record;
    ws_error error = {0};
    j->path = path;
    ws_source_options options = {.as = rule->as, .read = WS_READ_DEFAULTS, .inputs = j->list->inputs};
    ws_status status = ws_source_read_table(path, &options, &record, &error);
    bool is_mute = status == WS_DATA && rule->as && strcmp(rule->as, "job-log") == 0;
    if (status == WS_OK && rule->join)
        join_by_column(j, rule, path, &record);
    else if (status == WS_OK && record.n_rows)
        join_by_path(j, rule, path, fields, &record);
    else if (status != WS_OK && !is_mute)
        ws_note_failure(&j->runs->notes, WS_FINDING_UNREADABLE, path, &error);
    ws_notes_append(&j->runs->notes, &record.notes);
    ws_table_free(&record);
    return !is_mute;
}

static void take_counts(ws_run_list *list, const char *path, const ws_fields *said)
{
    ws_table settings;
    ws_source_options options = {.as = "settings", .read = WS_READ_DEFAULTS, .inputs = list->inputs};
    bool is_read = ws_source_read_table(path, &options, &settings, NULL) == WS_OK;
    for (size_t c = 0; is_read && c < settings.n_columns; c++) {
        ws_field field;
        if (!ws_setting_field(&settings, c, &list->arena, &field) ||
            (strcmp(field.name, "gpus") != 0 && strcmp(field.name, "nodes") != 0 &&
             strcmp(field.name, "gpus_per_node") != 0))
            continue;
        for (size_t r = 0; r < list->n; r++)
            if (is_of_run(list, &list->runs[r], said) && !ws_fields_get(&list->runs[r].settings, field.name))
                ws_fields_set(&list->runs[r].settings, &list->arena, field.name, field.value);
    }
    ws_table_free(&settings);
}

void ws_take_settings(const ws_campaign *campaign, ws_run_list *list)
{
    for (size_t r = 0; r < campaign->n_side_files; r++) {
        const ws_side_rule *rule = &campaign->side_files[r];
        for (size_t i = 0; i < list->all.n && rule->as && strcmp(rule->as, "settings") == 0 && !rule->join; i++) {
            ws_fields said = {0};
            const char *path = list->all.paths[i];
            if (ws_path_match(rule->match, ws_campaign_path(campaign, path), &said, &list->arena))
                take_counts(list, path, &said);
            ws_fields_free(&said);
        }
    }
}

void ws_join_side_files(const ws_campaign *campaign, const ws_run_list *list, const ws_verdict_rules *rules,
                        ws_history *history, ws_table *runs)
{
    ws_arena arena = {0};
    joiner j = {campaign, list, runs, &arena, history, rules, NULL};
    for (size_t r = 0; r < campaign->n_side_files; r++) {
        const char *match = campaign->side_files[r].match;
        size_t found = 0, telling = 0;
        for (size_t i = 0; i < list->all.n; i++) {
            ws_fields fields = {0};
            const char *path = list->all.paths[i];
            if (ws_path_match(match, ws_campaign_path(campaign, path), &fields, &arena)) {
                telling += read_side_file(&j, &campaign->side_files[r], path, &fields);
                found++;
            }
            ws_fields_free(&fields);
        }
        if (!found)
            ws_notes_add(&runs->notes, WS_FINDING_RULE_WITHOUT_FILE, campaign->source, match, 0,
                         "no file matches the side file rule '%s'", match);
        else if (!telling)
            ws_notes_add(&runs->notes, WS_FINDING_NO_VALUE, campaign->source, match, 0,
                         "the side files that match '%s' say nothing of a job", match);
    }
    ws_arena_free(&arena);
}
