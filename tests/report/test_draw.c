#include "report/draw/draw.h"

#include "harness.h"
#include "report/draw/draw_text.h"
#include "report/figure/figure_path.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static ws_figure figure;

typedef struct drawing {
    char *bytes;
    size_t n;
} drawing;

static void set_up(void)
{
    static const double x[] = {1, 2, 4, 8}, y[] = {1, 1.9, 3.7, 7}, e[] = {0, 0.1, 0.2, NAN}, lo[] = {0.9, 1.8, NAN, 6},
                        hi[] = {1.1, 2, 4, 8};
    ws_figure_init(&figure, "test/drawing", 85, 62.5, 1, 2);
    figure.legend = WS_LEGEND_TOP;
    figure.footnote = "# 100 % <&> n^{2} _{x}";
    for (int i = 0; i < 2; i++) {
        ws_panel *panel = ws_figure_add_panel(&figure, i ? "B" : "A", i ? "\xce\xb2 = 0.8" : NULL);
        panel->x = (ws_axis){.scale = WS_AXIS_LOG2, .label = "Number of GPUs"};
        panel->y.label = "Energy / 10^{6} kWh";
        ws_layer *layer =
            ws_panel_add_layer(&figure, panel, "LBS 256",
                               WS_LAYER_LINE | WS_LAYER_MARKERS | WS_LAYER_ERRORS | WS_LAYER_BAND, i + 2, 4, x, y);
        ws_layer_set_error(&figure, layer, e);
        ws_layer_set_range(&figure, layer, lo, hi);
        ws_panel_add_layer(&figure, panel, "Ideal", WS_LAYER_DASHED, -1, 4, x, x);
        ws_panel_annotate(&figure, panel, "R^{2} = 0.99", 0, true, 0.95, 0.95);
        ws_panel_add_reference(&figure, panel, false, 5, "limit");
    }
}

static drawing draw(ws_figure_form form)
{
    drawing d = {0};
    ws_error error = {0};
    FILE *stream = open_memstream(&d.bytes, &d.n);
    ck_assert_msg(ws_figure_write(&figure, form, stream, &error) == WS_OK, "%s", error.message);
    fclose(stream);
    return d;
}

static const char *find(const drawing *d, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= d->n; i++)
        if (memcmp(d->bytes + i, text, n) == 0)
            return d->bytes + i;
    return NULL;
}

static bool have_font(void)
{
    ws_font *font;
    bool found = ws_font_open(&font, NULL) == WS_OK;
    ws_font_close(font);
    return found;
}

START_TEST(pages_have_their_exact_size)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    const double width_pt = 85 / 25.4 * 72, height_pt = 62.5 / 25.4 * 72;
    double width = 0, height = 0;
    set_up();
    drawing pdf = draw(WS_FIGURE_PDF), svg = draw(WS_FIGURE_SVG);
    const char *box = find(&pdf, "/MediaBox"), *size = find(&svg, "<svg ");
    ck_assert_ptr_nonnull(box);
    ck_assert_int_eq(sscanf(box, "/MediaBox [ 0 0 %lf %lf ]", &width, &height), 2);
    ck_close(width, width_pt, 0, 0.01);
    ck_close(height, height_pt, 0, 0.01);
    ck_assert_ptr_nonnull(strstr(size, "width=\""));
    ck_close(atof(strstr(size, "width=\"") + 7), width_pt, 0, 0.01);
    ck_close(atof(strstr(size, "height=\"") + 8), height_pt, 0, 0.01);
    ck_assert(strncmp(strstr(strstr(size, "width=\"") + 7, "\"") - 2, "pt", 2) == 0);
    free(pdf.bytes);
    free(svg.bytes);
    ws_figure_free(&figure);
}
END_TEST

START_TEST(fonts_are_embedded)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    set_up();
    drawing pdf = draw(WS_FIGURE_PDF);
    size_t fonts = 0, files = 0;
    for (size_t i = 0; i + 12 < pdf.n; i++) {
        fonts += strncmp(pdf.bytes + i, "/Type /FontDescriptor", 21) == 0;
        files += strncmp(pdf.bytes + i, "/FontFile", 9) == 0;
    }
    ck_assert_uint_ge(fonts, 2); /* upright and bold */
    ck_assert_uint_eq(fonts, files);
    ck_assert_ptr_nonnull(find(&pdf, "LiberationSans-Bold"));
    free(pdf.bytes);
    ws_figure_free(&figure);
}
END_TEST

static uint32_t big_endian(const char *at)
{
    const unsigned char *p = (const unsigned char *)at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

START_TEST(png_says_300_dpi)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    set_up();
    drawing png = draw(WS_FIGURE_PNG);
    ck_assert_uint_eq(big_endian(png.bytes + 16), 1004); /* 85 / 25.4 * 300 = 1003.9 */
    ck_assert_uint_eq(big_endian(png.bytes + 20), 738);  /* 62.5 / 25.4 * 300 = 738.2 */
    const char *density = find(&png, "pHYs");
    ck_assert_ptr_nonnull(density);
    ck_assert_uint_eq(big_endian(density + 4), 11811); /* 300 / 0.0254 = 11811.02 */
    ck_assert_uint_eq(big_endian(density + 8), 11811);
    ck_assert_int_eq(density[12], 1);
    free(png.bytes);
    ws_figure_free(&figure);
}
END_TEST

START_TEST(same_figure_same_bytes)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    static const char *const zones[] = {"UTC", "Asia/Kathmandu", "America/New_York"}, *const locales[] = {"C",
                                                                                                          "de_DE.UTF-8",
                                                                                                          "C.UTF-8"};
    set_up();
    drawing first[3];
    for (int form = 0; form < 3; form++)
        first[form] = draw((ws_figure_form)form);
    for (int run = 0; run < 3; run++) {
        setenv("TZ", zones[run], 1);
        setenv("LC_ALL", locales[run], 1);
        tzset();
        setlocale(LC_ALL, "");
        for (int form = 0; form < 3; form++) {
            drawing again = draw((ws_figure_form)form);
            ck_assert_uint_eq(again.n, first[form].n);
            ck_assert_msg(memcmp(again.bytes, first[form].bytes, again.n) == 0, "form %d differs in run %d", form, run);
            free(again.bytes);
        }
    }
    setlocale(LC_ALL, "C");
    for (int form = 0; form < 3; form++)
        free(first[form].bytes);
    ws_figure_free(&figure);
}
END_TEST

START_TEST(a_process_that_drew_nothing_else_writes_the_same_svg)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    set_up();
    drawing parent = draw(WS_FIGURE_SVG);
    free(draw(WS_FIGURE_PDF).bytes);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        drawing own = draw(WS_FIGURE_SVG);
        bool same = own.n == parent.n && memcmp(own.bytes, parent.bytes, own.n) == 0;
        _exit(same ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(ends[0]);
    close(ends[1]);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(parent.bytes);
    ws_figure_free(&figure);
}
END_TEST

/* fontconfig keeps what it found, so a child sets out with nothing found yet. */
START_TEST(without_a_font_it_says_what_to_install)
{
    char path[] = "/tmp/no-fonts-XXXXXX";
    int file = mkstemp(path);
    static const char nothing[] = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig/>";
    ck_assert_int_eq(write(file, nothing, sizeof nothing - 1), sizeof nothing - 1);
    close(file);
    pid_t child = fork();
    if (child == 0) {
        setenv("FONTCONFIG_FILE", path, 1);
        set_up();
        ws_error error = {0};
        FILE *stream = tmpfile();
        ws_status status = ws_figure_write(&figure, WS_FIGURE_PDF, stream, &error);
        bool clear =
            status == WS_DATA && strstr(error.message, "Liberation Sans") && strstr(error.message, "fonts-liberation2");
        _exit(clear && ftell(stream) == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    unlink(path);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        skip_because("there is no /dev/full");
    set_up();
    ws_error error = {0};
    ck_assert_int_eq(ws_figure_write(&figure, WS_FIGURE_SVG, full, &error), WS_IO);
    ck_assert_msg(strncmp(error.message, "test/drawing: ", 14) == 0, "%s", error.message);
    fclose(full);
    ws_figure_free(&figure);
}
END_TEST

START_TEST(long_traces_stay_small_and_keep_their_spikes)
{
    enum { N = 1000000 };
    ws_path path = {0};
    for (size_t i = 0; i < N; i++)
        ws_path_add(&path, 100.0 * (double)i / N, i == 123457 ? 50 : i == 700001 ? -50 : 10 + (double)(i % 7) / 7);
    ws_path_end(&path);
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t i = 0; i < path.n; i++)
        lowest = fmin(lowest, path.y[i]), highest = fmax(highest, path.y[i]);
    ck_assert_uint_le(path.n, 4 * (size_t)(100 / WS_COLUMN_MM + 2));
    ck_assert(lowest == -50 && highest == 50);
    ck_assert(path.x[0] == 0 && path.x[path.n - 1] == 100.0 * (N - 1) / N);
    ws_path_free(&path);
}
END_TEST

typedef struct parts {
    size_t n, points;
    double x[20], y[20];
} parts;

static void take_part(void *state, size_t n, const double *x, const double *y)
{
    parts *p = state;
    p->n++;
    for (size_t i = 0; i < n && p->points < 20; i++, p->points++)
        p->x[p->points] = x[i], p->y[p->points] = y[i];
}

START_TEST(lines_end_at_the_frame_and_at_gaps)
{
    static const double x[] = {0, 10, 20, 30, 40, 50}, y[] = {5, 15, 5, NAN, 5, 1e300};
    const ws_box frame = {0, 0, 100, 10};
    ws_path path = {0};
    parts p = {0};
    for (size_t i = 0; i < 6; i++)
        ws_path_add(&path, x[i], y[i]);
    ws_path_end(&path);
    ws_path_clip(&path, &frame, take_part, &p);
    /* up and out at (5, 10), in again at (15, 10), then the gap, then out again at once */
    const double want_x[] = {0, 5, 15, 20, 40, 40}, want_y[] = {5, 10, 10, 5, 5, 10};
    ck_assert_uint_eq(p.n, 3);
    ck_assert_uint_eq(p.points, 6);
    for (size_t i = 0; i < 6; i++) {
        ck_close(p.x[i], want_x[i], 0, 1e-9);
        ck_close(p.y[i], want_y[i], 0, 1e-9);
    }
    ws_path_free(&path);
}
END_TEST

/* Text that can be searched, copied and edited, and no outlines of letters. */
START_TEST(texts_of_an_svg_are_text)
{
    if (!have_font())
        skip_because("Liberation Sans is not installed");
    set_up();
    drawing svg = draw(WS_FIGURE_SVG);
    static const char *const texts[] = {
        ">Number of GPUs</text>", ">LBS 256</text>", ">\xce\xb2 = 0.8</text>",
        "font-weight=\"bold\" font-size=\"9.00\" ", ">A</text>",
        /* escaped, and its scripts raised and lowered: 0.36 and 0.18 of 6 points */
        "># 100 % &lt;&amp;&gt; n</tspan><tspan x=", " y=\"-2.16\" font-size=\"4.20\">2<",
        " y=\"1.08\" font-size=\"4.20\">x<", " rotate(-90)\" "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(find(&svg, texts[i]), "%s", texts[i]);
    ck_assert(!find(&svg, "glyph"));
    const char *first = find(&svg, "<text"), *last_path = NULL;
    for (const char *at = find(&svg, "<path"); at; at = strstr(at + 1, "<path"))
        last_path = at;
    ck_assert(first && last_path && last_path < first); /* above all that is drawn */
    free(svg.bytes);
    ws_figure_free(&figure);
}
END_TEST

TEST_MAIN("draw", texts_of_an_svg_are_text, without_a_font_it_says_what_to_install, pages_have_their_exact_size,
          fonts_are_embedded, png_says_300_dpi, same_figure_same_bytes,
          a_process_that_drew_nothing_else_writes_the_same_svg, a_full_disk_is_an_error,
          long_traces_stay_small_and_keep_their_spikes, lines_end_at_the_frame_and_at_gaps)
