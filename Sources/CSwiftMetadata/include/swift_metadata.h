// The classes of a program, read from the metadata that the Swift compiler writes (docs/ABI/TypeMetadata in the Swift
// repository).
#ifndef SWIFT_METADATA_H
#define SWIFT_METADATA_H

#include <stdbool.h>
#include <stddef.h>

/// Receives the metadata of a class, which `unsafeBitCast` converts to an `Any.Type`.
typedef void (*swift_class_visitor)(const void *metadata, void *context);

/// Visits each non-generic class of all loaded images that inherits from one of `roots`, which are the metadata of
/// classes. Of other classes only the descriptor is read, so that they are not initialised.
void swift_metadata_visit_subclasses(
    const void *const *roots, size_t count, swift_class_visitor visit, void *context);

/// Retains a Swift object, unless its last reference is gone, as the runtime does when a weak reference is read. The
/// memory of the object must not have been freed yet. Returns whether the object was retained.
bool swift_metadata_try_retain(void *object);

/// Whether the caller runs on the initial thread of the program. C has a function for this, Swift has none.
bool swift_metadata_is_first_thread(void);

#endif
