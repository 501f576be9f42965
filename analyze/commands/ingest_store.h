/* The tables for people of a store that `merge` has made. */
#ifndef WS_ANALYZE_INGEST_STORE_H
#define WS_ANALYZE_INGEST_STORE_H

#include "analyze/commands/cli.h"

struct ws_store;

/* Ingests the campaign in that folder into a store that was begun empty and holds all of it by now, with the options
 * that its parts, the arguments of the command, were read with ("arguments" of a store: lines of NAME=VALUE). False,
 * and the store stays as it was: the campaign is not there, is another one, or cannot be read so any more. */
bool ws_ingest_makes_tables(ws_cli *cli, struct ws_store *store, const char *folder, const char *arguments);

#endif
