/* \documentclass[a4paper,10pt]{article} ... \section{What was measured} ... \includegraphics{figures/campaign-
 * speedup.pdf} */
#include "report/page/latex_report.h"

#include "core/text.h"
#include "report/page/tie_words.h"
#include "report/table/table_forms.h"
#include "report/utf8.h"

#include <errno.h>
#include <string.h>

enum { LETTERS_OF_A_CELL = 40 };

/* pdflatex stops at a letter that its fonts do not have; a question mark lets the document through. */
static const char preamble[] =
    "\\documentclass[a4paper,10pt]{article}\n"
    "\\usepackage[margin=20mm]{geometry}\n"
    "\\usepackage{booktabs,graphicx,iftex,longtable,lscape}\n"
    "\\ifpdftex\n"
    "  \\usepackage[T1]{fontenc}\n"
    "  \\usepackage[utf8]{inputenc}\n"
    "  \\usepackage{textcomp}\n"
    "  \\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
    "  \\makeatletter\\def\\UTFviii@undefined@err#1{?}\\makeatother\n"
    "\\fi\n"
    "\\newcommand{\\fitted}[1]{\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{#1}}\n"
    "\\setlength{\\emergencystretch}{3em}\n";

static void put_synthetic(FILE *stream, const ws_page *page)
{
    fputs(page->synthetic ? " \\emph{Synthetic data: made by a program, not measured.}" : "", stream);
}

static size_t count_points(const char *text)
{
    size_t n = 0;
    for (; *text; n++)
        ws_utf8_next(&text);
    return n;
}

/* Sentences. A word that could be longer than what a line has left, a long name mostly, may break every few letters. */
static void put_prose(FILE *stream, const char *text)
{
    enum { LONGEST_WORD = 24, PIECE = 8 };
    ws_arena arena = {0};
    text = ws_tie_words(&arena, text);
    while (*text) {
        size_t bytes = strcspn(text, " ");
        bytes += strspn(text + bytes, " ");
        const char *at = ws_arena_strndup(&arena, text, bytes), *from = at;
        size_t piece = count_points(at) > LONGEST_WORD ? PIECE : LONGEST_WORD;
        for (text += bytes; *at; from = at) {
            for (size_t k = 0; *at && k < piece; k++)
                ws_utf8_next(&at);
            ws_latex_put_text(stream, ws_arena_strndup(&arena, from, (size_t)(at - from)));
            fputs(*at ? "\\allowbreak{}" : "", stream);
        }
    }
    ws_arena_free(&arena);
}

/* "Title. Caption." */
static void put_caption(FILE *stream, const ws_page *page, const char *title, const char *caption)
{
    fputs("\\textbf{", stream);
    ws_latex_put_text(stream, title);
    fputs(".} ", stream);
    put_prose(stream, caption);
    put_synthetic(stream, page);
}

/* What stands in each row of a wide table is said once, in its caption. */
static void put_table_caption(FILE *stream, const ws_page *page, const ws_page_table *table,
                              const ws_write_options *options)
{
    ws_arena arena = {0};
    const char *constants = options->no_constants ? ws_latex_constants(&arena, table->table) : "";
    const char *caption = ws_arena_printf(&arena, "%s In every row: %s.", table->caption, constants);
    put_caption(stream, page, table->title, *constants ? caption : table->caption);
    ws_arena_free(&arena);
}

static void put_story(FILE *stream, const ws_page *page, bool folded)
{
    for (size_t i = 0; i < page->n_sections; i++) {
        const ws_page_text *sentences = &page->sections[i].sentences;
        if (page->sections[i].is_folded != folded || !sentences->n)
            continue;
        fputs("\n\\section*{", stream);
        ws_latex_put_text(stream, page->sections[i].heading);
        fputs("}\n\\begin{itemize}\\setlength{\\itemsep}{0pt}\n", stream);
        for (size_t s = 0; s < sentences->n; s++) {
            fputs("\\item{} ", stream);
            put_prose(stream, sentences->items[s]);
            fputs("\n", stream);
        }
        fputs("\\end{itemize}\n", stream);
    }
}

static void put_figure(FILE *stream, const ws_page *page, const ws_page_figure *figure)
{
    char width[WS_DOUBLE_TEXT];
    ws_double_text_decimals(width, figure->width_mm, 2);
    fputs("\n\\begin{figure}[htbp]\n\\centering\n", stream);
    fprintf(stream,
            "\\includegraphics[width=\\ifdim%smm>\\linewidth\\linewidth\\else %smm\\fi,"
            "totalheight=.8\\textheight,keepaspectratio]{figures/%s.pdf}\n",
            width, width, figure->id);
    fputs("\\caption{", stream);
    put_caption(stream, page, figure->title, figure->caption);
    fputs("}\n\\end{figure}\n", stream);
}

/* Size of letters, and whether the page is turned, so that a table of so many letters fits between the margins of
 * 20 mm: Latin Modern's digits are about 4.3, 4.0 and 3.4 pt wide at these sizes, lines 483
 * and 731 pt. */
static const struct {
    const char *size;
    bool is_turned;
    size_t letters;
} settings[] = {
    {"\\footnotesize", false, 112}, {"\\scriptsize", false, 120}, {"\\scriptsize", true, 175}, {"\\tiny", true, 206}};

static ws_write_options options_of(const ws_table *table)
{
    ws_write_options options = {.longest = LETTERS_OF_A_CELL};
    options.no_constants = ws_latex_width(table, &options) > settings[0].letters;
    return options;
}

static void put_long_table(FILE *stream, const ws_page *page, const ws_page_table *table)
{
    enum { LAST = sizeof settings / sizeof *settings - 1, SHORTEST_LINE = 12, STEP = 4 };
    ws_write_options options = options_of(table->table);
    size_t letters = ws_latex_width(table->table, &options), k = 0;
    while (k < LAST && letters > settings[k].letters)
        k++;
    for (size_t line = LETTERS_OF_A_CELL - STEP; letters > settings[k].letters && line >= SHORTEST_LINE; line -= STEP) {
        options.line = line;
        letters = ws_latex_width(table->table, &options);
    }
    /* Tables before it float: on a new page they stand in front of it, by their numbers. */
    fputs(settings[k].is_turned ? "\n\\begin{landscape}\n" : "\n\\clearpage\n", stream);
    /* A longtable counts itself: the number that stands in front of it is taken back. */
    fputs("\\par\\medskip\\refstepcounter{table}\\noindent\\tablename~\\thetable: ", stream);
    put_table_caption(stream, page, table, &options);
    fprintf(stream, "\\par\n{%s\\setlength{\\tabcolsep}{3pt}\n", settings[k].size);
    ws_table_write_latex(stream, table->table, &options);
    fputs("}\\addtocounter{table}{-1}\n", stream);
    fputs(settings[k].is_turned ? "\\end{landscape}\n" : "", stream);
}

static void put_table(FILE *stream, const ws_page *page, const ws_page_table *table)
{
    if (ws_latex_is_long(table->table)) {
        put_long_table(stream, page, table);
        return;
    }
    ws_write_options options = options_of(table->table);
    options.no_footnotes = true;
    fputs("\n\\begin{table}[htbp]\n\\centering\n\\caption{", stream);
    put_table_caption(stream, page, table, &options);
    fputs("}\n\\smallskip\\footnotesize\n", stream);
    fputs(options.no_constants ? "\\setlength{\\tabcolsep}{3pt}\n" : "", stream); /* it is wide */
    fputs("\\fitted{%\n", stream);
    ws_table_write_latex(stream, table->table, &options);
    fputs("}\n", stream);
    ws_latex_put_footnotes(stream, table->table);
    fputs("\\end{table}\n", stream);
}

ws_status ws_latex_report_write(FILE *stream, const ws_page *page, ws_error *error)
{
    errno = 0;
    fputs(preamble, stream);
    fputs("\\title{", stream);
    ws_latex_put_text(stream, page->title);
    fputs("}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n", stream);
    put_synthetic(stream, page);
    put_story(stream, page, false);
    for (size_t i = 0; i < page->n_figures; i++)
        put_figure(stream, page, &page->figures[i]);
    for (size_t i = 0; i < page->n_tables; i++)
        put_table(stream, page, &page->tables[i]);
    put_story(stream, page, true);
    fputs("\n\\end{document}\n", stream);
    if (fflush(stream) == 0 && !ferror(stream))
        return WS_OK;
    return ws_fail(error, WS_IO, "cannot be written: %s", errno ? strerror(errno) : "the output takes no more");
}
