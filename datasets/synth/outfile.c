#include "datasets/synth/outfile.h"

#include "core/arena.h"
#include "core/stamp.h"
#include "core/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void ws_synth_put(ws_synth_text *text, const void *bytes, size_t n)
{
    text->p = ws_grow(text->p, &text->capacity, text->n + n, 1);
    memcpy(text->p + text->n, bytes, n);
    text->n += n;
}

void ws_synth_put_little(ws_synth_text *text, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, value >>= 8)
        ws_synth_put(text, &(unsigned char){value & 0xff}, 1);
}

void ws_synth_print(ws_synth_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t n = length < 0 ? 0 : (size_t)length;
    text->p = ws_grow(text->p, &text->capacity, text->n + n + 1, 1);
    vsnprintf(text->p + text->n, n + 1, format, again);
    va_end(again);
    text->n += n;
}

void ws_synth_print_double(ws_synth_text *text, double value)
{
    char digits[WS_DOUBLE_TEXT];
    ws_double_text(digits, value);
    ws_synth_print(text, "%s", digits);
}

void ws_synth_print_time(ws_synth_text *text, int64_t ns, char date_separator, char time_separator)
{
    char stamp[WS_STAMP_TEXT];
    ws_stamp_text(stamp, ns - ns % 1000000000);
    stamp[4] = stamp[7] = date_separator;
    stamp[10] = time_separator;
    ws_synth_put(text, stamp, 19);
}

void ws_synth_print_duration(ws_synth_text *text, int64_t seconds)
{
    ws_synth_print(text, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 3600, seconds / 60 % 60, seconds % 60);
}

void ws_synth_text_free(ws_synth_text *text)
{
    free(text->p);
    *text = (ws_synth_text){0};
}

ws_status ws_synth_make_folders(const char *path, ws_error *error)
{
    ws_arena arena = {0};
    char *part = ws_arena_strdup(&arena, path);
    ws_status status = WS_OK;
    for (char *slash = strchr(part + 1, '/'); slash && status == WS_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            status = ws_fail_at(error, WS_IO, part, 0, "cannot make this folder: %s", strerror(errno));
        *slash = '/';
    }
    ws_arena_free(&arena);
    return status;
}

static ws_status save_plain(const char *path, const ws_synth_text *text, ws_error *error)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return ws_fail_at(error, WS_IO, path, 0, "cannot write: %s", strerror(errno));
    bool written = fwrite(text->p, 1, text->n, file) == text->n;
    if (fclose(file) != 0 || !written)
        return ws_fail_at(error, WS_IO, path, 0, "cannot write: %s", strerror(errno));
    return WS_OK;
}

static ws_status save_gzip(const char *path, const ws_synth_text *text, ws_error *error)
{
    struct archive *out = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, "data");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (la_int64_t)text->n);
    bool written =
        archive_write_add_filter_gzip(out) == ARCHIVE_OK && archive_write_set_format_raw(out) == ARCHIVE_OK &&
        archive_write_set_filter_option(out, "gzip", "timestamp", NULL) == ARCHIVE_OK &&
        archive_write_open_filename(out, path) == ARCHIVE_OK && archive_write_header(out, entry) == ARCHIVE_OK &&
        archive_write_data(out, text->p, text->n) == (la_ssize_t)text->n && archive_write_close(out) == ARCHIVE_OK;
    ws_status status = WS_OK;
    if (!written) {
        const char *why = archive_error_string(out);
        status = ws_fail_at(error, WS_IO, path, 0, "cannot write: %s", why ? why : "unknown reason");
    }
    archive_entry_free(entry);
    archive_write_free(out);
    return status;
}

static ws_status read_all(const char *path, ws_synth_text *text, ws_error *error)
{
    char block[65536];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return ws_fail_at(error, WS_IO, path, 0, "cannot read: %s", strerror(errno));
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        ws_synth_put(text, block, n);
    bool failed = ferror(file);
    fclose(file);
    return failed ? ws_fail_at(error, WS_IO, path, 0, "cannot read: %s", strerror(errno)) : WS_OK;
}

ws_status ws_synth_copy(const char *dir, const char *from, const char *name, ws_error *error)
{
    ws_arena arena = {0};
    ws_synth_text text = {0};
    ws_status status = read_all(ws_arena_printf(&arena, "%s/%s", dir, from), &text, error);
    if (status == WS_OK)
        status = ws_synth_save(dir, name, &text, false, error);
    ws_synth_text_free(&text);
    ws_arena_free(&arena);
    return status;
}

ws_status ws_synth_save(const char *dir, const char *name, const ws_synth_text *text, bool gzip, ws_error *error)
{
    ws_arena arena = {0};
    const char *path = ws_arena_printf(&arena, "%s/%s", dir, name);
    ws_status status = ws_synth_make_folders(path, error);
    if (status == WS_OK)
        status = gzip ? save_gzip(path, text, error) : save_plain(path, text, error);
    ws_arena_free(&arena);
    return status;
}
