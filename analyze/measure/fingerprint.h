/* A fingerprint of the first readings of a power: whether two entries of a file show one sensor. A card that is read
 * twice a poll, each time a few milliseconds after the other, shows the same values but for those that fall on either
 * side of a change; two cards under one load agree in mean, spread, lowest and highest reading at most.
 *
 * Of the values without repeats, each four that follow each other and are all different are a word; those whose first
 * value has a hash in a fixed part of all have their own hash kept, up to WS_FINGERPRINT_WORDS. So a value more or
 * less, in one of the two, costs the words around it alone, and the fingerprint does not depend on how a trace is cut.
 * (k-grams chosen by content: Schleimer, Wilkerson and Aiken 2003, "Winnowing".) */
#ifndef WS_ANALYZE_FINGERPRINT_H
#define WS_ANALYZE_FINGERPRINT_H

#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_FINGERPRINT_WORDS = 8, WS_FINGERPRINT_VALUES = 4 };

typedef struct ws_fingerprint {
    double first[WS_FINGERPRINT_VALUES - 1], last[WS_FINGERPRINT_VALUES - 1]; /* values; `last`: the latest behind */
    uint8_t n_values; /* in them, up to WS_FINGERPRINT_VALUES - 1 */
    uint8_t n;
    uint16_t word[WS_FINGERPRINT_WORDS];
} ws_fingerprint;

/* {0} is empty. Readings that are NaN are passed over. */
void ws_fingerprint_push(ws_fingerprint *fingerprint, const ws_block *powers);
void ws_fingerprint_merge(ws_fingerprint *into, const ws_fingerprint *next); /* the following stretch of the channel */

/* Are so many words of the one in the other as chance does not explain? */
bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b);

#endif
