// What Swift cannot import of libpq: a symbol table filled at run time, arrays of strings, poll(2), a callback.
//
// Nothing here is linked: `ak_pq_load` opens the library when it is first needed. Only builds with the package trait
// `Postgres` read this file, so that others need no libpq-dev.
#pragma once

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>

#pragma clang assume_nonnull begin

/// The functions of libpq that are used, as found in the opened library.
typedef struct ak_pq_api {
  PGconn *_Nullable (*connect_start)(const char *_Nullable const *keywords, const char *_Nullable const *values,
                                     int expand);
  PostgresPollingStatusType (*connect_poll)(PGconn *connection);
  ConnStatusType (*status)(const PGconn *connection);
  int (*socket)(const PGconn *connection);
  char *_Nullable (*error_message)(const PGconn *connection);
  int (*needs_password)(const PGconn *connection);
  PGVerbosity (*set_error_verbosity)(PGconn *connection, PGVerbosity verbosity);
  PQnoticeReceiver _Nullable (*set_notice_receiver)(PGconn *connection, PQnoticeReceiver receiver,
                                                    void *_Nullable context);
  int (*set_nonblocking)(PGconn *connection, int on);
  int (*send_query)(PGconn *connection, const char *script);
  int (*send_prepare)(PGconn *connection, const char *name, const char *query, int count, const Oid *_Nullable types);
  int (*send_prepared)(PGconn *connection, const char *name, int count, const char *_Nullable const *_Nullable values,
                       const int *_Nullable lengths, const int *_Nullable formats, int result_format);
  int (*flush)(PGconn *connection);
  int (*consume_input)(PGconn *connection);
  int (*is_busy)(PGconn *connection);
  PGresult *_Nullable (*get_result)(PGconn *connection);
  void (*finish)(PGconn *connection);
  ExecStatusType (*result_status)(const PGresult *result);
  char *_Nullable (*result_error_field)(const PGresult *result, int field);
  int (*row_count)(const PGresult *result);
  int (*column_count)(const PGresult *result);
  int (*is_null)(const PGresult *result, int row, int column);
  int (*value_length)(const PGresult *result, int row, int column);
  char *_Nullable (*value)(const PGresult *result, int row, int column);
  void (*clear)(PGresult *result);
  PQconninfoOption *_Nullable (*parse_address)(const char *address, char *_Nullable *_Nonnull message);
  void (*free_options)(PQconninfoOption *options);
  void (*free_memory)(void *memory);
} ak_pq_api;

/// Opens the library and fills the table; null when all is there, else what is missing.
static inline const char *_Nullable ak_pq_load(ak_pq_api *api, const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return library;
  // POSIX dlsym: a function's address arrives as an object pointer; memcpy keeps the conversion defined in C.
#define AK_PQ_FIND(field, name)                   \
  do {                                            \
    void *symbol = dlsym(handle, name);           \
    if (!symbol) return name;                     \
    memcpy(&api->field, &symbol, sizeof(symbol)); \
  } while (0)
  AK_PQ_FIND(connect_start, "PQconnectStartParams");
  AK_PQ_FIND(connect_poll, "PQconnectPoll");
  AK_PQ_FIND(status, "PQstatus");
  AK_PQ_FIND(socket, "PQsocket");
  AK_PQ_FIND(error_message, "PQerrorMessage");
  AK_PQ_FIND(needs_password, "PQconnectionNeedsPassword");
  AK_PQ_FIND(set_error_verbosity, "PQsetErrorVerbosity");
  AK_PQ_FIND(set_notice_receiver, "PQsetNoticeReceiver");
  AK_PQ_FIND(set_nonblocking, "PQsetnonblocking");
  AK_PQ_FIND(send_query, "PQsendQuery");
  AK_PQ_FIND(send_prepare, "PQsendPrepare");
  AK_PQ_FIND(send_prepared, "PQsendQueryPrepared");
  AK_PQ_FIND(flush, "PQflush");
  AK_PQ_FIND(consume_input, "PQconsumeInput");
  AK_PQ_FIND(is_busy, "PQisBusy");
  AK_PQ_FIND(get_result, "PQgetResult");
  AK_PQ_FIND(finish, "PQfinish");
  AK_PQ_FIND(result_status, "PQresultStatus");
  AK_PQ_FIND(result_error_field, "PQresultErrorField");
  AK_PQ_FIND(row_count, "PQntuples");
  AK_PQ_FIND(column_count, "PQnfields");
  AK_PQ_FIND(is_null, "PQgetisnull");
  AK_PQ_FIND(value_length, "PQgetlength");
  AK_PQ_FIND(value, "PQgetvalue");
  AK_PQ_FIND(clear, "PQclear");
  AK_PQ_FIND(parse_address, "PQconninfoParse");
  AK_PQ_FIND(free_options, "PQconninfoFree");
  AK_PQ_FIND(free_memory, "PQfreemem");
#undef AK_PQ_FIND
  return NULL;
}

/// Drops notices, which libpq would print on standard error.
static inline void ak_pq_ignore_notice(void *_Nullable context, const PGresult *_Nullable result) {
  (void)context;
  (void)result;
}

/// Begins to connect to an address (a URI, or keywords and values); null when memory is out.
///
/// The errors of this phase carry their SQLSTATE in the text, since there is no result to ask for it.
static inline PGconn *_Nullable ak_pq_connect_start(const ak_pq_api *api, const char *address) {
  const char *const keywords[] = {"dbname", "fallback_application_name", "client_encoding", NULL};
  const char *const values[] = {address, "authkit", "UTF8", NULL};
  PGconn *connection = api->connect_start(keywords, values, 1);
  if (!connection) return NULL;
  api->set_error_verbosity(connection, PQERRORS_VERBOSE);
  api->set_notice_receiver(connection, ak_pq_ignore_notice, NULL);
  return connection;
}

/// Waits for a connection's socket, so many milliseconds at most: positive when it is ready, zero when not, negative
/// with errno when poll(2) fails.
static inline int ak_pq_wait(int descriptor, int for_reading, int for_writing, int milliseconds) {
  struct pollfd entry = {.fd = descriptor, .events = (short)((for_reading ? POLLIN : 0) | (for_writing ? POLLOUT : 0))};
  int ready = poll(&entry, 1, milliseconds);
  return ready < 0 && errno == EINTR ? 0 : ready;
}

/// Whether a key word of a parsed address is a secret or may be one (libpq's display character, or its name).
static inline int ak_pq_is_secret(const PQconninfoOption *option) {
  return option->dispchar[0] == '*' || strstr(option->keyword, "password") != NULL;
}

#pragma clang assume_nonnull end
