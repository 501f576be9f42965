/* Records (measure/pack.h) that somebody else has made: whatever the bytes are, they are refused, or give a measure
 * that can be finished. The checksum is set right, since nothing behind it would be reached otherwise.
 *
 * Built with -fsanitize=fuzzer it is a libFuzzer target; built plainly it makes records of the traces that it is given,
 * and with --rounds N damages each N times; --write FOLDER puts them there as seeds. */
#include "analyze/measure/pack.h"
#include "analyze/measure/packer_internal.h"
#include "analyze/source.h"
#include "core/arena.h"
#include "fuzz/damage.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { CHECKSUM = 8 };
static const char *const paths[] = {"folder/a.csv"};

static void set_checksum(uint8_t *bytes, size_t n)
{
    uint64_t sum = ws_record_sum(bytes, n > CHECKSUM ? n - CHECKSUM : 0);
    for (size_t i = 0; i < CHECKSUM && n >= CHECKSUM; i++)
        bytes[n - CHECKSUM + i] = (uint8_t)(sum >> (8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    ws_measure measure, *measures[] = {&measure};
    ws_notes notes = {0};
    ws_record record = {.paths = paths, .n_paths = 1, .measures = measures, .n_measures = 1, .notes = &notes};
    uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees one byte too far */
    memcpy(exact, bytes, n);
    set_checksum(exact, n);
    ws_measure_init(&measure, &(ws_measure_options){.all_channels = true});
    if (ws_record_unpack(&record, exact, n))
        ws_measure_finish(&measure, &notes);
    ws_measure_free(&measure);
    ws_notes_free(&notes);
    free(exact);
    return 0;
}

#ifndef WS_LIBFUZZER
/* The record of a trace; false where it is none. */
static bool record_of(const char *path, ws_packed *packed)
{
    ws_measure measure, *measures[] = {&measure};
    ws_notes notes = {0};
    ws_source_options options = {.read = WS_READ_DEFAULTS};
    ws_record record = {.paths = paths, .n_paths = 1, .measures = measures, .n_measures = 1, .notes = &notes};
    ws_measure_init(&measure, &(ws_measure_options){.all_channels = true});
    ws_measure_begin(&measure, paths[0], "");
    ws_sink sink = ws_measure_sink(&measure);
    bool is_read = ws_source_read(path, &options, &sink, &notes, NULL, NULL) == WS_OK;
    ws_measure_flush(&measure);
    is_read = is_read && ws_record_pack(&record, packed);
    ws_measure_free(&measure);
    ws_notes_free(&notes);
    return is_read;
}

static void write_seed(const char *folder, long number, const ws_packed *packed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%ld", folder, number);
    FILE *stream = fopen(path, "wb");
    if (stream) {
        fwrite(packed->bytes, 1, packed->n, stream);
        fclose(stream);
    }
}

static void damage_record(const ws_packed *packed, long rounds)
{
    uint8_t *damaged = ws_alloc(packed->n * 2 + 64);
    LLVMFuzzerTestOneInput(packed->bytes, packed->n);
    for (long i = 0; i < rounds; i++) {
        memcpy(damaged, packed->bytes, packed->n);
        LLVMFuzzerTestOneInput(damaged, damage_bytes(damaged, packed->n, packed->n * 2 + 64));
    }
    free(damaged);
}

int main(int argc, char **argv)
{
    long rounds = 0, records = 0;
    const char *folder = NULL;
    for (int i = 1; i < argc; i++) {
        ws_packed packed;
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = atol(argv[++i]);
        else if (strcmp(argv[i], "--write") == 0 && i + 1 < argc)
            folder = argv[++i];
        else if (record_of(argv[i], &packed)) {
            damage_record(&packed, rounds);
            if (folder)
                write_seed(folder, records, &packed);
            records++;
            free(packed.bytes);
        }
    }
    printf("%ld records, %ld inputs, no finding\n", records, records * (rounds + 1));
    return EXIT_SUCCESS;
}
#endif
