#include "analyze/near_names.h"

#include <string.h>

/* Edits. Where the nearest name is at most NEAR away, those that are at most ALMOST further are offered, too. */
enum { ALMOST = 1, NEAR = 4 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete, replace or swap with their neighbour (optimal string alignment), of the first 63 bytes of
 * each. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t table[LONGEST + 1][LONGEST + 1], m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= n; j++) {
            if (!i || !j) {
                table[i][j] = i + j;
                continue;
            }
            table[i][j] =
                least(table[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[m][n];
}

/* People leave out the part before the slash: "speedup" is as near to campaign/speedup as that is to itself. */
static size_t difference(const char *name, const char *known)
{
    const char *slash = strchr(known, '/');
    size_t whole = distance(name, known);
    return slash ? least(whole, distance(name, slash + 1)) : whole;
}

const char *ws_names_near(ws_arena *arena, const char *name, const char *const *names, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (difference(name, names[i]) < difference(name, names[best]))
            best = i;
    const char *list = names[best];
    for (size_t i = 0; i < n && difference(name, names[best]) <= NEAR; i++)
        if (i != best && difference(name, names[i]) <= difference(name, names[best]) + ALMOST)
            list = ws_arena_printf(arena, "%s or %s", list, names[i]);
    return list;
}

bool ws_name_is_slip(const char *name, const char *known)
{
    enum { SHORTEST = 3, LONG = 8 };
    size_t n = strlen(name), k = strlen(known), shorter = least(n, k), same = 0;
    while (same < shorter && name[same] == known[same])
        same++;
    bool is_plural = same == shorter && n != k && strcmp((n > k ? name : known) + same, "s") == 0;
    if (shorter < SHORTEST || !same || (same + 1 >= shorter && !is_plural))
        return false;
    return distance(name, known) <= (shorter < LONG ? 1 : 2);
}
