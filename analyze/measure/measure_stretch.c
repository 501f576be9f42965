/* A stretch is a measure of the same channels at the same places, whose meters continue those of the whole. */
#include "analyze/measure/measure_steps.h"

#include <stdlib.h>

/* What depends on readings before the stretch, other than by the seam of the meters, has to see them. */
static bool may_be_cut(const ws_measured *c)
{
    return !c->order && !c->meter.counter_from_zero && ws_limits_stand_alone(&c->limits);
}

void *ws_measure_fork(void *state)
{
    const ws_measure *m = state;
    for (size_t i = 0; i < m->n_channels; i++)
        if (!may_be_cut(&m->channels[i]))
            return NULL;
    ws_measure *stretch = ws_alloc(sizeof *stretch);
    ws_measure_init(stretch, &m->options);
    stretch->options.meter.continues = true;
    stretch->n_channels = m->n_channels;
    stretch->channels = ws_alloc(m->n_channels * sizeof *stretch->channels);
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_measured *of = &m->channels[i];
        ws_meter_init(&stretch->channels[i].meter, &of->channel, of->meter.rule, &stretch->options.meter);
        ws_limits_init(&stretch->channels[i].limits, &of->channel);
    }
    return stretch;
}

void ws_measure_join_stretch(void *state, void *stretch, int64_t lines)
{
    ws_measure *m = state, *next = stretch;
    for (size_t i = 0; i < next->n_channels; i++) {
        ws_measured *to = &m->channels[i], *from = &next->channels[i];
        ws_meter_merge(&to->meter, &from->meter, lines);
        ws_limits_merge(&to->limits, &from->limits, lines);
        ws_meter_clear(&from->meter);
        ws_limits_clear(&from->limits);
    }
}

void ws_measure_drop_stretch(void *stretch)
{
    ws_measure_free(stretch);
    free(stretch);
}
