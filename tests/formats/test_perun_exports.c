/* perun's CSV and JSON exports, and the meaning of its sensors' names. */
#include "core/arena.h"
#include "formats/hdf5/perun_sensor.h"
#include "harness.h"
#include "recorder.h"

extern const ws_format ws_format_perun_csv, ws_format_perun_json;

#define HEADER ",run id,hostname,device_group,sensor,unit,magnitude,timestep,value\n"

START_TEST(names_of_every_backend_find_their_device)
{
    static const struct {
        const char *group, *sensor, *unit, *device, *id, *identity;
        ws_domain domain;
        ws_quantity quantity;
        double to_si;
    } sensors[] = {
        {"gpu", "CUDA:0", "W", "gpu0", "CUDA:0", "index", WS_GPU, WS_POWER, 1},
        {"gpu", "CUDA:11_POWER", "W", "gpu11", "CUDA:11", "index", WS_GPU, WS_POWER, 1},
        {"gpu", "CUDA:1_MEM", "B", "gpu1", "CUDA:1", "index", WS_GPU, WS_MEM_USED, 1},
        {"gpu", "CUDA:1_CLOCK_SM", "Hz", "gpu1", "CUDA:1", "index", WS_GPU, WS_CLOCK, 1},
        {"gpu", "CUDA:1_CLOCKSM", "Hz", "gpu1", "CUDA:1", "index", WS_GPU, WS_CLOCK, 1},
        {"gpu", "CUDA:1_CLOCK_MEM", "Hz", "gpu1", "CUDA:1", "index", WS_GPU, WS_OTHER_VALUE, 1},
        {"gpu", "ROCM:3_POWER", "W", "gpu3", "ROCM:3", "index", WS_GPU, WS_POWER, 1},
        {"gpu", "AMD Instinct MI250_1_POWER", "W", "gpu1", "AMD Instinct MI250_1", "name", WS_GPU, WS_POWER, 1},
        {"gpu", "ROCM:5e3b-77f0_POWER", "W", "gpu0", "ROCM:5e3b-77f0", "uuid", WS_GPU, WS_POWER, 1},
        {"gpu", "ROCM:9aaa-0001_POWER", "W", "gpu1", "ROCM:9aaa-0001", "uuid", WS_GPU, WS_POWER, 1},
        {"gpu", "ROCM:5e3b-77f0_MEM", "B", "gpu0", "ROCM:5e3b-77f0", "uuid", WS_GPU, WS_MEM_USED, 1},
        {"cpu", "cpu_1_package-1", "J", "cpu1", "cpu_1_package-1", "sensor", WS_CPU, WS_ENERGY_COUNTER, 1},
        {"cpu", "cpu_0_package-0", "W", "cpu0", "cpu_0_package-0", "sensor", WS_CPU, WS_POWER, 1},
        {"ram", "ram_0_dram", "J", "dram0", "ram_0_dram", "sensor", WS_DRAM, WS_ENERGY_COUNTER, 1},
        {"cpu", "CPU_USAGE", "%", "cpu", "CPU_USAGE", "sensor", WS_CPU, WS_UTIL, 0.01},
        {"cpu", "CPU_FREQ_17", "Hz", "cpu", "CPU_FREQ_17", "sensor", WS_CPU, WS_CLOCK, 1},
        {"ram", "RAM_USAGE", "B", "dram", "RAM_USAGE", "sensor", WS_DRAM, WS_MEM_USED, 1},
        {"ram", "RAM_USAGE", "%", "dram", "RAM_USAGE", "sensor", WS_DRAM, WS_OTHER_VALUE, 0.01},
        {"disk", "DISK_READ_BYTES", "B", "node", "DISK_READ_BYTES", "sensor", WS_OTHER, WS_OTHER_VALUE, 1},
        {"cpu", "cpu_0_psys", "J", "cpu_0_psys", "cpu_0_psys", "sensor", WS_OTHER, WS_ENERGY_COUNTER, 1},
    };
    ws_perun_gpus gpus = {0};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
        ws_channel c = {0};
        double to_si = ws_perun_describe(&gpus, &arena, sensors[i].group, sensors[i].sensor, sensors[i].unit, &c);
        ck_assert_str_eq(c.column, sensors[i].sensor);
        ck_assert_str_eq(c.device, sensors[i].device);
        ck_assert_str_eq(c.device_id, sensors[i].id);
        ck_assert_str_eq(c.identity, sensors[i].identity);
        ck_assert_msg(c.domain == sensors[i].domain && c.quantity == sensors[i].quantity, "%s is %s %s",
                      sensors[i].sensor, ws_domain_name(c.domain), ws_quantity_name(c.quantity));
        ck_assert_double_eq(to_si, sensors[i].to_si);
    }
    ws_perun_gpus_free(&gpus);
    ws_arena_free(&arena);
}
END_TEST

/* A damaged letter of a name must not take the energy out of the total without a word. */
START_TEST(an_energy_of_an_unknown_name_is_told)
{
    static const struct {
        const char *group, *sensor, *unit;
        size_t told;
    } cases[] = {{"cpu", "cpu_0_package-0", "J", 0}, {"cpu", "cpu_0_pbckage-0", "J", 1}, {"ram", "rbm_0_dram", "J", 1},
                 {"xpu", "CUDA:0_POWER", "W", 1},    {"cpu", "cpu_0_psys", "J", 0},      {"disk", "DISK_X", "B", 0},
                 {"gpu", "CUDB:0_POWER", "W", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_perun_gpus gpus = {0};
        ws_arena arena = {0};
        ws_notes notes = {0};
        ws_channel c = {0};
        ws_perun_describe(&gpus, &arena, cases[i].group, cases[i].sensor, cases[i].unit, &c);
        ws_perun_note_sensor(&notes, "a.hdf5", &c);
        ck_assert_msg(notes.n == cases[i].told, "%s: %zu notes", cases[i].sensor, notes.n);
        ck_assert(!notes.n || notes.items[0].finding == WS_FINDING_UNKNOWN_ZONE);
        ws_notes_free(&notes);
        ws_perun_gpus_free(&gpus);
        ws_arena_free(&arena);
    }
}
END_TEST

/* A counter of `watts` read each second, that wraps at `range` between the third and the fourth reading. */
static double assumed_range(double watts, double range, double jump)
{
    int64_t t_ns[6];
    double value[6];
    for (int i = 0; i < 6; i++) {
        t_ns[i] = i * INT64_C(1000000000);
        value[i] = range - 2.5 * watts + watts * i + (i > 2 ? jump - range : 0);
    }
    return ws_perun_assume_range(t_ns, value, 6);
}

START_TEST(the_range_of_a_counter_is_told_by_its_wrap)
{
    ck_assert_double_eq(assumed_range(16, 65712.999613, 0), 65712.999613);
    ck_assert_double_eq(assumed_range(16, 65532.610987, 0), 65532.610987);
    ck_assert_double_eq(assumed_range(180, 262143.328850, 0), 262143.328850);
    ck_assert_double_eq(assumed_range(16, 30000, 0), 0);           /* began again from zero */
    ck_assert_double_eq(assumed_range(16, 262143.328850, 9e3), 0); /* fell by less than any range */
    const int64_t t_ns[] = {0, 1000000000, 2000000000, 3000000000};
    const double rising[] = {10, 20, 0, 40}; /* a failed read is no wrap */
    ck_assert_double_eq(ws_perun_assume_range(t_ns, rising, 4), 0);
    ck_assert_double_eq(ws_perun_assume_range(t_ns, rising, 0), 0);
}
END_TEST

START_TEST(csv_is_read_by_the_names_of_its_columns)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv",
                                        HEADER "0,0,n1,gpu,CUDA:0_POWER,W,0.001,0.0,61554.0\n"
                                               "1,0,n1,gpu,CUDA:0_POWER,W,0.001,0.9999008,61207.0\n"
                                               "2,0,n1,gpu,CUDA:0_POWER,W,0.001,2.0,\n"
                                               "3,0,n2,gpu,CUDA:0_POWER,W,0.001,0.0,0.0\n"
                                               "4,1,n2,gpu,CUDA:0_POWER,W,0.001,0.0,9.0\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 3);
    const recorded *c = &r.channels[0];
    ck_assert_str_eq(c->channel.run, "0");
    ck_assert_str_eq(c->channel.device, "gpu0");
    ck_assert_uint_eq(c->n, 3);
    ck_assert_int_eq(c->t_ns[1], 999900800);
    ck_assert_int_eq(c->line[1], 3);
    ck_close(c->value[1], 61.207, 1e-15, 0);
    ck_assert_double_nan(c->value[2]);
    ck_assert_str_eq(r.channels[1].channel.node, "n2");
    ck_assert_str_eq(r.channels[2].channel.run, "1");
    recorder_free(&r);
}
END_TEST

START_TEST(csv_of_0_3_3_names_the_run_by_its_id)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.cvs",
                                        ",app_name,run_id,hostname,device_group,sensor,unit,magnitude,timestep,value\n"
                                        "0,perun,2025-03-18T19:21:59,n4,gpu,CUDA:0,W,0.001,0.0,62652.0\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 1);
    ck_assert_str_eq(r.channels[0].channel.run, "2025-03-18T19:21:59");
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_TRAPEZOID);
    recorder_free(&r);
}
END_TEST

START_TEST(csv_rows_in_any_order_reach_their_sensor)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv",
                                        HEADER "0,0,n1,gpu,CUDA:0_POWER,W,1,0,10\n"
                                               "1,0,n1,gpu,CUDA:1_POWER,W,1,0,20\n"
                                               "2,0,n1,gpu,CUDA:0_POWER,W,1,1,11\n"
                                               "3,0,n1,gpu,CUDA:1_POWER,W,1,1,21\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 2);
    ck_assert_double_eq(recorded_sum(&r.channels[0]), 21);
    ck_assert_double_eq(recorded_sum(&r.channels[1]), 41);
    recorder_free(&r);
}
END_TEST

START_TEST(csv_counters_say_which_range_is_assumed)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv",
                                        HEADER "0,0,n1,ram,ram_0_dram,J,1e-06,0,65690000000\n"
                                               "1,0,n1,ram,ram_0_dram,J,1e-06,1,65706000000\n"
                                               "2,0,n1,ram,ram_0_dram,J,1e-06,2,9000387\n"
                                               "3,0,n1,cpu,cpu_0_package-0,J,1e-06,0,1000000\n"
                                               "4,0,n1,cpu,cpu_0_package-0,J,1e-06,1,2000000\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 2);
    ck_assert_double_eq(r.channels[0].channel.counter_range_j, 65712.999613);
    ck_assert_double_eq(r.channels[1].channel.counter_range_j, 0);
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_ASSUMED_COUNTER_RANGE);
    ck_assert_uint_eq(note->count, 1);
    ck_assert_str_eq(note->subject, "ram_0_dram");
    ck_assert_ptr_nonnull(strstr(note->text, "65712.999613 J"));
    recorder_free(&r);
}
END_TEST

START_TEST(broken_csv_lines_are_notes_with_their_place)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv",
                                        HEADER "0,0,n1,gpu,CUDA:0_POWER,W,1,0,10\n"
                                               "1,0,n1,gpu,CUDA:0_POWER,W,1,soon,11\n"
                                               "2,0,n1,gpu,CUDA:0_POWER\n"
                                               "3,0,n1,gpu,CUDA:0_POWER,W,milli,1,11\n"
                                               "4,0,n1,gpu,CUDA:0_POWER,W,1,3,1"),
                     WS_OK);
    ck_assert_uint_eq(r.channels[0].n, 2);
    ck_assert_int_eq(ws_notes_find(&r.notes, WS_FINDING_BAD_TIME)->line, 3);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_BAD_TIME)->text,
                     "time step 'soon' is not a number of seconds; the line is left out");
    ck_assert_int_eq(ws_notes_find(&r.notes, WS_FINDING_SHORT_ROW)->line, 4);
    ck_assert_int_eq(ws_notes_find(&r.notes, WS_FINDING_TRUNCATED_LINE)->line, 6);
    recorder_free(&r);
}
END_TEST

START_TEST(csv_without_a_column_or_without_rows_is_refused)
{
    recorder r = {0};
    ck_assert_int_eq(
        recorder_read_text(&r, &ws_format_perun_csv, "p.csv",
                           ",run id,hostname,device_group,sensor,unit,timestep,value\n0,0,n,gpu,x,W,0,1\n"),
        WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "p.csv: there is no line with the columns of perun's CSV export"));
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv", HEADER), WS_DATA);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_csv, "p.csv", ""), WS_FORMAT);
    recorder_free(&r);
}
END_TEST

#define SENSOR                                                                                                        \
    "{\"CUDA:0_POWER\": {\"id\": \"CUDA:0_POWER\", \"type\": 6, \"metadata\": {\"name\": \"b'A100'\"}, \"metrics\": " \
    "{},"                                                                                                             \
    "\"nodes\": [{}], \"raw_data\": {\"timesteps\": [0.0, 0.5, NaN, 2], \"values\": [1000, Infinity, 7, 3000],"       \
    "\"t_md\": {\"unit\": \"s\", \"mag\": 1.0}, \"v_md\": {\"unit\": \"W\", \"mag\": 0.001, \"max\": "                \
    "18446744073709551615},"                                                                                          \
    "\"alt_values\": null, \"alt_v_md\": null}}}"

static ws_status read_json(recorder *r, const char *before, const char *after)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "{\"id\": \"app\", \"type\": 1, \"metadata\": {}, \"metrics\": {\"energy\": {\"mean\": NaN}}, \"nodes\": %s"
        "{\"7\": {\"id\": \"7\", \"type\": 2, \"metadata\": {\"post-processing.pue\": 1.2}, \"nodes\": %s"
        "{\"0\": {\"type\": 3, \"metadata\": {\"say\": \"\\\"NaN\\\"\"}, \"metrics\": {\"energy\": {\"value\": 2,"
        "\"metric_md\": {\"unit\": \"J\", \"mag\": 1000}}}, \"regions\": null, \"nodes\": %s"
        "{\"n1\": {\"metadata\": {\"mpi_ranks\": [0, 1]}, \"metrics\": {}, \"nodes\": %s{\"gpu\": {\"metadata\": {},"
        "\"metrics\": {}, \"nodes\": %s" SENSOR "%s}}%s}}%s}}%s}}%s}\n",
        before, before, before, before, before, after, after, after, after, after);
    return recorder_read_text(r, &ws_format_perun_json, "p.json", text);
}

START_TEST(json_is_read_with_and_without_the_stray_lists)
{
    for (int lists = 0; lists < 2; lists++) {
        recorder r = {0};
        ck_assert_msg(read_json(&r, lists ? "[" : "", lists ? "]" : "") == WS_OK, "%s", r.error.message);
        ck_assert_uint_eq(r.n, 1);
        ck_assert_str_eq(r.channels[0].channel.run, "7/0");
        ck_assert_uint_eq(r.channels[0].n, 3); /* the reading without a time step is left out */
        ck_assert_int_eq(r.channels[0].t_ns[1], 500000000);
        ck_assert_double_eq(r.channels[0].value[0], 1);
        ck_assert_double_nan(r.channels[0].value[1]);
        ck_assert_double_eq(r.channels[0].value[2], 3);
        double pue = 0, energy_j = 0, ranks = 0;
        const char *name = "";
        for (size_t i = 0; i < r.n_facts; i++) {
            const ws_fact *f = &r.facts[i];
            pue = strcmp(f->key, "perun.pue") == 0 ? f->number : pue;
            energy_j = strcmp(f->key, "perun.stored.energy_j") == 0 ? f->number : energy_j;
            ranks = strcmp(f->key, "perun.mpi_ranks") == 0 ? f->number : ranks;
            name = strcmp(f->key, "gpu.name") == 0 ? f->text : name;
        }
        ck_assert_double_eq(pue, 1.2);
        ck_assert_double_eq(energy_j, 2000);
        ck_assert_double_eq(ranks, 2);
        ck_assert_str_eq(name, "A100");
        recorder_free(&r);
    }
}
END_TEST

/* The power that perun derived stands in `values`, the counter that it was derived from in `alt_values`, with its
 * range. */
START_TEST(json_keeps_the_counter_beside_the_power)
{
    static const char text[] =
        "{\"id\": \"app\", \"type\": 1, \"metadata\": {}, \"metrics\": {}, \"nodes\": [{\"7\": {\"type\": 2, "
        "\"metadata\": {}, \"nodes\": [{\"0\": {\"type\": 3, \"metadata\": {}, \"metrics\": {}, \"nodes\": [{\"n1\": "
        "{\"metadata\": {}, \"metrics\": {}, \"nodes\": [{\"cpu\": {\"metadata\": {}, \"metrics\": {}, \"nodes\": [{"
        "\"cpu_0_package-0\": {\"id\": \"cpu_0_package-0\", \"type\": 6, \"metadata\": {}, \"metrics\": {}, "
        "\"nodes\": [{}], \"raw_data\": {\"timesteps\": [0.0, 1.0, 2.0], \"values\": [60.0, 60.0, 70.0], "
        "\"t_md\": {\"unit\": \"s\", \"mag\": 1.0}, \"v_md\": {\"unit\": \"W\", \"mag\": 1.0}, "
        "\"alt_values\": [1000000, 61000000, 131000000], "
        "\"alt_v_md\": {\"unit\": \"J\", \"mag\": 1e-06, \"max\": 262143328850}}}}]}}]}}]}}]}}]}\n";
    recorder r = {0};
    ck_assert_msg(recorder_read_text(&r, &ws_format_perun_json, "p.json", text) == WS_OK, "%s", r.error.message);
    ck_assert_uint_eq(r.n, 2);
    const recorded *power = NULL, *counter = NULL;
    for (size_t i = 0; i < r.n; i++)
        *(r.channels[i].channel.quantity == WS_POWER ? &power : &counter) = &r.channels[i];
    ck_assert(power && counter);
    ck_assert_int_eq(counter->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_double_eq(power->value[2], 70);
    ck_assert_double_eq_tol(counter->value[2] - counter->value[0], 130, 1e-9); /* 60 J and 70 J */
    ck_assert_double_eq_tol(counter->channel.counter_range_j, 262143.32885, 1e-6);
    recorder_free(&r);
}
END_TEST

START_TEST(json_that_is_cut_or_of_something_else_is_refused)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_json, "p.json", "{\"id\": \"app\",\n \"metadata\": {\"a"),
                     WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "p.json:2: "));
    ck_assert_ptr_nonnull(strstr(r.error.message, "export it again"));
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_json, "p.json", "[1, 2]"), WS_FORMAT);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_perun_json, "p.json", "{\"id\": \"a\", \"metadata\": {}}"),
                     WS_DATA);
    recorder_free(&r);
}
END_TEST

START_TEST(exports_are_recognised_by_content)
{
    ws_span csv = ws_span_of(HEADER "0,0,n1,gpu,CUDA:0_POWER,W,1,0,10\n");
    ws_span json =
        ws_span_of("{\"id\": \"app\", \"type\": 1, \"metadata\": {}, \"metrics\": {\"energy\": {\"type\": \"energy\","
                   "\"metric_md\": {}");
    ws_span bench = ws_span_of("[\n {\"name\": \"perun_1 - RUNTIME\", \"unit\": \"s\", \"value\": 60.0}]");
    ck_assert_int_gt(ws_format_perun_csv.score("x", csv), 90);
    ck_assert_int_gt(ws_format_perun_json.score("x", json), 90);
    ck_assert_int_eq(ws_format_perun_csv.score("perun.csv", json), 0);
    ck_assert_int_eq(ws_format_perun_json.score("perun.json", csv), 0);
    ck_assert_int_eq(ws_format_perun_json.score("perun.bench.json", bench), 0);
    /* the report for people has four digits: no reader takes it, nor its tables for tables of runs */
    static const char report[] = "PERUN REPORT\n\nApp name: perun\n\nRUN ID: 7\n\n"
                                 "|   Round # |             Host |   RUNTIME |    ENERGY |\n"
                                 "|----------:|-----------------:|----------:|----------:|\n"
                                 "|         0 |              All |  60.002 s | 65.599 kJ |\n";
    const ws_format *second;
    ws_input *input = ws_input_from_memory("perun_7.txt", report, strlen(report));
    ck_assert_ptr_null(ws_format_recognise(input, &second));
    ws_input_close(input);
}
END_TEST

TEST_MAIN("perun exports", names_of_every_backend_find_their_device, an_energy_of_an_unknown_name_is_told,
          the_range_of_a_counter_is_told_by_its_wrap, csv_is_read_by_the_names_of_its_columns,
          csv_of_0_3_3_names_the_run_by_its_id, csv_rows_in_any_order_reach_their_sensor,
          csv_counters_say_which_range_is_assumed, broken_csv_lines_are_notes_with_their_place,
          csv_without_a_column_or_without_rows_is_refused, json_is_read_with_and_without_the_stray_lists,
          json_keeps_the_counter_beside_the_power, json_that_is_cut_or_of_something_else_is_refused,
          exports_are_recognised_by_content)
