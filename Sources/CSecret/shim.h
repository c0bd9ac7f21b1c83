// What Swift cannot call of libsecret: variadic functions, found in a library that is opened when it is first needed.
//
// Nothing here is linked, and no header of libsecret or GLib is needed: the few types that cross are written out as
// their stable interfaces (libsecret-1.so.0, libgio-2.0.so.0, libglib-2.0.so.0) have them.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#pragma clang assume_nonnull begin

/// SecretSchema of libsecret-1: a name, flags (0: the name is matched), attributes ended by a null name.
typedef struct ak_secret_schema {
  const char *name;
  int flags;
  struct {
    const char *_Nullable name;
    int type;  // 0: a string
  } attributes[32];
  int reserved;
  void *_Nullable reserved_pointers[7];
} ak_secret_schema;

/// GError of GLib.
typedef struct ak_secret_error {
  unsigned int domain;
  int code;
  char *message;
} ak_secret_error;

/// The functions that are used, as found in the opened libraries.
typedef struct ak_secret_api {
  char *_Nullable (*lookup)(const ak_secret_schema *schema, void *_Nullable cancellable,
                            ak_secret_error *_Nullable *_Nonnull error, ...);
  int (*store)(const ak_secret_schema *schema, const char *_Nullable collection, const char *label,
               const char *password, void *_Nullable cancellable, ak_secret_error *_Nullable *_Nonnull error, ...);
  void (*free_password)(char *_Nullable password);
  void *_Nullable (*bus_get)(int type, void *_Nullable cancellable, ak_secret_error *_Nullable *_Nonnull error);
  void (*bus_set_exit_on_close)(void *bus, int exits);
  void *_Nullable (*cancellable_new)(void);
  void (*cancellable_cancel)(void *cancellable);
  void (*object_unref)(void *object);
  void (*error_free)(ak_secret_error *error);
} ak_secret_api;

/// Opens the libraries and fills the table; null when all is there, else what is missing.
static inline const char *_Nullable ak_secret_load(ak_secret_api *api, const char *library) {
  // Its dependencies come with it: their functions are found through its handle.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return library;
  // POSIX dlsym: a function's address arrives as an object pointer; memcpy keeps the conversion defined in C.
#define AK_SECRET_FIND(field, name)               \
  do {                                            \
    void *symbol = dlsym(handle, name);           \
    if (!symbol) return name;                     \
    memcpy(&api->field, &symbol, sizeof(symbol)); \
  } while (0)
  AK_SECRET_FIND(lookup, "secret_password_lookup_nonpageable_sync");
  AK_SECRET_FIND(store, "secret_password_store_sync");
  AK_SECRET_FIND(free_password, "secret_password_free");
  AK_SECRET_FIND(bus_get, "g_bus_get_sync");
  AK_SECRET_FIND(bus_set_exit_on_close, "g_dbus_connection_set_exit_on_close");
  AK_SECRET_FIND(cancellable_new, "g_cancellable_new");
  AK_SECRET_FIND(cancellable_cancel, "g_cancellable_cancel");
  AK_SECRET_FIND(object_unref, "g_object_unref");
  AK_SECRET_FIND(error_free, "g_error_free");
#undef AK_SECRET_FIND
  return NULL;
}

/// The schema of our items: one attribute, which names the key.
static inline ak_secret_schema ak_secret_key_schema(void) {
  ak_secret_schema schema;
  memset(&schema, 0, sizeof(schema));
  schema.name = "authkit.StoreKey";
  schema.attributes[0].name = "key";
  return schema;
}

/// Connects to the session bus, so that the end of the bus does not end the process, which is what GLib is set to do.
///
/// The connection is the one that all of the process shares; the reference to it is kept for good. Zero on failure.
static inline int ak_secret_connect(const ak_secret_api *api, void *_Nullable cancellable,
                                    ak_secret_error *_Nullable *_Nonnull error) {
  void *bus = api->bus_get(2, cancellable, error);  // G_BUS_TYPE_SESSION
  if (!bus) return 0;
  api->bus_set_exit_on_close(bus, 0);
  return 1;
}

/// Reads an item's secret; null when there is none that can be read, with an error or without.
static inline char *_Nullable ak_secret_lookup(const ak_secret_api *api, const char *key, void *_Nullable cancellable,
                                               ak_secret_error *_Nullable *_Nonnull error) {
  ak_secret_schema schema = ak_secret_key_schema();
  return api->lookup(&schema, cancellable, error, "key", key, (char *)NULL);
}

/// Stores bytes without a zero in the user's default collection; not zero when they are stored.
static inline int ak_secret_store(const ak_secret_api *api, const char *key, const char *label,
                                  const void *_Nullable bytes, size_t count, void *_Nullable cancellable,
                                  ak_secret_error *_Nullable *_Nonnull error) {
  ak_secret_schema schema = ak_secret_key_schema();
  char text[256];
  if (count == 0 || count >= sizeof(text) || !bytes) return 0;
  memcpy(text, bytes, count);
  text[count] = 0;
  int stored = api->store(&schema, "default", label, text, cancellable, error, "key", key, (char *)NULL);
  explicit_bzero(text, sizeof(text));
  return stored;
}

/// The length of an item's text.
static inline size_t ak_secret_length(const char *text) { return strlen(text); }

/// The sentence of an error.
static inline const char *ak_secret_message(const ak_secret_error *error) { return error->message; }

#pragma clang assume_nonnull end
