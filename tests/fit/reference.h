/* Reads the reference data of the tests of fit/: small CSV files of numbers and the JSON beside them. */
#ifndef WS_TESTS_FIT_REFERENCE_H
#define WS_TESTS_FIT_REFERENCE_H

#include "core/text.h"
#include "harness.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { REFERENCE_ROWS = 1024, REFERENCE_COLUMNS = 12 };

typedef struct reference {
    size_t n, n_columns;
    double column[REFERENCE_COLUMNS][REFERENCE_ROWS];
    json_t *expected;
    double tolerance; /* relative, as the case states it */
} reference;

static inline void reference_read_csv(reference *data, const char *path)
{
    char line[512];
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s; run the tests in the root of the sources", path);
    ck_assert(fgets(line, sizeof line, file) != NULL);
    for (data->n = 0; fgets(line, sizeof line, file); data->n++) {
        ck_assert(data->n < REFERENCE_ROWS);
        ws_span rest = ws_span_of(line), cell;
        for (data->n_columns = 0; ws_span_split(&rest, ',', &cell); data->n_columns++)
            ck_assert(ws_span_double(cell, &data->column[data->n_columns][data->n]));
    }
    fclose(file);
}

/* name: "case01_ols_intercept". Free with json_decref(data.expected). */
static inline reference reference_load(const char *name)
{
    static reference data;
    char path[200];
    memset(&data, 0, sizeof data);
    snprintf(path, sizeof path, "tests/data/reference-fits/%s.csv", name);
    reference_read_csv(&data, path);
    snprintf(path, sizeof path, "tests/data/reference-fits/%s.json", name);
    json_t *root = json_load_file(path, 0, NULL);
    ck_assert(root != NULL);
    data.expected = json_incref(json_object_get(root, "expected"));
    data.tolerance = json_number_value(json_object_get(root, "relative_tolerance"));
    ck_assert(data.expected != NULL && data.tolerance > 0);
    json_decref(root);
    return data;
}

/* path: "coef.slope", "ci95.0": keys and places in arrays. */
static inline double reference_number(const reference *data, const char *path)
{
    const json_t *at = data->expected;
    ws_span rest = ws_span_of(path), part;
    while (ws_span_split(&rest, '.', &part)) {
        char key[80];
        snprintf(key, sizeof key, "%.*s", WS_SPAN_ARG(part));
        int64_t place;
        at = json_is_array(at) && ws_span_i64(part, &place) ? json_array_get(at, (size_t)place)
                                                            : json_object_get(at, key);
        ck_assert_msg(at != NULL, "no %s in the expected values (at %s)", path, key);
    }
    ck_assert_msg(json_is_number(at), "%s is no number", path);
    return json_number_value(at);
}

/* `got` against the expected value there, with the tolerance of the case. */
#define ck_reference(data, got, path) ck_close(got, reference_number(data, path), (data)->tolerance, 0)

#endif
