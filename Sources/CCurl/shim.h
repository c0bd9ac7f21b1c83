// What Swift cannot import of libcurl: variadic functions, a symbol table filled at run time, one union.
//
// Nothing here is linked: `ak_curl_load` opens the library when it is first needed.
#pragma once

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#pragma clang assume_nonnull begin

/// The functions of libcurl that are used, as found in the opened library.
typedef struct ak_curl_api {
  CURLcode (*global_init)(long flags);
  const char *_Nonnull (*easy_strerror)(CURLcode code);
  CURL *_Nullable (*easy_init)(void);
  void (*easy_cleanup)(CURL *easy);
  CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
  CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
  CURLM *_Nullable (*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *multi);
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *_Nullable extra, unsigned int count, int milliseconds,
                          int *_Nullable ready);
  CURLMcode (*multi_wakeup)(CURLM *multi);
  CURLMsg *_Nullable (*multi_info_read)(CURLM *multi, int *remaining);
  CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
  struct curl_slist *_Nullable (*slist_append)(struct curl_slist *_Nullable list, const char *text);
  void (*slist_free_all)(struct curl_slist *_Nullable list);
} ak_curl_api;

/// Opens the library and fills the table; null when all is there, else what is missing.
static inline const char *_Nullable ak_curl_load(ak_curl_api *api, const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return library;
  // POSIX dlsym: a function's address arrives as an object pointer; memcpy keeps the conversion defined in C.
#define AK_CURL_FIND(field, name)                        \
  do {                                                   \
    void *symbol = dlsym(handle, name);                  \
    if (!symbol) return name;                            \
    memcpy(&api->field, &symbol, sizeof(symbol));        \
  } while (0)
  AK_CURL_FIND(global_init, "curl_global_init");
  AK_CURL_FIND(easy_strerror, "curl_easy_strerror");
  AK_CURL_FIND(easy_init, "curl_easy_init");
  AK_CURL_FIND(easy_cleanup, "curl_easy_cleanup");
  AK_CURL_FIND(easy_setopt, "curl_easy_setopt");
  AK_CURL_FIND(easy_getinfo, "curl_easy_getinfo");
  AK_CURL_FIND(multi_init, "curl_multi_init");
  AK_CURL_FIND(multi_cleanup, "curl_multi_cleanup");
  AK_CURL_FIND(multi_add_handle, "curl_multi_add_handle");
  AK_CURL_FIND(multi_remove_handle, "curl_multi_remove_handle");
  AK_CURL_FIND(multi_perform, "curl_multi_perform");
  AK_CURL_FIND(multi_poll, "curl_multi_poll");
  AK_CURL_FIND(multi_wakeup, "curl_multi_wakeup");
  AK_CURL_FIND(multi_info_read, "curl_multi_info_read");
  AK_CURL_FIND(multi_setopt, "curl_multi_setopt");
  AK_CURL_FIND(slist_append, "curl_slist_append");
  AK_CURL_FIND(slist_free_all, "curl_slist_free_all");
#undef AK_CURL_FIND
  return NULL;
}

static inline CURLcode ak_curl_set_long(const ak_curl_api *api, CURL *easy, CURLoption option, long value) {
  return api->easy_setopt(easy, option, value);
}

static inline CURLcode ak_curl_set_offset(const ak_curl_api *api, CURL *easy, CURLoption option, curl_off_t value) {
  return api->easy_setopt(easy, option, value);
}

static inline CURLcode ak_curl_set_string(const ak_curl_api *api, CURL *easy, CURLoption option,
                                          const char *_Nullable value) {
  return api->easy_setopt(easy, option, value);
}

static inline CURLcode ak_curl_set_pointer(const ak_curl_api *api, CURL *easy, CURLoption option,
                                           const void *_Nullable value) {
  return api->easy_setopt(easy, option, value);
}

static inline CURLcode ak_curl_set_list(const ak_curl_api *api, CURL *easy, CURLoption option,
                                        struct curl_slist *_Nullable value) {
  return api->easy_setopt(easy, option, value);
}

/// Restricts to http and https: by name, or by bit mask (CURLOPT_PROTOCOLS) in a library before 7.85.
static inline CURLcode ak_curl_set_protocols(const ak_curl_api *api, CURL *easy) {
  CURLcode code = api->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if (code != CURLE_UNKNOWN_OPTION) return code;
  return api->easy_setopt(easy, (CURLoption)(CURLOPTTYPE_LONG + 181), (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

typedef size_t (*ak_curl_data_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ak_curl_progress_callback)(void *_Nullable context, curl_off_t down_total, curl_off_t down,
                                         curl_off_t up_total, curl_off_t up);
typedef int (*ak_curl_prerequest_callback)(void *_Nullable context, char *_Nullable remote, char *_Nullable local,
                                           int remote_port, int local_port);
typedef curl_socket_t (*ak_curl_socket_callback)(void *_Nullable context, curlsocktype purpose,
                                                 struct curl_sockaddr *_Nullable address);

/// Sets every callback, all with the same context.
static inline CURLcode ak_curl_set_callbacks(const ak_curl_api *api, CURL *easy, void *context,
                                             ak_curl_data_callback header, ak_curl_data_callback body,
                                             ak_curl_progress_callback progress,
                                             ak_curl_prerequest_callback prerequest,
                                             ak_curl_socket_callback socket) {
  CURLcode code = CURLE_OK;
  if (!code) code = api->easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (!code) code = api->easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (!code) code = api->easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (!code) code = api->easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (!code) code = api->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  if (!code) code = api->easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  if (!code) code = api->easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  if (!code) code = api->easy_setopt(easy, CURLOPT_PREREQFUNCTION, prerequest);
  if (!code) code = api->easy_setopt(easy, CURLOPT_PREREQDATA, context);
  if (!code) code = api->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, socket);
  if (!code) code = api->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  return code;
}

static inline CURLcode ak_curl_get_long(const ak_curl_api *api, CURL *easy, CURLINFO info, long *value) {
  return api->easy_getinfo(easy, info, value);
}

static inline CURLMcode ak_curl_multi_set_long(const ak_curl_api *api, CURLM *multi, CURLMoption option, long value) {
  return api->multi_setopt(multi, option, value);
}

/// Takes the next transfer that has ended; null when there is none.
static inline CURL *_Nullable ak_curl_next_ended(const ak_curl_api *api, CURLM *multi, CURLcode *code) {
  int remaining = 0;
  const CURLMsg *message;
  while ((message = api->multi_info_read(multi, &remaining))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

/// Opens a socket that children do not inherit; refuses addresses beyond loopback when asked to.
static inline curl_socket_t ak_curl_open_socket(const struct curl_sockaddr *address, int only_loopback) {
  if (only_loopback) {
    static const struct in6_addr loopback = IN6ADDR_LOOPBACK_INIT;
    // libcurl keeps the whole address behind the `addr` member, addrlen bytes of it.
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
      struct sockaddr_in ip;
      memcpy(&ip, &address->addr, sizeof(ip));
      if ((ntohl(ip.sin_addr.s_addr) >> 24) != 127) return CURL_SOCKET_BAD;
    } else if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
      struct sockaddr_in6 ip;
      memcpy(&ip, (const char *)address + offsetof(struct curl_sockaddr, addr), sizeof(ip));
      if (memcmp(&ip.sin6_addr, &loopback, sizeof(loopback)) != 0) return CURL_SOCKET_BAD;
    } else {
      return CURL_SOCKET_BAD;
    }
  }
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  return socket(address->family, address->socktype, address->protocol);
#endif
}

/// Names the calling thread for debuggers; prctl(2) is variadic.
static inline int ak_curl_name_thread(const char *name) {
#ifdef __linux__
  return prctl(PR_SET_NAME, name, 0, 0, 0);
#else
  (void)name;
  return 0;
#endif
}

#pragma clang assume_nonnull end
