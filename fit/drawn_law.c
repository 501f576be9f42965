#include "fit/drawn_law.h"

#include "core/arena.h"

#include <gsl/gsl_sort_double.h>
#include <stdint.h>
#include <string.h>

enum { DRAWS = WS_DRAWN_LAW_DRAWS, MOST = 128, KEPT = 1024, NEIGHBOURS = 8 };

typedef struct drawn_law {
    ws_draw_law *draw;
    double design[MOST], drawn[DRAWS];
    size_t n;
} drawn_law;

/* Where to begin to look: by Fowler, Noll and Vo's hash of the bits, so that a table of hundreds of sets of x is looked
 * up in no time. */
static size_t place_of(const double *design, size_t n)
{
    uint64_t hash = 14695981039346656037U, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &design[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211U;
        hash ^= hash >> 32; /* the low bits of most counts are zeros */
    }
    return hash % KEPT;
}

const double *ws_drawn_law(ws_draw_law *draw, void *state, const double *design, size_t n)
{
    static _Thread_local drawn_law *kept[KEPT];
    size_t from = place_of(design, n);
    drawn_law **place = &kept[from];
    for (size_t k = 0; k < NEIGHBOURS; k++) {
        drawn_law **at = &kept[(from + k) % KEPT], *law = *at;
        if (law && law->draw == draw && law->n == n && memcmp(law->design, design, n * sizeof *design) == 0)
            return law->drawn;
        if (!law) {
            place = at;
            break;
        }
    }
    drawn_law *law = *place ? *place : ws_alloc(sizeof *law);
    *place = law;
    law->draw = n <= MOST ? draw : NULL;
    law->n = n <= MOST ? n : 0;
    memcpy(law->design, design, law->n * sizeof *design);
    draw(state, law->drawn);
    gsl_sort(law->drawn, 1, DRAWS);
    return law->drawn;
}

size_t ws_drawn_at_least(const double *drawn, double value)
{
    size_t n = 0;
    while (n < DRAWS && drawn[DRAWS - 1 - n] >= value)
        n++;
    return n;
}

size_t ws_drawn_at_most(const double *drawn, double value)
{
    size_t n = 0;
    while (n < DRAWS && drawn[n] <= value)
        n++;
    return n;
}
