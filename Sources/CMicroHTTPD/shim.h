#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <microhttpd.h>

/// The functions of libmicrohttpd that are called, found when the library is opened.
typedef struct {
    struct MHD_Daemon *_Nullable (*_Nullable start_daemon)(
        unsigned int, uint16_t, MHD_AcceptPolicyCallback _Nullable, void *_Nullable, MHD_AccessHandlerCallback _Nullable,
        void *_Nullable, ...);
    MHD_socket (*_Nullable quiesce_daemon)(struct MHD_Daemon *_Nonnull);
    void (*_Nullable stop_daemon)(struct MHD_Daemon *_Nonnull);
    void (*_Nullable suspend_connection)(struct MHD_Connection *_Nonnull);
    void (*_Nullable resume_connection)(struct MHD_Connection *_Nonnull);
    int (*_Nullable get_connection_values_n)(
        struct MHD_Connection *_Nonnull, enum MHD_ValueKind, MHD_KeyValueIteratorN _Nonnull, void *_Nullable);
    const union MHD_ConnectionInfo *_Nullable (*_Nullable get_connection_info)(
        struct MHD_Connection *_Nonnull, enum MHD_ConnectionInfoType, ...);
    struct MHD_Response *_Nullable (*_Nullable create_response)(size_t, void *_Nullable, enum MHD_ResponseMemoryMode);
    struct MHD_Response *_Nullable (*_Nullable create_paced_response)(
        uint64_t, size_t, MHD_ContentReaderCallback _Nonnull, void *_Nullable, MHD_ContentReaderFreeCallback _Nonnull);
    enum MHD_Result (*_Nullable add_response_header)(
        struct MHD_Response *_Nonnull, const char *_Nonnull, const char *_Nonnull);
    enum MHD_Result (*_Nullable queue_response)(
        struct MHD_Connection *_Nonnull, unsigned int, struct MHD_Response *_Nonnull);
    void (*_Nullable destroy_response)(struct MHD_Response *_Nonnull);
} ak_mhd_api;

/// Opens the library and fills the table; 0 when every function was found, else -1 and nothing stays open.
static inline int ak_mhd_load(ak_mhd_api *_Nonnull api, const char *_Nonnull name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    int missing = 0;
    // POSIX dlsym: an object pointer that stands for a function is stored through an object pointer.
#define AK_MHD_FIND(field, symbol) \
    do { \
        *(void **)&api->field = dlsym(library, symbol); \
        if (!api->field) missing = 1; \
    } while (0)
    AK_MHD_FIND(start_daemon, "MHD_start_daemon");
    AK_MHD_FIND(quiesce_daemon, "MHD_quiesce_daemon");
    AK_MHD_FIND(stop_daemon, "MHD_stop_daemon");
    AK_MHD_FIND(suspend_connection, "MHD_suspend_connection");
    AK_MHD_FIND(resume_connection, "MHD_resume_connection");
    AK_MHD_FIND(get_connection_values_n, "MHD_get_connection_values_n");
    AK_MHD_FIND(get_connection_info, "MHD_get_connection_info");
    AK_MHD_FIND(create_response, "MHD_create_response_from_buffer");
    AK_MHD_FIND(create_paced_response, "MHD_create_response_from_callback");
    AK_MHD_FIND(add_response_header, "MHD_add_response_header");
    AK_MHD_FIND(queue_response, "MHD_queue_response");
    AK_MHD_FIND(destroy_response, "MHD_destroy_response");
#undef AK_MHD_FIND
    if (missing) {
        dlclose(library);
        return -1;
    }
    return 0;
}

/// What a daemon calls, all with the same first argument.
typedef struct {
    void *_Nonnull context;
    MHD_AccessHandlerCallback _Nonnull handle;
    void *_Nullable (*_Nonnull begin)(void *_Nullable, const char *_Nullable, struct MHD_Connection *_Nullable);
    MHD_RequestCompletedCallback _Nonnull completed;
    MHD_NotifyConnectionCallback _Nonnull connection;
} ak_mhd_callbacks;

/// Starts a daemon with a thread of its own on a listening socket, which stays the caller's.
static inline struct MHD_Daemon *_Nullable ak_mhd_start(
    const ak_mhd_api *_Nonnull api, const ak_mhd_callbacks *_Nonnull callbacks, MHD_socket socket,
    size_t memory_limit, unsigned int connection_limit, unsigned int timeout) {
    return api->start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks->handle, callbacks->context,
        MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->begin, callbacks->context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_END);
}

/// The socket of a connection, -1 when it is not known.
static inline int ak_mhd_socket(const ak_mhd_api *_Nonnull api, struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = api->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// A body that is sent eight bytes at a time.
typedef struct {
    size_t count;
    uint32_t milliseconds;
    unsigned char bytes[];
} ak_mhd_paced_body;

static inline ssize_t ak_mhd_next_piece(
    void *_Nullable context, uint64_t position, char *_Nonnull target, size_t room) {
    const ak_mhd_paced_body *body = context;
    if (position >= body->count) return MHD_CONTENT_READER_END_OF_STREAM;
    struct timespec pause = {body->milliseconds / 1000, (long)(body->milliseconds % 1000) * 1000000L};
    // A signal that cuts the pause short only makes this piece come earlier.
    (void)nanosleep(&pause, NULL);
    size_t count = body->count - (size_t)position;
    if (count > 8) count = 8;
    if (count > room) count = room;
    memcpy(target, body->bytes + position, count);
    return (ssize_t)count;
}

/// A response with a copy of the body and a pause before each eight bytes; NULL without memory.
static inline struct MHD_Response *_Nullable ak_mhd_paced_response(
    const ak_mhd_api *_Nonnull api, const void *_Nullable bytes, size_t count, uint32_t milliseconds) {
    ak_mhd_paced_body *body = malloc(sizeof(ak_mhd_paced_body) + count);
    if (!body) return NULL;
    body->count = count;
    body->milliseconds = milliseconds;
    if (count) memcpy(body->bytes, bytes, count);
    struct MHD_Response *response = api->create_paced_response(count, 8, ak_mhd_next_piece, body, free);
    if (!response) free(body);
    return response;
}
