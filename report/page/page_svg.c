/* <svg viewBox="0 0 510.2 354.3" role="img" aria-label="..."> what cairo drew <g class="points"><circle ...><title>...
 *
 * Every document of cairo calls its glyphs glyph0-1, glyph0-2, ...: side by side on one page they need names of their
 * own. */
#include "report/page/page_parts.h"

#include "core/text.h"

#include <string.h>

/* Where a name of this document begins, behind one of these, each of which ends in a quote or a hash. */
static const char *const before_name[] = {" id=\"", "href=\"#", "url(#", "url('#", "url(&quot;#"};

/* Is one of them what ends at `end`? */
static bool is_before_name(const char *from, const char *end)
{
    for (size_t i = 0; i < sizeof before_name / sizeof *before_name; i++) {
        size_t n = strlen(before_name[i]);
        if ((size_t)(end - from) >= n && memcmp(end - n, before_name[i], n) == 0)
            return true;
    }
    return false;
}

static void put_renamed(FILE *stream, const char *from, const char *end, const char *prefix)
{
    for (const char *at = from + strcspn(from, "\"#"); at < end; at += strcspn(at, "\"#")) {
        at++;
        if (!is_before_name(from, at))
            continue;
        fwrite(from, 1, (size_t)(at - from), stream);
        fputs(prefix, stream);
        from = at;
    }
    fwrite(from, 1, (size_t)(end - from), stream);
}

static void put_number(FILE *stream, const char *name, double value)
{
    char text[WS_DOUBLE_TEXT];
    ws_double_text_decimals(text, value, 2);
    fprintf(stream, " %s=\"%s\"", name, text);
}

/* Circles that nobody sees: a pointer that rests on one shows its title, a tap its text below the figure. */
static void put_points(FILE *stream, const ws_page_figure *figure)
{
    static const double RADIUS_MM = 2.2, PT_PER_MM = 72 / 25.4;
    fputs("<g class=\"points\" fill=\"transparent\">", stream);
    for (size_t i = 0; i < figure->n_points; i++) {
        fputs("<circle", stream);
        put_number(stream, "cx", figure->points[i].x_mm * PT_PER_MM);
        put_number(stream, "cy", figure->points[i].y_mm * PT_PER_MM);
        put_number(stream, "r", RADIUS_MM * PT_PER_MM);
        fputs("><title>", stream);
        ws_html_put_text(stream, figure->points[i].text);
        fputs("</title></circle>\n", stream);
    }
    fputs("</g>", stream);
}

/* The style sheet makes of it how wide the figure is at most, on a screen and in print. */
static void put_paper_width(FILE *stream, double width_mm)
{
    char text[WS_DOUBLE_TEXT];
    ws_double_text_decimals(text, width_mm, 2);
    fprintf(stream, " style=\"--mm: %s\"", width_mm > 0 ? text : "180");
}

static const char *last_of(const char *text, const char *needle)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, needle)); at++)
        last = at;
    return last;
}

ws_status ws_page_put_svg(FILE *stream, const ws_page_figure *figure, const char *prefix, ws_error *error)
{
    const char *root = strstr(figure->svg, "<svg"), *inside = root ? strchr(root, '>') : NULL;
    const char *box = root ? strstr(root, "viewBox=\"") : NULL,
               *box_end = box ? strchr(box + strlen("viewBox=\""), '"') : NULL;
    const char *end = inside ? last_of(inside, "</svg>") : NULL;
    if (!end || !box_end || box_end > inside)
        return ws_fail(error, WS_FORMAT, "figure '%s' is no SVG document with a viewBox", figure->id);
    fputs("<svg ", stream);
    fwrite(box, 1, (size_t)(box_end - box) + 1, stream);
    put_paper_width(stream, figure->width_mm);
    fputs(" role=\"img\" aria-label=\"", stream);
    ws_html_put_text(stream, figure->title);
    fputs("\">", stream);
    put_renamed(stream, inside + 1, end, prefix);
    if (figure->n_points)
        put_points(stream, figure);
    fputs("</svg>", stream);
    return WS_OK;
}
