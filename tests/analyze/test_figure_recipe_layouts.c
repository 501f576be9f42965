/* Every recipe's figure, with friendly and with hostile names and values, laid out: nothing overlaps, nothing lies
 * outside, texts are complete or end in an ellipsis, dropped points are counted. */
#include "harness.h"

#include "analyze/ingest/tidy.h"
#include "analyze/recipes/paper.h"
#include "analyze/scaling/scaling.h"
#include "report/figure/figure_join.h"
#include "report/figure/figure_settle.h"
#include "report/sound_layout.h"

enum { SERIES = 3, SIZES = 5, REPEATS = 2, ROWS = SERIES * SIZES * REPEATS };

static const char *const friendly[] = {"gbs256", "gbs1024", "lbs256"};

static const char *const columns[] = {
    "gpus",       "lbs", "epochs", "dataset_samples", "wall_s", "energy_gpu_kwh", "energy_cpu_kwh", "energy_dram_kwh",
    "cpu_power_w"};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* A run of a series: times fall and energies rise with the GPUs, a little differently in each series and repeat. */
static void values_of(size_t s, size_t size, size_t repeat, double *value)
{
    double gpus = (double)(1 << size), wobble = 1 + 0.01 * (double)repeat, slow = 1 + 0.2 * (double)s;
    const double values[COLUMNS] = {gpus,
                                    256,
                                    10,
                                    s ? 1281167 : 5004 * gpus,
                                    9000 * slow * wobble / pow(gpus, 0.9),
                                    0.5 * slow * wobble,
                                    0.1 / gpus * wobble,
                                    0.02 / gpus,
                                    120 + 5 * slow};
    memcpy(value, values, sizeof values);
}

typedef struct campaign {
    ws_table raw, runs, scale;
} campaign;

static void set_row(ws_table *raw, size_t row, const char *series, const double *value)
{
    ws_table_set_text(raw, 0, row, series);
    for (size_t c = 0; c < COLUMNS; c++)
        ws_table_set_number(raw, c + 1, row, value[c]);
    ws_table_set_text(raw, COLUMNS + 1, row, "network");
}

/* `spoil` may change the values of a run before they are set. */
typedef void spoiler(size_t row, double *value);

static void make_campaign(campaign *c, const char *const *names, size_t n_rows, spoiler *spoil)
{
    ws_fields none = {0};
    ws_error error = {0};
    ws_scaling_options options = {0};
    double value[COLUMNS];
    *c = (campaign){0};
    ws_table_init(&c->raw, "t");
    c->raw.source = "t.csv";
    ws_table_add_column(&c->raw, "series", WS_TEXT);
    for (size_t k = 0; k < COLUMNS; k++)
        ws_table_add_column(&c->raw, columns[k], WS_NUMBER);
    ws_table_add_column(&c->raw, "model", WS_TEXT);
    for (size_t i = 0; i < n_rows; i++) {
        size_t s = i / (SIZES * REPEATS);
        values_of(s, i / REPEATS % SIZES, i % REPEATS, value);
        if (spoil)
            spoil(i, value);
        set_row(&c->raw, ws_table_add_row(&c->raw), names[s], value);
    }
    ck_assert_msg(ws_tidy(&c->raw, NULL, &none, &c->runs, &error) == WS_OK, "%s", error.message);
    ck_assert_msg(ws_scale(&c->runs, &options, &c->scale, &error) == WS_OK, "%s", error.message);
}

static void free_campaign(campaign *c)
{
    ws_table_free(&c->raw);
    ws_table_free(&c->runs);
    ws_table_free(&c->scale);
}

static void fill_profiles(ws_profiles *profiles, const char *const *names, size_t samples, double odd)
{
    ws_sink sink = ws_profiles_sink(profiles);
    ws_profiles_begin(profiles, "a.csv", names[2]);
    for (size_t d = 0; d < 2; d++) {
        ws_channel channel = {
            .run = "", .device = names[d], .domain = WS_GPU, .quantity = WS_POWER, .time = WS_TIME_RELATIVE};
        int id;
        ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
        for (size_t i = 0; i < samples; i++) {
            int64_t t = (int64_t)i * 1000000000;
            double watts = i % 10 == 3 ? odd : 200 + 50 * sin((double)i / 7);
            ws_block block = {.n = 1, .t_ns = &t, .value = &watts};
            ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
        }
    }
}

/* Everything that a recipe may be made from. */
typedef struct material {
    campaign campaign;
    ws_profiles profiles;
    ws_figure_input input;
} material;

static void gather(material *m, const char *const *names, size_t rows, size_t samples, spoiler *spoil, double odd)
{
    make_campaign(&m->campaign, names, rows, spoil);
    m->profiles = (ws_profiles){0};
    fill_profiles(&m->profiles, names, samples, odd);
    m->input = (ws_figure_input){.runs = &m->campaign.runs,
                                 .scale = &m->campaign.scale,
                                 .profiles = &m->profiles,
                                 .synthetic = true,
                                 .level = 0.95,
                                 .x = "gpus",
                                 .y = "energy_kwh",
                                 .by = "series",
                                 .x_scale = WS_AXIS_LOG2,
                                 .y_scale = WS_AXIS_LOG10,
                                 .fit = "powerlaw",
                                 .has_band = true,
                                 .has_lines = true,
                                 .domain = WS_GPU};
}

static void scatter(material *m)
{
    ws_profiles_free(&m->profiles);
    free_campaign(&m->campaign);
}

/* How a figure is changed before it is laid out; NULL: not at all. */
typedef void change(ws_figure *figure);

/* Some need caps, clocks, classes of models, results of training or a reference, which only the material of
 * recipes_of_studies has. */
static bool is_counted(const ws_figure_recipe *recipe)
{
    static const char *const others[] = {"campaign/caps", "campaign/quality", "campaign/ratios"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(recipe->name, others[i]) == 0)
            return false;
    return strncmp(recipe->name, "frey/", 5) != 0;
}

static size_t lay_out_all(const material *m, change *alter)
{
    size_t drawn = 0;
    const ws_figure_recipe *r;
    for (size_t i = 0; (r = ws_figure_recipe_at(i)); i++) {
        ws_figure figure;
        ws_layout layout = {0};
        ws_error error = {0};
        ws_status status = ws_figure_recipe_make(r, &m->input, &figure, &error);
        ck_assert_msg(status == WS_OK || status == WS_DATA, "%s: %s", r->name, error.message);
        if (status == WS_OK) {
            if (alter)
                alter(&figure);
            must_be_sound_at_all_widths(&layout, &figure);
            drawn += is_counted(r);
        }
        ws_layout_free(&layout);
        ws_figure_free(&figure);
    }
    return drawn;
}

static size_t n_recipes(void)
{
    size_t n = 0;
    for (size_t i = 0; ws_figure_recipe_at(i); i++)
        n += is_counted(ws_figure_recipe_at(i));
    return n;
}

START_TEST(friendly_names)
{
    material m;
    gather(&m, friendly, ROWS, 500, NULL, 250);
    ck_assert_uint_eq(lay_out_all(&m, NULL), n_recipes());
    scatter(&m);
}
END_TEST

/* Two runs in one panel. */
START_TEST(an_overlay_of_runs)
{
    material m;
    ws_figure figure;
    ws_layout layout = {0};
    ws_error error = {0};
    gather(&m, friendly, ROWS, 500, NULL, 250);
    const ws_profiles both[] = {m.profiles, m.profiles};
    m.input.profiles = both;
    m.input.n_profiles = 2;
    m.input.titles = friendly;
    m.input.is_overlay = true;
    ck_assert_msg(ws_figure_recipe_make(&ws_figure_trace_profile, &m.input, &figure, &error) == WS_OK, "%s",
                  error.message);
    ck_assert_uint_eq(figure.n_panels, 1);
    ck_assert_uint_eq(figure.panels[0].n_layers, 4);
    must_be_sound_at_all_widths(&layout, &figure);
    ws_layout_free(&layout);
    ws_figure_free(&figure);
    scatter(&m);
}
END_TEST

START_TEST(hostile_names)
{
    for (size_t h = 0; h < HOSTILE; h++) {
        const char *const names[] = {hostile[h], hostile[(h + 1) % HOSTILE], hostile[(h + 2) % HOSTILE]};
        material m;
        gather(&m, names, ROWS, 100, NULL, 250);
        ck_assert_uint_eq(lay_out_all(&m, NULL), n_recipes());
        scatter(&m);
    }
}
END_TEST

static const char *name_of_all;

static void rename_everything(ws_figure *figure)
{
    figure->footnote = name_of_all;
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_panel *panel = &figure->panels[p];
        panel->title = panel->x.label = panel->y.label = name_of_all;
        for (size_t i = 0; i < panel->n_annotations; i++)
            panel->annotations[i].text = name_of_all;
        ws_panel_add_reference(figure, panel, p % 2, panel->layers[0].y[0], name_of_all);
    }
}

START_TEST(hostile_axes_titles_and_notes)
{
    material m;
    gather(&m, friendly, ROWS, 100, NULL, 250);
    for (size_t h = 0; h < HOSTILE; h++) {
        name_of_all = hostile[h];
        ck_assert_uint_eq(lay_out_all(&m, rename_everything), n_recipes());
    }
    scatter(&m);
}
END_TEST

static double odd_value;

static void spoil_some(size_t row, double *value)
{
    if (row % 3 == 1)
        for (size_t c = 4; c < COLUMNS; c++)
            value[c] = odd_value;
}

START_TEST(values_that_have_no_place)
{
    static const double odd[] = {NAN, 0, -7, INFINITY, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        material m;
        odd_value = odd[i];
        gather(&m, friendly, ROWS, 100, spoil_some, odd[i]);
        ck_assert_uint_ge(lay_out_all(&m, NULL), n_recipes() - 1);
        scatter(&m);
    }
}
END_TEST

/* Behind what recipes sort out themselves: straight into the layers. */
static void spoil_layers(ws_figure *figure)
{
    static const double odd[] = {NAN, 0, -7, INFINITY};
    size_t k = 0;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            ws_layer *layer = &figure->panels[p].layers[l];
            double *y = ws_arena_alloc(&figure->arena, (layer->n + 1) * sizeof *y);
            for (size_t i = 0; i < layer->n; i++)
                y[i] = i % 2 ? odd[k++ % 4] : layer->y[i];
            layer->y = y;
        }
}

START_TEST(layers_with_values_that_have_no_place)
{
    material m;
    gather(&m, friendly, ROWS, 100, NULL, 250);
    ck_assert_uint_eq(lay_out_all(&m, spoil_layers), n_recipes());
    scatter(&m);
}
END_TEST

/* Nothing scales, and nothing is correlated. */
START_TEST(one_point)
{
    enum { SCALING = 2 + 5, CORRELATION = 1 };
    material m;
    gather(&m, friendly, 1, 1, NULL, 250);
    ck_assert_uint_ge(lay_out_all(&m, NULL), n_recipes() - SCALING - CORRELATION);
    scatter(&m);
}
END_TEST

/* The first layer of each panel, twenty thousand points along its line. */
static void fill_with_points(ws_figure *figure)
{
    enum { N = 20000 };
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_layer *layer = &figure->panels[p].layers[0];
        double *x = ws_arena_alloc(&figure->arena, N * sizeof *x), *y = ws_arena_alloc(&figure->arena, N * sizeof *y);
        double x0 = layer->x[0], y0 = layer->y[0], x1 = layer->x[layer->n - 1], y1 = layer->y[layer->n - 1];
        for (size_t i = 0; i < N; i++) {
            double share = (double)i / (N - 1);
            x[i] = x0 + share * (x1 - x0);
            y[i] = (y0 + share * (y1 - y0)) * (1 + 0.2 * sin((double)i));
        }
        layer->x = x;
        layer->y = y;
        layer->n = N;
        layer->kind &= (unsigned)~WS_LAYER_BAND;
        layer->error = layer->x_error = layer->lo = layer->hi = NULL;
    }
}

START_TEST(many_points)
{
    material m;
    gather(&m, friendly, ROWS, 100, NULL, 250);
    ck_assert_uint_eq(lay_out_all(&m, fill_with_points), n_recipes());
    scatter(&m);
}
END_TEST

static const char REFERENCE[] = "power_cap_w=250";

/* Models under caps and clocks on 2 to 128 GPUs. */
static void make_studies(campaign *c, const char *const *names)
{
    static const char *const texts[] = {"series", "model", "model_class"};
    static const char *const numbers[] = {"gpus",          "lbs",         "epochs",         "power_cap_w",
                                          "clock_cap_hz",  "wall_s",      "util_mean",      "util_cv",
                                          "mem_util_mean", "mem_util_cv", "energy_gpu_kwh", "error_top1"};
    static const char *const classes[] = {"vision", "language", "geometric"};
    static const struct {
        double cap_w, clock_hz;
    } levels[] = {{250, 1380e6}, {200, 1380e6}, {100, 1380e6}, {250, 735e6}, {250, 135e6}};
    enum { N_NUMBERS = sizeof numbers / sizeof *numbers, N_LEVELS = sizeof levels / sizeof *levels };
    ws_fields none = {0};
    ws_error error = {0};
    ws_scaling_options options = {.reference = REFERENCE};
    *c = (campaign){0};
    ws_table_init(&c->raw, "t");
    c->raw.source = "t.csv";
    for (size_t t = 0; t < 3; t++)
        ws_table_add_column(&c->raw, texts[t], WS_TEXT);
    for (size_t k = 0; k < N_NUMBERS; k++)
        ws_table_add_column(&c->raw, numbers[k], WS_NUMBER);
    for (size_t i = 0; i < 3 * N_LEVELS * 7; i++) {
        size_t m = i / 7 / N_LEVELS, l = i / 7 % N_LEVELS, row = ws_table_add_row(&c->raw);
        double gpus = 2 << i % 7,
               slow = 250 / levels[l].cap_w * 1380e6 / levels[l].clock_hz * (1 + 0.1 * sin((double)i));
        const double values[N_NUMBERS] = {gpus,
                                          32,
                                          10,
                                          levels[l].cap_w,
                                          levels[l].clock_hz,
                                          9000 * slow / pow(gpus, 0.9),
                                          0.9 - 0.1 * (double)m,
                                          0.05 + 0.02 * (double)m,
                                          0.4,
                                          0.08,
                                          0.5 * slow,
                                          20 + gpus / 10};
        ws_table_set_text(&c->raw, 0, row, ws_arena_printf(&c->raw.arena, "%s-%zu", names[m], l));
        ws_table_set_text(&c->raw, 1, row, names[m]);
        ws_table_set_text(&c->raw, 2, row, classes[m]);
        for (size_t k = 0; k < N_NUMBERS; k++)
            ws_table_set_number(&c->raw, 3 + k, row, values[k]);
    }
    ck_assert_msg(ws_tidy(&c->raw, NULL, &none, &c->runs, &error) == WS_OK, "%s", error.message);
    ck_assert_msg(ws_scale(&c->runs, &options, &c->scale, &error) == WS_OK, "%s", error.message);
}

/* Bars have room for some of the configurations only. */
static void keep_fewest_gpus(const ws_table *scale, ws_table *few)
{
    size_t gpus, clock;
    bool *keep = ws_alloc(scale->n_rows * sizeof *keep);
    ck_assert(ws_table_find(scale, "gpus", &gpus) && ws_table_find(scale, "clock_cap_hz", &clock));
    for (size_t row = 0; row < scale->n_rows; row++)
        keep[row] = ws_table_number(scale, gpus, row) <= 8 && ws_table_number(scale, clock, row) > 1e9;
    ws_table_copy_rows(scale, keep, few);
    free(keep);
}

START_TEST(recipes_of_studies)
{
    for (size_t h = 0; h <= HOSTILE; h++) {
        const char *const names[] = {hostile[h % HOSTILE], hostile[(h + 1) % HOSTILE], hostile[(h + 2) % HOSTILE]};
        campaign c;
        size_t drawn = 0, n = 0;
        make_studies(&c, h < HOSTILE ? names : friendly);
        ws_table few;
        keep_fewest_gpus(&c.scale, &few);
        const ws_figure_recipe *r;
        for (size_t i = 0; (r = ws_figure_recipe_at(i)); i++) {
            if (is_counted(r))
                continue;
            ws_figure figure;
            ws_layout layout = {0};
            ws_error error = {0};
            bool has_bars = strcmp(r->name, "campaign/ratios") == 0;
            const ws_figure_input input = {.runs = &c.runs,
                                           .scale = has_bars ? &few : &c.scale,
                                           .synthetic = true,
                                           .reference = has_bars ? REFERENCE : NULL,
                                           .level = 0.95};
            ws_status status = ws_figure_recipe_make(r, &input, &figure, &error);
            if (h == HOSTILE)
                ck_assert_msg(status == WS_OK, "%s: %s", r->name, error.message);
            if (status == WS_OK)
                must_be_sound_at_all_widths(&layout, &figure);
            drawn += status == WS_OK;
            n++;
            ws_layout_free(&layout);
            ws_figure_free(&figure);
        }
        ck_assert_uint_eq(n, 18);
        ck_assert_uint_ge(drawn, h < HOSTILE ? 1 : n);
        ws_table_free(&few);
        free_campaign(&c);
    }
}
END_TEST

TEST_MAIN("figure recipe layouts", recipes_of_studies, friendly_names, an_overlay_of_runs, hostile_names,
          hostile_axes_titles_and_notes, values_that_have_no_place, layers_with_values_that_have_no_place, one_point,
          many_points)
