/* Plain lines of a description, read by the fast path, say what libcsv's way says. */
#include "harness.h"

#include "formats/table/preset.h"

#include "whole_reading.h"

#include <stdlib.h>

static const ws_preset_value probe_values[] = {{"power", WS_CPU, WS_POWER, WS_RULE_NONE, NULL, 0},
                                               {"load", WS_CPU, WS_UTIL, WS_RULE_NONE, "%", 0}};

/* Zones of "w" are in W, those of "m" in mW; from 9999999990 on there is no reading. */
static bool is_no_probe(ws_quantity quantity, double written)
{
    return quantity == WS_POWER && written >= 9999999990.0;
}

static bool about_probe(ws_arena *arena, const char *kind, const ws_span *cells, ws_preset_reading *reading)
{
    (void)arena, (void)cells;
    const char *zone = strrchr(kind, '/');
    zone = zone ? zone + 1 : kind;
    if (*zone != 'w' && *zone != 'm')
        return false;
    if (reading->quantity == WS_POWER)
        reading->unit = ws_unit_find(ws_span_of(*zone == 'm' ? "mW" : "W"));
    reading->is_blank = is_no_probe;
    return true;
}

static const ws_preset probe_preset = {.delimiter = ',',
                                       .must = {"time", "power"},
                                       .time = {"time"},
                                       .id = {"board", "zone"},
                                       .kind = {"board", "zone"},
                                       .about = about_probe,
                                       .unknown = "is no zone",
                                       WS_PRESET_VALUES(probe_values)};
WS_PRESET_FORMAT(probe, "probe", "a description of the tests", "", 3, WS_GIVES_POWER, WS_TRIED_HAND_MADE);

static const char probe_head[] = "time,board,zone,power,load\n";

/* Four columns name a row's source: three that are neighbours, and one by itself. */
static const ws_preset job_preset = {.delimiter = ',',
                                     .must = {"job", "power"},
                                     .time = {"end"},
                                     .interval = "length",
                                     .run = {"job", "step", "app"},
                                     .node = "node",
                                     WS_PRESET_VALUES(probe_values)};
WS_PRESET_FORMAT(job, "job", "another description of the tests", "", 3, WS_GIVES_POWER, WS_TRIED_HAND_MADE);

static const char job_head[] = "step,job,app,end,node,length,power,load\n";

/* What is said of the text is what libcsv's way says; returns how many lines were plain. */
static uint64_t plain_lines_of(const ws_format *format, const char *text)
{
    ws_line_counts counts = {0};
    ws_span bytes = ws_span_of(text);
    char *want = read_as_text(format, bytes, 0, &(ws_rows_options){.reader = WS_READER_CSV});
    char *got = read_as_text(format, bytes, 0, &(ws_rows_options){.counts = &counts});
    char *portable = read_as_text(format, bytes, 0, &(ws_rows_options){.reader = WS_READER_PORTABLE});
    const char *const ways[] = {got, portable};
    for (int i = 0; i < 2; i++) {
        char *difference = compare_texts(ways[i], want, i ? "portable" : "usual");
        ck_assert_msg(!difference, "%s", difference);
    }
    free(want);
    free(got);
    free(portable);
    return counts.plain;
}

static char *put_rows(char *at, int from, int to, const char *const *zones, int n)
{
    for (int i = from; i < to; i++)
        for (int z = 0; z < n; z++)
            at += sprintf(at, "%d.%06d,%s,%d.%02d,%d\n", i, 500 * z, zones[z], 100 + i % 90, i % 100, i % 101);
    return at;
}

/* Zones that come late, zones that are none, blanks, cells without a number, a row again, the header again. */
START_TEST(lines_of_a_description_are_plain)
{
    static const char *const zones[] = {"b0,w0", "b0,m0", "b1,w0", "b1,x0", "b1,m1"};
    static const char *const odd[] = {
        "200.1,b0,w0,1839203311,5\n",  "200.2,b0,w0,9999999990,5\n",   "200.3,b0,m0,N/A,\n", "200.4,b1,w0,12 W,7 %\n",
        "200.5,b1,w0,1e2,7\n",         "200.6,b0,w0,1,2,3\n",          "200.7,b0,w0,1\n",    "200.8,,w0,1,2\n",
        "no time,b0,w0,1,2\n",         "time,board,zone,power,load\n", "# a remark\n",       "200.9,b0,\"w0\",1,2\n",
        "1770796800123456,b0,w0,1,2\n"};
    char *text = malloc(256 * 1024), *at = text;
    at += sprintf(at, "%s", probe_head);
    at = put_rows(at, 0, 100, zones, 3);
    at = put_rows(at, 100, 200, zones, 5);
    size_t plain = plain_lines_of(&ws_format_probe, text);
    ck_assert_uint_gt(plain, 650); /* of 801, of which 100 are of no zone */
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *end = put_rows(at + sprintf(at, "%s", odd[i]), 201, 240, zones, 5);
        plain_lines_of(&ws_format_probe, text);
        *end = *at = '\0';
    }
    free(text);
}
END_TEST

/* Nodes take turns, later on every fifth row is of another step; then come rows of other spellings. */
START_TEST(several_columns_are_one_name)
{
    static const char *const odd[] = {"0,7,0,99000,n1,5,100,5\n",     "0,7,0,99000,n1,x,100,5\n",
                                      " 0, 7 ,0,99000, n1,5,1e2,5\n", "\"0\",7,0,99000,n1,5,100,5\n",
                                      "0,70,,99000,n1,5,100,5\n",     "0,7,0,99000,,5,100,5\n",
                                      ",,,99000,n1,5,100,5\n",        "0,7,0,99000,n11,5,100,5\n",
                                      "0,7,0,1,n1,5,100\n",           "1,77,0,99000,n1,5,N/A,5\n"};
    char *text = malloc(256 * 1024), *at = text + sprintf(text, "%s", job_head);
    for (int i = 0; i < 900; i++)
        at += sprintf(at, "%d,7,0,%d,n%d,60.0,%d.%02d,%d\n", i % 5 == 4 && i > 400, 1000 + i / 3 * 60, i % 3,
                      100 + i % 90, i % 100, i % 101);
    ck_assert_uint_gt(plain_lines_of(&ws_format_job, text), 890);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *end = at + sprintf(at, "%s", odd[i]);
        for (int k = 0; k < 40; k++)
            end += sprintf(end, "0,7,0,%d,n%d,60.0,120,5\n", 100000 + k * 60, k % 3);
        plain_lines_of(&ws_format_job, text);
        *at = '\0';
    }
    free(text);
}
END_TEST

/* Quotes keep the blanks of a name, and a plain cell has none: the device of the one is not that of the other. */
START_TEST(blanks_that_quotes_keep)
{
    static const char *const spelled[][2] = {{"\"n1 \"", "n1 "}, {"\" n1\"", " n1"}, {"\"n1\t\"", "n1\t"}};
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        char text[4096], *at = text + sprintf(text, "%s", job_head);
        for (int k = 0; k < 40; k++)
            at += sprintf(at, "0,7,0,%d,%s,60.0,%d,5\n", 1000 + k * 60, spelled[i][k > 0], 100 + k);
        plain_lines_of(&ws_format_job, text);
    }
}
END_TEST

/* Two sources whose names make one channel, other columns, and more sources than are remembered: rows go to series of
 * their own from there on. */
START_TEST(what_cannot_be_lent_is_taken_back)
{
    static const char *const same[] = {"a/b,w", "a,b/w"}, *const one[] = {"b0,w0"};
    char *text = malloc(1024 * 1024), *at = text + sprintf(text, "%s", probe_head);
    at = put_rows(at, 0, 50, one, 1);
    char *end = put_rows(at, 50, 90, same, 2);
    plain_lines_of(&ws_format_probe, text);
    end = at + sprintf(at, "time,zone,board,load,power\n");
    put_rows(end, 50, 90, one, 1);
    plain_lines_of(&ws_format_probe, text);
    end = at;
    for (int i = 0; i < 1500; i++)
        end += sprintf(end, "%d.5,b%d,w0,100.5,3\n", 50 + i, i);
    put_rows(end, 2000, 2050, one, 1);
    plain_lines_of(&ws_format_probe, text);
    free(text);
}
END_TEST

TEST_MAIN("plain presets", lines_of_a_description_are_plain, several_columns_are_one_name, blanks_that_quotes_keep,
          what_cannot_be_lent_is_taken_back)
