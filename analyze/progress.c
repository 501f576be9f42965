#include "analyze/progress.h"

#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void append(char *text, const char *format, const char *a, const char *b)
{
    size_t used = strlen(text);
    snprintf(text + used, WS_PROGRESS_TEXT - used, format, a, b);
}

/* "412 MB", "1.53 GB". */
static const char *size_text(double bytes, char buffer[WS_DOUBLE_TEXT])
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB"};
    size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    ws_double_text_decimals(buffer, bytes, unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2);
    return strcat(buffer, units[unit]);
}

static const char *time_text(double seconds, char buffer[WS_DOUBLE_TEXT])
{
    uint64_t s = (uint64_t)ceil(seconds);
    if (s < 100)
        snprintf(buffer, WS_DOUBLE_TEXT, "%" PRIu64 " s", s);
    else
        snprintf(buffer, WS_DOUBLE_TEXT, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
    return buffer;
}

void ws_progress_text(const ws_progress *p, double elapsed_s, char text[WS_PROGRESS_TEXT])
{
    enum { MOST_S = 1000000 };
    char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
    double bytes = (double)atomic_load(&p->bytes), all = (double)p->all_bytes;
    double rate = elapsed_s > 0 ? bytes / elapsed_s : 0, left_s = rate > 0 && all > bytes ? (all - bytes) / rate : 0;
    text[0] = '\0';
    append(text, all > 0 ? "%s of %s" : "%s", size_text(bytes, a), all > 0 ? size_text(all, b) : "");
    snprintf(a, sizeof a, "%" PRIuLEAST64, atomic_load(&p->files));
    snprintf(b, sizeof b, "%" PRIu64, p->all_files);
    if (p->all_files > 1)
        append(text, ", %s of %s files", a, b);
    append(text, ", %s/s%s", size_text(rate, a), "");
    if (left_s > 0 && left_s < MOST_S)
        append(text, ", %s left%s", time_text(left_s, a), "");
}
