/* Logs of processors and of accounting tools: Power Gadget, Zeus, EAR, Slurm's series, MIT SuperCloud, likwid,
 * Scaphandre, carbontracker. */
#include "reader_case.h"

extern const ws_format ws_format_power_gadget, ws_format_zeus_windows, ws_format_pyjoules, ws_format_ear_eacct,
    ws_format_slurm_series, ws_format_slurm_energy, ws_format_wandb_system, ws_format_supercloud_gpu,
    ws_format_likwid_power, ws_format_likwid_timeline, ws_format_scaphandre_json, ws_format_carbontracker_log;

/* --- Intel Power Gadget --- */

#define GADGET_HEAD                                                                                          \
    "System Time,RDTSC,Elapsed Time (sec), CPU Utilization(%),CPU Frequency_0(MHz),Processor Power_0(Watt)," \
    "Cumulative Processor Energy_0(Joules),IA Power_0(Watt),DRAM Power_0(Watt),Package PL1_0(Watt)\n"

START_TEST(gadget_powers_are_means_of_intervals)
{
    static const char text[] =
        GADGET_HEAD "08:00:00:500, 275783,    0.500,   14.0, 3400,  40.000,  20.000,  30.0,  0.0, 135.0\n"
                    "08:00:01:500, 275784,    1.500,   15.0, 3900,  50.000,  70.000,  31.0,  0.0, 135.0\n"
                    "\nTotal Elapsed Time (sec) = 1.500\nMeasured RDTSC Frequency (GHz) = 2.918\n\n"
                    "Cumulative Processor Energy_0 (Joules) = 70.125\n"
                    "Average Processor Power_0 (Watt) = 46.75\n";
    is_recognised(&ws_format_power_gadget, text);
    read_ok(&ws_format_power_gadget, text);
    const recorded *power = channel("cpu0", "Processor Power_0(Watt)");
    ck_assert_int_eq(power->channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(power->interval_ns[0], S / 2); /* the first interval begins with the log */
    ck_assert_int_eq(power->interval_ns[1], S);
    const recorded *counter = channel("cpu0", "Cumulative Processor Energy_0(Joules)");
    ck_assert(counter->channel.counter_from_zero);
    has("cpu0", "Cumulative Processor Energy_0(Joules)", "20 70");
    const recorded *given = channel("cpu0", "Cumulative Processor Energy_0 (Joules)");
    ck_assert_int_eq(given->channel.rule, WS_RULE_GIVEN);
    ck_assert_double_eq(given->value[0], 70.125);
    ck_assert_int_eq(given->interval_ns[0], 3 * S / 2);
    ck_assert_int_eq(channel("core", NULL)->channel.domain, WS_CPU_CORE);
    ck_assert_ptr_null(recorder_find(&r, NULL, "Package PL1_0(Watt)")); /* a limit is no reading */
}
END_TEST

/* 36 W for 1 s and 72 W for 2 s are 180 J or 50 mWh, and 10 W for 3 s 30 J, of another package. */
START_TEST(gadget_energies_in_both_units)
{
    read_ok(&ws_format_power_gadget,
            "System Time,RDTSC,Elapsed Time (sec),Processor Power_0(Watt),Cumulative Processor Energy_0(mWh),"
            "Cumulative Processor Energy_0(Joules),Processor Power_1(Watt),Cumulative Processor Energy_1(mWh)\n"
            "23:59:59:298, 1,    1.000,   36.000,   10.000,  36.000,  10.000,  2.7778\n"
            "00:00:01:298, 2,    3.000,   72.000,   50.000, 180.000,  10.000,  8.3333\n");
    const recorded *joules = channel("cpu0", "Cumulative Processor Energy_0(Joules)");
    has("cpu0", "Cumulative Processor Energy_0(Joules)", "36 180");
    has("cpu0", "Cumulative Processor Energy_0(mWh)", "36 180");
    ck_assert_int_lt(joules->channel.preference,
                     channel("cpu0", "Cumulative Processor Energy_0(mWh)")->channel.preference);
    ck_assert_double_eq_tol(channel("cpu1", "Cumulative Processor Energy_1(mWh)")->value[1], 30, 1e-3);
    ck_assert_int_eq(joules->t_ns[1], 3 * S); /* midnight lies between the two */
    has_note("truncated-line", 0);
}
END_TEST

START_TEST(gadget_cut_and_restarted)
{
    read_ok(&ws_format_power_gadget,
            GADGET_HEAD "08:00:00:500, 1, 5.0, 1, 1, 40, 20, 30, 0, 1\n" GADGET_HEAD
                        "08:00:09:500, 1, 1.0, 1, 1, 41, 3, 30, 0, 1\n08:00:09:900, 1, 2.0, 1, 1, 42\n"
                        "08:00:09:950, 1, 3.0, 1, 1, N/A, 5, 30, 0, 1\n08:00:10:000, 1, 4.0, 1, 1, 4");
    const recorded *power = channel("cpu0", "Processor Power_0(Watt)");
    has("cpu0", "Processor Power_0(Watt)", "40 41 -");
    has("cpu0", "Cumulative Processor Energy_0(Joules)", "20 23 25"); /* begins again at 0 */
    ck_assert_int_eq(power->interval_ns[1], S);
    ck_assert_int_eq(power->t_ns[1], 6 * S);
    has_note("restarted-log", 1);
    has_note("short-row", 1);
    has_note("truncated-line", 1);
}
END_TEST

/* The totals below each log are its own; the second has another column, and is as long as the first. */
START_TEST(gadget_logs_with_their_totals)
{
    read_ok(
        &ws_format_power_gadget,
        "System Time,RDTSC,Elapsed Time (sec),Processor Power_0(Watt),Cumulative Processor Energy_0(Joules)\n"
        "08:00:00:500, 1, 1.0, 20, 20\n\nTotal Elapsed Time (sec) = 1.0\n"
        "Cumulative Processor Energy_0 (Joules) = 20.5\n\n"
        "System Time,RDTSC,Elapsed Time (sec),CPU Frequency_0(MHz),Processor Power_0(Watt),"
        "Cumulative Processor Energy_0(Joules)\n"
        "08:00:10:500, 1, 1.0, 3000, 30, 30\n08:00:11:500, 1, 2.0, 3000, 30, N/A\n\nTotal Elapsed Time (sec) = 2.0\n"
        "Cumulative Processor Energy_0 (Joules) = 60.5\n");
    const recorded *given = channel("cpu0", "Cumulative Processor Energy_0 (Joules)");
    has("cpu0", "Cumulative Processor Energy_0(Joules)", "20 50 -");
    ck_assert_double_eq(given->value[1], 60.5);
    ck_assert_int_eq(given->interval_ns[1], 2 * S);
    ck_assert_int_eq(given->t_ns[1], 3 * S);
    has_note("restarted-log", 1);
}
END_TEST

/* --- Zeus --- */

START_TEST(zeus_windows_by_gpu)
{
    static const char text[] = "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n"
                               "13586410.5,epoch 1,8.5,1067.5,1072.25\n13586420.0,epoch 2,8.0,1000,N/A\n";
    is_recognised(&ws_format_zeus_windows, text);
    read_ok(&ws_format_zeus_windows, text);
    has("gpu0", "gpu0_energy", "1067.5 1000");
    has("gpu1", "gpu1_energy", "1072.25 -");
    const recorded *gpu = channel("gpu0", NULL);
    ck_assert_int_eq(gpu->channel.time, WS_TIME_RELATIVE); /* a monotonic clock knows no date */
    ck_assert_int_eq(gpu->t_ns[0], INT64_C(13586419) * S);
    ck_assert_int_eq(gpu->interval_ns[0], 17 * S / 2);
    read_ok(&ws_format_zeus_windows,
            "start_time,window_name,elapsed_time,gpu0_energy\n1.0,a,x,5\n2.0,b,1.0,6\n3.0,c,1");
    has("gpu0", NULL, "5 6");
    has_note("unreadable-cell", 1);
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(pyjoules_measures_of_functions)
{
    static const char text[] = "timestamp;tag;duration;package_0;dram_0;nvidia_gpu_0\n"
                               "1770796800.5;train;1.0;45000000.0;5000000.0;92000\n"
                               "1770796802.5;test;2.0;40000000.0;4000000.0;80000\n1770796805.5;test;1.0;x;4000000.0";
    is_recognised(&ws_format_pyjoules, text);
    read_ok(&ws_format_pyjoules, text);
    has("cpu0", "package_0", "45 40");
    has("dram0", "dram_0", "5 4");
    has("gpu0", "nvidia_gpu_0", "92 80"); /* mJ */
    ck_assert_int_eq(channel("gpu0", NULL)->channel.quantity, WS_ENERGY_INTERVAL);
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[0], INT64_C(17707968015) * (S / 10)); /* where the first ends */
    ck_assert_int_eq(channel("gpu0", NULL)->interval_ns[1], 2 * S);
    has_note("truncated-line", 1);
}
END_TEST

/* The window of an epoch holds those of its steps, whichever is written first; the next begins a rounding before it
 * ends. */
START_TEST(zeus_windows_inside_each_other)
{
    static const char head[] = "start_time,window_name,elapsed_time,gpu0_energy\n";
    char text[400];
    snprintf(text, sizeof text,
             "%s100.0,step,5.0,500\n105.0,step,5.0,500\n100.0,epoch,10.0,1010\n109.9999,step,5.0,500\n", head);
    read_ok(&ws_format_zeus_windows, text);
    has("gpu0", NULL, "1010 500");
    has_note("nested-window", 1);
    has_note("overlapping-window", 0);
    ck_assert_int_eq(channel("gpu0", NULL)->channel.assumed, WS_STATUS_OK);
    snprintf(text, sizeof text,
             "%s100.0,all,30.0,3000\n100.0,epoch,10.0,1010\n101.0,step,5.0,500\n110.0,epoch,20.0,1990\n", head);
    read_ok(&ws_format_zeus_windows, text);
    has("gpu0", NULL, "3000");
    snprintf(text, sizeof text,
             "%s101.0,step,5.0,500\n100.0,epoch,10.0,1010\n111.0,step,5.0,500\n110.0,epoch,20.0,1990\n"
             "99.0,all,31.0,3100\n",
             head);
    read_ok(&ws_format_zeus_windows, text);
    has("gpu0", NULL, "3100");
    snprintf(text, sizeof text, "%s100.0,step,5.0,500\n3.0,after a reboot,5.0,500\n", head);
    read_ok(&ws_format_zeus_windows, text);
    has("gpu0", NULL, "500 500");
    has_note("nested-window", 0);
    has_note("overlapping-window", 0);
}
END_TEST

/* Neither holds the other: what they share counts twice, and the energy says so. */
START_TEST(zeus_windows_that_overlap)
{
    read_ok(&ws_format_zeus_windows,
            "start_time,window_name,elapsed_time,gpu0_energy\n100.0,a,5.0,500\n103.0,b,5.0,500\n");
    has("gpu0", NULL, "500 500");
    has_note("overlapping-window", 1);
    ck_assert_int_eq(channel("gpu0", NULL)->channel.assumed, WS_STATUS_WINDOWS_OVERLAP);
}
END_TEST

/* --- EAR --- */

START_TEST(ear_jobs_steps_and_nodes)
{
    static const char text[] =
        "JOBID;STEPID;APPID;JOBNAME;JOB_END_TIME;NODENAME;AVG_CPUFREQ_KHZ;TIME_SEC;DC_NODE_POWER_W;DRAM_POWER_W;"
        "PCK_POWER_W;GPU0_POWER_W;GPU0_UTIL_PERC;GPU1_POWER_W\n"
        "41;0;0;train;1770796800;n1;2400000;100.0;410.5;22.5;180.0;200.0;50;199.0\n"
        "41;0;0;train;1770796800;n2;2400000;100.0;400.5;21.5;170.0;190.0;94;189.0\n"
        "42;0;0;train;1770796900;n1;2400000;50.0;300.0;20.0;100.0;150.0;90;149.0\n41;0;0;tr";
    is_recognised(&ws_format_ear_eacct, text);
    read_ok(&ws_format_ear_eacct, text);
    const recorded *node = channel("node", NULL), *gpu = channel("gpu1", NULL);
    ck_assert_str_eq(node->channel.run, "41.0.0");
    ck_assert_str_eq(node->channel.node, "n1");
    ck_assert_int_eq(node->channel.rule, WS_RULE_RECTANGLE); /* a mean over TIME_SEC */
    ck_assert_int_eq(node->interval_ns[0], 100 * S);
    ck_assert_int_eq(node->t_ns[0], T0);
    ck_assert_uint_eq(node->n, 1); /* job 42 is another run */
    ck_assert_int_eq(gpu->channel.domain, WS_GPU);
    ck_assert_double_eq(channel("gpu0", "GPU0_UTIL_PERC")->value[0], 0.5);
    ck_assert_double_eq(channel("cpu0", "AVG_CPUFREQ_KHZ")->value[0], 2.4e9);
    has_note("truncated-line", 1);
}
END_TEST

/* The tables of older versions say how long a job took and not when. */
START_TEST(ear_without_times)
{
    read_ok(&ws_format_ear_eacct,
            "NODENAME;JOBID;STEPID;JOBNAME;AVG_CPUFREQ_KHZ;TIME_SEC;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W\n"
            "n1;41;0;train;2400000;100.0;410.5;22.5;180.0\nn1;42;0;train;2400000;50.0;300.0;20.0;100.0\n");
    const recorded *node = channel("node", NULL);
    ck_assert_int_eq(node->channel.time, WS_TIME_RELATIVE);
    ck_assert_int_eq(node->interval_ns[0], 100 * S);
    ck_assert_int_eq(node->t_ns[0], 100 * S);
    ck_assert_str_eq(node->channel.run, "41.0");
}
END_TEST

START_TEST(ear_loops_have_no_length)
{
    static const char text[] = "JOBID;STEPID;APPID;NODENAME;ITERATIONS;ITER_TIME_SEC;DC_NODE_POWER_W;PCK_POWER_W\n"
                               "41;0;0;n1;10;1.5;410.5;180.0\n41;0;0;n1;20;1.5;400.5;170.0\n";
    is_recognised(&ws_format_ear_eacct, text);
    read_ok(&ws_format_ear_eacct, text);
    has("node", NULL, "410.5 400.5");
    ck_assert(!channel("node", NULL)->has_time);
    has_note("no-length", 1);
}
END_TEST

/* --- Slurm's series, MIT SuperCloud --- */

/* A series for each of 10,000 jobs and two columns; each node reads half of them. */
START_TEST(ear_thousands_of_jobs)
{
    enum { JOBS = 10000, ROW = 64 };
    char *text = malloc((JOBS + 2) * ROW);
    size_t n = (size_t)sprintf(text, "JOBID;STEPID;APPID;JOBNAME;JOB_END_TIME;NODENAME;TIME_SEC;DC_NODE_POWER_W;"
                                     "PCK_POWER_W\n");
    for (int i = 0; i < JOBS; i++)
        n += (size_t)sprintf(text + n, "%d;0;0;a;%d;n%d;60.0;%d;50\n", i, 1770800400 + i, i % 2, 100 + i % 7);
    read_ok(&ws_format_ear_eacct, text);
    ck_assert_uint_eq(r.n, 2 * JOBS);
    for (size_t i = 0; i < r.n; i += 2) {
        ck_assert_uint_eq(r.channels[i].n, 1);
        ck_assert_double_eq(r.channels[i].value[0], 100 + (double)(i / 2 % 7));
        ck_assert_int_eq(atoi(r.channels[i].channel.run), (int)i / 2);
        ck_assert_str_eq(r.channels[i].channel.node, i / 2 % 2 ? "n1" : "n0");
    }
    free(text);
}
END_TEST

START_TEST(slurm_series_hold_no_energy)
{
    static const char text[] = "Step,Node,Series,ElapsedTime,EpochTime,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize\n"
                               "-1,n1,0,0,1770796800,3403,0.0,50.0,2184,16\n-1,n1,1,0,1770796800,3403,0.0,25.0,4,16\n"
                               "-1,n1,0,10,1770796810,3403,0.0,60.0,832,16\n-4,n1,0,10,177079";
    is_recognised(&ws_format_slurm_series, text);
    read_ok(&ws_format_slurm_series, text);
    has("cpu0", "CPUUtilization", "0.5 0.6"); /* series 0 and 1 of a step are not one */
    has("cpu1", "CPUUtilization", "0.25");
    has("cpu0", "RSS", "2236416 851968");
    ck_assert_str_eq(channel("cpu1", NULL)->channel.device_id, "-1/1");
    ck_assert_str_eq(channel("cpu0", NULL)->channel.node, "n1");
    for (size_t i = 0; i < r.n; i++)
        ck_assert_int_ne(r.channels[i].channel.quantity, WS_POWER);
    has_note("truncated-line", 1);
}
END_TEST

/* Every step has the power of the whole node: they are runs of their own, which nothing adds up. */
START_TEST(slurm_energy_of_steps_that_share_a_node)
{
    static const char text[] = "Step,Node,Series,ElapsedTime,EpochTime,Power,CPUFrequency\n"
                               "-4,n1,Energy,0,1770796800,100,2400000\n-4,n1,Energy,10,1770796810,200,2400000\n"
                               "0,n1,Energy,0,1770796800,100,2400000\n0,n2,Energy,0,1770796800,150,2400000\n"
                               "0,n1,Energy,10,1770796810,200,2400000\n0,n2,Energy,10,17707968";
    is_recognised(&ws_format_slurm_energy, text);
    read_ok(&ws_format_slurm_energy, text);
    ck_assert_uint_eq(r.n, 3);
    static const char *const runs[] = {"-4", "0", "0"}, *const nodes[] = {"n1", "n1", "n2"};
    for (size_t i = 0; i < r.n; i++) {
        ck_assert_str_eq(r.channels[i].channel.run, runs[i]);
        ck_assert_str_eq(r.channels[i].channel.node, nodes[i]);
        ck_assert_int_eq(r.channels[i].channel.domain, WS_NODE);
        ck_assert_uint_eq(r.channels[i].n, i < 2 ? 2 : 1);
    }
    ck_assert_int_eq(r.channels[1].t_ns[1], T0 + 10 * S);
    has_note("truncated-line", 1);
    static const char older[] = "Job,Step,Node,Series,Date_Time,Elapsed_Time,Power, CPU_Frequency\n"
                                "41,0,n1,Energy,2026-02-11 08:00:00,0,100,2400000\n"
                                "41,0,n1,Energy,2026-02-11 08:00:10,10,,2400000\n";
    is_recognised(&ws_format_slurm_energy, older);
    read_ok(&ws_format_slurm_energy, older);
    has("node", "Power", "100 -");
    ck_assert_str_eq(channel("node", NULL)->channel.run, "41.0");
    ck_assert_int_eq(channel("node", NULL)->t_ns[1], T0 + 10 * S);
    has_note("naive-time", 1);
}
END_TEST

START_TEST(supercloud_gpu_in_any_order_of_columns)
{
    static const char text[] =
        "timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,memory_free_MiB,memory_used_MiB,"
        "temperature_gpu,temperature_memory,power_draw_W,pcie_link_width_current\n"
        "1770796800.1,0,50,40,100,200,40,41,250.5,16\n1770796800.1,1,51,40,100,200,40,41,251.5,16\n"
        "1770796800.2,0,50,40,100,200,40,41,252.5,16\n1770796800.2,1,51,40,100,200,40,41,253.5,16\n";
    is_recognised(&ws_format_supercloud_gpu, text);
    read_ok(&ws_format_supercloud_gpu, text);
    has("gpu0", "power_draw_W", "250.5 252.5");
    has("gpu1", "power_draw_W", "251.5 253.5");
    has("gpu0", "utilization_gpu_pct", "0.5 0.5");
    read_ok(&ws_format_supercloud_gpu, "power_draw_W,utilization_gpu_pct,gpu_index,timestamp\n250.5,50,0,1770796800.1\n"
                                       "251.5,50,0,1770796800.2\n252.5,50,0,17707968");
    has("gpu0", "power_draw_W", "250.5 251.5");
}
END_TEST

/* --- Weights & Biases --- */

START_TEST(wandb_means_of_the_interval_before)
{
    static const char text[] =
        "_wandb,_timestamp,_runtime,system.gpu.0.powerPercent,system.gpu.0.powerWatts,system.gpu.0.gpu,"
        "system.gpu.0.memoryAllocatedBytes,system.gpu.1.powerWatts\n"
        ",1770796815.5,15.5,75,300.5,97,1024,200\n,1770796830.5,30.5,75,310.5,98.5,2048,\n"
        ",1770796845.5,45.5,75,NaN,99,4096,220\n,1770796860.5,60.5,75,330.5,99,409";
    is_recognised(&ws_format_wandb_system, text);
    read_ok(&ws_format_wandb_system, text);
    has("gpu0", "system.gpu.0.powerWatts", "300.5 310.5 -");
    has("gpu1", "system.gpu.1.powerWatts", "200 - 220");
    has("gpu0", "system.gpu.0.gpu", "0.97 0.985 0.99");
    has("gpu0", "system.gpu.0.memoryAllocatedBytes", "1024 2048 4096");
    const recorded *power = channel("gpu0", "system.gpu.0.powerWatts");
    ck_assert_int_eq(power->channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(power->channel.time, WS_TIME_UTC);
    ck_assert_int_eq(power->t_ns[0], T0 + 31 * S / 2);
    ck_assert_ptr_null(recorder_find(&r, NULL, "system.gpu.0.powerPercent")); /* of the limit, no reading in W */
    has_note("truncated-line", 1);
}
END_TEST

/* --- likwid --- */

START_TEST(likwid_powermeter_gives_energies_of_a_runtime)
{
    static const char text[] = "--------\nCPU name: some\nRuntime: 2.5 s\nMeasure for socket 0 on CPU 0\nDomain PKG:\n"
                               "Energy consumed: 55.5 Joules\nPower consumed: 22.2 Watt\nDomain PP0:\n"
                               "Energy consumed: 5.5 Joules\nDomain DRAM:\nEnergy consumed: 6.25 Joules\n\n"
                               "Measure for socket 1 on CPU 18\nDomain PKG:\nEnergy consumed: 44.5 Joules\n--------\n"
                               "Runtime: 1 s\nMeasure for socket 0 on CPU 0\nDomain PKG:\nEnergy consumed: 1.5 Joules\n"
                               "Domain DRAM:\nEnergy consumed: 0.";
    is_recognised(&ws_format_likwid_power, text);
    read_ok(&ws_format_likwid_power, text);
    has("cpu0", NULL, "55.5");
    has("cpu1", NULL, "44.5");
    has("dram0", NULL, "6.25");
    ck_assert_int_eq(channel("core", NULL)->channel.domain, WS_CPU_CORE); /* inside the package */
    ck_assert_int_eq(channel("cpu0", NULL)->channel.rule, WS_RULE_GIVEN);
    ck_assert_int_eq(channel("cpu0", NULL)->interval_ns[0], 5 * S / 2);
    ck_assert_str_eq(r.channels[r.n - 1].channel.run, "2"); /* the next call is a run of its own */
    has_note("truncated-line", 1);
    read_fails(&ws_format_likwid_power, "Domain PKG:\nEnergy consumed: much\n", WS_DATA, "no 'Energy consumed:'");
}
END_TEST

/* As older versions write the domain. */
START_TEST(likwid_powermeter_of_old)
{
    static const char text[] =
        "Runtime: 2.5 s\nMeasure for socket 0 on cpu 0\nDomain: PKG\nEnergy consumed: 55.5 Joules\n"
        "Power consumed: 22.2 Watts\nDomain: DRAM\nEnergy consumed: 6.25 Joules\n";
    is_recognised(&ws_format_likwid_power, text);
    read_ok(&ws_format_likwid_power, text);
    has("cpu0", NULL, "55.5");
    has("dram0", NULL, "6.25");
}
END_TEST

START_TEST(likwid_timeline_first_thread_of_a_socket)
{
    static const char text[] =
        "# CORES: 0|1|2\n"
        "# GID|MetricsCount|CpuCount|Total runtime [s]|CPI|Energy [J]|Power [W]|Energy DRAM [J]\n"
        "1 4 3 1.5 1 1 1 55.5 0 44.5 37 0 29 6.25 0 5.25\n"
        "the program says something\n"
        "1 4 3 2.5 1 1 1 50.5 0 0 37 0 29 6.5 0 5.5\n"
        "1 9 3 3.5 1 1\n1 4 3 4.5 1 1 1 50.5 0 0 37 0 29 6.5 0 5.";
    is_recognised(&ws_format_likwid_timeline, text);
    read_ok(&ws_format_likwid_timeline, text);
    has("cpu0", "Energy [J]", "55.5 50.5");
    has("cpu1", "Energy [J]", "44.5 0"); /* a zero of a thread that had energies is a reading */
    has("dram1", "Energy DRAM [J]", "5.25 5.5");
    ck_assert_str_eq(channel("cpu1", NULL)->channel.device_id, "thread 2");
    ck_assert_int_eq(channel("cpu0", "Energy [J]")->t_ns[0], 3 * S / 2);
    ck_assert_int_eq(channel("cpu0", "Energy [J]")->interval_ns[0], 3 * S / 2); /* from the start on */
    ck_assert_int_eq(channel("cpu0", "Energy [J]")->interval_ns[1], S);
    ck_assert_int_eq(channel("cpu0", "Power [W]")->channel.rule, WS_RULE_RECTANGLE);
    has_note("skipped-line", 1);
    has_note("truncated-line", 1);
    read_ok(&ws_format_likwid_timeline,
            "# GID|MetricsCount|CpuCount|Total runtime [s]|Energy [J]\n1,1,2,1.0,5.5,0\n1,1,2,2.0,5.5\n"
            "TABLE,Group 1 Raw,ENERGY,1\nEvent,Counter,HWThread 0,HWThread 1\nSTRUCT,Info,3\nCPU name:,some\n");
    has("cpu0", "Energy [J]", "5.5 5.5");
    has_note("unfilled-row", 1);
}
END_TEST

/* A row belongs to the head of its group: the bandwidths of group 2 are no energies, though there are as many. */
START_TEST(likwid_timeline_of_groups_in_turn)
{
    static const char groups[] = "# GID|MetricsCount|CpuCount|Total runtime [s]|Energy [J]|Power [W]\n"
                                 "# GID|MetricsCount|CpuCount|Total runtime [s]|Memory bandwidth [MBytes/s]|CPI\n"
                                 "1 2 2 1.0 50.5 0 50.5 0\n2 2 2 2.0 8000 0 0.5 0.5\n1 2 2 3.0 60.5 0 60.5 0\n"
                                 "2 2 2 4.0 8100 0 0.5 0.5\n3 2 2 5.0 1 0 1 0\n";
    read_ok(&ws_format_likwid_timeline, groups);
    has("cpu0", "Energy [J]", "50.5 60.5");
    ck_assert_int_eq(channel("cpu0", "Energy [J]")->interval_ns[1], S); /* since the row of the other group */
    ck_assert_uint_eq(r.n, 2);
    has_note("skipped-line", 1); /* no head for group 3 */
    read_ok(
        &ws_format_likwid_timeline,
        "# GID|MetricsCount|CpuCount|Total runtime [s]|CPI|IPC\n1 2 1 1.0 8000 1\n"
        "# GID|MetricsCount|CpuCount|Total runtime [s]|Energy [J]|Power [W]\n1 2 1 1.0 50.5 50.5\n"); /* another call */
    has("cpu0", "Energy [J]", "50.5");
}
END_TEST

/* --- Scaphandre --- */

START_TEST(scaphandre_host_holds_the_sockets)
{
    static const char text[] =
        "[{\"host\":{\"consumption\":50000000.0,\"timestamp\":1770796800.5,\"components\":{}},\"consumers\":[{\"exe\":"
        "\"/bin/x\",\"pid\":1,\"consumption\":9000000.0,\"timestamp\":1770796800.5}],\"sockets\":[{\"id\":0,"
        "\"consumption\":40000000.0,\"timestamp\":1770796800.5,"
        "\"domains\":[{\"name\":\"core\",\"consumption\":30000000.0,\"timestamp\":1770796800.5},"
        "{\"name\":\"dram\",\"consumption\":3500000.0,\"timestamp\":1770796800.5}]}]},"
        "{\"host\":{\"consumption\":52000000.0,\"timestamp\":1770796802.5},\"consumers\":[],\"sockets\":[{\"id\":0,"
        "\"consumption\":42000000.0,\"timestamp\":0,\"domains\":[]}]}]";
    is_recognised(&ws_format_scaphandre_json, text);
    read_ok(&ws_format_scaphandre_json, text);
    has("psys", NULL, "50 52");
    has("cpu0", NULL, "40 -");
    has("dram0", NULL, "3.5 -");
    ck_assert_int_eq(channel("psys", NULL)->channel.domain, WS_PSYS); /* nothing adds it to the sockets */
    ck_assert_int_eq(channel("core", NULL)->channel.domain, WS_CPU_CORE);
    ck_assert_int_eq(channel("psys", NULL)->t_ns[1], T0 + 5 * S / 2);
    ck_assert_uint_eq(r.n, 4); /* a process has a share of the host's power */
    has_note("bad-stamp", 1);
    read_fails(&ws_format_scaphandre_json, "[{\"host\":{\"consumption\":5", WS_FORMAT, "is cut");
    read_fails(&ws_format_scaphandre_json, "[{\"a\":1}]", WS_DATA, "no report");
}
END_TEST

/* Reports that lack the host or a socket. */
START_TEST(scaphandre_what_is_missing)
{
#define PART(power, stamp) "{\"consumption\":" power ",\"timestamp\":" stamp "}"
#define SOCKET(power, stamp) "[{\"id\":0,\"consumption\":" power ",\"timestamp\":" stamp "}]"
#define HOST_AND(host, sockets) "{\"host\":" host ",\"sockets\":" sockets "}"
    static const char *const reports[] = {HOST_AND(PART("50e6", "1770796800"), SOCKET("40e6", "1770796800")),
                                          HOST_AND("null", SOCKET("41e6", "1770796801")),
                                          HOST_AND(PART("52e6", "1770796802"), "[]"), HOST_AND("null", "[]"),
                                          HOST_AND(PART("53e6", "1770796804"), SOCKET("43e6", "1770796804"))};
    char text[1024];
    snprintf(text, sizeof text, "[%s,%s,%s,%s,%s]", reports[0], reports[1], reports[2], reports[3], reports[4]);
    read_ok(&ws_format_scaphandre_json, text);
    has("psys", NULL, "50 - 52 53");
    has("cpu0", NULL, "40 41 - 43");
    ck_assert_int_eq(channel("psys", NULL)->t_ns[1], T0 + S);
}
END_TEST

#define REPORT(stamp, power) \
    "{\"host\":{\"consumption\":" power ",\"timestamp\":" stamp "},\"consumers\":[],\"sockets\":[]}"

/* Killed while it wrote: what is whole counts, wherever the cut is; and reports without a list around them. */
START_TEST(scaphandre_cut_anywhere)
{
    static const char whole[] = "\xef\xbb\xbf[\n" REPORT("1770796800", "50e6") ",\n" REPORT(
        "1770796801", "NaN") ",\n" REPORT("1770796802", "52e6") "\n]\n";
    read_ok(&ws_format_scaphandre_json, whole);
    has("psys", NULL, "50 - 52");
    has_note("truncated-document", 0);
    size_t report_n = strlen(REPORT("1770796800", "50e6"));
    for (size_t n = 5 + report_n; n < sizeof whole - 3; n++) {
        char cut[sizeof whole];
        snprintf(cut, sizeof cut, "%.*s", (int)n, whole);
        read_ok(&ws_format_scaphandre_json, cut);
        const recorded *host = channel("psys", NULL);
        ck_assert_uint_ge(host->n, 1);
        ck_assert_double_eq(host->value[0], 50);
        has_note("truncated-document", 1);
    }
    read_fails(&ws_format_scaphandre_json, "[{\"host\":{\"x\":\"a\\\"}]", WS_FORMAT, "is cut");
    read_ok(&ws_format_scaphandre_json, REPORT("1770796800", "50e6") "\n" REPORT("1770796801", "51e6") "\n");
    has("psys", NULL, "50 51");
    read_ok(&ws_format_scaphandre_json, REPORT("1770796800", "50e6"));
    read_fails(&ws_format_scaphandre_json, "[" REPORT("1770796800", "50e6") ",\n{\"host\" 5}]", WS_FORMAT, "t.log:2: ");
    read_fails(&ws_format_scaphandre_json, "[" REPORT("1770796800", "50e6") ",\nhost", WS_FORMAT, "t.log:2: ");
}
END_TEST

/* A million lists inside each other are refused by their depth, without a stack that grows with them. */
START_TEST(scaphandre_of_many_depths)
{
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH * 2 + 20);
    strcpy(text, "{\"host\":");
    memset(text + 8, '[', DEPTH);
    memset(text + 8 + DEPTH, ']', DEPTH);
    strcpy(text + 8 + 2 * DEPTH, "}");
    read_fails(&ws_format_scaphandre_json, text, WS_FORMAT, "is no valid JSON");
    memset(text, '[', DEPTH);
    text[DEPTH] = 0;
    read_fails(&ws_format_scaphandre_json, text, WS_FORMAT, "is cut");
    free(text);
}
END_TEST

/* --- carbontracker --- */

/* Eight GPUs take two lines of NumPy's print; newer versions write one power without a list. */
START_TEST(carbontracker_lists_of_several_lines)
{
    read_ok(&ws_format_carbontracker_log,
            "2026-02-11 08:00:00 - Epoch 1:\n2026-02-11 08:00:00 - Duration: 0:02:00.50\n"
            "2026-02-11 08:00:00 - Average power usage (W) for gpu: [136.86084615 137.1 138.25 139.5\n"
            " 140.5 141.5 142.5\n 143.5]\n"
            "2026-02-11 08:00:00 - Average power usage (W) for cpu: 13.5\n"
            "2026-02-11 08:02:00 - Epoch 2:\n2026-02-11 08:02:00 - Duration: 0:01:59.00\n"
            "2026-02-11 08:02:00 - Average power usage (W) for gpu: [1.5 2.5\n"
            "2026-02-11 08:02:00 - Average power usage (W) for cpu: 14.5\n");
    has("gpu0", NULL, "136.86084615");
    has("gpu3", NULL, "139.5");
    has("gpu4", NULL, "140.5");
    has("gpu7", NULL, "143.5");
    has("cpu0", NULL, "13.5 14.5");
    has_note("skipped-line", 1);
}
END_TEST

START_TEST(carbontracker_epochs)
{
    static const char text[] = "2026-02-11 07:58:00 - The following components were found: GPU with device(s) X.\n"
                               "2026-02-11 08:00:00 - Epoch 1:\n2026-02-11 08:00:00 - Duration: 0:02:00.50\n"
                               "2026-02-11 08:00:00 - Average power usage (W) for gpu: [136.5 140.25]\n"
                               "2026-02-11 08:00:00 - Average power usage (W) for cpu: None\n"
                               "2026-02-11 08:02:00 - Epoch 2:\n2026-02-11 08:02:00 - Duration: 0:01:59.00\n"
                               "2026-02-11 08:02:00 - Average power usage (W) for gpu: [130.5, 141]\n"
                               "2026-02-11 08:02:00 - Average power usage (W) for cpu: 13.5\n"
                               "2026-02-11 08:02:00 - Average power usage (W) for gpu: [1";
    is_recognised(&ws_format_carbontracker_log, text);
    read_ok(&ws_format_carbontracker_log, text);
    has("gpu0", NULL, "136.5 130.5");
    has("gpu1", NULL, "140.25 141");
    has("cpu0", NULL, "- 13.5");
    const recorded *gpu = channel("gpu0", NULL);
    ck_assert_int_eq(gpu->t_ns[0], T0);
    ck_assert_int_eq(gpu->interval_ns[0], 241 * S / 2);
    ck_assert_int_eq(gpu->channel.rule, WS_RULE_RECTANGLE);
    has_note("truncated-line", 1);
    read_fails(&ws_format_carbontracker_log, "x - Average power usage (W) for gpu: [1]\n", WS_DATA, "no epoch");
}
END_TEST

TEST_MAIN("cpu logs", gadget_powers_are_means_of_intervals, gadget_energies_in_both_units, gadget_cut_and_restarted,
          gadget_logs_with_their_totals, pyjoules_measures_of_functions, zeus_windows_by_gpu,
          zeus_windows_inside_each_other, zeus_windows_that_overlap, ear_jobs_steps_and_nodes, ear_thousands_of_jobs,
          slurm_series_hold_no_energy, slurm_energy_of_steps_that_share_a_node, supercloud_gpu_in_any_order_of_columns,
          wandb_means_of_the_interval_before, likwid_powermeter_gives_energies_of_a_runtime, likwid_powermeter_of_old,
          ear_without_times, ear_loops_have_no_length, carbontracker_lists_of_several_lines,
          likwid_timeline_of_groups_in_turn, likwid_timeline_first_thread_of_a_socket,
          scaphandre_host_holds_the_sockets, scaphandre_what_is_missing, scaphandre_cut_anywhere,
          scaphandre_of_many_depths, carbontracker_epochs)
