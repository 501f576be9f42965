#include "formats/hdf5/perun_tree.h"

#include <stdlib.h>
#include <string.h>

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
