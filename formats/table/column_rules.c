/* How rules are asked, and the rules over readings that are asked of every table: whether rows state intervals, what a
 * comma means, in which units the numbers are. The form of the stamps is known by then (trace_plan.c). Whose rows they
 * are is asked in identity_rules.c, of energies in energy_rules.c, of powers without a unit in power_rules.c; the
 * latter two where a table has such columns. */
#include "formats/table/column_rules.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

/* --- how rules are asked --- */

/* Rules being asked. */
typedef struct asking {
    ws_columns *t;
    const ws_column_rule **rules; /* in the order in which they are asked */
    size_t n;
    bool *is_asked;
    /* The strongest rule so far that applies, for each fact and column; the last column is the table itself. NULL:
     * none. */
    const ws_column_rule **winners;
} asking;

static uint32_t bit(ws_column_fact fact)
{
    return UINT32_C(1) << fact;
}

static const ws_column_rule **winner_of(const asking *a, ws_column_fact fact, uint32_t column)
{
    return &a->winners[(size_t)fact * (a->t->n + 1) + column];
}

static void claim(const asking *a, const ws_column_rule *rule, uint32_t column)
{
    const ws_column_rule **winners = winner_of(a, rule->fact, column);
    if (!*winners || (*winners)->strength < rule->strength)
        *winners = rule;
}

static void ask(const asking *a, const ws_column_rule *rule)
{
    const ws_columns *t = a->t;
    if (rule->if_table && !rule->if_table(t))
        return;
    if (!rule->if_column)
        claim(a, rule, t->n);
    for (uint32_t c = 0; rule->if_column && c < t->n; c++)
        if (rule->if_column(t, c))
            claim(a, rule, c);
}

/* Runs the effects of the winners. */
static void decide(const asking *a, ws_column_fact fact)
{
    ws_columns *t = a->t;
    for (uint32_t c = 0; c <= t->n && t->status == WS_OK; c++) {
        t->rule = *winner_of(a, fact, c);
        if (t->rule)
            t->rule->effect(t, c);
    }
    t->decided |= t->status == WS_OK ? bit(fact) : 0;
}

static bool has_asked_all(const asking *a, ws_column_fact fact)
{
    for (size_t r = 0; r < a->n; r++)
        if (a->rules[r]->fact == fact && !a->is_asked[r])
            return false;
    return true;
}

static bool ask_once_more(const asking *a, uint32_t facts)
{
    bool changes = false;
    for (size_t r = 0; r < a->n; r++) {
        const ws_column_rule *rule = a->rules[r];
        if (a->is_asked[r] || !(facts & bit(rule->fact)) || (rule->needs & ~a->t->decided))
            continue;
        ask(a, rule);
        a->is_asked[r] = changes = true;
        if (has_asked_all(a, rule->fact))
            decide(a, rule->fact);
    }
    return changes;
}

/* Fisher and Yates, by a generator of Numerical Recipes. */
static void shuffle(const ws_column_rule **rules, size_t n, uint32_t seed)
{
    for (size_t i = n; seed && i > 1; i--) {
        seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
        size_t other = (seed >> 8) % i;
        const ws_column_rule *swapped = rules[i - 1];
        rules[i - 1] = rules[other];
        rules[other] = swapped;
    }
}

static const ws_column_rule **ordered_rules(const ws_columns *t, size_t *n)
{
    const ws_column_rule **rules = NULL;
    size_t capacity = 0;
    *n = 0;
    for (int table = 0; table < WS_RULE_TABLES; table++)
        for (size_t i = 0; t->tables[table] && i < t->tables[table]->n; i++) {
            rules = ws_grow(rules, &capacity, *n + 1, sizeof *rules);
            rules[(*n)++] = &t->tables[table]->rules[i];
        }
    shuffle(rules, *n, t->context->rule_order);
    return rules;
}

/* Those that some rule states; the others say nothing about this table. */
static uint32_t stated_facts(const asking *a, uint32_t facts)
{
    uint32_t stated = 0;
    for (size_t i = 0; i < a->n; i++)
        stated |= bit(a->rules[i]->fact);
    return facts & stated;
}

/* Drops the notes of facts after one that refuses the table: the user fixes that first. */
static void pass_notes_on(ws_columns *t, uint32_t facts)
{
    bool is_after_refusal = false;
    for (int fact = 0; fact < WS_FACT_N; fact++) {
        if (!is_after_refusal && t->context->notes)
            ws_notes_append(t->context->notes, &t->notes[fact]);
        is_after_refusal |= (facts & ~t->decided & bit((ws_column_fact)fact)) != 0;
        ws_notes_free(&t->notes[fact]);
    }
}

ws_status ws_columns_decide(ws_columns *t, uint32_t facts)
{
    asking a = {.t = t};
    a.rules = ordered_rules(t, &a.n);
    facts = stated_facts(&a, facts);
    a.is_asked = ws_alloc(a.n * sizeof *a.is_asked);
    a.winners = ws_alloc((size_t)WS_FACT_N * (t->n + 1) * sizeof *a.winners);
    t->decided = ~facts;
    while (ask_once_more(&a, facts))
        ;
    free(a.winners);
    free(a.is_asked);
    free(a.rules);
    pass_notes_on(t, facts);
    return t->status;
}

void ws_rule_note(ws_columns *t, const char *subject, const char *format, ...)
{
    char text[4096];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    ws_notes_add(&t->notes[t->rule->fact], t->rule->finding, t->context->source, subject, t->plan->line, "%s", text);
}

/* --- intervals --- */

static bool map_names_interval(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->columns[i].meaning.role == WS_ROLE_INTERVAL)
            return true;
    return false;
}

/* The mean of the stated intervals in s; NaN if no row states one. */
static double mean_stated_s(const ws_plan *plan, const ws_trace_sample *sample)
{
    double sum_s = 0;
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        int64_t ns;
        if (ws_plan_read_interval(plan, ws_row_cell(sample->rows[i], plan->interval), &ns)) {
            sum_s += (double)ns / 1e9;
            n++;
        }
    }
    return n ? sum_s / (double)n : NAN;
}

/* The mean time between rows of one source in s; NaN if the stamps cannot tell. */
static double mean_step_s(const ws_columns *t)
{
    uint32_t owners;
    size_t n = t->sample->n;
    free(ws_trace_sample_owners(t->plan, t->sample, &owners));
    double steps = (double)n / owners - 1;
    return t->t_ns && steps > 0 ? ((double)t->t_ns[n - 1] - (double)t->t_ns[0]) / 1e9 / steps : NAN;
}

/* An interval that disagrees with the stamps may be a setting, or in a unit that its name does not state. */
static bool contradicts_stamps(const ws_columns *t)
{
    if (t->plan->interval < 0 || map_names_interval(t->context->map))
        return false;
    double stated_s = mean_stated_s(t->plan, t->sample), step_s = mean_step_s(t);
    return step_s > 0 && !(stated_s < step_s * WS_INTERVAL_FAR && stated_s > step_s / WS_INTERVAL_FAR);
}

static void drop_interval(ws_columns *t, uint32_t column)
{
    (void)column;
    const char *name = ws_header_of(t, t->plan->interval);
    double stated_s = mean_stated_s(t->plan, t->sample), step_s = mean_step_s(t);
    if (isnan(stated_s))
        ws_rule_note(t, "", "'%s' holds no length of an interval: it is passed over", name);
    else
        ws_rule_note(
            t, "",
            "'%s' says %.4g s a row and the stamps %.4g s: it is passed over (interval= in the column map takes it)",
            name, stated_s, step_s);
    t->plan->interval = WS_NO_COLUMN;
}

/* --- the unit of the time --- */

static int by_length(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The median time between rows that are not of one time, in s; NaN: there is none. */
static double usual_step_s(const ws_columns *t)
{
    int64_t *step = ws_alloc((t->sample->n + 1) * sizeof *step);
    size_t n = 0;
    for (size_t i = 1; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] > t->t_ns[i - 1])
            step[n++] = t->t_ns[i] - t->t_ns[i - 1];
    qsort(step, n, sizeof *step, by_length);
    double usual_s = n ? (double)step[n / 2] / 1e9 : NAN;
    free(step);
    return usual_s;
}

static bool has_parts_of_seconds(const ws_columns *t)
{
    for (size_t i = 0; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] % NS_PER_S)
            return true;
    return false;
}

/* Counts from the start in no unit that is known, and no other column says how long a row lasts. */
static bool has_bare_time(const ws_columns *t)
{
    return t->plan->stamps.form == WS_STAMP_ELAPSED && !t->plan->stamps.unit && t->plan->interval < 0 &&
           t->sample->n >= WS_BARE_TIME_LEAST_ROWS;
}

static bool may_be_milliseconds(const ws_columns *t, uint32_t column)
{
    double least = has_parts_of_seconds(t) ? WS_BARE_PARTED_STEP : WS_BARE_STEP;
    return t->value[column] && t->value[column]->meaning.quantity == WS_POWER && usual_step_s(t) >= least;
}

static void ask_time_unit(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' names no unit: its rows are %.6g s or ms apart, and either may be (--columns unit=s, unit=ms or "
                 "the like says which)",
                 ws_header_of(t, t->plan->time), usual_step_s(t));
}

/* Periods that loggers are given, in s. */
static bool is_usual_period(double step_s)
{
    static const double period_s[] = {1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300, 600};
    for (size_t i = 0; i < sizeof period_s / sizeof *period_s; i++)
        if (fabs(step_s - period_s[i]) <= WS_BARE_PERIOD * period_s[i])
            return true;
    return false;
}

/* 0.1, 0.25 and the like, as somebody would give a period in s. */
static bool is_plain_fraction(double step_s)
{
    double digits = step_s / pow(10, floor(log10(step_s)));
    static const double plain[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 10};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (fabs(digits - plain[i]) <= WS_BARE_PERIOD * plain[i])
            return true;
    return false;
}

/* A poll every 15 or 30 s in minutes, 0.25 or 0.5, is as plain a period in s. */
static bool is_a_part_of_a_minute(double step_s)
{
    return fabs(step_s - 0.25) <= WS_BARE_PERIOD * 0.25 || fabs(step_s - 0.5) <= WS_BARE_PERIOD * 0.5;
}

/* Rows closer than anything measures power; a usual period apart in minutes, hours or days and an odd one in s; or one
 * that is usual in both. */
static bool may_be_minutes(const ws_columns *t, uint32_t column)
{
    double step_s = mean_step_s(t);
    if (!t->value[column] || t->value[column]->meaning.quantity != WS_POWER || !(step_s > 0) || step_s >= 1)
        return false;
    return step_s < WS_BARE_SHORTEST_STEP || is_a_part_of_a_minute(step_s) ||
           (!is_plain_fraction(step_s) && (is_usual_period(step_s * 60) || is_usual_period(step_s * 3600)));
}

static void ask_long_time_unit(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' names no unit: its rows are %.6g s apart, and it may be in minutes, hours or days (--columns "
                 "unit=s, unit=min or unit=h says which)",
                 ws_header_of(t, t->plan->time), mean_step_s(t));
}

/* The first time as the file has it, in the unit of its name. */
static double first_time(const ws_columns *t)
{
    char buffer[WS_STAMP_CELLS];
    double value;
    return ws_span_double(ws_span_trim(ws_plan_stamp(t->plan, t->sample->rows[0], buffer)), &value) ? value : NAN;
}

/* The name says ms, us or ns, and the numbers are those of this time in s, ms or us since 1970. */
static bool has_time_of_larger_unit(const ws_columns *t)
{
    const ws_unit *unit = t->plan->stamps.unit;
    if (t->plan->stamps.form != WS_STAMP_ELAPSED || !unit || unit->to_si >= 1 || t->context->map->time_unit ||
        t->sample->n < WS_BARE_TIME_LEAST_ROWS)
        return false;
    double first = first_time(t), per_s = 1 / unit->to_si;
    for (double larger = 1; larger < per_s * 0.5; larger *= 1000)
        if (first >= WS_NOW_FIRST_S * larger && first <= WS_NOW_LAST_S * larger &&
            usual_step_s(t) * per_s / larger <= WS_NOW_LONGEST_STEP)
            return true;
    return false;
}

/* "elapsed_ms" of 0.000, 1.002, 2.003: a poll a second, or each ms, as hardly anything measures power. Whole numbers
 * are taken at their word. */
static bool has_seconds_of_smaller_unit(const ws_columns *t)
{
    const ws_unit *unit = t->plan->stamps.unit;
    if (t->plan->stamps.form != WS_STAMP_ELAPSED || !unit || unit->to_si >= 1 || t->context->map->time_unit ||
        t->sample->n < WS_BARE_TIME_LEAST_ROWS || !ws_stats_of(t, (uint32_t)t->plan->time)->has_point)
        return false;
    double step_s = usual_step_s(t);
    return step_s < WS_NAMED_SHORTEST_STEP && is_usual_period(step_s / unit->to_si);
}

static void ask_named_seconds(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' has rows %.4g s apart in the unit of its name, and a usual period apart in s (--columns unit=s, "
                 "unit=ms or the like says which it is)",
                 ws_header_of(t, t->plan->time), usual_step_s(t));
}

static void ask_named_time_unit(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(
        t, t->value[column]->name,
        "'%s' holds numbers as of a date in a larger unit, and in its own its rows are %.6g s apart (--columns "
        "unit=s, unit=ms or the like says which it is)",
        ws_header_of(t, t->plan->time), usual_step_s(t));
}

/* "0:05", "00:59", without a date. */
static bool is_hour_and_minute(ws_span cell)
{
    const char *colon = cell.n ? memchr(cell.p, ':', cell.n) : NULL;
    size_t before = colon ? (size_t)(colon - cell.p) : 0;
    return (before == 1 || before == 2) && cell.n == before + 3;
}

/* Clocks without seconds from the first hour on: times of a night, or the minutes and seconds of a run. */
static bool has_bare_clock(const ws_columns *t)
{
    char buffer[WS_STAMP_CELLS];
    if (t->plan->stamps.form != WS_STAMP_CLOCK || t->plan->stamps.unit || t->plan->date >= 0 ||
        t->plan->interval >= 0 || t->sample->n < WS_BARE_TIME_LEAST_ROWS || !t->t_ns || t->t_ns[0] >= 3600 * NS_PER_S)
        return false;
    for (size_t i = 0; i < t->sample->n; i++)
        if (!is_hour_and_minute(ws_span_trim(ws_plan_stamp(t->plan, t->sample->rows[i], buffer))))
            return false;
    return true;
}

static bool is_a_power(const ws_columns *t, uint32_t column)
{
    return t->value[column] && t->value[column]->meaning.quantity == WS_POWER;
}

static void ask_clock_unit(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' may have hours and minutes or minutes and seconds: --columns unit=min says that its last part "
                 "counts minutes, unit=s that it counts seconds",
                 ws_header_of(t, t->plan->time));
}

/* --- commas --- */

/* Does some column of values have this property? */
static bool has_value_with(const ws_columns *t, bool (*holds)(const ws_column_stats *))
{
    for (size_t i = 0; i < t->plan->n_values; i++)
        if (holds(ws_stats_of(t, t->plan->values[i].column)))
            return true;
    return false;
}

static bool has_point(const ws_column_stats *s)
{
    return s->has_point;
}

static bool has_decimal(const ws_column_stats *s)
{
    return s->has_decimal;
}

static bool has_groups_only(const ws_column_stats *s)
{
    return s->has_group && !s->has_whole;
}

static bool has_groups_and_whole(const ws_column_stats *s)
{
    return s->has_group && s->has_whole;
}

static bool has_points(const ws_columns *t)
{
    return t->context->delimiter == ',' || has_value_with(t, has_point);
}

static bool has_decimal_commas(const ws_columns *t)
{
    return has_value_with(t, has_decimal);
}

/* Powers and energies of three decimals throughout, that may as well be a thousand times as much: 1,030 W. */
static bool may_be_thousands(const ws_columns *t, const ws_plan_value *value)
{
    const ws_column_stats *s = ws_stats_of(t, value->column);
    if (!has_groups_only(s) || !ws_is_metered(value->meaning.quantity))
        return false;
    double most_w = value->meaning.domain == WS_GPU ? WS_GPU_MOST_W : WS_ENERGY_MOST_W;
    return value->meaning.quantity != WS_POWER || s->range_of_commas.least * 1000 * value->to_si <= most_w;
}

/* Beside whole numbers of the same column, as in 990, 1,030, they may be thousands, too. */
static bool has_comma_in_all_numbers(const ws_columns *t)
{
    for (size_t i = 0; i < t->plan->n_values; i++)
        if (may_be_thousands(t, &t->plan->values[i]))
            return false;
    return has_value_with(t, has_groups_only) && !has_value_with(t, has_groups_and_whole);
}

/* "712" beside "1.234": a power that is written with a point from 1000 on, as spreadsheets of some countries do, or one
 * that falls to a hundredth and has three decimals then and none before. */
static bool may_have_points_of_thousands(const ws_columns *t, uint32_t column)
{
    enum { LEAST = 2, FROM = 100, GROUP = 1000 };
    const ws_plan_value *value = t->value[column];
    if (!value || value->meaning.quantity != WS_POWER || value->unit_is_given)
        return false;
    const ws_column_stats *s = ws_stats_of(t, column);
    double most_w =
        value->meaning.domain == WS_NODE || value->meaning.domain == WS_WALL ? WS_NODE_MOST_W : WS_GPU_MOST_W;
    return s->n_point_groups >= LEAST && !s->has_other_point && s->most_whole >= FROM && s->most_whole < GROUP &&
           s->most_point_group * GROUP * value->to_si <= most_w;
}

static void ask_points(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    double most = ws_stats_of(t, column)->most_point_group;
    t->value[column]->ask = WS_ASK_UNIT;
    ws_rule_note(
        t, name,
        "'%s' holds whole numbers and ones like %.3f, whose point may part thousands: write that as %.0f, or say "
        "with --columns unit=W that it is decimal",
        name, most, most * 1000);
}

static void take_points(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->commas = WS_COMMAS_ARE_NOT;
}

static void take_commas(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->commas = WS_COMMAS_ARE_DECIMAL;
}

/* --- units --- */

static const ws_number_range *range_of(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of(t, column);
    return t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
}

/* A power that may be a GPU's, in a unit that neither the user nor its cells state. */
static bool has_open_unit(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    return value && value->meaning.quantity == WS_POWER && !value->unit_is_given && value->meaning.domain == WS_GPU &&
           range->n && !range->with_unit;
}

static bool is_too_large(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && range_of(t, column)->least * t->value[column]->to_si > WS_GPU_MOST_W;
}

static bool is_about_gpus(const ws_columns *t)
{
    return t->plan->is_about_gpus;
}

static bool is_about_others(const ws_columns *t)
{
    return !t->plan->is_about_gpus;
}

static bool is_too_large_in_watts(const ws_columns *t, uint32_t column)
{
    return is_too_large(t, column) && t->value[column]->to_si >= 1;
}

/* Another power that is written in the same unit, and reaches `least` W in it: one logger writes all alike. */
static bool has_power_in_unit(const ws_columns *t, uint32_t column, double least)
{
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_plan_value *other = t->value[c];
        bool is_other_power = c != column && other && other->meaning.quantity == WS_POWER && range_of(t, c)->n;
        if (is_other_power && (other->meaning.unit != NULL) == (t->value[column]->meaning.unit != NULL) &&
            other->to_si == t->value[column]->to_si && range_of(t, c)->most * other->to_si >= least)
            return true;
    }
    return false;
}

static bool is_too_small_in_milliwatts(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && range_of(t, column)->most * t->value[column]->to_si < WS_GPU_LEAST_W &&
           t->value[column]->to_si == 1e-3 && !has_power_in_unit(t, column, WS_GPU_LEAST_W);
}

/* "power_mW" and no word of whose: a microcontroller that is awake; or the GPU of an Apple chip that idles; or a device
 * whose W stand under mW. */
static bool may_be_milliwatts(const ws_columns *t, uint32_t column)
{
    bool is_gpus = t->value[column] && (t->value[column]->meaning.names_domain || t->plan->is_about_gpus);
    return is_too_small_in_milliwatts(t, column) &&
           (is_gpus || range_of(t, column)->most * t->value[column]->to_si >= WS_BOARD_LEAST_W);
}

static void ask_milliwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = WS_ASK_UNIT;
    ws_rule_note(
        t, power->name,
        "'%s' has at most %g, a microcontroller or a GPU that idles in mW, or a device in W: --columns unit=mW or "
        "unit=W says which",
        power->name, range_of(t, column)->most);
}

/* "power1_average" over 45.2: a script that divided what the kernel states in uW, by how much it does not say. */
static bool may_be_no_microwatts(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    return value && value->meaning.quantity == WS_POWER && !value->unit_is_given && value->to_si == 1e-6 &&
           ws_is_kernel_power(ws_span_of(value->name)) && range->n && !range->with_unit &&
           range->most * value->to_si < WS_BOARD_LEAST_W;
}

static void ask_microwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = WS_ASK_UNIT;
    ws_rule_note(t, power->name,
                 "'%s' has at most %g, too little for the uW that the kernel counts: --columns unit=W, unit=mW or "
                 "unit=uW says what it was divided by",
                 power->name, range_of(t, column)->most);
}

/* Less than any GPU that is on draws, at its most and not only while it sleeps: the load doubles it. */
static bool is_too_small_in_watts(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && t->value[column]->to_si == 1 && range_of(t, column)->least > 0 &&
           range_of(t, column)->most < WS_GPU_BUSY_LEAST_W &&
           range_of(t, column)->most > 2 * range_of(t, column)->least &&
           !has_power_in_unit(t, column, WS_GPU_MOST_W / 1e3);
}

static void ask_watts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = WS_ASK_UNIT;
    ws_rule_note(
        t, power->name,
        "'%s' varies below %g W, which no GPU that computes does: --columns unit=UNIT says which it is (kW, W)",
        power->name, WS_GPU_BUSY_LEAST_W);
}

/* A node or wall meter without a unit, which may be a board in W or a server in kW. */
static bool may_be_kilowatts(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    const ws_span name = ws_span_trim(ws_span_of(value ? value->name : ""));
    return value && value->meaning.quantity == WS_POWER && !value->unit_is_given && !value->meaning.unit &&
           (value->meaning.domain == WS_NODE || value->meaning.domain == WS_WALL) && value->to_si == 1 &&
           !ws_is_board_input(name) && !ws_unit_find(name) && range->n && !range->with_unit && range->most > 0 &&
           range->most <= WS_NODE_MOST_W / 1e3;
}

static void ask_kilowatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = WS_ASK_UNIT;
    ws_rule_note(t, power->name,
                 "'%s' has at most %g, a board in W or a server in kW: --columns unit=UNIT says which it is (W, kW)",
                 power->name, range_of(t, column)->most);
}

static void note_large_power(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    ws_rule_note(t, name, "'%s' is above %g W throughout: if it is no GPU say domain=node, if it is in mW say unit=mW",
                 name, WS_GPU_MOST_W);
}

static void take_smaller_unit(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    bool is_micro = range_of(t, column)->least * value->to_si * 1e-3 > WS_GPU_MOST_W;
    value->to_si *= is_micro ? 1e-6 : 1e-3;
    t->has_wrong_unit = true;
    ws_rule_note(t, value->name,
                 "'%s' is above %g W throughout, so it is read as %s (unit=W in the column map keeps W)", value->name,
                 WS_GPU_MOST_W, is_micro ? "uW" : "mW");
}

static void take_watts(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
    t->has_wrong_unit = true;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' is below %g W throughout, so it is read as W (unit=mW in the column map keeps mW)",
                 t->value[column]->name, WS_GPU_LEAST_W);
}

/* Readings of a column whose cells are in W, without a header. */
typedef struct watts_column {
    double mean;
    bool is_constant;
} watts_column;

static bool read_watts(const ws_columns *t, uint32_t column, watts_column *found)
{
    double value, first = NAN, sum = 0;
    size_t n = 0;
    ws_span rest;
    *found = (watts_column){.is_constant = true};
    for (size_t i = 0; i < t->sample->n; i++) {
        if (!ws_span_number(ws_row_cell(t->sample->rows[i], (int32_t)column), &value, &rest))
            continue;
        const ws_unit *unit = ws_unit_find(rest);
        if (!unit || unit->dimension != WS_DIM_POWER)
            return false;
        first = n ? first : value;
        found->is_constant &= value == first;
        sum += value;
        n++;
    }
    found->mean = sum / (double)n;
    return n > 0;
}

/* The same number in half of the rows and more: power.draw is power.draw.average, where there is such. */
static bool is_same_watts(const ws_columns *t, uint32_t column, uint32_t other)
{
    size_t same = 0;
    for (size_t i = 0; i < t->sample->n; i++)
        same += ws_span_same(ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)column)),
                             ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)other)));
    return 2 * same >= t->sample->n;
}

static bool has_same_watts(const ws_columns *t, uint32_t column)
{
    watts_column other;
    bool has = false;
    for (uint32_t c = 0; c < t->n && !has; c++)
        has = c != column && read_watts(t, c, &other) && is_same_watts(t, column, c);
    return has;
}

/* Of several columns in W the first is taken (name_rules.c). Another one that is constant beside it is the limit; one
 * of about the same mean is an average or the reading of the moment, where one of them repeats the first: else it may
 * be another GPU's. Else the first may be the limit, or anything. */
static bool is_first_of_other_watts(const ws_columns *t, uint32_t column)
{
    watts_column own, other;
    const ws_plan_value *value = t->value[column];
    if (t->plan->header || t->context->map->n || !value || value->meaning.quantity != WS_POWER ||
        !read_watts(t, column, &own))
        return false;
    bool has_same = has_same_watts(t, column);
    for (uint32_t c = 0; c < t->n; c++) {
        bool is_near = c != column && read_watts(t, c, &other) &&
                       fabs(other.mean - own.mean) <= WS_SAME_POWER * own.mean && has_same;
        bool is_known = c == column || !read_watts(t, c, &other) || (other.is_constant && !own.is_constant) || is_near;
        if (!is_known)
            return true;
    }
    return false;
}

static void refuse_watts(ws_columns *t, uint32_t column)
{
    watts_column other;
    ws_arena *arena = t->context->arena;
    const char *stamp = t->plan->time >= 0 ? ws_arena_printf(arena, "time=#%d,", t->plan->time + 1) : "",
               *each = ws_arena_printf(arena, "power=#%u", column + 1);
    uint32_t n = 1;
    for (uint32_t c = column + 1; c < t->n; c++)
        if (read_watts(t, c, &other))
            each = ws_arena_printf(arena, "%s,power=#%u", each, c + 1), n++;
    ws_status status = ws_fail_at(t->error, WS_DATA, t->context->source, t->plan->line,
                                  "no header and several columns in W: #%u may be a limit, and others another GPU's. "
                                  "--columns %spower=#%u,header=no says that it is the power, --columns "
                                  "%s%s,devices=%u,header=no that each is a GPU's",
                                  column + 1, stamp, column + 1, stamp, each, n);
    t->status = ws_fail_remedy(t->error, WS_REMEDY_ANSWER, NULL, status);
}

/* --- columns of one name --- */

/* "power_w" and "power_w.1": pandas numbers columns of one name when it reads them. */
static bool is_of_name(const char *other, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(other, name, n) != 0)
        return false;
    size_t digits = other[n] == '.' ? strspn(other + n + 1, "0123456789") : 0;
    return !other[n] || (digits && !other[n + 1 + digits]);
}

/* The next column of the same name, behind `after`, whose readings are others; WS_NO_COLUMN: there is none. */
static int32_t other_of_name(const ws_columns *t, uint32_t column, uint32_t after)
{
    for (uint32_t c = after + 1; c < t->n; c++) {
        if (t->value[c] || !is_of_name(ws_header_of(t, (int32_t)c), ws_header_of(t, (int32_t)column)))
            continue;
        for (size_t i = 0; i < t->sample->n; i++) {
            ws_span own = ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)column));
            ws_span other = ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)c));
            double number;
            ws_span rest;
            if (ws_span_number(other, &number, &rest) && !ws_span_same(own, other))
                return (int32_t)c;
        }
    }
    return WS_NO_COLUMN;
}

static bool has_header_and_no_map(const ws_columns *t)
{
    return t->plan->header && !t->context->map->n;
}

/* A copy of the first is left out (name_rules.c). */
static bool is_one_of_a_name(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && ws_is_metered(value->meaning.quantity) && other_of_name(t, column, column) >= 0;
}

/* "power=#2,power=#4": all columns of the kind, with those that share their names or without, *n of them: who types
 * fewer loses a device. */
static const char *map_of_kind(const ws_columns *t, const ws_plan_value *kind, const char *key, bool with_others,
                               size_t *n)
{
    const char *map = "";
    *n = 0;
    for (uint32_t column = 0; column < t->n; column++) {
        const ws_plan_value *value = t->value[column];
        if (!value || value->meaning.quantity != kind->meaning.quantity || value->is_counter != kind->is_counter)
            continue;
        for (int32_t c = (int32_t)column; c >= 0; ++*n) {
            map = ws_arena_printf(t->context->arena, "%s%s%s=#%d", map, *n ? "," : "", key, c + 1);
            c = with_others ? other_of_name(t, column, (uint32_t)c) : WS_NO_COLUMN;
        }
    }
    return map;
}

static void ask_which_of_a_name(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    ws_arena *arena = t->context->arena;
    const char *key = value->meaning.quantity == WS_POWER ? "power" : value->is_counter ? "counter" : "energy";
    const char *stamp = t->plan->time >= 0 ? ws_arena_printf(arena, "time=#%d,", t->plan->time + 1) : "";
    const char *names = ws_arena_printf(arena, "#%u", column + 1);
    for (int32_t next, c = (int32_t)column; (c = other_of_name(t, column, (uint32_t)c)) >= 0;) {
        next = other_of_name(t, column, (uint32_t)c);
        names = ws_arena_printf(arena, "%s%s#%d", names, next < 0 ? " and " : ", ", c + 1);
    }
    size_t n_first, n_all;
    const char *first = map_of_kind(t, value, key, false, &n_first), *all = map_of_kind(t, value, key, true, &n_all);
    value->ask = WS_ASK_DEVICES;
    ws_rule_note(t, value->name,
                 "columns %s are called '%s' and hold other readings: --columns %s%s,devices=%zu takes each for a "
                 "device of its own, %s%s the first alone",
                 names, value->name, stamp, all, n_all, stamp, first);
}

/* Loads from 0 to 1. */
static bool is_share(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    return value && (value->meaning.quantity == WS_UTIL || value->meaning.quantity == WS_MEM_UTIL) &&
           !value->meaning.unit && range->n && range->most <= 1 && range->has_fraction;
}

static void take_share(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
}

static bool has_wrong_unit(const ws_columns *t)
{
    return t->has_wrong_unit;
}

static void doubt_energy(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->meaning.preference = WS_DOUBTFUL;
    ws_rule_note(t, value->name, "the unit of the power beside it is wrong, so that the logger's own '%s' may be, too",
                 value->name);
}

static bool is_power_of_others(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && value->meaning.quantity == WS_POWER && value->meaning.domain != WS_GPU && value->to_si == 1 &&
           !value->ask;
}

static void doubt_power(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    ws_rule_note(t, name,
                 "the unit of the GPUs' power is wrong, so that of '%s' may be, too, and is kept (unit= in the column "
                 "map gives all powers one)",
                 name);
}

/* --- the rules --- */

static const ws_column_rule rules_of_readings[] = {
    {"interval-of-others", WS_FACT_INTERVAL, 1, WS_FACT(TURNS), contradicts_stamps, NULL, drop_interval,
     WS_FINDING_INTERVAL_MISFIT, "no guess: it disagrees with the stamps"},

    {"seconds-or-milliseconds", WS_FACT_CLOCK, 1, WS_FACT(INTERVAL), has_bare_time, may_be_milliseconds, ask_time_unit,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for; loggers poll every 10 ms as well as every 10 s"},
    {"seconds-or-minutes", WS_FACT_CLOCK, 3, WS_FACT(INTERVAL), has_bare_time, may_be_minutes, ask_long_time_unit,
     WS_FINDING_ASK_UNIT, "no guess: a poll a second is 0.0167 min, as is a frame of 60 Hz in s"},
    {"date-in-a-larger-unit", WS_FACT_CLOCK, 4, WS_FACT(INTERVAL), has_time_of_larger_unit, is_a_power,
     ask_named_time_unit, WS_FINDING_ASK_UNIT,
     "no guess: 'time_ms' over 1767454613.0, or a host that is up for 20 days"},
    {"seconds-in-a-smaller-unit", WS_FACT_CLOCK, 5, WS_FACT(INTERVAL), has_seconds_of_smaller_unit, is_a_power,
     ask_named_seconds, WS_FINDING_ASK_UNIT, "no guess: it asks; time.time() - t0 under 'elapsed_ms'"},
    {"clock-or-run", WS_FACT_CLOCK, 2, WS_FACT(INTERVAL), has_bare_clock, is_a_power, ask_clock_unit,
     WS_FINDING_ASK_UNIT, "no guess: HWiNFO's times as spreadsheets save them, '0:05', a row a second or a minute"},

    {"points-are-decimal", WS_FACT_COMMAS, 3, 0, has_points, NULL, take_points, 0, "no guess: numbers have points"},
    {"commas-must-be-decimal", WS_FACT_COMMAS, 2, 0, has_decimal_commas, NULL, take_commas, 0,
     "no guess: '1,5' and '1,2345' part no thousands"},
    {"commas-in-all-numbers", WS_FACT_COMMAS, 1, 0, has_comma_in_all_numbers, NULL, take_commas, 0,
     "proven: as thousands they would be more than anything draws"},

    {"points-of-thousands", WS_FACT_UNIT, 18, WS_FACT(COMMAS), NULL, may_have_points_of_thousands, ask_points,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for; 712 and 1.234 W of a node"},
    {"too-large-for-gpus", WS_FACT_UNIT, 4, WS_FACT(COMMAS), is_about_gpus, is_too_large_in_watts, take_smaller_unit,
     WS_FINDING_IMPLAUSIBLE_UNIT, "jetson_milliwatt_named_w.csv of gpu-wrapper-csv: no GPU draws kilowatts"},
    {"too-small-for-gpus", WS_FACT_UNIT, 3, WS_FACT(COMMAS), NULL, is_too_small_in_milliwatts, take_watts,
     WS_FINDING_IMPLAUSIBLE_UNIT, "'Timestamp (s),Power (mW)' over 4.39: logs of E2FL, a public repository"},
    {"tens-of-milliwatts", WS_FACT_UNIT, 15, WS_FACT(COMMAS), NULL, may_be_milliwatts, ask_milliwatts,
     WS_FINDING_ASK_UNIT, "no guess: 'power_mW' over 60, an ESP32 or a processor; 'gpu_power_mw' over 13, an idle M1"},
    {"divided-microwatts", WS_FACT_UNIT, 17, WS_FACT(COMMAS), NULL, may_be_no_microwatts, ask_microwatts,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
    {"too-small-in-watts", WS_FACT_UNIT, 5, WS_FACT(COMMAS), is_about_gpus, is_too_small_in_watts, ask_watts,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
    {"kilowatts-of-nodes", WS_FACT_UNIT, 6, WS_FACT(COMMAS), NULL, may_be_kilowatts, ask_kilowatts, WS_FINDING_ASK_UNIT,
     "no guess: it is asked for"},
    {"too-large-for-others", WS_FACT_UNIT, 2, WS_FACT(COMMAS), is_about_others, is_too_large, note_large_power,
     WS_FINDING_IMPLAUSIBLE_POWER, "no guess: it is read as it stands"},
    {"load-as-share", WS_FACT_UNIT, 1, WS_FACT(COMMAS), NULL, is_share, take_share, 0,
     "torch.cuda.utilization and NVML state percent, loggers of it divide by 100; no energy depends on it"},
    {"energy-beside-wrong-unit", WS_FACT_DOUBT, 2, WS_FACT(UNIT), has_wrong_unit, ws_holds_energy, doubt_energy,
     WS_FINDING_IMPLAUSIBLE_ENERGY, "no guess: jetson_milliwatt_named_w.csv states kWh that are as wrong as its W"},
    {"power-beside-wrong-unit", WS_FACT_DOUBT, 1, WS_FACT(UNIT), has_wrong_unit, is_power_of_others, doubt_power,
     WS_FINDING_DOUBTFUL_UNIT, "no guess: it is read as it stands"},

    {"one-of-a-name", WS_FACT_DOUBT, 4, WS_FACT(UNIT), has_header_and_no_map, is_one_of_a_name, ask_which_of_a_name,
     WS_FINDING_ASK_DEVICES,
     "no guess: two CPUs or GPUs whose columns are called alike, as logs of Open Hardware Monitor"},
    {"one-of-several-watts", WS_FACT_DOUBT, 3, WS_FACT(UNIT), ws_has_rows, is_first_of_other_watts, refuse_watts, 0,
     "no guess: it is asked for"},
};
const ws_rule_table ws_reading_rules = {rules_of_readings, sizeof rules_of_readings / sizeof *rules_of_readings};
