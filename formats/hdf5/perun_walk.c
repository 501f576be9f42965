#include "formats/hdf5/perun_walk.h"

#include "formats/hdf5/perun_facts.h"
#include "formats/hdf5/perun_samples.h"
#include "formats/hdf5/perun_sensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Height of a node above its sensors. perun 0.4.0 shifted the numbers of the node types, not the tree. */
enum { SENSOR = 0, GROUP, HOST, RUN, MULTI_RUN, APP, LEVELS };

/* A bound for damaged files whose groups contain each other: a node with its attribute takes more bytes than this. */
enum { NODE_BYTES = 64 };

typedef struct walker {
    const ws_perun_tree *tree;
    const ws_sink *sink;
    ws_notes *notes;
    ws_error *error;
    ws_arena arena;     /* names of the whole read */
    ws_perun_gpus gpus; /* of the host */
    size_t nodes, sensors;
    bool is_damaged;  /* a part of the tree cannot be read */
    bool has_regions; /* the run, and they are told */
    bool has_multi_run;
    ws_perun_ref multi_run;
    const char *multi_run_name, *run, *node, *group;
} walker;

static bool has_too_many_nodes(const walker *w)
{
    return w->nodes > w->tree->bytes / NODE_BYTES;
}

/* Levels down to the first sensor found, -1 if there is none. */
static int height_of(walker *w, ws_perun_ref place, int deepest)
{
    if (w->tree->is_sensor(w->tree->state, place))
        return SENSOR;
    if (deepest == 0 || has_too_many_nodes(w))
        return -1;
    ws_perun_names names = ws_perun_children(w->tree, place, WS_PERUN_NODES, &w->arena);
    w->is_damaged |= names.is_damaged;
    for (size_t i = 0; i < names.n; i++) {
        ws_perun_ref child;
        w->nodes++;
        if (!w->tree->open(w->tree->state, place, WS_PERUN_NODES, names.items[i], &child)) {
            w->is_damaged = true;
            continue;
        }
        int height = height_of(w, child, deepest - 1);
        w->tree->close(w->tree->state, child);
        if (height >= 0)
            return height + 1;
    }
    return -1;
}

static ws_status push_series(walker *w, ws_perun_source *from, const ws_channel *channel)
{
    int id;
    ws_status status = w->sink->channel(w->sink->state, channel, &id, w->error);
    if (status != WS_OK || id < 0)
        return status;
    uint64_t usable = from->values->n + (from->values->n ? from->lead : 0), bad_times;
    from->n = from->time->n < usable ? from->time->n : usable;
    uint64_t longer = from->time->n < usable ? usable : from->time->n;
    ws_notes_add_many(w->notes, longer - from->n, WS_FINDING_LENGTH_MISMATCH, w->tree->source, channel->column, 0,
                      "%llu stamps and %llu readings: those without a partner are left out",
                      (unsigned long long)from->time->n, (unsigned long long)from->values->n);
    status = ws_perun_push_samples(w->tree, from, w->sink, id, &bad_times, w->error);
    ws_notes_add_many(w->notes, bad_times, WS_FINDING_BAD_TIME, w->tree->source, channel->column, 0,
                      "a time step that is not a number of seconds; its reading is left out");
    return status;
}

static const char DAMAGED[] = "the file is damaged; copy it again from where it was written";

enum { VECTORS = 2 }; /* of readings */

/* "values", which perun shows, and "alt_values", which it keeps beside them: the counter for a derived power, or the
 * power derived from a counter. */
typedef struct readings {
    const char *name;
    bool are_there;
    char unit[8];
} readings;

typedef struct sensor {
    ws_perun_ref place;
    const char *name;
    readings readings[VECTORS];
} sensor;

static sensor look_at(const walker *w, ws_perun_ref place, const char *name)
{
    sensor s = {place, name, {{.name = "values"}, {.name = "alt_values"}}};
    for (size_t i = 0; i < VECTORS; i++) {
        readings *r = &s.readings[i];
        r->are_there = w->tree->unit(w->tree->state, place, r->name, r->unit);
    }
    return s;
}

static double describe(walker *w, const sensor *s, const readings *r, ws_channel *channel)
{
    *channel = (ws_channel){.run = w->run, .node = w->node};
    return ws_perun_describe(&w->gpus, &w->arena, w->group, s->name, r->unit, channel);
}

/* Where the children of a node of this level are: "run 7/0, host n1". */
static const char *describe_place(walker *w, int level)
{
    if (level > RUN)
        return "the application";
    if (level == RUN)
        return ws_arena_printf(&w->arena, "run %s", w->run);
    return ws_arena_printf(&w->arena, "run %s, host %s%s%s", w->run, w->node, level == GROUP ? ", " : "",
                           level == GROUP ? w->group : "");
}

/* Readings without a unit are neither power nor energy: perun writes one to each vector, and "" to few. */
static void note_unit(walker *w, const sensor *s, const readings *r)
{
    bool is_lost = strcmp(r->unit, WS_PERUN_LOST_UNIT) == 0;
    if (!*r->unit || is_lost)
        ws_notes_add(w->notes, WS_FINDING_NO_UNIT, w->tree->source, s->name, 0,
                     "the readings have no unit that can be read: they are taken neither for power nor for energy");
    if (is_lost)
        ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, s->name, 0,
                     "the unit of the %s of '%s' in %s cannot be read: %s", r->name, s->name, describe_place(w, GROUP),
                     DAMAGED);
}

static ws_status push_values(walker *w, const sensor *s, const readings *r, const ws_perun_series *time,
                             const ws_perun_series *values)
{
    ws_channel channel;
    ws_perun_source from = {.time = time, .values = values};
    bool beside = r != s->readings;
    from.to_si = describe(w, s, r, &channel) * values->magnitude;
    if (beside && channel.quantity == WS_POWER && values->n > 0 && values->n + 1 == time->n) {
        /* 0.7.0: one power fewer than stamps, each for the interval up to the next stamp */
        channel.rule = WS_RULE_RECTANGLE;
        from.lead = 1;
    }
    if (channel.quantity == WS_ENERGY_COUNTER) {
        double largest = w->tree->valid_max(w->tree->state, s->place, r->name);
        channel.counter_range_j = largest > 0 && largest < 1e18 ? largest * from.to_si : 0;
    }
    note_unit(w, s, r);
    ws_perun_note_sensor(w->notes, w->tree->source, &channel);
    if (w->sink->every_fact && !beside && channel.rule != WS_RULE_NONE)
        ws_perun_device_facts(w->tree, s->place, w->sink, &channel);
    return push_series(w, &from, &channel);
}

/* The devices were measured: without a channel nobody would miss them. Only the name of a lost host is known. */
static ws_status announce_lost_devices(walker *w, const char *host, const char *group)
{
    int id;
    ws_channel channel = {.run = w->run,
                          .node = host,
                          .device = host,
                          .device_id = group ? group : host,
                          .identity = "name",
                          .column = "",
                          .domain = WS_OTHER,
                          .quantity = WS_POWER,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_RELATIVE};
    if (group && !ws_perun_group_domain(group, &channel.device, &channel.domain))
        return WS_OK;
    return w->sink->channel(w->sink->state, &channel, &id, w->error);
}

/* The device was measured: without a channel nobody would miss it. */
static ws_status announce_lost_sensor(walker *w, const char *name)
{
    int id;
    ws_channel channel = {.run = w->run, .node = w->node};
    const char *unit = ws_perun_usual_unit(w->group, name);
    if (!*unit)
        return WS_OK;
    ws_perun_describe(&w->gpus, &w->arena, w->group, name, unit, &channel);
    return w->sink->channel(w->sink->state, &channel, &id, w->error);
}

/* perun writes a magnitude for each vector: without it the numbers are off by an unknown factor. */
static bool open_series(walker *w, ws_perun_ref place, const char *of, const char *name, ws_perun_series *series)
{
    if (!w->tree->series(w->tree->state, place, name, series))
        return false;
    if (series->magnitude > 0 && isfinite(series->magnitude))
        return true;
    ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, of, 0,
                 "the magnitude of the %s of '%s' in %s cannot be read: %s", name, of, describe_place(w, GROUP),
                 DAMAGED);
    w->tree->close_series(w->tree->state, series);
    return false;
}

static ws_status push_sensor(walker *w, const sensor *s, const ws_perun_series *time)
{
    const ws_perun_tree *tree = w->tree;
    ws_status status = WS_OK;
    size_t pushed = 0;
    for (size_t i = 0; status == WS_OK && i < VECTORS; i++) {
        const readings *r = &s->readings[i];
        ws_perun_series values;
        if (r->are_there && open_series(w, s->place, s->name, r->name, &values)) {
            pushed++;
            status = push_values(w, s, r, time, &values);
            tree->close_series(tree->state, &values);
            continue;
        }
        if (i == 0)
            ws_notes_add(w->notes, WS_FINDING_NO_READINGS, tree->source, s->name, 0,
                         "the sensor holds no values that can be read");
        if (r->are_there)
            ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, tree->source, s->name, 0,
                         "the %s of '%s' in %s cannot be read: the file is damaged, or its numbers lie elsewhere",
                         r->name, s->name, describe_place(w, GROUP));
    }
    return status == WS_OK && !pushed ? announce_lost_sensor(w, s->name) : status;
}

static bool perun_walk_wants(const walker *w, ws_quantity quantity)
{
    return w->sink->every_fact || ws_sink_wants(w->sink, quantity);
}

/* Most sensors of a host do not measure power, and opening one costs as much as reading it. Skipped ones are described
 * all the same: GPUs without a number are numbered in the order of all sensors. */
static bool is_skipped_by_name(walker *w, const char *name)
{
    ws_quantity quantity;
    if (!ws_perun_is_never_power(w->group, name, &quantity) || perun_walk_wants(w, quantity) ||
        perun_walk_wants(w, WS_OTHER_VALUE))
        return false;
    ws_channel channel = {0};
    ws_perun_describe(&w->gpus, &w->arena, w->group, name, "", &channel);
    ws_perun_note_sensor(w->notes, w->tree->source, &channel);
    return true;
}

/* A sensor whose unit cannot be read is not skipped. */
static bool is_skipped_by_units(walker *w, const sensor *s)
{
    if (perun_walk_wants(w, WS_OTHER_VALUE) || !s->readings[0].are_there)
        return false;
    for (size_t i = 0; i < VECTORS; i++) {
        const readings *r = &s->readings[i];
        ws_channel channel;
        if (!r->are_there)
            continue;
        describe(w, s, r, &channel);
        if (!*r->unit || strcmp(r->unit, WS_PERUN_LOST_UNIT) == 0 || perun_walk_wants(w, channel.quantity))
            return false;
    }
    return true;
}

static void check_metrics(walker *w, ws_perun_ref place, const char *subject, const char *of)
{
    if (ws_perun_children(w->tree, place, WS_PERUN_METRICS, &w->arena).is_damaged)
        ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, subject, 0,
                     "the list of what perun computed of %s cannot be read in full: %s", of, DAMAGED);
}

/* Pushes what perun computed for the devices of a group, or for one sensor. */
static void push_metrics(walker *w, ws_perun_ref place, const char *name)
{
    if (!w->sink->every_fact)
        return;
    check_metrics(w, place, name, ws_arena_printf(&w->arena, "'%s' in run %s, host %s", name, w->run, w->node));
    ws_perun_metric_facts(w->tree, place, w->sink, &(ws_fact){.run = w->run, .node = w->node, .device = name});
}

/* Is one of perun's names missing and an unknown one there instead? Sensors of GPUs have no "alt_values". */
static bool has_damaged_name(const ws_perun_names *names)
{
    static const char *const known[] = {"timesteps", "values", "alt_values"};
    size_t n_known = 0;
    for (size_t i = 0; i < names->n; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            n_known += strcmp(names->items[i], known[k]) == 0;
    return n_known < names->n && n_known < sizeof known / sizeof *known;
}

/* A vector that cannot be listed must not pass for one that perun did not write: without its counter a CPU would be
 * measured by its power. */
static void check_readings(walker *w, ws_perun_ref place, const char *name)
{
    ws_perun_names names = ws_perun_children(w->tree, place, WS_PERUN_RAW_DATA, &w->arena);
    if (names.is_damaged || (w->tree->bytes != UINT64_MAX && has_damaged_name(&names)))
        ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, name, 0,
                     "the list of the readings of '%s' in %s cannot be read in full: %s", name,
                     describe_place(w, GROUP), DAMAGED);
}

/* Has a part of the sensor lost its name? One that recorded nothing has no raw data, but nothing in its place either.
 */
static void check_parts(walker *w, ws_perun_ref place, const char *name)
{
    size_t unknown = 0;
    if (w->tree->bytes == UINT64_MAX || w->tree->is_sensor(w->tree->state, place))
        return;
    ws_perun_names names = ws_perun_children(w->tree, place, WS_PERUN_ITSELF, &w->arena);
    for (size_t i = 0; i < names.n; i++) {
        bool is_known = false;
        for (ws_perun_part part = WS_PERUN_NODES; part < WS_PERUN_ITSELF; part++)
            is_known |= part != WS_PERUN_RAW_DATA && strcmp(names.items[i], ws_perun_part_name(part)) == 0;
        unknown += !is_known;
    }
    if (unknown && !names.is_damaged)
        ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, name, 0,
                     "the readings of '%s' in %s cannot be found: %s", name, describe_place(w, GROUP), DAMAGED);
}

static ws_status visit_sensor(walker *w, ws_perun_ref place, const char *name)
{
    w->sensors++;
    push_metrics(w, place, name);
    sensor s = look_at(w, place, name);
    if (is_skipped_by_units(w, &s))
        return WS_OK;
    check_readings(w, place, name);
    ws_perun_series time;
    if (!open_series(w, place, name, "timesteps", &time)) {
        ws_notes_add(w->notes, WS_FINDING_NO_READINGS, w->tree->source, name, 0,
                     "the sensor holds no time steps that can be read");
        check_parts(w, place, name);
        ws_perun_names below = ws_perun_children(w->tree, place, WS_PERUN_NODES, &w->arena);
        if (below.is_damaged)
            ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, name, 0,
                         "the list of what '%s' in %s holds cannot be read in full: %s", name, describe_place(w, GROUP),
                         DAMAGED);
        return below.n > 0 ? WS_OK : announce_lost_sensor(w, name);
    }
    ws_status status = push_sensor(w, &s, &time);
    w->tree->close_series(w->tree->state, &time);
    return status;
}

static ws_status visit_children(walker *w, ws_perun_ref place, int level);

static ws_status visit_group(walker *w, ws_perun_ref place, const char *name)
{
    const char *stated = w->tree->text(w->tree->state, place, "device_type", &w->arena);
    w->group = name;
    if (stated && strcmp(stated, name) != 0)
        ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, name, 0,
                     "the group '%s' in %s says that its devices are '%s': %s", name, describe_place(w, HOST), stated,
                     DAMAGED);
    push_metrics(w, place, name);
    return visit_children(w, place, GROUP);
}

static ws_status visit_host(walker *w, ws_perun_ref place, const char *name)
{
    w->node = name;
    ws_perun_gpus_reset(&w->gpus);
    if (w->has_regions)
        ws_perun_rank_facts(w->tree, place, w->sink, &(ws_fact){.run = w->run, .node = w->node, .device = ""},
                            &w->arena);
    if (w->sink->every_fact) {
        check_metrics(w, place, name, describe_place(w, HOST));
        ws_perun_host_facts(w->tree, place, w->sink, &(ws_fact){.run = w->run, .node = w->node, .device = ""},
                            &w->arena);
    }
    return visit_children(w, place, HOST);
}

static ws_status visit_run(walker *w, ws_perun_ref place, const char *name)
{
    w->run = w->has_multi_run ? ws_arena_printf(&w->arena, "%s/%s", w->multi_run_name, name) : name;
    if (strcmp(name, "failed") == 0)
        ws_notes_add(w->notes, WS_FINDING_FAILED_RUN, w->tree->source, w->run, 0,
                     "the measured program failed; what perun recorded until then is read");
    w->has_regions = w->sink->fact && ws_perun_children(w->tree, place, WS_PERUN_REGIONS, &w->arena).n > 0;
    if (w->sink->fact) {
        ws_fact about = {.run = w->run, .node = "", .device = ""};
        if (w->sink->every_fact)
            check_metrics(w, place, w->run, describe_place(w, RUN));
        ws_perun_run_facts(w->tree, place, w->has_multi_run ? &w->multi_run : NULL, w->sink, &about, &w->arena);
        ws_status status = ws_perun_region_facts(w->tree, place, w->sink, &about, w->notes, w->error);
        if (status != WS_OK)
            return status;
    }
    return visit_children(w, place, RUN);
}

static ws_status visit_multi_run(walker *w, ws_perun_ref place, const char *name)
{
    w->has_multi_run = true;
    w->multi_run = place;
    w->multi_run_name = name;
    return visit_children(w, place, MULTI_RUN);
}

static ws_status visit_app(walker *w, ws_perun_ref place, const char *name)
{
    (void)name;
    return visit_children(w, place, APP);
}

static ws_status (*const visit[LEVELS])(walker *, ws_perun_ref, const char *) = {
    [SENSOR] = visit_sensor, [GROUP] = visit_group,         [HOST] = visit_host,
    [RUN] = visit_run,       [MULTI_RUN] = visit_multi_run, [APP] = visit_app};

static ws_status note_lost_child(walker *w, const char *name, int level)
{
    ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, name, 0,
                 "'%s' in %s cannot be read and is left out: %s", name, describe_place(w, level), DAMAGED);
    if (level == GROUP)
        return announce_lost_sensor(w, name);
    if (level == HOST)
        return announce_lost_devices(w, w->node, name);
    return level == RUN ? announce_lost_devices(w, name, NULL) : WS_OK;
}

static ws_status note_lost_children(walker *w, int level)
{
    ws_notes_add(w->notes, WS_FINDING_DAMAGED_OBJECT, w->tree->source, "", 0,
                 "the list of what %s holds cannot be read in full: %s", describe_place(w, level), DAMAGED);
    if (level == GROUP || level == HOST)
        return announce_lost_devices(w, w->node, level == GROUP ? w->group : NULL);
    return WS_OK;
}

static ws_status visit_children(walker *w, ws_perun_ref place, int level)
{
    ws_perun_part part = level == GROUP ? WS_PERUN_SENSORS : WS_PERUN_NODES;
    ws_perun_names names = ws_perun_children(w->tree, place, part, &w->arena);
    ws_status status = WS_OK;
    if (names.is_damaged)
        status = note_lost_children(w, level);
    for (size_t i = 0; status == WS_OK && i < names.n; i++) {
        ws_perun_ref child;
        w->nodes++;
        if (has_too_many_nodes(w))
            return ws_fail_at(w->error, WS_FORMAT, w->tree->source, 0,
                              "lists more nodes than fit into its size: the file is damaged; copy it again from where "
                              "it was written");
        if (level == GROUP && is_skipped_by_name(w, names.items[i]))
            continue;
        if (!w->tree->open(w->tree->state, place, part, names.items[i], &child)) {
            status = note_lost_child(w, names.items[i], level);
            continue;
        }
        if (level > GROUP && w->tree->is_sensor(w->tree->state, child))
            status = note_lost_child(w, names.items[i],
                                     level); /* it is too high in the tree: a group above it lost its mark */
        else
            status = visit[level - 1](w, child, names.items[i]);
        w->tree->close(w->tree->state, child);
    }
    return status;
}

static ws_status walk_from(walker *w, ws_perun_ref root, const char *root_name)
{
    int height = height_of(w, root, APP);
    if (height < 0 && w->is_damaged)
        return ws_fail_at(w->error, WS_FORMAT, w->tree->source, 0,
                          "perun's tree '%s' holds no sensor that can be reached: %s", root_name, DAMAGED);
    if (height < 0)
        return ws_fail_at(
            w->error, WS_DATA, w->tree->source, 0,
            "perun's tree '%s' holds no sensor with raw data; nothing was measured, or the run failed at its "
            "start",
            root_name);
    if (height < RUN)
        return ws_fail_at(w->error, WS_FORMAT, w->tree->source, 0,
                          "'%s' is a part of a perun file, cut below the run; the whole file is needed", root_name);
    return visit[height](w, root, root_name);
}

ws_status ws_perun_walk(const ws_perun_tree *tree, ws_perun_ref root, const char *root_name, const ws_sink *sink,
                        ws_notes *notes, ws_error *error)
{
    walker w = {.tree = tree, .sink = sink, .notes = notes, .error = error};
    ws_status status = walk_from(&w, root, root_name);
    ws_perun_gpus_free(&w.gpus);
    ws_arena_free(&w.arena);
    return status;
}
