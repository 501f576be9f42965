/* A fingerprint of the readings of a power: do two channels show one sensor, or one log that was copied? A card that is
 * read twice a poll, each time a few milliseconds after the other, shows the same values but for those that fall on
 * either side of a change; a copy may lack a row or every second one, have whole watts, or stamps of another time.
 * Two cards under one load agree in mean, spread, lowest and highest reading at most.
 *
 *     words     four values that follow each other, without repeats, all different and neither rising nor falling
 *               throughout. A value more or less costs the words around it alone, and no stamp is in them.
 *     samples   readings with their stamps, chosen by a hash of the stamp alone: of two channels that were read at the
 *               same times the same ones, so that they can be compared reading by reading, whatever their digits.
 *
 * Of both the 16 with the smallest hashes are kept, over the whole trace, so that a fingerprint does not depend on how
 * a trace is cut; no more, since a store has one of each device. (Bottom-k sketches of k-grams: Broder 1997, "On the
 * resemblance and containment of documents"; coordinated samples: Cohen and Kaplan 2007.) */
#ifndef WS_ANALYZE_FINGERPRINT_H
#define WS_ANALYZE_FINGERPRINT_H

#include "analyze/measure/suspect_powers.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_FINGERPRINT_WORDS = 16, WS_FINGERPRINT_SAMPLES = 16, WS_FINGERPRINT_VALUES = 4 };

/* Small, for a store and a list of all devices keep it. `before`: the finest of the steps 1 mW, 10 mW, 100 mW and 1 W
 * (0 to 3) to which the reading agrees with the one before; WS_FINGERPRINT_DIFFERS, _ALONE: there is none, or it is not
 * known yet. */
enum { WS_FINGERPRINT_STEPS = 4, WS_FINGERPRINT_DIFFERS = WS_FINGERPRINT_STEPS, WS_FINGERPRINT_ALONE };
typedef struct ws_fingerprint {            /* without padding: compared byte by byte */
    uint32_t word[WS_FINGERPRINT_WORDS];   /* hashes, rising */
    uint32_t rank[WS_FINGERPRINT_SAMPLES]; /* hashes of the stamps, rising */
    float value_w[WS_FINGERPRINT_SAMPLES]; /* a power has no more digits */
    uint8_t before[WS_FINGERPRINT_SAMPLES];
    uint8_t times[WS_FINGERPRINT_WORDS]; /* that the word came, up to 255 */
    uint16_t n_words, n_samples;
} ws_fingerprint;

/* What takes it. */
typedef struct ws_fingerprint_taker {
    bool has_window; /* what lies outside of it does not count */
    bool has_any;
    uint8_t n_values; /* up to WS_FINGERPRINT_VALUES - 1 */
    int64_t window_start_ns, window_end_ns;
    double first[WS_FINGERPRINT_VALUES - 1], last[WS_FINGERPRINT_VALUES - 1]; /* without repeats; `last`: the latest
                                                                                 behind */
    uint32_t first_rank;                                                      /* of the first reading, */
    double latest_w;                                                          /* and the last one */
    ws_fingerprint print;
} ws_fingerprint_taker;

/* {0} is empty and has no window. Readings that are NaN are passed over. */
void ws_fingerprint_push(ws_fingerprint_taker *taker, const ws_block *powers, const ws_power_range *range);
/* `next`: of the following stretch of the channel. */
void ws_fingerprint_merge(ws_fingerprint_taker *into, const ws_fingerprint_taker *next);

/* Are so many words of the one in the other as chance does not explain? */
bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are nearly all words of both the same, whatever the stamps? Not where words come again in one trace, as those of
 * readings in whole watts that go round. */
bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are the readings at the same times the same, to the coarser of their steps, and so often that readings which are as
 * close to each other as those that follow each other in either trace do not explain it? `by_chance`: the chance of
 * what else of them agrees. */
bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b, double by_chance);

/* The chance that so many of their readings at the same times are the same; 1 where some are not, or where nothing
 * tells. Of several devices the chances multiply. */
double ws_fingerprints_chance(const ws_fingerprint *a, const ws_fingerprint *b);
extern const double ws_fingerprint_by_chance; /* at most this is no chance */

#endif
