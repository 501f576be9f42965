#include "analyze/explain/explain_devices.h"

#include "report/table/column_title.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *ws_explain_unit(const char *column)
{
    size_t stem;
    const char *unit = ws_column_unit(column, &stem);
    return strcmp(column, "gpu_h") == 0 ? "GPUh" : unit ? unit : "";
}

static const char *name_of(const ws_history_device *d, ws_arena *arena)
{
    return *d->node ? ws_arena_printf(arena, "%s %s", d->node, d->device) : d->device;
}

static bool explain_devices_has_energy(const ws_history_device *d)
{
    return d->counts && !isnan(d->energy.energy_j);
}

/* --- which domains count: as sum_domains in measure_totals.c --- */

static bool has_domain(const ws_run_history *run, ws_domain domain)
{
    for (size_t i = 0; i < run->n_devices; i++)
        if (run->devices[i].domain == domain && explain_devices_has_energy(&run->devices[i]))
            return true;
    return false;
}

static bool has_parts(const ws_run_history *run)
{
    return has_domain(run, WS_GPU) || has_domain(run, WS_CPU) || has_domain(run, WS_DRAM);
}

bool ws_explain_counts_domain(const ws_run_history *run, ws_domain domain)
{
    if (has_parts(run))
        return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
    return domain == (has_domain(run, WS_NODE) ? WS_NODE : WS_WALL);
}

static const char *why_not_domain(const ws_run_history *run, ws_domain domain)
{
    switch (domain) {
    case WS_NODE:
        return "a node holds its GPUs, CPUs and memory, which are counted";
    case WS_WALL:
        return has_parts(run) ? "the wall holds the GPUs, CPUs and memory, which are counted"
                              : "the wall holds the nodes, which are counted";
    case WS_CPU_CORE:
    case WS_CPU_GFX:
        return "it lies inside the package of its CPU";
    case WS_PSYS:
        return "it holds the CPU";
    default:
        return "what it holds is not known to be outside of the others";
    }
}

/* --- a device --- */

/* NULL where no channel gives an energy. */
static const char *status_text(const ws_history_device *d)
{
    return d->quantity == WS_OTHER_VALUE ? NULL : ws_energy_status_name(d->energy.status);
}

static void add_facts(const ws_history_device *d, ws_step *step, ws_arena *arena)
{
    const ws_channel_summary *e = &d->energy;
    char start[WS_STAMP_TEXT];
    ws_step_fact_text(arena, step, "file", d->source);
    ws_step_fact_text(arena, step, "node", d->node);
    ws_step_fact_text(arena, step, "device", d->device);
    ws_step_fact_text(arena, step, "device_id", d->device_id);
    ws_step_fact_text(arena, step, "domain", ws_domain_name(d->domain));
    ws_step_fact_text(arena, step, "column", d->column);
    ws_step_fact_text(arena, step, "quantity", ws_quantity_name(d->quantity));
    ws_step_fact_text(arena, step, "rule", ws_rule_name(d->rule));
    ws_step_fact_number(arena, step, "samples", (double)e->samples);
    ws_step_fact_number(arena, step, "missing", (double)e->missing);
    if (e->has_start) {
        ws_stamp_text(start, e->start_ns);
        ws_step_fact_text(arena, step, "start", start);
    }
    ws_step_fact_number(arena, step, "duration_s", e->duration_s);
    ws_step_fact_number(arena, step, "max_gap_s", e->max_gap_s);
    ws_step_fact_number(arena, step, "coverage", e->coverage);
    ws_step_fact_number(arena, step, "mean_power_w", e->mean);
    ws_step_fact_number(arena, step, "energy_lo_j", e->energy_lo_j);
    ws_step_fact_number(arena, step, "energy_hi_j", e->energy_hi_j);
    ws_step_fact_text(arena, step, "status", status_text(d));
}

static void say_device(const ws_history_device *d, ws_step *step, ws_arena *arena)
{
    const ws_channel_summary *e = &d->energy;
    const char *text =
        ws_arena_printf(arena, "%s of '%s': %" PRIu64 " readings", ws_rule_name(d->rule), d->column, e->samples);
    if (e->missing)
        text = ws_arena_printf(arena, "%s, %" PRIu64 " missing", text, e->missing);
    if (e->duration_s > 0)
        text = ws_arena_printf(arena, "%s, %.6g s, mean %.6g W", text, e->duration_s, e->mean);
    if (e->max_gap_s > 0)
        text = ws_arena_printf(arena, "%s, longest step %.3g s", text, e->max_gap_s);
    if (e->status != WS_STATUS_OK)
        text = ws_arena_printf(arena, "%s; %s", text, status_text(d));
    ws_step_say(arena, step, "%s", text);
}

static const char *why_not_channel(const ws_history_device *d, const ws_history_channel *c, ws_arena *arena)
{
    if (isnan(c->energy_j))
        return c->samples ? "its readings give no energy" : "it has no readings";
    if (c->is_doubtful)
        return "its reader found that it contradicts the other";
    if (c->quantity != d->quantity || c->rule != d->rule)
        return ws_arena_printf(arena, "%s comes before %s (counter, interval, given, power)", ws_rule_name(d->rule),
                               ws_rule_name(c->rule));
    return ws_arena_printf(arena, "'%s' comes before it", d->column);
}

static void add_others(const ws_history_device *d, ws_step *step, ws_arena *arena)
{
    for (size_t i = 0; i < d->n_others; i++) {
        const ws_history_channel *c = &d->others[i];
        ws_step *other =
            ws_step_new(arena, WS_STEP_READ, ws_arena_printf(arena, "left out: '%s'", c->column), c->energy_j, "J");
        ws_step_say(arena, other, "%s: %s", ws_rule_name(c->rule), why_not_channel(d, c, arena));
        ws_step_fact_text(arena, other, "column", c->column);
        ws_step_fact_text(arena, other, "rule", ws_rule_name(c->rule));
        ws_step_fact_number(arena, other, "samples", (double)c->samples);
        ws_step_add_beside(arena, step, other);
    }
}

static ws_step *explain_device(const ws_history_device *d, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_READ, name_of(d, arena), d->energy.energy_j, "J");
    say_device(d, step, arena);
    add_facts(d, step, arena);
    add_others(d, step, arena);
    return step;
}

/* --- domains and their sum --- */

ws_step *ws_explain_domain(const ws_run_history *run, ws_domain domain, ws_arena *arena)
{
    if (!has_domain(run, domain))
        return NULL;
    ws_step *step = ws_step_new(arena, WS_STEP_SUM, ws_domain_name(domain), NAN, "J");
    for (size_t i = 0; i < run->n_devices; i++)
        if (run->devices[i].domain == domain && explain_devices_has_energy(&run->devices[i]))
            ws_step_add_part(arena, step, explain_device(&run->devices[i], arena));
    step->value = ws_step_result(step);
    return step;
}

static void add_left_out_domains(const ws_run_history *run, ws_step *step, ws_arena *arena)
{
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        ws_step *domain =
            ws_explain_counts_domain(run, (ws_domain)d) ? NULL : ws_explain_domain(run, (ws_domain)d, arena);
        if (!domain)
            continue;
        domain->name = ws_arena_printf(arena, "left out: %s", domain->name);
        ws_step_say(arena, domain, "%s", why_not_domain(run, (ws_domain)d));
        ws_step_add_beside(arena, step, domain);
    }
}

/* Devices that a domain has and no sum holds; one that never had a power column, such as a host with its load, is not
 * missed. */
static void add_left_out_devices(const ws_run_history *run, ws_step *step, ws_arena *arena)
{
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_history_device *d = &run->devices[i];
        if (explain_devices_has_energy(d) || (d->counts && !*d->column && d->domain != WS_GPU))
            continue;
        ws_step *device = explain_device(d, arena);
        device->name = ws_arena_printf(arena, "left out: %s %s", ws_domain_name(d->domain), device->name);
        if (d->counts)
            ws_step_say(arena, device, "it has no energy%s%s", status_text(d) ? ": " : "",
                        status_text(d) ? status_text(d) : "");
        else
            ws_step_say(arena, device, "another entry of the same device counts (see its findings)");
        ws_step_add_beside(arena, step, device);
    }
}

ws_step *ws_explain_energy(const ws_run_history *run, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_SUM, WS_EXPLAIN_JOULES, NAN, "J");
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        ws_step *domain =
            ws_explain_counts_domain(run, (ws_domain)d) ? ws_explain_domain(run, (ws_domain)d, arena) : NULL;
        if (domain)
            ws_step_add_part(arena, step, domain);
    }
    if (!step->parts.n)
        return NULL;
    step->value = ws_step_result(step);
    add_left_out_domains(run, step, arena);
    add_left_out_devices(run, step, arena);
    return step;
}

/* --- what is at stake --- */

static ws_step *explain_stake(const ws_history_device *d, ws_arena *arena)
{
    char codes[400];
    bool is_bounded = isfinite(d->stake.joules);
    ws_step *step =
        ws_step_new(arena, WS_STEP_READ, name_of(d, arena), is_bounded ? d->stake.joules : (double)NAN, "J");
    ws_finding_set_text(&d->stake.findings, codes, sizeof codes);
    ws_step_say(arena, step, "%s%s%s", codes, is_bounded ? "" : ": nothing bounds it",
                d->stake.is_doubtful ? ": doubtful, by a finding whose joules nobody knows" : "");
    ws_step_fact_text(arena, step, "file", d->source);
    ws_step_fact_text(arena, step, "findings", codes);
    return step;
}

ws_step *ws_explain_stakes(const ws_run_history *run, ws_arena *arena)
{
    ws_step *list = ws_step_new(arena, WS_STEP_ABOUT, "at stake by the findings of devices", NAN, "");
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_history_device *d = &run->devices[i];
        char codes[400];
        if (d->counts && *ws_finding_set_text(&d->stake.findings, codes, sizeof codes))
            ws_step_add_beside(arena, list, explain_stake(d, arena));
    }
    return list->beside.n ? list : NULL;
}

/* --- means over devices --- */

static ws_step *explain_power(const ws_history_device *d, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_READ, name_of(d, arena), d->energy.mean, "W");
    say_device(d, step, arena);
    ws_step_fact_text(arena, step, "file", d->source);
    ws_step_fact_number(arena, step, "energy_j", d->energy.energy_j);
    ws_step_fact_number(arena, step, "duration_s", d->energy.duration_s);
    return step;
}

static ws_step *explain_mean(const ws_history_device *d, const ws_channel_summary *of, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_READ, name_of(d, arena), of->samples ? of->mean : (double)NAN, "");
    ws_step_say(arena, step, "mean over time of %" PRIu64 " readings", of->samples);
    ws_step_fact_text(arena, step, "file", d->source);
    return step;
}

/* The coefficient of variation: spread over time by mean. */
static ws_step *explain_cv(const ws_history_device *d, const ws_channel_summary *of, ws_arena *arena)
{
    double value = of->samples && of->mean > 0 ? of->sd / of->mean : (double)NAN;
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name_of(d, arena), value, "");
    step->formula = "sd / mean";
    ws_step_fact_text(arena, step, "file", d->source);
    ws_step_add_part(arena, step, ws_step_new(arena, WS_STEP_READ, "sd", of->sd, ""));
    ws_step_add_part(arena, step, ws_step_new(arena, WS_STEP_READ, "mean", of->mean, ""));
    return step;
}

static ws_step *explain_device_column(const ws_history_device *d, ws_run_column column, ws_arena *arena)
{
    switch (column) {
    case WS_COL_GPU_POWER:
    case WS_COL_CPU_POWER:
        return *d->column ? explain_power(d, arena) : NULL;
    case WS_COL_UTIL_MEAN:
        return explain_mean(d, d->util, arena);
    case WS_COL_UTIL_CV:
        return explain_cv(d, d->util, arena);
    case WS_COL_MEM_UTIL_MEAN:
        return explain_mean(d, d->mem_util, arena);
    case WS_COL_MEM_UTIL_CV:
        return explain_cv(d, d->mem_util, arena);
    default:
        return NULL;
    }
}

static ws_step *explain_coverage_of(const ws_run_history *run, const ws_history_device *d, ws_arena *arena)
{
    const ws_channel_summary *e = &d->energy;
    bool is_short = d->shared_coverage < e->coverage;
    ws_step *step =
        ws_step_new(arena, is_short ? WS_STEP_FORMULA : WS_STEP_READ, name_of(d, arena), d->shared_coverage, "");
    if (!is_short) {
        ws_step_say(arena, step, "%.6g s with readings, of %.6g s", e->duration_s, e->span_s);
        return step;
    }
    step->formula = "coverage * span_s / wall_s";
    ws_step_add_part(arena, step, ws_step_new(arena, WS_STEP_READ, "coverage", e->coverage, ""));
    ws_step_add_part(arena, step, ws_step_new(arena, WS_STEP_READ, "span_s", e->span_s, "s"));
    ws_step_add_part(arena, step, ws_step_new(arena, WS_STEP_READ, "wall_s", run->wall_s, "s"));
    return step;
}

static ws_step *explain_coverage(const ws_run_history *run, double value, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_LEAST, "coverage", value, "");
    for (int d = 0; d < WS_DOMAIN_N; d++)
        for (size_t i = 0; ws_explain_counts_domain(run, (ws_domain)d) && i < run->n_devices; i++)
            if (run->devices[i].domain == (ws_domain)d && explain_devices_has_energy(&run->devices[i]))
                ws_step_add_part(arena, step, explain_coverage_of(run, &run->devices[i], arena));
    return step;
}

ws_step *ws_explain_mean_of_devices(const ws_run_history *run, ws_run_column column, double value, ws_arena *arena)
{
    const char *name = ws_run_column_about(column)->name;
    if (column == WS_COL_COVERAGE)
        return explain_coverage(run, value, arena);
    ws_step *step = ws_step_new(arena, WS_STEP_MEAN, name, value, ws_explain_unit(name));
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_history_device *d = &run->devices[i];
        if (!d->counts || d->domain != (column == WS_COL_CPU_POWER ? WS_CPU : WS_GPU))
            continue;
        ws_step *part = explain_device_column(d, column, arena);
        if (part && !isnan(part->value))
            ws_step_add_part(arena, step, part);
    }
    return step->parts.n ? step : NULL;
}
