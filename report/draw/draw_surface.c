#include "report/draw/draw_surface.h"

#include "report/figure/figure_style.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void append(ws_sheet *sheet, const void *bytes, size_t n)
{
    sheet->bytes = ws_grow(sheet->bytes, &sheet->capacity, sheet->n + n, 1);
    if (n)
        memcpy(sheet->bytes + sheet->n, bytes, n);
    sheet->n += n;
}

static cairo_status_t draw_surface_take_bytes(void *state, const unsigned char *bytes, unsigned n)
{
    append(state, bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *new_surface(ws_sheet *sheet, double width_mm, double height_mm, const char *title)
{
    double width = width_mm / WS_MM_PER_PT, height = height_mm / WS_MM_PER_PT;
    cairo_surface_t *surface;
    switch (sheet->form) {
    case WS_FIGURE_PDF:
        surface = cairo_pdf_surface_create_for_stream(draw_surface_take_bytes, sheet, width, height);
        /* Else cairo takes the clock. */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
        return surface;
    case WS_FIGURE_SVG:
        surface = cairo_svg_surface_create_for_stream(draw_surface_take_bytes, sheet, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
        return surface;
    case WS_FIGURE_PNG:
        break;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width_mm / 25.4 * WS_PNG_DPI),
                                      (int)lround(height_mm / 25.4 * WS_PNG_DPI));
}

static ws_status draw_surface_check(cairo_status_t status, const char *name, ws_error *error)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return WS_OK;
    return ws_fail_at(error, WS_IO, name, 0, "the figure cannot be drawn: %s", cairo_status_to_string(status));
}

ws_status ws_sheet_open(ws_sheet *sheet, ws_figure_form form, double width_mm, double height_mm, const char *title,
                        ws_error *error)
{
    *sheet = (ws_sheet){.form = form, .units = form == WS_FIGURE_PNG ? WS_PNG_DPI / 72.0 : 1};
    if (form == WS_FIGURE_SVG && !(sheet->texts = open_memstream(&sheet->text, &sheet->text_n)))
        return ws_fail_at(error, WS_IO, title, 0, "the figure cannot be drawn: %s", strerror(errno));
    cairo_surface_t *surface = new_surface(sheet, width_mm, height_mm, title);
    sheet->cairo = cairo_create(surface);
    cairo_surface_destroy(surface); /* the context keeps it */
    cairo_set_source_rgb(sheet->cairo, 1, 1, 1);
    cairo_paint(sheet->cairo);
    return draw_surface_check(cairo_status(sheet->cairo), title, error);
}

static void take_png_bytes(png_structp png, png_bytep bytes, size_t n)
{
    append(png_get_io_ptr(png), bytes, n);
}

static void flush_no_png(png_structp png)
{
    (void)png;
}

/* What PNG_DPI is in pixels per metre: without it viewers take 72 or 96 dpi. */
static const png_uint_32 pixels_a_metre = (png_uint_32)(WS_PNG_DPI / 0.0254 + 0.5);

/* Of a drawing, most of which is one colour, rows as they are pack as well as differences of rows, of which cairo's own
 * writer tries five kinds: for twice the time that all the rest of a figure takes. Of zlib's levels 3 takes less than
 * half the time of 6, for a fifth more bytes. */
static bool write_png(ws_sheet *sheet, cairo_surface_t *surface)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, sheet, take_png_bytes, flush_no_png);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, 3);
    png_uint_32 width = (png_uint_32)cairo_image_surface_get_width(surface),
                height = (png_uint_32)cairo_image_surface_get_height(surface);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_pHYs(png, info, pixels_a_metre, pixels_a_metre, PNG_RESOLUTION_METER);
    png_write_info(png, info);
    /* A pixel is a word of 0x00RRGGBB. */
    bool low_first = *(const unsigned char *)&(uint32_t){1};
    png_set_filler(png, 0, low_first ? PNG_FILLER_AFTER : PNG_FILLER_BEFORE);
    if (low_first)
        png_set_bgr(png);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    for (png_uint_32 row = 0; row < height; row++)
        png_write_row(png, pixels + row * (size_t)cairo_image_surface_get_stride(surface));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

/* cairo numbers its surfaces over the whole process: id="surface7" becomes id="surface1", wherever it is named. */
static void settle_ids(ws_sheet *sheet)
{
    static const char name[] = "surface";
    const size_t length = sizeof name - 1;
    size_t to = 0;
    for (size_t from = 0; from < sheet->n;) {
        bool is_name = from > 0 && (sheet->bytes[from - 1] == '"' || sheet->bytes[from - 1] == '#') &&
                       sheet->n - from > length && memcmp(sheet->bytes + from, name, length) == 0;
        size_t digits = from + length;
        while (is_name && digits < sheet->n && sheet->bytes[digits] >= '0' && sheet->bytes[digits] <= '9')
            digits++;
        if (is_name && digits > from + length) {
            memmove(sheet->bytes + to, "surface1", length + 1);
            to += length + 1, from = digits;
        } else {
            sheet->bytes[to++] = sheet->bytes[from++];
        }
    }
    sheet->n = to;
}

/* Above all that cairo drew. */
static void insert_texts(ws_sheet *sheet)
{
    static const char end[] = "</svg>\n", group_end[] = "</g>\n";
    size_t n_end = sizeof end - 1;
    fclose(sheet->texts);
    sheet->texts = NULL;
    if (sheet->n < n_end || memcmp(sheet->bytes + sheet->n - n_end, end, n_end) != 0 || !sheet->text_n)
        return;
    sheet->n -= n_end;
    append(sheet, sheet->text, sheet->text_n);
    append(sheet, group_end, sizeof group_end - 1);
    append(sheet, end, n_end);
}

ws_status ws_sheet_write(ws_sheet *sheet, const char *name, FILE *stream, ws_error *error)
{
    cairo_surface_t *surface = cairo_get_target(sheet->cairo);
    ws_status status = draw_surface_check(cairo_status(sheet->cairo), name, error);
    cairo_surface_flush(surface);
    if (status == WS_OK && sheet->form == WS_FIGURE_PNG && !write_png(sheet, surface))
        status = ws_fail_at(error, WS_IO, name, 0, "the figure cannot be written as PNG");
    cairo_surface_finish(surface);
    if (status == WS_OK)
        status = draw_surface_check(cairo_surface_status(surface), name, error);
    if (status != WS_OK)
        return status;
    if (sheet->form == WS_FIGURE_SVG) {
        settle_ids(sheet);
        insert_texts(sheet);
    }
    errno = 0;
    if (fwrite(sheet->bytes, 1, sheet->n, stream) == sheet->n && fflush(stream) == 0)
        return WS_OK;
    return ws_fail_at(error, WS_IO, name, 0, "the figure cannot be written: %s",
                      errno ? strerror(errno) : "the output takes no more");
}

void ws_sheet_free(ws_sheet *sheet)
{
    if (sheet->cairo)
        cairo_destroy(sheet->cairo);
    if (sheet->texts)
        fclose(sheet->texts);
    free(sheet->text);
    free(sheet->bytes);
    *sheet = (ws_sheet){0};
}
