/* What axes are called, and in which unit they are. */
#include "analyze/recipes/axis_names.h"

#include "report/table/column_title.h"

#include <string.h>

/* Columns whose axis is not their name with a unit behind it; numbers times `factor` (0: 1) are in the label's unit. */
static const struct {
    const char *column, *label;
    double factor;
} axis_labels[] = {
    {"gpus", "Number of GPUs", 0},
    {"nodes", "Number of nodes", 0},
    {"factor", "Data set divided by", 0},
    {"lbs", "Local batch size", 0},
    {"gbs", "Global batch size", 0},
    {"dataset_samples", "Samples of the data set", 0},
    {"wall_s", "Wall time / s", 0},
    {"job_wall_s", "Wall time of the job / s", 0},
    {"epoch_s", "Time per epoch / s", 0},
    {"gpu_h", "Compute resources / GPUh", 0},
    {"energy_gpu_kwh", "GPU energy / kWh", 0},
    {"energy_cpu_kwh", "CPU energy / kWh", 0},
    {"energy_dram_kwh", "DRAM energy / kWh", 0},
    {"energy_u_kwh", "Uncertainty of the energy / kWh", 0},
    {"gpu_share", "GPU share of the energy / %", 100},
    {"cpu_share", "CPU share of the energy / %", 100},
    {"dram_share", "DRAM share of the energy / %", 100},
    {"kwh_per_gpuh", "Energy per GPUh / kWh", 0},
    {"wh_per_sample", "Energy per sample / Wh", 0},
    {"wh_per_sample_seen", "Energy per sample seen / Wh", 0},
    {"edp_kwh_h", "Energy-delay product / kWh h", 0},
    {"ed2p_kwh_h2", "Energy x time^2 / kWh h^2", 0},
    {"gpu_power_w", "GPU power / W", 0},
    {"cpu_power_w", "CPU socket power / W", 0},
    {"clock_cap_hz", "Clock cap / MHz", 1e-6},
    {"util_mean", "GPU utilisation / %", 100},
    {"util_cv", "CV of the GPU utilisation / %", 100},
    {"mem_util_mean", "Memory utilisation / %", 100},
    {"mem_util_cv", "CV of the memory utilisation / %", 100},
    {"samples_per_s", "Samples / s", 0},
    {"samples_per_gpuh", "Samples / GPUh", 0},
    {"passes_per_gpuh", "Passes / GPUh", 0},
    {"speedup", "Speed-up", 0},
    {"efficiency", "Parallel efficiency", 0},
    {"energy_ratio", "Energy ratio", 0},
    {"error_top1", "Top-1 error", 0},
    {"rmse_z500", "Z500 RMSE", 0},
};

/* Whose unit a column has: energies of parts that of all, unless they have one of their own. */
static const ws_look *look_of_unit(const ws_looks *looks, const char *column)
{
    static const char *const parts[] = {"energy_gpu_kwh", "energy_cpu_kwh", "energy_dram_kwh", "energy_u_kwh"};
    const ws_look *look = ws_look_of_column(looks, column);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !(look && look->unit); i++)
        if (strcmp(column, parts[i]) == 0)
            look = ws_look_of_column(looks, "energy_kwh");
    return look && look->unit ? look : NULL;
}

double ws_axis_factor(const ws_looks *looks, const char *column)
{
    const ws_look *look = look_of_unit(looks, column);
    if (look)
        return look->factor;
    for (size_t i = 0; i < sizeof axis_labels / sizeof *axis_labels; i++)
        if (strcmp(axis_labels[i].column, column) == 0 && axis_labels[i].factor > 0)
            return axis_labels[i].factor;
    return 1;
}

/* "my rmse" is "my RMSE". */
static void spell_acronyms(char *text)
{
    static const char *const acronyms[] = {"rmse", "mse", "mae", "auc", "iou"};
    for (char *at = text; *at;) {
        size_t n = strcspn(at, " ");
        for (size_t i = 0; i < sizeof acronyms / sizeof *acronyms; i++) {
            bool is_one = n == strlen(acronyms[i]) && strncmp(at, acronyms[i], n) == 0;
            for (size_t k = 0; is_one && k < n; k++)
                at[k] = (char)(at[k] - 'a' + 'A');
        }
        at += n + strspn(at + n, " ");
    }
}

static const char *default_label(ws_arena *arena, const char *column)
{
    for (size_t i = 0; i < sizeof axis_labels / sizeof *axis_labels; i++)
        if (strcmp(axis_labels[i].column, column) == 0)
            return axis_labels[i].label;
    size_t stem;
    const char *unit = ws_column_unit(column, &stem);
    char *text = ws_arena_strndup(arena, column, stem);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    spell_acronyms(text);
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    return unit ? ws_arena_printf(arena, "%s / %s", text, unit) : text;
}

const char *ws_axis_named(const ws_looks *looks, ws_arena *arena, const char *column, const char *label, double *factor)
{
    const ws_look *look = ws_look_of_column(looks, column), *unit = look_of_unit(looks, column);
    const char *slash = strstr(label, " / "), *given = look ? look->name : NULL;
    if (!given && !unit)
        return label;
    const char *name = given ? given : slash ? ws_arena_strndup(arena, label, (size_t)(slash - label)) : label;
    if (unit)
        *factor = unit->factor;
    if (unit && !*unit->unit)
        return name;
    if (unit)
        return ws_arena_printf(arena, "%s / %s", name, unit->unit);
    return slash ? ws_arena_printf(arena, "%s%s", name, slash) : name;
}

const char *ws_axis_label(const ws_looks *looks, ws_arena *arena, const char *column)
{
    double factor;
    return ws_axis_named(looks, arena, column, default_label(arena, column), &factor);
}

bool ws_is_error_in_percent(const ws_table *table, const char *column)
{
    size_t place;
    if (strcmp(column, "error_top1") != 0 || !ws_table_find(table, column, &place))
        return false;
    for (size_t row = 0; row < table->n_rows; row++)
        if (ws_table_number(table, place, row) > 1)
            return true;
    return false;
}

const char *ws_axis_label_of_work(const ws_looks *looks, ws_arena *arena, const char *column, ws_work work)
{
    const char *label = ws_axis_label(looks, arena, column), *slash = strstr(label, " / ");
    size_t n = slash ? (size_t)(slash - label) : strlen(label);
    if (work == WS_PER_RUN || !ws_grows_with_work(column))
        return label;
    return ws_arena_printf(arena, "%.*s per %s%s", (int)n, label, ws_work_name(work), label + n);
}

void ws_begin_small(char *words)
{
    if (words[0] >= 'A' && words[0] <= 'Z' && words[1] >= 'a' && words[1] <= 'z')
        words[0] = (char)(words[0] - 'A' + 'a');
}
