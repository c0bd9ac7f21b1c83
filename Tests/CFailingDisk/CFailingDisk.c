#define _GNU_SOURCE
#include "CFailingDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
    char prefix[1024];
    int nth, number, lasts, seen;
} armed;
static atomic_int armed_kinds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The error number that a call shall fail with; zero for none. */
static int fate(int kind, int descriptor) {
    if (!(atomic_load_explicit(&armed_kinds, memory_order_relaxed) & kind)) return 0;
    char link[64], path[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = 0;
    int number = 0;
    pthread_mutex_lock(&lock);
    if ((atomic_load(&armed_kinds) & kind) && strncmp(path, armed.prefix, strlen(armed.prefix)) == 0) {
        armed.seen++;
        if (armed.seen == armed.nth || (armed.lasts && armed.seen > armed.nth)) number = armed.number;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    int number = fate(CFD_WRITE, descriptor);
    if (number) {
        if (count > 1) syscall(SYS_pwrite64, descriptor, bytes, count / 2, offset);
        errno = number;
        return -1;
    }
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
    int number = fate(CFD_SYNC, descriptor);
    if (number) {
        errno = number;
        return -1;
    }
    return (int)syscall(SYS_fsync, descriptor);
}

int ftruncate(int descriptor, off_t size) {
    int number = fate(CFD_TRUNCATE, descriptor);
    if (number) {
        errno = number;
        return -1;
    }
    return (int)syscall(SYS_ftruncate, descriptor, size);
}

int renameat(int from, const char *name, int to, const char *other) {
    int number = fate(CFD_RENAME, to);
    if (number) {
        errno = number;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from, name, to, other, 0);
}

int posix_fallocate(int descriptor, off_t offset, off_t size) {
    int number = fate(CFD_ALLOCATE, descriptor);
    if (number) return number;
    return syscall(SYS_fallocate, descriptor, 0, offset, size) == 0 ? 0 : errno;
}

void cfd_arm(const char *prefix, int kinds, int nth, int number, int lasts) {
    pthread_mutex_lock(&lock);
    strncpy(armed.prefix, prefix, sizeof armed.prefix - 1);
    armed.prefix[sizeof armed.prefix - 1] = 0;
    armed.nth = nth;
    armed.number = number;
    armed.lasts = lasts;
    armed.seen = 0;
    atomic_store(&armed_kinds, kinds);
    pthread_mutex_unlock(&lock);
}

int cfd_disarm(void) {
    pthread_mutex_lock(&lock);
    int seen = armed.seen;
    atomic_store(&armed_kinds, 0);
    pthread_mutex_unlock(&lock);
    return seen;
}
