/* What nodes and GPUs of a synthetic campaign are called. */
#include "datasets/synth/write.h"

const char *ws_synth_node_name(ws_arena *arena, int node)
{
    return ws_arena_printf(arena, "node%d", node + 1);
}

const char *ws_synth_gpu_uuid(ws_arena *arena, int node, int index)
{
    return ws_arena_printf(arena, "GPU-5f1c0000-0000-4000-8000-%012d", (node + 1) * 100 + index);
}
