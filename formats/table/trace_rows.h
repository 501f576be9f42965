/* The rows of a trace, from where `rows` are up to the end of the bytes that they have. */
#ifndef WS_FORMATS_TRACE_ROWS_H
#define WS_FORMATS_TRACE_ROWS_H

#include "formats/table/rows_internal.h"
#include "formats/table/trace_section.h"

/* Takes them to the sink. */
ws_status ws_trace_take_rows(ws_trace *trace, ws_error *error);

/* Remembers the last cell of a line, by which a cut one is told. */
void ws_trace_remember_last_line(ws_trace *trace, ws_span line);

/* Do the rows to come depend on nothing but the plan and the devices of the first section? Then a later reading may
 * begin where this one ends. */
bool ws_trace_may_go_on(const ws_trace *trace);

/* All whole lines are taken: pushes what the lanes hold and tells whoever asks (formats/log_place.h). `cut` is the row
 * without a line end that follows them, or NULL. Once a trace. */
void ws_trace_reach_place(ws_trace *trace, const ws_row *cut);

/* --- plain lines, read straight from the text without cutting them into cells first --- */

/* Is all that a plain row of the current section comes to known from itself and the section? */
bool ws_trace_rows_are_known(const ws_trace *trace);
/* Can threads read such rows, too, whose samples go through stretches? */
bool ws_trace_rows_stand_alone(const ws_trace *trace);

/* Text that begins with a line, and how much of it has been read. */
typedef struct ws_plain_lines {
    ws_span text;     /* in: all of it; out: the rest */
    int64_t first, n; /* number of the first line, and how many lines were read */
    ws_span last;     /* the last line that was read, with its line end */
} ws_plain_lines;

/* Reads lines as long as they are plain data of known devices. */
ws_status ws_trace_take_plain(ws_trace *trace, ws_plain_lines *lines, ws_error *error);

void ws_trace_plain_free(ws_trace *trace); /* what it has learnt of lines */

/* --- templates of numbers --- */

/* Numbers of a line read at once: a template is learnt from one cell, and another of the same length, whose digits
 * stand where they stood there, is checked and read as one word of sixteen bytes instead of byte by byte.
 *
 * The sixteen bytes end with the cell, or begin with the line where the cell ends earlier than that. Inline, so that
 * the loop over lines calls no function for a number. */

enum { WS_NUMBER_BYTES = 16, WS_NUMBER_DIGITS = 15 /* what a double holds exactly */ };

/* Sixteen bytes of text, the first lowest. */
typedef unsigned __int128 ws_sixteen;

typedef struct ws_number_template {
    ws_sixteen fixed;  /* '0' for digits, else the byte itself */
    ws_sixteen most;   /* by how much a byte may exceed `fixed`: 9 for digits, 255 outside the cell, else 0 */
    ws_sixteen before; /* the bytes of the digits before the point */
    ws_sixteen others; /* of those after it; of all digits without a point */
    ws_sixteen order;  /* which byte of the text stands at each, the last digit in the last one; bit 7: none */
    uint16_t from;     /* where in the line the sixteen bytes begin */
    uint8_t shift;     /* what moves the last digit to the end */
} ws_number_template;

/* A cell of a line: text from `begin` to `end` with `whole` digits from `digits` on, where `decimals` is not 0 a point
 * and so many digits more, and anything before and after that. */
typedef struct ws_number_cell {
    size_t begin, digits, end; /* places in the line */
    size_t whole, decimals;
} ws_number_cell;

/* At most WS_NUMBER_BYTES of text, and one to WS_NUMBER_DIGITS digits. */
ws_number_template ws_number_template_of(const char *line, const ws_number_cell *cell);

/* Of a cell that cannot be read so: fits no line but an empty one. */
ws_number_template ws_number_template_none(void);

/* The digits, whole and decimals, as one number; false where the cell looks different. WS_NUMBER_BYTES must follow the
 * beginning of the line, and its cells end where they did when the template was learnt. */
typedef bool ws_number_reader(const ws_number_template *number, const char *line, uint64_t *digits);

#define WS_ALL_SIXTEEN(byte) \
    ((ws_sixteen)(0x0101010101010101 * (uint64_t)(byte)) << 64 | 0x0101010101010101 * (uint64_t)(byte))

static inline ws_sixteen ws_sixteen_at(const char *text)
{
    return (ws_sixteen)ws_word_before(text + WS_NUMBER_BYTES) << 64 | ws_word_before(text + WS_NUMBER_BYTES / 2);
}

static inline bool ws_number_read(const ws_number_template *number, const char *line, uint64_t *digits)
{
    const ws_sixteen top = WS_ALL_SIXTEEN(0x80);
    ws_sixteen d = ws_sixteen_at(line + number->from) ^ number->fixed;
    ws_sixteen lift = ~number->most & ~top; /* takes a byte that is too large, and is none outside the cell, to bit 7 */
    if ((((d & ~top) + lift) | d) & ~number->most & top)
        return false;
    ws_sixteen joined = ((d & number->before) << 8 | (d & number->others)) << number->shift;
    *digits = ws_eight_digits((uint64_t)joined) * 100000000 + ws_eight_digits((uint64_t)(joined >> 64));
    return true;
}

#if defined __x86_64__
WS_AVX2 static inline __m128i ws_vector_of(const ws_sixteen *sixteen)
{
    return _mm_loadu_si128((const __m128i *)(const void *)sixteen);
}

/* The same. Neighbours are joined by one multiplication each for digits, pairs and fours. */
WS_AVX2 static inline bool ws_number_read_avx2(const ws_number_template *number, const char *line, uint64_t *digits)
{
    const __m128i tens = _mm_set1_epi16(0x010a), hundreds = _mm_set1_epi32(0x00010064);
    const __m128i myriads = _mm_set1_epi32(0x00012710);
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)(line + number->from));
    __m128i d = _mm_xor_si128(text, ws_vector_of(&number->fixed));
    __m128i beyond = _mm_subs_epu8(d, ws_vector_of(&number->most));
    if (!_mm_testz_si128(beyond, beyond))
        return false;
    __m128i pairs = _mm_maddubs_epi16(_mm_shuffle_epi8(d, ws_vector_of(&number->order)), tens);
    __m128i fours = _mm_madd_epi16(pairs, hundreds);
    uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(_mm_packus_epi32(fours, fours), myriads));
    *digits = (uint32_t)eights * UINT64_C(100000000) + (eights >> 32);
    return true;
}
#endif

#endif
