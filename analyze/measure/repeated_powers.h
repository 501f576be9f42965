/* Powers that come again: of a sensor that stands still, of a logger that repeats itself, or in a copy of the log. */
#ifndef WS_ANALYZE_REPEATED_POWERS_H
#define WS_ANALYZE_REPEATED_POWERS_H

#include "analyze/measure/suspect_powers.h"
#include "core/arena.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* --- powers that stand still: of a sensor that is stuck, or a logger that repeats itself --- */

/* Noise moves the power of every device: in 14 real logs with two decimals no value lasts longer than 2.3 s. From this
 * time and this many readings on. */
#define WS_STANDSTILL_S 20.0
enum { WS_STANDSTILL_READINGS = 10 };

/* Shorter ones, of powers of 20 W and more that are no whole watts, count where they come again and again. */
#define WS_STANDSTILL_BRIEF_S 5.0
enum { WS_STANDSTILL_BRIEF_READINGS = 5 };

typedef struct ws_standstill_run {
    double value;
    int64_t from_ns, to_ns;
    uint64_t n; /* readings; 0: there is no run */
} ws_standstill_run;

/* Long runs: together, and the longest. */
typedef struct ws_standstill_sum {
    int64_t ns, longest_ns;
    uint64_t longest_n;
    double energy_j; /* that the readings of all of them mean; to 1/1024 J each, so that any order has the same sum */
} ws_standstill_sum;

/* Whole watts, which an idle device may draw for hours, those of them that a limit of the power may have, at which a
 * device may stand as long, and others; low powers apart, beside which a step of the readings may be larger than their
 * noise. */
typedef enum ws_standstill_kind {
    WS_STILL_WHOLE,
    WS_STILL_LIMIT,
    WS_STILL_LOW_LIMIT, /* below 100 W, where large cards idle */
    WS_STILL_FINER,
    WS_STILL_BELOW_20_W,
    WS_STILL_BELOW_2_W,
    WS_STANDSTILL_KINDS
} ws_standstill_kind;

/* Which readings are the same: equal ones, or those that share one of the steps into which powers are divided, twice as
 * wide as the last of two decimals. Two neighbours, as 61.37 and 61.38 W, share one of the even steps or of the odd
 * ones; powers below 20 W share none. */
typedef enum ws_standstill_steps { WS_STILL_EQUAL, WS_STILL_EVEN, WS_STILL_ODD } ws_standstill_steps;
#define WS_STANDSTILL_STEP_W 0.02

/* Zeros are no run. */
typedef struct ws_standstill {
    ws_standstill_steps steps;
    int64_t window_start_ns, window_end_ns;    /* what lies outside of it does not count */
    ws_standstill_run first, last;             /* the first one, and the one that goes on where that is another */
    ws_standstill_sum of[WS_STANDSTILL_KINDS]; /* the long ones between, */
    ws_standstill_sum brief;                   /* and short ones of equal readings, */
    uint64_t n_brief;                          /* and how many */
} ws_standstill;

void ws_standstill_init(ws_standstill *still, ws_standstill_steps steps);
void ws_standstill_push(ws_standstill *still, const ws_block *powers, const ws_power_range *range);
void ws_standstill_merge(ws_standstill *into, const ws_standstill *next); /* the following stretch of the channel */

/* Those of all runs. */
void ws_standstill_read(const ws_standstill *still, ws_standstill_sum of[WS_STANDSTILL_KINDS]);

/* Short ones of all runs; their number. */
uint64_t ws_standstill_read_brief(const ws_standstill *still, ws_standstill_sum *brief);

/* Adds `more`, of other runs. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more);

/* --- fingerprints --- */

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
    int64_t window_start_ns, window_end_ns;
    double first[WS_FINGERPRINT_VALUES - 1], last[WS_FINGERPRINT_VALUES - 1]; /* without repeats; `last`: the latest
                                                                                 behind */
    uint32_t first_rank;                                                      /* of the first reading, */
    double latest_w;                                                          /* and the last one */
    ws_fingerprint_kept print;
} ws_fingerprint_taker;

/* {0} is empty and has no window. Readings that are NaN are passed over. */
void ws_fingerprint_push(ws_fingerprint_taker *taker, const ws_block *powers, const ws_power_range *range);

/* The same of a counter's readings in J: samples alone. What is compared of them is how far the counters rose between
 * two stamps, since a copy may count from its own beginning. */
void ws_fingerprint_push_counter(ws_fingerprint_taker *taker, const ws_block *counts);

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

#endif
