/* The look of short texts that differ in their digits only: "86.35 W", the "01.021" of a stamp. It is learnt from one of
 * them; then a text as long as that is checked and read as one word, without looking at its bytes. */
#ifndef WS_CORE_LOOK_H
#define WS_CORE_LOOK_H

#include "core/text.h"

#define WS_EACH_BYTE UINT64_C(0x0101010101010101)

/* {0} is the look of nothing. */
typedef struct ws_look {
    uint64_t fixed;      /* '0' where digits stand, else what stands there */
    uint64_t lift;       /* with bit 7 of each byte turned over, what lifts a byte to bit 7 that is more than 9, or 0 */
    uint64_t whole;      /* the bytes of the digits before the point */
    uint8_t drop, shift; /* of what stands before the text out of the word, and of its digits to the front */
} ws_look;

/* Text of one to eight bytes: `whole` digits, and where `decimals` is not 0 any one byte and so many digits more, and
 * anything after that. One digit at least. */
ws_look ws_look_of(ws_span text, size_t whole, size_t decimals);

/* The digits, whole and decimals, of the text before `end`, as one number; false where it looks different. It is as long as
 * the one that was learnt, and eight bytes before `end` must be there. */
static inline bool ws_look_read(const ws_look *look, const char *end, uint64_t *digits)
{
    const uint64_t top = 0x80 * WS_EACH_BYTE;
    uint64_t d = ws_word_before(end) >> look->drop ^ look->fixed;
    if (((d + (look->lift ^ top)) | d) & top)
        return false;
    *digits = ws_eight_digits(((d & look->whole) | (d >> 8 & ~look->whole)) << look->shift);
    return true;
}

#endif
