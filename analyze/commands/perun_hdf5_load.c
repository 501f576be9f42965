/* What reads HDF5, as the program has it: in a module. */
#include "analyze/commands/module.h"
#include "formats/hdf5/perun_hdf5_module.h"

ws_status ws_perun_hdf5_read(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error)
{
    static ws_module module = {.file = "wattscale-hdf5.so", .object = "ws_perun_hdf5_functions"};
    ws_error why = {0};
    const ws_perun_hdf5_reading *functions = ws_module_object(&module, &why);
    return functions ? functions->read(file, sink, error)
                     : ws_fail_at(error, WS_IO, file->path, 0, "cannot be read: %s", why.message);
}
