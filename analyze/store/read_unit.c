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

void ws_read_unit_expect(ws_read_unit *unit)
{
    ws_read_unit_free(unit);
    unit->was_same = false;
    unit->formats = ws_alloc(unit->n * sizeof *unit->formats);
    unit->before = ws_alloc(unit->n * sizeof *unit->before);
}

void ws_read_unit_look(ws_read_unit *unit)
{
    ws_read_unit_expect(unit);
    for (size_t i = 0; i < unit->n; i++)
        unit->before[i] = ws_file_state_of(unit->paths[i]);
}

void ws_read_unit_take_looks(ws_read_unit *unit, const ws_file_looks *looks)
{
    unit->before[0] = looks->before;
    unit->after = looks->after;
}

static bool is_another_now(const ws_read_unit *unit, size_t i)
{
    ws_file_state now = ws_file_state_of(unit->paths[i]);
    return !ws_file_state_is_untouched(&unit->before[i], &now);
}

bool ws_read_unit_file_has_changed(const ws_read_unit *unit, size_t i)
{
    return unit->is_opened_once ? !ws_file_state_is_untouched(&unit->before[i], &unit->after) : is_another_now(unit, i);
}

bool ws_read_unit_has_changed(const ws_read_unit *unit)
{
    bool changed = false;
    for (size_t i = 0; unit->before && i < unit->n && !changed; i++)
        changed = ws_read_unit_file_has_changed(unit, i);
    return changed;
}

bool ws_read_unit_is_another_now(const ws_read_unit *unit)
{
    bool is_another = false;
    for (size_t i = 0; unit->before && i < unit->n && !is_another; i++)
        is_another = is_another_now(unit, i);
    return is_another;
}
