/* What torch.save makes of a Python list of floats: an uncompressed ZIP of
 *
 *     valid_top1/data.pkl    80 02  5d 71 00  28  47 <8 bytes, big-endian double> ...  65 2e
 *     valid_top1/version     "3\n"
 *
 * The pickle is of protocol 2: empty list, mark, one 'G' a float, appends, stop. PyTorch pads each member with an extra
 * field "FB" so that its bytes start at a multiple of 64. */
#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

#include <string.h>

enum { LOCAL_SIZE = 30, EXTRA_HEAD = 4, ALIGNMENT = 64, ZIP_VERSION = 20, DOS_DATE_1980 = 0x21 };

static uint32_t crc32_of(const ws_synth_text *data)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < data->n; i++) {
        crc ^= (unsigned char)data->p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* The fields that a local header and a central one have in common. */
static void put_header(ws_synth_text *text, const char *name, const ws_synth_text *data, size_t extra)
{
    ws_synth_put_little(text, ZIP_VERSION, 2);
    ws_synth_put_little(text, 0, 2); /* flags */
    ws_synth_put_little(text, 0, 2); /* stored */
    ws_synth_put_little(text, 0, 2); /* time */
    ws_synth_put_little(text, DOS_DATE_1980, 2);
    ws_synth_put_little(text, crc32_of(data), 4);
    ws_synth_put_little(text, data->n, 4);
    ws_synth_put_little(text, data->n, 4);
    ws_synth_put_little(text, strlen(name), 2);
    ws_synth_put_little(text, extra, 2);
}

static void add_member(ws_synth_text *zip, ws_synth_text *directory, const char *name, const ws_synth_text *data)
{
    size_t offset = zip->n, unpadded = offset + LOCAL_SIZE + strlen(name) + EXTRA_HEAD;
    size_t padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
    ws_synth_put(zip, "PK\3\4", 4);
    put_header(zip, name, data, EXTRA_HEAD + padding);
    ws_synth_put(zip, name, strlen(name));
    ws_synth_put(zip, "FB", 2);
    ws_synth_put_little(zip, padding, 2);
    for (size_t i = 0; i < padding; i++)
        ws_synth_put(zip, "Z", 1);
    ws_synth_put(zip, data->p, data->n);

    ws_synth_put(directory, "PK\1\2", 4);
    ws_synth_put_little(directory, 0, 2); /* made by */
    put_header(directory, name, data, 0);
    ws_synth_put_little(directory, 0, 10); /* comment, disk, attributes */
    ws_synth_put_little(directory, offset, 4);
    ws_synth_put(directory, name, strlen(name));
}

static void end_zip(ws_synth_text *zip, const ws_synth_text *directory, unsigned members)
{
    size_t offset = zip->n;
    ws_synth_put(zip, directory->p, directory->n);
    ws_synth_put(zip, "PK\5\6", 4);
    ws_synth_put_little(zip, 0, 4); /* disks */
    ws_synth_put_little(zip, members, 2);
    ws_synth_put_little(zip, members, 2);
    ws_synth_put_little(zip, directory->n, 4);
    ws_synth_put_little(zip, offset, 4);
    ws_synth_put_little(zip, 0, 2); /* comment */
}

static void put_float(ws_synth_text *pickle, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ws_synth_put(pickle, "G", 1);
    for (int shift = 56; shift >= 0; shift -= 8)
        ws_synth_put_little(pickle, bits >> shift, 1);
}

/* One value an epoch, which goes to `last` from `before` times it. */
static void put_values(ws_synth_text *pickle, const ws_synth_run *run, double last, double before)
{
    ws_synth_put(pickle, "\x80\x02]q\x00(", 6);
    for (int epoch = 1; epoch < run->epochs; epoch++)
        put_float(pickle, before < 1 ? last * epoch / (epoch + 0.3) : last * (1 + (before - 1) / epoch));
    put_float(pickle, last);
    ws_synth_put(pickle, "e.", 2);
}

static ws_status write_list(const ws_synth_job *job, const char *stem, double last, double before, ws_error *error)
{
    ws_synth_text pickle = {0}, version = {0}, directory = {0}, zip = {0};
    put_values(&pickle, job->run, last, before);
    ws_synth_put(&version, "3\n", 2);
    add_member(&zip, &directory, ws_arena_printf(job->arena, "%s/data.pkl", stem), &pickle);
    add_member(&zip, &directory, ws_arena_printf(job->arena, "%s/version", stem), &version);
    end_zip(&zip, &directory, 2);
    const char *name = ws_arena_printf(job->arena, "%s/%s.pt", job->path, stem);
    ws_status status = ws_synth_save(job->dir, name, &zip, false, error);
    ws_synth_text_free(&pickle);
    ws_synth_text_free(&version);
    ws_synth_text_free(&directory);
    ws_synth_text_free(&zip);
    return status;
}

/* Top-1 accuracy in percent, which rises, and the RMSE of a forecast, which falls. */
ws_status ws_synth_write_torch_list(const ws_synth_job *job, ws_error *error)
{
    ws_status status = WS_OK;
    if (job->run->top1_percent > 0)
        status = write_list(job, "valid_top1", job->run->top1_percent, 0.5, error);
    if (job->run->rmse_z500 > 0 && status == WS_OK)
        status = write_list(job, "rmse_z500", job->run->rmse_z500, 3, error);
    return status;
}
