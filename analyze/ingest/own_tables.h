/* Tables that this program prints, known by their heads where a table of runs is needed. */
#ifndef WS_ANALYZE_OWN_TABLES_H
#define WS_ANALYZE_OWN_TABLES_H

#include "core/table.h"

/* The command that prints such tables; NULL: this is none of them, or one of runs. */
const char *ws_own_table_of(const ws_table *table);

#endif
