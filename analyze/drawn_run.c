#include "analyze/drawn_run.h"

void ws_drawn_run_choose(ws_drawn_run *drawn, const ws_campaign *campaign, const ws_run_files *files, size_t n,
                         const ws_ingest_options *options)
{
    double most = 0;
    drawn->run = n == 1 ? files : NULL;
    for (size_t i = 0; i < n; i++) {
        const ws_run_reading run = {.campaign = campaign, .options = options, .files = &files[i]};
        double gpus = ws_run_described(&run, "gpus");
        if (gpus > most) {
            drawn->run = &files[i];
            most = gpus;
        }
    }
    drawn->id = drawn->run ? drawn->run->id : "";
    drawn->n_files = drawn->run ? drawn->run->n_files : 0;
}

ws_sink ws_drawn_run_sink(ws_drawn_run *drawn, const ws_run_files *run, size_t file, const ws_sink *to)
{
    if (!drawn || drawn->run != run)
        return *to;
    drawn->is_broken |= file != drawn->n_begun++;
    ws_profiles_begin(&drawn->profiles, run->files[file].path, run->files[file].node);
    drawn->tap = (ws_profile_tap){.to = *to, .profiles = &drawn->profiles};
    return ws_profile_tap_sink(&drawn->tap);
}

void ws_drawn_run_end(ws_drawn_run *drawn, const ws_run_files *run)
{
    if (!drawn || drawn->run != run)
        return;
    drawn->is_broken |= drawn->tap.is_broken;
    ws_profile_tap_free(&drawn->tap);
}

bool ws_drawn_run_is_whole(const ws_drawn_run *drawn)
{
    return drawn->run && drawn->n_begun == drawn->n_files && !drawn->is_broken;
}

void ws_drawn_run_free(ws_drawn_run *drawn)
{
    ws_profiles_free(&drawn->profiles);
    ws_profile_tap_free(&drawn->tap);
    *drawn = (ws_drawn_run){0};
}
