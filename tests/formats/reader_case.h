/* A trace in a few lines of text, read by one reader and compared. */
#ifndef WS_TESTS_READER_CASE_H
#define WS_TESTS_READER_CASE_H

#include "harness.h"

#include "formats/format.h"
#include "recorder.h"

#include <string.h>

#define S INT64_C(1000000000)
#define T0 (INT64_C(1770796800) * S) /* 2026-02-11T08:00:00Z */

static recorder r;

static inline ws_status read_case(const ws_format *format, const char *name, const char *text, int64_t period_ns)
{
    ws_read_options options = WS_READ_DEFAULTS;
    options.period_ns = period_ns;
    recorder_free(&r);
    return recorder_read_input(&r, format, ws_input_from_memory(name, text, strlen(text)), &options);
}

static inline void read_ok(const ws_format *format, const char *text)
{
    ws_status status = read_case(format, "t.log", text, 0);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
}

static inline void read_fails(const ws_format *format, const char *text, ws_status want, const char *word)
{
    ws_status status = read_case(format, "t.log", text, 0);
    ck_assert_msg(status == want, "status %d: %s", (int)status, r.error.message);
    ck_assert_msg(strstr(r.error.message, word) != NULL, "no '%s' in: %s", word, r.error.message);
}

static inline const recorded *channel(const char *device, const char *column)
{
    const recorded *c = recorder_find(&r, device, column);
    ck_assert_msg(c != NULL, "no channel %s of %s", column ? column : "at all", device);
    return c;
}

/* The values as "1 2 -" with - for missing. */
static inline void has(const char *device, const char *column, const char *want)
{
    char got[400] = "", number[WS_DOUBLE_TEXT];
    const recorded *c = channel(device, column);
    for (size_t i = 0; i < c->n; i++) {
        ws_double_text(number, c->value[i]);
        strcat(strcat(got, i ? " " : ""), *number ? number : "-");
    }
    ck_assert_msg(strcmp(got, want) == 0, "%s of %s: '%s', not '%s'", column ? column : "values", device, got, want);
}

static inline void has_note(const char *code, uint64_t count)
{
    uint64_t got = 0;
    for (size_t i = 0; i < r.notes.n; i++)
        got += strcmp(ws_finding_code(r.notes.items[i].finding), code) == 0 ? r.notes.items[i].count : 0;
    ck_assert_msg(got == count, "%s: %d notes, not %d", code, (int)got, (int)count);
}

/* Recognised by its content, before every other format. */
static inline void is_recognised(const ws_format *format, const char *text)
{
    const ws_format *second;
    ws_input *input = ws_input_from_memory("t.log", text, strlen(text));
    const ws_format *best = ws_format_recognise(input, &second);
    ck_assert_msg(best == format, "taken for %s, not %s", best ? best->name : "nothing", format->name);
    ck_assert_msg(!second, "could also be %s", second ? second->name : "");
    ws_input_close(input);
}

#endif
