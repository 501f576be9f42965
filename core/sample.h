/* What flows from a reader to a meter: channels, and blocks of their samples.
 *
 * A reader announces each channel once and then pushes blocks to it. Values are SI (W, J, Hz, B, degrees C; ratios
 * 0..1), time is int64 nanoseconds. */
#ifndef WS_CORE_SAMPLE_H
#define WS_CORE_SAMPLE_H

#include "core/energy_status.h"
#include "core/stamp.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The hardware that a reading measures. core and gfx are inside cpu; psys, node and wall include the others: totals
 * never add overlapping domains. */
typedef enum ws_domain {
    WS_GPU = 0,
    WS_CPU, /* a package */
    WS_DRAM,
    WS_NODE, /* a whole node: BMC, node power */
    WS_WALL, /* at the wall socket */
    WS_OTHER,
    WS_CPU_CORE, /* cores, inside cpu */
    WS_CPU_GFX,  /* integrated graphics, inside cpu */
    WS_PSYS,     /* platform: cpu and more */
    WS_DOMAIN_N
} ws_domain;
const char *ws_domain_name(ws_domain domain); /* "gpu cpu dram node wall other core gfx psys" */

typedef enum ws_quantity {
    WS_POWER = 0,       /* W */
    WS_ENERGY_COUNTER,  /* J, running total; the energy is last minus first, plus the wraps */
    WS_ENERGY_INTERVAL, /* J of the interval that ends at the stamp */
    WS_UTIL,            /* 0..1 */
    WS_MEM_UTIL,        /* 0..1, share of time with memory traffic */
    WS_MEM_USED,        /* B */
    WS_CLOCK,           /* Hz, SM or core clock */
    WS_TEMPERATURE,     /* degrees C */
    WS_POWER_LIMIT,     /* W, a setting rather than a reading */
    WS_OTHER_VALUE,     /* values of a column that wattscale does not interpret */
    WS_QUANTITY_N
} ws_quantity;
/* "power energy-counter energy-interval util mem-util mem-used clock temp power-limit other" */
const char *ws_quantity_name(ws_quantity quantity);

/* Can a channel of this quantity give a device its energy? */
static inline bool ws_quantity_gives_energy(ws_quantity quantity)
{
    return quantity == WS_POWER || quantity == WS_ENERGY_COUNTER || quantity == WS_ENERGY_INTERVAL;
}

/* How the energy of a channel is computed. */
typedef enum ws_rule {
    WS_RULE_NONE = 0,
    WS_RULE_COUNTER,         /* last - first of a counter, plus the wraps */
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

/* What is asked of the user, since no file says it. */
typedef enum ws_question {
    WS_ASK_NOTHING,
    WS_ASK_BACK_STEPS, /* what becomes of time that is held twice */
    WS_ASK_DEVICES,    /* how many devices' readings these are */
    WS_ASK_NODES,      /* of how many runs files of one time are */
    WS_ASK_ROWS,       /* whether rows are readings of one run, or a run each */
    WS_ASK_UNIT,       /* of a power or an energy */
    WS_QUESTION_N
} ws_question;

/* As the column `status` of a table has it: "ask:devices"; WS_STATUS_OK for WS_ASK_NOTHING. */
ws_energy_status ws_question_status(ws_question question);
ws_question ws_question_of(const char *status); /* WS_ASK_NOTHING of any other text, and of NULL */

/* One series of readings. Texts belong to the reader and are good until its read function returns; a sink copies what
 * it keeps. NULL texts mean "". (node, device, run) group the channels of one device. */
typedef struct ws_channel {
    const char *run;    /* run inside a file that holds several: "3172377/0"; "" in a file of one run */
    const char *node;   /* host name; "" if the file names none */
    const char *device; /* wattscale's name: "gpu0", "cpu1" (a package), "dram0", "node" */
    /* the device as the file spells it: "CUDA:0", "GPU-5f1c...", "00000000:01:00.0", "N0/package" */
    const char *device_id;
    const char *identity; /* what device_id is: "uuid", "bus id", "index", "name", "position", "sensor", "column" */
    const char *column;   /* source column as spelled, "#5" in a file without header */
    ws_domain domain;
    ws_quantity quantity;
    ws_rule rule; /* the rule that fits the readings; WS_RULE_NONE for quantities without energy */
    ws_time_base time;
    /* Order among the power channels of one device, 0 first. WS_DOUBTFUL: the reader does not trust the channel, so
     * that it gives the energy only if no other channel can. */
    int preference;
    double counter_range_j; /* where an energy counter wraps, in J; 0 = not known */
    bool counter_from_zero; /* the counter stood at 0 when the interval of its first sample began */
    bool are_windows;       /* of what a program chose to measure: what lies between them was not meant */
    bool unit_is_given;     /* of a power, by the user's word, or of a board: not held against other units */
    ws_question ask;        /* what only the user knows and the energy depends on: it stays empty until they say so */
    /* WS_STATUS_OK, or as WS_STATUS_ASSUMED_DEVICE: the energy stands, and rests on what nothing in the file proves or
     * contradicts. */
    ws_energy_status assumed;
} ws_channel;

/* n samples in the order of the file. NaN stands for a cell that could not be used: it counts as missing, never as
 * zero. */
typedef struct ws_block {
    size_t n;
    const int64_t *t_ns; /* NULL when the channel's time is WS_TIME_NONE */
    const double *value;
    const int64_t *interval_ns; /* length of the interval that ends at t_ns, if the file states it; else NULL */
    const int64_t *line;        /* first line of each sample's row for notes, or NULL */
} ws_block;

/* Samples from..to-1 of a block with stamps. The arrays are not copied. */
static inline ws_block ws_block_part(const ws_block *b, size_t from, size_t to)
{
    return (ws_block){.n = to - from,
                      .t_ns = b->t_ns + from,
                      .value = b->value + from,
                      .interval_ns = b->interval_ns ? b->interval_ns + from : NULL,
                      .line = b->line ? b->line + from : NULL};
}

/* Something about a run or a device that is not a sample: name, model, stored metrics, settings. */
typedef struct ws_fact {
    const char *run, *node, *device; /* what it is about; "" for the whole file */
    const char *key;                 /* "perun.energy_j", "perun.pue", "gpu.name" */
    const char *text;                /* NULL: the fact is `number` */
    double number;
} ws_fact;

/* A receiver of channels and samples. Except where noted, its functions are called one at a time. */
typedef struct ws_sink {
    void *state;
    /* Sets *id to the handle for `block`. A negative handle means that the sink does not want the channel: the reader
     * must not push to it. */
    ws_status (*channel)(void *state, const ws_channel *channel, int *id, ws_error *error);
    ws_status (*block)(void *state, int id, const ws_block *block, ws_error *error);
    void (*fact)(void *state, const ws_fact *fact); /* may be NULL */
    /* Used with `fact`. If false, a reader may skip facts about nodes and devices and results that the logging tool
     * computed: reading them can cost more than the samples of a short run. */
    bool every_fact;
    /* Could the sink want a channel of this quantity? If not, the reader need not parse it. Safe on any thread. A sink
     * that answers yes takes every channel of the quantity that has a time. NULL: ask `channel` for each one. */
    bool (*wants)(void *state, ws_quantity quantity);
    /* For readers that use several threads. All three are NULL in a sink that needs samples in order.
     * fork returns a stretch: a state to pass to `block` that collects samples of the channels announced so far. Any
     * thread may push to it, independently of the sink, and pushing never fails. NULL: these channels cannot be split.
     * join appends the samples of a stretch to everything pushed so far, adds `lines` to their line numbers, and leaves
     * the stretch empty for reuse. False: it took none, as they cannot be judged without those before; the reader
     * pushes them again, in order. drop frees a stretch. */
    void *(*fork)(void *state);
    bool (*join)(void *state, void *stretch, int64_t lines);
    void (*drop)(void *stretch);
} ws_sink;

static inline bool ws_sink_wants(const ws_sink *sink, ws_quantity quantity)
{
    return !sink->wants || sink->wants(sink->state, quantity);
}

/* For a sink that stands before another one. */
static inline void ws_sink_pass_fact(const ws_sink *sink, const ws_fact *fact)
{
    if (sink->fact)
        sink->fact(sink->state, fact);
}

#endif
