#include "formats/input/unpack/unpack_module.h"

const ws_unpacking ws_unpacking_functions = {.stream = ws_unpack_stream,
                                             .archive = ws_unpack_archive,
                                             .zip = ws_unpack_zip,
                                             .close = ws_unpack_close,
                                             .next = ws_unpack_next,
                                             .read = ws_unpack_read,
                                             .block = ws_unpack_block,
                                             .why = ws_unpack_why};
