/* For tests that draw: fontconfig, Pango and libltdl, which PLplot loads its drivers with, keep a few kB to the end,
 * which the leak checker would take for ours. Without the checker this is never called. */
#ifndef WS_TESTS_REPORT_DRAWING_H
#define WS_TESTS_REPORT_DRAWING_H

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\nleak:libpango\nleak:libglib\nleak:lt__malloc\n";
}

#endif
