/* Huber et al. 2025: ResNet50 on ImageNet and FourCastNet on ERA5, 1 to 256 GPUs (arXiv:2508.07706). */
#include "analyze/recipes/paper.h"

static const ws_figure_recipe *const figures[] = {&ws_figure_huber_fig2,
                                                  &ws_figure_huber_fig3,
                                                  &ws_figure_huber_fig4,
                                                  &ws_figure_huber_fig5,
                                                  &ws_figure_huber_fig6,
                                                  &ws_figure_huber_fig7,
                                                  NULL};

static const ws_table_recipe *const tables[] = {&ws_table_huber_table1,
                                                &ws_table_huber_all,
                                                &ws_table_huber_small,
                                                &ws_table_huber_device_ratio,
                                                &ws_table_huber_power_model,
                                                &ws_table_huber_profile,
                                                NULL};

const ws_paper ws_paper_huber2025 = {"huber2025",
                                     "Huber et al. 2025, Energy Consumption in Parallel Neural Network Training",
                                     figures, tables, ws_huber_names};
