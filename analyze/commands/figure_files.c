#include "analyze/commands/figure_files.h"

#include "core/text.h"
#include "formats/input/input.h"
#include "report/draw/draw.h"
#include "report/figure/figure_csv.h"
#include "report/figure/figure_json.h"

static ws_status write_pdf(FILE *stream, const void *figure, ws_error *error)
{
    return ws_figure_write(figure, WS_FIGURE_PDF, stream, error);
}

static ws_status write_svg(FILE *stream, const void *figure, ws_error *error)
{
    return ws_figure_write(figure, WS_FIGURE_SVG, stream, error);
}

static ws_status write_png(FILE *stream, const void *figure, ws_error *error)
{
    return ws_figure_write(figure, WS_FIGURE_PNG, stream, error);
}

static ws_status write_json(FILE *stream, const void *figure, ws_error *error)
{
    return ws_figure_write_json(figure, stream, error);
}

static ws_status write_csv(FILE *stream, const void *figure, ws_error *error)
{
    ws_table table;
    ws_write_options every_column = {.all_columns = true};
    ws_figure_table(figure, &table);
    table.synthetic = ((const ws_figure *)figure)->synthetic;
    ws_table_add_synthetic_mark(&table);
    ws_status status = ws_table_write(stream, &table, WS_FORM_CSV, &every_column, error);
    ws_table_free(&table);
    return status;
}

ws_file_writer *ws_figure_writer(const char *suffix)
{
    static const struct {
        const char *suffix;
        ws_file_writer *write;
    } forms[] = {{"pdf", write_pdf}, {"svg", write_svg}, {"png", write_png}, {"json", write_json}, {"csv", write_csv}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ws_eq_nocase(forms[i].suffix, suffix))
            return forms[i].write;
    return NULL;
}

ws_status ws_figure_read(const char *path, ws_figure *figure, ws_error *error)
{
    static const size_t limit = (size_t)1 << 30;
    ws_input *input;
    ws_span text;
    *figure = (ws_figure){0};
    ws_status status = ws_input_open(&input, path, error);
    if (status == WS_OK)
        status = ws_input_read_all(input, limit, &text, error);
    if (status == WS_OK)
        status = ws_figure_read_json(figure, text.p, text.n, ws_input_path(input), error);
    ws_input_close(input);
    return status;
}
