/* What the dynamic linker says of a library that it cannot load, and what helps. */
#ifndef WS_CORE_LINKER_H
#define WS_CORE_LINKER_H

/* To be told behind what it said: which package to install, or that memory lacks, where a package changes nothing. */
const char *ws_linker_remedy(const char *said);

#endif
