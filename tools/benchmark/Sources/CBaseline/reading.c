#include "baseline.h"

#include <bson/bson.h>

// What is read is folded into a sum, so that nothing of it can be left out.
static bool read_fields(bson_iter_t *iterator, uint64_t *sum, size_t *fields, int depth) {
    if (depth > 200) return false;
    while (bson_iter_next(iterator)) {
        ++*fields;
        *sum += (uint8_t)bson_iter_key(iterator)[0];
        switch (bson_iter_type(iterator)) {
        case BSON_TYPE_NULL:
            break;
        case BSON_TYPE_INT32:
            *sum += (uint64_t)bson_iter_int32(iterator);
            break;
        case BSON_TYPE_INT64:
            *sum += (uint64_t)bson_iter_int64(iterator);
            break;
        case BSON_TYPE_BOOL:
            *sum += bson_iter_bool(iterator);
            break;
        case BSON_TYPE_DATE_TIME:
            *sum += (uint64_t)bson_iter_date_time(iterator);
            break;
        case BSON_TYPE_DOUBLE:
            *sum += (uint64_t)bson_iter_double(iterator);
            break;
        case BSON_TYPE_UTF8: {
            uint32_t length;
            const char *text = bson_iter_utf8(iterator, &length);
            *sum += length + (uint8_t)text[0];
            break;
        }
        case BSON_TYPE_OID:
            *sum += bson_iter_oid(iterator)->bytes[0];
            break;
        case BSON_TYPE_DECIMAL128: {
            bson_decimal128_t decimal;
            if (!bson_iter_decimal128(iterator, &decimal)) return false;
            *sum += decimal.low;
            break;
        }
        case BSON_TYPE_BINARY: {
            bson_subtype_t subtype;
            uint32_t length;
            const uint8_t *bytes;
            bson_iter_binary(iterator, &subtype, &length, &bytes);
            *sum += length + (length > 0 ? bytes[0] : 0);
            break;
        }
        case BSON_TYPE_DOCUMENT:
        case BSON_TYPE_ARRAY: {
            bson_iter_t child;
            if (!bson_iter_recurse(iterator, &child)) return false;
            if (!read_fields(&child, sum, fields, depth + 1)) return false;
            break;
        }
        default:
            return false;
        }
    }
    return true;
}

bool reading_file(const char *path, size_t *documents, size_t *fields, uint64_t *sum) {
    bson_error_t error;
    bson_reader_t *reader = bson_reader_new_from_file(path, &error);
    if (!reader) return false;
    bool reached_end = false;
    const bson_t *document;
    while ((document = bson_reader_read(reader, &reached_end))) {
        bson_iter_t iterator;
        ++*documents;
        if (!bson_iter_init(&iterator, document) || !read_fields(&iterator, sum, fields, 0)) break;
    }
    bson_reader_destroy(reader);
    return reached_end;
}
