/* SHA-256 as FIPS 180-4, section 6.2, writes it. A campaign of several gigabytes is hashed for every report, hence the
 * second path through the SHA instructions of x86 processors, which is about ten times as fast. */
#include "core/sha256.h"

#include <stdbool.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void expand(uint32_t w[64], const unsigned char *block)
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

void ws_sha256_mix_plain(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    for (; n; n--, blocks += WS_SHA256_BLOCK) {
        uint32_t w[64], v[8];
        expand(w, blocks);
        memcpy(v, state, sizeof v);
        for (size_t t = 0; t < 64; t++) {
            uint32_t a = v[0], e = v[4];
            uint32_t choice = (e & v[5]) ^ (~e & v[6]), majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
            uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[t] + w[t];
            uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += t1;
            v[0] = t1 + t2;
        }
        for (size_t i = 0; i < 8; i++)
            state[i] += v[i];
    }
}

#if defined __x86_64__
#include <cpuid.h>
#include <immintrin.h>

/* Four rounds a step; m holds the last sixteen words of the schedule. The instructions want the state as ABEF and
 * CDGH. */
__attribute__((target("sha,sse4.1"))) static void mix_x86(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; n; n--, blocks += WS_SHA256_BLOCK) {
        __m128i m[4], abef_before = abef, cdgh_before = cdgh;
        for (size_t i = 0; i < 16; i++) {
            __m128i *now = &m[i % 4], last = m[(i + 3) % 4];
            if (i < 4)
                *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), big_endian);
            else
                *now = _mm_sha256msg2_epu32(
                    _mm_add_epi32(_mm_sha256msg1_epu32(*now, m[(i + 1) % 4]), _mm_alignr_epi8(last, m[(i + 2) % 4], 4)),
                    last);
            __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(K + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

ws_sha256_mix *ws_sha256_mix_fast(void)
{
    unsigned a, b, c, d;
    bool has_sse41 = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1;
    return has_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA ? mix_x86 : NULL;
}
#else
ws_sha256_mix *ws_sha256_mix_fast(void)
{
    return NULL;
}
#endif

void ws_sha256_init(ws_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    /* A virtual machine takes its time to say what its processor has: it is asked once. */
    static _Atomic(ws_sha256_mix *) best;
    if (!best) {
        ws_sha256_mix *fast = ws_sha256_mix_fast();
        best = fast ? fast : ws_sha256_mix_plain;
    }
    hash->mix = best;
    memcpy(hash->state, start, sizeof start);
    hash->length = 0;
}

void ws_sha256_add(ws_sha256 *hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    size_t waiting = hash->length % WS_SHA256_BLOCK;
    hash->length += n;
    if (waiting) {
        size_t taken = n < WS_SHA256_BLOCK - waiting ? n : WS_SHA256_BLOCK - waiting;
        memcpy(hash->rest + waiting, p, taken);
        p += taken;
        n -= taken;
        if (waiting + taken < WS_SHA256_BLOCK)
            return;
        hash->mix(hash->state, hash->rest, 1);
    }
    if (n >= WS_SHA256_BLOCK)
        hash->mix(hash->state, p, n / WS_SHA256_BLOCK);
    if (n % WS_SHA256_BLOCK)
        memcpy(hash->rest, p + n - n % WS_SHA256_BLOCK, n % WS_SHA256_BLOCK);
}

void ws_sha256_text(ws_sha256 *hash, char text[WS_SHA256_TEXT])
{
    static const unsigned char padding[WS_SHA256_BLOCK] = {0x80};
    unsigned char bits[8];
    for (size_t i = 0; i < 8; i++)
        bits[i] = (unsigned char)(hash->length * 8 >> (56 - 8 * i));
    ws_sha256_add(hash, padding, 1 + (WS_SHA256_BLOCK + 55 - hash->length % WS_SHA256_BLOCK) % WS_SHA256_BLOCK);
    ws_sha256_add(hash, bits, sizeof bits);
    for (size_t i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}
