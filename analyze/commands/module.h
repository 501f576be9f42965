/* Parts of the program that are loaded when they are needed first, for the many libraries behind them take longer to
 * load than a small trace to read. A module lies beside the program where that was built, and in ../lib/wattscale where
 * it was installed. What it needs of the rest it finds in the program: nothing is there twice. */
#ifndef WS_ANALYZE_MODULE_H
#define WS_ANALYZE_MODULE_H

#include "core/status.h"

#include <stdatomic.h>

typedef struct ws_module {
    const char *file;   /* "wattscale-draw.so" */
    const char *object; /* the one that is wanted of it, by its name */
    _Atomic(const void *) found;
} ws_module;

/* That object, good until the program ends; NULL where the module cannot be loaded, and *error says what to do. Any
 * thread may call. */
const void *ws_module_object(ws_module *module, ws_error *error);

#endif
