#include "core/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ws_error_clear(ws_error *error)
{
    error->status = WS_OK;
    error->remedy = WS_REMEDY_NONE;
    error->said = error->n_said = 0;
    error->columns[0] = error->message[0] = '\0';
}

/* A message stays one printable line whatever bytes a file put into it. */
static void make_one_line(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

static void record(ws_error *error, ws_status status, const char *place, const char *format, va_list args)
{
    if (!error || error->status != WS_OK)
        return;
    error->status = status;
    int used = snprintf(error->message, sizeof error->message, "%s", place);
    size_t at = used < 0 ? 0 : (size_t)used;
    if (at < sizeof error->message)
        vsnprintf(error->message + at, sizeof error->message - at, format, args);
    make_one_line(error->message);
    error->said = (uint16_t)(at < sizeof error->message ? at : sizeof error->message - 1);
    error->n_said = (uint16_t)strlen(error->message + error->said);
}

ws_status ws_fail(ws_error *error, ws_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(error, status, "", format, args);
    va_end(args);
    return status;
}

ws_status ws_fail_at(ws_error *error, ws_status status, const char *source, int64_t line, const char *format, ...)
{
    char place[320];
    if (line > 0)
        snprintf(place, sizeof place, "%.280s:%" PRId64 ": ", source, line);
    else
        snprintf(place, sizeof place, "%.280s: ", source);
    va_list args;
    va_start(args, format);
    record(error, status, place, format, args);
    va_end(args);
    return status;
}

ws_status ws_fail_recipe(ws_error *error, const char *source, const char *recipe, const char *joint, const char *format,
                         ...)
{
    char place[400];
    snprintf(place, sizeof place, "%.280s: %.100s%s", source, recipe, joint);
    va_list args;
    va_start(args, format);
    record(error, WS_DATA, place, format, args);
    va_end(args);
    return WS_DATA;
}

ws_status ws_fail_offer(ws_error *error, const char *there_are, ws_status status)
{
    if (!error)
        return status;
    size_t n = strlen(error->message);
    snprintf(error->message + n, sizeof error->message - n, "; there are:%s", there_are);
    make_one_line(error->message);
    return status;
}

ws_status ws_fail_remedy(ws_error *error, ws_remedy remedy, const char *columns, ws_status status)
{
    if (!error)
        return status;
    error->remedy = remedy;
    snprintf(error->columns, sizeof error->columns, "%s", columns ? columns : "");
    return status;
}
