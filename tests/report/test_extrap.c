#include "report/table/extrap.h"

#include "tests/harness.h"

#include <jansson.h>
#include <string.h>

static const char *const parameters[] = {"gpus", "lbs"}, *const metrics[] = {"wall_s"},
                         *const regions[] = {"a \"b\"", "c"};
static const double points[] = {4, 64, 8, 64}, first[] = {101.5, 99.25}, second[] = {1e-7};

static char *written(ws_status (*write)(FILE *, const ws_extrap *, ws_error *), const ws_extrap_cell *cells,
                     ws_status expected, ws_error *error)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const ws_extrap data = {parameters, metrics, regions, 2, 1, 2, 2, points, cells};
    ck_assert_int_eq(write(stream, &data, error), expected);
    fclose(stream);
    return text;
}

START_TEST(json)
{
    const ws_extrap_cell cells[] = {{first, 2}, {second, 1}, {second, 1}, {NULL, 0}};
    char *text = written(ws_extrap_write_json, cells, WS_OK, NULL);
    json_t *root = json_loads(text, 0, NULL), *measured = json_object_get(root, "measurements");
    ck_assert_msg(root != NULL, "%s", text);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(root, "parameters"), 1)), "lbs");
    json_t *a = json_object_get(json_object_get(measured, "a \"b\""), "wall_s");
    ck_assert_uint_eq(json_array_size(a), 2);
    ck_assert(json_number_value(json_array_get(json_object_get(json_array_get(a, 0), "values"), 1)) == 99.25);
    ck_assert(json_number_value(json_array_get(json_object_get(json_array_get(a, 1), "point"), 0)) == 8);
    ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(measured, "c"), "wall_s")), 1);
    json_decref(root);
    free(text);
}
END_TEST

START_TEST(text)
{
    const ws_extrap_cell full[] = {{first, 2}, {second, 1}, {second, 1}, {first, 2}},
                         hole[] = {{first, 2}, {second, 1}, {second, 1}, {NULL, 0}};
    ws_error error = {0};
    char *got = written(ws_extrap_write_text, full, WS_OK, NULL);
    ck_assert_ptr_nonnull(strstr(got, "PARAMETER gpus lbs\nPOINTS (4 64) (8 64)\n"));
    ck_assert_ptr_nonnull(strstr(got, "REGION c\nMETRIC wall_s\nDATA 0.0000001"));
    ck_assert_ptr_null(strstr(got, "e-"));
    free(got);
    got = written(ws_extrap_write_text, hole, WS_DATA, &error);
    ck_assert_ptr_nonnull(strstr(error.message, "'c' has no wall_s at point 2 of 2"));
    free(got);
}
END_TEST

TEST_MAIN("extrap", json, text)
