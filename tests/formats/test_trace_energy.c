/* Columns that are only called "energy": running totals or energies of each row. Numbers known by hand. */
#include "trace_case.h"

#include "core/device_limits.h"

START_TEST(energies)
{
    read_ok("timestamp,total_energy_consumption [mJ]\n1700000000,5000\n1700000001,7500\n");
    has("gpu0", "total_energy_consumption [mJ]", "5 7.5");
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_COUNTER);
    read_ok("timestamp,energy_j\n1,10\n2,12\n3,9\n4,10\n5,11\n6,10\n");
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_INTERVAL);
    read_ok("timestamp,energy_j\n1,10\n2,20\n3,31\n4,40\n5,51\n6,60\n"); /* it only grows: a running total */
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    has_note("assumed-energy", 1);
    ck_assert_int_eq(read_with("timestamp,energy_j\n1,10\n2,20\n3,31\n4,40\n5,51\n6,60\n", "energy=energy_j", 0),
                     WS_OK);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_INTERVAL);
}
END_TEST

/* 250 W are 250 J a second, or 250000 of the millijoules that NVML counts; a restart is no power of a megawatt. */
START_TEST(a_counter_in_millijoules_without_its_unit)
{
    read_ok("timestamp,gpu,power.draw,total_energy_consumption\n1700000000,0,250,1000000\n1700000000,1,100,5000000\n"
            "1700000001,0,250,1250000\n1700000001,1,100,5100000\n1700000002,0,250,1500000\n");
    has("gpu0", "total_energy_consumption", "1000 1250 1500");
    has("gpu1", "total_energy_consumption", "5000 5100");
    has_note("implausible-unit", 1);
    has_note("implausible-energy", 0);
    read_ok("timestamp,gpu,gpu_energy\n1700000000,0,250000\n1700000001,0,251000\n1700000002,0,249000\n");
    has("gpu0", "gpu_energy", "250 251 249"); /* of each row */
    has_note("implausible-unit", 1);
    read_ok("timestamp,gpu,total_energy_consumption\n1700000000,0,1000\n1700000010,0,3500\n1700000020,0,6000\n");
    has("gpu0", "total_energy_consumption", "1000 3500 6000"); /* 250 W */
    read_ok("timestamp,gpu,total_energy_consumption [J]\n1700000000,0,1000000\n1700000001,0,1250000\n");
    has("gpu0", "total_energy_consumption [J]", "1000000 1250000"); /* a unit that is written is believed */
    read_ok("timestamp,gpu,total_energy_consumption\n1700000000,0,900000\n1700000001,0,250\n1700000002,0,500\n");
    has("gpu0", "total_energy_consumption", "900000 250 500");
    read_ok("timestamp,total_energy\n1700000000,1000000\n1700000001,1005000\n1700000002,1010000\n");
    has("gpu0", "total_energy", "1000000 1005000 1010000"); /* may be a node of 5 kW: nothing says GPU */
    has_note("implausible-unit", 0);
}
END_TEST

static bool is_total_of(const char *text)
{
    read_ok(text);
    has_note("assumed-energy", 1);
    return r.channels[r.n - 1].channel.quantity == WS_ENERGY_COUNTER;
}

/* A total that wraps at 1000 J or starts again falls by far more than a row adds, to no more than two rows add. */
START_TEST(a_running_total_may_begin_again)
{
    ck_assert(is_total_of("timestamp,energy_j\n1,900\n2,930\n3,960\n4,990\n5,20\n6,50\n7,80\n8,110\n"));
    ck_assert(!is_total_of("timestamp,energy_j\n1,50\n2,60\n3,70\n4,80\n5,90\n6,50\n7,60\n")); /* a ramp, then idle */
    ck_assert(!is_total_of("timestamp,energy_j\n1,50\n2,60\n3,55\n4,65\n5,60\n6,70\n7,66\n"));
}
END_TEST

/* 100 W for 60 s are 6 kJ; a meter that shows 1 kWh in hundredths adds 36 kJ now and then, or nothing. */
START_TEST(a_coarse_running_total)
{
    ck_assert(is_total_of("timestamp,energy_wh\n1,1\n2,1\n3,2\n4,2\n5,2\n6,3\n7,3\n8,3\n9,4\n10,4\n11,4\n12,5\n"));
    ck_assert(is_total_of("timestamp,power_w,energy_kwh\n60,500,1.00\n120,500,1.00\n180,500,1.02\n240,500,1.02\n"));
    ck_assert(is_total_of("timestamp,energy_kwh\n60,1000.00\n120,1000.00\n180,1000.01\n")); /* else 60 MW */
}
END_TEST

static bool power_is_taken(const char *text)
{
    read_ok(text);
    bool is_left = false;
    for (size_t i = 0; i < r.n; i++)
        is_left |=
            r.channels[i].channel.quantity == WS_ENERGY_COUNTER && r.channels[i].channel.preference == WS_DOUBTFUL;
    return is_left;
}

/* 18 kJ beside steps of 36 kJ: the total stands still or steps once. 72 kJ are two steps; a total that steps though the
 * power says nothing like it contradicts it. */
START_TEST(a_running_total_that_is_coarser_than_the_power)
{
    ck_assert(power_is_taken("timestamp,power_w,energy_kwh\n60,100,1.00\n120,100,1.00\n180,100,1.00\n240,100,1.01\n"));
    ck_assert(power_is_taken("timestamp,power_w,energy_kwh\n60,100,1.00\n120,100,1.00\n180,100,1.00\n240,100,1.00\n"));
    ck_assert(power_is_taken("timestamp,power_w,energy_kwh\n60,399,1.00\n120,399,1.00\n180,399,1.01\n240,399,1.01\n"));
    ck_assert(!power_is_taken("timestamp,power_w,energy_kwh\n60,401,1.00\n120,401,1.00\n180,401,1.01\n240,401,1.02\n"));
    ck_assert(!power_is_taken("timestamp,power_w,energy_kwh\n60,399,1.00\n120,399,1.00\n180,399,1.00\n240,399,1.00\n"));
    ck_assert(!power_is_taken("timestamp,power_w,energy_kwh\n60,100,1.00\n120,100,1.00\n180,100,1.02\n240,100,1.02\n"));
}
END_TEST

/* Of 100, 110 ... 150 W the energies of seconds are as many J, the running total of 10 J more a row is 10 W. */
START_TEST(the_power_beside_an_energy_tells_which_it_is)
{
    ck_assert(
        !is_total_of("timestamp,power_w,energy_j\n1,100,100\n2,110,110\n3,120,120\n4,130,130\n5,140,140\n6,150,150\n"));
    ck_assert(is_total_of("timestamp,power_w,energy_j\n1,10,100\n2,10,110\n3,10,120\n"));
}
END_TEST

/* One of two GPUs is idle: its total stands still, in rows of its own and in a column of its own. */
START_TEST(a_running_total_that_stands_still)
{
    ck_assert(is_total_of("timestamp,gpu,energy_j\n1,0,777\n1,1,100\n2,0,777\n2,1,200\n3,0,777\n3,1,300\n4,0,777\n"
                          "4,1,400\n5,0,777\n5,1,500\n6,0,777\n6,1,600\n"));
    read_ok("timestamp,gpu0_energy_j,gpu1_energy_j\n1,777,100\n2,777,200\n3,777,300\n4,777,400\n5,777,500\n");
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(recorder_find(&r, "gpu1", NULL)->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert(!is_total_of("timestamp,energy_j\n1,100\n2,100\n3,100\n4,100\n5,100\n6,100\n"));
}
END_TEST

/* 200 W for 3 s are 600 J: a total called "Total" is in kWh in Tasmota's messages, and stands still for minutes. In J,
 * or in the mJ of NVML, it is taken. */
START_TEST(a_total_without_unit_far_below_its_power)
{
    static const struct {
        const char *readings[4];
        bool is_doubted;
    } cases[] = {{{"3.185", "3.185", "3.185", "3.185"}, true},
                 {{"3.185", "3.2", "3.22", "3.24"}, true},
                 {{"1000", "1201", "1399", "1601"}, false},
                 {{"1000000", "1201000", "1399000", "1601000"}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300] = "timestamp,gpu_power,energy_total\n";
        for (size_t row = 0; row < 4; row++)
            sprintf(text + strlen(text), "%zu,%d,%s\n", 1770796800 + row, row % 2 ? 199 : 201, cases[i].readings[row]);
        read_ok(text);
        bool is_doubtful = recorder_find(&r, NULL, "energy_total")->channel.preference == WS_DOUBTFUL;
        ck_assert_msg(is_doubtful == cases[i].is_doubted, "case %zu", i);
        has_note("implausible-energy", cases[i].is_doubted);
    }
}
END_TEST

START_TEST(whoever_names_the_power_wants_no_energy)
{
    const char *text = "timestamp,power_w,energy_kwh\n60,100,1.00\n120,100,1.00\n180,100,1.01\n";
    ck_assert_int_eq(read_with(text, "power=power_w", 0), WS_OK);
    ck_assert_uint_eq(r.n, 1);
    has("gpu0", "power_w", "100 100 100");
    ck_assert_int_eq(read_with(text, "counter=energy_kwh", 0), WS_OK);
    ck_assert_uint_eq(r.n, 2); /* and the power beside it stays */
}
END_TEST

/* 10 W for 3 s are 30 J, which a logger wrote as kWh without saying so. */
START_TEST(an_energy_in_kwh_without_its_unit)
{
    read_ok("timestamp,cpu_power,cpu_energy\n1770796800,10,2.7e-6\n1770796801,10,5.5e-6\n1770796802,10,8.3e-6\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "cpu_energy")->channel.preference, WS_DOUBTFUL);
    has_note("implausible-energy", 1);
    read_ok("timestamp,cpu_power,cpu_energy\n1770796800,10,10.5\n1770796801,10,9.5\n1770796802,10,10\n");
    ck_assert_int_ne(recorder_find(&r, NULL, "cpu_energy")->channel.preference, WS_DOUBTFUL);
    has_note("implausible-energy", 0);
    read_ok("timestamp,cpu_power,cpu_energy_kwh\n1770796800,10,2.7e-6\n1770796801,10,2.8e-6\n");
    has_note("implausible-energy", 0); /* a unit that is written is believed */
}
END_TEST

/* Rows of two GPUs, each a second or two after the one before. */
START_TEST(rows_that_state_their_interval)
{
    read_ok("timestamp,gpu,dt,power_w\n1,0,1,100\n1,1,1,200\n2,0,1,110\n2,1,1,210\n4,0,2,120\n4,1,2,220\n");
    const recorded *power = recorder_find(&r, "gpu1", NULL);
    ck_assert_int_eq(power->channel.rule, WS_RULE_RECTANGLE);
    ck_assert(power->has_interval);
    ck_assert_int_eq(power->interval_ns[2], 2 * S);
    has_note("interval-misfit", 0);
    const char *setting = "timestamp,interval,power_w\n1,100,100\n2,100,110\n3,100,120\n"; /* of ms, say */
    read_ok(setting);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.rule, WS_RULE_TRAPEZOID);
    has_note("interval-misfit", 1);
    ck_assert_int_eq(read_with(setting, "interval=interval", 0), WS_OK);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.rule, WS_RULE_RECTANGLE);
}
END_TEST

START_TEST(intervals_in_words)
{
    read_ok("timestamp,interval,power_w\n1,fast,100\n2,fast,110\n3,fast,120\n");
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.rule, WS_RULE_TRAPEZOID);
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_INTERVAL_MISFIT);
    ck_assert_ptr_nonnull(note);
    ck_assert_msg(!strstr(note->text, "nan"), "%s", note->text);
    ck_assert_ptr_nonnull(strstr(note->text, "'interval'"));
}
END_TEST

/* Rows of two GPUs, ten in a second, whose stamps are of whole seconds: `reading` goes on by `step` once a second, from
 * the third one on. */
static char *rows_of_two(const char *header, const char *format, long reading, long step)
{
    enum { ROWS = 400, LONGEST = 80 };
    char *text = malloc(LONGEST * (ROWS + 1)), *end = text;
    end += sprintf(end, "%s\n", header);
    for (long i = 0; i < ROWS; i++) {
        long second = i / 20;
        end += sprintf(end, format, 1770796800 + second, i % 2 ? "GPU-a" : "GPU-b",
                       reading + (second > 2 ? second - 2 : 0) * step);
    }
    return text;
}

/* Ever so many rows say nothing before the first counter rises, or the first second ends. */
START_TEST(first_rows_that_stand_still)
{
    char *text = rows_of_two("timestamp,uuid,total_energy_consumption", "%ld,%s,%ld\n", 5000000, 100000);
    read_ok(text);
    has_note("implausible-unit", 1);
    ck_assert_double_eq(r.channels[0].value[0], 5000);
    free(text);
    text = rows_of_two("timestamp,uuid,power_w,interval", "%ld,%s,%ld,100\n", 250, 0);
    read_ok(text);
    has_note("interval-misfit", 1);
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_TRAPEZOID);
    free(text);
}
END_TEST

/* Rows a second apart with this power, "" for none, and these joules under this name. */
static void read_energies(const char *name, const char *power, const double *joules, size_t n)
{
    char text[2048];
    size_t at = (size_t)sprintf(text, "timestamp,%s%s\n", *power ? "power_w," : "", name);
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%zu,%s%s%.10g\n", i + 1, power, *power ? "," : "", joules[i]);
    read_ok(text);
}

static bool rise_is_total(const char *name, const char *power, double rise, size_t n)
{
    double joules[16];
    for (size_t i = 0; i < n; i++)
        joules[i] = 10000 + rise * (double)i;
    read_energies(name, power, joules, n);
    return r.channels[r.n - 1].channel.quantity == WS_ENERGY_COUNTER;
}

/* Three steps are too few to say that it only grows. Over them 100 W are 300 J: a rise of a third to three times of it
 * is that power's. */
START_TEST(a_rise_within_a_factor_of_three_of_the_power_is_a_total)
{
    ck_assert(rise_is_total("energy", "100", 290, 4));
    ck_assert(!rise_is_total("energy", "100", 310, 4));
    ck_assert(rise_is_total("energy", "100", 35, 4));
    ck_assert(!rise_is_total("energy", "100", 32, 4));
}
END_TEST

/* Over 16 steps 100 W are 1600 J. Energies of rows that never fall are near the power in J, and only where they are the
 * power's themselves, within a tenth, are they no total: a meter's counter in Wh. */
START_TEST(rows_that_never_fall_are_a_total_unless_they_are_the_power)
{
    static const struct {
        double first;
        size_t n;
        bool is_total;
    } cases[] = {{200, 17, true}, {200, 16, false}, {102, 17, true}, {101, 17, false}, {82, 17, true}, {83, 17, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double joules[32];
        for (size_t k = 0; k < cases[i].n; k++)
            joules[k] = cases[i].first + (double)k;
        read_energies("energy", "100", joules, cases[i].n);
        ck_assert_msg((r.channels[r.n - 1].channel.quantity == WS_ENERGY_COUNTER) == cases[i].is_total, "case %d",
                      (int)i);
    }
}
END_TEST

/* Four steps that rise say that it only grows, and so do rises in half of the steps. */
START_TEST(few_steps_do_not_make_a_total)
{
    ck_assert(rise_is_total("energy", "", 10, 5));
    ck_assert(!rise_is_total("energy", "", 10, 4));
    const double half[] = {10, 20, 20, 30, 30, 40, 40}, less[] = {10, 20, 20, 30, 30, 40, 40, 40};
    read_energies("energy", "", half, 7);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    read_energies("energy", "", less, 8);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_INTERVAL);
}
END_TEST

/* Rises by 30 J; four of them to a fall at least, and the first reading after it at most two of them. */
START_TEST(a_total_begins_again_with_little_after_many_rises)
{
    const double often[] = {900, 930, 960, 990, 20, 50}, seldom[] = {930, 960, 990, 20, 50},
                 at_most[] = {900, 930, 960, 990, 60, 90}, too_much[] = {900, 930, 960, 990, 61, 91};
    static const ws_quantity want[] = {WS_ENERGY_COUNTER, WS_ENERGY_INTERVAL, WS_ENERGY_COUNTER, WS_ENERGY_INTERVAL};
    const double *const rows[] = {often, seldom, at_most, too_much};
    const size_t n[] = {6, 5, 6, 6};
    for (size_t i = 0; i < 4; i++) {
        read_energies("energy", "", rows[i], n[i]);
        ck_assert_msg(r.channels[0].channel.quantity == want[i], "rows %zu", i);
    }
}
END_TEST

/* The same joules in every row: nothing draws a megawatt, nor thirty times the power that stands beside. */
START_TEST(what_nothing_draws_in_every_row_is_a_total)
{
    ck_assert(rise_is_total("energy_j", "", 0, 3) == false);
    const double above[] = {1.1e6, 1.1e6, 1.1e6}, below[] = {0.9e6, 0.9e6, 0.9e6};
    const double far_above[] = {3100, 3100, 3100}, not_far[] = {2900, 2900, 2900};
    read_energies("energy_j", "", above, 3);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    read_energies("energy_j", "", below, 3);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_INTERVAL);
    read_energies("energy_j", "100", far_above, 3);
    ck_assert_int_eq(r.channels[1].channel.quantity, WS_ENERGY_COUNTER);
    read_energies("energy_j", "100", not_far, 3);
    ck_assert_int_eq(r.channels[1].channel.quantity, WS_ENERGY_INTERVAL);
}
END_TEST

static bool is_asked(const char *text, const char *map)
{
    ck_assert_int_eq(read_with(text, map, 0), WS_OK);
    has_note("ask-unit", r.channels[0].channel.ask == WS_ASK_UNIT);
    return r.channels[0].channel.ask == WS_ASK_UNIT;
}

/* A counter that was read before and after a run, or the energies of two runs. */
START_TEST(an_energy_of_few_rows_that_only_rises)
{
    const char *two = "time,energy_j\n1770796800,50000\n1770797400,110000\n";
    ck_assert(is_asked(two, NULL));
    ck_assert(!is_asked(two, "counter=energy_j"));
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    ck_assert(!is_asked(two, "energy=energy_j"));
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_INTERVAL);
    ck_assert(is_asked("time,gpu0_energy_mj\n0,5e7\n600,11e7\n1200,18e7\n1800,24e7\n", NULL));
    ck_assert(!is_asked("time,gpu0_energy_mj\n0,5e7\n600,11e7\n1200,18e7\n1800,24e7\n2400,31e7\n", NULL));
    ck_assert(!is_asked("time,energy_j\n0,50000\n600,51000\n1200,50500\n", NULL)); /* it falls */
    ck_assert(!is_asked("time,total_energy_j\n0,50000\n600,110000\n", NULL));
    read_ok("time,power_w,energy_j\n0,100,500000\n600,102,560600\n");
    ck_assert_int_eq(r.channels[1].channel.ask, WS_ASK_NOTHING); /* the power decides */
    ck_assert_int_eq(r.channels[1].channel.quantity, WS_ENERGY_COUNTER);
}
END_TEST

/* Polls of RAPL for 0.3 s: 200 kJ in each row are 500 kW, and the 6 J that they rise by 20 W. The memory beside them,
 * 13 kW, is logged as they are. */
START_TEST(a_processor_draws_no_kilowatts_in_every_row)
{
    ck_assert(
        is_total_of("Time,CPU_ENERGY (J)\n1770796800100,50000.5\n1770796800200,50002.5\n1770796800300,50004.5\n"));
    ck_assert(is_total_of("Time,PACKAGE_ENERGY (J)\n1770796800000,2010\n1770796801000,2020\n"));
    ck_assert(is_asked("Time,PACKAGE_ENERGY (J)\n1770796800000,1980\n1770796801000,1990\n", NULL));
    ck_assert(is_asked("Time,energy_j\n1770796800000,2010\n1770796801000,2020\n", NULL)); /* may be a node's */
    ck_assert(is_asked("Time,PACKAGE_ENERGY (J)\n1770796800000,9010\n1770796801000,12020\n", NULL)); /* nor the rise */
    read_ok("Time,DRAM_ENERGY (J),PACKAGE_ENERGY (J)\n1770796800100,100,262000\n1770796800200,101,262005\n"
            "1770796800300,102,262010\n");
    ck_assert_int_eq(recorder_find(&r, "dram0", NULL)->channel.quantity, WS_ENERGY_COUNTER);
    read_ok("Time,DRAM_ENERGY (J),PACKAGE_ENERGY (J)\n1770796800100,100,262000\n1770796800200,101,262005\n"
            "1770796800300,99,262010\n"); /* it falls: each row's own */
    ck_assert_int_eq(recorder_find(&r, "dram0", NULL)->channel.quantity, WS_ENERGY_INTERVAL);
}
END_TEST

/* Without a unit, a thousand times off what the power comes to on either side is another unit. */
START_TEST(an_energy_three_times_off_its_power_is_implausible)
{
    static const struct {
        double joules;
        bool is_odd;
    } cases[] = {{110000, true}, {310, true}, {290, false}, {35, false}, {32, true}, {0.09, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double same[] = {cases[i].joules, cases[i].joules, cases[i].joules};
        read_energies("energy", "100", same, 3);
        has_note("implausible-energy", cases[i].is_odd);
    }
}
END_TEST

static void asks_unit(const char *name, double joules_a_second, bool is_asked)
{
    const double same[] = {joules_a_second, joules_a_second, joules_a_second};
    read_energies(name, "", same, 3);
    has_note("ask-unit", is_asked);
    ws_question ask = r.channels[0].channel.ask;
    ck_assert_msg((ask == WS_ASK_UNIT) == is_asked, "%s of %g", name, joules_a_second);
}

/* Less than 2 W in J is a larger unit; more than 2 kW of what may be a node, and 20 kW of a node, a smaller one. */
START_TEST(an_energy_in_no_unit_that_is_plain)
{
    asks_unit("gpu_energy", 2.1, false);
    asks_unit("gpu_energy", 1.9, true);
    asks_unit("cpu_energy", 2.1, false);
    asks_unit("cpu_energy", 1.9, true);
    asks_unit("energy", 1990, false);
    asks_unit("energy", 2010, true);
    asks_unit("node_energy", 19900, false);
    asks_unit("node_energy", 20100, true);
    asks_unit("cpu_energy", 200000, false); /* mJ */
    asks_unit("cpu_energy", 2.1e9, true);   /* 2100 W in uJ */
    asks_unit("gpu_energy_kj", 0.2, false);
    /* memory draws less, beside processors that do not */
    read_ok("timestamp,cpu_energy,dram_energy\n1,100,1\n2,100,1\n3,100,1\n");
    has_note("ask-unit", 0);
    read_ok("timestamp,cpu_energy,dram_energy\n1,1,0.1\n2,1,0.1\n3,1,0.1\n");
    has_note("ask-unit", 2);
}
END_TEST

/* "energy" and no word of whose may be in mWh, 3.6 times J, wherever a device may draw as much; not where a column of
 * GPUs' numbers stands beside it, since their loggers count J. */
START_TEST(an_energy_in_joules_or_milliwatt_hours)
{
    asks_unit("energy", WS_GPU_MOST_W / 3.6 * 1.001, false);
    asks_unit("energy", WS_GPU_MOST_W / 3.6 * 0.999, true);
    asks_unit("energy", 83.3, true);
    asks_unit("energy_j", 83.3, false);
    asks_unit("gpu_energy", 83.3, false);
    asks_unit("node_energy", 83.3, false);
    read_ok("timestamp,gpu,energy\n1,0,83\n2,0,84\n3,0,83\n4,0,84\n");
    has_note("ask-unit", 0);
}
END_TEST

/* A time whose name says no unit and whose rows lie `step` apart. */
static void asks_time_unit(const char *name, double step, bool is_asked)
{
    char text[400];
    size_t n = (size_t)snprintf(text, sizeof text, "%s,power_w\n", name);
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.10g,%d\n", step * i, 200 + i);
    read_ok(text);
    has_note("ask-unit", is_asked);
    ws_question ask = recorder_find(&r, "gpu0", "power_w")->channel.ask;
    ck_assert_msg((ask == WS_ASK_UNIT) == is_asked, "%s every %g", name, step);
}

/* Polls 10 apart may be in ms as well as in s. */
START_TEST(a_time_in_no_unit)
{
    asks_time_unit("time", 9, false);
    asks_time_unit("time", 10, true);
    asks_time_unit("elapsed", 100, true);
    asks_time_unit("time", 59.5, false); /* with decimals */
    asks_time_unit("time", 60.5, true);
    asks_time_unit("time", 0.05, false);
    asks_time_unit("time_ms", 100, false);
    asks_time_unit("elapsed_s", 100, false);
}
END_TEST

/* A poll a second, written in minutes, hours or days; what a period in s looks like is in s. */
START_TEST(a_time_that_may_be_in_minutes)
{
    asks_time_unit("time", 1 / 60.0, true);
    asks_time_unit("elapsed", 5 / 60.0, true);
    asks_time_unit("elapsed", 5.04 / 60, true);
    asks_time_unit("elapsed", 5.06 / 60, false); /* WS_BARE_PERIOD */
    asks_time_unit("time", 10 / 3600.0, true);
    asks_time_unit("time", 1 / 86400.0, true);
    asks_time_unit("time", 0.00089, true);
    asks_time_unit("time", 0.00091, false);
    asks_time_unit("time", 0.25, true); /* 15 s */
    asks_time_unit("time", 0.504, true);
    asks_time_unit("time", 0.506, false);
    asks_time_unit("time_s", 0.5, false);
    asks_time_unit("time", 0.2, false);
    asks_time_unit("time", 0.02, false);
    asks_time_unit("time_s", 1 / 60.0, false);
    asks_time_unit("time_min", 1 / 60.0, false);
    read_ok("time,power_w\n0.00,200\n0.02,201\n0.03,202\n0.05,203\n0.07,204\n0.08,205\n0.10,206\n");
    has_note("ask-unit", 1);
    has_note("ask-devices", 0);
    ck_assert_int_eq(read_with("time,power_w\n0,200\n0.016667,201\n0.033333,202\n0.05,203\n", "unit=min", 0), WS_OK);
    has_note("ask-unit", 0);
    ck_assert_int_eq(at("gpu0", 3), 3 * S);
}
END_TEST

static void asks_named_time(const char *name, double first, double step, bool is_asked)
{
    char text[400];
    size_t n = (size_t)snprintf(text, sizeof text, "%s,power_w\n", name);
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.19g,%d\n", first + step * i, 200 + i);
    read_ok(text);
    has_note("ask-unit", is_asked);
}

/* Seconds since 1970 under "ms" are 20 days; so are the milliseconds of a host that is up for as long. */
START_TEST(a_time_under_the_name_of_a_smaller_unit)
{
    asks_named_time("time_ms", 1767454613, 1, true);
    asks_named_time("time_ms", 1767454613, 119, true);
    asks_named_time("time_ms", 1767454613, 121, false);
    asks_named_time("time_ms", 1400000000, 1, false);
    asks_named_time("time_ms", 2200000000, 1, false);
    asks_named_time("time_us", 1767454613000, 1000, true);
    asks_named_time("time_us", 1767454613, 1, true);
    asks_named_time("time_us", 1767454613000, 1e6, false);
    asks_named_time("time_ns", 1767454613000000, 1e6, true);
    asks_named_time("time_ms", 1767454613000, 1000, false);
    asks_named_time("elapsed_ms", 0, 1.002, true); /* a poll a second, or 1000 of them */
    asks_named_time("elapsed_ms", 0, 5.002, true);
    asks_named_time("elapsed_ms", 0, 1.2, false);
    asks_named_time("elapsed_ms", 0, 10.002, false); /* WS_NAMED_SHORTEST_STEP */
    asks_named_time("elapsed_us", 0, 10.002, true);
    asks_named_time("elapsed_ms", 0, 1, false);
    asks_named_time("elapsed_s", 0, 1.002, false);
    read_ok("elapsed_ms,power_w\n0.000,200\n1.000,201\n2.000,202\n3.000,203\n4.000,202\n");
    has_note("ask-unit", 1);
    ck_assert_int_eq(
        read_with("time_ms,power_w\n1767454613,200\n1767454614,201\n1767454615,202\n1767454616,203\n", "unit=s", 0),
        WS_OK);
    has_note("ask-unit", 0);
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), S);
}
END_TEST

/* A GPU does not draw 2 kW: 250 W are 250,000 mJ a second and 250,000,000 uJ. */
START_TEST(a_counter_of_a_gpu_in_another_unit)
{
    static const struct {
        long rise; /* over 10 s */
        double joules;
        bool is_odd;
    } cases[] = {{19990, 19990, false}, {20010, 20.01, true}, {19990000, 19990, true}, {20010000, 20.01, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        sprintf(text, "timestamp,gpu,total_energy_consumption\n1700000000,0,1000\n1700000010,0,%ld\n",
                1000 + cases[i].rise);
        read_ok(text);
        has_note("implausible-unit", cases[i].is_odd);
        ck_close(r.channels[0].value[1] - r.channels[0].value[0], cases[i].joules, 1e-9, 0);
    }
}
END_TEST

static ws_domain domain_of(const char *column)
{
    const recorded *c = recorder_find(&r, NULL, column);
    ck_assert_msg(c != NULL, "no channel %s", column);
    return c->channel.domain;
}

/* 50, 60, 70, 60, 50, 60 W of a processor: from the second row on 65, 65, 55 and 55 J. */
START_TEST(an_energy_of_nobody_beside_a_processor)
{
    read_ok("timestamp,cpu_power_w,energy_j,utilization\n1,50,0,90\n2,60,55,91\n3,70,120,90\n4,60,185,91\n"
            "5,50,240,90\n6,60,295,91\n");
    ck_assert_int_eq(domain_of("energy_j"), WS_CPU); /* its own, and no GPU's beside it */
    ck_assert_ptr_null(recorder_find(&r, "gpu0", NULL));
    has_note("assumed-domain", 0);
    read_ok("timestamp,cpu_power_w,energy_j\n1,50,0\n2,60,100\n3,70,220\n4,60,340\n5,50,440\n6,60,540\n");
    ck_assert_int_eq(domain_of("energy_j"), WS_NODE); /* may hold it */
    has_note("assumed-domain", 1);
    read_ok("timestamp,cpu_power_w,energy_j\n1,50,0\n2,60,25\n3,70,55\n4,60,85\n5,50,110\n6,60,135\n");
    ck_assert_int_eq(domain_of("energy_j"), WS_GPU); /* cannot hold it */
    has_note("assumed-domain", 1);
    read_ok("timestamp,cpu_power_w,node_power_w,energy_j\n1,50,150,0\n2,60,160,155\n3,70,170,320\n4,60,160,485\n"
            "5,50,150,640\n6,60,160,795\n");
    ck_assert_int_eq(domain_of("energy_j"), WS_NODE);
    has_note("assumed-domain", 0);
    read_ok("timestamp,cpu_power_w,gpu_power_w,energy_j\n1,50,90,0\n2,60,90,145\n3,70,90,300\n4,60,90,455\n");
    ck_assert_int_eq(domain_of("energy_j"), WS_NODE); /* whole beside parts of two kinds */
}
END_TEST

/* 5 % either way of the 240 J that the power comes to. */
START_TEST(an_energy_is_that_of_a_power_within_five_hundredths)
{
    static const struct {
        double rise;
        ws_domain domain;
    } cases[] = {{251, WS_CPU}, {253, WS_NODE}, {229, WS_CPU}, {227, WS_GPU}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300] = "timestamp,cpu_power_w,energy_j\n";
        for (int row = 0; row < 5; row++)
            sprintf(text + strlen(text), "%d,60,%g\n", row + 1, 1000 + cases[i].rise * row / 4);
        read_ok(text);
        ck_assert_msg(domain_of("energy_j") == cases[i].domain, "%g J", cases[i].rise);
    }
}
END_TEST

/* Readings that go down by 12 W from 45 Wh, each minute. */
static void read_charge(const char *columns, const char *unit_of_power, int rows, int rises_at)
{
    char text[2000];
    int n = sprintf(text, "%s\n", columns);
    for (int i = 0; i < rows; i++) {
        double wh = 45 - 0.2 * i + (i == rises_at ? 0.5 : 0);
        n += sprintf(text + n, "%d,%.2f%s\n", 1700000000 + 60 * i, wh, unit_of_power);
    }
    read_ok(text);
}

/* UPower's energy is what is left in the battery, and its energy-rate the power. */
START_TEST(what_is_left_in_a_battery_is_no_energy_of_rows)
{
    read_charge("timestamp,energy_Wh,power_W", ",12", 5, -1);
    ck_assert_int_eq(recorder_find(&r, NULL, "energy_Wh")->channel.preference, WS_DOUBTFUL);
    ck_assert_int_eq(domain_of("power_W"), WS_NODE);
    ck_assert(recorder_find(&r, NULL, "power_W")->channel.unit_is_given);
    has_note("assumed-domain", 0);
    has_note("assumed-energy", 1);
    read_charge("timestamp,cpu_energy_Wh,cpu_power_W", ",12", 9, -1);
    ck_assert_int_eq(recorder_find(&r, NULL, "cpu_energy_Wh")->channel.preference, WS_DOUBTFUL);
    ck_assert_int_eq(domain_of("cpu_power_W"), WS_CPU);       /* as it says */
    read_charge("timestamp,energy_Wh,power_W", ",12", 4, -1); /* few steps */
    ck_assert_int_ne(recorder_find(&r, NULL, "energy_Wh")->channel.preference, WS_DOUBTFUL);
    read_charge("timestamp,energy_Wh,power_W", ",12", 9, 4);
    ck_assert_int_ne(recorder_find(&r, NULL, "energy_Wh")->channel.preference, WS_DOUBTFUL);
    read_charge("timestamp,energy_Wh,power_W", ",37", 9, -1); /* more than three times what it falls by */
    ck_assert_int_ne(recorder_find(&r, NULL, "energy_Wh")->channel.preference, WS_DOUBTFUL);
    read_ok("timestamp,energy_j,power_w\n1,60,60\n2,50,50\n3,40,40\n4,30,30\n5,20,20\n6,10,10\n");
    has("gpu0", "energy_j", "60 50 40 30 20 10"); /* of each row, as the power says */
    ck_assert_int_ne(recorder_find(&r, NULL, "energy_j")->channel.preference, WS_DOUBTFUL);
}
END_TEST

/* Nothing beside it tells a charge from the energies of rows. */
START_TEST(an_energy_that_only_falls_is_asked_for)
{
    read_charge("timestamp,energy_Wh", "", 17, -1);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_UNIT);
    read_charge("timestamp,energy_Wh", "", 16, -1);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_NOTHING);
    read_charge("timestamp,energy_Wh", "", 20, 9);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_NOTHING);
}
END_TEST

/* Rows of 30 and 20 J a second; the first column may fall once. */
static void read_bare(size_t n, bool falls)
{
    char text[2000] = "timestamp,package-0,package-1\n";
    for (size_t i = 0, at = strlen(text); i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%zu,%zu,%zu\n", 1700000000 + i,
                               1000 + 30 * (falls && i == 9 ? 7 : i), 300 + 20 * i);
    read_ok(text);
}

/* It says neither power nor energy, and never falls: 16 rises are asked about, 15 are not, nor is what falls once. */
START_TEST(a_total_whose_name_says_nothing_is_asked_about)
{
    read_bare(17, false);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_UNIT);
    ck_assert_int_eq(r.channels[1].channel.ask, WS_ASK_UNIT);
    has_note("ask-unit", 2);
    read_bare(16, false);
    ck_assert_int_ne(r.channels[0].channel.ask, WS_ASK_UNIT);
    read_bare(30, true);
    ck_assert_int_ne(r.channels[0].channel.ask, WS_ASK_UNIT);
    ck_assert_int_eq(r.channels[1].channel.ask, WS_ASK_UNIT);
}
END_TEST

TEST_MAIN("trace energy", what_is_left_in_a_battery_is_no_energy_of_rows, an_energy_that_only_falls_is_asked_for,
          an_energy_of_nobody_beside_a_processor, an_energy_is_that_of_a_power_within_five_hundredths, energies,
          a_counter_in_millijoules_without_its_unit, a_running_total_may_begin_again, a_coarse_running_total,
          a_running_total_that_is_coarser_than_the_power, the_power_beside_an_energy_tells_which_it_is,
          a_running_total_that_stands_still, whoever_names_the_power_wants_no_energy, rows_that_state_their_interval,
          intervals_in_words, first_rows_that_stand_still, an_energy_in_kwh_without_its_unit,
          a_rise_within_a_factor_of_three_of_the_power_is_a_total,
          rows_that_never_fall_are_a_total_unless_they_are_the_power, few_steps_do_not_make_a_total,
          a_total_begins_again_with_little_after_many_rises, what_nothing_draws_in_every_row_is_a_total,
          a_processor_draws_no_kilowatts_in_every_row, a_total_without_unit_far_below_its_power,
          an_energy_three_times_off_its_power_is_implausible, a_counter_of_a_gpu_in_another_unit,
          an_energy_in_no_unit_that_is_plain, an_energy_in_joules_or_milliwatt_hours, a_time_in_no_unit,
          an_energy_of_few_rows_that_only_rises, a_time_that_may_be_in_minutes, a_time_under_the_name_of_a_smaller_unit,
          a_total_whose_name_says_nothing_is_asked_about)
