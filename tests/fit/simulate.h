/* Campaigns as they are measured, drawn at random: 5 to 9 GPU counts that double, 1 to 5 repeats each. Shares no code
 * with fit/, its random numbers included: PCG32 (O'Neill 2014) and the polar method (Marsaglia and Bray 1964). */
#ifndef WS_TESTS_FIT_SIMULATE_H
#define WS_TESTS_FIT_SIMULATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { SIM_COUNTS = 10, SIM_MOST_COUNTS = 9, SIM_REPEATS = 5, SIM_RUNS = SIM_COUNTS * SIM_REPEATS };

typedef struct sim {
    uint64_t state;
    double spare; /* a normal number left over, or NaN */
    size_t n_counts, n;
    double gpus[SIM_RUNS]; /* of each run, ascending */
    size_t place[SIM_RUNS], repeats[SIM_COUNTS];
} sim;

static inline uint32_t sim_bits(sim *s)
{
    uint64_t old = s->state;
    s->state = old * 6364136223846793005U + 1442695040888963407U;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return shifted >> turn | shifted << (-turn & 31);
}

static inline sim sim_begin(uint64_t seed, uint64_t stream)
{
    sim s = {.state = seed * 0x9e3779b97f4a7c15U + stream * 0xd1342543de82ef95U + 1, .spare = NAN};
    for (int i = 0; i < 4; i++)
        sim_bits(&s);
    return s;
}

static inline double sim_uniform(sim *s, double low, double high)
{
    double share = ((double)(sim_bits(s) >> 6) * 0x1p26 + (double)(sim_bits(s) >> 6) + 0.5) * 0x1p-52;
    return low + (high - low) * share;
}

static inline size_t sim_from_to(sim *s, size_t low, size_t high)
{
    return low + (size_t)sim_uniform(s, 0, (double)(high - low + 1));
}

/* How many campaigns a test draws: ADVISE_CAMPAIGNS, or as many as said. */
static inline size_t sim_campaigns(size_t usually, size_t most)
{
    const char *wanted = getenv("ADVISE_CAMPAIGNS");
    size_t n = wanted ? strtoul(wanted, NULL, 10) : usually;
    return n < most ? n : most;
}

static inline double sim_normal(sim *s)
{
    double u = 2, v = 0, square = 2;
    if (!isnan(s->spare)) {
        double kept = s->spare;
        s->spare = NAN;
        return kept;
    }
    while (square >= 1 || square == 0) {
        u = sim_uniform(s, -1, 1);
        v = sim_uniform(s, -1, 1);
        square = u * u + v * v;
    }
    double stretch = sqrt(-2 * log(square) / square);
    s->spare = v * stretch;
    return u * stretch;
}

/* The design of the next campaign: as many repeats of every count in one half of them, any number in the other. */
static inline void sim_campaign(sim *s)
{
    double first = (double)(1U << sim_from_to(s, 0, 2));
    bool even = sim_bits(s) & 1;
    size_t repeats = sim_from_to(s, 1, SIM_REPEATS);
    s->n_counts = sim_from_to(s, 5, SIM_MOST_COUNTS);
    s->n = 0;
    for (size_t k = 0; k < s->n_counts; k++) {
        s->repeats[k] = even ? repeats : sim_from_to(s, 1, SIM_REPEATS);
        for (size_t r = 0; r < s->repeats[k]; r++) {
            s->place[s->n] = k;
            s->gpus[s->n++] = ldexp(first, (int)k);
        }
    }
}

/* The same with at least one count measured twice. */
static inline void sim_campaign_with_repeats(sim *s)
{
    do
        sim_campaign(s);
    while (s->n == s->n_counts);
}

#endif
