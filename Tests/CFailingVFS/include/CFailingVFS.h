#ifndef CFAILINGVFS_H
#define CFAILINGVFS_H

/* A VFS over SQLite's own that fails on demand (sqlite.org/vfs.html), for tests. */

enum {
    CFV_WRITE = 1,    /* also half writes what it fails to write */
    CFV_SYNC = 2,
    CFV_TRUNCATE = 4,
    CFV_OPEN = 8,
    CFV_READ = 16,
    CFV_SHM = 32
};

/* Makes it the default for connections opened from now on; once for the process. An SQLite result code. */
int cfv_install(void);

/* The nth operation of these kinds from now (1 is the next) on a file whose path begins so fails with the code, and
   all behind it when it lasts. One arming at a time. */
void cfv_arm(const char *prefix, int kinds, int nth, int code, int lasts);

/* Lets everything succeed again; how many operations of the kinds were seen. */
int cfv_disarm(void);

#endif
