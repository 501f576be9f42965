/* Texts between tags and in quoted attributes. */
#include "report/page/page_parts.h"
#include "report/utf8.h"

#include <string.h>

/* Marks that turn the direction of what follows them would reach beyond their own text; U+2068 and U+2069 isolate and
 * turn nothing. */
static bool turns_direction(uint32_t point)
{
    return (point >= 0x202a && point <= 0x202e) || point == 0x2066 || point == 0x2067;
}

static const char *escape(uint32_t point, const char *rest)
{
    (void)rest;
    static const char *const escaped[128] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;"};
    if (turns_direction(point))
        return "\xef\xbf\xbd";
    return point < 128 ? escaped[point] : NULL;
}

void ws_html_put_text(FILE *stream, const char *text)
{
    ws_utf8_put(stream, text, escape);
}
