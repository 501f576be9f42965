/* Which series a campaign's figures tell apart, and how many. */
#include "tests/analyze/figures.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/tidy.h"
#include "analyze/scaling/scaling.h"

#include <math.h>
#include <string.h>

START_TEST(series_beyond_those_that_can_be_told_apart)
{
    enum { SERIES = 60 };
    ws_table many, configurations;
    ws_runs_init(&many);
    for (size_t i = 0; i < 2 * SERIES; i++) {
        char name[32];
        size_t row = ws_table_add_row(&many);
        snprintf(name, sizeof name, "s%zu", i / 2);
        ws_table_set_text(&many, WS_COL_SERIES, row, name);
        snprintf(name, sizeof name, "run %zu", i);
        ws_table_set_text(&many, WS_COL_RUN, row, name);
        ws_runs_set(&many, WS_COL_GPUS, row, i % 2 ? 2 : 1);
        ws_runs_set(&many, WS_COL_WALL, row, i % 2 ? 60 : 100);
    }
    ws_runs_complete(&many, NULL);
    ws_scaling_options options = {0};
    ck_assert_int_eq(ws_scale(&many, &options, &configurations, NULL), WS_OK);
    ws_figure f;
    ck_make("campaign/time-loglog", &many, &configurations, &f);
    ck_assert_int_eq(f.panels[0].layers[f.panels[0].n_layers - 1].style, 47);
    ck_assert_ptr_nonnull(strstr(f.caption, "n = 96 runs."));
    ck_assert_ptr_nonnull(strstr(f.caption, "The first 48 of 60 series are drawn, more cannot be told apart."));
    ws_figure_free(&f);
    ws_table_free(&configurations);
    ws_table_free(&many);
}
END_TEST

/* One series of one device, measured at two batch sizes: two series, in the order of the numbers. */
START_TEST(batch_sizes_tell_series_apart)
{
    static const double rows[][3] = {{1, 128, 5}, {1, 64, 7}, {2, 64, 4}, {2, 128, 3}};
    ws_table raw, r = {0}, s = {0};
    ws_table_init(&raw, "t");
    raw.source = "t.csv";
    static const char *const names[] = {"gpus", "lbs", "energy_kwh"};
    for (size_t c = 0; c < 3; c++)
        ws_table_add_column(&raw, names[c], WS_NUMBER);
    for (size_t i = 0; i < 4; i++) {
        ws_table_add_row(&raw);
        for (size_t c = 0; c < 3; c++)
            ws_table_set_number(&raw, c, i, rows[i][c]);
    }
    ws_error error = {0};
    ws_fields none = {0};
    ck_assert_msg(ws_tidy(&raw, NULL, &none, &r, &error) == WS_OK, "%s", error.message);
    ws_scaling_options scaling = {0};
    ck_assert_msg(ws_scale(&r, &scaling, &s, &error) == WS_OK, "%s", error.message);
    ws_figure f;
    ck_make("campaign/energy", &r, &s, &f);
    ck_assert_uint_eq(f.panels[0].n_layers, 2);
    const ws_layer *small = &f.panels[0].layers[0], *large = &f.panels[0].layers[1];
    ck_assert_str_eq(small->label, "LBS 64");
    ck_assert_str_eq(large->label, "LBS 128");
    ck_assert(small->n == 2 && small->y[0] == 7 && small->y[1] == 4);
    ck_assert(large->n == 2 && large->y[0] == 5 && large->y[1] == 3);
    ws_figure_free(&f);
    ws_table_free(&raw);
    ws_table_free(&r);
    ws_table_free(&s);
}
END_TEST

/* A machine's odd size among powers of two leaves the axis at base 2; where most are odd it is decimal. */
START_TEST(one_odd_number_of_gpus_keeps_base_2)
{
    static const double counts[][6] = {{2, 4, 8, 16, 32, 424}, {3, 4, 8, 16, 416, 424}, {3, 6, 12, 24, 32, 64}};
    static const ws_axis_scale scales[] = {WS_AXIS_LOG2, WS_AXIS_LOG10, WS_AXIS_LOG10};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        ws_table r, s;
        ws_runs_init(&r);
        for (size_t k = 0; k < 12; k++) { /* two runs each, which count once */
            size_t row = ws_table_add_row(&r);
            ws_table_set_text(&r, WS_COL_RUN, row, ws_arena_printf(&r.arena, "run %zu", k));
            ws_runs_set(&r, WS_COL_GPUS, row, counts[i][k / 2]);
            ws_runs_set(&r, WS_COL_WALL, row, 1000 / counts[i][k / 2] + (double)(k % 2));
        }
        ws_runs_complete(&r, NULL);
        ws_scaling_options options = {0};
        ck_assert_int_eq(ws_scale(&r, &options, &s, NULL), WS_OK);
        ws_figure f;
        ck_make("campaign/speedup", &r, &s, &f);
        for (size_t p = 0; p < f.n_panels; p++)
            ck_assert_int_eq(f.panels[p].x.scale, scales[i]);
        ck_assert_int_eq(f.panels[0].y.scale, scales[i]);
        ws_figure_free(&f);
        ws_table_free(&s);
        ws_table_free(&r);
    }
}
END_TEST

/* A series of 20 times the GPUh of another would leave it a twentieth of an axis from zero; one of 4 times does not. */
START_TEST(no_series_crushes_another)
{
    for (int is_large = 0; is_large < 2; is_large++) {
        ws_table r, s;
        ws_runs_init(&r);
        for (size_t k = 0; k < 6; k++) {
            size_t row = ws_table_add_row(&r);
            double gpus = 1 << k % 3, hours = k < 3 ? 10 : is_large ? 200 : 40;
            ws_table_set_text(&r, WS_COL_RUN, row, ws_arena_printf(&r.arena, "run %zu", k));
            ws_table_set_text(&r, WS_COL_SERIES, row, k < 3 ? "a" : "b");
            ws_runs_set(&r, WS_COL_GPUS, row, gpus);
            ws_runs_set(&r, WS_COL_WALL, row, 3600 * hours / gpus * (1 + 0.1 * (double)(k % 3)));
            ws_runs_set(&r, WS_COL_ENERGY, row, 0.3 * hours * (1 + 0.1 * (double)(k % 3)));
        }
        ws_runs_complete(&r, NULL);
        ws_scaling_options options = {0};
        ck_assert_int_eq(ws_scale(&r, &options, &s, NULL), WS_OK);
        ws_figure f;
        ck_make("campaign/energy-vs-gpuh", &r, &s, &f);
        ck_assert_int_eq(f.panels[0].x.scale, is_large ? WS_AXIS_LOG10 : WS_AXIS_LINEAR);
        ck_assert_int_eq(f.panels[0].y.scale, is_large ? WS_AXIS_LOG10 : WS_AXIS_LINEAR);
        for (size_t l = 0; l < f.panels[0].n_layers; l++) /* nothing begins at a zero that has no place */
            ck_assert((f.panels[0].layers[l].x[0] > 0) || !is_large);
        ws_figure_free(&f);
        ws_table_free(&s);
        ws_table_free(&r);
    }
}
END_TEST

TEST_MAIN("figure series", series_beyond_those_that_can_be_told_apart, batch_sizes_tell_series_apart,
          one_odd_number_of_gpus_keeps_base_2, no_series_crushes_another)
