/* The tables for people of a store that `merge` has made. */
#ifndef WS_ANALYZE_INGEST_STORE_H
#define WS_ANALYZE_INGEST_STORE_H

#include "analyze/commands/cli.h"

/* Ingests the campaign in that folder into a store that holds all of it. False, and the store stays as it was: the
 * campaign is not there, is another one, or was read with options that this call does not know. */
bool ws_ingest_makes_tables(ws_cli *cli, const char *folder, const char *store);

#endif
