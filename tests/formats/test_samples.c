/* Series of readings that a reader pushes with a key of its own (formats/table/samples.h). */
#include "reader_case.h"

#include "formats/table/samples.h"

/* A reader that gives the index of a GPU as its number alone, as many first ones do: two GPUs, not one with both. */
START_TEST(an_index_tells_gpus_apart_by_itself)
{
    ws_samples samples;
    recorder_free(&r);
    ws_sink sink = recorder_sink(&r);
    ws_samples_init(&samples, "t.log", &sink, &r.notes);
    ws_samples_key key = {.identity = "index", .domain = WS_GPU, .quantity = WS_POWER, .column = "mw"};
    for (int64_t second = 0; second < 3; second++)
        for (key.number = 0; key.number < 2; key.number++) {
            const ws_samples_reading reading = {T0 + second * S, 0, 100.0 * (double)(1 + key.number), second + 1};
            ck_assert_int_eq(ws_samples_push(&samples, &key, &reading, &r.error), WS_OK);
            ck_assert(ws_samples_has(&samples, &key));
        }
    ck_assert(!ws_samples_has(&samples, &key)); /* there is no third one */
    ck_assert_int_eq(ws_samples_flush(&samples, &r.error), WS_OK);
    ws_samples_free(&samples);
    has("gpu0", "mw", "100 100 100");
    has("gpu1", "mw", "200 200 200");
    ck_assert_str_eq(channel("gpu1", "mw")->channel.device_id, "1");
}
END_TEST

/* Without a word on what the device is. */
START_TEST(a_key_may_say_nothing_of_its_device)
{
    ws_samples samples;
    recorder_free(&r);
    ws_sink sink = recorder_sink(&r);
    ws_samples_init(&samples, "t.log", &sink, &r.notes);
    const ws_samples_key key = {.domain = WS_NODE, .quantity = WS_POWER, .column = "w", .number = -1};
    const ws_samples_reading reading = {T0, 0, 250, 1};
    ck_assert_int_eq(ws_samples_push(&samples, &key, &reading, &r.error), WS_OK);
    ck_assert_int_eq(ws_samples_flush(&samples, &r.error), WS_OK);
    ws_samples_free(&samples);
    has("node", "w", "250");
}
END_TEST

TEST_MAIN("samples", an_index_tells_gpus_apart_by_itself, a_key_may_say_nothing_of_its_device)
