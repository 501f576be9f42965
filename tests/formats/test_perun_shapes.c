/* HDF5 files of every odd shape: each is read to an end with a status, and where it fails, a message. */
#include "harness.h"

#include "fuzz/damage.h"
#include "fuzz/fuzz_hdf5.c"

START_TEST(made_files_of_any_shape)
{
    enum { FILES = 400, BYTES = 3000 };
    static uint8_t bytes[BYTES];
    damage_state = 7;
    for (int i = 0; i < FILES; i++) {
        for (size_t k = 0; k < BYTES; k++)
            bytes[k] = (uint8_t)damage_next();
        ck_assert_int_eq(LLVMFuzzerTestOneInput(bytes, damage_next() % BYTES), 0);
    }
}
END_TEST

/* What libFuzzer found: groups that lead back to the top from many places, which took half a minute to walk; nodes that
 * are their own children. */
START_TEST(groups_that_lead_in_circles)
{
    static const char top[] = "\\9x8odes/gpu/nodes/CUPA:_0DOWER/rhs/node0000/nodes/gpu/nodes/CUPA:_0DOWER/raw_data/"
                              "+valesu\n";
    static const char begin[] = "\223;es/\214odJSO\377\377\377\377\377\377\377\377\377\377\377\377\377`mult",
                      end[] = "[s/gpmetrics5o";
    uint8_t nodes[145] = {0};
    memcpy(nodes, begin, sizeof begin - 1);
    memcpy(nodes + sizeof nodes - (sizeof end - 1), end, sizeof end - 1);
    ck_assert_int_eq(LLVMFuzzerTestOneInput((const uint8_t *)top, sizeof top - 1), 0);
    ck_assert_int_eq(LLVMFuzzerTestOneInput(nodes, sizeof nodes), 0);
}
END_TEST

TEST_MAIN("shapes of HDF5 files", made_files_of_any_shape, groups_that_lead_in_circles)
