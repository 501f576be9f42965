/* A fingerprint of the readings of a power: do two channels show one sensor, or one log that was copied? A card that is
 * read twice a poll, each time a few milliseconds after the other, shows the same values but for those that fall on
 * either side of a change; a copy may lack a row, have nine rows of ten less, whole watts, or stamps of another time.
 * Two cards under one load agree in mean, spread, lowest and highest reading at most.
 *
 *     words     four values that follow each other, without repeats, all different and neither rising nor falling
 *               throughout. A value more or less costs the words around it alone, and no stamp is in them.
 *     samples   readings with their stamps, chosen by a hash of the stamp alone: of two channels that were read at the
 *               same times the same ones, so that they can be compared reading by reading, whatever their digits.
 *
 * Of both those with the smallest hashes are kept, over the whole trace, so that a fingerprint does not depend on how a
 * trace is cut. (Bottom-k sketches of k-grams: Broder 1997, "On the resemblance and containment of documents";
 * coordinated samples: Cohen and Kaplan 2007.) */
#ifndef WS_ANALYZE_FINGERPRINT_H
#define WS_ANALYZE_FINGERPRINT_H

#include "analyze/measure/suspect_powers.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_FINGERPRINT_WORDS = 32, WS_FINGERPRINT_SAMPLES = 96, WS_FINGERPRINT_VALUES = 4 };

/* As float: a power has fewer digits. */
typedef struct ws_fingerprint_sample {
    int64_t t_ns;
    float value_w, before_w; /* the reading before; NaN: none, or not known yet */
} ws_fingerprint_sample;

typedef struct ws_fingerprint {
    bool has_window; /* what lies outside of it does not count */
    bool has_any;
    uint8_t n_values, n_words, n_samples; /* n_values: up to WS_FINGERPRINT_VALUES - 1 */
    uint8_t times[WS_FINGERPRINT_WORDS];  /* that the word came, up to 255 */
    int64_t window_start_ns, window_end_ns;
    double first[WS_FINGERPRINT_VALUES - 1], last[WS_FINGERPRINT_VALUES - 1]; /* without repeats; `last`: the latest
                                                                                 behind */
    uint32_t word[WS_FINGERPRINT_WORDS];                                      /* rising */
    int64_t first_ns;                                                         /* stamp of the first reading, */
    double latest_w;                                                          /* and the last one */
    ws_fingerprint_sample sample[WS_FINGERPRINT_SAMPLES];                     /* by their hashes */
} ws_fingerprint;

/* What a list of many devices keeps of it: words and samples with the smallest hashes; of a sample's stamp its hash. */
enum { WS_FINGERPRINT_KEPT_WORDS = 16, WS_FINGERPRINT_KEPT_SAMPLES = 32 };
typedef struct ws_kept_fingerprint {
    uint8_t n_words, n_samples, times[WS_FINGERPRINT_KEPT_WORDS];
    uint32_t word[WS_FINGERPRINT_KEPT_WORDS], rank[WS_FINGERPRINT_KEPT_SAMPLES];
    float value_w[WS_FINGERPRINT_KEPT_SAMPLES];
    float step_w, self_agreement; /* of all samples: their last digit, and the share that is as the one before */
} ws_kept_fingerprint;

/* {0} is empty and has no window. Readings that are NaN are passed over. */
void ws_fingerprint_push(ws_fingerprint *fingerprint, const ws_block *powers, const ws_power_range *range);
void ws_fingerprint_merge(ws_fingerprint *into, const ws_fingerprint *next); /* the following stretch of the channel */

/* Are so many words of the one in the other as chance does not explain? */
bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are nearly all words of both the same, whatever the stamps? Not where words come again in one trace, as those of
 * readings in whole watts that go round. */
bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are the readings at the same times the same, to the coarser of their steps, and so often that readings which are as
 * close to each other as those that follow each other in either trace do not explain it? */
bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b);

void ws_fingerprint_keep(ws_kept_fingerprint *kept, const ws_fingerprint *fingerprint);
bool ws_kept_fingerprints_are_one(const ws_kept_fingerprint *a, const ws_kept_fingerprint *b);

/* The chance that so many of their readings at the same times are the same; 1 where some are not, or where nothing
 * tells. Of several devices the chances multiply. */
double ws_kept_fingerprints_chance(const ws_kept_fingerprint *a, const ws_kept_fingerprint *b);
extern const double ws_fingerprint_by_chance; /* at most this is no chance */

#endif
