/* Tables that say what the folders or files of runs are: metadata.csv with a row a run, whose first column holds
 * run_0001, run_0002, as the folders beside it are called. */
#ifndef WS_ANALYZE_RUN_TABLES_H
#define WS_ANALYZE_RUN_TABLES_H

#include "analyze/ingest/file_roles.h"
#include "analyze/ingest/scan_file.h"

/* Tables of no other use of which a column names every trace below their folder, by one of the folders that it lies in
 * or by its own name, or by a path that ends in it, become WS_FILE_TABLE. */
void ws_find_run_tables(ws_arena *arena, ws_found_files *found);

/* Names of runs that say settings themselves need no table: it is of no use then, and false. Else the name is the run's
 * in that column, what it was read as is no field any more, and the row's other columns stand beside it. `files`: those
 * of runs. */
bool ws_settle_run_table(ws_arena *arena, ws_found_file *table, ws_scan_file *files, size_t n);

/* Is the cell that name, or a path that ends in it, as "/scratch/study/run_0" does? */
bool ws_cell_names(const char *cell, ws_span name);

/* Does the table say what the run of that path is? */
bool ws_run_table_names(const ws_found_file *table, const char *path);

/* The pattern of a path with the field of the table in place of the name. */
const char *ws_run_table_pattern(ws_arena *arena, const ws_found_file *table, const char *path, const char *pattern);

#endif
