#include "harness.h"

#include "recorder.h"

extern const ws_format ws_format_perf_stat_csv, ws_format_perf_stat_text;
static const ws_format *const csv = &ws_format_perf_stat_csv;
static const ws_format *const text_form = &ws_format_perf_stat_text;

#define S INT64_C(1000000000)

static int score_of(const ws_format *format, const char *text)
{
    return format->score("perf.txt", ws_span_of(text));
}

START_TEST(intervals_end_at_their_stamp)
{
    recorder r = {0};
    ck_assert_int_eq(
        recorder_read_text(&r, csv, "p.csv",
                           "     1.000000001,19.63,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                           "     1.000000001,3.25,Joules,power/energy-ram/,1000000000,100.00,,\n"
                           "     1.000000001,7303786493,,instructions,450266015517,100.00,0.31,insn per cycle\n"
                           "     2.500000000,20.00,Joules,power/energy-pkg/,1500000000,100.00,,\n"
                           "     2.500000000,3.75,Joules,power/energy-ram/,1500000000,100.00,,\n"),
        WS_OK);
    ck_assert_uint_eq(r.n, 2);
    const recorded *cpu = recorder_find(&r, "cpu0", "power/energy-pkg/");
    const recorded *dram = recorder_find(&r, "dram0", "power/energy-ram/");
    ck_assert(cpu && dram);
    ck_assert_int_eq(cpu->channel.domain, WS_CPU);
    ck_assert_int_eq(dram->channel.domain, WS_DRAM);
    ck_assert_int_eq(cpu->channel.quantity, WS_ENERGY_INTERVAL);
    ck_assert_int_eq(cpu->channel.rule, WS_RULE_INTERVAL);
    ck_assert_int_eq(cpu->channel.time, WS_TIME_RELATIVE);
    ck_assert_uint_eq(cpu->n, 2);
    ck_assert_int_eq(cpu->t_ns[0], 1000000001);
    ck_assert_int_eq(cpu->interval_ns[0], 1000000001);
    ck_assert_int_eq(cpu->interval_ns[1], 1499999999);
    ck_assert_int_eq(dram->interval_ns[1], 1499999999);
    ck_assert_int_eq(dram->line[1], 5);
    ck_close(recorded_sum(cpu), 39.63, 1e-15, 0);
    ck_assert_uint_eq(r.notes.n, 0);
    recorder_free(&r);
}
END_TEST

/* As text that went through an old Mac's editor. */
START_TEST(lines_may_end_in_carriage_returns)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "1.0,19.5,Joules,power/energy-pkg/,1000000000,100.00,,\r"
                                        "2.0,20.0,Joules,power/energy-pkg/,1000000000,100.00,,\r"
                                        "3.0,20.5,Joules,power/energy-pkg/,1000000000,100.00,,\r"),
                     WS_OK);
    const recorded *cpu = recorder_find(&r, "cpu0", NULL);
    ck_assert(cpu && cpu->n == 3);
    ck_assert_double_eq(recorded_sum(cpu), 60);
    ck_assert_int_eq(cpu->line[2], 3);
    recorder_free(&r);
}
END_TEST

START_TEST(a_socket_is_a_device)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "1.5,S0,1,10.00,Joules,power/energy-pkg/,1500000000,100.00,,\n"
                                        "1.5,S1,1,11.00,Joules,power/energy-pkg/,1500000000,100.00,,\n"),
                     WS_OK);
    const recorded *second = recorder_find(&r, "cpu1", NULL);
    ck_assert_ptr_nonnull(second);
    ck_assert_str_eq(second->channel.device_id, "S1");
    ck_assert(second->value[0] == 11.0);
    recorder_free(&r);

    /* -A: a processor of each package, without a number of processors behind it */
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "1.5;CPU0;10.00;Joules;power/energy-pkg/;1500000000;100.00;;\n"
                                        "1.5;CPU18;11.00;Joules;power/energy-pkg/;1500000000;100.00;;\n"),
                     WS_OK);
    second = recorder_find(&r, "cpu1", NULL);
    ck_assert_ptr_nonnull(second);
    ck_assert_str_eq(second->channel.device_id, "CPU18");
    ck_assert(second->value[0] == 11.0);
    recorder_free(&r);
}
END_TEST

/* -a: the counter of two packages runs two seconds in each second. */
START_TEST(packages_in_one_line)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "     1.000000000,20.00,Joules,power/energy-pkg/,2000000000,100.00,,\n"
                                        "     2.000000000,22.00,Joules,power/energy-pkg/,2000000000,100.00,,\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 1);
    ck_assert_double_eq(recorded_sum(&r.channels[0]), 42); /* of both, counted once */
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_SOCKETS_ADDED);
    ck_assert(note && note->line == 1 && strstr(note->text, "2 packages"));
    recorder_free(&r);
}
END_TEST

/* perf states joules; a thousand times as many under another name are no joules. */
START_TEST(another_unit)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "     1.000000000,20.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                                        "     2.000000000,22000.00,mJoules,power/energy-pkg/,1000000000,100.00,,\n"),
                     WS_OK);
    ck_assert_double_eq(recorded_sum(&r.channels[0]), 20);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_BAD_LINE));
    recorder_free(&r);
}
END_TEST

/* Without -I, with a die of its own (--per-die), and as text. */
START_TEST(sockets_of_every_form)
{
    static const struct {
        bool is_text;
        const char *file, *second;
    } cases[] = {
        {false,
         "S0,1,19.50,Joules,power/energy-pkg/,2000000000,100.00,,\n"
         "S1,1,18.25,Joules,power/energy-pkg/,2000000000,100.00,,\n",
         "S1"},
        {false,
         "1.0,S0-D0,1,19.50,Joules,power/energy-pkg/,1000000000,100.00,,\n"
         "1.0,S1-D0,1,18.25,Joules,power/energy-pkg/,1000000000,100.00,,\n",
         "S1-D0"},
        {true,
         "S0        1             19.50 Joules power/energy-pkg/\n"
         "S1        1             18.25 Joules power/energy-pkg/\n\n       2.000000000 seconds time elapsed\n",
         "S1"},
        {true,
         "CPU0              19.50 Joules power/energy-pkg/\nCPU18             18.25 Joules power/energy-pkg/\n\n"
         "       2.000000000 seconds time elapsed\n",
         "CPU18"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        recorder r = {0};
        ck_assert_int_eq(recorder_read_text(&r, cases[i].is_text ? text_form : csv, "p", cases[i].file), WS_OK);
        ck_assert_uint_eq(r.n, 2);
        const recorded *second = recorder_find(&r, "cpu1", NULL);
        ck_assert_msg(second && strcmp(second->channel.device_id, cases[i].second) == 0, "case %zu", i);
        ck_assert_double_eq(second->value[0], 18.25);
        ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_SOCKETS_ADDED));
        recorder_free(&r);
    }
}
END_TEST

static const struct {
    const char *event, *device;
    ws_domain domain;
} domains[] = {
    {"power/energy-pkg/", "cpu0", WS_CPU},        {"power/energy-ram/", "dram0", WS_DRAM},
    {"power/energy-cores/", "cpu0", WS_CPU_CORE}, {"power/energy-gpu/", "cpu0", WS_CPU_GFX},
    {"power/energy-psys/", "psys0", WS_PSYS},
};

START_TEST(event_names_give_domains)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        char line[200];
        recorder r = {0};
        snprintf(line, sizeof line, "1.0,5.00,Joules,%s,1000000000,100.00,,\n", domains[i].event);
        ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", line), WS_OK);
        const recorded *c = recorder_find(&r, domains[i].device, domains[i].event);
        ck_assert_msg(c && c->channel.domain == domains[i].domain, "%s", domains[i].event);
        recorder_free(&r);
    }
}
END_TEST

START_TEST(what_was_not_counted_is_missing)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "1.0,<not counted>,Joules,power/energy-pkg/,0,0.00,,\n"
                                        "2.0,4.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                                        "2.0,<not supported>,,power/energy-psys/,0,100.00,,\n"
                                        "3.0,4..0,Joules,power/energy-pkg/,1000000000,100.00,,\n"),
                     WS_OK);
    const recorded *cpu = recorder_find(&r, "cpu0", NULL), *psys = recorder_find(&r, "psys0", NULL);
    ck_assert(cpu && psys);
    ck_assert_uint_eq(cpu->n, 3);
    ck_assert(isnan(cpu->value[0]) && cpu->value[1] == 4.0 && isnan(cpu->value[2]) && isnan(psys->value[0]));
    ck_assert_int_eq(cpu->interval_ns[1], S);
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_NOT_COUNTED);
    ck_assert(note && note->line == 1 && note->count == 1);
    ck_assert(ws_notes_find(&r.notes, WS_FINDING_UNREADABLE_CELL) &&
              ws_notes_find(&r.notes, WS_FINDING_UNREADABLE_CELL)->line == 4);
    recorder_free(&r);
}
END_TEST

START_TEST(started_on_gives_the_date)
{
    static const char file[] =
        "# started on Sun Aug 24 12:00:00 2026\n\n1.5,5.00,Joules,power/energy-pkg/,15,100.00,,\n";
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", file), WS_OK);
    ck_assert_int_eq(r.channels[0].channel.time, WS_TIME_NAIVE);
    /* date -u -d '2026-08-24 12:00:00' +%s */
    ck_assert_int_eq(r.channels[0].t_ns[0], INT64_C(1787572801500000000));
    ck_assert_int_eq(r.channels[0].interval_ns[0], 1500000000);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_NAIVE_TIME));
    recorder_free(&r);

    ws_read_options cest = WS_READ_DEFAULTS;
    cest.zone = 7200;
    ck_assert_int_eq(recorder_read_input(&r, csv, ws_input_from_memory("p.csv", file, strlen(file)), &cest), WS_OK);
    ck_assert_int_eq(r.channels[0].channel.time, WS_TIME_UTC);
    ck_assert_int_eq(r.channels[0].t_ns[0], INT64_C(1787565601500000000));
    ck_assert_uint_eq(r.notes.n, 0);
    recorder_free(&r);
}
END_TEST

static const struct {
    const char *line, *value;
} comma_locale[] = {
    {"     1.001048308,19,63,Joules,power/energy-pkg/,2002406532,100,00,,\n", "'19,63'"},
    {"     1.001048308,S0,1,19,63,Joules,power/energy-pkg/,2002406532,100,00,,\n", "'19,63'"},
    {"     1.001048308,CPU0,19,63,Joules,power/energy-pkg/,2002406532,100,00,,\n", "'19,63'"},
    {"19,63,Joules,power/energy-pkg/,2002406532,100,00,,\n", "'19,63'"},
    {"     1.001048308;19,63,1;Joules;power/energy-pkg/;2002406532;100,00;;\n", "'19,63,1'"},
};

START_TEST(decimal_commas_are_refused)
{
    for (size_t i = 0; i < sizeof comma_locale / sizeof *comma_locale; i++) {
        recorder r = {0};
        ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", comma_locale[i].line), WS_FORMAT);
        ck_assert_msg(strstr(r.error.message, comma_locale[i].value) && strstr(r.error.message, "LC_ALL=C") &&
                          strncmp(r.error.message, "p.csv:1: ", 9) == 0,
                      "%s", r.error.message);
        recorder_free(&r);
    }
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt", "   271,49 Joules power/energy-pkg/\n"), WS_FORMAT);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt", "   1.879,05 Joules power/energy-pkg/\n"), WS_FORMAT);
    recorder_free(&r);
}
END_TEST

/* Between semicolons it can be nothing else. */
START_TEST(decimal_commas_between_semicolons)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "     1.000000000;19,63;Joules;power/energy-pkg/;1000000000;100,00;;\n"
                                        "     2,000000000;20,07;Joules;power/energy-pkg/;1000000000;100,00;;\n"),
                     WS_OK);
    const recorded *cpu = recorder_find(&r, "cpu0", "power/energy-pkg/");
    ck_assert(cpu != NULL);
    ck_close(recorded_sum(cpu), 39.70, 1e-15, 0);
    ck_assert_int_eq(cpu->t_ns[1], 2 * S);
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_DECIMAL_COMMA)->count, 2);
    recorder_free(&r);
}
END_TEST

#define JSON(lead, joules)                                                                                    \
    "{" lead "\"counter-value\" : \"" joules "\", \"unit\" : \"Joules\", \"event\" : \"power/energy-pkg/\", " \
    "\"event-runtime\" : 1000000000, \"pcnt-running\" : 100.00}\n"

/* perf stat -j -I 1000 --per-socket, and a total without -I. */
START_TEST(lines_of_json)
{
    static const char text[] = JSON("\"interval\" : 1.000000000, \"socket\" : \"S0\", ",
                                    "50.25") JSON("\"interval\" : 1.000000000, \"socket\" : \"S1\", ", "<not counted>")
        JSON("\"interval\" : 2.500000000, \"socket\" : \"S0\", ", "75.5")
            JSON("\"interval\" : 2.500000000, \"socket\" : \"S1\", ", "60.0") "{\"interval\" : 3.5, \"socket\" : \"S0";
    recorder r = {0};
    ck_assert_int_eq(score_of(csv, text), 95);
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.json", text), WS_OK);
    const recorded *first = recorder_find(&r, "cpu0", "power/energy-pkg/"),
                   *second = recorder_find(&r, "cpu1", "power/energy-pkg/");
    ck_assert(first && second && first->n == 2 && second->n == 2);
    ck_close(recorded_sum(first), 125.75, 1e-15, 0);
    ck_assert(isnan(second->value[0]) && second->value[1] == 60);
    ck_assert_int_eq(first->interval_ns[1], 1500000000);
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_TRUNCATED_LINE)->count, 1);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.json", JSON("", "475.5")), WS_OK);
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_GIVEN);
    ck_close(recorded_sum(&r.channels[0]), 475.5, 0, 0);
    recorder_free(&r);
}
END_TEST

START_TEST(a_cut_last_line_is_left_out)
{
    static const char *const tails[] = {"2.0", "2.0,4.0", "2.0,4.00,Joules,power/energy-p"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char text[200];
        recorder r = {0};
        snprintf(text, sizeof text, "1.0,5.00,Joules,power/energy-pkg/,1000000000,100.00,,\n%s", tails[i]);
        ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", text), WS_OK);
        ck_assert_uint_eq(r.n, 1);
        ck_assert_uint_eq(r.channels[0].n, 1);
        const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_TRUNCATED_LINE);
        ck_assert(note && note->line == 2);
        recorder_free(&r);
    }
}
END_TEST

/* What the program itself prints is passed over without a word. */
START_TEST(rows_cut_inside_are_told)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "     1.000000000,5.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                                        "     2.000000000\n     3.000000000,5.00\n42.5\nloss 0.123456789\n"
                                        "     3.50\n     3\n     \n     .5\n     1.0000000001\n"
                                        "     4.000000000,5.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"),
                     WS_OK);
    ck_assert_uint_eq(r.channels[0].n, 2);
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_BAD_LINE);
    ck_assert(note && note->line == 2 && note->count == 4);
    recorder_free(&r);
}
END_TEST

START_TEST(perf_started_again)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "1.0,5.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                                        "2.0,5.00,Joules,power/energy-pkg/,1000000000,100.00,,\n"
                                        "1.5,7.00,Joules,power/energy-pkg/,1500000000,100.00,,\n"),
                     WS_OK);
    ck_assert_int_eq(r.channels[0].interval_ns[2], 1500000000);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_TIME_STEPS_BACK));
    recorder_free(&r);
}
END_TEST

START_TEST(long_traces_come_in_pieces)
{
    enum { ROWS = 3000 };
    char *text = malloc(ROWS * 80);
    size_t n = 0;
    for (int i = 1; i <= ROWS; i++)
        n += (size_t)sprintf(text + n, "%d.0,%d.25,Joules,power/energy-pkg/,1000000000,100.00,,\n", i, i % 100);
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", text), WS_OK);
    const recorded *c = &r.channels[0];
    ck_assert_uint_eq(c->n, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        ck_assert_int_eq(c->t_ns[i], (int64_t)(i + 1) * S);
        ck_assert_int_eq(c->interval_ns[i], S);
        ck_assert(c->value[i] == (double)((i + 1) % 100) + 0.25);
    }
    recorder_free(&r);
    free(text);
}
END_TEST

START_TEST(totals_of_several_calls_are_runs)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv",
                                        "475.42,Joules,power/energy-pkg/,20005659301,100.00,,\n"
                                        "476.35,Joules,power/energy-pkg/,20005694876,100.00,,\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 2);
    ck_assert_str_eq(r.channels[0].channel.run, "1");
    ck_assert_str_eq(r.channels[1].channel.run, "2");
    ck_assert_int_eq(r.channels[1].channel.rule, WS_RULE_GIVEN);
    ck_assert_int_eq(r.channels[1].channel.time, WS_TIME_NONE);
    ck_assert(r.channels[1].value[0] == 476.35 && !r.channels[1].has_time);
    recorder_free(&r);
}
END_TEST

START_TEST(text_totals_with_thousands)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt",
                                        "make: nothing to be done, 3 Joules spent\n"
                                        " Performance counter stats for 'system wide':\n\n"
                                        "      755889860387        cycles                      (100.00%)\n"
                                        "          1,001,879.05 Joules power/energy-pkg/       (100.00%)\n"
                                        "   <not supported> Joules power/energy-psys/\n"
                                        "   <not counted>      power/energy-ram/\n\n"
                                        "      2.500000000 seconds time elapsed\n\n"
                                        "      0.001 seconds user\n"),
                     WS_OK);
    ck_assert_uint_eq(r.n, 3);
    const recorded *cpu = recorder_find(&r, "cpu0", "power/energy-pkg/");
    ck_assert_ptr_nonnull(cpu);
    ck_assert_str_eq(cpu->channel.run, "");
    ck_assert_int_eq(cpu->channel.rule, WS_RULE_GIVEN);
    ck_assert(cpu->value[0] == 1001879.05);
    ck_assert_int_eq(cpu->interval_ns[0], 2500000000);
    ck_assert_int_eq(cpu->t_ns[0], 2500000000);
    ck_assert(isnan(recorder_find(&r, "psys0", NULL)->value[0]));
    ck_assert(isnan(recorder_find(&r, "dram0", NULL)->value[0]));
    recorder_free(&r);
}
END_TEST

START_TEST(text_intervals)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt",
                                        "#           time socket cpus             counts unit events\n"
                                        "     1.000100000 S0        1              19.63 Joules power/energy-pkg/\n"
                                        "     1.000100000 S1        1              18.00 Joules power/energy-pkg/\n"
                                        "     2.000200000 S0        1      <not counted> Joules power/energy-pkg/\n"
                                        "     2.000200000 S1        1              18.50 Joules power/energy-pkg/\n"),
                     WS_OK);
    const recorded *first = recorder_find(&r, "cpu0", NULL), *second = recorder_find(&r, "cpu1", NULL);
    ck_assert(first && second && first->n == 2 && second->n == 2);
    ck_assert_int_eq(first->channel.rule, WS_RULE_INTERVAL);
    ck_assert(first->value[0] == 19.63 && isnan(first->value[1]) && second->value[1] == 18.5);
    ck_assert_int_eq(second->interval_ns[1], 1000100000);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt",
                                        "# started on Sun Aug 24 12:00:00 2026\n\n"
                                        "     1.500000000              19.63 Joules power/energy-pkg/\n"),
                     WS_OK);
    ck_assert_int_eq(r.channels[0].t_ns[0], INT64_C(1787572801500000000)); /* as in the form with commas */
    recorder_free(&r);
}
END_TEST

/* Killed while it wrote: the second number lacks its end, and the third its unit. */
START_TEST(text_that_is_cut)
{
    static const char *const tails[] = {"     2.000000000              1", "     2.000000000              18.50 Jou",
                                        "     2.000000000              18.50 Joules power/energy-p"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char text[200];
        recorder r = {0};
        snprintf(text, sizeof text, "     1.000000000              19.50 Joules power/energy-pkg/\n%s", tails[i]);
        ck_assert_int_eq(recorder_read_text(&r, text_form, "p.txt", text), WS_OK);
        ck_assert_uint_eq(r.n, 1);
        ck_assert_uint_eq(r.channels[0].n, 1);
        ck_assert_double_eq(r.channels[0].value[0], 19.5);
        recorder_free(&r);
    }
}
END_TEST

START_TEST(recognition)
{
    const char *a_csv =
        "# started on Sun Aug 24 12:00:00 2026\n\n1.0,5,,cycles,1,100\n1.0,5.00,Joules,power/energy-pkg/,9,100.00,,\n";
    const char *a_text = " Performance counter stats for 'x':\n\n   271.49 Joules power/energy-pkg/  (100.00%)\n";
    const char *other = "timestamp, power.draw [W]\n2023/07/14 10:12:46.483, 33.09 W\n";
    ck_assert_int_gt(score_of(csv, a_csv), 0);
    ck_assert_int_eq(score_of(text_form, a_csv), 0);
    ck_assert_int_gt(score_of(text_form, a_text), 0);
    ck_assert_int_eq(score_of(csv, a_text), 0);
    ck_assert_int_eq(score_of(csv, other) + score_of(text_form, other) + score_of(csv, ""), 0);
}
END_TEST

START_TEST(no_energy_is_an_error)
{
    recorder r = {0};
    ck_assert_int_eq(recorder_read_text(&r, csv, "p.csv", "1.0,5,,cycles,1,100.00,,\n"), WS_DATA);
    ck_assert_str_eq(r.error.message, "p.csv: no energy events: measure with -e power/energy-pkg/");
    recorder_free(&r);
}
END_TEST

/* Real logs. Expected: sums of the rows by an independent script (fixtures/truth.csv). */
static const struct {
    const char *file;
    bool is_text;
    const char *column, *device;
    ws_domain domain;
    size_t samples;
    double energy_j, duration_s;
} real[] = {
    {"broadwell_I1000_csv.txt", false, "power/energy-pkg/", "cpu0", WS_CPU, 30, 595.11, 30.001688646},
    {"haswell_i5_hpl_text.txt", true, "power/energy-cores/", "cpu0", WS_CPU_CORE, 1, 1879.05, 59.579140098},
    {"haswell_i5_hpl_text.txt", true, "power/energy-pkg/", "cpu0", WS_CPU, 1, 2333.17, 59.579140098},
    {"haswell_i5_hpl_text.txt", true, "power/energy-ram/", "dram0", WS_DRAM, 1, 95.78, 59.579140098},
    {"haswell_i5_perf_text.txt", true, "power/energy-cores/", "cpu0", WS_CPU_CORE, 1, 193.94, 10.709146172},
    {"haswell_i5_perf_text.txt", true, "power/energy-pkg/", "cpu0", WS_CPU, 1, 271.49, 10.709146172},
    {"haswell_i5_perf_text.txt", true, "power/energy-ram/", "dram0", WS_DRAM, 1, 11.83, 10.709146172},
};

START_TEST(real_logs)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set");
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        char path[1000];
        recorder r = {0};
        snprintf(path, sizeof path, "%s/fixtures/perf-stat/%s", corpus, real[i].file);
        ck_assert_msg(recorder_read_path(&r, real[i].is_text ? text_form : csv, path) == WS_OK, "%s", r.error.message);
        const recorded *c = recorder_find(&r, real[i].device, real[i].column);
        ck_assert_msg(c && c->channel.domain == real[i].domain, "%s", real[i].column);
        ck_assert_uint_eq(c->n, real[i].samples);
        ck_close(recorded_sum(c), real[i].energy_j, 1e-12, 0);
        int64_t duration_ns = 0;
        for (size_t k = 0; k < c->n; k++)
            duration_ns += c->interval_ns[k];
        ck_close((double)duration_ns / 1e9, real[i].duration_s, 1e-15, 0);
        ck_assert_int_eq(ws_notes_find(&r.notes, WS_FINDING_SOCKETS_ADDED) != NULL, !real[i].is_text);
        recorder_free(&r);
    }
}
END_TEST

TEST_MAIN("perf stat", intervals_end_at_their_stamp, lines_may_end_in_carriage_returns, a_socket_is_a_device,
          packages_in_one_line, another_unit, sockets_of_every_form, event_names_give_domains,
          what_was_not_counted_is_missing, started_on_gives_the_date, decimal_commas_are_refused,
          decimal_commas_between_semicolons, lines_of_json, a_cut_last_line_is_left_out, rows_cut_inside_are_told,
          perf_started_again, long_traces_come_in_pieces, totals_of_several_calls_are_runs, text_totals_with_thousands,
          text_intervals, text_that_is_cut, recognition, no_energy_is_an_error, real_logs)
