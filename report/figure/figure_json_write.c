/* {"schema":"wattscale.figure/1","name":"campaign/speedup","width_mm":85,"height_mm":70,"rows":1,"columns":1,
 * "legend":"top","synthetic":false,"caption":null,"footnote":null,
 * "panels":[
 * {"letter":"A","title":null,
 * "x":{"scale":"log2","label":"Number of GPUs","from_zero":false,"hide_labels":false},
 * "y":{"scale":"log2","label":"Speed-up","range":[1,256],"from_zero":false,"hide_labels":false},
 * "layers":[
 * {"label":"LBS 256","kind":["line","markers","errors"],"style":0,"x":[1,2,4],"y":[1,1.98,3.9],"error":[0,0.1,null]}
 * ],
 * "annotations":[{"text":"β = 0.82","style":0,"in_panel":true,"x":0.95,"y":0.95}],
 * "references":[{"vertical":false,"value":1,"label":null}]}
 * ]} */
#include "report/figure/figure_json.h"

#include "core/looks.h"
#include "core/text.h"
#include "report/utf8.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *escape(uint32_t point, const char *rest)
{
    (void)rest;
    return point == '"' ? "\\\"" : point == '\\' ? "\\\\" : NULL;
}

static void put_text(FILE *stream, const char *text)
{
    if (!text) {
        fputs("null", stream);
        return;
    }
    fputc('"', stream);
    ws_utf8_put(stream, text, escape);
    fputc('"', stream);
}

static void put_number(FILE *stream, double value)
{
    char number[WS_DOUBLE_TEXT];
    if (isfinite(value))
        ws_double_text(number, value);
    fputs(isfinite(value) ? number : "null", stream);
}

static void put_bool(FILE *stream, const char *key, bool value)
{
    fprintf(stream, ",\"%s\":%s", key, value ? "true" : "false");
}

static void put_numbers(FILE *stream, const char *key, const double *values, size_t n)
{
    if (!values)
        return;
    fprintf(stream, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", stream);
        put_number(stream, values[i]);
    }
    fputc(']', stream);
}

static void put_axis(FILE *stream, const char *key, const ws_axis *axis)
{
    fprintf(stream, ",\n\"%s\":{\"scale\":\"%s\",\"label\":", key, ws_axis_scale_name(axis->scale));
    put_text(stream, axis->label);
    if (axis->has_range)
        put_numbers(stream, "range", (const double[]){axis->lo, axis->hi}, 2);
    if (axis->n_tick_values)
        put_numbers(stream, "ticks", axis->tick_values, axis->n_tick_values);
    put_bool(stream, "from_zero", axis->from_zero);
    put_bool(stream, "hide_labels", axis->hide_labels);
    for (size_t i = 0; i < axis->n_categories; i++) {
        fputs(i ? "," : ",\"categories\":[", stream);
        put_text(stream, axis->categories[i]);
    }
    fputs(axis->n_categories ? "]}" : "}", stream);
}

static void put_layer(FILE *stream, const ws_layer *layer)
{
    bool is_first = true;
    fputs("{\"label\":", stream);
    put_text(stream, layer->label);
    fputs(",\"kind\":[", stream);
    for (unsigned bit = 1; ws_layer_kind_name(bit); bit <<= 1) {
        if (!(layer->kind & bit))
            continue;
        fprintf(stream, "%s\"%s\"", is_first ? "" : ",", ws_layer_kind_name(bit));
        is_first = false;
    }
    fprintf(stream, "],\"style\":%d", layer->style);
    put_numbers(stream, "x", layer->x, layer->n);
    put_numbers(stream, "y", layer->y, layer->n);
    put_numbers(stream, "error", layer->error, layer->n);
    put_numbers(stream, "x_error", layer->x_error, layer->n);
    put_numbers(stream, "lo", layer->lo, layer->n);
    put_numbers(stream, "hi", layer->hi, layer->n);
    fputc('}', stream);
}

static void put_annotation(FILE *stream, const ws_annotation *a)
{
    fputs("{\"text\":", stream);
    put_text(stream, a->text);
    fprintf(stream, ",\"style\":%d", a->style);
    put_bool(stream, "in_panel", a->in_panel);
    fputs(",\"x\":", stream);
    put_number(stream, a->x);
    fputs(",\"y\":", stream);
    put_number(stream, a->y);
    fputc('}', stream);
}

static void put_reference(FILE *stream, const ws_reference_line *line)
{
    fprintf(stream, "{\"vertical\":%s,\"value\":", line->vertical ? "true" : "false");
    put_number(stream, line->value);
    fputs(",\"label\":", stream);
    put_text(stream, line->label);
    fputc('}', stream);
}

static void put_panel(FILE *stream, const ws_panel *panel)
{
    fputs("{\"letter\":", stream);
    put_text(stream, panel->letter);
    fputs(",\"title\":", stream);
    put_text(stream, panel->title);
    if (panel->share)
        fprintf(stream, ",\"share\":%d", panel->share);
    put_axis(stream, "x", &panel->x);
    put_axis(stream, "y", &panel->y);
    fputs(",\n\"layers\":[", stream);
    for (size_t i = 0; i < panel->n_layers; i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_layer(stream, &panel->layers[i]);
    }
    fputs("\n],\n\"annotations\":[", stream);
    for (size_t i = 0; i < panel->n_annotations; i++) {
        fputs(i ? ",\n" : "", stream);
        put_annotation(stream, &panel->annotations[i]);
    }
    fputs("],\n\"references\":[", stream);
    for (size_t i = 0; i < panel->n_references; i++) {
        fputs(i ? ",\n" : "", stream);
        put_reference(stream, &panel->references[i]);
    }
    fputs("]}", stream);
}

static void put_figure(FILE *stream, const ws_figure *figure)
{
    static const char *const places[] = {[WS_LEGEND_NONE] = "none",
                                         [WS_LEGEND_TOP] = "top",
                                         [WS_LEGEND_INSIDE] = "inside",
                                         [WS_LEGEND_CELL] = "cell",
                                         [WS_LEGEND_FACETS] = "facets"};
    fputs("{\"schema\":\"wattscale.figure/1\",\"name\":", stream);
    put_text(stream, figure->name);
    fputs(",\"width_mm\":", stream);
    put_number(stream, figure->width_mm);
    fputs(",\"height_mm\":", stream);
    put_number(stream, figure->height_mm);
    fprintf(stream, ",\"rows\":%zu,\"columns\":%zu,\n\"legend\":\"%s\"", figure->rows, figure->columns,
            places[figure->legend]);
    for (size_t i = 0; i < figure->n_looks; i++) {
        const ws_figure_look *look = &figure->looks[i];
        fprintf(stream, "%s{\"style\":%d", i ? "," : ",\n\"looks\":[", look->style);
        if (look->colour >= 0)
            fprintf(stream, ",\"colour\":\"#%06x\"", (unsigned)look->colour);
        if (look->marker >= 0)
            fprintf(stream, ",\"marker\":\"%s\"", ws_marker_names[look->marker]);
        fputs(i + 1 == figure->n_looks ? "}]" : "}", stream);
    }
    put_bool(stream, "synthetic", figure->synthetic);
    fputs(",\"caption\":", stream);
    put_text(stream, figure->caption);
    fputs(",\"footnote\":", stream);
    put_text(stream, figure->footnote);
    fputs(",\n\"panels\":[", stream);
    for (size_t i = 0; i < figure->n_panels; i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_panel(stream, &figure->panels[i]);
    }
    fputs("\n]}\n", stream);
}

ws_status ws_figure_write_json(const ws_figure *figure, FILE *stream, ws_error *error)
{
    errno = 0;
    put_figure(stream, figure);
    if (fflush(stream) == 0 && !ferror(stream))
        return WS_OK;
    return ws_fail_at(error, WS_IO, figure->name, 0, "the figure cannot be written: %s",
                      errno ? strerror(errno) : "the output takes no more");
}
