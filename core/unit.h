/* Units as they stand in headers and cells, and their factor to SI. */
#ifndef WS_CORE_UNIT_H
#define WS_CORE_UNIT_H

#include "core/text.h"

#include <stdbool.h>

typedef enum ws_dimension {
    WS_DIM_NONE = 0,
    WS_DIM_POWER,       /* SI: W */
    WS_DIM_ENERGY,      /* J */
    WS_DIM_TIME,        /* s */
    WS_DIM_RATIO,       /* 1; "%" is 0.01 */
    WS_DIM_BYTES,       /* B */
    WS_DIM_FREQUENCY,   /* Hz */
    WS_DIM_TEMPERATURE, /* degrees Celsius, kept so */
    WS_DIM_N
} ws_dimension;

typedef struct ws_unit {
    const char *name; /* as printed: "mW", "kWh", "MiB" */
    ws_dimension dimension;
    double to_si; /* SI value = written value * to_si */
} ws_unit;

/* NULL for a word that is not a unit. Case counts ("mW" is not "MW"), except that names which mean one thing in any
 * case
 * ("watts", "JOULES", "kwh") are taken in any. */
const ws_unit *ws_unit_find(ws_span word);

/* The unit inside a column name, and the name without it: "power.draw [W]", "Power (mW)", "energy_kwh", "wall_s",
 * "Consumption/W". *bare gets the trimmed rest. NULL where there is none; *bare is then the trimmed name. */
const ws_unit *ws_unit_in_name(ws_span name, ws_span *bare);

/* An energy in a sentence, to six digits: "950.5 J", "1.83899 MJ", "2.4 GJ". */
typedef struct ws_joules_text {
    char text[32];
} ws_joules_text;
ws_joules_text ws_joules(double energy_j);

#endif
