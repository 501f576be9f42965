#include "analyze/recipes/prose_numbers.h"
#include "analyze/unusable_runs.h"

#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/story_words.h"
#include "analyze/units.h"
#include "core/known_to.h"
#include "fit/estimate.h"
#include "report/table/table_forms.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Configurations with names of their own; a campaign of more is not told in prose. */
enum { MOST_CONFIGURATIONS = 400 };

typedef struct prose {
    FILE *stream;
    const char *prefix;
    const ws_table *runs, *scale;
    ws_series_list series;
    const char *named[MOST_CONFIGURATIONS]; /* as they end macros */
    size_t n_named;
    ws_arena arena;
} prose;

static const struct {
    const char *column, *error, *name, *unit, *title;
    double factor;
} quantities[] = {
    {"speedup", "speedup_pooled_se", "Speedup", "", "speed-up", 1},
    {"efficiency", "efficiency_pooled_se", "Efficiency", "", "efficiency", 1},
    {"energy_ratio", "energy_ratio_pooled_se", "EnergyRatio", "", "energy against the reference", 1},
    {"wall_s", "wall_s_rmse", "Hours", " [h]", "wall time", 1 / 3600.},
    {"gpu_h", "gpu_h_rmse", "GpuHours", " [GPUh]", "compute resources", 1},
    {"energy_kwh", "energy_kwh_rmse", "Energy", " [kWh]", "energy", 1},
    {"kwh_per_gpuh", "kwh_per_gpuh_rmse", "EnergyPerGpuHour", " [kWh]", "energy per GPUh", 1},
    {"gpu_power_w", "gpu_power_w_rmse", "GpuPower", " [W]", "mean power of a GPU", 1},
    {"samples_per_gpuh", "samples_per_gpuh_rmse", "SamplesPerGpuHour", "", "samples per GPUh", 1},
    {"wh_per_sample_seen", "wh_per_sample_seen_rmse", "EnergyPerSample", " [Wh]", "energy per sample seen", 1},
};
enum { N_QUANTITIES = sizeof quantities / sizeof *quantities };

/* TeX takes letters alone: "GBS 256" is GbsTwoFiveSix, "0.5 W" ZeroPointFiveW. Other signs are left out. */
static const char *spell(ws_arena *arena, const char *text)
{
    static const char *const digits[] = {"Zero", "One", "Two",   "Three", "Four",
                                         "Five", "Six", "Seven", "Eight", "Nine"};
    const char *name = "";
    bool begins = true;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_letter = c < 128 && isalpha(c);
        if (c >= '0' && c <= '9')
            name = ws_arena_printf(arena, "%s%s", name, digits[c - '0']);
        else if (c == '.' && text[1] >= '0' && text[1] <= '9')
            name = ws_arena_printf(arena, "%sPoint", name);
        else if (is_letter)
            name = ws_arena_printf(arena, "%s%c", name, begins ? toupper(c) : tolower(c));
        begins = !is_letter;
    }
    return name;
}

/* A remark ends with its line. */
static void put_macro(prose *p, const char *name, const char *value, const char *what)
{
    fprintf(p->stream, "\\newcommand{\\%s%s}{", p->prefix, name);
    ws_latex_put_number(p->stream, value);
    fputs("} % ", p->stream);
    for (; *what; what++)
        fputc(*what == '\n' || *what == '\r' ? ' ' : *what, p->stream);
    fputs("\n", p->stream);
}

/* "12.26 ± 0.03" gives two macros. */
static void put_pair(prose *p, const char *name, double value, double error, const char *what)
{
    static const char between[] = " ± ";
    char *pair = ws_arena_strdup(&p->arena, ws_say_pair(value, error > 0 ? error : NAN).text);
    char *end = strstr(pair, between);
    if (end)
        *end = 0;
    put_macro(p, name, pair, what);
    if (end)
        put_macro(p, ws_arena_printf(&p->arena, "%sErr", name), end + strlen(between), "its uncertainty");
}

static void put_quantity(prose *p, size_t quantity, const char *name, const char *of, size_t row)
{
    size_t column, error;
    if (!ws_table_find(p->scale, quantities[quantity].column, &column) ||
        !isfinite(ws_table_number(p->scale, column, row)))
        return;
    bool has_error = ws_table_find(p->scale, quantities[quantity].error, &error);
    double factor = quantities[quantity].factor, value = ws_table_number(p->scale, column, row);
    double spread = has_error ? ws_table_number(p->scale, error, row) : NAN;
    double common = ws_is_of_energy(quantities[quantity].column) ? ws_energy_u(p->scale, &row, 1) * value : 0;
    spread = common > 0 ? hypot(isfinite(spread) ? spread : 0, common) : spread;
    const char *macro = ws_arena_printf(&p->arena, "%s%s", quantities[quantity].name, name);
    put_pair(p, macro, value * factor, spread * factor,
             ws_arena_printf(&p->arena, "%s%s%s", quantities[quantity].title, quantities[quantity].unit, of));
}

/* Adds a name to those of a list, with an X behind it for each that stands there already. */
static const char *name_apart(ws_arena *arena, const char **names, size_t n, const char *name)
{
    size_t same = 0, length = strlen(name);
    for (size_t i = 0; i < n; i++)
        same += strncmp(names[i], name, length) == 0 && strspn(names[i] + length, "X") == strlen(names[i] + length);
    while (same-- > 0)
        name = ws_arena_printf(arena, "%sX", name);
    return names[n] = name;
}

static void put_configuration(prose *p, const char *series, const char *label, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t gpus;
    bool has_gpus = ws_table_find(p->scale, "gpus", &gpus) && !ws_table_is_missing(p->scale, gpus, row);
    const char *count = has_gpus ? ws_table_cell_text(p->scale, gpus, row, buffer) : "";
    const char *name =
        ws_arena_printf(&p->arena, "%s%s%s", series, has_gpus ? "Gpus" : "Configuration", spell(&p->arena, count));
    name = name_apart(&p->arena, p->named, p->n_named++, name);
    const char *of = ws_arena_printf(&p->arena, "%s%s%s%s", *label ? ", " : "", label, has_gpus ? ", GPUs: " : "",
                                     has_gpus ? count : "");
    for (size_t q = 0; q < N_QUANTITIES; q++)
        put_quantity(p, q, name, of, row);
}

/* That of the most GPUs heads its series. */
static void put_largest(prose *p, const char *name, const char *label, const ws_row_list *rows)
{
    size_t gpus, most = rows->rows[0];
    if (!ws_table_find(p->scale, "gpus", &gpus))
        return;
    for (size_t i = 1; i < rows->n; i++)
        if (ws_table_number(p->scale, gpus, rows->rows[i]) > ws_table_number(p->scale, gpus, most))
            most = rows->rows[i];
    const char *of = ws_arena_printf(&p->arena, "%s%s, most GPUs: %.6g", *label ? ", " : "", label,
                                     ws_table_number(p->scale, gpus, most));
    for (size_t q = 0; q < N_QUANTITIES; q++)
        put_quantity(p, q, name, of, most);
}

static void put_factor(prose *p, const char *name, const char *label, const ws_series *series)
{
    ws_series_ratios ratios;
    ws_error none = {0};
    if (ws_series_factor(&p->arena, p->runs, &series->runs, 0.95, &ratios, &none) != WS_OK)
        return;
    const ws_estimate *ratio = ws_fit_estimate(&ratios.fit, "mean-of-ratios");
    if (!ratio || !isfinite(ratio->value))
        return;
    put_pair(p, ws_arena_printf(&p->arena, "Factor%s", name), ratio->value, ratio->se,
             ws_arena_printf(&p->arena, "kWh per GPUh, mean of ratios%s%s%s", *label ? ", " : "", label,
                             ratios.is_single ? "" : ws_arena_printf(&p->arena, "; no single factor: %s", ratios.why)));
    if (!isfinite(ratio->ci_lo))
        return;
    bool is_little_known = ws_energy_u(p->runs, ratios.rows.rows, ratios.rows.n) > 0;
    const double ends[] = {ratio->ci_lo, ratio->ci_hi};
    for (size_t i = 0; i < 2; i++) {
        const char *text = is_little_known ? ws_arena_strdup(&p->arena, ws_words_to_error(ends[i], ratio->se).text)
                                           : ws_arena_strdup(&p->arena, ws_say_digits(ends[i], 4).text);
        put_macro(p, ws_arena_printf(&p->arena, "Factor%s%s", name, i ? "Hi" : "Lo"), text,
                  i ? "upper end of its 95 % interval" : "lower end of its 95 % interval");
    }
}

static void put_series(prose *p, const char **names, size_t n)
{
    const ws_series *series = &p->series.items[n];
    const char *name = name_apart(&p->arena, names, n, spell(&p->arena, series->label));
    if (series->configurations.n)
        put_largest(p, name, series->label, &series->configurations);
    put_factor(p, name, series->label, series);
    for (size_t i = 0; i < series->configurations.n && p->n_named < MOST_CONFIGURATIONS; i++)
        put_configuration(p, name, series->label, series->configurations.rows[i]);
}

/* Over the runs, each once, however many series it stands in. */
static void put_total(prose *p, const size_t *same, const char *column, const char *name, const char *what)
{
    size_t c, n = 0;
    double sum = 0;
    if (!ws_table_find(p->runs, column, &c))
        return;
    for (size_t row = 0; row < p->runs->n_rows; row++)
        if (same[row] == row && isfinite(ws_table_number(p->runs, c, row))) {
            sum += ws_table_number(p->runs, c, row);
            n++;
        }
    const char *of = ws_arena_printf(&p->arena, "%s of %s", what, ws_say_count(n, "run", "runs").text);
    if (n && ws_is_of_energy(column) && p->runs->energy_u > 0)
        put_pair(p, name, sum, sum * p->runs->energy_u, of);
    else if (n)
        put_macro(p, name, ws_say_digits(sum, 6).text, of);
}

static void put_totals(prose *p)
{
    size_t *same = ws_arena_alloc(&p->arena, (p->runs->n_rows + 1) * sizeof *same), n = 0, n_doubtful = 0;
    ws_units_same_runs(p->runs, same, NULL);
    for (size_t row = 0; row < p->runs->n_rows; row++) {
        n += same[row] == row;
        n_doubtful += same[row] == row && ws_row_verdict(p->runs, row) == WS_ENERGY_VERDICT_DOUBTFUL;
    }
    put_macro(p, "TotalRuns", ws_arena_printf(&p->arena, "%zu", n), "runs");
    if (n_doubtful)
        put_macro(p, "DoubtfulRuns", ws_arena_printf(&p->arena, "%zu", n_doubtful), "of them with a doubtful energy");
    put_total(p, same, "energy_kwh", "TotalEnergy", "kWh");
    put_total(p, same, "gpu_h", "TotalGpuHours", "GPUh");
}

bool ws_is_macro_prefix(const char *text)
{
    enum { LONGEST = 40 };
    size_t n = 0;
    while (text[n] && (unsigned char)text[n] < 128 && isalpha((unsigned char)text[n]))
        n++;
    return n && n <= LONGEST && !text[n] && strncmp(text, "end", 3) != 0;
}

void ws_prose_numbers_write(FILE *stream, const char *prefix, const ws_table *runs, const ws_table *scale)
{
    prose p = {.stream = stream, .prefix = prefix, .runs = runs, .scale = scale};
    fprintf(stream,
            "%% \\input{numbers} in the preamble; then \\%sTotalEnergy{}~kWh in a sentence. Err is an uncertainty.\n",
            prefix);
    fputs(scale->synthetic ? "% Synthetic data: made by a program, not measured.\n" : "", stream);
    put_totals(&p);
    ws_series_init(&p.series, runs, scale);
    const char **names = ws_arena_alloc(&p.arena, (p.series.n + 1) * sizeof *names);
    for (size_t i = 0; i < p.series.n; i++)
        put_series(&p, names, i);
    if (p.n_named == MOST_CONFIGURATIONS)
        fprintf(stream, "%% Numbers of %d configurations are named; data/scale.csv has all.\n", MOST_CONFIGURATIONS);
    ws_series_free(&p.series);
    ws_arena_free(&p.arena);
}
