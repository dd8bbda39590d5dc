// libsodium, loaded when it is first needed: only signatures of packs need it.

#pragma once

#include <stddef.h>
#include <stdint.h>

// The sizes of Ed25519, of BLAKE2b as minisign uses it, and of a password's salt.
enum {
    csodium_public_key_size = 32,
    csodium_secret_key_size = 64,
    csodium_signature_size = 64,
    csodium_salt_size = 32,
};

// How much work and memory a password costs: what answers at once, and what minisign asks for.
extern const uint64_t csodium_work_interactive, csodium_work_sensitive;
extern const size_t csodium_memory_interactive, csodium_memory_sensitive;

// Loads the library once; null when it can be used, otherwise what went wrong. Nothing else may be called before.
const char *csodium_load(void);

void csodium_random(void *bytes, size_t count);
void csodium_wipe(void *bytes, size_t count);

// All of these give 0 when all went well. A digest has 16 to 64 bytes.
int csodium_keypair(uint8_t *public_key, uint8_t *secret_key);
int csodium_sign(uint8_t *signature, const uint8_t *bytes, size_t count, const uint8_t *secret_key);
int csodium_verify(const uint8_t *signature, const uint8_t *bytes, size_t count, const uint8_t *public_key);
int csodium_blake2b(uint8_t *digest, size_t size, const uint8_t *bytes, size_t count);
int csodium_scrypt(
    uint8_t *stream, size_t size, const char *password, size_t count, const uint8_t *salt, uint64_t work,
    size_t memory);
