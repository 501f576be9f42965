/* Which device the rows and columns of a delimited trace belong to. Numbers known by hand. */
#include "trace_case.h"

static void csv_ok(const char *text)
{
    read_format_ok(&ws_format_generic_csv, text);
}

START_TEST(numbers_behind_the_quantity)
{
    csv_ok("timestamp,gpu_power_0,gpu_power_1,gpu_util_0,gpu_util_1,cpu_power_0,cpu_power_1\n"
           "1770796800,100,200,10,20,50,60\n1770796801,101,201,11,21,51,61\n");
    has("gpu0", "gpu_power_0", "100 101");
    has("gpu1", "gpu_power_1", "200 201");
    has("gpu0", "gpu_util_0", "0.1 0.11");
    has("gpu1", "gpu_util_1", "0.2 0.21");
    has("cpu0", "cpu_power_0", "50 51");
    has("cpu1", "cpu_power_1", "60 61");
    has_note("same-device", 0);
}
END_TEST

/* Numbers over columns may be those of anything, as of the leads of a cardiogram: the user says that they are powers.
 */
START_TEST(numbers_without_a_device_are_gpus_if_the_user_says_power)
{
    static const char *const numbers = "timestamp,0,1\n1763638585,100.5,200.5\n";
    static const char *const powers =
        "timestamp,gpu_util_0,gpu_util_1,power_0,power_1\n1770796800,10,20,100,200\n1770796801,11,21,101,201\n";
    ck_assert_int_eq(read_format(&ws_format_generic_csv, numbers, NULL, 0), WS_DATA);
    csv_ok(powers);
    ck_assert_ptr_null(recorder_find(&r, "gpu0", "power_0"));
    has_note("unknown-column", 2);
    ck_assert_int_eq(read_format(&ws_format_generic_csv, numbers, "power=0,power=1", 0), WS_OK);
    has("gpu0", "0", "100.5");
    has("gpu1", "1", "200.5");
    ck_assert_int_eq(read_format(&ws_format_generic_csv, powers, "power=power_0,power=power_1", 0), WS_OK);
    has("gpu0", "power_0", "100 101");
    has("gpu1", "power_1", "200 201");
}
END_TEST

static void is_of(const char *column, const char *node, const char *device)
{
    const recorded *c = recorder_find(&r, NULL, column);
    ck_assert_msg(c && strcmp(c->channel.node, node) == 0 && strcmp(c->channel.device, device) == 0, "%s is %s of '%s'",
                  column, c ? c->channel.device : "nothing", c ? c->channel.node : "");
}

static void domain_is(const char *text, const char *column, ws_domain domain)
{
    csv_ok(text);
    const recorded *c = recorder_find(&r, NULL, column);
    ck_assert_msg(c && c->channel.domain == domain && c->channel.quantity == WS_POWER, "%s is %s", column,
                  c ? ws_domain_name(c->channel.domain) : "nothing");
}

/* Names that were a device of no domain, or unknown. */
START_TEST(powers_of_the_moment_of_meters_and_in_other_languages)
{
    domain_is("time,GPU inst power [W]\n1770796800,100\n1770796801,101\n", "GPU inst power [W]", WS_GPU);
    fails("time,GPU inst power\n1770796800,879\n1770796801,911\n", NULL, WS_DATA,
          "--columns time=#1,power=#2"); /* mW */
    domain_is("time,inst_power_w\n1770796800,100\n1770796801,101\n", "inst_power_w", WS_GPU);
    domain_is("time,Leistung [W]\n1770796800,100\n1770796801,101\n", "Leistung [W]", WS_GPU);
    domain_is("time,CPU-Leistung\n1770796800,100\n1770796801,101\n", "CPU-Leistung", WS_CPU);
    domain_is("time,Active Power (kW)\n1770796800,1.5\n1770796801,1.6\n", "Active Power (kW)", WS_WALL);
    domain_is("time,Real Power (W),Apparent Power (VA)\n1770796800,100,120\n1770796801,101,121\n", "Real Power (W)",
              WS_WALL);
    domain_is("time,Outlet 3 Active Power (W)\n1770796800,100\n1770796801,101\n", "Outlet 3 Active Power (W)", WS_WALL);
    domain_is("time,system/gpu_0_power_usage_watts\n1770796800,100\n1770796801,101\n", "system/gpu_0_power_usage_watts",
              WS_GPU); /* of MLflow */
    domain_is("time,GPU0_POWER (mWatts)\n1770796800,100000\n1770796801,101000\n", "GPU0_POWER (mWatts)", WS_GPU);
    has("gpu0", "GPU0_POWER (mWatts)", "100 101"); /* of EnergiBridge */
    domain_is(
        "timestamp,ipu_id,board_power_w\n1770796800,0,100\n1770796800,1,200\n1770796801,0,101\n1770796801,1,201\n",
        "board_power_w", WS_GPU);
    has("gpu1", "board_power_w", "200 201");
    fails("entity_id,state,last_changed\nsensor.plug_power,78.7,2026-02-11T08:00:00.004Z\n", NULL, WS_DATA,
          "--columns time=#3,power=#2");
    fails("\"Relative Time (Wall)\",\"a - system/gpu.0.powerWatts\",\"b - system/gpu.0.powerWatts\"\n0.1,100,200\n",
          NULL, WS_DATA, "--columns time=#1,power=#2,power=#3,devices=2");
    /* the mean of an epoch stands in tables of runs as well */
    fails("time,avg_power_w\n1770796800,100\n1770796801,101\n", NULL, WS_DATA, "--columns time=#1,power=#2");
    fails("time,max_power_w,gpu0_avg_power,gpu1_avg_power\n1770796800,300,100,150\n", NULL, WS_DATA,
          "--columns time=#1,power=#3,power=#4,devices=2");
    fails("time,GPU inst power,GPU avg power,CPU inst power,CPU avg power\n1770796800,879,853,911,874\n", NULL, WS_DATA,
          "--columns time=#1,power=#2,power=#4"); /* that of each part, of the moment */
    fails("time,power_state,loss\n1770796800,300,1\n", NULL, WS_DATA, "--columns power=NAME");
}
END_TEST

/* Node and device are both in the names: two GPUs of one node were one, which was the node's. */
START_TEST(wide_columns_of_devices_of_several_nodes)
{
    csv_ok("time,n1 GPU 0 power,n1 GPU 1 power,n2 GPU 0 power\n1770796800,100,200,300\n1770796801,101,201,301\n");
    is_of("n1 GPU 0 power", "n1", "gpu0");
    is_of("n1 GPU 1 power", "n1", "gpu1");
    is_of("n2 GPU 0 power", "n2", "gpu0");
    csv_ok("time,gpu0_power@node01 [W],cpu0_power@node01 [W],gpu0_power@node02 [W]\n1770796800,100,200,300\n");
    is_of("gpu0_power@node01 [W]", "node01", "gpu0");
    is_of("cpu0_power@node01 [W]", "node01", "cpu0");
    is_of("gpu0_power@node02 [W]", "node02", "gpu0");
    has_note("same-device", 0);
    csv_ok("time,n1_power,n1_gpu0_power,n1_gpu0_util\n1770796800,500,100,97\n1770796801,501,101,98\n");
    is_of("n1_power", "n1", "node");
    is_of("n1_gpu0_power", "n1", "gpu0");
    is_of("n1_gpu0_util", "n1", "gpu0");
}
END_TEST

static void asks(const char *map, bool is_asked)
{
    static const char *const text = "timestamp,left,right\n1770796800,100,200\n1770796801,101,201\n";
    ck_assert_int_eq(read_format(&ws_format_generic_csv, text, map, 0), WS_OK);
    has_note("ask-devices", is_asked);
    for (size_t i = 0; i < r.n; i++)
        ck_assert_int_eq(r.channels[i].channel.ask != WS_ASK_NOTHING, is_asked);
}

/* Two columns that the user calls powers may be of two devices or of one. */
START_TEST(named_columns_without_a_device_are_asked_for)
{
    asks("power=left", false);
    asks("power=left,power=right", true);
    asks("counter=left,counter=right", true);
    asks("power=left,power=right,devices=2", false);
    has("gpu0", "left", "100 101");
    has("gpu1", "right", "200 201");
    asks("power=left,power=right,devices=1", false);
    has("gpu0", "left", "100 101");
    has("gpu0", "right", "200 201");
    asks("power=left,util=right", false);
}
END_TEST

/* dgx01 and dgx02 may be nodes, p50 and p95 are readings of one GPU. */
START_TEST(names_of_one_device_that_differ_in_a_number_are_asked_for)
{
    static const char *const numbered =
        "time,dgx01 GPU 0 (W),dgx01 GPU 1 (W),dgx02 GPU 0 (W)\n1770796800,100,200,300\n1770796801,101,201,301\n";
    csv_ok(numbered);
    has_note("ask-devices", 1);
    has_note("same-device", 0);
    ck_assert_ptr_nonnull(strstr(ws_notes_find(&r.notes, WS_FINDING_ASK_DEVICES)->text, "power=#4,devices=3"));
    ck_assert_int_eq(recorder_find(&r, NULL, "dgx01 GPU 0 (W)")->channel.ask, WS_ASK_DEVICES);
    ck_assert_int_eq(recorder_find(&r, NULL, "dgx01 GPU 1 (W)")->channel.ask, WS_ASK_NOTHING);
    ck_assert_int_eq(recorder_find(&r, NULL, "dgx02 GPU 0 (W)")->channel.ask, WS_ASK_DEVICES);
    ck_assert_int_eq(read_format(&ws_format_generic_csv, numbered, "time=#1,power=#2,power=#3,power=#4,devices=3", 0),
                     WS_OK);
    has_note("ask-devices", 0);
    is_of("dgx01 GPU 0 (W)", "", "gpu0");
    is_of("dgx01 GPU 1 (W)", "", "gpu1");
    is_of("dgx02 GPU 0 (W)", "", "gpu2");
    ck_assert_int_eq(read_format(&ws_format_generic_csv, numbered, "power=#2,power=#3,power=#4", 0), WS_OK);
    has_note("ask-devices", 1);
    ck_assert_int_eq(read_format(&ws_format_generic_csv, numbered, "devices=1", 0), WS_OK);
    has_note("ask-devices", 0);
    has_note("same-device", 1);
    csv_ok("time,left GPU 0 (W),right GPU 0 (W)\n1770796800,100,200\n1770796801,101,201\n");
    has_note("ask-devices", 0);
    has_note("same-device", 1);
}
END_TEST

/* "GPU0" is as well a load. */
START_TEST(devices_without_a_quantity)
{
    csv_ok("timestamp,GPU0,GPU1\n1770796800,210,190\n1770796801,211,191\n");
    has("gpu0", "GPU0", "210 211");
    has_note("assumed-power", 2);
    fails("time,uptime,GPU1,RAM,power cur\n2026-02-11 08:00:00.123,0:10:00.0,50,0.3,5542\n"
          "2026-02-11 08:00:01.123,0:10:01.0,51,0.3,5542\n",
          NULL, WS_DATA, "no column of power");
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_UNKNOWN_COLUMN));
    static const char beside[] = "timestamp,gpu0,gpu1,cpu\n1770796800,210,190,95\n1770796801,211,191,96\n";
    csv_ok(beside);
    has_note("assumed-power", 2);
    has_note("unknown-column", 1); /* per cent as well as watts */
    ck_assert_ptr_null(recorder_find(&r, NULL, "cpu"));
    ck_assert_int_eq(read_format(&ws_format_generic_csv, beside, "power=#2,power=#3,power=#4", 0), WS_OK);
    has("cpu0", "cpu", "95 96");
    has_note("unknown-column", 0);
    csv_ok("timestamp,gpu0,gpu1,cpu_w\n1770796800,210,190,95\n1770796801,211,191,96\n");
    has("cpu0", "cpu_w", "95 96");
    has_note("unknown-column", 0);
}
END_TEST

/* A host's power or load under its name: each row was a host of its own. */
START_TEST(readings_are_no_hosts)
{
    csv_ok("timestamp,gpu0_w,node\n1770796800,210,612.5\n1770796801,211,614.25\n1770796802,209,611.75\n");
    has("gpu0", "gpu0_w", "210 211 209");
    has_note("unknown-column", 1);
    csv_ok("timestamp,gpu0_w,node\n1770796800,210,1\n1770796801,211,1\n1770796800,310,2\n1770796801,311,2\n");
    has_note("unknown-column", 0);
    ck_assert_uint_eq(r.n, 2);
    csv_ok("timestamp,gpu0_w,host\n1770796800,210,10.0.0.7\n1770796801,211,10.0.0.7\n1770796802,212,10.0.0.7\n");
    has_note("unknown-column", 0);
}
END_TEST

START_TEST(loads_are_no_device_numbers)
{
    csv_ok("timestamp,gpu,mem,power_w\n1770796800,90,50,250\n1770796801,91,50,251\n1770796802,87,50,252\n"
           "1770796803,88,50,253\n");
    has("gpu0", "power_w", "250 251 252 253");
    has_note("load-column", 1);
    csv_ok("timestamp,gpu,power_w\n1770796800,64,250\n1770796801,65,350\n1770796802,64,251\n1770796803,65,351\n");
    has("gpu64", "power_w", "250 251"); /* which take turns */
    has_note("load-column", 0);
}
END_TEST

/* An idle GPU's are 0 to 3, as the numbers of GPUs are; and a power in % of its limit is none. */
START_TEST(shares_are_no_devices_and_no_power)
{
    static const char *const loads[] = {"GPU%", "GPU %", "gpu(%)", "GPU [%]"};
    static const char *const others[] = {"GPU1%", "gpu_power [%]", "GPU Power (%)", "power%", "Power [%]"};
    char text[256];
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        snprintf(text, sizeof text,
                 "timestamp,%s,power_w\n1770796800,0,250\n1770796801,3,251\n1770796802,0,252\n1770796803,3,253\n",
                 loads[i]);
        csv_ok(text);
        has("gpu0", "power_w", "250 251 252 253");
        ck_assert_msg(r.n == 2, "%s is no load", loads[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(text, sizeof text, "timestamp,%s,power_w\n1770796800,50,250\n1770796801,51,251\n1770796802,50,252\n",
                 others[i]);
        csv_ok(text);
        has("gpu0", "power_w", "250 251 252");
        ck_assert_msg(r.n == 1, "%s is read", others[i]);
    }
}
END_TEST

/* From 16 on, more than a node has GPUs, up to 100, and in no order. */
START_TEST(loads_lie_between_the_gpus_of_a_node_and_a_hundred_percent)
{
    static const struct {
        const char *text;
        bool is_load;
    } cases[] = {
        {"timestamp,gpu,power_w\n1770796800,9,250\n1770796801,16,251\n1770796802,12,252\n1770796803,9,253\n", true},
        {"timestamp,gpu,power_w\n1770796800,9,250\n1770796801,15,251\n1770796802,12,252\n1770796803,9,253\n", false},
        {"timestamp,gpu,power_w\n1770796800,98,250\n1770796801,100,251\n1770796802,97,252\n1770796803,98,253\n", true},
        {"timestamp,gpu,power_w\n1770796800,98,250\n1770796801,101,251\n1770796802,97,252\n1770796803,98,253\n", false},
        {"timestamp,gpu,power_w\n1770796800,90,250\n1770796801,88,251\n1770796802,90,252\n", true},
        {"timestamp,gpu,power_w\n1770796800,90,250\n1770796801,88,251\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csv_ok(cases[i].text);
        has_note("load-column", cases[i].is_load);
        ck_assert_msg((r.n == 1) == cases[i].is_load, "%s", cases[i].text);
    }
}
END_TEST

/* "TOTAL,CPU,GPU" of a board's rails: with a column map for the total, each row was a device of its own. */
START_TEST(readings_are_no_device_numbers)
{
    csv_ok("time,power_w,gpu\n0,5,918\n1,6,920\n2,5,924\n3,6,931\n4,5,935\n5,6,918\n6,5,940\n7,6,920\n");
    has("gpu0", "power_w", "5 6 5 6 5 6 5 6");
    has_note("load-column", 1);
    csv_ok("time,power_w,gpu\n0,5,3.25\n1,6,3.5\n2,5,3.75\n3,6,3.0\n4,5,3.125\n5,6,3.25\n6,5,3.5\n7,6,2.5\n");
    has("gpu0", "power_w", "5 6 5 6 5 6 5 6");
    has_note("load-column", 1);
    csv_ok("time,power_w,gpu\n0,5,918\n1,6,920\n2,5,924\n3,6,931\n4,5,918\n5,6,920\n6,5,924\n7,6,931\n");
    has_note("load-column", 0); /* devices that take turns */
    csv_ok("time,power_w,gpu\n0,5,1918\n1,6,920\n2,5,924\n3,6,931\n4,5,1918\n5,6,920\n6,5,924\n7,6,931\n");
    has_note("load-column", 1); /* above any index */
    csv_ok("time,power_w,gpu\n0,5,1320718000001\n1,6,1320718000002\n2,5,1320718000001\n3,6,1320718000002\n"
           "4,5,1320718000001\n5,6,1320718000002\n6,5,1320718000001\n7,6,1320718000002\n");
    has_note("load-column", 0); /* serial numbers */
    csv_ok("time,power_w,gpu\n0,5,201\n1,6,202\n2,5,203\n3,6,204\n4,5,205\n5,6,206\n6,5,207\n7,6,208\n");
    has_note("load-column", 0); /* one poll */
}
END_TEST

START_TEST(words_before_the_stamp_are_nodes)
{
    static const char text[] =
        "node1,2026/02/11 08:00:00.000, 0, 100.00 W, 50 %\nnode1,2026/02/11 08:00:00.000, 1, 110.00 W, 50 %\n"
        "n2,2026/02/11 08:00:00.000, 0, 200.00 W, 50 %\nn2,2026/02/11 08:00:00.000, 1, 210.00 W, 50 %\n"
        "node1,2026/02/11 08:00:01.000, 0, 101.00 W, 50 %\nnode1,2026/02/11 08:00:01.000, 1, 111.00 W, 50 %\n"
        "n2,2026/02/11 08:00:01.000, 0, 201.00 W, 50 %\nn2,2026/02/11 08:00:01.000, 1, 211.00 W, 50 %\n";
    read_ok(text);
    ck_assert_uint_eq(r.n, 8); /* two quantities of two GPUs of two nodes */
    ck_assert_str_eq(r.channels[0].channel.node, "node1");
    ck_assert_double_eq(r.channels[0].value[1], 101);
    has_note("assumed-node", 1);
    has_note("repeated-stamp", 0);
}
END_TEST

START_TEST(letters_for_numbers)
{
    csv_ok("timestamp,CPU A (W),CPU B (W)\n1770796800,100,200\n1770796801,101,201\n");
    has("cpu0", "CPU A (W)", "100 101");
    has("cpu1", "CPU B (W)", "200 201");
}
END_TEST

/* Two sides of one device, or two devices: the file does not say. */
START_TEST(names_that_tell_nothing_apart_are_told)
{
    csv_ok("timestamp,CPU left (W),CPU right (W)\n1770796800,100,200\n1770796801,101,201\n");
    has("cpu0", "CPU left (W)", "100 101");
    ck_assert_int_gt(recorder_find(&r, "cpu0", "CPU right (W)")->channel.preference, 0);
    has_note("same-device", 1);
}
END_TEST

START_TEST(words_of_a_device_column)
{
    csv_ok("timestamp,device,power_w\n1770796800,gpu1,100\n1770796800,CPU,50\n1770796800,dram,10\n"
           "1770796800,package-1,60\n1770796801,gpu1,101\n1770796801,CPU,51\n1770796801,dram,11\n"
           "1770796801,package-1,61\n");
    has("gpu1", "power_w", "100 101");
    has("cpu0", "power_w", "50 51");
    has("cpu1", "power_w", "60 61");
    has("dram0", "power_w", "10 11");
    ck_assert_int_eq(recorder_find(&r, "cpu0", NULL)->channel.domain, WS_CPU);
    ck_assert_int_eq(recorder_find(&r, "dram0", NULL)->channel.domain, WS_DRAM);
}
END_TEST

START_TEST(rows_of_a_total)
{
    static const char *const words[] = {"total", "ALL", "sum", "avg", "Mean", "average", "median", "MAX"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "timestamp,gpu_id,power_draw_w\n1770796800,0,100\n1770796800,1,200\n1770796800,%s,300\n"
                 "1770796801,0,101\n1770796801,1,201\n1770796801,%s,302\n",
                 words[i], words[i]);
        csv_ok(text);
        has("gpu0", "power_draw_w", "100 101");
        has("gpu1", "power_draw_w", "200 201");
        has(words[i], "power_draw_w", "300 302");
        ck_assert_int_eq(recorder_find(&r, words[i], NULL)->channel.domain, WS_OTHER);
        has_note("total-row", 1);
    }
}
END_TEST

/* Alone it is all that there is. */
START_TEST(a_total_without_parts_is_a_device)
{
    csv_ok("timestamp,gpu,power_w\n1770796800,all,300\n1770796801,all,302\n");
    has("gpu0", "power_w", "300 302");
    has_note("total-row", 0);
}
END_TEST

/* A module holds several GPUs: its power stands in the rows of each. */
START_TEST(power_of_a_module)
{
    read_ok("timestamp, index, module.power.draw.instant [W], power.draw [W]\n"
            "2026/01/01 00:00:00.000, 0, 505.0 W, 100.0 W\n2026/01/01 00:00:00.001, 1, 505.0 W, 200.0 W\n"
            "2026/01/01 00:00:01.000, 0, 506.0 W, 101.0 W\n2026/01/01 00:00:01.001, 1, 506.0 W, 201.0 W\n");
    has("gpu0", "power.draw [W]", "100 101");
    has("gpu1", "power.draw [W]", "200 201");
    ck_assert_uint_eq(r.n, 2);
}
END_TEST

START_TEST(a_column_of_the_node_in_a_long_table)
{
    csv_ok("timestamp,gpu,power_w,chassis (W)\n1770796800,0,100,900\n1770796800,1,200,900\n1770796801,0,101,901\n"
           "1770796801,1,201,901\n");
    has("gpu0", "power_w", "100 101");
    has("gpu1", "power_w", "200 201");
    has("chassis", "chassis (W)", "900 901");
}
END_TEST

START_TEST(totals_beside_their_parts)
{
    csv_ok("timestamp,cpu_power,gpu_power,total_power\n1770796800,50,100,150\n1770796801,51,101,152\n");
    has("gpu0", "gpu_power", "100 101");
    has("cpu0", "cpu_power", "50 51");
    has("total_power", "total_power", "150 152");
    ck_assert_int_eq(recorder_find(&r, "total_power", NULL)->channel.domain, WS_OTHER);
    has_note("total-column", 1);
    csv_ok("timestamp,GPU0,GPU1,sum\n1770796800,100,200,300\n1770796801,101,201,302\n");
    ck_assert_int_eq(recorder_find(&r, "sum", NULL)->channel.domain, WS_OTHER);
    has("sum", "sum", "300 302");
    has_note("total-column", 1);
}
END_TEST

/* Two GPUs of each model, four rows a sample. */
START_TEST(names_of_several_models)
{
    char text[1000];
    int n = sprintf(text, "timestamp, name, power.draw [W]\n");
    for (int i = 0; i < 4; i++)
        n += sprintf(text + n,
                     "2026/01/01 00:00:0%d.000, A100, 10%d W\n2026/01/01 00:00:0%d.002, A100, 20%d W\n"
                     "2026/01/01 00:00:0%d.004, T4, 30%d W\n2026/01/01 00:00:0%d.006, T4, 40%d W\n",
                     i, i, i, i, i, i, i, i);
    read_ok(text);
    has("gpu0", "power.draw [W]", "100 101 102 103");
    has("gpu1", "power.draw [W]", "200 201 202 203");
    has("gpu2", "power.draw [W]", "300 301 302 303");
    has("gpu3", "power.draw [W]", "400 401 402 403");
    ck_assert_str_eq(recorder_find(&r, "gpu3", NULL)->channel.identity, "name and position");
}
END_TEST

/* One of each model: the name does. */
START_TEST(names_that_tell_all_apart)
{
    read_ok("timestamp, name, power.draw [W]\n"
            "2026/01/01 00:00:00.000, A100, 100 W\n2026/01/01 00:00:00.002, T4, 200 W\n"
            "2026/01/01 00:00:01.000, A100, 101 W\n2026/01/01 00:00:01.002, T4, 201 W\n"
            "2026/01/01 00:00:02.000, A100, 102 W\n2026/01/01 00:00:02.002, T4, 202 W\n");
    has("gpu1", "power.draw [W]", "200 201 202");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "name");
    has_note("shared-stamps", 0);
}
END_TEST

START_TEST(rows_of_one_model_that_share_their_stamps)
{
    csv_ok("timestamp,gpu_name,power_w\n1770796800,A100,100\n1770796800,A100,110\n1770796800,T4,20\n"
           "1770796800,T4,30\n1770796801,A100,101\n1770796801,A100,111\n1770796801,T4,21\n1770796801,T4,31\n");
    has_note("ask-devices", 1);
}
END_TEST

static void read_described(uint32_t devices, const char *text)
{
    ws_read_options options = WS_READ_DEFAULTS;
    options.described_devices = devices;
    recorder_free(&r);
    ck_assert_int_eq(
        recorder_read_input(&r, &ws_format_generic_csv, ws_input_from_memory("t.csv", text, strlen(text)), &options),
        WS_OK);
}

#define SECOND(s, a, b, c) "177079680" #s "," #a "\n177079680" #s "," #b "\n177079680" #s "," #c "\n"
#define THREE_EACH                                                                                   \
    "timestamp,power_w\n" SECOND(0, 100, 210, 317) SECOND(1, 104, 203, 311) SECOND(2, 101, 207, 305) \
        SECOND(3, 109, 202, 312)

/* A run that is described with three GPUs says whose the rows are, where as many stand at each time. */
START_TEST(described_devices_take_turns_where_they_fit)
{
    read_described(0, THREE_EACH);
    has_note("ask-devices", 1);
    read_described(3, THREE_EACH);
    has_note("ask-devices", 0);
    has("gpu0", "power_w", "100 104 101 109");
    has("gpu2", "power_w", "317 311 305 312");
    read_described(2, THREE_EACH);
    has_note("ask-devices", 1);
    read_described(6, THREE_EACH);
    has_note("ask-devices", 1);
    read_described(1, THREE_EACH);
    has_note("ask-devices", 1);
}
END_TEST

/* Rows that a name or a node tells apart in part are not those of the whole run. */
START_TEST(described_devices_are_not_those_of_a_name)
{
    read_described(4,
                   "timestamp,gpu_name,power_w\n1770796800,A100,100\n1770796800,A100,110\n1770796800,T4,20\n"
                   "1770796800,T4,30\n1770796801,A100,101\n1770796801,A100,111\n1770796801,T4,21\n1770796801,T4,31\n");
    has_note("ask-devices", 1);
}
END_TEST

/* A node each: nothing is shared. */
START_TEST(nodes_tell_rows_apart)
{
    csv_ok("timestamp,hostname,power_w\n1770796800,n0,100\n1770796800,n1,200\n1770796801,n0,101\n1770796801,n1,201\n");
    has_note("shared-stamps", 0);
    csv_ok("timestamp,hostname,power_w\n1770796800,n0,100\n1770796800,n1,200\n1770796800,n0,300\n1770796800,n1,400\n"
           "1770796801,n0,101\n1770796801,n1,201\n1770796801,n0,301\n1770796801,n1,401\n");
    has_note("ask-devices", 1);
}
END_TEST

/* A psys of 150 W holds the package of 100 W, and neither is a GPU. */
START_TEST(parts_of_a_machine)
{
    read_ok("timestamp,domain,power_w\n1700000000,package,100\n1700000000,dram,10\n1700000000,psys,150\n"
            "1700000001,package,101\n1700000001,dram,11\n1700000001,psys,151\n");
    has("cpu0", "power_w", "100 101");
    has("dram0", "power_w", "10 11");
    ck_assert_int_eq(recorder_find(&r, "psys", NULL)->channel.domain, WS_PSYS);
    read_ok("timestamp,socket,power_w\n1700000000,0,100\n1700000000,1,200\n1700000001,0,101\n1700000001,1,201\n");
    has("cpu1", "power_w", "200 201");
    ck_assert_int_eq(recorder_find(&r, "cpu1", NULL)->channel.domain, WS_CPU);
    has_note("assumed-device", 0);
    read_ok("timestamp,rank,power_w\n1700000000,0,100\n1700000000,1,200\n1700000001,0,101\n1700000001,1,201\n");
    has("gpu1", "power_w", "200 201");
    has_note("assumed-device", 1);
    fails("timestamp,socket,domain,power_w\n1700000000,0,left,100\n1700000000,0,right,10\n1700000000,1,left,200\n"
          "1700000000,1,right,20\n",
          NULL, WS_DATA, "differ by their 'domain', too");
    fails("timestamp,component,power_w\n1700000000,fans,100\n1700000000,pumps,10\n1700000001,fans,101\n"
          "1700000001,pumps,11\n",
          NULL, WS_DATA, "differ by their 'component'");
}
END_TEST

/* RAPL's zones, where neither the socket nor the name tells them apart alone. */
START_TEST(zones_of_sockets)
{
    static const char rows[] = "1700000000,0,package,100\n1700000000,0,dram,10\n1700000000,1,package,200\n"
                               "1700000000,1,dram,20\n1700000001,0,package,101\n1700000001,0,dram,11\n"
                               "1700000001,1,package,201\n1700000001,1,dram,21\n";
    char text[600];
    static const char *const heads[] = {"timestamp,socket,domain,power_w", "time,package_id,component,watts"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%s\n%s", heads[i], rows);
        read_format_ok(&ws_format_generic_csv, text);
        const char *column = i ? "watts" : "power_w";
        has("cpu0", column, "100 101");
        has("dram0", column, "10 11");
        has("cpu1", column, "200 201");
        has("dram1", column, "20 21");
        const recorded *c = recorder_find(&r, "dram1", NULL);
        ck_assert_int_eq(c->channel.domain, WS_DRAM);
        ck_assert_str_eq(c->channel.device_id, "1/dram");
        ck_assert_str_eq(c->channel.node, "");
        ck_assert_uint_eq(r.n, 4);
    }
    /* the name in front, a zone of the whole board, and the logger started again with another column */
    read_format_ok(&ws_format_generic_csv,
                   "timestamp,domain,socket,power_w\n1700000000,package,S0,100\n1700000000,package,S1,200\n"
                   "1700000000,psys,,400\n1700000001,package,S0,101\n1700000001,package,S1,201\n1700000001,psys,,401\n"
                   "timestamp,domain,socket,power_w,note\n1700000002,package,S1,202,x\n1700000002,package,S0,102,x\n");
    has("cpu0", "power_w", "100 101 102");
    has("cpu1", "power_w", "200 201 202");
    has("psys", "power_w", "400 401");
    ck_assert_uint_eq(r.n, 3);
}
END_TEST

START_TEST(a_power_that_goes_on_in_another_column)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00, 0, 10.00 W\n2026/01/01 00:00:00, 1, 20.00 W\n"
            "timestamp, index, power.draw.instant [W], power.draw.average [W]\n"
            "2026/01/01 00:00:01, 0, 99.00 W, 11.00 W\n2026/01/01 00:00:01, 1, 98.00 W, 21.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
    has("gpu1", "power.draw [W]", "20 21");
    has("gpu1", "power.draw.instant [W]", "98");
    ck_assert_ptr_null(recorder_find(&r, "gpu0", "power.draw.average [W]"));
    has_note("changed-column", 2);
}
END_TEST

START_TEST(a_header_with_another_unit)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00, 0, 100.0\n2026/01/01 00:00:01, 0, 101.0\n"
            "timestamp, index, power.draw [mW]\n2026/01/01 00:00:02, 0, 102000\n2026/01/01 00:00:03, 0, 103000\n");
    has("gpu0", "power.draw [W]", "100 101 102 103");
    has_note("changed-column", 1);
}
END_TEST

/* The column that stays is the one that covers all; a better one that comes later does not replace it. */
START_TEST(columns_that_come_and_go)
{
    read_ok("timestamp, index, power.draw [W], power.draw.instant [W]\n2026/01/01 00:00:00, 0, 10 W, 50 W\n"
            "timestamp, index, power.draw.instant [W]\n2026/01/01 00:00:01, 0, 51 W\n");
    has("gpu0", "power.draw [W]", "10 51");
    has("gpu0", "power.draw.instant [W]", "50 51");
    read_ok("timestamp, index, power.draw.instant [W]\n2026/01/01 00:00:00, 0, 50 W\n"
            "timestamp, index, power.draw [W], power.draw.instant [W]\n2026/01/01 00:00:01, 0, 10 W, 51 W\n");
    has("gpu0", "power.draw.instant [W]", "50 51");
    ck_assert_int_gt(recorder_find(&r, "gpu0", "power.draw [W]")->channel.preference,
                     recorder_find(&r, "gpu0", "power.draw.instant [W]")->channel.preference);
}
END_TEST

START_TEST(a_header_without_the_device)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00.000, 2, 10 W\n2026/01/01 00:00:00.002, 3, 20 W\n"
            "timestamp, power.draw [W]\n2026/01/01 00:00:01.000, 11 W\n2026/01/01 00:00:01.002, 21 W\n"
            "2026/01/01 00:00:02.000, 12 W\n2026/01/01 00:00:02.002, 22 W\n");
    has("gpu2", "power.draw [W]", "10 11 12");
    has("gpu3", "power.draw [W]", "20 21 22");
    has_note("assumed-device", 1);
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00.000, 2, 10 W\n"
            "timestamp, power.draw [W]\n2026/01/01 00:00:01.000, 11 W\n2026/01/01 00:00:02.000, 12 W\n");
    has("gpu2", "power.draw [W]", "10 11 12");
}
END_TEST

START_TEST(a_total_of_nothing_else_is_the_nodes)
{
    read_ok("timestamp,total_power_w\n0.5,250\n1.5,251\n");
    has("node", "total_power_w", "250 251");
    has_note("assumed-domain", 1);
    read_ok("timestamp_ms,power_tot_mw\n500,250000\n1500,251000\n");
    has("node", "power_tot_mw", "250 251");
    read_ok("timestamp,gpu0_power_w,gpu1_power_w,total_power_w\n0.5,250,240,490\n1.5,251,241,492\n");
    ck_assert_ptr_null(recorder_find(&r, "node", NULL));
}
END_TEST

/* A host's memory and load make up no GPU beside its energies; what speaks of a GPU, or names no owner, may have one.
 */
START_TEST(a_load_of_a_host_is_no_gpu)
{
    read_ok("Time,PACKAGE_ENERGY (J),TOTAL_MEMORY,USED_MEMORY,util\n0.5,100,34359738368,10188488704,20\n"
            "1.5,160,34359738368,10188488704,21\n");
    ck_assert_ptr_null(recorder_find(&r, "gpu0", NULL));
    static const char *const with_a_gpu[] = {"cpu_power_w,gpu_util", "power_w,util", "cpu_power_w,power.limit",
                                             "gpu_power_w,util"};
    for (size_t i = 0; i < sizeof with_a_gpu / sizeof *with_a_gpu; i++) {
        char text[120];
        snprintf(text, sizeof text, "timestamp,%s\n0.5,80.5,20\n1.5,81.5,21\n", with_a_gpu[i]);
        read_ok(text);
        ck_assert_msg(recorder_find(&r, "gpu0", NULL) != NULL, "%s", with_a_gpu[i]);
    }
}
END_TEST

START_TEST(powers_of_jtop_are_in_milliwatts)
{
    read_ok("time,CPU1,Power CPU,Power TOT\n0.5,10,1200,5400\n1.5,11,1300,5500\n");
    has("cpu0", "Power CPU", "1.2 1.3");
    has("node", "Power TOT", "5.4 5.5");
    ck_assert_ptr_null(recorder_find(&r, "cpu1", NULL)); /* a load */
}
END_TEST

START_TEST(powers_of_sockets_are_of_the_row)
{
    read_ok("timestamp,socket,cpu_power_w\n0.5,0,80\n0.5,1,90\n1.5,0,81\n1.5,1,91\n");
    has("cpu0", "cpu_power_w", "80 81");
    has("cpu1", "cpu_power_w", "90 91");
    read_ok("timestamp,socket,cpu_power_w,dram_power_w\n0.5,0,80,5\n0.5,1,90,5\n1.5,0,81,6\n1.5,1,91,6\n");
    has("cpu1", "cpu_power_w", "90 91");
    has("dram0", "dram_power_w", "5 6"); /* of the node, in the rows of the first socket */
}
END_TEST

START_TEST(a_uuid_is_no_zone_of_rapl)
{
    read_ok("timestamp,gpu,power_w\n0.5,GPU-5e717b42-0c1d-4000-8000-000000000001,250\n"
            "0.5,GPU-6e717b42-0c1d-4000-8000-000000000002,240\n1.5,GPU-5e717b42-0c1d-4000-8000-000000000001,251\n"
            "1.5,GPU-6e717b42-0c1d-4000-8000-000000000002,241\n");
    has("gpu0", "power_w", "250 251");
    has("gpu1", "power_w", "240 241");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power_w")->channel.domain, WS_GPU);
}
END_TEST

/* Of one GPU, in a machine with one: it would count twice. */
START_TEST(a_total_of_the_one_device_there_is)
{
    static const char *const heads[] = {"gpu0_power_w,gpu_total_power_w", "gpu0_power_w,gpu_power_total_w",
                                        "gpu0_power_w,total_gpu_power_w", "cpu0_power_w,cpu_total_power_w"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[200];
        sprintf(text, "timestamp,%s\n1,100,100\n2,120,120\n3,110,110\n", heads[i]);
        read_ok(text);
        has_note("total-column", 1);
        ck_assert_int_eq(r.channels[1].channel.domain, WS_OTHER);
    }
}
END_TEST

/* `below` of 20 rows in which "power" is less than two processors together; it is `rest` times them in the others. */
static const recorded *power_beside_processors(int below, double rest)
{
    char text[1200] = "timestamp,power,cpu0_power,cpu1_power\n";
    for (int row = 0; row < 20; row++)
        sprintf(text + strlen(text), "%d,%g,%d.5,%d.5\n", row, row < below ? 90.5 : rest * (111 + 2 * (row % 5)),
                60 + row % 5, 50 + row % 5);
    read_ok(text);
    return recorder_find(&r, NULL, "power");
}

START_TEST(a_power_of_nobody_beside_two_processors)
{
    ck_assert_int_eq(power_beside_processors(0, 1.0)->channel.domain, WS_OTHER); /* their sum */
    ck_assert_int_eq(power_beside_processors(0, 1.0)->channel.ask, WS_ASK_NOTHING);
    ck_assert_int_eq(power_beside_processors(1, 1.0)->channel.domain, WS_OTHER);
    ck_assert_int_eq(power_beside_processors(3, 1.0)->channel.domain, WS_GPU); /* no sum is less than its parts */
    has_note("assumed-domain", 1);
    ck_assert_int_eq(power_beside_processors(0, 3.0)->channel.ask, WS_ASK_DEVICES); /* a node or a GPU */
    has_note("ask-devices", 1);
    ck_assert_int_eq(recorder_find(&r, NULL, "power")->channel.domain, WS_GPU); /* no sum goes without it */
    const char *text = "timestamp,power,cpu0_power,cpu1_power\n1,300,60,50\n2,301,61,50\n3,302,60,51\n";
    ck_assert_int_eq(read_with(text, "power=#2,power=#3,power=#4", 0), WS_OK);
    has("gpu0", "power", "300 301 302");
    has("cpu1", "cpu1_power", "50 50 51");
}
END_TEST

/* A PDU's "Device Power", and what no word of the name tells: alone it is the node's, beside others nobody's. */
START_TEST(a_power_of_an_unknown_name)
{
    read_ok("timestamp,Device Power (kW),Device Energy (kWh)\n1,0.5,100\n2,0.6,100\n3,0.5,100\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "Device Power (kW)")->channel.domain, WS_NODE);
    has_note("assumed-domain", 1);
    read_ok("timestamp,Rack 7 (W),Rack 8 (W)\n1,100,200\n2,110,210\n");
    ck_assert_int_eq(r.channels[0].channel.domain, WS_OTHER);
    has_note("assumed-domain", 1); /* that no total adds them */
    read_ok("timestamp,fan_power_w,cpu_power_w\n1,10,20\n2,11,21\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "fan_power_w")->channel.domain, WS_OTHER);
    read_ok("timestamp,nic_w\n1,10\n2,11\n"); /* alone it is no more of a node */
    ck_assert_int_eq(r.channels[0].channel.domain, WS_OTHER);
    has_note("assumed-domain", 1);
    read_ok("timestamp,variorum_power_watts\n1,10\n2,11\n");
    ck_assert_int_eq(r.channels[0].channel.domain, WS_NODE);
}
END_TEST

/* nvidia-smi's own name, as experiment-impact-tracker and pyJoules put it in front. */
START_TEST(a_gpu_by_its_vendor)
{
    read_ok("timestamp,nvidia0_power_w,nvidia1_power_w,cpu_power_w\n1,100,200,50\n2,101,201,51\n");
    has("gpu0", "nvidia0_power_w", "100 101");
    has("gpu1", "nvidia1_power_w", "200 201");
    read_ok("timestamp,nvidia_gpu_0_power_w,nvidia_gpu_1_power_w\n1,100,200\n2,101,201\n");
    has("gpu1", "nvidia_gpu_1_power_w", "200 201");
    read_ok("timestamp,cuda:0 power [W],cuda:1 power [W]\n1,100,200\n2,101,201\n");
    has("gpu1", "cuda:1 power [W]", "200 201");
}
END_TEST

/* A load, memory in use or a temperature beside GPUs with numbers made up one more, without an energy. */
START_TEST(loads_beside_numbered_gpus)
{
    read_ok("time,gpu0_power_w,gpu_util,temp\n0,100.5,97,60\n1,101,96,61\n");
    ck_assert_uint_eq(r.n, 2);
    has("gpu0", "gpu0_power_w", "100.5 101");
    has("gpu0", "gpu_util", "0.97 0.96");
    read_ok("time,gpu0_power_w,gpu1_power_w,gpu_util,memory_used\n0,100.5,97,60,3000\n1,101,96,61,3000\n");
    ck_assert_uint_eq(r.n, 2);
    has("gpu1", "gpu1_power_w", "97 96");
    read_ok("Time,PACKAGE_ENERGY (J),GPU0_POWER (mWatts),TOTAL_MEMORY,USED_MEMORY\n"
            "1770796800000,10.5,100000,67000000000,12000000000\n1770796801000,70.5,101000,67000000000,12000000001\n");
    ck_assert_uint_eq(r.n, 2);
    has("gpu0", "GPU0_POWER (mWatts)", "100 101");
    read_ok("time,power_w,gpu_util\n0,100.5,97\n1,101,96\n");
    has("gpu0", "gpu_util", "0.97 0.96");
    read_ok("time,gpu0_power_w,gpu1_power_w,power_limit_w,clocks_sm\n0,100.5,97,400,1410\n1,101,96,400,1410\n");
    ck_assert_uint_eq(r.n, 2);
    read_ok("time,gpu0_power_w,power_limit_w,clocks_sm\n0,100.5,400,1410\n1,101,400,1410\n");
    ck_assert_uint_eq(r.n, 3);
    has("gpu0", "power_limit_w", "400 400");
}
END_TEST

/* GPU-Z and HWiNFO log a card and its parts. */
START_TEST(parts_of_a_card)
{
    read_ok("Date,Board Power Draw [W],GPU Chip Power Draw [W],MVDDC Power Draw [W]\n"
            "2026-01-01 00:00:00,201.5,140.2,30.5\n2026-01-01 00:00:01,202.5,141.2,31.5\n");
    has("gpu0", "Board Power Draw [W]", "201.5 202.5");
    has("GPU Chip Power Draw [W]", "GPU Chip Power Draw [W]", "140.2 141.2");
    read_ok("Date,GPU Chip Power Draw [W]\n2026-01-01 00:00:00,140.2\n2026-01-01 00:00:01,141.2\n");
    has("gpu0", "GPU Chip Power Draw [W]", "140.2 141.2");
    read_ok("Date,GPU Power [W],GPU PCIe +12V Input Power [W],GPU FBVDD Input Power [W]\n"
            "2026-01-01 00:00:00,201.5,40.2,30.5\n2026-01-01 00:00:01,202.5,41.2,31.5\n");
    has("gpu0", "GPU Power [W]", "201.5 202.5");
    has("GPU PCIe +12V Input Power", "GPU PCIe +12V Input Power [W]", "40.2 41.2");
    has_note("same-device", 0);
}
END_TEST

/* 10 polls of two GPUs and of a third row that is their sum but for `off`; they change by 1 W and `change`. */
static void read_sum_row(const char *name, double change, double off, int polls)
{
    char text[2000];
    size_t n = (size_t)sprintf(text, "time,device,power_w\n");
    for (int i = 0; i < polls; i++) {
        double a = 200 + change * (i * 7 % 5), b = 230 + change * (i * 3 % 4);
        n += (size_t)sprintf(text + n, "%d,gpu0,%.2f\n%d,gpu1,%.2f\n%d,%s,%.2f\n", i, a, i, b, i, name, a + b + off);
    }
    ck_assert_int_eq(read_format(&ws_format_generic_csv, text, NULL, 0), WS_OK);
}

/* Whatever it is called, it holds the others: proven by its readings. */
START_TEST(rows_that_are_the_sum_of_the_others)
{
    read_sum_row("rig", 10, 0, 10);
    has_note("total-row", 1);
    read_sum_row("-1", 10, 0.5, 10);
    has_note("total-row", 1);
    read_sum_row("rig", 10, 0, 8);
    has_note("total-row", 0); /* the last poll may be cut */
    read_sum_row("rig", 10, 3, 10);
    has_note("total-row", 0);
    read_sum_row("rig", 1, 0, 10); /* by chance */
    has_note("total-row", 0);
    read_sum_row("gpu2", 10, 0, 10); /* a card that may draw as much */
    has_note("total-row", 0);
}
END_TEST

/* The kernel's pages on hwmon and power supplies: in uW. What a script divided is asked for. */
START_TEST(powers_of_the_kernel)
{
    read_ok("timestamp,power1_average\n0,98500000\n1,99500000\n");
    has("gpu0", "power1_average", "98.5 99.5");
    has_note("ask-unit", 0);
    read_ok("timestamp,amdgpu_power1_input\n0,98500000\n1,99500000\n");
    has("gpu0", "amdgpu_power1_input", "98.5 99.5");
    has_note("assumed-domain", 0);
    read_ok("timestamp,card0_power1_average,card1_power1_average\n0,98500000,88500000\n1,99500000,89500000\n");
    has("gpu1", "card1_power1_average", "88.5 89.5");
    read_ok("timestamp,BAT0_power_now\n0,8500000\n1,9500000\n");
    has("node", "BAT0_power_now", "8.5 9.5");
    read_ok("timestamp,power1_average\n0,98.5\n1,99.5\n");
    has_note("ask-unit", 1);
    read_ok("timestamp,power1_average_w\n0,98.5\n1,99.5\n");
    has_note("ask-unit", 0);
}
END_TEST

/* jtop's dictionary of powers. */
START_TEST(a_total_of_rails_is_the_boards)
{
    read_ok("time,VDD_GPU_SOC_power_mW,VDD_CPU_CV_power_mW,tot_power_mW\n0,1800,1200,4800\n1,1810,1210,4750\n");
    has("gpu0", "VDD_GPU_SOC_power_mW", "1.8 1.81");
    has("node", "tot_power_mW", "4.8 4.75");
    has_note("total-column", 0);
}
END_TEST

/* Below identifiers of LibreHardwareMonitor, of which one is a load of a GPU, stand the names. */
START_TEST(identifiers_are_no_header)
{
    fails(",/amdcpu/0/power/0,/gpu-nvidia/0/power/0,/gpu-nvidia/0/load/0\nTime,Package,GPU Package,GPU Core\n"
          "02/11/2026 08:00:00,61.5,251.2,97\n02/11/2026 08:00:01,62.5,252.2,97\n",
          NULL, WS_DATA, "time=#1,power=#2,power=#3");
}
END_TEST

/* Three phases, the elements of a power meter: no total adds them, which was said nowhere. */
START_TEST(powers_of_nobody_are_told)
{
    read_ok("time,L1_W,L2_W,L3_W\n0,100.5,200.5,300.5\n1,101.5,201.5,301.5\n");
    has_note("assumed-domain", 1);
    has("L1", "L1_W", "100.5 101.5");
    ck_assert_int_eq(
        read_with("time,L1_W,L2_W,L3_W\n0,100.5,200.5,300.5\n1,101.5,201.5,301.5\n", "time=#1,power=#2,domain=wall", 0),
        WS_OK);
    has_note("assumed-domain", 0);
    read_ok("time,gpu_power_w,L2_W,L3_W\n0,100.5,200.5,300.5\n1,101.5,201.5,301.5\n");
    has_note("assumed-domain", 0);
}
END_TEST

/* iDRAC's telemetry. */
START_TEST(words_that_begin_behind_capitals)
{
    read_ok("Timestamp,SystemPowerConsumption,CPUPower,DIMMPower\n2026-02-11T08:00:00Z,342,61,9\n"
            "2026-02-11T08:00:01Z,343,62,10\n");
    has("node", "SystemPowerConsumption", "342 343");
    has("cpu0", "CPUPower", "61 62");
    has("dram0", "DIMMPower", "9 10");
    has_note("ask-unit", 0);
}
END_TEST

TEST_MAIN("trace devices", words_that_begin_behind_capitals, powers_of_nobody_are_told, a_total_of_rails_is_the_boards,
          identifiers_are_no_header, loads_beside_numbered_gpus, parts_of_a_card, powers_of_the_kernel,
          rows_that_are_the_sum_of_the_others, a_total_of_the_one_device_there_is,
          a_power_of_nobody_beside_two_processors, a_gpu_by_its_vendor, a_power_of_an_unknown_name,
          powers_of_sockets_are_of_the_row, powers_of_jtop_are_in_milliwatts, a_total_of_nothing_else_is_the_nodes,
          a_load_of_a_host_is_no_gpu, a_uuid_is_no_zone_of_rapl, described_devices_take_turns_where_they_fit,
          described_devices_are_not_those_of_a_name, numbers_behind_the_quantity,
          numbers_without_a_device_are_gpus_if_the_user_says_power,
          names_of_one_device_that_differ_in_a_number_are_asked_for,
          powers_of_the_moment_of_meters_and_in_other_languages, wide_columns_of_devices_of_several_nodes,
          named_columns_without_a_device_are_asked_for, devices_without_a_quantity, readings_are_no_hosts,
          loads_are_no_device_numbers, shares_are_no_devices_and_no_power,
          loads_lie_between_the_gpus_of_a_node_and_a_hundred_percent, readings_are_no_device_numbers,
          words_before_the_stamp_are_nodes, letters_for_numbers, names_that_tell_nothing_apart_are_told,
          words_of_a_device_column, rows_of_a_total, a_total_without_parts_is_a_device, power_of_a_module,
          a_column_of_the_node_in_a_long_table, totals_beside_their_parts, names_of_several_models,
          names_that_tell_all_apart, rows_of_one_model_that_share_their_stamps, nodes_tell_rows_apart,
          parts_of_a_machine, zones_of_sockets, a_power_that_goes_on_in_another_column, a_header_with_another_unit,
          columns_that_come_and_go, a_header_without_the_device)
