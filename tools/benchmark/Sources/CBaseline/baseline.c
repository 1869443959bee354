#include "baseline.h"

#include <bson/bson.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAXIMUM_DEPTH = 100, KEY_SLOTS = 1 << 16 };

/// Operations that are no BSON type.
enum { END_OF_CHILD = 0xFE, END_OF_DOCUMENT = 0xFF };

/// One call. 24 bytes, read in order: the list costs next to nothing beside the calls.
struct operation {
    uint8_t type;
    uint8_t subtype;
    uint16_t key_length;
    uint32_t length;
    /// NULL for elements of arrays, whose keys are made when they are needed.
    const char *key;
    union {
        int64_t integer;
        double number;
        const void *bytes;
    } value;
};

struct baseline {
    struct operation *operations;
    size_t count, capacity;
    size_t documents, fields, bytes;
    uint8_t **files;
    size_t file_count;
    size_t *file_sizes;
    /// Every key once, as a program has its field names.
    char *keys[KEY_SLOTS];
};

struct baseline *baseline_make(void) { return calloc(1, sizeof(struct baseline)); }

void baseline_free(struct baseline *baseline) {
    for (size_t i = 0; i < KEY_SLOTS; i++) free(baseline->keys[i]);
    for (size_t i = 0; i < baseline->file_count; i++) free(baseline->files[i]);
    free(baseline->files);
    free(baseline->file_sizes);
    free(baseline->operations);
    free(baseline);
}

size_t baseline_documents(const struct baseline *baseline) { return baseline->documents; }
size_t baseline_fields(const struct baseline *baseline) { return baseline->fields; }
size_t baseline_bytes(const struct baseline *baseline) { return baseline->bytes; }

static const char *interned(struct baseline *baseline, const char *key, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)key[i]) * 16777619u;
    for (uint32_t tries = 0; tries < 64; tries++) {
        char **slot = &baseline->keys[(hash + tries) % KEY_SLOTS];
        if (!*slot) return *slot = strdup(key);
        if (strcmp(*slot, key) == 0) return *slot;
    }
    return key;
}

static struct operation *add(struct baseline *baseline, uint8_t type) {
    if (baseline->count == baseline->capacity) {
        baseline->capacity = baseline->capacity ? baseline->capacity * 2 : 1 << 16;
        baseline->operations = realloc(baseline->operations, baseline->capacity * sizeof(struct operation));
        if (!baseline->operations) abort();
    }
    struct operation *operation = &baseline->operations[baseline->count++];
    memset(operation, 0, sizeof *operation);
    operation->type = type;
    return operation;
}

static bool add_fields(struct baseline *baseline, bson_iter_t *iterator, bool is_array, int depth) {
    if (depth >= MAXIMUM_DEPTH) return false;
    while (bson_iter_next(iterator)) {
        struct operation *operation = add(baseline, (uint8_t)bson_iter_type(iterator));
        baseline->fields++;
        if (!is_array) {
            uint32_t length = bson_iter_key_len(iterator);
            if (length > UINT16_MAX) return false;
            operation->key_length = (uint16_t)length;
            operation->key = interned(baseline, bson_iter_key(iterator), length);
        }
        switch (bson_iter_type(iterator)) {
        case BSON_TYPE_NULL:
            break;
        case BSON_TYPE_INT32:
            operation->value.integer = bson_iter_int32(iterator);
            break;
        case BSON_TYPE_INT64:
            operation->value.integer = bson_iter_int64(iterator);
            break;
        case BSON_TYPE_BOOL:
            operation->value.integer = bson_iter_bool(iterator);
            break;
        case BSON_TYPE_DATE_TIME:
            operation->value.integer = bson_iter_date_time(iterator);
            break;
        case BSON_TYPE_DOUBLE:
            operation->value.number = bson_iter_double(iterator);
            break;
        case BSON_TYPE_UTF8:
            operation->value.bytes = bson_iter_utf8(iterator, &operation->length);
            break;
        case BSON_TYPE_OID:
            operation->value.bytes = bson_iter_oid(iterator);
            break;
        case BSON_TYPE_DECIMAL128:
            operation->value.bytes = iterator->raw + iterator->d1;
            break;
        case BSON_TYPE_BINARY: {
            bson_subtype_t subtype;
            const uint8_t *bytes;
            bson_iter_binary(iterator, &subtype, &operation->length, &bytes);
            operation->subtype = (uint8_t)subtype;
            operation->value.bytes = bytes;
            break;
        }
        case BSON_TYPE_DOCUMENT:
        case BSON_TYPE_ARRAY: {
            bson_iter_t child;
            bool is_child_array = bson_iter_type(iterator) == BSON_TYPE_ARRAY;
            if (!bson_iter_recurse(iterator, &child)) return false;
            if (!add_fields(baseline, &child, is_child_array, depth + 1)) return false;
            add(baseline, END_OF_CHILD);
            break;
        }
        default:
            return false;
        }
    }
    return iterator->err_off == 0;
}

bool baseline_add_file(struct baseline *baseline, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size + 1);
    bool is_read = bytes && fread(bytes, 1, size, file) == size;
    fclose(file);
    baseline->files = realloc(baseline->files, (baseline->file_count + 1) * sizeof *baseline->files);
    baseline->file_sizes = realloc(baseline->file_sizes, (baseline->file_count + 1) * sizeof *baseline->file_sizes);
    baseline->files[baseline->file_count] = bytes;
    baseline->file_sizes[baseline->file_count++] = size;
    if (!is_read) return false;

    for (size_t offset = 0; offset < size;) {
        int32_t length;
        bson_t document;
        bson_iter_t iterator;
        if (size - offset < 5) return false;
        memcpy(&length, bytes + offset, sizeof length);
        length = BSON_UINT32_FROM_LE(length);
        if (length < 5 || (size_t)length > size - offset) return false;
        if (!bson_init_static(&document, bytes + offset, (size_t)length)) return false;
        if (!bson_iter_init(&iterator, &document)) return false;
        if (!add_fields(baseline, &iterator, false, 0)) return false;
        add(baseline, END_OF_DOCUMENT);
        baseline->documents++;
        offset += (size_t)length;
    }
    baseline->bytes += size;
    return true;
}

/// Where a document goes to: nowhere, or to a comparison.
struct comparison {
    const struct baseline *baseline;
    size_t file, offset;
    bool is_equal;
};

static void compare(struct comparison *comparison, const bson_t *document) {
    const struct baseline *baseline = comparison->baseline;
    while (comparison->file < baseline->file_count
        && comparison->offset == baseline->file_sizes[comparison->file]) {
        comparison->file++;
        comparison->offset = 0;
    }
    if (comparison->file == baseline->file_count
        || document->len > baseline->file_sizes[comparison->file] - comparison->offset
        || memcmp(baseline->files[comparison->file] + comparison->offset, bson_get_data(document), document->len)) {
        comparison->is_equal = false;
        return;
    }
    comparison->offset += document->len;
}

static uint64_t replay(const struct baseline *baseline, struct comparison *comparison) {
    bson_t documents[MAXIMUM_DEPTH + 1];
    uint32_t indexes[MAXIMUM_DEPTH + 1];
    bool are_arrays[MAXIMUM_DEPTH + 1] = {false};
    int depth = 0;
    uint64_t bytes = 0;
    bool is_well = true;
    bson_init(&documents[0]);

    const struct operation *end = baseline->operations + baseline->count;
    for (const struct operation *operation = baseline->operations; operation < end; operation++) {
        bson_t *document = &documents[depth];
        const char *key = operation->key;
        int key_length = operation->key_length;
        char digits[16];
        if (are_arrays[depth] && operation->type < END_OF_CHILD) {
            key_length = (int)bson_uint32_to_string(indexes[depth]++, &key, digits, sizeof digits);
        }
        switch (operation->type) {
        case BSON_TYPE_NULL:
            is_well &= bson_append_null(document, key, key_length);
            break;
        case BSON_TYPE_INT32:
            is_well &= bson_append_int32(document, key, key_length, (int32_t)operation->value.integer);
            break;
        case BSON_TYPE_INT64:
            is_well &= bson_append_int64(document, key, key_length, operation->value.integer);
            break;
        case BSON_TYPE_BOOL:
            is_well &= bson_append_bool(document, key, key_length, operation->value.integer != 0);
            break;
        case BSON_TYPE_DATE_TIME:
            is_well &= bson_append_date_time(document, key, key_length, operation->value.integer);
            break;
        case BSON_TYPE_DOUBLE:
            is_well &= bson_append_double(document, key, key_length, operation->value.number);
            break;
        case BSON_TYPE_UTF8:
            is_well &= bson_append_utf8(document, key, key_length, operation->value.bytes, (int)operation->length);
            break;
        case BSON_TYPE_OID:
            is_well &= bson_append_oid(document, key, key_length, operation->value.bytes);
            break;
        case BSON_TYPE_DECIMAL128: {
            uint64_t halves[2];
            memcpy(halves, operation->value.bytes, sizeof halves);
            bson_decimal128_t decimal;
            decimal.low = BSON_UINT64_FROM_LE(halves[0]);
            decimal.high = BSON_UINT64_FROM_LE(halves[1]);
            is_well &= bson_append_decimal128(document, key, key_length, &decimal);
            break;
        }
        case BSON_TYPE_BINARY:
            is_well &= bson_append_binary(
                document, key, key_length, (bson_subtype_t)operation->subtype, operation->value.bytes,
                operation->length);
            break;
        case BSON_TYPE_DOCUMENT:
            is_well &= bson_append_document_begin(document, key, key_length, &documents[++depth]);
            are_arrays[depth] = false;
            break;
        case BSON_TYPE_ARRAY:
            is_well &= bson_append_array_begin(document, key, key_length, &documents[++depth]);
            are_arrays[depth] = true;
            indexes[depth] = 0;
            break;
        case END_OF_CHILD:
            // The same function ends arrays under another name.
            is_well &= bson_append_document_end(&documents[depth - 1], document);
            depth--;
            break;
        case END_OF_DOCUMENT:
            bytes += document->len;
            if (comparison) compare(comparison, document);
            bson_reinit(document);
            break;
        }
    }
    bson_destroy(&documents[0]);
    if (!is_well) abort();
    return bytes;
}

uint64_t baseline_replay(const struct baseline *baseline) { return replay(baseline, NULL); }

bool baseline_verify(const struct baseline *baseline) {
    struct comparison comparison = {baseline, 0, 0, true};
    uint64_t bytes = replay(baseline, &comparison);
    return comparison.is_equal && bytes == baseline->bytes;
}

static void *replay_on_thread(void *baseline) {
    baseline_replay(baseline);
    return NULL;
}

void baseline_replay_times(const struct baseline *baseline, int times, bool parallel) {
    if (!parallel) {
        for (int i = 0; i < times; i++) baseline_replay(baseline);
        return;
    }
    pthread_t threads[times];
    for (int i = 0; i < times; i++) {
        if (pthread_create(&threads[i], NULL, replay_on_thread, (void *)baseline)) abort();
    }
    for (int i = 0; i < times; i++) pthread_join(threads[i], NULL);
}

bool baseline_write_bytes(const struct baseline *baseline, const char *path) {
    // About a megabyte, as exports write, and like theirs no multiple of anything the system likes.
    enum { PIECE = 1000001 };
    static uint8_t piece[PIECE];
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return false;
    bool is_written = true;
    for (size_t rest = baseline->bytes; rest > 0 && is_written;) {
        size_t size = rest < PIECE ? rest : PIECE;
        // New content each time, as it would come from the maker of documents.
        memset(piece, (int)(rest / PIECE), size);
        is_written = write(file, piece, size) == (ssize_t)size;
        rest -= size;
    }
    close(file);
    return is_written;
}
