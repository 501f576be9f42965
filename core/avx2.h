/* AVX2 and what came with it, chosen when the program runs: functions marked WS_AVX2 are called where ws_has_avx2()
 * only. */
#ifndef WS_CORE_AVX2_H
#define WS_CORE_AVX2_H

#include <stdbool.h>

#if defined __x86_64__
#include <immintrin.h>

#define WS_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

static inline bool ws_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#else
static inline bool ws_has_avx2(void)
{
    return false;
}
#endif

#endif
