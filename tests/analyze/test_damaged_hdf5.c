/* Damaged HDF5 files on the command line: whatever they do to HDF5's library, the program ends by itself, and the sound
 * file between them keeps its energy. */
#include "formats/hdf5_image.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SENSORS = 4, SAMPLES = 40, VARIANTS = 240, A_COMMAND = 24, NAME = 64 };

/* What describes objects: where a signature or a name stands, and which fields lie how far from it. */
typedef struct field {
    const char *mark;
    int at, size;
} field;

static const field fields[] = {
    {"HEAP", 0, 4},  {"HEAP", 8, 8},  {"HEAP", 16, 8},  {"HEAP", 24, 8},  /* size, first gap, names */
    {"TREE", 0, 4},  {"TREE", 4, 1},  {"TREE", 5, 1},   {"TREE", 6, 2},   /* kind, level, entries */
    {"TREE", 8, 8},  {"TREE", 24, 8}, {"TREE", 32, 8},  {"SNOD", 0, 4},   /* sibling, key, child */
    {"SNOD", 6, 2},  {"SNOD", 8, 8},  {"SNOD", 16, 8},  {"SNOD", 24, 4},  /* entries, name, object, kind */
    {"SNOD", 32, 8}, {"GCOL", 8, 8},  {"GCOL", 16, 2},  {"GCOL", 24, 8},  /* sizes of texts */
    {"unit", -6, 2}, {"unit", -4, 2}, {"unit", -2, 2},  {"type", -2, 2},  /* sizes of an attribute's parts */
    {"mag", -4, 2},  {"mag", -2, 2},  {"unit", -12, 2}, {"type", -16, 1}, /* of the message around it */
};

static const uint64_t values[] = {0, UINT64_MAX, 1, 0x7fff, 8, 0x10000, INT64_MAX, 0xff08};

static char folder[] = "/tmp/wattscale-damaged-XXXXXX";

/* Sensors whose numbers lie in packed chunks, which only the library knows. */
static image new_odd_file(void)
{
    double time[SAMPLES], power[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        time[i] = i, power[i] = 100;
    hid_t file = new_file(), gpus = new_device_group(file, "gpu"), packed = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(packed, 1, (const hsize_t[]){16});
    H5Pset_deflate(packed, 4);
    for (int i = 0; i < SENSORS; i++) {
        char name[32];
        snprintf(name, sizeof name, "CUDA:%d_POWER", i);
        hid_t sensor = new_node(gpus, name, 6);
        new_vector_as(packed, sensor, "timesteps", time, SAMPLES, "s", 1);
        new_vector_as(packed, sensor, "values", power, SAMPLES, "W", 1);
        H5Gclose(sensor);
    }
    H5Pclose(packed);
    H5Gclose(gpus);
    return new_image(file);
}

/* Where the mark stands for the n-th time, counted round. */
static size_t find_mark(const image *in, const char *mark, size_t n)
{
    size_t length = strlen(mark), count = 0, found = 0;
    for (int round = 0; round < 2; round++) {
        size_t wanted = count ? n % count : SIZE_MAX, seen = 0;
        for (size_t at = 16; at + 48 < in->n; at++)
            if (memcmp(in->p + at, mark, length) == 0 && seen++ == wanted)
                found = at;
        count = seen;
    }
    ck_assert_msg(count > 0, "no %s", mark);
    return found;
}

static void write_file(const char *name, const image *of)
{
    char path[NAME + sizeof folder];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert(file && fwrite(of->p, 1, of->n, file) == of->n && fclose(file) == 0);
}

static void write_damaged(const char *name, const image *sound, size_t variant)
{
    enum { FIELDS = sizeof fields / sizeof *fields, VALUES = sizeof values / sizeof *values };
    const field *f = &fields[variant % FIELDS];
    image damaged = {.p = ws_alloc(sound->n), .n = sound->n};
    memcpy(damaged.p, sound->p, sound->n);
    size_t at = find_mark(sound, f->mark, variant * 7 / 5);
    memcpy(damaged.p + at + f->at, &values[variant / FIELDS % VALUES], (size_t)f->size);
    write_file(name, &damaged);
    free(damaged.p);
}

/* The row of the file in what the command prints; the caller frees. *status gets what waitpid says. */
static char *row_of(const char *file, char *const *arguments, int *status)
{
    char line[1000], *row = NULL;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (chdir(folder) == 0)
            execv(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    while (fgets(line, sizeof line, out))
        if (strstr(line, file) && !row)
            row = strdup(line);
    fclose(out);
    ck_assert_int_eq(waitpid(child, status, 0), child);
    return row;
}

static void check_command(const image *sound, size_t first, const char *want)
{
    char names[A_COMMAND][NAME], *arguments[A_COMMAND + 16] = {getenv("BIN"), "energy",   "-q",  "-j2",    "--by",
                                                               "source",      "--format", "csv", "--rule", "perun"};
    size_t n = 10;
    int status;
    for (size_t i = 0; i < A_COMMAND; i++) {
        snprintf(names[i], NAME, "damaged%zu.hdf5", i);
        write_damaged(names[i], sound, first + i);
        arguments[n++] = names[i];
        if (i == A_COMMAND / 2)
            arguments[n++] = "sound.hdf5";
    }
    char *row = row_of("sound.hdf5", arguments, &status);
    ck_assert_msg(WIFEXITED(status), "variants %zu on: signal %d", first, WTERMSIG(status));
    ck_assert_int_le(WEXITSTATUS(status), 3);
    ck_assert_msg(row && strcmp(row, want) == 0, "variants %zu on: %s, not %s", first, row ? row : "nothing", want);
    free(row);
}

START_TEST(a_sound_file_keeps_its_energy_among_damaged_ones)
{
    if (!getenv("BIN"))
        skip_because("BIN is not set");
    int status;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    image sound = new_odd_file();
    write_file("sound.hdf5", &sound);
    char *alone[] = {getenv("BIN"), "energy", "-q",    "--by",       "source", "--format",
                     "csv",         "--rule", "perun", "sound.hdf5", NULL};
    char *want = row_of("sound.hdf5", alone, &status);
    ck_assert_int_eq(status, 0);
    ck_assert_ptr_nonnull(want);
    ck_assert_ptr_nonnull(strstr(want, ",15600,")); /* four times 100 W over 39 s */
    for (size_t first = 0; first < VARIANTS; first += A_COMMAND)
        check_command(&sound, first, want);
    free(want);
    free(sound.p);
    for (size_t i = 0; i <= A_COMMAND; i++) {
        char path[NAME + sizeof folder];
        snprintf(path, sizeof path, i < A_COMMAND ? "%s/damaged%zu.hdf5" : "%s/sound.hdf5", folder, i);
        unlink(path);
    }
    rmdir(folder);
}
END_TEST

TEST_MAIN("damaged HDF5 files", a_sound_file_keeps_its_energy_among_damaged_ones)
