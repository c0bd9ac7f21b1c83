#include "CFailingVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

typedef struct {
    sqlite3_file base;
    const char *path; /* SQLite keeps it until xClose. */
    sqlite3_file *real;
} file_t;

static struct {
    char prefix[1024];
    int kinds, nth, code, lasts, seen;
} armed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *real_vfs;
static sqlite3_vfs shim;

static int fate(int kind, const char *path) {
    int code = SQLITE_OK;
    pthread_mutex_lock(&lock);
    if ((armed.kinds & kind) && path && strncmp(path, armed.prefix, strlen(armed.prefix)) == 0) {
        armed.seen++;
        if (armed.seen == armed.nth || (armed.lasts && armed.seen > armed.nth)) code = armed.code;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

#define REAL(f) (((file_t *)(f))->real)
#define FAIL(kind, f)                                     \
    do {                                                  \
        int code_ = fate((kind), ((file_t *)(f))->path);  \
        if (code_ != SQLITE_OK) return code_;             \
    } while (0)

static int x_close(sqlite3_file *f) {
    return REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
}
static int x_read(sqlite3_file *f, void *to, int count, sqlite3_int64 offset) {
    FAIL(CFV_READ, f);
    return REAL(f)->pMethods->xRead(REAL(f), to, count, offset);
}
static int x_write(sqlite3_file *f, const void *from, int count, sqlite3_int64 offset) {
    int code = fate(CFV_WRITE, ((file_t *)f)->path);
    if (code != SQLITE_OK) {
        if (count > 1) REAL(f)->pMethods->xWrite(REAL(f), from, count / 2, offset);
        return code;
    }
    return REAL(f)->pMethods->xWrite(REAL(f), from, count, offset);
}
static int x_truncate(sqlite3_file *f, sqlite3_int64 size) {
    FAIL(CFV_TRUNCATE, f);
    return REAL(f)->pMethods->xTruncate(REAL(f), size);
}
static int x_sync(sqlite3_file *f, int flags) {
    FAIL(CFV_SYNC, f);
    return REAL(f)->pMethods->xSync(REAL(f), flags);
}
static int x_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int x_lock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int x_unlock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int x_check(sqlite3_file *f, int *out) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out); }
static int x_control(sqlite3_file *f, int op, void *arg) { return REAL(f)->pMethods->xFileControl(REAL(f), op, arg); }
static int x_sector(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
static int x_traits(sqlite3_file *f) { return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f)); }
static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
    FAIL(CFV_SHM, f);
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, out);
}
static int x_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}
static void x_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int x_shm_unmap(sqlite3_file *f, int remove) { return REAL(f)->pMethods->xShmUnmap(REAL(f), remove); }

/* Version 2: without xFetch, so that nothing is read past this shim through a mapping. */
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_check,
    .xFileControl = x_control,
    .xSectorSize = x_sector,
    .xDeviceCharacteristics = x_traits,
    .xShmMap = x_shm_map,
    .xShmLock = x_shm_lock,
    .xShmBarrier = x_shm_barrier,
    .xShmUnmap = x_shm_unmap,
};

static int x_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *out) {
    file_t *file = (file_t *)f;
    (void)vfs;
    file->base.pMethods = 0;
    file->path = path;
    file->real = (sqlite3_file *)(file + 1);
    int code = fate(CFV_OPEN, path);
    if (code != SQLITE_OK) return code;
    code = real_vfs->xOpen(real_vfs, path, file->real, flags, out);
    /* Where there are methods SQLite closes the file, also after a failure. */
    if (file->real->pMethods) file->base.pMethods = &methods;
    return code;
}

int cfv_install(void) {
    int code = SQLITE_OK;
    pthread_mutex_lock(&lock);
    if (!real_vfs) {
        real_vfs = sqlite3_vfs_find(0);
        if (!real_vfs) {
            code = SQLITE_ERROR;
        } else {
            shim = *real_vfs;
            shim.zName = "failing";
            shim.pNext = 0;
            shim.szOsFile = (int)sizeof(file_t) + real_vfs->szOsFile;
            shim.xOpen = x_open;
            code = sqlite3_vfs_register(&shim, 1);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

void cfv_arm(const char *prefix, int kinds, int nth, int code, int lasts) {
    pthread_mutex_lock(&lock);
    strncpy(armed.prefix, prefix, sizeof armed.prefix - 1);
    armed.prefix[sizeof armed.prefix - 1] = 0;
    armed.kinds = kinds;
    armed.nth = nth;
    armed.code = code;
    armed.lasts = lasts;
    armed.seen = 0;
    pthread_mutex_unlock(&lock);
}

int cfv_disarm(void) {
    pthread_mutex_lock(&lock);
    int seen = armed.seen;
    armed.kinds = 0;
    pthread_mutex_unlock(&lock);
    return seen;
}
