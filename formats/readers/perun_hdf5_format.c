/* perun's HDF5 file as a format: how it is known, on how many threads it is read, and whether by HDF5's library, in a
 * child. */
#include "formats/format.h"
#include "formats/input/reader_thread.h"
#include "formats/input/input.h"
#include "formats/hdf5/perun_child.h"
#include "formats/hdf5/perun_hdf5.h"

#include <string.h>
#include <sys/stat.h>

static const char signature[] = "\x89HDF\r\n\x1a\n";

/* The signature, or as much of it as is there: its first line, which ends behind six bytes, is enough. */
static bool begins_at(ws_span head, size_t at)
{
    enum { FIRST_LINE = 6, WHOLE = 8 };
    return head.n >= at + FIRST_LINE && memcmp(head.p + at, signature, head.n - at < WHOLE ? head.n - at : WHOLE) == 0;
}

/* At the beginning, or behind a block of the user's of 512, 1024, 2048 ... bytes. False where it is nowhere in the
 * head. */
static bool find_start(ws_span head, size_t *start)
{
    enum { SMALLEST_BLOCK = 512 };
    *start = 0;
    while (*start < head.n && !begins_at(head, *start))
        *start = *start ? *start * 2 : SMALLEST_BLOCK;
    return *start < head.n;
}

static int score_perun_hdf5(const char *path, ws_span head)
{
    size_t start;
    if (!find_start(head, &start))
        return 0;
    const char *name = strrchr(path, '/');
    return strstr(name ? name + 1 : path, "perun") ? 100 : 90;
}

typedef struct reading {
    ws_input *input;
    ws_perun_samples *samples; /* until all are taken */
    ws_notes *notes;
} reading;

/* The file, or what comes out of it where it is compressed or a pipe, in memory. */
static ws_status perun_hdf5_format_take_bytes(ws_input *input, ws_hdf5_bytes *bytes, ws_error *error)
{
    static const size_t LARGEST = (size_t)4 << 30;
    size_t start;
    *bytes = (ws_hdf5_bytes){.fd = ws_input_plain_fd(input)};
    if (find_start(ws_input_head(input), &start))
        bytes->start = start;
    if (bytes->fd >= 0)
        return WS_OK;
    ws_status status = ws_input_read_all(input, LARGEST, &bytes->memory, error);
    if (status == WS_OK && !bytes->memory.n)
        return ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0,
                          "is empty; copy it again from where it was written");
    return status;
}

static ws_status read_file(void *state, const ws_sink *sink, ws_error *error)
{
    const reading *r = state;
    ws_perun_hdf5_file file = {.path = ws_input_path(r->input), .samples = r->samples, .notes = r->notes};
    ws_status status = perun_hdf5_format_take_bytes(r->input, &file.bytes, error);
    if (status != WS_OK || ws_perun_hdf5_read_plain(&file, sink, &status, error))
        return status;
    return ws_perun_hdf5_read_apart(&file, sink, error);
}

/* Less is read sooner than a thread is started. */
static bool is_large(const ws_input *input)
{
    enum { LARGE = 1024 * 1024 };
    struct stat about;
    int fd = ws_input_plain_fd(input);
    return fd < 0 || (fstat(fd, &about) == 0 && about.st_size > LARGE);
}

static ws_status read_hdf5(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    bool by_two = options->rows.threads > 1 && is_large(input);
    reading r = {input, ws_perun_samples_new(), notes};
    ws_status status = by_two ? ws_reader_thread(read_file, &r, sink, error) : read_file(&r, sink, error);
    ws_perun_samples_free(r.samples);
    return status;
}

const ws_format ws_format_perun_hdf5 = {
    .name = "perun-hdf5",
    .title = "perun, HDF5 file of an application (0.3.3 to 0.9.1)",
    .example = "\\x89HDF  /perun/nodes/3172377/nodes/0/nodes/node0001/nodes/gpu/nodes/CUDA:0_POWER/raw_data/values",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK,
    .tried = WS_TRIED_REAL,
    .score = score_perun_hdf5,
    .read = read_hdf5,
};
