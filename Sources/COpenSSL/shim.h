#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// Names of parameters. An OSSL_PARAM keeps the pointer to its name, so the name must be a C literal: Swift's import of
// these macros as String would hand over storage that ends with the call.
#define AK_NAME(name, value) \
    static inline const char *_Nonnull ak_name_##name(void) { return value; }
AK_NAME(digest, OSSL_KDF_PARAM_DIGEST)
AK_NAME(kdf_key, OSSL_KDF_PARAM_KEY)
AK_NAME(salt, OSSL_KDF_PARAM_SALT)
AK_NAME(info, OSSL_KDF_PARAM_INFO)
AK_NAME(password, OSSL_KDF_PARAM_PASSWORD)
AK_NAME(scrypt_n, OSSL_KDF_PARAM_SCRYPT_N)
AK_NAME(scrypt_r, OSSL_KDF_PARAM_SCRYPT_R)
AK_NAME(scrypt_p, OSSL_KDF_PARAM_SCRYPT_P)
AK_NAME(scrypt_memory, OSSL_KDF_PARAM_SCRYPT_MAXMEM)
AK_NAME(group, OSSL_PKEY_PARAM_GROUP_NAME)
AK_NAME(public_key, OSSL_PKEY_PARAM_PUB_KEY)
AK_NAME(private_key, OSSL_PKEY_PARAM_PRIV_KEY)
AK_NAME(ec_x, OSSL_PKEY_PARAM_EC_PUB_X)
AK_NAME(ec_y, OSSL_PKEY_PARAM_EC_PUB_Y)
AK_NAME(rsa_n, OSSL_PKEY_PARAM_RSA_N)
AK_NAME(rsa_e, OSSL_PKEY_PARAM_RSA_E)
AK_NAME(rsa_d, OSSL_PKEY_PARAM_RSA_D)
AK_NAME(rsa_p, OSSL_PKEY_PARAM_RSA_FACTOR1)
AK_NAME(rsa_q, OSSL_PKEY_PARAM_RSA_FACTOR2)
AK_NAME(rsa_dp, OSSL_PKEY_PARAM_RSA_EXPONENT1)
AK_NAME(rsa_dq, OSSL_PKEY_PARAM_RSA_EXPONENT2)
AK_NAME(rsa_qi, OSSL_PKEY_PARAM_RSA_COEFFICIENT1)
#undef AK_NAME

// Selections that are composed of other macros.
static inline int ak_selection_public(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline int ak_selection_pair(void) { return EVP_PKEY_KEYPAIR; }

// BIO_get_mem_data is a macro over BIO_ctrl.
static inline long ak_bio_memory(BIO *_Nonnull bio, char *_Nullable *_Nonnull bytes) {
    return BIO_get_mem_data(bio, bytes);
}
