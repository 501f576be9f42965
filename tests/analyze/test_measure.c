#include "harness.h"
#include "kept_fact.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/commands/energy_table.h"
#include "analyze/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000000)

/* Three seconds of a constant power, in the form that the quantity asks for. */
static const int64_t STAMPS[] = {0, S, 2 * S, 3 * S};

typedef struct source {
    const char *run, *node, *device, *column;
    ws_domain domain;
    ws_quantity quantity;
    int preference;
    double watts; /* NaN: cells without a reading */
} source;

static ws_measure measure;
static ws_sink sink;

static void begin(const ws_measure_options *options)
{
    ws_measure_init(&measure, options);
    ws_measure_begin(&measure, "a.csv", "");
    sink = ws_measure_sink(&measure);
}

static void push(const source *s)
{
    static const ws_rule rules[WS_QUANTITY_N] = {
        [WS_POWER] = WS_RULE_TRAPEZOID, [WS_ENERGY_COUNTER] = WS_RULE_COUNTER, [WS_ENERGY_INTERVAL] = WS_RULE_INTERVAL};
    ws_channel channel = {.run = s->run,
                          .node = s->node,
                          .device = s->device,
                          .column = s->column,
                          .domain = s->domain,
                          .quantity = s->quantity,
                          .rule = rules[s->quantity],
                          .preference = s->preference,
                          .time = WS_TIME_UTC};
    double values[4];
    int64_t stamps[4];
    const int64_t second[] = {S, S, S, S};
    int64_t late_s = s->run ? strtol(s->run, NULL, 10) * 3 : 0; /* one run behind the other */
    for (int i = 0; i < 4; i++)
        stamps[i] = STAMPS[i] + late_s * S;
    for (int i = 0; i < 4; i++)
        values[i] = s->quantity == WS_ENERGY_COUNTER ? 1000 + i * s->watts : s->watts;
    ws_block block = {.n = 4, .t_ns = stamps, .value = values};
    block.interval_ns = s->quantity == WS_ENERGY_INTERVAL ? second : NULL;
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    ck_assert_int_ge(id, 0);
    ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
}

/* One GPU with these channels: the column that its energy is taken from, "" for none. */
static const char *chosen_of(const ws_measure_options *options, const source *sources, size_t n)
{
    static char column[40];
    begin(options);
    for (size_t i = 0; i < n; i++)
        push(&sources[i]);
    ws_measure_finish(&measure, NULL);
    ck_assert_uint_eq(measure.n_devices, 1);
    snprintf(column, sizeof column, "%s", measure.devices[0].energy ? measure.devices[0].energy->channel.column : "");
    ws_measure_free(&measure);
    return column;
}

#define GPU0(name, what, rank, power)                       \
    {                                                       \
        NULL, NULL, "gpu0", name, WS_GPU, what, rank, power \
    }

static const source OFFERS[] = {
    GPU0("instant", WS_POWER, 2, 100),          GPU0("draw", WS_POWER, 0, 100),
    GPU0("average", WS_POWER, 1, 100),          GPU0("util", WS_UTIL, 0, 0.5),
    GPU0("joules", WS_ENERGY_INTERVAL, 0, 100), GPU0("counter", WS_ENERGY_COUNTER, 0, 100),
};

START_TEST(counter_before_interval_before_power)
{
    const ws_measure_options plain = {0};
    ck_assert_str_eq(chosen_of(&plain, OFFERS, 6), "counter");
    ck_assert_str_eq(chosen_of(&plain, OFFERS, 5), "joules");
    ck_assert_str_eq(chosen_of(&plain, OFFERS, 4), "draw");
    ck_assert_str_eq(chosen_of(&plain, OFFERS, 1), "instant");
    ck_assert_str_eq(chosen_of(&plain, OFFERS + 3, 1), "");
}
END_TEST

START_TEST(a_rule_chooses_among_what_fits_it)
{
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_TRAPEZOID}, OFFERS, 6), "draw");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_RECTANGLE}, OFFERS, 6), "draw");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_MEAN_TIMES_TIME}, OFFERS, 6), "draw");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_INTERVAL}, OFFERS, 6), "joules");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_COUNTER}, OFFERS, 6), "counter");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_COUNTER}, OFFERS, 5), "");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_PERUN}, OFFERS, 6), "draw");
}
END_TEST

START_TEST(a_column_can_be_named)
{
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.column = "average"}, OFFERS, 6), "average");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.column = "util"}, OFFERS, 6), "");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.column = "other"}, OFFERS, 6), "");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.column = "average", .rule = WS_RULE_COUNTER}, OFFERS, 6), "");
}
END_TEST

/* A meter in hundredths of a kWh stands still for a minute of 100 W; no power, or none above zero, stands in for it. */
START_TEST(a_counter_that_is_too_coarse_is_not_chosen)
{
    const ws_measure_options plain = {0};
    const source still = GPU0("counter", WS_ENERGY_COUNTER, 0, 0), draw = GPU0("draw", WS_POWER, 0, 100),
                 idle = GPU0("draw", WS_POWER, 0, 0), moves = GPU0("counter", WS_ENERGY_COUNTER, 0, 1);
    ck_assert_str_eq(chosen_of(&plain, (const source[]){still, draw}, 2), "draw");
    ck_assert_str_eq(chosen_of(&plain, (const source[]){draw, still}, 2), "draw");
    ck_assert_str_eq(chosen_of(&plain, (const source[]){idle, still}, 2), "counter");
    ck_assert_str_eq(chosen_of(&plain, (const source[]){draw, moves}, 2), "counter");
    ck_assert_str_eq(chosen_of(&plain, &still, 1), "counter");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_COUNTER}, (const source[]){still, draw}, 2),
                     "counter");
}
END_TEST

/* Drivers print [N/A] in one power column and watts in the next. */
START_TEST(a_column_without_readings_is_not_chosen)
{
    const source offers[] = {GPU0("draw", WS_POWER, 0, NAN), GPU0("counter", WS_ENERGY_COUNTER, 0, NAN),
                             GPU0("instant", WS_POWER, 2, 100)};
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_NONE}, offers, 3), "instant");
    ck_assert_str_eq(chosen_of(&(ws_measure_options){.rule = WS_RULE_NONE}, offers, 2), "counter");
}
END_TEST

static ws_totals totals_of(const source *sources, size_t n, const ws_device_filter *filter)
{
    ws_totals totals;
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    for (size_t i = 0; i < n; i++)
        push(&sources[i]);
    ws_measure_finish(&measure, NULL);
    ws_measure_totals(&measure, filter ? filter : &(ws_device_filter){.run = NULL}, &totals);
    ws_measure_free(&measure);
    return totals;
}

#define DEVICE(name, what, power)                        \
    {                                                    \
        NULL, NULL, name, name, what, WS_POWER, 0, power \
    }

/* GPU 300 W, package 80 W with its cores at 60 W and graphics at 5 W, memory 20 W, platform 130 W, node 450 W, wall 500
 * W: three seconds each. */
static const source MACHINE[] = {DEVICE("gpu0", WS_GPU, 300),   DEVICE("cpu0", WS_CPU, 80),
                                 DEVICE("dram0", WS_DRAM, 20),  DEVICE("core0", WS_CPU_CORE, 60),
                                 DEVICE("gfx0", WS_CPU_GFX, 5), DEVICE("psys", WS_PSYS, 130),
                                 DEVICE("node", WS_NODE, 450),  DEVICE("wall", WS_WALL, 500)};

START_TEST(totals_hold_nothing_twice)
{
    ws_totals t = totals_of(MACHINE, 8, NULL);
    ck_assert_str_eq(t.scope, "gpu+cpu+dram");
    ck_assert_double_eq(t.all.energy_j, 1200); /* (300 + 80 + 20) W x 3 s */
    ck_assert_double_eq(t.all.power_w, 400);
    ck_assert_uint_eq(t.all.devices, 3);
    ck_assert_double_eq(t.domain[WS_CPU].energy_j, 240);
    ck_assert_double_eq(t.domain[WS_CPU_CORE].energy_j, 180);
    ck_assert_double_eq(t.domain[WS_WALL].energy_j, 1500);
    ck_assert_double_eq(t.wall_s, 3);
    t = totals_of(MACHINE, 1, NULL);
    ck_assert_str_eq(t.scope, "gpu");
    ck_assert_double_eq(t.all.energy_j, 900);
    t = totals_of(MACHINE + 1, 3, NULL);
    ck_assert_str_eq(t.scope, "cpu+dram");
    ck_assert_double_eq(t.all.energy_j, 300);
}
END_TEST

START_TEST(node_or_wall_stand_alone)
{
    ws_totals t = totals_of(MACHINE + 3, 5, NULL);
    ck_assert_str_eq(t.scope, "node");
    ck_assert_double_eq(t.all.energy_j, 1350);
    t = totals_of(MACHINE + 7, 1, NULL);
    ck_assert_str_eq(t.scope, "wall");
    ck_assert_double_eq(t.all.energy_j, 1500);
    t = totals_of(MACHINE + 3, 3, NULL); /* cores, graphics and platform alone are no total */
    ck_assert_str_eq(t.scope, "");
    ck_assert_double_nan(t.all.energy_j);
    ck_assert_uint_eq(t.all.devices, 0);
    t = totals_of(MACHINE, 0, NULL);
    ck_assert_double_nan(t.all.energy_j);
    ck_assert_double_nan(t.wall_s);
}
END_TEST

START_TEST(devices_without_energy_are_counted)
{
    const source sources[] = {DEVICE("gpu0", WS_GPU, 100),
                              DEVICE("gpu1", WS_GPU, NAN),
                              {NULL, NULL, "gpu2", "util", WS_GPU, WS_UTIL, 0, 0.5},
                              {NULL, NULL, "cpu0", "load", WS_CPU, WS_UTIL, 0, 0.5}};
    ws_totals t = totals_of(sources, 4, NULL);
    ck_assert_uint_eq(t.domain[WS_GPU].devices, 1);
    ck_assert_uint_eq(t.domain[WS_GPU].without, 2);
    ck_assert_uint_eq(t.domain[WS_CPU].without, 0); /* a host's load is no device without energy */
    ck_assert_double_eq(t.all.energy_j, 300);
    ck_assert_uint_eq(t.all.without, 2);
    ck_assert_str_eq(t.scope, "gpu");
    t = totals_of(sources + 1, 3, NULL); /* none has an energy, and still two are missed */
    ck_assert_uint_eq(t.all.devices, 0);
    ck_assert_uint_eq(t.all.without, 2);
    ck_assert_double_nan(t.all.energy_j);
}
END_TEST

START_TEST(runs_and_nodes_are_filtered)
{
    const source sources[] = {{"1/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 100},
                              {"1/0", "n2", "gpu0", "w", WS_GPU, WS_POWER, 0, 200},
                              {"2/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 400}};
    ck_assert_double_eq(totals_of(sources, 3, NULL).all.energy_j, 2100);
    ck_assert_double_eq(totals_of(sources, 3, &(ws_device_filter){.run = "1/0"}).all.energy_j, 900);
    ck_assert_double_eq(totals_of(sources, 3, &(ws_device_filter){.node = "n1"}).all.energy_j, 1500);
    ck_assert_double_eq(totals_of(sources, 3, &(ws_device_filter){.run = "1/0", .node = "n2"}).all.energy_j, 600);
    ck_assert_double_nan(totals_of(sources, 3, &(ws_device_filter){.source = "b.csv"}).all.energy_j);
    ck_assert_double_nan(totals_of(sources, 3, &(ws_device_filter){.run = "3/0"}).wall_s);
}
END_TEST

/* A run's devices do not lie together: groups hold what filters pass, in its order. */
START_TEST(groups_are_what_filters_pass)
{
    const source sources[] = {{"1/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 100},
                              {"2/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 400},
                              {"1/0", "n2", "gpu0", "w", WS_GPU, WS_POWER, 0, 200},
                              {"1/0", "n1", "gpu0", "util", WS_GPU, WS_UTIL, 0, 0.5},
                              {"", "n3", "gpu0", "util", WS_GPU, WS_UTIL, 0, 0.5}};
    static const double joules[] = {900, 1200, 0};
    ws_measure_groups groups;
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    for (size_t i = 0; i < 5; i++)
        push(&sources[i]);
    ws_measure_finish(&measure, NULL);
    ws_measure_groups_init(&groups, &measure, WS_GROUP_RUN);
    ck_assert_uint_eq(groups.n, 3);
    for (size_t i = 0; i < groups.n; i++) {
        ws_totals of_group, of_filter;
        const char *run = measure.devices[groups.items[i].devices[0]].run;
        ws_group_totals(&measure, &groups.items[i], true, &of_group);
        ws_measure_totals(&measure, &(ws_device_filter){.run = run}, &of_filter);
        ck_assert(joules[i] ? of_group.all.energy_j == joules[i] : isnan(of_group.all.energy_j));
        ck_assert(joules[i] ? of_filter.all.energy_j == joules[i] : isnan(of_filter.all.energy_j));
        ck_assert_uint_eq(of_group.all.without, of_filter.all.without);
        ck_assert_double_eq(of_group.wall_s, of_filter.wall_s);
    }
    ck_assert_uint_eq(groups.items[0].n_devices, 2);
    ck_assert_uint_eq(groups.items[0].n_channels, 3);
    ck_assert_uint_eq(groups.items[0].channels[2], 3);
    ck_assert_uint_eq(measure.devices[0].n_channels, 2); /* power and utilisation */
    ck_assert_uint_eq(measure.devices[0].channels[1], 3);
    ws_measure_groups_free(&groups);
    ws_measure_groups_init(&groups, &measure, WS_GROUP_SOURCE | WS_GROUP_NODE);
    ck_assert_uint_eq(groups.n, 3);
    ck_assert_uint_eq(groups.items[0].n_devices, 2);
    ws_measure_groups_free(&groups);
    ws_measure_free(&measure);
}
END_TEST

/* Two runs of 3 s one after the other, the first on two nodes: 900 J and 1200 J over 6 s. */
START_TEST(runs_of_a_file_follow_each_other)
{
    const source sources[] = {{"1/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 100},
                              {"1/0", "n2", "gpu0", "w", WS_GPU, WS_POWER, 0, 200},
                              {"2/0", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 400}};
    ws_totals t = totals_of(sources, 3, NULL);
    ck_assert_double_eq(t.all.energy_j, 2100);
    ck_assert_double_eq(t.all.duration_s, 6);
    ck_assert_double_eq(t.all.power_w, 350);
    ck_assert_double_eq(t.all.coverage, 1);
    ck_assert_double_eq(t.wall_s, 6);
    ck_assert_uint_eq(t.all.devices, 3);
    ck_assert_str_eq(t.scope, "gpu");
    t = totals_of(sources, 2, NULL);
    ck_assert_double_eq(t.all.duration_s, 3);
    ck_assert_double_eq(t.all.power_w, 300);
}
END_TEST

/* A run that draws 100 W from one stamp to the other. */
typedef struct step {
    const char *run, *node;
    int64_t from_s, to_s;
} step;

static ws_totals totals_of_steps(const step *steps, size_t n)
{
    ws_totals totals;
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    for (size_t i = 0; i < n; i++) {
        ws_channel channel = {.run = steps[i].run,
                              .node = steps[i].node,
                              .device = "node",
                              .column = "w",
                              .domain = WS_NODE,
                              .rule = WS_RULE_TRAPEZOID,
                              .time = WS_TIME_UTC};
        int64_t stamps[] = {steps[i].from_s * S, steps[i].to_s * S};
        double values[] = {100, 100};
        ws_block block = {.n = 2, .t_ns = stamps, .value = values};
        int id = -1;
        ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
        ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
    }
    ws_measure_finish(&measure, NULL);
    ws_measure_totals(&measure, &(ws_device_filter){.run = NULL}, &totals);
    ws_measure_free(&measure);
    return totals;
}

/* A device's time counts once where runs share it: a batch script and its steps, 100 W each. */
START_TEST(runs_that_share_their_time)
{
    static const struct {
        step steps[3];
        double energy_j, duration_s;
        size_t devices;
        const char *status;
    } cases[] = {
        /* both steps lie in the script */
        {{{"batch", "n1", 0, 900}, {"0", "n1", 10, 400}, {"1", "n1", 400, 890}}, 90000, 900, 1, "ok"},
        /* another node's step runs beside them */
        {{{"batch", "n1", 0, 900}, {"0", "n1", 10, 400}, {"1", "n2", 100, 1000}}, 180000, 1000, 2, "ok"},
        /* a second is what stamps of whole seconds leave open */
        {{{"a", "n1", 0, 300}, {"b", "n1", 299, 600}, {"c", "n1", 600, 700}}, 70100, 700, 3, "ok"},
        /* 100 s are in the sum twice */
        {{{"a", "n1", 0, 800}, {"b", "n1", 700, 1300}, {"c", "n2", 0, 100}}, 150000, 1300, 3, "runs-overlap"},
        /* 200 s of the shorter one are not in it */
        {{{"a", "n1", 0, 800}, {"b", "n1", 400, 1000}, {"c", "n2", 0, 100}}, 90000, 800, 2, "runs-overlap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_totals t = totals_of_steps(cases[i].steps, 3);
        ck_assert_double_eq(t.all.energy_j, cases[i].energy_j);
        ck_assert_double_eq(t.all.duration_s, cases[i].duration_s);
        ck_assert_uint_eq(t.all.devices, cases[i].devices);
        ck_assert_str_eq(ws_energy_status_name(t.all.status), cases[i].status);
    }
}
END_TEST

/* Every channel gets a row, and still no total holds a device twice, in whatever order its channels come. */
START_TEST(all_channels_are_shown_once_and_added_once)
{
    const source orders[][3] = {
        {GPU0("draw", WS_POWER, 0, 100), GPU0("instant", WS_POWER, 2, 100), GPU0("c", WS_ENERGY_COUNTER, 0, 100)},
        {GPU0("c", WS_ENERGY_COUNTER, 0, 100), GPU0("draw", WS_POWER, 0, 100), GPU0("instant", WS_POWER, 2, 100)}};
    for (size_t order = 0; order < 2; order++) {
        ws_totals t;
        begin(&(ws_measure_options){.all_channels = true});
        for (size_t i = 0; i < 3; i++)
            push(&orders[order][i]);
        ws_measure_finish(&measure, NULL);
        ck_assert_uint_eq(measure.n_devices, 3);
        ck_assert_str_eq(measure.devices[0].energy->channel.column, "c");
        ck_assert_ptr_ne(measure.devices[1].energy, measure.devices[0].energy);
        ck_assert_ptr_ne(measure.devices[2].energy, measure.devices[0].energy);
        ck_assert_ptr_ne(measure.devices[2].energy, measure.devices[1].energy);
        ws_measure_totals(&measure, &(ws_device_filter){.run = NULL}, &t);
        ck_assert_double_eq(t.all.energy_j, 300);
        ck_assert_uint_eq(t.all.devices, 1);
        ws_measure_free(&measure);
    }
}
END_TEST

START_TEST(nodes_of_files_stand_in_for_silent_ones)
{
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    ws_measure_begin(&measure, "n1.csv", "n1");
    push(&(source){NULL, NULL, "gpu0", "w", WS_GPU, WS_POWER, 0, 100});
    ws_measure_begin(&measure, "n2.csv", "n2");
    push(&(source){NULL, NULL, "gpu0", "w", WS_GPU, WS_POWER, 0, 100});
    push(&(source){NULL, "own", "gpu0", "w", WS_GPU, WS_POWER, 0, 100});
    ws_measure_finish(&measure, NULL);
    ck_assert_uint_eq(measure.n_devices, 3);
    ck_assert_str_eq(measure.devices[0].node, "n1");
    ck_assert_str_eq(measure.devices[1].node, "n2");
    ck_assert_str_eq(measure.devices[2].node, "own");
    ck_assert_str_eq(measure.devices[1].source, "n2.csv");
    ws_measure_free(&measure);
}
END_TEST

START_TEST(the_last_fact_counts)
{
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    sink.fact(sink.state, &(ws_fact){.run = "1", .key = "perun.pue", .number = 1.05});
    sink.fact(sink.state, &(ws_fact){.run = "1", .key = "perun.pue", .number = 1.2});
    sink.fact(sink.state, &(ws_fact){.device = "gpu0", .key = "gpu.name", .text = "A100"});
    ck_assert_double_eq(fact_about(&measure, "1", "", "", "perun.pue")->number, 1.2);
    ck_assert_str_eq(fact_about(&measure, "", "", "gpu0", "gpu.name")->text, "A100");
    ck_assert_ptr_null(fact_about(&measure, "2", "", "", "perun.pue"));
    ws_measure_free(&measure);
}
END_TEST

/* Huber's energy per GPUh is the sum of the devices' mean powers per GPU when their spans agree: four GPUs, two
 * packages, (3 x 311.7 + 287.3 + 2 x 95.1) W / 4 = 353.15 W. */
START_TEST(energy_per_gpuh_is_power_per_gpu)
{
    const source sources[] = {DEVICE("gpu0", WS_GPU, 311.7), DEVICE("gpu1", WS_GPU, 311.7),
                              DEVICE("gpu2", WS_GPU, 311.7), DEVICE("gpu3", WS_GPU, 287.3),
                              DEVICE("cpu0", WS_CPU, 95.1),  DEVICE("cpu1", WS_CPU, 95.1)};
    ws_totals t = totals_of(sources, 6, NULL);
    ws_table runs;
    ws_runs_init(&runs);
    size_t row = ws_table_add_row(&runs);
    ws_runs_set(&runs, WS_COL_GPUS, row, 4);
    ws_runs_set(&runs, WS_COL_WALL, row, t.wall_s);
    ws_runs_set(&runs, WS_COL_ENERGY, row, t.all.energy_j / 3.6e6);
    ws_runs_complete(&runs, NULL);
    ck_close(ws_runs_get(&runs, WS_COL_KWH_PER_GPUH, row), 0.35315, 1e-14, 0);
    ck_close(t.all.power_w / 4, 353.15, 1e-14, 0);
    ws_table_free(&runs);
}
END_TEST

static double cell(const ws_table *t, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    return ws_table_number(t, column, row);
}

START_TEST(the_table_groups_devices)
{
    const source sources[] = {{"1", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 100},
                              {"1", "n2", "gpu0", "w", WS_GPU, WS_POWER, 0, 200},
                              {"1", "n1", "cpu0", "w", WS_CPU, WS_POWER, 0, 50},
                              {"2", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 400},
                              {"1", "n1", "gpu0", "u", WS_GPU, WS_UTIL, 0, 0.5}};
    static const struct {
        ws_energy_grouping by;
        size_t rows;
        double first_j;
    } cases[] = {{WS_BY_DEVICE, 4, 300},
                 {WS_BY_DOMAIN, 4, 300},
                 {WS_BY_NODE, 3, 450},
                 {WS_BY_RUN, 2, 1050},
                 {WS_BY_SOURCE, 1, 2250}};
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    for (size_t i = 0; i < 5; i++)
        push(&sources[i]);
    ws_measure_finish(&measure, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table t;
        double sum = 0;
        ws_energy_table_init(&t, cases[i].by);
        ws_energy_table_add(&t, &measure, cases[i].by);
        ck_assert_uint_eq(t.n_rows, cases[i].rows);
        ck_assert_double_eq(cell(&t, 0, "energy_j"), cases[i].first_j);
        for (size_t row = 0; row < t.n_rows; row++)
            sum += cell(&t, row, "energy_j");
        ck_assert_double_eq(sum, 2250); /* (100 + 200 + 50 + 400) W x 3 s, however it is cut */
        ws_table_free(&t);
    }
    ws_measure_free(&measure);
}
END_TEST

/* The host that is left is whole; the run and the file that it stands in are not. */
START_TEST(a_run_that_lost_a_host_is_not_whole)
{
    static const struct {
        ws_energy_grouping by;
        const char *status;
    } cases[] = {{WS_BY_NODE, "ok"}, {WS_BY_DOMAIN, "ok"}, {WS_BY_RUN, "incomplete"}, {WS_BY_SOURCE, "incomplete"}};
    begin(&(ws_measure_options){.rule = WS_RULE_NONE});
    push(&(source){"1", "n1", "gpu0", "w", WS_GPU, WS_POWER, 0, 100});
    measure.is_incomplete = true;
    ws_measure_finish(&measure, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table t;
        ws_energy_table_init(&t, cases[i].by);
        ws_energy_table_add(&t, &measure, cases[i].by);
        ck_assert_str_eq(ws_table_column(&t, "status")->text[0], cases[i].status);
        ws_table_free(&t);
    }
    ws_measure_free(&measure);
}
END_TEST

START_TEST(a_coverage_below_95_percent_is_low)
{
    ws_device_sum sum = {.devices = 1, .coverage = 0.951, .status = WS_STATUS_OK};
    ck_assert_str_eq(ws_energy_status_name(ws_device_sum_status(&sum)), "ok");
    sum.coverage = 0.949;
    ck_assert_str_eq(ws_energy_status_name(ws_device_sum_status(&sum)), "low-coverage");
}
END_TEST

TEST_MAIN("measure", counter_before_interval_before_power, a_rule_chooses_among_what_fits_it, a_column_can_be_named,
          a_column_without_readings_is_not_chosen, a_counter_that_is_too_coarse_is_not_chosen,
          totals_hold_nothing_twice, node_or_wall_stand_alone, devices_without_energy_are_counted,
          runs_and_nodes_are_filtered, groups_are_what_filters_pass, runs_of_a_file_follow_each_other,
          runs_that_share_their_time, all_channels_are_shown_once_and_added_once,
          nodes_of_files_stand_in_for_silent_ones, the_last_fact_counts, energy_per_gpuh_is_power_per_gpu,
          the_table_groups_devices, a_run_that_lost_a_host_is_not_whole, a_coverage_below_95_percent_is_low)
