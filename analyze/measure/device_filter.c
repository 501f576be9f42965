#include "analyze/measure/measure.h"

#include <string.h>

static bool is(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

bool ws_device_passes(const ws_device *d, const ws_device_filter *f)
{
    return !d->is_alternative && is(f->source, d->source) && is(f->run, d->run) && is(f->node, d->node);
}

bool ws_measured_passes(const ws_measured *c, const ws_device_filter *f)
{
    return is(f->source, c->source) && is(f->run, c->channel.run) && is(f->node, c->channel.node);
}
