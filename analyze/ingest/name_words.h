/* Words that people put beside numbers in the names of folders and files, and what they say of a run. */
#ifndef WS_ANALYZE_NAME_WORDS_H
#define WS_ANALYZE_NAME_WORDS_H

#include "core/text.h"

#include <stdbool.h>

/* What a field is for the campaign. */
typedef enum ws_field_use {
    WS_USE_SETTING = 0, /* set by the experiment: runs that differ in it are no repeats */
    WS_USE_REPEAT,      /* numbers repeats, or makes them (a seed) */
    WS_USE_FILE,        /* of a file, not of its run: node, rank, number of a GPU, part of a log */
    WS_USE_IDENTITY     /* tells runs apart and says nothing of them: job, date, running number */
} ws_field_use;

typedef struct ws_name_word {
    const char *word;  /* lower case, without separators: "batchsize" for batch_size, Batch-Size, batchsize */
    const char *field; /* "": a number that nothing names, beside a word that says only that it counts */
    ws_field_use use;
    /* Files that differ in nothing else and cover the same time are of one run: the field is this one then. NULL: the
     * word has no such meaning. */
    const char *of_file;
    bool behind; /* the number may stand before it: 4gpu, 250W */
} ws_name_word;

/* The word of these letters; NULL for others. Words of one letter are known only right before their number. */
const ws_name_word *ws_name_word_find(ws_span text, bool number_first);

/* "a100", "a100-80gb", "rtx3090": the name of an accelerator. */
bool ws_name_is_device(ws_span text);

/* "GPU-5e717b42-...": the identity of a GPU, as nvidia-smi has it. */
bool ws_name_is_gpu_id(ws_span text);

/* "gpu", "rapl", "nvidia-smi": what was measured of a run or with what, and no name of it. */
bool ws_name_is_part(ws_span text);

/* hkn0307, node3, gpu-b-12, c1.cluster.de: letters and a number at the end, of the shape of the other. */
bool ws_name_is_host_like(ws_span a, ws_span b);

/* What the campaign does with a field of that name. */
ws_field_use ws_name_use(const char *field);

#endif
