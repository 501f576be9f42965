/* Powers as Variorum gives them (variorum_get_power_json), logged again and again:
 *
 *   {"n1": {"timestamp": 1770796800502846, "power_node_watts": 384.0,
 *    "socket_0": {"power_cpu_watts": 85.0, "power_mem_watts": 23.0, "power_gpu_watts": {"GPU_0": 66.0, ...}}}}
 *
 * Older releases have no sockets as objects: {"host": "n1", "timestamp": ..., "power_cpu_watts_socket_0": 85.0,
 * ...}, and one number for all GPUs of a socket. Stamps are microseconds; -1 is no reading. The node holds the
 * others, and is their sum on machines that do not measure it. */
#include "formats/table/json_polls.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct variorum_value {
    const char *prefix; /* behind "power_" */
    ws_domain domain;
} values[] = {{"cpu", WS_CPU}, {"mem", WS_DRAM}, {"gpu", WS_GPU}};

typedef struct variorum_poll {
    ws_json_polls *polls;
    const char *node;
} variorum_poll;

static ws_status variorum_json_push(const variorum_poll *v, ws_domain domain, const char *id, int64_t number,
                                    const json_t *power, const char *column, ws_error *error)
{
    double watts = json_number_value(power);
    ws_samples_key key = {.node = ws_span_of(v->node),
                          .id = ws_span_of(id),
                          .identity = *id ? "index" : "",
                          .number = number,
                          .domain = domain,
                          .quantity = WS_POWER,
                          .column = column};
    if (!json_is_number(power))
        return WS_OK;
    return ws_json_polls_push(v->polls, &key, watts < 0 ? NAN : watts, error);
}

/* {"GPU_0": 66.0, "APU_1": 64.0} */
static ws_status take_gpus(const variorum_poll *v, const json_t *gpus, ws_error *error)
{
    const char *name;
    json_t *power;
    ws_status status = WS_OK;
    json_object_foreach((json_t *)(uintptr_t)gpus, name, power)
    {
        int64_t number = -1;
        const char *digits = strrchr(name, '_');
        ws_span_i64(ws_span_of(digits ? digits + 1 : ""), &number);
        if (status == WS_OK)
            status = variorum_json_push(v, WS_GPU, name, number, power, "power_gpu_watts", error);
    }
    return status;
}

static ws_status take_socket(const variorum_poll *v, const char *name, const json_t *socket, ws_error *error)
{
    int64_t number = -1;
    ws_span_i64(ws_span_of(name + strlen("socket_")), &number);
    ws_status status = variorum_json_push(v, WS_CPU, name, number, json_object_get(socket, "power_cpu_watts"),
                                          "power_cpu_watts", error);
    if (status == WS_OK)
        status = variorum_json_push(v, WS_DRAM, name, number, json_object_get(socket, "power_mem_watts"),
                                    "power_mem_watts", error);
    return status == WS_OK ? take_gpus(v, json_object_get(socket, "power_gpu_watts"), error) : status;
}

/* "power_cpu_watts_socket_0" */
static ws_status take_flat(const variorum_poll *v, const char *name, const json_t *power, ws_error *error)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char start[40];
        int64_t number;
        int n = snprintf(start, sizeof start, "power_%s_watts_socket_", values[i].prefix);
        if (strncmp(name, start, (size_t)n) != 0 || !ws_span_i64(ws_span_of(name + n), &number))
            continue;
        if (values[i].domain == WS_GPU)
            ws_notes_add(v->polls->samples.notes, WS_FINDING_ASSUMED_DEVICE, v->polls->samples.source, name,
                         v->polls->items.item_line,
                         "'%s' is the sum over the GPUs of a socket, however many there are: one device", name);
        start[n - 1] = '\0'; /* power_cpu_watts_socket */
        return variorum_json_push(v, values[i].domain, name + n - strlen("socket_"), number, power, start, error);
    }
    return WS_OK;
}

static ws_status take_node(ws_json_polls *p, const char *node, const json_t *object, ws_error *error)
{
    variorum_poll v = {p, node};
    const char *name;
    json_t *value;
    ws_json_polls_begin(p, ws_json_stamp_of(object), ws_json_polls_comes_again(p, node));
    ws_status status =
        variorum_json_push(&v, WS_NODE, "", -1, json_object_get(object, "power_node_watts"), "power_node_watts", error);
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (status == WS_OK && strncmp(name, "socket_", strlen("socket_")) == 0 && json_is_object(value))
            status = take_socket(&v, name, value, error);
        else if (status == WS_OK && json_is_number(value))
            status = take_flat(&v, name, value, error);
    }
    return status;
}

static bool has_powers(const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (strncmp(name, "socket_", strlen("socket_")) == 0 ||
            (strncmp(name, "power_", strlen("power_")) == 0 && strstr(name, "_watts")))
            return true;
    }
    return false;
}

static ws_status take_object(ws_json_polls *p, const json_t *object, ws_error *error)
{
    const char *name, *host = json_string_value(json_object_get(object, "host"));
    json_t *value;
    ws_status status = WS_OK;
    host = host ? host : json_string_value(json_object_get(object, "hostname"));
    if (has_powers(object))
        return take_node(p, host ? host : "", object, error);
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (status == WS_OK && json_is_object(value) && has_powers(value))
            status = take_node(p, name, value, error);
    }
    return status;
}

static ws_status read_variorum_json(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    return ws_json_polls_read(input, options, sink, notes, take_object, NULL, "no powers of Variorum", error);
}

static int score_variorum_json(const char *path, ws_span head)
{
    (void)path;
    bool has_node = ws_span_contains(head, "\"power_node_watts\":");
    bool has_part = ws_span_contains(head, "\"power_cpu_watts\":") || ws_span_contains(head, "\"power_gpu_watts\":") ||
                    ws_span_contains(head, "_watts_socket_0\":");
    return ws_json_polls_begin_in(head) && has_part && (has_node || ws_span_contains(head, "\"socket_0\":")) ? 96 : 0;
}

const ws_format ws_format_variorum_json = {
    .name = "variorum-json",
    .title = "powers of nodes, sockets and GPUs from Variorum",
    .example = "{\"n1\": {\"timestamp\": 1770796800502846, \"power_node_watts\": 384.0, "
               "\"socket_0\": {\"power_cpu_watts\": 85.0}}}",
    .tier = 3,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_variorum_json,
    .holds = "{",
    .read = read_variorum_json,
};
