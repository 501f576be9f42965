/* What programs put behind the names of files or into them, and what says nothing of a run. */
#ifndef WS_ANALYZE_PATH_ENDINGS_H
#define WS_ANALYZE_PATH_ENDINGS_H

#include "core/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The length of "power.csv" in "power.csv.gz", of whose bytes n are looked at. */
size_t ws_path_unpacked(const char *path, size_t n);

/* The length of "run/power" in "run/power.log" and "run/power.csv.gz", of whose bytes n are looked at. */
size_t ws_path_stem(const char *path, size_t n);

/* Bytes of the path in front of what a program that rotates logs put behind its name: "power.log" of power.log.1,
 * power.log.2.gz and power.log-20260418; 0 where there is no such ending. */
size_t ws_path_before_rotation(const char *path);

/* "result_raw_3.txt" as "result_3.txt": the word and a sign beside it are left out. */
const char *ws_path_without_raw(ws_arena *arena, const char *text);

/* What a file was called before somebody copied or packed it, as "run/power.csv" of "run/power_backup.csv",
 * "run_old/power (1).csv" and "run/power.csv.gz". `archive`: bytes of the path of the archive that it lies in; 0: none.
 * `named`: the archive's name stands for a folder, so that "run.tar.gz/power.csv" is "run/power.csv"; else for nothing.
 */
const char *ws_path_original(ws_arena *arena, const char *path, size_t archive, bool named);

/* By its ending a document or a program (README.md, plot.py), which shows a few rows of a log and is none. */
bool ws_is_document(const char *path);

#endif
