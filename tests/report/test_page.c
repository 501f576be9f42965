/* The HTML page: its parts to the letter, hostile texts, tags that balance, nothing from outside, contrast of its
 * colours. */
#include "report/page/page.h"

#include "report/page/latex_report.h"
#include "report/page/page_parts.h"
#include "report/page/tie_words.h"

#include "harness.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const hostile = "<script>alert(1)</script> & \"q\" 'a' \xff \xe2\x80\xae"
                                   "evil ]]> --> #$%^_{}~\\ \x01";
static const char *const drawing =
    "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"72pt\" viewBox=\"0 0 72 36\">"
    "<g id=\"glyph0-1\"/><use xlink:href=\"#glyph0-1\"/><path clip-path=\"url(#clip1)\"/></svg>\n";

static void fill_table(ws_table *table, const char *text)
{
    ws_table_init(table, "table");
    size_t name = ws_table_add_column(table, "series", WS_TEXT),
           energy = ws_table_add_column(table, "energy_kwh", WS_NUMBER);
    size_t rmse = ws_table_add_column(table, "energy_kwh_rmse", WS_NUMBER);
    for (size_t row = 0; row < 2; row++)
        ws_table_add_row(table);
    ws_table_set_text(table, name, 0, text);
    ws_table_set_number(table, energy, 0, 52.1034);
    ws_table_set_number(table, rmse, 0, 0.87);
}

static void fill_page(ws_page *page, const ws_table *table, const ws_notes *notes, const char *text)
{
    ws_page_init(page, text);
    page->synthetic = true;
    page->notes = notes;
    ws_page_add_fact(page, "45", text);
    ws_page_add_section(page, text);
    ws_page_say(page, "%s", text);
    ws_page_figure *figure = ws_page_add_figure(page, "one", text, text, drawing);
    figure->width_mm = 25.4;
    ws_page_add_point(page, figure, 12.7, 6.35, text);
    ws_page_add_link(page, &figure->links, "PDF", "figures/one.pdf");
    ws_page_table *on_page = ws_page_add_table(page, "scaling", text, text, table);
    ws_page_add_link(page, &on_page->links, text, "tables/a&b.csv");
    ws_page_add_link(page, &page->files, "runs", "data/runs.csv");
}

static char *written(const ws_page *page)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(ws_page_write(stream, page, NULL), WS_OK);
    fclose(stream);
    return text;
}

static char *page_with(const char *text)
{
    ws_table table;
    ws_notes notes = {0};
    ws_page page;
    fill_table(&table, text);
    ws_notes_add(&notes, WS_FINDING_LONG_GAP, text, text, 7, "%s", text);
    fill_page(&page, &table, &notes, text);
    char *html = written(&page);
    ws_page_free(&page);
    ws_notes_free(&notes);
    ws_table_free(&table);
    return html;
}

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 || strcmp(name, "!DOCTYPE") == 0;
}

/* The next tag's name without its attributes; false at the end. Quoted attributes may hold anything but quotes. */
static bool next_tag(const char **at, char name[32], bool *closes, bool *is_empty)
{
    const char *open = strchr(*at, '<');
    if (!open)
        return false;
    *closes = open[1] == '/';
    const char *c = open + 1 + *closes;
    size_t n = 0;
    while ((isalnum((unsigned char)*c) || *c == '!') && n < 31)
        name[n++] = *c++;
    name[n] = '\0';
    ck_assert_msg(n > 0, "a bare < at '%.40s'", open);
    for (bool quoted = false; *c && (quoted || *c != '>'); c++)
        quoted ^= *c == '"';
    ck_assert_msg(*c == '>', "the tag '%.40s' does not end", open);
    *is_empty = c[-1] == '/';
    *at = c + 1;
    if (!*closes && (strcmp(name, "style") == 0 || strcmp(name, "script") == 0)) { /* raw text up to the end tag */
        char end[40];
        snprintf(end, sizeof end, "</%s>", name);
        *at = strstr(*at, end);
        ck_assert_ptr_nonnull(*at);
    }
    return true;
}

static void check_balance(const char *html)
{
    char stack[64][32], name[32];
    size_t depth = 0;
    bool closes, is_empty;
    while (next_tag(&html, name, &closes, &is_empty)) {
        if (closes) {
            ck_assert_msg(depth > 0 && strcmp(stack[depth - 1], name) == 0, "</%s> closes <%s>", name,
                          depth ? stack[depth - 1] : "");
            depth--;
        } else if (!is_void(name) && !is_empty) {
            ck_assert_uint_lt(depth, 64);
            strcpy(stack[depth++], name);
        }
    }
    ck_assert_uint_eq(depth, 0);
}

static size_t count(const char *text, const char *needle)
{
    size_t n = 0;
    for (; (text = strstr(text, needle)); text += strlen(needle))
        n++;
    return n;
}

START_TEST(parts_to_the_letter)
{
    char *html = page_with("gbs256");
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        "<title>gbs256</title>\n",
        "<h1>gbs256</h1>\n"
        "<p class=\"synthetic\"><strong>Synthetic data:</strong> made by a program, not measured.</p>\n",
        "<div><dt>gbs256</dt><dd>45</dd></div>\n",
        "<section id=\"story\" class=\"story\">\n<h2>gbs256</h2>\n<ul>\n<li>gbs256</li>\n</ul>\n</section>\n",
        "<svg viewBox=\"0 0 72 36\" style=\"--mm: 25.40\" role=\"img\" aria-label=\"gbs256\"><g id=\"f1-glyph0-1\"/>"
        "<use xlink:href=\"#f1-glyph0-1\"/><path clip-path=\"url(#f1-clip1)\"/>"
        "<g class=\"points\" fill=\"transparent\"><circle cx=\"36.00\" cy=\"18.00\" "
        "r=\"6.24\"><title>gbs256</title></circle>\n"
        "</g></svg>",
        "<figcaption><strong>gbs256.</strong> gbs256 <em>Synthetic data: made by a program, not "
        "measured.</em></figcaption>\n"
        "<p class=\"links\"><a href=\"figures/one.pdf\">PDF<span class=\"of\"> of gbs256</span></a></p>\n",
        "<thead><tr><th scope=\"col\" aria-sort=\"none\"><button type=\"button\">series</button></th>"
        "<th scope=\"col\" aria-sort=\"none\" class=\"n\"><button type=\"button\">energy ± rmse "
        "[kWh]</button></th></tr></thead>\n",
        "<tr><td>gbs256</td><td class=\"n\" data-v=\"52.1034\">52.10 ± 0.87</td></tr>\n",
        "<tr><td>–</td><td class=\"n\">–</td></tr>\n",
        "<a href=\"tables/a&amp;b.csv\">",
        "<details><summary><code>long-gap</code> <span class=\"count\">1</span> gbs256</summary>\n"
        "<ul>\n<li><span class=\"place\"><bdi>gbs256</bdi>:7, <bdi>gbs256</bdi></span> gbs256</li>\n</ul></details>\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(html, parts[i]) != NULL, "not on the page: %s", parts[i]);
    check_balance(html);
    free(html);
}
END_TEST

START_TEST(hostile_texts_stay_texts)
{
    char *html = page_with(hostile);
    check_balance(html);
    ck_assert_uint_eq(count(html, "<script"), 1); /* the page's own */
    ck_assert_uint_eq(count(html, "alert(1)"),
                      count(html, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot; &#39;a&#39;"));
    ck_assert_uint_gt(count(html, "alert(1)"), 10);
    ck_assert_ptr_null(strstr(html, "\xe2\x80\xae")); /* what turns the direction of the rest of the page */
    ck_assert_ptr_null(strchr(html, '\xff'));
    ck_assert_ptr_null(strchr(html, '\x01'));
    free(html);
}
END_TEST

START_TEST(nothing_comes_from_outside)
{
    char *html = page_with("a http://example.org b");
    static const char *const attributes[] = {" src=", "href=\"http", "href=\"//", "url(http", "@import", "=\"http"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        ck_assert_msg(!strstr(html, attributes[i]), "the page has %s", attributes[i]);
    ck_assert_ptr_nonnull(strstr(html, "default-src 'none'"));
    free(html);
}
END_TEST

START_TEST(an_empty_page_is_whole)
{
    ws_page page;
    ws_page_init(&page, "");
    char *html = written(&page);
    check_balance(html);
    ck_assert_ptr_null(strstr(html, "<section"));
    ck_assert_ptr_null(strstr(html, "Synthetic"));
    free(html);
    ws_page_free(&page);
    ws_page_free(&page);
}
END_TEST

/* The first figure leads, but not with one or two points while another one has more, or curves (which count none). */
START_TEST(the_lead_says_more_than_two_points)
{
    static const struct {
        size_t fullest[3];
        const char *lead;
    } cases[] = {{{5, 9, 0}, "a"}, {{2, 9, 0}, "b"}, {{2, 1, 0}, "c"},
                 {{1, 2, 2}, "a"}, {{0, 9, 9}, "a"}, {{3, 2, 2}, "a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_page page;
        ws_page_init(&page, "t");
        ws_page_add_section(&page, "h");
        ws_page_say(&page, "%s", "s");
        for (size_t k = 0; k < 3; k++) {
            ws_page_figure *figure = ws_page_add_figure(&page, (const char *[]){"a", "b", "c"}[k], "T", "C", drawing);
            figure->fullest = cases[i].fullest[k];
        }
        char *html = written(&page), *story = strstr(html, "id=\"story\"");
        char *lead = strstr(html, "<figure id=\"figure-");
        ck_assert(story && lead && lead < story &&
                  strncmp(lead + strlen("<figure id=\"figure-"), cases[i].lead, 1) == 0);
        ck_assert_ptr_eq(strstr(lead + 1, "<figure id=\"figure-") < story ? story : NULL, NULL);
        for (size_t k = 0; k < 3; k++) { /* each once */
            char id[32];
            snprintf(id, sizeof id, "<figure id=\"figure-%c\"", (char)('a' + k));
            char *at = strstr(html, id);
            ck_assert(at && !strstr(at + 1, id));
        }
        free(html);
        ws_page_free(&page);
    }
}
END_TEST

START_TEST(what_is_no_drawing_is_refused)
{
    static const char *const broken[] = {"", "<svg>", "<svg viewBox=\"0 0 1 1", "<svg><g viewBox=\"0 0 1 1\"/></svg>"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        ws_page page;
        ws_error error = {0};
        ws_page_init(&page, "t");
        ws_page_add_figure(&page, "one", "t", "", broken[i]);
        FILE *stream = fopen("/dev/null", "w");
        ck_assert_int_eq(ws_page_write(stream, &page, &error), WS_FORMAT);
        ck_assert_str_eq(error.message, "figure 'one' is no SVG document with a viewBox");
        fclose(stream);
        ws_page_free(&page);
    }
}
END_TEST

START_TEST(findings_beyond_a_hundred_places_are_counted)
{
    ws_notes notes = {0};
    ws_page page;
    ws_page_init(&page, "t");
    char subject[32];
    for (int i = 0; i < 130; i++) {
        snprintf(subject, sizeof subject, "gpu%d", i);
        ws_notes_add(&notes, WS_FINDING_LONG_GAP, "a.csv", subject, 0, "a gap of 7 s");
    }
    page.notes = &notes;
    char *html = written(&page);
    ck_assert_uint_eq(count(html, "<span class=\"place\">"), 100);
    ck_assert_ptr_nonnull(strstr(html, "<span class=\"count\">130</span>"));
    ck_assert_ptr_nonnull(strstr(html, "and 30 more in <a href=\"data/findings.csv\">"));
    free(html);
    ws_page_free(&page);
    ws_notes_free(&notes);
}
END_TEST

/* A name from right to left turns neither the line number behind it nor the sentence around it, and no text turns more
 * than itself. */
START_TEST(names_from_right_to_left_are_isolated)
{
    ws_notes notes = {0};
    ws_page page;
    ws_page_init(&page, "t");
    ws_page_add_section(&page, "s");
    ws_page_say(&page, "\u2068\u05d0\u05d1\u2069: 1.93, a\u202eb");
    ws_notes_add(&notes, WS_FINDING_BAD_LINE, "\u05d0.csv", "\u05d1", 12, "it is skipped");
    page.notes = &notes;
    char *html = written(&page);
    ck_assert_ptr_nonnull(strstr(html, "\u2068\u05d0\u05d1\u2069: 1.93, a\ufffdb"));
    ck_assert_ptr_nonnull(strstr(html, "<span class=\"place\"><bdi>\u05d0.csv</bdi>:12, <bdi>\u05d1</bdi></span>"));
    free(html);
    ws_page_free(&page);
    ws_notes_free(&notes);
}
END_TEST

static char *latex_of(const ws_page *page)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(ws_latex_report_write(stream, page, NULL), WS_OK);
    fclose(stream);
    return text;
}

START_TEST(a_section_without_sentences_has_no_heading)
{
    ws_page page;
    ws_page_init(&page, "t");
    ws_page_add_section(&page, "Nothing");
    ws_page_add_section(&page, "Nothing folded");
    ws_page_fold(&page);
    char *html = written(&page), *tex = latex_of(&page);
    ck_assert_ptr_null(strstr(html, "Nothing"));
    ck_assert_ptr_null(strstr(tex, "Nothing"));
    free(html);
    free(tex);
    ws_page_free(&page);
}
END_TEST

/* Relative luminance and contrast of WCAG 2.1. */
static double channel(const char *hex)
{
    char digits[3] = {hex[0], hex[1], '\0'};
    double c = (double)strtol(digits, NULL, 16) / 255;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(const char *scheme, const char *variable)
{
    char name[40];
    snprintf(name, sizeof name, "--%s: #", variable);
    const char *at = strstr(scheme, name);
    ck_assert_msg(at != NULL, "there is no --%s", variable);
    at += strlen(name);
    return 0.2126 * channel(at) + 0.7152 * channel(at + 2) + 0.0722 * channel(at + 4);
}

/* On paper nobody opens what is folded, and a figure as high as a page would leave the one before it empty: 200 mm and
 * the head of the report are less than the 277 mm of A4 between margins of 10. */
START_TEST(paper_shows_what_is_folded)
{
    const char *print = strstr(ws_page_style, "@media print");
    ck_assert_ptr_nonnull(print);
    ck_assert_ptr_nonnull(strstr(print, "details::details-content { content-visibility: visible;"));
    ck_assert_ptr_nonnull(strstr(print, "max-height: 200mm;"));
    ck_assert_ptr_null(strstr(print, "figure, tr"));
}
END_TEST

START_TEST(contrast_is_enough_in_every_scheme)
{
    static const char *const pairs[][2] = {{"text", "ground"},   {"text", "panel"},  {"muted", "ground"},
                                           {"muted", "panel"},   {"link", "ground"}, {"link", "panel"},
                                           {"mark-text", "mark"}};
    const char *schemes[] = {ws_page_style, strstr(ws_page_style, "prefers-color-scheme: dark"),
                             strstr(ws_page_style, "@media print")};
    for (size_t s = 0; s < 3; s++) {
        ck_assert_ptr_nonnull(schemes[s]);
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            double a = luminance(schemes[s], pairs[p][0]), b = luminance(schemes[s], pairs[p][1]);
            double contrast = (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
            ck_assert_msg(contrast >= 4.5, "scheme %zu: %s on %s has a contrast of %.2f", s, pairs[p][0], pairs[p][1],
                          contrast);
        }
    }
}
END_TEST

START_TEST(latex_holds_the_same_parts)
{
    ws_table table, tall;
    ws_page page;
    fill_table(&table, "a_b & 5%");
    fill_table(&tall, "x");
    while (tall.n_rows < 46)
        ws_table_add_row(&tall);
    fill_page(&page, &table, NULL, "a_b & 5%");
    ws_page_add_table(&page, "repeats", "Every run", "", &tall);
    char *text = latex_of(&page);
    static const char *const parts[] = {
        "\\documentclass[a4paper,10pt]{article}\n",
        "\\title{a\\_b \\& 5\\%}\n",
        "\\section*{a\\_b \\& 5\\%}\n\\begin{itemize}\\setlength{\\itemsep}{0pt}\n\\item{} a\\_b \\& 5\\%\n"
        "\\end{itemize}\n",
        "\\includegraphics[width=\\ifdim25.40mm>\\linewidth\\linewidth\\else "
        "25.40mm\\fi,totalheight=.8\\textheight,keepaspectratio]{figures/one.pdf}\n",
        "\\caption{\\textbf{a\\_b \\& 5\\%.} a\\_b \\& 5\\% \\emph{Synthetic data: made by a program, "
        "not measured.}}\n",
        "a\\_b \\& 5\\% & 52.10 $\\pm$ 0.87 \\\\\n",
        "\n\\clearpage\n\\par\\medskip\\refstepcounter{table}"
        "\\noindent\\tablename~\\thetable: \\textbf{Every run.}  \\emph{Synthetic",
        "\\endhead\n\\bottomrule\n\\endfoot\n",
        "\\end{longtable}\n}\\addtocounter{table}{-1}\n\n\\end{document}\n",
        "\\end{document}\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "not in the document: %s", parts[i]);
    ck_assert_uint_eq(count(text, "\\begin{tabular}"), 1);
    ck_assert_uint_eq(count(text, "x & 52.10 $\\pm$ 0.87 \\\\\n"), 1); /* whole: the row of the long table, too */
    ck_assert_uint_eq(count(text, " \\\\\n"), 1 + 2 + 1 + 46);
    ck_assert_ptr_null(strstr(text, "\\begin{landscape}"));
    free(text);
    ws_page_free(&page);
    ws_table_free(&tall);
    ws_table_free(&table);
}
END_TEST

/* 46 rows of six texts, each with `letters` letters: at what size, and how, does the document set them? */
static const char *setting_of(size_t letters)
{
    enum { COLUMNS = 6 };
    char cell[64] = {0};
    ws_table table;
    ws_page page;
    memset(cell, 'm', letters);
    ws_table_init(&table, "wide");
    for (size_t c = 0; c < COLUMNS; c++) {
        char name[] = {(char)('a' + c), 0};
        ws_table_add_column(&table, name, WS_TEXT);
    }
    while (table.n_rows < 46) {
        size_t row = ws_table_add_row(&table);
        cell[0] = row ? 'm' : 'n'; /* what all rows say would stand in the caption */
        for (size_t c = 0; c < COLUMNS; c++)
            ws_table_set_span(&table, c, row, ws_span_of(cell));
    }
    ws_page_init(&page, "wide");
    ws_page_add_table(&page, "wide", "Wide", "", &table);
    char *text = latex_of(&page);
    bool turned = strstr(text, "\\begin{landscape}") && strstr(text, "\\end{landscape}");
    const char *size = strstr(text, "\\footnotesize") ? (turned ? "" : "upright footnotesize")
                       : strstr(text, "\\scriptsize") ? (turned ? "turned scriptsize" : "upright scriptsize")
                                                      : (turned ? "turned tiny" : "");
    free(text);
    ws_page_free(&page);
    ws_table_free(&table);
    return size;
}

START_TEST(long_tables_are_set_as_wide_as_they_are)
{
    ck_assert_str_eq(setting_of(17), "upright footnotesize"); /* 6 * 17 + 5 * 2 = 112 letters */
    ck_assert_str_eq(setting_of(18), "upright scriptsize");
    ck_assert_str_eq(setting_of(19), "turned scriptsize"); /* 124 */
    ck_assert_str_eq(setting_of(27), "turned scriptsize"); /* 172 */
    ck_assert_str_eq(setting_of(28), "turned tiny");
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip_because("there is no /dev/full");
    ws_page page;
    ws_error error = {0};
    ws_page_init(&page, "t");
    ck_assert_int_eq(ws_page_write(full, &page, &error), WS_IO);
    ck_assert_str_eq(error.message, "cannot be written: No space left on device");
    fclose(full);
    ws_page_free(&page);
}
END_TEST

/* A line breaks neither between a number and its unit nor between a test's letter and its value; ~ stands for U+00A0.
 */
START_TEST(numbers_stay_with_their_units)
{
    static const struct {
        const char *text, *tied;
    } cases[] = {
        {"the next, 8 GPUs, takes 12 % more", "the next, 8~GPUs, takes 12~% more"},
        {"(p 0.0010).", "(p~0.0010)."},
        {"which is not more, p < 0.001", "which is not more, p~<~0.001"},
        {"5.5 ± 0.4 a doubling", "5.5~±~0.4 a doubling"},
        {"with 4 GPUs, 24.81 kWh; the next", "with 4~GPUs, 24.81~kWh; the next"},
        {"LBS 256: n 22, r 0.56 (GBS 8192, S/GPU 5004)", "LBS~256: n~22, r~0.56 (GBS~8192, S/GPU~5004)"},
        {"(Huber et al. 2025, Fig. 2) in Table 1", "(Huber et al. 2025, Fig.~2) in Table~1"},
        {"from 47 to 55.4 of them, 3 W", "from 47 to 55.4 of them, 3~W"},
        {"rises by −0.5 p −0.2", "rises by −0.5 p~−0.2"},
        {"kWh in all", "kWh in all"},
        {"one, p", "one, p"},
        {"", ""},
        {" 2  % ", " 2  % "},
    };
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[200];
        size_t n = 0;
        for (const char *c = cases[i].tied; *c; c++) {
            if (*c == '~')
                wanted[n++] = '\xc2';
            wanted[n++] = *c == '~' ? '\xa0' : *c;
        }
        wanted[n] = '\0';
        ck_assert_str_eq(ws_tie_words(&arena, cases[i].text), wanted);
    }
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("page", parts_to_the_letter, hostile_texts_stay_texts, nothing_comes_from_outside, an_empty_page_is_whole,
          what_is_no_drawing_is_refused, the_lead_says_more_than_two_points, names_from_right_to_left_are_isolated,
          findings_beyond_a_hundred_places_are_counted, paper_shows_what_is_folded, contrast_is_enough_in_every_scheme,
          a_section_without_sentences_has_no_heading, latex_holds_the_same_parts,
          long_tables_are_set_as_wide_as_they_are, a_full_disk_is_told, numbers_stay_with_their_units)
