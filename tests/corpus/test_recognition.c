/* Every real file of the fixtures: what it is taken for by its content, and that no other reader comes near. */
#include "harness.h"

#include "analyze/folder_walk.h"
#include "analyze/source.h"

#include <string.h>

/* The first entry whose words stand in the path counts. NULL: in no format that is read here. */
static const struct {
    const char *folder, *word, *format;
} expected[] = {
    {"", ".md", NULL},
    {"", "expected.json", "table-json"},
    {"", "LICENSE", NULL},
    {"codecarbon/", ".csv", "codecarbon"},
    {"dcgm/", "long_power", "dcgm-csv"},
    {"dcgm/", "result", "csv"},
    {"gpu-wrapper-csv/", "gpu80gb", "nvidia-smi-csv"},
    {"gpu-wrapper-csv/", "minute_epoch", "nvidia-smi-csv"},
    {"gpu-wrapper-csv/", "empty_limit", "nvidia-smi-csv"},
    {"gpu-wrapper-csv/", "samples_in_one_cell", "table-csv"},
    {"gpu-wrapper-csv/", "summary", "gpu-summary-csv"},
    {"gpu-wrapper-csv/", "", "csv"},
    {"intel-power-gadget/", "", "power-gadget"},
    {"ipmi-sdr/", "", "ipmi-sdr"},
    {"mit-supercloud/", "cpu", "slurm-series"},
    {"mit-supercloud/", "slurm_log", "slurm-log"},
    {"mlperf-ptdaemon/", "spl", "ptdaemon"},
    {"mlperf-ptdaemon/", "client", "table-json"},
    {"mlperf-ptdaemon/", "summary", NULL},
    {"mlperf-training-power/", "total_power", "total-power"},
    {"mlperf-training-power/", "/power/", "mllog-power"},
    {"mlperf-training-power/", "result_", "mllog"},
    {"mlperf-training-power/", "system", "table-json"},
    {"nvidia-smi-csv/", "", "nvidia-smi-csv"},
    {"nvidia-smi-dmon/", "", "nvidia-smi-dmon"},
    {"perf-stat/", "csv", "perf-stat-csv"},
    {"perf-stat/", "text", "perf-stat-text"},
    {"perun/", ".hdf5", "perun-hdf5"},
    {"perun/", "bench.json", "table-json"},
    {"perun/", ".json", "perun-json"},
    {"perun/", "resnet_scaled", "table-csv"},
    {"perun/", ".txt", NULL},
    {"perun/", "", "perun-csv"},
    {"rapl-interval-csv/", "gmt", "gmt-log"},
    {"rapl-interval-csv/", "", "rapl-interval-csv"},
    {"slurm/", "", "sacct"},
    {"tegrastats/", "", "tegrastats"},
    {"turbostat/", "", "turbostat"},
    {"wallmeter/", "", "csv"},
    {"zeus/", "windows", "zeus-windows"},
    {"zeus/", "power", "zeus-sweep"},
    {"zeus/", "train", "table-csv"},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static size_t expectation_of(const char *path)
{
    size_t i = 0;
    while (i < EXPECTED && (!strstr(path, expected[i].folder) || !strstr(path, expected[i].word)))
        i++;
    return i;
}

static void check_file(const char *path, size_t entry)
{
    ws_error error = {0};
    ws_notes notes = {0};
    const ws_format *format;
    const char *want = expected[entry].format;
    ck_assert_msg(ws_source_recognise(path, NULL, &format, &notes, &error) == WS_OK, "%s", error.message);
    const char *got = format ? format->name : NULL;
    ck_assert_msg(got == want || (got && want && strcmp(got, want) == 0), "%s: taken for %s, not %s", path,
                  got ? got : "nothing", want ? want : "nothing");
    ck_assert_msg(!ws_notes_find(&notes, WS_FINDING_FORMAT_DOUBT), "%s: %s", path, notes.n ? notes.items[0].text : "");
    ws_notes_free(&notes);
}

START_TEST(every_fixture)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set, so the real files were not recognised");
    char folder[500];
    bool seen[EXPECTED] = {false};
    size_t checked = 0;
    ws_error error = {0};
    ws_file_list files = {0};
    snprintf(folder, sizeof folder, "%s/fixtures", corpus);
    ck_assert_msg(ws_walk(folder, &files, NULL, &error) == WS_OK, "%s", error.message);
    for (size_t i = 0; i < files.n; i++) {
        const char *path = files.paths[i] + strlen(folder) + 1;
        size_t entry = expectation_of(path);
        bool has_other_tests = strncmp(path, "run-metadata/", 13) == 0;
        if (!strchr(path, '/') || (has_other_tests && entry == EXPECTED))
            continue;
        ck_assert_msg(entry < EXPECTED, "no expectation for %s", path);
        check_file(files.paths[i], entry);
        seen[entry] = true;
        checked++;
    }
    for (size_t i = 0; i < EXPECTED; i++)
        ck_assert_msg(seen[i], "no file of %s%s", expected[i].folder, expected[i].word);
    printf("recognised %zu files\n", checked);
    ws_file_list_free(&files);
}
END_TEST

TEST_MAIN("recognition", every_fixture)
