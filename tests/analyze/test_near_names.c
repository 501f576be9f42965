#include "harness.h"

#include "analyze/near_names.h"

START_TEST(slips_are_told_from_other_names)
{
    static const struct {
        const char *name, *known;
        bool is_slip;
    } cases[] = {
        {"gups", "gpus", true},
        {"gpsu", "gpus", true},
        {"gpu", "gpus", true},
        {"epoch", "epochs", true},
        {"sereis", "series", true},
        {"devcie", "device", true},
        {"lsb", "lbs", true},
        {"datset_sampels", "dataset_samples", true},
        {"power-cap-w", "power_cap_w", true},
        {"gpus", "gpus", false},
        {"mode", "model", false},
        {"gpu_w", "gpu_h", false},
        {"epoch_j", "epoch_s", false},
        {"bs", "lbs", false},
        {"lr", "lbs", false},
        {"abs", "lbs", false},
        {"optimizer", "model", false},
        {"seeds_used", "series", false},
        {"energy", "energy_kwh", false},
        {"batch", "", false},
        {"", "gpus", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_name_is_slip(cases[i].name, cases[i].known) == cases[i].is_slip, "%s and %s", cases[i].name,
                      cases[i].known);
}
END_TEST

TEST_MAIN("near names", slips_are_told_from_other_names)
