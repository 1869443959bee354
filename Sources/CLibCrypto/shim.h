#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

// Contexts are made once with their key and used for many pages: making one takes as long as decrypting a page.
// Freeing a context overwrites the keys in it.

// A context that decrypts whole blocks with AES-256-CBC, without padding; NULL when libcrypto has none.
static inline EVP_CIPHER_CTX *realmfile_aes_new(const unsigned char *key)
{
   static const unsigned char no_iv[16] = {0};
   EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
   if (context == NULL || EVP_DecryptInit_ex2(context, EVP_aes_256_cbc(), key, no_iv, NULL) != 1 ||
       EVP_CIPHER_CTX_set_padding(context, 0) != 1) {
      EVP_CIPHER_CTX_free(context);
      return NULL;
   }
   return context;
}

// Decrypts `size` bytes, a multiple of 16, to where there is as much room.
static inline int realmfile_aes_decrypt(EVP_CIPHER_CTX *context, const unsigned char *iv, const unsigned char *bytes,
                                        unsigned char *plain, int size)
{
   int written = 0;
   return EVP_DecryptInit_ex2(context, NULL, NULL, iv, NULL) == 1 &&
          EVP_DecryptUpdate(context, plain, &written, bytes, size) == 1 && written == size;
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
