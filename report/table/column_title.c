#include "report/table/column_title.h"

#include "core/text.h"

#include <string.h>

/* Names that are not made of words and a unit. */
static const struct {
    const char *name, *title;
} whole[] = {{"gpu_h", "GPUh"},
             {"runtime_min", "runtime [min]"},
             {"job_runtime_min", "job runtime [min]"},
             {"energy_verdict", "verdict"},
             {"factor", "data set divided by"}};

/* Longer ones first. A column named "x_min" is a minimum, so minutes are not here. */
static const struct {
    const char *suffix, *unit;
} units[] = {{"_kwh_h", "kWh h"}, {"_kwh", "kWh"}, {"_wh", "Wh"}, {"_mhz", "MHz"}, {"_hz", "Hz"}, {"_ms", "ms"},
             {"_h", "h"},         {"_j", "J"},     {"_w", "W"},   {"_s", "s"},     {"_b", "B"},   {"_c", "°C"}};

static const struct {
    const char *word, *spelling;
} words[] = {{"kwh", "kWh"}, {"wh", "Wh"}, {"gpuh", "GPUh"}, {"edp", "EDP"}, {"r2", "R2"}};

const char *ws_column_unit(const char *name, size_t *stem)
{
    ws_span all = ws_span_of(name);
    *stem = all.n;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].suffix);
        if (all.n <= n || !ws_span_has_suffix(all, units[i].suffix))
            continue;
        if (ws_span_has_suffix((ws_span){name, all.n - n}, "_per"))
            return NULL; /* samples_per_s is no time */
        *stem = all.n - n;
        return units[i].unit;
    }
    return NULL;
}

static const char *spelling_of(ws_arena *arena, ws_span word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq(word, words[i].word))
            return words[i].spelling;
    return ws_arena_strndup(arena, word.p, word.n);
}

/* What a name begins with that is one thing: "error_top1_ratio". */
static const struct {
    const char *name, *title;
} beginnings[] = {
    {"gpu_h", "GPUh"}, {"error_top1", "top-1 error"}, {"error_top5", "top-5 error"}, {"rmse_z500", "Z500 RMSE"}};

static const char *take_beginning(ws_span *name)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t n = strlen(beginnings[i].name);
        if (name->n < n || memcmp(name->p, beginnings[i].name, n) != 0 || (name->n > n && name->p[n] != '_'))
            continue;
        size_t taken = name->n > n ? n + 1 : n;
        *name = (ws_span){name->p + taken, name->n - taken};
        return beginnings[i].title;
    }
    return "";
}

static const char *in_words(ws_arena *arena, ws_span name)
{
    const char *text = take_beginning(&name);
    for (ws_span word; name.n && ws_span_split(&name, '_', &word);)
        text = ws_arena_printf(arena, "%s%s%s", text, *text ? " " : "", spelling_of(arena, word));
    return text;
}

/* Clocks of GPUs are told in MHz, as in the figures. */
double ws_usual_factor(const char *name)
{
    return strcmp(name, "clock_cap_hz") == 0 ? 1e-6 : 1;
}

static const char *own_title(const char *name)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i].name) == 0)
            return whole[i].title;
    return NULL;
}

const char *ws_column_title(const ws_looks *looks, ws_arena *arena, const char *name, bool is_number,
                            const char *spread)
{
    const ws_look *look = ws_look_of_column(looks, name);
    size_t stem = strlen(name);
    bool is_spread = is_number && ws_span_has_suffix(ws_span_of(name), "_sd"); /* without a value before it */
    if (is_spread)
        name = ws_arena_strndup(arena, name, stem -= 3);
    const char *text = own_title(name);
    bool has_name = look && look->name, has_unit = look && look->unit;
    const char *unit = (text && !has_name && !has_unit) || !is_number ? NULL : ws_column_unit(name, &stem);
    if (has_name)
        text = look->name;
    else if (!text)
        text = in_words(arena, (ws_span){name, stem});
    unit = has_unit ? look->unit : ws_usual_factor(name) < 1 ? "MHz" : unit;
    return ws_arena_printf(arena, "%s%s%s%s%s%s%s", text, is_spread ? " sd" : "", spread ? " ± " : "",
                           spread ? spread : "", unit && *unit ? " [" : "", unit ? unit : "", unit && *unit ? "]" : "");
}
