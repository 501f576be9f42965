/* A sink that passes everything on and keeps the first readings of a few powers, to tell whether those of a device are
 * of several: two nodes that write into one log number their devices alike, and the sum has one of each. For readers
 * that do not ask whose rows are (ws_format.tells_nodes).
 *
 *     ws_node_watch watch;
 *     ws_node_watch_init(&watch, sink);
 *     found->read(input, options, &watch.own, notes, error);
 *     if (ws_node_watch_sees_several(&watch)) ...
 *     ws_node_watch_free(&watch);
 */
#ifndef WS_FORMATS_NODE_WATCH_H
#define WS_FORMATS_NODE_WATCH_H

#include "formats/format.h"

enum { WS_WATCHED_POWERS = 4, WS_WATCHED_READINGS = 512 };

typedef struct ws_watched_power {
    int id; /* of the sink */
    size_t n;
    int64_t t[WS_WATCHED_READINGS];
    double value[WS_WATCHED_READINGS];
} ws_watched_power;

typedef struct ws_node_watch {
    ws_sink own; /* what the reader pushes to; the watch must stay where it is */
    const ws_sink *sink;
    void *inner; /* the state of the sink, or of its stretch */
    ws_watched_power *powers[WS_WATCHED_POWERS];
    size_t n;
} ws_node_watch;

void ws_node_watch_init(ws_node_watch *watch, const ws_sink *sink);
void ws_node_watch_free(ws_node_watch *watch);

/* Do stamps and powers come back together, as far as they were pushed? */
bool ws_node_watch_sees_several(const ws_node_watch *watch);

/* Are the readings of one device those of several that take turns? Stamps have to tell it, which are shared or come in
 * polls of several, and powers, which come back after as many readings: a load alone may do so. */
bool ws_readings_are_of_several(const int64_t *t_ns, const double *value, size_t n);

#endif
