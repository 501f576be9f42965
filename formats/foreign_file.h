/* Tables that other programs keep as bytes, which are not read here: what they are, and the line that makes a CSV of
 * them. */
#ifndef WS_FORMATS_FOREIGN_FILE_H
#define WS_FORMATS_FOREIGN_FILE_H

#include "core/text.h"

/* NumPy's arrays (.npy, .npz), Parquet, Feather and pickles. *what gets the kind ("is an array of NumPy"), `command`
 * the line to type, cut at `size`. False for other bytes. */
bool ws_foreign_file(const char *path, ws_span head, const char **what, char *command, size_t size);

/* Text with blocks of labelled readings, some in W or called a power, below stamps or without: what it is, and the line
 * that makes a CSV of the first of them. */
bool ws_labelled_powers(const char *path, ws_span head, const char **what, char *command, size_t size);

/* Text of a tool that needs no reader of its own (MSI Afterburner, npu-smi, gpustat, likwid-perfctr): the same. */
bool ws_told_text(const char *path, ws_span head, const char **what, char *command, size_t size);

/* The table that sacct prints without --parsable2, whose cells are cut to the width of their columns? */
bool ws_is_sacct_for_people(ws_span head);

#endif
