/* Compressed input: unpacked whole or ahead of the reader, the same bytes come out, and all that lie before a damage.
 */
#include "core/arena.h"
#include "formats/input/input.h"
#include "harness.h"

#include <libdeflate.h>
#include <string.h>
#include <unistd.h>

/* Below and above what is unpacked whole. */
enum { SMALL = 500 * 1000, LARGE = 6 * 1000 * 1000 };

typedef struct bytes {
    char *p;
    size_t n;
} bytes;

/* Lines of a trace that no packer makes very small. */
static bytes invent(size_t n)
{
    bytes text = {ws_alloc(n + 64), 0};
    uint64_t noise = 7;
    while (text.n < n) {
        noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407u;
        text.n += (size_t)sprintf(text.p + text.n, "%u,%u.%02u\n", (unsigned)(text.n / 20), (unsigned)(noise >> 56),
                                  (unsigned)(noise >> 40) % 100);
    }
    text.n = n;
    return text;
}

static bytes pack(const char *p, size_t n)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    size_t bound = libdeflate_gzip_compress_bound(c, n);
    bytes packed = {ws_alloc(bound), 0};
    packed.n = libdeflate_gzip_compress(c, p, n, packed.p, bound);
    libdeflate_free_compressor(c);
    ck_assert_uint_gt(packed.n, 0);
    return packed;
}

static bytes join(bytes a, bytes b)
{
    bytes both = {ws_alloc(a.n + b.n), a.n + b.n};
    memcpy(both.p, a.p, a.n);
    memcpy(both.p + a.n, b.p, b.n);
    free(a.p);
    free(b.p);
    return both;
}

typedef struct outcome {
    bytes all;
    ws_status status, again; /* of the read that ended it, and of one more */
    bool opened;
} outcome;

static outcome read_all(const bytes *file)
{
    char path[] = "/tmp/input-XXXXXX";
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, file->p, file->n) == (ssize_t)file->n);
    close(fd);
    outcome o = {.status = WS_OK};
    ws_input *input;
    ws_span piece;
    size_t capacity = 0;
    ws_error error = {0};
    o.opened = ws_input_open(&input, path, &error) == WS_OK;
    unlink(path);
    if (!o.opened)
        return o;
    ck_assert_int_eq(ws_input_plain_fd(input), -1);
    while ((o.status = ws_input_read(input, &piece, &error)) == WS_OK && piece.n) {
        o.all.p = ws_grow(o.all.p, &capacity, o.all.n + piece.n, 1);
        memcpy(o.all.p + o.all.n, piece.p, piece.n);
        o.all.n += piece.n;
    }
    ck_assert((o.status == WS_OK) == !error.message[0]);
    o.again = ws_input_read(input, &piece, NULL);
    ws_input_close(input);
    return o;
}

static void check_whole(bytes file, const bytes *want, const char *what)
{
    outcome o = read_all(&file);
    ck_assert_msg(o.opened && o.status == WS_OK && o.again == WS_OK, "%s", what);
    ck_assert_msg(o.all.n == want->n && (!want->n || memcmp(o.all.p, want->p, want->n) == 0), "%s: other bytes", what);
    free(o.all.p);
    free(file.p);
}

/* What lies before the damage, and after it nothing that is taken for sound: behind a byte that was changed anything
 * may come, but the end is an error. */
static void check_prefix(bytes file, const bytes *want, size_t before_damage, const char *what)
{
    outcome o = read_all(&file);
    ck_assert_msg(o.opened && o.status == WS_FORMAT && o.again == WS_FORMAT, "%s", what);
    ck_assert_msg(o.all.n >= before_damage, "%s: %zu bytes of %zu", what, o.all.n, want->n);
    ck_assert_msg(memcmp(o.all.p, want->p, before_damage) == 0, "%s: other bytes", what);
    free(o.all.p);
    free(file.p);
}

static bytes cut(bytes file, size_t n)
{
    file.n = n;
    return file;
}

START_TEST(test_gzip)
{
    bytes small = invent(SMALL), large = invent(LARGE), head = {small.p, 70 * 1000}, nothing = {small.p, 0};
    check_whole(pack(small.p, small.n), &small, "small");
    check_whole(pack(large.p, large.n), &large, "large");
    check_whole(pack(head.p, head.n), &head, "little more than a head");
    check_whole(pack(nothing.p, 0), &nothing, "nothing");
    check_whole(join(pack(small.p, 1000), pack(small.p + 1000, small.n - 1000)), &small, "two members");
    check_whole(join(pack(large.p, LARGE - 1000), pack(large.p + LARGE - 1000, 1000)), &large, "a small last member");
    bytes once = pack(small.p, small.n);
    check_whole(pack(once.p, once.n), &small, "packed twice");
    free(once.p);
    free(small.p);
    free(large.p);
}
END_TEST

START_TEST(test_cut_gzip)
{
    bytes small = invent(SMALL), large = invent(LARGE);
    bytes packed = pack(large.p, large.n);
    check_prefix(cut(packed, packed.n / 2), &large, LARGE * 48 / 100, "large, cut in the middle");
    packed = pack(small.p, small.n);
    check_prefix(cut(packed, packed.n - 20), &small, SMALL - 100, "small, cut at the end");
    packed = pack(small.p, small.n);
    check_prefix(cut(packed, packed.n - 4), &small, SMALL, "small, cut in the checksum");
    packed = join(pack(small.p, 200 * 1000), pack(small.p + 200 * 1000, SMALL - 200 * 1000));
    check_prefix(cut(packed, packed.n - 100), &small, SMALL - 1000, "the last of two members cut");
    free(small.p);
    free(large.p);
}
END_TEST

/* Most changes leave something that can be unpacked: the checksum tells. */
START_TEST(test_changed_gzip)
{
    const size_t sizes[] = {SMALL, LARGE};
    for (size_t s = 0; s < 2; s++) {
        bytes text = invent(sizes[s]);
        for (size_t part = 1; part < 16; part++) {
            bytes packed = pack(text.p, text.n);
            packed.p[packed.n / 16 * part] ^= (char)(1 << part % 8);
            check_prefix(packed, &text, text.n / 20 * part, "a changed byte");
        }
        free(text.p);
    }
}
END_TEST

/* A writer that falls silent must not keep a reader that has had enough. */
START_TEST(test_silent_pipe)
{
    bytes large = invent(LARGE), packed = pack(large.p, large.n);
    int ends[2], before = dup(STDIN_FILENO);
    ws_input *input;
    ws_span piece;
    ck_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) >= 0);
    ck_assert(write(ends[1], packed.p, 60000) == 60000);
    alarm(30);
    ck_assert(ws_input_open(&input, "-", NULL) == WS_OK);
    ck_assert(ws_input_read(input, &piece, NULL) == WS_OK && piece.n == WS_HEAD_SIZE);
    ck_assert(memcmp(piece.p, large.p, piece.n) == 0);
    ws_input_close(input);
    alarm(0);
    dup2(before, STDIN_FILENO);
    close(before);
    close(ends[0]);
    close(ends[1]);
    free(packed.p);
    free(large.p);
}
END_TEST

TEST_MAIN("input", test_gzip, test_cut_gzip, test_changed_gzip, test_silent_pipe)
