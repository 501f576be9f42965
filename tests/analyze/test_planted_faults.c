/* Faults with a known energy, each planted in a log of nvidia-smi or of RAPL and in the same readings as perun's HDF5
 * file: both have the same finding and the same verdict, and a sound log has none. */
#include "formats/made_perun.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/stakes.h"

#include <math.h>
#include <stdio.h>

extern const ws_format ws_format_nvidia_smi_csv, ws_format_powercap_csv;

enum { N = 1200, TEXT = 64 * N };

#define RANGE_UJ 262143328850.0

typedef enum written { TEXT_LOG, PERUN, FORMS } written;

/* What one reading becomes: watts of a GPU, or the count of a processor in J. `i` is the second; NAN: no reading. */
typedef double change(int i, double value);

typedef struct fault {
    const char *name;
    change *change;
    ws_finding finding;
    bool is_told; /* the finding is there */
    ws_energy_verdict verdict;
    int every_s; /* one reading in so many seconds; 0: each second */
} fault;

static uint64_t state;

static double noise(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53 - 0.5;
}

/* Two decimals, as nvidia-smi has them. */
static double load(int i)
{
    return round(100 * (300 + 40 * sin(i / 30.0) + 12 * noise())) / 100;
}

static int write_stamp(char *at, size_t room, int s)
{
    return snprintf(at, room, "2026/02/11 08:%02d:%02d.000", s / 60, s % 60);
}

static void write_smi(char *text, const double *time, const double *value, int n)
{
    size_t at = (size_t)snprintf(text, TEXT, "timestamp, index, power.draw [W]\n");
    for (int i = 0; i < n; i++) {
        at += (size_t)write_stamp(text + at, TEXT - at, (int)time[i]);
        if (isnan(value[i]))
            at += (size_t)snprintf(text + at, TEXT - at, ", 0, [N/A]\n");
        else
            at += (size_t)snprintf(text + at, TEXT - at, ", 0, %.4f W\n", value[i]);
    }
}

static void write_rapl(char *text, const double *time, const double *joules, int n)
{
    size_t at = (size_t)snprintf(text, TEXT, "# max_energy_range_uj package-0=%.0f\ntimestamp,package-0\n", RANGE_UJ);
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, TEXT - at, "%.3f,%.0f\n", 1770796800 + time[i], 1e6 * joules[i]);
}

static hid_t perun_powers(const double *time, const double *value, int n)
{
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", time, (hsize_t)n, value, (hsize_t)n, "W", 1);
    H5Gclose(gpus);
    return file;
}

/* As perun stores a counter since 0.7: the power that it derived of it, and the counter beside it. */
static hid_t perun_counter(const double *time, const double *joules, int n)
{
    double microjoules[N], derived[N] = {0};
    for (int i = 0; i < n; i++) {
        microjoules[i] = round(1e6 * joules[i]);
        double rise_j = i ? joules[i] - joules[i - 1] : 0;
        if (i)
            derived[i] = (rise_j < 0 ? rise_j + RANGE_UJ / 1e6 : rise_j) / (time[i] - time[i - 1]);
    }
    hid_t file = new_file(), cpus = new_device_group(file, "cpu"), sensor = new_node(cpus, "cpu_0_package-0", 6);
    new_vector(sensor, "timesteps", time, (hsize_t)n, "s", 1);
    new_vector(sensor, "values", derived, (hsize_t)n, "W", 1);
    new_vector(sensor, "alt_values", microjoules, (hsize_t)n, "J", 1e-6);
    hid_t values = H5Dopen2(sensor, "raw_data/alt_values", H5P_DEFAULT);
    set_number(values, "valid_max", RANGE_UJ);
    H5Dclose(values);
    H5Gclose(sensor);
    H5Gclose(cpus);
    return file;
}

/* The bytes of the log; the caller frees. */
static char *text_of(bool is_counter, const double *time, const double *value, int n, size_t *size)
{
    char *text = ws_alloc(TEXT);
    (is_counter ? write_rapl : write_smi)(text, time, value, n);
    *size = strlen(text);
    return text;
}

static char *perun_of(bool is_counter, const double *time, const double *value, int n, size_t *size)
{
    return image_of((is_counter ? perun_counter : perun_powers)(time, value, n), size);
}

static const ws_format *format_of(written form, bool is_counter)
{
    return form == PERUN ? &ws_format_perun_hdf5 : is_counter ? &ws_format_powercap_csv : &ws_format_nvidia_smi_csv;
}

static void check(const fault *f, bool is_counter, written form)
{
    double time[N], value[N], count = 5000;
    int n = 0, every = f->every_s ? f->every_s : 1;
    state = 7;
    for (int i = 0; i < N; i++) {
        double power = load(i), x = f->change(i, is_counter ? count : power);
        count += power / 3;
        if (i % every == 0 && !(form == PERUN && isnan(x)) && !isinf(x))
            time[n] = i, value[n++] = x;
    }
    ws_measure m;
    ws_notes notes = {0};
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    ws_measure_init(&m, &(ws_measure_options){0});
    ws_measure_begin(&m, "made", "");
    ws_sink sink = ws_measure_sink(&m);
    size_t size;
    char *bytes = (form == PERUN ? perun_of : text_of)(is_counter, time, value, n, &size);
    ws_input *input = ws_input_from_memory(form == PERUN ? "made.hdf5" : "made.csv", bytes, size);
    ck_assert_int_eq(format_of(form, is_counter)->read(input, &options, &sink, &notes, &error), WS_OK);
    ws_input_close(input);
    free(bytes);
    ws_measure_finish(&m, &notes);
    ck_assert_uint_eq(m.n_devices, 1);
    const ws_device *d = &m.devices[0];
    ws_energy_verdict got = ws_energy_verdict_of(&d->stake, d->energy->summary.energy_j, &m.options.verdict);
    const char *name = form == PERUN ? "perun" : is_counter ? "RAPL" : "nvidia-smi";
    ck_assert_msg(!ws_notes_find(&notes, f->finding) == !f->is_told, "%s in %s: %s", f->name, name,
                  f->is_told ? "not told" : "told");
    ck_assert_msg(got == f->verdict, "%s in %s: verdict %s", f->name, name, ws_energy_verdict_name(got));
    ws_measure_free(&m);
    ws_notes_free(&notes);
}

/* --- powers --- */

static double as_it_is(int i, double w)
{
    return (void)i, w;
}

static double stuck(int i, double w)
{
    return i >= 300 && i < 420 ? 301.17 : w;
}

static double failed(int i, double w)
{
    return i >= 200 && i < 240 ? 0 : w;
}

static double milliwatts(int i, double w)
{
    return i >= 400 ? 1000 * w : w;
}

static double kilowatts(int i, double w)
{
    return i >= 400 ? w / 1000 : w;
}

static double all_set(int i, double w)
{
    return i == 100 || i == 250 || i == 400 ? 6553.5 : w;
}

static double sentinel(int i, double w)
{
    return i == 100 || i == 250 ? -9999 : w;
}

static double beyond(int i, double w)
{
    return i == 100 ? 4294967.295 : w;
}

static double gap(int i, double w)
{
    return i >= 300 && i < 400 ? INFINITY : w;
}

/* --- counters of 100 W, from 5 kJ on --- */

static double wraps(int i, double j)
{
    return (void)i, fmod(j + RANGE_UJ / 1e6 - 40000, RANGE_UJ / 1e6);
}

static double resets(int i, double j)
{
    return i < 300 ? j + 50000 : j - 30000;
}

static double jumps(int i, double j)
{
    return i == 300 ? j + 20000 : j;
}

static double stands(int i, double j)
{
    static double at;
    at = i == 300 ? j : at;
    return i < 300 ? j : at;
}

static double reads_zero(int i, double j)
{
    return i == 200 || i == 201 || i == 450 ? 0 : j;
}

START_TEST(faults_of_powers_are_told_in_both_forms)
{
    static const fault faults[] = {
        {"nothing", as_it_is, WS_FINDING_STUCK_SENSOR, false, WS_ENERGY_VERDICT_OK, 0},
        {"a stuck sensor", stuck, WS_FINDING_STUCK_SENSOR, true, WS_ENERGY_VERDICT_DOUBTFUL, 0},
        {"failed reads", failed, WS_FINDING_ZERO_POWER, true, WS_ENERGY_VERDICT_DOUBTFUL, 0},
        {"mW from a row on", milliwatts, WS_FINDING_IMPLAUSIBLE_POWER, true, WS_ENERGY_VERDICT_UNUSABLE, 0},
        {"kW from a row on", kilowatts, WS_FINDING_IMPLAUSIBLE_POWER, true, WS_ENERGY_VERDICT_UNUSABLE, 0},
        {"readings of 6553.5 W", all_set, WS_FINDING_IMPLAUSIBLE_POWER, true, WS_ENERGY_VERDICT_DOUBTFUL, 0},
        {"a sentinel", sentinel, WS_FINDING_NEGATIVE_POWER, true, WS_ENERGY_VERDICT_DOUBTFUL, 0},
        {"2^32 - 1 mW", beyond, WS_FINDING_IMPOSSIBLE_POWER, true, WS_ENERGY_VERDICT_OK, 0},
        {"a gap", gap, WS_FINDING_LONG_GAP, true, WS_ENERGY_VERDICT_DOUBTFUL, 0},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (written form = TEXT_LOG; form < FORMS; form++)
            check(&faults[i], false, form);
}
END_TEST

START_TEST(faults_of_counters_are_told_in_both_forms)
{
    static const fault faults[] = {
        {"nothing", as_it_is, WS_FINDING_STUCK_COUNTER, false, WS_ENERGY_VERDICT_OK, 0},
        {"a wrap", wraps, WS_FINDING_COUNTER_WRAP, true, WS_ENERGY_VERDICT_OK, 0},
        {"a reset", resets, WS_FINDING_COUNTER_RESET, true, WS_ENERGY_VERDICT_OK, 0},
        {"a jump and back", jumps, WS_FINDING_COUNTER_GLITCH, true, WS_ENERGY_VERDICT_OK, 0},
        {"a counter that stands still", stands, WS_FINDING_STUCK_COUNTER, true, WS_ENERGY_VERDICT_UNUSABLE, 0},
        {"reads of 0", reads_zero, WS_FINDING_ZERO_READ, true, WS_ENERGY_VERDICT_OK, 0},
        {"rounds between two readings", wraps, WS_FINDING_COUNTER_GAP, true, WS_ENERGY_VERDICT_UNUSABLE, 399},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (written form = TEXT_LOG; form < FORMS; form++)
            check(&faults[i], true, form);
}
END_TEST

TEST_MAIN("planted faults", faults_of_powers_are_told_in_both_forms, faults_of_counters_are_told_in_both_forms)
