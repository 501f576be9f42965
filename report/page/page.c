#include "report/page/page.h"

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

void ws_page_fold(ws_page *page)
{
    page->sections[page->n_sections - 1].is_folded = true;
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
