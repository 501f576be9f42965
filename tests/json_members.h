/* Members of JSON objects that have to be there. */
#ifndef WS_TESTS_JSON_MEMBERS_H
#define WS_TESTS_JSON_MEMBERS_H

#include "harness.h"

#include <jansson.h>

static inline double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    ck_assert_msg(json_is_number(value), "%s is no number", name);
    return json_number_value(value);
}

static inline const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

#endif
