/* The devices and channels of a measure by their source, run or node, so that what is asked of each of many runs does
 * not go through all of them. */
#ifndef WS_ANALYZE_MEASURE_GROUPS_H
#define WS_ANALYZE_MEASURE_GROUPS_H

#include "analyze/measure/metered.h"

/* Places in the measure, in its order. */
typedef struct ws_measure_group {
    size_t *devices, n_devices; /* at least one; alternatives included */
    size_t *channels, n_channels;
} ws_measure_group;

typedef struct ws_measure_groups {
    ws_measure_group *items; /* in order of their first device */
    size_t n;
    size_t *places; /* of all groups */
} ws_measure_groups;

/* What the members of a group have in common. */
enum { WS_GROUP_SOURCE = 1, WS_GROUP_RUN = 2, WS_GROUP_NODE = 4 };

/* Channels go by their own names: where no device has these, they are in no group. After
 * ws_measure_finish. */
void ws_measure_groups_init(ws_measure_groups *groups, const ws_measure *measure, unsigned by);
void ws_measure_groups_free(ws_measure_groups *groups);

/* Those that pass a filter, as one group, which may be empty; *places is to be freed. */
ws_measure_group ws_measure_select(const ws_measure *measure, const ws_device_filter *filter, size_t **places);

#endif
