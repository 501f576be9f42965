/* A delimited trace in a few lines of text, read and compared. */
#ifndef WS_TESTS_TRACE_CASE_H
#define WS_TESTS_TRACE_CASE_H

#include "harness.h"

#include "formats/format.h"
#include "recorder.h"

#include <string.h>

extern const ws_format ws_format_nvidia_smi_csv, ws_format_generic_csv;

#define S INT64_C(1000000000)
#define DAY_2026 (INT64_C(1767225600) * S) /* 2026-01-01T00:00:00Z */

static recorder r;

static inline ws_status read_format(const ws_format *format, const char *text, const char *map, int64_t period_ns)
{
    ws_read_options options = WS_READ_DEFAULTS;
    options.columns = map;
    options.period_ns = period_ns;
    recorder_free(&r);
    return recorder_read_input(&r, format, ws_input_from_memory("t.csv", text, strlen(text)), &options);
}

static inline void read_format_ok(const ws_format *format, const char *text)
{
    ws_status status = read_format(format, text, NULL, 0);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
}

/* Whatever place the file is cut at, the reader ends with a status and a word. Every byte lies at the end of its own
 * allocation once, so that a sanitizer sees one too far. */
static inline void cut_everywhere(const ws_format *format, const char *text)
{
    for (size_t n = strlen(text); n > 0; n--) {
        char *cut = malloc(n);
        memcpy(cut, text, n);
        recorder_free(&r);
        ws_status status = recorder_read_input(&r, format, ws_input_from_memory("t.csv", cut, n), NULL);
        ck_assert_msg(status == WS_OK || r.error.message[0], "cut after %d bytes: no message", (int)n);
        free(cut);
    }
}

static inline ws_status read_with(const char *text, const char *map, int64_t period_ns)
{
    return read_format(&ws_format_nvidia_smi_csv, text, map, period_ns);
}

static inline void read_ok(const char *text)
{
    ws_status status = read_with(text, NULL, 0);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
}

/* The values of a channel as "1 2 -" with - for missing, so that a case is one comparison. */
static inline void has(const char *device, const char *column, const char *want)
{
    char got[400] = "", number[WS_DOUBLE_TEXT];
    const recorded *c = recorder_find(&r, device, column);
    ck_assert_msg(c != NULL, "no channel %s of %s", column, device);
    for (size_t i = 0; i < c->n; i++) {
        ws_double_text(number, c->value[i]);
        strcat(strcat(got, i ? " " : ""), *number ? number : "-");
    }
    ck_assert_msg(strcmp(got, want) == 0, "%s of %s: '%s', not '%s'", column, device, got, want);
}

static inline void has_note(const char *code, uint64_t count)
{
    uint64_t got = 0;
    for (size_t i = 0; i < r.notes.n; i++)
        got += strcmp(ws_finding_code(r.notes.items[i].finding), code) == 0 ? r.notes.items[i].count : 0;
    ck_assert_msg(got == count, "%s: %d notes, not %d", code, (int)got, (int)count);
}

static inline int64_t at(const char *device, size_t i)
{
    const recorded *c = recorder_find(&r, device, NULL);
    ck_assert_ptr_nonnull(c);
    return c->t_ns[i];
}

static inline void fails(const char *text, const char *map, ws_status want, const char *word)
{
    ws_status status = read_with(text, map, 0);
    ck_assert_msg(status == want, "status %d: %s", (int)status, r.error.message);
    ck_assert_msg(strstr(r.error.message, word) != NULL, "no '%s' in: %s", word, r.error.message);
}

#endif
