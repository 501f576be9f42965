/* Profiles of samples on their way to a measure, so that a trace need not be read a second time for its figure. */
#ifndef WS_ANALYZE_PROFILE_TAP_H
#define WS_ANALYZE_PROFILE_TAP_H

#include "analyze/measure/profile.h"

typedef struct ws_profile_tap {
    ws_sink to; /* where the samples go; wants, fork, join and drop are its own */
    ws_profiles *profiles;
    ws_profile *stretch; /* of a stretch: a profile a channel, instead of `profiles` */
    bool is_broken;      /* the samples do not all come by: the profiles are of no use */
    struct ws_tapped_channel {
        int to, profiled; /* their handles; negative where one does not want the channel */
    } * channels;
    size_t n, capacity;
} ws_profile_tap;

/* A sink before `tap->to`. It lets readers push stretches as `to` does; the profiles of a channel that is no power need
 * its readings in order, so that stretches of such break the tap, and the samples go on. */
ws_sink ws_profile_tap_sink(ws_profile_tap *tap);
void ws_profile_tap_free(ws_profile_tap *tap);

#endif
