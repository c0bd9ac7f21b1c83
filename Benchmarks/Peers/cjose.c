// Verifies tokens with cjose and reads the claims with jansson, as often as each line of input says; answers with the
// nanoseconds that took. cjose checks no claims.
//
// usage: cjose FOLDER ALGORITHM

#include <cjose/cjose.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static char *read_file(const char *folder, const char *name, const char *ending, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *file = fopen(path, "r");
    if (!file) exit(1);
    char *text = calloc(1, 65536);
    *size = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count != 3) return 64;
    size_t token_size, key_size;
    char *token = read_file(words[1], words[2], "jwt", &token_size);
    char *text = read_file(words[1], words[2], "jwk", &key_size);
    cjose_err error;
    cjose_jwk_t *key = cjose_jwk_import(text, key_size, &error);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long long start = now();
        for (long left = atol(line); left > 0; left--) {
            cjose_jws_t *signature = cjose_jws_import(token, token_size, &error);
            if (!key || !signature || !cjose_jws_verify(signature, key, &error)) {
                puts("unsupported");
                return 0;
            }
            uint8_t *payload;
            size_t size;
            if (!cjose_jws_get_plaintext(signature, &payload, &size, &error)) return 1;
            json_t *claims = json_loadb((const char *)payload, size, JSON_REJECT_DUPLICATES, NULL);
            if (!claims || !json_object_get(claims, "exp")) return 1;
            json_decref(claims);
            cjose_jws_release(signature);
        }
        printf("%lld\n", now() - start);
        fflush(stdout);
    }
    return 0;
}
