#include "formats/hdf5/perun_tree.h"

#include <stdlib.h>
#include <string.h>

const char *ws_perun_part_name(ws_perun_part part)
{
    static const char *const names[] = {"nodes", "nodes", "regions", "raw_data", "metrics"};
    return names[part];
}

void ws_perun_add_name(ws_perun_names *names, ws_arena *arena, const char *name)
{
    if (names->n == names->capacity) {
        names->capacity = names->capacity ? names->capacity * 2 : 16;
        const char **grown = ws_arena_alloc(arena, names->capacity * sizeof *grown);
        if (names->n)
            memcpy(grown, names->items, names->n * sizeof *grown);
        names->items = grown;
    }
    names->items[names->n++] = ws_arena_strdup(arena, name);
}

bool ws_perun_keep_unit(const char *text, char unit[8])
{
    bool fits = text && strlen(text) < 8;
    strcpy(unit, fits ? text : "");
    return fits;
}

/* Up to 0.6.2 the metrics of a region lie in the region itself, and N_RUNS still does. */
static bool open_metric(const ws_perun_tree *tree, ws_perun_ref place, const char *name, ws_perun_ref *metric)
{
    return tree->open(tree->state, place, WS_PERUN_METRICS, name, metric) ||
           tree->open(tree->state, place, WS_PERUN_ITSELF, name, metric);
}

bool ws_perun_metric_of(const ws_perun_tree *tree, ws_perun_ref place, const char *name, ws_perun_metric *metric)
{
    ws_perun_ref at;
    if (!open_metric(tree, place, name, &at))
        return false;
    ws_arena arena = {0};
    double magnitude = 1;
    bool ok =
        tree->number(tree->state, at, "value", &metric->value) || tree->number(tree->state, at, "mean", &metric->value);
    tree->number(tree->state, at, "mag", &magnitude);
    metric->value *= ok ? magnitude : 1;
    ws_perun_keep_unit(tree->text(tree->state, at, "unit", &arena), metric->unit);
    ws_arena_free(&arena);
    tree->close(tree->state, at);
    return ok;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t number_length(const char *text)
{
    size_t n = 0;
    while (is_digit(text[n]))
        n++;
    return n;
}

/* "2" before "10": runs and ranks are numbered. */
static int compare_names(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    while (*a && *b) {
        size_t na = number_length(a), nb = number_length(b);
        if (na && nb) {
            int order = na != nb ? (na < nb ? -1 : 1) : memcmp(a, b, na);
            if (order)
                return order;
            a += na, b += nb;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++, b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

ws_perun_names ws_perun_children(const ws_perun_tree *tree, ws_perun_ref place, ws_perun_part part, ws_arena *arena)
{
    ws_perun_names names = {0};
    tree->names(tree->state, place, part, arena, &names);
    if (names.n)
        qsort(names.items, names.n, sizeof *names.items, compare_names);
    return names;
}
