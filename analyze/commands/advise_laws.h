/* The laws of time that advise chooses by. */
#ifndef WS_ANALYZE_ADVISE_LAWS_H
#define WS_ANALYZE_ADVISE_LAWS_H

#include "fit/laws/laws.h"

#include <stdbool.h>

/* A law of time, which is factor n^exponent + floor + rise n: which of these terms it has. */
typedef struct ws_advice_law {
    const char *name; /* --law */
    ws_status (*fit)(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);
    bool has_exponent, has_floor, has_rise; /* exponent: one of its own, else -1 */
    bool of_throughput;                     /* fitted to 1 / time, as Gunther's */
} ws_advice_law;

/* NULL where there is none of that name; of no name: the one that is used unless told otherwise. */
const ws_advice_law *ws_advice_law_find(const char *name);

#endif
