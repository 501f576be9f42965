/* A report as plain data: what was found in words, figures, tables, findings, provenance. Two writers take it: the
 * HTML page below and latex_report.h.
 *
 * Texts are copied into the page's arena unless said otherwise, and are plain: a writer escapes them. Links are
 * relative to the folder of the page. */
#ifndef WS_REPORT_PAGE_H
#define WS_REPORT_PAGE_H

#include "core/arena.h"
#include "core/note.h"
#include "core/status.h"
#include "core/table.h"
#include "report/page/provenance.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_page_text {
    const char **items;
    size_t n, capacity;
} ws_page_text;

/* A heading and the sentences below it. */
typedef struct ws_page_section {
    const char *heading;
    ws_page_text sentences;
    bool is_folded; /* shown on demand by the HTML page, behind figures and tables in print */
} ws_page_section;

/* A number that stands large at the top: "45", "runs". */
typedef struct ws_page_fact {
    const char *value, *label;
} ws_page_fact;

typedef struct ws_page_link {
    const char *label, *href; /* "PDF", "figures/campaign-speedup.pdf" */
} ws_page_link;

typedef struct ws_page_links {
    ws_page_link *items;
    size_t n, capacity;
} ws_page_links;

/* A place in a figure that shows its values: mm from the upper left corner of the paper. */
typedef struct ws_page_point {
    double x_mm, y_mm;
    const char *text;
} ws_page_point;

typedef struct ws_page_figure {
    const char *id, *title, *caption; /* id: letters, digits and '-', unique on the page; file names are made of it */
    const char *svg;                  /* a whole SVG document of draw.h, copied; it is trusted and not escaped */
    double width_mm, height_mm;
    ws_page_point *points;
    size_t n_points, point_capacity;
    size_t fullest; /* points of the panel that has the most; 0: curves, or nobody says */
    ws_page_links links;
} ws_page_figure;

typedef struct ws_page_table {
    const char *id, *title, *caption;
    const ws_table *table; /* the caller's: good until the page is written */
    ws_page_links links;
} ws_page_table;

typedef struct ws_page {
    const char *title;
    bool synthetic; /* the page says so first, and every caption last */
    ws_page_fact *facts;
    size_t n_facts, fact_capacity;
    ws_page_section *sections;
    size_t n_sections, section_capacity;
    ws_page_figure *figures;
    size_t n_figures, figure_capacity;
    ws_page_table *tables;
    size_t n_tables, table_capacity;
    ws_page_links files;             /* what else lies in the folder */
    const ws_notes *notes;           /* the caller's, may be NULL */
    const ws_provenance *provenance; /* the caller's, may be NULL */
    ws_arena arena;
} ws_page;

void ws_page_init(ws_page *page, const char *title);
void ws_page_free(ws_page *page); /* leaves a valid empty page */

void ws_page_add_fact(ws_page *page, const char *value, const char *label);
void ws_page_add_section(ws_page *page, const char *heading);
void ws_page_fold(ws_page *page); /* the section that was added last */
/* Add a sentence to the section that was added last. */
void ws_page_say(ws_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The pointers are good until the next one of its kind is added. */
ws_page_figure *ws_page_add_figure(ws_page *page, const char *id, const char *title, const char *caption,
                                   const char *svg);
void ws_page_add_point(ws_page *page, ws_page_figure *figure, double x_mm, double y_mm, const char *text);
ws_page_table *ws_page_add_table(ws_page *page, const char *id, const char *title, const char *caption,
                                 const ws_table *table);
void ws_page_add_link(ws_page *page, ws_page_links *links, const char *label, const char *href);

/* One HTML file that needs nothing else: style, script and figures are inside, and nothing is fetched. WS_IO: the
 * stream takes no more. WS_FORMAT: a figure's SVG is none. */
ws_status ws_page_write(FILE *stream, const ws_page *page, ws_error *error);

#endif
