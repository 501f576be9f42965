/* What is planted in the kind "frey2022": the exponents of Frey et al. 2022, and what is assumed beside them. */
#ifndef WS_SYNTH_FREY_TABLE_H
#define WS_SYNTH_FREY_TABLE_H

#include <stddef.h>

typedef struct ws_synth_frey_model {
    const char *name, *model_class;
    int lbs, epochs;       /* published; epochs of 0 depend on the GPUs */
    double epoch_s;        /* on 2 GPUs at 250 W, assumed */
    double power_w;        /* of a GPU at 250 W, assumed */
    double util, mem_util; /* of the SMs and the memory on 2 GPUs, in % */
    double mem_util_128;   /* on 128 GPUs, in % */
    const char *util_note; /* what the paper says of them */
} ws_synth_frey_model;

typedef struct ws_synth_frey_series {
    const char *name, *model, *place;
    int power_cap_w, clock_cap_mhz; /* a clock of 0: not printed */
    double beta, r2;                /* of the time per epoch, as printed */
    double planted_r2;              /* within the digits of r2 */
    int max_gpus, repeats;
    const char *about;
} ws_synth_frey_series;

/* What a cap does, assumed: factors on the time and the power of an uncapped run, and the clock. */
typedef struct ws_synth_frey_cap {
    int power_cap_w, clock_cap_mhz;
    double time_factor, power_factor;
    int clock_mhz;
} ws_synth_frey_cap;

extern const ws_synth_frey_model ws_synth_frey_models[];
extern const ws_synth_frey_series ws_synth_frey_series_list[];
extern const size_t ws_synth_frey_series_n;

const ws_synth_frey_model *ws_synth_frey_model_of(const ws_synth_frey_series *series);
const ws_synth_frey_cap *ws_synth_frey_cap_of(const ws_synth_frey_series *series);

extern const char ws_synth_frey_left_out[]; /* JSON */

#endif
