// The classes of a program, as the metadata that the Swift compiler writes tells of them (docs/ABI/TypeMetadata in the Swift repository).
#ifndef SWIFT_METADATA_H
#define SWIFT_METADATA_H

#include <stdbool.h>
#include <stddef.h>

/// Gets the metadata of a class: what `unsafeBitCast` makes an `Any.Type` of.
typedef void (*swift_class_visitor)(const void *metadata, void *context);

/// Visits each class of all loaded images that is not generic and inherits from one of `roots`, which are the metadata of classes.
/// No other class is looked at further than its descriptor, so that nothing of it is set up.
void swift_metadata_visit_subclasses(
    const void *const *roots, size_t count, swift_class_visitor visit, void *context);

/// Counts a reference to an object of Swift, unless its last one is gone: what the runtime does where a weak reference is read. The memory of
/// the object must not have been freed yet.
bool swift_metadata_try_retain(void *object);

/// Whether the caller runs on the thread that the program began with, where C has a name for it and Swift has none.
bool swift_metadata_is_first_thread(void);

#endif
