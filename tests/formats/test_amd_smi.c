/* rocm-smi and amd-smi as JSON, called again and again. Shapes as published outputs have them, numbers known by hand.
 */
#include "reader_case.h"

extern const ws_format ws_format_rocm_smi_json, ws_format_amd_smi_json, ws_format_amd_smi_text;

/* --- rocm-smi --- */

static const char rocm_poll[] =
    "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"32.0\", \"sclk clock speed:\": \"(800Mhz)\", "
    "\"Max Graphics Package Power (W)\": \"560.0\", \"Average Graphics Package Power (W)\": \"89.5\", "
    "\"GPU use (%)\": \"10\", \"Card series\": \"AMD INSTINCT MI250\", "
    "\"Energy counter\": \"62929744071539\", \"Accumulated Energy (uJ)\": \"962825000000.5\"}, "
    "\"card1\": {\"Average Graphics Package Power (W)\": \"N/A\", \"GPU use (%)\": \"20\"}, "
    "\"system\": {\"Driver version\": \"6.2.4\"}}\n";

START_TEST(rocm_polls_below_dates)
{
    char text[4000];
    snprintf(text, sizeof text, "Wed Feb 11 08:00:00 UTC 2026\n%sWed Feb 11 08:00:01 UTC 2026\n%s", rocm_poll,
             rocm_poll);
    is_recognised(&ws_format_rocm_smi_json, text);
    read_ok(&ws_format_rocm_smi_json, text);
    has("gpu0", "Average Graphics Package Power (W)", "89.5 89.5");
    has("gpu1", "Average Graphics Package Power (W)", "- -"); /* the second die of a module */
    has("gpu1", "GPU use (%)", "0.2 0.2");
    has("gpu0", "Accumulated Energy (uJ)", "962825.0000005 962825.0000005");
    has("gpu0", "sclk clock speed:", "800000000 800000000");
    has("gpu0", "Temperature (Sensor edge) (C)", "32 32");
    has("gpu0", "Max Graphics Package Power (W)", "560 560");
    const recorded *power = channel("gpu0", "Average Graphics Package Power (W)");
    ck_assert_int_eq(power->t_ns[0], T0);
    ck_assert_int_eq(power->t_ns[1], T0 + S);
    ck_assert_int_eq(power->channel.time, WS_TIME_UTC);
    ck_assert_int_eq(channel("gpu0", "Max Graphics Package Power (W)")->channel.quantity, WS_POWER_LIMIT);
    ck_assert_int_eq(channel("gpu0", "Accumulated Energy (uJ)")->channel.rule, WS_RULE_COUNTER);
    ck_assert_ptr_null(recorder_find(&r, NULL, "Energy counter")); /* counts in no unit */
    ck_assert_str_eq(r.facts[0].text, "AMD INSTINCT MI250");
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(rocm_polls_that_a_logger_wrapped)
{
    static const char text[] = "{\"timestamp\": 1770796800.5, \"data\": {\"card0\": "
                               "{\"Current Socket Graphics Package Power (W)\": \"140.0\"}}}\n"
                               "{\"timestamp\": 1770796801.5, \"data\": {\"card0\": "
                               "{\"Current Socket Graphics Package Power (W)\": \"142.0\"}}}\n";
    is_recognised(&ws_format_rocm_smi_json, text);
    read_ok(&ws_format_rocm_smi_json, text);
    has("gpu0", NULL, "140 142");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], T0 + 3 * S / 2);
    /* beside the cards */
    read_ok(&ws_format_rocm_smi_json, "{\"card0\": {\"Average Graphics Package Power (W)\": \"5\"}, \"timestamp\": "
                                      "1770796800}\n{\"card0\": {\"Average Graphics Package Power (W)\": \"7\"}, "
                                      "\"timestamp\": 1770796804}\n");
    has("gpu0", NULL, "5 7");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], T0 + 4 * S);
    /* behind a stamp on its line, and pretty-printed */
    read_ok(&ws_format_rocm_smi_json,
            "[2026-02-11 08:00:00] {\n  \"card0\": {\n    \"Average Graphics Package Power (W)\": \"5\"\n}}\n"
            "[2026-02-11 08:00:02] {\n  \"card0\": {\n    \"Average Graphics Package Power (W)\": \"7\"\n}}\n");
    has("gpu0", NULL, "5 7");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], T0 + 2 * S);
    has_note("naive-time", 1);
    has_note("truncated-document", 0);
}
END_TEST

/* Without a stamp each poll is a period on; two calls for one poll are one. */
START_TEST(rocm_polls_without_stamps)
{
    static const char two[] =
        "{\"card0\": {\"Average Graphics Package Power (W)\": \"50\"}}\n{\"card0\": {\"GPU use (%)\": \"9\"}}\n"
        "{\"card0\": {\"Average Graphics Package Power (W)\": \"60\"}}\n{\"card0\": {\"GPU use (%)\": \"8\"}}\n";
    ck_assert_int_eq(read_case(&ws_format_rocm_smi_json, "t", two, 2 * S), WS_OK);
    has("gpu0", "Average Graphics Package Power (W)", "50 60");
    ck_assert_int_eq(channel("gpu0", "Average Graphics Package Power (W)")->t_ns[1], 2 * S);
    ck_assert_int_eq(channel("gpu0", "GPU use (%)")->t_ns[0], 0);
    ck_assert_int_eq(channel("gpu0", "GPU use (%)")->t_ns[1], 2 * S);
    read_ok(&ws_format_rocm_smi_json, two);
    ck_assert_int_eq(channel("gpu0", NULL)->channel.time, WS_TIME_NONE);
}
END_TEST

/* One date above all polls is the first one's: the others have none, and are no readings at its time. */
START_TEST(one_date_is_of_one_poll)
{
    char text[4000];
    snprintf(text, sizeof text, "Wed Feb 11 08:00:00 UTC 2026\n%s%s%s", rocm_poll, rocm_poll, rocm_poll);
    read_ok(&ws_format_rocm_smi_json, text);
    has("gpu0", "Average Graphics Package Power (W)", "89.5");
    has_note("bad-stamp", 2);
}
END_TEST

/* --- amd-smi --- */

#define GPU_AT(time, gpu, watts, joules)                                                                       \
    "{\"timestamp\": " time ", \"gpu\": " gpu                                                                  \
    ", \"usage\": {\"gfx_activity\": {\"value\": 87, \"unit\": \"%\"}, \"umc_activity\": "                     \
    "{\"value\": 40, \"unit\": \"%\"}, \"vcn_activity\": [\"N/A\"]}, \"power\": {\"socket_power\": " watts     \
    ", \"gfx_voltage\": \"N/A\", \"throttle_status\": \"N/A\"}, \"energy\": {\"total_energy_consumption\": "   \
    "{\"value\": " joules                                                                                      \
    ", \"unit\": \"J\"}}, \"mem_usage\": {\"used_vram\": {\"value\": 2, \"unit\": \"MB\"}}, \"temperature\": " \
    "{\"edge\": \"N/A\", "                                                                                     \
    "\"hotspot\": {\"value\": 71, \"unit\": \"C\"}}}"
#define WATTS(w) "{\"value\": " w ", \"unit\": \"W\"}"

START_TEST(amd_watch_of_two_gpus)
{
    static const char text[] =
        "'CTRL' + 'C' to stop watching output:\n"
        "[\n" GPU_AT("1770796800", "0", WATTS("542"), "1000.5") ",\n" GPU_AT(
            "1770796800", "1", "\"N/A\"", "7") "\n]\n"
                                               "[\n" GPU_AT("1770796801", "0", WATTS("540"), "1541.5") ",\n" GPU_AT(
                                                   "1770796801", "1", WATTS("65535"), "8") "\n]\n";
    is_recognised(&ws_format_amd_smi_json, text);
    read_ok(&ws_format_amd_smi_json, text);
    has("gpu0", "power.socket_power", "542 540");
    has("gpu1", "power.socket_power", "- -"); /* 65535 is the driver's word for no reading */
    has("gpu0", "energy.total_energy_consumption", "1000.5 1541.5");
    has("gpu1", "usage.gfx_activity", "0.87 0.87");
    has("gpu1", "usage.umc_activity", "0.4 0.4");
    has("gpu0", "mem_usage.used_vram", "2097152 2097152");
    has("gpu0", "temperature.edge", "- -");
    has("gpu0", "temperature.hotspot", "71 71");
    ck_assert_int_eq(channel("gpu0", "energy.total_energy_consumption")->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(channel("gpu1", "power.socket_power")->t_ns[1], T0 + S);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(amd_calls_in_a_loop)
{
    static const char text[] = "1770796800\n"
                               "{\"gpu_data\": [{\"gpu\": 0, \"power\": {\"socket_power\": 100}}, "
                               "{\"gpu\": 1, \"power\": {\"socket_power\": 90}}]}\n"
                               "1770796803\n"
                               "{\"gpu_data\": [{\"gpu\": 0, \"power\": {\"socket_power\": 110}}, "
                               "{\"gpu\": 1, \"power\": {\"socket_power\": 95}}]}\n";
    is_recognised(&ws_format_amd_smi_json, text);
    read_ok(&ws_format_amd_smi_json, text);
    has("gpu0", NULL, "100 110");
    has("gpu1", NULL, "90 95");
    ck_assert_int_eq(channel("gpu1", NULL)->t_ns[1], T0 + 3 * S);
    /* older names, no stamps */
    static const char older[] =
        "[{\"gpu\": 0, \"power\": {\"average_socket_power\": {\"value\": 90, \"unit\": \"W\"}}}]\n"
        "[{\"gpu\": 0, \"power\": {\"average_socket_power\": {\"value\": 91000, \"unit\": \"mW\"}}}]\n";
    ck_assert_int_eq(read_case(&ws_format_amd_smi_json, "t", older, 10 * S), WS_OK);
    has("gpu0", NULL, "90 91");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], 10 * S);
}
END_TEST

START_TEST(amd_limits_and_cuts)
{
    static const char limits[] =
        "[{\"gpu\": 0, \"asic\": {\"market_name\": \"x\"}, \"limit\": {\"socket_power\": {\"value\": 300, "
        "\"unit\": \"W\"}}, \"power\": 1}]";
    ck_assert_int_eq(ws_format_amd_smi_json.score("t", ws_span_of(limits)), 0);
    read_fails(&ws_format_amd_smi_json, "[{\"gpu\": 0, \"process_list\": []}]", WS_DATA, "no readings of amd-smi");
    read_ok(&ws_format_amd_smi_json,
            "[{\"gpu\": 0, \"power\": {\"socket_power\": 100}}]\n[{\"gpu\": 0, \"power\": {\"socket_po");
    has("gpu0", NULL, "100");
    has_note("truncated-document", 1);
    read_fails(&ws_format_amd_smi_json, "[{\"gpu\": 0, }]\n", WS_FORMAT, "t.log:1: is no valid JSON");
}
END_TEST

/* --- as text --- */

START_TEST(rocm_lists)
{
#define LIST(day, first, second)                                                           \
    day "\n\n==================== ROCm System Management Interface ====================\n" \
        "========================== Power Consumption ==========================\n"        \
        "GPU[0]\t\t: Average Graphics Package Power (W): " first "\n"                      \
        "GPU[1]\t\t: Average Graphics Package Power (W): " second "\n"                     \
        "GPU[0]\t\t: GPU use (%): 50\n"                                                    \
        "=========================== End of ROCm SMI Log ===========================\n"
    static const char text[] =
        LIST("Wed Feb 11 08:00:00 UTC 2026", "89.5", "N/A") LIST("Wed Feb 11 08:00:02 UTC 2026", "90.5", "N/A");
    is_recognised(&ws_format_amd_smi_text, text);
    read_ok(&ws_format_amd_smi_text, text);
    has("gpu0", "Average Graphics Package Power (W)", "89.5 90.5");
    has("gpu1", "Average Graphics Package Power (W)", "- -");
    has("gpu0", "GPU use (%)", "0.5 0.5");
    ck_assert_int_eq(channel("gpu0", "GPU use (%)")->t_ns[1], T0 + 2 * S);
    ck_assert_uint_eq(r.notes.n, 0);
    /* without dates: a power that comes again begins the next poll; hy-smi calls its cards so */
    ck_assert_int_eq(read_case(&ws_format_amd_smi_text, "t",
                               "HCU[0] : Current Socket Graphics Package Power (W): 50.0\n"
                               "HCU[1] : Current Socket Graphics Package Power (W): 60.0\n"
                               "HCU[0] : Current Socket Graphics Package Power (W): 70.0\n",
                               5 * S),
                     WS_OK);
    has("gpu0", NULL, "50 70");
    has("gpu1", NULL, "60");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], 5 * S);
    /* a date for one poll is none of the next */
    read_ok(&ws_format_amd_smi_text, LIST("Wed Feb 11 08:00:00 UTC 2026", "89.5", "80") LIST("", "90.5", "80")
                                         LIST("Wed Feb 11 08:00:02 UTC 2026", "91.5", "80"));
    has("gpu0", "Average Graphics Package Power (W)", "89.5 91.5");
    has_note("bad-stamp", 1);
}
END_TEST

START_TEST(rocm_tables)
{
    static const char older[] = "1770796800\n"
                                "======================= ROCm System Management Interface =======================\n"
                                "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  \n"
                                "0    39.0c  102.0W  800Mhz  1600Mhz  0%   auto  560.0W    0%   25%   \n"
                                "1    44.0c  N/A     800Mhz  1600Mhz  0%   auto  0.0W      0%   0%    \n"
                                "============================= End of ROCm SMI Log ==============================\n"
                                "1770796801\n"
                                "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  \n"
                                "0    39.0c  104.0W  800Mhz  1600Mhz  0%   auto  560.0W    0%   25%   \n"
                                "1    44.0c  N/A     800Mhz  1600Mhz  0%   auto  0.0W      0%   0%    \n";
    is_recognised(&ws_format_amd_smi_text, older);
    read_ok(&ws_format_amd_smi_text, older);
    has("gpu0", "power", "102 104");
    has("gpu1", "power", "- -"); /* the second die: its cap of 0 W is no power */
    has("gpu0", "power cap", "560 560");
    has("gpu0", "GPU%", "0.25 0.25");
    has("gpu1", "temperature", "44 44");
    ck_assert_int_eq(channel("gpu0", "power")->t_ns[1], T0 + S);
    /* newer: a sign of two bytes in front of the power, names below the rows */
    static const char newer[] =
        "Device  [Model : Revision]    Temp        Power     Partitions      SCLK    MCLK    Fan  Perf  PwrCap  GPU%\n"
        "        Name (20 chars)       (Junction)  (Socket)  (Mem, Compute)\n"
        "0       [0x74a1 : 0x00]       35.0\302\260C      133.5W    NPS1, SPX       131Mhz  900Mhz  0%   auto  "
        "750.0W  50%\n"
        "        AMD Instinct MI300X\n";
    ck_assert_int_eq(read_case(&ws_format_amd_smi_text, "t", newer, S), WS_OK);
    has("gpu0", "power", "133.5");
    has("gpu0", "power cap", "750");
    has("gpu0", "GPU%", "0.5");
    has("gpu0", "temperature", "35");
}
END_TEST

START_TEST(amd_monitor_and_metric)
{
    static const char monitor[] = "TIMESTAMP  GPU  XCP  POWER  PWR_CAP   GPU_T   GFX%      VRAM_USAGE\n"
                                  "1770796800    0    0  123 W    750 W   40 \302\260C   12 %    0.3/192.0 GB\n"
                                  "1770796800    0    1    N/A      N/A     N/A    N/A    0.3/192.0 GB\n"
                                  "1770796800    1    0   99 W    750 W   41 \302\260C    N/A    0.3/192.0 GB\n"
                                  "1770796803    0    0  125 W    750 W   40 \302\260C   12 %    0.3/192.0 GB\n"
                                  "1770796803    1    0   97 W    750 W   41 \302\260C   13 %    0.3/192.0 GB\n";
    is_recognised(&ws_format_amd_smi_text, monitor);
    read_ok(&ws_format_amd_smi_text, monitor);
    has("gpu0", "power", "123 125");
    has("gpu1", "power", "99 97");
    has("gpu0", "power cap", "750 750");
    has("gpu1", "temperature", "41 41");
    has("gpu1", "GPU%", "0.13");
    ck_assert_int_eq(channel("gpu1", "power")->t_ns[1], T0 + 3 * S);
#define METRIC(gpu, watts, joules)                                                                          \
    "GPU: " gpu "\n    USAGE:\n        GFX_ACTIVITY: 87 %\n    POWER:\n        SOCKET_POWER: " watts " W\n" \
    "        GFX_VOLTAGE: N/A\n    ENERGY:\n        TOTAL_ENERGY_CONSUMPTION: " joules " J\n"               \
    "    LIMIT:\n        SOCKET_POWER: 300 W\n"
    static const char metric[] = "2026-02-11 08:00:00\n" METRIC("0", "137", "1000.5")
        METRIC("1", "98", "7") "2026-02-11 08:00:01\n" METRIC("0", "139", "1138.5") METRIC("1", "97", "105");
    is_recognised(&ws_format_amd_smi_text, metric);
    read_ok(&ws_format_amd_smi_text, metric);
    has("gpu0", "SOCKET_POWER", "137 139"); /* and not the limit of that name */
    has("gpu1", "TOTAL_ENERGY_CONSUMPTION", "7 105");
    has("gpu1", "GFX_ACTIVITY", "0.87 0.87");
    ck_assert_int_eq(channel("gpu0", "TOTAL_ENERGY_CONSUMPTION")->channel.quantity, WS_ENERGY_COUNTER);
    /* cut inside a number, and what only looks alike */
    ck_assert_int_eq(read_case(&ws_format_amd_smi_text, "t",
                               "GPU[0] : Average Graphics Package Power (W): 50.0\n"
                               "GPU[0] : Average Graphics Package Power (W): 6",
                               S),
                     WS_OK);
    has("gpu0", NULL, "50");
    has_note("truncated-line", 1);
    ck_assert_int_eq(ws_format_amd_smi_text.score("t", ws_span_of("GPU POWER\nrtx 300\n# GPU  Temp  AvgPwr\n")), 60);
    ck_assert_int_eq(ws_format_amd_smi_text.score("t", ws_span_of("Device: cuda\nPower: 5\n")), 0);
}
END_TEST

TEST_MAIN("rocm-smi and amd-smi", rocm_polls_below_dates, rocm_polls_that_a_logger_wrapped, rocm_polls_without_stamps,
          one_date_is_of_one_poll, amd_watch_of_two_gpus, amd_calls_in_a_loop, amd_limits_and_cuts, rocm_lists,
          rocm_tables, amd_monitor_and_metric)
