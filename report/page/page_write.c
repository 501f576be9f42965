/* The page as HTML, from its head to its last table. */
#include "report/page/page_parts.h"
#include "report/page/tie_words.h"
#include "report/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_element(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    ws_html_put_text(stream, text);
    fprintf(stream, "</%s>\n", tag);
}

/* The page may run its own style and script and fetch nothing, whatever a text in it should say. */
static void page_write_put_head(FILE *stream, const ws_page *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", stream);
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n",
          stream);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n",
          stream);
    put_element(stream, "title", page->title);
    fprintf(stream, "<style>\n%s</style>\n</head>\n<body>\n", ws_page_style);
}

/* Sentences and captions. */
static void put_prose(FILE *stream, const char *text)
{
    ws_arena arena = {0};
    ws_html_put_text(stream, ws_tie_words(&arena, text));
    ws_arena_free(&arena);
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
                 {"figures", "Figures", page->n_figures > 1},
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
        const ws_page_section *section = &page->sections[i];
        if (!section->sentences.n)
            continue;
        fputs(section->is_folded ? "<details>\n" : "", stream);
        put_element(stream, section->is_folded ? "summary" : "h2", section->heading);
        fputs("<ul>\n", stream);
        for (size_t s = 0; s < section->sentences.n; s++) {
            fputs("<li>", stream);
            put_prose(stream, section->sentences.items[s]);
            fputs("</li>\n", stream);
        }
        fputs(section->is_folded ? "</ul>\n</details>\n" : "</ul>\n", stream);
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
    put_prose(stream, caption);
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

/* One or two points say no more than a table. */
static bool has_few_points(const ws_page_figure *figure)
{
    enum { FEW = 2 };
    return figure->fullest > 0 && figure->fullest <= FEW;
}

/* The first one that shows more than two points leads the page, before the story; the others have a section of their
 * own. */
static size_t find_lead(const ws_page *page)
{
    size_t lead = 0;
    while (lead < page->n_figures && has_few_points(&page->figures[lead]))
        lead++;
    return lead < page->n_figures ? lead : 0;
}

static ws_status put_lead(FILE *stream, const ws_page *page, ws_error *error)
{
    return page->n_figures ? put_figure(stream, page, find_lead(page), error) : WS_OK;
}

static ws_status put_figures(FILE *stream, const ws_page *page, ws_error *error)
{
    ws_status status = WS_OK;
    size_t lead = find_lead(page);
    bool has_more = page->n_figures > 1;
    fputs(has_more ? "<section id=\"figures\">\n<h2>Figures</h2>\n" : "", stream);
    for (size_t i = 0; status == WS_OK && i < page->n_figures; i++)
        status = i == lead ? WS_OK : put_figure(stream, page, i, error);
    fputs(has_more ? "</section>\n" : "", stream);
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
    page_write_put_head(stream, page);
    fputs("<header>\n<p class=\"kicker\">Energy and scaling</p>\n", stream);
    put_element(stream, "h1", page->title);
    fputs(page->synthetic
              ? "<p class=\"synthetic\"><strong>Synthetic data:</strong> made by a program, not measured.</p>\n"
              : "",
          stream);
    put_facts(stream, page);
    put_contents(stream, page);
    fputs("</header>\n<main>\n", stream);
    ws_status status = put_lead(stream, page, error);
    put_story(stream, page);
    if (status == WS_OK)
        status = put_figures(stream, page, error);
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
