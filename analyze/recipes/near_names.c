#include "analyze/recipes/near_names.h"

#include <string.h>

/* Letters by which a name may be further away than the nearest and still be meant, where that one is near at all. */
enum { ALMOST = 1, NEAR = 4 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete or replace (Levenshtein), of the first 63 bytes of each. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1], n = strnlen(b, LONGEST);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= LONGEST && a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
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
