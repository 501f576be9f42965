/* The energy of each region and of what lies in none, from a second reading of a source that was measured whole.
 *
 * The windows of a device touch and cut an interval at the same point, so that regions that do not overlap and the rest
 * add up to the energy of the whole. */
#ifndef WS_ANALYZE_REGION_ENERGY_H
#define WS_ANALYZE_REGION_ENERGY_H

#include "analyze/measure/cutter.h"
#include "analyze/regions/regions.h"

/* Reads the source of the whole measure once more into the cutter (ws_cutter_begin and its sink). It may be called
 * several times. */
typedef struct ws_region_source {
    void *state;
    void (*read)(void *state, ws_cutter *cutter);
} ws_region_source;

/* What the devices of the whole drew in each region, in the order of regions->names, and last what they drew outside of
 * all: n_names + 1 measures with a device for each one that was in the region and may have energy, and nothing beside
 * its energy. Their texts belong to `whole`, which was finished. Free them with ws_region_measures_free. */
ws_measure *ws_region_measures(const ws_measure *whole, const ws_regions *regions, const ws_region_source *source,
                               ws_notes *notes);
void ws_region_measures_free(ws_measure *measures, const ws_regions *regions);

#endif
