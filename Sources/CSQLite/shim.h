#pragma once
#include <sqlite3.h>

/* Swift imports no variadic functions and no macro with a cast. */

static inline int ak_sqlite3_set_defensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

static inline int ak_sqlite3_bind_blob_copied(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* The error number of the system call that failed last. A commit that fails leaves none with the connection, so that
   the log's file is asked then. */
static inline int ak_sqlite3_system_errno(sqlite3 *database) {
    int number = sqlite3_system_errno(database);
    sqlite3_file *log = (sqlite3_file *)0;
    if (number == 0 && sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
        log->pMethods) {
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
    }
    return number;
}
