/* Jigsaw: strong and weak scaling of training large models of the weather (arXiv:2507.05753). */
#include "analyze/recipes/paper.h"

static const ws_figure_recipe *const figures[] = {&ws_figure_jigsaw_scaling, NULL};
static const ws_table_recipe *const tables[] = {NULL};

const ws_paper ws_paper_jigsaw2025 = {"jigsaw2025", "Jigsaw 2025, Training Large Models of the Weather", figures,
                                      tables, NULL};
