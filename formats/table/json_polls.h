/* Polls of a tool that prints JSON, one object or list after the other, for readers that know its fields. A poll has a
 * stamp of its own or that of a line of text before it; if no poll of the file has one, the sampling period counts. */
#ifndef WS_FORMATS_JSON_POLLS_H
#define WS_FORMATS_JSON_POLLS_H

#include "formats/format.h"
#include "formats/table/json_items.h"
#include "formats/table/samples.h"
#include "formats/table/timecol.h"

typedef struct ws_json_polls {
    const ws_read_options *options;
    ws_json_items items;
    ws_samples samples;
    ws_timecol stamps;
    void *state;               /* the reader's own */
    int64_t n;                 /* polls without stamp */
    bool has_stamps, has_time; /* has_stamps: of the file so far; has_time: of this poll */
    int64_t t_ns;
    ws_time_base base;
    const char **seen; /* in this poll, see ws_json_polls_comes_again */
    size_t n_seen, seen_capacity;
} ws_json_polls;

/* Of each object of the file, or of the list that the file is. */
typedef ws_status ws_json_poll_taker(ws_json_polls *polls, const struct json_t *object, ws_error *error);

/* `what` names what such a file holds, for the message about one without: "no poll of rocm-smi with a power". */
ws_status ws_json_polls_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                             ws_json_poll_taker *take, void *state, const char *what, ws_error *error);

/* Does the head look like such a file? Before the first object or list there may be dates, banners and the output of a
 * job, but no program or page that quotes such output. */
bool ws_json_polls_begin_in(ws_span head);

/* Begins a poll: sets the time of all readings pushed from here on. `stamp`: a text or number in the object, NULL:
 * none. `is_next`: a device has come again, so this poll is not the one before and needs a stamp of its own. */
void ws_json_polls_begin(ws_json_polls *polls, const struct json_t *stamp, bool is_next);

/* Has this device or node already occurred in the current poll? Then it begins the next one. */
bool ws_json_polls_comes_again(ws_json_polls *polls, const char *name);

/* The first member with the name of a time ("timestamp", "time", "ts" ...); NULL: none. */
const struct json_t *ws_json_stamp_of(const struct json_t *object);

/* The member of a member: "power.socket_power"; NULL: none. */
const struct json_t *ws_json_at(const struct json_t *object, const char *path);

/* A number, a text ("93.0", "N/A", "(800Mhz)") or {"value": 93, "unit": "W"}, in SI. Its own unit wins; NULL: the
 * quantity's usual one. NaN is missing. */
double ws_json_polls_number(ws_json_polls *polls, const struct json_t *value, ws_quantity quantity, const char *unit,
                            const char *column);

/* Does nothing if the poll has no time. */
ws_status ws_json_polls_push(ws_json_polls *polls, ws_samples_key *key, double value, ws_error *error);

#endif
