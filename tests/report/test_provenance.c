/* SHA-256 against the vectors of FIPS 180-4 and of its authors, and the file of provenance. */
#include "report/page/provenance.h"

#include "harness.h"

#include <string.h>
#include <unistd.h>

/* NIST, "Secure Hash Standard" examples, and the vectors of the CAVP's SHA256ShortMsg.rsp. */
static const struct {
    const char *text, *digest;
} vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void hash_text(const char *bytes, size_t n, size_t piece, ws_sha256_mix *mix, char text[WS_SHA256_TEXT])
{
    ws_sha256 hash;
    ws_sha256_init(&hash);
    if (mix)
        hash.mix = mix;
    for (size_t i = 0; i < n; i += piece)
        ws_sha256_add(&hash, bytes + i, n - i < piece ? n - i : piece);
    ws_sha256_text(&hash, text);
}

START_TEST(published_vectors_by_both_ways)
{
    char text[WS_SHA256_TEXT];
    ws_sha256_mix *mixes[] = {ws_sha256_mix_plain, ws_sha256_mix_fast()};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
            hash_text(vectors[i].text, strlen(vectors[i].text), 1000, mixes[m], text);
            ck_assert_str_eq(text, vectors[i].digest);
        }
    }
}
END_TEST

START_TEST(a_million_letters)
{
    char text[WS_SHA256_TEXT];
    char *letters = malloc(1000000);
    memset(letters, 'a', 1000000);
    hash_text(letters, 1000000, 1000000, NULL, text);
    ck_assert_str_eq(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    hash_text(letters, 1000000, 999, ws_sha256_mix_plain, text);
    ck_assert_str_eq(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(letters);
}
END_TEST

/* Lengths about the block and the padding, in pieces of every small size: all must agree with the whole by the plain
 * way. */
START_TEST(pieces_do_not_matter)
{
    char bytes[260], whole[WS_SHA256_TEXT], pieces[WS_SHA256_TEXT];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + 11);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        hash_text(bytes, n, sizeof bytes, ws_sha256_mix_plain, whole);
        for (size_t piece = 1; piece < 130; piece += 9) {
            hash_text(bytes, n, piece, NULL, pieces);
            ck_assert_str_eq(pieces, whole);
        }
    }
}
END_TEST

static char *written(const ws_provenance *p)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(ws_provenance_write(stream, p, NULL), WS_OK);
    fclose(stream);
    return text;
}

START_TEST(file_of_provenance)
{
    const char *path = "runs/abc.csv";
    ws_provenance p;
    ws_provenance_init(&p, "1.2.3");
    ws_provenance_add_word(&p, "wattscale");
    ws_provenance_add_word(&p, "a \"b\"\\\n");
    ws_provenance_add_file(&p, path, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert_uint_eq(ws_provenance_size(&p), 3);
    char *text = written(&p), want[600];
    snprintf(want, sizeof want,
             "{\"schema\":\"wattscale.provenance/1\",\n\"version\":\"1.2.3\",\n"
             "\"command\":[\"wattscale\",\"a \\\"b\\\"\\\\\\n\"],\n"
             "\"inputs\":[\n{\"path\":\"%s\",\"size\":3,"
             "\"sha256\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}\n]}\n",
             path);
    ck_assert_str_eq(text, want);
    free(text);
    ws_provenance_free(&p);
    ws_provenance_free(&p);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip_because("there is no /dev/full");
    ws_provenance p;
    ws_error error = {0};
    ws_provenance_init(&p, "1");
    ck_assert_int_eq(ws_provenance_write(full, &p, &error), WS_IO);
    ck_assert_str_eq(error.message, "cannot be written: No space left on device");
    fclose(full);
    ws_provenance_free(&p);
}
END_TEST

TEST_MAIN("provenance", published_vectors_by_both_ways, a_million_letters, pieces_do_not_matter, file_of_provenance,
          a_full_disk_is_told)
