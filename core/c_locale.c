/* newlocale and strtod_l are not in C11. */
#define _GNU_SOURCE
#include "core/c_locale.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double ws_c_strtod(const char *text, char **end)
{
    pthread_once(&c_locale_once, make_c_locale);
    return strtod_l(text, end, c_locale);
}

/* printf takes its decimal point from the thread's locale. */
int ws_c_print(char *buffer, size_t size, const char *format, int digits, double value)
{
    pthread_once(&c_locale_once, make_c_locale);
    locale_t before = uselocale(c_locale);
    int length = snprintf(buffer, size, format, digits, value);
    uselocale(before);
    return length;
}
