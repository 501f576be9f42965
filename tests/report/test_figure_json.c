#include "report/figure/figure_json.h"

#include "harness.h"
#include "report/figure/figure_csv.h"

#include <math.h>
#include <string.h>

static char *as_json(const ws_figure *figure)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    ck_assert_int_eq(ws_figure_write_json(figure, stream, NULL), WS_OK);
    fclose(stream);
    return text;
}

static void fill(ws_figure *figure)
{
    static const char *const names[] = {"one", "tw\"o\\"};
    static const double ticks[] = {0.1, 1, 1280};
    const double x[] = {1, 2, 4}, y[] = {0.1, NAN, 1e-300}, e[] = {0.01, 0.02, NAN}, lo[] = {0, 1, 2}, hi[] = {3, 4, 5};
    ws_figure_init(figure, "test/figure", 85.5, 70, 2, 1);
    figure->legend = WS_LEGEND_CELL;
    figure->synthetic = true;
    figure->caption = "n = 5; bars are one standard error";
    figure->footnote = "\xce\xb2 <&> \"quoted\"";
    ws_panel *panel = ws_figure_add_panel(figure, "A", "title");
    panel->x =
        (ws_axis){.scale = WS_AXIS_CATEGORY, .label = "x", .categories = names, .n_categories = 2, .hide_labels = true};
    panel->y = (ws_axis){.scale = WS_AXIS_LOG10,
                         .label = "10^{6} J",
                         .has_range = true,
                         .lo = 0.1,
                         .hi = 12800,
                         .from_zero = true,
                         .tick_values = ticks,
                         .n_tick_values = 3};
    ws_layer *layer =
        ws_panel_add_layer(figure, panel, "LBS 256", WS_LAYER_LINE | WS_LAYER_ERRORS | WS_LAYER_MEAN, 4, 3, x, y);
    ws_layer_set_error(figure, layer, e);
    ws_layer_set_range(figure, layer, lo, hi);
    ws_panel_add_layer(figure, panel, NULL, WS_LAYER_DASHED, -1, 0, x, y);
    ws_panel_annotate(figure, panel, "R^{2}", 1, true, 0.95, 0.88);
    ws_panel_add_reference(figure, panel, true, -2.5, "limit");
    ws_figure_add_panel(figure, NULL, NULL);
}

START_TEST(what_is_written_reads_back)
{
    ws_figure figure, back;
    ws_error error = {0};
    fill(&figure);
    char *first = as_json(&figure);
    ck_assert_msg(ws_figure_read_json(&back, first, strlen(first), "f.json", &error) == WS_OK, "%s", error.message);
    const ws_panel *panel = &back.panels[0];
    const ws_layer *layer = &panel->layers[0];
    ck_assert_str_eq(back.name, "test/figure");
    ck_assert(back.width_mm == 85.5 && back.height_mm == 70 && back.rows == 2 && back.columns == 1 &&
              back.n_panels == 2);
    ck_assert(back.synthetic && back.legend == WS_LEGEND_CELL);
    ck_assert_str_eq(back.caption, figure.caption);
    ck_assert_str_eq(back.footnote, figure.footnote);
    ck_assert(panel->x.scale == WS_AXIS_CATEGORY && panel->x.hide_labels && panel->x.n_categories == 2);
    ck_assert_str_eq(panel->x.categories[1], "tw\"o\\");
    ck_assert(panel->y.has_range && panel->y.lo == 0.1 && panel->y.hi == 12800 && panel->y.from_zero);
    ck_assert(panel->y.n_tick_values == 3 && panel->y.tick_values[2] == 1280 && !panel->x.n_tick_values);
    ck_assert(layer->kind == (WS_LAYER_LINE | WS_LAYER_ERRORS | WS_LAYER_MEAN) && layer->style == 4 && layer->n == 3);
    ck_assert(layer->y[0] == 0.1 && isnan(layer->y[1]) && layer->y[2] == 1e-300 && isnan(layer->error[2]) &&
              layer->hi[2] == 5);
    ck_assert(panel->n_layers == 2 && panel->layers[1].n == 0 && !panel->layers[1].label && !panel->layers[1].error);
    ck_assert(panel->annotations[0].in_panel && panel->annotations[0].y == 0.88 && panel->annotations[0].style == 1);
    ck_assert(panel->references[0].vertical && panel->references[0].value == -2.5);
    char *second = as_json(&back);
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    ws_figure_free(&figure);
    ws_figure_free(&back);
}
END_TEST

#define HEAD "{\"schema\":\"wattscale.figure/1\",\"width_mm\":85,\"height_mm\":70,\"panels\":["

static const struct {
    const char *json, *message;
} refused[] = {
    {"", "f.json:1: "},
    {"{\"schema\":", "f.json:1: "},
    {"[]", "f.json: : an object"},
    {"{\"schema\":\"wattscale.energy/1\"}", "f.json: schema: 'wattscale.figure/1' is wanted"},
    {"{\"schema\":\"wattscale.figure/1\"}", "f.json: width_mm: a number"},
    {"{\"schema\":\"wattscale.figure/1\",\"widht_mm\":3}", "f.json: 'widht_mm' is no key"},
    {HEAD "3]}", "f.json: panels[0]: an object"},
    {HEAD "{\"x\":{\"scale\":\"log3\"}}]}", "f.json: panels[0].x.scale: 'log3' is not known"},
    {HEAD "{\"x\":{\"range\":[1]}}]}", "f.json: panels[0].x.range: a list of 2 numbers"},
    {HEAD "{\"x\":{\"ticks\":[1,2,2]}}]}", "f.json: panels[0].x.ticks: numbers are wanted here, the smaller ones"},
    {HEAD "{\"x\":{\"ticks\":[1,null]}}]}", "f.json: panels[0].x.ticks: numbers"},
    {HEAD "{\"x\":{\"scale\":\"log2\",\"ticks\":[0,1]}}]}", "f.json: panels[0].x.ticks: one has no place"},
    {HEAD "{\"layers\":[{\"kind\":[\"line\"],\"x\":[1,2],\"y\":[1]}]}]}",
     "f.json: panels[0].layers[0].y: a list of 2 numbers"},
    {HEAD "{\"layers\":[{\"kind\":[\"line\"],\"x\":[1],\"y\":[\"1\"]}]}]}",
     "f.json: panels[0].layers[0].y[0]: this is neither"},
    {HEAD "{\"layers\":[{\"kind\":\"line\",\"x\":[1],\"y\":[1]}]}]}", "f.json: panels[0].layers[0].kind: a list"},
    {HEAD "{\"layers\":[{\"kind\":[\"lin\"],\"x\":[1],\"y\":[1]}]}]}",
     "f.json: panels[0].layers[0].kind: 'lin' is not known"},
    {HEAD "{\"layers\":[{\"kind\":[\"band\"],\"x\":[1],\"y\":[1],\"lo\":[1]}]}]}",
     "f.json: panels[0].layers[0].hi: lo and hi"},
    {HEAD "{\"layers\":[{\"kind\":[\"line\"],\"style\":1.5,\"x\":[1],\"y\":[1]}]}]}",
     "f.json: panels[0].layers[0].style: 1.5"},
    {HEAD "{\"annotations\":[{\"text\":\"a\"}]}]}", "f.json: panels[0].annotations[0].x: a number"},
    {HEAD "{\"references\":[{\"vertical\":1}]}]}", "f.json: panels[0].references[0].vertical: true or false"},
};

START_TEST(what_is_wrong_is_named_with_its_place)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ws_figure figure;
        ws_error error = {0};
        ck_assert_int_eq(ws_figure_read_json(&figure, refused[i].json, strlen(refused[i].json), "f.json", &error),
                         WS_FORMAT);
        ck_assert_msg(strncmp(error.message, refused[i].message, strlen(refused[i].message)) == 0, "%s instead of %s",
                      error.message, refused[i].message);
        ws_figure_free(&figure);
    }
}
END_TEST

START_TEST(every_beginning_of_a_file_is_refused)
{
    ws_figure figure, back;
    fill(&figure);
    char *text = as_json(&figure);
    for (size_t n = 0; n + 2 < strlen(text); n++) {
        ck_assert_int_eq(ws_figure_read_json(&back, text, n, "f.json", NULL), WS_FORMAT);
        ws_figure_free(&back);
    }
    free(text);
    ws_figure_free(&figure);
}
END_TEST

START_TEST(the_data_is_a_table)
{
    ws_figure figure;
    ws_table table;
    char number[WS_DOUBLE_TEXT];
    fill(&figure);
    ws_figure_table(&figure, &table);
    size_t column;
    ck_assert_uint_eq(table.n_rows, 3);
    ck_assert(table.synthetic);
    static const struct {
        const char *name, *want;
    } first[] = {{"panel", "A"},
                 {"title", "title"},
                 {"series", "LBS 256"},
                 {"kind", "line+errors+mean"},
                 {"category", "tw\"o\\"},
                 {"x", "1"},
                 {"y", "0.1"},
                 {"error", "0.01"},
                 {"lo", "0"},
                 {"hi", "3"}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        ck_assert(ws_table_find(&table, first[i].name, &column));
        ck_assert_str_eq(ws_table_cell_text(&table, column, 0, number), first[i].want);
    }
    ck_assert(ws_table_find(&table, "y", &column) && ws_table_is_missing(&table, column, 1));
    ws_table_free(&table);
    ws_figure_free(&figure);
}
END_TEST

TEST_MAIN("figure json", what_is_written_reads_back, what_is_wrong_is_named_with_its_place,
          every_beginning_of_a_file_is_refused, the_data_is_a_table)
