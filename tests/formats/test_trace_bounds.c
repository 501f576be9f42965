/* Where the guesses about a table of a trace begin and end: each bound from both sides, with rows known by hand. */
#include "formats/table/dictionary.h"

#include "trace_case.h"

START_TEST(powers_of_gpus_lie_between_a_tenth_of_a_watt_and_two_kilowatts)
{
    read_ok("timestamp,gpu_power_w\n1,1999\n2,2500\n");
    has("gpu0", "gpu_power_w", "1999 2500"); /* not throughout */
    read_ok("timestamp,gpu_power_w\n1,2001\n2,2500\n");
    has("gpu0", "gpu_power_w", "2.001 2.5"); /* mW */
    read_ok("timestamp,gpu_power_w\n1,1990000\n2,1995000\n");
    has("gpu0", "gpu_power_w", "1990 1995"); /* mW */
    read_ok("timestamp,gpu_power_w\n1,2001000\n2,2500000\n");
    has("gpu0", "gpu_power_w", "2.001 2.5");         /* uW */
    read_ok("timestamp,gpu_power_mw\n1,99\n2,60\n"); /* W, or the GPU of an idle M1 */
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_UNIT);
    read_ok("timestamp,gpu_power_mw\n1,101\n2,60\n");
    has("gpu0", "gpu_power_mw", "0.101 0.06");
}
END_TEST

static void rows_are(const char *text, const char *map, bool asked)
{
    ws_status status = read_format(&ws_format_generic_csv, text, map, 0);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
    for (size_t i = 0; i < r.n; i++)
        if (ws_is_metered(r.channels[i].channel.quantity))
            ck_assert_msg((r.channels[i].channel.ask == WS_ASK_ROWS) == asked, "%s", text);
    ck_assert((ws_notes_find(&r.notes, WS_FINDING_ASK_ROWS) != NULL) == asked);
}

/* A size, a cap or a frequency once or in blocks, beside what may be the length of a run. */
START_TEST(rows_of_a_sweep_are_asked_for)
{
    static const struct {
        const char *text;
        bool asked;
    } cases[] = {
        {"freq_mhz,time_s,power_w\n1410,10,300\n1200,12,250\n1000,14,200\n800,16,170\n", true},
        {"freq_mhz,time_s,power_w\n1410,0,300\n1200,2,250\n1000,4,200\n800,6,170\n", false},     /* no run takes 0 s */
        {"freq_mhz,time_s,power_w\n1410,.09,300\n1200,2.09,250\n1000,4.09,200\n", false},        /* from a start */
        {"freq_mhz,time_s,power_w\n1410,.11,300\n1200,2.11,250\n1000,4.11,200\n", true},         /* 0.055 steps */
        {"freq_mhz,time_s,power_w\n1410,10,300\n1200,12,250\n1410,14,200\n800,16,170\n", false}, /* comes back */
        {"time_s,freq_mhz,power_w\n10,1410,300\n12,1200,250\n14,1000,200\n16,800,170\n", false}, /* a log's order */
        {"freq_mhz,timestamp,power_w\n1410,10,300\n1200,12,250\n1000,14,200\n800,16,170\n", false},
        {"size,time_s,energy_j\n1000,1,200\n2000,9,1500\n4000,66,12000\n", true},
        {"layers,time_s,energy_j\n12,3.1,600\n24,6.3,1250\n48,12.5,2600\n", true},
        {"size,time_s,energy_j\n1000,1,200\n1000,2,200\n1000,3,200\n", false}, /* nothing is set */
        {"heap_size,time_s,power_w\n1000,10,200\n2000,12,210\n4000,14,220\n", false},
        {"batch,time_s,power_w\n8,10,200\n8,12,210\n8,14,220\n16,16,230\n16,18,250\n16,20,260\n", true},
        {"batch,time_s,power_w\n0,10,200\n1,12,210\n2,14,220\n3,16,230\n", false}, /* counted */
        {"batch,time_s,power_w\n8,10,200\n16,12,210\n24,14,220\n", false},
        {"batch,time_s,power_w\n8,10,200\n16,12,210\n32,14,220\n", true},
        {"time_s,power_cap_w,power_w\n10,400,390\n12,350,340\n14,300,295\n", true},
        /* times that rise at one cap: seven of seven are no runs */
        {"power_cap_w,time_s,power_w\n400,10,390\n400,12,390\n400,14,390\n400,16,390\n350,18,340\n350,20,340\n"
         "350,22,340\n",
         true},
        {"power_cap_w,time_s,power_w\n400,10,390\n400,12,390\n400,14,390\n400,16,390\n400,18,390\n350,20,340\n"
         "350,22,340\n350,24,340\n350,26,340\n",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        rows_are(cases[i].text, NULL, cases[i].asked);
    rows_are(cases[0].text, "time=time_s,power=power_w", false);
    rows_are(cases[0].text, "domain=node", true);
}
END_TEST

static void input_is(const char *text, const char *input_w)
{
    read_ok(text);
    for (size_t i = 0; i < r.n; i++)
        ck_assert_int_eq(r.channels[i].channel.ask, WS_ASK_NOTHING);
    has("node", "VDD_IN", input_w);
}

static void rails_are(bool asked, const char *text)
{
    read_ok(text);
    for (size_t i = 0; i < r.n; i++) {
        ws_question ask = r.channels[i].channel.ask;
        ck_assert_msg((ask == WS_ASK_UNIT) == asked, "%s", text);
    }
}

/* What feeds a board takes 1 W or more and at most 130 W. The largest rail decides for all. */
START_TEST(rails_of_boards_are_in_milliwatts_above_500_and_in_watts_up_to_250)
{
    input_is("time,VDD_IN,VDD_SOC\n1,501,90\n2,502,100\n", "0.501 0.502");
    has("VDD_SOC", "VDD_SOC", "0.09 0.1");
    rails_are(true, "time,VDD_IN,VDD_SOC\n1,499,90\n2,498,100\n");
    rails_are(true, "time,VDD_IN,VDD_SOC\n1,251,90\n2,200,100\n");
    input_is("time,VDD_IN,VDD_SOC\n1,249,90\n2,200,100\n", "249 200");
    rails_are(false, "time,VDD_IN_mW,VDD_SOC_mW\n1,400,90\n2,400,100\n");
    rails_are(false, "time,Power VDD_IN,POM_5V_GPU\n1,5400,1200\n2,5500,1300\n");
    has("node", "Power VDD_IN", "5.4 5.5");
    has("gpu0", "POM_5V_GPU", "1.2 1.3");
}
END_TEST

static void stamps_stand_above(bool are_stamps, const char *text)
{
    read_ok(text);
    const recorded *c = r.n ? &r.channels[0] : NULL;
    ck_assert_msg(c && (c->n == 2 && c->t_ns[1] - c->t_ns[0] == 10 * S) == are_stamps, "%s", text);
}

/* In one column a stamp is a number beside readings that are far smaller: it begins, comes again and never falls. */
START_TEST(seconds_above_the_rows_of_one_column_are_stamps)
{
    stamps_stand_above(true, "1763768491\n71.57 W\n1763768501\n74.43 W\n");
    stamps_stand_above(true, "1763768491\n71.57\n1763768501\n74.43\n");
    stamps_stand_above(true, "1763768491.123456789\n71.57 W\n1763768501.123456789\n74.43 W\n");
    stamps_stand_above(true, "power.draw [W]\n1763768491\n71.57 W\n1763768501\n74.43 W\n");
    stamps_stand_above(true, "10:00:00\n71.57 W\n10:00:10\n74.43 W\n");
    stamps_stand_above(true, "power_mw\n1763768491\n10000000\n1763768501\n71000\n");  /* 10 kW in mW */
    stamps_stand_above(false, "power_mw\n1763768491\n10000001\n1763768501\n71000\n"); /* a counter? */
    stamps_stand_above(false, "71.57 W\n1763768491\n74.43 W\n1763768501\n");
    stamps_stand_above(false, "1763768501\n71.57 W\n1763768491\n74.43 W\n");
    stamps_stand_above(false, "power_mw\n946684799\n71000\n946684809\n72000\n"); /* before 2000 */
    stamps_stand_above(true, "power_mw\n946684800\n71000\n946684810\n72000\n");
    stamps_stand_above(false, "energy_mj\n1763768491\n1763768501\n500\n1500\n"); /* a counter that was reset */
    stamps_stand_above(false, "energy_mj\n1763768491\n0\n1763768501\n0\n");      /* ... that could not be read */
}
END_TEST

/* Servers draw up to 20 kW, and boards as many watts. */
START_TEST(a_node_of_up_to_20_is_in_watts_or_kilowatts)
{
    rails_are(true, "time,node_power\n1,19.9\n2,20\n");
    rails_are(true, "time,wall_power\n1,1.25\n2,1.5\n");
    rails_are(false, "time,node_power\n1,1.25\n2,20.1\n");
    rails_are(false, "time,node_power_w\n1,1.25\n2,1.5\n");
    rails_are(false, "time,node_power\n1,1.25 W\n2,1.5 W\n");
    rails_are(false, "time,node_power\n1,0\n2,0\n");
    rails_are(false, "Time,Volt,Amp,Watt\n1,5.1,0.98,5\n2,5.1,0.98,5\n");
}
END_TEST

/* What names no unit: 1 W of a board in mW, 2 kW of a card or processor, 20 kW of a node. */
START_TEST(powers_without_a_unit_are_in_watts_or_milliwatts)
{
    rails_are(false, "time,node_power\n1,999\n2,999\n");
    rails_are(true, "time,node_power\n1,1000\n2,1000\n");
    rails_are(true, "time,plug_power\n1,84210\n2,84320\n");
    rails_are(false, "time,power\n1,999.5\n2,999.5\n");
    rails_are(true, "time,power\n1,3150.5\n2,3150.5\n");
    rails_are(false, "time,power_w\n1,3150.5\n2,3150.5\n");
    rails_are(false, "time,power\n1,3150 W\n2,3150 W\n");
    rails_are(true, "time,gpu_power\n1,320\n2,321\n");
    rails_are(false, "time,gpu_power\n1,320.5\n2,321\n");
    rails_are(false, "time,power.draw\n1,320\n2,321\n");
    rails_are(false, "time,gpu_power,gpu_memory_used\n1,320,5000\n2,321,5000\n");
    rails_are(false, "time,gpu_power,power_limit\n1,320,350\n2,321,350\n");
    read_ok("time,gpu_power,mem_used\n1,320,5000\n2,321,5000\n"); /* may be a board's */
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power")->channel.ask, WS_ASK_UNIT);
    rails_are(false, "time,gpu0_power,gpu1_power\n1,320,330\n2,321,329\n");
    rails_are(true, "time,cpu_power\n1,120\n2,121\n");
    rails_are(false, "time,cpu0_power\n1,120\n2,121\n");
    rails_are(false, "time,power,cpu_power,memory_power\n1,1200,200,100\n2,1201,201,99\n"); /* Cray's pm_counters */
    rails_are(false, "time,cpu_power\n1,120.5\n2,121\n");
    read_ok("time,cpu_power\n1,2001\n2,2003\n");
    has("cpu0", "cpu_power", "2.001 2.003");
    rails_are(true, "time,cpu_power\n1,2000\n2,2000\n");
    rails_are(true, "time,cpu_power\n1,999\n2,2003\n3,2004\n"); /* 0.999 W, or 2 kW */
    read_ok("time,cpu_power\n1,1000\n2,2003\n3,2004\n");
    has("cpu0", "cpu_power", "1 2.003 2.004");
    read_ok("time,cpu_power\n1,65000001\n2,65000000\n");
    has("cpu0", "cpu_power", "65.000001 65");
}
END_TEST

/* A USB meter, or an INA219 whose library gives mA and mW. */
START_TEST(volts_times_amperes_prove_the_unit_of_a_power)
{
    rails_are(false, "time,voltage,current,power\n1,5,0.6,3\n2,5,0.6,3\n");
    rails_are(false, "time,voltage,current,power\n1,5,0.6,3.7\n2,5,0.6,3.7\n");
    rails_are(true, "time,voltage,current,power\n1,5,0.6,3.8\n2,5,0.6,3.8\n"); /* kW? */
    rails_are(false, "time,voltage,current,power\n1,5,0.6,2.5\n2,5,0.6,2.5\n");
    rails_are(true, "time,voltage,current,power\n1,5,0.6,2.4\n2,5,0.6,2.4\n");
    rails_are(false, "time,voltage,current,power\n1,5,10,50\n2,5,10,50\n");
    rails_are(true, "time,voltage,current,power\n1,5,10.1,50.5\n2,5,10.1,50.5\n");
    rails_are(true, "time,voltage,current,power\n1,59.9,60,3594\n2,59.9,60,3594\n");
    rails_are(true, "time,voltage,current,power\n1,59.9,11,659\n2,59.9,11,659\n");
    rails_are(false, "time,voltage,current,power\n1,60,11,660\n2,60,11,660\n");
}
END_TEST

/* Nobody's power under mW: W below 10, a question up to 100. A GPU's is asked for. */
START_TEST(tens_of_milliwatts_may_be_a_microcontrollers)
{
    read_ok("time,Power (mW)\n1,9.99\n2,9.5\n");
    has("gpu0", "Power (mW)", "9.99 9.5");
    rails_are(true, "time,Power (mW)\n1,10\n2,9.5\n");
    rails_are(true, "time,Power (mW)\n1,99.9\n2,9.5\n");
    rails_are(false, "time,Power (mW)\n1,100\n2,9.5\n");
    rails_are(true, "time,gpu_power_mW\n1,60\n2,61\n");
    rails_are(true, "time,gpu_power_mW\n1,6\n2,6.1\n");
}
END_TEST

/* "sec,mw" of a public log: the name of the column is its unit, which its tens leave open as any stated mW. */
START_TEST(the_unit_of_a_power_may_be_its_name)
{
    ck_assert_int_eq(read_with("sec,mw\n1,250000\n2,251000\n", "time=sec,power=mw", 0), WS_OK);
    has("gpu0", "mw", "250 251");
    ck_assert_int_eq(read_with("sec,mw\n1,14.0\n2,29.0\n3,57.0\n", "time=sec,power=mw", 0), WS_OK);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_UNIT);
    ck_assert_int_eq(read_with("sec,mw\n1,14.0\n2,29.0\n3,57.0\n", "time=sec,power=mw,unit=mW", 0), WS_OK);
    has("gpu0", "mw", "0.014 0.029 0.057");
    ck_assert_int_eq(read_with("sec,kW\n1,0.25\n2,0.31\n", "time=sec,power=kW", 0), WS_OK);
    has("gpu0", "kW", "250 310");
    ck_assert_int_eq(read_with("sec,w\n1,250\n2,251\n", "time=sec,power=w", 0), WS_OK);
    has("gpu0", "w", "250 251");
}
END_TEST

static void gpu_is_asked(const char *text)
{
    read_ok(text);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.ask, WS_ASK_UNIT);
}

/* What powermetrics says of an M1 whose GPU idles, as public scripts write it into a table. */
START_TEST(a_power_beside_others_of_its_unit_keeps_it)
{
    read_ok("timestamp,elapsed_ms,cpu_power_mw,gpu_power_mw,ane_power_mw,combined_power_mw\n"
            "Sat Nov  8 14:30:01 2025 -0700,1012.83,9553,14,0,9567\n"
            "Sat Nov  8 14:30:02 2025 -0700,1015.22,12420,25,5,12450\n");
    has("gpu0", "gpu_power_mw", "0.014 0.025");
    has("cpu0", "cpu_power_mw", "9.553 12.42");
    rails_are(false, "time,cpu_power_mw,gpu_power_mw\n1,100,14\n2,90,25\n");
    has("gpu0", "gpu_power_mw", "0.014 0.025");
    gpu_is_asked("time,cpu_power_mw,gpu_power_mw\n1,99,13\n2,90,25\n");
    gpu_is_asked("time,cpu_power_w,gpu_power_mw\n1,101,13\n2,90,25\n");
    rails_are(false, "time,cpu_power_w,gpu_power_w\n1,2.1,0.013\n2,1.9,0.045\n");
    gpu_is_asked("time,cpu_power_w,gpu_power_w\n1,1.9,0.013\n2,1.9,0.045\n"); /* kW? */
}
END_TEST

static bool is_proven(const char *text)
{
    read_ok(text);
    return recorder_find(&r, "node", NULL)->channel.unit_is_given;
}

/* ... and one that its name states: nobody asks whether 0.6 W may be kW. */
START_TEST(volts_times_amperes_prove_a_unit_that_is_stated)
{
    ck_assert(is_proven("time,voltage_V,current_mA,power_mW\n1,5,120,600\n2,5,121,605\n"));
    ck_assert(is_proven("time,bus_voltage,current,power_mW\n1,5,120,749\n2,5,120,749\n"));
    ck_assert(!is_proven("time,bus_voltage,current,power_mW\n1,5,120,751\n2,5,120,751\n"));
    ck_assert(!is_proven("time,voltage,current_A,power_mW\n1,5,0.120,600\n2,5,0.121,605\n"));
    ck_assert(!is_proven("time,voltage,current,power_kW\n1,230,2.5,0.575\n2,230,2.5,0.575\n"));
    ck_assert(is_proven("time,voltage,current,power\n1,5,0.6,3\n2,5,0.6,3\n"));
}
END_TEST

START_TEST(a_power_in_a_known_unit_speaks_for_those_beside_it)
{
    rails_are(false, "time,node_power,gpu0_power\n1,5200,320.5\n2,5201,321\n");
    rails_are(false, "time,node_power,cpu_power_w\n1,5200,120\n2,5201,121\n");
    read_ok("time,node_power,gpu0_power\n1,5200,2100\n2,5201,2200\n");
    ck_assert_int_eq(recorder_find(&r, "node", NULL)->channel.ask, WS_ASK_UNIT);
    read_ok("time,gpu0_power,cpu_power,total_power\n1,210000,99,300\n2,211000,99,300\n");
    has("gpu0", "gpu0_power", "210 211");
    has("cpu0", "cpu_power", "99 99"); /* no processor draws less than 0.1 W */
    has_note("doubtful-unit", 2);
    read_ok("time,gpu0_power,cpu_power,total_power\n1,210000,100,300\n2,211000,100,300\n");
    ck_assert_int_eq(recorder_find(&r, "cpu0", NULL)->channel.ask, WS_ASK_UNIT);
    ck_assert_int_eq(recorder_find(&r, "total_power", NULL)->channel.ask, WS_ASK_UNIT);
    read_ok("time,gpu0_power,cpu_power,total_power\n1,210000,99.5,2000\n2,211000,99,2000\n");
    has("total_power", "total_power", "2000 2000");
    read_ok("time,gpu0_power,cpu_power,total_power\n1,210000,99.5,310000\n2,211000,99,310000\n");
    has("total_power", "total_power", "310 310");
    read_ok("time,VDD_IN,VDD_SOC,total_power\n1,501,90,591\n2,502,100,602\n");
    has("total_power", "total_power", "0.591 0.602");
    rails_are(true, "time,VDD_IN,VDD_SOC,total_power\n1,499,90,591\n2,498,100,598\n");
    read_ok("time,power\n1,999999\n2,999999\n");
    ck_assert_ptr_null(strstr(ws_notes_find(&r.notes, WS_FINDING_ASK_UNIT)->text, "uW"));
    read_ok("time,power\n1,1000000\n2,1000000\n");
    ck_assert_ptr_nonnull(strstr(ws_notes_find(&r.notes, WS_FINDING_ASK_UNIT)->text, "unit=uW"));
}
END_TEST

/* One of three readings that is far off is a failed one. */
START_TEST(half_of_the_readings_of_a_rail_decide)
{
    rails_are(true, "time,VDD_IN\n1,7.5\n2,65535\n3,7.25\n");
    input_is("time,VDD_IN\n1,0\n2,5000\n3,0\n4,300\n", "0 5 0 0.3");
}
END_TEST

/* A rail inside of the board may idle, in whole milliwatts. */
START_TEST(rails_without_the_input_are_in_watts_where_no_sensor_shows_so_little)
{
    rails_are(false, "time,VDD_GPU_SOC\n1,19\n2,19\n3,30\n");
    rails_are(true, "time,VDD_GPU_SOC\n1,21\n2,21\n3,10\n");
    rails_are(true, "time,VDD_GPU_SOC\n1,21.5\n2,21\n3,10\n");
    rails_are(true, "time,VDD_GPU_SOC,VDD_CPU_CV\n1,30,21\n2,31,22\n");
    rails_are(false, "time,VDD_GPU_SOC,VDD_CPU_CV\n1,30,21.5\n2,31,22\n");
}
END_TEST

START_TEST(volts_and_amperes_of_a_rail_are_no_power)
{
    read_ok("time,VDD_IN_voltage,VDD_IN_current,VDD_IN_power\n1,5000,1000,5000\n2,5000,1100,5500\n");
    ck_assert_uint_eq(r.n, 1);
    has("node", "VDD_IN_power", "5 5.5");
}
END_TEST

/* Rows 10 s apart: what the column says is off by no more than a half. */
START_TEST(an_interval_is_off_its_stamps_by_no_more_than_a_half)
{
    static const struct {
        const char *interval_s;
        bool fits;
    } cases[] = {{"14.9", true}, {"15.1", false}, {"6.7", true}, {"6.6", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        const char *s = cases[i].interval_s;
        sprintf(text, "timestamp,interval,power_w\n10,%s,100\n20,%s,110\n30,%s,120\n", s, s, s);
        read_ok(text);
        has_note("interval-misfit", !cases[i].fits);
        ck_assert_int_eq(r.channels[0].has_interval, cases[i].fits);
    }
}
END_TEST

START_TEST(four_numbers_in_a_cell_are_a_series)
{
    read_ok("timestamp,name,power_w\n1,\"49,57,55\",100\n2,\"49,57,55\",110\n");
    ck_assert_int_eq(read_with("timestamp,name,power_w\n1,\"49,57,55,10\",100\n2,\"49,57,55,10\",110\n", NULL, 0),
                     WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "a whole series in one cell"));
}
END_TEST

/* 36526 and 73050 are the first days of 2000 and 2100 in a spreadsheet; a second is 1 / 86400 of a day. Read as
 * seconds, rows would come more often than a thousand times a second. */
START_TEST(day_numbers_of_a_spreadsheet)
{
    static const struct {
        const char *rows;
        bool are_days;
    } cases[] = {{"36526.00000,100\n36526.00001,110\n", true},
                 {"36525.99998,100\n36525.99999,110\n", false},
                 {"73049.99998,100\n73050.00000,110\n", true},
                 {"73050.00001,100\n73050.00002,110\n", false},
                 {"46000.0000,100\n46000.0005,110\n46000.0010,120\n46000.0019,130\n", true},
                 {"46000.0000,100\n46000.0005,110\n46000.0010,120\n46000.0045,130\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        sprintf(text, "time,power_w\n%s", cases[i].rows);
        ck_assert_msg((read_with(text, NULL, 0) != WS_OK) == cases[i].are_days, "%s", cases[i].rows);
    }
}
END_TEST

/* 10^8 s are three years; what is more counts from the epoch. 2e9 ms are 23 days. */
START_TEST(elapsed_times_are_shorter_than_three_years)
{
    read_ok("elapsed_ms,gpu_power_w\n2000000000,100\n2000001000,110\n");
    const recorded *power = recorder_find(&r, "gpu0", "gpu_power_w");
    ck_assert_int_eq(power->t_ns[1] - power->t_ns[0], INT64_C(1000000000));
    read_ok("elapsed_ms,gpu_power_w\n99999998000,100\n99999999000,110\n");
    power = recorder_find(&r, "gpu0", "gpu_power_w");
    ck_assert_int_eq(power->t_ns[1] - power->t_ns[0], INT64_C(1000000000));
}
END_TEST

/* A "device" that is new in every row: three rows that go on by more than a second count rows, others are devices. */
START_TEST(what_counts_rows)
{
    read_ok("timestamp,index,power_w\n1.0,0,100\n1.5,1,110\n2.2,2,120\n");
    has_note("row-counter", 1);
    read_ok("timestamp,index,power_w\n1.0,0,100\n1.5,1,110\n1.9,2,120\n");
    has_note("row-counter", 0);
    read_ok("timestamp,index,power_w\n1.0,0,100\n9.0,1,110\n");
    has_note("row-counter", 0);
}
END_TEST

START_TEST(up_to_three_words_before_a_stamp)
{
    read_ok("Jan 01 00:00:00 2026/01/01 00:00:00, 0, 10.00 W\nJan 01 00:00:01 2026/01/01 00:00:01, 0, 10.00 W\n");
    has_note("prefixed-stamp", 1);
    read_ok("Thu Jan 01 00:00:00 2026/01/01 00:00:00, 0, 10.00 W\n"
            "Thu Jan 01 00:00:01 2026/01/01 00:00:01, 0, 10.00 W\n");
    has_note("prefixed-stamp", 0);
}
END_TEST

START_TEST(a_share_is_one_at_most)
{
    read_ok("timestamp,power_w,gpu_util\n1,100,0.5\n2,110,1\n");
    has("gpu0", "gpu_util", "0.5 1");
    read_ok("timestamp,power_w,gpu_util\n1,100,0.5\n2,110,1.01\n");
    has("gpu0", "gpu_util", "0.005 0.0101");
}
END_TEST

/* Clock times that fall by more than half a day have passed midnight; by less, the clock was set back. */
START_TEST(midnight_is_passed_by_more_than_half_a_day)
{
    read_ok("time,power_w\n13:00:00,100\n00:59:59,110\n");
    ck_assert_int_eq(r.channels[0].t_ns[1] - r.channels[0].t_ns[0], (11 * 3600 + 3599) * S);
    read_ok("time,power_w\n13:00:00,100\n01:00:01,110\n");
    ck_assert_int_eq(r.channels[0].t_ns[1] - r.channels[0].t_ns[0], -(11 * 3600 + 3599) * S);
}
END_TEST

/* Indices up to 1023 in two rounds are devices in turn. */
START_TEST(indices_in_turn)
{
    read_format_ok(
        &ws_format_generic_csv,
        "timestamp,gpu,power_w\n1770796800,64,250\n1770796801,100,350\n1770796802,64,251\n1770796803,100,351\n");
    has_note("load-column", 0);
    read_format_ok(&ws_format_generic_csv,
                   "timestamp,gpu,power_w\n1770796800,64,250\n1770796801,100,350\n1770796802,64,251\n");
    has_note("load-column", 1);
}
END_TEST

TEST_MAIN("trace bounds", powers_of_gpus_lie_between_a_tenth_of_a_watt_and_two_kilowatts,
          an_interval_is_off_its_stamps_by_no_more_than_a_half, four_numbers_in_a_cell_are_a_series,
          day_numbers_of_a_spreadsheet, what_counts_rows, elapsed_times_are_shorter_than_three_years,
          up_to_three_words_before_a_stamp, a_share_is_one_at_most, midnight_is_passed_by_more_than_half_a_day,
          seconds_above_the_rows_of_one_column_are_stamps, indices_in_turn, rows_of_a_sweep_are_asked_for,
          rails_of_boards_are_in_milliwatts_above_500_and_in_watts_up_to_250,
          a_node_of_up_to_20_is_in_watts_or_kilowatts, powers_without_a_unit_are_in_watts_or_milliwatts,
          a_power_in_a_known_unit_speaks_for_those_beside_it, volts_times_amperes_prove_the_unit_of_a_power,
          tens_of_milliwatts_may_be_a_microcontrollers, a_power_beside_others_of_its_unit_keeps_it,
          the_unit_of_a_power_may_be_its_name, volts_times_amperes_prove_a_unit_that_is_stated,
          half_of_the_readings_of_a_rail_decide, rails_without_the_input_are_in_watts_where_no_sensor_shows_so_little,
          volts_and_amperes_of_a_rail_are_no_power)
