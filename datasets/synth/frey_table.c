#include "datasets/synth/frey_table.h"

#include <string.h>

/* Classes: Table 1. Local batch and epochs: Sec. 2.1 to 2.3. */
const ws_synth_frey_model ws_synth_frey_models[] = {
    {"DimeNet", "Geometric", 128, 200, 900, 205, 85, 38, 18, "SM above 75 % (Fig. 3); memory declines beyond 16 GPUs"},
    {"SchNet", "Geometric", 128, 1000, 240, 165, 68, 33, 20, "SM above 60 %, memory above 30 % on 2 GPUs (Fig. 2)"},
    {"BERT", "NLP", 8, 0, 7200, 235, 98, 40, 20,
     "SM almost 100 % (Fig. 3); memory about 40 % on 2 and 20 % on 128 GPUs (Fig. 2)"},
    {"ResNet50", "CV", 256, 10, 5400, 220, 88, 50, 35, "SM above 75 %, memory about 50 % on 2 GPUs (Fig. 3)"},
    {"VGG16", "CV", 256, 10, 7000, 230, 90, 48, 36, "SM above 60 %, memory above 30 % on 2 GPUs (Fig. 2)"},
    {"InceptionV3", "CV", 256, 10, 6000, 210, 82, 42, 30, "SM above 60 %, memory above 30 % on 2 GPUs (Fig. 2)"},
};

/* 1.0 is planted as 0.998. The ranges of GPUs of the image networks are not printed. */
const ws_synth_frey_series ws_synth_frey_series_list[] = {
    {"table2-dimenet", "DimeNet", "Table 2", 250, 1380, 0.82, 0.99, 0.99, 416, 1, "DimeNet at 250 W"},
    {"table2-schnet", "SchNet", "Table 2", 250, 1380, 0.42, 0.90, 0.90, 416, 1, "SchNet at 250 W"},
    {"table2-bert", "BERT", "Table 2", 250, 1380, 0.87, 0.97, 0.97, 424, 3,
     "BERT at 250 W, apart from table5-bert-250w, whose R2 is another one"},
    {"table2-resnet50", "ResNet50", "Table 2", 250, 1380, 0.52, 0.95, 0.95, 256, 1,
     "ResNet50 at 250 W, apart from table6-resnet50-250w, whose beta is another one"},
    {"table2-vgg16", "VGG16", "Table 2", 250, 1380, 0.64, 0.98, 0.98, 256, 1, "VGG16 at 250 W"},
    {"table2-inceptionv3", "InceptionV3", "Table 2", 250, 1380, 0.44, 0.93, 0.93, 256, 1, "InceptionV3 at 250 W"},
    {"table3-dimenet-135mhz", "DimeNet", "Table 3", 250, 135, 0.97, 1.0, 0.998, 256, 1, "DimeNet at 135 MHz"},
    {"table3-dimenet-735mhz", "DimeNet", "Table 3", 250, 735, 0.90, 0.99, 0.99, 256, 1, "DimeNet at 735 MHz"},
    {"table3-dimenet-1380mhz", "DimeNet", "Table 3", 250, 1380, 0.82, 0.99, 0.99, 256, 1, "DimeNet at 1380 MHz"},
    {"table4-dimenet-100w", "DimeNet", "Table 4", 100, 1380, 0.93, 0.99, 0.99, 256, 1, "DimeNet at 100 W"},
    {"table4-dimenet-200w", "DimeNet", "Table 4", 200, 1380, 0.84, 0.99, 0.99, 256, 1, "DimeNet at 200 W"},
    {"table4-dimenet-250w", "DimeNet", "Table 4", 250, 1380, 0.82, 0.99, 0.99, 256, 1, "DimeNet at 250 W"},
    {"table5-bert-100w", "BERT", "Table 5", 100, 0, 0.91, 0.99, 0.99, 424, 1, "BERT at 100 W"},
    {"table5-bert-200w", "BERT", "Table 5", 200, 0, 0.86, 0.99, 0.99, 424, 1, "BERT at 200 W"},
    {"table5-bert-250w", "BERT", "Table 5", 250, 0, 0.87, 0.99, 0.99, 424, 1, "BERT at 250 W"},
    {"table6-resnet50-100w", "ResNet50", "Table 6", 100, 0, 0.83, 1.0, 0.998, 256, 1, "ResNet50 at 100 W"},
    {"table6-resnet50-200w", "ResNet50", "Table 6", 200, 0, 0.83, 0.99, 0.99, 256, 1, "ResNet50 at 200 W"},
    {"table6-resnet50-250w", "ResNet50", "Table 6", 250, 0, 0.84, 0.99, 0.99, 256, 1, "ResNet50 at 250 W"},
    {"fig13-resnet50-135mhz", "ResNet50", "Fig. 13", 250, 135, 0.66, 0.97, 0.97, 256, 1,
     "ResNet50 at 135 MHz; its beta and R2 are assumed, between those of tables 2 and 6"},
    {"fig13-resnet50-735mhz", "ResNet50", "Fig. 13", 250, 735, 0.58, 0.96, 0.96, 256, 1,
     "ResNet50 at 735 MHz; its beta and R2 are assumed; at 1380 MHz stands table2-resnet50"},
};
const size_t ws_synth_frey_series_n = sizeof ws_synth_frey_series_list / sizeof *ws_synth_frey_series_list;

/* 200 W saves at least 10 % of the energy of 250 W on 2 GPUs (Sec. 3): 0.83 * 1.04 = 0.863. */
static const ws_synth_frey_cap caps[] = {
    {250, 1380, 1, 1, 1380},     {250, 0, 1, 1, 1380},     {200, 1380, 1.04, 0.83, 1290}, {200, 0, 1.04, 0.83, 1290},
    {100, 1380, 1.9, 0.44, 780}, {100, 0, 1.9, 0.44, 780}, {250, 735, 1.7, 0.56, 735},    {250, 135, 7.5, 0.24, 135},
};

const ws_synth_frey_model *ws_synth_frey_model_of(const ws_synth_frey_series *series)
{
    const ws_synth_frey_model *model = ws_synth_frey_models;
    while (strcmp(model->name, series->model) != 0)
        model++;
    return model;
}

const ws_synth_frey_cap *ws_synth_frey_cap_of(const ws_synth_frey_series *series)
{
    const ws_synth_frey_cap *cap = caps;
    while (cap->power_cap_w != series->power_cap_w || cap->clock_cap_mhz != series->clock_cap_mhz)
        cap++;
    return cap;
}

const char ws_synth_frey_left_out[] =
    "[\n"
    "  \"ResNet50 at 250 W has beta 0.52 in Table 2 and 0.84 in Table 6, BERT R2 0.97 in Table 2 and 0.99 in Table 5: "
    "a series a table\",\n"
    "  \"R2 0.97 and a standard error of 0.03 of BERT (Table 2, Sec. 4.2) need about 28 runs: three repeats on 9 "
    "counts\",\n"
    "  \"speed-ups of 60, 30 and 20 on 128 GPUs, 76 at best and 5 to 6 of image networks (Sec. 3, 4.2, 4.3) contradict "
    "the betas: not planted\",\n"
    "  \"energy of DimeNet on 128 GPUs above 3 times that on 2 (Sec. 3) contradicts its beta at any plausible power: "
    "not planted\",\n"
    "  \"a CV of 100 % of the SM utilisation of BERT beyond 32 GPUs (Fig. 4) cannot go with a mean of almost 100 % "
    "(Fig. 3): not planted\",\n"
    "  \"the departure of SchNet from its power law beyond 64 GPUs (Sec. 4.1) is within its R2: not planted\"]";
