/* The kinds of findings: what each is called, how grave it is and what it takes away from the numbers.
 *
 * Logic, exit statuses and reports ask these fields; the letters of a code are for people and scripts alone. */
#ifndef WS_CORE_FINDING_H
#define WS_CORE_FINDING_H

#include <stdbool.h>

typedef enum ws_severity {
    WS_SEVERITY_RESULT,  /* what a command found out, in words */
    WS_SEVERITY_REMARK,  /* how something was read; no number depends on a doubt */
    WS_SEVERITY_ASSUMED, /* a number depends on a meaning that the input does not state */
    WS_SEVERITY_DOUBT,   /* the number stands as read, and something speaks against it */
    WS_SEVERITY_LOSS,    /* something of the input is not in the numbers */
    WS_SEVERITY_ASKED,   /* the number is empty until an option says what the input means */
    WS_SEVERITY_FAILURE, /* a file or a part of one cannot be read: exit status 3 */
    WS_SEVERITY_N
} ws_severity;

/* The largest thing that one such finding takes away. Nothing, unless it is a loss, a question or a failure. */
typedef enum ws_takes {
    WS_TAKES_NOTHING,
    WS_TAKES_CELLS,
    WS_TAKES_ROWS,
    WS_TAKES_READINGS,
    WS_TAKES_DEVICE,
    WS_TAKES_FILE,
    WS_TAKES_ENERGY,
    WS_TAKES_RUN,
    WS_TAKES_N
} ws_takes;

/* How a finding weighs in the verdict on an energy (stake.h). */
typedef enum ws_finding_effect {
    WS_EFFECT_NOTHING,  /* no energy depends on it, or what it leaves open shows in another finding */
    WS_EFFECT_INTERVAL, /* by how far the energy may be off because of it, by the device's own readings */
    WS_EFFECT_JOULES,   /* by the joules that are counted for it: what it may have added or left out */
    WS_EFFECT_DOUBTFUL, /* no number for it: the energy stands, and is doubtful at least */
    WS_EFFECT_UNUSABLE, /* nothing bounds what it means */
    WS_EFFECT_N
} ws_finding_effect;

typedef enum ws_finding {
#define WS_FINDING(name, code, severity, takes, effect, section, meaning) WS_FINDING_##name,
#include "core/finding_table.h"
#undef WS_FINDING
    WS_FINDING_N
} ws_finding;

/* Static texts, good for ever. */
typedef struct ws_finding_info {
    const char *code; /* stable, for scripts: "truncated-line", "counter-wrap", "naive-time" */
    ws_severity severity;
    ws_takes takes;
    ws_finding_effect effect;
    const char *section; /* of docs/: "methods.md#long-gaps" */
    const char *meaning; /* one line, lower case, no full stop */
} ws_finding_info;

const ws_finding_info *ws_finding_about(ws_finding finding);
const char *ws_finding_code(ws_finding finding);
const char *ws_severity_name(ws_severity severity);           /* "result", "remark", ... */
const char *ws_takes_name(ws_takes takes);                    /* "nothing", "cells", ... */
const char *ws_finding_effect_name(ws_finding_effect effect); /* "nothing", "interval", ... */

/* The finding of that code; false, and *finding untouched, where there is none. */
bool ws_finding_named(const char *code, ws_finding *finding);

#endif
