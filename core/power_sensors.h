/* What is known of power sensors: over what time a reading is a mean, how often it is refreshed, and how well it is
 * calibrated. Known of NVIDIA's cards by driver: an Ada card shows means over a second with drivers 525 and 535 and
 * over 0.1 s with 530. Sources: core of the table in power_sensors.c. */
#ifndef WS_CORE_POWER_SENSORS_H
#define WS_CORE_POWER_SENSORS_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/table.h"

#include <stdatomic.h>

/* Which of the power readings of a card. */
typedef enum ws_power_field {
    WS_FIELD_DRAW = 1,    /* power.draw, and any column that says neither of the others */
    WS_FIELD_AVERAGE = 2, /* power.draw.average */
    WS_FIELD_INSTANT = 4, /* power.draw.instant */
    WS_FIELD_ANY = 7
} ws_power_field;

typedef struct ws_sensor {
    const char *device; /* words of the model's name ("A100", "RTX 4090"), a domain ("node"), or a device ("gpu0") */
    unsigned fields;    /* bits of ws_power_field */
    double driver_from, driver_to; /* of the major version; NaN: any */
    double period_s, window_s;     /* how often it is refreshed, and over what time a reading is a mean */
    double share;                  /* of the time that the means cover, 0..1 */
    double gain_u;                 /* relative standard uncertainty (k = 1) of its gain */
    const char *source;            /* NaN above, and NULL here and below: not known */
    const char *reading;           /* where it is none of the fields, which are 0 then: "RAPL package" */
    const char *window_kind;       /* where a reading is no mean over a window: "exponential" */
    const char *accuracy;          /* as measured or stated, in words: it is corrected nowhere */
} ws_sensor;

/* Rows that a user adds; they come before the program's own. */
typedef struct ws_sensors {
    ws_sensor *items;
    size_t n, capacity;
    ws_arena arena;
    atomic_bool *are_of_use; /* set once a row fits a sensor; NULL: nobody asks */
} ws_sensors;

void ws_sensors_free(ws_sensors *sensors);

/* Adds the rows of a table with the columns device, and of field (draw, average, instant; empty: any), driver_from,
 * driver_to, period_s, window_s, share, gain_u, source, window_kind and accuracy those that it has. */
ws_status ws_sensors_add(ws_sensors *sensors, const ws_table *table, ws_error *error);

/* The program's own rows. */
const ws_sensor *ws_sensors_known(size_t *n);

typedef struct ws_sensor_key {
    const char *model, *driver; /* NULL or "": not known */
    const char *device;         /* "gpu0" */
    const char *column;         /* as the file spells it */
    ws_domain domain;
} ws_sensor_key;

/* W. The largest board power that vendors state for cards of this name, of any form and cooling (data sheets: a V100
 * SXM3 has 450 W, an A100 SXM up to 500 W); NaN: not known. */
double ws_board_power_w(const char *model);

/* What is known of a sensor, from the first row that fits of the user's (may be NULL), and of the program's. Where the
 * driver is not known, and rows differ by it, the one with the longest window counts. All NaN where no row fits. */
ws_sensor ws_sensor_of(const ws_sensors *own, const ws_sensor_key *key);

/* How far a reading may lag behind the power, in s: half of its window and a period; where nothing is known as a mean
 * over a second that is refreshed ten times in it. */
#define WS_SENSOR_USUAL_LAG_S 0.6
double ws_sensor_lag_s(const ws_sensor *sensor);

#endif
