/* The tables of a store that people query: devices and channels of the runs, and what was found. */
#ifndef WS_ANALYZE_STORE_TABLES_H
#define WS_ANALYZE_STORE_TABLES_H

#include "analyze/ingest/run_history.h"
#include "analyze/store/store.h"

/* Writes the tables runs, devices, channels and findings, and the views on them (docs/store.md). */
void ws_store_set_tables(ws_store *store, ws_table *runs, const ws_history *history);

#endif
