#include "harness.h"

#include "core/text.h"
#include "formats/launcher_prefix.h"

#include <string.h>

extern const ws_format ws_format_nvidia_smi_dmon, ws_format_ptdaemon, ws_format_gmt_log;

static const char dmon[] = "# gpu    pwr  gtemp\n# Idx      W      C\n    0    251     61\n    0    252     61\n",
                  spl[] =
                      "Time,02-11-2026 08:00:00.749,Watts,16.0,Mark,a\nTime,02-11-2026 08:00:01.749,Watts,16.5,Mark,a\n"
                      "Time,02-11-2026 08:00:02.749,Watts,17.0,Mark,a\n",
                  gmt[] = "1770796800000000 410000 Package_0\n1770796800100000 395000 Package_0\n"
                          "1770796800200000 395000 Package_0\n";

/* `text` with that in front of each line. */
static ws_input *put_in_front(const char *prefix, const char *text, char *buffer)
{
    ws_span rest = ws_span_of(text), line;
    *buffer = '\0';
    while (ws_span_split(&rest, '\n', &line) && line.n)
        sprintf(buffer + strlen(buffer), "%s%.*s\n", prefix, WS_SPAN_ARG(line));
    return ws_input_from_memory("log", buffer, strlen(buffer));
}

START_TEST(what_stands_in_front_is_told_from_the_log)
{
    static const struct {
        const char *prefix;
        size_t words;
    } prefixes[] = {{"0: ", 0},
                    {"  12: ", 0},
                    {"1770796800.123456 ", 1},
                    {"2026-02-11T08:00:00 ", 1},
                    {"2026-02-11 08:00:00 ", 2},
                    {"Feb 11 08:00:00 ", 3},
                    {"Feb  1 08:00:00 ", 3}};
    static const struct {
        const ws_format *format;
        const char *text;
    } logs[] = {{&ws_format_nvidia_smi_dmon, dmon}, {&ws_format_ptdaemon, spl}, {&ws_format_gmt_log, gmt}};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
            char buffer[1000];
            ws_launcher_prefix found;
            ws_input *input = put_in_front(prefixes[p].prefix, logs[i].text, buffer);
            ck_assert_msg(ws_launcher_prefix_find(input, &found), "'%s' %s", prefixes[p].prefix, logs[i].format->name);
            ck_assert_ptr_eq(found.format, logs[i].format);
            ck_assert_uint_eq(found.words, prefixes[p].words);
            ck_assert(ws_span_eq(found.text, prefixes[p].prefix));
            ws_input_close(input);
        }
    }
}
END_TEST

START_TEST(what_is_no_prefix)
{
    static const struct {
        const char *prefix, *text;
    } cases[] = {{"", dmon},
                 {"0 ", dmon},
                 {"x: ", dmon},
                 {"2026-02-11 ", dmon},
                 {"Foo 11 08:00:00 ", dmon},
                 {"0: ", "prose\nand more\nof it\n"},
                 {"0: ", "one line\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[1000];
        ws_launcher_prefix found;
        ws_input *input = put_in_front(cases[i].prefix, cases[i].text, buffer);
        ck_assert_msg(!ws_launcher_prefix_find(input, &found), "case %zu", i);
        ws_input_close(input);
    }
    ws_input *few = ws_input_from_memory("log", "0: # gpu pwr\n# Idx W\n0 251\n0 252\n0 252\n", 36);
    ws_launcher_prefix found;
    ck_assert(!ws_launcher_prefix_find(few, &found));
    ws_input_close(few);
}
END_TEST

TEST_MAIN("launcher prefix", what_stands_in_front_is_told_from_the_log, what_is_no_prefix)
