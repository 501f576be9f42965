#include "analyze/measure/fingerprint.h"

#include <math.h>
#include <string.h>

enum { VALUES = WS_FINGERPRINT_VALUES, BEFORE = VALUES - 1 };

/* A word is kept if its first value is one in so many. Ours. */
enum { ONE_IN = 2 };

/* Of eight and eight words of 16 bits, one is shared by chance in a thousand pairs, and three in none. One sensor is
 * found in 98 of 100 pairs where a twentieth of the readings differ, in 89 where a tenth, and in 58 where a fifth.
 * Ours. */
enum { LEAST_SHARED = 3 };

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* value: VALUES of them. */
static void add_word(ws_fingerprint *f, const double *value)
{
    for (int i = 0; i < VALUES; i++)
        for (int k = 0; k < i; k++)
            if (value[i] == value[k])
                return;
    uint64_t hash = mix(0, value[0]);
    if (hash >> 20 & (ONE_IN - 1))
        return;
    for (int i = 1; i < VALUES; i++)
        hash = mix(hash, value[i]);
    f->word[f->n++] = (uint16_t)(hash >> 16);
}

static void add_value(ws_fingerprint *f, double value)
{
    if (f->n_values && value == f->last[f->n_values - 1])
        return;
    if (f->n_values < BEFORE) {
        f->first[f->n_values] = f->last[f->n_values] = value;
        f->n_values++;
        return;
    }
    double word[VALUES];
    memcpy(word, f->last, sizeof f->last);
    word[BEFORE] = value;
    add_word(f, word);
    memcpy(f->last, word + 1, sizeof f->last);
}

static bool is_full(const ws_fingerprint *f)
{
    return f->n == WS_FINGERPRINT_WORDS;
}

/* Nothing follows the last word, wherever the trace is cut. */
static void end_if_full(ws_fingerprint *f)
{
    if (is_full(f))
        memset(f->last, 0, sizeof f->last);
}

void ws_fingerprint_push(ws_fingerprint *f, const ws_block *b)
{
    if (is_full(f))
        return;
    for (size_t i = 0; i < b->n && !is_full(f); i++)
        if (!isnan(b->value[i]))
            add_value(f, b->value[i]);
    end_if_full(f);
}

void ws_fingerprint_merge(ws_fingerprint *into, const ws_fingerprint *next)
{
    for (int i = 0; i < next->n_values && !is_full(into); i++)
        add_value(into, next->first[i]);
    for (int i = 0; i < next->n && !is_full(into); i++)
        into->word[into->n++] = next->word[i];
    if (next->n_values == BEFORE)
        memcpy(into->last, next->last, sizeof into->last);
    end_if_full(into);
}

bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b)
{
    int shared = 0;
    for (int i = 0; i < a->n; i++) {
        bool is_there = false;
        for (int k = 0; k < b->n; k++)
            is_there |= a->word[i] == b->word[k];
        shared += is_there;
    }
    return shared >= LEAST_SHARED;
}
