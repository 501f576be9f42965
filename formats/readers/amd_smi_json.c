/* amd-smi metric --json, with -w or called again and again:
 *
 *   [{"timestamp": 1770796800, "gpu": 0, "usage": {"gfx_activity": {"value": 87, "unit": "%"}},
 *     "power": {"socket_power": {"value": 542, "unit": "W"}, "gfx_voltage": "N/A"},
 *     "energy": {"total_energy_consumption": {"value": 1432.5, "unit": "J"}}},
 *    {"timestamp": 1770796800, "gpu": 1, ...}]
 *
 * A list a poll, which newer versions put into {"gpu_data": [...]}; the stamp stands in it with -w alone. Older
 * versions write numbers in place of {"value", "unit"}. "N/A" is missing, and so are 65535 and 4294967295, which the
 * driver writes for no reading. What is called MB is MiB: 196592 of them are an MI300X's memory. Names as amd-smi's
 * own source and published outputs have them; amd-smi monitor --json writes "power_usage", "gfx" and "mem" beside
 * "gpu". */
#include "formats/table/json_polls.h"

#include <jansson.h>
#include <math.h>

static const struct amd_value {
    const char *path;
    ws_quantity quantity;
    const char *unit;
    int preference;
} values[] = {
    {"power.socket_power", WS_POWER, "W", 0},
    {"power.current_socket_power", WS_POWER, "W", 1},
    {"power.average_socket_power", WS_POWER, "W", 2},
    {"power_usage", WS_POWER, "W", 3},
    {"energy.total_energy_consumption", WS_ENERGY_COUNTER, "J", 0},
    {"usage.gfx_activity", WS_UTIL, "%", 0},
    {"gfx", WS_UTIL, "%", 1},
    {"usage.umc_activity", WS_MEM_UTIL, "%", 0},
    {"mem", WS_MEM_UTIL, "%", 1},
    {"mem_usage.used_vram", WS_MEM_USED, "MiB", 0},
    {"clock.gfx_0.clk", WS_CLOCK, "MHz", 0},
    {"temperature.edge", WS_TEMPERATURE, "C", 0},
    {"temperature.hotspot", WS_TEMPERATURE, "C", 1},
};

static double read_value(ws_json_polls *p, const struct amd_value *v, const json_t *value)
{
    const json_t *bare = json_is_object(value) ? json_object_get(value, "value") : value;
    double written = json_number_value(bare);
    if (json_is_array(value) || (json_is_number(bare) && (written == UINT16_MAX || written == UINT32_MAX)))
        return NAN;
    return ws_json_polls_number(p, v->quantity == WS_MEM_USED ? bare : value, v->quantity, v->unit, v->path);
}

static ws_status take_gpu(ws_json_polls *p, const json_t *gpu, const json_t *stamp, ws_error *error)
{
    const json_t *index = json_object_get(gpu, "gpu"), *own = ws_json_stamp_of(gpu);
    char id[WS_DOUBLE_TEXT];
    ws_status status = WS_OK;
    if (!json_is_integer(index) || json_integer_value(index) < 0)
        return WS_OK;
    ws_integer_text(id, json_integer_value(index));
    ws_json_polls_begin(p, own ? own : stamp, ws_json_polls_comes_again(p, id));
    ws_samples_key key = {
        .id = ws_span_of(id), .identity = "index", .number = json_integer_value(index), .domain = WS_GPU};
    for (size_t i = 0; i < sizeof values / sizeof *values && status == WS_OK; i++) {
        const json_t *value = ws_json_at(gpu, values[i].path);
        key.quantity = values[i].quantity;
        key.preference = values[i].preference;
        key.column = values[i].path;
        if (value && !json_is_null(value))
            status = ws_json_polls_push(p, &key, read_value(p, &values[i], value), error);
    }
    return status;
}

static ws_status take_object(ws_json_polls *p, const json_t *object, ws_error *error)
{
    size_t i;
    json_t *gpu;
    const json_t *list = json_object_get(object, "gpu_data");
    ws_status status = list ? WS_OK : take_gpu(p, object, NULL, error);
    json_array_foreach(list, i, gpu)
    {
        if (status == WS_OK)
            status = take_gpu(p, gpu, ws_json_stamp_of(object), error);
    }
    return status;
}

static ws_status read_amd_smi_json(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                   ws_notes *notes, ws_error *error)
{
    return ws_json_polls_read(input, options, sink, notes, take_object, NULL,
                              "no readings of amd-smi metric (power, energy or usage of a GPU)", error);
}

/* The limits of amd-smi static are called socket_power, too. */
static int score_amd_smi_json(const char *path, ws_span head)
{
    (void)path;
    bool has_power = ws_span_contains(head, "socket_power\":") && ws_span_contains(head, "\"power\":");
    bool has_energy = ws_span_contains(head, "\"total_energy_consumption\":") && ws_span_contains(head, "\"energy\":");
    bool has_load = ws_span_contains(head, "\"gfx_activity\":") && ws_span_contains(head, "\"umc_activity\":");
    bool is_monitor = ws_span_contains(head, "\"power_usage\":") && ws_span_contains(head, "\"hotspot_temperature\":");
    bool is_static = ws_span_contains(head, "\"asic\":") || ws_span_contains(head, "\"vbios\":");
    return ws_json_polls_begin_in(head) && ws_span_contains(head, "\"gpu\":") &&
                   (has_power || has_energy || has_load || is_monitor) && !is_static
               ? 96
               : 0;
}

const ws_format ws_format_amd_smi_json = {
    .name = "amd-smi-json",
    .title = "amd-smi metric --json, with -w or called again and again",
    .example =
        "[{\"timestamp\": 1770796800, \"gpu\": 0, \"power\": {\"socket_power\": {\"value\": 542, \"unit\": \"W\"}}}]",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_amd_smi_json,
    .holds = "{",
    .read = read_amd_smi_json,
};
