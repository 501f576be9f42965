/* Every reader on damaged input: whatever the bytes are, a reader ends with a status and, where it fails, a message.
 *
 * Built with -fsanitize=fuzzer it is a libFuzzer target; built plainly it replays files, or with --rounds N makes N
 * damaged variants of each (bits, cuts, doubled pieces, digits) from a fixed seed, so that it runs under any compiler.
 * HDF5 bytes go to libhdf5 1.10, which reads beyond damaged attributes by itself; fuzz_hdf5.c makes sound files of any
 * shape instead. */
#include "analyze/measure/measure.h"
#include "core/arena.h"
#include "formats/campaign_json.h"
#include "formats/format.h"
#include "fuzz/damage.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const char *reader, ws_status status, const ws_error *error)
{
    if (status != WS_OK && !error->message[0]) {
        fprintf(stderr, "%s failed without a message\n", reader);
        abort();
    }
}

static void read_trace(const ws_format *format, const uint8_t *bytes, size_t n)
{
    ws_measure measure;
    ws_notes notes = {0};
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    ws_input *input = ws_input_from_memory("fuzz", bytes, n);
    ws_measure_init(&measure, &(ws_measure_options){.all_channels = true});
    ws_measure_begin(&measure, "fuzz", "");
    ws_sink sink = ws_measure_sink(&measure);
    check(format->name, format->read(input, &options, &sink, &notes, &error), &error);
    ws_measure_finish(&measure, &notes);
    ws_measure_free(&measure);
    ws_notes_free(&notes);
    ws_input_close(input);
}

static void read_record(const ws_format *format, const uint8_t *bytes, size_t n)
{
    ws_table table;
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    ws_input *input = ws_input_from_memory("fuzz", bytes, n);
    ws_table_init(&table, "fuzz");
    check(format->name, format->read_table(input, &options, &table, &error), &error);
    ws_table_free(&table);
    ws_input_close(input);
}

static void read_campaign(const uint8_t *bytes, size_t n)
{
    ws_campaign campaign = {0};
    ws_error error = {0};
    ws_input *input = ws_input_from_memory("fuzz", bytes, n);
    check("campaign.json", ws_campaign_json_read(input, &campaign, &error), &error);
    ws_campaign_free(&campaign);
    ws_input_close(input);
}

/* WS_FUZZ_FORMAT=csv gives every input to that one reader, "campaign" to that of campaign descriptions; otherwise each
 * reader gets what it would take for its own. */
static bool is_wanted(const ws_format *format, const char *only, ws_span head)
{
    if (strcmp(format->name, "perun-hdf5") == 0 || (only && strcmp(format->name, only) != 0))
        return false;
    return format->score("fuzz", head) > 0 || only;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *only = getenv("WS_FUZZ_FORMAT");
    ws_span head = {(const char *)bytes, n < WS_HEAD_SIZE ? n : WS_HEAD_SIZE};
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        if (!is_wanted(*f, only, head))
            continue;
        if ((*f)->is_record)
            read_record(*f, bytes, n);
        else
            read_trace(*f, bytes, n);
    }
    if (!only || strcmp(only, "campaign") == 0)
        read_campaign(bytes, n);
    return 0;
}

#ifndef WS_LIBFUZZER
static void run_file(const char *path, long rounds)
{
    enum { LIMIT = 256 * 1024 };
    uint8_t *original = ws_alloc(LIMIT), *damaged = ws_alloc(LIMIT * 2);
    FILE *stream = fopen(path, "rb");
    size_t n = stream ? fread(original, 1, LIMIT, stream) : 0;
    if (stream)
        fclose(stream);
    LLVMFuzzerTestOneInput(original, n);
    for (long i = 0; i < rounds; i++) {
        memcpy(damaged, original, n);
        size_t m = damage_bytes(damaged, n, LIMIT * 2);
        /* a copy of the exact size, so that a sanitizer sees one byte too far */
        uint8_t *exact = malloc(m ? m : 1);
        memcpy(exact, damaged, m);
        LLVMFuzzerTestOneInput(exact, m);
        free(exact);
    }
    free(original);
    free(damaged);
}

int main(int argc, char **argv)
{
    long rounds = 0, files = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = atol(argv[++i]);
            continue;
        }
        run_file(argv[i], rounds);
        files++;
    }
    printf("%ld files, %ld inputs, no finding\n", files, files * (rounds + 1));
    return EXIT_SUCCESS;
}
#endif
