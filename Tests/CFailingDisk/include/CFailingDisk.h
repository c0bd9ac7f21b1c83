#ifndef CFAILINGDISK_H
#define CFAILINGDISK_H

/* Calls of the C library that change files, failing on demand, for tests. They are defined here under their own names,
   so that whatever is linked into the same program calls these. */

enum {
    CFD_WRITE = 1,    /* pwrite; half writes what it fails to write */
    CFD_SYNC = 2,     /* fsync */
    CFD_TRUNCATE = 4, /* ftruncate */
    CFD_RENAME = 8,   /* renameat, by the directory of the new name */
    CFD_ALLOCATE = 16 /* posix_fallocate */
};

/* The nth call of these kinds from now (1 is the next) on a file whose path begins so fails with the error number, and
   all behind it when it lasts. One arming at a time. */
void cfd_arm(const char *prefix, int kinds, int nth, int number, int lasts);

/* Lets everything succeed again; how many calls of the kinds were seen. */
int cfd_disarm(void);

#endif
