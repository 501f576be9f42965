/* Output that is not finished yet: what a signal that ends the program (INT, TERM, HUP) removes before it does. */
#ifndef WS_ANALYZE_UNFINISHED_H
#define WS_ANALYZE_UNFINISHED_H

/* A file or a folder that is about to be made; a folder comes before what lies in it. The name is copied. From the main
 * thread only, as the others. */
void ws_unfinished_add(const char *path);

/* All of them are finished, or removed. */
void ws_unfinished_forget(void);

/* Between the two a signal waits: the steps that put an output into its place belong together. */
void ws_unfinished_hold(void);
void ws_unfinished_release(void);

/* Remove them, the last added first. Safe within a signal handler. */
void ws_unfinished_remove(void);

#endif
