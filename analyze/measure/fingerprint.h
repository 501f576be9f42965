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
 * Of both those with the smallest hashes are kept, over the whole trace, so that a fingerprint does not depend on how a
 * trace is cut: 16 words, and so many readings that those of all powers of a log tell a copy with every tenth row; no
 * more, since a store has one of each device. (Bottom-k sketches of k-grams: Broder 1997, "On the resemblance and
 * containment of documents"; coordinated samples: Cohen and Kaplan 2007.) */
#ifndef WS_ANALYZE_FINGERPRINT_H
#define WS_ANALYZE_FINGERPRINT_H

#include "analyze/measure/suspect_powers.h"
#include "core/arena.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_FINGERPRINT_WORDS = 16, WS_FINGERPRINT_SAMPLES = 96, WS_FINGERPRINT_VALUES = 4 };

/* `before`: the finest of the steps 1 mW, 10 mW, 100 mW and 1 W (0 to 3) to which the reading agrees with the one
 * before; WS_FINGERPRINT_DIFFERS, _ALONE: there is none, or it is not known yet. */
enum { WS_FINGERPRINT_STEPS = 4, WS_FINGERPRINT_DIFFERS = WS_FINGERPRINT_STEPS, WS_FINGERPRINT_ALONE };
#define WS_FINGERPRINT_MOST_RANK 0xffffffU /* of 24 bits: stamps that share them cost a sample */
typedef struct ws_fingerprint_sample {     /* without padding, as the next: compared byte by byte */
    uint32_t rank : 24, before : 8;        /* rank: a hash of the stamp */
    union {
        float value_w;     /* a power has no more digits */
        uint32_t count_mj; /* of a counter, modulo 1 kWh, which counters in J, kJ and Wh count in whole ones */
    };
} ws_fingerprint_sample;

typedef struct ws_fingerprint_kept {
    uint32_t word[WS_FINGERPRINT_WORDS]; /* hashes, rising */
    uint8_t times[WS_FINGERPRINT_WORDS]; /* that the word came, up to 255 */
    uint32_t n_words, n_samples, is_counter;
    ws_fingerprint_sample sample[WS_FINGERPRINT_SAMPLES]; /* by rank */
} ws_fingerprint_kept;

/* What is compared: a view of those, wherever they are kept. */
typedef struct ws_fingerprint {
    const uint32_t *word;
    const uint8_t *times;
    const ws_fingerprint_sample *sample;
    uint32_t n_words, n_samples;
    bool is_counter;
} ws_fingerprint;

/* What takes it. */
typedef struct ws_fingerprint_taker {
    bool has_window; /* what lies outside of it does not count */
    bool has_any;
    uint8_t n_values; /* up to WS_FINGERPRINT_VALUES - 1 */
    /* Of a stretch: words and samples above these are in no fingerprint of the whole, which has smaller ones. They are
     * in no record. */
    bool is_stretch;
    uint32_t most_rank;
    int64_t window_start_ns, window_end_ns;
    double first[WS_FINGERPRINT_VALUES - 1]; /* without repeats, */
    double last[WS_FINGERPRINT_VALUES - 1];  /* the latest behind */
    uint32_t most_word;
    uint32_t first_rank; /* of the first reading, */
    double latest_w;     /* and the last one */
    ws_fingerprint_kept print;
} ws_fingerprint_taker;

/* {0} is empty and has no window. Readings that are NaN are passed over. */
void ws_fingerprint_push(ws_fingerprint_taker *taker, const ws_block *powers, const ws_value_range *range);

/* The same of a counter's readings in J: samples alone. What is compared of them is how far the counters rose between
 * two stamps, since a copy may count from its own beginning. */
void ws_fingerprint_push_counter(ws_fingerprint_taker *taker, const ws_block *counts);

/* Begins that of a later stretch of the channel, of which only what may count in the whole is kept. It has the window
 * of the whole. */
void ws_fingerprint_begin_stretch(ws_fingerprint_taker *stretch, const ws_fingerprint_taker *whole);

/* `next`: of the following stretch of the channel. */
void ws_fingerprint_merge(ws_fingerprint_taker *into, const ws_fingerprint_taker *next);

/* Leaves the readings that a fingerprint has beside those of the other powers and counters of its log, n in all. */
void ws_fingerprint_cut(ws_fingerprint_taker *taker, size_t n);

ws_fingerprint ws_fingerprint_of(const ws_fingerprint_taker *taker); /* valid as long as it stays where it is */
ws_fingerprint ws_fingerprint_copy(ws_arena *arena, const ws_fingerprint_taker *taker);

/* Any order in which equal ones come together; 0: equal. */
int ws_fingerprints_order(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are so many words of the one in the other as chance does not explain? */
bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are nearly all words of both the same, whatever the stamps? Not where words come again in one trace, as those of
 * readings in whole watts that go round. */
bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b);

/* Are the readings at the same times the same, to the coarser of their steps, and so often that readings which are as
 * close to each other as those that follow each other in either trace do not explain it? `by_chance`: the chance of
 * what else of them agrees. */
bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b, double by_chance);

/* The readings at the same times of several devices: {.chance = 1} before the first one. */
typedef struct ws_shared_readings {
    int n, n_agree;
    int n_values, n_asked; /* different ones among those that agree, and of how many */
    double chance;         /* that so many agree: the product over the devices */
} ws_shared_readings;

void ws_fingerprints_compare(ws_shared_readings *sum, const ws_fingerprint *a, const ws_fingerprint *b);

/* Are nearly all of them the same, and more than chance explains? */
bool ws_are_shared_readings(const ws_shared_readings *shared);
extern const double ws_fingerprint_by_chance; /* at most this is no chance */

/* The last digit that the readings of a power have, of 1 mW to 1 W, in W. */
double ws_fingerprint_step_w(const ws_fingerprint *fingerprint);

/* Are the readings of `sum` those of all n parts together? Powers at the stamps that all share, but for one in ten, to
 * 0.3 % or the rounding of all, and to a tenth of what the sum changes by; counters by what they rose, to theirs.
 * Unknown: they share too few stamps. */
typedef enum ws_sum_likeness { WS_SUM_UNKNOWN, WS_NO_SUM, WS_SUM } ws_sum_likeness;
ws_sum_likeness ws_fingerprints_add_up(const ws_fingerprint *sum, const ws_fingerprint *parts, size_t n);

#endif
