#include "report/draw/draw_text.h"

#include "core/text.h"

#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

/* Liberation Sans and what has the same widths, as fontconfig would replace it. */
static const char *const families[] = {"Liberation Sans", "Arimo", "Arial", "Nimbus Sans", "Helvetica"};

struct ws_font {
    PangoFontMap *map;
    PangoContext *context; /* for measuring; drawing has one fitted to its surface */
    const char *family;
};

/* Neither the screen, nor the locale, nor the size of a pixel may move a glyph. */
static PangoContext *new_context(PangoFontMap *map)
{
    PangoContext *context = pango_font_map_create_context(map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    return context;
}

/* Pango always finds some font, so the wanted ones are looked up by name. */
static const char *installed_family(PangoFontMap *map)
{
    PangoFontFamily **installed = NULL;
    int n = 0;
    const char *found = NULL;
    pango_font_map_list_families(map, &installed, &n);
    for (size_t i = 0; !found && i < sizeof families / sizeof *families; i++)
        for (int k = 0; !found && k < n; k++)
            if (ws_eq_nocase(families[i], pango_font_family_get_name(installed[k])))
                found = families[i];
    g_free(installed);
    return found;
}

ws_status ws_font_open(ws_font **font, ws_error *error)
{
    *font = NULL;
    PangoFontMap *map = pango_cairo_font_map_get_default(); /* Pango owns it: fonts are looked up once */
    const char *family = installed_family(map);
    if (!family)
        return ws_fail(error, WS_DATA,
                       "no font 'Liberation Sans' is installed, so figures cannot be drawn; "
                       "install fonts-liberation2");
    *font = ws_alloc(sizeof **font);
    **font = (ws_font){map, new_context(map), family};
    return WS_OK;
}

void ws_font_close(ws_font *font)
{
    if (!font)
        return;
    g_object_unref(font->context);
    free(font);
}

static PangoLayout *new_layout(PangoContext *context, const char *family, ws_span text, double pt, bool bold)
{
    PangoLayout *layout = pango_layout_new(context);
    PangoFontDescription *wanted = pango_font_description_new();
    pango_font_description_set_family_static(wanted, family);
    pango_font_description_set_weight(wanted, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(wanted, pt * PANGO_SCALE);
    pango_layout_set_font_description(layout, wanted);
    pango_font_description_free(wanted);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text.p, (int)text.n);
    return layout;
}

static double layout_width(PangoLayout *layout)
{
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

/* What was measured once: the layouts of a figure, one a form, ask for the same texts again and again. The font map is
 * the process's, and so are these. */
typedef struct measured {
    ws_span text;
    double pt;
    bool bold;
    double width_mm;
} measured;

static guint hash_of_measured(gconstpointer key)
{
    const measured *m = key;
    guint hash = (guint)(m->pt * 1000) * 2 + m->bold;
    for (size_t i = 0; i < m->text.n; i++)
        hash = (hash ^ (unsigned char)m->text.p[i]) * 16777619u;
    return hash;
}

static gboolean is_same_measured(gconstpointer a, gconstpointer b)
{
    const measured *x = a, *y = b;
    return x->pt == y->pt && x->bold == y->bold && x->text.n == y->text.n &&
           memcmp(x->text.p, y->text.p, x->text.n) == 0;
}

static double measure(const ws_font *font, const measured *wanted)
{
    PangoLayout *layout = new_layout(font->context, font->family, wanted->text, wanted->pt, wanted->bold);
    double width = layout_width(layout);
    g_object_unref(layout);
    return width * WS_MM_PER_PT;
}

static double width_mm(void *state, ws_span text, double pt, bool bold)
{
    static GHashTable *known;
    const measured wanted = {text, pt, bold, 0};
    if (!known)
        known = g_hash_table_new_full(hash_of_measured, is_same_measured, g_free, NULL);
    measured *found = g_hash_table_lookup(known, &wanted);
    if (!found) {
        found = g_malloc(sizeof *found + text.n + 1);
        *found = wanted;
        found->text.p = memcpy(found + 1, text.p, text.n);
        found->width_mm = measure(state, &wanted);
        g_hash_table_add(known, found);
    }
    return found->width_mm;
}

static size_t missing(void *state, ws_span text)
{
    const ws_font *font = state;
    PangoLayout *layout = new_layout(font->context, font->family, text, WS_PT_TICK, false);
    int n = pango_layout_get_unknown_glyphs_count(layout);
    g_object_unref(layout);
    return n > 0 ? (size_t)n : 0;
}

ws_text_measure ws_font_measure(ws_font *font)
{
    return (ws_text_measure){font, width_mm, missing};
}

static double draw_run(const ws_font *font, PangoContext *context, cairo_t *cairo, const ws_text_run *run, double x,
                       const ws_placed_text *text)
{
    double lift = run->script > 0 ? WS_SCRIPT_UP : run->script < 0 ? -WS_SCRIPT_DOWN : 0;
    double pt = run->script ? text->pt * WS_SCRIPT_SIZE : text->pt;
    PangoLayout *layout = new_layout(context, font->family, run->text, pt, text->bold);
    double width = layout_width(layout);
    cairo_move_to(cairo, x, -lift * text->pt);
    pango_cairo_show_layout_line(cairo, pango_layout_get_line_readonly(layout, 0));
    g_object_unref(layout);
    return width;
}

static void put_number(FILE *stream, const char *name, double value)
{
    char number[WS_DOUBLE_TEXT];
    ws_double_text_decimals(number, value, 2);
    fprintf(stream, " %s=\"%s\"", name, number);
}

static void put_escaped(FILE *stream, ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        switch (text.p[i]) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        default:
            fputc(text.p[i], stream);
        }
}

void ws_font_put_svg_head(FILE *stream)
{
    fputs("<g xml:space=\"preserve\" font-family=\"", stream);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        fprintf(stream, "'%s', ", families[i]);
    fputs("sans-serif\">\n", stream);
}

static void put_runs(const ws_font *font, FILE *stream, const ws_placed_text *text, double x)
{
    const char *rest = text->text;
    for (ws_text_run run; ws_text_next_run(&rest, &run);) {
        double lift = run.script > 0 ? WS_SCRIPT_UP : run.script < 0 ? -WS_SCRIPT_DOWN : 0;
        double pt = run.script ? text->pt * WS_SCRIPT_SIZE : text->pt;
        if (!run.text.n)
            continue;
        fputs("<tspan", stream);
        put_number(stream, "x", x);
        put_number(stream, "y", -lift * text->pt);
        if (run.script)
            put_number(stream, "font-size", pt);
        fputc('>', stream);
        put_escaped(stream, run.text);
        fputs("</tspan>", stream);
        x += width_mm((void *)(uintptr_t)font, run.text, pt, text->bold) / WS_MM_PER_PT;
    }
}

void ws_font_put_svg(ws_font *font, FILE *stream, double height_mm, const ws_placed_text *text, ws_colour colour)
{
    ws_text_measure measure = ws_font_measure(font);
    double width = ws_text_width(&measure, text->text, text->pt, text->bold) / WS_MM_PER_PT, x = -text->just * width;
    char left[WS_DOUBLE_TEXT], top[WS_DOUBLE_TEXT];
    const char *rest = text->text;
    ws_text_run first;
    ws_double_text_decimals(left, text->x / WS_MM_PER_PT, 2);
    ws_double_text_decimals(top, (height_mm - text->y) / WS_MM_PER_PT, 2);
    fprintf(stream, "<text transform=\"translate(%s %s)%s\" fill=\"#%02x%02x%02x\"%s", left, top,
            text->turned ? " rotate(-90)" : "", colour.r, colour.g, colour.b,
            text->bold ? " font-weight=\"bold\"" : "");
    put_number(stream, "font-size", text->pt);
    if (ws_text_next_run(&rest, &first) && first.text.n == strlen(text->text)) { /* no scripts */
        put_number(stream, "x", x);
        put_number(stream, "textLength", width); /* also in another font, where this one is missing */
        fputc('>', stream);
        put_escaped(stream, first.text);
    } else {
        fputc('>', stream);
        put_runs(font, stream, text, x);
    }
    fputs("</text>\n", stream);
}

void ws_font_draw(ws_font *font, struct _cairo *cairo, double units, double height_mm, const ws_placed_text *text,
                  ws_colour colour)
{
    ws_text_measure measure = ws_font_measure(font);
    double x = -text->just * ws_text_width(&measure, text->text, text->pt, text->bold) / WS_MM_PER_PT;
    cairo_save(cairo);
    cairo_identity_matrix(cairo);
    cairo_scale(cairo, units, units);
    cairo_translate(cairo, text->x / WS_MM_PER_PT, (height_mm - text->y) / WS_MM_PER_PT);
    if (text->turned)
        cairo_rotate(cairo, -3.14159265358979323846 / 2);
    cairo_set_source_rgb(cairo, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
    PangoContext *context = new_context(font->map);
    pango_cairo_update_context(cairo, context);
    const char *rest = text->text;
    for (ws_text_run run; ws_text_next_run(&rest, &run);)
        x += run.text.n ? draw_run(font, context, cairo, &run, x, text) : 0;
    g_object_unref(context);
    cairo_new_path(cairo);
    cairo_restore(cairo);
}
