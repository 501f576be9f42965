#include "report/table/table_print.h"

#include "core/known_to.h"
#include "core/shortest.h"
#include "core/text.h"
#include "report/table/column_title.h"
#include "report/utf8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const companions[] = {"se", "rmse", "u", "sd", "stderr"};

bool ws_cell_is_missing(const ws_table *table, size_t column, size_t row)
{
    const ws_column *c = &table->columns[column];
    return c->kind == WS_NUMBER ? !isfinite(c->number[row]) : ws_table_is_missing(table, column, row);
}

static bool is_empty(const ws_table *table, size_t column)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_cell_is_missing(table, column, row))
            return false;
    return table->n_rows > 0;
}

static bool find_number(const ws_table *table, const char *name, size_t *column)
{
    return ws_table_find(table, name, column) && table->columns[*column].kind == WS_NUMBER;
}

/* A merged column must show what its two columns hold: there has to be a row with both. */
static bool share_a_row(const ws_table *table, size_t a, size_t b)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_cell_is_missing(table, a, row) && !ws_cell_is_missing(table, b, row))
            return true;
    return table->n_rows == 0;
}

/* X_se of X, and stem_se_unit of stem_unit. */
static bool find_companion(ws_arena *arena, const ws_table *table, size_t of, const char *word, size_t *companion)
{
    const char *name = table->columns[of].name;
    size_t stem;
    const char *behind = ws_arena_printf(arena, "%s_%s", name, word);
    const char *inside =
        ws_column_unit(name, &stem) ? ws_arena_printf(arena, "%.*s_%s%s", (int)stem, name, word, name + stem) : behind;
    bool is_value = strcmp(name, "value") == 0 && strcmp(word, "stderr") == 0;
    return (find_number(table, behind, companion) || find_number(table, inside, companion) ||
            (is_value && find_number(table, "stderr", companion) && !table->columns[*companion].detail)) &&
           share_a_row(table, of, *companion);
}

typedef struct pairing {
    size_t lo, hi; /* an interval to print beside the value; lo == hi: none */
    bool is_range; /* this column and `hi` are printed as one */
    size_t companion;
    const char *word;  /* of the companion, NULL where there is none */
    bool is_companion; /* takes none itself: of a, a_se and a_se_se, the last is printed apart */
    bool is_merged;
} pairing;

/* X_lo and X_hi of X, columns of detail, where a row has them. */
static void find_interval(ws_arena *arena, const ws_table *table, size_t column, pairing *pair)
{
    const char *name = table->columns[column].name;
    size_t lo, hi;
    if (find_number(table, ws_arena_printf(arena, "%s_lo", name), &lo) &&
        find_number(table, ws_arena_printf(arena, "%s_hi", name), &hi) && share_a_row(table, column, lo) &&
        table->n_rows && table->columns[lo].detail) {
        pair->lo = lo;
        pair->hi = hi;
    }
}

static const struct {
    const char *lo, *hi, *title;
} ranges[] = {{"ci_lo", "ci_hi", "interval"},
              {"prediction_lo", "prediction_hi", "of one more run"},
              {"percentile_lo", "percentile_hi", "percentiles"},
              {"choice_lo", "choice_hi", "range"},
              {"beta_lo", "beta_hi", "beta, 95 %"}};
enum { N_RANGES = sizeof ranges / sizeof *ranges };

static size_t range_named(const char *lo)
{
    size_t i = 0;
    while (i < N_RANGES && strcmp(ranges[i].lo, lo) != 0)
        i++;
    return i;
}

/* The column is the lower end of a range that no value stands in front of. */
static void find_range(const ws_table *table, size_t column, pairing *pair)
{
    size_t i = range_named(table->columns[column].name), hi;
    if (i == N_RANGES || !find_number(table, ranges[i].hi, &hi))
        return;
    pair->is_range = true;
    pair->hi = hi;
}

static void find_pairing(ws_arena *arena, const ws_table *table, size_t column, pairing *pair)
{
    find_interval(arena, table, column, pair);
    for (size_t i = 0; !pair->word && i < sizeof companions / sizeof *companions; i++)
        if (find_companion(arena, table, column, companions[i], &pair->companion))
            pair->word = companions[i];
}

static pairing *pair_up(ws_arena *arena, const ws_table *table, bool has_ranges)
{
    pairing *pairs = ws_arena_alloc(arena, table->n_columns * sizeof *pairs);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].kind != WS_TEXT)
            find_pairing(arena, table, i, &pairs[i]);
        if (pairs[i].word)
            pairs[pairs[i].companion].is_companion = true;
        if (has_ranges && table->columns[i].kind == WS_NUMBER)
            find_range(table, i, &pairs[i]);
        if (pairs[i].is_range)
            pairs[pairs[i].hi].is_merged = true;
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (pairs[i].word && !pairs[i].is_companion)
            pairs[pairs[i].companion].is_merged = true;
    return pairs;
}

/* The number of runs behind a mean: n_runs, or a_n of a_mean. */
static size_t runs_behind(const ws_table *table, size_t column, const char *word)
{
    const char *name = table->columns[column].name;
    size_t n;
    if (strcmp(word, "rmse") != 0 && strcmp(word, "sd") != 0)
        return WS_NO_COMPANION;
    bool is_side = strcmp(name, "a_mean") == 0 || strcmp(name, "b_mean") == 0;
    const char *count = is_side ? name[0] == 'a' ? "a_n" : "b_n" : "n_runs";
    return ws_table_find(table, count, &n) && table->columns[n].kind == WS_INTEGER ? n : WS_NO_COMPANION;
}

/* The ends of the value between them. */
static bool find_ends(const ws_table *table, const char *value, size_t *lo, size_t *hi)
{
    return (strcmp(value, "value") == 0 || strcmp(value, "change") == 0) && find_number(table, "ci_lo", lo) &&
           find_number(table, "ci_hi", hi);
}

/* The value between ci_lo and ci_hi. */
static size_t value_of_end(const ws_table *table, const char *name)
{
    static const char *const values[] = {"value", "change"};
    size_t column;
    if (strcmp(name, "ci_lo") != 0 && strcmp(name, "ci_hi") != 0)
        return WS_NO_COMPANION;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (find_number(table, values[i], &column))
            return column;
    return WS_NO_COMPANION;
}

static void print_digits(char *buffer, double value, int digits)
{
    ws_double_text_digits(buffer, value, digits);
    if (!strchr(buffer, '.') || strchr(buffer, 'e'))
        return;
    size_t n = strlen(buffer);
    while (buffer[n - 1] == '0')
        n--;
    buffer[n - (buffer[n - 1] == '.')] = '\0';
}

static void print_plain(char *buffer, double value)
{
    enum { DIGITS = 6 };
    print_digits(buffer, value, DIGITS);
}

/* "95 % interval" where the table says its level. */
static const char *range_title(ws_arena *arena, const ws_table *table, const char *lo)
{
    char percent[WS_DOUBLE_TEXT];
    const char *title = ranges[range_named(lo)].title;
    if (strcmp(lo, ranges[0].lo) != 0 || !(table->ci_level > 0))
        return title;
    print_plain(percent, 100 * table->ci_level);
    return ws_arena_printf(arena, "%s %% %s", percent, title);
}

static bool is_p(const char *name)
{
    return strncmp(name, "p_", 2) == 0 || ws_span_has_suffix(ws_span_of(name), "_p");
}

static bool is_criterion(const char *name)
{
    static const char *const names[] = {"aic", "aicc", "bic", "delta"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static size_t names_of_values(const ws_table *table, const char *name)
{
    size_t column;
    bool has_names = strcmp(name, "value") == 0 && ws_table_find(table, "parameter", &column) &&
                     table->columns[column].kind == WS_TEXT;
    return has_names ? column : WS_NO_COMPANION;
}

static bool any_tiny(const ws_table *table, size_t column)
{
    const double tiny = 1e-4;
    for (size_t row = 0; row < table->n_rows && table->columns[column].kind == WS_NUMBER; row++)
        if (table->columns[column].number[row] < tiny)
            return true;
    return false;
}

/* Worked out from two measured numbers, so that six digits would say more than is known. */
static bool is_ratio(const char *name)
{
    static const char *const names[] = {"speedup", "efficiency", "kwh_per_gpuh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strstr(name, "_ratio") != NULL;
}

static bool rests_on_readings(const char *name)
{
    static const char *const words[] = {"kwh", "wh_per_", "energy", "power", "util", "time_h"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]) && !strstr(name, "cap") && strncmp(name, "n_", 2) != 0)
            return true;
    return false;
}

static double factor_of(const ws_table *table, size_t column)
{
    const char *name = table->columns[column].name;
    const ws_look *look = ws_look_of_column(table->looks, name);
    return look && look->unit ? look->factor : ws_usual_factor(name);
}

/* Of the column that has the marks of rows: the one that the table names, else the first that is shown. */
static void set_mark_width(ws_printed *printed, const ws_table *table)
{
    size_t widest = 0, at = 0;
    for (size_t row = 0; table->mark && row < table->n_rows; row++) {
        size_t width = ws_utf8_width(ws_table_mark_of(table, row));
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; table->marked_column && i < printed->n; i++)
        if (strcmp(table->columns[printed->columns[i].column].name, table->marked_column) == 0)
            at = i;
    if (printed->n)
        printed->columns[at].mark_width = widest;
}

const char *ws_printed_mark(const ws_table *table, const ws_printed_column *column, size_t row)
{
    return column->mark_width ? ws_table_mark_of(table, row) : "";
}

void ws_printed_init(ws_printed *printed, const ws_table *table, const ws_write_options *options)
{
    *printed = (ws_printed){0};
    printed->columns = ws_arena_alloc(&printed->arena, table->n_columns * sizeof *printed->columns);
    const pairing *pairs = pair_up(&printed->arena, table, !options->all_columns);
    for (size_t i = 0; i < table->n_columns; i++) {
        bool is_range = pairs[i].is_range, no_end = !is_range || is_empty(table, pairs[i].hi);
        if (pairs[i].is_merged ||
            (!options->all_columns && (table->columns[i].detail || (is_empty(table, i) && no_end))))
            continue;
        const char *word = pairs[i].is_companion ? NULL : pairs[i].word;
        bool is_measured = word && strcmp(word, "u") == 0;
        bool is_little_known = !pairs[i].is_companion && table->has_few_digits && table->energy_u > 0 &&
                               ws_is_of_energy(table->columns[i].name);
        bool is_number = table->columns[i].kind != WS_TEXT, has_interval = !is_range && pairs[i].lo != pairs[i].hi;
        const char *title = is_range ? range_title(&printed->arena, table, table->columns[i].name)
                                     : ws_column_title(table->looks, &printed->arena, table->columns[i].name, is_number,
                                                       has_interval      ? NULL
                                                       : is_little_known ? "u"
                                                                         : word);
        printed->columns[printed->n++] = (ws_printed_column){
            .column = i,
            .companion = word && !has_interval ? pairs[i].companion : WS_NO_COMPANION,
            .lo = has_interval ? pairs[i].lo : WS_NO_COMPANION,
            .hi = has_interval || is_range ? pairs[i].hi : WS_NO_COMPANION,
            .n_runs = word ? runs_behind(table, i, word) : WS_NO_COMPANION,
            .is_rmse = word && strcmp(word, "rmse") == 0,
            .value = value_of_end(table, table->columns[i].name),
            .is_measured = is_measured,
            .factor = factor_of(table, i),
            .is_range = is_range,
            .is_r2 = is_number && strcmp(table->columns[i].name, "r2") == 0,
            .is_weight = is_number && strcmp(table->columns[i].name, "weight") == 0,
            .is_criterion = is_number && is_criterion(table->columns[i].name),
            .has_range = !options->all_columns,
            .row_name = names_of_values(table, table->columns[i].name),
            .has_few_digits = table->has_few_digits && rests_on_readings(table->columns[i].name),
            .is_ratio = !options->all_columns && is_ratio(table->columns[i].name),
            .ends = {WS_NO_COMPANION, WS_NO_COMPANION},
            .title = has_interval ? ws_arena_printf(&printed->arena, "%s (95 %%)", title) : title,
            .is_number = is_number,
            .is_p = is_number && is_p(table->columns[i].name),
            .p_has_exponent = is_number && any_tiny(table, i),
        };
        ws_printed_column *printed_now = &printed->columns[printed->n - 1];
        if (is_number && !find_ends(table, table->columns[i].name, &printed_now->ends[0], &printed_now->ends[1]))
            printed_now->ends[0] = printed_now->ends[1] = WS_NO_COMPANION;
    }
    set_mark_width(printed, table);
}

void ws_printed_free(ws_printed *printed)
{
    ws_arena_free(&printed->arena);
    *printed = (ws_printed){0};
}

/* Decimal places of two digits, and the first of these: read off "d.de+xx", whatever the locale's point looks like. */
static int places_and_digit(double uncertainty, char *digit)
{
    char text[WS_DOUBLE_TEXT];
    if (uncertainty < 0.9 && ws_everyday_digits(text, uncertainty, 2)) { /* "0.0012", as most are */
        int zeros = (int)strspn(text + 2, "0");
        *digit = text[2 + zeros];
        return zeros + 2;
    }
    snprintf(text, sizeof text, "%.1e", uncertainty);
    *digit = text[0];
    return 1 - atoi(strchr(text, 'e') + 1);
}

static int places_of(double uncertainty)
{
    char digit;
    return places_and_digit(uncertainty, &digit);
}

/* Beyond the ninth decimal place by significant digits, as many as reach the place: so few in numbers that are written
 * with a power of ten alone, six in others where the place is nearer or farther than numbers are exact. */
static void print_far(char *buffer, double value, int places)
{
    int digits = value == 0 || !isfinite(value) ? 0 : places + 1 + (int)floor(log10(fabs(value)));
    int fewest = fabs(value) < 1e-5 || fabs(value) >= 1e15 ? 1 : 7;
    if (digits >= fewest && digits <= DBL_DIG)
        ws_double_text_digits(buffer, value, digits);
    else
        print_plain(buffer, value);
}

void ws_print_pair(char *buffer, double value, double uncertainty)
{
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    int places = uncertainty > 0 ? places_of(uncertainty) : 0;
    bool is_fixed = places <= 9 && fabs(value) < 1e15 && uncertainty < 1e15;
    if (uncertainty > 0 && is_fixed) {
        ws_double_text_decimals(first, value, places);
        ws_double_text_decimals(second, uncertainty, places);
    } else { /* zero, or far from everyday sizes */
        print_far(first, value, places);
        ws_double_text_digits(second, uncertainty, 2);
    }
    snprintf(buffer, WS_CELL_TEXT, "%s ± %s", first, second);
}

/* Decimal places that the standard error of a mean leaves it, by the rule of the Particle Data Group (Review of
 * Particle Physics, introduction, section 5.3): two of its digits where these are 10 to 35, else one. */
static int places_of_mean(double standard_error)
{
    enum { TWO_DIGITS_UP_TO = 35 };
    char text[WS_DOUBLE_TEXT];
    snprintf(text, sizeof text, "%.1e", standard_error);
    int exponent = atoi(strchr(text, 'e') + 1), leading = 10 * (text[0] - '0') + (strchr(text, 'e')[-1] - '0');
    return leading <= TWO_DIGITS_UP_TO ? 1 - exponent : -exponent;
}

/* 743.3 with 206 of 40 runs: "743 ± 206", to the place of 206 / sqrt(40) = 33. Of a root mean square about the
 * mean the divisor is n - 1. */
static void print_mean(char *buffer, double value, double spread, double n, bool is_rmse)
{
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    if (!(spread > 0) || !(n > 1)) {
        ws_print_pair(buffer, value, spread);
        return;
    }
    int places = places_of_mean(spread / sqrt(is_rmse ? n - 1 : n));
    if (places > 9 || fabs(value) >= 1e15 || spread >= 1e15) {
        ws_print_pair(buffer, value, spread);
        return;
    }
    ws_double_text_decimals(first, value, places);
    ws_double_text_decimals(second, spread, places);
    snprintf(buffer, WS_CELL_TEXT, "%s ± %s", first, second);
}

/* A quarter of the width, which is nearly a standard error; of a ratio, whose interval is longer above, half of what
 * lies below its geometric centre, but never one that makes the lower end 0. */
static double error_within(double lo, double hi)
{
    return lo > 0 ? fmin((sqrt(lo * hi) - lo) / 2, lo) : (hi - lo) / 4;
}

static int places_of_interval(double lo, double hi)
{
    char digit;
    if (!(hi > lo))
        return 6;
    int places = places_and_digit(error_within(lo, hi), &digit);
    return digit == '1' ? places : places - 1;
}

/* "3.60 (3.57 to 3.64)" */
static void print_interval(char *buffer, double value, double lo, double hi)
{
    char texts[3][WS_DOUBLE_TEXT];
    const double numbers[] = {value, lo, hi};
    int places = places_of_interval(lo, hi);
    for (size_t i = 0; i < 3; i++)
        if (places <= 9 && fabs(numbers[i]) < 1e15)
            ws_double_text_decimals(texts[i], numbers[i], places);
        else
            print_far(texts[i], numbers[i], places);
    snprintf(buffer, WS_CELL_TEXT, "%s (%s to %s)", texts[0], texts[1], texts[2]);
}

static void print_p(char *buffer, double p, bool has_exponent)
{
    if (p < 1e-300)
        snprintf(buffer, WS_CELL_TEXT, "< 1e-300");
    else if (has_exponent) { /* "d.dde-xx", whatever the locale's point looks like; 1.00 alone has none */
        char text[WS_DOUBLE_TEXT];
        snprintf(text, sizeof text, "%.2e", p);
        int power = atoi(strchr(text, 'e') + 1);
        snprintf(buffer, WS_CELL_TEXT, power == 0 ? "%c.%c%c" : "%c.%c%ce%d", text[0], text[2], text[3], power);
    } else
        ws_double_text_digits(buffer, p, 3);
}

/* With as many digits as tell it from the value, where they differ at all. */
static void print_end(char *buffer, double end, double value)
{
    char of_value[WS_DOUBLE_TEXT];
    print_plain(buffer, end);
    for (int digits = 6; digits <= 17 && end != value; digits++) {
        ws_double_text_digits(of_value, value, digits);
        ws_double_text_digits(buffer, end, digits);
        if (strcmp(buffer, of_value) == 0)
            continue;
        if (digits == 6)
            print_plain(buffer, end);
        return;
    }
}

static void print_at(char *buffer, double value, int places)
{
    double digits = value == 0 ? 0 : places + floor(log10(fabs(value))) + 1;
    if (places <= 9 && fabs(value) < 1e15)
        ws_double_text_decimals(buffer, value, places);
    else if (digits > DBL_DIG)
        ws_double_text_digits(buffer, value, digits < 17 ? (int)digits : 17);
    else
        print_far(buffer, value, places);
}

static int places_within(double lo, double hi)
{
    return places_of(error_within(lo, hi));
}

/* Integers, as GPU counts, have all their digits, as far as numbers hold them. */
static int places_of_range(double lo, double hi)
{
    return lo == floor(lo) && hi == floor(hi) && hi < 1e15 ? 0 : places_within(lo, hi);
}

/* An upper end that is written with a power of ten has six digits, however near the lower one is to zero. */
static int places_of_upper(double hi, int places)
{
    return hi >= 1e15 ? (int)fmin(places, 5 - floor(log10(hi))) : places;
}

/* To the place of its ends (or six digits beside ends that are not rounded, or are whole as the value is, as counts of
 * GPUs are), or to as many as keep a value of 0.99999979 between 0.99999961 and 0.99999989; rounding of a value at an
 * end, as of a breakpoint of 7.999999999999998, asks for none. */
static void print_between(char *buffer, double value, double lo, double hi, bool has_range)
{
    const double rounding = 1e-12;
    enum { MORE = 12, DIGITS = 6 };
    bool are_whole = lo == floor(lo) && hi == floor(hi) && value == floor(value);
    bool is_rounded = has_range && hi > lo && value != 0 && !are_whole;
    int places = is_rounded ? places_within(lo, hi) : 0;
    lo -= rounding * fabs(lo);
    hi += rounding * fabs(hi);
    for (int more = 0; more <= MORE; more++) {
        double printed;
        if (is_rounded)
            print_at(buffer, value, places + more);
        else if (more == 0)
            print_plain(buffer, value);
        else
            ws_double_text_digits(buffer, value, DIGITS + more);
        bool is_kept = !ws_span_double(ws_span_of(buffer), &printed) || (lo <= printed && printed <= hi);
        if (is_kept || !(lo <= value && value <= hi))
            return;
    }
}

/* "3.57 to 3.64"; with one end alone "from 3.57". */
static const char *print_range(const ws_table *table, const ws_printed_column *printed, size_t row, char *buffer)
{
    double lo = printed->factor * table->columns[printed->column].number[row],
           hi = printed->factor * table->columns[printed->hi].number[row];
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    if (!isfinite(lo) && !isfinite(hi))
        return NULL;
    if (hi > lo) {
        print_at(first, lo, places_of_range(lo, hi));
        print_at(second, hi, places_of_upper(hi, places_of_range(lo, hi)));
    } else if (isfinite(lo) && isfinite(hi)) { /* equal */
        print_plain(first, lo);
        print_plain(second, hi);
    } else { /* one of them alone */
        enum { DIGITS = 3 };
        ws_double_text_digits(first, lo, DIGITS);
        ws_double_text_digits(second, hi, DIGITS);
    }
    if (isfinite(lo) && isfinite(hi))
        snprintf(buffer, WS_CELL_TEXT, "%s to %s", first, second);
    else
        snprintf(buffer, WS_CELL_TEXT, "%s %s", isfinite(lo) ? "from" : "up to", isfinite(lo) ? first : second);
    return buffer;
}

/* A statistic of a test, or the spread of repeats: what it is compared with has no more digits. */
static bool is_statistic(const ws_table *table, const ws_printed_column *printed, size_t row)
{
    const char *name = printed->row_name == WS_NO_COMPANION ? NULL : table->columns[printed->row_name].text[row];
    return name && (strncmp(name, "test: ", 6) == 0 || strcmp(name, "repeat-spread") == 0);
}

/* With two digits behind the nines, as 0.9999996. */
static void print_r2(char *buffer, double r2)
{
    if (r2 > 0.99 && r2 < 1)
        ws_double_text_decimals(buffer, r2, places_of(1 - r2) < 15 ? places_of(1 - r2) : 15);
    else if (r2 == 1 || r2 == 0)
        print_plain(buffer, r2);
    else
        ws_double_text_digits(buffer, r2, 3);
}

static void print_weight(char *buffer, double weight)
{
    const double least = 1e-4;
    if (weight < least)
        snprintf(buffer, WS_CELL_TEXT, "< 0.0001");
    else
        ws_double_text_decimals(buffer, weight, 4);
}

/* "0.1000 ± 0.0002" of 0.09999819 ± 0.00015; the spread is left out where nothing of it is left. */
static void print_few_digits(char *buffer, double value, double spread)
{
    enum { DIGITS = 4 };
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    snprintf(first, sizeof first, "%.*e", DIGITS - 1, value); /* 0.99998 has the digits of 1.000 */
    int places = value != 0 ? DIGITS - 1 - atoi(strchr(first, 'e') + 1) : DIGITS;
    if (spread > 0 && places_of(spread) <= places) {
        ws_print_pair(buffer, value, spread);
        return;
    }
    if (places < 0 || places > 9) {
        ws_double_text_digits(buffer, value, DIGITS);
        return;
    }
    ws_double_text_decimals(first, value, places);
    ws_double_text_decimals(second, spread > 0 ? spread : 0, places);
    bool is_seen = strtod(second, NULL) > 0;
    snprintf(buffer, WS_CELL_TEXT, "%s%s%s", first, is_seen ? " ± " : "", is_seen ? second : "");
}

/* What stands beside the value, and what energies of excerpts are not known to together. */
static double few_digits_spread(const ws_table *table, const ws_printed_column *printed, size_t row, double value)
{
    bool has_companion = printed->companion != WS_NO_COMPANION && !ws_cell_is_missing(table, printed->companion, row);
    double spread = has_companion ? printed->factor * table->columns[printed->companion].number[row] : 0;
    bool is_of_energy = ws_is_of_energy(table->columns[printed->column].name) && !printed->is_measured;
    return is_of_energy ? hypot(spread, ws_energy_u(table, &row, 1) * value) : spread;
}

void ws_group_digits(char *grouped, const char *number)
{
    static const char apart[] = "\xe2\x80\xaf"; /* U+202F */
    enum { LEAST = 5, GROUP = 3 };
    size_t n = 0;
    for (const char *at = number; *at && n + 1 < WS_CELL_TEXT;) {
        size_t digits = strspn(at, "0123456789");
        bool is_whole = digits >= LEAST && (at == number || (at[-1] != '.' && at[-1] != 'e'));
        for (size_t i = 0; i < (digits ? digits : 1) && n + sizeof apart < WS_CELL_TEXT; i++) {
            bool begins = is_whole && i && (digits - i) % GROUP == 0;
            memcpy(grouped + n, apart, begins ? sizeof apart - 1 : 0);
            n += begins ? sizeof apart - 1 : 0;
            grouped[n++] = at[i];
        }
        at += digits ? digits : 1;
    }
    grouped[n] = '\0';
}

const char *ws_grouped_cell(const ws_table *table, const ws_printed_column *column, const char *text, char *grouped)
{
    static const char *const names[] = {"job", "seed", "id", "date", "year"};
    const char *name = table->columns[column->column].name;
    bool is_name = ws_span_has_suffix(ws_span_of(name), "_id");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_name |= strcmp(name, names[i]) == 0;
    if (is_name)
        snprintf(grouped, WS_CELL_TEXT, "%s", text);
    else
        ws_group_digits(grouped, text);
    return grouped;
}

const char *ws_printed_cell(const ws_table *table, const ws_printed_column *printed, size_t row, char *buffer)
{
    const ws_column *column = &table->columns[printed->column];
    if (printed->is_range)
        return print_range(table, printed, row, buffer);
    if (ws_cell_is_missing(table, printed->column, row))
        return NULL;
    if (column->kind == WS_TEXT) {
        const ws_look *look = ws_look_of_value(table->looks, column->name, column->text[row]);
        return look && look->name ? look->name : column->text[row];
    }
    bool has_companion = printed->companion != WS_NO_COMPANION && !ws_cell_is_missing(table, printed->companion, row);
    const double f = printed->factor;
    double value = f * ws_table_number(table, printed->column, row);
    bool has_interval = printed->lo != WS_NO_COMPANION && !ws_cell_is_missing(table, printed->lo, row) &&
                        !ws_cell_is_missing(table, printed->hi, row);
    if (printed->has_few_digits && !has_interval && column->kind == WS_NUMBER)
        print_few_digits(buffer, value, few_digits_spread(table, printed, row, value));
    else if (has_interval)
        print_interval(buffer, value, f * table->columns[printed->lo].number[row],
                       f * table->columns[printed->hi].number[row]);
    else if (has_companion && printed->n_runs != WS_NO_COMPANION)
        print_mean(buffer, value, f * table->columns[printed->companion].number[row],
                   ws_table_number(table, printed->n_runs, row), printed->is_rmse);
    else if (is_statistic(table, printed, row))
        ws_double_text_digits(buffer, value, 4);
    else if (printed->is_criterion)
        ws_double_text_decimals(buffer, value, 2);
    else if (printed->is_r2)
        print_r2(buffer, value);
    else if (printed->is_weight)
        print_weight(buffer, value);
    else if (printed->is_p)
        print_p(buffer, value, printed->p_has_exponent);
    else if (printed->value != WS_NO_COMPANION && !ws_cell_is_missing(table, printed->value, row))
        print_end(buffer, value, f * ws_table_number(table, printed->value, row));
    else if (has_companion)
        ws_print_pair(buffer, value, f * table->columns[printed->companion].number[row]);
    else if (printed->ends[0] != WS_NO_COMPANION)
        print_between(buffer, value, f * ws_table_number(table, printed->ends[0], row),
                      f * ws_table_number(table, printed->ends[1], row), printed->has_range);
    else if (column->kind == WS_NUMBER && printed->is_ratio)
        print_digits(buffer, value, 4);
    else if (column->kind == WS_NUMBER || f != 1)
        print_plain(buffer, value);
    else
        ws_integer_text(buffer, column->integer[row]);
    return buffer;
}
