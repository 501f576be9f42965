/* Numbers of the C library with a decimal point, whatever locale the program or its thread has. */
#ifndef WS_CORE_C_LOCALE_H
#define WS_CORE_C_LOCALE_H

#include <stddef.h>

double ws_c_strtod(const char *text, char **end);

/* snprintf of one number, with a format like "%.*g". */
int ws_c_print(char *buffer, size_t size, const char *format, int digits, double value);

#endif
