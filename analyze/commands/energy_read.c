#include "analyze/commands/energy_read.h"

#include <math.h>
#include <string.h>

bool ws_energy_has_baseline(const ws_energy_job *j)
{
    return j->baseline.is_stated || j->baseline.is_measured;
}

/* Reads a file; if `without` is not NULL, without what it leaves out. */
static void read_into(const ws_energy_job *j, const char *path, const ws_measure_options *how, ws_identity *without,
                      ws_energy_part *p)
{
    ws_source_options source = j->source;
    ws_read_use use = {0};
    source.read.use = &use;
    ws_measure_init(&p->measure, how);
    ws_sink whole = ws_measure_sink(&p->measure), sink = without ? ws_identity_sink(without, &whole) : whole;
    ws_measure_begin(&p->measure, ws_source_name(path), "");
    if (without) {
        source.progress = NULL; /* counted already */
        ws_identity_begin(without, ws_source_name(path), "");
    }
    p->status = ws_source_read(path, &source, &sink, &p->notes, NULL, &p->error);
    p->measure.is_incomplete = p->status != WS_OK || ws_count_damage(&p->notes) > 0;
    p->measure.asks_period = use.period;
}

/* A file that is read again. */
typedef struct again {
    const ws_energy_job *job;
    const char *path;
    ws_energy_part *part;
} again;

static void read_file_again(void *state, ws_identity *without)
{
    const again *of = state;
    ws_measure_free(&of->part->measure);
    ws_notes_free(&of->part->notes);
    read_into(of->job, of->path, &of->job->measure, without, of->part);
}

static void read_each_once(const ws_energy_job *j, const char *path, ws_energy_part *p)
{
    ws_measure *measure = &p->measure;
    again of = {j, path, p};
    p->identity = ws_identity_new();
    ws_identity_read_once(p->identity, &(ws_rereading){&of, read_file_again, &measure, 1}, &p->notes);
}

/* The file is read again for its idle stretch; what there is to say of it was said. */
void ws_energy_add_baselines(const ws_energy_job *j, const char *path, ws_energy_part *p)
{
    ws_measure_options how = j->measure;
    ws_energy_part idle = {0};
    how.meter.has_window = true;
    how.meter.window_is_relative = j->baseline.stretch.window_is_relative;
    how.meter.window_start_ns = j->baseline.stretch.window_start_ns;
    how.meter.window_end_ns = j->baseline.stretch.window_end_ns;
    if (j->baseline.is_measured) {
        read_into(j, path, &how, p->identity, &idle);
        ws_measure_finish(&idle.measure, NULL);
    }
    ws_measure_set_baselines(&p->measure, &j->baseline, j->baseline.is_measured ? &idle.measure : NULL, &p->notes);
    ws_measure_free(&idle.measure);
    ws_notes_free(&idle.notes);
}

/* What there is to say of the file was said. */
static void read_for_regions(void *state, ws_cutter *cutter)
{
    const again *of = state;
    ws_source_options source = of->job->source;
    ws_notes notes = {0};
    ws_error error = {0};
    ws_sink whole = ws_cutter_sink(cutter),
            sink = of->part->identity ? ws_identity_sink(of->part->identity, &whole) : whole;
    source.progress = NULL; /* counted already */
    ws_cutter_begin(cutter, ws_source_name(of->path), "");
    if (of->part->identity)
        ws_identity_begin(of->part->identity, ws_source_name(of->path), "");
    ws_source_read(of->path, &source, &sink, &notes, NULL, &error);
    ws_notes_free(&notes);
}

bool ws_energy_wants_perun_regions(const ws_energy_job *j)
{
    return j->region_file && strcmp(j->region_file, "perun") == 0;
}

const ws_regions *ws_energy_regions_of(const ws_energy_job *j, const ws_energy_part *p)
{
    return ws_energy_wants_perun_regions(j) ? &p->regions : &j->markers;
}

void ws_energy_add_regions(const ws_energy_job *j, const char *path, ws_energy_part *p)
{
    again of = {j, path, p};
    ws_region_source source = {&of, read_for_regions};
    if (ws_energy_wants_perun_regions(j))
        ws_regions_of_perun(&p->regions, &p->measure, &p->notes);
    p->in_each = ws_region_measures(&p->measure, ws_energy_regions_of(j, p), &source, &p->notes);
}

void ws_energy_read(const ws_energy_job *j, const char *path, ws_energy_part *p)
{
    read_into(j, path, &j->measure, NULL, p);
    if (ws_measure_steps_back(&p->measure) && !ws_is_pipe(path))
        read_each_once(j, path, p);
}
