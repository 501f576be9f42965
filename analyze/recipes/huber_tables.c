/* Tables of Huber et al. 2025, and those of its authors' scripts. */
#include "analyze/recipes/recipe.h"

static const double PER_HOUR = 1.0 / 3600;

static const ws_recipe_column table1_columns[] = {{"series", "series", 0},
                                                  {"model", "model", 0},
                                                  {"device", "device", 0},
                                                  {"gpus", "gpus", 0},
                                                  {"lbs", "lbs", 0},
                                                  {"gbs", "gbs", 0},
                                                  {"energy_kwh", "energy_kwh", 0},
                                                  {"energy_kwh_rmse", "energy_kwh_rmse", 0},
                                                  {"energy_per_node_kwh", "energy_per_node_kwh", 0},
                                                  {"wall_s", "runtime_h", PER_HOUR},
                                                  {"wall_s_rmse", "runtime_h_rmse", PER_HOUR},
                                                  {"gpu_h", "gpu_h", 0},
                                                  {"gpu_h_rmse", "gpu_h_rmse", 0},
                                                  {"kwh_per_gpuh", "kwh_per_gpuh", 0},
                                                  {NULL, NULL, 0}};

static const ws_recipe_column efficiency_columns[] = {{"series", "series", 0},
                                                      {"gpus", "gpus", 0},
                                                      {"lbs", "lbs", 0},
                                                      {"gbs", "gbs", 0},
                                                      {"dataset_samples", "dataset_samples", 0},
                                                      {"energy_kwh", "energy_kwh", 0},
                                                      {"energy_ratio", "energy_ratio", 0},
                                                      {"energy_ratio_se", "energy_ratio_se", 0},
                                                      {"energy_per_node_kwh", "energy_per_node_kwh", 0},
                                                      {"wall_s", "runtime_h", PER_HOUR},
                                                      {"speedup", "speedup", 0},
                                                      {"speedup_se", "speedup_se", 0},
                                                      {"gpu_h", "gpu_h", 0},
                                                      {"error_top1", "error_top1", 0},
                                                      {"error_top1_rmse", "error_top1_rmse", 0},
                                                      {NULL, NULL, 0}};

const ws_table_recipe ws_table_huber_table1 = {
    "huber/table1", "energy, run time and GPUh by device and GPUs (Huber et al. 2025, Table 1)", false, table1_columns,
    NULL};
const ws_table_recipe ws_table_huber_efficiency = {
    "huber/efficiency",
    "energy, run time, GPUh and error against the fewest GPUs (as Huber et al. tabulate their series)", false,
    efficiency_columns, NULL};
