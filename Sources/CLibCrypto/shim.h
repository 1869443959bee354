#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

// Contexts are made once with their key and used for many pages: making one takes as long as decrypting a page.
// Freeing a context overwrites the keys in it.

// A context that encrypts (1) or decrypts (0) whole blocks with AES-256-CBC, without padding; NULL when libcrypto has none.
static inline EVP_CIPHER_CTX *realmfile_aes_new(const unsigned char *key, int encrypts)
{
   static const unsigned char no_iv[16] = {0};
   EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
   if (context == NULL || EVP_CipherInit_ex2(context, EVP_aes_256_cbc(), key, no_iv, encrypts, NULL) != 1 ||
       EVP_CIPHER_CTX_set_padding(context, 0) != 1) {
      EVP_CIPHER_CTX_free(context);
      return NULL;
   }
   return context;
}

// Encrypts or decrypts `size` bytes, a multiple of 16, to where there is as much room.
static inline int realmfile_aes(EVP_CIPHER_CTX *context, const unsigned char *iv, const unsigned char *bytes,
                                unsigned char *result, int size)
{
   int written = 0;
   return EVP_CipherInit_ex2(context, NULL, NULL, iv, -1, NULL) == 1 &&
          EVP_CipherUpdate(context, result, &written, bytes, size) == 1 && written == size;
}

// A context for HMAC-SHA-224; NULL when libcrypto has none.
static inline EVP_MAC_CTX *realmfile_hmac_new(const unsigned char *key, size_t key_size)
{
   char digest[] = "SHA224";
   OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
   EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
   EVP_MAC_CTX *context = EVP_MAC_CTX_new(algorithm);
   EVP_MAC_free(algorithm);
   if (context == NULL || EVP_MAC_init(context, key, key_size, parameters) != 1) {
      EVP_MAC_CTX_free(context);
      return NULL;
   }
   return context;
}

// The 28 bytes of the code of `size` bytes.
static inline int realmfile_hmac(EVP_MAC_CTX *context, const unsigned char *bytes, size_t size, unsigned char *code)
{
   size_t written = 0;
   return EVP_MAC_init(context, NULL, 0, NULL) == 1 && EVP_MAC_update(context, bytes, size) == 1 &&
          EVP_MAC_final(context, code, &written, 28) == 1 && written == 28;
}
