#pragma once
#include <bson/bson.h>
#include <stdio.h>
#include <string.h>

// Iterators and documents are aligned more strictly than Swift can allocate, so that Swift sees pointers to incomplete
// types only; what needs their sizes is here.

static inline bson_iter_t *realmfile_bson_iter_new(const bson_t *document)
{
   bson_iter_t *iter = (bson_iter_t *) bson_aligned_alloc0(128, sizeof(bson_iter_t));
   if (!bson_iter_init(iter, document)) {
      bson_free(iter);
      return NULL;
   }
   return iter;
}

static inline bson_iter_t *realmfile_bson_iter_new_child(const bson_iter_t *parent)
{
   bson_iter_t *iter = (bson_iter_t *) bson_aligned_alloc0(128, sizeof(bson_iter_t));
   if (!bson_iter_recurse(parent, iter)) {
      bson_free(iter);
      return NULL;
   }
   return iter;
}

// Elements are handed over in a form that Swift can read.

typedef struct {
   const uint8_t *key;
   // The bytes of the value without its length: of a string without the zero, of a document or array all of it.
   const uint8_t *value;
   uint32_t key_length;
   uint32_t value_length;
   // Where the next element begins.
   uint32_t next;
   uint8_t type;
   uint8_t subtype;
} realmfile_bson_element;

typedef struct realmfile_bson_iterator realmfile_bson_iterator;

static inline realmfile_bson_iterator *realmfile_bson_iterator_new(void)
{
   // Iterators are aligned to lines of memory, and what is asked for must be whole ones.
   return (realmfile_bson_iterator *) bson_aligned_alloc0(128, (sizeof(bson_iter_t) + 127) / 128 * 128);
}

// The element that begins at an offset in a document of `length` bytes: 1, or 0 after the last, or -1 for a broken one,
// whose place is in `value`.
static inline int realmfile_bson_element_at(
   realmfile_bson_iterator *iterator, const uint8_t *document, size_t length, size_t offset, realmfile_bson_element *element)
{
   bson_iter_t *iter = (bson_iter_t *) iterator;
   const uint8_t *raw = document;
   if (!bson_iter_init_from_data(iter, document, length)) {
      element->value = document;
      return -1;
   }
   iter->next_off = (uint32_t) offset;
   if (!bson_iter_next(iter)) {
      element->value = raw + iter->err_off;
      return iter->err_off == 0 ? 0 : -1;
   }
   element->next = iter->next_off;
   element->type = raw[iter->type];
   element->key = raw + iter->key;
   element->key_length = iter->d1 - iter->key - 1;
   element->value = raw + iter->d1;
   switch (element->type) {
   case BSON_TYPE_UTF8: {
      uint32_t length = bson_iter_utf8_len_unsafe(iter);
      element->value = raw + iter->d2;
      element->value_length = length;
      break;
   }
   case BSON_TYPE_DOCUMENT:
   case BSON_TYPE_ARRAY:
      element->value_length = iter->next_off - iter->d1;
      break;
   case BSON_TYPE_BINARY: {
      bson_subtype_t subtype = BSON_SUBTYPE_BINARY;
      bson_iter_binary(iter, &subtype, &element->value_length, &element->value);
      element->subtype = (uint8_t) subtype;
      break;
   }
   case BSON_TYPE_NULL:
   case BSON_TYPE_UNDEFINED:
   case BSON_TYPE_MINKEY:
   case BSON_TYPE_MAXKEY:
      element->key_length = (uint32_t) strlen((const char *) element->key);
      element->value = element->key + element->key_length + 1;
      element->value_length = 0;
      break;
   case BSON_TYPE_DOUBLE:
   case BSON_TYPE_OID:
   case BSON_TYPE_BOOL:
   case BSON_TYPE_DATE_TIME:
   case BSON_TYPE_REGEX:
   case BSON_TYPE_DBPOINTER:
   case BSON_TYPE_CODE:
   case BSON_TYPE_SYMBOL:
   case BSON_TYPE_CODEWSCOPE:
   case BSON_TYPE_INT32:
   case BSON_TYPE_TIMESTAMP:
   case BSON_TYPE_INT64:
   case BSON_TYPE_DECIMAL128:
      element->value_length = iter->next_off - iter->d1;
      break;
   default:
      return -1;
   }
   return 1;
}

// Asks the processor to load what is at an address, which need not be valid.
static inline void realmfile_prefetch(const void *address)
{
   __builtin_prefetch(address);
}

// A document of Extended JSON; NULL with a message when it is none.
static inline bson_t *realmfile_bson_from_json(const uint8_t *text, size_t length, char *message, size_t room)
{
   bson_error_t error = {0};
   bson_t *document = bson_new_from_json(text, (ssize_t) length, &error);
   if (document == NULL) snprintf(message, room, "%s", error.message);
   return document;
}

static inline size_t realmfile_bson_length(const bson_t *document)
{
   return document->len;
}
