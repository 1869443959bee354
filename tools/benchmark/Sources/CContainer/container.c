#include "container.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES_IN_BLOCK = 64, ENTRY = 64, CODE = 28 };

struct container {
    uint8_t *bytes;
    size_t size;
};

static EVP_MAC_CTX *new_hmac(const uint8_t key[64])
{
    char digest[] = "SHA224";
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(algorithm);
    EVP_MAC_free(algorithm);
    EVP_MAC_init(context, key + 32, 32, parameters);
    return context;
}

static void compute_code(EVP_MAC_CTX *context, const uint8_t *page, uint8_t code[CODE])
{
    size_t written;
    EVP_MAC_init(context, NULL, 0, NULL);
    EVP_MAC_update(context, page, PAGE);
    EVP_MAC_final(context, code, &written, CODE);
}

static void make_vector(uint8_t vector[16], uint32_t counter, uint64_t offset)
{
    memset(vector, 0, 16);
    for (int index = 0; index < 4; index++) vector[index] = (uint8_t) (counter >> (8 * index));
    for (int index = 0; index < 8; index++) vector[4 + index] = (uint8_t) (offset >> (8 * index));
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t) ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + PAGE);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

bool container_encrypt(const char *plain, const char *encrypted, const uint8_t key[64])
{
    size_t size;
    uint8_t *bytes = read_file(plain, &size);
    if (bytes == NULL) return false;
    size_t padded = (size + PAGE - 1) / PAGE * PAGE;
    // The footer of the streaming form ends the last page.
    bool is_streaming = size > 40 && memcmp(bytes, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) == 0;
    if (is_streaming) memmove(bytes + padded - 16, bytes + size - 16, 16);
    memset(bytes + size - (is_streaming ? 16 : 0), 0, padded - size);

    FILE *file = fopen(encrypted, "wb");
    EVP_MAC_CTX *hmac = new_hmac(key);
    EVP_CIPHER_CTX *aes = EVP_CIPHER_CTX_new();
    bool is_fine = file != NULL;
    for (size_t first = 0; is_fine && first < padded / PAGE; first += PAGES_IN_BLOCK) {
        uint8_t table[PAGE] = {0};
        size_t count = padded / PAGE - first < PAGES_IN_BLOCK ? padded / PAGE - first : PAGES_IN_BLOCK;
        uint8_t *pages = malloc(count * PAGE);
        for (size_t index = 0; index < count; index++) {
            uint64_t offset = (first + index) * PAGE;
            uint8_t vector[16];
            int written;
            make_vector(vector, 1, offset);
            EVP_EncryptInit_ex(aes, EVP_aes_256_cbc(), NULL, key, vector);
            EVP_CIPHER_CTX_set_padding(aes, 0);
            EVP_EncryptUpdate(aes, pages + index * PAGE, &written, bytes + offset, PAGE);
            table[index * ENTRY] = 1;
            compute_code(hmac, pages + index * PAGE, table + index * ENTRY + 4);
        }
        is_fine = fwrite(table, 1, PAGE, file) == PAGE && fwrite(pages, 1, count * PAGE, file) == count * PAGE;
        free(pages);
    }
    EVP_CIPHER_CTX_free(aes);
    EVP_MAC_CTX_free(hmac);
    free(bytes);
    return file != NULL && fclose(file) == 0 && is_fine;
}

struct container *container_load(const char *path)
{
    struct container *container = malloc(sizeof *container);
    container->bytes = read_file(path, &container->size);
    if (container->bytes != NULL) return container;
    free(container);
    return NULL;
}

void container_free(struct container *container)
{
    free(container->bytes);
    free(container);
}

bool container_decrypt_all(const struct container *container, const uint8_t key[64])
{
    static const uint8_t no_vector[16];
    uint8_t page[PAGE];
    EVP_MAC_CTX *hmac = new_hmac(key);
    EVP_CIPHER_CTX *aes = EVP_CIPHER_CTX_new();
    EVP_DecryptInit_ex(aes, EVP_aes_256_cbc(), NULL, key, no_vector);
    EVP_CIPHER_CTX_set_padding(aes, 0);
    size_t total = container->size / PAGE;
    size_t index = 0;
    bool is_fine = true;
    for (size_t place = 0; is_fine && place < total; place++) {
        if (place % (PAGES_IN_BLOCK + 1) == 0) continue;
        const uint8_t *table = container->bytes + place / (PAGES_IN_BLOCK + 1) * (PAGES_IN_BLOCK + 1) * PAGE;
        const uint8_t *entry = table + index % PAGES_IN_BLOCK * ENTRY;
        uint8_t code[CODE], vector[16];
        int written;
        compute_code(hmac, container->bytes + place * PAGE, code);
        is_fine = memcmp(code, entry + 4, CODE) == 0;
        make_vector(vector, entry[0], index * PAGE);
        EVP_DecryptInit_ex(aes, NULL, NULL, NULL, vector);
        EVP_DecryptUpdate(aes, page, &written, container->bytes + place * PAGE, PAGE);
        index++;
    }
    EVP_CIPHER_CTX_free(aes);
    EVP_MAC_CTX_free(hmac);
    return is_fine;
}

void container_encrypt_all(const struct container *plain, const uint8_t key[64])
{
    static const uint8_t no_vector[16];
    uint8_t page[PAGE], code[CODE], vector[16];
    EVP_MAC_CTX *hmac = new_hmac(key);
    EVP_CIPHER_CTX *aes = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(aes, EVP_aes_256_cbc(), NULL, key, no_vector);
    EVP_CIPHER_CTX_set_padding(aes, 0);
    for (size_t offset = 0; offset + PAGE <= plain->size; offset += PAGE) {
        int written;
        make_vector(vector, 1, offset);
        EVP_EncryptInit_ex(aes, NULL, NULL, NULL, vector);
        EVP_EncryptUpdate(aes, page, &written, plain->bytes + offset, PAGE);
        compute_code(hmac, page, code);
    }
    EVP_CIPHER_CTX_free(aes);
    EVP_MAC_CTX_free(hmac);
}
