#include "analyze/recipes/story_words.h"

#include "analyze/recipes/figure_series.h"
#include "core/text.h"
#include "report/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void strip_zeros(char *text)
{
    if (!strchr(text, '.') || strchr(text, 'e'))
        return;
    size_t n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    text[n - (text[n - 1] == '.')] = '\0';
}

/* Sentences have the minus sign of print, and thin spaces in long numbers. */
static ws_wording typeset(ws_wording said)
{
    ws_wording number, set;
    bool is_negative = said.text[0] == '-';
    ws_group_digits(number.text, said.text + is_negative);
    snprintf(set.text, sizeof set.text, "%s%.100s", is_negative ? "−" : "", number.text);
    return set;
}

ws_wording ws_say_digits(double value, int digits)
{
    ws_wording said;
    ws_double_text_digits(said.text, value, digits);
    strip_zeros(said.text);
    return typeset(said);
}

ws_wording ws_say_number(double value)
{
    return ws_say_digits(value, 4);
}

ws_wording ws_say_percent(double share)
{
    ws_wording said;
    ws_double_text_digits(said.text, 100 * share, share > 0.99 ? 4 : 3);
    strip_zeros(said.text);
    bool rounded_up = share < 1 && strcmp(said.text, "100") == 0;
    if (rounded_up)
        strcpy(said.text, "over 99.99");
    strcat(said.text, " %");
    return said;
}

ws_wording ws_say_r2(double r2)
{
    ws_wording said = ws_say_number(r2);
    bool rounded_up = r2 < 1 && strcmp(said.text, "1") == 0;
    if (rounded_up)
        strcpy(said.text, "above 0.9999");
    return said;
}

ws_story_unit ws_say_unit(const ws_looks *looks, ws_arena *arena, const char *column, const char *usual)
{
    const ws_look *look = ws_look_of_column(looks, column);
    bool has_unit = look && look->unit;
    const char *name = has_unit ? look->unit : usual;
    return (ws_story_unit){has_unit ? look->factor : 1, *name ? ws_arena_printf(arena, " %s", name) : ""};
}

ws_story_unit ws_say_energy_unit(const ws_looks *looks, ws_arena *arena, double largest_kwh)
{
    static const ws_story_unit units[] = {{1e6, " mWh"}, {1e3, " Wh"}, {1, " kWh"}, {1e-3, " MWh"}, {1e-6, " GWh"}};
    static const double next_from = 999.95; /* which four digits print as 1000 */
    const ws_look *look = ws_look_of_column(looks, "energy_kwh");
    const ws_story_unit *unit = units, *last = units + sizeof units / sizeof *units - 1;
    if (look && look->unit)
        return ws_say_unit(looks, arena, "energy_kwh", "");
    while (unit < last && largest_kwh * unit->factor >= next_from)
        unit++;
    return *unit;
}

const char *ws_say_title(ws_arena *arena, const char *text)
{
    char *title = ws_arena_strdup(arena, text);
    if (title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
    return title;
}

ws_wording ws_say_pair(double value, double uncertainty)
{
    ws_wording said = ws_say_number(value);
    if (uncertainty > 0)
        ws_print_pair(said.text, value, uncertainty);
    return typeset(said);
}

static ws_wording story_words_join(ws_wording lo, ws_wording hi)
{
    ws_wording said = lo;
    if (strcmp(lo.text, hi.text) != 0)
        snprintf(said.text, sizeof said.text, "%.40s to %.40s", lo.text, hi.text);
    return said;
}

ws_wording ws_say_range(double lo, double hi)
{
    return story_words_join(ws_say_number(lo), ws_say_number(hi));
}

/* To the unit of the last digit, 10^place. */
static ws_wording to_place(double x, int place)
{
    enum { MOST_DIGITS = 8 };
    ws_wording said;
    double unit = pow(10, place), rounded = round(x / unit) * unit;
    double digits = rounded != 0 ? floor(log10(fabs(rounded)) + 1e-9) - place + 1 : 1;
    ws_double_text_digits(said.text, rounded, (int)fmin(fmax(digits, 1), MOST_DIGITS));
    return typeset(said);
}

ws_wording ws_say_within(double value, double lo, double hi)
{
    double half = (hi - lo) / 2;
    int place = (int)floor(log10(half)) - 1, least = value != 0 ? (int)floor(log10(fabs(value))) - 3 : place;
    return to_place(value, place > least ? place : least);
}

/* Both ends have the decimals that half of what is between them has with two digits; where that is nothing, four
 * digits. */
ws_wording ws_say_interval(double lo, double hi)
{
    enum { OF_A_POINT = 4 };
    double size = fmax(fabs(lo), fabs(hi)), half = (hi - lo) / 2;
    int place = half > 0 ? (int)floor(log10(half)) - 1 : size > 0 ? (int)floor(log10(size)) + 1 - OF_A_POINT : 0;
    return story_words_join(to_place(lo, place), to_place(hi, place));
}

ws_wording ws_say_percent_range(double lo, double hi)
{
    return story_words_join(ws_say_percent(lo), ws_say_percent(hi));
}

ws_wording ws_say_count(size_t n, const char *one, const char *many)
{
    ws_wording number, said;
    snprintf(number.text, sizeof number.text, "%zu", n);
    number = typeset(number);
    snprintf(said.text, sizeof said.text, "%.30s %s", number.text, n == 1 ? one : many);
    return said;
}

ws_column_range ws_spread_take(const ws_table *table, const char *name)
{
    ws_column_range spread = {.lo = NAN, .hi = NAN};
    size_t column;
    if (!ws_table_find(table, name, &column))
        return spread;
    for (size_t row = 0; row < table->n_rows; row++) {
        double value = ws_table_number(table, column, row);
        if (!isfinite(value))
            continue;
        if (!spread.n || value < spread.lo)
            spread.lo = value, spread.at_lo = row;
        if (!spread.n || value > spread.hi)
            spread.hi = value, spread.at_hi = row;
        spread.sum += value;
        spread.n++;
    }
    return spread;
}

enum { MOST = 8 };

static bool is_repeated(const ws_column *column, size_t row)
{
    for (size_t before = 0; before < row; before++)
        if (column->text[before] && strcmp(column->text[before], column->text[row]) == 0)
            return true;
    return false;
}

/* same[row]: the first row of its run, each of which counts once. */
static size_t count_equal(const ws_table *table, const ws_column *column, const char *text, const size_t *same)
{
    size_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        n += same[row] == row && column->text[row] && strcmp(column->text[row], text) == 0;
    return n;
}

/* As a list holds it: neither so long that it fills the sentence, nor turning what follows it. */
static const char *name_of(ws_arena *arena, const char *name)
{
    enum { LONGEST = 80 };
    return ws_isolated(arena, ws_utf8_shorten(arena, name, LONGEST));
}

const char *ws_say_texts(ws_arena *arena, const ws_table *table, const char *name, const size_t *same)
{
    const ws_column *column = ws_table_column(table, name);
    const char *said = "";
    size_t n = 0;
    for (size_t row = 0; column && column->kind == WS_TEXT && row < table->n_rows; row++) {
        const char *text = column->text[row];
        if (!text || is_repeated(column, row) || ++n > MOST)
            continue;
        const ws_look *look = ws_look_of_value(table->looks, name, text);
        said = ws_arena_printf(arena, "%s%s%s", said, n > 1 ? ", " : "",
                               name_of(arena, look && look->name ? look->name : text));
        if (same)
            said = ws_arena_printf(arena, "%s (%zu)", said, count_equal(table, column, text, same));
    }
    return n > MOST ? ws_arena_printf(arena, "%s and %zu more", said, n - MOST) : said;
}

static int compare_names(const void *a, const void *b)
{
    return ws_series_order(*(const char *const *)a, *(const char *const *)b);
}

const char *ws_say_series(ws_arena *arena, const ws_table *table)
{
    const ws_column *column = ws_table_column(table, "series");
    const char **names = ws_arena_alloc(arena, (table->n_rows + 1) * sizeof *names), *said = "";
    size_t n = 0;
    for (size_t row = 0; column && column->kind == WS_TEXT && row < table->n_rows; row++)
        if (column->text[row] && !is_repeated(column, row))
            names[n++] = ws_series_spelled(table->looks, arena, "series", column->text[row]);
    if (n)
        qsort(names, n, sizeof *names, compare_names);
    const char *between = ", ";
    for (size_t i = 0; i < n && i < MOST; i++)
        between = strchr(names[i], ',') ? "; " : between; /* a name of several parts has its own commas */
    for (size_t i = 0; i < n && i < MOST; i++)
        said = ws_arena_printf(arena, "%s%s%s", said, i ? between : "", name_of(arena, names[i]));
    return n > MOST ? ws_arena_printf(arena, "%s and %zu more", said, n - MOST) : said;
}
