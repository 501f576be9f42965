/* Power over time, reduced while it streams by to the minimum, maximum and mean of fixed time buckets. Memory does not
 * grow with the length of the trace.
 *
 * A bucket spans 2^k ns and begins at a whole multiple of that. When a sample falls outside of the buckets there are, k
 * grows and neighbours merge in pairs, so that the outcome depends neither on the order of the samples nor on where the
 * trace was cut. Sums are exact (core/exactsum.h). */
#ifndef WS_ANALYZE_PROFILE_H
#define WS_ANALYZE_PROFILE_H

#include "core/arena.h"
#include "core/exactsum.h"
#include "core/note.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_PROFILE_BUCKETS = 2048 };

typedef struct ws_profile_bucket {
    uint64_t n;
    double min, max; /* W; of the n readings */
    ws_sum sum;
    int64_t first_ns, last_ns; /* times of the earliest and the latest reading */
} ws_profile_bucket;

typedef struct ws_profile {
    int shift;                  /* a bucket spans 2^shift ns */
    int64_t first;              /* bucket 0 holds the times t with t >> shift == first */
    size_t used;                /* buckets from the first with readings to the last with readings */
    ws_profile_bucket *buckets; /* WS_PROFILE_BUCKETS of them, NULL before the first reading */
    uint64_t samples, missing;
} ws_profile;

/* {0} is a valid empty profile. A value that is not finite is counted as missing. */
void ws_profile_add(ws_profile *profile, int64_t t_ns, double power_w);
void ws_profile_push(ws_profile *profile, const int64_t *t_ns, const double *power_w, size_t n); /* the same of many */
void ws_profile_merge(ws_profile *profile, const ws_profile *other);
void ws_profile_widen(ws_profile *profile, int shift); /* to buckets of at least 2^shift ns */
void ws_profile_clear(ws_profile *profile, int shift); /* empty, its memory kept; buckets of 2^shift ns */
void ws_profile_free(ws_profile *profile);             /* leaves a valid empty one */

static inline int64_t ws_profile_start_ns(const ws_profile *profile, size_t bucket)
{
    return (int64_t)(((uint64_t)profile->first + bucket) << profile->shift);
}

/* The sink that profiles: one profile for each channel of power, or of energy, from which the power between two
 * readings follows. Texts live in the arena. */
typedef struct ws_profiled {
    ws_channel channel;
    const char *source;
    ws_profile profile;
    bool has_last; /* of an energy channel: the reading before */
    int64_t last_t;
    double last_value;
} ws_profiled;

typedef struct ws_profiles {
    const char *source, *node; /* of what is pushed now */
    ws_profiled *channels;
    size_t n, capacity;
    bool has_domain; /* channels of others are passed over */
    ws_domain domain;
    bool has_window;        /* readings outside of it are passed over; the channels are there all the same */
    int64_t from_ns, to_ns; /* of the window, behind starts_ns[i] of channel i; in the arena */
    int64_t *starts_ns;
    size_t n_starts;
    ws_arena arena;
} ws_profiles;

/* Let `window` take, of the same traces read once more, what lies `from_ns` to `to_ns` behind the start of each run:
 * the first reading of the devices of the domain that run together. False: the domain has no reading. */
bool ws_profiles_take_window(ws_profiles *window, const ws_profiles *whole, ws_domain domain, int64_t from_ns,
                             int64_t to_ns);

void ws_profiles_begin(ws_profiles *profiles, const char *source, const char *node);
ws_sink ws_profiles_sink(ws_profiles *profiles); /* valid as long as the profiles stay where they are */
void ws_profiles_free(ws_profiles *profiles);

/* The first domain of which a channel has readings; WS_DOMAIN_N where none has. */
ws_domain ws_profiles_domain(const ws_profiles *profiles);

/* The channels that represent the devices of a domain: of each device the one with readings, power before interval
 * energy before counter, then by preference. Returns how many; `chosen` needs room for profiles->n. */
size_t ws_profiles_choose(const ws_profiles *profiles, ws_domain domain, const ws_profiled **chosen);

#endif
