/* A reader of text from left to right: each function takes its piece off the front or says no. */
#ifndef WS_CORE_TAKE_H
#define WS_CORE_TAKE_H

#include "core/text.h"

static inline bool take_char(ws_span *s, char c)
{
    if (!s->n || *s->p != c)
        return false;
    s->p++, s->n--;
    return true;
}

static inline bool take_one_of(ws_span *s, const char *set, char *taken)
{
    if (!s->n || !strchr(set, *s->p) || !*s->p)
        return false;
    *taken = *s->p;
    s->p++, s->n--;
    return true;
}

static inline void skip_blanks(ws_span *s)
{
    while (s->n && *s->p == ' ')
        s->p++, s->n--;
}

static inline bool take_number(ws_span *s, size_t least, size_t most, int64_t *value)
{
    size_t n = 0;
    int64_t v = 0;
    while (n < s->n && n < most && s->p[n] >= '0' && s->p[n] <= '9')
        v = v * 10 + (s->p[n++] - '0');
    if (n < least)
        return false;
    s->p += n, s->n -= n;
    *value = v;
    return true;
}

#endif
