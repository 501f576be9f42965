/* The tables of a store that people query: runs, devices and channels of these, and what was found. Devices go into the
 * store as their runs are read, so that those of a large campaign are never there at once. */
#ifndef WS_ANALYZE_STORE_TABLES_H
#define WS_ANALYZE_STORE_TABLES_H

#include "analyze/ingest/run_list.h"
#include "analyze/store/store.h"

typedef struct ws_store_tables {
    ws_device_taker taker; /* for the ingest of the campaign */
    ws_store *store;
    ws_table devices, others; /* rows on their way into the store, */
    ws_arena texts;           /* and theirs */
    bool has_old;             /* the store may have such tables, */
    bool is_begun;            /* some rows are there, */
    bool are_beside;          /* under another name for now */
} ws_store_tables;

/* Before the ingest. What the tables hold stays as it is until ws_store_tables_set. */
void ws_store_tables_begin(ws_store_tables *tables, ws_store *store);

/* After it: the tables runs, devices, channels and findings, and the views on them (docs/store.md). */
void ws_store_tables_set(ws_store_tables *tables, ws_table *runs);

void ws_store_tables_free(ws_store_tables *tables); /* leaves valid empty ones; the store is the caller's */

#endif
