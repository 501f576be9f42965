#include "report/page/page.h"

#include "report/page/page_parts.h"
#include "report/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ws_page_init(ws_page *page, const char *title)
{
    *page = (ws_page){0};
    page->title = ws_arena_strdup(&page->arena, title);
}

void ws_page_free(ws_page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        free(page->sections[i].sentences.items);
    for (size_t i = 0; i < page->n_figures; i++) {
        free(page->figures[i].points);
        free(page->figures[i].links.items);
    }
    for (size_t i = 0; i < page->n_tables; i++)
        free(page->tables[i].links.items);
    free(page->files.items);
    free(page->facts);
    free(page->sections);
    free(page->figures);
    free(page->tables);
    ws_arena_free(&page->arena);
    *page = (ws_page){0};
}

void ws_page_add_fact(ws_page *page, const char *value, const char *label)
{
    page->facts = ws_grow(page->facts, &page->fact_capacity, page->n_facts + 1, sizeof *page->facts);
    page->facts[page->n_facts++] =
        (ws_page_fact){ws_arena_strdup(&page->arena, value), ws_arena_strdup(&page->arena, label)};
}

void ws_page_add_section(ws_page *page, const char *heading)
{
    page->sections = ws_grow(page->sections, &page->section_capacity, page->n_sections + 1, sizeof *page->sections);
    page->sections[page->n_sections++] = (ws_page_section){.heading = ws_arena_strdup(&page->arena, heading)};
}

void ws_page_say(ws_page *page, const char *format, ...)
{
    char sentence[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    ws_page_text *text = &page->sections[page->n_sections - 1].sentences;
    text->items = ws_grow(text->items, &text->capacity, text->n + 1, sizeof *text->items);
    text->items[text->n++] = ws_arena_strdup(&page->arena, sentence);
}

ws_page_figure *ws_page_add_figure(ws_page *page, const char *id, const char *title, const char *caption,
                                   const char *svg)
{
    ws_arena *a = &page->arena;
    page->figures = ws_grow(page->figures, &page->figure_capacity, page->n_figures + 1, sizeof *page->figures);
    ws_page_figure *figure = &page->figures[page->n_figures++];
    *figure = (ws_page_figure){.id = ws_arena_strdup(a, id),
                               .title = ws_arena_strdup(a, title),
                               .caption = ws_arena_strdup(a, caption),
                               .svg = ws_arena_strdup(a, svg)};
    return figure;
}

void ws_page_add_point(ws_page *page, ws_page_figure *figure, double x_mm, double y_mm, const char *text)
{
    figure->points = ws_grow(figure->points, &figure->point_capacity, figure->n_points + 1, sizeof *figure->points);
    figure->points[figure->n_points++] = (ws_page_point){x_mm, y_mm, ws_arena_strdup(&page->arena, text)};
}

ws_page_table *ws_page_add_table(ws_page *page, const char *id, const char *title, const char *caption,
                                 const ws_table *table)
{
    ws_arena *a = &page->arena;
    page->tables = ws_grow(page->tables, &page->table_capacity, page->n_tables + 1, sizeof *page->tables);
    ws_page_table *added = &page->tables[page->n_tables++];
    *added =
        (ws_page_table){ws_arena_strdup(a, id), ws_arena_strdup(a, title), ws_arena_strdup(a, caption), table, {0}};
    return added;
}

void ws_page_add_link(ws_page *page, ws_page_links *links, const char *label, const char *href)
{
    links->items = ws_grow(links->items, &links->capacity, links->n + 1, sizeof *links->items);
    links->items[links->n++] =
        (ws_page_link){ws_arena_strdup(&page->arena, label), ws_arena_strdup(&page->arena, href)};
}

/* Marks that turn the direction of what follows them would reach beyond their own text; U+2068 and U+2069 isolate and turn
 * nothing. */
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

static void put_element(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    ws_html_put_text(stream, text);
    fprintf(stream, "</%s>\n", tag);
}

/* The page may run its own style and script and fetch nothing, whatever a text in it should say. */
static void put_head(FILE *stream, const ws_page *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", stream);
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n",
          stream);
    fputs(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n",
        stream);
    put_element(stream, "title", page->title);
    fprintf(stream, "<style>\n%s</style>\n</head>\n<body>\n", ws_page_style);
}

static void put_facts(FILE *stream, const ws_page *page)
{
    fputs(page->n_facts ? "<dl class=\"facts\">\n" : "", stream);
    for (size_t i = 0; i < page->n_facts; i++) {
        fputs("<div><dt>", stream);
        ws_html_put_text(stream, page->facts[i].label);
        fputs("</dt><dd>", stream);
        ws_html_put_text(stream, page->facts[i].value);
        fputs("</dd></div>\n", stream);
    }
    fputs(page->n_facts ? "</dl>\n" : "", stream);
}

static void put_contents(FILE *stream, const ws_page *page)
{
    const struct {
        const char *href, *label;
        bool is_there;
    } parts[] = {{"story", "Story", page->n_sections > 0},
                 {"figures", "Figures", page->n_figures > 0},
                 {"tables", "Tables", page->n_tables > 0},
                 {"findings", "Findings", page->notes != NULL},
                 {"provenance", "Provenance", page->provenance != NULL}};
    fputs("<nav aria-label=\"Contents\"><ul>\n", stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].is_there)
            fprintf(stream, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].href, parts[i].label);
    fputs("</ul></nav>\n", stream);
}

static void put_story(FILE *stream, const ws_page *page)
{
    fputs(page->n_sections ? "<section id=\"story\" class=\"story\">\n" : "", stream);
    for (size_t i = 0; i < page->n_sections; i++) {
        const ws_page_text *sentences = &page->sections[i].sentences;
        put_element(stream, "h2", page->sections[i].heading);
        fputs("<ul>\n", stream);
        for (size_t s = 0; s < sentences->n; s++)
            put_element(stream, "li", sentences->items[s]);
        fputs("</ul>\n", stream);
    }
    fputs(page->n_sections ? "</section>\n" : "", stream);
}

static void put_links(FILE *stream, const ws_page_links *links, const char *of)
{
    fputs(links->n ? "<p class=\"links\">" : "", stream);
    for (size_t i = 0; i < links->n; i++) {
        fputs(i ? " <a href=\"" : "<a href=\"", stream);
        ws_html_put_text(stream, links->items[i].href);
        fputs("\">", stream);
        ws_html_put_text(stream, links->items[i].label);
        fputs("<span class=\"of\"> of ", stream);
        ws_html_put_text(stream, of);
        fputs("</span></a>", stream);
    }
    fputs(links->n ? "</p>\n" : "", stream);
}

static void put_caption(FILE *stream, const ws_page *page, const char *title, const char *caption)
{
    fputs("<strong>", stream);
    ws_html_put_text(stream, title);
    fputs(".</strong> ", stream);
    ws_html_put_text(stream, caption);
    fputs(page->synthetic ? " <em>Synthetic data: made by a program, not measured.</em>" : "", stream);
}

static ws_status put_figure(FILE *stream, const ws_page *page, size_t i, ws_error *error)
{
    const ws_page_figure *figure = &page->figures[i];
    char prefix[32];
    snprintf(prefix, sizeof prefix, "f%zu-", i + 1);
    fprintf(stream, "<figure id=\"figure-%s\">\n<div class=\"paper\" tabindex=\"0\">", figure->id);
    ws_status status = ws_page_put_svg(stream, figure, prefix, error);
    fputs("</div>\n<output class=\"value\"></output>\n<figcaption>", stream);
    put_caption(stream, page, figure->title, figure->caption);
    fputs("</figcaption>\n", stream);
    put_links(stream, &figure->links, figure->title);
    fputs("</figure>\n", stream);
    return status;
}

static ws_status put_figures(FILE *stream, const ws_page *page, ws_error *error)
{
    ws_status status = WS_OK;
    fputs(page->n_figures ? "<section id=\"figures\">\n<h2>Figures</h2>\n" : "", stream);
    for (size_t i = 0; status == WS_OK && i < page->n_figures; i++)
        status = put_figure(stream, page, i, error);
    fputs(page->n_figures ? "</section>\n" : "", stream);
    return status;
}

static void put_tables(FILE *stream, const ws_page *page)
{
    fputs(page->n_tables ? "<section id=\"tables\">\n<h2>Tables</h2>\n" : "", stream);
    for (size_t i = 0; i < page->n_tables; i++) {
        const ws_page_table *table = &page->tables[i];
        fprintf(stream, "<div class=\"table\" id=\"table-%s\">\n<p class=\"caption\" id=\"caption-%s\">", table->id,
                table->id);
        put_caption(stream, page, table->title, table->caption);
        fputs("</p>\n", stream);
        ws_page_put_table(stream, table);
        put_links(stream, &table->links, table->title);
        fputs("</div>\n", stream);
    }
    fputs(page->n_tables ? "</section>\n" : "", stream);
}

ws_status ws_page_write(FILE *stream, const ws_page *page, ws_error *error)
{
    errno = 0;
    put_head(stream, page);
    fputs("<header>\n<p class=\"kicker\">Energy and scaling</p>\n", stream);
    put_element(stream, "h1", page->title);
    fputs(page->synthetic
              ? "<p class=\"synthetic\"><strong>Synthetic data:</strong> made by a program, not measured.</p>\n"
              : "",
          stream);
    put_facts(stream, page);
    put_contents(stream, page);
    fputs("</header>\n<main>\n", stream);
    put_story(stream, page);
    ws_status status = put_figures(stream, page, error);
    if (status != WS_OK)
        return status;
    put_tables(stream, page);
    if (page->notes)
        ws_page_put_findings(stream, page->notes);
    if (page->provenance)
        ws_page_put_provenance(stream, page->provenance);
    put_links(stream, &page->files, "this report");
    fprintf(stream, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", ws_page_script);
    if (fflush(stream) == 0 && !ferror(stream))
        return WS_OK;
    return ws_fail(error, WS_IO, "cannot be written: %s", errno ? strerror(errno) : "the output takes no more");
}
