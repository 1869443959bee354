#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Encrypts a plain file, each page written once. False when a file cannot be read or written.
bool container_encrypt(const char *plain, const char *encrypted, const uint8_t key[64]);

/// A file in memory.
struct container;

/// Reads a file; NULL when that fails.
struct container *container_load(const char *path);
void container_free(struct container *container);

/// Computes the code of each page and decrypts it, with libcrypto and nothing else. False when a code does not match.
bool container_decrypt_all(const struct container *container, const uint8_t key[64]);

/// Encrypts each whole page of a plain file and computes its code, with libcrypto and nothing else.
void container_encrypt_all(const struct container *plain, const uint8_t key[64]);
