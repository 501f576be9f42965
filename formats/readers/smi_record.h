/* What nvidia-smi prints about all GPUs at one moment, again and again: as XML, as text, as a table. A record begins,
 * gets its stamp, and then takes the readings of one GPU after the other by their section and name. */
#ifndef WS_FORMATS_SMI_RECORD_H
#define WS_FORMATS_SMI_RECORD_H

#include "formats/table/samples.h"
#include "formats/format.h"
#include "formats/table/timecol.h"

enum { WS_SMI_READINGS = 10, WS_SMI_TEXT = 96 };

typedef struct ws_smi_records {
    ws_samples samples;
    const ws_read_options *options;
    ws_timecol stamps;
    int64_t n, t_ns; /* records so far, time of the current one */
    bool has_stamp, seen_stamp;
    char driver[WS_SMI_TEXT]; /* its version, "" where the records name none */
    uint64_t n_gpus;          /* readings of whole GPUs, over all records */
    uint64_t n_taken;         /* GPUs of which a reading was taken */

    /* the GPU that is being read */
    bool in_gpu, has_any, has[WS_SMI_READINGS];
    double value[WS_SMI_READINGS];
    char uuid[WS_SMI_TEXT], bus[WS_SMI_TEXT], name[WS_SMI_TEXT];
    int64_t number, line;
} ws_smi_records;

/* In place: the records must not be moved afterwards. */
void ws_smi_init(ws_smi_records *records, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                 ws_notes *notes);

void ws_smi_begin(ws_smi_records *records);
void ws_smi_driver(ws_smi_records *records, ws_span version);
void ws_smi_stamp(ws_smi_records *records, ws_span stamp, int64_t line);

/* number: of the GPU, -1 where none is printed. */
void ws_smi_begin_gpu(ws_smi_records *records, ws_span bus, int64_t number, int64_t line);

/* "GPU Power Readings", "Power Draw", "251.20 W"; the XML's "gpu_power_readings" and "power_draw" do as well, "" is the
 * section of the GPU itself. Names of no use are passed over. */
void ws_smi_take(ws_smi_records *records, ws_span section, ws_span name, ws_span text, int64_t line);

/* Nothing happens where no GPU was begun. */
ws_status ws_smi_end_gpu(ws_smi_records *records, ws_error *error);

/* What was begun and cut: its readings cannot be trusted. */
void ws_smi_drop_gpu(ws_smi_records *records);

/* The last readings to the sink, and everything freed. WS_DATA when there was no GPU; `status` is what came before. */
ws_status ws_smi_finish(ws_smi_records *records, ws_status status, ws_error *error);

#endif
