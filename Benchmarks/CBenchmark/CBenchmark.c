#include "CBenchmark.h"

#include <stdlib.h>

extern char **environ;

char **benchmark_environment(void) { return environ; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

// The program's own malloc stands before that of the C library, for the Swift runtime and libcrypto too.
#if defined(__GLIBC__) && !defined(SANITIZED)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static _Thread_local long allocations;

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations += 1;
    return __libc_realloc(block, size);
}

long benchmark_allocation_count(void) { return allocations; }

#else

long benchmark_allocation_count(void) { return -1; }

#endif
