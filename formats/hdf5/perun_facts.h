/* What perun's files tell beside samples, pushed as facts.
 *
 *   run      perun.version perun.app perun.start perun.pue perun.power_overhead_w perun.sampling_period_s
 *            perun.region.<name>.runs  .runtime_s  .power_w    means over ranks, as perun stored them
 *            perun.region.<name>.rank.<rank>    text "4.2:57.9 60.25:61": start and end of each pass in s since the run
 *                                               began on rank 0; an end that is missing is left out ("62.5:")
 *   host     perun.mpi_ranks       how many
 *            perun.ranks           text "[0, 1]": which, as the file spells it; with the regions
 *   run, host, device group ("gpu"), sensor ("CUDA:0_POWER")
 *            perun.stored.energy_j, .power_w, .runtime_s, .gpu_energy_j ...   perun's own results
 *   device   gpu.name gpu.uuid cpu.name                                       ("gpu0") */
#ifndef WS_FORMATS_PERUN_FACTS_H
#define WS_FORMATS_PERUN_FACTS_H

#include "formats/hdf5/perun_tree.h"

/* `about` names run, node and device; its other members are not looked at. */
void ws_perun_metric_facts(const ws_perun_tree *tree, ws_perun_ref place, const ws_sink *sink, const ws_fact *about);
void ws_perun_device_facts(const ws_perun_tree *tree, ws_perun_ref sensor, const ws_sink *sink,
                           const ws_channel *channel);
void ws_perun_host_facts(const ws_perun_tree *tree, ws_perun_ref host, const ws_sink *sink, const ws_fact *about,
                         ws_arena *arena);
void ws_perun_rank_facts(const ws_perun_tree *tree, ws_perun_ref host, const ws_sink *sink, const ws_fact *about,
                         ws_arena *arena);
/* multi_run is NULL where the file has none. */
void ws_perun_run_facts(const ws_perun_tree *tree, ws_perun_ref run, const ws_perun_ref *multi_run, const ws_sink *sink,
                        const ws_fact *about, ws_arena *arena);
ws_status ws_perun_region_facts(const ws_perun_tree *tree, ws_perun_ref run, const ws_sink *sink, const ws_fact *about,
                                ws_notes *notes, ws_error *error);

#endif
