#include "CSodium.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>

// Every function of the library that is used, found by name.
#define FUNCTIONS(F)                                                                                                   \
    F(int, sodium_init, (void))                                                                                        \
    F(void, sodium_memzero, (void *, size_t))                                                                          \
    F(void, randombytes_buf, (void *, size_t))                                                                         \
    F(int, crypto_sign_keypair, (unsigned char *, unsigned char *))                                                    \
    F(int, crypto_sign_detached,                                                                                       \
      (unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *))       \
    F(int, crypto_sign_verify_detached,                                                                                \
      (const unsigned char *, const unsigned char *, unsigned long long, const unsigned char *))                       \
    F(int, crypto_generichash,                                                                                         \
      (unsigned char *, size_t, const unsigned char *, unsigned long long, const unsigned char *, size_t))             \
    F(int, crypto_pwhash_scryptsalsa208sha256,                                                                         \
      (unsigned char *, unsigned long long, const char *, unsigned long long, const unsigned char *,                   \
       unsigned long long, size_t))

static struct {
#define MEMBER(result, name, arguments) result(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} library;

_Static_assert(csodium_public_key_size == crypto_sign_PUBLICKEYBYTES, "an Ed25519 key");
_Static_assert(csodium_secret_key_size == crypto_sign_SECRETKEYBYTES, "an Ed25519 key with its public half");
_Static_assert(csodium_signature_size == crypto_sign_BYTES, "an Ed25519 signature");
_Static_assert(csodium_salt_size == crypto_pwhash_scryptsalsa208sha256_SALTBYTES, "a salt of scrypt");

const uint64_t csodium_work_interactive = crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_INTERACTIVE;
const uint64_t csodium_work_sensitive = crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE;
const size_t csodium_memory_interactive = crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_INTERACTIVE;
const size_t csodium_memory_sensitive = crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

// 23 is 1.0.18, which Debian has; 26 is 1.0.19 and later. What is used here is the same in both.
static void load(void) {
    void *handle = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libsodium.so.26", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "libsodium was not found; install libsodium23");
        return;
    }
#define FIND(result, name, arguments)                                                                                  \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (!library.name) {                                                                                               \
        snprintf(problem, sizeof problem, "libsodium has no %s; 1.0.18 or newer is needed", #name);                    \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
#undef FIND
    if (library.sodium_init() < 0) snprintf(problem, sizeof problem, "libsodium found no source of randomness");
}

const char *csodium_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

void csodium_random(void *bytes, size_t count) { library.randombytes_buf(bytes, count); }
void csodium_wipe(void *bytes, size_t count) { library.sodium_memzero(bytes, count); }

int csodium_keypair(uint8_t *public_key, uint8_t *secret_key) {
    return library.crypto_sign_keypair(public_key, secret_key);
}

int csodium_sign(uint8_t *signature, const uint8_t *bytes, size_t count, const uint8_t *secret_key) {
    return library.crypto_sign_detached(signature, NULL, bytes, count, secret_key);
}

int csodium_verify(const uint8_t *signature, const uint8_t *bytes, size_t count, const uint8_t *public_key) {
    return library.crypto_sign_verify_detached(signature, bytes, count, public_key);
}

int csodium_blake2b(uint8_t *digest, size_t size, const uint8_t *bytes, size_t count) {
    return library.crypto_generichash(digest, size, bytes, count, NULL, 0);
}

int csodium_scrypt(
    uint8_t *stream, size_t size, const char *password, size_t count, const uint8_t *salt, uint64_t work,
    size_t memory) {
    return library.crypto_pwhash_scryptsalsa208sha256(stream, size, password, count, salt, work, memory);
}
