/* Tables of runs write energies and times without units, in whatever their tool counts in:
 *
 *   run,gpus,energy,duration
 *   a,1,97736782,497            uJ and ms (ExperimentRunner), mJ and s, or J and h: 197, 197 and 55 W
 *   b,4,0.4606,1545.7           kWh and s: 268 W for each GPU, and no other pair comes near
 *
 * Energy over time is a power, and a device draws between WS_RUN_LEAST_W and WS_RUN_MOST_W on average. */
#include "analyze/ingest/bare_units.h"

#include "core/device_limits.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

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

/* --- mean powers --- */

/* Tools log the mean power of a run under one name and mean two things by it:
 *
 *   run,gpus,wall_s,energy_j,avg_power
 *   a,4,1000,1.2e6,300                    of each GPU: 4 x 300 W x 1000 s are the energy
 *   b,4,1000,1.2e6,1200                   of all of them
 *
 * Energy over time says which; without it the energy of the run would be a guess, off by the number of its GPUs. */

/* Ratio of a power to energy over time that is no contradiction: the energy may hold processors and memory, a quarter
 * of the whole in nodes of four GPUs. Two GPUs are a factor 2 apart. Ours. */
#define AGREE 1.35

typedef struct proof {
    size_t rows, of_gpu, of_run, single; /* rows with a power; those that show either; those of one GPU */
} proof;

static bool agrees(double a, double b)
{
    return a > 0 && b > 0 && a < b * AGREE && b < a * AGREE;
}

static void look_at_row(const ws_table *raw, const ws_column_meaning *meanings, double power_w, double gpus, size_t row,
                        proof *p)
{
    double energy_j = ws_run_value_si(raw, meanings, WS_COL_ENERGY_GPU, row),
           wall_s = ws_run_value_si(raw, meanings, WS_COL_WALL, row);
    if (isnan(energy_j))
        energy_j = ws_run_value_si(raw, meanings, WS_COL_ENERGY, row);
    p->rows++;
    p->single += gpus == 1;
    p->of_gpu += agrees(power_w * gpus, energy_j / wall_s);
    p->of_run += gpus > 1 && agrees(power_w, energy_j / wall_s);
}

static proof prove(const ws_table *raw, const ws_fields *defaults, const ws_column_meaning *meanings, size_t column)
{
    proof p = {0};
    const double n_gpus = said(defaults, "gpus");
    for (size_t row = 0; row < raw->n_rows; row++) {
        double power_w = ws_table_cell_number(raw, column, row) * meanings[column].factor;
        double gpus = ws_run_value_si(raw, meanings, WS_COL_GPUS, row);
        if (power_w > 0)
            look_at_row(raw, meanings, power_w, isnan(gpus) ? n_gpus : gpus, row, &p);
    }
    return p;
}

/* "gpu_power_w", "power_per_gpu_w", also with another unit: these names say whose it is. */
static bool is_standard(const char *name)
{
    ws_span bare;
    ws_unit_in_name(ws_span_of(name), &bare);
    const char *standard = ws_run_column_about(WS_COL_GPU_POWER)->name;
    char plain[WS_PLAIN_NAME];
    ws_span words = ws_plain_name(plain, bare);
    return strcmp(name, standard) == 0 || ws_span_eq_nocase(bare, standard) || ws_span_has_suffix(words, "_per_gpu") ||
           ws_span_has_suffix(words, "_per_device");
}

static bool has(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        if (meanings[i].column == column)
            return true;
    return false;
}

/* A power without an owner is no standard column, since it may as well be a cap or a mean over an epoch: where a time
 * and no energy stands beside it, the energy that it means is missed. */
static void note_passed_power(const ws_table *raw, const ws_fields *defaults, const ws_column_meaning *meanings,
                              ws_notes *notes)
{
    bool has_gpus = has(raw, meanings, WS_COL_GPUS) || !isnan(said(defaults, "gpus"));
    bool has_energy = has(raw, meanings, WS_COL_ENERGY) || has(raw, meanings, WS_COL_ENERGY_GPU) ||
                      has(raw, meanings, WS_COL_ENERGY_CPU) || has(raw, meanings, WS_COL_ENERGY_PER_NODE);
    if (has_energy || !has(raw, meanings, WS_COL_WALL) || has(raw, meanings, WS_COL_GPU_POWER))
        return;
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name;
        ws_span bare;
        const ws_meaning m = ws_meaning_of(ws_span_of(name));
        const ws_unit *unit = ws_unit_in_name(ws_span_of(name), &bare);
        bool is_of_more = m.names_domain && (m.domain == WS_NODE || m.domain == WS_WALL);
        bool is_total = ws_names_total(bare) && unit && unit->dimension == WS_DIM_POWER;
        bool is_power = ws_is_value(&m) && m.quantity == WS_POWER && m.device_number < 0 &&
                        (!m.names_domain || m.domain == WS_GPU || is_of_more);
        if (meanings[i].column != WS_RUN_COLUMN_N || meanings[i].is_asked || ws_own_quantity_find(name) ||
            !(is_power || is_total))
            continue;
        if (is_of_more || is_total)
            ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                         "nothing says whether '%s' is the mean power of the whole run, and no energy comes of it: "
                         "--columns 'run_power_w=%s' says so",
                         name, name);
        else
            ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                         "nothing says whether '%s' is the mean power of a GPU, and no energy comes of it: --columns "
                         "'gpu_power_w=%s'%s says so, 'run_power_w=%s' that it is that of the whole run",
                         name, name, has_gpus ? "" : " --set gpus=N", name);
    }
}

void ws_settle_mean_powers(const ws_table *raw, const ws_fields *defaults, const bool *is_said,
                           ws_column_meaning *meanings, ws_notes *notes)
{
    note_passed_power(raw, defaults, meanings, notes);
    for (size_t i = 0; i < raw->n_columns; i++) {
        const char *name = raw->columns[i].name, *standard = ws_run_column_about(WS_COL_GPU_POWER)->name;
        if (meanings[i].column != WS_COL_GPU_POWER || is_said[i] || raw->units_are_known || is_standard(name))
            continue;
        proof p = prove(raw, defaults, meanings, i);
        bool is_of_gpu = p.of_gpu && !p.of_run && p.of_gpu * 2 > p.rows;
        if (!p.rows || p.single == p.rows || is_of_gpu)
            continue;
        meanings[i] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1};
        bool is_of_run = p.of_run && !p.of_gpu && p.of_run * 2 > p.rows;
        ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                     is_of_run
                         ? "'%s' is the power of a whole run, as energy over time is, and not taken for %s"
                         : "nothing proves whether '%s' is the power of a GPU or of a whole run, and it is not "
                           "taken: --columns '%s=%s'%s says that it is a GPU's, 'run_power_w=%s' that it is the run's",
                     name, standard, name,
                     has(raw, meanings, WS_COL_GPUS) || !isnan(said(defaults, "gpus")) ? "" : " --set gpus=N", name);
    }
}
