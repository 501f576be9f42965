/* Tables of runs write energies and times without units, in whatever their tool counts in:
 *
 *   run,gpus,energy,duration
 *   a,1,97736782,497            uJ and ms (ExperimentRunner), mJ and s, or J and h: 197, 197 and 55 W
 *   b,4,0.4606,1545.7           kWh and s: 268 W for each GPU, and no other pair comes near
 *
 * Energy over time is a power, and a device draws between WS_RUN_LEAST_W and WS_RUN_MOST_W on average. */
#include "analyze/ingest/bare_units.h"

#include "core/device_limits.h"
#include "core/stamp.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What tools count runs in: RAPL and EnergiBridge uJ, NVML mJ, Zeus and perun J, schedulers and papers kJ, MJ and GJ,
 * CodeCarbon and carbontracker kWh; ms, s, min and h. Any may stand beside any. mWh, which only meters of a few volts
 * count in, is tried for names that end so: 3.6 off J it would have every J asked for. */
typedef struct candidate {
    const char *name;
    double to_si;
} candidate;

static const candidate energies[] = {{"uJ", 1e-6}, {"mJ", 1e-3},   {"J", 1},    {"kJ", 1e3},   {"Wh", 3600},
                                     {"MJ", 1e6},  {"kWh", 3.6e6}, {"GJ", 1e9}, {"MWh", 3.6e9}};
static const candidate times[] = {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};

enum { N_ENERGIES = sizeof energies / sizeof *energies, N_TIMES = sizeof times / sizeof *times, NOWHERE = -1 };

/* kJ and Wh, MJ and kWh, GJ and MWh are 3.6 apart. What one makes of 5 to 18 W or of 556 to 2000 W the other makes of
 * what a small card, or a run with its node's fans, draws, too: none of them is ever the only one. */
#define NEXT_UNIT 4.0

/* mJ and MJ are a thousand million apart: what is in neither for a device may be that of a board of 10 mW. Ours. */
#define WIDE_APART 500.0

/* W, where nothing says how many devices share the power: half of the largest supercomputer's. Ours. */
static const double most_of_many_w = 1e7;

/* Ours: so long in s, and so long in ms, may a run take. */
static const double LONG_S = 86400;

/* Ours: GPUs of a node, where only nodes are counted (DGX-2 and the largest of other vendors). */
static const double gpus_of_node = 16;

static const ws_run_column energy_columns[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM};
enum { N_ENERGY_COLUMNS = sizeof energy_columns / sizeof *energy_columns };

typedef struct question {
    const ws_table *raw;
    ws_column_meaning *meanings;
    int energy[N_ENERGY_COLUMNS], time, epochs, gpus, nodes, per_node; /* raw columns, or NOWHERE */
    double said_gpus, said_nodes;                                      /* of the defaults; NaN */
    bool energy_is_bare, time_is_bare;
} question;

typedef struct pair {
    const candidate *energy, *time; /* NULL: the name says it */
    double watts;                   /* of a device, or of a run where nothing counts them: the mean over the rows */
} pair;

static int find(const question *q, ws_run_column column)
{
    for (size_t i = 0; i < q->raw->n_columns; i++)
        if (q->meanings[i].column == column)
            return (int)i;
    return NOWHERE;
}

static double said(const ws_fields *defaults, const char *name)
{
    double value;
    const char *text = ws_fields_get(defaults, name);
    return text && ws_span_double(ws_span_of(text), &value) ? value : NAN;
}

static bool is_bare(const question *q, int column)
{
    return column != NOWHERE && q->meanings[column].is_bare;
}

static question ask(const ws_table *raw, const ws_fields *defaults, ws_column_meaning *meanings)
{
    question q = {
        .raw = raw, .meanings = meanings, .said_gpus = said(defaults, "gpus"), .said_nodes = said(defaults, "nodes")};
    for (size_t i = 0; i < N_ENERGY_COLUMNS; i++) {
        q.energy[i] = find(&q, energy_columns[i]);
        q.energy_is_bare |= is_bare(&q, q.energy[i]);
    }
    q.time = find(&q, WS_COL_WALL);
    q.epochs = NOWHERE;
    if (q.time == NOWHERE && (q.epochs = find(&q, WS_COL_EPOCHS)) != NOWHERE)
        q.time = find(&q, WS_COL_EPOCH_S);
    q.time_is_bare = is_bare(&q, q.time);
    q.gpus = find(&q, WS_COL_GPUS);
    q.nodes = find(&q, WS_COL_NODES);
    size_t per_node = ws_find_gpus_per_node(raw);
    q.per_node = per_node == SIZE_MAX ? NOWHERE : (int)per_node;
    return q;
}

static double number_in(const question *q, int column, size_t row)
{
    return column == NOWHERE ? NAN : ws_table_cell_number(q->raw, (size_t)column, row);
}

/* What is written over what is said; NaN where neither is a count. */
static double count(const question *q, int column, double said_count, size_t row)
{
    double n = number_in(q, column, row);
    n = isnan(n) ? said_count : n;
    return n >= 1 ? n : NAN;
}

/* How many devices may share a power of the run: all GPUs, or the sockets of a node or of all. */
static void device_range(const question *q, ws_run_column energy, size_t row, double *fewest, double *most)
{
    double gpus = count(q, q->gpus, q->said_gpus, row), nodes = count(q, q->nodes, q->said_nodes, row);
    gpus = isnan(gpus) ? nodes * count(q, q->per_node, NAN, row) : gpus;
    *fewest = 1, *most = INFINITY;
    if (energy == WS_COL_ENERGY_CPU) {
        *fewest = isnan(nodes) ? 1 : nodes;
        *most = !isnan(nodes) ? nodes * gpus_of_node : isnan(gpus) ? INFINITY : gpus;
    } else if (!isnan(gpus)) {
        *fewest = *most = gpus;
    } else if (!isnan(nodes)) {
        *fewest = nodes, *most = nodes * gpus_of_node;
    }
}

/* SI value of a cell: by the candidate where the column is bare, else by its name. */
static double value_in(const question *q, int column, const candidate *unit, size_t row)
{
    if (column == NOWHERE)
        return NAN;
    const ws_column_meaning *m = &q->meanings[column];
    double to_si = m->is_bare ? unit->to_si : m->factor * ws_run_column_about(m->column)->to_si;
    return number_in(q, column, row) * to_si;
}

static double seconds_of(const question *q, const pair *p, size_t row)
{
    return value_in(q, q->time, p->time, row) * (q->epochs == NOWHERE ? 1 : number_in(q, q->epochs, row));
}

/* The memory has no least power that would tell. */
static bool is_judged(size_t i)
{
    return energy_columns[i] != WS_COL_ENERGY_DRAM;
}

/* Does it mean what devices draw, or up to `beyond` times less or more, in every row that has both? p->watts: the mean
 * over the rows. */
static bool is_plausible(const question *q, double beyond, pair *p)
{
    size_t n = 0;
    double sum = 0;
    for (size_t row = 0; row < q->raw->n_rows; row++) {
        double seconds = seconds_of(q, p, row);
        for (size_t i = 0; i < N_ENERGY_COLUMNS; i++) {
            double watts = value_in(q, q->energy[i], p->energy, row) / seconds, fewest, most;
            bool counts = is_judged(i) && (q->time_is_bare || is_bare(q, q->energy[i])) && watts > 0 && seconds > 0;
            if (!counts)
                continue;
            device_range(q, energy_columns[i], row, &fewest, &most);
            if (watts / fewest < WS_RUN_LEAST_W / beyond || watts / most > WS_RUN_MOST_W * beyond ||
                (isinf(most) && watts > most_of_many_w))
                return false;
            sum += fewest == most ? watts / most : watts;
            n++;
        }
    }
    p->watts = sum / (double)n;
    return n > 0;
}

/* What a bare energy may be in: a name in lower case that ends in "mj" in mJ or MJ, any other in what tools count in.
 */
static bool may_be_in(const ws_column_meaning *m, const candidate *unit)
{
    if (!m->is_bare || ws_run_column_about(m->column)->dimension != WS_DIM_ENERGY)
        return true;
    return m->spelled ? ws_span_eq_nocase(ws_span_of(m->spelled), unit->name) : strcmp(unit->name, "mWh") != 0;
}

static bool fits_names(const question *q, const candidate *energy)
{
    for (size_t i = 0; energy && i < q->raw->n_columns; i++)
        if (!may_be_in(&q->meanings[i], energy))
            return false;
    return true;
}

/* Millijoules or megajoules. */
static bool is_spelled(const question *q)
{
    for (size_t i = 0; i < q->raw->n_columns; i++)
        if (q->meanings[i].is_bare && q->meanings[i].spelled)
            return true;
    return false;
}

/* Every pair that the names leave open and the numbers allow, or those up to `beyond` times less or more. */
static size_t find_pairs(const question *q, double beyond, pair pairs[N_ENERGIES * N_TIMES])
{
    size_t n = 0;
    for (size_t e = 0; e < (q->energy_is_bare ? N_ENERGIES : 1); e++) {
        for (size_t t = 0; t < (q->time_is_bare ? N_TIMES : 1); t++) {
            pair p = {q->energy_is_bare ? &energies[e] : NULL, q->time_is_bare ? &times[t] : NULL, NAN};
            if (fits_names(q, p.energy) && is_plausible(q, beyond, &p))
                pairs[n++] = p;
        }
    }
    return n;
}

/* One pair, and the one that lies next to it. */
static size_t find_next_unit(const question *q, pair pairs[N_ENERGIES * N_TIMES])
{
    size_t n = 1;
    for (size_t e = 0; pairs[0].energy && e < N_ENERGIES; e++) {
        double ratio = energies[e].to_si / pairs[0].energy->to_si;
        pair p = {&energies[e], pairs[0].time, NAN};
        if (ratio != 1 && ratio < NEXT_UNIT && ratio > 1 / NEXT_UNIT && fits_names(q, &energies[e]) &&
            is_plausible(q, NEXT_UNIT, &p))
            pairs[n++] = p;
    }
    return n;
}

static void bare_units_add(char *text, size_t size, const char *separator, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? separator : "", more);
}

enum { TEXT = 600, WORD = 160 };

/* "'energy' and 'duration'": the bare columns that the question is about. */
static void name_columns(const question *q, char names[TEXT])
{
    *names = '\0';
    for (size_t i = 0; i < q->raw->n_columns; i++) {
        char name[WORD];
        snprintf(name, sizeof name, "'%.80s'", q->raw->columns[i].name);
        if (q->meanings[i].is_bare)
            bare_units_add(names, TEXT, " and ", name);
    }
}

/* "J with s (202 W)" */
static void name_pair(const pair *p, char name[WORD])
{
    const char *energy = p->energy ? p->energy->name : "", *time = p->time ? p->time->name : "";
    snprintf(name, WORD, "%s%s%s (%.3g W)", energy, *energy && *time ? " with " : "", time, p->watts);
}

static bool is_counted(const question *q)
{
    return q->gpus != NOWHERE || q->nodes != NOWHERE || !isnan(q->said_gpus) || !isnan(q->said_nodes);
}

/* The option to type, with the units that tools write most. */
static void write_option(const question *q, char option[TEXT])
{
    *option = '\0';
    for (size_t i = 0; i < q->raw->n_columns; i++) {
        char part[WORD];
        const ws_column_meaning *m = &q->meanings[i];
        if (!m->is_bare)
            continue;
        const ws_run_column_info *info = ws_run_column_about(m->column);
        snprintf(part, sizeof part, "%s=%.80s [%s]", info->name, q->raw->columns[i].name,
                 info->dimension == WS_DIM_TIME ? "s" : "J");
        bare_units_add(option, TEXT, ",", part);
    }
}

static bool has_numbers(const question *q, int column)
{
    for (size_t row = 0; column != NOWHERE && row < q->raw->n_rows; row++)
        if (number_in(q, column, row) > 0)
            return true;
    return false;
}

/* Is there an energy, or a power that makes one of the time? */
static bool hangs_on_time(const question *q)
{
    bool is_any = has_numbers(q, find(q, WS_COL_GPU_POWER));
    for (size_t i = 0; i < N_ENERGY_COLUMNS; i++)
        is_any |= has_numbers(q, q->energy[i]);
    return is_any;
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

/* An energy is there whose name is not known, which the time may hang on. */
static bool has_passed_energy(const question *q)
{
    for (size_t i = 0; i < q->raw->n_columns; i++)
        if (q->meanings[i].column == WS_RUN_COLUMN_N && ws_says_energy(q->raw->columns[i].name) &&
            has_numbers(q, (int)i))
            return true;
    return false;
}

/* What the numbers leave open. */
static void write_reason(const question *q, const pair *pairs, size_t n, char reason[TEXT])
{
    char fits[TEXT] = "", one[WORD];
    for (size_t i = 0; i < n && is_counted(q); i++) {
        name_pair(&pairs[i], one);
        bare_units_add(fits, sizeof fits, ", ", one);
    }
    if (q->time != NOWHERE && !hangs_on_time(q) && q->time_is_bare && has_passed_energy(q))
        snprintf(reason, TEXT, "the energy beside it is not known by its name");
    else if (q->time != NOWHERE && !hangs_on_time(q) && q->time_is_bare)
        snprintf(reason, TEXT, "in s every run takes a day or more, in ms minutes");
    else if (q->time == NOWHERE || !hangs_on_time(q))
        snprintf(reason, TEXT, "no time and energy stand beside each other");
    else if (!n)
        snprintf(reason, TEXT, "no unit means %g to %g W for each device in every row", WS_RUN_LEAST_W, WS_RUN_MOST_W);
    else if (is_counted(q))
        snprintf(reason, TEXT, "%.500s mean what a device draws", fits);
    else
        snprintf(reason, TEXT, "nothing says how many devices share the power (--set gpus=N does)");
}

/* "368:55" */
static const char *text_in(const question *q, int column)
{
    const ws_column *c = column == NOWHERE ? NULL : &q->raw->columns[column];
    for (size_t row = 0; c && c->kind == WS_TEXT && row < q->raw->n_rows; row++)
        if (!ws_table_is_missing(q->raw, (size_t)column, row))
            return c->text[row];
    return NULL;
}

static void note_question(const question *q, const pair *pairs, size_t n, ws_notes *notes)
{
    const char *text = is_bare(q, q->time) && !has_numbers(q, q->time) ? text_in(q, q->time) : NULL;
    if (text) {
        ws_notes_add(notes, WS_FINDING_ASK_UNIT, q->raw->source, "", 0,
                     "'%s' holds no numbers but texts as '%.40s', which name no certain unit: cells as 1:05:12, 1h 5m "
                     "12s or 3912 s do",
                     q->raw->columns[q->time].name, text);
        return;
    }
    char names[TEXT], option[TEXT], reason[TEXT];
    name_columns(q, names);
    write_option(q, option);
    write_reason(q, pairs, n, reason);
    ws_notes_add(notes, WS_FINDING_ASK_UNIT, q->raw->source, "", 0,
                 "%s name%s no certain unit, and %s: --columns '%s', with the units that are right, says it", names,
                 strstr(names, " and ") ? "" : "s", reason, option);
}

static void leave_open(question *q)
{
    for (size_t i = 0; i < q->raw->n_columns; i++)
        if (q->meanings[i].is_bare)
            q->meanings[i] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1, .is_asked = true};
}

static void bare_units_take(question *q, size_t column, const candidate *unit, const char *why, ws_notes *notes)
{
    ws_column_meaning *m = &q->meanings[column];
    const char *name = q->raw->columns[column].name;
    const ws_run_column_info *info = ws_run_column_about(m->column);
    m->factor = unit->to_si / info->to_si;
    m->is_bare = false;
    ws_notes_add(notes, WS_FINDING_ASSUMED_UNIT, q->raw->source, info->name, 0,
                 "'%s' names %s and is read in %s, %s (a unit in its name or in --columns ends the question)", name,
                 m->spelled ? "one of two units" : "no unit", unit->name, why);
}

static void take_pair(question *q, const pair *p, ws_notes *notes)
{
    char why[WORD];
    bool may_be_mwh = p->energy && p->energy->to_si == 1 && p->watts * 3.6 <= WS_RUN_MOST_W;
    if (may_be_mwh)
        snprintf(why, sizeof why, "as no other unit means the watts of a device (%.3g W; %.3g W if it is mWh)",
                 p->watts, p->watts * 3.6);
    else
        snprintf(why, sizeof why, "as no other unit means the watts of a device (%.3g W)", p->watts);
    for (size_t i = 0; i < q->raw->n_columns; i++)
        if (q->meanings[i].is_bare)
            bare_units_take(q, i,
                            ws_run_column_about(q->meanings[i].column)->dimension == WS_DIM_TIME ? p->time : p->energy,
                            why, notes);
}

/* In s every run takes days; in ms it takes minutes. */
static bool may_be_milliseconds(const question *q, size_t column)
{
    double least = INFINITY;
    for (size_t row = 0; row < q->raw->n_rows; row++)
        least = fmin(least, number_in(q, (int)column, row)); /* fmin passes NaN over */
    return least >= LONG_S && least < INFINITY;
}

/* Times that no energy hangs on: where they are all that there is, and those of an epoch beside those of the run. */
static void take_loose_times(question *q, ws_notes *notes)
{
    const candidate *seconds = &times[1];
    for (size_t i = 0; i < q->raw->n_columns; i++) {
        const ws_column_meaning *m = &q->meanings[i];
        bool is_time = m->is_bare && ws_run_column_about(m->column)->dimension == WS_DIM_TIME;
        bool is_open = is_time && (int)i == q->time &&
                       (has_passed_energy(q) || (q->epochs == NOWHERE && may_be_milliseconds(q, i)));
        if (is_time && !is_open && ((int)i != q->time || !hangs_on_time(q)))
            bare_units_take(q, i, seconds, "as no energy beside it can tell", notes);
    }
    q->time_is_bare = is_bare(q, q->time);
}

/* A bare "time" is no duration where it and the energy beside it mean no power that a device draws. */
static void drop_stamps(const ws_table *raw, ws_column_meaning *meanings)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].may_be_stamp)
            meanings[i] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1};
}

bool ws_settle_bare_units(const ws_table *raw, const ws_fields *defaults, ws_column_meaning *meanings, ws_notes *notes)
{
    pair pairs[N_ENERGIES * N_TIMES];
    question q = ask(raw, defaults, meanings);
    size_t n = find_pairs(&q, 1, pairs);
    if (!n && q.time != NOWHERE && meanings[q.time].may_be_stamp) {
        drop_stamps(raw, meanings);
        q = ask(raw, defaults, meanings);
        n = find_pairs(&q, 1, pairs);
    }
    n = n == 1                                   ? find_next_unit(&q, pairs)
        : n || q.time_is_bare || !is_spelled(&q) ? n
                                                 : find_pairs(&q, WIDE_APART, pairs);
    take_loose_times(&q, notes);
    if (!q.energy_is_bare && !q.time_is_bare)
        return false;
    if (n == 1) {
        take_pair(&q, &pairs[0], notes);
        return false;
    }
    note_question(&q, pairs, n, notes);
    leave_open(&q);
    return true;
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
