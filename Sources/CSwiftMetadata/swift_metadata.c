#define _GNU_SOURCE
#include "swift_metadata.h"

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#ifdef __APPLE__
#include <pthread.h>
#else
#include <sys/syscall.h>
#endif

// Offsets of what is read, in the order of the ABI. Classes have two more words of the Objective-C runtime on Apple's systems.
enum {
#ifdef __APPLE__
    descriptor_of_class = 64,
#else
    descriptor_of_class = 40,
#endif
    kind_of_class = 16,
    generic_flag = 0x80,
    longest_chain = 64,
};

typedef struct {
    uint32_t flags;
    int32_t parent;
    int32_t name;
    int32_t access;
    int32_t fields;
    int32_t superclass;
} class_descriptor;

typedef struct {
    const void *metadata;
    size_t state;
} metadata_response;

typedef struct {
    const class_descriptor *const *roots;
    size_t count;
    swift_class_visitor visit;
    void *context;
} search;

static const void *relative(const int32_t *offset) {
    return *offset == 0 ? NULL : (const char *)offset + *offset;
}

/// The descriptor that the reference to a superclass leads to; NULL where the name is spelled out, as it is for no class of Swift.
static const class_descriptor *superclass(const class_descriptor *class) {
    const unsigned char *name = relative(&class->superclass);
    if (name == NULL || name[0] < 1 || name[0] > 2) return NULL;
    int32_t offset;
    __builtin_memcpy(&offset, name + 1, sizeof offset);
    const void *found = name + 1 + offset;
    return name[0] == 1 ? found : *(const void *const *)found;
}

static bool is_class(const class_descriptor *descriptor) {
    return descriptor != NULL && (descriptor->flags & 0x1f) == kind_of_class;
}

static bool inherits(const class_descriptor *class, const search *search) {
    for (int step = 0; step < longest_chain && is_class(class); step++) {
        for (size_t index = 0; index < search->count; index++) {
            if (class == search->roots[index]) return true;
        }
        class = superclass(class);
    }
    return false;
}

static void visit_records(const void *start, size_t size, const search *search) {
    const int32_t *records = start;
    for (size_t index = 0; index < size / sizeof *records; index++) {
        int32_t kind = records[index] & 3;
        const void *target = (const char *)&records[index] + (records[index] & ~3);
        if (kind > 1 || records[index] == 0) continue;
        const class_descriptor *class = kind == 1 ? *(const void *const *)target : target;
        if (!is_class(class) || (class->flags & generic_flag) != 0 || !inherits(class, search)) continue;
        __attribute__((swiftcall)) metadata_response (*access)(size_t) = (void *)relative(&class->access);
        if (access != NULL) search->visit(access(0).metadata, search->context);
    }
}

#ifdef __APPLE__

#include <mach-o/dyld.h>
#include <mach-o/getsect.h>

static void visit_images(const search *search) {
    for (uint32_t index = 0; index < _dyld_image_count(); index++) {
        const struct mach_header_64 *header = (const void *)_dyld_get_image_header(index);
        unsigned long size = 0;
        const void *section = getsectiondata(header, "__TEXT", "__swift5_types", &size);
        if (section != NULL) visit_records(section, size, search);
    }
}

#else

typedef struct {
    uintptr_t start;
    size_t size;
} section_range;

/// What each image registers with the runtime when it is loaded.
typedef struct {
    uintptr_t version;
    const void *base;
    const void *unused[2];
    section_range protocols;
    section_range conformances;
    section_range types;
} image_sections;

extern void swift_enumerateAllMetadataSections(
    bool (*body)(const image_sections *sections, void *context), void *context);

static bool visit_image(const image_sections *sections, void *context) {
    if (sections->types.start != 0) visit_records((const void *)sections->types.start, sections->types.size, context);
    return true;
}

static void visit_images(search *search) { swift_enumerateAllMetadataSections(visit_image, search); }

#endif

void swift_metadata_visit_subclasses(
    const void *const *roots, size_t count, swift_class_visitor visit, void *context) {
    const class_descriptor *descriptors[8];
    if (count > sizeof descriptors / sizeof *descriptors) return;
    for (size_t index = 0; index < count; index++) {
        descriptors[index] = *(const class_descriptor *const *)((const char *)roots[index] + descriptor_of_class);
    }
    search search = {descriptors, count, visit, context};
    visit_images(&search);
}

/// Of the runtime.
extern void *swift_tryRetain(void *object);

bool swift_metadata_try_retain(void *object) { return swift_tryRetain(object) != NULL; }

bool swift_metadata_is_first_thread(void) {
#ifdef __APPLE__
    return pthread_main_np() != 0;
#else
    return syscall(SYS_gettid) == getpid();
#endif
}
