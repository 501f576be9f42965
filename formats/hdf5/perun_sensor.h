/* What perun's sensors mean: shared by the readers of its HDF5, JSON and CSV files. */
#ifndef WS_FORMATS_PERUN_SENSOR_H
#define WS_FORMATS_PERUN_SENSOR_H

#include "core/arena.h"
#include "core/note.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The GPUs of one host that carry no number in their name (ROCM:<uuid>); they are numbered in the order in which they
 * are first seen. {0} is a valid empty one. */
typedef struct ws_perun_gpus {
    const char **stems;
    size_t n, capacity;
} ws_perun_gpus;

void ws_perun_gpus_reset(ws_perun_gpus *gpus); /* at the next host */
void ws_perun_gpus_free(ws_perun_gpus *gpus);

/* Fill in what the names and the unit say of a channel: device, device_id, identity, column, domain, quantity, rule,
 * time. Texts are kept in `arena`. Returns the factor from the unit to SI, without perun's magnitude. */
double ws_perun_describe(ws_perun_gpus *gpus, ws_arena *arena, const char *group, const char *sensor, const char *unit,
                         ws_channel *channel);

/* Do readings of this name never give power or energy, in any version of perun? Then *quantity is what they are where
 * their unit fits, else they are WS_OTHER_VALUE. */
bool ws_perun_is_never_power(const char *group, const char *sensor, ws_quantity *quantity);

/* The domain that a group of sensors measures, and the device that stands for all of them; false for one that measures
 * no power. */
bool ws_perun_group_domain(const char *group, const char **device, ws_domain *domain);

/* Is it a name that perun gives its sensors, whatever their group? */
bool ws_perun_is_known(const char *sensor);

/* The unit of the power that a sensor of this name measures, "" where it measures something else: for sensors whose own
 * unit is lost with their readings. */
const char *ws_perun_usual_unit(const char *group, const char *sensor);

/* What every reader says of a sensor: CPU_USAGE_<n> is broken; an energy of an unknown name is in no total. */
void ws_perun_note_sensor(ws_notes *notes, const char *source, const ws_channel *channel);

/* The range of a RAPL counter whose file does not state it, told by where it fell; 0 where it never fell or no known
 * range explains all its falls. Values in J. */
double ws_perun_assume_range(const int64_t *t_ns, const double *value, size_t n);

#endif
