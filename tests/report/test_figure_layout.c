#include "report/figure/coincident_series.h"
#include "report/figure/figure_range.h"
#include "report/figure/figure_layout.h"

#include "harness.h"
#include "report/sound_layout.h"

#include <math.h>
#include <string.h>

static ws_figure figure;
static ws_layout layout;

static const char long_label[] = LONG_LABEL;

static void set_up(double width_mm, double height_mm, size_t rows, size_t columns)
{
    ws_figure_init(&figure, "test/figure", width_mm, height_mm, rows, columns);
}

static void tear_down(void)
{
    ws_layout_free(&layout);
    ws_figure_free(&figure);
}

static void must_be_well(void)
{
    must_be_sound(&layout, &figure);
}

static const ws_placed_text *find(ws_text_role role, const char *beginning)
{
    for (size_t i = 0; i < layout.n_texts; i++)
        if (layout.texts[i].role == role && strncmp(layout.texts[i].text, beginning, strlen(beginning)) == 0)
            return &layout.texts[i];
    return NULL;
}

static ws_panel *add_series(const char *letter, const char *label)
{
    static const double x[] = {1, 2, 4, 8, 16, 32, 64}, y[] = {1, 1.9, 3.7, 7.4, 14, 26, 47},
                        e[] = {0, .1, .1, .2, .4, .6, 1};
    ws_panel *panel = ws_figure_add_panel(&figure, letter, NULL);
    panel->x = (ws_axis){.scale = WS_AXIS_LOG2, .label = "Number of GPUs"};
    panel->y = (ws_axis){.scale = WS_AXIS_LOG2, .label = "Speed-up"};
    ws_layer *layer =
        ws_panel_add_layer(&figure, panel, label, WS_LAYER_LINE | WS_LAYER_MARKERS | WS_LAYER_ERRORS, 0, 7, x, y);
    ws_layer_set_error(&figure, layer, e);
    return panel;
}

START_TEST(panels_share_the_page)
{
    set_up(180, 125, 2, 2);
    figure.legend = WS_LEGEND_TOP;
    for (int i = 0; i < 4; i++)
        add_series((const char *[]){"A", "B", "C", "D"}[i], "LBS = 256");
    must_be_well();
    ck_assert_uint_eq(layout.n_panels, 4);
    ck_assert_uint_eq(layout.n_keys, 1);
    for (size_t i = 1; i < 4; i++) {
        const ws_box *a = &layout.panels[0].frame, *b = &layout.panels[i].frame;
        ck_close(b->x1 - b->x0, a->x1 - a->x0, 1e-12, 0);
        ck_close(b->y1 - b->y0, a->y1 - a->y0, 1e-12, 0);
    }
    ck_assert(layout.panels[0].frame.x0 == layout.panels[2].frame.x0);
    ck_assert(layout.panels[0].frame.y0 == layout.panels[1].frame.y0);
    ck_assert_uint_eq(layout.notes.n, 0);
    tear_down();
}
END_TEST

START_TEST(a_legend_is_read_column_by_column_and_has_the_reference)
{
    static const char *const labels[] = {"A100, pre-training", "A100, fine-tuning", "H100, pre-training",
                                         "H100, fine-tuning", "V100, pre-training"};
    const double x[] = {1, 2}, y[] = {1, 2};
    set_up(85, 90, 1, 1);
    figure.legend = WS_LEGEND_TOP;
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    for (int i = 0; i < 5; i++)
        ws_panel_add_layer(&figure, panel, labels[i], WS_LAYER_LINE | WS_LAYER_MARKERS, i, 2, x, y);
    ws_panel_add_reference(&figure, panel, false, 1.5, "Reference");
    must_be_well();
    const ws_placed_text *texts[6], *reference = find(WS_TEXT_LEGEND, "Reference");
    for (size_t i = 0; i < 5; i++)
        texts[i] = find(WS_TEXT_LEGEND, labels[i]);
    texts[5] = reference;
    ck_assert_ptr_nonnull(reference);
    ck_assert_ptr_null(find(WS_TEXT_REFERENCE, "Reference"));
    for (size_t i = 0; i < 6; i++) { /* three rows, two columns */
        ck_close(texts[i]->y, texts[i % 3]->y, 1e-12, 0);
        ck_close(texts[i]->x, texts[i - i % 3]->x, 1e-12, 0);
    }
    ck_assert(texts[1]->y < texts[0]->y && texts[2]->y < texts[1]->y && texts[3]->x > texts[0]->x);
    tear_down();
}
END_TEST

START_TEST(values_have_their_place_on_the_axes)
{
    set_up(85, 70, 1, 1);
    ws_panel *panel = add_series(NULL, NULL);
    panel->x.has_range = panel->y.has_range = true;
    panel->x.lo = panel->y.lo = 1, panel->x.hi = panel->y.hi = 64;
    must_be_well();
    const ws_panel_layout *p = &layout.panels[0];
    ck_close(ws_layout_mm(&p->x, 1), p->frame.x0, 1e-12, 0);
    ck_close(ws_layout_mm(&p->x, 8), (p->frame.x0 + p->frame.x1) / 2, 1e-12, 0);
    ck_close(ws_layout_mm(&p->y, 64), p->frame.y1, 1e-12, 0);
    ck_assert(isnan(ws_layout_mm(&p->y, 0)) && isnan(ws_layout_mm(&p->y, NAN)));
    tear_down();
}
END_TEST

START_TEST(hostile_labels_stay_on_their_places)
{
    static const double widths[] = {180, 85, 60}, heights[] = {125, 90, 130};
    for (size_t h = 0; h < HOSTILE; h++)
        for (size_t size = 0; size < 3; size++)
            for (int place = WS_LEGEND_NONE; place <= WS_LEGEND_FACETS; place++) {
                set_up(widths[size], heights[size], 2, size == 2 ? 1 : 2);
                figure.grows = h % 2;
                figure.legend = (ws_legend_place)place;
                figure.footnote = hostile[h];
                figure.synthetic = size == 1;
                for (size_t i = 0; i < (size == 2 ? 1 : 3); i++) {
                    const char *label = hostile[(h + i) % HOSTILE];
                    ws_panel *panel = add_series("A", label);
                    panel->title = panel->x.label = panel->y.label = label;
                    ws_panel_annotate(&figure, panel, label, 0, true, 0.95, 0.95);
                    ws_panel_annotate(&figure, panel, hostile[h], 1, true, 0.95, 0.95);
                    ws_panel_annotate(&figure, panel, "16", 1, false, 16, 14);
                    ws_panel_add_reference(&figure, panel, i == 1, 8, label);
                }
                must_be_well();
                tear_down();
            }
}
END_TEST

START_TEST(texts_are_complete_or_end_in_an_ellipsis)
{
    set_up(85, 70, 1, 1);
    figure.legend = WS_LEGEND_TOP;
    ws_panel *panel = add_series("A", long_label);
    panel->title = long_label, panel->x.label = long_label, panel->y.label = "Speed-up";
    must_be_well();
    const ws_placed_text *text = find(WS_TEXT_LEGEND, "a label of two");
    ck_assert_ptr_nonnull(text);
    ck_assert(ends_with(text->text, ELLIPSIS));
    ck_assert(strncmp(text->text, long_label, strlen(text->text) - strlen(ELLIPSIS)) == 0);
    const ws_placed_text *title = find(WS_TEXT_X_LABEL, "a label of two");
    ck_assert_ptr_nonnull(title);
    ck_assert(!ends_with(title->text, ELLIPSIS));
    for (size_t i = 0; i < layout.n_texts; i++) /* the second line */
        ck_assert(layout.texts[i].role != WS_TEXT_X_LABEL || &layout.texts[i] == title ||
                  ends_with(layout.texts[i].text, ELLIPSIS));
    ck_assert_ptr_nonnull(find(WS_TEXT_Y_LABEL, "Speed-up"));
    const ws_note *note = ws_notes_find(&layout.notes, WS_FINDING_TEXT_SHORTENED);
    ck_assert_ptr_nonnull(note);
    tear_down();
}
END_TEST

/* At a comma, if one leaves a line that fits. */
START_TEST(a_long_title_has_two_lines)
{
    static const struct {
        const char *title, *first, *second;
        bool is_cut;
    } titles[] = {{"A100: LBS 1, GBS 16, 16 GPUs", "A100: LBS 1, GBS 16,", "16 GPUs", false},
                  {"Training of a network with images", "Training of a network", "with images", false},
                  {long_label, "a label of two", "", true}};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        set_up(46, 60, 1, 1);
        figure.legend = WS_LEGEND_NONE;
        ws_panel *panel = add_series("A", "series");
        panel->title = titles[i].title;
        panel->y.label = "Power / W";
        must_be_well();
        const ws_placed_text *first = find(WS_TEXT_TITLE, titles[i].first);
        const ws_placed_text *second = find(WS_TEXT_TITLE, titles[i].second);
        ck_assert(first && second);
        ck_assert(titles[i].is_cut || (second->y < first->y && strcmp(first->text, titles[i].first) == 0));
        ck_assert((ws_notes_find(&layout.notes, WS_FINDING_TEXT_SHORTENED) != NULL) == titles[i].is_cut);
        tear_down();
    }
}
END_TEST

/* Its unit stays behind its stroke. */
START_TEST(a_long_axis_title_has_two_lines)
{
    set_up(60, 45, 1, 1);
    ws_panel *panel = add_series(NULL, NULL);
    panel->x.label = "Compute resources of the whole campaign / GPUh";
    panel->y.label = "Speed relative to the highest cap";
    must_be_well();
    static const ws_text_role roles[] = {WS_TEXT_X_LABEL, WS_TEXT_Y_LABEL};
    static const char *const second[] = {"campaign / GPUh", "the highest cap"};
    for (size_t i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(find(roles[i], second[i]));
    ck_assert_uint_eq(layout.notes.n, 0);
    ck_assert(find(WS_TEXT_X_LABEL, "campaign")->y < find(WS_TEXT_X_LABEL, "Compute")->y);
    ck_assert(find(WS_TEXT_Y_LABEL, "the highest")->x > find(WS_TEXT_Y_LABEL, "Speed")->x);
    tear_down();
}
END_TEST

/* Seven panels of nine cells: fourteen names are too many for one cell, and the next one is as empty. */
START_TEST(a_legend_takes_the_empty_cells_beside_its_own)
{
    static const double at[] = {1};
    static const char *const names[] = {
        "fcn-gbs64, A100", "fcn-h100-gbs16, H100", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"};
    set_up(180, 162, 3, 3);
    for (size_t p = 0; p < 7; p++) {
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        for (int i = 0; i < 14; i++)
            ws_panel_add_layer(&figure, panel, names[i], WS_LAYER_LINE | WS_LAYER_MARKERS, i, 1, at, at);
    }
    figure.legend = WS_LEGEND_CELL;
    must_be_well();
    ck_assert(!ws_notes_find(&layout.notes, WS_FINDING_LABEL_LEFT_OUT));
    for (size_t i = 0; i < 14; i++)
        ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, names[i]));
    tear_down();
}
END_TEST

/* Two panels a facet: the names of its series stand above its first panels, without what they have in common; a single
 * one that has the title for its name is told by that. */
static void add_facet_panels(const char *title, const char *const *names, int n, int first_style)
{
    static const double at[] = {1, 2, 4};
    for (int p = 0; p < 2; p++) {
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, title);
        for (int i = 0; i < n; i++)
            ws_panel_add_layer(&figure, panel, names[i], WS_LAYER_LINE | WS_LAYER_MARKERS, first_style + i, 3, at, at);
        ws_panel_add_layer(&figure, panel, "Ideal", WS_LAYER_LINE | WS_LAYER_DASHED, -1, 3, at, at);
    }
}

/* Grey markers below the others, of what is no series of its own: the first layer, and the last key. */
START_TEST(what_is_no_series_ends_the_legend)
{
    const double x[] = {1, 2}, y[] = {1, 2}, z[] = {2, 1};
    set_up(85, 70, 1, 1);
    figure.legend = WS_LEGEND_TOP;
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    ws_panel_add_layer(&figure, panel, "Others", WS_LAYER_MARKERS, -1, 2, x, y);
    ws_panel_add_layer(&figure, panel, "best", WS_LAYER_MARKERS, 0, 2, x, z);
    ws_panel_add_layer(&figure, panel, "Front", WS_LAYER_LINE | WS_LAYER_DASHED, -1, 2, x, z);
    must_be_well();
    const ws_placed_text *others = find(WS_TEXT_LEGEND, "Others"), *best = find(WS_TEXT_LEGEND, "best"),
                         *front = find(WS_TEXT_LEGEND, "Front");
    ck_assert(others && best && front);
    ck_assert(best->box.x1 < front->box.x0 && front->box.x1 < others->box.x0);
    tear_down();
}
END_TEST

START_TEST(facets_have_legends_of_their_own)
{
    static const char *const bert[] = {"Table 2, bert, 250 W", "Table 5, bert, 100 W", "Table 5, bert, 200 W"},
                             *const dime[] = {"Table 3, dimenet, 135 MHz", "Table 3, dimenet, 735 MHz"},
                             *const sch[] = {"SchNet"};
    for (int wide = 0; wide < 2; wide++) {
        set_up(wide ? 180 : 85, wide ? 96 : 190, wide ? 2 : 3, wide ? 4 : 2);
        figure.legend = WS_LEGEND_FACETS;
        figure.grows = true;
        add_facet_panels("BERT", bert, 3, 0);
        add_facet_panels("DimeNet", dime, 2, 3);
        add_facet_panels("SchNet", sch, 1, 5);
        must_be_well();
        const ws_placed_text *own = find(WS_TEXT_LEGEND, "Table 5, 100 W"), *other = find(WS_TEXT_LEGEND, "135 MHz");
        ck_assert(own && other && find(WS_TEXT_LEGEND, "Ideal"));
        ck_assert_uint_eq(layout.n_keys, 6); /* Ideal once */
        ck_assert_ptr_null(find(WS_TEXT_LEGEND, "SchNet"));
        ck_assert(own->box.y0 > layout.panels[0].frame.y1 && own->box.x1 <= layout.panels[1].frame.x1);
        ck_assert(other->box.y0 > layout.panels[2].frame.y1 && other->box.x1 <= layout.panels[3].frame.x1);
        ck_assert(wide ? other->box.x0 > layout.panels[1].frame.x1 : other->box.y1 < layout.panels[0].frame.y0);
        ck_assert(layout.height_mm > figure.height_mm); /* for them, not at the cost of the frames */
        tear_down();
    }
    set_up(180, 96, 1, 4); /* of series that all panels have there is one legend */
    figure.legend = WS_LEGEND_FACETS;
    figure.grows = true;
    add_facet_panels("BERT", bert, 3, 0);
    add_facet_panels("DimeNet", bert, 3, 0);
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 4);
    ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, "Table 5, bert, 100 W"));
    tear_down();
    set_up(180, 48, 1, 4); /* nor one each where that would take the page */
    figure.legend = WS_LEGEND_FACETS;
    for (int f = 0; f < 4; f++) {
        const char *names[9];
        static char text[4][9][20];
        for (int i = 0; i < 9; i++)
            names[i] = (snprintf(text[f][i], 20, "series %d of %d", i, f), text[f][i]);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, "T");
        for (int i = 0; i < 9; i++)
            ws_panel_add_layer(&figure, panel, names[i], WS_LAYER_MARKERS, 9 * f + i, 1, (double[]){1}, (double[]){1});
    }
    must_be_well();
    ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, "series 8 of 3"));
    tear_down();
}
END_TEST

/* Six points near each other, as models of one class are: each has its name, within reach or with a line to it. */
START_TEST(names_of_close_points_all_have_a_place)
{
    static const char *const names[] = {"ResNet50", "BERT", "DimeNet", "InceptionV3", "SchNet", "VGG16"};
    static const double x[2][6] = {{49.7, 40, 38.2, 42, 33.6, 48.5}, {35, 20, 18, 30, 20, 36}},
                        y[2][6] = {{88, 98, 83.5, 83.7, 66.8, 89.4}, {87.8, 98, 85, 82, 68, 89.8}};
    for (size_t width = 0; width < 2; width++) {
        set_up(width ? 180 : 85, 82, 1, 2);
        for (size_t p = 0; p < 2; p++) {
            ws_panel *panel = ws_figure_add_panel(&figure, p ? "B" : "A", p ? "128 GPUs" : "2 GPUs");
            panel->x = (ws_axis){.label = "Memory utilisation / %", .has_range = true, .lo = 0, .hi = 100};
            panel->y = (ws_axis){.label = "SM utilisation / %", .has_range = true, .lo = 0, .hi = 105};
            for (size_t i = 0; i < 6; i++) {
                ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_MARKERS, 0, 1, &x[p][i], &y[p][i]);
                ws_panel_annotate(&figure, panel, names[i], 0, false, x[p][i], y[p][i]);
            }
        }
        must_be_well();
        ck_assert(!ws_notes_find(&layout.notes, WS_FINDING_LABEL_LEFT_OUT));
        size_t placed = 0;
        for (size_t i = 0; i < layout.n_texts; i++) {
            const ws_placed_text *t = &layout.texts[i];
            double dx = fmax(fmax(t->box.x0 - t->lead_x, t->lead_x - t->box.x1), 0);
            double dy = fmax(fmax(t->box.y0 - t->lead_y, t->lead_y - t->box.y1), 0);
            placed += t->names_point;
            ck_assert(!t->names_point || t->has_leader || hypot(dx, dy) < 2);
            ck_assert(!t->names_point || t->box.x0 > layout.panels[t->lead_x > 45 + 45 * (double)width].frame.x0);
        }
        ck_assert_uint_eq(placed, 12);
        tear_down();
    }
}
END_TEST

/* Columns of a legend stand closer where that saves a row. */
START_TEST(a_legend_of_four_has_one_row_on_a_column_of_paper)
{
    static const char *const names[] = {"Ideal", "LBS 256", "GBS 256", "GBS 8192"};
    set_up(85, 70, 1, 1);
    figure.legend = WS_LEGEND_TOP;
    for (size_t i = 0; i < 4; i++) {
        if (i == 0)
            add_series(NULL, names[i]);
        else
            ws_panel_add_layer(&figure, &figure.panels[0], names[i], WS_LAYER_LINE, (int)i, 2, (double[]){1, 64},
                               (double[]){1, 30 + (double)i});
    }
    must_be_well();
    for (size_t i = 1; i < layout.n_keys; i++)
        ck_assert(layout.keys[i].box.y0 == layout.keys[0].box.y0);
    ck_assert_uint_eq(layout.n_keys, 4);
    tear_down();
}
END_TEST

/* In the empty cell of a narrow grid, from the cell's edge where the frame above is too narrow for the names. */
START_TEST(a_legend_takes_the_whole_of_an_empty_cell)
{
    set_up(85, 148, 3, 2);
    figure.legend = WS_LEGEND_CELL;
    for (int i = 0; i < 5; i++)
        add_series((const char *[]){"A", "B", "C", "D", "E"}[i], "GBS 256, S/GPU 80072");
    must_be_well();
    const ws_placed_text *name = find(WS_TEXT_LEGEND, "GBS 256, S/GPU 80072");
    ck_assert_ptr_nonnull(name);
    ck_assert(name->box.y1 < layout.panels[3].frame.y0 && name->box.x1 < 85 &&
              layout.keys[0].box.x0 < layout.panels[3].frame.x0);
    ck_assert_uint_eq(layout.notes.n, 0);
    tear_down();
}
END_TEST

/* What a fit says of a series goes into the legend where it would cover data, and what is of no series above the panel;
 * where there is room both stay inside. */
/* Three lines of text that are read together: where a point takes the place of one, none of them stays there. */
START_TEST(annotations_stand_together)
{
    static const char *const names[] = {"A: slope 0.27 ± 0.04", "B: slope 0.30 ± 0.05", "C: slope 0.290 ± 0.009"};
    static const double x[] = {0, 10, 9}, y[] = {0, 0, 0.8}; /* the last one is on the second line, at the right */
    set_up(88, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    ws_panel_add_layer(&figure, panel, "a", WS_LAYER_MARKERS, 0, 3, x, y);
    for (int i = 0; i < 3; i++)
        ws_panel_annotate(&figure, panel, names[i], i, true, 0.97, 0.06 + 0.07 * (2 - i));
    must_be_well();
    const ws_placed_text *first = find(WS_TEXT_ANNOTATION, "A: ");
    ck_assert_ptr_nonnull(first);
    for (int i = 1; i < 3; i++) {
        const ws_placed_text *other = find(WS_TEXT_ANNOTATION, (const char *[]){"", "B: ", "C: "}[i]);
        ck_assert_ptr_nonnull(other);
        ck_assert(other->x == first->x && other->just == first->just);
        ck_assert(other->y < first->y && first->y - other->y < 6 * i);
    }
    tear_down();
}
END_TEST

START_TEST(annotations_never_cover_data)
{
    enum { N = 4000 };
    static double x[N], y[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i % 63), y[i] = (double)(i / 63);
    for (int is_full = 0; is_full < 2; is_full++) {
        set_up(88, 70, 1, 1);
        figure.legend = WS_LEGEND_INSIDE;
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, "title");
        ws_panel_add_layer(&figure, panel, "A100", WS_LAYER_MARKERS, 0, is_full ? N : 2, x, y);
        ws_panel_annotate(&figure, panel, "A100: slope 0.31 ± 0.02", 0, true, 0.95, 0.95);
        ws_panel_annotate(&figure, panel, "r = 0.11", -1, true, 0.95, 0.88);
        must_be_well();
        const ws_placed_text *inside = find(WS_TEXT_ANNOTATION, "A100: slope 0.31");
        const ws_placed_text *entry = find(WS_TEXT_LEGEND, is_full ? "A100: slope 0.31 ± 0.02" : "A100");
        ck_assert((inside == NULL) == is_full && layout.notes_outside == is_full);
        ck_assert(entry && (entry->box.y0 > layout.panels[0].frame.y1) == is_full);
        ck_assert_ptr_nonnull(find(WS_TEXT_TITLE, is_full ? "title, r = 0.11" : "title"));
        ck_assert_uint_eq(layout.n_keys, 1);
        ck_assert_uint_eq(layout.notes.n, 0);
        tear_down();
    }
}
END_TEST

/* A band of three points over twelve decades leaves the axis to the points; one of their own size is seen whole. */
START_TEST(a_wide_band_runs_out_of_the_frame)
{
    const double x[] = {1, 8, 64}, y[] = {100, 10, 1}, far_lo[] = {1e-6, 1e-3, 1e-6}, far_hi[] = {1e6, 1e3, 1e6},
                 near_lo[] = {80, 8, 0.8}, near_hi[] = {120, 12, 1.2};
    for (int is_far = 0; is_far < 2; is_far++) {
        set_up(88, 70, 1, 1);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        panel->y.scale = WS_AXIS_LOG10;
        ws_layer *layer = ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_LINE | WS_LAYER_BAND, 0, 3, x, y);
        ws_layer_set_range(&figure, layer, is_far ? far_lo : near_lo, is_far ? far_hi : near_hi);
        must_be_well();
        const ws_panel_layout *p = &layout.panels[0];
        ck_assert((ws_layout_mm(&p->y, is_far ? 1e6 : 120) > p->frame.y1) == is_far);
        ck_assert((ws_layout_mm(&p->y, is_far ? 1e-6 : 0.8) < p->frame.y0) == is_far);
        double share = (ws_layout_mm(&p->y, 100) - ws_layout_mm(&p->y, 1)) / (p->frame.y1 - p->frame.y0);
        ck_assert_msg(share > 0.55, "points have %g of the axis", share);
        tear_down();
    }
}
END_TEST

/* Points of 10 to 20, and a band of 49 or 51: whole up to five times the span of the points. */
START_TEST(a_band_is_whole_up_to_five_times_the_points)
{
    const double x[] = {1, 2}, y[] = {10, 20}, lo[] = {-15, 5};
    for (int is_far = 0; is_far < 2; is_far++) {
        const double hi[] = {25, is_far ? 36 : 34};
        set_up(88, 70, 1, 1);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        ws_layer *layer = ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_LINE | WS_LAYER_BAND, 0, 2, x, y);
        ws_layer_set_range(&figure, layer, lo, hi);
        ck_assert(ws_panel_cuts_bands(panel) == is_far);
        must_be_well();
        ck_assert((ws_layout_mm(&layout.panels[0].y, hi[1]) > layout.panels[0].frame.y1) == is_far);
        tear_down();
    }
}
END_TEST

/* A time or a ratio cannot be negative, however long its bar: the axis begins at zero and the bar ends there. Of
 * numbers below zero it goes on. */
START_TEST(error_bars_lead_no_axis_below_zero)
{
    static const double x[] = {1, 2, 3}, y[] = {0.9, 1.1, 1}, below[] = {0.9, -0.4, 1}, e[] = {2.8, 0.1, 2.5};
    for (int negative = 0; negative < 2; negative++) {
        set_up(85, 62, 1, 1);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        ws_layer *layer =
            ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_MARKERS | WS_LAYER_ERRORS, 0, 3, x, negative ? below : y);
        ws_layer_set_error(&figure, layer, e);
        ws_layer_set_x_error(&figure, layer, e);
        must_be_well();
        const ws_panel_layout *p = &layout.panels[0];
        ck_assert(negative ? p->y.ticks.lo < -0.4 : p->y.ticks.lo == 0);
        ck_assert(p->x.ticks.lo == 0 && p->y.ticks.hi > 3.7 && p->x.ticks.hi > 5.5);
        tear_down();
    }
}
END_TEST

/* 28.00 and 28.01 are the same to a reader: their axis spans 4 % of them, 1.12, and more for its ends; 28 and 29.2,
 * 4.1 %, keep their own. On an axis that was asked for, and of bars, nothing changes. */
START_TEST(an_axis_of_what_is_constant_shows_so)
{
    static const double x[] = {1, 2}, still[] = {28, 28.01}, moves[] = {28, 29.2};
    for (int c = 0; c < 3; c++) {
        set_up(85, 62, 1, 1);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        if (c == 2)
            panel->y = (ws_axis){.has_range = true, .lo = 27.9, .hi = 28.1};
        ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_MARKERS, 0, 2, x, c == 1 ? moves : still);
        must_be_well();
        double span = layout.panels[0].y.ticks.hi - layout.panels[0].y.ticks.lo;
        ck_assert_msg(c == 0   ? span >= 1.12 && span < 2
                      : c == 1 ? span >= 1.2 && span < 2
                               : span > 0.19 && span < 0.21,
                      "case %d spans %g", c, span);
        tear_down();
    }
}
END_TEST

/* A series of one point has no line to be found in the panels; one with a second point in any panel has. */
START_TEST(keys_have_lines_where_panels_show_them)
{
    const double x[] = {1, 2}, y[] = {1, 2}, gap[] = {1, NAN};
    set_up(180, 70, 1, 2);
    figure.legend = WS_LEGEND_TOP;
    ws_panel *panel = ws_figure_add_panel(&figure, "A", NULL);
    const unsigned kind = WS_LAYER_LINE | WS_LAYER_MARKERS | WS_LAYER_DASHED;
    ws_panel_add_layer(&figure, panel, "one", kind, 0, 1, x, y);
    ws_panel_add_layer(&figure, panel, "a gap", kind, 1, 2, x, gap);
    ws_panel_add_layer(&figure, panel, "two", kind, 2, 1, x, y);
    panel = ws_figure_add_panel(&figure, "B", NULL);
    ws_panel_add_layer(&figure, panel, "two", kind, 2, 2, x, y);
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 3);
    for (size_t k = 0; k < 3; k++)
        ck_assert_int_eq((layout.keys[k].kind & WS_LAYER_LINE) != 0, layout.keys[k].style == 2);
    tear_down();
}
END_TEST

/* A key has bars where a point of the series shows one beyond its marker: of the two, one in a hundred of the axis is
 * 0.5 mm, and a fifth 9 mm. */
START_TEST(keys_have_bars_where_points_show_them)
{
    static const double x[] = {1, 2, 3}, y[] = {0, 50, 100}, short_bars[] = {1, 1, 1}, long_bars[] = {1, 20, 1};
    set_up(85, 62, 1, 1);
    figure.legend = WS_LEGEND_TOP;
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    for (int s = 0; s < 2; s++)
        ws_layer_set_error(
            &figure,
            ws_panel_add_layer(&figure, panel, s ? "long" : "short", WS_LAYER_MARKERS | WS_LAYER_ERRORS, s, 3, x, y),
            s ? long_bars : short_bars);
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 2);
    for (size_t k = 0; k < 2; k++)
        ck_assert_int_eq(layout.keys[k].has_error, layout.keys[k].style == 1);
    tear_down();
    /* 48 mm of frame: 1.0 mm is a cap on the marker that nobody sees, 1.4 mm stands out; on an axis from 0 it does not
     */
    for (int from_zero = 0; from_zero < 2; from_zero++) {
        static const double high[] = {100, 110, 120}, bars[2][3] = {{0.42, 0, 0}, {0.6, 0, 0}};
        set_up(85, 62, 1, 1);
        figure.legend = WS_LEGEND_TOP;
        panel = ws_figure_add_panel(&figure, NULL, NULL);
        panel->y.from_zero = from_zero;
        for (int s = 0; s < 2; s++)
            ws_layer_set_error(&figure,
                               ws_panel_add_layer(&figure, panel, s ? "seen" : "hidden",
                                                  WS_LAYER_MARKERS | WS_LAYER_ERRORS, s, 3, x, high),
                               bars[s]);
        must_be_well();
        for (size_t k = 0; k < 2; k++)
            ck_assert_int_eq(layout.keys[k].has_error, layout.keys[k].style == 1 && !from_zero);
        tear_down();
    }
}
END_TEST

START_TEST(points_without_a_place_are_counted)
{
    set_up(85, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    panel->x.scale = WS_AXIS_LOG2, panel->y.scale = WS_AXIS_LOG10;
    const double x[] = {1, 2, 0, -4, NAN, 8, 16}, y[] = {1, -2, 3, 4, 5, INFINITY, 100};
    ws_panel_add_layer(&figure, panel, "odd", WS_LAYER_LINE | WS_LAYER_MARKERS, 0, 7, x, y);
    must_be_well();
    const ws_note *note = ws_notes_find(&layout.notes, WS_FINDING_POINTS_DROPPED);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 5);
    ck_assert_str_eq(note->subject, "odd");
    ck_assert_ptr_nonnull(find(WS_TEXT_X_TICK, "16"));
    ck_assert_ptr_nonnull(find(WS_TEXT_Y_TICK, "100"));
    tear_down();
}
END_TEST

START_TEST(points_beyond_every_axis_are_counted)
{
    set_up(85, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 5e299, 2e300, 1e305, -1e308};
    ws_panel_add_layer(&figure, panel, "far", WS_LAYER_MARKERS, 0, 5, x, y);
    must_be_well();
    const ws_note *note = ws_notes_find(&layout.notes, WS_FINDING_POINTS_DROPPED);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 3);
    tear_down();
}
END_TEST

START_TEST(points_outside_a_given_range_are_counted)
{
    set_up(85, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    panel->y = (ws_axis){.has_range = true, .lo = 0, .hi = 10};
    const double x[] = {1, 2, 3, 4}, y[] = {1, 10, 11, -1e300};
    ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_MARKERS, 0, 4, x, y);
    must_be_well();
    ck_assert_ptr_nonnull(ws_notes_find(&layout.notes, WS_FINDING_POINTS_OUTSIDE));
    ck_assert_uint_eq(ws_notes_find(&layout.notes, WS_FINDING_POINTS_OUTSIDE)->count, 2);
    tear_down();
}
END_TEST

START_TEST(few_points_or_none)
{
    const double one = 3, nothing = NAN;
    for (int scale = WS_AXIS_LINEAR; scale <= WS_AXIS_LOG10; scale++)
        for (int points = 0; points < 3; points++) {
            set_up(60, 50, 1, 1);
            figure.legend = WS_LEGEND_INSIDE;
            ws_panel *panel = ws_figure_add_panel(&figure, "A", "one");
            panel->x.scale = panel->y.scale = (ws_axis_scale)scale;
            ws_panel_add_layer(&figure, panel, "one", WS_LAYER_MARKERS, 0, points > 0, &one,
                               points == 2 ? &nothing : &one);
            must_be_well();
            tear_down();
        }
}
END_TEST

START_TEST(a_million_points)
{
    enum { N = 1000000 };
    double *x = ws_alloc(N * sizeof *x), *y = ws_alloc(N * sizeof *y);
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i * 0.1, y[i] = i % 1000 == 7 ? NAN : 200 + 100 * sin((double)i * 0.01);
    set_up(180, 92, 1, 1);
    figure.legend = WS_LEGEND_INSIDE;
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    ws_panel_add_layer(&figure, panel, "trace", WS_LAYER_TRACE, 0, N, x, y);
    must_be_well();
    ck_assert_uint_eq(ws_notes_find(&layout.notes, WS_FINDING_POINTS_DROPPED)->count, N / 1000);
    ck_close(ws_layout_mm(&layout.panels[0].x, x[0]), layout.panels[0].frame.x0, 1e-9, 0);
    ck_close(ws_layout_mm(&layout.panels[0].x, x[N - 1]), layout.panels[0].frame.x1, 1e-9, 0);
    tear_down();
    free(x);
    free(y);
}
END_TEST

START_TEST(legend_inside_keeps_clear_of_data)
{
    set_up(88, 70, 1, 1);
    figure.legend = WS_LEGEND_INSIDE;
    add_series(NULL, "LBS = 256");
    must_be_well();
    const ws_panel_layout *p = &layout.panels[0];
    const ws_placed_text *label = find(WS_TEXT_LEGEND, "LBS");
    ck_assert_uint_eq(layout.n_keys, 1);
    ck_assert(label->box.x0 > p->frame.x0 && label->box.x1 < p->frame.x1 && label->box.y1 < p->frame.y1);
    for (size_t i = 0; i < 7; i++) {
        double x = ws_layout_mm(&p->x, figure.panels[0].layers[0].x[i]),
               y = ws_layout_mm(&p->y, figure.panels[0].layers[0].y[i]);
        ck_assert(!overlap(&label->box, &(ws_box){x - .85, y - .85, x + .85, y + .85}));
        ck_assert(!overlap(&layout.keys[0].box, &(ws_box){x - .85, y - .85, x + .85, y + .85}));
    }
    tear_down();
}
END_TEST

START_TEST(legend_goes_above_when_data_is_everywhere)
{
    enum { N = 4000 };
    static double x[N], y[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i % 63), y[i] = (double)(i / 63);
    set_up(88, 70, 1, 1);
    figure.legend = WS_LEGEND_INSIDE;
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    ws_panel_add_layer(&figure, panel, "everywhere", WS_LAYER_MARKERS, 0, N, x, y);
    must_be_well();
    ck_assert(find(WS_TEXT_LEGEND, "everywhere")->box.y0 > layout.panels[0].frame.y1);
    tear_down();
}
END_TEST

START_TEST(many_series_are_counted_in_the_legend)
{
    static const double x[] = {1, 2};
    for (int place = WS_LEGEND_TOP; place <= WS_LEGEND_CELL; place++) {
        set_up(85, 70, 1, place == WS_LEGEND_CELL ? 2 : 1);
        figure.legend = (ws_legend_place)place;
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        for (int i = 0; i < 100; i++) {
            char name[40];
            snprintf(name, sizeof name, "series number %d", i);
            ws_panel_add_layer(&figure, panel, name, WS_LAYER_LINE, i, 2, x, x);
        }
        must_be_well();
        const ws_note *note = ws_notes_find(&layout.notes, WS_FINDING_LABEL_LEFT_OUT);
        ck_assert_ptr_nonnull(note);
        ck_assert_uint_eq(note->count + layout.n_keys, 100);
        ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, "and "));
        tear_down();
    }
}
END_TEST

/* Facets of one series each say their own of it. */
/* Where panels say different things of one series, the legend has its name once and each panel what it says, between
 * its title and its frame. */
START_TEST(what_panels_say_of_a_series_stands_above_them)
{
    static const double x[] = {1, 2}, y[] = {1, 2};
    static const char *const labels[2][2] = {{"resnet: 0.69", "ssd"}, {"resnet: 0.94", "ssd"}};
    set_up(180, 70, 1, 2);
    figure.legend = WS_LEGEND_TOP;
    figure.grows = true;
    for (int p = 0; p < 2; p++) {
        ws_panel *panel = ws_figure_add_panel(&figure, p ? "B" : "A", "title");
        for (int i = 0; i < 2; i++)
            ws_panel_add_layer(&figure, panel, labels[p][i], WS_LAYER_LINE, i, 2, x, y);
    }
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 4);
    ck_assert_str_eq(find(WS_TEXT_LEGEND, "ssd")->text, "ssd");
    ck_assert_str_eq(find(WS_TEXT_LEGEND, "resnet")->text, "resnet");
    const ws_placed_text *title = find(WS_TEXT_TITLE, "title"), *a = find(WS_TEXT_LEGEND, "0.69"),
                         *b = find(WS_TEXT_LEGEND, "0.94");
    ck_assert(title && a && b && find(WS_TEXT_LEGEND, "resnet")->y > title->y);
    ck_assert(a->box.y1 < title->box.y0 && a->box.y0 > layout.panels[0].frame.y1);
    ck_assert(a->box.x1 < layout.panels[0].frame.x1 && b->box.x0 > layout.panels[1].frame.x0);
    ck_assert(layout.height_mm > figure.height_mm);
    tear_down();
}
END_TEST

/* A page that may not grow keeps its panels: then each entry names its panel. */
START_TEST(entries_of_one_series_name_their_panels)
{
    static const double x[] = {1, 2}, y[] = {1, 2};
    static const char *const labels[2] = {"resnet: 0.69", "resnet: 0.94"};
    static const char *const letters[] = {"A", "B", "C", "D", "E", "F"};
    set_up(60, 60, 6, 1);
    figure.legend = WS_LEGEND_TOP;
    for (int p = 0; p < 6; p++) {
        ws_panel *panel = ws_figure_add_panel(&figure, letters[p], NULL);
        ws_panel_add_layer(&figure, panel, p ? labels[p % 2] : "resnet: 0.1", WS_LAYER_LINE, 0, 2, x, y);
        ws_panel_add_layer(&figure, panel, p ? "ssd: 0.2" : "ssd: 0.3", WS_LAYER_LINE, 1, 2, x, y);
    }
    ws_text_measure measure = ws_text_measure_fixed();
    (void)ws_layout_make(&layout, &figure, &measure, NULL);
    ck_assert(find(WS_TEXT_LEGEND, "resnet: 0.1 (A)") && find(WS_TEXT_LEGEND, "resnet: 0.94 (B)"));
    tear_down();
}
END_TEST

/* What fits say of twelve series stands whole, below each other, on a column of paper that is high enough. */
START_TEST(names_are_cut_in_no_legend_that_has_room_below)
{
    static const double x[] = {1, 2}, y[] = {1, 2};
    set_up(85, 100, 1, 2);
    figure.legend = WS_LEGEND_TOP;
    for (int p = 0; p < 2; p++) {
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        for (int i = 0; i < 12; i++)
            ws_panel_add_layer(&figure, panel, ws_arena_printf(&figure.arena, "model %d: exponent 0.71 +- 0.07", i),
                               WS_LAYER_LINE, i, 2, x, y);
    }
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 12);
    ck_assert_ptr_null(ws_notes_find(&layout.notes, WS_FINDING_TEXT_SHORTENED));
    ck_assert(layout.panels[0].frame.y1 - layout.panels[0].frame.y0 > 30);
    tear_down();
}
END_TEST

static void add_fits(size_t n, const char *form)
{
    static const double x[] = {1, 2}, y[] = {1, 2};
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    figure.legend = WS_LEGEND_TOP;
    for (size_t i = 0; i < n; i++)
        ws_panel_add_layer(&figure, panel, ws_arena_printf(&figure.arena, form, i), WS_LAYER_LINE, (int)i, 2, x, y);
}

/* Of entries that do not fit a column of paper R^{2} goes first, then what all names have in common and what they do
 * not need; the numbers stay. */
START_TEST(legends_leave_out_what_tells_nothing_apart)
{
    set_up(85, 100, 1, 1);
    add_fits(12, "model %zu of some length: exponent 0.82 +- 0.03, R^{2} = 0.991");
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 12);
    ck_assert(find(WS_TEXT_LEGEND, "model 7 of some length: exponent 0.82 +- 0.03"));
    ck_assert_ptr_nonnull(ws_notes_find(&layout.notes, WS_FINDING_TEXT_SHORTENED));
    tear_down();
    set_up(85, 120, 1, 1);
    add_fits(16, "DimeNet, table%zu, 250 W, 1380 MHz, V100, geometric: beta = 0.82 +- 0.03, R^{2} = 0.991");
    must_be_well();
    ck_assert_uint_eq(layout.n_keys, 16);
    ck_assert(find(WS_TEXT_LEGEND, "table3: beta = 0.82 +- 0.03") &&
              find(WS_TEXT_LEGEND, "table15: beta = 0.82 +- 0.03"));
    tear_down();
}
END_TEST

/* Where nobody asked for a height the page grows for a long legend, and the panels keep theirs; not without end. */
START_TEST(a_page_grows_for_its_legend)
{
    static const char form[] = "model %zu: exponent 0.71 +- 0.07, R^{2} = 0.991";
    set_up(85, 88, 1, 1);
    add_fits(6, form);
    must_be_well();
    double height = layout.panels[0].frame.y1 - layout.panels[0].frame.y0;
    ck_assert_double_eq(layout.height_mm, 88);
    tear_down();
    for (int grows = 0; grows < 2; grows++) {
        set_up(85, 88, 1, 1);
        figure.grows = grows;
        add_fits(16, form);
        must_be_well();
        ck_assert_uint_eq(layout.n_keys, 16);
        if (grows) {
            ck_close(layout.height_mm, 88 + 16 * 4 - 0.3 * 88, 1e-9, 0);
            ck_assert_double_ge(layout.panels[0].frame.y1 - layout.panels[0].frame.y0, height - 4);
            ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, "model 15: exponent 0.71 +- 0.07, R^{2} = 0.991"));
        } else {
            ck_assert_double_eq(layout.height_mm, 88);
        }
        tear_down();
    }
    set_up(85, 88, 1, 1);
    figure.grows = true;
    add_fits(48, form);
    must_be_well();
    ck_assert_double_le(layout.height_mm, 1.75 * 88);
    tear_down();
}
END_TEST

START_TEST(a_long_name_leaves_the_other_series_in_the_legend)
{
    static const double x[] = {1, 2};
    for (int place = WS_LEGEND_TOP; place <= WS_LEGEND_CELL; place++) {
        set_up(85, 70, 1, place == WS_LEGEND_CELL ? 2 : 1);
        figure.legend = (ws_legend_place)place;
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        ws_panel_add_layer(&figure, panel, long_label, WS_LAYER_LINE, 0, 2, x, x);
        for (int i = 1; i < 9; i++) {
            char name[40];
            snprintf(name, sizeof name, "s%d", i);
            ws_panel_add_layer(&figure, panel, name, WS_LAYER_LINE, i, 2, x, x);
        }
        must_be_well();
        ck_assert_ptr_null(ws_notes_find(&layout.notes, WS_FINDING_LABEL_LEFT_OUT));
        ck_assert_uint_eq(layout.n_keys, 9);
        ck_assert_ptr_nonnull(find(WS_TEXT_LEGEND, "s8"));
        tear_down();
    }
}
END_TEST

START_TEST(bars_stand_side_by_side_on_zero)
{
    static const char *const names[] = {"BERT", "DimeNet", "ResNet50"};
    static const double x[] = {0, 1, 2}, y[2][3] = {{0.4, 0.6, 0.5}, {1, 1, -0.2}};
    set_up(85, 62, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    panel->x = (ws_axis){.scale = WS_AXIS_CATEGORY, .categories = names, .n_categories = 3};
    ws_panel_add_layer(&figure, panel, "a", WS_LAYER_BARS, 0, 3, x, y[0]);
    ws_panel_add_layer(&figure, panel, "b", WS_LAYER_BARS, 1, 3, x, y[1]);
    must_be_well();
    const ws_panel_layout *p = &layout.panels[0];
    ws_box a, b, below;
    ck_assert(ws_layout_bar(p, &figure.panels[0].layers[0], 0, 0, &a) &&
              ws_layout_bar(p, &figure.panels[0].layers[1], 1, 0, &b));
    ck_assert(ws_layout_bar(p, &figure.panels[0].layers[1], 1, 2, &below));
    ck_assert(a.x1 < b.x0 && a.y0 == b.y0);
    ck_close(a.y0, ws_layout_mm(&p->y, 0), 1e-12, 0);
    ck_close((a.y1 - a.y0) / (b.y1 - b.y0), 0.4, 1e-9, 0);
    ck_close((a.x0 + b.x1) / 2, ws_layout_mm(&p->x, 0), 1e-9, 0);
    ck_close(below.y1, a.y0, 1e-12, 0);
    tear_down();
}
END_TEST

static void draw_bars(const char *const *names)
{
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2, 3, 4, 5, 6, 7, 8};
    set_up(85, 62, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    panel->x = (ws_axis){.scale = WS_AXIS_CATEGORY, .categories = names, .n_categories = 8};
    ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_BARS, 0, 8, x, y);
    must_be_well();
}

/* Eight batch sizes on a column of paper: all in two lines, as some of them need; and a name whose words are joined. */
START_TEST(names_of_categories_have_lines)
{
    static const char *const sizes[] = {"LBS 8",   "LBS 16",  "LBS 32",  "LBS 64",
                                        "LBS 128", "LBS 192", "LBS 256", "LBS 360"};
    static const char *const models[] = {"bert_base_cased", "ncf", "gnn", "ssd", "resnet", "unet3d", "dlrm", "gpt3"};
    draw_bars(sizes);
    const ws_placed_text *word = find(WS_TEXT_X_TICK, "LBS"), *size = find(WS_TEXT_X_TICK, "128");
    ck_assert_msg(word && size, "'LBS 128' does not stand in two lines");
    ck_assert(size->y < word->y);
    ck_assert_ptr_null(find(WS_TEXT_X_TICK, "LBS 8"));
    ck_assert_uint_eq(layout.notes.n, 0);
    tear_down();
    draw_bars(models);
    static const char *const lines[] = {"bert_", "base_", "cased"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(find(WS_TEXT_X_TICK, lines[i]));
    ck_assert_uint_eq(layout.notes.n, 0);
    tear_down();
    static const char *const words[] = {"ncf", "gnn", "inception", "ssd", "resnet", "unet3d", "dlrm", "gpt3"};
    draw_bars(words); /* between short names */
    ck_assert_ptr_nonnull(find(WS_TEXT_X_TICK, "inception"));
    ck_assert_uint_eq(layout.notes.n, 0);
    tear_down();
}
END_TEST

START_TEST(direct_labels_avoid_points_and_each_other)
{
    static const double x[] = {67, 61, 74, 50, 45, 38}, y[] = {97, 95.5, 93, 91.5, 88, 79};
    set_up(85, 82, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    panel->x = (ws_axis){.has_range = true, .lo = 0, .hi = 100},
    panel->y = (ws_axis){.has_range = true, .lo = 40, .hi = 100};
    ws_panel_add_layer(&figure, panel, NULL, WS_LAYER_MARKERS, 0, 6, x, y);
    for (size_t i = 0; i < 6; i++)
        ws_panel_annotate(&figure, panel,
                          (const char *[]){"VGG16", "BERT", "DimeNet", "ResNet50", "InceptionV3", "SchNet"}[i], 0,
                          false, x[i], y[i]);
    must_be_well();
    size_t n = 0;
    for (size_t t = 0; t < layout.n_texts; t++) {
        if (layout.texts[t].role != WS_TEXT_ANNOTATION)
            continue;
        n++;
        for (size_t i = 0; i < 6; i++) {
            double px = ws_layout_mm(&layout.panels[0].x, x[i]), py = ws_layout_mm(&layout.panels[0].y, y[i]);
            ck_assert(!overlap(&layout.texts[t].box, &(ws_box){px - .8, py - .8, px + .8, py + .8}));
        }
    }
    ck_assert_uint_eq(n, 6);
    tear_down();
}
END_TEST

/* Bars of three series at one x overlap: 10 +- 4, 11 +- 4 and 12 +- 4. At most 0.4 of the way to the next x lies
 * between the first and the last, and they are apart by a cap and more. A sloped ideal holds them at their places, and
 * so do bars that do not meet: 10 +- 1, 20 +- 1, 30 +- 1. */
START_TEST(series_whose_bars_meet_stand_side_by_side)
{
    static const double x[] = {1, 2, 4}, ideal[] = {5, 10, 20};
    for (int what = 0; what < 3; what++) {
        set_up(88, 70, 1, 1);
        ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
        panel->x = (ws_axis){.scale = WS_AXIS_LOG2, .label = "Number of GPUs"};
        for (int s = 0; s < 3; s++) {
            double step = what == 2 ? 10 : 1, e = what == 2 ? 1 : 4;
            const double y[] = {10 + step * s, 10 + step * s, 10 + step * s}, error[] = {e, e, e};
            const char *label = (const char *[]){"a", "b", "c"}[s];
            unsigned kind = WS_LAYER_LINE | WS_LAYER_MARKERS | WS_LAYER_ERRORS;
            ws_layer_set_error(&figure, ws_panel_add_layer(&figure, panel, label, kind, s, 3, x, y), error);
        }
        if (what == 1)
            ws_panel_add_layer(&figure, panel, "Ideal", WS_LAYER_LINE | WS_LAYER_DASHED, -1, 3, x, ideal);
        figure.legend = WS_LEGEND_TOP;
        must_be_well();
        const ws_panel_layout *place = &layout.panels[0];
        for (size_t i = 0; i < 3; i++) {
            double at = ws_layout_mm(&place->x, x[i]), gap = ws_layout_mm(&place->x, 2) - ws_layout_mm(&place->x, 1);
            double left = ws_layout_x(place, &figure.panels[0].layers[0], i) - at,
                   middle = ws_layout_x(place, &figure.panels[0].layers[1], i) - at,
                   right = ws_layout_x(place, &figure.panels[0].layers[2], i) - at;
            ck_assert_double_eq_tol(middle, 0, 1e-9);
            ck_assert_double_eq_tol(left, -right, 1e-9);
            ck_assert(what == 0 ? right > 1.2 && 2 * right <= 0.4 * gap + 1e-9 : right == 0);
        }
        figure.caption = "Caption.";
        ws_figure_say_coincident(&figure);
        ck_assert_str_eq(figure.caption, what == 0
                                             ? "Caption. Series whose bars would meet stand side by side at one place "
                                               "of the horizontal axis."
                                             : "Caption.");
        tear_down();
    }
}
END_TEST

/* 10 +- 4 and 11 +- 4 meet; 40 +- 4, drawn between them and after them, meets none and has its place. */
START_TEST(a_series_whose_bars_meet_none_has_its_place)
{
    static const double x[] = {1, 2}, y[][2] = {{10, 10}, {40, 40}, {11, 11}, {60, 60}}, error[] = {4, 4};
    static const char *const names[] = {"a", "b", "c", "d"};
    set_up(88, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    for (int s = 0; s < 4; s++)
        ws_layer_set_error(
            &figure, ws_panel_add_layer(&figure, panel, names[s], WS_LAYER_MARKERS | WS_LAYER_ERRORS, s, 2, x, y[s]),
            error);
    figure.legend = WS_LEGEND_TOP;
    must_be_well();
    const ws_panel_layout *place = &layout.panels[0];
    double moved[4];
    for (size_t s = 0; s < 4; s++)
        moved[s] = ws_layout_x(place, &figure.panels[0].layers[s], 0) - ws_layout_mm(&place->x, 1);
    ck_assert(moved[0] < -0.5 && moved[1] == 0 && moved[3] == 0);
    ck_assert_double_eq_tol(moved[2], -moved[0], 1e-9);
    tear_down();
}
END_TEST

START_TEST(pages_that_hold_nothing_are_refused)
{
    static const double sizes[][2] = {{0, 70}, {-85, 70}, {NAN, 70}, {85, INFINITY}, {85, 5000}, {30, 20}};
    ws_text_measure measure = ws_text_measure_fixed();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ws_error error = {0};
        set_up(sizes[i][0], sizes[i][1], 3, 3);
        for (int k = 0; k < 9; k++)
            add_series("A", "x");
        ck_assert_int_eq(ws_layout_make(&layout, &figure, &measure, &error), WS_USAGE);
        ck_assert_msg(strncmp(error.message, "test/figure: ", 13) == 0, "%s", error.message);
        tear_down();
    }
    set_up(85, 70, 1, 1);
    ck_assert_int_eq(ws_layout_make(&layout, &figure, &measure, NULL), WS_USAGE);
    tear_down();
}
END_TEST

TEST_MAIN("figure layout", what_is_no_series_ends_the_legend, facets_have_legends_of_their_own,
          annotations_never_cover_data, a_legend_takes_the_empty_cells_beside_its_own, annotations_stand_together,
          a_wide_band_runs_out_of_the_frame, a_band_is_whole_up_to_five_times_the_points,
          an_axis_of_what_is_constant_shows_so, keys_have_lines_where_panels_show_them,
          keys_have_bars_where_points_show_them, error_bars_lead_no_axis_below_zero,
          names_of_close_points_all_have_a_place, a_legend_of_four_has_one_row_on_a_column_of_paper,
          a_legend_takes_the_whole_of_an_empty_cell, panels_share_the_page, values_have_their_place_on_the_axes,
          hostile_labels_stay_on_their_places, texts_are_complete_or_end_in_an_ellipsis, a_long_title_has_two_lines,
          a_long_axis_title_has_two_lines, names_of_categories_have_lines, points_without_a_place_are_counted,
          points_beyond_every_axis_are_counted, points_outside_a_given_range_are_counted, few_points_or_none,
          a_million_points, legend_inside_keeps_clear_of_data, legend_goes_above_when_data_is_everywhere,
          many_series_are_counted_in_the_legend, names_are_cut_in_no_legend_that_has_room_below,
          legends_leave_out_what_tells_nothing_apart, a_page_grows_for_its_legend,
          what_panels_say_of_a_series_stands_above_them, series_whose_bars_meet_stand_side_by_side,
          a_series_whose_bars_meet_none_has_its_place, entries_of_one_series_name_their_panels,
          a_long_name_leaves_the_other_series_in_the_legend, bars_stand_side_by_side_on_zero,
          direct_labels_avoid_points_and_each_other, pages_that_hold_nothing_are_refused,
          a_legend_is_read_column_by_column_and_has_the_reference)
