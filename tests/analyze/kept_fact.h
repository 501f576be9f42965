/* What a measure keeps of the facts of its sources. */
#ifndef WS_TESTS_ANALYZE_KEPT_FACT_H
#define WS_TESTS_ANALYZE_KEPT_FACT_H

#include "analyze/measure/measure.h"

#include <string.h>

/* The last fact with that key about (run, node, device); NULL if there is none. */
static inline const ws_kept_fact *fact_about(const ws_measure *m, const char *run, const char *node, const char *device,
                                             const char *key)
{
    for (size_t i = m->n_facts; i-- > 0;) {
        const ws_kept_fact *f = &m->facts[i];
        if (strcmp(f->key, key) == 0 && strcmp(f->run, run) == 0 && strcmp(f->node, node) == 0 &&
            strcmp(f->device, device) == 0)
            return f;
    }
    return NULL;
}

#endif
