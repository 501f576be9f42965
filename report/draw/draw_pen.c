#include "report/draw/draw_pen.h"

#include <cairo.h>
#include <limits.h>
#include <math.h>
#include <plplot.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* PLplot counts in whole units: twenty to a point keep its rounding out of sight. */
#define UNITS_PER_PT 20.0
#define HAIR 0.01 /* areas are stroked too, at the current width: with transparency a rim would show */
enum { PEN_COLOUR = 15, COLOURS = 16, DEVICES = 100 };

/* What PLplot complains about reaches us through callbacks without a state. */
static jmp_buf way_out;
static char complaint[200];

static void note_complaint(const char *message)
{
    if (!*complaint)
        snprintf(complaint, sizeof complaint, "%s", message);
}

static int leave_plplot(const char *message)
{
    note_complaint(message);
    longjmp(way_out, 1);
}

/* Asked for a device that it does not have, PLplot reads one from stdin. */
static bool has_device(const char *name)
{
    const char *menu[DEVICES], *names[DEVICES], **menu_list = menu, **name_list = names;
    int n = DEVICES;
    plgDevs(&menu_list, &name_list, &n);
    for (int i = 0; i < n; i++)
        if (strcmp(name_list[i], name) == 0)
            return true;
    return false;
}

static void draw_pen_begin(cairo_t *cairo, double units, double width_mm, double height_mm)
{
    cairo_identity_matrix(cairo);
    cairo_scale(cairo, units / UNITS_PER_PT, units / UNITS_PER_PT);
    plsetopt("drvopt", "text_clipping=0");
    plsdev("extcairo");
    plspage(0, 0, (PLINT)lround(width_mm / WS_MM_PER_PT * UNITS_PER_PT),
            (PLINT)lround(height_mm / WS_MM_PER_PT * UNITS_PER_PT), 0, 0);
    plscmap0n(COLOURS);
    plinit();
    pl_cmd(PLESC_DEVINIT, cairo);
    pladv(0);
    plvpor(0, 1, 0, 1);
    plwind(0, width_mm, 0, height_mm);
}

ws_status ws_pen_draw(struct _cairo *cairo, double units, double width_mm, double height_mm, void (*draw)(void *state),
                      void *state, ws_error *error)
{
    complaint[0] = '\0';
    plsexit(leave_plplot);
    plsabort(note_complaint);
    if (!has_device("extcairo"))
        return ws_fail(error, WS_DATA,
                       "PLplot has no cairo driver, so figures cannot be drawn; "
                       "install plplot-driver-cairo");
    if (setjmp(way_out) == 0) {
        draw_pen_begin(cairo, units, width_mm, height_mm);
        draw(state);
        plend();
    }
    if (*complaint)
        return ws_fail(error, WS_DATA, "PLplot cannot draw the figure: %s", complaint);
    return WS_OK;
}

void ws_pen_colour(ws_colour colour, double alpha)
{
    plscol0a(PEN_COLOUR, colour.r, colour.g, colour.b, alpha);
    plcol0(PEN_COLOUR);
}

static void set_dash(ws_dash dash)
{
    double mm[WS_DASH_LENGTHS];
    PLINT strokes[WS_DASH_LENGTHS], gaps[WS_DASH_LENGTHS];
    size_t n = ws_dash_lengths(dash, mm) / 2;
    for (size_t i = 0; i < n; i++) {
        strokes[i] = (PLINT)lround(mm[2 * i] * 1000 * UNITS_PER_PT);
        gaps[i] = (PLINT)lround(mm[2 * i + 1] * 1000 * UNITS_PER_PT);
    }
    if (n)
        plstyl((PLINT)n, strokes, gaps);
    else
        plstyl(0, NULL, NULL);
}

void ws_pen_line(size_t n, const double *x, const double *y, double width_pt, ws_dash dash)
{
    if (n < 2 || n > INT_MAX)
        return;
    set_dash(dash);
    plwidth(width_pt * UNITS_PER_PT);
    plline((PLINT)n, x, y);
    plstyl(0, NULL, NULL);
}

void ws_pen_fill(size_t n, const double *x, const double *y)
{
    if (n < 3 || n > INT_MAX)
        return;
    plwidth(HAIR);
    plpsty(0);
    plfill((PLINT)n, x, y);
}

void ws_pen_box(double x0, double y0, double x1, double y1)
{
    const double x[] = {x0, x1, x1, x0}, y[] = {y0, y0, y1, y1};
    ws_pen_fill(4, x, y);
}
