/* usage: counter_readings
 *
 * Nanoseconds of the processor for a reading of a counter in memory: 20 million of a RAPL counter, 64 at a time, on
 * their way from the sink of a measure to its meter. Prints that number alone; the energy goes to standard error. */
#include "analyze/measure/measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 64, READINGS = 20000000, SERIES = 65536 };
static const double RANGE_J = 262143.328850;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
    static int64_t t_ns[SERIES], line[SERIES];
    static double value[SERIES];
    ws_measure measure;
    ws_measure_options options = {.all_channels = false};
    ws_channel channel = {.run = "",
                          .node = "",
                          .device = "cpu0",
                          .device_id = "",
                          .identity = "",
                          .column = "energy_uj",
                          .domain = WS_CPU,
                          .quantity = WS_ENERGY_COUNTER,
                          .rule = WS_RULE_COUNTER,
                          .time = WS_TIME_UTC,
                          .counter_range_j = RANGE_J};
    int id;
    uint64_t state = 12345, microjoules = 0;
    ws_measure_init(&measure, &options);
    ws_measure_begin(&measure, "memory", "");
    ws_sink sink = ws_measure_sink(&measure);
    if (sink.channel(sink.state, &channel, &id, NULL) != WS_OK)
        return 1;
    double spent_s = 0;
    for (int64_t done = 0; done < READINGS; done += SERIES) {
        for (int64_t i = 0; i < SERIES; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            microjoules = (microjoules + 9000000 + (state >> 33) % 4000000) % UINT64_C(262143328850);
            t_ns[i] = (done + i) * 100000000 + (int64_t)(state >> 40) % 3000000;
            line[i] = done + i + 2;
            value[i] = (double)microjoules / 1e6;
        }
        double before = cpu_s();
        for (size_t i = 0; i < SERIES; i += BLOCK) {
            ws_block block = {.n = BLOCK, .t_ns = t_ns + i, .value = value + i, .line = line + i};
            sink.block(sink.state, id, &block, NULL);
        }
        spent_s += cpu_s() - before;
    }
    ws_measure_finish(&measure, NULL);
    int64_t all = (READINGS + SERIES - 1) / SERIES * (int64_t)SERIES;
    fprintf(stderr, "%.17g J\n", measure.channels[0].summary.energy_j);
    printf("%.2f\n", spent_s * 1e9 / (double)all);
    ws_measure_free(&measure);
    return 0;
}
