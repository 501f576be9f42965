#include "formats/readers/dcgm_field.h"

static const ws_dcgm_field fields[] = {
    {155, "POWER", "DEV_POWER_USAGE", "power_usage", WS_POWER, 0, "W"},
    {157, "POWIN", "DEV_POWER_USAGE_INSTANT", "power_usage_instant", WS_POWER, 2, "W"},
    {156, "TOTEC", "DEV_TOTAL_ENERGY_CONSUMPTION", "total_energy_consumption", WS_ENERGY_COUNTER, 0, "mJ"},
    {203, "GPUTL", "DEV_GPU_UTIL", "gpu_utilization", WS_UTIL, 0, "%"},
    {1001, "GRACT", "PROF_GR_ENGINE_ACTIVE", "gr_engine_active", WS_UTIL, 1, NULL},
    {204, "MCUTL", "DEV_MEM_COPY_UTIL", "mem_copy_utilization", WS_MEM_UTIL, 0, "%"},
    {252, "FBUSD", "DEV_FB_USED", "fb_used", WS_MEM_USED, 0, "MiB"},
    {100, "SMCLK", "DEV_SM_CLOCK", "sm_clock", WS_CLOCK, 0, "MHz"},
    {150, "TMPTR", "DEV_GPU_TEMP", "gpu_temp", WS_TEMPERATURE, 0, "C"},
    {160, "PMLMT", "DEV_POWER_MGMT_LIMIT", "power_limit", WS_POWER_LIMIT, 0, "W"},
};

/* Tags that other versions write. */
static const struct {
    const char *tag;
    int id;
} older_tags[] = {{"POWR", 155}, {"GPUT", 150}, {"GTEMP", 150}};

static bool is_called(const ws_dcgm_field *field, ws_span word)
{
    static const char symbol_start[] = "DCGM_FI_";
    ws_span symbol = {word.p + sizeof symbol_start - 1, word.n - (sizeof symbol_start - 1)};
    if (ws_span_has_prefix(word, symbol_start) && ws_span_eq(symbol, field->symbol))
        return true;
    return ws_span_eq_nocase(word, field->tag) || ws_span_eq_nocase(word, field->name);
}

const ws_dcgm_field *ws_dcgm_field_find(ws_span word)
{
    int64_t id = -1;
    ws_span_i64(word, &id);
    for (size_t i = 0; i < sizeof older_tags / sizeof *older_tags; i++)
        if (ws_span_eq_nocase(word, older_tags[i].tag))
            id = older_tags[i].id;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].id == id || is_called(&fields[i], word))
            return &fields[i];
    return NULL;
}

/* NULL for a ratio of 0 to 1, which has no unit. */
const ws_unit *ws_dcgm_unit(const ws_dcgm_field *field)
{
    static const ws_unit one = {.name = "1", .dimension = WS_DIM_RATIO, .to_si = 1};
    return field->unit_name ? ws_unit_find(ws_span_of(field->unit_name)) : &one;
}

bool ws_dcgm_is_blank(ws_quantity quantity, double written)
{
    static const double blanks[] = {2147483632.0, 140737488355328.0, 9223372036854775792.0};
    enum { REASONS = 16 };
    size_t first = quantity == WS_ENERGY_COUNTER ? 1 : 0;
    for (size_t i = first; i < sizeof blanks / sizeof *blanks; i++)
        if (written >= blanks[i] && written <= blanks[i] + REASONS)
            return true;
    return false;
}

bool ws_dcgm_about(ws_arena *arena, const char *name, const ws_span *cells, ws_preset_reading *reading)
{
    (void)arena, (void)cells;
    const ws_dcgm_field *field = ws_dcgm_field_find(ws_span_of(name));
    if (!field)
        return false;
    reading->quantity = field->quantity;
    reading->preference = field->preference;
    reading->unit = ws_dcgm_unit(field);
    reading->column = name;
    reading->is_blank = ws_dcgm_is_blank;
    return true;
}
