/* What nvidia-smi prints about all GPUs at one moment: XML, text and tables. Numbers known by hand. */
#include "trace_case.h"

extern const ws_format ws_format_nvidia_smi_xml, ws_format_nvidia_smi_text, ws_format_nvidia_smi_table;

#define XML_HEAD "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
#define XML_LOG(stamp, gpus) "<nvidia_smi_log>\n\t<timestamp>" stamp "</timestamp>\n" gpus "</nvidia_smi_log>\n"
#define XML_GPU(bus, uuid, power)                                                                                     \
    "\t<gpu id=\"" bus "\">\n\t\t<product_name>NVIDIA A100</product_name>\n\t\t<uuid>" uuid "</uuid>\n"               \
    "\t\t<fb_memory_usage>\n\t\t\t<total>40960 MiB</total>\n\t\t\t<used>3 MiB</used>\n\t\t</fb_memory_usage>\n"       \
    "\t\t<utilization>\n\t\t\t<gpu_util>97 %</gpu_util>\n\t\t\t<memory_util>40 %</memory_util>\n\t\t</utilization>\n" \
    "\t\t<temperature>\n\t\t\t<gpu_temp>61 C</gpu_temp>\n\t\t</temperature>\n" power                                  \
    "\t\t<clocks>\n\t\t\t<graphics_clock>1400 MHz</graphics_clock>\n\t\t\t<sm_clock>1410 MHz</sm_clock>\n"            \
    "\t\t</clocks>\n\t</gpu>\n"
#define POWER(watts) "\t\t<gpu_power_readings>\n\t\t\t<power_draw>" watts "</power_draw>\n\t\t</gpu_power_readings>\n"
#define FIRST "Thu Jan  1 00:00:00 2026"
#define SECOND "Thu Jan  1 00:00:05 2026"

static const char documents[] = XML_HEAD XML_LOG(FIRST, XML_GPU("00000000:17:00.0", "GPU-b", POWER("251.20 W"))
                                                            XML_GPU("00000000:65:00.0", "GPU-a", POWER("N/A")))
    XML_HEAD XML_LOG(SECOND, XML_GPU("00000000:17:00.0", "GPU-b", POWER("249.00 W"))
                                 XML_GPU("00000000:65:00.0", "GPU-a", POWER("60.50 W")));

static void xml_ok(const char *text)
{
    read_format_ok(&ws_format_nvidia_smi_xml, text);
}

START_TEST(xml_documents_one_after_the_other)
{
    xml_ok(documents);
    has("gpu0", "power_draw", "251.2 249");
    has("gpu1", "power_draw", "- 60.5");
    has("gpu0", "gpu_util", "0.97 0.97");
    has("gpu0", "memory_util", "0.4 0.4");
    has("gpu0", "used", "3145728 3145728");
    has("gpu0", "gpu_temp", "61 61");
    has("gpu0", "sm_clock", "1410000000 1410000000");
    const recorded *c = recorder_find(&r, "gpu0", "power_draw");
    ck_assert_str_eq(c->channel.device_id, "GPU-b");
    ck_assert_str_eq(c->channel.identity, "uuid");
    ck_assert_int_eq(c->channel.time, WS_TIME_NAIVE);
    ck_assert_int_eq(c->t_ns[0], DAY_2026);
    ck_assert_int_eq(c->t_ns[1], DAY_2026 + 5 * S);
    ck_assert_int_eq(c->line[0], 5); /* of <gpu> in its own document */
    ck_assert_uint_eq(r.n_facts, 2);
    ck_assert_str_eq(r.facts[0].text, "NVIDIA A100");
    has_note("naive-time", 1);
    ck_assert_uint_eq(r.notes.n, 1);
}
END_TEST

START_TEST(xml_names_of_power_by_driver)
{
    xml_ok(XML_LOG(FIRST, XML_GPU("00000000:17:00.0", "GPU-b",
                                  "<power_readings><power_draw>39.43 W</power_draw><power_limit>300.00 W</power_limit>"
                                  "</power_readings>")));
    has("gpu0", "power_draw", "39.43");
    has("gpu0", "power_limit", "300");
    xml_ok(XML_LOG(FIRST, XML_GPU("00000000:17:00.0", "GPU-b",
                                  "<gpu_power_readings><average_power_draw>70 W</average_power_draw>"
                                  "<instant_power_draw>71 W</instant_power_draw></gpu_power_readings>"
                                  "<gpu_memory_power_readings><average_power_draw>9 W</average_power_draw>"
                                  "</gpu_memory_power_readings>"
                                  "<module_power_readings><power_draw>700 W</power_draw></module_power_readings>")));
    has("gpu0", "average_power_draw", "70");
    has("gpu0", "instant_power_draw", "71");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "average_power_draw")->channel.preference, 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "instant_power_draw")->channel.preference, 2);
    ck_assert_ptr_null(recorder_find(&r, "gpu0", "power_draw")); /* the module holds the GPU */
}
END_TEST

/* "thousands of digits": 100 behind 300 zeros. */
START_TEST(xml_cells_of_any_length)
{
    char text[1000], zeros[301] = "";
    memset(zeros, '0', 300);
    snprintf(text, sizeof text,
             "<nvidia_smi_log><timestamp>" FIRST
             "</timestamp><gpu id=\"a\"><power_readings><power_draw>%s100 W</power_draw>"
             "</power_readings></gpu></nvidia_smi_log>\n",
             zeros);
    xml_ok(text);
    has("gpu0", "power_draw", "100");
}
END_TEST

/* A process in C:\Jürgen of a Windows in Latin-1; in the second document in UTF-8. */
START_TEST(xml_names_in_latin1)
{
#define PROCESS(name, watts)                                                                                           \
    "<gpu id=\"a\"><processes><process_info><process_name>C:\\J" name "rgen</process_name></process_info></processes>" \
    "<power_readings><power_draw>" watts " W</power_draw></power_readings></gpu>"
    xml_ok(XML_LOG(FIRST, PROCESS("\xfc", "5")) XML_LOG(SECOND, PROCESS("\xc3\xbc", "6")));
    has("gpu0", "power_draw", "5 6");
    has_note("not-utf8", 1);
    has_note("damaged-document", 0);
}
END_TEST

START_TEST(xml_instances_inside_a_gpu)
{
    xml_ok(XML_LOG(FIRST, "<gpu id=\"00000000:17:00.0\"><mig_devices><mig_device><fb_memory_usage><used>1 MiB</used>"
                          "</fb_memory_usage></mig_device></mig_devices><fb_memory_usage><used>9 MiB</used>"
                          "</fb_memory_usage></gpu>"));
    has("gpu0", "used", "9437184");
    ck_assert_str_eq(r.channels[0].channel.device_id, "00000000:17:00.0");
    ck_assert_str_eq(r.channels[0].channel.identity, "bus id");
    ck_assert_uint_eq(r.n, 1);
}
END_TEST

START_TEST(xml_all_on_one_line_and_junk_between)
{
    xml_ok("starting\n<nvidia_smi_log><timestamp>" FIRST "</timestamp><gpu id=\"a\"><power_readings><power_draw>5 W"
           "</power_draw></power_readings></gpu></nvidia_smi_log><nvidia_smi_log><timestamp>" SECOND
           "</timestamp><gpu id=\"a\"><power_readings><power_draw>6 W</power_draw></power_readings></gpu>"
           "</nvidia_smi_log> done & gone\nthe end\n");
    has("gpu0", "power_draw", "5 6");
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + 5 * S);
    has_note("truncated-document", 0);
}
END_TEST

START_TEST(xml_logger_stopped_and_started)
{
    xml_ok(XML_HEAD "<nvidia_smi_log>\n<timestamp>" FIRST
                    "</timestamp>\n<gpu id=\"a\"><power_readings><power_dr" XML_HEAD XML_LOG(
                        SECOND, "<gpu id=\"a\"><power_readings><power_draw>6 W</power_draw></power_readings></gpu>"));
    has("gpu0", "power_draw", "6");
    has_note("truncated-document", 1);
    xml_ok(XML_LOG(FIRST, "<gpu id=\"a\"><power_readings><power_draw>6 W</power_draw></power_readings></gpu></oops>")
               XML_LOG(SECOND, "<gpu id=\"a\"><power_readings><power_draw>7 W</power_draw></power_readings></gpu>"));
    has("gpu0", "power_draw", "6 7");
    has_note("damaged-document", 1);
}
END_TEST

START_TEST(xml_readings_that_come_and_go)
{
    xml_ok(XML_LOG(FIRST, "<gpu id=\"a\"><power_readings><power_draw>6 W</power_draw></power_readings></gpu>")
               XML_LOG(SECOND, "<gpu id=\"a\"><utilization><gpu_util>5 %</gpu_util></utilization></gpu>"));
    has("gpu0", "power_draw", "6 -"); /* missing, not left out */
    has("gpu0", "gpu_util", "0.05");
    xml_ok(XML_LOG(FIRST, "<gpu id=\"a\"><power_readings><power_draw>lots</power_draw></power_readings></gpu>")
               XML_LOG("later", "<gpu id=\"a\"><power_readings><power_draw>7 W</power_draw></power_readings></gpu>"));
    has("gpu0", "power_draw", "-");
    has_note("unreadable-cell", 1);
    has_note("bad-stamp", 2); /* the stamp itself, and the readings of a GPU that it leaves without time */
}
END_TEST

START_TEST(xml_without_time)
{
    static const char text[] =
        "<nvidia_smi_log><gpu id=\"a\"><power_readings><power_draw>6 W</power_draw></power_readings>"
        "</gpu></nvidia_smi_log>\n<nvidia_smi_log><gpu id=\"a\"><power_readings><power_draw>7 W"
        "</power_draw></power_readings></gpu></nvidia_smi_log>\n";
    xml_ok(text);
    has("gpu0", "power_draw", "6 7");
    ck_assert_int_eq(r.channels[0].channel.time, WS_TIME_NONE);
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_xml, text, NULL, 2 * S), WS_OK);
    ck_assert_int_eq(at("gpu0", 1), 2 * S);
}
END_TEST

static void xml_fails(const char *text, ws_status want, const char *word)
{
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_xml, text, NULL, 0), want);
    ck_assert_msg(strstr(r.error.message, word) != NULL, "no '%s' in: %s", word, r.error.message);
}

START_TEST(xml_attacks)
{
    xml_fails(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE nvidia_smi_log [\n<!ENTITY a \"aaaaaaaaaa\">\n<!ENTITY b \"&a;&a;&a;\">]>\n"
        "<nvidia_smi_log><timestamp>&b;</timestamp></nvidia_smi_log>\n",
        WS_FORMAT, "declares entities");
    xml_fails("<?xml version=\"1.0\"?><!DOCTYPE nvidia_smi_log [<!ENTITY a SYSTEM \"/etc/passwd\">]>"
              "<nvidia_smi_log><gpu id=\"a\"><uuid>&a;</uuid></gpu></nvidia_smi_log>",
              WS_FORMAT, "declares entities");
    enum { DEPTH = 100000 };
    char *nested = malloc(DEPTH * 3 + 40);
    size_t n = (size_t)sprintf(nested, "<nvidia_smi_log>");
    for (size_t i = 0; i < DEPTH; i++)
        n += (size_t)sprintf(nested + n, "<a>");
    xml_fails(nested, WS_FORMAT, "deep");
    free(nested);
    xml_fails("<nvidia_smi_log><timestamp>" FIRST "</timestamp></nvidia_smi_log>", WS_DATA, "no readings");
}
END_TEST

START_TEST(xml_endless_comment)
{
    enum { LINES = 700000, LINE = 50 };
    size_t n = 0;
    char *text = malloc((size_t)LINES * LINE + 100);
    n += (size_t)sprintf(text, "<nvidia_smi_log><!--\n");
    for (size_t i = 0; i < LINES; i++, n += LINE) {
        memset(text + n, 'x', LINE - 1);
        text[n + LINE - 1] = '\n';
    }
    text[n] = '\0';
    xml_fails(text, WS_FORMAT, "a document of more than");
    free(text);
}
END_TEST

static const char log_text[] = "\n==============NVSMI LOG==============\n\n"
                               "Timestamp                                 : " FIRST "\n"
                               "Driver Version                            : 535.104.05\n"
                               "Attached GPUs                             : 2\n"
                               "GPU 00000000:17:00.0\n"
                               "    Product Name                          : NVIDIA A100\n"
                               "    GPU UUID                              : GPU-b\n"
                               "    FB Memory Usage\n"
                               "        Total                             : 40960 MiB\n"
                               "        Used                              : 3 MiB\n"
                               "    MIG Devices\n"
                               "        FB Memory Usage\n"
                               "            Used                          : 1 MiB\n"
                               "    Utilization\n"
                               "        Gpu                               : 97 %\n"
                               "        Memory                            : 40 %\n"
                               "    Temperature\n"
                               "        GPU Current Temp                  : 61 C\n"
                               "    GPU Power Readings\n"
                               "        Power Draw                        : 251.20 W\n"
                               "        Current Power Limit               : 400.00 W\n"
                               "    Power Samples\n"
                               "        Max                               : 300.00 W\n"
                               "    Clocks\n"
                               "        SM                                : 1410 MHz\n"
                               "    Max Clocks\n"
                               "        SM                                : 1980 MHz\n"
                               "GPU 00000000:65:00.0\n"
                               "    GPU UUID                              : GPU-a\n"
                               "    Power Readings\n"
                               "        Power Draw                        : N/A\n"
                               "==============NVSMI LOG==============\n"
                               "Timestamp                                 : " SECOND "\n"
                               "GPU 00000000:17:00.0\n"
                               "    GPU UUID                              : GPU-b\n"
                               "    GPU Power Readings\n"
                               "        Average Power Draw                : 249.50 W\n"
                               "        Instantaneous Power Draw          : 250.00 W\n";

START_TEST(text_of_people)
{
    read_format_ok(&ws_format_nvidia_smi_text, log_text);
    has("gpu0", "power_draw", "251.2 -");
    has("gpu0", "average_power_draw", "249.5");
    has("gpu0", "instant_power_draw", "250");
    has("gpu0", "enforced_power_limit", "400 -");
    has("gpu0", "used", "3145728 -");
    has("gpu0", "gpu_util", "0.97 -");
    has("gpu0", "sm_clock", "1410000000 -");
    has("gpu0", "gpu_temp", "61 -");
    has("gpu1", "power_draw", "-");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "GPU-a");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "average_power_draw")->t_ns[0], DAY_2026 + 5 * S);
    ck_assert_str_eq(r.facts[0].text, "NVIDIA A100");
}
END_TEST

START_TEST(text_cut_down_to_power)
{
    read_format_ok(&ws_format_nvidia_smi_text,
                   "==============NVSMI LOG==============\nTimestamp                           : " FIRST "\n"
                   "GPU 0000:01:00.0\n    Power Readings\n        Power Management            : Supported\n"
                   "        Power Draw                  : 39.43 W\n        Enforced Power Limit        : 120.00 W\n"
                   "==============NVSMI LOG==============\nTimestamp                           : " SECOND "\n"
                   "GPU 0000:01:00.0\n    Power Readings\n        Power Draw                  : 3");
    has("gpu0", "power_draw", "39.43 -"); /* 3 may have been 39 */
    has("gpu0", "enforced_power_limit", "120 -");
    ck_assert_str_eq(r.channels[0].channel.identity, "bus id");
    has_note("truncated-line", 1);
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_text, "=====NVSMI LOG=====\nAttached GPUs : 0\n", NULL, 0),
                     WS_DATA);
}
END_TEST

#define TABLE_HEAD                                                                      \
    "+-----------------------------------------------------------------------------+\n" \
    "| NVIDIA-SMI 495.29.05    Driver Version: 495.29.05    CUDA Version: 11.5     |\n" \
    "|-------------------------------+----------------------+----------------------+\n" \
    "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |\n" \
    "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |\n" \
    "|===============================+======================+======================|\n"
#define TABLE_END                                                                       \
    "+-------------------------------+----------------------+----------------------+\n" \
    "+-----------------------------------------------------------------------------+\n" \
    "| Processes:                                                                  |\n" \
    "|    0   N/A  N/A      1234      C   python                           1000MiB |\n" \
    "+-----------------------------------------------------------------------------+\n"

static const char tables[] =
    "Thu Jan  1 00:00:00 2026       \n" TABLE_HEAD
    "|   0  Tesla V100-SXM2...  On   | 00000000:18:00.0 Off |                    0 |\n"
    "| N/A   40C    P0    66W / 300W |      3MiB / 32510MiB |     28%      Default |\n"
    "|                               |                      |                  N/A |\n"
    "+-------------------------------+----------------------+----------------------+\n"
    "|   1  Tesla V100-SXM2...  On   | 00000000:3B:00.0 Off |                    0 |\n"
    "| 30%   41C    P0   ERR! / 300W |      4MiB / 32510MiB |     N/A      Default |\n" TABLE_END
    "Thu Jan  1 00:00:05 2026       \n" TABLE_HEAD
    "|   0  Tesla V100-SXM2...  On   | 00000000:18:00.0 Off |                    0 |\n"
    "| N/A   42C    P0   166W /  300W |     5MiB / 32510MiB |    100%      Default |\n" TABLE_END;

START_TEST(tables_of_people)
{
    read_format_ok(&ws_format_nvidia_smi_table, tables);
    has("gpu0", "power_draw", "66 166");
    has("gpu1", "power_draw", "-");
    has("gpu0", "power_limit", "300 300");
    has("gpu0", "used", "3145728 5242880");
    has("gpu0", "gpu_util", "0.28 1");
    has("gpu1", "gpu_util", "-");
    has("gpu0", "gpu_temp", "40 42");
    has("gpu1", "gpu_temp", "41"); /* not the fan's 30% */
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + 5 * S);
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "00000000:3B:00.0");
    ck_assert_str_eq(r.facts[0].text, "Tesla V100-SXM2...");
    has_note("naive-time", 1);
    ck_assert_uint_eq(r.notes.n, 1);
}
END_TEST

START_TEST(table_cut_between_its_lines)
{
    char cut[4000];
    strcpy(cut, tables);
    *strstr(cut, "| N/A   42C") = '\0';
    read_format_ok(&ws_format_nvidia_smi_table, cut);
    has("gpu0", "power_draw", "66");
    has_note("truncated-document", 1);
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_table, TABLE_HEAD TABLE_END, NULL, 0), WS_DATA);
}
END_TEST

START_TEST(cut_at_any_byte)
{
    cut_everywhere(&ws_format_nvidia_smi_xml, documents);
    cut_everywhere(&ws_format_nvidia_smi_text, log_text);
    cut_everywhere(&ws_format_nvidia_smi_table, tables);
}
END_TEST

START_TEST(scores)
{
    ck_assert_int_eq(ws_format_nvidia_smi_xml.score("t", ws_span_of(documents)), 97);
    ck_assert_int_eq(ws_format_nvidia_smi_xml.score("t", ws_span_of(log_text)), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_text.score("t", ws_span_of(log_text)), 94);
    ck_assert_int_eq(ws_format_nvidia_smi_text.score("t", ws_span_of(tables)), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_table.score("t", ws_span_of(tables)), 93);
    ck_assert_int_eq(ws_format_nvidia_smi_table.score("t", ws_span_of(TABLE_HEAD TABLE_END)), 60); /* a job's log */
    ck_assert_int_eq(ws_format_nvidia_smi_table.score("t", ws_span_of("| a | b |\n")), 0);
}
END_TEST

TEST_MAIN("smi record", xml_documents_one_after_the_other, xml_names_of_power_by_driver, xml_cells_of_any_length,
          xml_names_in_latin1, xml_instances_inside_a_gpu, xml_all_on_one_line_and_junk_between,
          xml_logger_stopped_and_started, xml_readings_that_come_and_go, xml_without_time, xml_attacks,
          xml_endless_comment, text_of_people, text_cut_down_to_power, tables_of_people, table_cut_between_its_lines,
          cut_at_any_byte, scores)
