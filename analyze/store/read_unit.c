#include "analyze/store/read_unit.h"

#include "core/arena.h"

#include <stdlib.h>

void ws_read_unit_free(ws_read_unit *unit)
{
    free(unit->before);
    free(unit->formats);
    unit->before = NULL;
    unit->formats = NULL;
}

void ws_read_unit_look(ws_read_unit *unit)
{
    ws_read_unit_free(unit);
    unit->was_same = false;
    unit->formats = ws_alloc(unit->n * sizeof *unit->formats);
    unit->before = ws_alloc(unit->n * sizeof *unit->before);
    for (size_t i = 0; i < unit->n; i++)
        unit->before[i] = ws_file_state_of(unit->paths[i]);
}

bool ws_read_unit_file_has_changed(const ws_read_unit *unit, size_t i)
{
    ws_file_state now = ws_file_state_of(unit->paths[i]);
    return !ws_file_state_is_untouched(&unit->before[i], &now);
}

bool ws_read_unit_has_changed(const ws_read_unit *unit)
{
    bool changed = false;
    for (size_t i = 0; unit->before && i < unit->n && !changed; i++)
        changed = ws_read_unit_file_has_changed(unit, i);
    return changed;
}
