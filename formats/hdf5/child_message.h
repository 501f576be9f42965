/* What the program and the child that runs HDF5's library (perun_child.h) say to each other.
 *
 *   program   request   protocol, size of the shared memory, wants facts, wants every fact, chooses channels singly,
 *                       bits of wanted quantities, where HDF5's part begins, path; the file's descriptor comes with it
 *   child     channel   its fields in the order of ws_channel, without `ask`
 *   program   reply     where it chooses: the channel's number, counted from 0, or -1 where nobody wants it. Else every
 *                       channel of a wanted quantity is taken, and others are not told of
 *   child     block     channel, window of the shared memory, samples in it
 *   program   taken     so many windows are free again, the oldest that were told of: WS_CHILD_BATCH
 *   child     fact      run, node, device, key, text, number
 *   child     note      finding, subject, line, count, text: after all else
 *   child     done      status, message
 *
 * A message is its kind, its size and its fields: eight bytes a number, a text its length with the zero behind it (0
 * for NULL), then its bytes. Whoever receives one takes nothing in it for granted. */
#ifndef WS_FORMATS_CHILD_MESSAGE_H
#define WS_FORMATS_CHILD_MESSAGE_H

#include "formats/hdf5/perun_samples.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows with each change of what is said: an older child may lie where the program looks. */
enum { WS_CHILD_PROTOCOL = 1 };

/* The child's descriptors, and its exit statuses. */
enum { WS_CHILD_SOCKET = 3, WS_CHILD_SHARED = 4 };
enum { WS_CHILD_NO_MEMORY = 70, WS_CHILD_OTHER_PROTOCOL = 71 };

typedef enum ws_message_kind {
    WS_CHILD_REQUEST = 1,
    WS_CHILD_CHANNEL,
    WS_CHILD_REPLY,
    WS_CHILD_BLOCK,
    WS_CHILD_TAKEN,
    WS_CHILD_FACT,
    WS_CHILD_NOTE,
    WS_CHILD_DONE
} ws_message_kind;

/* Samples that the child has read: it fills some windows while others wait to be taken, and each side tells the other
 * of as many as a batch has. */
enum { WS_CHILD_WINDOWS = 8, WS_CHILD_BATCH = 4 };
typedef struct ws_child_shared {
    ws_perun_window windows[WS_CHILD_WINDOWS];
} ws_child_shared;

/* Messages to be sent, or one that was received; {0} is a valid empty one. */
typedef struct ws_messages {
    char *bytes;
    size_t n, capacity;
    size_t at;       /* put: where the message begins; taken: what is taken next */
    size_t end;      /* taken: of the message; what came behind it is the next one */
    bool is_bad;     /* a field was taken that was not there */
    int *descriptor; /* gets one that comes along, with whatever message; NULL: none is taken */
} ws_messages;
void ws_messages_free(ws_messages *m);

void ws_message_begin(ws_messages *m, ws_message_kind kind);
void ws_message_put(ws_messages *m, uint64_t number);
void ws_message_put_double(ws_messages *m, double number);
void ws_message_put_text(ws_messages *m, const char *text);
void ws_message_end(ws_messages *m); /* the message may be sent, or another one begin behind it */

/* All that were put; empty afterwards. False where the other side has ended, or does not listen: without `waits` what
 * it has not yet taken may be no more than a few messages. `descriptor`: goes along; -1 for none. */
bool ws_messages_send(ws_messages *m, int to, int descriptor, bool waits);

/* One message with `most` bytes of fields at most, in place of the one before. False where the other side has ended in
 * front of it or inside; and, with `is_bad`, where it is larger. */
bool ws_message_receive(ws_messages *m, int from, uint64_t most, uint64_t *kind);

/* The next field; 0 or NULL once there is none that fits. Texts are good until the next message. */
uint64_t ws_message_take(ws_messages *m);
double ws_message_take_double(ws_messages *m);
const char *ws_message_take_text(ws_messages *m);
bool ws_message_is_whole(const ws_messages *m); /* every field was taken, and was there */

#endif
