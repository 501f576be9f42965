/* What flows from a reader to a meter: channels, and blocks of their samples.
 *
 * A reader announces each channel once and then pushes blocks to it. Values are SI (W, J, Hz, B, degrees C; ratios 0..1),
 * time is int64 nanoseconds. */
#ifndef WS_CORE_SAMPLE_H
#define WS_CORE_SAMPLE_H

#include "core/stamp.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a reading is about. core and gfx lie inside cpu, and psys, node and wall hold the others: a total never adds
 * domains that contain each other. */
typedef enum ws_domain {
    WS_GPU = 0,
    WS_CPU, /* a package */
    WS_DRAM,
    WS_NODE, /* a whole node: BMC, node power */
    WS_WALL, /* at the wall socket */
    WS_OTHER,
    WS_CPU_CORE, /* cores, inside cpu */
    WS_CPU_GFX,  /* integrated graphics, inside cpu */
    WS_PSYS,     /* platform, holds cpu and more */
    WS_DOMAIN_N
} ws_domain;
const char *ws_domain_name(ws_domain domain); /* "gpu cpu dram node wall other core gfx psys" */

typedef enum ws_quantity {
    WS_POWER = 0,       /* W */
    WS_ENERGY_COUNTER,  /* J, running total; energy is last minus first, wraps undone */
    WS_ENERGY_INTERVAL, /* J of the interval that ends at the stamp */
    WS_UTIL,            /* 0..1 */
    WS_MEM_UTIL,        /* 0..1, share of time with memory traffic */
    WS_MEM_USED,        /* B */
    WS_CLOCK,           /* Hz, SM or core clock */
    WS_TEMPERATURE,     /* degrees C */
    WS_POWER_LIMIT,     /* W, a setting and no reading */
    WS_OTHER_VALUE,     /* any column that has values but no meaning here */
    WS_QUANTITY_N
} ws_quantity;
/* "power energy-counter energy-interval util mem-util mem-used clock temp power-limit other" */
const char *ws_quantity_name(ws_quantity quantity);

/* May the energy of a device come from it? */
static inline bool ws_quantity_gives_energy(ws_quantity quantity)
{
    return quantity == WS_POWER || quantity == WS_ENERGY_COUNTER || quantity == WS_ENERGY_INTERVAL;
}

/* How energy comes from a channel. */
typedef enum ws_rule {
    WS_RULE_NONE = 0,
    WS_RULE_COUNTER,         /* last - first of a counter, wraps undone */
    WS_RULE_INTERVAL,        /* sum of interval energies */
    WS_RULE_TRAPEZOID,       /* of point powers */
    WS_RULE_RECTANGLE,       /* a power holds for the interval that ends at its stamp */
    WS_RULE_GIVEN,           /* a total that the logging tool printed */
    WS_RULE_MEAN_TIMES_TIME, /* mean of the readings times the duration (Frey et al. 2022) */
    WS_RULE_PERUN, /* perun's own choice: trapezoid of the power it derived, counter where it kept only that */
    WS_RULE_N
} ws_rule;
const char *ws_rule_name(ws_rule rule); /* "none counter interval trapezoid rectangle given mean-times-time perun" */
bool ws_rule_find(const char *name, ws_rule *rule);

enum { WS_DOUBTFUL = 9 }; /* a preference, see ws_channel */

/* One series of readings. Texts belong to the reader and are good until its read function returns; a sink copies what
 * it keeps. NULL texts mean "". (node, device, run) group the channels of one device. */
typedef struct ws_channel {
    const char *run;    /* run inside a file that holds several: "3172377/0"; "" in a file of one run */
    const char *node;   /* host name; "" where the file names none */
    const char *device; /* house name: "gpu0", "cpu1" (a package), "dram0", "node" */
    const char
        *device_id; /* identity as the file spells it: "CUDA:0", "GPU-5f1c...", "00000000:01:00.0", "N0/package" */
    const char *identity; /* what device_id is: "uuid", "bus id", "index", "name", "position", "sensor", "column" */
    const char *column;   /* source column as spelled, "#5" in a file without header */
    ws_domain domain;
    ws_quantity quantity;
    ws_rule rule; /* the rule that fits the readings; NONE for what is no energy */
    ws_time_base time;
    int preference; /* among the power channels of one device, 0 is the first choice; WS_DOUBTFUL: the reader does
                              not trust it, so it gives the energy only where nothing else can */
    double counter_range_j; /* where an energy counter wraps, in J; 0 = not known */
    bool counter_from_zero; /* the counter was 0 where the interval of its first sample begins */
    const char
        *ask; /* static: "ask:devices", the status of a channel whose energy hangs on what the user has to say, and
                               stays empty until then; NULL: nothing is open */
} ws_channel;

/* Is it the status of something that waits for the user's word? */
static inline bool ws_status_asks(const char *status)
{
    return status && strncmp(status, "ask:", 4) == 0;
}

/* n samples in the order of the file. A value of NaN is a cell that was there and could not be used: it is counted as
 * missing, never as zero. */
typedef struct ws_block {
    size_t n;
    const int64_t *t_ns; /* NULL when the channel's time is WS_TIME_NONE */
    const double *value;
    const int64_t *interval_ns; /* length of the interval that ends at t_ns, where the file states it; else NULL */
    const int64_t *line;        /* first line of each sample's row for notes, or NULL */
} ws_block;

/* Samples from..to-1 of a block that has stamps; they stay where they are. */
static inline ws_block ws_block_part(const ws_block *b, size_t from, size_t to)
{
    return (ws_block){.n = to - from,
                      .t_ns = b->t_ns + from,
                      .value = b->value + from,
                      .interval_ns = b->interval_ns ? b->interval_ns + from : NULL,
                      .line = b->line ? b->line + from : NULL};
}

/* A fact about a run or a device that is not a sample: name, model, stored metrics, settings. */
typedef struct ws_fact {
    const char *run, *node, *device; /* what it is about; "" for the whole file */
    const char *key;                 /* "perun.energy_j", "perun.pue", "gpu.name" */
    const char *text;                /* NULL when it is a number */
    double number;
} ws_fact;

/* Its functions are called one at a time. */
typedef struct ws_sink {
    void *state;
    /* *id gets the handle for `block`; a negative one says that the channel is not wanted, and nothing need be pushed. */
    ws_status (*channel)(void *state, const ws_channel *channel, int *id, ws_error *error);
    ws_status (*block)(void *state, int id, const ws_block *block, ws_error *error);
    void (*fact)(void *state, const ws_fact *fact); /* may be NULL */
    /* With `fact`: else a reader may leave out those about nodes and devices and what the logging tool computed itself;
     * to read them can cost more than the samples of a short run. */
    bool every_fact;
    /* Might a channel of that quantity be wanted? Where none might, a reader need not even look at it. On any thread. A sink
     * that says so takes every channel of such a quantity that has a time. NULL: any might be, `channel` says which are. */
    bool (*wants)(void *state, ws_quantity quantity);
    /* For samples that other threads read before it is their turn; all three are NULL in a sink that takes samples in their
     * order only. fork: a state for `block` that takes samples of the channels announced so far, on any thread and whatever
     * happens to the sink, and never fails; NULL where these channels cannot be cut. join: adds what it took behind all that
     * was pushed, `lines` added to its lines, and empties it for the next samples. drop: frees it. */
    void *(*fork)(void *state);
    void (*join)(void *state, void *stretch, int64_t lines);
    void (*drop)(void *stretch);
} ws_sink;

#endif
