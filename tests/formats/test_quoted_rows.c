/* Notes and mails that show rows of a log are none; logs with what jobs, drivers and shells print between rows are. */
#include "harness.h"

#include "formats/input/input.h"
#include "formats/quoted_rows.h"

#include <stdio.h>
#include <string.h>

static const char *const logs[] = {
    "timestamp, index, power.draw [W]\n2026/02/11 08:00:00.000, 0, 100.00 W\n2026/02/11 08:00:01.000, 0, 101.00 W\n"
    "2026/02/11 08:00:02.000, 0, 100.00 W\n2026/02/11 08:00:03.000, 0, 102.00 W\n",
    "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n# Idx      W      C      C      %      %    MHz    MHz\n"
    "    0    251     61      -     97     40   1593   1410\n    0    252     61      -     97     40   1593   1410\n"
    "    0    253     61      -     97     40   1593   1410\n",
    "     1.001048308,19.63,Joules,power/energy-pkg/,2002406532,100.00,,\n"
    "     2.001948308,19.13,Joules,power/energy-pkg/,2002406532,100.00,,\n"
    "     3.002548308,19.43,Joules,power/energy-pkg/,2002406532,100.00,,\n",
    "1770796800000000 410000 Package_0\n1770796800100000 395000 Package_0\n1770796800200000 395000 Package_0\n",
    "JobID|State|Elapsed|ConsumedEnergyRaw\n4100001|COMPLETED|00:10:00|3600\n4100002|COMPLETED|00:10:00|3700\n"
    "4100003|COMPLETED|00:10:00|3600\n",
    "Timestamp: 2026-02-11 08:00:00 UTC\n"
    "Host Power       | 220 Watts         | ok\n"
    "Sys Fan Pwr      | 20 Watts          | ok\n"
    "Timestamp: 2026-02-11 08:00:10 UTC\n"
    "Host Power       | 221 Watts         | ok\n"
    "Sys Fan Pwr      | 20 Watts          | ok\n",
};
enum { LOGS = sizeof logs / sizeof *logs };

/* In front of each row stands `indent`. */
static const struct {
    const char *front, *indent, *behind;
} notes[] = {
    {"The log of the new node looks like this:\n\n", "", "\nBest,\nAnna\n"},
    {"# Setup\n\n```\n", "", "```\n"},
    {"Excerpt:\n", "", "...\n"},
    {"Peter wrote this morning that it works.\n\n", "> ", "\nAnna\n"},
    {"We set up the logger on the node with four cards and let it\nrun over night. Nobody else was on the node, as far "
     "as\nthe queue shows. These are the first rows of it.\n\n",
     "", ""},
    {"", "", "\nAs one can see, the power rises when the epoch\nbegins. We shall repeat that with another batch.\n"},
    {"Die Leistung des Knotens mit vier Karten.\n\n", "    ",
     "\nDer Deckel war bei der Messung geschlossen.\n\n- morgen noch einmal mit kleinerem Batch messen\n"},
    {"这是今天早上在新节点上测量的结果。\n", "",
     "第一批数据到达显卡后功率立即上升，之后保持不变。\n"
     "请看一下这些数字，然后告诉我你的想法。\n"},
};

static const struct {
    const char *front, *behind;
} noises[] = {
    {"", ""},
    {"Wed Feb 11 08:00:00 CET 2026\nnohup: ignoring input and appending output to 'nohup.out'\n", "Terminated\n"},
    {"Loading module cuda/12.1, gcc/12\nsrun: job 4100001 queued and waiting for resources\n",
     "slurmstepd: error: *** JOB 4100001 ON node1 CANCELLED AT 2026-02-11T09:00:00 DUE TO TIME LIMIT ***\n"},
    {"Starting the logger of the power of all GPUs\n", "The logger was stopped by the user.\n"},
    {"  (base) the environment \"train\" is active\n",
     "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA "
     "driver is installed and running.\n\n"
     "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA "
     "driver is installed and running.\n\n"},
    {"WARNING: infoROM is corrupted at gpu 0000:3B:00.0\n",
     "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to recover this "
     "GPU\nWARNING: infoROM is corrupted at gpu 0000:3B:00.0\n"},
};

static char text[16000];

static void add_rows(const char *log, const char *indent)
{
    ws_span rest = ws_span_of(log), line;
    while (ws_span_split(&rest, '\n', &line) && line.n)
        sprintf(text + strlen(text), "%s%.*s\n", indent, WS_SPAN_ARG(line));
}

static bool quotes_rows_in(int log, const char *name)
{
    ws_input *plain = ws_input_from_memory("log", logs[log], strlen(logs[log]));
    const ws_format *format = ws_format_recognise(plain, NULL);
    ws_input_close(plain);
    ck_assert_msg(format != NULL, "log %d", log);
    return ws_quotes_rows(format, name, ws_span_of(text));
}

static bool quotes_rows(int log)
{
    return quotes_rows_in(log, "lab/mail.txt");
}

START_TEST(notes_quote_rows)
{
    for (int log = 0; log < LOGS; log++) {
        for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
            strcpy(text, notes[i].front);
            add_rows(logs[log], notes[i].indent);
            strcat(text, notes[i].behind);
            ck_assert_msg(quotes_rows(log), "log %d, note %zu:\n%s", log, i, text);
        }
    }
}
END_TEST

/* Also where the log goes on behind it. */
START_TEST(logs_with_noise_do_not)
{
    for (int log = 0; log < LOGS; log++) {
        for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
            strcpy(text, noises[i].front);
            add_rows(logs[log], "");
            strcat(text, noises[i].behind);
            ck_assert_msg(!quotes_rows(log), "log %d, noise %zu:\n%s", log, i, text);
            add_rows(logs[log], "");
            ck_assert_msg(!quotes_rows(log), "log %d, noise %zu inside:\n%s", log, i, text);
        }
    }
}
END_TEST

/* Behind what a compiler says; and a job's own sentences behind each hundredth row. */
START_TEST(programs_print_more_than_rows)
{
    static const char compiler[] = "threads.c: In function 'main' of the first of the programs\n"
                                   "warning: variable 'a' set but not used in this function\n"
                                   "note: the first of them was declared in this place\n";
    snprintf(text, sizeof text,
             "%s Performance counter stats for 'system wide':\n\n     271.49 Joules power/energy-pkg/\n"
             "      11.83 Joules power/energy-ram/\n\n      10.709 seconds time elapsed\n",
             compiler);
    ck_assert(!ws_quotes_rows(ws_format_by_name("perf-stat-text"), "job.txt", ws_span_of(text)));
    static const char *const reports[][2] = {
        {"perf-stat-text", " Performance counter stats for 'system wide':\n\n     271.49 Joules power/energy-pkg/\n"
                           "      11.83 Joules power/energy-ram/\n\n      10.709 seconds time elapsed\n"},
        {"likwid-powermeter", "Runtime: 10.0021 s\nMeasure for socket 0 on CPU 0\nDomain PKG:\n"
                              "Energy consumed: 551.2 Joules\nPower consumed: 55.1 Watt\n"}};
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        snprintf(text, sizeof text, "%s%s",
                 "the mesh of the wing was read from the file\nall of the cells have the right size now\n"
                 "the solver began with the first of the steps\nit took 12 steps until the norm was small\n",
                 reports[i][1]);
        ck_assert_msg(!ws_quotes_rows(ws_format_by_name(reports[i][0]), "job.txt", ws_span_of(text)), "%s", text);
    }
    strcpy(text, logs[0]);
    for (int i = 0; i < 200; i++)
        sprintf(text + strlen(text), "2026/02/11 08:00:%02d.000, 0, 1.00 W\n%s", i % 60,
                i == 99    ? "the first half of the epochs is done\n"
                : i == 199 ? "the other half of them is done\n"
                           : "");
    ck_assert(!ws_quotes_rows(ws_format_by_name("nvidia-smi-csv"), "job.txt", ws_span_of(text)));
}
END_TEST

/* A job that is measured in the background says what it does, each time something else. */
START_TEST(jobs_speak_between_rows)
{
    static const char *const said[] = {
        "Saving the checkpoint of the model to the scratch directory now",
        "Evaluating the model on the validation set of the task", "The learning rate was reduced by a factor of ten",
        "Early stopping was triggered because the loss does not fall", "The best model so far was found in this epoch"};
    strcpy(text, "timestamp, index, power.draw [W]\n");
    for (int i = 0; i < 60; i++)
        sprintf(text + strlen(text), "2026/02/11 08:00:%02d.000, 0, 100.00 W\n%s%s", i, i % 12 == 7 ? said[i / 12] : "",
                i % 12 == 7 ? "\n" : "");
    ck_assert(!ws_quotes_rows(ws_format_by_name("nvidia-smi-csv"), "job.txt", ws_span_of(text)));
}
END_TEST

/* An exporter comments each of its metrics in a sentence. */
START_TEST(comments_of_rows_are_no_notes)
{
    static const char *const helps[] = {
        "A summary of the pause duration of garbage collection cycles", "Number of threads that currently exist",
        "The one minute load average of a node", "Current value of the package in joules, as the kernel counts it"};
    *text = '\0';
    for (int i = 0; i < 4; i++)
        sprintf(text + strlen(text), "# HELP metric_%d %s.\n# TYPE metric_%d gauge\nmetric_%d 344 1770796800000\n", i,
                helps[i], i, i);
    ck_assert(!ws_quotes_rows(ws_format_by_name("prometheus-text"), "job.txt", ws_span_of(text)));
}
END_TEST

/* Attributes of HDF5 hold sentences. */
START_TEST(bytes_are_no_notes)
{
    strcpy(text, "\x89HDF\r\n");
    for (size_t i = 0; i < 4; i++)
        sprintf(text + strlen(text), "a description of what this sensor %.*s measures here\n12 W\n", (int)i + 1,
                "abcd");
    ws_span bytes = ws_span_of(text);
    ck_assert(ws_quotes_rows(ws_format_by_name("nvidia-smi-csv"), "job.txt", bytes));
    text[4] = '\0';
    ck_assert(!ws_quotes_rows(ws_format_by_name("perun-hdf5"), "job.txt", bytes));
}
END_TEST

/* A job that prints and logs into one file: its name says that a program wrote it. */
START_TEST(output_may_hold_sentences)
{
    static const char *const outputs[] = {"slurm-4100001.out", "a/power.log", "a.dir/power.log.1", "gpu.csv.gz"},
                             *const texts[] = {"mail", "output.txt", "my.logs/mail", "gpu.csv.txt", "a.csv/b"};
    strcpy(text, "loading the data set from the disk\nall of the workers are there now\n");
    add_rows(logs[0], "");
    strcat(text, "the first of the epochs is done\nsaving the weights of the model now\n");
    add_rows(logs[0], "");
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        ck_assert_msg(!quotes_rows_in(0, outputs[i]), "%s", outputs[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(quotes_rows_in(0, texts[i]), "%s", texts[i]);
    strcat(text, "...\n");
    ck_assert(quotes_rows_in(0, outputs[0]));
}
END_TEST

TEST_MAIN("quoted rows", output_may_hold_sentences, notes_quote_rows, logs_with_noise_do_not,
          programs_print_more_than_rows, jobs_speak_between_rows, comments_of_rows_are_no_notes, bytes_are_no_notes)
