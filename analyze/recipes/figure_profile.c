/* Power over time: one device, and the mean of all devices of its domain (Huber et al. 2025, Fig. 5). */
#include "analyze/recipes/figure_series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct time_unit {
    const char *label;
    double seconds, most_s;
} time_unit;

static const time_unit *unit_of(double span_s)
{
    static const time_unit units[] = {
        {"Time / s", 1, 1000}, {"Time / min", 60, 300 * 60.0}, {"Time / h", 3600, INFINITY}};
    const time_unit *unit = units;
    while (span_s > unit->most_s)
        unit++;
    return unit;
}

/* Unsigned, since two times may lie further apart than an int64 counts. */
static double seconds_since(int64_t start_ns, int64_t t_ns)
{
    return (double)((uint64_t)t_ns - (uint64_t)start_ns) / 1e9;
}

/* From the first reading of any device to the last. */
typedef struct time_axis {
    int64_t start_ns;
    double span_s;
    const time_unit *unit;
} time_axis;

static int64_t end_of(const ws_profile *p)
{
    return p->buckets[p->used - 1].last_ns;
}

static time_axis axis_of(const ws_profiled *const *chosen, size_t n)
{
    time_axis axis = {.start_ns = INT64_MAX};
    for (size_t i = 0; i < n; i++) {
        int64_t first = chosen[i]->profile.buckets[0].first_ns;
        axis.start_ns = first < axis.start_ns ? first : axis.start_ns;
    }
    for (size_t i = 0; i < n; i++) {
        axis.span_s = fmax(axis.span_s, seconds_since(axis.start_ns, end_of(&chosen[i]->profile)));
    }
    axis.unit = unit_of(axis.span_s);
    return axis;
}

/* Halfway between its first and its last reading. */
static double middle_of(const ws_profile_bucket *b, const time_axis *axis)
{
    double first = seconds_since(axis->start_ns, b->first_ns), last = seconds_since(axis->start_ns, b->last_ns);
    return (first + last) / 2 / axis->unit->seconds;
}

/* The buckets with readings: the time of each, its mean and its extremes. */
typedef struct curve {
    size_t n;
    double *x, *y, *lo, *hi;
} curve;

static curve curve_of(ws_arena *arena, const ws_profile *p, const time_axis *axis)
{
    curve c = {0};
    double **arrays[] = {&c.x, &c.y, &c.lo, &c.hi};
    for (size_t i = 0; i < 4; i++)
        *arrays[i] = ws_arena_alloc(arena, (p->used + 1) * sizeof(double));
    for (size_t i = 0; i < p->used; i++) {
        const ws_profile_bucket *b = &p->buckets[i];
        if (!b->n)
            continue;
        c.x[c.n] = middle_of(b, axis);
        c.y[c.n] = ws_sum_value(&b->sum) / (double)b->n;
        c.lo[c.n] = b->min;
        c.hi[c.n++] = b->max;
    }
    return c;
}

static bool overlap(const ws_profile *a, const ws_profile *b)
{
    return a->buckets[0].first_ns <= end_of(b) && b->buckets[0].first_ns <= end_of(a);
}

/* The devices that run together with the one that is drawn: same run, same kind of time, at some time both. */
static size_t keep_companions(const ws_profiled **chosen, size_t n, const ws_profiled *one)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (chosen[i]->channel.time == one->channel.time && strcmp(chosen[i]->channel.run, one->channel.run) == 0 &&
            overlap(&chosen[i]->profile, &one->profile))
            chosen[kept++] = chosen[i];
    return kept;
}

static const ws_profiled *find_device(const ws_figure_input *in, const ws_profiled *const *chosen, size_t n,
                                      ws_error *error)
{
    char names[300] = "";
    for (size_t i = 0; i < n; i++) {
        if (!in->device || strcmp(chosen[i]->channel.device, in->device) == 0)
            return chosen[i];
        if (strlen(names) < sizeof names - 40 && !strstr(names, chosen[i]->channel.device))
            snprintf(names + strlen(names), sizeof names - strlen(names), " %.30s", chosen[i]->channel.device);
    }
    ws_fail(error, WS_DATA, "there is no device '%s' with power over time; there are:%s", in->device, names);
    return NULL;
}

/* "gpu0, node1"; a whole node has its own name alone. */
static const char *name_of(ws_arena *arena, const ws_channel *c)
{
    if (*c->node && strcmp(c->device, "node") == 0)
        return c->node;
    return *c->node ? ws_arena_printf(arena, "%s, %s", c->device, c->node) : c->device;
}

/* "Dashed: mean of all readings of 16 devices." */
static const char *mean_words(ws_arena *arena, size_t devices)
{
    return ws_arena_printf(arena, " Dashed: mean of all readings of %zu device%s.", devices, devices == 1 ? "" : "s");
}

/* `run` is its title in the caption, or NULL. */
static const char *caption_of(ws_arena *arena, const ws_profiled *one, const char *run, const ws_profile *drawn,
                              size_t columns)
{
    char bucket[WS_DOUBLE_TEXT];
    const char *reduced = "", *of = run ? ws_arena_printf(arena, " (%s)", run) : "";
    ws_double_text_digits(bucket, ldexp(1e-9, drawn->shift), 3);
    if (drawn->samples > columns)
        reduced = ws_arena_printf(
            arena, " in columns of %s s, of which line and envelope show the mean, the least and the largest", bucket);
    return ws_arena_printf(arena, "ower of %s%s over time, n = %llu readings%s.", name_of(arena, &one->channel), of,
                           (unsigned long long)drawn->samples, reduced);
}

/* Over all readings of all devices, from the exact sums. */
static double mean_power(const ws_profiled *const *all, size_t devices)
{
    ws_profile whole = {0};
    ws_sum sum = {0};
    for (size_t i = 0; i < devices; i++)
        ws_profile_merge(&whole, &all[i]->profile);
    for (size_t b = 0; b < whole.used; b++)
        ws_sum_merge(&sum, &whole.buckets[b].sum);
    double mean = ws_sum_value(&sum) / (double)whole.samples;
    ws_profile_free(&whole);
    return mean;
}

/* What is drawn of the device: all of it, or its window. */
static const ws_profile *drawn_of(const ws_figure_input *in, size_t i, const ws_profiled *one)
{
    return in->windows ? &in->windows[i].channels[one - in->profiles[i].channels].profile : &one->profile;
}

/* Traces with the same label look alike. */
static int style_of(const ws_figure_input *in, size_t i)
{
    int style = 0;
    for (size_t k = 0; in->labels && k < i; k++) {
        bool is_new = true;
        for (size_t before = 0; before < k; before++)
            is_new &= strcmp(in->labels[before], in->labels[k]) != 0;
        if (strcmp(in->labels[k], in->labels[i]) == 0)
            return style_of(in, k);
        style += is_new;
    }
    return style;
}

static void set_axes(const ws_figure_input *in, ws_panel *panel, const time_unit *unit, double from_s, double to_s,
                     ws_arena *arena)
{
    const char *domain = in->domain == WS_GPU    ? "GPU "
                         : in->domain == WS_CPU  ? "CPU "
                         : in->domain == WS_DRAM ? "DRAM "
                                                 : "";
    panel->x =
        (ws_axis){.label = unit->label, .has_range = true, .lo = from_s / unit->seconds, .hi = to_s / unit->seconds};
    panel->y =
        (ws_axis){.label = ws_arena_printf(arena, "%s%s / W", domain, *domain ? "power" : "Power"), .from_zero = true};
}

/* As the caption has it, which has room for all that differs. */
static const char *whole_name(const ws_figure_input *in, size_t i)
{
    return in->whole_titles ? in->whole_titles[i] : in->titles[i];
}

static void figure_profile_draw(const ws_figure_input *in, size_t i, const ws_profiled *one,
                                const ws_profiled *const *all, size_t devices, ws_figure *figure)
{
    time_axis axis = axis_of(all, devices);
    double from_s = in->windows ? in->from_s : 0, to_s = in->windows ? in->to_s : axis.span_s;
    const char *title = in->titles ? in->titles[i] : NULL;
    axis.unit = unit_of(to_s);
    ws_arena *arena = &figure->arena;
    const char *letter = in->n_profiles > 1 ? ws_arena_printf(arena, "%c", (int)('A' + figure->n_panels % 26)) : NULL;
    ws_panel *panel = ws_figure_add_panel(figure, letter, title);
    set_axes(in, panel, axis.unit, from_s, to_s, arena);
    curve trace = curve_of(arena, drawn_of(in, i, one), &axis);
    const char *name = in->labels ? in->labels[i] : letter ? one->channel.device : name_of(arena, &one->channel);
    ws_layer *layer =
        ws_panel_add_layer(figure, panel, name, WS_LAYER_TRACE, style_of(in, i), trace.n, trace.x, trace.y);
    ws_layer_set_range(figure, layer, trace.lo, trace.hi);
    double mean = mean_power(all, devices);
    const double ends[] = {panel->x.lo, panel->x.hi}, level[] = {mean, mean};
    const char *label = letter         ? "Mean of all devices"
                        : devices == 1 ? "Mean"
                                       : ws_arena_printf(arena, "Mean of %zu devices", devices);
    ws_panel_add_layer(figure, panel, label, WS_LAYER_MEAN, -1, 2, ends, level);
    const char *caption =
        caption_of(arena, one, letter && title ? whole_name(in, i) : NULL, drawn_of(in, i, one), trace.n);
    caption = ws_arena_printf(arena, "%s%s%s", letter ? letter : "", letter ? ": p" : "P", caption);
    figure->caption = figure->caption ? ws_arena_printf(arena, "%s %s", figure->caption, caption) : caption;
}

/* The traces of a run, and those that run together with the one that is drawn. */
typedef struct chosen_traces {
    const ws_profiled *one, **all;
    size_t n, n_apart; /* of `all`; of other runs or times */
    bool is_empty;     /* nothing of it lies in the window */
} chosen_traces;

static ws_status choose_traces(const ws_figure_input *in, size_t i, ws_figure *figure, chosen_traces *c,
                               ws_error *error)
{
    const ws_profiles *profiles = &in->profiles[i];
    c->all = ws_arena_alloc(&figure->arena, (profiles->n + 1) * sizeof *c->all);
    size_t n = ws_profiles_choose(profiles, in->domain, c->all);
    if (!n)
        return ws_fail(error, WS_DATA,
                       "no %s has power over time in these traces (--domain names another; 'wattscale inspect "
                       "--channels' shows what there is)",
                       ws_domain_name(in->domain));
    c->one = find_device(in, c->all, n, error);
    if (!c->one)
        return WS_DATA;
    c->n = keep_companions(c->all, n, c->one);
    c->n_apart = n - c->n;
    c->is_empty = !drawn_of(in, i, c->one)->samples;
    return WS_OK;
}

/* Runs that end before the window begins. */
static void say_empty(const ws_figure_input *in, const char *names, ws_figure *figure)
{
    if (*names)
        figure->caption = ws_arena_printf(&figure->arena, "%s Not drawn: %s, without a reading from %g to %g s.",
                                          figure->caption, names, in->from_s, in->to_s);
}

static const char *add_empty(const ws_figure_input *in, size_t i, ws_arena *arena, const char *names)
{
    return ws_arena_printf(arena, "%s%s%s", names, *names ? ", " : "", in->titles ? in->titles[i] : "a run");
}

static ws_status fail_empty(const ws_figure_input *in, ws_error *error)
{
    return ws_fail(error, WS_DATA, "no reading lies from %g to %g s after the start of %s", in->from_s, in->to_s,
                   in->n_profiles > 1 ? "any run" : "its run");
}

/* Of so many devices; once for all panels where these are alike in that, which stands at the end. */
static void say_mean(size_t devices, ws_figure *figure)
{
    figure->caption = ws_arena_printf(&figure->arena, "%s%s", figure->caption, mean_words(&figure->arena, devices));
}

static void say_apart(const chosen_traces *c, ws_figure *figure)
{
    if (c->n_apart)
        figure->caption = ws_arena_printf(&figure->arena, "%s Not among them: %zu device%s of other runs or times.",
                                          figure->caption, c->n_apart, c->n_apart == 1 ? "" : "s");
}

static ws_status add_panels(const ws_figure_input *in, size_t n, ws_figure *figure, ws_error *error)
{
    const char *empty = "";
    size_t devices = 0;
    bool is_one_mean = true;
    chosen_traces *c = ws_arena_alloc(&figure->arena, n * sizeof *c);
    for (size_t i = 0; i < n; i++) {
        ws_status status = choose_traces(in, i, figure, &c[i], error);
        if (status != WS_OK)
            return status;
        empty = c[i].is_empty ? add_empty(in, i, &figure->arena, empty) : empty;
        is_one_mean &= c[i].is_empty || !devices || c[i].n == devices;
        devices = c[i].is_empty ? devices : c[i].n;
    }
    for (size_t i = 0; i < n; i++) {
        if (c[i].is_empty)
            continue;
        figure_profile_draw(in, i, c[i].one, c[i].all, c[i].n, figure);
        if (!is_one_mean || n == 1)
            say_mean(c[i].n, figure);
        say_apart(&c[i], figure);
    }
    if (!figure->n_panels)
        return fail_empty(in, error);
    if (is_one_mean && n > 1)
        say_mean(devices, figure);
    say_empty(in, empty, figure);
    return WS_OK;
}

/* "8g128b4w10e (gpu0, node1, n = 606 readings in columns of 0.5 s; mean of 8 devices)" */
static const char *overlaid_words(ws_arena *arena, const ws_figure_input *in, size_t i, const chosen_traces *c,
                                  size_t columns)
{
    const ws_profile *drawn = drawn_of(in, i, c->one);
    char bucket[WS_DOUBLE_TEXT];
    ws_double_text_digits(bucket, ldexp(1e-9, drawn->shift), 3);
    const char *reduced = drawn->samples > columns ? ws_arena_printf(arena, " in columns of %s s", bucket) : "";
    const char *apart = c->n_apart ? ws_arena_printf(arena, ", without %zu of other runs or times", c->n_apart) : "";
    return ws_arena_printf(arena, "%s (%s, n = %llu readings%s; mean of %zu device%s%s)", whole_name(in, i),
                           name_of(arena, &c->one->channel), (unsigned long long)drawn->samples, reduced, c->n,
                           c->n == 1 ? "" : "s", apart);
}

/* One device of each run in one panel, from the starts of the runs on, and the mean of each run in its colour. */
static ws_status add_overlay(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    ws_arena *arena = &figure->arena;
    const char *empty = "";
    size_t n_drawn = 0;
    chosen_traces *c = ws_arena_alloc(arena, in->n_profiles * sizeof *c);
    time_axis *axis = ws_arena_alloc(arena, in->n_profiles * sizeof *axis);
    double from_s = in->windows ? in->from_s : 0, to_s = in->windows ? in->to_s : 0;
    for (size_t i = 0; i < in->n_profiles; i++) {
        ws_status status = choose_traces(in, i, figure, &c[i], error);
        if (status != WS_OK)
            return status;
        axis[i] = axis_of(c[i].all, c[i].n);
        to_s = in->windows ? to_s : fmax(to_s, axis[i].span_s);
        empty = c[i].is_empty ? add_empty(in, i, arena, empty) : empty;
        n_drawn += !c[i].is_empty;
    }
    if (!n_drawn)
        return fail_empty(in, error);
    ws_panel *panel = ws_figure_add_panel(figure, NULL, NULL);
    set_axes(in, panel, unit_of(to_s), from_s, to_s, arena);
    for (size_t i = 0; i < in->n_profiles; i++) {
        axis[i].unit = unit_of(to_s);
        if (c[i].is_empty)
            continue;
        curve trace = curve_of(arena, drawn_of(in, i, c[i].one), &axis[i]);
        ws_panel_add_layer(figure, panel, in->titles[i], WS_LAYER_TRACE, (int)i, trace.n, trace.x, trace.y);
        figure->caption = ws_arena_printf(
            arena, "%s%s%s", figure->caption ? figure->caption : "Power of one device of each run over time: ",
            figure->caption ? "; " : "", overlaid_words(arena, in, i, &c[i], trace.n));
    }
    for (size_t i = 0; i < in->n_profiles; i++) {
        if (c[i].is_empty)
            continue;
        double mean = mean_power(c[i].all, c[i].n);
        const double ends[] = {panel->x.lo, fmin(panel->x.hi, axis[i].span_s / axis[i].unit->seconds)},
                     level[] = {mean, mean};
        ws_panel_add_layer(figure, panel, ws_arena_printf(arena, "Mean of %s", in->titles[i]),
                           WS_LAYER_LINE | WS_LAYER_DASHED, (int)i, 2, ends, level);
    }
    figure->caption = ws_arena_printf(arena, "%s. Dashed: mean of all readings of each run.", figure->caption);
    say_empty(in, empty, figure);
    return WS_OK;
}

/* One range of power for all panels, to be compared by eye, and labels at the outer axes alone. Of whole runs times are
 * shared where they are about as long, and keep their labels. */
static void share_axes(ws_figure *figure, bool one_time)
{
    static const double headroom = 1.04, about = 2;
    double top = 0, longest = 0, shortest = INFINITY;
    for (size_t p = 0; p < figure->n_panels; p++) {
        const ws_panel *panel = &figure->panels[p];
        bool is_alike = strcmp(panel->x.label, figure->panels[0].x.label) == 0;
        longest = is_alike ? fmax(longest, panel->x.hi) : INFINITY;
        shortest = fmin(shortest, panel->x.hi);
        for (size_t l = 0; l < panel->n_layers; l++)
            for (size_t i = 0; i < panel->layers[l].n; i++)
                top = fmax(top, panel->layers[l].hi ? panel->layers[l].hi[i] : panel->layers[l].y[i]);
    }
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_panel *panel = &figure->panels[p];
        panel->y.has_range = true;
        panel->y.hi = headroom * top;
        panel->y.hide_labels = p % figure->columns > 0;
        panel->x.hi = longest < about * shortest ? longest : panel->x.hi;
        panel->x.hide_labels = one_time && p + figure->columns < figure->n_panels;
        panel->y.label = panel->y.hide_labels ? NULL : panel->y.label;
        panel->x.label = panel->x.hide_labels ? NULL : panel->x.label;
    }
}

/* One wide panel, or two a row. */
ws_status ws_make_profile_figure(const ws_figure_input *in, const char *name, ws_figure *figure, ws_error *error)
{
    static const double one_row_mm = 70, row_mm = 52;
    size_t n = in->n_profiles > 1 && !in->is_overlay ? in->n_profiles : 1, rows = (n + 1) / 2;
    ws_figure_init(figure, name, 180, rows > 1 ? row_mm * (double)rows : one_row_mm, rows, n > 1 ? 2 : 1);
    figure->legend = WS_LEGEND_TOP;
    ws_status status = in->is_overlay ? add_overlay(in, figure, error) : add_panels(in, n, figure, error);
    if (status == WS_OK && figure->n_panels < n) {
        figure->rows = (figure->n_panels + 1) / 2;
        figure->columns = figure->n_panels > 1 ? 2 : 1;
        figure->height_mm = figure->rows > 1 ? row_mm * (double)figure->rows : one_row_mm;
    }
    if (status == WS_OK && in->windows)
        figure->caption =
            ws_arena_printf(&figure->arena, "%s Drawn: %g to %g s from the start of each run; means are of whole runs.",
                            figure->caption, in->from_s, in->to_s);
    if (status == WS_OK && n > 1)
        share_axes(figure, in->windows != NULL);
    return status;
}

static ws_status make_figure_profile(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return ws_make_profile_figure(in, "trace/profile", figure, error);
}

const ws_figure_recipe ws_figure_trace_profile = {.name = "trace/profile",
                                                  .summary =
                                                      "power over time of one device, and the mean of all devices",
                                                  .source = WS_FIGURE_OF_TRACES,
                                                  .make = make_figure_profile};
