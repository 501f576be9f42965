#include "analyze/ingest/run_times.h"

#include "core/stamp.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

/* s: a year, which no run takes; more is a stamp. Ours. */
#define LONGEST_S 31557600.0

bool ws_no_time_of_runs(const ws_table *raw, const char *map)
{
    return !raw->units_are_known && !ws_has_run_column(raw, WS_COL_WALL) && !ws_has_run_column(raw, WS_COL_JOB_WALL) &&
           !ws_has_run_column(raw, WS_COL_EPOCH_S) && !ws_has_run_column(raw, WS_COL_GPU_H) &&
           !ws_run_map_gives(map, WS_DIM_TIME);
}

/* Numbers, or hours, minutes and seconds: no date. */
static bool holds_durations(ws_table *raw, ws_arena *arena, size_t column)
{
    ws_table copy = ws_table_with_own_columns(arena, raw);
    if (copy.columns[column].kind == WS_TEXT)
        ws_cells_take_duration(arena, &copy, column);
    for (size_t row = 0; row < raw->n_rows; row++)
        if (ws_table_cell_number(&copy, column, row) > 0 && ws_table_cell_number(&copy, column, row) < LONGEST_S)
            return true;
    return false;
}

static bool says_time(const char *name)
{
    static const char *const words[] = {"time",   "duration", "elapsed",   "runtime", "walltime", "wall",
                                        "second", "seconds",  "secs",      "minutes", "mins",     "hours",
                                        "hrs",    "laufzeit", "wallclock", "dauer"};
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
    bool is_in_brackets = strpbrk(name, "[(") != NULL;
    bool has_unit = unit && unit->dimension == WS_DIM_TIME && (bare.n > 1 || is_in_brackets) && !strchr(name, '/');
    return !ws_says_energy(name) && !ws_says_rate(name) &&
           (has_unit || ws_name_has_word(ws_span_of(name), words, sizeof words / sizeof *words));
}

void ws_note_passed_times(ws_table *raw, ws_arena *arena, const ws_column_meaning *meanings, ws_notes *notes)
{
    static const char *const no_time[] = {"start", "end", "begin",  "per",       "step",  "steps",
                                          "iter",  "it",  "submit", "timelimit", "limit", "stamp"};
    bool is_timed = raw->units_are_known;
    for (size_t i = 0; i < raw->n_columns; i++) {
        ws_run_column column = meanings[i].column;
        is_timed |= column == WS_COL_WALL || column == WS_COL_JOB_WALL || column == WS_COL_EPOCH_S ||
                    column == WS_COL_GPU_H || column == WS_COL_SAMPLES_PER_S || meanings[i].is_asked;
    }
    for (size_t i = 0; i < raw->n_columns && !is_timed; i++) {
        const char *name = raw->columns[i].name;
        ws_span bare;
        if (meanings[i].column != WS_RUN_COLUMN_N || !says_time(name) || !holds_durations(raw, arena, i))
            continue;
        const char *unit = ws_unit_in_name(ws_span_of(name), &bare) || raw->columns[i].kind == WS_TEXT ? "" : " [UNIT]";
        if (ws_name_has_word(ws_span_of(name), no_time, sizeof no_time / sizeof *no_time))
            ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                         "'%s' is not read as the time of a run: by its name it is that of a part of each (a column "
                         "of your own, which --columns wall_s=NAME names)",
                         name);
        else
            ws_notes_add(notes, WS_FINDING_UNKNOWN_COLUMN, raw->source, name, 0,
                         "'%s' seems to be a time and is not read as that of a run: --columns 'wall_s=%s%s' says that "
                         "it is",
                         name, name, unit);
    }
}

/* --- times between two stamps --- */

/* s since the epoch: from 1990 on, which no duration of a run reaches. Ours. */
static const double first_epoch_s = 631152000, last_epoch_s = 7258118400;

static bool find_plain(const ws_table *table, const char *name, size_t *column)
{
    char plain[WS_PLAIN_NAME];
    for (*column = 0; *column < table->n_columns; ++*column)
        if (ws_span_eq(ws_plain_name(plain, ws_span_of(table->columns[*column].name)), name))
            return true;
    return false;
}

static bool names_files(const ws_table *table)
{
    static const char *const words[] = {"trace", "log", "file", "path"};
    for (size_t i = 0; i < table->n_columns; i++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (table->columns[i].kind == WS_TEXT && ws_span_contains(ws_span_of(table->columns[i].name), words[w]))
                return true;
    return false;
}

/* The form of all dates in a column; WS_STAMP_NONE: some cell is none. */
static ws_stamp_form form_of_dates(const ws_table *table, size_t column)
{
    ws_stamp_form form = WS_STAMP_NONE;
    for (size_t row = 0; row < table->n_rows; row++) {
        if (ws_table_is_missing(table, column, row))
            continue;
        ws_span text = ws_span_of(table->columns[column].text[row]);
        form = form == WS_STAMP_NONE ? ws_stamp_guess(text) : ws_stamp_settle(form, text);
        if (form != WS_STAMP_YMD && form != WS_STAMP_DMY && form != WS_STAMP_MDY && form != WS_STAMP_CTIME)
            return WS_STAMP_NONE;
    }
    return form;
}

/* s since the epoch; NaN: the cell is no such stamp. */
static double moment_of(const ws_table *table, size_t column, ws_stamp_form form, size_t row)
{
    ws_stamp stamp;
    if (table->columns[column].kind != WS_TEXT) {
        double seconds = ws_table_cell_number(table, column, row);
        return seconds >= first_epoch_s && seconds < last_epoch_s ? seconds : NAN;
    }
    bool is_read = ws_stamp_parse(form, ws_span_of(table->columns[column].text[row]), WS_ZONE_NONE, &stamp);
    return is_read ? (double)(stamp.ns / 1000) / 1e6 : NAN;
}

/* Every row that has both stamps, and one at least, ends later than it begins. */
static bool read_times_between(const ws_table *table, size_t start, size_t end, double *wall_s)
{
    size_t n = 0;
    bool are_texts = table->columns[start].kind == WS_TEXT;
    if (are_texts != (table->columns[end].kind == WS_TEXT))
        return false;
    ws_stamp_form from = are_texts ? form_of_dates(table, start) : WS_STAMP_EPOCH;
    ws_stamp_form to = are_texts ? form_of_dates(table, end) : WS_STAMP_EPOCH;
    if (from == WS_STAMP_NONE || from != to)
        return false;
    for (size_t row = 0; row < table->n_rows; row++) {
        wall_s[row] = NAN;
        if (ws_table_is_missing(table, start, row) || ws_table_is_missing(table, end, row))
            continue;
        wall_s[row] = moment_of(table, end, to, row) - moment_of(table, start, from, row);
        if (!(wall_s[row] > 0))
            return false;
        n++;
    }
    return n > 0;
}

void ws_add_times_between(ws_arena *arena, ws_table *copy, ws_notes *notes)
{
    static const char *const names[][2] = {
        {"start", "end"},          {"start_time", "end_time"}, {"started", "ended"},
        {"started", "finished"},   {"started_at", "ended_at"}, {"started_at", "finished_at"},
        {"begin", "end"},          {"begin_time", "end_time"}, {"start_timestamp", "end_timestamp"},
        {"start_ts", "end_ts"},    {"t_start", "t_end"},       {"time_start", "time_end"},
        {"start_date", "end_date"}};
    size_t start, end;
    double *wall_s = ws_arena_alloc(arena, (copy->n_rows + 1) * sizeof *wall_s);
    for (size_t i = 0; i < sizeof names / sizeof *names && !names_files(copy); i++) {
        if (!find_plain(copy, names[i][0], &start) || !find_plain(copy, names[i][1], &end) ||
            !read_times_between(copy, start, end, wall_s))
            continue;
        ws_notes_add(notes, WS_FINDING_COLUMN_TAKEN, copy->source, "wall_s", 0, "wall_s is '%s' less '%s'",
                     copy->columns[end].name, copy->columns[start].name);
        copy->columns[copy->n_columns++] =
            (ws_column){.name = "wall_s", .kind = WS_NUMBER, .number = wall_s, .capacity = copy->n_rows};
        return;
    }
}
