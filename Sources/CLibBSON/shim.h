#pragma once
#include <bson/bson.h>

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
