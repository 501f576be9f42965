/* {"schema":"wattscale.provenance/1",
 * "version":"0.1.0",
 * "command":["wattscale","report","demo","-o","out"],
 * "inputs":[
 * {"path":"demo/campaign.json","size":1202,"sha256":"ba7816bf..."}
 * ]}
 *
 * No date: a report of the same inputs by the same command is the same bytes. */
#include "report/page/provenance.h"

#include "report/table/table_forms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void ws_provenance_init(ws_provenance *provenance, const char *version)
{
    *provenance = (ws_provenance){0};
    provenance->version = ws_arena_strdup(&provenance->arena, version);
}

void ws_provenance_free(ws_provenance *provenance)
{
    free(provenance->command);
    free(provenance->inputs);
    ws_arena_free(&provenance->arena);
    *provenance = (ws_provenance){0};
}

void ws_provenance_add_word(ws_provenance *p, const char *word)
{
    p->command = ws_grow(p->command, &p->command_capacity, p->n_command + 1, sizeof *p->command);
    p->command[p->n_command++] = ws_arena_strdup(&p->arena, word);
}

void ws_provenance_add_file(ws_provenance *p, const char *path, uint64_t size, const char *sha256)
{
    ws_input_file file = {.path = ws_arena_strdup(&p->arena, path), .size = size};
    snprintf(file.sha256, sizeof file.sha256, "%s", sha256);
    p->inputs = ws_grow(p->inputs, &p->input_capacity, p->n_inputs + 1, sizeof *p->inputs);
    p->inputs[p->n_inputs++] = file;
}

uint64_t ws_provenance_size(const ws_provenance *p)
{
    uint64_t size = 0;
    for (size_t i = 0; i < p->n_inputs; i++)
        size += p->inputs[i].size;
    return size;
}

ws_status ws_provenance_write(FILE *stream, const ws_provenance *p, ws_error *error)
{
    errno = 0;
    fputs("{\"schema\":\"wattscale.provenance/1\",\n\"version\":", stream);
    ws_json_put_text(stream, p->version);
    fputs(",\n\"command\":[", stream);
    for (size_t i = 0; i < p->n_command; i++) {
        fputs(i ? "," : "", stream);
        ws_json_put_text(stream, p->command[i]);
    }
    fputs("],\n\"inputs\":[", stream);
    for (size_t i = 0; i < p->n_inputs; i++) {
        fputs(i ? ",\n{\"path\":" : "\n{\"path\":", stream);
        ws_json_put_text(stream, p->inputs[i].path);
        fprintf(stream, ",\"size\":%" PRIu64 ",\"sha256\":\"%s\"}", p->inputs[i].size, p->inputs[i].sha256);
    }
    fputs("\n]}\n", stream);
    if (fflush(stream) == 0 && !ferror(stream))
        return WS_OK;
    return ws_fail(error, WS_IO, "cannot be written: %s", errno ? strerror(errno) : "the output takes no more");
}
