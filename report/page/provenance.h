/* Where a report comes from: the program, the command line, every file that was read with its size and SHA-256. */
#ifndef WS_REPORT_PROVENANCE_H
#define WS_REPORT_PROVENANCE_H

#include "core/arena.h"
#include "core/status.h"
#include "core/sha256.h"

#include <stdio.h>

typedef struct ws_input_file {
    const char *path; /* as it was opened */
    uint64_t size;
    char sha256[WS_SHA256_TEXT];
} ws_input_file;

typedef struct ws_provenance {
    const char *version;
    const char **command; /* words of the command line */
    size_t n_command, command_capacity;
    ws_input_file *inputs; /* in the order they were added */
    size_t n_inputs, input_capacity;
    ws_arena arena;
} ws_provenance;

void ws_provenance_init(ws_provenance *provenance, const char *version);
void ws_provenance_free(ws_provenance *provenance); /* leaves a valid empty one */
void ws_provenance_add_word(ws_provenance *provenance, const char *word);

void ws_provenance_add_file(ws_provenance *provenance, const char *path, uint64_t size, const char *sha256);

uint64_t ws_provenance_size(const ws_provenance *provenance); /* of all inputs, in bytes */

/* {"schema":"wattscale.provenance/1","version":...,"command":[...],"inputs":[{"path","size","sha256"}]} */
ws_status ws_provenance_write(FILE *stream, const ws_provenance *provenance, ws_error *error);

#endif
