/* Frey et al. 2022: six networks on 2 to 424 V100 under caps of power and clock (arXiv:2201.12423). */
#include "analyze/recipes/paper.h"

static const ws_figure_recipe *const figures[] = {
    &ws_figure_frey_fig2,  &ws_figure_frey_fig3,  &ws_figure_frey_fig4,  &ws_figure_frey_fig5,
    &ws_figure_frey_fig6,  &ws_figure_frey_fig8,  &ws_figure_frey_fig9,  &ws_figure_frey_fig10,
    &ws_figure_frey_fig11, &ws_figure_frey_fig12, &ws_figure_frey_fig13, &ws_figure_frey_fig14,
    &ws_figure_frey_fig15, &ws_figure_frey_fig16, &ws_figure_frey_fig17, NULL};

static const ws_table_recipe *const tables[] = {&ws_table_frey_table1,    &ws_table_frey_table2, &ws_table_frey_table3,
                                                &ws_table_frey_table4,    &ws_table_frey_table5, &ws_table_frey_table6,
                                                &ws_table_frey_exponents, &ws_table_frey_energy, NULL};

const ws_paper ws_paper_frey2022 = {
    "frey2022", "Frey et al. 2022, Benchmarking Resource Usage for Efficient Distributed Deep Learning", figures,
    tables};
