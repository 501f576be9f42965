/* Frey et al. 2022: six networks on 2 to 424 V100 under caps of power and clock (arXiv:2201.12423). */
#include "analyze/recipes/paper.h"

static const ws_figure_recipe *const figures[] = {&ws_figure_campaign_time_loglog, NULL};

static const ws_table_recipe *const tables[] = {&ws_table_frey_exponents, NULL};

const ws_paper ws_paper_frey2022 = {
    "frey2022", "Frey et al. 2022, Benchmarking Resource Usage for Efficient Distributed Deep Learning", figures,
    tables};
