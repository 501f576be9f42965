#include "formats/hdf5/child_message.h"

#include "core/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct header {
    uint32_t kind, size; /* size: of the fields */
} header;

void ws_messages_free(ws_messages *m)
{
    free(m->bytes);
    *m = (ws_messages){0};
}

/* Putting */

static void append(ws_messages *m, const void *from, size_t n)
{
    m->bytes = ws_grow(m->bytes, &m->capacity, m->n + n, 1);
    memcpy(m->bytes + m->n, from, n);
    m->n += n;
}

void ws_message_begin(ws_messages *m, ws_message_kind kind)
{
    m->at = m->n;
    append(m, &(header){.kind = kind}, sizeof(header));
}

void ws_message_put(ws_messages *m, uint64_t number)
{
    append(m, &number, sizeof number);
}

void ws_message_put_double(ws_messages *m, double number)
{
    append(m, &number, sizeof number);
}

void ws_message_put_text(ws_messages *m, const char *text)
{
    size_t n = text ? strlen(text) + 1 : 0;
    ws_message_put(m, n);
    if (n)
        append(m, text, n);
}

void ws_message_end(ws_messages *m)
{
    header h;
    memcpy(&h, m->bytes + m->at, sizeof h);
    h.size = (uint32_t)(m->n - m->at - sizeof h);
    memcpy(m->bytes + m->at, &h, sizeof h);
}

bool ws_messages_send(ws_messages *m, int to, int descriptor, bool waits)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } beside = {0};
    for (size_t sent = 0; sent < m->n;) {
        struct iovec bytes = {m->bytes + sent, m->n - sent};
        struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
        if (descriptor >= 0 && !sent) {
            message.msg_control = &beside;
            message.msg_controllen = sizeof beside.room;
            struct cmsghdr *c = CMSG_FIRSTHDR(&message);
            *c = (struct cmsghdr){
                .cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
            memcpy(CMSG_DATA(c), &descriptor, sizeof descriptor);
        }
        ssize_t n = sendmsg(to, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
        if (n < 0 && errno != EINTR)
            return false;
        sent += n > 0 ? (size_t)n : 0;
    }
    m->n = 0;
    return true;
}

/* Taking */

static ssize_t receive_some(int from, void *to, size_t n, int *descriptor)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } beside = {0};
    struct iovec bytes = {to, n};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (descriptor) {
        message.msg_control = &beside;
        message.msg_controllen = sizeof beside.room;
    }
    ssize_t got = recvmsg(from, &message, 0);
    const struct cmsghdr *c = got > 0 && descriptor ? CMSG_FIRSTHDR(&message) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof *descriptor))
        memcpy(descriptor, CMSG_DATA(c), sizeof *descriptor);
    return got;
}

/* Until that much is there; what has come behind it is kept. Memory is taken for what comes, not for what is announced.
 */
static bool receive_until(ws_messages *m, int from, size_t n)
{
    enum { STEP = 64 * 1024 };
    while (m->n < n) {
        m->bytes = ws_grow(m->bytes, &m->capacity, m->n + STEP, 1);
        ssize_t got = receive_some(from, m->bytes + m->n, m->capacity - m->n, m->descriptor);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        m->n += got > 0 ? (size_t)got : 0;
    }
    return true;
}

bool ws_message_receive(ws_messages *m, int from, uint64_t most, uint64_t *kind)
{
    header h;
    if (m->n > m->end)
        memmove(m->bytes, m->bytes + m->end, m->n - m->end);
    m->n -= m->end;
    m->at = m->end = 0;
    m->is_bad = false;
    if (!receive_until(m, from, sizeof h))
        return false;
    memcpy(&h, m->bytes, sizeof h);
    m->is_bad = h.size > most;
    if (m->is_bad || !receive_until(m, from, sizeof h + h.size))
        return false;
    m->at = sizeof h;
    m->end = sizeof h + h.size;
    *kind = h.kind;
    return true;
}

static const char *child_message_take_bytes(ws_messages *m, uint64_t n)
{
    m->is_bad |= n > m->end - m->at;
    if (m->is_bad)
        return NULL;
    m->at += n;
    return m->bytes + m->at - n;
}

uint64_t ws_message_take(ws_messages *m)
{
    uint64_t number = 0;
    const char *bytes = child_message_take_bytes(m, sizeof number);
    if (bytes)
        memcpy(&number, bytes, sizeof number);
    return number;
}

double ws_message_take_double(ws_messages *m)
{
    double number = 0;
    const char *bytes = child_message_take_bytes(m, sizeof number);
    if (bytes)
        memcpy(&number, bytes, sizeof number);
    return number;
}

const char *ws_message_take_text(ws_messages *m)
{
    uint64_t n = ws_message_take(m);
    const char *text = n ? child_message_take_bytes(m, n) : NULL;
    m->is_bad |= text && memchr(text, '\0', n) != text + n - 1;
    return m->is_bad ? NULL : text;
}

bool ws_message_is_whole(const ws_messages *m)
{
    return !m->is_bad && m->at == m->end;
}
