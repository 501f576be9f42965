#include "report/table/step_tree.h"

#include "core/text.h"
#include "report/table/table_forms.h"
#include "report/utf8.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 80, STEP = 2, WIDEST_NAME = 44, NARROWEST = 24 };

/* --- for people --- */

typedef struct printer {
    FILE *stream;
    const ws_step_options *options;
} printer;

static void put_blanks(FILE *stream, size_t n)
{
    for (; n; n--)
        fputc(' ', stream);
}

/* Returns the column behind it. */
static size_t put_word(printer *p, size_t at, size_t indent, ws_span word)
{
    ws_arena arena = {0};
    const char *text = ws_arena_strndup(&arena, word.p, word.n);
    size_t width = ws_utf8_width(text);
    if (at > indent && at + 1 + width > WIDTH) {
        fputc('\n', p->stream);
        put_blanks(p->stream, indent);
        at = indent;
    } else if (at > indent) {
        fputc(' ', p->stream);
        at++;
    }
    ws_utf8_put(p->stream, text, NULL);
    ws_arena_free(&arena);
    return at + width;
}

/* Lines of their own, broken between words. */
static void put_paragraph(printer *p, size_t indent, const char *text)
{
    ws_span rest = ws_span_of(text), word;
    size_t at = indent;
    put_blanks(p->stream, indent);
    while (ws_span_word(&rest, &word))
        at = put_word(p, at, indent, word);
    fputc('\n', p->stream);
}

static const char *how(const ws_step *step, char *buffer, size_t size)
{
    size_t n = step->parts.n;
    switch (step->kind) {
    case WS_STEP_FORMULA:
        snprintf(buffer, size, "= %s", step->formula);
        return buffer;
    case WS_STEP_SUM:
        snprintf(buffer, size, n == 1 ? "= its only part" : "= sum of %zu, from first to last", n);
        return buffer;
    case WS_STEP_MEAN:
        snprintf(buffer, size, n == 1 ? "= its only part" : "= mean of %zu, added from first to last", n);
        return buffer;
    case WS_STEP_RMSE:
        snprintf(buffer, size, "= root mean square of %zu about their mean (divisor n)", n);
        return buffer;
    case WS_STEP_SD:
        snprintf(buffer, size, "= standard deviation of %zu (divisor n - 1)", n);
        return buffer;
    case WS_STEP_QUADRATURE:
        snprintf(buffer, size, n == 1 ? "= its only part" : "= root of the sum of %zu squares, by hypot", n);
        return buffer;
    case WS_STEP_LEAST:
    case WS_STEP_MOST:
        snprintf(buffer, size, "= %s of %zu", step->kind == WS_STEP_MOST ? "highest" : "lowest", n);
        return buffer;
    default:
        return NULL;
    }
}

static size_t name_width(const ws_step *step)
{
    size_t width = ws_utf8_width(step->name);
    return width < WIDEST_NAME ? width : WIDEST_NAME;
}

/* "energy_j  146218.9 J"; returns the column where it ends. */
static size_t step_print_put_head(printer *p, const ws_step *step, size_t indent, size_t names)
{
    char number[WS_DOUBLE_TEXT];
    size_t width = ws_utf8_width(step->name), at = indent + width;
    put_blanks(p->stream, indent);
    ws_utf8_put(p->stream, step->name, NULL);
    if (isnan(step->value))
        return at;
    if (width < names) {
        put_blanks(p->stream, names - width);
        at += names - width;
    }
    ws_double_text(number, step->value);
    fprintf(p->stream, "  %s%s%s", number, *step->unit ? " " : "", step->unit);
    return at + 2 + strlen(number) + (*step->unit ? 1 : 0) + strlen(step->unit);
}

static void put_step(printer *p, const ws_step *step, size_t depth, size_t names);

static void put_list(printer *p, const ws_step_list *list, size_t depth)
{
    size_t longest = p->options->longest, names = 0;
    size_t shown = list->n > longest ? longest - 1 : list->n;
    for (size_t i = 0; i < shown; i++)
        names = name_width(list->items[i]) > names ? name_width(list->items[i]) : names;
    for (size_t i = 0; i < shown; i++)
        put_step(p, list->items[i], depth, names);
    if (shown == list->n)
        return;
    put_blanks(p->stream, depth * STEP);
    fprintf(p->stream, "... and %zu more (--all shows them)\n", list->n - shown);
}

static void put_step(printer *p, const ws_step *step, size_t depth, size_t names)
{
    char buffer[300];
    size_t indent = depth * STEP, at = step_print_put_head(p, step, indent, names);
    const char *computed = how(step, buffer, sizeof buffer);
    bool fits = computed && at + 2 + strlen(computed) <= WIDTH;
    fprintf(p->stream, "%s%s\n", fits ? "  " : "", fits ? computed : "");
    indent = indent + 2 * STEP < WIDTH - NARROWEST ? indent + 2 * STEP : WIDTH - NARROWEST;
    if (computed && !fits)
        put_paragraph(p, indent, computed);
    if (step->says)
        put_paragraph(p, indent, step->says);
    bool is_deepest = depth >= p->options->depth;
    if (is_deepest && step->parts.n) {
        put_blanks(p->stream, (depth + 1) * STEP);
        fputs("... (--depth or --all shows what it is made of)\n", p->stream);
    }
    if (is_deepest)
        return;
    put_list(p, &step->parts, depth + 1);
    put_list(p, &step->beside, depth + 1);
}

void ws_step_write_text(FILE *stream, const ws_step *root, const ws_step_options *options)
{
    printer p = {stream, options};
    put_step(&p, root, 0, 0);
}

/* --- for programs --- */

static void put_number(FILE *stream, double value)
{
    char number[WS_DOUBLE_TEXT];
    if (!isfinite(value)) {
        fputs("null", stream);
        return;
    }
    ws_double_text(number, value);
    fputs(number, stream);
}

static void put_text(FILE *stream, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(stream, ",\"%s\":", key);
    ws_json_put_text(stream, text);
}

static void put_facts(FILE *stream, const ws_step *step)
{
    if (!step->n_facts)
        return;
    fputs(",\"facts\":{", stream);
    for (size_t i = 0; i < step->n_facts; i++) {
        const ws_step_fact *fact = &step->facts[i];
        fputs(i ? "," : "", stream);
        ws_json_put_text(stream, fact->name);
        fputc(':', stream);
        if (fact->text)
            ws_json_put_text(stream, fact->text);
        else
            put_number(stream, fact->number);
    }
    fputc('}', stream);
}

static void put_steps(FILE *stream, const char *key, const ws_step_list *list)
{
    if (!list->n)
        return;
    fprintf(stream, ",\"%s\":[", key);
    for (size_t i = 0; i < list->n; i++) {
        fputs(i ? ",\n" : "\n", stream);
        ws_step_write_json(stream, list->items[i]);
    }
    fputc(']', stream);
}

void ws_step_write_json(FILE *stream, const ws_step *step)
{
    fputs("{\"name\":", stream);
    ws_json_put_text(stream, step->name);
    fprintf(stream, ",\"kind\":\"%s\",\"value\":", ws_step_kind_name(step->kind));
    put_number(stream, step->value);
    put_text(stream, "unit", step->unit);
    put_text(stream, "formula", step->formula);
    put_text(stream, "says", step->says);
    put_facts(stream, step);
    put_steps(stream, "parts", &step->parts);
    put_steps(stream, "beside", &step->beside);
    fputc('}', stream);
}
