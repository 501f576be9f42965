/* The objects of one long JSON list, one at a time: memory holds one of them, and a file that is cut gives those in
 * front of the cut. Objects that follow each other without a list, or one alone, are read alike. */
#ifndef WS_FORMATS_JSON_ITEMS_H
#define WS_FORMATS_JSON_ITEMS_H

#include "formats/input/input.h"
#include "formats/table/unread_lines.h"

struct json_t;

enum { WS_ITEM_TEXT = 160 };

typedef struct ws_json_items {
    ws_input *input;
    ws_span piece; /* of the input, that is left */
    int64_t line;  /* of its first byte */
    int open;      /* lists that were begun and not ended */
    char *item;
    size_t n, capacity;
    int64_t item_line;       /* where the item begins */
    bool takes_text;         /* set by the caller: text may stand between the objects, as `date` prints it in a loop */
    bool has_new_text;       /* text stands between the object before and this one, or in front of it on its line */
    char text[WS_ITEM_TEXT]; /* the last line of it that is not blank, cut */
    size_t text_n;
    ws_unread_lines *unread; /* gets such lines; NULL: nobody asks */
    bool is_cut;             /* after the last one: the file ends inside an item or a list */
} ws_json_items;

void ws_json_items_init(ws_json_items *items, ws_input *input);
void ws_json_items_free(ws_json_items *items);

/* The next object, which the caller gives back with json_decref; *item is NULL at the end. WS_FORMAT names the line:
 * no JSON, or an object of more than 64 MiB. NaN and Infinity are null. */
ws_status ws_json_items_next(ws_json_items *items, struct json_t **item, ws_error *error);

#endif
