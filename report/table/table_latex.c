/* \begin{tabular}{lr}
 * \toprule
 * run & energy $\pm$ u [kWh] \\
 * \midrule
 * a64 & 52.1 $\pm$ 0.9 \\
 * \bottomrule
 * \end{tabular}
 *
 * Needs the package booktabs; a table of more rows than a page holds is a longtable, with its head on every page, and
 * needs that package, too. A table wider than a page has its titles in lines:
 *
 * & \begin{tabular}[b]{@{}r@{}}energy\\ $\pm$ u [kWh]\end{tabular} \\ */
#include "report/table/table_forms.h"

#include "core/text.h"
#include "report/table/table_print.h"
#include "report/utf8.h"

#include <string.h>

static const char *escape_ascii(uint32_t point, const char *rest)
{
    static const char *const escaped[128] = {['\\'] = "\\textbackslash{}",
                                             ['~'] = "\\textasciitilde{}",
                                             ['^'] = "\\textasciicircum{}",
                                             ['<'] = "\\textless{}",
                                             ['>'] = "\\textgreater{}",
                                             ['|'] = "\\textbar{}",
                                             ['"'] = "\\char34{}",
                                             ['`'] = "{`}",
                                             ['&'] = "\\&",
                                             ['%'] = "\\%",
                                             ['$'] = "\\$",
                                             ['#'] = "\\#",
                                             ['_'] = "\\_",
                                             ['{'] = "\\{",
                                             ['}'] = "\\}"};
    if (point == '-' && *rest == '-') /* two of them would become a dash */
        return "-{}";
    return escaped[point];
}

/* The signs of our own titles are spelled, so that they need no input encoding. */
static const char *escape(uint32_t point, const char *rest)
{
    static const struct {
        uint32_t point;
        const char *spelled;
    } signs[] = {{0xa0, "~"},           {0xb0, "$^\\circ$"}, {0xb1, "$\\pm$"},       {0xb2, "$^2$"},
                 {0xb5, "$\\mu$"},      {0xd7, "$\\times$"}, {0x3b1, "$\\alpha$"},   {0x3b2, "$\\beta$"},
                 {0x2009, "\\,"},       {0x202f, "\\,"},     {0x2020, "$\\dagger$"}, {0x2021, "$\\ddagger$"},
                 {0x2026, "\\ldots{}"}, {0x2068, ""},        {0x2069, ""},           {0x2212, "$-$"},
                 {WS_NOT_UTF8, "?"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].point == point)
            return signs[i].spelled;
    return point < 128 ? escape_ascii(point, rest) : NULL;
}

/* After \\ and \midrule a bracket or star would be taken as their argument. */
void ws_latex_put_text(FILE *stream, const char *text)
{
    const char *first = text + strspn(text, " \t\r\n");
    fputs(*first == '[' || *first == '*' ? "{}" : "", stream);
    ws_utf8_put(stream, text, escape);
}

/* Writes the sign that text begins with as LaTeX has it; returns its bytes, 0 for none. */
static size_t sign_at(const char *text, FILE *stream)
{
    static const char *const signs[][2] = {
        {"-", "$-$"}, {"−", "$-$"}, {"±", "$\\pm$"}, {"\xe2\x80\x89", "\\,"}, {"\xe2\x80\xaf", "\\,"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i][0], strlen(signs[i][0])) == 0) {
            fputs(signs[i][1], stream);
            return strlen(signs[i][0]);
        }
    return 0;
}

/* "-1.5e-07 ± 2e-09": a real minus sign, powers of ten, $\pm$. */
void ws_latex_put_number(FILE *stream, const char *text)
{
    for (; *text; text++) {
        size_t sign = sign_at(text, stream);
        if (sign) {
            text += sign - 1;
        } else if (*text == 'e') {
            bool is_negative = text[1] == '-';
            size_t digits = strspn(text + 2, "0123456789"), zeros = strspn(text + 2, "0");
            fprintf(stream, "$\\times10^{%s%.*s}$", is_negative ? "-" : "", (int)(digits - zeros), text + 2 + zeros);
            text += 1 + digits;
        } else {
            fputc(*text, stream);
        }
    }
}

/* Raised; behind a number it takes no room, so that digits stay below each other. */
static void put_mark(FILE *stream, const char *mark, bool is_behind_number)
{
    if (!*mark)
        return;
    fputs(is_behind_number ? "\\rlap{\\textsuperscript{" : "\\textsuperscript{", stream);
    ws_latex_put_text(stream, mark);
    fputs(is_behind_number ? "}}" : "}", stream);
}

void ws_latex_put_footnotes(FILE *stream, const ws_table *table)
{
    for (size_t i = 0; i < table->n_footnotes; i++) {
        fputs("\\par\\smallskip\\noindent\\parbox{\\linewidth}{\\footnotesize\\raggedright ", stream);
        put_mark(stream, table->footnotes[i].mark, false);
        ws_latex_put_text(stream, table->footnotes[i].text);
        fputs("}\n", stream);
    }
}

/* Lines of a title or of a cell. */
static void put_lines(FILE *stream, const char *text, char place, char side)
{
    ws_arena arena = {0};
    ws_span rest = ws_span_of(text);
    fprintf(stream, "\\begin{tabular}[%c]{@{}%c@{}}", place, side);
    for (ws_span line; ws_span_split(&rest, '\n', &line);) {
        ws_latex_put_text(stream, ws_arena_strndup(&arena, line.p, line.n));
        fputs(rest.n ? "\\\\ " : "\\end{tabular}", stream);
    }
    ws_arena_free(&arena);
}

/* Broken at blanks, and within words that are longer than a line. */
static const char *break_words(ws_arena *arena, const char *text, size_t columns)
{
    char *broken = ws_arena_alloc(arena, 2 * strlen(text) + 1), *line = broken, *blank = NULL, *end = broken;
    for (const char *next = text; *text; text = next) {
        ws_utf8_next(&next);
        size_t n = (size_t)(next - text);
        memcpy(end, text, n);
        end[n] = '\0';
        if (ws_utf8_width(line) > columns && blank) {
            *blank = '\n';
            line = blank + 1;
            blank = NULL;
        } else if (ws_utf8_width(line) > columns) {
            memmove(end + 1, end, n + 1);
            *end++ = '\n';
            line = end;
        }
        blank = *text == ' ' ? end : blank;
        end += n;
    }
    *end = '\0';
    return broken;
}

/* A text as its column holds it: cut, and in lines. */
static const char *text_of(ws_arena *arena, const char *text, const ws_write_options *options)
{
    const char *cut = options->longest ? ws_utf8_shorten(arena, text, options->longest) : text;
    return options->line && ws_utf8_width(cut) > options->line ? break_words(arena, cut, options->line) : cut;
}

static void put_text(FILE *stream, const char *text, const ws_write_options *options)
{
    if (options->line && strchr(text, '\n'))
        put_lines(stream, text, 't', 'l');
    else
        ws_latex_put_text(stream, text);
}

static void put_row(FILE *stream, const ws_table *table, ws_printed *printed, size_t row,
                    const ws_write_options *options)
{
    char buffer[WS_CELL_TEXT], grouped[WS_CELL_TEXT];
    for (size_t i = 0; i < printed->n; i++) {
        const char *text = ws_printed_cell(table, &printed->columns[i], row, buffer);
        fputs(i ? " & " : "", stream);
        if (!text)
            fputs("--", stream);
        else if (printed->columns[i].is_number)
            ws_latex_put_number(stream, ws_grouped_cell(table, &printed->columns[i], text, grouped));
        else
            put_text(stream, text_of(&printed->arena, text, options), options);
        put_mark(stream, ws_printed_mark(table, &printed->columns[i], row), printed->columns[i].is_number);
    }
    fputs(" \\\\\n", stream);
}

/* Lines of a title stand above each other, at the side of the column's cells. */
static void put_title(FILE *stream, const ws_printed_column *column)
{
    if (strchr(column->title, '\n'))
        put_lines(stream, column->title, 'b', column->is_number ? 'r' : 'l');
    else
        ws_latex_put_text(stream, column->title);
}

static void put_head(FILE *stream, const ws_printed *printed, bool is_long)
{
    fputs(is_long ? "\\begin{longtable}{" : "\\begin{tabular}{", stream);
    for (size_t i = 0; i < printed->n; i++)
        fputc(printed->columns[i].is_number ? 'r' : 'l', stream);
    fputs("}\n\\toprule\n", stream);
    for (size_t i = 0; i < printed->n; i++) {
        fputs(i ? " & " : "", stream);
        put_title(stream, &printed->columns[i]);
    }
    fputs(" \\\\\n\\midrule\n", stream);
    fputs(is_long ? "\\endhead\n\\bottomrule\n\\endfoot\n" : "", stream);
}

bool ws_latex_is_long(const ws_table *table)
{
    enum { ROWS_OF_A_PAGE = 45 };
    return table->n_rows > ROWS_OF_A_PAGE;
}

/* Of texts, which are cut or in lines beyond; 0: neither. */
static size_t most_letters(const ws_write_options *options)
{
    bool is_in_lines = options->line && (!options->longest || options->line < options->longest);
    return is_in_lines ? options->line : options->longest;
}

static size_t width_of_cells(const ws_table *table, const ws_printed_column *column, size_t longest)
{
    char buffer[WS_CELL_TEXT];
    size_t widest = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *text = ws_printed_cell(table, column, row, buffer);
        size_t width = text ? ws_utf8_width(text) : strlen("--");
        if (longest && !column->is_number && width > longest)
            width = longest;
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t width_of_title(const char *title)
{
    size_t widest = 0;
    ws_arena arena = {0};
    ws_span rest = ws_span_of(title);
    for (ws_span line; ws_span_split(&rest, '\n', &line);) {
        size_t width = ws_utf8_width(ws_arena_strndup(&arena, line.p, line.n));
        widest = width > widest ? width : widest;
    }
    ws_arena_free(&arena);
    return widest;
}

static size_t width_of(const ws_table *table, const ws_printed *printed, size_t longest)
{
    enum { GAP = 2 };
    size_t letters = 0;
    for (size_t i = 0; i < printed->n; i++) {
        size_t cells = width_of_cells(table, &printed->columns[i], longest);
        size_t title = width_of_title(printed->columns[i].title);
        letters += (i ? GAP : 0) + (title > cells ? title : cells);
    }
    return letters;
}

/* Does the line go on behind the word, as behind "±" and the first word of "(95 %)"? */
static bool is_tied(const char *word)
{
    return strcmp(word, "±") == 0 || (strchr(word, '(') && !strchr(word, ')'));
}

/* In lines of so many letters, where its words are no longer. */
static const char *break_title(ws_arena *arena, const char *title, size_t letters)
{
    const char *broken = "", *tied = "";
    size_t line = 0;
    ws_span rest = ws_span_of(title);
    for (ws_span word; ws_span_split(&rest, ' ', &word);) {
        const char *text = ws_arena_printf(arena, "%s%.*s", tied, (int)word.n, word.p);
        tied = is_tied(text) && rest.n ? ws_arena_printf(arena, "%s ", text) : "";
        if (*tied)
            continue;
        size_t width = ws_utf8_width(text);
        bool goes_on = line && line + 1 + width <= letters;
        broken = ws_arena_printf(arena, "%s%s%s", broken, !line ? "" : goes_on ? " " : "\n", text);
        line = goes_on ? line + 1 + width : width;
    }
    return broken;
}

/* The same in each of several rows; of the first column, which names rows, that does not count. */
static bool is_constant(const ws_table *table, const ws_printed *printed, size_t i)
{
    char first[WS_CELL_TEXT], other[WS_CELL_TEXT];
    const ws_printed_column *column = &printed->columns[i];
    const char *text = table->n_rows > 1 ? ws_printed_cell(table, column, 0, first) : NULL;
    bool is = i && text && !column->mark_width;
    for (size_t row = 1; is && row < table->n_rows; row++) {
        const char *next = ws_printed_cell(table, column, row, other);
        is = next && strcmp(text, next) == 0;
    }
    return is;
}

static void drop_constants(const ws_table *table, ws_printed *printed)
{
    size_t n = 0;
    for (size_t i = 0; i < printed->n; i++)
        if (!is_constant(table, printed, i))
            printed->columns[n++] = printed->columns[i];
    printed->n = n;
}

const char *ws_latex_constants(ws_arena *arena, const ws_table *table)
{
    char buffer[WS_CELL_TEXT];
    const char *all = "";
    ws_printed printed;
    ws_printed_init(&printed, table, &(ws_write_options){0});
    for (size_t i = 0; i < printed.n; i++)
        if (is_constant(table, &printed, i))
            all = ws_arena_printf(arena, "%s%s%s %s", all, *all ? ", " : "", printed.columns[i].title,
                                  ws_printed_cell(table, &printed.columns[i], 0, buffer));
    ws_printed_free(&printed);
    return all;
}

/* What is printed. Titles that would make the table wider than a page are broken to the width of their cells. */
static void print_columns(const ws_table *table, const ws_write_options *options, ws_printed *printed)
{
    enum { LETTERS_OF_A_PAGE = 96, SHORTEST_LINE = 10 };
    ws_printed_init(printed, table, options);
    if (options->no_constants)
        drop_constants(table, printed);
    if (width_of(table, printed, most_letters(options)) <= LETTERS_OF_A_PAGE)
        return;
    for (size_t i = 0; i < printed->n; i++) {
        size_t cells = width_of_cells(table, &printed->columns[i], most_letters(options));
        printed->columns[i].title =
            break_title(&printed->arena, printed->columns[i].title, cells > SHORTEST_LINE ? cells : SHORTEST_LINE);
    }
}

void ws_table_write_latex(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    bool is_long = ws_latex_is_long(table);
    ws_printed printed;
    print_columns(table, options, &printed);
    if (printed.n) {
        put_head(stream, &printed, is_long);
        for (size_t row = 0; row < table->n_rows; row++)
            put_row(stream, table, &printed, row, options);
        fputs(is_long ? "\\end{longtable}\n" : "\\bottomrule\n\\end{tabular}\n", stream);
        if (!options->no_footnotes)
            ws_latex_put_footnotes(stream, table);
    }
    ws_printed_free(&printed);
}

size_t ws_latex_width(const ws_table *table, const ws_write_options *options)
{
    ws_printed printed;
    print_columns(table, options, &printed);
    size_t letters = width_of(table, &printed, most_letters(options));
    ws_printed_free(&printed);
    return letters;
}
