/* qsort_r */
#define _GNU_SOURCE
#include "analyze/recipes/paper_order.h"

#include "analyze/recipes/series_looks.h"
#include "analyze/same_rows.h"
#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ws_is_of_paper(const char *recipe)
{
    static const char *const others[] = {"campaign/", "trace/"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(recipe, others[i], strlen(others[i])) == 0)
            return false;
    return strchr(recipe, '/') != NULL;
}

/* What tells experiments apart, the first before others. */
static const struct {
    const char *name;
    bool falls; /* numbers: the highest first */
} settings[] = {{"model_class", false}, {"model", false},      {"device", false},
                {"phase", false},       {"power_cap_w", true}, {"clock_cap_hz", true}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static const char *const sizes[] = {"gpus", "lbs", "gbs", "dataset_samples", "epochs", "repeat"};
enum { GPUS, LBS, GBS, SAMPLES, EPOCHS, N_SIZES = sizeof sizes / sizeof *sizes };

/* What the rows of a series have in common. */
typedef struct series_facts {
    size_t least; /* its first row by settings */
    bool varies[N_SIZES];
    double first[N_SIZES];
} series_facts;

typedef struct sorter {
    const ws_table *table;
    size_t setting[N_SETTINGS], size[N_SIZES], series; /* columns; n_columns where there is none */
    size_t *kind;                                      /* number of its series, by row */
    series_facts *facts;
    size_t n;
} sorter;

static double number(const sorter *s, size_t column, size_t row)
{
    return column < s->table->n_columns ? ws_table_number(s->table, column, row) : NAN;
}

/* What is not stated comes last. */
static int compare_numbers(double a, double b)
{
    return isnan(a) || isnan(b) ? (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0) : (a > b) - (a < b);
}

static int compare_texts(const char *a, const char *b, bool is_phase)
{
    a = a ? a : "";
    b = b ? b : "";
    bool a_goes_first = is_phase && strncmp(a, "pre", 3) == 0, b_goes_first = is_phase && strncmp(b, "pre", 3) == 0;
    return a_goes_first != b_goes_first ? (a_goes_first ? -1 : 1) : ws_series_order(a, b);
}

static int compare_settings(const sorter *s, size_t a, size_t b)
{
    int order = 0;
    for (size_t i = 0; i < N_SETTINGS && !order; i++) {
        size_t column = s->setting[i];
        if (column == s->table->n_columns)
            continue;
        const ws_column *c = &s->table->columns[column];
        if (c->kind == WS_TEXT)
            order = compare_texts(c->text[a], c->text[b], strcmp(settings[i].name, "phase") == 0);
        else if (settings[i].falls)
            order = compare_numbers(-number(s, column, a), -number(s, column, b));
        else
            order = compare_numbers(number(s, column, a), number(s, column, b));
    }
    return order;
}

/* 0: the local batch size is held, 1: the global one, 2: neither, or both where there is one number of GPUs. */
static int held_batch_of(const series_facts *f)
{
    return f->varies[LBS] == f->varies[GBS] ? 2 : f->varies[LBS];
}

static int compare_facts(const sorter *s, const series_facts *a, const series_facts *b)
{
    static const size_t then[] = {LBS, GBS, SAMPLES, EPOCHS};
    int order = compare_settings(s, a->least, b->least), held_a = held_batch_of(a), held_b = held_batch_of(b);
    order = order ? order : held_a - held_b;
    if (!order && held_a < 2)
        order = compare_numbers(a->first[held_a ? GBS : LBS], b->first[held_b ? GBS : LBS]);
    order = order ? order : a->varies[SAMPLES] - b->varies[SAMPLES];
    for (size_t i = 0; i < sizeof then / sizeof *then && !order; i++)
        order = compare_numbers(a->first[then[i]], b->first[then[i]]);
    return order;
}

static const char *series_name(const sorter *s, size_t row)
{
    const char *name = s->series < s->table->n_columns ? s->table->columns[s->series].text[row] : NULL;
    return name ? name : "";
}

static int compare_rows(const void *x, const void *y, void *state)
{
    const sorter *s = state;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    int order = 0;
    if (s->kind[a] != s->kind[b]) {
        order = compare_facts(s, &s->facts[s->kind[a]], &s->facts[s->kind[b]]);
        return order ? order : ws_series_order(series_name(s, a), series_name(s, b));
    }
    order = compare_settings(s, a, b);
    for (size_t i = 0; i < N_SIZES && !order; i++)
        order = compare_numbers(number(s, s->size[i], a), number(s, s->size[i], b));
    return order ? order : (a > b) - (a < b);
}

/* The least number of each size is the one that a series is known by. */
static void take_facts(sorter *s)
{
    ws_same_rows index;
    size_t n_columns = s->series < s->table->n_columns;
    ws_same_rows_init(&index, s->table, &s->series, n_columns);
    for (size_t row = 0; row < s->n; row++)
        s->kind[row] = ws_same_rows_number(&index, row);
    s->facts = ws_alloc((index.n + 1) * sizeof *s->facts);
    for (size_t i = 0; i < index.n; i++)
        s->facts[i] = (series_facts){.least = SIZE_MAX};
    ws_same_rows_free(&index);
    for (size_t row = 0; row < s->n; row++) {
        series_facts *f = &s->facts[s->kind[row]];
        bool is_first = f->least == SIZE_MAX;
        for (size_t i = 0; i < N_SIZES; i++) {
            double value = number(s, s->size[i], row);
            f->varies[i] |= !is_first && compare_numbers(value, f->first[i]) != 0;
            f->first[i] = is_first ? value : fmin(f->first[i], value);
        }
        if (is_first || compare_settings(s, row, f->least) < 0)
            f->least = row;
    }
}

bool ws_paper_order(const ws_table *table, ws_table *out)
{
    sorter s = {.table = table, .series = table->n_columns, .n = table->n_rows};
    size_t column, *order = ws_alloc(2 * (s.n + 1) * sizeof *order);
    for (size_t i = 0; i < N_SETTINGS; i++)
        s.setting[i] = ws_table_find(table, settings[i].name, &column) ? column : table->n_columns;
    for (size_t i = 0; i < N_SIZES; i++)
        s.size[i] = ws_table_find(table, sizes[i], &column) ? column : table->n_columns;
    if (ws_table_find(table, "series", &column) && table->columns[column].kind == WS_TEXT)
        s.series = column;
    s.kind = order + s.n + 1;
    take_facts(&s);
    bool is_sorted = true;
    for (size_t i = 0; i < s.n; i++)
        order[i] = i;
    for (size_t i = 1; i < s.n && is_sorted; i++)
        is_sorted = compare_rows(&order[i - 1], &order[i], &s) <= 0;
    if (!is_sorted) {
        qsort_r(order, s.n, sizeof *order, compare_rows, &s);
        ws_table_copy_ordered(table, order, s.n, out);
    }
    free(s.facts);
    free(order);
    return !is_sorted;
}
