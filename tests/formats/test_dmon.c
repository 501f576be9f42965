/* Scrolling tables: nvidia-smi dmon and pmon, dcgmi dmon. Numbers known by hand. */
#include "trace_case.h"

extern const ws_format ws_format_nvidia_smi_dmon, ws_format_nvidia_smi_pmon, ws_format_dcgmi_dmon;

static const char with_stamps[] = "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk "
                                  "  pclk     fb   bar1 \n"
                                  "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %    MHz "
                                  "   MHz     MB     MB \n"
                                  " 20260101   23:59:59      0    251     61      -     97     40      0      0   1593 "
                                  "  1410      2      5 \n"
                                  " 20260101   23:59:59      1      -     60      -     50     20      0      0   1593 "
                                  "   345      1      5 \n"
                                  "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk "
                                  "  pclk     fb   bar1 \n"
                                  "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %    MHz "
                                  "   MHz     MB     MB \n"
                                  " 20260102   00:00:01      0    249     61      -     99     40      0      0   1593 "
                                  "  1410      2      5 \n";

START_TEST(dmon_with_date_and_time)
{
    read_format_ok(&ws_format_nvidia_smi_dmon, with_stamps);
    has("gpu0", "pwr", "251 249");
    has("gpu1", "pwr", "-"); /* missing is not zero */
    has("gpu0", "sm", "0.97 0.99");
    has("gpu0", "mem", "0.4 0.4");
    has("gpu1", "pclk", "345000000");
    has("gpu0", "fb", "2097152 2097152"); /* MiB under the name MB */
    has("gpu0", "gtemp", "61 61");
    ck_assert_uint_eq(r.n, 12); /* mtemp, mclk, bar1 and the codecs are of no use */
    const recorded *c = recorder_find(&r, "gpu0", "pwr");
    ck_assert_int_eq(c->t_ns[0], DAY_2026 + 86399 * S);
    ck_assert_int_eq(c->t_ns[1], DAY_2026 + 86401 * S);
    ck_assert_int_eq(c->line[1], 7);
    ck_assert_str_eq(c->channel.device_id, "0");
    ck_assert_str_eq(c->channel.identity, "index");
    ck_assert_int_eq(c->channel.time, WS_TIME_NAIVE);
    ck_assert_int_eq(c->channel.rule, WS_RULE_TRAPEZOID);
    has_note("naive-time", 1);
    has_note("changed-header", 0);
    ck_assert_uint_eq(r.notes.n, 1);
}
END_TEST

START_TEST(dmon_time_of_day_passes_midnight)
{
    read_format_ok(&ws_format_nvidia_smi_dmon, "#Time        gpu    pwr   temp\n#HH:MM:SS    Idx      W      C\n"
                                               " 23:59:59      0     50     40 \n 00:00:00      0     52     41 \n"
                                               " 00:00:02      0     54     41 \n");
    has("gpu0", "pwr", "50 52 54");
    has("gpu0", "temp", "40 41 41");
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), S);
    ck_assert_int_eq(at("gpu0", 2) - at("gpu0", 0), 3 * S);
    read_format_ok(&ws_format_nvidia_smi_dmon,
                   "#Date       gpu    pwr\n#YYYYMMDD   Idx      W\n 20260102     0     7 \n");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026 + 86400 * S);
}
END_TEST

START_TEST(dmon_without_time)
{
    static const char text[] =
        "# gpu    pwr  gtemp     sm \n# Idx      W      C      % \n    0     10     52      5 \n"
        "    1     20     50      6 \n    0     12     52      7 \n    1     22     50      8 \n";
    read_format_ok(&ws_format_nvidia_smi_dmon, text);
    const recorded *c = recorder_find(&r, "gpu1", "pwr");
    has("gpu1", "pwr", "20 22");
    ck_assert_int_eq(c->channel.time, WS_TIME_NONE);
    ck_assert(!c->has_time && !c->has_interval);
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_dmon, text, NULL, 2 * S), WS_OK);
    c = recorder_find(&r, "gpu1", "pwr");
    ck_assert_int_eq(c->channel.time, WS_TIME_RELATIVE);
    ck_assert_int_eq(c->t_ns[0], 0);
    ck_assert_int_eq(c->t_ns[1], 2 * S); /* the second sample, although the fourth row */
    ck_assert_int_eq(c->interval_ns[0], 2 * S);
}
END_TEST

START_TEST(dmon_every_group_of_columns)
{
    static const struct {
        const char *head, *units, *row, *column, *want;
    } cases[] = {
        {"# gpu    pwr  gtemp  mtemp", "# Idx      W      C      C", "    0     61     40     44 ", "pwr", "61"},
        {"# gpu    pwr   temp", "# Idx      W      C", "    0     61     40 ", "temp", "40"},
        {"# gpu     sm    mem    enc    dec    jpg    ofa", "# Idx      %      %      %      %      %      %",
         "    0     33     25      0      0      0      0 ", "mem", "0.25"},
        {"# gpu   mclk   pclk", "# Idx    MHz    MHz", "    0   1593   1410 ", "pclk", "1410000000"},
        {"# gpu     fb   bar1   ccpm", "# Idx     MB     MB     MB", "    0   1024      5      0 ", "fb", "1073741824"},
        {"# gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk pviol tviol    fb  bar1 sbecc dbecc   pci rxpci txpci",
         "# Idx     W     C     %     %     %     %   MHz   MHz     %  bool    MB    MB  errs  errs  errs  MB/s  MB/s",
         "    0   102    55    88    11     0     0   877  1290     0     0  9000     2     -     -     0     7     9 ",
         "pwr", "102"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s\n%s\n%s\n", cases[i].head, cases[i].units, cases[i].row);
        read_format_ok(&ws_format_nvidia_smi_dmon, text);
        has("gpu0", cases[i].column, cases[i].want);
        ck_assert_uint_eq(r.notes.n, 0);
        ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(text)), 95);
    }
}
END_TEST

START_TEST(dmon_with_commas)
{
    read_format_ok(&ws_format_nvidia_smi_dmon,
                   "#Date, Time, gpu, pwr, sm\n#YYYYMMDD, HH:MM:SS, Idx, W, %\n20260101, 00:00:03, 0, 61, 20\n");
    has("gpu0", "pwr", "61");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026 + 3 * S);
}
END_TEST

START_TEST(dmon_restarted_with_other_columns)
{
    read_format_ok(&ws_format_nvidia_smi_dmon, "# gpu    pwr     sm\n# Idx      W      %\n    0     10      5 \n"
                                               "# gpu     sm    pwr\n# Idx      %      W\n    0      6     11 \n");
    has("gpu0", "pwr", "10 11");
    has("gpu0", "sm", "0.05 0.06");
    has_note("changed-header", 1);
}
END_TEST

START_TEST(dmon_odd_lines)
{
    read_format_ok(
        &ws_format_nvidia_smi_dmon,
        "# gpu    pwr     sm \n# Idx      W      % \nNot supported on the device(s)\n    0     10      5 \n"
        "    0     xx      5 \n    0     10\nFailed to process command line.\n    0     11      6 \n    0     12  ");
    has("gpu0", "pwr", "10 - 11");
    has_note("skipped-line", 3);
    has_note("unreadable-cell", 1);
    has_note("truncated-line", 1);
    read_format_ok(&ws_format_nvidia_smi_dmon, "# gpu    pwr \n# Idx      W \n    0    100 \n    0     10");
    has("gpu0", "pwr", "100"); /* 10 may have been 102 */
    has_note("truncated-line", 1);
    read_format_ok(&ws_format_nvidia_smi_dmon, "# gpu    pwr \n# Idx      W \n    0    100 \n    0    102 ");
    has("gpu0", "pwr", "100 102");
    read_format_ok(&ws_format_nvidia_smi_dmon,
                   "#Time        gpu    pwr\n midday        0     50 \n 23:59:59      0  51 \n");
    has("gpu0", "pwr", "51");
    has_note("bad-stamp", 1);
    ck_assert_int_eq(
        read_format(&ws_format_nvidia_smi_dmon, "# gpu    pwr\n# Idx   W\nNot supported on the device(s)\n", NULL, 0),
        WS_DATA);
}
END_TEST

START_TEST(dmon_with_a_zero_byte_in_its_head)
{
    static const char text[] = "# pwr \0 gpu\n  10 a 0 \n";
    recorder_free(&r);
    ck_assert_int_eq(
        recorder_read_input(&r, &ws_format_nvidia_smi_dmon, ws_input_from_memory("t", text, sizeof text - 1), NULL),
        WS_OK);
    has("gpu0", "pwr", "10");
}
END_TEST

/* Without its head (--format noheader) nothing says what the columns are. */
START_TEST(dmon_without_head)
{
    static const char rows[] = "    0    117     45      -     13      6      0      0   7001   1492 \n"
                               "    0    118     45      -     13      6      0      0   7001   1492 \n";
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(rows)), 0);
    ck_assert_int_eq(read_format(&ws_format_nvidia_smi_dmon, rows, NULL, S), WS_DATA);
}
END_TEST

static const char entities[] = "#Entity   POWER   TOTEC       GPUTL  FBUSD   GRACT \n"
                               "ID        W       mJ                               \n"
                               "GPU 0     251.2   1839203311  97     2       0.812 \n"
                               "GPU 1     N/A     2147483640  50     1       N/A   \n"
                               "GPU-I 0   20.0    5           1      1       0.1   \n"
                               "#Entity   POWER   TOTEC       GPUTL  FBUSD   GRACT \n"
                               "ID        W       mJ                               \n"
                               "GPU 0     249.0   1839453311  2147483632 2   0.5   \n"
                               "GPU 1     140737488355328 9223372036854775792 60 1 0.25 \n";

START_TEST(dcgmi_entities)
{
    read_format_ok(&ws_format_dcgmi_dmon, entities);
    has("gpu0", "POWER", "251.2 249");
    has("gpu1", "POWER", "- -"); /* N/A and the number that stands for it */
    has("gpu0", "TOTEC", "1839203.311 1839453.311");
    has("gpu1", "TOTEC", "2147483.64 -"); /* a counter of mJ passes the blank of int32 */
    has("gpu0", "GPUTL", "0.97 -");
    has("gpu0", "FBUSD", "2097152 2097152");
    has("gpu0", "GRACT", "0.812 0.5");
    const recorded *c = recorder_find(&r, "gpu0", "TOTEC");
    ck_assert_int_eq(c->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(c->channel.rule, WS_RULE_COUNTER);
    ck_assert_int_eq(c->channel.time, WS_TIME_NONE);
    has_note("skipped-line", 1); /* a MIG instance is no whole GPU */
    ck_assert_uint_eq(r.n, 10);
}
END_TEST

START_TEST(dcgmi_other_heads)
{
    read_format_ok(&ws_format_dcgmi_dmon, "#Entity   GPUTL POWR GPUT\nID\nGPU 3     42   175.5    62\n");
    has("gpu3", "POWR", "175.5");
    has("gpu3", "GPUT", "62");
    has("gpu3", "GPUTL", "0.42");
    ck_assert_uint_eq(r.notes.n, 0);
    ck_assert_int_eq(read_format(&ws_format_dcgmi_dmon, "#Entity   POWER\nID        W\n", NULL, 0), WS_DATA);
    ck_assert_int_eq(
        read_format(&ws_format_dcgmi_dmon, "#Entity   TOTEC\nID        mJ\nGPU 0  1000\nGPU 0  3000\n", NULL, S / 10),
        WS_OK);
    has("gpu0", "TOTEC", "1 3");
    ck_assert_int_eq(at("gpu0", 1), S / 10);
}
END_TEST

static const char processes[] = "# gpu         pid   type     sm    mem    enc    dec    command\n"
                                "# Idx           #    C/G      %      %      %      %    name\n"
                                "    0      41207     C      97     40      -      -    python train.py\n"
                                "    1          -     -       -      -      -      -    -\n";

START_TEST(pmon_is_a_table)
{
    ws_table table;
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    char cell[WS_DOUBLE_TEXT];
    ws_input *input = ws_input_from_memory("t", processes, sizeof processes - 1);
    ws_table_init(&table, "t");
    ck_assert_int_eq(ws_format_nvidia_smi_pmon.read_table(input, &options, &table, &error), WS_OK);
    ck_assert_uint_eq(table.n_rows, 2);
    ck_assert_uint_eq(table.n_columns, 8);
    size_t pid, command;
    ck_assert(ws_table_find(&table, "pid", &pid) && ws_table_find(&table, "command", &command));
    ck_assert_str_eq(ws_table_cell_text(&table, pid, 0, cell), "41207");
    ck_assert_str_eq(ws_table_cell_text(&table, command, 0, cell), "python train.py");
    ck_assert(ws_table_is_missing(&table, pid, 1));
    ck_assert(ws_table_is_missing(&table, command, 1));
    ws_table_free(&table);
    ws_input_close(input);
}
END_TEST

START_TEST(pmon_with_date_and_time)
{
    static const char text[] = "#Date       Time        gpu         pid   type     sm    mem    command\n"
                               "#YYYYMMDD   HH:MM:SS    Idx           #    C/G      %      %    name\n"
                               " 20260101   00:00:01      0      41207     C      97     40    python train.py\n";
    ws_table table;
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    char cell[WS_DOUBLE_TEXT];
    size_t date, command;
    ck_assert_int_eq(ws_format_nvidia_smi_pmon.score("t", ws_span_of(text)), 95);
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(text)), 0);
    ws_input *input = ws_input_from_memory("t", text, sizeof text - 1);
    ws_table_init(&table, "t");
    ck_assert_int_eq(ws_format_nvidia_smi_pmon.read_table(input, &options, &table, &error), WS_OK);
    ck_assert(ws_table_find(&table, "Date", &date) && ws_table_find(&table, "command", &command));
    ck_assert_str_eq(ws_table_cell_text(&table, date, 0, cell), "20260101");
    ck_assert_str_eq(ws_table_cell_text(&table, command, 0, cell), "python train.py");
    ws_table_free(&table);
    ws_input_close(input);
}
END_TEST

START_TEST(pmon_cut)
{
    for (size_t n = 1; n < sizeof processes; n++) {
        ws_table table;
        ws_error error = {0};
        ws_read_options options = WS_READ_DEFAULTS;
        ws_input *input = ws_input_from_memory("t", processes, n);
        ws_table_init(&table, "t");
        ws_status status = ws_format_nvidia_smi_pmon.read_table(input, &options, &table, &error);
        ck_assert(status == WS_OK || error.message[0]);
        bool is_cut = processes[n - 1] != '\n' && processes[n - 1] != ' ' && n > 140; /* inside a row */
        ck_assert(!is_cut || ws_notes_find(&table.notes, WS_FINDING_TRUNCATED_LINE));
        ws_table_free(&table);
        ws_input_close(input);
    }
}
END_TEST

START_TEST(cut_at_any_byte)
{
    cut_everywhere(&ws_format_nvidia_smi_dmon, with_stamps);
    cut_everywhere(&ws_format_dcgmi_dmon, entities);
}
END_TEST

START_TEST(scores)
{
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(with_stamps)), 95);
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(processes)), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of(entities)), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_dmon.score("t", ws_span_of("# gpu notes of the day\n")), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_pmon.score("t", ws_span_of(processes)), 95);
    ck_assert_int_eq(ws_format_nvidia_smi_pmon.score("t", ws_span_of(with_stamps)), 0);
    ck_assert_int_eq(ws_format_dcgmi_dmon.score("t", ws_span_of(entities)), 95);
    ck_assert_int_eq(ws_format_dcgmi_dmon.score("t", ws_span_of("#Entity   XIDER\nID\n")), 0);
    ck_assert_int_eq(ws_format_dcgmi_dmon.score("t", ws_span_of(with_stamps)), 0);
}
END_TEST

TEST_MAIN("dmon", dmon_with_date_and_time, dmon_time_of_day_passes_midnight, dmon_without_time,
          dmon_every_group_of_columns, dmon_with_commas, dmon_restarted_with_other_columns, dmon_odd_lines,
          dmon_with_a_zero_byte_in_its_head, dmon_without_head, dcgmi_entities, dcgmi_other_heads, pmon_is_a_table,
          pmon_with_date_and_time, pmon_cut, cut_at_any_byte, scores)
