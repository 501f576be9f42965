#include "analyze/ingest/run_names.h"

#include "core/stamp.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef ws_column_meaning meaning;

const meaning ws_no_run_column = {.column = WS_RUN_COLUMN_N, .factor = 1};

/* A name as it is looked up: without case and signs. */
typedef struct plain_name {
    char text[WS_PLAIN_NAME];
} plain_name;

static plain_name plain_of(ws_span name)
{
    plain_name plain;
    ws_run_column column;
    size_t n = ws_plain_name_of_words(plain.text, name).n; /* "TotalEnergy", "numGpus" */
    plain.text[n] = '\0';
    if (!n || !(ws_dictionary_find((ws_span){plain.text, n}) || ws_run_column_find(plain.text, &column)))
        plain.text[ws_plain_name(plain.text, name).n] = '\0';
    return plain;
}

static ws_run_column column_called(const char *name)
{
    ws_run_column column;
    if (ws_run_column_find(name, &column))
        return column;
    const ws_known_name *known = ws_dictionary_find(ws_span_of(name));
    return known && known->run && ws_run_column_find(known->run, &column) ? column : WS_RUN_COLUMN_N;
}

static meaning with_unit(ws_run_column column, const ws_unit *unit)
{
    const ws_run_column_info *info = ws_run_column_about(column);
    if (!unit || info->dimension == WS_DIM_NONE)
        return (meaning){.column = column, .factor = 1};
    return unit->dimension == info->dimension ? (meaning){.column = column, .factor = unit->to_si / info->to_si}
                                              : ws_no_run_column;
}

/* Does its name leave the unit open? Hours of GPUs and the run time of Hugging Face's Trainer, which is in s, do not.
 */
static bool is_bare(ws_run_column column, const ws_known_name *known)
{
    ws_dimension dimension = ws_run_column_about(column)->dimension;
    return (dimension == WS_DIM_ENERGY || dimension == WS_DIM_TIME) && !(known->flags & WS_NAME_HAS_UNIT);
}

static meaning of_synonym(ws_run_column column, const char *name)
{
    const ws_known_name *known = ws_dictionary_find(ws_span_of(name));
    if (known && (known->flags & WS_NAME_RUN_NEEDS_UNIT))
        return ws_no_run_column;
    if (strcmp(ws_run_column_about(column)->name, name) == 0 || !known) /* a standard name in other case */
        return (meaning){.column = column, .factor = 1};
    return (meaning){.column = column,
                     .factor = 1,
                     .is_bare = is_bare(column, known),
                     .may_be_stamp = (known->flags & WS_NAME_MAY_BE_STAMP) != 0};
}

const char *ws_doubtful_energy_unit(const char *raw_name)
{
    static const char *const endings[] = {"_mj", "_mwh"};
    size_t n = strlen(raw_name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (n > strlen(endings[i]) && strcmp(raw_name + n - strlen(endings[i]), endings[i]) == 0)
            return endings[i] + 1;
    return NULL;
}

static meaning with_written_unit(ws_run_column column, const ws_unit *unit, const char *raw_name)
{
    meaning m = with_unit(column, unit);
    m.spelled =
        m.column != WS_RUN_COLUMN_N && unit->dimension == WS_DIM_ENERGY ? ws_doubtful_energy_unit(raw_name) : NULL;
    m.is_bare = m.spelled != NULL;
    return m;
}

/* "codecarbon__energy_consumed": columns that ExperimentRunner copies from CodeCarbon's table, in its units. */
static const char *without_prefix(const char *name, bool *is_prefixed)
{
    static const char prefix[] = "codecarbon__";
    *is_prefixed = strncmp(name, prefix, sizeof prefix - 1) == 0;
    return *is_prefixed ? name + sizeof prefix - 1 : name;
}

/* "Joules", "kWh", "watt_hours", "seconds": a name that is nothing but a unit of energies or times, and no letter that
 * may be another thing. */
static meaning of_unit_alone(const char *name)
{
    enum { SHORTEST_TIME = 5 }; /* "hours" */
    char behind[WS_PLAIN_NAME];
    ws_span rest;
    static const char total[] = "total_"; /* "total_kwh" */
    size_t skip = strncmp(name, total, strlen(total)) == 0 ? strlen(total) : 0;
    snprintf(behind, sizeof behind, "x_%.80s", name + skip);
    const ws_unit *unit = strlen(name) > 2 ? ws_unit_in_name(ws_span_of(behind), &rest) : NULL;
    if (!unit || rest.n != 1 || ws_span_eq_nocase(ws_span_of(name), "mWh"))
        return ws_no_run_column;
    return unit->dimension == WS_DIM_ENERGY                                  ? with_unit(WS_COL_ENERGY, unit)
           : unit->dimension == WS_DIM_TIME && strlen(name) >= SHORTEST_TIME ? with_unit(WS_COL_WALL, unit)
                                                                             : ws_no_run_column;
}

static bool is_count(ws_run_column column)
{
    const ws_run_column_info *info = ws_run_column_about(column);
    return info->role == WS_ROLE_SETTING && info->dimension == WS_DIM_NONE;
}

/* The length of "_per_second" at the end of a plain name; 0: it has none. */
static size_t ending_per_second(ws_span plain)
{
    static const char *const seconds[] = {"_per_seconds", "_per_second", "_per_sec", "_per_s"};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        if (ws_span_has_suffix(plain, seconds[i]))
            return strlen(seconds[i]);
    return 0;
}

bool ws_says_rate(const char *name)
{
    char plain[WS_PLAIN_NAME];
    return ending_per_second(ws_plain_name(plain, ws_span_of(name))) > 0;
}

/* "Images/sec", "throughput (samples per second)", "img/s/GPU": samples a second, of all GPUs or of each. */
static meaning of_rate(const char *raw_name)
{
    static const char *const each[] = {"_per_gpu", "_per_device"};
    char spoken[2 * WS_PLAIN_NAME];
    size_t n = 0;
    for (const char *c = raw_name; *c && n + 6 < sizeof spoken; c++)
        n += (size_t)snprintf(spoken + n, sizeof spoken - n, *c == '/' ? " per " : "%c", *c);
    plain_name plain;
    ws_span name = ws_plain_name(plain.text, (ws_span){spoken, n});
    bool is_of_each = false;
    for (size_t i = 0; i < 2 && !is_of_each; i++)
        if ((is_of_each = ws_span_has_suffix(name, each[i])))
            name.n -= strlen(each[i]);
    size_t ending = ending_per_second(name);
    if (!ending)
        return ws_no_run_column;
    snprintf(plain.text + name.n - ending, sizeof "_per_s", "_per_s");
    ws_run_column column = column_called(plain.text);
    return column != WS_COL_SAMPLES_PER_S ? ws_no_run_column
           : is_of_each                   ? (meaning){.column = WS_COL_SAMPLES_PER_GPUH, .factor = 3600}
                                          : (meaning){.column = column, .factor = 1};
}

/* "Elapsed (hh:mm:ss) [s]" without the form of its cells. */
static const char *without_form(const char *name, char room[WS_PLAIN_NAME])
{
    static const char *const forms[] = {"hh:mm:ss", "h:mm:ss", "dd-hh:mm:ss", "d-hh:mm:ss", "hms"};
    const char *open = strpbrk(name, "(["), *close = open ? strpbrk(open, ")]") : NULL;
    for (size_t i = 0; close && i < sizeof forms / sizeof *forms; i++)
        if (ws_span_eq_nocase((ws_span){open + 1, (size_t)(close - open - 1)}, forms[i])) {
            snprintf(room, WS_PLAIN_NAME, "%.*s%s", (int)(open - name), name, close + 1);
            return room;
        }
    return name;
}

static meaning meaning_of(const char *whole_name)
{
    ws_run_column column;
    bool is_of_codecarbon;
    char room[WS_PLAIN_NAME];
    const char *raw_name = without_form(without_prefix(whole_name, &is_of_codecarbon), room);
    if (ws_run_column_find(raw_name, &column))
        return (meaning){.column = column, .factor = 1};
    meaning rate = of_rate(raw_name);
    if (rate.column != WS_RUN_COLUMN_N)
        return rate;
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
    plain_name name = plain_of(bare);
    column = column_called(name.text);
    if (column != WS_RUN_COLUMN_N && unit && !is_count(column)) /* "samples_s" counts nothing */
        return with_written_unit(column, unit, raw_name);
    name = plain_of(ws_span_of(raw_name));
    column = column_called(name.text);
    meaning m = column == WS_RUN_COLUMN_N ? of_unit_alone(raw_name) : of_synonym(column, name.text);
    m.is_bare &= !is_of_codecarbon;
    return m;
}

/* "config.gpus", "result.energy_kwh": objects that hold what a run was told and what it gave. Others ("data.time",
 * "eval.runtime") are of a part of it. NULL: no such name. */
static const char *inside_object(const char *name)
{
    static const char *const objects[] = {"config",  "configs", "cfg",      "args",   "params",      "parameters",
                                          "hparams", "setting", "settings", "result", "results",     "metrics",
                                          "summary", "run",     "output",   "job",    "measurement", "measurements"};
    const char *dot = strrchr(name, '.');
    char plain[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(plain, dot ? (ws_span){name, (size_t)(dot - name)} : ws_span_of("")), word;
    while (dot && ws_span_split(&rest, '_', &word)) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
            is_known |= ws_span_eq(word, objects[i]);
        if (!is_known)
            return NULL;
    }
    return dot ? dot + 1 : NULL;
}

bool ws_meanings_have(const meaning *meanings, size_t n, ws_run_column column)
{
    for (size_t i = 0; i < n; i++)
        if (meanings[i].column == column)
            return true;
    return false;
}

/* "duration [s]", which may have its unit from its cells, is also called "duration". */
static bool is_name_before_unit(const char *whole, const char *name)
{
    size_t n = strlen(name);
    return strncmp(whole, name, n) == 0 && strncmp(whole + n, " [", 2) == 0 && whole[strlen(whole) - 1] == ']';
}

/* "energy [J]" is also the column "energy", whose unit the user states. */
static bool find_named(const ws_table *raw, const char *name, size_t *at)
{
    char bare_name[160];
    ws_span bare;
    if (ws_table_find(raw, name, at))
        return true;
    for (size_t i = 0; i < raw->n_columns; i++)
        if (is_name_before_unit(raw->columns[i].name, name)) {
            *at = i;
            return true;
        }
    if (!ws_unit_in_name(ws_span_of(name), &bare) || !strchr("])", name[strlen(name) - 1]))
        return false;
    snprintf(bare_name, sizeof bare_name, "%.*s", WS_SPAN_ARG(bare));
    return ws_table_find(raw, bare_name, at);
}

/* Keys of a map that are no columns of runs: "part=rank" and "last=epoch" name what the rows of a run differ in, and
 * "gpus_per_node=gpus" gives a column the name that says what it counts, as "run_power_w=power [kW]" does in its unit.
 */
static bool is_own_key(const char *key)
{
    return strcmp(key, "part") == 0 || strcmp(key, "last") == 0 || strcmp(key, "gpus_per_node") == 0 ||
           ws_own_quantity_find(key);
}

static ws_status take_own_key(ws_arena *arena, ws_table *raw, const char *key, const char *raw_name, size_t at,
                              ws_told_rows *rows, ws_error *error)
{
    ws_span bare;
    ws_column *c = &raw->columns[at];
    const ws_own_quantity *own = ws_own_quantity_find(key);
    if (strcmp(key, "part") == 0 || strcmp(key, "last") == 0) {
        *(*key == 'p' ? &rows->part : &rows->last) = c->name;
        return WS_OK;
    }
    if (own) {
        ws_cells_take_unit(arena, raw, at);
        const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
        unit = unit ? unit : ws_unit_in_name(ws_span_of(c->name), &bare);
        if (unit && unit->dimension != own->dimension)
            return ws_fail(error, WS_USAGE, "--columns: the unit of '%s' does not fit %s", raw_name, key);
        double *numbers = ws_arena_alloc(arena, (raw->n_rows + 1) * sizeof *numbers);
        for (size_t row = 0; row < raw->n_rows; row++)
            numbers[row] = ws_table_cell_number(raw, at, row) * (unit ? unit->to_si / own->to_si : 1);
        *c = (ws_column){.kind = WS_NUMBER, .number = numbers, .capacity = raw->n_rows};
    }
    c->name = own ? own->name : "gpus_per_node";
    return WS_OK;
}

/* A name with commas in it, which part the entries of a map: "wall_s=Runtime, s,gpus=GPUs". */
static ws_span name_with_commas(const ws_table *raw, ws_span *rest, ws_span name)
{
    size_t at;
    char text[160];
    ws_span longer = name, more = *rest, next;
    for (;;) {
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(ws_span_trim(longer)));
        if (find_named(raw, text, &at)) {
            *rest = more;
            return longer;
        }
        if (!ws_span_split(&more, ',', &next) || ws_span_contains(next, "="))
            return name;
        longer.n = (size_t)(next.p + next.n - longer.p);
    }
}

/* meanings[i] for the columns of raw; a map entry beats a name, the first of two columns with one meaning wins. */
ws_status ws_run_map_read(ws_arena *arena, ws_table *raw, const char *map, meaning *meanings, ws_told_rows *rows,
                          ws_error *error)
{
    ws_span rest = ws_span_of(map), piece;
    while (ws_span_split(&rest, ',', &piece)) {
        ws_span value = piece, key;
        ws_span_split(&value, '=', &key);
        if (value.p)
            value = name_with_commas(raw, &rest, value);
        char name[160], raw_name[160];
        snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(ws_span_trim(key)));
        snprintf(raw_name, sizeof raw_name, "%.*s", value.p ? (int)ws_span_trim(value).n : 0,
                 value.p ? ws_span_trim(value).p : "");
        ws_run_column column;
        size_t at;
        bool is_column = ws_run_column_find(name, &column);
        if (!is_column && !is_own_key(name))
            return ws_fail(error, WS_USAGE,
                           "--columns: '%s' is not a column of runs, such as gpus, wall_s or energy_kwh", name);
        if (!find_named(raw, raw_name, &at))
            return ws_fail(error, WS_USAGE, "--columns: %s has no column '%s' to take %s from", raw->source, raw_name,
                           name);
        if (!is_column) {
            ws_status status = take_own_key(arena, raw, name, raw_name, at, rows, error);
            if (status != WS_OK)
                return status;
            continue;
        }
        if (ws_meanings_have(meanings, raw->n_columns, column))
            return ws_fail(error, WS_USAGE, "--columns: two columns are named for %s", name);
        ws_span bare;
        const ws_unit *unit = ws_unit_in_name(ws_span_of(raw_name), &bare);
        if (ws_run_column_about(column)->dimension == WS_DIM_TIME)
            ws_cells_take_duration(arena, raw, at);
        else if (ws_run_column_about(column)->kind == WS_NUMBER)
            ws_cells_take_unit(arena, raw, at);
        if (!unit)
            unit = ws_unit_in_name(ws_span_of(raw->columns[at].name), &bare);
        meanings[at] = with_unit(column, unit);
        if (column == WS_COL_SAMPLES_PER_GPUH && of_rate(raw->columns[at].name).column == WS_COL_SAMPLES_PER_S)
            meanings[at].factor = 3600; /* of each GPU, says the user */
        if (meanings[at].column == WS_RUN_COLUMN_N)
            return ws_fail(error, WS_USAGE, "--columns: the unit of '%s' does not fit %s", raw_name, name);
    }
    return WS_OK;
}

/* The key stands before the first '=' of its entry; an entry without one goes on with the name before it. */
bool ws_run_map_gives(const char *map, ws_dimension dimension)
{
    ws_span rest = ws_span_of(map ? map : ""), entry, key;
    while (ws_span_split(&rest, ',', &entry)) {
        char name[160];
        ws_run_column column;
        bool has_key = ws_span_contains(entry, "=") && ws_span_split(&entry, '=', &key);
        snprintf(name, sizeof name, "%.*s", has_key ? (int)ws_span_trim(key).n : 0, has_key ? ws_span_trim(key).p : "");
        const ws_own_quantity *own = ws_own_quantity_find(name);
        if ((own && own->dimension == dimension) ||
            (ws_run_column_find(name, &column) && ws_run_column_about(column)->dimension == dimension))
            return true;
    }
    return false;
}

static meaning meaning_under(const ws_table *raw, size_t column, const char *name)
{
    meaning m = meaning_of(name);
    if (m.may_be_stamp && (raw->units_are_known || raw->columns[column].kind == WS_TEXT))
        return ws_no_run_column;
    m.is_bare &= !raw->units_are_known;
    return m;
}

meaning ws_run_column_meaning(const ws_table *raw, size_t column)
{
    return meaning_under(raw, column, raw->columns[column].name);
}

/* Inner objects of JSON name what no column of its own does, where one of them alone does. */
static void settle_inner(const ws_table *raw, meaning *meanings, const bool *taken)
{
    size_t n[WS_RUN_COLUMN_N + 1] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < raw->n_columns; i++) {
            const char *inner = inside_object(raw->columns[i].name);
            meaning m =
                inner && meanings[i].column == WS_RUN_COLUMN_N ? meaning_under(raw, i, inner) : ws_no_run_column;
            if (m.column == WS_RUN_COLUMN_N || taken[m.column])
                continue;
            n[m.column] += pass == 0;
            if (pass == 1 && n[m.column] == 1)
                meanings[i] = m;
        }
}

void ws_run_names_settle(const ws_table *raw, meaning *meanings)
{
    bool taken[WS_RUN_COLUMN_N] = {false};
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column != WS_RUN_COLUMN_N)
            taken[meanings[i].column] = true;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < raw->n_columns; i++) {
            ws_run_column exact;
            bool is_exact = ws_run_column_find(raw->columns[i].name, &exact);
            meaning m = ws_run_column_meaning(raw, i);
            if (meanings[i].column != WS_RUN_COLUMN_N || m.column == WS_RUN_COLUMN_N || taken[m.column] ||
                is_exact != (pass == 0))
                continue;
            meanings[i] = m;
            taken[m.column] = true;
        }
    }
    settle_inner(raw, meanings, taken);
}

bool ws_has_run_column(const ws_table *raw, ws_run_column column)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (ws_run_column_meaning(raw, i).column == column)
            return true;
    return false;
}

ws_run_column ws_run_name_column(const char *name, double *factor)
{
    meaning m = meaning_of(name);
    *factor = m.is_bare ? NAN : m.factor;
    return m.column;
}

bool ws_run_names_any_quantity(const ws_table *raw)
{
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name, *inner = inside_object(name);
        ws_run_column column = meaning_of(name).column;
        column = column == WS_RUN_COLUMN_N && inner ? meaning_of(inner).column : column;
        if (column != WS_RUN_COLUMN_N && ws_run_column_about(column)->role == WS_ROLE_QUANTITY)
            return true;
    }
    return false;
}

/* A name with a unit of energy, or with a word for it, that is no ratio or spread ("energy_per_sample",
 * "energy_kwh_rmse"). */
bool ws_says_energy(const char *name)
{
    static const char *const words[] = {"energy", "joule", "kwh", "watthour", "watt_hour"};
    static const char *const others[] = {"_per_", "emission",   "rmse",  "_sd",   "_se",  "std",   "ratio", "share",
                                         "error", "efficiency", "scope", "kwh_u", "cost", "price", "rank"};
    char plain[WS_PLAIN_NAME];
    ws_span bare, all = ws_plain_name(plain, ws_span_of(name));
    const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
    bool is_energy = unit && unit->dimension == WS_DIM_ENERGY;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_energy |= ws_span_contains(all, words[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_energy &= !ws_span_contains(all, others[i]);
    return is_energy;
}

double ws_run_value_si(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column, size_t row)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column == column)
            return ws_table_cell_number(raw, i, row) * meanings[i].factor * ws_run_column_about(column)->to_si;
    return NAN;
}

/* --- units that stand in cells --- */

/* "1:05:12", "2-00:00:00"; "10:12" may be minutes and seconds or hours and minutes. */
static bool read_clock(ws_span text, double *seconds)
{
    int64_t ns;
    size_t colons = 0;
    for (size_t i = 0; i < text.n; i++)
        colons += text.p[i] == ':';
    if (colons != 2 || !ws_duration_parse(text, &ns))
        return false;
    *seconds = (double)ns / 1e9;
    return true;
}

/* "6h 08m 55s", "1 day 2 h", "35min12s": two parts or more, the longer first. */
static bool read_worded(ws_span text, double *seconds)
{
    static const struct {
        const char *word;
        double to_s;
    } words[] = {{"d", 86400},    {"day", 86400},  {"days", 86400}, {"h", 3600}, {"hr", 3600},  {"hrs", 3600},
                 {"hour", 3600},  {"hours", 3600}, {"m", 60},       {"min", 60}, {"mins", 60},  {"minute", 60},
                 {"minutes", 60}, {"s", 1},        {"sec", 1},      {"secs", 1}, {"second", 1}, {"seconds", 1}};
    double number, last = INFINITY;
    size_t parts = 0;
    for (*seconds = 0; text.n; parts++) {
        ws_span rest, word;
        if (!ws_span_number(text, &number, &rest) || number < 0)
            return false;
        word = ws_span_trim(rest);
        size_t n = 0, w = 0;
        while (n < word.n && isalpha((unsigned char)word.p[n]))
            n++;
        while (w < sizeof words / sizeof *words && !ws_span_eq_nocase((ws_span){word.p, n}, words[w].word))
            w++;
        if (w == sizeof words / sizeof *words || words[w].to_s >= last)
            return false;
        last = words[w].to_s;
        *seconds += number * last;
        text = ws_span_trim((ws_span){word.p + n, word.n - n});
    }
    return parts > 1;
}

static const ws_unit *read_cell_with_unit(const char *text, bool may_be_clock, double *number)
{
    ws_span rest, cell = ws_span_trim(ws_span_of(text));
    if ((may_be_clock && read_clock(cell, number)) || read_worded(cell, number))
        return ws_unit_find(ws_span_of("s"));
    if (!ws_span_number(cell, number, &rest))
        return NULL;
    const ws_unit *unit = ws_unit_find(ws_span_trim(rest));
    bool is_taken =
        unit && (unit->dimension == WS_DIM_ENERGY || unit->dimension == WS_DIM_TIME || unit->dimension == WS_DIM_POWER);
    return is_taken ? unit : NULL;
}

static bool may_be_time_of_day(const char *name)
{
    const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(name));
    return known && known->flags & WS_NAME_MAY_BE_STAMP;
}

/* The cells in `unit`, or in that of the first one, which *unit becomes. False: some cell has none, or another
 * dimension. */
static bool read_cells_with_units(const ws_table *table, size_t column, bool may_be_clock, const ws_unit **unit,
                                  double *numbers)
{
    size_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        numbers[row] = NAN;
        if (ws_table_is_missing(table, column, row))
            continue;
        const ws_unit *own = read_cell_with_unit(table->columns[column].text[row], may_be_clock, &numbers[row]);
        *unit = *unit ? *unit : own;
        if (!own || own->dimension != (*unit)->dimension)
            return false;
        numbers[row] *= own->to_si / (*unit)->to_si;
        n++;
    }
    return n > 0;
}

ws_table ws_table_with_own_columns(ws_arena *arena, const ws_table *raw)
{
    ws_table copy = *raw;
    copy.columns = ws_arena_alloc(arena, (raw->n_columns + WS_MORE_COLUMNS) * sizeof *copy.columns);
    if (raw->n_columns)
        memcpy(copy.columns, raw->columns, raw->n_columns * sizeof *copy.columns);
    return copy;
}

static void take_unit_of_cells(ws_arena *arena, ws_table *copy, size_t column, bool may_be_clock)
{
    ws_column *c = &copy->columns[column];
    ws_span bare;
    if (c->kind != WS_TEXT)
        return;
    const ws_unit *named = ws_unit_in_name(ws_span_of(c->name), &bare), *unit = named;
    double *numbers = ws_arena_alloc(arena, (copy->n_rows + 1) * sizeof *numbers);
    if (!read_cells_with_units(copy, column, may_be_clock, &unit, numbers))
        return;
    c->text = NULL;
    c->number = numbers;
    c->kind = WS_NUMBER;
    c->name = named ? c->name : ws_arena_printf(arena, "%s [%s]", c->name, unit->name);
}

void ws_cells_take_unit(ws_arena *arena, ws_table *copy, size_t column)
{
    take_unit_of_cells(arena, copy, column, !may_be_time_of_day(copy->columns[column].name));
}

void ws_cells_take_duration(ws_arena *arena, ws_table *copy, size_t column)
{
    take_unit_of_cells(arena, copy, column, true);
}
